// SPDX-License-Identifier: Apache-2.0
/*
 * The command queue: a ring of 64-byte commands to firmware, a ring of 16-byte completions with a
 * phase bit back (docs/commands.md).  Any thread may send; several are outstanding at a time,
 * completions come in any order, and each waiter takes all that are there.  No answer at all for
 * the time limit means that the device is lost; while others are answered, a command may wait (many
 * that resolve neighbours that are not there take one after the other).  A command that is never
 * answered holds up the ring when it is its slot's turn again, so that is noticed, too.  A
 * simulated device has some thousandths of the time of its host; what it waits for itself, up to a
 * second, is of its own time.  So it is given that much of it, too.
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
	uint64_t cpls = CMDQ_ENTRIES * CAIRN_CMD_SLOT_BYTES;
	int err;

	memset(q, 0, sizeof(*q));
	err = cairn_dma_alloc(dev, cpls + CMDQ_ENTRIES * CAIRN_CMD_CPL_BYTES, &q->mem);
	if (err)
		return err;
	q->cmds = q->mem.va;
	q->cpls = (void *)(q->cmds + cpls);
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

/* Give the request what its completion and its buffer say, and the slot back to the ring. */
static void answer(struct cairn_cmdq *q, uint32_t index, const struct cairn_cmd_cpl *cpl)
{
	struct cairn_cmdq_slot *slot = &q->slots[index];
	struct cairn_request *r = slot->request;

	slot->busy = false;
	if (!r)
		return;
	r->status = CAIRN_GET(cpl->head, CAIRN_CMD_CPL_HEAD_STATUS);
	r->detail = CAIRN_GET(cpl->head, CAIRN_CMD_CPL_HEAD_DETAIL);
	r->value0 = cpl->value0;
	r->value1 = cpl->value1;
	if (r->out && r->status == CAIRN_CMD_STATUS_OK)
		memcpy(r->out, q->cmds + index * CAIRN_CMD_SLOT_BYTES + CAIRN_CMD_BYTES, r->len);
	r->done = true;
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
		if (!slot->busy || slot->id != id)
			return "a command completion names a command that is not outstanding";
		answer(q, id % CMDQ_ENTRIES, cpl);
		q->ci++;
	}
}

