// SPDX-License-Identifier: Apache-2.0
/*
 * tx_path (tx_payload with tx_ring, tx_fetch, tx_fill, tx_payload_ram; tx_check; tx_arbiter;
 * tx_builder with tx_headers, tx_hdr_len, tx_icrc): jobs become the frames an independent builder
 * makes, for all opcodes, address families, lengths and segment cuts; failed jobs; order,
 * shares and rates.
 */
#include <string.h>

#include "tx_env.h"

static void random_jobs(unsigned int n, size_t max)
{
	for (unsigned int i = 0; i < n; i++) {
		unsigned int kind = (unsigned int)rng_below(&env.tb->rng, TX_KIND_RAW);
		uint8_t op = env_opcode(kind);

		if (kind >= TX_KIND_ACK && rng_percent(&env.tb->rng, 60))
			kind = TX_KIND_REQ, op = env_opcode(kind);
		env_send(env_job(kind, op, env_pay_len(op, max)));
		vtb_run_until(env.tb, vtb_pending(env.job[0]) < 3 && vtb_pending(env.job[1]) < 3,
			      40000);
		env_check();
	}
}

static void all_opcodes(void **state)
{
	(void)state;
	env_open(0);
	/* every opcode, header form and length modulo the widest beat */
	for (size_t o = 0; o < roce_n_opcodes; o++) {
		for (unsigned int form = 0; form < 4; form++) {
			uint8_t op = roce_opcodes[o];
			unsigned int kind = op == 0x11		       ? TX_KIND_ACK
					    : op == 0x81	       ? TX_KIND_CNP
					    : op >= 0x0d && op <= 0x12 ? TX_KIND_RSP
								       : TX_KIND_REQ;

			for (size_t n = form; n < (roce_op(op).payload ? 68 : form + 1); n += 4) {
				struct tx_job *job = env_job(kind, op, roce_op(op).payload ? n : 0);

				job->f.ipv6 = form & 1;
				job->f.vlan = form >> 1;
				env_send(job);
			}
			vtb_run_until(env.tb, vtb_pending(env.job[kind]) < 2, 40000);
			env_check();
		}
	}
	env_end();
}

static void mixes(void **state)
{
	(void)state;
	env_open(0);
	random_jobs(400, 100);
	random_jobs(60, 4096);
	env_end();
	env_open(40);
	env.idle_percent = 40;
	vtb_stream_pause(env.rd, 30);
	vtb_stream_pause(env.inl, 30);
	random_jobs(300, 600);
	env_end();
}

/* Full-size packets at every header length fill the rings to the last word, again and again. */
static void ring_wrap(void **state)
{
	(void)state;
	env_open(0);
	for (int i = 0; i < (env.beat == 64 ? 40 : 14); i++) {
		env_send(env_job(TX_KIND_REQ, env_opcode(TX_KIND_REQ), 0));
		env_send(env_job(TX_KIND_REQ, 0x0b, 4096 - rng_below(&env.tb->rng, 3)));
		env_send(env_job(TX_KIND_RSP, 0x0d, 4096));
		vtb_run_until(env.tb, vtb_pending(env.job[0]) < 3 && vtb_pending(env.job[1]) < 3,
			      40000);
		env_check();
	}
	env_end();
}

/* IPv4 checksums whose second addition of carries makes a carry again. */
static void checksum_carry(void **state)
{
	(void)state;
	env_open(0);
	env_send(env_job(TX_KIND_ACK, 0x11, 0)); /* shows the next identification, if it is IPv4 */
	for (int i = 0; i < 60; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x0a, 8);
		uint8_t *dst = job->f.dgid + 12;
		uint32_t sum;

		env_drain(4000);
		job->f.ipv6 = false;
		job->f.vlan = false;
		dst[2] = dst[3] = 0;
		sum = 0x4500u + job->f.tclass + 20 + 8 + 12 + 16 + 8 + 4 + 0x4000u;
		sum += (uint32_t)(env.last_ip_id + 1) & 0xffff;
		sum += (uint32_t)job->f.hop << 8 | 17;
		sum += (uint32_t)(job->f.sgid[12] << 8 | job->f.sgid[13]);
		sum += (uint32_t)(job->f.sgid[14] << 8 | job->f.sgid[15]);
		sum += (uint32_t)(dst[0] << 8 | dst[1]);
		sum = (0xfffeu + (uint32_t)rng_below(&env.tb->rng, 2) - sum) & 0xffff;
		dst[2] = (uint8_t)(sum >> 8);
		dst[3] = (uint8_t)sum;
		env_send(job);
	}
	env_end();
}

