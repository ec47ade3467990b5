// SPDX-License-Identifier: Apache-2.0
// tx_path and rx_path of two devices on one wire: what the first sends, the second must understand.
module tx_rx_loop_tb #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned FREE_W     = (DATA_W >= 512) ? 11 : 9
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // sender: as tx_path
    input  logic                               stop_i,
    input  logic [47:0]                        mac_addr_i,
    input  cairn_int_pkg::gid_write_t          gid_i,
    input  cairn_int_pkg::tx_requests_t        requests_i,
    output cairn_int_pkg::tx_requests_ready_t  requests_ready_o,
    input  logic [DATA_W-1:0]                  requests_inl_data_i,
    input  cairn_int_pkg::tx_responses_t       responses_i,
    output cairn_int_pkg::tx_responses_ready_t responses_ready_o,
    input  logic                               cnp_valid_i,
    output logic                               cnp_ready_o,
    input  cairn_int_pkg::tx_job_t             cnp_i,
    input  cairn_int_pkg::raw_frame_t          raw_i,
    output logic                               raw_ready_o,
    output cairn_int_pkg::raw_read_t           raw_rd_o,
    input  logic [DATA_W-1:0]                  raw_rd_data_i,
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    input  cairn_int_pkg::tx_allow_t           allow_i,
    input  logic [1:0]                         drain_i,
    output logic [1:0]                         drained_o,
    output logic                               idle_o,
    output cairn_hw_pkg::tx_path_events_t      events_o,
    // receiver: as rx_path
    input  logic [47:0]                        peer_mac_i,
    input  cairn_int_pkg::gid_write_t          peer_gid_i,
    output logic                               rx_valid_o,
    input  logic                               rx_ready_i,
    output cairn_int_pkg::rx_meta_t            rx_o,
    input  cairn_int_pkg::pool_cmd_t           pool_cmd_i,
    output logic                               pool_cmd_ready_o,
    output cairn_int_pkg::beat_t               pool_data_o,
    input  logic                               pool_data_ready_i,
    output logic [DATA_W-1:0]                  pool_data_data_o,
    output logic [FREE_W-1:0]                  free_cells_o,
    output logic                               irq_raw_o,
    input  logic                               peer_qp_we_i,
    input  logic [23:0]                        peer_qp_qpn_i,
    input  logic [511:0]                       peer_qp_cfg_i,
    output cairn_hw_pkg::rx_path_events_t      rx_events_o,
    output logic                               rx_idle_o
);
  cairn_int_pkg::beat_t beat;
  logic [DATA_W-1:0]    data;

  tx_path #(.DATA_W(DATA_W)) u_tx (
      .clk_i, .rst_ni, .stop_i, .mac_addr_i, .gid_i, .loop_i(1'b1),
      .requests_i, .requests_ready_o, .requests_inl_data_i,
      .responses_i, .responses_ready_o, .responses_left_o(), .cnp_valid_i, .cnp_ready_o, .cnp_i,
      .raw_i, .raw_ready_o, .raw_rd_o, .raw_rd_data_i,
      .rd_o, .rd_ready_i,
      .beat_i, .beat_data_i,
      .allow_i,
      .drain_i, .drained_o, .reports_o(), .reports_ready_i('1),
      .mac_tx_o(beat), .mac_tx_ready_i(1'b1), .mac_tx_data_o(data),
      .mac_tx_way_o(), .pend_epoch_o(),
      .idle_o,
      .sending_o(), .events_o);

  cairn_int_pkg::rx_qp_t       peer_qp;
  cairn_int_pkg::rx_qp_write_t peer_write;
  rx_qp_entry u_peer_qp (.cfg_i(peer_qp_cfg_i), .entry_o(peer_qp));
  assign peer_write = {peer_qp_we_i, peer_qp_qpn_i, peer_qp};

  rx_path #(.DATA_W(DATA_W), .QPS_LOG2(10)) u_rx (
      .clk_i, .rst_ni, .mac_addr_i(peer_mac_i), .gid_i(peer_gid_i),
      .mac_rx_i(beat), .mac_rx_data_i(data), .mac_rx_loop_i(1'b0), .rxq_i(peer_write), .rxq_ready_o(),
      .rx_valid_o, .rx_ready_i, .rx_o,
      .pool_cmd_i, .pool_cmd_ready_o, .pool_data_o, .pool_data_ready_i, .pool_data_data_o,
      .free_i('0), .free_ready_o(), .free_cells_o,
      .mmio_i('0), .mmio_o(), .irq_raw_o,
      .raw_o(), .raw_ready_i(1'b0), .raw_rd_i('0), .raw_rd_data_o(),
      .idle_o(rx_idle_o),
      .events_o(rx_events_o));
endmodule
