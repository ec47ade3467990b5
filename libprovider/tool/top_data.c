// SPDX-License-Identifier: Apache-2.0
/*
 * Readings of the pages make rates (top.h).
 *
 * The simulator reads a device's counters when it gets to it, and says when that was, in device
 * time and the wall's.  So rates of the port are those between the last two times at which it did,
 * which is exact, however seldom that is; a NIC whose counters are old is idle, since they are read
 * only when something has happened.  Latencies and numbers are those between two readings of ours.
 */
#include "top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9
/* Even a slow simulator reads the counters of a busy NIC so often. */
#define IDLE_NS 3000000000u
/* When the device's counters were read. */
#define DEVICE "sim_counters_time_ns"
#define WALL "sim_counters_wall_ns"

const uint8_t top_drop_counters[] = {
	CAIRN_COUNTER_RX_MAC_ERROR, CAIRN_COUNTER_RX_LENGTH_ERROR, CAIRN_COUNTER_RX_IP_ERROR,
	CAIRN_COUNTER_RX_OPCODE_ERROR, CAIRN_COUNTER_RX_ICRC_ERROR, CAIRN_COUNTER_RX_NO_BUFFER,
	CAIRN_COUNTER_RX_RAW_DROP, CAIRN_COUNTER_RX_NOT_OURS, CAIRN_COUNTER_RX_BAD_QPN,
	CAIRN_COUNTER_RX_QP_STATE, CAIRN_COUNTER_RX_BAD_ADDR, CAIRN_COUNTER_RX_BAD_PKEY,
	CAIRN_COUNTER_RX_BAD_QKEY, CAIRN_COUNTER_RX_CTX_ERROR, CAIRN_COUNTER_RX_UC_DROP,
	CAIRN_COUNTER_RX_UD_DROP, CAIRN_COUNTER_RX_NO_RECV, CAIRN_COUNTER_RX_MULTICAST,
	CAIRN_COUNTER_RX_OVERRUN, CAIRN_COUNTER_NET_INVALID, CAIRN_COUNTER_NET_BAD_SOURCE,
	CAIRN_COUNTERS,
};

/* On the wire of a simulation: what this NIC sent, or what did not get into it. */
static const char *const wire_drops[] = {
	"wire_dropped", "wire_queue_drop", "wire_link_down", "wire_peer_drop", "wire_rx_overrun",
};
#define N_WIRE_DROPS (sizeof(wire_drops) / sizeof(*wire_drops))

const struct top_sort top_sorts[] = {
	{ "nic", -1 }, { "tx", TOP_TX_BITS }, { "rx", TOP_RX_BITS },
	{ "txpkt", TOP_TX_PACKETS }, { "rxpkt", TOP_RX_PACKETS }, { "msg", TOP_MESSAGES },
	{ "req", TOP_REQUESTS }, { "retx", TOP_RETX }, { "drops", TOP_DROPS },
	{ "p50", TOP_P50 }, { "p99", TOP_P99 }, { "p999", TOP_P999 },
};
const unsigned int top_n_sorts = sizeof(top_sorts) / sizeof(*top_sorts);

uint64_t top_watch_ns(const struct top_opts *opts)
{
	return (uint64_t)((3 * opts->interval + 2) * NS_PER_S);
}

/* ---- counters of ports, as the simulator read them ---- */

