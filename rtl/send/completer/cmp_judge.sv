// SPDX-License-Identifier: Apache-2.0
// Second step of cmp_packet: what a response packet or an event is.
//
// IBTA 9.7.5.1.2 (ACK, NAK), 9.7.5.2.8 (RNR), 9.7.6 (timer), 9.7.7.2 (credits).
// - Ghosts are ignored: PSN not sent yet or before the oldest, reserved classes and codes. After an implied NAK the
//   acknowledgements of what was sent before it are not believed until the requester has begun again, since they would
//   hide the missing READ.
// - Timer: retry when the deadline max(T_START, T_PROGRESS) + T has passed with something outstanding, else armed
//   again, also while READ data of the QP is still on its way through cmp_place (status bit 0 of the event). Nothing
//   outstanding past the deadline: off.
// - An implied NAK is known already until the requester has begun again, or progress was made.
// Retries: counted anew once the oldest message got on since the last go-back: its READ data is beyond GB_PSN, or, if
//   it is no READ, what is acknowledged. An acknowledgement beyond an incomplete READ, or data beyond a gap, is no
//   progress: they may come in each round, and a READ that is never answered whole would be tried without end. A NAK
//   of what is behind the data that one lacks is not counted, whether or not it acknowledges anything: either the data
//   is on its way through cmp_place, or the walker finds it lost, and that is the one retry of this loss.
// Deadlines: TIME_W bits of them, told apart up to half of what these count: 9 hours for 46. What is outstanding is not
//   so old, and of nothing else does it matter whether its time is over.
// Cycles: one; what is out stays until the next load_i. Errors: none.
module cmp_judge #(
    parameter int unsigned TIME_W = 64
) (
    input  logic                      clk_i,
    input  logic                      load_i,
    input  cairn_int_pkg::cmp_input_t in_i,
    input  logic [511:0]              cmp_i,      // qp_cmp_t
    input  cairn_int_pkg::cmp_where_t where_i,
    input  logic [63:0]               time_now_i,
    output cairn_int_pkg::cmp_found_t found_o
);
  cairn_hw_pkg::qp_cmp_t     c;
  cairn_int_pkg::cmp_where_t a;
  cairn_int_pkg::cmp_ev_t    e;
  cairn_int_pkg::cmp_qp_t    q;
  assign c = cmp_i;
  assign a = where_i;
  assign e = in_i.ev;
  assign q = in_i.qp;

  // ---- the packet ----
  logic        is_data, is_ack, has_aeth, nak_known, reserved, other_class;
  logic [1:0]  cls;
  logic [4:0]  code;
  assign is_data     = in_i.opflags[cairn_pkt_pkg::OPF_READ] || in_i.opflags[cairn_pkt_pkg::OPF_ATOMIC];
  assign is_ack      = in_i.opflags[cairn_pkt_pkg::OPF_ACK];
  assign has_aeth    = is_ack || in_i.opflags[cairn_pkt_pkg::OPF_START] || in_i.opflags[cairn_pkt_pkg::OPF_END];
  assign reserved    = has_aeth && in_i.aeth[31];
  assign cls         = in_i.aeth[30:29];
  assign code        = in_i.aeth[28:24];
  assign nak_known   = code <= cairn_pkt_pkg::AETH_NAK_OP;
  assign other_class = has_aeth && cls != cairn_pkt_pkg::AETH_CLASS_ACK;

  // ---- against the QP ----
  logic [23:0] lsn;
  logic ahead, ignores, dead, safe, fresh, spared, front, again, x_past, known;
  assign lsn     = a.lsn + 24'(a.credits);
  assign ahead   = !a.hi.less;
  assign ignores = c.flags_implied && a.pending && !a.by_gb.less;
  assign dead    = c.flags_err || c.rflags_flushing || !in_i.state_ok;
  // READ data beyond the last go-back is there. That may lie further back than differences of PSNs tell: then all that
  // is not acknowledged is beyond it.
  assign safe    = !(a.done_gb.less || a.done_gb.at) || a.una_gb.less;
  // Progress since the last go-back; of a READ since the last one that was counted: a NAK for what is behind it is not,
  // and moves GB_PSN beyond it. UNA_PSN is never before GB_PSN, which a go-back makes equal: any difference is
  // progress, however long ago that was.
  assign x_past  = !in_i.is_ev && !a.by_gb.less && (!a.by_gb.at || (is_ack && cls == cairn_pkt_pkg::AETH_CLASS_ACK));
  assign front   = !a.una_gb.at || x_past;
  assign fresh   = a.rd_open ? safe || a.done[7:0] != c.gb_gb_done : front;
  assign spared  = !in_i.is_ev && a.rd_open && !(a.by_done.less || a.by_done.at);
  // It says what was said when the requester was sent back last, which it has not begun.
  assign again   = a.pending && a.by_gb.at;
  assign known   = (a.pending && !a.by_gb.less) || (c.flags_implied && (a.by_gb.less || a.by_gb.at));

  // ---- times ----
  logic        rnr_over;
  logic [45:0] period, wait_ns;
  logic [TIME_W-1:0] now, start, deadline, d_due;
  assign rnr_over = a.wait_left[39] || a.wait_left == '0;
  assign period   = 46'd4096 << q.timeout;
  assign now      = time_now_i[TIME_W-1:0];
  assign start    = a.start[TIME_W-1:0];
  assign deadline = {start[TIME_W-1:12] + (TIME_W-12)'(period[45:12]), start[11:0]};   // a period is whole units
  assign d_due    = now - deadline;
  assign wait_ns  = in_i.is_ev ? ((c.flags_rnr_wait && !rnr_over) ? {a.wait_left, 6'h0} : period)
                               : (cls == cairn_pkt_pkg::AETH_CLASS_RNR) ? {14'h0, a.rnr_ns} : period;

  // ---- verdict ----
  cairn_int_pkg::cmv_t on_timer, on_event, on_class, on_nak, on_packet;
  assign on_timer  = c.flags_rnr_wait ? (rnr_over ? cairn_int_pkg::CMV_RESUME : cairn_int_pkg::CMV_STAY)
                     : (q.timeout != '0) ? cairn_int_pkg::CMV_TIMER : cairn_int_pkg::CMV_NOTHING;
  assign on_event  = dead ? cairn_int_pkg::CMV_NOTHING
                     : (e.kind == cairn_int_pkg::CEV_TIMER) ? on_timer
                     : (e.kind == cairn_int_pkg::CEV_FATAL) ? cairn_int_pkg::CMV_FATAL
                     : c.flags_rnr_wait ? cairn_int_pkg::CMV_NOTHING
                     : known ? cairn_int_pkg::CMV_KNOWN : cairn_int_pkg::CMV_IMPLIED;
  assign on_nak    = (code == cairn_pkt_pkg::AETH_NAK_SEQ) ? (again ? cairn_int_pkg::CMV_GHOST : cairn_int_pkg::CMV_SEQ)
                     : (code == cairn_pkt_pkg::AETH_NAK_INV_REQ) ? cairn_int_pkg::CMV_NAK_INV
                     : (code == cairn_pkt_pkg::AETH_NAK_ACCESS) ? cairn_int_pkg::CMV_NAK_ACCESS
                     : nak_known ? cairn_int_pkg::CMV_NAK_OP : cairn_int_pkg::CMV_GHOST;
  assign on_class  = a.by_una.less ? cairn_int_pkg::CMV_GHOST
                     : (cls == cairn_pkt_pkg::AETH_CLASS_ACK) ? cairn_int_pkg::CMV_ACK
                     : (cls == cairn_pkt_pkg::AETH_CLASS_NAK) ? on_nak
                     : (cls != cairn_pkt_pkg::AETH_CLASS_RNR || again || (c.flags_rnr_wait && a.by_gb.at))
                       ? cairn_int_pkg::CMV_GHOST : cairn_int_pkg::CMV_RNR;
  assign on_packet = (dead || ahead || reserved || (ignores && !is_data) || !(is_data || is_ack))
                     ? cairn_int_pkg::CMV_GHOST
                     : !is_data ? on_class
                     : (a.by_old.less || other_class) ? cairn_int_pkg::CMV_GHOST : cairn_int_pkg::CMV_DATA;

  always_ff @(posedge clk_i) if (load_i) begin
    found_o.verdict    <= in_i.is_ev ? on_event : on_packet;
    found_o.rd_open    <= a.rd_open;
    found_o.spared     <= spared;
    found_o.safe       <= safe;
    found_o.ignores    <= ignores;
    found_o.on_una     <= !a.by_una.less;
    found_o.on_done    <= !a.by_done.less;
    found_o.out        <= a.rd_open || !(a.out.less || a.out.at);
    found_o.wide       <= a.wide;
    found_o.due        <= !d_due[TIME_W-1];
    found_o.credits    <= !in_i.is_ev && !dead && !ahead && (is_data || is_ack) && has_aeth && !in_i.aeth[31]
                          && cls == cairn_pkt_pkg::AETH_CLASS_ACK && !c.flags_credits_off;
    found_o.no_credits <= code == 5'(cairn_pkt_pkg::AETH_NO_CREDIT);
    found_o.left       <= fresh ? q.retry_cnt : c.flags_retry_left;
    found_o.rnr_left   <= fresh ? q.rnr_retry : c.flags_rnr_left;
    found_o.back       <= a.rd_open ? a.done : a.una;
    found_o.done       <= a.done[7:0];
    found_o.lsn        <= lsn;
    found_o.d_lsn      <= lsn - c.wait_lsn;
    found_o.room       <= c.wait_lsn - a.spent;
    found_o.deadline   <= 64'(deadline);
    found_o.from_now   <= 64'(TIME_W'(now + TIME_W'(wait_ns)));
  end
endmodule
