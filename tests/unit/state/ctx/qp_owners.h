/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who writes which bytes of which part of a QP record, by the ports of qp_parts and qp_store. The
 * test says which part is which: REQ, CMP, RSP.
 */
#ifndef QP_OWNERS_H
#define QP_OWNERS_H

static const struct owner {
	const char *valid, *slot, *data;
	unsigned int part, from, len;
} owners[] = {
	{ "send_part_req_write_valid_i", "send_part_req_write_slot_i", "send_part_req_write_data_i",
	  REQ, 0, 64 },
	{ "send_part_cmp_write_packet_valid_i", "send_part_cmp_write_packet_slot_i",
	  "send_part_cmp_write_packet_data_i", CMP, 0, 32 },
	{ "send_part_cmp_write_retire_valid_i", "send_part_cmp_write_retire_slot_i",
	  "send_part_cmp_write_retire_data_i", CMP, 32, 32 },
	{ "receive_part_rsp_write_valid_i", "receive_part_rsp_write_slot_i",
	  "receive_part_rsp_write_data_i", RSP, 0, 64 },
};
#define OWNERS (sizeof(owners) / sizeof(owners[0]))

#endif
