// SPDX-License-Identifier: Apache-2.0
// The retire walker: retires WQEs in order, and is the source of all send completions. IBTA 9.7.5, 10.7.3.1.
//
// Owns: the second half of qp_cmp (bytes 32 to 63); SQ_DRAINED and QP_FATAL behind the completions.
// Visit: (cmp_kick) walks from OLD_INDEX, with the descriptor of req_issue or the WQE itself (cmp_oldest), and retires
//   in order what is before UNA_PSN, READs and atomics before RD_AHEAD, or what was sent (UC, UD). Stops at an
//   incomplete READ or atomic (RD_VALID, RD_LEN, RD_ATOMIC); says of others that no data answers them (PLAIN).
// Order: progress of READs (from cmp_place) goes before visits. At the end of a visit: part written, events for
//   cmp_packet (READ data missing that is acknowledged; timer), scheduler kicked if something opened, waiting packets
//   of cmp_place woken if the walk did not just wait for a WQE, pin given back.
// Errors: a standing error (cmp_walk) goes to the first WQE that cannot be completed, once cmp_place has been closed
//   (RD_STOP) and is empty of the QP; all later ones up to the doorbell index flush, also those posted later. A WQE
//   that cannot be read when its length in blocks is needed: QP_FATAL, and the walk goes on at the doorbell index; so
//   with one that has changed since it was sent, where that shows.
// Cycles: two a WQE (three if not FULL: one to see what happens to it) and 3 a visit (4), 2 (3) for progress; a visit
//   that retires the last WQE of a queue in which all is well, 1. At most 8 WQEs a visit, then the QP kicks itself.
module cmp_retire #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned VISIT_WQES = 8,
    parameter int unsigned READ_CHUNK = 1024,
    parameter bit          POLLS      = 1'b0,    // see cmp_walk
    parameter bit          FULL       = 1'b1,    // what is told may come each cycle, see stream_half
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
    // parts and doorbell index, one cycle after slot and QPN; of a RAM that is shared when they are there
    output cairn_int_pkg::part_ask_t             rd_o,
    output logic [23:0]                          sq_rd_qpn_o,
    input  cairn_int_pkg::walk_view_t            sq_rd_i,  // and, UC, UD, GSI: what tx has sent of that QPN
    input  cairn_int_pkg::retire_parts_t         part_i,
    output cairn_int_pkg::half_write_t           write_o,
    output cairn_int_pkg::psn_now_t              retired_o,     // retry_timer: OLD_PSN, a cycle later
    // descriptor and WQE, one cycle
    output cairn_int_pkg::desc_look_t            desc_o,
    output logic                                 desc_want_o,
    input  cairn_int_pkg::sq_desc_t              desc_i,
    output cairn_int_pkg::wqe_lookup_t           wqe_o,
    input  cairn_int_pkg::wqe_found_t            wqe_i,
    output cairn_int_pkg::wqe_fetch_t            fetch_o,
    input  cairn_int_pkg::fetch_answer_t         fetch_i,
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
    // kicks: the scheduler, this walker again
    output cairn_int_pkg::progress_kicks_t       kick_o,
    input  cairn_int_pkg::progress_kicks_ready_t kick_ready_i,
    input  cairn_int_pkg::kick_t                 kicked_i,      // the scheduler: who was kicked in the cycle before
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
    T_IDLE, T_PROG, T_STEP, T_LOAD, T_GET, T_SEE, T_DO, T_LOOK, T_GOT, T_SPAN, T_FETCH, T_END, T_TELL, T_REL
  } state_e;
  // What happens at OLD_INDEX
  typedef enum logic [3:0] {
    W_END,      // nothing to look at, or enough for one visit
    W_READ,     // its descriptor is not here: the WQE is wanted
    W_RETIRE,   // done
    W_OPEN,     // an incomplete READ or atomic: wait for its data
    W_CLOSE,    // it ends with an error: let no data of the QP come any more
    W_REPORT,   // it ends with an error
    W_PLAIN,    // a SEND or WRITE: no data answers it
    W_GONE,     // it is not what was sent
    W_WAIT      // not done yet
  } does_e;
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  state_e state_q;
  does_e  does, sees, does_q;

  cairn_hw_pkg::qp_cfg_t cfg_q, cfg;
  cairn_hw_pkg::qp_req_t req_q;
  cairn_hw_pkg::qp_cmp_t c, c_q, w;        // read, working copy, as written
  logic [511:0]          w_bits;
  logic [15:0]           pi_q;
  logic [AW-1:0]         slot_q;
  logic [23:0]           qpn_q, acked_q, acked, kick_qpn;
  logic                  fired_q, dirty_q, settled_q, again_q, fatal_q, err_now_q, impl_q, moved_q, done_q, wide_q;
  logic [3:0]            count_q;
  assign {cfg, c} = {part_i.parts.cfg, part_i.parts.cmp};
  // Before it all is acknowledged; nothing is of UC, UD and GSI, there it is what tx has sent.
  assign acked = (cfg.state_type == cairn_hw_pkg::QP_TYPE_RC) ? c.una_una_psn
                 : (sq_rd_i.sent.gen == c.tag_gen) ? sq_rd_i.sent.psn : c.old_psn;

  // ---- progress of a READ ----
  logic [255:0] p_half;
  logic         p_w, p_s, prog_now, step_q;
  // If not FULL, through the working copy, and what comes of it through a register: two cycles of T_STEP.
  assign prog_now = state_q == (FULL ? T_PROG : T_STEP);
  cmp_progress #(.SHARED(!FULL)) u_progress (
      .clk_i, .cmp_i(FULL ? c : c_q), .past_i(facts.past_end), .prog_i, .half_o(p_half), .walk_o(p_w), .sched_o(p_s));

  // ---- where the walk stands ----
  cairn_int_pkg::walk_facts_t facts, f_q;
  cairn_int_pkg::walk_wqe_t   e;
  logic                       busy_q, is_ud, go_on, starts, look_q;
  cmp_walk #(.POLLS(POLLS)) u_walk (
      .cfg_i(cfg_q), .req_i(req_q), .cmp_i(c_q), .pi_i(pi_q), .acked_i(acked_q), .busy_i, .facts_o(facts));
  assign is_ud = cfg_q.state_type == cairn_hw_pkg::QP_TYPE_UD || cfg_q.state_type == cairn_hw_pkg::QP_TYPE_GSI;
  // The next descriptor is looked up before it is known whether this WQE retires.
  assign starts       = state_q == T_LOAD || state_q == T_END || state_q == T_REL;
  assign desc_want_o  = starts || state_q == T_DO;
  assign desc_o.slot  = (state_q == T_END || state_q == T_REL) ? visit_i.slot : cairn_int_pkg::SLOT_W'(slot_q);
  assign desc_o.index = starts ? c.oldest_old_index : e.next_index;
  cmp_oldest u_oldest (
      .clk_i, .get_i(state_q == T_GET), .found_i(state_q == T_GOT), .span_i(state_q == T_SPAN),
      .again_i(load || state_q == T_DO), .qpn_i(qpn_q), .pmtu_i(cfg_q.state_pmtu), .ud_i(is_ud),
      .cmp_i(c_q), .hi_psn_i(req_q.hi_psn), .acked_i(acked_q), .facts_i(facts), .desc_i, .wqe_i,
      .wqe_o(e));
  assign wqe_o.valid   = state_q == T_LOOK;
  assign wqe_o.qpn     = qpn_q;
  assign wqe_o.gen     = c_q.tag_gen;
  assign {wqe_o.index, wqe_o.limit, wqe_o.part} = {c_q.oldest_old_index, 16'h0, 2'd0};  // no limit but the requester's
  assign {fetch_o.qpn, fetch_o.gen, fetch_o.index} = {wqe_o.qpn, wqe_o.gen, wqe_o.index};
  assign fetch_o.valid = state_q == T_FETCH;
  assign fetch_o.limit = pi_q;
  assign fetch_o.base  = req_q.sq_base;
  assign fetch_o.log2  = req_q.flags_sq_log2;

  // ---- what happens to the WQE ----
  logic need, crowd, held_q, quiet_q, retire, report, lost, do_go, first, open, ends, s_need;
  cairn_hw_pkg::wqe_info_t info;
  assign info   = cairn_hw_pkg::wqe_info(e.op);
  // Unreliable, and sent: what a later PSN left does not make it good.
  assign retire = e.can && !c_q.rflags_flushing && !(f_q.at_req_err && !f_q.rc);
  assign first  = e.ok && !e.gone && f_q.issued && !e.none && f_q.rc;
  // Its data may be on the way inside, also when an error stands further on.
  assign open   = first && e.res && !c_q.rflags_rd_valid && !f_q.firm && !(c_q.flags_err && !e.acked);
  always_comb begin
    sees = !look_q                               ? W_END
           : !e.have                             ? W_READ
           : retire                              ? W_RETIRE
           : open                                ? W_OPEN
           : f_q.stands                          ? ((f_q.rc && !c_q.rflags_flushing && (!c_q.rflags_rd_stop || busy_q))
                                                    ? W_CLOSE : W_REPORT)
           : first && !e.res && !c_q.rflags_plain ? W_PLAIN
           : e.gone                              ? W_GONE : W_WAIT;
  end
  always_ff @(posedge clk_i) does_q <= sees;
  assign does = FULL ? sees : does_q;
  // Behind this one there is nothing: no WQE, no error, no drain to tell of. The walk need not look.
  assign ends   = does == W_RETIRE && f_q.rc && cfg_q.state == cairn_hw_pkg::QP_STATE_RTS && e.next_index == pi_q
                  && !c_q.flags_err && !req_q.flags_err;
  assign report = does == W_REPORT;
  assign lost   = report && !e.ok;                 // no length: cannot go on from here
  assign go_on  = does == W_RETIRE || report;
  cmp_retire_cqe #(.FULL(FULL)) u_cqe (
      .clk_i, .rst_ni, .do_i(state_q == T_DO && !crowd), .go_o(do_go), .need_o(need), .retire_i(does == W_RETIRE),
      .report_i(report), .lost_i(lost),
      .at_req_err_i(f_q.at_req_err), .qpn_i(qpn_q), .req_i(req_q), .cmp_i(c_q),
      .wqe_ok_i(e.ok), .wqe_op_i(e.op), .wqe_sig_i(e.signaled), .wqe_len_i(e.len),
      .note_i(w_go && eqe_need), .note_type_i(note[39:32]), .note_eqn_i(cfg_q.eqn_async_eqn), .note_data_i(note[31:0]),
      .ready_o(eqe_ready), .cqe_o, .cqe_ready_i, .events_o);

  // The completion would go where too many wait: the walk stops before it, as if the WQE were not there yet.
  assign cq_cqn_o = c_q.sq_cqn;
  assign crowd    = cq_crowded_i && need;

  // ---- the working copy after it ----
  cairn_hw_pkg::qp_cmp_t n;
  logic [31:0]           bytes_q;    // of RD_AHEAD, if it is within a READ
  always_comb begin
    n = c_q;
    case (does)
      W_END:   n.rflags_rd_stop = c_q.rflags_rd_stop || f_q.stop;
      W_RETIRE, W_REPORT: begin
        n.oldest_old_index = lost ? pi_q : e.next_index;
        n.rflags_rd_valid  = 1'b0;
        n.rflags_rd_full   = 1'b0;
        n.rflags_rd_stop   = 1'b0;
        n.rflags_plain     = 1'b0;
        n.rd_placed        = '0;
        n.rd_ahead         = '0;
        if (report) begin
          n.rflags_flushing = 1'b1;
        end else begin
          n.old_psn  = e.next_psn;
          n.rd_ahead = e.ahead;
          // Of one that was opened all is counted already.
          if (e.res && !c_q.rflags_rd_valid)
            n.rflags_rd_done = c_q.rflags_rd_done + 8'((e.psns + 24'(READ_CHUNK - 1)) >> CHUNK_LG);
        end
      end
      W_OPEN: begin
        n.rflags_rd_valid  = 1'b1;
        n.rflags_rd_full   = 1'b0;
        n.rflags_rd_atomic = !info.read;
        n.rflags_rd_done   = c_q.rflags_rd_done + 8'(c_q.rd_ahead >> CHUNK_LG);
        n.rd_len           = e.len;
        n.rd_placed        = bytes_q;
        n.old_end          = e.next_psn;
      end
      W_CLOSE: n.rflags_rd_stop = 1'b1;
      W_PLAIN: begin
        n.rflags_plain = 1'b1;
        n.old_end      = e.next_psn;
      end
      W_GONE: begin
        n.oldest_old_index = pi_q;
        n.rflags_flushing  = 1'b1;
        n.rflags_rd_valid  = 1'b0;
        n.rflags_rd_full   = 1'b0;
        n.rd_ahead         = '0;
      end
      default: ;
    endcase
  end

  // ---- end of the visit ----
  logic drained, undrain, drains, undrains, eqe_need, eqe_ready, w_go, wrote_q, seen_q, drains_q, undrains_q;
  assign drains   = cfg_q.state == cairn_hw_pkg::QP_STATE_SQD && cfg_q.flow_tclass_sqd_notify && !c_q.rflags_drained
                    && quiet_q && !req_q.flags_in_msg && !c_q.rflags_rd_valid && settled_q;
  assign undrains = c_q.rflags_drained && cfg_q.state == cairn_hw_pkg::QP_STATE_RTS;
  assign eqe_need = drained || fatal_q;
  // If not FULL, the end has a cycle to see what it is to tell.
  assign {drained, undrain} = FULL ? {drains, undrains} : {drains_q, undrains_q};
  always_ff @(posedge clk_i) {seen_q, drains_q, undrains_q} <= {rst_ni && state_q == T_END && !w_go, drains, undrains};
  always_comb begin
    w = c_q;
    if (drained || undrain) w.rflags_drained = drained;
  end
  assign w_bits        = w;
  assign w_go          = state_q == T_END && (FULL || seen_q) && (!eqe_need || eqe_ready);
  assign write_o.valid = (w_go && (dirty_q || drained || undrain)) || prog_ready_o;
  assign write_o.slot  = prog_now ? prog_i.slot : cairn_int_pkg::SLOT_W'(slot_q);
  assign write_o.data  = prog_now ? p_half : w_bits[511:256];
  always_ff @(posedge clk_i) retired_o <= {rst_ni && w_go && dirty_q, qpn_q, c_q.tag_gen, c_q.old_psn[15:0]};
  // The events go the way of the completions, and so are not in memory before them.
  logic [39:0] note;            // its type, its data
  assign note = fatal_q ? {cairn_hw_pkg::EQE_TYPE_QP_FATAL, 32'(cairn_hw_pkg::VENDOR_ERR_WQE_CHECK)}
                        : {cairn_hw_pkg::EQE_TYPE_SQ_DRAINED, 32'h0};

  cairn_int_pkg::cmp_ev_t ev;
  always_comb begin
    ev              = '0;
    ev.kind         = impl_q ? cairn_int_pkg::CEV_IMPLIED : cairn_int_pkg::CEV_TIMER;
    ev.psn          = c_q.old_psn + c_q.rd_ahead;
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
  assign ev_valid_o  = state_q == T_TELL;
  assign busy_slot_o = slot_q;

  // Is the requester told?
  cmp_tell u_tell (
      .clk_i, .load_i(load), .qpn_i(qpn_q), .kicked_i, .req_i(req_q), .cmp_i(c_q), .pi_i(pi_q), .acked_i(acked_q),
      .did_i({moved_q, done_q, wide_q}), .tell_o(s_need));

  // Everything of the last step at once, each through its own register.
  logic s_ready, a_ready, x_ready, w_ready, h_ready, rel, tells, p_here;
  assign tells = impl_q || fired_q;
  assign rel   = s_ready && a_ready && x_ready && w_ready && h_ready && (state_q == T_REL || (w_go && !tells));
  assign unpin_o.valid = rel;
  assign unpin_o.slot  = cairn_int_pkg::SLOT_W'(slot_q);
  // The part is written every second cycle at most.
  assign p_here        = state_q == T_PROG && (part_i.shared ? part_i.ok : read_q);
  assign prog_ready_o  = (FULL ? p_here : state_q == T_STEP && step_q) && a_ready && s_ready && !wrote_q;
  assign kick_qpn = prog_now ? prog_i.qpn : qpn_q;
  stream_half #(.WIDTH(24), .FULL(FULL)) u_sched (
      .clk_i, .rst_ni, .in_valid_i((rel && s_need) || (prog_ready_o && p_s)), .in_ready_o(s_ready),
      .in_data_i(kick_qpn),
      .out_valid_o(kick_o.sched.valid), .out_ready_i(kick_ready_i.sched), .out_data_o(kick_o.sched.qpn));
  stream_half #(.WIDTH(24), .FULL(FULL)) u_self (
      .clk_i, .rst_ni, .in_valid_i((rel && again_q) || (prog_ready_o && p_w)),
      .in_ready_o(a_ready), .in_data_i(kick_qpn),
      .out_valid_o(kick_o.walk.valid), .out_ready_i(kick_ready_i.walk), .out_data_o(kick_o.walk.qpn));
  stream_half #(.WIDTH(24), .FULL(FULL)) u_err (
      .clk_i, .rst_ni, .in_valid_i(rel && err_now_q), .in_ready_o(x_ready), .in_data_i(qpn_q),
      .out_valid_o(qp_err_o.valid), .out_ready_i(qp_err_ready_i), .out_data_o(qp_err_o.qpn));
  stream_half #(.WIDTH(24), .FULL(FULL)) u_held (
      .clk_i, .rst_ni, .in_valid_i(rel && held_q), .in_ready_o(h_ready), .in_data_i(qpn_q),
      .out_valid_o(held_o.valid), .out_ready_i(held_ready_i), .out_data_o(held_o.qpn));
  logic [AW-1:0] wake_slot;
  assign wake_o.slot = cairn_int_pkg::SLOT_W'(wake_slot);
  stream_half #(.WIDTH(AW + 1), .FULL(FULL)) u_wake (
      .clk_i, .rst_ni, .in_valid_i(rel && settled_q), .in_ready_o(w_ready),
      .in_data_i({!c_q.rflags_rd_valid || !f_q.st_ok, slot_q}),
      .out_valid_o(wake_o.valid), .out_ready_i(wake_ready_i), .out_data_o({wake_o.stuck, wake_slot}));

  // ---- what is next: also in the last cycle of a visit, but for the same slot, whose part is being written. The parts
  // of a visit that waited in the cycle before are here then ----
  logic free, take_prog, take_visit, load, here_q, read_q;
  assign free          = state_q == T_IDLE || rel;
  assign rd_o.asks     = state_q == T_LOAD || state_q == T_PROG;
  assign rd_o.slot     = state_q == T_LOAD ? cairn_int_pkg::SLOT_W'(slot_q) : prog_i.valid ? prog_i.slot : visit_i.slot;
  assign sq_rd_qpn_o   = state_q == T_LOAD ? qpn_q : visit_i.qpn;
  assign take_prog     = free && prog_i.valid && (state_q == T_IDLE || prog_i.slot[AW-1:0] != slot_q);
  assign visit_ready_o = free && !prog_i.valid && (state_q == T_IDLE || visit_i.slot[AW-1:0] != slot_q);
  assign take_visit    = visit_ready_o && visit_i.valid;
  assign load          = (state_q == T_LOAD && part_i.ok) || (FULL && take_visit && rel && here_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= T_IDLE;
      wrote_q <= 1'b0;
    end else begin
      {wrote_q, step_q} <= {write_o.valid, state_q == T_STEP && !prog_ready_o};
      case (state_q)
        T_PROG, T_STEP: if (prog_ready_o) state_q <= T_IDLE;
                        else if (p_here && !FULL) state_q <= T_STEP;
        T_LOAD, T_SPAN: if (state_q == T_SPAN || part_i.ok) state_q <= T_GET;
        T_GET:   state_q <= FULL ? T_DO : T_SEE;
        T_SEE:   state_q <= T_DO;
        T_DO:    if (crowd) state_q <= T_END;
                 else if (does == W_READ) state_q <= T_LOOK;
                 else if (do_go) state_q <= (go_on && !ends) ? T_GET : T_END;
        T_LOOK:  state_q <= T_GOT;
        T_GOT:   state_q <= (wqe_i.hit || wqe_i.err) ? T_SPAN : T_FETCH;
        T_FETCH: if (fetch_i.ready) state_q <= T_END;
        T_END:   if (w_go) state_q <= tells ? T_TELL : T_REL;
        T_TELL:  if (ev_ready_i && !(impl_q && fired_q)) state_q <= T_REL;
        default: ;
      endcase
      if (take_prog) state_q <= T_PROG;
      else if (take_visit) state_q <= load ? T_GET : T_LOAD;
      else if (free) state_q <= T_IDLE;
    end
    if (take_visit) begin
      slot_q  <= visit_i.slot[AW-1:0];
      qpn_q   <= visit_i.qpn;
      fired_q <= visit_i.fired;
    end
    {here_q, read_q} <= {visit_i.valid && !prog_i.valid && !visit_ready_o && !part_i.shared, prog_i.valid};
    if (load || (!FULL && p_here)) acked_q <= acked;
    if (load) begin
      {cfg_q, req_q} <= {cfg, part_i.parts.req};
      pi_q           <= sq_rd_i.pi;
    end
    if (state_q == T_GET) begin
      f_q     <= facts;
      look_q  <= facts.look && count_q != 4'(VISIT_WQES);
      busy_q  <= busy_i;
      bytes_q <= cairn_fn_pkg::packet_bytes(c_q.rd_ahead, cfg_q.state_pmtu);
    end
  end

  // The working copy, and what the end of the visit is to tell
  logic [23:0] d_out;
  assign d_out = req_q.hi_psn - c_q.old_psn;
  always_ff @(posedge clk_i) begin
    case (state_q)
      T_GET: begin
        quiet_q <= req_q.hi_psn == c_q.old_psn;
        if (|d_out[23:13]) wide_q <= 1'b1;
      end
      T_DO: begin
        if (crowd) begin
          held_q    <= 1'b1;
          settled_q <= 1'b0;
        end else if (do_go) begin
          c_q     <= n;
          dirty_q <= dirty_q || (does != W_END && does != W_READ && does != W_WAIT) || (does == W_END && f_q.stop);
          count_q <= count_q + 4'(go_on);
          moved_q <= moved_q || go_on || does == W_GONE;
          done_q  <= done_q || n.rflags_rd_done != c_q.rflags_rd_done;
          if ((report && !c_q.rflags_flushing) || does == W_GONE) err_now_q <= !f_q.cfg_err;
          if (lost || does == W_GONE) fatal_q <= 1'b1;
          if (does == W_END) begin
            // Acknowledged beyond an incomplete READ, and none of its data is on the way inside: it was lost.
            impl_q <= f_q.lost && !f_q.asked;
            if (f_q.again || f_q.look) again_q <= 1'b1;
            if (f_q.look) settled_q <= 1'b0;
          end
          if (does == W_CLOSE || (does == W_OPEN && (c_q.flags_err || e.acked))) again_q <= 1'b1;
        end
      end
      T_FETCH: if (fetch_i.ready) begin
        settled_q <= 1'b0;
        again_q   <= fetch_i.retry;
      end
      T_TELL: if (ev_ready_i) impl_q <= 1'b0;
      default: ;
    endcase
    if (load || (!FULL && p_here)) c_q <= c;
    if (load) begin
      settled_q <= 1'b1;
      count_q   <= '0;
      {dirty_q, again_q, fatal_q, held_q, err_now_q, impl_q, moved_q, done_q, wide_q} <= '0;
    end
  end
  assign idle_o = state_q == T_IDLE && !visit_i.valid && !prog_i.valid && !kick_o.walk.valid
                  && !kick_o.sched.valid && !cqe_o.valid && !qp_err_o.valid && !wake_o.valid;
endmodule
