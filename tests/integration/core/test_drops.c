// SPDX-License-Identifier: Apache-2.0
/*
 * Every counter of dropped packets (check 48): what shall be dropped is dropped, counted there and
 * nowhere else, not answered, and ends no QP.  hw.def says which counters there are: those whose
 * text has "ropped"; one that no row here provokes, nor a test named here, is a failure.
 */
#include <string.h>

#include "peer.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define PSN 0x123400u
#define QKEY 0x00012345u
#define ROOM 256u /* of a datagram's receive */

static struct peer *p;
static struct rdma_qp *rc, *uc, *ud, *fresh; /* fresh: in RESET */
#define CROWD 12u
static struct rdma_qp *crowd[CROWD];
static struct rdma_buf *buf;

/* ---------------------------------------------------------------- packets */

static struct model_packet write_to(const struct rdma_qp *qp, uint8_t opcode)
{
	struct model_packet packet = peer_packet(p, qp, opcode, PSN);

	peer_add_reth(&packet, buf->mr->va, buf->mr->key, 8);
	peer_add_payload(&packet, "01234567", 8);
	return packet;
}

static struct model_packet good(void)
{
	return write_to(rc, CAIRN_OPCODE_RC_WRITE_ONLY);
}

static struct model_packet datagram(uint32_t qkey, uint32_t len)
{
	static const uint8_t bytes[1024];
	struct model_packet packet = peer_packet(p, ud, CAIRN_OPCODE_UD_SEND_ONLY, PSN);
	uint8_t deth[CAIRN_DETH_BYTES] = { 0 };

	cairn_pkt_set(deth, CAIRN_DETH_QKEY, qkey);
	peer_add(&packet, deth, sizeof(deth));
	peer_add_payload(&packet, bytes, len);
	return packet;
}

static void send_frame(struct sim_frame *frame, bool err)
{
	assert_non_null(frame);
	frame->err = err;
	frame->t = sim_line_frame(&p->line, sim_now(p->r->sim), frame->len);
	sim_wire_send(sim_wire(p->r->sim), 1, frame, sim_now(p->r->sim));
}

static struct sim_frame *frame_of(const struct model_packet *packet, uint64_t dmac)
{
	struct frame_path path = { .dmac = dmac, .smac = peer_mac, .sport = 0xc123, .hops = 64 };

	return frame_build(packet, &path);
}

/* A number in the table that no QP has; another one each time. */
static uint32_t nobody(void)
{
	static uint32_t qpn = 40;

	do
		qpn++;
	while (qpn == rc->qp->qpn || qpn == uc->qp->qpn || qpn == ud->qp->qpn ||
	       qpn == fresh->qp->qpn);
	return qpn;
}

/* ---------------------------------------------------------------- what provokes each */

static void bad_fcs(void)
{
	struct model_packet packet = good();

	send_frame(frame_of(&packet, p->nic_mac), true);
}

/* One bit of a good frame; IPv4 is at byte 14, UDP at 34, BTH at 42. */
static void flip(uint32_t byte, uint32_t bit)
{
	struct model_packet packet = good();

	peer_send_damaged(p, &packet, 8 * byte + bit);
}

static void bad_length(void)
{
	flip(39, 2);
}

static void bad_ip(void)
{
	flip(14, 5);
}

static void bad_tver(void)
{
	flip(43, 0);
}

static void bad_icrc(void)
{
	flip(60, 0);
}

static void not_ours(void)
{
	struct model_packet packet = good();

	packet.dst[15] ^= 0x40;
	peer_send(p, &packet);
}

/* Longer than firmware takes. */
static void long_raw(void)
{
	static uint8_t bytes[3000] = { [12] = 0x08, [13] = 0x06 };

	memset(bytes, 0xff, 6);
	send_frame(sim_frame_new(bytes, sizeof(bytes)), false);
}

static void bad_qpn(void)
{
	struct model_packet packet = good();

	cairn_pkt_set(packet.bytes, CAIRN_BTH_DEST_QP, nobody());
	peer_send(p, &packet);
}

/* A notification to each of more QPs than the context cache has places for, all of one set. */
static void notify_all(void)
{
	for (unsigned int i = 0; i < CROWD; i++) {
		struct model_packet packet = peer_packet(p, crowd[i], CAIRN_OPCODE_CNP, 0);
		static const uint8_t zero[16];

		peer_add(&packet, zero, sizeof(zero));
		peer_send(p, &packet);
	}
	rdma_run(p->r, 1500);
}

/* The first record that has to be read cannot be. */
static void bad_record(void)
{
	const struct sim_pcie_fault_rule rule = { .fault = SIM_FAULT_UR,
						  .last = UINT64_MAX,
						  .count = 1 };
	uint64_t before = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_CTX_ERROR);

	sim_pcie_fault_add(sim_nic_pcie(p->r->nic[0].sim), &rule);
	for (unsigned int i = 0;
	     rdma_counter(p->r, 0, CAIRN_COUNTER_RX_CTX_ERROR) == before && i < 100; i++)
		notify_all();
}

