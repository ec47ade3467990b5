// SPDX-License-Identifier: Apache-2.0
// The completer: responses and timers of the requester side. Wiring (docs/rtl/completer.md).
//
// cmp_packet (acknowledged state) -> cmp_place (READ data) -> cmp_retire (walker, completions), cmp_kick (whose turn at
// the walker it is), retry_timer; and the merging of shared ports: WQE cache (walker first), pins and releases.
// Order: every packet taken ends with exactly one release of its pin, which is also the end of its credit; visits of
//   the walker end with one release of theirs.
// rest_o.deadline: the wheel's next one, valid while it rests.
module completer #(
    parameter int unsigned DATA_W      = 512,
    parameter int unsigned SLOTS       = 128,
    parameter int unsigned QPS_LOG2    = 10,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter int unsigned READ_CHUNK  = 1024,
    parameter logic [31:0] FEATURES    = '1,    // as REG FEATURES: atomics may be left out
    parameter bit          CROWDS      = 1'b1,  // a CQ may be crowded
    parameter int unsigned LANES       = (DATA_W >= 512) ? ((SLOTS > 256) ? 256 : SLOTS)
                                                         : (SLOTS > 128) ? SLOTS / 8 : (SLOTS > 16) ? 16 : SLOTS,
    localparam int unsigned AW = $clog2(SLOTS),
    localparam bit ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic                                  halt_i,
    input  logic [63:0]                           time_now_i,
    // response packets
    input  cairn_int_pkg::rx_offer_t              pkt_i,
    output cairn_int_pkg::rx_taken_t              pkt_o,
    output cairn_int_pkg::completer_use_t         part_o,
    input  cairn_int_pkg::completer_view_t        part_i,
    output cairn_int_pkg::sq_walked_t             sq_rd_o,      // doorbell, reader 1; req_sent: UC, UD, GSI
    input  cairn_int_pkg::walk_view_t             sq_rd_i,
    // QP cache, source CMPK, always with pin
    output cairn_int_pkg::ctx_req_t               ctx_o,
    input  logic                                  ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t               ctx_i,
    input  cairn_int_pkg::ctx_fill_t              fill_i,
    // kicks
    input  cairn_int_pkg::walk_kicks_t            kick_i,
    input  cairn_int_pkg::sender_now_t            sender_i,
    output cairn_int_pkg::completer_kicks_t       sched_o,
    input  cairn_int_pkg::completer_kicks_ready_t sched_ready_i,
    output cairn_int_pkg::walk_kicks_ready_t      kick_ready_o,
    // ack timer of req_issue
    input  cairn_int_pkg::timer_set_t             timer_i,      // ack timer of req_issue
    output logic                                  timer_ready_o,
    output cairn_int_pkg::rest_t                  rest_o,
    // descriptors, one cycle
    output cairn_int_pkg::desc_look_t             desc_o,
    input  cairn_int_pkg::sq_desc_t               desc_i,
    // wqe_fetch, port 1
    output cairn_int_pkg::wqe_lookup_t            wqe_o,
    input  cairn_int_pkg::wqe_found_t             wqe_i,
    output cairn_int_pkg::wqe_fetch_t             fetch_o,
    input  cairn_int_pkg::fetch_answer_t          fetch_i,
    // MR service, client MRC_CMP
    output cairn_int_pkg::mr_ask_t                mr_o,
    input  logic                                  mr_ready_i,
    input  cairn_int_pkg::mr_answer_t             mr_i,
    output logic                                  mr_ready_o,
    output logic                                  drained_o,
    // posted writes, port WR_CMP
    output cairn_int_pkg::dma_write_t             wr_o,
    input  logic                                  wr_ready_i,
    // completions, events, firmware (DEV_EVENT QP_ERROR)
    // crowded CQs: of cmp_retire's QP, one cycle later; one is so no more
    output cairn_int_pkg::send_news_t             news_o,
    input  cairn_int_pkg::send_news_ready_t       news_ready_i,
    input  cairn_int_pkg::cq_view_t               cq_i,
    output cairn_hw_pkg::completer_events_t       events_o,
    output cairn_int_pkg::tx_allow_t              allow_o,
    output cairn_int_pkg::rd_count_t              rd_done_o    // see req_reads
);

  // No QPN is longer: what is kept and compared of it is not, either.
  cairn_int_pkg::rx_offer_t pkt;
  cairn_int_pkg::ctx_rsp_t  ctx;
  cairn_int_pkg::sq_desc_t  desc;
  always_comb begin
    {pkt, ctx, desc}  = {pkt_i, ctx_i, desc_i};
    pkt.pkt.meta.qpn = 24'(pkt_i.pkt.meta.qpn[QPS_LOG2-1:0]);
    ctx.key          = 24'(ctx_i.key[QPS_LOG2-1:0]);
    desc.qpn         = 24'(desc_i.qpn[QPS_LOG2-1:0]);
  end

  // ---- acknowledged state ----
  logic [1:0] ev_valid, ev_ready;
  cairn_int_pkg::cmp_ev_t retire_ev, place_ev;
  logic pl_valid, pl_room, ra_ready, tm_ready, idle_p;
  cairn_int_pkg::unpin_t          ra, rb, retire_unpin, kick_unpin;
  cairn_int_pkg::progress_kicks_t pk, rk;
  cairn_int_pkg::progress_kicks_ready_t pk_ready, rk_ready;
  cairn_int_pkg::timer_set_t      tm;
  cairn_int_pkg::cmp_rec_t pl;
  // timer_scan looks at no more of a deadline.
  cmp_packet #(.FULL(DATA_W >= 512), .ATOMIC(ATOMIC), .TIME_W((QPS_LOG2 < 8) ? 46 : 64)) u_packet (
      .clk_i, .rst_ni, .halt_i, .time_now_i, .pkt_valid_i(pkt.valid), .pkt_ready_o(pkt_o.ready),
      .pkt_i(pkt.pkt),
      .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .retire_ev_i(retire_ev), .place_ev_i(place_ev),
      .rd_slot_o(part_o.packet), .rd_asks_o(part_o.packet_asks), .rd_ok_i(part_i.packet_ok),
      .part_i(part_i.packet),
      .write_o(part_o.write_packet),
      .place_valid_o(pl_valid), .place_room_i(pl_room), .place_o(pl), .rel_o(ra), .rel_ready_i(ra_ready),
      .kick_o(pk), .kick_ready_i(pk_ready), .timer_o(tm),
      .timer_ready_i(tm_ready),
      .events_o(events_o.cmp_packet), .allow_o,
      .idle_o(idle_p));
  assign sched_o.packet = pk.sched;
  assign sched_o.retire = rk.sched;
  assign pk_ready.sched = sched_ready_i.packet;
  assign rk_ready.sched = sched_ready_i.retire;

  // ---- READ data ----
  logic busy, plk_ready, pg_ready, lkick_ready, wk_ready, rb_ready, idle_l;
  logic [AW-1:0] busy_slot;
  cairn_int_pkg::wqe_lookup_t    place_wqe, walk_wqe;
  cairn_int_pkg::wqe_fetch_t     place_fetch, walk_fetch;
  cairn_int_pkg::fetch_answer_t  place_fetched, walk_fetched;
  cairn_int_pkg::desc_look_t     place_desc, walk_desc;
  logic                          walk_wants;
  cairn_int_pkg::read_progress_t prog;
  cairn_int_pkg::walk_end_t      wake;
  cairn_int_pkg::kick_t          lkick;
  cmp_place #(.SLOTS(SLOTS), .ENTRIES(RX_INFLIGHT), .READ_CHUNK(READ_CHUNK),
              .PARTS(512 / ((DATA_W < 128) ? 128 : DATA_W)), .FEW(DATA_W < 512),
              .ANSWERS(DATA_W < 512 ? 16 : 32), .ATOMIC(ATOMIC), .LANES(LANES), .QPS_LOG2(QPS_LOG2)) u_place (
      .clk_i, .rst_ni, .in_valid_i(pl_valid), .in_room_o(pl_room), .in_i(pl), .rd_slot_o(part_o.place),
      .rd_asks_o(part_o.place_asks), .rd_ok_i(part_i.place_ok), .part_i(part_i.place),
      .busy_slot_i(busy_slot), .busy_o(busy),
      .desc_o(place_desc), .desc_ready_i(!walk_wants), .desc_i(desc),
      .wqe_o(place_wqe), .wqe_ready_i(plk_ready), .wqe_i, .fetch_o(place_fetch), .fetch_ready_i(place_fetched.ready),
      .fetch_retry_i(place_fetched.retry),
      .mr_o, .mr_ready_i, .mr_i, .mr_ready_o,
      .drained_o,
      .wr_o, .wr_ready_i, .prog_o(prog), .prog_ready_i(pg_ready),
      .kick_o(lkick), .kick_ready_i(lkick_ready),
      .wake_i(wake), .wake_ready_o(wk_ready),
      .ev_valid_o(ev_valid[1]),
      .ev_ready_i(ev_ready[1]),
      .ev_o(place_ev), .rel_o(rb), .rel_ready_i(rb_ready),
      .events_o(events_o.cmp_place), .idle_o(idle_l));

  // ---- pins of packets: one a cycle ----
  assign rb_ready                  = 1'b1;
  assign ra_ready                  = !rb.valid;
  assign pkt_o.done                = ra.valid || rb.valid;
  assign part_o.unpin_packet.valid = ra.valid || rb.valid;
  assign part_o.unpin_packet.slot  = rb.valid ? rb.slot : ra.slot;

  // ---- walker ----
  logic v_ready, fire_ready, idle_r, idle_k, idle_t;
  cairn_int_pkg::walk_visit_t visit;
  cairn_int_pkg::kick_t       fire;
  cairn_int_pkg::psn_now_t    retired;
  cairn_int_pkg::retire_parts_t walk_parts;
  assign walk_parts      = {part_i.retire, part_i.shared, part_i.retire_ok};
  cairn_hw_pkg::qp_cmp_t      now_retired;
  logic [5:0]                 oldest_q;
  assign now_retired     = {part_o.write_retire.data, 256'h0};
  assign sq_rd_o.retired = {retired.valid, retired.qpn, oldest_q};
  always_ff @(posedge clk_i) oldest_q <= now_retired.oldest_old_index[5:0];
  cmp_retire #(.SLOTS(SLOTS), .FULL(DATA_W >= 512), .READ_CHUNK(READ_CHUNK), .POLLS(LANES < SLOTS)) u_retire (
      .clk_i, .rst_ni, .visit_i(visit), .visit_ready_o(v_ready), .prog_i(prog), .prog_ready_o(pg_ready),
      .rd_o({part_o.retire_asks, part_o.retire}), .part_i(walk_parts),
      .write_o(part_o.write_retire), .retired_o(retired),
      .sq_rd_qpn_o(sq_rd_o.qpn), .sq_rd_i,
      .desc_o(walk_desc), .desc_want_o(walk_wants), .desc_i(desc),
      .wqe_o(walk_wqe), .wqe_i, .fetch_o(walk_fetch), .fetch_i(walk_fetched),
      .busy_slot_o(busy_slot), .busy_i(busy), .ev_valid_o(ev_valid[0]), .ev_ready_i(ev_ready[0]), .ev_o(retire_ev),
      .wake_o(wake), .wake_ready_i(wk_ready),
      .unpin_o(retire_unpin),
      .kick_o(rk), .kick_ready_i(rk_ready), .kicked_i(sender_i.kicked),
      .cqe_o(news_o.cq.put), .cqe_ready_i(news_ready_i.cq),
      .cq_cqn_o(news_o.cq.cqn), .cq_crowded_i(CROWDS && cq_i.crowded), .held_o(hd), .held_ready_i(hd_ready),
      .qp_err_o(news_o.qp_err), .qp_err_ready_i(news_ready_i.qp_err), .events_o(events_o.cmp_retire), .idle_o(idle_r));
  // What it writes says how many READs and atomics of its QP are over: that whose data is placed, or that is visited.
  logic [23:0]           visit_qpn_q;
  cairn_hw_pkg::qp_cmp_t written;
  assign written   = {part_o.write_retire.data, 256'h0};
  assign rd_done_o = {part_o.write_retire.valid, (prog.valid && pg_ready) ? prog.qpn : visit_qpn_q,
                      written.rflags_rd_done};
  always_ff @(posedge clk_i) if (visit.valid && v_ready) visit_qpn_q <= visit.qpn;
  logic hd_ready, hk_ready;
  cairn_int_pkg::kick_t hd, hk;
  if (CROWDS) begin : g_held
    cmp_held #(.QPS_LOG2(QPS_LOG2)) u_held (
        .clk_i, .rst_ni, .in_i(hd), .in_ready_o(hd_ready), .room_i(cq_i.room),
        .kick_o(hk), .kick_ready_i(hk_ready));
  end else begin : g_none_held
    logic unused;
    assign hd_ready = 1'b1;
    assign hk       = '0;
    assign unused   = ^{hd, hk_ready, cq_i};
  end
  assign part_o.unpin_visit.valid = retire_unpin.valid || kick_unpin.valid;
  assign part_o.unpin_visit.slot  = retire_unpin.valid ? retire_unpin.slot : kick_unpin.slot;

  // Descriptors and WQE cache: the walker first
  assign desc_o        = walk_wants ? walk_desc : place_desc;
  assign plk_ready     = !walk_wqe.valid;
  assign wqe_o.valid   = walk_wqe.valid || place_wqe.valid;
  assign wqe_o.qpn     = walk_wqe.valid ? walk_wqe.qpn : place_wqe.qpn;
  assign wqe_o.gen     = walk_wqe.valid ? walk_wqe.gen : place_wqe.gen;
  assign wqe_o.index   = walk_wqe.valid ? walk_wqe.index : place_wqe.index;
  assign wqe_o.limit   = walk_wqe.limit | place_wqe.limit;
  assign wqe_o.part    = walk_wqe.valid ? walk_wqe.part : place_wqe.part;
  wqe_asks #(.HELD(DATA_W >= 512)) u_asks (
      .clk_i, .rst_ni, .first_i(walk_fetch), .first_o(walk_fetched), .second_i(place_fetch), .second_o(place_fetched),
      .fetch_o, .fetch_i);

  cmp_kick #(.QPS_LOG2(QPS_LOG2), .SLOTS(SLOTS), .NKICK(9)) u_kick (
      .clk_i, .rst_ni, .halt_i,
      .kick_valid_i({hk.valid, rk.walk.valid, lkick.valid, pk.walk.valid, kick_i.sent.valid, kick_i.firmware.valid,
                     kick_i.doorbell.valid, kick_i.wqe.valid, kick_i.issue.valid}),
      .kick_ready_o({hk_ready, rk_ready.walk, lkick_ready, pk_ready.walk, kick_ready_o.sent, kick_ready_o.firmware,
                     kick_ready_o.doorbell, kick_ready_o.wqe, kick_ready_o.issue}),
      .kick_qpn_i({hk.qpn, rk.walk.qpn, lkick.qpn, pk.walk.qpn, kick_i.sent.qpn, kick_i.firmware.qpn,
                   kick_i.doorbell.qpn,
                   kick_i.wqe.qpn, kick_i.issue.qpn}),
      .fill_i,
      .fire_i(fire), .fire_ready_o(fire_ready), .ctx_o, .ctx_ready_i, .ctx_i(ctx),
      .unpin_o(kick_unpin), .unpin_ready_i(!retire_unpin.valid), .visit_o(visit), .visit_ready_i(v_ready),
      .idle_o(idle_k));
  retry_timer #(.QPS_LOG2(QPS_LOG2)) u_timer (
      .clk_i, .rst_ni, .forget_i(sender_i.forget), .time_now_i, .sent_i(sender_i.sent), .retired_i(retired),
      .req_i(timer_i), .req_ready_o(timer_ready_o), .cmp_i(tm), .cmp_ready_o(tm_ready),
      .fire_o(fire), .fire_ready_i(fire_ready),
      .next_o(rest_o.deadline), .idle_o(idle_t));
  assign rest_o.idle = idle_p && idle_l && idle_r && idle_k && idle_t;
endmodule
