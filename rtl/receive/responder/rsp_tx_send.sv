// SPDX-License-Identifier: Apache-2.0
// Last stage of rsp_tx: jobs of the steps that are settled, then the visit's end.
//
// Order: for each packet the ACK of what came before its resource (ack_before), then the packet; the ACK state behind
//   the packets of its visit. The QP's records are read when its first job is due, and again for an ACK behind packets:
//   every AETH has the MSN and the credits of that moment, that of an answer given again too. Not those of when the ACK
//   was granted, which may be before the packets in front of it were formed: the MSN would go backwards.
// Owns: how far the answers of a QP have come; written at the end of a visit that sent something. Of a packet that is
//   refused the ACK before it is sent all the same, and the next visit goes on with it.
// Cycles: 3 a visit, 1 more for each packet, 1 for its second segment, 2 for an ACK behind packets.
// Errors: none.
module rsp_tx_send #(
    parameter int unsigned DEPTH  = 16,          // steps, power of two
    parameter int unsigned VISITS = 8,           // power of two
    parameter int unsigned QPN_W  = 24,          // of QPNs and slots only that many bits come back out of a RAM
    parameter int unsigned SLOTS  = 4096,
    parameter bit          ATOMIC = 1'b1,        // 0: there are no atomics
    parameter bit          FAST   = 1'b1,        // 0: three cycles a step more, which comes out of a register
    localparam int unsigned PW    = $clog2(DEPTH),
    localparam int unsigned VW    = $clog2(VISITS)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    // visits, steps and their outcomes, as they come; their places
    input  cairn_int_pkg::rsp_visits_t         visit_i,
    input  logic [VW-1:0]                      visit_at_i,
    input  cairn_int_pkg::rsp_steps_t          step_i,
    input  logic [PW:0]                        tail_i,
    input  cairn_int_pkg::rsp_outcomes_t       outcome_i,
    input  logic [PW-1:0]                      outcome_at_i,
    input  logic [PW:0]                        go_i,
    input  cairn_int_pkg::ack_grant_t          grant_i,
    output logic                               grant_take_o,
    output logic [PW:0]                        at_o,          // the step that is next
    // records of the QP, producer index
    output logic                               look_o,
    input  cairn_int_pkg::rsp_tx_waits_t       wait_i,
    output logic [cairn_int_pkg::SLOT_W-1:0]   slot_o,
    output logic [23:0]                        qpn_o,
    input  cairn_int_pkg::answer_parts_t       part_i,
    input  logic [15:0]                        rq_rd_pi_i,
    // the visit in hand
    input  logic [VW-1:0]                      visit_now_i,
    input  logic                               marked_i,      // come again
    output logic                               end_o,
    output cairn_int_pkg::rsp_own_t            own_o,
    output cairn_int_pkg::kick_t               again_o,
    input  logic                               again_ready_i,
    // out
    output logic [15:0]                        seq_o,         // ring position of the last job of all
    output logic                               empty_o,       // they have left ring 1
    output logic                               ack_valid_o,
    output cairn_int_pkg::tx_job_t             ack_o,
    input  cairn_int_pkg::rsp_tx_ack_view_t    ack_view_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    output cairn_int_pkg::tx_responses_t       responses_o,   // without ACKs
    input  cairn_int_pkg::tx_responses_ready_t responses_ready_i,
    input  logic                               responses_left_i,
    output cairn_hw_pkg::rsp_tx_events_t       events_o
);
  typedef enum logic [1:0] {O_STEP, O_LOAD, O_SECOND} state_e;
  state_e state_q;

  // ---- the step, its outcome, its visit ----
  logic [PW:0] at_q;
  logic [cairn_int_pkg::RSP_STEP_W-1:0]    steps    [0:DEPTH-1];
  logic [63:0]                             values   [0:DEPTH-1];
  logic [cairn_int_pkg::RSP_OUTCOME_W-1:0] outcomes [0:DEPTH-1];
  logic [cairn_int_pkg::RSP_VISIT_W-1:0]   visits   [0:VISITS-1];
  cairn_int_pkg::rsp_step_t    s;
  cairn_int_pkg::rsp_outcome_t r;
  cairn_int_pkg::rsp_visit_t   v;
  always_ff @(posedge clk_i) if (step_i.valid) steps[tail_i[PW-1:0]] <= step_i.step;
  always_ff @(posedge clk_i) if (ATOMIC && step_i.valid) values[tail_i[PW-1:0]] <= step_i.value;
  logic [63:0] value;
  assign value = ATOMIC ? values[at_q[PW-1:0]] : '0;
  always_ff @(posedge clk_i) if (outcome_i.valid) outcomes[outcome_at_i] <= outcome_i.outcome;
  always_ff @(posedge clk_i) if (visit_i.valid) visits[visit_at_i] <= visit_i.visit;
  logic ripe, ripe_q, ok_q, packet, reads, acks, last;
  cairn_int_pkg::rsp_step_t    s_q;
  cairn_int_pkg::rsp_outcome_t now;
  cairn_int_pkg::rsp_step_t    s_now;
  logic [3:0] kinds, kinds_q;          // the kinds asked for most: a packet, that reads; ACK; END
  assign s_now = steps[at_q[PW-1:0]];
  assign kinds = {s_now.kind == cairn_int_pkg::RVS_READ || s_now.kind == cairn_int_pkg::RVS_PLAIN,
                  s_now.kind == cairn_int_pkg::RVS_READ, s_now.kind == cairn_int_pkg::RVS_ACK,
                  s_now.kind == cairn_int_pkg::RVS_END};
  assign now = outcomes[at_q[PW-1:0]];
  always_ff @(posedge clk_i) begin
    ripe_q  <= rst_ni && at_q != go_i && !next;
    ok_q    <= now.ok;
    s_q     <= s_now;
    kinds_q <= kinds;
  end
  if (FAST) begin : g_now
    assign s    = s_now;
    assign {packet, reads, acks, last} = kinds;
    assign r    = now;
    assign ripe = at_q != go_i;
    logic unused;
    assign unused = ^{ripe_q, ok_q, s_q, kinds_q};
  end else begin : g_later
    assign s    = s_q;
    assign {packet, reads, acks, last} = kinds_q;
    assign r    = {ok_q, now.place};
    assign ripe = ripe_q;
  end
  cairn_int_pkg::rsp_visit_t   v_all;
  assign v_all = visits[visit_now_i];
  always_comb begin
    v      = v_all;
    v.qpn  = 24'(v_all.qpn[QPN_W-1:0]);
    v.slot = cairn_int_pkg::SLOT_W'(v_all.slot[$clog2(SLOTS)-1:0]);
  end
  assign at_o   = at_q;
  assign slot_o = v.slot;
  assign qpn_o  = v.qpn;

  // ---- records ----
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_rsp_t rsp, new_rsp;
  logic here, sends, loaded_q, fresh_q, read, ready;   // fresh: no packet of theirs has gone out
  logic [15:0] pi_q, count;
  logic [4:0]  credit;
  assign new_rsp = part_i.rsp;
  assign here    = ripe && state_q == O_STEP;
  assign sends   = packet || (acks && r.ok);
  assign read    = packet ? loaded_q : fresh_q;
  assign look_o  = here && sends && !read;
  // FAST = 0: a cycle later.
  logic ready_q;
  assign ready   = FAST ? here && sends && read : ready_q && state_q == O_STEP;
  always_ff @(posedge clk_i) ready_q <= rst_ni && here && sends && read && !next;
  assign count   = pi_q - rsp.rq_rq_index;
  rsp_credit u_credit (.count_i(count), .srq_i(cfg.state_use_srq), .code_o(credit));

  // ---- jobs ----
  logic skip_q, acked_q;          // a packet was refused; its ACK before it is sent
  logic ahead, job, ack, nak, out_ok, seg_ok, push, sent, more, next, two, fits;
  logic [15:0] seq_q, push_seq;
  assign ahead = ready && packet && !skip_q && s.ack_before && !acked_q;
  assign job    = ready && packet && !skip_q && r.ok && !ahead;
  assign ack    = ahead || (ready && !packet);
  assign nak    = grant_i.syn[6:5] != cairn_pkt_pkg::AETH_CLASS_ACK;
  assign two    = r.place.len1 != '0;
  assign fits   = !reads || seg_ok;            // (of a packet)
  assign sent   = (job && out_ok && fits) || (ack && out_ok);
  rsp_tx_out #(.RING(!FAST)) u_out (
      .clk_i, .rst_ni, .epoch_i, .cfg_i(cfg), .slot_i(v.slot),
      .job_i(job && fits), .ack_i(ack), .atomic_i(ATOMIC && s.atomic), .value_i(value), .first_i(s.first),
      .last_i(s.last), .psn_i(ahead ? s.psn - 24'h1 : packet ? s.psn : grant_i.psn),
      .syn_i((!packet && nak) ? grant_i.syn : {3'b000, credit}), .msn_i(rsp.msn),
      .len_i(s.len), .ok_o(out_ok), .seq_i(seq_q), .push_o(push), .seq_o(push_seq), .seq_now_o(seq_o),
      .seg_i((job && out_ok && reads) || state_q == O_SECOND),
      .second_i(state_q == O_SECOND), .place_i(r.place), .seg_ok_o(seg_ok), .empty_o, .ack_valid_o, .ack_view_i, .ack_o,
      .last_ticket_i, .responses_o, .responses_ready_i, .responses_left_i);
  rsp_tx_counts u_counts (
      .sent_i(sent && !packet), .qpn_i(v.qpn), .syn_i(grant_i.syn), .events_o);

  // ---- on to the next step ----
  logic ends, finish, over, goes;
  assign ends   = here && last;
  assign more   = r.ok || marked_i;
  assign finish = ends && (!more || again_ready_i);
  assign over   = job && reads && two;     // the second segment is to come
  assign next   = (sent && !ahead && !over) || (state_q == O_SECOND && seg_ok)
                  || (ready && packet && !ahead && (skip_q || !r.ok)) || (here && !sends && !ends) || finish;
  // The step of a packet, in one segment or refused: `next`, without what it has for other steps.
  assign goes   = ready && packet && !skip_q && !ahead && (!r.ok || (out_ok && fits && !over));
  assign end_o         = finish;
  assign again_o.valid = ends && more;
  assign again_o.qpn   = v.qpn;
  assign grant_take_o  = sent && !packet;

  // ---- how far the answers have come ----
  logic        dirty_q, placed_q, begun_q;
  logic [7:0]  res_q;
  logic [23:0] psn_q;
  assign own_o.valid = finish && dirty_q;
  assign own_o.qpn   = v.qpn;
  assign own_o.now   = {1'b1, v.gen, res_q, placed_q, begun_q, psn_q, !FAST ? 16'h0 : loaded_q ? seq_q : v.seq};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= O_STEP;
      at_q    <= '0;
    end else begin
      case (state_q)
        O_LOAD: state_q <= O_STEP;
        O_SECOND: if (seg_ok) state_q <= O_STEP;
        default: begin
          if (look_o && !wait_i.part && !wait_i.rq) state_q <= O_LOAD;
          else if (sent && over) state_q <= O_SECOND;
        end
      endcase
      if (next) at_q <= at_q + 1'b1;
    end
    if (state_q == O_LOAD) begin
      cfg  <= part_i.cfg;
      rsp  <= new_rsp;
      pi_q <= rq_rd_pi_i;
    end
    if (push) seq_q <= push_seq;
    else if (state_q == O_LOAD && !loaded_q) seq_q <= v.seq;
    if (!rst_ni || finish) begin
      {loaded_q, fresh_q, skip_q, acked_q, dirty_q, placed_q, begun_q} <= '0;
    end else begin
      if (state_q == O_LOAD) loaded_q <= 1'b1;
      fresh_q <= state_q == O_LOAD || (fresh_q && !(packet && next));
      acked_q <= (acked_q || (ahead && out_ok)) && !next;
      if (push) dirty_q <= 1'b1;
      if (here && s.kind == cairn_int_pkg::RVS_MOVE) begin
        {dirty_q, placed_q, begun_q} <= 3'b110;
        res_q <= s.res;
        psn_q <= s.psn;
      end else if (goes) begin
        skip_q   <= !r.ok;
        dirty_q  <= 1'b1;
        placed_q <= !r.ok || !s.last;
        begun_q  <= r.ok ? !s.last : !s.first;
        res_q    <= s.res;
        psn_q    <= r.ok ? s.psn + 24'h1 : s.psn;
      end else if (state_q == O_SECOND && seg_ok) begin
        dirty_q  <= 1'b1;
        placed_q <= !s.last;
        begun_q  <= !s.last;
        res_q    <= s.res;
        psn_q    <= s.psn + 24'h1;
      end
    end
  end
endmodule
