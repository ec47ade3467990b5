// SPDX-License-Identifier: Apache-2.0
/*
 * A device from open to close: reset, identity and contract version, firmware, command queue,
 * capabilities, tables, event queues, data path, GIDs (docs/commands.md 1).  Also what happens
 * after a fork.
 *
 * One process owns a function, but may open it several times: it is shared then.
 */
#define _GNU_SOURCE
#include <string.h>

#include "lease.h"
#include "priv.h"

#define DEFAULT_TIMEOUT_MS 10000u
/* An owner is gone when it is looked at, and another one there when the NIC is wanted. */
#define CLAIMS 3

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cairn_dev *devices;

/* ---------------------------------------------------------------- forks */

/* A fork waits for the open or close that goes on: a connection half made would be in no list, and
 * the child keep it.  The other locks may be held by threads that do not exist in the child, which
 * therefore takes none. */
static void before_fork(void)
{
	pthread_mutex_lock(&open_lock);
}

static void fork_done(void)
{
	pthread_mutex_unlock(&open_lock);
}

/* In the child of a fork: the device is the parent's. */
static void after_fork(void)
{
	for (struct cairn_dev *dev = devices; dev; dev = dev->next) {
		atomic_store(&dev->forked, true);
		atomic_store(&dev->bus->gone, true);
		if (dev->bus->ops->forked)
			dev->bus->ops->forked(dev->bus);
	}
	devices = NULL;
	pthread_mutex_unlock(&open_lock);
}

__attribute__((constructor)) static void watch_forks(void)
{
	cairn_lease_watch_forks(); /* its lock is taken inside open_lock */
	pthread_atfork(before_fork, fork_done, after_fork);
}

/* ---------------------------------------------------------------- opening */

void cairn_opts_init(struct cairn_opts *opts)
{
	memset(opts, 0, sizeof(*opts));
}

/* Reset the function, let it reach memory, look who it is. */
static int identify(struct cairn_dev *dev)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	uint64_t deadline;
	unsigned int attempt = 0;
	uint32_t id = 0, status = 0;
	uint16_t command = 0;
	int err = ops->reset(dev->bus);

	if (err)
		return cairn_fail(err, "%s: the function cannot be reset: %s", dev->name,
				  strerror(-err));
	deadline = ops->now_ns(dev->bus) + dev->timeout_ns;
	err = ops->cfg_read(dev->bus, PCI_COMMAND, &command, sizeof(command));
	command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	if (!err)
		err = ops->cfg_write(dev->bus, PCI_COMMAND, &command, sizeof(command));
	if (!err)
		err = ops->read32(dev->bus, CAIRN_REG_ID, &id);
	if (err)
		return cairn_fail(err, "%s: registers cannot be read: %s", dev->name,
				  strerror(-err));
	if (CAIRN_GET(id, CAIRN_REG_ID_MAGIC) != CAIRN_CONTRACT_MAGIC)
		return cairn_fail(-ENODEV, "%s is no Cairn device (ID register 0x%08x)", dev->name,
				  id);
	if (CAIRN_GET(id, CAIRN_REG_ID_VERSION) != CAIRN_CONTRACT_VERSION)
		return cairn_fail(
			-EPROTO,
			"%s speaks contract %u, this driver %u: use bitstream or simulator and driver "
			"of the same release",
			dev->name, CAIRN_GET(id, CAIRN_REG_ID_VERSION), CAIRN_CONTRACT_VERSION);
	do {
		if (ops->now_ns(dev->bus) > deadline)
			return cairn_fail(-ETIMEDOUT, "%s does not come out of reset", dev->name);
		err = ops->read32(dev->bus, CAIRN_REG_STATUS, &status);
		if (err)
			return cairn_fail(err, "%s: lost during reset", dev->name);
		if (status & CAIRN_REG_STATUS_IN_RESET)
			ops->relax(dev->bus, attempt++);
	} while (status & CAIRN_REG_STATUS_IN_RESET);
	return 0;
}

