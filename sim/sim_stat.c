// SPDX-License-Identifier: Apache-2.0
/* The statistics page (sim_stat.h): its file, and what fills it. */
#include "sim_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "sim.h"
#include "sim_pcie.h"

#define INTERVAL_NS	100000000ULL
#define WALK_REFRESH_NS 1000000000ULL /* between refreshes while a walk goes on */
#define WALK_INTERVAL_NS 200000000ULL
#define WALK_SHARE	20 /* a walk over the QPs rests so many times as long as it took */
#define GAP		4u /* counters that are read along rather than in a read of their own */

struct sim_stat {
	struct sim_nic *nic;
	char *path;
	int fd;
	struct sim_stat_page *page;	/* what is in the file, or will be at the next commit() */
	size_t bytes;
	uint64_t wall;			/* as the last call had it */
	uint64_t last;			/* wall time of the last refresh */
	uint64_t activity;		/* at the last refresh */
	/* read of the device's counters in progress */
	bool reading;
	struct sim_pcie_read read;
	uint64_t counters[CAIRN_COUNTERS];
	unsigned int part;		/* of port_parts */
	uint64_t read_time, read_wall;	/* when the first of them were read */
	uint64_t counted_time, counted_wall; /* the same, of those in the page */
	uint64_t frames_asked, frames_read; /* moved before that read began, before the last one */
	void (*last_done)(void *arg);	/* for a waiter: the end of the read */
	void *last_arg;
	/* walk over the QPs: what it has found so far, where it reads */
	bool walking;			/* from its first read to the look at the clock after it */
	uint64_t walk_activity;		/* when the last walk began */
	uint64_t walk_began, next_walk;	/* wall */
	uint64_t selects;		/* register writes, which are no activity */
	uint64_t word;
	uint64_t values[CAIRN_COUNTERS];
	struct sim_stat_qp *found;
	uint32_t from;			/* where the next QP is looked for */
	unsigned int n_found, first, end; /* counters first to end - 1 are read */
	bool more;
	/* for the speed */
	uint64_t last_evaluated, last_wall, speed;
};

/* ---- what is in it ---- */

#define PCIE(field) { "pcie_" #field, offsetof(struct sim_pcie_stats, field) }
static const struct {
	const char *name;
	size_t at;
} pcie_table[] = {
	PCIE(wr_tlps), PCIE(wr_bytes), PCIE(rd_tlps), PCIE(rd_bytes), PCIE(cpl_tlps),
	PCIE(cpl_bytes), PCIE(bar_wr_tlps), PCIE(bar_wr_bytes), PCIE(bar_rd_tlps), PCIE(irqs),
	PCIE(tx_wait_cycles), PCIE(faults), PCIE(dma_errors), PCIE(flrs),
};
#undef PCIE
#define N_PCIE (sizeof(pcie_table) / sizeof(*pcie_table))

static uint64_t pcie_value(const struct sim_stat *stat, size_t i)
{
	const struct sim_pcie_stats *stats = sim_pcie_stats(sim_nic_pcie(stat->nic));
	uint64_t value;

	memcpy(&value, (const char *)stats + pcie_table[i].at, sizeof(value));
	return value;
}

/* Entry i after the device's counters; false past the last. */
static bool model_entry(const struct sim_stat *stat, unsigned int i, char *name, uint64_t *value)
{
	struct sim *sim = sim_nic_sim(stat->nic);
	const struct sim_wire_stats *wire = sim_wire_stats(sim_wire(sim), sim_nic_index(stat->nic));
	const struct {
		const char *name;
		uint64_t value;
	} own[] = {
		{ "sim_time_ns", sim_now(sim) },
		{ "sim_wall_ns", stat->wall },
		{ "sim_counters_time_ns", stat->counted_time },
		{ "sim_counters_wall_ns", stat->counted_wall },
		{ "sim_cycles", sim_cycle(sim) },
		{ "sim_evaluated_cycles", sim_evaluated(sim) },
		{ "sim_evaluated_cycles_per_s", stat->speed },
		{ "sim_errors", sim_nic_errors(stat->nic) },
	};
	const char *text;

	for (unsigned int w = 0; sim_wire_stat_at(wire, w, &text, value); w++, i--)
		if (!i) {
			snprintf(name, SIM_STAT_NAME_BYTES, "wire_%s", text);
			return true;
		}
	if (i < N_PCIE) {
		snprintf(name, SIM_STAT_NAME_BYTES, "%s", pcie_table[i].name);
		*value = pcie_value(stat, i);
		return true;
	}
	i -= N_PCIE;
	if (i >= sizeof(own) / sizeof(*own))
		return false;
	snprintf(name, SIM_STAT_NAME_BYTES, "%s", own[i].name);
	*value = own[i].value;
	return true;
}

