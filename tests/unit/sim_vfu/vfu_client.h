/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scripted vfio-user client and the server it talks to, in one thread: waiting for a reply clocks
 * the core and serves the sockets.  Messages can be sent in pieces, with any header and any
 * descriptors.
 */
#ifndef CAIRN_VFU_CLIENT_H
#define CAIRN_VFU_CLIENT_H

#include <linux/vfio.h>

#include "fake_core.h"
#include "sim_vfu_priv.h"

struct client {
	int fd;
	uint16_t id;
	/* the last message received */
	struct vfu_header head;
	uint8_t body[VFU_MAX_PAYLOAD];
	uint32_t len;
};

struct bench {
	struct fake_core *f;
	struct sim_vfu *v;
	struct client c, c2;
	char dir[64], path[128];
	char log[4096];
	unsigned int fds_before;
	/* what the client does with DMA messages; NULL: they are an error */
	void (*on_dma)(struct bench *b, struct client *c);
	bool looks;			/* at a reset: until look_done(look_arg) is called */
	void (*look_done)(void *arg);
	void *look_arg;
	uint8_t *client_ram;		/* for dma_serve(): IOVA 0x100000, 64 KiB */
};

/* Server on a fresh socket with a client connected and VERSION exchanged. */
enum bench_memory { BENCH_MAPPED, BENCH_MESSAGES, BENCH_ASK_ALL };
void bench_start(struct bench *b, enum bench_memory memory);
/* Ends all and checks that no descriptor is left. */
void bench_stop(struct bench *b);
/*
 * `cycles` of the core, with the server served as the main loop does (clocks stand while stalled).
 */
void bench_run(struct bench *b, unsigned int cycles);
unsigned int count_fds(void);

void client_connect(struct bench *b, struct client *c);
void client_hello(struct bench *b, struct client *c);
void client_close(struct client *c);

/* Raw bytes with descriptors. */
void client_bytes(struct client *c, const void *data, size_t n, const int *fds, unsigned int n_fds);
/* One message; returns its id. */
uint16_t client_send(struct client *c, unsigned int cmd, unsigned int flags, const void *body,
		     uint32_t n, const int *fds, unsigned int n_fds);
/*
 * The next message, clocking meanwhile; false when the connection ended, fails after a long time.
 */
bool client_recv(struct bench *b, struct client *c);
/* Send and get the reply: 0 or its errno; DMA messages that come first go to on_dma. */
int client_call(struct bench *b, struct client *c, unsigned int cmd, const void *body, uint32_t n,
		const int *fds, unsigned int n_fds);
/* Nothing is there to receive (after some cycles). */
bool client_quiet(struct bench *b, struct client *c);

int region_read(struct bench *b, unsigned int region, uint64_t off, void *data, uint32_t n);
int region_write(struct bench *b, unsigned int region, uint64_t off, const void *data, uint32_t n);
int dma_map(struct bench *b, uint64_t iova, uint64_t size, unsigned int flags, int fd,
	    uint64_t off);
int dma_unmap(struct bench *b, uint64_t iova, uint64_t size);
int set_irqs(struct bench *b, unsigned int flags, unsigned int start, unsigned int count,
	     const int *fds, unsigned int n_fds);
void enable(struct bench *b);
/* on_dma: serves client_ram. */
void dma_serve(struct bench *b, struct client *c);

#define bcheck(b, expr)                                                                        \
	do {                                                                                   \
		if (!(expr)) {                                                                 \
			print_error("%s:%d: %s (seed 0x%llx)\n%s%s", __FILE__, __LINE__, #expr,   \
				    (unsigned long long)test_seed(), (b)->f->report, (b)->log);   \
			fail();                                                                \
		}                                                                              \
	} while (0)

#endif
