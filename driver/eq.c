// SPDX-License-Identifier: Apache-2.0
/*
 * Event queues: EQ 0 for what happens to the device, ports and queues, EQs 1 and up for completion
 * events, one MSI-X vector and one eventfd each.  There is no thread here: the provider polls a
 * vector's fd and then calls cairn_poll_events(), which takes the entries and asks for the next
 * interrupt.
 */
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "priv.h"
#include "queue.h"

#define DEFAULT_COMP_VECTORS 4u
#define MIN_ASYNC_LOG2 10u
#define MIN_COMP_LOG2 8u

static enum cairn_kind kind_of(uint32_t type)
{
	switch (type) {
	case CAIRN_EQE_TYPE_CQ:
	case CAIRN_EQE_TYPE_CQ_ERR:
		return OBJECT_CQ;
	case CAIRN_EQE_TYPE_QP_FATAL:
	case CAIRN_EQE_TYPE_QP_REQ_ERR:
	case CAIRN_EQE_TYPE_QP_ACCESS_ERR:
	case CAIRN_EQE_TYPE_COMM_EST:
	case CAIRN_EQE_TYPE_SQ_DRAINED:
	case CAIRN_EQE_TYPE_LAST_WQE_REACHED:
		return OBJECT_QP;
	case CAIRN_EQE_TYPE_SRQ_LIMIT:
	case CAIRN_EQE_TYPE_SRQ_ERR:
		return OBJECT_SRQ;
	default:
		return OBJECT_NONE;
	}
}

/*
 * How many consumed entries the device may not know of.  A CQ is armed again when its event has
 * been handed on, so that besides them there may be one entry a CQ, and all must fit.  Counted are
 * the CQs that the device can have, not those of today: one that is created while a callback runs
 * has its entry too.  With a ring that is hardly larger each entry is told.  EQ 0 promises nothing
 * to any user.
 */
static uint32_t max_lag(const struct cairn_dev *dev, uint32_t eqn, uint32_t log2)
{
	uint32_t size = 1u << log2, cqs = dev->numbers[OBJECT_CQ].limit;

	if (eqn == CAIRN_EQN_ASYNC)
		return size / 4;
	if (cqs >= size)
		return 1;
	return size - cqs < size / 4 ? size - cqs : size / 4;
}

static int eq_create(struct cairn_dev *dev, uint32_t eqn, uint32_t log2, struct cairn_batch *batch)
{
	struct cairn_eq *eq = &dev->eqs[eqn];
	struct cairn_request *create;
	int err;

	memset(eq, 0, sizeof(*eq));
	eq->dev = dev;
	eq->eqn = eqn;
	eq->log2 = log2;
	eq->max_lag = max_lag(dev, eqn, log2);
	eq->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (eq->fd < 0)
		return cairn_fail(
			-errno, "no eventfd for event queue %u: %s; raise the limit on open files",
			eqn, strerror(errno));
	err = cairn_dma_alloc(dev, (size_t)CAIRN_EQE_BYTES << log2, &eq->mem);
	if (err) {
		close(eq->fd);
		return err;
	}
	eq->ring = eq->mem.va;
	create = cairn_batch_add(batch, CAIRN_CMD_OP_CREATE_EQ);
	create->number = eqn;
	create->ptr = eq->mem.iova;
	create->arg[0] = log2;
	create->arg[1] = eqn; /* one vector an EQ */
	create->arg[2] = dev->own_db.page;
	pthread_mutex_init(&eq->lock, NULL);
	return 0;
}

/*
 * EQ 0 has room for four events of each QP at once (in a burst, as when a link fails, all QPs have
 * some): one that overflows ends the device.
 */
static unsigned int async_log2(unsigned int qps_log2)
{
	if (qps_log2 + 2 < MIN_ASYNC_LOG2)
		return MIN_ASYNC_LOG2; /* CQs, SRQs and ports have events too */
	return qps_log2 + 2 < CAIRN_MAX_RING_LOG2 ? qps_log2 + 2 : CAIRN_MAX_RING_LOG2;
}

/* Each CQ reserves an entry, and a program may put all CQs on one vector; twice as many, so that
 * max_lag() need not count entries. */
static unsigned int comp_log2(unsigned int cqs_log2)
{
	if (cqs_log2 + 1 < MIN_COMP_LOG2)
		return MIN_COMP_LOG2;
	return cqs_log2 + 1 < CAIRN_MAX_RING_LOG2 ? cqs_log2 + 1 : CAIRN_MAX_RING_LOG2;
}

