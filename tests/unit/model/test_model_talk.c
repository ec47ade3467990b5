// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model: two of them over a channel that loses, repeats and reorders.  Every work request
 * has one outcome, in order; every byte of both memories is what the requests say; PSN and MSN end
 * where the number of messages says.
 *
 * Each side's memory: sources, which never change; cells for atomics; and slots that are used once,
 * so what memory has to be in the end does not depend on when anything was executed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "rng.h"

#define MEM_BYTES (4u << 20)
#define SOURCE_BYTES 65536u
#define CELLS 8
#define SLOTS_AT (SOURCE_BYTES + 8 * CELLS)
#define REQUESTS 300
#define RECV_BYTES 3100u
#define CHANNEL 512
#define PD 5

struct channel_cfg {
	unsigned int lose, repeat, delay_ns; /* percent, percent, at most */
};

struct flight {
	uint64_t at;
	struct model_packet packet;
};

/* What one work request has to end as. */
struct expected {
	bool signaled;
	enum model_op op;
	uint32_t key;	    /* SEND with invalidate: gone afterwards */
	uint64_t result_at; /* atomic: where the original goes */
	uint64_t original;
};

struct side {
	struct model *m;
	uint32_t qpn, key;
	uint64_t base;
	uint8_t *mem, *shadow;
	uint32_t slot;	       /* next free byte */
	uint64_t cells[CELLS]; /* as they are after all posted */
	struct expected sends[REQUESTS];
	uint32_t posted, done, messages;
	/* receives */
	struct {
		uint64_t at;
	} recvs[REQUESTS];
	struct {
		uint32_t len, imm, from;
		enum model_extra extra;
		bool write, solicited;
	} arrivals[REQUESTS];
	uint32_t recvs_posted, arrivals_due, arrivals_done;
	bool failed; /* one request has failed, the others are flushed */
	struct flight *inbox;
	unsigned int flying;
};

struct talk {
	struct rng rng;
	struct side side[2];
	struct channel_cfg channel;
	uint64_t now;
	uint32_t next_key, pmtu;
	enum cairn_transport transport;
	uint32_t poison; /* side 0 posts a WRITE to an unknown key; REQUESTS: never */
};

/* Choices that differ from packet to packet, and never for one packet. */
static bool choose_third(void *ctx, uint32_t qpn, uint32_t psn)
{
	(void)ctx;
	return (qpn + psn) % 3 == 0;
}

static bool choose_merge(void *ctx, uint32_t qpn, uint32_t waiting, uint32_t psn)
{
	(void)ctx;
	return (qpn + waiting + psn) % 2;
}

static bool cut_read(void *ctx, uint32_t qpn, uint32_t packet)
{
	(void)ctx, (void)qpn;
	return packet % 3 == 0;
}

static const struct model_hooks hooks = {
	.cut_read = cut_read,
	.merge_acks = choose_merge,
	.ack_unasked = choose_third,
	.ack_duplicate = choose_third,
	.ask_ack = choose_third,
};

static void side_begin(struct talk *t, unsigned int i, const struct model_qp_config *cfg)
{
	struct side *s = &t->side[i];
	struct model_region region;

	s->m = model_create(&hooks);
	s->qpn = cfg->qpn;
	s->key = 0x1100 + i;
	s->base = 0x7f0000000000ull + i * 0x123458;
	s->mem = malloc(MEM_BYTES);
	s->shadow = malloc(MEM_BYTES);
	s->inbox = malloc(CHANNEL * sizeof(*s->inbox));
	rng_bytes(&t->rng, s->mem, SOURCE_BYTES);
	memset(s->mem + SOURCE_BYTES, 0, MEM_BYTES - SOURCE_BYTES);
	memcpy(s->shadow, s->mem, MEM_BYTES);
	s->slot = SLOTS_AT;
	region = (struct model_region){ .key = s->key,
					.pd = PD,
					.rights = 15,
					.base = s->base,
					.length = MEM_BYTES,
					.data = s->mem };
	assert_int_equal(model_region_add(s->m, &region), 0);
	assert_int_equal(model_qp_create(s->m, cfg), 0);
	for (enum model_state to = MODEL_INIT; to <= MODEL_RTS; to++)
		assert_int_equal(model_qp_move(s->m, s->qpn, to), 0);
}

