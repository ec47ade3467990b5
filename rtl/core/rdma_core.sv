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
    parameter int unsigned QP_ON_CHIP = 0,
    parameter int unsigned CQ_ON_CHIP = 0,
    parameter int unsigned CELLS     = 1024,
    parameter logic [31:0] FEATURES  = '1,          // as REG FEATURES: what is left out is not there
    parameter int unsigned GIDS        = 16,
    parameter int unsigned EQS         = 32,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter int unsigned READS       = 224,   // outstanding, of all QPs, see req_reads
    parameter int unsigned RQE_RUNS    = (DATA_W >= 512) ? 32 : 8,
    parameter int unsigned ATOMICS     = 32,
    parameter int unsigned DESCRIPTORS = (DATA_W >= 512) ? 8192 : 512,
    parameter int unsigned MPT_SETS    = 8,
    parameter int unsigned MRS_LOG2    = 0,
    parameter int unsigned MTT_SETS    = 16,
    parameter int unsigned CQ_SETS     = 8
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        time_now_i,
    input  cairn_int_pkg::core_control_t       control_i,
    input  cairn_int_pkg::gid_write_t          gid_i,       // GID table write port, see req_gids
    output cairn_int_pkg::core_state_t         state_o,
    input  cairn_int_pkg::record_tables_t      table_i,
    // doorbells, from the host and from firmware
    input  cairn_int_pkg::doorbell_t           db_i,
    input  cairn_int_pkg::db_op_t              db_op_i,
    output cairn_int_pkg::db_op_done_t         db_op_o,
    input  cairn_int_pkg::fw_kicks_t           kick_i,      // of firmware
    output cairn_int_pkg::fw_kicks_ready_t     kick_ready_o,
    output cairn_int_pkg::fw_events_t          fw_event_o,  // to dev_mmio
    input  cairn_int_pkg::fw_events_ready_t    fw_event_ready_i,
    // context port
    input  cairn_int_pkg::ctx_op_t             op_i,
    output cairn_int_pkg::ctx_done_t           op_o,
    // EQ region of the management core
    input  cairn_int_pkg::mmio_access_t        mmio_i,
    output cairn_int_pkg::mmio_answer_t        mmio_o,
    output cairn_int_pkg::msix_request_t       msix_o,
    input  logic                               msix_ready_i,
    // DMA clients
    output cairn_int_pkg::core_memory_t        memory_o,
    input  cairn_int_pkg::core_memory_ready_t  memory_ready_i,
    input  cairn_int_pkg::dma_return_t         dma_i,
    input  logic [DATA_W-1:0]                  dma_data_i,
    // receive path
    input  cairn_int_pkg::rx_in_t              rx_i,
    output logic                               rx_ready_o,
    output cairn_int_pkg::rx_free_t            free_o,
    input  logic                               free_ready_i,
    // transmit path
    output cairn_int_pkg::tx_requests_t        requests_o,
    input  cairn_int_pkg::tx_requests_ready_t  requests_ready_i,
    output logic [DATA_W-1:0]                  requests_inl_data_o,
    output cairn_int_pkg::tx_responses_t       responses_o,
    input  cairn_int_pkg::tx_responses_ready_t responses_ready_i,
    output logic [1:0]                         drain_o,     // of the rings, see mr_drain
    input  cairn_int_pkg::tx_rings_t           rings_i,
    output cairn_int_pkg::tx_allow_t           allow_o,     // see tx_check
    input  cairn_int_pkg::tx_reports_t         reports_i,
    output cairn_int_pkg::tx_reports_ready_t   reports_ready_o,
    // counters, time
    output cairn_int_pkg::rx_qp_write_t        rxq_o,       // what rx_qp_table keeps of a QP has changed
    output cairn_hw_pkg::rdma_core_events_t    events_o
);
  localparam int unsigned SLOTS = QP_SETS * 8;

  logic halt, epoch;
  assign epoch = 1'b0;       // the fence drains, so one epoch is enough

  // ---- doorbells ----
  logic [23:0]     rq_rd_qpn;
  logic [15:0]     rq_rd_pi;
  logic            bad_pend_q, db_idle;
  logic            arm_ready;
  logic [7:0]      bad_page_q;
  logic [6:0]      bad_cause_q;
  logic            forget;
  cairn_int_pkg::srq_doorbell_t srq_db;
  cairn_int_pkg::sq_readers_t   sq_rd;
  cairn_int_pkg::sq_indices_t   sq_pi;
  cairn_int_pkg::kick_t         qe, ce;
  cairn_int_pkg::bad_doorbell_t bad;
  cairn_int_pkg::queue_doorbells_t queue_db;
  cairn_int_pkg::pushed_t       pushed;
  cairn_int_pkg::pushed_use_t   pushed_use;
  cairn_int_pkg::send_kicks_t         send_kick;
  cairn_int_pkg::send_kicks_ready_t   send_kick_ready;
  cairn_int_pkg::flush_kicks_t        flush_kick;
  cairn_int_pkg::flush_kicks_ready_t  flush_kick_ready;
  doorbell #(.QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .CQS_LOG2(CQS_LOG2), .EARLY(DATA_W >= 512),
             .FEATURES(FEATURES)) u_doorbell (
      .clk_i, .rst_ni, .enable_i(control_i.enable), .halt_i(halt), .db_i,
      .op_i(db_op_i), .op_ready_o(db_op_o.ready),
      .op_index_o(db_op_o.index),
      .sq_rd_i(sq_rd), .sq_rd_o(sq_pi), .rq_rd_qpn_i(rq_rd_qpn), .rq_rd_pi_o(rq_rd_pi),
      .srq_o(srq_db),
      .kick_sq_o(send_kick.sched), .kick_sq_ready_i(send_kick_ready.sched),
      .posted_o(send_kick.posted), .posted_ready_i(send_kick_ready.posted),
      .kick_cmp_o(send_kick.walk), .kick_cmp_ready_i(send_kick_ready.walk),
      .kick_rsp_o(flush_kick.doorbell), .kick_rsp_ready_i(flush_kick_ready.doorbell),
      .arm_o(queue_db.arm), .arm_ready_i(arm_ready), .eq_o(queue_db.eq), .bad_o(bad),
      .events_o(events_o.doorbell),
      .forget_o(forget), .idle_o(db_idle),
      .pushed_o(pushed), .pushed_ready_i(pushed_use.ready), .pushed_taken_i(pushed_use.taken));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bad_pend_q <= 1'b0;
    else if (bad.valid) bad_pend_q <= 1'b1;
    else if (fw_event_ready_i.bad_doorbell) bad_pend_q <= 1'b0;
    if (bad.valid && (!bad_pend_q || fw_event_ready_i.bad_doorbell)) {bad_page_q, bad_cause_q} <= {bad.page, bad.cause};
  end
  assign fw_event_o.bad_doorbell = {bad_pend_q, bad_page_q, 9'h0, bad_cause_q};
  // ---- kicks of firmware ----
  assign send_kick.fw_sched  = {kick_i.sched, kick_i.qpn};
  assign send_kick.fw_walk   = {kick_i.walk, kick_i.qpn};
  assign flush_kick.firmware = {kick_i.flush, kick_i.qpn};
  assign kick_ready_o.sched  = send_kick_ready.fw_sched;
  assign kick_ready_o.walk   = send_kick_ready.fw_walk;
  assign kick_ready_o.flush  = flush_kick_ready.firmware;

  // ---- state ----
  cairn_int_pkg::mr_users_t        mr, mr_drained;
  cairn_int_pkg::mr_users_ready_t  mr_ready, mr_answer_ready;
  cairn_int_pkg::mr_users_answer_t mr_answer;
  // A drain goes through the clients' engines; that of the two that fill a ring (0 requests, 1 responses), through it.
  assign drain_o = {mr.receive.rsp_tx_drained, mr.send.requester.drained};
  always_comb begin
    mr_drained                        = mr;
    mr_drained.send.requester.drained = rings_i.req_drained && drain_o[0];
    mr_drained.receive.rsp_tx_drained = rings_i.rsp_drained && drain_o[1];
  end
  cairn_int_pkg::state_news_t       news;
  cairn_int_pkg::state_news_ready_t news_ready;
  cairn_int_pkg::cq_views_t         cq_view;
  cairn_int_pkg::queue_events_t     queue_event;
  cairn_int_pkg::queue_events_ready_t queue_event_ready;
  cairn_int_pkg::side_rest_t        st_rest, snd_rest;
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
  cairn_int_pkg::receive_find_t    receive_find;
  cairn_int_pkg::receive_use_t     receive_use;
  cairn_int_pkg::receive_qps_t     receive_qp;
  cairn_int_pkg::send_ctx_req_t    send_ctx;
  cairn_int_pkg::send_use_t        send_use;
  cairn_int_pkg::send_qps_t        send_qp;
  logic [1:0] receive_ctx_ready, send_ctx_ready;
  logic       filling;

  // ---- host memory: the clients of all parts ----
  cairn_int_pkg::state_memory_t         state_mem;
  cairn_int_pkg::state_memory_ready_t   state_mem_ready;
  cairn_int_pkg::receive_memory_t       receive_mem;
  cairn_int_pkg::receive_memory_ready_t receive_mem_ready;
  cairn_int_pkg::send_memory_t          send_mem;
  cairn_int_pkg::send_memory_ready_t    send_mem_ready;
  always_comb begin
    memory_o.rd.wqe  = send_mem.rd;
    memory_o.rd.rqe  = receive_mem.rd.rqe;
    memory_o.rd.atom = receive_mem.rd.atom;
    memory_o.rd.qpc  = state_mem.rd.qpc;
    memory_o.rd.mr   = state_mem.rd.mr;
    memory_o.rd.cq   = state_mem.rd.cq;
    memory_o.wr.rsp  = receive_mem.wr.rsp;
    memory_o.wr.atom = receive_mem.wr.atom;
    memory_o.wr.cmp  = send_mem.wr;
    memory_o.wr.cqe  = state_mem.wr.cqe;
    memory_o.wr.eqe  = state_mem.wr.eqe;
    memory_o.wr.qpc  = state_mem.wr.qpc;
    memory_o.wr.cqc  = state_mem.wr.cqc;
  end
  assign state_mem_ready.rd.qpc    = memory_ready_i.rd.qpc;
  assign state_mem_ready.rd.mr     = memory_ready_i.rd.mr;
  assign state_mem_ready.rd.cq     = memory_ready_i.rd.cq;
  assign state_mem_ready.wr.cqe    = memory_ready_i.wr.cqe;
  assign state_mem_ready.wr.eqe    = memory_ready_i.wr.eqe;
  assign state_mem_ready.wr.qpc    = memory_ready_i.wr.qpc;
  assign state_mem_ready.wr.cqc    = memory_ready_i.wr.cqc;
  assign receive_mem_ready.rd.rqe  = memory_ready_i.rd.rqe;
  assign receive_mem_ready.rd.atom = memory_ready_i.rd.atom;
  assign receive_mem_ready.wr.rsp  = memory_ready_i.wr.rsp;
  assign receive_mem_ready.wr.atom = memory_ready_i.wr.atom;
  assign send_mem_ready.rd         = memory_ready_i.rd.wqe;
  assign send_mem_ready.wr         = memory_ready_i.wr.cmp;

  rdma_state #(.DATA_W(DATA_W), .QP_SETS(QP_SETS), .QP_ON_CHIP(QP_ON_CHIP), .CQ_ON_CHIP(CQ_ON_CHIP),
               .CQS_LOG2(CQS_LOG2), .FEATURES(FEATURES),
               .EQS(EQS), .MPT_SETS(MPT_SETS), .MTT_SETS(MTT_SETS), .MRS_LOG2(MRS_LOG2), .CQ_SETS(CQ_SETS)) u_state (
      .clk_i, .rst_ni, .time_now_i, .epoch_i(epoch), .table_i,
      .op_i(state_op), .op_o(state_done),
      .rxq_o,
      .receive_find_i(receive_find), .receive_ctx_ready_o(receive_ctx_ready), .receive_part_i(receive_use),
      .filling_o(filling), .receive_qp_o(receive_qp),
      .send_ctx_i(send_ctx), .send_ctx_ready_o(send_ctx_ready), .send_part_i(send_use), .send_qp_o(send_qp),
      .mr_i(mr_drained), .mr_ready_o(mr_ready), .mr_o(mr_answer), .mr_ready_i(mr_answer_ready),
      .news_i(news), .news_ready_o(news_ready), .cq_o(cq_view),
      .db_i(queue_db), .db_ready_o(arm_ready),
      .mmio_i, .mmio_o,
      .told_o(queue_event), .told_ready_i(queue_event_ready),
      .res_rd_i(receive_mem.rd.res), .res_rd_ready_o(receive_mem_ready.rd.res),
      .memory_o(state_mem), .memory_ready_i(state_mem_ready), .dma_i, .dma_data_i,
      .events_o(events_o.rdma_state), .rest_o(st_rest));
  assign queue_event_ready.cq_error    = fw_event_ready_i.cq_error;
  assign queue_event_ready.eq_overflow = fw_event_ready_i.eq_overflow;
  assign queue_event_ready.msix        = msix_ready_i;
  assign fw_event_o.cq_error    = queue_event.cq_error;
  assign fw_event_o.eq_overflow = queue_event.eq_overflow;
  assign msix_o                 = queue_event.msix;
  assign state_o.fatal          = queue_event.fatal;
  cairn_int_pkg::deadline_t q_dl, s_dl;     // timers of CQs, of QPs
  assign q_dl                   = st_rest.deadline;
  assign s_dl                   = snd_rest.deadline;
  assign state_o.deadline.valid = q_dl.valid || s_dl.valid;
  assign state_o.deadline.at    = (q_dl.valid && (!s_dl.valid || q_dl.at < s_dl.at)) ? q_dl.at : s_dl.at;

  // ---- packets in, responder ----
  logic rcv_idle;
  cairn_int_pkg::rx_offer_t           cp;
  cairn_int_pkg::rx_taken_t           cp_taken;
  cairn_int_pkg::engine_control_t     control;
  cairn_int_pkg::receive_news_t       receive_news;
  cairn_int_pkg::receive_news_ready_t receive_news_ready;
  assign control = {control_i.features, epoch, halt, forget};
  assign receive_news_ready.cq     = news_ready.cq.rsp;
  assign receive_news_ready.eqe    = news_ready.eqe;
  assign receive_news_ready.qp_err = fw_event_ready_i.qp_error;
  assign qe      = receive_news.qp_err;
  rdma_receive #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .SLOTS(SLOTS), .CELLS(CELLS),
                 .FEATURES(FEATURES), .INFLIGHT(RX_INFLIGHT), .RQE_RUNS(RQE_RUNS), .ATOMICS(ATOMICS),
                 .QP_ON_CHIP(QP_ON_CHIP)) u_receive (
      .clk_i, .rst_ni, .control_i({control, table_i.base[64*cairn_hw_pkg::TABLE_RSP_RES +: 64], 8'h0}),
      .srq_op_i(srq_op), .srq_op_o(srq_done), .srq_db_i(srq_db),
      .rx_ready_o, .rx_i, .free_o, .free_ready_i,
      .pkt_o(cp), .pkt_i(cp_taken),
      .kick_i(flush_kick), .kick_ready_o(flush_kick_ready),
      .rq_rd_qpn_o(rq_rd_qpn), .rq_rd_pi_i(rq_rd_pi),
      .find_o(receive_find), .ctx_ready_i(receive_ctx_ready), .part_o(receive_use),
      .filling_i(filling), .qp_i(receive_qp),
      .mr_o(mr.receive), .mr_ready_i(mr_ready.receive), .mr_i(mr_answer.receive), .mr_ready_o(mr_answer_ready.receive),
      .memory_o(receive_mem), .memory_ready_i(receive_mem_ready), .dma_i, .dma_data_i,
      .news_o(receive_news), .news_ready_i(receive_news_ready), .cq_i(cq_view.rsp),
      .responses_o, .responses_ready_i, .responses_left_i(rings_i.left),
      .tx_err_i(reports_i.rsp), .tx_err_ready_o(reports_ready_o.rsp),
      .events_o(events_o.rdma_receive),
      .idle_o(rcv_idle));

  // ---- scheduler, requester, completer ----
  cairn_int_pkg::tx_allow_t        gone_back;
  cairn_int_pkg::send_news_t       send_news;
  cairn_int_pkg::send_news_ready_t send_news_ready;
  assign send_news_ready.cq     = news_ready.cq.cmp;
  assign send_news_ready.qp_err = fw_event_ready_i.qp_error && !qe.valid;
  assign ce   = send_news.qp_err;
  assign news = {receive_news.cq, send_news.cq, receive_news.eqe};
  rdma_send #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .SLOTS(SLOTS), .GIDS(GIDS), .RX_INFLIGHT(RX_INFLIGHT),
              .READS(READS), .DESCRIPTORS(DESCRIPTORS), .CROWDS(CQ_ON_CHIP == 0), .FEATURES(FEATURES)) u_send (
      .clk_i, .rst_ni, .time_now_i, .control_i(control),
      .news_o(send_news), .news_ready_i(send_news_ready), .cq_i(cq_view.cmp),
      .gid_i,
      .mr_o(mr.send), .mr_ready_i(mr_ready.send), .mr_i(mr_answer.send), .mr_ready_o(mr_answer_ready.send),
      .sq_rd_o(sq_rd), .sq_rd_i(sq_pi), .pushed_i(pushed), .pushed_o(pushed_use),
      .kick_i(send_kick), .kick_ready_o(send_kick_ready),
      .pkt_i(cp), .pkt_o(cp_taken),
      .ctx_o(send_ctx), .ctx_ready_i(send_ctx_ready), .part_o(send_use), .qp_i(send_qp),
      .memory_o(send_mem), .memory_ready_i(send_mem_ready), .dma_i, .dma_data_i,
      .requests_o, .requests_ready_i, .requests_inl_data_o,
      .tx_err_i(reports_i.req), .tx_err_ready_o(reports_ready_o.req),
      .sent_i(reports_i.sent), .sent_ready_o(reports_ready_o.sent),
      .closed_i(sq_closed), .allow_o(gone_back), .events_o(events_o.rdma_send), .rest_o(snd_rest));

  // ---- what may leave of a QP: its epoch when it goes back; firmware's word when no other is written ----
  cairn_int_pkg::tx_allow_t fw_allow_q;
  logic                     fw_allows;
  assign fw_allows = db_op_i.valid && db_op_o.ready && db_op_i.kind == cairn_hw_pkg::DB_TABLE_SQ
                     && (db_op_i.op == cairn_hw_pkg::DB_OP_OPEN || db_op_i.op == cairn_hw_pkg::DB_OP_CLOSE
                         || (db_op_i.op == cairn_hw_pkg::DB_OP_ERROR && db_op_i.page[1]));
  assign allow_o   = gone_back.valid ? gone_back : fw_allow_q;
  cairn_int_pkg::kick_t sq_closed;
  always_ff @(posedge clk_i) begin
    sq_closed <= {rst_ni && db_op_i.valid && db_op_o.ready && db_op_i.kind == cairn_hw_pkg::DB_TABLE_SQ
                  && (db_op_i.op == cairn_hw_pkg::DB_OP_OPEN || db_op_i.op == cairn_hw_pkg::DB_OP_CLOSE
                      || (db_op_i.op == cairn_hw_pkg::DB_OP_ERROR && db_op_i.page != 8'h1)), db_op_i.number};
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

  fence #(.NBUSY(5)) u_fence (
      .clk_i, .rst_ni, .start_i(control_i.fence_start), .halt_o(halt), .done_o(state_o.fence_done),
      .busy_i({control_i.dma_busy, control_i.tx_busy, !rcv_idle, snd_rest.fence_busy, st_rest.fence_busy}));

  // A cycle late, both ways: it comes from everywhere, and nobody acts on it within 8 cycles.
  logic idle_q;
  always_ff @(posedge clk_i) begin
    idle_q <= rst_ni && st_rest.idle && rcv_idle && snd_rest.idle && db_idle && !bad_pend_q && !halt && !qe.valid
              && !fw_allow_q.valid;
  end
  assign state_o.idle = idle_q;
endmodule
