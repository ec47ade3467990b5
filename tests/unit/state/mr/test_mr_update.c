// SPDX-License-Identifier: Apache-2.0
/*
 * mr_update with mr_inv_rule, mr_reg_rule and mr_bind_rule in mr_service against IBTA 10.6.5,
 * 10.6.7.2: random invalidations, fast registrations and binds of two clients,
 * with lookups of the same keys, firmware that reads, changes and evicts the records and drops
 * page list lines meanwhile, caches of eight ways. A lookup may see a record as it was at any
 * time between its start and its end. At the end the table in host memory is what the reference
 * says. Clients use what they were answered for a while (mr_bench.h): with the answer to an
 * operation that took a key away, no client uses it any more. Directed: cycles of an operation, a
 * miss holds no other client up, what shares a drain and what passes it.
 */
#include "update_world.h"

static unsigned int seen[4][256];

static void traffic(unsigned int send, unsigned int upd, unsigned int busy, unsigned int fw)
{
	struct bench *b = upd_start();

	b->send_pc = send;
	E.upd_pc = upd;
	E.rsp_busy = b->busy = b->h.busy = busy;
	b->use = 80;
	b->fw_pc = fw;
	vtb_run(b->tb, 25000);
	upd_finish(b);
	for (unsigned int op = 0; op < 4; op++)
		for (unsigned int i = 0; i < 256; i++)
			seen[op][i] += E.outcome[op][i];
	if (E.upds < 100 || E.skipped > b->done / 10)
		vtb_fail(b->tb, "too little done: %u, %u of %u skipped", E.upds, E.skipped,
			 b->done);
	vtb_destroy(b->tb);
}

/* All that an operation can end with has been seen? */
static bool all_seen(void)
{
	static const uint8_t must[4][8] = {
		{ 0, CAIRN_VENDOR_ERR_KEY_INDEX, CAIRN_VENDOR_ERR_KEY_TAG, CAIRN_VENDOR_ERR_KEY_PD,
		  CAIRN_VENDOR_ERR_KEY_STATE, CAIRN_VENDOR_ERR_KEY_BUSY },
		{ 0, CAIRN_VENDOR_ERR_KEY_INDEX, CAIRN_VENDOR_ERR_KEY_TAG, CAIRN_VENDOR_ERR_KEY_PD,
		  CAIRN_VENDOR_ERR_KEY_STATE, CAIRN_VENDOR_ERR_KEY_BUSY,
		  CAIRN_VENDOR_ERR_KEY_RIGHTS },
		{ 0, CAIRN_VENDOR_ERR_KEY_STATE, CAIRN_VENDOR_ERR_KEY_PD,
		  CAIRN_VENDOR_ERR_KEY_RIGHTS, CAIRN_VENDOR_ERR_KEY_BOUNDS },
		{ 0, CAIRN_VENDOR_ERR_KEY_INDEX, CAIRN_VENDOR_ERR_KEY_TAG, CAIRN_VENDOR_ERR_KEY_PD,
		  CAIRN_VENDOR_ERR_KEY_STATE, CAIRN_VENDOR_ERR_KEY_RIGHTS,
		  CAIRN_VENDOR_ERR_KEY_BOUNDS, CAIRN_VENDOR_ERR_CTX_CHECK },
	};

	for (unsigned int op = 0; op < 4; op++)
		for (unsigned int i = 0; i < 8; i++)
			if (!seen[op][must[op][i]])
				return false;
	return true;
}

static void random_updates(void **state)
{
	(void)state;
	traffic(30, 50, 30, 3);
	traffic(5, 100, 0, 0);
	traffic(100, 30, 10, 1);
	traffic(20, 100, 20, 30);
	for (unsigned int round = 0; round < 12 && !all_seen(); round++)
		traffic(30, 100, 10, 2);
	assert_true(all_seen());
}

