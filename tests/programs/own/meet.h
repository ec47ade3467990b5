/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What our verbs programs share: the arguments of the ping-pong programs (-d DEVICE, -g or -x GID
 * index, -p PORT, -m MTU, and the server's name for the client; -o WORD for what only one program
 * knows), a TCP connection to agree on things, QPs and completions.  A failure ends the program
 * with a message and status 1.
 */
#ifndef CAIRN_TEST_MEET_H
#define CAIRN_TEST_MEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

struct meet {
	bool server;
	int socket;
	unsigned int mtu;   /* bytes; 1024 */
	const char *option; /* -o, or "" */
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *mem; /* `bytes` */
};

/* How a QP is connected; all zeros: RC or UC with sensible values and no rights. */
struct meet_path {
	int access;
	uint32_t psn;		     /* first of what this side sends */
	uint8_t timeout, retry, rnr; /* 0: 18 (1 s: one side may be a slow simulation), 7, 7 */
	uint8_t rnr_timer;	     /* 0: 12 (0.64 ms) */
	uint8_t reads;		     /* READs and atomics at a time, 0: 1 */
};

/* What one side says of a QP of its own. */
struct meet_end {
	union ibv_gid gid;
	uint32_t qpn, psn;
};

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define check(condition)                                                   \
	do {                                                               \
		if (!(condition))                                          \
			fail("%s:%d: %s", __FILE__, __LINE__, #condition); \
	} while (0)

/* Device, PD, CQ, `bytes` of memory with those rights, a QP in RESET, the connection. */
void meet_open(struct meet *m, int argc, char **argv, enum ibv_qp_type type, int access,
	       size_t bytes);
void meet_close(struct meet *m);
/* Another QP in RESET: 64 requests with one SGE, the CQ above; srq or NULL. */
struct ibv_qp *meet_qp(struct meet *m, enum ibv_qp_type type, struct ibv_srq *srq);
/* Both sides give `size` bytes and get those of the other. */
void meet_swap(struct meet *m, const void *mine, void *other, uint32_t size);
void meet_sync(struct meet *m);
/* Both sides bring their RC or UC QP through RESET to RTS, towards each other's; returns the other
 * end. */
struct meet_end meet_connect(struct meet *m, struct ibv_qp *qp, const struct meet_path *path);
/* From RESET to RTS, with this Q_Key. */
#define MEET_QKEY 0x11111111u
void meet_ud(struct ibv_qp *qp);
/* Next completion; then, one that has that status. */
struct ibv_wc meet_any(struct meet *m);
struct ibv_wc meet_wc(struct meet *m, enum ibv_wc_status status);

#endif
