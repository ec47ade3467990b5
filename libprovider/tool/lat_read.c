// SPDX-License-Identifier: Apache-2.0
/* Latencies for tools (lat_read.h). */
#include "lat_read.h"

#include <stdlib.h>
#include <time.h>

#include "devtime.h"
#include "sealed.h"

/* A slot changes its owner in less than a millisecond: then look again. */
#define TRIES 20
#define PAUSE_NS 200000

static bool get(int fd, void *data, size_t len, off_t at)
{
	return pread(fd, data, len, at) == (ssize_t)len;
}

static void add(struct lat_figures *to, const struct lat_figures *from)
{
	to->count += from->count;
	to->sum += from->sum;
	if (from->max > to->max)
		to->max = from->max;
	for (unsigned int b = 0; b < LAT_BUCKETS; b++)
		to->bucket[b] += from->bucket[b];
}

/* The count is that of the buckets as they were read, which others go on counting. */
static void convert(const struct lat_slot *slot, struct lat_figures *figures)
{
	figures->count = 0;
	figures->sum = slot->sum;
	figures->max = slot->max;
	for (unsigned int b = 0; b < LAT_BUCKETS; b++) {
		figures->bucket[b] = slot->bucket[b];
		figures->count += slot->bucket[b];
	}
}

static int read_slots(int fd, off_t base, const struct lat_head *head, struct lat_copy *copy)
{
	struct lat_slot slot;
	struct lat_qp qp;

	memset(&copy->all, 0, sizeof(copy->all));
	copy->n_qps = 0;
	for (unsigned int i = 0; i < head->used; i++) {
		off_t at = base + (off_t)(offsetof(struct lat_page, slot) + i * sizeof(slot));

		if (!get(fd, &slot, sizeof(slot), at))
			return -EPROTO;
		convert(&slot, &qp.figures);
		add(&copy->all, &qp.figures);
		qp.qpn = head->owner[i].qpn & 0xffffff;
		qp.life = head->owner[i].life;
		if (i && qp.figures.count)
			copy->qp[copy->n_qps++] = qp;
	}
	return 0;
}

/* 0; -EAGAIN: a slot has changed its owner meanwhile. */
static int read_page(int fd, off_t base, struct lat_head *head, struct lat_copy **copy)
{
	uint32_t seq;
	int err;

	if (!get(fd, head, sizeof(*head), base) || head->used > LAT_SLOTS ||
	    memcmp(head->magic, LAT_MAGIC, sizeof(head->magic)))
		return -EPROTO;
	if (!*copy)
		*copy = calloc(1, sizeof(**copy) + LAT_SLOTS * sizeof((*copy)->qp[0]));
	if (!*copy)
		return -ENOMEM;
	err = read_slots(fd, base, head, *copy);
	if (!err && !get(fd, &seq, sizeof(seq), base + (off_t)offsetof(struct lat_head, seq)))
		err = -EPROTO;
	if (!err && (head->seq & 1 || seq != head->seq))
		err = -EAGAIN;
	return err;
}

static int copy_page(int fd, off_t base, struct lat_copy **copy)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct lat_head head;
	int err = -EAGAIN;

	/* A program that died inside a change leaves seq odd: take what is there. */
	for (int attempt = 0; err == -EAGAIN && attempt < TRIES; attempt++) {
		if (attempt)
			nanosleep(&pause, NULL);
		err = read_page(fd, base, &head, copy);
	}
	if (err == -EAGAIN)
		err = 0;
	if (!err) {
		(*copy)->early = head.early;
		memcpy((*copy)->device, head.device, LAT_DEVICE_BYTES);
		(*copy)->watched = head.watch > devtime_wall();
	}
	return err;
}

/* Several may watch: the longest counts. */
static void watch(int fd, uint64_t until)
{
	const off_t at = offsetof(struct lat_head, watch);
	uint64_t now;

	if (get(fd, &now, sizeof(now), at) && now < until)
		(void)!pwrite(fd, &until, sizeof(until), at);
}

/* Of a program that has the device open. */
static int read_living(const struct sealed_at *at, uint64_t watch_ns, struct lat_copy **copy,
		       char *why, size_t size)
{
	int fd, err;

	if (at->bytes != sizeof(struct lat_page)) {
		snprintf(why, size, "its program has another version of cairn");
		return -EPROTO;
	}
	fd = sealed_open(at, watch_ns ? O_RDWR : O_RDONLY, why, size);
	if (fd < 0)
		return fd;
	err = copy_page(fd, 0, copy);
	if (!err && watch_ns)
		watch(fd, devtime_wall() + watch_ns);
	close(fd);
	return err;
}

int lat_read(int dir, const char *name, uint64_t watch_ns, struct lat_copy **copy, char *why,
	     size_t size)
{
	struct sealed_at at;
	int file = sealed_find(dir, name, LAT_MAGIC, &at, why, size), err;

	*copy = NULL;
	if (file < 0)
		return file;
	snprintf(why, size, "%.160s is damaged", name);
	if (at.pid) {
		err = read_living(&at, watch_ns, copy, why, size);
	} else if (at.bytes != sizeof(struct lat_page)) {
		err = -ESRCH;	/* closed, and nothing could be kept */
	} else {
		err = copy_page(file, LAT_FILE_OFFSET, copy);
		if (!err) {
			(*copy)->ended = true;
			(*copy)->watched = false;
		}
	}
	close(file);
	if (err) {
		free(*copy);
		*copy = NULL;
	}
	return err;
}

uint64_t lat_permille(const struct lat_figures *f, unsigned int permille)
{
	uint64_t rank = f->count / 1000 * permille + (f->count % 1000 * permille + 999) / 1000;
	uint64_t below = 0, value = 0;

	for (unsigned int b = 0; b < LAT_BUCKETS && (below < rank || !below); b++) {
		below += f->bucket[b];
		if (f->bucket[b])
			value = lat_middle(b);
	}
	return f->max && value > f->max ? f->max : value;
}

void lat_since(const struct lat_figures *now, const struct lat_figures *then,
	       struct lat_figures *out)
{
	bool back = now->count < then->count;

	for (unsigned int b = 0; b < LAT_BUCKETS; b++)
		back |= now->bucket[b] < then->bucket[b];
	*out = *now;
	if (back)
		return;
	out->count -= then->count;
	out->sum -= then->sum;
	out->max = 0;
	for (unsigned int b = 0; b < LAT_BUCKETS; b++)
		out->bucket[b] -= then->bucket[b];
}
