// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware log: lines "code text a b".  Each goes to the console, and to the host's log ring
 * (LOG_BASE, struct log_entry) when there is one; the last RING records wait here, older ones are
 * overwritten: a log never holds anything up.  Lines are made when there is nothing else to do, a
 * few characters at a time.
 */
#include <string.h>

#include "dma.h"
#include "log.h"
#include "loop.h"

#define RING 16u
#define CHARS 8u /* to the console in one pass of the event loop */

static struct {
	uint64_t time;
	const char *text;
	uint32_t code, a, b;
} pending[RING] CPU_NOINIT;
static uint32_t head, tail; /* free-running: written, made into lines */

static struct cairn_log_entry line;
static const char *shown; /* what of it is still to go to the console; NULL: none */
static bool due, sending; /* it is to go to the host; it is on its way */

static char *put_hex(char *p, uint32_t value)
{
	*p++ = ' ';
	for (int shift = 28; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[value >> shift & 15];
	return p;
}

void fw_log(uint32_t code, const char *text, uint32_t a, uint32_t b)
{
	unsigned int at = head++ % RING;

	pending[at].time = cpu_now();
	pending[at].text = text;
	pending[at].code = code;
	pending[at].a = a;
	pending[at].b = b;
	if (head - tail > RING)
		tail = head - RING;
	fw_todo |= FW_LOG;
}

static void line_make(void)
{
	unsigned int at = tail++ % RING;
	const char *text = pending[at].text;
	char *p = (char *)line.text, *room = p + sizeof(line.text) - 19;

	memset(&line, 0, sizeof(line));
	line.time = pending[at].time;
	line.code = pending[at].code;
	line.seq = tail;
	while (*text && p < room)
		*p++ = *text++;
	put_hex(put_hex(p, pending[at].a), pending[at].b);
	shown = (const char *)line.text;
	due = true;
}

static void line_send(void)
{
	uint64_t base = reg_read64(REG(MBX, MBX_LOG_BASE));
	uint32_t mask;

	due = false;
	if (!base)
		return;
	mask = (1u << (mmio_read32(REG(MBX, MBX_LOG_SIZE)) & 31)) - 1;
	dma_start_write(DMA_SLOT_LOG, &line, base + ((line.seq - 1) & mask) * sizeof(line),
			sizeof(line), 0);
	sending = true;
}

bool log_poll(void)
{
	bool err;

	if (sending && dma_ended(DMA_SLOT_LOG, &err))
		sending = false;
	if (shown) {
		for (unsigned int i = 0; i < CHARS && *shown; i++)
			cpu_putc(*shown++);
		if (!*shown) {
			cpu_putc('\n');
			shown = NULL;
		}
		return true;
	}
	if (sending)
		return false;
	if (due)
		line_send();
	else if (head != tail)
		line_make();
	else {
		fw_todo &= ~(uint32_t)FW_LOG;
		return false;
	}
	return true;
}
