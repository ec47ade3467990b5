/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures of Linux' software RDMA (tests/fixtures) replayed into the RTL.  One host of the capture
 * is the NIC, with that host's addresses, QPs, PSNs and memory; the test is the other one.  What
 * the other host sent is fed to the NIC in the capture's order; what the NIC's host sent is what
 * the NIC has to send, packet by packet:
 *
 *     responder   the captured requests arrive; answers are compared
 *     requester   the messages in the capture are posted as work requests; requests are compared,
 *                 the captured answers arrive
 *
 * No end-to-end credits are counted, as the captured answers say too; the NIC hears it before its
 * first request, because rxe does not wait for the first answer with its second SEND.
 *
 * Compared is all from BTH to pad, traffic class, VLAN tag and addresses, but not credits, MigReq,
 * AckReq inside a message and AckReq of datagrams (which means nothing there).  Translated is what
 * the device chooses: its keys, and its QPN where it cannot be the captured one.  After each packet
 * fed the NIC comes to rest, so every acknowledgement is one of its own.  Times are the NIC's:
 * where the capture shows a pause, its timers run.  Of a host whose packets were lost or disturbed
 * on the way to where they were captured, the NIC may have sent more than is shown, in the order
 * shown; but each request of it comes right behind the last, or is the oldest unacknowledged one,
 * and each answer comes right behind the last, or is one to the request just fed.  (To a duplicate
 * READ or atomic the NIC answers with all that it has answered from there on, rxe with that alone.)
 *
 * Memory: bytes that the capture reads and nothing has written before are put there first; from
 * then on they must be what writes and atomics make of them.  Received messages, data read, old
 * values of atomics and all completions are compared with the capture too.
 */
#ifndef CAIRN_TEST_CAPT_H
#define CAIRN_TEST_CAPT_H

#include "capture.h"
#include "frame.h"
#include "rdma.h"

#include <string.h>

#define CAPT_QPS 24
#define CAPT_KEYS 8
#define CAPT_SENT 800
#define CAPT_MSGS 80
#define CAPT_RECV_BYTES 70000u
#define CAPT_ARENA_BYTES (512u << 10)
#define CAPT_GIDS 12
#define CAPT_PAUSE_NS 20000000u /* from here on the capture waits for a timer */

struct capt;

/*
 * One NIC for many captures, because commands cost most of the time: its CQ, where messages come
 * from and go to, and its addresses, which stay.
 */
struct capt_session {
	struct rdma *r; /* NULL: not begun */
	struct rdma_buf *send, *recv;
	struct {
		uint8_t gid[16];
		uint16_t tci;
	} gid[CAPT_GIDS];
	unsigned int gids;
	struct capt *playing;
	const char *pcap;
};

/* A packet of the NIC. */
struct capt_sent {
	struct model_packet *packet;
	uint8_t tos;
	uint16_t tci;
	bool used;
};

struct capt_list {
	struct capt_sent sent[CAPT_SENT];
	unsigned int n, at; /* at: the first that was not looked at */
	unsigned int seen;  /* captured packets so far */
	const struct capture_frame *last;
};

/* A message of the NIC's host. */
struct capt_msg {
	enum cairn_wqe_op op;
	const struct capture_frame *first, *last; /* first: NULL when it is not there */
	uint32_t psn, offset, len;		  /* offset from send_at */
};

/* A message that must have been received. */
struct capt_due {
	bool due, any_length;
	uint32_t len, imm;
	enum cairn_cqe_op op;
	bool solicited;
	uint8_t data[CAPT_RECV_BYTES];
};

