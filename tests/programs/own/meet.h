/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the verbs programs of this directory share: the arguments of the ping-pong programs (-d
 * DEVICE, -g or -x GID index, -p PORT, and the server's name for the client), a TCP connection to
 * agree on things, QPs and completions.  A failure ends the program with a message and status 1.
 */
#ifndef CAIRN_TEST_MEET_H
#define CAIRN_TEST_MEET_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#define BYTES 65536u

struct meet {
	bool server;
	int socket;
	uint8_t gid_index;
	union ibv_gid gid;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *mem; /* BYTES */
};

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define check(condition)                                                   \
	do {                                                               \
		if (!(condition))                                          \
			fail("%s:%d: %s", __FILE__, __LINE__, #condition); \
	} while (0)

/* Device, PD, CQ, memory with those rights, a QP in RESET, the connection. */
void meet_open(struct meet *m, int argc, char **argv, enum ibv_qp_type type, int access);
void meet_close(struct meet *m);
/* Both sides give `size` bytes and get those of the other. */
void meet_swap(struct meet *m, const void *mine, void *other, uint32_t size);
void meet_sync(struct meet *m);
/* Next completion, which has that status. */
struct ibv_wc meet_wc(struct meet *m, enum ibv_wc_status status);

#endif
