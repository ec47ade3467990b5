// SPDX-License-Identifier: Apache-2.0
// Shared receive queues (docs/commands.md 7, docs/rtl/queues.md): their records, the slots read ahead, limits and
// errors.
//
//   doorbell (producer index) ->  srq_state  <-> srq_ring (ring entries)
//
// rsp_check looks an SRQ up and takes its next slot; rsp_walk takes for a packet that came when none was on chip;
// rsp_commit settles what was taken: used, or given back. What arrives is told to rqe_fetch, which reads its elements
// ahead.
// Slots: each SRQ has WINDOW slots on chip, of which up to AHEAD are neither taken nor owed. A ring entry is read once,
//   never past the producer index, and never again once it was taken; a slot that is given back goes in front of the
//   others. Room for that is kept: slots asked for, read and taken but not settled are at most WINDOW. Reads are of
//   half a line or more, unless few slots are left.
// Look: the answer holds in the next cycle: none: no entry is left by the doorbell; here: a slot is on chip that is not
//   owed to another packet. A take at that next cycle takes it, or, when it is not here, owes one. No look while hold.
// Late: a packet that is owed a slot takes it. In the next cycle: got (slot and number say which), bad (the SRQ has
//   failed: it gets none), else it waits: its context slot is woken when it is worth trying again. A packet that is
//   owed a slot cannot overtake woken ones indefinitely: rsp_check leaves as many slots as are owed.
// Number: tells a slot from what the same slot had been before, for keys of rqe_fetch; it goes on over INIT.
// Order: two kinds of events, each read in one cycle, decided in the next, its record written in the one behind that.
//   Looks, and what goes on beside them: ring entries, reads to start, which change fields of their own, and firmware,
//   packets that are owed a slot, slots given back, which change what a look does: these ask for hold first, and are
//   read when no look is under way. Between two of them a look has its turn. Settlements of slots that were used need
//   no record. What is read while a record is written is as it is written.
// Reads of rings (srq_start): a record that may want one is read, in three steps it is worked out how many entries, and
//   then asked for.
// Firmware: (context port, table SRQ) INIT (all of srq_ctx but POP; indices from 0), READ (POP and LIMIT as they are),
//   MODIFY (LIMIT and LIMIT_ARMED), DROP. One part. FREE: no such SRQ.
// Events: SRQ_LIMIT once when fewer than LIMIT entries are left (or are when it is armed).
// Errors: SRQ_ERR: a slot number beyond the array, an unreadable ring, a producer index beyond the ring: nothing more
//   is taken.
module srq_state #(
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    parameter int unsigned SLOTS     = 128,      // contexts
    localparam int unsigned AW       = $clog2(SLOTS)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    // firmware
    input  cairn_int_pkg::ctx_op_t          op_i,
    output cairn_int_pkg::ctx_done_t        op_o,
    // doorbells: strobe
    input  cairn_int_pkg::srq_doorbell_t    db_i,
    // rsp_check
    input  cairn_int_pkg::srq_look_t        look_i,
    output cairn_int_pkg::srq_next_t        next_o,
    // rsp_walk
    input  cairn_int_pkg::srq_late_t        late_i,
    output logic                            late_ready_o,
    output cairn_int_pkg::srq_owed_t        late_o,
    output cairn_int_pkg::wake_t            wake_o,
    input  logic                            wake_ready_i,
    // rsp_commit
    input  cairn_int_pkg::srq_set_t         set_i,
    output logic                            set_ready_o,
    // srq_ring
    output cairn_int_pkg::srq_read_t        start_o,
    input  logic                            start_ready_i,
    input  cairn_int_pkg::srq_entry_t       ent_i,
    output logic                            ent_ready_o,
    output cairn_int_pkg::rqe_ahead_t       ahead_o,  // rqe_fetch: elements to read ahead
    input  logic                            ahead_ready_i,
    // events
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_hw_pkg::srq_state_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned N    = 1 << SRQS_LOG2;
  localparam int unsigned SW   = SRQS_LOG2;
  localparam int unsigned WW   = $clog2(WINDOW);
  typedef enum logic [2:0] {K_NONE, K_OP, K_LATE, K_BACK, K_ENTRY, K_WANT, K_START} kind_e;

  if ((1 << WW) != WINDOW || WINDOW < 32 || AHEAD < 16 || AHEAD > WINDOW - 16) begin : g_chk
    $error("srq_state: WINDOW must be a power of two, 32 or more, AHEAD 16 to WINDOW - 16");
  end

  logic          ok_q, none_q, here_q;         // of the last look
  logic [15:0]   win_slot, seq_q;
  logic [63:0]   slots_q;
  logic [3:0]    log2_q;
  logic [4:0]    stride_q;
  logic          init_q;
  logic [SW-1:0] init_idx_q;

  // ---- first step of a look ----
  logic          look_q, hold_q;
  logic [SW-1:0] look_sel;
  assign look_sel = look_i.srqn[SW-1:0];

  // ---- first step of the others: firmware, one owed, a slot given back, an entry, a read to start ----
  kind_e         kind_q;
  logic          op_wait, back_wait, alone, alters, altering, op_go, late_go, set_go, ent_go, want_go, go_start;
  logic          want_valid, start_valid, ahead_room;
  logic [SW-1:0] sel, sel_q, want_idx;
  logic          op_valid, op_init, op_modify, op_drop, ends, op_in, set_in, late_in, in_q;
  assign op_in     = op_i.key[31:SW] == '0;
  assign set_in    = set_i.srqn[15:SW] == '0;
  assign late_in   = late_i.srqn[15:SW] == '0;
  assign op_init   = op_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign op_modify = op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign op_drop   = op_i.op == cairn_hw_pkg::CTX_OP_DROP;
  assign op_wait   = op_valid && kind_q != K_OP;
  assign back_wait = set_i.valid && set_i.back;
  assign altering  = kind_q == K_OP || kind_q == K_LATE || kind_q == K_BACK;
  assign alone     = hold_q && !look_q && !altering;
  // It begins with all indices: nothing may be under way for them.
  assign op_go     = alone && op_wait && kind_q == K_NONE && !(op_init && (db_i.valid || set_i.valid));
  assign ends      = op_go && op_in && (op_init || op_drop);
  assign late_go   = alone && !op_wait && late_i.valid;
  assign set_go    = alone && !op_wait && !late_i.valid && back_wait;
  assign alters    = op_go || late_go || set_go;
  // Its elements are told a cycle later: what has room now and is told of nothing has it then.
  assign ent_go    = !init_q && !op_wait && !late_go && !set_go && ent_i.valid && ahead_room && kind_q != K_ENTRY;
  // Takings and settlements, which it counts, are those of one moment.
  assign want_go   = !init_q && !op_wait && !altering && !late_go && !set_go && !ent_go && want_valid;
  assign go_start  = !init_q && !op_wait && !late_go && !set_go && !ent_go && start_valid;
  assign late_ready_o = alone && !op_wait;
  assign set_ready_o  = set_i.back ? late_ready_o && !late_i.valid : !init_q && !op_go && kind_q != K_OP;
  assign ent_ready_o  = ent_go;
  assign sel = init_q ? init_idx_q : op_wait ? op_i.key[SW-1:0] : late_go ? late_i.srqn[SW-1:0]
               : set_go ? set_i.srqn[SW-1:0] : ent_go ? ent_i.srqn[SW-1:0] : want_idx;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= alters || (!init_q && !altering && (op_wait || late_i.valid || back_wait));
  end

  // ---- records: state, what firmware set up, producer index; slots that came, reads that were asked for ----
  logic [cairn_int_pkg::SRQ_COUNTS_W-1:0] st [0:N-1];
  logic [cairn_int_pkg::SRQ_SETUP_W-1:0]  cf [0:N-1];
  cairn_int_pkg::srq_counts_t ls, l_q, s, s_q, d, n, w_q;   // of the look; of the others; decided on; next
  cairn_int_pkg::srq_setup_t  lf, f, f_q;
  logic [15:0]     pis  [0:N-1];
  logic [15:0]     gots [0:N-1];
  logic [15:0]     reqs [0:N-1];
  logic [N-1:0]    bad_q;                            // failed
  logic            st_we, w_we_q, cf_we, pi_we, got_we, req_we;
  logic [SW-1:0]   w_sel_q;
  logic [15:0]     lpi, pi, pi_q, lgot, got, got_q, req, req_q, mask_q;     // mask_q: of f_q's ring
  assign ls   = (w_we_q && w_sel_q == look_sel) ? w_q : st[look_sel];
  assign lf   = cf[look_sel];
  assign lpi  = pis[look_sel];
  assign lgot = gots[look_sel];
  assign s    = (w_we_q && w_sel_q == sel) ? w_q : st[sel];
  assign f    = cf[sel];
  assign pi   = pis[sel];
  assign got  = gots[sel];
  assign req  = reqs[sel];
  always_ff @(posedge clk_i) if (init_q || w_we_q) st[init_q ? init_idx_q : w_sel_q] <= init_q ? '0 : w_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_we_q <= 1'b0;
    else w_we_q <= st_we;
    w_sel_q <= d_sel;
    w_q     <= n;
  end
  cairn_hw_pkg::srq_ctx_t in;
  assign cf_we = init_q || ends;
  always_ff @(posedge clk_i) begin
    if (cf_we) cf[sel] <= (init_q || op_drop) ? '0
        : {in.flags_valid, in.tag_gen, in.flags_db_page, in.pd[23:0], in.flags_log2, in.flags_stride, in.slots,
           in.ring};
  end
  assign pi_we = init_q || db_i.valid || (ends && op_init);
  always_ff @(posedge clk_i) begin
    if (pi_we) pis[(init_q || !db_i.valid) ? sel : db_i.srqn[SRQS_LOG2-1:0]] <= (init_q || !db_i.valid) ? '0 : db_i.pi;
  end

  // Slots settled ever, with a writer of its own.
  logic [15:0]   done [0:N-1];
  logic          done_we;
  logic [SW-1:0] done_idx;
  logic [15:0]   done_q;
  assign done_idx = init_q ? init_idx_q : (kind_q == K_OP) ? sel_q : set_i.srqn[SW-1:0];
  assign done_we  = init_q || (ended && op_init) || (set_i.valid && set_ready_o && set_in);
  always_ff @(posedge clk_i) begin
    if (done_we) done[done_idx] <= init_q ? '0 : (kind_q == K_OP) ? s_q.takes : done[done_idx] + 16'h1;
  end

  // ---- answers to looks, and to those who are owed a slot ----
  logic        late_bad, late_got;
  logic [15:0] size, posted;
  assign size     = 16'h1 << lf.log2;
  assign posted   = lpi - ls.pop;
  assign late_bad = !late_in || !f.valid || bad_q[sel];
  assign late_got = !late_bad && got != s.pop;

  logic [AW-1:0] late_slot_q;
  logic [SW-1:0] l_sel_q;
  logic [15:0]   give_q, lpi_q;
  logic [31:0]   ent_q;
  logic          ent_err_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q <= 1'b0;
      kind_q <= K_NONE;
    end else begin
      look_q <= look_i.valid;
      if (op_go) kind_q <= K_OP;
      else if (late_go) kind_q <= K_LATE;
      else if (set_go) kind_q <= K_BACK;
      else if (ent_go) kind_q <= K_ENTRY;
      else if (want_go) kind_q <= K_WANT;
      else if (go_start) kind_q <= K_START;
      else kind_q <= K_NONE;
    end
    {l_sel_q, l_q, lpi_q} <= {look_sel, ls, lpi};
    {sel_q, s_q, f_q, pi_q, got_q, req_q, mask_q} <= {sel, s, f, pi, got, req, ~(16'hffff << f.log2)};
    ok_q        <= look_i.srqn[15:SW] == '0 && lf.valid && !bad_q[look_sel] && posted <= size;
    none_q      <= posted == 16'(ls.owed);
    here_q      <= lgot - ls.pop > 16'(ls.owed);
    {slots_q, log2_q, stride_q} <= {lf.slots, lf.log2, lf.stride};
    done_q      <= done[sel];
    in_q        <= op_go ? op_in : late_go ? late_in : set_in;
    late_slot_q <= late_i.slot[AW-1:0];
    give_q      <= set_i.slot;
    ent_q       <= ent_i.slot;
    ent_err_q   <= ent_i.err;
    late_o.got  <= late_go && late_got;
    late_o.bad  <= late_go && late_bad;
    seq_q       <= late_go ? s.base + s.pop : ls.base + ls.pop;
  end
  assign next_o = {ok_q, none_q, here_q, hold_q, win_slot, seq_q, slots_q, log2_q, stride_q};

  // ---- slots on chip ----
  logic             win_we;
  logic [SW+WW-1:0] win_addr;
  logic [15:0]      win_data, front;
  assign front    = s_q.pop - 16'h1;
  assign win_we   = kind_q == K_ENTRY || (kind_q == K_BACK && in_q);
  assign win_addr = {sel_q, (kind_q == K_ENTRY) ? got_q[WW-1:0] : front[WW-1:0]};
  assign win_data = (kind_q == K_ENTRY) ? ent_q[15:0] : give_q;
  ram_1r1w #(.WIDTH(16), .DEPTH(N * WINDOW), .BYPASS(1)) u_window (
      .clk_i, .we_i(win_we), .waddr_i(win_addr), .wdata_i(win_data),
      .re_i(1'b1), .raddr_i(late_go ? {sel, s.pop[WW-1:0]} : {look_sel, ls.pop[WW-1:0]}), .rdata_o(win_slot));

  // ---- reads ahead ----
  logic       start, start_done, beyond, start_idle;
  logic [4:0] start_n;
  logic [N-1:0] wants;
  srq_start #(.SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD)) u_start (
      .clk_i, .rst_ni, .wants_i(wants), .stop_i(ends), .want_o(want_valid), .want_go_i(want_go), .idx_o(want_idx),
      .read_i(kind_q == K_WANT), .counts_i(s_q), .req_i(req_q), .pi_i(pi_q), .done_i(done_q), .log2_i(f_q.log2),
      .start_o(start_valid), .start_go_i(go_start), .beyond_o(beyond), .n_o(start_n),
      .done_start_i(start_done), .again_i(kind_q == K_START && !start_done), .idle_o(start_idle));
  logic [15:0] at;
  assign at            = req_q & mask_q;
  assign start_o.valid = kind_q == K_START && f_q.valid && !bad_q[sel_q] && !beyond;
  assign start         = start_o.valid && start_ready_i;
  assign start_done    = kind_q == K_START && (!start_o.valid || start_ready_i);
  assign start_o.srqn  = 8'(sel_q);
  assign start_o.iova  = f_q.ring + {46'h0, at, 2'b00};
  assign start_o.n     = start_n;

  // ---- elements of an entry ----
  logic          bad_slot;
  logic [SW-1:0] ahead_srqn;
  assign bad_slot     = ent_err_q || ent_q[31:16] != '0 || (ent_q[15:0] & ~mask_q) != '0;
  assign ahead_o.srqn = 8'(ahead_srqn);
  skid_buffer #(.WIDTH(SW + 16 + 16 + 64 + 5)) u_ahead (
      .clk_i, .rst_ni, .in_valid_i(kind_q == K_ENTRY && f_q.valid && !bad_q[sel_q] && !bad_slot),
      .in_ready_o(ahead_room),
      .in_data_i({sel_q, ent_q[15:0], s_q.base + got_q, f_q.slots, f_q.stride}),
      .out_valid_o(ahead_o.valid), .out_ready_i(ahead_ready_i),
      .out_data_o({ahead_srqn, ahead_o.slot, ahead_o.seq, ahead_o.base, ahead_o.stride}));

  // ---- those who are owed a slot ----
  // What comes is told a cycle later: one that found none has begun to wait by then.
  logic          wait_idle, err_new, ended, more_q;
  logic [SW-1:0] more_sel_q;
  assign ended = kind_q == K_OP && in_q && (op_drop || op_init);
  always_ff @(posedge clk_i) begin
    more_q     <= rst_ni && ((kind_q == K_ENTRY && !bad_q[sel_q] && !bad_slot) || (kind_q == K_BACK && in_q));
    more_sel_q <= sel_q;
  end
  srq_wait #(.SRQS_LOG2(SRQS_LOG2), .SLOTS(SLOTS)) u_wait (
      .clk_i, .rst_ni, .srqn_i(sel_q), .add_i(kind_q == K_LATE && !late_o.bad && !late_o.got),
      .slot_i(late_slot_q), .more_srqn_i(more_sel_q), .more_i(more_q), .all_i(err_new || ended),
      .wake_o, .wake_ready_i, .idle_o(wait_idle));

  // ---- second step: next state ----
  logic [SW-1:0] d_sel;
  logic [15:0]   left, limit, limit_mask;
  logic          limit_hit, modify, below, armed_mask;
  assign d      = look_q ? l_q : s_q;
  assign d_sel  = look_q ? l_sel_q : sel_q;
  assign modify = kind_q == K_OP && in_q && op_modify && f_q.valid;
  assign limit  = (s_q.limit & ~limit_mask) | (in.index_limit & limit_mask);
  assign left   = (look_q ? lpi_q : pi_q) - d.pop - 16'(d.owed);
  assign below  = l_q.armed && left <= l_q.limit;      // with one less
  always_comb begin
    n         = d;
    st_we     = 1'b0;
    limit_hit = 1'b0;
    if (look_q) begin
      st_we = look_i.take;
      if (here_q) begin
        n.pop   = l_q.pop + 16'h1;
        n.takes = l_q.takes + 16'h1;
      end else begin
        n.owed = l_q.owed + 1'b1;
      end
      if (below) n.armed = 1'b0;
    end else begin
      case (kind_q)
        K_OP: begin
          st_we = modify || (in_q && op_init);
          if (op_init) begin
            n.pop   = '0;
            n.base  = s_q.base + got_q;
            n.owed  = '0;
            n.limit = in.index_limit;
            n.armed = in.flags_limit_armed;
          end else begin
            n.limit = limit;
            if (armed_mask) n.armed = in.flags_limit_armed;
            limit_hit = modify && n.armed && left < limit;
            if (limit_hit) n.armed = 1'b0;
          end
        end
        K_LATE: begin
          st_we = late_o.got || (in_q && late_o.bad);
          if (late_o.got) begin
            n.pop   = s_q.pop + 16'h1;
            n.takes = s_q.takes + 16'h1;
          end
          if (s_q.owed != '0) n.owed = s_q.owed - 1'b1;
        end
        K_BACK: begin
          st_we  = in_q;
          n.pop  = front;
          // base + pop never falls: what was read ahead for an earlier taking is not found again
          n.base = s_q.base + 16'h1;
        end
        default: ;
      endcase
    end
  end

  // Of an entry, and of a read that is started
  logic          set_up, bad_new;
  logic [SW-1:0] x_idx;
  assign set_up  = init_q || (ended && op_init);
  assign got_we  = set_up || kind_q == K_ENTRY;
  assign req_we  = set_up || start;
  assign x_idx   = init_q ? init_idx_q : sel_q;
  assign bad_new = (kind_q == K_ENTRY && bad_slot) || (kind_q == K_START && f_q.valid && beyond);
  assign err_new = bad_new && f_q.valid && !bad_q[sel_q];
  always_ff @(posedge clk_i) if (got_we) gots[x_idx] <= set_up ? '0 : got_q + 16'h1;
  always_ff @(posedge clk_i) if (req_we) reqs[x_idx] <= set_up ? '0 : req_q + 16'(start_n);

  // SRQs that may want a read: a slot less, a new producer index, a settlement, a read started
  logic wants_sel, take_q, wait_q, limit_hit_q, lacks_q, below_q, limit_op_q;
  assign wants_sel = late_o.got || (kind_q == K_BACK && in_q) || (ended && op_init)
                     || (kind_q == K_START && f_q.valid && !bad_q[sel_q] && !beyond);
  always_ff @(posedge clk_i) begin
    take_q      <= rst_ni && look_q && look_i.take;    // (what it means is put together behind this)
    {lacks_q, below_q} <= {!here_q, below};
    limit_op_q  <= rst_ni && limit_hit;
  end
  assign wait_q      = take_q && lacks_q;
  assign limit_hit_q = (take_q && below_q) || limit_op_q;
  for (genvar g = 0; g < N; g++) begin : g_srq
    assign wants[g] = (wants_sel && sel_q == SW'(g)) || (take_q && w_sel_q == SW'(g))
                      || (db_i.valid && db_i.srqn[SW-1:0] == SW'(g))
                      || (set_i.valid && set_ready_o && set_in && set_i.srqn[SW-1:0] == SW'(g));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bad_q[g] <= 1'b0;
      else if (sel_q == SW'(g)) bad_q[g] <= !(ended && op_init) && (bad_q[g] || bad_new);
    end
  end

  logic events_idle;
  srq_events #(.SRQS_LOG2(SRQS_LOG2)) u_events (
      .clk_i, .rst_ni, .srqn_i(sel_q), .err_i(err_new), .ended_i(ended), .limit_srqn_i(w_sel_q), .limit_i(limit_hit_q),
      .eqe_o, .eqe_ready_i, .idle_o(events_idle));

  // ---- firmware's answer ----
  logic         op_ok;
  logic [511:0] rec;
  srq_answer u_answer (.srqn_i(24'(sel_q)), .setup_i(f_q), .counts_i(s_q), .failed_i(bad_q[sel_q]), .rec_o(rec));
  assign op_ok = in_q && (f_q.valid || op_init || op_drop);
  srq_port u_port (
      .clk_i, .rst_ni, .op_i, .op_o, .valid_o(op_valid), .in_o(in), .limit_mask_o(limit_mask),
      .armed_mask_o(armed_mask), .ends_i(kind_q == K_OP),
      .status_i(op_ok ? cairn_hw_pkg::CTX_RESULT_OK : cairn_hw_pkg::CTX_RESULT_FREE), .rec_i(rec));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_idx_q <= '0;
    end else begin
      if (init_q) begin
        init_idx_q <= init_idx_q + 1'b1;
        init_q     <= init_idx_q != SW'(N - 1);
      end
    end
  end
  assign events_o.srq_error  = err_new;
  assign events_o.rx_srq_wait = wait_q;
  assign idle_o     = !init_q && start_idle && kind_q == K_NONE && !look_q && !w_we_q && !limit_hit_q && events_idle
                      && !set_i.valid
                      && !ent_i.valid && !db_i.valid && !ahead_o.valid && wait_idle;
endmodule
