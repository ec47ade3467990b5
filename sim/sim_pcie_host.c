/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root complex, the host's side: BAR writes and reads, the core's completions of those reads,
 * configuration space and function level reset.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim_pcie_priv.h"

/* ---- BAR writes ---- */

static bool inside(unsigned int bar, uint64_t off, uint64_t size)
{
	uint64_t bytes = sim_cfgspace_bar_size(bar);

	return size && off < bytes && size <= bytes - off;
}

int sim_pcie_mmio_write(struct sim_pcie *p, unsigned int bar, uint64_t off, const void *buf,
			uint32_t size)
{
	if (!inside(bar, off, size))
		return -EINVAL;
	if (!sim_cfgspace_memory(&p->space)) {
		p->stats.bar_dropped++;
		return -EIO;
	}
	return pcie_write_queue(p, bar, off, buf, size);
}

unsigned int sim_pcie_backlog(const struct sim_pcie *p)
{
	return p->hw_n + p->hr_n;
}

/* ---- BAR reads ---- */

static void read_queue(struct sim_pcie *p, struct sim_pcie_read *r)
{
	r->step = pcie_step(r->off + r->pos, r->size - r->pos, false);
	r->sent = false;
	r->next = NULL;
	*p->hr_tail = r;
	p->hr_tail = &r->next;
	p->hr_n++;
}

int sim_pcie_mmio_read(struct sim_pcie *p, struct sim_pcie_read *r)
{
	if (!inside(r->bar, r->off, r->size))
		return -EINVAL;
	if (!sim_cfgspace_memory(&p->space))
		return -EIO;
	r->status = -EINPROGRESS;
	r->pos = 0;
	read_queue(p, r);
	return 0;
}

/* A failed read gives all ones, as a host does. */
static void read_end(struct sim_pcie_read *r, int status)
{
	if (status)
		memset(r->buf, 0xff, r->size);
	r->status = status;
	if (r->done)
		r->done(r);
}

void sim_pcie_mmio_cancel(struct sim_pcie *p, struct sim_pcie_read *r)
{
	if (r->status != -EINPROGRESS)
		return;
	r->status = -ECANCELED;
	for (unsigned int i = 0; i < HOST_TAGS; i++)
		if (p->hread[i].used && p->hread[i].r == r)
			p->hread[i].r = NULL;
	for (struct sim_pcie_read **at = &p->hr_head; *at; at = &(*at)->next)
		if (*at == r) {
			*at = r->next;
			if (!*at)
				p->hr_tail = at;
			p->hr_n--;
			return;
		}
}

static void hread_free(struct sim_pcie *p, struct hread *h)
{
	h->used = false;
	p->hread_n--;
}

/* The answered piece goes to the reader, who may start another read from inside its callback. */
static void hread_deliver(struct sim_pcie *p, struct hread *h)
{
	struct sim_pcie_read *r = h->r;
	int status = h->status;

	hread_free(p, h);
	if (!r)
		return;
	if (!status) {
		memcpy((uint8_t *)r->buf + r->pos, h->data, h->step);
		r->pos += h->step;
		if (r->pos < r->size) {
			read_queue(p, r);
			return;
		}
	}
	read_end(r, status);
}

/*
 * Once a cycle while BAR reads are out.  An answer reaches the host behind the writes that the core
 * sent before it, unless one of them waits for the client itself (see sim_pcie_stalled()).
 */
void pcie_host_run(struct sim_pcie *p)
{
	for (unsigned int i = 0; i < HOST_TAGS; i++) {
		struct hread *h = &p->hread[i];

		if (!h->used)
			continue;
		if (h->answered) {
			if (h->due <= p->now_fp && (p->w_applied >= h->after || p->w_now))
				hread_deliver(p, h);
		} else if (p->now >= h->deadline && !p->flr_state) {
			struct sim_pcie_read *r = h->r;

			sim_tlpmon_violation(&p->mon, SIM_TLP_CPL_TIMEOUT, p->now, NULL, NULL);
			/* The tag stays taken, for a late answer, until the next reset. */
			h->r = NULL;
			h->deadline = UINT64_MAX;
			if (r)
				read_end(r, -ETIMEDOUT);
		}
	}
}

static bool answer_form_ok(const struct sim_tlp_hdr *h, const struct hread *q)
{
	uint32_t head = q->addr & 3;

	if (h->reqid != 0)
		return false;
	if (h->status != CAIRN_CPL_STATUS_SC)
		return !h->has_data && h->len_dw == 0 &&
		       (h->status == CAIRN_CPL_STATUS_UR || h->status == CAIRN_CPL_STATUS_CA);
	return h->has_data && h->len_dw == (head + q->step + 3) / 4 && h->byte_count == q->step &&
	       h->lower_addr == (q->addr & 0x7f);
}

