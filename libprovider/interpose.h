/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the files that define the exported ibv_*() functions: whose is it, and how to hand a call on.
 * Every function of libibverbs that takes an object must be among them, since its own would look
 * for private structures that ours do not have.
 */
#ifndef INTERPOSE_H
#define INTERPOSE_H

#include "provider.h"

/* Macros of verbs.h around exported functions. */
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

#define EXPORT __attribute__((visibility("default")))

/* The real library's function of that name and type; NULL: it has none. */
#define REAL(name) ((__typeof__(&name))(uintptr_t)real_symbol(#name))

/* Return what the real function returns; failure: when the installed library is too old for it. */
#define HAND_ON(failure, name, ...)                                                     \
	do {                                                                            \
		static __typeof__(&name) function;                                      \
		__typeof__(&name) known = __atomic_load_n(&function, __ATOMIC_RELAXED); \
		if (!known) {                                                           \
			known = REAL(name);                                             \
			__atomic_store_n(&function, known, __ATOMIC_RELAXED);           \
		}                                                                       \
		if (known)                                                              \
			return known(__VA_ARGS__);                                      \
		errno = ENOSYS;                                                         \
		return failure;                                                         \
	} while (0)

static inline bool ours(const struct ibv_context *ctx)
{
	return nic_is_ours(ctx->device);
}

/* For verbs that return -1 and errno. */
static inline int minus_one(int err)
{
	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* For verbs whose callers look at errno as well. */
static inline int with_errno(int err)
{
	if (err)
		errno = err;
	return err;
}

#endif
