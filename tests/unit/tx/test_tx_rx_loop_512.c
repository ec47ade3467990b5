// SPDX-License-Identifier: Apache-2.0
/*
 * tx_path into rx_path (tx_rx_loop_tb): every job arrives as the record and the payload that it was
 * sent as, none is dropped, every cell comes back.
 */
#include <string.h>

#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "tx_env.h"

static struct vtb_stream *rx, *cmd, *data;
static unsigned int lsb_cmd;
static uint64_t received, roce, raw;
static uint8_t peer_gid[4][16]; /* bit 0: IPv6, bit 1: VLAN 5 */
static const uint8_t peer_mac[6] = { 0x02, 0, 0, 0, 0, 9 };

static struct tx_job *reading[256];
static size_t r_head, r_tail;

static void count(struct vtb *tb, void *arg)
{
	(void)arg;
	received += vtb_get(tb, "rx_events_rx_parser_rx_packets_o");
	roce += vtb_get(tb, "rx_events_rx_roce_packets_o");
	raw += vtb_get(tb, "rx_events_rx_raw_rx_raw_packets_o");
}

static void begin(void)
{
	env_begin();
	received = roce = raw = 0;
	r_head = r_tail = 0;
	rx = vtb_sink(env.tb, "rx");
	cmd = vtb_source(env.tb, "pool_cmd");
	vtb_stream_add(cmd, "cmd", &lsb_cmd);
	data = vtb_sink(env.tb, "pool_data");
	vtb_on_sample(env.tb, count, NULL);
	vtb_set(env.tb, "peer_mac_i", 0x020000000009);
	for (unsigned int i = 0; i < 4; i++) {
		rng_bytes(&env.tb->rng, peer_gid[i], 16);
		if (!(i & 1))
			memcpy(peer_gid[i], "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
		peer_gid[i][i & 1 ? 0 : 12] = 0x20;
		vtb_set(env.tb, "peer_gid_we_i", 1);
		vtb_set(env.tb, "peer_gid_valid_i", 1);
		vtb_set(env.tb, "peer_gid_index_i", i + 3);
		vtb_set(env.tb, "peer_gid_ipv6_i", i & 1);
		vtb_set(env.tb, "peer_gid_vlan_i", i >> 1);
		vtb_set(env.tb, "peer_gid_vid_i", 5);
		for (int b = 0; b < 16; b++)
			vtb_put_bits(vtb_port(env.tb, "peer_gid_addr_i"), 120 - 8 * b, 8,
				     peer_gid[i][b]);
		vtb_tick(env.tb);
		vtb_set(env.tb, "peer_gid_we_i", 0);
		vtb_run(env.tb, 10); /* see rx_gid_ring */
	}
	vtb_run_until(env.tb, vtb_get(env.tb, "rx_idle_o"), 2000);
}

static unsigned int kind_of(uint8_t op)
{
	return op == 0x11		  ? TX_KIND_ACK
	       : op == 0x81		  ? TX_KIND_CNP
	       : op >= 0x0d && op <= 0x12 ? TX_KIND_RSP
					  : TX_KIND_REQ;
}

static void check_record(const struct rec_rx_meta *m, const struct tx_job *job)
{
	const struct roce_frame *f = &job->f;
	struct roce_op op = roce_op(f->opcode);
	struct vtb *tb = env.tb;

	vtb_check_eq(tb, m->opcode, f->opcode);
	vtb_check_eq(tb, m->qpn, f->dest_qp);
	vtb_check_eq(tb, m->psn, f->psn);
	vtb_check_eq(tb, m->ackreq, f->ackreq);
	vtb_check_eq(tb, m->se, f->se);
	vtb_check_eq(tb, m->pkey, f->pkey);
	vtb_check_eq(tb, m->pay_len, f->pay_len);
	vtb_check_eq(tb, m->pad, -f->pay_len & 3);
	vtb_check_eq(tb, m->ipv6, f->ipv6);
	vtb_check_eq(tb, m->ce, (f->tclass & 3) == 3);
	vtb_check_eq(tb, m->sgid_index, 3u + f->ipv6 + 2 * f->vlan);
	vtb_check_eq(tb, m->sport, f->sport);
	if (op.reth || op.atomiceth)
		vtb_check_eq(tb, m->va, f->va);
	if (op.reth || op.atomiceth || op.ieth)
		vtb_check_eq(tb, m->key, f->key);
	if (op.reth)
		vtb_check_eq(tb, m->len, f->len);
	if (op.atomiceth || op.atomicack)
		vtb_check_eq(tb, m->swap_add, f->swap_add);
	if (op.atomiceth)
		vtb_check_eq(tb, m->compare, f->compare);
	if (op.aeth)
		vtb_check_eq(tb, m->aeth, f->aeth);
	if (op.imm)
		vtb_check_eq(tb, m->imm, f->imm);
	if (op.deth) {
		vtb_check_eq(tb, m->qkey, f->qkey);
		vtb_check_eq(tb, m->src_qp, f->src_qp);
	}
}

static void take_records(void)
{
	while (vtb_received(rx)) {
		const struct rec_rx_meta m = vtb_meta_get_rx_meta(vtb_recv(rx)->meta, 0);
		unsigned int k = kind_of(m.opcode);
		struct tx_job *job = env.want[k];
		struct rec_pool_read read;
		uint8_t c[VTB_META_BYTES] = { 0 };

		vtb_check(env.tb, job != NULL);
		check_record(&m, job);
		env.want[k] = job->next;
		if (!env.want[k])
			env.want_tail[k] = &env.want[k];
		env.sent[k]++;
		if (!m.has_cells) {
			free(job);
			continue;
		}
		read = (struct rec_pool_read){ .cell_head = m.cell_head,
					       .off = m.pay_off,
					       .len = job->f.pay_len,
					       .first = true,
					       .free = true };
		vtb_meta_put_pool_read(c, lsb_cmd, &read);
		vtb_send(cmd, NULL, 0, false, c, (lsb_cmd + REC_POOL_READ_W + 7) / 8);
		if (job->f.pay_len)
			reading[r_tail++ % 256] = job;
		else
			free(job);
	}
}

static void take_data(void)
{
	while (vtb_received(data)) {
		const struct vtb_packet *p = vtb_recv(data);
		struct tx_job *job = reading[r_head++ % 256];

		if (p->len != job->f.pay_len || memcmp(p->data, job->pay, p->len) != 0)
			vtb_fail(env.tb, "payload of job %u arrived damaged", job->id);
		free(job);
	}
}

/* The receiver has the QP that the job is for, and it takes such packets from this sender. */
static void open_qp(const struct tx_job *job)
{
	const struct roce_frame *f = &job->f;
	unsigned int transport = f->opcode >> 5;
	unsigned int type = transport == CAIRN_TRANSPORT_UD   ? CAIRN_QP_TYPE_UD
			    : transport == CAIRN_TRANSPORT_UC ? CAIRN_QP_TYPE_UC
							      : CAIRN_QP_TYPE_RC;
	struct cairn_qp_cfg cfg = {
		.tag = 1u << CAIRN_QP_CFG_TAG_GEN_SHIFT | f->dest_qp,
		.state = CAIRN_QP_STATE_RTS | type << CAIRN_QP_CFG_STATE_TYPE_SHIFT,
		.pd_sgid = (3u + f->ipv6 + 2 * f->vlan) << 24,
		.dgid = { [10] = 0xff, 0xff },
		.pkey_vlan = f->pkey | 0x8000u,
		.qkey = f->qkey,
	};

	if (f->ipv6)
		memcpy(cfg.dgid, f->sgid, 16);
	else
		memcpy(cfg.dgid + 12, f->sgid + 12, 4);
	vtb_set(env.tb, "peer_qp_we_i", 1);
	vtb_set(env.tb, "peer_qp_qpn_i", f->dest_qp);
	vtb_put_bytes(vtb_port(env.tb, "peer_qp_cfg_i"), 0, (const uint8_t *)&cfg, sizeof(cfg));
	vtb_tick(env.tb);
	vtb_set(env.tb, "peer_qp_we_i", 0);
}

static void loop(void **state)
{
	uint64_t n = 500;

	(void)state;
	begin();
	for (uint64_t i = 0; i < n; i++) {
		unsigned int kind = (unsigned int)rng_below(&env.tb->rng, TX_KIND_RAW);
		uint8_t op = env_opcode(kind);
		struct tx_job *job = env_job(kind, op, env_pay_len(op, i % 10 ? 200 : 4096));

		memcpy(job->f.dmac, peer_mac, 6);
		memcpy(job->f.dgid, peer_gid[job->f.ipv6 + 2 * job->f.vlan], 16);
		if (job->f.vlan)
			job->f.tci = (uint16_t)((job->f.tci & 0xf000) | 5);
		open_qp(job);
		env_send(job);
		vtb_run_until(env.tb, vtb_pending(env.job[0]) < 3 && vtb_pending(env.job[1]) < 3,
			      40000);
		take_records();
		take_data();
	}
	for (int i = 0; i < 40; i++) {
		vtb_run(env.tb, 200);
		take_records();
		take_data();
	}
	vtb_check_eq(env.tb, env.sent[0] + env.sent[1] + env.sent[2] + env.sent[3], n);
	vtb_check_eq(env.tb, received, n);
	vtb_check_eq(env.tb, roce, n);
	vtb_check_eq(env.tb, r_head, r_tail);
	vtb_check_eq(env.tb, vtb_get(env.tb, "free_cells_o"), env.beat == 64 ? 1024 : 256);
	vtb_check(env.tb, vtb_get(env.tb, "idle_o") && vtb_get(env.tb, "rx_idle_o"));
	/* a raw frame arrives as one */
	env_send_raw(60);
	memcpy(env.raw, peer_mac, 6);
	vtb_run_until(env.tb, (vtb_eval(env.tb), vtb_get(env.tb, "raw_ready_o")), 100);
	vtb_tick(env.tb);
	vtb_set(env.tb, "raw_valid_i", 0);
	vtb_run(env.tb, 100);
	vtb_check_eq(env.tb, raw, 1);
	vtb_check(env.tb, vtb_get(env.tb, "irq_raw_o"));
	free(env.want[TX_KIND_RAW]);
	vtb_destroy(env.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loop) };

	return cmocka_run_group_tests_name("tx_rx_loop", tests, NULL, NULL);
}
