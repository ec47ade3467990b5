// SPDX-License-Identifier: Apache-2.0
/* MAC between the core's beats and the wire's frames (sim_mac.h). */
#include "sim_mac.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TX_BUFFER_BEATS	2
/* A MAC whose core is slower than the line keeps so many ns of frames before it drops. */
#define RX_BUFFER_BYTES	65536

int sim_mac_init(struct sim_mac *mac, struct sim_wire *wire, unsigned int port, unsigned int period,
		 const struct sim_dut_ops *ops, struct sim_dut *dut, const char **missing)
{
	const struct { const char *name; const uint8_t **bits; } ports[] = {
		{ "mac_rx_valid_i", (const uint8_t **)&mac->rx_valid },
		{ "mac_rx_last_i", (const uint8_t **)&mac->rx_last },
		{ "mac_rx_err_i", (const uint8_t **)&mac->rx_err },
		{ "mac_rx_data_i", (const uint8_t **)&mac->rx_data },
		{ "mac_rx_nbytes_i", (const uint8_t **)&mac->rx_nbytes },
		{ "mac_tx_ready_i", (const uint8_t **)&mac->tx_ready },
		{ "mac_tx_valid_o", &mac->tx_valid }, { "mac_tx_last_o", &mac->tx_last },
		{ "mac_tx_err_o", &mac->tx_err }, { "mac_tx_data_o", &mac->tx_data },
		{ "mac_tx_nbytes_o", &mac->tx_nbytes },
	};
	const struct { const char *name; const uint8_t **bits; } loop[] = {
		{ "loop_last_o", &mac->loop_last }, { "loop_data_o", &mac->loop_data },
		{ "loop_nbytes_o", &mac->loop_nbytes }, { "loop_valid_o", &mac->loop_valid },
	};
	uint32_t mbps = sim_wire_cfg(wire)->mbps;

	memset(mac, 0, sizeof(*mac));
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
		const struct sim_port *found = ops->find(dut, ports[i].name);

		*missing = ports[i].name;
		if (!found)
			return -ENOENT;
		*ports[i].bits = found->bits;
		if (found->bits == mac->rx_data)
			mac->beat = found->width / 8;
	}
	for (size_t i = 0; i < sizeof(loop) / sizeof(*loop); i++) {
		const struct sim_port *found = ops->find(dut, loop[i].name);

		*loop[i].bits = found ? found->bits : NULL;
	}
	mac->wire = wire;
	mac->port = port;
	mac->period = period;
	mac->line.mbps = mbps;
	mac->slack = (uint32_t)(TX_BUFFER_BEATS * mac->beat * 8000ULL / mbps);
	mac->can_underrun = mac->beat * 8000ULL >= (uint64_t)mbps * period;
	return 0;
}

void sim_mac_free(struct sim_mac *mac)
{
	sim_frame_free(mac->rx);
	mac->rx = NULL;
}

/* ---- receive ---- */

static uint32_t beats(const struct sim_mac *mac, uint32_t len)
{
	return (len + mac->beat - 1) / mac->beat;
}

/*
 * When the first beat of a frame may be given, so that beats follow without gaps and none is early.
 */
static uint64_t rx_start(const struct sim_mac *mac, const struct sim_frame *frame)
{
	uint64_t end = mac->rx_end + sim_wire_bytes(frame->len) * 8000ULL / mac->line.mbps;
	uint64_t lead = (uint64_t)(beats(mac, frame->len) - 1) * mac->period;

	if (end < frame->t)
		end = frame->t;
	return end > lead ? end - lead : 0;
}

static void rx_begin(struct sim_mac *mac, uint64_t now)
{
	const struct sim_frame *head = sim_wire_peek(mac->wire, mac->port);
	uint64_t lead;

	if (!head || rx_start(mac, head) > now)
		return;
	lead = (uint64_t)(beats(mac, head->len) - 1) * mac->period;
	if (now + lead > head->t + RX_BUFFER_BYTES * 8000ULL / mac->line.mbps &&
	    !mac->can_underrun) {
		sim_wire_overrun(mac->wire, mac->port);
		return;
	}
	mac->rx_end += sim_wire_bytes(head->len) * 8000ULL / mac->line.mbps;
	if (mac->rx_end < head->t)
		mac->rx_end = head->t;
	mac->rx = sim_wire_take(mac->wire, mac->port);
	mac->rx_off = 0;
}

