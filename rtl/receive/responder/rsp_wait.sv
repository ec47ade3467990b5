// SPDX-License-Identifier: Apache-2.0
// Slots whose parked packets wait for a fill, in order, for rsp_join. Each fill lets those out that are here when it
// comes. A slot is here once at most: while its two bits, each of one writer, differ.
// Reset: clears itself. Errors: none.
module rsp_wait #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          add_i,
    input  logic [AW-1:0] slot_i,
    input  logic          fill_i,
    output logic          valid_o,
    input  logic          ready_i,
    output logic [AW-1:0] slot_o
);
  localparam int unsigned LW = $clog2(SLOTS + 5);
  // A bit a slot, of many slots in 64 words: LUT RAM that is deeper has a multiplexer behind each bit.
  localparam int unsigned WORD_LOG2 = (SLOTS > 512) ? AW - 6 : 0;
  localparam int unsigned WORD_W    = 1 << WORD_LOG2;
  logic [WORD_W-1:0] here_in  [0:(SLOTS>>WORD_LOG2)-1];
  logic [WORD_W-1:0] here_out [0:(SLOTS>>WORD_LOG2)-1];
  logic [WORD_W-1:0] in_word, out_word, back_word, in_bit, out_bit;
  logic [AW-1:0]     in_place, out_place;
  logic          push, pop, valid, ready_unused, turn, out_turn, init_q;
  logic [AW-1:0] init_slot_q;
  logic [LW-1:0] level, left_q;
  assign in_place  = slot_i & AW'(WORD_W - 1);
  assign out_place = slot_o & AW'(WORD_W - 1);
  assign in_bit    = WORD_W'(1) << in_place;
  assign out_bit   = WORD_W'(1) << out_place;
  assign in_word   = here_in[slot_i[AW-1:WORD_LOG2]];
  assign out_word  = here_out[slot_i[AW-1:WORD_LOG2]];
  assign back_word = here_out[slot_o[AW-1:WORD_LOG2]];
  assign turn = !(1'(out_word >> in_place));
  assign push = add_i && 1'(in_word >> in_place) != turn;
  assign pop  = valid_o && ready_i;
  sync_fifo_ram #(.WIDTH(AW + 1), .DEPTH(SLOTS + 4)) u_slots (
      .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(ready_unused), .in_data_i({turn, slot_i}),
      .out_valid_o(valid), .out_ready_i(pop), .out_data_o({out_turn, slot_o}), .level_o(level));
  assign valid_o = valid && left_q != '0;
  // (one that is put in, or leaves, changes its bit)
  always_ff @(posedge clk_i) begin
    if (init_q || push)
      here_in[init_q ? init_slot_q[AW-1:WORD_LOG2] : slot_i[AW-1:WORD_LOG2]] <= init_q ? '0 : in_word ^ in_bit;
  end
  always_ff @(posedge clk_i) begin
    if (init_q || pop)
      here_out[init_q ? init_slot_q[AW-1:WORD_LOG2] : slot_o[AW-1:WORD_LOG2]]
        <= init_q ? '0 : out_turn ? back_word | out_bit : back_word & ~out_bit;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      left_q      <= '0;
    end else begin
      if (fill_i) left_q <= level - LW'(pop);
      else if (pop) left_q <= left_q - 1'b1;
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
    end
  end
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && push) assert (ready_unused);
`endif
endmodule
