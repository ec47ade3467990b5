// SPDX-License-Identifier: Apache-2.0
/*
 * A learning store-and-forward switch between more than two ports.  A frame enters when its last
 * bit has arrived; frames of all ports are handled in order of that time.  Each port has an egress
 * line at link rate and a queue of cfg.queue_bytes in front of it; what does not fit is dropped and
 * counted at that port.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_wire_priv.h"

static uint64_t mac_at(const uint8_t *p)
{
	uint64_t mac = 0;

	for (int i = 0; i < 6; i++)
		mac = mac << 8 | p[i];
	return mac;
}

static struct sim_station *station(struct sim_wire *wire, uint64_t mac)
{
	return &wire->stations[(mac * 0x9e3779b97f4a7c15ULL >> 40) % SIM_STATIONS];
}

void sim_switch_in(struct sim_wire *wire, unsigned int src, struct sim_frame *frame)
{
	sim_fifo_insert(&wire->port[src].in, frame);
	sim_wire_due(wire, frame->t);
}

/* Out of one port: wait for the line, then the cable. */
static void forward(struct sim_wire *wire, unsigned int src, unsigned int dst,
		    struct sim_frame *frame)
{
	struct sim_port *port = &wire->port[dst];
	uint64_t backlog_ns = port->egress.ns > frame->t ? port->egress.ns - frame->t : 0;
	uint64_t now = frame->t;

	if (backlog_ns * wire->cfg.mbps / 8000 + frame->len > wire->cfg.queue_bytes) {
		port->stats.queue_drop++;
		sim_frame_free(frame);
		return;
	}
	frame->t = sim_line_frame(&port->egress, now, frame->len) + wire->cfg.delay_ns;
	sim_fault_pass(wire, src, dst, frame, now);
}

static void handle(struct sim_wire *wire, unsigned int src, struct sim_frame *frame)
{
	uint64_t dst_mac = mac_at(frame->data), src_mac = mac_at(frame->data + 6);
	struct sim_station *to = station(wire, dst_mac), *from = station(wire, src_mac);
	bool group = dst_mac >> 40 & 1;

	/* Store and forward: a bad FCS ends here, as a runt would. */
	if (frame->err) {
		sim_frame_free(frame);
		return;
	}
	if (!(src_mac >> 40 & 1))
		*from = (struct sim_station){ src_mac, src };
	if (!group && to->mac == dst_mac) {
		if (to->port == src)
			sim_frame_free(frame);
		else
			forward(wire, src, to->port, frame);
		return;
	}
	for (unsigned int dst = 0; dst < wire->n_ports; dst++) {
		struct sim_frame *copy = dst == src ? NULL : sim_frame_new(frame->data, frame->len);

		if (!copy)
			continue;
		copy->t = frame->t;
		forward(wire, src, dst, copy);
	}
	sim_frame_free(frame);
}

/* The port whose next frame is first; ties go to the lower port. */
static unsigned int earliest(const struct sim_wire *wire)
{
	unsigned int best = 0;

	for (unsigned int i = 1; i < wire->n_ports; i++)
		if (sim_fifo_next(&wire->port[i].in) < sim_fifo_next(&wire->port[best].in))
			best = i;
	return best;
}

void sim_switch_run(struct sim_wire *wire, uint64_t now)
{
	for (;;) {
		unsigned int src = earliest(wire);

		if (sim_fifo_next(&wire->port[src].in) > now)
			return;
		handle(wire, src, sim_fifo_pop(&wire->port[src].in));
	}
}

uint64_t sim_switch_next(const struct sim_wire *wire)
{
	return sim_fifo_next(&wire->port[earliest(wire)].in);
}
