// SPDX-License-Identifier: Apache-2.0
// Properties of stream_reg; bound to it by name at its end. Proved by induction.
module stream_reg_props #(
    parameter int unsigned WIDTH = 8
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             in_valid_i,
    input logic             in_ready_o,
    input logic [WIDTH-1:0] in_data_i,
    input logic             out_valid_o,
    input logic             out_ready_i,
    input logic [WIDTH-1:0] out_data_o
);
  logic             started = 1'b0;
  logic             push, pop, marked;
  logic [1:0]       count, ahead;
  logic [WIDTH-1:0] word;

  assign push = in_valid_i && in_ready_o;
  assign pop  = out_valid_o && out_ready_i;

  stream_tracker #(.WIDTH(WIDTH), .CNT_W(2)) u_track (
      .clk_i, .rst_ni, .push_i(push), .data_i(in_data_i), .pop_i(pop),
      .count_o(count), .marked_o(marked), .ahead_o(ahead), .word_o(word));

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);

  always_comb begin
    if (started) begin
      // 1. It holds what was put in and not taken out.
      a_count: assert (count == 2'(out_valid_o));
      // 2. The word comes out unchanged.
      if (marked) a_word: assert (ahead == 2'd0 && out_valid_o && out_data_o == word);
      // 3. Full rate: it takes a word whenever it is empty or being emptied.
      a_ready: assert (in_ready_o == (!out_valid_o || out_ready_i));
    end
  end

  always_ff @(posedge clk_i) begin
    // 4. A word shown stays until it is taken.
    if (started && $past(started) && $past(rst_ni) && $past(out_valid_o) && !$past(out_ready_i)) begin
      a_hold: assert (out_valid_o && out_data_o == $past(out_data_o));
    end
    c_through: cover (started && push && pop && marked);
  end
endmodule
