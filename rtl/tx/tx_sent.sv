// SPDX-License-Identifier: Apache-2.0
// Behind the checks of the requests' ring: tells req_sent how far QPs without acknowledgements (UC, UD) have come.
//
// A job of theirs that goes on to tx_arbiter has its whole payload on chip, so host memory is not needed any more; so
// have all earlier ones of the QP, since the ring keeps the order. {QPN, generation, PSN + 1, last packet of its
// message} goes out as a stream. A dropped job tells nothing. A job whose report finds no room waits.
// Errors: none. IBTA 9.8.2.2, 9.8.3.1: such a send completes when it has left.
module tx_sent #(
    localparam int unsigned JOB_W = cairn_int_pkg::TX_JOB_W
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    // jobs pass through here
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic             in_drop_i,
    input  logic [JOB_W-1:0] in_job_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    // reports
    output logic             sent_valid_o,
    input  logic             sent_ready_i,
    output logic [23:0]      sent_qpn_o,
    output logic [7:0]       sent_gen_o,
    output logic [23:0]      sent_psn_o,
    output logic             sent_end_o,
    output logic             idle_o
);
  cairn_int_pkg::tx_job_t          job;
  logic [cairn_pkt_pkg::OPF_W-1:0] flags;
  logic                            report, room;
  logic [2:0]                      level;

  assign job         = in_job_i;
  assign flags       = cairn_pkt_pkg::opcode_flags(job.opcode);
  assign report      = job.opcode[7:5] != cairn_pkt_pkg::TRANSPORT_RC && !in_drop_i;
  assign out_valid_o = in_valid_i && (!report || room);
  assign in_ready_o  = out_ready_i && (!report || room);

  sync_fifo_level #(.WIDTH(57), .DEPTH(4)) u_reports (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && out_ready_i && report), .in_ready_o(room),
      .in_data_i({job.qpn, job.gen, job.psn + 24'h1, flags[cairn_pkt_pkg::OPF_END]}), .out_valid_o(sent_valid_o),
      .out_ready_i(sent_ready_i), .out_data_o({sent_qpn_o, sent_gen_o, sent_psn_o, sent_end_o}),
      .level_o(level));

  assign idle_o = level == '0;

  logic unused;
  assign unused = ^{job, flags};
endmodule
