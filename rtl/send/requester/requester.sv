// SPDX-License-Identifier: Apache-2.0
// The requester: req_visit -> req_build -> req_issue, with the tables that they share. Wiring (docs/rtl/requester.md).
//
// The table of failed payload reads, the send descriptors and what it needs of the GID table.
// Order: of QPs to give back, req_issue's go before req_visit's, since they have waited longer.
module requester #(
    parameter int unsigned DATA_W       = 512,
    parameter int unsigned SLOTS        = 128,
    parameter int unsigned QPS_LOG2     = 12,
    parameter int unsigned DESCRIPTORS  = 1024,
    parameter int unsigned READ_CHUNK   = 1024,   // PSNs of one READ request, a power of two; as the completer
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [63:0]                         time_now_i,
    input  logic [31:0]                         features_i,
    input  logic                                halt_i,
    // GID table write port, see req_gids
    input  cairn_int_pkg::gid_write_t           gid_i,
    input  logic                                sched_valid_i,
    output logic                                sched_ready_o,
    input  logic [23:0]                         sched_qpn_i,
    output logic                                done_valid_o,
    input  logic                                done_ready_i,
    output logic [23:0]                         done_qpn_o,
    output logic                                done_more_o,
    output cairn_int_pkg::requester_use_t       part_o,
    // context cache, source REQ
    output cairn_int_pkg::ctx_req_t             ctx_o,
    input  logic                                ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t             ctx_i,
    input  cairn_int_pkg::requester_view_t      part_i,
    output logic [23:0]                         sq_rd_qpn_o,
    input  logic [15:0]                         sq_rd_pi_i,
    // wqe_fetch, port 0
    output logic                                wlk_valid_o,
    output logic [23:0]                         wlk_qpn_o,
    output logic [7:0]                          wlk_gen_o,
    output logic [15:0]                         wlk_index_o,
    input  logic                                wlk_hit_i,
    input  logic                                wlk_err_i,
    input  logic [511:0]                        wlk_data_i,
    output logic                                wft_valid_o,
    input  logic                                wft_ready_i,
    input  logic                                wft_retry_i,
    output logic [15:0]                         wft_index_o,
    output logic [15:0]                         wft_limit_o,
    output logic [63:0]                         wft_base_o,
    output logic [3:0]                          wft_log2_o,
    // MR service, client MRC_REQ
    output cairn_int_pkg::mr_ask_t              mr_o,
    input  logic                                mr_ready_i,
    input  cairn_int_pkg::mr_answer_t           mr_i,
    output logic                                mr_ready_o,
    // mr_update, client MUC_REQ
    output cairn_int_pkg::key_change_t          key_change_o,
    input  logic                                key_change_ready_i,
    input  cairn_int_pkg::key_changed_t         key_change_i,
    output logic                                key_change_ready_o,
    output logic                                drained_o,
    // descriptors for cmp_retire
    input  logic [cairn_int_pkg::SLOT_W-1:0]    desc_slot_i,
    input  logic [15:0]                         desc_index_i,
    output logic [cairn_int_pkg::SQ_DESC_W-1:0] desc_o,
    // ack timer
    output logic                                tmr_valid_o,
    input  logic                                tmr_ready_i,
    output logic [23:0]                         tmr_qpn_o,
    output logic [63:0]                         tmr_deadline_o,
    // tx_payload
    input  logic [cairn_int_pkg::TICKET_W-1:0]  last_ticket_i,  // newest posted write accepted
    output logic                                job_valid_o,
    input  logic                                job_ready_i,
    output logic [cairn_int_pkg::TX_JOB_W-1:0]  job_o,
    output logic                                seg_valid_o,
    input  logic                                seg_ready_i,
    output logic [cairn_int_pkg::TX_SEG_W-1:0]  seg_o,
    output logic                                inline_valid_o,
    input  logic                                inline_ready_i,
    output logic [DATA_W-1:0]                   inline_data_o,
    output logic [NB_W-1:0]                     inline_nbytes_o,
    output logic                                inline_last_o,
    input  logic                                tx_err_valid_i,
    output logic                                tx_err_ready_o,
    input  logic [23:0]                         tx_err_qpn_i,
    input  logic [7:0]                          tx_err_gen_i,
    input  logic [23:0]                         tx_err_psn_i,
    // kicks: to the scheduler (failed reads, MR waiters), to cmp_retire (local errors)
    output logic [1:0]                          kick_valid_o,
    input  logic [1:0]                          kick_ready_i,
    output logic [2*24-1:0]                     kick_qpn_o,
    output logic                                cmp_kick_valid_o,
    input  logic                                cmp_kick_ready_i,
    output logic [23:0]                         cmp_kick_qpn_o,
    output cairn_hw_pkg::requester_events_t     events_o,
    output logic                                idle_o
);
  localparam int unsigned VISIT_W = 25 + 16 + cairn_int_pkg::SLOT_W + 24 + 3 * 512;
  localparam int unsigned BASE_W  = 1 + 5 + 8 + 512;

  logic               v_valid, v_ready, b_valid, b_ready, r_valid, r_ready, i_valid, i_ready, i_last;
  logic [VISIT_W-1:0] visit;
  logic [BASE_W-1:0]  base;
  logic [cairn_int_pkg::REQ_REC_W-1:0] rec;
  logic [DATA_W-1:0]  i_data;
  logic [NB_W-1:0]    i_nbytes;
  logic               t_ask, t_live, t_idle, va_valid, va_ready, va_more, va_unpin, ia_valid, ia_ready, ia_more;
  logic [23:0]        t_qpn, t_psn, va_qpn, ia_qpn;
  logic [7:0]         t_gen;
  logic [AW-1:0]      va_slot, ia_slot;
  logic               idle_v, idle_b, idle_i;

  req_visit #(.SLOTS(SLOTS)) u_visit (
      .clk_i, .rst_ni, .halt_i, .sched_valid_i, .sched_ready_o, .sched_qpn_i,
      .ctx_o, .ctx_ready_i, .ctx_i,
      .part_slot_o(part_o.visit), .part_i(part_i.visit), .sq_rd_qpn_o, .sq_rd_pi_i,
      .txe_valid_o(t_ask), .txe_qpn_o(t_qpn), .txe_live_i(t_live), .txe_gen_i(t_gen), .txe_psn_i(t_psn),
      .visit_valid_o(v_valid), .visit_ready_i(v_ready), .visit_o(visit),
      .rel_valid_o(va_valid), .rel_ready_i(va_ready), .rel_qpn_o(va_qpn), .rel_more_o(va_more), .rel_unpin_o(va_unpin),
      .rel_slot_o(va_slot),
      .events_o(events_o.req_visit), .idle_o(idle_v)
  );
  // What tx_path tells, and what a visit has looked at in vain.
  logic        b_back, b_back_ready, x_valid, x_ready;
  logic [23:0] b_back_psn, x_qpn, x_psn;
  logic [7:0]  x_gen;
  stream_arb #(.WIDTH(56), .N(2)) u_fails (
      .clk_i, .rst_ni, .in_valid_i({b_back, tx_err_valid_i}), .in_ready_o({b_back_ready, tx_err_ready_o}),
      .in_data_i({wlk_qpn_o, wlk_gen_o, b_back_psn, tx_err_qpn_i, tx_err_gen_i, tx_err_psn_i}),
      .out_valid_o(x_valid), .out_ready_i(x_ready), .out_data_o({x_qpn, x_gen, x_psn}));
  req_txerr #(.QPS_LOG2(QPS_LOG2)) u_txerr (
      .clk_i, .rst_ni, .in_valid_i(x_valid), .in_ready_o(x_ready), .in_qpn_i(x_qpn), .in_gen_i(x_gen), .in_psn_i(x_psn),
      .kick_valid_o(kick_valid_o[0]), .kick_ready_i(kick_ready_i[0]), .kick_qpn_o(kick_qpn_o[23:0]),
      .q_valid_i(t_ask), .q_qpn_i(t_qpn), .q_live_o(t_live), .q_gen_o(t_gen), .q_psn_o(t_psn), .idle_o(t_idle)
  );
  logic [7:0]  gid_idx;
  logic [14:0] gid;
  req_gids u_gids (
      .clk_i, .rst_ni, .gid_i,
      .rd_index_i(gid_idx), .rd_gid_o(gid)
  );
  req_build #(.DATA_W(DATA_W), .READ_CHUNK(READ_CHUNK)) u_build (
      .clk_i, .rst_ni, .features_i, .gid_index_o(gid_idx), .gid_i(gid),
      .visit_valid_i(v_valid), .visit_ready_o(v_ready), .visit_i(visit),
      .lk_valid_o(wlk_valid_o), .lk_qpn_o(wlk_qpn_o), .lk_gen_o(wlk_gen_o), .lk_index_o(wlk_index_o),
      .lk_hit_i(wlk_hit_i), .lk_err_i(wlk_err_i), .lk_data_i(wlk_data_i),
      .ft_valid_o(wft_valid_o), .ft_ready_i(wft_ready_i), .ft_retry_i(wft_retry_i), .ft_index_o(wft_index_o),
      .ft_limit_o(wft_limit_o), .ft_base_o(wft_base_o), .ft_log2_o(wft_log2_o),
      .mr_o, .mr_ready_i,
      .back_valid_o(b_back), .back_ready_i(b_back_ready), .back_psn_o(b_back_psn),
      .base_valid_o(b_valid), .base_ready_i(b_ready), .base_o(base), .rec_valid_o(r_valid), .rec_ready_i(r_ready),
      .rec_o(rec),
      .inl_valid_o(i_valid), .inl_ready_i(i_ready), .inl_data_o(i_data), .inl_nbytes_o(i_nbytes), .inl_last_o(i_last),
      .idle_o(idle_b)
  );

  // Between building and issuing: as many packets as MR answers take to come back.
  logic               bq_valid, bq_ready, rq_valid, rq_ready;
  logic [BASE_W-1:0]  bq;
  logic [cairn_int_pkg::REQ_REC_W-1:0] rq;
  logic [2:0]         bq_lvl;
  logic [4:0]         rq_lvl;
  sync_fifo_level #(.WIDTH(BASE_W), .DEPTH(4)) u_base (
      .clk_i, .rst_ni, .in_valid_i(b_valid), .in_ready_o(b_ready), .in_data_i(base), .out_valid_o(bq_valid),
      .out_ready_i(bq_ready), .out_data_o(bq),
      .level_o(bq_lvl));
  sync_fifo_level #(.WIDTH(cairn_int_pkg::REQ_REC_W), .DEPTH(16)) u_recs (
      .clk_i, .rst_ni, .in_valid_i(r_valid), .in_ready_o(r_ready), .in_data_i(rec), .out_valid_o(rq_valid),
      .out_ready_i(rq_ready), .out_data_o(rq),
      .level_o(rq_lvl));

  // Inline bytes wait here, so that the next WQE is worked on.
  logic               iq_valid, iq_ready, iq_last;
  logic [DATA_W-1:0]  iq_data;
  logic [NB_W-1:0]    iq_nbytes;
  sync_fifo #(.WIDTH(DATA_W + NB_W + 1), .DEPTH(8)) u_inl (
      .clk_i, .rst_ni, .in_valid_i(i_valid), .in_ready_o(i_ready), .in_data_i({i_last, i_nbytes, i_data}),
      .out_valid_o(iq_valid), .out_ready_i(iq_ready), .out_data_o({iq_last, iq_nbytes, iq_data}));
  logic dwe;
  logic [cairn_int_pkg::SLOT_W-1:0]    dslot;
  logic [cairn_int_pkg::SQ_DESC_W-1:0] dw;
  req_issue #(.DATA_W(DATA_W), .SLOTS(SLOTS)) u_issue (
      .clk_i, .rst_ni, .time_now_i, .base_valid_i(bq_valid), .base_ready_o(bq_ready), .base_i(bq),
      .rec_valid_i(rq_valid), .rec_ready_o(rq_ready), .rec_i(rq), .last_ticket_i,
      .inl_valid_i(iq_valid), .inl_ready_o(iq_ready), .inl_data_i(iq_data), .inl_nbytes_i(iq_nbytes),
      .inl_last_i(iq_last),
      .mr_i, .mr_ready_o,
      .key_change_o, .key_change_ready_i, .key_change_i, .key_change_ready_o, .drained_o,
      .cmp_slot_o(part_o.issue), .cmp_i(part_i.issue), .write_o(part_o.write),
      .desc_we_o(dwe), .desc_slot_o(dslot), .desc_o(dw), .tmr_valid_o, .tmr_ready_i, .tmr_qpn_o, .tmr_deadline_o,
      .job_valid_o, .job_ready_i, .job_o, .seg_valid_o, .seg_ready_i, .seg_o,
      .inline_valid_o, .inline_ready_i, .inline_data_o, .inline_nbytes_o, .inline_last_o,
      .rel_valid_o(ia_valid), .rel_ready_i(ia_ready), .rel_qpn_o(ia_qpn), .rel_more_o(ia_more), .rel_slot_o(ia_slot),
      .mrw_valid_o(kick_valid_o[1]), .mrw_ready_i(kick_ready_i[1]), .mrw_qpn_o(kick_qpn_o[47:24]),
      .err_kick_valid_o(cmp_kick_valid_o), .err_kick_ready_i(cmp_kick_ready_i), .err_kick_qpn_o(cmp_kick_qpn_o),
      .events_o(events_o.req_issue), .idle_o(idle_i)
  );
  sq_desc #(.ENTRIES(DESCRIPTORS)) u_desc (
      .clk_i, .rst_ni, .we_i(dwe), .wr_slot_i(dslot), .wr_desc_i(dw), .rd_slot_i(desc_slot_i),
      .rd_index_i(desc_index_i), .rd_desc_o(desc_o)
  );

  // ---- giving QPs back: to the scheduler, and their pins ----
  assign done_valid_o  = ia_valid || va_valid;
  assign done_qpn_o    = ia_valid ? ia_qpn : va_qpn;
  assign done_more_o   = ia_valid ? ia_more : va_more;
  assign ia_ready      = done_ready_i;
  assign va_ready      = done_ready_i && !ia_valid;
  assign part_o.unpin.valid = done_ready_i && (ia_valid || (va_valid && va_unpin));
  assign part_o.unpin.slot  = cairn_int_pkg::SLOT_W'({ia_valid ? ia_slot : va_slot});
  assign idle_o        = idle_v && idle_b && idle_i && t_idle && bq_lvl == '0 && rq_lvl == '0;
endmodule
