// SPDX-License-Identifier: Apache-2.0
// Clock of a block that may stand still while nothing happens in it: runs while busy_i, and HOLD cycles longer.
//
// The block must not change by itself once busy_i has been low that long (what idle_o promises for jumps in time,
// docs/simulator.md). busy_i rises in the cycle in which an input does or a time is reached.
// Only simulation stops clocks, so an idle block costs nothing there. Synthesis passes the clock through. Nothing may
// depend on it: CAIRN_FREE_CLOCKS in the simulator's environment (+free_clocks) lets all clocks run, and
// tests/integration/jump compares.
module clk_gate #(
    parameter int unsigned HOLD = 8
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic busy_i,
    output logic clk_o
);
`ifdef VERILATOR
  localparam int unsigned W = $clog2(HOLD + 1);
  logic         free, open;
  logic [W-1:0] left_q;

  initial free = $test$plusargs("free_clocks") != 0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || busy_i) left_q <= W'(HOLD);
    else if (left_q != '0) left_q <= left_q - 1'b1;
  end
  // a latch, as in a gating cell: what busy_i does while the clock is high makes no edge
  always_latch if (!clk_i) open = free || !rst_ni || busy_i || left_q != '0;
  assign clk_o = clk_i & open;
`else
  logic unused;
  assign unused = rst_ni && busy_i;
  assign clk_o  = clk_i;
`endif
endmodule
