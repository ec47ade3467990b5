// SPDX-License-Identifier: Apache-2.0
/* Lock-step (lock.h): set up, run, compare at the end. */
#include "lock.h"

#include <errno.h>
#include <stdio.h>

#include "sim_pkt.h"

#define STUCK_NS 25000000ull
#define LINK_MBPS 4000 /* the NIC can take all of it: it drops nothing for want of room */
#define PEER_MAC 0x0200000000feull

/* ---------------------------------------------------------------- small things */

void *lock_list_grow(void *items, size_t *head, size_t *end, size_t *room, size_t bytes)
{
	if (*head == *end)
		*head = *end = 0;
	if (*end < *room)
		return items;
	if (*head > *room / 2) {
		memmove(items, (uint8_t *)items + *head * bytes, (*end - *head) * bytes);
		*end -= *head;
		*head = 0;
		return items;
	}
	*room = *room ? 2 * *room : 16;
	items = realloc(items, *room * bytes);
	assert_non_null(items);
	return items;
}

uint64_t lock_now(const struct lock *l)
{
	return sim_now(l->r->sim);
}

uint32_t lock_psn(const struct model_packet *packet)
{
	return (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_PSN);
}

const struct cairn_opcode_info *lock_op(const struct model_packet *packet)
{
	return &cairn_opcode_table[packet->bytes[0]];
}

const char *lock_text(const struct model_packet *packet)
{
	static char text[2][128];
	static unsigned int turn;
	const char *name = sim_pkt_opcode_name(packet->bytes[0]);

	turn ^= 1;
	snprintf(text[turn], sizeof(text[turn]), "%s PSN 0x%06x%s", name ? name : "?",
		 lock_psn(packet),
		 cairn_pkt_get(packet->bytes, CAIRN_BTH_ACKREQ) ? " (AckReq)" : "");
	if (lock_op(packet)->ext & CAIRN_EXT_AETH)
		snprintf(text[turn] + strlen(text[turn]), 40, " syndrome 0x%02x MSN 0x%06x",
			 (unsigned int)cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES,
						     CAIRN_AETH_SYNDROME),
			 (unsigned int)cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES,
						     CAIRN_AETH_MSN));
	return text[turn];
}

struct lock_qp *lock_find(struct lock *l, uint32_t qpn)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (l->qp[i].qpn == qpn)
			return &l->qp[i];
	return NULL;
}

void lock_fail(struct lock *l, const struct lock_qp *qp, const char *format, ...)
{
	size_t used = 0;
	va_list args;

	if (l->failure[0])
		return; /* the others follow from the first */
	if (qp)
		used = (size_t)snprintf(l->failure, sizeof(l->failure),
					"QP 0x%06x (peer 0x%06x, MTU %u), %llu ns: ", qp->qpn,
					qp->peer_qpn, qp->cfg.pmtu,
					(unsigned long long)lock_now(l));
	va_start(args, format);
	vsnprintf(l->failure + used, sizeof(l->failure) - used, format, args);
	va_end(args);
}

/* LOCK_BLIND=1: a run goes on after its first failure, so that LOCK_LOG has what follows, and fails
 * at the end. */
static bool goes_on(const struct lock *l)
{
	const char *blind = getenv("LOCK_BLIND");

	return !l->failure[0] || (blind && *blind);
}

void lock_log(const struct lock *l, const struct lock_qp *qp, const char *format, ...)
{
	static FILE *file;
	const char *path = getenv("LOCK_LOG");
	va_list args;

	if (!path || !*path || !goes_on(l))
		return;
	if (!file)
		file = fopen(path, "w");
	assert_non_null(file);
	va_start(args, format);
	fprintf(file, "%9llu %06x ", (unsigned long long)lock_now(l), qp->qpn);
	vfprintf(file, format, args);
	fputc('\n', file);
	fflush(file);
	va_end(args);
}

static void judge(struct lock *l)
{
	uint64_t lost;

	if (!l->failure[0])
		return;
	lost = rdma_counter(l->r, 0, CAIRN_COUNTER_RX_NO_BUFFER) -
	       l->before[CAIRN_COUNTER_RX_NO_BUFFER];
	rdma_fail(l->r, "lock-step: %s%s", l->failure,
		  lost ? " (the NIC has dropped packets for want of room)" : "");
}

