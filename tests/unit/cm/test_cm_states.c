// SPDX-License-Identifier: Apache-2.0
/*
 * Every message in every state, against a table: the diagrams of IBTA 12.9.7 and 12.9.8 as rows.
 * What no row names changes nothing, is answered as such messages always are, and is counted.
 */
#include "cm_world.h"

#define PEER 0x7777u
#define PEER_GUID 0x5054000012340001ull
#define PEER_QPN 0x456u
#define OWN_QPN 0x123u
#define NONE 0u
#define NO_EVENT 0xffu

enum message {
	REQ,
	REP,
	RTU,
	MRA_REQ,
	MRA_REP,
	REJ,
	DREQ,
	DREP,
	LAP,
	APR,
	SIDR_REQ,
	SIDR_REP,
	MESSAGES
};

static const struct row {
	enum cm_state state;
	bool active;
	enum message message;
	enum cm_state next;
	unsigned int answer, event;
} rows[] = {
	{ CM_REQ_SENT, true, REP, CM_REP_RCVD, NONE, CM_EVENT_REP },
	{ CM_REQ_SENT, true, MRA_REQ, CM_MRA_REQ_RCVD, NONE, NO_EVENT },
	{ CM_REQ_SENT, true, REJ, CM_IDLE, NONE, CM_EVENT_REJ },
	{ CM_MRA_REQ_RCVD, true, REP, CM_REP_RCVD, NONE, CM_EVENT_REP },
	{ CM_MRA_REQ_RCVD, true, MRA_REQ, CM_MRA_REQ_RCVD, NONE, NO_EVENT },
	{ CM_MRA_REQ_RCVD, true, REJ, CM_IDLE, NONE, CM_EVENT_REJ },
	{ CM_REP_RCVD, true, REP, CM_MRA_REP_SENT, CM_ATTR_MRA, NO_EVENT },
	{ CM_REP_RCVD, true, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_MRA_REP_SENT, true, REP, CM_MRA_REP_SENT, CM_ATTR_MRA, NO_EVENT },
	{ CM_MRA_REP_SENT, true, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_ESTABLISHED, true, REP, CM_ESTABLISHED, CM_ATTR_RTU, NO_EVENT },
	{ CM_ESTABLISHED, true, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_ESTABLISHED, true, DREQ, CM_DREQ_RCVD, NONE, CM_EVENT_DREQ },
	{ CM_ESTABLISHED, true, LAP, CM_ESTABLISHED, CM_ATTR_APR, NO_EVENT },
	{ CM_ESTABLISHED, false, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_ESTABLISHED, false, DREQ, CM_DREQ_RCVD, NONE, CM_EVENT_DREQ },
	{ CM_ESTABLISHED, false, LAP, CM_ESTABLISHED, CM_ATTR_APR, NO_EVENT },
	{ CM_DREQ_SENT, true, DREQ, CM_DREQ_RCVD, NONE, CM_EVENT_DREQ },
	{ CM_DREQ_SENT, true, DREP, CM_TIMEWAIT, NONE, CM_EVENT_DREP },
	{ CM_DREQ_SENT, true, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_DREQ_RCVD, true, DREP, CM_TIMEWAIT, NONE, CM_EVENT_DREP },
	{ CM_DREQ_RCVD, true, DREQ, CM_DREQ_RCVD, NONE, NO_EVENT },
	{ CM_TIMEWAIT, true, DREQ, CM_TIMEWAIT, CM_ATTR_DREP, NO_EVENT },
	{ CM_TIMEWAIT, false, REQ, CM_TIMEWAIT, CM_ATTR_REJ, NO_EVENT },
	{ CM_TIMEWAIT, false, DREQ, CM_TIMEWAIT, CM_ATTR_DREP, NO_EVENT },
	{ CM_REQ_RCVD, false, REQ, CM_MRA_REQ_SENT, CM_ATTR_MRA, NO_EVENT },
	{ CM_REQ_RCVD, false, REJ, CM_IDLE, NONE, CM_EVENT_REJ },
	{ CM_MRA_REQ_SENT, false, REQ, CM_MRA_REQ_SENT, CM_ATTR_MRA, NO_EVENT },
	{ CM_MRA_REQ_SENT, false, REJ, CM_IDLE, NONE, CM_EVENT_REJ },
	{ CM_REP_SENT, false, REQ, CM_REP_SENT, CM_ATTR_REP, NO_EVENT },
	{ CM_REP_SENT, false, RTU, CM_ESTABLISHED, NONE, CM_EVENT_ESTABLISHED },
	{ CM_REP_SENT, false, MRA_REP, CM_MRA_REP_RCVD, NONE, NO_EVENT },
	{ CM_REP_SENT, false, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_REP_SENT, false, DREQ, CM_DREQ_RCVD, NONE, CM_EVENT_DREQ },
	{ CM_MRA_REP_RCVD, false, REQ, CM_MRA_REP_RCVD, CM_ATTR_REP, NO_EVENT },
	{ CM_MRA_REP_RCVD, false, RTU, CM_ESTABLISHED, NONE, CM_EVENT_ESTABLISHED },
	{ CM_MRA_REP_RCVD, false, MRA_REP, CM_MRA_REP_RCVD, NONE, NO_EVENT },
	{ CM_MRA_REP_RCVD, false, REJ, CM_TIMEWAIT, NONE, CM_EVENT_REJ },
	{ CM_MRA_REP_RCVD, false, DREQ, CM_DREQ_RCVD, NONE, CM_EVENT_DREQ },
	{ CM_SIDR_REQ_SENT, true, SIDR_REP, CM_IDLE, NONE, CM_EVENT_SIDR_REP },
	{ CM_SIDR_DONE, false, SIDR_REQ, CM_SIDR_DONE, CM_ATTR_SIDR_REP, NO_EVENT },
};

