// SPDX-License-Identifier: Apache-2.0
// Device for the tests of the testbench itself: a one-entry stream register that breaks one stream rule
// at a time, chosen by break_i, and counts what it took.
module stream_toy #(
    parameter int unsigned DATA_W = 64
) (
    input  logic clk_i,
    input  logic rst_ni,

    // 0 none, 1 valid falls, 2 payload moves, 3 nbytes 0, 4 valid needs ready, 5 assertion, 6 sticks
    input  logic [2:0] break_i,

    input  logic              in_valid_i,
    output logic              in_ready_o,
    input  logic [DATA_W-1:0] in_data_i,
    input  logic [$clog2(DATA_W/8+1)-1:0] in_nbytes_i,
    input  logic              in_last_i,
    input  logic              in_err_i,
    input  logic [99:0]       in_meta_i,

    output logic              out_valid_o,
    input  logic              out_ready_i,
    output logic [DATA_W-1:0] out_data_o,
    output logic [$clog2(DATA_W/8+1)-1:0] out_nbytes_o,
    output logic              out_last_o,
    output logic              out_err_o,
    output logic [99:0]       out_meta_o,

    output logic [31:0] beats_o
);
  if (DATA_W % 8 != 0) begin : g_chk
    $error("stream_toy: DATA_W must be whole bytes");
  end

  logic full_q;
  logic stalled_q;  // the beat was shown and not taken in the last cycle

  assign in_ready_o  = !full_q || (out_ready_i && out_valid_o);
  assign out_valid_o = full_q && !(break_i == 3'd1 && stalled_q) && !(break_i == 3'd4 && !out_ready_i) &&
                       break_i != 3'd6;

  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && out_valid_o && !out_ready_i;
    if (!rst_ni) begin
      full_q  <= 1'b0;
      beats_o <= 32'd0;
    end else begin
      if (in_ready_o) full_q <= in_valid_i;
      if (in_valid_i && in_ready_o) begin
        out_data_o   <= in_data_i;
        out_nbytes_o <= break_i == 3'd3 ? '0 : in_nbytes_i;
        out_last_o   <= in_last_i;
        out_err_o    <= in_err_i;
        out_meta_o   <= in_meta_i;
        beats_o      <= beats_o + 32'd1;
      end else if (break_i == 3'd2 && stalled_q) begin
        out_data_o <= out_data_o + 1'b1;
      end
      assert (!(break_i == 3'd5 && in_valid_i));
    end
  end
endmodule
