// SPDX-License-Identifier: Apache-2.0
// What each QP has counted (hw.def, QP_COUNTER rows): three banks, of what comes in, of what the completer sees, of
// what goes out. Sources, in qev_i (cairn_fn_pkg::QEV_*) and tx_*, give strobes with the QPN of their packet or work
// request, those that count for the port too. zero_*: a QP begins a new life.
// Read (csr): rd_valid_i, rd_qpn_i, rd_index_i hold until rd_ready_o, with which the value comes.
// Index of a counter that QPs do not have: 0; QP_COUNTER_NEXT: see hw.def. Errors: none.
module qp_counters #(
    parameter int unsigned QPS_LOG2 = 12,
    localparam int unsigned IDX_W   = $clog2(cairn_hw_pkg::COUNTER_COUNT)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [cairn_fn_pkg::QEV_W-1:0]     qev_i,
    input  logic [2:0]                          tx_ev_i,     // tx_path: dropped response, stale request, sent again
    input  logic [3*24-1:0]                     tx_qpn_i,
    input  logic                                zero_valid_i,
    input  logic [23:0]                         zero_qpn_i,
    input  logic                                rd_valid_i,
    output logic                                rd_ready_o,
    input  logic [23:0]                         rd_qpn_i,
    input  logic [IDX_W-1:0]                    rd_index_i,
    output logic [63:0]                         rd_value_o,
    output logic                                idle_o
);
  localparam int unsigned RQ = cairn_fn_pkg::QEV_RCV_QPN, RE = cairn_fn_pkg::QEV_RCV_EV;
  localparam int unsigned SQ = cairn_fn_pkg::QEV_SND_QPN, SE = cairn_fn_pkg::QEV_SND_EV;
  // Counters of a bank, the last one first.
  localparam logic [16*IDX_W-1:0] RCV = {
      IDX_W'(cairn_hw_pkg::COUNTER_RESP_OP_ERR), IDX_W'(cairn_hw_pkg::COUNTER_RESP_ACCESS_ERR),
      IDX_W'(cairn_hw_pkg::COUNTER_RESP_INV_REQ), IDX_W'(cairn_hw_pkg::COUNTER_SEQ_NAK_SENT),
      IDX_W'(cairn_hw_pkg::COUNTER_RNR_NAK_SENT), IDX_W'(cairn_hw_pkg::COUNTER_RESP_LOC_LEN),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_NO_RECV), IDX_W'(cairn_hw_pkg::COUNTER_RX_UD_DROP),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_UC_DROP), IDX_W'(cairn_hw_pkg::COUNTER_OUT_OF_SEQUENCE),
      IDX_W'(cairn_hw_pkg::COUNTER_DUPLICATE_REQUEST), IDX_W'(cairn_hw_pkg::COUNTER_RX_BAD_QKEY),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_BAD_PKEY), IDX_W'(cairn_hw_pkg::COUNTER_RX_BAD_ADDR),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_QP_STATE), IDX_W'(cairn_hw_pkg::COUNTER_RX_NO_BUFFER)};
  localparam logic [16*IDX_W-1:0] SND = {
      IDX_W'(cairn_hw_pkg::COUNTER_UD_TOO_LONG), IDX_W'(cairn_hw_pkg::COUNTER_LOC_OP_ERR),
      IDX_W'(cairn_hw_pkg::COUNTER_LOC_PROT_ERR), IDX_W'(cairn_hw_pkg::COUNTER_BAD_RESP),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_DUP_ACK), IDX_W'(cairn_hw_pkg::COUNTER_GO_BACKS),
      IDX_W'(cairn_hw_pkg::COUNTER_RX_GHOST_ACK), IDX_W'(cairn_hw_pkg::COUNTER_RNR_EXC),
      IDX_W'(cairn_hw_pkg::COUNTER_RETRY_EXC), IDX_W'(cairn_hw_pkg::COUNTER_REQ_REM_OP),
      IDX_W'(cairn_hw_pkg::COUNTER_REQ_REM_ACCESS), IDX_W'(cairn_hw_pkg::COUNTER_REQ_REM_INV),
      IDX_W'(cairn_hw_pkg::COUNTER_ACK_TIMEOUT), IDX_W'(cairn_hw_pkg::COUNTER_IMPLIED_NAK),
      IDX_W'(cairn_hw_pkg::COUNTER_RNR_NAK_RCVD), IDX_W'(cairn_hw_pkg::COUNTER_PACKET_SEQ_ERR)};
  localparam logic [3*IDX_W-1:0] OUT = {
      IDX_W'(cairn_hw_pkg::COUNTER_TX_RSP_DROPPED), IDX_W'(cairn_hw_pkg::COUNTER_TX_STALE),
      IDX_W'(cairn_hw_pkg::COUNTER_RETX_PACKETS)};
  localparam logic [35*IDX_W-1:0] ALL = {OUT, SND, RCV};
  function automatic logic [cairn_hw_pkg::COUNTERS-1:0] mask_of(input logic [35*IDX_W-1:0] list);
    mask_of = '0;
    for (int i = 0; i < 35; i++) mask_of[list[i*IDX_W +: IDX_W]] = 1'b1;
  endfunction
  if (mask_of(ALL) != cairn_hw_pkg::COUNTER_OF_QP) begin : g_chk_rows
    $error("qp_counters: other counters than the QP_COUNTER rows of hw.def");
  end
  // The counter of each strobe, by source; 8 and 11 strobes of a source at the most.
  localparam logic [4*8*4-1:0] RCV_WHICH = {
      16'd0, 4'd4, 4'd3, 4'd2, 4'd1,                           // rx_parser
      12'd0, 4'd15, 4'd14, 4'd13, 4'd12, 4'd11,                // rsp_tx
      4'd0, 4'd10, 4'd9, 4'd8, 4'd7, 4'd1, 4'd6, 4'd5,         // rsp_commit
      12'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0};                    // qp_lookup
  localparam logic [5*11*4-1:0] SND_WHICH = {
      40'd0, 4'd15, 36'd0, 4'd14, 4'd13, 40'd0, 4'd13,         // req_issue, cmp_retire_cqe, cmp_join
      36'd0, 4'd12, 4'd11,                                     // cmp_check
      4'd10, 4'd9, 4'd8, 4'd7, 4'd6, 4'd5, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0};  // cmp_packet

  // ---- which bank a read is for ----
  logic       next;
  logic [2:0] hit, ask, done, idle;
  logic [3:0] cnt;
  logic [95:0] value;
  assign next = rd_index_i == IDX_W'(cairn_hw_pkg::QP_COUNTER_NEXT);
  always_comb begin
    hit = '0;
    cnt = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      if (rd_index_i == RCV[i*IDX_W +: IDX_W]) {hit[0], cnt} = {1'b1, 4'(i)};
      if (rd_index_i == SND[i*IDX_W +: IDX_W]) {hit[1], cnt} = {1'b1, 4'(i)};
    end
    for (int unsigned i = 0; i < 3; i++) begin
      if (rd_index_i == OUT[i*IDX_W +: IDX_W]) {hit[2], cnt} = {1'b1, 4'(i)};
    end
    if ((rd_qpn_i >> QPS_LOG2) != '0) hit = '0;
    else if (next) hit = '1;
  end
  assign ask        = rd_valid_i ? hit : '0;
  assign rd_ready_o = rd_valid_i && (hit & ~done) == '0;
  logic [31:0] first, sum;
  assign first = (value[31:0] < value[63:32]) ? value[31:0] : value[63:32];
  assign sum   = (hit[0] ? value[31:0] : '0) | (hit[1] ? value[63:32] : '0) | (hit[2] ? value[95:64] : '0);
  assign rd_value_o = !next ? {32'd0, sum} : (hit == '0) ? 64'hFFFF_FFFF
                      : {32'd0, (first < value[95:64]) ? first : value[95:64]};
  assign idle_o     = idle == '1;

  localparam int unsigned FQ = cairn_fn_pkg::QEV_RXF_QPN, FE = cairn_fn_pkg::QEV_RXF_EV;
  logic [4*8-1:0]  rcv_ev;
  logic [5*11-1:0] snd_ev;
  assign rcv_ev = {4'b0000, qev_i[FE +: 4], 3'b000, qev_i[RE+13 +: 5], qev_i[RE+5 +: 8], 3'b000,
                   qev_i[RE +: 5]};
  assign snd_ev = {10'd0, qev_i[SE+16], 9'd0, qev_i[SE+14 +: 2], 10'd0, qev_i[SE+13], 9'd0, qev_i[SE+11 +: 2],
                   qev_i[SE +: 11]};
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(4), .SOURCES(4), .K(8), .WHICH(RCV_WHICH)) u_rcv (
      .clk_i, .rst_ni, .ev_i(rcv_ev), .qpn_i({qev_i[FQ +: 24], qev_i[RQ +: 72]}), .zero_valid_i,
      .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[0]), .rd_next_i(next), .rd_qpn_i(rd_qpn_i[QPS_LOG2-1:0]), .rd_cnt_i(cnt), .rd_take_i(rd_ready_o),
      .done_o(done[0]), .value_o(value[31:0]), .idle_o(idle[0]));
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(4), .SOURCES(5), .K(11), .WHICH(SND_WHICH)) u_snd (
      .clk_i, .rst_ni, .ev_i(snd_ev), .qpn_i(qev_i[SQ +: 120]), .zero_valid_i, .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[1]), .rd_next_i(next), .rd_qpn_i(rd_qpn_i[QPS_LOG2-1:0]), .rd_cnt_i(cnt), .rd_take_i(rd_ready_o),
      .done_o(done[1]), .value_o(value[63:32]), .idle_o(idle[1]));
  qp_counter_bank #(.QPS_LOG2(QPS_LOG2), .CNTS_LOG2(2), .SOURCES(3), .K(1), .WHICH({2'd2, 2'd1, 2'd0})) u_out (
      .clk_i, .rst_ni, .ev_i(tx_ev_i), .qpn_i(tx_qpn_i),
      .zero_valid_i, .zero_qpn_i(zero_qpn_i[QPS_LOG2-1:0]),
      .rd_valid_i(ask[2]), .rd_next_i(next), .rd_qpn_i(rd_qpn_i[QPS_LOG2-1:0]), .rd_cnt_i(cnt[1:0]),
      .rd_take_i(rd_ready_o), .done_o(done[2]), .value_o(value[95:64]), .idle_o(idle[2]));
  logic unused;
  assign unused = ^zero_qpn_i;
endmodule