/* The states of each end, and how a message of the peer looks to it. */
static const enum cm_state active_states[] = { CM_IDLE,		CM_REQ_SENT,	 CM_MRA_REQ_RCVD,
					       CM_REP_RCVD,	CM_MRA_REP_SENT, CM_ESTABLISHED,
					       CM_DREQ_SENT,	CM_DREQ_RCVD,	 CM_TIMEWAIT,
					       CM_SIDR_REQ_SENT },
			   passive_states[] = { CM_REQ_RCVD,	  CM_MRA_REQ_SENT, CM_REP_SENT,
						CM_MRA_REP_RCVD,  CM_ESTABLISHED,  CM_TIMEWAIT,
						CM_SIDR_REQ_RCVD, CM_SIDR_DONE };

static const enum cm_attribute attributes[MESSAGES] = {
	CM_ATTR_REQ,  CM_ATTR_REP,  CM_ATTR_RTU, CM_ATTR_MRA, CM_ATTR_MRA,	CM_ATTR_REJ,
	CM_ATTR_DREQ, CM_ATTR_DREP, CM_ATTR_LAP, CM_ATTR_APR, CM_ATTR_SIDR_REQ, CM_ATTR_SIDR_REP
};

static void craft_request(const struct world *w, uint8_t *mad)
{
	CM_SET(mad, REQ, LOCAL_COMM_ID, PEER);
	CM_SET(mad, REQ, SERVICE_ID, SERVICE);
	CM_SET(mad, REQ, LOCAL_CA_GUID, PEER_GUID);
	CM_SET(mad, REQ, LOCAL_QPN, PEER_QPN);
	CM_SET(mad, REQ, REMOTE_RESPONSE_TIMEOUT, 20);
	CM_SET(mad, REQ, LOCAL_RESPONSE_TIMEOUT, 20);
	CM_SET(mad, REQ, MAX_CM_RETRIES, 15);
	CM_SET(mad, REQ, PATH_MTU, 3);
	CM_SET(mad, REQ, PKEY, 0xffff);
	CM_SET(mad, REQ, PRIMARY_ACK_TIMEOUT, 17);
	memcpy(CM_AT(mad, REQ, PRIMARY_LOCAL_GID), w->gid[B], CM_GID_BYTES);
	memcpy(CM_AT(mad, REQ, PRIMARY_REMOTE_GID), w->gid[A], CM_GID_BYTES);
}

/* A message of the peer about A's ID. */
static void craft(const struct world *w, enum message message, const struct cm_id *id, uint8_t *mad)
{
	cm_msg_init(mad, attributes[message], 0x99);
	if (message == REQ) {
		craft_request(w, mad);
		return;
	}
	if (message == SIDR_REQ) {
		CM_SET(mad, SIDR_REQ, REQUEST_ID, PEER);
		CM_SET(mad, SIDR_REQ, SERVICE_ID, SERVICE);
		return;
	}
	if (message == SIDR_REP) {
		CM_SET(mad, SIDR_REP, REQUEST_ID, id->local_id);
		CM_SET(mad, SIDR_REP, QPN, PEER_QPN);
		return;
	}
	CM_SET(mad, RTU, LOCAL_COMM_ID, PEER);
	CM_SET(mad, RTU, REMOTE_COMM_ID, id->local_id);
	if (message == REP) {
		CM_SET(mad, REP, LOCAL_QPN, PEER_QPN);
		CM_SET(mad, REP, LOCAL_CA_GUID, PEER_GUID);
	}
	if (message == MRA_REP)
		CM_SET(mad, MRA, MESSAGE, CM_ANSWERED_REP);
	if (message == MRA_REQ || message == MRA_REP)
		CM_SET(mad, MRA, SERVICE_TIMEOUT, 20);
	if (message == REJ)
		CM_SET(mad, REJ, REASON, CM_REJ_CONSUMER_DEFINED);
	if (message == DREQ)
		CM_SET(mad, DREQ, REMOTE_QPN, OWN_QPN);
}

