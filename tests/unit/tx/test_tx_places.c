// SPDX-License-Identifier: Apache-2.0
/*
 * tx_places: positions in the frames of jobs of every opcode, IP version, tag and length, and of
 * raw frames, in order, with pauses on either side; three cycles each.
 */
#include "roce_frame.h"
#include "vtb_rec.h"

#define JOBS 2000u
#define MIN_FRAME 60u

/* What a job is to become. */
struct frame {
	bool ring, drop, raw, vlan, ipv6, data;
	uint32_t place, lo, hi, icrc, total, slot;
};

static struct vtb *tb;
static struct vtb_stream *in, *out;
static struct frame want[JOBS];
static struct in_at {
	unsigned int ring, drop, raw, raw_len, job, place;
} in_at;
static struct out_at {
	unsigned int ring, drop, raw, vlan, ipv6, place, lo, hi, icrc, total, data, slot;
} out_at;

static uint32_t header_len(const struct rec_tx_job *job)
{
	struct roce_op op = roce_op(job->opcode);

	return 14u + 4u * job->av.vlan + (job->av.ipv6 ? 40u : 20u) + 8u + 12u +
	       (uint32_t)roce_ext_len(op) + 16u * op.cnp;
}

static void send(struct frame *f)
{
	struct rec_tx_job job = { 0 };
	uint8_t meta[VTB_META_BYTES] = { 0 };
	uint32_t raw_len = (uint32_t)rng_below(&tb->rng, 2049), pay;

	job.opcode = roce_opcodes[rng_below(&tb->rng, roce_n_opcodes)];
	job.av.vlan = rng_percent(&tb->rng, 30);
	job.av.ipv6 = rng_percent(&tb->rng, 50);
	job.slot = (uint16_t)rng_below(&tb->rng, 1 << 12);
	job.pay_len = roce_op(job.opcode).payload
			      ? (uint16_t)rng_below(&tb->rng, rng_percent(&tb->rng, 50) ? 9 : 4097)
			      : 0;
	f->raw = rng_percent(&tb->rng, 20);
	f->ring = rng_percent(&tb->rng, 50);
	f->drop = rng_percent(&tb->rng, 20);
	f->vlan = job.av.vlan;
	f->ipv6 = job.av.ipv6;
	f->slot = job.slot & 127;
	f->place = (uint32_t)rng_below(&tb->rng, 1 << 21);
	pay = f->raw ? raw_len : job.pay_len;
	f->data = pay;
	f->lo = f->raw ? 0 : header_len(&job);
	f->hi = f->lo + pay;
	f->icrc = f->lo + (pay + 3) / 4 * 4;
	f->total = f->raw ? f->hi : f->icrc + 4;
	if (f->total < MIN_FRAME)
		f->total = MIN_FRAME;
	vtb_meta_put(meta, in_at.ring, 1, f->ring);
	vtb_meta_put(meta, in_at.drop, 1, f->drop);
	vtb_meta_put(meta, in_at.raw, 1, f->raw);
	vtb_meta_put(meta, in_at.raw_len, 12, raw_len);
	vtb_meta_put_tx_job(meta, in_at.job, &job);
	vtb_meta_put(meta, in_at.place, 21, f->place);
	vtb_send(in, NULL, 0, false, meta, (in_at.place + 21 + 7) / 8);
}

static void check(const struct frame *f)
{
	const uint8_t *meta = vtb_recv(out)->meta;

	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.ring, 1), f->ring);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.drop, 1), f->drop);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.raw, 1), f->raw);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.vlan, 1), f->vlan);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.ipv6, 1), f->ipv6);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.place, 21), f->place);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.lo, 13), f->lo);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.hi, 13), f->hi);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.icrc, 13), f->icrc);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.total, 13), f->total);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.data, 1), f->data);
	vtb_check_eq(tb, vtb_meta_bits(meta, out_at.slot, 7), f->slot);
}

static void set_up(void)
{
	tb = vtb_create();
	in = vtb_source(tb, "in");
	out = vtb_sink(tb, "out");
	vtb_stream_add(in, "ring", &in_at.ring);
	vtb_stream_add(in, "drop", &in_at.drop);
	vtb_stream_add(in, "raw", &in_at.raw);
	vtb_stream_add(in, "raw_len", &in_at.raw_len);
	vtb_stream_add(in, "job", &in_at.job);
	vtb_stream_add(in, "place", &in_at.place);
	vtb_stream_add(out, "ring", &out_at.ring);
	vtb_stream_add(out, "drop", &out_at.drop);
	vtb_stream_add(out, "raw", &out_at.raw);
	vtb_stream_add(out, "vlan", &out_at.vlan);
	vtb_stream_add(out, "ipv6", &out_at.ipv6);
	vtb_stream_add(out, "place", &out_at.place);
	vtb_stream_add(out, "lo", &out_at.lo);
	vtb_stream_add(out, "hi", &out_at.hi);
	vtb_stream_add(out, "icrc", &out_at.icrc);
	vtb_stream_add(out, "total", &out_at.total);
	vtb_stream_add(out, "data", &out_at.data);
	vtb_stream_add(out, "slot", &out_at.slot);
}

static void jobs(unsigned int idle, unsigned int busy)
{
	set_up();
	vtb_stream_pause(in, idle);
	vtb_stream_pause(out, busy);
	for (unsigned int i = 0; i < JOBS; i++)
		send(&want[i]);
	for (unsigned int i = 0; i < JOBS; i++) {
		vtb_run_until(tb, vtb_received(out), 400);
		check(&want[i]);
	}
	if (!idle && !busy)
		vtb_check_eq(tb, vtb_max_gap(out, 0, JOBS - 1), 3);
	vtb_run(tb, 5);
	vtb_check_eq(tb, vtb_received(out), 0);
	vtb_check_eq(tb, vtb_get(tb, "idle_o"), 1);
	vtb_destroy(tb);
}

static void no_pause(void **state)
{
	(void)state;
	jobs(0, 0);
}

static void pauses(void **state)
{
	(void)state;
	jobs(50, 50);
	jobs(0, 90);
	jobs(90, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_pause), cmocka_unit_test(pauses) };

	return cmocka_run_group_tests_name("tx_places", tests, NULL, NULL);
}
