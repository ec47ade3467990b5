/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: the queue (cmd.c), the table of them (cmd_table.c), the handlers (cmd_*.c, mcast.c). */
#ifndef CAIRN_FW_CMD_H
#define CAIRN_FW_CMD_H

#include "cmd_rows.h"

void cmd_init(void);
void cmd_poll(bool line); /* line: the host has written a register of the queue */
bool cmd_busy(void);	  /* the next step of one comes soon */

/* Of the device, that a command needs. */
enum cmd_state { CMD_ALWAYS, CMD_BEFORE_ENABLE = 1, CMD_ENABLED = 2 };

struct cmd_info {
	enum fw_run (*run)(struct job *job); /* NULL: nothing to do, OK */
	uint8_t out_bytes;		     /* of its buffer, that it writes */
	uint8_t state;			     /* enum cmd_state */
	bool number;			     /* uses cmd.number */
	uint8_t flags;			     /* FLAGS bits that may be set */
	bool ptr;			     /* a ring or a table */
	uint8_t args;			     /* uses so many (6: arg5 as well) */
	uint32_t feature;		     /* any of these FEATURES bits; 0: always */
};

/* Finds job->info.  False: the command is refused, and the job has failed. */
bool cmd_check(struct job *job);

#endif
