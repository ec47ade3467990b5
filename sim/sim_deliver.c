// SPDX-License-Identifier: Apache-2.0
/* The end of a frame's way: the port that it is for, and what a capture says of it. */
#include <stdio.h>

#include "sim_wire_priv.h"

void sim_wire_note(struct sim_wire *wire, const char *what, const char *text)
{
	char line[SIM_ERR_MAX * 2];

	if (!wire->pcap || !wire->pcap_by_port)
		return;
	snprintf(line, sizeof(line), "%s %s", what, text);
	sim_pcap_note(wire->pcap, 0, line);
}

void sim_wire_note_lost(struct sim_wire *wire, unsigned int port)
{
	char name[16];

	snprintf(name, sizeof(name), port < wire->cfg.nics ? "nic%u" : "peer", port);
	sim_wire_note(wire, "lost", name);
}

void sim_wire_deliver(struct sim_wire *wire, unsigned int dst, struct sim_frame *frame)
{
	struct sim_port *port = &wire->port[dst];

	if (port->down) {
		port->stats.link_down++;
		sim_wire_note_lost(wire, dst);
		sim_frame_free(frame);
		return;
	}
	sim_fifo_insert(&port->rx, frame);
	if (dst == wire->cfg.nics)
		sim_wire_due(wire, frame->t);
}
