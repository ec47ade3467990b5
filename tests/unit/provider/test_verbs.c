// SPDX-License-Identifier: Apache-2.0
/* Everything but the data path and events: devices and contexts, capabilities, GIDs, memory, and
 * what is not supported. */
#include <endian.h>

#include "cairndv.h"
#include "provider_test.h"

/* Exported and not declared in verbs.h. */
int ibv_resolve_eth_l2_from_gid(struct ibv_context *ctx, struct ibv_ah_attr *attr, uint8_t mac[6],
				uint16_t *vid);

static void contexts(void **state)
{
	struct bench *b = *state;
	struct ibv_device *device = b->ctx->device;
	struct ibv_context *second = ibv_open_device(device);

	assert_string_equal(ibv_get_device_name(device), "cairn_7");
	assert_non_null(second);
	assert_ptr_not_equal(second, b->ctx);
	assert_ptr_equal(to_context(second)->dev, to_context(b->ctx)->dev);
	assert_int_equal(ibv_close_device(second), 0);
	assert_true(fakes[0].open);
	assert_int_equal(ibv_get_device_index(device), 0x10000 + (int)to_nic(device)->number);
}

static void capabilities(void **state)
{
	struct bench *b = *state;
	const struct cairn_dev_caps *caps = &to_context(b->ctx)->nic->caps;
	struct ibv_device_attr_ex ex;
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	union ibv_gid gid;
	__be16 pkey;

	assert_int_equal(ibv_query_device(b->ctx, &attr), 0);
	assert_string_equal(attr.fw_ver, "1.0");
	assert_int_equal(attr.max_qp, caps->max_qp);
	assert_int_equal(attr.max_sge, caps->max_sge);
	assert_int_equal(attr.max_mr_size, caps->max_mr_size);
	assert_int_equal(attr.max_qp_rd_atom, caps->max_dest_rd_atomic);
	assert_int_equal(attr.vendor_id, CAIRN_PCI_VENDOR);
	assert_int_equal(ibv_query_device_ex(b->ctx, NULL, &ex), 0);
	assert_int_equal(ex.hca_core_clock, caps->hca_clock_khz);
	assert_memory_equal(&ex.orig_attr, &attr, sizeof(attr));
	assert_int_equal(ex.cq_mod_caps.max_cq_count, caps->cq_moderation & 0xffff);
	assert_int_equal(ex.cq_mod_caps.max_cq_period, caps->cq_moderation >> 16);
	assert_int_equal(attr.max_mw, caps->max_mw);
	assert_int_equal(attr.max_ah, caps->max_ah);
	assert_int_equal(attr.max_mcast_grp, caps->max_mcast_grp);
	assert_int_equal(attr.max_srq, caps->max_srq);
	assert_int_equal(attr.atomic_cap, IBV_ATOMIC_HCA);
	fakes[0].port.gid_count = 64;
	assert_int_equal(ibv_query_port(b->ctx, 1, &port), 0);
	assert_int_equal(port.link_layer, IBV_LINK_LAYER_ETHERNET);
	assert_int_equal(port.state, IBV_PORT_ACTIVE);
	assert_int_equal(port.active_mtu, IBV_MTU_4096);
	assert_int_equal(port.gid_tbl_len, 64);
	assert_int_equal(ibv_query_port(b->ctx, 2, &port), EINVAL);
	assert_int_equal(ibv_query_pkey(b->ctx, 1, 0, &pkey), 0);
	assert_int_equal(pkey, htobe16(0xffff));
	assert_int_equal(ibv_query_gid(b->ctx, 1, 64, &gid), -1);
	assert_int_equal(errno, EINVAL);
}

