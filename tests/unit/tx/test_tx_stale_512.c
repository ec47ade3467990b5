// SPDX-License-Identifier: Apache-2.0
/*
 * tx_path: jobs that may not leave any more when their turn comes (tx_check), and the marks by
 * which an invalidation waits for what was in the rings before it (mr_drain).
 */
#include "tx_env.h"

/*
 * A later go-back makes earlier jobs stale, a new generation all jobs of the old one, also those of
 * UC and UD; responses are not touched by it, nor is anybody by whose the context slot is.
 */
static void stale(void **state)
{
	uint64_t dropped = 0;

	(void)state;
	env_open(0);
	for (int i = 0; i < 500; i++) {
		unsigned int kind = (unsigned int)rng_below(&env.tb->rng, 2);
		uint8_t op = env_opcode(kind);
		struct tx_job *job = env_job(kind, op, env_pay_len(op, 300));
		bool rc = op < 0x20;

		if (rng_percent(&env.tb->rng, 40)) {
			job->send_epoch =
				(job->send_epoch + 1 + (uint32_t)rng_below(&env.tb->rng, 255)) &
				0xff;
			if (rng_percent(&env.tb->rng, 30)) {
				job->gen ^= 1;
				job->dropped = kind == TX_KIND_REQ;
			} else if (kind == TX_KIND_REQ && rc) {
				job->dropped = true;
			}
		}
		job->slot = (uint32_t)rng_below(&env.tb->rng, TX_SLOTS); /* anybody's */
		dropped += job->dropped;
		env_send(job);
		vtb_run_until(env.tb, vtb_pending(env.job[0]) < 3 && vtb_pending(env.job[1]) < 3,
			      40000);
		env_check();
	}
	env_drain(100000);
	vtb_check_eq(env.tb, env.cnt_stale, dropped);
	vtb_check(env.tb, dropped > 15);
	env_end();
}

/*
 * Jobs wait, complete, for a wire that stands still; then one of two QPs goes back, is closed,
 * begins a new life.  What of it was not in the last stages before the wire by then stays.
 */
static void stale_while_waiting(void **state)
{
	(void)state;
	for (uint32_t how = 0; how < 3; how++) {
		unsigned int n, stages;

		env_open(0);
		n = env.beat >= 64 ? 48 : 12;
		vtb_stream_pause(env.mac, 100);
		for (unsigned int i = 0; i < n; i++) { /* UC and RC; UC does not go back */
			struct tx_job *job =
				env_job(TX_KIND_REQ, how && i % 3 == 2 ? 0x24 : 0x0a, 400);

			job->slot = (uint32_t)rng_below(&env.tb->rng, TX_SLOTS);
			job->qpn = job->f.src_qp = env.slot[i % 2].qpn;
			job->send_epoch = env.slot[i % 2].epoch;
			job->maybe = !(i % 2);
			env_send(job);
		}
		vtb_run(env.tb, 6000);
		env.slot[0].epoch = (uint8_t)(env.slot[0].epoch + !how);
		env.slot[0].closed = how == 1;
		env.slot[0].gen += how == 2;
		vtb_run(env.tb, 4);
		vtb_stream_pause(env.mac, 0);
		vtb_run(env.tb, 6000);
		env_check();
		/* frames of 400 bytes and more in 32 beats of tx_builder and 16 of tx_arbiter */
		stages = 48 * env.beat / 400 + 3;
		vtb_check_eq(env.tb, env.cnt_stale + env.sent[TX_KIND_REQ], n);
		vtb_check(env.tb, env.sent[TX_KIND_REQ] >= n / 2);
		vtb_check(env.tb, env.cnt_stale + stages / 2 + 1 >= n / 2);
		for (struct tx_job *job = env.want[TX_KIND_REQ]; job; job = job->next)
			job->dropped = job->maybe;
		env_end();
	}
}

/*
 * A drain of a ring waits for the payload of what was in it, not for the wire, and not for what
 * comes later; of the other ring for nothing.
 */
static void drains(void **state)
{
	(void)state;
	for (unsigned int ring = 0; ring < 2; ring++) {
		unsigned int bit = 1u << ring;

		env_open(0);
		env.latency = 2000;
		vtb_stream_pause(env.mac, 100);
		for (unsigned int i = 0; i < 6; i++) {
			struct tx_job *job = env_job(ring ? TX_KIND_RSP : TX_KIND_REQ,
						     ring ? 0x0e : 0x0a, 200);

			job->inl = 0;
			env_send(job);
		}
		vtb_run_until(env.tb, env.n_reads >= 6, 1000);
		vtb_set(env.tb, "drain_i", 3);
		vtb_run(env.tb, 100);
		vtb_check_eq(env.tb, vtb_get(env.tb, "drained_o"), 3 & ~bit);
		for (unsigned int i = 0; i < 2; i++) { /* later than the mark */
			struct tx_job *job = env_job(ring ? TX_KIND_RSP : TX_KIND_REQ,
						     ring ? 0x0e : 0x0a, 200);

			job->inl = 0;
			env_send(job);
		}
		while (vtb_get(env.tb, "drained_o") != 3) {
			vtb_check(env.tb, env.n_reads || vtb_get(env.tb, "pend_epoch_o"));
			vtb_tick(env.tb);
		}
		vtb_set(env.tb, "drain_i", 0);
		vtb_run(env.tb, 3);
		vtb_check_eq(env.tb, vtb_get(env.tb, "drained_o"), 0);
		vtb_stream_pause(env.mac, 0);
		env_end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stale),
		cmocka_unit_test(stale_while_waiting),
		cmocka_unit_test(drains),
	};

	return cmocka_run_group_tests_name("tx_stale", tests, NULL, NULL);
}
