// SPDX-License-Identifier: Apache-2.0
/* The simulated Ethernet: life, sending, taking, counters (sim_wire.h). */
#include "sim_wire.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim_wire_priv.h"

#define QUEUE_BYTES	(512 * 1024)

/* ---- life ---- */

static int fail(char *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, SIM_ERR_MAX, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int check_cfg(const struct sim_wire_cfg *cfg, char *err)
{
	const struct { const char *name; double p; } chance[] = {
		{ "loss", cfg->loss }, { "reorder", cfg->reorder }, { "dup", cfg->dup },
		{ "corrupt", cfg->corrupt }, { "ecn", cfg->ecn },
	};

	if (!cfg->nics || cfg->nics > SIM_MAX_NICS)
		return fail(err, "number of NICs %u: 1 to %d", cfg->nics, SIM_MAX_NICS);
	if (cfg->nics_per_port && cfg->nics % cfg->nics_per_port)
		return fail(err, "%u NICs at ports of %u: as many at each", cfg->nics,
			    cfg->nics_per_port);
	if (!cfg->mbps)
		return fail(err, "link rate is 0");
	for (size_t i = 0; i < sizeof(chance) / sizeof(*chance); i++)
		if (!(chance[i].p >= 0 && chance[i].p <= 1))
			return fail(err, "%s %g: a probability from 0 to 1", chance[i].name, chance[i].p);
	if (cfg->pcap_nic_file && cfg->pcap_nic >= cfg->nics)
		return fail(err, "capture at nic%u: there are nic0 to nic%u", cfg->pcap_nic, cfg->nics - 1);
	return 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);

	return length >= n && !strcmp(text + length - n, end);
}

static int open_pcap(struct sim_wire *wire, struct sim_pcap **pcap, const char *path, char *err)
{
	if (!path)
		return 0;
	if (pcap == &wire->pcap && ends_with(path, ".pcapng")) {
		wire->pcap_by_port = true;
		*pcap = sim_pcap_create_ports(path, wire->cfg.nics, wire->n_ports > wire->cfg.nics);
	} else {
		*pcap = sim_pcap_create(path);
	}
	return *pcap ? 0 : fail(err, "cannot write capture file %s: %s", path, strerror(errno));
}

static int set_up(struct sim_wire *wire, char *err)
{
	const struct sim_wire_cfg *cfg = &wire->cfg;
	bool has_socket = cfg->peer && strcmp(cfg->peer, "link");
	bool has_peer = has_socket || cfg->peer_fn;
	int ret;

	if (has_socket && cfg->peer_fn)
		return fail(err, "two peers: %s, and one in this process", cfg->peer);

	wire->n_ports = cfg->nics + has_peer;
	wire->faults = cfg->loss > 0 || cfg->reorder > 0 || cfg->dup > 0 || cfg->corrupt > 0 ||
		       cfg->ecn > 0;
	if (!wire->cfg.queue_bytes)
		wire->cfg.queue_bytes = QUEUE_BYTES;
	wire->rand = calloc((size_t)wire->n_ports * wire->n_ports, sizeof(*wire->rand));
	if (!wire->rand || !sim_switch_init(wire))
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < wire->n_ports * wire->n_ports; i++)
		wire->rand[i] =
			sim_rand_init(cfg->seed, i / wire->n_ports << 8 | i % wire->n_ports);
	sim_rules_init(&wire->rules, cfg->nics, has_peer, cfg->seed);
	/* the capture first: it tells the rules */
	ret = open_pcap(wire, &wire->pcap, cfg->pcap, err);
	if (!ret && wire->faults)
		sim_wire_note(wire, "chance", "");
	for (unsigned int i = 0; !ret && i < cfg->n_rules; i++)
		ret = sim_wire_add_rule(wire, cfg->rules[i], err);
	wire->cfg.rules = NULL;
	if (!ret && has_socket)
		ret = sim_peer_open(wire, cfg->peer, err);
	return ret ? ret : open_pcap(wire, &wire->pcap_nic, cfg->pcap_nic_file, err);
}

struct sim_wire *sim_wire_new(const struct sim_wire_cfg *cfg, char *err)
{
	struct sim_wire *wire;

	if (check_cfg(cfg, err))
		return NULL;
	wire = calloc(1, sizeof(*wire));
	if (!wire) {
		fail(err, "out of memory");
		return NULL;
	}
	wire->cfg = *cfg;
	wire->next = SIM_NEVER;
	wire->peer.fd = -1;
	if (set_up(wire, err)) {
		sim_wire_free(wire);
		return NULL;
	}
	return wire;
}

static void close_pcap(const struct sim_wire *wire, struct sim_pcap *pcap, const char *path)
{
	int ret = pcap ? sim_pcap_close(pcap) : 0;

	if (ret && !wire->told)
		fprintf(stderr, "capture file %s is incomplete: %s\n", path, strerror(-ret));
}

