/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the driver reaches a device: one ops table a bus.  Kernel VFIO (bus/bus_vfio.c), vfio-user
 * socket (bus/bus_vfu.c), the simulator in this process (sim/bus_sim.c), and a software device in
 * the tests (tests/unit/driver/fake_bus.c).  Above this line the driver does not know which one it
 * is.
 *
 * A bus that has lost its device sets `gone`, wakes all waiters (the interrupt eventfds, too), and
 * returns -ENODEV from then on; doorbells and pushes are then dropped.  Nothing in here is called
 * from a signal handler.
 */
#ifndef CAIRN_BUS_H
#define CAIRN_BUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __linux__
#define CAIRN_HAVE_VFIO
#endif

#define CAIRN_DMA_READ 1u  /* the device may read */
#define CAIRN_DMA_WRITE 2u /* the device may write */

/* Memory to be mapped: fd >= 0 gives the file and offset behind va;
 * -1: any memory of this process. */
struct cairn_dma_map {
	uint64_t iova;
	void *va;
	size_t len; /* iova, va and len are multiples of 4096 */
	int fd;
	uint64_t fd_offset;
	uint32_t perm; /* CAIRN_DMA_* */
};

/* In configuration space */
#define PCI_COMMAND 4u
#define PCI_COMMAND_MEMORY 2u
#define PCI_COMMAND_MASTER 4u

struct cairn_bus_opts {
	uint64_t seed;
	unsigned int timeout_ms; /* of one answer of the other side; 0: default */
};

struct cairn_bus {
	const struct cairn_bus_ops *ops;
	atomic_bool gone;
	volatile uint8_t *db_map;    /* BAR2, when it can be mapped; else NULL */
	uint64_t iova_min, iova_max; /* usable IOVAs, both included */
	uint64_t dma_soon;	     /* bytes still to be mapped before the device is open */
};

struct cairn_bus_gid {
	uint8_t gid[16];
	uint32_t vlan; /* as of cairn_set_gid() */
};

struct cairn_bus_ops {
	const char *name;
	/* Is addr one of ours?  Looks at the text only. */
	bool (*match)(const char *addr);
	int (*open)(const char *addr, const struct cairn_bus_opts *opts, struct cairn_bus **bus);
	void (*close)(struct cairn_bus *bus);

	/* PCI configuration space; len 1, 2, 4. */
	int (*cfg_read)(struct cairn_bus *bus, uint32_t offset, void *buf, uint32_t len);
	int (*cfg_write)(struct cairn_bus *bus, uint32_t offset, const void *buf, uint32_t len);

	/* BAR0.  Writes are posted, in order; a read comes after all of them. */
	int (*read32)(struct cairn_bus *bus, uint32_t offset, uint32_t *value);
	int (*read64)(struct cairn_bus *bus, uint32_t offset, uint64_t *value);
	int (*write32)(struct cairn_bus *bus, uint32_t offset, uint32_t value);
	int (*write64)(struct cairn_bus *bus, uint32_t offset, uint64_t value);

	/* BAR2, from any thread, without a lock of ours: one 64-bit store; one 64-byte write (may
	 * be torn into eight stores in order: the device then sees a plain doorbell in the last).
	 */
	void (*doorbell)(struct cairn_bus *bus, uint32_t offset, uint64_t value);
	void (*push)(struct cairn_bus *bus, uint32_t offset, const void *block);

	/* An unmap returns after the last access of the device. */
	int (*dma_map)(struct cairn_bus *bus, const struct cairn_dma_map *map);
	int (*dma_unmap)(struct cairn_bus *bus, uint64_t iova, size_t len);
	/* What to do about a dma_map of len bytes that failed with err, for the message.  May be
	 * NULL. */
	void (*dma_remedy)(struct cairn_bus *bus, int err, size_t len, char *text, size_t size);

	/* MSI-X vectors 0 .. n-1 raise these eventfds; n 0: MSI-X off. */
	int (*set_irqs)(struct cairn_bus *bus, const int *fds, unsigned int n);

	/* Function level reset; returns when the function answers again. */
	int (*reset)(struct cairn_bus *bus);

	/* Called while a command waits; attempt counts fruitless looks since the last success. */
	void (*relax)(struct cairn_bus *bus, unsigned int attempt);
	/* As relax, when a program has polled and found nothing.  NULL: the device runs by itself,
	 * on no processor of ours, and polling makes no system call. */
	void (*polled)(struct cairn_bus *bus, unsigned int attempt);
	/* Wait until fd is readable: 1, 0 at timeout (-1: none), -errno. */
	int (*wait_fd)(struct cairn_bus *bus, int fd, int timeout_ms);
	/* The clock that timeouts are measured with: wall time, or device time where the caller
	 * drives it. */
	uint64_t (*now_ns)(struct cairn_bus *bus);

	/* GIDs that this NIC should have, when the bus knows; returns how many, at most max, or
	 * -errno with a message.  May be NULL. */
	int (*gids)(struct cairn_bus *bus, struct cairn_bus_gid *gids, unsigned int max);

	/* The file of the NIC's lease (lease.h), a path of at most `size` bytes with a directory;
	 * *make: who comes first makes it.  false: there is none.  May be NULL. */
	bool (*lease)(const char *addr, char *path, size_t size, bool *make);

	/* In the child after fork(): let go of descriptors so that the parent's death is seen.
	 * close() only. */
	void (*forked)(struct cairn_bus *bus);
};

/* The built-in buses, and one more (the simulator, a test's device); the last registered is asked
 * first. */
extern const struct cairn_bus_ops cairn_bus_vfu;
extern const struct cairn_bus_ops cairn_bus_vfio; /* with CAIRN_HAVE_VFIO */
int cairn_bus_register(const struct cairn_bus_ops *ops);
void cairn_bus_unregister(const struct cairn_bus_ops *ops);
const struct cairn_bus_ops *cairn_bus_find(const char *addr);

/* ---- for buses ---- */

/* Keep and show a message; returns err, which is negative.  Of what is broken: the device, the
 * machine, its limits. */
int cairn_fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* fe80:: and the modified EUI-64 of the MAC (RFC 4291, appendix A). */
void cairn_gid_link_local(uint64_t mac, uint8_t gid[16]);

#endif
