// SPDX-License-Identifier: Apache-2.0
// Deep single-clock FIFO in block RAM, first-word fall-through, one word a cycle in and out.
// Same ports as sync_fifo_level. Holds exactly DEPTH words, those in the two output stages included.
// A word written in cycle t is at the output in cycle t+3 at the earliest (RAM write, RAM read,
// output register); the output register hides the RAM's access time. FAST = 1: in t+1, if no other is on its way to
// the output register; that takes a multiplexer before it. OUTPUT = 0: in t+2, from the RAM, without that register.
// WIDE: see ram_1r1w.
// Errors: none; a word offered to a full FIFO waits (in_ready_o low).
// Properties: tests/formal/sync_fifo_props.sv (shared with sync_fifo_level).
module sync_fifo_ram #(
    parameter int unsigned WIDTH  = 64,
    parameter int unsigned DEPTH  = 512,  // words held, >= 4
    parameter int unsigned FAST   = 0,
    parameter int unsigned OUTPUT = 1,
    parameter int unsigned WIDE   = 0
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
    $error("sync_fifo_ram: WIDTH must not be zero");
  end
  if (FAST != 0 && OUTPUT == 0) begin : g_chk_fast
    $error("sync_fifo_ram: FAST needs the output register");
  end
  if (DEPTH < 4) begin : g_chk_depth
    $error("sync_fifo_ram: DEPTH must be at least 4 (use sync_fifo for less)");
  end

  logic [PTR_W-1:0] wptr_q;
  logic [PTR_W-1:0] rptr_q;
  logic [LVL_W-1:0] level_q;     // all words
  logic             full_q;      // they are DEPTH
  logic [LVL_W-1:0] in_ram_q;    // words written to the RAM and not yet read from it
  logic             ram_valid_q; // the RAM's output holds a word
  logic [WIDTH-1:0] ram_data;
  logic             push;
  logic             pop;
  logic             fetch;
  logic             move;        // RAM output may go to the output register
  logic             empty;       // none is on its way there
  logic             past;        // this word goes there at once: it is passed over in the RAM

  assign in_ready_o  = !full_q;
  assign level_o     = level_q;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;
  assign move        = (OUTPUT != 0 && !out_valid_o) || out_ready_i;
  assign empty       = FAST != 0 && in_ram_q == '0 && !ram_valid_q;
  assign past        = empty && push && move;
  assign fetch       = in_ram_q != '0 && (!ram_valid_q || move);

  // A word is fetched only after it was written, and a full RAM takes none: no collision.
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .BYPASS(2), .WIDE(WIDE)) u_ram (
      .clk_i,
      .we_i(push), .waddr_i(wptr_q), .wdata_i(in_data_i),
      .re_i(fetch), .raddr_i(rptr_q), .rdata_o(ram_data));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q      <= '0;
      rptr_q      <= '0;
      level_q     <= '0;
      full_q      <= 1'b0;
      in_ram_q    <= '0;
      ram_valid_q <= 1'b0;
    end else begin
      if (push) wptr_q <= (wptr_q == PTR_W'(DEPTH - 1)) ? '0 : wptr_q + 1'b1;
      if (fetch || past) rptr_q <= (rptr_q == PTR_W'(DEPTH - 1)) ? '0 : rptr_q + 1'b1;
      if (push && !pop) level_q <= level_q + 1'b1;
      else if (pop && !push) level_q <= level_q - 1'b1;
      full_q <= !pop && (full_q || (push && level_q == LVL_W'(DEPTH - 1)));
      if (push && !past && !fetch) in_ram_q <= in_ram_q + 1'b1;
      else if (fetch && !push) in_ram_q <= in_ram_q - 1'b1;
      if (fetch) ram_valid_q <= 1'b1;
      else if (move) ram_valid_q <= 1'b0;
    end
  end

  if (OUTPUT != 0) begin : g_register
    logic             out_valid_q;
    logic [WIDTH-1:0] out_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) out_valid_q <= 1'b0;
      else if (move) out_valid_q <= ram_valid_q || past;
      if (move) out_q <= (FAST != 0 && !ram_valid_q) ? in_data_i : ram_data;
    end
    assign out_valid_o = out_valid_q;
    assign out_data_o  = out_q;
  end else begin : g_ram
    assign out_valid_o = ram_valid_q;
    assign out_data_o  = ram_data;
  end

`ifdef FORMAL
  logic [PTR_W-1:0] probe;
  sync_fifo_props #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_props (
      .*, .in_mem_i(in_ram_q), .staged_i(2'(ram_valid_q) + 2'(OUTPUT != 0 && out_valid_o)),
      .probe_o(probe), .probe_i('0));
`endif
endmodule
