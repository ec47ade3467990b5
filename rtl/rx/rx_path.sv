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
    parameter int unsigned GROUPS     = 16,   // of multicast; 0: left out
    parameter int unsigned QPS_LOG2   = 12,
    parameter int unsigned CELLS      = (DATA_W >= 512) ? 1024 : 256,
    parameter int unsigned META_DEPTH = (DATA_W >= 512) ? 256 : 64,
    parameter int unsigned META_RSPS  = (DATA_W >= 512) ? 256 : 192,
    parameter int unsigned FOR_RSP    = (CELLS >= 256) ? CELLS / 4 : 48,    // cells, see rx_buffer
    parameter int unsigned FOR_REQ    = (CELLS >= 256) ? CELLS / 4 : 34,
    parameter int unsigned RAW_BYTES  = 8192,    // ring of frames for firmware, see rx_raw
    parameter bit          ATOMIC     = 1'b1,    // 0: there are none, below 128 bits their fields are zero
    localparam int unsigned FREE_W    = $clog2(CELLS) + 1
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic [47:0]                   mac_addr_i,
    // GID table write port, see rx_gid_table; 128 and up: members of multicast groups, see rx_mcast, QPN in the first
    // three bytes of gid_addr, low byte first
    input  cairn_int_pkg::gid_write_t     gid_i,
    // rx_qp_table's write port
    input  cairn_int_pkg::rx_qp_write_t   rxq_i,
    output logic                          rxq_ready_o,
    // from the MAC
    input  cairn_int_pkg::beat_t          mac_rx_i,
    input  logic [DATA_W-1:0]             mac_rx_data_i,
    input  logic                          mac_rx_loop_i,  // of a looped frame (rx_merge); is only counted
    // packets, payload, packets dropped unread: see rx_buffer
    output logic                          rx_valid_o,
    input  logic                          rx_ready_i,
    output cairn_int_pkg::rx_meta_t       rx_o,
    input  cairn_int_pkg::pool_cmd_t      pool_cmd_i,
    output logic                          pool_cmd_ready_o,
    output cairn_int_pkg::beat_t          pool_data_o,
    input  logic                          pool_data_ready_i,
    output logic [DATA_W-1:0]             pool_data_data_o,
    input  cairn_int_pkg::rx_free_t       free_i,
    output logic                          free_ready_o,
    output logic [FREE_W-1:0]             free_cells_o,
    // firmware's region MMIO_RAW, and raw frames to the transmit side: see rx_raw
    input  cairn_int_pkg::mmio_access_t   mmio_i,
    output cairn_int_pkg::mmio_answer_t   mmio_o,
    output logic                          irq_raw_o,
    output cairn_int_pkg::raw_frame_t     raw_o,
    input  logic                          raw_ready_i,
    input  cairn_int_pkg::raw_read_t      raw_rd_i,
    output logic [DATA_W-1:0]             raw_rd_data_o,
    // state and counters
    output logic                          idle_o,
    output cairn_hw_pkg::rx_path_events_t events_o
);
  cairn_int_pkg::rx_frame_t            frame;
  logic                                icrc_ok;
  logic [DATA_W-1:0]                   frame_data;
  logic                                of_qp_q;
  logic [23:0]                         ask_qpn;
  cairn_int_pkg::rx_qp_t               ask_qp;
  logic roce, refused, parser_idle, buffer_idle, raw_idle;

  cairn_int_pkg::rx_meta_t             meta;
  cairn_int_pkg::rx_ref_t              shared;
  logic meta_valid, meta_ready, shared_ready, mcast_idle;

  rx_icrc #(.DATA_W(DATA_W)) u_icrc (
      .clk_i, .rst_ni, .mac_i(mac_rx_i), .mac_data_i(mac_rx_data_i),
      .ok_o(icrc_ok));

  rx_parser #(.DATA_W(DATA_W), .GIDS(GIDS), .GROUPS(GROUPS)) u_parser (
      .clk_i, .rst_ni, .mac_addr_i,
      .gid_i,
      .mac_rx_i, .mac_rx_data_i, .mac_rx_loop_i,
      .icrc_ok_i(icrc_ok), .ask_qpn_o(ask_qpn), .ask_qp_i(ask_qp),
      .frame_o(frame), .frame_data_o(frame_data),
      .refused_o(refused), .events_o(events_o.rx_parser),
      .idle_o(parser_idle));

  rx_qp_table #(.QPS_LOG2(QPS_LOG2)) u_qps (
      .clk_i, .rst_ni, .write_i(rxq_i), .ask_qpn_i(ask_qpn),
      .entry_o(ask_qp),
      .ready_o(rxq_ready_o));

  rx_buffer #(.DATA_W(DATA_W), .CELLS(CELLS), .META_DEPTH(META_DEPTH), .META_RSPS(META_RSPS),
              .FOR_RSP(FOR_RSP), .FOR_REQ(FOR_REQ), .ATOMIC(ATOMIC)) u_buffer (
      .clk_i, .rst_ni,
      .frame_i(frame), .frame_data_i(frame_data),
      .rx_valid_o(meta_valid), .rx_ready_i(meta_ready), .rx_o(meta),
      .ref_i(shared), .ref_ready_o(shared_ready),
      .pool_cmd_i, .pool_cmd_ready_o,
      .pool_data_o, .pool_data_ready_i, .pool_data_data_o,
      .free_i, .free_ready_o, .free_cells_o,
      .taken_o(roce), .events_o(events_o.rx_buffer), .idle_o(buffer_idle));

  if (GROUPS > 0) begin : g_mcast
    localparam int unsigned MW = $clog2(GROUPS * cairn_hw_pkg::MCAST_MEMBERS);
    rx_mcast #(.GROUPS(GROUPS), .MEMBERS(cairn_hw_pkg::MCAST_MEMBERS)) u_mcast (
        .clk_i, .rst_ni, .mb_we_i(gid_i.we && gid_i.index[7]), .mb_index_i(gid_i.index[MW-1:0]),
        .mb_valid_i(gid_i.valid),
        .mb_qpn_i({gid_i.addr[111:104], gid_i.addr[119:112], gid_i.addr[127:120]}),
        .in_valid_i(meta_valid), .in_ready_o(meta_ready), .in_i(meta),
        .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i), .out_o(rx_o),
        .ref_o(shared), .ref_ready_i(shared_ready),
        .idle_o(mcast_idle));
  end else begin : g_no_mcast
    // There are no groups: qp_lookup drops and counts what came for one.
    assign rx_valid_o = meta_valid;
    assign meta_ready = rx_ready_i;
    assign rx_o       = meta;
    assign shared     = '0;
    assign mcast_idle = 1'b1;
    logic unused;
    assign unused = shared_ready;
  end

  cairn_int_pkg::raw_await_t           awaited;
  logic                                answer;
  logic [$clog2(cairn_hw_pkg::RAW_ANSWERS)-1:0] answer_index;

  rx_answer #(.DATA_W(DATA_W)) u_answer (
      .clk_i, .rst_ni, .mac_i(mac_rx_i), .mac_data_i(mac_rx_data_i),
      .await_i(awaited), .hit_o(answer), .index_o(answer_index));

  rx_raw #(.DATA_W(DATA_W), .RING_BYTES(RAW_BYTES)) u_raw (
      .clk_i, .rst_ni,
      .frame_i(frame), .frame_data_i(frame_data),
      .frame_answer_i(answer), .frame_answer_index_i(answer_index),
      .await_o(awaited), .events_o(events_o.rx_raw),
      .mmio_i,
      .mmio_o,
      .irq_o(irq_raw_o),
      .tx_o(raw_o), .tx_ready_i(raw_ready_i), .tx_rd_i(raw_rd_i), .tx_rd_data_o(raw_rd_data_o), .idle_o(raw_idle));

  assign events_o.rx_roce_packets = roce || of_qp_q;

  // One cycle later, as rx_buffer counts: so two frames never count in one cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) of_qp_q <= 1'b0;
    else of_qp_q <= refused;
  end
  assign idle_o = parser_idle && buffer_idle && raw_idle && mcast_idle && !of_qp_q && rxq_ready_o && !rxq_i.valid;
endmodule