/* One look while waiting: -EAGAIN to go on, 0 if `flag` has the value waited for, else -errno. */
static int look(struct cairn_dev *dev, const bool *flag, bool value)
{
	const char *wrong = reap(&dev->cmdq);

	if (*flag == value)
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

/* Poll until completions have given the flag that value; called and left with the lock held. */
static int wait_for(struct cairn_dev *dev, const bool *flag, bool value, enum cairn_cmd_op op)
{
	struct patience p;
	unsigned int attempt = 0;
	int err;

	patience_renew(dev, &p);
	while ((err = look(dev, flag, value)) == -EAGAIN) {
		char why[160];

		if (dev->cmdq.ci != p.ci)
			patience_renew(dev, &p);
		pthread_mutex_unlock(&dev->cmdq.lock);
		dev->bus->ops->relax(dev->bus, attempt++);
		judge(dev, &p, attempt, cairn_enum_name("cmd_op", op), why, sizeof(why));
		pthread_mutex_lock(&dev->cmdq.lock);
		/* Unless others were answered while this thread did not run. */
		if (why[0] && look(dev, flag, value) == -EAGAIN && dev->cmdq.ci == p.ci)
			return cairn_dev_lose(dev, why);
	}
	return err;
}

/* Tell the device of what has been published. */
static int ring(struct cairn_dev *dev)
{
	struct cairn_cmdq *q = &dev->cmdq;

	if (q->rung == q->pi)
		return 0;
	q->rung = q->pi;
	cairn_wmb_before_doorbell();
	if (dev->bus->ops->write32(dev->bus, CAIRN_REG_CMDQ_DB, q->pi & 0xffff))
		return cairn_dev_lose(dev, "the command doorbell cannot be written");
	return 0;
}

/* Fill the slot's command and buffer. */
static void publish(struct cairn_cmdq *q, struct cairn_request *r)
{
	uint32_t index = q->pi % CMDQ_ENTRIES;
	struct cairn_cmd *cmd = (void *)(q->cmds + index * CAIRN_CMD_SLOT_BYTES);
	uint8_t *buffer = (uint8_t *)cmd + CAIRN_CMD_BYTES;

	memset(buffer, 0, CAIRN_CMD_BUFFER_BYTES);
	if (r->in)
		memcpy(buffer, r->in, r->len);
	cmd->head = (uint32_t)(CAIRN_PUT(CAIRN_CMD_HEAD_OP, r->op) |
			       CAIRN_PUT(CAIRN_CMD_HEAD_FLAGS, r->flags) |
			       CAIRN_PUT(CAIRN_CMD_HEAD_ID, q->pi));
	cmd->number = r->number;
	cmd->ptr = r->ptr;
	cmd->arg0 = r->arg[0];
	cmd->arg1 = r->arg[1];
	cmd->arg2 = r->arg[2];
	cmd->arg3 = r->arg[3];
	cmd->arg4 = r->arg[4];
	cmd->arg5 = r->arg5;
	cmd->check = (uint32_t)(CAIRN_PUT(CAIRN_CMD_CHECK_INDEX, q->pi) |
				CAIRN_PUT(CAIRN_CMD_CHECK_MAGIC, CAIRN_CMD_MAGIC));
	q->slots[index] = (struct cairn_cmdq_slot){ true, (uint16_t)q->pi, r };
	r->done = false;
	q->pi++;
}

/* Into the ring, where there is room; who waits for that has what is there rung first. */
static int enter(struct cairn_dev *dev, struct cairn_request *r)
{
	struct cairn_cmdq *q = &dev->cmdq;
	int err = 0;

	/* Another thread may have taken the slot that became free. */
	while (!err && q->slots[q->pi % CMDQ_ENTRIES].busy) {
		err = ring(dev);
		if (!err)
			err = wait_for(dev, &q->slots[q->pi % CMDQ_ENTRIES].busy, false, r->op);
	}
	if (!err)
		publish(q, r);
	return err;
}

/* A thread that takes late completions must not write to requests that are no more. */
static void forget(struct cairn_cmdq *q, const struct cairn_request *r, unsigned int n)
{
	for (unsigned int i = 0; i < CMDQ_ENTRIES * n; i++)
		if (q->slots[i % CMDQ_ENTRIES].request == r + i / CMDQ_ENTRIES)
			q->slots[i % CMDQ_ENTRIES].request = NULL;
}

static int execute(struct cairn_dev *dev, struct cairn_request *r, unsigned int n)
{
	struct cairn_cmdq *q = &dev->cmdq;
	int err = 0;

	pthread_mutex_lock(&q->lock);
	for (unsigned int i = 0; i < n && !err; i++)
		err = enter(dev, &r[i]);
	if (!err)
		err = ring(dev);
	for (unsigned int i = 0; i < n && !err; i++)
		err = wait_for(dev, &r[i].done, true, r[i].op);
	if (err)
		forget(q, r, n);
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

/* What the device has said of it: 0, or -errno with a message. */
static int judged(struct cairn_dev *dev, const struct cairn_request *r)
{
	char text[64];

	if (r->status == CAIRN_CMD_STATUS_OK)
		return 0;
	if (r->status >= sizeof(outcome) / sizeof(*outcome) ||
	    r->status == CAIRN_CMD_STATUS_INTERNAL)
		return cairn_dev_lose(dev, "firmware reports an internal error");
	return (outcome[r->status].broken ? cairn_fail : cairn_refuse)(
		outcome[r->status].err, "%s of %u: %s%s: %s", cairn_enum_name("cmd_op", r->op),
		r->number, cairn_enum_name("cmd_status", r->status),
		where(r->detail, text, sizeof(text)), outcome[r->status].remedy);
}

int cairn_cmd(struct cairn_dev *dev, struct cairn_request *r)
{
	int err = cairn_dev_alive(dev);
	UNCANCELLED; /* the slot would never become free */

	if (!err)
		err = execute(dev, r, 1);
	return err ? err : judged(dev, r);
}

struct cairn_request *cairn_batch_add(struct cairn_batch *batch, enum cairn_cmd_op op)
{
	struct cairn_request *r = &batch->r[batch->n++];

	r->op = op;
	return r;
}

int cairn_cmd_batch(struct cairn_dev *dev, struct cairn_batch *batch,
		    const struct cairn_request **failed)
{
	int err = cairn_dev_alive(dev);
	UNCANCELLED;

	if (!err)
		err = execute(dev, batch->r, batch->n);
	for (unsigned int i = 0; i < batch->n && !err; i++) {
		err = judged(dev, &batch->r[i]);
		if (err)
			*failed = &batch->r[i];
	}
	return err;
}

int cairn_cmd_end(struct cairn_dev *dev, struct cairn_request *r)
{
	int err;

	if (atomic_load(&dev->forked))
		return cairn_dev_alive(dev);
	err = cairn_cmd(dev, r);
	return err && atomic_load(&dev->gone) ? 0 : err;
}