/*
 * Counts up whenever the NIC did something, but not for the accesses that are made here.  Exact
 * while none is under way: a register write is counted when it gets to the device, which it does
 * before the read behind it is answered.
 */
static uint64_t activity(const struct sim_stat *stat)
{
	struct sim *sim = sim_nic_sim(stat->nic);
	const struct sim_pcie_stats *pcie = sim_pcie_stats(sim_nic_pcie(stat->nic));
	const struct sim_wire_stats *wire = sim_wire_stats(sim_wire(sim), sim_nic_index(stat->nic));

	return pcie->wr_tlps + pcie->rd_tlps + pcie->bar_wr_tlps - stat->selects + pcie->flrs +
	       wire->tx_frames + wire->rx_frames + wire->dropped + wire->loop_frames;
}

static uint64_t frames(const struct sim_stat *stat)
{
	const struct sim_wire_stats *wire =
		sim_wire_stats(sim_wire(sim_nic_sim(stat->nic)), sim_nic_index(stat->nic));

	return wire->tx_frames + wire->rx_frames + wire->loop_frames;
}

/* ---- the page ---- */

static void put(struct sim_stat *stat, size_t from, size_t to)
{
	const char *data = (const char *)stat->page;

	/* There is room (sim_stat_new()); what fails all the same is not worth an end. */
	(void)!pwrite(stat->fd, data + from, to - from, (off_t)from);
}

/* Into the file, which is not mapped: others may cut it short.  seq is odd in between. */
static void commit(struct sim_stat *stat)
{
	const size_t head = offsetof(struct sim_stat_page, qp);

	stat->page->seq++;
	put(stat, 0, head);
	put(stat, head, stat->bytes);
	stat->page->seq++;
	put(stat, 0, head);
}

static void publish(struct sim_stat *stat, bool with_counters)
{
	struct sim_stat_page *page = stat->page;
	char name[SIM_STAT_NAME_BYTES];

	for (unsigned int i = 0; with_counters && i < CAIRN_COUNTERS; i++)
		page->entry[i].value = stat->counters[i];
	if (with_counters) {
		stat->counted_time = stat->read_time;
		stat->counted_wall = stat->read_wall;
	}
	for (unsigned int i = CAIRN_COUNTERS; i < page->n; i++)
		model_entry(stat, i - CAIRN_COUNTERS, name, &page->entry[i].value);
	commit(stat);
}

/* A new one for its owner, with all its blocks: a disk that is full is an error now. */
static int make_file(const char *path, size_t bytes)
{
	int fd, err;

	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	err = fchmod(fd, 0600) ? errno : posix_fallocate(fd, 0, (off_t)bytes);
	if (!err)
		return fd;
	unlink(path);
	close(fd);
	errno = err;
	return -1;
}

struct sim_stat *sim_stat_new(struct sim_nic *nic, const char *path)
{
	struct sim_stat *stat = calloc(1, sizeof(*stat));
	char name[SIM_STAT_NAME_BYTES];
	unsigned int n = CAIRN_COUNTERS;
	uint64_t value;

	if (!stat)
		return NULL;
	stat->nic = nic;
	stat->found = calloc(SIM_STAT_QPS, sizeof(*stat->found));
	while (model_entry(stat, n - CAIRN_COUNTERS, name, &value))
		n++;
	stat->bytes = sizeof(*stat->page) + n * sizeof(stat->page->entry[0]);
	stat->path = strdup(path);
	stat->page = calloc(1, stat->bytes);
	stat->fd = stat->path && stat->found && stat->page ? make_file(path, stat->bytes) : -1;
	if (stat->fd < 0) {
		int error = errno;

		free(stat->page);
		free(stat->found);
		free(stat->path);
		free(stat);
		errno = error;
		return NULL;
	}
	stat->page->n = n;
	stat->page->nic = sim_nic_index(nic);
	stat->page->pid = (uint32_t)getpid();
	for (unsigned int i = 0; i < n; i++)
		if (i < CAIRN_COUNTERS)
			snprintf(stat->page->entry[i].name, SIM_STAT_NAME_BYTES, "%s",
				 cairn_counter_names[i] ? cairn_counter_names[i] : "");
		else
			model_entry(stat, i - CAIRN_COUNTERS, stat->page->entry[i].name, &value);
	memcpy(stat->page->magic, SIM_STAT_MAGIC, sizeof(stat->page->magic));
	publish(stat, false);
	return stat;
}

