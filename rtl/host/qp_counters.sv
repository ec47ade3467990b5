// SPDX-License-Identifier: Apache-2.0
// What each QP has counted (QP_COUNTER rows of hw.def): three banks, of what comes in, what the completer sees, what
// goes out.
//
// Sources (SOURCE rows) give strobes with the QPN of their packet or work request; these count for the port too.
// zero_*: a QP begins a new life.
// Read: (csr) QPN and index hold until ready, with which the value comes. The index of a counter that QPs do not have
//   reads 0; QP_COUNTER_NEXT: see hw.def. What is asked for, and what is counted, passes a register: it comes from far
//   away. Errors: none.
module qp_counters #(
    parameter int unsigned QPS_LOG2 = 12,
    localparam int unsigned IDX_W   = $clog2(cairn_hw_pkg::COUNTER_COUNT)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  cairn_hw_pkg::device_events_t events_i,
    input  logic                         zero_valid_i,
    input  logic [23:0]                  zero_qpn_i,
    input  logic                         rd_valid_i,
    output logic                         rd_ready_o,
    input  logic [23:0]                  rd_qpn_i,
    input  logic [IDX_W-1:0]             rd_index_i,
    output logic [63:0]                  rd_value_o,
    output logic                         idle_o
);
  localparam int unsigned CW = cairn_hw_pkg::COUNTER_W;
  localparam int unsigned RCV_W = cairn_hw_pkg::QP_RCV_CNT_W, SND_W = cairn_hw_pkg::QP_SND_CNT_W;
  localparam int unsigned OUT_W = cairn_hw_pkg::QP_OUT_CNT_W;
  localparam int unsigned IN_W  = (RCV_W > SND_W) ? RCV_W : SND_W;
  localparam int unsigned CNT_W = (IN_W > OUT_W) ? IN_W : OUT_W;

  // ---- which bank a read is for ----
  logic                next, next_q, asked_q;
  logic [2:0]          hit, hit_q, ask, done, idle;
  logic [CNT_W-1:0]    cnt, cnt_q;
  logic [QPS_LOG2-1:0] qpn_q;
  logic [95:0]         value;
  assign next = rd_index_i == IDX_W'(cairn_hw_pkg::QP_COUNTER_NEXT);
  always_comb begin
    hit = '0;
    cnt = '0;
    for (int unsigned i = 0; i < cairn_hw_pkg::QP_RCV_COUNTERS; i++)
      if (rd_index_i == IDX_W'(cairn_hw_pkg::QP_RCV_LIST[i*CW +: CW])) {hit[0], cnt} = {1'b1, CNT_W'(i)};
    for (int unsigned i = 0; i < cairn_hw_pkg::QP_SND_COUNTERS; i++)
      if (rd_index_i == IDX_W'(cairn_hw_pkg::QP_SND_LIST[i*CW +: CW])) {hit[1], cnt} = {1'b1, CNT_W'(i)};
    for (int unsigned i = 0; i < cairn_hw_pkg::QP_OUT_COUNTERS; i++)
      if (rd_index_i == IDX_W'(cairn_hw_pkg::QP_OUT_LIST[i*CW +: CW])) {hit[2], cnt} = {1'b1, CNT_W'(i)};
    if ((rd_qpn_i >> QPS_LOG2) != '0) hit = '0;
    else if (next) hit = '1;
  end
  always_ff @(posedge clk_i) begin
    asked_q                       <= rst_ni && rd_valid_i && !rd_ready_o;
    {next_q, hit_q, cnt_q, qpn_q} <= {next, hit, cnt, rd_qpn_i[QPS_LOG2-1:0]};
  end
  assign ask        = asked_q ? hit_q : '0;
  assign rd_ready_o = asked_q && (hit_q & ~done) == '0;
  logic [31:0] first, sum;
  assign first = (value[31:0] < value[63:32]) ? value[31:0] : value[63:32];
  assign sum   = (hit_q[0] ? value[31:0] : '0) | (hit_q[1] ? value[63:32] : '0) | (hit_q[2] ? value[95:64] : '0);
  assign rd_value_o = !next_q ? {32'd0, sum} : (hit_q == '0) ? 64'hFFFF_FFFF
                      : {32'd0, (first < value[95:64]) ? first : value[95:64]};
  assign idle_o     = idle == '1 && !rd_valid_i;

  cairn_hw_pkg::device_events_t events_q;
  always_ff @(posedge clk_i) events_q <= events_i;
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(RCV_W), .SOURCES(cairn_hw_pkg::QP_RCV_SOURCES),
      .K(cairn_hw_pkg::QP_RCV_STROBES), .WHICH(cairn_hw_pkg::QP_RCV_WHICH)) u_rcv (
      .clk_i, .rst_ni, .ev_i(cairn_hw_pkg::qp_rcv_strobes(events_q)), .qpn_i(cairn_hw_pkg::qp_rcv_qpns(events_q)),
      .zero_valid_i, .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[0]), .rd_next_i(next_q), .rd_qpn_i(qpn_q), .rd_cnt_i(cnt_q[RCV_W-1:0]),
      .rd_take_i(rd_ready_o), .done_o(done[0]), .value_o(value[31:0]), .idle_o(idle[0]));
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(SND_W), .SOURCES(cairn_hw_pkg::QP_SND_SOURCES),
      .K(cairn_hw_pkg::QP_SND_STROBES), .WHICH(cairn_hw_pkg::QP_SND_WHICH)) u_snd (
      .clk_i, .rst_ni, .ev_i(cairn_hw_pkg::qp_snd_strobes(events_q)), .qpn_i(cairn_hw_pkg::qp_snd_qpns(events_q)),
      .zero_valid_i, .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[1]), .rd_next_i(next_q), .rd_qpn_i(qpn_q), .rd_cnt_i(cnt_q[SND_W-1:0]),
      .rd_take_i(rd_ready_o), .done_o(done[1]), .value_o(value[63:32]), .idle_o(idle[1]));
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(OUT_W), .SOURCES(cairn_hw_pkg::QP_OUT_SOURCES),
      .K(cairn_hw_pkg::QP_OUT_STROBES), .WHICH(cairn_hw_pkg::QP_OUT_WHICH)) u_out (
      .clk_i, .rst_ni, .ev_i(cairn_hw_pkg::qp_out_strobes(events_q)), .qpn_i(cairn_hw_pkg::qp_out_qpns(events_q)),
      .zero_valid_i, .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[2]), .rd_next_i(next_q), .rd_qpn_i(qpn_q), .rd_cnt_i(cnt_q[OUT_W-1:0]),
      .rd_take_i(rd_ready_o), .done_o(done[2]), .value_o(value[95:64]), .idle_o(idle[2]));
endmodule