static void counters(void **state)
{
	(void)state;
	env_open(10);
	random_jobs(300, 40);
	env_drain(100000);
	vtb_check_eq(env.tb, env.cnt_cnp, env.sent[TX_KIND_CNP]);
	vtb_check(env.tb,
		  env.cnt_ack > 0 && env.cnt_ack < env.sent[TX_KIND_ACK]); /* some are NAKs */
	vtb_check(env.tb, env.cnt_read_rsp > 0 && env.cnt_atomic_rsp > 0);
	vtb_check_eq(env.tb, env.cnt_read_rsp + env.cnt_atomic_rsp, env.sent[TX_KIND_RSP]);
	vtb_check(env.tb, env.cnt_retx > 0 && env.cnt_retx < env.sent[TX_KIND_REQ]);
	vtb_check_eq(env.tb, env.cnt_stale, 0);
	env_end();
}

static void raw_frames(void **state)
{
	static const size_t lens[] = { 14, 42, 59, 60, 61, 63, 64, 65, 128, 1514, 2048 };

	(void)state;
	env_open(20);
	for (size_t k = 0; k < sizeof(lens) / sizeof(*lens); k++) {
		env_send_raw(lens[k]);
		for (int i = 0; i < 4; i++)
			env_send(env_job(TX_KIND_REQ, 0x0a, env_pay_len(0x0a, 200)));
		vtb_run_until(env.tb, (vtb_eval(env.tb), vtb_get(env.tb, "raw_ready_o")), 2000);
		vtb_tick(env.tb);
		vtb_set(env.tb, "raw_valid_i", 0);
		vtb_run_until(env.tb, vtb_get(env.tb, "raw_rd_done_o"), 2000);
		vtb_tick(env.tb);
		env_check();
	}
	env_end();
}

static void check_error(unsigned int ring, const struct tx_job *job)
{
	struct rec_tx_lost lost;

	vtb_run_until(env.tb, vtb_received(env.err[ring]), 4000);
	lost = vtb_meta_get_tx_lost(vtb_recv(env.err[ring])->meta, 0);
	vtb_check_eq(env.tb, lost.qpn, job->qpn);
	vtb_check_eq(env.tb, lost.gen, job->gen);
	vtb_check_eq(env.tb, lost.psn, job->f.psn);
}

static struct tx_job *write_job(uint32_t slot, size_t len)
{
	struct tx_job *job = env_job(TX_KIND_REQ, 0x0a, len);

	job->slot = slot;
	job->qpn = job->f.src_qp = env.slot[slot].qpn;
	job->send_epoch = env.slot[slot].epoch;
	return job;
}

static void failed_reads(void **state)
{
	struct tx_job *bad, *job, copy;

	(void)state;
	env_open(0);
	for (uint32_t round = 0; round < 12; round++) {
		uint32_t slot = round % 7;

		env_send(write_job(slot, 100));
		bad = write_job(slot, 700);
		bad->inl = 0;
		bad->fail = 100;
		env_send(bad);
		copy = *bad;
		/* the same QP later in the same epoch: dropped; others: sent */
		for (int i = 0; i < 6; i++) {
			job = write_job(i % 2 ? slot : slot + 8, rng_below(&env.tb->rng, 300));
			job->dropped = i % 2;
			job->fail = i == 3 ? 100 : 0; /* not reported again */
			job->inl = i == 3 ? 0 : job->inl;
			env_send(job);
		}
		vtb_stream_pause(env.err[0], 80);
		check_error(0, &copy);
		vtb_run(env.tb, 400);
		vtb_check_eq(env.tb, vtb_received(env.err[0]), 0);
		/* next epoch */
		env.slot[slot].epoch++;
		env_send(write_job(slot, 200));
		bad = env_job(TX_KIND_RSP, 0x0e, 256);
		bad->fail = 100;
		env_send(bad);
		copy = *bad;
		check_error(1, &copy);
		env_drain(100000);
		/* told and gone: the QP may send again */
		job = env_job(TX_KIND_RSP, 0x0e, 256);
		job->qpn = job->f.src_qp = copy.qpn;
		env_send(job);
		env_drain(100000);
	}
	vtb_check(env.tb, env.cnt_stale >= 12 * 3);
	env_end();
}

