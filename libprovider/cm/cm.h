/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connection manager of one port: IBTA volume 1, chapter 12, for RC and UC connections (REQ,
 * REP, RTU, MRA, REJ, DREQ, DREP; LAP is refused) and for datagrams (SIDR).  A machine of states
 * and timers that knows nothing of devices, sockets or threads: MADs come in by cm_receive(), time
 * by cm_run(), what programs want by the calls below; out go MADs by env.send() and events by the
 * functions of requests and IDs.
 *
 *   cm.c       IDs, tables, timers        cm_req.c   REQ, REP, RTU, MRA, REJ
 *   cm_in.c    what comes, by message     cm_dreq.c  DREQ, DREP, TIMEWAIT, LAP
 *   cm_msg.*   the messages               cm_sidr.c  SIDR
 *   cm_run.c   what time brings, the end of IDs
 *
 * The caller holds one lock around all calls; callbacks run under it and may call everything here
 * but cm_end(), and destroy any ID but the one that they are called for.  Times are ns of
 * env.now().
 *
 * An ID that its owner has destroyed goes on alone as long as the protocol wants: a DREQ is
 * repeated, a DREP too when its DREQ comes again, and its numbers rest in TIMEWAIT.
 */
#ifndef CAIRN_CM_H
#define CAIRN_CM_H

#include <stdbool.h>
#include <stdint.h>

#include "cm_msg.h"

#define CM_BUCKETS 1024u
#define CM_NEVER UINT64_MAX
#define CM_GID_BYTES 16u

/* Of the ends of figures 141 and 142 (12.9.7); the names of the kernel's ib_cm_state. */
enum cm_state {
	CM_IDLE,
	CM_REQ_SENT,
	CM_REQ_RCVD,
	CM_MRA_REQ_SENT,
	CM_MRA_REQ_RCVD,
	CM_REP_SENT,
	CM_REP_RCVD,
	CM_MRA_REP_SENT,
	CM_MRA_REP_RCVD,
	CM_ESTABLISHED,
	CM_DREQ_SENT,
	CM_DREQ_RCVD,
	CM_TIMEWAIT,
	CM_SIDR_REQ_SENT,
	CM_SIDR_REQ_RCVD,
	CM_SIDR_DONE, /* answered; the answer is repeated when the request comes again */
	CM_STATES
};

/* One way, as the sender sees it. */
struct cm_path {
	uint8_t sgid[CM_GID_BYTES], dgid[CM_GID_BYTES];
	uint32_t sgid_index, flow_label;
	uint16_t pkey;
	uint8_t mtu; /* enum ibv_mtu */
	uint8_t sl, traffic_class, hop_limit;
	uint8_t rate;	  /* enum ibv_rate */
	uint8_t lifetime; /* of a packet, one way: 4.096 us * 2^n, as all timeouts of messages */
};

enum cm_event_type {
	CM_EVENT_REQ,	       /* a new ID: what request() gets */
	CM_EVENT_REP,	       /* the peer has accepted: RTU or REJ is the owner's to send */
	CM_EVENT_ESTABLISHED,  /* RTU came, or what stands for it */
	CM_EVENT_REJ,	       /* reason; the ID is IDLE */
	CM_EVENT_REQ_ERROR,    /* no answer; the ID is IDLE */
	CM_EVENT_REP_ERROR,    /* no RTU came; likewise */
	CM_EVENT_DREQ,	       /* the peer has ended it: DREP is the owner's to send */
	CM_EVENT_DREP,	       /* the peer has confirmed our DREQ */
	CM_EVENT_DREQ_ERROR,   /* it has not; the connection is ended all the same */
	CM_EVENT_STALE,	       /* the peer has begun anew with the same QP: it is ended */
	CM_EVENT_TIMEWAIT_END, /* the QP may be used again */
	CM_EVENT_SIDR_REQ,     /* as REQ */
	CM_EVENT_SIDR_REP,     /* status, qpn, qkey */
	CM_EVENT_SIDR_ERROR,   /* no answer */
};

/* What two ends agree on, from the view of who gets or gives it. */
struct cm_param {
	uint32_t qpn, starting_psn;
	uint8_t responder_resources, initiator_depth;
	uint8_t flow_control, retry_count, rnr_retry_count, srq;
	uint8_t transport;	 /* enum cm_transport */
	uint8_t local_ack_delay; /* 4.096 us * 2^n */
};

