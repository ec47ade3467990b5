// SPDX-License-Identifier: Apache-2.0
// Where a visit's walk through the send queue begins. Combinational; used by req_build in the cycle that takes a visit.
// IBTA 9.7.2.
//
// Normally that is the committed position. The walk goes back to the completer's anchors (oldest WQE and its first
// PSN), and skips WQEs up to target_o, when
// - the completer has gone back (GB_EPOCH moved): to the first PSN to send again;
// - a payload read has failed: to the WQE that holds its PSN, where the walk ends in an error;
// - acknowledgements have overtaken the position after a go-back: its WQEs may be retired and their blocks reused.
// req_acked says which acknowledgements count for that: READs asked for again are not passed over. A QP without
// acknowledgements (UC, UD) has no oldest one: what is not retired counts.
// Errors: beyond_o, the producer index claims more blocks than the ring holds (the doorbell lied); the position is then
//   the committed one, so the error names its WQE.
module req_start (
    // of req_visit
    input  logic [511:0] req_i,     // qp_req_t
    input  logic [511:0] cmp_i,     // qp_cmp_t
    input  logic         rc_i,
    input  logic [15:0]  pi_i,      // producer index
    input  logic         failed_i,  // a payload read has failed, that of
    input  logic [23:0]  failed_psn_i,
    output logic         goback_o,  // the walk begins at the anchors
    output logic         beyond_o,
    output logic [23:0]  una_o,     // oldest PSN not acknowledged
    output logic [23:0]  target_o,  // of the walk
    // position: WQE, PSN, first PSN of its message, byte in the message, packets since an AckReq, READs issued
    output logic [15:0]  index_o,
    output logic [23:0]  psn_o,
    output logic [23:0]  msg_psn_o,
    output logic [31:0]  offset_o,
    output logic [5:0]   since_o,
    output logic [7:0]   rd_issued_o
);
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t cmp;
  logic [15:0] first, posted;
  logic [23:0] ahead, una, sure, passable;
  logic        epoch, anchors;

  assign req      = req_i;
  assign cmp      = cmp_i;
  assign epoch    = rc_i && cmp.una_gb_epoch != req.psn_send_epoch;
  assign ahead    = req.psn_next_psn - passable;
  assign goback_o = failed_i || epoch || (&ahead[23:16]);
  req_acked u_acked (.req_i, .cmp_i, .recovering_o(), .una_o(una), .sure_o(sure));
  assign una_o    = rc_i ? una : cmp.old_psn;
  assign passable = rc_i ? sure : cmp.old_psn;
  assign target_o = failed_i ? cairn_fn_pkg::psn_later(failed_psn_i, cmp.old_psn)
                    : epoch ? cairn_fn_pkg::psn_later(cmp.gb_gb_psn, passable) : passable;

  assign first    = goback_o ? cmp.oldest_old_index : req.index_next_index;
  assign posted   = pi_i - first;
  assign beyond_o = posted > (16'h1 << req.flags_sq_log2);
  assign anchors  = goback_o && !beyond_o;

  assign index_o     = anchors ? cmp.oldest_old_index : req.index_next_index;
  assign psn_o       = anchors ? cmp.old_psn : req.psn_next_psn;
  assign msg_psn_o   = anchors ? cmp.old_psn : req.msg_psn;
  assign offset_o    = anchors ? '0 : req.msg_offset;
  assign since_o     = goback_o ? '0 : req.ssn_since_ackreq;
  assign rd_issued_o = goback_o ? cmp.rflags_rd_done : req.hi_psn_rd_issued;
endmodule
