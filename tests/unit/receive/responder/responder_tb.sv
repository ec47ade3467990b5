// SPDX-License-Identifier: Apache-2.0
// Test bench of the responder: its part RAMs, and its records taken apart into ports of at most 64 bits for the test
// in C.
module responder_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SLOTS  = 16,
    parameter int unsigned RUNS   = 4,     // few of everything: what is short must only cost time
    parameter int unsigned ONES   = 8,
    parameter int unsigned WINDOW = 32,
    parameter int unsigned AHEAD  = 16
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            halt_i,
    input  logic [31:0]                     features_i,
    input  logic [63:0]                     res_base_i,
    input  logic [7:0]                      res_func_i,
    input  logic                            epoch_i,
    input  logic [6:0]                      left_i,       // of 64 packets, how many may still come
    input  logic                            crowded_i,
    input  logic                            room_i,
    // set up records: part 0 = cfg, 3 = rsp; look at rsp
    input  logic                            host_write_valid_i,
    input  logic [1:0]                      host_write_part_i,
    input  logic [3:0]                      host_write_slot_i,
    input  logic [511:0]                    host_write_data_i,
    output logic                            host_write_ready_o,
    input  logic [3:0]                      peek_slot_i,
    output logic [511:0]                    peek_o,
    // packets
    input  logic                            pkt_valid_i,
    output logic                            pkt_ready_o,
    input  logic [11:0]                     pkt_cell_i,
    input  logic                            pkt_has_cells_i,
    input  logic [7:0]                      pkt_off_i,
    input  logic [12:0]                     pkt_len_i,
    input  logic [7:0]                      pkt_opcode_i,
    input  logic                            pkt_se_i,
    input  logic                            pkt_ackreq_i,
    input  logic [23:0]                     pkt_qpn_i,
    input  logic [23:0]                     pkt_psn_i,
    input  logic [63:0]                     pkt_va_i,
    input  logic [31:0]                     pkt_key_i,
    input  logic [31:0]                     pkt_rlen_i,
    input  logic [31:0]                     pkt_imm_i,
    input  logic [63:0]                     pkt_swap_add_i,
    input  logic [63:0]                     pkt_compare_i,
    input  logic [1:0]                      pkt_pad_i,
    input  logic [7:0]                      pkt_ip_off_i,
    input  logic                            pkt_ipv6_i,
    input  logic [23:0]                     pkt_src_qp_i,
    input  logic [3:0]                      pkt_tag_i,    // has_tag, prio
    input  logic [3:0]                      pkt_slot_i,
    input  logic [7:0]                      pkt_gen_i,
    input  logic [511:0]                    pkt_cfg_i,
    output logic                            rx_done_o,
    output logic                            unpin_rsp_o,  // of rx_done_slot_o too
    output logic [3:0]                      rx_done_slot_o,
    output logic [23:0]                     rq_qpn_o,
    input  logic [15:0]                     rq_pi_i,      // one cycle after rq_qpn_o
    input  cairn_int_pkg::ctx_op_t          op_i,
    output cairn_int_pkg::ctx_done_t        op_o,
    input  cairn_int_pkg::srq_doorbell_t    sdb_i,
    input  cairn_int_pkg::flush_kicks_t     kick_i,
    output logic [1:0]                      kick_ready_o,
    output cairn_int_pkg::ctx_req_t         ctx_o,
    input  logic                            ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t         ctx_i,
    input  cairn_int_pkg::ctx_fill_t        fill_i,
    output logic                            unpin_rtx_o,
    output logic [3:0]                      unpin_rtx_slot_o,
    // MR service
    output logic [1:0]                      mr_valid_o,
    input  logic [1:0]                      mr_ready_i,
    output logic [63:0]                     mr_key_o,
    output logic [63:0]                     mr0_va_o,
    output logic [63:0]                     mr1_va_o,
    output logic [25:0]                     mr_len_o,
    output logic [63:0]                     mr_chk_o,
    output logic [15:0]                     mr_rights_o,
    output logic [1:0]                      mr_last_o,
    output logic [1:0]                      mr_remote_o,
    output logic                            mr_inv_o,
    output logic [47:0]                     mr_pd_o,
    input  logic [1:0]                      ans_valid_i,
    output logic [1:0]                      ans_ready_o,
    input  logic [3:0]                      ans_status_i,
    input  logic [15:0]                     ans_vendor_i,
    input  logic [15:0]                     ans_func_i,
    input  logic [63:0]                     ans0_iova0_i,
    input  logic [63:0]                     ans0_iova1_i,
    input  logic [63:0]                     ans1_iova0_i,
    input  logic [63:0]                     ans1_iova1_i,
    input  logic [25:0]                     ans_len0_i,
    input  logic [25:0]                     ans_len1_i,
    input  logic [1:0]                      ans_last_i,
    input  logic                            mr_fill_i,
    output logic                            key_change_valid_o,
    input  logic                            key_change_ready_i,
    output logic [1:0]                      change_op_o,
    output logic [31:0]                     change_key_o,
    output logic [23:0]                     change_pd_o,
    output logic [23:0]                     change_qpn_o,
    input  logic                            key_change_valid_i,
    output logic                            key_change_ready_o,
    input  logic [7:0]                      key_change_vendor_i,
    input  logic [1:0]                      drain_i,
    output logic [1:0]                      drained_o,
    // posted writes
    output logic                            wr_valid_o,
    input  logic                            wr_ready_i,
    output logic [63:0]                     wr_iova_o,
    output logic [12:0]                     wr_len_o,
    output logic [7:0]                      wr_func_o,
    output logic                            wr_payload_o,
    output logic                            wr_first_o,
    output logic                            wr_free_o,
    output logic [11:0]                     wr_cell_o,
    output logic [7:0]                      wr_off_o,
    output logic [511:0]                    wr_data_o,
    input  logic [15:0]                     last_ticket_i,
    output logic                            at_wr_valid_o,
    input  logic                            at_wr_ready_i,
    output logic [63:0]                     at_wr_iova_o,
    output logic [12:0]                     at_wr_len_o,
    output logic [7:0]                      at_wr_func_o,
    output logic [511:0]                    at_wr_data_o,
    // host reads: 0 RQE, 1 RES, 2 atomics
    output logic [2:0]                      rd_valid_o,
    input  logic [2:0]                      rd_ready_i,
    output logic [63:0]                     rd0_iova_o,
    output logic [63:0]                     rd1_iova_o,
    output logic [63:0]                     rd2_iova_o,
    output logic [38:0]                     rd_len_o,
    output logic [35:0]                     rd_tag_o,
    output logic [15:0]                     rd_func_o,    // of the last two
    input  logic                            dma_valid_i,
    input  logic [3:0]                      dma_client_i,
    input  logic [11:0]                     dma_tag_i,
    input  logic [12:0]                     dma_offset_i,
    input  logic [1:0]                      dma_skip_i,
    input  logic [6:0]                      dma_nbytes_i,
    input  logic                            dma_last_i,
    input  logic                            dma_err_i,
    input  logic [DATA_W-1:0]               dma_data_i,
    // completions and events
    output logic                            cqe_valid_o,
    input  logic                            cqe_ready_i,
    output logic [23:0]                     cqe_cqn_o,
    output logic [23:0]                     cqe_qpn_o,
    output logic [7:0]                      cqe_opcode_o,
    output logic [31:0]                     cqe_byte_len_o,
    output logic [31:0]                     cqe_imm_o,
    output logic [15:0]                     cqe_index_o,
    output logic [7:0]                      cqe_flags_o,
    output logic [7:0]                      cqe_vendor_o,
    output logic [7:0]                      cqe_status_o,
    output logic                            cqe_sol_o,
    output logic [23:0]                     cqe_src_o,
    output logic [4:0]                      cqe_net_o,
    output logic                            eqe_valid_o,
    input  logic                            eqe_ready_i,
    output logic [7:0]                      eqe_eqn_o,
    output logic [7:0]                      eqe_type_o,
    output logic [23:0]                     eqe_number_o,
    output logic [31:0]                     eqe_data_o,
    output cairn_int_pkg::kick_t            qp_err_o,
    input  logic                            qp_err_ready_i,
    // jobs: 0 ring 1, 1 ACK port
    output logic [1:0]                      job_valid_o,
    input  logic [1:0]                      job_ready_i,
    output logic [5:0]                      job_kind_o,
    output logic [47:0]                     job_qpn_o,
    output logic [15:0]                     job_opcode_o,
    output logic [47:0]                     job_psn_o,
    output logic [25:0]                     job_len_o,
    output logic [63:0]                     job_aeth_o,
    output logic [63:0]                     job_value_o,  // of ring 1
    output logic [47:0]                     job_dest_o,
    output logic                            seg_valid_o,
    input  logic                            seg_ready_i,
    output logic [63:0]                     seg_iova_o,
    output logic [12:0]                     seg_len_o,
    output logic [7:0]                      seg_func_o,
    output logic                            seg_nb_o,
    output logic [15:0]                     seg_ticket_o,
    output logic                            seg_eoj_o,
    input  logic                            rsp_left_i,
    input  logic                            tx_err_valid_i,
    output logic                            tx_err_ready_o,
    input  cairn_int_pkg::tx_lost_t         tx_err_i,
    output cairn_hw_pkg::responder_events_t events_o,
    output logic                            idle_o
);
  cairn_int_pkg::rx_meta_t m;
  always_comb begin
    m           = '0;
    m.cell_head = pkt_cell_i;
    m.has_cells = pkt_has_cells_i;
    m.pay_off   = pkt_off_i;
    m.pay_len   = pkt_len_i;
    m.pad       = pkt_pad_i;
    m.opcode    = pkt_opcode_i;
    m.opflags   = cairn_pkt_pkg::opcode_flags(pkt_opcode_i);
    m.se        = pkt_se_i;
    m.ackreq    = pkt_ackreq_i;
    m.qpn       = pkt_qpn_i;
    m.psn       = pkt_psn_i;
    m.va        = pkt_va_i;
    m.key       = pkt_key_i;
    m.len       = pkt_rlen_i;
    m.imm       = pkt_imm_i;
    m.ip_off    = pkt_ip_off_i;
    m.ipv6      = pkt_ipv6_i;
    m.src_qp    = pkt_src_qp_i;
    {m.has_tag, m.prio} = pkt_tag_i;
    m.swap_add  = pkt_swap_add_i;
    m.compare   = pkt_compare_i;
    m.slot      = 12'(pkt_slot_i);
    m.gen       = pkt_gen_i;
  end
  cairn_int_pkg::receive_mr_t        asks;
  cairn_int_pkg::receive_mr_ready_t  asks_ready, answers_ready;
  cairn_int_pkg::receive_mr_answer_t answers;
  cairn_int_pkg::mr_req_t q0, q1;
  cairn_int_pkg::mr_rsp_t a0, a1;
  assign {mr_valid_o[0], q0} = asks.responder;
  assign {mr_valid_o[1], q1} = asks.rsp_tx;
  assign drained_o = {asks.rsp_tx_drained, asks.responder_drained};
  assign {asks_ready.rsp_tx, asks_ready.responder, asks_ready.key_change} = {mr_ready_i, key_change_ready_i};
  assign {ans_ready_o, key_change_ready_o} = {answers_ready.rsp_tx, answers_ready.responder, answers_ready.key_change};
  assign answers.responder  = {ans_valid_i[0], a0, mr_fill_i, drain_i[0]};
  assign answers.rsp_tx     = {ans_valid_i[1], a1, mr_fill_i, drain_i[1]};
  assign answers.key_change = {key_change_valid_i, key_change_vendor_i};
  assign mr_key_o = {q1.key, q0.key};
  assign mr0_va_o = q0.va;
  assign mr1_va_o = q1.va;
  assign mr_len_o = {q1.len, q0.len};
  assign mr_chk_o = {q1.chk_len, q0.chk_len};
  assign mr_rights_o = {q1.rights, q0.rights};
  assign mr_last_o = {q1.last, q0.last};
  assign mr_remote_o = {q1.remote, q0.remote};
  assign mr_pd_o = {q1.pd, q0.pd};
  assign mr_inv_o = q0.inv;
  cairn_int_pkg::mr_upd_t upd;
  assign {key_change_valid_o, upd} = asks.key_change;
  assign {change_op_o, change_key_o, change_pd_o, change_qpn_o} = {upd.op, upd.key, upd.pd, upd.qpn};
  assign a0 = {ans_status_i[1:0], ans_vendor_i[7:0], ans_func_i[7:0], ans0_iova0_i, ans_len0_i[12:0], ans0_iova1_i,
      ans_len1_i[12:0], ans_last_i[0]};
  assign a1 = {ans_status_i[3:2], ans_vendor_i[15:8], ans_func_i[15:8], ans1_iova0_i, ans_len0_i[25:13], ans1_iova1_i,
      ans_len1_i[25:13], ans_last_i[1]};
  cairn_int_pkg::dma_wr_t w;
  assign {wr_valid_o, w} = wr.rsp;
  assign wr_iova_o = w.iova;
  assign wr_len_o = w.len;
  assign wr_func_o = w.func;
  assign wr_payload_o = w.payload;
  assign wr_first_o = w.first;
  assign wr_free_o = w.free;
  assign wr_cell_o = w.cell_head;
  assign wr_off_o = w.off;
  assign wr_data_o = w.data;
  cairn_int_pkg::dma_wr_t wa;
  assign {at_wr_valid_o, wa} = wr.atom;
  assign {at_wr_func_o, at_wr_iova_o, at_wr_len_o, at_wr_data_o} = {wa.func, wa.iova, wa.len, wa.data};
  cairn_int_pkg::receive_reads_t       rd;
  cairn_int_pkg::receive_read_ready_t  rd_ready;
  cairn_int_pkg::receive_writes_t      wr;
  cairn_int_pkg::receive_write_ready_t wr_ready;
  cairn_int_pkg::dma_return_t          dma;
  assign {rd_ready.atom, rd_ready.res, rd_ready.rqe} = rd_ready_i;
  assign {wr_ready.atom, wr_ready.rsp} = {at_wr_ready_i, wr_ready_i};
  assign dma = {dma_valid_i, d, cairn_int_pkg::TICKET_W'(0), last_ticket_i};
  cairn_int_pkg::dma_rd_t r0, r1, r2;
  assign {rd_valid_o[2], r2} = rd.atom;
  assign rd2_iova_o = r2.iova;
  assign {rd_valid_o[0], r0} = rd.rqe;
  assign {rd_valid_o[1], r1} = rd.res;
  assign rd0_iova_o = r0.iova;
  assign rd1_iova_o = r1.iova;
  assign rd_len_o = {r2.len, r1.len, r0.len};
  assign rd_tag_o = {r2.tag, r1.tag, r0.tag};
  assign rd_func_o = {r2.func, r1.func};
  cairn_int_pkg::dma_rsp_t d;
  assign d = {dma_client_i, dma_tag_i, dma_offset_i, dma_skip_i, dma_nbytes_i, dma_last_i, dma_err_i};
  cairn_int_pkg::cq_use_t   cq;
  assign cqe_valid_o = cq.put.valid;
  cairn_int_pkg::cqe_req_t c;
  assign c = cq.put.req;
  assign {cqe_cqn_o, cqe_qpn_o, cqe_opcode_o, cqe_byte_len_o, cqe_imm_o} = {c.cqn, c.qpn, c.opcode, c.byte_len,
      c.imm};
  assign cqe_src_o = c.src_qp;
  assign cqe_net_o = c.net;
  assign {cqe_index_o, cqe_flags_o, cqe_vendor_o, cqe_status_o, cqe_sol_o} = {c.wqe_index, c.flags, c.vendor,
      c.status, c.event_sol};
  cairn_int_pkg::eq_event_t eqe;
  assign eqe_valid_o = eqe.valid;
  cairn_int_pkg::eqe_req_t e;
  assign e = eqe.req;
  assign {eqe_eqn_o, eqe_type_o, eqe_number_o, eqe_data_o} = {e.eqn, e.etype, e.number, e.data};
  cairn_int_pkg::tx_responses_t       responses;
  cairn_int_pkg::tx_responses_ready_t responses_ready;
  cairn_int_pkg::tx_job_t j0, j1;
  assign j0 = responses.job;
  assign j1 = responses.ack;
  assign job_valid_o = {responses.ack_valid, responses.job_valid};
  assign seg_valid_o = responses.seg_valid;
  assign responses_ready = {job_ready_i[0], seg_ready_i, job_ready_i[1], rsp_left_i};
  assign job_kind_o = {j1.kind, j0.kind};
  assign job_qpn_o = {j1.qpn, j0.qpn};
  assign job_opcode_o = {j1.opcode, j0.opcode};
  assign job_psn_o = {j1.psn, j0.psn};
  assign job_len_o = {j1.pay_len, j0.pay_len};
  assign job_aeth_o = {j1.args.aeth, j0.args.aeth};
  assign job_value_o = j0.args.swap_add;
  assign job_dest_o = {j1.av.dest_qp, j0.av.dest_qp};
  cairn_int_pkg::tx_seg_t s;
  assign s = responses.seg;
  assign {seg_iova_o, seg_len_o, seg_nb_o, seg_eoj_o} = {s.iova, s.len, s.nb_valid, s.eoj};
  assign seg_ticket_o = s.not_before;
  assign seg_func_o = s.func;

  cairn_int_pkg::responder_use_t  use_;
  cairn_int_pkg::responder_view_t view;
  assign {unpin_rsp_o, rx_done_slot_o}   = {use_.unpin_packet.valid, use_.unpin_packet.slot[3:0]};
  assign {unpin_rtx_o, unpin_rtx_slot_o} = {use_.unpin_visit.valid, use_.unpin_visit.slot[3:0]};
  logic          host_write_ready_cfg_unused;
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(1)) u_cfg (
      .clk_i, .part_write_valid_i(host_write_valid_i && host_write_part_i == 2'd0),
      .part_write_slot_i(host_write_slot_i), .part_write_data_i(host_write_data_i),
      .host_write_valid_i(1'b0),
      .host_write_ready_o(host_write_ready_cfg_unused), .host_write_slot_i, .host_write_data_i,
      .rd_slot_i(use_.answer[3:0]),
      .rd_data_o(view.answer.cfg));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(4)) u_rsp (
      .clk_i, .part_write_valid_i(use_.write.valid), .part_write_slot_i(use_.write.slot[3:0]),
      .part_write_data_i(use_.write.data),
      .host_write_valid_i(host_write_valid_i && host_write_part_i == 2'd3),
      .host_write_ready_o, .host_write_slot_i, .host_write_data_i,
      .rd_slot_i({peek_slot_i, use_.answer[3:0], use_.commit[3:0], use_.check[3:0]}),
      .rd_data_o({peek_o, view.answer.rsp, view.commit, view.check}));

  responder #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(8), .SRQS_LOG2(2), .RX_INFLIGHT(64), .CELLS(1024),
      .RQE_RUNS(RUNS), .RQE_ONES(ONES), .SRQ_WINDOW(WINDOW), .SRQ_AHEAD(AHEAD), .RES_LINES(4)) u_dut (
      .clk_i, .rst_ni, .control_i({features_i, epoch_i, halt_i, 1'b0, res_base_i, res_func_i}), .rx_left_i(left_i),
      .news_o({cq, eqe, qp_err_o}), .news_ready_i({cqe_ready_i, eqe_ready_i, qp_err_ready_i}),
      .cq_i({crowded_i, room_i}),
      .pkt_i({pkt_valid_i, pkt_cfg_i, m}), .pkt_o({pkt_ready_o, rx_done_o}), .part_o(use_), .part_i(view),
      .rq_rd_qpn_o(rq_qpn_o), .rq_rd_pi_i(rq_pi_i),
      .srq_op_i(op_i),
      .srq_op_o(op_o),
      .srq_db_i(sdb_i),
      .kick_i, .kick_ready_o,
      .ctx_o, .ctx_ready_i, .ctx_i, .fill_i,
      .mr_o(asks), .mr_ready_i(asks_ready), .mr_i(answers), .mr_ready_o(answers_ready),
      .memory_o({rd, wr}), .memory_ready_i({rd_ready, wr_ready}), .dma_i(dma), .dma_data_i,
      .responses_o(responses), .responses_i(responses_ready),
      .tx_err_i({tx_err_valid_i, tx_err_i}), .tx_err_ready_o,
      .events_o,
      .idle_o);

  logic unused;
  assign unused = ^{upd, q0, q1, w, wa, r0, r1, r2, c, e, j0, j1, s};
endmodule