void lock_check(struct lock *l)
{
	if (!goes_on(l))
		judge(l);
}

/* ---------------------------------------------------------------- frames of the NIC */

static void nic_sent(void *arg, unsigned int port, const struct sim_frame *frame)
{
	struct lock *l = arg;
	struct model_packet packet;
	struct lock_qp *qp = NULL;
	struct sim_pkt pkt;

	if (port || !l->shadow || frame->err)
		return;
	l->sent_bytes += frame->len + 24; /* preamble, FCS, gap */
	sim_pkt_parse(frame->data, frame->len, &pkt);
	if (pkt.kind != SIM_PKT_ROCE)
		return;
	if (!frame_take(frame, l->peer_mac, &packet)) {
		lock_fail(l, NULL, "a frame with wrong lengths, checksum, ICRC or address at %llu",
			  (unsigned long long)frame->t);
		return;
	}
	for (unsigned int i = 0; i < l->n && !qp; i++)
		if (l->qp[i].peer_qpn == pkt.qp)
			qp = &l->qp[i];
	if (!qp) {
		lock_fail(l, NULL, "%s to QP 0x%06x, which is none", lock_text(&packet), pkt.qp);
		return;
	}
	l->packets++;
	lock_log(l, qp, "NIC sends %s", lock_text(&packet));
	if (pkt.flags & CAIRN_OPF_RSP)
		lock_tx_response(qp, &packet);
	else
		lock_tx_request(qp, &packet);
}

static void nic_received(void *arg, unsigned int port, const struct sim_frame *frame)
{
	struct lock *l = arg;
	struct model_packet packet;
	struct lock_qp *qp;

	(void)port;
	if (!l->shadow || !frame_take(frame, l->mac, &packet))
		return;
	qp = lock_find(l, (uint32_t)cairn_pkt_get(packet.bytes, CAIRN_BTH_DEST_QP));
	if (!qp)
		return;
	l->packets++;
	lock_log(l, qp, "   NIC gets %s", lock_text(&packet));
	if (lock_op(&packet)->flags & CAIRN_OPF_RSP)
		lock_rx_response(qp, &packet);
	else
		lock_rx_request(qp, &packet);
}

static void counters(struct lock *l, uint64_t *value)
{
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		value[i] = cairn_counter_names[i] ? rdma_counter(l->r, 0, (enum cairn_counter)i)
						  : 0;
}

void lock_begin(struct lock *l, unsigned int number, const struct lock_run *run)
{
	const struct rdma_cfg cfg = {
		.nics = 1,
		.mbps = LINK_MBPS,
		.peer_fn = lock_peer_frame,
		.peer_arg = l,
		/* tests/trace gives a NIC 20 us, and here packets wait for the wire longer */
		.pcap = run->n_rules && !getenv("PCAP") ? "" : NULL,
	};
	const char *turn = getenv("LOCK_TURN_US"); /* instead of LOCK_TURN_NS */
	struct cairn_port_attr port;
	uint32_t vlan;

	memset(l, 0, sizeof(*l));
	l->r = rdma_begin(&cfg);
	l->rng.state = l->r->seed + number * 0x9e3779b97f4a7c15ull;
	l->run = *run;
	if (run->qps > LOCK_FEW_QPS) {
		l->turn_ns = (uint64_t)run->qps *
			     (turn && *turn ? (uint64_t)atoi(turn) * 1000 : LOCK_TURN_NS);
		l->take_ns = (uint64_t)run->qps * LOCK_TAKE_NS;
	}
	if (!(l->r->nic[0].caps.features & CAIRN_REG_FEATURES_UC)) /* of another build */
		l->run.uc = 0;
	l->mac = sim_nic_mac(l->r->nic[0].sim);
	l->peer_mac = PEER_MAC;
	rdma_ok(l->r, cairn_query_gid(l->r->nic[0].dev, 1, l->gid[0], &vlan), "GID");
	if (l->r->nic[0].caps.features & CAIRN_REG_FEATURES_IPV6)
		rdma_ok(l->r, cairn_query_gid(l->r->nic[0].dev, 2, l->gid[1], &vlan), "GID");
	rdma_ok(l->r, cairn_query_port(l->r->nic[0].dev, &port), "port");
	l->port_mtu = 128u << port.active_mtu;
	lock_models(l);
	lock_memory(l);
	while (l->n < run->qps)
		lock_add_qp(l, l->n++);
	counters(l, l->before);
	lock_peer_begin(l);
	for (unsigned int i = 0; i < run->n_rules; i++)
		rdma_rule(l->r, "%s", run->rules[i]);
	sim_wire_set_tap(sim_wire(l->r->sim), nic_sent, l);
	sim_wire_set_rx_tap(sim_wire(l->r->sim), nic_received, l);
	lock_gen_begin(l);
	l->progress = lock_now(l);
}

