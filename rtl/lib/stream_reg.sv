// SPDX-License-Identifier: Apache-2.0
// One-entry stream register at full rate: registers valid and data, passes ready combinationally.
// Half the flip-flops of a skid_buffer, for places where the ready path is short. Latency one cycle.
// Errors: none. Properties: tests/formal/stream_reg_props.sv.
module stream_reg #(
    parameter int unsigned WIDTH = 8  // bits of payload
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
  if (WIDTH == 0) begin : g_chk_width
    $error("stream_reg: WIDTH must not be zero");
  end

  logic             valid_q;
  logic [WIDTH-1:0] data_q;

  assign in_ready_o  = !valid_q || out_ready_i;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (in_ready_o) valid_q <= in_valid_i;
  end

  // What is not valid is of no meaning: the data do not wait for in_valid_i, which is often late.
  always_ff @(posedge clk_i) if (in_ready_o) data_q <= in_data_i;

`ifdef FORMAL
  stream_reg_props #(.WIDTH(WIDTH)) u_props (.*);
`endif
endmodule
