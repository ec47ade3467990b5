// SPDX-License-Identifier: Apache-2.0
/*
 * One round of the soak: mixed operations on many QPs, both ways, on a wire that loses, repeats,
 * reorders and damages 1 % each, until so many packets have been sent.  Every byte is compared,
 * every request has exactly one outcome (rdma.h); tests/soak/run judges the packets and compares
 * the counters with them.
 *
 * Environment, besides that of rdma.h: PACKETS (both NICs together), QPS, COUNTERS (a file for
 * the counters, as `cairn stat --json` prints them), RATE (of each fault).
 */
#include <stdio.h>
#include <string.h>

#include "rdma.h"

#define BATCH 4u   /* messages of a QP under way */
#define SLOT 8192u /* bytes for one message */
#define MAX_QPS 256u
#define LOOK 128u /* messages between two looks at the packets sent */

struct lane {
	struct rdma_qp *qp;
	struct rdma_buf *source, *place; /* of this side */
	unsigned int sends, receives;	 /* room when nothing is under way */
};

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t packets_sent(struct rdma *r)
{
	return rdma_counter(r, 0, CAIRN_COUNTER_TX_PACKETS) +
	       rdma_counter(r, 1, CAIRN_COUNTER_TX_PACKETS);
}

static void save_qps(struct rdma *r, unsigned int nic, FILE *out)
{
	unsigned int qps = 0;

	fputs(", \"qps\": {", out);
	for (struct rdma_qp *qp = r->qps; qp; qp = qp->next) {
		if (qp->nic != nic)
			continue;
		fprintf(out, "%s\"0x%06x\": {", qps++ ? ", " : "", qp->qp->qpn);
		for (unsigned int c = 0, n = 0; c < CAIRN_COUNTERS; c++)
			if (cairn_counter_of_qp[c])
				fprintf(out, "%s\"%s\": %llu", n++ ? ", " : "",
					cairn_counter_names[c],
					(unsigned long long)rdma_qp_counter(qp, c));
		fputs("}", out);
	}
	fputs("}", out);
}

static void save_counters(struct rdma *r)
{
	const char *path = getenv("COUNTERS");
	FILE *out = path ? fopen(path, "w") : NULL;

	if (!out)
		return;
	for (unsigned int i = 0; i < r->nics; i++) {
		fprintf(out, "%s\"nic%u\": {", i ? ", " : "{", i);
		for (unsigned int c = 0, n = 0; c < CAIRN_COUNTERS; c++)
			if (cairn_counter_names[c])
				fprintf(out, "%s\"%s\": %llu", n++ ? ", " : "",
					cairn_counter_names[c],
					(unsigned long long)rdma_counter(r, i, c));
		save_qps(r, i, out);
		fputs("}", out);
	}
	fputs("}\n", out);
	fclose(out);
}

/* Anywhere in a page: atomics at the same place of different pages are done one after the other. */
static struct rdma_buf *buffer(struct rdma *r, unsigned int nic, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .offset = (unsigned int)rng_below(&r->rng, 4096),
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	return rdma_buf_with(r, nic, &cfg);
}

/* Both ends of one connection. */
static void open_lanes(struct rdma *r, struct lane near[], struct lane far[], unsigned int n)
{
	bool v6 = r->nic[0].caps.features & CAIRN_REG_FEATURES_IPV6;

	for (unsigned int i = 0; i < n; i++) {
		struct lane *side[2] = { &near[i], &far[i] };
		struct rdma_qp_cfg cfg;

		rdma_qp_cfg_init(&cfg);
		cfg.pmtu = 1 + (uint32_t)rng_below(&r->rng, 3);
		cfg.gid_index = 1 + (v6 ? (uint32_t)rng_below(&r->rng, 2) : 0);
		cfg.rd_atomic = cfg.dest_rd_atomic = 1 + (uint32_t)rng_below(&r->rng, 16);
		cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
		near[i].qp = rdma_pair(r, 0, 1, &cfg);
		far[i].qp = near[i].qp->peer;
		for (unsigned int s = 0; s < 2; s++) {
			side[s]->source = buffer(r, s, 2ull * SLOT);
			side[s]->place = buffer(r, s, 2ull * BATCH * SLOT);
			side[s]->sends = rdma_room(side[s]->qp);
			side[s]->receives = rdma_recv_room(side[s]->qp);
		}
	}
}

static uint32_t length(struct rdma *r)
{
	static const uint32_t most[] = { 0, 16, 64, 200, 2000 };

	return (uint32_t)rng_below(&r->rng, most[rng_below(&r->rng, 5)] + 1);
}

static struct rdma_wr atomic(struct rdma *r, enum cairn_wqe_op op, struct lane *from,
			     struct lane *to, unsigned int k)
{
	size_t at = k * (size_t)SLOT + (-(to->place->mr->va) & 7);
	struct rdma_wr wr = rdma_wr(op, from->place, (BATCH + k) * (size_t)SLOT, to->place, at, 8);

	memcpy(&wr.compare, to->place->data + at, 8);
	wr.compare += rng_percent(&r->rng, 50); /* does not match */
	wr.swap_add = rng_u64(&r->rng);
	return wr;
}

/*
 * Slot k of BATCH: for what `from` sends and changes in the first half, for what it is answered in
 * the second.
 */
