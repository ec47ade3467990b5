/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcairn: the userspace driver of the Cairn RoCE v2 NIC.  This is the whole public interface;
 * libprovider and the `cairn` tool include it, queue.h for the data path, cancel.h, and what is
 * headers only and the simulator's too (trust.h, sealed.h, devtime.h), and nothing else of driver/.
 * bus.h is for programs that bring a bus of their own.
 *
 * Layouts (queue entries, attributes, capabilities) are those of rtl/hw/hw.def, in host memory and
 * in this interface alike: little-endian, immediates and GIDs in wire order.
 *
 * Errors: functions return 0 or a negative errno; the reason in words, with its remedy, is in
 * cairn_last_error() of the calling thread and, unless cairn_set_log() says otherwise, on stderr;
 * there only with CAIRN_LOG in the environment if nothing is broken, and the call asked for what
 * it cannot have (a limit, a wrong argument, a feature that this device does not have).
 *   -EBUSY   object in use (by others that must go first), or device open in another process
 *   -ENODEV  device gone (server died, function reset, unplugged) or this is the child of a fork
 *   -EIO     device answered with an error of its own, or took a fatal error
 *   -EPROTO  contract version of device or firmware differs
 * Threads: every function may be called from any thread.  Data-path helpers (queue.h) need the
 * caller's lock of that queue.  After fork() the child's calls return -ENODEV, its memory of the
 * device is not mapped, and the parent is not disturbed; all descriptors are closed by exec().
 * fork() waits while another thread opens or closes a device.  No call but cairn_wait_event() is a
 * cancellation point.  The library has threads of its own while a device is open, and stays loaded
 * after a dlclose().
 */
#ifndef CAIRN_H
#define CAIRN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn_bits.h"
#include "cairn_hw.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_ANY CAIRN_NO_NUMBER /* "any number", "none" */
#define CAIRN_MAX_GIDS 256

struct cairn_dev;
struct cairn_bus;
struct cairn_bus_ops;

/* ---------------------------------------------------------------- messages */

/* Why the last call of this thread failed, and what to do; "" when none did.  Valid until the next
 * failure. */
const char *cairn_last_error(void);
/* Where messages go instead of stderr, from any thread; fn NULL: nowhere.  Process-wide; before the
 * first open. */
void cairn_set_log(void (*fn)(void *arg, const char *message), void *arg);
/* A message that is no failure of a call, where those of failures go. */
void cairn_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, of something that goes well: said only where CAIRN_LOG is set. */
void cairn_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "CREATE_QP" for ("cmd_op", 48): names of the enums of hw.def, "?" when there is none. */
const char *cairn_enum_name(const char *enum_name, unsigned int value);

/* ---------------------------------------------------------------- NICs, before they are opened */

/* Where the kernel shows PCI functions and drivers, and whose driver opens a function. */
#define CAIRN_PCI_DEVICES "/sys/bus/pci/devices"
#define CAIRN_PCI_DRIVERS "/sys/bus/pci/drivers"
#define CAIRN_VFIO_DRIVER "vfio-pci"

#define CAIRN_BDF_BYTES 20

/* "01:00.0", "0000:01:00.0" or "vfio:..." to "0000:01:00.0", CAIRN_BDF_BYTES with the NUL, or NULL:
 * no need.  False: none of these. */
bool cairn_bdf(const char *addr, char *bdf);
/* Has this build a bus for such an address?  Looks at the text only. */
bool cairn_reaches(const char *addr);
/* The GIDs that a NIC is going to have, as what `cairn sim` or `cairn bind` wrote of it says: how
 * many, at most max.  A function's first is zero: link-local, of a MAC that is not known yet. */
unsigned int cairn_known_gids(const char *addr, uint8_t (*gids)[16], unsigned int max);

/*
 * Handing a PCI function to vfio-pci and back, by sysfs; addr as cairn_open() takes it.  0, or
 * -errno with a message, nothing being changed then.  On success `text` says what was done and what
 * else to do; several lines.
 */