/* Nothing of a feature that is off is offered, and what needs it is refused. */
static void without_features(void **state)
{
	static const struct {
		uint32_t feature;
		size_t field;
		int off; /* value then */
	} rows[] = {
		{ CAIRN_REG_FEATURES_ATOMIC, offsetof(struct ibv_device_attr, atomic_cap),
		  IBV_ATOMIC_NONE },
		{ CAIRN_REG_FEATURES_SRQ, offsetof(struct ibv_device_attr, max_srq), 0 },
		{ CAIRN_REG_FEATURES_SRQ, offsetof(struct ibv_device_attr, max_srq_wr), 0 },
		{ CAIRN_REG_FEATURES_SRQ, offsetof(struct ibv_device_attr, max_srq_sge), 0 },
		{ CAIRN_REG_FEATURES_MW, offsetof(struct ibv_device_attr, max_mw), 0 },
		{ CAIRN_REG_FEATURES_UD, offsetof(struct ibv_device_attr, max_ah), 0 },
		{ CAIRN_REG_FEATURES_MCAST, offsetof(struct ibv_device_attr, max_mcast_grp), 0 },
		{ CAIRN_REG_FEATURES_MCAST,
		  offsetof(struct ibv_device_attr, max_total_mcast_qp_attach), 0 },
	};
	const unsigned int windows = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
				     IBV_DEVICE_MEM_MGT_EXTENSIONS;
	struct bench *b = *state;
	struct nic *nic = to_context(b->ctx)->nic;
	const uint32_t all = nic->caps.features;
	struct ibv_device_attr on, off;

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		nic->caps.features = all;
		assert_int_equal(ibv_query_device(b->ctx, &on), 0);
		assert_int_not_equal(*(int *)((char *)&on + rows[i].field), rows[i].off);
		nic->caps.features = all & ~rows[i].feature;
		assert_int_equal(ibv_query_device(b->ctx, &off), 0);
		assert_int_equal(*(int *)((char *)&off + rows[i].field), rows[i].off);
	}
	assert_int_equal(on.device_cap_flags & windows, windows);
	nic->caps.features = all & ~CAIRN_REG_FEATURES_MW;
	assert_int_equal(ibv_query_device(b->ctx, &off), 0);
	assert_int_equal(off.device_cap_flags & windows, 0);
	assert_null(ibv_alloc_mw(b->pd, IBV_MW_TYPE_1));
	assert_int_equal(errno, EOPNOTSUPP);
	nic->caps.features = all & ~CAIRN_REG_FEATURES_UD;
	assert_null(ibv_create_ah(b->pd, &(struct ibv_ah_attr){ .is_global = 1 }));
	assert_int_equal(errno, EOPNOTSUPP);
	nic->caps.features = all;
}

static void gids(void **state)
{
	struct bench *b = *state;
	static const uint8_t address[16] = { [10] = 0xff, 0xff, 10, 0, 0, 1 };
	static const uint8_t other[16] = { [10] = 0xff, 0xff, 10, 0, 7, 1 };
	struct ibv_ah_attr attr = { .is_global = 1 };
	struct ibv_gid_entry entry, table[4];
	union ibv_gid gid;
	uint8_t mac[6];
	uint16_t vid;

	assert_int_equal(cairn_set_gid(to_context(b->ctx)->dev, 3, address, 0), 0);
	assert_int_equal(ibv_query_gid(b->ctx, 1, 3, &gid), 0);
	assert_memory_equal(gid.raw, address, 16);
	assert_int_equal(ibv_query_gid(b->ctx, 1, 2, &gid), 0); /* empty: zero */
	assert_int_equal(gid.global.interface_id, 0);
	assert_int_equal(ibv_query_gid_ex(b->ctx, 1, 3, &entry, 0), 0);
	assert_int_equal(entry.gid_type, IBV_GID_TYPE_ROCE_V2);
	assert_int_equal(ibv_query_gid_ex(b->ctx, 1, 2, &entry, 0), ENODATA);
	assert_int_equal(ibv_query_gid_table(b->ctx, table, 4, 0), 2); /* link-local, and this */
	assert_int_equal(table[0].gid_index, 0);
	assert_int_equal(table[1].gid_index, 3);
	assert_int_equal(ibv_query_gid_table(b->ctx, table, 1, 0), -EINVAL);
	/* The VLAN belongs to the address. */
	memcpy(attr.grh.dgid.raw, address, 16);
	attr.grh.sgid_index = 3;
	assert_int_equal(ibv_resolve_eth_l2_from_gid(b->ctx, &attr, mac, &vid), 0);
	assert_memory_equal(mac, ((uint8_t[6]){ 2, 0, 10, 0, 0, 1 }), 6);
	assert_int_equal(vid, 0xffff);
	assert_int_equal(cairn_set_gid(to_context(b->ctx)->dev, 4, other, CAIRN_GID_VLAN | 0x6123),
			 0);
	attr.grh.sgid_index = 4;
	assert_int_equal(ibv_resolve_eth_l2_from_gid(b->ctx, &attr, mac, &vid), 0);
	assert_int_equal(vid, 0x123);
	attr.is_global = 0;
	assert_int_equal(ibv_resolve_eth_l2_from_gid(b->ctx, &attr, mac, &vid), -EINVAL);
}