static void give(struct world *w, enum message message, struct cm_id *id)
{
	uint8_t mad[MAD_BYTES];

	craft(w, message, id, mad);
	world_deliver(w, A, mad);
}

static struct cm_id *reach_active(struct world *w, enum cm_state state)
{
	struct cm_id *id = world_id(w, A);
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(OWN_QPN);

	if (state == CM_SIDR_REQ_SENT)
		assert_int_equal(cm_send_sidr_req(id, &path, SERVICE, NULL, 0), 0);
	if (state == CM_IDLE || state == CM_SIDR_REQ_SENT)
		return id;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	if (state == CM_REQ_SENT)
		return id;
	if (state == CM_MRA_REQ_RCVD) {
		give(w, MRA_REQ, id);
		return id;
	}
	give(w, REP, id);
	if (state == CM_MRA_REP_SENT)
		give(w, REP, id);
	if (state == CM_REP_RCVD || state == CM_MRA_REP_SENT)
		return id;
	assert_int_equal(cm_send_rtu(id, NULL, 0), 0);
	if (state == CM_DREQ_RCVD)
		give(w, DREQ, id);
	if (state == CM_DREQ_SENT || state == CM_TIMEWAIT)
		assert_int_equal(cm_send_dreq(id, NULL, 0), 0);
	if (state == CM_TIMEWAIT)
		give(w, DREP, id);
	return id;
}

static struct cm_id *reach_passive(struct world *w, enum cm_state state)
{
	bool sidr = state == CM_SIDR_REQ_RCVD || state == CM_SIDR_DONE;
	struct cm_param param = world_param(OWN_QPN);
	struct cm_id *id;

	give(w, sidr ? SIDR_REQ : REQ, NULL);
	id = w->accepted;
	if (state == CM_SIDR_DONE)
		assert_int_equal(cm_send_sidr_rep(id, CM_SIDR_OK, 1, 2, SERVICE, NULL, 0), 0);
	if (state == CM_MRA_REQ_SENT)
		give(w, REQ, NULL);
	if (sidr || state == CM_REQ_RCVD || state == CM_MRA_REQ_SENT)
		return id;
	assert_int_equal(cm_send_rep(id, &param, NULL, 0), 0);
	if (state == CM_MRA_REP_RCVD)
		give(w, MRA_REP, id);
	if (state == CM_ESTABLISHED || state == CM_TIMEWAIT)
		give(w, RTU, id);
	if (state == CM_TIMEWAIT) {
		give(w, DREQ, id);
		assert_int_equal(cm_send_drep(id, NULL, 0), 0);
	}
	return id;
}

static const struct row *row_of(enum cm_state state, bool active, enum message message)
{
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].state == state && rows[i].active == active &&
		    rows[i].message == message)
			return &rows[i];
	return NULL;
}

/* What answers a message that is for nobody. */
static unsigned int usual_answer(enum cm_state state, enum message message)
{
	bool unknown = state == CM_IDLE || state == CM_REQ_SENT || state == CM_MRA_REQ_RCVD ||
		       state > CM_TIMEWAIT;

	if (message == LAP || (message == REP && state == CM_IDLE))
		return CM_ATTR_REJ;
	return message == DREQ && unknown ? CM_ATTR_DREP : NONE;
}

static uint64_t counted(const struct world *w)
{
	const uint64_t *counters = w->cm[A].counters;

	return counters[CM_COUNT_UNMATCHED] + counters[CM_COUNT_DUPLICATES];
}

static void one(enum cm_state state, bool active, enum message message)
{
	const struct row *row = row_of(state, active, message);
	struct row usual = { .next = state,
			     .answer = usual_answer(state, message),
			     .event = NO_EVENT };
	struct world *w = world_new(test_seed());
	struct cm_id *id;
	unsigned int told, sent[256], answers = 0;
	uint64_t count;

	w->deaf = true;
	id = active ? reach_active(w, state) : reach_passive(w, state);
	if (id->state != state)
		fail_msg("%s was not reached, but %s", cm_state_name(state),
			 cm_state_name(id->state));
	told = w->n_told;
	count = counted(w);
	memcpy(sent, w->sent, sizeof(sent));
	give(w, message, id);
	if (!row) {
		assert_true(counted(w) == count + 1);
		row = &usual;
	}
	for (unsigned int i = 0; i < 256; i++)
		answers += w->sent[i] - sent[i];
	if (id->state != row->next || answers != (row->answer != NONE) ||
	    (row->answer && w->sent[row->answer] == sent[row->answer]) ||
	    w->n_told - told != (row->event != NO_EVENT) ||
	    (row->event != NO_EVENT && w->told[told].event.type != row->event))
		fail_msg("%s, %s: %s, %u answers, %u events; %s was expected", cm_state_name(state),
			 cm_msg_name(attributes[message]), cm_state_name(id->state), answers,
			 w->n_told - told, cm_state_name(row->next));
	world_free(w);
}

