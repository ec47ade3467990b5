// SPDX-License-Identifier: Apache-2.0
// The completer: responses and timers of the requester side. Wiring (docs/rtl/completer.md).
//
// cmp_packet (acknowledged state) -> cmp_place (READ data) -> cmp_retire (walker, completions), cmp_kick (whose turn at
// the walker it is), retry_timer; and the merging of shared ports: WQE cache (walker first), pins and releases.
// Order: every packet taken ends with exactly one release of its pin, which is also the end of its credit; visits of
//   the walker end with one release of theirs.
// next_*: the wheel's next deadline, valid while idle_o.
module completer #(
    parameter int unsigned SLOTS       = 128,
    parameter int unsigned QPS_LOG2    = 10,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter int unsigned READ_CHUNK  = 1024,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic                                  halt_i,
    input  logic [63:0]                           time_now_i,
    // response packets: {cfg 512, rx_meta_t}
    input  logic                                  cmp_pkt_valid_i,
    output logic                                  cmp_pkt_ready_o,
    input  logic [cairn_int_pkg::RX_META_W+511:0] cmp_pkt_i,
    output logic                                  rx_done_o,
    output cairn_int_pkg::completer_use_t         part_o,
    input  cairn_int_pkg::completer_view_t        part_i,
    output logic [23:0]                           sq_rd_qpn_o,    // doorbell, reader 1
    input  logic [15:0]                           sq_rd_pi_i,
    output logic [23:0]                           sent_rd_qpn_o,  // req_sent: UC, UD, GSI
    input  logic [7:0]                            sent_gen_i,
    input  logic [23:0]                           sent_psn_i,
    // QP cache, source CMPK, always with pin
    output cairn_int_pkg::ctx_req_t               ctx_o,
    input  logic                                  ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t               ctx_i,
    input  cairn_int_pkg::ctx_fill_t              fill_i,
    // kicks
    input  logic [4:0]                            kick_valid_i,
    output logic [4:0]                            kick_ready_o,
    input  logic [5*24-1:0]                       kick_qpn_i,
    output logic [1:0]                            sched_valid_o,
    input  logic [1:0]                            sched_ready_i,
    output logic [2*24-1:0]                       sched_qpn_o,
    // ack timer of req_issue
    input  logic                                  tmr_valid_i,
    output logic                                  tmr_ready_o,
    input  logic [23:0]                           tmr_qpn_i,
    input  logic [63:0]                           tmr_deadline_i,
    output logic                                  next_valid_o,
    output logic [63:0]                           next_deadline_o,
    // descriptors, one cycle
    output logic [cairn_int_pkg::SLOT_W-1:0]      desc_slot_o,
    output logic [15:0]                           desc_index_o,
    input  logic [cairn_int_pkg::SQ_DESC_W-1:0]   desc_i,
    // wqe_fetch, port 1
    output logic                                  wlk_valid_o,
    output logic [23:0]                           wlk_qpn_o,
    output logic [7:0]                            wlk_gen_o,
    output logic [15:0]                           wlk_index_o,
    input  logic                                  wlk_hit_i,
    input  logic                                  wlk_err_i,
    input  logic [511:0]                          wlk_data_i,
    output logic                                  wft_valid_o,
    input  logic                                  wft_ready_i,
    input  logic                                  wft_retry_i,
    output logic [23:0]                           wft_qpn_o,
    output logic [7:0]                            wft_gen_o,
    output logic [15:0]                           wft_index_o,
    output logic [15:0]                           wft_limit_o,
    output logic [63:0]                           wft_base_o,
    output logic [3:0]                            wft_log2_o,
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
    output logic [23:0]                           cq_cqn_o,
    input  logic                                  cq_crowded_i,
    input  logic                                  cq_room_i,
    output logic                                  cqe_valid_o,
    input  logic                                  cqe_ready_i,
    output logic [cairn_int_pkg::CQE_REQ_W-1:0]   cqe_o,
    output logic                                  qp_err_valid_o,
    input  logic                                  qp_err_ready_i,
    output logic [23:0]                           qp_err_qpn_o,
    output cairn_hw_pkg::completer_events_t       events_o,
    output logic [39:0]                           gb_o,           // see cmp_packet
    output logic                                  idle_o
);
  localparam int unsigned EV_W  = cairn_int_pkg::CMP_EV_W;
  localparam int unsigned REC_W = cairn_int_pkg::CMP_REC_W;

  // ---- acknowledged state ----
  logic [1:0]        ev_valid, ev_ready, pk_valid, pk_ready;
  logic [2*EV_W-1:0] ev;
  logic              pl_valid, pl_room, ra_valid, ra_ready, tm_valid, tm_ready, idle_p;
  logic [REC_W-1:0]  pl;
  logic [AW-1:0]     ra_slot;
  logic [2*24-1:0]   pk_qpn;
  logic [88:0]       tm;
  cmp_packet #(.SLOTS(SLOTS)) u_packet (
      .clk_i, .rst_ni, .halt_i, .time_now_i, .pkt_valid_i(cmp_pkt_valid_i), .pkt_ready_o(cmp_pkt_ready_o),
      .pkt_i(cmp_pkt_i),
      .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .ev_i(ev), .rd_slot_o(part_o.packet), .part_i(part_i.packet),
      .write_o(part_o.write_packet),
      .place_valid_o(pl_valid), .place_room_i(pl_room), .place_o(pl), .rel_valid_o(ra_valid), .rel_ready_i(ra_ready),
      .rel_slot_o(ra_slot),
      .kick_valid_o(pk_valid), .kick_ready_i(pk_ready), .kick_qpn_o(pk_qpn), .tmr_valid_o(tm_valid),
      .tmr_ready_i(tm_ready), .tmr_o(tm),
      .events_o(events_o.cmp_packet), .gb_o, .idle_o(idle_p));
  assign sched_valid_o[0] = pk_valid[0];
  assign pk_ready[0]      = sched_ready_i[0];
  assign sched_qpn_o[23:0] = pk_qpn[23:0];

  // ---- READ data ----
  logic        busy, plk_valid, plk_ready, pft_valid, pft_ready, pg_valid, pg_ready, pg_chunk, lkick_valid, lkick_ready,
      wk_valid, wk_ready, wk_stuck, rb_valid, rb_ready;
  logic        idle_l;
  logic [AW-1:0] busy_slot, pg_slot, wk_slot, rb_slot;
  logic [23:0] plk_qpn, pg_qpn, lkick_qpn;
  logic [7:0]  plk_gen;
  logic [15:0] plk_index, pft_limit;
  logic [63:0] pft_base;
  logic [3:0]  pft_log2;
  logic [cairn_int_pkg::LEN_W-1:0] pg_len;
  cmp_place #(.SLOTS(SLOTS), .ENTRIES(RX_INFLIGHT), .READ_CHUNK(READ_CHUNK)) u_place (
      .clk_i, .rst_ni, .in_valid_i(pl_valid), .in_room_o(pl_room), .in_i(pl), .rd_slot_o(part_o.place),
      .part_i(part_i.place),
      .busy_slot_i(busy_slot), .busy_o(busy),
      .lk_valid_o(plk_valid), .lk_ready_i(plk_ready), .lk_qpn_o(plk_qpn), .lk_gen_o(plk_gen), .lk_index_o(plk_index),
      .lk_hit_i(wlk_hit_i), .lk_err_i(wlk_err_i), .lk_data_i(wlk_data_i), .ft_valid_o(pft_valid),
      .ft_ready_i(pft_ready), .ft_retry_i(wft_retry_i),
      .ft_limit_o(pft_limit), .ft_base_o(pft_base), .ft_log2_o(pft_log2), .mr_o, .mr_ready_i, .mr_i, .mr_ready_o,
      .drained_o,
      .wr_o, .wr_ready_i, .prog_valid_o(pg_valid), .prog_ready_i(pg_ready),
      .prog_slot_o(pg_slot),
      .prog_qpn_o(pg_qpn), .prog_len_o(pg_len), .prog_chunk_o(pg_chunk), .kick_valid_o(lkick_valid),
      .kick_ready_i(lkick_ready), .kick_qpn_o(lkick_qpn),
      .wake_valid_i(wk_valid), .wake_ready_o(wk_ready), .wake_slot_i(wk_slot), .wake_stuck_i(wk_stuck),
      .ev_valid_o(ev_valid[1]),
      .ev_ready_i(ev_ready[1]),
      .ev_o(ev[EV_W +: EV_W]), .rel_valid_o(rb_valid), .rel_ready_i(rb_ready), .rel_slot_o(rb_slot),
      .events_o(events_o.cmp_place), .idle_o(idle_l));

  // ---- pins of packets: one a cycle ----
  assign rb_ready          = 1'b1;
  assign ra_ready          = !rb_valid;
  assign rx_done_o         = ra_valid || rb_valid;
  assign part_o.unpin_packet.valid = rx_done_o;
  assign part_o.unpin_packet.slot  = cairn_int_pkg::SLOT_W'({rb_valid ? rb_slot : ra_slot});

  // ---- walker ----
  logic        v_valid, v_ready, v_fired, fire_valid, fire_ready, rlk_valid, rft_valid, rft_ready,
      idle_r, idle_k, idle_t;
  logic [AW-1:0] v_slot;
  cairn_int_pkg::unpin_t retire_unpin, kick_unpin;
  logic [23:0] v_qpn, fire_qpn, rlk_qpn;
  logic [7:0]  rlk_gen;
  logic [15:0] rlk_index, rft_limit;
  logic [63:0] rft_base;
  logic [3:0]  rft_log2;
  logic [1:0]  rk_valid, rk_ready;
  logic [2*24-1:0] rk_qpn;
  cmp_retire #(.SLOTS(SLOTS)) u_retire (
      .clk_i, .rst_ni, .visit_valid_i(v_valid), .visit_ready_o(v_ready), .visit_fired_i(v_fired), .visit_slot_i(v_slot),
      .visit_qpn_i(v_qpn),
      .prog_valid_i(pg_valid), .prog_ready_o(pg_ready), .prog_slot_i(pg_slot), .prog_qpn_i(pg_qpn), .prog_len_i(pg_len),
      .prog_chunk_i(pg_chunk),
      .rd_slot_o(part_o.retire), .part_i(part_i.retire), .write_o(part_o.write_retire), .sq_rd_qpn_o, .sq_rd_pi_i,
      .sent_gen_i, .sent_psn_i,
      .desc_slot_o,
      .desc_index_o, .desc_i,
      .lk_valid_o(rlk_valid), .lk_qpn_o(rlk_qpn), .lk_gen_o(rlk_gen), .lk_index_o(rlk_index), .lk_hit_i(wlk_hit_i),
      .lk_err_i(wlk_err_i), .lk_data_i(wlk_data_i),
      .ft_valid_o(rft_valid), .ft_ready_i(rft_ready), .ft_retry_i(wft_retry_i), .ft_limit_o(rft_limit),
      .ft_base_o(rft_base), .ft_log2_o(rft_log2),
      .busy_slot_o(busy_slot), .busy_i(busy), .ev_valid_o(ev_valid[0]), .ev_ready_i(ev_ready[0]), .ev_o(ev[EV_W-1:0]),
      .wake_valid_o(wk_valid), .wake_ready_i(wk_ready), .wake_slot_o(wk_slot), .wake_stuck_o(wk_stuck),
      .unpin_o(retire_unpin),
      .unpin_ready_i(1'b1),
      .kick_valid_o(rk_valid), .kick_ready_i(rk_ready), .kick_qpn_o(rk_qpn), .cqe_valid_o, .cqe_ready_i, .cqe_o,
      .cq_cqn_o, .cq_crowded_i, .held_valid_o(hd_valid), .held_ready_i(hd_ready), .held_qpn_o(hd_qpn),
      .qp_err_valid_o, .qp_err_ready_i, .qp_err_qpn_o, .events_o(events_o.cmp_retire), .idle_o(idle_r));
  logic        hd_valid, hd_ready, hk_valid, hk_ready;
  logic [23:0] hd_qpn, hk_qpn;
  cmp_held #(.QPS_LOG2(QPS_LOG2)) u_held (
      .clk_i, .rst_ni, .in_valid_i(hd_valid), .in_ready_o(hd_ready), .in_qpn_i(hd_qpn), .room_i(cq_room_i),
      .kick_valid_o(hk_valid), .kick_ready_i(hk_ready), .kick_qpn_o(hk_qpn));
  assign sent_rd_qpn_o      = sq_rd_qpn_o;
  assign sched_valid_o[1]   = rk_valid[0];
  assign rk_ready[0]        = sched_ready_i[1];
  assign sched_qpn_o[47:24] = rk_qpn[23:0];
  assign part_o.unpin_visit.valid = retire_unpin.valid || kick_unpin.valid;
  assign part_o.unpin_visit.slot  = retire_unpin.valid ? retire_unpin.slot : kick_unpin.slot;

  // WQE cache: the walker first
  assign plk_ready   = !rlk_valid;
  assign wlk_valid_o = rlk_valid || plk_valid;
  assign wlk_qpn_o   = rlk_valid ? rlk_qpn : plk_qpn;
  assign wlk_gen_o   = rlk_valid ? rlk_gen : plk_gen;
  assign wlk_index_o = rlk_valid ? rlk_index : plk_index;
  assign wft_valid_o = rft_valid || pft_valid;
  assign rft_ready   = wft_ready_i;
  assign pft_ready   = wft_ready_i && !rft_valid;
  assign wft_qpn_o   = rft_valid ? rlk_qpn : plk_qpn;
  assign wft_gen_o   = rft_valid ? rlk_gen : plk_gen;
  assign wft_index_o = rft_valid ? rlk_index : plk_index;
  assign wft_limit_o = rft_valid ? rft_limit : pft_limit;
  assign wft_base_o  = rft_valid ? rft_base : pft_base;
  assign wft_log2_o  = rft_valid ? rft_log2 : pft_log2;

  cmp_kick #(.QPS_LOG2(QPS_LOG2), .SLOTS(SLOTS), .NKICK(9)) u_kick (
      .clk_i, .rst_ni, .halt_i, .kick_valid_i({hk_valid, rk_valid[1], lkick_valid, pk_valid[1], kick_valid_i}),
      .kick_ready_o({hk_ready, rk_ready[1], lkick_ready, pk_ready[1], kick_ready_o}),
      .kick_qpn_i({hk_qpn, rk_qpn[47:24], lkick_qpn, pk_qpn[47:24], kick_qpn_i}), .fill_i,
      .fire_valid_i(fire_valid), .fire_ready_o(fire_ready), .fire_qpn_i(fire_qpn), .ctx_o, .ctx_ready_i, .ctx_i,
      .unpin_o(kick_unpin), .unpin_ready_i(!retire_unpin.valid), .visit_valid_o(v_valid),
      .visit_ready_i(v_ready),
      .visit_fired_o(v_fired), .visit_slot_o(v_slot), .visit_qpn_o(v_qpn), .idle_o(idle_k));
  retry_timer #(.QPS_LOG2(QPS_LOG2)) u_timer (
      .clk_i, .rst_ni, .time_now_i, .req_valid_i(tmr_valid_i), .req_ready_o(tmr_ready_o), .req_qpn_i(tmr_qpn_i),
      .req_deadline_i(tmr_deadline_i),
      .cmp_valid_i(tm_valid), .cmp_ready_o(tm_ready), .cmp_i(tm), .fire_valid_o(fire_valid), .fire_ready_i(fire_ready),
      .fire_qpn_o(fire_qpn),
      .next_valid_o, .next_deadline_o, .idle_o(idle_t));
  assign idle_o = idle_p && idle_l && idle_r && idle_k && idle_t;
endmodule
