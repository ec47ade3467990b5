// SPDX-License-Identifier: Apache-2.0
// What a packet or an event of rsp_tx does to the qp_rsp part. Combinational; rsp_commit writes it.
//
// The only place where that part's next value is formed. EPSN, MSN, ACK state and NAKs as IBTA 9.7.3, 9.7.4.1 and
// 9.7.5.1:
// - The ACK state is one {PSN, syndrome}: an ACK coalesces into a later one; a NAK that has not left yet is replaced
//   when its PSN arrives after all.
// - An ACK goes out straight from here (direct_o) when nothing that must be answered is in front of it. It waits
//   (ACK_PENDING, no kick) when a packet of the QP follows (rec.more), which then has it; else rsp_tx is kicked.
//   Whoever sends it takes it out of the record first: what goes out later is never older.
// - One sequence NAK for each gap, none while an RNR NAK stands (NAK_SENT, RNR_SENT). A duplicate of any kind ends the
//   sequence NAK's silence, since the peer has gone back.
// - A READ or atomic moves a pending ACK into its resource (ack_before_o).
// - An atomic that failed takes its resource back and those behind it, so what is older is answered before the NAK.
// dead_o: the responder is in error (or the flush puts it there); the packet is discarded.
module rsp_next (
    input  logic [511:0]            cur_i,         // qp_rsp
    input  cairn_int_pkg::rsp_rec_t rec_i,
    input  logic                    is_ev_i,       // ev_i, not rec_i
    input  cairn_int_pkg::rsp_ev_t  ev_i,
    input  logic                    ack_room_i,    // an ACK may go out from here
    output logic                    direct_o,      // it does
    output logic                    grant_o,       // rsp_tx sends the ACK state
    output logic                    owed_o,        // an ACK or NAK waits
    output logic [511:0]            next_o,
    output logic                    write_o,       // next_o differs
    output logic                    dead_o,
    output logic                    run_o,         // SEND, WRITE, READ or atomic executed
    output logic                    fatal_o,       // the responder goes into error now
    output logic                    kick_o,        // rsp_tx has something to do
    output logic                    cqe_o,
    output logic [15:0]             cqe_index_o,
    output logic [7:0]              cqe_status_o,  // SUCCESS: of a packet
    output logic                    cqe_srq_o,     // the index is a slot of the SRQ
    output logic                    ack_before_o,
    output logic                    comm_est_o,
    output logic                    coalesced_o
);
  cairn_hw_pkg::qp_rsp_t   c, n, n_ev, n_run, n_not;   // behind an event, a packet executed, one that is not
  cairn_int_pkg::rsp_rec_t r;
  cairn_int_pkg::rsp_ev_t  e;
  logic                    runs, is_res, mine, nak_class, nak_owed;
  logic [7:0]              ack_syn;
  logic [15:0]             held;        // receive of the message in progress
  logic [15:0]             posted;      // receives that rsp_tx saw

  assign c = cur_i;
  assign r = rec_i;
  assign e = ev_i;
  assign next_o    = n;
  assign is_res    = r.kind == cairn_int_pkg::RSK_READ || r.kind == cairn_int_pkg::RSK_ATOMIC;
  assign runs      = r.kind == cairn_int_pkg::RSK_SEND || r.kind == cairn_int_pkg::RSK_WRITE || is_res;
  // A record of another QP or generation cannot be here: the slot is pinned. Checked all the same.
  assign mine      = {c.tag_qpn, c.tag_gen} == (is_ev_i ? {e.qpn, e.gen} : {r.id.qpn, r.id.gen});
  assign nak_class = c.flags_syndrome[6:5] != cairn_pkt_pkg::AETH_CLASS_ACK;
  assign nak_owed  = c.flags_ack_pending && nak_class;
  // The credits are put in when it goes out (rsp_tx_send).
  assign ack_syn   = 8'(cairn_pkt_pkg::AETH_NO_CREDIT);
  assign held      = c.flags_srq_held ? c.rq_srq_slot : c.rq_rq_index - 16'h1;

  // ---- events ----
  logic        is_ack, is_moved, is_failed, granted, answered, moved, void_fault, flush_one, new_res, ev_kick;
  logic        flush_more, rq_takes;
  logic [7:0]  seen_dist;
  logic [15:0] rq_on;                   // the receive behind what is flushed, or taken
  logic [23:0] d_nak;                   // of a failure, from the PSN that is acknowledged or NAKed
  assign is_ack     = e.kind == cairn_int_pkg::RSE_ACK;
  assign is_moved   = e.kind == cairn_int_pkg::RSE_RES;
  assign is_failed  = e.kind == cairn_int_pkg::RSE_FAIL || e.kind == cairn_int_pkg::RSE_ATOM;
  // Not before the answers of what came before it.
  assign answered   = c.msn_res_old == c.epsn_res_tail;
  assign granted    = is_ack && c.flags_ack_pending && answered;
  // Only from where rsp_tx saw it: a new READ may have pushed it on meanwhile.
  assign moved      = c.msn_res_old == e.pi[7:0];
  assign seen_dist  = e.res - c.ack_psn_res_seen;
  assign new_res    = !seen_dist[7] && seen_dist != '0;
  // In error already: only in place of the NAK of a later packet. Else the resources are over, and what waits behind
  // them, the NAK or the flush, is next.
  assign d_nak      = e.psn - c.ack_psn;
  assign void_fault = c.flags_err && !(nak_owed && d_nak[23]);
  // Of an SRQ only the slot held flushes: what rsp_tx saw of the index may be older than the last take.
  assign posted     = e.pi - c.rq_rq_index;
  assign flush_one  = c.flags_rqe_taken || (!c.flags_srq_held && posted != '0);
  assign rq_takes   = is_ev_i ? !c.flags_rqe_taken && flush_one : r.take && !r.srq.valid;
  assign rq_on      = rq_takes ? c.rq_rq_index + 16'h1 : c.rq_rq_index;      // (which of them comes late)
  assign flush_more = !c.flags_srq_held && posted != 16'(!c.flags_rqe_taken && flush_one);
  assign ev_kick    = is_ack ? c.flags_ack_pending && !answered : is_moved ? !moved : is_failed || flush_more;
  always_comb begin
    n_ev = c;
    if (is_ack) begin
      n_ev.flags_ack_pending = c.flags_ack_pending && !granted;
    end else if (is_moved) begin
      if (moved) n_ev.msn_res_old = e.res;
      if (moved && new_res) n_ev.ack_psn_res_seen = e.res;
    end else if (is_failed && void_fault) begin
      n_ev.msn_res_old      = c.epsn_res_tail;
      n_ev.ack_psn_res_seen = c.epsn_res_tail;
    end else if (is_failed) begin
      n_ev.flags_err         = 1'b1;
      n_ev.flags_ack_pending = 1'b1;
      n_ev.flags_syndrome    = e.syn;
      n_ev.ack_psn           = e.psn;
      n_ev.flags_rqe_taken   = 1'b0;
      if (e.kind == cairn_int_pkg::RSE_ATOM) begin
        n_ev.msn              = e.msn - 24'h1;
        n_ev.epsn_res_tail    = e.res;
      end else begin
        n_ev.msn_res_old      = c.epsn_res_tail;
        n_ev.ack_psn_res_seen = c.epsn_res_tail;
      end
    end else begin
      // Flush: the responder is in error from now on, whatever packets are still on their way.
      n_ev.flags_err       = 1'b1;
      n_ev.flags_rqe_taken = 1'b0;
      n_ev.flags_msg       = cairn_hw_pkg::RSP_MSG_NONE;
      n_ev.rq_rq_index     = rq_on;
    end
  end

  // ---- a packet that is executed ----
  logic        run_acks, direct, less;
  logic [7:0]  kept;
  logic [32:0] rem_on;                  // one adder for both ways, bit 0 has its carry
  assign less     = r.kind == cairn_int_pkg::RSK_WRITE;
  assign rem_on   = {r.place.mlen, less} + {32'(r.data.pay_len) ^ {32{less}}, less};
  assign run_acks = !is_res && !r.silent && (r.ackreq || c.flags_ack_pending);
  assign direct   = run_acks && !r.more && answered && ack_room_i;
  assign kept     = c.epsn_res_tail - c.msn_res_old;
  always_comb begin
    n_run                = c;
    n_run.epsn           = r.npsn;
    n_run.flags_nak_sent = 1'b0;
    n_run.flags_rnr_sent = 1'b0;
    n_run.msn            = c.msn + 24'(r.last);
    n_run.flags_comm_est = c.flags_comm_est || r.rtr;
    n_run.flags_msg      = r.last ? cairn_hw_pkg::RSP_MSG_NONE : (r.kind == cairn_int_pkg::RSK_SEND)
                           ? cairn_hw_pkg::RSP_MSG_SEND : cairn_hw_pkg::RSP_MSG_WRITE;
    n_run.rq_rq_index    = (r.srq.valid && r.take) ? r.rq.index : rq_on;
    if (r.take) {n_run.flags_srq_held, n_run.rq_srq_slot} = {r.srq.valid, r.srq.slot};
    // UC: a receive is taken when its message completes
    n_run.flags_rqe_taken = r.kind == cairn_int_pkg::RSK_SEND && !r.last && !r.silent;
    n_run.va              = r.place.va + 64'(r.data.pay_len);
    n_run.rkey            = r.place.key;
    n_run.remaining       = rem_on[32:1];
    n_run.write_len       = r.place.wlen;
    if (is_res) begin
      n_run.flags_ack_pending = 1'b0;
      n_run.epsn_res_tail     = c.epsn_res_tail + 8'h1;
      // the oldest is recycled
      if (kept == 8'(cairn_hw_pkg::RSP_RES_PER_QP)) n_run.msn_res_old = c.msn_res_old + 8'h1;
    end else if (run_acks) begin
      n_run.flags_ack_pending = !direct;
      n_run.flags_syndrome    = ack_syn;
      n_run.ack_psn           = r.psn;
    end
  end

  // ---- one that is not ----
  logic is_dup, is_again, is_oos, is_rnr, is_err, gap, not_write;
  logic [23:0] epsn_now;        // of a gap the PSN that is missing, of a duplicate the last one that was not
  assign epsn_now = c.epsn - 24'(is_dup);
  assign is_dup   = r.kind == cairn_int_pkg::RSK_DUP;
  assign is_again = r.kind == cairn_int_pkg::RSK_DUPRD || r.kind == cairn_int_pkg::RSK_DUPAT;
  assign is_oos   = r.kind == cairn_int_pkg::RSK_OOS;
  assign is_rnr   = r.kind == cairn_int_pkg::RSK_RNR;
  assign is_err   = r.kind == cairn_int_pkg::RSK_ERR;
  assign gap      = is_oos && !c.flags_nak_sent;      // and nothing has been said of it yet
  assign not_write = is_again ? !nak_owed && c.flags_nak_sent && !c.flags_rnr_sent : is_oos ? gap
                     : is_dup || is_rnr || is_err || (r.kind == cairn_int_pkg::RSK_DROP && r.silent && !r.ud.valid);
  always_comb begin
    n_not = c;
    if (is_dup || is_again) begin
      // A NAK on its way acknowledges as much.
      if (!nak_owed) n_not.flags_nak_sent = c.flags_rnr_sent;
      if (!nak_owed && is_dup) begin
        n_not.flags_ack_pending = 1'b1;
        n_not.flags_syndrome    = ack_syn;
        n_not.ack_psn           = epsn_now;
      end
    end else if (is_oos) begin
      if (gap) begin
        n_not.flags_nak_sent    = 1'b1;
        n_not.flags_rnr_sent    = 1'b0;
        n_not.flags_ack_pending = 1'b1;
        n_not.flags_syndrome    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_SEQ);
        n_not.ack_psn           = epsn_now;
      end
    end else if (is_rnr) begin
      n_not.flags_nak_sent    = 1'b1;
      n_not.flags_rnr_sent    = 1'b1;
      n_not.flags_ack_pending = 1'b1;
      n_not.flags_syndrome    = r.verdict.syn;
      n_not.ack_psn           = r.psn;
    end else if (is_err) begin
      n_not.flags_err         = 1'b1;
      n_not.flags_ack_pending = !r.silent;
      n_not.flags_syndrome    = r.verdict.syn;
      n_not.ack_psn           = r.psn;
      n_not.flags_rqe_taken   = 1'b0;
      n_not.flags_msg         = cairn_hw_pkg::RSP_MSG_NONE;
      n_not.rq_rq_index       = rq_on;
    end else begin
      // UC: the message is lost, the PSNs go on from here.
      n_not.epsn      = r.npsn;
      n_not.flags_msg = cairn_hw_pkg::RSP_MSG_NONE;
    end
  end

  // ---- which of them, and what goes with it ----
  logic ev, dead, run, not_run, left;     // left: nothing follows that would have the ACK
  assign ev      = mine && is_ev_i;
  assign dead    = mine && !is_ev_i && !r.over && c.flags_err;
  assign run     = mine && !is_ev_i && !r.over && !c.flags_err && runs;
  assign not_run = mine && !is_ev_i && !r.over && !c.flags_err && !runs;
  assign n            = is_ev_i ? n_ev : runs ? n_run : n_not;
  assign write_o      = ev || run || (not_run && not_write);
  assign dead_o       = !mine || (!is_ev_i && c.flags_err);
  assign run_o        = run;
  assign fatal_o      = (ev && is_failed && !void_fault && !c.flags_err) || (not_run && is_err);
  assign left         = mine && !is_ev_i && !run && !r.more && c.flags_ack_pending;
  assign direct_o     = run && direct;
  assign grant_o      = ev && granted;
  assign owed_o       = mine && c.flags_ack_pending;
  assign kick_o       = (ev && ev_kick) || left || (run && (is_res || (run_acks && !direct && !r.more)))
                        || (not_run && (is_dup || is_again || is_rnr || is_err || gap));
  assign ack_before_o = run && is_res && c.flags_ack_pending;
  assign comm_est_o   = run && r.rtr && !c.flags_comm_est;
  assign coalesced_o  = run && run_acks && c.flags_ack_pending && !nak_class;
  // What a packet has taken of an SRQ comes back when the QP is in error.
  always_comb begin
    cqe_o        = 1'b0;
    cqe_status_o = (run || !mine) ? cairn_hw_pkg::WC_STATUS_SUCCESS : cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
    cqe_index_o  = r.srq.valid ? r.srq.slot : r.rq.index;
    cqe_srq_o    = r.srq.valid;
    if (ev) begin
      cqe_o       = is_failed ? !void_fault && c.flags_rqe_taken : !is_ack && !is_moved && flush_one;
      cqe_index_o = (is_failed || c.flags_rqe_taken) ? held : c.rq_rq_index;
      cqe_srq_o   = (is_failed || c.flags_rqe_taken) && c.flags_srq_held;
    end else if (dead) begin
      cqe_o = r.srq.valid && r.take;
    end else if (run) begin
      cqe_o = r.last && (r.kind == cairn_int_pkg::RSK_SEND || r.take);
    end else if (not_run && is_err) begin
      cqe_o        = c.flags_rqe_taken || r.take;
      cqe_status_o = r.verdict.status;
      if (c.flags_rqe_taken) cqe_index_o = held;
      else if (!r.srq.valid) cqe_index_o = c.rq_rq_index;
    end
  end
endmodule