/*
 * An unreliable QP is never stale; after an error it goes on in another epoch; many of them later
 * the first one comes again.
 */
static void unreliable_failures(void **state)
{
	static const uint32_t epochs[] = { 77, 77, 78, 78, 77 };
	struct tx_job *bad, *job, copy;

	(void)state;
	env_open(0);
	for (uint32_t round = 0; round < 6; round++) {
		for (uint32_t i = 0; i < 5; i++) {
			job = env_job(TX_KIND_REQ, i & 1 ? 0x24 : 0x64, 60);
			job->slot = round;
			job->qpn = job->f.src_qp = env.slot[round].qpn;
			job->send_epoch = epochs[i];
			job->dropped = i == 1;
			bad = job; /* if it is the first */
			bad->inl = i ? bad->inl : 0;
			bad->fail = i ? 0 : 100;
			copy = *bad;
			env_send(bad);
			if (!i)
				check_error(0, &copy);
		}
		env_drain(100000);
	}
	vtb_check_eq(env.tb, env.sent[TX_KIND_REQ], 18);
	env_end();
}

/* Datagrams of many QPs in one ring, each of which fails: nothing behind it is sent. */
static void many_failures(void **state)
{
	unsigned int n;

	(void)state;
	env_open(0);
	n = env.beat >= 64 ? 24 : 8;
	vtb_stream_pause(env.mac, 100);
	for (unsigned int i = 0; i < 2 * n; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x64, 60);

		job->slot = i % n;
		job->qpn = job->f.src_qp = env.slot[i % n].qpn;
		job->send_epoch = 5;
		job->inl = i < n ? 0 : job->inl;
		job->fail = i < n ? 100 : 0;
		job->dropped = true;
		env_send(job);
	}
	vtb_run(env.tb, 4000);
	vtb_stream_pause(env.mac, 0);
	env_drain(100000);
	vtb_check_eq(env.tb, env.sent[TX_KIND_REQ], 0);
	vtb_check_eq(env.tb, vtb_received(env.err[0]), n);
	env_end();
}

/* Random failures with many jobs under way: nothing is lost or stuck, every frame is right. */
static void failure_storm(void **state)
{
	(void)state;
	env_open(0);
	for (int i = 0; i < 300; i++) {
		struct tx_job *job = env_job(TX_KIND_RSP, 0x0e, 1 + rng_below(&env.tb->rng, 500));

		job->fail = 15;
		env_send(job);
		if (job->failed) /* nothing else of the QP is dropped with it */
			env.slot[job->slot].gen++;
		vtb_run_until(env.tb, vtb_pending(env.job[1]) < 3, 40000);
		env_check();
	}
	env_drain(100000);
	vtb_check(env.tb, vtb_received(env.err[1]) > 15);
	vtb_check_eq(env.tb, vtb_received(env.err[1]) + env.sent[TX_KIND_RSP], 300);
	env_end();
}

static void no_gap_inside(size_t first, size_t last)
{
	vtb_check_eq(env.tb, vtb_max_gap(env.mac, first, last), 1);
}

/* Jobs wait complete behind a stopped MAC;
 * then every cycle carries a beat, also between packets. */
