// SPDX-License-Identifier: Apache-2.0
// Header pipeline of rx_parser: from the first bytes of a whole frame to its verdict and its rx_meta record.
// One frame per cycle, six cycles, feed-forward. (IBTA 9.2, 9.6, 9.6.1; annex A17.3; RFC 791, 768, 8200.)
//
// The verdict is the number of the counter that the frame adds to; the first rule that fits decides:
//    1 RX_MAC_ERROR     the MAC says so
//    2 RX_LENGTH_ERROR  shorter than its Ethernet header
//    3 RX_NOT_OURS      destination MAC is neither ours nor a group address
//    4 RX_RAW_PACKETS   EtherType is neither IPv4 nor IPv6
//    5 RX_LENGTH_ERROR  shorter than its IP header
//    6 RX_IP_ERROR      IP version, IPv4 header length, fragment or checksum; IPv6 extension header
//    7 RX_RAW_PACKETS   not UDP
//    8 RX_LENGTH_ERROR  IP length beyond the frame, or no room for a UDP header
//    9 RX_RAW_PACKETS   UDP destination port is not RoCE v2
//   10 RX_LENGTH_ERROR  UDP length: not that of the IP payload, less than BTH and ICRC, not a multiple of four
//   11 RX_OPCODE_ERROR  opcode not defined, or transport version not 0
//   12 RX_LENGTH_ERROR  extension headers, payload, pad: not what the opcode allows, more than 4096 bytes, or the
//                       frame is too long for the pool
//   13 RX_NOT_OURS      destination address or VLAN not in the GID table, multicast and not UD, or a unicast address
//                       behind a group MAC address (RFC 1122 3.3.6)
//   14 RX_BAD_QPN       no such QP, or the opcode is of another transport
//   15 RX_QP_STATE      the QP takes no such packets now
//   16 RX_BAD_ADDR      connected QP: not from its peer, or not to its own address (as far as rx_qp_t tells)
//   17 RX_BAD_PKEY      another partition, or two limited members
//   18 RX_BAD_QKEY      datagram with another Q_Key (as far as rx_qp_t tells)
//      RX_ROCE_PACKETS  none of these: to be accepted if the ICRC is right
// Rules 14 to 18 are of the QP, from rx_qp_table; they count only if the ICRC is right, and are not for multicast,
// whose receivers are not known yet. qp_lookup has the same rules in the same order, with the QP's record.
// Bytes behind the IP datagram (Ethernet padding) are ignored. The frame's stale window bytes beyond its length are
// never trusted: each header is looked at only behind the length rule that covers it.
module rx_headers #(
    parameter int unsigned GIDS      = 16,
    parameter int unsigned GROUPS    = 16,    // of multicast; 0: none
    parameter int unsigned MAX_FRAME = 4352,  // longest RoCE frame that the pool takes, bytes
    localparam int unsigned WIN_BYTES = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES + cairn_pkt_pkg::IPV6_BYTES
                                        + cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES
                                        + cairn_pkt_pkg::ATOMICETH_BYTES,
    localparam int unsigned LEN_BITS = 14
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [47:0]               mac_addr_i,
    // GID table write port, see rx_gid_table
    input  cairn_int_pkg::gid_write_t gid_i,
    // first bytes of a frame, wire order (byte 0 on top), its length (saturating) and the MAC's verdict
    input  logic [8*WIN_BYTES-1:0]    win_i,
    input  logic [LEN_BITS-1:0]       len_i,
    input  logic                      err_i,
    // rx_qp_table, answer two cycles later
    output logic [23:0]               ask_qpn_o,
    input  cairn_int_pkg::rx_qp_t     ask_qp_i,
    // six cycles later
    output logic [4:0]                verdict_o,  // cairn_hw_pkg::COUNTER_RX_*
    output logic [LEN_BITS-1:0]       len_o,
    output cairn_int_pkg::rx_meta_t   meta_o      // cell_head, epoch, slot and gen are zero
);
  localparam int unsigned L4_BYTES  = cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES
                                      + cairn_pkt_pkg::ATOMICETH_BYTES;
  localparam int unsigned L3_BYTES  = cairn_pkt_pkg::IPV6_BYTES + L4_BYTES;
  localparam int unsigned L3_W      = 8 * L3_BYTES;
  localparam int unsigned L4_W      = 8 * L4_BYTES;
  localparam int unsigned EXT_BITS  = cairn_pkt_pkg::ATOMICETH_W;
  localparam int unsigned L4_FIXED  = cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES + cairn_pkt_pkg::ICRC_BYTES;
  localparam int unsigned CNP_BYTES = 16;  // reserved zeros behind the BTH of a CNP

  localparam logic [3:0] V_ROCE   = 4'(cairn_hw_pkg::COUNTER_RX_ROCE_PACKETS);
  localparam logic [3:0] V_RAW    = 4'(cairn_hw_pkg::COUNTER_RX_RAW_PACKETS);
  localparam logic [3:0] V_MAC    = 4'(cairn_hw_pkg::COUNTER_RX_MAC_ERROR);
  localparam logic [3:0] V_LENGTH = 4'(cairn_hw_pkg::COUNTER_RX_LENGTH_ERROR);
  localparam logic [3:0] V_IP     = 4'(cairn_hw_pkg::COUNTER_RX_IP_ERROR);
  localparam logic [3:0] V_OPCODE = 4'(cairn_hw_pkg::COUNTER_RX_OPCODE_ERROR);
  localparam logic [3:0] V_OTHERS = 4'(cairn_hw_pkg::COUNTER_RX_NOT_OURS);

  // ---- a: Ethernet header and tag
  cairn_pkt_pkg::eth_t  eth;
  cairn_pkt_pkg::vlan_t tag;
  logic [15:0]          inner_type, etype;
  logic                 is_tagged;

  assign eth        = win_i[8*WIN_BYTES-1 -: cairn_pkt_pkg::ETH_W];
  assign tag        = win_i[8*(WIN_BYTES-12)-1 -: cairn_pkt_pkg::VLAN_W];
  assign inner_type = win_i[8*(WIN_BYTES-16)-1 -: 16];
  assign is_tagged  = tag.tpid == 16'(cairn_pkt_pkg::ETHERTYPE_VLAN);
  assign etype      = is_tagged ? inner_type : eth.type_;

  // What goes on unchanged, stage by stage
  typedef struct packed {
    logic                group, tag;
    logic [2:0]          prio;
    logic [47:0]         smac;
    logic [LEN_BITS-1:0] len;
  } link_t;
  link_t               a, b, c, d;
  logic                a_err, a_short, a_ours, a_v4, a_v6;
  logic [11:0]         a_vid;
  logic [LEN_BITS-1:0] a_l3len;
  logic [L3_W-1:0]     a_l3;

  always_ff @(posedge clk_i) begin
    a_err   <= err_i;
    a_short <= len_i < LEN_BITS'(cairn_pkt_pkg::ETH_BYTES)
               || (is_tagged && len_i < LEN_BITS'(cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES));
    a_ours  <= eth.dst == mac_addr_i || eth.dst[40];
    a_vid   <= tag.vid;
    a_v4    <= etype == 16'(cairn_pkt_pkg::ETHERTYPE_IPV4);
    a_v6    <= etype == 16'(cairn_pkt_pkg::ETHERTYPE_IPV6);
    a       <= {eth.dst[40], is_tagged, is_tagged ? tag.pcp : 3'd0, eth.src, len_i};
    a_l3len <= len_i - LEN_BITS'(cairn_pkt_pkg::ETH_BYTES)
               - (is_tagged ? LEN_BITS'(cairn_pkt_pkg::VLAN_BYTES) : '0);
    a_l3    <= is_tagged ? win_i[L3_W-1:0] : win_i[L3_W + 8*cairn_pkt_pkg::VLAN_BYTES - 1 -: L3_W];
  end

  // ---- b: IP header
  cairn_pkt_pkg::ipv4_t ip4;
  cairn_pkt_pkg::ipv6_t ip6;
  logic [18:0]          sum_hi, sum_lo;

  assign ip4 = a_l3[L3_W-1 -: cairn_pkt_pkg::IPV4_W];
  assign ip6 = a_l3[L3_W-1 -: cairn_pkt_pkg::IPV6_W];

  always_comb begin
    sum_hi = '0;
    sum_lo = '0;
    for (int unsigned i = 0; i < 5; i++) begin
      sum_hi = sum_hi + {3'b000, a_l3[L3_W-1-16*i -: 16]};
      sum_lo = sum_lo + {3'b000, a_l3[L3_W-81-16*i -: 16]};
    end
  end

  logic                b_err, b_short, b_ours, b_isip, b_v6, b_ipshort, b_ipbad, b_udp, b_mcast, b_ce;
  logic [11:0]         b_vid;
  logic [LEN_BITS-1:0] b_l3len;
  logic [16:0]         b_iplen;
  logic [5:0]          b_iphl;
  logic [18:0]         b_sum_hi, b_sum_lo;
  logic [127:0]        b_sgid, b_dgid;
  logic [L4_W-1:0]     b_l4;

  always_ff @(posedge clk_i) begin
    b_err     <= a_err;
    b_short   <= a_short;
    b_ours    <= a_ours;
    b_vid     <= a_vid;
    b_isip    <= a_v4 || a_v6;
    b_v6      <= a_v6;
    b         <= a;
    b_l3len   <= a_l3len;
    b_sum_hi  <= sum_hi;
    b_sum_lo  <= sum_lo;
    if (a_v6) begin
      b_ipshort <= a_l3len < LEN_BITS'(cairn_pkt_pkg::IPV6_BYTES);
      b_ipbad   <= ip6.version != 4'd6 || cairn_fn_pkg::ipv6_extension(ip6.next);
      b_udp     <= ip6.next == 8'(cairn_pkt_pkg::IP_PROTO_UDP);
      b_mcast   <= ip6.dst_hi[63:56] == 8'hFF;
      b_ce      <= ip6.ecn == 2'b11;
      b_iplen   <= {1'b0, ip6.length} + 17'(cairn_pkt_pkg::IPV6_BYTES);
      b_iphl    <= 6'(cairn_pkt_pkg::IPV6_BYTES);
      b_sgid    <= {ip6.src_hi, ip6.src_lo};
      b_dgid    <= {ip6.dst_hi, ip6.dst_lo};
      b_l4      <= a_l3[L4_W-1:0];
    end else begin
      b_ipshort <= a_l3len < LEN_BITS'(cairn_pkt_pkg::IPV4_BYTES);
      b_ipbad   <= ip4.version != 4'd4 || ip4.ihl != 4'd5 || ip4.mf || ip4.frag != '0;
      b_udp     <= ip4.proto == 8'(cairn_pkt_pkg::IP_PROTO_UDP);
      b_mcast   <= ip4.dst[31:28] == 4'hE;
      b_ce      <= ip4.ecn == 2'b11;
      b_iplen   <= {1'b0, ip4.length};
      b_iphl    <= 6'(cairn_pkt_pkg::IPV4_BYTES);
      b_sgid    <= {80'h0, 16'hFFFF, ip4.src};
      b_dgid    <= {80'h0, 16'hFFFF, ip4.dst};
      b_l4      <= a_l3[L4_W + 8*(cairn_pkt_pkg::IPV6_BYTES - cairn_pkt_pkg::IPV4_BYTES) - 1 -: L4_W];
    end
  end

  // ---- GID table: asked with b, answers with d
  logic       gid_hit, group_hit;
  logic [7:0] gid_index;
  logic [((GROUPS > 1) ? $clog2(GROUPS) : 1)-1:0] group;

  rx_gid_table #(.GIDS(GIDS), .GROUPS(GROUPS)) u_gids (
      .clk_i, .rst_ni,
      .gid_i,
      .dgid_i(b_dgid), .ipv6_i(b_v6), .mcast_i(b_mcast), .tagged_i(b.tag), .vid_i(b_vid),
      .hit_o(gid_hit), .index_o(gid_index), .group_hit_o(group_hit), .group_o(group));

  // ---- c: UDP and BTH; early: rules 1 to 9 that are decided here
  cairn_pkt_pkg::udp_t udp;
  logic [19:0]         sum;
  logic [3:0]          early;

  assign udp = b_l4[L4_W-1 -: cairn_pkt_pkg::UDP_W];
  assign sum = {1'b0, b_sum_hi} + {1'b0, b_sum_lo};

  always_comb begin
    if (b_err) early = V_MAC;
    else if (b_short) early = V_LENGTH;
    else if (!b_ours) early = V_OTHERS;
    else if (!b_isip) early = V_RAW;
    else if (b_ipshort) early = V_LENGTH;
    else if (b_ipbad) early = V_IP;
    else early = V_ROCE;
  end

  cairn_pkt_pkg::bth_t          c_bth;
  logic                         c_udp, c_v6, c_mcast, c_ce, c_iplbad, c_port, c_udplbad;
  logic [3:0]                   c_early;
  logic [19:0]                  c_sum;
  logic [127:0]                 c_sgid;
  logic [EXT_BITS-1:0]          c_ext;
  logic [15:0]                  c_udplen, c_sport;
  logic [cairn_pkt_pkg::OPF_W-1:0] c_flags;
  logic [cairn_pkt_pkg::EXT_W-1:0] c_has;
  logic [5:0]                   c_extlen;
  logic [7:0]                   opcode;

  assign opcode = b_l4[L4_W-1-cairn_pkt_pkg::UDP_W -: 8];

  always_ff @(posedge clk_i) begin
    c_early   <= early;
    c_udp     <= b_udp;
    c_v6      <= b_v6;
    c         <= b;
    c_mcast   <= b_mcast;
    c_ce      <= b_ce;
    c_sum     <= sum;
    c_iplbad  <= b_iplen > 17'(b_l3len) || b_iplen < 17'(b_iphl) + 17'(cairn_pkt_pkg::UDP_BYTES);
    c_port    <= udp.dport == 16'(cairn_pkt_pkg::ROCE_UDP_PORT);
    c_udplbad <= {1'b0, udp.length} != b_iplen - 17'(b_iphl) || udp.length < 16'(L4_FIXED) || udp.length[1:0] != 2'b00;
    c_udplen  <= udp.length;
    c_sport   <= udp.sport;
    c_bth     <= b_l4[L4_W-1-cairn_pkt_pkg::UDP_W -: cairn_pkt_pkg::BTH_W];
    c_ext     <= b_l4[EXT_BITS-1:0];
    c_flags   <= cairn_pkt_pkg::opcode_flags(opcode);
    c_has     <= cairn_pkt_pkg::opcode_ext(opcode);
    c_extlen  <= cairn_pkt_pkg::opcode_ext_bytes(opcode);
    c_sgid    <= b_sgid;
  end

  // ---- d: rules 6 to 11; extension headers; bytes behind them (payload and pad), negative when they do not fit
  logic        csum_bad;
  logic [16:0] fold;

  // ten words that are a multiple of 0xFFFF add up to 0xFFFF with their carries added once
  assign fold     = {1'b0, c_sum[15:0]} + {13'h0, c_sum[19:16]};
  assign csum_bad = !c_v6 && fold != 17'h0FFFF;

  logic [3:0]          d_verdict;
  cairn_pkt_pkg::bth_t d_bth;
  logic [cairn_pkt_pkg::OPF_W-1:0] d_flags;
  logic                d_v6, d_mcast, d_ce;
  logic signed [16:0]  d_body;
  logic [5:0]          d_extlen;
  logic [127:0]        d_sgid;
  logic [15:0]         d_sport;
  logic [63:0]         d_va, d_swap, d_compare;
  logic [31:0]         d_key, d_dmalen, d_aeth, d_imm, d_qkey;
  logic [23:0]         d_srcqp;

  always_ff @(posedge clk_i) begin
    if (c_early != V_ROCE) d_verdict <= c_early;
    else if (csum_bad) d_verdict <= V_IP;
    else if (!c_udp) d_verdict <= V_RAW;
    else if (c_iplbad) d_verdict <= V_LENGTH;
    else if (!c_port) d_verdict <= V_RAW;
    else if (c_udplbad) d_verdict <= V_LENGTH;
    else if (!c_flags[cairn_pkt_pkg::OPF_VALID] || c_bth.tver != '0) d_verdict <= V_OPCODE;
    else d_verdict <= V_ROCE;
    d_body    <= {1'b0, c_udplen} - 17'(L4_FIXED) - 17'(c_extlen);
    d_bth     <= c_bth;
    d_flags   <= c_flags;
    d_v6      <= c_v6;
    d         <= c;
    d_mcast   <= c_mcast;
    d_ce      <= c_ce;
    d_extlen  <= c_extlen;
    d_sgid    <= c_sgid;
    d_sport   <= c_sport;
    // RETH and AtomicETH begin alike
    d_va      <= (c_has[cairn_pkt_pkg::EXT_RETH] || c_has[cairn_pkt_pkg::EXT_ATOMICETH]) ? c_ext[223:160] : '0;
    d_key     <= c_has[cairn_pkt_pkg::EXT_IETH] ? c_ext[223:192]
                 : (c_has[cairn_pkt_pkg::EXT_RETH] || c_has[cairn_pkt_pkg::EXT_ATOMICETH]) ? c_ext[159:128] : '0;
    d_dmalen  <= c_has[cairn_pkt_pkg::EXT_RETH] ? c_ext[127:96] : '0;
    d_swap    <= c_has[cairn_pkt_pkg::EXT_ATOMICETH] ? c_ext[127:64]
                 : c_has[cairn_pkt_pkg::EXT_ATOMICACKETH] ? c_ext[191:128] : '0;
    d_compare <= c_has[cairn_pkt_pkg::EXT_ATOMICETH] ? c_ext[63:0] : '0;
    d_aeth    <= c_has[cairn_pkt_pkg::EXT_AETH] ? c_ext[223:192] : '0;
    d_qkey    <= c_has[cairn_pkt_pkg::EXT_DETH] ? c_ext[223:192] : '0;
    d_srcqp   <= c_has[cairn_pkt_pkg::EXT_DETH] ? c_ext[183:160] : '0;
    d_imm     <= !c_has[cairn_pkt_pkg::EXT_IMMDT] ? '0
                 : c_has[cairn_pkt_pkg::EXT_RETH] ? c_ext[95:64]
                 : c_has[cairn_pkt_pkg::EXT_DETH] ? c_ext[159:128] : c_ext[223:192];
  end

  // ---- e: rules 12 and 13; the record
  logic signed [16:0]      pay;
  logic                    body_bad;
  logic                    is_ud;
  cairn_int_pkg::rx_meta_t meta;
  logic [7:0]              l3off;

  assign pay   = d_body - 17'(d_bth.pad);
  assign is_ud = d_bth.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_UD;
  assign l3off = 8'(cairn_pkt_pkg::ETH_BYTES) + (d.tag ? 8'(cairn_pkt_pkg::VLAN_BYTES) : 8'd0);

  always_comb begin
    if (d_flags[cairn_pkt_pkg::OPF_PAYLOAD]) begin
      body_bad = d_body[16] || pay[16] || pay > 17'sd4096;
    end else if (d_flags[cairn_pkt_pkg::OPF_CNP]) begin
      body_bad = d_body != 17'(CNP_BYTES) || d_bth.pad != '0;
    end else begin
      body_bad = d_body != '0 || d_bth.pad != '0;
    end
    if (d.len > LEN_BITS'(MAX_FRAME)) body_bad = 1'b1;

    meta            = '0;
    meta.pay_len    = d_flags[cairn_pkt_pkg::OPF_PAYLOAD] ? pay[cairn_int_pkg::LEN_W-1:0] : '0;
    // a datagram's IP header goes to the receive buffer, also without payload
    meta.has_cells  = meta.pay_len != '0 || is_ud;
    meta.pay_off    = l3off + (d_v6 ? 8'(cairn_pkt_pkg::IPV6_BYTES) : 8'(cairn_pkt_pkg::IPV4_BYTES))
                      + 8'(cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES) + 8'(d_extlen);
    meta.pad        = d_bth.pad;
    meta.ip_off     = l3off;
    meta.opcode     = d_bth.opcode;
    meta.opflags    = d_flags;
    meta.se         = d_bth.se;
    meta.ackreq     = d_bth.ackreq;
    meta.ce         = d_ce;
    meta.ipv6       = d_v6;
    meta.has_tag    = d.tag;
    meta.prio       = d.prio;
    meta.sgid_index = gid_index;
    meta.mcast      = d_mcast;
    meta.pkey       = d_bth.pkey;
    // a multicast packet: its group, see rx_mcast; such packets are sent to QP 0xFFFFFF (IBTA 10.5.2)
    meta.qpn        = !d_mcast ? d_bth.dest_qp : (group_hit && d_bth.dest_qp == '1) ? 24'(group) : '1;
    meta.psn        = d_bth.psn;
    meta.sip        = d_sgid;
    meta.va         = d_va;
    meta.key        = d_key;
    meta.len        = d_dmalen;
    meta.aeth       = d_aeth;
    meta.imm        = d_imm;
    meta.swap_add   = d_swap;
    meta.compare    = d_compare;
    meta.qkey       = d_qkey;
    meta.src_qp     = d_srcqp;
    meta.sport      = d_sport;
    meta.smac       = d.smac;
  end

  logic [3:0]              e_verdict;
  logic [4:0]              f_verdict, of_qp;
  logic [LEN_BITS-1:0]     e_len, f_len;
  logic [15:0]             e_check;
  cairn_int_pkg::rx_meta_t e_meta, f_meta;

  always_ff @(posedge clk_i) begin
    if (d_verdict != V_ROCE) e_verdict <= d_verdict;
    else if (body_bad) e_verdict <= V_LENGTH;
    else if (!gid_hit || (d_mcast ? !is_ud : d.group)) e_verdict <= V_OTHERS;
    else e_verdict <= V_ROCE;
    e_meta  <= meta;
    e_len   <= d.len;
    e_check <= is_ud ? cairn_fn_pkg::rx_check_qkey(d_qkey) : cairn_fn_pkg::rx_check_gid(d_sgid, gid_index);
  end

  // ---- f: rules 14 to 18; asked with c, rx_qp_table answers with e
  assign ask_qpn_o = c_bth.dest_qp;
  rx_qp_rules u_qp (.meta_i(e_meta), .check_i(e_check), .qp_i(ask_qp_i), .verdict_o(of_qp));

  always_ff @(posedge clk_i) begin
    f_verdict <= (e_verdict == V_ROCE && !e_meta.mcast) ? of_qp : {1'b0, e_verdict};
    f_meta    <= e_meta;
    f_len     <= e_len;
  end

  assign verdict_o = f_verdict;
  assign len_o     = f_len;
  assign meta_o    = f_meta;
endmodule
