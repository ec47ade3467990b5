/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Cairn device in software, as far as the driver can see it: registers, the command ring with
 * every command of docs/commands.md, event queues, interrupts, and a map of the memory it may
 * reach.  It does no networking.  It trusts nothing: a command with a stray field, an address
 * outside a map, a duplicate map or a record in the wrong state is refused as the contract says, or
 * counted as an error of the driver.
 *
 * "fake:0" and "fake:1" are its addresses.  Commands are executed in relax(), that is while the
 * driver waits; its clock moves there too, 1 us a call.  Tests turn the knobs between fake_start()
 * and fake_stop().
 */
#ifndef FAKE_BUS_H
#define FAKE_BUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "bus.h"
#include "cairn.h"
#include "rng.h"

#define FAKE_DEVICES 2
#define FAKE_MAPS 256
#define FAKE_NUMBERS 4096 /* at most, of each kind */
#define FAKE_NEVER 0xffffffffu

struct fake_cq {
	bool live;
	struct cairn_cq_create attr;
	uint32_t pi, arm_seq, moderation;
};

struct fake_qp {
	bool live;
	uint8_t generation;
	struct cairn_qp_create create;
	struct cairn_qp_attr attr;
	uint32_t mask; /* of the last modify */
	bool attached;
	uint8_t group[16];
};

struct fake_mr {
	bool live;
	bool any_tag; /* work requests change the key's tag */
	uint32_t key;
	uint64_t va, length, map, flags;
	uint32_t pd;
};

struct fake_eq {
	bool live, armed;
	uint32_t log2, vector, page, pi, ci, cqs;
	uint64_t ring;
};

struct fake_srq {
	bool live;
	uint64_t arg[5];
	uint32_t limit;
};

struct fake_map {
	uint64_t iova;
	uint8_t *va;
	size_t len;
	uint32_t perm;
	bool has_fd;
};

struct fake {
	struct cairn_bus bus; /* first: the ops get a pointer to it */
	pthread_mutex_t lock;
	struct rng rng;
	bool open;

	/* Knobs. */
	uint32_t id, fw_status; /* ID register; STATUS bits when a good image starts */
	struct cairn_dev_caps caps;
	struct cairn_port_attr port;
	bool reorder;	       /* complete outstanding commands in random order */
	bool hold;	       /* complete nothing */
	unsigned int slow;     /* its clock goes so many times slower than the host's; 0: 1 */
	uint64_t (*clock)(void); /* or this is its clock */
	uint64_t pace;	       /* ns from the end of a command to the end of the next */
	bool baked;	       /* firmware runs after reset without an image */
	uint32_t reset_polls;  /* STATUS reads that still show IN_RESET */
	uint32_t fail_command; /* the n-th command from now (0: the next) ends with fail_status */
	uint32_t fail_status;
	uint32_t drop_command;		/* the n-th is never answered */
	uint32_t map_error;		/* the n-th dma_map fails with ENOMEM */
	uint32_t die_at;		/* the n-th bus call finds the device gone */
	uint32_t spoil_id, spoil_index; /* xored into the next completion */
	uint32_t spoil_fw;		/* xored into the first word of the next image */
	bool unread_fw;			/* reads of the next image fail */
	void (*at_resize)(void *arg);	/* called before the next RESIZE_CQ is executed */
	void *arg;

	/* Seen. */
	unsigned int errors; /* of the driver; each is printed */
	uint64_t last_end; /* of a command */
	unsigned int commands, resets, doorbells, calls;
	struct cairn_cmd last_cmd;
	uint8_t last_in[128]; /* its input buffer */
	uint32_t last_db_offset;
	uint64_t last_db, last_arm; /* of any queue; of a CQ */
	uint8_t last_push[64];

	/* The device. */
	uint64_t now;
	uint32_t status, ctrl, fw_len, fw_crc;
	uint64_t fw_base;
	uint8_t ram[CAIRN_CPU_RAM_BYTES];
	uint64_t cmdq_base, cmdq_cpl_base, log_base;
	uint32_t cmdq_size, cmdq_enable, log_size, cmd_pi, cmd_ci, cpl_pi, qp_select;
	uint16_t pci_command;
	uint32_t pending[256]; /* ring indices of commands begun and not completed */
	unsigned int n_pending;
	bool enabled;
	uint64_t table_base[7];
	uint32_t table_log2[7];
	struct fake_eq eqs[CAIRN_MSIX_VECTORS];
	struct fake_cq cqs[FAKE_NUMBERS];
	struct fake_qp qps[FAKE_NUMBERS];
	struct fake_srq srqs[FAKE_NUMBERS];
	struct fake_mr mrs[FAKE_NUMBERS]; /* and windows */
	uint8_t gids[64][16];
	bool gid_valid[64];
	int irqs[CAIRN_MSIX_VECTORS];
	unsigned int n_irqs;
	struct fake_map maps[FAKE_MAPS];
	unsigned int n_maps;
};

extern struct fake fakes[FAKE_DEVICES];
/* The directory of their leases, "fake:0.lease"; NULL: no account is kept. */
extern const char *fake_leases;
extern const struct cairn_bus_ops fake_bus_ops;

/* Fresh devices, registered as a bus; a good firmware image as CAIRN_FIRMWARE. */
void fake_start(void);
/* Unregisters; returns the errors of the driver, leftover maps included. */
unsigned int fake_stop(void);

/* Write an image file: header fields as given, `spoil` xored into a payload byte. */
void fake_write_image(const char *path, uint32_t magic, uint32_t contract, uint32_t length,
		      uint8_t spoil);

/* Memory of the driver as the device sees it; NULL and an error when it may not. */
void *fake_mem(struct fake *f, uint64_t iova, size_t len, uint32_t perm);
/* Write an event, raise the interrupt if armed. */
void fake_event(struct fake *f, uint32_t eqn, uint32_t type, uint32_t number, uint32_t data);
/* Write a completion with the phase of its place. */
void fake_cqe(struct fake *f, uint32_t cqn, uint32_t qpn);
void fake_error(struct fake *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* fake_cmd.c: one command; fills status, detail and values of its completion. */
void fake_execute(struct fake *f, const struct cairn_cmd *cmd, struct cairn_cmd_cpl *cpl);

#endif