static void message(struct rdma *r, struct lane *from, struct lane *to, unsigned int k)
{
	static const enum cairn_wqe_op ops[] = {
		CAIRN_WQE_OP_SEND,	CAIRN_WQE_OP_SEND_IMM,	CAIRN_WQE_OP_WRITE,
		CAIRN_WQE_OP_WRITE,	CAIRN_WQE_OP_WRITE_IMM, CAIRN_WQE_OP_READ,
		CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WQE_OP_ATOMIC_CS,
	};
	unsigned int no_atomic = r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC ? 0 : 2;
	enum cairn_wqe_op op = ops[rng_below(&r->rng, sizeof(ops) / sizeof(*ops) - no_atomic)];
	bool read = op == CAIRN_WQE_OP_READ, write_imm = op == CAIRN_WQE_OP_WRITE_IMM;
	uint32_t len = length(r);
	size_t at = rng_below(&r->rng, SLOT), place = (read ? BATCH + k : k) * (size_t)SLOT;
	struct rdma_wr wr = read ? rdma_wr(op, from->place, place, to->source, at, len)
				 : rdma_wr(op, from->source, at, to->place, place, len);

	if (op == CAIRN_WQE_OP_ATOMIC_FA || op == CAIRN_WQE_OP_ATOMIC_CS)
		wr = atomic(r, op, from, to, k);
	wr.imm = (uint32_t)rng_u64(&r->rng);
	wr.solicited = rng_percent(&r->rng, 10);
	wr.fence = rng_percent(&r->rng, 5);
	if (write_imm || op == CAIRN_WQE_OP_SEND || op == CAIRN_WQE_OP_SEND_IMM) {
		struct cairn_sge sge = rdma_sge(to->place, place, len);

		rdma_post_recv(to->qp, &sge, len && !write_imm);
	}
	rdma_post(from->qp, &wr);
}

/* A new batch, if the last one is over. */
static unsigned int batch(struct rdma *r, struct lane *from, struct lane *to)
{
	unsigned int n = 1 + (unsigned int)rng_below(&r->rng, BATCH);
	bool late = rng_percent(&r->rng, 20); /* receives come late: RNR */

	if (rdma_room(from->qp) != from->sends || rdma_recv_room(to->qp) != to->receives)
		return 0;
	for (unsigned int k = 0; k < n; k++)
		message(r, from, to, k);
	if (!late)
		rdma_ring_recv(to->qp);
	rdma_ring(from->qp);
	if (late) {
		rdma_run(r, 500);
		rdma_ring_recv(to->qp);
	}
	return n;
}

/* A batch of some connection and direction where the last one is over; 0: there is none. */
static unsigned int some_batch(struct rdma *r, struct lane near[], struct lane far[],
			       unsigned int qps)
{
	unsigned int first = (unsigned int)rng_below(&r->rng, 2ull * qps), n = 0;

	for (unsigned int k = 0; k < 2 * qps && !n; k++) {
		unsigned int i = (first + k) % (2 * qps);

		n = i < qps ? batch(r, &near[i], &far[i]) : batch(r, &far[i - qps], &near[i - qps]);
	}
	return n;
}

static void round_of(void **state)
{
	static struct lane near[MAX_QPS], far[MAX_QPS];
	struct rdma *r = rdma_begin(NULL);
	uint64_t want = number("PACKETS", 20000), began = packets_sent(r), sent = 0, messages = 0;
	static const unsigned int load[] = { 1, 8, 16, 32 }; /* of a QP, in quarters of a message */
	unsigned int qps = (unsigned int)number("QPS", 64), look = 0, most = qps;
	const char *rate = getenv("RATE") ? getenv("RATE") : "0.01";
	static const char *const faults[] = { "drop", "dup", "reorder:3", "corrupt" };

	(void)state;
	assert_true(qps && qps <= MAX_QPS);
	open_lanes(r, near, far, qps);
	for (unsigned int i = 0; i < 4; i++)
		rdma_rule(r, "%s type=roce p=%s", faults[i], rate);
	while (sent < want) {
		unsigned int n = some_batch(r, near, far, qps);

		messages += n;
		look += n;
		/* the wire is never idle, but in the phases that leave little under way */
		rdma_wait_due(r, n ? most : rdma_due(r) - 1);
		if (look >= LOOK) {
			look = 0;
			most = qps * load[rng_below(&r->rng, 4)] / 4;
			sent = packets_sent(r) - began;
		}
	}
	rdma_wait(r);
	/* what is still on the wire, held back by a rule or sent twice, is counted too */
	rdma_run(r, 200000);
	for (unsigned int i = 0; i < 4; i++)
		rdma_assert(r, sim_wire_rule_hits(sim_wire(r->sim), i) > 0);
	save_counters(r);
	printf("# %llu packets, %llu messages, %llu completions, %llu sent again, %llu ns, %llu cycles\n",
	       (unsigned long long)(packets_sent(r) - began), (unsigned long long)messages,
	       (unsigned long long)r->completions,
	       (unsigned long long)(rdma_counter(r, 0, CAIRN_COUNTER_RETX_PACKETS) +
				    rdma_counter(r, 1, CAIRN_COUNTER_RETX_PACKETS)),
	       (unsigned long long)sim_now(r->sim), (unsigned long long)sim_evaluated(r->sim));
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(round_of) };

	return RDMA_RUN("soak", tests);
}
