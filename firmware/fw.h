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
#include <string.h>

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
void fw_pass(void); /* look at what has something to do, then sleep if nothing has */

/* What has something to do that no line tells. */
enum {
	FW_AGAIN = 1,	 /* somebody: another pass before sleeping */
	FW_EVENTS = 2,	 /* qp_event.c */
	FW_QUESTION = 4, /* neighbour.c: one waits for the transmitter */
	FW_ANNOUNCE = 8, /* net.c, when there is nothing else to do */
	FW_LOG = 16,	 /* log.c, likewise */
};
extern uint32_t fw_todo;

/* ---- firmware DMA (dma.c): one slot of the engine for each job ---- */

/* To and from static objects; all multiples of 4, at most 4096 bytes. */
void dma_start_read(unsigned int slot, void *to, uint64_t iova, uint32_t bytes);
/* flags: CAIRN_REG_DMA_START_MSIX and its vector, _QUIET, or 0 */
void dma_start_write(unsigned int slot, const void *from, uint64_t iova, uint32_t bytes,
		     uint32_t flags);
void dma_poll(void); /* the line is up: which operations have ended */
extern uint32_t dma_done, dma_failed; /* bit per slot: ended, and nobody has asked yet */

/* True once when the slot's operation has ended; *err says how. */
static inline bool dma_ended(unsigned int slot, bool *err)
{
	uint32_t bit = 1u << slot;

	if (!(dma_done & bit))
		return false;
	*err = dma_failed & bit;
	dma_done &= ~bit;
	dma_failed &= ~bit;
	return true;
}

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

struct cmd_info;

struct job {
	/* As they stand in the slot of the ring, read at once. */
	struct cairn_cmd cmd;
	union {
		uint32_t words[32];
		struct cairn_dev_caps caps;
		struct cairn_port_attr port;
		struct cairn_qp_create qp_create;
		struct cairn_qp_attr qp_attr;
		struct cairn_cq_create cq_create;
	} buf;
	struct cairn_cmd_cpl cpl;
	const struct cmd_info *info; /* cmd.c */
	uint8_t slot;	/* its own number and DMA slot */
	uint8_t from;	/* MODIFY_QP: enum cairn_qp_state that it began in */
	uint8_t status; /* enum cairn_cmd_status; it and detail are one store in job_fail() */
	uint8_t detail;
	uint16_t pc;	/* of the handler */
	uint16_t index; /* ring index */
	uint32_t value0, value1;
	uint64_t deadline; /* handlers: time-outs */
	uint64_t pause;	   /* a wait inside of one */
	uint16_t sub_pc;   /* of the helper machine a handler waits for: ctx_op(), fence() */
	uint16_t reset_pc; /* of a part of a handler: qp_state.c, to_reset(), unbind() */
	uint16_t view_pc;  /* of qp_view_read() */
	uint8_t view_at;
	uint8_t result;	     /* enum cairn_ctx_result of the last ctx_op() */
	uint32_t scratch[4]; /* handlers: what lives across waits */
	struct qp_view view; /* of the last qp_view_read() */
	union record rec;    /* data of the last ctx_op() */
	struct cairn_qp_cfg cfg; /* of the last qp_view_read() */
};

static_assert(offsetof(struct job, buf) == CAIRN_CMD_BYTES &&
		      sizeof(((struct job *)0)->buf) == CAIRN_CMD_BUFFER_BYTES,
	      "a job begins like a slot of the command ring");

/* End a command with a status other than OK: return job_fail(...) from the handler. */
enum fw_run job_fail(struct job *job, enum cairn_cmd_status status, unsigned int detail);
/* The record that a command wants to make is not free, by the last ctx_op(). */
enum fw_run job_not_free(struct job *job);
/* Ask to be called again at `deadline` at the latest. */
void fw_wake_at(uint64_t deadline);
/* Has that time come?  If not, the caller is called again then. */
bool fw_due(uint64_t time);
/* Something changed that no interrupt tells: another pass over all sources before sleeping. */
static inline void fw_look_again(void)
{
	fw_todo |= FW_AGAIN;
}

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
void cmd_poll(bool line); /* line: the host has written a register of the queue */
bool cmd_busy(void);	  /* the next step of one comes soon */

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
	_Alignas(4) uint8_t raw[16];
	uint16_t tci;
	bool valid, vlan;
};

/* Addresses are compared by words where they stand at multiples of 4. */
typedef uint32_t __attribute__((may_alias)) gid_word;

static inline bool gid_equal(const uint8_t *a, const uint8_t *b)
{
	const gid_word *v = (const void *)a, *w = (const void *)b;

	if (((uintptr_t)a | (uintptr_t)b) & 3)
		return !memcmp(a, b, 16);
	return v[3] == w[3] && v[2] == w[2] && v[1] == w[1] && v[0] == w[0];
}