int cairn_vfio_bind(const char *addr, char *text, size_t size);
/* The kernel picks a driver for the function, as if it had just been found. */
int cairn_vfio_unbind(const char *addr, char *text, size_t size);
/* The file that names the addresses of a function, BDF.json. */
void cairn_vfio_file(const char *addr, char *path, size_t size);
/*
 * "01:00.0,02:00.0": functions that processes are to share among them, as full addresses in list.
 * Each is a Cairn NIC bound to vfio-pci, and no two are in one IOMMU group, which one process has
 * as a whole.  0, or -errno with a message.
 */
int cairn_vfio_functions(const char *text, char *list, size_t size);

/* The account of who uses a NIC, which the processes of a user keep among themselves: lease.h. */
#define CAIRN_WHO_BYTES 64

enum cairn_lease_state {
	CAIRN_LEASE_MINE,     /* this process uses, keeps or has reserved it */
	CAIRN_LEASE_FREE,     /* also: no account is kept */
	CAIRN_LEASE_RESERVED, /* by another process */
	CAIRN_LEASE_TAKEN,    /* used or kept by another process */
};

/* who, when it is another's: "process 123 (ib_write_bw)" */
enum cairn_lease_state cairn_lease_state(const char *addr, char who[CAIRN_WHO_BYTES]);
/*
 * One of n NICs, to be kept until this process exits: the one that it keeps already, or the first
 * that is free.  Its index, or -EBUSY: all are taken; another -errno: no account can be kept.
 */
int cairn_lease_keep(const char *const *addrs, unsigned int n);
/* Reserves the first that is free, if this process has reserved none of them. */
void cairn_lease_reserve(const char *const *addrs, unsigned int n);
void cairn_lease_unreserve(void);

/* ---------------------------------------------------------------- device */

/*
 * Everything has a working default: pass NULL or a struct from cairn_opts_init().  The names in []
 * are the environment variables that change the default.
 */
struct cairn_opts {
	const char *firmware;  /* image file [CAIRN_FIRMWARE]; default: beside the library, then
				  libdir */
	uint64_t seed;	       /* of numbers, keys and IOVAs [SEED]; 0: from the kernel */
	unsigned int qps_log2; /* table sizes, log2; 0: default; cut to what the device has */
	unsigned int cqs_log2;
	unsigned int srqs_log2;
	unsigned int mrs_log2;
	unsigned int mtts_log2;
	unsigned int comp_vectors; /* completion EQs; 0: default */
	unsigned int timeout_ms;   /* no command is answered [CAIRN_TIMEOUT_MS]; 0: default */
	unsigned int no_gids;	   /* 1: leave the GID table empty */
	unsigned int no_loop;	   /* 1: frames to ourselves go out on the wire [CAIRN_NO_LOOP] */
	unsigned int look;	   /* 1: what another process has open is opened to be looked at */
	const uint8_t (*gids)[16]; /* instead of those of the NIC's .json file */
	unsigned int n_gids;
};

/* All defaults, which are zero everywhere; cannot fail. */
void cairn_opts_init(struct cairn_opts *opts);

/*
 * addr: path of a simulated NIC's socket; "dddd:bb:dd.f" or "bb:dd.f", also with "vfio:" before
 * it, a PCI function bound to vfio-pci; or a name registered by another bus ("sim:0", bus_sim.h).
 * Resets the function, loads and starts its firmware, sets up all tables and queues, opens the data
 * path and sets the GIDs.  A device that this process has open already is shared: the same pointer,
 * one more cairn_close() to do; opts are then ignored.
 */
int cairn_open(const char *addr, const struct cairn_opts *opts, struct cairn_dev **dev);
/* The last close resets the function and frees what the driver holds.
 * Destroy all objects first. */
void cairn_close(struct cairn_dev *dev);

