// SPDX-License-Identifier: Apache-2.0
/*
 * Data-checked transfers between two verbs devices of any kind: every operation of RC, UC and UD,
 * in many sizes, asked for by the client and then by the server; every byte of what arrives is
 * compared, and of what lies around it.
 *
 *     transfer -d DEVICE -g GID -p PORT [-m MTU] [-o long|reliable] [SERVER]
 *
 * -o long: 1 MiB, too, on RC; -o reliable: RC alone, for a wire that loses packets.  One line for
 * each operation and each side that asked.
 */
#include "meet.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#define GUARD 512u     /* bytes compared on both sides of a message */
#define AREA 0x180000u /* of each of the three: what is sent, what comes in, what is read */
#define FILL 0xee
#define IMM 0x1ca12u /* and the number of the message */
#define GRH 40u
#define MAX_MESSAGES 16u
#define ACCESS                                                                       \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

enum channel { RC, SRQ, UC, UD, CHANNELS };

static const struct kind {
	const char *name;
	enum channel channel;
	enum ibv_wr_opcode op;
} kinds[] = {
	{ "RC SEND", RC, IBV_WR_SEND },
	{ "RC SEND_WITH_IMM", RC, IBV_WR_SEND_WITH_IMM },
	{ "RC RDMA_WRITE", RC, IBV_WR_RDMA_WRITE },
	{ "RC RDMA_WRITE_WITH_IMM", RC, IBV_WR_RDMA_WRITE_WITH_IMM },
	{ "RC RDMA_READ", RC, IBV_WR_RDMA_READ },
	{ "RC CMP_AND_SWP", RC, IBV_WR_ATOMIC_CMP_AND_SWP },
	{ "RC FETCH_AND_ADD", RC, IBV_WR_ATOMIC_FETCH_AND_ADD },
	{ "RC SEND, SRQ", SRQ, IBV_WR_SEND },
	{ "RC RDMA_WRITE_WITH_IMM, SRQ", SRQ, IBV_WR_RDMA_WRITE_WITH_IMM },
	{ "UC SEND", UC, IBV_WR_SEND },
	{ "UC SEND_WITH_IMM", UC, IBV_WR_SEND_WITH_IMM },
	{ "UC RDMA_WRITE", UC, IBV_WR_RDMA_WRITE },
	{ "UC RDMA_WRITE_WITH_IMM", UC, IBV_WR_RDMA_WRITE_WITH_IMM },
	{ "UD SEND", UD, IBV_WR_SEND },
	{ "UD SEND_WITH_IMM", UD, IBV_WR_SEND_WITH_IMM },
};

/* What one side tells the other of itself. */
struct peer {
	uint64_t base; /* of its areas */
	uint32_t rkey, ud_qpn;
	union ibv_gid gid;
};

/* Messages of one kind: length and place, which is the same in all areas. */
struct batch {
	const struct kind *kind;
	unsigned int n;
	uint32_t len[MAX_MESSAGES], at[MAX_MESSAGES], end;
};

static struct {
	struct meet m;
	struct ibv_qp *qp[CHANNELS];
	struct ibv_srq *srq;
	struct ibv_ah *ah;
	uint8_t *out, *in, *back; /* one registration */
	struct peer peer;
} t;

/* ---------------------------------------------------------------- what is transferred */

static uint8_t pattern(unsigned int number, uint32_t at)
{
	uint32_t x = (at + 1) * 2654435761u ^ (number + 1) * 40503u;

	return (uint8_t)(x >> 11 ^ x >> 23);
}

/* Exactly the message `number` in an area that was all FILL. */
static void compare(const struct batch *b, const uint8_t *area, unsigned int number)
{
	uint32_t at = b->at[number], len = b->len[number];
	uint32_t before = b->kind->channel == UD ? 0 : GUARD; /* there is the GRH */

	for (uint32_t i = at - before; i < at + len + GUARD; i++) {
		uint8_t want = i >= at && i < at + len ? pattern(number, i - at) : FILL;

		if (area[i] != want)
			fail("%s: byte %d of message %u of %u bytes is %02x, not %02x",
			     b->kind->name, (int)i - (int)at, number, len, area[i], want);
	}
}

