// SPDX-License-Identifier: Apache-2.0
/*
 * tx_path: responses whose payload cannot be read.  The part that is told of them waits for the
 * ring they stand in, so the ring waits for nothing; and behind one nothing of its QP is sent but
 * the NAK.
 */
#include "tx_env.h"

#define READ_RESPONSE 0x0e
#define ACKNOWLEDGE 0x11

static uint64_t behind, acks; /* what TX_RSP_DROPPED and ACK_SENT are to say */

static void begin(void)
{
	static const char *const names[2] = { "reports_req", "reports_rsp" };
	unsigned int lsb;

	behind = acks = 0;
	env_begin();
	env.mac = vtb_sink(env.tb, "mac_tx");
	for (int r = 0; r < 2; r++) {
		env.err[r] = vtb_sink(env.tb, names[r]);
		vtb_stream_add(env.err[r], "lost", &lsb);
	}
}

static struct tx_job *response(unsigned int slot, uint8_t opcode, size_t len)
{
	struct tx_job *job = env_job(TX_KIND_RSP, opcode, len);

	job->slot = slot;
	job->qpn = job->f.src_qp = env.slot[slot].qpn;
	job->gen = env.slot[slot].gen;
	return job;
}

/* A response that fails; what is to be told of it. */
static uint64_t send_bad(unsigned int slot)
{
	struct tx_job *job = response(slot, READ_RESPONSE, 64 + rng_below(&env.tb->rng, 200));
	uint64_t told = (uint64_t)job->qpn << 32 | job->gen << 24 | job->f.psn;

	job->fail = 100;
	env_send(job);
	return told;
}

static void send_good(unsigned int slot, bool dropped)
{
	struct tx_job *job = response(slot, READ_RESPONSE, 1 + rng_below(&env.tb->rng, 300));

	job->dropped = dropped;
	behind += dropped;
	env_send(job);
}

static void send_ack(unsigned int slot, uint8_t syndrome, bool dropped)
{
	struct tx_job *job = response(slot, ACKNOWLEDGE, 0);

	job->f.aeth = (uint32_t)syndrome << 24 | 5;
	job->dropped = dropped;
	behind += dropped;
	acks += !dropped && syndrome < 0x20;
	env_send(job);
}

static uint64_t told(void)
{
	struct rec_tx_lost lost;

	vtb_run_until(env.tb, vtb_received(env.err[1]), 4000);
	lost = vtb_meta_get_tx_lost(vtb_recv(env.err[1])->meta, 0);
	return (uint64_t)lost.qpn << 32 | lost.gen << 24 | lost.psn;
}

static void end(void)
{
	vtb_check_eq(env.tb, env.cnt_rsp_dropped, behind);
	vtb_check_eq(env.tb, env.cnt_ack, acks);
	vtb_check_eq(env.tb, env.cnt_stale, 0);
	env_end();
}

/* As many as the ring can hold and the visits of rsp_tx may add, and nobody takes the reports. */
static void nobody_listens(void **state)
{
	static uint64_t want[TX_SLOTS + 24];
	unsigned int n;

	(void)state;
	begin();
	n = (env.beat >= 64 ? 64 : 16) + 24; /* tx_path JOBS */
	vtb_stream_pause(env.err[1], 100);
	for (unsigned int i = 0; i < n; i++) {
		want[i] = send_bad(i % TX_SLOTS);
		env.slot[i % TX_SLOTS].gen++;
	}
	for (unsigned int i = 0; i < 20; i++)
		send_good(i, false);
	vtb_run_until(env.tb, !vtb_pending(env.job[1]), 40000);
	vtb_run(env.tb, 2000);
	env_check();
	vtb_check_eq(env.tb, env.sent[TX_KIND_RSP], 20);
	vtb_check_eq(env.tb, vtb_received(env.err[1]), 0);
	vtb_check(env.tb, !vtb_get(env.tb, "idle_o"));
	vtb_stream_pause(env.err[1], 50);
	for (unsigned int i = 0; i < n; i++)
		vtb_check_eq(env.tb, told(), want[i]);
	vtb_check_eq(env.tb, vtb_received(env.err[1]), 0);
	end();
}

/* What stands behind it in the ring, and what comes before it has been told. */
static void what_follows(void **state)
{
	(void)state;
	begin();
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int bad = round, other = round + 20;
		uint64_t want;

		vtb_stream_pause(env.err[1], 100);
		send_good(bad, false);
		want = send_bad(bad);
		send_bad(bad); /* not told again */
		behind++;
		send_good(other, false);
		send_good(bad, true);
		send_ack(bad, 0x1f, true); /* it would acknowledge what was not sent */
		send_ack(bad, 0x60, true); /* so would these two */
		send_ack(bad, 0x21, true);
		send_ack(other, 0x1f, false);
		vtb_run_until(env.tb, !vtb_pending(env.job[1]), 40000);
		vtb_run(env.tb, 1000); /* the rings are empty, nobody has been told */
		send_good(bad, true);
		send_ack(bad, 0x61 + round % 3, false); /* a NAK that ends the QP */
		send_good(other, false);
		vtb_run(env.tb, 1000);
		vtb_stream_pause(env.err[1], 0);
		vtb_check_eq(env.tb, told(), want);
		env_drain(40000);
		vtb_check_eq(env.tb, vtb_received(env.err[1]), 0);
		send_good(bad, false);
		env_drain(40000);
	}
	end();
}

/* The next life of a QP has nothing to do with it. */
static void next_generation(void **state)
{
	uint64_t want;

	(void)state;
	begin();
	vtb_stream_pause(env.err[1], 100);
	want = send_bad(3);
	env.slot[3].gen++;
	send_good(3, false);
	env.slot[3].gen--;
	send_good(3, true);
	vtb_run(env.tb, 2000);
	vtb_stream_pause(env.err[1], 0);
	vtb_check_eq(env.tb, told(), want);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(what_follows),
		cmocka_unit_test(next_generation),
	};

	return cmocka_run_group_tests_name("tx_failed", tests, NULL, NULL);
}