/*
 * Opened to be looked at (opts.look), because another process has the NIC: device, port and GIDs
 * can be queried, and registers ID and BUILD read, as the owner has published them when it opened
 * the device and at each change since; all else fails with -EBUSY.  It stays so when the owner is
 * gone.
 */
bool cairn_dev_looks(const struct cairn_dev *dev);

/* "0000:01:00.0", the socket's path, "sim:0" */
const char *cairn_dev_name(const struct cairn_dev *dev);
/* True once the device is lost; all calls but close then return -ENODEV. */
bool cairn_dev_gone(const struct cairn_dev *dev);

/* What works here: the firmware's answer, cut to the table sizes in use.  No device access. */
int cairn_query_device(struct cairn_dev *dev, struct cairn_dev_caps *caps);
int cairn_query_port(struct cairn_dev *dev, struct cairn_port_attr *port);
/* Settings that hold until the last close: all of CAIRN_PORT_FLAG_* that shall be on. */
int cairn_set_port(struct cairn_dev *dev, uint32_t flags);
/* Device time in ns. */
int cairn_query_time(struct cairn_dev *dev, uint64_t *ns);
/* One of the COUNTER rows of hw.def. */
int cairn_read_counter(struct cairn_dev *dev, unsigned int index, uint64_t *value);
/* Any BAR0 register, for tools. */
int cairn_read_reg(struct cairn_dev *dev, uint32_t offset, uint32_t *value);
/* Firmware log lines since the last call; returns how many were given to fn. */
int cairn_read_log(struct cairn_dev *dev,
		   void (*fn)(void *arg, const struct cairn_log_entry *entry), void *arg);
/* Let the device make progress while the caller polls: advances a simulated clock, gives way to the
 * server behind a socket; attempt counts fruitless polls since the last success, and higher numbers
 * may sleep a little.  On VFIO, where the device needs nothing of ours: no system call, a pause. */
void cairn_relax(struct cairn_dev *dev, unsigned int attempt);

/* ---------------------------------------------------------------- GIDs */

/* index 0 link-local, 1 IPv4-mapped, 2 IPv6 by convention.  vlan: TCI | CAIRN_GID_VLAN, or 0.  gid
 * NULL: delete.  -EBUSY: a connection sends from the entry, which then stays as it is. */
int cairn_set_gid(struct cairn_dev *dev, unsigned int index, const uint8_t gid[16], uint32_t vlan);
/* "10.0.0.1" or "fd00::1", or "10.0.5.1@5" for one in VLAN 5 (1 to 4094), as GID and vlan of
 * cairn_set_gid().  False: the text says something else. */
bool cairn_parse_gid(const char *text, uint8_t gid[16], uint32_t *vlan);
/* From the driver's copy.  -ENOENT: entry empty. */
int cairn_query_gid(struct cairn_dev *dev, unsigned int index, uint8_t gid[16], uint32_t *vlan);
/* MAC (first wire byte in bits 47:40) of a GID on the link; asks the network when firmware does not
 * know it. */
int cairn_resolve(struct cairn_dev *dev, unsigned int sgid_index, const uint8_t dgid[16],
		  uint64_t *mac);

/* ---------------------------------------------------------------- doorbell pages */

/* What queue.h needs to ring a doorbell.  Page 0 belongs to the driver itself. */
struct cairn_db {
	volatile uint8_t *map; /* the mapped page, or NULL: through the bus */
	struct cairn_bus *bus;
	const struct cairn_bus_ops *ops;
	uint32_t offset; /* of the page in BAR2 */
	uint32_t page;
};

/* Objects created with db NULL share one page of the device; a page of one's own costs nothing. */
int cairn_alloc_db(struct cairn_dev *dev, struct cairn_db **db);
void cairn_free_db(struct cairn_dev *dev, struct cairn_db *db);

/* ---------------------------------------------------------------- memory for queues and other
 * shared records */

/* Zeroed memory that the device can reach; page aligned.  No MR is needed for it, and no key
 * reaches it. */
