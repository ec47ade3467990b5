// SPDX-License-Identifier: Apache-2.0
// First stage of the completer: response packets from rx_dispatch, and events (timers, implied NAKs, data that cannot
// be placed).
//
// Owns: the first half of qp_cmp (bytes 0 to 31). cmp_where, cmp_judge and cmp_next say what each packet and event
//   does. READ responses, atomic answers, and others that hold cells, go on to cmp_place with their pin; all others are
//   finished here, and their pin goes back.
// Order: an event is taken with its write; the QP stays pinned by its sender until then. Events go first, and a packet
//   is begun only when cmp_place has room: the stage never waits for cmp_place. Kicks leave with the write.
// Cycles: one event in 4: take, read, judge, compute. A packet is taken in the cycle in which the one before it is
//   computed: one in 3; if not FULL one in 4, so cmp_place has room for what comes if it has for one. What is written
//   with the take reaches it (fresh_q); if not FULL that takes one more.
// Errors: none of its own.
module cmp_packet #(
    parameter bit ATOMIC = 1'b1,                            // there are atomics
    parameter int unsigned TIME_W = 64,                     // bits of deadlines that count, see cmp_judge
    parameter bit FULL   = 1'b1                             // what is told may come each cycle, see stream_half
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    input  logic                                 halt_i,      // fence: take no new packet
    input  logic [63:0]                          time_now_i,
    input  logic                                 pkt_valid_i,
    output logic                                 pkt_ready_o,
    input  cairn_int_pkg::rx_pkt_t               pkt_i,
    input  logic [1:0]                           ev_valid_i,  // 0 cmp_retire, 1 cmp_place
    output logic [1:0]                           ev_ready_o,
    input  cairn_int_pkg::cmp_ev_t               retire_ev_i,
    input  cairn_int_pkg::cmp_ev_t               place_ev_i,
    // parts, one cycle after the slot, or when they are there (rd_ok_i)
    output logic [cairn_int_pkg::SLOT_W-1:0]     rd_slot_o,
    output logic                                 rd_asks_o,
    input  logic                                 rd_ok_i,
    input  cairn_int_pkg::sent_parts_t           part_i,
    output cairn_int_pkg::half_write_t           write_o,
    // to cmp_place; room: at least two more fit
    output logic                                 place_valid_o,
    input  logic                                 place_room_i,
    output cairn_int_pkg::cmp_rec_t              place_o,
    // finished packets
    output cairn_int_pkg::unpin_t                rel_o,
    input  logic                                 rel_ready_i,
    // kicks: scheduler, cmp_retire
    output cairn_int_pkg::progress_kicks_t       kick_o,
    input  cairn_int_pkg::progress_kicks_ready_t kick_ready_i,
    // timers
    output cairn_int_pkg::timer_set_t            timer_o,
    input  logic                                 timer_ready_i,
    output cairn_hw_pkg::cmp_packet_events_t     events_o,
    output cairn_int_pkg::tx_allow_t             allow_o,
    output logic                                 idle_o
);
  typedef enum logic [1:0] {S_IDLE, S_READ, S_JUDGE, S_NEXT} state_e;
  state_e state_q;

  cairn_int_pkg::rx_meta_t   m;
  cairn_hw_pkg::qp_cfg_t     cfg;
  cairn_int_pkg::cmp_ev_t    ev;
  cairn_int_pkg::cmp_qp_t    pq;
  cairn_int_pkg::cmp_rec_t   rec_q, place_q;
  cairn_int_pkg::cmp_input_t in_q;
  assign m   = pkt_i.meta;
  assign cfg = pkt_i.cfg;
  assign ev  = ev_valid_i[0] ? retire_ev_i : place_ev_i;
  always_comb begin
    pq           = '0;
    pq.qpn       = m.qpn;
    pq.gen       = m.gen;
    pq.slot      = m.slot;
    pq.pd        = cfg.pd_sgid_pd;
    pq.pmtu      = cfg.state_pmtu;
    pq.timeout   = cfg.state_timeout;
    pq.retry_cnt = cfg.state_retry_cnt;
    pq.rnr_retry = cfg.state_rnr_retry;
  end

  // ---- what is next; an event that is being taken is not ----
  logic       take, take_ev, fire, src_q, wrote_q, may, early;
  logic [1:0] ev_done_q;
  logic [cairn_int_pkg::SLOT_W-1:0] w_slot_q, take_slot;
  assign take_ev     = ev_valid_i != '0 && ev_done_q == '0;
  assign early       = FULL && fire && !in_q.is_ev;
  assign may         = (state_q == S_IDLE || early) && ev_valid_i == '0 && !halt_i && place_room_i;
  assign take        = (may && pkt_valid_i) || (state_q == S_IDLE && take_ev);
  assign rd_asks_o   = state_q == S_READ;
  assign rd_slot_o   = rd_asks_o ? in_q.qp.slot : take_slot;
  assign take_slot   = (ev_valid_i != '0) ? ev.qp.slot : m.slot;
  assign pkt_ready_o = may;

  // ---- read, judge, compute. What is written in the cycle of a read comes from here ----
  logic                       fresh_q;
  logic [511:0]               cmp_bits;
  cairn_int_pkg::sent_parts_t part;
  assign cmp_bits = part_i.cmp;
  assign part.req = part_i.req;
  assign part.cmp = {cmp_bits[511:256], (FULL && fresh_q) ? half_q : cmp_bits[255:0]};
  cairn_hw_pkg::qp_cmp_t     c_q;
  cairn_int_pkg::cmp_where_t where;
  cairn_int_pkg::cmp_found_t found;
  logic [255:0] half, half_q;
  logic         write, pass, turn, ks, kr, tm, tmw;
  logic [63:0]  dl;
  cairn_int_pkg::cmp_said_t said, said_q;
  // They stay while the kicks wait: meanwhile the parts are those of the next packet already.
  cmp_where #(.FULL(FULL)) u_where (
      .clk_i, .load_i(state_q == S_READ), .in_i(in_q), .part_i(part), .time_now_i, .where_o(where));
  cmp_judge #(.TIME_W(TIME_W)) u_judge (
      .clk_i, .load_i(state_q == S_JUDGE), .in_i(in_q), .cmp_i(c_q), .where_i(where), .time_now_i, .found_o(found));
  cmp_next u_next (
      .in_i(in_q), .cmp_i(c_q), .found_i(found), .time_now_i, .half_o(half), .write_o(write), .pass_o(pass),
      .turn_o(turn), .kick_sched_o(ks), .kick_walk_o(kr), .tmr_o(tm), .tmr_wait_o(tmw), .tmr_deadline_o(dl),
      .said_o(said));

  // ---- write and tell ----
  logic to_place, ks_ready, kr_ready, tm_ready, rel_q, place_valid_q, turn_q, write_q;
  logic [7:0]  gen_q;
  logic [23:0] w_qpn_q;
  cairn_hw_pkg::qp_cmp_t half_nw;
  logic [511:0]          half_bits;
  assign to_place = !in_q.is_ev && (pass || rec_q.has_cells);
  // (three cycles after the last one: its pin is back by then, unless somebody else's go first)
  assign fire     = state_q == S_NEXT && ks_ready && kr_ready && tm_ready && !rel_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= S_IDLE;
      rel_q     <= 1'b0;
      {wrote_q, write_q, place_valid_q, turn_q, said_q} <= '0;
      ev_done_q <= '0;
    end else begin
      case (state_q)
        S_IDLE:  if (take) state_q <= S_READ;
        S_READ:  if (rd_ok_i && (FULL || !fresh_q)) state_q <= S_JUDGE;
        S_JUDGE: state_q <= S_NEXT;
        default: if (fire) state_q <= take ? S_READ : S_IDLE;
      endcase
      if (fire || rel_ready_i) rel_q <= fire && !in_q.is_ev && !to_place;
      wrote_q       <= fire;
      write_q       <= fire && write;
      turn_q        <= fire && turn;
      place_valid_q <= fire && to_place;
      said_q        <= fire ? said : '0;
      ev_done_q     <= (fire && in_q.is_ev) ? (src_q ? 2'b10 : 2'b01) : 2'b00;
    end
    if (!FULL && state_q == S_READ) fresh_q <= 1'b0;
    if (state_q == S_IDLE || fire) begin
      fresh_q         <= fire ? write && in_q.qp.slot == take_slot : write_q && w_slot_q == take_slot;
      src_q           <= !ev_valid_i[0];
      in_q.is_ev      <= ev_valid_i != '0;
      in_q.ev         <= ev;
      in_q.qp         <= (ev_valid_i != '0) ? ev.qp : pq;
      in_q.state_ok   <= ev_valid_i != '0 || cairn_fn_pkg::qp_takes_responses(cfg.state);
      in_q.opflags    <= m.opflags;
      in_q.aeth       <= m.aeth;
      in_q.psn        <= (ev_valid_i != '0) ? ev.psn : m.psn;
      rec_q.atomic    <= m.opflags[cairn_pkt_pkg::OPF_ATOMIC];
      rec_q.orig      <= ATOMIC ? m.swap_add : '0;
      rec_q.psn       <= m.psn;
      rec_q.start     <= m.opflags[cairn_pkt_pkg::OPF_START];
      rec_q.last      <= m.opflags[cairn_pkt_pkg::OPF_END];
      rec_q.pay_len   <= m.pay_len;
      rec_q.has_cells <= m.has_cells;
      rec_q.cell_head <= m.cell_head;
      rec_q.pay_off   <= m.pay_off;
      rec_q.epoch     <= m.epoch;
      rec_q.qp        <= pq;
      rec_q.drop      <= 1'b0;
    end
    if (state_q == S_READ) c_q <= part.cmp;
    if (state_q == S_NEXT && fire) begin
      half_q       <= half;
      w_slot_q     <= in_q.qp.slot;
      w_qpn_q      <= in_q.qp.qpn;
      gen_q        <= in_q.qp.gen;
      place_q      <= rec_q;
      place_q.drop <= !pass;
    end
  end
  assign place_valid_o = place_valid_q;
  assign place_o       = place_q;
  assign rel_o.valid   = rel_q;
  assign rel_o.slot    = w_slot_q;
  assign write_o.valid = write_q;
  assign write_o.slot  = w_slot_q;
  assign write_o.data  = half_q;
  assign ev_ready_o    = ev_done_q;
  assign half_bits     = {256'h0, half_q};
  assign half_nw       = half_bits;
  assign allow_o       = {turn_q, w_qpn_q, 1'b0, gen_q, half_nw.una_gb_epoch};
  always_comb begin
    events_o.qpn            = w_qpn_q;
    events_o.rx_ack         = said_q.rx_ack;
    events_o.packet_seq_err = said_q.packet_seq_err;
    events_o.rnr_nak_rcvd   = said_q.rnr_nak_rcvd;
    events_o.implied_nak    = said_q.implied_nak;
    events_o.ack_timeout    = said_q.ack_timeout;
    events_o.req_rem_inv    = said_q.req_rem_inv;
    events_o.req_rem_access = said_q.req_rem_access;
    events_o.req_rem_op     = said_q.req_rem_op;
    events_o.retry_exc      = said_q.retry_exc;
    events_o.rnr_exc        = said_q.rnr_exc;
    events_o.rx_ghost_ack   = said_q.rx_ghost_ack;
    events_o.go_backs       = turn_q;
    events_o.stall_cmp      = (state_q == S_NEXT && !fire) || (state_q == S_IDLE && pkt_valid_i && !place_room_i);
  end
  stream_half #(.WIDTH(24), .FULL(FULL)) u_ks (
      .clk_i, .rst_ni, .in_valid_i(fire && ks), .in_ready_o(ks_ready), .in_data_i(in_q.qp.qpn),
      .out_valid_o(kick_o.sched.valid), .out_ready_i(kick_ready_i.sched), .out_data_o(kick_o.sched.qpn));
  stream_half #(.WIDTH(24), .FULL(FULL)) u_kr (
      .clk_i, .rst_ni, .in_valid_i(fire && kr), .in_ready_o(kr_ready), .in_data_i(in_q.qp.qpn),
      .out_valid_o(kick_o.walk.valid), .out_ready_i(kick_ready_i.walk), .out_data_o(kick_o.walk.qpn));
  stream_half #(.WIDTH(89), .FULL(FULL)) u_tm (
      .clk_i, .rst_ni, .in_valid_i(fire && tm), .in_ready_o(tm_ready), .in_data_i({tmw, in_q.qp.qpn, dl}),
      .out_valid_o(timer_o.valid), .out_ready_i(timer_ready_i),
      .out_data_o({timer_o.rnr, timer_o.qpn, timer_o.deadline}));
  assign idle_o = state_q == S_IDLE && !pkt_valid_i && ev_valid_i == '0 && !wrote_q && !rel_q
                  && {kick_o.walk.valid, kick_o.sched.valid} == '0 && !timer_o.valid;
endmodule
