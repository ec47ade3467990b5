// SPDX-License-Identifier: Apache-2.0
// Round-robin choice in a register that stays: rr_chosen at full rate, for requests that come late in the cycle.
//
// The grant stays with a client until another one requests; then it goes to that one, the first behind it, after the
// use of this cycle, or at once if there is none. So one client, or several, come to one use a cycle, and one that
// requests alone after another waits a cycle. No client's ready need depend on a request of the same cycle.
//   used_i: the shown one is used now. hold_i: the grant must stay, whoever requests (packets, bursts).
//   HOME: the client that has the grant while nobody requests, so that it never waits for it then; N: it stays.
// Errors: none. Reset: client 0 is granted.
module rr_kept #(
    parameter int unsigned N     = 4,
    parameter int unsigned HOME  = N,
    localparam int unsigned IDX_W = (N > 1) ? $clog2(N) : 1
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic [N-1:0]     req_i,
    input  logic             used_i,
    input  logic             hold_i,
    output logic [N-1:0]     gnt_o,     // one-hot, a register
    output logic [IDX_W-1:0] gnt_idx_o, // a register
    output logic             shown_o    // the granted one requests
);
  // ---- who is next, of the others: the first one behind this one ----
  logic [N-1:0]     others, behind, next;
  logic [IDX_W-1:0] next_idx;
  logic             move, again;
  assign shown_o = (req_i & gnt_o) != '0;
  assign others  = req_i & ~gnt_o;
  assign again   = behind == '0;
  assign move    = (others != '0 || (HOME != N && !shown_o)) && !hold_i && (used_i || !shown_o);
  for (genvar i = 0; i < N; i++) begin : g_next
    localparam logic [N-1:0] LOWER = (N'(1) << i) - N'(1);
    assign behind[i] = others[i] && (gnt_o & LOWER) != '0;
    assign next[i]   = again ? (others[i] && (others & LOWER) == '0) || (HOME == i && others == '0)
                             : behind[i] && (behind & LOWER) == '0;
  end
  always_comb begin
    next_idx = '0;
    for (int unsigned i = 0; i < N; i++) if (next[i]) next_idx = next_idx | IDX_W'(i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gnt_o     <= N'(1);
      gnt_idx_o <= '0;
    end else if (move) begin
      gnt_o     <= next;
      gnt_idx_o <= next_idx;
    end
  end
endmodule
