// SPDX-License-Identifier: Apache-2.0
// Two who ask wqe_fetch for blocks at one of its ports: the first one goes before the second.
//
// Each keeps its request until it is answered.
// HELD: asked from a register, since who asks for what is known late and much hangs on it (the set, its tags). It comes
//   a cycle later, and the next one is asked for in the second cycle after an answer. 0: combinational, and a first one
//   that comes later takes the place of a second one that is not answered yet.
// Errors: none.
module wqe_asks #(
    parameter bit HELD = 1'b1
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  cairn_int_pkg::wqe_fetch_t    first_i,
    output cairn_int_pkg::fetch_answer_t first_o,
    input  cairn_int_pkg::wqe_fetch_t    second_i,
    output cairn_int_pkg::fetch_answer_t second_o,
    // wqe_fetch
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i
);
  cairn_int_pkg::wqe_fetch_t want, want_q;
  logic                      is_first, asks_q, unused;
  assign want = first_i.valid ? first_i : second_i;
  if (HELD) begin : g_held
    always_ff @(posedge clk_i) begin
      asks_q <= rst_ni && (asks_q ? !fetch_i.ready : want.valid);
      if (!asks_q) {is_first, want_q} <= {first_i.valid, want};
    end
    assign fetch_o = {asks_q, want_q.qpn, want_q.gen, want_q.index, want_q.limit, want_q.base, want_q.log2};
    assign unused  = want_q.valid;
  end else begin : g_now
    assign fetch_o  = want;
    assign is_first = first_i.valid;
    assign asks_q   = 1'b0;
    assign want_q   = '0;
    assign unused   = ^{clk_i, rst_ni, asks_q, want_q};
  end
  assign first_o  = {fetch_i.ready && is_first, fetch_i.retry};
  assign second_o = {fetch_i.ready && !is_first, fetch_i.retry};
endmodule
