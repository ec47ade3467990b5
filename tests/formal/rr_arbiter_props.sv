// SPDX-License-Identifier: Apache-2.0
// Properties of rr_arbiter; bound to it by name at its end. Proved by induction.
module rr_arbiter_props #(
    parameter int unsigned N     = 4,
    parameter int unsigned FIXED = 0
) (
    input logic                                clk_i,
    input logic                                rst_ni,
    input logic [N-1:0]                        req_i,
    input logic                                ack_i,
    input logic                                lock_i,
    input logic                                gnt_valid_o,
    input logic [N-1:0]                        gnt_o,
    input logic [(N > 1 ? $clog2(N) : 1)-1:0]  gnt_idx_o,
    input logic [N-1:0]                        mask_q,
    input logic [N-1:0]                        winner_q,
    input logic                                held_q,
    input logic                                locked_q
);
  localparam int unsigned IDX_W = (N > 1) ? $clog2(N) : 1;
  localparam int unsigned CNT_W = $clog2(N + 1) + 1;

  // Index of a one-hot vector, N-1 for none.
  function automatic logic [CNT_W-1:0] index(input logic [N-1:0] hot);
    index = CNT_W'(N - 1);
    for (int i = 0; i < N; i++) if (hot[i]) index = CNT_W'(i);
  endfunction

  // Steps up from a to b around the ring, 1 to N.
  function automatic logic [CNT_W-1:0] steps(input logic [CNT_W-1:0] a, input logic [CNT_W-1:0] b);
    steps = (b > a) ? b - a : b + CNT_W'(N) - a;
  endfunction

  logic             started = 1'b0;
  logic             transaction_q;  // between an acknowledge with lock and one without
  logic [N-1:0]     owner_q;
  logic [N-1:0]     below;          // requests at or below the last winner
  logic [CNT_W-1:0] last, waited_q;

  // The request whose wait is measured: any of them.
  (* anyconst *) logic [IDX_W-1:0] pick;
  logic [CNT_W-1:0] mine;
  assign mine  = CNT_W'(pick);
  assign below = ~mask_q;
  assign last  = index(below & ~(below >> 1));

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);
  always_comb assume (mine < CNT_W'(N));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      transaction_q <= 1'b0;
      owner_q       <= '0;
      waited_q      <= '0;
    end else begin
      if (gnt_valid_o && ack_i) begin
        transaction_q <= lock_i;
        owner_q       <= gnt_o;
      end
      if (!req_i[pick] || (gnt_o[pick] && ack_i)) waited_q <= '0;
      else if (gnt_valid_o && ack_i && !lock_i) waited_q <= waited_q + 1'b1;
    end
  end

  always_comb begin
    if (started) begin
      // 1. At most one grant, and only of a request; the index is the grant's.
      a_onehot: assert ((gnt_o & (gnt_o - 1'b1)) == '0);
      a_request: assert ((gnt_o & ~req_i) == '0);
      a_valid: assert (gnt_valid_o == (gnt_o != '0));
      if (gnt_valid_o) a_index: assert (gnt_o == N'(1) << gnt_idx_o);
      // 2. If there is a request and no transaction, there is a grant.
      if (!transaction_q && req_i != '0) a_busy: assert (gnt_valid_o);
      // 3. In a transaction nobody else is granted.
      if (transaction_q) a_lock: assert ((gnt_o & ~owner_q) == '0);
      // 4. Round robin: at most N-1 others before a request that stays.
      if (FIXED == 0) a_fair: assert (waited_q < CNT_W'(N));
      // Fixed priority: nobody overtakes a stronger request unless already shown.
      if (FIXED != 0 && !locked_q && !held_q && gnt_valid_o) begin
        a_first: assert ((req_i & (gnt_o - 1'b1)) == '0);
      end

      // What makes 3 and 4 inductive.
      i_lock: assert (locked_q == transaction_q && (!locked_q || winner_q == owner_q));
      i_winner: assert ((winner_q & (winner_q - 1'b1)) == '0);
      if (FIXED != 0) i_fixed: assert (mask_q == '0);
      i_held: assert (!(held_q || locked_q) || winner_q != '0);
      if (FIXED == 0) begin
        i_mask: assert (mask_q[0] == 1'b0 && (below & (below + 1'b1)) == '0);
        i_wait: assert (waited_q == '0 || waited_q + steps(last, mine) <= CNT_W'(N));
        i_next: assert (waited_q == '0 || !(held_q || locked_q) || winner_q[pick] ||
                        steps(index(winner_q), mine) < steps(last, mine));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    // 5. A grant that is shown and not acknowledged stays while its request does.
    if (started && $past(started) && $past(rst_ni) && $past(gnt_valid_o) && !$past(ack_i) &&
        (req_i & $past(gnt_o)) != '0) begin
      a_hold: assert (gnt_o == $past(gnt_o));
    end
    c_longest: cover (started && FIXED == 0 && waited_q == CNT_W'(N - 1));
`ifndef FORMAL_NO_LOCK   // lock_i is tied to 0
    c_lock: cover (started && transaction_q && gnt_valid_o && ack_i && !lock_i);
`endif
  end
endmodule
