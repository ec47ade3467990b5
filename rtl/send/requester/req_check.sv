// SPDX-License-Identifier: Apache-2.0
// Whether a record of req_build may still become true, from the completer's part as it is now. Combinational; used by
// req_issue, which keeps the verdict for the cycle of the commit. IBTA 9.7.2, 9.7.7.1.
//
// ok_o: the completer has not gone back since the visit began, has not ended the QP, and has not acknowledged what the
// record is about (then its WQE may be gone). The end of a visit has no PSN that could be overtaken.
// Both candidates for the oldest PSN that counts (UNA_PSN, OLD_PSN) are compared at once.
// Errors: none.
module req_check (
    input  logic [511:0]             req_i,         // qp_req_t, as committed
    input  logic [511:0]             cmp_i,         // qp_cmp_t
    input  logic                     rc_i,          // the QP is acknowledged
    input  cairn_int_pkg::req_next_t next_i,        // state after the record
    input  logic                     sends_i,       // it is a packet
    input  logic                     end_i,         // it is the end of the visit alone
    output logic                     ok_o,
    output logic                     restart_o,     // the first one after a go-back
    output logic                     moved_o,       // the walk has led elsewhere
    output logic                     none_out_o,    // nothing is outstanding
    output logic                     recovering_o,
    output logic                     forward_o,     // LOCAL_INDEX moves
    output logic [23:0]              una_o,
    output logic [23:0]              hi_o           // HI_PSN after the packet
);
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t cmp;
  cairn_int_pkg::req_next_t next;
  logic [23:0] ahead, past_una, past_old;
  logic [15:0] d_local;
  logic        over_una, over_old, by_old, overtaken;
  assign req  = req_i;
  assign cmp  = cmp_i;
  assign next = next_i;
  req_acked u_acked (.req_i, .cmp_i, .recovering_o, .una_o, .sure_o());
  assign ahead      = cmp.una_una_psn - cmp.old_psn;
  assign by_old     = recovering_o || (&ahead[23:16]);
  assign past_una   = next.psn - cmp.una_una_psn;
  assign past_old   = next.psn - cmp.old_psn;
  assign over_una   = (&past_una[23:16]) || (sends_i && past_una == '0);
  assign over_old   = (&past_old[23:16]) || (sends_i && past_old == '0);
  assign overtaken  = !end_i && (by_old ? over_old : over_una);
  assign ok_o       = !cmp.rflags_flushing
                      && (!rc_i || (cmp.una_gb_epoch == next.send_epoch && !overtaken && !cmp.flags_err));
  assign none_out_o = by_old ? cmp.old_psn == req.hi_psn : cmp.una_una_psn == req.hi_psn;
  assign restart_o  = next.send_epoch != req.psn_send_epoch;
  assign moved_o    = restart_o || next.index != req.index_next_index || next.psn != req.psn_next_psn;
  assign d_local    = next.index - req.index_local_index;
  assign forward_o  = !d_local[15];
  assign hi_o       = cairn_fn_pkg::psn_later(req.hi_psn, next.psn);
endmodule