struct capt_qp {
	struct capt *c;
	/* as captured; CAIRN_ANY: the capture does not say */
	uint32_t qpn, peer_qpn;
	enum cairn_transport transport;
	uint32_t sq_psn, rq_psn, pmtu, qkey;
	bool sends, receives, has_qkey;
	uint8_t gid[16], peer_gid[16], tos;
	uint16_t tci; /* of the VLAN tag; 0: none */
	/* the NIC's; NULL: this QP shall not exist */
	struct rdma_qp *rtl;
	uint32_t gid_index;
	uint32_t send_at, recv_at; /* its part of the session's */
	struct capt_list out[2]; /* requests, responses */
	/* requester */
	struct capt_msg msg[CAPT_MSGS];
	unsigned int msgs, done;
	bool not_ready; /* the last answer to it was an RNR NAK */
	uint32_t next, una; /* PSNs: behind the last request sent, oldest unacknowledged */
	/* responder */
	uint32_t answer, asked; /* PSNs: behind the last answer sent, of the last request fed */
	uint32_t epsn;
	bool inside, failed;
	unsigned int rnr, recvs;
	uint64_t va;
	uint32_t key, in_len;
	struct capt_due in;
};

struct capt_key {
	uint32_t key; /* captured */
	uint64_t low, high;
	struct rdma_buf *buf; /* NULL: shall not be valid */
	uint32_t device_key;
	bool *known;
};

enum capt_exception_kind {
	CAPT_PEER_ONLY, /* the NIC sends nothing in its place */
	CAPT_DIFFERENT, /* the NIC's answer has another syndrome */
};

struct capt_exception {
	const char *file;
	bool client, response;
	unsigned int index; /* of the packets of that side and kind, from 0 */
	enum capt_exception_kind kind;
	uint8_t syndrome; /* of the NIC's packet, if another */
	const char *reason;
};

struct capt {
	struct capt_session *session;
	struct rdma *r;
	char name[64];
	const struct capture_scene *scene;
	struct capture_frame *frames;
	unsigned int n_frames;
	uint64_t mac, peer_mac, nic_mac; /* captured: of the NIC's host, the other; the NIC's */
	bool client;			 /* the NIC is the host that sent the first packet */
	bool lossy;			 /* not all that it sent is there */
	bool reordered;
	struct capt_qp *qp[CAPT_QPS];
	unsigned int qps;
	struct capt_key key[CAPT_KEYS];
	unsigned int keys;
	struct cairn_mw *window; /* where the scene says so */
	uint32_t send_used, recv_used;
	struct sim_line line;
	char trouble[256]; /* found while the clock ran */
	unsigned int fed, compared, exceptions, received, skipped;
};

void capt_fail(struct capt *c, const struct capture_frame *f, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));
/* "RC_ACKNOWLEDGE PSN 0x000105 syndrome 0x60 MSN 0x000000, 0 bytes" */
const char *capt_text(const struct model_packet *packet);

/* What the capture shows (capt_learn.c). */
void capt_learn(struct capt *c);
bool capt_is_out(const struct capt *c, const struct capture_frame *f);
bool capt_is_response(const struct capture_frame *f);
struct capt_qp *capt_qp_of(struct capt *c, const struct capture_frame *f);
const uint8_t *capt_payload(const struct model_packet *packet);
/* Of the packet's first extension header. */
const uint8_t *capt_ext(const struct model_packet *packet);
/* PSNs that a request takes. */
uint32_t capt_psns(const struct capt_qp *qp, const struct model_packet *packet);

/* The NIC (capt_nic.c). */
void capt_begin(struct capt_session *session);
void capt_open(struct capt *c);
void capt_close(struct capt *c);
void capt_feed(struct capt *c, const struct capture_frame *f);
/* An ACK of what was before the QP's first request. */
void capt_no_credits(struct capt_qp *qp);
void capt_settle(struct capt *c);
void capt_post_recv(struct capt_qp *qp);
struct capt_key *capt_find_key(struct capt *c, uint32_t key);

/* Work requests of the NIC's host (capt_post.c). */
void capt_messages(struct capt_qp *qp);
void capt_post(struct capt_qp *qp);

/* Memory and completions (capt_data.c). */
void capt_before(struct capt_qp *qp, const struct capture_frame *f);
void capt_executed(struct capt_qp *qp, const struct capture_frame *f);
void capt_poll(struct capt *c);
bool capt_all_done(const struct capt *c);

/* Packets of the NIC (capt_match.c). */
void capt_expect(struct capt_qp *qp, const struct capture_frame *f, bool pause);
/* No packet was sent that the capture does not show. */
void capt_nothing_else(struct capt *c);

#endif
