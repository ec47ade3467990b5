// SPDX-License-Identifier: Apache-2.0
// Records between modules of the data path.  Generated from rtl/hw/int.def by hwgen (make hw): do not edit.
//
// Names, always used as cairn_int_pkg::<name>:
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
package cairn_int_pkg;

  localparam int unsigned SLOT_W = 32'hc;  // QP context cache slot
  localparam int unsigned CELL_W = 32'hc;  // RX pool cell
  localparam int unsigned LEN_W = 32'hd;  // bytes of one packet's payload or one DMA command, 0..4096
  localparam int unsigned TICKET_W = 32'h10;  // posted-write ticket, wraps; compare as signed difference
  localparam int unsigned RTAG_W = 32'hc;  // client's own tag of a DMA read
  localparam int unsigned CELL_BYTES = 32'h100;
  localparam int unsigned SMALL_W = 32'h200;  // inline data of a small posted write
  localparam int unsigned RD_TXP = 32'h0;  // payload of requests and READ responses (tx_payload)
  localparam int unsigned RD_WQE = 32'h1;  // wqe_fetch
  localparam int unsigned RD_RQE = 32'h2;  // rqe_fetch
  localparam int unsigned RD_QPC = 32'h3;  // QP records and responder resources
  localparam int unsigned RD_MR = 32'h4;  // MPT and MTT lines
  localparam int unsigned RD_CQ = 32'h5;  // CQ records and consumer records
  localparam int unsigned RD_FW = 32'h6;  // management core
  localparam int unsigned RD_ATOM = 32'h7;  // atomic_unit
  localparam int unsigned RD_N = 32'h8;
  localparam int unsigned WR_RSP = 32'h0;  // payload placed by the responder
  localparam int unsigned WR_CMP = 32'h1;  // payload placed by the completer (READ data)
  localparam int unsigned WR_CQE = 32'h2;  // cqe_write
  localparam int unsigned WR_EQE = 32'h3;  // eqe_write and MSI-X messages
  localparam int unsigned WR_QPC = 32'h4;  // QP and responder-resource write-back
  localparam int unsigned WR_CQC = 32'h5;  // CQ record write-back
  localparam int unsigned WR_FW = 32'h6;  // management core: command completions, log
  localparam int unsigned WR_ATOM = 32'h7;  // atomic_unit
  localparam int unsigned WR_N = 32'h8;

  // DMA read request. len 1..4096. not_before: hold the read until dma_write's sent ticket has reached it.
  localparam int unsigned DMA_RD_W = 115;
  typedef struct packed {
    logic [7:0] func;
    logic [63:0] iova;
    logic [LEN_W-1:0] len;
    logic [RTAG_W-1:0] tag;
    logic nb_valid;
    logic [TICKET_W-1:0] not_before;
    logic epoch;
  } dma_rd_t;

  // Sideband of one beat of the DMA read data stream (broadcast to all clients, never back-pressured: a client asks
  // only for what it has room for). The beat's valid bytes are data[8*skip +: 8*nbytes]; they are bytes offset.. of
  // the request. Pieces of one request may come in any order; last is the beat that completes the request, exactly
  // one per request; err (with last) means that bytes are missing or bad, the request is over.
  localparam int unsigned DMA_RSP_W = 40;
  typedef struct packed {
    logic [3:0] client;
    logic [RTAG_W-1:0] tag;
    logic [LEN_W-1:0] offset;
    logic [1:0] skip;
    logic [6:0] nbytes;  // 0 only on an error beat without data
    logic last;
    logic err;
  } dma_rsp_t;

  // DMA write command. Small (payload = 0): len 1..64 bytes in data, byte 0 in data[7:0]. Payload (payload = 1):
  // bytes come from the RX pool. first: start at cell_head/off of a packet; otherwise continue where the last command
  // of this source ended. free: the packet's cells go back after this command. len 0 with free: discard only.
  localparam int unsigned DMA_WR_W = 622;
  typedef struct packed {
    logic [7:0] func;
    logic [63:0] iova;
    logic [LEN_W-1:0] len;
    logic epoch;
    logic relaxed;
    logic payload;
    logic first;
    logic free;
    logic [CELL_W-1:0] cell_head;
    logic [7:0] off;
    logic [SMALL_W-1:0] data;
  } dma_wr_t;

  localparam int unsigned PCIE_TAG_W = 32'h8;  // tag of a PCIe read; number of a request under way

  // dma_read: what goes with a request through dma_split
  localparam int unsigned RD_REQUEST_W = 33;
  typedef struct packed {
    logic [3:0] client;  // RD_*
    logic [RTAG_W-1:0] tag;  // of the client
    logic [7:0] func;
    logic epoch;
    logic [PCIE_TAG_W-1:0] id;  // number of the request
  } rd_request_t;

  // dma_read: a read that has been sent under a tag, kept until its last completion
  localparam int unsigned RD_PIECE_W = 67;
  typedef struct packed {
    logic [6:0] addr;  // its lowest bits
    logic [LEN_W-1:0] len;
    logic [LEN_W-1:0] offset;  // in its request
    logic [5:0] pieces;  // of the request
    logic [3:0] client;  // RD_*
    logic [RTAG_W-1:0] tag;  // of the client
    logic epoch;
    logic [PCIE_TAG_W-1:0] id;  // number of the request
    logic [1:0] period;  // in which it was sent, see dma_rd_tags
    logic turn;  // another at each use of the tag
  } rd_piece_t;

  // dma_write: what goes with a command to its last TLP
  localparam int unsigned WR_SOURCE_W = 27;
  typedef struct packed {
    logic payload;
    logic relaxed;
    logic [7:0] func;
    logic [TICKET_W-1:0] ticket;
    logic epoch;
  } wr_source_t;

  // dma_write: a command that waits for its data
  localparam int unsigned WR_QUEUED_W = 104;
  typedef struct packed {
    logic [63:0] iova;
    logic [LEN_W-1:0] len;
    wr_source_t source;
  } wr_queued_t;

  // dma_write: a TLP to be
  localparam int unsigned WR_PIECE_W = 105;
  typedef struct packed {
    logic [63:0] addr;
    logic [LEN_W-1:0] len;
    logic last;  // of its command
    wr_source_t source;
  } wr_piece_t;

  // dma_write: a TLP that is complete in the buffer, and what of its header is not the same in all
  localparam int unsigned WR_TLP_W = 130;
  typedef struct packed {
    logic wide;  // 4 DW
    logic relaxed;
    logic [9:0] length;
    logic [15:0] reqid;
    logic [3:0] lbe;
    logic [3:0] fbe;
    logic [61:0] addr;  // as it stands in the header
    logic [LEN_W-1:0] len;
    logic none;  // no TLP: the command had no bytes
    logic last;  // of its command
    logic [TICKET_W-1:0] ticket;
    logic epoch;
  } wr_tlp_t;

  // Bytes of a packet that the RX pool's reader is asked for (rx_pool_read)
  localparam int unsigned POOL_READ_W = 35;
  typedef struct packed {
    logic [CELL_W-1:0] cell_head;
    logic [7:0] off;
    logic [LEN_W-1:0] len;  // 0: only free
    logic first;  // start at cell_head and off; else go on where the last command ended
    logic free;  // the packet's cells go back behind this command
  } pool_read_t;

  // What the RX front end knows of a packet once its ICRC is right. One record per packet, in arrival order.
  localparam int unsigned RX_META_W = 740;
  typedef struct packed {
    logic [CELL_W-1:0] cell_head;
    logic has_cells;  // payload present in the pool; the consumer of the record must free it
    logic [7:0] pay_off;  // payload's first byte in the first cell (cells hold the raw frame)
    logic [LEN_W-1:0] pay_len;  // without pad
    logic [1:0] pad;
    logic [7:0] ip_off;  // IP header's first byte in the first cell (GRH area of UD)
    logic [7:0] opcode;
    logic [17:0] opflags;  // cairn_pkt_pkg::OPF_* of the opcode
    logic se;
    logic ackreq;
    logic ce;  // ECN congestion experienced
    logic ipv6;
    logic has_tag;  // 802.1Q tag
    logic [2:0] prio;  // its priority, 0 without
    logic [7:0] sgid_index;  // GID table entry that the destination address matched
    logic mcast;
    logic [15:0] pkey;
    logic [23:0] qpn;
    logic [23:0] psn;
    logic [127:0] sip;  // source GID, wire order: byte 0 in bits 127:120
    logic [63:0] va;  // RETH or AtomicETH
    logic [31:0] key;  // RETH/AtomicETH R_Key or IETH
    logic [31:0] len;  // RETH DMA length
    logic [31:0] aeth;  // syndrome 31:24, MSN 23:0
    logic [31:0] imm;  // ImmDt as received: first wire byte in 31:24
    logic [63:0] swap_add;  // AtomicETH; ATOMIC_ACK: original value
    logic [63:0] compare;
    logic [31:0] qkey;  // DETH
    logic [23:0] src_qp;
    logic [15:0] sport;
    logic [47:0] smac;
    logic epoch;
    logic [SLOT_W-1:0] slot;  // filled in by qp_lookup
    logic [7:0] gen;  // filled in by qp_lookup
  } rx_meta_t;

  // A packet that its QP takes, for the engine that takes it (rx_dispatch)
  localparam int unsigned RX_PKT_W = 1252;
  typedef struct packed {
    logic [511:0] cfg;  // the QP's part cfg
    rx_meta_t meta;
  } rx_pkt_t;

  // Address vector: all that the headers of one packet need besides the transport fields.
  localparam int unsigned AV_W = 294;
  typedef struct packed {
    logic [47:0] dmac;
    logic [127:0] dgid;  // byte 0 in 127:120; IPv4-mapped for IPv4
    logic ipv6;
    logic [7:0] sgid_index;
    logic [15:0] sport;
    logic [7:0] tclass;
    logic [7:0] hop;
    logic [19:0] flow;
    logic vlan;
    logic [15:0] tci;
    logic [15:0] pkey;
    logic [23:0] dest_qp;
  } av_t;

  // Kinds of tx_job
  typedef logic [2:0] txk_t;
  localparam logic [2:0] TXK_REQ = 3'd0;  // request, discarded when its send_epoch is stale
  localparam logic [2:0] TXK_RSP = 3'd1;  // READ response or ATOMIC_ACK
  localparam logic [2:0] TXK_ACK = 3'd2;  // ACK or NAK

  // What the extension headers of a packet carry.
  localparam int unsigned TX_ARGS_W = 320;
  typedef struct packed {
    logic [63:0] va;  // RETH / AtomicETH
    logic [31:0] key;  // R_Key or IETH
    logic [31:0] len;  // RETH length
    logic [31:0] imm;  // ImmDt, first wire byte in 31:24
    logic [31:0] aeth;
    logic [63:0] swap_add;  // or original value
    logic [63:0] compare;
  } tx_args_t;

  // Transmit job: one packet.
  localparam int unsigned TX_JOB_W = 750;
  typedef struct packed {
    txk_t kind;
    logic [23:0] qpn;  // local QP
    logic [SLOT_W-1:0] slot;
    logic [7:0] gen;
    logic [7:0] send_epoch;
    logic epoch;
    logic [7:0] opcode;
    logic [23:0] psn;
    logic ackreq;
    logic se;
    logic retx;  // sent before (counter)
    logic [LEN_W-1:0] pay_len;  // without pad
    tx_args_t args;
    logic [31:0] qkey;
    av_t av;
  } tx_job_t;

  // Payload segment of a transmit job: where it comes from. A job's segments follow the job, in payload order, eoj on
  // the last.
  localparam int unsigned TX_SEG_W = 104;
  typedef struct packed {
    logic inline_data;  // data comes on the inline port instead of host memory
    logic [7:0] func;
    logic [63:0] iova;
    logic [LEN_W-1:0] len;
    logic nb_valid;
    logic [TICKET_W-1:0] not_before;
    logic eoj;
  } tx_seg_t;

  // Where bytes go in the payload rings
  localparam int unsigned TX_DEST_W = 22;
  typedef struct packed {
    logic ring;  // 0: requests
    logic [5:0] slot;  // job in the ring
    logic [14:0] addr;  // byte address in the ring
  } tx_dest_t;

  // Payload of a job in its ring, in words
  localparam int unsigned TX_PLACE_W = 21;
  typedef struct packed {
    logic [10:0] word;  // the first
    logic [9:0] words;  // how many; 0: no payload
  } tx_place_t;

  // A packet whose payload could not be read from host memory
  localparam int unsigned TX_LOST_W = 56;
  typedef struct packed {
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [23:0] psn;
  } tx_lost_t;

  // How far a QP without acknowledgements has come: a packet of it needs host memory no more (tx_sent)
  localparam int unsigned TX_LEFT_W = 57;
  typedef struct packed {
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [23:0] psn;  // the one behind it
    logic last;  // last packet of its message
  } tx_left_t;

  // Bytes in host memory of a packet to be sent (req_send)
  localparam int unsigned TX_PIECE_W = 85;
  typedef struct packed {
    logic [7:0] func;
    logic [63:0] iova;
    logic [LEN_W-1:0] len;
  } tx_piece_t;

  localparam int unsigned MRC_REQ = 32'h0;  // requester: local keys of sends
  localparam int unsigned MRC_RSP = 32'h1;  // responder: remote keys, local keys of receives
  localparam int unsigned MRC_CMP = 32'h2;  // completer: local keys of READ and atomic results
  localparam int unsigned MRC_RD = 32'h3;  // responder, rsp_tx: remote keys of READs that are answered
  localparam int unsigned MRC_N = 32'h4;

  // Request to the MR service
  localparam int unsigned MR_REQ_W = 200;
  typedef struct packed {
    logic [31:0] key;
    logic [23:0] pd;
    logic [23:0] qpn;
    logic [63:0] va;
    logic [LEN_W-1:0] len;  // bytes to translate, 1..4096
    logic [31:0] chk_len;  // bytes to check against the bounds from va on (>= len), e.g. the whole READ
    logic [7:0] rights;  // all of these access bits must be set (enum access); 0 = local read
    logic remote;  // remote key: windows allowed
    logic inv;  // only check that a peer's SEND may invalidate the key
    logic last;  // last request of this packet: the answer repeats it
  } mr_req_t;

  // Outcomes of an MR request
  typedef logic [1:0] mrs_t;
  localparam logic [1:0] MRS_OK = 2'd0;
  localparam logic [1:0] MRS_MISS = 2'd1;  // a fill is under way; ask again after a fill
  localparam logic [1:0] MRS_ERR = 2'd2;  // vendor says why (enum vendor_err)

  // Answer of the MR service
  localparam int unsigned MR_RSP_W = 173;
  typedef struct packed {
    mrs_t status;
    logic [7:0] vendor;
    logic [7:0] func;
    logic [63:0] iova0;
    logic [LEN_W-1:0] len0;
    logic [63:0] iova1;  // second page, len1 = 0 when the bytes lie in one piece
    logic [LEN_W-1:0] len1;
    logic last;
  } mr_rsp_t;

  // Where the bytes of an MR request lie, as in mr_rsp
  localparam int unsigned MR_PLACE_W = 162;
  typedef struct packed {
    logic [7:0] func;
    logic [63:0] iova0;
    logic [LEN_W-1:0] len0;
    logic [63:0] iova1;
    logic [LEN_W-1:0] len1;  // 0: no second piece
  } mr_place_t;

  // What the record of a region or window says of a request for it
  localparam int unsigned MR_SAYS_W = 249;
  typedef struct packed {
    logic below;  // the address is before its first byte
    logic [63:0] off;  // from its first byte
    logic [29:0] lead;  // its first byte, from the beginning of that one's page
    logic [63:0] map;
    logic [63:0] length;
    logic [1:0] page;  // size of its pages
    logic paged;
    logic [7:0] func;
    logic none;  // it is free or was freed
    logic bad_key;
    logic bad_pd;
    logic bad_rights;
    logic [7:0] inv_err;  // why it cannot be invalidated
    logic [2:0] result;  // of the look-up: enum ctx_result
  } mr_says_t;

  // mr_lookup: a request on its way through the MPT cache
  localparam int unsigned MR_ASKED_W = 202;
  typedef struct packed {
    logic [1:0] client;  // MRC_*
    mr_req_t req;
  } mr_asked_t;

  // mr_lookup to mr_translate: a request that has been checked
  localparam int unsigned MR_LOOK_W = 144;
  typedef struct packed {
    logic [1:0] client;  // MRC_*
    logic paged;  // the pages are still to be found: at, offset
    logic [1:0] page;  // their size: 4 K, 64 K, 2 M, 1 G
    logic [63:0] at;  // entry of the first page in the page list table; not paged: where the bytes lie
    logic [29:0] offset;  // in that page
    mrs_t status;
    logic [7:0] vendor;
    logic [7:0] func;
    logic [LEN_W-1:0] len0;  // bytes in the first page
    logic [LEN_W-1:0] len1;  // in the second one
    logic last;
  } mr_look_t;

  // mpt_resident: what a build without windows needs of a key's record
  localparam int unsigned MPT_KEPT_W = 273;
  typedef struct packed {
    logic [31:0] key;
    logic [7:0] func;
    logic [5:0] page_log2;
    logic [7:0] access;
    logic freed;
    logic [1:0] mode;
    logic [23:0] pd;
    logic [63:0] base;
    logic [63:0] length;
    logic [63:0] map;
  } mpt_kept_t;

  // mr_translate: entries of the page list table, as the cache answers
  localparam int unsigned MTT_PAIR_W = 131;
  typedef struct packed {
    logic [2:0] status;  // enum ctx_result
    logic [63:0] entry;  // the one that is wanted
    logic [63:0] behind;  // the next one, if it is in the same line
  } mtt_pair_t;

  localparam int unsigned MUC_REQ = 32'h0;  // requester: local operations
  localparam int unsigned MUC_RSP = 32'h1;  // responder: SEND with invalidate
  localparam int unsigned MUC_N = 32'h2;

  // Changes of a key
  typedef logic [1:0] muo_t;
  localparam logic [1:0] MUO_INV = 2'd0;  // local invalidate: region or type 2 window of the PD
  localparam logic [1:0] MUO_RINV = 2'd1;  // the same for a peer
  localparam logic [1:0] MUO_REG = 2'd2;  // fast registration
  localparam logic [1:0] MUO_BIND = 2'd3;  // bind a type 2 window

  // Change of a key, for mr_update
  localparam int unsigned MR_UPD_W = 322;
  typedef struct packed {
    muo_t op;
    logic [31:0] key;
    logic [23:0] pd;
    logic [23:0] qpn;
    logic [63:0] addr;
    logic [63:0] length;
    logic [63:0] page_list;  // REG: index of the first MTT entry
    logic [31:0] mr_key;  // BIND: the region
    logic [7:0] access;
    logic [7:0] page_log2;  // REG
  } mr_upd_t;

  // Flags of a completion: bits 23:16 of cqe.wqe
  localparam int unsigned CQE_FLAGS_W = 8;
  typedef struct packed {
    logic [1:0] rsvd;  // 0
    logic srq;
    logic inv;
    logic imm;
    logic is_sq;
    logic solicited;
    logic grh;
  } cqe_flags_t;

  // Completion to cqe_write. note: no completion but an event of the QP that must not be in memory before its last
  // one: opcode is its enum eqe_type, flags its EQ, imm its data.
  localparam int unsigned CQE_REQ_W = 191;
  typedef struct packed {
    logic note;
    logic [23:0] cqn;
    logic [23:0] qpn;
    logic [7:0] opcode;  // enum cqe_op
    logic [31:0] byte_len;
    logic [31:0] imm;
    logic [15:0] wqe_index;
    cqe_flags_t flags;
    logic [23:0] src_qp;
    logic [4:0] net;  // UD: cqe.status bits 12:8
    logic [7:0] vendor;
    logic [7:0] status;
    logic event_sol;  // counts as solicited or failed for a solicited-only arm
  } cqe_req_t;

  // cqe_write: a completion on its way to memory
  localparam int unsigned CQE_PUT_W = 321;
  typedef struct packed {
    logic [63:0] iova;
    logic epoch;
    logic [255:0] cqe;  // cairn_hw_pkg::cqe_t
  } cqe_put_t;

  // Event to eqe_write.
  localparam int unsigned EQE_REQ_W = 74;
  typedef struct packed {
    logic [7:0] eqn;
    logic [7:0] etype;  // enum eqe_type
    logic [1:0] arm_seq;
    logic [23:0] number;
    logic [31:0] data;
  } eqe_req_t;

  // What a send WQE asks for, of req_decode for the other stages of the requester.
  localparam int unsigned REQ_OP_W = 86;
  typedef struct packed {
    logic [7:0] op;  // enum wqe_op
    logic rc;  // the QP is acknowledged; else UC or UD
    logic ud;  // UD or GSI: address vector in the WQE, payload from its second block on
    logic send;
    logic read;
    logic atomic;
    logic local_op;  // LOCAL_INV, REG_MR, BIND_MW
    logic nop;  // no packet: NOP, or a datagram longer than the MTU
    logic inv;
    logic res;  // READ or atomic: one of those outstanding
    logic rwr;  // consumes a receive WQE at the peer
    logic compare;  // has a compare operand
    logic inl;  // payload is inline
    logic [4:0] nsge;
    logic [2:0] first;  // its first element, in elements from the start of the WQE
    logic [31:0] len;
    logic [23:0] npsn;  // PSNs of the whole message
    logic sum0;  // without a list the message has the bytes of the first element
    logic sum1;  // ... and those of the second element
  } req_op_t;

  // Kinds of req_rec
  typedef logic [2:0] rqk_t;
  localparam logic [2:0] RQK_PKT = 3'd0;  // a packet; nmr answers of the MR service belong to it
  localparam logic [2:0] RQK_END = 3'd1;  // nothing but the end of the visit
  localparam logic [2:0] RQK_ERR = 3'd2;  // end of the visit: the WQE at next.index is bad (status, vendor)
  localparam logic [2:0] RQK_ADV = 3'd3;  // a WQE without packets: state and descriptor only
  localparam logic [2:0] RQK_LOC = 3'd4;  // A local operation to execute, with which the visit ends: job.args is a local_op

  // Operands of a local operation. As wide as tx_args, in whose place they are.
  localparam int unsigned LOCAL_OP_W = 320;
  typedef struct packed {
    logic [63:0] addr;
    logic [31:0] key;  // to invalidate, register or bind
    logic [7:0] page_log2;  // REG_MR
    logic [15:0] rsvd0;  // 0
    logic [7:0] access;
    logic [31:0] mr_key;  // BIND_MW: the region
    logic [7:0] rsvd1;  // 0
    logic [23:0] pd;
    logic [63:0] length;
    logic [63:0] page_list;  // REG_MR: index of the first MTT entry
  } local_op_t;

  // Of the record that ends a visit.
  localparam int unsigned REQ_ENDING_W = 19;
  typedef struct packed {
    logic over;  // the visit ends behind this record
    logic more;  // with over: give the QP back as still wanting
    logic commit;  // END: the state in `next` is valid (the walk of a go-back is over)
    logic [7:0] status;  // ERR
    logic [7:0] vendor;  // ERR
  } req_ending_t;

  // Payload of a packet.
  localparam int unsigned REQ_DATA_W = 25;
  typedef struct packed {
    logic [5:0] nmr;  // answers of the MR service that belong to it
    logic [1:0] ninl;  // inline segments: the first inl_len0 bytes, then inl_len1
    logic [7:0] inl_len0;
    logic [7:0] inl_len1;
    logic fenced;  // may be what an earlier READ brought: read it behind every write accepted so far
  } req_data_t;

  // State of the requester after a packet.
  localparam int unsigned REQ_NEXT_W = 167;
  typedef struct packed {
    logic [15:0] index;
    logic [23:0] psn;
    logic [31:0] msg_offset;
    logic in_msg;
    logic [23:0] ssn;
    logic [23:0] free_msg;
    logic [5:0] since_ackreq;
    logic [7:0] rd_issued;
    logic [23:0] msg_psn;
    logic [7:0] send_epoch;
  } req_next_t;

  // What is remembered of a message.
  localparam int unsigned REQ_DESC_W = 190;
  typedef struct packed {
    logic valid;  // the message ends here
    logic [15:0] index;
    logic [2:0] blocks;
    logic [7:0] op;  // enum wqe_op
    logic signaled;
    logic [31:0] len;
    logic one;  // READ or atomic: its data goes to one element
    logic [127:0] sge;  // ... this one
  } req_desc_t;

  // req_build to req_issue: one record per packet; the last of a visit says that it is over.
  localparam int unsigned REQ_REC_W = 1154;
  typedef struct packed {
    rqk_t kind;
    req_ending_t ending;
    req_data_t data;
    req_next_t next;
    req_desc_t desc;
    tx_job_t job;
  } req_rec_t;

  // req_visit to req_build: a QP to be served, its record, and where the walk begins (req_start).
  localparam int unsigned REQ_VISIT_W = 1241;
  typedef struct packed {
    logic failed;  // a payload read of it has failed
    logic [23:0] failed_psn;
    logic goback;  // the walk begins at the completer's anchors
    logic beyond;  // the producer index claims more blocks than the ring holds
    logic old;  // its first WQE is the anchors': goback, and not beyond
    logic [23:0] target;  // PSN to which the walk goes
    logic [23:0] una;  // oldest PSN not acknowledged
    logic [23:0] old_psn;  // the anchors: first PSN of the oldest WQE
    logic [15:0] old_index;  // its index
    logic [7:0] rd_part;  // READ requests of it that are answered
    logic [7:0] rd_done;  // READs and atomics completed
    logic [7:0] gb_epoch;  // of the completer
    logic [23:0] lsn;  // credit limit
    logic credits_off;
    logic [15:0] pi;  // producer index
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
    logic [511:0] req;  // cairn_hw_pkg::qp_req_t
    logic [511:0] cfg;  // cairn_hw_pkg::qp_cfg_t
  } req_visit_t;

  // req_build to req_issue: what the records of a visit start from.
  localparam int unsigned REQ_BASE_W = 526;
  typedef struct packed {
    logic rc;  // the QP is acknowledged
    logic [4:0] timeout;
    logic [7:0] gen;
    logic [511:0] req;  // cairn_hw_pkg::qp_req_t
  } req_base_t;

  // Descriptor of a sent message: what its end needs without reading the WQE.
  localparam int unsigned SQ_DESC_W = 270;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] index;
    logic [2:0] blocks;
    logic [23:0] first_psn;
    logic [23:0] next_psn;  // last PSN + 1
    logic [7:0] op;
    logic signaled;
    logic [31:0] len;
    logic one;  // READ or atomic: its data goes to one element
    logic [127:0] sge;  // ... this one
  } sq_desc_t;

  // Kinds of rsp_rec
  typedef logic [3:0] rsk_t;
  localparam logic [3:0] RSK_DROP = 4'd0;  // discard, nothing else
  localparam logic [3:0] RSK_SEND = 4'd1;
  localparam logic [3:0] RSK_WRITE = 4'd2;
  localparam logic [3:0] RSK_READ = 4'd3;
  localparam logic [3:0] RSK_DUP = 4'd4;  // duplicate SEND or WRITE: acknowledge again
  localparam logic [3:0] RSK_DUPRD = 4'd5;  // duplicate READ: answer again from va on
  localparam logic [3:0] RSK_OOS = 4'd6;  // ahead of the expected PSN
  localparam logic [3:0] RSK_RNR = 4'd7;  // no receive WQE
  localparam logic [3:0] RSK_ERR = 4'd8;  // NAK at this PSN, as `verdict` says
  localparam logic [3:0] RSK_ATOMIC = 4'd9;
  localparam logic [3:0] RSK_DUPAT = 4'd10;  // duplicate atomic: answer again what was saved
  localparam logic [3:0] RSK_INV = 4'd11;  // rsp_join to rsp_commit: begin with the key of a SEND with invalidate; the packet follows when that is over
  localparam logic [3:0] RSK_ACK = 4'd12;  // rsp_join to rsp_commit: no packet of the QP follows any more, an ACK held back for that is due

  // The QP of a request.
  localparam int unsigned RSP_ID_W = 44;
  typedef struct packed {
    logic [SLOT_W-1:0] slot;
    logic [7:0] gen;
    logic [23:0] qpn;
  } rsp_id_t;

  // Payload of a request, in the RX pool.
  localparam int unsigned RSP_DATA_W = 35;
  typedef struct packed {
    logic epoch;
    logic [CELL_W-1:0] cell_head;
    logic has_cells;
    logic [7:0] pay_off;
    logic [LEN_W-1:0] pay_len;
  } rsp_data_t;

  // Where a request goes in memory.
  localparam int unsigned RSP_PLACE_W = 160;
  typedef struct packed {
    logic [63:0] va;  // WRITE: where this payload goes; READ: first byte
    logic [31:0] key;  // R_Key, or of a SEND with invalidate the one to invalidate
    logic [31:0] mlen;  // SEND: bytes received before; WRITE: bytes still to come, these included; READ: length
    logic [31:0] wlen;  // WRITE: length of the message
  } rsp_place_t;

  // What rsp_walk needs to find the receive WQE.
  localparam int unsigned RSP_RQ_W = 105;
  typedef struct packed {
    logic [15:0] index;  // receive WQE of the message
    logic [15:0] pi;
    logic [63:0] base;
    logic [3:0] log2;
    logic [4:0] stride;
  } rsp_rq_t;

  // What a refused request ends with.
  localparam int unsigned RSP_VERDICT_W = 32;
  typedef struct packed {
    logic [7:0] syn;  // NAK
    logic [7:0] status;
    logic [7:0] vendor;
    logic [7:0] etype;  // event, 0: none
  } rsp_verdict_t;

  // Of a datagram.
  localparam int unsigned RSP_UD_W = 38;
  typedef struct packed {
    logic valid;  // it is one: the header area goes before the payload
    logic ipv6;
    logic has_tag;
    logic [2:0] prio;
    logic [7:0] ip_off;  // IP header in the first cell
    logic [23:0] src_qp;
  } rsp_ud_t;

  // Of a SEND with invalidate.
  localparam int unsigned RSP_INV_W = 4;
  typedef struct packed {
    logic valid;  // it is one: place.key is the key
    logic taken;  // ... and that is entry `at` of rsp_inv
    logic [1:0] at;
  } rsp_inv_t;

  // Operands of an atomic.
  localparam int unsigned RSP_ATOMIC_W = 129;
  typedef struct packed {
    logic cas;  // compare and swap, else fetch and add
    logic [63:0] swap_add;
    logic [63:0] compare;
  } rsp_atomic_t;

  // Receive WQE of a shared queue.
  localparam int unsigned RSP_SRQ_W = 34;
  typedef struct packed {
    logic valid;  // rq.index tells it from others
    logic [15:0] srqn;
    logic [15:0] slot;
    logic late;  // slot and rq.index are not known yet
  } rsp_srq_t;

  // Responder: one request packet on its way from rsp_check to rsp_commit.
  localparam int unsigned RSP_REC_W = 732;
  typedef struct packed {
    rsk_t kind;
    rsp_id_t id;
    logic [23:0] psn;
    logic [23:0] npsn;  // expected PSN after this packet
    logic start;
    logic last;
    logic se;
    logic ackreq;
    logic has_imm;
    logic take;  // takes receive WQE rq.index
    logic rtr;  // cfg.state is RTR
    rsp_data_t data;
    rsp_place_t place;
    logic [31:0] imm;
    rsp_rq_t rq;
    logic [23:0] pd;
    logic [7:0] eqn;
    rsp_verdict_t verdict;  // kind ERR
    logic silent;  // UC, UD: nothing is ever answered
    logic sync;  // judged by the committed state, not by that of packets on their way
    rsp_ud_t ud;
    rsp_inv_t inv;
    rsp_atomic_t atomic;  // kind ATOMIC
    rsp_srq_t srq;
    logic over;  // DROP, and passes those that wait: the QP holds its share of the receive path
    logic [23:0] rq_cqn;
    logic more;  // a packet of the QP follows: an ACK may wait for it
  } rsp_rec_t;

  // rsp_walk to rsp_join: a packet that has been looked at.
  localparam int unsigned RSP_WALKED_W = 749;
  typedef struct packed {
    logic skip;  // it waits for no fill: a slot of its SRQ was not to be had
    logic missed;  // something it needs is not here
    logic waits;  // ... and its context is woken
    logic [4:0] nreq;  // answers of the MR service that belong to it
    logic again;  // it is replayed
    logic [7:0] place;  // of its record in rsp_store, at less than 512 bit
    rsp_rec_t rec;
  } rsp_walked_t;

  // rsp_join to rsp_commit: a packet with its answers.
  localparam int unsigned RSP_JOINED_W = 737;
  typedef struct packed {
    logic [4:0] pieces;  // places in memory
    rsp_rec_t rec;
  } rsp_joined_t;

  // rsp_walk: where the next packet of a message starts.
  localparam int unsigned RSP_HINT_W = 109;
  typedef struct packed {
    logic [23:0] psn;  // of the packet
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] rq;  // receive WQE
    logic [4:0] idx;  // its element
    logic [31:0] off;  // bytes of that already used
  } rsp_hint_t;

  // rsp_check: a QP behind the packets that are on their way.
  localparam int unsigned RSP_STATE_W = 227;
  typedef struct packed {
    logic [23:0] psn;  // expected
    logic [1:0] msg;  // enum rsp_msg
    logic [31:0] rem;  // WRITE: bytes to come; SEND: bytes received
    logic [63:0] va;
    logic [31:0] key;
    logic [31:0] wlen;
    logic [15:0] rq;  // receive WQE in use or next
    logic [7:0] tail;  // of the responder resources
    logic [15:0] slot;  // of an SRQ
    logic late;  // the slot is not known yet
  } rsp_state_t;

  // rsp_tx: how far the answers of a QP have come.
  localparam int unsigned RSP_ANSWERING_W = 59;
  typedef struct packed {
    logic valid;
    logic [7:0] gen;
    logic [7:0] res;  // resource
    logic placed;  // it goes on at psn, else it has not begun
    logic begun;  // a packet of this answer has left
    logic [23:0] psn;
    logic [15:0] seq;  // ring position of the last job
  } rsp_answering_t;

  // rsp_tx: a look-up under way.
  localparam int unsigned RSP_LOOK_W = 25;
  typedef struct packed {
    logic fault;  // for a failed payload read, else for a kick
    logic [23:0] qpn;
  } rsp_look_t;

  // rsp_tx: the QP of a visit.
  localparam int unsigned RSP_VISIT_W = 68;
  typedef struct packed {
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [7:0] eqn;
    logic [15:0] seq;  // ring position of its last job
  } rsp_visit_t;

  // Kinds of rsp_step
  typedef logic [2:0] rvs_t;
  localparam logic [2:0] RVS_READ = 3'd0;  // a packet of a READ, whose key is being checked
  localparam logic [2:0] RVS_PLAIN = 3'd1;  // a packet without memory: an atomic's answer, a READ of no bytes
  localparam logic [2:0] RVS_ACK = 3'd2;  // the ACK state, if it is owed
  localparam logic [2:0] RVS_MOVE = 3'd3;  // answers go on with resource res, PSN psn, for a duplicate; so far with resource arg
  localparam logic [2:0] RVS_LOST = 3'd4;  // the resource is not to be had, for reason arg: NAK at psn
  localparam logic [2:0] RVS_FAULT = 3'd5;  // the payload of packet psn could not be read: NAK there
  localparam logic [2:0] RVS_FLUSH = 3'd6;  // one receive WQE; psn: producer index
  localparam logic [2:0] RVS_END = 3'd7;  // of the visit; last: the QP is to be visited again

  // rsp_tx: one step of a visit.
  localparam int unsigned RSP_STEP_W = 60;
  typedef struct packed {
    rvs_t kind;
    logic [7:0] res;
    logic [23:0] psn;
    logic [7:0] arg;
    logic [LEN_W-1:0] len;
    logic first;  // of its answer
    logic last;  // of its resource
    logic ack_before;  // an ACK of what comes before it goes first
    logic atomic;
  } rsp_step_t;

  // rsp_tx: what has become of a step.
  localparam int unsigned RSP_OUTCOME_W = 163;
  typedef struct packed {
    logic ok;  // packet: it may be sent; ACK: it is owed; END: visit again
    mr_place_t place;  // of its payload
  } rsp_outcome_t;

  // rsp_ack: what an ACK or NAK has of a tx_job.
  localparam int unsigned RSP_ACK_JOB_W = 395;
  typedef struct packed {
    logic [23:0] qpn;
    logic [SLOT_W-1:0] slot;
    logic [7:0] gen;
    logic epoch;
    logic [23:0] psn;
    logic [31:0] aeth;
    av_t av;
  } rsp_ack_job_t;

  // rsp_dup: a duplicate READ or atomic, to be answered again.
  localparam int unsigned RSP_DUP_W = 186;
  typedef struct packed {
    logic atomic;
    logic cas;  // compare and swap, else fetch and add
    logic [7:0] gen;
    logic [23:0] qpn;
    logic [23:0] psn;
    logic [63:0] va;
    logic [31:0] key;
    logic [31:0] len;
  } rsp_dup_t;

  // rsp_res_cache: a line.
  localparam int unsigned RES_LINE_W = 49;
  typedef struct packed {
    logic [31:0] id;  // generation, QPN
    logic failed;  // it could not be read
    logic [15:0] valid;  // by index
  } res_line_t;

  // srq_state: what changes of a queue as its slots are taken.
  localparam int unsigned SRQ_COUNTS_W = 75;
  typedef struct packed {
    logic [15:0] pop;
    logic [15:0] base;
    logic [15:0] takes;  // slots taken ever
    logic [9:0] owed;  // packets that are to get a slot yet, of RX_INFLIGHT
    logic [15:0] limit;
    logic armed;
  } srq_counts_t;

  // srq_state: what firmware has set up of a queue.
  localparam int unsigned SRQ_SETUP_W = 178;
  typedef struct packed {
    logic valid;
    logic [7:0] gen;
    logic [7:0] page;  // of its doorbell
    logic [23:0] pd;
    logic [3:0] log2;
    logic [4:0] stride;
    logic [63:0] slots;
    logic [63:0] ring;
  } srq_setup_t;

  // rqe_fetch: what is looked up.
  localparam int unsigned RQE_ASK_W = 168;
  typedef struct packed {
    logic [SLOT_W-1:0] slot;  // context
    logic srq;
    logic [23:0] qpn;  // of an SRQ: its number's low byte, entry
    logic [7:0] gen;
    logic [15:0] first;  // index of the group of entries; of an SRQ: what tells the entry from earlier ones
    logic [5:0] pos;  // entry in the group
    logic [5:0] off;  // its elements in the group's
    logic [5:0] mask;  // entries of the group, - 1
    logic [15:0] pi;
    logic [63:0] base;
    logic [3:0] log2;
    logic [4:0] stride;
  } rqe_ask_t;

  // rqe_runs: a run of receive WQEs, in a way of a set.
  localparam int unsigned RQE_RUN_W = 65;
  typedef struct packed {
    logic live;
    logic turn;  // another with each read of the run
    logic asked;  // a packet waits for it, or has not looked since it came
    logic open;  // its last entry has not been looked at
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] first;  // index of the group that it is part of
    logic [5:0] from;  // its first entry in the group
    logic [6:0] to;  // behind its last
  } rqe_run_t;

  // rqe_ones: a receive WQE of an SRQ.
  localparam int unsigned RQE_ONE_W = 44;
  typedef struct packed {
    logic live;
    logic turn;  // another with each read
    logic asked;  // a packet waits for it, or has not looked since it came
    logic early;  // read ahead and not looked at
    logic [7:0] srqn;
    logic [15:0] slot;
    logic [15:0] seq;
  } rqe_one_t;

  // rqe_runs, rqe_ones: of the last read that has ended.
  localparam int unsigned RQE_CAME_W = 8;
  typedef struct packed {
    logic turn;
    logic failed;
    logic [5:0] age;  // when, in 256 cycles
  } rqe_came_t;

  // rqe_fetch: who is woken when the read ends.
  localparam int unsigned RQE_WAITS_W = 13;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
  } rqe_waits_t;

  // rqe_runs, rqe_ones: what is here of what was looked up.
  localparam int unsigned RQE_JUDGED_W = 26;
  typedef struct packed {
    logic hit;
    logic good;  // hit, and it could be read
    logic pend;  // it is on its way
    logic none;  // neither
    logic room;  // it can be read
    logic turn;  // of that read
    logic [9:0] at;  // where its elements are, or will be, / 16
    logic [9:0] into;  // where they are read into, if it is not here
  } rqe_judged_t;

  // rqe_fetch: a read on its way to rd_o.
  localparam int unsigned RQE_ORDER_W = 104;
  typedef struct packed {
    logic [63:0] base;
    logic [15:0] at;  // entry
    logic [6:0] n;  // entries
    logic [4:0] stride;
    logic [RTAG_W-1:0] tag;
  } rqe_order_t;

  // rsp_commit to atomic_unit: an atomic that has been committed as responder resource `res`; its QP stays pinned
  // until it is done. skip: only say that it is done (the responder is in error).
  localparam int unsigned AT_OP_W = 311;
  typedef struct packed {
    logic skip;
    logic cas;  // compare and swap, else fetch and add
    logic ack_before;  // of the resource
    logic [7:0] func;
    logic [63:0] iova;
    logic [63:0] swap_add;
    logic [63:0] compare;
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [23:0] psn;
    logic [23:0] msn;  // with this one
    logic [7:0] res;
    logic [7:0] eqn;
  } at_op_t;

  // atomic_unit: the 8 bytes of an operation
  localparam int unsigned AT_PLACE_W = 69;
  typedef struct packed {
    logic [7:0] func;
    logic [60:0] word;  // iova / 8
  } at_place_t;

  // Kinds of rsp_ev
  typedef logic [2:0] rse_t;
  localparam logic [2:0] RSE_ACK = 3'd0;  // the ACK state is to go out (ack_grant)
  localparam logic [2:0] RSE_RES = 3'd1;  // the next responder resource to answer is res
  localparam logic [2:0] RSE_FAIL = 3'd2;  // response psn cannot be delivered: NAK syn
  localparam logic [2:0] RSE_FLUSH = 3'd3;  // flush the oldest receive WQE (producer index pi)
  localparam logic [2:0] RSE_ATOM = 3'd4;  // the atomic of resource res (MSN msn) failed: NAK syn behind older answers

  // Event of rsp_tx or atomic_unit for rsp_commit, about a pinned QP.
  localparam int unsigned RSP_EV_W = 143;
  typedef struct packed {
    rse_t kind;
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [23:0] psn;
    logic [7:0] syn;
    logic [7:0] vendor;
    logic [7:0] eqn;
    logic [7:0] res;
    logic [15:0] pi;
    logic [23:0] msn;
  } rsp_ev_t;

  // Completer: facts of the QP that travel with a response packet or an event.
  localparam int unsigned CMP_QP_W = 82;
  typedef struct packed {
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [SLOT_W-1:0] slot;
    logic [23:0] pd;
    logic [2:0] pmtu;
    logic [4:0] timeout;
    logic [2:0] retry_cnt;
    logic [2:0] rnr_retry;
  } cmp_qp_t;

  // Kinds of cmp_ev
  typedef logic [1:0] cev_t;
  localparam logic [1:0] CEV_TIMER = 2'd0;  // a timer of the QP has fired
  localparam logic [1:0] CEV_IMPLIED = 2'd1;  // READ data from psn on is missing
  localparam logic [1:0] CEV_FATAL = 2'd2;  // READ data cannot be placed: status, vendor

  // Event for cmp_packet, about a pinned QP.
  localparam int unsigned CMP_EV_W = 124;
  typedef struct packed {
    cev_t kind;
    logic [23:0] psn;
    logic [7:0] status;
    logic [7:0] vendor;
    cmp_qp_t qp;
  } cmp_ev_t;

  // Verdict of cmp_judge about a response packet or an event
  typedef logic [3:0] cmv_t;
  localparam logic [3:0] CMV_NOTHING = 4'd0;  // event without a consequence
  localparam logic [3:0] CMV_GHOST = 4'd1;  // packet that is not listened to
  localparam logic [3:0] CMV_DATA = 4'd2;  // READ response, ATOMIC_ACK
  localparam logic [3:0] CMV_ACK = 4'd3;
  localparam logic [3:0] CMV_RNR = 4'd4;  // RNR NAK
  localparam logic [3:0] CMV_SEQ = 4'd5;  // sequence NAK
  localparam logic [3:0] CMV_NAK_INV = 4'd6;  // fatal NAK: invalid request
  localparam logic [3:0] CMV_NAK_ACCESS = 4'd7;  // fatal NAK: remote access
  localparam logic [3:0] CMV_NAK_OP = 4'd8;  // fatal NAK: remote operation
  localparam logic [3:0] CMV_RESUME = 4'd9;  // timer: an RNR wait is over
  localparam logic [3:0] CMV_STAY = 4'd10;  // timer: it is not
  localparam logic [3:0] CMV_TIMER = 4'd11;  // ack timer
  localparam logic [3:0] CMV_IMPLIED = 4'd12;  // READ data is missing
  localparam logic [3:0] CMV_KNOWN = 4'd13;  // ... which is known
  localparam logic [3:0] CMV_FATAL = 4'd14;  // READ data cannot be placed

  // cmp_packet: the response packet or event in hand
  localparam int unsigned CMP_INPUT_W = 282;
  typedef struct packed {
    logic is_ev;  // an event
    logic state_ok;  // the QP's state takes responses
    logic [23:0] psn;  // of the event, or the packet
    logic [17:0] opflags;
    logic [31:0] aeth;
    cmp_ev_t ev;
    cmp_qp_t qp;
  } cmp_input_t;

  // On which side of a PSN another one is
  localparam int unsigned PSN_SIDE_W = 2;
  typedef struct packed {
    logic less;  // before it
    logic at;  // it is the same
  } psn_side_t;

  // cmp_where: where a packet or an event stands in what the parts say
  localparam int unsigned CMP_WHERE_W = 268;
  typedef struct packed {
    logic rd_open;  // an incomplete READ stands at OLD_PSN
    logic pending;  // a go-back that the requester has not begun
    logic [23:0] una;  // oldest PSN not acknowledged
    logic [23:0] done;  // PSN that the READ at OLD_PSN waits for
    psn_side_t hi;  // the packet, of HI_PSN
    psn_side_t by_una;  // ... of the oldest one
    psn_side_t by_old;  // ... of OLD_PSN
    psn_side_t by_done;  // ... of what the READ waits for
    psn_side_t by_gb;  // ... of GB_PSN
    psn_side_t done_gb;  // what the READ waits for, of GB_PSN
    psn_side_t una_gb;  // the oldest one, of GB_PSN
    psn_side_t out;  // HI_PSN, of the oldest one
    logic wide;  // 8192 PSNs or more are outstanding, a quarter of the window
    logic [23:0] lsn;  // credit limit that the packet brings, without
    logic [16:0] credits;  // ... what its code stands for
    logic [23:0] spent;  // SSN - FREE_MSG
    logic [63:0] start;  // when the ack timer's time begins
    logic [39:0] wait_left;  // of an RNR wait
    logic [31:0] rnr_ns;  // RNR wait that the packet asks for
  } cmp_where_t;

  // cmp_judge: what a packet or an event is, and what hangs on it
  localparam int unsigned CMP_FOUND_W = 253;
  typedef struct packed {
    cmv_t verdict;
    logic rd_open;
    logic spared;  // it is about what is behind missing data of a READ: no retry of that
    logic safe;  // READ data beyond the last go-back is there
    logic ignores;  // acknowledgements of before an implied NAK are not believed
    logic on_una;  // its PSN is the oldest not acknowledged, or behind it
    logic on_done;  // its PSN is what the READ waits for, or behind it
    logic out;  // something is outstanding
    logic wide;  // so much that the requester may wait for room
    logic due;  // the ack timer's time is over
    logic credits;  // it may bring credits
    logic no_credits;  // its code says that there are none
    logic [2:0] left;  // retries before this one
    logic [2:0] rnr_left;
    logic [23:0] back;  // oldest PSN that is missing: where the ack timer goes back to
    logic [7:0] done;  // low bits of what the READ waits for
    logic [23:0] lsn;
    logic [23:0] d_lsn;  // from the limit so far
    logic [23:0] room;  // from what is spent to the limit so far
    logic [63:0] deadline;  // of the ack timer
    // end of the RNR wait that there is, or that it asks for; else of the ack timer that begins now
    logic [63:0] from_now;
  } cmp_found_t;

  // cmp_next: what a packet or an event is counted as, each a counter of cmp_packet
  localparam int unsigned CMP_SAID_W = 11;
  typedef struct packed {
    logic rx_ack;
    logic packet_seq_err;
    logic rnr_nak_rcvd;
    logic implied_nak;
    logic ack_timeout;
    logic req_rem_inv;
    logic req_rem_access;
    logic req_rem_op;
    logic retry_exc;
    logic rnr_exc;
    logic rx_ghost_ack;
  } cmp_said_t;

  // Data answer (READ response, ATOMIC_ACK) from cmp_packet to cmp_place. drop: only give its cells back.
  localparam int unsigned CMP_REC_W = 209;
  typedef struct packed {
    logic [63:0] orig;  // atomic: original value. It and drop are in front, to be left out: cmp_place
    logic drop;
    logic atomic;
    logic [23:0] psn;
    logic start;
    logic last;
    logic [LEN_W-1:0] pay_len;
    logic has_cells;
    logic [CELL_W-1:0] cell_head;
    logic [7:0] pay_off;
    logic epoch;
    cmp_qp_t qp;
  } cmp_rec_t;

  // Kinds of cmp_verdict
  typedef logic [2:0] ctk_t;
  localparam logic [2:0] CTK_DATA = 3'd0;  // to be placed
  localparam logic [2:0] CTK_DROP = 3'd1;  // only give its cells back
  localparam logic [2:0] CTK_EVENT = 3'd2;  // tell cmp_packet, then as DROP
  localparam logic [2:0] CTK_PARK = 3'd3;  // waits for a visit of the walker; kick: ask for one
  localparam logic [2:0] CTK_BEHIND = 3'd4;  // waits behind others of its slot

  // Verdict of cmp_check about a data answer, for cmp_join; nmr answers of the MR service belong to it.
  localparam int unsigned CMP_VERDICT_W = 264;
  typedef struct packed {
    ctk_t kind;
    logic again;  // replayed: it is in the list already
    logic kick;
    logic chunk;  // DATA: last packet of a READ request
    logic whole;  // DATA: ... and of the READ, or an atomic
    logic torn;  // DATA: one before it was parked since the look, so it may not be placed
    logic [4:0] nmr;
    cev_t ev_kind;
    logic [23:0] ev_psn;
    logic [7:0] ev_status;
    logic [7:0] ev_vendor;
    cmp_rec_t rec;
  } cmp_verdict_t;

  // cmp_join: an answer of the MR service
  localparam int unsigned CMP_ANSWER_W = 172;
  typedef struct packed {
    mrs_t status;
    logic [7:0] vendor;
    mr_place_t place;
  } cmp_answer_t;

  // cmp_check: where the packets of a slot that were let through end.
  localparam int unsigned CMP_CURSOR_W = 167;
  typedef struct packed {
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [23:0] psn;  // of the next one
    logic known;  // the WQE is known
    logic open;  // it is a READ of which some was let through, and not all
    logic [15:0] index;  // the WQE; behind the last READ or atomic if not open
    logic [15:0] packets;  // of it that were let through, mod 65536
    logic [31:0] rest;  // bytes of it that were not
    logic [4:0] sge;  // element
    logic [31:0] off;  // bytes used of it
    logic [4:0] nsge;  // elements of the WQE
    logic [2:0] nblk;  // its blocks
  } cmp_cursor_t;

  // wqe_fetch: eight blocks of a send queue.
  localparam int unsigned WQE_GROUP_W = 45;
  typedef struct packed {
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [12:0] no;  // index / 8
  } wqe_group_t;

  // What a TLP asks of BAR0
  typedef logic [1:0] bar_t;
  localparam logic [1:0] BAR_WRITE = 2'd0;
  localparam logic [1:0] BAR_READ = 2'd1;
  localparam logic [1:0] BAR_NOTHING = 2'd2;  // a read of BAR2, where nothing is to be read
  localparam logic [1:0] BAR_UR = 2'd3;  // unsupported

  // What the completion of a request has of it.
  localparam int unsigned BAR_ID_W = 32;
  typedef struct packed {
    logic t9;
    logic [2:0] tc;
    logic t8;
    logic attr2;
    logic [1:0] attr;
    logic [15:0] reqid;
    logic [7:0] tag;
  } bar_id_t;

  // Access of the host, for bar_access; the data of a write comes in words.
  localparam int unsigned BAR_OP_W = 67;
  typedef struct packed {
    bar_t kind;
    logic mem;  // of memory, not another request
    logic [13:0] addr;  // in DW
    logic [9:0] length;  // DW
    logic [3:0] lbe;
    logic [3:0] fbe;
    bar_id_t id;
  } bar_op_t;

  // What bar_access answers, for bar_cpl: not before dma_write's sent ticket has reached this one. Its data has come
  // before (bar_dw).
  localparam int unsigned BAR_ANSWER_W = 72;
  typedef struct packed {
    logic [TICKET_W-1:0] ticket;
    logic [4:0] dw;  // payload, 0 for unsupported
    logic [11:0] count;  // byte count
    logic [6:0] lower;  // lower address
    bar_id_t id;
  } bar_answer_t;

  // One or two DW of the answer that comes next.
  localparam int unsigned BAR_DW_W = 70;
  typedef struct packed {
    logic valid;
    logic both;  // index is even, and upper the DW behind it
    logic [3:0] index;
    logic [31:0] upper;
    logic [31:0] data;
  } bar_dw_t;

  // fw_dma: a transfer that waits, as in fw_copy
  localparam int unsigned FW_JOB_W = 101;
  typedef struct packed {
    logic [2:0] slot;
    logic write;
    logic only_msix;
    logic msix;
    logic [4:0] vector;
    logic [61:0] iova;
    logic [LEN_W-1:0] len;
    logic [14:0] ram;
  } fw_job_t;

  // doorbell: one that waits for the tables
  localparam int unsigned DB_QUEUED_W = 57;
  typedef struct packed {
    logic window;  // of the push window
    logic pushed;  // with a block
    logic [2:0] kind;
    logic [7:0] page;
    logic [23:0] number;
    logic [19:0] word;
  } db_queued_t;

  // What kind of packets a QP takes
  typedef logic [1:0] rxq_t;
  localparam logic [1:0] RXQ_NONE = 2'd0;
  localparam logic [1:0] RXQ_RC = 2'd1;
  localparam logic [1:0] RXQ_UC = 2'd2;
  localparam logic [1:0] RXQ_UD = 2'd3;

  // What the receive side knows of a QP before its record is looked up (rx_qp_table): what kind of packets it takes,
  // its P_Key, and a word that the packets of its peer share: of source address and own address (rx_check_gid), of
  // the Q_Key for datagrams (rx_check_qkey). Equal words prove nothing, unequal ones do.
  localparam int unsigned RX_QP_W = 36;
  typedef struct packed {
    rxq_t kind;
    logic req;  // requests are taken
    logic rsp;  // responses are taken
    logic [15:0] pkey;
    logic [15:0] check;
  } rx_qp_t;

  // Write port of all GID tables: own addresses, from 16 on multicast groups, from 128 on their members
  localparam int unsigned GID_WRITE_W = 152;
  typedef struct packed {
    logic we;
    logic [7:0] index;
    logic valid;
    logic ipv6;
    logic vlan;  // tagged, with VLAN
    logic [11:0] vid;
    logic [127:0] addr;  // byte 0 in 127:120
  } gid_write_t;

  // Look-up of a record in a context cache, taken when its ready is high; answers come in order (ctx_cache)
  localparam int unsigned CTX_REQ_W = 25;
  typedef struct packed {
    logic valid;
    logic [23:0] key;
  } ctx_req_t;

  // Answer of a context cache: the slot is pinned if status is OK or WAITING
  localparam int unsigned CTX_RSP_W = 40;
  typedef struct packed {
    logic valid;
    logic [2:0] status;  // enum ctx_result
    logic [SLOT_W-1:0] slot;
    logic [23:0] key;
  } ctx_rsp_t;

  // The same, for whom a vector of valids names
  localparam int unsigned CTX_FOUND_W = 39;
  typedef struct packed {
    logic [2:0] status;  // enum ctx_result
    logic [SLOT_W-1:0] slot;
    logic [23:0] key;
  } ctx_found_t;

  // A fill of a context cache has ended, a strobe
  localparam int unsigned CTX_FILLED_W = 40;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [23:0] key;
    logic [2:0] status;  // enum ctx_result
  } ctx_filled_t;

  // Read of a slot's part that is to be written back; the data comes a cycle later
  localparam int unsigned CTX_READ_W = 15;
  typedef struct packed {
    logic valid;
    logic [1:0] part;
    logic [SLOT_W-1:0] slot;
  } ctx_read_t;

  // Write of a part that has been read from host memory, taken when its ready is high
  localparam int unsigned CTX_WRITE_W = 530;
  typedef struct packed {
    logic valid;
    logic [1:0] part;
    logic [2:0] word;  // of ctx_fill with WORDS: which, data[63:0]
    logic [SLOT_W-1:0] slot;
    logic [511:0] data;
  } ctx_write_t;

  // Look-up of firmware, of ctx_fw to its cache
  localparam int unsigned CTX_CLAIM_W = 30;
  typedef struct packed {
    logic valid;  // taken when its ready is high
    logic [1:0] op;  // 0 lookup, 1 allocate, unread, 2 drop, 3 and write back
    logic [23:0] key;
    logic filled;  // the record is whole; taken when a ready of its own is high
    logic [1:0] part;  // of the accesses to the RAM
  } ctx_claim_t;

  // What it does with the slot that was answered
  localparam int unsigned CTX_TOUCH_W = 2;
  typedef struct packed {
    logic unpin;  // strobe: the pin is released
    logic dirty;  // strobe: the part has been written
  } ctx_touch_t;

  // Its answer; the slot holds until the next one
  localparam int unsigned CTX_CLAIMED_W = 16;
  typedef struct packed {
    logic done;
    logic [2:0] status;  // enum ctx_result
    logic [SLOT_W-1:0] slot;
  } ctx_claimed_t;

  // A fill of the QP cache has ended, a strobe: who was answered WAITING looks the record up again
  localparam int unsigned CTX_FILL_W = 43;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [23:0] key;
    logic [2:0] status;  // enum ctx_result
    logic req;  // req_visit was
    logic cmp;  // cmp_kick was
    logic rsp;  // rsp_tx was
  } ctx_fill_t;

  // A pin on a slot is given back, a strobe
  localparam int unsigned UNPIN_W = 13;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
  } unpin_t;

  // Write of a part of a QP's record by its owner, which makes it dirty; always taken
  localparam int unsigned PART_WRITE_W = 525;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [511:0] data;
  } part_write_t;

  // The same of a half of the completer's part, which has two owners
  localparam int unsigned HALF_WRITE_W = 269;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [255:0] data;
  } half_write_t;

  // Whose parts a reader wants
  localparam int unsigned PART_ASK_W = 13;
  typedef struct packed {
    logic asks;  // it waits for them
    logic [SLOT_W-1:0] slot;
  } part_ask_t;

  // Of req_visit and cmp_retire
  localparam int unsigned SENDER_PARTS_W = 1536;
  typedef struct packed {
    logic [511:0] cfg;  // cairn_hw_pkg::qp_cfg_t
    logic [511:0] req;  // cairn_hw_pkg::qp_req_t
    logic [511:0] cmp;  // cairn_hw_pkg::qp_cmp_t
  } sender_parts_t;

  // Of cmp_packet and cmp_place
  localparam int unsigned SENT_PARTS_W = 1024;
  typedef struct packed {
    logic [511:0] req;  // cairn_hw_pkg::qp_req_t
    logic [511:0] cmp;  // cairn_hw_pkg::qp_cmp_t
  } sent_parts_t;

  // Of rsp_tx
  localparam int unsigned ANSWER_PARTS_W = 1024;
  typedef struct packed {
    logic [511:0] cfg;  // cairn_hw_pkg::qp_cfg_t
    logic [511:0] rsp;  // cairn_hw_pkg::qp_rsp_t
  } answer_parts_t;

  // cmp_retire's, and whether they are there
  localparam int unsigned RETIRE_PARTS_W = 1538;
  typedef struct packed {
    sender_parts_t parts;
    logic shared;  // they lie in a RAM that is shared
    logic ok;  // see lookup_use
  } retire_parts_t;

  // rsp_commit's, and whether it is there
  localparam int unsigned COMMIT_PART_W = 513;
  typedef struct packed {
    logic [511:0] rsp;  // cairn_hw_pkg::qp_rsp_t
    logic ok;  // see lookup_use
  } commit_part_t;

  // qp_lookup
  localparam int unsigned LOOKUP_USE_W = 26;
  typedef struct packed {
    logic [SLOT_W-1:0] slot;  // cfg is read of it
    logic asks;  // it waits for it
    unpin_t unpin;
  } lookup_use_t;

  // The requester
  localparam int unsigned REQUESTER_USE_W = 562;
  typedef struct packed {
    logic [SLOT_W-1:0] visit;  // slot that req_visit reads
    logic [SLOT_W-1:0] issue;  // slot that req_issue reads
    part_write_t write;  // qp_req
    unpin_t unpin;
  } requester_use_t;

  // To the requester
  localparam int unsigned REQUESTER_VIEW_W = 2048;
  typedef struct packed {
    sender_parts_t visit;
    logic [511:0] issue;  // cairn_hw_pkg::qp_cmp_t
  } requester_view_t;

  // The completer
  localparam int unsigned COMPLETER_USE_W = 603;
  typedef struct packed {
    logic [SLOT_W-1:0] packet;  // slot that cmp_packet reads
    logic packet_asks;  // it waits for it
    logic [SLOT_W-1:0] place;  // slot that cmp_place reads
    logic place_asks;  // it waits for it
    logic [SLOT_W-1:0] retire;  // slot that cmp_retire reads
    logic retire_asks;  // it waits for it
    half_write_t write_packet;  // bytes 0 to 31 of qp_cmp, cmp_packet's
    half_write_t write_retire;  // bytes 32 to 63, cmp_retire's
    unpin_t unpin_packet;  // of packets
    unpin_t unpin_visit;  // of the walker's visits
  } completer_use_t;

  // To the completer
  localparam int unsigned COMPLETER_VIEW_W = 3588;
  typedef struct packed {
    sent_parts_t packet;
    sent_parts_t place;
    sender_parts_t retire;
    logic shared;  // they share a RAM
    logic packet_ok;
    logic place_ok;
    logic retire_ok;
  } completer_view_t;

  // The responder
  localparam int unsigned RESPONDER_USE_W = 615;
  typedef struct packed {
    logic [SLOT_W-1:0] check;  // slot that rsp_check reads
    logic check_asks;  // it waits for it
    logic [SLOT_W-1:0] commit;  // slot that rsp_commit reads, and the cfg part of it for an ACK, a cycle later
    logic commit_asks;  // it waits for it
    logic [SLOT_W-1:0] answer;  // slot that rsp_tx reads, or rsp_commit for an ACK
    logic [SLOT_W-1:0] walk;  // shared: slot that a visit of rsp_tx begins with
    logic walk_asks;  // it waits for it
    logic [SLOT_W-1:0] send;  // shared: slot that rsp_tx sends of
    logic send_asks;  // it waits for it
    part_write_t write;  // qp_rsp
    unpin_t unpin_packet;  // of packets
    unpin_t unpin_visit;  // of rsp_tx's visits
  } responder_use_t;

  // To the responder
  localparam int unsigned RESPONDER_VIEW_W = 2053;
  typedef struct packed {
    logic [511:0] check;  // cairn_hw_pkg::qp_rsp_t
    logic [511:0] commit;  // cairn_hw_pkg::qp_rsp_t
    answer_parts_t answer;
    logic shared;  // they share a RAM
    logic check_ok;
    logic commit_ok;
    logic walk_ok;
    logic send_ok;
  } responder_view_t;

  // Those of the receive side
  localparam int unsigned RECEIVE_USE_W = 641;
  typedef struct packed {
    lookup_use_t lookup;
    responder_use_t rsp;
  } receive_use_t;

  // To the receive side
  localparam int unsigned RECEIVE_VIEW_W = 2566;
  typedef struct packed {
    logic [511:0] lookup;  // cairn_hw_pkg::qp_cfg_t
    logic lookup_ok;
    responder_view_t rsp;
  } receive_view_t;

  // Those of the send side
  localparam int unsigned SEND_USE_W = 1165;
  typedef struct packed {
    requester_use_t req;
    completer_use_t cmp;
  } send_use_t;

  // To the send side
  localparam int unsigned SEND_VIEW_W = 5636;
  typedef struct packed {
    requester_view_t req;
    completer_view_t cmp;
  } send_view_t;

  // Of the receive side: qp_lookup, rsp_tx
  localparam int unsigned RECEIVE_CTX_REQ_W = 50;
  typedef struct packed {
    ctx_req_t lookup;
    ctx_req_t rsp;
  } receive_ctx_req_t;

  // Answers to them
  localparam int unsigned RECEIVE_CTX_RSP_W = 80;
  typedef struct packed {
    ctx_rsp_t lookup;
    ctx_rsp_t rsp;
  } receive_ctx_rsp_t;

  // Of the send side: req_visit, cmp_kick
  localparam int unsigned SEND_CTX_REQ_W = 50;
  typedef struct packed {
    ctx_req_t req;
    ctx_req_t cmp;
  } send_ctx_req_t;

  // Answers to them
  localparam int unsigned SEND_CTX_RSP_W = 80;
  typedef struct packed {
    ctx_rsp_t req;
    ctx_rsp_t cmp;
  } send_ctx_rsp_t;

  // A shared receive queue has a new producer index, a strobe
  localparam int unsigned SRQ_DOORBELL_W = 33;
  typedef struct packed {
    logic valid;
    logic [15:0] srqn;
    logic [15:0] pi;
  } srq_doorbell_t;

  // rsp_check: what is next in a shared queue; with take, a cycle later, it is taken
  localparam int unsigned SRQ_LOOK_W = 18;
  typedef struct packed {
    logic valid;
    logic [15:0] srqn;
    logic take;
  } srq_look_t;

  // The answer, in the next cycle
  localparam int unsigned SRQ_NEXT_W = 109;
  typedef struct packed {
    logic ok;  // the queue is good
    logic none;  // no entry is left by the doorbell
    logic here;  // one is on chip, slot says which
    logic hold;  // no look in this cycle: srq_state changes a record
    logic [15:0] slot;
    logic [15:0] seq;  // tells its taking from others
    logic [63:0] slots;  // address of the slots
    logic [3:0] log2;
    logic [4:0] stride;
  } srq_next_t;

  // rsp_walk: a packet that is owed a slot asks for it, taken when its ready is high
  localparam int unsigned SRQ_LATE_W = 29;
  typedef struct packed {
    logic valid;
    logic [15:0] srqn;
    logic [SLOT_W-1:0] slot;  // its context, woken when a slot has come
  } srq_late_t;

  // The answer, a cycle later; neither: it waits
  localparam int unsigned SRQ_OWED_W = 2;
  typedef struct packed {
    logic got;  // srq_next's slot and seq are its own
    logic bad;  // the queue has failed, it gets none
  } srq_owed_t;

  // rsp_commit: what became of a slot that was taken, taken when its ready is high
  localparam int unsigned SRQ_SET_W = 34;
  typedef struct packed {
    logic valid;
    logic [15:0] srqn;
    logic back;  // it was not used
    logic [15:0] slot;
  } srq_set_t;

  // Entries of a shared queue's ring to read (srq_ring), taken when its ready is high
  localparam int unsigned SRQ_READ_W = 78;
  typedef struct packed {
    logic valid;
    logic [7:0] srqn;
    logic [63:0] iova;
    logic [4:0] n;  // 1 to 16
  } srq_read_t;

  // One of them, taken when its ready is high
  localparam int unsigned SRQ_ENTRY_W = 42;
  typedef struct packed {
    logic valid;
    logic [7:0] srqn;
    logic [31:0] slot;
    logic err;
  } srq_entry_t;

  // Elements of a slot to read ahead, taken when its ready is high
  localparam int unsigned RQE_AHEAD_W = 110;
  typedef struct packed {
    logic valid;
    logic [7:0] srqn;
    logic [15:0] slot;
    logic [15:0] seq;
    logic [63:0] base;  // of the slots
    logic [4:0] stride;
  } rqe_ahead_t;

  // rsp_walk: the receive WQE of a packet
  localparam int unsigned RQE_WALK_W = 733;
  typedef struct packed {
    logic valid;
    rsp_rec_t rec;
  } rqe_walk_t;

  // The same for rqe_fetch
  localparam int unsigned RQE_LOOK_W = 151;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;  // context
    logic srq;
    logic [23:0] qpn;  // of an SRQ: its number's low byte, entry
    logic [7:0] gen;
    logic [15:0] index;
    logic [15:0] pi;
    logic [63:0] base;
    logic [3:0] log2;
    logic [4:0] stride;  // elements, 1 to 16
  } rqe_look_t;

  // The answer, a cycle later; neither hit nor coming: ask again when something has come free
  localparam int unsigned RQE_FOUND_W = 19;
  typedef struct packed {
    logic hit;
    logic good;  // hit, and it could be read
    logic coming;  // its context is woken
    logic [15:0] base;  // where its elements are
  } rqe_found_t;

  // rqe_store: a read of receive WQEs has ended, a strobe
  localparam int unsigned RQE_DONE_W = 13;
  typedef struct packed {
    logic valid;
    logic failed;
    logic turn;
    logic [9:0] at;  // where its elements are, / 16
  } rqe_done_t;

  // Element that is read next; it comes a cycle later
  localparam int unsigned RQE_ELEMENT_W = 17;
  typedef struct packed {
    logic busy;  // elements of the WQE looked up last are being read
    logic [15:0] addr;
  } rqe_element_t;

  // Packets that wait may go on, taken when its ready is high
  localparam int unsigned WAKE_W = 13;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;  // of their context
  } wake_t;

  // A QP is to be looked at, taken when its ready is high; merged or repeated ones are no harm
  localparam int unsigned KICK_W = 25;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
  } kick_t;

  // Kicks of firmware; each has a ready of its own
  localparam int unsigned FW_KICKS_W = 27;
  typedef struct packed {
    logic sched;  // scheduler
    logic walk;  // cmp_retire
    logic flush;  // rsp_tx
    logic [23:0] qpn;  // of each
  } fw_kicks_t;

  // The ready of each of them
  localparam int unsigned FW_KICKS_READY_W = 3;
  typedef struct packed {
    logic sched;
    logic walk;
    logic flush;
  } fw_kicks_ready_t;

  // Kicks of the completer's walker from outside
  localparam int unsigned WALK_KICKS_W = 125;
  typedef struct packed {
    kick_t issue;  // local error, operation without packets
    kick_t wqe;  // a WQE has come
    kick_t doorbell;
    kick_t firmware;
    kick_t sent;  // req_sent
  } walk_kicks_t;

  // The ready of each of them
  localparam int unsigned WALK_KICKS_READY_W = 5;
  typedef struct packed {
    logic issue;
    logic wqe;
    logic doorbell;
    logic firmware;
    logic sent;
  } walk_kicks_ready_t;

  // Kicks of rsp_tx from outside
  localparam int unsigned FLUSH_KICKS_W = 50;
  typedef struct packed {
    kick_t doorbell;  // of a QP in error
    kick_t firmware;
  } flush_kicks_t;

  // The ready of each of them
  localparam int unsigned FLUSH_KICKS_READY_W = 2;
  typedef struct packed {
    logic doorbell;
    logic firmware;
  } flush_kicks_ready_t;

  // A ready of each that kicks the scheduler, in the order of its numbers from the last one on
  localparam int unsigned SCHED_KICKS_READY_W = 8;
  typedef struct packed {
    logic firmware;
    logic early;  // sq_early
    logic retire;  // cmp_retire
    logic packet;  // cmp_packet
    logic mr;  // req_issue
    logic wqe;  // wqe_fetch
    logic failed;  // req_txerr
    logic doorbell;
  } sched_kicks_ready_t;

  // READs and atomics of a QP, modulo 256: of its record, as it is written; strobe
  localparam int unsigned RD_COUNT_W = 33;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] count;  // RD_ISSUED or RD_DONE
  } rd_count_t;

  // Kicks that the requester gives
  localparam int unsigned REQUESTER_KICKS_W = 108;
  typedef struct packed {
    kick_t failed;  // scheduler: a payload read has failed
    kick_t mr;  // scheduler: an MR line has come
    kick_t walk;  // cmp_retire: local errors
    rd_count_t rd_issued;  // no kick: see req_reads
  } requester_kicks_t;

  // The ready of each of them
  localparam int unsigned REQUESTER_KICKS_READY_W = 3;
  typedef struct packed {
    logic failed;
    logic mr;
    logic walk;
  } requester_kicks_ready_t;

  // Kicks of the scheduler that the completer gives
  localparam int unsigned COMPLETER_KICKS_W = 50;
  typedef struct packed {
    kick_t packet;  // cmp_packet
    kick_t retire;  // cmp_retire
  } completer_kicks_t;

  // The ready of each of them
  localparam int unsigned COMPLETER_KICKS_READY_W = 2;
  typedef struct packed {
    logic packet;
    logic retire;
  } completer_kicks_ready_t;

  // Kicks that a part of the completer gives
  localparam int unsigned PROGRESS_KICKS_W = 50;
  typedef struct packed {
    kick_t sched;
    kick_t walk;
  } progress_kicks_t;

  // The ready of each of them
  localparam int unsigned PROGRESS_KICKS_READY_W = 2;
  typedef struct packed {
    logic sched;
    logic walk;
  } progress_kicks_ready_t;

  // A QP is given back to the scheduler, taken when its ready is high
  localparam int unsigned SCHED_DONE_W = 27;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic more;  // it wants another visit
    logic again;  // with more: the QP cache had no way free for it
  } sched_done_t;

  // The visit of a QP is over, taken when its ready is high
  localparam int unsigned RELEASED_W = 39;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic more;  // it wants another visit
    logic unpin;  // it holds a pin
    logic [SLOT_W-1:0] slot;
  } released_t;

  // How far work of a send queue is retired, a strobe
  localparam int unsigned SQ_RETIRED_W = 31;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [5:0] index;  // of the block behind it, its low bits
  } sq_retired_t;

  // What the completer asks and tells of send queues
  localparam int unsigned SQ_WALKED_W = 55;
  typedef struct packed {
    logic [23:0] qpn;  // whose producer index is read, and what has left (req_sent); they come a cycle later
    sq_retired_t retired;
  } sq_walked_t;

  // Producer indices of send queues: QPNs that are read; the indices come a cycle later
  localparam int unsigned SQ_READERS_W = 79;
  typedef struct packed {
    logic [23:0] req;  // req_visit
    logic [23:0] walk;  // cmp_retire
    sq_retired_t retired;
  } sq_readers_t;

  // They
  localparam int unsigned SQ_INDICES_W = 32;
  typedef struct packed {
    logic [15:0] req;
    logic [15:0] walk;
  } sq_indices_t;

  // A block that came with its doorbell, taken when its ready is high
  localparam int unsigned PUSHED_W = 561;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] index;
    logic [511:0] block;
  } pushed_t;

  // What the doorbell of the oldest pushed block turned out to be, a strobe
  localparam int unsigned PUSH_VERDICT_W = 50;
  typedef struct packed {
    logic valid;
    logic ok;  // it was taken and moved the index by one
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] index;  // of the block
  } push_verdict_t;

  // A block of a send queue is looked up
  localparam int unsigned WQE_LOOKUP_W = 67;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] index;
    logic [15:0] limit;  // producer index, as far as who asks knows it (the requester)
    logic [1:0] part;  // of the block, where a look-up brings a part of it: see wqe_look
  } wqe_lookup_t;

  // The answer, a cycle later; a part of the block stands wherever parts stand
  localparam int unsigned WQE_FOUND_W = 514;
  typedef struct packed {
    logic hit;
    logic err;  // the read failed (then no hit), or its check word does not name it
    logic [511:0] wqe;  // cairn_hw_pkg::wqe_t
  } wqe_found_t;

  // What wqe_fetch tells the requester beside its answers, at once
  localparam int unsigned WQE_ASKED_W = 2;
  typedef struct packed {
    logic here;  // the block that it asks for is here
    logic ready;  // a look-up of this cycle is taken
  } wqe_asked_t;

  // Blocks of a send queue are to be fetched, taken when its ready is high
  localparam int unsigned WQE_FETCH_W = 133;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] index;  // from here on
    logic [15:0] limit;  // producer index
    logic [63:0] base;  // ring
    logic [3:0] log2;  // its size in blocks
  } wqe_fetch_t;

  // A descriptor of a sent message is looked up (sq_desc); it comes a cycle later
  localparam int unsigned DESC_LOOK_W = 28;
  typedef struct packed {
    logic [SLOT_W-1:0] slot;
    logic [15:0] index;
  } desc_look_t;

  // A descriptor is remembered, a strobe
  localparam int unsigned DESC_PUT_W = 283;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    sq_desc_t desc;
  } desc_put_t;

  // What has left of a QP without acknowledgements (req_sent), a cycle after its QPN
  localparam int unsigned SENT_UPTO_W = 32;
  typedef struct packed {
    logic [7:0] gen;
    logic [23:0] psn;  // after the newest packet
  } sent_upto_t;

  // A completion queue is armed, taken when its ready is high
  localparam int unsigned CQ_ARM_W = 44;
  typedef struct packed {
    logic valid;
    logic [23:0] cqn;
    logic [18:0] word;  // ci 15:0, seq 17:16, solicited 18
  } cq_arm_t;

  // A completion for cqe_write, taken when its ready is high
  localparam int unsigned COMPLETION_W = 192;
  typedef struct packed {
    logic valid;
    cqe_req_t req;
  } completion_t;

  // An event for eqe_write, taken when its ready is high
  localparam int unsigned EQ_EVENT_W = 75;
  typedef struct packed {
    logic valid;
    eqe_req_t req;
  } eq_event_t;

  // An engine's use of its CQs: a completion, and the CQ of which it asks whether it is crowded
  localparam int unsigned CQ_USE_W = 216;
  typedef struct packed {
    completion_t put;
    logic [23:0] cqn;
  } cq_use_t;

  // What it is told of them
  localparam int unsigned CQ_VIEW_W = 2;
  typedef struct packed {
    logic crowded;  // of the CQ asked for, a cycle later
    logic room;  // strobe: a CQ is crowded no more
  } cq_view_t;

  // Of all engines
  localparam int unsigned CQ_USES_W = 432;
  typedef struct packed {
    cq_use_t rsp;
    cq_use_t cmp;
  } cq_uses_t;

  // The ready of each completion
  localparam int unsigned CQ_USES_READY_W = 2;
  typedef struct packed {
    logic rsp;
    logic cmp;
  } cq_uses_ready_t;

  // To all engines
  localparam int unsigned CQ_VIEWS_W = 4;
  typedef struct packed {
    cq_view_t rsp;
    cq_view_t cmp;
  } cq_views_t;

  // A CQ is crowded from now on, or no more: a strobe
  localparam int unsigned CQ_CROWDING_W = 26;
  typedef struct packed {
    logic valid;
    logic crowded;
    logic [23:0] cqn;
  } cq_crowding_t;

  // What cq_event judges by: of a completion, arm or timer and its CQ
  localparam int unsigned CQ_SUMS_W = 163;
  typedef struct packed {
    logic past;  // arm: entries that it asks for lie past its index
    logic enough;  // COUNT completions of a wait have come
    logic elapsed;  // PERIOD of a wait is over
    logic [31:0] first;  // index of the first completion of the wait
    logic [63:0] since;  // ns: when it came
    logic [63:0] deadline;  // ns: when PERIOD is over
  } cq_sums_t;

  // The timer of a CQ has fired, taken when its ready is high
  localparam int unsigned CQ_TIMER_W = 25;
  typedef struct packed {
    logic valid;
    logic [23:0] cqn;
  } cq_timer_t;

  // A timer of a CQ fires at a deadline or later, taken when its ready is high
  localparam int unsigned CQ_TIMER_SET_W = 89;
  typedef struct packed {
    logic valid;
    logic [23:0] cqn;
    logic [63:0] deadline;
  } cq_timer_set_t;

  // A CQ's consumer index is to be read, taken when its ready is high
  localparam int unsigned CI_READ_W = 78;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [63:0] iova;
    logic full;  // why; handed back
  } ci_read_t;

  // It has come, taken when its ready is high
  localparam int unsigned CI_ANSWER_W = 47;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [31:0] index;
    logic err;
    logic full;
  } ci_answer_t;

  // Consumer word of an event queue, a strobe; the latest is all that counts
  localparam int unsigned EQ_DOORBELL_W = 26;
  typedef struct packed {
    logic valid;
    logic [7:0] eqn;
    logic [15:0] ci;
    logic arm;
  } eq_doorbell_t;

  // A wrong doorbell, a strobe
  localparam int unsigned BAD_DOORBELL_W = 16;
  typedef struct packed {
    logic valid;
    logic [7:0] page;
    logic [6:0] cause;  // index of its counter
  } bad_doorbell_t;

  // A timer of a QP fires at a deadline or later, taken when its ready is high
  localparam int unsigned TIMER_SET_W = 90;
  typedef struct packed {
    logic valid;
    logic rnr;  // an RNR wait ends; else an ACK is due
    logic [23:0] qpn;
    logic [63:0] deadline;
  } timer_set_t;

  // How far a QP has come, a strobe
  localparam int unsigned PSN_NOW_W = 49;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [15:0] psn;  // of the first packet behind, modulo 2^16
  } psn_now_t;

  // What the completer is told of the requester's side
  localparam int unsigned SENDER_NOW_W = 75;
  typedef struct packed {
    kick_t kicked;  // a QP was kicked in the scheduler in the cycle before
    psn_now_t sent;  // HI_PSN of a QP
    logic forget;  // generations begin again
  } sender_now_t;

  // When the next timer fires, if any runs
  localparam int unsigned DEADLINE_W = 65;
  typedef struct packed {
    logic valid;
    logic [63:0] at;
  } deadline_t;

  // Visit of the walker, taken when its ready is high
  localparam int unsigned WALK_VISIT_W = 38;
  typedef struct packed {
    logic valid;
    logic fired;  // a timer of the QP has fired
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
  } walk_visit_t;

  // Its end: packets of the slot that wait look again, taken when its ready is high
  localparam int unsigned WALK_END_W = 14;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic stuck;  // nothing to do until more is sent or acknowledged, or ever
  } walk_end_t;

  // cmp_walk: where the walk of cmp_retire stands
  localparam int unsigned WALK_FACTS_W = 15;
  typedef struct packed {
    logic past_end;  // acknowledgements are beyond the end of the READ at OLD_INDEX
    logic rc;  // the QP is acknowledged
    logic issued;  // the WQE at OLD_INDEX has packets out
    logic executed;  // ... or is done with, if it has none
    logic passed;  // the requester has gone on from it: all its packets are out
    logic lost;  // acknowledged beyond an incomplete READ, and no data of it inside
    logic asked;  // ... and it was asked for again since
    logic at_req_err;  // the requester's error is its
    logic cfg_err;  // state ERR
    logic stands;  // WQEs end with an error from it on
    logic firm;  // ... whatever is acknowledged
    logic st_ok;  // the QP's state lets the walker work
    logic look;  // there is a WQE to look at
    logic stop;  // the READ at OLD_INDEX is to be closed
    logic again;  // data inside is to be waited for
  } walk_facts_t;

  // cmp_oldest: the WQE at OLD_INDEX
  localparam int unsigned WALK_WQE_W = 136;
  typedef struct packed {
    logic have;  // it is known, good or bad
    logic ok;  // if known: it can be read, and the rest says what it is
    logic can;  // it is done with
    logic gone;  // sent, and not what it was any more
    logic acked;  // up to its end
    logic res;  // READ or atomic
    logic none;  // it has no packets
    logic signaled;
    logic [7:0] op;
    logic [31:0] len;
    logic [23:0] next_psn;
    logic [23:0] psns;  // how many it has
    logic [23:0] ahead;  // RD_AHEAD behind it
    logic [15:0] next_index;
  } walk_wqe_t;

  // A data answer against the READ or atomic that is next, of cmp_expect
  localparam int unsigned CMP_EXPECTED_W = 9;
  typedef struct packed {
    logic at_end;  // last packet of a READ request
    logic whole;  // ... and of the READ, or an atomic
    logic bad_op;  // opcode
    logic bad;  // opcode or length, of the PSN that is expected
    logic no_read;  // none is open, and it is no duplicate
    logic not_read;  // ... it answers a SEND or WRITE
    logic stale;  // ... it has waited for long enough
    logic dup;  // placed before
    logic ahead;  // answers before it are missing
  } cmp_expected_t;

  // READ data has been placed, taken when its ready is high
  localparam int unsigned READ_PROGRESS_W = 76;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
    logic [23:0] qpn;
    logic [LEN_W-1:0] len;
    logic [23:0] next_psn;  // behind its packet
    logic chunk;  // last packet of a READ request
    logic whole;  // ... and of the READ, or an atomic
  } read_progress_t;

  // What a store into BAR2 says; pushed: the whole block of 64 bytes is there, and data is its last quadword
  localparam int unsigned DOORBELL_W = 598;
  typedef struct packed {
    logic valid;
    logic [7:0] page;
    logic [11:0] offset;  // in the page
    logic [63:0] data;
    logic pushed;
    logic [511:0] block;
  } doorbell_t;

  // Firmware's operation on an entry of a doorbell table, taken when its ready is high
  localparam int unsigned DB_OP_W = 46;
  typedef struct packed {
    logic valid;
    logic [2:0] kind;  // enum db_table
    logic [1:0] op;  // enum db_op
    logic [7:0] page;
    logic [7:0] gen;
    logic [23:0] number;
  } db_op_t;

  // Firmware's operation on a record, through the context port: valid stays until it is done
  localparam int unsigned CTX_OP_W = 105;
  typedef struct packed {
    logic valid;
    logic [2:0] table_;  // enum table
    logic [2:0] op;  // enum ctx_op
    logic [1:0] part;  // QP: enum qp_part
    logic [31:0] key;  // number of the record
    logic [31:0] data;  // the word that was asked for in the cycle before; from the second cycle of valid on
    logic [31:0] mask;  // MODIFY: its bits that are changed; INIT: all ones
  } ctx_op_t;

  // What has become of it; zero, but for status, while there is none
  localparam int unsigned CTX_DONE_W = 41;
  typedef struct packed {
    logic done;
    logic [2:0] status;  // enum ctx_result
    logic [3:0] word;  // which word it asks for
    logic put;  // data takes the place of the word that is shown: as it is now in the record (READ, MODIFY)
    logic [31:0] data;
  } ctx_done_t;

  // What rx_qp_table keeps of a QP has changed, a strobe
  localparam int unsigned RX_QP_WRITE_W = 61;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    rx_qp_t entry;
  } rx_qp_write_t;

  // What the PCIe core says of the function's configuration space
  localparam int unsigned PCIE_CFG_W = 27;
  typedef struct packed {
    logic bme;  // bus master enable
    logic [2:0] mps;
    logic [2:0] mrrs;
    logic [15:0] reqid;
    logic ext_tag;  // Device Control, bit 8
    logic relaxed;  // Device Control, bit 4
    logic msix_en;
    logic msix_fmask;
  } pcie_cfg_t;

  // What the MAC says of itself
  localparam int unsigned MAC_FACTS_W = 81;
  typedef struct packed {
    logic [47:0] addr;
    logic link;
    logic [15:0] eth_mtu;
    logic [15:0] gbps;
  } mac_facts_t;

  // A beat of a TLP from the link, taken when its ready is high; its data is a port beside it
  localparam int unsigned TLP_IN_W = 134;
  typedef struct packed {
    logic valid;
    logic sop;
    logic last;
    logic [127:0] hdr;
    logic [2:0] bar;
  } tlp_in_t;

  // A beat of a TLP to the link, taken when its ready is high; its data is a port beside it
  localparam int unsigned TLP_OUT_W = 131;
  typedef struct packed {
    logic valid;
    logic sop;
    logic last;
    logic [127:0] hdr;
  } tlp_out_t;

  // A TLP without data, taken when its ready is high
  localparam int unsigned TLP_ASK_W = 129;
  typedef struct packed {
    logic valid;
    logic [127:0] hdr;
  } tlp_ask_t;

  // A beat of a completion from the link, taken when its ready is high; its data is a port beside it
  localparam int unsigned TLP_BACK_W = 99;
  typedef struct packed {
    logic valid;
    logic sop;
    logic last;
    logic [95:0] hdr;  // HDR tlp_cpl
  } tlp_back_t;

  // Access to a register of BAR0, over when its ready is high; the answer comes with it
  localparam int unsigned CSR_ACCESS_W = 90;
  typedef struct packed {
    logic valid;
    logic we;
    logic [15:0] addr;
    logic [7:0] be;
    logic [63:0] wdata;
  } csr_access_t;

  // The same to the MSI-X table and its pending bits
  localparam int unsigned MSIX_ACCESS_W = 81;
  typedef struct packed {
    logic valid;
    logic we;
    logic pba;  // the pending bits, read only
    logic [5:0] word;  // 64-bit word of the table
    logic [7:0] be;
    logic [63:0] wdata;
  } msix_access_t;

  // A message of a vector is wanted, taken when its ready is high
  localparam int unsigned MSIX_REQUEST_W = 6;
  typedef struct packed {
    logic valid;
    logic [4:0] vector;
  } msix_request_t;

  // Access of the management core to one region of its peripherals, over when its ready is high
  localparam int unsigned MMIO_ACCESS_W = 50;
  typedef struct packed {
    logic valid;
    logic we;
    logic [15:0] addr;
    logic [31:0] wdata;
  } mmio_access_t;

  // Its answer, in the cycle in which ready is high
  localparam int unsigned MMIO_ANSWER_W = 33;
  typedef struct packed {
    logic ready;
    logic [31:0] rdata;
  } mmio_answer_t;

  // The tables of records in host memory, by enum table
  localparam int unsigned RECORD_TABLES_W = 776;
  typedef struct packed {
    logic [511:0] base;  // 64 bits each
    logic [263:0] entries;  // 33 bits each; 0 closes the table
  } record_tables_t;

  // What firmware reads of the device
  localparam int unsigned DEVICE_FACTS_W = 177;
  typedef struct packed {
    logic [31:0] features;
    logic [31:0] build;
    logic [31:0] sizes;
    logic [31:0] port;
    logic [47:0] mac;
    logic link;
  } device_facts_t;

  // The same to any region
  localparam int unsigned CPU_ACCESS_W = 58;
  typedef struct packed {
    logic valid;
    logic we;
    logic [19:0] addr;
    logic [31:0] wdata;
    logic [3:0] wstrb;
  } cpu_access_t;

  // Access to the management core's RAM, taken when its ready is high; what is read comes in the next cycle
  localparam int unsigned RAM_ACCESS_W = 49;
  typedef struct packed {
    logic valid;
    logic we;
    logic [14:0] addr;  // in words
    logic [31:0] wdata;
  } ram_access_t;

  // The firmware image is to be read: until its end, or until given up
  localparam int unsigned FW_LOAD_W = 79;
  typedef struct packed {
    logic go;
    logic [61:0] iova;  // in words
    logic [15:0] words;  // at least 1
  } fw_load_t;

  // How that goes
  localparam int unsigned FW_IMAGE_W = 35;
  typedef struct packed {
    logic word;  // a word of it goes to the RAM, in order
    logic [31:0] data;  // it
    logic over;  // all of it did, or (with err) a line could not be read: a strobe
    logic err;
  } fw_image_t;

  // What firmware says of itself
  localparam int unsigned FW_STATE_W = 34;
  typedef struct packed {
    logic ready;
    logic fatal;
    logic [31:0] scratch;
  } fw_state_t;

  // A transfer between host memory and the RAM (fw_dma), taken when its ready is high
  localparam int unsigned FW_COPY_W = 102;
  typedef struct packed {
    logic valid;
    logic [2:0] slot;
    logic write;  // to host memory
    logic only_msix;  // no transfer, no slot: just the vector
    logic msix;
    logic [4:0] vector;
    logic [61:0] iova;  // in words
    logic [LEN_W-1:0] len;
    logic [14:0] ram;  // in words
  } fw_copy_t;

  // The command queue and the log, as the host has set them up
  localparam int unsigned CMDQ_SETUP_W = 275;
  typedef struct packed {
    logic [63:0] base;
    logic [63:0] cpl_base;
    logic [31:0] size;
    logic [15:0] db;
    logic db_we;  // strobe: it was written
    logic enable;
    logic enable_we;  // strobe: it was written
    logic [63:0] log_base;
    logic [31:0] log_size;
  } cmdq_setup_t;

  // Something for firmware to know, taken when its ready is high
  localparam int unsigned FW_EVENT_W = 25;
  typedef struct packed {
    logic valid;
    logic [23:0] number;  // of the queue or QP; a bad doorbell: page 23:16, cause 6:0
  } fw_event_t;

  // All of them, in the order of enum dev_event
  localparam int unsigned FW_EVENTS_W = 100;
  typedef struct packed {
    fw_event_t cq_error;
    fw_event_t bad_doorbell;
    fw_event_t eq_overflow;
    fw_event_t qp_error;
  } fw_events_t;

  // The ready of each of them
  localparam int unsigned FW_EVENTS_READY_W = 4;
  typedef struct packed {
    logic cq_error;
    logic bad_doorbell;
    logic eq_overflow;
    logic qp_error;
  } fw_events_ready_t;

  // A read for dma_read, taken when its ready is high
  localparam int unsigned DMA_READ_W = 116;
  typedef struct packed {
    logic valid;
    dma_rd_t req;
  } dma_read_t;

  // A posted write for dma_write, taken when its ready is high
  localparam int unsigned DMA_WRITE_W = 623;
  typedef struct packed {
    logic valid;
    dma_wr_t cmd;
  } dma_write_t;

  // One beat of the read data stream; its data, of the build's width, is a port of its own
  localparam int unsigned DMA_BEAT_W = 41;
  typedef struct packed {
    logic valid;
    dma_rsp_t meta;
  } dma_beat_t;

  // How far the posted writes are, for answers that say that data is there
  localparam int unsigned DMA_POSTED_W = 33;
  typedef struct packed {
    logic late;  // the write `slow` has not left for the link
    logic [TICKET_W-1:0] slow;  // newest accepted of those that may take long
    logic [TICKET_W-1:0] sent;  // newest of which all TLPs have left
  } dma_posted_t;

  // What comes back from the DMA engines to all clients
  localparam int unsigned DMA_RETURN_W = 106;
  typedef struct packed {
    dma_beat_t beat;
    logic [TICKET_W-1:0] ticket;  // of the posted write that is accepted now
    logic [TICKET_W-1:0] last_ticket;  // of the newest that has been accepted
    dma_posted_t posted;
  } dma_return_t;

  // dma_read: the end of a read under a tag, a strobe
  localparam int unsigned TAG_END_W = 15;
  typedef struct packed {
    logic valid;
    logic [PCIE_TAG_W-1:0] tag;
    logic live;  // its completion was awaited; else it was in quarantine
    logic free;  // to the free tags, else into quarantine
    logic turn;  // of its last use
    logic [1:0] period;
    logic pay;  // of payload
  } tag_end_t;

  // All clients of dma_read: RD_*
  localparam int unsigned DMA_READS_W = 928;
  typedef struct packed {
    dma_read_t txp;
    dma_read_t wqe;
    dma_read_t rqe;
    dma_read_t qpc;
    dma_read_t mr;
    dma_read_t cq;
    dma_read_t fw;
    dma_read_t atom;
  } dma_reads_t;

  // The ready of each of them
  localparam int unsigned DMA_READ_READY_W = 8;
  typedef struct packed {
    logic txp;
    logic wqe;
    logic rqe;
    logic qpc;
    logic mr;
    logic cq;
    logic fw;
    logic atom;
  } dma_read_ready_t;

  // All clients of dma_write: WR_*
  localparam int unsigned DMA_WRITES_W = 4984;
  typedef struct packed {
    dma_write_t rsp;
    dma_write_t cmp;
    dma_write_t cqe;
    dma_write_t eqe;
    dma_write_t qpc;
    dma_write_t cqc;
    dma_write_t fw;
    dma_write_t atom;
  } dma_writes_t;

  // The ready of each of them
  localparam int unsigned DMA_WRITE_READY_W = 8;
  typedef struct packed {
    logic rsp;
    logic cmp;
    logic cqe;
    logic eqe;
    logic qpc;
    logic cqc;
    logic fw;
    logic atom;
  } dma_write_ready_t;

  // Reads of the receive side
  localparam int unsigned RECEIVE_READS_W = 348;
  typedef struct packed {
    dma_read_t rqe;  // receive WQEs
    dma_read_t res;  // responder resources: they share RD_QPC
    dma_read_t atom;
  } receive_reads_t;

  // The ready of each of them
  localparam int unsigned RECEIVE_READ_READY_W = 3;
  typedef struct packed {
    logic rqe;
    logic res;
    logic atom;
  } receive_read_ready_t;

  // Posted writes of the receive side
  localparam int unsigned RECEIVE_WRITES_W = 1246;
  typedef struct packed {
    dma_write_t rsp;  // payload and responder resources
    dma_write_t atom;
  } receive_writes_t;

  // The ready of each of them
  localparam int unsigned RECEIVE_WRITE_READY_W = 2;
  typedef struct packed {
    logic rsp;
    logic atom;
  } receive_write_ready_t;

  // Reads of the caches of records
  localparam int unsigned STATE_READS_W = 348;
  typedef struct packed {
    dma_read_t qpc;
    dma_read_t mr;
    dma_read_t cq;
  } state_reads_t;

  // The ready of each of them
  localparam int unsigned STATE_READ_READY_W = 3;
  typedef struct packed {
    logic qpc;
    logic mr;
    logic cq;
  } state_read_ready_t;

  // Posted writes of the caches and of the completion and event queues
  localparam int unsigned STATE_WRITES_W = 2492;
  typedef struct packed {
    dma_write_t cqe;
    dma_write_t eqe;
    dma_write_t qpc;
    dma_write_t cqc;  // CQ and MPT records
  } state_writes_t;

  // The ready of each of them
  localparam int unsigned STATE_WRITE_READY_W = 4;
  typedef struct packed {
    logic cqe;
    logic eqe;
    logic qpc;
    logic cqc;
  } state_write_ready_t;

  // A client's request to the MR service, taken when its ready is high
  localparam int unsigned MR_ASK_W = 201;
  typedef struct packed {
    logic valid;
    mr_req_t req;
  } mr_ask_t;

  // The answer, in the order of the requests; the client has a ready for it
  localparam int unsigned MR_ANSWER_W = 176;
  typedef struct packed {
    logic valid;
    mr_rsp_t rsp;
    logic fill;  // strobe: what was answered MISS may be asked again
    logic drain;  // level: a mark goes behind what has been answered, see mr_drain
  } mr_answer_t;

  // A change of a key, taken when its ready is high
  localparam int unsigned KEY_CHANGE_W = 323;
  typedef struct packed {
    logic valid;
    mr_upd_t req;
  } key_change_t;

  // The answer to it; the client has a ready for it
  localparam int unsigned KEY_CHANGED_W = 9;
  typedef struct packed {
    logic valid;
    logic [7:0] vendor;  // enum vendor_err: NONE when it is done
  } key_changed_t;

  // All clients of mr_lookup: MRC_*
  localparam int unsigned MR_ASKS_W = 804;
  typedef struct packed {
    mr_ask_t requester;
    mr_ask_t responder;
    mr_ask_t completer;
    mr_ask_t rsp_tx;
  } mr_asks_t;

  // The ready of each of them
  localparam int unsigned MR_ASKS_READY_W = 4;
  typedef struct packed {
    logic requester;
    logic responder;
    logic completer;
    logic rsp_tx;
  } mr_asks_ready_t;

  // All clients of mr_update: MUC_*
  localparam int unsigned KEY_CHANGES_W = 646;
  typedef struct packed {
    key_change_t requester;
    key_change_t responder;
  } key_changes_t;

  // The ready of each of them
  localparam int unsigned KEY_CHANGES_READY_W = 2;
  typedef struct packed {
    logic requester;
    logic responder;
  } key_changes_ready_t;

  // What the requester asks of the MR service
  localparam int unsigned REQUESTER_MR_W = 525;
  typedef struct packed {
    mr_ask_t ask;  // local keys of sends
    key_change_t key_change;  // local operations
    logic drained;  // the mark of mr_drain has come out, behind the last access with what was answered before it
  } requester_mr_t;

  // A ready of each: of the requests, or of the answers
  localparam int unsigned REQUESTER_MR_READY_W = 2;
  typedef struct packed {
    logic ask;
    logic key_change;
  } requester_mr_ready_t;

  // What it is answered
  localparam int unsigned REQUESTER_MR_ANSWER_W = 185;
  typedef struct packed {
    mr_answer_t ask;
    key_changed_t key_change;
  } requester_mr_answer_t;

  // What the send side asks of the MR service
  localparam int unsigned SEND_MR_W = 727;
  typedef struct packed {
    requester_mr_t requester;
    mr_ask_t completer;  // local keys of READ and atomic results
    logic completer_drained;  // as that of the requester
  } send_mr_t;

  // A ready of each: of the requests, or of the answers
  localparam int unsigned SEND_MR_READY_W = 3;
  typedef struct packed {
    requester_mr_ready_t requester;
    logic completer;
  } send_mr_ready_t;

  // What it is answered
  localparam int unsigned SEND_MR_ANSWER_W = 361;
  typedef struct packed {
    requester_mr_answer_t requester;
    mr_answer_t completer;
  } send_mr_answer_t;

  // What the receive side asks of the MR service
  localparam int unsigned RECEIVE_MR_W = 752;
  typedef struct packed {
    mr_ask_t responder;  // remote keys, local keys of receives
    mr_ask_t rsp_tx;  // remote keys of READs that are answered
    key_change_t key_change;  // SEND with invalidate
    ctx_req_t ahead;  // MPT index of a request that has come; nothing answers
    logic responder_drained;  // as that of the requester
    logic rsp_tx_drained;
  } receive_mr_t;

  // A ready of each: of the requests, or of the answers
  localparam int unsigned RECEIVE_MR_READY_W = 3;
  typedef struct packed {
    logic responder;
    logic rsp_tx;
    logic key_change;
  } receive_mr_ready_t;

  // What it is answered
  localparam int unsigned RECEIVE_MR_ANSWER_W = 361;
  typedef struct packed {
    mr_answer_t responder;
    mr_answer_t rsp_tx;
    key_changed_t key_change;
  } receive_mr_answer_t;

  // A responder resource of the QP that its entry names changes on chip, taken when its ready is high
  localparam int unsigned RES_WRITE_W = 261;
  typedef struct packed {
    logic valid;
    logic [3:0] index;
    logic [255:0] entry;  // cairn_hw_pkg::rsp_res_t
  } res_write_t;

  // One atomic of this slot is over, taken when its ready is high
  localparam int unsigned SLOT_OVER_W = 13;
  typedef struct packed {
    logic valid;
    logic [SLOT_W-1:0] slot;
  } slot_over_t;

  // A beat of a stream of bytes, which are a port x_data of their own: all beats but the last are full, and nbytes
  // and err are read only with last
  localparam int unsigned BEAT_W = 10;
  typedef struct packed {
    logic valid;
    logic last;
    logic err;
    logic [6:0] nbytes;
  } beat_t;

  // A beat of a frame behind rx_parser; what follows last counts with it
  localparam int unsigned RX_FRAME_W = 996;
  typedef struct packed {
    logic valid;
    logic last;
    logic roce;
    logic raw;  // for firmware
    logic [6:0] nbytes;
    logic [13:0] len;
    rx_meta_t meta;  // of RoCE: cell_head, epoch, slot and gen are zero
    logic [223:0] ext;  // below 128 bits: the extension headers as they came
    logic [6:0] has;  // ... and which of them there are
  } rx_frame_t;

  // The cells of a packet that nobody reads go back, taken when its ready is high
  localparam int unsigned RX_FREE_W = 13;
  typedef struct packed {
    logic valid;
    logic [CELL_W-1:0] cell_head;
  } rx_free_t;

  // Command to the reader of the RX pool, taken when its ready is high
  localparam int unsigned POOL_CMD_W = 36;
  typedef struct packed {
    logic valid;
    pool_read_t cmd;
  } pool_cmd_t;

  // What the requester sends: jobs, their segments, and the beats of inline segments, whose bytes are a port of their
  // own
  localparam int unsigned TX_REQUESTS_W = 865;
  typedef struct packed {
    logic job_valid;
    tx_job_t job;
    logic seg_valid;
    tx_seg_t seg;
    logic inl_valid;
    logic inl_last;
    logic [6:0] inl_nbytes;
  } tx_requests_t;

  // What is taken of tx_requests
  localparam int unsigned TX_REQUESTS_READY_W = 3;
  typedef struct packed {
    logic job;
    logic seg;
    logic inl;
  } tx_requests_ready_t;

  // What the responder sends: jobs with their segments, and jobs without payload, which may overtake them
  localparam int unsigned TX_RESPONSES_W = 1607;
  typedef struct packed {
    logic job_valid;
    tx_job_t job;
    logic seg_valid;
    tx_seg_t seg;
    logic ack_valid;
    tx_job_t ack;
  } tx_responses_t;

  // What is taken of tx_responses
  localparam int unsigned TX_RESPONSES_READY_W = 3;
  typedef struct packed {
    logic job;
    logic seg;
    logic ack;
  } tx_responses_ready_t;

  // What the payload rings say to the core
  localparam int unsigned TX_RINGS_W = 3;
  typedef struct packed {
    logic req_drained;  // ring 0: the mark of mr_drain has come out
    logic rsp_drained;  // ring 1
    logic left;  // strobe: a job of ring 1 (not an ack) is on its way to the wire, or dropped
  } tx_rings_t;

  // A packet could not be sent, taken when its ready is high
  localparam int unsigned TX_FAILED_W = 57;
  typedef struct packed {
    logic valid;
    tx_lost_t lost;
  } tx_failed_t;

  // Packets of a QP without acknowledgements have left, taken when its ready is high
  localparam int unsigned TX_GONE_W = 58;
  typedef struct packed {
    logic valid;
    tx_left_t left;
  } tx_gone_t;

  // What the transmit side tells of packets: of requests and responses without payload, and of what has left
  localparam int unsigned TX_REPORTS_W = 172;
  typedef struct packed {
    tx_failed_t req;
    tx_failed_t rsp;
    tx_gone_t sent;
  } tx_reports_t;

  // The ready of each of them
  localparam int unsigned TX_REPORTS_READY_W = 3;
  typedef struct packed {
    logic req;
    logic rsp;
    logic sent;
  } tx_reports_ready_t;

  // Strobe: what may leave of the requests of a QP from now on (tx_check)
  localparam int unsigned TX_ALLOW_W = 42;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic closed;  // nothing
    logic [7:0] gen;  // of this generation and, of RC, of this send epoch
    logic [7:0] send_epoch;
  } tx_allow_t;

  // Command of a payload ring to tx_fetch, taken when its ready is high
  localparam int unsigned TX_CMD_W = 127;
  typedef struct packed {
    logic valid;
    tx_seg_t seg;  // what to fetch
    logic epoch;  // of its job
    logic [5:0] slot;  // job in the ring
    logic [14:0] addr;  // byte address in the ring where byte 0 goes
  } tx_cmd_t;

  // A command of a payload ring has ended: its bytes are in the ring, or it failed
  localparam int unsigned TX_DONE_W = 9;
  typedef struct packed {
    logic req;  // of ring 0
    logic rsp;  // of ring 1
    logic [5:0] slot;
    logic err;
  } tx_done_t;

  // Oldest job of a payload ring, all of whose payload is there; taken when its ready is high
  localparam int unsigned TX_HEAD_W = 773;
  typedef struct packed {
    logic valid;
    logic bad;  // a read of it failed
    tx_job_t job;
    tx_place_t place;
  } tx_head_t;

  // A job behind tx_check, taken when its ready is high
  localparam int unsigned TX_CHECKED_W = 773;
  typedef struct packed {
    logic valid;
    logic drop;  // not to be sent: only its words are to be freed
    tx_job_t job;
    tx_place_t place;
  } tx_checked_t;

  // The next packet to build, of tx_arbiter; taken when its ready is high
  localparam int unsigned TX_GRANT_W = 787;
  typedef struct packed {
    logic valid;
    logic ring;  // payload in ring 1
    logic drop;
    logic raw;  // a raw frame, of raw_len bytes
    logic [11:0] raw_len;
    tx_job_t job;
    tx_place_t place;
  } tx_grant_t;

  // A packet with its header made, of tx_headers; positions are bytes from the frame's first
  localparam int unsigned TX_FRAME_W = 87;
  typedef struct packed {
    logic valid;
    logic ring;
    logic drop;
    logic raw;
    logic vlan;
    logic ipv6;
    tx_place_t place;
    logic [12:0] lo;  // first byte of payload
    logic [12:0] hi;  // the one behind it; lo: none
    logic [12:0] icrc;  // first byte of the ICRC
    logic [12:0] total;  // length, padded to 60
    logic data;  // has payload
    logic [6:0] slot;  // below 128 bits: where its header lies (tx_form)
  } tx_frame_t;

  // A beat of a frame on its way through tx_icrc
  localparam int unsigned TX_BEAT_W = 25;
  typedef struct packed {
    logic valid;
    logic first;
    logic last;
    logic [4:0] beat;  // in the frame, saturating
    logic vlan;
    logic ipv6;
    logic crc;  // has bytes of the coverage
    logic end_;  // the coverage ends here
    logic [5:0] icrc_lane;  // with end: first byte of the ICRC
    logic [6:0] nbytes;
  } tx_beat_t;

  // Eight bytes of a header, those whose bit is set (tx_piece)
  localparam int unsigned TX_PIECES_W = 14;
  typedef struct packed {
    logic dmac;  // two bytes of nothing, then it
    logic tag;  // the second half of the 802.1Q tag, and nothing
    logic v4_first;  // IPv4: version to fragment
    logic v4_src;  // hop limit to source address
    logic v4_dst;  // destination address, and nothing
    logic v6_first;  // IPv6: version to hop limit
    logic v6_dst0;  // destination address
    logic v6_dst1;
    logic udp;
    logic bth;  // the first two thirds of the BTH
    logic psn;  // the last third, and the first four bytes of the extension headers
    logic ext1;  // the next ones of them
    logic ext2;
    logic ext3;
  } tx_pieces_t;

  // Read of a word of a payload ring; its data comes a cycle later
  localparam int unsigned TX_RAM_READ_W = 13;
  typedef struct packed {
    logic valid;
    logic ring;
    logic [10:0] word;
  } tx_ram_read_t;

  // Write to the payload rings: of a word and the one behind it, whose data and enables are ports
  localparam int unsigned TX_RAM_WRITE_W = 13;
  typedef struct packed {
    logic valid;
    logic ring;
    logic [10:0] word;
  } tx_ram_write_t;

  // Words of the oldest job of a payload ring are free again
  localparam int unsigned TX_RELEASE_W = 13;
  typedef struct packed {
    logic req;  // of ring 0
    logic rsp;  // of ring 1
    logic plain;  // of none: the place of its header
    logic [9:0] words;
  } tx_release_t;

  // A frame of firmware to be sent, taken when its ready is high
  localparam int unsigned RAW_FRAME_W = 13;
  typedef struct packed {
    logic valid;
    logic [11:0] len;
  } raw_frame_t;

  // Read of firmware's frame; its data comes a cycle later
  localparam int unsigned RAW_READ_W = 10;
  typedef struct packed {
    logic valid;
    logic [7:0] addr;  // word
    logic done;  // the last word has been read
  } raw_read_t;

  // count records share the cells of a packet, taken when its ready is high (rx_refs)
  localparam int unsigned RX_REF_W = 17;
  typedef struct packed {
    logic valid;
    logic [CELL_W-1:0] cell_head;
    logic [3:0] count;  // 2 or more
  } rx_ref_t;

  // What the writer of the RX pool stores: a word, whose data is a port, the cell behind one, the number of cells of
  // a packet by its first
  localparam int unsigned POOL_WRITE_W = 61;
  typedef struct packed {
    logic data_we;
    logic [16:0] data_addr;  // {cell, word}
    logic next_we;
    logic [CELL_W-1:0] next_addr;
    logic [CELL_W-1:0] next_data;
    logic count_we;
    logic [CELL_W-1:0] count_addr;
    logic [4:0] count_data;
  } pool_write_t;

  // A packet has been read: its cells go back when the ready is high
  localparam int unsigned POOL_RELEASE_W = 18;
  typedef struct packed {
    logic valid;
    logic [CELL_W-1:0] cell_head;
    logic [4:0] count;
  } pool_release_t;

  // An answer that firmware awaits (rx_answer)
  localparam int unsigned RAW_AWAIT_W = 49;
  typedef struct packed {
    logic we;
    logic [2:0] index;
    logic ipv6;
    logic [11:0] vid;
    logic [31:0] key;
  } raw_await_t;

  // What the registers say to the management core
  localparam int unsigned FW_CONTROL_W = 358;
  typedef struct packed {
    logic hold;  // it stands
    fw_load_t load;
    cmdq_setup_t cmdq;
    logic [2:0] word;  // of the small data of its write that dma_write wants to see, below 512 bits
  } fw_control_t;

  // What it says to them
  localparam int unsigned FW_STATUS_W = 70;
  typedef struct packed {
    fw_image_t image;
    fw_state_t state;
    logic fatal;  // it has stopped at a trap within a trap
  } fw_status_t;

  // All that want messages
  localparam int unsigned MSIX_REQUESTS_W = 12;
  typedef struct packed {
    msix_request_t req;  // eqe_write
    msix_request_t fw;  // firmware
  } msix_requests_t;

  // What is taken of them
  localparam int unsigned MSIX_REQUESTS_READY_W = 2;
  typedef struct packed {
    logic req;
    logic fw;
  } msix_requests_ready_t;

  // A QP begins a life, a strobe
  localparam int unsigned QP_NEW_W = 25;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
  } qp_new_t;

  // What the rest of the device says of itself, for STATUS
  localparam int unsigned DEV_STATE_W = 2;
  typedef struct packed {
    logic fatal;  // an event queue is lost
    logic idle;
  } dev_state_t;

  // By epoch: requests of it are under way in the DMA engines
  localparam int unsigned DMA_BUSY_W = 4;
  typedef struct packed {
    logic [1:0] rd;
    logic [1:0] wr;
  } dma_busy_t;

  // What becomes of firmware's operation on a doorbell table, in the cycle in which ready is high
  localparam int unsigned DB_OP_DONE_W = 17;
  typedef struct packed {
    logic ready;
    logic [15:0] index;  // producer index of the entry
  } db_op_done_t;

  // What holds for the engines of both sides
  localparam int unsigned ENGINE_CONTROL_W = 35;
  typedef struct packed {
    logic [31:0] features;  // REG FEATURES
    logic epoch;  // of their DMA commands
    logic halt;  // a fence waits: nothing new begins
    logic forget;  // what has been read ahead of queues is void
  } engine_control_t;

  // The same for the receive side
  localparam int unsigned RECEIVE_CONTROL_W = 107;
  typedef struct packed {
    engine_control_t engine;
    logic [63:0] res_base;  // table of responder resources
    logic [7:0] res_func;  // its function
  } receive_control_t;

  // Whether a part rests, and until when
  localparam int unsigned REST_W = 66;
  typedef struct packed {
    logic idle;
    deadline_t deadline;
  } rest_t;

  // The same of a part of the core
  localparam int unsigned SIDE_REST_W = 67;
  typedef struct packed {
    logic fence_busy;  // a fence waits for it
    logic idle;
    deadline_t deadline;
  } side_rest_t;

  // What firmware and the device say to the core
  localparam int unsigned CORE_CONTROL_W = 36;
  typedef struct packed {
    logic [31:0] features;  // REG FEATURES
    logic enable;
    logic fence_start;
    logic dma_busy;  // posted writes or reads under way (fence)
    logic tx_busy;  // jobs whose payload is outstanding
  } core_control_t;

  // What it says to them
  localparam int unsigned CORE_STATE_W = 68;
  typedef struct packed {
    logic fence_done;
    logic fatal;  // an event queue is lost
    logic idle;
    deadline_t deadline;
  } core_state_t;

  // A packet behind the receive path, taken when its ready is high
  localparam int unsigned RX_IN_W = 741;
  typedef struct packed {
    logic valid;
    rx_meta_t meta;
  } rx_in_t;

  // A packet that its QP takes, for an engine (rx_dispatch)
  localparam int unsigned RX_OFFER_W = 1253;
  typedef struct packed {
    logic valid;
    rx_pkt_t pkt;
  } rx_offer_t;

  // What the engine says of its packets
  localparam int unsigned RX_TAKEN_W = 2;
  typedef struct packed {
    logic ready;  // that one is taken
    logic done;  // strobe: one is over, its credit comes back
  } rx_taken_t;

  // rsp_commit's answer to RSE_ACK, in the cycle that takes it
  localparam int unsigned ACK_GRANT_W = 33;
  typedef struct packed {
    logic yes;  // the ACK state is taken out of the record, and is:
    logic [23:0] psn;
    logic [7:0] syn;  // MSN and credits are those of when it leaves
  } ack_grant_t;

  // rsp_commit: an ACK that goes out without rsp_tx
  localparam int unsigned ACK_DIRECT_W = 79;
  typedef struct packed {
    logic read;  // the QP's cfg part is read in this cycle
    logic valid;  // strobe: the part is here, and so are these
    logic over;  // strobe: what it stands for has happened
    logic [SLOT_W-1:0] slot;  // of read, else of valid
    logic [23:0] psn;
    logic [23:0] msn;
    logic [15:0] count;  // receive WQEs posted and not taken
  } ack_direct_t;

  // rsp_check: what rsp_judge asks of the state and the packet, found in the cycle before
  localparam int unsigned RSP_ASKS_W = 6;
  typedef struct packed {
    logic in_seq;  // the expected PSN
    logic behind;  // one before it
    logic too_long;  // the message is, by its header
    logic ends;  // WRITE: this payload is all that is still to come
    logic more;  // WRITE: there is more to come than this payload
    logic grows;  // SEND: the message becomes too long
  } rsp_asks_t;

  // rsp_walk looks at a packet of this slot from now on, a strobe
  localparam int unsigned RSP_TOOK_W = 14;
  typedef struct packed {
    logic valid;
    logic again;  // one that was parked
    logic [SLOT_W-1:0] slot;
  } rsp_took_t;

  // A new packet that waits for rsp_walk
  localparam int unsigned RSP_ASIDE_W = 741;
  typedef struct packed {
    logic valid;
    logic [7:0] place;  // FAST = 0: of its record (rsp_store)
    rsp_rec_t rec;
  } rsp_aside_t;

  // rsp_join, of the new packet's slot
  localparam int unsigned RSP_NEW_W = 4;
  typedef struct packed {
    logic behind;  // it has parked packets
    logic aside;  // the packet is taken, and parked with them
    logic held;  // (FAST = 0, of the slot in rsp_aside) the same; the packet is not over its share
    logic left;  // strobe: a new one has its verdict
  } rsp_new_t;

  // rsp_tx: an event for rsp_commit, taken when its ready is high
  localparam int unsigned RSP_ASK_W = 144;
  typedef struct packed {
    logic valid;
    rsp_ev_t ev;
  } rsp_ask_t;

  // To rsp_tx
  localparam int unsigned RSP_ASKED_W = 34;
  typedef struct packed {
    logic ready;  // its event is taken
    ack_grant_t grant;  // ... and this is the answer to RSE_ACK
  } rsp_asked_t;

  // rsp_tx: an ACK or NAK for the ACK port, taken when its ready is high
  localparam int unsigned RSP_TX_ACK_W = 752;
  typedef struct packed {
    logic valid;
    logic quiet;  // no response is in ring 1, and nothing is about to go there or here
    tx_job_t job;
  } rsp_tx_ack_t;

  // To rsp_tx
  localparam int unsigned RSP_TX_ACK_VIEW_W = 2;
  typedef struct packed {
    logic ready;
    logic busy;  // an ACK is there: nothing of ring 1 may pass it
  } rsp_tx_ack_view_t;

  // rsp_commit: what it says about ACKs
  localparam int unsigned RSP_ACKS_W = 112;
  typedef struct packed {
    ack_grant_t grant;
    ack_direct_t direct;
  } rsp_acks_t;

  // Reads of others in this cycle, which rsp_tx's look is behind
  localparam int unsigned RSP_TX_WAITS_W = 2;
  typedef struct packed {
    logic part;  // of the QP's parts, by rsp_commit
    logic rq;  // of a producer index, by rsp_check
  } rsp_tx_waits_t;

  // rsp_tx reads a QP's parts
  localparam int unsigned RSP_TX_LOOKS_W = 26;
  typedef struct packed {
    part_ask_t walk;  // to begin a visit
    part_ask_t send;  // to send; goes first
  } rsp_tx_looks_t;

  // When
  localparam int unsigned RSP_TX_TURNS_W = 5;
  typedef struct packed {
    rsp_tx_waits_t busy;  // not in this cycle; of the parts, unless they lie in a RAM that is shared
    logic shared;  // they do
    logic walk_ok;  // see lookup_use
    logic send_ok;
  } rsp_tx_turns_t;

  // rsp_commit: a packet is over, a strobe
  localparam int unsigned PACKET_OVER_W = 19;
  typedef struct packed {
    logic valid;
    logic unpin;  // its QP's pin may go: not that of an atomic
    logic [SLOT_W-1:0] slot;
    logic [4:0] cells;  // of the RX pool that it had
  } packet_over_t;

  // To rsp_commit, of what it tells rsp_tx
  localparam int unsigned RSP_KICK_READY_W = 2;
  typedef struct packed {
    logic kick;
    logic dup;  // of a packet_again
  } rsp_kick_ready_t;

  // rsp_join to rsp_commit: the first place of those that packets go to
  localparam int unsigned RSP_PIECE_W = 163;
  typedef struct packed {
    logic here;
    mr_place_t place;
  } rsp_piece_t;

  // rsp_commit: a duplicate READ or atomic is to be answered, taken when its ready is high
  localparam int unsigned PACKET_AGAIN_W = 733;
  typedef struct packed {
    logic valid;
    rsp_rec_t rec;
  } packet_again_t;

  // rsp_commit's word on the next record of kind INV, a strobe
  localparam int unsigned INV_TOLD_W = 2;
  typedef struct packed {
    logic valid;
    logic skip;  // its key stays as it is
  } inv_told_t;

  // rsp_commit: an atomic for atomic_unit, taken when its ready is high
  localparam int unsigned ATOMIC_START_W = 312;
  typedef struct packed {
    logic valid;
    at_op_t op;
  } atomic_start_t;

  // rsp_tx: a look-up is answered, taken when its ready is high
  localparam int unsigned RSP_FOUND_W = 41;
  typedef struct packed {
    logic valid;
    rsp_look_t look;
    logic [2:0] status;  // enum ctx_result
    logic [SLOT_W-1:0] slot;
  } rsp_found_t;

  // rsp_tx: the next step of a visit, taken when its ready is high
  localparam int unsigned RSP_STEPS_W = 125;
  typedef struct packed {
    logic valid;
    rsp_step_t step;
    logic [63:0] value;  // of an atomic: the original
  } rsp_steps_t;

  // rsp_tx: a visit, a strobe
  localparam int unsigned RSP_VISITS_W = 69;
  typedef struct packed {
    logic valid;
    rsp_visit_t visit;
  } rsp_visits_t;

  // rsp_tx: what has become of a step, a strobe
  localparam int unsigned RSP_OUTCOMES_W = 164;
  typedef struct packed {
    logic valid;
    rsp_outcome_t outcome;
  } rsp_outcomes_t;

  // rsp_tx: how far the answers of a QP have come is written, a strobe
  localparam int unsigned RSP_OWN_W = 84;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    rsp_answering_t now;
  } rsp_own_t;

  // rsp_tx: a responder resource is looked up
  localparam int unsigned RES_LOOK_W = 38;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [3:0] index;
    logic fill;  // its line is to be read, taken when its ready is high
  } res_look_t;

  // The answer, a cycle later; below 512 bit with done, and the entry in words
  localparam int unsigned RES_FOUND_W = 263;
  typedef struct packed {
    logic done;
    logic hit;
    logic err;  // its line could not be read
    logic [3:0] comes;  // below 512 bit: which 64 bits of the entry are here
    logic [255:0] entry;
  } res_found_t;

  // What the send side tells software
  localparam int unsigned SEND_NEWS_W = 241;
  typedef struct packed {
    cq_use_t cq;
    kick_t qp_err;  // a QP has gone into error
  } send_news_t;

  // The ready of each of them
  localparam int unsigned SEND_NEWS_READY_W = 2;
  typedef struct packed {
    logic cq;
    logic qp_err;
  } send_news_ready_t;

  // What the receive side tells software
  localparam int unsigned RECEIVE_NEWS_W = 316;
  typedef struct packed {
    cq_use_t cq;
    eq_event_t eqe;
    kick_t qp_err;  // a QP has gone into error
  } receive_news_t;

  // The ready of each of them
  localparam int unsigned RECEIVE_NEWS_READY_W = 3;
  typedef struct packed {
    logic cq;
    logic eqe;
    logic qp_err;
  } receive_news_ready_t;

  // Completions and events of all engines
  localparam int unsigned STATE_NEWS_W = 507;
  typedef struct packed {
    cq_uses_t cq;
    eq_event_t eqe;
  } state_news_t;

  // The ready of each of them
  localparam int unsigned STATE_NEWS_READY_W = 3;
  typedef struct packed {
    cq_uses_ready_t cq;
    logic eqe;
  } state_news_ready_t;

  // What CQs and EQs tell firmware and the host
  localparam int unsigned QUEUE_EVENTS_W = 57;
  typedef struct packed {
    fw_event_t cq_error;
    fw_event_t eq_overflow;
    msix_request_t msix;
    logic fatal;  // an event queue is lost
  } queue_events_t;

  // The ready of each of them
  localparam int unsigned QUEUE_EVENTS_READY_W = 3;
  typedef struct packed {
    logic cq_error;
    logic eq_overflow;
    logic msix;
  } queue_events_ready_t;

  // Doorbells of CQs and EQs; that of a CQ is taken when its ready is high
  localparam int unsigned QUEUE_DOORBELLS_W = 70;
  typedef struct packed {
    cq_arm_t arm;
    eq_doorbell_t eq;
  } queue_doorbells_t;

  // A doorbell of a send queue was taken, a strobe
  localparam int unsigned SQ_RUNG_W = 33;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic block;  // its block came along
    logic many;  // it posts four blocks or more
    logic [5:0] index;  // producer index before it, low bits
  } sq_rung_t;

  // Work was posted that is to be read before its QP is visited, taken when its ready is high
  localparam int unsigned SQ_POSTED_W = 57;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [15:0] from;  // block index of the first of it
    logic [15:0] upto;  // producer index
  } sq_posted_t;

  // Where the send queue of a QP lies, of the record that firmware writes (sq_early); a strobe
  localparam int unsigned SQ_PLACE_W = 95;
  typedef struct packed {
    logic valid;
    logic [23:0] qpn;
    logic [7:0] gen;
    logic [57:0] base;  // 64 bytes each
    logic [3:0] log2;  // size in blocks
  } sq_place_t;

  // Kicks of the send side from outside
  localparam int unsigned SEND_KICKS_W = 157;
  typedef struct packed {
    kick_t sched;  // doorbell, for the scheduler
    sq_posted_t posted;  // doorbell, in place of a kick
    kick_t walk;  // doorbell, for the walker
    kick_t fw_sched;  // firmware, for the scheduler
    kick_t fw_walk;  // firmware, for the walker
  } send_kicks_t;

  // The ready of each of them
  localparam int unsigned SEND_KICKS_READY_W = 5;
  typedef struct packed {
    logic sched;
    logic posted;
    logic walk;
    logic fw_sched;
    logic fw_walk;
  } send_kicks_ready_t;

  // What becomes of a pushed block
  localparam int unsigned PUSHED_USE_W = 2;
  typedef struct packed {
    logic ready;  // it is taken
    logic taken;  // strobe: one has been stored
  } pushed_use_t;

  // What cmp_retire reads of the QP whose QPN it gives, a cycle later
  localparam int unsigned WALK_VIEW_W = 48;
  typedef struct packed {
    logic [15:0] pi;  // producer index of its send queue
    sent_upto_t sent;
  } walk_view_t;

  // What wqe_fetch says to who asks for blocks
  localparam int unsigned FETCH_ANSWER_W = 2;
  typedef struct packed {
    logic ready;  // taken
    logic retry;  // level: ask again later
  } fetch_answer_t;

  // What both sides ask of the MR service
  localparam int unsigned MR_USERS_W = 1479;
  typedef struct packed {
    send_mr_t send;
    receive_mr_t receive;
  } mr_users_t;

  // A ready of each: of the requests, or of the answers
  localparam int unsigned MR_USERS_READY_W = 6;
  typedef struct packed {
    send_mr_ready_t send;
    receive_mr_ready_t receive;
  } mr_users_ready_t;

  // What they are answered
  localparam int unsigned MR_USERS_ANSWER_W = 722;
  typedef struct packed {
    send_mr_answer_t send;
    receive_mr_answer_t receive;
  } mr_users_answer_t;

  // What the send side is told of QP contexts
  localparam int unsigned SEND_QPS_W = 5854;
  typedef struct packed {
    send_ctx_rsp_t ctx;
    send_view_t part;
    ctx_fill_t fill;
    sq_place_t place;
  } send_qps_t;

  // Look-ups of the receive side
  localparam int unsigned RECEIVE_FIND_W = 62;
  typedef struct packed {
    receive_ctx_req_t ctx;
    // slot of which qp_lookup asks whether a fill of it is under way; the answer is a port of its own
    logic [SLOT_W-1:0] asked;
  } receive_find_t;

  // What the receive side is told of QP contexts
  localparam int unsigned RECEIVE_QPS_W = 2689;
  typedef struct packed {
    receive_ctx_rsp_t ctx;
    receive_view_t part;
    ctx_fill_t fill;
  } receive_qps_t;

  // Host memory: WQEs are read, READ data is written
  localparam int unsigned SEND_MEMORY_W = 739;
  typedef struct packed {
    dma_read_t rd;
    dma_write_t wr;
  } send_memory_t;

  // The ready of each of them
  localparam int unsigned SEND_MEMORY_READY_W = 2;
  typedef struct packed {
    logic rd;
    logic wr;
  } send_memory_ready_t;

  // Host memory of the receive side
  localparam int unsigned RECEIVE_MEMORY_W = 1594;
  typedef struct packed {
    receive_reads_t rd;
    receive_writes_t wr;
  } receive_memory_t;

  // The ready of each of them
  localparam int unsigned RECEIVE_MEMORY_READY_W = 5;
  typedef struct packed {
    receive_read_ready_t rd;
    receive_write_ready_t wr;
  } receive_memory_ready_t;

  // Host memory of the caches, completion and event queues
  localparam int unsigned STATE_MEMORY_W = 2840;
  typedef struct packed {
    state_reads_t rd;
    state_writes_t wr;
  } state_memory_t;

  // The ready of each of them
  localparam int unsigned STATE_MEMORY_READY_W = 7;
  typedef struct packed {
    state_read_ready_t rd;
    state_write_ready_t wr;
  } state_memory_ready_t;

  // Clients of dma_read in the core
  localparam int unsigned CORE_READS_W = 696;
  typedef struct packed {
    dma_read_t wqe;
    dma_read_t rqe;
    dma_read_t qpc;
    dma_read_t mr;
    dma_read_t cq;
    dma_read_t atom;
  } core_reads_t;

  // The ready of each of them
  localparam int unsigned CORE_READ_READY_W = 6;
  typedef struct packed {
    logic wqe;
    logic rqe;
    logic qpc;
    logic mr;
    logic cq;
    logic atom;
  } core_read_ready_t;

  // Clients of dma_write in the core
  localparam int unsigned CORE_WRITES_W = 4361;
  typedef struct packed {
    dma_write_t rsp;
    dma_write_t cmp;
    dma_write_t cqe;
    dma_write_t eqe;
    dma_write_t qpc;
    dma_write_t cqc;
    dma_write_t atom;
  } core_writes_t;

  // The ready of each of them
  localparam int unsigned CORE_WRITE_READY_W = 7;
  typedef struct packed {
    logic rsp;
    logic cmp;
    logic cqe;
    logic eqe;
    logic qpc;
    logic cqc;
    logic atom;
  } core_write_ready_t;

  // Host memory of all parts of the core
  localparam int unsigned CORE_MEMORY_W = 5057;
  typedef struct packed {
    core_reads_t rd;
    core_writes_t wr;
  } core_memory_t;

  // The ready of each of them
  localparam int unsigned CORE_MEMORY_READY_W = 13;
  typedef struct packed {
    core_read_ready_t rd;
    core_write_ready_t wr;
  } core_memory_ready_t;
endpackage
