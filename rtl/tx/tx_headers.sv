// SPDX-License-Identifier: Apache-2.0
// Header pipeline of the builder: from a granted job to the header bytes of its frame and the positions of what
// follows.
//
// IBTA 9.2, annex A17.3; RFC 791, 768, 8200. Source addresses come from the port's MAC and the GID table only; the rest
// from the job's address vector. IPv4: no options, DF, own identification counter, checksum computed. UDP checksum 0.
// Positions count from byte 0 of the frame:
//   lo .. hi-1      bytes from the payload ring (or the raw buffer); hi = lo: none
//   icrc            first byte of the ICRC (payload and pad end there); used when the frame has one
//   total           length, padded to 60
// hdr holds byte 0 in [7:0] and zeros from the end of the headers on. Raw frames have no header bytes. Jobs with drop
// pass through without meaning.
// Cycles: one job a cycle, three stages; jobs close up behind one that waits. APART: one in three cycles, and the job
//   is looked at where it is offered instead of going along. Errors: none.
module tx_headers #(
    parameter int unsigned GIDS      = 16,
    parameter int unsigned WORD_W    = 11,
    parameter int unsigned CNT_W     = 10,
    parameter int unsigned HDR_BYTES = 128,  // >= 106
    parameter bit          APART     = 1'b0, // the next job begins when this one's header is made
    localparam int unsigned RAW_LEN_W = cairn_hw_pkg::REG_RAW_TX_LEN_W,
    localparam int unsigned POS_W     = 13   // byte positions in a frame, up to 4210
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [47:0]               mac_addr_i,
    // GID table write port, see rx_gid_table
    input  cairn_int_pkg::gid_write_t gid_i,
    // from tx_arbiter
    input  cairn_int_pkg::tx_grant_t  in_i,
    output logic                      in_ready_o,
    // frame
    output cairn_int_pkg::tx_frame_t  out_o,
    input  logic                      out_ready_i,
    output logic [8*HDR_BYTES-1:0]    out_hdr_o,
    output logic                      idle_o
);
  localparam int unsigned ETH_MAX   = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES;
  localparam int unsigned L4_BYTES  = cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES
                                      + cairn_pkt_pkg::ATOMICETH_BYTES;
  localparam int unsigned L3_BYTES  = cairn_pkt_pkg::IPV6_BYTES + L4_BYTES;
  localparam int unsigned FRAME_W   = 8 * (ETH_MAX + L3_BYTES);
  localparam int unsigned EXT_W     = cairn_pkt_pkg::ATOMICETH_W;
  localparam int unsigned IDX_W     = (GIDS > 1) ? $clog2(GIDS) : 1;

  if (8 * HDR_BYTES < FRAME_W) begin : g_chk_hdr
    $error("tx_headers: HDR_BYTES too small for the longest header");
  end

  logic h1_valid_q, h2_valid_q, h3_valid_q;
  logic en1, en2, en3;  // stage n may take something new

  assign en3 = !h3_valid_q || out_ready_i;
  if (APART) begin : g_apart
    assign en2        = h1_valid_q;
    assign en1        = !h1_valid_q && !h2_valid_q;
    assign in_ready_o = h2_valid_q && en3;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {h1_valid_q, h2_valid_q} <= 2'b00;
      else {h1_valid_q, h2_valid_q} <= {en1 && in_i.valid, h1_valid_q || (h2_valid_q && !en3)};
    end
  end else begin : g_close
    assign en2        = !h2_valid_q || en3;
    assign en1        = !h1_valid_q || en2;
    assign in_ready_o = en1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        h1_valid_q <= 1'b0;
        h2_valid_q <= 1'b0;
      end else begin
        if (en1) h1_valid_q <= in_i.valid;
        if (en2) h2_valid_q <= h1_valid_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) h3_valid_q <= 1'b0;
    else if (en3) h3_valid_q <= h2_valid_q;
  end

  // What travels with the job unchanged
  typedef struct packed {
    logic              ring, drop, raw;
    logic [WORD_W-1:0] word;
    logic [CNT_W-1:0]  words;
  } side_t;
  side_t in_side, h1_side, h2_side, h3_side_q;
  cairn_int_pkg::tx_job_t h1_job, h2_job;
  assign in_side = {in_i.ring, in_i.drop, in_i.raw, in_i.place.word[WORD_W-1:0], in_i.place.words[CNT_W-1:0]};
  if (APART) begin : g_offered
    assign {h1_side, h1_job} = {in_side, in_i.job};
    assign {h2_side, h2_job} = {in_side, in_i.job};
  end else begin : g_along
    always_ff @(posedge clk_i) begin
      if (en1) {h1_side, h1_job} <= {in_side, in_i.job};
      if (en2) {h2_side, h2_job} <= {h1_side, h1_job};
    end
  end
  always_ff @(posedge clk_i) if (en3) h3_side_q <= h2_side;

  // ---- h1: header length, length with pad; the summands of the checksum that the job has; our GID is read
  cairn_int_pkg::tx_job_t          j_in;
  logic [cairn_pkt_pkg::OPF_W-1:0] flags_in;
  logic [6:0]                      hdr_len, h1_hdr_len_q;
  logic [5:0]                      l4_len;
  logic [6:0]                      h1_udp_base_q;
  logic [POS_W-1:0]                h1_pay_q, h1_padded_q;
  logic [1:0]                      h1_pad_q;
  logic                            h1_cnp_q;
  logic [18:0]                     h1_sum_q;
  logic [127:0]                    h1_sgid;

  assign j_in     = in_i.job;
  assign flags_in = cairn_pkt_pkg::opcode_flags(j_in.opcode);

  tx_hdr_len u_len (.opcode_i(j_in.opcode), .vlan_i(j_in.av.vlan), .ipv6_i(j_in.av.ipv6), .len_o(hdr_len),
                    .l4_o(l4_len));

  ram_1r1w #(.WIDTH(128), .DEPTH(GIDS), .BYPASS(1)) u_gids (
      .clk_i, .we_i(gid_i.we && {1'b0, gid_i.index} < 9'(GIDS)), .waddr_i(gid_i.index[IDX_W-1:0]), .wdata_i(gid_i.addr),
      .re_i(en1), .raddr_i(j_in.av.sgid_index[IDX_W-1:0]), .rdata_o(h1_sgid));

  always_ff @(posedge clk_i) begin
    if (en1) begin
      h1_hdr_len_q <= in_i.raw ? '0 : hdr_len;
      h1_udp_base_q <= 7'(l4_len) + 7'(cairn_pkt_pkg::ICRC_BYTES);
      h1_pay_q     <= in_i.raw ? POS_W'(in_i.raw_len[RAW_LEN_W-1:0]) : POS_W'(j_in.pay_len);
      h1_padded_q  <= {(POS_W-2)'((POS_W'(j_in.pay_len) + POS_W'(3)) >> 2), 2'b00};
      h1_pad_q     <= 2'd0 - j_in.pay_len[1:0];
      h1_cnp_q     <= flags_in[cairn_pkt_pkg::OPF_CNP];
      h1_sum_q     <= {3'b0, 8'h45, j_in.av.tclass} + 19'h4000 + 19'(cairn_pkt_pkg::IPV4_BYTES)
                      + {3'b0, j_in.av.hop, 8'(cairn_pkt_pkg::IP_PROTO_UDP)}
                      + {3'b0, j_in.av.dgid[31:16]} + {3'b0, j_in.av.dgid[15:0]};
    end
  end

  // ---- h2: positions, UDP length, the checksum's sum, extension headers
  logic [POS_W-1:0] h2_lo_q, h2_hi_q, h2_icrc_q, h1_end;
  logic [15:0]      h2_udplen_q, h2_id_q, id_q, udplen;
  logic [1:0]       h2_pad_q;
  logic             h2_cnp_q, h2_data_q;
  logic [127:0]     h2_sgid_q;
  logic [19:0]      h2_sum_q;
  logic [EXT_W-1:0] ext, h2_ext_q;
  logic [cairn_pkt_pkg::EXT_W-1:0] has;

  assign h1_end = POS_W'(h1_hdr_len_q) + (h1_side.raw ? h1_pay_q : h1_padded_q);
  assign udplen = 16'(h1_udp_base_q) + 16'(h1_padded_q);
  assign has    = cairn_pkt_pkg::opcode_ext(h1_job.opcode);

  always_comb begin
    ext = '0;
    if (has[cairn_pkt_pkg::EXT_RETH]) begin
      ext[223:96] = {h1_job.args.va, h1_job.args.key, h1_job.args.len};
      if (has[cairn_pkt_pkg::EXT_IMMDT]) ext[95:64] = h1_job.args.imm;
    end else if (has[cairn_pkt_pkg::EXT_ATOMICETH]) begin
      ext = {h1_job.args.va, h1_job.args.key, h1_job.args.swap_add, h1_job.args.compare};
    end else if (has[cairn_pkt_pkg::EXT_AETH]) begin
      ext[223:192] = h1_job.args.aeth;
      if (has[cairn_pkt_pkg::EXT_ATOMICACKETH]) ext[191:128] = h1_job.args.swap_add;
    end else if (has[cairn_pkt_pkg::EXT_DETH]) begin
      ext[223:160] = {h1_job.qkey, 8'h00, h1_job.qpn};
      if (has[cairn_pkt_pkg::EXT_IMMDT]) ext[159:128] = h1_job.args.imm;
    end else if (has[cairn_pkt_pkg::EXT_IMMDT]) begin
      ext[223:192] = h1_job.args.imm;
    end else if (has[cairn_pkt_pkg::EXT_IETH]) begin
      ext[223:192] = h1_job.args.key;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) id_q <= '0;
    else if (en2 && h1_valid_q && !h1_job.av.ipv6 && !h1_side.raw) id_q <= id_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (en2) begin
      h2_lo_q     <= POS_W'(h1_hdr_len_q);
      h2_hi_q     <= POS_W'(h1_hdr_len_q) + h1_pay_q;
      h2_icrc_q   <= h1_end;
      h2_udplen_q <= udplen;
      h2_id_q     <= id_q;
      h2_data_q   <= h1_pay_q != '0;
      h2_pad_q    <= h1_pad_q;
      h2_cnp_q    <= h1_cnp_q;
      h2_sgid_q   <= h1_sgid;
      h2_sum_q    <= {1'b0, h1_sum_q} + {4'b0, h1_sgid[31:16]} + {4'b0, h1_sgid[15:0]} + {4'b0, udplen} + {4'b0, id_q};
      h2_ext_q    <= ext;
    end
  end

  // ---- h3: checksum; the frame's length
  logic [POS_W-1:0] h2_end;
  logic [16:0]      fold;
  logic [15:0]      csum;
  logic             h2_vlan, h2_ipv6, h2_raw;

  assign h2_raw  = h2_side.raw;
  assign h2_vlan = h2_job.av.vlan;
  assign h2_ipv6 = h2_job.av.ipv6;
  assign h2_end  = h2_raw ? h2_hi_q : h2_icrc_q + POS_W'(cairn_pkt_pkg::ICRC_BYTES);
  assign fold    = {1'b0, h2_sum_q[15:0]} + {13'h0, h2_sum_q[19:16]};
  assign csum    = ~(fold[15:0] + {15'h0, fold[16]});

  // The header in wire order, first byte on top
  cairn_pkt_pkg::ipv4_t ip4;
  cairn_pkt_pkg::ipv6_t ip6;
  cairn_pkt_pkg::udp_t  udp;
  cairn_pkt_pkg::bth_t  bth;
  logic [8*L4_BYTES-1:0] l4;
  logic [8*L3_BYTES-1:0] l3;
  logic [15:0]          etype;
  logic [FRAME_W-1:0]   wire_hdr;

  always_comb begin
    ip4          = '0;
    ip4.version  = 4'd4;
    ip4.ihl      = 4'd5;
    ip4.dscp     = h2_job.av.tclass[7:2];
    ip4.ecn      = h2_job.av.tclass[1:0];
    ip4.length   = h2_udplen_q + 16'(cairn_pkt_pkg::IPV4_BYTES);
    ip4.id       = h2_id_q;
    ip4.df       = 1'b1;
    ip4.ttl      = h2_job.av.hop;
    ip4.proto    = 8'(cairn_pkt_pkg::IP_PROTO_UDP);
    ip4.checksum = csum;
    ip4.src      = h2_sgid_q[31:0];
    ip4.dst      = h2_job.av.dgid[31:0];

    ip6           = '0;
    ip6.version   = 4'd6;
    ip6.dscp      = h2_job.av.tclass[7:2];
    ip6.ecn       = h2_job.av.tclass[1:0];
    ip6.flow      = h2_job.av.flow;
    ip6.length    = h2_udplen_q;
    ip6.next      = 8'(cairn_pkt_pkg::IP_PROTO_UDP);
    ip6.hop_limit = h2_job.av.hop;
    ip6.src_hi    = h2_sgid_q[127:64];
    ip6.src_lo    = h2_sgid_q[63:0];
    ip6.dst_hi    = h2_job.av.dgid[127:64];
    ip6.dst_lo    = h2_job.av.dgid[63:0];

    udp        = '0;
    udp.sport  = h2_job.av.sport;
    udp.dport  = 16'(cairn_pkt_pkg::ROCE_UDP_PORT);
    udp.length = h2_udplen_q;

    bth         = '0;
    bth.opcode  = h2_job.opcode;
    bth.se      = h2_job.se;
    bth.migreq  = !h2_cnp_q;  // migrated, as every adapter sends; captured CNPs carry 0
    bth.pad     = h2_pad_q;
    bth.pkey    = h2_job.av.pkey;
    bth.becn    = h2_cnp_q;
    bth.dest_qp = h2_job.av.dest_qp;
    bth.ackreq  = h2_job.ackreq;
    bth.psn     = h2_job.psn;
  end

  assign l4       = {udp, bth, h2_ext_q};
  assign l3       = h2_ipv6 ? {ip6, l4} : {ip4, l4, {(cairn_pkt_pkg::IPV6_W - cairn_pkt_pkg::IPV4_W){1'b0}}};
  assign etype    = h2_ipv6 ? 16'(cairn_pkt_pkg::ETHERTYPE_IPV6) : 16'(cairn_pkt_pkg::ETHERTYPE_IPV4);
  assign wire_hdr = h2_vlan
                    ? {h2_job.av.dmac, mac_addr_i, 16'(cairn_pkt_pkg::ETHERTYPE_VLAN), h2_job.av.tci, etype, l3}
                    : {h2_job.av.dmac, mac_addr_i, etype, l3, {cairn_pkt_pkg::VLAN_W{1'b0}}};

  logic [8*HDR_BYTES-1:0] h3_hdr_q;
  logic [POS_W-1:0] h3_lo_q, h3_hi_q, h3_icrc_q, h3_total_q;
  logic h3_vlan_q, h3_ipv6_q, h3_data_q;

  for (genvar g = 0; g < HDR_BYTES; g++) begin : g_byte
    if (8 * g < FRAME_W) begin : g_hdr
      always_ff @(posedge clk_i) if (en3) h3_hdr_q[8*g +: 8] <= h2_raw ? 8'h00 : wire_hdr[FRAME_W-1-8*g -: 8];
    end else begin : g_zero
      always_ff @(posedge clk_i) h3_hdr_q[8*g +: 8] <= 8'h00;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en3) begin
      h3_data_q  <= h2_data_q;
      h3_lo_q    <= h2_lo_q;
      h3_hi_q    <= h2_hi_q;
      h3_icrc_q  <= h2_icrc_q;
      h3_total_q <= (h2_end < POS_W'(cairn_pkt_pkg::MIN_FRAME)) ? POS_W'(cairn_pkt_pkg::MIN_FRAME) : h2_end;
      h3_vlan_q  <= h2_vlan;
      h3_ipv6_q  <= h2_ipv6;
    end
  end

  assign out_o     = {h3_valid_q, h3_side_q.ring, h3_side_q.drop, h3_side_q.raw, h3_vlan_q, h3_ipv6_q,
                      11'(h3_side_q.word), 10'(h3_side_q.words), h3_lo_q, h3_hi_q, h3_icrc_q, h3_total_q,
                      h3_data_q, 7'd0};
  assign out_hdr_o = h3_hdr_q;
  assign idle_o    = !(h1_valid_q || h2_valid_q || h3_valid_q);
endmodule
