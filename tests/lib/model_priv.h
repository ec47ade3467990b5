/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the golden model (model.h): its records, and what its files offer each other. */
#ifndef CAIRN_TEST_MODEL_PRIV_H
#define CAIRN_TEST_MODEL_PRIV_H

#include <stddef.h>

#include "model.h"

#define MODEL_PSN_HALF 0x800000u /* PSNs that count as before, and as after */
#define MODEL_MAX_MESSAGE (1u << 31)

/* ---------------------------------------------------------------- model.c */

/* Items in order; at() is valid until the next push. */
struct model_fifo {
	size_t item;
	uint8_t *bytes;
	size_t head, count, room;
};

void model_fifo_push(struct model_fifo *fifo, const void *item);
void *model_fifo_at(const struct model_fifo *fifo, size_t index);
void model_fifo_pop(struct model_fifo *fifo);
void model_fifo_unpop(struct model_fifo *fifo, const void *item);

/* A work request in the send queue. */
struct model_sqe {
	struct model_send wr;
	uint32_t length;
	/* from its start on */
	bool started;
	enum model_status broken; /* cannot be executed: fails when it is the oldest */
	uint32_t psn, npsn;
	uint32_t got;	/* READ, atomic: responses taken */
	uint32_t asked; /* READ: first PSN asked for again in the middle of a request */
};

struct model_requester {
	struct model_fifo queue; /* struct model_sqe, oldest without completion first */
	size_t cur;		 /* index of the one being sent */
	uint32_t next;		 /* PSN to send next */
	uint32_t una;		 /* oldest unacknowledged */
	uint32_t max;		 /* first never sent */
	uint32_t ssn;		 /* of the next message */
	uint32_t lsn;		 /* credit limit */
	bool unlimited;
	uint8_t retries, rnr_retries; /* left */
	bool implied;		      /* an implied NAK was acted upon since the last progress */
	bool drained;		      /* SQ_DRAINED was raised */
	uint64_t timer;		      /* MODEL_NEVER: off */
	uint64_t rnr_until;	      /* 0: not waiting */
};

enum model_answer_kind {
	MODEL_ANSWER_ACK,
	MODEL_ANSWER_NAK,
	MODEL_ANSWER_READ,
	MODEL_ANSWER_ATOMIC
};

struct model_answer {
	enum model_answer_kind kind;
	bool again;	     /* for a duplicate */
	uint8_t class, code; /* NAK: enum cairn_aeth_class, and bits 4:0 */
	uint32_t psn, msn;
	uint64_t va, original;
	uint32_t key, length, sent; /* READ: bytes, packets sent */
};

/* What a duplicate READ or atomic needs. */
struct model_resource {
	bool valid;
	uint8_t opcode;
	uint32_t psn, npsn;
	uint64_t va, original;
	uint32_t key, length;
};

enum model_inside { MODEL_IDLE, MODEL_IN_SEND, MODEL_IN_WRITE };

struct model_responder {
	uint32_t epsn, msn;
	enum model_inside inside;
	bool established; /* COMM_EST was raised */
	bool nak;	  /* a sequence or RNR NAK is outstanding */
	bool holds_recv;  /* `recv` is taken by the message under way */
	struct model_recv recv;
	uint64_t va; /* WRITE under way */
	uint32_t key, length;
	uint32_t done; /* bytes of the message so far */
	struct model_resource resource[MODEL_MAX_RD_ATOMIC];
	unsigned int oldest;	   /* resource to recycle next */
	struct model_fifo answers; /* struct model_answer, in the order to be sent */
};

struct model_qp {
	struct model_qp_config cfg;
	enum model_state state;
	struct model_requester req;
	struct model_responder rsp;
	struct model_fifo recvs; /* struct model_recv */
};

struct model {
	struct model_hooks hooks;
	struct model_fifo qps;	   /* struct model_qp */
	struct model_fifo regions; /* struct model_region */
	struct model_fifo completions, events;
};

struct model_qp *model_qp(const struct model *m, uint32_t qpn);
void model_complete(struct model *m, const struct model_completion *completion);
void model_raise(struct model *m, const struct model_qp *qp, enum model_event_kind kind);
/* To ERR: everything posted and not complete is flushed.  Answers already decided may stay. */
void model_qp_error(struct model *m, struct model_qp *qp, bool keep_answers);
void model_flush_sends(struct model *m, struct model_qp *qp);

/* ---------------------------------------------------------------- model_mem.c */

/* The bytes behind {addr, length}, or NULL if no region holds them (IBTA 10.6.7). */
uint8_t *model_mem(const struct model *m, uint32_t pd, uint32_t key, uint64_t addr, uint64_t length,
		   uint32_t rights);
/* A valid key of this protection domain. */
bool model_key_of(const struct model *m, uint32_t pd, uint32_t key);
uint64_t model_sge_total(const struct model_sge *sge, unsigned int sges);
bool model_sge_check(const struct model *m, uint32_t pd, const struct model_sge *sge,
		     unsigned int sges, uint32_t rights);
/* model_scatter() would succeed. */
bool model_reachable(const struct model *m, uint32_t pd, const struct model_sge *sge,
		     unsigned int sges, uint64_t skip, uint32_t len);
/* `len` bytes from `skip` on; false: a key does not fit, or the list is too short. */
bool model_gather(const struct model *m, uint32_t pd, const struct model_sge *sge,
		  unsigned int sges, uint64_t skip, uint8_t *to, uint32_t len);