static int query_caps(struct cairn_dev *dev)
{
	struct cairn_dev_caps *caps = &dev->caps;
	struct cairn_request query = { .op = CAIRN_CMD_OP_QUERY_DEVICE,
				       .out = caps,
				       .len = sizeof(*caps) };
	int err = cairn_cmd(dev, &query);

	if (err)
		return err;
	if (!caps->max_pd || caps->db_pages < 3 || !caps->max_gid ||
	    !(caps->page_sizes & PAGE_BYTES) || !caps->max_qp_wr || !caps->max_cqe ||
	    !caps->max_sge || !caps->max_mr_size)
		return cairn_fail(
			-EPROTO,
			"%s: firmware offers no PDs, doorbell pages, GIDs, 4 KiB pages or queue "
			"entries; load the image of this release",
			dev->name);
	if (caps->max_gid > CAIRN_MAX_GIDS)
		caps->max_gid = CAIRN_MAX_GIDS;
	if (caps->db_pages > CAIRN_DB_PAGES)
		caps->db_pages = CAIRN_DB_PAGES;
	return 0;
}

static int numbers_init(struct cairn_dev *dev, enum cairn_kind kind, uint32_t first,
			enum cairn_table table, uint32_t delay)
{
	uint32_t limit = dev->tables[table].mem.va ? 1u << dev->tables[table].log2 : 0;
	int err;

	dev->by_number[kind] = calloc(limit + 1, sizeof(void *));
	if (!dev->by_number[kind])
		return cairn_fail(-ENOMEM, "out of memory for %u objects", limit);
	err = cairn_space_init(&dev->numbers[kind], first, limit,
			       delay < limit / 4 ? delay : limit / 4, dev->seed, kind);
	return err;
}

/* Number spaces and what the caller sees of the limits follow from the tables. */
static int spaces_init(struct cairn_dev *dev)
{
	struct cairn_dev_caps *caps = &dev->caps;
	uint32_t mrs = 1u << dev->tables[CAIRN_TABLE_MPT].log2,
		 mtts = 1u << dev->tables[CAIRN_TABLE_MTT].log2;
	struct cairn_rng rng;
	uint64_t tags;
	int err = numbers_init(dev, OBJECT_QP, caps->qpn_first, CAIRN_TABLE_QP, 1024);

	if (!err)
		err = numbers_init(dev, OBJECT_CQ, 0, CAIRN_TABLE_CQ, 64);
	if (!err)
		err = numbers_init(dev, OBJECT_SRQ, 0, CAIRN_TABLE_SRQ, 64);
	if (!err)
		err = cairn_space_init(&dev->numbers[OBJECT_PD], 1, caps->max_pd,
				       caps->max_pd < 256 ? caps->max_pd / 4 : 64, dev->seed,
				       OBJECT_PD);
	if (!err) /* index 0 stays free: no valid key is below 256, so 0 never is */
		err = cairn_space_init(&dev->keys, 1, mrs, mrs / 4 < 4096 ? mrs / 4 : 4096,
				       dev->seed, 5);
	if (!err)
		err = cairn_space_init(&dev->mtts, 0, mtts / LINE_MTTS, 64, dev->seed, 6);
	if (!err) /* page 0 is the driver's own */
		err = cairn_space_init(&dev->dbs, 1, caps->db_pages, 0, dev->seed, 7);
	if (err)
		return err;
	dev->key_tags = malloc(mrs);
	if (!dev->key_tags)
		return cairn_fail(-ENOMEM, "out of memory for %u key tags", mrs);
	cairn_rng_init(&rng, dev->seed, 8);
	for (uint32_t i = 0; i < mrs; i += sizeof(tags)) { /* mrs is a power of two, at least 8 */
		tags = cairn_rng_u64(&rng);
		memcpy(dev->key_tags + i, &tags, sizeof(tags));
	}
	/* What can be made: the numbers below the first are not given out. */
	caps->max_qp = dev->numbers[OBJECT_QP].limit - caps->qpn_first;
	caps->max_cq = dev->numbers[OBJECT_CQ].limit;
	caps->max_srq = dev->numbers[OBJECT_SRQ].limit;
	caps->max_pd--;
	caps->max_mr = mrs - 1;
	if (caps->max_mw)
		caps->max_mw = caps->max_mr; /* they share the table */
	caps->max_mtt = mtts;
	return 0;
}

int cairn_set_port(struct cairn_dev *dev, uint32_t flags)
{
	struct cairn_request set = { .op = CAIRN_CMD_OP_SET_PORT, .arg = { flags } };

	return cairn_cmd(dev, &set);
}

/* A device that cannot loop sends all frames out anyway. */
static bool no_loop(const struct cairn_dev *dev, const struct cairn_opts *opts)
{
	return (opts->no_loop || getenv("CAIRN_NO_LOOP")) &&
	       dev->caps.features & CAIRN_REG_FEATURES_LOOP;
}