static inline bool gid_is_v4(const uint8_t *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const gid_word *w = (const void *)gid;

	if ((uintptr_t)gid & 3)
		return !memcmp(gid, mapped, 12);
	return w[2] == 0xffff0000 && !(w[0] | w[1]);
}

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
	uint32_t gids_valid;  /* bit per entry */
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

static inline const uint8_t *gid_of_args(const struct job *job)
{
	return (const uint8_t *)&job->cmd.arg0; /* and arg1 */
}
bool gid_is_mcast(const uint8_t *gid);

/* ---- multicast (mcast.c) ---- */
void mcast_leave(uint32_t qpn); /* all groups; a fence must follow */
void mcast_forget(void);

/* ---- records and fences (ctx.c): machines for FW_WAIT(f(...) == FW_DONE) ---- */
void ctx_init(void);
/* One operation of the context port; data goes out of and comes into job->rec, the outcome into
 * job->result.  mask: bits of MODIFY, a constant; NULL otherwise.  key of MTT: line, count in
 * rec.words[0]. */
enum fw_run ctx_op(struct job *job, enum cairn_ctx_op op, enum cairn_table table, uint32_t key,
		   unsigned int part, const union record *mask);
/*
 * The same without copies.  ctx_look() reads a part, which stands in CTX_DATA as long as the caller
 * does not wait; ctx_change() also keeps the port, if there was one (job->result), for words to be
 * set there and ctx_back() to write the part back.  ctx_fresh() takes the port and zeroes CTX_DATA,
 * for ctx_make() to make a part of that and what the caller has set.
 */
enum fw_run ctx_look(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
enum fw_run ctx_change(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
enum fw_run ctx_back(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
/* job->cfg as the whole part of a QP. */
enum fw_run ctx_cfg(struct job *job, uint32_t qpn);
enum fw_run ctx_fresh(struct job *job);
enum fw_run ctx_make(struct job *job, enum cairn_table table, uint32_t key, unsigned int part);
#define CTX_WORD(member) (CAIRN_MMIO_CTX + CAIRN_CTX_DATA + offsetof(union record, member))
#define CTX_GET(member) mmio_read32(CTX_WORD(member))
#define CTX_PUT(member, value) mmio_write32(CTX_WORD(member), value)
#define CTX_PUT64(member, value) reg_write64(CTX_WORD(member), value)
/* One field of a word. */
#define CTX_SET(member, mask, value) \
	CTX_PUT(member, (CTX_GET(member) & ~(mask)) | CAIRN_PUT(mask, value))
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

/* ---- maps of QPNs and CQNs (bits.c): a bit each; clear ones are passed 1024 at a time ---- */
#define BIT_MAP_WORDS (QPS_MAX / 32)

struct bit_map {
	uint32_t any[BIT_MAP_WORDS / 32]; /* bit per word that has one */
	uint32_t word[BIT_MAP_WORDS];	  /* anything where it has none */
};

void bits_clear(struct bit_map *map); /* also to begin with */
void bit_put(struct bit_map *map, uint32_t n, bool value);
bool bit_get(const struct bit_map *map, uint32_t n);
uint32_t bit_next(const struct bit_map *map, uint32_t from); /* QPS_MAX: no more */

/* ---- QPs: state (qp_state.c); job->view is the result of a look ---- */
enum fw_run qp_view_read(struct job *job, uint32_t qpn);
uint32_t qp_held_slot(const struct qp_view *view); /* SRQ slot taken and not completed */
enum fw_run qp_state_write(struct job *job, uint32_t qpn, enum cairn_qp_state state);
/* No doorbell, no packet, nothing in flight. */
enum fw_run qp_stop(struct job *job, uint32_t qpn);
/* cfg.state becomes ERR when nothing of the QP is being sent any more. */
enum fw_run qp_error_write(struct job *job, uint32_t qpn);
/* Without what says nothing because its engine has not begun yet: of no use for a QP that has been
 * stopped, whose state that is as well. */
enum fw_run qp_view_brief(struct job *job, uint32_t qpn);
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
void net_poll(void);
bool net_announcing(void); /* tell others one of our addresses; false: it waits */
void net_announce(unsigned int gid_index);
void net_forget(void); /* who is who: at a change of the link, and of the host */
/* Neighbour cache: true and *mac when known; otherwise asks the network (repeatedly while called).
 */
bool net_resolve(unsigned int sgid_index, const uint8_t *dgid, uint64_t *mac);

/* ---- log (log.c): to the host's ring when there is one, always to the console ---- */
bool log_poll(void); /* false: it waits for DMA, or has nothing to do any more */
void fw_log(uint32_t code, const char *text, uint32_t a, uint32_t b);

#endif
