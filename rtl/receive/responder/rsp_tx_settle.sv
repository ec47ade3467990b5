// SPDX-License-Identifier: Apache-2.0
// Second stage of rsp_tx: the MR service's answers, and what rsp_commit must know before anything leaves.
//
// Steps are settled in order, answers come in theirs. Packets wait here until the step behind them: then one event
// moves RES_OLD past all resources that they complete, and they may be sent (go_o: the first step that may not yet).
// From the first packet that is refused on the visit's steps are void: MISS waits for a line with the other QPs
// that do; an error is an event, NAK 0x62 (0x63 for a local one) at the first PSN that is not delivered.
// Cycles: 1 a step, 4 an event.
module rsp_tx_settle #(
    parameter int unsigned DEPTH  = 16,          // steps, power of two
    parameter int unsigned VISITS = 8,           // power of two
    parameter int unsigned QPN_W  = 24,          // of QPNs and slots only that many bits come back out of a RAM
    parameter int unsigned SLOTS  = 4096,
    localparam int unsigned PW    = $clog2(DEPTH),
    localparam int unsigned VW    = $clog2(VISITS)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // visits and steps as rsp_tx_walk gives them; their places
    input  cairn_int_pkg::rsp_visits_t   visit_i,
    input  logic [VW-1:0]                visit_at_i,
    input  cairn_int_pkg::rsp_steps_t    step_i,       // strobe
    input  logic [PW:0]                  tail_i,
    input  cairn_int_pkg::mr_answer_t    mr_i,
    output logic                         mr_ready_o,
    output logic                         park_o,       // the QP waits for a line
    input  logic                         park_ok_i,    // it does; else it is visited again
    output logic                         park_late_o,  // one has come since it was asked for
    output logic [23:0]                  qpn_o,
    output cairn_int_pkg::rsp_ask_t      ask_o,
    input  cairn_int_pkg::rsp_asked_t    asked_i,
    output logic                         fault_over_o, // the failed payload read is reported
    output cairn_int_pkg::ack_grant_t    grant_o,      // of the ACK step that is next
    input  logic                         grant_take_i,
    output logic [PW-1:0]                at_o,         // of the step that outcome_o is about
    output cairn_int_pkg::rsp_outcomes_t outcome_o,
    output logic [PW:0]                  go_o,
    output logic                         calm_o        // rsp_commit has been told of nothing that may not be sent yet
);
  typedef enum logic [1:0] {S_STEP, S_RES, S_NAK, S_OWN} state_e;
  state_e state_q;

  // ---- the step, its visit ----
  logic [PW:0]   at_q;
  logic [VW-1:0] visit_q;
  logic [cairn_int_pkg::RSP_STEP_W-1:0]  steps  [0:DEPTH-1];
  logic [cairn_int_pkg::RSP_VISIT_W-1:0] visits [0:VISITS-1];
  cairn_int_pkg::rsp_step_t  s;
  cairn_int_pkg::rsp_visit_t v;
  always_ff @(posedge clk_i) if (step_i.valid) steps[tail_i[PW-1:0]] <= step_i.step;
  always_ff @(posedge clk_i) if (visit_i.valid) visits[visit_at_i] <= visit_i.visit;
  assign s     = steps[at_q[PW-1:0]];
  cairn_int_pkg::rsp_visit_t   v_all;
  assign v_all = visits[visit_q];
  always_comb begin
    v      = v_all;
    v.qpn  = 24'(v_all.qpn[QPN_W-1:0]);
    v.slot = cairn_int_pkg::SLOT_W'(v_all.slot[$clog2(SLOTS)-1:0]);
  end
  assign qpn_o = v.qpn;

  // Whether a line has come since a step was made, for those that are answered MISS.
  logic [DEPTH-1:0] late;
  for (genvar g = 0; g < DEPTH; g++) begin : g_late
    logic late_q;
    assign late[g] = late_q;
    always_ff @(posedge clk_i) begin
      late_q <= mr_i.fill || (late_q && !(step_i.valid && tail_i[PW-1:0] == PW'(g)));
    end
  end

  // ---- packets ----
  cairn_int_pkg::mr_rsp_t ans;
  logic here, packet, take, refused, ok;
  // Of the packets since the last step of another kind, of the visit.
  logic any_q, moved_q, void_q, miss_q, denied_q, again_q, late_q;
  logic [7:0]  from_q, to_q, vendor_q;
  logic [23:0] psn_q;                 // of the packet that is refused
  assign ans        = mr_i.rsp;
  assign here       = at_q != tail_i && state_q == S_STEP;
  assign packet     = s.kind == cairn_int_pkg::RVS_READ || s.kind == cairn_int_pkg::RVS_PLAIN;
  assign mr_ready_o = here && s.kind == cairn_int_pkg::RVS_READ;
  assign take       = here && packet && (s.kind == cairn_int_pkg::RVS_PLAIN || mr_i.valid);
  assign refused    = s.kind == cairn_int_pkg::RVS_READ && ans.status != cairn_int_pkg::MRS_OK;
  assign ok         = !void_q && !refused;

  // ---- steps of other kinds: first what the packets before it leave to do ----
  logic turn, own, has_event, pass, local_fault, granted_q, unsaid_q;
  cairn_int_pkg::ack_grant_t grant_q;
  assign turn        = here && !packet && !moved_q && !denied_q && !miss_q;
  assign has_event   = s.kind != cairn_int_pkg::RVS_END && !(s.kind == cairn_int_pkg::RVS_MOVE && s.arg == s.res);
  // One ACK at a time waits to be sent.
  assign own         = turn && has_event && !void_q && !(s.kind == cairn_int_pkg::RVS_ACK && granted_q);
  assign pass        = (turn && (!has_event || void_q)) || (state_q == S_OWN && asked_i.ready)
                       || (state_q == S_RES && asked_i.ready && !void_q && s.kind == cairn_int_pkg::RVS_END);
  assign local_fault = vendor_q == cairn_hw_pkg::VENDOR_ERR_DMA_READ
                       || vendor_q == cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
  assign park_o      = here && !packet && !moved_q && !denied_q && miss_q;
  assign park_late_o = late_q || mr_i.fill;

  // ---- events: formed while none is offered ----
  cairn_int_pkg::rsp_ev_t ev, ev_q;
  always_comb begin
    ev        = '0;
    ev.slot   = v.slot;
    ev.qpn    = v.qpn;
    ev.gen    = v.gen;
    ev.eqn    = v.eqn;
    ev.kind   = cairn_int_pkg::RSE_FAIL;
    ev.res    = moved_q ? to_q : s.res;
    ev.pi     = moved_q ? {8'h0, from_q} : (s.kind == cairn_int_pkg::RVS_MOVE) ? {8'h0, s.arg} : s.psn[15:0];
    ev.psn    = denied_q ? psn_q : s.psn;
    ev.syn    = cairn_fn_pkg::aeth_nak((denied_q && !local_fault) ? cairn_pkt_pkg::AETH_NAK_ACCESS
                                                                   : cairn_pkt_pkg::AETH_NAK_OP);
    ev.vendor = denied_q ? vendor_q : (s.kind == cairn_int_pkg::RVS_LOST) ? s.arg : cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    if (moved_q) begin
      ev.kind = cairn_int_pkg::RSE_RES;
    end else if (!denied_q) begin
      case (s.kind)
        cairn_int_pkg::RVS_ACK: ev.kind = cairn_int_pkg::RSE_ACK;
        cairn_int_pkg::RVS_MOVE: ev.kind = cairn_int_pkg::RSE_RES;
        cairn_int_pkg::RVS_FLUSH: ev.kind = cairn_int_pkg::RSE_FLUSH;
        default: ev.kind = cairn_int_pkg::RSE_FAIL;
      endcase
    end
  end
  always_ff @(posedge clk_i) if (state_q == S_STEP) ev_q <= ev;
  assign ask_o        = {state_q != S_STEP, ev_q};
  assign fault_over_o = state_q == S_OWN && asked_i.ready && s.kind == cairn_int_pkg::RVS_FAULT;

  // ---- outcomes ----
  assign grant_o = grant_q;
  assign at_o    = at_q[PW-1:0];
  always_comb begin
    outcome_o.valid                = take || pass;
    outcome_o.outcome.ok           = ok;
    if (s.kind == cairn_int_pkg::RVS_END) outcome_o.outcome.ok = s.last || again_q;
    if (s.kind == cairn_int_pkg::RVS_ACK) outcome_o.outcome.ok = state_q == S_OWN && asked_i.grant.yes;
    outcome_o.outcome.place.func   = ans.func;
    outcome_o.outcome.place.iova0  = ans.iova0;
    outcome_o.outcome.place.len0   = ans.len0;
    outcome_o.outcome.place.iova1  = ans.iova1;
    outcome_o.outcome.place.len1   = ans.len1;
  end
  assign calm_o = state_q == S_STEP && !unsaid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= S_STEP;
      at_q      <= '0;
      visit_q   <= '0;
      go_o      <= '0;
      granted_q <= 1'b0;
      unsaid_q  <= 1'b0;
    end else begin
      if (state_q == S_STEP) begin
        if (here && !packet && moved_q) state_q <= S_RES;
        else if (here && !packet && denied_q) state_q <= S_NAK;
        else if (own) state_q <= S_OWN;
      end else if (asked_i.ready) begin
        state_q <= S_STEP;
      end
      if (take || pass) at_q <= at_q + 1'b1;
      if (pass) go_o <= at_q + 1'b1;
      if (pass && s.kind == cairn_int_pkg::RVS_END) visit_q <= visit_q + 1'b1;
      granted_q <= (granted_q && !grant_take_i)
                   || (pass && s.kind == cairn_int_pkg::RVS_ACK && outcome_o.outcome.ok);
      unsaid_q  <= (unsaid_q || (ask_o.valid && asked_i.ready)) && !pass;
    end
    if (!rst_ni || (pass && s.kind == cairn_int_pkg::RVS_END)) begin
      {any_q, moved_q, void_q, miss_q, denied_q, again_q} <= '0;
    end else begin
      if (take) begin
        any_q <= 1'b1;
        if (ok && s.last) moved_q <= 1'b1;
        if (!void_q && refused) begin
          void_q   <= 1'b1;
          miss_q   <= ans.status == cairn_int_pkg::MRS_MISS;
          denied_q <= ans.status != cairn_int_pkg::MRS_MISS;
        end
      end else if (!packet && here && !moved_q && !denied_q && !miss_q) begin
        any_q <= 1'b0;
      end
      if (state_q == S_RES && asked_i.ready) moved_q <= 1'b0;
      if (state_q == S_NAK && asked_i.ready) denied_q <= 1'b0;
      if (park_o) miss_q <= 1'b0;
      if (park_o && !park_ok_i) again_q <= 1'b1;
    end
    if (take && !any_q) from_q <= s.res;
    if (take && ok && s.last) to_q <= s.res + 8'h1;
    if (take && !void_q) begin
      psn_q    <= s.psn;
      vendor_q <= ans.vendor;
      late_q   <= late[at_q[PW-1:0]] || mr_i.fill;
    end else begin
      late_q   <= late_q || mr_i.fill;
    end
    if (!granted_q) grant_q <= asked_i.grant;
  end
endmodule
