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
    parameter int unsigned QP_CACHE_LOG2 = (DATA_W >= 512) ? 10 : 7,          // QP context cache entries
    parameter int unsigned QP_ON_CHIP    = 0,     // as many as there are QPs, each with its own; host memory has none
    parameter int unsigned CQ_ON_CHIP    = 0,     // the same of CQs
    parameter int unsigned CLK_PERIOD_NS = (DATA_W >= 256) ? 4 : 8,
    localparam logic [31:0] ALL          = (32'h1 << cairn_hw_pkg::REG_FEATURES_RC_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_UC_LSB) | (32'h1 << cairn_hw_pkg::REG_FEATURES_UD_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB) | (32'h1 << cairn_hw_pkg::REG_FEATURES_SRQ_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_MW_LSB) | (32'h1 << cairn_hw_pkg::REG_FEATURES_PUSH_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_IPV6_LSB) | (32'h1 << cairn_hw_pkg::REG_FEATURES_VLAN_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_QP_COUNTERS_LSB) | (32'h1 << cairn_hw_pkg::REG_FEATURES_LOOP_LSB)
        | (32'h1 << cairn_hw_pkg::REG_FEATURES_MCAST_LSB),
    parameter logic [31:0] FEATURES      = ALL,   // as REG FEATURES; what is left out is not there, and refused
    parameter int unsigned GIDS          = 16,    // 1 to 16
    parameter int unsigned GROUPS        = 16,    // of multicast, a power of two, 2 to 16; not counted without MCAST
    parameter int unsigned EQS           = 32,    // a power of two, 2 to 32
    parameter int unsigned RX_INFLIGHT   = 256,   // packets between qp_lookup and the end of their work
    parameter int unsigned RX_CELLS      = (DATA_W >= 512) ? 1024 : 256,      // of received payload, 256 bytes each
    parameter int unsigned RX_META       = (DATA_W >= 512) ? 256 : 64,        // requests before qp_lookup
    parameter int unsigned RX_RSPS       = (RX_META >= 256) ? RX_META : 3 * RX_META,      // ... and responses
    parameter int unsigned RQE_RUNS      = (DATA_W >= 512) ? 32 : 8,          // 1 KiB of receive WQEs each
    parameter int unsigned ATOMICS       = 32,    // of peers under way
    parameter int unsigned DESCRIPTORS   = (DATA_W >= 512) ? 8192 : 512,      // WQEs sent and not completed
    parameter int unsigned TX_RING_BYTES = (DATA_W >= 512) ? 32768 : 16384,   // payload read ahead: requests, responses
    parameter int unsigned TX_JOBS       = (DATA_W >= 512) ? 64 : 16,         // packets of these
    parameter int unsigned MPT_SETS      = (DATA_W >= 512) ? 256 : 32,        // of 8 keys
    parameter int unsigned MRS_LOG2      = 0,     // keys on chip, each with its place: 5 to 12, without MW. 0: none
    parameter int unsigned MTT_SETS      = (DATA_W >= 512) ? 128 : 16,        // of 8 lines of page lists
    parameter int unsigned CQ_SETS       = 8,     // of 8 CQs
    parameter int unsigned CPU_RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,       // half of it does for 256 QPs and CQs
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
  cairn_int_pkg::fw_events_ready_t fw_event_ready;
  cairn_int_pkg::fw_control_t   fw_control;
  cairn_int_pkg::fw_status_t    fw_status;
  cairn_int_pkg::mmio_access_t  mmio_raw, mmio_eq;
  cairn_int_pkg::msix_requests_t       mx;
  cairn_int_pkg::msix_requests_ready_t mx_ready;
  cairn_int_pkg::deadline_t     host_dl, mgmt_dl;
  cairn_int_pkg::ctx_op_t   ctx_op, core_op;
  cairn_int_pkg::ctx_done_t ctx_done;
  cairn_int_pkg::db_op_t db_op;
  cairn_int_pkg::db_op_done_t db_op_done;
  cairn_int_pkg::doorbell_t db;
  cairn_int_pkg::gid_write_t gid_write;
  if (QPS_LOG2 < 2 || QPS_LOG2 > 16 || CQS_LOG2 < 2 || CQS_LOG2 > 16 || SRQS_LOG2 < 1 || SRQS_LOG2 > 8
      || QP_CACHE_LOG2 < 3 || (QP_ON_CHIP != 0 && QP_CACHE_LOG2 != QPS_LOG2)
      || (CQ_ON_CHIP != 0 && CQS_LOG2 > cairn_int_pkg::SLOT_W) || GIDS == 0 || GIDS > 16 || EQS < 2
      || EQS > 32 || GROUPS < 2 || GROUPS > 16 || (GROUPS & (GROUPS - 1)) != 0
      || (EQS & (EQS - 1)) != 0 || CPU_RAM_BYTES > cairn_hw_pkg::CPU_RAM_BYTES || CPU_RAM_BYTES < 65536
      || (CPU_RAM_BYTES < cairn_hw_pkg::CPU_RAM_BYTES && (QPS_LOG2 > 8 || CQS_LOG2 > 8))) begin : g_chk_sizes
    $error("cairn_nic: a size is out of its range");
  end
  if (MRS_LOG2 != 0 && (MRS_LOG2 < 5 || MRS_LOG2 > 12 || FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB])) begin : g_chk_mrs
    $error("cairn_nic: MRS_LOG2 is 5 to 12, and not with MW");
  end
  if ((FEATURES & ~ALL) != '0
      || !(FEATURES[cairn_hw_pkg::REG_FEATURES_RC_LSB] || FEATURES[cairn_hw_pkg::REG_FEATURES_UD_LSB])
      || (FEATURES[cairn_hw_pkg::REG_FEATURES_MCAST_LSB] && !FEATURES[cairn_hw_pkg::REG_FEATURES_UD_LSB])) begin : g_chk
    $error("cairn_nic: FEATURES has bits of REG FEATURES, RC or UD among them, and UD if MCAST");
  end
  localparam int unsigned NGROUPS = FEATURES[cairn_hw_pkg::REG_FEATURES_MCAST_LSB] ? GROUPS : 0;
  localparam logic [31:0] SIZES =
      (32'(GIDS) << cairn_hw_pkg::REG_SIZES_GIDS_LSB)
      | (32'(NGROUPS) << cairn_hw_pkg::REG_SIZES_GROUPS_LSB)
      | (32'(EQS) << cairn_hw_pkg::REG_SIZES_EQS_LSB)
      | (32'(MRS_LOG2) << cairn_hw_pkg::REG_SIZES_MRS_LOG2_LSB);
  localparam logic [31:0] BUILD =
      (32'($clog2(DATA_W)) << cairn_hw_pkg::REG_BUILD_DATA_W_LOG2_LSB)
      | (32'(QPS_LOG2) << cairn_hw_pkg::REG_BUILD_QPS_LOG2_LSB)
      | (32'(CQS_LOG2) << cairn_hw_pkg::REG_BUILD_CQS_LOG2_LSB)
      | (32'(SRQS_LOG2) << cairn_hw_pkg::REG_BUILD_SRQS_LOG2_LSB)
      | (32'(QP_CACHE_LOG2) << cairn_hw_pkg::REG_BUILD_QP_CACHE_LOG2_LSB)
      | (32'(CLK_PERIOD_NS) << cairn_hw_pkg::REG_BUILD_CLK_PERIOD_NS_LSB);

  // ---- host side ----
  logic stop, core_rst_n;
  logic [1:0] tx_pend, ring_drain;
  cairn_int_pkg::dma_busy_t dma_busy;
  cairn_int_pkg::pool_cmd_t pool_cmd;
  cairn_int_pkg::beat_t     pool_data;
  logic pool_cmd_ready, pool_data_ready;
  logic [DATA_W-1:0]    pool_data_data;
  cairn_int_pkg::core_state_t core;
  cairn_hw_pkg::nic_events_t events;
  logic host_idle, mgmt_idle, mgmt_idle_q, rx_idle, tx_idle, tx_sending, tx_cut;
  always_ff @(posedge clk_i) mgmt_idle_q <= mgmt_idle;   // for who reads the register: it comes late

  // Host memory: the core's clients, the management core, the payload of what is sent.
  cairn_int_pkg::core_memory_t       core_mem;
  cairn_int_pkg::core_memory_ready_t core_mem_ready;
  cairn_int_pkg::dma_reads_t       reads;
  cairn_int_pkg::dma_read_ready_t  rd_ready;
  cairn_int_pkg::dma_writes_t      writes;
  cairn_int_pkg::dma_write_ready_t wr_ready;
  cairn_int_pkg::dma_read_t        tx_rd, fw_rd;
  cairn_int_pkg::dma_write_t       fw_wr;
  cairn_int_pkg::dma_return_t      dma;
  logic [DATA_W-1:0]               dma_data;
  logic core_asks;
  always_comb begin
    reads.txp   = tx_rd;
    reads.fw    = fw_rd;
    writes.fw   = fw_wr;
    reads.wqe   = core_mem.rd.wqe;
    reads.rqe   = core_mem.rd.rqe;
    reads.qpc   = core_mem.rd.qpc;
    reads.mr    = core_mem.rd.mr;
    reads.cq    = core_mem.rd.cq;
    reads.atom  = core_mem.rd.atom;
    writes.rsp  = core_mem.wr.rsp;
    writes.cmp  = core_mem.wr.cmp;
    writes.cqe  = core_mem.wr.cqe;
    writes.eqe  = core_mem.wr.eqe;
    writes.qpc  = core_mem.wr.qpc;
    writes.cqc  = core_mem.wr.cqc;
    writes.atom = core_mem.wr.atom;
  end
  always_comb begin
    core_mem_ready.rd.wqe  = rd_ready.wqe;
    core_mem_ready.rd.rqe  = rd_ready.rqe;
    core_mem_ready.rd.qpc  = rd_ready.qpc;
    core_mem_ready.rd.mr   = rd_ready.mr;
    core_mem_ready.rd.cq   = rd_ready.cq;
    core_mem_ready.rd.atom = rd_ready.atom;
    core_mem_ready.wr.rsp  = wr_ready.rsp;
    core_mem_ready.wr.cmp  = wr_ready.cmp;
    core_mem_ready.wr.cqe  = wr_ready.cqe;
    core_mem_ready.wr.eqe  = wr_ready.eqe;
    core_mem_ready.wr.qpc  = wr_ready.qpc;
    core_mem_ready.wr.cqc  = wr_ready.cqc;
    core_mem_ready.wr.atom = wr_ready.atom;
  end
  assign core_asks = {core_mem.rd.atom.valid, core_mem.rd.cq.valid, core_mem.rd.mr.valid, core_mem.rd.qpc.valid,
                      core_mem.rd.rqe.valid, core_mem.rd.wqe.valid, core_mem.wr.atom.valid, core_mem.wr.cqc.valid,
                      core_mem.wr.qpc.valid, core_mem.wr.eqe.valid, core_mem.wr.cqe.valid, core_mem.wr.cmp.valid,
                      core_mem.wr.rsp.valid} != '0;

  host_if #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2),
      .QP_CACHE_LOG2(QP_CACHE_LOG2), .QP_ON_CHIP(QP_ON_CHIP),
      .RECORDS_ON_CHIP((CQ_ON_CHIP != 0 && MRS_LOG2 != 0) ? 1 : 0), .CLK_PERIOD_NS(CLK_PERIOD_NS), .FEATURES(FEATURES),
      .SIZES(SIZES), .CPU_RAM_BYTES(CPU_RAM_BYTES)) u_host (
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
      .busy_o(dma_busy),
      .pool_cmd_o(pool_cmd), .pool_cmd_ready_i(pool_cmd_ready), .pool_data_i(pool_data),
      .pool_data_ready_o(pool_data_ready), .pool_data_data_i(pool_data_data),
      .db_o(db),
      .msix_i(mx), .msix_ready_o(mx_ready),
      .fw_o(fw_control), .fw_i(fw_status), .events_i(events),
      .qp_new_i({ctx_op.valid && ctx_done.done && {ctx_op.table_, ctx_op.op} == {3'(cairn_hw_pkg::TABLE_QP),
          3'(cairn_hw_pkg::CTX_OP_INIT)} && ctx_op.part == 2'(cairn_hw_pkg::QP_PART_CFG), ctx_op.key[23:0]}),
      .dev_i({core.fatal, mgmt_idle_q && rx_idle && merge_idle && tx_idle && core.idle}), .idle_o(host_idle),
      .deadline_o(host_dl)
  );

  // ---- management core ----
  logic          irq_raw;
  logic enable, loop_on, fence_start;
  cairn_int_pkg::fw_kicks_ready_t kick_ready;
  cairn_int_pkg::mmio_answer_t   raw_answer, eq_answer;
  cairn_int_pkg::record_tables_t tables;
  mgmt #(.DATA_W(DATA_W), .RAM_BYTES(CPU_RAM_BYTES)) u_mgmt (
      .clk_i, .rst_ni(core_rst_n), .time_now_i,
      .fw_i(fw_control), .fw_o(fw_status),
      .rd_o(fw_rd), .rd_ready_i(rd_ready.fw), .beat_i(dma.beat), .beat_data_i(dma_data), .wr_o(fw_wr),
      .wr_ready_i(wr_ready.fw),
      .msix_o(mx.fw), .msix_ready_i(mx_ready.fw),
      .mmio_raw_o(mmio_raw), .mmio_eq_o(mmio_eq), .mmio_raw_i(raw_answer),
      .mmio_eq_i(eq_answer),
      .irq_raw_i(irq_raw),
      .facts_i({FEATURES, BUILD, SIZES, mac_gbps_i, mac_eth_mtu_i, mac_addr_i, mac_link_i}),
      .enable_o(enable), .loop_o(loop_on), .fence_start_o(fence_start), .fence_done_i(core.fence_done),
      .table_o(tables),
      .gid_o(gid_write),
      .db_op_o(db_op), .db_op_i(db_op_done),
      .kick_o(kick), .kick_ready_i(kick_ready),
      .fw_event_i(fw_event), .fw_event_ready_o(fw_event_ready),
      .op_o(ctx_op), .op_i(ctx_done),
      .uart_valid_o, .uart_data_o, .events_o(events.mgmt), .idle_o(mgmt_idle), .deadline_o(mgmt_dl)
  );
  // ---- clocks: a block stands still while it is idle and nothing comes in ----
  logic core_clk, rx_clk, tx_clk, core_due;
  assign core_due = core.deadline.valid && core.deadline.at <= time_now_i + 64'd64;
  clk_gate u_core_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(core_clk),
      .busy_i(!core.idle || core_due || rxm_valid || dma.beat.valid || db.valid || db_op.valid
              || {kick.flush, kick.walk, kick.sched} != '0
              || ctx_op.valid
              || mmio_eq.valid || fence_start || reports.req.valid || reports.rsp.valid
              || reports.sent.valid || rings.left || gid_write.we
              || {fw_event.qp_error.valid, fw_event.eq_overflow.valid, fw_event.bad_doorbell.valid,
                  fw_event.cq_error.valid} != '0 || mx.req.valid || core_asks));
  clk_gate u_rx_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(rx_clk),
      .busy_i(!rx_idle || !merge_idle || mac_rx_valid_i || loop_valid || rxm_valid || pool_cmd.valid || pool_data.valid
              || rx_free.valid || mmio_raw.valid || raw_rd.valid || raw_rd.done || gid_write.we || rxq.valid));
  clk_gate u_tx_clk (
      .clk_i, .rst_ni(core_rst_n), .clk_o(tx_clk),
      .busy_i(!tx_idle || stop || dma.beat.valid || requests.job_valid || requests.seg_valid || requests.inl_valid
              || responses.job_valid || responses.seg_valid || responses.ack_valid || raw_tx.valid || gid_write.we
              || ring_drain != '0 || allow.valid || reports.req.valid || reports.rsp.valid || tx_beat.valid));

  // ---- receive ----
  // What is asked for finds records and, if it is short, cells, when a visit's packets are built beyond the bound.
  localparam int unsigned RX_FOR_RSP = (RX_CELLS >= 256) ? RX_CELLS / 4 : 48;
  localparam int unsigned RX_FOR_ALL = (RX_RSPS / 4 * 3 < RX_FOR_RSP) ? RX_RSPS / 4 * 3 : RX_FOR_RSP;
  localparam int unsigned READS      = RX_FOR_ALL - 32;
  cairn_int_pkg::rx_meta_t     rxm;
  cairn_int_pkg::rx_free_t     rx_free;
  cairn_int_pkg::rx_qp_write_t rxq;
  cairn_int_pkg::beat_t        wire_in, loop_in, mac_in;
  logic rxm_valid, rxm_ready, rx_free_ready, rxq_ready;
  cairn_int_pkg::raw_frame_t   raw_tx;
  cairn_int_pkg::raw_read_t    raw_rd;
  logic raw_ready;
  logic [DATA_W-1:0] raw_rd_data;
  logic loop_ready, in_loop, merge_idle;
  assign wire_in = {mac_rx_valid_i, mac_rx_last_i, mac_rx_err_i, 7'(mac_rx_nbytes_i)};
  assign loop_in = {loop_valid, tx_beat.last, 1'b0, tx_beat.nbytes};
  rx_merge #(.DATA_W(DATA_W), .COPIES(NGROUPS != 0)) u_merge (
      .clk_i(rx_clk), .rst_ni(core_rst_n), .wire_i(wire_in), .wire_data_i(mac_rx_data_i),
      .loop_i(loop_in), .loop_ready_o(loop_ready), .loop_both_i(tx_way[0]), .loop_data_i(tx_data),
      .out_o(mac_in), .out_data_o(loop_data_o), .out_loop_o(in_loop), .events_o(events.rx_merge), .idle_o(merge_idle));
  assign loop_valid_o  = mac_in.valid && in_loop;
  assign loop_last_o   = mac_in.last;
  assign loop_nbytes_o = mac_in.nbytes[NB_W-1:0];
  rx_path #(.DATA_W(DATA_W), .GIDS(GIDS), .GROUPS(NGROUPS), .QPS_LOG2(QPS_LOG2), .CELLS(RX_CELLS),
            .META_DEPTH(RX_META), .META_RSPS(RX_RSPS), .FOR_RSP(RX_FOR_RSP),
            .RAW_BYTES((RX_CELLS >= 256) ? 8192 : 4096),
            .ATOMIC(FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB])) u_rx (
      .clk_i(rx_clk), .rst_ni(core_rst_n), .mac_addr_i,
      .gid_i(gid_write),
      .rxq_i(rxq), .rxq_ready_o(rxq_ready),
      .mac_rx_i(mac_in),
      .mac_rx_data_i(loop_data_o), .mac_rx_loop_i(in_loop),
      .rx_valid_o(rxm_valid), .rx_ready_i(rxm_ready), .rx_o(rxm),
      .pool_cmd_i(pool_cmd), .pool_cmd_ready_o(pool_cmd_ready),
      .pool_data_o(pool_data), .pool_data_ready_i(pool_data_ready), .pool_data_data_o(pool_data_data),
      .free_i(rx_free), .free_ready_o(rx_free_ready), .free_cells_o(),
      .mmio_i(mmio_raw),
      .mmio_o(raw_answer),
      .irq_raw_o(irq_raw),
      .raw_o(raw_tx),
      .raw_ready_i(raw_ready), .raw_rd_i(raw_rd), .raw_rd_data_o(raw_rd_data),
      .idle_o(rx_idle), .events_o(events.rx_path)
  );

  // ---- transmit ----
  cairn_int_pkg::tx_requests_t        requests;
  cairn_int_pkg::tx_requests_ready_t  requests_ready;
  cairn_int_pkg::tx_responses_t       responses;
  cairn_int_pkg::tx_responses_ready_t responses_ready;
  cairn_int_pkg::tx_rings_t           rings;
  cairn_int_pkg::tx_reports_t         reports;
  cairn_int_pkg::tx_reports_ready_t   reports_ready;
  cairn_int_pkg::tx_allow_t           allow;
  cairn_int_pkg::beat_t               tx_beat, out_beat, mac_beat;
  logic [DATA_W-1:0] requests_inl_data;
  logic tx_ready, cut_idle;
  logic [DATA_W-1:0] tx_data;
  logic [1:0]  tx_way;
  logic loop_valid, out_valid, out_ready;
  tx_path #(.DATA_W(DATA_W), .GIDS(GIDS), .GROUPS(NGROUPS), .QPS_LOG2(QPS_LOG2), .RING_BYTES(TX_RING_BYTES),
            .JOBS(TX_JOBS), .ATOMIC(FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]), .CNPS(1'b0)) u_tx (
      .clk_i(tx_clk), .rst_ni(core_rst_n), .stop_i(stop), .mac_addr_i, .gid_i(gid_write),
      .loop_i(loop_on && FEATURES[cairn_hw_pkg::REG_FEATURES_LOOP_LSB]),
      .requests_i(requests), .requests_ready_o(requests_ready), .requests_inl_data_i(requests_inl_data),
      .responses_i(responses), .responses_ready_o(responses_ready), .responses_left_o(rings.left),
      .cnp_valid_i(1'b0), .cnp_ready_o(), .cnp_i('0),
      .raw_i(raw_tx), .raw_ready_o(raw_ready), .raw_rd_o(raw_rd), .raw_rd_data_i(raw_rd_data),
      .rd_o(tx_rd), .rd_ready_i(rd_ready.txp), .beat_i(dma.beat), .beat_data_i(dma_data),
      .allow_i(allow), .reports_o(reports), .reports_ready_i(reports_ready), .events_o(events.tx_path),
      .mac_tx_o(tx_beat),
      .mac_tx_ready_i(tx_ready), .mac_tx_data_o(tx_data), .mac_tx_way_o(tx_way),
      .drain_i(ring_drain), .drained_o({rings.rsp_drained, rings.req_drained}),
      .pend_epoch_o(tx_pend), .idle_o(tx_idle), .sending_o(tx_sending)
  );
  stream_fork #(.WIDTH(1), .N(2)) u_ways (
      .clk_i(tx_clk), .rst_ni(core_rst_n), .in_valid_i(tx_beat.valid), .in_ready_o(tx_ready), .in_data_i(1'b0),
      .in_sel_i(tx_way), .out_valid_o({loop_valid, out_valid}), .out_ready_i({loop_ready, out_ready}),
      .out_data_o());
  assign out_beat = {out_valid, tx_beat.last, tx_beat.err, tx_beat.nbytes};
  mac_cut #(.DATA_W(DATA_W)) u_mac_cut (
      .clk_i, .rst_ni, .cut_i(tx_cut), .in_i(out_beat), .in_ready_o(out_ready), .in_data_i(tx_data),
      .out_o(mac_beat), .out_ready_i(mac_tx_ready_i), .out_data_o(mac_tx_data_o), .idle_o(cut_idle));
  assign mac_tx_valid_o  = mac_beat.valid;
  assign mac_tx_last_o   = mac_beat.last;
  assign mac_tx_err_o    = mac_beat.err;
  assign mac_tx_nbytes_o = mac_beat.nbytes[NB_W-1:0];

  // ---- transport ----
  always_comb begin
    core_op       = ctx_op;
    core_op.valid = ctx_op.valid && rxq_ready;
  end

  rdma_core #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2),
      .QP_SETS(1 << (QP_CACHE_LOG2 - 3)), .QP_ON_CHIP(QP_ON_CHIP), .CQ_ON_CHIP(CQ_ON_CHIP),
      .CELLS(RX_CELLS - RX_FOR_RSP), .FEATURES(FEATURES),
      .GIDS(GIDS), .EQS(EQS), .RX_INFLIGHT(RX_INFLIGHT), .READS(READS), .RQE_RUNS(RQE_RUNS),
      .ATOMICS(ATOMICS), .DESCRIPTORS(DESCRIPTORS), .MPT_SETS(MPT_SETS), .MTT_SETS(MTT_SETS), .MRS_LOG2(MRS_LOG2),
      .CQ_SETS(CQ_SETS)) u_core (
      .clk_i(core_clk), .rst_ni(core_rst_n), .time_now_i,
      .control_i({FEATURES, enable, fence_start, dma_busy.rd != 2'b00 || dma_busy.wr != 2'b00, tx_pend != 2'b00}),
      .state_o(core), .gid_i(gid_write), .table_i(tables),
      .db_i(db),
      .db_op_i(db_op), .db_op_o(db_op_done),
      .kick_i(kick), .kick_ready_o(kick_ready), .fw_event_o(fw_event), .fw_event_ready_i(fw_event_ready),
      .op_i(core_op), .op_o(ctx_done),
      .mmio_i(mmio_eq), .mmio_o(eq_answer),
      .msix_o(mx.req), .msix_ready_i(mx_ready.req),
      .memory_o(core_mem), .memory_ready_i(core_mem_ready), .dma_i(dma), .dma_data_i(dma_data),
      .rx_i({rxm_valid, rxm}), .rx_ready_o(rxm_ready), .free_o(rx_free), .free_ready_i(rx_free_ready),
      .requests_o(requests), .requests_ready_i(requests_ready), .requests_inl_data_o(requests_inl_data),
      .responses_o(responses), .responses_ready_i(responses_ready), .drain_o(ring_drain), .rings_i(rings),
      .allow_o(allow), .reports_i(reports), .reports_ready_o(reports_ready), .events_o(events.rdma_core),
      .rxq_o(rxq)
  );
  // ---- time: the earliest of the three deadlines ----
  logic [63:0] dl_a;
  logic        dl_a_valid;
  assign idle_o           = host_idle && mgmt_idle && rx_idle && merge_idle && tx_idle && core.idle && cut_idle
                            && !rxm_valid;
  assign dl_a_valid       = host_dl.valid || mgmt_dl.valid;
  assign dl_a             = (host_dl.valid && (!mgmt_dl.valid || host_dl.at < mgmt_dl.at)) ? host_dl.at : mgmt_dl.at;
  assign deadline_valid_o = dl_a_valid || core.deadline.valid;
  assign deadline_o       = (dl_a_valid && (!core.deadline.valid || dl_a < core.deadline.at)) ? dl_a : core.deadline.at;
endmodule