struct cm_event {
	enum cm_event_type type;
	unsigned int reason; /* REJ: enum cm_reason; SIDR_REP: enum cm_sidr_status */
	uint64_t service_id; /* REQ, SIDR_REQ */
	struct cm_param param;
	uint32_t qkey;
	const uint8_t *private_data;
	unsigned int
		private_bytes; /* what the message has room for; nothing says how much is used */
};

struct cm_id;
typedef void (*cm_event_fn)(struct cm_id *id, const struct cm_event *event);

struct cm_env {
	/* A MAD to the other end of path.  What cannot be sent is lost, as on any wire. */
	void (*send)(void *arg, const struct cm_path *path, const uint8_t mad[MAD_BYTES]);
	uint64_t (*now)(void *arg);
	uint32_t (*random)(void *arg);
	/*
	 * A REQ or SIDR_REQ: its new ID, which is the callee's when it returns 0 (it sets fn and
	 * user); else the reason, enum cm_reason, for which it is refused.
	 */
	unsigned int (*request)(void *arg, struct cm_id *id, const struct cm_event *event);
	/* Is this an address of ours?  Its index, or -1. */
	int (*own_gid)(void *arg, const uint8_t gid[CM_GID_BYTES]);
	void *arg;
};

/* What cm->counters count. */
enum cm_counter {
	CM_COUNT_SENT,
	CM_COUNT_RECEIVED,
	CM_COUNT_REPEATED,   /* sent again since no answer came */
	CM_COUNT_DUPLICATES, /* received again */
	CM_COUNT_MALFORMED,  /* no CM message, or one that no sender may send */
	CM_COUNT_UNMATCHED,  /* for no ID of ours, or not in its state */
	CM_COUNT_TIMEOUTS,
	CM_COUNT_STALE,
	CM_COUNTERS
};

struct cm_link {
	struct cm_id *next, **at; /* at NULL: in no list */
};

enum cm_table { CM_BY_LOCAL, CM_BY_REMOTE, CM_BY_QPN, CM_TABLES };

struct cm {
	struct cm_env env;
	uint64_t guid; /* of the CA, host order */
	/* What we ask of peers, and offer: settings for tests and slow links. */
	uint8_t response_timeout, max_retries, mra_timeout;
	struct cm_id *table[CM_TABLES][CM_BUCKETS];
	struct cm_id **heap; /* by deadline, those that have one */
	unsigned int timers, heap_room;
	unsigned int ids;
	uint64_t counters[CM_COUNTERS];
};

struct cm_id {
	struct cm *cm;
	cm_event_fn fn; /* NULL: its owner is gone */
	void *user;
	enum cm_state state;
	bool active;   /* sent the REQ */
	bool answered; /* DREQ_RCVD: the DREP has been sent once */
	uint32_t local_id, remote_id;
	uint64_t remote_guid;
	struct cm_path path; /* of the QP, and of MADs that we send */
	struct cm_param local, remote;
	uint8_t max_retries;  /* the peer's wish, of a REP */
	uint8_t peer_timeout; /* how long the peer may take to answer */
	uint8_t ack_timeout;  /* for the QP */
	uint64_t transaction;
	uint8_t sent[MAD_BYTES]; /* what is repeated */
	unsigned int retries;
	uint64_t interval, deadline;
	unsigned int heap_at;
	struct cm_link link[CM_TABLES];
};

/* 0 or ENOMEM.  guid in host order. */
int cm_init(struct cm *cm, const struct cm_env *env, uint64_t guid);
/* All IDs that are left are freed without a word. */
void cm_end(struct cm *cm);
/* A MAD that came, from path->dgid to path->sgid.  How it was malformed, or NULL. */
const char *cm_receive(struct cm *cm, const struct cm_path *path, const uint8_t mad[MAD_BYTES]);
/* What time has brought; returns when to come again, CM_NEVER: nothing is waited for. */
uint64_t cm_run(struct cm *cm);

/* NULL: ENOMEM. */
struct cm_id *cm_create(struct cm *cm, cm_event_fn fn, void *user);
/* Tells the peer what its state demands; fn is not called any more. */
void cm_destroy(struct cm_id *id);

/*
 * What a program says.  0, or EINVAL: not in this state, or private data too long.
 *   cm_send_req    IDLE; param.qpn, ... of this end; path as the QP will use it
 *   cm_send_rep    REQ_RCVD, MRA_REQ_SENT
 *   cm_send_rtu    REP_RCVD, MRA_REP_SENT
 *   cm_send_rej    before it is established
 *   cm_send_dreq   ESTABLISHED (REP_SENT too: the peer may have our REP)
 *   cm_send_drep   DREQ_RCVD
 *   cm_established REP_SENT: data came before the RTU (12.9.7.1)
 */
