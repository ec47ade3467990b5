// SPDX-License-Identifier: Apache-2.0
// Second stage of the requester: walks the WQEs of a visit and cuts messages into packets. IBTA 9.7.2, 9.7.7.2.2; annex
// A17.
//
// Everything here is speculative: each packet record carries the state after it, and only req_issue makes it true
// (docs/rtl/requester.md).
// For each packet: MR requests for its pieces (client MRC_REQ), inline bytes, one req_rec. For each visit: one
// req_base before its records. The last record says that the visit is over; it is an END or ERR record where no packet
// could know.
// A go-back starts at the completer's anchors (req_start) and skips WQEs by their PSN span up to the first PSN to send.
// WQE blocks come from wqe_fetch; a block that is not there ends the visit, and so does a local operation that is to be
// executed (LOCAL_INDEX says which were). The states and the walk's position are here; what a WQE asks for is in
// req_decode, whether it can be executed in req_judge, its elements in req_cursor, the next packet in req_packet, its
// record in req_record.
// Cycles: two a message of one packet and at most one piece (V_DEC, V_SEG), since the next WQE is looked up in the
//   first and its block taken in the second (where DATA_W is below 512 a block comes in parts, behind the
//   second); further pieces one each, further packets two. A visit: one more (V_GOT), and one if it does not follow the
//   last packet of another (V_IDLE).
// A visit ends after 2^QUANTUM_LG2 packets, or, while nobody else waits, after four times as many.
// Errors: (ERR record, status LOC_QP_OP_ERR or LOC_LEN_ERR) check word, operation, block count, elements, length,
//   source GID, doorbell index beyond the ring.
module req_build #(
    parameter int unsigned DATA_W      = 512,
    parameter int unsigned READ_CHUNK  = 1024,    // PSNs of one READ request, a power of two
    parameter logic [31:0] FEATURES    = '1,      // of the build
    parameter bit          HELD        = 1'b0,    // visit_i stays until the visit is over, see req_hand
    parameter int unsigned QUANTUM_LG2 = 4,       // packets of one visit, while others wait
    localparam int unsigned WORD  = (DATA_W < 128) ? 128 : DATA_W,   // what a look-up of a block brings
    localparam int unsigned PARTS = 512 / WORD,
    localparam int unsigned NW    = 3 + $clog2(PARTS)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [31:0]                  features_i,  // REG FEATURES
    input  logic                         visit_valid_i,
    output logic                         visit_ready_o,
    input  cairn_int_pkg::req_visit_t    visit_i,
    input  logic                         alone_i,     // nobody else wants a visit, and no fence waits
    input  logic                         rd_full_i,   // see req_reads
    // GID table: entry of a datagram's source, combinational
    output logic [7:0]                   gid_index_o,
    input  logic [14:0]                  gid_i,       // {valid, IPv6, tagged, VLAN}
    // WQE blocks, port 0 of wqe_fetch
    output cairn_int_pkg::wqe_lookup_t   wqe_o,
    input  logic                         wqe_ready_i, // always, where a block comes whole
    input  cairn_int_pkg::wqe_found_t    wqe_i,
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i,
    // MR service
    output cairn_int_pkg::mr_ask_t       mr_o,
    input  logic                         mr_ready_i,
    // to req_txerr: of the QP of fetch_o; the failed read is not dealt with
    output logic                         back_valid_o,
    input  logic                         back_ready_i,
    output logic [23:0]                  back_psn_o,
    // to req_issue
    output logic                         base_valid_o,
    input  logic                         base_ready_i,
    output cairn_int_pkg::req_base_t     base_o,
    output logic                         rec_valid_o,
    input  logic                         rec_ready_i,
    output cairn_int_pkg::req_rec_t      rec_o,
    output logic                         inl_valid_o,
    input  logic                         inl_ready_i,
    output logic [DATA_W-1:0]            inl_data_o,
    output logic [$clog2(DATA_W/8):0]    inl_nbytes_o,
    output logic                         inl_last_o,
    output logic                         idle_o
);
  typedef enum logic [3:0] {
    V_IDLE, V_LOOK, V_GOT, V_FETCH, V_BLOCK, V_DEC, V_SUM, V_SEEK, V_SEG, V_NEXT, V_END,
    V_BACK   // V_END of a walk that has not come to the failed read's WQE
  } state_e;
  localparam logic [7:0] ST_OP = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR, ST_LEN = cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR;

  // ---- the visit: as it comes (visit_i, v_*), and in hand ----
  cairn_int_pkg::req_visit_t h;
  cairn_hw_pkg::qp_cfg_t vcfg, cfg_q;
  cairn_hw_pkg::qp_req_t vreq, hreq;
  logic [cairn_int_pkg::SLOT_W-1:0] slot_q;
  logic [15:0] pi_q, v_index;
  logic [23:0] qpn_q, una_q, target_q, hi_q, lsn_q, failed_q;
  logic [7:0]  passed, begun, gen_q, epoch_q, rd_done_q;
  logic        v_take, v_rc, credits_off_q, sqd_q, settled_q;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  assign {vreq, vcfg} = {visit_i.req, visit_i.cfg};
  assign v_rc    = vcfg.state_type == cairn_hw_pkg::QP_TYPE_RC;
  assign v_index = visit_i.old ? visit_i.old_index : vreq.index_next_index;
  req_hand #(.HELD(HELD)) u_hand (.clk_i, .take_i(v_take), .visit_i, .visit_o(h));
  assign {hreq, cfg_q} = {h.req, h.cfg};
  assign {qpn_q, slot_q, gen_q, pi_q, base_q, log2_q} = {h.qpn, h.slot, hreq.tag_gen, h.pi, hreq.sq_base,
                                                         hreq.flags_sq_log2};
  assign {una_q, hi_q, lsn_q, credits_off_q, rd_done_q} = {h.una, hreq.hi_psn, h.lsn, h.credits_off, h.rd_done};
  assign sqd_q   = cfg_q.state == cairn_hw_pkg::QP_STATE_SQD;
  assign epoch_q = (cfg_q.state_type == cairn_hw_pkg::QP_TYPE_RC) ? h.gb_epoch : hreq.psn_send_epoch;
  assign {target_q, failed_q, txe_q, local_q} = {h.target, h.failed_psn, h.failed, hreq.index_local_index};
  always_ff @(posedge clk_i) if (v_take) settled_q <= visit_i.una == visit_i.old_psn;

  // ---- position of the walk, speculative ----
  logic [15:0] idx_q, local_q;   // local_q: local operations before it were executed
  logic [23:0] psn_q, msg_psn_q, ssn_q, free_q;
  logic [31:0] off_q;
  logic [5:0]  since_q;
  logic [7:0]  rd_iss_q;
  logic        mid_q;        // in a message: off_q is not 0
  logic [23:0] done_q;       // PSNs of it before psn_q
  logic        walk_q;       // on the way to target_q
  logic        txe_q;        // the walk ends in an error
  logic [QUANTUM_LG2+1:0] npkt_q;   // packets of the visit
  state_e      state_q, state_d, first_d;   // first_d: of a visit
  logic        more_q;       // of the END record
  logic [7:0]  err_status_q, err_vendor_q, bad_status_q, bad_vendor_q;
  logic        err_q, judged_q;
  // A wrong check word while walking may only mean that the anchors are old: try again with new ones, three times.
  logic [23:0] stale_qpn_q;
  logic [1:0]  stale_q;
  logic        stale;
  assign stale        = stale_qpn_q == qpn_q && stale_q == 2'd3;
  assign {back_valid_o, back_psn_o} = {state_q == V_BACK, target_q};

  // ---- the WQE: its first block, what it asks for, the index behind it ----
  cairn_hw_pkg::wqe_t     wqe, got;
  cairn_hw_pkg::wqe_ud_t  ud;
  logic [cairn_int_pkg::REQ_OP_W-1:0] op_got, op_bits_q;
  cairn_int_pkg::req_op_t op;
  logic        one_got, one_q;        // its message is one packet
  logic [15:0] next_q, at, room_at;   // at: index of the block that comes, room_at: blocks posted from there on
  logic [2:0]  nblk_q, kblk_q, blk_no_q;
  logic        blk_got_q;             // the answer of a further block is here
  logic        many;                  // has further blocks
  logic        beyond, beyond_q;      // claims blocks that are not posted: idx would pass the producer
  logic        ask_q, good, load;     // the next WQE was looked up in the last cycle; can be taken; a WQE is taken
  logic [1:0]  came;                  // which part of a block came (req_block)
  logic        part_last, came_last, came_first, hit, err, asked;   // asked: a look-up is taken
  req_block #(.WORD(WORD)) u_block (
      .clk_i, .rst_ni, .look_i(wqe_o.valid), .take_i(asked), .first_i(state_q == V_LOOK), .load_i(load),
      .found_i(wqe_i), .part_o(wqe_o.part), .last_o(part_last), .came_o(came), .came_last_o(came_last),
      .first_o(came_first),
      .hit_o(hit), .err_o(err), .got_o(got), .wqe_o(wqe));
  assign at      = (state_q == V_GOT) ? idx_q : next_q;
  assign room_at = pi_q - at;
  assign beyond  = 16'(got.ctrl_blocks) > room_at;
  assign many    = got.ctrl_blocks > 4'd1 && got.ctrl_blocks <= 4'(cairn_hw_pkg::MAX_WQE_BLOCKS);
  assign {op, ud} = {op_bits_q, wqe};
  req_decode #(.FEATURES(FEATURES)) u_dec (
      .wqe_i(got), .pmtu_i(cfg_q.state_pmtu), .type_i(cfg_q.state_type),
      .datagrams_i(features_i[cairn_hw_pkg::REG_FEATURES_UD_LSB]), .op_o(op_got), .one_o(one_got));

  // ---- its next packet: formed in V_DEC and V_NEXT, handed on in V_SEG ----
  typedef struct packed {
    logic [7:0]  opcode;
    logic        first, last, is_new, ackreq;
    logic [12:0] pay_len;
    logic [31:0] dma_len, next_offset;
    logic [23:0] span;
  } packet_t;
  packet_t     p, p_q;

  logic        bad, list, execute;
  logic [7:0]  bad_status, bad_vendor;
  logic [15:0] d_local;
  assign gid_index_o = ud.dqpn_sgid_sgid_index;
  assign d_local     = idx_q - local_q;
  assign execute     = op.local_op && !d_local[15];
  req_judge u_judge (
      .wqe_i(wqe), .op_i(op), .type_i(cfg_q.state_type), .features_i,
      .rd_none_i(cfg_q.rd_max_rd_atomic == '0 && p.is_new),
      .gid_ok_i(gid_i[14]), .gid_ipv6_i(gid_i[13]), .list_o(list),
      .bad_o(bad), .bad_status_o(bad_status), .bad_vendor_o(bad_vendor)
  );

  // ---- the next packet ----
  logic        stop, stop_sqd;        // end the visit before this packet; SQD: it would begin something
  req_packet #(.READ_CHUNK(READ_CHUNK)) u_packet (
      .op_i(op_bits_q), .fence_i(wqe.ctrl_fence), .pmtu_i(cfg_q.state_pmtu), .rd_limit_i(cfg_q.rd_max_rd_atomic),
      .sqd_i(sqd_q), .credits_off_i(credits_off_q), .lsn_i(lsn_q), .una_i(una_q), .hi_i(hi_q), .rd_done_i(rd_done_q),
      .rd_full_i, .settled_i(settled_q), .psn_i(psn_q), .mid_i(mid_q), .done_i(done_q), .offset_i(off_q), .ssn_i(ssn_q),
      .free_i(free_q), .since_i(since_q), .rd_issued_i(rd_iss_q),
      .opcode_o(p.opcode), .first_o(p.first), .last_o(p.last), .is_new_o(p.is_new), .ackreq_o(p.ackreq),
      .pay_len_o(p.pay_len), .dma_len_o(p.dma_len), .span_o(p.span), .next_offset_o(p.next_offset), .stop_o(stop),
      .sqd_o(stop_sqd)
  );
  always_ff @(posedge clk_i) if (state_q == V_DEC || state_q == V_NEXT) p_q <= p;

  // ---- moves of the state machine ----
  logic        at_end, next_end;      // the producer index is reached; behind this WQE
  logic [23:0] d_target;
  logic        skip, skip_now, skip_q;   // the WQE is sent and acknowledged up to its end
  logic        seen_q, walks;            // V_DEC of a walk, in parts its second cycle
  logic        resume;                // the message goes on from its middle
  logic        waits, room, pkt_fire; // SQD: what follows is not begun, nor judged; the record can go; goes
  logic        quantum, quantum_q, over;   // the visit has had its share; ends with this packet
  logic        ends;         // ... at the end of the queue, or with a local operation
  logic        at_last_q, alone_q, ends_q, last, of_next, free;
  assign {at_end, next_end} = {idx_q == pi_q, next_q == pi_q};
  assign d_target = target_q - psn_q;
  // An error's walk ends at the WQE that holds its PSN, so it passes those without PSNs.
  always_ff @(posedge clk_i) begin
    seen_q <= state_q == V_DEC;
    skip_q <= skip_now;
  end
  assign skip_now = d_target >= op.npsn && (d_target != '0 || (txe_q && op.npsn == '0));
  assign skip     = (PARTS == 1) ? skip_now : skip_q;
  assign walks    = state_q == V_DEC && walk_q && (PARTS == 1 || seen_q);
  assign waits    = state_q == V_GOT && stop_sqd && (!walk_q || (!txe_q && d_target == '0));
  assign resume   = mid_q && !op.read;
  assign quantum  = (&npkt_q[QUANTUM_LG2-1:0]) && (!alone_q || (&npkt_q));
  assign ends     = p_q.last && at_last_q;
  assign over     = ends || quantum_q;    // (of the cycle before, as in ends_q: packets are counted two before V_SEG)
  // Of the WQE whose packets are formed: none follows, or it is a local operation.
  always_ff @(posedge clk_i) begin
    if (state_q == V_DEC) at_last_q <= next_end || execute;
    {alone_q, quantum_q} <= {alone_i, quantum};
    ends_q <= quantum || (state_q == V_DEC ? next_end || execute : at_last_q);
  end
  // The next visit is taken in the cycle in which the last packet of this one goes, or (in parts) in the next.
  // What is looked up in V_SEG is its WQE if this packet ends the visit as the last one of its message; else nothing
  // is, or this visit's next WQE. So whose it is need not wait for what kind of packet it is.
  assign last     = state_q == V_IDLE || (PARTS == 1 && state_q == V_SEG && over);
  assign of_next  = state_q == V_IDLE || (PARTS == 1 && state_q == V_SEG && ends_q);

  req_passed #(.READ_CHUNK(READ_CHUNK)) u_passed (.clk_i, .begin_i(v_take), .rd_part_i(visit_i.rd_part),
      .pass_i(walks && skip), .counts_i(op.res), .npsn_i(op.npsn),
      .before_i(d_target), .passed_o(passed), .begun_o(begun));

  // ---- its elements and pieces ----
  logic         sum_done, sum_bad, sought, off_end, can_pkt, piece, inl_idle;
  logic [5:0]   nmr;
  logic [12:0]  need;
  logic [WORD-1:0] inl_blk;
  logic [NW-1:0]   inl_blk_no;
  assign need = (op.read || op.inl || op.nop) ? '0
                : (state_q == V_SUM || state_q == V_SEEK) ? p_q.pay_len : p.pay_len;
  assign room = rec_ready_i && inl_idle;
  req_cursor #(.WORD(WORD), .AHEAD(PARTS > 1)) u_cursor (
      .clk_i, .we_i(load || came_first || (state_q == V_BLOCK && blk_got_q)), .wr_part_i(came),
      .wr_no_i((state_q == V_BLOCK) ? blk_no_q : 3'd0), .wr_data_i(wqe_i.wqe[WORD-1:0]),
      .rd_i(!inl_idle), .rd_no_i(inl_blk_no),
      .rd_data_o(inl_blk),
      .nsge_i(op.nsge), .first_i(op.first), .len_i(op.len), .offset_i(off_q), .pd_i(cfg_q.pd_sgid_pd), .qpn_i(qpn_q),
      .begin_i(state_q == V_DEC), .resume_i(resume), .list_i(list), .sum_i(state_q == V_SUM),
      .seek_i(state_q == V_SEEK),
      .pack_i(state_q == V_SEG), .next_i(state_q == V_NEXT), .clear_i(v_take || pkt_fire), .need_i(need),
      .room_i(room), .sum_done_o(sum_done), .sum_bad_o(sum_bad), .found_o(sought), .over_o(off_end), .done_o(can_pkt),
      .nmr_o(nmr), .piece_o(piece), .mr_o, .mr_ready_i
  );

  // ---- the record ----
  req_record u_record (
      .cfg_i(cfg_q), .qpn_i(qpn_q), .gen_i(gen_q), .slot_i(slot_q), .epoch_i(epoch_q), .wqe_i(wqe), .op_i(op),
      .execute_i(execute), .gid_vlan_i(gid_i[12]), .gid_vid_i(gid_i[11:0]), .index_i(idx_q), .next_index_i(next_q),
      .psn_i(psn_q), .msg_psn_i(msg_psn_q), .offset_i(off_q), .ssn_i(ssn_q), .free_i(free_q),
      .since_i(since_q), .rd_issued_i(rd_iss_q), .opcode_i(p_q.opcode), .first_i(p_q.first), .last_i(p_q.last),
      .is_new_i(p_q.is_new), .ackreq_i(p_q.ackreq), .pay_len_i(p_q.pay_len), .dma_len_i(p_q.dma_len), .span_i(p_q.span),
      .next_offset_i(p_q.next_offset), .nmr_i(nmr), .piece_i(piece),
      .over_i(state_q == V_END || over), .more_i((state_q == V_END) ? more_q : !ends),
      .end_i(state_q == V_END), .err_i(err_q), .walk_i(walk_q),
      .err_psn_i(txe_q ? failed_q : walk_q ? target_q : psn_q), .rec_o,
      .status_i(judged_q ? bad_status_q : err_status_q), .vendor_i(judged_q ? bad_vendor_q : err_vendor_q)
  );
  assign rec_valid_o = state_q == V_END || (can_pkt && inl_idle);
  assign pkt_fire    = can_pkt && room;

  req_inline #(.DATA_W(DATA_W), .WORD(WORD)) u_inline (
      .clk_i, .rst_ni, .start_i(pkt_fire && rec_o.data.ninl != '0), .ud_i(op.ud),
      .first_i({wqe.sge1_length, wqe.sge1_lkey, wqe.sge1_addr,
                wqe.sge0_length, wqe.sge0_lkey, wqe.sge0_addr}),
      .len0_i(rec_o.data.inl_len0), .len1_i(rec_o.data.inl_len1), .idle_o(inl_idle),
      .blk_no_o(inl_blk_no), .blk_i(inl_blk), .inl_valid_o, .inl_ready_i, .inl_data_o, .inl_nbytes_o, .inl_last_o
  );

  // ---- lookups ----
  // The first WQE is looked up when the visit is taken, further blocks one after another, and the next WQE while the
  // last packet of this one is formed. Its block is there for one cycle: if the packet cannot go then, or if there is
  // more to it than to take it, it is looked up again.
  logic        ask_next, free_blk;    // the buffer of blocks: inline bytes are read from it
  assign free_blk = PARTS == 1 || inl_idle;
  logic [15:0] miss_idx_q;
  assign ask_next = PARTS == 1 && !next_end && !sqd_q && ((state_q == V_DEC && one_q && !walk_q)
                                            || (state_q == V_SEG && p_q.last && !over && !ask_q));
  assign wqe_o.valid = (PARTS == 1 && v_take && v_index != visit_i.pi) || (state_q == V_LOOK && !at_end && free_blk)
                       || ask_next || (state_q == V_BLOCK && kblk_q != nblk_q && inl_idle);
  assign asked       = wqe_o.valid && wqe_ready_i;
  assign wqe_o.index = (PARTS > 1) ? idx_q + ((state_q == V_BLOCK) ? {13'h0, kblk_q} : 16'h0)
                       : of_next ? v_index : (state_q == V_LOOK) ? idx_q
                       : (state_q == V_BLOCK) ? idx_q + {13'h0, kblk_q} : next_q;
  assign {wqe_o.qpn, wqe_o.gen, wqe_o.limit} = (PARTS == 1 && of_next) ? {visit_i.qpn, vreq.tag_gen, visit_i.pi}
                                                                    : {qpn_q, gen_q, pi_q};
  assign good        = ask_q && hit && !err;
  assign load        = state_q == V_GOT || (pkt_fire && p_q.last && good);
  assign fetch_o     = {state_q == V_FETCH, qpn_q, gen_q, miss_idx_q, pi_q, base_q, log2_q};

  // ---- base entry of the visit ----
  assign free          = last && (state_q == V_IDLE || pkt_fire);
  assign visit_ready_o = free && base_ready_i;
  assign v_take        = visit_ready_o && visit_valid_i;
  assign base_valid_o  = free && visit_valid_i;
  assign base_o        = {v_rc, v_rc ? vcfg.state_timeout : 5'd0, vreq.tag_gen, vreq};
  assign idle_o        = state_q == V_IDLE && !visit_valid_i && inl_idle;

  // ---- errors: they end the visit, whatever the state would do ----
  logic       bad_index, bad_read, bad_wqe, bad_list, fail, wrong;
  logic [7:0] fail_vendor;
  assign bad_index = (v_take && visit_i.beyond) || (state_q == V_DEC && beyond_q);
  assign bad_read  = (state_q == V_GOT && !hit && err && !waits)
                     || (state_q == V_BLOCK && blk_got_q && !wqe_i.hit && wqe_i.err)
                     || (walks && !skip && txe_q);
  assign bad_wqe   = state_q == V_DEC && bad;
  // In V_SEG a list that adds up cannot end too early; a host that rewrites it in flight gets there.
  assign bad_list  = (state_q == V_SUM && sum_bad) || (state_q == V_SEG && off_end);
  assign fail        = bad_index || bad_read || bad_wqe || bad_list;
  assign fail_vendor = bad_list ? cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH
                       : bad_index ? cairn_hw_pkg::VENDOR_ERR_WQE_INDEX : cairn_hw_pkg::VENDOR_ERR_DMA_READ;

  // ---- the states ----
  // The block is bad in the ring, or retired and reused since the anchors were read
  assign wrong = state_q == V_GOT && hit && err && !waits;
  assign first_d = (PARTS > 1 || v_index == visit_i.pi) ? V_LOOK : V_GOT;
  always_comb begin
    state_d = state_q;
    case (state_q)
      V_IDLE: if (v_take) state_d = first_d;
      V_LOOK: state_d = at_end ? V_END : (asked && part_last) ? V_GOT : V_LOOK;
      V_GOT:
        if (waits) state_d = V_END;
        else if (!hit) state_d = V_FETCH;
        else if (err) state_d = (txe_q && !stale) ? V_BACK : V_END;
        else state_d = (many && !beyond) ? V_BLOCK : V_DEC;
      V_BLOCK:
        if (blk_got_q && !wqe_i.hit) state_d = V_FETCH;
        else if (blk_got_q && came_last && blk_no_q + 3'd1 == nblk_q) state_d = V_DEC;
      // The blocks are on their way (a kick brings the QP back), or no place is free for them now.
      V_FETCH: if (fetch_i.ready) state_d = txe_q ? V_BACK : V_END;
      V_BACK:  if (back_ready_i) state_d = V_END;
      // A walk that is at its target comes round once more with the position set.
      V_DEC:
        if (walks && skip) state_d = V_LOOK;
        else if (!walk_q) state_d = stop ? V_END : list ? V_SUM : resume ? V_SEEK : V_SEG;
      // Elements of a long list must add up to the length.
      V_SUM:  if (sum_done) state_d = resume ? V_SEEK : V_SEG;
      // Find the element that holds the first byte of a message resumed in its middle.
      V_SEEK: if (sought) state_d = V_SEG;
      V_SEG:
        if (pkt_fire) begin
          if (over) state_d = v_take ? first_d : V_IDLE;
          else if (!p_q.last) state_d = V_NEXT;
          else if (good) state_d = (many && !beyond) ? V_BLOCK : V_DEC;
          else state_d = ask_next ? V_GOT : V_LOOK;
        end
      // Next packet of the same message: the cursor stays where it is.
      V_NEXT:  state_d = stop ? V_END : V_SEG;
      V_END:   if (rec_ready_i) state_d = V_IDLE;
      default: state_d = V_IDLE;
    endcase
    if (fail) state_d = V_END;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= V_IDLE;
      stale_q   <= '0;
      blk_got_q <= 1'b0;
      ask_q     <= 1'b0;
    end else begin
      state_q   <= state_d;
      ask_q     <= ask_next;
      blk_got_q <= state_q == V_BLOCK && asked;
      if (wrong) stale_q <= (stale_qpn_q == qpn_q) ? stale_q + 1'b1 : 2'd1;
      else if (walks && !fail && !skip) stale_q <= '0;
    end
    if (wrong) stale_qpn_q <= qpn_q;
  end

  // How the visit ends
  always_ff @(posedge clk_i) begin
    if (v_take || (waits && state_q == V_GOT)) more_q <= 1'b0;
    else if (wrong) more_q <= 1'b1;
    else if (state_q == V_FETCH && fetch_i.ready) more_q <= fetch_i.retry;
    if (fail) err_q <= 1'b1;
    else if (v_take) err_q <= 1'b0;
    else if (wrong) err_q <= (!walk_q && p.is_new) || stale;
    // What req_judge finds comes late: it is chosen from where the record is formed.
    judged_q <= !v_take && (judged_q || bad_wqe);
    if (state_q == V_DEC) {bad_status_q, bad_vendor_q} <= {bad_status, bad_vendor};
    if (bad_index || bad_read || bad_list) {err_status_q, err_vendor_q} <= {bad_list ? ST_LEN : ST_OP, fail_vendor};
    else if (wrong) {err_status_q, err_vendor_q} <= {ST_OP, cairn_hw_pkg::VENDOR_ERR_WQE_CHECK};
  end

  // The position
  always_ff @(posedge clk_i) begin
    if (v_take) begin
      {idx_q, ssn_q, free_q} <= {v_index, vreq.ssn, vreq.free_msg};
      psn_q     <= visit_i.old ? visit_i.old_psn : vreq.psn_next_psn;
      msg_psn_q <= visit_i.old ? visit_i.old_psn : vreq.msg_psn;
      off_q     <= visit_i.old ? '0 : vreq.msg_offset;
      mid_q     <= !visit_i.old && vreq.flags_in_msg;
      done_q    <= (visit_i.old || !vreq.flags_in_msg) ? '0 : vreq.psn_next_psn - vreq.msg_psn;
      since_q   <= visit_i.goback ? '0 : vreq.ssn_since_ackreq;
      rd_iss_q  <= visit_i.goback ? visit_i.rd_done : vreq.hi_psn_rd_issued;
      walk_q    <= visit_i.goback;
      npkt_q <= '0;
    end else if (pkt_fire) begin
      {idx_q, psn_q, msg_psn_q} <= {rec_o.next.index, rec_o.next.psn, rec_o.next.msg_psn};
      {off_q, ssn_q, free_q}    <= {rec_o.next.msg_offset, rec_o.next.ssn, rec_o.next.free_msg};
      {since_q, rd_iss_q}       <= {rec_o.next.since_ackreq, rec_o.next.rd_issued};
      {mid_q, npkt_q} <= {!p_q.last, npkt_q + 1'b1};
      done_q          <= p_q.last ? '0 : done_q + p_q.span;
    end else if (walks && skip) begin
      {idx_q, psn_q, rd_iss_q} <= {next_q, psn_q + op.npsn, rd_iss_q + passed};
    end else if (walks) begin
      msg_psn_q <= psn_q;
      if (!txe_q) begin
        walk_q   <= 1'b0;
        rd_iss_q <= rd_iss_q + begun;
        psn_q    <= target_q;
        {mid_q, done_q} <= {d_target != '0, d_target};
        off_q    <= cairn_fn_pkg::packet_bytes(d_target, cfg_q.state_pmtu);
      end
    end else if (waits || (state_q == V_LOOK && at_end && !txe_q && d_target == '0)) begin
      walk_q <= 1'b0;   // everything is acknowledged: the go-back is over with nothing to send
    end
  end

  // The WQE
  always_ff @(posedge clk_i) begin
    if (load) begin
      {op_bits_q, one_q, beyond_q} <= {op_got, one_got, beyond};
      next_q <= at + {12'h0, got.ctrl_blocks};
      nblk_q <= many ? got.ctrl_blocks[2:0] : 3'd1;
      kblk_q <= 3'd1;
    end else if (state_q == V_BLOCK && asked && part_last) begin
      kblk_q <= kblk_q + 1'b1;
    end
    blk_no_q <= kblk_q;
    if (state_q != V_FETCH) miss_idx_q <= (state_q == V_BLOCK) ? idx_q + {13'h0, blk_no_q} : idx_q;
  end
endmodule