/* Tables, event queues, data path and GIDs: none waits for another, so they are sent at once. */
static int set_up(struct cairn_dev *dev, const struct cairn_opts *opts, struct cairn_batch *batch)
{
	const struct cairn_request *failed = NULL;
	int err = cairn_tables_create(dev, opts, batch);

	if (!err)
		err = spaces_init(dev);
	if (!err)
		err = cairn_eqs_create(dev, batch);
	if (err)
		return err;
	cairn_batch_add(batch, CAIRN_CMD_OP_ENABLE);
	if (no_loop(dev, opts)) /* no flags */
		cairn_batch_add(batch, CAIRN_CMD_OP_SET_PORT);
	err = cairn_gids_start(dev, opts, batch);
	if (!err)
		err = cairn_cmd_batch(dev, batch, &failed);
	err = cairn_gids_started(dev, batch, err, failed);
	if (err)
		return err;
	cairn_eqs_arm(dev);
	return cairn_alloc_db(dev, &dev->shared_db);
}

static int bring_up(struct cairn_dev *dev, const struct cairn_opts *opts)
{
	struct cairn_batch *batch = calloc(1, sizeof(*batch));
	int err = batch ? identify(dev) : cairn_fail(-ENOMEM, "out of memory");

	if (!err)
		err = cairn_log_start(dev);
	if (!err)
		err = cairn_fw_start(dev, opts->firmware);
	if (!err)
		err = cairn_cmdq_start(dev);
	if (!err)
		err = query_caps(dev);
	if (!err)
		err = set_up(dev, opts, batch);
	free(batch);
	return err;
}

/* Undo bring_up() from wherever it got to.  The reset comes before any memory goes. */
static void take_down(struct cairn_dev *dev)
{
	struct cairn_request disable = { .op = CAIRN_CMD_OP_DISABLE };

	if (dev->cmdq.cmds && !atomic_load(&dev->gone) && !atomic_load(&dev->bus->gone))
		cairn_cmd(dev, &disable);
	cairn_cmdq_stop(dev);
	if (!atomic_load(&dev->bus->gone))
		dev->bus->ops->reset(dev->bus);
	cairn_eqs_destroy(dev);
	if (dev->shared_db)
		cairn_free_db(dev, dev->shared_db);
	cairn_tables_free(dev);
	cairn_log_free(dev);
	for (unsigned int i = 0; i < OBJECT_KINDS; i++) {
		cairn_space_free(&dev->numbers[i]);
		free(dev->by_number[i]);
	}
	cairn_space_free(&dev->keys);
	cairn_space_free(&dev->mtts);
	cairn_space_free(&dev->dbs);
	free(dev->key_tags);
}

static int bus_open(struct cairn_dev *dev)
{
	const struct cairn_bus_ops *ops = cairn_bus_find(dev->name);
	struct cairn_bus_opts opts = { .seed = dev->seed,
				       .timeout_ms = (unsigned int)(dev->timeout_ns / NS_PER_MS) };

	if (!ops)
		return cairn_fail(
			-ENODEV,
			"%s: neither the path of a simulated NIC's socket nor a PCI address of a kind "
			"that this build reaches",
			dev->name);
	return ops->open(dev->name, &opts, &dev->bus);
}

/* Who opens the NIC next finds its bus free. */
static void dev_free(struct cairn_dev *dev)
{
	cairn_lease_give(dev->lease);
	pthread_mutex_destroy(&dev->objects);
	pthread_mutex_destroy(&dev->gid_lock);
	pthread_mutex_destroy(&dev->select_lock);
	pthread_mutex_destroy(&dev->publish_lock);
	free(dev->look);
	free(dev->name);
	free(dev);
}

static void dev_stop(struct cairn_dev *dev)
{
	take_down(dev);
	cairn_dma_pool_free(&dev->dma);
	cairn_iova_free(&dev->iova);
	dev->bus->ops->close(dev->bus);
}

/* One name for one device: the path of a socket and the address of a PCI function in full, anything
 * else as it is. */
static char *full_name(const char *addr)
{
	char *path = strchr(addr, '/') ? canonicalize_file_name(addr) : NULL;
	char bdf[CAIRN_BDF_BYTES];

	return path ? path : strdup(cairn_bdf(addr, bdf) ? bdf : addr);
}