static void talk_begin(struct talk *t, uint64_t seed, enum cairn_transport transport,
		       const struct channel_cfg *channel)
{
	static const uint16_t pmtus[] = { 256, 512, 1024 };

	memset(t, 0, sizeof(*t));
	t->rng.state = seed;
	t->channel = *channel;
	t->now = 1;
	t->next_key = 0x2000;
	t->transport = transport;
	t->poison = REQUESTS;
	t->pmtu = pmtus[rng_below(&t->rng, 3)];
	uint32_t psn[2] = { (uint32_t)rng_below(&t->rng, 1 << 24),
			    0xffffff - (uint32_t)rng_below(&t->rng, 100) };
	uint8_t reads = (uint8_t)rng_range(&t->rng, 1, 16);

	for (unsigned int i = 0; i < 2; i++) {
		struct model_qp_config cfg = { .qpn = 0x123400 + i,
					       .transport = transport,
					       .pd = PD,
					       .rights = 15,
					       .pmtu = t->pmtu,
					       .pkey = 0xffff,
					       .peer_qpn = 0x123401 - i,
					       .gid = { [15] = (uint8_t)(1 + i) },
					       .peer_gid = { [15] = (uint8_t)(2 - i) },
					       .rq_psn = psn[!i],
					       .sq_psn = psn[i],
					       .max_rd_atomic = reads,
					       .max_dest_rd_atomic = reads,
					       .min_rnr_timer = 1,
					       .timeout = 2,
					       .retry_cnt = 7,
					       .rnr_retry = MODEL_RNR_FOREVER };

		cfg.policy.send_credits = cfg.policy.honour_credits = rng_percent(&t->rng, 50);
		cfg.policy.psn_window = rng_percent(&t->rng, 50) ? 24 : 0;
		side_begin(t, i, &cfg);
	}
}

static void talk_end(struct talk *t)
{
	for (unsigned int i = 0; i < 2; i++) {
		model_destroy(t->side[i].m);
		free(t->side[i].mem);
		free(t->side[i].shadow);
		free(t->side[i].inbox);
	}
}

/* ---------------------------------------------------------------- posting */

static uint32_t slot(struct talk *t, struct side *s, uint32_t len)
{
	uint32_t at = s->slot + (uint32_t)rng_below(&t->rng, 9);

	s->slot = at + len;
	assert_true(s->slot <= MEM_BYTES);
	return at;
}

/* {at, len} of a side's memory as one to four pieces. */
static unsigned int pieces(struct talk *t, const struct side *s, struct model_sge *sge, uint32_t at,
			   uint32_t len)
{
	unsigned int n = (unsigned int)rng_range(&t->rng, 1, 4);

	for (unsigned int i = 0; i < n; i++) {
		uint32_t part = i + 1 == n ? len : (uint32_t)rng_below(&t->rng, len + 1);

		sge[i] = (struct model_sge){ s->base + at, part, s->key };
		at += part;
		len -= part;
	}
	return n;
}

static void post_recv(struct talk *t, struct side *s)
{
	struct model_recv wr = { .id = s->recvs_posted };
	uint32_t at = slot(t, s, RECV_BYTES);

	wr.sges = pieces(t, s, wr.sge, at, RECV_BYTES);
	s->recvs[s->recvs_posted++].at = at;
	assert_int_equal(model_post_recv(s->m, s->qpn, &wr), 0);
}

static void post_atomic(struct talk *t, struct side *s, struct side *peer, struct model_send *wr,
			struct expected *e)
{
	unsigned int cell = (unsigned int)rng_below(&t->rng, CELLS);

	e->original = peer->cells[cell];
	e->result_at = slot(t, s, 8);
	memcpy(s->shadow + e->result_at, &e->original, 8);
	wr->sges = pieces(t, s, wr->sge, (uint32_t)e->result_at, 8);
	wr->remote_addr = peer->base + SOURCE_BYTES + 8 * cell;
	wr->swap_add = rng_u64(&t->rng);
	wr->compare = rng_percent(&t->rng, 50) ? e->original : rng_u64(&t->rng);
	if (wr->op == MODEL_FETCH_ADD)
		peer->cells[cell] += wr->swap_add;
	else if (wr->compare == e->original)
		peer->cells[cell] = wr->swap_add;
	memcpy(peer->shadow + SOURCE_BYTES + 8 * cell, &peer->cells[cell], 8);
}