static void rate_data(void **state)
{
	unsigned int jobs;
	size_t beats = 0;

	(void)state;
	env_open(100);
	env.in_order = true;
	jobs = env.beat == 64 ? 60 : 14;
	for (unsigned int i = 0; i < jobs; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x0a, i % 3 ? 8 : 200);

		job->f.ipv6 = job->f.vlan = false;
		job->segs = 1;
		beats += (70 + job->f.pay_len + 4 + env.beat - 1) / env.beat;
		env_send(job);
	}
	vtb_run(env.tb, 1500);
	vtb_stream_pause(env.mac, 0);
	vtb_run(env.tb, (unsigned int)beats + 30);
	env_check();
	vtb_check_eq(env.tb, env.sent[0], jobs);
	vtb_check_eq(env.tb, vtb_beats(env.mac), beats);
	no_gap_inside(0, beats - 1);
	env_end();
}

/* The same with the longest packets: the queue in front of the sequencer never runs dry. */
static void rate_long(void **state)
{
	unsigned int jobs;
	size_t beats = 0;

	(void)state;
	env_open(100);
	env.in_order = true;
	jobs = env.beat == 64 ? 14 : 6;
	for (unsigned int i = 0; i < jobs; i++) {
		unsigned int kind = i % 2 ? TX_KIND_RSP : TX_KIND_REQ;
		struct tx_job *job =
			env_job(kind, kind ? 0x0e : 0x01, env.beat == 64 ? 4096 : 2048);

		job->f.ipv6 = job->f.vlan = false;
		job->inl = 0;
		beats += (54 + job->f.pay_len + 4 + env.beat - 1) / env.beat;
		env_send(job);
	}
	vtb_run(env.tb, 6000);
	vtb_stream_pause(env.mac, 0);
	vtb_run(env.tb, (unsigned int)beats + 30);
	env_check();
	vtb_check_eq(env.tb, vtb_beats(env.mac), beats);
	no_gap_inside(0, beats - 1);
	env_end();
}

static void rate_ack(void **state)
{
	size_t per = 0, n = 200;

	(void)state;
	env_open(0);
	for (size_t i = 0; i < n; i++) {
		struct tx_job *job = env_job(TX_KIND_ACK, 0x11, 0);

		job->f.ipv6 = job->f.vlan = false;
		env_send(job);
	}
	per = (62 + env.beat - 1) / env.beat;
	/* at 64 bit the checksum of the header takes a cycle more than its frame has beats */
	vtb_run(env.tb, n * (per + (env.beat == 8)) + 60);
	env_check();
	vtb_check_eq(env.tb, env.sent[TX_KIND_ACK], n);
	vtb_check_eq(env.tb, vtb_beats(env.mac), n * per);
	no_gap_inside(0, (env.beat == 8 ? 1 : n) * per - 1);
	env_end();
}

/* The intake takes a job of one segment every cycle, and every packet leaves without
 * a gap inside. */
static void rate_intake(void **state)
{
	unsigned int jobs, idle = 0;

	(void)state;
	env_open(0);
	env.in_order = true;
	env.latency = 1;
	jobs = env.beat == 64 ? 400 : 100;
	for (unsigned int i = 0; i < jobs; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x0a, 8);

		job->f.ipv6 = job->f.vlan = false;
		job->segs = 1;
		job->inl = 0;
		env_send(job);
	}
	vtb_run_until(env.tb, env.sent[0] > 20 || (env_check(), false), 3000);
	vtb_stamps_clear(env.mac);
	vtb_run_until(env.tb, (env_check(), env.sent[0] == jobs), 20000);
	for (size_t i = 1; i < vtb_beats(env.mac); i++)
		idle += vtb_beat_cycle(env.mac, i) != vtb_beat_cycle(env.mac, i - 1) + 1;
	/* two beats a packet at 512 bit: the whole path keeps up */
	vtb_check_eq(env.tb, idle, 0);
	env_end();
}

