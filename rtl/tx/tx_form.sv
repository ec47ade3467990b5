// SPDX-License-Identifier: Apache-2.0
// Headers of jobs, made before they wait (64 bit): eight bytes a cycle, from the job where it is offered into a RAM,
// from which tx_builder reads them.
//
// So nothing behind here carries a job: what goes on are the few fields that tx_check and tx_arbiter look at, and where
// the header lies. IBTA 9.2, annex A17.3; RFC 791, 768, 8200; fields as in tx_headers. The frame is cut two bytes
// before its first, so that all headers are whole words of 32 bits; the RAM has four columns of 16 bits with an address
// each, so pieces are written where they are. The IPv4 checksum is added up of what is written, and comes last.
// Order: ACKs, then CNPs, then responses and requests in turn. A port that has been chosen keeps its job until done;
//   begin_o, before that: the length of its header is known.
// Cycles: one for each piece and one for the checksum: 9 for an ACK by IPv4, 11 for a WRITE.
// Owns: the headers. A place is written while its job is at the port and read until the frame has left; its port sees
//   to it that it is free. Errors: none.
module tx_form #(
    parameter int unsigned GIDS   = 16,
    parameter int unsigned SLOT_W = 6,      // places
    parameter bit          ATOMIC = 1'b1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [47:0]               mac_addr_i,
    // GID table write port, see rx_gid_table
    input  cairn_int_pkg::gid_write_t gid_i,
    // jobs at their ports, 0: requests, 1: responses, 2: ACKs, 3: CNPs; each with a place for its header
    input  logic [3:0]                want_i,
    input  cairn_int_pkg::tx_job_t    req_i,
    input  cairn_int_pkg::tx_job_t    rsp_i,
    input  cairn_int_pkg::tx_job_t    ack_i,
    input  cairn_int_pkg::tx_job_t    cnp_i,
    input  logic [SLOT_W-1:0]         req_slot_i,
    input  logic [SLOT_W-1:0]         rsp_slot_i,
    input  logic [SLOT_W-1:0]         plain_slot_i,   // of ACKs and CNPs
    output logic [3:0]                begin_o,        // strobe
    output logic [2:0]                off_o,          // with it: length of the header modulo 8
    output logic [3:0]                done_o,         // strobe: the job may go
    // the builder's read port, data one cycle later
    input  logic                      rd_valid_i,
    input  logic [SLOT_W+3:0]         rd_addr_i,
    output logic [63:0]               rd_data_o,
    output logic                      idle_o
);
  localparam int unsigned IDX_W = (GIDS > 1) ? $clog2(GIDS) : 1;
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  localparam int unsigned WORDS = 16 << SLOT_W;

  typedef enum logic [4:0] {
    NONE, DMAC, SMAC, TAG, V4_FIRST, V4_SRC, V4_DST, V6_FIRST, V6_SRC0, V6_SRC1, V6_DST0, V6_DST1, UDP, BTH, PSN, EXT1,
    EXT2, EXT3, SUM
  } piece_e;

  // ---- whose turn
  piece_e     piece_q, piece_d;
  logic [3:0] gnt_q, gnt_d;
  logic       turn_q, free, ends;

  assign free = piece_q == NONE || piece_q == SUM;

  always_comb begin
    gnt_d = '0;
    if (want_i[2]) gnt_d[2] = 1'b1;
    else if (want_i[3]) gnt_d[3] = 1'b1;
    else if (want_i[1] && (turn_q || !want_i[0])) gnt_d[1] = 1'b1;
    else gnt_d[0] = want_i[0];
  end

  // ---- what is known of the job, in the cycle of DMAC for those behind
  logic [7:0]                      opcode, sgid_index;
  logic [LEN_W-1:0]                pay_len;
  logic                            vlan, ipv6, vlan_q, ipv6_q, cnp_q;
  logic [6:0]                      hdr_len;
  logic [5:0]                      l4_len, l4_q;
  logic [LEN_W:0]                  padded_q;
  logic [1:0]                      pad_q;
  logic [15:0]                     udplen_q;
  logic [cairn_pkt_pkg::EXT_W-1:0] has_q;
  logic [cairn_pkt_pkg::OPF_W-1:0] flags;
  logic [SLOT_W-1:0]               slot_q;
  logic [127:0]                    sgid;
  logic [1:0]                      more;      // pieces behind PSN

  assign opcode     = ({8{gnt_q[0]}} & req_i.opcode) | ({8{gnt_q[1]}} & rsp_i.opcode) | ({8{gnt_q[2]}} & ack_i.opcode)
                      | ({8{gnt_q[3]}} & cnp_i.opcode);
  assign sgid_index = ({8{gnt_q[0]}} & req_i.av.sgid_index) | ({8{gnt_q[1]}} & rsp_i.av.sgid_index)
                      | ({8{gnt_q[2]}} & ack_i.av.sgid_index) | ({8{gnt_q[3]}} & cnp_i.av.sgid_index);
  assign pay_len    = ({LEN_W{gnt_q[0]}} & req_i.pay_len) | ({LEN_W{gnt_q[1]}} & rsp_i.pay_len);
  assign vlan       = (gnt_q & {cnp_i.av.vlan, ack_i.av.vlan, rsp_i.av.vlan, req_i.av.vlan}) != '0;
  assign ipv6       = (gnt_q & {cnp_i.av.ipv6, ack_i.av.ipv6, rsp_i.av.ipv6, req_i.av.ipv6}) != '0;
  assign flags      = cairn_pkt_pkg::opcode_flags(opcode);

  tx_hdr_len u_len (.opcode_i(opcode), .vlan_i(vlan), .ipv6_i(ipv6), .len_o(hdr_len), .l4_o(l4_len));

  ram_1r1w #(.WIDTH(128), .DEPTH(GIDS), .BYPASS(0)) u_gids (
      .clk_i, .we_i(gid_i.we && {1'b0, gid_i.index} < 9'(GIDS)), .waddr_i(gid_i.index[IDX_W-1:0]), .wdata_i(gid_i.addr),
      .re_i(piece_q == DMAC), .raddr_i(sgid_index[IDX_W-1:0]), .rdata_o(sgid));

  always_ff @(posedge clk_i) begin
    if (piece_q == DMAC) begin
      vlan_q   <= vlan;
      ipv6_q   <= ipv6;
      cnp_q    <= flags[cairn_pkt_pkg::OPF_CNP];
      has_q    <= cairn_pkt_pkg::opcode_ext(opcode);
      l4_q     <= l4_len;
      off_o    <= hdr_len[2:0];
      padded_q <= {(LEN_W-1)'(((LEN_W+1)'(pay_len) + (LEN_W+1)'(3)) >> 2), 2'b00};
      pad_q    <= 2'd0 - pay_len[1:0];
      slot_q   <= gnt_q[0] ? req_slot_i : gnt_q[1] ? rsp_slot_i : plain_slot_i;
    end
    if (piece_q == SMAC) udplen_q <= 16'(l4_q) + 16'(cairn_pkt_pkg::ICRC_BYTES) + 16'(padded_q);
  end

  assign begin_o = (piece_q == SMAC) ? gnt_q : '0;
  assign more    = 2'((6'(l4_q) - 6'(cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES)) >> 3);
  assign ends    = (piece_q == PSN && more == 2'd0) || (piece_q == EXT1 && more == 2'd1)
                   || (piece_q == EXT2 && more == 2'd2) || piece_q == EXT3;
  assign done_o  = ends ? gnt_q : '0;
  assign idle_o  = piece_q == NONE;

  always_comb begin
    piece_d = piece_q;
    case (piece_q)
      DMAC:     piece_d = SMAC;
      SMAC:     piece_d = vlan_q ? TAG : ipv6_q ? V6_FIRST : V4_FIRST;
      TAG:      piece_d = ipv6_q ? V6_FIRST : V4_FIRST;
      V4_FIRST: piece_d = V4_SRC;
      V4_SRC:   piece_d = V4_DST;
      V4_DST:   piece_d = UDP;
      V6_FIRST: piece_d = V6_SRC0;
      V6_SRC0:  piece_d = V6_SRC1;
      V6_SRC1:  piece_d = V6_DST0;
      V6_DST0:  piece_d = V6_DST1;
      V6_DST1:  piece_d = UDP;
      UDP:      piece_d = BTH;
      BTH:      piece_d = PSN;
      PSN:      piece_d = EXT1;
      EXT1:     piece_d = EXT2;
      EXT2:     piece_d = EXT3;
      default:  piece_d = (want_i != '0) ? DMAC : NONE;
    endcase
    if (ends) piece_d = SUM;
  end

  logic [15:0] id_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      piece_q <= NONE;
      turn_q  <= 1'b0;
      id_q    <= '0;
    end else begin
      piece_q <= piece_d;
      if (piece_q == DMAC && gnt_q[1:0] != '0) turn_q <= gnt_q[0];
      if (piece_q == SUM && !ipv6_q) id_q <= id_q + 1'b1;
    end
    if (free) gnt_q <= gnt_d;
  end

  // ---- the piece: of the job, and what all have
  cairn_int_pkg::tx_pieces_t which, req_which, rsp_which, ack_which, cnp_which;
  logic [63:0] req_piece, rsp_piece, ack_piece, cnp_piece, common;
  logic [15:0] csum;
  assign which     = {piece_q == DMAC, piece_q == TAG, piece_q == V4_FIRST, piece_q == V4_SRC, piece_q == V4_DST,
                      piece_q == V6_FIRST, piece_q == V6_DST0, piece_q == V6_DST1, piece_q == UDP, piece_q == BTH,
                      piece_q == PSN, piece_q == EXT1, piece_q == EXT2, piece_q == EXT3};
  assign req_which = gnt_q[0] ? which : '0;
  assign rsp_which = gnt_q[1] ? which : '0;
  assign ack_which = gnt_q[2] ? which : '0;
  assign cnp_which = gnt_q[3] ? which : '0;

  // Each port has the headers that its packets can have.
  localparam logic [cairn_pkt_pkg::EXT_W-1:0] AETH  = cairn_pkt_pkg::EXT_W'(1) << cairn_pkt_pkg::EXT_AETH;
  localparam logic [cairn_pkt_pkg::EXT_W-1:0] ATACK = cairn_pkt_pkg::EXT_W'(1) << cairn_pkt_pkg::EXT_ATOMICACKETH;
  tx_piece #(.ATOMIC(ATOMIC)) u_req (
      .job_i(req_i), .has_i(has_q & ~(AETH | ATACK)), .pad_i(pad_q), .cnp_i(1'b0), .which_i(req_which),
      .piece_o(req_piece));
  tx_piece #(.ATOMIC(ATOMIC)) u_rsp (
      .job_i(rsp_i), .has_i(has_q & (AETH | ATACK)), .pad_i(pad_q), .cnp_i(1'b0), .which_i(rsp_which),
      .piece_o(rsp_piece));
  tx_piece #(.ATOMIC(1'b0)) u_ack (
      .job_i(ack_i), .has_i(has_q & AETH), .pad_i(2'd0), .cnp_i(1'b0), .which_i(ack_which), .piece_o(ack_piece));
  tx_piece #(.ATOMIC(1'b0)) u_cnp (
      .job_i(cnp_i), .has_i('0), .pad_i(2'd0), .cnp_i(cnp_q), .which_i(cnp_which), .piece_o(cnp_piece));

  always_comb begin
    case (piece_q)
      SMAC: common = {mac_addr_i, vlan_q ? 16'(cairn_pkt_pkg::ETHERTYPE_VLAN)
                                  : ipv6_q ? 16'(cairn_pkt_pkg::ETHERTYPE_IPV6) : 16'(cairn_pkt_pkg::ETHERTYPE_IPV4)};
      TAG:  common = {16'h0, ipv6_q ? 16'(cairn_pkt_pkg::ETHERTYPE_IPV6) : 16'(cairn_pkt_pkg::ETHERTYPE_IPV4), 32'h0};
      V4_FIRST: common = {8'h45, 8'h0, udplen_q + 16'(cairn_pkt_pkg::IPV4_BYTES), id_q, 16'h4000};
      V4_SRC:   common = {8'h0, 8'(cairn_pkt_pkg::IP_PROTO_UDP), 16'h0, sgid[31:0]};
      V6_FIRST: common = {4'h6, 28'h0, udplen_q, 8'(cairn_pkt_pkg::IP_PROTO_UDP), 8'h0};
      V6_SRC0:  common = sgid[127:64];
      V6_SRC1:  common = sgid[63:0];
      UDP:      common = {16'h0, 16'(cairn_pkt_pkg::ROCE_UDP_PORT), udplen_q, 16'h0};
      SUM:      common = {16'h0, csum, 32'h0};
      default:  common = '0;
    endcase
  end

  // ---- w: written a cycle later
  logic              w_valid_q, w_sum_q, w_first_q, w_v4_q, w_dst_q;
  logic [4:0]        pos_q, w_pos_q;      // in words of 32 bits
  logic [SLOT_W-1:0] w_slot_q;
  logic [63:0]       w_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_valid_q <= 1'b0;
    else w_valid_q <= piece_q != NONE && !(piece_q == SUM && ipv6_q);
    w_sum_q   <= piece_q == SUM;
    w_first_q <= piece_q == DMAC;
    w_v4_q    <= piece_q == V4_FIRST || piece_q == V4_SRC || piece_q == V4_DST;
    w_dst_q   <= piece_q == V4_DST;
    w_q       <= req_piece | rsp_piece | ack_piece | cnp_piece | common;
    pos_q     <= free ? '0 : pos_q + ((piece_q == TAG || piece_q == V4_DST) ? 5'd1 : 5'd2);
    w_pos_q   <= (piece_q == SUM) ? {4'd3, vlan_q} : pos_q;
    w_slot_q  <= (piece_q == DMAC) ? (gnt_q[0] ? req_slot_i : gnt_q[1] ? rsp_slot_i : plain_slot_i) : slot_q;
  end

  // ---- IPv4 checksum
  logic [19:0] sum_q;
  logic [16:0] fold;
  always_ff @(posedge clk_i) begin
    if (w_first_q) sum_q <= '0;
    else if (w_v4_q) sum_q <= sum_q + 20'(w_q[63:48]) + 20'(w_q[47:32])
                              + (w_dst_q ? 20'd0 : 20'(w_q[31:16]) + 20'(w_q[15:0]));
  end
  assign fold = {1'b0, sum_q[15:0]} + {13'h0, sum_q[19:16]};
  assign csum = ~(fold[15:0] + {15'h0, fold[16]});

  // ---- RAM: column 3 lies before column 0 of the piece, if that begins at an even word
  logic        odd;
  logic [3:0]  at;
  logic [3:0]  we;
  logic [15:0] u0, u1, u2, u3;
  assign odd = w_pos_q[0];
  assign at  = w_pos_q[4:1];
  assign u0  = {w_q[55:48], w_q[63:56]};
  assign u1  = {w_q[39:32], w_q[47:40]};
  assign u2  = {w_q[23:16], w_q[31:24]};
  assign u3  = {w_q[7:0], w_q[15:8]};
  assign we  = !w_valid_q ? 4'b0000 : w_sum_q ? (odd ? 4'b0100 : 4'b0001) : w_first_q ? 4'b0111 : 4'b1111;
  ram_1r1w #(.WIDTH(16), .DEPTH(WORDS), .BYPASS(2)) u_col0 (
      .clk_i, .we_i(we[0]), .waddr_i({w_slot_q, at + 4'(odd)}), .wdata_i(odd ? u3 : u1),
      .re_i(rd_valid_i), .raddr_i(rd_addr_i), .rdata_o(rd_data_o[15:0]));
  ram_1r1w #(.WIDTH(32), .DEPTH(WORDS), .COL_W(16), .BYPASS(2)) u_col12 (
      .clk_i, .we_i(we[2:1]), .waddr_i({w_slot_q, at}), .wdata_i(odd ? {u1, u0} : {u3, u2}),
      .re_i(rd_valid_i), .raddr_i(rd_addr_i), .rdata_o(rd_data_o[47:16]));
  ram_1r1w #(.WIDTH(16), .DEPTH(WORDS), .BYPASS(2)) u_col3 (
      .clk_i, .we_i(we[3]), .waddr_i({w_slot_q, odd ? at : at - 4'd1}), .wdata_i(odd ? u2 : u0),
      .re_i(rd_valid_i), .raddr_i(rd_addr_i), .rdata_o(rd_data_o[63:48]));
endmodule
