// SPDX-License-Identifier: Apache-2.0
// First stage of the receive side: takes every frame of the MAC and hands it on with what it turned out to be.
//
// No preamble, no FCS, one packet a beat if it must be, LATENCY cycles later, byte 0 in data[7:0] as it came. The last
// beat carries the verdict: RoCE with its rx_meta record, raw (for firmware), or nothing (dropped, counted here).
// rx_headers (64 bit: rx_fields) has the rules and their order; this module collects the header window, delays the data
// until the ICRC verdict of rx_icrc is there, and counts. No back-pressure in or out.
// Counts: each frame adds to RX_PACKETS and to exactly one of the drop counters here (RX_MAC_ERROR, RX_LENGTH_ERROR,
//   RX_IP_ERROR, RX_OPCODE_ERROR, RX_ICRC_ERROR, RX_NOT_OURS) or is passed on as RoCE or raw: rx_buffer and rx_raw
//   count those. What its QP does not take (RX_BAD_QPN to RX_BAD_QKEY, rules of rx_headers) ends here too, and was a
//   RoCE packet with a good ICRC: it adds to RX_ROCE_PACKETS as well.
module rx_parser #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned GIDS      = 16,
    parameter int unsigned GROUPS    = 16,
    parameter int unsigned MAX_FRAME = 4352,
    localparam int unsigned NB_W     = $clog2(DATA_W / 8) + 1,
    localparam int unsigned LATENCY  = 8
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [47:0]                     mac_addr_i,     // first wire byte in 47:40
    // GID table write port, see rx_gid_table
    input  cairn_int_pkg::gid_write_t       gid_i,
    // from the MAC
    input  cairn_int_pkg::beat_t            mac_rx_i,
    input  logic [DATA_W-1:0]               mac_rx_data_i,
    input  logic                            mac_rx_loop_i,  // the frame is one of ours
    // rx_icrc: verdict of the frame whose last beat came 7 cycles ago
    input  logic                            icrc_ok_i,
    // rx_qp_table, answer two cycles later
    output logic [23:0]                     ask_qpn_o,
    input  cairn_int_pkg::rx_qp_t           ask_qp_i,
    // frames; roce, raw and meta are valid with last
    output cairn_int_pkg::rx_frame_t        frame_o,
    output logic [DATA_W-1:0]               frame_data_o,
    output logic                            refused_o,      // strobe: a RoCE packet that its QP does not take
    output cairn_hw_pkg::rx_parser_events_t events_o,
    output logic                            idle_o          // no beat in here, and not inside a frame
);
  localparam int unsigned BYTES     = DATA_W / 8;
  localparam int unsigned LEN_BITS  = 14;
  localparam int unsigned WIN_BYTES = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES + cairn_pkt_pkg::IPV6_BYTES
                                      + cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES
                                      + cairn_pkt_pkg::ATOMICETH_BYTES;  // as rx_headers
  localparam int unsigned WIN_BEATS = (WIN_BYTES + BYTES - 1) / BYTES;
  localparam int unsigned BEAT_W    = $clog2(WIN_BEATS + 1);
  localparam int unsigned LINE      = LATENCY - 1;  // c1 to c7

  localparam logic [4:0] V_ROCE = 5'(cairn_hw_pkg::COUNTER_RX_ROCE_PACKETS);
  localparam logic [4:0] V_RAW  = 5'(cairn_hw_pkg::COUNTER_RX_RAW_PACKETS);
  localparam logic [4:0] V_ICRC = 5'(cairn_hw_pkg::COUNTER_RX_ICRC_ERROR);
  localparam logic [4:0] V_QPN  = 5'(cairn_hw_pkg::COUNTER_RX_BAD_QPN);  // this one and those after it: of the QP

  if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) begin : g_chk_data
    $error("rx_parser: DATA_W must be 64, 128, 256 or 512");
  end

  // The data waits meanwhile: a shift register without reset, c1 to c7.
  localparam int unsigned BEAT_BITS = DATA_W + NB_W + 2;

  logic [LINE-1:0]      valid_line_q;
  logic [BEAT_BITS-1:0] line_q [0:LINE-1];
  logic [BEAT_BITS-1:0] beat7;
  logic                 last7;
  logic [4:0]           verdict;
  logic                 of_qp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_line_q <= '0;
    else valid_line_q <= {valid_line_q[LINE-2:0], mac_rx_i.valid};
  end

  always_ff @(posedge clk_i) begin
    line_q[0] <= {mac_rx_i.last, mac_rx_loop_i, nbytes, mac_rx_data_i};
    for (int unsigned i = 1; i < LINE; i++) line_q[i] <= line_q[i-1];
  end

  assign beat7   = line_q[LINE-1];
  assign last7   = beat7[BEAT_BITS-1];
  // c1: header window (wire order within each byte lane kept, byte 0 lowest) and length so far, saturating
  logic                        start_q;
  logic [NB_W-1:0]             nbytes;
  logic [BEAT_W-1:0]           beat, beat_q;
  logic [LEN_BITS-1:0]         len1_q, len_before;
  logic [LEN_BITS:0]           len_sum;
  logic                        err1_q;

  assign nbytes     = mac_rx_i.last ? mac_rx_i.nbytes[NB_W-1:0] : NB_W'(BYTES);
  assign beat       = start_q ? '0 : (beat_q == BEAT_W'(WIN_BEATS)) ? beat_q : beat_q + 1'b1;
  assign len_before = start_q ? '0 : len1_q;
  assign len_sum    = {1'b0, len_before} + (LEN_BITS+1)'(nbytes);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) start_q <= 1'b1;
    else if (mac_rx_i.valid) start_q <= mac_rx_i.last;
  end

  always_ff @(posedge clk_i) begin
    if (mac_rx_i.valid) begin
      beat_q <= beat;
      len1_q <= len_sum[LEN_BITS] ? '1 : len_sum[LEN_BITS-1:0];
      err1_q <= mac_rx_i.last && mac_rx_i.err;
    end
  end

  // c7: verdict of the headers; c8: the record
  logic [4:0]                              verdict7;
  logic [LEN_BITS-1:0]                     len7;
  cairn_int_pkg::rx_meta_t                 meta;
  logic [cairn_pkt_pkg::ATOMICETH_W-1:0]   ext;
  logic [cairn_pkt_pkg::EXT_W-1:0]         has;

  if (DATA_W < 128) begin : g_headers
    rx_fields #(.GIDS(GIDS), .GROUPS(GROUPS), .MAX_FRAME(MAX_FRAME)) u_headers (
        .clk_i, .rst_ni, .mac_addr_i,
        .gid_i,
        .valid_i(valid_line_q[0]), .last_i(line_q[0][BEAT_BITS-1]), .beat_i(beat_q), .data_i(line_q[0][DATA_W-1:0]),
        .len_i(len1_q), .err_i(err1_q), .ask_qpn_o, .ask_qp_i,
        .verdict_o(verdict7), .len_o(len7), .meta_o(meta), .ext_o(ext), .has_o(has));
  end else begin : g_headers
    logic [WIN_BEATS*DATA_W-1:0] win1_q;
    logic [8*WIN_BYTES-1:0]      win_wire;
    logic [cairn_int_pkg::RX_META_W-1:0] meta7, meta_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned b = 0; b < WIN_BEATS; b++) begin
        if (mac_rx_i.valid && beat == BEAT_W'(b)) win1_q[b*DATA_W +: DATA_W] <= mac_rx_data_i;
      end
    end
    for (genvar g = 0; g < WIN_BYTES; g++) begin : g_wire
      assign win_wire[8*(WIN_BYTES-1-g) +: 8] = win1_q[8*g +: 8];
    end
    if (WIN_BEATS * BYTES != WIN_BYTES) begin : g_spare
      logic unused;
      assign unused = ^win1_q[WIN_BEATS*DATA_W-1:8*WIN_BYTES];
    end
    rx_headers #(.GIDS(GIDS), .GROUPS(GROUPS), .MAX_FRAME(MAX_FRAME)) u_headers (
        .clk_i, .rst_ni, .mac_addr_i,
        .gid_i,
        .win_i(win_wire), .len_i(len1_q), .err_i(err1_q), .ask_qpn_o, .ask_qp_i,
        .verdict_o(verdict7), .len_o(len7), .meta_o(meta7));
    always_ff @(posedge clk_i) meta_q <= meta7;
    assign meta       = meta_q;
    assign {ext, has} = '0;
  end

  assign of_qp   = verdict7 >= V_QPN;
  assign verdict = ((verdict7 == V_ROCE || of_qp) && !icrc_ok_i) ? V_ICRC : verdict7;

  // c8: outputs
  logic valid_q, last_q, roce_q, raw_q, loop_q;
  logic [18:0] cnt_q;
  logic [NB_W-1:0]         nbytes_q;
  logic [LEN_BITS-1:0]     len_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      cnt_q   <= '0;
      loop_q  <= 1'b0;
    end else begin
      valid_q <= valid_line_q[LINE-1];
      cnt_q   <= '0;
      loop_q  <= valid_line_q[LINE-1] && last7 && beat7[DATA_W+NB_W];
      if (valid_line_q[LINE-1] && last7) begin
        cnt_q[cairn_hw_pkg::COUNTER_RX_PACKETS] <= 1'b1;
        if (verdict != V_ROCE && verdict != V_RAW) cnt_q[verdict] <= 1'b1;
        if (of_qp && icrc_ok_i) cnt_q[V_ROCE] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    last_q       <= last7;
    frame_data_o <= beat7[DATA_W-1:0];
    nbytes_q     <= beat7[DATA_W +: NB_W];
    roce_q       <= verdict == V_ROCE;
    raw_q        <= verdict == V_RAW;
    len_q        <= len7;
  end

  assign frame_o       = {valid_q, last_q, roce_q, raw_q, 7'(nbytes_q), len_q, meta, ext, has};
  assign idle_o        = start_q && valid_line_q == '0 && !valid_q;
  assign refused_o     = cnt_q[V_ROCE];

  logic [12:0] bytes;
  assign bytes                    = cnt_q[cairn_hw_pkg::COUNTER_RX_PACKETS] ? len_q[12:0] : '0;
  assign events_o.qpn             = meta.qpn;
  assign events_o.rx_packets      = cnt_q[cairn_hw_pkg::COUNTER_RX_PACKETS];
  assign events_o.rx_mac_error    = cnt_q[cairn_hw_pkg::COUNTER_RX_MAC_ERROR];
  assign events_o.rx_length_error = cnt_q[cairn_hw_pkg::COUNTER_RX_LENGTH_ERROR];
  assign events_o.rx_ip_error     = cnt_q[cairn_hw_pkg::COUNTER_RX_IP_ERROR];
  assign events_o.rx_opcode_error = cnt_q[cairn_hw_pkg::COUNTER_RX_OPCODE_ERROR];
  assign events_o.rx_icrc_error   = cnt_q[cairn_hw_pkg::COUNTER_RX_ICRC_ERROR];
  assign events_o.rx_not_ours     = cnt_q[cairn_hw_pkg::COUNTER_RX_NOT_OURS];
  assign events_o.rx_bad_qpn      = cnt_q[cairn_hw_pkg::COUNTER_RX_BAD_QPN];
  assign events_o.rx_qp_state     = cnt_q[cairn_hw_pkg::COUNTER_RX_QP_STATE];
  assign events_o.rx_bad_addr     = cnt_q[cairn_hw_pkg::COUNTER_RX_BAD_ADDR];
  assign events_o.rx_bad_pkey     = cnt_q[cairn_hw_pkg::COUNTER_RX_BAD_PKEY];
  assign events_o.rx_bad_qkey     = cnt_q[cairn_hw_pkg::COUNTER_RX_BAD_QKEY];
  assign events_o.rx_bytes        = bytes;
  assign events_o.rx_loop_packets = loop_q;
  assign events_o.rx_loop_bytes   = !loop_q ? '0 : bytes;
endmodule
