// SPDX-License-Identifier: Apache-2.0
// The records in host memory that the engines look at, and all that owns or caches them. Wiring (docs/rtl/contexts.md).
//
// It joins QP contexts (qp_cache), memory regions (mr_service), completion queues (cq_service) and event queues
// (eqe_write). It stands between the engines (rdma_send, rdma_receive), the DMA engines and the management core.
// Firmware: its context port reaches each table here. A request stays until its answer; a table without a cache answers
//   FREE.
// Order: of completions, index 0 is the responder and 1 the completer. The completer's events go behind its
//   completions, so the event port is the responder's alone.
// Fence: a fence waits for rest_o.fence_busy, which is all of this but the contexts' cache.
module rdma_state #(
    parameter int unsigned DATA_W  = 512,
    parameter int unsigned QP_SETS = 16,
    parameter int unsigned QP_ON_CHIP = 0,
    parameter int unsigned CQ_ON_CHIP = 0,
    parameter int unsigned CQS_LOG2 = 12,
    parameter logic [31:0] FEATURES = '1,   // as REG FEATURES
    parameter int unsigned EQS      = 32,
    parameter int unsigned MPT_SETS = 8,
    parameter int unsigned MRS_LOG2 = 0,
    parameter int unsigned MTT_SETS = 16,
    parameter int unsigned CQ_SETS  = 8,
    localparam int unsigned AW   = $clog2(QP_SETS * 8)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        time_now_i,
    input  logic                               epoch_i,
    input  cairn_int_pkg::record_tables_t      table_i,
    // context port
    input  cairn_int_pkg::ctx_op_t             op_i,
    output cairn_int_pkg::ctx_done_t           op_o,
    // what rx_qp_table keeps of a QP has changed
    output cairn_int_pkg::rx_qp_write_t        rxq_o,
    // QP contexts
    input  cairn_int_pkg::receive_find_t       receive_find_i,
    output logic [1:0]                         receive_ctx_ready_o,
    output logic                               filling_o,
    input  cairn_int_pkg::receive_use_t        receive_part_i,
    output cairn_int_pkg::receive_qps_t        receive_qp_o,
    input  cairn_int_pkg::send_ctx_req_t       send_ctx_i,
    output logic [1:0]                         send_ctx_ready_o,
    input  cairn_int_pkg::send_use_t           send_part_i,
    output cairn_int_pkg::send_qps_t           send_qp_o,
    // memory regions
    input  cairn_int_pkg::mr_users_t           mr_i,
    output cairn_int_pkg::mr_users_ready_t     mr_ready_o,
    output cairn_int_pkg::mr_users_answer_t    mr_o,
    input  cairn_int_pkg::mr_users_ready_t     mr_ready_i,
    // completions, events, what the doorbells say of their queues
    input  cairn_int_pkg::state_news_t         news_i,
    output cairn_int_pkg::state_news_ready_t   news_ready_o,
    output cairn_int_pkg::cq_views_t           cq_o,
    input  cairn_int_pkg::queue_doorbells_t    db_i,
    output logic                               db_ready_o,
    // management core: EQ region, queues in error, fatal EQ
    input  cairn_int_pkg::mmio_access_t        mmio_i,
    output cairn_int_pkg::mmio_answer_t        mmio_o,
    output cairn_int_pkg::queue_events_t       told_o,
    input  cairn_int_pkg::queue_events_ready_t told_ready_i,
    // DMA
    input  cairn_int_pkg::dma_read_t           res_rd_i,  // responder resources: share RD_QPC
    output logic                               res_rd_ready_o,
    output cairn_int_pkg::state_memory_t       memory_o,
    input  cairn_int_pkg::state_memory_ready_t memory_ready_i,
    input  cairn_int_pkg::dma_return_t         dma_i,
    input  logic [DATA_W-1:0]                  dma_data_i,
    output cairn_hw_pkg::rdma_state_events_t   events_o,
    output cairn_int_pkg::side_rest_t          rest_o
);
  // ---- tables ----
  logic [63:0] qp_base, cq_base, mpt_base, mtt_base;
  logic [24:0] qp_n, cq_n;
  logic [32:0] mpt_n, mtt_n;
  assign qp_base  = table_i.base[64*cairn_hw_pkg::TABLE_QP +: 64];
  assign cq_base  = table_i.base[64*cairn_hw_pkg::TABLE_CQ +: 64];
  assign mpt_base = table_i.base[64*cairn_hw_pkg::TABLE_MPT +: 64];
  assign mtt_base = table_i.base[64*cairn_hw_pkg::TABLE_MTT +: 64];
  assign qp_n     = table_i.entries[33*cairn_hw_pkg::TABLE_QP +: 25];
  assign cq_n     = table_i.entries[33*cairn_hw_pkg::TABLE_CQ +: 25];
  assign mpt_n    = table_i.entries[33*cairn_hw_pkg::TABLE_MPT +: 33];
  assign mtt_n    = table_i.entries[33*cairn_hw_pkg::TABLE_MTT +: 33];

  // ---- context port ----
  logic op_qp, op_cq, op_mpt, op_mtt, op_none_q;
  assign op_qp  = op_i.valid && op_i.table_ == 3'(cairn_hw_pkg::TABLE_QP);
  assign op_cq  = op_i.valid && op_i.table_ == 3'(cairn_hw_pkg::TABLE_CQ);
  assign op_mpt = op_i.valid && op_i.table_ == 3'(cairn_hw_pkg::TABLE_MPT);
  assign op_mtt = op_i.valid && op_i.table_ == 3'(cairn_hw_pkg::TABLE_MTT);
  cairn_int_pkg::ctx_op_t   qp_op, cq_op;
  cairn_int_pkg::ctx_done_t qp_done, cq_done, mr_done;
  always_comb begin
    qp_op       = op_i;
    qp_op.valid = op_qp;
    cq_op       = op_i;
    cq_op.valid = op_cq;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) op_none_q <= 1'b0;
    else op_none_q <= op_i.valid && !(op_qp || op_cq || op_mpt || op_mtt) && !op_none_q;
  end
  always_comb begin
    op_o      = op_qp ? qp_done : op_cq ? cq_done : mr_done;
    op_o.done = (op_qp && qp_done.done) || (op_cq && cq_done.done) || mr_done.done || op_none_q;
    if (!(op_qp || op_cq || op_mpt || op_mtt)) op_o.status = cairn_hw_pkg::CTX_RESULT_FREE;
  end

  // ---- QP contexts ----
  logic           qpc_idle;
  cairn_int_pkg::ctx_fill_t  fill;
  assign receive_qp_o.fill = fill;
  assign send_qp_o.fill    = fill;
  cairn_int_pkg::dma_read_t  qrd;
  cairn_int_pkg::dma_write_t mwr, cqc;

  qp_cache #(.DATA_W(DATA_W), .SETS(QP_SETS), .ON_CHIP(QP_ON_CHIP != 0)) u_qpc (
      .clk_i, .rst_ni, .epoch_i, .base_i(qp_base), .entries_i(qp_n),
      .receive_ctx_i(receive_find_i.ctx), .receive_ctx_ready_o, .receive_ctx_o(receive_qp_o.ctx),
      .receive_part_i, .receive_part_o(receive_qp_o.part),
      .send_ctx_i, .send_ctx_ready_o, .send_ctx_o(send_qp_o.ctx),
      .send_part_i, .send_part_o(send_qp_o.part), .fill_o(fill),
      .filling_slot_i(receive_find_i.asked[AW-1:0]), .filling_o,
      .fw_i(qp_op), .fw_o(qp_done),
      .rxq_o, .place_o(send_qp_o.place),
      .rd_o(qrd), .rd_ready_i(memory_ready_i.rd.qpc), .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .wr_o(memory_o.wr.qpc), .wr_ready_i(memory_ready_i.wr.qpc), .ticket_i(dma_i.ticket),
      .events_o(events_o.qp_cache),
      .idle_o(qpc_idle));
  // QP records and responder resources share a read port.
  assign memory_o.rd.qpc.valid = qrd.valid || res_rd_i.valid;
  assign memory_o.rd.qpc.req   = qrd.valid ? qrd.req : res_rd_i.req;
  assign res_rd_ready_o        = memory_ready_i.rd.qpc && !qrd.valid;

  // ---- memory regions ----
  logic mr_idle, mwr_ready;
  mr_service #(.DATA_W(DATA_W), .MPT_SETS(MPT_SETS), .MTT_SETS(MTT_SETS), .MRS_LOG2(MRS_LOG2),
               .CHANGES(FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB])) u_mr (
      .clk_i, .rst_ni, .epoch_i, .mpt_base_i(mpt_base), .mpt_entries_i(mpt_n), .mtt_base_i(mtt_base),
      .mtt_entries_i(mtt_n),
      .send_mr_i(mr_i.send), .send_mr_ready_o(mr_ready_o.send), .send_mr_o(mr_o.send),
      .send_mr_ready_i(mr_ready_i.send), .receive_mr_i(mr_i.receive), .receive_mr_ready_o(mr_ready_o.receive),
      .receive_mr_o(mr_o.receive), .receive_mr_ready_i(mr_ready_i.receive),
      .fw_i(op_i),
      .fw_o(mr_done),
      .rd_o(memory_o.rd.mr), .rd_ready_i(memory_ready_i.rd.mr),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .wr_o(mwr), .wr_ready_i(mwr_ready), .ticket_i(dma_i.ticket),
      .events_o(events_o.mr_service), .idle_o(mr_idle));

  // ---- completion queues ----
  logic cq_idle, ce_ready;
  cairn_int_pkg::eq_event_t ce;
  cq_service #(.DATA_W(DATA_W), .SETS(CQ_SETS), .CQS_LOG2(CQS_LOG2), .ON_CHIP(CQ_ON_CHIP)) u_cq (
      .clk_i, .rst_ni, .time_now_i, .epoch_i, .cq_base_i(cq_base), .cq_entries_i(cq_n),
      .cq_i(news_i.cq), .cq_ready_o(news_ready_o.cq), .cq_o,
      .arm_i(db_i.arm), .arm_ready_o(db_ready_o),
      .fw_i(cq_op), .fw_o(cq_done),
      .rd_o(memory_o.rd.cq), .rd_ready_i(memory_ready_i.rd.cq),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .wr_o(memory_o.wr.cqe), .wr_ready_i(memory_ready_i.wr.cqe),
      .cqc_o(cqc), .cqc_ready_i(memory_ready_i.wr.cqc), .ticket_i(dma_i.ticket),
      .eqe_o(ce), .eqe_ready_i(ce_ready),
      .cq_error_o(told_o.cq_error), .cq_error_ready_i(told_ready_i.cq_error),
      .events_o(events_o.cqe_write),
      .deadline_o(rest_o.deadline), .idle_o(cq_idle));
  // Write-backs of CQ and MPT records share a port.
  assign memory_o.wr.cqc.valid = cqc.valid || mwr.valid;
  assign memory_o.wr.cqc.cmd   = cqc.valid ? cqc.cmd : mwr.cmd;
  assign mwr_ready             = memory_ready_i.wr.cqc && !cqc.valid;

  // ---- event queues ----
  logic eq_idle;
  eqe_write #(.EQS(EQS)) u_eq (
      .clk_i, .rst_ni, .epoch_i, .cq_i(ce), .async_i(news_i.eqe), .eqe_ready_o({news_ready_o.eqe, ce_ready}),
      .db_i(db_i.eq),
      .wr_o(memory_o.wr.eqe), .wr_ready_i(memory_ready_i.wr.eqe),
      .msix_o(told_o.msix), .msix_ready_i(told_ready_i.msix),
      .mmio_i, .mmio_o,
      .ovf_o(told_o.eq_overflow), .ovf_ready_i(told_ready_i.eq_overflow), .fatal_o(told_o.fatal),
      .events_o(events_o.eqe_write), .idle_o(eq_idle));

  assign rest_o.fence_busy = !cq_idle || !mr_idle || !eq_idle;
  assign rest_o.idle       = qpc_idle && mr_idle && cq_idle && eq_idle && !op_i.valid;
endmodule
