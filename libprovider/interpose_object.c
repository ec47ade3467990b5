// SPDX-License-Identifier: Apache-2.0
/* Exported functions: protection domains, memory, queues, addresses. */
#include <stdlib.h>

#include "interpose.h"

/* ---------------------------------------------------------------- protection domains, memory */

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *ctx)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_alloc_pd, ctx);
	return pd_alloc(ctx);
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	if (!ours(pd->context))
		HAND_ON(ENOSYS, ibv_dealloc_pd, pd);
	return pd_dealloc(pd);
}

EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_mr, pd, addr, length, access);
	return mr_reg(pd, addr, length, (uintptr_t)addr, (unsigned int)access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				      int access)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_mr_iova, pd, addr, length, iova, access);
	return mr_reg(pd, addr, length, iova, (unsigned int)access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				       unsigned int access)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_mr_iova2, pd, addr, length, iova, access);
	return mr_reg(pd, addr, length, iova, access);
}

EXPORT struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length,
					uint64_t iova, int fd, int access)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_reg_dmabuf_mr, pd, offset, length, iova, fd, access);
	return fail_null(EOPNOTSUPP);
}

EXPORT int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
			int access)
{
	if (!ours(mr->context))
		HAND_ON(IBV_REREG_MR_ERR_CMD, ibv_rereg_mr, mr, flags, pd, addr, length, access);
	return mr_rereg(mr, flags, pd, addr, length, (unsigned int)access);
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	if (!ours(mr->context))
		HAND_ON(ENOSYS, ibv_dereg_mr, mr);
	return mr_dereg(mr);
}

/* ---------------------------------------------------------------- completion queues */

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *ctx, int cqe, void *user,
				    struct ibv_comp_channel *channel, int vector)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_create_cq, ctx, cqe, user, channel, vector);
	return cq_create(ctx, cqe, user, channel, vector);
}

EXPORT int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	if (!ours(cq->context))
		HAND_ON(ENOSYS, ibv_resize_cq, cq, cqe);
	return cq_resize(cq, cqe);
}

EXPORT int ibv_destroy_cq(struct ibv_cq *cq)
{
	if (!ours(cq->context))
		HAND_ON(ENOSYS, ibv_destroy_cq, cq);
	return cq_destroy(cq);
}

/* ---------------------------------------------------------------- shared receive queues */

EXPORT struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_create_srq, pd, attr);
	return srq_create(pd, attr);
}

EXPORT int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	if (!ours(srq->context))
		HAND_ON(ENOSYS, ibv_modify_srq, srq, attr, mask);
	return srq_modify(srq, attr, mask);
}

EXPORT int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	if (!ours(srq->context))
		HAND_ON(ENOSYS, ibv_query_srq, srq, attr);
	return srq_query(srq, attr);
}

EXPORT int ibv_destroy_srq(struct ibv_srq *srq)
{
	if (!ours(srq->context))
		HAND_ON(ENOSYS, ibv_destroy_srq, srq);
	return srq_destroy(srq);
}

/* ---------------------------------------------------------------- queue pairs */

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_create_qp, pd, attr);
	return qp_create(pd, attr);
}

EXPORT struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	if (!ours(qp->context))
		HAND_ON(NULL, ibv_qp_to_qp_ex, qp);
	return ((struct qp *)qp)->extended ? &((struct qp *)qp)->ex : NULL;
}

EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_modify_qp, qp, attr, mask);
	return with_errno(qp_modify(qp, attr, mask));
}

EXPORT int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			struct ibv_qp_init_attr *init)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_query_qp, qp, attr, mask, init);
	return qp_query(qp, attr, mask, init);
}

EXPORT int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	if (!ours(qp->context))
		HAND_ON(0, ibv_query_qp_data_in_order, qp, op, flags);
	return 0;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_destroy_qp, qp);
	return qp_destroy(qp);
}

EXPORT int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_set_ece, qp, ece);
	return with_errno(EOPNOTSUPP);
}

EXPORT int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_query_ece, qp, ece);
	return with_errno(EOPNOTSUPP);
}

EXPORT int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_attach_mcast, qp, gid, lid);
	return qp_mcast(qp, gid, true);
}

EXPORT int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	if (!ours(qp->context))
		HAND_ON(ENOSYS, ibv_detach_mcast, qp, gid, lid);
	return qp_mcast(qp, gid, false);
}

/* ---------------------------------------------------------------- address handles */

EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_create_ah, pd, attr);
	return ah_create(pd, attr);
}

EXPORT int ibv_destroy_ah(struct ibv_ah *ah)
{
	if (!ours(ah->context))
		HAND_ON(ENOSYS, ibv_destroy_ah, ah);
	return ah_destroy(ah);
}

/* ---------------------------------------------------------------- sharing between processes: no */

EXPORT struct ibv_pd *ibv_import_pd(struct ibv_context *ctx, uint32_t handle)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_import_pd, ctx, handle);
	return fail_null(EOPNOTSUPP);
}

EXPORT void ibv_unimport_pd(struct ibv_pd *pd)
{
	void (*unimport)(struct ibv_pd * pd) = REAL(ibv_unimport_pd);

	if (!ours(pd->context) && unimport)
		unimport(pd);
}

EXPORT struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	if (!ours(pd->context))
		HAND_ON(NULL, ibv_import_mr, pd, handle);
	return fail_null(EOPNOTSUPP);
}

EXPORT void ibv_unimport_mr(struct ibv_mr *mr)
{
	void (*unimport)(struct ibv_mr * mr) = REAL(ibv_unimport_mr);

	if (!ours(mr->context) && unimport)
		unimport(mr);
}

EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *ctx, uint32_t handle)
{
	if (!ours(ctx))
		HAND_ON(NULL, ibv_import_dm, ctx, handle);
	return fail_null(EOPNOTSUPP);
}

EXPORT void ibv_unimport_dm(struct ibv_dm *dm)
{
	void (*unimport)(struct ibv_dm * dm) = REAL(ibv_unimport_dm);

	if (!ours(dm->context) && unimport)
		unimport(dm);
}