static void memory(void **state)
{
	struct bench *b = *state;
	static _Alignas(4096) uint8_t buffer[8192];
	struct ibv_mr *mr = ibv_reg_mr(b->pd, buffer, sizeof(buffer),
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING);

	assert_non_null(mr);
	assert_int_equal(mr->lkey, mr->rkey);
	assert_int_equal(ibv_dealloc_pd(b->pd), EBUSY);
	assert_int_equal(ibv_dereg_mr(mr), 0);
	mr = ibv_reg_mr_iova(b->pd, buffer, sizeof(buffer), 0x7000000, IBV_ACCESS_REMOTE_READ);
	assert_non_null(mr);
	assert_int_equal(((struct mr *)mr)->hw->va, 0x7000000);
	assert_int_equal(ibv_dereg_mr(mr), 0);
	assert_null(ibv_reg_mr(b->pd, buffer, 1, IBV_ACCESS_REMOTE_WRITE));
	assert_int_equal(errno, EINVAL);
	assert_null(ibv_reg_mr(b->pd, buffer, 1, IBV_ACCESS_ON_DEMAND));
	assert_int_equal(errno, EOPNOTSUPP);
}

static void queue_pair_attributes(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	assert_int_equal(ibv_query_qp(&b->qp->ibv, &attr, IBV_QP_STATE, &init), 0);
	assert_int_equal(attr.qp_state, IBV_QPS_RTS);
	assert_int_equal(attr.path_mtu, IBV_MTU_1024);
	assert_int_equal(init.cap.max_send_sge, 6);
	assert_ptr_equal(init.send_cq, b->cq);
	attr.ah_attr.is_global = 0;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_AV), EINVAL);
	attr.ah_attr.is_global = 1;
	attr.ah_attr.grh.dgid.raw[15] = 9;
	attr.ah_attr.grh.flow_label = 0x12345;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_AV), 0);
	assert_int_equal(fakes[0].qps[b->qp->ibv.qp_num].mask, IBV_QP_AV);
	assert_int_equal(fakes[0].qps[b->qp->ibv.qp_num].attr.dgid[15], 9);
	assert_int_equal(fakes[0].qps[b->qp->ibv.qp_num].attr.flow_label, 0x12345);
	/* what is said of regions, and of verbs to come, is no fault of a QP */
	attr.qp_access_flags = 0xfff;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_ACCESS_FLAGS), 0);
	assert_int_equal(fakes[0].qps[b->qp->ibv.qp_num].attr.access, 15);
	to_context(b->ctx)->nic->caps.features &= ~CAIRN_REG_FEATURES_ATOMIC;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_ACCESS_FLAGS), 0);
	assert_int_equal(fakes[0].qps[b->qp->ibv.qp_num].attr.access, 7);
	to_context(b->ctx)->nic->caps.features |= CAIRN_REG_FEATURES_ATOMIC;
	assert_int_equal(ibv_destroy_cq(b->cq), EBUSY);
}

