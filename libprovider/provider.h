/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs provider, libcairn-verbs.so: preloaded into a program that uses libibverbs, it adds our
 * devices to what ibv_get_device_list() returns and answers every call on their objects; calls on
 * other devices go to the real library.  Only the public ABI of libibverbs is used.
 *
 *   list.c choose.c  which devices there are    real.c      the real libibverbs
 *   context.c    open and close                 query.c     capabilities, ports, GIDs
 *   object.c     lists of what is on a context  fork.c      who is told of forks
 *   pd.c mr.c mw.c cq.c srq.c qp.c ah.c         an object each
 *   wr.c post.c ex.c  work requests             poll.c wall.c  completions
 *   latency.c lat_clock.c  how long they take
 *   event.c notify.c  completion and async events
 *   interpose*.c the exported symbols
 *   files*.c nic_*.c facts.c  what programs look for beside the verbs (files.h)
 *
 * Each object starts with its public structure, so that a pointer to one is a pointer to the other.
 * Internal functions return what the verb returns: a positive errno, or NULL with errno set.
 *
 * Locks, outer to inner: iteration over a CQ; nic.lock; commands of an object; CQ; SQ; RQ; SRQ;
 * (libcairn's EQ lock); nic.contexts_lock; event queue; arming of a CQ; those of latencies.  A
 * program holds the first for long, from ibv_start_poll() to ibv_end_poll(), and may use all other
 * verbs in there: only ibv_start_poll() takes it.
 *
 * Rules for programs, also in cairn-run(1):
 *   threads  every verb may be called from any thread at any time, on the same object too; what
 *            was destroyed must not be used; from ibv_wr_start() to ibv_wr_complete() one
 *            thread holds the queue, from ibv_start_poll() to ibv_end_poll() the iteration: it may
 *            reset and destroy QPs in there, and others may poll by ibv_poll_cq(); a QP of a
 *            thread domain is for one thread at a time: posting to it takes no lock
 *   objects  that are used together are of one context, also of one NIC opened twice: else EINVAL
 *   fork     a child has none of its parent's devices: calls fail, rings are not mapped, nothing
 *            disturbs the parent.  It may open one that is not open elsewhere, and look at others.
 *            fork() waits for an open or close that is under way
 *   exec     all descriptors close; a NIC that the process keeps stays its own (choose.c)
 *   cancel   only ibv_get_cq_event() and ibv_get_async_event() are cancellation points, while they
 *            wait, and no event is lost (driver/cancel.h)
 *   signal   the waits go on after a handler with SA_RESTART, and end with EINTR after others
 *   dlclose  the library stays loaded, for threads of open devices are in it; with all devices
 *            closed it has no thread, and no descriptor but that of a lease (choose.c)
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cairn.h"
#include "cancel.h"
#include "latency.h"

#define PORT 1u /* the only one */
#define PKEY 0xffffu
/* What a program built with an old libibverbs passes to the exported ibv_query_port(). */
#define COMPAT_PORT_ATTR_BYTES 48u
#define NIC_ADDR_BYTES 256
#define MAX_NICS 256u
#define CHOOSE_RANKS 4u
/* Two levels: QPNs have 24 bits. */
#define QP_LEAF_LOG2 12u
#define QP_LEAVES (1u << (24 - QP_LEAF_LOG2))

struct qp;
struct qp_leaf {
	struct qp *_Atomic qp[1u << QP_LEAF_LOG2];
};

/* ---------------------------------------------------------------- events */

struct event_node {
	struct event_node *next, *prev; /* NULL: not queued */
	void *object;			/* public object, or NULL */
	unsigned int count;
	uint32_t type; /* enum ibv_event_type, of async events */
};

/* The fd is readable if and only if something is queued or nothing will ever be again. */
struct event_queue {
	pthread_mutex_t lock;
	int fd, show_fd; /* what is written to show_fd makes fd readable */
	bool lost;	 /* the device is */
	struct event_node head;
};

/* ---------------------------------------------------------------- devices */

/* A device that was seen; lives as long as the process, so that its address stays the same. */
struct nic {
	struct ibv_device ibv; /* first */
	struct nic *next;
	char addr[NIC_ADDR_BYTES];  /* for cairn_open() */
	char place[NIC_ADDR_BYTES]; /* RUNDIR/nicN, with the files beside its socket, or the PCI
				       function's directory */
	char base[128];		    /* in /sys/devices (nic_files.c); "": none */
	unsigned int number;	    /* N of uverbsN */
	_Atomic uint64_t guid;	    /* host order */
	atomic_bool guid_known;	    /* else made up from the address until the MAC is known */
	bool present, was_present;  /* now, and before the scan that is under way */
	bool hidden;		    /* not for this process: choose.c */
	unsigned int rank;	    /* in the list; below CHOOSE_RANKS */

	pthread_mutex_t lock; /* below; who only looks at opens does not need it */
	atomic_uint opens;
	struct cairn_dev *dev;
	struct cairn_dev_caps caps;
	struct qp_leaf *_Atomic qps[QP_LEAVES];
	struct context *contexts;
	pthread_mutex_t contexts_lock; /* inner: the list, and each one's lists */
	pthread_t helper;
	int stop_fd;
	struct latency lat;
};

/* In the order in which a close destroys what the program left. */
enum kind {
	KIND_QP,
	KIND_AH,
	KIND_MW,
	KIND_SRQ,
	KIND_CQ,
	KIND_MR,
	KIND_PARENT,
	KIND_PD,
	KIND_TD,
	KINDS
};

/* In the list of its kind of its context. */
struct object {
	struct object *next, **link; /* link NULL: in none */
	void *self;
	unsigned int *users[2]; /* of what it was made with: PD, domains; or NULL */
};

struct context {
	struct context *next;
	struct nic *nic;
	struct cairn_dev *dev;
	struct event_queue async;
	struct channel *channels; /* under nic.contexts_lock, as are the next two */
	struct object *objects[KINDS];
	bool lost;		    /* all its event queues are, and new channels will be */
	bool inherited;		    /* this is a child, the context its parent's */
	struct verbs_context verbs; /* last: programs know it by its end */
};

struct channel {
	struct ibv_comp_channel ibv; /* first */
	struct channel *next;
	struct event_queue *queue;
};

/* A thread domain: the program's promise that one thread at a time uses what is made with it. */
struct td {
	struct ibv_td ibv;
	struct object object;
	unsigned int users; /* parent domains; under nic.contexts_lock */
};

struct pd {
	struct ibv_pd ibv;
	struct object object;
	struct cairn_pd *hw;
	/* of a parent domain, else NULL: hw is its PD's */
	struct pd *base;
	struct td *td;
	unsigned int users; /* objects made with it; under nic.contexts_lock */
};

struct mr {
	struct ibv_mr ibv;
	struct object object;
	struct cairn_mr *hw;
	uint64_t iova; /* what it was registered with */
	unsigned int access;
};

struct mw {
	struct ibv_mw ibv;
	struct object object;
	struct cairn_mw *hw;
	_Atomic uint8_t tag; /* of the key that was last asked for */
};

struct ah {
	struct ibv_ah ibv;
	struct object object;
	struct cairn_ah *hw;
};

/* The device's clock and one of the system's, read together twice: the line through
 * both converts. */
struct wall {
	clockid_t clock;	       /* zero: CLOCK_REALTIME */
	uint64_t device[2], system[2]; /* ns; the older pair first */
};

struct cq {
	union {
		struct ibv_cq ibv;
		struct ibv_cq_ex ex;
	};
	struct object object;
	struct pd *parent; /* domain it was made with, or NULL */
	struct nic *nic;
	struct cairn_cq *hw;
	pthread_mutex_t command_lock; /* one command at a time */
	pthread_mutex_t poll_lock;    /* of the extended API, from start to end: wc to wall */
	pthread_mutex_t lock;	      /* ring and what follows; never held by a program */
	pthread_mutex_t arm_lock;     /* hw->arm_seq, what says so; who replaces the ring, too */
	_Atomic uint32_t polled;      /* hw->ci, for those who have not the lock */
	_Atomic unsigned int idle;    /* fruitless polls in a row */
	struct ibv_wc wc;	      /* of the extended API: where the iterator stands */
	uint64_t timestamp;
	struct wall wall;
	uint32_t events; /* consumed; under arm_lock, as is the next one */
	struct {
		uint32_t event;	   /* the one that answers it: events when it is consumed */
		uint32_t ci, next; /* first entry not polled, first not written, at the arm */
		bool solicited;
	} armed;
	bool closing;		   /* under arm_lock: being destroyed, the ring may be gone */
	struct event_queue *queue; /* of its channel, or NULL */
	struct event_node event;   /* under the queue's lock */
	atomic_bool event_queued;
	uint32_t comp_events, async_events; /* handed to the program; under the queue's lock */
};

struct srq {
	struct ibv_srq ibv;
	struct object object;
	struct cairn_srq *hw;
	pthread_mutex_t command_lock;
	pthread_mutex_t lock;
	uint64_t *wr_id; /* by slot */
	uint16_t *free;	 /* slots, n_free of them */
	unsigned int n_free, max_wr, max_sge;
	uint32_t async_events;
};

/* What is known of the WQE that starts at a block of the send queue. */
struct sq_slot {
	uint64_t wr_id;
	union {
		struct {
			uint64_t posted : 48, /* when (latency.h) */
				opcode : 8,   /* enum ibv_wc_opcode */
				blocks : 8;
		};
		uint64_t word; /* all three, in one store; the first in its low bits */
	};
};

/* A work request under construction, in its place in the ring; under the SQ lock. */
struct build {
	bool open;
	int error;	 /* first one of the batch */
	uint32_t start;	 /* sq_pi when the batch began */
	uint64_t posted; /* the same in time, for the slots */
	uint32_t middle; /* a boundary half a ring on, when middle_set */
	bool middle_set;
	uint32_t ctrl;		 /* of the open WQE */
	uint32_t length, offset; /* payload so far; where in the WQE more of it goes */
	uint32_t count;		 /* WQEs finished */
	unsigned int sges, max_sges;
	bool inline_data; /* allowed */
	bool addressed;	  /* UD */
	bool pushable;	  /* the last one finished leaves room for the doorbell */
	uint64_t wr_id;
};

struct qp {
	union {
		struct ibv_qp ibv;
		struct ibv_qp_ex ex;
	};
	bool extended;
	struct object object;
	struct nic *nic;
	struct cairn_qp *hw;
	bool sq_sig_all, ud, push;
	bool single;  /* thread at a time, by its thread domain: sq_lock and rq_lock stay open */
	uint32_t ops; /* bit n: enum wqe_op n can be done */
	uint32_t qkey, sq_mask, rq_mask;
	struct ibv_qp_cap cap;
	uint32_t async_events;
	pthread_mutex_t command_lock;
	union ibv_gid *groups; /* it is attached to; under command_lock */
	unsigned int n_groups;

	pthread_mutex_t sq_lock;
	struct sq_slot *sq;	  /* by block */
	_Atomic uint32_t sq_tail; /* first block not retired */
	const uint64_t *watch;	  /* of latencies; lat: slot of the page */
	unsigned int lat;
	uint32_t max_blocks; /* of one WQE */
	struct build build;

	pthread_mutex_t rq_lock;
	uint64_t *rq; /* wr_id by entry */
	_Atomic uint32_t rq_tail;
};

/* The locks of a QP's queues, which only posts and the reset of the QP take. */
static inline void queue_lock(const struct qp *qp, pthread_mutex_t *lock)
{
	if (!qp->single)
		pthread_mutex_lock(lock);
}

static inline void queue_unlock(const struct qp *qp, pthread_mutex_t *lock)
{
	if (!qp->single)
		pthread_mutex_unlock(lock);
}

static inline struct nic *to_nic(struct ibv_device *device)
{
	return (struct nic *)device;
}

static inline struct context *to_context(struct ibv_context *ctx)
{
	return (struct context *)((uint8_t *)ctx - offsetof(struct context, verbs.context));
}

/* In the child of a fork, and the object its parent's: no lock of it may be taken, since who held
 * it may not exist here. */
static inline bool is_inherited(struct ibv_context *ctx)
{
	return to_context(ctx)->inherited;
}

/* NULL with errno set; err: 0 or -errno of libcairn */
static inline void *fail_null(int err)
{
	errno = err < 0 ? -err : err;
	return NULL;
}

/* ---------------------------------------------------------------- real.c */

/* A function of the real library; NULL: not there. */
void *real_symbol(const char *name);

/* ---------------------------------------------------------------- fork.c */

/* In the order in which they are told of a fork that is done; before it, the other way round. */
enum fork_part { FORK_NICS, FORK_BUFFERS, FORK_PORTS, FORK_LISTS, FORK_PARTS };

/* By a constructor of the part's file; functions may be NULL. */
void fork_part(enum fork_part part, void (*before)(void), void (*after)(bool child));

/* ---------------------------------------------------------------- list.c */

/* Look what is there now, and for this process: where it is to have one NIC, it takes one, else it
 * reserves one.  Devices seen before keep their address.  0, or ENOMEM, EMFILE, ENFILE: some may
 * not have been found; EBUSY: said, none is free. */
int nics_scan(void);
/* The NICs that this process may use, as of the last nics_scan(): its own first, then those that
 * are free. */
unsigned int nics_present(struct ibv_device **list, unsigned int max);
/* There is no list of them any more. */
void nics_unreserve(void);
/* Look what is there now, in use or not, and take none: for callers that only ask (presence.c). */
int nics_look(void);
bool nic_is_ours(const struct ibv_device *device);
/* A descriptor, or a duplicate of one, that stands for an open context of a NIC of ours. */
bool nics_own_fd(int fd);
/* For tests too.  NULL: out of memory. */
struct nic *nic_add(const char *addr, const char *name, const char *path);

/* ---------------------------------------------------------------- nic_names.c, choose.c */

/* Names and paths of its files; the number of its uverbs device is not below `first`. */
void nic_files_name(struct nic *nic, unsigned int first);
dev_t nic_device_number(const struct nic *nic);
/* choose.c, under the lock of list.c, for n <= MAX_NICS that are there.  0, or an errno as of
 * nics_scan(). */
int choose(struct nic *const *nics, unsigned int n);

/* ---------------------------------------------------------------- object.c */

/* For each object from its creation to its destruction. */
void context_list(struct ibv_context *ctx, enum kind kind, struct object *object, void *self);
void context_unlist(struct ibv_context *ctx, struct object *object);
/* The same, unless *users objects were made with it: false. */
bool context_unlist_unused(struct ibv_context *ctx, struct object *object,
			   const unsigned int *users);
/* 0, or ENODEV and a message when is_inherited(), or EBUSY and one when it was opened to be looked
 * at.  For verbs that do not begin with a call of
 * libcairn, which asks the same first. */
int context_usable(struct ibv_context *ctx);

/* ---------------------------------------------------------------- context.c, query.c */

struct ibv_context *context_open(struct nic *nic);
/* Destroys what the program left, but channels. */
int context_close(struct ibv_context *ctx);
/* Is that descriptor, or what it is a duplicate of, one's cmd_fd? */
bool contexts_own_fd(struct nic *nic, int fd);
/* In the child of a fork. */
void contexts_forked(struct nic *nic);

#define PORT_CAP_FLAGS ((unsigned int)IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS)

/* Lanes that carry a link of so many Gb/s, and their codes of IBTA PortInfo. */
struct query_rate {
	uint8_t width, speed;
	unsigned int lanes, lane_mbps;
	const char *name; /* as " EDR" */
};

void query_rate(unsigned int gbps, struct query_rate *rate);
int query_device(struct ibv_context *ctx, struct ibv_device_attr *attr);
int query_device_ex(struct ibv_context *ctx, const struct ibv_query_device_ex_input *input,
		    struct ibv_device_attr_ex *attr, size_t size);
int query_port(struct ibv_context *ctx, uint8_t port, struct ibv_port_attr *attr, size_t size);
int query_port_compat(struct ibv_context *ctx, uint8_t port, struct _compat_ibv_port_attr *attr);
int query_rt_values(struct ibv_context *ctx, struct ibv_values_ex *values);
/* ENODATA: entry empty */
int query_gid_entry(struct ibv_context *ctx, uint32_t port, uint32_t index,
		    struct ibv_gid_entry *entry);
ssize_t query_gid_table(struct ibv_context *ctx, void *entries, size_t max, size_t size);
uint64_t query_port_mbps(struct ibv_context *ctx);

/* ---------------------------------------------------------------- pd.c, mr.c, mw.c, ah.c */

struct ibv_pd *pd_alloc(struct ibv_context *ctx);
/* A parent domain too. */
int pd_dealloc(struct ibv_pd *pd);
struct ibv_td *td_alloc(struct ibv_context *ctx, struct ibv_td_init_attr *attr);
int td_dealloc(struct ibv_td *td);
struct ibv_pd *parent_alloc(struct ibv_context *ctx, struct ibv_parent_domain_init_attr *attr);
struct ibv_mr *mr_reg(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
		      unsigned int access);
int mr_dereg(struct ibv_mr *mr);
int mr_rereg(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
	     unsigned int access);
struct ibv_mw *mw_alloc(struct ibv_pd *pd, enum ibv_mw_type type);
int mw_dealloc(struct ibv_mw *mw);
/* Type 1. */
int mw_bind(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
struct ibv_ah *ah_create(struct ibv_pd *pd, struct ibv_ah_attr *attr);
int ah_destroy(struct ibv_ah *ah);
/* What libcairn wants to know of an address; EINVAL when it is not a RoCE address. */
int ah_attr_convert(const struct ibv_ah_attr *from, struct cairn_ah_attr *to);

/* ---------------------------------------------------------------- cq.c, poll.c */

struct ibv_cq *cq_create(struct ibv_context *ctx, int cqe, void *user,
			 struct ibv_comp_channel *channel, int vector);
struct ibv_cq_ex *cq_create_ex(struct ibv_context *ctx, struct ibv_cq_init_attr_ex *attr);
int cq_resize(struct ibv_cq *cq, int cqe);
int cq_modify(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int cq_destroy(struct ibv_cq *cq);
/* Take the completions of a QP out of its CQs; no new ones come. */
void cq_forget_qp(struct qp *qp);

int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);
void poll_set_ops(struct cq *cq, uint64_t wc_flags);
/* Start converting time stamps: 0 or an errno. */
int wall_start(struct cairn_dev *dev, struct wall *wall);
/* One more pair, if it can be had. */
void wall_pair(struct cairn_dev *dev, struct wall *wall);
/* System time, ns since 1970, of a time stamp; under the poll_lock of its CQ. */
uint64_t wall_of(struct cairn_dev *dev, struct wall *wall, uint64_t timestamp);
/* Device time of a system time. */
uint64_t wall_device(const struct wall *wall, uint64_t system);
struct qp *poll_find_qp(struct nic *nic, uint32_t qpn);

/* ---------------------------------------------------------------- notify.c */

/* Without the CQ's lock: who polls is not held up. */
int cq_req_notify(struct ibv_cq *cq, int solicited_only);
/* Is the CQ's one event without meaning?  Then the CQ is armed again: drop it.  Under the lock of
 * its event queue. */
bool notify_nothing_new(struct cq *cq);

/* ---------------------------------------------------------------- srq.c */

struct ibv_srq *srq_create(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
struct ibv_srq *srq_create_ex(struct ibv_context *ctx, struct ibv_srq_init_attr_ex *attr);
int srq_modify(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int srq_query(struct ibv_srq *srq, struct ibv_srq_attr *attr);
int srq_destroy(struct ibv_srq *srq);
int srq_post_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
/* A slot was completed: its wr_id; the slot is free. */
uint64_t srq_complete(struct srq *srq, uint32_t slot);
/* A slot that a QP had taken and gave up: back to the ring. */
void srq_return(struct srq *srq, uint32_t slot);

/* ---------------------------------------------------------------- qp.c */

struct ibv_qp *qp_create(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
struct ibv_qp *qp_create_ex(struct ibv_context *ctx, struct ibv_qp_init_attr_ex *attr);
/* QP 1, for management datagrams; looks like a UD QP. */
struct ibv_qp *qp_create_gsi(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
int qp_modify(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int qp_query(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init);
int qp_destroy(struct ibv_qp *qp);
int qp_mcast(struct ibv_qp *qp, const union ibv_gid *gid, bool attach);

/* ---------------------------------------------------------------- wr.c, post.c */

/* One builder an operation: they open a WQE; data follows; wr_finish() closes it. */
void wr_send(struct qp *qp, uint32_t op, uint32_t imm_or_key);
void wr_rdma(struct qp *qp, uint32_t op, uint64_t raddr, uint32_t rkey, uint32_t imm);
void wr_atomic(struct qp *qp, uint32_t op, uint64_t raddr, uint32_t rkey, uint64_t swap_add,
	       uint64_t compare);
void wr_local_inv(struct qp *qp, uint32_t key);
/* The window's next key is rkey; length 0 unbinds. */
void wr_bind_mw(struct qp *qp, struct ibv_mw *mw, uint32_t rkey,
		const struct ibv_mw_bind_info *info);
void wr_ud_address(struct qp *qp, const struct ibv_ah *ah, uint32_t qpn, uint32_t qkey);
void wr_sge(struct qp *qp, uint64_t addr, uint32_t lkey, uint32_t length);
void wr_inline(struct qp *qp, const void *data, size_t length);
/* A batch, under the SQ lock: wr_begin(); for each request wr_next(), a builder, its data,
 * wr_finish(); then wr_commit(), which rings once, or wr_drop().  After an error in build.error all
 * calls but the last two do nothing. */
void wr_begin(struct qp *qp);
void wr_next(struct qp *qp, uint64_t wr_id, unsigned int flags);
void wr_finish(struct qp *qp);
void wr_commit(struct qp *qp);
void wr_drop(struct qp *qp);

int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
/* One request that a program cannot post itself. */
int post_bind_type_1(struct qp *qp, struct ibv_mw *mw, uint32_t rkey,
		     const struct ibv_mw_bind *bind);
int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
/* The elements of a receive, unused ones with length 0. */
void post_fill(struct cairn_sge *to, unsigned int room, const struct ibv_sge *from, int n);
/* ex.c: EOPNOTSUPP when an operation of ops (IBV_QP_EX_WITH_*) cannot be done by that QP. */
int qp_ex_set_ops(struct qp *qp, uint64_t ops);

/* ---------------------------------------------------------------- event.c */

int event_queue_init(struct event_queue *queue);
/* Frees what is queued. */
void event_queue_destroy(struct event_queue *queue);
/* The next two with the queue locked. */
void event_queue_append(struct event_queue *queue, struct event_node *node);
void event_queue_remove(struct event_queue *queue, struct event_node *node);
/* What is queued can still be had; then every wait ends with ENODEV. */
void event_queue_lose(struct event_queue *queue);
int event_helper_start(struct nic *nic);
void event_helper_stop(struct nic *nic);
struct ibv_comp_channel *event_channel_create(struct ibv_context *ctx);
int event_channel_destroy(struct ibv_comp_channel *channel);
int event_get_cq(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **user);
int event_get_async(struct ibv_context *ctx, struct ibv_async_event *event);
/* After a poll: an event for what was polled already goes. */
void event_cq_polled(struct cq *cq);
/* Drop what is queued for an object. */
void event_forget_async(struct context *ctx, const void *object);
void event_forget_cq(struct cq *cq);

#endif
