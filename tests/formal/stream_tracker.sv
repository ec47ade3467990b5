// SPDX-License-Identifier: Apache-2.0
// For the properties of buffers: counts the words inside and follows one word that the solver picks.
// count_o words are inside; while marked_o, the picked word has value word_o and ahead_o words before it.
// A buffer is correct if it shows that very word when ahead_o is 0.
module stream_tracker #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned CNT_W = 4
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic [WIDTH-1:0] data_i,
    input  logic             pop_i,
    output logic [CNT_W-1:0] count_o,
    output logic             marked_o,
    output logic [CNT_W-1:0] ahead_o,
    output logic [WIDTH-1:0] word_o
);
  (* anyseq *) logic pick;

  logic [CNT_W-1:0] left;
  assign left = count_o - CNT_W'(pop_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o  <= '0;
      marked_o <= 1'b0;
    end else begin
      count_o <= left + CNT_W'(push_i);
      if (push_i && pick && !marked_o) begin
        marked_o <= 1'b1;
        ahead_o  <= left;
        word_o   <= data_i;
      end else if (pop_i && marked_o) begin
        if (ahead_o == '0) marked_o <= 1'b0;
        else ahead_o <= ahead_o - 1'b1;
      end
    end
  end
endmodule