/* Until the place of that record has been another's, and it was read again. */
static void records_are_good(void)
{
	for (unsigned int i = 0; i < CROWD; i++) {
		struct cairn_qp_attr attr;
		unsigned int tries = 0;

		while (cairn_query_qp(crowd[i]->qp, &attr)) {
			rdma_assert(p->r, ++tries < 100);
			notify_all();
		}
	}
}

static void bad_state(void)
{
	struct model_packet packet = write_to(fresh, CAIRN_OPCODE_RC_WRITE_ONLY);

	peer_send(p, &packet);
}

static void bad_address(void)
{
	struct model_packet packet = good();

	packet.src[15] ^= 1;
	peer_send(p, &packet);
}

static void bad_pkey(void)
{
	struct model_packet packet = good();

	cairn_pkt_set(packet.bytes, CAIRN_BTH_PKEY, 0x8123);
	peer_send(p, &packet);
}

static void bad_qkey(void)
{
	struct model_packet packet = datagram(QKEY + 1, 8);

	peer_send(p, &packet);
}

static void uc_sequence(void)
{
	struct model_packet packet = peer_packet(p, uc, CAIRN_OPCODE_UC_WRITE_LAST, PSN);

	peer_add_payload(&packet, "01234567", 8);
	peer_send(p, &packet);
}

static void ud_too_long(void)
{
	struct model_packet packet = datagram(QKEY, ROOM + 4);
	struct cairn_sge sge = rdma_sge(buf, 1024, 40 + ROOM);

	rdma_post_recv(ud, &sge, 1);
	rdma_ring_recv(ud);
	peer_send(p, &packet);
}

static void ud_no_receive(void)
{
	struct model_packet packet = datagram(QKEY, 8);

	peer_send(p, &packet);
}

static void nobodys_group(void)
{
	struct model_packet packet = datagram(QKEY, 8);

	cairn_pkt_set(packet.bytes, CAIRN_BTH_DEST_QP, 0xffffff);
	memcpy(packet.dst + 12, (const uint8_t[]){ 239, 1, 2, 3 }, 4);
	send_frame(frame_of(&packet, 0x01005e010203ull), false);
}

/* More than the pool has, while nothing can be written. */
static void full_pool(void)
{
	static const uint8_t bytes[1024];
	struct sim_pcie *pcie = sim_nic_pcie(p->r->nic[0].sim);

	sim_pcie_hold_credits(pcie, 1, sim_now(p->r->sim) + 200000);
	for (uint32_t i = 0; i < 64; i++) {
		struct model_packet packet =
			peer_packet(p, uc, CAIRN_OPCODE_UC_WRITE_ONLY, PSN + i);

		peer_add_reth(&packet, buf->mr->va, buf->mr->key, sizeof(bytes));
		peer_add_payload(&packet, bytes, sizeof(bytes));
		peer_send(p, &packet);
	}
	rdma_buf_forget(buf, 0, 1024);
}

static const struct drop {
	enum cairn_counter counter;
	void (*provoke)(void);
	bool some; /* more than one */
} drops[] = {
	{ CAIRN_COUNTER_RX_MAC_ERROR, bad_fcs, false },
	{ CAIRN_COUNTER_RX_LENGTH_ERROR, bad_length, false },
	{ CAIRN_COUNTER_RX_IP_ERROR, bad_ip, false },
	{ CAIRN_COUNTER_RX_OPCODE_ERROR, bad_tver, false },
	{ CAIRN_COUNTER_RX_ICRC_ERROR, bad_icrc, false },
	{ CAIRN_COUNTER_RX_RAW_DROP, long_raw, false },
	{ CAIRN_COUNTER_RX_NOT_OURS, not_ours, false },
	{ CAIRN_COUNTER_RX_BAD_QPN, bad_qpn, false },
	{ CAIRN_COUNTER_RX_CTX_ERROR, bad_record, false },
	{ CAIRN_COUNTER_RX_QP_STATE, bad_state, false },
	{ CAIRN_COUNTER_RX_BAD_ADDR, bad_address, false },
	{ CAIRN_COUNTER_RX_BAD_PKEY, bad_pkey, false },
	{ CAIRN_COUNTER_RX_BAD_QKEY, bad_qkey, false },
	{ CAIRN_COUNTER_RX_UC_DROP, uc_sequence, false },
	{ CAIRN_COUNTER_RX_NO_RECV, ud_no_receive, false },
	{ CAIRN_COUNTER_RX_UD_DROP, ud_too_long, false },
	{ CAIRN_COUNTER_RX_MULTICAST, nobodys_group, false },
	{ CAIRN_COUNTER_RX_NO_BUFFER, full_pool, true },
};