struct cairn_dma {
	void *va;
	uint64_t iova;
	size_t len;
	void *priv;
};

/*
 * len is rounded up to whole pages, dma->len says to what.  -EINVAL: 0 or more than 1 TiB; -ENOSPC:
 * the device's address space is full; else what the kernel said (-ENOMEM, -EMFILE, -EFBIG).  On an
 * error *dma is all zero.
 */
int cairn_dma_alloc(struct cairn_dev *dev, size_t len, struct cairn_dma *dma);
/* The device must not use it any more.  *dma is all zero then; one that is already is let be. */
void cairn_dma_free(struct cairn_dev *dev, struct cairn_dma *dma);

/* ---------------------------------------------------------------- protection domains */

struct cairn_pd {
	struct cairn_dev *dev;
	uint32_t pdn;
	unsigned int users; /* driver's: MRs, MWs, QPs, SRQs, AHs */
};

/* -ENOSPC: all are in use.  It is freed by cairn_dealloc_pd(). */
int cairn_alloc_pd(struct cairn_dev *dev, struct cairn_pd **pd);
/* -EBUSY while an object of it exists. */
int cairn_dealloc_pd(struct cairn_pd *pd);

/* ---------------------------------------------------------------- memory regions */

/* How the device finds the pages.  AUTO takes DIRECT when the IOVAs are contiguous, as they are
 * behind an IOMMU. */
enum cairn_mr_kind {
	CAIRN_MR_AUTO,
	CAIRN_MR_USE_DIRECT,
	CAIRN_MR_USE_PAGED,
	/*
	 * Not valid yet: a REG_MR work request (struct cairn_wqe_local: PAGE_LOG2 of page_log2,
	 * page_list mtt_index) makes it so, for any part that begins in the first page and with any
	 * rights, and may change the low 8 bits of the key; LOCAL_INV undoes it.  Who posts them
	 * keeps `key` up to date.  access says whether the device may write the memory at all.
	 */
	CAIRN_MR_BY_WORK_REQUEST,
};

struct cairn_mr {
	struct cairn_pd *pd;
	uint32_t key;	 /* lkey and rkey */
	uint32_t access; /* enum cairn_access bits */
	uint64_t addr;	 /* in this process */
	uint64_t va;	 /* what work requests name */
	uint64_t length;
	/* how it was done */
	uint64_t iova;		       /* of addr */
	uint32_t mode;		       /* enum cairn_mr_mode */
	uint32_t page_log2;	       /* PAGED */
	uint32_t mtt_index, mtt_count; /* PAGED: entries, in units of one page */
	uint64_t map_iova, map_len;    /* what the bus has mapped, whole pages */
	bool invalid;		       /* a change has failed, and could not be taken back */
};

/*
 * [addr, addr + length) of this process becomes reachable as [va, va + length) with the given
 * rights.  va may be any value (ibv_reg_mr: addr; ibv_reg_mr_iova: the caller's; zero based: 0); a
 * PAGED region needs va and addr to agree in their low 12 bits.  The memory must exist (-EFAULT),
 * with write permission if the device may write.
 */
int cairn_reg_mr(struct cairn_pd *pd, void *addr, uint64_t length, uint64_t va, uint32_t access,
		 struct cairn_mr **mr);
int cairn_reg_mr_kind(struct cairn_pd *pd, void *addr, uint64_t length, uint64_t va,
		      uint32_t access, enum cairn_mr_kind kind, struct cairn_mr **mr);
/*
 * Something else under the same key, of a region of cairn_reg_mr(); it may not be used meanwhile.
 * On an error it is as it was (-EBUSY: windows are bound to it), but for -ENOTRECOVERABLE, which is
 * when the device gives up in the middle: then there is nothing to be done with it but to
 * deregister it.
 */
int cairn_rereg_mr(struct cairn_mr *mr, struct cairn_pd *pd, void *addr, uint64_t length,
		   uint64_t va, uint32_t access);
