/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Cairn's provider has beside the calls of libibverbs.  libcairn-verbs.so is preloaded
 * (`cairn run`), so a program that may also run on other devices asks for these by dlsym():
 *
 *	__typeof__(&cairndv_query_qp_counter) query = dlsym(RTLD_DEFAULT, "cairndv_query_qp_counter");
 *
 * All return 0 or a positive errno, as verbs do; they may be called by several threads.
 */
#ifndef CAIRNDV_H
#define CAIRNDV_H

#include <infiniband/verbs.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A counter of the port, by its name in docs/registers.md ("out_of_sequence"): since the program
 * opened the device.  EINVAL: no counter has this name; EOPNOTSUPP: not a Cairn device; ENODEV: the
 * device is lost.
 */
int cairndv_query_counter(struct ibv_context *context, const char *name, uint64_t *value);

/*
 * What a QP has counted since it was created or last moved to RESET: drops, NAKs, retransmissions,
 * errors; the counters that docs/registers.md marks with QP, 32 bits that stay at their end.  The
 * device reads it from a register: no system call with VFIO, no command.  EINVAL: QPs have no
 * counter of this name; EOPNOTSUPP: not a Cairn QP, or a build without them.
 */
int cairndv_query_qp_counter(struct ibv_qp *qp, const char *name, uint64_t *value);

/* For those who want all: the name of counter i below `*count`, NULL where there is none. */
const char *cairndv_counter_name(unsigned int i, unsigned int *count, int *of_qp);

#ifdef __cplusplus
}
#endif

#endif
