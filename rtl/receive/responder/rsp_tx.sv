// SPDX-License-Identifier: Apache-2.0
// Sends what the responder owes: READ responses, answers of atomics, ACKs, NAKs; and flushes the receive queue of a QP
// in error.
//
// Works by visits of one kicked QP at a time. Everything it needs is in the records, so a kick may be merged with
// others or come for no reason. IBTA 9.7.5.1; docs/rtl/responder.md.
// Order: on the wire, for each QP: for each resource from RES_OLD on its ACK (ack_before), its responses, then the ACK
//   state. RES_OLD moves before the last response of a resource leaves. ACKs of a QP whose responses may still be in
//   ring 1 follow them there. The ACK state is asked for and taken out of the record before it is sent, as it is then;
//   most ACKs go out without a visit (rsp_commit).
// Visit: one of: answer for a failed payload read; a duplicate READ or atomic (rsp_tx_dup finds its place, sending goes
//   back to it); up to 4 response packets; the ACK or NAK; one flushed receive WQE. An atomic that atomic_unit has not
//   done yet ends the visit: the kick follows. It kicks itself when more is left. rsp_commit applies the events while
//   the visit waits.
// Owns: how far each response is sent, by QPN.
// Errors: each response packet validates the R_Key again; a failure is NAK 0x62 (0x63 for a local one) at the first PSN
//   that is not delivered.
module rsp_tx #(
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned NKICK    = 2,          // external kick sources
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  cairn_int_pkg::engine_control_t     engine_i,   // halt: start no visit
    input  cairn_int_pkg::mr_answer_t          mr_i,       // see mr_drain: no answer before the mark comes any more
    output logic                               drained_o,  // ... and what was made of them is in ring 1
    input  logic [NKICK-1:0]                   kick_valid_i,
    output logic [NKICK-1:0]                   kick_ready_o,
    input  logic [NKICK*24-1:0]                kick_qpn_i,
    input  cairn_int_pkg::ctx_fill_t           fill_i,
    // lookup, source RTX, with pin
    output cairn_int_pkg::ctx_req_t            ctx_o,
    input  logic                               ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t            ctx_i,
    output cairn_int_pkg::unpin_t              unpin_o,
    output logic [cairn_int_pkg::SLOT_W-1:0]   part_slot_o,
    input  cairn_int_pkg::answer_parts_t       part_i,
    input  cairn_int_pkg::rsp_tx_waits_t       busy_i,
    // RQ producer index
    output logic [23:0]                        rq_rd_qpn_o,
    input  logic [15:0]                        rq_rd_pi_i,
    // duplicate READs and atomics from rsp_commit
    input  cairn_int_pkg::packet_again_t       dup_i,
    // responder resources
    output cairn_int_pkg::res_look_t           res_o,
    input  cairn_int_pkg::res_found_t          res_i,
    output logic                               res_fill_valid_o,
    input  logic                               res_fill_ready_i,
    input  cairn_int_pkg::kick_t               res_wake_i,
    output logic                               res_wake_ready_o,
    // MR service, client MRC_RD
    output cairn_int_pkg::mr_ask_t             mr_o,
    input  logic                               mr_ready_i,
    output logic                               mr_ready_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    // rsp_commit
    output cairn_int_pkg::rsp_ask_t            ask_o,
    input  cairn_int_pkg::rsp_asked_t          asked_i,
    // rsp_ack
    output cairn_int_pkg::rsp_tx_ack_t         ack_o,
    input  cairn_int_pkg::rsp_tx_ack_view_t    ack_view_i,
    // transmit side
    output cairn_int_pkg::tx_responses_t       responses_o,
    input  cairn_int_pkg::tx_responses_ready_t responses_ready_i,
    input  logic                               responses_left_i,
    input  cairn_int_pkg::tx_failed_t          tx_err_i,   // payload of a response could not be read
    output logic                               tx_err_ready_o,
    output cairn_hw_pkg::rsp_tx_events_t       events_o,
    output logic                               idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_WAIT = cairn_hw_pkg::CTX_RESULT_WAITING,
      ST_RETRY = cairn_hw_pkg::CTX_RESULT_RETRY;
  typedef enum logic [4:0] {
    T_IDLE, T_LOOK, T_READ, T_LOAD, T_PICK, T_DUP, T_ENT, T_ENT2, T_SIZE, T_GO, T_MRQ, T_ANS, T_JOB, T_SEG0,
    T_SEG1, T_DRAIN, T_ACK, T_EV, T_FILL, T_PARK, T_AGAIN, T_ASK, T_END
  } state_e;
  state_e     state_q, back_q;      // back_q: after T_EV

  // ---- kicks ----
  logic p_ready, p_idle, self_valid, self_ready, park_ok;
  logic [23:0] qpn_q;
  cairn_int_pkg::kick_t p;
  rsp_tx_kick #(.QPS_LOG2(QPS_LOG2), .NKICK(NKICK)) u_kick (
      .clk_i, .rst_ni, .kick_valid_i, .kick_ready_o, .kick_qpn_i, .fill_i,
      .res_wake_i, .res_wake_ready_o, .mr_fill_i(mr_i.fill),
      .qpn_i(qpn_q), .start_i(state_q == T_IDLE), .park_i(state_q == T_PARK), .park_ok_o(park_ok),
      .self_valid_i(self_valid), .self_ready_o(self_ready),
      .out_o(p), .out_ready_i(p_ready), .idle_o(p_idle));

  // ---- the visit ----
  logic is_err_q, dup_pend_q, pinned_q;
  logic [AW-1:0] slot_q;
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_rsp_t rsp;
  logic [7:0]    old_q;              // resource to answer next
  logic          part_ok_q;
  logic          live;               // the state takes part in traffic
  logic nak, pend_ack, nak_ok;
  assign live     = cairn_fn_pkg::qp_takes_requests(cfg.state);
  assign nak      = rsp.flags_syndrome[6:5] != cairn_pkt_pkg::AETH_CLASS_ACK;
  assign pend_ack = rsp.flags_ack_pending;
  // What put it there is still said, once, behind the answers to what came before it.
  assign nak_ok   = cfg.state == cairn_hw_pkg::QP_STATE_ERR && rsp.flags_err && pend_ack
                    && rsp.flags_syndrome[6:5] == cairn_pkt_pkg::AETH_CLASS_NAK && rsp.flags_syndrome[4:0] != '0;

  // own state, by QPN. By slot it would be lost with the slot, and long READs of more QPs than slots would
  // begin again at each visit and never end. The first 2^QPS_LOG2 cycles clear it; visits wait.
  logic                init_q;
  logic [QPS_LOG2-1:0] init_at_q;
  cairn_int_pkg::rsp_answering_t o;
  logic [23:0] pk_q, base_q;
  logic          ackb_q;
  logic [15:0] seq_q, seq_now;
  logic          own_we;
  ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_ANSWERING_W), .DEPTH(1 << QPS_LOG2), .BYPASS(2)) u_own (
      .clk_i, .we_i(init_q || own_we), .waddr_i(init_q ? init_at_q : qpn_q[QPS_LOG2-1:0]),
      .wdata_i({!init_q, cfg.tag_gen, old_q, pk_q, base_q, ackb_q, seq_q}),
      .re_i(state_q == T_READ), .raddr_i(qpn_q[QPS_LOG2-1:0]), .rdata_o(o));
  assign own_we = state_q == T_END;

  // ---- duplicates ----
  cairn_int_pkg::rsp_dup_t dup;
  logic dup_pend, dup_take, s_start, s_busy, s_done, s_found, s_miss, s_rd;
  logic [3:0]    s_index;
  logic [7:0]    s_res;
  logic [23:0]   s_off;
  rsp_dup #(.SLOTS(SLOTS)) u_dup (
      .clk_i, .rst_ni, .put_valid_i(dup_i.valid), .put_rec_i(dup_i.rec), .rd_valid_i(state_q == T_READ),
      .rd_slot_i(slot_q),
      .rd_pending_o(dup_pend), .rd_dup_o(dup), .take_i(dup_take));
  rsp_tx_dup u_search (
      .clk_i, .rst_ni, .start_i(s_start), .dup_i(dup), .pmtu_i(cfg.state_pmtu), .tail_i(rsp.epsn_res_tail),
      .kept_i(cfg.rd_max_dest_rd_atomic),
      .rd_o(s_rd), .index_o(s_index), .hit_i(res_i.hit && !res_i.err), .bad_i(res_i.hit && res_i.err),
      .entry_i(res_i.entry),
      .busy_o(s_busy), .done_o(s_done), .found_o(s_found), .miss_o(s_miss), .res_o(s_res), .off_o(s_off));
  logic [7:0]    s_dist;
  logic          s_back;             // before the present position
  assign s_start = state_q == T_PICK && !is_err_q && live && dup_pend_q && !rsp.flags_err;
  assign s_dist  = s_res - old_q;
  assign s_back  = s_dist[7] || (s_dist == '0 && s_off < pk_q);
  assign dup_take = (state_q == T_DUP && s_done && !s_miss)
      || (state_q == T_PICK && !is_err_q && !s_start && dup_pend_q);

  assign res_o = {s_rd || state_q == T_ENT, cfg.tag_qpn, cfg.tag_gen, s_busy ? s_index : old_q[3:0]};
  assign res_fill_valid_o = state_q == T_FILL;

  // ---- the resource ----
  logic [255:0]  ent_vec_q;
  cairn_hw_pkg::rsp_res_t ent;
  logic ent_ok, is_atomic;
  logic [23:0]   npk_q;
  assign ent       = ent_vec_q;
  assign is_atomic = ent.psn_kind == cairn_hw_pkg::RES_KIND_ATOMIC;
  assign ent_ok = (ent.psn_kind == cairn_hw_pkg::RES_KIND_READ || is_atomic) && ent.qpn == cfg.tag_qpn
      && ent.msn_gen == cfg.tag_gen;
  // ---- requests and answers ----
  logic more_req, ans_left, ans_take;
  logic [LEN_W-1:0] pk_len;
  cairn_int_pkg::mr_rsp_t ans, ans_q;
  rsp_tx_req u_req (
      .clk_i, .rst_ni, .pmtu_i(cfg.state_pmtu), .pd_i(cfg.pd_sgid_pd), .qpn_i(cfg.tag_qpn), .va_i(ent.va),
      .key_i(ent.rkey), .length_i(ent.length),
      .start_i(state_q == T_SIZE), .pk_i(pk_q), .ask_i(state_q == T_MRQ), .take_i(ans_take),
      .npk_o(npk_q), .len_o(pk_len), .more_o(more_req), .left_o(ans_left), .mr_o, .mr_ready_i
      );
  assign mr_ready_o = (state_q == T_ANS || state_q == T_DRAIN) && ans_left;
  assign ans_take   = mr_i.valid && mr_ready_o;
  assign ans        = mr_i.rsp;

  // ---- jobs and segments ----
  logic j_ack, j_before, need_ackb, last_pk, out_ok, push, seg_ok;
  logic [23:0] j_psn, j_msn;
  logic [7:0]    j_syn;
  logic [15:0]   push_seq;
  logic          ring_empty, owes, ack_valid, quiet, ev_valid;
  cairn_int_pkg::tx_job_t ack;
  assign last_pk   = pk_q + 24'h1 == npk_q;
  assign need_ackb = ent.psn_ack_before && !ackb_q && pk_q == '0;
  assign j_before  = state_q == T_GO && need_ackb;
  assign j_ack     = j_before || state_q == T_ACK;
  assign j_psn     = j_before ? ent.psn_first_psn - 24'h1 : j_ack ? rsp.ack_psn : ent.psn_first_psn + pk_q;
  assign j_msn     = rsp.msn;   // every AETH has the current one, that of an answer given again too
  assign j_syn     = (state_q == T_ACK && nak) ? rsp.flags_syndrome : {3'b000, credit};
  logic pi_ok, past_q;
  logic [15:0] pi, flush_pi;        // of an SRQ a QP flushes only what it holds
  logic [4:0]  credit;
  rsp_tx_credit u_credit (
      .clk_i, .start_i(state_q == T_IDLE), .hold_i(past_q), .rq_busy_i(busy_i.rq), .rq_rd_pi_i,
      .srq_i(cfg.state_use_srq),
      .rq_index_i(rsp.rq_rq_index), .ok_o(pi_ok), .pi_o(pi), .code_o(credit));
  rsp_tx_out u_out (
      .clk_i, .rst_ni, .epoch_i(engine_i.epoch), .cfg_i(cfg), .slot_i(cairn_int_pkg::SLOT_W'(slot_q)),
      .job_i(state_q == T_JOB), .ack_i(j_ack), .atomic_i(is_atomic), .value_i(ent.va), .first_i(pk_q == base_q),
      .last_i(last_pk),
      .psn_i(j_psn), .syn_i(j_syn), .msn_i(j_msn), .len_i(pk_len), .ok_o(out_ok), .seq_i(seq_q), .push_o(push),
      .seq_o(push_seq), .seq_now_o(seq_now),
      .seg_i(state_q == T_SEG0 || state_q == T_SEG1), .second_i(state_q == T_SEG1), .ans_i(ans_q),
      .seg_ok_o(seg_ok), .empty_o(ring_empty), .ack_valid_o(ack_valid), .ack_view_i, .ack_o(ack),
      .last_ticket_i, .responses_o, .responses_ready_i, .responses_left_i);

  // ---- events: prepared in each cycle in which none is offered; what one says depends on where the visit is ----
  cairn_int_pkg::rsp_ev_t ev, ev_q;
  logic fails, lost, denied, local_fault;
  assign owes        = pend_ack && (live || nak_ok);
  assign quiet       = ring_empty && state_q != T_EV && state_q != T_ACK && state_q != T_JOB && state_q != T_GO;
  assign flush_pi    = cfg.state_use_srq ? rsp.rq_rq_index : pi;
  assign ev_valid    = state_q == T_EV;
  assign ask_o       = {ev_valid, ev_q};
  assign ack_o       = {ack_valid, quiet, ack};
  assign fails       = state_q == T_PICK && is_err_q;               // the payload of a response could not be read
  assign lost        = state_q == T_ENT2 || state_q == T_SIZE;      // the resource: unreadable, or not the QP's
  assign denied      = state_q == T_DRAIN;                          // by the MR service
  assign local_fault = ans_q.vendor == cairn_hw_pkg::VENDOR_ERR_DMA_READ
                       || ans_q.vendor == cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
  always_comb begin
    ev        = '0;
    ev.slot   = cairn_int_pkg::SLOT_W'(slot_q);
    ev.qpn    = cfg.tag_qpn;
    ev.gen    = cfg.tag_gen;
    ev.eqn    = cfg.eqn_async_eqn;
    ev.res    = (state_q == T_DUP) ? s_res : old_q + 8'h1;
    ev.pi     = (state_q == T_PICK) ? flush_pi : 16'(old_q);
    ev.kind   = (fails || lost || denied) ? cairn_int_pkg::RSE_FAIL : (state_q != T_PICK) ? cairn_int_pkg::RSE_RES
                : owes ? cairn_int_pkg::RSE_ACK : cairn_int_pkg::RSE_FLUSH;
    // Of a lost resource no PSN is known: the NAK names the expected one.
    ev.psn    = fails ? tx_err_i.lost.psn : lost ? rsp.epsn : ent.psn_first_psn + pk_q;
    ev.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
    ev.vendor = (state_q == T_SIZE) ? cairn_hw_pkg::VENDOR_ERR_CTX_CHECK : cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    if (denied) begin
      ev.vendor = ans_q.vendor;
      if (!local_fault) ev.syn = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_ACCESS);
    end
  end
  always_ff @(posedge clk_i) if (!ev_valid) ev_q <= ev;

  // ---- control ----
  // Failed reads first, also during a fence, which waits for them: what tx_path can hold of them depends on it.
  logic serve_err, parked, err_now, flush, take;
  assign serve_err   = tx_err_i.valid;
  assign take        = state_q == T_IDLE && !init_q && (serve_err || (p.valid && !engine_i.halt));
  assign p_ready     = take && !serve_err;
  assign ctx_o.valid = state_q == T_ASK;
  assign ctx_o.key   = qpn_q;
  assign part_slot_o = cairn_int_pkg::SLOT_W'(slot_q);
  assign rq_rd_qpn_o = qpn_q;
  assign err_now     = rsp.flags_err || cfg.state == cairn_hw_pkg::QP_STATE_ERR;
  // In RESET the producer index is closed and tells nothing.
  assign flush         = err_now && (live || cfg.state == cairn_hw_pkg::QP_STATE_ERR);
  assign parked        = state_q == T_LOOK && ctx_i.valid && ctx_i.status == ST_WAIT;
  assign unpin_o.valid = parked || state_q == T_END;
  assign unpin_o.slot  = cairn_int_pkg::SLOT_W'({parked ? ctx_i.slot[AW-1:0] : slot_q});
  // The failed read is dealt with, or its QP is gone.
  assign tx_err_ready_o = is_err_q && ((state_q == T_PICK && cfg.tag_gen != tx_err_i.lost.gen)
      || (state_q == T_EV && asked_i.ready)
                                      || (state_q == T_LOOK && ctx_i.valid && ctx_i.status != ST_HIT
                                          && ctx_i.status != ST_WAIT && ctx_i.status != ST_RETRY));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= T_IDLE;
    end else begin
      case (state_q)
        T_IDLE: if (take) state_q <= T_ASK;
        T_ASK:  if (ctx_ready_i) state_q <= T_LOOK;
        T_LOOK: if (ctx_i.valid) begin
          if (ctx_i.status == ST_HIT) state_q <= T_READ;
          else state_q <= (ctx_i.status == ST_RETRY && !is_err_q) ? T_AGAIN : T_IDLE;
        end
        T_READ: state_q <= T_LOAD;
        T_LOAD: if (pi_ok && part_ok_q) state_q <= T_PICK;
        T_PICK: begin
          back_q <= T_END;
          if (is_err_q) state_q <= (cfg.tag_gen == tx_err_i.lost.gen) ? T_EV : T_END;
          else if (s_start) state_q <= T_DUP;
          else if ((live || nak_ok) && old_q != rsp.epsn_res_tail) state_q <= T_ENT;
          else if (owes) begin
            state_q <= T_EV;
            back_q  <= T_ACK;
          end else state_q <= (flush && (rsp.flags_rqe_taken || rsp.rq_rq_index != flush_pi)) ? T_EV : T_END;
        end
        T_DUP: if (s_done) begin
          back_q  <= T_ENT;
          state_q <= s_miss ? T_FILL : (s_found && s_dist[7]) ? T_EV : T_AGAIN;
        end
        T_ENT:  state_q <= T_ENT2;
        T_ENT2: begin
          back_q  <= T_END;
          state_q <= !res_i.hit ? T_FILL : res_i.err ? T_EV : T_SIZE;
        end
        T_SIZE: state_q <= !ent_ok ? T_EV : (is_atomic && !ent.psn_done) ? T_END : T_GO;
        T_GO: if (!need_ackb) begin
          back_q  <= T_JOB;
          state_q <= (ent.length == '0) ? T_EV : T_MRQ;
        end
        T_MRQ: if (!more_req) state_q <= T_ANS;
        T_ANS: if (ans_take) begin
          back_q <= (ans.status == cairn_int_pkg::MRS_OK) ? T_JOB : T_END;
          if (ans.status != cairn_int_pkg::MRS_OK) state_q <= T_DRAIN;
          else state_q <= last_pk ? T_EV : T_JOB;
        end
        T_DRAIN: if (!ans_left) state_q <= (ans_q.status == cairn_int_pkg::MRS_MISS) ? T_PARK : T_EV;
        T_JOB:  if (out_ok) state_q <= (ent.length == '0) ? T_AGAIN : T_SEG0;
        T_SEG0: if (seg_ok) state_q <= (ans_q.len1 != '0) ? T_SEG1 : ans_left ? T_ANS : T_AGAIN;
        T_SEG1: if (seg_ok) state_q <= ans_left ? T_ANS : T_AGAIN;
        T_ACK:  if (out_ok) state_q <= err_now ? T_AGAIN : T_END;
        T_EV:   if (asked_i.ready) begin
          if (back_q != T_ACK || asked_i.grant.yes) state_q <= back_q;
          else state_q <= err_now ? T_AGAIN : T_END;
        end
        T_FILL: state_q <= res_fill_ready_i ? T_END : T_AGAIN;
        T_PARK: state_q <= park_ok ? T_END : T_AGAIN;
        T_AGAIN: if (self_valid && self_ready) state_q <= pinned_q ? T_END : T_IDLE;
        default: state_q <= T_IDLE;
      endcase
    end
  end

  // No way was free: others are asked for first, and the lookups get some rest from us.
  logic [3:0] pause_q;
  assign self_valid = state_q == T_AGAIN && pause_q == '0;
  // ---- the mark of a drain: behind the visit in hand, then behind its last segment ----
  logic visited_q;
  always_ff @(posedge clk_i) begin
    visited_q <= rst_ni && mr_i.drain && (visited_q || state_q == T_IDLE || state_q == T_END);
    drained_o <= rst_ni && mr_i.drain && (drained_o
                 || (visited_q && (!responses_o.seg_valid || responses_ready_i.seg)));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_at_q <= '0;
      pause_q   <= '0;
      pinned_q  <= 1'b0;
    end else begin
      if (&init_at_q) init_q <= 1'b0;
      if (init_q) init_at_q <= init_at_q + 1'b1;
      if (state_q == T_LOOK && ctx_i.valid && ctx_i.status == ST_RETRY) pause_q <= '1;
      else if (pause_q != '0) pause_q <= pause_q - 4'd1;
      if (state_q == T_LOOK && ctx_i.valid) pinned_q <= ctx_i.status == ST_HIT;
      else if (state_q == T_END) pinned_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == T_IDLE) begin
      qpn_q        <= serve_err ? tx_err_i.lost.qpn : p.qpn;
      is_err_q     <= serve_err;
    end
    if (state_q == T_LOOK) slot_q <= ctx_i.slot[AW-1:0];
    part_ok_q <= !busy_i.part;
    past_q <= state_q == T_LOAD ? pi_ok && part_ok_q : past_q && state_q != T_IDLE;
    if (state_q == T_LOAD) begin
      cfg        <= part_i.cfg;
      rsp        <= part_i.rsp;
      dup_pend_q <= dup_pend;
      old_q      <= new_rsp.msn_res_old;
      pk_q       <= same_res ? o.pk : '0;
      base_q     <= same_res ? o.base : '0;
      ackb_q     <= same_res && o.ackb;
      seq_q      <= mine ? o.seq : seq_now;
    end
    // The ACK state as it is now
    if (state_q == T_EV && asked_i.ready && back_q == T_ACK) begin
      rsp.ack_psn        <= asked_i.grant.psn;
      rsp.flags_syndrome <= asked_i.grant.syn;
      rsp.msn            <= asked_i.grant.msn;
      rsp.rq_rq_index    <= asked_i.grant.rq;
    end
    if (state_q == T_DUP && s_done && s_found && s_back) begin
      old_q  <= s_res;
      pk_q   <= s_off;
      base_q <= s_off;
      ackb_q <= 1'b1;
    end
    if (state_q == T_ENT2) ent_vec_q <= res_i.entry;
    if (j_before && out_ok) ackb_q <= 1'b1;
    if (ans_take && state_q == T_ANS) ans_q <= mr_i.rsp;
    // A packet is on its way; behind the last one the next resource begins.
    if (state_q == T_JOB && out_ok) begin
      pk_q <= last_pk ? '0 : pk_q + 24'h1;
      if (last_pk) begin
        old_q  <= old_q + 8'h1;
        base_q <= '0;
        ackb_q <= 1'b0;
      end
    end
    if (push) seq_q <= push_seq;
  end

  cairn_hw_pkg::qp_cfg_t new_cfg;
  cairn_hw_pkg::qp_rsp_t new_rsp;
  logic mine, same_res;
  assign new_cfg  = part_i.cfg;
  assign new_rsp  = part_i.rsp;
  assign mine     = o.valid && o.gen == new_cfg.tag_gen;
  assign same_res = mine && o.res == new_rsp.msn_res_old;

  rsp_tx_counts u_counts (
      .sent_i(state_q == T_ACK && out_ok), .qpn_i(qpn_q), .syn_i(rsp.flags_syndrome), .events_o);
  assign idle_o = state_q == T_IDLE && (engine_i.halt
      || (!p.valid && p_idle)) && !tx_err_i.valid && !responses_o.job_valid && !responses_o.seg_valid;
endmodule
