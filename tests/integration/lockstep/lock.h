/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RTL in lock-step with the golden model.
 *
 *     host --- NIC (RTL) ===== wire with faults ===== peer (golden model, lock_peer.c)
 *       \________ shadow (golden model) ________/
 *
 * The shadow is a second model that stands for the NIC: it is given the same work requests and the
 * frames that reached the NIC, and has a copy of its memory.  What the NIC sends has to be what the
 * shadow sends, byte for byte (lock_tx.c: requests, lock_rsp.c: responses); its completions those
 * of the shadow (lock_cq.c); its memory and its counters the same when all is quiet.
 *
 * A NIC needs some time to act upon what it has received.  So responses that reached it wait until
 * what it sends or completes shows that it has seen them; requests are executed by the shadow when
 * they arrive, since their order alone decides about them.  The one exception is whether there was
 * a receive request in time: those are posted only when no request is on its way (lock_recv()).
 *
 * Left to the NIC: when it sends, which QP first, where it asks for ACKs before the end of a
 * message, which ACKs it merges, credits, MigReq, and the rules of tests/trace/README.md "Allowed,
 * though it may look odd".  That it may name a gap again behind a duplicate is in lock_rsp.c
 * (note_gap()); what it may forget between an implied NAK and its restart, and where that restart
 * may be, in lock_tx.c (redo(), doubts()).
 */
#ifndef CAIRN_TEST_LOCK_H
#define CAIRN_TEST_LOCK_H

#include "frame.h"
#include "model_priv.h"
#include "rdma.h"

#define LOCK_QPS 64
#define LOCK_PLACE 0x200000000000ull /* of the NIC's buffers, so that all runs are the same */
#define LOCK_RESOURCES 64
#define LOCK_HISTORY 2048
#define LOCK_PD 1
#define LOCK_PEER_PD 2
#define LOCK_SRC_BYTES (1u << 17)
#define LOCK_DST_BYTES (1u << 21)
#define LOCK_HOT_BYTES 8192u
#define LOCK_SCRATCH_BYTES 131072u /* of the peer, behind its destinations */
#define LOCK_QKEY 0x00c41712u
#define LOCK_ACCESS (RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC)
#define LOCK_SLACK_NS 3000     /* between a decision of the NIC and the end of the frame it makes */
#define LOCK_QUEUE_NS 120000   /* a request was ready so long before it left */
#define LOCK_AHEAD 80 /* packets in a NIC's ring and on the way there: a visit of 64, and records */
#define LOCK_REACT_NS 25000    /* to act upon something when nothing waits for the wire */
#define LOCK_RING_BYTES 32768u /* requests that wait for the wire */
#define LOCK_BYTE_NS 1	       /* on the wire, of the narrowest NIC */
#define LOCK_VISIT_PACKETS 16u /* of a QP before another's turn comes */
#define LOCK_GATE_NS 45000     /* longer than a fault can keep a frame back */
#define LOCK_LATE_NS 60000     /* the NIC has acted upon everything after so long */
#define LOCK_FEW_QPS 8	       /* of more than that the record of each may have to be read first: */
#define LOCK_TURN_NS 8000      /* so much longer its turn to send may take, with a cache of 8, */
#define LOCK_TAKE_NS 1500      /* and so much longer a packet of it that came */

struct lock;

/* A growing list that is taken from at its head; items of any type. */
#define LOCK_LIST(type)           \
	struct {                  \
		type *item;       \
		size_t head, end; \
		size_t room;      \
	}
void *lock_list_grow(void *items, size_t *head, size_t *end, size_t *room, size_t bytes);
#define lock_push(list, value)                                                                   \
	((list)->item = lock_list_grow((list)->item, &(list)->head, &(list)->end, &(list)->room, \
				       sizeof(*(list)->item)),                                   \
	 (list)->item[(list)->end++] = (value))
#define lock_first(list) (&(list)->item[(list)->head])
#define lock_count(list) ((list)->end - (list)->head)
#define lock_pop(list) ((void)(list)->head++)

/* A moment: time, and what the NIC had sent by then. */
struct lock_when {
	uint64_t ns, sent;
};

/* Where something was missing, and since when that was known. */
struct lock_mark {
	uint32_t psn;
	struct lock_when when;
};

/* A packet that reached the peer. */
struct lock_rx {
	uint64_t at;
	struct model_packet *packet;
};

/* An ACK or NAK that the NIC has to send, or one like it. */
struct lock_owed {
	uint8_t class, code;
	uint32_t psn, msn;
	bool may;    /* it need not be sent */
	bool filled; /* NAK: the packet it names has come since */
	struct lock_when since;
};

/* A request that was sent and is as it must be. */
struct lock_sent {
	bool valid;
	uint32_t psn, npsn; /* READ: as first asked */
	struct model_packet *packet;
};

