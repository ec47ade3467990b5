// SPDX-License-Identifier: Apache-2.0
// Properties of stream_arb, given sources that keep the stream rules; bound to it by name at its end.
// No bubble is checked to a bound here (rr_arbiter is proved by itself), the rest by induction with FORMAL_CONTROL
// defined.
module stream_arb_props #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input logic               clk_i,
    input logic               rst_ni,
    input logic [N-1:0]       in_valid_i,
    input logic [N-1:0]       in_ready_o,
    input logic [N*WIDTH-1:0] in_data_i,
    input logic               out_valid_o,
    input logic               out_ready_i,
    input logic [WIDTH-1:0]   out_data_o,
    input logic [N-1:0]       gnt
);
  logic started = 1'b0;

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);

  // Sources: a word stays until it is taken.
  for (genvar g = 0; g < N; g++) begin : g_source
    stream_rules #(.WIDTH(WIDTH)) u_rules (
        .clk_i, .rst_ni, .valid_i(in_valid_i[g]), .ready_i(in_ready_o[g]), .data_i(in_data_i[g*WIDTH +: WIDTH]));
  end

  always_comb begin
    if (started) begin
      // 1. The word shown is that of one source that has one, and only that source advances.
      if (out_valid_o) begin
        a_one: assert (gnt != '0 && (gnt & (gnt - N'(1))) == '0 && (gnt & in_valid_i) == gnt);
        for (int i = 0; i < N; i++) begin
          if (gnt[i]) assert (out_data_o == in_data_i[i*WIDTH +: WIDTH]);
        end
        a_ready: assert (in_ready_o == (out_ready_i ? gnt : '0));
      end else begin
        a_none: assert (in_ready_o == '0);
      end
      // 2. A waiting source means a word at the output: no bubble.
`ifndef FORMAL_CONTROL
      if (in_valid_i != '0) a_busy: assert (out_valid_o);
`endif
    end
  end

  always_ff @(posedge clk_i) begin
    // 3. A word shown stays until it is taken.
    if (started && $past(started) && $past(rst_ni) && rst_ni && $past(out_valid_o) && !$past(out_ready_i)) begin
      a_hold: assert (out_valid_o && gnt == $past(gnt) && out_data_o == $past(out_data_o));
    end
    c_switch: cover (started && $past(started) && $past(out_valid_o && out_ready_i) && out_valid_o && gnt != $past(gnt)
                     && (in_valid_i & $past(gnt)) != '0);
    c_wait: cover (started && out_valid_o && !out_ready_i && (in_valid_i & ~gnt) != '0);
  end
endmodule
