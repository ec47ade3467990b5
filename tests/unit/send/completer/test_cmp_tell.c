// SPDX-License-Identifier: Apache-2.0
/* completer: when the walker tells the scheduler of what it has retired (cmp_tell). */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define ACK(credit) (credit)
#define T0 1000000ull

/*
 * The requester is told of what is retired when it had something to do, or was told of the QP
 * meanwhile by somebody else: it may have looked too early.  A QP with nothing left is left alone.
 */
static unsigned int told(bool more, bool goback, bool kicked, unsigned int qpn)
{
	struct desk *d = desk_open(T0);
	unsigned int kicks;

	desk_post(d, SEND, 20, true);
	desk_ack(d, DESK_PSN, ACK(31)); /* no credits from now on */
	desk_post(d, SEND, 20, true);
	if (more)
		desk_post(d, SEND, 20, false);
	if (goback) {
		CAIRN_SET(d->req.psn, CAIRN_QP_REQ_PSN_SEND_EPOCH, desk_epoch(d) + 1);
		desk_put(d);
	}
	d->walk_kicks = 0;
	vtb_set(d->tb, "kicked_valid_i", kicked);
	vtb_set(d->tb, "kicked_qpn_i", qpn);
	desk_ack(d, DESK_PSN + 1, ACK(31));
	vtb_set(d->tb, "kicked_valid_i", 0);
	kicks = d->walk_kicks;
	vtb_check_eq(d->tb, d->cqes, 2);
	desk_close(d);
	return kicks;
}

static void tells_the_requester(void **state)
{
	(void)state;
	assert_int_equal(told(false, false, false, 0), 0);
	assert_int_equal(told(true, false, false, 0), 1);
	assert_int_equal(told(false, true, false, 0), 1);
	assert_int_equal(told(false, false, true, 3), 1);
	assert_int_equal(told(false, false, true, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tells_the_requester) };

	return cmocka_run_group_tests_name("completer, kicks of the scheduler", tests, NULL, NULL);
}
