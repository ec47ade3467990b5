/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the wire, from above: sim_wire.c (life, entry points), sim_switch.c (more than two ports,
 * or ports that NICs share), sim_peer.c (TAP and datagram sockets), sim_fault.c (rules and
 * probabilities between a transmitter and a receiver), sim_deliver.c (the receiver's port),
 * sim_frame.c (frames, queues, lines).
 *
 * A frame's way:  sim_wire_send -> [switch: sim_switch_in .. sim_switch_run ->] sim_fault_pass ->
 * sim_wire_deliver
 */
#ifndef CAIRN_SIM_WIRE_PRIV_H
#define CAIRN_SIM_WIRE_PRIV_H

#include <sys/types.h>

#include "sim_pcap.h"
#include "sim_rand.h"
#include "sim_rule.h"
#include "sim_wire.h"

/* Frames in order of ->t; equal times keep the order of insertion. */
struct sim_fifo {
	struct sim_frame *head, *tail;
};

void sim_fifo_insert(struct sim_fifo *fifo, struct sim_frame *frame);
struct sim_frame *sim_fifo_pop(struct sim_fifo *fifo);
void sim_fifo_clear(struct sim_fifo *fifo);

static inline uint64_t sim_fifo_next(const struct sim_fifo *fifo)
{
	return fifo->head ? fifo->head->t : SIM_NEVER;
}

/* A frame that a reorder fault keeps back. */
struct sim_held {
	struct sim_held *next;
	struct sim_frame *frame;
	unsigned int src, dst;
	unsigned int left;		/* later frames of its direction still to pass */
	uint64_t until;			/* goes anyway then */
};

struct sim_port {
	bool down;
	struct sim_fifo rx;		/* on the way to this port */
	struct sim_wire_stats stats;
	struct sim_switch *at;		/* where its cable ends; NULL: at the other port, if any */
	unsigned int at_port;		/* of that switch */
};

/* Station to port, learned from source addresses. */
struct sim_station {
	uint64_t mac;
	unsigned int port;
};

#define SIM_STATIONS 1024

/* A port of a switch, its line, and what is at the other end. */
struct sim_swport {
	struct sim_fifo in;		/* on the way to the switch */
	struct sim_line egress;
	uint64_t delay_ns;		/* of the cable */
	bool uplink;			/* from inside a host to its port */
	struct sim_switch *to;		/* a switch, or NULL: a port of the wire */
	unsigned int to_port;
	unsigned int counts_at;		/* port of the wire whose statistics have its drops */
};

struct sim_switch {
	unsigned int n_ports;
	struct sim_swport *port;
	struct sim_station stations[SIM_STATIONS];
};

struct sim_peer {
	int fd;				/* -1: none */
	bool tap;
	char local[108];		/* socket file to remove at the end */
	dev_t dev;			/* which it was when it was made */
	ino_t ino;
	uint8_t remote[128];		/* struct sockaddr_un */
	uint32_t remote_len;
	struct sim_line line;		/* what it sends, at link rate */
	uint64_t retry_at;		/* do not try to send before */
};

struct sim_wire {
	struct sim_wire_cfg cfg;
	unsigned int n_ports;
	unsigned int n_switches;	/* the one in the middle first, if there is one */
	struct sim_switch *switches;
	bool told;			/* that a capture cannot be written */
	bool faults;			/* any probability is not zero */
	struct sim_rules rules;
	struct sim_rand *rand;		/* [src * n_ports + dst] */
	struct sim_held *held;
	struct sim_peer peer;
	struct sim_pcap *pcap, *pcap_nic;
	bool pcap_by_port;
	sim_wire_tap_fn tap, rx_tap, loop_tap;
	void *tap_arg, *rx_tap_arg, *loop_tap_arg;
	uint64_t next;			/* earliest work of sim_wire_advance() */
	struct sim_port port[SIM_MAX_PORTS];
};

static inline void sim_wire_due(struct sim_wire *wire, uint64_t t)
{
	if (t < wire->next)
		wire->next = t;
}

/* Takes the frame, whose ->t is when its last bit would arrive at dst without faults. */
void sim_fault_pass(struct sim_wire *wire, unsigned int src, unsigned int dst,
		    struct sim_frame *frame, uint64_t now);
/* Release held frames that waited long enough. */
void sim_fault_run(struct sim_wire *wire, uint64_t now);
uint64_t sim_fault_next(const struct sim_wire *wire);
void sim_fault_clear(struct sim_wire *wire);

/* A capture by port tells what the wire was asked for: its reader sees whether it happened. */
void sim_wire_note(struct sim_wire *wire, const char *what, const char *text);
/* A frame on its way to this port gets no further. */
void sim_wire_note_lost(struct sim_wire *wire, unsigned int port);
/* Takes the frame: it will be at dst at frame->t. */
void sim_wire_deliver(struct sim_wire *wire, unsigned int dst, struct sim_frame *frame);

/* Makes the switches that there are and joins the ports to them; false: out of memory. */
bool sim_switch_init(struct sim_wire *wire);
void sim_switch_free(struct sim_wire *wire);
/* Takes the frame, which is at that end of the port's cable at frame->t. */
void sim_switch_in(struct sim_wire *wire, struct sim_switch *sw, unsigned int port,
		   struct sim_frame *frame);
void sim_switch_run(struct sim_wire *wire, uint64_t now);
uint64_t sim_switch_next(const struct sim_wire *wire);

int sim_peer_open(struct sim_wire *wire, const char *spec, char *err);
void sim_peer_close(struct sim_wire *wire);
/* The next frame that it has sent; NULL: none now. */
struct sim_frame *sim_peer_receive(struct sim_wire *wire, uint64_t now);
/* Send what has arrived at the peer's port. */
void sim_peer_run(struct sim_wire *wire, uint64_t now);
uint64_t sim_peer_next(const struct sim_wire *wire);

#endif
