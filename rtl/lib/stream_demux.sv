// SPDX-License-Identifier: Apache-2.0
// One stream to one of N: in_sel_i, given with each beat, names the output. Hold it over a packet. Combinational.
//
// Errors: a choice >= N would lose the word. That is the user's fault; simulation reports it.
module stream_demux #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                in_valid_i,
    output logic                                in_ready_o,
    input  logic [WIDTH-1:0]                    in_data_i,
    input  logic [(N > 1 ? $clog2(N) : 1)-1:0]  in_sel_i,
    output logic [N-1:0]                        out_valid_o,
    input  logic [N-1:0]                        out_ready_i,
    output logic [WIDTH-1:0]                    out_data_o   // shared by all outputs
);
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1;

  if (WIDTH == 0 || N == 0) begin : g_chk_zero
    $error("stream_demux: WIDTH and N must not be zero");
  end

  logic [N-1:0] hot;

  always_comb begin
    for (int unsigned i = 0; i < N; i++) hot[i] = in_sel_i == SEL_W'(i);
  end

  assign out_valid_o = hot & {N{in_valid_i}};
  assign out_data_o  = in_data_i;
  assign in_ready_o  = (hot & ~out_ready_i) == '0;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && in_valid_i && hot == '0) $error("stream_demux: choice %0d of %0d", in_sel_i, N);
  end
`else
  logic unused;
  assign unused = clk_i ^ rst_ni;
`endif
endmodule
