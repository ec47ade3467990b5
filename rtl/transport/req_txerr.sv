// SPDX-License-Identifier: Apache-2.0
// Payload reads that failed, on their way from tx_payload to the requester: remembers {QPN, generation, PSN} and kicks
// the QP; its next visit finds the entry (q_*), walks to the WQE that holds the PSN and ends it with an error. An entry
// leaves when a visit of its QP has looked at it. ENTRIES at a time; tx_payload holds further ones back, which stops
// nothing else: it discards what follows a failed job of the QP.
// Entries of a QP that is never visited again (destroyed) are overwritten by the next report for the same QPN, or by
// clear_i.
module req_txerr #(
    parameter int unsigned ENTRIES = 8
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [23:0]  in_qpn_i,
    input  logic [7:0]   in_gen_i,
    input  logic [23:0]  in_psn_i,
    output logic         kick_valid_o,
    input  logic         kick_ready_i,
    output logic [23:0]  kick_qpn_o,
    // a visit looks, combinational; take_i: it has
    input  logic [23:0]  q_qpn_i,
    input  logic [7:0]   q_gen_i,
    output logic         q_hit_o,
    output logic [23:0]  q_psn_o,
    input  logic         take_i
);
  localparam int unsigned EW = $clog2(ENTRIES);
  logic [ENTRIES-1:0]    live_q, same, match, free_oh_unused;
  logic [ENTRIES*56-1:0] ent_q;   // QPN, generation, PSN
  logic                  free_valid, put_same;
  logic [EW-1:0]         free_idx, same_idx, put_idx;
  logic [ENTRIES-1:0]    same_oh_unused;

  for (genvar g = 0; g < ENTRIES; g++) begin : g_cmp
    assign same[g]  = live_q[g] && ent_q[56*g+32 +: 24] == in_qpn_i;
    assign match[g] = live_q[g] && ent_q[56*g+32 +: 24] == q_qpn_i;
  end
  prio_enc #(.N(ENTRIES)) u_free (.in_i(~live_q), .valid_o(free_valid), .idx_o(free_idx), .onehot_o(free_oh_unused));
  prio_enc #(.N(ENTRIES)) u_same (.in_i(same), .valid_o(put_same), .idx_o(same_idx), .onehot_o(same_oh_unused));
  always_comb begin
    q_hit_o = 1'b0;
    q_psn_o = '0;
    for (int unsigned i = 0; i < ENTRIES; i++) begin
      if (match[i] && ent_q[56*i+24 +: 8] == q_gen_i) begin
        q_hit_o = 1'b1;
        q_psn_o = ent_q[56*i +: 24];
      end
    end
  end
  assign put_idx      = put_same ? same_idx : free_idx;
  assign in_ready_o   = (put_same || free_valid) && kick_ready_i && !take_i;
  assign kick_valid_o = in_valid_i && (put_same || free_valid) && !take_i;
  assign kick_qpn_o   = in_qpn_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
    end else begin
      if (take_i) live_q <= live_q & ~match;
      if (in_valid_i && in_ready_o) live_q[put_idx] <= 1'b1;
    end
    // Of several failures of one QP the first counts: its WQE ends in error, all later ones flush.
    if (in_valid_i && in_ready_o && !(put_same && ent_q[56*same_idx+24 +: 8] == in_gen_i)) ent_q[56*put_idx +: 56] <=
        {in_qpn_i, in_gen_i, in_psn_i};
  end
endmodule
