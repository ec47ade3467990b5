// SPDX-License-Identifier: Apache-2.0
/*
 * rx_qp_rules: the first rule that a packet breaks is its verdict.  The reference is a list of the
 * rules in the order of IBTA 9.6.1; a packet that suits its QP is made to break one, two or many.
 */
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "vtb_rec.h"

struct packet {
	uint8_t opcode;
	uint16_t pkey, check;
};

static const enum rec_rxq kinds[] = { REC_RXQ_NONE, REC_RXQ_RC, REC_RXQ_UC, REC_RXQ_UD };

/* ---- the reference ---- */

static bool is_cnp(const struct packet *p)
{
	return p->opcode == CAIRN_OPCODE_CNP;
}

/* Which type of QP an opcode of the table is for; of a notification any, of no QP none. */
static bool type(const struct packet *p, const struct rec_rx_qp *q)
{
	switch (q->kind) {
	case REC_RXQ_RC:
		return is_cnp(p) || p->opcode < 0x20;
	case REC_RXQ_UC:
		return is_cnp(p) || (p->opcode >= 0x20 && p->opcode < 0x40);
	case REC_RXQ_UD:
		return is_cnp(p) || (p->opcode >= 0x60 && p->opcode < 0x80);
	}
	return false;
}

static bool state_takes(const struct packet *p, const struct rec_rx_qp *q)
{
	return cairn_opcode_table[p->opcode].flags & CAIRN_OPF_REQ ? q->req : q->rsp;
}

static bool address(const struct packet *p, const struct rec_rx_qp *q)
{
	return q->kind == REC_RXQ_UD || p->check == q->check;
}

static bool partition(const struct packet *p, const struct rec_rx_qp *q)
{
	bool both_limited = p->pkey < 0x8000 && q->pkey < 0x8000;

	return p->pkey % 0x8000 == q->pkey % 0x8000 && !both_limited;
}

static bool queue_key(const struct packet *p, const struct rec_rx_qp *q)
{
	return q->kind != REC_RXQ_UD || is_cnp(p) || p->check == q->check;
}

static const struct rule {
	bool (*kept)(const struct packet *p, const struct rec_rx_qp *q);
	enum { TYPE, STATE, ADDRESS, PARTITION, QUEUE_KEY } number;
	unsigned int verdict;
} rules[] = {
	{ type, TYPE, CAIRN_COUNTER_RX_BAD_QPN },
	{ state_takes, STATE, CAIRN_COUNTER_RX_QP_STATE },
	{ address, ADDRESS, CAIRN_COUNTER_RX_BAD_ADDR },
	{ partition, PARTITION, CAIRN_COUNTER_RX_BAD_PKEY },
	{ queue_key, QUEUE_KEY, CAIRN_COUNTER_RX_BAD_QKEY },
};
#define RULES (sizeof(rules) / sizeof(rules[0]))

static unsigned int by_rules(const struct packet *p, const struct rec_rx_qp *q)
{
	for (unsigned int i = 0; i < RULES; i++)
		if (!rules[i].kept(p, q))
			return rules[i].verdict;
	return CAIRN_COUNTER_RX_ROCE_PACKETS;
}

/* ---- the module ---- */

/* All that the rules do not speak of is random. */
static unsigned int verdict(struct vtb *tb, const struct packet *p, const struct rec_rx_qp *q)
{
	const struct sim_port *port = vtb_port(tb, "meta_i");
	uint8_t noise[(REC_RX_META_W + 7) / 8];

	rng_bytes(&tb->rng, noise, sizeof(noise));
	vtb_put_record(port, 0, noise, REC_RX_META_W);
	vtb_put_bits(port, REC_RX_META_OPCODE, p->opcode);
	vtb_put_bits(port, REC_RX_META_OPFLAGS, cairn_opcode_table[p->opcode].flags);
	vtb_put_bits(port, REC_RX_META_PKEY, p->pkey);
	vtb_set(tb, "check_i", p->check);
	vtb_put_rx_qp(vtb_port(tb, "qp_i"), 0, q);
	vtb_eval(tb);
	return (unsigned int)vtb_get(tb, "verdict_o");
}