/* As many as are asked for, of those that have an MSI-X vector. */
static unsigned int wanted_vectors(unsigned int vectors)
{
	unsigned int want = vectors ? vectors : DEFAULT_COMP_VECTORS;

	return want < MAX_EQS - 1 ? want : MAX_EQS - 1;
}

uint64_t cairn_eqs_bytes(unsigned int qps_log2, unsigned int cqs_log2, unsigned int vectors)
{
	return ((uint64_t)CAIRN_EQE_BYTES << async_log2(qps_log2)) +
	       wanted_vectors(vectors) * ((uint64_t)CAIRN_EQE_BYTES << comp_log2(cqs_log2));
}

int cairn_eqs_create(struct cairn_dev *dev, struct cairn_batch *batch)
{
	unsigned int async = async_log2(dev->tables[CAIRN_TABLE_QP].log2);
	unsigned int comp = comp_log2(dev->tables[CAIRN_TABLE_CQ].log2);
	unsigned int want = wanted_vectors(dev->comp_vectors);
	int fds[MAX_EQS], err = 0;

	if (dev->caps.max_eq < 2)
		return cairn_fail(-EPROTO, "firmware offers %u event queues, two are needed",
				  dev->caps.max_eq);
	if (want > dev->caps.max_eq - 1)
		want = dev->caps.max_eq - 1;
	dev->comp_vectors = want;
	dev->bus->dma_soon = 0; /* a chunk has room for more than one ring */
	while (!err && dev->n_eqs < want + 1) {
		err = eq_create(dev, dev->n_eqs, dev->n_eqs ? comp : async, batch);
		dev->n_eqs += !err;
	}
	if (err)
		return err;
	for (unsigned int i = 0; i < dev->n_eqs; i++)
		fds[i] = dev->eqs[i].fd;
	err = dev->bus->ops->set_irqs(dev->bus, fds, dev->n_eqs);
	return err ? cairn_fail(err, "cannot set up %u interrupts: %s", dev->n_eqs, strerror(-err))
		   : 0;
}

void cairn_eqs_destroy(struct cairn_dev *dev)
{
	dev->bus->ops->set_irqs(dev->bus, NULL, 0);
	while (dev->n_eqs) {
		struct cairn_eq *eq = &dev->eqs[--dev->n_eqs];

		cairn_dma_free(dev, &eq->mem);
		close(eq->fd);
		pthread_mutex_destroy(&eq->lock);
	}
}

/* Let the device know how far we are; with arm it sends an interrupt when there is more. */
static void ring(struct cairn_eq *eq, bool arm)
{
	cairn_mb_before_index();
	cairn_db_ring(&eq->dev->own_db, CAIRN_DB_EQ,
		      cairn_db_word(eq->eqn, eq->ci) | CAIRN_PUT(CAIRN_DOORBELL_WORD_ARM, arm));
	eq->rung = eq->ci;
}

void cairn_eqs_arm(struct cairn_dev *dev)
{
	for (unsigned int i = 0; i < dev->n_eqs; i++)
		ring(&dev->eqs[i], true);
}

static struct cairn_eqe *eq_entry(const struct cairn_eq *eq, uint32_t index)
{
	return &eq->ring[index & ((1u << eq->log2) - 1)];
}

static bool eq_written(const struct cairn_eq *eq, uint32_t index)
{
	return cairn_read_once(&eq_entry(eq, index)->owner) >> 31 == (~(index >> eq->log2) & 1);
}

/* Deliver one entry; false when its object is gone. */
static bool deliver(struct cairn_eq *eq, const struct cairn_eqe *eqe, cairn_event_fn fn, void *arg)
{
	struct cairn_dev *dev = eq->dev;
	struct cairn_event event = {
		.type = CAIRN_GET(eqe->type, CAIRN_EQE_TYPE),
		.number = eqe->number,
		.data = eqe->data,
		.arm_seq = CAIRN_GET(eqe->type, CAIRN_EQE_TYPE_ARM_SEQ),
	};
	enum cairn_kind kind = kind_of(event.type);

	if (kind != OBJECT_NONE) {
		pthread_mutex_lock(&dev->objects);
		if (event.number < dev->numbers[kind].limit)
			event.object = dev->by_number[kind][event.number];
		pthread_mutex_unlock(&dev->objects);
		if (!event.object)
			return false;
	}
	if (event.type == CAIRN_EQE_TYPE_DEVICE_FATAL)
		eq->told = true;
	if (event.type == CAIRN_EQE_TYPE_PORT_ACTIVE || event.type == CAIRN_EQE_TYPE_PORT_ERR)
		atomic_store(&dev->port_changed, true);
	fn(arg, &event);
	return true;
}