void pcie_host_answer(struct sim_pcie *p, const struct sim_tlp_hdr *h, const uint8_t *data)
{
	struct hread *q = NULL;

	for (unsigned int i = 0; i < HOST_TAGS; i++)
		if (p->hread[i].used && !p->hread[i].answered && p->hread[i].tag == h->tag)
			q = &p->hread[i];
	if (!q) {
		sim_tlpmon_violation(&p->mon, SIM_TLP_CPL_UNEXPECTED, p->now, h, NULL);
		return;
	}
	q->status = h->status == CAIRN_CPL_STATUS_SC && !h->ep ? 0 : -EIO;
	if (!answer_form_ok(h, q)) {
		sim_tlpmon_violation(&p->mon, SIM_TLP_CPL_FORM, p->now, h, NULL);
		q->status = -EIO;
	}
	if (!q->status)
		memcpy(q->data, data + (q->addr & 3), q->step);
	q->answered = true;
	q->after = p->r_barrier = p->w_accepted;
	q->due = p->up_free + p->half_rtt;
}

/* ---- configuration space ---- */

int sim_pcie_cfg_read(struct sim_pcie *p, uint32_t off, void *buf, uint32_t len)
{
	return sim_cfgspace_read(&p->space, off, buf, len);
}

int sim_pcie_cfg_write(struct sim_pcie *p, uint32_t off, const void *buf, uint32_t len)
{
	int events = sim_cfgspace_write(&p->space, off, buf, len);

	if (events < 0)
		return events;
	if (events & SIM_CFGSPACE_STATE)
		pcie_cfg_update(p);
	if (events & SIM_CFGSPACE_FLR)
		sim_pcie_flr(p, NULL, NULL);
	return 0;
}

/* ---- function level reset ---- */

/* What the host had asked for is void; readers hear of it once everything is consistent. */
static void drop_requests(struct sim_pcie *p)
{
	struct sim_pcie_read *list = p->hr_head, *r;

	p->hr_head = NULL;
	p->hr_tail = &p->hr_head;
	p->hr_n = 0;
	for (unsigned int i = 0; i < HOST_TAGS; i++) {
		struct hread *h = &p->hread[i];

		if (!h->used || !h->r)
			continue;
		h->r->next = list;
		list = h->r;
		h->r = NULL;
		if (h->answered)
			hread_free(p, h);
	}
	p->hw_head += p->hw_n;
	p->hw_n = 0;
	while ((r = list)) {
		list = r->next;
		read_end(r, -EIO);
	}
}

int sim_pcie_flr(struct sim_pcie *p, void (*done)(void *arg, int status), void *arg)
{
	if (done && p->flr_waiters == MAX_FLR_WAITERS)
		return -EBUSY;
	if (done) {
		p->flr_wait[p->flr_waiters].fn = done;
		p->flr_wait[p->flr_waiters++].arg = arg;
	}
	if (!p->flr_state) {
		p->flr_state = 1;
		p->flr_cycles = 0;
		p->flr_deadline = p->now + (uint64_t)p->cfg.flr_timeout_ms * 1000000;
		p->stats.flrs++;
	}
	sim_cfgspace_flr(&p->space);
	pcie_cfg_update(p);
	drop_requests(p);
	return 0;
}

bool sim_pcie_in_flr(const struct sim_pcie *p)
{
	return p->flr_state;
}

static void flr_finish(struct sim_pcie *p, int status)
{
	struct flr_waiter waiters[MAX_FLR_WAITERS];
	unsigned int n = p->flr_waiters;

	memcpy(waiters, p->flr_wait, sizeof(waiters));	/* a waiter may ask for another reset */
	p->flr_state = 0;
	p->cfg_dirty = true;
	p->quiet = !p->bme;
	/* BAR reads that the reset swallowed will never be answered. */
	for (unsigned int i = 0; i < HOST_TAGS; i++)
		if (p->hread[i].used)
			hread_free(p, &p->hread[i]);
	pcie_irq_reset(p);
	p->flr_waiters = 0;
	for (unsigned int i = 0; i < n; i++)
		waiters[i].fn(waiters[i].arg, status);
}

void pcie_flr_pre(struct sim_pcie *p)
{
	p->flr_cycles++;
	if (p->now < p->flr_deadline)
		return;
	sim_tlpmon_violation(&p->mon, SIM_TLP_FLR_TIMEOUT, p->now, NULL, NULL);
	flr_finish(p, -ETIMEDOUT);
}

/* The request is held until the core says done, which then may stay or fall with it. */
void pcie_flr_post(struct sim_pcie *p)
{
	if (p->flr_state == 1 && *p->io.flr && *p->io.flr_done) {
		p->flr_state = 2;
		p->flr_cycles = 0;
		p->cfg_dirty = true;
	} else if (p->flr_state == 2 && !*p->io.flr &&
		   (!*p->io.flr_done || p->flr_cycles > 64)) {
		flr_finish(p, 0);
	}
}