/* ---------------------------------------------------------------- running */

static bool done(struct lock *l)
{
	if (!lock_peer_done(l))
		return false;
	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];
		struct model_view view;

		model_look(l->shadow, qp->qpn, &view);
		if (view.sends || !lock_cq_done(qp) || !lock_rsp_done(qp))
			return false;
	}
	return true;
}

struct wait {
	struct lock *l;
	size_t inbox;
};

static bool awaited(void *arg)
{
	struct wait *wait = arg;

	if (lock_count(&wait->l->inbox) || !goes_on(wait->l))
		return true;
	for (const struct rdma_cq *cq = wait->l->r->cqs; cq; cq = cq->next)
		if (cairn_cq_written(cq->cq, cq->cq->ci))
			return true;
	return false;
}

static void go_on(struct lock *l, bool busy)
{
	uint64_t deadline = lock_peer_deadline(l), now = lock_now(l);
	struct wait wait = { .l = l };
	uint64_t cycles;

	if (busy) {
		sim_run(l->r->sim, rng_range(&l->rng, 8, 80));
		return;
	}
	cycles = deadline == MODEL_NEVER ? 5000
		 : deadline <= now	 ? 20
					 : (deadline - now) / sim_period(l->r->sim) + 1;
	cycles = cycles < 5000 ? cycles : 5000;
	/* nothing is left to happen to the NIC: time goes on for the peer */
	if (sim_run_until(l->r->sim, awaited, &wait, cycles) == -EAGAIN)
		sim_run(l->r->sim, cycles);
}

static void stuck(struct lock *l)
{
	for (unsigned int i = 0; i < l->n; i++) {
		struct lock_qp *qp = &l->qp[i];
		struct model_view s, p;

		model_look(l->shadow, qp->qpn, &s);
		model_look(l->peer, qp->peer_qpn, &p);
		print_error(
			"QP 0x%06x: shadow sends %u una 0x%06x next 0x%06x epsn 0x%06x recvs %u, "
			"completions due %zu+%zu, owed %zu, again %zu, READs %u of %u; peer sends %u "
			"una 0x%06x next 0x%06x answers %u recvs %u state %d\n",
			qp->qpn, s.sends, s.una, s.next, s.epsn, s.recvs, lock_count(&qp->due[0]),
			lock_count(&qp->due[1]), lock_count(&qp->owed), lock_count(&qp->again),
			qp->answered, qp->resources, p.sends, p.una, p.next, p.answers, p.recvs,
			model_qp_state(l->peer, qp->peer_qpn));
	}
	judge(l); /* what it may follow from */
	rdma_fail(l->r, "lock-step: nothing completes any more");
}

void lock_run(struct lock *l)
{
	bool more = true;

	while (more || !done(l)) {
		bool busy;

		more = lock_gen(l);
		busy = lock_peer_step(l);
		go_on(l, busy || more);
		lock_cq_poll(l);
		for (unsigned int i = 0; i < l->n; i++) {
			lock_tx_check(&l->qp[i]);
			lock_rsp_check(&l->qp[i]);
		}
		lock_check(l);
		if (lock_now(l) - l->progress > STUCK_NS)
			stuck(l);
	}
}

/* ---------------------------------------------------------------- the end */

