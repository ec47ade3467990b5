// SPDX-License-Identifier: Apache-2.0
// First stage of the completer: response packets from rx_dispatch, and events (timers, implied NAKs, data that cannot
// be placed).
//
// Owns: the first half of qp_cmp (bytes 0 to 31). cmp_next says what each packet and event does. READ responses, atomic
//   answers, and others that hold cells, go on to cmp_place with their pin; all others are finished here, and their pin
//   goes back.
// Order: an event is taken with its write; the QP stays pinned by its sender until then. Events go first, and a packet
//   is begun only when cmp_place has room: the stage never waits for cmp_place.
// Cycles: one packet or event in 3, on any mix of QPs: read, compute, write.
// Errors: none of its own.
module cmp_packet (
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
    // parts, one cycle after the slot
    output logic [cairn_int_pkg::SLOT_W-1:0]     rd_slot_o,
    input  cairn_int_pkg::sent_parts_t           part_i,
    output cairn_int_pkg::half_write_t           write_o,
    // to cmp_place; room: at least one more fits
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
  typedef enum logic [1:0] {S_IDLE, S_CALC, S_WRITE} state_e;

  cairn_int_pkg::rx_meta_t m;
  cairn_hw_pkg::qp_cfg_t   cfg;
  cairn_int_pkg::cmp_ev_t  ev, ev_q;
  cairn_int_pkg::cmp_qp_t  pq, q_q;
  cairn_int_pkg::cmp_rec_t rec_q;
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

  state_e      state_q;
  logic take, take_ev, fin, is_ev_q, src_q, ok_q;
  logic [17:0] opflags_q;
  logic [31:0] aeth_q;
  logic [23:0] psn_q;
  assign take_ev     = ev_valid_i != '0;
  assign take        = state_q == S_IDLE && (take_ev || (pkt_valid_i && !halt_i && place_room_i));
  assign rd_slot_o   = take_ev ? ev.qp.slot : m.slot;
  assign pkt_ready_o = state_q == S_IDLE && !take_ev && !halt_i && place_room_i;

  // ---- compute ----
  logic [255:0] half, half_q;
  logic write, pass, ks, kr, tm, tmw, write_q, pass_q, ks_q, kr_q, tm_q, tmw_q, go_back_q;
  logic [63:0] dl, dl_q;
  cairn_int_pkg::cmp_said_t said, said_q, told;
  cmp_next u_next (
      .cmp_i(part_i.cmp), .req_i(part_i.req), .is_ev_i(is_ev_q), .ev_i(ev_q), .qp_i(q_q), .state_ok_i(ok_q),
      .psn_i(psn_q), .opflags_i(opflags_q),
      .aeth_i(aeth_q), .time_now_i, .half_o(half), .write_o(write), .pass_o(pass), .kick_sched_o(ks), .kick_ret_o(kr),
      .tmr_o(tm), .tmr_wait_o(tmw),
      .tmr_deadline_o(dl), .said_o(said));

  cairn_hw_pkg::qp_cmp_t old;
  logic [511:0]          new_bits;
  cairn_hw_pkg::qp_cmp_t nw, half_nw;
  assign old      = part_i.cmp;
  assign new_bits = {256'h0, half};
  assign nw       = new_bits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_IDLE;
    end else begin
      case (state_q)
        S_IDLE:  if (take) state_q <= S_CALC;
        S_CALC:  state_q <= S_WRITE;
        default: if (fin) state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) begin
      is_ev_q         <= take_ev;
      src_q           <= !ev_valid_i[0];
      ev_q            <= ev;
      q_q             <= take_ev ? ev.qp : pq;
      ok_q            <= take_ev || cairn_fn_pkg::qp_takes_responses(cfg.state);
      opflags_q       <= m.opflags;
      aeth_q          <= m.aeth;
      psn_q           <= m.psn;
      rec_q.atomic    <= m.opflags[cairn_pkt_pkg::OPF_ATOMIC];
      rec_q.orig      <= m.swap_add;
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
    if (state_q == S_CALC) begin
      half_q    <= half;
      write_q   <= write;
      pass_q    <= pass;
      ks_q      <= ks;
      kr_q      <= kr;
      tm_q      <= tm;
      tmw_q     <= tmw;
      dl_q      <= dl;
      said_q    <= said;
      go_back_q <= write && nw.una_gb_epoch != old.una_gb_epoch;
    end
  end

  // ---- write and tell ----
  logic kr_ready, ks_ready, tm_ready, rel, to_place;
  cairn_int_pkg::cmp_rec_t pl;
  assign to_place = !is_ev_q && (pass_q || rec_q.has_cells);
  assign rel      = !is_ev_q && !to_place;
  assign fin      = state_q == S_WRITE && (!ks_q || ks_ready) && (!kr_q || kr_ready) && (!tm_q || tm_ready)
      && (!rel || rel_ready_i);
  always_comb begin
    pl      = rec_q;
    pl.drop = !pass_q;
  end
  assign place_valid_o = fin && to_place;
  assign place_o       = pl;
  assign rel_o.valid   = fin && rel;
  assign rel_o.slot    = q_q.slot;
  assign write_o.valid = fin && write_q;
  assign write_o.slot  = q_q.slot;
  assign write_o.data  = half_q;
  assign ev_ready_o    = (fin && is_ev_q) ? (src_q ? 2'b10 : 2'b01) : 2'b00;
  assign half_nw       = {256'h0, half_q};
  assign told          = fin ? said_q : '0;
  assign allow_o       = {fin && go_back_q, q_q.qpn, 1'b0, q_q.gen, half_nw.una_gb_epoch};
  always_comb begin
    events_o.qpn            = q_q.qpn;
    events_o.rx_ack         = told.rx_ack;
    events_o.packet_seq_err = told.packet_seq_err;
    events_o.rnr_nak_rcvd   = told.rnr_nak_rcvd;
    events_o.implied_nak    = told.implied_nak;
    events_o.ack_timeout    = told.ack_timeout;
    events_o.req_rem_inv    = told.req_rem_inv;
    events_o.req_rem_access = told.req_rem_access;
    events_o.req_rem_op     = told.req_rem_op;
    events_o.retry_exc      = told.retry_exc;
    events_o.rnr_exc        = told.rnr_exc;
    events_o.rx_ghost_ack   = told.rx_ghost_ack;
    events_o.go_backs       = fin && go_back_q;
    events_o.stall_cmp      = (state_q == S_WRITE && !fin) || (state_q == S_IDLE && pkt_valid_i && !place_room_i);
  end
  stream_reg #(.WIDTH(24)) u_ks (
      .clk_i, .rst_ni, .in_valid_i(fin && ks_q), .in_ready_o(ks_ready), .in_data_i(q_q.qpn),
      .out_valid_o(kick_o.sched.valid), .out_ready_i(kick_ready_i.sched), .out_data_o(kick_o.sched.qpn));
  stream_reg #(.WIDTH(24)) u_kr (
      .clk_i, .rst_ni, .in_valid_i(fin && kr_q), .in_ready_o(kr_ready), .in_data_i(q_q.qpn),
      .out_valid_o(kick_o.walk.valid), .out_ready_i(kick_ready_i.walk), .out_data_o(kick_o.walk.qpn));
  stream_reg #(.WIDTH(89)) u_tm (
      .clk_i, .rst_ni, .in_valid_i(fin && tm_q), .in_ready_o(tm_ready), .in_data_i({tmw_q, q_q.qpn, dl_q}),
      .out_valid_o(timer_o.valid), .out_ready_i(timer_ready_i),
      .out_data_o({timer_o.rnr, timer_o.qpn, timer_o.deadline}));
  assign idle_o = state_q == S_IDLE && !pkt_valid_i && ev_valid_i == '0 && {kick_o.walk.valid,
                                                                            kick_o.sched.valid} == '0 && !timer_o.valid;
endmodule
