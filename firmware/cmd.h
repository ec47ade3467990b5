/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: the queue (cmd.c), the table of them (cmd_table.c), the handlers (cmd_*.c, mcast.c). */
#ifndef CAIRN_FW_CMD_H
#define CAIRN_FW_CMD_H

#include "job.h"

void cmd_init(void);
void cmd_poll(bool line); /* line: the host has written a register of the queue */
bool cmd_busy(void);	  /* the next step of one comes soon */

struct cmd_info {
	enum fw_run (*run)(struct job *job); /* NULL: nothing to do, OK */
	uint8_t in_bytes, out_bytes;	     /* of its buffer */
	uint8_t state;			     /* cmd_table.c */
	bool number;			     /* uses cmd.number */
	uint8_t flags;			     /* FLAGS bits that may be set */
	bool ptr;			     /* a ring or a table */
	uint8_t args;			     /* uses so many (6: arg5 as well) */
	uint32_t feature;		     /* any of these FEATURES bits; 0: always */
};

/* Finds job->info.  False: the command is refused, and the job has failed. */
bool cmd_check(struct job *job);

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

#endif
