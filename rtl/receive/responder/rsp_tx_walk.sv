// SPDX-License-Identifier: Apache-2.0
// First stage of rsp_tx: what a visit does, as steps for those behind it. It waits for no answer to a step.
//
// A visit begins when its QP has none under way; else it is marked there and comes again. Its steps, of what is
// there: a failed payload read, alone; a duplicate READ or atomic (rsp_tx_dup finds its place, answers go back to it);
// response packets of the resources from RES_OLD on, a few; when none is left the ACK state, then a receive WQE of a
// QP in error.
// An atomic that is not done yet ends the visit: the kick follows. So does a resource that is not on chip.
// Each packet of a READ is checked on its own (IBTA: the R_Key must still be valid): MRC_RD is asked with its step.
// Cycles: 6 a visit of one packet, 2 more for each further resource, 1 for each further packet.
module rsp_tx_walk #(
    parameter int unsigned SLOTS = 128,
    parameter bit          ATOMIC = 1'b1,   // 0: there are no atomics
    parameter bit          FAST   = 1'b1,   // 0: a READ's packet in 2 cycles
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  cairn_int_pkg::rsp_found_t          found_i,
    output logic                               found_ready_o,
    input  logic                               met_i,        // its slot is being visited, and there is room for a visit
    input  logic                               room_i,
    output logic                               begin_o,
    output logic                               mark_o,
    output cairn_int_pkg::rsp_visits_t         visit_o,      // before its first step
    // the records of found_i's slot, read in the cycle of begin_o unless others do (wait_i); here a cycle later
    input  cairn_int_pkg::rsp_tx_waits_t       wait_i,
    output logic                               asks_o,        // it would be the cycle of begin_o
    input  cairn_int_pkg::answer_parts_t       part_i,
    input  cairn_int_pkg::rsp_answering_t      own_i,
    input  logic [15:0]                        seq_i,        // ring position of the last job of all
    output logic [23:0]                        rq_rd_qpn_o,
    input  logic [15:0]                        rq_rd_pi_i,
    input  cairn_int_pkg::packet_again_t       dup_i,
    output logic                               dup_ready_o,
    output cairn_int_pkg::res_look_t           res_o,
    input  cairn_int_pkg::res_found_t          res_i,
    input  logic                               res_fill_ready_i,
    output cairn_int_pkg::mr_ask_t             mr_o,
    input  logic                               mr_ready_i,
    input  cairn_int_pkg::tx_failed_t          fault_i,
    output logic                               fault_gone_o,  // its QP is
    output logic                               fault_back_o,  // it is to be looked up again
    output cairn_int_pkg::rsp_steps_t          step_o,
    input  logic                               step_ready_i,
    output cairn_int_pkg::unpin_t              unpin_o,       // taken when its ready is high
    input  logic                               unpin_ready_i,
    output cairn_int_pkg::kick_t               again_o,
    input  logic                               again_ready_i,
    output logic                               idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  typedef enum logic [3:0] {
    W_IDLE, W_LOAD, W_PICK, W_DUP, W_MOVE, W_RES, W_SIZE, W_OFF, W_PLACE, W_PACKET, W_INDEX, W_FLUSH, W_FILL, W_LOST,
    W_END
  } state_e;
  state_e state_q;

  // ---- whose visit is next ----
  logic free, hit, miss, retry, gone, drop, emit;
  assign free          = state_q == W_IDLE || (state_q == W_END && step_ready_i);
  assign hit           = found_i.valid && found_i.status == cairn_hw_pkg::CTX_RESULT_OK;
  assign miss          = found_i.valid && found_i.status == cairn_hw_pkg::CTX_RESULT_WAITING;
  assign retry         = found_i.valid && found_i.status == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign gone          = found_i.valid && !hit && !miss && !retry;
  assign drop          = free && ((hit && met_i) || miss);       // without a visit, but with a pin
  assign asks_o        = free && hit && !met_i && room_i;
  assign begin_o       = asks_o && !wait_i.part;
  assign unpin_o.valid = drop;
  assign unpin_o.slot  = found_i.slot;
  assign again_o.valid = free && retry && !found_i.look.fault;
  assign again_o.qpn   = found_i.look.qpn;
  assign mark_o        = drop && hit && !found_i.look.fault && unpin_ready_i;
  assign found_ready_o = begin_o || (drop && unpin_ready_i)
                         || (free && (gone || (retry && (found_i.look.fault || again_ready_i))));
  assign fault_gone_o  = (found_i.look.fault && free && gone) || (state_q == W_PICK && fault_q && strange);
  assign fault_back_o  = found_i.look.fault && found_ready_o && !begin_o && !gone;

  // ---- the visit ----
  logic          fault_q, again_q, acked_q, strange;
  logic [AW-1:0] slot_q;
  logic [7:0]    old_q;             // resource to answer next
  logic          placed_q, begun_q; // see rsp_answering
  logic [23:0]   psn_q;             // of the next packet; of a flush the producer index
  logic [15:0]   seq_q;
  logic [3:0]    left_q;            // packets that the visit may still have
  logic [7:0]    arg_q;
  cairn_hw_pkg::qp_cfg_t cfg, new_cfg;
  cairn_hw_pkg::qp_rsp_t rsp, new_rsp;
  logic live, nak_ok, pend_ack, owes, err_now, flush, answers, mine, same;
  assign new_cfg  = part_i.cfg;
  assign new_rsp  = part_i.rsp;
  assign mine     = own_i.valid && own_i.gen == new_cfg.tag_gen;
  assign same     = mine && own_i.placed && own_i.res == new_rsp.msn_res_old;
  assign live     = cairn_fn_pkg::qp_takes_requests(cfg.state);
  assign pend_ack = rsp.flags_ack_pending;
  // What put it there is still said, once, behind the answers to what came before it.
  assign nak_ok   = cfg.state == cairn_hw_pkg::QP_STATE_ERR && rsp.flags_err && pend_ack
                    && rsp.flags_syndrome[6:5] == cairn_pkt_pkg::AETH_CLASS_NAK && rsp.flags_syndrome[4:0] != '0;
  assign owes     = pend_ack && (live || nak_ok) && !acked_q;
  assign err_now  = rsp.flags_err || cfg.state == cairn_hw_pkg::QP_STATE_ERR;
  // In RESET the producer index is closed and tells nothing.
  assign flush    = err_now && (live || cfg.state == cairn_hw_pkg::QP_STATE_ERR);
  assign answers  = (live || nak_ok) && old_q != rsp.epsn_res_tail;
  assign strange  = cfg.tag_gen != fault_i.lost.gen;
  always_comb begin
    visit_o.valid      = state_q == W_PICK;
    visit_o.visit.slot = cairn_int_pkg::SLOT_W'(slot_q);
    visit_o.visit.qpn  = cfg.tag_qpn;
    visit_o.visit.gen  = cfg.tag_gen;
    visit_o.visit.eqn  = cfg.eqn_async_eqn;
    visit_o.visit.seq  = seq_q;
  end

  // ---- duplicates ----
  cairn_hw_pkg::rsp_res_t  ent, new_ent;     // the resource in hand; as it comes
  cairn_int_pkg::rsp_dup_t dup;
  logic          dup_pend, dup_pend_q, dup_here, dup_take, search;
  logic          s_busy, s_done, s_found, s_miss, s_rd, s_got, s_tail, s_back;
  logic [3:0]    s_index;
  logic [7:0]    s_res, s_dist;
  logic [23:0]   s_more;
  rsp_dup #(.SLOTS(SLOTS)) u_dup (
      .clk_i, .rst_ni, .put_valid_i(dup_i.valid), .put_ready_o(dup_ready_o), .put_rec_i(dup_i.rec),
      .rd_valid_i(begin_o),
      .rd_slot_i(found_i.slot[AW-1:0]), .rd_pending_o(dup_pend), .rd_here_o(dup_here), .rd_dup_o(dup),
      .take_i(dup_take));
  rsp_tx_dup #(.ATOMIC(ATOMIC)) u_search (
      .clk_i, .rst_ni, .start_i(search), .here_i(dup_here), .dup_i(dup), .newest_i(rsp.epsn_res_tail),
      .kept_i(cfg.rd_max_dest_rd_atomic),
      .rd_o(s_rd), .index_o(s_index), .done_i(res_i.done), .hit_i(res_i.hit && !res_i.err),
      .bad_i(res_i.hit && res_i.err), .got_o(s_got), .ent_i(ent), .begins_i(off_q == '0), .tail_i(s_tail),
      .busy_o(s_busy), .done_o(s_done), .found_o(s_found), .miss_o(s_miss), .res_o(s_res));
  assign search   = state_q == W_PICK && !fault_q && live && dup_pend_q && !rsp.flags_err;
  assign s_dist   = s_res - old_q;
  assign s_more   = dup.psn - psn_q;
  assign s_back   = s_dist[7] || (s_dist == '0 && placed_q && s_more[23]);   // before the present position
  assign dup_take = (state_q == W_DUP && s_done && !s_miss)
                    || (state_q == W_PICK && !fault_q && !search && dup_pend_q);

  // ---- the resource; the next one is read while this one's first packet is formed ----
  logic        asks_res, is_atomic, plain, ent_ok, ahead, ahead_q, next_ok, next_ok_q, last, turn;
  logic [3:0]  shift;
  logic [31:0] pmtu, step, rest;
  logic [63:0] va_on;
  logic [23:0] off_pk;
  logic [35:0] off, off_q;
  logic        off_bad, under, changed_q, ripe;
  logic [LEN_W-1:0] len;
  logic [255:0] joined;
  assign new_ent   = res_i.entry;
  always_comb begin
    joined = ent;
    for (int unsigned i = 0; i < 4; i++) if (res_i.comes[i]) joined[64*i +: 64] = res_i.entry[64*i +: 64];
  end
  assign is_atomic = ATOMIC && ent.psn_kind == cairn_hw_pkg::RES_KIND_ATOMIC;
  assign ent_ok    = (ent.psn_kind == cairn_hw_pkg::RES_KIND_READ || is_atomic) && ent.qpn == cfg.tag_qpn
                     && ent.msn_gen == cfg.tag_gen;
  assign ripe      = FAST || !changed_q;
  if (FAST) begin : g_now
    assign plain = ent.length == '0;
    assign last  = ent.length <= pmtu;
  end else begin : g_later
    always_ff @(posedge clk_i) begin
      plain <= ent.length == '0;
      last  <= ent.length <= pmtu;
    end
  end
  assign shift     = {1'b0, cfg.state_pmtu} + 4'd7;
  assign len       = last ? ent.length[LEN_W-1:0] : pmtu[LEN_W-1:0];
  // (of a duplicate that is looked for, too)
  assign off_pk    = (state_q == W_DUP ? dup.psn : psn_q) - ent.psn_first_psn;
  // Not within the resource: a newer one has taken its entry meanwhile, and RES_OLD has been pushed on.
  assign off       = {12'h0, off_pk} << shift;
  assign off_bad   = off_q != '0 && (off_q[35:32] != '0 || under || rest == '0);     // (where step is off_q)
  assign step      = (state_q == W_PACKET) ? pmtu : off_q[31:0];
  assign va_on     = ent.va + {32'h0, step};
  assign {under, rest} = {1'b0, ent.length} - {1'b0, step};
  assign s_tail    = !off_bad && va_on == dup.va && rest == dup.len;
  always_ff @(posedge clk_i) begin
    off_q     <= off;
    pmtu      <= 32'h1 << shift;      // (its record came long before a packet is made)
    changed_q <= state_q == W_PLACE || (state_q == W_PACKET && emit);
  end
  // FAST = 0: an entry comes in words, none ahead.
  assign ahead     = FAST && state_q == W_SIZE && old_q + 8'h1 != rsp.epsn_res_tail;
  assign next_ok   = FAST && (ahead_q ? res_i.hit && !res_i.err : next_ok_q);
  assign turn      = state_q == W_PACKET && emit && last;
  assign asks_res  = state_q == W_PICK && answers && (FAST || (!fault_q && !search && left_q != '0));
  assign res_o = {s_rd || ahead || asks_res, cfg.tag_qpn, cfg.tag_gen,
                  s_busy ? s_index : ahead ? old_q[3:0] + 4'h1 : old_q[3:0], state_q == W_FILL};

  // ---- its key ----
  cairn_int_pkg::mr_req_t mr;
  logic mr_ready;
  always_comb begin
    mr         = '0;
    mr.key     = ent.rkey;
    mr.pd      = cfg.pd_sgid_pd;
    mr.qpn     = cfg.tag_qpn;
    mr.va      = ent.va;
    mr.len     = len;
    mr.chk_len = 32'(len);
    mr.rights  = cairn_hw_pkg::ACCESS_REMOTE_READ;
    mr.remote  = 1'b1;
    mr.last    = 1'b1;
  end
  logic asks;
  assign asks = state_q == W_PACKET && ripe && !plain && step_ready_i;
  if (FAST) begin : g_mr
    skid_buffer #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
        .clk_i, .rst_ni, .in_valid_i(asks), .in_ready_o(mr_ready), .in_data_i(mr), .out_valid_o(mr_o.valid),
        .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));
  end else begin : g_mr_slow
    assign mr_ready = !mr_o.valid;
    stream_reg #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
        .clk_i, .rst_ni, .in_valid_i(asks && mr_ready), .in_ready_o(), .in_data_i(mr), .out_valid_o(mr_o.valid),
        .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));
  end

  // ---- steps ----
  logic pick_ack;
  assign pick_ack     = state_q == W_PICK && !fault_q && !search && !answers && owes;
  assign step_o.valid = (state_q == W_PICK && fault_q && !strange) || pick_ack || state_q == W_MOVE
                        || (state_q == W_PACKET && ripe && (plain || mr_ready)) || state_q == W_FLUSH
                        || state_q == W_LOST || state_q == W_END;
  assign step_o.value = ATOMIC ? ent.va : '0;
  assign emit         = step_o.valid && step_ready_i;
  always_comb begin
    step_o.step            = '0;
    step_o.step.res        = old_q;
    step_o.step.psn        = psn_q;
    step_o.step.arg        = arg_q;
    step_o.step.len        = len;
    step_o.step.first      = !begun_q;
    step_o.step.last       = (state_q == W_END) ? again_q : last;
    step_o.step.ack_before = ent.psn_ack_before && !placed_q;
    step_o.step.atomic     = is_atomic;
    case (state_q)
      W_PICK: step_o.step.kind = fault_q ? cairn_int_pkg::RVS_FAULT : cairn_int_pkg::RVS_ACK;
      W_MOVE: step_o.step.kind = cairn_int_pkg::RVS_MOVE;
      W_PACKET: step_o.step.kind = plain ? cairn_int_pkg::RVS_PLAIN : cairn_int_pkg::RVS_READ;
      W_FLUSH: step_o.step.kind = cairn_int_pkg::RVS_FLUSH;
      W_LOST: step_o.step.kind = cairn_int_pkg::RVS_LOST;
      default: step_o.step.kind = cairn_int_pkg::RVS_END;
    endcase
    if (state_q == W_PICK) step_o.step.psn = fault_i.lost.psn;
    if (state_q == W_LOST) step_o.step.psn = rsp.epsn;   // of a lost resource no PSN is known: the expected one
  end

  // ---- producer index, for a flush; of an SRQ a QP flushes only what it holds ----
  logic        index_q;
  logic [15:0] pi;
  assign pi          = cfg.state_use_srq ? rsp.rq_rq_index : rq_rd_pi_i;
  assign rq_rd_qpn_o = cfg.tag_qpn;
  always_ff @(posedge clk_i) index_q <= state_q == W_INDEX && !index_q && !wait_i.rq;

  // ---- control ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= W_IDLE;
    end else begin
      case (state_q)
        W_LOAD: state_q <= W_PICK;
        W_PICK: begin
          if (fault_q) begin
            if (strange || emit) state_q <= W_END;
          end else if (search) state_q <= W_DUP;
          else if (answers) state_q <= (left_q == '0) ? W_END : W_RES;
          else if (!owes) state_q <= flush ? W_INDEX : W_END;
        end
        W_DUP: if (s_done) state_q <= s_miss ? W_FILL : (s_found && s_back) ? W_MOVE : W_PICK;
        W_MOVE: if (emit) state_q <= W_PICK;
        W_RES:  if (res_i.done) state_q <= !res_i.hit ? W_FILL : res_i.err ? W_LOST : W_SIZE;
        W_SIZE: begin
          if (!ent_ok) state_q <= W_LOST;
          else if (is_atomic && !ent.psn_done) state_q <= W_END;
          else state_q <= placed_q ? W_OFF : W_PACKET;
        end
        W_OFF:   state_q <= W_PLACE;
        W_PLACE: state_q <= W_PACKET;
        W_PACKET: if (emit) begin
          if (last) state_q <= (next_ok && left_q != 4'd1) ? W_SIZE : W_PICK;
          else if (left_q == 4'd1) state_q <= W_END;
        end
        W_INDEX: if (index_q) state_q <= (rsp.flags_rqe_taken || rsp.rq_rq_index != pi) ? W_FLUSH : W_END;
        W_FLUSH, W_LOST: if (emit) state_q <= W_END;
        W_FILL: state_q <= W_END;
        default: if (free) state_q <= begin_o ? W_LOAD : W_IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_o) begin
      slot_q   <= found_i.slot[AW-1:0];
      fault_q  <= found_i.look.fault;
      again_q  <= 1'b0;
      acked_q  <= 1'b0;
    end else begin
      // More is left of what was seen; what comes now kicks.
      if (state_q == W_PICK && !search && answers && left_q == '0) again_q <= 1'b1;
      if (state_q == W_PACKET && emit && !last && left_q == 4'd1) again_q <= 1'b1;
      if (state_q == W_FILL && !res_fill_ready_i) again_q <= 1'b1;
      if (pick_ack && emit) acked_q <= 1'b1;
    end
    if (state_q == W_LOAD) begin
      cfg        <= part_i.cfg;
      rsp        <= part_i.rsp;
      dup_pend_q <= dup_pend;
      old_q      <= new_rsp.msn_res_old;
      placed_q   <= same;
      begun_q    <= same && own_i.begun;
      psn_q      <= own_i.psn;
      seq_q      <= !FAST ? '0 : mine ? own_i.seq : seq_i;   // (FAST = 0: all ACKs go through the ring)
      left_q     <= (new_cfg.state_pmtu >= 3'd4) ? 4'd4 : 4'd8;
    end
    if (dup_take) dup_pend_q <= 1'b0;
    if (state_q == W_DUP && s_done && !s_miss && s_found && s_back) begin
      arg_q    <= old_q;
      old_q    <= s_res;
      placed_q <= 1'b1;
      begun_q  <= 1'b0;
      psn_q    <= dup.psn;
    end
    if (state_q == W_RES) arg_q <= cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    if (state_q == W_SIZE) arg_q <= cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
    if (state_q == W_SIZE && !placed_q) psn_q <= ent.psn_first_psn;
    if (state_q == W_INDEX) psn_q <= {8'h0, pi};
    ahead_q   <= ahead;
    next_ok_q <= next_ok && (state_q == W_OFF || state_q == W_PLACE || state_q == W_PACKET);
    if (FAST && (state_q == W_RES || s_got || turn)) begin
      ent <= new_ent;
    end else if (!FAST && res_i.comes != '0) begin
      ent <= joined;
    end else if ((state_q == W_PLACE && !off_bad) || (state_q == W_PACKET && emit)) begin
      ent.va     <= va_on;
      ent.length <= rest;
    end
    if (state_q == W_PLACE && off_bad) begin
      psn_q    <= ent.psn_first_psn;
      placed_q <= 1'b0;
      begun_q  <= 1'b0;
    end
    if (state_q == W_PACKET && emit) begin
      psn_q    <= psn_q + 24'h1;
      placed_q <= !last;
      begun_q  <= !last;
      if (last) old_q <= old_q + 8'h1;
      left_q   <= left_q - 4'd1;
    end
  end
  assign idle_o = state_q == W_IDLE && !mr_o.valid;
endmodule
