// SPDX-License-Identifier: Apache-2.0
/*
 * Exported functions that came after libibverbs 44 (symbol versions 1.15 to 1.18), declared here
 * with incomplete types so that any libibverbs-dev will do for building.  Those that take only
 * objects we never make (DMA handles, device memory, completion counters) need nothing.
 */
#include <stdlib.h>

#include "interpose.h"

struct ibv_buf;
struct ibv_comp_cntr;
struct ibv_comp_cntr_init_attr;
struct ibv_comp_cntr_attach_attr;
struct ibv_dmah;
struct ibv_dmah_init_attr;
struct ibv_mr_init_attr;

struct ibv_dmah *ibv_alloc_dmah(struct ibv_context *ctx, struct ibv_dmah_init_attr *attr);
struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *attr);
void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf);
void ibv_free_buf(struct ibv_buf *buf);
struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *addr, size_t length,
			      int access);
int _ibv_query_comp_cntr_caps(struct ibv_context *ctx, void *caps, size_t size);
struct ibv_comp_cntr *ibv_create_comp_cntr(struct ibv_context *ctx,
					   struct ibv_comp_cntr_init_attr *attr);
int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct ibv_comp_cntr *counter,
			    struct ibv_comp_cntr_attach_attr *attr);

/* Buffers of the real library and ours look alike to us; ours are in a list. */
struct buffer {
	struct buffer *next;
	void *addr;
};

static struct buffer *buffers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define PAGE 4096u

static void forked(bool child)
{
	if (child)
		pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void tell_of_forks(void)
{
	fork_part(FORK_BUFFERS, NULL, forked);
}

EXPORT struct ibv_dmah *ibv_alloc_dmah(struct ibv_context *ctx, struct ibv_dmah_init_attr *attr)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_alloc_dmah, ctx, attr);
	return fail_null(EOPNOTSUPP);
}

EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *attr)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_mr_ex, pd, attr);
	return fail_null(EOPNOTSUPP);
}

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **out)
{
	struct buffer *buffer;

	if (!ours(pd->context))
		HAND_ON(NULL, ibv_alloc_buf, pd, size, out);
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer || posix_memalign(&buffer->addr, PAGE, size)) {
		free(buffer);
		return fail_null(ENOMEM);
	}
	pthread_mutex_lock(&lock);
	buffer->next = buffers;
	buffers = buffer;
	pthread_mutex_unlock(&lock);
	*out = (struct ibv_buf *)buffer;
	return buffer->addr;
}

EXPORT void ibv_free_buf(struct ibv_buf *buf)
{
	void (*free_buf)(struct ibv_buf * buf) = REAL(ibv_free_buf);
	struct buffer **at, *buffer;

	pthread_mutex_lock(&lock);
	for (at = &buffers; *at && *at != (struct buffer *)buf; at = &(*at)->next)
		;
	buffer = *at;
	if (buffer)
		*at = buffer->next;
	pthread_mutex_unlock(&lock);
	if (!buffer) {
		if (free_buf)
			free_buf(buf);
		return;
	}
	free(buffer->addr);
	free(buffer);
}

EXPORT struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *addr,
				     size_t length, int access)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_buf_mr, pd, buf, addr, length, access);
	return mr_reg(pd, addr, length, (uintptr_t)addr, (unsigned int)access);
}

EXPORT int _ibv_query_comp_cntr_caps(struct ibv_context *ctx, void *caps, size_t size)
{
	if (!ours(ctx))
		HAND_ON(ENOSYS, _ibv_query_comp_cntr_caps, ctx, caps, size);
	return EOPNOTSUPP;
}

EXPORT struct ibv_comp_cntr *ibv_create_comp_cntr(struct ibv_context *ctx,
						  struct ibv_comp_cntr_init_attr *attr)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_create_comp_cntr, ctx, attr);
	return fail_null(EOPNOTSUPP);
}

EXPORT int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct ibv_comp_cntr *counter,
				   struct ibv_comp_cntr_attach_attr *attr)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_qp_attach_comp_cntr, qp, counter, attr);
	return EOPNOTSUPP;
}
