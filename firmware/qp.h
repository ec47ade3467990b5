/* SPDX-License-Identifier: Apache-2.0 */
/* QPs: their state, what the data path reports of them, the rules of MODIFY_QP, groups. */
#ifndef CAIRN_FW_QP_H
#define CAIRN_FW_QP_H

#include "bits.h"
#include "job.h"

/* ---- QPs: their records as new (qp_make.c) ---- */
/* Of what job->buf.qp_create says. */
enum fw_run qp_make(struct job *job, uint32_t qpn);
/* RESET of one that has been stopped. */
enum fw_run qp_make_again(struct job *job, uint32_t qpn);
uint32_t qp_gen(uint32_t qpn); /* its generation */

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
/* Which QPNs may have records. */
void qp_live_set(uint32_t qpn, bool value);
uint32_t qp_live_next(uint32_t from); /* QPS_MAX: no more */
void qp_forget_all(void);

/* ---- QPs: reports of the data path (qp_event.c) ---- */
void qp_events_poll(void);
void qp_events_forget(void);
/* The QP is in error: bring its record, and all parts that must know, up to that. */
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

/* ---- multicast (mcast.c) ---- */
void mcast_leave(uint32_t qpn); /* all groups; a fence must follow */
void mcast_forget(void);

#endif
