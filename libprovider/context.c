// SPDX-License-Identifier: Apache-2.0
/*
 * Open and close.  A program may open a device several times; the contexts share one libcairn
 * device, since a function can be opened by one process only: in another one, open fails with
 * EBUSY.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "provider.h"

static uint64_t eui64(uint64_t mac)
{
	return ((mac >> 24) ^ 0x020000ull) << 40 | 0xfffeull << 24 | (mac & 0xffffff);
}

static int first_open(struct nic *nic)
{
	struct cairn_port_attr port;
	int err = cairn_open(nic->addr, NULL, &nic->dev);

	if (err)
		return -err;
	err = -cairn_query_device(nic->dev, &nic->caps);
	if (!err && !nic->guid_known && !cairn_query_port(nic->dev, &port)) {
		atomic_store(&nic->guid, eui64(port.mac));
		atomic_store(&nic->guid_known, true);
	}
	if (!err)
		err = event_helper_start(nic);
	if (err)
		cairn_close(nic->dev);
	return err;
}

/* Is it still there?  libcairn, which shares it with us, refuses a lost one and says why. */
static int another_open(const struct nic *nic)
{
	struct cairn_dev *dev;
	int err = -cairn_open(nic->addr, NULL, &dev);

	if (!err)
		cairn_close(dev);
	return err;
}

static void last_close(struct nic *nic)
{
	event_helper_stop(nic);
	cairn_close(nic->dev);
	nic->dev = NULL;
	for (unsigned int i = 0; i < QP_LEAVES; i++) {
		free(atomic_load(&nic->qps[i]));
		atomic_store(&nic->qps[i], NULL);
	}
}

static void set_ops(struct verbs_context *verbs)
{
	struct ibv_context_ops *ops = &verbs->context.ops;

	/* Only these have no exported symbol: programs call through the pointers. */
	ops->_compat_query_device = query_device;
	ops->_compat_query_port = query_port_compat;
	ops->poll_cq = poll_cq;
	ops->req_notify_cq = cq_req_notify;
	ops->post_send = post_send;
	ops->post_recv = post_recv;
	ops->post_srq_recv = srq_post_recv;
	ops->alloc_mw = mw_alloc;
	ops->dealloc_mw = mw_dealloc;
	ops->bind_mw = mw_bind;
	verbs->query_port = query_port;
	verbs->query_device_ex = query_device_ex;
	verbs->query_rt_values = query_rt_values;
	verbs->create_cq_ex = cq_create_ex;
	verbs->modify_cq = cq_modify;
	verbs->create_qp_ex = qp_create_ex;
	verbs->create_srq_ex = srq_create_ex;
}

/* What the child of a fork inherits is dead: the device is its parent's.  Locks may be held by
 * threads that do not exist here, and the child may open the device itself, as any process may. */
void contexts_forked(struct nic *nic)
{
	for (struct context *context = nic->contexts; context; context = context->next)
		context->inherited = true;
	nic->contexts = NULL;
	if (atomic_exchange(&nic->opens, 0))
		close(nic->stop_fd);
	nic->dev = NULL;
	for (unsigned int i = 0; i < QP_LEAVES; i++)
		atomic_store(&nic->qps[i], NULL);
	pthread_mutex_init(&nic->lock, NULL);
	pthread_mutex_init(&nic->contexts_lock, NULL);
}

int context_usable(struct ibv_context *ctx)
{
	uint64_t now;

	/* No device access: libcairn says whose it is. */
	return is_inherited(ctx) ? -cairn_query_time(to_context(ctx)->dev, &now) : 0;
}

struct ibv_context *context_open(struct nic *nic)
{
	struct context *context = calloc(1, sizeof(*context));
	struct verbs_context *verbs;
	int err = context ? event_queue_init(&context->async) : ENOMEM;
	UNCANCELLED;

	if (err)
		goto err_free;
	pthread_mutex_lock(&nic->lock);
	err = nic->opens ? another_open(nic) : first_open(nic);
	if (!err)
		nic->opens++;
	pthread_mutex_unlock(&nic->lock);
	if (err)
		goto err_queue;
	context->nic = nic;
	context->dev = nic->dev;
	verbs = &context->verbs;
	verbs->sz = sizeof(*verbs);
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs->context.device = &nic->ibv;
	verbs->context.cmd_fd = -1;
	verbs->context.async_fd = context->async.fd;
	verbs->context.num_comp_vectors = (int)cairn_comp_vectors(nic->dev);
	pthread_mutex_init(&verbs->context.mutex, NULL);
	set_ops(verbs);
	pthread_mutex_lock(&nic->contexts_lock);
	context->next = nic->contexts;
	nic->contexts = context;
	pthread_mutex_unlock(&nic->contexts_lock);
	return &verbs->context;

err_queue:
	event_queue_destroy(&context->async, true);
err_free:
	free(context);
	return fail_null(err);
}

int context_close(struct ibv_context *ctx)
{
	struct context *context = to_context(ctx), **at;
	struct nic *nic = context->nic;
	UNCANCELLED;

	if (context->inherited)
		goto out;
	pthread_mutex_lock(&nic->contexts_lock);
	for (at = &nic->contexts; *at && *at != context; at = &(*at)->next)
		;
	if (*at)
		*at = context->next;
	pthread_mutex_unlock(&nic->contexts_lock);
	pthread_mutex_lock(&nic->lock);
	if (!--nic->opens)
		last_close(nic);
	pthread_mutex_unlock(&nic->lock);
out:
	event_queue_destroy(&context->async, true);
	pthread_mutex_destroy(&ctx->mutex);
	free(context);
	return 0;
}