/* ACKs overtake data; both rings get the same number of bytes; raw frames are not starved. */
static void shares(void **state)
{
	uint64_t bytes[2] = { 0, 0 };
	unsigned int since_ack = 0, rounds = 0;

	(void)state;
	env_open(100);
	env.in_order = true;
	env.latency = 1;
	for (int i = 0; i < 400; i++)
		env_send(env_job(TX_KIND_RSP, 0x0e, 256));
	for (int i = 0; i < 60; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x01, 2048);

		job->inl = 0;
		job->segs = 1;
		env_send(job);
	}
	vtb_run(env.tb, 2000);
	vtb_stream_pause(env.mac, 0);
	while (bytes[0] < 60000) {
		vtb_run(env.tb, 64);
		if (++rounds % 10 == 0) {
			env_send(env_job(TX_KIND_ACK, 0x11, 0));
			since_ack = 1;
		}
		for (int k = 0; k < 2; k++)
			bytes[k] = env.sent[k] * ((k ? 256 : 2048) + 82u);
		env_check();
	}
	vtb_check(env.tb, since_ack);
	/* no side is ahead by more than two of the longest packets and what waits in between */
	vtb_check(env.tb, bytes[0] < bytes[1] + 7000 && bytes[1] < bytes[0] + 7000);
	env_end();
}

static void ack_first(void **state)
{
	uint64_t before;

	(void)state;
	env_open(100);
	env.in_order = true;
	for (int i = 0; i < 12; i++) {
		struct tx_job *job = env_job(TX_KIND_REQ, 0x01, 1024);

		job->inl = 0;
		env_send(job);
	}
	vtb_run(env.tb, 1000);
	vtb_stream_pause(env.mac, 0);
	vtb_run_until(env.tb, (env_check(), env.sent[0] >= 1), 1000);
	env_send(env_job(TX_KIND_ACK, 0x11, 0));
	before = env.sent[0];
	vtb_run_until(env.tb, (env_check(), env.sent[TX_KIND_ACK]), 2000);
	/* only what was already granted: 32 beats in the output FIFO, 1 KiB and a packet before */
	vtb_check(env.tb, env.sent[0] <= before + 5);
	vtb_check(env.tb, env.sent[0] < 12);
	env_end();
}

static void raw_patience(void **state)
{
	(void)state;
	env_open(0);
	for (int i = 0; i < 300; i++)
		env_send(env_job(TX_KIND_ACK, 0x11, 0));
	vtb_run(env.tb, 40);
	env_send_raw(60);
	vtb_run_until(env.tb, (vtb_eval(env.tb), vtb_get(env.tb, "raw_ready_o")), 400);
	vtb_tick(env.tb);
	vtb_set(env.tb, "raw_valid_i", 0);
	vtb_run_until(env.tb, (env_check(), env.sent[TX_KIND_RAW]), 400);
	vtb_check(env.tb, env.sent[TX_KIND_ACK] < 200);
	env_end();
}

/* stop_i: the packet under way ends whole, nothing new begins, and all goes on afterwards. */
static void stop(void **state)
{
	uint64_t sent;

	(void)state;
	env_open(30);
	for (int i = 0; i < 10; i++)
		env_send(env_job(TX_KIND_RSP, 0x0e, 1024));
	vtb_run_until(env.tb, (env_check(), env.sent[1] == 2), 4000);
	vtb_set(env.tb, "stop_i", 1);
	vtb_run_until(env.tb, !vtb_get(env.tb, "sending_o"), 8000);
	vtb_run(env.tb, 40);
	env_check();
	sent = env.sent[1];
	vtb_run(env.tb, 2000);
	env_check();
	vtb_check(env.tb, sent < 10 && env.sent[1] == sent);
	vtb_set(env.tb, "stop_i", 0);
	env_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_opcodes),	  cmocka_unit_test(mixes),
		cmocka_unit_test(ring_wrap),	  cmocka_unit_test(counters),
		cmocka_unit_test(checksum_carry), cmocka_unit_test(raw_frames),
		cmocka_unit_test(failed_reads),	  cmocka_unit_test(rate_data),
		cmocka_unit_test(failure_storm),
		cmocka_unit_test(rate_long),	  cmocka_unit_test(rate_ack),
		cmocka_unit_test(rate_intake),	  cmocka_unit_test(shares),
		cmocka_unit_test(ack_first),	  cmocka_unit_test(raw_patience),
		cmocka_unit_test(stop),		  cmocka_unit_test(unreliable_failures),
		cmocka_unit_test(many_failures),
	};

	return cmocka_run_group_tests_name("tx_path", tests, NULL, NULL);
}