static void compare(struct vtb *tb, const struct packet *p, const struct rec_rx_qp *q)
{
	unsigned int got = verdict(tb, p, q), want = by_rules(p, q);

	if (got != want)
		vtb_fail(tb,
			 "opcode %02x P_Key %04x check %04x at a QP of kind %u, req %u, rsp %u, "
			 "P_Key %04x, check %04x: %s, expected %s",
			 p->opcode, p->pkey, p->check, q->kind, q->req, q->rsp, q->pkey, q->check,
			 cairn_counter_names[got], cairn_counter_names[want]);
}

/* A defined opcode, of requests and of responses where the transport has both. */
static uint8_t opcode_for(struct rng *rng, enum rec_rxq kind)
{
	uint8_t opcode;

	do {
		opcode = kind == REC_RXQ_RC   ? 0
			 : kind == REC_RXQ_UC ? CAIRN_TRANSPORT_UC << 5
					      : CAIRN_TRANSPORT_UD << 5;
		opcode |= (uint8_t)rng_below(rng, 32);
	} while (!cairn_opcode_table[opcode].name);
	return opcode;
}

static void suited(struct rng *rng, enum rec_rxq kind, struct packet *p, struct rec_rx_qp *q)
{
	bool req;

	p->opcode = opcode_for(rng, kind);
	p->pkey = (uint16_t)rng_u64(rng);
	p->check = (uint16_t)rng_u64(rng);
	req = cairn_opcode_table[p->opcode].flags & CAIRN_OPF_REQ;
	q->kind = kind;
	q->req = req;
	q->rsp = !req;
	q->pkey = p->pkey >> 15 ? (uint16_t)(p->pkey ^ rng_below(rng, 2) << 15) : p->pkey | 0x8000;
	q->check = p->check;
}

static void break_rule(struct rng *rng, unsigned int rule, struct packet *p, struct rec_rx_qp *q)
{
	uint8_t rsp;

	switch (rule) {
	case TYPE:
		do
			q->kind = (uint8_t)rng_below(rng, 4);
		while (type(p, q));
		break;
	case STATE:
		rsp = q->rsp;
		q->rsp = q->req;
		q->req = rsp;
		break;
	case PARTITION:
		if (rng_percent(rng, 50))
			p->pkey ^= (uint16_t)(1u << rng_below(rng, 15));
		else
			p->pkey = q->pkey = p->pkey & 0x7fff;
		break;
	default: /* the address or the Q_Key: one bit of the word */
		p->check ^= (uint16_t)(1u << rng_below(rng, 16));
	}
}

/* A QP of another kind would look at the word in another way. */
static bool breaks(unsigned int rule, enum rec_rxq kind)
{
	return kind == REC_RXQ_UD ? rule != ADDRESS : rule != QUEUE_KEY;
}

/* ---- tests ---- */

static void each_rule_alone(void **state)
{
	struct vtb *tb = vtb_create();
	struct packet p;
	struct rec_rx_qp q;

	(void)state;
	for (unsigned int round = 0; round < 200; round++)
		for (enum rec_rxq kind = REC_RXQ_RC; kind <= REC_RXQ_UD; kind++) {
			suited(&tb->rng, kind, &p, &q);
			vtb_check_eq(tb, verdict(tb, &p, &q), CAIRN_COUNTER_RX_ROCE_PACKETS);
			for (unsigned int rule = 0; rule < RULES; rule++) {
				if (!breaks(rule, kind))
					continue;
				suited(&tb->rng, kind, &p, &q);
				break_rule(&tb->rng, rule, &p, &q);
				vtb_check_eq(tb, verdict(tb, &p, &q), rules[rule].verdict);
			}
		}
	vtb_destroy(tb);
}

/* Of two broken rules the first one decides. The type says what the others are: type_first. */
static void order(void **state)
{
	struct vtb *tb = vtb_create();
	struct packet p;
	struct rec_rx_qp q;

	(void)state;
	for (unsigned int round = 0; round < 200; round++)
		for (enum rec_rxq kind = REC_RXQ_RC; kind <= REC_RXQ_UD; kind++)
			for (unsigned int first = STATE; first < RULES; first++)
				for (unsigned int second = first + 1; second < RULES; second++) {
					if (!breaks(first, kind) || !breaks(second, kind))
						continue;
					suited(&tb->rng, kind, &p, &q);
					break_rule(&tb->rng, first, &p, &q);
					break_rule(&tb->rng, second, &p, &q);
					vtb_check_eq(tb, verdict(tb, &p, &q), rules[first].verdict);
				}
	vtb_destroy(tb);
}

