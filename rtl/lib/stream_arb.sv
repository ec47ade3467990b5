// SPDX-License-Identifier: Apache-2.0
// N streams of words into one: round robin, or fixed priority (stream 0 first). Combinational, no bubble; put a
// skid_buffer behind it where the path is long. A word that is shown stays until it is taken, whatever comes meanwhile.
// Errors: none. Properties: tests/formal/stream_arb_props.sv.
module stream_arb #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2,
    parameter int unsigned FIXED = 0   // 1: fixed priority
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [N-1:0]       in_valid_i,
    output logic [N-1:0]       in_ready_o,
    input  logic [N*WIDTH-1:0] in_data_i,  // stream i in [i*WIDTH +: WIDTH]
    output logic               out_valid_o,
    input  logic               out_ready_i,
    output logic [WIDTH-1:0]   out_data_o
);
  if (WIDTH == 0) begin : g_chk_width
    $error("stream_arb: WIDTH must not be zero");
  end

  logic [N-1:0] gnt;

  rr_arbiter #(.N(N), .FIXED(FIXED)) u_arb (
      .clk_i, .rst_ni, .req_i(in_valid_i), .ack_i(out_ready_i), .lock_i(1'b0),
      .gnt_valid_o(out_valid_o), .gnt_o(gnt), .gnt_idx_o());

  assign in_ready_o = gnt & {N{out_ready_i}};

  always_comb begin
    out_data_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      out_data_o = out_data_o | (in_data_i[i*WIDTH +: WIDTH] & {WIDTH{gnt[i]}});
    end
  end

`ifdef FORMAL
  stream_arb_props #(.WIDTH(WIDTH), .N(N)) u_props (.*);
`endif
endmodule
