// SPDX-License-Identifier: Apache-2.0
// First half of cmp_place: what is to be done with a data answer (READ response, ATOMIC_ACK). IBTA 9.7.5.1.
//
// Takes replayed packets before new ones. What is expected is the next PSN of the READ or atomic in hand: the walker's
// (RD_VALID), or the one that follows in the queue, which the descriptors of req_issue name; so several are open at
// once. While packets of the slot are between here and cmp_retire, the position is this module's own (cursor), kept by
// slot with the element it stands in. Then opcode and length, the elements of the WQE from there on, one MR request
// each (client MRC_CMP, LOCAL_WRITE), and the verdict (cmp_verdict) for cmp_join, which knows the answers.
// Never waits for memory. Waits only, a few cycles, for the rest of a chain of which some was parked to leave, since
// what this module kept is then too far on.
// - DROP: PSN placed before (duplicate), or QP in error, or no READ takes it: after three visits of the walker in a row
//   that had nothing to do but wait for acknowledgements (the first may have begun before the packet moved UNA_PSN), or
//   could do nothing since the QP's state does not send. A packet that waited without end would hold up a fence.
// - EVENT: PSN ahead (implied NAK), wrong opcode or data for a SEND or WRITE (BAD_RESP_ERR), wrong length
//   (LOC_LEN_ERR), WQE unreadable or too short (LOC_QP_OP_ERR).
// - PARK: neither the walker nor a descriptor says what comes next.
// - FIRST or ONLY is required at each multiple of READ_CHUNK packets, LAST or ONLY before it and at the end. Elsewhere
//   a go-back may have cut the request, so FIRST and ONLY are taken too.
// Cycles: 4 for a packet of the same READ, and for the first of the next if that is the next WQE, its descriptor is
//   here and has its only element: it is looked up ahead, where the last packet ended. 5 if the element is in the WQE;
//   6, and 2 more for each WQE between, if it is not the next one; 1 more if the walker looks its WQE up just then; 1
//   for each element passed over. The next is taken with the verdict; in parts there are three cycles more (F_SAME,
//   F_JUDGE, cut), one for a descriptor that was not looked up ahead (F_DESC), two more for each element, and the next
//   is taken when all of this one is over.
module cmp_check #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned READ_CHUNK = 1024,
    parameter int unsigned PARTS      = 1,        // of a WQE block that look-ups bring: 1, 2 or 4
    parameter bit          ATOMIC     = 1'b1,     // there are atomics
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             new_valid_i,
    output logic                             new_ready_o,
    input  cairn_int_pkg::cmp_rec_t          new_i,
    input  logic                             waiting_i,        // packets of the new one's slot are parked
    input  logic                             again_valid_i,
    output logic                             again_take_o,
    input  cairn_int_pkg::cmp_rec_t          again_i,
    // the slot whose packet is taken next, parts one cycle later, or when they are there (ok_i)
    output logic [cairn_int_pkg::SLOT_W-1:0] slot_o,
    output logic                             asks_o,
    input  logic                             ok_i,
    input  cairn_int_pkg::sent_parts_t       part_i,
    output logic [AW-1:0]                    chain_slot_o,     // from the cycle after that on
    input  logic                             chain_i,
    input  logic                             torn_i,           // the chain will not be placed whole
    input  logic                             tear_i,           // strobe: from now on
    output logic                             took_o,           // strobe: a packet of slot_o, whose verdict will follow
    input  cairn_int_pkg::walk_end_t         wake_i,           // a visit has ended
    // descriptors, one cycle
    output cairn_int_pkg::desc_look_t        desc_o,
    input  logic                             desc_ready_i,
    input  cairn_int_pkg::sq_desc_t          desc_i,
    // WQE blocks
    output cairn_int_pkg::wqe_lookup_t       wqe_o,
    input  logic                             wqe_ready_i,
    input  cairn_int_pkg::wqe_found_t        wqe_i,
    output cairn_int_pkg::wqe_fetch_t        fetch_o,
    input  logic                             fetch_ready_i,
    input  logic                             fetch_retry_i,
    output cairn_int_pkg::mr_ask_t           mr_o,
    input  logic                             mr_ready_i,
    output logic                             verdict_valid_o,  // only while verdict_room_i
    input  logic                             verdict_room_i,
    output cairn_int_pkg::cmp_verdict_t      verdict_o,
    output cairn_hw_pkg::cmp_check_events_t  events_o,
    output logic                             idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  typedef enum logic [3:0] {
    F_IDLE, F_ASIDE, F_READ, F_SAME, F_BASE, F_FIND, F_DESC, F_FOUND, F_JUDGE, F_CHECK, F_LOOK, F_GOT, F_FETCH,
    F_ELEM} state_e;
  localparam state_e       F_SAID = (PARTS > 1) ? F_JUDGE : F_CHECK;   // what cmp_expect says is seen a cycle later
  localparam state_e       F_ASKED = (PARTS > 1) ? F_DESC : F_FOUND;   // and so is a descriptor
  state_e                  state_q;
  cairn_int_pkg::cmp_rec_t n, next_rec, r_q;
  logic                    again_q, tear_q, take_n, take_k, aside, next, leave;
  logic [AW-1:0]           slot;
  logic [LEN_W-1:0]        bytes;
  assign n            = new_i;
  assign next_rec     = again_valid_i ? again_i : new_i;
  assign slot         = r_q.qp.slot[AW-1:0];
  assign bytes        = r_q.atomic ? LEN_W'(8) : r_q.pay_len;
  assign slot_o       = (state_q == F_READ) ? r_q.qp.slot : next_rec.qp.slot;
  assign asks_o       = state_q == F_READ;
  assign chain_slot_o = slot;
  // A new one that is dropped, or waits behind others, needs no look. In parts it goes through F_ASIDE.
  assign leave        = state_q != F_IDLE && verdict_valid_o;
  assign next         = verdict_room_i && (state_q == F_IDLE || (PARTS == 1 && leave));
  assign aside        = state_q == F_IDLE && verdict_room_i && !again_valid_i && new_valid_i && (n.drop || waiting_i);
  assign take_k       = next && again_valid_i;
  assign take_n       = next && !again_valid_i && new_valid_i && (state_q == F_IDLE || !(n.drop || waiting_i));
  assign {new_ready_o, again_take_o} = {take_n, take_k};
  assign took_o       = take_k || take_n;

  // ---- what the parts say ----
  cairn_int_pkg::cmp_verdict_t t;
  logic                  placed_now;
  cairn_hw_pkg::qp_cmp_t c_q, c;
  cairn_hw_pkg::qp_req_t req;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic        chain_q, rec_open, same, here, same_now, here_now, same_q, here_q, use_cur, find;
  logic [23:0] rec_psn, d_una, d_old;
  assign {c, req} = {part_i.cmp, part_i.req};
  // Where the packets of a slot that were let through end
  cairn_int_pkg::cmp_cursor_t cur_q, x_q, x_next;        // read; of the packet in hand; behind it
  // Read when a packet is taken; in parts all of the one before is over then.
  ram_1r1w #(.WIDTH(cairn_int_pkg::CMP_CURSOR_W), .DEPTH(SLOTS), .BYPASS(PARTS > 1 ? 2 : 1)) u_cursors (
      .clk_i, .we_i(placed_now), .waddr_i(slot), .wdata_i(x_next), .re_i(state_q == F_IDLE || leave),
      .raddr_i(slot_o[AW-1:0]), .rdata_o(cur_q));
  assign rec_open = c_q.rflags_rd_valid && !c_q.rflags_rd_full;
  assign rec_psn  = c_q.old_psn + c_q.rd_ahead;
  assign same_now = cur_q.qpn == r_q.qp.qpn && cur_q.gen == r_q.qp.gen && cur_q.psn == rec_psn && cur_q.known;
  assign here_now = !rec_open || (cur_q.open && cur_q.index == c_q.oldest_old_index);
  // Where WQEs come in parts that is seen a cycle before (F_SAME).
  assign {same, here} = (PARTS > 1) ? {same_q, here_q} : {same_now, here_now};
  always_ff @(posedge clk_i) {same_q, here_q} <= {same_now, here_now};
  assign use_cur  = chain_q || (same && here);
  assign find     = use_cur ? cur_q.known && !cur_q.open : !rec_open;
  // Data before the PSN of an error is still wanted.
  assign d_una    = r_q.psn - c_q.una_una_psn;
  assign d_old    = r_q.psn - c_q.old_psn;

  // ---- which READ or atomic is next ----
  logic        dead_q, old_q, open_q, atomic_q;
  logic [2:0]  steps_q;
  logic [23:0] first_q, past, d_in, d_left;
  logic        hit, take_it, step_on, swaps;              // swaps: an atomic
  cairn_hw_pkg::wqe_info_t info;
  // It is looked up in F_READ too, where the packet before it ended (x_q in F_BASE): often it is that one.
  logic        ahead_q, ready_q, near, mine, close, found;
  cairn_int_pkg::sq_desc_t desc;
  if (PARTS > 1) begin : g_desc_later
    always_ff @(posedge clk_i) desc <= desc_i;
  end else begin : g_desc_now
    assign desc = desc_i;
  end
  assign info        = cairn_hw_pkg::wqe_info(desc.op);
  assign swaps       = ATOMIC && !info.read;
  assign {desc_o.slot, desc_o.index} = {r_q.qp.slot, (state_q == F_READ) ? cur_q.index : x_q.index};
  assign mine        = desc.valid && desc.qpn == r_q.qp.qpn && desc.gen == r_q.qp.gen
                       && desc.index == x_q.index;
  assign hit         = mine && desc.first_psn == first_q;
  // ... and often the walker has come to it, before its data.
  assign near        = same && rec_open && !cur_q.open && cur_q.index == c_q.oldest_old_index;
  assign close       = state_q == F_BASE && ((use_cur && find) || near) && ahead_q && take_it;
  assign found       = close || (state_q == F_FOUND && take_it);
  assign past        = x_q.psn - first_q;
  assign d_left      = desc.next_psn - x_q.psn;         // of it: negative or 0, it is passed
  assign d_in        = r_q.psn - desc.next_psn;
  assign take_it     = hit && info.res && !d_left[23] && d_left != '0;
  assign step_on     = hit && !take_it && !d_in[23] && steps_q != '1;

  // ---- is it what is expected? ----
  logic at_end, whole, bad_op, bad, no_read, not_read, stale, dup, ahead, tired, behind_now;
  cairn_int_pkg::cmp_expected_t said, said_q;
  cmp_expect #(.READ_CHUNK(READ_CHUNK)) u_expect (
      .rec_i(r_q), .x_i(x_q), .old_end_i(c_q.old_end), .plain_i(c_q.rflags_plain), .dead_i(dead_q), .old_i(old_q),
      .open_i(open_q), .atomic_i(atomic_q), .again_i(again_q), .tired_i(tired),
      .said_o(said));
  assign {at_end, whole, bad_op, bad, no_read, not_read, stale, dup, ahead} = (PARTS > 1) ? said_q : said;
  always_ff @(posedge clk_i) said_q <= said;
  // One that waits behind others of its lane is looked at for the first time when it comes again. They cannot come
  // without end while it waits: each holds a place.
  assign behind_now = (PARTS > 1) ? state_q == F_ASIDE && !r_q.drop : aside && !n.drop;
  cmp_tries #(.SLOTS(SLOTS)) u_tries (
      .clk_i, .rst_ni, .wake_i, .slot_i(slot),
      .clear_i((state_q == F_CHECK && (open_q || (no_read && !again_q))) || behind_now),
      .clear_slot_i((PARTS == 1 && state_q == F_IDLE) ? n.qp.slot[AW-1:0] : slot),
      .tired_o(tired));
  assign events_o.qpn        = r_q.qp.qpn;
  assign events_o.rx_dup_ack = state_q == F_CHECK && (dup || stale);
  assign events_o.bad_resp   = state_q == F_CHECK && (not_read || bad);

  // ---- walk over the elements ----
  logic [127:0] element;
  logic         info_q, tells;       // what the first block says of them all is known; the look-up is for that
  logic [31:0]  at_q, behind, end_at;   // where its data begins, from the beginning of the element on
  logic [LEN_W-1:0] need_q;
  logic [4:0]   asked_q, sge_q, nsge_q, sge_at, sge_next;
  logic [2:0]   blkno_q;
  logic         cut, cut_q, passed, emit, last_piece, in_elem, step, have, given, one_q, blk_ok, blk_ok_q;
  logic [15:0]  blk_index, blk_index_q, blk_sum;
  cairn_hw_pkg::wqe_t wqe;
  cairn_int_pkg::mr_req_t mr;
  assign wqe        = wqe_i.wqe;
  assign sge_at     = sge_q + 5'd2;
  assign sge_next   = sge_q + 5'd3;
  cmp_piece #(.STAGED(PARTS > 1)) u_piece (
      .clk_i, .element_i(element), .at_i(at_q), .need_i(need_q), .qp_i(r_q.qp), .passed_o(passed), .behind_o(behind),
      .end_o(end_at), .last_o(last_piece), .mr_o(mr));
  // In parts u_piece is a cycle late: when the element, or what was used of it, has changed.
  assign cut        = PARTS == 1 || cut_q;
  always_ff @(posedge clk_i) cut_q <= state_q == F_ELEM && !(cut && step);
  assign in_elem    = state_q == F_ELEM && sge_q != nsge_q && cut;
  assign mr_o.valid = in_elem && !passed;
  assign mr_o.req   = mr;
  assign emit       = mr_o.valid && mr_ready_i;
  assign step       = in_elem && (passed || (emit && !last_piece));
  // The block in hand serves packets that go on in the same READ.
  logic one, kept;
  assign one           = desc.one && (found || (state_q == F_BASE && ahead_q && mine && use_cur && cur_q.open));
  cmp_block #(.PARTS(PARTS)) u_block (
      .clk_i, .rst_ni, .one_i(state_q == F_BASE || state_q == F_FOUND), .sge_i(desc.sge), .given_i(given),
      .load_i(state_q == F_GOT && (PARTS == 1 || !tells)), .found_i(wqe_i),
      .tag_i({r_q.qp.qpn, r_q.qp.gen, blk_index}), .at_i(sge_at[1:0]), .have_o(kept), .element_o(element));
  assign have          = elems_q && kept;
  assign tells         = PARTS == 1 ? blkno_q == '0 : !elems_q && !info_q;
  // So does an element that the descriptor has.
  assign given         = state_q == F_CHECK && one_q && !have;
  // In parts the block is known a cycle after the element.
  assign wqe_o.valid   = (state_q == F_LOOK && blk_ok) || (state_q == F_CHECK && !have && !one_q);
  assign wqe_o.qpn     = r_q.qp.qpn;
  assign wqe_o.gen     = r_q.qp.gen;
  assign blk_sum       = x_q.index + 16'(blkno_q);
  assign {blk_index, blk_ok} = (PARTS > 1) ? {blk_index_q, blk_ok_q} : {blk_sum, 1'b1};
  always_ff @(posedge clk_i) {blk_index_q, blk_ok_q} <= {blk_sum, state_q != F_ELEM};
  assign {wqe_o.index, wqe_o.limit} = {blk_index, 16'h0};  // only the requester tells a limit
  assign wqe_o.part    = (PARTS == 1 || tells) ? 2'd0 : (PARTS == 2) ? {1'b0, sge_at[1]} : sge_at[1:0];
  assign fetch_o = {state_q == F_FETCH, wqe_o.qpn, wqe_o.gen, blk_index, x_q.index + 16'(x_q.nblk), base_q, log2_q};

  // ---- verdict ----
  logic wqe_bad, ran_out, empty;
  assign empty      = bytes == '0;
  assign wqe_bad    = state_q == F_GOT && wqe_i.err && (blkno_q == '0 || !wqe_i.hit);
  assign ran_out    = state_q == F_ELEM && sge_q == nsge_q;      // the elements end before the data does
  assign placed_now = (state_q == F_ELEM && emit && last_piece)
                      || (state_q == F_CHECK && open_q && !dead_q && !dup && !ahead && !bad && empty);
  always_comb begin
    t           = '0;
    t.rec       = (PARTS == 1 && state_q == F_IDLE) ? new_i : r_q;
    t.again     = again_q && state_q != F_IDLE;
    t.chunk     = at_end;
    t.whole     = whole;
    t.torn      = tear_q || tear_i;
    t.nmr       = asked_q + {4'h0, emit};
    t.ev_kind   = ahead ? cairn_int_pkg::CEV_IMPLIED : cairn_int_pkg::CEV_FATAL;
    t.ev_psn    = x_q.psn;
    {t.ev_status, t.ev_vendor} = {cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_LENGTH};
    if (bad_op || not_read)
      {t.ev_status, t.ev_vendor} = {cairn_hw_pkg::WC_STATUS_BAD_RESP_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_OPCODE};
    verdict_valid_o = 1'b1;
    case (state_q)
      F_IDLE, F_ASIDE: begin
        t.kind          = t.rec.drop ? cairn_int_pkg::CTK_DROP : cairn_int_pkg::CTK_BEHIND;
        t.nmr           = '0;
        verdict_valid_o = state_q == F_ASIDE || (PARTS == 1 && aside);
      end
      F_CHECK: begin
        t.nmr  = '0;
        t.kick = 1'b1;
        if (dead_q || dup || stale) t.kind = cairn_int_pkg::CTK_DROP;
        else if (not_read || ahead || bad) t.kind = cairn_int_pkg::CTK_EVENT;
        else if (no_read) t.kind = cairn_int_pkg::CTK_PARK;
        else verdict_valid_o = empty;
      end
      F_GOT, F_ELEM: begin
        t.kind          = (ran_out || wqe_bad) ? cairn_int_pkg::CTK_EVENT : cairn_int_pkg::CTK_DATA;
        t.ev_status     = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
        t.ev_vendor     = ran_out ? cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH : cairn_hw_pkg::VENDOR_ERR_WQE_CHECK;
        verdict_valid_o = wqe_bad || ran_out || placed_now;
      end
      F_FETCH: begin
        t.kind          = cairn_int_pkg::CTK_PARK;
        t.kick          = fetch_retry_i;
        verdict_valid_o = fetch_ready_i;
      end
      default: verdict_valid_o = 1'b0;
    endcase
  end
  assign verdict_o = t;

  // ---- where this packet ends ----
  logic blocks_q;                     // how many the WQE has is known
  always_comb begin
    x_next         = x_q;
    x_next.qpn     = r_q.qp.qpn;
    x_next.gen     = r_q.qp.gen;
    x_next.psn     = r_q.psn + 24'h1;
    x_next.known   = !whole || blocks_q;
    x_next.open    = !whole;
    x_next.index   = whole ? x_q.index + 16'(x_q.nblk) : x_q.index;
    x_next.packets = x_q.packets + 16'h1;
    x_next.rest    = x_q.rest - 32'(bytes);
    x_next.sge     = sge_q;
    x_next.off     = end_at;             // of one without bytes it means nothing
    x_next.nsge    = nsge_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= F_IDLE;
    end else begin
      case (state_q)
        // A torn chain has to be over, then the record says what is there.
        F_READ: if (ok_i && (!chain_i || !torn_i)) state_q <= (PARTS > 1) ? F_SAME : F_BASE;
        F_SAME: state_q <= F_BASE;
        F_BASE:  state_q <= (!find || close) ? F_SAID : (use_cur && desc_ready_i) ? F_ASKED : F_FIND;
        F_FIND:  if (desc_ready_i) state_q <= F_ASKED;
        F_DESC:  state_q <= F_FOUND;
        F_FOUND: state_q <= step_on ? F_FIND : F_SAID;
        F_JUDGE: state_q <= F_CHECK;
        F_CHECK: state_q <= (have || one_q) ? F_ELEM : wqe_ready_i ? F_GOT : F_LOOK;
        F_LOOK:  if (wqe_ready_i && blk_ok) state_q <= F_GOT;
        // A block after the first has no check word; err without hit is a failed read.
        F_GOT:   state_q <= !wqe_i.hit ? F_FETCH : (PARTS > 1 && tells) ? F_LOOK : F_ELEM;
        F_ELEM:  if (step && (PARTS > 1 || sge_next[1:0] == 2'd0) && sge_q + 5'd1 != nsge_q) state_q <= F_LOOK;
        default: ;
      endcase
      if ((took_o && (PARTS > 1 || !aside)) || leave) state_q <= !took_o ? F_IDLE : aside ? F_ASIDE : F_READ;
    end
  end

  // The packet, its QP and the block of its WQE
  always_ff @(posedge clk_i) begin
    if (state_q == F_IDLE || leave) begin
      r_q     <= next_rec;
      again_q <= again_valid_i;
    end
    tear_q <= tear_i || (tear_q && state_q != F_IDLE && state_q != F_READ);
    {ahead_q, ready_q} <= {(PARTS > 1) ? ready_q : desc_ready_i, desc_ready_i};
    if (state_q == F_READ) begin
      c_q     <= c;
      chain_q <= chain_i;
      base_q  <= req.sq_base;
      log2_q  <= req.flags_sq_log2;
    end
    if (state_q == F_BASE || state_q == F_FOUND) one_q <= one;
    info_q <= state_q != F_READ && (info_q || state_q == F_GOT);
  end

  // The READ or atomic that is expected
  logic        elems_q;               // its elements are known
  logic [4:0]  cur_blk;
  assign cur_blk    = cur_q.sge + 5'd2;
  always_ff @(posedge clk_i) begin
    if (state_q == F_READ) begin
      x_q     <= cur_q;
      first_q <= cur_q.psn;
    end
    if (state_q == F_BASE) begin
      dead_q   <= (c_q.flags_err && !d_una[23]) || c_q.rflags_flushing || c_q.rflags_rd_stop;
      old_q    <= d_old[23];
      open_q   <= use_cur ? cur_q.known && cur_q.open : rec_open;
      atomic_q <= ATOMIC && !use_cur && c_q.rflags_rd_atomic;
      first_q  <= use_cur ? cur_q.psn : c_q.old_psn;
      {elems_q, blocks_q} <= {2{use_cur}};
      steps_q  <= '0;
      x_q      <= cur_q;
      if (!use_cur) begin
        x_q.psn     <= rec_psn;
        x_q.index   <= c_q.oldest_old_index;
        x_q.packets <= c_q.rd_ahead[15:0];
        x_q.rest    <= c_q.rd_len - c_q.rd_placed;
        x_q.nblk    <= 3'd1;
      end
    end
    if (found) begin
      {open_q, elems_q, blocks_q} <= 3'b101;
      atomic_q    <= swaps;
      x_q.packets <= past[15:0];
      x_q.rest    <= desc.len - at_q;
      x_q.nblk    <= desc.blocks;
    end else if (state_q == F_FOUND && step_on) begin
      steps_q   <= steps_q + 3'd1;
      first_q   <= desc.next_psn;
      x_q.index <= x_q.index + 16'(desc.blocks);
    end
    // As step_on; of a request of which nothing is left it is that PSN already.
    if (state_q == F_FOUND && hit && !info.res && !d_left[23] && !d_in[23] && steps_q != '1) x_q.psn <= desc.next_psn;
    // A miss says nothing: a limit made of it would fetch blocks that the host has not written yet.
    if (state_q == F_GOT && tells && wqe_i.hit) begin
      blocks_q <= 1'b1;
      x_q.nblk <= wqe.ctrl_blocks[2:0];
    end
  end

  // The way through its elements
  always_ff @(posedge clk_i) begin
    case (state_q)
      F_READ: {at_q, blkno_q} <= '0;
      F_BASE: begin
        sge_q   <= use_cur ? cur_q.sge : {4'h0, ATOMIC && c_q.rflags_rd_atomic};  // behind the operands of an atomic
        nsge_q  <= cur_q.nsge;
        at_q    <= !use_cur ? c_q.rd_placed : cur_q.open ? cur_q.off : '0;
        blkno_q <= use_cur ? cur_blk[4:2] : '0;
        if (close) {sge_q, blkno_q, at_q} <= {4'h0, swaps, 3'h0, 32'h0};
      end
      F_FIND: at_q <= cairn_fn_pkg::packet_bytes(past, r_q.qp.pmtu);
      F_FOUND: {sge_q, blkno_q} <= {4'h0, swaps, 3'h0};
      F_CHECK: begin
        asked_q <= '0;
        need_q  <= bytes;
      end
      F_ELEM: if (cut) begin
        if (step) at_q <= passed ? behind : '0;
        if (emit) begin
          asked_q <= asked_q + 5'd1;
          need_q  <= need_q - mr.len;
        end
        if (step) begin
          sge_q <= sge_q + 5'd1;
          if (sge_next[1:0] == 2'd0) blkno_q <= blkno_q + 3'd1;
        end
      end
      default: ;
    endcase
    if (given || (state_q == F_GOT && tells))
      nsge_q <= r_q.atomic ? 5'd2 : given ? 5'd1
                : (wqe.ctrl_num_sge > 5'(cairn_hw_pkg::MAX_SGE)) ? 5'(cairn_hw_pkg::MAX_SGE) : wqe.ctrl_num_sge;
  end
  assign idle_o = state_q == F_IDLE && !new_valid_i && !again_valid_i;
endmodule
