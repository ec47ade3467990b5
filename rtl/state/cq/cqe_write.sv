// SPDX-License-Identifier: Apache-2.0
// Completion queues: takes completions of responder and completer, writes CQEs, moves the producer index, fires events.
//
// Owns: the CQ record. IBTA 11.4.2; docs/rtl/queues.md.
// Order: an item (completion, arm or timer) whose record is being read, or whose CQ is full, waits in a park_buffer, in
//   order within its CQ, and keeps its pin, so the CQ keeps its slot. An event of a QP (note of cqe_req) waits like a
//   completion, needs no room, and goes to eqe_write when those before it have been taken, whatever has become of the
//   CQ.
// Room: the consumer index is read from host memory (one read a CQ at a time) when the device's copy says half full;
//   such a read holds a pin of its own. A full CQ waits for one read that began after it was found full; if it is still
//   full, the CQ is in error: CQ_ERR event on EQN_ASYNC, report to firmware, further completions are dropped. An index
//   behind our copy, or past what was written, is the consumer's mistake and is ignored.
// Crowd: a CQ with SHARE completions that wait (2 while half of all places are taken) is crowded until none waits.
//   cmp_retire and rsp_walk hold back what they have for it, so it takes no more places than those and what is on its
//   way here already. room_o: strobe, a CQ is crowded no more.
// Cycles: initiation interval 2, for one CQ or any mix: one cycle reads the record, one uses and writes it; a full CQ
//   takes one more.
// Errors: no record: dropped (the CQ is gone). A record that cannot be read: dropped and reported to firmware.
module cqe_write #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned PARKED = 64,
    parameter int unsigned SHARE = PARKED / 8,
    localparam int unsigned AW  = $clog2(SLOTS),
    localparam int unsigned CW  = cairn_int_pkg::CQE_REQ_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    input  logic                            epoch_i,
    input  cairn_int_pkg::completion_t      rsp_i,
    input  cairn_int_pkg::completion_t      cmp_i,
    output logic [1:0]                      cqe_ready_o,
    // arms from doorbell
    input  cairn_int_pkg::cq_arm_t          arm_i,
    output logic                            arm_ready_o,
    // timers of moderation
    input  cairn_int_pkg::cq_timer_t        tmr_i,
    output logic                            tmr_ready_o,
    output cairn_int_pkg::cq_timer_set_t    ins_o,
    input  logic                            ins_ready_i,
    // CQ cache: lookups with pin, the record's RAM
    output cairn_int_pkg::ctx_req_t         ctx_o,
    input  logic                            ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t         ctx_i,
    output cairn_int_pkg::unpin_t           unpin_o,
    input  cairn_int_pkg::ctx_filled_t      fill_i,
    output logic [AW-1:0]                   filling_slot_o,
    input  logic                            filling_i,
    output logic [AW-1:0]                   rec_slot_o,
    input  logic [511:0]                    rec_data_i,        // one cycle later
    output cairn_int_pkg::part_write_t      write_o,
    output logic                            at_work_o,         // the record of write_o.slot may change in this cycle
    // firmware reads or changes a record: granted between items, kept while wanted
    input  logic                            fw_want_i,
    output logic                            fw_go_o,
    // reads of consumer records (cq_rd)
    output cairn_int_pkg::ci_read_t         ci_o,
    input  logic                            ci_ready_i,
    input  cairn_int_pkg::ci_answer_t       consumer_index_i,  // an index has come
    output logic                            consumer_index_ready_o,
    // posted write, event, error report
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_int_pkg::fw_event_t        cq_error_o,
    input  logic                            cq_error_ready_i,
    // crowded CQs
    output cairn_int_pkg::cq_crowding_t     crowd_o,
    output logic                            room_o,
    output cairn_hw_pkg::cqe_write_events_t events_o,
    output logic                            idle_o
);
  logic [AW-1:0] fill_slot;
  assign fill_slot = AW'(fill_i.slot);
  typedef enum logic [2:0] {X_IDLE, X_EXEC, X_FULL, X_EVENT, X_REPORT} state_e;
  typedef enum logic [1:0] {W_HEAD, W_PARKED, W_CI} kind_e;

  // ---- items with the answer of their lookup ----
  logic          h_valid, h_arm, h_pop, front_idle;
  logic [CW-1:0] h_item;
  logic [2:0]    h_status;
  logic [AW-1:0] h_slot;
  cairn_int_pkg::unpin_t h_unpin;
  logic                  unpin_q;
  logic [AW-1:0]         unpin_slot_q;
  cqe_lookup #(.SLOTS(SLOTS)) u_front (
      .clk_i, .rst_ni, .rsp_i, .cmp_i, .cqe_ready_o, .arm_i, .arm_ready_o,
      .tmr_i, .tmr_ready_o,
      .ctx_o, .ctx_ready_i, .ctx_i,
      .head_valid_o(h_valid), .head_arm_o(h_arm), .head_item_o(h_item), .head_status_o(h_status), .head_slot_o(h_slot),
      .pop_i(h_pop), .again_i(head_again), .unpin_o(h_unpin), .unpin_ready_i(!unpin_q),
      .idle_o(front_idle));

  // ---- items that wait ----
  logic          pk_push, pk_push_ready, pk_waiting, pk_valid, pk_res, pk_pop, pk_idle;
  logic          fe_valid, fe_ready, fe_in_ready, ci_drain;
  logic [AW-1:0] pk_slot, fe_slot;
  logic [CW:0]   pk_out;
  logic [$clog2(PARKED+1)-1:0] pk_level;
  sync_fifo #(.WIDTH(AW), .DEPTH(8)) u_fe (     // what ends a wait: a fill, a consumer index
      .clk_i, .rst_ni, .in_valid_i(fill_i.valid || ci_drain || (head_late && pk_push_ready)), .in_ready_o(fe_in_ready),
      .in_data_i(fill_i.valid ? fill_slot : ci_drain ? x_slot_q : h_slot),
      .out_valid_o(fe_valid), .out_ready_i(fe_ready), .out_data_o(fe_slot));
  // (one is parked while nothing is at work, or in the cycle after a CQ is found full: never with a verdict)
  park_buffer #(.WIDTH(CW + 1), .ENTRIES(PARKED), .SLOTS(SLOTS), .APART(1'b1), .ASKED(1'b1)) u_park (
      .clk_i, .rst_ni, .push_valid_i(pk_push), .push_ready_o(pk_push_ready), .push_slot_i(h_slot),
      .push_data_i({h_arm, h_item}),
      .q_slot_i(h_slot), .q_waiting_o(pk_waiting), .q_going_o(),
      .drain_valid_i(fe_valid), .drain_ready_o(fe_ready), .drain_slot_i(fe_slot), .drain_all_i(1'b0),
      .push_entry_o(), .out_entry_o(), .out_first_o(),
      .out_valid_o(pk_valid), .out_slot_o(pk_slot), .out_data_o(pk_out), .out_take_i(pk_res), .res_valid_i(pk_res),
      .res_pop_i(pk_pop), .void_o(), .level_o(pk_level), .idle_o(pk_idle));

  // ---- what is next ----
  state_e        x_q;
  kind_e         kind_q, n_kind;
  logic [AW-1:0] x_slot_q, n_slot;
  logic          n_exec;              // an item with its record
  logic          look;                // the state in which an item is chosen
  logic          head_turn, head_bad, head_wait, head_late, head_again, bad_parked, soon_parked;
  logic [SLOTS-1:0] bad_q, damaged_q; // fills that failed: of slots with a list
  logic [SLOTS-1:0] coming_q;         // items wait for a strobe that has not come: bad_q is of the fill before
  logic          pk_soon;
  assign look       = x_q == X_IDLE && !fw_want_i;
  assign head_turn  = look && !consumer_index_i.valid && !pk_valid && h_valid;
  assign head_bad   = head_turn && (h_status == cairn_hw_pkg::CTX_RESULT_FREE
                                    || h_status == cairn_hw_pkg::CTX_RESULT_DAMAGED);
  assign head_wait  = head_turn && (h_status == cairn_hw_pkg::CTX_RESULT_OK
                                    || h_status == cairn_hw_pkg::CTX_RESULT_WAITING)
                      && (pk_waiting || (h_status == cairn_hw_pkg::CTX_RESULT_WAITING
                                         && (filling_i || (!fill_i.valid && fe_in_ready))));
  // The record has come meanwhile: the list is drained at once.
  assign head_late  = head_wait && !pk_waiting && !filling_i;
  assign head_again = head_turn && h_status == cairn_hw_pkg::CTX_RESULT_RETRY;
  // A cause of long ago may drain the list of a slot that has been given to another CQ since: its fill drains it again.
  // (filling_i falls two cycles before the strobe.)
  assign pk_soon     = filling_i || coming_q[pk_slot];
  assign soon_parked = look && !consumer_index_i.valid && pk_valid && pk_soon;
  assign bad_parked  = look && !consumer_index_i.valid && pk_valid && !pk_soon && bad_q[pk_slot];
  always_comb begin
    n_kind = W_HEAD;
    n_slot = h_slot;
    n_exec = h_valid && h_status == cairn_hw_pkg::CTX_RESULT_OK && !pk_waiting;
    if (consumer_index_i.valid) begin
      n_kind = W_CI;
      n_slot = AW'(consumer_index_i.slot);
      n_exec = 1'b1;
    end else if (pk_valid) begin
      n_kind = W_PARKED;
      n_slot = pk_slot;
      n_exec = !pk_soon && !bad_q[pk_slot];
    end
  end
  logic                    n_arm;
  cairn_int_pkg::cqe_req_t n_req;
  assign {n_arm, n_req} = pk_valid ? pk_out : {h_arm, h_item};     // (of a consumer index it is not asked)
  assign fw_go_o        = fw_want_i && x_q == X_IDLE;
  assign filling_slot_o = pk_valid ? pk_slot : h_slot;
  assign rec_slot_o     = x_q == X_IDLE ? n_slot : x_slot_q;

  // ---- the item and its record ----
  cairn_int_pkg::cqe_req_t r, item_q;
  cairn_hw_pkg::cq_ctx_t   c, c_new;
  // What it is, worked out while it is chosen: a completion, an arm, a timer or an event of a QP. arm_q: one of the
  // middle two.
  logic                    is_arm, arm_q, cqe_q, arms_q, timer_q, note_q;
  logic [31:0]             used, size;
  logic                    odd_lap;
  logic                    full, half, in_error;
  logic [SLOTS-1:0]        busy_q;    // a read of the consumer record is under way
  logic [SLOTS-1:0]        tried_q;   // one that began after the CQ was found full has come
  assign r        = item_q;
  assign is_arm   = arm_q;
  assign c        = rec_data_i;
  assign size     = 32'h1 << c.flags_log2;
  assign used     = c.pi - c.ci;
  assign odd_lap  = c.pi[{1'b0, c.flags_log2}];
  assign full     = used >= size;
  assign half     = used + 32'h1 >= {1'b0, size[31:1]};     // after this completion
  assign in_error = !c.flags_valid || c.flags_err;

  // ---- its event ----
  logic                    ev_fire, ev_ins;
  cairn_int_pkg::cq_sums_t sums;
  cairn_hw_pkg::cq_ctx_t   ev_c;
  cq_sums u_sums (
      .time_now_i, .c_i(c), .is_cqe_i(cqe_q), .is_arm_i(arms_q), .arm_word_i(r.imm[18:0]),
      .sums_o(sums));
  cq_event u_event (
      .c_i(c), .sums_i(sums), .is_cqe_i(cqe_q), .is_arm_i(arms_q),
      .is_timer_i(timer_q), .sol_i(r.event_sol), .arm_word_i(r.imm[18:0]), .ins_ready_i,
      .c_o(ev_c), .fire_o(ev_fire), .ins_o(ev_ins));
  assign ins_o.deadline = sums.deadline;

  // ---- what happens to it ----
  logic exec, do_cqe, do_note, do_park, do_stay, do_over, do_arm, do_ci, do_drop, done, fires, finds_full, at_full,
      may_ask;
  logic put_ready, ci_go;
  assign exec    = x_q == X_EXEC;
  assign do_ci   = exec && kind_q == W_CI && !fill_i.valid && fe_in_ready;
  assign do_note = exec && kind_q != W_CI && note_q;     // also for a CQ in error: what it waited for is over
  assign do_drop = exec && kind_q != W_CI && in_error && !note_q;
  assign do_arm  = exec && kind_q != W_CI && !in_error && is_arm;
  assign do_cqe  = exec && kind_q != W_CI && !in_error && cqe_q && !full && put_ready;
  assign do_over = exec && kind_q != W_CI && !in_error && cqe_q && full && tried_q[x_slot_q] && put_ready;
  // A full CQ, in the cycle after that is found: ask for the index, or wait for the read under way. Without room for
  // either it is looked at again.
  assign finds_full  = exec && kind_q != W_CI && !in_error && cqe_q && full && !tried_q[x_slot_q];
  assign at_full     = x_q == X_FULL;
  assign may_ask     = busy_q[x_slot_q] || ci_ready_i;
  assign do_stay     = at_full && kind_q == W_PARKED && may_ask;                   // it stays first in its list
  assign do_park     = at_full && kind_q == W_HEAD && may_ask && pk_push_ready;
  assign fires       = (do_cqe || do_arm) && ev_fire;
  assign ins_o.valid = (do_cqe || do_arm) && ev_ins;
  assign ins_o.cqn   = r.cqn;
  assign done        = do_drop || do_arm || do_cqe || do_over || do_note;

  assign ci_o.valid = !busy_q[x_slot_q] && ((at_full && (kind_q == W_PARKED || pk_push_ready)) || (do_cqe && half));
  assign ci_go      = ci_o.valid && ci_ready_i;
  assign ci_o.slot  = cairn_int_pkg::SLOT_W'(x_slot_q);
  assign ci_o.iova  = c.ci_iova;
  assign ci_o.full  = at_full;
  assign consumer_index_ready_o = do_ci;
  assign ci_drain    = do_ci;

  assign h_pop   = head_bad || (head_wait && pk_push_ready) || do_park || (kind_q == W_HEAD && done);
  assign pk_push = head_wait || (at_full && kind_q == W_HEAD && may_ask);
  assign pk_res  = bad_parked || soon_parked || do_stay || (kind_q == W_PARKED && done);
  assign pk_pop  = bad_parked || done;

  cairn_int_pkg::cqe_req_t rp, rh;
  assign rp = pk_out[CW-1:0];
  assign rh = h_item;

  // ---- its share: completions of each slot's list, a cycle after the push or the pop, which never fall together ----
  localparam int unsigned HW = $clog2(PARKED + 1);
  logic [HW-1:0]    waits [0:SLOTS-1];
  logic [HW-1:0]    waits_now, waits_next;
  logic [SLOTS-1:0] crowded_q;
  logic [AW-1:0]    w_slot_q;
  logic [23:0]      w_cqn_q;
  logic             w_any, w_any_q, w_push_q, w_pop_q, w_first_q;
  assign w_any      = pk_push && pk_push_ready;       // an arm may be the first of a list
  always_ff @(posedge clk_i) begin
    w_any_q   <= rst_ni && w_any;
    w_push_q  <= rst_ni && w_any && !h_arm;
    w_pop_q   <= rst_ni && pk_res && pk_pop && !pk_out[CW];
    w_first_q <= !pk_waiting;
    w_slot_q  <= w_any ? h_slot : pk_slot;
    w_cqn_q   <= w_any ? rh.cqn : rp.cqn;
  end
  assign waits_now  = (w_any_q && w_first_q) ? '0 : waits[w_slot_q];
  assign waits_next = w_any_q ? waits_now + HW'(w_push_q) : waits_now - 1'b1;
  always_ff @(posedge clk_i) if (w_any_q || w_pop_q) waits[w_slot_q] <= waits_next;
  assign crowd_o.crowded     = w_push_q;
  assign crowd_o.valid       = w_push_q ? !crowded_q[w_slot_q]
                                          && (waits_next >= HW'(SHARE)
                                              || (pk_level >= HW'(PARKED / 2) && waits_next >= HW'(2)))
                                        : w_pop_q && crowded_q[w_slot_q] && waits_next == '0;
  assign crowd_o.cqn         = w_cqn_q;
  assign room_o              = crowd_o.valid && !crowd_o.crowded;
  assign events_o.cq_crowded = crowd_o.valid && crowd_o.crowded;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) crowded_q <= '0;
    else if (crowd_o.valid) crowded_q[w_slot_q] <= crowd_o.crowded;
  end

  // The pin goes with the item, a cycle later: what becomes of that is known late. A read for a CQ that is not full
  // takes it over.
  logic ci_pin, x_unpin;
  assign ci_pin        = do_cqe && ci_go;
  assign x_unpin       = bad_parked || (done && !ci_pin) || (do_ci && !consumer_index_i.full);
  always_ff @(posedge clk_i) begin
    unpin_q      <= rst_ni && x_unpin;
    unpin_slot_q <= bad_parked ? pk_slot : x_slot_q;
  end
  assign unpin_o.valid = unpin_q || h_unpin.valid;
  assign unpin_o.slot  = unpin_q ? cairn_int_pkg::SLOT_W'(unpin_slot_q) : h_unpin.slot;

  always_comb begin
    c_new = (do_cqe || do_arm) ? ev_c : c;
    if (do_cqe) begin
      c_new.pi = c.pi + 32'h1;
      if (r.event_sol) c_new.sol_pi = c.pi + 32'h1;
    end
    if (do_over) c_new.flags_err = 1'b1;
    if (do_ci && !consumer_index_i.err && (consumer_index_i.index - c.ci) <= used) c_new.ci = consumer_index_i.index;
  end
  // What an item leaves as it is, is written all the same: whether it changes anything is known too late for those who
  // wait for a free cycle of the RAM. They get one while it waits for room.
  assign write_o.valid = do_ci || (exec && kind_q != W_CI && (!cqe_q || put_ready));
  assign write_o.slot  = cairn_int_pkg::SLOT_W'(x_slot_q);
  assign write_o.data  = c_new;
  assign at_work_o     = exec;

  // ---- CQE ----
  cairn_hw_pkg::cqe_t     e;
  cairn_int_pkg::dma_wr_t w;
  cairn_int_pkg::cqe_put_t put_in, put_out;
  assign put_in = {c.base + {27'h0, c.pi & (size - 32'h1), 5'h0}, epoch_i, e};
  logic [1:0]    put_level;
  cqe_form u_form (.r_i(r), .time_i(time_now_i), .index_i(c.pi[14:0]), .phase_i(!odd_lap), .cqe_o(e));
  sync_fifo_level #(.WIDTH(cairn_int_pkg::CQE_PUT_W), .DEPTH(2)) u_put (
      .clk_i, .rst_ni, .in_valid_i(do_cqe), .in_ready_o(put_ready),
      .in_data_i(put_in),
      .out_valid_o(wr_o.valid), .out_ready_i(wr_ready_i), .out_data_o(put_out), .level_o(put_level));
  always_comb begin
    w       = '0;
    w.iova  = put_out.iova;
    w.epoch = put_out.epoch;
    w.len   = cairn_int_pkg::LEN_W'(cairn_hw_pkg::CQE_BYTES);
    w.data  = {256'h0, put_out.cqe};
  end
  assign wr_o.cmd = w;

  // ---- event: never before its CQE has been taken ----
  cairn_int_pkg::eqe_req_t ev, ev_q, nev;
  logic        report_q;
  logic [23:0] cqn_q;
  always_comb begin
    ev         = '0;
    ev.eqn     = c.flags_eqn;
    ev.etype   = cairn_hw_pkg::EQE_TYPE_CQ;
    ev.arm_seq = c_new.flags_arm_seq;
    ev.number  = r.cqn;
    if (do_over) begin
      ev.eqn     = 8'(cairn_hw_pkg::EQN_ASYNC);
      ev.etype   = cairn_hw_pkg::EQE_TYPE_CQ_ERR;
      ev.arm_seq = '0;
      ev.data    = {24'h0, cairn_hw_pkg::VENDOR_ERR_CQ_OVERFLOW};
    end
    if (note_q) ev = nev;
  end
  assign eqe_o.valid       = x_q == X_EVENT && put_level == '0;
  assign eqe_o.req         = ev_q;
  assign cq_error_o.valid  = x_q == X_REPORT;
  assign cq_error_o.number = cqn_q;

  logic report_now;        // a completion is lost because the record cannot be read
  assign report_now = (head_bad && !h_arm && h_status == cairn_hw_pkg::CTX_RESULT_DAMAGED)
                      || (bad_parked && !pk_out[CW] && damaged_q[pk_slot]);
  // The event of a QP whose CQ has no record: nothing can be before it.
  logic note_now;
  always_comb begin
    nev        = '0;
    {nev.eqn, nev.etype, nev.number, nev.data} =
        exec ? {r.flags, r.opcode, r.qpn, r.imm} : bad_parked ? {rp.flags, rp.opcode, rp.qpn, rp.imm}
             : {rh.flags, rh.opcode, rh.qpn, rh.imm};
  end
  assign note_now = (head_bad && !h_arm && rh.note) || (bad_parked && !pk_out[CW] && rp.note);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q      <= X_IDLE;
      kind_q   <= W_HEAD;
      busy_q   <= '0;
      tried_q  <= '0;
      coming_q <= '0;
    end else begin
      case (x_q)
        X_IDLE: begin
          if (note_now) x_q <= X_EVENT;
          else if (report_now) x_q <= X_REPORT;
          else if (look && n_exec) x_q <= X_EXEC;
        end
        X_EXEC: begin
          if (fires || do_over || do_note) x_q <= X_EVENT;
          else if (finds_full) x_q <= X_FULL;
          else if (done || do_ci) x_q <= X_IDLE;
        end
        X_FULL:  x_q <= X_IDLE;
        X_EVENT: if (eqe_o.valid && eqe_ready_i) x_q <= report_q ? X_REPORT : X_IDLE;
        default: if (cq_error_ready_i) x_q <= X_IDLE;
      endcase
      if (look) kind_q <= n_kind;
      if (fill_i.valid) coming_q[fill_slot] <= 1'b0;
      if (head_wait && pk_push_ready && filling_i) coming_q[h_slot] <= 1'b1;
      if (ci_go) busy_q[x_slot_q] <= 1'b1;
      else if (do_ci) busy_q[x_slot_q] <= 1'b0;
      if (do_ci && consumer_index_i.full) tried_q[x_slot_q] <= 1'b1;
      else if (done && cqe_q) tried_q[x_slot_q] <= 1'b0;
    end
    if (look) begin
      x_slot_q <= n_slot;
      {arm_q, item_q} <= {n_arm, n_req};
      cqe_q           <= !n_arm && !n_req.note;
      arms_q          <= n_arm && !n_req.imm[19];
      timer_q         <= n_arm && n_req.imm[19];
      note_q          <= !n_arm && n_req.note;
    end
    if (exec) begin
      ev_q     <= ev;
      report_q <= do_over;
      cqn_q    <= r.cqn;
    end
    if (report_now) cqn_q <= bad_parked ? rp.cqn : rh.cqn;
    if (note_now) begin
      ev_q     <= nev;
      report_q <= 1'b0;
    end
    if (fill_i.valid) begin
      bad_q[fill_slot]     <= fill_i.status != cairn_hw_pkg::CTX_RESULT_OK;
      damaged_q[fill_slot] <= fill_i.status == cairn_hw_pkg::CTX_RESULT_DAMAGED;
    end
  end

  assign events_o.cqe_written = do_cqe;
  assign events_o.cqe_flush   = do_cqe && r.status == cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
  assign events_o.cqe_err     = do_cqe && r.status != cairn_hw_pkg::WC_STATUS_SUCCESS
                             && r.status != cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR && e.wqe_is_sq;
  assign events_o.cq_overflow = do_over;
  assign idle_o = x_q == X_IDLE && !unpin_q && front_idle && pk_idle && !fe_valid && !consumer_index_i.valid
                  && !wr_o.valid && !fw_want_i && !fill_i.valid;

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && fill_i.valid && !fe_in_ready) $error("cqe_write: end of a fill lost");
`endif
endmodule