void sim_wire_free(struct sim_wire *wire)
{
	if (!wire)
		return;
	for (unsigned int i = 0; i < wire->n_ports; i++)
		sim_fifo_clear(&wire->port[i].rx);
	sim_switch_free(wire);
	sim_fault_clear(wire);
	sim_rules_clear(&wire->rules);
	sim_peer_close(wire);
	close_pcap(wire, wire->pcap, wire->cfg.pcap);
	close_pcap(wire, wire->pcap_nic, wire->cfg.pcap_nic_file);
	free(wire->rand);
	free(wire);
}

/* ---- frames on their way ---- */

/*
 * A capture holds what an analyser would keep, no frames with a bad FCS; one by port has all, and
 * says so.
 */
static void record(struct sim_wire *wire, unsigned int port, bool inbound, struct sim_frame *frame)
{
	if (wire->pcap && wire->pcap_by_port)
		sim_pcap_write_port(wire->pcap, frame->t, port, inbound, frame->err, frame->data,
				    frame->len);
	else if (wire->pcap && !inbound && !frame->err)
		sim_pcap_write(wire->pcap, frame->t, frame->data, frame->len);
	if (wire->pcap_nic && !frame->err && port == wire->cfg.pcap_nic)
		sim_pcap_write(wire->pcap_nic, frame->t, frame->data, frame->len);
}

void sim_wire_send(struct sim_wire *wire, unsigned int port, struct sim_frame *frame, uint64_t now)
{
	struct sim_switch *at = wire->port[port].at;
	unsigned int at_port = wire->port[port].at_port;
	struct sim_wire_stats *stats = &wire->port[port].stats;

	if (wire->port[port].down) {
		stats->link_down++;
		sim_frame_free(frame);
		return;
	}
	frame->src = port;
	if (frame->len < SIM_FRAME_MIN) {
		memset(frame->data + frame->len, 0, SIM_FRAME_MIN - frame->len);
		frame->len = SIM_FRAME_MIN;
	}
	stats->tx_frames++;
	stats->tx_bytes += frame->len;
	stats->tx_wire_bytes += sim_wire_bytes(frame->len);
	stats->tx_bad_fcs += frame->err;
	if (wire->tap)
		wire->tap(wire->tap_arg, port, frame);
	record(wire, port, false, frame);
	frame->t += at ? at->port[at_port].delay_ns : wire->cfg.delay_ns;
	if (at)
		sim_switch_in(wire, at, at_port, frame);
	else if (wire->n_ports == 2)
		sim_fault_pass(wire, port, !port, frame, now);
	else
		sim_frame_free(frame);
}

void sim_wire_receive(struct sim_wire *wire, uint64_t now)
{
	struct sim_frame *frame;

	while ((frame = sim_peer_receive(wire, now)))
		sim_wire_send(wire, wire->cfg.nics, frame, now);
}

/*
 * By port, the frame stands at an interface of the NIC's own, as leaving and as reaching it; a copy
 * of multicast has left by the wire.  Else once, as any other.
 */
static void record_looped(struct sim_wire *wire, unsigned int port, const struct sim_frame *frame)
{
	bool copy = frame->data[0] & 1;
	unsigned int at = wire->n_ports + port;

	if (wire->pcap && wire->pcap_by_port && !copy)
		sim_pcap_write_port(wire->pcap, frame->t, at, false, false, frame->data,
				    frame->len);
	if (wire->pcap && wire->pcap_by_port)
		sim_pcap_write_port(wire->pcap, frame->t, at, true, false, frame->data, frame->len);
	else if (wire->pcap && !copy)
		sim_pcap_write(wire->pcap, frame->t, frame->data, frame->len);
	if (wire->pcap_nic && port == wire->cfg.pcap_nic)
		sim_pcap_write(wire->pcap_nic, frame->t, frame->data, frame->len);
}

void sim_wire_looped(struct sim_wire *wire, unsigned int port, const void *data, uint32_t len,
		     uint64_t now)
{
	struct sim_wire_stats *stats = &wire->port[port].stats;
	struct sim_frame *frame;

	stats->loop_frames++;
	stats->loop_bytes += len;
	if (!wire->pcap && !wire->pcap_nic && !wire->loop_tap)
		return;
	frame = sim_frame_new(data, len);
	if (!frame)
		return;
	frame->t = now;
	if (wire->loop_tap)
		wire->loop_tap(wire->loop_tap_arg, port, frame);
	record_looped(wire, port, frame);
	sim_frame_free(frame);
}

const struct sim_frame *sim_wire_peek(const struct sim_wire *wire, unsigned int port)
{
	return wire->port[port].rx.head;
}

static struct sim_frame *take(struct sim_wire *wire, unsigned int port)
{
	struct sim_frame *frame = sim_fifo_pop(&wire->port[port].rx);
	struct sim_wire_stats *stats = &wire->port[port].stats;

	if (!frame)
		return NULL;
	stats->rx_frames++;
	stats->rx_bytes += frame->len;
	stats->rx_bad_fcs += frame->err;
	return frame;
}

struct sim_frame *sim_wire_take(struct sim_wire *wire, unsigned int port)
{
	struct sim_frame *frame = take(wire, port);

