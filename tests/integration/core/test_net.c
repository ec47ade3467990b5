// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses on the wire: RC over IPv6 (link-local and global) and in VLANs, with traffic class and
 * priority; neighbours found by ARP and by neighbour discovery, in their VLAN; and what must not
 * arrive: another address, another VLAN, another family. An address that is taken away under
 * traffic (check 66).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "rdma.h"

#define VLAN(pcp, vid) (CAIRN_GID_VLAN | (uint32_t)(pcp) << 13 | (vid))

/* Entry `index` of both NICs: the address ends in the NIC's number. */
static void add_gid(struct rdma *r, unsigned int index, const uint8_t base[16], uint32_t vlan)
{
	for (unsigned int i = 0; i < 2; i++) {
		uint8_t gid[16];

		memcpy(gid, base, 16);
		gid[15] = (uint8_t)(i + 1);
		rdma_ok(r, cairn_set_gid(r->nic[i].dev, index, gid, vlan), "GID");
	}
}

static void drop_gid(struct rdma *r, unsigned int index)
{
	for (unsigned int i = 0; i < 2; i++)
		rdma_ok(r, cairn_set_gid(r->nic[i].dev, index, NULL, 0), "GID");
}

/* Each operation over that entry, several packets long. */
static void talk(struct rdma *r, unsigned int index, uint32_t tclass)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_READ,
						 CAIRN_WQE_OP_WRITE };
	struct rdma_buf *a = rdma_buf(r, 0, 16384, 3), *b = rdma_buf(r, 1, 16384, 1);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = index;
	cfg.traffic_class = tclass;
	qp = rdma_pair(r, 0, 1, &cfg);
	for (unsigned int i = 0; i < 3; i++) {
		struct rdma_wr wr = rdma_wr(ops[i], a, 5000 * i, b, 5000 * i, i == 2 ? 1 : 4500);

		rdma_do(qp, &wr);
	}
	rdma_destroy_qp(qp->peer);
	rdma_destroy_qp(qp);
}

static bool has(struct rdma *r, uint32_t feature)
{
	if (r->nic[0].caps.features & feature)
		return true;
	rdma_end(r);
	skip();
	return false;
}

static void ipv6(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_IPV6))
		return;
	talk(r, 0, 0);	  /* link-local */
	talk(r, 2, 0x6a); /* global */
	rdma_end(r);
}

static void vlans(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 5 };
	static const uint8_t v6[16] = { 0xfd, 5 };
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_VLAN | CAIRN_REG_FEATURES_IPV6))
		return;
	add_gid(r, 5, v4, VLAN(3, 5));
	add_gid(r, 6, v6, VLAN(7, 4094));
	talk(r, 5, 0);
	talk(r, 6, 0xb8);
	talk(r, 1, 0); /* without a tag as before */
	drop_gid(r, 5);
	drop_gid(r, 6);
	rdma_end(r);
}

static void resolve(struct rdma *r, unsigned int index)
{
	uint8_t gid[16];
	uint64_t mac;

	rdma_ok(r, cairn_query_gid(r->nic[1].dev, index, gid, NULL), "GID");
	rdma_ok(r, cairn_resolve(r->nic[0].dev, index, gid, &mac), "RESOLVE");
	rdma_assert(r, mac == sim_nic_mac(r->nic[1].sim));
}

/* Asked and answered by the firmware of two NICs. */
static void neighbours(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 6 };
	static const uint8_t v6[16] = { 0xfd, 6 };
	struct rdma *r = rdma_begin(NULL);
	uint64_t raw = rdma_counter(r, 1, CAIRN_COUNTER_RX_RAW_PACKETS);

	(void)state;
	resolve(r, 1);
	if (!has(r, CAIRN_REG_FEATURES_VLAN | CAIRN_REG_FEATURES_IPV6))
		return;
	resolve(r, 0);
	resolve(r, 2);
	add_gid(r, 5, v4, VLAN(3, 5));
	add_gid(r, 6, v6, VLAN(7, 6));
	resolve(r, 5);
	resolve(r, 6);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_RAW_PACKETS) > raw);
	drop_gid(r, 5);
	drop_gid(r, 6);
	rdma_end(r);
}

