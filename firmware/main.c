// SPDX-License-Identifier: Apache-2.0
/*
 * The firmware's event loop.  Interrupts stay off: a pending one ends WFI, and every source is then
 * looked at.  A pass over all sources with nothing to do is short, and there is no state in which
 * it spins: whatever waits has a line or the timer to end it.
 */
#include "fw.h"

static uint64_t wake_at;
static bool again;

void fw_wake_at(uint64_t deadline)
{
	if (deadline < wake_at)
		wake_at = deadline;
}

bool fw_due(uint64_t time)
{
	if (cpu_now() >= time)
		return true;
	fw_wake_at(time);
	return false;
}

void fw_look_again(void)
{
	again = true;
}

/* An exception in firmware is a bug: say where, tell the host, stop taking commands. */
void trap(uint32_t cause, uint32_t epc, uint32_t tval)
{
	(void)tval;
	mmio_write32(REG(MBX, MBX_SCRATCH),
		     (FW_VERSION_MAJOR << 24 | FW_VERSION_MINOR << 16) | (cause & 0xffff));
	fw_log(1, "trap", cause, epc);
	mmio_write32(REG(MBX, MBX_STATE), CAIRN_REG_MBX_STATE_FATAL);
	cpu_disable(~0u);
	for (;;)
		cpu_wfi();
}

void fw_start(void)
{
	cpu_irq_off();
	dev_init();
	net_init();
	cmd_init();
	mmio_write32(REG(MBX, MBX_SCRATCH), FW_VERSION_MAJOR << 24 | FW_VERSION_MINOR << 16);
	mmio_write32(REG(MBX, MBX_STATE), CAIRN_REG_MBX_STATE_READY);
	fw_log(0, "ready, version", FW_VERSION_MAJOR, FW_VERSION_MINOR);
}

void fw_pass(void)
{
	wake_at = ~0ull;
	again = false;
	dev_poll();
	net_poll();
	cmd_poll();
	log_poll();
	if (wake_at == ~0ull)
		cpu_disable(CPU_TIMER_BIT);
	else
		cpu_enable(CPU_TIMER_BIT);
	cpu_timer_set(wake_at);
	if (!again && !cpu_pending())
		cpu_wfi();
}

#ifndef FW_HOSTED /* unit tests have a main() of their own */
int main(void)
{
	fw_start();
	for (;;)
		fw_pass();
}
#endif
