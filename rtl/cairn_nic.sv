// SPDX-License-Identifier: Apache-2.0
// The device: PCIe TLP streams on one side, a MAC on the other, time from outside. Wiring in packet order, nothing
// else.
//
//   host_if (TLPs, DMA, registers) - mgmt (management core) - doorbell - rdma_core (contexts, engines) - rx_path,
//   tx_path - MAC; frames to ourselves go from tx_path to rx_path inside (rx_merge)
//
// TLPs: the header is the 128-bit sideband of hw.def's HDR tlp_mem and tlp_cpl, first DW on top, held over the TLP;
// payload packed from data[31:0].
// MAC: streams carry no preamble and no FCS; the receive side is never stopped. loop_*: what is looped, as rx_path gets
// it, for captures; may be left open.
// Time: time_now_i (ns) may jump by whole clock periods while idle_o, never past deadline_o. docs/architecture.md.
module cairn_nic #(
    parameter int unsigned DATA_W        = 512,
    parameter int unsigned QPS_LOG2      = 12,    // QPNs with on-chip doorbell and scheduler entries
    parameter int unsigned CQS_LOG2      = 12,
    parameter int unsigned SRQS_LOG2     = 4,
    parameter int unsigned QP_CACHE_LOG2 = 7,     // QP context cache entries
    parameter int unsigned CLK_PERIOD_NS = (DATA_W >= 256) ? 4 : 8,
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [63:0]       time_now_i,
    // PCIe
    input  logic              tlp_rx_valid_i,
    output logic              tlp_rx_ready_o,
    input  logic              tlp_rx_sop_i,
    input  logic              tlp_rx_last_i,
    input  logic [127:0]      tlp_rx_hdr_i,
    input  logic [2:0]        tlp_rx_bar_i,
    input  logic [DATA_W-1:0] tlp_rx_data_i,
    output logic              tlp_tx_valid_o,
    input  logic              tlp_tx_ready_i,
    output logic              tlp_tx_sop_o,
    output logic              tlp_tx_last_o,
    output logic [127:0]      tlp_tx_hdr_o,
    output logic [DATA_W-1:0] tlp_tx_data_o,
    input  logic [2:0]        tlp_credit_i,  // {completion, non-posted, posted}
    input  logic              cfg_bme_i,
    input  logic [2:0]        cfg_mps_i,
    input  logic [2:0]        cfg_mrrs_i,
    input  logic [15:0]       cfg_reqid_i,
    input  logic              cfg_ext_tag_i,
    input  logic              cfg_relaxed_i,
    input  logic              cfg_msix_en_i,
    input  logic              cfg_msix_fmask_i,
    input  logic              cfg_flr_i,
    output logic              cfg_flr_done_o,
    // MAC
    input  logic              mac_rx_valid_i,
    input  logic              mac_rx_last_i,
    input  logic              mac_rx_err_i,
    input  logic [DATA_W-1:0] mac_rx_data_i,
    input  logic [NB_W-1:0]   mac_rx_nbytes_i,
    output logic              mac_tx_valid_o,
    input  logic              mac_tx_ready_i,
    output logic              mac_tx_last_o,
    output logic              mac_tx_err_o,
    output logic [DATA_W-1:0] mac_tx_data_o,
    output logic [NB_W-1:0]   mac_tx_nbytes_o,
    output logic              loop_valid_o,
    output logic              loop_last_o,
    output logic [DATA_W-1:0] loop_data_o,
    output logic [NB_W-1:0]   loop_nbytes_o,
    input  logic [47:0]       mac_addr_i,
    input  logic              mac_link_i,
    input  logic [15:0]       mac_eth_mtu_i,
    input  logic [15:0]       mac_gbps_i,
    // time and console
    output logic              idle_o,
    output logic              deadline_valid_o,
    output logic [63:0]       deadline_o,
    output logic              uart_valid_o,
    output logic [7:0]        uart_data_o
);
  cairn_int_pkg::fw_kicks_t     kick;
  cairn_int_pkg::fw_events_t    fw_event;
  logic [3:0]                   fw_event_ready;
  cairn_int_pkg::fw_load_t      fw_load;
  cairn_int_pkg::fw_image_t     fw_image;
  cairn_int_pkg::fw_state_t     fw;
  cairn_int_pkg::cmdq_setup_t   cmdq;
  cairn_int_pkg::mmio_access_t  mmio_raw, mmio_eq;
  cairn_int_pkg::msix_request_t mx_eq, mx_fw;
  cairn_int_pkg::deadline_t     host_dl, mgmt_dl, core_dl;
  cairn_int_pkg::ctx_op_t   ctx_op, core_op;
  cairn_int_pkg::ctx_done_t ctx_done;
  cairn_int_pkg::db_op_t db_op;
  cairn_int_pkg::doorbell_t db;
  cairn_int_pkg::gid_write_t gid_write;
  localparam logic [31:0] FEATURES = (32'h1 << cairn_hw_pkg::REG_FEATURES_RC_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_UC_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_UD_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_SRQ_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_MW_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_PUSH_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_IPV6_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_VLAN_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_QP_COUNTERS_LSB)
      | (32'h1 << cairn_hw_pkg::REG_FEATURES_LOOP_LSB);
  localparam logic [31:0] BUILD =
      (32'($clog2(DATA_W)) << cairn_hw_pkg::REG_BUILD_DATA_W_LOG2_LSB)
      | (32'(QPS_LOG2) << cairn_hw_pkg::REG_BUILD_QPS_LOG2_LSB)
      | (32'(CQS_LOG2) << cairn_hw_pkg::REG_BUILD_CQS_LOG2_LSB)
      | (32'(SRQS_LOG2) << cairn_hw_pkg::REG_BUILD_SRQS_LOG2_LSB)
      | (32'(QP_CACHE_LOG2) << cairn_hw_pkg::REG_BUILD_QP_CACHE_LOG2_LSB)
      | (32'(CLK_PERIOD_NS) << cairn_hw_pkg::REG_BUILD_CLK_PERIOD_NS_LSB);

  // ---- host side ----
  logic                 stop, core_rst_n;
  logic [1:0]           rd_epoch, wr_epoch, tx_pend, ring_drain, ring_drained;
  logic                 pc_valid, pc_ready, pc_first, pc_free, pd_valid, pd_ready;
  logic [cairn_int_pkg::CELL_W-1:0] pc_cell;
  logic [7:0]           pc_off;
  logic [cairn_int_pkg::LEN_W-1:0]  pc_len;
  logic [DATA_W-1:0]    pd_data;
  logic                 cpu_hold;
  logic                 cpu_fatal;
  logic                 mx_fw_ready, mx_eq_ready, fatal, core_idle;
  cairn_hw_pkg::nic_events_t events;
  logic                 host_idle, mgmt_idle, rx_idle, tx_idle, tx_sending, tx_cut;

  // Host memory: the core's clients, the management core, the payload of what is sent.
  cairn_int_pkg::dma_reads_t       reads, core_rd;
  cairn_int_pkg::dma_read_ready_t  rd_ready;
  cairn_int_pkg::dma_writes_t      writes, core_wr;
  cairn_int_pkg::dma_write_ready_t wr_ready;
  cairn_int_pkg::dma_read_t        tx_rd, fw_rd;
  cairn_int_pkg::dma_write_t       fw_wr;
  cairn_int_pkg::dma_return_t      dma;
  logic [DATA_W-1:0]               dma_data;
  logic                            crd_any, cwr_any;
  always_comb begin
    reads     = core_rd;
    reads.txp = tx_rd;
    reads.fw  = fw_rd;
    writes    = core_wr;
    writes.fw = fw_wr;
  end
  assign crd_any = {core_rd.atom.valid, core_rd.fw.valid, core_rd.cq.valid, core_rd.mr.valid, core_rd.qpc.valid,
                    core_rd.rqe.valid, core_rd.wqe.valid, core_rd.txp.valid} != '0;
  assign cwr_any = {core_wr.atom.valid, core_wr.fw.valid, core_wr.cqc.valid, core_wr.qpc.valid, core_wr.eqe.valid,
                    core_wr.cqe.valid, core_wr.cmp.valid, core_wr.rsp.valid} != '0;

  host_if #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2),
      .QP_CACHE_LOG2(QP_CACHE_LOG2), .CLK_PERIOD_NS(CLK_PERIOD_NS), .FEATURES(FEATURES)) u_host (
      .clk_i, .rst_ni, .time_now_i,
      .tlp_rx_i({tlp_rx_valid_i, tlp_rx_sop_i, tlp_rx_last_i, tlp_rx_hdr_i, tlp_rx_bar_i}),
      .tlp_tx_o({tlp_tx_valid_o, tlp_tx_sop_o, tlp_tx_last_o, tlp_tx_hdr_o}), .tlp_rx_ready_o, .tlp_rx_data_i,
      .tlp_tx_ready_i, .tlp_tx_data_o, .tlp_credit_i,
      .cfg_i({cfg_bme_i, cfg_mps_i, cfg_mrrs_i, cfg_reqid_i, cfg_ext_tag_i, cfg_relaxed_i, cfg_msix_en_i,
              cfg_msix_fmask_i}),
      .cfg_flr_i, .cfg_flr_done_o,
      .mac_i({mac_addr_i, mac_link_i, mac_eth_mtu_i, mac_gbps_i}),
      .stop_o(stop), .core_rst_no(core_rst_n), .tx_quiet_i(!tx_sending), .tx_cut_o(tx_cut),
      .rd_i(reads), .rd_ready_o(rd_ready), .wr_i(writes), .wr_ready_o(wr_ready), .dma_o(dma), .dma_data_o(dma_data),
      .rd_epoch_busy_o(rd_epoch), .wr_epoch_busy_o(wr_epoch),
      .pool_cmd_valid_o(pc_valid), .pool_cmd_ready_i(pc_ready), .pool_cmd_cell_head_o(pc_cell), .pool_cmd_off_o(pc_off),
      .pool_cmd_len_o(pc_len), .pool_cmd_first_o(pc_first), .pool_cmd_free_o(pc_free),
      .pool_data_valid_i(pd_valid), .pool_data_ready_o(pd_ready), .pool_data_data_i(pd_data),
      .db_o(db),
      .msix_req_i(mx_eq), .msix_req_ready_o(mx_eq_ready),
      .msix_fw_i(mx_fw), .msix_fw_ready_o(mx_fw_ready),
      .cpu_hold_o(cpu_hold), .load_o(fw_load), .load_i(fw_image), .cmdq_o(cmdq), .fw_i(fw),
      .cpu_fatal_i(cpu_fatal), .dev_fatal_i(fatal),
      .events_i(events),
      .qp_new_i(ctx_op.valid && ctx_done.done && {ctx_op.table_, ctx_op.op} == {3'(cairn_hw_pkg::TABLE_QP),
          3'(cairn_hw_pkg::CTX_OP_INIT)} && ctx_op.part == 2'(cairn_hw_pkg::QP_PART_CFG)),
      .qp_new_qpn_i(ctx_op.key[23:0]),
      .dev_idle_i(mgmt_idle && rx_idle && merge_idle && tx_idle && core_idle), .idle_o(host_idle),
      .deadline_o(host_dl)
  );

  // ---- management core ----
  logic          irq_raw;
  logic          enable, loop_on, fence_start, fence_done;
  logic          db_op_ready;
  logic [15:0]   db_op_index;
  logic [2:0]    kick_ready;
  cairn_int_pkg::mmio_answer_t   raw_answer, eq_answer;
  cairn_int_pkg::record_tables_t tables;
  mgmt #(.DATA_W(DATA_W)) u_mgmt (
      .clk_i, .rst_ni(core_rst_n), .time_now_i,
      .cpu_hold_i(cpu_hold), .load_i(fw_load), .load_o(fw_image), .cmdq_i(cmdq), .fw_o(fw),
      .cpu_fatal_o(cpu_fatal),
      .rd_o(fw_rd), .rd_ready_i(rd_ready.fw), .beat_i(dma.beat), .beat_data_i(dma_data), .wr_o(fw_wr),
      .wr_ready_i(wr_ready.fw),
      .msix_o(mx_fw), .msix_ready_i(mx_fw_ready),
      .mmio_raw_o(mmio_raw), .mmio_eq_o(mmio_eq), .mmio_raw_i(raw_answer),
      .mmio_eq_i(eq_answer),
      .irq_raw_i(irq_raw),
      .facts_i({FEATURES, BUILD, mac_gbps_i, mac_eth_mtu_i, mac_addr_i, mac_link_i}),
      .enable_o(enable), .loop_o(loop_on), .fence_start_o(fence_start), .fence_done_i(fence_done),
      .table_o(tables),
      .gid_o(gid_write),
      .db_op_o(db_op), .db_op_ready_i(db_op_ready),
      .db_op_index_i(db_op_index),
      .kick_o(kick), .kick_ready_i(kick_ready),
      .fw_event_i(fw_event), .fw_event_ready_o(fw_event_ready),
      .op_o(ctx_op), .op_i(ctx_done),
      .uart_valid_o, .uart_data_o, .events_o(events.mgmt), .idle_o(mgmt_idle), .deadline_o(mgmt_dl)
  );
  // ---- clocks: a block stands still while it is idle and nothing comes in ----
  logic core_clk, rx_clk, tx_clk, core_due;
  assign core_due = core_dl.valid && core_dl.at <= time_now_i + 64'd64;
  clk_gate u_core_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(core_clk),
      .busy_i(!core_idle || core_due || rxm_valid || dma.beat.valid || db.valid || db_op.valid
              || {kick.flush, kick.walk, kick.sched} != '0
              || ctx_op.valid
              || mmio_eq.valid || fence_start || re_valid || se_valid || st_valid || t_left || gid_write.we
              || {fw_event.qp_error.valid, fw_event.eq_overflow.valid, fw_event.bad_doorbell.valid,
                  fw_event.cq_error.valid} != '0 || mx_eq.valid || crd_any
              || cwr_any));
  clk_gate u_rx_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(rx_clk),
      .busy_i(!rx_idle || !merge_idle || mac_rx_valid_i || lp_valid || rxm_valid || pc_valid || pd_valid || fr_valid
              || mmio_raw.valid || raw_rd || raw_done || gid_write.we || rxq.valid));
  clk_gate u_tx_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(tx_clk),
      .busy_i(!tx_idle || stop || dma.beat.valid || rj_valid || rs_valid || il_valid || pj_valid || ps_valid || ak_valid
              || raw_valid || gid_write.we || ring_drain != '0 || ep_valid || re_valid || se_valid || tx_valid));

  // ---- receive ----
  logic         rxm_valid, rxm_ready, fr_ready;
  logic [cairn_int_pkg::RX_META_W-1:0] rxm;
  logic         fr_valid;
  logic [cairn_int_pkg::CELL_W-1:0] fr_cell;
  cairn_int_pkg::rx_qp_write_t rxq;
  logic         rxq_ready;
  logic         raw_valid, raw_ready, raw_done, raw_rd;
  logic [cairn_hw_pkg::REG_RAW_TX_LEN_W-1:0] raw_len;
  logic [$clog2(cairn_hw_pkg::RAW_FRAME_BYTES / (DATA_W / 8))-1:0] raw_rd_addr;
  logic [DATA_W-1:0] raw_rd_data;
  logic         lp_valid, lp_ready, in_valid, in_err, in_loop, merge_idle;
  rx_merge #(.DATA_W(DATA_W)) u_merge (
      .clk_i(rx_clk), .rst_ni(core_rst_n), .wire_valid_i(mac_rx_valid_i), .wire_last_i(mac_rx_last_i),
      .wire_err_i(mac_rx_err_i), .wire_data_i(mac_rx_data_i), .wire_nbytes_i(mac_rx_nbytes_i),
      .loop_valid_i(lp_valid), .loop_ready_o(lp_ready), .loop_both_i(tx_way[0]), .loop_last_i(tx_last),
      .loop_data_i(tx_data), .loop_nbytes_i(tx_nbytes),
      .out_valid_o(in_valid), .out_last_o(loop_last_o), .out_err_o(in_err), .out_data_o(loop_data_o),
      .out_nbytes_o(loop_nbytes_o), .out_loop_o(in_loop), .events_o(events.rx_merge), .idle_o(merge_idle));
  assign loop_valid_o = in_valid && in_loop;
  rx_path #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2)) u_rx (
      .clk_i(rx_clk), .rst_ni(core_rst_n), .mac_addr_i,
      .gid_i(gid_write),
      .qp_we_i(rxq.valid), .qp_qpn_i(rxq.qpn), .qp_entry_i(rxq.entry), .qp_ready_o(rxq_ready),
      .mac_rx_valid_i(in_valid), .mac_rx_last_i(loop_last_o), .mac_rx_err_i(in_err), .mac_rx_data_i(loop_data_o),
      .mac_rx_nbytes_i(loop_nbytes_o), .mac_rx_loop_i(in_loop),
      .rx_valid_o(rxm_valid), .rx_ready_i(rxm_ready), .rx_meta_o(rxm),
      .pool_cmd_valid_i(pc_valid), .pool_cmd_ready_o(pc_ready), .pool_cmd_cell_head_i(pc_cell), .pool_cmd_off_i(pc_off),
      .pool_cmd_len_i(pc_len), .pool_cmd_first_i(pc_first), .pool_cmd_free_i(pc_free),
      .pool_data_valid_o(pd_valid), .pool_data_ready_i(pd_ready), .pool_data_data_o(pd_data),
      .pool_data_nbytes_o(), .pool_data_last_o(),
      .free_valid_i(fr_valid), .free_ready_o(fr_ready), .free_cell_head_i(fr_cell), .free_cells_o(),
      .mmio_i(mmio_raw), .mmio_o(raw_answer),
      .irq_raw_o(irq_raw),
      .raw_valid_o(raw_valid), .raw_ready_i(raw_ready), .raw_len_o(raw_len), .raw_done_i(raw_done), .raw_rd_i(raw_rd),
      .raw_rd_addr_i(raw_rd_addr), .raw_rd_data_o(raw_rd_data),
      .idle_o(rx_idle), .events_o(events.rx_path)
  );


  // ---- transmit ----
  logic        rj_valid, rj_ready, rs_valid, rs_ready, il_valid, il_ready, il_last, pj_valid, pj_ready, ps_valid,
      ps_ready, ak_valid, ak_ready;
  logic [cairn_int_pkg::TX_JOB_W-1:0] rj, pj, ak;
  logic [cairn_int_pkg::TX_SEG_W-1:0] rs, ps;
  logic [DATA_W-1:0] il_data;
  logic [NB_W-1:0]   il_nbytes;
  logic        ep_valid, re_valid, re_ready, se_valid, se_ready;
  logic [16:0] ep;
  logic [23:0] ep_qpn, re_qpn, re_psn, se_qpn, se_psn, st_qpn, st_psn;
  logic [7:0]  re_gen, se_gen, st_gen;
  logic        st_valid, st_ready, st_end, tx_valid, tx_ready, tx_last, tx_err, cut_idle;
  logic [DATA_W-1:0] tx_data;
  logic [NB_W-1:0]   tx_nbytes;
  logic [1:0]  tx_way;
  logic        out_valid, out_ready;
  logic        t_left;
  tx_path #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2)) u_tx (
      .clk_i(tx_clk), .rst_ni(core_rst_n), .stop_i(stop), .mac_addr_i, .gid_i(gid_write),
      .loop_i(loop_on),
      .req_job_valid_i(rj_valid), .req_job_ready_o(rj_ready), .req_job_meta_i(rj), .req_seg_valid_i(rs_valid),
      .req_seg_ready_o(rs_ready), .req_seg_meta_i(rs),
      .inline_valid_i(il_valid), .inline_ready_o(il_ready), .inline_data_i(il_data), .inline_nbytes_i(il_nbytes),
      .inline_last_i(il_last),
      .rsp_job_valid_i(pj_valid), .rsp_job_ready_o(pj_ready), .rsp_job_meta_i(pj), .rsp_seg_valid_i(ps_valid),
      .rsp_seg_ready_o(ps_ready), .rsp_seg_meta_i(ps),
      .ack_valid_i(ak_valid), .ack_ready_o(ak_ready), .ack_meta_i(ak), .cnp_valid_i(1'b0), .cnp_ready_o(),
      .cnp_meta_i('0), .raw_valid_i(raw_valid), .raw_ready_o(raw_ready), .raw_len_i(raw_len), .raw_done_o(raw_done),
      .raw_rd_o(raw_rd), .raw_rd_addr_o(raw_rd_addr), .raw_rd_data_i(raw_rd_data),
      .rd_o(tx_rd), .rd_ready_i(rd_ready.txp), .beat_i(dma.beat), .beat_data_i(dma_data),
      .ep_valid_i(ep_valid), .ep_qpn_i(ep_qpn), .ep_i(ep),
      .req_err_valid_o(re_valid), .req_err_ready_i(re_ready), .req_err_qpn_o(re_qpn), .req_err_slot_o(),
      .req_err_gen_o(re_gen), .req_err_send_epoch_o(), .req_err_psn_o(re_psn),
      .rsp_err_valid_o(se_valid), .rsp_err_ready_i(se_ready), .rsp_err_qpn_o(se_qpn),
      .rsp_err_gen_o(se_gen), .rsp_err_psn_o(se_psn),
      .sent_valid_o(st_valid), .sent_ready_i(st_ready), .sent_qpn_o(st_qpn), .sent_gen_o(st_gen), .sent_psn_o(st_psn),
      .sent_end_o(st_end), .events_o(events.tx_path),
      .mac_tx_valid_o(tx_valid), .mac_tx_ready_i(tx_ready), .mac_tx_last_o(tx_last), .mac_tx_err_o(tx_err),
      .mac_tx_data_o(tx_data), .mac_tx_nbytes_o(tx_nbytes), .mac_tx_way_o(tx_way),
      .drain_i(ring_drain), .drained_o(ring_drained),
      .pend_epoch_o(tx_pend), .idle_o(tx_idle), .sending_o(tx_sending),
      .rsp_left_o(t_left)
  );
  stream_fork #(.WIDTH(1), .N(2)) u_ways (
      .clk_i(tx_clk), .rst_ni(core_rst_n), .in_valid_i(tx_valid), .in_ready_o(tx_ready), .in_data_i(1'b0),
      .in_sel_i(tx_way), .out_valid_o({lp_valid, out_valid}), .out_ready_i({lp_ready, out_ready}),
      .out_data_o());
  mac_cut #(.DATA_W(DATA_W)) u_mac_cut (
      .clk_i, .rst_ni, .cut_i(tx_cut), .in_valid_i(out_valid), .in_ready_o(out_ready), .in_last_i(tx_last),
      .in_err_i(tx_err), .in_data_i(tx_data), .in_nbytes_i(tx_nbytes),
      .out_valid_o(mac_tx_valid_o), .out_ready_i(mac_tx_ready_i), .out_last_o(mac_tx_last_o), .out_err_o(mac_tx_err_o),
      .out_data_o(mac_tx_data_o), .out_nbytes_o(mac_tx_nbytes_o), .idle_o(cut_idle));

  // ---- transport ----
  always_comb begin
    core_op       = ctx_op;
    core_op.valid = ctx_op.valid && rxq_ready;
  end

  rdma_core #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2),
      .QP_SETS(1 << (QP_CACHE_LOG2 - 3)),
              .CELLS((DATA_W >= 512) ? 1024 : 128)) u_core (
      .clk_i(core_clk), .rst_ni(core_rst_n), .time_now_i, .features_i(FEATURES), .enable_i(enable),
      .gid_i(gid_write),
      .fence_start_i(fence_start), .fence_done_o(fence_done),
      .dma_busy_i(rd_epoch != 2'b00 || wr_epoch != 2'b00), .tx_busy_i(tx_pend != 2'b00), .table_i(tables),
      .db_i(db),
      .db_op_i(db_op), .db_op_ready_o(db_op_ready),
      .db_op_index_o(db_op_index),
      .kick_i(kick), .kick_ready_o(kick_ready), .fw_event_o(fw_event), .fw_event_ready_i(fw_event_ready),
      .op_i(core_op), .op_o(ctx_done),
      .mmio_i(mmio_eq), .mmio_o(eq_answer),
      .msix_o(mx_eq), .msix_ready_i(mx_eq_ready), .fatal_o(fatal),
      .rd_o(core_rd), .rd_ready_i(rd_ready), .wr_o(core_wr), .wr_ready_i(wr_ready), .dma_i(dma), .dma_data_i(dma_data),
      .rx_valid_i(rxm_valid), .rx_ready_o(rxm_ready), .rx_meta_i(rxm), .free_valid_o(fr_valid), .free_ready_i(fr_ready),
      .free_cell_head_o(fr_cell),
      .req_job_valid_o(rj_valid), .req_job_ready_i(rj_ready), .req_job_o(rj), .req_seg_valid_o(rs_valid),
      .req_seg_ready_i(rs_ready), .req_seg_o(rs),
      .inline_valid_o(il_valid), .inline_ready_i(il_ready), .inline_data_o(il_data), .inline_nbytes_o(il_nbytes),
      .inline_last_o(il_last),
      .rsp_job_valid_o(pj_valid), .rsp_job_ready_i(pj_ready), .rsp_job_o(pj), .rsp_seg_valid_o(ps_valid),
      .rsp_seg_ready_i(ps_ready), .rsp_seg_o(ps), .drain_o(ring_drain), .drained_i(ring_drained), .rsp_left_i(t_left),
      .ack_valid_o(ak_valid), .ack_ready_i(ak_ready), .ack_o(ak),
      .ep_valid_o(ep_valid), .ep_qpn_o(ep_qpn), .ep_o(ep),
      .req_err_valid_i(re_valid), .req_err_ready_o(re_ready), .req_err_qpn_i(re_qpn), .req_err_gen_i(re_gen),
      .req_err_psn_i(re_psn),
      .rsp_err_valid_i(se_valid), .rsp_err_ready_o(se_ready), .rsp_err_qpn_i(se_qpn), .rsp_err_gen_i(se_gen),
      .rsp_err_psn_i(se_psn),
      .sent_valid_i(st_valid), .sent_ready_o(st_ready), .sent_qpn_i(st_qpn), .sent_gen_i(st_gen), .sent_psn_i(st_psn),
      .sent_end_i(st_end), .events_o(events.rdma_core),
      .rxq_o(rxq),
      .idle_o(core_idle),
      .deadline_o(core_dl)
  );
  // ---- time: the earliest of the three deadlines ----
  logic [63:0] dl_a;
  logic        dl_a_valid;
  assign idle_o           = host_idle && mgmt_idle && rx_idle && merge_idle && tx_idle && core_idle && cut_idle
                            && !rxm_valid;
  assign dl_a_valid       = host_dl.valid || mgmt_dl.valid;
  assign dl_a             = (host_dl.valid && (!mgmt_dl.valid || host_dl.at < mgmt_dl.at)) ? host_dl.at : mgmt_dl.at;
  assign deadline_valid_o = dl_a_valid || core_dl.valid;
  assign deadline_o       = (dl_a_valid && (!core_dl.valid || dl_a < core_dl.at)) ? dl_a : core_dl.at;
endmodule
