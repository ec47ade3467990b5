// SPDX-License-Identifier: Apache-2.0
/*
 * What a device and its port can do: the answers of QUERY_DEVICE and QUERY_PORT in the words of
 * verbs.  Nothing is claimed that the device did not say.
 */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "provider.h"

#define PHYS_STATE_DISABLED 3
#define PHYS_STATE_LINK_UP 5
/* How long a peer has to expect us to take for an ACK, 4.096 us * 2^n: a turn of all QPs, 0.5 ms;
 * a simulation is some thousand times slower, as a peer in real time sees it. */
#define ACK_DELAY 7
#define ACK_DELAY_SIMULATED 15

static unsigned int capability_flags(const struct cairn_dev_caps *caps)
{
	unsigned int flags = IBV_DEVICE_CURR_QP_STATE_MOD | IBV_DEVICE_SYS_IMAGE_GUID |
			     IBV_DEVICE_PORT_ACTIVE_EVENT;

	if (caps->features & CAIRN_REG_FEATURES_RC)
		flags |= IBV_DEVICE_RC_RNR_NAK_GEN;
	/* A windows build also invalidates and registers by work request. */
	if (caps->features & CAIRN_REG_FEATURES_MW)
		flags |= IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_MEM_WINDOW |
			 IBV_DEVICE_MEM_WINDOW_TYPE_2B;
	return flags;
}

int query_device(struct ibv_context *ctx, struct ibv_device_attr *attr)
{
	struct nic *nic = to_context(ctx)->nic;
	const struct cairn_dev_caps *caps = &nic->caps;

	memset(attr, 0, sizeof(*attr));
	snprintf(attr->fw_ver, sizeof(attr->fw_ver), "%u.%u", caps->fw_version >> 16,
		 caps->fw_version & 0xffff);
	attr->node_guid = attr->sys_image_guid = htobe64(nic->guid);
	attr->max_mr_size = caps->max_mr_size;
	attr->page_size_cap = caps->page_sizes;
	attr->vendor_id = CAIRN_PCI_VENDOR;
	attr->vendor_part_id = CAIRN_PCI_DEVICE;
	attr->hw_ver = CAIRN_CONTRACT_VERSION;
	attr->max_qp = (int)caps->max_qp;
	attr->max_qp_wr = (int)caps->max_qp_wr;
	attr->device_cap_flags = capability_flags(caps);
	attr->max_sge = attr->max_sge_rd = (int)caps->max_sge;
	attr->max_cq = (int)caps->max_cq;
	attr->max_cqe = (int)caps->max_cqe;
	attr->max_mr = (int)caps->max_mr;
	attr->max_pd = (int)caps->max_pd;
	attr->max_qp_rd_atom = (int)caps->max_dest_rd_atomic;
	attr->max_res_rd_atom = (int)(caps->max_dest_rd_atomic * caps->max_qp);
	attr->max_qp_init_rd_atom = (int)caps->max_rd_atomic;
	attr->atomic_cap = caps->features & CAIRN_REG_FEATURES_ATOMIC ? IBV_ATOMIC_HCA
								      : IBV_ATOMIC_NONE;
	if (caps->features & CAIRN_REG_FEATURES_UD)
		attr->max_ah = (int)caps->max_ah;
	if (caps->features & CAIRN_REG_FEATURES_MCAST) {
		attr->max_mcast_grp = (int)caps->max_mcast_grp;
		attr->max_mcast_qp_attach = caps->max_mcast_grp ? CAIRN_MCAST_MEMBERS : 0;
		attr->max_total_mcast_qp_attach = attr->max_mcast_grp * attr->max_mcast_qp_attach;
	}
	if (caps->features & CAIRN_REG_FEATURES_MW)
		attr->max_mw = (int)caps->max_mw;
	if (caps->features & CAIRN_REG_FEATURES_SRQ) {
		attr->max_srq = (int)caps->max_srq;
		attr->max_srq_wr = (int)caps->max_srq_wr;
		attr->max_srq_sge = (int)caps->max_sge;
	}
	attr->max_pkeys = (uint16_t)caps->max_pkey;
	attr->local_ca_ack_delay = nic->addr[0] == '/' ? ACK_DELAY_SIMULATED : ACK_DELAY;
	attr->phys_port_cnt = 1;
	return 0;
}

int query_device_ex(struct ibv_context *ctx, const struct ibv_query_device_ex_input *input,
		    struct ibv_device_attr_ex *attr, size_t size)
{
	struct nic *nic = to_context(ctx)->nic;
	struct ibv_device_attr_ex full;

	if (input && input->comp_mask)
		return EINVAL;
	if (size < sizeof(full.orig_attr))
		return EINVAL;
	memset(&full, 0, sizeof(full));
	query_device(ctx, &full.orig_attr);
	full.completion_timestamp_mask = UINT64_MAX;
	full.hca_core_clock = nic->caps.hca_clock_khz;
	full.cq_mod_caps.max_cq_count =
		CAIRN_GET(nic->caps.cq_moderation, CAIRN_DEV_CAPS_CQ_MODERATION_COUNT);
	full.cq_mod_caps.max_cq_period =
		CAIRN_GET(nic->caps.cq_moderation, CAIRN_DEV_CAPS_CQ_MODERATION_PERIOD);
	full.device_cap_flags_ex = full.orig_attr.device_cap_flags;
	full.phys_port_cnt_ex = full.orig_attr.phys_port_cnt;
	/* The caller's structure may be of an older or a newer library. */
	memset(attr, 0, size);
	memcpy(attr, &full, size < sizeof(full) ? size : sizeof(full));
	return 0;
}

