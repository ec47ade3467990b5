// SPDX-License-Identifier: Apache-2.0
/* Frames, queues of them in the order of their times, and lines that carry them at link rate. */
#include <stdlib.h>
#include <string.h>

#include "sim_wire_priv.h"

/* ---- frames ---- */

struct sim_frame *sim_frame_new(const void *data, uint32_t len)
{
	uint32_t room = len < SIM_FRAME_MIN ? SIM_FRAME_MIN : len;
	struct sim_frame *frame = malloc(sizeof(*frame) + room);

	if (!frame)
		return NULL;
	*frame = (struct sim_frame){ .len = len };
	if (data)
		memcpy(frame->data, data, len);
	return frame;
}

void sim_frame_free(struct sim_frame *frame)
{
	free(frame);
}

void sim_fifo_insert(struct sim_fifo *fifo, struct sim_frame *frame)
{
	struct sim_frame **at = &fifo->head;

	if (!fifo->head || fifo->tail->t <= frame->t) {
		frame->next = NULL;
		if (fifo->head)
			fifo->tail->next = frame;
		else
			fifo->head = frame;
		fifo->tail = frame;
		return;
	}
	while ((*at)->t <= frame->t)
		at = &(*at)->next;
	frame->next = *at;
	*at = frame;
}

struct sim_frame *sim_fifo_pop(struct sim_fifo *fifo)
{
	struct sim_frame *frame = fifo->head;

	if (frame)
		fifo->head = frame->next;
	return frame;
}

void sim_fifo_clear(struct sim_fifo *fifo)
{
	struct sim_frame *frame;

	while ((frame = sim_fifo_pop(fifo)))
		sim_frame_free(frame);
}

/* ---- a line at link rate ---- */

uint64_t sim_line_add(struct sim_line *line, uint64_t now, uint32_t bytes)
{
	uint64_t part;

	if (line->ns < now) {
		line->ns = now;
		line->frac = 0;
	}
	/* a byte takes 8000 / mbps ns */
	part = line->frac + bytes * 8000ULL;
	line->ns += part / line->mbps;
	line->frac = (uint32_t)(part % line->mbps);
	return line->ns + (line->frac != 0);
}

uint64_t sim_line_frame(struct sim_line *line, uint64_t now, uint32_t len)
{
	uint64_t end = sim_line_add(line, now, sim_wire_bytes(len) - SIM_WIRE_GAP);

	sim_line_add(line, now, SIM_WIRE_GAP);
	return end;
}