/* No QP, or one of another type, whatever else is wrong or right. */
static void type_first(void **state)
{
	struct vtb *tb = vtb_create();
	struct packet p;
	struct rec_rx_qp q;

	(void)state;
	for (unsigned int round = 0; round < 500; round++)
		for (enum rec_rxq kind = REC_RXQ_RC; kind <= REC_RXQ_UD; kind++) {
			suited(&tb->rng, kind, &p, &q);
			for (unsigned int rule = STATE; rule < RULES; rule++)
				if (rng_percent(&tb->rng, 30))
					break_rule(&tb->rng, rule, &p, &q);
			break_rule(&tb->rng, TYPE, &p, &q);
			vtb_check_eq(tb, verdict(tb, &p, &q), CAIRN_COUNTER_RX_BAD_QPN);
		}
	vtb_destroy(tb);
}

/* For a QP of any type that takes responses, of the peer's address; no Q_Key. */
static void notifications(void **state)
{
	struct packet p = { CAIRN_OPCODE_CNP, 0xffff, 0x1234 };
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct rec_rx_qp q = { kinds[i], 0, 1, 0xffff, 0x1234 };
		bool none = kinds[i] == REC_RXQ_NONE, ud = kinds[i] == REC_RXQ_UD;

		vtb_check_eq(tb, verdict(tb, &p, &q),
			     none ? CAIRN_COUNTER_RX_BAD_QPN : CAIRN_COUNTER_RX_ROCE_PACKETS);
		q.check = 0x4321;
		vtb_check_eq(tb, verdict(tb, &p, &q),
			     none ? CAIRN_COUNTER_RX_BAD_QPN
			     : ud ? CAIRN_COUNTER_RX_ROCE_PACKETS
				  : CAIRN_COUNTER_RX_BAD_ADDR);
		q.check = 0x1234;
		q.pkey = 0x7ffe;
		vtb_check_eq(tb, verdict(tb, &p, &q),
			     none ? CAIRN_COUNTER_RX_BAD_QPN : CAIRN_COUNTER_RX_BAD_PKEY);
		q.req = 1;
		q.rsp = 0;
		vtb_check_eq(tb, verdict(tb, &p, &q),
			     none ? CAIRN_COUNTER_RX_BAD_QPN : CAIRN_COUNTER_RX_QP_STATE);
	}
	vtb_destroy(tb);
}

/* Every opcode with every QP, word right and wrong, P_Keys of every membership. */
static void all_opcodes(void **state)
{
	static const uint16_t pkeys[] = { 0x7fff, 0xffff, 0x0001, 0x8001 };
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < 256 * 4 * 4 * 2 * 4 * 4; i++) {
		struct packet p = { (uint8_t)i, pkeys[i >> 13 & 3], 0x5555 };
		struct rec_rx_qp q = { kinds[i >> 8 & 3], i >> 10 & 1, i >> 11 & 1,
				       pkeys[i >> 15 & 3], (uint16_t)(0x5555 << (i >> 12 & 1)) };

		compare(tb, &p, &q);
	}
	vtb_destroy(tb);
}

static void random_packets(void **state)
{
	struct vtb *tb = vtb_create();
	struct packet p;
	struct rec_rx_qp q;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		suited(&tb->rng, kinds[1 + rng_below(&tb->rng, 3)], &p, &q);
		if (rng_percent(&tb->rng, 10))
			p.opcode = CAIRN_OPCODE_CNP;
		for (unsigned int rule = TYPE; rule < RULES; rule++)
			if (rng_percent(&tb->rng, 20))
				break_rule(&tb->rng, rule, &p, &q);
		if (rng_percent(&tb->rng, 20))
			q.req = q.rsp = rng_percent(&tb->rng, 50);
		compare(tb, &p, &q);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_alone), cmocka_unit_test(order),
		cmocka_unit_test(type_first),	   cmocka_unit_test(notifications),
		cmocka_unit_test(all_opcodes),	   cmocka_unit_test(random_packets),
	};

	return cmocka_run_group_tests_name("rx_qp_rules", tests, NULL, NULL);
}
