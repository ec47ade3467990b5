// SPDX-License-Identifier: Apache-2.0
// Two-entry stream buffer: registers valid, data and ready of a stream, at full rate.
// Used wherever a stage boundary must not pass ready combinationally. Latency one cycle.
// in_ready_o is a flip-flop. Errors: none. Properties: tests/formal/skid_buffer_props.sv.
module skid_buffer #(
    parameter int unsigned WIDTH = 8  // bits of payload: data, nbytes, last, err, meta together
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
    $error("skid_buffer: WIDTH must not be zero");
  end

  // The word in out_data_o is always the older one; skid_q catches the word that arrives in the
  // cycle in which the consumer stalls, because the producer sees ready fall one cycle later.
  logic             out_valid_q;
  logic             full_q;
  logic [WIDTH-1:0] out_q;
  logic [WIDTH-1:0] skid_q;
  logic             move;

  assign move        = !out_valid_q || out_ready_i;
  assign in_ready_o  = !full_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      full_q      <= 1'b0;
    end else if (move) begin
      out_valid_q <= full_q || in_valid_i;
      full_q      <= 1'b0;
    end else if (in_valid_i) begin
      full_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) out_q <= full_q ? skid_q : in_data_i;
    if (!full_q) skid_q <= in_data_i;
  end

`ifdef FORMAL
  skid_buffer_props #(.WIDTH(WIDTH)) u_props (.*);
`endif
endmodule
