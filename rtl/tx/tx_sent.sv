// SPDX-License-Identifier: Apache-2.0
// Behind the checks of the requests' ring: tells req_sent how far QPs without acknowledgements (UC, UD) have come.
//
// A job of theirs that goes on to tx_arbiter has its whole payload on chip, so host memory is not needed any more; so
// have all earlier ones of the QP, since the ring keeps the order. {QPN, generation, PSN + 1, last packet of its
// message} goes out as a stream. A dropped job tells nothing. A job whose report finds no room waits.
// Errors: none. IBTA 9.8.2.2, 9.8.3.1: such a send completes when it has left.
module tx_sent (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // jobs pass through here
    input  cairn_int_pkg::tx_checked_t in_i,
    output logic                       in_ready_o,
    output logic                       out_valid_o,
    input  logic                       out_ready_i,
    // reports
    output logic                       sent_valid_o,
    input  logic                       sent_ready_i,
    output cairn_int_pkg::tx_left_t    sent_o,
    output logic                       idle_o
);
  logic [cairn_pkt_pkg::OPF_W-1:0] flags;
  logic report, room;
  logic [2:0]                      level;

  assign flags       = cairn_pkt_pkg::opcode_flags(in_i.job.opcode);
  assign report      = in_i.job.opcode[7:5] != cairn_pkt_pkg::TRANSPORT_RC && !in_i.drop;
  assign out_valid_o = in_i.valid && (!report || room);
  assign in_ready_o  = out_ready_i && (!report || room);

  sync_fifo_level #(.WIDTH(cairn_int_pkg::TX_LEFT_W), .DEPTH(4)) u_reports (
      .clk_i, .rst_ni, .in_valid_i(in_i.valid && out_ready_i && report), .in_ready_o(room),
      .in_data_i({in_i.job.qpn, in_i.job.gen, in_i.job.psn + 24'h1, flags[cairn_pkt_pkg::OPF_END]}),
      .out_valid_o(sent_valid_o),
      .out_ready_i(sent_ready_i),
      .out_data_o(sent_o),
      .level_o(level));

  assign idle_o = level == '0;
endmodule
