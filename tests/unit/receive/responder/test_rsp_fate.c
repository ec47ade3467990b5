// SPDX-License-Identifier: Apache-2.0
/* rsp_fate against the rules of its head, for packets of all kinds with all answers. */
#include "cairn_hw.h"
#include "cairn_int.h"
#include "cairn_pkt.h"
#include "vtb_rec.h"

struct input {
	struct rec_rsp_rec r;
	bool more, lost, empty, err, odd, inv_err, inv_bad;
	unsigned int rq_here, vendor, inv_vendor;
};

static uint8_t nak(unsigned int code)
{
	return (uint8_t)(CAIRN_AETH_CLASS_NAK << 5 | code);
}

static void refuse(struct rec_rsp_rec *o, unsigned int code, unsigned int status,
		   unsigned int etype)
{
	o->verdict.syn = nak(code);
	o->verdict.status = (uint8_t)status;
	o->verdict.etype = (uint8_t)etype;
}

/* The memory of a packet has failed, or its key was not taken away. */
static void faulty(const struct input *i, struct rec_rsp_rec *o)
{
	bool here = i->vendor == CAIRN_VENDOR_ERR_DMA_READ ||
		    i->vendor == CAIRN_VENDOR_ERR_CTX_CHECK;

	o->kind = REC_RSK_ERR;
	o->verdict.vendor = (uint8_t)(i->inv_err ? i->inv_vendor : i->vendor);
	if (i->inv_err) {
		refuse(o, CAIRN_AETH_NAK_ACCESS, CAIRN_WC_STATUS_REM_INV_REQ_ERR,
		       CAIRN_EQE_TYPE_QP_ACCESS_ERR);
	} else if (i->r.kind == REC_RSK_SEND) {
		refuse(o, CAIRN_AETH_NAK_OP, CAIRN_WC_STATUS_LOC_PROT_ERR, 0);
	} else {
		refuse(o, here ? CAIRN_AETH_NAK_OP : CAIRN_AETH_NAK_ACCESS,
		       i->r.srq.valid ? CAIRN_WC_STATUS_WR_FLUSH_ERR :
					CAIRN_WC_STATUS_LOC_ACCESS_ERR,
		       here ? CAIRN_EQE_TYPE_QP_FATAL : CAIRN_EQE_TYPE_QP_ACCESS_ERR);
		o->take = i->r.srq.valid && i->r.take;
	}
}

static struct rec_rsp_rec expected(const struct input *i)
{
	struct rec_rsp_rec o = i->r;
	bool silent = i->r.silent, ud = i->r.ud.valid;

	o.more = i->more;
	if (silent)
		o.rq.index = (uint16_t)i->rq_here;
	if (i->lost) {
		o.kind = REC_RSK_DROP;
		o.verdict.vendor = i->empty ? CAIRN_VENDOR_ERR_RNR : CAIRN_VENDOR_ERR_REQ_OPCODE;
		return o;
	}
	if (i->err && silent && !ud) {
		o.kind = REC_RSK_DROP;
		o.verdict.vendor = (uint8_t)i->vendor;
		return o;
	}
	if ((i->err || i->inv_bad) && i->r.kind != REC_RSK_ERR) {
		faulty(i, &o);
		return o;
	}
	if (i->r.kind == REC_RSK_ATOMIC && (i->r.place.va % 8 || i->odd)) {
		o.kind = REC_RSK_ERR;
		o.verdict.vendor = CAIRN_VENDOR_ERR_REQ_ALIGN;
		return o;
	}
	/* A datagram that is too long for its receive is dropped, another fault of that is told. */
	if (silent && i->r.kind == REC_RSK_ERR &&
	    (!ud || i->r.verdict.vendor == CAIRN_VENDOR_ERR_RQ_LENGTH))
		o.kind = REC_RSK_DROP;
	return o;
}

static void packets(unsigned int faults)
{
	struct vtb *tb = vtb_create();
	const struct sim_port *in = vtb_port(tb, "rec_i"), *out = vtb_port(tb, "rec_o");
	struct rng *rng = &tb->rng;

	for (int n = 0; n < 30000; n++) {
		static const unsigned int reasons[] = { CAIRN_VENDOR_ERR_DMA_READ,
							CAIRN_VENDOR_ERR_CTX_CHECK,
							CAIRN_VENDOR_ERR_RQ_LENGTH,
							CAIRN_VENDOR_ERR_REQ_RIGHTS };
		struct rec_rsp_rec want;
		struct input i;

		for (unsigned int at = 0; at < REC_RSP_REC_W; at++)
			vtb_put_bits(in, at, 1, rng_u64(rng) & 1);
		i = (struct input){ .r = vtb_get_rsp_rec(in, 0),
				    .more = rng_percent(rng, 50),
				    .lost = rng_percent(rng, faults / 2),
				    .empty = rng_percent(rng, 50),
				    .err = rng_percent(rng, faults),
				    .odd = rng_percent(rng, faults),
				    .inv_err = rng_percent(rng, faults),
				    .inv_bad = rng_percent(rng, faults / 2),
				    .rq_here = (unsigned int)rng_below(rng, 1u << 16),
				    .vendor = reasons[rng_below(rng, 4)],
				    .inv_vendor = reasons[rng_below(rng, 4)] };
		i.r.kind = (uint8_t)rng_below(rng, REC_RSK_ACK + 1);
		i.r.verdict.vendor = (uint8_t)reasons[rng_below(rng, 4)];
		if (rng_percent(rng, 50))
			i.r.place.va &= ~7ull;
		vtb_put_rsp_rec(in, 0, &i.r);
		vtb_set(tb, "more_i", i.more);
		vtb_set(tb, "rq_here_i", i.rq_here);
		vtb_set(tb, "lost_i", i.lost);
		vtb_set(tb, "empty_i", i.empty);
		vtb_set(tb, "err_i", i.err);
		vtb_set(tb, "vendor_i", i.vendor);
		vtb_set(tb, "odd_i", i.odd);
		vtb_set(tb, "inv_err_i", i.inv_err);
		vtb_set(tb, "inv_bad_i", i.inv_bad);
		vtb_set(tb, "inv_vendor_i", i.inv_vendor);
		vtb_eval(tb);
		want = expected(&i);
#define SAME(name, path, at, width) vtb_check_eq(tb, vtb_get_bits(out, at, width), want.path);
		REC_RSP_REC_FIELDS(SAME)
	}
	vtb_destroy(tb);
}

static void right(void **state)
{
	(void)state;
	packets(0);
}

static void wrong(void **state)
{
	(void)state;
	packets(40);
	packets(10);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(right), cmocka_unit_test(wrong) };

	return cmocka_run_group_tests_name("rsp_fate", tests, NULL, NULL);
}
