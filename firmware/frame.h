/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lives across the waits of a job: of each handler a frame, of the machines that many of them
 * use one.  Two machines that wait at the same time, one in the other, have a struct machine each.
 */
#ifndef CAIRN_FW_FRAME_H
#define CAIRN_FW_FRAME_H

#include "fw.h"

/* ctx.c */
struct ctx_work {
	struct machine self; /* an operation of the context port, or a fence */
	uint16_t part;	     /* ctx_free(): the next to zero; both of one store in job_begin() */
};

/* qp_state.c, qp_make.c */
struct qp_work {
	struct machine self; /* qp_stop(), qp_error_write(), qp_make_again() and the like */
	struct machine walk; /* over the parts of a record: qp_view_read(), qp_make() */
	uint8_t part;
	uint64_t deadline, pause; /* of a wait for a flush, and between two looks at it */
};

union frame {
	struct {
		uint32_t srqn; /* the next to drop */
	} disable;
	struct {
		struct machine users;
	} set_gid;
	struct {
		uint64_t deadline;
	} resolve;
	struct {
		uint32_t eqn;
	} destroy_cq;
	struct {
		struct cairn_cq_ci consumer; /* the new record, by DMA */
		bool unreadable;
	} resize_cq;
	struct {
		uint32_t flags; /* of the record, to be put back */
	} dereg_mr;
	struct {
		uint32_t region; /* key that it is bound to, or 0 */
		struct machine unbind;
	} dealloc_mw;
	struct {
		struct machine objects;
		uint8_t wrong; /* word of the buffer that names a missing object, or 0 */
	} create_qp;
	struct {
		struct machine step, write; /* the latter: psn_write(), then attr_write() */
		uint8_t from, to;	    /* enum cairn_qp_state */
		uint8_t started;	    /* engines of the send side */
		bool notify;		    /* SQD_NOTIFY, for after the fence */
		uint64_t deadline;
	} modify_qp;
	struct {
		uint8_t part;
	} query_qp;
	struct {
		bool use_srq;
	} destroy_qp;
};

#endif
