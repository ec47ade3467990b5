// SPDX-License-Identifier: Apache-2.0
// N skid buffers in a row: cuts long stream wires (between dies, clock regions or far corners).
// Latency STAGES cycles, full rate, nothing combinational from end to end unless STAGES is 0.
// Errors: none.
module stream_pipe #(
    parameter int unsigned WIDTH  = 8,
    parameter int unsigned STAGES = 1  // 0 is a plain wire
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
    $error("stream_pipe: WIDTH must not be zero");
  end

  if (STAGES == 0) begin : g_wire
    logic unused;
    assign unused      = clk_i ^ rst_ni;
    assign out_valid_o = in_valid_i;
    assign in_ready_o  = out_ready_i;
    assign out_data_o  = in_data_i;
  end else begin : g_pipe
    logic [STAGES:0]             valid;
    logic [STAGES:0]             ready;
    logic [(STAGES+1)*WIDTH-1:0] data;
    assign valid[0]         = in_valid_i;
    assign in_ready_o       = ready[0];
    assign data[WIDTH-1:0]  = in_data_i;
    assign out_valid_o      = valid[STAGES];
    assign ready[STAGES]    = out_ready_i;
    assign out_data_o       = data[STAGES*WIDTH +: WIDTH];
    for (genvar g = 0; g < STAGES; g++) begin : g_stage
      skid_buffer #(.WIDTH(WIDTH)) u_skid (
          .clk_i, .rst_ni,
          .in_valid_i(valid[g]), .in_ready_o(ready[g]), .in_data_i(data[g*WIDTH +: WIDTH]),
          .out_valid_o(valid[g+1]), .out_ready_i(ready[g+1]),
          .out_data_o(data[(g+1)*WIDTH +: WIDTH]));
    end
  end
endmodule
