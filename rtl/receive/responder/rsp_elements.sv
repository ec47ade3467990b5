// SPDX-License-Identifier: Apache-2.0
// The elements of a receive WQE, for rsp_walk: from the message offset on, one MR request for each that the packet
// touches; for a SEND with invalidate one more, about the key.
//
// load_i: rec_i may begin, its elements are at base_i; only while idle_o, or when the outcome leaves. begins_i, a
//   cycle later: it does, and it is known that it does last of all; idle_o says so then. KEEP = 0: rec_i stays until
//   then, and no copy of it is made.
// UD: the header area (40 bytes; IPv4: 20 zeros and the header) goes before the payload, and no request reaches across
//   the borders.
// Hint: the walk starts at the position where the previous packet of the message ended (kept by slot, valid only for
//   exactly this packet), else at the first element. A hint is never needed for correctness. It is read for slot
//   look_slot_i in each cycle. KEEP = 0: there is none; each packet of a longer message takes more cycles on the link
//   than there are elements to pass.
// Cycles: one for each element, two of a datagram; KEEP = 0: two, whatever it is; one for the key, one for the outcome.
// Errors: a malformed WQE or one that is too small turns the record into RSK_ERR, with the statuses of IBTA 10.7.
module rsp_elements #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned EAW   = 10,
    parameter bit          KEEP  = 1'b1,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic [AW-1:0]               look_slot_i,
    input  logic                        load_i,
    input  logic                        begins_i,
    input  cairn_int_pkg::rsp_rec_t     rec_i,
    input  logic [EAW-1:0]              base_i,
    output logic [15:0]                 el_addr_o,
    input  logic [127:0]                el_i,
    output logic                        mr_valid_o,
    input  logic                        mr_ready_i,
    output cairn_int_pkg::mr_req_t      mr_o,
    output logic                        out_valid_o,
    input  logic                        out_ready_i,
    output logic [4:0]                  out_nreq_o,  // answers that belong to it
    output cairn_int_pkg::rsp_rec_t     out_o,
    output logic                        reads_o,     // elements are being read
    output logic                        idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  typedef enum logic [1:0] {W_IDLE, W_ELEM, W_INV, W_OUT} walk_e;

  walk_e                   walk, state_q;
  assign walk = begins_i ? W_ELEM : state_q;
  cairn_int_pkg::rsp_rec_t l, r_q, o;            // next, in the walk, behind it
  logic                    bad_q, long_q;        // the walk has failed; the packet is too long
  assign l = rec_i;
  if (KEEP) begin : g_keep
    cairn_int_pkg::rsp_rec_t kept_q;
    always_ff @(posedge clk_i) if (load_i) kept_q <= l;
    assign r_q = kept_q;
  end else begin : g_stays
    assign r_q = l;
  end

  // ---- hint: where the next packet of a message starts; read until the packet goes on ----
  logic [AW-1:0]     init_slot_q;
  logic              hint_we;
  cairn_int_pkg::rsp_hint_t h, hint_wr;
  logic [AW-1:0]     slot;
  logic              hint_hit, h_ok, init_q;
  assign slot = r_q.id.slot[AW-1:0];
  // Cleared after reset, before a packet can be here.
  if (KEEP) begin : g_hint
    ram_1r1w #(.WIDTH(1 + cairn_int_pkg::RSP_HINT_W), .DEPTH(SLOTS), .BYPASS(1)) u_hint (
        .clk_i, .we_i(hint_we || init_q), .waddr_i(init_q ? init_slot_q : slot),
        .wdata_i({hint_we && !r_q.last, hint_wr}), .re_i(1'b1), .raddr_i(look_slot_i), .rdata_o({h_ok, h}));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        init_q      <= 1'b1;
        init_slot_q <= '0;
      end else if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
    end
  end else begin : g_no_hint
    logic unused;
    assign {h_ok, h, init_q, init_slot_q} = '0;
    assign unused = ^{look_slot_i, hint_we, hint_wr, slot, init_q, init_slot_q};
  end
  assign hint_hit = h_ok && !l.start && h.psn == l.psn && h.qpn == l.id.qpn && h.gen == l.id.gen
      && h.rq == l.rq.index;

  // ---- the way through the elements ----
  logic [4:0]        nreq_q;
  logic [LEN_W-1:0]  left_q;       // bytes of the packet without a place yet
  logic [31:0]       skip_q;       // bytes of the message before this position that must still be passed
  logic [4:0]        idx_q;
  logic [31:0]       off_q;        // bytes of the current element already used
  logic [5:0]        hdr_q;        // UD: bytes of the header area without a place yet
  cairn_hw_pkg::sge_t el;
  logic              step;         // to the next element
  logic              el_bad, passed, part_ok, here, skips_q, fresh_q, room_last, room_last_q;
  logic [31:0]       el_left;      // bytes of the element from off_q on
  logic [LEN_W-1:0]  piece, room, room_q;
  logic [5:0]        hdr_room;
  logic [EAW-1:0]    at_q, at_0;   // of the element; of the first one
  logic              last_piece, whole, beyond, emit, asks_inv;
  logic              waits;        // KEEP = 0: the element is on its way
  if (KEEP) begin : g_el_now
    assign el    = el_i;
    assign waits = 1'b0;
  end else begin : g_el_later
    always_ff @(posedge clk_i) begin
      el    <= el_i;
      waits <= walk != W_ELEM || step;
    end
  end
  assign beyond     = idx_q >= r_q.rq.stride;
  assign el_bad     = !waits && el.length > cairn_hw_pkg::MAX_MSG_BYTES;
  assign el_left    = el.length - off_q;
  assign passed     = skip_q >= el.length;              // skipping: the element lies before the packet
  assign hdr_room   = (!r_q.ud.ipv6 && hdr_q > 6'd20) ? hdr_q - 6'd20 : hdr_q;
  // Without a header area what is left is the room; else that takes a cycle.
  assign room       = r_q.ud.valid ? room_q : left_q;
  assign room_last  = !r_q.ud.valid || room_last_q;
  assign here       = walk == W_ELEM && !waits && !(r_q.ud.valid && fresh_q);
  assign whole      = el_left <= 32'(room);
  assign piece      = whole ? el_left[LEN_W-1:0] : room;
  assign last_piece = room_last && el_left >= 32'(room);
  always_ff @(posedge clk_i) begin
    fresh_q     <= load_i || emit;
    room_q      <= (hdr_q == '0) ? left_q : LEN_W'(hdr_room);
    room_last_q <= hdr_q == '0 || LEN_W'(hdr_room) == left_q;
  end
  // While skipping, off_q is 0; an element is used when it reaches past skip_q.
  assign part_ok    = here && !beyond && !el_bad && !skips_q && el.length != off_q;
  assign emit       = (part_ok || walk == W_INV) && mr_ready_i;
  assign asks_inv   = r_q.inv.valid && !r_q.inv.taken;

  cairn_int_pkg::mr_req_t mr;
  assign mr_o       = mr;
  assign mr_valid_o = part_ok || walk == W_INV;
  always_comb begin
    mr     = '0;
    mr.pd  = r_q.pd;
    mr.qpn = r_q.id.qpn;
    if (walk == W_INV) begin
      // May the peer invalidate this key?
      mr.key     = r_q.place.key;
      mr.len     = LEN_W'(1);
      mr.remote  = 1'b1;
      mr.inv     = 1'b1;
      mr.last    = 1'b1;
    end else begin
      mr.key     = el.lkey;
      mr.va      = el.addr + {32'h0, off_q};
      mr.len     = piece;
      mr.chk_len = 32'(piece);
      mr.rights  = cairn_hw_pkg::ACCESS_LOCAL_WRITE;
      mr.last    = last_piece && !asks_inv;
    end
  end

  // ---- next element: its address leads by one cycle ----
  logic [4:0] idx_d, idx_0;
  assign step = here && !beyond && !el_bad
                && (skips_q ? passed : el.length == off_q ? 1'b1 : emit && whole && !last_piece);
  assign idx_d = idx_q + 5'(step);
  assign idx_0 = hint_hit ? h.idx : 5'h0;
  assign at_0  = base_i + EAW'(idx_0);
  assign el_addr_o = 16'({(walk != W_ELEM) ? at_0 : step ? at_q + 1'b1 : at_q});

  // Position after this packet, for the hint
  logic done_el, too_long;
  assign done_el  = emit && last_piece && walk == W_ELEM;
  assign too_long = walk == W_ELEM && beyond;
  assign hint_we  = done_el;
  assign hint_wr  = {r_q.npsn, r_q.id.qpn, r_q.id.gen, r_q.rq.index, whole ? idx_q + 5'h1 : idx_q,
                     whole ? 32'h0 : off_q + 32'(piece)};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= W_IDLE;
    end else begin
      state_q <= walk;
      case (walk)
        W_ELEM:  if (beyond || el_bad || done_el) state_q <= (done_el && asks_inv) ? W_INV : W_OUT;
        W_INV:   if (mr_ready_i) state_q <= W_OUT;
        W_OUT:   if (out_ready_i) state_q <= W_IDLE;
        default: ;
      endcase
    end
    if (load_i) bad_q <= 1'b0;
    else if (walk == W_ELEM && (beyond || el_bad)) {bad_q, long_q} <= {1'b1, too_long};
  end
  always_comb begin
    o = r_q;
    if (bad_q) begin
      // Too long is the peer's fault, a bad element is not.
      o.kind           = cairn_int_pkg::RSK_ERR;
      o.verdict.syn    = cairn_fn_pkg::aeth_nak(long_q ? cairn_pkt_pkg::AETH_NAK_INV_REQ : cairn_pkt_pkg::AETH_NAK_OP);
      o.verdict.status = long_q ? cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR : cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      o.verdict.vendor = long_q ? cairn_hw_pkg::VENDOR_ERR_RQ_LENGTH : cairn_hw_pkg::VENDOR_ERR_RQE_CHECK;
      o.verdict.etype  = long_q ? cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      nreq_q <= '0;
      left_q <= l.data.pay_len + (l.ud.valid ? LEN_W'(40) : '0);
      hdr_q  <= l.ud.valid ? 6'd40 : '0;
      at_q   <= at_0;
      idx_q  <= idx_0;
      off_q  <= hint_hit ? h.off : 32'h0;
      skip_q <= hint_hit ? 32'h0 : l.place.mlen;
      skips_q <= !hint_hit && l.place.mlen != '0;
    end else begin
      if (emit) nreq_q <= nreq_q + 5'h1;
      if (here) begin
        idx_q <= idx_d;
        if (step) at_q <= at_q + 1'b1;
        if (skips_q) begin
          if (passed) begin
            skip_q  <= skip_q - el.length;
            skips_q <= skip_q != el.length;
          end else begin
            off_q   <= skip_q;
            skips_q <= 1'b0;
          end
        end else if (step) begin
          off_q <= '0;
        end else if (emit) begin
          off_q <= off_q + 32'(piece);
        end
        if (emit) left_q <= left_q - piece;
        if (emit && hdr_q != '0) hdr_q <= hdr_q - piece[5:0];
      end
    end
  end

  assign out_valid_o = walk == W_OUT;
  assign out_nreq_o  = nreq_q;
  assign out_o       = o;
  assign reads_o     = walk == W_ELEM;
  assign idle_o      = walk == W_IDLE;
endmodule
