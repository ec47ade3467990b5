// SPDX-License-Identifier: Apache-2.0
/*
 * The life of what has a number and is made by a command: QPs, CQs and SRQs, whose rings are memory
 * that the device reaches and which events find under their number, and PDs, which have neither.
 *
 *   cairn_object_take()   number and memory; with these it is described to the device
 *   cairn_object_make()   events find it, and the command makes it
 *   cairn_object_end()    a command ends it, and no event finds it any more
 *   cairn_object_give()   memory and number are free for others
 *
 * What fails on the way leaves nothing behind, so the caller of these has nothing to undo.
 */
#include "priv.h"

static const struct {
	const char *one, *all, *number;
	enum cairn_cmd_op end;
	const char *users; /* what may still use it */
} kinds[OBJECT_KINDS] = {
	[OBJECT_QP] = { "QP", "QPs", "QPN", CAIRN_CMD_OP_DESTROY_QP, NULL },
	[OBJECT_CQ] = { "CQ", "CQs", "CQN", CAIRN_CMD_OP_DESTROY_CQ, "QPs" },
	[OBJECT_SRQ] = { "SRQ", "SRQs", "SRQN", CAIRN_CMD_OP_DESTROY_SRQ, "QPs" },
	[OBJECT_PD] = { "PD", "protection domains", "PDN", CAIRN_CMD_OP_DEALLOC_PD,
			"MRs, QPs, SRQs or AHs" },
};

/* In the child of a fork locks may be held by threads that do not exist there; a device that is
 * looked at has no numbers. */
static int take_number(const struct cairn_object *o, uint32_t wanted)
{
	struct cairn_space *space = &o->dev->numbers[o->kind];
	int err = cairn_dev_alive(o->dev);
	int64_t number;

	if (err)
		return err;
	if (wanted != CAIRN_ANY) {
		if (cairn_space_take_this(space, wanted))
			return cairn_refuse(-EBUSY, "%s %u is in use", kinds[o->kind].number,
					    wanted);
		*o->number = wanted;
		return 0;
	}
	number = cairn_space_take(space, 1);
	if (number < 0)
		return cairn_refuse(-ENOSPC, "all %u %s are in use", space->limit - space->first,
				    kinds[o->kind].all);
	*o->number = (uint32_t)number;
	return 0;
}

int cairn_object_take(const struct cairn_object *o, uint32_t wanted, size_t bytes)
{
	int err = take_number(o, wanted);

	if (err)
		goto err_free;
	err = bytes ? cairn_dma_alloc(o->dev, bytes, o->mem) : 0;
	if (err)
		goto err_number;
	return 0;

err_number:
	cairn_space_give(&o->dev->numbers[o->kind], *o->number, 1);
err_free:
	free(o->self);
	return err;
}

/* A PD has no events. */
static bool has_events(const struct cairn_object *o)
{
	return o->dev->by_number[o->kind];
}

/* Found from before the command on: its first event may come before the answer. */
int cairn_object_make(const struct cairn_object *o, struct cairn_request *create)
{
	int err;

	create->number = *o->number;
	if (has_events(o))
		cairn_dev_publish(o->dev, o->kind, *o->number, o->self);
	err = cairn_cmd(o->dev, create);
	if (!err)
		return 0;
	if (has_events(o))
		cairn_dev_publish(o->dev, o->kind, *o->number, NULL);
	cairn_object_give(o);
	return err;
}

int cairn_object_end(const struct cairn_object *o, uint32_t *left)
{
	struct cairn_request end = { .op = kinds[o->kind].end,
				     .number = *o->number,
				     .value0 = CAIRN_NO_NUMBER };
	int err = o->users ? cairn_unused(o->dev, o->users, kinds[o->kind].one, *o->number,
					  kinds[o->kind].users)
			   : 0;

	if (!err)
		err = cairn_cmd_end(o->dev, &end);
	if (err)
		return err;
	if (has_events(o)) {
		cairn_dev_publish(o->dev, o->kind, *o->number, NULL);
		cairn_eqs_forget(o->dev, o->kind, *o->number);
	}
	if (left)
		*left = end.value0;
	return 0;
}

void cairn_object_give(const struct cairn_object *o)
{
	if (o->mem)
		cairn_dma_free(o->dev, o->mem);
	cairn_space_give(&o->dev->numbers[o->kind], *o->number, 1);
	free(o->self);
}

int cairn_object_drop(const struct cairn_object *o)
{
	int err = cairn_object_end(o, NULL);

	if (!err)
		cairn_object_give(o);
	return err;
}
