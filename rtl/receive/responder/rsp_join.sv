// SPDX-License-Identifier: Apache-2.0
// Third stage of the responder: joins each packet with its MR answers, in order, and hands it to rsp_commit, or parks
// it.
//
// Parked: a packet whose receive WQE or MR line is not on chip, a SEND or WRITE whose QP has atomics under way (counted
//   here for each slot), a packet whose CQ is crowded, and every later packet of a slot that has parked ones.
// Replay: parked packets go through rsp_walk in order when their slot is woken, one behind the other without waiting
//   for what becomes of each; when one must wait again, those behind it that are on their way are void. UC and UD
//   without an SRQ, whose walk depends on what passed here, go alone. A packet that was not walked yet is replayed at
//   once when it is the first of its slot.
// Aside: a new packet of a slot that has parked ones, and that needs no receive, is parked straight from where rsp_walk
//   takes packets, while no verdict is due and no other new packet of the slot is on its way here (rsp_fresh; FAST = 0:
//   none of any slot, and it may need a receive). So packets that wait cost the walk and this stage no more than those
//   that do not, and a queue that has built up gets shorter.
// Wake: a receive WQE of the slot has arrived, or, for all slots that wait for such: any MR line has arrived, a run of
//   receive WQEs came free, a CQ has room again. A packet that missed, and was looked at before such an event, is
//   replayed at once, so no wake-up can be lost in between, however many there are.
// Lanes: of many slots those that are equal modulo LANES share a list of parked packets, a count of atomics under way,
//   one of new packets on their way here, and a place among those that wait for a fill. So a packet may wait for one of
//   another QP, and no more: it is in the list behind that, or woken with the lane. What ends a wait is told by slot,
//   wakes the lane, and the list is replayed in order as ever: its first packet, whoever's, waits for nothing that one
//   behind it would bring, but for host memory, receive WQEs, atomics that have begun, or room in a CQ. SRQ: one that
//   is owed a slot is before those that came later, of any QP, in its list and in srq_state.
// UC and UD: an error is RSK_DROP (the receive buffer of a UD QP aside); the packet's receive then serves the next
// message, and the rest of a UC message is dropped too. `now` is the receive in use or next after all packets that have
// passed here; one that was walked with another is walked again with that.
// Invalidate: when everything else about a SEND with invalidate is right, rsp_commit is asked whether it would be
//   executed (a record of kind INV, in order behind what went before). The packet is parked, and with it what is behind
//   it in its QP, until its key has been invalidated (rsp_inv). Then it is walked again and goes on with the verdict.
// ACK: a packet is told whether another of its QP follows, so its ACK can wait for that (rsp_behind). When none of
//   those that follow is passed on after all, a record of kind ACK says so to rsp_commit, unless one of kind INV does.
// Order: answers are gathered before the packet's record is known (a packet may have more answers than the service can
//   hold). Drain (mr_drain): the answers before the mark have gone on to rsp_commit's writes or atomic_unit.
// Errors: an MR error turns the record into RSK_ERR: NAK 0x62 for a remote key, 0x63 and LOC_PROT_ERR for the receive
//   buffer.
module rsp_join #(
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned LANES   = (SLOTS > 1024) ? 1024 : SLOTS,   // power of two; see Lanes
    parameter int unsigned ENTRIES = 256,      // packets that can be parked: all there can be
    parameter int unsigned DEPTH   = 16,       // packets between rsp_walk and their answers; FAST = 0: 2, one here
    parameter logic [31:0] FEATURES = '1,      // as REG FEATURES
    parameter bit          FAST    = 1'b1,     // 0: 3 cycles a packet
    localparam int unsigned AW     = $clog2(SLOTS),
    localparam int unsigned LNW    = $clog2(LANES),
    localparam int unsigned EW     = $clog2(ENTRIES)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  cairn_int_pkg::rsp_took_t       took_i,
    input  logic                           in_valid_i,
    output logic                           in_ready_o,
    input  cairn_int_pkg::rsp_walked_t     in_i,
    input  cairn_int_pkg::mr_answer_t      mr_i,
    output logic                           mr_ready_o,
    input  logic                           avail_i,
    input  logic                           room_i,         // a CQ is crowded no more
    input  cairn_int_pkg::wake_t           wake_i,
    output logic                           wake_ready_o,
    input  cairn_int_pkg::inv_told_t       told_i,
    output cairn_int_pkg::key_change_t     key_change_o,
    input  logic                           key_change_ready_i,
    input  cairn_int_pkg::key_changed_t    key_change_i,
    output logic                           key_change_ready_o,
    output logic                           joined_o,
    // an atomic of this slot is over
    input  cairn_int_pkg::slot_over_t      at_done_i,
    output logic                           at_done_ready_o,
    // replay
    output logic                           again_valid_o,
    input  logic                           again_ready_i,
    output cairn_int_pkg::rsp_rec_t        again_rec_o,
    output logic [EW-1:0]                  again_entry_o,  // where it is parked
    output logic                           again_first_o,  // the first of its slot
    output logic [EW-1:0]                  entry_o,        // events_o.rx_parked: a packet is parked there now
    // FAST = 0: the record to be replayed; a packet is passed on, entry_o, its record's place (rsp_store), is free
    input  cairn_int_pkg::rsp_rec_t        loaded_i,
    output logic                           free_o,
    input  logic [2*AW-1:0]                new_slot_i,     // {in the next cycle (FAST), now}
    input  cairn_int_pkg::rsp_aside_t      aside_i,        // the packet of that slot; FAST = 0: one before rsp_walk
    output cairn_int_pkg::rsp_new_t        new_o,
    input  logic [AW-1:0]                  now_slot_i,
    output logic [15:0]                    now_rq_o,
    // to rsp_commit
    output logic                           out_valid_o,
    input  logic                           out_ready_i,
    output cairn_int_pkg::rsp_joined_t     out_o,
    input  logic                           piece_pop_i,
    output cairn_int_pkg::rsp_piece_t      piece_o,        // here: FAST: always, while there is one
    output cairn_hw_pkg::rsp_join_events_t events_o,
    output logic                           idle_o
);
  localparam bit HAS_ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  localparam bit HAS_INV    = FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB];
  localparam int unsigned PD = 48;       // pieces: one packet being gathered, others being written
  localparam int unsigned PW = $clog2(PD);

  // ---- records: the first is the packet in hand. In its first cycle the state of its slot is read (known) ----
  logic            f_valid, f_again, known_q, leave;
  cairn_int_pkg::rsp_walked_t f;
  logic [$clog2(DEPTH+1)-1:0] recs;      // how many
  if (FAST) begin : g_recs
    // (one without an MR request is seen a cycle later than it could be)
    sync_fifo_ram #(.WIDTH(cairn_int_pkg::RSP_WALKED_W), .DEPTH(DEPTH), .OUTPUT(0), .WIDE(1)) u_recs (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i(in_i), .out_valid_o(f_valid), .out_ready_i(leave),
        .out_data_o(f), .level_o(recs));
  end else begin : g_rec
    // The next one is walked meanwhile.
    assign {in_ready_o, recs} = {!f_valid, ($clog2(DEPTH+1))'(f_valid)};
    stream_reg #(.WIDTH(cairn_int_pkg::RSP_WALKED_W)) u_rec (
        .clk_i, .rst_ni, .in_valid_i(in_valid_i && !f_valid), .in_ready_o(), .in_data_i(in_i),
        .out_valid_o(f_valid), .out_ready_i(leave), .out_data_o(f));
  end
  cairn_int_pkg::rsp_rec_t r;
  logic [AW-1:0]   slot;
  rsp_have #(.FEATURES(FEATURES)) u_have (.rec_i(f.rec), .rec_o(r));
  assign slot    = r.id.slot[AW-1:0];
  // What the verdict asks of it. FAST: a cycle later, since it comes out of a RAM: it stands for two cycles at least.
  logic [5:0]      asks_now, asks_q;
  logic            f_missed, f_skip, over, inved, key_ask;
  assign asks_now = {f.again, f.missed, f.skip, r.over, r.inv.taken,
                     r.kind == cairn_int_pkg::RSK_SEND && r.inv.valid && !r.inv.taken};
  always_ff @(posedge clk_i) asks_q <= asks_now;
  assign {f_again, f_missed, f_skip, over, inved, key_ask} = FAST ? asks_q : asks_now;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= f_valid && !leave;
  end

  // ---- answers: a ring whose tentative end is moved back when the packet is not committed ----
  logic [PW-1:0]   wr_q, tent_q, rd_q, tent_next;
  logic [PW:0]     used_q;         // committed and tentative
  logic [4:0]      got_q;          // answers of the packet being gathered
  logic            last_q;         // its last answer is here
  logic            miss_q, err_q, err_inv_q, odd_q;
  logic [7:0]      vendor_q, vendor_inv_q;
  logic            gathers, put_ready, a_take, all_here, complete, complete_q, keep;
  logic [PW-1:0]   tent_end;       // without the answer about a key to invalidate
  cairn_int_pkg::mr_rsp_t a;
  assign a          = mr_i.rsp;
  assign all_here   = f_valid && got_q == f.nreq;
  assign complete   = complete_q && known_q && !at_over;
  // (no answer comes past a record that does not show yet)
  assign gathers    = !last_q && !all_here && (f_valid || recs == '0) && used_q != (PW+1)'(PD);
  assign mr_ready_o = gathers && put_ready;
  always_ff @(posedge clk_i) complete_q <= rst_ni && f_valid && !leave && got_q + 5'(a_take) == f.nreq;
  assign a_take     = mr_i.valid && mr_ready_o;
  assign tent_next  = (tent_q == PW'(PD - 1)) ? '0 : tent_q + 1'b1;
  assign tent_end   = !key_ask ? tent_q : (tent_q == '0) ? PW'(PD - 1) : tent_q - 1'b1;
  cairn_int_pkg::mr_place_t place;
  assign place      = {a.func, a.iova0, a.len0, a.iova1, a.len1};
  if (FAST) begin : g_places
    logic [cairn_int_pkg::MR_PLACE_W-1:0] mem [0:PD-1];
    always_ff @(posedge clk_i) if (a_take) mem[tent_q] <= place;
    assign piece_o   = {1'b1, mem[rd_q]};
    assign put_ready = 1'b1;
  end else begin : g_words
    logic [PW:0] mine_q;         // of packets that have gone on
    rsp_pieces #(.DEPTH(PD)) u_pieces (
        .clk_i, .rst_ni, .put_valid_i(mr_i.valid && gathers), .put_ready_o(put_ready), .put_at_i(tent_q),
        .put_i(place), .any_i(mine_q != '0), .get_at_i(rd_q), .pop_i(piece_pop_i), .here_o(piece_o.here),
        .place_o(piece_o.place));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) mine_q <= '0;
      else mine_q <= mine_q + (keep ? (PW+1)'(got_q) - (PW+1)'(key_ask) : '0) - (PW+1)'(piece_pop_i);
    end
  end
  // What leaves the ring is counted a cycle later.
  logic            popped_q;
  logic [4:0]      gone_q;
  assign used_d  = used_q + (PW+1)'(a_take) - (PW+1)'(popped_q) - (PW+1)'(gone_q);
  always_ff @(posedge clk_i) begin
    popped_q <= rst_ni && piece_pop_i;
    gone_q   <= (!rst_ni || !leave) ? '0 : keep ? 5'(key_ask) : got_q;
  end

  // Answers before the mark of a drain: they leave at the front, or with the tentative end.
  logic            marked_q;
  logic [PW:0]     used_d, before_q, left_d;
  assign left_d   = before_q - (PW+1)'(popped_q && before_q != '0);
  assign joined_o = marked_q && before_q == '0;
  always_ff @(posedge clk_i) begin
    marked_q <= rst_ni && mr_i.drain;
    before_q <= (!marked_q || left_d > used_d) ? used_d : left_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q      <= '0;
      tent_q    <= '0;
      rd_q      <= '0;
      used_q    <= '0;
      got_q     <= '0;
      last_q    <= 1'b0;
      miss_q    <= 1'b0;
      err_q     <= 1'b0;
      err_inv_q <= 1'b0;
    end else begin
      if (a_take) begin
        tent_q <= tent_next;
        got_q  <= got_q + 5'h1;
        last_q <= a.last;
        if (a.status == cairn_int_pkg::MRS_MISS) miss_q <= 1'b1;
        else if (a.status != cairn_int_pkg::MRS_OK) err_q <= 1'b1;
        err_inv_q <= a.last && a.status == cairn_int_pkg::MRS_ERR;
      end else if (leave) begin
        if (keep) wr_q <= tent_end;
        tent_q    <= keep ? tent_end : wr_q;
        got_q     <= '0;
        err_inv_q <= 1'b0;
        last_q    <= 1'b0;
        miss_q    <= 1'b0;
        err_q     <= 1'b0;
      end
      if (piece_pop_i) rd_q <= (rd_q == PW'(PD - 1)) ? '0 : rd_q + 1'b1;
      used_q <= used_d;
    end
    if (a_take && a.status != cairn_int_pkg::MRS_OK && a.status != cairn_int_pkg::MRS_MISS
        && !err_q) vendor_q <= a.vendor;
    if (a_take) vendor_inv_q <= a.vendor;
    if (a_take) odd_q <= a.iova0[2:0] != '0;
  end

  // ---- verdict ----
  cairn_int_pkg::rsp_rec_t o;
  logic o_ready, waiting, missed, park, push_ready, drain_ready, pass, store, d_valid, res_valid;
  logic voided, void_now, inv_bad, late, hold_ok, gone, more, due;

  // UC and UD: the receive in use or next, and whether what is left of the message is dropped
  logic [16:0]      now_rq;
  logic [15:0]      rq_here, rq_here_q;
  logic             broken, uses_rq, differs, broken_q, empty_q, uses_rq_q, differs_q, lost, stale;
  rsp_now #(.SLOTS(SLOTS), .DEPTH(DEPTH), .FAST(FAST)) u_now (
      .clk_i, .rst_ni, .in_i(in_valid_i && in_ready_o), .in_slot_i(in_i.rec.id.slot[AW-1:0]),
      .shown_i(f_valid), .leave_i(leave), .slot_i(slot), .put_i(pass && r.silent && !over),
      .put_data_i({o.kind == cairn_int_pkg::RSK_DROP,
                   rq_here_q + 16'(o.take && o.kind != cairn_int_pkg::RSK_DROP)}),
      .here_o(now_rq), .now_slot_i, .now_o(now_rq_o));
  assign {broken, rq_here} = r.sync ? {1'b0, r.rq.index} : now_rq;
  assign uses_rq  = r.silent && !r.srq.valid && (r.kind == cairn_int_pkg::RSK_SEND || r.kind == cairn_int_pkg::RSK_ERR
                                           || (r.kind == cairn_int_pkg::RSK_WRITE && r.take));
  assign differs  = uses_rq && r.kind != cairn_int_pkg::RSK_WRITE && rq_here != r.rq.index;
  assign lost     = broken_q || empty_q;
  logic blocked_q, place_q;          // new, and others of its slot are parked
  always_ff @(posedge clk_i) begin
    blocked_q <= waiting && !f.again;
    place_q   <= r.kind == cairn_int_pkg::RSK_SEND || r.kind == cairn_int_pkg::RSK_WRITE;
    if (!FAST || !known_q) begin       // now_rq is of this packet
      {rq_here_q, uses_rq_q, differs_q} <= {rq_here, uses_rq, differs};
      broken_q <= broken && r.silent && !r.start;
      empty_q  <= uses_rq && rq_here == r.rq.pi;
    end
    stale <= ((!FAST || !known_q) ? differs : differs_q) && !(waiting && !f.again);
  end

  // Packets between the look at them and their verdict, and those of them, the oldest ones, that an event came after.
  localparam int unsigned LW = $clog2(DEPTH + 3);
  logic [LW-1:0] looked_q, looked_d, behind_q;
  logic          event_in, event_now, skipped;      // skipped: and nothing is in front of it now
  logic          at_busy, at_over, at_wake, is_place, at_idle;
  logic [LNW-1:0] lane, at_lane, d_lane_q, wake_lane;
  assign lane     = slot[LNW-1:0];
  assign skipped  = f_skip && !blocked_q;
  assign is_place = place_q && !err_q;
  if (HAS_ATOMIC) begin : g_atomics
    rsp_atomics #(.SLOTS(LANES)) u_atomics (
        .clk_i, .rst_ni, .slot_i(lane), .go_i(pass && o.kind == cairn_int_pkg::RSK_ATOMIC), .busy_o(at_busy),
        .over_o(at_over), .done_i(at_done_i), .done_ready_o(at_done_ready_o), .wake_valid_o(at_wake),
        .wake_ready_i(drain_ready && !d_valid && !inv_wake), .wake_slot_o(at_lane), .idle_o(at_idle));
  end else begin : g_no_atomics
    assign {at_busy, at_over, at_wake, at_lane} = '0;
    assign {at_done_ready_o, at_idle}           = 2'b11;
    logic unused;
    assign unused = ^at_done_i;
  end

  // The key of a SEND with invalidate
  logic          inv_room, inv_over, inv_wake, inv_end, inv_idle, again_inved, wants_inv, inv_go;
  logic [1:0]    again_at;
  logic [AW-1:0] inv_wake_slot;
  logic [7:0]    inv_vendor;
  assign wants_inv = key_ask && !err_q && !(f_missed || miss_q || stale || blocked_q || (is_place && at_busy));
  assign inv_go    = wants_inv && inv_room;
  assign inv_end   = pass && inved;
  if (HAS_INV) begin : g_inv
    rsp_inv #(.SLOTS(SLOTS)) u_inv (
        .clk_i, .rst_ni, .room_o(inv_room), .take_i(store && inv_go), .take_rec_i(r),
        .told_i(told_i.valid), .skip_i(told_i.skip),
        .key_change_o, .key_change_ready_i, .key_change_i, .key_change_ready_o,
        .wake_valid_o(inv_wake), .wake_ready_i(drain_ready && !d_valid), .wake_slot_o(inv_wake_slot),
        .again_slot_i(again.id.slot[AW-1:0]), .again_psn_i(again.psn), .again_hit_o(again_inved), .again_at_o(again_at),
        .at_i(r.inv.at), .over_o(inv_over), .vendor_o(inv_vendor), .end_i(inv_end), .idle_o(inv_idle));
  end else begin : g_no_inv
    assign {inv_room, inv_wake, inv_wake_slot, again_inved, again_at, inv_over, inv_vendor} = '0;
    assign inv_idle           = 1'b1;
    assign key_change_o       = '0;
    assign key_change_ready_o = 1'b1;
    logic unused;
    assign unused = ^{told_i, key_change_ready_i, key_change_i, inv_end};
  end
  assign missed = ((f_missed || miss_q || stale) && !lost) || (wants_inv && !inv_room);
  assign park   = !over && (missed || blocked_q || (is_place && at_busy) || inv_go
                              || (inved && !inv_over));
  assign event_in  = mr_i.fill || avail_i || room_i || (wake_i.valid && wake_ready_o);
  assign event_now = event_in || inv_end;
  assign looked_d  = looked_q + LW'(took_i.valid) - LW'(leave);
  assign inv_bad   = inved && inv_vendor != cairn_hw_pkg::VENDOR_ERR_NONE;
  rsp_behind #(.SLOTS(SLOTS), .MOST(DEPTH + 2)) u_behind (
      .clk_i, .rst_ni, .took_i(took_i.valid), .took_slot_i(took_i.slot[AW-1:0]), .slot_i(slot),
      .wants_i(r.ackreq && !r.silent), .leave_i(leave), .pass_i(pass), .more_o(more), .due_o(due));
  rsp_fate #(.FEATURES(FEATURES)) u_fate (
      .rec_i(r), .more_i(more), .rq_here_i(rq_here_q), .lost_i(lost), .empty_i(empty_q), .err_i(err_q),
      .vendor_i(vendor_q), .odd_i(odd_q), .inv_err_i((key_ask && err_inv_q) || inv_bad), .inv_bad_i(inv_bad),
      .inv_vendor_i(inv_bad ? inv_vendor : vendor_inv_q), .rec_o(o));
  // Woken later by: nothing (behind others), its slot's wake, or the next fill. Missed the event already: now.
  assign late     = missed && (stale || skipped || event_in || behind_q != '0);
  assign hold_ok  = (!late || !d_valid) && (!(inv_go || due) || o_ready);
  assign void_now = f_again && voided;
  assign pass     = complete && !park && !void_now && o_ready;
  assign store    = complete && park && !void_now && hold_ok && (f_again || push_ready);
  assign gone     = complete && void_now && (!due || o_ready);
  assign leave    = pass || store || gone;
  assign keep    = pass && o.kind != cairn_int_pkg::RSK_ERR && o.kind != cairn_int_pkg::RSK_DROP
                   && r.kind != cairn_int_pkg::RSK_READ;
  assign res_valid = f_again && leave;
  cairn_int_pkg::rsp_rec_t in_front;       // of those that stay, or of the packet when its key is invalidated
  always_comb begin
    in_front      = r;
    in_front.more = 1'b0;
    in_front.kind = (store && inv_go) ? cairn_int_pkg::RSK_INV : cairn_int_pkg::RSK_ACK;
  end

  logic                       out_go;
  cairn_int_pkg::rsp_joined_t joined;
  assign out_go = (complete && !park && !void_now) || (store && inv_go) || ((store || gone) && due);
  assign joined = {keep ? got_q - 5'(key_ask) : 5'h0, (park || void_now) ? in_front : o};
  if (FAST) begin : g_out
    skid_buffer #(.WIDTH(cairn_int_pkg::RSP_JOINED_W)) u_out (
        .clk_i, .rst_ni, .in_valid_i(out_go), .in_ready_o(o_ready), .in_data_i(joined),
        .out_valid_o, .out_ready_i, .out_data_o(out_o));
  end else begin : g_out_slow
    assign o_ready = !out_valid_o;
    stream_reg #(.WIDTH(cairn_int_pkg::RSP_JOINED_W)) u_out (
        .clk_i, .rst_ni, .in_valid_i(out_go && o_ready), .in_ready_o(), .in_data_i(joined),
        .out_valid_o, .out_ready_i, .out_data_o(out_o));
  end

  // ---- waking a slot: at once, by its receive WQE, by a fill ----
  logic          wake;
  assign wake         = d_valid || inv_wake || at_wake || wake_i.valid;
  assign wake_lane    = d_valid ? d_lane_q : inv_wake ? inv_wake_slot[LNW-1:0] : at_wake ? at_lane
                        : wake_i.slot[LNW-1:0];
  assign wake_ready_o = drain_ready && !d_valid && !inv_wake && !at_wake;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      looked_q <= '0;
      behind_q <= '0;
      d_valid  <= 1'b0;
    end else begin
      looked_q <= looked_d;
      if (event_now) behind_q <= looked_d;
      else if (leave && behind_q != '0) behind_q <= behind_q - 1'b1;
      d_valid <= (store && late) || (d_valid && !drain_ready);
    end
    if (store && late) d_lane_q <= lane;
  end

  // A packet that failed with what may be the receive WQE of another is as it was.
  cairn_int_pkg::rsp_rec_t p;
  always_comb begin
    p = r;
    if (uses_rq_q && r.kind == cairn_int_pkg::RSK_ERR) p.kind = cairn_int_pkg::RSK_SEND;
  end

  // ---- parked packets ----
  logic park_idle;
  cairn_int_pkg::rsp_rec_t again, again_out;
  always_comb begin
    again_out           = again;
    again_out.inv.taken = again_inved;
    again_out.inv.at    = again_at;
  end
  assign again_rec_o = again_out;
  // What is parked aside must not pass a new packet of its slot.
  logic                       new_behind, next_behind, aside_behind, aside, none_new;
  cairn_int_pkg::rsp_rec_t    aside_rec;
  assign aside_rec = aside_i.rec;
  assign aside     = aside_i.valid && aside_behind && !aside_rec.over && none_new && !complete && push_ready;
  assign new_o     = {FAST ? next_behind : new_behind, aside, aside_behind && !aside_rec.over, leave && !f_again};
  if (FAST) begin : g_fresh
    rsp_fresh #(.SLOTS(LANES), .MOST(DEPTH + 2)) u_fresh (
        .clk_i, .rst_ni, .in_i(took_i.valid && !took_i.again), .in_slot_i(took_i.slot[LNW-1:0]),
        .out_i(leave && !f_again), .out_slot_i(lane), .slot_i(new_slot_i[LNW-1:0]), .none_o(none_new));
  end else begin : g_no_fresh
    // (rsp_store has seen to it that none is on its way)
    logic left_q;
    always_ff @(posedge clk_i) left_q <= rst_ni && leave;
    assign none_new = !left_q;
  end
  // Only the first of a slot's list waits for a fill.
  rsp_park #(.SLOTS(LANES), .ENTRIES(ENTRIES), .DEPTH(DEPTH), .FEATURES(FEATURES), .FAST(FAST)) u_park (
      .clk_i, .rst_ni, .push_i((complete && park && hold_ok && !f_again) || (FAST && aside)),
      .push_ready_o(push_ready), .aside_i(!FAST && aside), .aside_waiting_o(aside_behind),
      .push_slot_i(complete ? lane : aside_rec.id.slot[LNW-1:0]), .push_data_i(p),
      .other_i(!complete), .other_data_i(aside_rec),
      .place_i((FAST || complete) ? f.place[EW-1:0] : aside_i.place[EW-1:0]), .entry_o,
      .slot_i(lane), .waiting_o(waiting), .new_slot_i(new_slot_i[LNW-1:0]), .new_waiting_o(new_behind),
      .next_slot_i(new_slot_i[AW +: LNW]), .next_waiting_o(next_behind),
      .kick_i(wake), .kick_ready_o(drain_ready), .kick_slot_i(wake_lane),
      .add_i(store && missed && !late && !f.waits && !blocked_q), .fill_i(mr_i.fill || avail_i || room_i || inv_end),
      .again_valid_o, .again_ready_i, .again_entry_o, .again_first_o, .loaded_i,
      .known_i(took_i.valid && took_i.again), .again_o(again),
      .done_i(res_valid), .done_pop_i(pass), .void_o(voided), .idle_o(park_idle));
  assign free_o = !FAST && pass;

  assign events_o.rx_parked = (store && !f_again) || aside;
  assign idle_o             = recs == '0 && at_idle && got_q == '0 && park_idle && !out_valid_o && !d_valid
                  && !wake_i.valid
                  && inv_idle;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (looked_q <= LW'(DEPTH + 2) && (!leave || looked_q != '0));
  end
`endif
endmodule
