// SPDX-License-Identifier: Apache-2.0
// FIFO between two clocks (on boards: MAC and PCIe user clocks).
//
// Gray-coded pointers, LUT RAM, output register, first-word fall-through, one word a cycle on each side. Holds DEPTH
// words and the one in the output register.
// Reset: both resets are asserted together, for several cycles of both clocks.
// Levels: safe and late. The writer sees too many words, the reader too few.
// Errors: none. A word offered to a full FIFO waits.
module async_fifo #(
    parameter int unsigned WIDTH  = 8,
    parameter int unsigned DEPTH  = 16,  // a power of two, >= 4 (8 or more for full rate)
    parameter int unsigned STAGES = 2    // synchroniser flip-flops
) (
    input  logic                       wr_clk_i,
    input  logic                       wr_rst_ni,
    input  logic                       in_valid_i,
    output logic                       in_ready_o,
    input  logic [WIDTH-1:0]           in_data_i,
    output logic [$clog2(DEPTH+1)-1:0] wr_level_o,
    input  logic                       rd_clk_i,
    input  logic                       rd_rst_ni,
    output logic                       out_valid_o,
    input  logic                       out_ready_i,
    output logic [WIDTH-1:0]           out_data_o,
    output logic [$clog2(DEPTH+1)-1:0] rd_level_o   // without the word in the output register
);
  localparam int unsigned PTR_W = $clog2(DEPTH);

  if (WIDTH == 0) begin : g_chk_width
    $error("async_fifo: WIDTH must not be zero");
  end
  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_chk_depth
    $error("async_fifo: DEPTH must be a power of two and at least 4");
  end

  // Pointers have one bit more than an address, so that full and empty differ.
  logic [WIDTH-1:0] mem [0:DEPTH-1];
  logic [PTR_W:0]   wptr_q, wptr_next, wgray_q, wgray_rd, wptr_rd;
  logic [PTR_W:0]   rptr_q, rptr_next, rgray_q, rgray_wr, rptr_wr;
  logic             push, pop, out_valid_q;
  logic [WIDTH-1:0] out_q;

  function automatic logic [PTR_W:0] gray2bin(input logic [PTR_W:0] g);
    logic acc;
    acc = 1'b0;
    for (int i = PTR_W; i >= 0; i--) begin
      acc         = acc ^ g[i];
      gray2bin[i] = acc;
    end
  endfunction

  // Write side
  assign rptr_wr    = gray2bin(rgray_wr);
  assign wr_level_o = wptr_q - rptr_wr;
  assign in_ready_o = !wr_level_o[PTR_W];
  assign push       = in_valid_i && in_ready_o;
  assign wptr_next  = wptr_q + (PTR_W+1)'(push);

  cdc_sync #(.WIDTH(PTR_W+1), .STAGES(STAGES)) u_sync_rptr (
      .clk_i(wr_clk_i), .rst_ni(wr_rst_ni), .d_i(rgray_q), .q_o(rgray_wr));

  always_ff @(posedge wr_clk_i) begin
    if (!wr_rst_ni) begin
      wptr_q  <= '0;
      wgray_q <= '0;
    end else begin
      wptr_q  <= wptr_next;
      wgray_q <= wptr_next ^ {1'b0, wptr_next[PTR_W:1]};
    end
  end

  always_ff @(posedge wr_clk_i) if (push) mem[wptr_q[PTR_W-1:0]] <= in_data_i;

  // Read side
  assign wptr_rd     = gray2bin(wgray_rd);
  assign rd_level_o  = wptr_rd - rptr_q;
  assign pop         = rd_level_o != '0 && (!out_valid_q || out_ready_i);
  assign rptr_next   = rptr_q + (PTR_W+1)'(pop);
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

  cdc_sync #(.WIDTH(PTR_W+1), .STAGES(STAGES)) u_sync_wptr (
      .clk_i(rd_clk_i), .rst_ni(rd_rst_ni), .d_i(wgray_q), .q_o(wgray_rd));

  always_ff @(posedge rd_clk_i) begin
    if (!rd_rst_ni) begin
      rptr_q      <= '0;
      rgray_q     <= '0;
      out_valid_q <= 1'b0;
    end else begin
      rptr_q  <= rptr_next;
      rgray_q <= rptr_next ^ {1'b0, rptr_next[PTR_W:1]};
      if (pop) out_valid_q <= 1'b1;
      else if (out_ready_i) out_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge rd_clk_i) if (pop) out_q <= mem[rptr_q[PTR_W-1:0]];
endmodule
