// SPDX-License-Identifier: Apache-2.0
// Test bench of the requester with its WQE cache. Part RAMs, doorbells and scheduler are in C.
module requester_tb #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [63:0]                           time_now_i,
    input  logic [31:0]                           features_i,
    input  cairn_int_pkg::gid_write_t             gid_i,
    input  cairn_int_pkg::kick_t                  sched_i,
    output logic                                  sched_ready_o,
    output cairn_int_pkg::sched_done_t            done_o,
    input  logic                                  done_ready_i,
    output cairn_int_pkg::requester_use_t         part_o,
    output cairn_int_pkg::ctx_req_t               ctx_o,
    input  logic                                  ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t               ctx_i,
    input  cairn_int_pkg::requester_view_t        part_i,
    output logic [23:0]                           sq_rd_qpn_o,
    input  logic [15:0]                           sq_rd_pi_i,
    output cairn_int_pkg::requester_mr_t          mr_o,
    input  cairn_int_pkg::requester_mr_ready_t    mr_ready_i,
    input  cairn_int_pkg::requester_mr_answer_t   mr_i,
    output cairn_int_pkg::requester_mr_ready_t    mr_ready_o,
    output cairn_int_pkg::timer_set_t             timer_o,
    input  logic                                  timer_ready_i,
    output cairn_int_pkg::tx_requests_t           requests_o,
    input  cairn_int_pkg::tx_requests_ready_t     requests_ready_i,
    output logic [DATA_W-1:0]                     requests_inl_data_o,
    input  cairn_int_pkg::tx_failed_t             tx_err_i,
    output logic                                  tx_err_ready_o,
    output cairn_int_pkg::requester_kicks_t       kick_o,
    input  cairn_int_pkg::requester_kicks_ready_t kick_ready_i,
    output cairn_int_pkg::kick_t                  arrived_o,  // of wqe_fetch
    input  logic                                  arrived_ready_i,
    output cairn_int_pkg::dma_read_t              rd_o,
    input  logic                                  rd_ready_i,
    input  cairn_int_pkg::dma_beat_t              beat_i,
    input  logic [DATA_W-1:0]                     beat_data_i,
    output cairn_hw_pkg::requester_events_t       events_o,
    output logic                                  idle_o
);
  cairn_int_pkg::wqe_lookup_t wqe, ask;
  cairn_int_pkg::wqe_found_t  block;
  cairn_int_pkg::wqe_fetch_t  fetch;
  cairn_int_pkg::fetch_answer_t fetched;
  logic                       wqe_idle, req_idle;
  cairn_int_pkg::wqe_asked_t  asked;

  requester #(.DATA_W(DATA_W), .QPS_LOG2(6), .SLOTS(16), .DESCRIPTORS(64), .READ_CHUNK(64)) u_req (
      .clk_i, .rst_ni, .time_now_i, .control_i({features_i, 3'b000}), .gid_i, .sched_i, .sched_ready_o, .done_o,
      .done_ready_i, .part_o, .ctx_o, .ctx_ready_i, .ctx_i, .part_i, .sq_rd_qpn_o, .sq_rd_pi_i, .wqe_o(wqe),
      .wqe_i(block), .ask_o(ask), .ask_i(asked), .fetch_o(fetch), .fetch_i(fetched), .mr_o, .mr_ready_i,
      .mr_i, .mr_ready_o, .desc_i('0), .desc_o(), .rd_full_i(1'b0), .timer_o, .timer_ready_i, .last_ticket_i('0),
      .requests_o,
      .requests_ready_i, .requests_inl_data_o, .tx_err_i, .tx_err_ready_o, .kick_o, .kick_ready_i, .events_o,
      .idle_o(req_idle));
  wqe_fetch #(.DATA_W(DATA_W), .SETS(2)) u_wqe (
      .clk_i, .rst_ni, .forget_i(1'b0), .epoch_i(1'b0), .halt_i(1'b0), .req_wqe_i(wqe),
      .req_wqe_ready_o(asked.ready), .req_wqe_o(block), .cmp_wqe_i('0),
      .cmp_wqe_o(), .ask_i(ask), .here_o(asked.here), .req_fetch_i(fetch),
      .req_fetch_ready_o(fetched.ready), .cmp_fetch_i('0), .cmp_fetch_ready_o(),
      .fetch_retry_o(fetched.retry), .req_kick_o(arrived_o), .req_kick_ready_i(arrived_ready_i), .cmp_kick_o(),
      .cmp_kick_ready_i(1'b1), .pushed_i('0), .pushed_ready_o(), .pushed_taken_o(), .rd_o, .rd_ready_i, .beat_i,
      .beat_data_i, .events_o(), .idle_o(wqe_idle));
  assign idle_o = req_idle && wqe_idle;
endmodule
