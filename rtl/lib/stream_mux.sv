// SPDX-License-Identifier: Apache-2.0
// N streams into one in an order that the user gives: a stream of choices names the source of each
// packet; a choice is taken with the last beat of its packet. Combinational, no bubble.
// Errors: a choice >= N never becomes valid (the user's fault; checked in simulation).
// Properties: tests/formal/stream_mux_props.sv.
module stream_mux #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                sel_valid_i,
    output logic                                sel_ready_o,
    input  logic [(N > 1 ? $clog2(N) : 1)-1:0]  sel_i,
    input  logic [N-1:0]                        in_valid_i,
    output logic [N-1:0]                        in_ready_o,
    input  logic [N*WIDTH-1:0]                  in_data_i,  // stream i in [i*WIDTH +: WIDTH]
    input  logic [N-1:0]                        in_last_i,
    output logic                                out_valid_o,
    input  logic                                out_ready_i,
    output logic [WIDTH-1:0]                    out_data_o,
    output logic                                out_last_o
);
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1;

  if (WIDTH == 0 || N == 0) begin : g_chk_zero
    $error("stream_mux: WIDTH and N must not be zero");
  end

  logic [N-1:0] hot;  // one-hot choice, zero without one

  always_comb begin
    hot        = '0;
    out_data_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      hot[i]     = sel_valid_i && sel_i == SEL_W'(i);
      out_data_o = out_data_o | (in_data_i[i*WIDTH +: WIDTH] & {WIDTH{hot[i]}});
    end
  end

  assign out_valid_o = |(hot & in_valid_i);
  assign out_last_o  = |(hot & in_last_i);
  assign in_ready_o  = hot & {N{out_ready_i}};
  assign sel_ready_o = out_valid_o && out_ready_i && out_last_o;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && sel_valid_i && hot == '0) $error("stream_mux: choice %0d of %0d", sel_i, N);
  end
`endif
`ifdef FORMAL
  stream_mux_props #(.WIDTH(WIDTH), .N(N)) u_props (.*);
`endif
endmodule