void sim_stat_free(struct sim_stat *stat)
{
	if (!stat)
		return;
	if (stat->reading)
		sim_pcie_mmio_cancel(sim_nic_pcie(stat->nic), &stat->read);
	close(stat->fd);
	free(stat->page);
	unlink(stat->path);
	free(stat->found);
	free(stat->path);
	free(stat);
}

/* What the device says, in the page or not at all. */
static void read_bar(struct sim_stat *stat, uint64_t off, void *buf, size_t size,
		     void (*done)(struct sim_pcie_read *read))
{
	stat->read = (struct sim_pcie_read){
		.bar = 0, .off = off, .size = (uint32_t)size, .buf = buf, .done = done, .arg = stat,
	};
	stat->reading = true;
	if (sim_pcie_mmio_read(sim_nic_pcie(stat->nic), &stat->read))
		stat->reading = false;
}

/*
 * The walk over the QPs: the device names the next one that has counted something, its counters are
 * read a range at a time.  Each step begins when the one before is answered; an access that fails
 * ends it, and the page keeps what it had.
 */
static void next_done(struct sim_pcie_read *read);
static void range_done(struct sim_pcie_read *read);
static void read_done(struct sim_pcie_read *read);

static bool select_qp(struct sim_stat *stat, uint32_t qpn)
{
	if (sim_pcie_mmio_write(sim_nic_pcie(stat->nic), 0, CAIRN_REG_QP_SELECT_TOOLS, &qpn,
				sizeof(qpn)))
		return false;
	stat->selects++;
	return true;
}

static void ask_next(struct sim_stat *stat)
{
	if (select_qp(stat, stat->from))
		read_bar(stat, CAIRN_QP_COUNTER_TOOLS + 8 * CAIRN_QP_COUNTER_NEXT, &stat->word,
			 sizeof(stat->word), next_done);
}

/*
 * The counters of a port take 50 us of device time to read, and more when it is busy: first come
 * those of which rates are made, together.
 */
static const struct {
	unsigned int first, end;
} port_parts[] = {
	{ 0, CAIRN_COUNTER_TX_BYTES + 1 },
	{ CAIRN_COUNTER_RX_SEND, CAIRN_COUNTER_RX_ATOMIC + 1 },
	{ CAIRN_COUNTER_TX_BYTES + 1, CAIRN_COUNTER_RX_SEND },
	{ CAIRN_COUNTER_RX_ATOMIC + 1, CAIRN_COUNTERS },
};
#define RATES_PARTS 2
#define PORT_PARTS (sizeof(port_parts) / sizeof(*port_parts))

static void looked(struct sim_stat *stat)
{
	void (*done)(void *arg) = stat->last_done;

	stat->last_done = NULL;
	if (done)
		done(stat->last_arg);
}

static void ask_part(struct sim_stat *stat)
{
	unsigned int first = port_parts[stat->part].first;

	read_bar(stat, CAIRN_COUNTER_OFFSET + 8ull * first, &stat->counters[first],
		 8ul * (port_parts[stat->part].end - first), read_done);
	if (!stat->reading)
		looked(stat);
}

static void read_done(struct sim_pcie_read *read)
{
	struct sim_stat *stat = read->arg;

	stat->reading = false;
	if (read->status) {
		looked(stat);
		return;
	}
	if (++stat->part == RATES_PARTS) {
		stat->read_time = sim_now(sim_nic_sim(stat->nic));
		stat->read_wall = stat->wall;
	}
	if (stat->part < PORT_PARTS) {
		ask_part(stat);
		return;
	}
	stat->frames_read = stat->frames_asked;
	publish(stat, true);
	looked(stat);
	if (stat->walking)
		ask_next(stat);
}

/* What the model has goes into the page at once, what the device has when it is read. */
static void refresh(struct sim_stat *stat, bool readable)
{
	uint64_t evaluated = sim_evaluated(sim_nic_sim(stat->nic));

	if (stat->wall != stat->last)
		stat->speed = (uint64_t)((double)(evaluated - stat->last_evaluated) * 1e9 /
					 (double)(stat->wall - stat->last));
	stat->last_evaluated = evaluated;
	stat->last = stat->wall;
	stat->activity = activity(stat);
	publish(stat, false);
	stat->part = 0;
	stat->frames_asked = frames(stat);
	if (readable)
		ask_part(stat);
}

static bool refresh_due(const struct sim_stat *stat, uint64_t interval)
{
	return stat->wall - stat->last >= interval && activity(stat) != stat->activity;
}

static void publish_qps(struct sim_stat *stat)
{
	struct sim_stat_page *page = stat->page;

	page->qps = stat->n_found;
	page->more_qps = stat->more;
	memcpy(page->qp, stat->found, stat->n_found * sizeof(*stat->found));
	commit(stat);
}

