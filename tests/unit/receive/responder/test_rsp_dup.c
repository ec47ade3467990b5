// SPDX-License-Identifier: Apache-2.0
/*
 * rsp_dup against slots in C: of the duplicates of a QP the oldest stays until it is taken, as it
 * was; one of another QP or generation takes the place of a slot; what is put while a visit has the
 * record in hand is not lost with its take, if it is older.
 */
#include "cairn_int.h"
#include "vtb_rec.h"

#define SLOTS 8u
#define SOON 40u /* cycles */

struct dup {
	bool there;
	struct rec_rsp_rec rec;
};

struct bench {
	struct vtb *tb;
	const struct sim_port *in, *out;
	struct dup of[SLOTS];
	struct rec_rsp_rec put;
	bool putting;
	/* the visit: of which slot, does it have one, and which, has an older one come since */
	unsigned int visit;
	struct rec_rsp_rec was;
	bool visiting, pending, touched, read, seen;
	uint64_t since, put_since;
	unsigned int takes, kept, skipped, held;
};

static bool same_qp(const struct rec_rsp_rec *a, const struct rec_rsp_rec *b)
{
	return a->id.qpn == b->id.qpn && a->id.gen == b->id.gen;
}

static bool is_older(uint64_t a, uint64_t b)
{
	return (a - b) >> 23 & 1;
}

static void offer(struct bench *b)
{
	struct rng *rng = &b->tb->rng;

	for (unsigned int at = 0; at < REC_RSP_REC_W; at++)
		vtb_put_bits(b->in, at, 1, rng_u64(rng) & 1);
	vtb_put_bits(b->in, REC_RSP_REC_ID_SLOT, rng_below(rng, SLOTS));
	vtb_put_bits(b->in, REC_RSP_REC_ID_QPN, 1 + rng_below(rng, 2));
	vtb_put_bits(b->in, REC_RSP_REC_ID_GEN, rng_percent(rng, 90) ? 5 : 6);
	vtb_put_bits(b->in, REC_RSP_REC_PSN, (0xfffff0 + rng_below(rng, 40)) & 0xffffff);
	vtb_put_bits(b->in, REC_RSP_REC_KIND, rng_percent(rng, 50) ? REC_RSK_DUPRD : REC_RSK_DUPAT);
	b->put = vtb_get_rsp_rec(b->in, 0);
	b->put_since = b->tb->cycle;
	b->putting = true;
}

/* It is in, or was forgotten. */
static void put_over(struct bench *b)
{
	unsigned int slot = b->put.id.slot;
	struct dup *d = &b->of[slot];

	if (d->there && same_qp(&d->rec, &b->put) && !is_older(b->put.psn, d->rec.psn)) {
		b->skipped++;
	} else {
		d->there = true;
		d->rec = b->put;
		b->kept++;
		/* (what comes in with the read is what is read) */
		if (slot == b->visit && b->since != b->tb->cycle - 1)
			b->touched = true;
	}
	b->putting = false;
}

static bool shows(const struct bench *b, const struct rec_rsp_rec *r)
{
	return vtb_get_bits(b->out, REC_RSP_DUP_PSN) == r->psn &&
	       vtb_get_bits(b->out, REC_RSP_DUP_QPN) == r->id.qpn &&
	       vtb_get_bits(b->out, REC_RSP_DUP_GEN) == r->id.gen &&
	       vtb_get_bits(b->out, REC_RSP_DUP_ATOMIC) == (r->kind == REC_RSK_DUPAT) &&
	       vtb_get_bits(b->out, REC_RSP_DUP_CAS) == r->atomic.cas &&
	       vtb_get_bits(b->out, REC_RSP_DUP_VA) == r->place.va &&
	       vtb_get_bits(b->out, REC_RSP_DUP_KEY) == r->place.key &&
	       vtb_get_bits(b->out, REC_RSP_DUP_LEN) == r->place.mlen;
}

/* A visit begins: rsp_tx reads. */
static void visit(struct bench *b)
{
	b->visit = (unsigned int)rng_below(&b->tb->rng, SLOTS);
	b->pending = b->of[b->visit].there;
	b->was = b->of[b->visit].rec;
	b->touched = b->seen = false;
	b->visiting = b->read = true;
	b->since = b->tb->cycle;
	vtb_set(b->tb, "rd_valid_i", 1);
	vtb_set(b->tb, "rd_slot_i", b->visit);
}

static void take(struct bench *b)
{
	struct dup *d = &b->of[b->visit];

	vtb_set(b->tb, "take_i", 1);
	b->takes++;
	b->held += b->touched;
	if (!b->touched)
		d->there = false;
	b->visiting = false;
}

static void in_visit(struct bench *b, unsigned int stay)
{
	struct vtb *tb = b->tb;
	struct dup *d = &b->of[b->visit];
	bool here = vtb_get(tb, "rd_here_o");

	if (b->read) { /* the cycle behind it */
		b->read = false;
		vtb_check_eq(tb, vtb_get(tb, "rd_pending_o"), b->pending);
		return;
	}
	if (!b->pending) {
		vtb_check(tb, !here);
		b->visiting = false;
		return;
	}
	vtb_check(tb, here || tb->cycle - b->since < SOON);
	if (here && !b->seen && !shows(b, &b->was))
		b->was = d->rec;
	b->seen |= here;
	if (here)
		vtb_check(tb, shows(b, &b->was));
	/* What is put just when another is taken may stay or not: its requester asks again. */
	if (rng_percent(&tb->rng, stay) || (b->putting && b->put.id.slot == b->visit))
		return;
	if (rng_percent(&tb->rng, 80))
		take(b);
	else
		b->visiting = false; /* a line is not on chip: it comes again */
}

static void cycle(struct bench *b, unsigned int puts, unsigned int visits, unsigned int stay)
{
	struct vtb *tb = b->tb;
	bool over;

	vtb_set(tb, "rd_valid_i", 0);
	vtb_set(tb, "take_i", 0);
	if (!b->putting && rng_percent(&tb->rng, puts))
		offer(b);
	vtb_set(tb, "put_valid_i", b->putting);
	vtb_eval(tb);
	if (b->visiting)
		in_visit(b, stay);
	else if (rng_percent(&tb->rng, visits))
		visit(b);
	vtb_eval(tb);
	over = b->putting && vtb_get(tb, "put_ready_o");
	vtb_check(tb, !b->putting || over || tb->cycle - b->put_since < 3 * SOON);
	vtb_tick(tb);
	if (over)
		put_over(b);
}

static void traffic(unsigned int puts, unsigned int visits, unsigned int stay)
{
	static struct bench b;

	b = (struct bench){ .tb = vtb_create(), .visit = SLOTS };
	b.in = vtb_port(b.tb, "put_rec_i");
	b.out = vtb_port(b.tb, "rd_dup_o");
	vtb_run(b.tb, 20);
	for (int i = 0; i < 30000; i++)
		cycle(&b, puts, visits, stay);
	vtb_check(b.tb, b.takes > 50 && b.kept > 50 && b.skipped > 20);
	vtb_destroy(b.tb);
}

static void idle(void **state)
{
	(void)state;
	traffic(10, 10, 80);
}

static void busy(void **state)
{
	(void)state;
	traffic(100, 20, 90);
	traffic(100, 100, 20);
	traffic(30, 5, 97);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_dup", tests, NULL, NULL);
}
