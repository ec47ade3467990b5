/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of the management core: the control plane (docs/commands.md) and the slow path of the
 * network (ARP, neighbour discovery, echo).  It never touches the data path.
 *
 * One event loop (main.c), interrupts off: look at every source, run what can go on, sleep in WFI.
 * Nothing polls or waits inside a function: a command is a job (cmd.c) whose handler is a state
 * machine written with the FW_* macros below; it gives up the core at each wait and is called again
 * when something has happened.
 */
#ifndef CAIRN_FW_H
#define CAIRN_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "cpu.h"

#define FW_VERSION_MAJOR 0
#define FW_VERSION_MINOR 1

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Registers: REG(DEV, DEV_CTRL) is the address of CAIRN_REG_DEV_CTRL in region CAIRN_MMIO_DEV. */
#define REG(region, name) (CAIRN_MMIO_##region + CAIRN_REG_##name)

static inline uint64_t reg_read64(uint32_t addr)
{
	uint32_t lo = mmio_read32(addr);

	return (uint64_t)mmio_read32(addr + 4) << 32 | lo;
}

static inline void reg_write64(uint32_t addr, uint64_t value)
{
	mmio_write32(addr, (uint32_t)value);
	mmio_write32(addr + 4, (uint32_t)(value >> 32));
}

/* ---- state machines: a function that returns at a wait and goes on there when called again ----
 * No local variable lives across FW_WAIT.  Each returns an enum fw_run. */
enum fw_run { FW_WAITING, FW_DONE };

#define FW_BEGIN(pc)              \
	uint16_t *fw_pc_ = &(pc); \
	switch (*fw_pc_) {        \
	case 0:
#define FW_WAIT(cond)                         \
	do {                                  \
		*fw_pc_ = __LINE__;           \
		__attribute__((fallthrough)); \
	case __LINE__:                        \
		if (!(cond))                  \
			return FW_WAITING;    \
	} while (0)
#define FW_END       \
	}            \
	*fw_pc_ = 0; \
	return FW_DONE

/* ---- the event loop (main.c) ---- */
void fw_start(void);
void fw_pass(void); /* look at every source once, then sleep if there is nothing to do */

/* ---- firmware DMA (dma.c): one slot of the engine and 512 bytes of its buffer for each job ----
 */
#define DMA_AREA_BYTES 512u
#define DMA_AREA(slot) ((slot)*DMA_AREA_BYTES)

/* Offset bytes of area `slot`; multiples of 4. */
void dma_start_read(unsigned int slot, unsigned int offset, uint64_t iova, uint32_t bytes);
/* vector < 0: none */
void dma_start_write(unsigned int slot, unsigned int offset, uint64_t iova, uint32_t bytes,
		     int vector);
/* True once when the slot's operation has ended; *err says how. */
bool dma_ended(unsigned int slot, bool *err);
void dma_copy_out(unsigned int slot, unsigned int offset, void *to, uint32_t bytes);
void dma_copy_in(unsigned int slot, unsigned int offset, const void *from, uint32_t bytes);

/* ---- jobs (cmd.c) ---- */
#define JOBS 7u /* slot 7 of the DMA engine is the log's */
#define DMA_SLOT_LOG 7u

/* One 64-byte part of any record. */
union record {
	uint32_t words[16];
	struct cairn_qp_cfg cfg;
	struct cairn_qp_req req;
	struct cairn_qp_cmp cmp;
	struct cairn_qp_rsp rsp;
	struct cairn_cq_ctx cq;
	struct cairn_srq_ctx srq;
	struct cairn_mpt mpt;
};

/* What the four parts of a QP's record say of it. */
struct qp_view {
	uint8_t type, eqn;
	uint8_t cfg_state, state; /* as firmware wrote it; effective */
	bool send_err;	 /* ERR of requester or completer, or FLUSHING */
	bool send_stale; /* what the send side has in flight will not go out any more */
	bool draining;
	bool use_srq, srq_held;
	uint16_t srq_slot;
	uint16_t old_index;  /* oldest send WQE without an outcome */
	uint16_t next_index; /* the requester's; with its ERR: the one that failed */
	uint32_t sq_cqn, rq_cqn, hi_psn;
};

