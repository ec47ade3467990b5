// SPDX-License-Identifier: Apache-2.0
// The transport: contexts, keys, queues and the three engines, between the packet paths, DMA and the management core.
// Wiring.
//
//   doorbell      producer indices and kicks of what software posts
//   rdma_send     scheduler, WQEs, requester, completer: requests of this side and the answers to them
//   rdma_receive  QP lookup of every packet, responder: requests of the other side
//   rdma_state    QP contexts, memory regions, completion and event queues, firmware's context port
//
// And what its parts share: the fence, the events for firmware, what may leave of a QP (tx_check). docs/architecture.md
// 5 and 6 say which part writes what, and which kicks go where.
module rdma_core #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned QPS_LOG2  = 12,
    parameter int unsigned CQS_LOG2  = 12,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned QP_SETS   = 16,
    parameter int unsigned CELLS     = 1024
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        time_now_i,
    input  logic [31:0]                        features_i,
    input  logic                               enable_i,
    input  cairn_int_pkg::gid_write_t          gid_i,       // GID table write port, see req_gids
    input  logic                               fence_start_i,
    output logic                               fence_done_o,
    input  logic                               dma_busy_i,  // posted writes or reads under way (fence)
    input  logic                               tx_busy_i,   // jobs whose payload is outstanding
    input  cairn_int_pkg::record_tables_t      table_i,
    // doorbells, from the host and from firmware
    input  cairn_int_pkg::doorbell_t           db_i,
    input  cairn_int_pkg::db_op_t              db_op_i,
    output cairn_int_pkg::db_op_done_t         db_op_o,
    input  cairn_int_pkg::fw_kicks_t           kick_i,      // of firmware
    output logic [2:0]                         kick_ready_o,
    output cairn_int_pkg::fw_events_t          fw_event_o,  // to dev_mmio
    input  logic [3:0]                         fw_event_ready_i,
    // context port
    input  cairn_int_pkg::ctx_op_t             op_i,
    output cairn_int_pkg::ctx_done_t           op_o,
    // EQ region of the management core
    input  cairn_int_pkg::mmio_access_t        mmio_i,
    output cairn_int_pkg::mmio_answer_t        mmio_o,
    output cairn_int_pkg::msix_request_t       msix_o,
    input  logic                               msix_ready_i,
    output logic                               fatal_o,
    // DMA clients; those of others (txp, fw) are quiet here
    output cairn_int_pkg::dma_reads_t          rd_o,
    input  cairn_int_pkg::dma_read_ready_t     rd_ready_i,
    output cairn_int_pkg::dma_writes_t         wr_o,
    input  cairn_int_pkg::dma_write_ready_t    wr_ready_i,
    input  cairn_int_pkg::dma_return_t         dma_i,
    input  logic [DATA_W-1:0]                  dma_data_i,
    // receive path
    input  logic                               rx_valid_i,
    output logic                               rx_ready_o,
    input  cairn_int_pkg::rx_meta_t            rx_i,
    output cairn_int_pkg::rx_free_t            free_o,
    input  logic                               free_ready_i,
    // transmit path
    output cairn_int_pkg::tx_requests_t        requests_o,
    input  cairn_int_pkg::tx_requests_ready_t  requests_i,
    output logic [DATA_W-1:0]                  requests_inline_data_o,
    output cairn_int_pkg::tx_responses_t       responses_o,
    input  cairn_int_pkg::tx_responses_ready_t responses_i,
    output logic [1:0]                         drain_o,     // of the rings, see mr_drain
    input  logic [1:0]                         drained_i,
    output cairn_int_pkg::tx_allow_t           allow_o,     // see tx_check
    input  cairn_int_pkg::tx_reports_t         reports_i,
    output cairn_int_pkg::tx_reports_ready_t   reports_o,
    // counters, time
    output cairn_int_pkg::rx_qp_write_t        rxq_o,       // what rx_qp_table keeps of a QP has changed
    output cairn_hw_pkg::rdma_core_events_t    events_o,
    output logic                               idle_o,
    output cairn_int_pkg::deadline_t           deadline_o
);
  localparam int unsigned SLOTS = QP_SETS * 8, AW = $clog2(SLOTS);

  logic halt, epoch;
  assign epoch = 1'b0;       // the fence drains, so one epoch is enough

  // ---- doorbells ----
  logic [23:0]     rq_rd_qpn;
  logic [15:0]     rq_rd_pi;
  logic dsq_ready, dcmp_ready, drsp_ready, bad_pend_q, db_idle;
  logic            arm_ready;
  logic [7:0]      bad_page_q;
  logic [6:0]      bad_cause_q;
  logic            forget;
  cairn_int_pkg::srq_doorbell_t srq_db;
  cairn_int_pkg::sq_readers_t   sq_rd;
  cairn_int_pkg::sq_indices_t   sq_pi;
  cairn_int_pkg::kick_t         dsq, dcmp, drsp, qe, ce;
  cairn_int_pkg::cq_arm_t       arm;
  cairn_int_pkg::eq_doorbell_t  eq_db;
  cairn_int_pkg::bad_doorbell_t bad;
  cairn_int_pkg::pushed_t       pushed;
  logic pushed_ready, pushed_taken;
  doorbell #(.QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .CQS_LOG2(CQS_LOG2)) u_doorbell (
      .clk_i, .rst_ni, .enable_i, .halt_i(halt), .db_i,
      .op_i(db_op_i), .op_ready_o(db_op_o.ready),
      .op_index_o(db_op_o.index),
      .sq_rd_i(sq_rd), .sq_rd_o(sq_pi), .rq_rd_qpn_i(rq_rd_qpn), .rq_rd_pi_o(rq_rd_pi),
      .srq_o(srq_db),
      .kick_sq_o(dsq), .kick_sq_ready_i(dsq_ready),
      .kick_cmp_o(dcmp), .kick_cmp_ready_i(dcmp_ready),
      .kick_rsp_o(drsp), .kick_rsp_ready_i(drsp_ready),
      .arm_o(arm), .arm_ready_i(arm_ready), .eq_o(eq_db), .bad_o(bad),
      .events_o(events_o.doorbell),
      .forget_o(forget), .idle_o(db_idle),
      .pushed_o(pushed), .pushed_ready_i(pushed_ready), .pushed_taken_i(pushed_taken));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bad_pend_q <= 1'b0;
    else if (bad.valid) bad_pend_q <= 1'b1;
    else if (fw_event_ready_i[1]) bad_pend_q <= 1'b0;
    if (bad.valid && (!bad_pend_q || fw_event_ready_i[1])) {bad_page_q, bad_cause_q} <= {bad.page, bad.cause};
  end
  assign fw_event_o.bad_doorbell = {bad_pend_q, bad_page_q, 9'h0, bad_cause_q};

  // ---- state; vectors of MR clients, completions and events are in the order of rdma_state ----
  logic [AW-1:0]   fq_slot;
  logic            fq_filling;
  cairn_int_pkg::send_mr_t           send_mr, send_mr_drained;
  cairn_int_pkg::send_mr_ready_t     send_mr_ready, send_mr_answer_ready;
  cairn_int_pkg::send_mr_answer_t    send_mr_answer;
  cairn_int_pkg::receive_mr_t        receive_mr, receive_mr_drained;
  cairn_int_pkg::receive_mr_ready_t  receive_mr_ready, receive_mr_answer_ready;
  cairn_int_pkg::receive_mr_answer_t receive_mr_answer;
  // A drain goes through the clients' engines; that of the two that fill a ring (0 requests, 1 responses), through it.
  assign drain_o = {receive_mr.rsp_tx_drained, send_mr.requester_drained};
  always_comb begin
    send_mr_drained                   = send_mr;
    send_mr_drained.requester_drained = drained_i[0] && drain_o[0];
    receive_mr_drained                = receive_mr;
    receive_mr_drained.rsp_tx_drained = drained_i[1] && drain_o[1];
  end
  logic st_busy, st_idle;
  logic                eqe_ready;
  cairn_int_pkg::cq_uses_t  cq_use;
  cairn_int_pkg::cq_views_t cq_view;
  logic [1:0]               cq_ready;
  cairn_int_pkg::eq_event_t eqe;
  cairn_int_pkg::deadline_t q_dl, s_dl;     // timers of CQs, of QPs
  logic op_srq;                      // the context port's table of SRQs is the responder's
  cairn_int_pkg::ctx_op_t   state_op, srq_op;
  cairn_int_pkg::ctx_done_t state_done, srq_done;
  assign op_srq = op_i.table_ == 3'(cairn_hw_pkg::TABLE_SRQ);
  assign op_o   = op_srq ? srq_done : state_done;
  always_comb begin
    state_op       = op_i;
    state_op.valid = op_i.valid && !op_srq;
    srq_op         = op_i;
    srq_op.valid   = op_i.valid && op_srq;
  end
  cairn_int_pkg::receive_ctx_req_t receive_ctx_req;
  cairn_int_pkg::receive_ctx_rsp_t receive_ctx_rsp;
  cairn_int_pkg::send_ctx_req_t    send_ctx_req;
  cairn_int_pkg::send_ctx_rsp_t    send_ctx_rsp;
  logic [1:0] receive_ctx_ready, send_ctx_ready;
  cairn_int_pkg::receive_use_t     receive_use;
  cairn_int_pkg::receive_view_t    receive_view;
  cairn_int_pkg::send_use_t        send_use;
  cairn_int_pkg::send_view_t       send_view;
  cairn_int_pkg::ctx_fill_t        fill;

  // ---- host memory: the clients of all parts; those of others (RD_TXP, RD_FW, WR_FW) are quiet here ----
  cairn_int_pkg::state_reads_t         state_rd;
  cairn_int_pkg::state_read_ready_t    state_rd_ready;
  cairn_int_pkg::state_writes_t        state_wr;
  cairn_int_pkg::state_write_ready_t   state_wr_ready;
  cairn_int_pkg::receive_reads_t       receive_rd;
  cairn_int_pkg::receive_read_ready_t  receive_rd_ready;
  cairn_int_pkg::receive_writes_t      receive_wr;
  cairn_int_pkg::receive_write_ready_t receive_wr_ready;
  cairn_int_pkg::dma_read_t            send_rd;
  cairn_int_pkg::dma_write_t           send_wr;
  always_comb begin
    rd_o      = '0;
    rd_o.wqe  = send_rd;
    rd_o.rqe  = receive_rd.rqe;
    rd_o.atom = receive_rd.atom;
    rd_o.qpc  = state_rd.qpc;
    rd_o.mr   = state_rd.mr;
    rd_o.cq   = state_rd.cq;
    wr_o      = '0;
    wr_o.rsp  = receive_wr.rsp;
    wr_o.atom = receive_wr.atom;
    wr_o.cmp  = send_wr;
    wr_o.cqe  = state_wr.cqe;
    wr_o.eqe  = state_wr.eqe;
    wr_o.qpc  = state_wr.qpc;
    wr_o.cqc  = state_wr.cqc;
  end
  assign state_rd_ready        = {rd_ready_i.qpc, rd_ready_i.mr, rd_ready_i.cq};
  assign state_wr_ready        = {wr_ready_i.cqe, wr_ready_i.eqe, wr_ready_i.qpc, wr_ready_i.cqc};
  assign receive_rd_ready.rqe  = rd_ready_i.rqe;
  assign receive_rd_ready.atom = rd_ready_i.atom;
  assign receive_wr_ready      = {wr_ready_i.rsp, wr_ready_i.atom};

  rdma_state #(.DATA_W(DATA_W), .QP_SETS(QP_SETS), .CQS_LOG2(CQS_LOG2)) u_state (
      .clk_i, .rst_ni, .time_now_i, .epoch_i(epoch), .table_i,
      .op_i(state_op), .op_o(state_done),
      .rxq_o,
      .receive_ctx_i(receive_ctx_req), .receive_ctx_ready_o(receive_ctx_ready), .receive_ctx_o(receive_ctx_rsp),
      .receive_part_i(receive_use), .receive_part_o(receive_view),
      .send_ctx_i(send_ctx_req), .send_ctx_ready_o(send_ctx_ready), .send_ctx_o(send_ctx_rsp),
      .send_part_i(send_use), .send_part_o(send_view),
      .fill_o(fill),
      .fq_slot_i(fq_slot), .fq_filling_o(fq_filling),
      .send_mr_i(send_mr_drained), .send_mr_ready_o(send_mr_ready), .send_mr_o(send_mr_answer),
      .send_mr_ready_i(send_mr_answer_ready), .receive_mr_i(receive_mr_drained),
      .receive_mr_ready_o(receive_mr_ready), .receive_mr_o(receive_mr_answer),
      .receive_mr_ready_i(receive_mr_answer_ready),
      .cq_i(cq_use), .cq_ready_o(cq_ready), .cq_o(cq_view),
      .arm_i(arm), .arm_ready_o(arm_ready), .eq_db_i(eq_db),
      .eqe_i(eqe), .eqe_ready_o(eqe_ready),
      .mmio_i, .mmio_o,
      .cq_error_o(fw_event_o.cq_error), .cq_error_ready_i(fw_event_ready_i[0]),
      .eq_ovf_o(fw_event_o.eq_overflow), .eq_ovf_ready_i(fw_event_ready_i[2]),
      .fatal_o, .msix_o, .msix_ready_i,
      .res_rd_i(receive_rd.res), .res_rd_ready_o(receive_rd_ready.res),
      .rd_o(state_rd), .rd_ready_i(state_rd_ready), .wr_o(state_wr), .wr_ready_i(state_wr_ready), .dma_i, .dma_data_i,
      .events_o(events_o.rdma_state), .fence_busy_o(st_busy), .deadline_o(q_dl),
      .idle_o(st_idle));
  assign deadline_o.valid = q_dl.valid || s_dl.valid;
  assign deadline_o.at    = (q_dl.valid && (!s_dl.valid || q_dl.at < s_dl.at)) ? q_dl.at : s_dl.at;

  // ---- packets in, responder ----
  logic cp_valid, cp_ready, cp_done, qe_ready, rcv_idle;
  cairn_int_pkg::rx_pkt_t cp;
  rdma_receive #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .SLOTS(SLOTS), .CELLS(CELLS)) u_receive (
      .srq_op_i(srq_op), .srq_op_o(srq_done),
      .srq_db_i(srq_db),
      .clk_i, .rst_ni, .epoch_i(epoch), .halt_i(halt), .forget_i(forget), .cq_o(cq_use.rsp),
      .cq_ready_i(cq_ready[0]), .cq_i(cq_view.rsp),
      .features_i,
      .res_base_i(table_i.base[64*cairn_hw_pkg::TABLE_RSP_RES +: 64]),
      .rx_valid_i, .rx_ready_o, .rx_i, .free_o, .free_ready_i,
      .pkt_valid_o(cp_valid), .pkt_ready_i(cp_ready), .pkt_o(cp), .rx_done_i(cp_done),
      .db_rsp_i(drsp), .db_rsp_ready_o(drsp_ready),
      .kick_i, .kick_ready_o(kick_ready_o[2]),
      .rq_rd_qpn_o(rq_rd_qpn), .rq_rd_pi_i(rq_rd_pi),
      .ctx_o(receive_ctx_req), .ctx_ready_i(receive_ctx_ready), .ctx_i(receive_ctx_rsp), .part_o(receive_use),
      .part_i(receive_view),
      .fill_i(fill),
      .fq_slot_o(fq_slot), .fq_filling_i(fq_filling),
      .mr_o(receive_mr), .mr_ready_i(receive_mr_ready), .mr_i(receive_mr_answer), .mr_ready_o(receive_mr_answer_ready),
      .rd_o(receive_rd), .rd_ready_i(receive_rd_ready), .wr_o(receive_wr), .wr_ready_i(receive_wr_ready), .dma_i,
      .dma_data_i,
      .eqe_o(eqe), .eqe_ready_i(eqe_ready),
      .qp_err_o(qe), .qp_err_ready_i(qe_ready),
      .responses_o, .responses_i,
      .tx_err_valid_i(reports_i.rsp_err_valid), .tx_err_ready_o(reports_o.rsp_err_ready), .tx_err_i(reports_i.rsp_err),
      .events_o(events_o.rdma_receive),
      .idle_o(rcv_idle));

  // ---- scheduler, requester, completer ----
  logic ce_ready, snd_busy, snd_idle;
  cairn_int_pkg::tx_allow_t gone_back;
  rdma_send #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .SLOTS(SLOTS)) u_send (
      .clk_i, .rst_ni, .time_now_i, .features_i, .epoch_i(epoch), .halt_i(halt), .forget_i(forget),
      .cq_o(cq_use.cmp), .cq_ready_i(cq_ready[1]), .cq_i(cq_view.cmp),
      .gid_i,
      .mr_o(send_mr), .mr_ready_i(send_mr_ready), .mr_i(send_mr_answer), .mr_ready_o(send_mr_answer_ready),
      .db_sq_i(dsq), .db_sq_ready_o(dsq_ready),
      .db_cmp_i(dcmp), .db_cmp_ready_o(dcmp_ready),
      .sq_rd_o(sq_rd), .sq_rd_i(sq_pi), .pushed_i(pushed), .pushed_ready_o(pushed_ready), .pushed_taken_o(pushed_taken),
      .kick_i, .kick_ready_o(kick_ready_o[1:0]),
      .pkt_valid_i(cp_valid), .pkt_ready_o(cp_ready), .pkt_i(cp), .rx_done_o(cp_done),
      .ctx_o(send_ctx_req), .ctx_ready_i(send_ctx_ready), .ctx_i(send_ctx_rsp), .part_o(send_use), .part_i(send_view),
      .fill_i(fill),
      .rd_o(send_rd), .rd_ready_i(rd_ready_i.wqe), .wr_o(send_wr), .wr_ready_i(wr_ready_i.cmp), .dma_i, .dma_data_i,
      .qp_err_o(ce), .qp_err_ready_i(ce_ready),
      .requests_o, .requests_i, .requests_inline_data_o,
      .tx_err_valid_i(reports_i.req_err_valid), .tx_err_ready_o(reports_o.req_err_ready), .tx_err_i(reports_i.req_err),
      .sent_valid_i(reports_i.sent_valid), .sent_ready_o(reports_o.sent_ready), .sent_i(reports_i.sent),
      .allow_o(gone_back), .events_o(events_o.rdma_send),
      .deadline_o(s_dl), .fence_busy_o(snd_busy), .idle_o(snd_idle));

  // ---- what may leave of a QP: its epoch when it goes back; firmware's word when no other is written ----
  cairn_int_pkg::tx_allow_t fw_allow_q;
  logic                     fw_allows;
  assign fw_allows = db_op_i.valid && db_op_o.ready && db_op_i.kind == cairn_hw_pkg::DB_TABLE_SQ
                     && (db_op_i.op == cairn_hw_pkg::DB_OP_OPEN || db_op_i.op == cairn_hw_pkg::DB_OP_CLOSE
                         || (db_op_i.op == cairn_hw_pkg::DB_OP_ERROR && db_op_i.page[1]));
  assign allow_o   = gone_back.valid ? gone_back : fw_allow_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fw_allow_q.valid <= 1'b0;
    else fw_allow_q.valid <= fw_allows || (fw_allow_q.valid && gone_back.valid);
    if (fw_allows) begin
      fw_allow_q.qpn        <= db_op_i.number;
      fw_allow_q.closed     <= db_op_i.op != cairn_hw_pkg::DB_OP_OPEN;
      fw_allow_q.gen        <= db_op_i.gen;
      fw_allow_q.send_epoch <= 8'h0;
    end
  end

  // ---- QPs in error, for firmware: responder before completer ----
  assign fw_event_o.qp_error.valid  = qe.valid || ce.valid;
  assign fw_event_o.qp_error.number = qe.valid ? qe.qpn : ce.qpn;
  assign {qe_ready, ce_ready} = {fw_event_ready_i[3], fw_event_ready_i[3] && !qe.valid};

  fence #(.NBUSY(5)) u_fence (
      .clk_i, .rst_ni, .start_i(fence_start_i), .halt_o(halt), .done_o(fence_done_o),
      .busy_i({dma_busy_i, tx_busy_i, !rcv_idle, snd_busy, st_busy}));


  assign idle_o = st_idle && rcv_idle && snd_idle && db_idle && !bad_pend_q && !halt && !qe.valid && !fw_allow_q.valid;
endmodule
