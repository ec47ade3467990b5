// SPDX-License-Identifier: Apache-2.0
// rx_parser with the rx_icrc it works with; drop counters and the ICRC verdict as fields of the frame
// stream.
module rx_parser_tb #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned NB_W  = $clog2(DATA_W / 8) + 1
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [47:0]                         mac_addr_i,
    input  logic                                gid_we_i,
    input  logic [7:0]                          gid_index_i,
    input  logic                                gid_valid_i,
    input  logic                                gid_ipv6_i,
    input  logic                                gid_vlan_i,
    input  logic [11:0]                         gid_vid_i,
    input  logic [127:0]                        gid_addr_i,
    input  logic                                mac_rx_valid_i,
    input  logic                                mac_rx_last_i,
    input  logic                                mac_rx_err_i,
    input  logic [DATA_W-1:0]                   mac_rx_data_i,
    input  logic [NB_W-1:0]                     mac_rx_nbytes_i,
    input  logic                                mac_rx_loop_i,
    output logic                                frame_valid_o,
    output logic                                frame_last_o,
    output logic [DATA_W-1:0]                   frame_data_o,
    output logic [NB_W-1:0]                     frame_nbytes_o,
    output logic                                frame_roce_o,
    output logic                                frame_raw_o,
    output logic [13:0]                         frame_len_o,
    output logic [15:0]                         frame_cnt_o,
    output logic                                frame_icrc_o,
    output logic [13:0]                         frame_bytes_o,
    output logic                                frame_loop_o,
    output logic [cairn_int_pkg::RX_META_W-1:0] frame_meta_o,
    output logic                                idle_o
);
  logic icrc_ok;

  always_ff @(posedge clk_i) frame_icrc_o <= icrc_ok;

  rx_icrc #(.DATA_W(DATA_W)) u_icrc (
      .clk_i, .rst_ni, .mac_valid_i(mac_rx_valid_i), .mac_last_i(mac_rx_last_i), .mac_data_i(mac_rx_data_i),
      .ok_o(icrc_ok));

  rx_parser #(.DATA_W(DATA_W)) u_parser (
      .clk_i, .rst_ni, .mac_addr_i,
      .gid_we_i, .gid_index_i, .gid_valid_i, .gid_ipv6_i, .gid_vlan_i, .gid_vid_i, .gid_addr_i,
      .mac_rx_valid_i, .mac_rx_last_i, .mac_rx_err_i, .mac_rx_data_i, .mac_rx_nbytes_i, .mac_rx_loop_i,
      .icrc_ok_i(icrc_ok),
      .frame_valid_o, .frame_last_o, .frame_data_o, .frame_nbytes_o, .frame_roce_o, .frame_raw_o, .frame_len_o,
      .frame_meta_o, .cnt_o(frame_cnt_o), .cnt_bytes_o(frame_bytes_o), .cnt_loop_o(frame_loop_o), .idle_o);
endmodule
