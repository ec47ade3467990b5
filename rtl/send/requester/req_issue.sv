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
// Cycles: one packet in 3 (gather, check, commit); pieces are sent while the next packet is gathered.
module req_issue #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SLOTS  = 128,
    localparam int unsigned AW     = $clog2(SLOTS),
    localparam int unsigned NB_W   = $clog2(DATA_W / 8) + 1
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
  typedef enum logic [2:0] {G_BASE, G_REC, G_MR, G_EPOCH, G_COMMIT, G_REL, G_DRAIN, G_LOCAL} state_e;

  // ---- the record in hand ----
  state_e                    g_q;
  cairn_int_pkg::req_rec_t   rec_q;
  cairn_hw_pkg::qp_req_t     req_q, req_d;      // committed requester part of the visit
  logic                      rc_q;              // the QP is acknowledged
  logic [4:0]                timeout_q;
  logic [7:0]                gen_q;
  logic [5:0]                left_q;            // MR answers still to come
  logic                      dead_q;            // the visit's packets are dropped
  logic                      miss_q;            // ... because of a miss
  logic                      more_q;
  logic                      handed_q;          // req_local has the QP
  logic bad_q, missed_q;   // of this record
  logic [7:0]                vendor_q;
  cairn_int_pkg::mr_rsp_t    mr;
  logic [AW-1:0]             slot;
  assign mr     = mr_i.rsp;
  assign slot   = rec_q.job.slot[AW-1:0];

  // ---- gathering the pieces of the packet, from one answer one or two ----
  logic [5:0] gcount_q;           // pieces gathered
  logic       second_q;           // the second piece of the answer comes next
  logic p_we, mr_take;
  assign p_we       = g_q == G_MR && mr_i.valid && mr.status == cairn_int_pkg::MRS_OK;
  assign mr_take    = g_q == G_MR && mr_i.valid
                      && (mr.status != cairn_int_pkg::MRS_OK || second_q || mr.len1 == '0);
  assign mr_ready_o = mr_take;

  // ---- state after this packet ----
  logic        none_out;      // nothing was outstanding
  logic restart, moved;  // first packet after a go-back; a walk has led elsewhere
  logic        sends;         // the record is a packet
  logic [23:0] una, sure;     // oldest PSN not acknowledged, and not acknowledged beyond doubt
  logic        recovering;
  logic [15:0] d_local;
  req_acked u_acked (.req_i(req_q), .cmp_i, .recovering_o(recovering), .una_o(una), .sure_o(sure));
  assign none_out = sure == req_q.hi_psn;
  assign d_local  = rec_q.next.index - req_q.index_local_index;
  assign restart  = rec_q.next.send_epoch != req_q.psn_send_epoch;
  assign moved    = restart || rec_q.next.index != req_q.index_next_index || rec_q.next.psn != req_q.psn_next_psn;
  assign sends    = rec_q.kind == cairn_int_pkg::RQK_PKT;
  always_comb begin
    req_d                    = req_q;
    req_d.index_next_index   = rec_q.next.index;
    if (!d_local[15]) req_d.index_local_index = rec_q.next.index;
    req_d.psn_next_psn     = rec_q.next.psn;
    req_d.psn_send_epoch   = rec_q.next.send_epoch;
    req_d.msg_offset       = rec_q.next.msg_offset;
    req_d.flags_in_msg     = rec_q.next.in_msg;
    req_d.ssn              = rec_q.next.ssn;
    req_d.free_msg         = rec_q.next.free_msg;
    req_d.ssn_since_ackreq = rec_q.next.since_ackreq;
    req_d.hi_psn_rd_issued = rec_q.next.rd_issued;
    req_d.msg_psn          = rec_q.next.msg_psn;
    req_d.flags_err        = 1'b0;   // a local error further on is met again, or acknowledged
    if (restart) begin
      req_d.recover_rec_end = req_q.hi_psn;
    end else if (!recovering) begin
      req_d.recover_rec_end = una - 24'h1;
    end
    if (sends) begin
      req_d.hi_psn = cairn_fn_pkg::psn_later(req_q.hi_psn, rec_q.next.psn);
      if (none_out || restart) req_d.t_start = time_now_i;
    end
    // A local error: everything as committed, but the failed WQE is named.
    if (bad_q || rec_q.kind == cairn_int_pkg::RQK_ERR) begin
      req_d                  = req_q;
      req_d.flags_err        = 1'b1;
      req_d.flags_err_status = bad_q ? cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR : rec_q.ending.status;
      req_d.flags_err_vendor = bad_q ? vendor_q : rec_q.ending.vendor;
      req_d.index_next_index = bad_q ? (rec_q.desc.index) : rec_q.next.index;
      req_d.msg_psn          = rec_q.next.msg_psn;
      // Should acknowledgements of an earlier sending pass the WQE, the next visit begins behind it: NEXT_PSN says so.
      if (rc_q) begin
        req_d.psn_next_psn = rec_q.next.msg_psn;
        {req_d.msg_offset, req_d.flags_in_msg} = '0;
      end
      // tx_check discards what follows a failed read in the same epoch; nothing else changes that of UC and UD.
      if (!rc_q) req_d.psn_send_epoch = req_q.psn_send_epoch + 8'h1;
    end
  end

  logic wrote_q;                 // the port had a write in the last cycle
  logic stage_free;              // the sender can take this packet
  logic can_commit;              // ... and is, now
  logic commit_ok;               // the packet is to be committed
  logic epoch_ok;                // the completer has not gone back since the visit began, nor ended the QP
  logic s_busy, s_empty;         // the sender has one
  logic tq_ready, eq_ready, is_err, is_loc, is_adv;
  assign is_err     = bad_q || rec_q.kind == cairn_int_pkg::RQK_ERR;
  assign is_loc     = rec_q.kind == cairn_int_pkg::RQK_LOC;
  assign is_adv     = rec_q.kind == cairn_int_pkg::RQK_ADV;
  assign stage_free = !s_busy;
  assign commit_ok  = !dead_q && !missed_q && epoch_ok
                      && (rec_q.kind != cairn_int_pkg::RQK_END || (rec_q.ending.commit && moved));
  assign can_commit = g_q == G_COMMIT && commit_ok && !is_loc && !wrote_q
                      && ((is_err || is_adv) ? eq_ready : (!sends || (stage_free && tq_ready)));

  // ---- local operations ----
  logic lo_valid, lo_ready, lo_failed, l_ready, l_idle, l_give, l_take;
  logic [23:0]   lo_qpn;
  logic [AW-1:0] lo_slot;
  logic [511:0]  lo_part;
  logic          l_back_q;       // the QP that came back is still to be given back
  logic [23:0]   l_qpn_q;
  logic [AW-1:0] l_slot_q;
  assign l_give   = g_q == G_COMMIT && commit_ok && is_loc;
  assign lo_ready = g_q == G_LOCAL && !l_back_q && !wrote_q && eq_ready;
  assign l_take   = lo_valid && lo_ready;
  req_local #(.SLOTS(SLOTS)) u_local (
      .clk_i, .rst_ni, .in_valid_i(l_give), .in_ready_o(l_ready), .in_rec_i(rec_q), .in_part_i(req_d),
      .key_change_o, .key_change_ready_i, .key_change_i, .key_change_ready_o,
      .out_valid_o(lo_valid), .out_ready_i(lo_ready), .out_qpn_o(lo_qpn), .out_slot_o(lo_slot), .out_part_o(lo_part),
      .out_failed_o(lo_failed), .idle_o(l_idle)
  );

  assign cmp_slot_o    = cairn_int_pkg::SLOT_W'(slot);
  assign write_o.valid = can_commit || l_take;
  assign write_o.slot  = cairn_int_pkg::SLOT_W'({(g_q == G_LOCAL) ? lo_slot : slot});
  assign write_o.data  = (g_q == G_LOCAL) ? lo_part : req_d;
  assign base_ready_o  = g_q == G_BASE && !lo_valid;
  assign rec_ready_o   = g_q == G_REC;

  cairn_int_pkg::sq_desc_t desc;
  always_comb begin
    desc           = '0;
    desc.valid     = 1'b1;
    desc.qpn       = rec_q.job.qpn;
    desc.gen       = gen_q;
    desc.index     = rec_q.desc.index;
    desc.blocks    = rec_q.desc.blocks;
    desc.first_psn = rec_q.next.msg_psn;
    desc.next_psn  = rec_q.next.psn;
    desc.op        = rec_q.desc.op;
    desc.signaled  = rec_q.desc.signaled;
    desc.len       = rec_q.desc.len;
  end
  assign desc_o.valid = can_commit && !is_err && rec_q.desc.valid;
  assign desc_o.slot  = rec_q.job.slot;
  assign desc_o.desc  = desc;

  // ---- ack timer and kicks of the completer leave through small queues ----
  logic [87:0] tq_out;
  logic [2:0] tq_lvl, eq_lvl;
  sync_fifo_level #(.WIDTH(88), .DEPTH(4)) u_tq (
      .clk_i, .rst_ni,
      .in_valid_i(can_commit && !is_err && sends && timeout_q != '0 && (none_out || restart)), .in_ready_o(tq_ready),
      .in_data_i({rec_q.job.qpn, time_now_i + (64'd4096 << timeout_q)}), .out_valid_o(timer_o.valid),
      .out_ready_i(timer_ready_i), .out_data_o(tq_out), .level_o(tq_lvl)
  );
  assign {timer_o.rnr, timer_o.qpn, timer_o.deadline} = {1'b0, tq_out};
  sync_fifo_level #(.WIDTH(24), .DEPTH(4)) u_eq (
      .clk_i, .rst_ni, .in_valid_i((can_commit && (is_err || is_adv)) || l_take), .in_ready_o(eq_ready),
      .in_data_i((g_q == G_LOCAL) ? lo_qpn : rec_q.job.qpn),
      .out_valid_o(walk_kick_o.valid), .out_ready_i(walk_kick_ready_i), .out_data_o(walk_kick_o.qpn), .level_o(eq_lvl)
  );
  cairn_hw_pkg::wqe_info_t info;
  assign info                 = cairn_hw_pkg::wqe_info(rec_q.desc.op);
  assign events_o.local_ops   = l_take && !lo_failed;
  assign events_o.qpn         = rec_q.job.qpn;
  assign events_o.ud_too_long = can_commit && is_adv && !is_err && info.send;
  assign events_o.stall_req   = g_q == G_COMMIT && !can_commit && sends && !stage_free;

  // ---- gathering ----
  logic drain;                  // inline bytes of a dropped packet
  assign epoch_ok = !cmp_i.rflags_flushing
                    && (!rc_q || (cmp_i.una_gb_epoch == rec_q.next.send_epoch && !overtaken && !cmp_i.flags_err));
  logic [23:0] past;            // next PSN after the record, from the oldest not acknowledged
  logic        overtaken;
  assign past      = rec_q.next.psn - sure;
  assign overtaken = rec_q.kind != cairn_int_pkg::RQK_END && ((&past[23:16]) || (sends && past == '0));
  assign drain     = g_q == G_DRAIN;
  logic [1:0] inl_left_q;       // inline segments of the packet in hand still to pass or drop

  // What becomes of the record in hand (G_COMMIT)
  logic c_drop, c_hand, c_none;
  assign c_drop = dead_q || missed_q || (!epoch_ok && rec_q.kind != cairn_int_pkg::RQK_END);
  assign c_hand = commit_ok && is_loc;   // the local operation is handed over
  assign c_none = !commit_ok;            // an END with nothing to write
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      g_q     <= G_BASE;
      wrote_q <= 1'b0;
    end else begin
      wrote_q <= write_o.valid;
      case (g_q)
        G_BASE: begin
          if (lo_valid) g_q <= G_LOCAL;
          else if (base_valid_i) g_q <= G_REC;
        end
        G_REC: if (rec_valid_i) g_q <= (rec_i.data.nmr != '0) ? G_MR : G_EPOCH;
        G_MR: if (mr_take) begin
          if (left_q == 6'd1) g_q <= G_EPOCH;
        end
        // One cycle for the completer's part to come.
        G_EPOCH: g_q <= G_COMMIT;
        G_COMMIT: begin
          if (c_drop) begin
            g_q <= (rec_q.kind == cairn_int_pkg::RQK_END || rec_q.kind == cairn_int_pkg::RQK_ERR)
                   ? (handed_q ? G_BASE : G_REL) : (rec_q.data.ninl != '0) ? G_DRAIN : G_REC;
          end else if (c_hand) begin
            g_q <= G_REC;
          end else if (c_none) begin
            g_q <= G_REL;
          end else if (can_commit) begin
            if (rec_q.kind == cairn_int_pkg::RQK_END) g_q <= G_REL;
            else if (rec_q.kind == cairn_int_pkg::RQK_ERR) g_q <= G_REL;
            else if (bad_q) g_q <= (rec_q.data.ninl != '0) ? G_DRAIN : G_REC;
            else g_q <= G_REC;
          end
        end
        G_DRAIN: if (inl_valid_i && inl_last_i && inl_left_q == 2'd1 && s_empty) g_q <= G_REC;
        G_LOCAL: if (l_back_q && released_ready_i) g_q <= G_BASE;
        default: if (released_ready_i && wq_ready) g_q <= G_BASE;     // G_REL
      endcase
    end
  end

  // The visit, and how it is to end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      case (g_q)
        G_BASE: begin
          {rc_q, timeout_q, gen_q, req_q} <= base_i;
          dead_q   <= 1'b0;
          miss_q   <= 1'b0;
          more_q   <= 1'b0;
          handed_q <= 1'b0;
          l_back_q <= 1'b0;
        end
        G_COMMIT: begin
          if (c_drop) begin
            if (!dead_q) begin
              miss_q <= missed_q;
              more_q <= !missed_q;
            end
            dead_q <= 1'b1;
          end else if (c_hand) begin
            // No place: nothing here may wait for one, since answers are taken here too.
            handed_q <= l_ready;
            more_q   <= !l_ready;
            dead_q   <= 1'b1;
          end else if (c_none) begin
            more_q <= rec_q.ending.more;
          end else if (can_commit) begin
            req_q <= req_d;
            if (rec_q.kind == cairn_int_pkg::RQK_END) more_q <= rec_q.ending.more;
            else if (rec_q.kind != cairn_int_pkg::RQK_ERR && bad_q) dead_q <= 1'b1;
          end
        end
        G_LOCAL: if (l_take) begin
          l_back_q <= 1'b1;
          l_qpn_q  <= lo_qpn;
          l_slot_q <= lo_slot;
        end
        default: ;
      endcase
    end
  end

  // The record, and the answers about its payload
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      case (g_q)
        G_REC: if (rec_valid_i) begin
          rec_q    <= rec_i;
          left_q   <= rec_i.data.nmr;
          gcount_q <= '0;
          second_q <= 1'b0;
          bad_q    <= 1'b0;
          missed_q <= 1'b0;
        end
        G_MR: begin
          if (p_we) begin
            gcount_q <= gcount_q + 1'b1;
            second_q <= !second_q && mr.len1 != '0;
          end
          if (mr_take) begin
            left_q <= left_q - 1'b1;
            // The first piece that is not good decides.
            if (mr.status == cairn_int_pkg::MRS_MISS && !bad_q) missed_q <= 1'b1;
            if (mr.status == cairn_int_pkg::MRS_ERR && !missed_q && !bad_q) begin
              bad_q    <= 1'b1;
              vendor_q <= mr.vendor;
            end
          end
        end
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (g_q == G_COMMIT) inl_left_q <= rec_q.data.ninl;
    else if (drain && inl_valid_i && inl_last_i && s_empty) inl_left_q <= inl_left_q - 1'b1;
  end

  // ---- end of the visit; after a miss the QP waits for a fill ----
  logic wq_ready, wq_idle, fill_open, waits;
  cairn_int_pkg::kick_t waiter;
  assign waiter           = {g_q == G_REL && waits && released_ready_i, rec_q.job.qpn};
  assign waits            = miss_q && fill_open;
  assign released_o.valid = (g_q == G_REL && wq_ready) || (g_q == G_LOCAL && l_back_q);
  assign released_o.qpn   = (g_q == G_LOCAL) ? l_qpn_q : rec_q.job.qpn;
  assign released_o.more  = (g_q == G_LOCAL) || (miss_q ? !waits : more_q);
  assign released_o.slot  = cairn_int_pkg::SLOT_W'({(g_q == G_LOCAL) ? l_slot_q : slot});
  assign released_o.unpin = 1'b1;
  req_mr_wait u_wait (
      .clk_i, .rst_ni, .mr_fill_i(mr_i.fill), .base_i(g_q == G_BASE), .waits_o(fill_open),
      .in_i(waiter), .in_ready_o(wq_ready),
      .kick_o(mr_kick_o), .kick_ready_i(mr_kick_ready_i), .idle_o(wq_idle)
  );

  // ---- sending ----
  req_send #(.DATA_W(DATA_W)) u_send (
      .clk_i, .rst_ni, .piece_we_i(p_we), .piece_no_i(gcount_q),
      .piece_i({mr.func, second_q ? mr.iova1 : mr.iova0, second_q ? mr.len1 : mr.len0}),
      .start_i(can_commit && !is_err && sends), .rec_i(rec_q),
      .count_i(gcount_q), .busy_o(s_busy), .empty_o(s_empty), .last_ticket_i,
      .drain_i(drain), .inl_valid_i, .inl_ready_o, .inl_data_i, .inl_nbytes_i, .inl_last_i,
      .requests_o, .requests_ready_i,
      .requests_inl_data_o
  );

  // ---- the mark of a drain: behind the packet in hand, then behind the one being sent ----
  logic gathered_q;
  always_ff @(posedge clk_i) begin
    gathered_q <= rst_ni && mr_i.drain && (gathered_q || (g_q != G_MR && g_q != G_EPOCH && g_q != G_COMMIT));
    drained_o  <= rst_ni && mr_i.drain && (drained_o || (gathered_q && !s_busy));
  end

  assign idle_o = g_q == G_BASE && !base_valid_i && s_empty && tq_lvl == '0 && eq_lvl == '0 && wq_idle
                  && l_idle;
endmodule