static struct cairn_dev *dev_new(const char *addr, const struct cairn_opts *opts)
{
	struct cairn_dev *dev = calloc(1, sizeof(*dev));
	const char *seed = secure_getenv("SEED");

	if (!dev || !(dev->name = strdup(addr))) {
		free(dev);
		cairn_fail(-ENOMEM, "out of memory");
		return NULL;
	}
	dev->seed = opts->seed ? opts->seed : seed ? strtoull(seed, NULL, 0) : 0;
	dev->comp_vectors = opts->comp_vectors;
	dev->timeout_ns = NS_PER_MS * (opts->timeout_ms
					       ? opts->timeout_ms
					       : env_uint(secure_getenv("CAIRN_TIMEOUT_MS"),
							  DEFAULT_TIMEOUT_MS));
	pthread_mutex_init(&dev->objects, NULL);
	pthread_mutex_init(&dev->gid_lock, NULL);
	pthread_mutex_init(&dev->select_lock, NULL);
	pthread_mutex_init(&dev->publish_lock, NULL);
	return dev;
}

/* The right to use the NIC; or, where another process has it, to look at it. */
static int claim(struct cairn_dev *dev, const struct cairn_opts *opts)
{
	char who[CAIRN_WHO_BYTES];
	int err = cairn_lease_take(dev->name, &dev->lease);

	for (int i = 0; err == -EBUSY && opts->look && i < CLAIMS; i++) {
		err = cairn_look_open(dev);
		if (err != -EAGAIN)
			return err;
		err = cairn_lease_take(dev->name, &dev->lease);
	}
	if (err != -EBUSY)
		return err;
	cairn_lease_state(dev->name, who);
	return cairn_fail(err, "%s: %s has this NIC; a function has one owner", dev->name,
			  *who ? who : "another process");
}

static int dev_start(struct cairn_dev *dev, const struct cairn_opts *opts)
{
	int err = bus_open(dev);

	if (err)
		return err;
	dev->own_db =
		(struct cairn_db){ .map = dev->bus->db_map, .bus = dev->bus, .ops = dev->bus->ops };
	cairn_iova_init(&dev->iova, dev->bus->iova_min, dev->bus->iova_max, dev->seed);
	cairn_dma_pool_init(&dev->dma, dev->bus, &dev->iova);
	dev->bus->dma_soon = cairn_open_bytes(opts, NULL);
	err = bring_up(dev, opts);
	dev->bus->dma_soon = 0;
	if (err)
		dev_stop(dev);
	return err;
}

static int dev_create(const char *addr, const struct cairn_opts *opts, struct cairn_dev **out)
{
	struct cairn_dev *dev = dev_new(addr, opts);
	int err;

	if (!dev)
		return -ENOMEM;
	err = claim(dev, opts);
	if (!err && !dev->look)
		err = dev_start(dev, opts);
	if (err) {
		dev_free(dev);
		return err;
	}
	cairn_look_publish(dev);
	*out = dev;
	return 0;
}

int cairn_open(const char *addr, const struct cairn_opts *opts, struct cairn_dev **out)
{
	char *name = full_name(addr);
	struct cairn_opts defaults;
	struct cairn_dev *dev;
	int err = 0;
	UNCANCELLED;

	if (!name)
		return cairn_fail(-ENOMEM, "out of memory");
	cairn_opts_init(&defaults);
	pthread_mutex_lock(&open_lock);
	for (dev = devices; dev && (dev->look || strcmp(dev->name, name)); dev = dev->next)
		;
	if (dev) {
		err = cairn_dev_alive(dev);
	} else {
		cairn_refusals_matter(true);
		err = dev_create(name, opts ? opts : &defaults, &dev);
		cairn_refusals_matter(false);
		if (!err) {
			dev->next = devices;
			devices = dev;
		}
	}
	if (!err) {
		dev->refs++;
		*out = dev;
	}
	pthread_mutex_unlock(&open_lock);
	free(name);
	return err;
}

void cairn_close(struct cairn_dev *dev)
{
	struct cairn_dev **link;
	UNCANCELLED;

	if (!dev || atomic_load(&dev->forked))
		return;
	pthread_mutex_lock(&open_lock);
	if (!--dev->refs) {
		for (link = &devices; *link != dev; link = &(*link)->next)
			;
		*link = dev->next;
		if (!dev->look)
			dev_stop(dev);
		dev_free(dev);
	}
	pthread_mutex_unlock(&open_lock);
}
