// SPDX-License-Identifier: Apache-2.0
// First half of cmp_place: what is to be done with a data answer (READ response, ATOMIC_ACK). IBTA 9.7.5.1.
//
// Takes replayed packets before new ones. Expected PSN = OLD_PSN + RD_PLACED in packets. While packets of the slot are
// between here and cmp_retire, RD_PLACED is this module's own, kept by slot with the element it stands in. Then opcode
// and length, the elements of the WQE from RD_PLACED on, one MR request each (client MRC_CMP, LOCAL_WRITE), and the
// verdict (cmp_verdict) for cmp_join, which knows the answers.
// Never waits for memory. Waits only, a few cycles, for the rest of a chain of which some was parked to leave, since
// what this module kept is then too far on.
// - DROP: PSN placed before (duplicate), or QP in error, or no READ takes it: after three visits of the walker in a row
//   that had nothing to do but wait for acknowledgements (the first may have begun before the packet moved UNA_PSN), or
//   could do nothing since the QP's state does not send. A packet that waited without end would hold up a fence.
// - EVENT: PSN ahead (implied NAK), wrong opcode or data for a SEND or WRITE (BAD_RESP_ERR), wrong length
//   (LOC_LEN_ERR), WQE unreadable or too short (LOC_QP_OP_ERR).
// - FIRST or ONLY is required at each multiple of READ_CHUNK packets, LAST or ONLY before it and at the end. Elsewhere
//   a go-back may have cut the request, so FIRST and ONLY are taken too.
// Cycles: 4 for a packet of the same READ, 2 more for another's, 1 for each element passed over.
module cmp_check #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned READ_CHUNK = 1024,
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
    // the slot in hand, from the cycle in which its packet is taken; parts one cycle later, the rest at once
    output logic [cairn_int_pkg::SLOT_W-1:0] slot_o,
    input  cairn_int_pkg::sent_parts_t       part_i,
    input  logic                             chain_i,
    input  logic                             torn_i,           // the chain will not be placed whole
    input  logic                             tear_i,           // strobe: from now on
    output logic                             took_o,           // strobe: a packet of slot_o, whose verdict will follow
    input  cairn_int_pkg::walk_end_t         wake_i,           // a visit has ended
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
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W, CHUNK_LG = $clog2(READ_CHUNK);
  typedef enum logic [2:0] {F_IDLE, F_READ, F_CHECK, F_LOOK, F_GOT, F_FETCH, F_ELEM} state_e;
  state_e                  state_q;
  cairn_int_pkg::cmp_rec_t n, k, r_q;
  logic                    again_q, tear_q, take_n, take_k, aside;
  logic [AW-1:0]           slot;
  logic [LEN_W-1:0]        bytes;
  assign n      = new_i;
  assign k      = again_i;
  assign slot   = r_q.qp.slot[AW-1:0];
  assign bytes  = r_q.atomic ? LEN_W'(8) : r_q.pay_len;
  assign slot_o = (state_q != F_IDLE) ? r_q.qp.slot : again_valid_i ? k.qp.slot : n.qp.slot;
  // A new one that is dropped, or waits behind others, needs no look.
  assign take_k       = state_q == F_IDLE && again_valid_i && verdict_room_i;
  assign take_n       = state_q == F_IDLE && !again_valid_i && new_valid_i && verdict_room_i;
  assign aside        = take_n && (n.drop || waiting_i);
  assign new_ready_o  = take_n;
  assign again_take_o = take_k;
  assign took_o       = take_k || take_n;

  // ---- what the parts say ----
  cairn_hw_pkg::qp_cmp_t c_q, c;
  cairn_hw_pkg::qp_req_t req;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic        chain_q, rd_open, dead, at_start, at_end, bad_op, bad_len, bad, no_read, not_read, stale, dup, ahead;
  logic [31:0] placed, mtu, rest, want, chunk_mask, after;
  logic [23:0] expect_psn, d_exp, d_old, d_una, d_end;
  logic [1:0]  tries;
  logic [2*SLOTS-1:0] tries_q;
  assign c   = part_i.cmp;
  assign req = part_i.req;

  // Where the packets of a slot that were let through end
  logic [cairn_int_pkg::CMP_CURSOR_W-1:0] cur [0:SLOTS-1];
  cairn_int_pkg::cmp_cursor_t cur_q;
  logic             cur_we, at_cur;
  logic [31:0]      next_off, next_placed;
  logic [4:0]       sge_q, nsge_q;
  logic [2:0]       nblk_q, blkno_q;
  assign placed     = chain_q ? cur_q.placed : c_q.rd_placed;
  assign at_cur     = placed != '0 && cur_q.placed == placed && cur_q.qpn == r_q.qp.qpn && cur_q.gen == r_q.qp.gen
                      && cur_q.psn == c_q.old_psn && !r_q.atomic;
  assign rd_open    = c_q.rflags_rd_valid && !(placed != '0 && placed >= c_q.rd_len);
  // Data before the PSN of an error is still wanted.
  assign d_una      = r_q.psn - c_q.una_una_psn;
  assign dead       = (c_q.flags_err && !d_una[23]) || c_q.rflags_flushing || c_q.rflags_rd_stop;
  assign expect_psn = c_q.old_psn + cairn_fn_pkg::packets_before(placed, r_q.qp.pmtu);
  assign d_exp      = r_q.psn - expect_psn;
  assign d_old      = r_q.psn - c_q.old_psn;
  assign d_end      = r_q.psn - c_q.old_end;
  assign mtu        = cairn_fn_pkg::pmtu_bytes(r_q.qp.pmtu);
  assign rest       = c_q.rd_len - placed;
  assign want       = (rest < mtu) ? rest : mtu;
  assign chunk_mask = (32'h1 << (CHUNK_LG + 7 + 32'(r_q.qp.pmtu))) - 32'h1;
  assign after      = placed + mtu;
  assign at_start   = (placed & chunk_mask) == '0;
  assign at_end     = rest <= mtu || (after & chunk_mask) == '0;
  assign bad_op     = r_q.atomic != c_q.rflags_rd_atomic
                      || (!r_q.atomic && ((at_start && !r_q.start) || at_end != r_q.last));
  assign bad_len             = !r_q.atomic && 32'(r_q.pay_len) != want;
  assign tries               = tries_q[2*slot +: 2];
  assign no_read             = !dead && !d_old[23] && !rd_open;
  assign not_read            = no_read && c_q.rflags_plain && d_end[23];     // it answers a SEND or WRITE
  assign stale               = no_read && !not_read && tries == 2'd3 && again_q;
  assign dup                 = !dead && (d_old[23] || (rd_open && d_exp[23]));
  assign ahead               = rd_open && !dead && !dup && d_exp != '0;
  assign bad                 = rd_open && !dead && d_exp == '0 && (bad_op || bad_len);
  assign events_o.qpn        = r_q.qp.qpn;
  assign events_o.rx_dup_ack = state_q == F_CHECK && (dup || stale);
  assign events_o.bad_resp   = state_q == F_CHECK && (not_read || bad);

  // ---- walk over the elements ----
  logic [511:0] blk_q;
  logic         have_q;
  logic [47:0]  have_tag_q;
  logic [31:0]  skip_q, off_q, avail;
  logic [LEN_W-1:0] need_q, piece;
  logic [4:0]   asked_q, sge_at, sge_next, at_blk;
  logic         passed, emit, last_piece, step, have;
  cairn_hw_pkg::sge_t el;
  cairn_hw_pkg::wqe_t wqe;
  cairn_int_pkg::mr_req_t mr;
  assign wqe        = wqe_i.wqe;
  assign sge_at     = sge_q + 5'd2;
  assign sge_next   = sge_q + 5'd3;
  assign el         = blk_q[128*sge_at[1:0] +: 128];
  assign passed     = skip_q >= el.length;
  assign avail      = el.length - off_q;
  assign last_piece = avail >= 32'(need_q);
  assign piece      = last_piece ? need_q : avail[LEN_W-1:0];
  assign mr_o.valid = state_q == F_ELEM && sge_q != nsge_q && skip_q == '0 && avail != '0;
  assign emit       = mr_o.valid && mr_ready_i;
  assign step       = state_q == F_ELEM && sge_q != nsge_q
                      && ((skip_q != '0) ? passed : (avail == '0 || (emit && !last_piece)));
  always_comb begin
    mr         = '0;
    mr.key     = el.lkey;
    mr.pd      = r_q.qp.pd;
    mr.qpn     = r_q.qp.qpn;
    mr.va      = el.addr + {32'h0, off_q};
    mr.len     = piece;
    mr.chk_len = 32'(piece);
    mr.rights  = cairn_hw_pkg::ACCESS_LOCAL_WRITE;
    mr.last    = last_piece;
  end
  assign mr_o.req   = mr;
  // The block in hand serves packets that go on in the same READ.
  assign at_blk     = cur_q.sge + 5'd2;
  assign have       = at_cur && have_q && have_tag_q == {r_q.qp.qpn, r_q.qp.gen,
                                                         c_q.oldest_old_index + 16'(at_blk[4:2])};
  assign wqe_o.valid   = state_q == F_LOOK;
  assign wqe_o.qpn     = r_q.qp.qpn;
  assign wqe_o.gen     = r_q.qp.gen;
  assign wqe_o.index   = c_q.oldest_old_index + 16'(blkno_q);
  assign fetch_o.qpn   = wqe_o.qpn;
  assign fetch_o.gen   = wqe_o.gen;
  assign fetch_o.index = wqe_o.index;
  assign fetch_o.valid = state_q == F_FETCH;
  assign fetch_o.limit = c_q.oldest_old_index + 16'(nblk_q);
  assign fetch_o.base  = base_q;
  assign fetch_o.log2  = log2_q;

  // ---- verdict ----
  cairn_int_pkg::cmp_verdict_t t;
  logic wqe_bad, ran_out, placed_now, empty;
  assign empty      = bytes == '0;
  assign wqe_bad    = state_q == F_GOT && wqe_i.err && (blkno_q == '0 || !wqe_i.hit);
  assign ran_out    = state_q == F_ELEM && sge_q == nsge_q;      // the elements end before the data does
  assign placed_now = (state_q == F_ELEM && emit && last_piece)
                      || (state_q == F_CHECK && rd_open && !dead && !dup && !ahead && !bad && empty);
  always_comb begin
    t           = '0;
    t.rec       = (state_q == F_IDLE) ? new_i : r_q;
    t.again     = again_q && state_q != F_IDLE;
    t.chunk     = at_end;
    t.whole     = rest <= mtu;
    t.torn      = tear_q || tear_i;
    t.nmr       = asked_q + {4'h0, emit};
    t.ev_kind   = ahead ? cairn_int_pkg::CEV_IMPLIED : cairn_int_pkg::CEV_FATAL;
    t.ev_psn    = expect_psn;
    {t.ev_status, t.ev_vendor} = {cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_LENGTH};
    if (bad_op || not_read)
      {t.ev_status, t.ev_vendor} = {cairn_hw_pkg::WC_STATUS_BAD_RESP_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_OPCODE};
    verdict_valid_o = 1'b1;
    case (state_q)
      F_IDLE: begin
        t.kind          = n.drop ? cairn_int_pkg::CTK_DROP : cairn_int_pkg::CTK_BEHIND;
        t.nmr           = '0;
        verdict_valid_o = aside;
      end
      F_CHECK: begin
        t.nmr  = '0;
        t.kick = 1'b1;
        if (dead || dup || stale) t.kind = cairn_int_pkg::CTK_DROP;
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
  assign next_off    = (state_q == F_CHECK) ? '0 : off_q + 32'(piece);
  assign next_placed = (c_q.rd_len == '0) ? 32'h1 : placed + 32'(bytes);
  assign cur_we      = placed_now;
  always_ff @(posedge clk_i) begin
    if (cur_we)
      cur[slot] <= {r_q.qp.qpn, r_q.qp.gen, c_q.old_psn, next_placed, sge_q, next_off, nsge_q, nblk_q};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= F_IDLE;
      tries_q <= '0;
      have_q  <= 1'b0;
    end else begin
      if (wake_i.valid) begin
        if (!wake_i.stuck) tries_q[2*wake_i.slot[AW-1:0] +: 2] <= 2'd0;
        else if (tries_q[2*wake_i.slot[AW-1:0] +: 2] != 2'd3)
          tries_q[2*wake_i.slot[AW-1:0] +: 2] <= tries_q[2*wake_i.slot[AW-1:0] +: 2] + 2'd1;
      end
      case (state_q)
        F_IDLE: if (take_k || (take_n && !aside)) state_q <= F_READ;
        // A torn chain has to be over, then RD_PLACED says what is there.
        F_READ: if (!chain_i || !torn_i) state_q <= F_CHECK;
        F_CHECK: begin
          state_q <= verdict_valid_o ? F_IDLE : have ? F_ELEM : F_LOOK;
          if (rd_open || (no_read && !again_q)) tries_q[2*slot +: 2] <= 2'd0;
        end
        F_LOOK:  if (wqe_ready_i) state_q <= F_GOT;
        // A block after the first has no check word; err without hit is a failed read.
        F_GOT:   state_q <= wqe_bad ? F_IDLE : !wqe_i.hit ? F_FETCH : F_ELEM;
        F_FETCH: if (fetch_ready_i) state_q <= F_IDLE;
        default: begin
          if (verdict_valid_o) state_q <= F_IDLE;
          else if (step && sge_next[1:0] == 2'd0 && sge_q + 5'd1 != nsge_q) state_q <= F_LOOK;
        end
      endcase
      if (state_q == F_GOT) have_q <= wqe_i.hit;
    end
  end

  // The packet, its QP and the block of its WQE
  always_ff @(posedge clk_i) begin
    if (state_q == F_IDLE) begin
      r_q     <= again_valid_i ? again_i : new_i;
      again_q <= again_valid_i;
    end
    tear_q <= tear_i || (tear_q && state_q != F_IDLE && state_q != F_READ);
    if (state_q == F_READ) begin
      c_q     <= c;
      cur_q   <= cur[slot];
      chain_q <= chain_i;
      base_q  <= req.sq_base;
      log2_q  <= req.flags_sq_log2;
    end
    if (state_q == F_GOT) begin
      blk_q      <= wqe_i.wqe;
      have_tag_q <= {r_q.qp.qpn, r_q.qp.gen, wqe_o.index};
    end
  end

  // The way through the WQE's elements
  always_ff @(posedge clk_i) begin
    if (state_q == F_CHECK) begin
      asked_q <= '0;
      need_q  <= bytes;
      sge_q   <= at_cur ? cur_q.sge : {4'h0, r_q.atomic};      // behind the operands of an atomic
      off_q   <= at_cur ? cur_q.off : '0;
      skip_q  <= at_cur ? '0 : placed;
      blkno_q <= at_cur ? at_blk[4:2] : '0;
      nsge_q  <= cur_q.nsge;
      nblk_q  <= at_cur ? cur_q.nblk : 3'd1;
    end
    if (state_q == F_GOT) begin
      // A miss says nothing: a limit made of it would fetch blocks that the host has not written yet.
      if (blkno_q == '0 && wqe_i.hit) begin
        nsge_q <= r_q.atomic ? 5'd2
                  : (wqe.ctrl_num_sge > 5'(cairn_hw_pkg::MAX_SGE)) ? 5'(cairn_hw_pkg::MAX_SGE) : wqe.ctrl_num_sge;
        nblk_q <= wqe.ctrl_blocks[2:0];
      end
    end
    if (state_q == F_ELEM) begin
      if (skip_q != '0) begin
        if (passed) begin
          skip_q <= skip_q - el.length;
        end else begin
          off_q  <= skip_q;
          skip_q <= '0;
        end
      end
      if (emit) begin
        asked_q <= asked_q + 5'd1;
        need_q  <= need_q - piece;
      end
      if (step) begin
        sge_q <= sge_q + 5'd1;
        if (skip_q == '0) off_q <= '0;
        if (sge_next[1:0] == 2'd0) blkno_q <= blkno_q + 3'd1;
      end
    end
  end
  assign idle_o = state_q == F_IDLE && !new_valid_i && !again_valid_i;
endmodule