int query_rt_values(struct ibv_context *ctx, struct ibv_values_ex *values)
{
	uint64_t now;
	int err;

	if (!(values->comp_mask & IBV_VALUES_MASK_RAW_CLOCK)) {
		values->comp_mask = 0;
		return 0;
	}
	err = -cairn_query_time(to_context(ctx)->dev, &now);
	if (err)
		return err;
	/* Ticks of hca_core_clock, all in tv_nsec, as other providers give them. */
	values->raw_clock.tv_sec = 0;
	values->raw_clock.tv_nsec = (long)now;
	values->comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	return 0;
}

/*
 * Verbs knows lanes and a rate a lane: the slowest pair that is not below the link's Gb/s.  Codes
 * of IBTA PortInfo: width 1, 2 = 4 lanes, 4 = 8 lanes; speed 1 = 2.5, 4 = 10, 32 = 25, 64 = 50, 128
 * = 100 Gb/s.
 */
void query_rate(unsigned int gbps, struct query_rate *rate)
{
	static const struct query_rate rates[] = {
		{ 1, 1, 1, 2500, "" },	       { 1, 4, 1, 10000, " QDR" },
		{ 1, 32, 1, 25000, " EDR" },   { 2, 4, 4, 10000, " QDR" },
		{ 1, 64, 1, 50000, " HDR" },   { 2, 32, 4, 25000, " EDR" },
		{ 2, 64, 4, 50000, " HDR" },   { 2, 128, 4, 100000, " NDR" },
		{ 4, 128, 8, 100000, " NDR" },
	};
	unsigned int i = 0;

	while (i + 1 < sizeof(rates) / sizeof(rates[0]) &&
	       (rates[i].lanes * rates[i].lane_mbps + 999) / 1000 < gbps)
		i++;
	*rate = rates[i];
}

int query_port(struct ibv_context *ctx, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	struct context *context = to_context(ctx);
	struct cairn_port_attr hw;
	struct ibv_port_attr full;
	struct query_rate rate;
	int err;

	if (port != PORT)
		return EINVAL;
	err = -cairn_query_port(context->dev, &hw);
	if (err)
		return err;
	memset(&full, 0, sizeof(full));
	full.state = hw.state;
	full.max_mtu = hw.max_mtu;
	full.active_mtu = hw.active_mtu;
	full.gid_tbl_len = (int)hw.gid_count;
	full.port_cap_flags = PORT_CAP_FLAGS;
	full.port_cap_flags2 = 0;
	full.max_msg_sz = context->nic->caps.max_msg;
	full.pkey_tbl_len = (uint16_t)context->nic->caps.max_pkey;
	full.max_vl_num = 1;
	full.phys_state = hw.state == IBV_PORT_ACTIVE ? PHYS_STATE_LINK_UP : PHYS_STATE_DISABLED;
	full.link_layer = IBV_LINK_LAYER_ETHERNET;
	full.flags = IBV_QPF_GRH_REQUIRED;
	query_rate(hw.gbps, &rate);
	full.active_width = rate.width;
	full.active_speed = rate.speed;
	memset(attr, 0, size);
	memcpy(attr, &full, size < sizeof(full) ? size : sizeof(full));
	return 0;
}

int query_port_compat(struct ibv_context *ctx, uint8_t port, struct _compat_ibv_port_attr *attr)
{
	return query_port(ctx, port, (struct ibv_port_attr *)attr, COMPAT_PORT_ATTR_BYTES);
}

uint64_t query_port_mbps(struct ibv_context *ctx)
{
	struct cairn_port_attr hw;

	return cairn_query_port(to_context(ctx)->dev, &hw) ? 0 : hw.gbps * 1000ull;
}

int query_gid_entry(struct ibv_context *ctx, uint32_t port, uint32_t index,
		    struct ibv_gid_entry *entry)
{
	struct context *context = to_context(ctx);
	int err;

	if (port != PORT || index >= context->nic->caps.max_gid)
		return EINVAL;
	memset(entry, 0, sizeof(*entry));
	err = -cairn_query_gid(context->dev, index, entry->gid.raw, NULL);
	if (err)
		return err == ENOENT ? ENODATA : err;
	entry->gid_index = index;
	entry->port_num = PORT;
	entry->gid_type = IBV_GID_TYPE_ROCE_V2;
	return 0; /* ndev_ifindex 0: there is no network interface */
}

ssize_t query_gid_table(struct ibv_context *ctx, void *entries, size_t max, size_t size)
{
	struct ibv_gid_entry entry;
	size_t n = 0;

	for (uint32_t i = 0; i < to_context(ctx)->nic->caps.max_gid; i++) {
		if (query_gid_entry(ctx, PORT, i, &entry))
			continue;
		if (n == max)
			return -EINVAL;
		memcpy((uint8_t *)entries + n++ * size, &entry,
		       size < sizeof(entry) ? size : sizeof(entry));
	}
	return (ssize_t)n;
}
