// SPDX-License-Identifier: Apache-2.0
/*
 * Latency inside the NICs: one inline WRITE of 8 bytes at a time, contexts warm, the ports of both
 * models watched beat by beat; see bench.h.
 *
 * What the links cost is not counted: between the frame's first beat out of A and its last beat
 * into B lie serialization and cable, and every PCIe read of A that the message waits for takes the
 * round trip of the link model.
 */
#include "bench.h"

#include <string.h>

#include "sim_tlp.h"

#define WARM 4u
#define MESSAGES 16u
#define LEN 8u
#define GIVE_UP 20000u

enum beat { DB_IN, FRAME_OUT, FRAME_IN, WRITE_OUT, ACK_OUT, ACK_IN, CQE_OUT, BEATS };

/* A stream at the edge of a model. */
struct port {
	const uint8_t *valid, *ready, *last, *hdr;
	bool valid_q, last_q; /* outputs, as the coming edge sees them */
	uint32_t dw[4];
	bool inside; /* a packet */
};

struct view {
	struct port tlp_in, tlp_out, mac_in, mac_out, loop;
};

struct probe {
	struct rdma *r;
	struct view nic[2];
	uint64_t at[BEATS]; /* cycle; 0: not seen */
	struct bench_way way;
};

static const uint8_t *bits(struct rdma *r, unsigned int nic, const char *name)
{
	struct sim_dut *dut = sim_nic_dut(sim_nic(r->sim, nic));
	const struct sim_port *port = sim_config(r->sim)->model->find(dut, name);

	if (!port)
		rdma_fail(r, "the model has no port %s", name);
	return port->bits;
}

static void find_ports(struct probe *probe)
{
	struct rdma *r = probe->r;

	for (unsigned int i = 0; i < 2; i++) {
		struct view *view = &probe->nic[i];

		view->tlp_in.valid = bits(r, i, "tlp_rx_valid_i");
		view->tlp_in.ready = bits(r, i, "tlp_rx_ready_o");
		view->tlp_in.last = bits(r, i, "tlp_rx_last_i");
		view->tlp_in.hdr = bits(r, i, "tlp_rx_hdr_i");
		view->tlp_out.valid = bits(r, i, "tlp_tx_valid_o");
		view->tlp_out.ready = bits(r, i, "tlp_tx_ready_i");
		view->tlp_out.last = bits(r, i, "tlp_tx_last_o");
		view->tlp_out.hdr = bits(r, i, "tlp_tx_hdr_o");
		view->mac_in.valid = bits(r, i, "mac_rx_valid_i");
		view->mac_in.last = bits(r, i, "mac_rx_last_i");
		view->mac_out.valid = bits(r, i, "mac_tx_valid_o");
		view->mac_out.ready = bits(r, i, "mac_tx_ready_i");
		view->mac_out.last = bits(r, i, "mac_tx_last_o");
		view->loop.valid = bits(r, i, "loop_valid_o");
		view->loop.ready = view->loop.valid;
		view->loop.last = bits(r, i, "loop_last_o");
	}
}

/* Outputs do not depend on inputs of the same cycle: what stands there now is what moves next. */
static void before(struct port *port)
{
	port->valid_q = *port->valid;
	port->last_q = *port->last;
	if (port->hdr && port->valid_q && !port->inside)
		sim_tlp_from_port(port->dw, port->hdr);
}

static void see(struct probe *probe, enum beat beat, uint64_t cycle)
{
	if (!probe->at[beat])
		probe->at[beat] = cycle;
}

/* A beat of an output has moved: first of its packet? */
static bool moved(struct port *port, bool *last)
{
	bool first = !port->inside;

	if (!port->valid_q || !*port->ready)
		return *last = false;
	*last = port->last_q;
	port->inside = !port->last_q;
	return first;
}

static bool is_write(const struct port *port)
{
	uint32_t fmt = sim_tlp_get(port->dw, CAIRN_TLP_MEM_FMT);

	return sim_tlp_get(port->dw, CAIRN_TLP_MEM_TYPE) == CAIRN_TLP_TYPE_MEM &&
	       (fmt == CAIRN_TLP_FMT_3DW_DATA || fmt == (CAIRN_TLP_FMT_3DW_DATA | 1));
}

/* One NIC is both: the first frame is the request, the second the ACK; the same of writes. */
static void watch_loop(struct probe *probe, uint64_t cycle)
{
	struct view *view = &probe->nic[0];
	bool last, ack = probe->at[FRAME_IN];

	if (*view->tlp_in.valid && *view->tlp_in.last) {
		sim_tlp_from_port(view->tlp_in.dw, view->tlp_in.hdr);
		if (is_write(&view->tlp_in))
			see(probe, DB_IN, cycle);
	}
	if (view->loop.valid_q) {
		see(probe, ack ? ACK_OUT : FRAME_OUT, cycle);
		if (view->loop.last_q)
			see(probe, ack ? ACK_IN : FRAME_IN, cycle);
	}
	moved(&view->tlp_out, &last);
	if (last && is_write(&view->tlp_out))
		see(probe, probe->at[WRITE_OUT] ? CQE_OUT : WRITE_OUT, cycle);
}

