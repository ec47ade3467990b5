// SPDX-License-Identifier: Apache-2.0
// The transport: contexts, keys, queues and the three engines, between the packet paths, the DMA engines and the management core. Wiring only;
// docs/architecture.md 2 and 5 tell who writes what and which kicks go where.
//   qp_lookup -> rx_dispatch -> responder, completer        qp_scheduler -> requester (wqe_fetch)
//   qp_cache, mr_service, cq_service, eqe_write: state      doorbell: producer indices and kicks
module rdma_core #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned QPS_LOG2  = 12,
    parameter int unsigned CQS_LOG2  = 12,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned QP_SETS   = 16,
    parameter int unsigned CELLS     = 1024,
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1,
    localparam int unsigned RDW  = cairn_int_pkg::DMA_RD_W,
    localparam int unsigned WRW  = cairn_int_pkg::DMA_WR_W,
    localparam int unsigned TKW  = cairn_int_pkg::TICKET_W,
    localparam int unsigned RD_N = cairn_int_pkg::RD_N,
    localparam int unsigned WR_N = cairn_int_pkg::WR_N,
    localparam int unsigned JOBW = cairn_int_pkg::TX_JOB_W,
    localparam int unsigned SEGW = cairn_int_pkg::TX_SEG_W,
    localparam int unsigned CNT  = cairn_hw_pkg::COUNTER_COUNT
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [63:0]        time_now_i,
    input  logic [31:0]        features_i,
    input  logic               enable_i,
    input  logic               fence_start_i,
    output logic               fence_done_o,
    input  logic               dma_busy_i,      // posted writes or reads under way (fence)
    input  logic               tx_busy_i,       // jobs whose payload is outstanding
    input  logic [8*64-1:0]    table_base_i,
    input  logic [8*33-1:0]    table_entries_i,
    // doorbells, from the host and from firmware
    input  logic               db_valid_i,
    input  logic [7:0]         db_page_i,
    input  logic [11:0]        db_offset_i,
    input  logic [63:0]        db_data_i,
    input  logic               fdb_valid_i,
    output logic               fdb_ready_o,
    input  logic [2:0]         fdb_kind_i,
    input  logic [1:0]         fdb_op_i,
    input  logic [7:0]         fdb_page_i,
    input  logic [23:0]        fdb_number_i,
    output logic [15:0]        fdb_index_o,
    input  logic [2:0]         kick_valid_i,    // firmware: scheduler, cmp_retire, rsp_flush
    output logic [2:0]         kick_ready_o,
    input  logic [23:0]        kick_qpn_i,
    output logic [3:0]         ev_valid_o,      // to dev_mmio
    input  logic [3:0]         ev_ready_i,
    output logic [4*24-1:0]    ev_number_o,
    // context port
    input  logic               op_valid_i,
    input  logic [2:0]         op_table_i,
    input  logic [2:0]         op_i,
    input  logic [1:0]         op_part_i,
    input  logic [31:0]        op_key_i,
    input  logic [511:0]       op_data_i,
    input  logic [511:0]       op_mask_i,
    output logic               op_done_o,
    output logic [2:0]         op_status_o,
    output logic [511:0]       op_data_o,
    // EQ region of the management core
    input  logic               mmio_valid_i,
    output logic               mmio_ready_o,
    input  logic               mmio_we_i,
    input  logic [15:0]        mmio_addr_i,
    input  logic [31:0]        mmio_wdata_i,
    output logic [31:0]        mmio_rdata_o,
    output logic               msix_valid_o,
    input  logic               msix_ready_i,
    output logic [4:0]         msix_vector_o,
    output logic               fatal_o,
    // DMA clients; the ports of others (RD_TXP, RD_FW, RD_ATOM, WR_FW, WR_ATOM) are quiet here
    output logic [RD_N-1:0]    rd_valid_o,
    input  logic [RD_N-1:0]    rd_ready_i,
    output logic [RD_N*RDW-1:0] rd_req_o,
    input  logic               rsp_valid_i,
    input  logic [cairn_int_pkg::DMA_RSP_W-1:0] rsp_meta_i,
    input  logic [DATA_W-1:0]  rsp_data_i,
    output logic [WR_N-1:0]    wr_valid_o,
    input  logic [WR_N-1:0]    wr_ready_i,
    output logic [WR_N*WRW-1:0] wr_cmd_o,
    input  logic [TKW-1:0]     ticket_i,
    input  logic [TKW-1:0]     last_ticket_i,
    // receive path
    input  logic               rx_valid_i,
    output logic               rx_ready_o,
    input  logic [cairn_int_pkg::RX_META_W-1:0] rx_meta_i,
    output logic               free_valid_o,
    input  logic               free_ready_i,
    output logic [cairn_int_pkg::CELL_W-1:0] free_cell_head_o,
    // transmit path
    output logic               req_job_valid_o,
    input  logic               req_job_ready_i,
    output logic [JOBW-1:0]    req_job_o,
    output logic               req_seg_valid_o,
    input  logic               req_seg_ready_i,
    output logic [SEGW-1:0]    req_seg_o,
    output logic               inline_valid_o,
    input  logic               inline_ready_i,
    output logic [DATA_W-1:0]  inline_data_o,
    output logic [NB_W-1:0]    inline_nbytes_o,
    output logic               inline_last_o,
    output logic               rsp_job_valid_o,
    input  logic               rsp_job_ready_i,
    output logic [JOBW-1:0]    rsp_job_o,
    output logic               rsp_seg_valid_o,
    input  logic               rsp_seg_ready_i,
    output logic [SEGW-1:0]    rsp_seg_o,
    input  logic               rsp_left_i,
    output logic               ack_valid_o,
    input  logic               ack_ready_i,
    output logic [JOBW-1:0]    ack_o,
    input  logic               ec_valid_i,
    input  logic [cairn_int_pkg::SLOT_W-1:0] ec_slot_i,
    input  logic [23:0]        ec_qpn_i,
    input  logic [7:0]         ec_gen_i,
    output logic               ecr_valid_o,
    output logic               ecr_match_o,
    output logic [7:0]         ecr_epoch_o,
    input  logic               req_err_valid_i,
    output logic               req_err_ready_o,
    input  logic [23:0]        req_err_qpn_i,
    input  logic [7:0]         req_err_gen_i,
    input  logic [23:0]        req_err_psn_i,
    input  logic               rsp_err_valid_i,
    output logic               rsp_err_ready_o,
    input  logic [23:0]        rsp_err_qpn_i,
    input  logic [7:0]         rsp_err_gen_i,
    input  logic [23:0]        rsp_err_psn_i,
    // counters, time
    output logic [2*CNT-1:0]   ev_o,
    output logic               idle_o,
    output logic               deadline_valid_o,
    output logic [63:0]        deadline_o
);
  localparam int unsigned SLOTS = QP_SETS * 8;
  localparam int unsigned AW    = $clog2(SLOTS);
  localparam int unsigned N_MR  = cairn_int_pkg::MRC_N;
  localparam int unsigned RQW   = cairn_int_pkg::MR_REQ_W;
  localparam int unsigned RSW   = cairn_int_pkg::MR_RSP_W;
  localparam int unsigned CQW   = cairn_int_pkg::CQE_REQ_W;
  localparam int unsigned EQW   = cairn_int_pkg::EQE_REQ_W;
  localparam int unsigned PKT_W = cairn_int_pkg::RX_META_W + 512;

  // ---- tables ----
  logic [63:0] qp_base, res_base, cq_base, mpt_base, mtt_base;
  logic [32:0] qp_n, cq_n, mpt_n, mtt_n;
  assign qp_base  = table_base_i[64*cairn_hw_pkg::TABLE_QP +: 64];
  assign res_base = table_base_i[64*cairn_hw_pkg::TABLE_RSP_RES +: 64];
  assign cq_base  = table_base_i[64*cairn_hw_pkg::TABLE_CQ +: 64];
  assign mpt_base = table_base_i[64*cairn_hw_pkg::TABLE_MPT +: 64];
  assign mtt_base = table_base_i[64*cairn_hw_pkg::TABLE_MTT +: 64];
  assign qp_n     = table_entries_i[33*cairn_hw_pkg::TABLE_QP +: 33];
  assign cq_n     = table_entries_i[33*cairn_hw_pkg::TABLE_CQ +: 33];
  assign mpt_n    = table_entries_i[33*cairn_hw_pkg::TABLE_MPT +: 33];
  assign mtt_n    = table_entries_i[33*cairn_hw_pkg::TABLE_MTT +: 33];

  logic halt;
  logic epoch;
  assign epoch = 1'b0;       // the fence drains, so one epoch is enough

  // ---- QP contexts ----
  logic [3:0]      lk_valid, lk_ready, lkr_valid;
  logic [4*24-1:0] lk_key;
  logic [2:0]      lkr_status;
  logic [AW-1:0]   lkr_slot, fill_slot, fq_slot;
  logic [23:0]     lkr_key, fill_key;
  logic [5:0]      unpin_valid;
  logic [6*AW-1:0] unpin_slot;
  logic            fill_valid, fq_filling;
  logic [2:0]      fill_status;
  logic [4*AW-1:0]  cfg_slot;      // qp_lookup, req_visit, rsp_tx, completer
  logic [2047:0]    cfg_data;
  logic [4*AW-1:0]  req_slot;      // req_visit, cmp_packet, cmp_place, cmp_retire
  logic [2047:0]    req_data;
  logic [5*AW-1:0]  cmp_slot;      // req_visit, req_issue, cmp_packet, cmp_place, cmp_retire
  logic [2559:0]    cmp_data;
  logic [3*AW-1:0]  rsp_slot;
  logic [1535:0]    rsp_data;
  logic            req_ow_valid, rsp_ow_valid;
  logic [AW-1:0]   req_ow_slot, rsp_ow_slot;
  logic [511:0]    req_ow_data, rsp_ow_data, cmp_ow_data;
  logic [1:0]      cmp_ow_valid;
  logic [2*AW-1:0] cmp_ow_slot;
  logic            c_qpc_hit, c_qpc_miss, c_qpc_wb, qpc_idle;
  logic            qrd_valid, qrd_ready;
  logic [RDW-1:0]  qrd;
  logic            fw_qp_done, fw_cq_done;
  logic [1:0]      fw_mr_done;
  logic [2:0]      fw_qp_status, fw_cq_status;
  logic [5:0]      fw_mr_status;
  logic [511:0]    fw_qp_data, fw_cq_data;
  logic [1023:0]   fw_mr_data;
  logic            op_qp, op_cq, op_mpt, op_mtt, op_none_q;
  assign op_qp  = op_valid_i && op_table_i == 3'(cairn_hw_pkg::TABLE_QP);
  assign op_cq  = op_valid_i && op_table_i == 3'(cairn_hw_pkg::TABLE_CQ);
  assign op_mpt = op_valid_i && op_table_i == 3'(cairn_hw_pkg::TABLE_MPT);
  assign op_mtt = op_valid_i && op_table_i == 3'(cairn_hw_pkg::TABLE_MTT);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) op_none_q <= 1'b0;
    else op_none_q <= op_valid_i && !(op_qp || op_cq || op_mpt || op_mtt) && !op_none_q;
  end
  assign op_done_o   = (op_qp && fw_qp_done) || (op_cq && fw_cq_done) || (op_mpt && fw_mr_done[0]) || (op_mtt && fw_mr_done[1]) || op_none_q;
  assign op_status_o = op_qp ? fw_qp_status : op_cq ? fw_cq_status : op_mpt ? fw_mr_status[2:0] : op_mtt ? fw_mr_status[5:3]
                       : cairn_hw_pkg::CTX_RESULT_FREE;
  assign op_data_o   = op_qp ? fw_qp_data : op_cq ? fw_cq_data : op_mpt ? fw_mr_data[511:0] : fw_mr_data[1023:512];

  qp_cache #(.DATA_W(DATA_W), .SETS(QP_SETS), .CFG_RD(4), .REQ_RD(4), .CMP_RD(5), .RSP_RD(3)) u_qpc (
      .clk_i, .rst_ni, .epoch_i(epoch), .base_i(qp_base), .entries_i(qp_n[24:0]),
      .lk_valid_i(lk_valid), .lk_ready_o(lk_ready), .lk_key_i(lk_key), .lkr_valid_o(lkr_valid), .lkr_status_o(lkr_status),
      .lkr_slot_o(lkr_slot), .lkr_key_o(lkr_key), .unpin_valid_i(unpin_valid), .unpin_slot_i(unpin_slot),
      .fill_valid_o(fill_valid), .fill_slot_o(fill_slot), .fill_key_o(fill_key), .fill_status_o(fill_status),
      .fq_slot_i(fq_slot), .fq_filling_o(fq_filling),
      .cfg_slot_i(cfg_slot), .cfg_data_o(cfg_data), .req_slot_i(req_slot), .req_data_o(req_data),
      .cmp_slot_i(cmp_slot), .cmp_data_o(cmp_data), .rsp_slot_i(rsp_slot), .rsp_data_o(rsp_data),
      .req_ow_valid_i(req_ow_valid), .req_ow_slot_i(req_ow_slot), .req_ow_data_i(req_ow_data),
      .cmp_ow_valid_i(cmp_ow_valid), .cmp_ow_slot_i(cmp_ow_slot), .cmp_ow_data_i(cmp_ow_data),
      .rsp_ow_valid_i(rsp_ow_valid), .rsp_ow_slot_i(rsp_ow_slot), .rsp_ow_data_i(rsp_ow_data),
      .ec_valid_i, .ec_slot_i, .ec_qpn_i, .ec_gen_i, .ecr_valid_o, .ecr_match_o, .ecr_epoch_o,
      .fw_valid_i(op_qp), .fw_op_i(op_i), .fw_key_i(op_key_i[23:0]), .fw_part_i(op_part_i), .fw_data_i(op_data_i), .fw_mask_i(op_mask_i),
      .fw_done_o(fw_qp_done), .fw_status_o(fw_qp_status), .fw_data_o(fw_qp_data),
      .rd_valid_o(qrd_valid), .rd_ready_i(qrd_ready), .rd_req_o(qrd), .rsp_valid_i, .rsp_meta_i, .dma_data_i(rsp_data_i),
      .wr_valid_o(wr_valid_o[cairn_int_pkg::WR_QPC]), .wr_ready_i(wr_ready_i[cairn_int_pkg::WR_QPC]),
      .wr_cmd_o(wr_cmd_o[cairn_int_pkg::WR_QPC*WRW +: WRW]), .wr_ticket_i(ticket_i),
      .cnt_hit_o(c_qpc_hit), .cnt_miss_o(c_qpc_miss), .cnt_writeback_o(c_qpc_wb), .idle_o(qpc_idle));

  // ---- MR service ----
  logic [N_MR-1:0]     mrq_valid, mrq_ready, mrs_valid, mrs_ready;
  logic [N_MR*RQW-1:0] mrq;
  logic [N_MR*RSW-1:0] mrs;
  logic                mr_fill, mr_idle, mwr_valid, mwr_ready, c_mpt_hit, c_mpt_miss, c_mtt_hit, c_mtt_miss;
  logic [WRW-1:0]      mwr;
  mr_service #(.DATA_W(DATA_W)) u_mr (
      .clk_i, .rst_ni, .epoch_i(epoch), .mpt_base_i(mpt_base), .mpt_entries_i(mpt_n), .mtt_base_i(mtt_base), .mtt_entries_i(mtt_n),
      .mr_req_valid_i(mrq_valid), .mr_req_ready_o(mrq_ready), .mr_req_i(mrq), .mr_rsp_valid_o(mrs_valid), .mr_rsp_ready_i(mrs_ready),
      .mr_rsp_o(mrs), .mr_fill_o(mr_fill),
      .fw_valid_i({op_mtt, op_mpt}), .fw_op_i(op_i), .fw_key_i(op_key_i), .fw_data_i(op_data_i), .fw_mask_i(op_mask_i),
      .fw_done_o(fw_mr_done), .fw_status_o(fw_mr_status), .fw_data_o(fw_mr_data),
      .rd_valid_o(rd_valid_o[cairn_int_pkg::RD_MR]), .rd_ready_i(rd_ready_i[cairn_int_pkg::RD_MR]), .rd_req_o(rd_req_o[cairn_int_pkg::RD_MR*RDW +: RDW]),
      .rsp_valid_i, .rsp_meta_i, .rsp_data_i, .wr_valid_o(mwr_valid), .wr_ready_i(mwr_ready), .wr_cmd_o(mwr), .wr_ticket_i(ticket_i),
      .cnt_mpt_hit_o(c_mpt_hit), .cnt_mpt_miss_o(c_mpt_miss), .cnt_mtt_hit_o(c_mtt_hit), .cnt_mtt_miss_o(c_mtt_miss), .idle_o(mr_idle));

  // ---- completion and event queues ----
  logic [1:0]       cqe_valid, cqe_ready;
  logic [2*CQW-1:0] cqe;
  logic             arm_valid, arm_ready, cqc_valid, cqc_ready, cq_idle;
  logic [23:0]      arm_cqn;
  logic [18:0]      arm_word;
  logic [WRW-1:0]   cqc;
  logic [2:0]       eqe_valid, eqe_ready;
  logic [3*EQW-1:0] eqe;
  logic             eqd_valid, eqd_arm, eq_idle;
  logic [7:0]       eqd_eqn;
  logic [15:0]      eqd_ci;
  logic             c_cqe, c_flush, c_cqe_err, c_cq_over, c_eqe, c_eq_over;
  cq_service #(.DATA_W(DATA_W)) u_cq (
      .clk_i, .rst_ni, .time_now_i, .epoch_i(epoch), .cq_base_i(cq_base), .cq_entries_i(cq_n[24:0]),
      .cqe_valid_i(cqe_valid), .cqe_ready_o(cqe_ready), .cqe_i(cqe),
      .arm_valid_i(arm_valid), .arm_ready_o(arm_ready), .arm_cqn_i(arm_cqn), .arm_word_i(arm_word),
      .fw_valid_i(op_cq), .fw_op_i(op_i), .fw_key_i(op_key_i), .fw_data_i(op_data_i), .fw_mask_i(op_mask_i),
      .fw_done_o(fw_cq_done), .fw_status_o(fw_cq_status), .fw_data_o(fw_cq_data),
      .rd_valid_o(rd_valid_o[cairn_int_pkg::RD_CQ]), .rd_ready_i(rd_ready_i[cairn_int_pkg::RD_CQ]), .rd_req_o(rd_req_o[cairn_int_pkg::RD_CQ*RDW +: RDW]),
      .rsp_valid_i, .rsp_meta_i, .rsp_data_i,
      .wr_valid_o(wr_valid_o[cairn_int_pkg::WR_CQE]), .wr_ready_i(wr_ready_i[cairn_int_pkg::WR_CQE]), .wr_cmd_o(wr_cmd_o[cairn_int_pkg::WR_CQE*WRW +: WRW]),
      .cqc_valid_o(cqc_valid), .cqc_ready_i(cqc_ready), .cqc_cmd_o(cqc), .cqc_ticket_i(ticket_i),
      .eqe_valid_o(eqe_valid[0]), .eqe_ready_i(eqe_ready[0]), .eqe_o(eqe[EQW-1:0]),
      .cq_error_valid_o(ev_valid_o[0]), .cq_error_ready_i(ev_ready_i[0]), .cq_error_cqn_o(ev_number_o[23:0]),
      .cnt_cqe_written_o(c_cqe), .cnt_cqe_flush_o(c_flush), .cnt_cqe_err_o(c_cqe_err), .cnt_cq_overflow_o(c_cq_over), .idle_o(cq_idle));
  // Write-backs of CQ and MPT records share a port.
  assign wr_valid_o[cairn_int_pkg::WR_CQC]            = cqc_valid || mwr_valid;
  assign wr_cmd_o[cairn_int_pkg::WR_CQC*WRW +: WRW]   = cqc_valid ? cqc : mwr;
  assign cqc_ready = wr_ready_i[cairn_int_pkg::WR_CQC];
  assign mwr_ready = wr_ready_i[cairn_int_pkg::WR_CQC] && !cqc_valid;

  eqe_write #(.NSRC(3)) u_eq (
      .clk_i, .rst_ni, .epoch_i(epoch), .eqe_valid_i(eqe_valid), .eqe_ready_o(eqe_ready), .eqe_i(eqe),
      .db_valid_i(eqd_valid), .db_eqn_i(eqd_eqn), .db_ci_i(eqd_ci), .db_arm_i(eqd_arm),
      .wr_valid_o(wr_valid_o[cairn_int_pkg::WR_EQE]), .wr_ready_i(wr_ready_i[cairn_int_pkg::WR_EQE]), .wr_cmd_o(wr_cmd_o[cairn_int_pkg::WR_EQE*WRW +: WRW]),
      .msix_valid_o, .msix_ready_i, .msix_vector_o,
      .mmio_valid_i, .mmio_ready_o, .mmio_we_i, .mmio_addr_i, .mmio_wdata_i, .mmio_rdata_o,
      .ovf_valid_o(ev_valid_o[2]), .ovf_ready_i(ev_ready_i[2]), .ovf_eqn_o(ev_number_o[71:48]), .fatal_o,
      .cnt_eqe_written_o(c_eqe), .cnt_eq_overflow_o(c_eq_over), .idle_o(eq_idle));

  // ---- doorbells, scheduler ----
  logic [2*24-1:0] sq_rd_qpn;
  logic [2*16-1:0] sq_rd_pi;
  logic [23:0]     rq_rd_qpn;
  logic [15:0]     rq_rd_pi, srq_pi_unused;
  logic            dsq_valid, dsq_ready, dcmp_valid, dcmp_ready, drsp_valid, drsp_ready, bad_valid, bad_pend_q, db_idle;
  logic [23:0]     dsq_qpn, dcmp_qpn, drsp_qpn;
  logic [7:0]      bad_page, bad_page_q;
  logic [6:0]      bad_cause, bad_cause_q;
  logic            c_db_sq, c_db_rq, c_db_cq, c_db_page, c_db_index, c_db_form;
  doorbell #(.QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .CQS_LOG2(CQS_LOG2)) u_doorbell (
      .clk_i, .rst_ni, .enable_i, .db_valid_i, .db_page_i, .db_offset_i, .db_data_i,
      .fw_valid_i(fdb_valid_i), .fw_ready_o(fdb_ready_o), .fw_kind_i(fdb_kind_i), .fw_op_i(fdb_op_i), .fw_page_i(fdb_page_i),
      .fw_number_i(fdb_number_i), .fw_index_o(fdb_index_o),
      .sq_rd_qpn_i(sq_rd_qpn), .sq_rd_pi_o(sq_rd_pi), .rq_rd_qpn_i(rq_rd_qpn), .rq_rd_pi_o(rq_rd_pi), .srq_rd_srqn_i('0), .srq_rd_pi_o(srq_pi_unused),
      .kick_sq_valid_o(dsq_valid), .kick_sq_ready_i(dsq_ready), .kick_sq_qpn_o(dsq_qpn),
      .kick_cmp_valid_o(dcmp_valid), .kick_cmp_ready_i(dcmp_ready), .kick_cmp_qpn_o(dcmp_qpn),
      .kick_rsp_valid_o(drsp_valid), .kick_rsp_ready_i(drsp_ready), .kick_rsp_qpn_o(drsp_qpn),
      .arm_valid_o(arm_valid), .arm_ready_i(arm_ready), .arm_cqn_o(arm_cqn), .arm_word_o(arm_word),
      .eq_valid_o(eqd_valid), .eq_eqn_o(eqd_eqn), .eq_ci_o(eqd_ci), .eq_arm_o(eqd_arm),
      .bad_valid_o(bad_valid), .bad_page_o(bad_page), .bad_cause_o(bad_cause),
      .cnt_doorbell_sq_o(c_db_sq), .cnt_doorbell_rq_o(c_db_rq), .cnt_doorbell_cq_o(c_db_cq), .cnt_doorbell_bad_page_o(c_db_page),
      .cnt_doorbell_bad_index_o(c_db_index), .cnt_doorbell_bad_form_o(c_db_form), .idle_o(db_idle));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bad_pend_q <= 1'b0;
    else if (bad_valid) bad_pend_q <= 1'b1;
    else if (ev_ready_i[1]) bad_pend_q <= 1'b0;
    if (bad_valid && !bad_pend_q) {bad_page_q, bad_cause_q} <= {bad_page, bad_cause};
  end
  assign ev_valid_o[1]      = bad_pend_q;
  assign ev_number_o[47:24] = {bad_page_q, 9'h0, bad_cause_q};

  // Fill strobes become kicks of the scheduler: a context that waited may be wanted by anyone. One that failed is nobody's.
  logic        fill_ok, fk_valid, fk_ready, fk_af_unused;
  assign fill_ok = fill_valid && fill_status == cairn_hw_pkg::CTX_RESULT_OK;
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && fill_ok && !fk_ready) $error("rdma_core: kick of a fill lost");
`endif
  logic [23:0] fk_qpn;
  logic [3:0]  fk_lvl;
  sync_fifo #(.WIDTH(24), .DEPTH(8)) u_fk (
      .clk_i, .rst_ni, .in_valid_i(fill_ok), .in_ready_o(fk_ready), .in_data_i(fill_key), .out_valid_o(fk_valid),
      .out_ready_i(sk_ready[1]), .out_data_o(fk_qpn), .level_o(fk_lvl), .almost_full_o(fk_af_unused));

  localparam int unsigned NSK = 9;
  logic [NSK-1:0]    sk_valid, sk_ready;
  logic [NSK*24-1:0] sk_qpn;
  logic              s_valid, s_ready, d_valid, d_ready, d_more, sched_idle;
  logic [23:0]       s_qpn, d_qpn;
  qp_scheduler #(.QPS_LOG2(QPS_LOG2), .NSRC(NSK)) u_sched (
      .clk_i, .rst_ni, .kick_valid_i(sk_valid), .kick_ready_o(sk_ready), .kick_qpn_i(sk_qpn),
      .sched_valid_o(s_valid), .sched_ready_i(s_ready), .sched_qpn_o(s_qpn),
      .done_valid_i(d_valid), .done_ready_o(d_ready), .done_qpn_i(d_qpn), .done_more_i(d_more), .idle_o(sched_idle));

  // ---- WQEs ----
  logic [1:0]    wlk_valid, wlk_hit, wlk_err, wft_valid, wft_ready, wk_valid, wk_ready;
  logic          wft_retry, wqe_idle, c_wqe;
  logic [47:0]   wlk_qpn, wft_qpn, wk_qpn;
  logic [15:0]   wlk_gen, wft_gen;
  logic [31:0]   wlk_index, wft_index, wft_limit;
  logic [127:0]  wft_base;
  logic [7:0]    wft_log2;
  logic [1023:0] wlk_data;
  wqe_fetch #(.DATA_W(DATA_W), .SETS(DATA_W >= 512 ? 16 : 4)) u_wqe (
      .clk_i, .rst_ni, .epoch_i(epoch), .lk_valid_i(wlk_valid), .lk_qpn_i(wlk_qpn), .lk_gen_i(wlk_gen), .lk_index_i(wlk_index),
      .lk_hit_o(wlk_hit), .lk_err_o(wlk_err), .lk_data_o(wlk_data),
      .ft_valid_i(wft_valid), .ft_ready_o(wft_ready), .ft_retry_o(wft_retry), .ft_qpn_i(wft_qpn), .ft_gen_i(wft_gen), .ft_index_i(wft_index),
      .ft_limit_i(wft_limit), .ft_base_i(wft_base), .ft_log2_i(wft_log2), .kick_valid_o(wk_valid), .kick_ready_i(wk_ready), .kick_qpn_o(wk_qpn),
      .rd_valid_o(rd_valid_o[cairn_int_pkg::RD_WQE]), .rd_ready_i(rd_ready_i[cairn_int_pkg::RD_WQE]), .rd_req_o(rd_req_o[cairn_int_pkg::RD_WQE*RDW +: RDW]),
      .rsp_valid_i, .rsp_meta_i, .rsp_data_i, .cnt_wqe_fetches_o(c_wqe), .idle_o(wqe_idle));

  // ---- receive front end ----
  logic             q_valid, q_ready, rp_valid, rp_ready, cp_valid, cp_ready, lu_idle, rxd_idle;
  logic [cairn_int_pkg::RX_META_W-1:0] q_meta;
  logic [511:0]     q_cfg;
  logic [PKT_W-1:0] rp, cp;
  logic [1:0]       rx_done;
  logic             c_qpn, c_state, c_addr, c_pkey, c_qkey, c_cnp, c_ctx, c_nobuf, c_park, c_st_rx;
  qp_lookup #(.SLOTS(SLOTS), .CELLS(CELLS)) u_lookup (
      .clk_i, .rst_ni, .halt_i(halt), .epoch_i(epoch), .rx_valid_i, .rx_ready_o, .rx_meta_i,
      .lk_valid_o(lk_valid[0]), .lk_ready_i(lk_ready[0]), .lk_key_o(lk_key[23:0]), .lkr_valid_i(lkr_valid[0]), .lkr_status_i(lkr_status), .lkr_slot_i(lkr_slot),
      .unpin_valid_o(unpin_valid[0]), .unpin_slot_o(unpin_slot[AW-1:0]), .fill_valid_i(fill_valid), .fill_slot_i(fill_slot), .fill_status_i(fill_status),
      .fq_slot_o(fq_slot), .fq_filling_i(fq_filling), .cfg_slot_o(cfg_slot[AW-1:0]), .cfg_data_i(cfg_data[511:0]),
      .out_valid_o(q_valid), .out_ready_i(q_ready), .out_meta_o(q_meta), .out_cfg_o(q_cfg), .rx_done_i(rx_done),
      .free_valid_o, .free_ready_i, .free_cell_head_o,
      .cnt_bad_qpn_o(c_qpn), .cnt_state_o(c_state), .cnt_addr_o(c_addr), .cnt_pkey_o(c_pkey), .cnt_qkey_o(c_qkey), .cnt_cnp_o(c_cnp), .cnt_ctx_error_o(c_ctx),
      .cnt_no_buffer_o(c_nobuf), .cnt_parked_o(c_park), .cnt_stall_o(c_st_rx), .idle_o(lu_idle));
  rx_dispatch u_dispatch (
      .clk_i, .rst_ni, .in_valid_i(q_valid), .in_ready_o(q_ready), .in_meta_i(q_meta), .in_cfg_i(q_cfg),
      .rsp_pkt_valid_o(rp_valid), .rsp_pkt_ready_i(rp_ready), .rsp_pkt_o(rp), .cmp_pkt_valid_o(cp_valid), .cmp_pkt_ready_i(cp_ready), .cmp_pkt_o(cp), .idle_o(rxd_idle));

  // ---- requester ----
  logic        t_valid, t_ready, rck_valid, rck_ready, req_idle, c_rctx, c_prot, c_lop, c_st_req;
  logic [23:0] t_qpn, rck_qpn;
  logic [63:0] t_deadline;
  logic [cairn_int_pkg::SLOT_W-1:0]    desc_slot;
  logic [15:0]                         desc_index;
  logic [cairn_int_pkg::SQ_DESC_W-1:0] desc;
  requester #(.DATA_W(DATA_W), .SLOTS(SLOTS), .DESCRIPTORS(DATA_W >= 512 ? 1024 : 256)) u_requester (
      .clk_i, .rst_ni, .time_now_i, .features_i, .halt_i(halt),
      .sched_valid_i(s_valid), .sched_ready_o(s_ready), .sched_qpn_i(s_qpn), .done_valid_o(d_valid), .done_ready_i(d_ready), .done_qpn_o(d_qpn), .done_more_o(d_more),
      .unpin_valid_o(unpin_valid[3]), .unpin_slot_o(unpin_slot[3*AW +: AW]),
      .lk_valid_o(lk_valid[1]), .lk_ready_i(lk_ready[1]), .lk_key_o(lk_key[47:24]), .lkr_valid_i(lkr_valid[1]), .lkr_status_i(lkr_status), .lkr_slot_i(lkr_slot), .lkr_key_i(lkr_key),
      .part_slot_o(cfg_slot[AW +: AW]), .cfg_data_i(cfg_data[1023:512]), .req_data_i(req_data[511:0]), .cmp_data_i(cmp_data[511:0]),
      .cmp_slot_o(cmp_slot[AW +: AW]), .cmp2_data_i(cmp_data[1023:512]), .ow_valid_o(req_ow_valid), .ow_slot_o(req_ow_slot), .ow_data_o(req_ow_data),
      .sq_rd_qpn_o(sq_rd_qpn[23:0]), .sq_rd_pi_i(sq_rd_pi[15:0]),
      .wlk_valid_o(wlk_valid[0]), .wlk_qpn_o(wlk_qpn[23:0]), .wlk_gen_o(wlk_gen[7:0]), .wlk_index_o(wlk_index[15:0]), .wlk_hit_i(wlk_hit[0]), .wlk_err_i(wlk_err[0]), .wlk_data_i(wlk_data[511:0]),
      .wft_valid_o(wft_valid[0]), .wft_ready_i(wft_ready[0]), .wft_retry_i(wft_retry), .wft_index_o(wft_index[15:0]), .wft_limit_o(wft_limit[15:0]),
      .wft_base_o(wft_base[63:0]), .wft_log2_o(wft_log2[3:0]),
      .mr_req_valid_o(mrq_valid[cairn_int_pkg::MRC_REQ]), .mr_req_ready_i(mrq_ready[cairn_int_pkg::MRC_REQ]), .mr_req_o(mrq[cairn_int_pkg::MRC_REQ*RQW +: RQW]),
      .mr_rsp_valid_i(mrs_valid[cairn_int_pkg::MRC_REQ]), .mr_rsp_ready_o(mrs_ready[cairn_int_pkg::MRC_REQ]), .mr_rsp_i(mrs[cairn_int_pkg::MRC_REQ*RSW +: RSW]), .mr_fill_i(mr_fill),
      .desc_slot_i(desc_slot), .desc_index_i(desc_index), .desc_o(desc),
      .tmr_valid_o(t_valid), .tmr_ready_i(t_ready), .tmr_qpn_o(t_qpn), .tmr_deadline_o(t_deadline),
      .wr_ticket_i(last_ticket_i), .job_valid_o(req_job_valid_o), .job_ready_i(req_job_ready_i), .job_o(req_job_o), .seg_valid_o(req_seg_valid_o), .seg_ready_i(req_seg_ready_i), .seg_o(req_seg_o),
      .inline_valid_o, .inline_ready_i, .inline_data_o, .inline_nbytes_o, .inline_last_o,
      .tx_err_valid_i(req_err_valid_i), .tx_err_ready_o(req_err_ready_o), .tx_err_qpn_i(req_err_qpn_i), .tx_err_gen_i(req_err_gen_i), .tx_err_psn_i(req_err_psn_i),
      .kick_valid_o({sk_valid[3], sk_valid[8]}), .kick_ready_i({sk_ready[3], sk_ready[8]}), .kick_qpn_o({sk_qpn[3*24 +: 24], sk_qpn[8*24 +: 24]}),
      .cmp_kick_valid_o(rck_valid), .cmp_kick_ready_i(rck_ready), .cmp_kick_qpn_o(rck_qpn),
      .cnt_ctx_error_o(c_rctx), .cnt_loc_prot_o(c_prot), .cnt_loc_op_o(c_lop), .cnt_stall_o(c_st_req), .idle_o(req_idle));
  assign wft_qpn[23:0] = wlk_qpn[23:0];
  assign wft_gen[7:0]  = wlk_gen[7:0];
  assign req_slot[AW-1:0] = cfg_slot[AW +: AW];
  assign cmp_slot[AW-1:0] = cfg_slot[AW +: AW];

  // ---- responder ----
  logic        rrd_valid, rrd_ready, rsp_idle;
  logic [RDW-1:0] rrd;
  logic        qe_valid, qe_ready;
  logic [23:0] qe_qpn;
  logic        c_dup, c_oos, c_rnr, c_seq, c_inv, c_acc, c_rop, c_rxs, c_rxw, c_rxr, c_rst, c_ack, c_rqe, c_rpark, c_coal, c_st_rsp;
  responder #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2)) u_responder (
      .clk_i, .rst_ni, .halt_i(1'b0), .epoch_i(epoch), .res_base_i(res_base), .res_func_i('0),
      .rsp_pkt_valid_i(rp_valid), .rsp_pkt_ready_o(rp_ready), .rsp_pkt_meta_i(rp[cairn_int_pkg::RX_META_W-1:0]), .rsp_pkt_cfg_i(rp[PKT_W-1 -: 512]), .rx_done_o(rx_done[0]),
      .unpin_rsp_valid_o(unpin_valid[1]), .unpin_rsp_slot_o(unpin_slot[AW +: AW]),
      .rsp_rd_slot_o(rsp_slot), .rsp_rd_data_i(rsp_data), .rsp_ow_valid_o(rsp_ow_valid), .rsp_ow_slot_o(rsp_ow_slot), .rsp_ow_data_o(rsp_ow_data),
      .cfg_rd_slot_o(cfg_slot[2*AW +: AW]), .cfg_rd_data_i(cfg_data[1535:1024]), .rq_rd_qpn_o(rq_rd_qpn), .rq_rd_pi_i(rq_rd_pi),
      .kick_valid_i({kick_valid_i[2], drsp_valid}), .kick_ready_o({kick_ready_o[2], drsp_ready}), .kick_qpn_i({kick_qpn_i, drsp_qpn}),
      .lk_valid_o(lk_valid[3]), .lk_ready_i(lk_ready[3]), .lk_key_o(lk_key[95:72]), .lkr_valid_i(lkr_valid[3]), .lkr_status_i(lkr_status), .lkr_slot_i(lkr_slot),
      .fill_valid_i(fill_valid), .fill_key_i(fill_key), .unpin_rtx_valid_o(unpin_valid[5]), .unpin_rtx_slot_o(unpin_slot[5*AW +: AW]),
      .mr_req_valid_o({mrq_valid[cairn_int_pkg::MRC_RD], mrq_valid[cairn_int_pkg::MRC_RSP]}), .mr_req_ready_i({mrq_ready[cairn_int_pkg::MRC_RD], mrq_ready[cairn_int_pkg::MRC_RSP]}),
      .mr_req_o({mrq[cairn_int_pkg::MRC_RD*RQW +: RQW], mrq[cairn_int_pkg::MRC_RSP*RQW +: RQW]}),
      .mr_rsp_valid_i({mrs_valid[cairn_int_pkg::MRC_RD], mrs_valid[cairn_int_pkg::MRC_RSP]}), .mr_rsp_ready_o({mrs_ready[cairn_int_pkg::MRC_RD], mrs_ready[cairn_int_pkg::MRC_RSP]}),
      .mr_rsp_i({mrs[cairn_int_pkg::MRC_RD*RSW +: RSW], mrs[cairn_int_pkg::MRC_RSP*RSW +: RSW]}), .mr_fill_i(mr_fill),
      .wr_valid_o(wr_valid_o[cairn_int_pkg::WR_RSP]), .wr_ready_i(wr_ready_i[cairn_int_pkg::WR_RSP]), .wr_cmd_o(wr_cmd_o[cairn_int_pkg::WR_RSP*WRW +: WRW]), .wr_ticket_i(last_ticket_i),
      .rqe_rd_valid_o(rd_valid_o[cairn_int_pkg::RD_RQE]), .rqe_rd_ready_i(rd_ready_i[cairn_int_pkg::RD_RQE]), .rqe_rd_req_o(rd_req_o[cairn_int_pkg::RD_RQE*RDW +: RDW]),
      .res_rd_valid_o(rrd_valid), .res_rd_ready_i(rrd_ready), .res_rd_req_o(rrd), .dma_rsp_valid_i(rsp_valid_i), .dma_rsp_meta_i(rsp_meta_i), .dma_rsp_data_i(rsp_data_i),
      .cqe_valid_o(cqe_valid[0]), .cqe_ready_i(cqe_ready[0]), .cqe_o(cqe[CQW-1:0]), .eqe_valid_o(eqe_valid[1]), .eqe_ready_i(eqe_ready[1]), .eqe_o(eqe[2*EQW-1:EQW]),
      .qp_err_valid_o(qe_valid), .qp_err_ready_i(qe_ready), .qp_err_qpn_o(qe_qpn),
      .rsp_job_valid_o, .rsp_job_ready_i, .rsp_job_meta_o(rsp_job_o), .rsp_seg_valid_o, .rsp_seg_ready_i, .rsp_seg_meta_o(rsp_seg_o), .ack_valid_o, .ack_ready_i, .ack_meta_o(ack_o), .rsp_left_i,
      .txerr_valid_i(rsp_err_valid_i), .txerr_ready_o(rsp_err_ready_o), .txerr_qpn_i(rsp_err_qpn_i), .txerr_gen_i(rsp_err_gen_i), .txerr_psn_i(rsp_err_psn_i),
      .cnt_duplicate_request_o(c_dup), .cnt_out_of_sequence_o(c_oos), .cnt_rnr_nak_sent_o(c_rnr), .cnt_seq_nak_sent_o(c_seq), .cnt_resp_inv_req_o(c_inv), .cnt_resp_access_err_o(c_acc),
      .cnt_resp_op_err_o(c_rop), .cnt_rx_send_o(c_rxs), .cnt_rx_write_o(c_rxw), .cnt_rx_read_o(c_rxr), .cnt_rx_qp_state_o(c_rst), .cnt_ack_sent_o(c_ack), .cnt_rqe_fetch_o(c_rqe),
      .cnt_rx_parked_o(c_rpark), .cnt_cqe_coalesced_ack_o(c_coal), .cnt_stall_rsp_o(c_st_rsp), .idle_o(rsp_idle));
  // QP records and responder resources share a read port.
  assign rd_valid_o[cairn_int_pkg::RD_QPC]          = qrd_valid || rrd_valid;
  assign rd_req_o[cairn_int_pkg::RD_QPC*RDW +: RDW] = qrd_valid ? qrd : rrd;
  assign qrd_ready = rd_ready_i[cairn_int_pkg::RD_QPC];
  assign rrd_ready = rd_ready_i[cairn_int_pkg::RD_QPC] && !qrd_valid;

  // ---- completer ----
  logic [3*AW-1:0] c_slot;
  logic            ce_valid, ce_ready, cmp_idle;
  logic [23:0]     ce_qpn;
  logic            c_ack_r, c_rrsp, c_pseq, c_rnr_r, c_impl, c_tmo, c_rinv, c_racc, c_rop_r, c_retry, c_rnrx, c_ghost, c_gb, c_cprot, c_cerr_unused,
                   c_cfl_unused, c_dupack, c_cpark, c_st_cmp;
  completer #(.SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2)) u_completer (
      .clk_i, .rst_ni, .halt_i(1'b0), .time_now_i, .cmp_pkt_valid_i(cp_valid), .cmp_pkt_ready_o(cp_ready), .cmp_pkt_i(cp), .rx_done_o(rx_done[1]),
      .unpin_cmp_valid_o(unpin_valid[2]), .unpin_cmp_slot_o(unpin_slot[2*AW +: AW]), .unpin_cmpk_valid_o(unpin_valid[4]), .unpin_cmpk_slot_o(unpin_slot[4*AW +: AW]),
      .rd_slot_o(c_slot), .cfg_data_i(cfg_data[2047:1536]), .req_data_i(req_data[2047:512]), .cmp_data_i(cmp_data[2559:1024]),
      .sq_rd_qpn_o(sq_rd_qpn[47:24]), .sq_rd_pi_i(sq_rd_pi[31:16]), .ow_valid_o(cmp_ow_valid), .ow_slot_o(cmp_ow_slot), .ow_data_o(cmp_ow_data),
      .lk_valid_o(lk_valid[2]), .lk_ready_i(lk_ready[2]), .lk_key_o(lk_key[71:48]), .lkr_valid_i(lkr_valid[2]), .lkr_status_i(lkr_status), .lkr_slot_i(lkr_slot), .lkr_key_i(lkr_key),
      .fill_valid_i(fill_valid), .fill_key_i(fill_key),
      .kick_valid_i({kick_valid_i[1], dcmp_valid, wk_valid[1], rck_valid}), .kick_ready_o({kick_ready_o[1], dcmp_ready, wk_ready[1], rck_ready}),
      .kick_qpn_i({kick_qpn_i, dcmp_qpn, wk_qpn[47:24], rck_qpn}),
      .sched_valid_o({sk_valid[5], sk_valid[4]}), .sched_ready_i({sk_ready[5], sk_ready[4]}), .sched_qpn_o({sk_qpn[5*24 +: 24], sk_qpn[4*24 +: 24]}),
      .tmr_valid_i(t_valid), .tmr_ready_o(t_ready), .tmr_qpn_i(t_qpn), .tmr_deadline_i(t_deadline), .next_valid_o(deadline_valid_o), .next_deadline_o(deadline_o),
      .desc_slot_o(desc_slot), .desc_index_o(desc_index), .desc_i(desc),
      .wlk_valid_o(wlk_valid[1]), .wlk_qpn_o(wlk_qpn[47:24]), .wlk_gen_o(wlk_gen[15:8]), .wlk_index_o(wlk_index[31:16]), .wlk_hit_i(wlk_hit[1]), .wlk_err_i(wlk_err[1]), .wlk_data_i(wlk_data[1023:512]),
      .wft_valid_o(wft_valid[1]), .wft_ready_i(wft_ready[1]), .wft_retry_i(wft_retry), .wft_qpn_o(wft_qpn[47:24]), .wft_gen_o(wft_gen[15:8]), .wft_index_o(wft_index[31:16]),
      .wft_limit_o(wft_limit[31:16]), .wft_base_o(wft_base[127:64]), .wft_log2_o(wft_log2[7:4]),
      .mr_req_valid_o(mrq_valid[cairn_int_pkg::MRC_CMP]), .mr_req_ready_i(mrq_ready[cairn_int_pkg::MRC_CMP]), .mr_req_o(mrq[cairn_int_pkg::MRC_CMP*RQW +: RQW]),
      .mr_rsp_valid_i(mrs_valid[cairn_int_pkg::MRC_CMP]), .mr_rsp_ready_o(mrs_ready[cairn_int_pkg::MRC_CMP]), .mr_rsp_i(mrs[cairn_int_pkg::MRC_CMP*RSW +: RSW]), .mr_fill_i(mr_fill),
      .wr_valid_o(wr_valid_o[cairn_int_pkg::WR_CMP]), .wr_ready_i(wr_ready_i[cairn_int_pkg::WR_CMP]), .wr_cmd_o(wr_cmd_o[cairn_int_pkg::WR_CMP*WRW +: WRW]),
      .cqe_valid_o(cqe_valid[1]), .cqe_ready_i(cqe_ready[1]), .cqe_o(cqe[2*CQW-1:CQW]), .eqe_valid_o(eqe_valid[2]), .eqe_ready_i(eqe_ready[2]), .eqe_o(eqe[3*EQW-1:2*EQW]),
      .qp_err_valid_o(ce_valid), .qp_err_ready_i(ce_ready), .qp_err_qpn_o(ce_qpn),
      .cnt_rx_ack_o(c_ack_r), .cnt_rx_read_rsp_o(c_rrsp), .cnt_packet_seq_err_o(c_pseq), .cnt_rnr_nak_rcvd_o(c_rnr_r), .cnt_implied_nak_o(c_impl), .cnt_ack_timeout_o(c_tmo),
      .cnt_req_rem_inv_o(c_rinv), .cnt_req_rem_access_o(c_racc), .cnt_req_rem_op_o(c_rop_r), .cnt_retry_exc_o(c_retry), .cnt_rnr_exc_o(c_rnrx), .cnt_rx_ghost_ack_o(c_ghost),
      .cnt_go_backs_o(c_gb), .cnt_loc_prot_err_o(c_cprot), .cnt_cqe_err_o(c_cerr_unused), .cnt_cqe_flush_o(c_cfl_unused), .cnt_rx_dup_ack_o(c_dupack), .cnt_rx_parked_o(c_cpark),
      .cnt_stall_cmp_o(c_st_cmp), .idle_o(cmp_idle));
  assign cfg_slot[3*AW +: AW] = c_slot[2*AW +: AW];
  assign req_slot[4*AW-1:AW]  = c_slot;
  assign cmp_slot[5*AW-1:2*AW] = c_slot;

  // ---- kicks of the scheduler ----
  assign sk_valid[0] = dsq_valid;
  assign sk_valid[1] = fk_valid;
  assign sk_valid[2] = wk_valid[0];
  assign sk_valid[6] = 1'b0;                 // the wait timer's come through cmp_packet
  assign sk_valid[7] = kick_valid_i[0];
  assign sk_qpn[0 +: 24]      = dsq_qpn;
  assign sk_qpn[24 +: 24]     = fk_qpn;
  assign sk_qpn[2*24 +: 24]   = wk_qpn[23:0];
  assign sk_qpn[6*24 +: 24]   = '0;
  assign sk_qpn[7*24 +: 24]   = kick_qpn_i;
  assign dsq_ready       = sk_ready[0];
  assign wk_ready[0]     = sk_ready[2];
  assign kick_ready_o[0] = sk_ready[7];

  // ---- QPs in error, for firmware: responder before completer ----
  assign ev_valid_o[3]      = qe_valid || ce_valid;
  assign ev_number_o[95:72] = qe_valid ? qe_qpn : ce_qpn;
  assign qe_ready           = ev_ready_i[3];
  assign ce_ready           = ev_ready_i[3] && !qe_valid;

  fence #(.NBUSY(8)) u_fence (
      .clk_i, .rst_ni, .start_i(fence_start_i), .halt_o(halt), .done_o(fence_done_o),
      .busy_i({dma_busy_i, tx_busy_i, !lu_idle, !rxd_idle, !rsp_idle, !cmp_idle, !req_idle, !cq_idle || !mr_idle || !eq_idle}));

  always_comb begin
    ev_o = '0;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_BAD_QPN]        = c_qpn;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_QP_STATE +: 2]  = {1'b0, c_state} + {1'b0, c_rst};
    ev_o[2*cairn_hw_pkg::COUNTER_RX_BAD_ADDR]       = c_addr;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_BAD_PKEY]       = c_pkey;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_BAD_QKEY]       = c_qkey;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_CTX_ERROR +: 2] = {1'b0, c_ctx} + {1'b0, c_rctx};
    ev_o[2*cairn_hw_pkg::COUNTER_RX_NO_BUFFER]      = c_nobuf;
    ev_o[2*cairn_hw_pkg::COUNTER_CNP_HANDLED]       = c_cnp;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_PARKED +: 2]    = {1'b0, c_park} + {1'b0, c_rpark} + {1'b0, c_cpark};
    ev_o[2*cairn_hw_pkg::COUNTER_DUPLICATE_REQUEST] = c_dup;
    ev_o[2*cairn_hw_pkg::COUNTER_OUT_OF_SEQUENCE]   = c_oos;
    ev_o[2*cairn_hw_pkg::COUNTER_RNR_NAK_SENT]      = c_rnr;
    ev_o[2*cairn_hw_pkg::COUNTER_SEQ_NAK_SENT]      = c_seq;
    ev_o[2*cairn_hw_pkg::COUNTER_RESP_INV_REQ]      = c_inv;
    ev_o[2*cairn_hw_pkg::COUNTER_RESP_ACCESS_ERR]   = c_acc;
    ev_o[2*cairn_hw_pkg::COUNTER_RESP_OP_ERR]       = c_rop;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_SEND]           = c_rxs;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_WRITE]          = c_rxw;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_READ]           = c_rxr;
    ev_o[2*cairn_hw_pkg::COUNTER_CQE_COALESCED_ACK] = c_coal;
    ev_o[2*cairn_hw_pkg::COUNTER_RQE_FETCH]         = c_rqe;
    ev_o[2*cairn_hw_pkg::COUNTER_STALL_RSP]         = c_st_rsp;
    ev_o[2*cairn_hw_pkg::COUNTER_ACK_SENT]          = c_ack;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_ACK]            = c_ack_r;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_READ_RSP]       = c_rrsp;
    ev_o[2*cairn_hw_pkg::COUNTER_PACKET_SEQ_ERR]    = c_pseq;
    ev_o[2*cairn_hw_pkg::COUNTER_RNR_NAK_RCVD]      = c_rnr_r;
    ev_o[2*cairn_hw_pkg::COUNTER_IMPLIED_NAK]       = c_impl;
    ev_o[2*cairn_hw_pkg::COUNTER_ACK_TIMEOUT]       = c_tmo;
    ev_o[2*cairn_hw_pkg::COUNTER_REQ_REM_INV]       = c_rinv;
    ev_o[2*cairn_hw_pkg::COUNTER_REQ_REM_ACCESS]    = c_racc;
    ev_o[2*cairn_hw_pkg::COUNTER_REQ_REM_OP]        = c_rop_r;
    ev_o[2*cairn_hw_pkg::COUNTER_RETRY_EXC]         = c_retry;
    ev_o[2*cairn_hw_pkg::COUNTER_RNR_EXC]           = c_rnrx;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_GHOST_ACK]      = c_ghost;
    ev_o[2*cairn_hw_pkg::COUNTER_GO_BACKS]          = c_gb;
    ev_o[2*cairn_hw_pkg::COUNTER_RX_DUP_ACK]        = c_dupack;
    ev_o[2*cairn_hw_pkg::COUNTER_STALL_CMP]         = c_st_cmp;
    ev_o[2*cairn_hw_pkg::COUNTER_LOC_PROT_ERR +: 2] = {1'b0, c_prot} + {1'b0, c_cprot};
    ev_o[2*cairn_hw_pkg::COUNTER_LOC_OP_ERR]        = c_lop;
    ev_o[2*cairn_hw_pkg::COUNTER_STALL_REQ]         = c_st_req;
    ev_o[2*cairn_hw_pkg::COUNTER_CQE_ERR]           = c_cqe_err;
    ev_o[2*cairn_hw_pkg::COUNTER_CQE_FLUSH]         = c_flush;
    ev_o[2*cairn_hw_pkg::COUNTER_CQE_WRITTEN]       = c_cqe;
    ev_o[2*cairn_hw_pkg::COUNTER_CQ_OVERFLOW]       = c_cq_over;
    ev_o[2*cairn_hw_pkg::COUNTER_EQE_WRITTEN]       = c_eqe;
    ev_o[2*cairn_hw_pkg::COUNTER_EQ_OVERFLOW]       = c_eq_over;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_SQ]             = c_db_sq;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_RQ]             = c_db_rq;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_CQ]             = c_db_cq;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_BAD_PAGE]       = c_db_page;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_BAD_INDEX]      = c_db_index;
    ev_o[2*cairn_hw_pkg::COUNTER_DB_BAD_FORM]       = c_db_form;
    ev_o[2*cairn_hw_pkg::COUNTER_QPC_HIT]           = c_qpc_hit;
    ev_o[2*cairn_hw_pkg::COUNTER_QPC_MISS]          = c_qpc_miss;
    ev_o[2*cairn_hw_pkg::COUNTER_QPC_WRITEBACK]     = c_qpc_wb;
    ev_o[2*cairn_hw_pkg::COUNTER_MPT_HIT]           = c_mpt_hit;
    ev_o[2*cairn_hw_pkg::COUNTER_MPT_MISS]          = c_mpt_miss;
    ev_o[2*cairn_hw_pkg::COUNTER_MTT_HIT]           = c_mtt_hit;
    ev_o[2*cairn_hw_pkg::COUNTER_MTT_MISS]          = c_mtt_miss;
    ev_o[2*cairn_hw_pkg::COUNTER_WQE_FETCH]         = c_wqe;
    ev_o[2*cairn_hw_pkg::COUNTER_STALL_RX]          = c_st_rx;
  end

  // Ports that belong to others.
  assign rd_valid_o[cairn_int_pkg::RD_TXP]  = 1'b0;
  assign rd_valid_o[cairn_int_pkg::RD_FW]   = 1'b0;
  assign rd_valid_o[cairn_int_pkg::RD_ATOM] = 1'b0;
  assign rd_req_o[cairn_int_pkg::RD_TXP*RDW +: RDW]  = '0;
  assign rd_req_o[cairn_int_pkg::RD_FW*RDW +: RDW]   = '0;
  assign rd_req_o[cairn_int_pkg::RD_ATOM*RDW +: RDW] = '0;
  assign wr_valid_o[cairn_int_pkg::WR_FW]   = 1'b0;
  assign wr_valid_o[cairn_int_pkg::WR_ATOM] = 1'b0;
  assign wr_cmd_o[cairn_int_pkg::WR_FW*WRW +: WRW]   = '0;
  assign wr_cmd_o[cairn_int_pkg::WR_ATOM*WRW +: WRW] = '0;

  assign idle_o = qpc_idle && mr_idle && cq_idle && eq_idle && db_idle && sched_idle && wqe_idle && lu_idle && rxd_idle && req_idle && rsp_idle
                  && cmp_idle && fk_lvl == '0 && !bad_pend_q && !op_valid_i && !halt && !qe_valid && !ce_valid;
endmodule
