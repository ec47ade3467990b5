// SPDX-License-Identifier: Apache-2.0
// The host boundary: TLP streams on one side; doorbells, register accesses, DMA requests and completions on the other.
//
// It holds no DMA state (dma_read and dma_write make the requests). A vendor shim or the simulator's root complex is on
// the far side. Wiring only: tlp_rx (sorts), bar_access and bar_cpl (BAR0), tlp_tx (classes, credits).
// Order: BAR writes and completions are always taken, whatever the transmit side does.
module pcie_tlp #(
    parameter int unsigned DATA_W = 512,
    parameter bit          PUSH   = 1'b1    // the blocks of pushes are shown
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // link (ports of the device)
    input  cairn_int_pkg::tlp_in_t             tlp_rx_i,
    output logic                               tlp_rx_ready_o,
    input  logic [DATA_W-1:0]                  tlp_rx_data_i,
    output cairn_int_pkg::tlp_out_t            tlp_tx_o,
    input  logic                               tlp_tx_ready_i,
    output logic [DATA_W-1:0]                  tlp_tx_data_o,
    input  logic [2:0]                         tlp_credit_i,
    input  cairn_int_pkg::pcie_cfg_t           cfg_i,
    input  logic                               flr_i,  // start no posted write and no read
    // dma_write
    input  cairn_int_pkg::tlp_out_t            mwr_i,
    output logic                               mwr_ready_o,
    output logic                               mwr_drop_o,
    input  logic [DATA_W-1:0]                  mwr_data_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    // dma_read
    input  cairn_int_pkg::tlp_ask_t            mrd_i,
    output logic                               mrd_ready_o,
    output logic                               mrd_drop_o,
    output cairn_int_pkg::tlp_back_t           cpl_o,
    input  logic                               cpl_ready_i,
    output logic [DATA_W-1:0]                  cpl_data_o,
    // doorbells: tlp_rx
    output cairn_int_pkg::doorbell_t           db_o,
    // registers: bar_access
    output cairn_int_pkg::csr_access_t         csr_o,
    input  logic                               csr_ready_i,
    input  logic [63:0]                        csr_rdata_i,
    output logic                               idle_o,
    output cairn_hw_pkg::tlp_rx_events_t       events_o
);
  logic         op_valid, op_ready, rx_idle, access_idle, cpl_idle;
  cairn_int_pkg::bar_op_t     op;
  cairn_int_pkg::bar_answer_t ans;
  cairn_int_pkg::bar_dw_t     dw;
  logic         ans_valid, ans_ready, c_ready, word_last, word_ready;
  logic [DATA_W-1:0] c_data, word;

  cairn_int_pkg::tlp_out_t c;
  tlp_rx #(.DATA_W(DATA_W), .PUSH(PUSH)) u_rx (
      .clk_i, .rst_ni, .rx_i(tlp_rx_i), .rx_ready_o(tlp_rx_ready_o),
      .rx_data_i(tlp_rx_data_i),
      .cpl_o, .cpl_ready_i, .cpl_data_o,
      .db_o,
      .op_valid_o(op_valid), .op_ready_i(op_ready), .op_o(op), .word_last_o(word_last), .word_o(word),
      .word_ready_i(word_ready), .idle_o(rx_idle), .events_o);

  bar_access #(.DATA_W(DATA_W)) u_access (
      .clk_i, .rst_ni, .op_valid_i(op_valid), .op_ready_o(op_ready), .op_i(op),
      .word_last_i(word_last), .word_i(word), .word_ready_o(word_ready),
      .csr_o, .csr_ready_i, .csr_rdata_i,
      .last_ticket_i, .dw_o(dw), .ans_valid_o(ans_valid), .ans_ready_i(ans_ready), .ans_o(ans), .idle_o(access_idle));

  bar_cpl #(.DATA_W(DATA_W)) u_cpl (
      .clk_i, .rst_ni, .cplid_i(cfg_i.reqid), .sent_ticket_i, .dw_i(dw),
      .ans_valid_i(ans_valid), .ans_ready_o(ans_ready), .ans_i(ans),
      .c_o(c), .c_ready_i(c_ready),
      .c_data_o(c_data), .idle_o(cpl_idle));

  tlp_tx #(.DATA_W(DATA_W)) u_tx (
      .clk_i, .rst_ni, .bme_i(cfg_i.bme), .flr_i, .credit_i(tlp_credit_i),
      .p_i(mwr_i), .n_i(mrd_i), .c_i(c), .tx_o(tlp_tx_o), .p_ready_o(mwr_ready_o), .p_drop_o(mwr_drop_o),
      .p_data_i(mwr_data_i),
      .n_ready_o(mrd_ready_o), .n_drop_o(mrd_drop_o),
      .c_ready_o(c_ready),
      .c_data_i(c_data),
      .tx_ready_i(tlp_tx_ready_i),
      .tx_data_o(tlp_tx_data_o));

  assign idle_o = rx_idle && access_idle && cpl_idle && !tlp_tx_o.valid && !tlp_rx_i.valid;
endmodule
