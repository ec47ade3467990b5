// SPDX-License-Identifier: Apache-2.0
/*
 * The connection manager's machine: fields of messages, what two ends agree on, time-outs, refusals
 * and stale connections.
 */
#include <errno.h>
#include <stdio.h>

#include "cm_world.h"

/* ---------------------------------------------------------------- fields */

static const struct {
	const char *name;
	struct cm_field field;
} all_fields[] = {
#define CM_FIELD(name, field, byte, bit, bits) { #name "." #field, { byte, bit, bits } },
#include "cm_msg.def"
};

static void fields(void **state)
{
	struct rng rng = { test_seed() };

	(void)state;
	for (unsigned int i = 0; i < sizeof(all_fields) / sizeof(all_fields[0]); i++) {
		struct cm_field f = all_fields[i].field;
		uint64_t mask = f.bits == 64 ? UINT64_MAX : (1ull << f.bits) - 1;

		for (unsigned int n = 0; n < 20; n++) {
			uint8_t before[MAD_BYTES], after[MAD_BYTES];
			uint64_t value = rng_u64(&rng);

			rng_bytes(&rng, before, sizeof(before));
			memcpy(after, before, sizeof(after));
			cm_set(after, f, value); /* what is too wide is cut */
			if (cm_get(after, f) != (value & mask))
				fail_msg("%s: 0x%llx", all_fields[i].name,
					 (unsigned long long)value);
			cm_set(after, f, cm_get(before, f));
			assert_memory_equal(before, after, sizeof(after));
		}
	}
}

/* A REQ and its REP of Linux's rdma_cm (rping over rxe, 6.1): the bytes that are not zero. */
struct piece {
	unsigned int at;
	const char *hex;
};

static const struct piece linux_req[] = {
	{ 0, "0107020300000000000000027dd895270010" },
	{ 24, "2795d87d000000000000000001061c06505400fffe123402" },
	{ 56, "00004401000000010000 00a0089690a7ffff57f0ffffffff" },
	{ 80, "00000000000000000000ffffc0a8640200000000000000000000ffffc0a86401" },
	{ 112, "0002e002004000980000" },
	{ 164, "004084bc000000000000000000000000c0a86402000000000000000000000000c0a86401" },
};

static const struct piece linux_rep[] = {
	{ 0, "0107020300000000000000027dd895270013" },
	{ 24, "94f4d9892795d87d00000000000044000000000067f0e900010178e0505400fffe123401" },
};

static void put_pieces(uint8_t *mad, const struct piece *piece, unsigned int n)
{
	memset(mad, 0, MAD_BYTES);
	for (unsigned int i = 0; i < n; i++) {
		unsigned int at = piece[i].at, byte;

		for (const char *p = piece[i].hex; *p; p += *p == ' ' ? 1 : 2)
			if (*p != ' ' && sscanf(p, "%2x", &byte) == 1)
				mad[at++] = (uint8_t)byte;
	}
}