struct job {
	uint8_t slot;	/* its own number and DMA slot */
	uint8_t phase;	/* of the command's life, cmd.c */
	uint8_t status; /* enum cairn_cmd_status */
	uint8_t detail;
	uint16_t pc;	/* of the handler */
	uint16_t index; /* ring index */
	uint32_t value0, value1;
	struct cairn_cmd cmd;
	uint64_t deadline; /* handlers: time-outs */
	uint64_t pause;	   /* a wait inside of one */
	uint8_t from;	   /* MODIFY_QP: enum cairn_qp_state that it began in */
	uint16_t sub_pc;   /* of the helper machine a handler waits for: ctx_op(), fence() */
	uint16_t reset_pc; /* of a part of a handler: qp_state.c, to_reset(), unbind() */
	uint16_t view_pc;  /* of qp_view_read() */
	uint8_t view_at;
	uint8_t result;	     /* enum cairn_ctx_result of the last ctx_op() */
	uint32_t scratch[4]; /* handlers: what lives across waits */
	struct qp_view view; /* of the last qp_view_read() */
	union record rec;    /* data of the last ctx_op() */
	union {		     /* the command's buffer at ptr */
		uint32_t words[32];
		struct cairn_dev_caps caps;
		struct cairn_port_attr port;
		struct cairn_qp_create qp_create;
		struct cairn_qp_attr qp_attr;
		struct cairn_cq_create cq_create;
	} buf;
};

static_assert(sizeof(((struct job *)0)->buf) <= 128, "a job's buffer is one DMA transfer");

/* End a command with a status other than OK: return job_fail(...) from the handler. */
enum fw_run job_fail(struct job *job, enum cairn_cmd_status status, unsigned int detail);
/* The record that a command wants to make is not free, by the last ctx_op(). */
enum fw_run job_not_free(struct job *job);
/* Ask to be called again at `deadline` at the latest. */
void fw_wake_at(uint64_t deadline);
/* Has that time come?  If not, the caller is called again then. */
bool fw_due(uint64_t time);
/* Something changed that no interrupt tells: another pass over all sources before sleeping. */
void fw_look_again(void);

/* The handlers, by file. */
enum fw_run cmd_query_device(struct job *job);
enum fw_run cmd_query_port(struct job *job);
enum fw_run cmd_set_port(struct job *job);
enum fw_run cmd_setup_table(struct job *job);
enum fw_run cmd_enable(struct job *job);
enum fw_run cmd_disable(struct job *job);
enum fw_run cmd_set_gid(struct job *job);
enum fw_run cmd_set_db_pages(struct job *job);
enum fw_run cmd_resolve(struct job *job);
enum fw_run cmd_create_eq(struct job *job);
enum fw_run cmd_destroy_eq(struct job *job);
enum fw_run cmd_pd(struct job *job);
enum fw_run cmd_create_cq(struct job *job);
enum fw_run cmd_destroy_cq(struct job *job);
enum fw_run cmd_query_cq(struct job *job);
enum fw_run cmd_modify_cq(struct job *job);
enum fw_run cmd_resize_cq(struct job *job);
enum fw_run cmd_reg_mr(struct job *job);
enum fw_run cmd_dereg_mr(struct job *job);
enum fw_run cmd_query_mr(struct job *job);
enum fw_run cmd_alloc_mw(struct job *job);
enum fw_run cmd_dealloc_mw(struct job *job);
enum fw_run cmd_create_srq(struct job *job);
enum fw_run cmd_modify_srq(struct job *job);
enum fw_run cmd_query_srq(struct job *job);
enum fw_run cmd_destroy_srq(struct job *job);
enum fw_run cmd_create_qp(struct job *job);
enum fw_run cmd_modify_qp(struct job *job);
enum fw_run cmd_query_qp(struct job *job);
enum fw_run cmd_destroy_qp(struct job *job);
enum fw_run cmd_mcast(struct job *job); /* ATTACH_MCAST, DETACH_MCAST */

void cmd_init(void);
void cmd_poll(void);

/* ---- device state (dev.c) ---- */
#define EQS 32u
#define GIDS 16u
#define PDS 65536u
#define QPS_LOG2_MAX 16u /* QPNs and CQNs that firmware keeps books of */
#define QPS_MAX (1u << QPS_LOG2_MAX)
#define MAX_AH 65536u /* they are the driver's */
#define MAX_MR_BYTES (1ull << 40)
#define PAGE_SIZES (1ull << 12 | 1ull << 16 | 1ull << 21 | 1ull << 30)

struct gid {
	uint8_t raw[16];
	uint16_t tci;
	bool valid, vlan;
};

struct dev {
	bool enabled;
	uint32_t features, build;
	uint64_t table_base[8];
	uint8_t table_log2[8];
	uint8_t table_set;	/* bit per enum cairn_table */
	uint32_t eq_valid;	/* bit per EQN */
	uint16_t eq_users[EQS]; /* CQs that count on it */
	uint8_t eq_log2[EQS];
	struct gid gids[GIDS];
	bool open;	      /* the data path is, until a DISABLE begins */
	bool no_loop;	      /* frames to ourselves go out on the wire */
	uint32_t gid_leaving; /* bit per entry: about to change, no path may begin there */
	uint8_t mac[6];
};
extern struct dev dev;

void dev_init(void);
void dev_poll(void); /* link changes, events of the data path */
void eq_post(unsigned int eqn, enum cairn_eqe_type type, uint32_t number, uint32_t data);
unsigned int port_active_mtu(void);

