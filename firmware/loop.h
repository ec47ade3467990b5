/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop's floor: what has something to do, and when (loop.c). */
#ifndef CAIRN_FW_LOOP_H
#define CAIRN_FW_LOOP_H

#include "fw.h"

/* What has something to do that no line tells. */
enum {
	FW_AGAIN = 1,	 /* another pass before sleeping */
	FW_EVENTS = 2,	 /* qp_event.c */
	FW_QUESTION = 4, /* neighbour.c: one waits for the transmitter */
	FW_ANNOUNCE = 8, /* net_own.c, when there is nothing else to do */
	FW_LOG = 16,	 /* log.c, likewise */
};
extern uint32_t fw_todo;
extern uint64_t fw_alarm; /* the loop looks again then at the latest; set anew in each pass */

/* Ask to be called again at `deadline` at the latest. */
void fw_wake_at(uint64_t deadline);
/* Has that time come?  If not, the caller is called again then. */
bool fw_due(uint64_t time);
/* Something changed that no interrupt tells: another pass over all sources before sleeping. */
static inline void fw_look_again(void)
{
	fw_todo |= FW_AGAIN;
}

#endif
