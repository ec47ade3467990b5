// SPDX-License-Identifier: Apache-2.0
// Properties of sync_fifo_level and sync_fifo_ram; bound to them by name at their ends.
// sync_fifo_level: proved by induction, with a look into its memory (probe). sync_fifo_ram's memory is in
// another module: with FORMAL_CONTROL defined all but order and data is proved by induction; order and
// data are checked to a depth at which the pointers have wrapped several times.
module sync_fifo_props #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 4,
    parameter int unsigned PROBE = 0   // probe_i is connected
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       in_valid_i,
    input logic                       in_ready_o,
    input logic [WIDTH-1:0]           in_data_i,
    input logic                       out_valid_o,
    input logic                       out_ready_i,
    input logic [WIDTH-1:0]           out_data_o,
    input logic [$clog2(DEPTH+1)-1:0] level_o,
    input logic [$clog2(DEPTH)-1:0]   rptr_q,
    input logic [$clog2(DEPTH)-1:0]   wptr_q,
    input logic [$clog2(DEPTH+1)-1:0] in_mem_i,   // words from rptr_q to wptr_q
    input logic [1:0]                 staged_i,   // words in the stages behind the memory
    output logic [$clog2(DEPTH)-1:0]  probe_o,    // the picked word's address, and what is there
    input logic [WIDTH-1:0]           probe_i
);
  localparam int unsigned LVL_W = $clog2(DEPTH + 1);

  logic             started = 1'b0;
  logic             push, pop, marked;
  logic [LVL_W-1:0] count, ahead;
  logic [WIDTH-1:0] word;

  assign push = in_valid_i && in_ready_o;
  assign pop  = out_valid_o && out_ready_i;

  stream_tracker #(.WIDTH(WIDTH), .CNT_W(LVL_W)) u_track (
      .clk_i, .rst_ni, .push_i(push), .data_i(in_data_i), .pop_i(pop),
      .count_o(count), .marked_o(marked), .ahead_o(ahead), .word_o(word));

  logic [LVL_W:0] place;
  assign place   = (LVL_W+1)'(rptr_q) + (LVL_W+1)'(ahead) - (LVL_W+1)'(staged_i);
  assign probe_o = $clog2(DEPTH)'(place >= (LVL_W+1)'(DEPTH) ? place - (LVL_W+1)'(DEPTH) : place);

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);

  always_comb begin
    if (started) begin
      // 1. The level is the number of words inside, DEPTH at most.
      a_count: assert (count == level_o);
      a_bound: assert (level_o <= LVL_W'(DEPTH));
      // 2. It takes words until it is full, shows none when it is empty.
      a_full: assert (in_ready_o == (level_o != LVL_W'(DEPTH)));
      a_empty: assert (level_o != '0 || !out_valid_o);
      // 3. Words come out in order and unchanged.
      if (marked) begin
        a_ahead: assert (ahead < count);
`ifndef FORMAL_CONTROL
        if (ahead == '0 && out_valid_o) a_front: assert (out_data_o == word);
        if (PROBE != 0) i_probe: assert (probe_i == word);
`endif
      end
      // What makes it inductive.
      i_level: assert (32'(level_o) == 32'(in_mem_i) + 32'(staged_i));
      i_range: assert (32'(rptr_q) < DEPTH && 32'(wptr_q) < DEPTH);
      i_apart: assert (32'(wptr_q) == 32'(rptr_q) + 32'(in_mem_i) ||
                       32'(wptr_q) + DEPTH == 32'(rptr_q) + 32'(in_mem_i));
    end
  end

  always_ff @(posedge clk_i) begin
    // 4. A word shown stays until it is taken.
    if (started && $past(started) && $past(rst_ni) && $past(out_valid_o) && !$past(out_ready_i)) begin
      a_hold: assert (out_valid_o && out_data_o == $past(out_data_o));
    end
    c_full: cover (started && level_o == LVL_W'(DEPTH) && marked && ahead == LVL_W'(DEPTH - 1));
    c_through: cover (started && push && pop && marked);
  end
endmodule
