/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulated Ethernet between NICs: frames with a time, nothing about beats or clocks (that is
 * sim_mac.c).
 *
 * Ports 0 .. nics-1 are the NICs; if an external peer is attached (TAP device or datagram socket)
 * it is the last port.  Two ports are joined by a cable; more by a learning switch with one egress
 * queue a port.  With nics_per_port so many NICs, which follow one another, are functions of one
 * host behind one port: a switch inside the host joins them and the port, without cables, and they
 * wait when more than the port carries is on its way out (sim_wire_waits()).  A frame is counted
 * on the wire with preamble (8), FCS (4) and gap (12), and is at least 60 bytes without FCS.
 * Times are device nanoseconds; serialization is exact (fractions of a ns are carried on).
 *
 * Faults are applied to a frame on its way from port a to port b, after the last switch has chosen
 * b, inside a host too: first rules (sim_rule.h, docs/rules.md), then probabilities.  Each
 * direction a>b has random numbers of its own.
 */
#ifndef CAIRN_SIM_WIRE_H
#define CAIRN_SIM_WIRE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SIM_FRAME_MAX		16384	/* longest frame, FCS excluded */
#define SIM_FRAME_MIN		60
#define SIM_WIRE_PREAMBLE	8	/* with SFD */
#define SIM_WIRE_FCS		4
#define SIM_WIRE_GAP		12
#define SIM_WIRE_OVERHEAD	(SIM_WIRE_PREAMBLE + SIM_WIRE_FCS + SIM_WIRE_GAP)
#define SIM_MAX_NICS		64
#define SIM_MAX_PORTS		(SIM_MAX_NICS + 1)
#define SIM_NEVER		UINT64_MAX

struct sim_wire;
struct sim_pcap;

struct sim_frame {
	struct sim_frame *next;
	uint64_t t;		/* ns: last bit at the place where the frame is now */
	uint32_t len;		/* bytes, without preamble and FCS */
	unsigned int src;	/* the port that sent it */
	bool err;		/* the FCS is wrong */
	uint8_t data[];
};

struct sim_wire_cfg {
	unsigned int nics;
	unsigned int nics_per_port;	/* that share one; 0, 1: each has its own */
	uint32_t mbps;			/* link rate in Mb/s */
	uint64_t delay_ns;		/* of each cable, one way */
	uint64_t seed;
	double loss, reorder, dup, corrupt, ecn;	/* probabilities per frame, 0 to 1 */
	const char *const *rules;	/* texts, see docs/rules.md */
	unsigned int n_rules;
	const char *peer;		/* NULL or "link": none; "tap:NAME"; "dgram:LOCAL,REMOTE" */
	/*
	 * Or a peer in this process: gets each frame when its last bit has arrived, and sends with
	 * sim_wire_send() at port `nics`.
	 */
	void (*peer_fn)(void *arg, const struct sim_frame *frame);
	void *peer_arg;
	uint32_t queue_bytes;		/* switch egress queue of a port; 0: 512 KiB */
	/*
	 * File, or NULL: every frame once, as it leaves its transmitter.  If the name ends in
	 * .pcapng, by port: what leaves each port, faults not included, and what reaches each NIC.
	 */
	const char *pcap;
	/* file, or NULL: what NIC pcap_nic sends and what reaches it, faults included */
	const char *pcap_nic_file;
	unsigned int pcap_nic;
};

/* Counted per port, from the wire's point of view: tx = sent by the NIC or peer at that port. */
struct sim_wire_stats {
	uint64_t tx_frames, tx_bytes;	/* bytes without FCS, preamble, gap */
	uint64_t tx_wire_bytes;		/* with them */
	uint64_t tx_bad_fcs;		/* ended by the transmitter with a bad FCS */
	uint64_t tx_underrun;		/* beats that came too late inside a frame */
	uint64_t rx_frames, rx_bytes;	/* handed to the port */
	uint64_t rx_bad_fcs;
	uint64_t rx_overrun; /* dropped: the receiver's MAC takes fewer bits than the link brings */
	/* frames sent by this port that met a fault */
	uint64_t dropped, corrupted, duplicated, reordered, delayed, ecn_marked, truncated;
	/* dropped: egress queue of this port full; of one that NICs share, at the first of them */
	uint64_t queue_drop;
	uint64_t link_down;		/* dropped: link of sender or receiver down */
	uint64_t peer_drop;		/* dropped: the external peer did not take the frame */
	uint64_t loop_frames, loop_bytes; /* looped inside the NIC; in none of the others */
};

/*
 * NULL with a message in err (at least SIM_ERR_MAX bytes) when cfg is wrong or a file or peer
 * cannot be opened.
 */
#define SIM_ERR_MAX 512
struct sim_wire *sim_wire_new(const struct sim_wire_cfg *cfg, char *err);
void sim_wire_free(struct sim_wire *wire);

