// SPDX-License-Identifier: Apache-2.0
// tx_path and rx_path of two devices on one wire: what the first sends, the second must understand.
module tx_rx_loop_tb #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned BYTES = DATA_W / 8,
    localparam int unsigned NB_W  = $clog2(BYTES) + 1,
    localparam int unsigned JOB_W = cairn_int_pkg::TX_JOB_W,
    localparam int unsigned SEG_W = cairn_int_pkg::TX_SEG_W,
    localparam int unsigned RAW_LEN_W  = cairn_hw_pkg::REG_RAW_TX_LEN_W,
    localparam int unsigned RAW_ADDR_W = $clog2(cairn_hw_pkg::RAW_FRAME_BYTES / BYTES),
    localparam int unsigned FREE_W     = (DATA_W >= 512) ? 11 : 8
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    // sender: as tx_path
    input  logic                                stop_i,
    input  logic [47:0]                         mac_addr_i,
    input  cairn_int_pkg::gid_write_t           gid_i,
    input  logic                                req_job_valid_i,
    output logic                                req_job_ready_o,
    input  logic [JOB_W-1:0]                    req_job_meta_i,
    input  logic                                req_seg_valid_i,
    output logic                                req_seg_ready_o,
    input  logic [SEG_W-1:0]                    req_seg_meta_i,
    input  logic                                inline_valid_i,
    output logic                                inline_ready_o,
    input  logic [DATA_W-1:0]                   inline_data_i,
    input  logic [NB_W-1:0]                     inline_nbytes_i,
    input  logic                                inline_last_i,
    input  logic                                rsp_job_valid_i,
    output logic                                rsp_job_ready_o,
    input  logic [JOB_W-1:0]                    rsp_job_meta_i,
    input  logic                                rsp_seg_valid_i,
    output logic                                rsp_seg_ready_o,
    input  logic [SEG_W-1:0]                    rsp_seg_meta_i,
    input  logic                                ack_valid_i,
    output logic                                ack_ready_o,
    input  logic [JOB_W-1:0]                    ack_meta_i,
    input  logic                                cnp_valid_i,
    output logic                                cnp_ready_o,
    input  logic [JOB_W-1:0]                    cnp_meta_i,
    input  logic                                raw_valid_i,
    output logic                                raw_ready_o,
    input  logic [RAW_LEN_W-1:0]                raw_len_i,
    output logic                                raw_done_o,
    output logic                                raw_rd_o,
    output logic [RAW_ADDR_W-1:0]               raw_rd_addr_o,
    input  logic [DATA_W-1:0]                   raw_rd_data_i,
    output cairn_int_pkg::dma_read_t            rd_o,
    input  logic                                rd_ready_i,
    input  cairn_int_pkg::dma_beat_t            beat_i,
    input  logic [DATA_W-1:0]                   beat_data_i,
    input  logic                                ep_valid_i,
    input  logic [23:0]                         ep_qpn_i,
    input  logic [16:0]                         ep_i,
    input  logic [1:0]                          drain_i,
    output logic [1:0]                          drained_o,
    output logic                                idle_o,
    output cairn_hw_pkg::tx_path_events_t       events_o,
    // receiver: as rx_path
    input  logic [47:0]                         peer_mac_i,
    input  cairn_int_pkg::gid_write_t           peer_gid_i,
    output logic                                rx_valid_o,
    input  logic                                rx_ready_i,
    output logic [cairn_int_pkg::RX_META_W-1:0] rx_meta_o,
    input  logic                                pool_cmd_valid_i,
    output logic                                pool_cmd_ready_o,
    input  logic [cairn_int_pkg::CELL_W-1:0]    pool_cmd_cell_head_i,
    input  logic [7:0]                          pool_cmd_off_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]     pool_cmd_len_i,
    input  logic                                pool_cmd_first_i,
    input  logic                                pool_cmd_free_i,
    output logic                                pool_data_valid_o,
    input  logic                                pool_data_ready_i,
    output logic [DATA_W-1:0]                   pool_data_data_o,
    output logic [NB_W-1:0]                     pool_data_nbytes_o,
    output logic                                pool_data_last_o,
    output logic [FREE_W-1:0]                   free_cells_o,
    output logic                                irq_raw_o,
    input  logic                                peer_qp_we_i,
    input  logic [23:0]                         peer_qp_qpn_i,
    input  logic [511:0]                        peer_qp_cfg_i,
    output cairn_hw_pkg::rx_path_events_t       rx_events_o,
    output logic                                rx_idle_o
);
  logic                 valid, last, err;
  logic [DATA_W-1:0]    data;
  logic [NB_W-1:0]      nbytes;
  logic [1:0]           unused_pend, unused_way;
  logic                 unused_sending, unused_left, unused_raw_valid, unused_mmio_ready;
  logic                 unused_err0, unused_err1, unused_free_ready, unused_sent, unused_sent_end;
  logic [23:0]          unused_q0, unused_p0, unused_q1, unused_p1, unused_q2, unused_p2;
  logic [11:0]          unused_s0;
  logic [7:0]           unused_g0, unused_e0, unused_g1, unused_g2;
  logic [RAW_LEN_W-1:0] unused_raw_len;
  logic [DATA_W-1:0]    unused_raw_data;
  logic [31:0]          unused_rdata;

  tx_path #(.DATA_W(DATA_W)) u_tx (
      .clk_i, .rst_ni, .stop_i, .mac_addr_i, .gid_i, .loop_i(1'b1),
      .req_job_valid_i, .req_job_ready_o, .req_job_meta_i, .req_seg_valid_i, .req_seg_ready_o, .req_seg_meta_i,
      .inline_valid_i, .inline_ready_o, .inline_data_i, .inline_nbytes_i, .inline_last_i,
      .rsp_job_valid_i, .rsp_job_ready_o, .rsp_job_meta_i, .rsp_seg_valid_i, .rsp_seg_ready_o, .rsp_seg_meta_i,
      .ack_valid_i, .ack_ready_o, .ack_meta_i, .cnp_valid_i, .cnp_ready_o, .cnp_meta_i,
      .raw_valid_i, .raw_ready_o, .raw_len_i, .raw_done_o, .raw_rd_o, .raw_rd_addr_o, .raw_rd_data_i,
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .ep_valid_i, .ep_qpn_i, .ep_i, .drain_i, .drained_o,
      .req_err_valid_o(unused_err0), .req_err_ready_i(1'b1), .req_err_qpn_o(unused_q0), .req_err_slot_o(unused_s0),
      .req_err_gen_o(unused_g0), .req_err_send_epoch_o(unused_e0), .req_err_psn_o(unused_p0),
      .rsp_err_valid_o(unused_err1), .rsp_err_ready_i(1'b1), .rsp_err_qpn_o(unused_q1),
      .rsp_err_gen_o(unused_g1), .rsp_err_psn_o(unused_p1),
      .sent_valid_o(unused_sent), .sent_ready_i(1'b1), .sent_qpn_o(unused_q2), .sent_gen_o(unused_g2),
      .sent_psn_o(unused_p2), .sent_end_o(unused_sent_end),
      .mac_tx_valid_o(valid), .mac_tx_ready_i(1'b1), .mac_tx_last_o(last), .mac_tx_err_o(err), .mac_tx_data_o(data),
      .mac_tx_nbytes_o(nbytes), .mac_tx_way_o(unused_way), .pend_epoch_o(unused_pend), .idle_o,
      .sending_o(unused_sending), .rsp_left_o(unused_left), .events_o);

  logic [cairn_int_pkg::RX_QP_W-1:0] peer_qp;
  logic                 unused_qp_ready;
  rx_qp_entry u_peer_qp (.cfg_i(peer_qp_cfg_i), .entry_o(peer_qp));

  rx_path #(.DATA_W(DATA_W), .QPS_LOG2(10)) u_rx (
      .clk_i, .rst_ni, .mac_addr_i(peer_mac_i),
      .gid_i(peer_gid_i),
      .mac_rx_valid_i(valid), .mac_rx_last_i(last), .mac_rx_err_i(err), .mac_rx_data_i(data),
      .mac_rx_nbytes_i(nbytes), .mac_rx_loop_i(1'b0), .qp_we_i(peer_qp_we_i), .qp_qpn_i(peer_qp_qpn_i),
      .qp_entry_i(peer_qp), .qp_ready_o(unused_qp_ready),
      .rx_valid_o, .rx_ready_i, .rx_meta_o,
      .pool_cmd_valid_i, .pool_cmd_ready_o, .pool_cmd_cell_head_i, .pool_cmd_off_i, .pool_cmd_len_i,
      .pool_cmd_first_i, .pool_cmd_free_i,
      .pool_data_valid_o, .pool_data_ready_i, .pool_data_data_o, .pool_data_nbytes_o, .pool_data_last_o,
      .free_valid_i(1'b0), .free_ready_o(unused_free_ready), .free_cell_head_i('0), .free_cells_o,
      .mmio_valid_i(1'b0), .mmio_ready_o(unused_mmio_ready), .mmio_we_i(1'b0), .mmio_addr_i('0),
      .mmio_wdata_i('0), .mmio_rdata_o(unused_rdata), .irq_raw_o,
      .raw_valid_o(unused_raw_valid), .raw_ready_i(1'b0), .raw_len_o(unused_raw_len), .raw_done_i(1'b0),
      .raw_rd_i(1'b0), .raw_rd_addr_i('0), .raw_rd_data_o(unused_raw_data),
      .idle_o(rx_idle_o), .events_o(rx_events_o));
endmodule