bool model_scatter(const struct model *m, uint32_t pd, const struct model_sge *sge,
		   unsigned int sges, uint64_t skip, const uint8_t *from, uint32_t len);

/* ---------------------------------------------------------------- model_pkt.c */

/* A packet taken apart; extension headers that its opcode does not have are NULL. */
struct model_headers {
	uint8_t opcode;
	const struct cairn_opcode_info *op;
	bool se, ackreq;
	uint16_t pkey;
	uint32_t dest_qp, psn;
	uint32_t pad;
	const uint8_t *reth, *atomiceth, *aeth, *atomicacketh, *deth, *immdt, *ieth;
	const uint8_t *payload;
	uint32_t payload_len;
};

/* False: not a packet of a defined opcode, or too short for what it says. */
bool model_parse(const struct model_packet *packet, struct model_headers *headers);

/* The opcode of a transport with exactly these of MODEL_OPCODE_FLAGS; there is one. */
#define MODEL_OPCODE_FLAGS                                                                  \
	(CAIRN_OPF_REQ | CAIRN_OPF_RSP | CAIRN_OPF_START | CAIRN_OPF_END | CAIRN_OPF_SEND | \
	 CAIRN_OPF_WRITE | CAIRN_OPF_READ | CAIRN_OPF_ACK | CAIRN_OPF_IMM | CAIRN_OPF_INV)
uint8_t model_opcode(enum cairn_transport transport, uint32_t flags);

/* BTH and addresses of a packet to the peer of an RC or UC QP, extension headers zero.  Returns
 * where the extension headers begin. */
uint8_t *model_build(const struct model_qp *qp, struct model_packet *packet, uint8_t opcode,
		     uint32_t psn);
/* The payload has been put behind the headers: its length, and the pad. */
uint8_t *model_payload(struct model_packet *packet);
void model_finish(struct model_packet *packet, uint32_t payload_len);

/* Credits of an AETH by their code; the code behind the last one says "not used". */
#define MODEL_CREDIT_CODES CAIRN_AETH_NO_CREDIT
extern const uint16_t model_credits[MODEL_CREDIT_CODES];

/* max(1, packets of a message) */
static inline uint32_t model_packets(uint32_t length, uint32_t pmtu)
{
	return length ? (uint32_t)(((uint64_t)length + pmtu - 1) / pmtu) : 1;
}

/* ---------------------------------------------------------------- requests, responses */

/* Why a request is not executed; the first check that fails wins. */
struct model_fault {
	bool any, rnr, local; /* local: no fault of the peer */
	bool takes_recv;      /* a SEND that starts here uses up its receive all the same */
	uint8_t nak;	      /* enum cairn_aeth_nak */
	enum model_event_kind event;
	enum model_status status; /* of the receive the message holds */
};

/* model_rsp.c */
enum model_fate model_rsp_receive(struct model *m, struct model_qp *qp,
				  const struct model_headers *h);
struct model_fault model_check(const struct model *m, const struct model_qp *qp,
			       const struct model_headers *h);
/* A SEND or WRITE packet that passed model_check(): data, receive, completion. */
void model_execute(struct model *m, struct model_qp *qp, const struct model_headers *h);
void model_take_recv(struct model_qp *qp);
/* Completion of the receive the message holds; a success is the end of message `h`. */
void model_recv_done(struct model *m, struct model_qp *qp, const struct model_headers *h,
		     uint32_t byte_len, enum model_status status);

/* model_ans.c: queue an answer; a duplicate. */
void model_answer_ack(struct model *m, struct model_qp *qp, uint32_t psn);
void model_answer_nak(struct model_qp *qp, enum cairn_aeth_class class, uint8_t code, uint32_t psn);
void model_answer_resource(struct model_qp *qp, const struct model_resource *res, bool again);
uint32_t model_unanswered(const struct model_qp *qp); /* READs and atomics, without duplicates */
enum model_fate model_rsp_duplicate(struct model *m, struct model_qp *qp,
				    const struct model_headers *h);

/* model_dgram.c: a packet on a UC or UD QP. */
enum model_fate model_uc_receive(struct model *m, struct model_qp *qp,
				 const struct model_headers *h);
enum model_fate model_ud_receive(struct model *m, struct model_qp *qp,
				 const struct model_headers *h, const struct model_packet *packet);

/* model_cpl.c: a response on an RC QP. */
enum model_fate model_cpl_receive(struct model *m, struct model_qp *qp,
				  const struct model_headers *h, uint64_t now);
/* The oldest request is complete, or fails: RC: and the QP with it; UC, UD: SQE. */
void model_send_done(struct model *m, struct model_qp *qp);
void model_send_fail(struct model *m, struct model_qp *qp, enum model_status status);
/* Send again from `psn` on, which costs a retry; without one left the oldest request fails. */
void model_req_retry(struct model *m, struct model_qp *qp, uint32_t psn, uint64_t now);

/* model_req.c */
void model_req_reset(struct model_qp *qp);
/* Nothing under way: after a flush. */
void model_req_idle(struct model_qp *qp);
/* A request begins at this packet of a READ. */
bool model_read_cut(const struct model *m, const struct model_qp *qp, uint32_t packet);
void model_req_go_back(struct model_qp *qp, uint32_t psn);
/* The timer, while something is unacknowledged, from `now` on. */
void model_req_timer(struct model_qp *qp, uint64_t now);
void model_req_check_drained(struct model *m, struct model_qp *qp);

static inline bool model_is_rd_atomic(const struct model_sqe *e)
{
	return e->wr.op >= MODEL_READ;
}

#endif
