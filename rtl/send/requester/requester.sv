// SPDX-License-Identifier: Apache-2.0
// The requester: req_visit -> req_missed -> req_build -> req_issue, with the tables that they share. Wiring
// (docs/rtl/requester.md).
//
// The table of failed payload reads, the send descriptors and what it needs of the GID table.
// Order: of QPs to give back, req_issue's go first, then req_missed's, since they have waited longer.
module requester #(
    parameter int unsigned DATA_W       = 512,
    parameter int unsigned SLOTS        = 128,
    parameter int unsigned QPS_LOG2     = 12,
    parameter int unsigned DESCRIPTORS  = 1024,
    parameter int unsigned GIDS         = 16,
    parameter int unsigned VISITS       = (DATA_W < 512) ? 1 : 8,   // of QPs that wait for req_build, see below
    parameter logic [31:0] FEATURES     = '1,     // as REG FEATURES: atomics and local operations may be left out
    parameter int unsigned READ_CHUNK   = 1024,   // PSNs of one READ request, a power of two; as the completer
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [63:0]                           time_now_i,
    input  cairn_int_pkg::engine_control_t        control_i,
    // GID table write port, see req_gids
    input  cairn_int_pkg::gid_write_t             gid_i,
    input  cairn_int_pkg::kick_t                  sched_i,
    output logic                                  sched_ready_o,
    output cairn_int_pkg::sched_done_t            done_o,
    input  logic                                  done_ready_i,
    output cairn_int_pkg::requester_use_t         part_o,
    // context cache, source REQ
    output cairn_int_pkg::ctx_req_t               ctx_o,
    input  logic                                  ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t               ctx_i,
    input  cairn_int_pkg::requester_view_t        part_i,
    output logic [23:0]                           sq_rd_qpn_o,
    input  logic [15:0]                           sq_rd_pi_i,
    // wqe_fetch, port 0
    output cairn_int_pkg::wqe_lookup_t            wqe_o,
    input  cairn_int_pkg::wqe_found_t             wqe_i,
    output cairn_int_pkg::wqe_lookup_t            ask_o,
    input  cairn_int_pkg::wqe_asked_t             ask_i,
    output cairn_int_pkg::wqe_fetch_t             fetch_o,
    input  cairn_int_pkg::fetch_answer_t          fetch_i,
    // MR service
    output cairn_int_pkg::requester_mr_t          mr_o,
    input  cairn_int_pkg::requester_mr_ready_t    mr_ready_i,
    input  cairn_int_pkg::requester_mr_answer_t   mr_i,
    output cairn_int_pkg::requester_mr_ready_t    mr_ready_o,
    // descriptors for cmp_retire
    input  cairn_int_pkg::desc_look_t             desc_i,
    output cairn_int_pkg::sq_desc_t               desc_o,
    input  logic                                  rd_full_i,    // see req_reads
    // ack timer
    output cairn_int_pkg::timer_set_t             timer_o,
    input  logic                                  timer_ready_i,
    // tx_payload
    input  logic [cairn_int_pkg::TICKET_W-1:0]    last_ticket_i,  // newest posted write accepted
    output cairn_int_pkg::tx_requests_t           requests_o,
    input  cairn_int_pkg::tx_requests_ready_t     requests_ready_i,
    output logic [DATA_W-1:0]                     requests_inl_data_o,
    input  cairn_int_pkg::tx_failed_t             tx_err_i,
    output logic                                  tx_err_ready_o,
    output cairn_int_pkg::requester_kicks_t       kick_o,
    input  cairn_int_pkg::requester_kicks_ready_t kick_ready_i,
    output cairn_hw_pkg::requester_events_t       events_o,
    output logic                                  idle_o
);
  logic v_valid, v_ready, v_miss, b_valid, b_ready, r_valid, r_ready, i_valid, i_ready, i_last;
  cairn_int_pkg::req_visit_t visit;
  cairn_int_pkg::req_base_t  base, bq;
  cairn_int_pkg::req_rec_t   rec, rq;
  logic [DATA_W-1:0]  i_data;
  logic [NB_W-1:0]    i_nbytes;
  logic t_ask, t_live, t_idle, va_ready, ia_ready;
  cairn_int_pkg::released_t visit_end, issue_end;
  logic [23:0] t_qpn, t_psn;
  logic [7:0]         t_gen;
  logic alone, idle_v, idle_b, idle_i;
  // No QPN is longer.
  cairn_int_pkg::ctx_rsp_t ctx;
  cairn_int_pkg::tx_lost_t lost;
  always_comb begin
    {ctx, lost} = {ctx_i, tx_err_i.lost};
    ctx.key     = 24'(ctx_i.key[QPS_LOG2-1:0]);
    lost.qpn    = 24'(tx_err_i.lost.qpn[QPS_LOG2-1:0]);
  end

  req_visit #(.SLOTS(SLOTS), .DEPTH(VISITS), .READ_CHUNK(READ_CHUNK)) u_visit (
      .clk_i, .rst_ni, .halt_i(control_i.halt), .sched_i, .sched_ready_o,
      .ctx_o, .ctx_ready_i, .ctx_i(ctx),
      .part_slot_o(part_o.visit), .part_i(part_i.visit), .sq_rd_qpn_o, .sq_rd_pi_i,
      .txe_valid_o(t_ask), .txe_qpn_o(t_qpn), .txe_live_i(t_live), .txe_gen_i(t_gen), .txe_psn_i(t_psn),
      .visit_valid_o(v_valid), .visit_ready_i(v_ready), .visit_o(visit), .miss_o(v_miss), .ask_o, .here_i(ask_i.here),
      .released_o(visit_end), .released_ready_i(va_ready), .alone_o(alone),
      .events_o(events_o.req_visit), .idle_o(idle_v)
  );
  // Its own fetches go before those that keep nobody waiting.
  logic                         g_valid, g_ready, ma_ready, idle_m;
  cairn_int_pkg::wqe_fetch_t    m_fetch, b_fetch;
  cairn_int_pkg::fetch_answer_t m_fetched, b_fetched;
  cairn_int_pkg::released_t     missed_end;
  wqe_asks #(.HELD(VISITS > 1)) u_asks (
      .clk_i, .rst_ni, .first_i(b_fetch), .first_o(b_fetched), .second_i(m_fetch), .second_o(m_fetched), .fetch_o,
      .fetch_i);
  // What tx_path tells, and what a visit has looked at in vain.
  logic b_back, b_back_ready, f_valid, f_ready, x_valid, x_ready;
  logic [23:0] b_back_psn, x_qpn, x_psn;
  logic [7:0]  x_gen;
  cairn_int_pkg::tx_lost_t f_lost;
  stream_arb #(.WIDTH(56), .N(2)) u_fails (
      .clk_i, .rst_ni, .in_valid_i({b_back, tx_err_i.valid}), .in_ready_o({b_back_ready, tx_err_ready_o}),
      .in_data_i({b_fetch.qpn, b_fetch.gen, b_back_psn, lost}),
      .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f_lost));
  stream_half #(.WIDTH(56)) u_fail (
      .clk_i, .rst_ni, .in_valid_i(f_valid), .in_ready_o(f_ready), .in_data_i(f_lost),
      .out_valid_o(x_valid), .out_ready_i(x_ready), .out_data_o({x_qpn, x_gen, x_psn}));
  req_txerr #(.QPS_LOG2(QPS_LOG2)) u_txerr (
      .clk_i, .rst_ni, .in_valid_i(x_valid), .in_ready_o(x_ready), .in_qpn_i(x_qpn), .in_gen_i(x_gen), .in_psn_i(x_psn),
      .kick_o(kick_o.failed), .kick_ready_i(kick_ready_i.failed),
      .q_valid_i(t_ask), .q_qpn_i(t_qpn), .q_live_o(t_live), .q_gen_o(t_gen), .q_psn_o(t_psn), .idle_o(t_idle)
  );
  logic [7:0]  gid_idx;
  logic [14:0] gid;
  req_gids #(.GIDS(GIDS)) u_gids (
      .clk_i, .rst_ni, .gid_i,
      .rd_index_i(gid_idx), .rd_gid_o(gid)
  );
  req_build #(.DATA_W(DATA_W), .READ_CHUNK(READ_CHUNK), .FEATURES(FEATURES), .HELD(VISITS == 1)) u_build (
      .clk_i, .rst_ni, .features_i(control_i.features & FEATURES), .gid_index_o(gid_idx), .gid_i(gid),
      .visit_valid_i(g_valid), .visit_ready_o(g_ready), .visit_i(visit),
      .alone_i(alone), .rd_full_i,
      .wqe_o, .wqe_ready_i(ask_i.ready), .wqe_i,
      .fetch_o(b_fetch), .fetch_i(b_fetched),
      .mr_o(mr_o.ask), .mr_ready_i(mr_ready_i.ask),
      .back_valid_o(b_back), .back_ready_i(b_back_ready), .back_psn_o(b_back_psn),
      .base_valid_o(b_valid), .base_ready_i(b_ready), .base_o(base), .rec_valid_o(r_valid), .rec_ready_i(r_ready),
      .rec_o(rec),
      .inl_valid_o(i_valid), .inl_ready_i(i_ready), .inl_data_o(i_data), .inl_nbytes_o(i_nbytes), .inl_last_o(i_last),
      .idle_o(idle_b)
  );

  // Between building and issuing: as many packets as MR answers take to come back.
  logic bq_valid, bq_ready, bq_idle, rq_valid, rq_ready;
  if (VISITS > 1) begin : g_visits
    logic [2:0] bq_lvl;
    req_missed u_missed (
        .clk_i, .rst_ni, .visit_valid_i(v_valid), .visit_ready_o(v_ready), .visit_i(visit), .miss_i(v_miss),
        .visit_valid_o(g_valid), .visit_ready_i(g_ready), .fetch_o(m_fetch), .fetch_i(m_fetched),
        .released_o(missed_end), .released_ready_i(ma_ready), .idle_o(idle_m));
    sync_fifo_level #(.WIDTH(cairn_int_pkg::REQ_BASE_W), .DEPTH(4)) u_base (
        .clk_i, .rst_ni, .in_valid_i(b_valid), .in_ready_o(b_ready), .in_data_i(base), .out_valid_o(bq_valid),
        .out_ready_i(bq_ready), .out_data_o(bq), .level_o(bq_lvl));
    assign bq_idle = bq_lvl == '0;
  end else begin : g_visit
    // The only one stays in its register until it is over and req_issue has begun with it: there is no copy.
    logic taken_q, begun_q, unused;
    assign g_valid  = v_valid && !taken_q;
    assign b_ready  = 1'b1;
    assign bq_valid = taken_q && !begun_q;
    assign bq       = base;
    assign v_ready  = taken_q && begun_q && g_ready;
    assign bq_idle  = !taken_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || v_ready) begin
        taken_q <= 1'b0;
        begun_q <= 1'b0;
      end else begin
        if (b_valid && g_ready) taken_q <= 1'b1;
        if (bq_valid && bq_ready) begun_q <= 1'b1;
      end
    end
    assign {m_fetch, missed_end} = '0;
    assign idle_m   = 1'b1;
    assign unused   = ^{v_miss, m_fetched, ma_ready};
  end
  if (VISITS > 1) begin : g_recs
    sync_fifo_level #(.WIDTH(cairn_int_pkg::REQ_REC_W), .DEPTH(16)) u_recs (
        .clk_i, .rst_ni, .in_valid_i(r_valid), .in_ready_o(r_ready), .in_data_i(rec), .out_valid_o(rq_valid),
        .out_ready_i(rq_ready), .out_data_o(rq), .level_o());
  end else begin : g_rec
    stream_half #(.WIDTH(cairn_int_pkg::REQ_REC_W)) u_rec (
        .clk_i, .rst_ni, .in_valid_i(r_valid), .in_ready_o(r_ready), .in_data_i(rec), .out_valid_o(rq_valid),
        .out_ready_i(rq_ready), .out_data_o(rq));
  end

  // Inline bytes wait here, so that the next WQE is worked on.
  logic iq_valid, iq_ready, iq_last;
  logic [DATA_W-1:0]  iq_data;
  logic [NB_W-1:0]    iq_nbytes;
  sync_fifo #(.WIDTH(DATA_W + NB_W + 1), .DEPTH(8)) u_inl (
      .clk_i, .rst_ni, .in_valid_i(i_valid), .in_ready_o(i_ready), .in_data_i({i_last, i_nbytes, i_data}),
      .out_valid_o(iq_valid), .out_ready_i(iq_ready), .out_data_o({iq_last, iq_nbytes, iq_data}));
  cairn_int_pkg::desc_put_t desc;
  req_issue #(.DATA_W(DATA_W), .SLOTS(SLOTS), .LOCAL_OPS(FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB]),
              .QPS_LOG2(QPS_LOG2), .TIME_W((QPS_LOG2 < 8) ? 46 : 64)) u_issue (
      .clk_i, .rst_ni, .time_now_i, .base_valid_i(bq_valid), .base_ready_o(bq_ready), .base_i(bq),
      .rec_valid_i(rq_valid), .rec_ready_o(rq_ready), .rec_i(rq), .last_ticket_i,
      .inl_valid_i(iq_valid), .inl_ready_o(iq_ready), .inl_data_i(iq_data), .inl_nbytes_i(iq_nbytes),
      .inl_last_i(iq_last),
      .mr_i(mr_i.ask), .mr_ready_o(mr_ready_o.ask),
      .key_change_o(mr_o.key_change), .key_change_ready_i(mr_ready_i.key_change), .key_change_i(mr_i.key_change),
      .key_change_ready_o(mr_ready_o.key_change), .drained_o(mr_o.drained),
      .cmp_slot_o(part_o.issue), .cmp_i(part_i.issue), .write_o(part_o.write),
      .desc_o(desc), .rd_issued_o(kick_o.rd_issued), .timer_o, .timer_ready_i,
      .requests_o, .requests_ready_i, .requests_inl_data_o,
      .released_o(issue_end), .released_ready_i(ia_ready),
      .mr_kick_o(kick_o.mr), .mr_kick_ready_i(kick_ready_i.mr),
      .walk_kick_o(kick_o.walk), .walk_kick_ready_i(kick_ready_i.walk),
      .events_o(events_o.req_issue),
      .idle_o(idle_i)
  );
  sq_desc #(.ENTRIES(DESCRIPTORS), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2)) u_desc (
      .clk_i, .rst_ni, .put_i(desc), .look_i(desc_i), .desc_o);

  // ---- giving QPs back: to the scheduler, and their pins ----
  cairn_int_pkg::released_t early_end, end_now;
  assign early_end          = missed_end.valid ? missed_end : visit_end;
  assign end_now            = issue_end.valid ? issue_end : early_end;
  // req_visit gives back what wants more only where the QP cache has no way free.
  assign done_o             = {end_now.valid, end_now.qpn, end_now.more,
                               end_now.more && !issue_end.valid && !missed_end.valid};
  assign ia_ready           = done_ready_i;
  assign ma_ready           = done_ready_i && !issue_end.valid;
  assign va_ready           = ma_ready && !missed_end.valid;
  assign part_o.unpin.valid = done_ready_i && end_now.valid && (issue_end.valid || end_now.unpin);
  assign part_o.unpin.slot  = end_now.slot;
  assign idle_o             = idle_v && idle_m && idle_b && idle_i && t_idle && !x_valid && bq_idle && !rq_valid;
endmodule
