// SPDX-License-Identifier: Apache-2.0
/*
 * A NIC that another process has open, to be looked at (cairn_opts.look).  Its owner publishes what
 * device, port and GID table are, in the file of its lease (lease.h): when it has opened the
 * device, and when port or GIDs change.  A device opened for that has no bus behind it: queries are
 * answered out of what the owner has published, all else fails with -EBUSY.
 */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "lease.h"
#include "priv.h"

/* How often an owner that is opening the device is looked for. */
#define LOOK_PAUSE_NS 10000000

/* What is published; only this release of the library reads it. */
struct facts {
	uint32_t contract, bytes;
	uint32_t id, build; /* registers */
	uint32_t comp_vectors, rsvd;
	struct cairn_dev_caps caps;
	struct cairn_port_attr port;
	struct cairn_gid gids[CAIRN_MAX_GIDS];
};

struct cairn_look {
	struct cairn_bus bus;
	struct facts facts;
};

/* ---------------------------------------------------------------- the owner */

void cairn_look_publish(struct cairn_dev *dev)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	struct facts *facts;
	int err;

	if (!dev->lease || dev->look)
		return;
	facts = calloc(1, sizeof(*facts)); /* no padding that was something else */
	if (!facts)
		return;
	pthread_mutex_lock(&dev->publish_lock);
	facts->contract = CAIRN_CONTRACT_VERSION;
	facts->bytes = sizeof(*facts);
	facts->caps = dev->caps;
	facts->comp_vectors = dev->comp_vectors;
	err = ops->read32(dev->bus, CAIRN_REG_ID, &facts->id);
	if (!err)
		err = ops->read32(dev->bus, CAIRN_REG_BUILD, &facts->build);
	if (!err)
		err = cairn_query_port(dev, &facts->port);
	pthread_mutex_lock(&dev->gid_lock);
	memcpy(facts->gids, dev->gids, sizeof(facts->gids));
	pthread_mutex_unlock(&dev->gid_lock);
	if (!err)
		err = cairn_lease_publish(dev->lease, facts, sizeof(*facts));
	if (err && !cairn_dev_gone(dev))
		cairn_warn("%s: other processes cannot look at it: %s", dev->name, strerror(-err));
	atomic_store(&dev->published, !err);
	pthread_mutex_unlock(&dev->publish_lock);
	free(facts);
}

/* ---------------------------------------------------------------- the others */

static int read_facts(const char *name, struct facts *facts)
{
	int err = cairn_lease_read(name, facts, sizeof(*facts));

	if (!err && (facts->contract != CAIRN_CONTRACT_VERSION || facts->bytes != sizeof(*facts)))
		err = -EPROTO;
	return err;
}

static int read32(struct cairn_bus *bus, uint32_t offset, uint32_t *value)
{
	const struct facts *facts = &((struct cairn_look *)bus)->facts;

	if (offset == CAIRN_REG_ID)
		*value = facts->id;
	else if (offset == CAIRN_REG_BUILD)
		*value = facts->build;
	else
		return -EBUSY;
	return 0;
}

/* Nothing else is reached: see cairn_dev_alive(). */
static const struct cairn_bus_ops look_ops = { .name = "look", .read32 = read32 };

static void fill(struct cairn_dev *dev)
{
	const struct facts *facts = &dev->look->facts;

	dev->caps = facts->caps;
	dev->comp_vectors = facts->comp_vectors;
	pthread_mutex_lock(&dev->gid_lock);
	memcpy(dev->gids, facts->gids, sizeof(dev->gids));
	pthread_mutex_unlock(&dev->gid_lock);
}

/* The owner may just be opening it; then what is to be seen will be there soon. */
static int wait_for_facts(const struct cairn_dev *dev, struct facts *facts)
{
	const struct timespec pause = { .tv_nsec = LOOK_PAUSE_NS };
	uint64_t until = cairn_bus_now_ns(NULL) + dev->timeout_ns;
	int err = read_facts(dev->name, facts);

	while (err == -EAGAIN && cairn_bus_now_ns(NULL) < until) {
		nanosleep(&pause, NULL);
		err = read_facts(dev->name, facts);
	}
	return err;
}

int cairn_look_open(struct cairn_dev *dev)
{
	char who[CAIRN_WHO_BYTES];
	int err;

	dev->look = calloc(1, sizeof(*dev->look));
	if (!dev->look)
		return cairn_fail(-ENOMEM, "out of memory");
	dev->look->bus.ops = &look_ops;
	dev->bus = &dev->look->bus;
	err = wait_for_facts(dev, &dev->look->facts);
	if (!err) {
		fill(dev);
		return 0;
	}
	free(dev->look);
	dev->look = NULL;
	dev->bus = NULL;
	if (err == -ENOENT) /* gone meanwhile */
		return -EAGAIN;
	cairn_lease_state(dev->name, who);
	return cairn_fail(-EBUSY, "%s: %s has it, and %s", dev->name,
			  *who ? who : "another process",
			  err == -EBUSY	   ? "has not opened it yet: nothing is known of it"
			  : err == -EAGAIN ? "does not say what it is like"
			  : err == -EPROTO ? "is of another release: it cannot be looked at"
					   : strerror(-err));
}

/* As far as its owner has published it. */
static int port_seen(struct cairn_dev *dev, struct cairn_port_attr *port)
{
	struct facts *now = malloc(sizeof(*now));

	if (atomic_load(&dev->forked)) {
		free(now);
		return cairn_dev_alive(dev);
	}
	pthread_mutex_lock(&dev->publish_lock);
	/* What it was like last, when its owner has gone. */
	if (now && !read_facts(dev->name, now)) {
		dev->look->facts = *now;
		fill(dev);
	}
	*port = dev->look->facts.port;
	pthread_mutex_unlock(&dev->publish_lock);
	free(now);
	return 0;
}

int cairn_query_port(struct cairn_dev *dev, struct cairn_port_attr *port)
{
	struct cairn_request query = { .op = CAIRN_CMD_OP_QUERY_PORT,
				       .out = port,
				       .len = sizeof(*port) };

	return dev->look ? port_seen(dev, port) : cairn_cmd(dev, &query);
}

bool cairn_dev_looks(const struct cairn_dev *dev)
{
	return dev->look;
}
