// SPDX-License-Identifier: Apache-2.0
// The requester part of the visit in req_issue: as committed (now_o), and as the record in hand makes it (after_o).
//
// A local error leaves everything as committed, but names the failed WQE.
// begins_i: a visit begins with base_i. commit_i: the record in hand is committed.
// Cycles: after_o is combinational, now_o has it in the cycle behind the commit. Errors: none.
module req_after (
    input  logic                       clk_i,
    input  logic                       begins_i,
    input  cairn_hw_pkg::qp_req_t      base_i,
    input  logic                       commit_i,
    // the record
    input  cairn_int_pkg::req_next_t   next_i,
    input  logic [15:0]                index_i,       // of its WQE
    input  cairn_int_pkg::req_ending_t ending_i,
    input  logic                       sends_i,       // a packet
    input  logic                       err_i,         // an error: of the record, or (mr_bad_i) of the MR service
    input  logic                       mr_bad_i,
    input  logic [7:0]                 mr_vendor_i,
    // what holds of it, of req_check
    input  logic                       rc_i,
    input  logic                       restart_i,
    input  logic                       none_out_i,
    input  logic                       recovering_i,
    input  logic                       forward_i,
    input  logic [23:0]                una_i,
    input  logic [23:0]                hi_i,
    input  logic [63:0]                time_now_i,
    output cairn_hw_pkg::qp_req_t      now_o,
    output cairn_hw_pkg::qp_req_t      after_o
);
  // ---- what may change of it, and whether it does ----
  // A local error: everything as committed, but the failed WQE is named.
  logic good, m_psn, m_epoch, m_local, m_end, m_hi, m_start;
  cairn_hw_pkg::qp_req_t now, after, req_n;
  assign good    = !err_i;
  assign m_psn   = good || rc_i;
  assign m_epoch = good || !rc_i;
  assign m_local = good && forward_i;
  assign m_end   = good && (restart_i || !recovering_i);
  assign m_hi    = good && sends_i;
  assign m_start = m_hi && (none_out_i || restart_i);
  always_comb begin
    req_n                   = now;
    req_n.index_next_index  = mr_bad_i ? index_i : next_i.index;
    req_n.index_local_index = next_i.index;
    req_n.msg_psn           = next_i.msg_psn;
    // Should acknowledgements of an earlier sending pass the WQE, the next visit begins_i behind it: NEXT_PSN says so.
    req_n.psn_next_psn     = err_i ? next_i.msg_psn : next_i.psn;
    req_n.msg_offset       = err_i ? '0 : next_i.msg_offset;
    req_n.flags_in_msg     = good && next_i.in_msg;
    // tx_check discards what follows a failed read in the same epoch; nothing else changes that of UC and UD.
    req_n.psn_send_epoch   = err_i ? now.psn_send_epoch + 8'h1 : next_i.send_epoch;
    req_n.ssn              = next_i.ssn;
    req_n.free_msg         = next_i.free_msg;
    req_n.ssn_since_ackreq = next_i.since_ackreq;
    req_n.hi_psn_rd_issued = next_i.rd_issued;
    req_n.flags_err        = err_i;   // one that was met before is met again, or acknowledged
    req_n.flags_err_status = mr_bad_i ? cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR : ending_i.status;
    req_n.flags_err_vendor = mr_bad_i ? mr_vendor_i : ending_i.vendor;
    req_n.recover_rec_end  = restart_i ? now.hi_psn : una_i - 24'h1;
    req_n.hi_psn           = hi_i;
    req_n.t_start          = time_now_i;
  end
  always_comb begin
    after                  = now;
    after.index_next_index = req_n.index_next_index;
    after.msg_psn          = req_n.msg_psn;
    after.flags_err        = req_n.flags_err;
    if (m_psn) {after.psn_next_psn, after.msg_offset, after.flags_in_msg} =
                   {req_n.psn_next_psn, req_n.msg_offset, req_n.flags_in_msg};
    if (m_epoch) after.psn_send_epoch = req_n.psn_send_epoch;
    if (m_local) after.index_local_index = req_n.index_local_index;
    if (m_end) after.recover_rec_end = req_n.recover_rec_end;
    if (m_hi) after.hi_psn = req_n.hi_psn;
    if (m_start) after.t_start = req_n.t_start;
    if (good) {after.ssn, after.free_msg, after.ssn_since_ackreq, after.hi_psn_rd_issued} =
                  {req_n.ssn, req_n.free_msg, req_n.ssn_since_ackreq, req_n.hi_psn_rd_issued};
    else {after.flags_err_status, after.flags_err_vendor} = {req_n.flags_err_status, req_n.flags_err_vendor};
  end
  // Each member with an enable of its own: what stays costs nothing.
  cairn_hw_pkg::qp_req_t begun, begun_q, src;
  logic [15:0] index_q, local_q;
  logic [23:0] msg_psn_q, psn_q, rec_end_q, hi_psn_q, ssn_q, free_q;
  logic [31:0] offset_q;
  logic [63:0] start_q;
  logic [7:0]  epoch_q, rd_q, status_q, what_q;
  logic [5:0]  since_q;
  logic        err_q, in_msg_q;
  assign begun = base_i;
  assign src   = begins_i ? begun : req_n;
  always_ff @(posedge clk_i) begin
    if (begins_i) begun_q <= begun;
    if (begins_i || commit_i) {index_q, msg_psn_q, err_q} <= {src.index_next_index, src.msg_psn, src.flags_err};
    if (begins_i || (commit_i && m_psn)) {psn_q, offset_q, in_msg_q} <= {src.psn_next_psn, src.msg_offset,
                                                                          src.flags_in_msg};
    if (begins_i || (commit_i && m_epoch)) epoch_q <= src.psn_send_epoch;
    if (begins_i || (commit_i && m_local)) local_q <= src.index_local_index;
    if (begins_i || (commit_i && m_end)) rec_end_q <= src.recover_rec_end;
    if (begins_i || (commit_i && m_hi)) hi_psn_q <= src.hi_psn;
    if (begins_i || (commit_i && m_start)) start_q <= src.t_start;
    if (begins_i || (commit_i && good)) {ssn_q, free_q, since_q, rd_q} <= {src.ssn, src.free_msg, src.ssn_since_ackreq,
                                                                           src.hi_psn_rd_issued};
    if (begins_i || (commit_i && err_i)) {status_q, what_q} <= {src.flags_err_status, src.flags_err_vendor};
  end
  always_comb begin
    now = begun_q;
    {now.index_next_index, now.msg_psn, now.flags_err}         = {index_q, msg_psn_q, err_q};
    {now.psn_next_psn, now.msg_offset, now.flags_in_msg}       = {psn_q, offset_q, in_msg_q};
    {now.psn_send_epoch, now.index_local_index, now.t_start}   = {epoch_q, local_q, start_q};
    {now.recover_rec_end, now.hi_psn}                            = {rec_end_q, hi_psn_q};
    {now.ssn, now.free_msg, now.ssn_since_ackreq}              = {ssn_q, free_q, since_q};
    {now.hi_psn_rd_issued, now.flags_err_status, now.flags_err_vendor} = {rd_q, status_q, what_q};
  end
  assign now_o   = now;
  assign after_o = after;
endmodule