static void what_linux_sends(void **state)
{
	uint8_t mad[MAD_BYTES];
	const uint8_t *ip = CM_AT(mad, REQ, PRIVATE_DATA);

	(void)state;
	put_pieces(mad, linux_req, sizeof(linux_req) / sizeof(linux_req[0]));
	assert_int_equal(MAD_GET(mad, ATTRIBUTE_ID), CM_ATTR_REQ);
	assert_int_equal(CM_GET(mad, REQ, LOCAL_COMM_ID), 0x2795d87d);
	assert_int_equal(CM_GET(mad, REQ, SERVICE_ID), 0x01061c06);
	assert_int_equal(CM_GET(mad, REQ, LOCAL_CA_GUID), 0x505400fffe123402);
	assert_int_equal(CM_GET(mad, REQ, LOCAL_QPN), 0x44);
	assert_int_equal(CM_GET(mad, REQ, RESPONDER_RESOURCES), 1);
	assert_int_equal(CM_GET(mad, REQ, INITIATOR_DEPTH), 1);
	assert_int_equal(CM_GET(mad, REQ, REMOTE_RESPONSE_TIMEOUT), 0x14);
	assert_int_equal(CM_GET(mad, REQ, STARTING_PSN), 0x089690);
	assert_int_equal(CM_GET(mad, REQ, LOCAL_RESPONSE_TIMEOUT), 0x14);
	assert_int_equal(CM_GET(mad, REQ, RETRY_COUNT), 7);
	assert_int_equal(CM_GET(mad, REQ, PKEY), 0xffff);
	assert_int_equal(CM_GET(mad, REQ, PATH_MTU), 5);
	assert_int_equal(CM_GET(mad, REQ, RNR_RETRY_COUNT), 7);
	assert_int_equal(CM_GET(mad, REQ, MAX_CM_RETRIES), 15);
	assert_int_equal(CM_GET(mad, REQ, PRIMARY_LOCAL_LID), 0xffff);
	assert_int_equal(CM_GET(mad, REQ, PRIMARY_FLOW_LABEL), 0x2e);
	assert_int_equal(CM_GET(mad, REQ, PRIMARY_PACKET_RATE), 2);
	assert_int_equal(CM_GET(mad, REQ, PRIMARY_HOP_LIMIT), 0x40);
	assert_int_equal(CM_GET(mad, REQ, PRIMARY_ACK_TIMEOUT), 0x13);
	assert_int_equal(CM_AT(mad, REQ, PRIMARY_LOCAL_GID)[15], 2);
	assert_int_equal(CM_AT(mad, REQ, PRIMARY_REMOTE_GID)[15], 1);
	assert_int_equal(cm_get(ip, cm_IP_IP_VERSION), 4);
	assert_int_equal(cm_get(ip, cm_IP_SOURCE_PORT), 0x84bc);
	put_pieces(mad, linux_rep, sizeof(linux_rep) / sizeof(linux_rep[0]));
	assert_int_equal(CM_GET(mad, REP, LOCAL_COMM_ID), 0x94f4d989);
	assert_int_equal(CM_GET(mad, REP, REMOTE_COMM_ID), 0x2795d87d);
	assert_int_equal(CM_GET(mad, REP, LOCAL_QPN), 0x44);
	assert_int_equal(CM_GET(mad, REP, STARTING_PSN), 0x67f0e9);
	assert_int_equal(CM_GET(mad, REP, TARGET_ACK_DELAY), 15);
	assert_int_equal(CM_GET(mad, REP, RNR_RETRY_COUNT), 7);
	assert_int_equal(CM_GET(mad, REP, LOCAL_CA_GUID), 0x505400fffe123401);
}

static void ack_timeouts(void **state)
{
	(void)state;
	/* 12.7.34: twice the lifetime and the delay, as a power of two */
	assert_int_equal(cm_ack_timeout(16, 0), 17);
	assert_int_equal(cm_ack_timeout(16, 15), 17);
	assert_int_equal(cm_ack_timeout(16, 16), 18);
	assert_int_equal(cm_ack_timeout(16, 17), 18);
	assert_int_equal(cm_ack_timeout(16, 18), 19);
	assert_int_equal(cm_ack_timeout(10, 20), 20);
	assert_int_equal(cm_ack_timeout(31, 31), 31);
}

/* ---------------------------------------------------------------- a connection */

