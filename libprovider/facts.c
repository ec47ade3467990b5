// SPDX-License-Identifier: Apache-2.0
/* Facts about a NIC, open or not (facts.h). */
#include "facts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "provider.h"
#include "sim_stat.h"
#include "trust.h"

/* ---------------------------------------------------------------- files */

/* jansson by itself opens files that a program started meanwhile would inherit. */
json_t *facts_load(int dir, const char *name)
{
	char why[256];
	int fd = trust_open_file(dir, name, why, sizeof(why));
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	json_error_t error;
	json_t *facts;

	if (!file) {
		int err = fd < 0 ? -fd : errno;

		if (fd >= 0)
			close(fd);
		errno = err;
		return NULL;
	}
	facts = json_loadf(file, 0, &error);
	fclose(file);
	if (!facts)
		errno = json_error_code(&error) == json_error_out_of_memory ? ENOMEM : EINVAL;
	return facts;
}

bool facts_is_function(const struct nic *nic)
{
	return cairn_bdf(nic->addr, NULL);
}

/* nic.place and an ending. */
static bool beside(const struct nic *nic, const char *ending, char path[NIC_ADDR_BYTES + 8])
{
	return !facts_is_function(nic) &&
	       snprintf(path, NIC_ADDR_BYTES + 8, "%s.%s", nic->place, ending) > 0;
}

static json_t *load_beside(const struct nic *nic)
{
	char path[NIC_ADDR_BYTES + 8], why[256], *slash;
	json_t *facts = NULL;
	int dir;

	if (!beside(nic, "json", path))
		return NULL;
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	dir = trust_open_dir(*path ? path : "/", TRUST_PRIVATE, why, sizeof(why));
	if (dir < 0)
		return NULL;
	facts = facts_load(dir, slash + 1);
	close(dir);
	return facts;
}

/* ---------------------------------------------------------------- the open device */

/* Held open until release(); NULL: not open here, or being opened or closed just now. */
static struct cairn_dev *hold(struct nic *nic)
{
	if (!atomic_load(&nic->opens) || pthread_mutex_trylock(&nic->lock))
		return NULL;
	if (nic->dev)
		return nic->dev;
	pthread_mutex_unlock(&nic->lock);
	return NULL;
}

static void release(struct nic *nic)
{
	pthread_mutex_unlock(&nic->lock);
}

/* ---------------------------------------------------------------- the port */

/* Who simulates it lives, or cannot be asked. */
static bool lives(const json_t *facts)
{
	json_int_t pid = json_integer_value(json_object_get(facts, "pid"));

	return pid > 0 && (!kill((pid_t)pid, 0) || errno != ESRCH);
}

void facts_port(struct nic *nic, struct facts_port *port)
{
	struct cairn_dev *dev = hold(nic);
	struct cairn_port_attr hw;
	json_t *facts;

	*port = (struct facts_port){ 0 };
	if (dev) {
		if (!cairn_query_port(dev, &hw)) {
			port->active = hw.state == IBV_PORT_ACTIVE;
			port->gbps = hw.gbps;
		}
		release(nic);
		return;
	}
	/* A simulated cable is plugged in. */
	facts = load_beside(nic);
	if (!facts)
		return;
	port->active = lives(facts);
	port->gbps = (unsigned int)json_integer_value(json_object_get(facts, "link_gbps"));
	json_decref(facts);
}

/* ---------------------------------------------------------------- addresses */

unsigned int facts_gids(struct nic *nic)
{
	uint8_t gids[CAIRN_MAX_GIDS][16];
	struct cairn_dev *dev = hold(nic);
	unsigned int n;

	if (!dev)
		return cairn_known_gids(nic->addr, gids, CAIRN_MAX_GIDS);
	n = nic->caps.max_gid;
	release(nic);
	return n;
}

int facts_gid(struct nic *nic, unsigned int index, uint8_t gid[16])
{
	static const uint8_t empty[16];
	uint8_t gids[CAIRN_MAX_GIDS][16];
	struct cairn_dev *dev = hold(nic);
	int err;

	memset(gid, 0, 16);
	if (dev) {
		err = -cairn_query_gid(dev, index, gid, NULL);
		release(nic);
		return err == ENOENT ? ENODATA : err;
	}
	if (index >= cairn_known_gids(nic->addr, gids, CAIRN_MAX_GIDS))
		return EINVAL;
	memcpy(gid, gids[index], 16);
	return memcmp(gid, empty, 16) ? 0 : ENODATA;
}

/* ---------------------------------------------------------------- counters, firmware */

bool facts_counters(struct nic *nic)
{
	char path[NIC_ADDR_BYTES + 8];
	struct cairn_dev *dev = hold(nic);

	if (!dev)
		return beside(nic, "stat", path) && !access(path, R_OK);
	release(nic);
	return true;
}

int facts_counter(struct nic *nic, unsigned int index, uint64_t *value)
{
	char path[NIC_ADDR_BYTES + 8];
	struct cairn_dev *dev = hold(nic);
	struct sim_stat_page *page;
	int err;

	if (dev) {
		err = -cairn_read_counter(dev, index, value);
		release(nic);
		return err;
	}
	if (!beside(nic, "stat", path) || sim_stat_read(path, &page))
		return ENOENT;
	err = index < page->n ? 0 : ENOENT;
	if (!err)
		*value = page->entry[index].value;
	free(page);
	return err;
}

int facts_firmware(struct nic *nic, uint32_t *version)
{
	struct cairn_dev *dev = hold(nic);

	if (!dev)
		return ENOENT;
	*version = nic->caps.fw_version;
	release(nic);
	return 0;
}