/* Counters of QPs from `first` on, up to a gap.  False: there are none. */
static bool next_range(struct sim_stat *stat)
{
	unsigned int i = stat->end;

	while (i < CAIRN_COUNTERS && !cairn_counter_of_qp[i])
		i++;
	stat->first = stat->end = i;
	for (; i < CAIRN_COUNTERS && i < stat->end + GAP; i++)
		if (cairn_counter_of_qp[i])
			stat->end = i + 1;
	return stat->first < stat->end;
}

static void ask_range(struct sim_stat *stat)
{
	read_bar(stat, CAIRN_QP_COUNTER_TOOLS + 8ull * stat->first, stat->values,
		 8ul * (stat->end - stat->first), range_done);
}

static void next_done(struct sim_pcie_read *read)
{
	struct sim_stat *stat = read->arg;
	uint32_t qpn = (uint32_t)stat->word;
	/* The register has 24 bits: behind the last QPN of all it begins again. */
	bool none = qpn == UINT32_MAX || qpn < stat->from;

	stat->reading = false;
	if (read->status)
		return;
	stat->more = !none && stat->n_found == SIM_STAT_QPS;
	if (none || stat->more) {
		publish_qps(stat);
		return;
	}
	memset(&stat->found[stat->n_found], 0, sizeof(*stat->found));
	stat->found[stat->n_found].qpn = qpn;
	stat->end = 0;
	if (select_qp(stat, qpn) && next_range(stat))
		ask_range(stat);
}

static void range_done(struct sim_pcie_read *read)
{
	struct sim_stat *stat = read->arg;
	struct sim_stat_qp *qp = &stat->found[stat->n_found];

	stat->reading = false;
	if (read->status)
		return;
	for (unsigned int i = stat->first; i < stat->end; i++)
		qp->value[i] = (uint32_t)stat->values[i - stat->first];
	if (next_range(stat)) {
		ask_range(stat);
		return;
	}
	stat->n_found++;
	stat->from = qp->qpn + 1;
	/* Many QPs take seconds, which the port's counters do not wait. */
	if (refresh_due(stat, WALK_REFRESH_NS))
		refresh(stat, true);
	else
		ask_next(stat);
}

static void features_done(struct sim_pcie_read *read)
{
	struct sim_stat *stat = read->arg;

	stat->reading = false;
	if (!read->status && stat->word & CAIRN_REG_FEATURES_QP_COUNTERS)
		ask_next(stat);
}

static void start_walk(struct sim_stat *stat)
{
	stat->walking = true;
	stat->walk_activity = activity(stat);
	stat->walk_began = stat->wall;
	stat->n_found = 0;
	stat->from = 0;
	stat->word = 0;
	read_bar(stat, CAIRN_REG_FEATURES, &stat->word, sizeof(uint32_t), features_done);
}

static void walk_over(struct sim_stat *stat)
{
	uint64_t rest = WALK_SHARE * (stat->wall - stat->walk_began);

	stat->walking = false;
	stat->next_walk = stat->wall + (rest > WALK_INTERVAL_NS ? rest : WALK_INTERVAL_NS);
}

void sim_stat_update(struct sim_stat *stat, uint64_t wall, bool readable)
{
	stat->wall = wall;
	if (stat->reading)
		return;
	if (stat->walking)
		walk_over(stat);
	/* What a program has counted goes with it. */
	if (!readable)
		stat->walk_activity = activity(stat);
	/* The walk first: a slow model reads the port's counters for longer than their interval. */
	if (activity(stat) != stat->walk_activity && wall >= stat->next_walk)
		start_walk(stat);
	else if (refresh_due(stat, INTERVAL_NS))
		refresh(stat, readable);
}

void sim_stat_last(struct sim_stat *stat, void (*done)(void *arg), void *arg)
{
	if (frames(stat) == stat->frames_read) {
		done(arg);
		return;
	}
	/* What is being read now is from before; a walk comes too late. */
	if (stat->reading)
		sim_pcie_mmio_cancel(sim_nic_pcie(stat->nic), &stat->read);
	stat->reading = false;
	stat->walking = false;
	stat->last_done = done;
	stat->last_arg = arg;
	refresh(stat, true);
}

uint64_t sim_stat_due(const struct sim_stat *stat)
{
	uint64_t due = UINT64_MAX;

	if (stat->reading)
		return UINT64_MAX;
	if (stat->walking)
		return 0; /* to see that it is over */
	if (activity(stat) != stat->activity)
		due = stat->last + INTERVAL_NS;
	if (activity(stat) != stat->walk_activity && stat->next_walk < due)
		due = stat->next_walk;
	return due;
}
