// SPDX-License-Identifier: Apache-2.0
// What arrives: packets find their QP, then go to the completer or the responder. Wiring (docs/rtl/responder.md).
//
// qp_lookup finds the QP of each packet and checks it. rx_dispatch sends responses to rdma_send and requests to the
// responder, which places data, takes receive WQEs and answers.
// Order: a kick, of firmware or of a doorbell of a QP in error, flushes that QP's receive queue.
// Halt: with halt no packet is taken and no QP answered for.
// Fence: a fence waits for idle_o. A QP whose error has not been reported yet does not count.
module rdma_receive #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned CELLS    = 1024,
    parameter logic [31:0] FEATURES = '1,   // as REG FEATURES
    parameter int unsigned INFLIGHT = 256,
    parameter int unsigned RQE_RUNS = (DATA_W >= 512) ? 32 : 8,
    parameter int unsigned ATOMICS  = 32,
    parameter int unsigned QP_ON_CHIP = 0,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    input  cairn_int_pkg::receive_control_t      control_i,
    output cairn_int_pkg::receive_news_t         news_o,
    input  cairn_int_pkg::receive_news_ready_t   news_ready_i,
    input  cairn_int_pkg::cq_view_t              cq_i,
    // receive path
    input  cairn_int_pkg::rx_in_t                rx_i,
    output logic                                 rx_ready_o,
    output cairn_int_pkg::rx_free_t              free_o,
    input  logic                                 free_ready_i,
    // responses, to rdma_send
    output cairn_int_pkg::rx_offer_t             pkt_o,
    input  cairn_int_pkg::rx_taken_t             pkt_i,
    // kicks, producer indices of receive queues
    input  cairn_int_pkg::flush_kicks_t          kick_i,
    output cairn_int_pkg::flush_kicks_ready_t    kick_ready_o,
    output logic [23:0]                          rq_rd_qpn_o,
    input  logic [15:0]                          rq_rd_pi_i,
    // shared receive queues: firmware's context port (table SRQ), doorbells (strobe)
    input  cairn_int_pkg::ctx_op_t               srq_op_i,
    output cairn_int_pkg::ctx_done_t             srq_op_o,
    input  cairn_int_pkg::srq_doorbell_t         srq_db_i,
    // QP contexts
    output cairn_int_pkg::receive_find_t         find_o,
    input  logic [1:0]                           ctx_ready_i,
    input  logic                                 filling_i,
    output cairn_int_pkg::receive_use_t          part_o,
    input  cairn_int_pkg::receive_qps_t          qp_i,
    // memory regions, changes of keys
    output cairn_int_pkg::receive_mr_t           mr_o,
    input  cairn_int_pkg::receive_mr_ready_t     mr_ready_i,
    input  cairn_int_pkg::receive_mr_answer_t    mr_i,
    output cairn_int_pkg::receive_mr_ready_t     mr_ready_o,
    // host memory
    output cairn_int_pkg::receive_memory_t       memory_o,
    input  cairn_int_pkg::receive_memory_ready_t memory_ready_i,
    input  cairn_int_pkg::dma_return_t           dma_i,
    input  logic [DATA_W-1:0]                    dma_data_i,
    // transmit path
    output cairn_int_pkg::tx_responses_t         responses_o,
    input  cairn_int_pkg::tx_responses_ready_t   responses_ready_i,
    input  logic                                 responses_left_i,
    input  cairn_int_pkg::tx_failed_t            tx_err_i,
    output logic                                 tx_err_ready_o,
    output cairn_hw_pkg::rdma_receive_events_t   events_o,
    output logic                                 idle_o
);
  // ---- front end ----
  if (INFLIGHT < 32 || (INFLIGHT & (INFLIGHT - 1)) != 0) begin : g_chk
    $error("rdma_receive: INFLIGHT must be a power of two, 32 or more");
  end
  logic [$clog2(INFLIGHT+1)-1:0] left;
  logic q_valid, q_ready, lu_idle, rxd_idle;
  logic [AW-1:0] filling_slot;
  assign find_o.asked = cairn_int_pkg::SLOT_W'(filling_slot);
  cairn_int_pkg::rx_pkt_t   q;
  cairn_int_pkg::rx_offer_t rp;
  cairn_int_pkg::rx_taken_t rp_taken;
  qp_lookup #(.SLOTS(SLOTS), .INFLIGHT(INFLIGHT), .CELLS(CELLS), .PARK(QP_ON_CHIP != 0 ? 0 : 1)) u_lookup (
      .clk_i, .rst_ni, .halt_i(control_i.engine.halt), .epoch_i(control_i.engine.epoch),
      .rx_valid_i(rx_i.valid), .rx_ready_o, .rx_i(rx_i.meta),
      .ctx_o(find_o.ctx.lookup), .ctx_ready_i(ctx_ready_i[0]), .ctx_i(qp_i.ctx.lookup), .part_o(part_o.lookup),
      .cfg_i(qp_i.part.lookup), .cfg_ok_i(qp_i.part.lookup_ok),
      .fill_i(qp_i.fill),
      .filling_slot_o(filling_slot), .filling_i,
      .out_valid_o(q_valid), .out_ready_i(q_ready), .out_o(q),
      .rx_done_i({pkt_i.done, rp_taken.done}), .left_o(left), .free_o, .free_ready_i,
      .events_o(events_o.qp_lookup),
      .idle_o(lu_idle));
  rx_dispatch u_dispatch (
      .clk_i, .rst_ni, .in_valid_i(q_valid), .in_ready_o(q_ready), .in_i(q),
      .rsp_o(rp), .rsp_ready_i(rp_taken.ready), .cmp_o(pkt_o), .cmp_ready_i(pkt_i.ready), .idle_o(rxd_idle));

  // ---- responder ----
  logic rsp_idle;
  responder #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2), .QPN_W(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2),
              .RX_INFLIGHT(INFLIGHT), .CELLS(CELLS), .FEATURES(FEATURES), .RQE_RUNS(RQE_RUNS),
              .ATOMICS(ATOMICS)) u_responder (
      .clk_i, .rst_ni, .control_i, .rx_left_i(left), .news_o, .news_ready_i, .cq_i, .pkt_i(rp), .pkt_o(rp_taken),
      .rq_rd_qpn_o,
      .rq_rd_pi_i,
      .srq_op_i, .srq_op_o,
      .srq_db_i, .events_o(events_o.responder),
      .kick_i, .kick_ready_o,
      .ctx_o(find_o.ctx.rsp), .ctx_ready_i(ctx_ready_i[1]), .ctx_i(qp_i.ctx.rsp), .part_o(part_o.rsp),
      .part_i(qp_i.part.rsp), .fill_i(qp_i.fill),
      .mr_o, .mr_ready_i, .mr_i, .mr_ready_o,
      .memory_o, .memory_ready_i, .dma_i, .dma_data_i,
      .responses_o, .responses_ready_i, .responses_left_i,
      .tx_err_i, .tx_err_ready_o,
      .idle_o(rsp_idle));

  assign idle_o = lu_idle && rxd_idle && rsp_idle;
endmodule