	if (frame && wire->rx_tap)
		wire->rx_tap(wire->rx_tap_arg, port, frame);
	if (frame)
		record(wire, port, true, frame);
	return frame;
}

void sim_wire_overrun(struct sim_wire *wire, unsigned int port)
{
	wire->port[port].stats.rx_overrun++;
	sim_wire_note_lost(wire, port);
	sim_frame_free(take(wire, port));
}

void sim_wire_advance(struct sim_wire *wire, uint64_t now)
{
	if (now < wire->next)
		return;
	sim_fault_run(wire, now);
	if (wire->n_switches)
		sim_switch_run(wire, now);
	if (wire->n_ports > wire->cfg.nics)
		sim_peer_run(wire, now);
	/* What became due and was done, as from one switch to the next, is due no more. */
	wire->next = sim_fault_next(wire);
	if (wire->n_switches)
		sim_wire_due(wire, sim_switch_next(wire));
	if (wire->n_ports > wire->cfg.nics)
		sim_wire_due(wire, sim_peer_next(wire));
}

uint64_t sim_wire_next(const struct sim_wire *wire)
{
	return wire->next;
}

void sim_wire_set_link(struct sim_wire *wire, unsigned int port, bool up)
{
	wire->port[port].down = !up;
	if (up)
		return;
	for (const struct sim_frame *frame = wire->port[port].rx.head; frame; frame = frame->next)
		sim_wire_note_lost(wire, port);
	sim_fifo_clear(&wire->port[port].rx);
}

bool sim_wire_link(const struct sim_wire *wire, unsigned int port)
{
	return !wire->port[port].down;
}

/* ---- the rest ---- */

const struct sim_wire_cfg *sim_wire_cfg(const struct sim_wire *wire)
{
	return &wire->cfg;
}

unsigned int sim_wire_ports(const struct sim_wire *wire)
{
	return wire->n_ports;
}

struct sim_wire_stats *sim_wire_stats(struct sim_wire *wire, unsigned int port)
{
	return &wire->port[port].stats;
}

bool sim_wire_stat_at(const struct sim_wire_stats *stats, unsigned int index, const char **name,
		      uint64_t *value)
{
#define STAT(field) { #field, offsetof(struct sim_wire_stats, field) }
	static const struct { const char *name; size_t at;
	} table[] = {
		STAT(tx_frames),   STAT(tx_bytes),  STAT(tx_wire_bytes), STAT(tx_bad_fcs),
		STAT(tx_underrun), STAT(rx_frames), STAT(rx_bytes),	 STAT(rx_bad_fcs),
		STAT(rx_overrun),  STAT(dropped),   STAT(corrupted),	 STAT(duplicated),
		STAT(reordered),   STAT(delayed),   STAT(ecn_marked),	 STAT(truncated),
		STAT(queue_drop),  STAT(link_down), STAT(peer_drop),	 STAT(loop_frames),
		STAT(loop_bytes),
	};
#undef STAT

	static_assert(sizeof(table) / sizeof(*table) * sizeof(uint64_t) == sizeof(*stats), "a counter is missing");
	if (index >= sizeof(table) / sizeof(*table))
		return false;
	*name = table[index].name;
	memcpy(value, (const char *)stats + table[index].at, sizeof(*value));
	return true;
}

int sim_wire_add_rule(struct sim_wire *wire, const char *text, char *err)
{
	int ret = sim_rules_add(&wire->rules, text, err);

	if (!ret)
		sim_wire_note(wire, "rule", text);
	return ret == -ENOMEM ? fail(err, "out of memory") : ret;
}

void sim_wire_clear_rules(struct sim_wire *wire)
{
	sim_wire_note(wire, "clear", "");
	sim_rules_clear(&wire->rules);
}

uint64_t sim_wire_rule_hits(const struct sim_wire *wire, unsigned int index)
{
	return index < wire->rules.n ? wire->rules.rule[index].hits : 0;
}

void sim_wire_set_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg)
{
	wire->tap = fn;
	wire->tap_arg = arg;
}

void sim_wire_set_rx_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg)
{
	wire->rx_tap = fn;
	wire->rx_tap_arg = arg;
}

void sim_wire_set_loop_tap(struct sim_wire *wire, sim_wire_tap_fn fn, void *arg)
{
	wire->loop_tap = fn;
	wire->loop_tap_arg = arg;
}

int sim_wire_failed(struct sim_wire *wire, const char **file)
{
	int ret = wire->pcap ? sim_pcap_error(wire->pcap) : 0;

	*file = wire->cfg.pcap;
	if (!ret && wire->pcap_nic) {
		ret = sim_pcap_error(wire->pcap_nic);
		*file = wire->cfg.pcap_nic_file;
	}
	wire->told |= ret != 0;
	return ret;
}

void sim_wire_flush(struct sim_wire *wire)
{
	if (wire->pcap)
		sim_pcap_flush(wire->pcap);
	if (wire->pcap_nic)
		sim_pcap_flush(wire->pcap_nic);
}
