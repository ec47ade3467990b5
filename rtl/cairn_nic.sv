// SPDX-License-Identifier: Apache-2.0
// The device: PCIe TLP streams on one side, a MAC on the other, time from outside. Stages wired in packet order, nothing else.
//   host_if (TLPs, DMA, registers) - mgmt (management core) - doorbell - rdma_core (contexts, engines) - rx_path, tx_path - MAC
// docs/architecture.md; ports: the TLP header is the 128-bit sideband of hw.def's HDR tlp_mem and tlp_cpl, first DW on top, held over the TLP; payload packed from
// data[31:0]. MAC streams carry no preamble and no FCS; the receive side is never stopped.
// time_now_i (ns) may jump by whole clock periods while idle_o, never past deadline_o.
module cairn_nic #(
    parameter int unsigned DATA_W        = 512,
    parameter int unsigned QPS_LOG2      = 12,    // QPNs with on-chip doorbell and scheduler entries
    parameter int unsigned CQS_LOG2      = 12,
    parameter int unsigned SRQS_LOG2     = 4,
    parameter int unsigned QP_CACHE_LOG2 = 7,     // QP context cache entries
    parameter int unsigned CLK_PERIOD_NS = (DATA_W >= 256) ? 4 : 8,
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [63:0]        time_now_i,
    // PCIe
    input  logic               tlp_rx_valid_i,
    output logic               tlp_rx_ready_o,
    input  logic               tlp_rx_sop_i,
    input  logic               tlp_rx_last_i,
    input  logic [127:0]       tlp_rx_hdr_i,
    input  logic [2:0]         tlp_rx_bar_i,
    input  logic [DATA_W-1:0]  tlp_rx_data_i,
    output logic               tlp_tx_valid_o,
    input  logic               tlp_tx_ready_i,
    output logic               tlp_tx_sop_o,
    output logic               tlp_tx_last_o,
    output logic [127:0]       tlp_tx_hdr_o,
    output logic [DATA_W-1:0]  tlp_tx_data_o,
    input  logic [2:0]         tlp_credit_i,      // {completion, non-posted, posted}
    input  logic               cfg_bme_i,
    input  logic [2:0]         cfg_mps_i,
    input  logic [2:0]         cfg_mrrs_i,
    input  logic [15:0]        cfg_reqid_i,
    input  logic               cfg_msix_en_i,
    input  logic               cfg_msix_fmask_i,
    input  logic               cfg_flr_i,
    output logic               cfg_flr_done_o,
    // MAC
    input  logic               mac_rx_valid_i,
    input  logic               mac_rx_last_i,
    input  logic               mac_rx_err_i,
    input  logic [DATA_W-1:0]  mac_rx_data_i,
    input  logic [NB_W-1:0]    mac_rx_nbytes_i,
    output logic               mac_tx_valid_o,
    input  logic               mac_tx_ready_i,
    output logic               mac_tx_last_o,
    output logic               mac_tx_err_o,
    output logic [DATA_W-1:0]  mac_tx_data_o,
    output logic [NB_W-1:0]    mac_tx_nbytes_o,
    input  logic [47:0]        mac_addr_i,
    input  logic               mac_link_i,
    input  logic [15:0]        mac_eth_mtu_i,
    input  logic [15:0]        mac_gbps_i,
    // time and console
    output logic               idle_o,
    output logic               deadline_valid_o,
    output logic [63:0]        deadline_o,
    output logic               uart_valid_o,
    output logic [7:0]         uart_data_o
);
  localparam int unsigned RD_N = cairn_int_pkg::RD_N;
  localparam int unsigned WR_N = cairn_int_pkg::WR_N;
  localparam int unsigned RDW  = cairn_int_pkg::DMA_RD_W;
  localparam int unsigned WRW  = cairn_int_pkg::DMA_WR_W;
  localparam int unsigned CNT  = cairn_hw_pkg::COUNTER_COUNT;
  localparam int unsigned RAMW = $clog2(cairn_hw_pkg::CPU_RAM_BYTES) - 2;
  // No transport yet: firmware creates no QP, every RoCE packet is for a QP that does not exist.
  localparam logic [31:0] FEATURES = 32'h0;
  localparam logic [31:0] BUILD =
      (32'($clog2(DATA_W)) << cairn_hw_pkg::REG_BUILD_DATA_W_LOG2_LSB) | (32'(QPS_LOG2) << cairn_hw_pkg::REG_BUILD_QPS_LOG2_LSB)
      | (32'(CQS_LOG2) << cairn_hw_pkg::REG_BUILD_CQS_LOG2_LSB) | (32'(SRQS_LOG2) << cairn_hw_pkg::REG_BUILD_SRQS_LOG2_LSB)
      | (32'(QP_CACHE_LOG2) << cairn_hw_pkg::REG_BUILD_QP_CACHE_LOG2_LSB) | (32'(CLK_PERIOD_NS) << cairn_hw_pkg::REG_BUILD_CLK_PERIOD_NS_LSB);

  // ---- host side ----
  logic                 stop, core_rst_n;
  logic [RD_N-1:0]      rd_valid, rd_ready;
  logic [RD_N*RDW-1:0]  rd_req;
  logic                 rsp_valid;
  logic [cairn_int_pkg::DMA_RSP_W-1:0] rsp_meta;
  logic [DATA_W-1:0]    rsp_data;
  logic [WR_N-1:0]      wr_valid, wr_ready;
  logic [WR_N*WRW-1:0]  wr_cmd;
  logic [cairn_int_pkg::TICKET_W-1:0] ticket_unused, last_ticket;
  logic [1:0]           rd_epoch_unused, wr_epoch_unused;
  logic                 pc_valid, pc_ready, pc_first, pc_free, pd_valid, pd_ready;
  logic [cairn_int_pkg::CELL_W-1:0] pc_cell;
  logic [7:0]           pc_off;
  logic [cairn_int_pkg::LEN_W-1:0]  pc_len;
  logic [DATA_W-1:0]    pd_data;
  logic                 db_valid, push_valid_unused;
  logic [7:0]           db_page;
  logic [11:0]          db_offset;
  logic [63:0]          db_data;
  logic [511:0]         push_data_unused;
  logic                 cpu_hold, load_we, cq_db_we, cq_en, cq_en_we, fw_ready, fw_fatal, cpu_fatal;
  logic [RAMW-1:0]      load_addr;
  logic [31:0]          load_data, cq_size, log_size, fw_scratch;
  logic [63:0]          cq_base, cq_cpl_base, log_base;
  logic [15:0]          cq_db;
  logic                 mx_fw_valid, mx_fw_ready, mx_eq_ready_unused;
  logic [4:0]           mx_fw_vector;
  logic [2*CNT-1:0]     ev;
  logic [13:0]          rx_bytes, tx_bytes;
  logic                 host_idle, host_dl_valid, mgmt_idle, mgmt_dl_valid, rx_idle, tx_idle, tx_sending, db_idle;
  logic [63:0]          host_dl, mgmt_dl;

  host_if #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2), .QP_CACHE_LOG2(QP_CACHE_LOG2),
            .CLK_PERIOD_NS(CLK_PERIOD_NS), .FEATURES(FEATURES)) u_host (
      .clk_i, .rst_ni, .time_now_i,
      .tlp_rx_valid_i, .tlp_rx_ready_o, .tlp_rx_sop_i, .tlp_rx_last_i, .tlp_rx_hdr_i, .tlp_rx_bar_i, .tlp_rx_data_i,
      .tlp_tx_valid_o, .tlp_tx_ready_i, .tlp_tx_sop_o, .tlp_tx_last_o, .tlp_tx_hdr_o, .tlp_tx_data_o, .tlp_credit_i,
      .cfg_bme_i, .cfg_mps_i, .cfg_mrrs_i, .cfg_reqid_i, .cfg_msix_en_i, .cfg_msix_fmask_i, .cfg_flr_i, .cfg_flr_done_o,
      .mac_addr_i, .mac_link_i, .mac_eth_mtu_i, .mac_gbps_i,
      .stop_o(stop), .core_rst_no(core_rst_n), .tx_quiet_i(!tx_sending),
      .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_req_i(rd_req), .rsp_valid_o(rsp_valid), .rsp_meta_o(rsp_meta), .rsp_data_o(rsp_data),
      .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_cmd_i(wr_cmd), .ticket_o(ticket_unused), .last_ticket_o(last_ticket),
      .rd_epoch_busy_o(rd_epoch_unused), .wr_epoch_busy_o(wr_epoch_unused),
      .pool_cmd_valid_o(pc_valid), .pool_cmd_ready_i(pc_ready), .pool_cmd_cell_head_o(pc_cell), .pool_cmd_off_o(pc_off),
      .pool_cmd_len_o(pc_len), .pool_cmd_first_o(pc_first), .pool_cmd_free_o(pc_free),
      .pool_data_valid_i(pd_valid), .pool_data_ready_o(pd_ready), .pool_data_data_i(pd_data),
      .db_valid_o(db_valid), .db_page_o(db_page), .db_offset_o(db_offset), .db_data_o(db_data), .push_valid_o(push_valid_unused), .push_data_o(push_data_unused),
      .msix_req_valid_i(1'b0), .msix_req_ready_o(mx_eq_ready_unused), .msix_req_vector_i('0),
      .msix_fw_valid_i(mx_fw_valid), .msix_fw_ready_o(mx_fw_ready), .msix_fw_vector_i(mx_fw_vector),
      .cpu_hold_o(cpu_hold), .load_we_o(load_we), .load_addr_o(load_addr), .load_data_o(load_data),
      .cmdq_base_o(cq_base), .cmdq_cpl_base_o(cq_cpl_base), .cmdq_size_o(cq_size), .cmdq_db_o(cq_db), .cmdq_db_we_o(cq_db_we),
      .cmdq_enable_o(cq_en), .cmdq_enable_we_o(cq_en_we), .log_base_o(log_base), .log_size_o(log_size),
      .fw_ready_i(fw_ready), .fw_fatal_i(fw_fatal), .fw_scratch_i(fw_scratch), .cpu_fatal_i(cpu_fatal), .dev_fatal_i(1'b0),
      .ev_i(ev), .ev_rx_bytes_i(rx_cnt[cairn_hw_pkg::COUNTER_RX_PACKETS] ? rx_bytes[12:0] : '0), .ev_tx_bytes_i(t_pkt ? tx_bytes[12:0] : '0),
      .dev_idle_i(mgmt_idle && rx_idle && tx_idle && db_idle), .idle_o(host_idle), .deadline_valid_o(host_dl_valid), .deadline_o(host_dl)
  );

  // ---- management core ----
  logic          raw_v, raw_r, mmio_we, eq_v, irq_raw;
  logic [31:0]   raw_rdata, mmio_wdata;
  logic [15:0]   mmio_addr;
  logic          enable, fence_start_unused;
  logic [8*64-1:0] tb_unused;
  logic [8*33-1:0] te_unused;
  logic          gid_we, gid_valid, gid_ipv6, gid_vlan;
  logic [3:0]    gid_index;
  logic [11:0]   gid_vid;
  logic [127:0]  gid;
  logic          fdb_valid, fdb_ready;
  logic [2:0]    fdb_kind;
  logic [1:0]    fdb_op;
  logic [7:0]    fdb_page;
  logic [23:0]   fdb_number;
  logic [15:0]   fdb_index;
  logic [2:0]    kick_unused;
  logic [23:0]   kick_qpn_unused;
  logic [3:0]    evq_ready;
  logic          bad_valid, bad_pend_q;
  logic [7:0]    bad_page, bad_page_q;
  logic [6:0]    bad_cause, bad_cause_q;
  logic          op_valid, op_done_q;
  logic [2:0]    opt_unused, opo_unused;
  logic [1:0]    opp_unused;
  logic [31:0]   opk_unused;
  logic [511:0]  opd_unused, opm_unused;
  logic          trap;
  mgmt #(.DATA_W(DATA_W)) u_mgmt (
      .clk_i, .rst_ni(core_rst_n), .time_now_i,
      .cpu_hold_i(cpu_hold), .load_we_i(load_we), .load_addr_i(load_addr), .load_data_i(load_data),
      .cmdq_base_i(cq_base), .cmdq_cpl_base_i(cq_cpl_base), .cmdq_size_i(cq_size), .cmdq_db_i(cq_db), .cmdq_db_we_i(cq_db_we),
      .cmdq_enable_i(cq_en), .cmdq_enable_we_i(cq_en_we), .log_base_i(log_base), .log_size_i(log_size),
      .fw_ready_o(fw_ready), .fw_fatal_o(fw_fatal), .fw_scratch_o(fw_scratch), .cpu_fatal_o(cpu_fatal),
      .last_ticket_i(last_ticket),
      .rd_valid_o(rd_valid[cairn_int_pkg::RD_FW]), .rd_ready_i(rd_ready[cairn_int_pkg::RD_FW]), .rd_req_o(rd_req[cairn_int_pkg::RD_FW*RDW +: RDW]),
      .rsp_valid_i(rsp_valid), .rsp_meta_i(rsp_meta), .rsp_data_i(rsp_data),
      .wr_valid_o(wr_valid[cairn_int_pkg::WR_FW]), .wr_ready_i(wr_ready[cairn_int_pkg::WR_FW]), .wr_cmd_o(wr_cmd[cairn_int_pkg::WR_FW*WRW +: WRW]),
      .msix_valid_o(mx_fw_valid), .msix_ready_i(mx_fw_ready), .msix_vector_o(mx_fw_vector),
      .mmio_raw_valid_o(raw_v), .mmio_raw_ready_i(raw_r), .mmio_raw_rdata_i(raw_rdata),
      .mmio_eq_valid_o(eq_v), .mmio_eq_ready_i(eq_v), .mmio_eq_rdata_i('0),
      .mmio_we_o(mmio_we), .mmio_addr_o(mmio_addr), .mmio_wdata_o(mmio_wdata), .irq_raw_i(irq_raw),
      .features_i(FEATURES), .build_i(BUILD), .port_i({mac_gbps_i, mac_eth_mtu_i}), .mac_i(mac_addr_i), .link_i(mac_link_i),
      .enable_o(enable), .fence_start_o(fence_start_unused), .fence_done_i(1'b1), .table_base_o(tb_unused), .table_entries_o(te_unused),
      .gid_we_o(gid_we), .gid_index_o(gid_index), .gid_valid_o(gid_valid), .gid_ipv6_o(gid_ipv6), .gid_vlan_o(gid_vlan), .gid_vid_o(gid_vid), .gid_o(gid),
      .db_valid_o(fdb_valid), .db_ready_i(fdb_ready), .db_kind_o(fdb_kind), .db_op_o(fdb_op), .db_page_o(fdb_page), .db_number_o(fdb_number), .db_index_i(fdb_index),
      .kick_valid_o(kick_unused), .kick_ready_i('1), .kick_qpn_o(kick_qpn_unused),
      .ev_valid_i({2'b00, bad_pend_q, 1'b0}), .ev_ready_o(evq_ready), .ev_number_i({48'h0, bad_page_q, 9'h0, bad_cause_q, 24'h0}),
      .op_valid_o(op_valid), .op_table_o(opt_unused), .op_o(opo_unused), .op_part_o(opp_unused), .op_key_o(opk_unused),
      .op_data_o(opd_unused), .op_mask_o(opm_unused), .op_done_i(op_done_q), .op_status_i(cairn_hw_pkg::CTX_RESULT_FREE), .op_data_i('0),
      .uart_valid_o, .uart_data_o, .cnt_trap_o(trap), .idle_o(mgmt_idle), .deadline_valid_o(mgmt_dl_valid), .deadline_o(mgmt_dl)
  );
  always_ff @(posedge clk_i) begin
    if (!core_rst_n) begin
      op_done_q  <= 1'b0;
      bad_pend_q <= 1'b0;
    end else begin
      op_done_q <= op_valid && !op_done_q;
      if (bad_valid) bad_pend_q <= 1'b1;
      else if (evq_ready[1]) bad_pend_q <= 1'b0;
    end
    if (bad_valid && !bad_pend_q) {bad_page_q, bad_cause_q} <= {bad_page, bad_cause};
  end

  // ---- doorbells ----
  logic [47:0] sq_pi_unused_q;
  logic [31:0] sq_pi_unused;
  logic [15:0] rq_pi_unused, srq_pi_unused, eq_ci_unused;
  logic        k0_unused, k1_unused, k2_unused, arm_unused, eqv_unused, eqa_unused;
  logic [23:0] k0q_unused, k1q_unused, k2q_unused, armq_unused;
  logic [18:0] armw_unused;
  logic [7:0]  eqn_unused;
  logic        c_sq, c_rq, c_cq, c_page, c_index, c_form;
  assign sq_pi_unused_q = '0;
  doorbell #(.QPS_LOG2(QPS_LOG2), .SRQS_LOG2(SRQS_LOG2), .CQS_LOG2(CQS_LOG2)) u_doorbell (
      .clk_i, .rst_ni(core_rst_n), .enable_i(enable),
      .db_valid_i(db_valid), .db_page_i(db_page), .db_offset_i(db_offset), .db_data_i(db_data),
      .fw_valid_i(fdb_valid), .fw_ready_o(fdb_ready), .fw_kind_i(fdb_kind), .fw_op_i(fdb_op), .fw_page_i(fdb_page), .fw_number_i(fdb_number), .fw_index_o(fdb_index),
      .sq_rd_qpn_i(sq_pi_unused_q), .sq_rd_pi_o(sq_pi_unused), .rq_rd_qpn_i('0), .rq_rd_pi_o(rq_pi_unused), .srq_rd_srqn_i('0), .srq_rd_pi_o(srq_pi_unused),
      .kick_sq_valid_o(k0_unused), .kick_sq_ready_i(1'b1), .kick_sq_qpn_o(k0q_unused),
      .kick_cmp_valid_o(k1_unused), .kick_cmp_ready_i(1'b1), .kick_cmp_qpn_o(k1q_unused),
      .kick_rsp_valid_o(k2_unused), .kick_rsp_ready_i(1'b1), .kick_rsp_qpn_o(k2q_unused),
      .arm_valid_o(arm_unused), .arm_ready_i(1'b1), .arm_cqn_o(armq_unused), .arm_word_o(armw_unused),
      .eq_valid_o(eqv_unused), .eq_eqn_o(eqn_unused), .eq_ci_o(eq_ci_unused), .eq_arm_o(eqa_unused),
      .bad_valid_o(bad_valid), .bad_page_o(bad_page), .bad_cause_o(bad_cause),
      .cnt_doorbell_sq_o(c_sq), .cnt_doorbell_rq_o(c_rq), .cnt_doorbell_cq_o(c_cq), .cnt_doorbell_bad_page_o(c_page), .cnt_doorbell_bad_index_o(c_index),
      .cnt_doorbell_bad_form_o(c_form), .idle_o(db_idle)
  );

  // ---- receive ----
  logic         rxm_valid, rxm_ready, fr_ready;
  logic [cairn_int_pkg::RX_META_W-1:0] rxm;
  cairn_int_pkg::rx_meta_t rx_meta;
  logic [15:0]  rx_cnt;
  logic         rx_stall;
  logic         raw_valid, raw_ready, raw_done, raw_rd;
  logic [cairn_hw_pkg::REG_RAW_TX_LEN_W-1:0] raw_len;
  logic [$clog2(cairn_hw_pkg::RAW_FRAME_BYTES / (DATA_W / 8))-1:0] raw_rd_addr;
  logic [DATA_W-1:0] raw_rd_data;
  logic [NB_W-1:0] pdn_unused;
  logic         pdl_unused;
  logic [((DATA_W >= 512) ? 10 : 7):0] free_unused;
  assign rx_meta   = rxm;
  assign rxm_ready = !rx_meta.has_cells || fr_ready;
  rx_path #(.DATA_W(DATA_W)) u_rx (
      .clk_i, .rst_ni(core_rst_n), .mac_addr_i,
      .gid_we_i(gid_we), .gid_index_i({4'h0, gid_index}), .gid_valid_i(gid_valid), .gid_ipv6_i(gid_ipv6), .gid_vlan_i(gid_vlan), .gid_vid_i(gid_vid), .gid_addr_i(gid),
      .mac_rx_valid_i, .mac_rx_last_i, .mac_rx_err_i, .mac_rx_data_i, .mac_rx_nbytes_i,
      .rx_valid_o(rxm_valid), .rx_ready_i(rxm_ready), .rx_meta_o(rxm),
      .pool_cmd_valid_i(pc_valid), .pool_cmd_ready_o(pc_ready), .pool_cmd_cell_head_i(pc_cell), .pool_cmd_off_i(pc_off), .pool_cmd_len_i(pc_len),
      .pool_cmd_first_i(pc_first), .pool_cmd_free_i(pc_free),
      .pool_data_valid_o(pd_valid), .pool_data_ready_i(pd_ready), .pool_data_data_o(pd_data), .pool_data_nbytes_o(pdn_unused), .pool_data_last_o(pdl_unused),
      .free_valid_i(rxm_valid && rx_meta.has_cells), .free_ready_o(fr_ready), .free_cell_head_i(rx_meta.cell_head), .free_cells_o(free_unused),
      .mmio_valid_i(raw_v), .mmio_ready_o(raw_r), .mmio_we_i(mmio_we), .mmio_addr_i(mmio_addr), .mmio_wdata_i(mmio_wdata), .mmio_rdata_o(raw_rdata), .irq_raw_o(irq_raw),
      .raw_valid_o(raw_valid), .raw_ready_i(raw_ready), .raw_len_o(raw_len), .raw_done_i(raw_done), .raw_rd_i(raw_rd), .raw_rd_addr_i(raw_rd_addr), .raw_rd_data_o(raw_rd_data),
      .idle_o(rx_idle), .cnt_o(rx_cnt), .cnt_bytes_o(rx_bytes), .cnt_stall_o(rx_stall)
  );

  // ---- transmit ----
  logic [8:0]  tx_unused_r;
  logic        ec_valid_unused, re_unused, se_unused;
  logic [cairn_int_pkg::SLOT_W-1:0] ecs_unused, res_unused, ses_unused;
  logic [23:0] ecq_unused, req_unused, rep_unused, seq_unused, sep_unused;
  logic [7:0]  ecg_unused, reg_unused, ree_unused, seg_unused;
  logic [1:0]  pend_unused;
  logic        t_pkt, t_ack, t_cnp, t_rr, t_retx, t_stale, t_stall;
  tx_path #(.DATA_W(DATA_W)) u_tx (
      .clk_i, .rst_ni(core_rst_n), .stop_i(stop), .mac_addr_i, .gid_we_i(gid_we), .gid_index_i({4'h0, gid_index}), .gid_addr_i(gid),
      .req_job_valid_i(1'b0), .req_job_ready_o(tx_unused_r[0]), .req_job_meta_i('0), .req_seg_valid_i(1'b0), .req_seg_ready_o(tx_unused_r[1]), .req_seg_meta_i('0),
      .inline_valid_i(1'b0), .inline_ready_o(tx_unused_r[2]), .inline_data_i('0), .inline_nbytes_i('0), .inline_last_i(1'b0),
      .rsp_job_valid_i(1'b0), .rsp_job_ready_o(tx_unused_r[3]), .rsp_job_meta_i('0), .rsp_seg_valid_i(1'b0), .rsp_seg_ready_o(tx_unused_r[4]), .rsp_seg_meta_i('0),
      .ack_valid_i(1'b0), .ack_ready_o(tx_unused_r[5]), .ack_meta_i('0), .cnp_valid_i(1'b0), .cnp_ready_o(tx_unused_r[6]), .cnp_meta_i('0),
      .raw_valid_i(raw_valid), .raw_ready_o(raw_ready), .raw_len_i(raw_len), .raw_done_o(raw_done), .raw_rd_o(raw_rd), .raw_rd_addr_o(raw_rd_addr), .raw_rd_data_i(raw_rd_data),
      .rd_valid_o(rd_valid[cairn_int_pkg::RD_TXP]), .rd_ready_i(rd_ready[cairn_int_pkg::RD_TXP]), .rd_meta_o(rd_req[cairn_int_pkg::RD_TXP*RDW +: RDW]),
      .dma_rsp_valid_i(rsp_valid), .dma_rsp_meta_i(rsp_meta), .dma_rsp_data_i(rsp_data),
      .ec_valid_o(ec_valid_unused), .ec_slot_o(ecs_unused), .ec_qpn_o(ecq_unused), .ec_gen_o(ecg_unused), .ecr_valid_i(1'b0), .ecr_match_i(1'b0), .ecr_epoch_i('0),
      .req_err_valid_o(re_unused), .req_err_ready_i(1'b1), .req_err_qpn_o(req_unused), .req_err_slot_o(res_unused), .req_err_gen_o(reg_unused), .req_err_send_epoch_o(ree_unused), .req_err_psn_o(rep_unused),
      .rsp_err_valid_o(se_unused), .rsp_err_ready_i(1'b1), .rsp_err_qpn_o(seq_unused), .rsp_err_slot_o(ses_unused), .rsp_err_gen_o(seg_unused), .rsp_err_psn_o(sep_unused),
      .mac_tx_valid_o, .mac_tx_ready_i, .mac_tx_last_o, .mac_tx_err_o, .mac_tx_data_o, .mac_tx_nbytes_o,
      .pend_epoch_o(pend_unused), .idle_o(tx_idle), .sending_o(tx_sending), .cnt_packet_o(t_pkt), .cnt_bytes_o(tx_bytes), .cnt_ack_o(t_ack), .cnt_cnp_o(t_cnp),
      .cnt_read_rsp_o(t_rr), .cnt_retx_o(t_retx), .cnt_stale_o(t_stale), .cnt_stall_o(t_stall)
  );

  for (genvar g = 0; g < RD_N; g++) begin : g_rd
    if (g != cairn_int_pkg::RD_FW && g != cairn_int_pkg::RD_TXP) begin : g_none
      assign rd_valid[g] = 1'b0;
      assign rd_req[g*RDW +: RDW] = '0;
    end
  end
  for (genvar g = 0; g < WR_N; g++) begin : g_wr
    if (g != cairn_int_pkg::WR_FW) begin : g_none
      assign wr_valid[g] = 1'b0;
      assign wr_cmd[g*WRW +: WRW] = '0;
    end
  end

  // ---- counters ----
  always_comb begin
    ev = '0;
    for (int unsigned i = 0; i < 16; i++) ev[2*i] = rx_cnt[i];
    ev[2*cairn_hw_pkg::COUNTER_RX_BAD_QPN]    = rxm_valid && rxm_ready;
    ev[2*cairn_hw_pkg::COUNTER_TX_PACKETS]    = t_pkt;
    ev[2*cairn_hw_pkg::COUNTER_ACK_SENT]      = t_ack;
    ev[2*cairn_hw_pkg::COUNTER_READ_RSP_SENT] = t_rr;
    ev[2*cairn_hw_pkg::COUNTER_RETX_PACKETS]  = t_retx;
    ev[2*cairn_hw_pkg::COUNTER_TX_STALE]      = t_stale;
    ev[2*cairn_hw_pkg::COUNTER_CNP_SENT]      = t_cnp;
    ev[2*cairn_hw_pkg::COUNTER_STALL_TX]      = t_stall;
    ev[2*cairn_hw_pkg::COUNTER_STALL_RX]      = rx_stall;
    ev[2*cairn_hw_pkg::COUNTER_DB_SQ]         = c_sq;
    ev[2*cairn_hw_pkg::COUNTER_DB_RQ]         = c_rq;
    ev[2*cairn_hw_pkg::COUNTER_DB_CQ]         = c_cq;
    ev[2*cairn_hw_pkg::COUNTER_DB_BAD_PAGE]   = c_page;
    ev[2*cairn_hw_pkg::COUNTER_DB_BAD_INDEX]  = c_index;
    ev[2*cairn_hw_pkg::COUNTER_DB_BAD_FORM]   = c_form;
    ev[2*cairn_hw_pkg::COUNTER_CPU_TRAP]      = trap;
  end

  // ---- time ----
  assign idle_o           = host_idle && mgmt_idle && rx_idle && tx_idle && db_idle && !rxm_valid;
  assign deadline_valid_o = host_dl_valid || mgmt_dl_valid;
  assign deadline_o       = (host_dl_valid && (!mgmt_dl_valid || host_dl < mgmt_dl)) ? host_dl : mgmt_dl;
endmodule