static void watch(struct probe *probe, unsigned int nic, uint64_t cycle)
{
	struct view *view = &probe->nic[nic];
	bool last;

	if (*view->tlp_in.valid && *view->tlp_in.last) {
		sim_tlp_from_port(view->tlp_in.dw, view->tlp_in.hdr);
		if (!nic && is_write(&view->tlp_in))
			see(probe, DB_IN, cycle);
	}
	if (*view->mac_in.valid && *view->mac_in.last)
		see(probe, nic ? FRAME_IN : ACK_IN, cycle);
	if (moved(&view->mac_out, &last))
		see(probe, nic ? ACK_OUT : FRAME_OUT, cycle);
	moved(&view->tlp_out, &last);
	if (last && is_write(&view->tlp_out))
		see(probe, nic ? WRITE_OUT : CQE_OUT, cycle);
}

static void step(struct probe *probe)
{
	uint64_t cycle = sim_cycle(probe->r->sim);

	for (unsigned int i = 0; i < 2; i++) {
		before(&probe->nic[i].tlp_out);
		before(&probe->nic[i].mac_out);
		before(&probe->nic[i].loop);
	}
	sim_step(probe->r->sim);
	for (unsigned int i = 0; i < 2 && !probe->way.loop; i++)
		watch(probe, i, cycle);
	if (probe->way.loop)
		watch_loop(probe, cycle);
}

static uint64_t reads(struct rdma *r)
{
	return sim_pcie_stats(sim_nic_pcie(sim_nic(r->sim, 0)))->rd_tlps;
}

static void one(struct probe *probe, struct rdma_qp *qp, const struct rdma_buf *local,
		const struct rdma_buf *remote, struct bench_lat *sum)
{
	struct rdma *r = probe->r;
	struct cairn_cq *cq = r->nic[0].cq->cq;
	uint64_t read = reads(r), *at = probe->at, wait, tx;
	const struct bench_ends ends = { .local = local, .remote = remote->mr };
	const struct cairn_cqe *cqe;

	memset(probe->at, 0, sizeof(probe->at));
	bench_post(qp, CAIRN_WQE_OP_WRITE, &ends, LEN, true);
	if (probe->way.push)
		rdma_push(qp);
	else
		rdma_ring(qp);
	for (unsigned int n = 0; !(cqe = cairn_cq_next(cq)); n++) {
		if (n == GIVE_UP)
			rdma_fail(r, "no completion");
		step(probe);
	}
	if (CAIRN_GET(cqe->status, CAIRN_CQE_STATUS))
		rdma_fail(r, "the WRITE failed");
	cairn_cq_consume(cq);
	cairn_cq_update(cq);
	for (unsigned int i = 0; i < BEATS; i++)
		if (!at[i])
			rdma_fail(r, "beat %u was not seen", i);
	wait = (reads(r) - read) * r->cfg.pcie->read_rtt_ns / sim_period(r->sim);
	tx = at[FRAME_OUT] - at[DB_IN];
	if (wait >= tx)
		rdma_fail(r, "%llu cycles of PCIe reads in %llu: they overlap",
			  (unsigned long long)wait, (unsigned long long)tx);
	tx -= wait;
	sum->tx += tx;
	sum->rx += at[WRITE_OUT] - at[FRAME_IN];
	sum->ack += at[ACK_OUT] - at[FRAME_IN];
	sum->cqe += at[CQE_OUT] - at[ACK_IN];
	sum->all += at[CQE_OUT] - at[DB_IN] - wait;
	rdma_settle(r, 5000);
}

void bench_lat_run(const struct rdma_cfg *cfg, struct bench_way way, struct bench_lat *lat)
{
	struct probe probe = { .r = rdma_begin(cfg), .way = way };
	struct rdma_buf *local = bench_buf(probe.r, 0, LEN);
	struct rdma_buf *remote = bench_buf(probe.r, !way.loop, LEN);
	struct rdma_qp_cfg qp_cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&qp_cfg);
	qp_cfg.max_inline = 24;
	qp = rdma_pair(probe.r, 0, !way.loop, &qp_cfg);
	find_ports(&probe);
	for (unsigned int n = 0; n < WARM + MESSAGES; n++) {
		if (n == WARM)
			memset(lat, 0, sizeof(*lat));
		one(&probe, qp, local, remote, lat);
	}
	lat->tx /= MESSAGES;
	lat->rx /= MESSAGES;
	lat->ack /= MESSAGES;
	lat->cqe /= MESSAGES;
	lat->all /= MESSAGES;
	lat->nic = lat->tx + lat->rx;
	if (memcmp(local->data, remote->data, LEN))
		rdma_fail(probe.r, "the data that arrived is not what was sent");
	rdma_buf_forget(remote, 0, LEN);
	rdma_end(probe.r);
	rdma_group_teardown(NULL);
}
