/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs (job.c): what a command in execution has, how it ends, and what it holds. */
#ifndef CAIRN_FW_JOB_H
#define CAIRN_FW_JOB_H

#include "frame.h"

#define JOBS 7u /* a slot of the DMA engine each, below DMA_SLOT_LOG */

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
	uint8_t result; /* enum cairn_ctx_result of the last ctx_op() */
	uint8_t status; /* enum cairn_cmd_status; it and detail are one store in job_fail() */
	uint8_t detail;
	uint16_t index;	     /* ring index */
	struct machine self; /* the handler */
	uint32_t value0, value1;
	struct ctx_work ctx;
	struct qp_work qp;
	union frame f;	     /* the handler's */
	struct qp_view view; /* of the last qp_view_read() */
	union record rec;    /* data of the last ctx_op() */
	struct cairn_qp_cfg cfg; /* of the last qp_view_read() */
};

static_assert(offsetof(struct job, buf) == CAIRN_CMD_BYTES &&
		      sizeof(((struct job *)0)->buf) == CAIRN_CMD_BUFFER_BYTES,
	      "a job begins like a slot of the command ring");

/* As the first step of a command finds it: no machine has begun, the frame is zero. */
void job_begin(struct job *job);
/* End a command with a status other than OK: return job_fail(...) from the handler. */
enum fw_run job_fail(struct job *job, enum cairn_cmd_status status, unsigned int detail);
/* The record that a command wants to make is not free, by the last ctx_op(). */
enum fw_run job_not_free(struct job *job);

static inline const uint8_t *gid_of_args(const struct job *job)
{
	return (const uint8_t *)&job->cmd.arg0; /* and arg1 */
}

/* One job at a time changes a QP, a CQ or a key: false if another does.  Its end unlocks. */
#define LOCK_CQ(cqn) (0x1000000u | (cqn))
#define LOCK_KEY(key) (0x2000000u | (key) >> 8)
bool job_lock(const struct job *job, uint32_t number); /* a QPN, or one of these */
void job_unlock(const struct job *job);

#endif
