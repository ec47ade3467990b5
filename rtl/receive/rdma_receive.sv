// SPDX-License-Identifier: Apache-2.0
// What arrives: packets find their QP, then go to the completer or the responder. Wiring (docs/rtl/responder.md).
//
// qp_lookup finds the QP of each packet and checks it. rx_dispatch sends responses to rdma_send and requests to the
// responder, which places data, takes receive WQEs and answers.
// Order: a kick, of firmware or of a doorbell of a QP in error, flushes that QP's receive queue.
// Halt: with halt_i no packet is taken and no QP answered for.
// Fence: a fence waits for idle_o. A QP whose error has not been reported yet does not count.
module rdma_receive #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned CELLS    = 1024,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                epoch_i,
    input  logic                                forget_i,    // rqe_fetch
    output cairn_int_pkg::cq_use_t              cq_o,
    input  logic                                cq_ready_i,
    input  cairn_int_pkg::cq_view_t             cq_i,
    input  logic                                halt_i,
    input  logic [31:0]                         features_i,  // REG FEATURES
    input  logic [63:0]                         res_base_i,  // table of responder resources
    // receive path
    input  logic                                rx_valid_i,
    output logic                                rx_ready_o,
    input  cairn_int_pkg::rx_meta_t             rx_i,
    output cairn_int_pkg::rx_free_t             free_o,
    input  logic                                free_ready_i,
    // responses, to rdma_send
    output logic                                pkt_valid_o,
    input  logic                                pkt_ready_i,
    output cairn_int_pkg::rx_pkt_t              pkt_o,
    input  logic                                rx_done_i,
    // kicks, producer indices of receive queues
    input  cairn_int_pkg::kick_t                db_rsp_i,
    output logic                                db_rsp_ready_o,
    input  cairn_int_pkg::fw_kicks_t            kick_i,
    output logic                                kick_ready_o,
    output logic [23:0]                         rq_rd_qpn_o,
    input  logic [15:0]                         rq_rd_pi_i,
    // shared receive queues: firmware's context port (table SRQ), doorbells (strobe)
    input  cairn_int_pkg::ctx_op_t              srq_op_i,
    output cairn_int_pkg::ctx_done_t            srq_op_o,
    input  cairn_int_pkg::srq_doorbell_t        srq_db_i,
    // QP contexts
    output cairn_int_pkg::receive_ctx_req_t     ctx_o,
    input  logic [1:0]                          ctx_ready_i,
    input  cairn_int_pkg::receive_ctx_rsp_t     ctx_i,
    output cairn_int_pkg::receive_use_t         part_o,
    input  cairn_int_pkg::receive_view_t        part_i,
    input  cairn_int_pkg::ctx_fill_t            fill_i,
    output logic [AW-1:0]                       fq_slot_o,
    input  logic                                fq_filling_i,
    // memory regions, changes of keys
    output cairn_int_pkg::receive_mr_t          mr_o,
    input  cairn_int_pkg::receive_mr_ready_t    mr_ready_i,
    input  cairn_int_pkg::receive_mr_answer_t   mr_i,
    output cairn_int_pkg::receive_mr_ready_t    mr_ready_o,
    // host memory
    output cairn_int_pkg::receive_reads_t       rd_o,
    input  cairn_int_pkg::receive_read_ready_t  rd_ready_i,
    output cairn_int_pkg::receive_writes_t      wr_o,
    input  cairn_int_pkg::receive_write_ready_t wr_ready_i,
    input  cairn_int_pkg::dma_return_t          dma_i,
    input  logic [DATA_W-1:0]                   dma_data_i,
    // completions, events, QPs in error
    output cairn_int_pkg::eq_event_t            eqe_o,
    input  logic                                eqe_ready_i,
    output cairn_int_pkg::kick_t                qp_err_o,
    input  logic                                qp_err_ready_i,
    // transmit path
    output cairn_int_pkg::tx_responses_t        responses_o,
    input  cairn_int_pkg::tx_responses_ready_t  responses_i,
    input  logic                                tx_err_valid_i,
    output logic                                tx_err_ready_o,
    input  cairn_int_pkg::tx_lost_t             tx_err_i,
    output cairn_hw_pkg::rdma_receive_events_t  events_o,
    output logic                                idle_o
);
  // ---- front end ----
  localparam int unsigned INFLIGHT = 256;
  logic [$clog2(INFLIGHT+1)-1:0] left;
  logic q_valid, q_ready, rp_valid, rp_ready, lu_idle, rxd_idle, rx_done;
  cairn_int_pkg::rx_pkt_t q, rp;
  qp_lookup #(.SLOTS(SLOTS), .INFLIGHT(INFLIGHT), .CELLS(CELLS)) u_lookup (
      .clk_i, .rst_ni, .halt_i, .epoch_i, .rx_valid_i, .rx_ready_o,
      .rx_i,
      .ctx_o(ctx_o.lookup), .ctx_ready_i(ctx_ready_i[0]), .ctx_i(ctx_i.lookup), .part_o(part_o.lookup),
      .cfg_i(part_i.lookup),
      .fill_i,
      .fq_slot_o,
      .fq_filling_i,
      .out_valid_o(q_valid), .out_ready_i(q_ready), .out_o(q),
      .rx_done_i({rx_done_i, rx_done}), .left_o(left), .free_o, .free_ready_i,
      .events_o(events_o.qp_lookup),
      .idle_o(lu_idle));
  rx_dispatch u_dispatch (
      .clk_i, .rst_ni, .in_valid_i(q_valid), .in_ready_o(q_ready), .in_i(q),
      .rsp_pkt_valid_o(rp_valid), .rsp_pkt_ready_i(rp_ready), .rsp_pkt_o(rp),
      .cmp_pkt_valid_o(pkt_valid_o), .cmp_pkt_ready_i(pkt_ready_i), .cmp_pkt_o(pkt_o), .idle_o(rxd_idle));

  // ---- responder ----
  logic rsp_idle;
  responder #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .RX_INFLIGHT(INFLIGHT),
              .CELLS(CELLS)) u_responder (
      .clk_i, .rst_ni, .halt_i, .epoch_i, .forget_i, .rx_left_i(left), .cq_o, .cq_ready_i, .cq_i,
      .features_i, .res_base_i, .res_func_i('0),
      .rsp_pkt_valid_i(rp_valid), .rsp_pkt_ready_o(rp_ready),
      .rsp_pkt_i(rp),
      .rx_done_o(rx_done),
      .rq_rd_qpn_o,
      .rq_rd_pi_i,
      .srq_op_i, .srq_op_o,
      .srq_db_i, .events_o(events_o.responder),
      .kick_i({db_rsp_i, kick_i.flush, kick_i.qpn}), .kick_ready_o({kick_ready_o, db_rsp_ready_o}),
      .ctx_o(ctx_o.rsp), .ctx_ready_i(ctx_ready_i[1]), .ctx_i(ctx_i.rsp), .part_o(part_o.rsp), .part_i(part_i.rsp),
      .fill_i,
      .mr_o, .mr_ready_i, .mr_i, .mr_ready_o,
      .rd_o, .rd_ready_i, .wr_o, .wr_ready_i, .dma_i, .dma_data_i,
      .eqe_ready_i, .eqe_o,
      .qp_err_o, .qp_err_ready_i,
      .responses_o, .responses_i,
      .tx_err_valid_i, .tx_err_ready_o, .tx_err_i,
      .idle_o(rsp_idle));

  assign idle_o = lu_idle && rxd_idle && rsp_idle;
endmodule
