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
// Look: the answer holds from the next cycle until the next look: none: no entry is left by the doorbell; here: a slot
//   is on chip that is not owed to another packet. A take at that next cycle takes it, or, when it is not here, owes
//   one.
// Late: a packet that is owed a slot takes it. In the next cycle: got (slot and number say which), bad (the SRQ has
//   failed: it gets none), else it waits: its context slot is woken when it is worth trying again. A packet that is
//   owed a slot cannot overtake woken ones indefinitely: rsp_check leaves as many slots as are owed.
// Number: tells a slot from what the same slot had been before, for keys of rqe_fetch; it goes on over INIT.
// Order: looks and takes go before everything else; one event a cycle, but settlements of slots that were used take
//   none. An event reads its record, in the next cycle it is decided and written; what is read meanwhile has it.
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
  typedef enum logic [2:0] {K_NONE, K_LOOK, K_OP, K_LATE, K_BACK, K_ENTRY, K_WANT, K_START} kind_e;

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

  // ---- first step: a look, firmware, one owed, a slot given back, an entry, a read to start ----
  kind_e         kind_q;
  logic          op_go, late_go, set_go, ent_go, want_go, go_start, want_valid, start_valid, ahead_room;
  logic [SW-1:0] sel, sel_q, want_idx;
  logic          op_init, op_modify, op_drop, ends, busy, op_in, set_in, late_in, in_q;
  assign op_in     = op_i.key[31:SW] == '0;
  assign set_in    = set_i.srqn[15:SW] == '0;
  assign late_in   = late_i.srqn[15:SW] == '0;
  assign op_init   = op_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign op_modify = op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign op_drop   = op_i.op == cairn_hw_pkg::CTX_OP_DROP;
  assign busy      = init_q || look_i.valid;
  assign op_go     = !busy && op_i.valid && !op_o.done && kind_q != K_OP && !(op_init && (db_i.valid || set_i.valid));
  assign ends      = op_go && op_in && (op_init || op_drop);
  assign late_go   = !busy && !op_go && late_i.valid;
  assign set_go    = !busy && !op_go && !late_go && set_i.valid && set_i.back;
  // Its elements are told a cycle later: what has room now and is told of nothing has it then.
  assign ent_go    = !busy && !op_go && !late_go && !set_go && ent_i.valid && ahead_room && kind_q != K_ENTRY;
  assign want_go   = !busy && !op_go && !late_go && !set_go && !ent_go && want_valid;
  assign go_start  = !busy && !op_go && !late_go && !set_go && !ent_go && start_valid;
  assign late_ready_o = !busy && !op_go;
  assign set_ready_o  = set_i.back ? late_ready_o && !late_i.valid : !init_q && !op_go;
  assign ent_ready_o  = ent_go;
  assign sel = init_q ? init_idx_q : look_i.valid ? look_i.srqn[SW-1:0]
               : op_go ? op_i.key[SW-1:0] : late_go ? late_i.srqn[SW-1:0] : set_go ? set_i.srqn[SW-1:0]
               : ent_go ? ent_i.srqn[SW-1:0] : want_idx;

  // ---- records: state, what firmware set up, producer index ----
  logic [cairn_int_pkg::SRQ_COUNTS_W-1:0] st [0:N-1];
  logic [cairn_int_pkg::SRQ_SETUP_W-1:0]  cf [0:N-1];
  cairn_int_pkg::srq_counts_t s, s_q, n;    // as it is; in the second step, and next
  cairn_int_pkg::srq_setup_t  f, f_q;
  logic [15:0]     pis [0:N-1];
  logic            st_we, cf_we, pi_we;
  logic [15:0]     pi, pi_q;
  assign s  = (st_we && sel_q == sel) ? n : st[sel];
  assign f  = cf[sel];
  assign pi = pis[sel];
  always_ff @(posedge clk_i) if (init_q || st_we) st[init_q ? init_idx_q : sel_q] <= init_q ? '0 : n;
  cairn_hw_pkg::srq_ctx_t in;
  assign in    = op_i.data;
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
  assign done_idx = (init_q || op_go) ? sel : set_i.srqn[SW-1:0];
  assign done_we  = init_q || (ends && op_init) || (set_i.valid && set_ready_o && set_in);
  always_ff @(posedge clk_i) begin
    if (done_we) done[done_idx] <= init_q ? '0 : op_go ? s.takes : done[done_idx] + 16'h1;
  end

  // ---- answers to looks, and to those who are owed a slot ----
  logic        late_bad, late_got;
  logic [15:0] size, posted;
  assign size     = 16'h1 << f.log2;
  assign posted   = pi - s.pop;
  assign late_bad = !late_in || !f.valid || s.err;
  assign late_got = !late_bad && s.got != s.pop;

  logic [AW-1:0] late_slot_q;
  logic [15:0]   give_q;
  logic [31:0]   ent_q;
  logic          ent_err_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) kind_q <= K_NONE;
    else if (look_i.valid && !init_q) kind_q <= K_LOOK;
    else if (op_go) kind_q <= K_OP;
    else if (late_go) kind_q <= K_LATE;
    else if (set_go) kind_q <= K_BACK;
    else if (ent_go) kind_q <= K_ENTRY;
    else if (want_go) kind_q <= K_WANT;
    else if (go_start) kind_q <= K_START;
    else kind_q <= K_NONE;
    sel_q       <= sel;
    s_q         <= s;
    f_q         <= f;
    pi_q        <= pi;
    done_q      <= done[sel];
    in_q        <= op_go ? op_in : late_go ? late_in : set_in;
    late_slot_q <= late_i.slot[AW-1:0];
    give_q      <= set_i.slot;
    ent_q       <= ent_i.slot;
    ent_err_q   <= ent_i.err;
    late_o.got  <= late_go && late_got;
    late_o.bad  <= late_go && late_bad;
    if (look_i.valid || late_go) seq_q <= s.base + s.pop;
    if (look_i.valid) begin
      ok_q     <= look_i.srqn[15:SW] == '0 && f.valid && !s.err && posted <= size;
      none_q   <= posted == 16'(s.owed);
      here_q   <= s.got - s.pop > 16'(s.owed);
      slots_q  <= f.slots;
      log2_q   <= f.log2;
      stride_q <= f.stride;
    end
  end
  // More than one cycle in two is needed for it: what arrives, what is asked for.
  logic behind_q;
  always_ff @(posedge clk_i) behind_q <= (ent_i.valid && ahead_room && !ent_go) || (want_valid && !want_go)
                                         || (start_valid && !go_start) || (set_i.valid && set_i.back && !set_go);
  assign next_o = {ok_q, none_q, here_q, behind_q, win_slot, seq_q, slots_q, log2_q, stride_q};

  // ---- slots on chip ----
  logic             win_we;
  logic [SW+WW-1:0] win_addr;
  logic [15:0]      win_data, front;
  assign front    = s_q.pop - 16'h1;
  assign win_we   = kind_q == K_ENTRY || (kind_q == K_BACK && in_q);
  assign win_addr = {sel_q, (kind_q == K_ENTRY) ? s_q.got[WW-1:0] : front[WW-1:0]};
  assign win_data = (kind_q == K_ENTRY) ? ent_q[15:0] : give_q;
  ram_1r1w #(.WIDTH(16), .DEPTH(N * WINDOW), .BYPASS(1)) u_window (
      .clk_i, .we_i(win_we), .waddr_i(win_addr), .wdata_i(win_data),
      .re_i(look_i.valid || late_go), .raddr_i({sel, s.pop[WW-1:0]}), .rdata_o(win_slot));

  // ---- reads ahead ----
  logic       start, start_done, beyond, start_idle;
  logic [4:0] start_n;
  logic [N-1:0] wants;
  srq_start #(.SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD)) u_start (
      .clk_i, .rst_ni, .wants_i(wants), .stop_i(ends), .want_o(want_valid), .want_go_i(want_go), .idx_o(want_idx),
      .read_i(kind_q == K_WANT), .counts_i(s_q), .pi_i(pi_q), .done_i(done_q), .log2_i(f_q.log2),
      .start_o(start_valid), .start_go_i(go_start), .beyond_o(beyond), .n_o(start_n),
      .done_start_i(start_done), .again_i(kind_q == K_START && !start_done), .idle_o(start_idle));
  logic [15:0] at;
  assign at            = s_q.req & ((16'h1 << f_q.log2) - 16'h1);
  assign start_o.valid = kind_q == K_START && f_q.valid && !s_q.err && !beyond;
  assign start         = start_o.valid && start_ready_i;
  assign start_done    = kind_q == K_START && (!start_o.valid || start_ready_i);
  assign start_o.srqn  = 8'(sel_q);
  assign start_o.iova  = f_q.ring + {46'h0, at, 2'b00};
  assign start_o.n     = start_n;

  // ---- elements of an entry ----
  logic          bad_slot;
  logic [SW-1:0] ahead_srqn;
  assign bad_slot     = ent_err_q || ent_q[31:16] != '0 || ent_q[15:0] >= (16'h1 << f_q.log2);
  assign ahead_o.srqn = 8'(ahead_srqn);
  stream_reg #(.WIDTH(SW + 16 + 16 + 64 + 5)) u_ahead (
      .clk_i, .rst_ni, .in_valid_i(kind_q == K_ENTRY && f_q.valid && !s_q.err && !bad_slot), .in_ready_o(ahead_room),
      .in_data_i({sel_q, ent_q[15:0], s_q.base + s_q.got, f_q.slots, f_q.stride}),
      .out_valid_o(ahead_o.valid), .out_ready_i(ahead_ready_i),
      .out_data_o({ahead_srqn, ahead_o.slot, ahead_o.seq, ahead_o.base, ahead_o.stride}));

  // ---- those who are owed a slot ----
  logic wait_idle, err_new, ended;
  assign ended = kind_q == K_OP && in_q && (op_drop || op_init);
  srq_wait #(.SRQS_LOG2(SRQS_LOG2), .SLOTS(SLOTS)) u_wait (
      .clk_i, .rst_ni, .srqn_i(sel_q), .add_i(kind_q == K_LATE && !late_o.bad && !late_o.got),
      .slot_i(late_slot_q),
      .more_i((kind_q == K_ENTRY && !n.err) || (kind_q == K_BACK && in_q)), .all_i(err_new || ended),
      .wake_o, .wake_ready_i, .idle_o(wait_idle));

  // ---- second step: next state ----
  logic [15:0] left, limit;
  logic        limit_hit, modify;
  assign modify = kind_q == K_OP && in_q && op_modify && f_q.valid;
  assign limit  = (s_q.limit & ~op_i.mask[cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB +: 16])
                  | (in.index_limit & op_i.mask[cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB +: 16]);
  assign left   = pi_q - s_q.pop - 16'(s_q.owed);
  always_comb begin
    n         = s_q;
    st_we     = 1'b0;
    limit_hit = 1'b0;
    case (kind_q)
      K_LOOK: begin
        st_we = look_i.take;
        if (here_q) begin
          n.pop   = s_q.pop + 16'h1;
          n.takes = s_q.takes + 16'h1;
        end else begin
          n.owed = s_q.owed + 1'b1;
        end
        limit_hit = look_i.take && s_q.armed && left <= s_q.limit;   // with one less
        if (s_q.armed && left <= s_q.limit) n.armed = 1'b0;
      end
      K_OP: begin
        st_we = modify || (in_q && op_init);
        if (op_init) begin
          {n.pop, n.req, n.got} = '0;
          n.base  = s_q.base + s_q.got;
          n.owed  = '0;
          n.err   = 1'b0;
          n.limit = in.index_limit;
          n.armed = in.flags_limit_armed;
        end else begin
          n.limit = limit;
          if (op_i.mask[cairn_hw_pkg::SRQ_CTX_FLAGS_LIMIT_ARMED_LSB]) n.armed = in.flags_limit_armed;
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
      K_ENTRY: begin
        st_we = 1'b1;
        n.got = s_q.got + 16'h1;
        n.err = s_q.err || bad_slot;
      end
      K_START: begin
        st_we = start || (f_q.valid && beyond);
        if (start) n.req = s_q.req + 16'(start_n);
        n.err = s_q.err || beyond;
      end
      default: ;
    endcase
    err_new = st_we && f_q.valid && n.err && !s_q.err;
  end

  // SRQs that may want a read: a slot less, a new producer index, a settlement, a read started
  logic       wants_sel;
  assign wants_sel = (kind_q == K_LOOK && look_i.take) || late_o.got || (kind_q == K_BACK && in_q)
                     || (ended && op_init) || (kind_q == K_START && f_q.valid && !s_q.err && !beyond);
  for (genvar g = 0; g < N; g++) begin : g_wants
    assign wants[g] = (wants_sel && sel_q == SW'(g)) || (db_i.valid && db_i.srqn[SW-1:0] == SW'(g))
                      || (set_i.valid && set_ready_o && set_in && set_i.srqn[SW-1:0] == SW'(g));
  end

  // ---- events ----
  logic [N-1:0]  limit_q, err_q;
  logic          ev_any;
  logic [SW-1:0] ev_idx;
  logic          ev_ready;
  cairn_int_pkg::eqe_req_t ev;
  prio_enc #(.N(N)) u_ev (.in_i(limit_q | err_q), .valid_o(ev_any), .idx_o(ev_idx));
  always_comb begin
    ev        = '0;
    ev.eqn    = 8'(cairn_hw_pkg::EQN_ASYNC);
    ev.etype  = err_q[ev_idx] ? cairn_hw_pkg::EQE_TYPE_SRQ_ERR : cairn_hw_pkg::EQE_TYPE_SRQ_LIMIT;
    ev.number = 24'(ev_idx);
  end
  stream_reg #(.WIDTH(cairn_int_pkg::EQE_REQ_W)) u_eqe (
      .clk_i, .rst_ni, .in_valid_i(ev_any), .in_ready_o(ev_ready), .in_data_i(ev),
      .out_valid_o(eqe_o.valid), .out_ready_i(eqe_ready_i), .out_data_o(eqe_o.req));
  for (genvar g = 0; g < N; g++) begin : g_event
    logic mine, goes;
    assign mine = sel_q == SW'(g);
    assign goes = ev_any && ev_ready && ev_idx == SW'(g);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (ended && mine)) begin
        limit_q[g] <= 1'b0;
        err_q[g]   <= 1'b0;
      end else begin
        if (err_new && mine) err_q[g] <= 1'b1;
        else if (goes) err_q[g] <= 1'b0;
        if (limit_hit && mine) limit_q[g] <= 1'b1;
        else if (goes && !err_q[g]) limit_q[g] <= 1'b0;
      end
    end
  end

  // ---- firmware's answer ----
  cairn_hw_pkg::srq_ctx_t rec;
  logic                   op_ok;
  always_comb begin
    rec                   = '0;
    rec.tag_srqn          = 24'(sel_q);
    rec.tag_gen           = f_q.gen;
    rec.flags_valid       = f_q.valid;
    rec.flags_err         = s_q.err;
    rec.flags_limit_armed = s_q.armed;
    rec.flags_log2        = f_q.log2;
    rec.flags_stride      = f_q.stride;
    rec.flags_db_page     = f_q.page;
    rec.slots             = f_q.slots;
    rec.ring              = f_q.ring;
    rec.index_pop         = s_q.pop;
    rec.index_limit       = s_q.limit;
    rec.pd                = {8'h0, f_q.pd};
  end
  assign op_ok = in_q && (f_q.valid || op_init || op_drop);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_idx_q <= '0;
      op_o.done  <= 1'b0;
    end else begin
      if (init_q) begin
        init_idx_q <= init_idx_q + 1'b1;
        init_q     <= init_idx_q != SW'(N - 1);
      end
      op_o.done <= kind_q == K_OP;
    end
    op_o.status <= op_ok ? cairn_hw_pkg::CTX_RESULT_OK : cairn_hw_pkg::CTX_RESULT_FREE;
    op_o.data   <= rec;
  end
  assign events_o.srq_error  = err_new;
  assign events_o.rx_srq_wait = kind_q == K_LOOK && look_i.take && !here_q;
  assign idle_o     = !init_q && start_idle && kind_q == K_NONE && !ev_any && !eqe_o.valid && !set_i.valid
                      && !ent_i.valid && !db_i.valid && !ahead_o.valid && wait_idle;
endmodule
