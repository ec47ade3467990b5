/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Golden model of the RoCE v2 transport: what a NIC has to do with each packet, written from the
 * protocol's rules and independent of the RTL.  Tests compare the two.
 *
 * The model does no I/O, keeps no clock and never acts by itself:
 *
 *     model_post_send(), model_post_recv()   work requests
 *     model_receive()                        a packet has arrived
 *     model_respond(), model_transmit()      the next packet of the responder, of the requester
 *     model_deadline(), model_timeout()      the retransmission timer
 *     model_completion(), model_event()      what the program sees, oldest first
 *
 * A packet here is what lies between UDP header and ICRC.  What the protocol leaves to the
 * implementation is the caller's: when model_respond(), model_transmit() and model_timeout() are
 * called (so how requests, read data and acknowledgements mix), the hooks, and struct model_policy.
 *
 * Times are ns.  Errors: -errno.  Memory of the regions and of the model belongs to the caller's
 * process: running out of it ends the program.
 */
#ifndef CAIRN_TEST_MODEL_H
#define CAIRN_TEST_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn_bits.h"
#include "cairn_pkt.h"

#define MODEL_NEVER UINT64_MAX
#define MODEL_MAX_SGE 16
#define MODEL_GRH_BYTES 40
#define MODEL_MAX_PACKET (CAIRN_BTH_BYTES + CAIRN_ATOMICETH_BYTES + 4096)
#define MODEL_MAX_RD_ATOMIC 16
#define MODEL_RNR_FOREVER 7 /* rnr_retry: no limit.  retry_cnt knows no such value. */

/* Rights of regions and of QPs, with the values of IBV_ACCESS_*. */
#define MODEL_LOCAL_WRITE 0x1u
#define MODEL_REMOTE_WRITE 0x2u
#define MODEL_REMOTE_READ 0x4u
#define MODEL_REMOTE_ATOMIC 0x8u

/* Numbered as IBV_WC_*. */
enum model_status {
	MODEL_SUCCESS,
	MODEL_LOC_LEN_ERR,
	MODEL_LOC_QP_OP_ERR,
	MODEL_LOC_PROT_ERR = 4,
	MODEL_WR_FLUSH_ERR,
	MODEL_BAD_RESP_ERR = 7,
	MODEL_LOC_ACCESS_ERR,
	MODEL_REM_INV_REQ_ERR,
	MODEL_REM_ACCESS_ERR,
	MODEL_REM_OP_ERR,
	MODEL_RETRY_EXC_ERR,
	MODEL_RNR_RETRY_EXC_ERR,
};

/* Numbered as IBV_QPS_*. */
enum model_state {
	MODEL_RESET,
	MODEL_INIT,
	MODEL_RTR,
	MODEL_RTS,
	MODEL_SQD,
	MODEL_SQE,
	MODEL_ERR,
};

enum model_event_kind {
	MODEL_COMM_EST,
	MODEL_SQ_DRAINED,
	MODEL_QP_FATAL,
	MODEL_QP_REQ_ERR,    /* transport violation by the peer */
	MODEL_QP_ACCESS_ERR, /* the peer asked for what it must not have */
};

enum model_op {
	MODEL_SEND,
	MODEL_WRITE,
	MODEL_LOCAL, /* binds, registers, invalidates: no packet */
	MODEL_READ,
	MODEL_CMP_SWAP,
	MODEL_FETCH_ADD,
};

enum model_extra { MODEL_PLAIN, MODEL_IMM, MODEL_INV };

/* What became of a packet that arrived. */
enum model_fate {
	MODEL_DROPPED,	 /* as if it had never come */
	MODEL_TAKEN,	 /* executed, or a response that moved the requester on */
	MODEL_DUPLICATE, /* already executed: answered again, or not (IBTA 9.7.5.1) */
	MODEL_REFUSED,	 /* out of sequence, not ready, or an error: see the answer */
};