/* On return the device no longer touches the memory: it is unmapped after the fence. */
int cairn_dereg_mr(struct cairn_mr *mr);

/* ---------------------------------------------------------------- memory windows */

struct cairn_mw {
	struct cairn_pd *pd;
	uint32_t type; /* 1 or 2 */
	/* rkey; a BIND_MW work request names the next one (same index, other low 8 bits), and who
	   posts it keeps this up to date. */
	uint32_t key;
};

/* Not bound to anything; -EOPNOTSUPP without FEATURES.MW. */
int cairn_alloc_mw(struct cairn_pd *pd, uint32_t type, struct cairn_mw **mw);
/* A bound window is unbound first.  On return nothing is reached through it any more. */
int cairn_dealloc_mw(struct cairn_mw *mw);

/* ---------------------------------------------------------------- completion queues */

struct cairn_cq {
	struct cairn_dev *dev;
	uint32_t cqn;
	uint32_t log2;	 /* entries of the ring */
	uint32_t vector; /* completion vector, CAIRN_ANY: none */
	struct cairn_cqe *ring;
	struct cairn_cq_ci *ci_record;
	const struct cairn_db *db;
	void *user; /* the caller's */
	/* Data path, under the caller's CQ lock. */
	uint32_t ci;	  /* next entry to look at, free-running */
	uint32_t arm_seq; /* 0 to 3; advances when an event was consumed */
	/* Driver's. */
	unsigned int users; /* QPs */
	struct cairn_dma mem;
};

/* depth: completions that must fit.  vector: completion events, < cairn_comp_vectors(), or
 * CAIRN_ANY: none.  One vector takes all CQs of the device, but not more than 32767. */
int cairn_create_cq(struct cairn_dev *dev, unsigned int depth, unsigned int vector,
		    const struct cairn_db *db, void *user, struct cairn_cq **cq);
int cairn_destroy_cq(struct cairn_cq *cq);
/*
 * The caller holds its CQ lock.  Entries not polled yet are carried over, in order; -EINVAL when
 * they do not fit. -EOPNOTSUPP: not in this firmware.
 */
int cairn_resize_cq(struct cairn_cq *cq, unsigned int depth);
/* Event moderation: at most one event per `count` completions or `period_us`. */
int cairn_modify_cq(struct cairn_cq *cq, unsigned int count, unsigned int period_us);
/* The device's record, for tools and tests. */
int cairn_query_cq(struct cairn_cq *cq, struct cairn_cq_ctx *ctx);

/* ---------------------------------------------------------------- shared receive queues */

struct cairn_srq {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	uint32_t srqn;
	uint32_t log2;	 /* slots */
	uint32_t stride; /* elements per slot */
	struct cairn_sge *slots;
	uint32_t *ring; /* slot numbers */
	const struct cairn_db *db;
	void *user;
	/* Data path, under the caller's SRQ lock. */
	uint32_t pi; /* free-running */
	/* Driver's. */
	unsigned int users;
	struct cairn_dma mem;
};

struct cairn_srq_init {
	unsigned int max_wr, max_sge; /* in: wanted; out: what was made */
	const struct cairn_db *db;
	void *user;
};

/*
 * -EINVAL: max_wr is 0, or a size beyond the device's; -EOPNOTSUPP: it has no SRQs; -ENOSPC: all
 * are in use.  On an error *init and *srq are as they were.  The rings are the driver's memory and
 * go with cairn_destroy_srq(); the PD is in use until then.
 */
int cairn_create_srq(struct cairn_pd *pd, struct cairn_srq_init *init, struct cairn_srq **srq);
/* SRQ_LIMIT event once fewer than limit are left; 0 disarms. */
int cairn_modify_srq(struct cairn_srq *srq, unsigned int limit);
/* limit in force (0 after it fired) and entries the device has not taken. */
int cairn_query_srq(struct cairn_srq *srq, unsigned int *limit, unsigned int *left);
/* -EBUSY while a QP has it. */
int cairn_destroy_srq(struct cairn_srq *srq);

