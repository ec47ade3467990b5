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
    parameter int unsigned QP_ON_CHIP    = 0,
    parameter int unsigned RECORDS_ON_CHIP = 0,  // those of CQs and memory regions: nothing is written back
    parameter int unsigned CLK_PERIOD_NS = 4,
    parameter logic [31:0] FEATURES      = 32'h0,
    parameter logic [31:0] SIZES         = 32'h0,
    parameter int unsigned CPU_RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,
    localparam int unsigned CNT  = cairn_hw_pkg::COUNTER_COUNT
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [63:0]                         time_now_i,
    // PCIe
    input  cairn_int_pkg::tlp_in_t              tlp_rx_i,
    output logic                                tlp_rx_ready_o,
    input  logic [DATA_W-1:0]                   tlp_rx_data_i,
    output cairn_int_pkg::tlp_out_t             tlp_tx_o,
    input  logic                                tlp_tx_ready_i,
    output logic [DATA_W-1:0]                   tlp_tx_data_o,
    input  logic [2:0]                          tlp_credit_i,
    input  cairn_int_pkg::pcie_cfg_t            cfg_i,
    input  logic                                cfg_flr_i,
    output logic                                cfg_flr_done_o,
    // MAC facts
    input  cairn_int_pkg::mac_facts_t           mac_i,
    // function reset
    output logic                                stop_o,
    output logic                                core_rst_no,
    input  logic                                tx_quiet_i,
    output logic                                tx_cut_o,
    // DMA clients
    input  cairn_int_pkg::dma_reads_t           rd_i,
    output cairn_int_pkg::dma_read_ready_t      rd_ready_o,
    input  cairn_int_pkg::dma_writes_t          wr_i,  // that of WR_EQE goes through msix
    output cairn_int_pkg::dma_write_ready_t     wr_ready_o,
    output cairn_int_pkg::dma_return_t          dma_o,
    output logic [DATA_W-1:0]                   dma_data_o,
    output cairn_int_pkg::dma_busy_t            busy_o,
    // RX pool reader
    output cairn_int_pkg::pool_cmd_t            pool_cmd_o,
    input  logic                                pool_cmd_ready_i,
    input  cairn_int_pkg::beat_t                pool_data_i,
    output logic                                pool_data_ready_o,
    input  logic [DATA_W-1:0]                   pool_data_data_i,
    // doorbells
    output cairn_int_pkg::doorbell_t            db_o,
    // interrupts
    input  cairn_int_pkg::msix_requests_t       msix_i,
    output cairn_int_pkg::msix_requests_ready_t msix_ready_o,
    // management core
    output cairn_int_pkg::fw_control_t          fw_o,
    input  cairn_int_pkg::fw_status_t           fw_i,
    input  cairn_int_pkg::dev_state_t           dev_i,
    // what the rest of the device counts
    input  cairn_hw_pkg::nic_events_t           events_i,
    input  cairn_int_pkg::qp_new_t              qp_new_i,
    output logic                                idle_o,
    output cairn_int_pkg::deadline_t            deadline_o
);
  cairn_int_pkg::tlp_out_t     mwr;
  cairn_int_pkg::tlp_ask_t     mrd;
  cairn_int_pkg::tlp_back_t    cpl;
  cairn_int_pkg::csr_access_t  csr;
  cairn_int_pkg::msix_access_t mt;
  // ---- TLP boundary ----
  logic mwr_ready, mwr_drop;
  logic [DATA_W-1:0]  mwr_data;
  logic mrd_ready, mrd_drop;
  logic               cpl_ready;
  logic [DATA_W-1:0]  cpl_data;
  logic               csr_ready;
  logic [63:0]        csr_rdata;
  logic tlp_idle, rd_idle, wr_idle, msix_idle;

  cairn_hw_pkg::device_events_t events;
  assign events.nic = events_i;

  pcie_tlp #(.DATA_W(DATA_W), .PUSH(FEATURES[cairn_hw_pkg::REG_FEATURES_PUSH_LSB])) u_tlp (
      .clk_i, .rst_ni,
      .tlp_rx_i, .tlp_tx_o, .cfg_i, .tlp_rx_ready_o, .tlp_rx_data_i,
      .tlp_tx_ready_i, .tlp_tx_data_o, .tlp_credit_i,
      .flr_i(stop_o),
      .mwr_i(mwr), .mwr_ready_o(mwr_ready), .mwr_drop_o(mwr_drop),
      .mwr_data_i(mwr_data), .last_ticket_i(dma_o.last_ticket), .sent_ticket_i(dma_o.posted.sent),
      .mrd_i(mrd), .mrd_ready_o(mrd_ready), .mrd_drop_o(mrd_drop),
      .cpl_o(cpl), .cpl_ready_i(cpl_ready),
      .cpl_data_o(cpl_data),
      .db_o,
      .csr_o(csr), .csr_ready_i(csr_ready),
      .csr_rdata_i(csr_rdata),
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
      .busy_i(!rd_idle || !wr_idle || !msix_idle || stop_o || (deadline_o.valid && deadline_o.at <= time_now_i + 64'd64)
              || rd_any || wr_any || cpl.valid || mrd.valid || mwr.valid || dma_o.beat.valid || mx.valid
              || pool_data_i.valid));
  logic rd_done, wr_done, rd_stuck;
  localparam logic [cairn_int_pkg::RD_N-1:0] READERS =
      ~(cairn_int_pkg::RD_N'(FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB] ? 0 : 1) << cairn_int_pkg::RD_ATOM);
  dma_read #(.DATA_W(DATA_W), .CLIENTS(READERS)) u_read (
      .clk_i(dma_clk), .rst_ni, .time_now_i, .mrrs_i(cfg_i.mrrs), .reqid_i(cfg_i.reqid), .ext_tag_i(cfg_i.ext_tag),
      .rd_i, .rd_ready_o, .sent_ticket_i(dma_o.posted.sent),
      .beat_o(dma_o.beat), .beat_data_o(dma_data_o),
      .mrd_o(mrd), .mrd_ready_i(mrd_ready), .mrd_drop_i(mrd_drop),
      .cpl_i(cpl), .cpl_ready_o(cpl_ready),
      .cpl_data_i(cpl_data),
      .flr_i(stop_o), .flr_done_o(rd_done),
      .idle_o(rd_idle), .busy_o(), .stuck_o(rd_stuck), .epoch_busy_o(busy_o.rd),
      .deadline_valid_o(deadline_o.valid), .deadline_o(deadline_o.at), .events_o(events.host_if.dma_read)
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
  localparam logic [cairn_int_pkg::WR_N-1:0] WRITERS =
      ~(cairn_int_pkg::WR_N'(FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB] ? 0 : 1) << cairn_int_pkg::WR_ATOM)
      & ~(cairn_int_pkg::WR_N'(QP_ON_CHIP != 0 ? 1 : 0) << cairn_int_pkg::WR_QPC)
      & ~(cairn_int_pkg::WR_N'(RECORDS_ON_CHIP != 0 ? 1 : 0) << cairn_int_pkg::WR_CQC);
  dma_write #(.DATA_W(DATA_W), .CLIENTS(WRITERS)) u_write (
      .clk_i(dma_clk), .rst_ni, .mps_i(cfg_i.mps), .reqid_i(cfg_i.reqid), .relaxed_i(cfg_i.relaxed),
      .wr_i(writes), .wr_ready_o(writes_ready), .ticket_o(dma_o.ticket), .last_ticket_o(dma_o.last_ticket),
      .posted_o(dma_o.posted), .fw_word_o(fw_o.word),
      .pool_cmd_o, .pool_cmd_ready_i,
      .pool_data_i, .pool_data_ready_o, .pool_data_data_i,
      .mwr_o(mwr),
      .mwr_ready_i(mwr_ready), .mwr_drop_i(mwr_drop),
      .mwr_data_o(mwr_data),
      .flr_i(stop_o), .flr_done_o(wr_done), .idle_o(wr_idle), .epoch_busy_o(busy_o.wr),
      .events_o(events.host_if.dma_write)
  );

  // ---- registers ----
  logic fn_reset, fn_done;
  logic cnt_valid, cnt_ready, mt_ready;
  logic [$clog2(CNT)-1:0] cnt_index, qc_index;
  logic qc_valid, qc_ready, qc_idle;
  logic [23:0] qc_qpn;
  logic [63:0] qc_value;
  logic [63:0] cnt_value, mt_rdata;
  logic flr_q;      // the registers' reset: the one of all others a cycle later
  always_ff @(posedge clk_i) flr_q <= !core_rst_no;
  csr #(.DATA_W(DATA_W), .QPS_LOG2(QPS_LOG2), .CQS_LOG2(CQS_LOG2), .SRQS_LOG2(SRQS_LOG2), .QP_CACHE_LOG2(QP_CACHE_LOG2),
        .CLK_PERIOD_NS(CLK_PERIOD_NS), .FEATURES(FEATURES), .SIZES(SIZES), .RAM_BYTES(CPU_RAM_BYTES)) u_csr (
      .clk_i, .rst_ni, .flr_i(flr_q), .stop_i(stop_o), .time_now_i,
      .csr_i(csr), .csr_ready_o(csr_ready),
      .csr_rdata_o(csr_rdata),
      .cnt_valid_o(cnt_valid), .cnt_ready_i(cnt_ready), .cnt_index_o(cnt_index), .cnt_value_i(cnt_value),
      .qc_valid_o(qc_valid), .qc_ready_i(qc_ready), .qc_qpn_o(qc_qpn), .qc_index_o(qc_index), .qc_value_i(qc_value),
      .msix_o(mt), .msix_ready_i(mt_ready),
      .msix_rdata_i(mt_rdata),
      .fw_i(fw_i.state), .cpu_fatal_i(fw_i.fatal), .dev_fatal_i(dev_i.fatal || rd_stuck),
      .mac_i, .cfg_i, .idle_i(dev_i.idle),
      .fn_reset_o(fn_reset), .fn_done_i(fn_done),
      .cpu_hold_o(fw_o.hold), .load_o(fw_o.load), .load_i(fw_i.image), .cmdq_o(fw_o.cmdq));

  counters u_counters (
      .clk_i, .rst_ni, .clear_i(!core_rst_no), .events_i((2*CNT)'(cairn_hw_pkg::counter_events(events))),
      .bytes_i(cairn_hw_pkg::counter_bytes(events)),
      .rd_valid_i(cnt_valid), .rd_ready_o(cnt_ready), .rd_index_i(cnt_index), .rd_value_o(cnt_value)
  );
  if (FEATURES[cairn_hw_pkg::REG_FEATURES_QP_COUNTERS_LSB]) begin : g_qp_counters
    qp_counters #(.QPS_LOG2(QPS_LOG2)) u_qp_counters (
        .clk_i, .rst_ni(core_rst_no), .events_i(events), .zero_valid_i(qp_new_i.valid),
        .zero_qpn_i(qp_new_i.qpn), .rd_valid_i(qc_valid), .rd_ready_o(qc_ready), .rd_qpn_i(qc_qpn),
        .rd_index_i(qc_index), .rd_value_o(qc_value), .idle_o(qc_idle));
  end else begin : g_no_qp_counters
    // The windows read as those of QPs that have counted nothing.
    assign qc_ready = qc_valid;
    assign qc_value = (qc_index == ($clog2(CNT))'(cairn_hw_pkg::QP_COUNTER_NEXT)) ? 64'hFFFF_FFFF : '0;
    assign qc_idle  = 1'b1;
    logic unused;
    assign unused = ^{qc_qpn, qp_new_i};
  end

  msix u_msix (
      .clk_i(dma_clk), .rst_ni(core_rst_no), .clear_i(1'b0), .cfg_i, .req_i(msix_i.req), .fw_i(msix_i.fw),
      .req_ready_o(msix_ready_o.req),
      .fw_ready_o(msix_ready_o.fw),
      .eq_i(wr_i.eqe), .eq_ready_o(eq_ready),
      .wr_o(mx), .wr_ready_i(writes_ready.eqe),
      .csr_i(mt), .csr_ready_o(mt_ready),
      .csr_rdata_o(mt_rdata),
      .idle_o(msix_idle), .events_o(events.host_if.msix)
  );

  flr_ctl u_flr (
      .clk_i, .rst_ni, .cfg_flr_i, .cfg_flr_done_o, .fn_reset_i(fn_reset), .fn_done_o(fn_done),
      .stop_o, .core_rst_no, .rd_done_i(rd_done), .wr_done_i(wr_done), .tx_quiet_i, .cut_o(tx_cut_o)
  );

  assign idle_o = tlp_idle && rd_idle && wr_idle && msix_idle && qc_idle && !stop_o;
endmodule
