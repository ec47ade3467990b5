// SPDX-License-Identifier: Apache-2.0
// Sends what the responder owes: READ responses, answers of atomics, ACKs, NAKs; and flushes the receive queue of a QP
// in error.
//
// Works by visits of kicked QPs, VISITS at a time, one of a QP. Everything it needs is in the records, so a kick may be
// merged with others or come for no reason. IBTA 9.7.5.1; docs/rtl/responder.md.
//
//   kicks -> rsp_tx_find -> rsp_tx_walk -> steps -> rsp_tx_settle -> rsp_tx_send -> ring 1, ACK port
//            records        what to do;     |       answers of the   jobs; the end
//                           asks MRC_RD      |       MR service, events
//                              ^ rsp_tx_visits: which QPs
//
// Order: visits and their steps go through all stages in order. On the wire, for each QP: for each resource from
//   RES_OLD on its ACK (ack_before), its responses, then the ACK state. RES_OLD moves before the last response of a
//   resource leaves. ACKs of a QP whose responses may still be in ring 1 follow them there. The ACK state is asked for
//   and taken out of the record before it is sent, as it is then; most ACKs go out without a visit (rsp_commit).
// Owns: how far each response is sent, by QPN.
// Errors: each response packet validates the R_Key again; a failure is NAK 0x62 (0x63 for a local one) at the first PSN
//   that is not delivered.
module rsp_tx #(
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned QPN_W    = 24,         // of a QPN, bits that are not always 0
    parameter int unsigned NKICK    = 2,          // external kick sources
    parameter int unsigned VISITS   = 8,          // under way
    parameter int unsigned STEPS    = 16,         // ... and their steps: packets and a little more
    parameter logic [31:0] FEATURES = '1,         // as REG FEATURES
    parameter bit          FAST     = 1'b1,       // 0: a response packet in 2 cycles
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned VW    = $clog2(VISITS),
    localparam int unsigned PW    = $clog2(STEPS)
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
    output cairn_int_pkg::rsp_tx_looks_t       look_o,     // parts: a cycle later
    input  cairn_int_pkg::answer_parts_t       part_i,
    input  cairn_int_pkg::rsp_tx_turns_t       turn_i,
    // RQ producer index
    output logic [23:0]                        rq_rd_qpn_o,
    input  logic [15:0]                        rq_rd_pi_i,
    // duplicate READs and atomics from rsp_commit
    input  cairn_int_pkg::packet_again_t       dup_i,
    output logic                               dup_ready_o,
    // responder resources
    output cairn_int_pkg::res_look_t           res_o,
    input  cairn_int_pkg::res_found_t          res_i,
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
  // The packets of a visit and what is settled with them must find a place.
  if (STEPS < 16 || (1 << PW) != STEPS) begin : g_chk
    $error("rsp_tx: STEPS must be a power of two, 16 or more");
  end

  // ---- kicks, look-ups ----
  logic p_ready, p_idle, self_ready, self_taken, park, park_ok, park_late, find_idle, found_ready, init_q;
  logic fault_over, fault_gone, fault_back, reported;
  logic [23:0] park_qpn;
  cairn_int_pkg::kick_t      p, self, walk_again, send_again;
  cairn_int_pkg::rsp_found_t found;
  // One in two cycles: whether a QP may be kicked again depends on no other kick.
  assign self_ready = !self.valid;
  stream_reg #(.WIDTH(24)) u_self (
      .clk_i, .rst_ni, .in_valid_i((send_again.valid || walk_again.valid) && self_ready), .in_ready_o(),
      .in_data_i(send_again.valid ? send_again.qpn : walk_again.qpn),
      .out_valid_o(self.valid), .out_ready_i(self_taken), .out_data_o(self.qpn));
  rsp_tx_kick #(.QPS_LOG2(QPS_LOG2), .NKICK(NKICK), .FAST(FAST)) u_kick (
      .clk_i, .rst_ni, .kick_valid_i, .kick_ready_o, .kick_qpn_i, .fill_i,
      .res_wake_i, .res_wake_ready_o, .mr_fill_i(mr_i.fill),
      .park_i(park), .park_qpn_i(park_qpn), .late_i(park_late), .park_ok_o(park_ok),
      .self_i(self), .self_ready_o(self_taken), .out_o(p), .out_ready_i(p_ready), .idle_o(p_idle));
  assign fault_over     = fault_gone || fault_back || reported;
  assign tx_err_ready_o = fault_gone || reported;
  rsp_tx_find #(.QPN_W(QPN_W), .SLOTS(SLOTS)) u_find (
      .clk_i, .rst_ni, .halt_i(engine_i.halt), .wait_i(init_q), .kick_i(p), .kick_ready_o(p_ready),
      .fault_i(tx_err_i), .fault_over_i(fault_over), .ctx_o, .ctx_ready_i, .ctx_i,
      .found_o(found), .found_ready_i(found_ready), .idle_o(find_idle));

  // ---- own state, by QPN. By slot it would be lost with the slot, and long READs of more QPs than slots would
  // begin again at each visit and never end. The first 2^QPS_LOG2 cycles clear it; visits wait.
  logic [QPS_LOG2-1:0] init_at_q;
  logic                v_begin;
  cairn_int_pkg::rsp_answering_t now;
  cairn_int_pkg::rsp_own_t       own;
  ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_ANSWERING_W), .DEPTH(1 << QPS_LOG2), .BYPASS(2)) u_own (
      .clk_i, .we_i(init_q || own.valid), .waddr_i(init_q ? init_at_q : own.qpn[QPS_LOG2-1:0]),
      .wdata_i(init_q ? '0 : own.now),
      .re_i(v_begin), .raddr_i(found.look.qpn[QPS_LOG2-1:0]), .rdata_o(now));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_at_q <= '0;
    end else begin
      if (&init_at_q) init_q <= 1'b0;
      if (init_q) init_at_q <= init_at_q + 1'b1;
    end
  end

  // ---- visits, steps ----
  logic v_met, v_mark, v_room, v_end, v_again, v_drained, v_idle;
  logic [VW-1:0] v_at, v_now;
  rsp_tx_visits #(.SLOTS(SLOTS), .VISITS(VISITS)) u_visits (
      .clk_i, .rst_ni, .look_slot_i(found.slot[AW-1:0]), .met_o(v_met), .mark_i(v_mark), .room_o(v_room),
      .begin_i(v_begin), .at_o(v_at), .end_i(v_end), .oldest_o(v_now), .again_o(v_again),
      .drain_i(mr_i.drain), .drained_o(v_drained), .idle_o(v_idle));
  logic [PW:0] tail_q, step_at;
  logic        room;
  cairn_int_pkg::rsp_steps_t step, put;
  assign room = tail_q != {~step_at[PW], step_at[PW-1:0]};
  assign put  = {step.valid && room, step.step, step.value};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) tail_q <= '0;
    else if (put.valid) tail_q <= tail_q + 1'b1;
  end

  // ---- the stages; the last one reads the records and the index before the first ----
  logic walk_idle, walk_look, send_look;
  logic [15:0] seq;
  logic [23:0] walk_qpn, send_qpn;
  logic [cairn_int_pkg::SLOT_W-1:0] send_slot;
  cairn_int_pkg::rsp_visits_t   visit;
  cairn_int_pkg::unpin_t        walk_unpin;
  cairn_int_pkg::rsp_tx_waits_t walk_waits, send_waits;
  assign walk_waits    = {turn_i.shared ? !turn_i.walk_ok : turn_i.busy.part || send_look, turn_i.busy.rq || send_look};
  assign send_waits    = {turn_i.shared ? !turn_i.send_ok : turn_i.busy.part, turn_i.busy.rq};
  assign look_o        = {walk_look, found.slot, send_look, send_slot};
  assign rq_rd_qpn_o   = send_look ? send_qpn : walk_qpn;
  assign unpin_o.valid = v_end || walk_unpin.valid;
  assign unpin_o.slot  = v_end ? send_slot : walk_unpin.slot;
  localparam bit ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  rsp_tx_walk #(.SLOTS(SLOTS), .ATOMIC(ATOMIC), .FAST(FAST)) u_walk (
      .clk_i, .rst_ni, .found_i(found), .found_ready_o(found_ready), .met_i(v_met), .room_i(v_room),
      .begin_o(v_begin), .mark_o(v_mark), .visit_o(visit), .wait_i(walk_waits), .asks_o(walk_look),
      .part_i, .own_i(now), .seq_i(seq),
      .rq_rd_qpn_o(walk_qpn), .rq_rd_pi_i, .dup_i, .dup_ready_o, .res_o, .res_i, .res_fill_ready_i,
      .mr_o, .mr_ready_i, .fault_i(tx_err_i), .fault_gone_o(fault_gone), .fault_back_o(fault_back),
      .step_o(step), .step_ready_i(room), .unpin_o(walk_unpin), .unpin_ready_i(!v_end),
      .again_o(walk_again), .again_ready_i(self_ready && !send_again.valid), .idle_o(walk_idle));

  // at_o of rsp_tx_visits is one on when its visit is written.
  logic [VW-1:0] visit_at_q;
  logic          calm, grant_take;
  logic [PW-1:0] out_at;
  logic [PW:0]   go;
  cairn_int_pkg::ack_grant_t    grant;
  cairn_int_pkg::rsp_outcomes_t outcome;
  always_ff @(posedge clk_i) if (v_begin) visit_at_q <= v_at;
  rsp_tx_settle #(.DEPTH(STEPS), .VISITS(VISITS), .QPN_W(QPN_W), .SLOTS(SLOTS)) u_settle (
      .clk_i, .rst_ni, .visit_i(visit), .visit_at_i(visit_at_q), .step_i(put), .tail_i(tail_q), .mr_i, .mr_ready_o,
      .park_o(park), .park_ok_i(park_ok), .park_late_o(park_late), .qpn_o(park_qpn),
      .ask_o, .asked_i, .fault_over_o(reported), .grant_o(grant), .grant_take_i(grant_take),
      .at_o(out_at), .outcome_o(outcome), .go_o(go), .calm_o(calm));

  logic ack_valid, ring_empty;
  cairn_int_pkg::tx_job_t ack;
  rsp_tx_send #(.DEPTH(STEPS), .VISITS(VISITS), .QPN_W(QPN_W), .SLOTS(SLOTS), .ATOMIC(ATOMIC), .FAST(FAST)) u_send (
      .clk_i, .rst_ni, .epoch_i(engine_i.epoch), .visit_i(visit), .visit_at_i(visit_at_q), .step_i(put),
      .tail_i(tail_q), .outcome_i(outcome), .outcome_at_i(out_at), .go_i(go), .grant_i(grant),
      .grant_take_o(grant_take), .at_o(step_at),
      .look_o(send_look), .wait_i(send_waits), .slot_o(send_slot), .qpn_o(send_qpn), .part_i, .rq_rd_pi_i,
      .visit_now_i(v_now), .marked_i(v_again), .end_o(v_end), .own_o(own),
      .again_o(send_again), .again_ready_i(self_ready),
      .seq_o(seq), .empty_o(ring_empty), .ack_valid_o(ack_valid), .ack_o(ack), .ack_view_i, .last_ticket_i,
      .responses_o, .responses_ready_i, .responses_left_i, .events_o);
  assign ack_o = {ack_valid, ring_empty && calm && step_at == go, ack};

  // ---- the mark of a drain: behind the visits under way, then behind their last segment ----
  always_ff @(posedge clk_i) begin
    drained_o <= rst_ni && mr_i.drain
                 && (drained_o || (v_drained && (!responses_o.seg_valid || responses_ready_i.seg)));
  end

  assign idle_o = find_idle && walk_idle && v_idle && (engine_i.halt || (!p.valid && p_idle)) && !tx_err_i.valid
                  && !responses_o.job_valid && !responses_o.seg_valid;
endmodule
