// SPDX-License-Identifier: Apache-2.0
// Sends each accepted packet to the engine that takes it: requests to the responder, responses to the completer.
//
// A register for each output, so one engine's pause reaches the other only after a packet for it is at the head.
// Raw frames and CNPs never come here. Errors: none.
module rx_dispatch (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     in_valid_i,
    output logic                     in_ready_o,
    input  cairn_int_pkg::rx_pkt_t   in_i,
    output cairn_int_pkg::rx_offer_t rsp_o,
    input  logic                     rsp_ready_i,
    output cairn_int_pkg::rx_offer_t cmp_o,
    input  logic                     cmp_ready_i,
    output logic                     idle_o
);
  logic is_rsp, rsp_ready, cmp_ready;
  assign is_rsp     = in_i.meta.opflags[cairn_pkt_pkg::OPF_RSP];
  assign in_ready_o = is_rsp ? cmp_ready : rsp_ready;
  stream_reg #(.WIDTH(cairn_int_pkg::RX_PKT_W)) u_rsp (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid_i && !is_rsp), .in_ready_o(rsp_ready), .in_data_i(in_i),
      .out_valid_o(rsp_o.valid), .out_ready_i(rsp_ready_i), .out_data_o(rsp_o.pkt));
  stream_reg #(.WIDTH(cairn_int_pkg::RX_PKT_W)) u_cmp (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid_i && is_rsp), .in_ready_o(cmp_ready), .in_data_i(in_i),
      .out_valid_o(cmp_o.valid), .out_ready_i(cmp_ready_i), .out_data_o(cmp_o.pkt));
  assign idle_o = !rsp_o.valid && !cmp_o.valid && !in_valid_i;
endmodule
