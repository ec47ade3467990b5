// SPDX-License-Identifier: Apache-2.0
// The retire walker: retires WQEs in order, and is the source of all send completions. IBTA 9.7.5, 10.7.3.1.
//
// Owns: the second half of qp_cmp (bytes 32 to 63); SQ_DRAINED and QP_FATAL behind the completions.
// Visit: (cmp_kick) walks from OLD_INDEX, with the descriptor of req_issue or the WQE itself, and retires in order what
//   is before max(UNA_PSN, OLD_PSN), or was sent (UC, UD). Stops at an incomplete READ or atomic (RD_VALID, RD_LEN,
//   RD_ATOMIC); says of others that no data answers them (PLAIN). A zero-length READ is complete with RD_PLACED 1.
// Order: progress of a READ (from cmp_place) goes before visits. At the end of a visit: part written, events for
//   cmp_packet (READ data missing that is acknowledged; timer), scheduler kicked if something opened, waiting packets
//   of cmp_place woken if the walk did not just wait for a WQE, pin given back.
// Errors: a standing error (cmp_walk) goes to the first WQE that cannot be completed; all later ones up to the doorbell
//   index flush, also those posted later. A WQE that cannot be read when its length in blocks is needed: QP_FATAL, and
//   the walk goes on at the doorbell index; so with one that has changed since it was sent, where that shows.
// Cycles: three a WQE and 6 a visit, 2 for progress; at most 8 WQEs a visit, then the QP kicks itself.
module cmp_retire #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned VISIT_WQES = 8,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    // visits
    input  cairn_int_pkg::walk_visit_t           visit_i,
    output logic                                 visit_ready_o,
    // READ data placed; taken with the write
    input  cairn_int_pkg::read_progress_t        prog_i,
    output logic                                 prog_ready_o,
    // parts and doorbell index, one cycle after slot and QPN
    output logic [cairn_int_pkg::SLOT_W-1:0]     rd_slot_o,
    output logic [23:0]                          sq_rd_qpn_o,
    input  logic [15:0]                          sq_rd_pi_i,
    input  cairn_int_pkg::sent_upto_t            sent_i,  // UC, UD, GSI: what tx has sent, of the same QPN
    input  cairn_int_pkg::sender_parts_t         part_i,
    output cairn_int_pkg::half_write_t           write_o,
    // descriptor and WQE, one cycle
    output cairn_int_pkg::desc_look_t            desc_o,
    input  cairn_int_pkg::sq_desc_t              desc_i,
    output cairn_int_pkg::wqe_lookup_t           wqe_o,
    input  cairn_int_pkg::wqe_found_t            wqe_i,
    output cairn_int_pkg::wqe_fetch_t            fetch_o,
    input  logic                                 fetch_ready_i,
    input  logic                                 fetch_retry_i,
    // does cmp_place hold packets of the slot
    output logic [AW-1:0]                        busy_slot_o,
    input  logic                                 busy_i,
    // events for cmp_packet
    output logic                                 ev_valid_o,
    input  logic                                 ev_ready_i,
    output cairn_int_pkg::cmp_ev_t               ev_o,
    output cairn_int_pkg::walk_end_t             wake_o,
    input  logic                                 wake_ready_i,
    // stuck: nothing to do until more is sent or acknowledged, or ever
    output cairn_int_pkg::unpin_t                unpin_o,
    input  logic                                 unpin_ready_i,
    // kicks: the scheduler, this walker again
    output cairn_int_pkg::progress_kicks_t       kick_o,
    input  cairn_int_pkg::progress_kicks_ready_t kick_ready_i,
    output cairn_int_pkg::completion_t           cqe_o,
    input  logic                                 cqe_ready_i,
    // is the CQ crowded, one cycle later; a QP that waits for it
    output logic [23:0]                          cq_cqn_o,
    input  logic                                 cq_crowded_i,
    output cairn_int_pkg::kick_t                 held_o,
    input  logic                                 held_ready_i,
    output cairn_int_pkg::kick_t                 qp_err_o,
    input  logic                                 qp_err_ready_i,
    output cairn_hw_pkg::cmp_retire_events_t     events_o,
    output logic                                 idle_o
);
  typedef enum logic [3:0] {
    T_IDLE, T_PROG, T_LOAD, T_DESC, T_EVAL, T_DO, T_FETCH, T_WRITE, T_IMPL, T_TMR, T_REL
  } state_e;
  state_e     state_q;

  cairn_hw_pkg::qp_cfg_t cfg_q;
  cairn_hw_pkg::qp_req_t req_q;
  cairn_hw_pkg::qp_cmp_t c, c_q, w, p;     // read, working copy, as written, after progress
  logic [511:0]          w_bits, p_bits;
  logic [15:0]           pi_q, base_idx_q;
  logic [AW-1:0]         slot_q;
  logic [23:0]           qpn_q, sent_psn_q;
  logic [7:0]            sent_gen_q;
  logic                  fired_q, dirty_q, settled_q, again_q, fatal_q, err_now_q, impl_q;
  logic [3:0]            count_q;
  assign c = part_i.cmp;

  // ---- progress of a READ ----
  logic                  p_done, p_short;
  logic [23:0]           p_end, p_past;
  cairn_hw_pkg::qp_cfg_t p_cfg;
  assign p_cfg   = part_i.cfg;
  assign p_end   = c.old_psn + cairn_fn_pkg::packets(c.rd_len, p_cfg.state_pmtu);
  assign p_past  = cairn_fn_pkg::psn_later(c.una_una_psn, c.old_psn) - p_end;
  // Acknowledged beyond its end: the rest may be lost, and nothing else may come that has the walker look.
  assign p_short = !p_done && !p_past[23];
  always_comb begin
    p = c;
    p.rd_placed = (c.rd_len == '0) ? 32'h1 : c.rd_placed + 32'(prog_i.len);
    if (prog_i.chunk) p.rflags_rd_done = c.rflags_rd_done + 8'h1;
  end
  assign p_done = p.rd_placed >= p.rd_len;
  assign p_bits = p;

  // ---- where the walk stands ----
  logic [23:0] psn, una, d_end;
  logic [15:0] idx;
  logic        rc, quiet, issued, rd_full, rd_lost, executed, passed, stands, firm, cfg_err, walk_ok;
  logic        at_req_err, st_ok, look, rd_stop, wait_data;
  assign psn = c_q.old_psn;
  assign idx = c_q.oldest_old_index;
  cmp_walk u_walk (
      .cfg_i(cfg_q), .req_i(req_q), .cmp_i(c_q), .pi_i(pi_q), .sent_gen_i(sent_gen_q), .sent_psn_i(sent_psn_q), .busy_i,
      .rc_o(rc), .una_o(una), .quiet_o(quiet), .issued_o(issued), .executed_o(executed), .passed_o(passed),
      .rd_full_o(rd_full), .rd_open_o(), .lost_o(rd_lost), .at_req_err_o(at_req_err), .cfg_err_o(cfg_err),
      .stands_o(stands), .firm_o(firm), .st_ok_o(st_ok), .look_o(look), .stop_o(rd_stop), .again_o(wait_data));
  assign walk_ok = look && count_q != 4'(VISIT_WQES);

  // ---- the WQE ----
  cairn_hw_pkg::wqe_t      wqe;
  cairn_hw_pkg::wqe_info_t info, e_info;
  logic        d_hit, e_ok_q, e_bad_q, e_sig_q, e_none_q, is_data, wq_bad, no_psn, is_ud;
  logic [2:0]  e_blocks_q;
  logic [7:0]  e_op_q;
  logic [31:0] e_len_q;
  logic [23:0] e_next_q;
  assign wqe   = wqe_i.wqe;
  assign d_hit = desc_i.valid && desc_i.qpn == qpn_q && desc_i.gen == c_q.tag_gen && desc_i.index == idx
                 && desc_i.first_psn == psn && executed;
  assign wq_bad  = wqe_i.err || wqe.ctrl_blocks == '0 || wqe.ctrl_blocks > 4'(cairn_hw_pkg::MAX_WQE_BLOCKS);
  assign e_info  = cairn_hw_pkg::wqe_info(e_op_q);
  assign info    = cairn_hw_pkg::wqe_info(wqe.ctrl_opcode);
  assign is_data = e_info.res;
  // What has no packet has no PSN, nor has a datagram that is longer than any packet.
  assign is_ud   = cfg_q.state_type == cairn_hw_pkg::QP_TYPE_UD || cfg_q.state_type == cairn_hw_pkg::QP_TYPE_GSI;
  assign no_psn  = !info.valid || info.local_ || info.nop
                   || (is_ud && wqe.length > cairn_fn_pkg::pmtu_bytes(cfg_q.state_pmtu));
  assign desc_o.slot   = cairn_int_pkg::SLOT_W'(slot_q);
  assign desc_o.index  = idx;
  assign wqe_o.valid   = state_q == T_DESC && walk_ok;
  assign wqe_o.qpn     = qpn_q;
  assign wqe_o.gen     = c_q.tag_gen;
  assign wqe_o.index   = idx;
  assign fetch_o.qpn   = wqe_o.qpn;
  assign fetch_o.gen   = wqe_o.gen;
  assign fetch_o.index = wqe_o.index;
  assign fetch_o.valid = state_q == T_FETCH;
  assign fetch_o.limit = pi_q;
  assign fetch_o.base  = req_q.sq_base;
  assign fetch_o.log2  = req_q.flags_sq_log2;

  // ---- what happens to it ----
  logic need, crowd, held_q, can, gone, retire, first_look, stop_read, plain, report, lost, do_go;
  logic [23:0] d_hi;
  logic [7:0]  note_type;
  logic [31:0] note_data;
  assign d_end      = una - e_next_q;
  assign can        = e_ok_q && (is_data ? rd_full : e_none_q ? executed : !d_end[23] && issued);
  // Sent, and not what it was any more: unreadable, or of more packets than were sent.
  assign d_hi       = req_q.hi_psn - e_next_q;
  assign gone       = e_bad_q ? executed : e_ok_q && passed && d_hi[23];
  // Unreliable, and sent: what a later PSN left does not make it good.
  assign retire     = can && !c_q.rflags_flushing && !(at_req_err && !rc);
  assign first_look = !retire && e_ok_q && !gone && issued && !e_none_q && rc;
  // Its data may be on the way inside, also when an error stands further on.
  assign stop_read  = first_look && is_data && !c_q.rflags_rd_valid && !firm && !(c_q.flags_err && d_end[23]);
  assign plain      = first_look && !is_data && !stands && !c_q.rflags_plain;
  assign report     = !retire && !stop_read && stands;   // error or flush
  assign lost       = report && !e_ok_q;                 // no length: cannot go on from here
  cmp_retire_cqe u_cqe (
      .clk_i, .rst_ni, .do_i(state_q == T_DO && !crowd), .go_o(do_go), .need_o(need), .retire_i(retire),
      .report_i(report), .lost_i(lost),
      .at_req_err_i(at_req_err), .qpn_i(qpn_q), .req_i(req_q), .cmp_i(c_q),
      .wqe_ok_i(e_ok_q), .wqe_op_i(e_op_q), .wqe_sig_i(e_sig_q), .wqe_len_i(e_len_q),
      .note_i(w_go && eqe_need), .note_type_i(note_type), .note_eqn_i(cfg_q.eqn_async_eqn), .note_data_i(note_data),
      .ready_o(eqe_ready), .cqe_o, .cqe_ready_i, .events_o);

  // The completion would go where too many wait: the walk stops before it, as if the WQE were not there yet.
  assign cq_cqn_o = c_q.sq_cqn;
  assign crowd    = cq_crowded_i && need;

  // ---- end of the visit ----
  logic drained, undrain, eqe_need, eqe_ready, w_go, wrote_q;
  assign drained  = cfg_q.state == cairn_hw_pkg::QP_STATE_SQD && cfg_q.flow_tclass_sqd_notify
                    && !c_q.rflags_drained && quiet && !req_q.flags_in_msg
                    && !c_q.rflags_rd_valid && settled_q;
  assign undrain  = c_q.rflags_drained && cfg_q.state == cairn_hw_pkg::QP_STATE_RTS;
  assign eqe_need = drained || fatal_q;
  always_comb begin
    w = c_q;
    if (drained) w.rflags_drained = 1'b1;
    if (undrain) w.rflags_drained = 1'b0;
  end
  assign w_bits        = w;
  assign w_go          = state_q == T_WRITE && (!eqe_need || eqe_ready) && !wrote_q;
  assign write_o.valid = (w_go && (dirty_q || drained || undrain)) || prog_ready_o;
  assign write_o.slot  = cairn_int_pkg::SLOT_W'({(state_q == T_PROG) ? prog_i.slot[AW-1:0] : slot_q});
  assign write_o.data  = (state_q == T_PROG) ? p_bits[511:256] : w_bits[511:256];
  // The events go the way of the completions, and so are not in memory before them.
  assign note_type = fatal_q ? cairn_hw_pkg::EQE_TYPE_QP_FATAL : cairn_hw_pkg::EQE_TYPE_SQ_DRAINED;
  assign note_data = fatal_q ? 32'(cairn_hw_pkg::VENDOR_ERR_WQE_CHECK) : '0;

  cairn_int_pkg::cmp_ev_t ev;
  always_comb begin
    ev              = '0;
    ev.kind         = (state_q == T_IMPL) ? cairn_int_pkg::CEV_IMPLIED : cairn_int_pkg::CEV_TIMER;
    ev.psn          = psn + cairn_fn_pkg::packets_before(c_q.rd_placed, cfg_q.state_pmtu);
    ev.status       = {7'h0, busy_i};
    ev.qp.qpn       = qpn_q;
    ev.qp.gen       = c_q.tag_gen;
    ev.qp.slot      = cairn_int_pkg::SLOT_W'(slot_q);
    ev.qp.pd        = cfg_q.pd_sgid_pd;
    ev.qp.pmtu      = cfg_q.state_pmtu;
    ev.qp.timeout   = cfg_q.state_timeout;
    ev.qp.retry_cnt = cfg_q.state_retry_cnt;
    ev.qp.rnr_retry = cfg_q.state_rnr_retry;
  end
  assign ev_o        = ev;
  assign ev_valid_o  = state_q == T_IMPL || state_q == T_TMR;
  assign busy_slot_o = slot_q;

  // Everything of the last step at once, each through its own register.
  logic s_ready, a_ready, x_ready, w_ready, h_ready, rel, s_need, a_need, moved, p_again_ready;
  assign moved  = idx != base_idx_q;
  assign s_need = moved;
  assign a_need = again_q;
  assign rel    = state_q == T_REL && s_ready && (!a_need || a_ready) && (!err_now_q || x_ready)
                  && (!settled_q || w_ready) && (!held_q || h_ready) && unpin_ready_i;
  assign unpin_o.valid = rel;
  assign unpin_o.slot  = cairn_int_pkg::SLOT_W'(slot_q);
  assign p_again_ready = a_ready && s_ready;
  assign prog_ready_o  = state_q == T_PROG && p_again_ready;
  stream_reg #(.WIDTH(24)) u_sched (
      .clk_i, .rst_ni, .in_valid_i((rel && s_need) || (prog_ready_o && prog_i.chunk)), .in_ready_o(s_ready),
      .in_data_i((state_q == T_PROG) ? prog_i.qpn : qpn_q),
      .out_valid_o(kick_o.sched.valid), .out_ready_i(kick_ready_i.sched), .out_data_o(kick_o.sched.qpn));
  stream_reg #(.WIDTH(24)) u_self (
      .clk_i, .rst_ni, .in_valid_i((rel && a_need) || (prog_ready_o && (p_done || p_short))),
      .in_ready_o(a_ready),
      .in_data_i((state_q == T_PROG) ? prog_i.qpn : qpn_q),
      .out_valid_o(kick_o.walk.valid), .out_ready_i(kick_ready_i.walk), .out_data_o(kick_o.walk.qpn));
  stream_reg #(.WIDTH(24)) u_err (
      .clk_i, .rst_ni, .in_valid_i(rel && err_now_q), .in_ready_o(x_ready), .in_data_i(qpn_q),
      .out_valid_o(qp_err_o.valid), .out_ready_i(qp_err_ready_i), .out_data_o(qp_err_o.qpn));
  stream_reg #(.WIDTH(24)) u_held (
      .clk_i, .rst_ni, .in_valid_i(rel && held_q), .in_ready_o(h_ready), .in_data_i(qpn_q),
      .out_valid_o(held_o.valid), .out_ready_i(held_ready_i), .out_data_o(held_o.qpn));
  logic [AW-1:0] wake_slot;
  assign wake_o.slot = cairn_int_pkg::SLOT_W'(wake_slot);
  stream_reg #(.WIDTH(AW + 1)) u_wake (
      .clk_i, .rst_ni, .in_valid_i(rel && settled_q), .in_ready_o(w_ready),
      .in_data_i({!c_q.rflags_rd_valid || !st_ok, slot_q}),
      .out_valid_o(wake_o.valid), .out_ready_i(wake_ready_i), .out_data_o({wake_o.stuck, wake_slot}));

  assign rd_slot_o     = cairn_int_pkg::SLOT_W'({prog_i.valid ? prog_i.slot[AW-1:0] : visit_i.slot[AW-1:0]});
  assign sq_rd_qpn_o   = visit_i.qpn;
  assign visit_ready_o = state_q == T_IDLE && !prog_i.valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= T_IDLE;
      wrote_q <= 1'b0;
    end else begin
      wrote_q <= write_o.valid;
      case (state_q)
        T_IDLE:  if (prog_i.valid) state_q <= T_PROG;
                 else if (visit_i.valid) state_q <= T_LOAD;
        T_PROG:  if (prog_ready_o) state_q <= T_IDLE;
        T_LOAD:  state_q <= T_DESC;
        T_DESC:  state_q <= walk_ok ? T_EVAL : T_WRITE;
        T_EVAL:  state_q <= (d_hit || wqe_i.hit || wqe_i.err) ? T_DO : T_FETCH;
        T_DO:    if (crowd) state_q <= T_WRITE;
                 else if (do_go) state_q <= (retire || report) ? T_DESC : T_WRITE;
        T_FETCH: if (fetch_ready_i) state_q <= T_WRITE;
        T_WRITE: if (w_go) state_q <= impl_q ? T_IMPL : fired_q ? T_TMR : T_REL;
        T_IMPL:  if (ev_ready_i) state_q <= fired_q ? T_TMR : T_REL;
        T_TMR:   if (ev_ready_i) state_q <= T_REL;
        default: if (rel) state_q <= T_IDLE;
      endcase
    end
    case (state_q)
      T_IDLE: begin
        slot_q  <= visit_i.slot[AW-1:0];
        qpn_q   <= visit_i.qpn;
        fired_q <= visit_i.fired;
      end
      T_LOAD: begin
        cfg_q      <= part_i.cfg;
        req_q      <= part_i.req;
        c_q        <= c;
        pi_q       <= sq_rd_pi_i;
        sent_gen_q <= sent_i.gen;
        sent_psn_q <= sent_i.psn;
        base_idx_q <= c.oldest_old_index;
        dirty_q    <= 1'b0;
        settled_q  <= 1'b1;
        again_q    <= 1'b0;
        fatal_q    <= 1'b0;
        held_q     <= 1'b0;
        err_now_q  <= 1'b0;
        count_q    <= '0;
      end
      T_DESC: begin
        if (look && !walk_ok) begin
          again_q   <= 1'b1;
          settled_q <= 1'b0;
        end
        // Acknowledged beyond an incomplete READ, and none of its data is on the way inside: it was lost.
        impl_q <= rd_lost;
        if (rd_stop) begin
          dirty_q              <= 1'b1;
          c_q.rflags_rd_stop   <= 1'b1;
        end
        if (wait_data) again_q <= 1'b1;
      end
      T_EVAL: begin
        e_ok_q     <= d_hit || (wqe_i.hit && !wq_bad);
        e_bad_q    <= !d_hit && wq_bad;
        e_blocks_q <= d_hit ? desc_i.blocks : wqe.ctrl_blocks[2:0];
        e_op_q     <= d_hit ? desc_i.op : wqe.ctrl_opcode;
        e_sig_q    <= d_hit ? desc_i.signaled : wqe.ctrl_signaled;
        e_len_q    <= d_hit ? desc_i.len : wqe.length;
        e_none_q   <= d_hit ? desc_i.next_psn == psn : no_psn;
        e_next_q   <= d_hit ? desc_i.next_psn : no_psn ? psn
                      : psn + (is_ud ? 24'h1 : cairn_fn_pkg::packets(wqe.length, cfg_q.state_pmtu));
        impl_q     <= 1'b0;
      end
      T_DO: if (crowd) begin
        held_q    <= 1'b1;
        settled_q <= 1'b0;
        impl_q    <= 1'b0;
      end else if (do_go) begin
        if (retire || report) begin
          dirty_q              <= 1'b1;
          count_q              <= count_q + 4'd1;
          c_q.oldest_old_index <= lost ? pi_q : idx + 16'(e_blocks_q);
          c_q.old_psn          <= retire ? e_next_q : psn;
          c_q.rflags_rd_valid  <= 1'b0;
          c_q.rflags_rd_stop   <= 1'b0;
          c_q.rflags_plain     <= 1'b0;
          c_q.rd_placed        <= '0;
          if (report) begin
            c_q.rflags_flushing  <= 1'b1;
            if (!c_q.rflags_flushing) err_now_q <= !cfg_err;
          end
          if (lost) fatal_q <= 1'b1;
        end else if (stop_read) begin
          dirty_q              <= 1'b1;
          c_q.rflags_rd_valid  <= 1'b1;
          c_q.rflags_rd_atomic <= !e_info.read;
          c_q.rd_len           <= e_len_q;
          again_q              <= c_q.flags_err || !d_end[23];    // acknowledged: is its data lost?
          c_q.rd_placed        <= '0;
        end else if (plain) begin
          dirty_q          <= 1'b1;
          c_q.rflags_plain <= 1'b1;
          c_q.old_end      <= e_next_q;
        end else if (gone) begin
          // What it was cannot be known any more.
          dirty_q              <= 1'b1;
          c_q.oldest_old_index <= pi_q;
          c_q.rflags_flushing  <= 1'b1;
          c_q.rflags_rd_valid  <= 1'b0;
          err_now_q            <= !cfg_err;
          fatal_q              <= 1'b1;
        end
      end
      T_FETCH: if (fetch_ready_i) begin
        settled_q <= 1'b0;
        again_q   <= fetch_retry_i;
        impl_q    <= 1'b0;
      end
      default: ;
    endcase
    if (state_q == T_DO && do_go && !(retire || report)) impl_q <= 1'b0;
  end
  assign idle_o = state_q == T_IDLE && !visit_i.valid && !prog_i.valid && !kick_o.walk.valid
                  && !kick_o.sched.valid && !cqe_o.valid && !qp_err_o.valid && !wake_o.valid;
endmodule