/* A READ or atomic that the NIC has executed, or the part of a READ it is asked for again. */
struct lock_resource {
	bool atomic, served;
	uint32_t psn, npsn, msn;
	uint64_t va, original;
	uint32_t key, length;
};

/* A key that comes and goes by work request. */
enum lock_key_state { LOCK_KEY_NONE, LOCK_KEY_BEGINS, LOCK_KEY_VALID, LOCK_KEY_ENDS };
struct lock_key {
	struct rdma_buf *buf;
	struct cairn_mw *mw; /* NULL: fast registration */
	enum lock_key_state state;
	uint32_t key;
	uint8_t tag;
	bool used;	     /* by requests of the peer that may not be complete, */
	uint64_t last_use;   /* this is the last one's number */
	uint64_t idle_since;
};

/* A completion that the host saw. */
struct lock_cqe {
	uint64_t at;
	struct cairn_cqe cqe;
};

struct lock_qp {
	struct lock *l;
	struct rdma_qp *rtl;
	struct model_qp_config cfg; /* of the shadow */
	uint32_t qpn, peer_qpn;
	/* what is posted, by lock_gen.c */
	unsigned int to_post[2], recvs_left[2];
	uint32_t posted[2], wqes;
	struct rdma_buf *hot;
	bool keys;
	struct lock_key key[2];
	uint64_t gate_closed, gate_until; /* the peer sends no requests meanwhile */
	uint64_t pace_until;		  /* nor anything else */
	bool failed; /* in error, */
	struct lock_when failed_at;
	/* requester */
	LOCK_LIST(struct lock_mark) marks;
	bool ackreq;	/* of the packet that is being compared */
	uint32_t acked; /* first PSN that no response received has named */
	bool any_acked, any_ack;
	struct model_packet *ack; /* the ACK that named most */
	uint32_t end;		  /* PSN behind the last request sent */
	uint64_t went_back;	  /* when it did so last, on the wire */
	uint32_t recovers_to;	  /* what had been sent by then */
	bool recovers;
	uint64_t moved_at;	  /* the last progress */
	bool any_nak, any_missed;
	struct lock_when nak, missed; /* a NAK came; a READ's data was missing */
	struct lock_when rnr;	      /* the wait began */
	bool forgot;		      /* it went back behind what the shadow has: */
	uint32_t redo, redo_acked;    /* what it has, and what was acknowledged since */
	bool owes;		      /* it has to go back, so far at least */
	uint32_t owes_psn;
	struct lock_when owes_since;
	struct lock_sent sent[LOCK_HISTORY]; /* by the low bits of the PSN */
	/* responder */
	LOCK_LIST(struct lock_owed) owed;
	LOCK_LIST(struct lock_resource) again;
	struct lock_resource resource[LOCK_RESOURCES];
	uint32_t resources;	  /* executed so far; the last LOCK_RESOURCES are known */
	uint32_t answered;	  /* of these, completely, for the first time */
	struct lock_resource run; /* being answered: from where on */
	uint32_t run_at;	  /* its packets sent */
	uint32_t run_of;	  /* the number of the resource it is of */
	uint32_t sent_ack;	  /* first PSN that no ACK sent has named */
	uint32_t spare;		  /* ACKs asked for that another one stood for; */
	struct lock_when spared;  /* the last time there was one */
	/* The next PSN is missing and a NAK of that was due; then a duplicate came. */
	bool gap_named, gap_behind;
	struct lock_when responded; /* the last time it sent a response */
	/* completions: 0 send, 1 receive */
	LOCK_LIST(struct model_completion) due[2];
	LOCK_LIST(struct lock_cqe) seen[2];
	uint64_t outcomes;
};

struct lock_run {
	unsigned int qps, messages; /* QPs, messages of each side of each QP */
	unsigned int big;	    /* percent of messages that may have `biggest` */
	uint32_t biggest;	    /* bytes; 0: 64 KiB */
	unsigned int rnr;	    /* percent of receives that are posted late */
	unsigned int error;	    /* enum lock_error */
	unsigned int stall;	    /* percent: the peer lets a step go by */
	unsigned int mtus;	    /* of the five, the smallest ones; 0: all */
	unsigned int keys;	    /* percent of the NIC's requests that begin or end a key */
	unsigned int uc, ud;	    /* percent of QPs of that kind; the others are RC */
	unsigned int mbps;	    /* of what the peer sends; 0: as much as the wire takes */
	unsigned int timeout;	    /* the shortest of the QPs'; 0: 6 */
	const char *const *rules;
	unsigned int n_rules;
};

enum lock_error {
	LOCK_NO_ERROR,
	LOCK_BAD_RKEY,	    /* the NIC asks for what the peer does not have */
	LOCK_PEER_BAD_RKEY, /* the peer asks for what the NIC does not have */
	LOCK_TOO_LONG,	    /* the NIC's SEND does not fit */
	LOCK_PEER_TOO_LONG,
	LOCK_BAD_LKEY, /* a local key of the NIC is unknown */
	LOCK_ERRORS
};

