// SPDX-License-Identifier: Apache-2.0
/*
 * Learning store-and-forward switches.  One is in the middle, between more than two ports; where
 * NICs share a port, each host has one of its own between them and the port, its uplink.  They make
 * a tree.
 *
 * A frame enters a switch when its last bit has arrived; frames of all ports are handled in order
 * of that time.  Each port has an egress line at link rate and a queue of cfg.queue_bytes in front
 * of it; what does not fit is dropped and counted at that port.  An uplink drops nothing: NICs
 * begin no frame while UPLINK_BYTES wait there, as the functions of a real NIC wait for its one
 * MAC.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_wire_priv.h"

#define UPLINK_BYTES 16384

/* ---- what is joined to what ---- */

static void join_port(struct sim_wire *wire, unsigned int port, struct sim_switch *sw,
		      unsigned int sw_port, uint64_t delay_ns)
{
	wire->port[port].at = sw;
	wire->port[port].at_port = sw_port;
	sw->port[sw_port].to_port = sw->port[sw_port].counts_at = port;
	sw->port[sw_port].delay_ns = delay_ns;
}

/* The switch of a host, by its last port, and another one. */
static void join_host(struct sim_wire *wire, struct sim_switch *host, unsigned int first_nic,
		      struct sim_switch *sw, unsigned int sw_port)
{
	struct sim_swport *up = &host->port[host->n_ports - 1], *down = &sw->port[sw_port];

	up->to = sw;
	up->to_port = sw_port;
	down->to = host;
	down->to_port = host->n_ports - 1;
	up->delay_ns = down->delay_ns = wire->cfg.delay_ns;
	down->counts_at = first_nic;
}

static bool make(struct sim_wire *wire, struct sim_switch *sw, unsigned int n_ports)
{
	sw->n_ports = n_ports;
	sw->port = calloc(n_ports, sizeof(*sw->port));
	for (unsigned int i = 0; sw->port && i < n_ports; i++)
		sw->port[i].egress.mbps = wire->cfg.mbps;
	return sw->port != NULL;
}

/* The NICs of each host to its switch; `ends` hosts and peer are to be joined by their uplinks. */
static bool make_hosts(struct sim_wire *wire, struct sim_switch *host, unsigned int hosts,
		       unsigned int ends)
{
	unsigned int share = wire->cfg.nics_per_port;

	for (unsigned int h = 0; h < hosts; h++) {
		if (!make(wire, &host[h], share + (ends > 1)))
			return false;
		for (unsigned int i = 0; i < share; i++)
			join_port(wire, h * share + i, &host[h], i, 0);
		if (ends > 1)
			host[h].port[share].uplink = true;
	}
	return true;
}

bool sim_switch_init(struct sim_wire *wire)
{
	unsigned int share = wire->cfg.nics_per_port > 1 ? wire->cfg.nics_per_port : 1;
	unsigned int hosts = wire->cfg.nics / share, ends = wire->n_ports - wire->cfg.nics + hosts;
	bool middle = ends > 2;
	unsigned int n = middle + (share > 1 ? hosts : 0);
	struct sim_switch *host;

	if (!n)
		return true;
	wire->switches = calloc(n, sizeof(*wire->switches));
	if (!wire->switches)
		return false;
	wire->n_switches = n;
	host = wire->switches + middle;
	if ((middle && !make(wire, wire->switches, ends)) ||
	    (share > 1 && !make_hosts(wire, host, hosts, ends)))
		return false;
	for (unsigned int h = 0; h < hosts && middle; h++)
		if (share > 1)
			join_host(wire, &host[h], h * share, wire->switches, h);
		else
			join_port(wire, h, wire->switches, h, wire->cfg.delay_ns);
	if (middle && hosts < ends)
		join_port(wire, wire->cfg.nics, wire->switches, hosts, wire->cfg.delay_ns);
	else if (hosts < ends)
		join_port(wire, wire->cfg.nics, host, share, wire->cfg.delay_ns);
	else if (!middle && hosts == 2)
		join_host(wire, &host[0], 0, &host[1], share);
	return true;
}