/* The same address in another VLAN is another one: nothing arrives, the sender gives up. */
static void wrong_vlan(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, [11] = 0xff, [12] = 10, [13] = 7 };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a, *b;
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	struct rdma_wr wr;
	uint8_t gid[16];
	uint64_t dropped;

	(void)state;
	if (!has(r, CAIRN_REG_FEATURES_VLAN))
		return;
	a = rdma_buf(r, 0, 64, 0);
	b = rdma_buf(r, 1, 64, 0);
	add_gid(r, 5, v4, VLAN(0, 5));
	rdma_ok(r, cairn_query_gid(r->nic[1].dev, 5, gid, NULL), "GID");
	rdma_ok(r, cairn_set_gid(r->nic[1].dev, 5, gid, VLAN(0, 6)), "GID");
	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = 5;
	cfg.timeout = 2;
	cfg.retry_cnt = 1;
	qp = rdma_pair(r, 0, 1, &cfg);
	dropped = rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 64);
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.no_data = true;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_RX_NOT_OURS) >= dropped + 2);
	rdma_destroy_qp(qp->peer);
	rdma_destroy_qp(qp);
	drop_gid(r, 5);
	rdma_end(r);
}

/* ---------------------------------------------------------------- taken away (check 66) */

#define OLD 0x0a080001u /* 10.8.0.1 */
#define NEW 0x0a090001u
#define DATAGRAMS 800u /* more than leave while a command is under way */

static uint32_t frames_of[3]; /* NIC 0's in IPv4, by source: OLD, NEW, any other */

static void sources(void *arg, unsigned int port, const struct sim_frame *f)
{
	uint32_t source;

	(void)arg;
	if (port != 0 || f->len < 34 || f->data[12] != 8 || f->data[13] != 0)
		return;
	memcpy(&source, f->data + 26, 4);
	source = ntohl(source);
	frames_of[source == OLD ? 0 : source == NEW ? 1 : 2]++;
}

static void watch(struct rdma *r)
{
	memset(frames_of, 0, sizeof(frames_of));
	sim_wire_set_tap(sim_wire(r->sim), sources, NULL);
}

static void address(uint8_t gid[16], uint32_t v4)
{
	memset(gid, 0, 16);
	gid[10] = gid[11] = 0xff;
	v4 = htonl(v4);
	memcpy(gid + 12, &v4, 4);
}

/* The entry of a connection stays as it is, in any state that has a path, and nothing is lost. */
static void in_use(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a = rdma_buf(r, 0, 20000, 0), *b = rdma_buf(r, 1, 20000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 20000);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	uint8_t gid[16], other[16];

	(void)state;
	address(gid, OLD);
	address(other, NEW);
	add_gid(r, 5, gid, 0);
	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = 5;
	qp = rdma_pair(r, 0, 1, &cfg);
	watch(r);
	for (unsigned int i = 0; i < 4; i++)
		rdma_post(qp, &wr);
	rdma_ring(qp);
	rdma_run(r, 500);
	rdma_assert(r, cairn_set_gid(r->nic[0].dev, 5, NULL, 0) == -EBUSY);
	rdma_assert(r, strstr(cairn_last_error(), "GID 5"));
	rdma_assert(r, cairn_set_gid(r->nic[0].dev, 5, other, 0) == -EBUSY);
	rdma_assert(r, cairn_set_gid(r->nic[0].dev, 5, gid, 0) == 0); /* no change */
	rdma_wait(r);
	rdma_assert(r, frames_of[0] && !frames_of[1] && !frames_of[2]);
	rdma_qp_error(qp);
	rdma_assert(r, cairn_set_gid(r->nic[0].dev, 5, NULL, 0) == -EBUSY);
	rdma_reset_qp(qp);
	rdma_ok(r, cairn_set_gid(r->nic[0].dev, 5, other, 0), "GID of a QP in RESET");
	sim_wire_set_tap(sim_wire(r->sim), NULL, NULL);
	rdma_destroy_qp(qp->peer);
	rdma_destroy_qp(qp);
	drop_gid(r, 5);
	rdma_end(r);
}

