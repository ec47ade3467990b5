// SPDX-License-Identifier: Apache-2.0
// Properties of skid_buffer; bound to it by name at its end. Proved by induction.
module skid_buffer_props #(
    parameter int unsigned WIDTH = 8
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             in_valid_i,
    input logic             in_ready_o,
    input logic [WIDTH-1:0] in_data_i,
    input logic             out_valid_o,
    input logic             out_ready_i,
    input logic [WIDTH-1:0] out_data_o,
    input logic             full_q,
    input logic [WIDTH-1:0] skid_q
);
  logic             started = 1'b0;
  logic             push, pop, marked;
  logic [2:0]       count, ahead;
  logic [WIDTH-1:0] word;

  assign push = in_valid_i && in_ready_o;
  assign pop  = out_valid_o && out_ready_i;

  stream_tracker #(.WIDTH(WIDTH), .CNT_W(3)) u_track (
      .clk_i, .rst_ni, .push_i(push), .data_i(in_data_i), .pop_i(pop),
      .count_o(count), .marked_o(marked), .ahead_o(ahead), .word_o(word));

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);

  always_comb begin
    if (started) begin
      // 1. It holds what was put in and not taken out: nothing lost, nothing twice, two words at most.
      a_count: assert (count == 3'(out_valid_o) + 3'(full_q));
      a_skid_behind: assert (!full_q || out_valid_o);
      // 2. Words come out in order and unchanged.
      if (marked) begin
        a_ahead: assert (ahead < count);
        if (ahead == 3'd0) a_front: assert (out_valid_o && out_data_o == word);
        else a_back: assert (full_q && skid_q == word);
      end
      // 3. Ready does not depend on this cycle's out_ready: it says only whether the skid entry is free.
      a_ready: assert (in_ready_o == !full_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (started && $past(started) && $past(rst_ni)) begin
      // 4. A word shown stays until it is taken.
      if ($past(out_valid_o) && !$past(out_ready_i)) begin
        a_hold: assert (out_valid_o && out_data_o == $past(out_data_o));
      end
      // 5. Full rate: after a cycle in which the consumer was ready, so is the buffer.
      if ($past(out_ready_i)) a_rate: assert (in_ready_o);
    end
    c_full: cover (started && full_q && out_valid_o);
    c_through: cover (started && push && pop && full_q == 1'b0 && marked);
  end
endmodule