struct model_packet {
	uint8_t src[16], dst[16];     /* GIDs, that is, IP addresses */
	uint8_t grh[MODEL_GRH_BYTES]; /* what a UD receive puts before the payload */
	uint32_t len;
	uint32_t msn_low;		 /* sent, with AETH: MSN when the answer was decided;
					  * the AETH has the one when it left, which may be later */
	uint8_t bytes[MODEL_MAX_PACKET]; /* BTH .. pad */
};

struct model_sge {
	uint64_t addr;
	uint32_t length, key;
};

struct model_region {
	uint32_t key; /* L_Key and R_Key */
	uint32_t pd;
	uint32_t rights;
	uint64_t base, length; /* addresses the key covers */
	uint8_t *data;	       /* the bytes at `base` */
};

struct model_send {
	uint64_t id;
	enum model_op op;
	enum model_extra extra; /* SEND: any; WRITE: MODEL_IMM or none */
	bool signaled, solicited, fence;
	uint32_t imm_or_key;
	uint64_t remote_addr;
	uint32_t remote_key;
	uint64_t compare, swap_add;
	uint32_t ud_qpn, ud_qkey;
	uint8_t ud_gid[16];
	/* MODEL_LOCAL: a key that ends, or 0, and a region that begins, or one without `data`.
	 * What may be bound or registered is the caller's to know; LOC_QP_OP_ERR where there is no
	 * such key, or one already. */
	uint32_t gone;
	struct model_region made;
	unsigned int sges;
	struct model_sge sge[MODEL_MAX_SGE];
};

struct model_recv {
	uint64_t id;
	unsigned int sges;
	struct model_sge sge[MODEL_MAX_SGE];
};

struct model_completion {
	uint64_t id;
	uint32_t qpn;
	bool recv;
	enum model_status status;
	/* receives that succeeded */
	bool solicited, with_imm, with_inv, write_imm, grh;
	uint32_t byte_len, imm_or_key, src_qpn;
};

struct model_event {
	enum model_event_kind kind;
	uint32_t qpn;
};

/* Where the rules leave a choice that is made once for a QP.  All zero is a good NIC. */
struct model_policy {
	bool send_credits;	    /* AETH of an ACK tells the posted receives; else "not used" */
	bool honour_credits;	    /* requester: hold SENDs back until the peer has credits */
	uint32_t psn_window;	    /* requester: PSNs under way, 0: 2^23 - 1 */
	bool migreq_0;		    /* BTH.MigReq is sent as 0 */
	bool read_any_part;	    /* a duplicate READ may end before the original did */
	bool read_anew;		    /* a READ asked for again while it is answered: the answer goes
				     * on where that asks, instead of a second one after it */
	bool duplicate_ends_nak;    /* after a duplicate the next gap is NAKed again */
	enum model_status too_long; /* receive shorter than its SEND; 0: LOC_LEN_ERR */
	enum model_status aborted;  /* receive whose message broke off; 0: REM_INV_REQ_ERR */
	enum model_status
		bad_response; /* request answered with the wrong opcode; 0: BAD_RESP_ERR */
};

struct model_qp_config {
	uint32_t qpn;
	enum cairn_transport transport; /* RC, UC or UD */
	uint32_t pd;
	uint32_t rights; /* MODEL_REMOTE_* */
	uint32_t pmtu;	 /* bytes */
	uint16_t pkey;
	uint32_t qkey;	   /* UD */
	uint32_t peer_qpn; /* RC, UC */
	uint8_t gid[16], peer_gid[16];
	uint32_t rq_psn, sq_psn;
	uint8_t max_rd_atomic, max_dest_rd_atomic;
	uint8_t min_rnr_timer, timeout, retry_cnt, rnr_retry;
	struct model_policy policy;
};

/*
 * Choices made packet by packet.  Any may be NULL, which means the first of the two values named;
 * the functions must depend on nothing but their arguments and `ctx`.
 */