static void agreement(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_id *a, *b;
	const struct told *told;

	(void)state;
	world_connect(w, &a, &b);
	assert_int_equal(a->state, CM_ESTABLISHED);
	assert_int_equal(b->state, CM_ESTABLISHED);
	assert_int_equal(w->sent[CM_ATTR_REQ] + w->sent[CM_ATTR_REP] + w->sent[CM_ATTR_RTU], 3);
	assert_int_equal(w->n_told, 3);
	told = &w->told[0];
	assert_int_equal(told->event.type, CM_EVENT_REQ);
	assert_int_equal(told->event.service_id, SERVICE);
	assert_int_equal(told->first, 'q');
	assert_int_equal(told->event.private_bytes, 92);
	told = &w->told[1];
	assert_int_equal(told->event.type, CM_EVENT_REP);
	assert_int_equal(told->first, 'p');
	assert_int_equal(told->event.private_bytes, 196);
	assert_int_equal(w->told[2].first, 'u');
	assert_int_equal(a->remote.qpn, 0x456);
	assert_int_equal(b->remote.qpn, 0x123);
	assert_int_equal(a->remote.starting_psn, 0x456 * 3);
	assert_int_equal(b->remote.starting_psn, 0x123 * 3);
	assert_int_equal(b->remote.responder_resources, 4);
	assert_int_equal(b->remote.initiator_depth, 5);
	assert_int_equal(b->remote.retry_count, 6);
	assert_int_equal(b->remote.rnr_retry_count, 5);
	assert_int_equal(a->ack_timeout, 17);
	assert_int_equal(b->ack_timeout, 17);
	assert_int_equal(cm_send_dreq(b, "d", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(a->state, CM_DREQ_RCVD);
	assert_int_equal(world_last(w, A)->first, 'd');
	assert_int_equal(cm_send_drep(a, "r", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, B)->event.type, CM_EVENT_DREP);
	assert_int_equal(world_last(w, B)->first, 'r');
	/* TIMEWAIT: as long as an ACK may take, and no longer */
	assert_int_equal(b->state, CM_TIMEWAIT);
	world_run(w, (4096ull << 17) - 20 * WAY_NS);
	assert_int_equal(a->state, CM_TIMEWAIT);
	world_run(w, 40 * WAY_NS);
	assert_int_equal(a->state, CM_IDLE);
	assert_int_equal(b->state, CM_IDLE);
	assert_int_equal(world_count(w, A, CM_EVENT_TIMEWAIT_END), 1);
	cm_destroy(a);
	cm_destroy(b);
	assert_int_equal(w->cm[A].ids + w->cm[B].ids, 0);
	world_free(w);
}

static void private_data(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	uint8_t long_one[256] = { 0 };
	struct cm_id *id = world_id(w, A);

	(void)state;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, long_one, 93), EINVAL);
	param.transport = 2;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), EINVAL);
	param.transport = CM_TRANSPORT_UC;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, long_one, 92), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(w->accepted->remote.transport, CM_TRANSPORT_UC);
	assert_int_equal(cm_send_rep(w->accepted, &param, long_one, 197), EINVAL);
	assert_int_equal(cm_send_rej(w->accepted, 28, long_one, 149), EINVAL);
	assert_int_equal(cm_send_rep(w->accepted, &param, long_one, 196), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(cm_send_rtu(id, long_one, 225), EINVAL);
	assert_int_equal(cm_send_rtu(id, long_one, 224), 0);
	assert_int_equal(cm_send_dreq(id, long_one, 221), EINVAL);
	assert_int_equal(cm_send_sidr_req(world_id(w, A), &path, SERVICE, long_one, 217), EINVAL);
	world_free(w);
}

/* ---------------------------------------------------------------- time */

static void nobody_answers(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	struct cm_id *id = world_id(w, A);
	uint64_t each = (4096ull << 20) + 2 * (4096ull << 16);

	(void)state;
	w->deaf = true;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	for (unsigned int i = 1; i <= 16; i++) {
		assert_int_equal(w->sent[CM_ATTR_REQ], i);
		world_run(w, each - 1);
		assert_int_equal(w->sent[CM_ATTR_REQ], i);
		assert_int_equal(w->n_told, 0);
		world_run(w, 1);
	}
	assert_int_equal(w->sent[CM_ATTR_REQ], 16);
	assert_int_equal(w->sent[CM_ATTR_REJ],
			 1); /* for one who has heard it, and cannot be heard */
	assert_int_equal(world_last(w, A)->event.type, CM_EVENT_REQ_ERROR);
	assert_int_equal(w->n_told, 1);
	assert_int_equal(id->state, CM_IDLE);
	assert_int_equal(w->cm[A].counters[CM_COUNT_REPEATED], 15);
	assert_int_equal(w->cm[A].counters[CM_COUNT_TIMEOUTS], 1);
	/* may be used again */
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	world_free(w);
}

