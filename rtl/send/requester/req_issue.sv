// SPDX-License-Identifier: Apache-2.0
// Third stage of the requester: makes packets true (docs/rtl/requester.md).
//
// Joins the packet records of req_build with the answers of the MR service, in order. A packet whose pieces are all
// translated and whose go-back epoch is still the completer's is committed.
// Owns: the requester part of the record.
// Order: the part is written first, so no ACK can meet a HI_PSN that does not cover it; then descriptor and ack timer;
//   then the job goes to tx_payload with its pieces (req_send).
// Otherwise the rest of the visit is dropped, and the committed state is what the next visit starts from:
// - miss: the QP is given back and waits (req_mr_wait) until a fill has ended, then it is kicked.
// - error: the part gets ERR with status and vendor code, NEXT_INDEX and MSG_PSN name the WQE; the completer is kicked.
// - stale: the completer has gone back meanwhile, or the packet is acknowledged already (then its WQE may be gone), or
//   the QP has got an error and what is posted is being flushed. The QP is given back as wanting more.
// Local operations go to req_local, which keeps the QP until the answer; then its part is written here and the QP given
// back. LOCAL_INDEX only moves forward, so a go-back executes none again. The completer is also kicked after each WQE
// that has no packet, since nothing else will tell it that it is done.
// Stages: gather (the record at the head of the queue, one answer a cycle), check (req_check, with the completer's part
//   of this cycle), commit. A record that waits is checked again in each cycle. The visit ends with the commit of the
//   record that says so, and the next one begins in the same cycle.
// A narrow build (HELD) has the record in one place: it is taken when its commit is over and its job handed on, and
//   answers for the next one are gathered from then on.
// Cycles: one packet in two, since the owner of a part writes at most every second cycle. A visit costs nothing more
//   unless its end is a record of its own (HELD: one).
module req_issue #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SLOTS  = 128,
    parameter bit          LOCAL_OPS = 1'b1,
    parameter int unsigned QPS_LOG2  = 24,                       // of a QPN
    parameter int unsigned TIME_W    = 64,                       // bits of a deadline that count
    parameter int unsigned PIECES = (DATA_W < 512) ? 32 : 128,   // of packets on their way, in req_send
    localparam bit          HELD   = DATA_W < 512,               // rec_i stays until it is taken, see below
    localparam int unsigned AW     = $clog2(SLOTS),
    localparam int unsigned NB_W   = $clog2(DATA_W / 8) + 1,
    localparam int unsigned PW     = $clog2(PIECES)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        time_now_i,
    // from req_build
    input  logic                               base_valid_i,
    output logic                               base_ready_o,
    input  cairn_int_pkg::req_base_t           base_i,
    input  logic                               rec_valid_i,
    output logic                               rec_ready_o,
    input  cairn_int_pkg::req_rec_t            rec_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,  // newest posted write accepted
    input  logic                               inl_valid_i,
    output logic                               inl_ready_o,
    input  logic [DATA_W-1:0]                  inl_data_i,
    input  logic [NB_W-1:0]                    inl_nbytes_i,
    input  logic                               inl_last_i,
    // MR answers, client MRC_REQ
    input  cairn_int_pkg::mr_answer_t          mr_i,
    output logic                               mr_ready_o,
    // mr_update, client MUC_REQ
    output cairn_int_pkg::key_change_t         key_change_o,
    input  logic                               key_change_ready_i,
    input  cairn_int_pkg::key_changed_t        key_change_i,
    output logic                               key_change_ready_o,
    output logic                               drained_o,      // ... and what was made of them is in ring 0
    // completer part, a foreign read: data one cycle after the slot
    output logic [cairn_int_pkg::SLOT_W-1:0]   cmp_slot_o,
    input  cairn_hw_pkg::qp_cmp_t              cmp_i,
    // requester part, the owner's write
    output cairn_int_pkg::part_write_t         write_o,
    // descriptor
    output cairn_int_pkg::desc_put_t           desc_o,
    output cairn_int_pkg::rd_count_t           rd_issued_o,
    // ack timer: at `deadline` or later
    output cairn_int_pkg::timer_set_t          timer_o,
    input  logic                               timer_ready_i,
    // to tx_payload
    output cairn_int_pkg::tx_requests_t        requests_o,
    input  cairn_int_pkg::tx_requests_ready_t  requests_ready_i,
    output logic [DATA_W-1:0]                  requests_inl_data_o,
    // the visit is over
    output cairn_int_pkg::released_t           released_o,
    input  logic                               released_ready_i,
    // kicks: the QPs that waited for a fill -> scheduler; a local error -> cmp_retire
    output cairn_int_pkg::kick_t               mr_kick_o,
    input  logic                               mr_kick_ready_i,
    output cairn_int_pkg::kick_t               walk_kick_o,
    input  logic                               walk_kick_ready_i,
    output cairn_hw_pkg::req_issue_events_t    events_o,
    output logic                               idle_o
);
  // ---- gather: the record at the head of the queue, from one answer one or two pieces ----
  cairn_int_pkg::mr_rsp_t    mr;
  logic [5:0]                got_q, count_q, count;   // answers taken, pieces
  logic                      second_q;                // the second piece of the answer comes next
  logic                      bad_q, bad, missed_q, missed;   // of two that are not good the first decides
  logic [7:0]                vendor_q, vendor;
  logic [PW:0]               at_q, first_q;           // the next piece, the first of this record: counted on
  logic                      p_room_q;                // there is room for a piece
  logic                      here, asks, p_we, mr_take, whole, move;
  assign mr         = mr_i.rsp;
  assign here       = rec_valid_i && !(HELD && (c_valid_q || sent_q));
  assign asks       = here && got_q != rec_i.data.nmr;
  assign p_we       = asks && mr_i.valid && mr.status == cairn_int_pkg::MRS_OK && p_room_q;
  assign mr_take    = asks && mr_i.valid && (mr.status != cairn_int_pkg::MRS_OK
                                                || (p_room_q && (second_q || mr.len1 == '0)));
  assign mr_ready_o = mr_take;
  assign count      = count_q + {5'h0, p_we};
  assign missed     = missed_q || (mr_take && mr.status == cairn_int_pkg::MRS_MISS && !bad_q);
  assign bad        = bad_q || (mr_take && mr.status == cairn_int_pkg::MRS_ERR && !missed_q);
  assign vendor     = bad_q ? vendor_q : mr.vendor;
  assign whole      = here && (got_q == rec_i.data.nmr || (mr_take && got_q + 6'd1 == rec_i.data.nmr));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || move) begin
      {got_q, count_q, second_q, bad_q, missed_q} <= '0;
    end else begin
      got_q    <= got_q + {5'h0, mr_take};
      count_q  <= count;
      if (p_we) second_q <= !second_q && mr.len1 != '0;
      bad_q    <= bad;
      missed_q <= missed;
    end
    if (mr_take) vendor_q <= vendor;
    if (!rst_ni) {at_q, first_q} <= '0;
    else begin
      at_q <= at_q + (PW+1)'(p_we);
      if (move) first_q <= at_q + (PW+1)'(p_we);
    end
  end

  // ---- check and commit: one record ----
  cairn_int_pkg::req_rec_t   c_q;
  logic                      c_valid_q, c_new_q;      // c_new_q: it is being checked for the first time
  logic                      c_bad_q, c_missed_q;
  logic [7:0]                c_vendor_q;
  logic [5:0]                c_count_q;
  logic [PW:0]               c_first_q;
  logic                      c_now, c_done, over;
  logic [AW-1:0]             slot;
  if (HELD) begin : g_held
    assign c_q = rec_i;
  end else begin : g_copy
    always_ff @(posedge clk_i) if (move) c_q <= rec_i;
  end
  assign slot  = c_q.job.slot[AW-1:0];
  assign c_now = c_valid_q && !c_new_q;
  assign over  = c_q.ending.over;

  // ---- the visit: its requester part as committed, and how it is to end ----
  cairn_hw_pkg::qp_req_t     req_q, req_d;
  logic                      open_q;            // there is one
  logic                      rc_q;              // the QP is acknowledged
  logic [4:0]                timeout_q;
  logic [7:0]                gen_q;
  logic                      dead_q;            // the visit's packets are dropped
  logic                      miss_q, more_q;    // ... because of a miss; the QP wants more
  logic                      begins;
  logic                      can_commit;        // the record in hand is committed now
  assign base_ready_o = !open_q || (!HELD && c_done && over);
  assign begins       = base_valid_i && base_ready_o;

  // ---- what holds of the record in hand, as of the last cycle ----
  logic sends, is_end, is_err, is_loc, is_adv;
  logic ok, ok_q, restart, restart_q, moved, moved_q, none_out, none_out_q, recovering, recovering_q;
  logic forward, forward_q;
  logic [23:0] una, una_q, hi, hi_q;
  assign sends  = c_q.kind == cairn_int_pkg::RQK_PKT;
  assign is_end = c_q.kind == cairn_int_pkg::RQK_END;
  assign is_loc = LOCAL_OPS && c_q.kind == cairn_int_pkg::RQK_LOC;
  assign is_adv = c_q.kind == cairn_int_pkg::RQK_ADV;
  assign is_err = c_bad_q || c_q.kind == cairn_int_pkg::RQK_ERR;
  req_check u_check (
      .req_i(req_q), .cmp_i, .rc_i(rc_q), .next_i(c_q.next), .sends_i(sends), .end_i(is_end), .ok_o(ok),
      .restart_o(restart), .moved_o(moved), .none_out_o(none_out), .recovering_o(recovering), .forward_o(forward),
      .una_o(una), .hi_o(hi)
  );
  always_ff @(posedge clk_i) begin
    {ok_q, restart_q, moved_q, none_out_q} <= {ok, restart, moved, none_out};
    {recovering_q, forward_q, una_q, hi_q} <= {recovering, forward, una, hi};
  end

  // ---- state after this packet ----
  req_after u_after (
      .clk_i, .begins_i(begins), .base_i(base_i.req), .commit_i(can_commit), .next_i(c_q.next),
      .index_i(c_q.desc.index), .ending_i(c_q.ending), .sends_i(sends), .err_i(is_err), .mr_bad_i(c_bad_q),
      .mr_vendor_i(c_vendor_q), .rc_i(rc_q),
      .restart_i(restart_q), .none_out_i(none_out_q), .recovering_i(recovering_q), .forward_i(forward_q), .una_i(una_q),
      .hi_i(hi_q), .time_now_i, .now_o(req_q), .after_o(req_d));

  // ---- what becomes of it ----
  logic wrote_q;                 // the port had a write in the last cycle
  logic commit_ok;               // it is to be committed
  logic drop, hand, none;        // dropped; a local operation, handed over; an end with nothing to write
  logic rel_ok;                  // if the visit ends, that can be told
  logic rel_valid_q, s_room, s_skip_ready, s_empty, tq_ready, eq_ready, l_ready;
  assign drop       = c_now && (dead_q || c_missed_q || (!ok_q && !is_end));
  assign commit_ok  = !dead_q && !c_missed_q && ok_q && (!is_end || (c_q.ending.commit && moved_q));
  assign hand       = c_now && commit_ok && is_loc;
  assign none       = c_now && !drop && !commit_ok;
  assign rel_ok     = !over || !rel_valid_q;
  assign can_commit = c_now && commit_ok && !is_loc && !wrote_q && rel_ok
                      && ((is_err || is_adv) ? eq_ready : (!sends || (s_room && tq_ready)));
  assign c_done     = can_commit || (drop && rel_ok && (c_q.data.ninl == '0 || s_skip_ready))
                      || (hand && (l_ready || rel_ok)) || (none && rel_ok);

  // ---- local operations: what comes back is written while nothing is in hand ----
  logic lo_valid, lo_ready, lo_failed, l_idle, l_take;
  logic [23:0]   lo_qpn;
  logic [AW-1:0] lo_slot;
  logic [511:0]  lo_part;
  assign lo_ready = !c_valid_q && !wrote_q && !late_q && eq_ready && !rel_valid_q;
  assign l_take   = lo_valid && lo_ready;
  if (LOCAL_OPS) begin : g_local
    req_local #(.SLOTS(SLOTS)) u_local (
        .clk_i, .rst_ni, .in_valid_i(hand), .in_ready_o(l_ready), .in_rec_i(c_q), .in_part_i(req_d),
        .key_change_o, .key_change_ready_i, .key_change_i, .key_change_ready_o,
        .out_valid_o(lo_valid), .out_ready_i(lo_ready), .out_qpn_o(lo_qpn), .out_slot_o(lo_slot),
        .out_part_o(lo_part), .out_failed_o(lo_failed), .idle_o(l_idle)
    );
  end else begin : g_no_local
    logic unused;
    assign unused   = ^{hand, key_change_i, key_change_ready_i};
    assign key_change_o = '0;
    assign key_change_ready_o = 1'b0;
    assign {l_ready, lo_valid, lo_qpn, lo_slot, lo_part, lo_failed, l_idle} =
        {1'b0, 1'b0, 24'h0, {AW{1'b0}}, 512'h0, 1'b0, 1'b1};
  end

  // ---- moves ----
  logic base_ok;                 // the part of its visit will be here
  assign base_ok      = (open_q && !(c_valid_q && over)) || base_valid_i;
  logic sent, sent_q, s_held;    // HELD: the record's job waits to be taken
  assign sent         = can_commit && !is_err && sends;
  assign move         = whole && (!c_valid_q || c_done) && base_ok && !lo_valid;
  assign rec_ready_o  = HELD ? (c_done && !sent) || (sent_q && !s_held) : move;
  assign cmp_slot_o   = move ? rec_i.job.slot : c_q.job.slot;
  // Written as it is committed; HELD: in the next cycle, of what stands here then.
  logic          late_q;
  logic [AW-1:0] now_slot, late_slot_q;
  assign now_slot      = c_valid_q ? slot : lo_slot;
  assign write_o.valid = (HELD ? late_q : can_commit) || l_take;
  assign write_o.slot  = cairn_int_pkg::SLOT_W'({(HELD && late_q) ? late_slot_q : now_slot});
  assign write_o.data  = (HELD && (late_q || !LOCAL_OPS)) ? req_q : (!HELD && c_valid_q) ? req_d : lo_part;
  always_ff @(posedge clk_i) begin
    late_q      <= rst_ni && HELD && can_commit;
    late_slot_q <= slot;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {c_valid_q, c_new_q, wrote_q, sent_q} <= '0;
    end else begin
      c_valid_q <= move || (c_valid_q && !c_done);
      c_new_q   <= move;
      wrote_q   <= write_o.valid;
      sent_q    <= HELD && (sent || (sent_q && s_held));
    end
    if (move) begin
      {c_count_q, c_first_q}            <= {count, first_q};
      {c_bad_q, c_missed_q, c_vendor_q} <= {bad, missed, vendor};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= begins || (open_q && !(c_done && over));
    if (begins) begin
      {rc_q, timeout_q, gen_q} <= {base_i.rc, base_i.timeout, base_i.gen};
      {dead_q, miss_q, more_q}        <= '0;
    end else if (can_commit) begin
      if (is_err) dead_q <= 1'b1;
    end else if (drop && !dead_q) begin
      {dead_q, miss_q, more_q} <= {1'b1, c_missed_q, !c_missed_q};
    end
  end

  cairn_int_pkg::sq_desc_t desc;
  always_comb begin
    desc           = '0;
    desc.valid     = 1'b1;
    desc.qpn       = c_q.job.qpn;
    desc.gen       = gen_q;
    desc.index     = c_q.desc.index;
    desc.blocks    = c_q.desc.blocks;
    desc.first_psn = c_q.next.msg_psn;
    desc.next_psn  = c_q.next.psn;
    desc.op        = c_q.desc.op;
    desc.signaled  = c_q.desc.signaled;
    desc.len       = c_q.desc.len;
    desc.one       = c_q.desc.one;
    desc.sge       = c_q.desc.sge;
  end
  assign desc_o.valid = can_commit && !is_err && c_q.desc.valid;
  always_ff @(posedge clk_i) begin
    rd_issued_o <= {rst_ni && can_commit && req_d.hi_psn_rd_issued != req_q.hi_psn_rd_issued, c_q.job.qpn,
                    req_d.hi_psn_rd_issued};
  end
  assign desc_o.slot  = c_q.job.slot;
  assign desc_o.desc  = desc;

  // ---- ack timer and kicks of the completer leave through small queues ----
  logic [87:0] tq_in, tq_out;
  logic [23:0] eq_in;
  logic        tq_put, eq_put;
  assign tq_put = sent && timeout_q != '0 && (none_out_q || restart_q);
  assign tq_in  = {c_q.job.qpn, 64'({time_now_i[TIME_W-1:12] + ((TIME_W-12)'(1) << timeout_q), time_now_i[11:0]})};
  assign eq_put = (can_commit && (is_err || is_adv)) || l_take;
  assign eq_in  = c_valid_q ? c_q.job.qpn : lo_qpn;
  assign {timer_o.rnr, timer_o.qpn, timer_o.deadline} = {1'b0, tq_out};
  if (HELD) begin : g_few
    stream_half #(.WIDTH(88)) u_tq (
        .clk_i, .rst_ni, .in_valid_i(tq_put), .in_ready_o(tq_ready), .in_data_i(tq_in),
        .out_valid_o(timer_o.valid), .out_ready_i(timer_ready_i), .out_data_o(tq_out));
    stream_half #(.WIDTH(24)) u_eq (
        .clk_i, .rst_ni, .in_valid_i(eq_put), .in_ready_o(eq_ready), .in_data_i(eq_in),
        .out_valid_o(walk_kick_o.valid), .out_ready_i(walk_kick_ready_i), .out_data_o(walk_kick_o.qpn));
  end else begin : g_some
    sync_fifo_level #(.WIDTH(88), .DEPTH(4)) u_tq (
        .clk_i, .rst_ni, .in_valid_i(tq_put), .in_ready_o(tq_ready), .in_data_i(tq_in),
        .out_valid_o(timer_o.valid), .out_ready_i(timer_ready_i), .out_data_o(tq_out), .level_o());
    sync_fifo_level #(.WIDTH(24), .DEPTH(4)) u_eq (
        .clk_i, .rst_ni, .in_valid_i(eq_put), .in_ready_o(eq_ready), .in_data_i(eq_in),
        .out_valid_o(walk_kick_o.valid), .out_ready_i(walk_kick_ready_i), .out_data_o(walk_kick_o.qpn), .level_o());
  end
  cairn_hw_pkg::wqe_info_t info;
  assign info                 = cairn_hw_pkg::wqe_info(c_q.desc.op);
  assign events_o.local_ops   = l_take && !lo_failed;
  assign events_o.qpn         = c_q.job.qpn;
  assign events_o.ud_too_long = can_commit && is_adv && !is_err && info.send;
  assign events_o.stall_req   = c_now && commit_ok && sends && !is_err && !s_room;

  // ---- end of the visit, told in the next cycle; after a miss the QP waits for a fill ----
  logic [23:0] rel_qpn_q;
  logic [cairn_int_pkg::SLOT_W-1:0] rel_slot_q;
  logic rel_more_q, wq_idle, fill_open, waits, r_miss, r_more;
  cairn_int_pkg::kick_t waiter;
  assign r_miss = drop && (dead_q ? miss_q : c_missed_q);
  assign waits  = r_miss && fill_open;
  // A local operation that finds no place comes again: nothing here may wait for one, since answers are taken here too.
  assign r_more = !c_valid_q || hand || (r_miss ? !waits : drop ? !dead_q || more_q : !is_err && c_q.ending.more);
  assign waiter = {c_done && over && waits, c_q.job.qpn};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rel_valid_q <= 1'b0;
    else rel_valid_q <= (c_done && over && !(hand && l_ready)) || l_take
                        || (rel_valid_q && !(released_o.valid && released_ready_i));
    if (!rel_valid_q) begin
      rel_qpn_q  <= c_valid_q ? c_q.job.qpn : lo_qpn;
      rel_slot_q <= cairn_int_pkg::SLOT_W'(now_slot);
      rel_more_q <= r_more;
    end
  end
  // HELD: the part is written before its pin goes.
  assign released_o = {rel_valid_q && !late_q, rel_qpn_q, rel_more_q, 1'b1, rel_slot_q};
  req_mr_wait #(.QPS_LOG2(QPS_LOG2)) u_wait (
      .clk_i, .rst_ni, .mr_fill_i(mr_i.fill), .gather_i((move && rec_i.ending.over) || !here),
      .base_i(begins || !open_q), .waits_o(fill_open), .in_i(waiter),
      .kick_o(mr_kick_o), .kick_ready_i(mr_kick_ready_i), .idle_o(wq_idle)
  );

  // ---- sending ----
  logic [1:0]  s_left;
  logic        s_pop;
  logic [PW:0] s_first, p_used;     // pieces of the oldest packet that has some, and of all behind it
  assign p_used = at_q - ((s_left != '0) ? s_first : c_valid_q ? c_first_q : first_q);
  always_ff @(posedge clk_i) p_room_q <= rst_ni && (p_we ? p_used < (PW+1)'(PIECES - 1) : p_used < (PW+1)'(PIECES));
  req_send #(.DATA_W(DATA_W), .PIECES(PIECES), .HELD(HELD)) u_send (
      .clk_i, .rst_ni, .piece_we_i(p_we), .piece_at_i(at_q[PW-1:0]),
      .piece_i({mr.func, second_q ? mr.iova1 : mr.iova0, second_q ? mr.len1 : mr.len0}),
      .start_i(sent), .room_o(s_room), .job_i(c_q.job), .data_i(c_q.data),
      .first_i(c_first_q), .count_i(c_count_q),
      .skip_i(drop && rel_ok && c_q.data.ninl != '0 && s_skip_ready), .skip_ready_o(s_skip_ready),
      .left_o(s_left), .first_o(s_first), .pop_o(s_pop), .job_held_o(s_held), .empty_o(s_empty), .last_ticket_i,
      .inl_valid_i, .inl_ready_o, .inl_data_i, .inl_nbytes_i, .inl_last_i,
      .requests_o, .requests_ready_i, .requests_inl_data_o
  );
  req_mark u_mark (
      .clk_i, .rst_ni, .drain_i(mr_i.drain), .drained_o, .open_i(got_q != '0 || second_q || p_we || mr_take),
      .move_i(move), .hold_i(c_valid_q && !c_done), .left_i(s_left), .pop_i(s_pop)
  );

  assign idle_o = !c_valid_q && !open_q && !base_valid_i && !rel_valid_q && s_empty && !timer_o.valid
                  && !walk_kick_o.valid && wq_idle && l_idle;
endmodule
