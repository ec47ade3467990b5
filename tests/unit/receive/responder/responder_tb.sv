// SPDX-License-Identifier: Apache-2.0
// Test bench of the responder: its part RAMs, set up and looked at by host_write_i and peek_o.
module responder_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SLOTS  = 16,
    parameter int unsigned LANES  = SLOTS,
    parameter int unsigned RUNS   = 4,     // few of everything: what is short must only cost time
    parameter int unsigned ONES   = 8,
    parameter int unsigned WINDOW = 32,
    parameter int unsigned AHEAD  = 16,
    parameter int unsigned LINES  = 4,
    parameter int unsigned SHARED = 0      // the parts are in RAMs that all read in turn (qp_store)
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    input  cairn_int_pkg::receive_control_t      control_i,
    input  logic [6:0]                           left_i,       // of 64 packets, how many may still come
    // set up records: part 0 = cfg, 3 = rsp; look at rsp
    input  cairn_int_pkg::ctx_write_t            host_write_i,
    output logic                                 host_write_ready_o,
    input  logic [3:0]                           peek_slot_i,
    output logic [511:0]                         peek_o,
    input  cairn_int_pkg::rx_offer_t             pkt_i,
    output cairn_int_pkg::rx_taken_t             pkt_o,
    output cairn_int_pkg::responder_use_t        part_o,
    output logic [23:0]                          rq_qpn_o,
    input  logic [15:0]                          rq_pi_i,      // one cycle after rq_qpn_o
    input  cairn_int_pkg::ctx_op_t               op_i,
    output cairn_int_pkg::ctx_done_t             op_o,
    input  cairn_int_pkg::srq_doorbell_t         sdb_i,
    input  cairn_int_pkg::flush_kicks_t          kick_i,
    output cairn_int_pkg::flush_kicks_ready_t    kick_ready_o,
    output cairn_int_pkg::ctx_req_t              ctx_o,
    input  logic                                 ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t              ctx_i,
    input  cairn_int_pkg::ctx_fill_t             fill_i,
    output cairn_int_pkg::receive_mr_t           mr_o,
    input  cairn_int_pkg::receive_mr_ready_t     mr_ready_i,
    input  cairn_int_pkg::receive_mr_answer_t    mr_i,
    output cairn_int_pkg::receive_mr_ready_t     mr_ready_o,
    output cairn_int_pkg::receive_memory_t       memory_o,
    input  cairn_int_pkg::receive_memory_ready_t memory_ready_i,
    input  cairn_int_pkg::dma_return_t           dma_i,
    input  logic [DATA_W-1:0]                    dma_data_i,
    output cairn_int_pkg::receive_news_t         news_o,
    input  cairn_int_pkg::receive_news_ready_t   news_ready_i,
    input  cairn_int_pkg::cq_view_t              cq_i,
    output cairn_int_pkg::tx_responses_t         responses_o,
    input  cairn_int_pkg::tx_responses_ready_t   responses_ready_i,
    input  logic                                 responses_left_i,
    input  cairn_int_pkg::tx_failed_t            tx_err_i,
    output logic                                 tx_err_ready_o,
    output cairn_hw_pkg::responder_events_t      events_o,
    output logic                                 idle_o
);
  cairn_int_pkg::responder_view_t view, own;
  cairn_int_pkg::receive_use_t    use_;
  cairn_int_pkg::receive_view_t   shared;
  cairn_int_pkg::send_use_t       none;
  cairn_int_pkg::send_view_t      sent;
  cairn_int_pkg::ctx_read_t       no_read;
  cairn_int_pkg::ctx_write_t      came, late;    // for the store, which may have to wait
  logic                           late_valid, store_ready;
  sync_fifo #(.WIDTH(cairn_int_pkg::CTX_WRITE_W), .DEPTH(64)) u_late (
      .clk_i, .rst_ni, .in_valid_i(host_write_i.valid), .in_ready_o(), .in_data_i(host_write_i),
      .out_valid_o(late_valid), .out_ready_i(store_ready), .out_data_o(came));
  always_comb begin
    late       = came;
    late.valid = late_valid;
  end
  assign none    = '0;
  logic unused;
  assign unused  = ^{sent, shared};
  assign no_read = '0;
  assign view    = SHARED != 0 ? shared.rsp : own;
  assign own.shared = 1'b0;
  assign {own.check_ok, own.commit_ok, own.walk_ok, own.send_ok} = '1;
  always_comb begin
    use_     = '0;
    use_.rsp = part_o;
  end
  qp_store #(.SLOTS(SLOTS)) u_store (
      .clk_i, .rst_ni, .receive_part_i(use_), .receive_part_o(shared), .send_part_i(none), .send_part_o(sent),
      .visit_asks_i(1'b0), .visit_slot_i('0), .visit_ok_o(), .read_i(no_read), .read_ready_o(), .read_data_o(),
      .write_i(late), .write_ready_o(store_ready));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(1)) u_cfg (
      .clk_i, .part_write_valid_i(host_write_i.valid && host_write_i.part == 2'd0),
      .part_write_slot_i(host_write_i.slot[3:0]), .part_write_data_i(host_write_i.data),
      .host_write_valid_i(1'b0), .host_write_ready_o(), .host_write_slot_i('0), .host_write_data_i('0),
      .rd_slot_i(part_o.answer[3:0]), .rd_data_o(own.answer.cfg));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(4)) u_rsp (
      .clk_i, .part_write_valid_i(part_o.write.valid), .part_write_slot_i(part_o.write.slot[3:0]),
      .part_write_data_i(part_o.write.data),
      .host_write_valid_i(host_write_i.valid && host_write_i.part == 2'd3), .host_write_ready_o,
      .host_write_slot_i(host_write_i.slot[3:0]), .host_write_data_i(host_write_i.data),
      .rd_slot_i({peek_slot_i, part_o.answer[3:0], part_o.commit[3:0], part_o.check[3:0]}),
      .rd_data_o({peek_o, own.answer.rsp, own.commit, own.check}));

  responder #(.DATA_W(DATA_W), .SLOTS(SLOTS), .LANES(LANES), .QPS_LOG2(8), .SRQS_LOG2(2), .RX_INFLIGHT(64),
      .CELLS(1024), .RQE_RUNS(RUNS), .RQE_ONES(ONES), .SRQ_WINDOW(WINDOW), .SRQ_AHEAD(AHEAD), .RES_LINES(LINES)) u_dut (
      .clk_i, .rst_ni, .control_i, .rx_left_i(left_i), .news_o, .news_ready_i, .cq_i, .pkt_i, .pkt_o, .part_o,
      .part_i(view), .rq_rd_qpn_o(rq_qpn_o), .rq_rd_pi_i(rq_pi_i), .srq_op_i(op_i), .srq_op_o(op_o),
      .srq_db_i(sdb_i), .kick_i, .kick_ready_o, .ctx_o, .ctx_ready_i, .ctx_i, .fill_i, .mr_o, .mr_ready_i, .mr_i,
      .mr_ready_o, .memory_o, .memory_ready_i, .dma_i, .dma_data_i, .responses_o, .responses_ready_i, .responses_left_i,
      .tx_err_i,
      .tx_err_ready_o, .events_o, .idle_o);
endmodule