/* The peer will see this message complete a receive. */
static void expect_arrival(struct talk *t, struct side *peer, const struct model_send *wr,
			   uint32_t len, uint32_t from)
{
	unsigned int i = peer->arrivals_due++;

	peer->arrivals[i].len = len;
	peer->arrivals[i].from = from;
	peer->arrivals[i].imm = wr->imm_or_key;
	peer->arrivals[i].extra = wr->extra;
	peer->arrivals[i].write = wr->op == MODEL_WRITE;
	peer->arrivals[i].solicited = wr->solicited;
	if (t->transport == CAIRN_TRANSPORT_UC) /* nobody waits for a receive */
		post_recv(t, peer);
}

static void invalidates(struct talk *t, struct side *peer, struct model_send *wr,
			struct expected *e)
{
	struct model_region region = {
		.key = t->next_key++, .pd = PD, .base = 0, .length = 1, .data = peer->mem
	};

	assert_int_equal(model_region_add(peer->m, &region), 0);
	wr->imm_or_key = e->key = region.key;
}

static void post_send(struct talk *t, struct side *s, struct side *peer)
{
	unsigned int kinds = t->transport == CAIRN_TRANSPORT_RC ? 5 : 2;
	struct model_send wr = { .id = s->posted,
				 .op = (enum model_op)rng_below(&t->rng, kinds),
				 .signaled = rng_percent(&t->rng, 70),
				 .solicited = rng_percent(&t->rng, 30),
				 .fence = rng_percent(&t->rng, 10),
				 .imm_or_key = (uint32_t)rng_u64(&t->rng),
				 .remote_key = peer->key };
	uint32_t len = rng_percent(&t->rng, 10) ? 0 : (uint32_t)rng_below(&t->rng, RECV_BYTES);
	uint32_t from = (uint32_t)rng_below(&t->rng, SOURCE_BYTES - len), to;
	struct expected *e = &s->sends[s->posted++];

	wr.op += wr.op >= MODEL_LOCAL; /* not that one */
	if (wr.op <= MODEL_WRITE)
		wr.extra =
			(enum model_extra)rng_below(&t->rng, wr.op == MODEL_SEND ? kinds - 2 : 2);
	s->messages++;
	e->signaled = wr.signaled;
	e->op = wr.op;
	if (s == &t->side[0] && wr.id == t->poison) {
		wr = (struct model_send){ .id = wr.id, .op = MODEL_WRITE, .remote_key = 1 };
		len += !len;
	}
	if (wr.extra == MODEL_INV)
		invalidates(t, peer, &wr, e);
	if (wr.op <= MODEL_WRITE)
		wr.sges = pieces(t, s, wr.sge, from, len);
	if (wr.op == MODEL_WRITE) {
		to = slot(t, peer, len);
		wr.remote_addr = peer->base + to;
		memcpy(peer->shadow + to, s->shadow + from, len);
	}
	if (wr.op == MODEL_READ) {
		to = slot(t, s, len);
		wr.sges = pieces(t, s, wr.sge, to, len);
		wr.remote_addr = peer->base + from;
		memcpy(s->shadow + to, peer->shadow + from, len);
		s->messages += len ? (len - 1) / (3 * t->pmtu) : 0;
	}
	if (wr.op > MODEL_READ)
		post_atomic(t, s, peer, &wr, e);
	if (wr.op == MODEL_SEND || wr.extra == MODEL_IMM)
		expect_arrival(t, peer, &wr, len, from);
	assert_int_equal(model_post_send(s->m, s->qpn, &wr), 0);
}

/* ---------------------------------------------------------------- the channel */

static void fly(struct talk *t, struct side *to, const struct model_packet *packet)
{
	unsigned int copies = rng_percent(&t->rng, t->channel.lose) ? 0 : 1;

	copies += copies && rng_percent(&t->rng, t->channel.repeat);
	while (copies--) {
		assert_true(to->flying < CHANNEL);
		to->inbox[to->flying].at =
			t->now + 50 + rng_below(&t->rng, t->channel.delay_ns + 1);
		to->inbox[to->flying++].packet = *packet;
	}
}

