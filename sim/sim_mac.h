/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MAC of one NIC: beats of the core's mac_tx and mac_rx streams to and from frames of the wire.
 *
 * Transmit: the core is taken beats from as fast as the line sends them, with two beats of buffer;
 * ready drops when the line is behind, and between frames while the port that the NIC shares with
 * others has enough to send (sim_wire_waits()).  A frame's time is the end of its FCS on the line.
 * Receive: a frame is given to the core without gaps, a beat a cycle, so that its last beat is not
 * before the frame's last bit is there; frames never closer than the line can carry them.  There is
 * no back-pressure.
 *
 * Frames that the core sends to itself never come here.  It shows them where they enter its receive
 * side, for captures (sim_wire_looped()).
 */
#ifndef CAIRN_SIM_MAC_H
#define CAIRN_SIM_MAC_H

#include "sim_dut.h"
#include "sim_wire.h"

struct sim_mac {
	struct sim_wire *wire;
	unsigned int port;
	unsigned int beat;		/* bytes */
	unsigned int period;		/* ns */
	/* the core's ports, storage of the model */
	uint8_t *rx_valid, *rx_last, *rx_err, *rx_data, *rx_nbytes, *tx_ready;
	const uint8_t *tx_valid, *tx_last, *tx_err, *tx_data, *tx_nbytes;
	/* transmit */
	struct sim_line line;
	uint32_t slack;			/* ns that the line may be behind and still take a beat */
	bool can_underrun;		/* the core is fast enough for the line */
	uint32_t tx_len;		/* bytes of the frame so far; 0: between frames */
	bool tx_too_long;
	uint8_t tx_buf[SIM_FRAME_MAX];
	/* receive */
	struct sim_frame *rx;		/* being given to the core */
	uint32_t rx_off;
	uint64_t rx_end;		/* last bit of the frame before, ns */
	/* what the core loops inside, which it only shows; NULL: it has no such ports */
	const uint8_t *loop_valid, *loop_last, *loop_data, *loop_nbytes;
	uint32_t loop_len;
	uint8_t loop_buf[SIM_FRAME_MAX];
};

/* 0, or -ENOENT with the missing port in *missing. */
int sim_mac_init(struct sim_mac *mac, struct sim_wire *wire, unsigned int port, unsigned int period,
		 const struct sim_dut_ops *ops, struct sim_dut *dut, const char **missing);
void sim_mac_free(struct sim_mac *mac);

/* Set the inputs of the cycle at `now`. */
void sim_mac_drive(struct sim_mac *mac, uint64_t now);
/*
 * The outputs have settled: take the beat that the rising edge will move; true if there was valid.
 */
bool sim_mac_sample(struct sim_mac *mac, uint64_t now);
/*
 * When the core must be clocked to receive: a time not after now while in a frame; SIM_NEVER:
 * nothing comes.
 */
uint64_t sim_mac_next(const struct sim_mac *mac);

#endif
