/* SPDX-License-Identifier: Apache-2.0 */
/* What the completer counts: a number for each strobe, and its port of completer_tb. */
#ifndef CMP_STROBES_H
#define CMP_STROBES_H

enum cmp_strobe {
	N_ACK,
	N_READ_RSP,
	N_SEQ,
	N_RNR,
	N_IMPLIED,
	N_TIMEOUT,
	N_INV,
	N_ACCESS,
	N_OP,
	N_RETRY_EXC,
	N_RNR_EXC,
	N_GHOST,
	N_GO_BACK,
	N_PROT,
	N_WQE_PROT,
	N_WQE_OP,
	N_DUP,
	N_PARKED,
	N_STALL,
	N_ATOMIC,
	N_BAD_RESP,
	N_COUNTS
};

static const char *const cmp_strobe[N_COUNTS] = {
	[N_ACK] = "events_cmp_packet_rx_ack_o",
	[N_READ_RSP] = "events_cmp_place_cmp_join_rx_read_rsp_o",
	[N_SEQ] = "events_cmp_packet_packet_seq_err_o",
	[N_RNR] = "events_cmp_packet_rnr_nak_rcvd_o",
	[N_IMPLIED] = "events_cmp_packet_implied_nak_o",
	[N_TIMEOUT] = "events_cmp_packet_ack_timeout_o",
	[N_INV] = "events_cmp_packet_req_rem_inv_o",
	[N_ACCESS] = "events_cmp_packet_req_rem_access_o",
	[N_OP] = "events_cmp_packet_req_rem_op_o",
	[N_RETRY_EXC] = "events_cmp_packet_retry_exc_o",
	[N_RNR_EXC] = "events_cmp_packet_rnr_exc_o",
	[N_GHOST] = "events_cmp_packet_rx_ghost_ack_o",
	[N_GO_BACK] = "events_cmp_packet_go_backs_o",
	[N_PROT] = "events_cmp_place_cmp_join_loc_prot_err_o",
	[N_WQE_PROT] = "events_cmp_retire_loc_prot_err_o",
	[N_WQE_OP] = "events_cmp_retire_loc_op_err_o",
	[N_DUP] = "events_cmp_place_cmp_check_rx_dup_ack_o",
	[N_PARKED] = "events_cmp_place_cmp_join_rx_parked_o",
	[N_STALL] = "events_cmp_packet_stall_cmp_o",
	[N_ATOMIC] = "events_cmp_place_cmp_join_rx_atomic_rsp_o",
	[N_BAD_RESP] = "events_cmp_place_cmp_check_bad_resp_o",
};

#endif
