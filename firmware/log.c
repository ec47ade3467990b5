// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware log: lines "code text a b".  Each goes to the console, and to the host's log ring
 * (LOG_BASE, struct log_entry) when there is one; the last RING records wait here until the ring
 * can be written, older ones are overwritten: a log never holds anything up.
 */
#include <string.h>

#include "fw.h"

#define RING 16u

static struct cairn_log_entry pending[RING];
static uint32_t head, tail; /* free-running: written, sent */
static bool sending;

static char *put_hex(char *p, uint32_t value)
{
	*p++ = ' ';
	for (int shift = 28; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[value >> shift & 15];
	return p;
}

void fw_log(uint32_t code, const char *text, uint32_t a, uint32_t b)
{
	struct cairn_log_entry *e = &pending[head % RING];
	char *p = (char *)e->text, *room = p + sizeof(e->text) - 19;

	memset(e, 0, sizeof(*e));
	e->time = cpu_now();
	e->code = code;
	e->seq = ++head;
	while (*text && p < room)
		*p++ = *text++;
	p = put_hex(put_hex(p, a), b);
	for (const char *c = (const char *)e->text; *c; c++)
		cpu_putc(*c);
	cpu_putc('\n');
	if (head - tail > RING)
		tail = head - RING;
}

void log_poll(void)
{
	const struct cairn_log_entry *e = &pending[tail % RING];
	uint64_t base;
	uint32_t mask;
	bool err;

	if (sending && !dma_ended(DMA_SLOT_LOG, &err))
		return;
	sending = false;
	if (head == tail)
		return;
	base = reg_read64(REG(MBX, MBX_LOG_BASE));
	if (!base)
		return;
	mask = (1u << (mmio_read32(REG(MBX, MBX_LOG_SIZE)) & 31)) - 1;
	dma_copy_in(DMA_SLOT_LOG, 0, e, sizeof(*e));
	dma_start_write(DMA_SLOT_LOG, 0, base + ((e->seq - 1) & mask) * sizeof(*e), sizeof(*e), -1);
	sending = true;
	tail++;
}
