/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex: creation, the clock and the ports (see sim_pcie.h for what it keeps,
 * sim_pcie_priv.h for the other parts).  Runs in every clock cycle: with nothing to do, pre and
 * post are a few loads.
 */
#include "sim_pcie.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_pcie_priv.h"

/* ---- ports ---- */

int sim_pcie_ports_find(struct sim_pcie_ports *ports, const struct sim_dut_ops *ops,
			struct sim_dut *dut, const char **missing)
{
	const struct {
		const char *name;
		const uint8_t **at;
	} list[] = {
		{ "tlp_rx_valid_i", (const uint8_t **)&ports->rx_valid },
		{ "tlp_rx_sop_i", (const uint8_t **)&ports->rx_sop },
		{ "tlp_rx_last_i", (const uint8_t **)&ports->rx_last },
		{ "tlp_rx_hdr_i", (const uint8_t **)&ports->rx_hdr },
		{ "tlp_rx_bar_i", (const uint8_t **)&ports->rx_bar },
		{ "tlp_rx_data_i", (const uint8_t **)&ports->rx_data },
		{ "tlp_rx_ready_o", &ports->rx_ready },
		{ "tlp_tx_valid_o", &ports->tx_valid },
		{ "tlp_tx_ready_i", (const uint8_t **)&ports->tx_ready },
		{ "tlp_tx_sop_o", &ports->tx_sop },
		{ "tlp_tx_last_o", &ports->tx_last },
		{ "tlp_tx_hdr_o", &ports->tx_hdr },
		{ "tlp_tx_data_o", &ports->tx_data },
		{ "tlp_credit_i", (const uint8_t **)&ports->credit },
		{ "cfg_bme_i", (const uint8_t **)&ports->bme },
		{ "cfg_mps_i", (const uint8_t **)&ports->mps },
		{ "cfg_mrrs_i", (const uint8_t **)&ports->mrrs },
		{ "cfg_reqid_i", (const uint8_t **)&ports->reqid },
		{ "cfg_ext_tag_i", (const uint8_t **)&ports->ext_tag },
		{ "cfg_relaxed_i", (const uint8_t **)&ports->relaxed },
		{ "cfg_msix_en_i", (const uint8_t **)&ports->msix_en },
		{ "cfg_msix_fmask_i", (const uint8_t **)&ports->msix_fmask },
		{ "cfg_flr_i", (const uint8_t **)&ports->flr },
		{ "cfg_flr_done_o", &ports->flr_done },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const struct sim_port *port = ops->find(dut, list[i].name);

		if (!port) {
			*missing = list[i].name;
			return -ENOENT;
		}
		*list[i].at = port->bits;
		if (list[i].at == (const uint8_t **)&ports->rx_data)
			ports->data_w = port->width;
	}
	return 0;
}

/* ---- creation ---- */

void sim_pcie_cfg_default(struct sim_pcie_cfg *cfg, unsigned int data_w, unsigned int clk_ns)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->name = "nic";
	cfg->clk_ns = clk_ns;
	cfg->seed = 1;
	cfg->up_rate = cfg->down_rate = data_w / 8 * 1000 / clk_ns;
	cfg->overhead = 24;
	cfg->buffer = 1024;
	cfg->read_rtt_ns = 600;
	cfg->mps = 256;
	cfg->mrrs = 512;
	cfg->rcb = 64;
	cfg->n_tags = 256;
	cfg->posted_credits = 64;
	cfg->nonposted_credits = 256;
	cfg->reqid = 0x0100;
	cfg->split = SIM_SPLIT_MPS;
	cfg->sample = SIM_SAMPLE_EARLY;
	cfg->bar_timeout_us = 200;
	cfg->flr_timeout_ms = 100;
	cfg->bme_grace_cycles = 16;
	cfg->log_entries = 1024;
}

void sim_pcie_cfg_stress(struct sim_pcie_cfg *cfg, unsigned int data_w, unsigned int clk_ns)
{
	sim_pcie_cfg_default(cfg, data_w, clk_ns);
	cfg->read_jitter_ns = 400;
	cfg->posted_jitter_ns = 200;
	cfg->posted_credits = 8;
	cfg->nonposted_credits = 16;
	cfg->split = SIM_SPLIT_RANDOM;
	cfg->sample = SIM_SAMPLE_RANDOM;
	cfg->reorder_pct = 40;
	cfg->relax_pct = 30;
	cfg->stall_pct = 10;
	cfg->gap_pct = 10;
	cfg->starve_pct = 2;
}

static const char *cfg_error(const struct sim_pcie_cfg *cfg, unsigned int data_w)
{
	if (data_w < 64 || data_w > 8 * BEAT_MAX || data_w & (data_w - 1))
		return "the data path must be 64, 128, 256 or 512 bits wide";
	if (!cfg->clk_ns || !cfg->up_rate || !cfg->down_rate)
		return "clock period and link rates must not be zero";
	if (cfg->mps < 128 || cfg->mps > TLP_MAX || cfg->mps & (cfg->mps - 1) ||
	    cfg->mrrs < 128 || cfg->mrrs > TLP_MAX || cfg->mrrs & (cfg->mrrs - 1))
		return "MPS and MRRS must be powers of two from 128 to 4096";
	if (cfg->rcb != 64 && cfg->rcb != 128)
		return "RCB must be 64 or 128";
	if (!cfg->n_tags || cfg->n_tags > MAX_TAGS)
		return "1 to 1024 tags";
	if (!cfg->posted_credits || !cfg->nonposted_credits)
		return "credits must not be zero";
	return NULL;
}

