// SPDX-License-Identifier: Apache-2.0
// Second stage of the responder: what memory does a packet touch?
//
// A SEND: the elements of its receive WQE from the message offset on, one MR request each. A WRITE, READ or atomic: one
// MR request. UD: the header area (40 bytes; IPv4: 20 zeros and the header) goes before the payload, and no request
// reaches across the borders between these. SEND with invalidate: one more request asks whether the peer may invalidate
// the key, unless that has been tried (inved).
// Order: one packet at a time; packets replayed by rsp_join go before new ones. The outcome leaves behind the packet's
//   last MR request, as {skipped, missed, wait, requests, record}. skipped: a new packet behind parked ones, or owed a
//   slot, is not walked before its turn. missed: the receive WQE is not on chip (wait: a wake of the slot follows), or
//   the packet's completion would go to a crowded CQ (cqe_write); it waits for room. took_o: what comes from now on,
//   this packet has not seen.
// Hint: the walk starts at the position where the previous packet of the message ended (kept by slot, valid only for
//   exactly this packet), else at the first element. A hint is never needed for correctness.
// SRQ: a packet that is owed a slot (late) is parked when it is new; replayed, it takes its slot once. What it has
// taken is kept beside the place where it is parked, and for the packets of its message, parked behind it. Behind one
// that got none nothing is taken, or those in front could find all slots held by those behind them.
// Cycles: 4 for one element and one more for each further one.
// Errors: a receive WQE that cannot be read, is malformed or too small turns the record into RSK_ERR, with the statuses
//   of IBTA 10.7.
module rsp_walk #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned EAW   = 10,
    parameter int unsigned ENTRIES = 256,      // packets that can be parked
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned EW    = $clog2(ENTRIES)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    output logic                        took_o,      // strobe: a packet is looked at from now on
    input  logic                        new_valid_i,
    output logic                        new_ready_o,
    input  cairn_int_pkg::rsp_rec_t     new_rec_i,
    output logic [AW-1:0]               new_slot_o,  // has it parked packets?
    input  logic                        new_behind_i,
    input  logic                        again_valid_i,
    output logic                        again_ready_o,
    input  cairn_int_pkg::rsp_rec_t     again_rec_i,
    output logic [AW-1:0]               now_slot_o,  // UC, UD: receive in use or next, for replayed packets
    input  logic [15:0]                 now_rq_i,
    // SRQ: where the replayed packet is parked, whether it is the first of its slot; a place is used anew
    input  logic [EW-1:0]               again_entry_i,
    input  logic                        again_first_i,
    input  logic                        entry_valid_i,
    input  logic [EW-1:0]               entry_i,
    output cairn_int_pkg::srq_late_t    late_o,
    input  logic                        late_ready_i,
    input  cairn_int_pkg::srq_owed_t    late_i,
    input  cairn_int_pkg::srq_next_t    srq_i,
    // receive WQEs
    output cairn_int_pkg::rqe_walk_t    rqe_o,       // receive WQEs; the packet looked up
    input  cairn_int_pkg::rqe_found_t   rqe_i,
    output cairn_int_pkg::rqe_element_t el_o,        // from the cycle after the lookup on
    input  logic [127:0]                el_i,
    output logic [23:0]                 cq_cqn_o,    // is its CQ crowded? one cycle later
    input  logic                        cq_crowded_i,
    // MR service
    output cairn_int_pkg::mr_ask_t      mr_o,
    input  logic                        mr_ready_i,
    // outcome; again: a replayed packet
    output logic                        out_valid_o,
    input  logic                        out_ready_i,
    output logic                        out_again_o,
    output cairn_int_pkg::rsp_walked_t  out_o,
    output logic                        idle_o
);
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  typedef enum logic [3:0] {W_IDLE, W_RQE, W_ELEM, W_OUT, W_MR, W_INV, W_LATE, W_TOOK} state_e;

  state_e            state_q, first, first_q;     // first: where the walk of a packet begins
  cairn_int_pkg::rsp_rec_t rec_in, r_q;
  logic              take, take_again;
  logic              again_q;
  logic [4:0]        nreq_q;
  logic              missed_q, wait_q, skip;
  logic [LEN_W-1:0]  left_q;       // bytes of the packet without a place yet
  logic [31:0]       skip_q;       // bytes of the message before this position that must still be passed
  logic [4:0]        idx_q;
  logic [EAW-1:0]    base_q;
  logic [31:0]       off_q;        // bytes of the current element already used
  logic [5:0]        hdr_q;        // UD: bytes of the header area without a place yet

  assign take_again    = again_valid_i;
  assign take          = again_ready_o && (again_valid_i || new_valid_i);
  assign took_o        = take;
  assign again_ready_o = state_q == W_IDLE;
  assign new_ready_o   = again_ready_o && !again_valid_i;
  cairn_int_pkg::rsp_rec_t again, again_now;
  assign again         = again_rec_i;
  assign now_slot_o    = again.id.slot[AW-1:0];
  always_comb begin
    again_now = again_rec_i;
    if (again.silent && !again.sync && !again.srq.valid) again_now.rq.index = now_rq_i;
  end
  assign rec_in        = take_again ? again_now : new_rec_i;

  // ---- slots of an SRQ that parked packets have taken ----
  logic [31:0]         taken [0:ENTRIES-1];    // {slot, rq.index}
  logic [31:0]         msg   [0:SLOTS-1];      // of the message in front
  logic [ENTRIES-1:0]  taken_q;
  logic                has_q, none_q, taken_we, known, skipped_q;
  logic [EW-1:0]       entry_q;
  logic [31:0]         got, known_val;
  assign got       = (state_q == W_TOOK) ? {srq_i.slot, srq_i.seq} : known_val;
  assign known     = has_q || (!r_q.take && !none_q);
  assign known_val = has_q ? taken[entry_q] : msg[r_q.id.slot[AW-1:0]];
  assign taken_we  = (state_q == W_LATE && known) || (state_q == W_TOOK && late_i.got);
  always_ff @(posedge clk_i) if (taken_we) taken[entry_q] <= got;
  always_ff @(posedge clk_i) begin
    if (state_q == W_TOOK && late_i.bad) msg[r_q.id.slot[AW-1:0]] <= '0;
    else if (taken_we && r_q.take) msg[r_q.id.slot[AW-1:0]] <= got;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q <= '0;
      none_q  <= 1'b0;
    end else begin
      if (taken_we) taken_q[entry_q] <= 1'b1;
      if (entry_valid_i) taken_q[entry_i] <= 1'b0;
      if (state_q == W_TOOK && !late_i.got && !late_i.bad) none_q <= 1'b1;
      else if (take && take_again && again_first_i) none_q <= 1'b0;
    end
    if (state_q == W_IDLE) begin
      entry_q <= again_entry_i;
      has_q   <= taken_q[again_entry_i];
    end
  end

  // What to do with it
  logic in_send, in_remote, in_inv;
  assign in_send   = rec_in.kind == cairn_int_pkg::RSK_SEND && (rec_in.ud.valid || rec_in.data.pay_len != '0)
                     && !(rec_in.silent && !rec_in.srq.valid && rec_in.rq.index == rec_in.rq.pi);
  assign in_inv    = rec_in.kind == cairn_int_pkg::RSK_SEND && rec_in.inv.valid && !rec_in.inv.taken;
  assign in_remote = (rec_in.kind == cairn_int_pkg::RSK_WRITE && rec_in.data.pay_len != '0)
                     || (rec_in.kind == cairn_int_pkg::RSK_READ && rec_in.place.mlen != '0)
                     || rec_in.kind == cairn_int_pkg::RSK_ATOMIC;
  assign first      = in_send ? W_RQE : in_remote ? W_MR : in_inv ? W_INV : W_OUT;
  assign skip       = !take_again && (rec_in.srq.late || new_behind_i) && !rec_in.over;
  // A packet that completes needs the answer about its CQ, which comes in the cycle after the look.
  logic completes, asked_q, crowded, crowded_q;
  assign completes = rec_in.last && !rec_in.over && (rec_in.kind == cairn_int_pkg::RSK_SEND
                                                     || (rec_in.kind == cairn_int_pkg::RSK_WRITE && rec_in.take));
  assign cq_cqn_o  = rec_in.rq_cqn;
  assign crowded   = crowded_q || (asked_q && cq_crowded_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= take && completes && !skip;
    if (state_q == W_IDLE) crowded_q <= 1'b0;
    else if (crowded) crowded_q <= 1'b1;
  end
  assign rqe_o.valid = (take && in_send && !rec_in.srq.late && !skip)
                      || (first_q == W_RQE && ((state_q == W_LATE && known) || (state_q == W_TOOK && late_i.got)));
  cairn_int_pkg::rsp_rec_t look_rec;
  always_comb begin
    look_rec = (state_q == W_IDLE) ? rec_in : r_q;
    if (state_q != W_IDLE) {look_rec.srq.slot, look_rec.rq.index} = got;
  end
  assign rqe_o.rec   = look_rec;
  cairn_int_pkg::rsp_rec_t new_rec;
  assign new_rec    = new_rec_i;
  assign new_slot_o = new_rec.id.slot[AW-1:0];

  assign late_o.valid = state_q == W_LATE && !known && !none_q;
  assign late_o.srqn  = r_q.srq.srqn;
  assign late_o.slot  = r_q.id.slot;

  // ---- hint: where the next packet of a message starts ----
  logic [SLOTS-1:0]  hint_ok_q;
  logic              hint_we;
  cairn_int_pkg::rsp_hint_t h, hint_wr;
  logic [AW-1:0]     slot;
  logic              hint_hit, h_ok_q;
  assign slot = r_q.id.slot[AW-1:0];
  ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_HINT_W), .DEPTH(SLOTS), .BYPASS(2)) u_hint (
      .clk_i, .we_i(hint_we), .waddr_i(slot), .wdata_i(hint_wr),
      .re_i(take), .raddr_i(rec_in.id.slot[AW-1:0]), .rdata_o(h));
  assign hint_hit = h_ok_q && !r_q.start && h.psn == r_q.psn && h.qpn == r_q.id.qpn && h.gen == r_q.id.gen
      && h.rq == r_q.rq.index;

  // ---- current element ----
  cairn_hw_pkg::sge_t el;
  logic              el_bad, passed, part_ok;
  logic [31:0]       el_left;      // bytes of the element from off_q on
  logic [LEN_W-1:0]  piece, room;
  logic [5:0]        hdr_room;
  logic              last_piece, whole, beyond, is_mr;
  logic              mr_ready;
  logic              emit;
  assign el         = el_i;
  assign beyond     = idx_q >= r_q.rq.stride;
  assign el_bad     = el.length > cairn_hw_pkg::MAX_MSG_BYTES;
  assign el_left    = el.length - off_q;
  assign passed     = skip_q >= el.length;              // skipping: the element lies before the packet
  assign hdr_room   = (!r_q.ud.ipv6 && hdr_q > 6'd20) ? hdr_q - 6'd20 : hdr_q;
  assign room       = (hdr_q == '0) ? left_q : LEN_W'(hdr_room);
  assign piece      = (el_left > 32'(room)) ? room : el_left[LEN_W-1:0];
  assign last_piece = piece == left_q;
  assign whole      = el_left <= 32'(room);
  assign is_mr      = state_q == W_MR || state_q == W_INV;
  // While skipping, off_q is 0; an element is used when it reaches past skip_q.
  assign part_ok    = state_q == W_ELEM && !beyond && !el_bad && skip_q == '0 && el_left != '0;
  assign emit       = (part_ok || is_mr) && mr_ready;

  logic asks_inv;
  assign asks_inv = r_q.inv.valid && !r_q.inv.taken;
  cairn_int_pkg::mr_req_t mr;
  always_comb begin
    mr         = '0;
    mr.pd      = r_q.pd;
    mr.qpn     = r_q.id.qpn;
    if (state_q == W_MR) begin
      mr.key     = r_q.place.key;
      mr.va      = r_q.place.va;
      mr.len     = (r_q.kind == cairn_int_pkg::RSK_READ) ? LEN_W'(1)
                   : (r_q.kind == cairn_int_pkg::RSK_ATOMIC) ? LEN_W'(8) : r_q.data.pay_len;
      mr.chk_len = r_q.place.mlen;
      mr.rights  = (r_q.kind == cairn_int_pkg::RSK_READ) ? cairn_hw_pkg::ACCESS_REMOTE_READ
                   : (r_q.kind == cairn_int_pkg::RSK_ATOMIC) ? cairn_hw_pkg::ACCESS_REMOTE_ATOMIC
                   : cairn_hw_pkg::ACCESS_REMOTE_WRITE;
      mr.remote  = 1'b1;
      mr.last    = 1'b1;
    end else if (state_q == W_INV) begin
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
  skid_buffer #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
      .clk_i, .rst_ni, .in_valid_i(part_ok || is_mr), .in_ready_o(mr_ready), .in_data_i(mr),
      .out_valid_o(mr_o.valid), .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));

  // ---- next element: its address leads by one cycle ----
  logic [4:0] idx_d, idx_0;
  logic       step;
  assign step = state_q == W_ELEM && !beyond && !el_bad
                && (skip_q != '0 ? passed : el_left == '0 ? 1'b1 : emit && whole && !last_piece);
  assign idx_d = idx_q + 5'(step);
  assign idx_0 = hint_hit ? h.idx : 5'h0;
  assign el_o.addr = 16'({(state_q == W_RQE) ? rqe_i.base[EAW-1:0] + EAW'(idx_0) : base_q + EAW'(idx_d)});

  assign el_o.busy = state_q == W_RQE || state_q == W_ELEM;

  // Position after this packet, for the hint
  logic done_el;
  assign done_el = emit && last_piece && state_q == W_ELEM;
  assign hint_we = done_el;
  assign hint_wr = {r_q.npsn, r_q.id.qpn, r_q.id.gen, r_q.rq.index, whole ? idx_q + 5'h1 : idx_q,
                    whole ? 32'h0 : off_q + 32'(piece)};

  logic too_long;
  assign too_long = state_q == W_ELEM && beyond;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= W_IDLE;
      hint_ok_q <= '0;
    end else begin
      case (state_q)
        W_IDLE:  if (take) state_q <= skip ? W_OUT : rec_in.srq.late ? W_LATE : first;
        W_LATE:  if (known) state_q <= first_q;
                 else if (none_q) state_q <= W_OUT;
                 else if (late_ready_i) state_q <= W_TOOK;
        W_TOOK:  state_q <= late_i.got ? first_q : W_OUT;
        W_RQE:   state_q <= (rqe_i.hit && !rqe_i.err && !crowded) ? W_ELEM : W_OUT;
        W_ELEM:  if (beyond || el_bad || done_el) state_q <= (done_el && asks_inv) ? W_INV : W_OUT;
        W_MR, W_INV: if (mr_ready) state_q <= W_OUT;
        default: if (out_valid_o && out_ready_i) state_q <= W_IDLE;
      endcase
      if (hint_we) hint_ok_q[slot] <= !r_q.last;
    end
  end

  // The record, and what becomes of it
  always_ff @(posedge clk_i) begin
    if (state_q == W_IDLE) begin
      r_q       <= rec_in;
      again_q   <= take_again;
      missed_q  <= skip || rec_in.srq.late;
      skipped_q <= skip;
      wait_q    <= 1'b0;
      first_q   <= first;
    end
    if (state_q == W_LATE && known) begin
      missed_q <= 1'b0;
      r_q.srq.late <= 1'b0;
      {r_q.srq.slot, r_q.rq.index} <= known_val;
    end
    if (state_q == W_TOOK) begin
      wait_q       <= !late_i.got && !late_i.bad;
      missed_q     <= !late_i.got && !late_i.bad;
      r_q.srq.late <= !late_i.got && !late_i.bad;
      {r_q.srq.slot, r_q.rq.index} <= late_i.bad ? '0 : {srq_i.slot, srq_i.seq};
      if (late_i.bad) r_q.take <= 1'b0;
    end
    if (state_q == W_RQE) begin
      missed_q <= !rqe_i.hit;
      wait_q   <= rqe_i.coming;
    end
    if ((state_q == W_RQE && rqe_i.hit && rqe_i.err) || (state_q == W_ELEM && (beyond || el_bad))
        || (state_q == W_TOOK && late_i.bad)) begin
      r_q.kind   <= cairn_int_pkg::RSK_ERR;
      r_q.verdict.syn    <= cairn_fn_pkg::aeth_nak(too_long ? cairn_pkt_pkg::AETH_NAK_INV_REQ
                                                            : cairn_pkt_pkg::AETH_NAK_OP);
      r_q.verdict.status <= too_long ? cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR : cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      r_q.verdict.vendor <= (state_q == W_RQE) ? cairn_hw_pkg::VENDOR_ERR_DMA_READ
                    : too_long ? cairn_hw_pkg::VENDOR_ERR_RQ_LENGTH : cairn_hw_pkg::VENDOR_ERR_RQE_CHECK;
      // Too long is the peer's fault; the others are not, and a failed SRQ has no receive that could tell.
      r_q.verdict.etype  <= too_long ? cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR
                    : (state_q == W_TOOK) ? cairn_hw_pkg::EQE_TYPE_QP_FATAL : '0;
    end
  end

  // The way through the elements
  always_ff @(posedge clk_i) begin
    if (state_q == W_IDLE) begin
      nreq_q <= '0;
      left_q <= rec_in.data.pay_len + (rec_in.ud.valid ? LEN_W'(40) : '0);
      hdr_q  <= rec_in.ud.valid ? 6'd40 : '0;
      h_ok_q <= hint_ok_q[rec_in.id.slot[AW-1:0]];
    end
    if (state_q == W_RQE) begin
      base_q <= rqe_i.base[EAW-1:0];
      idx_q  <= idx_0;
      off_q  <= hint_hit ? h.off : 32'h0;
      skip_q <= hint_hit ? 32'h0 : r_q.place.mlen;
    end
    if (state_q == W_ELEM) begin
      idx_q <= idx_d;
      if (skip_q != '0) begin
        if (passed) begin
          skip_q <= skip_q - el.length;
        end else begin
          off_q  <= skip_q;
          skip_q <= '0;
        end
      end else if (step) begin
        off_q <= '0;
      end else if (emit) begin
        off_q <= off_q + 32'(piece);
      end
      if (emit) left_q <= left_q - piece;
      if (emit && hdr_q != '0) hdr_q <= hdr_q - piece[5:0];
    end
    if (emit) nreq_q <= nreq_q + 5'h1;
  end

  assign out_valid_o = state_q == W_OUT && !asked_q;
  assign out_again_o = again_q;
  assign out_o       = {skipped_q || (r_q.srq.late && !wait_q), missed_q || crowded_q, wait_q, nreq_q, r_q};
  assign idle_o      = state_q == W_IDLE && !new_valid_i && !again_valid_i && !mr_o.valid;
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni) assert (state_q != W_LATE || again_q);
`endif
endmodule
