// SPDX-License-Identifier: Apache-2.0
// The requester side of all QPs: what is posted on send queues goes out, answers and timers come back. qp_scheduler
// chooses the QP, requester makes its packets, completer takes responses and retires WQEs; both read WQEs from
// wqe_fetch. Wiring and the kicks of the scheduler (docs/rtl/scheduler.md); between doorbell, rdma_receive
// (responses) and rdma_state (contexts, keys, completions) inside, the transmit path and the DMA engines outside.
//   MR clients: 0 MRC_REQ, 1 MRC_CMP
//   sq_rd_*: 0 req_visit, 1 cmp_retire     kick_*: 0 scheduler, 1 cmp_retire (from firmware)
// halt_i: begin no visit. fence_busy_o: work is under way that a fence waits for; QPs that are only scheduled and WQE
// reads do not count (idle_o counts them). deadline_*: the next time at which a timer fires.
module rdma_send #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned SLOTS    = 128,
    localparam int unsigned NB_W  = $clog2(DATA_W / 8) + 1,
    localparam int unsigned PKT_W = cairn_int_pkg::RX_META_W + 512
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [63:0]                         time_now_i,
    input  logic [31:0]                         features_i,
    input  logic                                epoch_i,
    input  logic                                forget_i,      // wqe_fetch
    output logic [23:0]                         cq_cqn_o,      // crowded CQs: see completer
    input  logic                                cq_crowded_i,
    input  logic                                cq_room_i,
    input  logic                                halt_i,
    input  cairn_int_pkg::gid_write_t           gid_i,         // GID table write port, see req_gids
    // kicks and producer indices of the doorbells, kicks of firmware
    input  logic                                db_sq_valid_i,
    output logic                                db_sq_ready_o,
    input  logic [23:0]                         db_sq_qpn_i,
    input  logic                                db_cmp_valid_i,
    output logic                                db_cmp_ready_o,
    input  logic [23:0]                         db_cmp_qpn_i,
    output logic [2*24-1:0]                     sq_rd_qpn_o,
    input  logic [2*16-1:0]                     sq_rd_pi_i,
    input  logic                                ps_valid_i,    // pushed blocks
    output logic                                ps_ready_o,
    output logic                                ps_taken_o,
    input  logic [559:0]                        ps_i,          // QPN 24, generation 8, index 16, block 512
    input  logic [1:0]                          kick_valid_i,
    output logic [1:0]                          kick_ready_o,
    input  logic [23:0]                         kick_qpn_i,
    // responses
    input  logic                                pkt_valid_i,
    output logic                                pkt_ready_o,
    input  logic [PKT_W-1:0]                    pkt_i,
    output logic                                rx_done_o,
    // QP contexts
    output cairn_int_pkg::send_ctx_req_t        ctx_o,
    input  logic [1:0]                          ctx_ready_i,
    input  cairn_int_pkg::send_ctx_rsp_t        ctx_i,
    output cairn_int_pkg::send_use_t            part_o,
    input  cairn_int_pkg::send_view_t           part_i,
    input  cairn_int_pkg::ctx_fill_t            fill_i,
    // memory regions, changes of keys
    output cairn_int_pkg::send_mr_t             mr_o,
    input  cairn_int_pkg::send_mr_ready_t       mr_ready_i,
    input  cairn_int_pkg::send_mr_answer_t      mr_i,
    output cairn_int_pkg::send_mr_ready_t       mr_ready_o,
    // DMA: WQEs, READ data
    output cairn_int_pkg::dma_read_t            rd_o,
    input  logic                                rd_ready_i,
    input  cairn_int_pkg::dma_return_t          dma_i,
    input  logic [DATA_W-1:0]                   dma_data_i,
    output cairn_int_pkg::dma_write_t           wr_o,
    input  logic                                wr_ready_i,
    // completions, events, QPs in error
    output logic                                cqe_valid_o,
    input  logic                                cqe_ready_i,
    output logic [cairn_int_pkg::CQE_REQ_W-1:0] cqe_o,
    output logic                                qp_err_valid_o,
    input  logic                                qp_err_ready_i,
    output logic [23:0]                         qp_err_qpn_o,
    // transmit path
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
    input  logic                                sent_valid_i,  // packets of unreliable QPs have left, from tx_path
    output logic                                sent_ready_o,
    input  logic [23:0]                         sent_qpn_i,
    input  logic [7:0]                          sent_gen_i,
    input  logic [23:0]                         sent_psn_i,
    input  logic                                sent_end_i,
    output logic                                gb_valid_o,    // a QP has gone back: see cmp_packet
    output logic [39:0]                         gb_o,
    output cairn_hw_pkg::rdma_send_events_t     events_o,
    output logic                                deadline_valid_o,
    output logic [63:0]                         deadline_o,
    output logic                                fence_busy_o,
    output logic                                idle_o
);
  // ---- scheduler; the fill of a context that a visit waits for is a kick, one that failed is none ----
  localparam int unsigned NSK = 8;
  logic [NSK-1:0]    sk_valid, sk_ready;
  logic [NSK*24-1:0] sk_qpn;
  logic              s_valid, s_ready, d_valid, d_ready, d_more, sched_idle;
  logic [23:0]       s_qpn, d_qpn;
  qp_scheduler #(.QPS_LOG2(QPS_LOG2), .NSRC(NSK), .FIRST(2)) u_sched (
      .clk_i, .rst_ni, .kick_valid_i(sk_valid), .kick_ready_o(sk_ready), .kick_qpn_i(sk_qpn),
      .strobe_i(fill_i.valid && fill_i.req && fill_i.status == cairn_hw_pkg::CTX_RESULT_OK),
      .strobe_qpn_i(fill_i.key), .sched_valid_o(s_valid), .sched_ready_i(s_ready), .sched_qpn_o(s_qpn),
      .done_valid_i(d_valid), .done_ready_o(d_ready), .done_qpn_i(d_qpn), .done_more_i(d_more), .idle_o(sched_idle));

  // ---- WQEs: 0 requester, 1 completer ----
  logic [1:0]    wlk_valid, wlk_hit, wlk_err, wft_valid, wft_ready, wk_valid, wk_ready;
  logic          wft_retry, wqe_idle;
  logic [47:0]   wlk_qpn, wft_qpn, wk_qpn;
  logic [15:0]   wlk_gen, wft_gen;
  logic [31:0]   wlk_index, wft_index, wft_limit;
  logic [127:0]  wft_base;
  logic [7:0]    wft_log2;
  logic [1023:0] wlk_data;
  wqe_fetch #(.DATA_W(DATA_W), .SETS((DATA_W >= 512 && SLOTS >= 128) ? 16 : 4)) u_wqe (
      .clk_i, .rst_ni, .epoch_i, .forget_i, .lk_valid_i(wlk_valid), .lk_qpn_i(wlk_qpn), .lk_gen_i(wlk_gen),
      .lk_index_i(wlk_index),
      .lk_hit_o(wlk_hit), .lk_err_o(wlk_err), .lk_data_o(wlk_data),
      .ft_valid_i(wft_valid), .ft_ready_o(wft_ready), .ft_retry_o(wft_retry), .ft_qpn_i(wft_qpn), .ft_gen_i(wft_gen),
      .ft_index_i(wft_index), .ft_limit_i(wft_limit), .ft_base_i(wft_base), .ft_log2_i(wft_log2),
      .kick_valid_o(wk_valid), .kick_ready_i(wk_ready), .kick_qpn_o(wk_qpn), .ps_valid_i, .ps_ready_o, .ps_taken_o,
      .ps_qpn_i(ps_i[559:536]), .ps_gen_i(ps_i[535:528]), .ps_index_i(ps_i[527:512]), .ps_data_i(ps_i[511:0]),
      .rd_o, .rd_ready_i, .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .events_o(events_o.wqe_fetch), .idle_o(wqe_idle));

  // ---- requester ----
  logic        t_valid, t_ready, rck_valid, rck_ready, req_idle;
  logic [23:0] t_qpn, rck_qpn;
  logic [63:0] t_deadline;
  logic [cairn_int_pkg::SLOT_W-1:0]    desc_slot;
  logic [15:0]                         desc_index;
  logic [cairn_int_pkg::SQ_DESC_W-1:0] desc;
  requester #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2),
              .DESCRIPTORS(DATA_W >= 512 ? 1024 : 512)) u_requester (
      .clk_i, .rst_ni, .time_now_i, .features_i, .halt_i,
      .gid_i,
      .mr_o(mr_o.requester), .mr_ready_i(mr_ready_i.requester), .mr_i(mr_i.requester),
      .mr_ready_o(mr_ready_o.requester), .drained_o(mr_o.requester_drained), .key_change_o(mr_o.key_change),
      .key_change_ready_i(mr_ready_i.key_change), .key_change_i(mr_i.key_change),
      .key_change_ready_o(mr_ready_o.key_change),
      .sched_valid_i(s_valid), .sched_ready_o(s_ready), .sched_qpn_i(s_qpn),
      .done_valid_o(d_valid), .done_ready_i(d_ready), .done_qpn_o(d_qpn), .done_more_o(d_more),
      .ctx_o(ctx_o.req), .ctx_ready_i(ctx_ready_i[0]), .ctx_i(ctx_i.req), .part_o(part_o.req), .part_i(part_i.req),
      .sq_rd_qpn_o(sq_rd_qpn_o[23:0]), .sq_rd_pi_i(sq_rd_pi_i[15:0]),
      .wlk_valid_o(wlk_valid[0]), .wlk_qpn_o(wlk_qpn[23:0]), .wlk_gen_o(wlk_gen[7:0]), .wlk_index_o(wlk_index[15:0]),
      .wlk_hit_i(wlk_hit[0]), .wlk_err_i(wlk_err[0]), .wlk_data_i(wlk_data[511:0]),
      .wft_valid_o(wft_valid[0]), .wft_ready_i(wft_ready[0]), .wft_retry_i(wft_retry), .wft_index_o(wft_index[15:0]),
      .wft_limit_o(wft_limit[15:0]), .wft_base_o(wft_base[63:0]), .wft_log2_o(wft_log2[3:0]),
      .desc_slot_i(desc_slot), .desc_index_i(desc_index), .desc_o(desc),
      .tmr_valid_o(t_valid), .tmr_ready_i(t_ready), .tmr_qpn_o(t_qpn), .tmr_deadline_o(t_deadline),
      .last_ticket_i(dma_i.last_ticket), .job_valid_o, .job_ready_i, .job_o, .seg_valid_o, .seg_ready_i, .seg_o,
      .inline_valid_o, .inline_ready_i, .inline_data_o, .inline_nbytes_o, .inline_last_o,
      .tx_err_valid_i, .tx_err_ready_o, .tx_err_qpn_i, .tx_err_gen_i, .tx_err_psn_i,
      .kick_valid_o({sk_valid[3], sk_valid[1]}), .kick_ready_i({sk_ready[3], sk_ready[1]}),
      .kick_qpn_o({sk_qpn[3*24 +: 24], sk_qpn[1*24 +: 24]}),
      .cmp_kick_valid_o(rck_valid), .cmp_kick_ready_i(rck_ready), .cmp_kick_qpn_o(rck_qpn),
      .events_o(events_o.requester), .idle_o(req_idle));
  assign wft_qpn[23:0]      = wlk_qpn[23:0];
  assign wft_gen[7:0]       = wlk_gen[7:0];

  // ---- what has left of QPs without acknowledgements ----
  logic        nk_valid, nk_ready, sent_idle;
  logic [23:0] nk_qpn, sent_rd_qpn, sent_psn;
  logic [7:0]  sent_gen;
  req_sent #(.QPS_LOG2(QPS_LOG2)) u_sent (
      .clk_i, .rst_ni, .sent_valid_i, .sent_ready_o, .sent_qpn_i, .sent_gen_i, .sent_psn_i, .sent_end_i,
      .kick_valid_o(nk_valid), .kick_ready_i(nk_ready), .kick_qpn_o(nk_qpn),
      .sent_rd_qpn_i(sent_rd_qpn), .sent_gen_o(sent_gen), .sent_psn_o(sent_psn), .idle_o(sent_idle));

  // ---- completer: its readers of the parts are cmp_packet, cmp_place, cmp_retire ----
  logic            cmp_idle;
  completer #(.SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2)) u_completer (
      .clk_i, .rst_ni, .halt_i(1'b0), .time_now_i,
      .cmp_pkt_valid_i(pkt_valid_i), .cmp_pkt_ready_o(pkt_ready_o), .cmp_pkt_i(pkt_i), .rx_done_o,
      .sq_rd_qpn_o(sq_rd_qpn_o[47:24]), .sq_rd_pi_i(sq_rd_pi_i[31:16]),
      .ctx_o(ctx_o.cmp), .ctx_ready_i(ctx_ready_i[1]), .ctx_i(ctx_i.cmp), .part_o(part_o.cmp), .part_i(part_i.cmp),
      .fill_i,
      .sent_rd_qpn_o(sent_rd_qpn), .sent_gen_i(sent_gen), .sent_psn_i(sent_psn),
      .kick_valid_i({nk_valid, kick_valid_i[1], db_cmp_valid_i, wk_valid[1], rck_valid}),
      .kick_ready_o({nk_ready, kick_ready_o[1], db_cmp_ready_o, wk_ready[1], rck_ready}),
      .kick_qpn_i({nk_qpn, kick_qpn_i, db_cmp_qpn_i, wk_qpn[47:24], rck_qpn}),
      .sched_valid_o(sk_valid[5:4]), .sched_ready_i(sk_ready[5:4]), .sched_qpn_o(sk_qpn[4*24 +: 48]),
      .tmr_valid_i(t_valid), .tmr_ready_o(t_ready), .tmr_qpn_i(t_qpn), .tmr_deadline_i(t_deadline),
      .next_valid_o(deadline_valid_o), .next_deadline_o(deadline_o),
      .desc_slot_o(desc_slot), .desc_index_o(desc_index), .desc_i(desc),
      .wlk_valid_o(wlk_valid[1]), .wlk_qpn_o(wlk_qpn[47:24]), .wlk_gen_o(wlk_gen[15:8]), .wlk_index_o(wlk_index[31:16]),
      .wlk_hit_i(wlk_hit[1]), .wlk_err_i(wlk_err[1]), .wlk_data_i(wlk_data[1023:512]),
      .wft_valid_o(wft_valid[1]), .wft_ready_i(wft_ready[1]), .wft_retry_i(wft_retry), .wft_qpn_o(wft_qpn[47:24]),
      .wft_gen_o(wft_gen[15:8]), .wft_index_o(wft_index[31:16]), .wft_limit_o(wft_limit[31:16]),
      .wft_base_o(wft_base[127:64]), .wft_log2_o(wft_log2[7:4]),
      .mr_o(mr_o.completer), .mr_ready_i(mr_ready_i.completer), .mr_i(mr_i.completer),
      .mr_ready_o(mr_ready_o.completer), .drained_o(mr_o.completer_drained),
      .wr_o, .wr_ready_i, .cq_cqn_o,
      .cq_crowded_i, .cq_room_i, .cqe_valid_o, .cqe_ready_i, .cqe_o,
      .qp_err_valid_o, .qp_err_ready_i, .qp_err_qpn_o,
      .events_o(events_o.completer),
      .gb_o,
      .idle_o(cmp_idle));
  assign gb_valid_o              = events_o.completer.cmp_packet.go_backs;

  // ---- kicks of the scheduler; 1, 3, 4 and 5 are connected above ----
  assign {sk_valid[2], sk_valid[0]} = {wk_valid[0], db_sq_valid_i};
  assign sk_valid[7:6] = {kick_valid_i[0], 1'b0};      // the wait timer's (6) come through cmp_packet
  assign {sk_qpn[48 +: 24], sk_qpn[0 +: 24]} = {wk_qpn[23:0], db_sq_qpn_i};
  assign sk_qpn[6*24 +: 48] = {kick_qpn_i, 24'h0};
  assign db_sq_ready_o   = sk_ready[0];
  assign wk_ready[0]     = sk_ready[2];
  assign kick_ready_o[0] = sk_ready[7];

  assign fence_busy_o = !cmp_idle || !req_idle || nk_valid;
  assign idle_o       = sched_idle && wqe_idle && req_idle && cmp_idle && sent_idle && !qp_err_valid_o;
endmodule