static void speed(void **state)
{
	struct bench *b = upd_start();
	struct cairn_mpt *m = &E.now[1];
	struct upd reg = { .op = REG,
			   .key = 0x177,
			   .pd = m->pd,
			   .addr = 0x10000,
			   .length = 4096,
			   .access = 0x1f,
			   .page_log2 = 12,
			   .page_list = m->map };
	struct upd inv = { .op = INV, .key = 0x177, .pd = m->pd };
	struct upd bind = { .op = BIND,
			    .key = 21 << 8,
			    .pd = m->pd,
			    .qpn = 1,
			    .addr = 0x10000,
			    .length = 100,
			    .access = 2,
			    .mr_key = 0x177 };
	unsigned int n;

	(void)state;
	E.now[21].pd = mr_mpt(b, 21)->pd = m->pd;
	upd_version(b, 21, 0);
	upd_cycles(b, &reg);
	upd_cycles(b, &bind);
	vtb_check_eq(b->tb, E.outcome[BIND][0], 1);
	n = upd_cycles(b, &inv);
	vtb_check_eq(b->tb, E.outcome[INV][CAIRN_VENDOR_ERR_KEY_BUSY], 1);
	vtb_check(b->tb, n <= 14);
	inv.key = 21 << 8;
	n = upd_cycles(b, &inv);
	vtb_check(b->tb, n <= 30);
	n = upd_cycles(b, &bind);
	vtb_check(b->tb, n <= 28);
	upd_cycles(b, &inv);
	inv.key = 0x177;
	n = upd_cycles(b, &inv);
	vtb_check(b->tb, n <= 20);
	n = upd_cycles(b, &reg);
	vtb_check(b->tb, n <= 120);
	upd_finish(b);
	vtb_destroy(b->tb);
}

/* An operation that waits for the host: the other client's and lookups go on. */
static void aside(void **state)
{
	struct bench *b = upd_start();
	struct upd near = { .op = INV, .key = 0x100, .pd = 1 }, far = { .op = INV, .key = 0x200 };
	unsigned int before;

	(void)state;
	E.only = 1;
	upd_cycles(b, &near); /* on chip now */
	b->h.latency = 0;
	for (unsigned int i = 0; i < 64; i++)
		vtb_check(b->tb, !b->h.rd[i].used);
	E.change[1].u = far;
	E.change[1].offering = true;
	mr_put_upd(b, 1, &far);
	vtb_run_until(b->tb, b->h.rd[0].used, 100);
	b->h.rd[0].due = b->tb->cycle + 1000;
	b->send_pc = 100;
	before = b->done;
	for (unsigned int i = 0; i < 10; i++)
		vtb_check(b->tb, upd_cycles(b, &near) < 60);
	vtb_check(b->tb, b->done - before > 20); /* 64 bit: one in 6 cycles, beside them */
	vtb_check(b->tb, E.change[1].busy && !E.change[1].shown);
	upd_finish(b);
	vtb_check(b->tb, E.change[1].shown);
	vtb_destroy(b->tb);
}

/* ---- drains ---- */

static struct upd inv_of(unsigned int key)
{
	return (struct upd){ .op = INV, .key = E.now[key].key, .pd = E.now[key].pd };
}

static void offer(struct bench *b, unsigned int c, const struct upd *u)
{
	E.change[c].u = *u;
	E.change[c].offering = true;
	mr_put_upd(b, c, u);
	vtb_run_until(b->tb, !E.change[c].offering, 200);
}

/*
 * A client that takes none of its answers holds up what was executed before them, whatever client
 * it is; not the lookups of the others, and not what takes nothing away.  Two operations executed
 * meanwhile are answered together.
 */
static void drains(void **state)
{
	(void)state;
	for (unsigned int slow = 0; slow < 4; slow++) {
		struct bench *b = upd_start();
		struct upd near = inv_of(1), far = inv_of(2), bad = { .op = INV, .key = 0x9900 };
		unsigned int done;

		for (unsigned int i = 1; i < 3; i++) { /* valid, on chip */
			struct upd reg = { .op = REG, .key = i << 8 | 1, .pd = E.now[i].pd,
					   .addr = 0x10000, .length = 4096, .access = 0x1f,
					   .page_log2 = 12, .page_list = E.now[i].map };

			upd_cycles(b, &reg);
		}
		near = inv_of(1);
		far = inv_of(2);
		E.only = 1;
		b->send_pc = 50;
		vtb_run(b->tb, 1500);
		b->c[slow].held = true;
		vtb_run(b->tb, 200);
		upd_cycles(b, &bad); /* nothing was taken away */
		offer(b, 0, &near);
		offer(b, 1, &far);
		done = b->done;
		vtb_run(b->tb, 1000);
		vtb_check(b->tb, b->done > done + 100);
		vtb_check(b->tb, !E.change[0].shown && !E.change[1].shown);
		b->c[slow].held = false;
		vtb_run_until(b->tb, E.change[0].shown, 200);
		vtb_run_until(b->tb, E.change[1].shown, 200);
		upd_finish(b);
		vtb_destroy(b->tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speed),
		cmocka_unit_test(aside),
		cmocka_unit_test(drains),
		cmocka_unit_test(random_updates),
	};

	return cmocka_run_group_tests_name("mr_update", tests, NULL, NULL);
}
