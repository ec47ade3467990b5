// SPDX-License-Identifier: Apache-2.0
/* What the event loop knows of waiters: flags of what has something to do, and the time of the next
 * that a clock ends. */
#include "loop.h"

uint32_t fw_todo;
uint64_t fw_alarm;

void fw_wake_at(uint64_t deadline)
{
	if (deadline < fw_alarm)
		fw_alarm = deadline;
}

bool fw_due(uint64_t time)
{
	if (cpu_now() >= time)
		return true;
	fw_wake_at(time);
	return false;
}
