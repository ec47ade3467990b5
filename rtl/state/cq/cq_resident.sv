// SPDX-License-Identifier: Apache-2.0
// Completion queues of which every record has its place on chip: what cqe_write with its cache, its look-ups and
// firmware's port is to a table in host memory, one thing at a time.
//
// Owns: the records, in one block RAM, three words each; which of them exist. IBTA 11.4.2; docs/rtl/queues.md.
// Order: completions and events in the order in which they are taken. An item whose CQ is full keeps its place in front
//   until the consumer index has been read; consumer indices and firmware go on meanwhile. So nothing is parked, no CQ
//   is crowded, and a CQ that its consumer keeps full holds the others up for a read each time.
// Room, errors: as cqe_write. No record: dropped (the CQ is gone).
// Firmware: enum ctx_op, between two items. What makes or drops a record waits for the read of its consumer index.
//   REFUSED: a change of LOG2 when the entries past ci would not fit. A change of MOD sets a timer that is due at once.
// Cycles: an item 10, and one for each word but the first that changes. Reset: no CQ exists, after 2^CQS_LOG2 cycles.
module cq_resident #(
    parameter int unsigned CQS_LOG2 = 8
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    input  logic                            epoch_i,
    input  logic [24:0]                     entries_i,
    input  cairn_int_pkg::completion_t      rsp_i,
    input  cairn_int_pkg::completion_t      cmp_i,
    output logic [1:0]                      cqe_ready_o,
    input  cairn_int_pkg::cq_arm_t          arm_i,
    output logic                            arm_ready_o,
    input  cairn_int_pkg::cq_timer_t        tmr_i,
    output logic                            tmr_ready_o,
    output cairn_int_pkg::cq_timer_set_t    ins_o,
    input  logic                            ins_ready_i,
    // firmware
    input  cairn_int_pkg::ctx_op_t          fw_i,
    output cairn_int_pkg::ctx_done_t        fw_o,
    // reads of consumer records (cq_rd)
    output cairn_int_pkg::ci_read_t         ci_o,
    input  logic                            ci_ready_i,
    input  cairn_int_pkg::ci_answer_t       consumer_index_i,
    output logic                            consumer_index_ready_o,
    // posted write, event, error report
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_int_pkg::fw_event_t        cq_error_o,
    input  logic                            cq_error_ready_i,
    output cairn_hw_pkg::cqe_write_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned FW = 28, W0 = 11 + FW + 96;     // flags without their gap; the first word
  typedef enum logic [3:0] {S_CLEAR, S_IDLE, S_READ, S_WORDS, S_SUMS, S_CALC, S_EXEC, S_PUT, S_TIMER, S_EVENT, S_REPORT,
                            S_WRITE, S_ANSWER} state_e;
  typedef enum logic [1:0] {K_ITEM, K_INDEX, K_FW} kind_e;
  state_e state_q;
  kind_e  kind_q;

  // ---- the item ----
  logic                    have, is_arm_q, item_end, items_idle;
  cairn_int_pkg::cqe_req_t item_q;
  cq_items u_items (
      .clk_i, .rst_ni, .rsp_i, .cmp_i, .cqe_ready_o, .arm_i, .arm_ready_o, .tmr_i, .tmr_ready_o,
      .valid_o(have), .arm_o(is_arm_q), .item_o(item_q), .end_i(item_end), .idle_o(items_idle));

  // ---- the record: three words, and whether it exists, a read of its consumer index is under way (busy), one that
  // began when the CQ was full has come (tried) ----
  logic                  exists_q, busy_q, tried_q, in_table_q;
  logic [23:0]           cqn_q;
  cairn_hw_pkg::cq_ctx_t c_q;
  logic [1:0]            step_q;
  logic [W0-1:0]         rdata, wdata;
  logic                  we;
  logic [CQS_LOG2-1:0]   cqn;
  assign cqn = cqn_q[CQS_LOG2-1:0];
  ram_1r1w #(.WIDTH(W0), .DEPTH(4 << CQS_LOG2), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we), .waddr_i({cqn, step_q}), .wdata_i(wdata), .re_i(state_q == S_READ), .raddr_i({cqn, step_q}),
      .rdata_o(rdata));

  // Words as they lie in the RAM, and firmware's (see ctx_words), for which the record is a shift register: of INIT the
  // mask is all ones.
  localparam int unsigned C_W = cairn_hw_pkg::CQ_CTX_RSVD0_LSB;      // what is behind it is zero
  logic [127:0]          out_w;
  logic [31:0]           now;
  logic [3:0]            word_q;
  logic                  init, modify, forget, merge_q, kept, of_log2_q, of_mod_q;
  assign init   = kind_q == K_FW && fw_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign modify = kind_q == K_FW && fw_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign forget = kind_q == K_FW && (fw_i.op == cairn_hw_pkg::CTX_OP_EVICT || fw_i.op == cairn_hw_pkg::CTX_OP_DROP);
  assign kept = word_q < 4'(C_W / 32);
  for (genvar i = 0; i < 32; i++) begin : g_now
    assign now[i] = (merge_q && fw_i.mask[i]) ? fw_i.data[i] : c_q[i];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_q <= '0;
    else word_q <= word_q + 4'(state_q == S_WORDS);
    if (word_q == 4'(cairn_hw_pkg::CQ_CTX_FLAGS_LSB / 32))
      of_log2_q <= fw_i.mask[cairn_hw_pkg::CQ_CTX_FLAGS_LOG2_LSB % 32 +: 4] != '0;
    if (word_q == 4'(cairn_hw_pkg::CQ_CTX_MOD_LSB / 32)) of_mod_q <= fw_i.mask != '0;
  end
  assign out_w = step_q[1] ? {c_q.sol_pi, c_q.mod_pi, c_q.mod_since} : {c_q.ci_iova, c_q.base};
  assign we    = state_q == S_CLEAR || state_q == S_WRITE;
  assign wdata = step_q != 2'd0 ? W0'(out_w)
                 : {state_q == S_WRITE && !forget, busy_q && !init, tried_q && !init, c_q.tag_gen, c_q[63:48],
                    c_q[43:32], c_q.mod_period, c_q.mod_count, c_q.ci, c_q.pi};

  // ---- sums, then what is made of them ----
  logic                    is_arm, is_note, is_cqe, modifies_log2, more_q, full_q, half_q, ahead_ok_q, phase_q;
  logic [3:0]              log2_q;
  logic [31:0]             used_q, used1_q, index_q, ahead_q, used, below;
  logic [63:0]             iova_q, time_q;
  cairn_int_pkg::cq_sums_t sums, sums_q;
  assign is_arm        = is_arm_q && !item_q.imm[19];
  assign is_note       = item_q.note && !is_arm_q;
  assign is_cqe        = !is_arm_q && !is_note;
  assign used          = c_q.pi - c_q.ci;
  assign modifies_log2 = modify && of_log2_q && c_q.flags_valid;
  cq_sums u_sums (
      .time_now_i, .c_i(c_q), .is_cqe_i(is_cqe), .is_arm_i(is_arm), .arm_word_i(item_q.imm[18:0]), .sums_o(sums));
  assign below = (32'h1 << log2_q) - 32'h1;                 // places of a ring's index
  always_ff @(posedge clk_i) begin
    if (state_q == S_SUMS) begin
      sums_q  <= sums;
      used_q  <= used;
      used1_q <= used + 32'h1;                              // after this completion
      index_q <= c_q.pi & ((32'h1 << c_q.flags_log2) - 32'h1);
      phase_q <= !c_q.pi[{1'b0, c_q.flags_log2}];
      log2_q  <= c_q.flags_log2;
      ahead_q <= consumer_index_i.index - c_q.ci;
    end
    if (state_q == S_CALC) begin
      full_q     <= (used_q & ~below) != '0;
      half_q     <= (used1_q & ~{1'b0, below[31:1]}) != '0;
      more_q     <= modifies_log2 && used_q > below + 32'h1;
      ahead_ok_q <= !consumer_index_i.err && ahead_q <= used_q;
      iova_q     <= c_q.base + {27'h0, index_q, 5'h0};
      time_q     <= time_now_i;
    end
  end

  logic                  ev_fire, ev_ins;
  cairn_hw_pkg::cq_ctx_t ev_c;
  cq_event u_event (
      .c_i(c_q), .sums_i(sums_q), .is_cqe_i(is_cqe), .is_arm_i(is_arm), .is_timer_i(is_arm_q && item_q.imm[19]),
      .sol_i(item_q.event_sol), .arm_word_i(item_q.imm[18:0]), .ins_ready_i(1'b1), .c_o(ev_c), .fire_o(ev_fire),
      .ins_o(ev_ins));

  // ---- what happens ----
  logic exec, item, good, do_note, do_arm, do_cqe, do_over, at_full, do_index, blocked, fw_write, asks, ci_go;
  logic held_q, wide_q, fires_q, timer_q, over_q, fw_turn_q, idx_go, item_go, fw_go;
  assign exec     = state_q == S_EXEC;
  assign item     = exec && kind_q == K_ITEM;
  assign good     = exists_q && in_table_q && c_q.flags_valid && !c_q.flags_err;
  assign do_note  = item && is_note;                        // also for a CQ in error: what it waited for is over
  assign do_arm   = item && good && is_arm_q;
  assign do_cqe   = item && good && is_cqe && !full_q;
  assign do_over  = item && good && is_cqe && full_q && tried_q;
  assign at_full  = item && good && is_cqe && full_q && !tried_q;
  assign do_index = exec && kind_q == K_INDEX;
  assign blocked  = exec && (init || forget) && exists_q && busy_q;
  assign fw_write = exec && in_table_q && (init || (exists_q && (forget || (modify && !more_q)))) && !blocked;
  assign asks     = !busy_q && (at_full || (do_cqe && half_q));
  assign ci_o.valid = asks;
  assign ci_go      = asks && ci_ready_i;
  assign ci_o.slot  = cairn_int_pkg::SLOT_W'(cqn);
  assign ci_o.iova  = c_q.ci_iova;
  assign ci_o.full  = full_q;
  assign consumer_index_ready_o = do_index;
  assign idx_go   = consumer_index_i.valid;
  assign item_go  = !idx_go && have && !held_q && !(fw_i.valid && fw_turn_q);
  assign fw_go    = !idx_go && !item_go && fw_i.valid;
  assign item_end = (item && !do_note && !do_arm && !do_cqe && !do_over && !at_full)
                    || (state_q == S_WRITE && step_q == 2'd0 && kind_q == K_ITEM && !held_q)
                    || (state_q == S_EVENT && eqe_ready_i && is_note);

  logic [23:0] number;
  assign number = idx_go ? 24'(consumer_index_i.slot) : item_go ? item_q.cqn : fw_i.key[23:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= S_CLEAR;
      cqn_q     <= '0;
      step_q    <= '0;
    end else begin
      case (state_q)
        S_CLEAR: begin
          cqn_q <= cqn_q + 24'h1;
          if (&cqn) state_q <= S_IDLE;
        end
        S_IDLE: begin
          cqn_q <= number;
          if (idx_go || item_go || fw_go) state_q <= S_READ;
        end
        S_READ: begin
          step_q <= step_q + 2'd1;
          if (step_q == 2'd3) state_q <= (kind_q == K_FW && !forget) ? S_WORDS : S_SUMS;
        end
        S_WORDS:  if (&word_q) state_q <= S_SUMS;
        S_SUMS:   state_q <= S_CALC;
        S_CALC:   state_q <= S_EXEC;
        S_EXEC: begin
          if (do_cqe) state_q <= S_PUT;
          else if (do_arm) state_q <= ev_ins ? S_TIMER : ev_fire ? S_EVENT : S_WRITE;
          else if (do_over || do_note) state_q <= S_EVENT;
          else if (do_index || fw_write || (at_full && ci_go)) state_q <= S_WRITE;
          else state_q <= (kind_q == K_FW && !blocked) ? S_ANSWER : S_IDLE;
        end
        S_PUT:    if (wr_ready_i) state_q <= timer_q ? S_TIMER : fires_q ? S_EVENT : S_WRITE;
        S_TIMER:  if (ins_ready_i) state_q <= kind_q == K_FW ? S_ANSWER : S_WRITE;
        S_EVENT:  if (eqe_ready_i) state_q <= over_q ? S_REPORT : is_note ? S_IDLE : S_WRITE;
        S_REPORT: if (cq_error_ready_i) state_q <= S_WRITE;
        S_WRITE: begin
          if (step_q == 2'd0 && (kind_q == K_FW && !forget)) step_q <= 2'd1;
          else if (step_q == 2'd1 || (step_q == 2'd0 && wide_q)) step_q <= 2'd2;
          else begin
            step_q  <= 2'd0;
            state_q <= kind_q != K_FW ? S_IDLE : timer_q ? S_TIMER : S_ANSWER;
          end
        end
        default: state_q <= S_IDLE;                         // S_ANSWER
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == S_IDLE) begin
      kind_q     <= idx_go ? K_INDEX : item_go ? K_ITEM : K_FW;
      merge_q    <= fw_go && (fw_i.op == cairn_hw_pkg::CTX_OP_INIT || fw_i.op == cairn_hw_pkg::CTX_OP_MODIFY);
      in_table_q <= {1'b0, number} < entries_i && (number >> CQS_LOG2) == '0;
    end
    if (!rst_ni) begin
      held_q    <= 1'b0;
      fw_turn_q <= 1'b0;
    end else if (exec) begin
      held_q <= (held_q && !do_index) || (at_full && (busy_q || ci_go));
      if (kind_q != K_INDEX) fw_turn_q <= kind_q == K_ITEM;
    end
    if (exec) begin
      wide_q  <= kind_q == K_ITEM && (do_arm || do_cqe);
      fires_q <= ev_fire;
      over_q  <= do_over;
      timer_q <= kind_q == K_FW ? modify && of_mod_q : ev_ins;
    end
  end

  // The record as it comes, and what an item or an index makes of it
  always_ff @(posedge clk_i) begin
    if (state_q == S_READ) begin
      case (step_q)
        2'd1: begin
          {exists_q, busy_q, tried_q} <= rdata[W0-1 -: 3];
          {c_q.tag_gen, c_q.flags_db_page, c_q.flags_eqn, c_q.flags_log2, c_q.flags_mod_wait, c_q.flags_event_out,
           c_q.flags_arm_seq, c_q.flags_arm_solicited, c_q.flags_armed, c_q.flags_err, c_q.flags_valid,
           c_q.mod_period, c_q.mod_count, c_q.ci, c_q.pi} <= rdata[W0-4:0];
          {c_q.tag_cqn, c_q.gap0} <= {cqn_q, 4'h0};
        end
        2'd2: {c_q.ci_iova, c_q.base} <= rdata[127:0];
        2'd3: {c_q.sol_pi, c_q.mod_pi, c_q.mod_since} <= rdata[127:0];
        default: ;
      endcase
    end
    if (state_q == S_WORDS && kept) c_q[C_W-1:0] <= {now, c_q[C_W-1:32]};
    if (do_arm || do_cqe) begin
      c_q.flags_mod_wait      <= ev_c.flags_mod_wait;
      c_q.flags_event_out     <= ev_c.flags_event_out;
      c_q.flags_arm_seq       <= ev_c.flags_arm_seq;
      c_q.flags_arm_solicited <= ev_c.flags_arm_solicited;
      c_q.flags_armed         <= ev_c.flags_armed;
      c_q.mod_pi              <= ev_c.mod_pi;
      c_q.mod_since           <= ev_c.mod_since;
    end
    if (do_cqe) begin
      c_q.pi  <= c_q.pi + 32'h1;
      tried_q <= 1'b0;
      if (item_q.event_sol) c_q.sol_pi <= c_q.pi + 32'h1;
    end
    if (do_over) begin
      c_q.flags_err <= 1'b1;
      tried_q       <= 1'b0;
    end
    if (ci_go) busy_q <= 1'b1;
    if (do_index) begin
      busy_q <= 1'b0;
      if (consumer_index_i.full) tried_q <= 1'b1;
      if (ahead_ok_q) c_q.ci <= consumer_index_i.index;
    end
    c_q.rsvd0 <= '0;
    c_q.rsvd1 <= '0;
  end

  // ---- firmware's answer ----
  logic [2:0] status_q;
  always_ff @(posedge clk_i) begin
    if (exec) status_q <= (init || !forget) && !(in_table_q && (exists_q || init)) ? cairn_hw_pkg::CTX_RESULT_FREE
                          : more_q ? cairn_hw_pkg::CTX_RESULT_REFUSED : cairn_hw_pkg::CTX_RESULT_OK;
  end
  always_comb begin
    fw_o.done   = state_q == S_ANSWER;
    fw_o.status = status_q;
    fw_o.word   = word_q + 4'(state_q == S_WORDS);
    fw_o.put    = state_q == S_WORDS;
    fw_o.data   = (state_q == S_WORDS && kept) ? now : '0;
  end

  // ---- CQE, event, report, timer ----
  cairn_hw_pkg::cqe_t      e;
  cairn_int_pkg::dma_wr_t  w;
  cairn_int_pkg::eqe_req_t ev;
  logic [14:0]             slot_q;       // index of the entry, as it is in the CQE
  always_ff @(posedge clk_i) if (exec) slot_q <= c_q.pi[14:0];
  cqe_form u_form (.r_i(item_q), .time_i(time_q), .index_i(slot_q), .phase_i(phase_q), .cqe_o(e));
  always_comb begin
    w       = '0;
    w.iova  = iova_q;
    w.epoch = epoch_i;
    w.len   = cairn_int_pkg::LEN_W'(cairn_hw_pkg::CQE_BYTES);
    w.data  = {256'h0, e};
    ev         = '0;
    ev.eqn     = c_q.flags_eqn;
    ev.etype   = cairn_hw_pkg::EQE_TYPE_CQ;
    ev.arm_seq = c_q.flags_arm_seq;
    ev.number  = item_q.cqn;
    if (over_q) begin
      ev.eqn     = 8'(cairn_hw_pkg::EQN_ASYNC);
      ev.etype   = cairn_hw_pkg::EQE_TYPE_CQ_ERR;
      ev.arm_seq = '0;
      ev.data    = {24'h0, cairn_hw_pkg::VENDOR_ERR_CQ_OVERFLOW};
    end
    if (is_note) begin
      ev = '0;
      {ev.eqn, ev.etype, ev.number, ev.data} = {item_q.flags, item_q.opcode, item_q.qpn, item_q.imm};
    end
  end
  assign wr_o.valid        = state_q == S_PUT;
  assign wr_o.cmd          = w;
  assign eqe_o.valid       = state_q == S_EVENT;
  assign eqe_o.req         = ev;
  assign cq_error_o.valid  = state_q == S_REPORT;
  assign cq_error_o.number = item_q.cqn;
  assign ins_o.valid       = state_q == S_TIMER;
  assign ins_o.cqn         = cqn_q;
  assign ins_o.deadline    = kind_q == K_FW ? time_q : sums_q.deadline;

  always_ff @(posedge clk_i) begin
    events_o.cqe_written <= rst_ni && do_cqe;
    events_o.cqe_flush   <= rst_ni && do_cqe && item_q.status == cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
    events_o.cqe_err     <= rst_ni && do_cqe && item_q.status != cairn_hw_pkg::WC_STATUS_SUCCESS
                            && item_q.status != cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR && item_q.flags.is_sq;
    events_o.cq_overflow <= rst_ni && do_over;
    events_o.cq_crowded  <= 1'b0;
  end
  assign idle_o = state_q == S_IDLE && items_idle && !consumer_index_i.valid && !fw_i.valid;
endmodule
