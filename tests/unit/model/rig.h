/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One QP of the golden model, whose peer is the test: packets to it are put together field by
 * field, right or wrong, and what it sends is looked at field by field.
 */
#ifndef CAIRN_TEST_MODEL_RIG_H
#define CAIRN_TEST_MODEL_RIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"

#define PD 3
#define QPN 0x11
#define PEER 0x22
#define PMTU 256
#define RQ_PSN 0xfffffe /* so that everything wraps */
#define SQ_PSN 0xfffffd
#define BASE 0x10000ull
#define MEM 8192
#define PKEY 0xffff
#define QKEY 0x1234
/* Keys: all rights; only local rights; another PD. */
#define KEY 0x100
#define LOCAL_KEY 0x200
#define OTHER_PD_KEY 0x300
#define ZERO_KEY 0x400 /* all rights, addresses from 0 on */
#define NO_KEY 0x500

struct rig {
	struct model *m;
	struct model_qp_config cfg;
	uint8_t mem[MEM];
	uint64_t now;
	struct model_packet sent; /* the last one the model sent */
};

/* A packet to the model. */
struct raw {
	uint8_t opcode;
	int psn; /* after the first of the QP: RQ_PSN for requests, SQ_PSN for responses */
	bool ackreq, se;
	uint32_t len; /* payload */
	int pad;      /* too much or too little */
	uint64_t va;
	uint32_t key, length;	    /* RETH, AtomicETH, IETH */
	uint64_t compare, swap_add; /* AtomicETH; AtomicAckETH: swap_add */
	uint32_t imm, qkey;
	uint8_t syndrome;
	uint32_t msn;
	/* wrong, when not 0 */
	uint32_t qpn;
	uint16_t pkey;
	uint8_t tver, src;
	uint32_t cut; /* bytes missing at the end */
	uint8_t fill; /* payload: fill, fill + 1, ... */
};

/* `state` is RTR or RTS; a configuration to start with is rig_config(). */
struct model_qp_config rig_config(enum cairn_transport transport);
struct rig *rig_begin(const struct model_qp_config *cfg, enum model_state state);
struct rig *rig_begin_hooks(const struct model_qp_config *cfg, enum model_state state,
			    const struct model_hooks *hooks);
void rig_end(struct rig *r);

void rig_recv(struct rig *r, uint64_t id, uint32_t len);
enum model_fate rig_give(struct rig *r, const struct raw *raw);
#define give(r, ...) rig_give(r, &(struct raw){ __VA_ARGS__ })

/* The model's next answer, or nothing. */
void rig_answer(struct rig *r, uint8_t opcode, uint8_t syndrome, int psn, uint32_t msn);
void rig_silent(struct rig *r);
/* The model's next request packet: opcode, PSN after SQ_PSN, payload length. */
void rig_request(struct rig *r, uint8_t opcode, int psn, uint32_t len);
void rig_quiet(struct rig *r);

void rig_completion(struct rig *r, uint64_t id, bool recv, enum model_status status);
void rig_no_completion(struct rig *r);
void rig_event(struct rig *r, enum model_event_kind kind);
void rig_no_event(struct rig *r);

#define ACK_OK 0x1f
#define ACK_NAK_SEQ 0x60
#define ACK_NAK_INV 0x61
#define ACK_NAK_ACCESS 0x62
#define ACK_NAK_OP 0x63
#define ACK_RNR 0x20

#endif