static bool allocate(struct sim_pcie *p)
{
	unsigned int n = p->cfg.n_tags;

	p->rd = calloc(n, sizeof(*p->rd));
	p->rd_data = calloc(n, TLP_MAX + BEAT_MAX);
	p->heap = calloc(n, sizeof(*p->heap));
	p->ready = calloc(n, sizeof(*p->ready));
	p->hw_cap = 64;
	p->hw = malloc(p->hw_cap * sizeof(*p->hw));
	if (p->cfg.log_entries)
		p->log = calloc(p->cfg.log_entries, sizeof(*p->log));
	if (!p->rd || !p->rd_data || !p->heap || !p->ready || !p->hw ||
	    (p->cfg.log_entries && !p->log) || !pcie_pool_grow(p))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		p->rd[i].p = p;
		p->rd[i].tag = (uint16_t)i;
		p->rd[i].data = p->rd_data + (size_t)i * (TLP_MAX + BEAT_MAX);
	}
	return true;
}

struct sim_pcie *sim_pcie_new(const struct sim_pcie_cfg *cfg, const struct sim_pcie_ports *ports,
			      struct sim_mem *mem)
{
	const char *wrong = cfg_error(cfg, ports->data_w);
	struct sim_pcie *p;

	if (wrong) {
		if (cfg->report)
			cfg->report(cfg->report_arg, wrong);
		else
			fprintf(stderr, "%s: PCIe configuration: %s\n", cfg->name, wrong);
		errno = EINVAL;
		return NULL;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->cfg = *cfg;
	p->io = *ports;
	p->mem = mem;
	p->bw = ports->data_w / 8;
	p->rand = sim_rand_init(cfg->seed, 0x9c1e);
	p->clk_fp = (uint64_t)cfg->clk_ns << FP_SHIFT;
	p->up_slack = pcie_cost(cfg->buffer, cfg->up_rate);
	if (p->up_slack < p->clk_fp - 1)
		p->up_slack = p->clk_fp - 1;
	sim_pcie_set_rtt(p, cfg->read_rtt_ns);
	p->w_tail = &p->w_head;
	p->a_tail = &p->a_head;
	p->hr_tail = &p->hr_head;
	snprintf(p->name, sizeof(p->name), "%s", cfg->name);
	p->cfg.name = p->name;
	p->mon.name = p->name;
	p->mon.report = cfg->report;
	p->mon.arg = cfg->report_arg;
	p->credit = p->credit_prev = CREDIT_ALL;
	if (!allocate(p)) {
		sim_pcie_free(p);
		errno = ENOMEM;
		return NULL;
	}
	sim_cfgspace_init(&p->space, cfg->mps, cfg->mrrs);
	sim_cfgspace_forbid(&p->space, cfg->no_ext_tag, cfg->no_relaxed);
	if (cfg->rcb == 128)
		sim_cfgspace_rcb_128(&p->space);
	pcie_irq_reset(p);
	pcie_cfg_update(p);
	p->mps_was = p->mps;
	p->mrrs_was = p->mrrs;
	p->relaxed_was = p->relaxed;
	p->ext_tag_was = p->ext_tag;
	return p;
}

void sim_pcie_set_rtt(struct sim_pcie *p, unsigned int read_rtt_ns)
{
	p->cfg.read_rtt_ns = read_rtt_ns;
	p->half_rtt = ((uint64_t)read_rtt_ns << FP_SHIFT) / 2;
}

void sim_pcie_free(struct sim_pcie *p)
{
	if (!p)
		return;
	while (p->chunks) {
		void *next = *(void **)p->chunks;

		free(p->chunks);
		p->chunks = next;
	}
	free(p->rd);
	free(p->rd_data);
	free(p->heap);
	free(p->ready);
	free(p->hw);
	free(p->log);
	free(p);
}

/* ---- the clock ---- */

static void drive_cfg(struct sim_pcie *p)
{
	const struct sim_cfgspace *c = &p->space;

	*p->io.bme = p->bme;
	*p->io.mps = (uint8_t)sim_cfgspace_mps(c);
	*p->io.mrrs = (uint8_t)sim_cfgspace_mrrs(c);
	memcpy(p->io.reqid, &p->cfg.reqid, 2);
	*p->io.ext_tag = sim_cfgspace_ext_tag(c);
	*p->io.relaxed = sim_cfgspace_relaxed(c);
	*p->io.msix_en = p->msix_en;
	*p->io.msix_fmask = sim_cfgspace_msix_enable(c) && sim_cfgspace_msix_mask(c);
	*p->io.flr = p->flr_state == 1;
	p->cfg_dirty = false;
}

/* Withheld at random, the same for a whole window of 1024 ns, or by request. */
static unsigned int withheld(struct sim_pcie *p)
{
	unsigned int classes = p->now < p->hold_until ? p->hold_classes : 0;
	struct sim_rand window;

	if (!p->cfg.starve_pct)
		return classes;
	for (unsigned int c = 0; c < 3; c++) {
		window = sim_rand_init(p->cfg.seed, (p->now >> 10) * 4 + c);
		if (sim_rand_below(&window, 100) < p->cfg.starve_pct)
			classes |= 1u << c;
	}
	return classes;
}

static void drive_up(struct sim_pcie *p)
{
	unsigned int credit = CREDIT_ALL;
	bool ready = p->tx.in_tlp || p->up_free <= p->now_fp + p->up_slack;

	if (p->w_queued >= p->cfg.posted_credits)
		credit &= ~(unsigned int)CREDIT_P;
	if (p->a_n >= p->cfg.nonposted_credits)
		credit &= ~(unsigned int)CREDIT_NP;
	if (p->hold_until > p->now || p->cfg.starve_pct)
		credit &= ~withheld(p);
	/* A client that waits for a BAR read takes no writes until it has it: buffer them all. */
	if (p->w_now && p->hread_n && !(p->hold_until > p->now))
		credit |= CREDIT_P;
	if (pcie_chance(p, p->cfg.stall_pct) || (!p->pool && !pcie_pool_grow(p)))
		ready = false;
	p->credit_prev = p->credit;
	p->credit = (uint8_t)credit;
	p->tx_ready = ready;
	*p->io.credit = (uint8_t)credit;
	*p->io.tx_ready = ready;
	p->rest = ready && credit == CREDIT_ALL && p->credit_prev == CREDIT_ALL && p->rx_clear &&
		  !p->rx.active && !p->cfg.stall_pct && !p->cfg.starve_pct;
}

/*
 * The ports rest (ready, all credits, nothing valid) and nothing would change that in this cycle.
 */
static bool at_rest(const struct sim_pcie *p)
{
	return p->rest && !p->w_head && !p->w_now && !p->rd_n && !p->hw_n && !p->hr_n &&
	       !p->hread_n && !p->flr_state && !p->cfg_dirty && !p->stray.armed && !p->tx.in_tlp &&
	       p->hold_until <= p->now && p->up_free <= p->now_fp;
}

void sim_pcie_time(struct sim_pcie *p, uint64_t now_ns)
{
	p->now = now_ns;
	p->now_fp = now_ns << FP_SHIFT;
}

void sim_pcie_pre(struct sim_pcie *p, uint64_t now_ns)
{
	sim_pcie_time(p, now_ns);
	if (at_rest(p))
		return;
	if (p->w_head)
		pcie_posted_run(p);
	if (p->a_head)
		pcie_arrive_run(p);
	if (p->heap_n && p->heap[0].t <= p->now_fp)
		pcie_ready_run(p);
	if (p->hread_n)
		pcie_host_run(p);
	if (p->flr_state)
		pcie_flr_pre(p);
	if (p->cfg_dirty)
		drive_cfg(p);
	pcie_down_pre(p);
	drive_up(p);
}

void sim_pcie_post(struct sim_pcie *p)
{
	if (p->rx.active)
		pcie_down_post(p);
	if (*p->io.tx_valid || p->tx.held || p->tx.in_tlp)
		pcie_up_post(p);
	if (p->flr_state)
		pcie_flr_post(p);
}

bool sim_pcie_idle(const struct sim_pcie *p)
{
	return !p->w_head && !p->w_now && !p->rd_n && !p->rx.active && !p->hread_n &&
	       !p->tx.in_tlp && !p->tx.held && !p->stray.armed && !p->cfg_dirty &&
	       (p->flr_state ? p->flr_cycles > FLR_BUSY_CYCLES : !p->hw_n && !p->hr_n);
}

uint64_t sim_pcie_next_event(const struct sim_pcie *p)
{
	uint64_t t = SIM_PCIE_NEVER;

	if (p->flr_state)
		t = p->flr_deadline;
	if (p->hold_until > p->now && p->hold_until < t)
		t = p->hold_until;
	return t;
}

bool sim_pcie_stalled(const struct sim_pcie *p)
{
	return p->mem_pending && !p->hread_n && !p->hr_n && !p->flr_state;
}

const struct sim_pcie_stats *sim_pcie_stats(const struct sim_pcie *p)
{
	return &p->stats;
}

uint64_t sim_pcie_violations(const struct sim_pcie *p)
{
	return p->mon.total;
}

uint64_t sim_pcie_violation_count(const struct sim_pcie *p, enum sim_tlp_rule rule)
{
	return p->mon.count[rule];
}

void sim_pcie_expect(struct sim_pcie *p, enum sim_tlp_rule rule, bool expected)
{
	p->mon.expect[rule] = expected;
}

uint64_t sim_pcie_expected_count(const struct sim_pcie *p, enum sim_tlp_rule rule)
{
	return p->mon.expected[rule];
}
