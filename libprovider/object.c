// SPDX-License-Identifier: Apache-2.0
/*
 * The objects of a context, in lists by kind: what a close finds that the program left, and what
 * else was made with a PD or domain and keeps it.  Below all verbs; opening and closing, which know
 * them all, are context.c.
 */
#include "provider.h"

int context_usable(struct ibv_context *ctx)
{
	uint64_t now;

	/* No device access: libcairn says whose it is. */
	return is_inherited(ctx) || cairn_dev_looks(to_context(ctx)->dev)
		       ? -cairn_query_time(to_context(ctx)->dev, &now)
		       : 0;
}

/* The PD or parent domain that an object was made with; NULL: none. */
static struct pd *pd_of(enum kind kind, void *self)
{
	struct ibv_pd *pd = NULL;

	switch (kind) {
	case KIND_QP:
		pd = ((struct qp *)self)->ibv.pd;
		break;
	case KIND_AH:
		pd = ((struct ah *)self)->ibv.pd;
		break;
	case KIND_MW:
		pd = ((struct mw *)self)->ibv.pd;
		break;
	case KIND_SRQ:
		pd = ((struct srq *)self)->ibv.pd;
		break;
	case KIND_CQ:
		return ((struct cq *)self)->parent;
	case KIND_MR:
		pd = ((struct mr *)self)->ibv.pd;
		break;
	case KIND_PARENT:
		return ((struct pd *)self)->base;
	default:
		break;
	}
	return (struct pd *)pd;
}

void context_list(struct ibv_context *ctx, enum kind kind, struct object *object, void *self)
{
	struct context *context = to_context(ctx);
	struct td *td = kind == KIND_PARENT ? ((struct pd *)self)->td : NULL;
	struct pd *pd = pd_of(kind, self);

	object->self = self;
	object->users[0] = pd ? &pd->users : NULL;
	object->users[1] = td ? &td->users : NULL;
	pthread_mutex_lock(&context->nic->contexts_lock);
	for (unsigned int i = 0; i < 2; i++)
		if (object->users[i])
			++*object->users[i];
	object->next = context->objects[kind];
	object->link = &context->objects[kind];
	if (object->next)
		object->next->link = &object->next;
	context->objects[kind] = object;
	pthread_mutex_unlock(&context->nic->contexts_lock);
}

/* Under contexts_lock. */
static void unlist(struct object *object)
{
	if (object->link) {
		*object->link = object->next;
		if (object->next)
			object->next->link = object->link;
		for (unsigned int i = 0; i < 2; i++)
			if (object->users[i])
				--*object->users[i];
	}
	object->link = NULL;
}

void context_unlist(struct ibv_context *ctx, struct object *object)
{
	struct nic *nic = to_context(ctx)->nic;

	pthread_mutex_lock(&nic->contexts_lock);
	unlist(object);
	pthread_mutex_unlock(&nic->contexts_lock);
}

bool context_unlist_unused(struct ibv_context *ctx, struct object *object,
			   const unsigned int *users)
{
	struct nic *nic = to_context(ctx)->nic;
	bool unused;

	pthread_mutex_lock(&nic->contexts_lock);
	unused = !*users;
	if (unused)
		unlist(object);
	pthread_mutex_unlock(&nic->contexts_lock);
	return unused;
}
