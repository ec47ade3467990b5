// SPDX-License-Identifier: Apache-2.0
/*
 * The firmware's event loop.  Interrupts stay off: a pending one ends WFI, and the sources whose
 * lines are up, or that have something under way, are then looked at.  A pass with nothing to do is
 * short, and there is no state in which it spins: whatever waits has a line or the timer to end it.
 */
#include "bits.h"
#include "cmd.h"
#include "ctx.h"
#include "dev.h"
#include "dma.h"
#include "link.h"
#include "log.h"
#include "loop.h"
#include "main.h"
#include "net.h"
#include "qp.h"

/* An exception in firmware is a bug: say where, tell the host, stop taking commands. */
void trap(uint32_t cause, uint32_t epc, uint32_t tval)
{
	(void)tval;
	mmio_write32(REG(MBX, MBX_SCRATCH),
		     (FW_VERSION_MAJOR << 24 | FW_VERSION_MINOR << 16) | (cause & 0xffff));
	mmio_write32(REG(MBX, MBX_STATE), CAIRN_REG_MBX_STATE_FATAL);
	fw_log(1, "trap", cause, epc);
	cpu_disable(~CPU_LINE_BIT(CAIRN_IRQ_DMA));
	for (;;) { /* the log goes on */
		if (cpu_pending())
			dma_poll();
		if (!log_poll())
			cpu_wfi();
	}
}

/* Every source has a line; which are looked at follows from these in fw_pass(). */
void fw_start(void)
{
	cpu_irq_off();
	dev_init();
	bits_init(dev_numbers());
	ctx_init();
	cmd_init();
	qp_forget_all();
	qp_events_forget();
	mmio_write32(REG(MBX, MBX_SCRATCH), FW_VERSION_MAJOR << 24 | FW_VERSION_MINOR << 16);
	mmio_write32(REG(MBX, MBX_STATE), CAIRN_REG_MBX_STATE_READY);
	cpu_enable(CPU_LINE_BIT(CAIRN_IRQ_CMD) | CPU_LINE_BIT(CAIRN_IRQ_DMA) |
		   CPU_LINE_BIT(CAIRN_IRQ_CTX) | CPU_LINE_BIT(CAIRN_IRQ_RAW) |
		   CPU_LINE_BIT(CAIRN_IRQ_FENCE) | CPU_LINE_BIT(CAIRN_IRQ_LINK) |
		   CPU_LINE_BIT(CAIRN_IRQ_EVT));
	fw_log(0, "ready, version", FW_VERSION_MAJOR, FW_VERSION_MINOR);
}

/* What can wait for everything else. */
static bool spare_time(void)
{
	bool busy = false;

	if ((fw_todo & (FW_ANNOUNCE | FW_QUESTION)) == FW_ANNOUNCE)
		busy = net_announcing(cmd_busy());
	if (!busy && fw_todo & FW_LOG && !cmd_busy())
		busy = log_poll();
	return busy;
}

static void rest(void)
{
	static uint64_t timer = ~0ull; /* as it stands; ~0: off */

	if (fw_todo & FW_AGAIN || cpu_pending() & ~CPU_TIMER_BIT)
		return;
	if (fw_todo & (FW_ANNOUNCE | FW_LOG) && spare_time())
		return;
	if (fw_alarm != timer) {
		timer = fw_alarm;
		cpu_timer_set(timer);
		if (timer == ~0ull)
			cpu_disable(CPU_TIMER_BIT);
		else
			cpu_enable(CPU_TIMER_BIT);
	}
	if (!cpu_pending())
		cpu_wfi();
}

#define SPARE_PASSES 256u /* without end of other work: it does not wait without end */

void fw_pass(void)
{
	static uint32_t passes;
	uint32_t lines = cpu_pending();

	fw_alarm = ~0ull;
	fw_todo &= ~(uint32_t)FW_AGAIN;
	if (lines & CPU_LINE_BIT(CAIRN_IRQ_DMA))
		dma_poll();
	if (lines & (CPU_LINE_BIT(CAIRN_IRQ_LINK) | CPU_LINE_BIT(CAIRN_IRQ_EVT)) ||
	    fw_todo & FW_EVENTS) {
		link_poll();
		qp_events_poll();
	}
	cmd_poll(lines & CPU_LINE_BIT(CAIRN_IRQ_CMD));
	if (lines & CPU_LINE_BIT(CAIRN_IRQ_RAW) || fw_todo & FW_QUESTION)
		net_poll(cmd_busy());
	if (++passes % SPARE_PASSES == 0)
		spare_time();
	rest();
}

#ifndef FW_HOSTED /* unit tests have a main() of their own */
int main(void)
{
	fw_start();
	for (;;)
		fw_pass();
}
#endif