/* The packet whose time has come first, if any. */
static void arrive(struct talk *t, struct side *s)
{
	unsigned int first = 0;
	struct model_packet packet;

	for (unsigned int i = 1; i < s->flying; i++)
		if (s->inbox[i].at < s->inbox[first].at)
			first = i;
	if (!s->flying || s->inbox[first].at > t->now)
		return;
	packet = s->inbox[first].packet;
	memmove(&s->inbox[first], &s->inbox[first + 1], (--s->flying - first) * sizeof(*s->inbox));
	model_receive(s->m, &packet, t->now);
}

/* ---------------------------------------------------------------- outcomes */

static void send_done(struct side *s, const struct side *peer, const struct model_completion *c)
{
	assert_int_equal(c->status, MODEL_SUCCESS);
	while (s->done < c->id)
		assert_false(s->sends[s->done++].signaled);
	assert_int_equal(c->id, s->done);
	assert_true(s->sends[s->done].signaled);
	if (s->sends[s->done].op > MODEL_READ)
		assert_memory_equal(s->mem + s->sends[s->done].result_at,
				    &s->sends[s->done].original, 8);
	if (s->sends[s->done].key)
		assert_false(model_region_valid(peer->m, s->sends[s->done].key));
	s->done++;
}

/* Each request still has one outcome: success in order, one failure, flushed all that follow. */
static void broken_send_done(struct side *s, const struct model_completion *c)
{
	while (s->done < c->id) {
		assert_false(s->failed || s->sends[s->done].signaled);
		s->done++;
	}
	assert_int_equal(c->id, s->done++);
	if (s->failed)
		assert_int_equal(c->status, MODEL_WR_FLUSH_ERR);
	else if (c->status != MODEL_REM_ACCESS_ERR && c->status != MODEL_RETRY_EXC_ERR &&
		 c->status != MODEL_WR_FLUSH_ERR)
		assert_int_equal(c->status, MODEL_SUCCESS);
	s->failed |= c->status != MODEL_SUCCESS;
}

static void recv_done(struct side *s, const struct side *peer, const struct model_completion *c)
{
	unsigned int i = s->arrivals_done++;

	if (c->status == MODEL_WR_FLUSH_ERR && model_qp_state(s->m, s->qpn) == MODEL_ERR) {
		assert_int_equal(c->id, i);
		return;
	}
	assert_int_equal(c->status, MODEL_SUCCESS);
	assert_true(i < s->arrivals_due);
	assert_int_equal(c->id, i);
	assert_int_equal(c->byte_len, s->arrivals[i].len);
	assert_int_equal(c->with_imm, s->arrivals[i].extra == MODEL_IMM);
	assert_int_equal(c->with_inv, s->arrivals[i].extra == MODEL_INV);
	assert_int_equal(c->write_imm, s->arrivals[i].write);
	assert_int_equal(c->solicited, s->arrivals[i].solicited);
	if (s->arrivals[i].extra)
		assert_int_equal(c->imm_or_key, s->arrivals[i].imm);
	if (!s->arrivals[i].write)
		memcpy(s->shadow + s->recvs[i].at, peer->shadow + s->arrivals[i].from, c->byte_len);
}

static void outcomes(struct talk *t)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct side *s = &t->side[i], *peer = &t->side[!i];
		struct model_completion c;

		while (model_completion(s->m, &c)) {
			if (c.recv)
				recv_done(s, peer, &c);
			else if (t->poison < REQUESTS)
				broken_send_done(s, &c);
			else
				send_done(s, peer, &c);
		}
	}
}

/* ---------------------------------------------------------------- running */

/* One side does one thing at random.  True: a packet left. */
static bool act(struct talk *t, struct side *s, struct side *peer)
{
	struct model_packet packet;

	if (s->posted < REQUESTS && rng_percent(&t->rng, 20))
		post_send(t, s, peer);
	if (s->recvs_posted < s->arrivals_due && rng_percent(&t->rng, 10))
		post_recv(t, s);
	if (model_deadline(s->m, s->qpn) <= t->now && rng_percent(&t->rng, 50))
		model_timeout(s->m, s->qpn, t->now);
	if (rng_percent(&t->rng, 50) ? model_transmit(s->m, s->qpn, t->now, &packet)
				     : model_respond(s->m, s->qpn, &packet)) {
		fly(t, peer, &packet);
		return true;
	}
	return false;
}

