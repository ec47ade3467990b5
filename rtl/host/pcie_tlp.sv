// SPDX-License-Identifier: Apache-2.0
// The host boundary: TLP streams on one side; doorbells, register accesses, DMA requests and completions on the other.
//
// It holds no DMA state (dma_read and dma_write make the requests). A vendor shim or the simulator's root complex is on
// the far side. Wiring only: tlp_rx (sorts), bar_access and bar_cpl (BAR0), tlp_tx (classes, credits).
// Order: BAR writes and completions are always taken, whatever the transmit side does.
module pcie_tlp #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // link (ports of the device)
    input  logic                               tlp_rx_valid_i,
    output logic                               tlp_rx_ready_o,
    input  logic                               tlp_rx_sop_i,
    input  logic                               tlp_rx_last_i,
    input  logic [127:0]                       tlp_rx_hdr_i,
    input  logic [2:0]                         tlp_rx_bar_i,
    input  logic [DATA_W-1:0]                  tlp_rx_data_i,
    output logic                               tlp_tx_valid_o,
    input  logic                               tlp_tx_ready_i,
    output logic                               tlp_tx_sop_o,
    output logic                               tlp_tx_last_o,
    output logic [127:0]                       tlp_tx_hdr_o,
    output logic [DATA_W-1:0]                  tlp_tx_data_o,
    input  logic [2:0]                         tlp_credit_i,
    input  logic                               cfg_bme_i,
    input  logic [15:0]                        cfg_reqid_i,
    input  logic                               flr_i,        // start no posted write and no read
    // dma_write
    input  logic                               mwr_valid_i,
    output logic                               mwr_ready_o,
    output logic                               mwr_drop_o,
    input  logic                               mwr_sop_i,
    input  logic                               mwr_last_i,
    input  logic [127:0]                       mwr_hdr_i,
    input  logic [DATA_W-1:0]                  mwr_data_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    // dma_read
    input  logic                               mrd_valid_i,
    output logic                               mrd_ready_o,
    output logic                               mrd_drop_o,
    input  logic [127:0]                       mrd_hdr_i,
    output logic                               cpl_valid_o,
    input  logic                               cpl_ready_i,
    output logic                               cpl_sop_o,
    output logic                               cpl_last_o,
    output logic [cairn_hw_pkg::TLP_CPL_W-1:0] cpl_hdr_o,
    output logic [DATA_W-1:0]                  cpl_data_o,
    // doorbells: tlp_rx
    output cairn_int_pkg::doorbell_t           db_o,
    // registers: bar_access
    output logic                               csr_valid_o,
    input  logic                               csr_ready_i,
    output logic                               csr_we_o,
    output logic [15:0]                        csr_addr_o,
    output logic [7:0]                         csr_be_o,
    output logic [63:0]                        csr_wdata_o,
    input  logic [63:0]                        csr_rdata_i,
    output logic                               idle_o,
    output cairn_hw_pkg::tlp_rx_events_t       events_o
);
  logic         op_valid, op_ready, rx_idle, access_idle, cpl_idle;
  logic [127:0] c_hdr;
  cairn_int_pkg::bar_op_t     op;
  cairn_int_pkg::bar_answer_t ans;
  logic         ans_valid, ans_ready, c_valid, c_ready, c_sop, c_last;
  logic [DATA_W-1:0] c_data;

  tlp_rx #(.DATA_W(DATA_W)) u_rx (
      .clk_i, .rst_ni, .rx_valid_i(tlp_rx_valid_i), .rx_ready_o(tlp_rx_ready_o), .rx_sop_i(tlp_rx_sop_i),
      .rx_last_i(tlp_rx_last_i), .rx_hdr_i(tlp_rx_hdr_i), .rx_bar_i(tlp_rx_bar_i),
      .rx_data_i(tlp_rx_data_i),
      .cpl_valid_o, .cpl_ready_i, .cpl_sop_o, .cpl_last_o, .cpl_hdr_o, .cpl_data_o,
      .db_o,
      .op_valid_o(op_valid), .op_ready_i(op_ready), .op_o(op), .idle_o(rx_idle), .events_o);

  bar_access u_access (
      .clk_i, .rst_ni, .op_valid_i(op_valid), .op_ready_o(op_ready), .op_i(op),
      .csr_valid_o, .csr_ready_i, .csr_we_o, .csr_addr_o, .csr_be_o, .csr_wdata_o, .csr_rdata_i,
      .last_ticket_i, .ans_valid_o(ans_valid), .ans_ready_i(ans_ready), .ans_o(ans), .idle_o(access_idle));

  bar_cpl #(.DATA_W(DATA_W)) u_cpl (
      .clk_i, .rst_ni, .cplid_i(cfg_reqid_i), .sent_ticket_i,
      .ans_valid_i(ans_valid), .ans_ready_o(ans_ready), .ans_i(ans),
      .c_valid_o(c_valid), .c_ready_i(c_ready), .c_sop_o(c_sop), .c_last_o(c_last), .c_hdr_o(c_hdr),
      .c_data_o(c_data), .idle_o(cpl_idle));

  tlp_tx #(.DATA_W(DATA_W)) u_tx (
      .clk_i, .rst_ni, .bme_i(cfg_bme_i), .flr_i, .credit_i(tlp_credit_i),
      .p_valid_i(mwr_valid_i), .p_ready_o(mwr_ready_o), .p_drop_o(mwr_drop_o), .p_sop_i(mwr_sop_i),
      .p_last_i(mwr_last_i), .p_hdr_i(mwr_hdr_i), .p_data_i(mwr_data_i),
      .n_valid_i(mrd_valid_i), .n_ready_o(mrd_ready_o), .n_drop_o(mrd_drop_o), .n_hdr_i(mrd_hdr_i),
      .c_valid_i(c_valid), .c_ready_o(c_ready), .c_sop_i(c_sop), .c_last_i(c_last), .c_hdr_i(c_hdr),
      .c_data_i(c_data),
      .tx_valid_o(tlp_tx_valid_o), .tx_ready_i(tlp_tx_ready_i), .tx_sop_o(tlp_tx_sop_o),
      .tx_last_o(tlp_tx_last_o), .tx_hdr_o(tlp_tx_hdr_o), .tx_data_o(tlp_tx_data_o));

  assign idle_o = rx_idle && access_idle && cpl_idle && !tlp_tx_valid_o && !tlp_rx_valid_i;
endmodule