static bool atomic(const struct kind *kind)
{
	return kind->op == IBV_WR_ATOMIC_CMP_AND_SWP || kind->op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static bool has_imm(const struct kind *kind)
{
	return kind->op == IBV_WR_SEND_WITH_IMM || kind->op == IBV_WR_RDMA_WRITE_WITH_IMM;
}

static bool is_write(const struct kind *kind)
{
	return kind->op == IBV_WR_RDMA_WRITE || kind->op == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/* The places are a guard or two apart, at all alignments. */
static void add(struct batch *b, uint32_t len)
{
	b->len[b->n] = len;
	b->at[b->n] = b->end + GUARD + 64 + 13 * b->n % 67;
	b->end = b->at[b->n] + len + GUARD;
	b->n++;
	check(b->end <= AREA && b->n < MAX_MESSAGES);
}

/* Sizes around the pad and the path MTU, several packets, many packets. */
static struct batch batch_of(const struct kind *kind)
{
	const uint32_t mtu = t.m.mtu;
	const uint32_t sizes[] = {
		0, 1, 3, 64, 255, mtu - 1, mtu, mtu + 1, 2 * mtu, 10001, 16 * mtu
	};
	struct batch b = { .kind = kind };

	if (atomic(kind)) {
		b.n = 4;
		b.end = 8 * b.n + GUARD;
		return b;
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (kind->channel != UD || sizes[i] <= mtu)
			add(&b, sizes[i]);
	if (!strcmp(t.m.option, "long") && kind->channel == RC && !has_imm(kind))
		add(&b, 1 << 20);
	return b;
}

/* ---------------------------------------------------------------- the side that asks */

/*
 * Two that change the word and two that do not, or do by nothing: what the word is before each of
 * them, with `arg` for the request.
 */
static uint64_t word_before(const struct batch *b, unsigned int number, uint64_t arg[2])
{
	static const uint64_t steps[] = {
		0x0123456789abcdef, 0xfedcba9876543210, 0xfedcba9876543210, 0xffffffffffffffff, 0, 0
	};
	bool changes = steps[number] != steps[number + 1];

	arg[0] = b->kind->op == IBV_WR_ATOMIC_CMP_AND_SWP ? steps[number] + !changes
							  : /* compared */
			 steps[number + 1] - steps[number];
	arg[1] = changes ? steps[number + 1] : 0x5555; /* swapped in */
	return steps[number];
}

static void build(const struct batch *b, unsigned int i, struct ibv_send_wr *wr,
		  struct ibv_sge *sge)
{
	const struct kind *kind = b->kind;
	uint8_t *from = kind->op == IBV_WR_RDMA_READ ? t.back : t.out;
	uint64_t arg[2];

	*sge = (struct ibv_sge){ (uintptr_t)(from + b->at[i]), b->len[i], t.m.mr->lkey };
	*wr = (struct ibv_send_wr){ .wr_id = i,
				    .sg_list = sge,
				    .num_sge = b->len[i] != 0,
				    .opcode = kind->op,
				    .send_flags = IBV_SEND_SIGNALED };
	if (has_imm(kind))
		wr->imm_data = htobe32(IMM + i);
	if (kind->channel == UD) {
		wr->wr.ud.ah = t.ah;
		wr->wr.ud.remote_qpn = t.peer.ud_qpn;
		wr->wr.ud.remote_qkey = MEET_QKEY;
	} else if (atomic(kind)) {
		word_before(b, i, arg);
		*sge = (struct ibv_sge){ (uintptr_t)t.back + 8 * i, 8, t.m.mr->lkey };
		wr->num_sge = 1;
		wr->wr.atomic.remote_addr = t.peer.base + AREA;
		wr->wr.atomic.rkey = t.peer.rkey;
		wr->wr.atomic.compare_add = arg[0];
		wr->wr.atomic.swap = arg[1];
	} else if (is_write(kind) || kind->op == IBV_WR_RDMA_READ) {
		wr->wr.rdma.remote_addr = t.peer.base + (is_write(kind) ? AREA : 0) + b->at[i];
		wr->wr.rdma.rkey = t.peer.rkey;
	}
}

/* All messages at once; a WRITE is looked for when a SEND behind it has arrived: that it is
 * acknowledged does not promise that it is in memory. */
static void ask(const struct batch *b)
{
	struct ibv_send_wr wr[MAX_MESSAGES], *bad;
	struct ibv_sge sge[MAX_MESSAGES];
	unsigned int n = b->n;

	for (unsigned int i = 0; i < n; i++)
		build(b, i, &wr[i], &sge[i]);
	if (b->kind->op == IBV_WR_RDMA_WRITE) {
		wr[n] = (struct ibv_send_wr){ .wr_id = n,
					      .opcode = IBV_WR_SEND,
					      .send_flags = IBV_SEND_SIGNALED };
		n++;
	}
	for (unsigned int i = 0; i + 1 < n; i++)
		wr[i].next = &wr[i + 1];
	check(!ibv_post_send(t.qp[b->kind->channel], wr, &bad));
	for (unsigned int i = 0; i < n; i++) {
		struct ibv_wc wc = meet_wc(&t.m, IBV_WC_SUCCESS);

		if (wc.wr_id != i)
			fail("%s: completion of request %u, not %u", b->kind->name,
			     (unsigned int)wc.wr_id, i);
	}
	if (b->kind->op == IBV_WR_RDMA_READ)
		for (unsigned int i = 0; i < b->n; i++)
			compare(b, t.back, i);
	for (unsigned int i = 0; atomic(b->kind) && i < b->n; i++) {
		uint64_t arg[2], want = word_before(b, i, arg), got;

		memcpy(&got, t.back + 8 * i, 8);
		if (got != want)
			fail("%s: number %u returned %#llx, not %#llx", b->kind->name, i,
			     (unsigned long long)got, (unsigned long long)want);
	}
}

/* ---------------------------------------------------------------- the side that answers */

static void post_recv(enum channel channel, unsigned int number, const uint8_t *at, uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)at, len, t.m.mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = number, .sg_list = &sge, .num_sge = len != 0 }, *bad;

	if (channel == SRQ)
		check(!ibv_post_srq_recv(t.srq, &wr, &bad));
	else
		check(!ibv_post_recv(t.qp[channel], &wr, &bad));
}

/* How many receives the kind takes here. */
static unsigned int receives(const struct batch *b)
{
	if (b->kind->op == IBV_WR_RDMA_READ || atomic(b->kind))
		return 0;
	return b->kind->op == IBV_WR_RDMA_WRITE ? 1 : b->n;
}

static void ready(const struct batch *b)
{
	for (unsigned int i = 0; i < receives(b); i++) {
		uint32_t grh = b->kind->channel == UD ? GRH : 0;

		if (is_write(b->kind))
			post_recv(b->kind->channel, i, t.in, 0);
		else
			post_recv(b->kind->channel, i, t.in + b->at[i] - grh, b->len[i] + grh);
	}
}

/* The address a datagram came from, as both kinds of header have it in the GRH's place. */
static void compare_grh(const struct batch *b, unsigned int number)
{
	const uint8_t *grh = t.in + b->at[number] - GRH;
	const uint8_t *gid = t.peer.gid.raw;
	bool v4 = gid[10] == 0xff && gid[11] == 0xff;

	if (v4 ? memcmp(grh + 20 + 12, gid + 12, 4) : memcmp(grh + 8, gid, 16))
		fail("%s: message %u has another sender in its GRH", b->kind->name, number);
}

static void answer(const struct batch *b)
{
	uint64_t arg[2], word;

	for (unsigned int i = 0; i < receives(b); i++) {
		struct ibv_wc wc = meet_wc(&t.m, IBV_WC_SUCCESS);
		uint32_t len = b->kind->op == IBV_WR_RDMA_WRITE ? 0 : b->len[i];

		if (b->kind->channel == UD)
			len += GRH;
		if (wc.wr_id != i || wc.byte_len != len ||
		    wc.qp_num != t.qp[b->kind->channel]->qp_num)
			fail("%s: receive %u of %u bytes on QP %#x, not %u of %u", b->kind->name,
			     (unsigned int)wc.wr_id, wc.byte_len, wc.qp_num, i, len);
		if (has_imm(b->kind) &&
		    (!(wc.wc_flags & IBV_WC_WITH_IMM) || be32toh(wc.imm_data) != IMM + i))
			fail("%s: flags %#x, immediate %#x", b->kind->name, wc.wc_flags,
			     be32toh(wc.imm_data));
		if (b->kind->channel == UD)
			compare_grh(b, i);
	}
	if (atomic(b->kind)) {
		memcpy(&word, t.in, 8);
		check(word == word_before(b, b->n, arg));
	}
	for (unsigned int i = 0; !atomic(b->kind) && b->kind->op != IBV_WR_RDMA_READ && i < b->n;
	     i++)
		compare(b, t.in, i);
}

/* ---------------------------------------------------------------- both */

static void run(const struct kind *kind, bool asks)
{
	const struct batch b = batch_of(kind);
	uint64_t arg[2], word = word_before(&b, 0, arg);

	memset(t.in, FILL, b.end);
	memset(t.back, FILL, b.end);
	for (unsigned int i = 0; !atomic(kind) && i < b.n; i++)
		for (uint32_t k = 0; k < b.len[i]; k++)
			t.out[b.at[i] + k] = pattern(i, k);
	if (atomic(kind))
		memcpy(t.in, &word, 8);
	if (!asks)
		ready(&b);
	meet_sync(&t.m);
	if (asks)
		ask(&b);
	else if (receives(&b))
		answer(&b);
	meet_sync(&t.m);
	if (!asks && !receives(&b))
		answer(&b);
	printf("%s asked by the %s: %u right\n", kind->name,
	       asks == t.m.server ? "server" : "client", b.n);
	fflush(stdout);
}

static void start(void)
{
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = MAX_MESSAGES, .max_sge = 1 } };
	const struct meet_path path = { .access = ACCESS,
					.reads = 4,
					.psn = t.m.server ? 0x7fff80 : 0xffffe0 }; /* wraps */
	const struct meet_path plain = { .access = ACCESS, .psn = 0xfffff0 };
	struct peer mine = { .gid = t.m.gid };
	struct ibv_ah_attr to = { .is_global = 1, .port_num = 1 };

	t.out = t.m.mem;
	t.in = t.out + AREA;
	t.back = t.in + AREA;
	t.srq = ibv_create_srq(t.m.pd, &shared);
	check(t.srq);
	t.qp[RC] = t.m.qp;
	t.qp[SRQ] = meet_qp(&t.m, IBV_QPT_RC, t.srq);
	t.qp[UC] = meet_qp(&t.m, IBV_QPT_UC, NULL);
	t.qp[UD] = meet_qp(&t.m, IBV_QPT_UD, NULL);
	meet_connect(&t.m, t.qp[RC], &path);
	meet_connect(&t.m, t.qp[SRQ], &path);
	meet_connect(&t.m, t.qp[UC], &plain);
	meet_ud(t.qp[UD]);
	mine.base = (uintptr_t)t.out;
	mine.rkey = t.m.mr->rkey;
	mine.ud_qpn = t.qp[UD]->qp_num;
	meet_swap(&t.m, &mine, &t.peer, sizeof(mine));
	to.grh = (struct ibv_global_route){ .dgid = t.peer.gid,
					    .sgid_index = t.m.gid_index,
					    .hop_limit = 64 };
	t.ah = ibv_create_ah(t.m.pd, &to);
	check(t.ah);
}

int main(int argc, char **argv)
{
	bool reliable;

	meet_open(&t.m, argc, argv, IBV_QPT_RC, ACCESS, 3 * AREA);
	reliable = !strcmp(t.m.option, "reliable");
	start();
	for (int turn = 0; turn < 2; turn++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			if (!reliable || kinds[k].channel < UC)
				run(&kinds[k], (turn == 0) != t.m.server);
	check(!ibv_destroy_ah(t.ah));
	for (int channel = SRQ; channel < CHANNELS; channel++)
		check(!ibv_destroy_qp(t.qp[channel]));
	check(!ibv_destroy_srq(t.srq));
	meet_close(&t.m);
	return 0;
}
