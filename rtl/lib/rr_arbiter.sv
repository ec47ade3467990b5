// SPDX-License-Identifier: Apache-2.0
// Round-robin (or fixed-priority) arbiter over N requests with lock; grant in the request's cycle.
// - A grant that is shown and not acknowledged stays, as long as its request stays: the winner never
//   changes under a waiting consumer.
// - ack_i: the grant of this cycle is used. ack_i with lock_i: the winner is kept, and is the only one
//   that can be granted, until an ack_i without lock_i (packets, bursts).
// - Round robin: a request that stays is served after at most N-1 unlocked grants to others.
// - FIXED = 1: request 0 is the strongest; a stream of it starves the others.
// Errors: none. Properties: tests/formal/rr_arbiter_props.sv.
module rr_arbiter #(
    parameter int unsigned N     = 4,
    parameter int unsigned FIXED = 0
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [N-1:0]                        req_i,
    input  logic                                ack_i,
    input  logic                                lock_i,
    output logic                                gnt_valid_o,
    output logic [N-1:0]                        gnt_o,       // one-hot or zero
    output logic [(N > 1 ? $clog2(N) : 1)-1:0]  gnt_idx_o
);
  if (N == 0) begin : g_chk_n
    $error("rr_arbiter: N must not be zero");
  end

  logic [N-1:0] mask_q;    // requests above the last winner: they go first
  logic [N-1:0] winner_q;  // last grant shown
  logic         held_q;    // it was not acknowledged yet
  logic         locked_q;  // it was acknowledged with lock
  logic [N-1:0] above;
  logic [N-1:0] pick;
  logic [N-1:0] after;     // requests above this grant
  logic         keep;

  assign above = req_i & mask_q;
  for (genvar i = 0; i < N; i++) begin : g_pick
    localparam logic [N-1:0] LOWER = (N'(1) << i) - N'(1);
    assign pick[i] = req_i[i] && ((above == '0) ? (req_i & LOWER) == '0 : mask_q[i] && (above & LOWER) == '0);
    assign after[i] = (gnt_o & LOWER) != '0;
  end
  assign keep  = locked_q || (held_q && (req_i & winner_q) != '0);
  assign gnt_o = keep ? req_i & winner_q : pick;
  assign gnt_valid_o = (locked_q ? req_i & winner_q : req_i) != '0;
  always_comb begin      // one-hot already: no look for the lowest
    gnt_idx_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt_o[i]) gnt_idx_o = gnt_idx_o | (N > 1 ? $clog2(N) : 1)'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mask_q   <= '0;
      winner_q <= '0;
      held_q   <= 1'b0;
      locked_q <= 1'b0;
    end else if (gnt_valid_o) begin
      winner_q <= gnt_o;
      held_q   <= !ack_i;
      if (ack_i) begin
        locked_q <= lock_i;
        if (FIXED == 0 && !lock_i) mask_q <= after;
      end
    end else begin
      held_q <= 1'b0;
    end
  end

`ifdef FORMAL
  rr_arbiter_props #(.N(N), .FIXED(FIXED)) u_props (.*);
`endif
endmodule
