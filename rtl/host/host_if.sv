// SPDX-License-Identifier: Apache-2.0
// Everything between the PCIe TLP streams and the device's inside. Wiring only (docs/rtl/host.md).
//
//   tlp_rx -> pcie_tlp -+-> doorbells                dma clients -> dma_read, dma_write -> pcie_tlp -> tlp_tx
//                       +-> csr, counters, msix table        WR_EQE -> msix -> dma_write
//                       +-> completions -> dma_read -> data (broadcast to all clients)
//
// Order: the client WR_EQE goes through msix, so an interrupt message follows the events it announces.
module host_if #(
    parameter int unsigned DATA_W        = 512,
    parameter int unsigned QPS_LOG2      = 10,
    parameter int unsigned CQS_LOG2      = 10,
    parameter int unsigned SRQS_LOG2     = 4,
    parameter int unsigned QP_CACHE_LOG2 = 7,
    parameter int unsigned CLK_PERIOD_NS = 4,
    parameter logic [31:0] FEATURES      = 32'h0,
    localparam int unsigned LNW  = cairn_int_pkg::LEN_W,
    localparam int unsigned CNT  = cairn_hw_pkg::COUNTER_COUNT,
    localparam int unsigned RAMW = $clog2(cairn_hw_pkg::CPU_RAM_BYTES)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [63:0]                      time_now_i,
    // PCIe
    input  logic                             tlp_rx_valid_i,
    output logic                             tlp_rx_ready_o,
    input  logic                             tlp_rx_sop_i,
    input  logic                             tlp_rx_last_i,
    input  logic [127:0]                     tlp_rx_hdr_i,
    input  logic [2:0]                       tlp_rx_bar_i,
    input  logic [DATA_W-1:0]                tlp_rx_data_i,
    output logic                             tlp_tx_valid_o,
    input  logic                             tlp_tx_ready_i,
    output logic                             tlp_tx_sop_o,
    output logic                             tlp_tx_last_o,
    output logic [127:0]                     tlp_tx_hdr_o,
    output logic [DATA_W-1:0]                tlp_tx_data_o,
    input  logic [2:0]                       tlp_credit_i,
    input  logic                             cfg_bme_i,
    input  logic [2:0]                       cfg_mps_i,
    input  logic [2:0]                       cfg_mrrs_i,
    input  logic [15:0]                      cfg_reqid_i,
    input  logic                             cfg_ext_tag_i,     // Device Control, bits 8 and 4
    input  logic                             cfg_relaxed_i,
    input  logic                             cfg_msix_en_i,
    input  logic                             cfg_msix_fmask_i,
    input  logic                             cfg_flr_i,
    output logic                             cfg_flr_done_o,
    // MAC facts
    input  logic [47:0]                      mac_addr_i,
    input  logic                             mac_link_i,
    input  logic [15:0]                      mac_eth_mtu_i,
    input  logic [15:0]                      mac_gbps_i,
    // function reset
    output logic                             stop_o,
    output logic                             core_rst_no,
    input  logic                             tx_quiet_i,
    output logic                             tx_cut_o,
    // DMA clients
    input  cairn_int_pkg::dma_reads_t        rd_i,
    output cairn_int_pkg::dma_read_ready_t   rd_ready_o,
    input  cairn_int_pkg::dma_writes_t       wr_i,              // that of WR_EQE goes through msix
    output cairn_int_pkg::dma_write_ready_t  wr_ready_o,
    output cairn_int_pkg::dma_return_t       dma_o,
    output logic [DATA_W-1:0]                dma_data_o,
    output logic [1:0]                       rd_epoch_busy_o,
    output logic [1:0]                       wr_epoch_busy_o,
    // RX pool reader
    output logic                             pool_cmd_valid_o,
    input  logic                             pool_cmd_ready_i,
    output logic [cairn_int_pkg::CELL_W-1:0] pool_cmd_cell_head_o,
    output logic [7:0]                       pool_cmd_off_o,
    output logic [LNW-1:0]                   pool_cmd_len_o,
    output logic                             pool_cmd_first_o,
    output logic                             pool_cmd_free_o,
    input  logic                             pool_data_valid_i,
    output logic                             pool_data_ready_o,
    input  logic [DATA_W-1:0]                pool_data_data_i,
    // doorbells
    output cairn_int_pkg::doorbell_t         db_o,
    // interrupts
    input  logic                             msix_req_valid_i,  // eqe_write
    output logic                             msix_req_ready_o,
    input  logic [4:0]                       msix_req_vector_i,
    input  logic                             msix_fw_valid_i,   // cmd_mailbox
    output logic                             msix_fw_ready_o,
    input  logic [4:0]                       msix_fw_vector_i,
    // management core
    output logic                             cpu_hold_o,
    output logic                             load_o,
    output logic [63:2]                      load_iova_o,
    output logic [RAMW:2]                    load_words_o,
    input  logic                             load_word_i,
    input  logic [31:0]                      load_data_i,
    input  logic                             load_end_i,
    input  logic                             load_err_i,
    output logic [63:0]                      cmdq_base_o,
    output logic [63:0]                      cmdq_cpl_base_o,
    output logic [31:0]                      cmdq_size_o,
    output logic [15:0]                      cmdq_db_o,
    output logic                             cmdq_db_we_o,
    output logic                             cmdq_enable_o,
    output logic                             cmdq_enable_we_o,
    output logic [63:0]                      log_base_o,
    output logic [31:0]                      log_size_o,
    input  logic                             fw_ready_i,
    input  logic                             fw_fatal_i,
    input  logic [31:0]                      fw_scratch_i,
    input  logic                             cpu_fatal_i,
    input  logic                             dev_fatal_i,
    // what the rest of the device counts
    input  cairn_hw_pkg::nic_events_t events_i,
    input  logic                             qp_new_i,          // strobe: the QP begins a life
    input  logic [23:0]                      qp_new_qpn_i,
    // time
    input  logic                             dev_idle_i,        // the rest of the device, for STATUS.IDLE
    output logic                             idle_o,
    output logic                             deadline_valid_o,
    output logic [63:0]                      deadline_o
);
  // ---- TLP boundary ----
  logic               mwr_valid, mwr_ready, mwr_drop, mwr_sop, mwr_last;
  logic [127:0]       mwr_hdr;
  logic [DATA_W-1:0]  mwr_data;
  logic               mrd_valid, mrd_ready, mrd_drop;
  logic [127:0]       mrd_hdr;
  logic               cpl_valid, cpl_ready, cpl_sop, cpl_last;
  logic [cairn_hw_pkg::TLP_CPL_W-1:0] cpl_hdr;
  logic [DATA_W-1:0]  cpl_data;
  logic               csr_valid, csr_ready, csr_we;
  logic [15:0]        csr_addr;
  logic [7:0]         csr_be;
  logic [63:0]        csr_wdata, csr_rdata;
  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket;
  logic               tlp_idle, rd_idle, wr_idle, msix_idle;

  cairn_hw_pkg::device_events_t events;
  assign events.nic = events_i;

  pcie_tlp #(.DATA_W(DATA_W)) u_tlp (
      .clk_i, .rst_ni,
      .tlp_rx_valid_i, .tlp_rx_ready_o, .tlp_rx_sop_i, .tlp_rx_last_i, .tlp_rx_hdr_i, .tlp_rx_bar_i, .tlp_rx_data_i,
      .tlp_tx_valid_o, .tlp_tx_ready_i, .tlp_tx_sop_o, .tlp_tx_last_o, .tlp_tx_hdr_o, .tlp_tx_data_o, .tlp_credit_i,
      .cfg_bme_i, .cfg_reqid_i, .flr_i(stop_o),
      .mwr_valid_i(mwr_valid), .mwr_ready_o(mwr_ready), .mwr_drop_o(mwr_drop), .mwr_sop_i(mwr_sop),
      .mwr_last_i(mwr_last),
      .mwr_hdr_i(mwr_hdr), .mwr_data_i(mwr_data), .last_ticket_i(dma_o.last_ticket), .sent_ticket_i(sent_ticket),
      .mrd_valid_i(mrd_valid), .mrd_ready_o(mrd_ready), .mrd_drop_o(mrd_drop), .mrd_hdr_i(mrd_hdr),
      .cpl_valid_o(cpl_valid), .cpl_ready_i(cpl_ready), .cpl_sop_o(cpl_sop), .cpl_last_o(cpl_last), .cpl_hdr_o(cpl_hdr),
      .cpl_data_o(cpl_data),
      .db_o,
      .csr_valid_o(csr_valid), .csr_ready_i(csr_ready), .csr_we_o(csr_we), .csr_addr_o(csr_addr), .csr_be_o(csr_be),
      .csr_wdata_o(csr_wdata), .csr_rdata_i(csr_rdata),
      .idle_o(tlp_idle), .events_o(events.host_if.tlp_rx)
  );

  // ---- DMA engines and MSI-X, on a clock that stands still while all three are idle ----
  logic dma_clk;
  logic rd_any, wr_any;
  assign rd_any = {rd_i.atom.valid, rd_i.fw.valid, rd_i.cq.valid, rd_i.mr.valid, rd_i.qpc.valid, rd_i.rqe.valid,
                   rd_i.wqe.valid, rd_i.txp.valid} != '0;
  assign wr_any = {wr_i.atom.valid, wr_i.fw.valid, wr_i.cqc.valid, wr_i.qpc.valid, wr_i.eqe.valid,
                   wr_i.cqe.valid, wr_i.cmp.valid, wr_i.rsp.valid} != '0;
  clk_gate u_dma_clk (
      .clk_i, .rst_ni(core_rst_no), .clk_o(dma_clk),
      .busy_i(!rd_idle || !wr_idle || !msix_idle || stop_o || (deadline_valid_o && deadline_o <= time_now_i + 64'd64)
              || rd_any || wr_any || cpl_valid || mrd_valid || mwr_valid || dma_o.beat.valid || mx.valid
              || pool_data_valid_i));
  logic           rd_done, wr_done, rd_stuck;
  dma_read #(.DATA_W(DATA_W)) u_read (
      .clk_i(dma_clk), .rst_ni, .time_now_i, .mrrs_i(cfg_mrrs_i), .reqid_i(cfg_reqid_i), .ext_tag_i(cfg_ext_tag_i),
      .rd_i, .rd_ready_o, .sent_ticket_i(sent_ticket),
      .beat_o(dma_o.beat), .beat_data_o(dma_data_o),
      .mrd_valid_o(mrd_valid), .mrd_ready_i(mrd_ready), .mrd_drop_i(mrd_drop), .mrd_hdr_o(mrd_hdr),
      .cpl_valid_i(cpl_valid), .cpl_ready_o(cpl_ready), .cpl_sop_i(cpl_sop), .cpl_last_i(cpl_last), .cpl_hdr_i(cpl_hdr),
      .cpl_data_i(cpl_data),
      .flr_i(stop_o), .flr_done_o(rd_done),
      .idle_o(rd_idle), .busy_o(), .stuck_o(rd_stuck), .epoch_busy_o(rd_epoch_busy_o),
      .deadline_valid_o, .deadline_o, .events_o(events.host_if.dma_read)
  );

  cairn_int_pkg::dma_writes_t      writes;
  cairn_int_pkg::dma_write_ready_t writes_ready;
  cairn_int_pkg::dma_write_t       mx;
  logic                            eq_ready;
  always_comb begin
    writes         = wr_i;
    writes.eqe     = mx;
    wr_ready_o     = writes_ready;
    wr_ready_o.eqe = eq_ready;
  end
  dma_write #(.DATA_W(DATA_W)) u_write (
      .clk_i(dma_clk), .rst_ni, .mps_i(cfg_mps_i), .reqid_i(cfg_reqid_i), .relaxed_i(cfg_relaxed_i),
      .wr_i(writes), .wr_ready_o(writes_ready), .ticket_o(dma_o.ticket), .last_ticket_o(dma_o.last_ticket),
      .sent_ticket_o(sent_ticket),
      .pool_cmd_valid_o, .pool_cmd_ready_i, .pool_cmd_cell_head_o, .pool_cmd_off_o, .pool_cmd_len_o, .pool_cmd_first_o,
      .pool_cmd_free_o,
      .pool_data_valid_i, .pool_data_ready_o, .pool_data_data_i,
      .mwr_valid_o(mwr_valid), .mwr_ready_i(mwr_ready), .mwr_drop_i(mwr_drop), .mwr_sop_o(mwr_sop),
      .mwr_last_o(mwr_last), .mwr_hdr_o(mwr_hdr), .mwr_data_o(mwr_data),
      .flr_i(stop_o), .flr_done_o(wr_done), .idle_o(wr_idle), .epoch_busy_o(wr_epoch_busy_o),
      .events_o(events.host_if.dma_write)
  );

  // ---- registers ----
  logic fn_reset, fn_done;
  logic cnt_valid, cnt_ready, mt_valid, mt_ready, mt_pba;
  logic [$clog2(CNT)-1:0] cnt_index, qc_index;
  logic        qc_valid, qc_ready, qc_idle;
  logic [23:0] qc_qpn;
  logic [63:0] qc_value;
  logic [63:0] cnt_value, mt_rdata;
  logic [$clog2(2*cairn_hw_pkg::MSIX_VECTORS)-1:0] mt_word;
  csr #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2), .QP_CACHE_LOG2(QP_CACHE_LOG2),
        .CLK_PERIOD_NS(CLK_PERIOD_NS), .FEATURES(FEATURES)) u_csr (
      .clk_i, .rst_ni, .flr_i(!core_rst_no), .stop_i(stop_o), .time_now_i,
      .csr_valid_i(csr_valid), .csr_ready_o(csr_ready), .csr_we_i(csr_we), .csr_addr_i(csr_addr), .csr_be_i(csr_be),
      .csr_wdata_i(csr_wdata), .csr_rdata_o(csr_rdata),
      .cnt_valid_o(cnt_valid), .cnt_ready_i(cnt_ready), .cnt_index_o(cnt_index), .cnt_value_i(cnt_value),
      .qc_valid_o(qc_valid), .qc_ready_i(qc_ready), .qc_qpn_o(qc_qpn), .qc_index_o(qc_index), .qc_value_i(qc_value),
      .msix_valid_o(mt_valid), .msix_ready_i(mt_ready), .msix_pba_o(mt_pba), .msix_word_o(mt_word),
      .msix_rdata_i(mt_rdata),
      .fw_ready_i, .fw_fatal_i, .fw_scratch_i, .cpu_fatal_i, .dev_fatal_i(dev_fatal_i || rd_stuck),
      .link_i(mac_link_i), .idle_i(dev_idle_i), .mac_addr_i, .eth_mtu_i(mac_eth_mtu_i), .gbps_i(mac_gbps_i),
      .mps_i(cfg_mps_i), .mrrs_i(cfg_mrrs_i), .bme_i(cfg_bme_i), .fn_reset_o(fn_reset), .fn_done_i(fn_done),
      .cpu_hold_o, .load_o, .load_iova_o, .load_words_o, .load_word_i, .load_data_i, .load_end_i, .load_err_i,
      .cmdq_base_o, .cmdq_cpl_base_o, .cmdq_size_o, .cmdq_db_o, .cmdq_db_we_o, .cmdq_enable_o, .cmdq_enable_we_o,
      .log_base_o, .log_size_o
  );

  counters u_counters (
      .clk_i, .rst_ni, .clear_i(!core_rst_no), .events_i((2*CNT)'(cairn_hw_pkg::counter_events(events))),
      .bytes_i(cairn_hw_pkg::counter_bytes(events)),
      .rd_valid_i(cnt_valid), .rd_ready_o(cnt_ready), .rd_index_i(cnt_index), .rd_value_o(cnt_value)
  );
  qp_counters #(.QPS_LOG2(QPS_LOG2)) u_qp_counters (
      .clk_i, .rst_ni(core_rst_no), .events_i(events), .zero_valid_i(qp_new_i),
      .zero_qpn_i(qp_new_qpn_i), .rd_valid_i(qc_valid), .rd_ready_o(qc_ready), .rd_qpn_i(qc_qpn), .rd_index_i(qc_index),
      .rd_value_o(qc_value), .idle_o(qc_idle));

  msix u_msix (
      .clk_i(dma_clk), .rst_ni(core_rst_no), .clear_i(1'b0), .bme_i(cfg_bme_i), .msix_en_i(cfg_msix_en_i),
      .msix_fmask_i(cfg_msix_fmask_i),
      .req_valid_i(msix_req_valid_i), .req_ready_o(msix_req_ready_o), .req_vector_i(msix_req_vector_i),
      .fw_valid_i(msix_fw_valid_i), .fw_ready_o(msix_fw_ready_o), .fw_vector_i(msix_fw_vector_i),
      .eq_i(wr_i.eqe), .eq_ready_o(eq_ready),
      .wr_o(mx), .wr_ready_i(writes_ready.eqe),
      .csr_valid_i(mt_valid), .csr_ready_o(mt_ready), .csr_we_i(csr_we), .csr_pba_i(mt_pba), .csr_word_i(mt_word),
      .csr_be_i(csr_be), .csr_wdata_i(csr_wdata), .csr_rdata_o(mt_rdata),
      .idle_o(msix_idle), .events_o(events.host_if.msix)
  );

  flr_ctl u_flr (
      .clk_i, .rst_ni, .cfg_flr_i, .cfg_flr_done_o, .fn_reset_i(fn_reset), .fn_done_o(fn_done),
      .stop_o, .core_rst_no, .rd_done_i(rd_done), .wr_done_i(wr_done), .tx_quiet_i, .cut_o(tx_cut_o)
  );

  assign idle_o = tlp_idle && rd_idle && wr_idle && msix_idle && qc_idle && !stop_o;
endmodule
