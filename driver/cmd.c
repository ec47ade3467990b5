// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue: a ring of 64-byte commands to firmware, a ring of 16-byte completions with a
 * phase bit back (docs/commands.md).  Any thread may send; several are outstanding at a time,
 * completions come in any order and whoever waits takes all that are there.  No answer at all for
 * the time limit means that the device is lost; while others are answered, a command may wait (many
 * that resolve neighbours that are not there take one after the other).  A command that is never
 * answered holds up the ring when it is its slot's turn again, so that is noticed, too.
 * A simulated device has some thousandths of the time of its host; what it waits for itself, up to
 * a second, is of its own time.  So it is given that much of it, too.
 */
#include <stdio.h>
#include <string.h>

#include "priv.h"

/* How often a waiter looks at the STATUS and TIME registers, in fruitless polls. */
#define STATUS_EVERY 1024
#define DEVICE_NS (2000 * NS_PER_MS) /* of its own time that a device is given */

static const struct {
	int err;
	const char *remedy;
	bool broken; /* something is, rather than that the command asked for too much */
} outcome[] = {
	[CAIRN_CMD_STATUS_OK] = { 0, "", false },
	[CAIRN_CMD_STATUS_BAD_OP] = { -EOPNOTSUPP,
				      "the firmware is older than the driver: use the one of the same release",
				      true },
	[CAIRN_CMD_STATUS_BAD_PARAM] = { -EINVAL, "a value is out of range", false },
	[CAIRN_CMD_STATUS_BAD_INDEX] = { -EINVAL, "a number is outside its table", false },
	[CAIRN_CMD_STATUS_BAD_STATE] = { -EINVAL, "not allowed in the present state", false },
	[CAIRN_CMD_STATUS_BUSY] = { -EBUSY, "something still uses it; destroy that first", false },
	[CAIRN_CMD_STATUS_EXISTS] = { -EBUSY, "the number is in use already", false },
	[CAIRN_CMD_STATUS_NOT_SUPPORTED] = { -EOPNOTSUPP, "not in this build; see `cairn info`",
					     false },
	[CAIRN_CMD_STATUS_NO_RESOURCE] = { -ENOSPC,
					   "the device has none left; free some, or choose another event queue",
					   false },
	[CAIRN_CMD_STATUS_DMA_ERROR] = { -EIO, "the device could not reach host memory", true },
	[CAIRN_CMD_STATUS_TIMEOUT] = { -ETIMEDOUT,
				       "nobody on the network answers for that address; check link and GID",
				       true },
	[CAIRN_CMD_STATUS_BAD_MASK] = { -EINVAL, "wrong set of attributes for this transition",
					false },
	[CAIRN_CMD_STATUS_INTERNAL] = { -EIO, "firmware failed; reset the device", true },
};

int cairn_cmdq_start(struct cairn_dev *dev)
{
	struct cairn_cmdq *q = &dev->cmdq;
	const struct cairn_bus_ops *ops = dev->bus->ops;
	uint64_t cpls = CMDQ_ENTRIES * CAIRN_CMD_BYTES,
		 buffers = cpls + CMDQ_ENTRIES * CAIRN_CMD_CPL_BYTES;
	int err;

	memset(q, 0, sizeof(*q));
	err = cairn_dma_alloc(dev, buffers + CMDQ_ENTRIES * CMD_BUFFER, &q->mem);
	if (err)
		return err;
	q->cmds = q->mem.va;
	q->cpls = (void *)((uint8_t *)q->mem.va + cpls);
	q->buffers = (uint8_t *)q->mem.va + buffers;
	q->buffers_iova = q->mem.iova + buffers;
	pthread_mutex_init(&q->lock, NULL);
	err = ops->write64(dev->bus, CAIRN_REG_CMDQ_BASE, q->mem.iova);
	if (!err)
		err = ops->write64(dev->bus, CAIRN_REG_CMDQ_CPL_BASE, q->mem.iova + cpls);
	if (!err)
		err = ops->write32(dev->bus, CAIRN_REG_CMDQ_SIZE,
				   CAIRN_PUT(CAIRN_REG_CMDQ_SIZE_LOG2, CMDQ_LOG2));
	if (!err)
		err = ops->write32(dev->bus, CAIRN_REG_CMDQ_ENABLE, 1);
	if (err) {
		cairn_fail(err, "cannot set up the command queue: device lost");
		pthread_mutex_destroy(&q->lock);
		cairn_dma_free(dev, &q->mem);
		memset(q, 0, sizeof(*q));
	}
	return err;
}

void cairn_cmdq_stop(struct cairn_dev *dev)
{
	struct cairn_cmdq *q = &dev->cmdq;

	if (!q->cmds)
		return;
	dev->bus->ops->write32(dev->bus, CAIRN_REG_CMDQ_ENABLE, 0);
	pthread_mutex_destroy(&q->lock);
	cairn_dma_free(dev, &q->mem);
	memset(q, 0, sizeof(*q));
}