static void every_message_in_every_state(void **state)
{
	(void)state;
	for (enum message m = REP; m < MESSAGES; m++)
		for (unsigned int i = 0;
		     m != SIDR_REQ && i < sizeof(active_states) / sizeof(active_states[0]); i++)
			one(active_states[i], true, m);
	for (enum message m = REQ; m < MESSAGES; m++)
		for (unsigned int i = 0; i < sizeof(passive_states) / sizeof(passive_states[0]);
		     i++) {
			bool sidr = passive_states[i] == CM_SIDR_REQ_RCVD ||
				    passive_states[i] == CM_SIDR_DONE;

			/* a request of the other kind begins something new */
			if ((m == REQ && sidr) || (m == SIDR_REQ && !sidr))
				continue;
			one(passive_states[i], false, m);
		}
}

static int call_one(struct cm_id *id, unsigned int call, const struct cm_path *path,
		    const struct cm_param *param)
{
	switch (call) {
	case 0:
		return cm_send_req(id, path, SERVICE, param, NULL, 0);
	case 1:
		return cm_send_rep(id, param, NULL, 0);
	case 2:
		return cm_send_rtu(id, NULL, 0);
	case 3:
		return cm_send_rej(id, CM_REJ_CONSUMER_DEFINED, NULL, 0);
	case 4:
		return cm_send_dreq(id, NULL, 0);
	case 5:
		return cm_send_drep(id, NULL, 0);
	case 6:
		return cm_established(id);
	case 7:
		return cm_send_sidr_req(id, path, SERVICE, NULL, 0);
	default:
		return cm_send_sidr_rep(id, CM_SIDR_OK, 1, 1, SERVICE, NULL, 0);
	}
}

/* Each call in each state: it says EINVAL and sends nothing where it has no business. */
static void every_call_in_every_state(void **state)
{
	static const struct {
		uint32_t in; /* bit by state */
	} allowed[] = {
		{ 1u << CM_IDLE },			       /* REQ */
		{ 1u << CM_REQ_RCVD | 1u << CM_MRA_REQ_SENT }, /* REP */
		{ 1u << CM_REP_RCVD | 1u << CM_MRA_REP_SENT }, /* RTU */
		{ 1u << CM_REQ_SENT | 1u << CM_REQ_RCVD | 1u << CM_MRA_REQ_SENT |
		  1u << CM_MRA_REQ_RCVD | 1u << CM_REP_SENT | 1u << CM_REP_RCVD |
		  1u << CM_MRA_REP_SENT | 1u << CM_MRA_REP_RCVD },		      /* REJ */
		{ 1u << CM_ESTABLISHED | 1u << CM_REP_SENT | 1u << CM_MRA_REP_RCVD }, /* DREQ */
		{ 1u << CM_DREQ_RCVD },						      /* DREP */
		{ 1u << CM_REP_SENT | 1u << CM_MRA_REP_RCVD }, /* established */
		{ 1u << CM_IDLE },			       /* SIDR_REQ */
		{ 1u << CM_SIDR_REQ_RCVD },		       /* SIDR_REP */
	};
	unsigned int tried = 0;

	(void)state;
	for (unsigned int call = 0; call < sizeof(allowed) / sizeof(allowed[0]); call++)
		for (unsigned int i = 0;
		     i < sizeof(active_states) / sizeof(active_states[0]) +
				 sizeof(passive_states) / sizeof(passive_states[0]);
		     i++) {
			unsigned int actives = sizeof(active_states) / sizeof(active_states[0]);
			enum cm_state in = i < actives ? active_states[i]
						       : passive_states[i - actives];
			struct world *w = world_new(test_seed());
			struct cm_id *id = i < actives ? reach_active(w, in) : reach_passive(w, in);
			struct cm_path path = world_path(w, A);
			struct cm_param param = world_param(OWN_QPN);
			uint64_t sent = w->cm[A].counters[CM_COUNT_SENT];
			bool may = allowed[call].in >> in & 1;
			int err;

			w->deaf = true;
			err = call_one(id, call, &path, &param);
			if (may != !err)
				fail_msg("call %u in %s: %d", call, cm_state_name(in), err);
			if (err)
				assert_true(id->state == in &&
					    w->cm[A].counters[CM_COUNT_SENT] == sent);
			tried++;
			world_free(w);
		}
	assert_int_equal(tried, 9 * 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_message_in_every_state),
					    cmocka_unit_test(every_call_in_every_state) };

	return cmocka_run_group_tests_name("cm_states", tests, NULL, NULL);
}
