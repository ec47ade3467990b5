// SPDX-License-Identifier: Apache-2.0
// The completion queues as one block: CQ cache, firmware's operations on it, cqe_write, and the reads of consumer
// records.
//
// cq_cached, or with ON_CHIP, where each CQ has its place, cq_resident; cq_rd, and a timer_wheel (of few CQs:
// timer_scan) for moderation (docs/rtl/queues.md). Reads on client RD_CQ; CQEs on WR_CQE, record write-backs on
// WR_CQC.
// Timers: one a CQ. deadline_*: the time at which one fires next.
module cq_service #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 8,
    parameter int unsigned PARKED = 64,
    parameter int unsigned CQS_LOG2 = 12,        // CQNs with a timer
    parameter int unsigned ON_CHIP = 0,          // 2^CQS_LOG2 records; host memory has none
    parameter int unsigned SCAN_LOG2 = 8,        // up to as many timers are looked through in turn
    localparam int unsigned TKW = cairn_int_pkg::TICKET_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    input  logic                            epoch_i,
    input  logic [63:0]                     cq_base_i,
    input  logic [24:0]                     cq_entries_i,  // 0 closes the table
    // crowded CQs (cqe_write): of two readers, one cycle later; one is so no more
    input  cairn_int_pkg::cq_uses_t         cq_i,
    output cairn_int_pkg::cq_uses_ready_t   cq_ready_o,
    output cairn_int_pkg::cq_views_t        cq_o,          // crowded: see cqe_write
    input  cairn_int_pkg::cq_arm_t          arm_i,
    output logic                            arm_ready_o,
    // firmware
    input  cairn_int_pkg::ctx_op_t          fw_i,
    output cairn_int_pkg::ctx_done_t        fw_o,
    // host memory: RD_CQ, WR_CQE, WR_CQC
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::dma_write_t       cqc_o,
    input  logic                            cqc_ready_i,
    input  logic [TKW-1:0]                  ticket_i,      // of this write, valid with cqc_ready_i
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_int_pkg::fw_event_t        cq_error_o,
    input  logic                            cq_error_ready_i,
    output cairn_hw_pkg::cqe_write_events_t events_o,
    output cairn_int_pkg::deadline_t        deadline_o,
    output logic                            idle_o         // a cycle late
);
  cairn_int_pkg::dma_read_t     ci_rd, cqc_rd;
  logic [1:0]                   rds_ready;
  cairn_int_pkg::ci_read_t      ci;
  cairn_int_pkg::ci_answer_t    consumer_index;
  logic                         ci_rd_ready, ci_ready, consumer_index_ready, ci_idle, records_idle;
  // timers: asked for; that have fired
  cairn_int_pkg::cq_timer_set_t ins;
  logic                         ins_ready, tmr_valid, tmr_ready, timers_idle;
  logic [CQS_LOG2-1:0]          tmr_cqn;

  if (ON_CHIP != 0) begin : g_resident
    cq_resident #(.CQS_LOG2(CQS_LOG2)) u_records (
        .clk_i, .rst_ni, .time_now_i, .epoch_i, .entries_i(cq_entries_i), .rsp_i(cq_i.rsp.put), .cmp_i(cq_i.cmp.put),
        .cqe_ready_o({cq_ready_o.cmp, cq_ready_o.rsp}), .arm_i, .arm_ready_o,
        .tmr_i({tmr_valid, 24'(tmr_cqn)}), .tmr_ready_o(tmr_ready), .ins_o(ins), .ins_ready_i(ins_ready), .fw_i, .fw_o,
        .ci_o(ci), .ci_ready_i(ci_ready), .consumer_index_i(consumer_index),
        .consumer_index_ready_o(consumer_index_ready),
        .wr_o, .wr_ready_i, .eqe_o, .eqe_ready_i, .cq_error_o, .cq_error_ready_i, .events_o, .idle_o(records_idle));
    assign cq_o        = '0;
    assign cqc_o       = '0;
    assign cqc_rd      = '0;
    assign rds_ready   = '0;
    assign rd_o        = ci_rd;
    assign ci_rd_ready = rd_ready_i;
    logic unused;
    assign unused = ^{cq_base_i, cqc_ready_i, ticket_i, cqc_rd, rds_ready, cq_i.rsp.cqn, cq_i.cmp.cqn};
  end else begin : g_cached
    cq_cached #(.DATA_W(DATA_W), .SETS(SETS), .PARKED(PARKED), .CQS_LOG2(CQS_LOG2)) u_records (
        .clk_i, .rst_ni, .time_now_i, .epoch_i, .base_i(cq_base_i), .entries_i(cq_entries_i),
        .cq_i, .cq_ready_o, .cq_o, .arm_i, .arm_ready_o,
        .tmr_i({tmr_valid, 24'(tmr_cqn)}), .tmr_ready_o(tmr_ready), .ins_o(ins), .ins_ready_i(ins_ready), .fw_i, .fw_o,
        .ci_o(ci), .ci_ready_i(ci_ready), .consumer_index_i(consumer_index),
        .consumer_index_ready_o(consumer_index_ready),
        .rd_o(cqc_rd), .rd_ready_i(rds_ready[0]), .beat_i, .beat_data_i, .cqc_o, .cqc_ready_i, .ticket_i,
        .wr_o, .wr_ready_i, .eqe_o, .eqe_ready_i, .cq_error_o, .cq_error_ready_i, .events_o, .idle_o(records_idle));
    assign ci_rd_ready = rds_ready[1];
    stream_arb #(.WIDTH(cairn_int_pkg::DMA_RD_W), .N(2)) u_rd (
        .clk_i, .rst_ni, .in_valid_i({ci_rd.valid, cqc_rd.valid}), .in_ready_o(rds_ready),
        .in_data_i({ci_rd.req, cqc_rd.req}),
        .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
  end

  cq_rd #(.DATA_W(DATA_W)) u_ci (
      .clk_i, .rst_ni, .epoch_i, .ci_i(ci), .ci_ready_o(ci_ready),
      .consumer_index_o(consumer_index), .consumer_index_ready_i(consumer_index_ready),
      .rd_o(ci_rd), .rd_ready_i(ci_rd_ready), .beat_i, .beat_data_i,
      .idle_o(ci_idle));

  // ---- timers: the top bit of the number is their class ----
  if (CQS_LOG2 <= SCAN_LOG2) begin : g_scan
    timer_scan #(.ID_W(CQS_LOG2 - 1)) u_timers (
        .clk_i, .rst_ni, .time_now_i, .ins_valid_i(ins.valid), .ins_ready_o(ins_ready),
        .ins_id_i(ins.cqn[CQS_LOG2-2:0]), .ins_class_i(ins.cqn[CQS_LOG2-1]), .ins_deadline_i(ins.deadline),
        .fire_valid_o(tmr_valid), .fire_ready_i(tmr_ready), .fire_id_o(tmr_cqn[CQS_LOG2-2:0]),
        .fire_class_o(tmr_cqn[CQS_LOG2-1]), .next_valid_o(deadline_o.valid), .next_deadline_o(deadline_o.at),
        .idle_o(timers_idle));
  end else begin : g_wheel
    timer_wheel #(.ID_W(CQS_LOG2 - 1)) u_timers (
        .clk_i, .rst_ni, .time_now_i, .ins_valid_i(ins.valid), .ins_ready_o(ins_ready),
        .ins_id_i(ins.cqn[CQS_LOG2-2:0]), .ins_class_i(ins.cqn[CQS_LOG2-1]), .ins_deadline_i(ins.deadline),
        .fire_valid_o(tmr_valid), .fire_ready_i(tmr_ready), .fire_id_o(tmr_cqn[CQS_LOG2-2:0]),
        .fire_class_o(tmr_cqn[CQS_LOG2-1]), .next_valid_o(deadline_o.valid), .next_deadline_o(deadline_o.at),
        .idle_o(timers_idle));
  end

  always_ff @(posedge clk_i) idle_o <= rst_ni && records_idle && ci_idle && !ins.valid && timers_idle && !tmr_valid;
endmodule