static inline bool in_table(uint32_t number, enum cairn_table table)
{
	return number < 1ull << dev.table_log2[table];
}

bool gid_is_v4(const uint8_t *gid);
void gid_from_args(const struct job *job, uint8_t *gid); /* arg0, arg1 */
bool gid_is_mcast(const uint8_t *gid);

/* ---- multicast (mcast.c) ---- */
void mcast_leave(uint32_t qpn); /* all groups; a fence must follow */
void mcast_forget(void);

/* ---- records and fences (ctx.c): machines for FW_WAIT(f(...) == FW_DONE) ---- */
/* One operation of the context port; data goes out of and comes into job->rec, the outcome into
 * job->result. mask: bits of MODIFY, NULL otherwise.  key of MTT: line, count in rec.words[0]. */
enum fw_run ctx_op(struct job *job, enum cairn_ctx_op op, enum cairn_table table, uint32_t key,
		   unsigned int part, const union record *mask);
/* Zero all parts of a record and take it out of the cache: it is free afterwards. */
enum fw_run ctx_free(struct job *job, enum cairn_table table, uint32_t key, unsigned int parts);
/* Everything in flight that began before is gone. */
enum fw_run fence(struct job *job);
void db_entry(enum cairn_db_table kind, uint32_t number, enum cairn_db_op op, uint32_t page);
/* With the generation that blocks pushed to the queue belong to. */
void db_open_sq(uint32_t qpn, uint32_t page, uint32_t gen);
/* Producer index as the last doorbell left it. */
uint16_t db_index(enum cairn_db_table kind, uint32_t number);
void kick(enum cairn_kick who, uint32_t qpn);
extern const union record record_all_ones;

/* ---- QPs: state (qp_state.c); job->view is the result of a look ---- */
enum fw_run qp_view_read(struct job *job, uint32_t qpn);
uint32_t qp_held_slot(const struct qp_view *view); /* SRQ slot taken and not completed */
enum fw_run qp_state_write(struct job *job, uint32_t qpn, enum cairn_qp_state state);
/* No doorbell, no packet, nothing in flight. */
enum fw_run qp_stop(struct job *job, uint32_t qpn);
/* cfg.state becomes ERR when nothing of the QP is being sent any more. */
enum fw_run qp_error_write(struct job *job, uint32_t qpn);
/* In error, by command or by an engine: what is posted, and what comes, flushes. */
void qp_flush(uint32_t qpn);
/* LAST_WQE_REACHED of a QP in error that has an SRQ; needs a view. */
enum fw_run qp_last_wqe(struct job *job, uint32_t qpn);
/* Send side of an unreliable QP out of its error; job->status tells if not. */
enum fw_run qp_restart_sq(struct job *job, uint32_t qpn);
/* One job at a time changes a QP, a CQ or a key: false if another does.  Its end unlocks. */
#define LOCK_CQ(cqn) (0x1000000u | (cqn))
#define LOCK_KEY(key) (0x2000000u | (key) >> 8)
bool qp_lock(const struct job *job, uint32_t qpn);
void qp_unlock(const struct job *job);
/* Which QPNs may have records. */
void qp_live_set(uint32_t qpn, bool value);
uint32_t qp_live_next(uint32_t from); /* QPS_MAX: no more */
void qp_forget_all(void);
void bit_put(uint32_t *map, uint32_t n, bool value);
uint32_t bit_next(const uint32_t *map, uint32_t from, uint32_t limit); /* first one, or limit */

/* ---- QPs: reports of the data path (qp_event.c) ---- */
void qp_events_poll(void);
void qp_events_forget(void);
/* The QP is in error: bring its record, and whoever must know, up to that. */
void qp_event(uint32_t qpn);

/* ---- rules of MODIFY_QP (qp_rules.c) ---- */
struct qp_rule {
	uint32_t required, optional;
};
/* False: no such transition. */
bool qp_rule_find(unsigned int type, unsigned int from, unsigned int to, struct qp_rule *rule);
/* The buffer word to blame for a bad value among those of `mask`, or -1; *unsupported tells which
 * status. */
int qp_attr_check(const struct cairn_qp_attr *attr, uint32_t mask, bool *unsupported);
/* What an attribute buffer changes in the configuration part. */
void qp_attr_apply(struct cairn_qp_cfg *cfg, const struct cairn_qp_attr *attr, uint32_t mask,
		   uint32_t qpn);

/* ---- network (net.c) ---- */
void net_init(void);
void net_poll(void);
void net_announce(unsigned int gid_index);
void net_forget(void); /* who is who: at a change of the link, and of the host */
/* Neighbour cache: true and *mac when known; otherwise asks the network (repeatedly while called).
 */
bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac);

/* ---- log (log.c): to the host's ring when there is one, always to the console ---- */
void log_poll(void);
void fw_log(uint32_t code, const char *text, uint32_t a, uint32_t b);

#endif