static struct rdma_qp *datagrams(struct rdma *r, struct rdma_cq *cq, struct rdma_wr *wr)
{
	struct rdma_buf *from = rdma_buf(r, 0, 1024, 0);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&cfg);
	cfg.type = CAIRN_QP_TYPE_UD;
	cfg.send_cq = cfg.recv_cq = cq;
	cfg.send_wr = DATAGRAMS;
	qp = rdma_create_qp(r, 0, &cfg);
	*wr = rdma_wr(CAIRN_WQE_OP_SEND, from, 0, NULL, 0, 1024);
	wr->av = (struct rdma_av){ .dmac = sim_nic_mac(r->nic[1].sim), .sport = 0xc000,
				   .sgid_index = 5, .dqpn = 9 };
	address(wr->av.dgid, OLD + 1);
	return qp;
}

/* Completions that are there, by outcome. */
static void outcomes(struct rdma_cq *cq, unsigned int count[3])
{
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(cq->cq))) {
		uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);

		rdma_assert(cq->r, status == CAIRN_WC_STATUS_SUCCESS ||
					   status == CAIRN_WC_STATUS_LOC_QP_OP_ERR ||
					   status == CAIRN_WC_STATUS_WR_FLUSH_ERR);
		count[status == CAIRN_WC_STATUS_SUCCESS	       ? 0
		      : status == CAIRN_WC_STATUS_LOC_QP_OP_ERR ? 1
								: 2]++;
		cairn_cq_consume(cq->cq);
	}
	cairn_cq_update(cq->cq);
}

/*
 * Datagrams are under way when their source goes, or becomes another: each leaves with an
 * address that the port has, or fails; behind the command none leaves with the old one.
 */
static void under_datagrams(struct rdma *r, const uint8_t *next)
{
	struct rdma_cq *cq = rdma_create_cq(r, 0, 2 * DATAGRAMS);
	unsigned int count[3] = { 0 };
	struct rdma_qp *qp;
	struct rdma_wr wr;
	uint8_t gid[16];
	uint32_t old;

	address(gid, OLD);
	add_gid(r, 5, gid, 0);
	qp = datagrams(r, cq, &wr);
	rdma_connect(qp, qp);
	watch(r);
	for (unsigned int i = 0; i < DATAGRAMS; i++)
		rdma_write_wqe(qp, &wr, 1024, 2);
	rdma_ring(qp);
	rdma_run(r, rng_below(&r->rng, 1500));
	rdma_ok(r, cairn_set_gid(r->nic[0].dev, 5, next, 0), "GID under datagrams");
	old = frames_of[0];
	rdma_run(r, 300000);
	outcomes(cq, count);
	print_message("# %u datagrams sent as before, %u anew, %u refused, %u flushed\n", old,
		      frames_of[1], count[1], count[2]);
	rdma_assert(r, frames_of[0] == old && !frames_of[2]);
	rdma_assert(r, count[0] + count[1] + count[2] == DATAGRAMS && count[1] <= 1);
	rdma_assert(r, frames_of[0] + frames_of[1] == count[0]);
	rdma_assert(r, next || !frames_of[1]);
	sim_wire_set_tap(sim_wire(r->sim), NULL, NULL);
	rdma_destroy_qp(qp);
	drop_gid(r, 5);
}

static void goes(void **state)
{
	uint8_t other[16];

	(void)state;
	address(other, NEW);
	for (unsigned int i = 0; i < 4; i++) {
		struct rdma *r = rdma_begin(NULL);

		if (!has(r, CAIRN_REG_FEATURES_UD))
			return;
		for (unsigned int k = 0; k < i; k++) /* another moment each time */
			rng_u64(&r->rng);
		under_datagrams(r, i & 1 ? other : NULL);
		rdma_end(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(neighbours), RDMA_TEST(ipv6),	  RDMA_TEST(vlans),
		RDMA_TEST(wrong_vlan), RDMA_TEST(in_use), RDMA_TEST(goes),
	};

	return RDMA_RUN("net", tests);
}
