// SPDX-License-Identifier: Apache-2.0
// Small single-clock FIFO in flip-flops or LUT RAM, first-word fall-through, any depth; says how full it is.
// A word written in cycle t can be read in cycle t+1. Write and read in the same cycle work at every
// fill level but full (a full FIFO takes a word again in the cycle after one was read).
// Neither side's valid or ready depends on the other's in the same cycle: both are registers.
// For more than about 64 words use sync_fifo_ram, which has the same ports; sync_fifo has no level.
// Errors: none; a word offered to a full FIFO waits (in_ready_o low).
// Properties: tests/formal/sync_fifo_props.sv.
module sync_fifo_level #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 8   // words held, >= 2
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         in_valid_i,
    output logic                         in_ready_o,
    input  logic [WIDTH-1:0]             in_data_i,
    output logic                         out_valid_o,
    input  logic                         out_ready_i,
    output logic [WIDTH-1:0]             out_data_o,
    output logic [$clog2(DEPTH+1)-1:0]   level_o   // words in the FIFO, 0 to DEPTH
);
  localparam int unsigned PTR_W = $clog2(DEPTH);
  localparam int unsigned LVL_W = $clog2(DEPTH + 1);

  if (WIDTH == 0) begin : g_chk_width
    $error("sync_fifo_level: WIDTH must not be zero");
  end
  if (DEPTH < 2) begin : g_chk_depth
    $error("sync_fifo_level: DEPTH must be at least 2 (use stream_reg for one entry)");
  end

  logic [WIDTH-1:0] mem [0:DEPTH-1];
  logic [PTR_W-1:0] wptr_q;
  logic [PTR_W-1:0] rptr_q;
  logic [LVL_W-1:0] level_q;
  logic             push;
  logic             pop;
  logic             some_q;    // level_q is not 0
  logic             full_q;    // it is DEPTH

  assign in_ready_o  = !full_q;
  assign out_valid_o = some_q;
  assign out_data_o  = mem[rptr_q];
  assign level_o     = level_q;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      level_q <= '0;
      some_q  <= 1'b0;
      full_q  <= 1'b0;
    end else begin
      some_q <= push || (some_q && !(pop && level_q == LVL_W'(1)));
      full_q <= !pop && (full_q || (push && level_q == LVL_W'(DEPTH - 1)));
      if (push) wptr_q <= (wptr_q == PTR_W'(DEPTH - 1)) ? '0 : wptr_q + 1'b1;
      if (pop) rptr_q <= (rptr_q == PTR_W'(DEPTH - 1)) ? '0 : rptr_q + 1'b1;
      if (push && !pop) level_q <= level_q + 1'b1;
      else if (pop && !push) level_q <= level_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (push) mem[wptr_q] <= in_data_i;

`ifdef FORMAL
  logic [PTR_W-1:0] probe;
  sync_fifo_props #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PROBE(1)) u_props (
      .*, .in_mem_i(level_q), .staged_i(2'd0), .probe_o(probe), .probe_i(mem[probe]));
`endif
endmodule
