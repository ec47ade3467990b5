// SPDX-License-Identifier: Apache-2.0
// One hop of bench_occ: the cycles in which it moved and those in which it waited, printed when the simulation ends.
module bench_hop #(
    parameter int unsigned ORDER = 0,
    parameter string       NAME  = ""
) (
    input logic clk_i,
    input logic valid_i,
    input logic ready_i
);
  longint unsigned moves_q, waits_q;
  initial {moves_q, waits_q} = '0;
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_i) moves_q <= moves_q + 1;
    if (valid_i && !ready_i) waits_q <= waits_q + 1;
  end
  final $display("OCC %0d %s %0d %0d", ORDER, NAME, moves_q, waits_q);
endmodule
