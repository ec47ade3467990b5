// SPDX-License-Identifier: Apache-2.0
// Second stage of the requester: walks the WQEs of a visit and cuts messages into packets. IBTA 9.7.2, 9.7.7.2.2; annex
// A17.
//
// Everything here is speculative: each packet record carries the state after it, and only req_issue makes it true
// (docs/rtl/requester.md).
// For each packet: MR requests for its pieces (client MRC_REQ), inline bytes, one req_rec. For each visit: one
// req_base before its records, and one END or ERR record after them.
// A go-back starts at the completer's anchors (req_start) and skips WQEs by their PSN span up to the first PSN to send.
// WQE blocks come from wqe_fetch; a block that is not there ends the visit, and so does a local operation that is to be
// executed (LOCAL_INDEX says which were). The states and the walk's position are here; what a WQE asks for is in
// req_decode, its elements in req_cursor, the next packet in req_packet, its record in req_record.
// Cycles: three a message of one piece; further pieces and packets one each.
// Errors: (ERR record, status LOC_QP_OP_ERR or LOC_LEN_ERR) check word, operation, block count, elements, length,
//   source GID, doorbell index beyond the ring.
module req_build #(
    parameter int unsigned DATA_W      = 512,
    parameter int unsigned READ_CHUNK  = 1024,    // PSNs of one READ request, a power of two
    parameter int unsigned MAX_PACKETS = 16       // of one visit
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [31:0]                  features_i,  // REG FEATURES
    input  logic                         visit_valid_i,
    output logic                         visit_ready_o,
    input  cairn_int_pkg::req_visit_t    visit_i,
    // GID table: entry of a datagram's source, combinational
    output logic [7:0]                   gid_index_o,
    input  logic [14:0]                  gid_i,       // {valid, IPv6, tagged, VLAN}
    // WQE blocks, port 0 of wqe_fetch
    output cairn_int_pkg::wqe_lookup_t   wqe_o,
    input  cairn_int_pkg::wqe_found_t    wqe_i,
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i,
    // MR service
    output cairn_int_pkg::mr_ask_t       mr_o,
    input  logic                         mr_ready_i,
    // to req_txerr: of the QP of wqe_o; the failed read is not dealt with
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
  cairn_hw_pkg::qp_cfg_t vcfg, cfg_q;
  cairn_hw_pkg::qp_req_t vreq;
  cairn_hw_pkg::qp_cmp_t vcmp;
  logic [cairn_int_pkg::SLOT_W-1:0] slot_q;
  logic [15:0] pi_q, v_index;
  logic [23:0] qpn_q, v_psn, v_msg_psn, v_una, una_q, v_target, target_q, hi_q, lsn_q, failed_q;
  logic [31:0] v_offset;
  logic [5:0]  v_since;
  logic [7:0]  v_rd_issued, passed, begun, gen_q, epoch_q, rd_done_q;
  logic        v_take, v_goback, v_beyond, v_rc, credits_off_q, sqd_q, settled_q;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  assign {vcmp, vreq, vcfg} = {visit_i.cmp, visit_i.req, visit_i.cfg};
  assign v_rc = vcfg.state_type == cairn_hw_pkg::QP_TYPE_RC;
  req_start u_start (
      .req_i(vreq), .cmp_i(vcmp), .rc_i(v_rc), .pi_i(visit_i.pi), .failed_i(visit_i.failed),
      .failed_psn_i(visit_i.failed_psn), .goback_o(v_goback), .beyond_o(v_beyond), .una_o(v_una), .target_o(v_target),
      .index_o(v_index), .psn_o(v_psn), .msg_psn_o(v_msg_psn), .offset_o(v_offset), .since_o(v_since),
      .rd_issued_o(v_rd_issued)
  );

  // ---- position of the walk, speculative ----
  logic [15:0] idx_q, local_q;   // local_q: local operations before it were executed
  logic [23:0] psn_q, msg_psn_q, ssn_q, free_q;
  logic [31:0] off_q;
  logic [5:0]  since_q;
  logic [7:0]  rd_iss_q;
  logic        walk_q;       // on the way to target_q
  logic        txe_q;        // the walk ends in an error
  logic [4:0]  npkt_q;
  state_e      state_q;
  logic        more_q;       // of the END record
  logic [7:0]  err_status_q, err_vendor_q;
  logic        err_q;
  // A wrong check word while walking may only mean that the anchors are old: try again with new ones, three times.
  logic [23:0] stale_qpn_q;
  logic [1:0]  stale_q;
  logic        stale;
  assign stale        = stale_qpn_q == qpn_q && stale_q == 2'd3;
  assign back_valid_o = state_q == V_BACK;
  assign back_psn_o   = target_q;

  // ---- the WQE ----
  cairn_hw_pkg::wqe_t wqe_q, got;     // first block
  logic [2:0]  nblk_q, kblk_q, blk_no_q;
  logic        blk_got_q;             // the answer of a further block is here
  logic        many;                  // has further blocks
  logic        beyond;                // claims blocks that are not posted: idx would pass the producer
  logic [3:0]  claim;
  assign got    = wqe_i.wqe;
  assign claim  = (state_q == V_GOT) ? got.ctrl_blocks : wqe_q.ctrl_blocks;
  assign beyond = 16'(claim) > pi_q - idx_q;
  assign many   = got.ctrl_blocks > 4'd1 && got.ctrl_blocks <= 4'(cairn_hw_pkg::MAX_WQE_BLOCKS);

  cairn_int_pkg::req_op_t op;
  cairn_hw_pkg::wqe_ud_t  ud;
  logic [cairn_int_pkg::REQ_OP_W-1:0] op_bits;
  logic        bad, list, execute;
  logic [7:0]  bad_status, bad_vendor;
  logic [15:0] d_local;
  assign op          = op_bits;
  assign ud          = wqe_q;
  assign gid_index_o = ud.dqpn_sgid_sgid_index;
  assign d_local     = idx_q - local_q;
  assign execute     = op.local_op && !d_local[15];
  req_decode u_dec (
      .wqe_i(wqe_q), .pmtu_i(cfg_q.state_pmtu), .type_i(cfg_q.state_type), .features_i,
      .rd_none_i(cfg_q.rd_max_rd_atomic == '0 && is_new),
      .gid_ok_i(gid_i[14]), .gid_ipv6_i(gid_i[13]), .op_o(op_bits), .list_o(list),
      .bad_o(bad), .bad_status_o(bad_status), .bad_vendor_o(bad_vendor)
  );

  // ---- the next packet ----
  logic [7:0]  opcode;
  logic        first, last, is_new, ackreq, p_stop, stop_sqd;
  logic [12:0] plen;
  logic [31:0] dma_len, off_next;
  logic [23:0] span;
  req_packet #(.READ_CHUNK(READ_CHUNK)) u_packet (
      .op_i(op_bits), .fence_i(wqe_q.ctrl_fence), .pmtu_i(cfg_q.state_pmtu), .rd_limit_i(cfg_q.rd_max_rd_atomic),
      .sqd_i(sqd_q), .credits_off_i(credits_off_q), .lsn_i(lsn_q), .una_i(una_q), .hi_i(hi_q), .rd_done_i(rd_done_q),
      .settled_i(settled_q), .psn_i(psn_q), .offset_i(off_q), .ssn_i(ssn_q), .free_i(free_q), .since_i(since_q),
      .rd_issued_i(rd_iss_q),
      .opcode_o(opcode), .first_o(first), .last_o(last), .is_new_o(is_new), .ackreq_o(ackreq), .pay_len_o(plen),
      .dma_len_o(dma_len), .span_o(span), .next_offset_o(off_next), .stop_o(p_stop), .sqd_o(stop_sqd)
  );

  // ---- moves of the state machine ----
  logic        at_end;       // the producer index is reached
  logic [15:0] idx_next;
  logic [23:0] d_target;
  logic        skip;         // the WQE is sent and acknowledged up to its end
  logic        stop_more, stop;       // end the visit before this packet
  logic        dec_go, resume;        // a packet of the decoded WQE follows; from its middle
  logic        waits;        // SQD: what follows is not begun, so it is not judged either
  logic        room, pkt_fire;        // the record can go; goes
  assign at_end    = idx_q == pi_q;
  assign idx_next  = idx_q + {12'h0, wqe_q.ctrl_blocks};
  assign d_target  = target_q - psn_q;
  // An error's walk ends at the WQE that holds its PSN, so it passes those without PSNs.
  assign skip      = walk_q && d_target >= op.npsn && (d_target != '0 || (txe_q && op.npsn == '0));
  assign stop_more = npkt_q == 5'(MAX_PACKETS);
  assign stop      = p_stop || stop_more;
  assign waits     = state_q == V_GOT && stop_sqd && (!walk_q || (!txe_q && d_target == '0));
  assign dec_go    = state_q == V_DEC && !bad && !beyond && !walk_q && !stop;
  assign resume    = off_q != '0 && !op.read;

  req_passed #(.READ_CHUNK(READ_CHUNK)) u_passed (.clk_i, .begin_i(v_take), .cmp_i(vcmp), .pmtu_i(vcfg.state_pmtu),
      .pass_i(state_q == V_DEC && skip), .counts_i(op.res), .npsn_i(op.npsn),
      .before_i(d_target), .passed_o(passed), .begun_o(begun));

  // ---- its elements and pieces ----
  logic         sum_done, sum_bad, sought, over, can_pkt, piece, inl_idle;
  logic [5:0]   nmr;
  logic [12:0]  need;
  logic [511:0] inl_blk;
  logic [2:0]   inl_blk_no;
  assign need = (op.read || (dec_go && (op.inl || op.nop))) ? '0 : plen;
  assign room = rec_ready_i && inl_idle;
  req_cursor u_cursor (
      .clk_i, .we_i(state_q == V_GOT || (state_q == V_BLOCK && blk_got_q)),
      .wr_no_i((state_q == V_GOT) ? 3'd0 : blk_no_q), .wr_data_i(wqe_i.wqe), .rd_no_i(inl_blk_no), .rd_data_o(inl_blk),
      .nsge_i(op.nsge), .first_i(op.first), .len_i(op.len), .offset_i(off_q), .pd_i(cfg_q.pd_sgid_pd), .qpn_i(qpn_q),
      .begin_i(state_q == V_DEC), .go_i(dec_go), .list_i(list), .sum_i(state_q == V_SUM), .seek_i(state_q == V_SEEK),
      .pack_i(state_q == V_SEG), .next_i(state_q == V_NEXT), .clear_i(v_take || pkt_fire), .need_i(need),
      .room_i(room), .sum_done_o(sum_done), .sum_bad_o(sum_bad), .found_o(sought), .over_o(over), .done_o(can_pkt),
      .nmr_o(nmr), .piece_o(piece), .mr_o, .mr_ready_i
  );

  // ---- the record ----
  req_record u_record (
      .cfg_i(cfg_q), .qpn_i(qpn_q), .gen_i(gen_q), .slot_i(slot_q), .epoch_i(epoch_q), .wqe_i(wqe_q), .op_i(op_bits),
      .execute_i(execute), .gid_vlan_i(gid_i[12]), .gid_vid_i(gid_i[11:0]), .index_i(idx_q), .next_index_i(idx_next),
      .psn_i(psn_q), .msg_psn_i(msg_psn_q), .offset_i(off_q), .ssn_i(ssn_q), .free_i(free_q),
      .since_i(since_q), .rd_issued_i(rd_iss_q), .opcode_i(opcode), .first_i(first), .last_i(last), .is_new_i(is_new),
      .ackreq_i(ackreq), .pay_len_i(plen), .dma_len_i(dma_len), .span_i(span), .next_offset_i(off_next), .nmr_i(nmr),
      .piece_i(piece), .end_i(state_q == V_END), .err_i(err_q), .more_i(more_q), .walk_i(walk_q),
      .err_psn_i(txe_q ? failed_q : walk_q ? target_q : psn_q), .status_i(err_status_q), .vendor_i(err_vendor_q), .rec_o
  );
  assign rec_valid_o = state_q == V_END || (can_pkt && inl_idle);
  assign pkt_fire    = can_pkt && room;

  req_inline #(.DATA_W(DATA_W)) u_inline (
      .clk_i, .rst_ni, .start_i(pkt_fire && rec_o.data.ninl != '0), .ud_i(op.ud),
      .first_i({wqe_q.sge1_length, wqe_q.sge1_lkey, wqe_q.sge1_addr,
                wqe_q.sge0_length, wqe_q.sge0_lkey, wqe_q.sge0_addr}),
      .len0_i(rec_o.data.inl_len0), .len1_i(rec_o.data.inl_len1), .idle_o(inl_idle),
      .blk_no_o(inl_blk_no), .blk_i(inl_blk), .inl_valid_o, .inl_ready_i, .inl_data_o, .inl_nbytes_o, .inl_last_o
  );

  // ---- lookups ----
  // Further blocks of the WQE are looked up one after another; the next WQE already while the last packet of this one
  // is formed.
  logic        pre_look;
  logic [15:0] miss_idx_q;
  assign pre_look   = state_q == V_SEG && pkt_fire && last && idx_next != pi_q && !execute;
  assign wqe_o.valid = (state_q == V_LOOK && !at_end) || (state_q == V_BLOCK && kblk_q != nblk_q && inl_idle)
                      || pre_look;
  assign wqe_o.index   = (state_q == V_BLOCK) ? idx_q + {13'h0, kblk_q} : pre_look ? idx_next : idx_q;
  assign wqe_o.qpn     = qpn_q;
  assign wqe_o.gen     = gen_q;
  assign fetch_o.valid = state_q == V_FETCH;
  assign fetch_o.qpn   = qpn_q;
  assign fetch_o.gen   = gen_q;
  assign fetch_o.index = miss_idx_q;
  assign fetch_o.limit = pi_q;
  assign fetch_o.base  = base_q;
  assign fetch_o.log2  = log2_q;

  // ---- base entry of the visit ----
  assign visit_ready_o = state_q == V_IDLE && base_ready_i;
  assign v_take        = visit_ready_o && visit_valid_i;
  assign base_valid_o  = state_q == V_IDLE && visit_valid_i;
  assign base_o        = {v_rc, v_rc ? vcfg.state_timeout : 5'd0, vreq.tag_gen, vreq};
  assign idle_o        = state_q == V_IDLE && !visit_valid_i && inl_idle;

  // ---- errors: they end the visit, whatever the state would do ----
  logic       fail;
  logic [7:0] fail_status, fail_vendor;
  always_comb begin
    fail        = 1'b0;
    fail_status = ST_OP;
    fail_vendor = cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    case (state_q)
      V_IDLE: begin
        fail        = v_take && v_beyond;
        fail_vendor = cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
      end
      V_GOT:   fail = !wqe_i.hit && wqe_i.err && !waits;
      V_BLOCK: fail = blk_got_q && !wqe_i.hit && wqe_i.err;
      V_DEC: begin
        fail = bad || beyond || (walk_q && !skip && txe_q);
        if (bad) {fail_status, fail_vendor} = {bad_status, bad_vendor};
        else if (beyond) fail_vendor = cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
      end
      // In V_SEG a list that adds up cannot end too early; a host that rewrites it in flight gets there.
      V_SUM, V_SEG: begin
        fail        = (state_q == V_SUM) ? sum_bad : over;
        fail_status = ST_LEN;
        fail_vendor = cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= V_IDLE;
      stale_q <= '0;
      blk_got_q <= 1'b0;
    end else begin
      blk_got_q <= state_q == V_BLOCK && wqe_o.valid;
      blk_no_q  <= kblk_q;
      case (state_q)
        V_IDLE: if (v_take) begin
          cfg_q         <= vcfg;
          {qpn_q, slot_q, gen_q, pi_q} <= {visit_i.qpn, visit_i.slot, vreq.tag_gen, visit_i.pi};
          {base_q, log2_q} <= {vreq.sq_base, vreq.flags_sq_log2};
          {una_q, hi_q} <= {v_una, vreq.hi_psn};
          lsn_q         <= vcmp.wait_lsn;
          rd_done_q     <= vcmp.rflags_rd_done;
          credits_off_q <= vcmp.flags_credits_off;
          sqd_q         <= vcfg.state == cairn_hw_pkg::QP_STATE_SQD;
          epoch_q       <= v_rc ? vcmp.una_gb_epoch : vreq.psn_send_epoch;
          {target_q, failed_q} <= {v_target, visit_i.failed_psn};
          walk_q        <= v_goback;
          txe_q         <= visit_i.failed;
          idx_q         <= v_index;
          local_q       <= vreq.index_local_index;
          psn_q         <= v_psn;
          msg_psn_q     <= v_msg_psn;
          off_q         <= v_offset;
          {ssn_q, free_q} <= {vreq.ssn, vreq.free_msg};
          settled_q     <= v_una == vcmp.old_psn;
          since_q       <= v_since;
          rd_iss_q      <= v_rd_issued;
          {npkt_q, err_q, more_q} <= '0;
          state_q       <= V_LOOK;
        end
        V_LOOK: begin
          // Everything is acknowledged: the go-back is over with nothing to send.
          if (at_end && !txe_q && d_target == '0) walk_q <= 1'b0;
          state_q <= at_end ? V_END : V_GOT;
        end
        V_GOT: begin
          wqe_q      <= got;
          nblk_q     <= many ? got.ctrl_blocks[2:0] : 3'd1;
          kblk_q     <= 3'd1;
          miss_idx_q <= idx_q;
          state_q    <= !wqe_i.hit ? V_FETCH : wqe_i.err ? ((txe_q && !stale) ? V_BACK : V_END)
                        : (many && !beyond) ? V_BLOCK : V_DEC;
          if (waits) begin
            {walk_q, more_q} <= '0;
            state_q <= V_END;
          end else if (wqe_i.hit && wqe_i.err) begin
            // Bad in the ring, or retired and reused since the anchors were read.
            stale_qpn_q  <= qpn_q;
            stale_q      <= (stale_qpn_q == qpn_q) ? stale_q + 1'b1 : 2'd1;
            err_q        <= (!walk_q && is_new) || stale;
            more_q       <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_CHECK;
          end
        end
        V_BLOCK: begin
          if (blk_got_q) miss_idx_q <= idx_q + {13'h0, blk_no_q};
          if (blk_got_q && !wqe_i.hit) state_q <= V_FETCH;
          else if (blk_got_q && blk_no_q + 3'd1 == nblk_q) state_q <= V_DEC;
          else if (wqe_o.valid) kblk_q <= kblk_q + 1'b1;
        end
        // The blocks are on their way (a kick brings the QP back), or no place is free for them now.
        V_FETCH: if (fetch_i.ready) begin
          more_q  <= fetch_i.retry;
          state_q <= txe_q ? V_BACK : V_END;
        end
        V_BACK: if (back_ready_i) state_q <= V_END;
        V_DEC: if (!bad && !beyond) begin
          if (skip) begin
            idx_q    <= idx_next;
            psn_q    <= psn_q + op.npsn;
            rd_iss_q <= rd_iss_q + passed;
            state_q  <= V_LOOK;
          end else if (walk_q) begin
            msg_psn_q <= psn_q;
            if (!txe_q) begin              // come round once more with the position set
              {walk_q, stale_q} <= '0;
              rd_iss_q <= rd_iss_q + begun;
              psn_q    <= psn_q + d_target;
              off_q    <= {8'h0, d_target} << (4'd7 + {1'b0, cfg_q.state_pmtu});
            end
          end else if (stop) begin
            more_q  <= stop_more;
            state_q <= V_END;
          end else begin
            state_q <= list ? V_SUM : resume ? V_SEEK : V_SEG;
          end
        end
        // Elements of a long list must add up to the length.
        V_SUM: if (sum_done) state_q <= resume ? V_SEEK : V_SEG;
        // Find the element that holds the first byte of a message resumed in its middle.
        V_SEEK: if (sought) state_q <= V_SEG;
        V_SEG: if (pkt_fire) begin
          psn_q     <= rec_o.next.psn;
          off_q     <= rec_o.next.msg_offset;
          {ssn_q, free_q} <= {rec_o.next.ssn, rec_o.next.free_msg};
          since_q   <= rec_o.next.since_ackreq;
          rd_iss_q  <= rec_o.next.rd_issued;
          msg_psn_q <= rec_o.next.msg_psn;
          npkt_q    <= npkt_q + 1'b1;
          idx_q     <= rec_o.next.index;
          state_q   <= !last ? V_NEXT : (idx_next == pi_q || execute) ? V_END : V_GOT;
        end
        // Next packet of the same message: the cursor stays where it is.
        V_NEXT: begin
          if (stop) more_q <= stop_more;
          state_q <= stop ? V_END : V_SEG;
        end
        V_END: if (rec_ready_i) state_q <= V_IDLE;
        default: state_q <= V_IDLE;
      endcase
      if (fail) begin
        err_q        <= 1'b1;
        err_status_q <= fail_status;
        err_vendor_q <= fail_vendor;
        state_q      <= V_END;
      end
    end
  end
endmodule