struct model_hooks {
	void *ctx;
	/* Responder: the ACK of `waiting` has not left yet; false: another follows it, true: one
	 * ACK, of `psn`, for both. */
	bool (*merge_acks)(void *ctx, uint32_t qpn, uint32_t waiting, uint32_t psn);
	/* Responder: a SEND or WRITE packet did not ask for an ACK: false: none, true: one. */
	bool (*ack_unasked)(void *ctx, uint32_t qpn, uint32_t psn);
	/* Responder: a duplicate SEND or WRITE packet that does not ask for an ACK; false: it gets
	 * none.  One that asks always gets one. */
	bool (*ack_duplicate)(void *ctx, uint32_t qpn, uint32_t psn);
	/* Requester: a request of its own begins at `packet` (not 0) of a READ; false: no, the
	 * READ is one request.  The same for each attempt. */
	bool (*cut_read)(void *ctx, uint32_t qpn, uint32_t packet);
	/* Requester: ask for an ACK before the end of a message; false: no. */
	bool (*ask_ack)(void *ctx, uint32_t qpn, uint32_t psn);
};

struct model;

struct model *model_create(const struct model_hooks *hooks);
void model_destroy(struct model *m);

/* A key is added once; -EEXIST else. */
int model_region_add(struct model *m, const struct model_region *region);
int model_region_remove(struct model *m, uint32_t key);
bool model_region_valid(const struct model *m, uint32_t key);

/* Starts in RESET.  -EEXIST, -EINVAL (a value out of range). */
int model_qp_create(struct model *m, const struct model_qp_config *config);
/*
 * Moves a QP.  To RESET empties it, to ERR flushes it.  -ENOENT: no such QP; -EINVAL: no such
 * transition.
 */
int model_qp_move(struct model *m, uint32_t qpn, enum model_state state);
enum model_state model_qp_state(const struct model *m, uint32_t qpn);

/* -ENOENT: no such QP; -EINVAL: not in this state, or malformed. */
int model_post_send(struct model *m, uint32_t qpn, const struct model_send *wr);
int model_post_recv(struct model *m, uint32_t qpn, const struct model_recv *wr);

enum model_fate model_receive(struct model *m, const struct model_packet *packet, uint64_t now);
/* False: nothing to send now. */
bool model_respond(struct model *m, uint32_t qpn, struct model_packet *packet);
bool model_transmit(struct model *m, uint32_t qpn, uint64_t now, struct model_packet *packet);
/* Local operations whose turn it is are executed, as model_transmit() does before a packet. */
void model_local(struct model *m, uint32_t qpn);

/*
 * When something has to happen to a QP at the earliest, or MODEL_NEVER: the end of an RNR wait
 * (call model_transmit()) or of the ACK timeout (call model_timeout(), at any time from then to
 * three timeouts later).
 */
uint64_t model_deadline(const struct model *m, uint32_t qpn);
void model_timeout(struct model *m, uint32_t qpn, uint64_t now);

/* False: no more. */
bool model_completion(struct model *m, struct model_completion *completion);
bool model_event(struct model *m, struct model_event *event);

/* For comparisons of state. */
struct model_view {
	uint32_t epsn, msn;    /* responder */
	uint32_t una, next;    /* requester: oldest PSN unacknowledged, first never sent */
	uint32_t sends, recvs; /* work requests without a completion */
	uint32_t answers;      /* answers not sent yet */
};
bool model_look(const struct model *m, uint32_t qpn, struct model_view *view);

/* a - b of two 24-bit sequence numbers, -2^23 .. 2^23 - 1; negative: a lies before b. */
static inline int32_t model_psn_diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

static inline uint32_t model_psn_add(uint32_t psn, uint32_t n)
{
	return (psn + n) & 0xffffff;
}

/* The ICRC of an IP packet (header .. pad) as the number whose lowest byte goes out first. */
uint32_t model_icrc(const uint8_t *ip, uint32_t len);

#endif
