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
  logic          here_in  [0:SLOTS-1];
  logic          here_out [0:SLOTS-1];
  logic          push, pop, valid, ready_unused, turn, out_turn, init_q;
  logic [AW-1:0] init_slot_q;
  logic [LW-1:0] level, left_q;
  assign turn = !here_out[slot_i];
  assign push = add_i && here_in[slot_i] != turn;
  assign pop  = valid_o && ready_i;
  sync_fifo_ram #(.WIDTH(AW + 1), .DEPTH(SLOTS + 4)) u_slots (
      .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(ready_unused), .in_data_i({turn, slot_i}),
      .out_valid_o(valid), .out_ready_i(pop), .out_data_o({out_turn, slot_o}), .level_o(level));
  assign valid_o = valid && left_q != '0;
  always_ff @(posedge clk_i) if (init_q || push) here_in[init_q ? init_slot_q : slot_i] <= !init_q && turn;
  always_ff @(posedge clk_i) if (init_q || pop) here_out[init_q ? init_slot_q : slot_o] <= !init_q && out_turn;
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