static void not_supported(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init = { .send_cq = b->cq, .recv_cq = b->cq };
	struct ibv_xrcd_init_attr xrcd = { 0 };
	struct nic *nic = to_context(b->ctx)->nic;
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 1 } };
	uint32_t features = nic->caps.features;

	init.qp_type = IBV_QPT_RAW_PACKET;
	assert_null(ibv_create_qp(b->pd, &init));
	assert_int_equal(errno, EOPNOTSUPP);
	assert_null(ibv_open_xrcd(b->ctx, &xrcd));
	nic->caps.max_mcast_grp = 0;
	assert_int_equal(ibv_attach_mcast(&b->qp->ibv, &(union ibv_gid){ 0 }, 0), EOPNOTSUPP);
	nic->caps.features = CAIRN_REG_FEATURES_RC;
	assert_null(ibv_create_srq(b->pd, &srq));
	assert_int_equal(errno, EOPNOTSUPP);
	init.qp_type = IBV_QPT_UD;
	assert_null(ibv_create_qp(b->pd, &init));
	assert_int_equal(errno, EOPNOTSUPP);
	nic->caps.features = features;
}

/* By name, of the port and of a QP. */
static void counters(void **state)
{
	struct bench *b = *state;
	struct ibv_qp *qp = &b->qp->ibv;
	struct ibv_context foreign = *b->ctx;
	struct ibv_device device = *b->ctx->device;
	unsigned int count = 0, qps = 0;
	uint64_t value;
	int of_qp;

	assert_int_equal(cairndv_query_counter(b->ctx, "rx_bytes", &value), 0);
	assert_int_equal(value, 1000000000000 + CAIRN_COUNTER_RX_BYTES);
	assert_int_equal(cairndv_query_counter(b->ctx, "rx_byte", &value), EINVAL);
	assert_int_equal(cairndv_query_qp_counter(qp, "rnr_nak_retry_err", &value), 0);
	assert_int_equal(value, 1000 * (uint64_t)qp->qp_num + CAIRN_COUNTER_RNR_NAK_RCVD);
	assert_int_equal(cairndv_query_qp_counter(qp, "rx_bytes", &value), EINVAL);
	assert_int_equal(cairndv_query_qp_counter(qp, "", &value), EINVAL);
	foreign.device = &device; /* of nobody that we know */
	assert_int_equal(cairndv_query_counter(&foreign, "rx_bytes", &value), EOPNOTSUPP);
	for (unsigned int i = 0; !i || i < count; i++) {
		const char *name = cairndv_counter_name(i, &count, &of_qp);

		if (name && of_qp) {
			assert_int_equal(cairndv_query_qp_counter(qp, name, &value), 0);
			qps++;
		}
	}
	assert_true(qps > 30);
	assert_null(cairndv_counter_name(count, NULL, NULL));
}

/* Unplugged: calls fail, one event tells, everything can still be taken down. */
static void device_lost(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init;
	struct ibv_async_event event;
	struct ibv_qp_attr attr;
	struct ibv_wc wc;

	fakes[0].die_at = 0; /* the next call */
	assert_int_equal(ibv_query_qp(&b->qp->ibv, &attr, IBV_QP_STATE, &init), ENODEV);
	assert_int_equal(ibv_get_async_event(b->ctx, &event), 0);
	assert_int_equal(event.event_type, IBV_EVENT_DEVICE_FATAL);
	ibv_ack_async_event(&event);
	/* what came is still to be had; then, that nothing will */
	bench_cqe(b, (struct cairn_cqe){ .qpn_op = b->qp->ibv.qp_num, .wqe = CAIRN_CQE_WQE_IS_SQ });
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), -ENODEV);
	assert_int_equal(ibv_poll_cq(b->cq, 0, &wc), 0);
	assert_null(ibv_alloc_pd(b->ctx));
	assert_int_equal(errno, ENODEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(contexts),	      BENCH_TEST(capabilities),
		BENCH_TEST(without_features), BENCH_TEST(gids),
		BENCH_TEST(memory),	      BENCH_TEST(queue_pair_attributes),
		BENCH_TEST(not_supported),    BENCH_TEST(counters),
		BENCH_TEST(device_lost),
	};

	return cmocka_run_group_tests_name("test_verbs", tests, NULL, NULL);
}