/* ---------------------------------------------------------------- all of them */

static void read_all(uint64_t out[LEN(drops)])
{
	for (size_t i = 0; i < LEN(drops); i++)
		out[i] = rdma_counter(p->r, 0, drops[i].counter);
}

static struct rdma_qp *another(enum cairn_qp_type type)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.type = type;
	cfg.qkey = QKEY;
	cfg.timeout = 0;
	return peer_connect(p, &cfg, PEER_QPN, PSN);
}

/* QPNs of which all digits together make 0: they have the eight places of one set. */
static void make_crowd(void)
{
	unsigned int n = 0;

	for (uint32_t i = 0; n < CROWD; i++) {
		struct rdma_qp_cfg cfg;
		uint32_t high = 1 + i / 16, low = i % 16, qpn = high << 8 | low << 4 | (high ^ low);

		if (qpn == rc->qp->qpn || qpn == uc->qp->qpn || qpn == ud->qp->qpn ||
		    qpn == fresh->qp->qpn)
			continue;
		rdma_qp_cfg_init(&cfg);
		cfg.qpn = qpn;
		cfg.timeout = 0;
		crowd[n++] = peer_connect(p, &cfg, PEER_QPN + 1 + i, PSN);
	}
}

static void check_one(size_t i)
{
	const struct drop *drop = &drops[i];
	uint64_t before[LEN(drops)], after[LEN(drops)];

	peer_forget(p);
	read_all(before);
	drop->provoke();
	rdma_run(p->r, 1200);
	rdma_settle(p->r, drop->some ? 60000 : 3000);
	sim_pcie_fault_clear(sim_nic_pcie(p->r->nic[0].sim));
	read_all(after);
	for (size_t k = 0; k < LEN(drops); k++) {
		uint64_t rise = after[k] - before[k];

		if (k == i ? !rise || (!drop->some && rise != 1) : rise && !drop->some)
			rdma_fail(p->r, "%s: %s rose by %llu", cairn_counter_names[drop->counter],
				  cairn_counter_names[drops[k].counter], (unsigned long long)rise);
	}
	if (p->total)
		rdma_fail(p->r, "%s: answered", cairn_counter_names[drop->counter]);
	rdma_assert(p->r, rdma_qp_state(rc) == CAIRN_QP_STATE_RTS);
	rdma_assert(p->r, rdma_qp_state(uc) == CAIRN_QP_STATE_RTS);
	rdma_assert(p->r, rdma_qp_state(ud) == CAIRN_QP_STATE_RTS);
}

static void each(void **state)
{
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	p = peer_begin();
	buf = rdma_buf(p->r, 0, 4096, 0);
	rc = another(CAIRN_QP_TYPE_RC);
	uc = another(CAIRN_QP_TYPE_UC);
	ud = another(CAIRN_QP_TYPE_UD);
	fresh = rdma_create_qp(p->r, 0, &cfg);
	make_crowd();
	for (size_t i = 0; i < LEN(drops); i++)
		check_one(i);
	records_are_good();
	peer_write(p, rc, PSN, buf->mr->va, buf->mr->key, "89abcdef", 8);
	rdma_run(p->r, 1200);
	rdma_settle(p->r, 20000);
	rdma_assert(p->r, p->n == 1 && !memcmp(buf->data, "89abcdef", 8));
	rdma_buf_forget(buf, 0, 4096);
	rdma_ledger_drop(ud);
	rdma_end(p->r);
}

/* Those that need more than a packet, and who provokes them. */
static const struct {
	unsigned int counter;
	const char *test;
} elsewhere[] = {
	{ CAIRN_COUNTER_RX_OVERRUN, "test_loopback: wire_without_gap" },
	{ CAIRN_COUNTER_RX_SHARE, "test_shares: behind_atomics" },
	{ CAIRN_COUNTER_NET_INVALID, "test_neighbours: echo_sources" },
	{ CAIRN_COUNTER_NET_BAD_SOURCE, "test_neighbours: echo_sources" },
};

/* Is every counter of hw.def that tells of dropped packets in the table? */
static void complete(void **state)
{
	size_t found = 0;

	(void)state;
	for (unsigned int number = 0; number < CAIRN_COUNTERS; number++) {
		bool known = false;

		if (!cairn_counter_docs[number] || !strstr(cairn_counter_docs[number], "ropped"))
			continue;
		for (size_t i = 0; i < LEN(drops); i++)
			known |= drops[i].counter == number;
		for (size_t i = 0; i < LEN(elsewhere); i++)
			known |= elsewhere[i].counter == number;
		if (!known)
			fail_msg("nothing provokes counter %u", number);
		found++;
	}
	assert_int_equal(found, LEN(drops) + LEN(elsewhere));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(complete), RDMA_TEST(each) };

	return RDMA_RUN("each drop counter", tests);
}
