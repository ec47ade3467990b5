// SPDX-License-Identifier: Apache-2.0
/* The connection manager's machine when messages are lost, doubled and late: nothing is left. */
#include "cm_world.h"

static void drop_more(struct world *w)
{
	while (w->n_more)
		cm_destroy(w->more[--w->n_more]);
}

/* Both sides do what programs do, as long as it takes; then both have ended and nothing is left. */
static void life(struct world *w, uint32_t qpn)
{
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(qpn);
	struct cm_id *a = world_id(w, A), *b = NULL;
	unsigned int told = w->n_told;
	bool rtu = false, ended = false;

	w->accepted = NULL;
	assert_int_equal(cm_send_req(a, &path, SERVICE, &param, NULL, 0), 0);
	for (unsigned int i = 0; i < 2000 && !ended; i++) {
		world_run(w, rng_below(&w->rng, 3000000000ull));
		if (w->accepted && !b) {
			b = w->accepted;
			param = world_param(qpn + 1);
			assert_int_equal(cm_send_rep(b, &param, NULL, 0), 0);
		}
		if (!rtu && (a->state == CM_REP_RCVD || a->state == CM_MRA_REP_SENT)) {
			rtu = true;
			assert_int_equal(cm_send_rtu(a, NULL, 0), 0);
		}
		if (b && a->state == CM_ESTABLISHED && b->state == CM_ESTABLISHED)
			cm_send_dreq(rng_percent(&w->rng, 50) ? a : b, NULL, 0);
		if (a->state == CM_DREQ_RCVD)
			cm_send_drep(a, NULL, 0);
		if (b && b->state == CM_DREQ_RCVD)
			cm_send_drep(b, NULL, 0);
		ended = b && rtu && a->state == CM_IDLE && b->state == CM_IDLE;
	}
	if (!ended)
		fail_msg("%s and %s after 2000 steps, SEED=0x%llx", cm_state_name(a->state),
			 b ? cm_state_name(b->state) : "nobody", (unsigned long long)test_seed());
	/* A REQ that comes when TIMEWAIT is over is a new one to B, whose program refuses it; that
	 * network was slower than it may be. */
	drop_more(w);
	/* each end has heard each thing once */
	for (int end = 0; end < 2; end++) {
		unsigned int once = 0, over = 0;

		for (unsigned int i = told; i < w->n_told; i++) {
			enum cm_event_type type = w->told[i].event.type;

			if (w->told[i].end != end)
				continue;
			once += type == (end == A ? CM_EVENT_REP : CM_EVENT_ESTABLISHED);
			/* a REJ says it too: the peer has forgotten us before its DREP came */
			over += type == CM_EVENT_DREQ || type == CM_EVENT_DREP ||
				type == CM_EVENT_DREQ_ERROR || type == CM_EVENT_REJ;
		}
		assert_int_equal(once, 1);
		assert_in_range(over, 1, 2); /* both may have wanted to */
	}
	cm_destroy(a);
	cm_destroy(b);
	w->refuse = CM_REJ_NO_RESOURCES;
	world_finish(w);
	w->refuse = 0;
	assert_int_equal(w->cm[A].ids + w->cm[B].ids, 0);
	w->n_told = 0;
}

static void bad_wires(void **state)
{
	static const struct {
		unsigned int lost, twice, late;
	} wires[] = { { 0, 0, 0 }, { 30, 0, 0 }, { 0, 50, 0 }, { 0, 0, 40 }, { 25, 25, 25 } };

	(void)state;
	for (unsigned int i = 0; i < sizeof(wires) / sizeof(wires[0]); i++) {
		struct world *w = world_new(test_seed() + i);

		w->lost = wires[i].lost;
		w->twice = wires[i].twice;
		w->late = wires[i].late;
		for (uint32_t n = 0; n < 100; n++)
			life(w, 0x100 + 2 * n);
		assert_true(!wires[i].lost || w->cm[A].counters[CM_COUNT_REPEATED]);
		assert_true(!wires[i].twice || w->cm[A].counters[CM_COUNT_DUPLICATES]);
		world_free(w);
	}
}

/* True: it is to be destroyed. */
static bool call_something(struct world *w, struct cm_id *id)
{
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(0x1000 + (uint32_t)rng_below(&w->rng, 32));

	switch (rng_below(&w->rng, 9)) {
	case 0:
		cm_send_req(id, &path, SERVICE, &param, NULL, 0);
		break;
	case 1:
		cm_send_sidr_req(id, &path, SERVICE, NULL, 0);
		break;
	case 2:
		cm_send_rtu(id, NULL, 0);
		break;
	case 3:
		cm_send_rej(id, CM_REJ_CONSUMER_DEFINED, NULL, 0);
		break;
	case 4:
		cm_send_dreq(id, NULL, 0);
		break;
	case 5:
		cm_send_drep(id, NULL, 0);
		break;
	case 6:
		return true;
	default:
		break;
	}
	return false;
}

/* Any call on any of many IDs, destroyed at any time, over a bad wire: in the end all are gone. */
static void anything(void **state)
{
	enum { MANY = 24 };
	struct world *w = world_new(test_seed());
	struct cm_id *mine[MANY] = { NULL };

	(void)state;
	w->lost = w->twice = w->late = 15;
	for (unsigned int i = 0; i < 20000; i++) {
		unsigned int k = (unsigned int)rng_below(&w->rng, MANY);
		struct cm_id *id = mine[k];
		struct cm_param param;

		w->n_told = 0;
		w->accepted = NULL;
		w->refuse = rng_percent(&w->rng, 10) ? CM_REJ_NO_RESOURCES : 0;
		if (!id)
			id = mine[k] = world_id(w, A);
		if (call_something(w, id)) {
			cm_destroy(id);
			mine[k] = NULL;
		}
		world_run(w, rng_below(&w->rng, 200000000ull));
		drop_more(w);
		if (!w->accepted)
			continue;
		/* B's program answers at once, and has no further interest in half of them */
		param = world_param(0x2000 + i);
		if (cm_send_rep(w->accepted, &param, NULL, 0))
			cm_send_sidr_rep(w->accepted, CM_SIDR_OK, i, i, SERVICE, NULL, 0);
		cm_destroy(w->accepted);
	}
	for (unsigned int k = 0; k < MANY; k++)
		if (mine[k])
			cm_destroy(mine[k]);
	w->n_told = 0;
	w->refuse = CM_REJ_NO_RESOURCES;
	world_finish(w);
	assert_int_equal(w->cm[A].ids + w->cm[B].ids, 0);
	assert_int_equal(w->cm[A].timers + w->cm[B].timers, 0);
	for (enum cm_counter c = CM_COUNT_SENT; c <= CM_COUNT_UNMATCHED; c++)
		assert_true(c == CM_COUNT_MALFORMED || w->cm[A].counters[c] > 100);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(bad_wires),
					    cmocka_unit_test(anything) };

	return cmocka_run_group_tests_name("cm_wires", tests, NULL, NULL);
}