void sim_switch_free(struct sim_wire *wire)
{
	for (unsigned int s = 0; s < wire->n_switches; s++) {
		struct sim_switch *sw = &wire->switches[s];

		for (unsigned int i = 0; sw->port && i < sw->n_ports; i++)
			sim_fifo_clear(&sw->port[i].in);
		free(sw->port);
	}
	free(wire->switches);
}

/* ---- frames ---- */

static uint64_t mac_at(const uint8_t *p)
{
	uint64_t mac = 0;

	for (int i = 0; i < 6; i++)
		mac = mac << 8 | p[i];
	return mac;
}

static struct sim_station *station(struct sim_switch *sw, uint64_t mac)
{
	return &sw->stations[(mac * 0x9e3779b97f4a7c15ULL >> 40) % SIM_STATIONS];
}

/* What waits at `now` to go out of a port. */
static uint64_t backlog(const struct sim_wire *wire, const struct sim_swport *port, uint64_t now)
{
	return port->egress.ns > now ? (port->egress.ns - now) * wire->cfg.mbps / 8000 : 0;
}

bool sim_wire_waits(const struct sim_wire *wire, unsigned int port, uint64_t now)
{
	const struct sim_switch *sw = wire->port[port].at;
	const struct sim_swport *last = sw ? &sw->port[sw->n_ports - 1] : NULL;

	return last && last->uplink && backlog(wire, last, now) > UPLINK_BYTES;
}

void sim_switch_in(struct sim_wire *wire, struct sim_switch *sw, unsigned int port,
		   struct sim_frame *frame)
{
	sim_fifo_insert(&sw->port[port].in, frame);
	sim_wire_due(wire, frame->t);
}

/* Out of one port: wait for the line, then the cable. */
static void forward(struct sim_wire *wire, struct sim_swport *out, struct sim_frame *frame)
{
	uint64_t now = frame->t;

	if (!out->uplink && backlog(wire, out, now) + frame->len > wire->cfg.queue_bytes) {
		wire->port[out->counts_at].stats.queue_drop++;
		sim_frame_free(frame);
		return;
	}
	frame->t = sim_line_frame(&out->egress, now, frame->len) + out->delay_ns;
	if (out->to)
		sim_switch_in(wire, out->to, out->to_port, frame);
	else
		sim_fault_pass(wire, frame->src, out->to_port, frame, now);
}

static void handle(struct sim_wire *wire, struct sim_switch *sw, unsigned int src,
		   struct sim_frame *frame)
{
	uint64_t dst_mac = mac_at(frame->data), src_mac = mac_at(frame->data + 6);
	struct sim_station *to = station(sw, dst_mac), *from = station(sw, src_mac);
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
			forward(wire, &sw->port[to->port], frame);
		return;
	}
	for (unsigned int dst = 0; dst < sw->n_ports; dst++) {
		struct sim_frame *copy = dst == src ? NULL : sim_frame_new(frame->data, frame->len);

		if (!copy)
			continue;
		copy->t = frame->t;
		copy->src = frame->src;
		forward(wire, &sw->port[dst], copy);
	}
	sim_frame_free(frame);
}

/* Where the next frame comes in: ties go to the first switch, the lower port. */
static uint64_t earliest(const struct sim_wire *wire, struct sim_switch **sw, unsigned int *port)
{
	uint64_t first = SIM_NEVER;

	for (unsigned int s = 0; s < wire->n_switches; s++)
		for (unsigned int i = 0; i < wire->switches[s].n_ports; i++) {
			uint64_t t = sim_fifo_next(&wire->switches[s].port[i].in);

			if (t >= first)
				continue;
			first = t;
			*sw = &wire->switches[s];
			*port = i;
		}
	return first;
}

void sim_switch_run(struct sim_wire *wire, uint64_t now)
{
	struct sim_switch *sw = NULL;
	unsigned int port = 0;

	while (earliest(wire, &sw, &port) <= now)
		handle(wire, sw, port, sim_fifo_pop(&sw->port[port].in));
}

uint64_t sim_switch_next(const struct sim_wire *wire)
{
	struct sim_switch *sw;
	unsigned int port;

	return earliest(wire, &sw, &port);
}