/* ---------------------------------------------------------------- queue pairs */

struct cairn_qp {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct cairn_cq *send_cq, *recv_cq;
	struct cairn_srq *srq; /* or NULL */
	uint32_t qpn;
	uint32_t owner;	    /* CAIRN_WQE_CHECK_OWNER of its send WQEs, until the next RESET */
	uint32_t type;	    /* enum cairn_qp_type */
	uint32_t sq_log2;   /* blocks */
	uint32_t rq_log2;   /* entries */
	uint32_t rq_stride; /* elements per entry; 0: no receive queue */
	struct cairn_wqe *sq;
	struct cairn_sge *rq;
	const struct cairn_db *db;
	void *user;
	/* Data path, under the caller's SQ and RQ locks. */
	uint32_t sq_pi; /* block index, free-running */
	uint32_t rq_pi; /* entry index, free-running */
	/* Driver's. */
	uint32_t state;	    /* enum cairn_qp_state last moved to; query for the effective one */
	uint32_t held_slot; /* SRQ slot returned by RESET or destroy, or CAIRN_ANY */
	struct cairn_dma mem;
};

struct cairn_qp_init {
	enum cairn_qp_type type;
	struct cairn_cq *send_cq, *recv_cq;
	struct cairn_srq *srq;
	/* in: wanted; out: what was made */
	unsigned int max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline;
	const struct cairn_db *db;
	void *user;
	uint32_t qpn; /* CAIRN_ANY, or a number for benches and tests (GSI is always 1) */
};

/*
 * In RESET.  -EINVAL: no CQ, a size beyond the device's, a number outside its table; -EOPNOTSUPP: a
 * type that the device does not have; -EBUSY: the number is in use; -ENOSPC: all are.  On an error
 * *init and *qp are as they were.  The rings are the driver's memory and go with the QP; PD, CQs
 * and SRQ are in use until then.
 */
int cairn_create_qp(struct cairn_pd *pd, struct cairn_qp_init *init, struct cairn_qp **qp);
/*
 * mask: enum cairn_qp_mask, the values of verbs.h plus LANE.  On an error nothing changed.
 * attr->dmac 0: firmware resolves the GID (-ETIMEDOUT: no answer in 1 s).  A move to RESET clears
 * rings and indices: the caller holds the SQ and RQ locks and removes the QP's entries from its CQs
 * afterwards.
 */
int cairn_modify_qp(struct cairn_qp *qp, const struct cairn_qp_attr *attr, uint32_t mask);
int cairn_query_qp(struct cairn_qp *qp, struct cairn_qp_attr *attr);
/*
 * What this QP has counted since it was created or last moved to RESET: one of the QP_COUNTER rows
 * of hw.def (cairn_counter_of_qp), 32 bits that stay at their end.  A register write and a read, no
 * command.  -EINVAL: QPs do not have it.
 */
int cairn_read_qp_counter(struct cairn_qp *qp, unsigned int index, uint64_t *value);
/*
 * The end of a QP, in two steps: after the first the device knows it no more, and no completion or
 * event of it comes.  Until the second it keeps its number, PD, CQs and SRQ, so that the caller can
 * remove its entries from the CQs and repost the slot: no other QP has the number, no other thread
 * destroys these.  held_slot, when not NULL: SRQ slot that the QP had taken and not completed, else
 * CAIRN_ANY; repost it.  On an error nothing changed.
 */
int cairn_stop_qp(struct cairn_qp *qp, uint32_t *held_slot);
void cairn_release_qp(struct cairn_qp *qp);
/* Both at once, for who has no entries to remove. */
int cairn_destroy_qp(struct cairn_qp *qp, uint32_t *held_slot);
/*
 * A first PSN for a connection manager: 24 random bits, so that a stranger has to guess.
 */
