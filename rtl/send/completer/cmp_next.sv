// SPDX-License-Identifier: Apache-2.0
// Last step of cmp_packet: what a response packet or an event does to the first half of the qp_cmp part. Combinational.
//
// IBTA 9.7.5.1.2 (ACK, NAK), 9.7.5.2.8 (RNR), 9.7.6 (timer), 9.7.7.2 (credits).
// - ACK: moves UNA_PSN, refreshes credits.
// - Sequence NAK: acknowledges what is before it and goes back to it. RNR NAK: the same, but the requester stands still
//   until WAIT_UNTIL. Fatal NAKs: ERR with status.
// - READ response and ATOMIC_ACK: acknowledge what is before them and go on to cmp_place.
// Going back: sets UNA_PSN = GB_PSN and raises GB_EPOCH. IMPLIED stands from an implied NAK until data beyond GB_PSN is
// there.
// Credits: only grow. LSN is the largest MSN + credits - FREE_MSG seen (messages of ours that take no receive raise the
//   limit as they start: req_packet adds FREE_MSG). "No credits" in any answer ends it for good. The scheduler is kicked
//   for them if the limit so far is less than NEAR messages away: a visit has no more than that in flight.
module cmp_next #(
    parameter int unsigned NEAR = 32
) (
    input  cairn_int_pkg::cmp_input_t in_i,
    input  logic [511:0]              cmp_i,
    input  cairn_int_pkg::cmp_found_t found_i,
    input  logic [63:0]               time_now_i,
    output logic [255:0]              half_o,
    output logic                      write_o,
    output logic                      pass_o,         // READ response or ATOMIC_ACK for cmp_place
    output logic                      turn_o,         // what is in the rings must not go out: GB_EPOCH is raised
    output logic                      kick_sched_o,
    output logic                      kick_walk_o,
    output logic                      tmr_o,
    output logic                      tmr_wait_o,     // class
    output logic [63:0]               tmr_deadline_o,
    output cairn_int_pkg::cmp_said_t  said_o
);
  cairn_hw_pkg::qp_cmp_t     c, n;
  cairn_int_pkg::cmp_found_t f;
  cairn_int_pkg::cmv_t       v;
  cairn_int_pkg::cmp_qp_t    q;
  logic [511:0]              bits;
  assign c      = cmp_i;
  assign f      = found_i;
  assign v      = found_i.verdict;
  assign q      = in_i.qp;
  assign bits   = n;
  assign half_o = bits[255:0];

  // ---- what the verdicts have in common ----
  logic        seq, implied, timed_out, moves, waits, resumes, tired, rnr_tired, use_retry, goback, rnr_back, nak,
               fatal, more, grows;
  logic [23:0] psn, gb;
  assign psn        = in_i.psn;
  assign seq        = v == cairn_int_pkg::CMV_SEQ;
  assign implied    = v == cairn_int_pkg::CMV_IMPLIED;
  assign waits      = v == cairn_int_pkg::CMV_STAY;
  assign resumes    = v == cairn_int_pkg::CMV_RESUME;
  assign timed_out  = v == cairn_int_pkg::CMV_TIMER && f.due && !in_i.ev.status[0] && f.out;
  assign use_retry  = seq || implied || timed_out;
  assign tired      = f.left == '0 && !f.spared;
  assign rnr_tired  = f.rnr_left == '0 && q.rnr_retry != 3'd7 && !f.spared;
  assign rnr_back   = v == cairn_int_pkg::CMV_RNR && !rnr_tired;
  assign goback     = (use_retry && !tired) || rnr_back;
  assign nak        = v == cairn_int_pkg::CMV_NAK_INV || v == cairn_int_pkg::CMV_NAK_ACCESS
                      || v == cairn_int_pkg::CMV_NAK_OP;
  assign fatal      = (use_retry && tired) || (v == cairn_int_pkg::CMV_RNR && rnr_tired) || nak
                      || v == cairn_int_pkg::CMV_FATAL;
  // Where it goes back to, or what it acknowledges: it, too, if it is an ACK.
  assign gb         = timed_out ? f.back : psn;
  assign more       = !f.d_lsn[23] && f.d_lsn != '0;
  assign grows      = f.credits && (f.no_credits || more);
  assign turn_o     = goback || fatal;

  // ---- acknowledged, and back ----
  always_comb begin
    n                  = c;
    moves              = 1'b0;
    n.flags_retry_left = f.left;
    n.flags_rnr_left   = f.rnr_left;
    case (v)
      cairn_int_pkg::CMV_DATA: begin
        moves = !f.ignores && f.on_una;
        if (f.on_done && (!c.flags_implied || f.safe)) begin
          n.t_progress    = time_now_i;
          n.flags_implied = 1'b0;
        end
      end
      cairn_int_pkg::CMV_ACK: begin
        moves           = 1'b1;
        n.t_progress    = time_now_i;
        n.flags_implied = c.flags_implied && !f.safe;
      end
      cairn_int_pkg::CMV_RNR, cairn_int_pkg::CMV_SEQ, cairn_int_pkg::CMV_NAK_INV, cairn_int_pkg::CMV_NAK_ACCESS,
      cairn_int_pkg::CMV_NAK_OP: moves = 1'b1;
      cairn_int_pkg::CMV_RESUME: n.t_progress = time_now_i;
      default: ;
    endcase
    if (moves || goback) n.una_una_psn = gb + 24'(v == cairn_int_pkg::CMV_ACK);
    if (seq || rnr_back || timed_out) n.flags_implied = 1'b0;
    if (implied) n.flags_implied = 1'b1;
    if (resumes) n.flags_rnr_wait = 1'b0;
    if (rnr_back) begin
      n.flags_rnr_wait  = 1'b1;
      n.flags_rnr_left  = (q.rnr_retry == 3'd7) ? 3'd7 : f.rnr_left - {2'h0, !f.spared};
      n.wait_wait_until = f.from_now[45:6];
    end
    if (use_retry && !tired) n.flags_retry_left = f.left - {2'h0, !f.spared};
    if (goback) begin
      n.gb_gb_psn   = gb;
      n.flags_doubt = in_i.is_ev;      // a NAK says that nothing behind it was executed
      if (!f.spared) n.gb_gb_done = f.done;
    end
    if (turn_o) n.una_gb_epoch = c.una_gb_epoch + 8'h1;
    if (fatal) n.flags_err = 1'b1;
    if (fatal) {n.flags_err_status, n.flags_err_vendor} = {status, vendor};
    if (grows && f.no_credits) n.flags_credits_off = 1'b1;
    if (grows && !f.no_credits) n.wait_lsn = f.lsn;
  end

  // ---- the error ----
  logic [7:0] status, vendor;
  always_comb begin
    case (v)
      cairn_int_pkg::CMV_FATAL: {status, vendor} = {in_i.ev.status, in_i.ev.vendor};
      cairn_int_pkg::CMV_NAK_INV:
        {status, vendor} = {cairn_hw_pkg::WC_STATUS_REM_INV_REQ_ERR, cairn_hw_pkg::VENDOR_ERR_NAK_INV};
      cairn_int_pkg::CMV_NAK_ACCESS:
        {status, vendor} = {cairn_hw_pkg::WC_STATUS_REM_ACCESS_ERR, cairn_hw_pkg::VENDOR_ERR_NAK_ACCESS};
      cairn_int_pkg::CMV_NAK_OP:
        {status, vendor} = {cairn_hw_pkg::WC_STATUS_REM_OP_ERR, cairn_hw_pkg::VENDOR_ERR_NAK_OP};
      cairn_int_pkg::CMV_RNR:
        {status, vendor} = {cairn_hw_pkg::WC_STATUS_RNR_RETRY_EXC_ERR, cairn_hw_pkg::VENDOR_ERR_RNR};
      cairn_int_pkg::CMV_TIMER:
        {status, vendor} = {cairn_hw_pkg::WC_STATUS_RETRY_EXC_ERR, cairn_hw_pkg::VENDOR_ERR_TIMEOUT};
      default: {status, vendor} = {cairn_hw_pkg::WC_STATUS_RETRY_EXC_ERR, cairn_hw_pkg::VENDOR_ERR_NAK_SEQ};
    endcase
  end

  // ---- who is told ----
  logic rearm, known, acks, far;
  assign known        = v == cairn_int_pkg::CMV_KNOWN;
  assign acks         = v == cairn_int_pkg::CMV_ACK;
  assign far          = !f.room[23] && f.room >= 24'(NEAR);
  assign pass_o       = v == cairn_int_pkg::CMV_DATA;
  assign write_o      = pass_o || acks || resumes || grows || turn_o;
  // A requester that stopped for want of window had a quarter of it outstanding when its visit began (64 packets at
  // most; behind READs the walker tells it), so the first ACK since then finds that.
  assign kick_sched_o = (acks && f.wide) || resumes || goback || (grows && (f.no_credits || !far));
  // Data that is placed, dropped or parked has the walker look (cmp_place, cmp_retire). So has an RNR wait that ends:
  // the walker's report of a lost READ was not listened to. An entry of the ack timer that is as old as the wait is no
  // timeout.
  assign kick_walk_o  = acks || resumes || seq || v == cairn_int_pkg::CMV_RNR || fatal;
  // Known already: the timer runs from the last progress, repeated events must not put it off.
  assign rearm          = v == cairn_int_pkg::CMV_TIMER && (!f.due || in_i.ev.status[0]);
  assign tmr_wait_o     = waits || rnr_back;
  assign tmr_o          = tmr_wait_o || rearm
                          || (q.timeout != '0 && (resumes || known || (use_retry && !tired)));
  assign tmr_deadline_o = (known || (rearm && !in_i.ev.status[0])) ? f.deadline : f.from_now;
  always_comb begin
    said_o                = '0;
    said_o.rx_ack         = acks;
    said_o.packet_seq_err = seq;
    said_o.rnr_nak_rcvd   = v == cairn_int_pkg::CMV_RNR;
    said_o.implied_nak    = implied;
    said_o.ack_timeout    = timed_out;
    said_o.req_rem_inv    = v == cairn_int_pkg::CMV_NAK_INV;
    said_o.req_rem_access = v == cairn_int_pkg::CMV_NAK_ACCESS;
    said_o.req_rem_op     = v == cairn_int_pkg::CMV_NAK_OP;
    said_o.retry_exc      = use_retry && tired;
    said_o.rnr_exc        = v == cairn_int_pkg::CMV_RNR && rnr_tired;
    said_o.rx_ghost_ack   = v == cairn_int_pkg::CMV_GHOST;
  end
endmodule