/* Take every completion that is there.  Returns a message when one makes no sense. */
static const char *reap(struct cairn_cmdq *q)
{
	for (;;) {
		const struct cairn_cmd_cpl *cpl = &q->cpls[q->ci % CMDQ_ENTRIES];
		uint32_t owner = cairn_read_once(&cpl->owner);
		struct cairn_cmdq_slot *slot;
		uint32_t id;

		if (CAIRN_GET(owner, CAIRN_CMD_CPL_OWNER_PHASE) != (~(q->ci >> CMDQ_LOG2) & 1))
			return NULL;
		cairn_rmb_after_phase();
		if (CAIRN_GET(owner, CAIRN_CMD_CPL_OWNER_INDEX) != (q->ci & 0xffff))
			return "a command completion has a wrong index";
		id = CAIRN_GET(cpl->head, CAIRN_CMD_CPL_HEAD_ID);
		slot = &q->slots[id % CMDQ_ENTRIES];
		if (!slot->busy || slot->done || slot->id != id)
			return "a command completion names a command that is not outstanding";
		slot->head = cpl->head;
		slot->value0 = cpl->value0;
		slot->value1 = cpl->value1;
		slot->done = true;
		q->ci++;
	}
}

/* One look while waiting: -EAGAIN to go on, 0 if `slot` has what is waited for (done, or free),
 * else -errno. */
static int look(struct cairn_dev *dev, const struct cairn_cmdq_slot *slot, bool until_free)
{
	struct cairn_cmdq *q = &dev->cmdq;
	const char *wrong = reap(q);

	if (until_free ? !slot->busy : slot->done)
		return 0;
	if (atomic_load(&dev->gone) || atomic_load(&dev->bus->gone))
		return cairn_dev_lose(dev, "the device went away while a command was waiting");
	return wrong ? cairn_dev_lose(dev, wrong) : -EAGAIN;
}

struct patience {
	uint64_t deadline;
	uint64_t since; /* device time soon after it began; 0 not known yet */
	uint64_t seen;	/* device time at the deadline before this one */
	uint32_t ci;
};

static void patience_renew(struct cairn_dev *dev, struct patience *p)
{
	p->deadline = dev->bus->ops->now_ns(dev->bus) + dev->timeout_ns;
	p->since = p->seen = 0;
	p->ci = dev->cmdq.ci;
}

/* False: it can be asked no more, its clock stands, or it has had its time.  Else `p` goes on. */
static bool device_is_slow(struct cairn_dev *dev, struct patience *p)
{
	uint64_t enough = dev->timeout_ns / 2, now;

	if (dev->bus->ops->read64(dev->bus, CAIRN_REG_TIME, &now) || now == p->seen)
		return false;
	p->seen = now;
	if (!p->since)
		p->since = now;
	else if (now - p->since >= (enough < DEVICE_NS ? enough : DEVICE_NS))
		return false;
	p->deadline = dev->bus->ops->now_ns(dev->bus) + dev->timeout_ns;
	return true;
}

/* After a fruitless poll, without the lock: why the device must be given up, or "". */
static void judge(struct cairn_dev *dev, struct patience *p, unsigned int attempt, const char *op,
		  char *why, size_t size)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	uint32_t status;

	why[0] = 0;
	if (attempt % STATUS_EVERY == 0 && !ops->read32(dev->bus, CAIRN_REG_STATUS, &status)) {
		if (status == 0xffffffff || status & CAIRN_REG_STATUS_FATAL)
			snprintf(why, size, "fatal device error during %s (STATUS 0x%08x)", op,
				 status);
		if (!p->since)
			ops->read64(dev->bus, CAIRN_REG_TIME, &p->since);
	}
	if (!why[0] && ops->now_ns(dev->bus) > p->deadline && !device_is_slow(dev, p))
		snprintf(why, size,
			 "no answer to %s in %llu ms (CAIRN_TIMEOUT_MS changes the limit)", op,
			 (unsigned long long)(dev->timeout_ns / NS_PER_MS));
}

/* Poll until the slot is done (or free); called and left with the lock held. */
static int wait_slot(struct cairn_dev *dev, const struct cairn_cmdq_slot *slot, bool until_free,
		     const char *op)
{
	struct patience p;
	unsigned int attempt = 0;
	int err;

	patience_renew(dev, &p);
	while ((err = look(dev, slot, until_free)) == -EAGAIN) {
		char why[160];

		if (dev->cmdq.ci != p.ci)
			patience_renew(dev, &p);
		pthread_mutex_unlock(&dev->cmdq.lock);
		dev->bus->ops->relax(dev->bus, attempt++);
		judge(dev, &p, attempt, op, why, sizeof(why));
		pthread_mutex_lock(&dev->cmdq.lock);
		/* Unless others were answered while this thread did not run. */
		if (why[0] && look(dev, slot, until_free) == -EAGAIN && dev->cmdq.ci == p.ci)
			return cairn_dev_lose(dev, why);
	}
	return err;
}