/* The device hears of an entry before fn does, which may cause the next one. */
static int take_all(struct cairn_eq *eq, cairn_event_fn fn, void *arg)
{
	int n = 0;

	while (eq_written(eq, eq->ci)) {
		struct cairn_eqe eqe;

		cairn_rmb_after_phase();
		eqe = *eq_entry(eq, eq->ci++); /* the device may write there from now on */
		if (eq->ci - eq->rung >= eq->max_lag && !cairn_dev_gone(eq->dev))
			ring(eq, false);
		n += deliver(eq, &eqe, fn, arg);
	}
	return n;
}

static struct cairn_eq *eq_of(struct cairn_dev *dev, unsigned int vector)
{
	unsigned int eqn = vector == CAIRN_VECTOR_ASYNC ? CAIRN_EQN_ASYNC : vector + 1;

	if (eqn < dev->n_eqs)
		return &dev->eqs[eqn];
	cairn_refuse(-EINVAL, "vector %u: this device has %u completion vectors", vector,
		     dev->comp_vectors);
	return NULL;
}

/* The last event of a lost device, once. */
static int tell_fatal(struct cairn_eq *eq, cairn_event_fn fn, void *arg)
{
	struct cairn_event event = { .type = CAIRN_EQE_TYPE_DEVICE_FATAL };

	if (eq->told || eq->eqn != CAIRN_EQN_ASYNC)
		return -ENODEV;
	eq->told = true;
	fn(arg, &event);
	return 1;
}

int cairn_poll_events(struct cairn_dev *dev, unsigned int vector, cairn_event_fn fn, void *arg)
{
	struct cairn_eq *eq;
	int n = 0, got;
	UNCANCELLED;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	eq = eq_of(dev, vector);
	if (!eq)
		return -EINVAL;
	pthread_mutex_lock(&eq->lock);
	do {
		eventfd_t fired = 0;
		uint32_t before = eq->ci;
		bool gone = atomic_load(&dev->gone) || atomic_load(&dev->bus->gone);

		if (!gone) /* else the fd stays readable, for later waiters */
			eventfd_read(eq->fd, &fired);
		got = take_all(eq, fn, arg);
		n += got;
		if (gone) {
			if (!n)
				n = tell_fatal(eq, fn, arg);
			break;
		}
		if (fired || eq->ci != before)
			ring(eq, true);
	} while (eq_written(eq, eq->ci));
	pthread_mutex_unlock(&eq->lock);
	if (atomic_exchange(&dev->port_changed, false) && atomic_load(&dev->published))
		cairn_look_publish(dev);
	return n;
}

/*
 * Take the events of an object out: the others move up, and the places are free for the device at
 * once.  Else those of CQs that come and go could fill a queue that is not looked at.
 */
static void forget(struct cairn_eq *eq, enum cairn_kind kind, uint32_t number)
{
	uint32_t end = eq->ci, to;

	while (end - eq->ci < 1u << eq->log2 && eq_written(eq, end))
		end++;
	cairn_rmb_after_phase();
	to = end;
	for (uint32_t from = end; from-- != eq->ci;) {
		const struct cairn_eqe *eqe = eq_entry(eq, from);
		struct cairn_eqe *place;

		if (eqe->number == number &&
		    kind_of(CAIRN_GET(eqe->type, CAIRN_EQE_TYPE)) == kind)
			continue;
		place = eq_entry(eq, --to);
		place->type = eqe->type;
		place->number = eqe->number;
		place->data = eqe->data; /* the owner word belongs to the place */
	}
	if (to == eq->ci)
		return;
	eq->ci = to;
	if (!cairn_dev_gone(eq->dev))
		ring(eq, false);
}

void cairn_eqs_forget(struct cairn_dev *dev, enum cairn_kind kind, uint32_t number)
{
	for (unsigned int i = 0; i < dev->n_eqs; i++) {
		pthread_mutex_lock(&dev->eqs[i].lock);
		forget(&dev->eqs[i], kind, number);
		pthread_mutex_unlock(&dev->eqs[i].lock);
	}
}

unsigned int cairn_comp_vectors(const struct cairn_dev *dev)
{
	return dev->comp_vectors;
}

int cairn_event_fd(struct cairn_dev *dev, unsigned int vector)
{
	struct cairn_eq *eq = eq_of(dev, vector);

	return eq ? eq->fd : -EINVAL;
}

int cairn_wait_event(struct cairn_dev *dev, unsigned int vector, int timeout_ms)
{
	struct cairn_eq *eq;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	eq = eq_of(dev, vector);
	return eq ? dev->bus->ops->wait_fd(dev->bus, eq->fd, timeout_ms) : -EINVAL;
}
