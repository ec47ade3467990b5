// SPDX-License-Identifier: Apache-2.0
// A flag for each cache slot, with one that sets and one that clears it, read by whole sets.
//
// Two bits a slot in LUT RAMs, each with one writer: the flag stands while they differ. So neither needs a register for
// each slot, nor a decoder. Both may act in one cycle on different slots, not on the same one. Each RAM is read where
// it is written by one and the same address, for which LUT RAM of UltraScale+ has a port of its own.
// Cycles: what is set or cleared is seen in the next cycle; reads are combinational. Before use the owner clears every
// set (init_i). Errors: none.
module ctx_flag #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned WAYS  = 8,
    parameter int unsigned READS = 1,
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned RW   = (SLOTS > WAYS) ? $clog2(SLOTS / WAYS) : 1
) (
    input  logic                  clk_i,
    input  logic                  init_i,
    input  logic [RW-1:0]         init_set_i,
    input  logic                  set_valid_i,
    input  logic [AW-1:0]         set_slot_i,
    input  logic                  clear_valid_i,
    input  logic [AW-1:0]         clear_slot_i,
    output logic                  was_o,          // the flag of clear_slot_i
    input  logic [READS*RW-1:0]   read_set_i,
    output logic [READS*WAYS-1:0] read_o
);
  localparam int unsigned WW = $clog2(WAYS);

  logic [WAYS-1:0] on  [0:(1<<RW)-1];
  logic [WAYS-1:0] off [0:(1<<RW)-1];
  logic [RW-1:0]   set_row, clear_row, on_row, off_row;
  logic [WAYS-1:0] set_way, clear_way;
  logic [WAYS-1:0] on_set, off_set, on_clear, off_clear;   // of the two sets
  if (SLOTS > WAYS) begin : g_rows
    assign set_row   = set_slot_i[AW-1:WW];
    assign clear_row = clear_slot_i[AW-1:WW];
  end else begin : g_row
    assign set_row   = '0;
    assign clear_row = '0;
  end
  assign set_way   = WAYS'(1) << set_slot_i[WW-1:0];
  assign clear_way = WAYS'(1) << clear_slot_i[WW-1:0];
  assign on_row    = init_i ? init_set_i : set_row;
  assign off_row   = init_i ? init_set_i : clear_row;
  assign on_set    = on[on_row];
  assign off_set   = off[set_row];
  assign on_clear  = on[clear_row];
  assign off_clear = off[off_row];
  assign was_o     = |((on_clear ^ off_clear) & clear_way);

  always_ff @(posedge clk_i) begin
    if (init_i || set_valid_i) on[on_row] <= init_i ? '0 : (on_set & ~set_way) | (~off_set & set_way);
  end
  always_ff @(posedge clk_i) begin
    if (init_i || clear_valid_i) off[off_row] <= init_i ? '0 : (off_clear & ~clear_way) | (on_clear & clear_way);
  end
  for (genvar g = 0; g < READS; g++) begin : g_read
    assign read_o[g*WAYS +: WAYS] = on[read_set_i[g*RW +: RW]] ^ off[read_set_i[g*RW +: RW]];
  end

`ifdef VERILATOR
  logic cleared_q;
  initial cleared_q = 1'b0;     // before the reset the owner's registers hold anything
  always_ff @(posedge clk_i) begin
    if (init_i) cleared_q <= 1'b1;
    if (cleared_q && !init_i && set_valid_i && clear_valid_i) assert (set_slot_i != clear_slot_i);
  end
`endif
endmodule
