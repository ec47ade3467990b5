// SPDX-License-Identifier: Apache-2.0
// The requester side of all QPs: posted work goes out, answers and timers come back. Wiring (docs/rtl/scheduler.md).
//
// qp_scheduler chooses the QP, requester makes its packets, completer takes responses and retires WQEs. Both read WQEs
// from wqe_fetch. The kicks of the scheduler are collected here.
// Halt: with halt no new visit begins.
// Fence: a fence waits for rest_o.fence_busy. It leaves out QPs that are only scheduled and reads of WQEs, which
//   rest_o.idle counts.
module rdma_send #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned GIDS     = 16,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter logic [31:0] FEATURES    = '1,    // as REG FEATURES: see requester, completer, wqe_fetch
    parameter bit          CROWDS      = 1'b1,  // a CQ may be crowded, see completer
    parameter int unsigned READS       = 224,   // READs and atomics outstanding, of all QPs; see req_reads
    parameter int unsigned DESCRIPTORS = (DATA_W >= 512) ? 8192 : 512
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic [63:0]                       time_now_i,
    input  cairn_int_pkg::engine_control_t    control_i,
    output cairn_int_pkg::send_news_t         news_o,
    input  cairn_int_pkg::send_news_ready_t   news_ready_i,
    input  cairn_int_pkg::cq_view_t           cq_i,
    input  cairn_int_pkg::gid_write_t         gid_i,     // GID table write port, see req_gids
    // kicks and producer indices of the doorbells, kicks of firmware
    input  cairn_int_pkg::send_kicks_t        kick_i,
    output cairn_int_pkg::send_kicks_ready_t  kick_ready_o,
    output cairn_int_pkg::sq_readers_t        sq_rd_o,
    input  cairn_int_pkg::sq_indices_t        sq_rd_i,
    input  cairn_int_pkg::pushed_t            pushed_i,  // pushed blocks
    output cairn_int_pkg::pushed_use_t        pushed_o,
    // responses
    input  cairn_int_pkg::rx_offer_t          pkt_i,
    output cairn_int_pkg::rx_taken_t          pkt_o,
    // QP contexts
    output cairn_int_pkg::send_ctx_req_t      ctx_o,
    input  logic [1:0]                        ctx_ready_i,
    output cairn_int_pkg::send_use_t          part_o,
    input  cairn_int_pkg::send_qps_t          qp_i,
    // memory regions, changes of keys
    output cairn_int_pkg::send_mr_t           mr_o,
    input  cairn_int_pkg::send_mr_ready_t     mr_ready_i,
    input  cairn_int_pkg::send_mr_answer_t    mr_i,
    output cairn_int_pkg::send_mr_ready_t     mr_ready_o,
    // DMA: WQEs, READ data
    output cairn_int_pkg::send_memory_t       memory_o,
    input  cairn_int_pkg::send_memory_ready_t memory_ready_i,
    input  cairn_int_pkg::dma_return_t        dma_i,
    input  logic [DATA_W-1:0]                 dma_data_i,
    // transmit path
    output cairn_int_pkg::tx_requests_t       requests_o,
    input  cairn_int_pkg::tx_requests_ready_t requests_ready_i,
    output logic [DATA_W-1:0]                 requests_inl_data_o,
    input  cairn_int_pkg::tx_failed_t         tx_err_i,
    output logic                              tx_err_ready_o,
    input  cairn_int_pkg::tx_gone_t           sent_i,
    output logic                              sent_ready_o,
    input  cairn_int_pkg::kick_t              closed_i,  // strobe: of this QP nothing is outstanding any more
    output cairn_int_pkg::tx_allow_t          allow_o,   // a QP has gone back: see cmp_packet
    output cairn_hw_pkg::rdma_send_events_t   events_o,
    output cairn_int_pkg::side_rest_t         rest_o
);
  // ---- scheduler; the fill of a context that a visit waits for is a kick, one that failed is none ----
  localparam int unsigned NSK = 8;
  logic [NSK-1:0] sk_valid;
  cairn_int_pkg::sched_kicks_ready_t sk_ready;
  logic [NSK*24-1:0] sk_qpn;
  logic s_ready, d_ready, sched_idle, crowd;
  cairn_int_pkg::kick_t             sched, fill, kicked, req_arrived;
  cairn_int_pkg::sched_done_t       done;
  cairn_int_pkg::requester_kicks_t  req_kick;
  cairn_int_pkg::completer_kicks_t  cmp_kick;
  cairn_int_pkg::walk_kicks_t       walk;
  cairn_int_pkg::walk_kicks_ready_t      walk_ready;
  cairn_int_pkg::requester_kicks_ready_t req_kick_ready;
  cairn_int_pkg::completer_kicks_ready_t cmp_kick_ready;
  assign fill = {qp_i.fill.valid && qp_i.fill.req && qp_i.fill.status == cairn_hw_pkg::CTX_RESULT_OK, qp_i.fill.key};
  qp_scheduler #(.QPS_LOG2(QPS_LOG2), .NSRC(NSK), .LOOKS((DATA_W < 512) ? 1 : 2), .FIRST(2)) u_sched (
      .clk_i, .rst_ni, .kick_valid_i(sk_valid), .kick_ready_o(sk_ready), .kick_qpn_i(sk_qpn),
      .strobe_i(fill), .kicked_o(kicked), .sched_o(sched), .sched_ready_i(s_ready), .done_i(done),
      .done_ready_o(d_ready), .crowd_o(crowd), .idle_o(sched_idle));

  // ---- WQEs ----
  logic wqe_idle;
  cairn_int_pkg::fetch_answer_t req_fetched, cmp_fetched;
  assign cmp_fetched.retry = req_fetched.retry;
  cairn_int_pkg::wqe_lookup_t req_wqe, cmp_wqe, req_ask;
  cairn_int_pkg::wqe_asked_t  req_asked;
  cairn_int_pkg::wqe_found_t  req_block, cmp_block;
  cairn_int_pkg::wqe_fetch_t  req_fetch, cmp_fetch;
  wqe_fetch #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .PUSH(FEATURES[cairn_hw_pkg::REG_FEATURES_PUSH_LSB]),
              .SETS((DATA_W < 512 || SLOTS < 128) ? 4 : (SLOTS < 1024) ? 32 : 64)) u_wqe (
      .clk_i, .rst_ni, .epoch_i(control_i.epoch), .forget_i(control_i.forget), .halt_i(control_i.halt),
      .req_wqe_i(req_wqe), .req_wqe_ready_o(req_asked.ready), .req_wqe_o(req_block), .cmp_wqe_i(cmp_wqe),
      .cmp_wqe_o(cmp_block), .ask_i(req_ask), .here_o(req_asked.here),
      .req_fetch_i(req_fetch), .req_fetch_ready_o(req_fetched.ready), .cmp_fetch_i(cmp_fetch),
      .cmp_fetch_ready_o(cmp_fetched.ready), .fetch_retry_o(req_fetched.retry), .req_kick_o(req_arrived),
      .req_kick_ready_i(sk_ready.wqe), .cmp_kick_o(walk.wqe), .cmp_kick_ready_i(walk_ready.wqe), .pushed_i,
      .pushed_ready_o(pushed_o.ready), .pushed_taken_o(pushed_o.taken),
      .rd_o(memory_o.rd), .rd_ready_i(memory_ready_i.rd), .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .events_o(events_o.wqe_fetch), .idle_o(wqe_idle));

  // ---- WQEs that are read at the doorbell ----
  cairn_int_pkg::wqe_fetch_t    asked, early;
  cairn_int_pkg::fetch_answer_t asked_answer, early_answer;
  cairn_int_pkg::kick_t         early_kick;
  logic                         early_busy, early_idle;
  if (DATA_W >= 512) begin : g_early
    // Port 0 has the requester's and these: it is their turn while the requester asks for nothing, as between any two
    // of its own (wqe_asks), and until the one that is under way is answered.
    logic mine_q;
    assign asked_answer = {req_fetched.ready && !mine_q, req_fetched.retry};
    assign early_answer = {req_fetched.ready && mine_q, req_fetched.retry};
    assign req_fetch    = mine_q ? early : asked;
    always_ff @(posedge clk_i) mine_q <= !asked.valid || (mine_q && early.valid && !req_fetched.ready);
    sq_early #(.QPS_LOG2(QPS_LOG2)) u_early (
        .clk_i, .rst_ni, .halt_i(control_i.halt), .crowd_i(crowd), .place_i(qp_i.place), .posted_i(kick_i.posted),
        .posted_ready_o(kick_ready_o.posted), .fetch_o(early), .fetch_i(early_answer), .kick_o(early_kick),
        .kick_ready_i(sk_ready.early), .busy_o(early_busy), .idle_o(early_idle));
  end else begin : g_not_early
    assign kick_ready_o.posted = 1'b0;
    assign req_fetch    = asked;
    assign asked_answer = req_fetched;
    assign early_answer = '0;
    assign early        = '0;
    assign early_kick   = '0;
    assign early_busy   = 1'b0;
    assign early_idle   = 1'b1;
    logic unused;
    assign unused = ^{kick_i.posted, qp_i.place, early, early_answer, sk_ready.early, crowd};
  end

  // ---- requester ----
  logic t_ready, req_idle;
  cairn_int_pkg::timer_set_t ack_timer;
  cairn_int_pkg::desc_look_t desc_look;
  cairn_int_pkg::sq_desc_t   desc;
  requester #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2),
              .DESCRIPTORS(DESCRIPTORS), .GIDS(GIDS), .FEATURES(FEATURES)) u_requester (
      .clk_i, .rst_ni, .time_now_i, .control_i,
      .gid_i,
      .mr_o(mr_o.requester), .mr_ready_i(mr_ready_i.requester), .mr_i(mr_i.requester),
      .mr_ready_o(mr_ready_o.requester),
      .sched_i(sched), .sched_ready_o(s_ready), .done_o(done), .done_ready_i(d_ready),
      .ctx_o(ctx_o.req), .ctx_ready_i(ctx_ready_i[0]), .ctx_i(qp_i.ctx.req), .part_o(part_o.req),
      .part_i(qp_i.part.req),
      .sq_rd_qpn_o(sq_rd_o.req), .sq_rd_pi_i(sq_rd_i.req),
      .wqe_o(req_wqe), .wqe_i(req_block), .ask_o(req_ask), .ask_i(req_asked),
      .fetch_o(asked), .fetch_i(asked_answer),
      .desc_i(desc_look), .desc_o(desc), .rd_full_i(rd_full),
      .timer_o(ack_timer), .timer_ready_i(t_ready),
      .last_ticket_i(dma_i.last_ticket), .requests_o, .requests_ready_i, .requests_inl_data_o,
      .tx_err_i, .tx_err_ready_o,
      .kick_o(req_kick), .kick_ready_i(req_kick_ready),
      .events_o(events_o.requester), .idle_o(req_idle));

  // ---- what has left of QPs without acknowledgements ----
  logic        sent_idle;
  cairn_int_pkg::walk_view_t walk_view;
  cairn_int_pkg::sq_walked_t walked;
  assign walk_view.pi    = sq_rd_i.walk;
  assign sq_rd_o.walk    = walked.qpn;
  assign sq_rd_o.retired = walked.retired;
  req_sent #(.QPS_LOG2(QPS_LOG2)) u_sent (
      .clk_i, .rst_ni, .sent_valid_i(sent_i.valid), .sent_ready_o, .sent_i(sent_i.left),
      .kick_o(walk.sent), .kick_ready_i(walk_ready.sent),
      .sent_rd_qpn_i(sq_rd_o.walk), .sent_o(walk_view.sent), .idle_o(sent_idle));

  // ---- completer: its readers of the parts are cmp_packet, cmp_place, cmp_retire ----
  cairn_int_pkg::rest_t       cmp_rest;
  cairn_int_pkg::sender_now_t sender;
  cairn_hw_pkg::qp_req_t      written;
  cairn_int_pkg::psn_now_t    sent_q;
  assign written = part_o.req.write.data;
  assign sender  = {kicked, sent_q, control_i.forget};
  always_ff @(posedge clk_i) begin
    sent_q <= {rst_ni && part_o.req.write.valid, written.tag_qpn, written.tag_gen, written.hi_psn[15:0]};
  end
  completer #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2), .RX_INFLIGHT(RX_INFLIGHT),
              .FEATURES(FEATURES), .CROWDS(CROWDS)) u_completer (
      .clk_i, .rst_ni, .halt_i(1'b0), .time_now_i,
      .pkt_i, .pkt_o,
      .sq_rd_o(walked), .sq_rd_i(walk_view),
      .ctx_o(ctx_o.cmp), .ctx_ready_i(ctx_ready_i[1]), .ctx_i(qp_i.ctx.cmp), .part_o(part_o.cmp),
      .part_i(qp_i.part.cmp), .fill_i(qp_i.fill),
      .kick_i(walk), .kick_ready_o(walk_ready), .sender_i(sender), .sched_o(cmp_kick),
      .sched_ready_i(cmp_kick_ready), .timer_i(ack_timer),
      .timer_ready_o(t_ready), .desc_o(desc_look), .desc_i(desc),
      .wqe_o(cmp_wqe), .wqe_i(cmp_block), .fetch_o(cmp_fetch), .fetch_i(cmp_fetched),
      .mr_o(mr_o.completer), .mr_ready_i(mr_ready_i.completer), .mr_i(mr_i.completer),
      .mr_ready_o(mr_ready_o.completer), .drained_o(mr_o.completer_drained),
      .wr_o(memory_o.wr), .wr_ready_i(memory_ready_i.wr), .news_o, .news_ready_i, .cq_i,
      .events_o(events_o.completer),
      .allow_o, .rd_done_o(rd_done), .rest_o(cmp_rest));

  // ---- READs and atomics of all QPs ----
  logic rd_full;
  cairn_int_pkg::rd_count_t rd_done;
  req_reads #(.QPS_LOG2(QPS_LOG2), .ROOM(READS), .HOLD(READS / 8)) u_reads (
      .clk_i, .rst_ni, .issued_i(req_kick.rd_issued), .done_i(rd_done), .closed_i, .full_o(rd_full));

  // ---- kicks of the scheduler ----
  assign sk_valid = {kick_i.fw_sched.valid, early_kick.valid, cmp_kick.retire.valid, cmp_kick.packet.valid,
                     req_kick.mr.valid, req_arrived.valid, req_kick.failed.valid, kick_i.sched.valid};
  assign sk_qpn   = {kick_i.fw_sched.qpn, early_kick.qpn, cmp_kick.retire.qpn, cmp_kick.packet.qpn, req_kick.mr.qpn,
                     req_arrived.qpn, req_kick.failed.qpn, kick_i.sched.qpn};
  assign req_kick_ready.failed = sk_ready.failed;
  assign req_kick_ready.mr     = sk_ready.mr;
  assign req_kick_ready.walk   = walk_ready.issue;
  assign cmp_kick_ready.packet = sk_ready.packet;
  assign cmp_kick_ready.retire = sk_ready.retire;
  assign kick_ready_o.sched    = sk_ready.doorbell;
  assign kick_ready_o.walk     = walk_ready.doorbell;
  assign kick_ready_o.fw_sched = sk_ready.firmware;
  assign kick_ready_o.fw_walk  = walk_ready.firmware;
  // ---- and of the walker ----
  assign walk.issue      = req_kick.walk;
  assign walk.doorbell   = kick_i.walk;
  assign walk.firmware   = kick_i.fw_walk;

  assign rest_o = {!cmp_rest.idle || !req_idle || early_busy || walk.sent.valid,
                   sched_idle && wqe_idle && early_idle && req_idle && cmp_rest.idle && sent_idle
                   && !news_o.qp_err.valid,
                   cmp_rest.deadline};
endmodule
