// SPDX-License-Identifier: Apache-2.0
// The receive front end: frames in, packets with their headers out. Wiring only (docs/rtl/rx.md).
//
//   MAC -+-> rx_parser -+-> rx_buffer -> records (rx_meta, by way of rx_mcast) and payload, to qp_lookup and dma_write
//        +-> rx_icrc ---^     +-> rx_raw  -> firmware
//        +-> rx_answer ---------------^                      (which raw frames firmware waits for)
//
// Counts: nothing here stops the wire. Every frame adds to RX_PACKETS and to exactly one of RX_ROCE_PACKETS,
//   RX_RAW_PACKETS and the drop counters; a RoCE packet that its QP does not take (rx_qp_table) also to the one that
//   says why.
module rx_path #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned GIDS       = 16,
    parameter int unsigned QPS_LOG2   = 12,
    parameter int unsigned CELLS      = (DATA_W >= 512) ? 1024 : 128,
    parameter int unsigned META_DEPTH = (DATA_W >= 512) ? 128 : 64,
    localparam int unsigned NB_W      = $clog2(DATA_W / 8) + 1,
    localparam int unsigned CELL_W    = cairn_int_pkg::CELL_W,
    localparam int unsigned FREE_W    = $clog2(CELLS) + 1,
    localparam int unsigned RAW_LEN_W = cairn_hw_pkg::REG_RAW_TX_LEN_W,
    localparam int unsigned RAW_ADDR_W = $clog2(cairn_hw_pkg::RAW_FRAME_BYTES / (DATA_W / 8))
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic [47:0]                         mac_addr_i,
    // GID table write port, see rx_gid_table; 128 and up: members of multicast groups, see rx_mcast, QPN in the first
    // three bytes of gid_addr, low byte first
    input  cairn_int_pkg::gid_write_t           gid_i,
    // rx_qp_table's write port
    input  logic                                qp_we_i,
    input  logic [23:0]                         qp_qpn_i,
    input  logic [cairn_int_pkg::RX_QP_W-1:0]   qp_entry_i,
    output logic                                qp_ready_o,
    // from the MAC
    input  logic                                mac_rx_valid_i,
    input  logic                                mac_rx_last_i,
    input  logic                                mac_rx_err_i,
    input  logic [DATA_W-1:0]                   mac_rx_data_i,
    input  logic [NB_W-1:0]                     mac_rx_nbytes_i,
    input  logic                                mac_rx_loop_i,  // of a looped frame (rx_merge); is only counted
    // packets, payload, packets dropped unread: see rx_buffer
    output logic                                rx_valid_o,
    input  logic                                rx_ready_i,
    output logic [cairn_int_pkg::RX_META_W-1:0] rx_meta_o,
    input  logic                                pool_cmd_valid_i,
    output logic                                pool_cmd_ready_o,
    input  logic [CELL_W-1:0]                   pool_cmd_cell_head_i,
    input  logic [7:0]                          pool_cmd_off_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]     pool_cmd_len_i,
    input  logic                                pool_cmd_first_i,
    input  logic                                pool_cmd_free_i,
    output logic                                pool_data_valid_o,
    input  logic                                pool_data_ready_i,
    output logic [DATA_W-1:0]                   pool_data_data_o,
    output logic [NB_W-1:0]                     pool_data_nbytes_o,
    output logic                                pool_data_last_o,
    input  logic                                free_valid_i,
    output logic                                free_ready_o,
    input  logic [CELL_W-1:0]                   free_cell_head_i,
    output logic [FREE_W-1:0]                   free_cells_o,
    // firmware's region MMIO_RAW, and raw frames to the transmit side: see rx_raw
    input  cairn_int_pkg::mmio_access_t         mmio_i,
    output cairn_int_pkg::mmio_answer_t         mmio_o,
    output logic                                irq_raw_o,
    output logic                                raw_valid_o,
    input  logic                                raw_ready_i,
    output logic [RAW_LEN_W-1:0]                raw_len_o,
    input  logic                                raw_done_i,
    input  logic                                raw_rd_i,
    input  logic [RAW_ADDR_W-1:0]               raw_rd_addr_i,
    output logic [DATA_W-1:0]                   raw_rd_data_o,
    // state and counters
    output logic                                idle_o,
    output cairn_hw_pkg::rx_path_events_t       events_o
);
  logic                                icrc_ok, frame_valid, frame_last, frame_roce, frame_raw;
  logic [DATA_W-1:0]                   frame_data;
  logic [13:0]                         frame_len;
  logic [cairn_int_pkg::RX_META_W-1:0] frame_meta;
  logic                                of_qp_q;
  logic [23:0]                         ask_qpn;
  logic [cairn_int_pkg::RX_QP_W-1:0]   ask_qp;
  logic                                roce, refused, parser_idle, buffer_idle, raw_idle;

  logic                                meta_valid, meta_ready, ref_valid, ref_ready, mcast_idle;
  logic [cairn_int_pkg::RX_META_W-1:0] meta;
  logic [CELL_W-1:0]                   ref_cell;
  logic [3:0]                          ref_count;

  rx_icrc #(.DATA_W(DATA_W)) u_icrc (
      .clk_i, .rst_ni, .mac_valid_i(mac_rx_valid_i), .mac_last_i(mac_rx_last_i), .mac_data_i(mac_rx_data_i),
      .ok_o(icrc_ok));

  rx_parser #(.DATA_W(DATA_W), .GIDS(GIDS)) u_parser (
      .clk_i, .rst_ni, .mac_addr_i,
      .gid_i,
      .mac_rx_valid_i, .mac_rx_last_i, .mac_rx_err_i, .mac_rx_data_i, .mac_rx_nbytes_i, .mac_rx_loop_i,
      .icrc_ok_i(icrc_ok), .ask_qpn_o(ask_qpn), .ask_qp_i(ask_qp),
      .frame_valid_o(frame_valid), .frame_last_o(frame_last),
      .frame_data_o(frame_data), .frame_nbytes_o(), .frame_roce_o(frame_roce), .frame_raw_o(frame_raw),
      .frame_len_o(frame_len), .frame_meta_o(frame_meta),
      .refused_o(refused), .events_o(events_o.rx_parser), .idle_o(parser_idle));

  rx_qp_table #(.QPS_LOG2(QPS_LOG2)) u_qps (
      .clk_i, .rst_ni, .we_i(qp_we_i), .qpn_i(qp_qpn_i), .entry_i(qp_entry_i), .ask_qpn_i(ask_qpn), .entry_o(ask_qp),
      .ready_o(qp_ready_o));

  rx_buffer #(.DATA_W(DATA_W), .CELLS(CELLS), .META_DEPTH(META_DEPTH)) u_buffer (
      .clk_i, .rst_ni,
      .frame_valid_i(frame_valid), .frame_last_i(frame_last),
      .frame_data_i(frame_data), .frame_roce_i(frame_roce), .frame_meta_i(frame_meta),
      .rx_valid_o(meta_valid), .rx_ready_i(meta_ready), .rx_meta_o(meta),
      .ref_valid_i(ref_valid), .ref_ready_o(ref_ready), .ref_cell_i(ref_cell), .ref_count_i(ref_count),
      .pool_cmd_valid_i, .pool_cmd_ready_o, .pool_cmd_cell_head_i, .pool_cmd_off_i, .pool_cmd_len_i,
      .pool_cmd_first_i, .pool_cmd_free_i,
      .pool_data_valid_o, .pool_data_ready_i, .pool_data_data_o, .pool_data_nbytes_o, .pool_data_last_o,
      .free_valid_i, .free_ready_o, .free_cell_head_i, .free_cells_o,
      .taken_o(roce), .events_o(events_o.rx_buffer), .idle_o(buffer_idle));

  rx_mcast u_mcast (
      .clk_i, .rst_ni, .mb_we_i(gid_i.we && gid_i.index[7]), .mb_index_i(gid_i.index[6:0]), .mb_valid_i(gid_i.valid),
      .mb_qpn_i({gid_i.addr[111:104], gid_i.addr[119:112], gid_i.addr[127:120]}),
      .in_valid_i(meta_valid), .in_ready_o(meta_ready), .in_meta_i(meta),
      .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i), .out_meta_o(rx_meta_o),
      .ref_valid_o(ref_valid), .ref_ready_i(ref_ready), .ref_cell_o(ref_cell), .ref_count_o(ref_count),
      .idle_o(mcast_idle));

  logic                                answer, await_we, await_ipv6;
  logic [$clog2(cairn_hw_pkg::RAW_ANSWERS)-1:0] answer_index, await_index;
  logic [11:0]                         await_vid;
  logic [31:0]                         await_key;

  rx_answer #(.DATA_W(DATA_W)) u_answer (
      .clk_i, .rst_ni, .mac_valid_i(mac_rx_valid_i), .mac_last_i(mac_rx_last_i), .mac_data_i(mac_rx_data_i),
      .mac_nbytes_i(mac_rx_nbytes_i), .await_we_i(await_we), .await_index_i(await_index), .await_ipv6_i(await_ipv6),
      .await_vid_i(await_vid), .await_key_i(await_key), .hit_o(answer), .index_o(answer_index));

  rx_raw #(.DATA_W(DATA_W)) u_raw (
      .clk_i, .rst_ni,
      .frame_valid_i(frame_valid), .frame_last_i(frame_last),
      .frame_data_i(frame_data), .frame_raw_i(frame_raw), .frame_len_i(frame_len),
      .frame_answer_i(answer), .frame_answer_index_i(answer_index), .await_we_o(await_we), .await_index_o(await_index),
      .await_ipv6_o(await_ipv6), .await_vid_o(await_vid), .await_key_o(await_key),
      .events_o(events_o.rx_raw),
      .mmio_i, .mmio_o, .irq_o(irq_raw_o),
      .tx_valid_o(raw_valid_o), .tx_ready_i(raw_ready_i), .tx_len_o(raw_len_o), .tx_done_i(raw_done_i),
      .tx_rd_i(raw_rd_i), .tx_rd_addr_i(raw_rd_addr_i), .tx_rd_data_o(raw_rd_data_o), .idle_o(raw_idle));

  assign events_o.rx_roce_packets = roce || of_qp_q;

  // One cycle later, as rx_buffer counts: so two frames never count in one cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) of_qp_q <= 1'b0;
    else of_qp_q <= refused;
  end
  assign idle_o = parser_idle && buffer_idle && raw_idle && mcast_idle && !of_qp_q && qp_ready_o && !qp_we_i;
endmodule