static void rx_beat(struct sim_mac *mac)
{
	uint32_t left = mac->rx->len - mac->rx_off, n = left < mac->beat ? left : mac->beat;

	memcpy(mac->rx_data, mac->rx->data + mac->rx_off, n);
	mac->rx_off += n;
	*mac->rx_nbytes = (uint8_t)n;
	*mac->rx_valid = 1;
	*mac->rx_last = n == left;
	*mac->rx_err = n == left && mac->rx->err;
	if (n == left) {
		sim_frame_free(mac->rx);
		mac->rx = NULL;
	}
}

void sim_mac_drive(struct sim_mac *mac, uint64_t now)
{
	*mac->tx_ready = mac->line.ns <= now + mac->slack &&
			 (mac->tx_len || !sim_wire_waits(mac->wire, mac->port, now));
	*mac->rx_valid = 0;
	if (!mac->rx)
		rx_begin(mac, now);
	if (mac->rx)
		rx_beat(mac);
}

uint64_t sim_mac_next(const struct sim_mac *mac)
{
	const struct sim_frame *head;

	if (mac->rx)
		return 0;
	head = sim_wire_peek(mac->wire, mac->port);
	return head ? rx_start(mac, head) : SIM_NEVER;
}

/* ---- transmit ---- */

static void tx_end(struct sim_mac *mac, uint64_t now)
{
	uint32_t pad = mac->tx_len < SIM_FRAME_MIN ? SIM_FRAME_MIN - mac->tx_len : 0;
	struct sim_frame *frame = sim_frame_new(mac->tx_buf, mac->tx_len);
	uint64_t end = sim_line_add(&mac->line, now, pad + SIM_WIRE_FCS);

	sim_line_add(&mac->line, now, SIM_WIRE_GAP);
	if (frame) {
		frame->t = end;
		frame->err = *mac->tx_err || mac->tx_too_long;
		sim_wire_send(mac->wire, mac->port, frame, now);
	}
	mac->tx_len = 0;
	mac->tx_too_long = false;
}

/* ---- looped inside the core ---- */

static void loop_beat(struct sim_mac *mac, uint64_t now)
{
	uint32_t n = *mac->loop_last ? *mac->loop_nbytes : mac->beat;

	if (mac->loop_len + n <= SIM_FRAME_MAX) {
		memcpy(mac->loop_buf + mac->loop_len, mac->loop_data, n);
		mac->loop_len += n;
	}
	if (!*mac->loop_last)
		return;
	sim_wire_looped(mac->wire, mac->port, mac->loop_buf, mac->loop_len, now);
	mac->loop_len = 0;
}

bool sim_mac_sample(struct sim_mac *mac, uint64_t now)
{
	uint32_t n;

	if (mac->loop_valid && *mac->loop_valid)
		loop_beat(mac, now);
	if (!*mac->tx_valid)
		return false;
	if (!*mac->tx_ready)
		return true;
	n = *mac->tx_last ? *mac->tx_nbytes : mac->beat;
	if (!mac->tx_len)
		sim_line_add(&mac->line, now, SIM_WIRE_PREAMBLE);
	else if (mac->line.ns < now && mac->can_underrun)
		sim_wire_stats(mac->wire, mac->port)->tx_underrun++;
	sim_line_add(&mac->line, now, n);
	if (mac->tx_len + n <= SIM_FRAME_MAX) {
		memcpy(mac->tx_buf + mac->tx_len, mac->tx_data, n);
		mac->tx_len += n;
	} else {
		mac->tx_too_long = true;
	}
	if (*mac->tx_last)
		tx_end(mac, now);
	return true;
}
