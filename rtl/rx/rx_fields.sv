// SPDX-License-Identifier: Apache-2.0
// Headers of frames at 64 bit: the verdict and the rx_meta record of rx_headers, by its rules, in its order, with its
// timing, but each field is held once.
//
// The stream is cut anew twice: into words from the IP header on, then from the UDP header on; so a field lies in one
// place of one word and is caught as it passes. A RoCE frame has eight beats or more, so what was caught stands until
// its verdict is there, all but the first fields, which are kept when a frame of that length ends. A field is believed
// only if the frame's length says that it came. One word more than the frame has is looked at: of a frame that ends in
// the middle of it.
// Order: verdicts as frames come. Errors: none.
module rx_fields #(
    parameter int unsigned GIDS      = 16,
    parameter int unsigned GROUPS    = 16,
    parameter int unsigned MAX_FRAME = 4352,
    localparam int unsigned LEN_BITS = 14,
    localparam int unsigned EXT_BITS = cairn_pkt_pkg::ATOMICETH_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [47:0]                     mac_addr_i,
    // GID table write port, see rx_gid_ring
    input  cairn_int_pkg::gid_write_t       gid_i,
    // a beat, its number in the frame (14: or more), with the last one the frame's length and the MAC's verdict
    input  logic                            valid_i,
    input  logic                            last_i,
    input  logic [3:0]                      beat_i,
    input  logic [63:0]                     data_i,
    input  logic [LEN_BITS-1:0]             len_i,
    input  logic                            err_i,
    // rx_qp_table, answer two cycles later
    output logic [23:0]                     ask_qpn_o,
    input  cairn_int_pkg::rx_qp_t           ask_qp_i,
    // six cycles later
    output logic [4:0]                      verdict_o,  // cairn_hw_pkg::COUNTER_RX_*
    output logic [LEN_BITS-1:0]             len_o,
    // seven cycles later; and the extension headers as they came, and which there are
    output cairn_int_pkg::rx_meta_t         meta_o,     // cell_head, epoch, slot and gen are zero
    output logic [EXT_BITS-1:0]             ext_o,
    output logic [cairn_pkt_pkg::EXT_W-1:0] has_o
);
  localparam int unsigned L4_FIXED  = cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES + cairn_pkt_pkg::ICRC_BYTES;
  localparam int unsigned CNP_BYTES = 16;  // reserved zeros behind the BTH of a CNP
  localparam int unsigned ETH       = cairn_pkt_pkg::ETH_BYTES;
  localparam int unsigned ETH_TAG   = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES;

  localparam logic [3:0] V_ROCE   = 4'(cairn_hw_pkg::COUNTER_RX_ROCE_PACKETS);
  localparam logic [3:0] V_RAW    = 4'(cairn_hw_pkg::COUNTER_RX_RAW_PACKETS);
  localparam logic [3:0] V_MAC    = 4'(cairn_hw_pkg::COUNTER_RX_MAC_ERROR);
  localparam logic [3:0] V_LENGTH = 4'(cairn_hw_pkg::COUNTER_RX_LENGTH_ERROR);
  localparam logic [3:0] V_IP     = 4'(cairn_hw_pkg::COUNTER_RX_IP_ERROR);
  localparam logic [3:0] V_OPCODE = 4'(cairn_hw_pkg::COUNTER_RX_OPCODE_ERROR);
  localparam logic [3:0] V_OTHERS = 4'(cairn_hw_pkg::COUNTER_RX_NOT_OURS);

  // ---- 1: Ethernet header and tag, first byte on top
  typedef struct packed {
    logic        ours, group, tag, v4, v6;
    logic [2:0]  prio;
    logic [11:0] vid;
  } link_t;
  link_t       l2_q, l3_q, l4_q, l5_q;     // by cycle
  logic [63:0] cur;
  logic [47:0] before_q, smac_q, smac_kept_q;
  logic [15:0] etype, inner;
  for (genvar g = 0; g < 8; g++) begin : g_wire
    assign cur[8*g +: 8] = data_i[56-8*g +: 8];
  end
  assign etype = cur[31:16];
  assign inner = cur[63:48];

  always_ff @(posedge clk_i) begin
    if (valid_i) before_q <= cur[47:0];
    if (valid_i && beat_i == 4'd0) begin
      l2_q.ours     <= cur[63:16] == mac_addr_i || cur[56];
      l2_q.group    <= cur[56];
      smac_q[47:32] <= cur[15:0];
    end
    if (valid_i && beat_i == 4'd1) begin
      smac_q[31:0] <= cur[63:32];
      l2_q.tag     <= etype == 16'(cairn_pkt_pkg::ETHERTYPE_VLAN);
      l2_q.prio    <= (etype == 16'(cairn_pkt_pkg::ETHERTYPE_VLAN)) ? cur[15:13] : 3'd0;
      l2_q.vid     <= cur[11:0];
    end
    if (valid_i && (beat_i == 4'd1 || (beat_i == 4'd2 && l2_q.tag))) begin
      l2_q.v4 <= ((beat_i == 4'd1) ? etype : inner) == 16'(cairn_pkt_pkg::ETHERTYPE_IPV4);
      l2_q.v6 <= ((beat_i == 4'd1) ? etype : inner) == 16'(cairn_pkt_pkg::ETHERTYPE_IPV6);
    end
    l3_q <= l2_q;
    l4_q <= l3_q;
    l5_q <= l4_q;
  end

  // ---- 2: words from the IP header on
  logic        cut, ends_q, w_valid_q;
  logic [3:0]  at_q, w_at_q;
  logic [63:0] w_q;
  logic [31:0] half_q;
  assign cut = (valid_i && beat_i >= (l2_q.tag ? 4'd3 : 4'd2)) || ends_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ends_q    <= 1'b0;
      w_valid_q <= 1'b0;
    end else begin
      ends_q    <= valid_i && last_i && beat_i >= (l2_q.tag ? 4'd3 : 4'd2);
      w_valid_q <= cut;
    end
    if (valid_i && beat_i <= 4'd1) at_q <= '0;
    else if (cut && at_q != '1) at_q <= at_q + 1'b1;
    w_q    <= l2_q.tag ? {before_q, cur[63:48]} : {before_q[15:0], cur[63:16]};
    w_at_q <= at_q;
    if (w_valid_q) half_q <= w_q[31:0];
  end

  // ---- 3: what they hold
  logic         v6, ipbad_q, udp_q, mcast_q, ce_q;
  logic [16:0]  iplen_q, l4len_q;
  logic [19:0]  sum_q;
  logic [127:0] sip_q, dgid_q;
  assign v6 = l2_q.v6;
  always_ff @(posedge clk_i) begin
    if (w_valid_q && w_at_q == 4'd0) begin
      iplen_q <= v6 ? {1'b0, w_q[31:16]} + 17'(cairn_pkt_pkg::IPV6_BYTES) : {1'b0, w_q[47:32]};
      l4len_q <= v6 ? {1'b0, w_q[31:16]} : {1'b0, w_q[47:32]} - 17'(cairn_pkt_pkg::IPV4_BYTES);
      ipbad_q <= v6 ? w_q[63:60] != 4'd6 || cairn_fn_pkg::ipv6_extension(w_q[15:8])
                    : w_q[63:56] != 8'h45 || w_q[13:0] != '0;
      ce_q    <= (v6 ? w_q[53:52] : w_q[49:48]) == 2'b11;
    end
    if (w_valid_q && w_at_q == (v6 ? 4'd0 : 4'd1))
      udp_q <= (v6 ? w_q[15:8] : w_q[55:48]) == 8'(cairn_pkt_pkg::IP_PROTO_UDP);
    if (w_valid_q && w_at_q <= 4'd2)
      sum_q <= ((w_at_q == 4'd0) ? 20'd0 : sum_q) + 20'(w_q[63:48]) + 20'(w_q[47:32])
               + ((w_at_q == 4'd2) ? 20'd0 : 20'(w_q[31:16]) + 20'(w_q[15:0]));
    if (w_valid_q && w_at_q == 4'd1) sip_q[127:64] <= v6 ? w_q : 64'h0;
    if (w_valid_q && w_at_q == (v6 ? 4'd2 : 4'd1)) sip_q[63:0] <= v6 ? w_q : {32'hFFFF, w_q[31:0]};
    if (w_valid_q && w_at_q == (v6 ? 4'd3 : 4'd2)) begin
      dgid_q[127:64] <= v6 ? w_q : 64'h0;
      mcast_q        <= v6 ? w_q[63:56] == 8'hFF : w_q[63:60] == 4'hE;
    end
    if (w_valid_q && w_at_q == (v6 ? 4'd4 : 4'd2)) dgid_q[63:0] <= v6 ? w_q : {32'hFFFF, w_q[63:32]};
  end

  // Words from the UDP header on
  logic [63:0]         t;
  logic [3:0]          t_at;
  logic                port_q, udplbad_q, se_q, tver_q, ackreq_q;
  logic [15:0]         sport_q, udplen_q, pkey_q;
  logic [7:0]          opcode_q;
  logic [1:0]          pad_q;
  logic [23:0]         qpn_q, psn_q;
  logic [EXT_BITS-1:0] ext_q;
  assign t    = v6 ? w_q : {half_q, w_q[63:32]};
  assign t_at = w_at_q - (v6 ? 4'd5 : 4'd3);
  always_ff @(posedge clk_i) begin
    if (w_valid_q && t_at == 4'd0) begin
      sport_q   <= t[63:48];
      port_q    <= t[47:32] == 16'(cairn_pkt_pkg::ROCE_UDP_PORT);
      udplen_q  <= t[31:16];
      udplbad_q <= {1'b0, t[31:16]} != l4len_q || t[31:16] < 16'(L4_FIXED) || t[17:16] != 2'b00;
    end
    if (w_valid_q && t_at == 4'd1) {opcode_q, se_q, pad_q, tver_q, pkey_q, qpn_q}
        <= {t[63:56], t[55], t[53:52], t[51:48] != '0, t[47:32], t[23:0]};
    if (w_valid_q && t_at == 4'd2) {ackreq_q, psn_q, ext_q[223:192]} <= {t[63], t[55:0]};
    if (w_valid_q && t_at == 4'd3) ext_q[191:128] <= t;
    if (w_valid_q && t_at == 4'd4) ext_q[127:64] <= t;
    if (w_valid_q && t_at == 4'd5) ext_q[63:0] <= t;
  end

  // ---- what the opcode says; bytes behind the extension headers, negative when they do not fit
  logic [cairn_pkt_pkg::OPF_W-1:0] flags_q;
  logic [cairn_pkt_pkg::EXT_W-1:0] has_q;
  logic [5:0]                      extlen_q;
  logic signed [16:0]              body_q, pay;
  always_ff @(posedge clk_i) begin
    flags_q  <= cairn_pkt_pkg::opcode_flags(opcode_q);
    has_q    <= cairn_pkt_pkg::opcode_ext(opcode_q);
    extlen_q <= cairn_pkt_pkg::opcode_ext_bytes(opcode_q);
    body_q   <= {1'b0, udplen_q} - 17'(L4_FIXED) - 17'(extlen_q);
  end

  // ---- our address: asked as soon as it is there, in a frame that can be RoCE with the first cycle; answers with the
  // fifth
  logic       gid_hit, group_hit;
  logic [7:0] gid_index;
  logic [((GROUPS > 1) ? $clog2(GROUPS) : 1)-1:0] group;
  logic       dgid_new_q;
  always_ff @(posedge clk_i) dgid_new_q <= rst_ni && w_valid_q && w_at_q == (v6 ? 4'd4 : 4'd2);
  rx_gid_ring #(.GIDS(GIDS), .GROUPS(GROUPS)) u_gids (
      .clk_i, .rst_ni, .gid_i, .start_i(dgid_new_q),
      .dgid_i(dgid_q), .ipv6_i(l3_q.v6), .mcast_i(mcast_q), .tagged_i(l3_q.tag), .vid_i(l3_q.vid),
      .hit_o(gid_hit), .index_o(gid_index), .group_hit_o(group_hit), .group_o(group));

  // ---- verdict; numbers: cycles behind the last beat at the MAC
  logic                err2_q, err3_q, err4_q, short3_q, short4_q, ipshort4_q, iplbad4_q, body_bad, is_ud, csum_bad;
  logic [LEN_BITS-1:0] len2_q, len3_q, l3len3_q, len4_q, len5_q, len6_q, len7_q;
  logic [3:0]          d, d_q, e_q;
  logic [4:0]          of_qp, f_q;
  logic [16:0]         fold;
  logic [15:0]         check_q;

  // ten words that are a multiple of 0xFFFF add up to 0xFFFF with their carries added once
  assign fold     = {1'b0, sum_q[15:0]} + {13'h0, sum_q[19:16]};
  assign csum_bad = !l4_q.v6 && fold != 17'h0FFFF;
  assign pay      = body_q - 17'(pad_q);
  assign is_ud    = opcode_q[7:5] == cairn_pkt_pkg::TRANSPORT_UD;

  always_comb begin
    if (err4_q) d = V_MAC;
    else if (short4_q) d = V_LENGTH;
    else if (!l4_q.ours) d = V_OTHERS;
    else if (!l4_q.v4 && !l4_q.v6) d = V_RAW;
    else if (ipshort4_q) d = V_LENGTH;
    else if (ipbad_q || csum_bad) d = V_IP;
    else if (!udp_q) d = V_RAW;
    else if (iplbad4_q) d = V_LENGTH;
    else if (!port_q) d = V_RAW;
    else if (udplbad_q) d = V_LENGTH;
    else if (!flags_q[cairn_pkt_pkg::OPF_VALID] || tver_q) d = V_OPCODE;
    else d = V_ROCE;

    if (flags_q[cairn_pkt_pkg::OPF_PAYLOAD]) begin
      body_bad = body_q[16] || pay[16] || pay > 17'sd4096;
    end else if (flags_q[cairn_pkt_pkg::OPF_CNP]) begin
      body_bad = body_q != 17'(CNP_BYTES) || pad_q != '0;
    end else begin
      body_bad = body_q != '0 || pad_q != '0;
    end
    if (len5_q > LEN_BITS'(MAX_FRAME)) body_bad = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    {len2_q, err2_q} <= {len_i, err_i};
    {len3_q, err3_q} <= {len2_q, err2_q};
    short3_q   <= len2_q < LEN_BITS'(ETH) || (l2_q.tag && len2_q < LEN_BITS'(ETH_TAG));
    l3len3_q   <= len2_q - (l2_q.tag ? LEN_BITS'(ETH_TAG) : LEN_BITS'(ETH));
    {len4_q, err4_q, short4_q} <= {len3_q, err3_q, short3_q};
    ipshort4_q <= l3len3_q < (l3_q.v6 ? LEN_BITS'(cairn_pkt_pkg::IPV6_BYTES) : LEN_BITS'(cairn_pkt_pkg::IPV4_BYTES));
    iplbad4_q  <= iplen_q > 17'(l3len3_q) || l4len_q[16] || l4len_q < 17'(cairn_pkt_pkg::UDP_BYTES);
    {len5_q, d_q} <= {len4_q, d};
    len6_q     <= len5_q;
    if (d_q != V_ROCE) e_q <= d_q;
    else if (body_bad) e_q <= V_LENGTH;
    else if (!gid_hit || (mcast_q ? !is_ud : l5_q.group)) e_q <= V_OTHERS;
    else e_q <= V_ROCE;
    check_q    <= is_ud ? cairn_fn_pkg::rx_check_qkey(has_q[cairn_pkt_pkg::EXT_DETH] ? ext_q[223:192] : '0)
                        : cairn_fn_pkg::rx_check_gid(sip_q, gid_index);
    f_q        <= (e_q == V_ROCE && !mcast_q) ? of_qp : {1'b0, e_q};
    len7_q     <= len6_q;
  end
  assign verdict_o = f_q;
  assign len_o     = len7_q;
  assign ask_qpn_o = qpn_q;

  // ---- what the next frame would change is kept, of a frame that can be RoCE; the rest stands as it was caught
  logic [3:0]                      long_q;      // it ended one to four cycles ago
  logic                            v6_kept_q, ce_kept_q, tag_kept_q, mcast_kept_q, cells_kept_q;
  logic [127:0]                    sip_kept_q;
  logic [2:0]                      prio_kept_q;
  logic [7:0]                      index_kept_q, off_kept_q, l3off;
  logic [23:0]                     qpn_kept_q;
  logic [cairn_int_pkg::LEN_W-1:0] pay_kept_q;
  assign l3off = l5_q.tag ? 8'(ETH_TAG) : 8'(ETH);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) long_q <= '0;
    else long_q <= {long_q[2:0], valid_i && last_i && beat_i >= 4'd7};
    if (long_q[0]) smac_kept_q <= smac_q;
    if (long_q[3]) begin
      v6_kept_q    <= l5_q.v6;
      tag_kept_q   <= l5_q.tag;
      prio_kept_q  <= l5_q.prio;
      ce_kept_q    <= ce_q;
      sip_kept_q   <= sip_q;
      index_kept_q <= gid_index;
      mcast_kept_q <= mcast_q;
      // a multicast packet: its group, see rx_mcast; such packets are sent to QP 0xFFFFFF (IBTA 10.5.2)
      qpn_kept_q   <= !mcast_q ? qpn_q : (group_hit && qpn_q == '1) ? 24'(group) : '1;
      pay_kept_q   <= flags_q[cairn_pkt_pkg::OPF_PAYLOAD] ? pay[cairn_int_pkg::LEN_W-1:0] : '0;
      // a datagram's IP header goes to the receive buffer, also without payload
      cells_kept_q <= (flags_q[cairn_pkt_pkg::OPF_PAYLOAD] && pay[cairn_int_pkg::LEN_W-1:0] != '0) || is_ud;
      off_kept_q   <= l3off + (l5_q.v6 ? 8'(cairn_pkt_pkg::IPV6_BYTES) : 8'(cairn_pkt_pkg::IPV4_BYTES))
                      + 8'(cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES) + 8'(extlen_q);
    end
  end

  cairn_int_pkg::rx_meta_t e_meta, plain;
  always_comb begin
    plain            = '0;
    plain.has_cells  = cells_kept_q;
    plain.pay_off    = off_kept_q;
    plain.pay_len    = pay_kept_q;
    plain.pad        = pad_q;
    plain.ip_off     = tag_kept_q ? 8'(ETH_TAG) : 8'(ETH);
    plain.opcode     = opcode_q;
    plain.opflags    = flags_q;
    plain.se         = se_q;
    plain.ackreq     = ackreq_q;
    plain.ce         = ce_kept_q;
    plain.ipv6       = v6_kept_q;
    plain.has_tag    = tag_kept_q;
    plain.prio       = prio_kept_q;
    plain.sgid_index = index_kept_q;
    plain.mcast      = mcast_kept_q;
    plain.pkey       = pkey_q;
    plain.qpn        = qpn_kept_q;
    plain.psn        = psn_q;
    plain.sip        = sip_kept_q;
    plain.sport      = sport_q;
    plain.smac       = smac_kept_q;
  end
  rx_ext u_ext (.meta_i(plain), .ext_i(ext_q), .has_i(has_q), .meta_o(e_meta));
  rx_qp_rules u_qp (.meta_i(e_meta), .check_i(check_q), .qp_i(ask_qp_i), .verdict_o(of_qp));
  assign meta_o = e_meta;
  assign ext_o  = ext_q;
  assign has_o  = has_q;
endmodule