struct lock {
	struct rdma *r;
	struct rng rng;
	struct model *shadow, *peer;
	struct lock_run run;
	struct lock_qp qp[LOCK_QPS];
	unsigned int n;
	uint64_t turn_ns, take_ns; /* what sending, taking takes longer for the number of QPs */
	uint64_t visits_bytes;	   /* of a visit of each QP */
	uint64_t mac, peer_mac;
	uint32_t port_mtu; /* of datagrams */
	uint8_t gid[2][16]; /* the NIC's, the peer's; by IP version below */
	/* memory: the NIC's sources and destinations, the peer's */
	struct rdma_buf *src, *dst;
	uintptr_t place; /* of the next buffer, from LOCK_PLACE on */
	uint32_t dst_at, peer_dst_at;
	uint8_t *peer_mem;
	uint32_t peer_key;
	uint64_t peer_base;
	/* the peer */
	LOCK_LIST(struct lock_rx) inbox;
	struct sim_line line;
	uint64_t hash;
	char failure[1024];
	uint64_t progress; /* device time of the last completion */
	uint64_t count[CAIRN_COUNTERS], before[CAIRN_COUNTERS];
	uint64_t dropped; /* UC and UD packets */
	uint64_t packets;
	uint64_t sent_bytes; /* of the NIC, on the wire */
};

/* Remembered until lock_check(), since most are found inside a step of the simulator. */
void lock_fail(struct lock *l, const struct lock_qp *qp, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lock_check(struct lock *l);
/* Into the file that $LOCK_LOG names: for looking at a failure. */
void lock_log(const struct lock *l, const struct lock_qp *qp, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint64_t lock_now(const struct lock *l);
struct lock_qp *lock_find(struct lock *l, uint32_t qpn);
uint32_t lock_psn(const struct model_packet *packet);
const struct cairn_opcode_info *lock_op(const struct model_packet *packet);
static inline bool lock_rc(const struct lock_qp *qp)
{
	return qp->cfg.transport == CAIRN_TRANSPORT_RC;
}
/* "READ_RSP_FIRST psn 0x..., 24 bytes": for messages; valid until the next but one call. */
const char *lock_text(const struct model_packet *packet);

/* lock.c */
void lock_begin(struct lock *l, unsigned int number, const struct lock_run *run);
void lock_run(struct lock *l);
void lock_end(struct lock *l);

/* lock_setup.c */
void lock_models(struct lock *l);
void lock_memory(struct lock *l);
/* A buffer of the NIC; len, offset, access and kind of it. */
struct rdma_buf *lock_buffer(struct lock *l, struct rdma_buf_cfg cfg);
void lock_add_qp(struct lock *l, unsigned int i);

/* lock_gen.c: post at random on both sides; false: everything has been posted. */
void lock_gen_begin(struct lock *l);
bool lock_gen(struct lock *l);

/* lock_key.c: keys of windows and fast registrations; false: not now */
void lock_key_begin(struct lock *l);
void lock_key_end(struct lock *l);
bool lock_key_post(struct lock *l, struct lock_qp *qp);
void lock_key_done(struct lock_qp *qp, uint32_t number);
bool lock_key_use(struct lock *l, struct lock_qp *qp, struct model_send *s, uint32_t len);
bool lock_key_inv(struct lock *l, struct lock_qp *qp, struct model_send *s);
bool lock_key_far(struct lock *l, struct lock_qp *qp, struct model_send *s);

/* lock_peer.c */
void lock_peer_begin(struct lock *l);
void lock_peer_frame(void *arg, const struct sim_frame *frame);
/* Take in, send; false: nothing to do before lock_peer_deadline(). */
bool lock_peer_step(struct lock *l);
uint64_t lock_peer_deadline(const struct lock *l);
bool lock_peer_done(const struct lock *l);

/* lock_tx.c: a request that the NIC sent; a response that reached it */
void lock_tx_request(struct lock_qp *qp, const struct model_packet *packet);
void lock_rx_response(struct lock_qp *qp, const struct model_packet *packet);
/* Whether it does in time what it has to. */
void lock_tx_check(struct lock_qp *qp);
struct lock_when lock_when(const struct lock *l);
bool lock_late(const struct lock *l, struct lock_when then);

/* lock_rsp.c: a request that reached the NIC; a response that it sent */
void lock_rx_request(struct lock_qp *qp, const struct model_packet *packet);
void lock_tx_response(struct lock_qp *qp, const struct model_packet *packet);
/* Whether NAKs leave in time. */
void lock_rsp_check(struct lock_qp *qp);
/* Nothing is owed. */
bool lock_rsp_done(const struct lock_qp *qp);

/* lock_cq.c */
void lock_cq_take(struct lock *l); /* completions of the shadow, to their QPs */
void lock_cq_poll(struct lock *l); /* of the NIC, and judge */
bool lock_cq_done(const struct lock_qp *qp);

#endif
