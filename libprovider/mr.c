// SPDX-License-Identifier: Apache-2.0
/*
 * Memory regions.  Pages that the device may reach must not become copy-on-write in the parent of a
 * fork: for programs that asked for it (ibv_fork_init), the real library keeps the list.
 */
#include <stdlib.h>

#include "provider.h"

/* Values are the same in verbs and in hw.def.  Huge pages need no help; what is optional has no
 * effect. */
#define IGNORED (IBV_ACCESS_OPTIONAL_RANGE | IBV_ACCESS_HUGETLB)
#define KNOWN                                                                        \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND | IBV_ACCESS_ZERO_BASED)

static int fork_range(const char *function, void *addr, size_t length)
{
	int (*fn)(void *addr, size_t length) =
		(int (*)(void *, size_t))(uintptr_t)real_symbol(function);

	return fn ? fn(addr, length) : 0;
}

/* What libcairn is asked for, in its words. */
static int check_access(unsigned int *access, uint64_t *iova)
{
	*access &= ~(unsigned int)IGNORED;
	if (*access & ~(unsigned int)KNOWN)
		return EOPNOTSUPP;
	if (*access & IBV_ACCESS_ZERO_BASED)
		*iova = 0;
	return 0;
}

struct ibv_mr *mr_reg(struct ibv_pd *ibv, void *addr, size_t length, uint64_t iova,
		      unsigned int access)
{
	struct pd *pd = (struct pd *)ibv;
	int err = context_usable(ibv->context);
	struct mr *mr;

	if (err)
		return fail_null(err);
	err = check_access(&access, &iova);
	if (err)
		return fail_null(err);
	mr = calloc(1, sizeof(*mr));
	if (!mr)
		return fail_null(ENOMEM);
	err = fork_range("ibv_dontfork_range", addr, length) ? ENOMEM : 0;
	if (err)
		goto err_free;
	err = cairn_reg_mr(pd->hw, addr, length, iova, access, &mr->hw);
	if (err)
		goto err_fork;
	mr->ibv.context = ibv->context;
	mr->ibv.pd = ibv;
	mr->ibv.addr = addr;
	mr->ibv.length = length;
	mr->ibv.handle = mr->hw->key >> 8;
	mr->ibv.lkey = mr->ibv.rkey = mr->hw->key;
	mr->iova = iova;
	mr->access = access;
	context_list(ibv->context, KIND_MR, &mr->object, mr);
	return &mr->ibv;

err_fork:
	fork_range("ibv_dofork_range", addr, length);
err_free:
	free(mr);
	return fail_null(err);
}

int mr_dereg(struct ibv_mr *ibv)
{
	struct mr *mr = (struct mr *)ibv;
	int err = -cairn_dereg_mr(mr->hw);

	if (err)
		return err;
	context_unlist(ibv->context, &mr->object);
	fork_range("ibv_dofork_range", ibv->addr, ibv->length);
	free(mr);
	return 0;
}

/* What verbs asks before anything is changed: 0 or an errno. */
static int check_rereg(const struct ibv_mr *mr, int flags, const struct ibv_pd *pd,
		       const void *addr, size_t length, unsigned int access)
{
	if (!flags || flags & ~(int)IBV_REREG_MR_FLAGS_SUPPORTED)
		return EINVAL;
	if (flags & IBV_REREG_MR_CHANGE_TRANSLATION && (!addr || !length))
		return EINVAL;
	if (flags & IBV_REREG_MR_CHANGE_PD && (!pd || pd->context != mr->context))
		return EINVAL;
	return access && !(flags & IBV_REREG_MR_CHANGE_ACCESS) ? EINVAL : 0;
}

/* With the fork support of the real library, as its manual page has it: IBV_REREG_MR_ERR_*. */
static int rereg(struct mr *mr, struct pd *pd, void *addr, size_t length, uint64_t iova,
		 unsigned int access, bool moves)
{
	void *old = mr->ibv.addr;
	size_t old_length = mr->ibv.length;
	int err;

	if (moves && fork_range("ibv_dontfork_range", addr, length))
		return IBV_REREG_MR_ERR_DONT_FORK_NEW;
	err = -cairn_rereg_mr(mr->hw, pd->hw, addr, length, iova, access);
	if (err) {
		bool left = moves && fork_range("ibv_dofork_range", addr, length);

		errno = err;
		return err != ENOTRECOVERABLE ? IBV_REREG_MR_ERR_INPUT
		       : left		      ? IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW
					      : IBV_REREG_MR_ERR_CMD;
	}
	context_unlist(mr->ibv.context, &mr->object);
	mr->ibv.pd = &pd->ibv;
	mr->ibv.addr = addr;
	mr->ibv.length = length;
	mr->iova = iova;
	mr->access = access;
	context_list(mr->ibv.context, KIND_MR, &mr->object, mr);
	return moves && fork_range("ibv_dofork_range", old, old_length)
		       ? IBV_REREG_MR_ERR_DO_FORK_OLD
		       : 0;
}

/*
 * The keys stay, as peers know them.  What does not change is as it was; a region whose memory does
 * change begins at its address, as one that is registered without an iova.
 */
int mr_rereg(struct ibv_mr *ibv, int flags, struct ibv_pd *pd, void *addr, size_t length,
	     unsigned int access)
{
	struct mr *mr = (struct mr *)ibv;
	bool moves = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
	uint64_t iova = moves ? (uintptr_t)addr : mr->iova;
	int err = context_usable(ibv->context);

	err = err ? err : check_rereg(ibv, flags, pd, addr, length, access);
	if (!(flags & IBV_REREG_MR_CHANGE_ACCESS))
		access = mr->access;
	err = err ? err : check_access(&access, &iova);
	if (err) {
		errno = err;
		return IBV_REREG_MR_ERR_INPUT;
	}
	return rereg(mr, (struct pd *)(flags & IBV_REREG_MR_CHANGE_PD ? pd : ibv->pd),
		     moves ? addr : ibv->addr, moves ? length : ibv->length, iova, access, moves);
}