struct sim_frame *sim_frame_new(const void *data, uint32_t len);
void sim_frame_free(struct sim_frame *frame);

/*
 * Serialization of a transmitter or receiver at link rate: the first moment at which the line is
 * free again, exact.  add() puts `bytes` on the line, starting at now or when it is free, and
 * returns the end in ns (rounded up).
 */
struct sim_line {
	uint64_t ns;
	uint32_t frac;		/* in units of 1 / mbps ns */
	uint32_t mbps;
};

uint64_t sim_line_add(struct sim_line *line, uint64_t now, uint32_t bytes);
/* A whole frame of len bytes, with all overhead; returns the end of its FCS. */
uint64_t sim_line_frame(struct sim_line *line, uint64_t now, uint32_t len);

/* Bytes that a frame of len bytes takes on the line, preamble to gap. */
static inline uint32_t sim_wire_bytes(uint32_t len)
{
	return (len < SIM_FRAME_MIN ? SIM_FRAME_MIN : len) + SIM_WIRE_OVERHEAD;
}

/*
 * A transmitter gives a frame away at the time `now` of the simulation (the wire owns it from
 * here); frame->t is when its last bit (FCS) leaves, now or later.
 */
void sim_wire_send(struct sim_wire *wire, unsigned int port, struct sim_frame *frame, uint64_t now);

/*
 * Shall the port's transmitter not begin a frame, since enough of it and of those that it shares
 * its host's port with waits for that one?
 */
bool sim_wire_waits(const struct sim_wire *wire, unsigned int port, uint64_t now);

/*
 * A NIC has given its own receive side a frame that it sent to itself (multicast: a copy of one
 * that went out as well).  It was on no wire: no faults, no taps but this; captures have it.
 */
void sim_wire_looped(struct sim_wire *wire, unsigned int port, const void *data, uint32_t len,
		     uint64_t now);

/*
 * The oldest frame on its way to a NIC's receiver (frame->t: when its last bit arrives), or NULL.
 * It may be replaced by an earlier one until it is taken.
 */
const struct sim_frame *sim_wire_peek(const struct sim_wire *wire, unsigned int port);
struct sim_frame *sim_wire_take(struct sim_wire *wire, unsigned int port);
/* Instead of taking it: the MAC has no room for the frame (counted as rx_overrun). */
void sim_wire_overrun(struct sim_wire *wire, unsigned int port);

/*
 * Move what is due at `now` through the switch, release held frames, send to the external peer.
 * sim_wire_next() is the earliest time at which it has such work (SIM_NEVER: none); it costs one
 * load.
 */
void sim_wire_advance(struct sim_wire *wire, uint64_t now);
uint64_t sim_wire_next(const struct sim_wire *wire);

/* External peer: its descriptor for poll (fd -1: none), and reading what it sent. */
struct pollfd sim_wire_pollfd(const struct sim_wire *wire);
void sim_wire_receive(struct sim_wire *wire, uint64_t now);

/* A port whose link is down neither sends nor receives. */
void sim_wire_set_link(struct sim_wire *wire, unsigned int port, bool up);
bool sim_wire_link(const struct sim_wire *wire, unsigned int port);

const struct sim_wire_cfg *sim_wire_cfg(const struct sim_wire *wire);
unsigned int sim_wire_ports(const struct sim_wire *wire);
/* Writable so that sim_mac.c can count what only it sees. */
struct sim_wire_stats *sim_wire_stats(struct sim_wire *wire, unsigned int port);
/* Counters with their names, for the statistics page: returns false past the last one. */
bool sim_wire_stat_at(const struct sim_wire_stats *stats, unsigned int index, const char **name,
		      uint64_t *value);

/* One more rule from now on.  0, or -EINVAL with a message in err. */
int sim_wire_add_rule(struct sim_wire *wire, const char *text, char *err);
void sim_wire_clear_rules(struct sim_wire *wire);
/* How often rule `index` (in order of addition) has acted. */
uint64_t sim_wire_rule_hits(const struct sim_wire *wire, unsigned int index);

/*
 * Also see every frame as it leaves its transmitter, or as a NIC's MAC begins to take it in (tests,
 * checkers), or what a NIC loops inside.  One callback each.
 */
typedef void (*sim_wire_tap_fn)(void *arg, unsigned int port, const struct sim_frame *frame);
void sim_wire_set_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg);
void sim_wire_set_rx_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg);
void sim_wire_set_loop_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg);

/* A capture that could not be written to: its file and -errno; 0: none. */
int sim_wire_failed(struct sim_wire *wire, const char **file);
/* Flush pcap files (they are also flushed at sim_wire_free()). */
void sim_wire_flush(struct sim_wire *wire);

#endif