/* The one who accepts, then the one who disconnects, hears nothing. */
static void no_rtu_no_drep(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	struct cm_id *a = world_id(w, A), *b;

	(void)state;
	w->cm[A].max_retries = 3; /* goes with the REQ */
	assert_int_equal(cm_send_req(a, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	w->deaf = true;
	cm_destroy(a);
	assert_int_equal(cm_send_rep(w->accepted, &param, NULL, 0), 0);
	world_finish(w);
	assert_int_equal(w->sent[CM_ATTR_REP], 4);
	assert_int_equal(world_count(w, B, CM_EVENT_REP_ERROR), 1);
	assert_int_equal(world_count(w, B, CM_EVENT_TIMEWAIT_END), 1);
	w->deaf = false;
	world_connect(w, &a, &b);
	w->deaf = true;
	assert_int_equal(cm_send_dreq(b, NULL, 0), 0);
	world_finish(w);
	assert_int_equal(w->sent[CM_ATTR_DREQ], 4);
	assert_int_equal(world_count(w, B, CM_EVENT_DREQ_ERROR), 1);
	assert_int_equal(b->state, CM_IDLE);
	world_free(w);
}

/* A program that thinks: the second REQ is answered by an MRA, and the peer waits as it says. */
static void thinking(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	struct cm_id *a = world_id(w, A);

	(void)state;
	assert_int_equal(cm_send_req(a, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 60000000000ull);
	assert_int_equal(a->state, CM_MRA_REQ_RCVD);
	assert_int_equal(w->sent[CM_ATTR_REQ], 2);
	assert_int_equal(w->sent[CM_ATTR_MRA], 1);
	assert_int_equal(cm_send_rep(w->accepted, &param, NULL, 0), 0);
	world_run(w, 10000000000ull);
	assert_int_equal(a->state, CM_MRA_REP_SENT);
	world_run(w, 50000000000ull);
	assert_int_equal(w->sent[CM_ATTR_REP], 2);
	assert_int_equal(cm_send_rtu(a, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(w->accepted->state, CM_ESTABLISHED);
	assert_int_equal(w->n_told, 3);
	world_free(w);
}

/* ---------------------------------------------------------------- refusals */

static void refused(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	struct cm_id *id = world_id(w, A);

	(void)state;
	w->refuse = CM_REJ_INVALID_SERVICE_ID;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, A)->event.type, CM_EVENT_REJ);
	assert_int_equal(world_last(w, A)->event.reason, CM_REJ_INVALID_SERVICE_ID);
	assert_int_equal(w->cm[B].ids, 0);
	w->refuse = 0;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(cm_send_rej(w->accepted, CM_REJ_CONSUMER_DEFINED, "n", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, A)->event.reason, CM_REJ_CONSUMER_DEFINED);
	assert_int_equal(world_last(w, A)->first, 'n');
	cm_destroy(w->accepted);
	w->accepted = NULL;
	/* the other way round: who asked does not want any more */
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(cm_send_rep(w->accepted, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	cm_destroy(id);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, B)->event.type, CM_EVENT_REJ);
	cm_destroy(w->accepted);
	world_finish(w);
	assert_int_equal(w->cm[A].ids + w->cm[B].ids, 0);
	world_free(w);
}

/* Given up before it was answered: the REJ names the connection by the asker's number and GUID. */
static void given_up(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(5);
	struct cm_id *id = world_id(w, A);

	(void)state;
	assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	cm_destroy(id);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, B)->event.type, CM_EVENT_REJ);
	assert_int_equal(world_last(w, B)->event.reason, CM_REJ_TIMEOUT);
	assert_int_equal(w->accepted->state, CM_IDLE);
	assert_int_equal(cm_send_rep(w->accepted, &param, NULL, 0), EINVAL);
	world_free(w);
}

/* What a REQ must not say, and why it is refused. */
static void senseless(void **state)
{
	static const struct {
		struct cm_field field;
		unsigned int value, reason;
	} bad[] = {
		{ { 43, 5, 2 }, 2, CM_REJ_INVALID_TRANSPORT_TYPE }, /* RD */
		{ { 51, 5, 3 }, 1, CM_REJ_INVALID_TRANSPORT_TYPE }, /* XRC */
		{ { 50, 0, 4 }, 0, CM_REJ_INVALID_MTU },
		{ { 50, 0, 4 }, 6, CM_REJ_INVALID_MTU },
		{ { 32, 0, 24 }, 0, CM_REJ_NO_QP },
		{ { 87, 0, 8 }, 77, CM_REJ_INVALID_GID }, /* not to us */
		{ { 71, 0, 8 }, 77, CM_REJ_UNSUPPORTED }, /* QPs elsewhere */
	};
	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct world *w = world_new(test_seed());
		struct cm_path path = world_path(w, A);
		struct cm_param param = world_param(5);
		struct cm_id *id = world_id(w, A);

		assert_int_equal(cm_send_req(id, &path, SERVICE, &param, NULL, 0), 0);
		cm_set(w->flying[0].mad + MAD_HEADER_BYTES, bad[i].field, bad[i].value);
		world_run(w, 10 * WAY_NS);
		assert_int_equal(world_count(w, B, CM_EVENT_REQ), 0);
		assert_int_equal(world_last(w, A)->event.type, CM_EVENT_REJ);
		assert_int_equal(world_last(w, A)->event.reason, bad[i].reason);
		world_free(w);
	}
}