static void compare_counters(struct lock *l)
{
	static const enum cairn_counter exact[] = {
		CAIRN_COUNTER_RX_NO_BUFFER, /* the others follow from it */
		CAIRN_COUNTER_DUPLICATE_REQUEST, CAIRN_COUNTER_OUT_OF_SEQUENCE,
		CAIRN_COUNTER_RX_SEND,		 CAIRN_COUNTER_RX_WRITE,
		CAIRN_COUNTER_RX_READ,		 CAIRN_COUNTER_RX_ATOMIC,
		CAIRN_COUNTER_ACK_SENT,		 CAIRN_COUNTER_READ_RSP_SENT,
		CAIRN_COUNTER_RNR_NAK_SENT,	 CAIRN_COUNTER_SEQ_NAK_SENT,
	};
	static const enum cairn_counter drops[] = {
		CAIRN_COUNTER_RX_UC_DROP,
		CAIRN_COUNTER_RX_UD_DROP,
		CAIRN_COUNTER_RX_NO_RECV,
		CAIRN_COUNTER_RX_BAD_QKEY,
	};
	uint64_t after[CAIRN_COUNTERS], dropped = 0;

	counters(l, after);
	for (unsigned int i = 0; i < sizeof(drops) / sizeof(drops[0]); i++)
		dropped += after[drops[i]] - l->before[drops[i]];
	if (dropped != l->dropped)
		lock_fail(l, NULL, "%llu packets of UC and UD were dropped, must be %llu",
			  (unsigned long long)dropped, (unsigned long long)l->dropped);
	for (unsigned int i = 0; i < sizeof(exact) / sizeof(exact[0]); i++) {
		enum cairn_counter c = exact[i];

		if (after[c] - l->before[c] == l->count[c])
			continue;
		print_error("counter %s grew by %llu, must be %llu\n", cairn_counter_names[c],
			    (unsigned long long)(after[c] - l->before[c]),
			    (unsigned long long)l->count[c]);
		lock_fail(l, NULL, "counters of the NIC and the model differ");
	}
}

static void compare_state(struct lock *l, struct lock_qp *qp)
{
	struct cairn_qp_attr attr;
	struct model_view view;

	rdma_ok(l->r, cairn_query_qp(qp->rtl->qp, &attr), "QP query");
	model_look(l->shadow, qp->qpn, &view);
	if (attr.state != (uint32_t)model_qp_state(l->shadow, qp->qpn))
		lock_fail(l, qp, "state %s, must be %s", cairn_enum_name("qp_state", attr.state),
			  cairn_enum_name("qp_state",
					  (unsigned int)model_qp_state(l->shadow, qp->qpn)));
	if (attr.state == CAIRN_QP_STATE_RTS && attr.sq_psn != view.next)
		lock_fail(l, qp, "next PSN 0x%06x, must be 0x%06x", attr.sq_psn, view.next);
	if (qp->cfg.transport != CAIRN_TRANSPORT_UD && attr.rq_psn != view.epsn)
		lock_fail(l, qp, "expected PSN 0x%06x, must be 0x%06x", attr.rq_psn, view.epsn);
}

static void free_qp(struct lock_qp *qp)
{
	for (unsigned int i = 0; i < LOCK_HISTORY; i++)
		free(qp->sent[i].packet);
	free(qp->ack);
	free(qp->marks.item);
	free(qp->owed.item);
	free(qp->again.item);
	for (unsigned int i = 0; i < 2; i++) {
		free(qp->due[i].item);
		free(qp->seen[i].item);
	}
}

void lock_end(struct lock *l)
{
	rdma_clear_rules(l->r);
	/* what is under way arrives; duplicates are answered */
	for (unsigned int i = 0; i < 20; i++) {
		lock_peer_step(l);
		sim_run(l->r->sim, 1000);
		lock_cq_poll(l);
	}
	lock_check(l);
	if (!done(l))
		stuck(l);
	if (!l->run.error)
		compare_counters(l);
	for (unsigned int i = 0; i < l->n; i++)
		compare_state(l, &l->qp[i]);
	judge(l);
	sim_wire_set_tap(sim_wire(l->r->sim), NULL, NULL);
	sim_wire_set_rx_tap(sim_wire(l->r->sim), NULL, NULL);
	lock_key_end(l);
	model_destroy(l->shadow);
	model_destroy(l->peer);
	l->shadow = l->peer = NULL;
	for (unsigned int i = 0; i < l->n; i++)
		free_qp(&l->qp[i]);
	l->n = 0;
	while (lock_count(&l->inbox)) {
		free(lock_first(&l->inbox)->packet);
		lock_pop(&l->inbox);
	}
	free(l->inbox.item);
	memset(&l->inbox, 0, sizeof(l->inbox));
	free(l->peer_mem);
	rdma_end(l->r);
}
