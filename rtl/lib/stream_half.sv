// SPDX-License-Identifier: Apache-2.0
// One register for a stream: a word every second cycle.
//
// Half of a skid_buffer, for words that come no faster, or where that is fast enough: FULL makes it one. Neither side's
// valid or ready depends on the other's.
// Cycles: a word is shown in the cycle after it came, and the next one comes in the cycle after it was taken.
// Errors: none.
module stream_half #(
    parameter int unsigned WIDTH = 8,
    parameter bit          FULL  = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [WIDTH-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [WIDTH-1:0] out_data_o
);
  if (FULL) begin : g_skid
    skid_buffer #(.WIDTH(WIDTH)) u_skid (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .out_valid_o, .out_ready_i, .out_data_o);
  end else begin : g_half
    logic             valid_q;
    logic [WIDTH-1:0] data_q;
    assign in_ready_o  = !valid_q;
    assign out_valid_o = valid_q;
    assign out_data_o  = data_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid_q ? !out_ready_i : in_valid_i;
      if (!valid_q) data_q <= in_data_i;
    end
  end
endmodule
