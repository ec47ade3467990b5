// SPDX-License-Identifier: Apache-2.0
// The send completion of one WQE, for cmp_retire. IBTA 10.7.3.1, 11.4.2.
//
// While do_i, the WQE at OLD_INDEX ends: retire_i with success, report_i with the standing error of the QP (the
// completer's, the requester's if at_req_err_i) or, after the first failed one, as flushed. A success is told only if
// signalled; an error always, except the flush of a WQE that cannot be read (lost_i). go_o: done with it in this cycle,
// its completion taken if it needs one. note_i: an event of the QP instead, behind its completions.
// Errors: none of its own.
module cmp_retire_cqe #(
    parameter bit FULL = 1'b1
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             do_i,
    output logic                             go_o,
    output logic                             need_o,  // it has a completion
    input  logic                             retire_i,
    input  logic                             report_i,
    input  logic                             lost_i,
    input  logic                             at_req_err_i,
    input  logic [23:0]                      qpn_i,
    input  logic [511:0]                     req_i,   // parts of the QP's record
    input  logic [511:0]                     cmp_i,
    // the WQE; op, sig and len mean something only if ok
    input  logic                             wqe_ok_i,
    input  logic [7:0]                       wqe_op_i,
    input  logic                             wqe_sig_i,
    input  logic [31:0]                      wqe_len_i,
    input  logic                             note_i,
    input  logic [7:0]                       note_type_i,
    input  logic [7:0]                       note_eqn_i,
    input  logic [31:0]                      note_data_i,
    output logic                             ready_o,
    output cairn_int_pkg::completion_t       cqe_o,
    input  logic                             cqe_ready_i,
    output cairn_hw_pkg::cmp_retire_events_t events_o
);
  cairn_hw_pkg::qp_req_t r;
  cairn_hw_pkg::qp_cmp_t c;
  cairn_hw_pkg::wqe_info_t info;
  logic       need, ready, flush, flush_now;   // what is reported is flushed
  logic [7:0] status, vendor;
  assign r = req_i;
  assign c = cmp_i;
  assign info = cairn_hw_pkg::wqe_info(wqe_op_i);
  assign status = retire_i ? cairn_hw_pkg::WC_STATUS_SUCCESS
                  : c.rflags_flushing ? cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR
                  : c.flags_err ? c.flags_err_status
                  : at_req_err_i ? r.flags_err_status : cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
  assign vendor = retire_i ? cairn_hw_pkg::VENDOR_ERR_NONE
                  : c.rflags_flushing ? cairn_hw_pkg::VENDOR_ERR_FLUSH
                  : c.flags_err ? c.flags_err_vendor
                  : at_req_err_i ? r.flags_err_vendor : cairn_hw_pkg::VENDOR_ERR_FLUSH;
  assign flush_now = c.rflags_flushing || (c.flags_err ? c.flags_err_status == cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR
                     : !at_req_err_i || r.flags_err_status == cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR);
  if (FULL) begin : g_now
    assign flush = flush_now;
  end else begin : g_before       // all of it is here a cycle before do_i
    always_ff @(posedge clk_i) flush <= flush_now;
  end
  assign need    = retire_i ? wqe_sig_i : report_i && !(lost_i && flush);
  assign go_o    = do_i && (!need || ready);
  assign ready_o = ready;
  assign need_o  = need;

  cairn_int_pkg::cqe_req_t q;
  always_comb begin
    q             = '0;
    q.cqn         = c.sq_cqn;
    q.qpn         = qpn_i;
    q.opcode      = !wqe_ok_i ? cairn_hw_pkg::CQE_OP_SEND : info.valid ? info.cqe_op : cairn_hw_pkg::CQE_OP_LOCAL;
    q.byte_len    = (info.res && retire_i) ? wqe_len_i : '0;
    q.wqe_index   = c.oldest_old_index;
    q.flags.is_sq = 1'b1;
    q.status      = status;
    q.vendor      = vendor;
    q.event_sol   = status != cairn_hw_pkg::WC_STATUS_SUCCESS;
    if (note_i) begin
      q        = '0;
      q.note   = 1'b1;
      q.cqn    = c.sq_cqn;
      q.qpn    = qpn_i;
      q.opcode = note_type_i;
      q.flags  = note_eqn_i;
      q.imm    = note_data_i;
    end
  end
  stream_half #(.WIDTH(cairn_int_pkg::CQE_REQ_W), .FULL(FULL)) u_cqe (
      .clk_i, .rst_ni, .in_valid_i((do_i && need) || note_i), .in_ready_o(ready), .in_data_i(q),
      .out_valid_o(cqe_o.valid), .out_ready_i(cqe_ready_i), .out_data_o(cqe_o.req));
  // Local errors are counted when they are told: the requester may meet one several times, after go-backs.
  logic own, prot;
  assign own                   = go_o && report_i && !retire_i && !c.rflags_flushing && !c.flags_err && at_req_err_i;
  assign prot                  = own && status == cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR;
  assign events_o.qpn          = qpn_i;
  assign events_o.loc_prot_err = prot;
  assign events_o.loc_op_err   = own && !prot;
endmodule
