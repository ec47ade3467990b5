// SPDX-License-Identifier: Apache-2.0
/* The firmware's log: a ring in host memory that firmware fills and the driver reads when asked. */
#include <string.h>

#include "priv.h"

#define LOG_LOG2 8u

int cairn_log_start(struct cairn_dev *dev)
{
	struct cairn_log *log = &dev->log;
	int err = cairn_dma_alloc(dev, sizeof(struct cairn_log_entry) << LOG_LOG2, &log->mem);

	if (err)
		return err;
	log->log2 = LOG_LOG2;
	log->next = 1;
	pthread_mutex_init(&log->lock, NULL);
	err = dev->bus->ops->write32(dev->bus, CAIRN_REG_LOG_SIZE, LOG_LOG2);
	if (!err)
		err = dev->bus->ops->write64(dev->bus, CAIRN_REG_LOG_BASE, log->mem.iova);
	return err;
}

void cairn_log_free(struct cairn_dev *dev)
{
	if (!dev->log.mem.va)
		return;
	pthread_mutex_destroy(&dev->log.lock);
	cairn_dma_free(dev, &dev->log.mem);
}

/* Entry with sequence number seq sits at (seq - 1) modulo the size; firmware writes a whole entry
 * at a time. */
int cairn_read_log(struct cairn_dev *dev,
		   void (*fn)(void *arg, const struct cairn_log_entry *entry), void *arg)
{
	struct cairn_log *log = &dev->log;
	const struct cairn_log_entry *ring = log->mem.va;
	int n = 0;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	pthread_mutex_lock(&log->lock);
	for (;;) {
		const struct cairn_log_entry *from =
			&ring[(log->next - 1) & ((1u << log->log2) - 1)];
		struct cairn_log_entry entry;
		uint32_t seq = cairn_read_once(&from->seq);

		if ((int32_t)(seq - log->next) < 0 || !seq)
			break; /* not written yet */
		cairn_rmb_after_phase();
		entry = *from;
		cairn_rmb_after_phase();
		if (cairn_read_once(&from->seq) != seq)
			continue;    /* overtaken while we read */
		log->next = seq + 1; /* a jump: the ring went round, lines are lost */
		entry.text[sizeof(entry.text) - 1] = 0;
		fn(arg, &entry);
		n++;
	}
	pthread_mutex_unlock(&log->lock);
	return n;
}