int cm_send_req(struct cm_id *id, const struct cm_path *path, uint64_t service_id,
		const struct cm_param *param, const void *private_data, unsigned int bytes);
int cm_send_rep(struct cm_id *id, const struct cm_param *param, const void *private_data,
		unsigned int bytes);
int cm_send_rtu(struct cm_id *id, const void *private_data, unsigned int bytes);
int cm_send_rej(struct cm_id *id, enum cm_reason reason, const void *private_data,
		unsigned int bytes);
int cm_send_dreq(struct cm_id *id, const void *private_data, unsigned int bytes);
int cm_send_drep(struct cm_id *id, const void *private_data, unsigned int bytes);
int cm_established(struct cm_id *id);
int cm_send_sidr_req(struct cm_id *id, const struct cm_path *path, uint64_t service_id,
		     const void *private_data, unsigned int bytes);
int cm_send_sidr_rep(struct cm_id *id, enum cm_sidr_status status, uint32_t qpn, uint32_t qkey,
		     uint64_t service_id, const void *private_data, unsigned int bytes);

/* The QP's timeout for that path and peer: 2 lifetimes and the delay (12.7.34), rounded down. */
uint8_t cm_ack_timeout(uint8_t lifetime, uint8_t ack_delay);
const char *cm_state_name(enum cm_state state);

/* ---------------------------------------------------------------- among the files of the CM */

static inline uint64_t cm_time(uint8_t exponent)
{
	return 4096ull << (exponent & 31);
}

struct cm_id *cm_by_local(struct cm *cm, uint32_t local_id);
/* By what the peer calls it; of connections and of SIDR requests, which the peer numbers apart. */
struct cm_id *cm_by_remote(struct cm *cm, bool sidr, uint32_t remote_id, uint64_t remote_guid);
struct cm_id *cm_by_qpn(struct cm *cm, uint32_t qpn, uint64_t remote_guid);
void cm_index(struct cm_id *id, enum cm_table table);
void cm_unindex(struct cm_id *id, enum cm_table table);
/* To be called at now + ns; again after that while retries last, if id->retries is not 0. */
void cm_timer(struct cm_id *id, uint64_t ns);
void cm_timer_stop(struct cm_id *id);
void cm_free(struct cm_id *id);
/* Without an owner and nothing left to do: freed.  True: it is gone. */
bool cm_release(struct cm_id *id);

void cm_transmit(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
/* A message of this ID, with both numbers; then fields; then one of the next two. */
void cm_begin(struct cm_id *id, uint8_t *mad, enum cm_attribute attribute);
void cm_send_once(struct cm_id *id, const uint8_t *mad);
/* id->sent, again and again until cm_timer_stop(). */
void cm_send_repeated(struct cm_id *id, unsigned int retries);
/* Copies what a program says into its place; EINVAL: too long. */
int cm_put_private(uint8_t *at, unsigned int room, const void *data, unsigned int bytes);
/* The event's own part set, the rest zero. */
void cm_tell(struct cm_id *id, const struct cm_event *event);
void cm_tell_plain(struct cm_id *id, enum cm_event_type type, const uint8_t *private_data,
		   unsigned int bytes);
/* Ended before it began: numbers of the peer are forgotten. */
void cm_idle(struct cm_id *id);
void cm_timewait(struct cm_id *id);
void cm_established_now(struct cm_id *id);
/* A REJ to a sender without an ID here. */
void cm_reject(struct cm *cm, const struct cm_path *path, const uint8_t *mad,
	       enum cm_answered answered, enum cm_reason reason);

void cm_on_req(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
void cm_on_rep(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
void cm_on_rtu(struct cm *cm, const uint8_t *mad);
void cm_on_mra(struct cm *cm, const uint8_t *mad);
void cm_on_rej(struct cm *cm, const uint8_t *mad);
void cm_on_dreq(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
void cm_on_drep(struct cm *cm, const uint8_t *mad);
void cm_on_lap(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
void cm_on_sidr_req(struct cm *cm, const struct cm_path *path, const uint8_t *mad);
void cm_on_sidr_rep(struct cm *cm, const uint8_t *mad);

#endif
