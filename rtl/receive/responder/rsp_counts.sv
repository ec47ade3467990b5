// SPDX-License-Identifier: Apache-2.0
// What rsp_commit counts: packets that are over, by what became of them, and completions. Combinational.
//
// Errors: none.
module rsp_counts (
    input  logic [23:0]                      qpn_i,
    input  cairn_int_pkg::rsp_rec_t          rec_i,
    input  logic                             done_i,       // strobe: it is over
    input  logic                             run_i,        // executed
    input  logic                             dead_i,       // its QP is in error
    input  logic                             read_i,
    input  logic                             cqe_i,        // strobe: a completion
    input  logic [7:0]                       status_i,
    input  logic                             coalesced_i,
    input  logic                             stall_i,
    output cairn_hw_pkg::rsp_commit_events_t events_o
);
  cairn_int_pkg::rsp_rec_t r;
  logic                    share, lost, no_recv;
  assign r = rec_i;
  assign events_o.qpn               = qpn_i;
  assign events_o.duplicate_request = done_i && ((!dead_i && (r.kind == cairn_int_pkg::RSK_DUP
      || r.kind == cairn_int_pkg::RSK_DUPRD || r.kind == cairn_int_pkg::RSK_DUPAT))
                                                   || (r.kind == cairn_int_pkg::RSK_DROP && r.verdict.vendor != '0
                                                       && !r.silent && !r.over));
  assign events_o.out_of_sequence = done_i && !dead_i && r.kind == cairn_int_pkg::RSK_OOS;
  assign events_o.rx_send         = done_i && run_i && r.last && r.kind == cairn_int_pkg::RSK_SEND;
  assign events_o.rx_write        = done_i && run_i && r.last && r.kind == cairn_int_pkg::RSK_WRITE;
  assign events_o.rx_read         = done_i && read_i;
  assign share                 = done_i && r.over;
  assign events_o.rx_share     = share;
  assign events_o.rx_no_buffer = share;
  assign events_o.rx_qp_state  = done_i && !r.over && ((r.kind == cairn_int_pkg::RSK_DROP && !(r.silent && dead_i))
                                             ? r.verdict.vendor == '0 : dead_i);
  assign lost          = done_i && !dead_i && !r.over && r.silent && r.kind == cairn_int_pkg::RSK_DROP
                         && r.verdict.vendor != '0;
  assign no_recv               = lost && r.verdict.vendor == cairn_hw_pkg::VENDOR_ERR_RNR;
  assign events_o.rx_no_recv   = no_recv;
  assign events_o.rx_uc_drop   = lost && !no_recv && !r.ud.valid;
  assign events_o.rx_ud_drop   = lost && !no_recv && r.ud.valid;
  assign events_o.resp_cqe_err = cqe_i && status_i != cairn_hw_pkg::WC_STATUS_SUCCESS
                              && status_i != cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
  assign events_o.resp_loc_len      = cqe_i && status_i == cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR;
  assign events_o.cqe_coalesced_ack = done_i && coalesced_i;
  assign events_o.stall_rsp         = stall_i;
endmodule