static uint64_t past(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static struct top_counts counts_of(const struct sim_stat_page *page)
{
	static const struct {
		enum top_value value;
		enum cairn_counter counter;
		unsigned int factor;
	} parts[] = {
		{ TOP_TX_BITS, CAIRN_COUNTER_TX_BYTES, 8 },
		{ TOP_RX_BITS, CAIRN_COUNTER_RX_BYTES, 8 },
		{ TOP_TX_PACKETS, CAIRN_COUNTER_TX_PACKETS, 1 },
		{ TOP_RX_PACKETS, CAIRN_COUNTER_RX_PACKETS, 1 },
		{ TOP_MESSAGES, CAIRN_COUNTER_RX_SEND, 1 },
		{ TOP_MESSAGES, CAIRN_COUNTER_RX_WRITE, 1 },
		{ TOP_MESSAGES, CAIRN_COUNTER_RX_READ, 1 },
		{ TOP_MESSAGES, CAIRN_COUNTER_RX_ATOMIC, 1 },
	};
	struct top_counts counts = {
		.pid = page->pid,
		.device = nics_value(page, DEVICE),
		.wall = nics_value(page, WALL),
	};

	for (unsigned int i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		counts.value[parts[i].value] +=
			parts[i].factor *
			nics_value(page, cairn_counter_names[parts[i].counter]);
	return counts;
}

static struct top_history *history_of(struct top_data *data, const char *nic)
{
	unsigned int i = 0;

	while (i < data->n_histories && strcmp(data->history[i].nic, nic))
		i++;
	if (i == NICS_MAX)
		i = 0;	/* more names than NICs can be there at once: one that is gone */
	else if (i == data->n_histories)
		data->n_histories++;
	return &data->history[i];
}

static void remember(struct top_data *data, const struct nic_pages *nic)
{
	struct top_history *h = history_of(data, nic->name);
	struct top_counts now = counts_of(nic->page);
	bool again = strcmp(h->nic, nic->name) || h->last.pid != now.pid;

	/* They begin at zero when a program opens the NIC. */
	for (unsigned int i = 0; i < TOP_PORT_RATES; i++)
		again |= now.value[i] < h->last.value[i];
	if (again) {
		memset(h, 0, sizeof(*h));
		memcpy(h->nic, nic->name, sizeof(h->nic));
		h->last = now;
	} else if (now.wall != h->last.wall) {
		h->before = h->last;
		h->last = now;
		h->two = true;
		h->idle = false;
	} else {
		h->idle = past(data->now.wall, now.wall) > IDLE_NS;
	}
}

unsigned int top_take(struct top_data *data, const struct tool_where *where, uint64_t watch_ns,
		      int (*say)(const char *fmt, ...))
{
	unsigned int failed;
	struct nics last;

	nics_free(&data->before);
	last = data->before;
	data->before = data->now;
	data->now = last;
	data->two = data->before.wall != 0;
	failed = nics_read(where, watch_ns, say, &data->now);
	for (unsigned int i = 0; i < data->now.n; i++)
		if (data->now.nic[i].page)
			remember(data, &data->now.nic[i]);
	return failed;
}

void top_free(struct top_data *data)
{
	nics_free(&data->now);
	nics_free(&data->before);
	free(data->figures.nic);
	free(data->figures.qp);
	free(data->figures.drop);
}

/* ---- two readings of a NIC ---- */

struct pair {
	const struct nic_pages *now, *before; /* before NULL: it has just come */
	const struct top_history *ports;      /* NULL: of a function */
	uint64_t wall, device;		      /* ns in between */
	bool totals;
};

/* Of its simulator; a function's runs as the wall's. */
static uint64_t device_time(const struct nics *nics, const struct nic_pages *nic)
{
	if (!nic->page)
		return nics->wall;
	return nic->now ? nic->now : nics_value(nic->page, "sim_time_ns");
}

static struct pair find_pair(struct top_data *data, const struct nic_pages *nic, bool totals)
{
	struct pair pair = { .now = nic, .totals = totals };
	const struct nics *before = &data->before;

	if (nic->page)
		pair.ports = history_of(data, nic->name);
	for (unsigned int i = 0; data->two && i < before->n; i++)
		if (!strcmp(before->nic[i].name, nic->name))
			pair.before = &before->nic[i];
	if (!pair.before || !pair.before->page != !nic->page ||
	    (nic->page && pair.before->page->pid != nic->page->pid)) {
		pair.before = NULL;
		return pair;
	}
	pair.wall = past(data->now.wall, before->wall);
	pair.device = past(device_time(&data->now, nic), device_time(before, pair.before));
	return pair;
}

/* Counters begin again at zero when a program opens the NIC. */
static uint64_t since(uint64_t now, uint64_t then)
{
	return now < then ? now : now - then;
}

static uint64_t counted(const struct pair *pair, const char *name)
{
	return pair->before ? since(nics_value(pair->now->page, name),
				    nics_value(pair->before->page, name)) : 0;
}

static uint64_t counted_id(const struct pair *pair, enum cairn_counter counter)
{
	return counted(pair, cairn_counter_names[counter]);
}

/* ---- values of a row ---- */

static void set(struct top_row *row, unsigned int value, double number)
{
	row->known[value] = true;
	row->value[value] = number;
}

static void set_rate(struct top_row *row, unsigned int value, uint64_t number, uint64_t device,
		     uint64_t wall)
{
	set(row, value, device ? (double)number * NS_PER_S / (double)device : 0);
	set(row, TOP_WALL + value, wall ? (double)number * NS_PER_S / (double)wall : 0);
}

static void set_latencies(struct top_row *row, const struct lat_figures *figures)
{
	if (!figures->count)
		return;
	set(row, TOP_P50, (double)lat_permille(figures, 500));
	set(row, TOP_P99, (double)lat_permille(figures, 990));
	set(row, TOP_P999, (double)lat_permille(figures, 999));
}

/* then NULL: nothing of it was known before. */
static void set_requests(struct top_row *row, const struct pair *pair,
			 const struct lat_figures *now, const struct lat_figures *then)
{
	static const struct lat_figures none;
	struct lat_figures more;

	lat_since(now, then ? then : &none, &more);
	if (pair->before)
		set_rate(row, TOP_REQUESTS, more.count, pair->device, pair->wall);
	set_latencies(row, pair->totals || !pair->before ? now : &more);
}

static uint64_t of_port(const struct pair *pair, enum cairn_counter counter)
{
	return pair->totals ? nics_value(pair->now->page, cairn_counter_names[counter]) :
			      counted_id(pair, counter);
}

static void port_rates(const struct top_history *h, struct top_row *row)
{
	uint64_t device = past(h->last.device, h->before.device);
	uint64_t wall = past(h->last.wall, h->before.wall);

	for (unsigned int i = 0; (h->two || h->idle) && i < TOP_PORT_RATES; i++)
		set_rate(row, i, h->idle ? 0 : h->last.value[i] - h->before.value[i], device, wall);
}

static void port_numbers(const struct pair *pair, struct top_row *row)
{
	uint64_t drops = 0;

	if (!pair->before && !pair->totals)
		return;
	for (unsigned int i = 0; top_drop_counters[i] != CAIRN_COUNTERS; i++)
		drops += of_port(pair, top_drop_counters[i]);
	for (unsigned int i = 0; i < N_WIRE_DROPS; i++)
		drops += pair->totals ? nics_value(pair->now->page, wire_drops[i]) :
					counted(pair, wire_drops[i]);
	set(row, TOP_DROPS, (double)drops);
	set(row, TOP_RETX, (double)of_port(pair, CAIRN_COUNTER_RETX_PACKETS));
	set(row, TOP_SEQ, (double)(of_port(pair, CAIRN_COUNTER_OUT_OF_SEQUENCE) +
				   of_port(pair, CAIRN_COUNTER_PACKET_SEQ_ERR)));
	set(row, TOP_RNR, (double)(of_port(pair, CAIRN_COUNTER_RNR_NAK_SENT) +
				   of_port(pair, CAIRN_COUNTER_RNR_NAK_RCVD)));
	set(row, TOP_TIMEOUTS, (double)of_port(pair, CAIRN_COUNTER_ACK_TIMEOUT));
}

static void port_row(const struct pair *pair, struct top_row *row)
{
	const struct nic_pages *nic = pair->now;

	row->state = nic->gone ? "gone" : nic->lat && nic->lat->watched ? "up,lat" : "up";
	if (nic->page) {
		port_rates(pair->ports, row);
		port_numbers(pair, row);
	}
	if (nic->lat)
		set_requests(row, pair, &nic->lat->all,
			     pair->before && pair->before->lat ? &pair->before->lat->all : NULL);
}

/* ---- QPs: those that have counted drops and errors, and those that have been measured ---- */

static const struct lat_qp *measured(const struct nic_pages *nic, uint32_t qpn)
{
	for (unsigned int q = 0; nic && nic->lat && q < nic->lat->n_qps; q++)
		if (nic->lat->qp[q].qpn == qpn)
			return &nic->lat->qp[q];
	return NULL;
}

static const uint32_t *counters_of(const struct nic_pages *nic, uint32_t qpn)
{
	int q = nic ? nics_find_qp(nic->page, qpn) : -1;

	return q < 0 ? NULL : nic->page->qp[q].value;
}

static void qp_numbers(const struct pair *pair, uint32_t qpn, struct top_row *row)
{
	const uint32_t *now = counters_of(pair->now, qpn), *then = counters_of(pair->before, qpn);
	uint64_t of[CAIRN_COUNTERS] = { 0 }, drops = 0;

	if (!pair->before && !pair->totals)
		return;
	for (unsigned int i = 0; now && i < CAIRN_COUNTERS; i++)
		of[i] = pair->totals ? now[i] : since(now[i], then ? then[i] : 0);
	for (unsigned int i = 0; top_drop_counters[i] != CAIRN_COUNTERS; i++)
		drops += of[top_drop_counters[i]];
	set(row, TOP_DROPS, (double)drops);
	set(row, TOP_RETX, (double)of[CAIRN_COUNTER_RETX_PACKETS]);
	set(row, TOP_SEQ, (double)(of[CAIRN_COUNTER_OUT_OF_SEQUENCE] +
				   of[CAIRN_COUNTER_PACKET_SEQ_ERR]));
	set(row, TOP_RNR, (double)(of[CAIRN_COUNTER_RNR_NAK_SENT] +
				   of[CAIRN_COUNTER_RNR_NAK_RCVD]));
	set(row, TOP_TIMEOUTS, (double)of[CAIRN_COUNTER_ACK_TIMEOUT]);
}

static void qp_row(const struct pair *pair, uint32_t qpn, struct top_row *row)
{
	const struct lat_qp *now = measured(pair->now, qpn), *then = measured(pair->before, qpn);

	row->qp = true;
	row->qpn = qpn;
	row->state = "";
	if (pair->now->page)
		qp_numbers(pair, qpn, row);
	if (now)
		set_requests(row, pair, &now->figures,
			     then && then->life == now->life ? &then->figures : NULL);
}

/* ---- all rows ---- */

static bool shown(const struct top_opts *opts, const struct nic_pages *nic)
{
	return !*opts->only || !strcmp(opts->only, nic->name);
}

/* Room for what may be there; the numbers of rows are set again as rows are made. */
static int make_room(struct top_data *data)
{
	struct top_figures *f = &data->figures;
	size_t nics = data->now.n, qps = 0, drops = 0;

	for (unsigned int i = 0; i < data->now.n; i++) {
		const struct nic_pages *nic = &data->now.nic[i];

		qps += (nic->page ? nic->page->qps : 0) + (nic->lat ? nic->lat->n_qps : 0);
		drops += CAIRN_COUNTERS + N_WIRE_DROPS;
	}
	free(f->nic);
	free(f->qp);
	free(f->drop);
	memset(f, 0, sizeof(*f));
	f->nic = calloc(nics + 1, sizeof(*f->nic));
	f->qp = calloc(qps + 1, sizeof(*f->qp));
	f->drop = calloc(drops + 1, sizeof(*f->drop));
	return f->nic && f->qp && f->drop ? 0 : -ENOMEM;
}

static struct top_row *begin(struct top_row *row, const struct pair *pair, unsigned int order)
{
	memset(row, 0, sizeof(*row));
	memcpy(row->nic, pair->now->name, sizeof(row->nic));
	row->order = order;
	return row;
}

static void add_drop(struct top_figures *f, const struct pair *pair, const char *name)
{
	struct top_drop *drop = &f->drop[f->drops];

	drop->total = nics_value(pair->now->page, name);
	if (!drop->total)
		return;
	drop->more = counted(pair, name);
	memcpy(drop->nic, pair->now->name, sizeof(drop->nic));
	memcpy(drop->reason, name, strlen(name) + 1);
	f->drops++;
}

static void add_rows(struct top_figures *f, const struct pair *pair, unsigned int order)
{
	const struct nic_pages *nic = pair->now;

	port_row(pair, begin(&f->nic[f->nics++], pair, order));
	for (uint32_t q = 0; nic->page && q < nic->page->qps; q++)
		qp_row(pair, nic->page->qp[q].qpn, begin(&f->qp[f->qps++], pair, order));
	for (unsigned int q = 0; nic->lat && q < nic->lat->n_qps; q++)
		if (nics_find_qp(nic->page, nic->lat->qp[q].qpn) < 0)
			qp_row(pair, nic->lat->qp[q].qpn, begin(&f->qp[f->qps++], pair, order));
	for (unsigned int i = 0; nic->page && top_drop_counters[i] != CAIRN_COUNTERS; i++)
		add_drop(f, pair, cairn_counter_names[top_drop_counters[i]]);
	for (unsigned int i = 0; nic->page && i < N_WIRE_DROPS; i++)
		add_drop(f, pair, wire_drops[i]);
}

/* Computed a second, as the page has it, which an idle simulator does not refresh. */
static double cycles(const struct top_data *data, const struct pair *pair)
{
	uint64_t wall = counted(pair, "sim_wall_ns");

	if (wall)
		return (double)counted(pair, "sim_evaluated_cycles") * NS_PER_S / (double)wall;
	if (past(data->now.wall, nics_value(pair->now->page, "sim_wall_ns")) > IDLE_NS)
		return 0;
	return (double)nics_value(pair->now->page, "sim_evaluated_cycles_per_s");
}

/* How fast the simulation is: one clock for all its NICs. */
static void set_speed(const struct top_data *data, struct top_figures *f, const struct pair *pair)
{
	const struct nic_pages *nic = pair->now;

	if (f->simulated || !nic->page || nic->gone)
		return;
	f->simulated = true;
	f->device = (double)device_time(&data->now, nic) / NS_PER_S;
	if (!pair->before || !pair->wall)
		return;
	f->speed_known = true;
	f->speed = (double)pair->device / (double)pair->wall;
	f->cycles = cycles(data, pair);
}

/* The largest first, those that have none last; then as they were read. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct top_row *x = a, *y = b;
	const struct top_opts *opts = arg;
	int v = top_sorts[opts->sort].value, order = 0;

	if (v >= 0) {
		if (v < TOP_RATES && opts->time == TOP_WALL_TIME)
			v += TOP_WALL;
		if (x->known[v] != y->known[v])
			return x->known[v] ? -1 : 1;
		order = (x->value[v] < y->value[v]) - (x->value[v] > y->value[v]);
	}
	if (!order)
		order = (x->order > y->order) - (x->order < y->order);
	if (!order)
		order = (x->qpn > y->qpn) - (x->qpn < y->qpn);
	return opts->reverse ? -order : order;
}

int top_figure(struct top_data *data, const struct top_opts *opts)
{
	struct top_figures *f = &data->figures;
	int err = make_room(data);

	if (err)
		return err;
	if (data->two)
		f->seconds = (double)past(data->now.wall, data->before.wall) / NS_PER_S;
	for (unsigned int i = 0; i < data->now.n; i++) {
		struct pair pair = find_pair(data, &data->now.nic[i], opts->totals);

		set_speed(data, f, &pair);
		if (shown(opts, pair.now))
			add_rows(f, &pair, i);
	}
	qsort_r(f->nic, f->nics, sizeof(*f->nic), compare, (void *)opts);
	qsort_r(f->qp, f->qps, sizeof(*f->qp), compare, (void *)opts);
	return 0;
}