static void malformed(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, B);
	static const uint8_t bytes[] = { 0, 1, 2, 3, 17 };
	uint8_t mad[MAD_BYTES];

	(void)state;
	for (unsigned int i = 0; i < sizeof(bytes); i++) {
		cm_msg_init(mad, CM_ATTR_REQ, 1);
		mad[bytes[i]] ^= 0x40;
		assert_non_null(cm_receive(&w->cm[B], &path, mad));
		assert_int_equal(w->cm[B].counters[CM_COUNT_MALFORMED], i + 1);
	}
	assert_int_equal(w->cm[B].counters[CM_COUNT_RECEIVED], 0);
	assert_int_equal(w->n_told + w->n_flying, 0);
	world_free(w);
}

/* Whoever has forgotten everything and takes the same QP again. */
static void stale(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(0x123);
	struct cm_id *a, *b, *again;

	(void)state;
	world_connect(w, &a, &b);
	again = world_id(w, A);
	assert_int_equal(cm_send_req(again, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, B)->event.type, CM_EVENT_STALE);
	assert_int_equal(b->state, CM_TIMEWAIT);
	assert_int_equal(world_last(w, A)->event.reason, CM_REJ_STALE_CONN);
	assert_int_equal(w->cm[B].counters[CM_COUNT_STALE], 1);
	/* and in the answer */
	world_free(w);
	w = world_new(test_seed());
	world_connect(w, &a, &b);
	path = world_path(w, A);
	again = world_id(w, A);
	param = world_param(0x124);
	w->accepted = NULL;
	assert_int_equal(cm_send_req(again, &path, SERVICE, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	param = world_param(0x456);
	assert_int_equal(cm_send_rep(w->accepted, &param, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(a->state, CM_TIMEWAIT);
	assert_int_equal(world_last(w, A)->event.reason, CM_REJ_STALE_CONN);
	assert_int_equal(world_last(w, B)->event.reason, CM_REJ_STALE_CONN);
	world_free(w);
}

/* A DREQ of a QP that is not ours, and to one whose numbers are right but the QP is not. */
static void wrong_dreq(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_id *a, *b;
	uint8_t mad[MAD_BYTES];

	(void)state;
	world_connect(w, &a, &b);
	cm_msg_init(mad, CM_ATTR_DREQ, 1);
	CM_SET(mad, DREQ, LOCAL_COMM_ID, a->local_id);
	CM_SET(mad, DREQ, REMOTE_COMM_ID, b->local_id);
	CM_SET(mad, DREQ, REMOTE_QPN, 0x999);
	world_deliver(w, B, mad);
	assert_int_equal(b->state, CM_ESTABLISHED);
	assert_int_equal(w->cm[B].counters[CM_COUNT_UNMATCHED], 1);
	assert_int_equal(w->sent[CM_ATTR_DREP], 0);
	CM_SET(mad, DREQ, LOCAL_COMM_ID, a->local_id + 1);
	world_deliver(w, B, mad);
	assert_int_equal(b->state, CM_ESTABLISHED);
	assert_int_equal(w->sent[CM_ATTR_DREP], 1); /* whoever it was is told that it is over */
	world_free(w);
}

/* ---------------------------------------------------------------- SIDR */

static void services(void **state)
{
	struct world *w = world_new(test_seed());
	struct cm_path path = world_path(w, A);
	struct cm_id *id = world_id(w, A);

	(void)state;
	assert_int_equal(cm_send_sidr_req(id, &path, SERVICE, "s", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, B)->event.type, CM_EVENT_SIDR_REQ);
	assert_int_equal(world_last(w, B)->first, 's');
	assert_int_equal(world_last(w, B)->event.private_bytes, 216);
	assert_int_equal(cm_send_sidr_rep(w->accepted, CM_SIDR_OK, 0x77, 0x88, SERVICE, "t", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, A)->event.type, CM_EVENT_SIDR_REP);
	assert_int_equal(world_last(w, A)->event.param.qpn, 0x77);
	assert_int_equal(world_last(w, A)->event.qkey, 0x88);
	assert_int_equal(world_last(w, A)->first, 't');
	w->refuse = CM_REJ_INVALID_SERVICE_ID;
	assert_int_equal(cm_send_sidr_req(id, &path, SERVICE, NULL, 0), 0);
	/* the same number once more: the old answer is kept for it, until it cannot come again */
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, A)->event.reason, CM_SIDR_OK);
	cm_destroy(w->accepted);
	cm_destroy(id);
	world_finish(w);
	assert_int_equal(w->cm[A].ids + w->cm[B].ids, 0);
	id = world_id(w, A);
	assert_int_equal(cm_send_sidr_req(id, &path, SERVICE, NULL, 0), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(world_last(w, A)->event.reason, CM_SIDR_UNSUPPORTED);
	w->deaf = true;
	assert_int_equal(cm_send_sidr_req(id, &path, SERVICE, NULL, 0), 0);
	world_finish(w);
	assert_int_equal(world_last(w, A)->event.type, CM_EVENT_SIDR_ERROR);
	assert_int_equal(w->sent[CM_ATTR_SIDR_REQ], 3 + 16);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),	  cmocka_unit_test(what_linux_sends),
		cmocka_unit_test(ack_timeouts),	  cmocka_unit_test(agreement),
		cmocka_unit_test(private_data),	  cmocka_unit_test(nobody_answers),
		cmocka_unit_test(no_rtu_no_drep), cmocka_unit_test(thinking),
		cmocka_unit_test(refused),	  cmocka_unit_test(given_up),
		cmocka_unit_test(senseless),	  cmocka_unit_test(malformed),
		cmocka_unit_test(stale),	  cmocka_unit_test(wrong_dreq),
		cmocka_unit_test(services),
	};

	return cmocka_run_group_tests_name("cm", tests, NULL, NULL);
}
