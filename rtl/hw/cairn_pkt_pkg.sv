// SPDX-License-Identifier: Apache-2.0
// RoCE v2 headers and the BTH opcode table.  Generated from rtl/hw/pkt.def by hwgen (make hw): do not edit.
//
// Names, always used as cairn_pkt_pkg::<name>:
//   CONST      <NAME>                       int unsigned (logic [63:0] when it needs more)
//   REG        REG_<NAME>                   offset in BAR0; fields REG_<NAME>_<FIELD>_LSB and _W
//   ENUM       <name>_t                     plain vector; values <NAME>_<VALUE> of that width
//   STRUCT     <name>_t, <NAME>_W           packed struct, byte 0 in bits 7:0; members <word> or, where the word has
//                                           fields, <word>_<field> (or <field>, if the word is called so); gapN are unused and zero
//              <NAME>_<WORD>_LSB, _W, <NAME>_<WORD>_<FIELD>_LSB, _W    places in the struct as a vector
//   RECORD, BUNDLE  <name>_t, <NAME>_W      packed struct, first member in the top bits
//   HDR        <name>_t, <NAME>_W, _BYTES   packed struct, first byte on the wire in the top bits; members <field>
//              <NAME>_<FIELD>_LSB, _W       places in the struct as a vector
//   OPFLAG     OPF_<NAME>                   bit number in opcode_flags(); OPF_W wide
//   OPCODE     OPCODE_<NAME>                logic [7:0]; opcode_flags(), opcode_ext(), opcode_ext_bytes()
//   WQE_OP     WQE_OP_<NAME>                a value of wqe_op_t; wqe_info() of type wqe_info_t, bth_opcode()
//   COUNTER    COUNTER_<NAME>               index; COUNTERS is their number
//   SOURCE     <name>_events_t, <NAME>_EVENTS_W   packed struct, first member in the top bits; counter_events(),
//                                           counter_bytes(), qp_<bank>_strobes() and _qpns() of the outermost one
// A member whose name is a keyword of the language ends in an underscore (type_).
package cairn_pkt_pkg;

  localparam int unsigned ROCE_UDP_PORT = 32'h12b7;  // UDP destination port of RoCE v2
  localparam int unsigned ICRC_BYTES = 32'h4;  // Invariant CRC at the end of the UDP payload
  localparam int unsigned ETHERTYPE_IPV4 = 32'h800;
  localparam int unsigned ETHERTYPE_IPV6 = 32'h86dd;
  localparam int unsigned ETHERTYPE_ARP = 32'h806;
  localparam int unsigned ETHERTYPE_VLAN = 32'h8100;
  localparam int unsigned IP_PROTO_UDP = 32'h11;
  localparam int unsigned IP_PROTO_ICMP = 32'h1;
  localparam int unsigned IP_PROTO_ICMPV6 = 32'h3a;
  localparam int unsigned MIN_FRAME = 32'h3c;  // Shortest Ethernet frame without FCS; shorter ones are padded
  localparam int unsigned MAX_HEADER = 32'h66;  // Longest header up to the payload: VLAN tag, IPv6, WRITE_ONLY_WITH_IMM
  localparam int unsigned ICRC_SEED = 32'hdebb20e3;  // CRC-32 state after the eight 0xFF bytes that stand for the LRH, before the final inversion

  // Ethernet
  localparam int unsigned ETH_BYTES = 14;
  localparam int unsigned ETH_W = 112;
  typedef struct packed {
    logic [47:0] dst;
    logic [47:0] src;
    logic [15:0] type_;
  } eth_t;
  localparam int unsigned ETH_DST_LSB = 64;
  localparam int unsigned ETH_DST_W = 48;
  localparam int unsigned ETH_SRC_LSB = 16;
  localparam int unsigned ETH_SRC_W = 48;
  localparam int unsigned ETH_TYPE_LSB = 0;
  localparam int unsigned ETH_TYPE_W = 16;

  // 802.1Q tag, between source and EtherType
  localparam int unsigned VLAN_BYTES = 4;
  localparam int unsigned VLAN_W = 32;
  typedef struct packed {
    logic [15:0] tpid;
    logic [2:0] pcp;
    logic dei;
    logic [11:0] vid;
  } vlan_t;
  localparam int unsigned VLAN_TPID_LSB = 16;
  localparam int unsigned VLAN_TPID_W = 16;
  localparam int unsigned VLAN_PCP_LSB = 13;
  localparam int unsigned VLAN_PCP_W = 3;
  localparam int unsigned VLAN_DEI_LSB = 12;
  localparam int unsigned VLAN_DEI_W = 1;
  localparam int unsigned VLAN_VID_LSB = 0;
  localparam int unsigned VLAN_VID_W = 12;

  // IPv4 without options
  localparam int unsigned IPV4_BYTES = 20;
  localparam int unsigned IPV4_W = 160;
  typedef struct packed {
    logic [3:0] version;
    logic [3:0] ihl;
    logic [5:0] dscp;
    logic [1:0] ecn;
    logic [15:0] length;
    logic [15:0] id;
    logic rsvd;
    logic df;
    logic mf;
    logic [12:0] frag;
    logic [7:0] ttl;
    logic [7:0] proto;
    logic [15:0] checksum;
    logic [31:0] src;
    logic [31:0] dst;
  } ipv4_t;
  localparam int unsigned IPV4_VERSION_LSB = 156;
  localparam int unsigned IPV4_VERSION_W = 4;
  localparam int unsigned IPV4_IHL_LSB = 152;
  localparam int unsigned IPV4_IHL_W = 4;
  localparam int unsigned IPV4_DSCP_LSB = 146;
  localparam int unsigned IPV4_DSCP_W = 6;
  localparam int unsigned IPV4_ECN_LSB = 144;
  localparam int unsigned IPV4_ECN_W = 2;
  localparam int unsigned IPV4_LENGTH_LSB = 128;
  localparam int unsigned IPV4_LENGTH_W = 16;
  localparam int unsigned IPV4_ID_LSB = 112;
  localparam int unsigned IPV4_ID_W = 16;
  localparam int unsigned IPV4_RSVD_LSB = 111;
  localparam int unsigned IPV4_RSVD_W = 1;
  localparam int unsigned IPV4_DF_LSB = 110;
  localparam int unsigned IPV4_DF_W = 1;
  localparam int unsigned IPV4_MF_LSB = 109;
  localparam int unsigned IPV4_MF_W = 1;
  localparam int unsigned IPV4_FRAG_LSB = 96;
  localparam int unsigned IPV4_FRAG_W = 13;
  localparam int unsigned IPV4_TTL_LSB = 88;
  localparam int unsigned IPV4_TTL_W = 8;
  localparam int unsigned IPV4_PROTO_LSB = 80;
  localparam int unsigned IPV4_PROTO_W = 8;
  localparam int unsigned IPV4_CHECKSUM_LSB = 64;
  localparam int unsigned IPV4_CHECKSUM_W = 16;
  localparam int unsigned IPV4_SRC_LSB = 32;
  localparam int unsigned IPV4_SRC_W = 32;
  localparam int unsigned IPV4_DST_LSB = 0;
  localparam int unsigned IPV4_DST_W = 32;

  // IPv6
  localparam int unsigned IPV6_BYTES = 40;
  localparam int unsigned IPV6_W = 320;
  typedef struct packed {
    logic [3:0] version;
    logic [5:0] dscp;
    logic [1:0] ecn;
    logic [19:0] flow;
    logic [15:0] length;
    logic [7:0] next;
    logic [7:0] hop_limit;
    logic [63:0] src_hi;
    logic [63:0] src_lo;
    logic [63:0] dst_hi;
    logic [63:0] dst_lo;
  } ipv6_t;
  localparam int unsigned IPV6_VERSION_LSB = 316;
  localparam int unsigned IPV6_VERSION_W = 4;
  localparam int unsigned IPV6_DSCP_LSB = 310;
  localparam int unsigned IPV6_DSCP_W = 6;
  localparam int unsigned IPV6_ECN_LSB = 308;
  localparam int unsigned IPV6_ECN_W = 2;
  localparam int unsigned IPV6_FLOW_LSB = 288;
  localparam int unsigned IPV6_FLOW_W = 20;
  localparam int unsigned IPV6_LENGTH_LSB = 272;
  localparam int unsigned IPV6_LENGTH_W = 16;
  localparam int unsigned IPV6_NEXT_LSB = 264;
  localparam int unsigned IPV6_NEXT_W = 8;
  localparam int unsigned IPV6_HOP_LIMIT_LSB = 256;
  localparam int unsigned IPV6_HOP_LIMIT_W = 8;
  localparam int unsigned IPV6_SRC_HI_LSB = 192;
  localparam int unsigned IPV6_SRC_HI_W = 64;
  localparam int unsigned IPV6_SRC_LO_LSB = 128;
  localparam int unsigned IPV6_SRC_LO_W = 64;
  localparam int unsigned IPV6_DST_HI_LSB = 64;
  localparam int unsigned IPV6_DST_HI_W = 64;
  localparam int unsigned IPV6_DST_LO_LSB = 0;
  localparam int unsigned IPV6_DST_LO_W = 64;

  // UDP
  localparam int unsigned UDP_BYTES = 8;
  localparam int unsigned UDP_W = 64;
  typedef struct packed {
    logic [15:0] sport;
    logic [15:0] dport;
    logic [15:0] length;
    logic [15:0] checksum;
  } udp_t;
  localparam int unsigned UDP_SPORT_LSB = 48;
  localparam int unsigned UDP_SPORT_W = 16;
  localparam int unsigned UDP_DPORT_LSB = 32;
  localparam int unsigned UDP_DPORT_W = 16;
  localparam int unsigned UDP_LENGTH_LSB = 16;
  localparam int unsigned UDP_LENGTH_W = 16;
  localparam int unsigned UDP_CHECKSUM_LSB = 0;
  localparam int unsigned UDP_CHECKSUM_W = 16;

  // Base Transport Header
  localparam int unsigned BTH_BYTES = 12;
  localparam int unsigned BTH_W = 96;
  typedef struct packed {
    logic [7:0] opcode;
    logic se;
    logic migreq;
    logic [1:0] pad;
    logic [3:0] tver;
    logic [15:0] pkey;
    logic fecn;
    logic becn;
    logic [5:0] resv6;
    logic [23:0] dest_qp;
    logic ackreq;
    logic [6:0] resv7;
    logic [23:0] psn;
  } bth_t;
  localparam int unsigned BTH_OPCODE_LSB = 88;
  localparam int unsigned BTH_OPCODE_W = 8;
  localparam int unsigned BTH_SE_LSB = 87;
  localparam int unsigned BTH_SE_W = 1;
  localparam int unsigned BTH_MIGREQ_LSB = 86;
  localparam int unsigned BTH_MIGREQ_W = 1;
  localparam int unsigned BTH_PAD_LSB = 84;
  localparam int unsigned BTH_PAD_W = 2;
  localparam int unsigned BTH_TVER_LSB = 80;
  localparam int unsigned BTH_TVER_W = 4;
  localparam int unsigned BTH_PKEY_LSB = 64;
  localparam int unsigned BTH_PKEY_W = 16;
  localparam int unsigned BTH_FECN_LSB = 63;
  localparam int unsigned BTH_FECN_W = 1;
  localparam int unsigned BTH_BECN_LSB = 62;
  localparam int unsigned BTH_BECN_W = 1;
  localparam int unsigned BTH_RESV6_LSB = 56;
  localparam int unsigned BTH_RESV6_W = 6;
  localparam int unsigned BTH_DEST_QP_LSB = 32;
  localparam int unsigned BTH_DEST_QP_W = 24;
  localparam int unsigned BTH_ACKREQ_LSB = 31;
  localparam int unsigned BTH_ACKREQ_W = 1;
  localparam int unsigned BTH_RESV7_LSB = 24;
  localparam int unsigned BTH_RESV7_W = 7;
  localparam int unsigned BTH_PSN_LSB = 0;
  localparam int unsigned BTH_PSN_W = 24;

  // RDMA Extended Transport Header
  localparam int unsigned RETH_BYTES = 16;
  localparam int unsigned RETH_W = 128;
  typedef struct packed {
    logic [63:0] va;
    logic [31:0] rkey;
    logic [31:0] length;
  } reth_t;
  localparam int unsigned RETH_VA_LSB = 64;
  localparam int unsigned RETH_VA_W = 64;
  localparam int unsigned RETH_RKEY_LSB = 32;
  localparam int unsigned RETH_RKEY_W = 32;
  localparam int unsigned RETH_LENGTH_LSB = 0;
  localparam int unsigned RETH_LENGTH_W = 32;

  // Atomic Extended Transport Header
  localparam int unsigned ATOMICETH_BYTES = 28;
  localparam int unsigned ATOMICETH_W = 224;
  typedef struct packed {
    logic [63:0] va;
    logic [31:0] rkey;
    logic [63:0] swap_add;
    logic [63:0] compare;
  } atomiceth_t;
  localparam int unsigned ATOMICETH_VA_LSB = 160;
  localparam int unsigned ATOMICETH_VA_W = 64;
  localparam int unsigned ATOMICETH_RKEY_LSB = 128;
  localparam int unsigned ATOMICETH_RKEY_W = 32;
  localparam int unsigned ATOMICETH_SWAP_ADD_LSB = 64;
  localparam int unsigned ATOMICETH_SWAP_ADD_W = 64;
  localparam int unsigned ATOMICETH_COMPARE_LSB = 0;
  localparam int unsigned ATOMICETH_COMPARE_W = 64;

  // ACK Extended Transport Header
  localparam int unsigned AETH_BYTES = 4;
  localparam int unsigned AETH_W = 32;
  typedef struct packed {
    logic [7:0] syndrome;
    logic [23:0] msn;
  } aeth_t;
  localparam int unsigned AETH_SYNDROME_LSB = 24;
  localparam int unsigned AETH_SYNDROME_W = 8;
  localparam int unsigned AETH_MSN_LSB = 0;
  localparam int unsigned AETH_MSN_W = 24;

  // Atomic ACK Extended Transport Header
  localparam int unsigned ATOMICACKETH_BYTES = 8;
  localparam int unsigned ATOMICACKETH_W = 64;
  typedef struct packed {
    logic [63:0] orig;
  } atomicacketh_t;
  localparam int unsigned ATOMICACKETH_ORIG_LSB = 0;
  localparam int unsigned ATOMICACKETH_ORIG_W = 64;

  // Datagram Extended Transport Header
  localparam int unsigned DETH_BYTES = 8;
  localparam int unsigned DETH_W = 64;
  typedef struct packed {
    logic [31:0] qkey;
    logic [7:0] rsvd;
    logic [23:0] src_qp;
  } deth_t;
  localparam int unsigned DETH_QKEY_LSB = 32;
  localparam int unsigned DETH_QKEY_W = 32;
  localparam int unsigned DETH_RSVD_LSB = 24;
  localparam int unsigned DETH_RSVD_W = 8;
  localparam int unsigned DETH_SRC_QP_LSB = 0;
  localparam int unsigned DETH_SRC_QP_W = 24;

  // Immediate data
  localparam int unsigned IMMDT_BYTES = 4;
  localparam int unsigned IMMDT_W = 32;
  typedef struct packed {
    logic [31:0] imm;
  } immdt_t;
  localparam int unsigned IMMDT_IMM_LSB = 0;
  localparam int unsigned IMMDT_IMM_W = 32;

  // Invalidate Extended Transport Header
  localparam int unsigned IETH_BYTES = 4;
  localparam int unsigned IETH_W = 32;
  typedef struct packed {
    logic [31:0] rkey;
  } ieth_t;
  localparam int unsigned IETH_RKEY_LSB = 0;
  localparam int unsigned IETH_RKEY_W = 32;

  // BTH opcode bits 7:5
  typedef logic [2:0] transport_t;
  localparam logic [2:0] TRANSPORT_RC = 3'd0;
  localparam logic [2:0] TRANSPORT_UC = 3'd1;
  localparam logic [2:0] TRANSPORT_RD = 3'd2;
  localparam logic [2:0] TRANSPORT_UD = 3'd3;
  localparam logic [2:0] TRANSPORT_CNP = 3'd4;
  localparam logic [2:0] TRANSPORT_XRC = 3'd5;

  // AETH syndrome bits 6:5
  typedef logic [1:0] aeth_class_t;
  localparam logic [1:0] AETH_CLASS_ACK = 2'd0;
  localparam logic [1:0] AETH_CLASS_RNR = 2'd1;
  localparam logic [1:0] AETH_CLASS_RSVD = 2'd2;
  localparam logic [1:0] AETH_CLASS_NAK = 2'd3;

  // AETH syndrome bits 4:0 of a NAK
  typedef logic [4:0] aeth_nak_t;
  localparam logic [4:0] AETH_NAK_SEQ = 5'd0;  // PSN sequence error
  localparam logic [4:0] AETH_NAK_INV_REQ = 5'd1;  // Invalid request
  localparam logic [4:0] AETH_NAK_ACCESS = 5'd2;  // Remote access error
  localparam logic [4:0] AETH_NAK_OP = 5'd3;  // Remote operational error
  localparam logic [4:0] AETH_NAK_INV_RD = 5'd4;  // Invalid RD request

  localparam int unsigned AETH_NO_CREDIT = 32'h1f;  // ACK syndrome: end-to-end credits not used

  // Flags of an opcode: bit numbers
  localparam int unsigned OPF_VALID = 0;  // Defined opcode
  localparam int unsigned OPF_REQ = 1;  // Request, goes to the responder
  localparam int unsigned OPF_RSP = 2;  // Response, goes to the completer
  localparam int unsigned OPF_START = 3;  // First packet of a message
  localparam int unsigned OPF_END = 4;  // Last packet of a message
  localparam int unsigned OPF_SEND = 5;  // SEND family
  localparam int unsigned OPF_WRITE = 6;  // RDMA Write family
  localparam int unsigned OPF_READ = 7;  // RDMA Read request or response
  localparam int unsigned OPF_ATOMIC = 8;  // Atomic request or response
  localparam int unsigned OPF_ACK = 9;  // Acknowledge
  localparam int unsigned OPF_PAYLOAD = 10;  // May carry payload
  localparam int unsigned OPF_FULL = 11;  // Payload must be exactly the path MTU
  localparam int unsigned OPF_NONZERO = 12;  // Payload must not be empty
  localparam int unsigned OPF_RWR = 13;  // Consumes a receive WQE
  localparam int unsigned OPF_COMP = 14;  // Completes a receive WQE
  localparam int unsigned OPF_IMM = 15;  // Carries immediate data
  localparam int unsigned OPF_INV = 16;  // Carries a key to invalidate
  localparam int unsigned OPF_CNP = 17;  // Congestion notification
  localparam int unsigned OPF_W = 18;

  // Extension headers of an opcode: bit numbers; on the wire they follow the BTH in this order
  localparam int unsigned EXT_RETH = 0;
  localparam int unsigned EXT_ATOMICETH = 1;
  localparam int unsigned EXT_AETH = 2;
  localparam int unsigned EXT_ATOMICACKETH = 3;
  localparam int unsigned EXT_DETH = 4;
  localparam int unsigned EXT_IMMDT = 5;
  localparam int unsigned EXT_IETH = 6;
  localparam int unsigned EXT_W = 7;

  // BTH opcodes
  localparam logic [7:0] OPCODE_RC_SEND_FIRST = 8'h00;
  localparam logic [7:0] OPCODE_RC_SEND_MIDDLE = 8'h01;
  localparam logic [7:0] OPCODE_RC_SEND_LAST = 8'h02;
  localparam logic [7:0] OPCODE_RC_SEND_LAST_IMM = 8'h03;
  localparam logic [7:0] OPCODE_RC_SEND_ONLY = 8'h04;
  localparam logic [7:0] OPCODE_RC_SEND_ONLY_IMM = 8'h05;
  localparam logic [7:0] OPCODE_RC_WRITE_FIRST = 8'h06;
  localparam logic [7:0] OPCODE_RC_WRITE_MIDDLE = 8'h07;
  localparam logic [7:0] OPCODE_RC_WRITE_LAST = 8'h08;
  localparam logic [7:0] OPCODE_RC_WRITE_LAST_IMM = 8'h09;
  localparam logic [7:0] OPCODE_RC_WRITE_ONLY = 8'h0a;
  localparam logic [7:0] OPCODE_RC_WRITE_ONLY_IMM = 8'h0b;
  localparam logic [7:0] OPCODE_RC_READ_REQUEST = 8'h0c;
  localparam logic [7:0] OPCODE_RC_READ_RSP_FIRST = 8'h0d;
  localparam logic [7:0] OPCODE_RC_READ_RSP_MIDDLE = 8'h0e;
  localparam logic [7:0] OPCODE_RC_READ_RSP_LAST = 8'h0f;
  localparam logic [7:0] OPCODE_RC_READ_RSP_ONLY = 8'h10;
  localparam logic [7:0] OPCODE_RC_ACKNOWLEDGE = 8'h11;
  localparam logic [7:0] OPCODE_RC_ATOMIC_ACK = 8'h12;
  localparam logic [7:0] OPCODE_RC_COMPARE_SWAP = 8'h13;
  localparam logic [7:0] OPCODE_RC_FETCH_ADD = 8'h14;
  localparam logic [7:0] OPCODE_RC_SEND_LAST_INV = 8'h16;
  localparam logic [7:0] OPCODE_RC_SEND_ONLY_INV = 8'h17;
  localparam logic [7:0] OPCODE_UC_SEND_FIRST = 8'h20;
  localparam logic [7:0] OPCODE_UC_SEND_MIDDLE = 8'h21;
  localparam logic [7:0] OPCODE_UC_SEND_LAST = 8'h22;
  localparam logic [7:0] OPCODE_UC_SEND_LAST_IMM = 8'h23;
  localparam logic [7:0] OPCODE_UC_SEND_ONLY = 8'h24;
  localparam logic [7:0] OPCODE_UC_SEND_ONLY_IMM = 8'h25;
  localparam logic [7:0] OPCODE_UC_WRITE_FIRST = 8'h26;
  localparam logic [7:0] OPCODE_UC_WRITE_MIDDLE = 8'h27;
  localparam logic [7:0] OPCODE_UC_WRITE_LAST = 8'h28;
  localparam logic [7:0] OPCODE_UC_WRITE_LAST_IMM = 8'h29;
  localparam logic [7:0] OPCODE_UC_WRITE_ONLY = 8'h2a;
  localparam logic [7:0] OPCODE_UC_WRITE_ONLY_IMM = 8'h2b;
  localparam logic [7:0] OPCODE_UD_SEND_ONLY = 8'h64;
  localparam logic [7:0] OPCODE_UD_SEND_ONLY_IMM = 8'h65;
  localparam logic [7:0] OPCODE_CNP = 8'h81;  // 16 zero bytes follow

  // OPF_* bits of an opcode; VALID is 0 for an undefined one
  function automatic logic [17:0] opcode_flags(input logic [7:0] opcode);
    case (opcode)
      OPCODE_RC_SEND_FIRST: opcode_flags = 18'h2c2b;
      OPCODE_RC_SEND_MIDDLE: opcode_flags = 18'hc23;
      OPCODE_RC_SEND_LAST: opcode_flags = 18'h5433;
      OPCODE_RC_SEND_LAST_IMM: opcode_flags = 18'hd433;
      OPCODE_RC_SEND_ONLY: opcode_flags = 18'h643b;
      OPCODE_RC_SEND_ONLY_IMM: opcode_flags = 18'he43b;
      OPCODE_RC_WRITE_FIRST: opcode_flags = 18'hc4b;
      OPCODE_RC_WRITE_MIDDLE: opcode_flags = 18'hc43;
      OPCODE_RC_WRITE_LAST: opcode_flags = 18'h1453;
      OPCODE_RC_WRITE_LAST_IMM: opcode_flags = 18'hf453;
      OPCODE_RC_WRITE_ONLY: opcode_flags = 18'h45b;
      OPCODE_RC_WRITE_ONLY_IMM: opcode_flags = 18'he45b;
      OPCODE_RC_READ_REQUEST: opcode_flags = 18'h9b;
      OPCODE_RC_READ_RSP_FIRST: opcode_flags = 18'hc8d;
      OPCODE_RC_READ_RSP_MIDDLE: opcode_flags = 18'hc85;
      OPCODE_RC_READ_RSP_LAST: opcode_flags = 18'h1495;
      OPCODE_RC_READ_RSP_ONLY: opcode_flags = 18'h49d;
      OPCODE_RC_ACKNOWLEDGE: opcode_flags = 18'h205;
      OPCODE_RC_ATOMIC_ACK: opcode_flags = 18'h11d;
      OPCODE_RC_COMPARE_SWAP: opcode_flags = 18'h11b;
      OPCODE_RC_FETCH_ADD: opcode_flags = 18'h11b;
      OPCODE_RC_SEND_LAST_INV: opcode_flags = 18'h15433;
      OPCODE_RC_SEND_ONLY_INV: opcode_flags = 18'h1643b;
      OPCODE_UC_SEND_FIRST: opcode_flags = 18'h2c2b;
      OPCODE_UC_SEND_MIDDLE: opcode_flags = 18'hc23;
      OPCODE_UC_SEND_LAST: opcode_flags = 18'h5433;
      OPCODE_UC_SEND_LAST_IMM: opcode_flags = 18'hd433;
      OPCODE_UC_SEND_ONLY: opcode_flags = 18'h643b;
      OPCODE_UC_SEND_ONLY_IMM: opcode_flags = 18'he43b;
      OPCODE_UC_WRITE_FIRST: opcode_flags = 18'hc4b;
      OPCODE_UC_WRITE_MIDDLE: opcode_flags = 18'hc43;
      OPCODE_UC_WRITE_LAST: opcode_flags = 18'h1453;
      OPCODE_UC_WRITE_LAST_IMM: opcode_flags = 18'hf453;
      OPCODE_UC_WRITE_ONLY: opcode_flags = 18'h45b;
      OPCODE_UC_WRITE_ONLY_IMM: opcode_flags = 18'he45b;
      OPCODE_UD_SEND_ONLY: opcode_flags = 18'h643b;
      OPCODE_UD_SEND_ONLY_IMM: opcode_flags = 18'he43b;
      OPCODE_CNP: opcode_flags = 18'h20001;
      default: opcode_flags = 18'h0;
    endcase
  endfunction

  // EXT_* bits of an opcode
  function automatic logic [6:0] opcode_ext(input logic [7:0] opcode);
    case (opcode)
      OPCODE_RC_SEND_FIRST: opcode_ext = 7'h0;
      OPCODE_RC_SEND_MIDDLE: opcode_ext = 7'h0;
      OPCODE_RC_SEND_LAST: opcode_ext = 7'h0;
      OPCODE_RC_SEND_LAST_IMM: opcode_ext = 7'h20;
      OPCODE_RC_SEND_ONLY: opcode_ext = 7'h0;
      OPCODE_RC_SEND_ONLY_IMM: opcode_ext = 7'h20;
      OPCODE_RC_WRITE_FIRST: opcode_ext = 7'h1;
      OPCODE_RC_WRITE_MIDDLE: opcode_ext = 7'h0;
      OPCODE_RC_WRITE_LAST: opcode_ext = 7'h0;
      OPCODE_RC_WRITE_LAST_IMM: opcode_ext = 7'h20;
      OPCODE_RC_WRITE_ONLY: opcode_ext = 7'h1;
      OPCODE_RC_WRITE_ONLY_IMM: opcode_ext = 7'h21;
      OPCODE_RC_READ_REQUEST: opcode_ext = 7'h1;
      OPCODE_RC_READ_RSP_FIRST: opcode_ext = 7'h4;
      OPCODE_RC_READ_RSP_MIDDLE: opcode_ext = 7'h0;
      OPCODE_RC_READ_RSP_LAST: opcode_ext = 7'h4;
      OPCODE_RC_READ_RSP_ONLY: opcode_ext = 7'h4;
      OPCODE_RC_ACKNOWLEDGE: opcode_ext = 7'h4;
      OPCODE_RC_ATOMIC_ACK: opcode_ext = 7'hc;
      OPCODE_RC_COMPARE_SWAP: opcode_ext = 7'h2;
      OPCODE_RC_FETCH_ADD: opcode_ext = 7'h2;
      OPCODE_RC_SEND_LAST_INV: opcode_ext = 7'h40;
      OPCODE_RC_SEND_ONLY_INV: opcode_ext = 7'h40;
      OPCODE_UC_SEND_FIRST: opcode_ext = 7'h0;
      OPCODE_UC_SEND_MIDDLE: opcode_ext = 7'h0;
      OPCODE_UC_SEND_LAST: opcode_ext = 7'h0;
      OPCODE_UC_SEND_LAST_IMM: opcode_ext = 7'h20;
      OPCODE_UC_SEND_ONLY: opcode_ext = 7'h0;
      OPCODE_UC_SEND_ONLY_IMM: opcode_ext = 7'h20;
      OPCODE_UC_WRITE_FIRST: opcode_ext = 7'h1;
      OPCODE_UC_WRITE_MIDDLE: opcode_ext = 7'h0;
      OPCODE_UC_WRITE_LAST: opcode_ext = 7'h0;
      OPCODE_UC_WRITE_LAST_IMM: opcode_ext = 7'h20;
      OPCODE_UC_WRITE_ONLY: opcode_ext = 7'h1;
      OPCODE_UC_WRITE_ONLY_IMM: opcode_ext = 7'h21;
      OPCODE_UD_SEND_ONLY: opcode_ext = 7'h10;
      OPCODE_UD_SEND_ONLY_IMM: opcode_ext = 7'h30;
      OPCODE_CNP: opcode_ext = 7'h0;
      default: opcode_ext = 7'h0;
    endcase
  endfunction

  // Length of the extension headers
  function automatic logic [5:0] opcode_ext_bytes(input logic [7:0] opcode);
    case (opcode)
      OPCODE_RC_SEND_FIRST: opcode_ext_bytes = 6'h0;
      OPCODE_RC_SEND_MIDDLE: opcode_ext_bytes = 6'h0;
      OPCODE_RC_SEND_LAST: opcode_ext_bytes = 6'h0;
      OPCODE_RC_SEND_LAST_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_RC_SEND_ONLY: opcode_ext_bytes = 6'h0;
      OPCODE_RC_SEND_ONLY_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_RC_WRITE_FIRST: opcode_ext_bytes = 6'h10;
      OPCODE_RC_WRITE_MIDDLE: opcode_ext_bytes = 6'h0;
      OPCODE_RC_WRITE_LAST: opcode_ext_bytes = 6'h0;
      OPCODE_RC_WRITE_LAST_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_RC_WRITE_ONLY: opcode_ext_bytes = 6'h10;
      OPCODE_RC_WRITE_ONLY_IMM: opcode_ext_bytes = 6'h14;
      OPCODE_RC_READ_REQUEST: opcode_ext_bytes = 6'h10;
      OPCODE_RC_READ_RSP_FIRST: opcode_ext_bytes = 6'h4;
      OPCODE_RC_READ_RSP_MIDDLE: opcode_ext_bytes = 6'h0;
      OPCODE_RC_READ_RSP_LAST: opcode_ext_bytes = 6'h4;
      OPCODE_RC_READ_RSP_ONLY: opcode_ext_bytes = 6'h4;
      OPCODE_RC_ACKNOWLEDGE: opcode_ext_bytes = 6'h4;
      OPCODE_RC_ATOMIC_ACK: opcode_ext_bytes = 6'hc;
      OPCODE_RC_COMPARE_SWAP: opcode_ext_bytes = 6'h1c;
      OPCODE_RC_FETCH_ADD: opcode_ext_bytes = 6'h1c;
      OPCODE_RC_SEND_LAST_INV: opcode_ext_bytes = 6'h4;
      OPCODE_RC_SEND_ONLY_INV: opcode_ext_bytes = 6'h4;
      OPCODE_UC_SEND_FIRST: opcode_ext_bytes = 6'h0;
      OPCODE_UC_SEND_MIDDLE: opcode_ext_bytes = 6'h0;
      OPCODE_UC_SEND_LAST: opcode_ext_bytes = 6'h0;
      OPCODE_UC_SEND_LAST_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_UC_SEND_ONLY: opcode_ext_bytes = 6'h0;
      OPCODE_UC_SEND_ONLY_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_UC_WRITE_FIRST: opcode_ext_bytes = 6'h10;
      OPCODE_UC_WRITE_MIDDLE: opcode_ext_bytes = 6'h0;
      OPCODE_UC_WRITE_LAST: opcode_ext_bytes = 6'h0;
      OPCODE_UC_WRITE_LAST_IMM: opcode_ext_bytes = 6'h4;
      OPCODE_UC_WRITE_ONLY: opcode_ext_bytes = 6'h10;
      OPCODE_UC_WRITE_ONLY_IMM: opcode_ext_bytes = 6'h14;
      OPCODE_UD_SEND_ONLY: opcode_ext_bytes = 6'h8;
      OPCODE_UD_SEND_ONLY_IMM: opcode_ext_bytes = 6'hc;
      OPCODE_CNP: opcode_ext_bytes = 6'h0;
      default: opcode_ext_bytes = 6'h0;
    endcase
  endfunction
endpackage
