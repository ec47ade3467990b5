// SPDX-License-Identifier: Apache-2.0
/*
 * Open and close.  A program may open a device several times; the contexts share one libcairn
 * device, since a function can be opened by one process only.  In another one it is opened to be
 * looked at: device, port and GIDs can be queried, and nothing be created on it (EBUSY).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "provider.h"

static uint64_t eui64(uint64_t mac)
{
	return ((mac >> 24) ^ 0x020000ull) << 40 | 0xfffeull << 24 | (mac & 0xffffff);
}

/* One that another process has is opened to be looked at: it counts as no open. */
static int first_open(struct nic *nic, struct cairn_dev **dev)
{
	struct cairn_port_attr port;
	struct cairn_opts opts;
	int err;

	cairn_opts_init(&opts);
	opts.look = 1;
	err = -cairn_open(nic->addr, &opts, dev);
	if (err)
		return err;
	err = -cairn_query_device(*dev, &nic->caps);
	if (!err && !nic->guid_known && !cairn_query_port(*dev, &port)) {
		atomic_store(&nic->guid, eui64(port.mac));
		atomic_store(&nic->guid_known, true);
	}
	if (!err && !cairn_dev_looks(*dev)) {
		nic->dev = *dev;
		err = event_helper_start(nic);
		nic->opens += !err;
		if (!err)
			lat_open(nic);
	}
	if (err)
		cairn_close(*dev);
	return err;
}

/* Is it still there?  libcairn, which shares it with us, refuses a lost one and says why. */
static int another_open(struct nic *nic, struct cairn_dev **dev)
{
	int err = -cairn_open(nic->addr, NULL, dev);

	if (!err)
		cairn_close(*dev);
	nic->opens += !err;
	return err;
}

static void last_close(struct nic *nic)
{
	event_helper_stop(nic);
	cairn_close(nic->dev);
	lat_close(nic);
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
	verbs->alloc_td = td_alloc;
	verbs->dealloc_td = td_dealloc;
	verbs->alloc_parent_domain = parent_alloc;
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
	lat_forked(nic);
	nic->dev = NULL;
	for (unsigned int i = 0; i < QP_LEAVES; i++)
		atomic_store(&nic->qps[i], NULL);
	pthread_mutex_init(&nic->lock, NULL);
	pthread_mutex_init(&nic->contexts_lock, NULL);
}

/*
 * cmd_fd stands for the context where programs want a descriptor of it: it can be duplicated, told
 * from others, and waited for beside others (where, as the kernel's, it is always ready).  There is
 * nothing to be read from it, so it is a socket that nothing is sent to.
 */
static int open_cmd_fd(struct verbs_context *verbs)
{
	verbs->context.cmd_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return verbs->context.cmd_fd < 0 ? errno : 0;
}

bool contexts_own_fd(struct nic *nic, int fd)
{
	struct stat of, own;
	bool found = false;

	if (fstat(fd, &of) || !S_ISSOCK(of.st_mode))
		return false;
	pthread_mutex_lock(&nic->contexts_lock);
	for (struct context *context = nic->contexts; context && !found; context = context->next)
		found = !fstat(context->verbs.context.cmd_fd, &own) && own.st_dev == of.st_dev &&
			own.st_ino == of.st_ino;
	pthread_mutex_unlock(&nic->contexts_lock);
	return found;
}

struct ibv_context *context_open(struct nic *nic)
{
	struct context *context = calloc(1, sizeof(*context));
	struct verbs_context *verbs;
	int err = context ? event_queue_init(&context->async) : ENOMEM;
	UNCANCELLED;

	if (err)
		goto err_free;
	verbs = &context->verbs;
	err = open_cmd_fd(verbs);
	if (err)
		goto err_queue;
	pthread_mutex_lock(&nic->lock);
	err = nic->opens ? another_open(nic, &context->dev) : first_open(nic, &context->dev);
	pthread_mutex_unlock(&nic->lock);
	if (err)
		goto err_cmd_fd;
	context->nic = nic;
	verbs->sz = sizeof(*verbs);
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs->context.device = &nic->ibv;
	verbs->context.async_fd = context->async.fd;
	verbs->context.num_comp_vectors = (int)cairn_comp_vectors(context->dev);
	pthread_mutex_init(&verbs->context.mutex, NULL);
	set_ops(verbs);
	pthread_mutex_lock(&nic->contexts_lock);
	context->next = nic->contexts;
	nic->contexts = context;
	pthread_mutex_unlock(&nic->contexts_lock);
	return &verbs->context;

err_cmd_fd:
	close(verbs->context.cmd_fd);
err_queue:
	event_queue_destroy(&context->async);
err_free:
	free(context);
	return fail_null(err);
}

/* Events are not waited for: who would acknowledge them is done with the device. */
static void destroy_queue(enum kind kind, void *self)
{
	struct qp *qp = self;
	struct srq *srq = self;
	struct cq *cq = self;

	switch (kind) {
	case KIND_QP:
		qp->n_groups = 0; /* they go with it */
		qp->ibv.events_completed = qp->async_events;
		qp_destroy(&qp->ibv);
		break;
	case KIND_SRQ:
		srq->ibv.events_completed = srq->async_events;
		srq_destroy(&srq->ibv);
		break;
	default:
		cq->ibv.comp_events_completed = cq->comp_events;
		cq->ibv.async_events_completed = cq->async_events;
		cq_destroy(&cq->ibv);
	}
}

static void destroy_object(enum kind kind, void *self)
{
	switch (kind) {
	case KIND_AH:
		ah_destroy(self);
		break;
	case KIND_MW:
		mw_dealloc(self);
		break;
	case KIND_MR:
		mr_dereg(self);
		break;
	case KIND_PARENT:
	case KIND_PD:
		pd_dealloc(self);
		break;
	case KIND_TD:
		td_dealloc(self);
		break;
	default:
		destroy_queue(kind, self);
	}
}

/* As the kernel does it: nothing stays that a peer could write to, while other contexts keep the
 * device open.  What cannot be destroyed is in no list afterwards, and is not told of. */
static void destroy_left(struct context *context)
{
	for (enum kind kind = 0; kind < KINDS; kind++) {
		struct object *object;

		while ((object = context->objects[kind])) {
			context_unlist(&context->verbs.context, object);
			destroy_object(kind, object->self);
		}
	}
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
	destroy_left(context);
	pthread_mutex_lock(&nic->lock);
	if (cairn_dev_looks(context->dev))
		cairn_close(context->dev);
	else if (!--nic->opens)
		last_close(nic);
	pthread_mutex_unlock(&nic->lock);
out:
	close(ctx->cmd_fd);
	event_queue_destroy(&context->async);
	pthread_mutex_destroy(&ctx->mutex);
	free(context);
	return 0;
}