static bool finished(const struct talk *t)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct model_view v;

		model_look(t->side[i].m, t->side[i].qpn, &v);
		if (t->poison < REQUESTS && v.recvs)
			return false;
		if (t->side[i].posted < REQUESTS || v.sends || v.answers || t->side[i].flying)
			return false;
	}
	return true;
}

static void run(struct talk *t)
{
	unsigned int idle = 0;

	for (unsigned int step = 0; !finished(t); step++) {
		bool busy = false;

		assert_true(step < 2000000);
		t->now += 20;
		for (unsigned int i = 0; i < 2; i++) {
			arrive(t, &t->side[i]);
			busy |= act(t, &t->side[i], &t->side[!i]);
		}
		outcomes(t);
		idle = busy ? 0 : idle + 1;
		if (idle > 100) /* everybody waits */
			t->now += 5000;
	}
}

static void check_end(struct talk *t)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct side *s = &t->side[i], *peer = &t->side[!i];
		struct model_view mine, theirs;
		struct model_event event;

		model_look(s->m, s->qpn, &mine);
		model_look(peer->m, peer->qpn, &theirs);
		while (s->done < REQUESTS)
			assert_false(s->sends[s->done++].signaled);
		assert_int_equal(mine.una, mine.next);
		assert_int_equal(theirs.epsn, mine.next);
		assert_int_equal(theirs.msn, t->transport == CAIRN_TRANSPORT_RC ? s->messages : 0);
		assert_int_equal(s->arrivals_done, s->arrivals_due);
		assert_memory_equal(s->mem, s->shadow, MEM_BYTES);
		assert_false(model_event(s->m, &event));
		assert_int_equal(model_qp_state(s->m, s->qpn), MODEL_RTS);
	}
}

static void check_broken(struct talk *t)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct side *s = &t->side[i];

		assert_int_equal(model_qp_state(s->m, s->qpn), MODEL_ERR);
		assert_int_equal(s->done, REQUESTS);
		assert_int_equal(s->arrivals_done, s->recvs_posted);
	}
	assert_true(t->side[0].failed);
}

static void talk(enum cairn_transport transport, const struct channel_cfg *channel, unsigned int n)
{
	struct talk *t = malloc(sizeof(*t));

	while (n--) {
		uint64_t seed = test_seed() + n;

		print_message("SEED=%#llx\n", (unsigned long long)seed);
		talk_begin(t, seed, transport, channel);
		run(t);
		check_end(t);
		talk_end(t);
	}
	free(t);
}

static void perfect(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 0, 0, 0 }, 4);
}

static void lossy(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 3, 0, 0 }, 4);
}

static void repeating(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 0, 20, 0 }, 4);
}

static void reordering(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 0, 0, 100 }, 4);
}

static void all_of_it(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 3, 10, 60 }, 8);
}

static void poisoned(void **state)
{
	struct talk *t = malloc(sizeof(*t));

	(void)state;
	for (unsigned int n = 0; n < 6; n++) {
		uint64_t seed = test_seed() + n;

		print_message("SEED=%#llx\n", (unsigned long long)seed);
		talk_begin(t, seed, CAIRN_TRANSPORT_RC, &(struct channel_cfg){ 3, 10, 60 });
		t->poison = 40 * n;
		run(t);
		check_broken(t);
		talk_end(t);
	}
	free(t);
}

static void unreliable(void **state)
{
	(void)state;
	talk(CAIRN_TRANSPORT_UC, &(struct channel_cfg){ 0, 0, 0 }, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perfect),    cmocka_unit_test(lossy),
		cmocka_unit_test(repeating),  cmocka_unit_test(reordering),
		cmocka_unit_test(all_of_it),  cmocka_unit_test(poisoned),
		cmocka_unit_test(unreliable),
	};

	return cmocka_run_group_tests_name("model_talk", tests, NULL, NULL);
}
