// SPDX-License-Identifier: Apache-2.0
/* The world of cm_world.h. */
#include "cm_world.h"

static int end_of(const struct world *w, const struct cm *cm)
{
	return cm == &w->cm[B];
}

struct end {
	struct world *w;
	int end;
};

static struct end ends[2];

static uint64_t now(void *arg)
{
	return ((struct end *)arg)->w->now;
}

static uint32_t random_number(void *arg)
{
	return (uint32_t)rng_u64(&((struct end *)arg)->w->rng);
}

static int own_gid(void *arg, const uint8_t gid[CM_GID_BYTES])
{
	struct end *end = arg;

	return memcmp(gid, end->w->gid[end->end], CM_GID_BYTES) ? -1 : 0;
}

static void fly(struct world *w, int to, const struct cm_path *path, const uint8_t *mad,
		uint64_t at)
{
	struct flying *f = &w->flying[w->n_flying++];

	assert_true(w->n_flying < MAX_FLYING);
	f->at = at;
	f->to = to;
	f->path = *path;
	memcpy(f->path.sgid, path->dgid, CM_GID_BYTES);
	memcpy(f->path.dgid, path->sgid, CM_GID_BYTES);
	memcpy(f->mad, mad, MAD_BYTES);
}

static void send_mad(void *arg, const struct cm_path *path, const uint8_t mad[MAD_BYTES])
{
	struct end *end = arg;
	struct world *w = end->w;
	uint64_t at = w->now + WAY_NS;

	assert_memory_equal(path->sgid, w->gid[end->end], CM_GID_BYTES);
	assert_memory_equal(path->dgid, w->gid[!end->end], CM_GID_BYTES);
	w->sent[MAD_GET(mad, ATTRIBUTE_ID)]++;
	if (rng_percent(&w->rng, w->lost))
		return;
	if (rng_percent(&w->rng, w->late))
		at += rng_below(&w->rng, 20000000000ull);
	fly(w, !end->end, path, mad, at);
	if (rng_percent(&w->rng, w->twice))
		fly(w, !end->end, path, mad, at + rng_below(&w->rng, 3 * WAY_NS));
}

static void keep(struct cm_id *id, const struct cm_event *event)
{
	struct world *w = ends[0].w;
	struct told *told = &w->told[w->n_told++];

	assert_true(w->n_told < MAX_TOLD);
	told->end = end_of(w, id->cm);
	told->id = id;
	told->event = *event;
	told->first = event->private_bytes ? event->private_data[0] : 0;
}

static unsigned int request(void *arg, struct cm_id *id, const struct cm_event *event)
{
	struct world *w = ((struct end *)arg)->w;

	if (w->refuse)
		return w->refuse;
	id->fn = keep;
	assert_true(w->n_more < MAX_MORE);
	if (w->accepted)
		w->more[w->n_more++] = id;
	else
		w->accepted = id;
	keep(id, event);
	return 0;
}

struct world *world_new(uint64_t seed)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->rng.state = seed;
	w->now = 1000000000;
	for (int i = 0; i < 2; i++) {
		struct cm_env env = { .send = send_mad,
				      .now = now,
				      .random = random_number,
				      .request = request,
				      .own_gid = own_gid,
				      .arg = &ends[i] };

		ends[i] = (struct end){ w, i };
		w->gid[i][0] = 0xfd;
		w->gid[i][15] = (uint8_t)(1 + i);
		assert_int_equal(cm_init(&w->cm[i], &env,
					 0x1111000000000000ull * (1u + (unsigned int)i)),
				 0);
	}
	return w;
}

void world_free(struct world *w)
{
	for (int i = 0; i < 2; i++)
		cm_end(&w->cm[i]);
	free(w);
}

static bool arrive(struct world *w, uint64_t until)
{
	unsigned int first = 0;
	struct flying f;

	for (unsigned int i = 1; i < w->n_flying; i++)
		if (w->flying[i].at < w->flying[first].at)
			first = i;
	if (!w->n_flying || w->flying[first].at > until)
		return false;
	f = w->flying[first];
	w->flying[first] = w->flying[--w->n_flying];
	if (f.at > w->now)
		w->now = f.at;
	if (!w->deaf)
		cm_receive(&w->cm[f.to], &f.path, f.mad);
	return true;
}

/* The next thing that happens not after `until`; false: nothing does. */
static bool step(struct world *w, uint64_t until)
{
	uint64_t due = CM_NEVER;

	for (int i = 0; i < 2; i++) {
		uint64_t at = cm_run(&w->cm[i]);

		due = at < due ? at : due;
	}
	if (arrive(w, due < until ? due : until))
		return true;
	if (due > until)
		return false;
	w->now = due;
	return true;
}

void world_run(struct world *w, uint64_t ns)
{
	uint64_t until = w->now + ns;

	while (step(w, until))
		;
	w->now = until;
}

void world_finish(struct world *w)
{
	while (step(w, CM_NEVER - 1))
		;
}

struct cm_path world_path(const struct world *w, int from)
{
	struct cm_path path = { .pkey = 0xffff, .mtu = 3, .hop_limit = 64, .lifetime = 16 };

	memcpy(path.sgid, w->gid[from], CM_GID_BYTES);
	memcpy(path.dgid, w->gid[!from], CM_GID_BYTES);
	return path;
}

struct cm_param world_param(uint32_t qpn)
{
	return (struct cm_param){ .qpn = qpn,
				  .starting_psn = qpn * 3,
				  .responder_resources = 4,
				  .initiator_depth = 5,
				  .retry_count = 6,
				  .rnr_retry_count = 5 };
}

struct cm_id *world_id(struct world *w, int end)
{
	struct cm_id *id = cm_create(&w->cm[end], keep, NULL);

	assert_non_null(id);
	return id;
}

unsigned int world_count(const struct world *w, int end, enum cm_event_type type)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < w->n_told; i++)
		n += w->told[i].end == end && w->told[i].event.type == type;
	return n;
}

const struct told *world_last(const struct world *w, int end)
{
	for (unsigned int i = w->n_told; i--;)
		if (w->told[i].end == end)
			return &w->told[i];
	return NULL;
}

void world_connect(struct world *w, struct cm_id **a, struct cm_id **b)
{
	struct cm_path path = world_path(w, A);
	struct cm_param param = world_param(0x123);

	w->accepted = NULL;
	*a = world_id(w, A);
	assert_int_equal(cm_send_req(*a, &path, SERVICE, &param, "q", 1), 0);
	world_run(w, 10 * WAY_NS);
	*b = w->accepted;
	param = world_param(0x456);
	assert_int_equal(cm_send_rep(*b, &param, "p", 1), 0);
	world_run(w, 10 * WAY_NS);
	assert_int_equal(cm_send_rtu(*a, "u", 1), 0);
	world_run(w, 10 * WAY_NS);
}

void world_deliver(struct world *w, int to, const uint8_t *mad)
{
	struct cm_path path = world_path(w, to);

	cm_receive(&w->cm[to], &path, mad);
}
