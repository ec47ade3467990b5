// SPDX-License-Identifier: Apache-2.0
// Where a visit's walk through the send queue begins. Combinational; used by req_visit when the parts are there, so
// that req_build only has to choose. IBTA 9.7.2.
//
// Normally that is the committed position. The walk goes back to the completer's anchors (oldest WQE and its first
// PSN), and skips WQEs up to target_o, when
// - the completer has gone back (GB_EPOCH moved): to the first PSN to send again;
// - a payload read has failed: to the WQE that holds its PSN, where the walk ends in an error;
// - acknowledgements have overtaken the position after a go-back: its WQEs may be retired and their blocks reused.
// req_acked says which acknowledgements count for that: READs asked for again are not passed over. A QP without
// acknowledgements (UC, UD) has no oldest one: what is not retired counts.
// rd_part_o: READ requests of the WQE at the anchors that are answered, for req_passed.
// Both candidates for what may be passed over (UNA_PSN, OLD_PSN), and both positions, are compared at once.
// Errors: beyond_o, the producer index claims more blocks than the ring holds (the doorbell lied); the position is then
//   the committed one, so the error names its WQE.
module req_start #(
    parameter int unsigned READ_CHUNK = 1024    // PSNs of one READ request
) (
    input  logic [511:0] req_i,     // qp_req_t
    input  logic [511:0] cmp_i,     // qp_cmp_t
    input  logic         rc_i,
    input  logic [2:0]   pmtu_i,
    input  logic [15:0]  pi_i,      // producer index
    input  logic         failed_i,  // a payload read has failed, that of
    input  logic [23:0]  failed_psn_i,
    output logic         goback_o,  // the walk begins at the anchors
    output logic         beyond_o,
    output logic [23:0]  una_o,     // oldest PSN not acknowledged
    output logic [23:0]  target_o,  // of the walk
    output logic [7:0]   rd_part_o
);
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t cmp;
  logic [23:0] una, past_una, past_old, gap, back_una, back_old;
  logic [15:0] ring, posted_next, posted_old;
  logic        epoch, recovering, by_old;
  assign req = req_i;
  assign cmp = cmp_i;
  req_acked u_acked (.req_i, .cmp_i, .recovering_o(recovering), .una_o(una), .sure_o());
  assign una_o = rc_i ? una : cmp.old_psn;

  // ---- may the position be passed over, by what is acknowledged beyond doubt? ----
  assign epoch    = rc_i && cmp.una_gb_epoch != req.psn_send_epoch;
  assign gap      = cmp.una_una_psn - cmp.old_psn;
  assign by_old   = !rc_i || recovering || (&gap[23:16]);
  assign past_una = req.psn_next_psn - cmp.una_una_psn;
  assign past_old = req.psn_next_psn - cmp.old_psn;
  assign goback_o = failed_i || epoch || (by_old ? &past_old[23:16] : &past_una[23:16]);

  // ---- where to ----
  assign back_una = cairn_fn_pkg::psn_later(cmp.gb_gb_psn, cmp.una_una_psn);
  assign back_old = cairn_fn_pkg::psn_later(cmp.gb_gb_psn, cmp.old_psn);
  assign target_o = failed_i ? cairn_fn_pkg::psn_later(failed_psn_i, cmp.old_psn)
                    : by_old ? (epoch ? back_old : cmp.old_psn) : (epoch ? back_una : cmp.una_una_psn);

  // ---- is there so much? ----
  assign ring        = 16'h1 << req.flags_sq_log2;
  assign posted_next = pi_i - req.index_next_index;
  assign posted_old  = pi_i - cmp.oldest_old_index;
  assign beyond_o    = goback_o ? posted_old > ring : posted_next > ring;

  // ---- a READ without bytes has one byte placed when it is answered ----
  logic        odd;                 // of the last one only some bytes are there: all, if that is all of the READ
  logic [7:0]  whole;
  always_comb begin
    {whole, odd} = {8'(cmp.rd_placed >> (CHUNK_LG + 8)), (cmp.rd_placed << (24 - CHUNK_LG)) != '0};
    for (int unsigned i = 2; i < 6; i++) begin
      if (pmtu_i == 3'(i))
        {whole, odd} = {8'(cmp.rd_placed >> (CHUNK_LG + 7 + i)), (cmp.rd_placed << (25 - CHUNK_LG - i)) != '0};
    end
  end
  assign rd_part_o = cmp.rflags_rd_valid ? whole + 8'(odd && cmp.rd_placed >= cmp.rd_len) : 8'h0;
endmodule