uint32_t cairn_random_psn(struct cairn_dev *dev);

/*
 * A UD QP receives what comes to the group.  -EINVAL: no multicast GID, no UD QP, attached already
 * (detaching: not attached); -ENOSPC: CAIRN_MCAST_GROUPS groups or CAIRN_MCAST_MEMBERS QPs of this
 * one are there; -EOPNOTSUPP: caps.max_mcast_grp is 0, or no IPv6 here.  The end of the QP detaches
 * it, too.
 */
int cairn_attach_mcast(struct cairn_qp *qp, const uint8_t gid[16]);
int cairn_detach_mcast(struct cairn_qp *qp, const uint8_t gid[16]);

/* Blocks that one send WQE of that shape takes: what the ring is divided into. */
unsigned int cairn_wqe_blocks(enum cairn_qp_type type, unsigned int sge, unsigned int inline_bytes);

/* ---------------------------------------------------------------- address handles */

struct cairn_ah_attr {
	uint8_t dgid[16];
	uint32_t sgid_index, flow_label, tclass, hop_limit, sl;
	uint64_t dmac;	/* 0: resolve */
	uint32_t sport; /* 0: derived from the flow label */
};

/* Ready to be copied into UD WQEs: bytes 16 to 55 of struct cairn_wqe_ud but for DQPN and Q_Key. */
struct cairn_ah {
	struct cairn_pd *pd;
	struct cairn_ah_attr attr; /* with dmac and sport filled in */
	struct cairn_wqe_ud av;	   /* address fields set, all else zero */
};

/*
 * -EINVAL: a value out of range, no GID at sgid_index; -ETIMEDOUT: dmac is 0 and nobody answers for
 * the GID; -ENOSPC: caps.max_ah are in use; -EOPNOTSUPP: no datagrams.  The PD is in use until it
 * is destroyed.
 */
int cairn_create_ah(struct cairn_pd *pd, const struct cairn_ah_attr *attr, struct cairn_ah **ah);
/* WQEs posted with it have a copy.  Fails in the child of a fork only. */
int cairn_destroy_ah(struct cairn_ah *ah);
/* RoCE v2 (Annex A17): 0xC000 | 14 bits of a hash of the flow label. */
uint32_t cairn_flow_to_sport(uint32_t flow_label);

/* ---------------------------------------------------------------- events */

/* Completion vectors of this device. */
unsigned int cairn_comp_vectors(const struct cairn_dev *dev);

struct cairn_event {
	uint32_t type; /* enum cairn_eqe_type */
	uint32_t number;
	uint32_t data;	  /* cause, enum cairn_vendor_err for errors */
	uint32_t arm_seq; /* CQ: the arm that fired */
	void *object; /* struct cairn_cq, cairn_qp or cairn_srq; NULL for port and device events */
};

/* Called with the EQ's lock held: do not create, destroy or poll events from it. */
typedef void (*cairn_event_fn)(void *arg, const struct cairn_event *event);

#define CAIRN_VECTOR_ASYNC 0xfffffffeu

/*
 * Readable when there may be events: of completion vector 0 .. cairn_comp_vectors()-1 or
 * CAIRN_VECTOR_ASYNC. Owned by the device: poll() it, do not read or close it.  Becomes readable
 * also when the device is lost.
 */
int cairn_event_fd(struct cairn_dev *dev, unsigned int vector);
/*
 * Take all events of a vector, give them to fn, ask for the next interrupt.  Returns their number
 * or -errno. A lost device gives one DEVICE_FATAL on the async vector, then -ENODEV.  Events of an
 * object that has been destroyed are never seen.
 */
int cairn_poll_events(struct cairn_dev *dev, unsigned int vector, cairn_event_fn fn, void *arg);
/* Wait until the fd is readable.  1: it is; 0: timeout (-1: none); -errno. */
int cairn_wait_event(struct cairn_dev *dev, unsigned int vector, int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
