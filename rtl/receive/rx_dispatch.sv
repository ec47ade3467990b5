// SPDX-License-Identifier: Apache-2.0
// Sends each accepted packet to the engine that takes it: requests to the responder, responses to the completer.
//
// As {cfg 512, rx_meta}. A register for each output, so one engine's pause reaches the other only after a packet for it
// is at the head. Raw frames and CNPs never come here. Errors: none.
module rx_dispatch #(
    localparam int unsigned MW = cairn_int_pkg::RX_META_W,
    localparam int unsigned PKT_W = MW + 512
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [MW-1:0]    in_meta_i,
    input  logic [511:0]     in_cfg_i,
    output logic             rsp_pkt_valid_o,
    input  logic             rsp_pkt_ready_i,
    output logic [PKT_W-1:0] rsp_pkt_o,
    output logic             cmp_pkt_valid_o,
    input  logic             cmp_pkt_ready_i,
    output logic [PKT_W-1:0] cmp_pkt_o,
    output logic             idle_o
);
  cairn_int_pkg::rx_meta_t m;
  logic is_rsp, rsp_ready, cmp_ready;
  assign m          = in_meta_i;
  assign is_rsp     = m.opflags[cairn_pkt_pkg::OPF_RSP];
  assign in_ready_o = is_rsp ? cmp_ready : rsp_ready;
  stream_reg #(.WIDTH(PKT_W)) u_rsp (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && !is_rsp), .in_ready_o(rsp_ready), .in_data_i({in_cfg_i, in_meta_i}),
      .out_valid_o(rsp_pkt_valid_o), .out_ready_i(rsp_pkt_ready_i), .out_data_o(rsp_pkt_o));
  stream_reg #(.WIDTH(PKT_W)) u_cmp (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && is_rsp), .in_ready_o(cmp_ready), .in_data_i({in_cfg_i, in_meta_i}),
      .out_valid_o(cmp_pkt_valid_o), .out_ready_i(cmp_pkt_ready_i), .out_data_o(cmp_pkt_o));
  assign idle_o = !rsp_pkt_valid_o && !cmp_pkt_valid_o && !in_valid_i;
endmodule