/* Fill the slot's command and buffer, hand it to the device. */
static int publish(struct cairn_dev *dev, struct cairn_cmdq_slot *slot,
		   const struct cairn_request *r)
{
	struct cairn_cmdq *q = &dev->cmdq;
	uint32_t index = q->pi % CMDQ_ENTRIES;
	struct cairn_cmd *cmd = &q->cmds[index];
	uint8_t *buffer = q->buffers + index * CMD_BUFFER;

	memset(buffer, 0, CMD_BUFFER);
	if (r->in)
		memcpy(buffer, r->in, r->len);
	cmd->head = (uint32_t)(CAIRN_PUT(CAIRN_CMD_HEAD_OP, r->op) |
			       CAIRN_PUT(CAIRN_CMD_HEAD_FLAGS, r->flags) |
			       CAIRN_PUT(CAIRN_CMD_HEAD_ID, q->pi));
	cmd->number = r->number;
	cmd->ptr = r->in || r->out ? q->buffers_iova + index * CMD_BUFFER : r->ptr;
	cmd->arg0 = r->arg[0];
	cmd->arg1 = r->arg[1];
	cmd->arg2 = r->arg[2];
	cmd->arg3 = r->arg[3];
	cmd->arg4 = r->arg[4];
	cmd->arg5 = r->arg5;
	cmd->check = (uint32_t)(CAIRN_PUT(CAIRN_CMD_CHECK_INDEX, q->pi) |
				CAIRN_PUT(CAIRN_CMD_CHECK_MAGIC, CAIRN_CMD_MAGIC));
	*slot = (struct cairn_cmdq_slot){ .busy = true, .id = (uint16_t)q->pi };
	q->pi++;
	cairn_wmb_before_doorbell();
	return dev->bus->ops->write32(dev->bus, CAIRN_REG_CMDQ_DB, q->pi & 0xffff);
}

/* Wait for a free slot, send, wait for the completion. */
static int execute(struct cairn_dev *dev, struct cairn_request *r, const char *op)
{
	struct cairn_cmdq *q = &dev->cmdq;
	struct cairn_cmdq_slot *slot;
	int err;

	pthread_mutex_lock(&q->lock);
	do { /* another thread may have taken the slot that became free */
		slot = &q->slots[q->pi % CMDQ_ENTRIES];
		err = wait_slot(dev, slot, true, op);
	} while (!err && slot != &q->slots[q->pi % CMDQ_ENTRIES]);
	if (!err) {
		uint32_t index = q->pi % CMDQ_ENTRIES;

		err = publish(dev, slot, r);
		if (!err)
			err = wait_slot(dev, slot, false, op);
		else
			err = cairn_dev_lose(dev, "the command doorbell cannot be written");
		if (!err) {
			r->status = CAIRN_GET(slot->head, CAIRN_CMD_CPL_HEAD_STATUS);
			r->detail = CAIRN_GET(slot->head, CAIRN_CMD_CPL_HEAD_DETAIL);
			r->value0 = slot->value0;
			r->value1 = slot->value1;
			if (r->out && r->status == CAIRN_CMD_STATUS_OK)
				memcpy(r->out, q->buffers + index * CMD_BUFFER, r->len);
			slot->busy = false;
		}
	}
	pthread_mutex_unlock(&q->lock);
	return err;
}

/* " (word 4 of its buffer)" */
static const char *where(uint32_t detail, char *text, size_t size)
{
	if (detail == CAIRN_CMD_DETAIL_NONE)
		return "";
	snprintf(text, size, " (32-bit word %u of the %s)",
		 detail & ~(uint32_t)CAIRN_CMD_DETAIL_BUFFER,
		 detail & CAIRN_CMD_DETAIL_BUFFER ? "attributes" : "command");
	return text;
}

int cairn_cmd(struct cairn_dev *dev, struct cairn_request *r)
{
	const char *op = cairn_enum_name("cmd_op", r->op);
	char text[64];
	int err = cairn_dev_alive(dev);
	UNCANCELLED; /* the slot would never become free */

	if (err)
		return err;
	err = execute(dev, r, op);
	if (err || r->status == CAIRN_CMD_STATUS_OK)
		return err;
	if (r->status >= sizeof(outcome) / sizeof(*outcome) ||
	    r->status == CAIRN_CMD_STATUS_INTERNAL)
		return cairn_dev_lose(dev, "firmware reports an internal error");
	return (outcome[r->status].broken ? cairn_fail : cairn_refuse)(
		outcome[r->status].err, "%s of %u: %s%s: %s", op, r->number,
		cairn_enum_name("cmd_status", r->status), where(r->detail, text, sizeof(text)),
		outcome[r->status].remedy);
}

int cairn_cmd_end(struct cairn_dev *dev, struct cairn_request *r)
{
	int err;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	err = cairn_cmd(dev, r);
	return err && atomic_load(&dev->gone) ? 0 : err;
}
