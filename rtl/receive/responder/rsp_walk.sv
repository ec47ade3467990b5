// SPDX-License-Identifier: Apache-2.0
// Second stage of the responder: what memory does a packet touch?
//
// A SEND: the elements of its receive WQE, one MR request each (rsp_elements). A WRITE, READ or atomic: one. SEND with
// invalidate: one more request asks whether the peer may invalidate the key, unless that has been tried (inved).
// Stages: look: the receive WQE is looked up, for a packet that is owed a slot the slot is asked for first. What has
//   no elements to walk, a WRITE, READ or atomic, what missed, leaves from there. walk: the elements of a SEND.
// Order: packets leave as they come; those replayed by rsp_join are taken before new ones. The outcome leaves behind or
//   with the packet's last MR request, as {skipped, missed, wait, requests, record}. skipped: a new packet behind
//   parked ones (rsp_park), or owed a slot, is not walked before its turn. missed: the receive WQE is not on chip
//   (wait: a wake of the slot follows), or the packet's completion would go to a crowded CQ (cqe_write); it waits for
//   room. took_o: what comes from now on, this packet has not seen.
// SRQ: a packet that is owed a slot (late) is parked when it is new; replayed, it takes its slot once. What it has
// taken is kept beside the place where it is parked, and for the packets of its message, parked behind it. Behind one
// that got none nothing is taken, or those in front could find all slots held by those behind them.
// Cycles: 2, and for a SEND one more for each element behind the first; one without a good receive WQE leaves in the
//   third, in which the next one is taken. FAST = 0: 6 for a SEND, which stays here.
// Errors: a receive WQE that cannot be read, or none from a failed SRQ, turns the record into RSK_ERR (IBTA 10.7).
module rsp_walk #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned EAW   = 10,
    parameter int unsigned ENTRIES = 256,      // packets that can be parked
    parameter logic [31:0] FEATURES = '1,      // as REG FEATURES
    parameter bit          FAST     = 1'b1,
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned EW    = $clog2(ENTRIES)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    output cairn_int_pkg::rsp_took_t    took_o,
    input  logic                        new_valid_i,
    output logic                        new_ready_o,
    input  cairn_int_pkg::rsp_rec_t     new_rec_i,
    output logic [AW-1:0]               new_slot_o,  // has it parked packets?
    input  cairn_int_pkg::rsp_new_t     new_i,
    output cairn_int_pkg::rsp_aside_t   aside_o,     // it; taken here if new_i does not say aside
    input  logic                        again_valid_i,
    output logic                        again_ready_o,
    input  cairn_int_pkg::rsp_rec_t     again_rec_i,
    output logic [AW-1:0]               now_slot_o,  // UC, UD: receive in use or next, for replayed packets
    input  logic [15:0]                 now_rq_i,
    // SRQ: where the replayed packet is parked, whether it is the first of its slot; a place is used anew
    input  logic [EW-1:0]               again_entry_i,   // FAST = 0: also of a new one's record
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
    // outcome
    output logic                        out_valid_o,
    input  logic                        out_ready_i,
    output cairn_int_pkg::rsp_walked_t  out_o,
    output logic                        done_o,      // FAST = 0: it leaves; its record has stayed at again_rec_i
    output logic                        idle_o
);
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  localparam bit HAS_ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  localparam bit HAS_SRQ    = FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB];
  typedef enum logic [2:0] {L_IDLE, L_LATE, L_TOOK, L_DO, L_WALK, L_ASK} look_e;
  typedef enum logic [1:0] {D_RQE, D_MR, D_INV, D_OUT} do_e;     // what a packet needs

  look_e                   look_q, taken_to;   // with a packet that is taken
  do_e                     need, need_q;
  cairn_int_pkg::rsp_rec_t rec_in, l_q, l_copy;   // in the look; as it came
  logic                    open, take, take_again, skip, l_again_q, l_missed_q, l_wait_q, l_skipped_q;
  logic                    l_leave, l_out, mr_ready, w_idle, w_out;
  logic                    went_q, looks, doing;   // it left for the walk in the last cycle; look_q says L_DO until now
  logic                    then_q;                 // ... or did when that was known early
  assign looks = look_q == L_IDLE || went_q;
  assign doing = look_q == L_DO && !went_q;

  assign take_again    = again_valid_i;
  assign take          = again_ready_o && (again_valid_i || (new_valid_i && !(FAST && new_i.aside)));
  assign took_o        = {take, take_again, rec_in.id.slot};
  assign again_ready_o = open;
  assign new_ready_o   = (again_ready_o && !again_valid_i) || (FAST && new_i.aside);
  // What needs a receive is better looked at now: its WQE is read ahead, and a slot of an SRQ is not taken late.
  assign aside_o.valid = new_valid_i && new_rec.kind != cairn_int_pkg::RSK_SEND && !new_rec.take;
  assign aside_o.place = '0;
  assign aside_o.rec   = new_rec_i;
  cairn_int_pkg::rsp_rec_t again, again_now, new_rec;
  assign again         = again_rec_i;
  assign now_slot_o    = again.id.slot[AW-1:0];
  assign new_rec       = new_rec_i;
  assign new_slot_o    = new_rec.id.slot[AW-1:0];
  always_comb begin
    again_now = again_rec_i;
    if (again.silent && !again.sync && !again.srq.valid) again_now.rq.index = now_rq_i;
  end
  assign rec_in        = take_again ? again_now : new_rec_i;

  // ---- slots of an SRQ that parked packets have taken ----
  // Both RAMs are read while a packet is taken, and written when it has been.
  logic [31:0]         taken;                  // {slot, rq.index} of the place
  logic [31:0]         msg;                    // of the slot: of the message in front
  // A place has one while its two bits differ. Whatever they are at first: one is parked there before any is replayed.
  logic                taken_in  [0:ENTRIES-1];
  logic                taken_out [0:ENTRIES-1];
  logic                has_q, none_q, taken_we, known;
  logic [EW-1:0]       entry_q;
  logic [AW-1:0]       l_slot;
  logic [31:0]         got, known_val;
  assign l_slot    = l_q.id.slot[AW-1:0];
  assign got       = (look_q == L_TOOK) ? {srq_i.slot, srq_i.seq} : known_val;
  assign known     = has_q || (!l_copy.take && !none_q);
  assign known_val = has_q ? taken : msg;
  assign taken_we  = (look_q == L_LATE && known) || (look_q == L_TOOK && late_i.got);
  logic msg_bad;
  assign msg_bad = look_q == L_TOOK && late_i.bad;
  ram_1r1w #(.WIDTH(32), .DEPTH(ENTRIES), .BYPASS(2)) u_taken (
      .clk_i, .we_i(taken_we), .waddr_i(entry_q), .wdata_i(got), .re_i(open), .raddr_i(again_entry_i),
      .rdata_o(taken));
  ram_1r1w #(.WIDTH(32), .DEPTH(SLOTS), .BYPASS(2)) u_msg (
      .clk_i, .we_i(msg_bad || (taken_we && l_q.take)), .waddr_i(l_slot), .wdata_i(msg_bad ? '0 : got),
      .re_i(open), .raddr_i(rec_in.id.slot[AW-1:0]), .rdata_o(msg));
  always_ff @(posedge clk_i) if (taken_we) taken_in[entry_q] <= !taken_out[entry_q];
  always_ff @(posedge clk_i) if (entry_valid_i) taken_out[entry_i] <= taken_in[entry_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      none_q <= 1'b0;
    end else begin
      if (look_q == L_TOOK && !late_i.got && !late_i.bad) none_q <= 1'b1;
      else if (take && take_again && again_first_i) none_q <= 1'b0;
    end
    if (open) begin
      entry_q <= again_entry_i;
      has_q   <= taken_in[again_entry_i] != taken_out[again_entry_i];
    end
  end
  assign late_o.valid = look_q == L_LATE && !has_q && l_copy.take && !none_q;      // (not known)
  assign late_o.srqn  = l_q.srq.srqn;
  assign late_o.slot  = l_q.id.slot;

  // ---- what to do with it ----
  logic in_send, in_remote, in_inv;
  assign in_send   = rec_in.kind == cairn_int_pkg::RSK_SEND && (rec_in.ud.valid || rec_in.data.pay_len != '0)
                     && !(rec_in.silent && !rec_in.srq.valid && rec_in.rq.index == rec_in.rq.pi);
  assign in_inv    = rec_in.kind == cairn_int_pkg::RSK_SEND && rec_in.inv.valid && !rec_in.inv.taken;
  assign in_remote = (rec_in.kind == cairn_int_pkg::RSK_WRITE && rec_in.data.pay_len != '0)
                     || (rec_in.kind == cairn_int_pkg::RSK_READ && rec_in.place.mlen != '0)
                     || (HAS_ATOMIC && rec_in.kind == cairn_int_pkg::RSK_ATOMIC);
  assign need      = in_send ? D_RQE : in_remote ? D_MR : in_inv ? D_INV : D_OUT;
  assign skip      = !take_again && (rec_in.srq.late || new_i.behind) && !rec_in.over;
  // A packet that completes needs the answer about its CQ, which comes in the cycle after the look.
  // FAST = 0: all that is asked is asked a cycle later, of the record that stays here.
  logic completes, asked_q, asks_cq_q, crowded, crowded_q;
  assign completes = rec_in.last && !rec_in.over && (rec_in.kind == cairn_int_pkg::RSK_SEND
                                                     || (rec_in.kind == cairn_int_pkg::RSK_WRITE && rec_in.take));
  assign cq_cqn_o  = FAST ? rec_in.rq_cqn : l_q.rq_cqn;
  assign crowded   = crowded_q || (FAST && asked_q && cq_crowded_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= FAST ? take && completes && !skip : (look_q == L_ASK || look_q == L_LATE) && asks_cq_q;
    if (open) asks_cq_q <= completes && !skip;
    if (open) crowded_q <= 1'b0;
    else if (asked_q && cq_crowded_i) crowded_q <= 1'b1;
  end
  // FAST: by each of the two, before it is known which. (What is aside is no SEND; one that finds no receive posted is
  // looked up for nothing.)
  logic again_asks, new_asks;
  assign again_asks = again.kind == cairn_int_pkg::RSK_SEND && (again.ud.valid || again.data.pay_len != '0)
                      && !again.srq.late;
  assign new_asks   = new_valid_i && new_rec.kind == cairn_int_pkg::RSK_SEND
                      && (new_rec.ud.valid || new_rec.data.pay_len != '0) && !new_rec.srq.late
                      && (!new_i.behind || new_rec.over);
  assign rqe_o.valid = (FAST ? open && (take_again ? again_asks : new_asks) : look_q == L_ASK && need_q == D_RQE)
                       || (need_q == D_RQE && ((look_q == L_LATE && known) || (look_q == L_TOOK && late_i.got)));
  cairn_int_pkg::rsp_rec_t look_rec;
  always_comb begin
    look_rec = (!FAST || (HAS_SRQ && (look_q == L_LATE || look_q == L_TOOK))) ? l_q : rec_in;
    if (HAS_SRQ && (look_q == L_LATE || look_q == L_TOOK)) {look_rec.srq.slot, look_rec.rq.index} = got;
  end
  assign rqe_o.rec   = look_rec;

  // The answers come in the cycle after the look. FAST = 0: they count in the one behind that; FAST: so does that there
  // is no receive WQE, or a bad one. That there is a good one and that the CQ is not crowded, which come late in their
  // cycle, only set the walk going: its registers are loaded with every packet that may go there.
  logic                      asked_rqe_q, told;
  logic [EAW-1:0]            base;
  cairn_int_pkg::rqe_found_t rqe_q;
  assign told = FAST ? !(asked_rqe_q && need_q == D_RQE) : !(asked_rqe_q || asked_q);
  assign base = (FAST && asked_rqe_q) ? rqe_i.base[EAW-1:0] : rqe_q.base[EAW-1:0];
  always_ff @(posedge clk_i) begin
    asked_rqe_q <= rqe_o.valid;
    if (asked_rqe_q) rqe_q <= rqe_i;
  end

  // ---- it leaves the look: for the walk, or as it is ----
  logic to_elem, to_load, to_walk_now, to_walk_then, asks_mr, free, late;
  assign late     = HAS_SRQ && rec_in.srq.late && !skip;
  assign taken_to = late ? L_LATE : FAST ? L_DO : L_ASK;
  assign to_elem = need_q == D_RQE && rqe_q.good && !crowded_q;    // (told, so that a cycle has passed)
  assign asks_mr = need_q == D_MR || need_q == D_INV;
  assign free    = w_idle || (w_out && out_ready_i);
  assign to_load = doing && (FAST || told) && need_q == D_RQE && (FAST || !crowded_q) && free;
  assign to_walk_now  = FAST && to_load && asked_rqe_q && rqe_i.good && !crowded;
  assign to_walk_then = to_load && !(FAST && asked_rqe_q) && rqe_q.good && !crowded_q;
  assign l_out   = doing && told && !to_elem && w_idle && (!asks_mr || mr_ready);
  assign l_leave = l_out && out_ready_i;
  // FAST: what has no good receive WQE leaves a cycle later than others, and the next one is taken in that cycle.
  assign open    = looks || (FAST && look_q == L_DO && need_q == D_RQE && told && !to_elem && w_idle
                                        && out_ready_i);
  always_ff @(posedge clk_i) begin
    // A register of its own: whether it leaves for the walk is known last of all.
    went_q <= rst_ni && to_walk_now;
    then_q <= rst_ni && to_walk_then;
    if (!rst_ni) begin
      look_q <= L_IDLE;
    end else if (went_q) begin
      look_q <= take ? taken_to : L_IDLE;
    end else begin
      case (look_q)
        L_IDLE:  if (take) look_q <= taken_to;
        L_ASK:   look_q <= L_DO;
        L_LATE:  if (known || none_q) look_q <= L_DO;
                 else if (late_ready_i) look_q <= L_TOOK;
        L_TOOK:  look_q <= L_DO;
        L_WALK:  if (w_out && out_ready_i) look_q <= L_IDLE;
        default: if (l_leave) look_q <= (FAST && take) ? taken_to : L_IDLE;
                 else if (to_walk_then) look_q <= FAST ? L_IDLE : L_WALK;
      endcase
    end
    if (open) begin
      l_again_q   <= take_again;
      l_missed_q  <= skip || rec_in.srq.late;
      l_skipped_q <= skip;
      l_wait_q    <= 1'b0;
      need_q      <= skip ? D_OUT : need;
    end
    if (look_q == L_LATE && known) begin
      l_missed_q   <= 1'b0;
    end else if (look_q == L_LATE && none_q) begin
      need_q       <= D_OUT;
    end
    if (look_q == L_TOOK) begin
      l_wait_q     <= !late_i.got && !late_i.bad;
      l_missed_q   <= !late_i.got && !late_i.bad;
      if (!late_i.got) need_q <= D_OUT;
    end
  end

  // ---- its record, with the slot of an SRQ that it got; FAST = 0: what changes in it, the rest stays where it is ----
  logic [31:0]             l_got_q;
  logic                    l_late_q, l_bad_q;
  cairn_int_pkg::rsp_inv_t l_inv_q;
  always_ff @(posedge clk_i) begin
    if (open) {l_got_q, l_late_q, l_bad_q} <= {rec_in.srq.slot, rec_in.rq.index, rec_in.srq.late, 1'b0};
    if (look_q == L_LATE && known) {l_got_q, l_late_q} <= {known_val, 1'b0};
    if (look_q == L_TOOK) begin
      l_got_q  <= late_i.bad ? '0 : {srq_i.slot, srq_i.seq};
      l_late_q <= !late_i.got && !late_i.bad;
      l_bad_q  <= late_i.bad;
    end
    if (open) l_inv_q <= rec_in.inv;
  end
  if (FAST) begin : g_copy
    cairn_int_pkg::rsp_rec_t copy_q;
    always_ff @(posedge clk_i) if (open) copy_q <= rec_in;
    assign l_copy = copy_q;
  end else begin : g_stays
    assign l_copy = again_rec_i;
  end
  always_comb begin
    l_q          = l_copy;
    l_q.rq.index = l_got_q[15:0];
    l_q.inv      = l_inv_q;
    if (HAS_SRQ) {l_q.srq.slot, l_q.srq.late} = {l_got_q[31:16], l_late_q};
    if (HAS_SRQ && l_bad_q) begin
      // A failed SRQ has no receive that could tell.
      l_q.take    = 1'b0;
      l_q.kind    = cairn_int_pkg::RSK_ERR;
      l_q.verdict = {cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP), cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR,
                     cairn_hw_pkg::VENDOR_ERR_RQE_CHECK, cairn_hw_pkg::EQE_TYPE_QP_FATAL};
    end
  end

  // ---- the way through the elements; the MR request of a packet that needs only one ----
  cairn_int_pkg::mr_req_t  mr_one, mr_el;
  cairn_int_pkg::rsp_rec_t w_rec;
  logic                    w_again_q, w_mr, w_reads;
  logic [4:0]              w_nreq;
  rsp_elements #(.SLOTS(SLOTS), .EAW(EAW), .KEEP(FAST)) u_elements (
      .clk_i, .rst_ni, .look_slot_i(open ? rec_in.id.slot[AW-1:0] : l_slot), .load_i(to_load),
      .begins_i(went_q || then_q), .rec_i(l_q), .base_i(base), .el_addr_o(el_o.addr), .el_i,
      .mr_valid_o(w_mr), .mr_ready_i(mr_ready), .mr_o(mr_el), .out_valid_o(w_out), .out_ready_i,
      .out_nreq_o(w_nreq), .out_o(w_rec), .reads_o(w_reads), .idle_o(w_idle));
  assign el_o.busy = (doing && need_q == D_RQE) || w_reads;
  always_ff @(posedge clk_i) if (to_load) w_again_q <= l_again_q;
  always_comb begin
    mr_one         = '0;
    mr_one.pd      = l_q.pd;
    mr_one.qpn     = l_q.id.qpn;
    mr_one.key     = l_q.place.key;
    mr_one.remote  = 1'b1;
    mr_one.last    = 1'b1;
    if (need_q == D_INV) begin
      mr_one.len     = LEN_W'(1);
      mr_one.inv     = 1'b1;
    end else begin
      mr_one.va      = l_q.place.va;
      mr_one.len     = (l_q.kind == cairn_int_pkg::RSK_READ) ? LEN_W'(1)
                       : (HAS_ATOMIC && l_q.kind == cairn_int_pkg::RSK_ATOMIC) ? LEN_W'(8) : l_q.data.pay_len;
      mr_one.chk_len = l_q.place.mlen;
      mr_one.rights  = (l_q.kind == cairn_int_pkg::RSK_READ) ? cairn_hw_pkg::ACCESS_REMOTE_READ
                       : (HAS_ATOMIC && l_q.kind == cairn_int_pkg::RSK_ATOMIC) ? cairn_hw_pkg::ACCESS_REMOTE_ATOMIC
                       : cairn_hw_pkg::ACCESS_REMOTE_WRITE;
    end
  end
  logic asks;
  assign asks = w_mr || (l_out && out_ready_i && asks_mr);
  if (FAST) begin : g_mr
    skid_buffer #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
        .clk_i, .rst_ni, .in_valid_i(asks), .in_ready_o(mr_ready), .in_data_i(w_idle ? mr_one : mr_el),
        .out_valid_o(mr_o.valid), .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));
  end else begin : g_mr_slow
    assign mr_ready = !mr_o.valid;
    stream_reg #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
        .clk_i, .rst_ni, .in_valid_i(asks && mr_ready), .in_ready_o(), .in_data_i(w_idle ? mr_one : mr_el),
        .out_valid_o(mr_o.valid), .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));
  end

  // ---- the outcome ----
  cairn_int_pkg::rsp_rec_t l_rec;
  logic                    l_fails, l_missed, l_wait;
  assign l_fails  = need_q == D_RQE && rqe_q.hit && !rqe_q.good;
  assign l_missed = (need_q == D_RQE) ? !rqe_q.hit : l_missed_q;
  assign l_wait   = (need_q == D_RQE) ? rqe_q.coming : l_wait_q;
  always_comb begin
    l_rec = l_q;
    if (l_fails) begin
      l_rec.kind    = cairn_int_pkg::RSK_ERR;
      l_rec.verdict = {cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP), cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR,
                       cairn_hw_pkg::VENDOR_ERR_DMA_READ, 8'h00};
    end
  end
  assign out_valid_o = w_out || l_out;
  assign done_o      = l_leave || (look_q == L_WALK && w_out && out_ready_i);
  always_comb begin
    out_o.again = w_out ? w_again_q : l_again_q;
    out_o.place = FAST ? '0 : 8'(again_entry_i);
    out_o.rec   = w_out ? w_rec : l_rec;
    if (w_out) {out_o.skip, out_o.missed, out_o.waits, out_o.nreq} = {3'b000, w_nreq};
    else begin
      out_o.skip   = l_skipped_q || (l_q.srq.late && !l_wait);
      out_o.missed = l_missed || crowded;
      out_o.waits  = l_wait;
      out_o.nreq   = 5'(asks_mr);
    end
  end
  assign idle_o      = looks && w_idle && !new_valid_i && !again_valid_i && !mr_o.valid;
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni) assert (look_q != L_LATE || l_again_q);
`endif
endmodule
