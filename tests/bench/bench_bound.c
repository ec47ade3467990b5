// SPDX-License-Identifier: Apache-2.0
/* The links of a bench and what they allow; see bench.h. */
#include "bench.h"

/* Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4. */
#define HEADERS 58u
#define RETH 16u
#define AETH 4u
#define ATOMIC_ETH 28u
#define TLP_OVERHEAD 24u
#define DOORBELL 8u
#define CQE 32u
#define RQE 16u

unsigned int bench_period(unsigned int data_w)
{
	return data_w >= 256 ? 4 : 8;
}

void bench_links(unsigned int data_w, struct rdma_cfg *cfg, struct sim_pcie_cfg *pcie)
{
	unsigned int period = bench_period(data_w);

	sim_pcie_cfg_default(pcie, data_w, period);
	cfg->data_w = data_w;
	cfg->pcie = pcie;
	cfg->mbps = 100000;
	if (data_w >= 512)
		return;
	/* Narrow builds are the limit themselves: a wire and a PCIe link that are faster. */
	cfg->mbps = data_w * 1250 / period;
	pcie->up_rate *= 2;
	pcie->down_rate *= 2;
}

double bench_gbps(unsigned int data_w, uint32_t len, double cycles)
{
	return len * 8.0 / (cycles * bench_period(data_w));
}

static uint32_t up(uint32_t n, uint32_t unit)
{
	return (n + unit - 1) / unit;
}

static uint32_t tlps(uint32_t len, uint32_t most)
{
	return len + up(len, most) * TLP_OVERHEAD;
}

/* Bytes of extension headers of packet i of n, as it carries payload. */
static uint32_t extension(enum cairn_wqe_op op, uint32_t i, uint32_t n)
{
	if (op == CAIRN_WQE_OP_WRITE)
		return i ? 0 : RETH;
	if (op == CAIRN_WQE_OP_READ)
		return !i || i == n - 1 ? AETH : 0;
	if (op == CAIRN_WQE_OP_ATOMIC_FA) /* the request; its answer is shorter */
		return ATOMIC_ETH;
	return 0;
}

static void larger(struct bench_bound *bound, double cycles, const char *by)
{
	if (cycles <= bound->cycles)
		return;
	bound->cycles = cycles;
	bound->by = by;
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

struct bench_bound bench_bound(const struct rdma_cfg *cfg, const struct bench_load *load)
{
	const struct sim_pcie_cfg *pcie = cfg->pcie;
	uint32_t mtu = 128u << load->pmtu, n = up(load->len, mtu), beat = cfg->data_w / 8;
	double wire_rate = cfg->mbps * (double)bench_period(cfg->data_w) / 8000;
	double up_rate = pcie->up_rate * (double)pcie->clk_ns / 1000;
	double down_rate = pcie->down_rate * (double)pcie->clk_ns / 1000;
	bool read = load->op == CAIRN_WQE_OP_READ, send = load->op == CAIRN_WQE_OP_SEND;
	bool atomic = load->op == CAIRN_WQE_OP_ATOMIC_FA;
	/* A record is read whole, once for all that is posted; what of it comes back, a part or
	 * more, is not counted. */
	double share = load->missing ? 1.0 / load->depth : 0;
	double record = tlps(CAIRN_QP_HOT_BYTES, pcie->mps) * share;
	double asked = TLP_OVERHEAD * share;
	/* Of who posts (WQEs fetched eight at a time, if there are as many) and of who receives. */
	uint32_t wqes = load->depth < 8 ? load->depth : 8;
	double post_down = (DOORBELL + TLP_OVERHEAD) / (double)load->list +
			   tlps(wqes * CAIRN_SQ_BLOCK_BYTES, pcie->mps) / (double)wqes + record;
	double post_up = TLP_OVERHEAD / (double)wqes + CQE + TLP_OVERHEAD + asked;
	double recv_down = (send ? DOORBELL + RQE + TLP_OVERHEAD : 0) + record;
	double recv_up = (send ? CQE + TLP_OVERHEAD : 0) + asked;
	double source_down = load->in_wqe ? 0 : tlps(load->len, pcie->mps);
	double source_up = load->in_wqe ? 0 : up(load->len, pcie->mrrs) * TLP_OVERHEAD;
	double sink_up = 0, wire = 0, beats = 0;
	struct bench_bound bound = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t payload = i < n - 1 ? mtu : load->len - i * mtu;
		uint32_t carried = atomic ? 0 : up(payload, 4) * 4;
		uint32_t frame = HEADERS + extension(load->op, i, n) + carried;

		wire += sim_wire_bytes(frame);
		beats += up(frame, beat);
		sink_up += tlps(payload, pcie->mps);
	}
	if (atomic) { /* the target reads and writes, the old value comes back */
		bound.pcie_down = most(post_down, source_down);
		bound.pcie_up = most(post_up + sink_up, source_up + sink_up);
	} else if (read) {
		bound.pcie_down = most(post_down, source_down);
		bound.pcie_up = most(post_up + sink_up, source_up);
	} else {
		bound.pcie_down = most(post_down + source_down, recv_down);
		bound.pcie_up = most(post_up + source_up, recv_up + sink_up);
	}
	if (load->loop) { /* all of it is one NIC's, and nothing the wire's */
		bound.pcie_down = post_down + source_down;
		bound.pcie_up = post_up + source_up + sink_up;
		wire = 0;
	}
	bound.wire = wire / wire_rate;
	bound.beats = beats;
	bound.pcie_down /= down_rate;
	bound.pcie_up /= up_rate;
	larger(&bound, bound.wire, "wire");
	larger(&bound, bound.beats, "data path");
	larger(&bound, bound.pcie_up, "PCIe up");
	larger(&bound, bound.pcie_down, "PCIe down");
	return bound;
}
