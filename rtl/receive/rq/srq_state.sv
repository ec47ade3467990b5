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
//   none.
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

  if ((1 << WW) != WINDOW || WINDOW < 32 || AHEAD < 16 || AHEAD > WINDOW - 16) begin : g_chk
    $error("srq_state: WINDOW must be a power of two, 32 or more, AHEAD 16 to WINDOW - 16");
  end

  logic          ok_q, none_q;         // of the last look
  logic [15:0]   win_slot, seq_q;
  logic [63:0]   slots_q;
  logic [3:0]    log2_q;
  logic [4:0]    stride_q;
  logic          init_q;
  logic [SW-1:0] init_idx_q;

  // ---- who has this cycle: a look, a take, firmware, one owed, a slot given back, an entry, a read to start ----
  logic          op_go, late_go, set_go, ent_go, go_start, op_ok, want_any, ahead_room;
  logic [SW-1:0] sel, want_idx, taken_q;
  logic          op_init, op_modify, op_drop, busy, op_in, set_in, late_in;
  assign op_in     = op_i.key[31:SW] == '0;
  assign set_in    = set_i.srqn[15:SW] == '0;
  assign late_in   = late_i.srqn[15:SW] == '0;
  assign op_init   = op_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign op_modify = op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign op_drop   = op_i.op == cairn_hw_pkg::CTX_OP_DROP;
  assign busy      = init_q || look_i.valid || look_i.take;
  assign op_go     = !busy && op_i.valid && !op_o.done && !(op_init && (db_i.valid || set_i.valid));
  assign late_go   = !busy && !op_go && late_i.valid;
  assign set_go    = !busy && !op_go && !late_go && set_i.valid && set_i.back;
  assign ent_go    = !busy && !op_go && !late_go && !set_go && ent_i.valid && ahead_room;
  assign go_start  = !busy && !op_go && !late_go && !set_go && !ent_go && want_any;
  assign late_ready_o = !busy && !op_go;
  assign set_ready_o  = set_i.back ? late_ready_o && !late_i.valid : !init_q && !op_go;
  assign ent_ready_o  = ent_go;
  assign sel = init_q ? init_idx_q : look_i.take ? taken_q : look_i.valid ? look_i.srqn[SW-1:0]
               : op_go ? op_i.key[SW-1:0] : late_go ? late_i.srqn[SW-1:0] : set_go ? set_i.srqn[SW-1:0]
               : ent_go ? ent_i.srqn[SW-1:0] : want_idx;

  // ---- records: state, what firmware set up, producer index ----
  logic [cairn_int_pkg::SRQ_COUNTS_W-1:0] st [0:N-1];
  logic [cairn_int_pkg::SRQ_SETUP_W-1:0]  cf [0:N-1];
  cairn_int_pkg::srq_counts_t s, n;         // as they are, and next
  cairn_int_pkg::srq_setup_t  f;
  logic [15:0]     pis [0:N-1];
  logic            st_we, cf_we, pi_we;
  logic [15:0]     pi, out;                 // out: slots taken and not settled
  assign s  = st[sel];
  assign f  = cf[sel];
  assign pi = pis[sel];
  always_ff @(posedge clk_i) if (st_we) st[sel] <= init_q ? '0 : n;
  cairn_hw_pkg::srq_ctx_t in;
  assign in    = op_i.data;
  assign cf_we = init_q || (op_go && op_in && (op_init || op_drop));
  always_ff @(posedge clk_i) begin
    if (cf_we) cf[sel] <= (init_q || op_drop) ? '0
        : {in.flags_valid, in.tag_gen, in.flags_db_page, in.pd[23:0], in.flags_log2, in.flags_stride, in.slots,
           in.ring};
  end
  assign pi_we = init_q || db_i.valid || (op_go && op_in && op_init);
  always_ff @(posedge clk_i) begin
    if (pi_we) pis[(init_q || !db_i.valid) ? sel : db_i.srqn[SRQS_LOG2-1:0]] <= (init_q || !db_i.valid) ? '0 : db_i.pi;
  end

  // Slots settled ever, with a writer of its own.
  logic [15:0]   done [0:N-1];
  logic          done_we;
  logic [SW-1:0] done_idx;
  assign out      = s.takes - done[sel];
  assign done_idx = (init_q || op_go) ? sel : set_i.srqn[SW-1:0];
  assign done_we  = init_q || (op_go && op_in && op_init) || (set_i.valid && set_ready_o && set_in);
  always_ff @(posedge clk_i) begin
    if (done_we) done[done_idx] <= init_q ? '0 : op_go ? s.takes : done[done_idx] + 16'h1;
  end

  // ---- slots on chip ----
  logic             win_we;
  logic [SW+WW-1:0] win_addr;
  logic [15:0]      win_data, front;
  assign front    = s.pop - 16'h1;
  assign win_we   = ent_go || (set_go && set_in && set_i.back);
  assign win_addr = {sel, ent_go ? s.got[WW-1:0] : front[WW-1:0]};
  assign win_data = ent_go ? ent_i.slot[15:0] : set_i.slot;
  ram_1r1w #(.WIDTH(16), .DEPTH(N * WINDOW), .BYPASS(2)) u_window (
      .clk_i, .we_i(win_we), .waddr_i(win_addr), .wdata_i(win_data),
      .re_i(look_i.valid || late_go), .raddr_i({sel, s.pop[WW-1:0]}), .rdata_o(win_slot));

  // ---- a read ahead: to the end of the line at most ----
  logic [15:0] size, posted, at, held, want, space, room;
  logic [4:0]  line, n_fit;
  logic        beyond, bad_slot, start, worth;
  assign size     = 16'h1 << f.log2;
  assign posted   = pi - s.req;
  assign beyond   = (pi - s.pop) > size;
  assign at       = s.req & (size - 16'h1);
  assign line     = 5'd16 - {1'b0, at[3:0]};
  assign held     = s.req - s.pop;
  assign room     = 16'(WINDOW) - held - out;
  assign want     = 16'(AHEAD) + 16'(s.owed);
  assign space    = (held > want) ? '0 : want - held;
  always_comb begin
    n_fit = line;
    if (posted < 16'(n_fit)) n_fit = posted[4:0];
    if (space < 16'(n_fit)) n_fit = space[4:0];
    if (room < 16'(n_fit)) n_fit = room[4:0];
  end
  assign worth         = n_fit != '0 && (n_fit[4:3] != '0 || n_fit == line || held < want - 16'(AHEAD / 2));
  assign start_o.valid = go_start && f.valid && !s.err && !beyond && worth;
  assign start         = start_o.valid && start_ready_i;
  assign start_o.srqn  = 8'(sel);
  assign start_o.iova  = f.ring + {46'h0, at, 2'b00};
  assign start_o.n     = n_fit;
  assign bad_slot      = ent_i.err || ent_i.slot[31:16] != '0 || ent_i.slot[15:0] >= size;

  // ---- its elements ----
  logic [SW-1:0] ahead_srqn;
  assign ahead_o.srqn = 8'(ahead_srqn);
  stream_reg #(.WIDTH(SW + 16 + 16 + 64 + 5)) u_ahead (
      .clk_i, .rst_ni, .in_valid_i(ent_go && f.valid && !s.err && !bad_slot), .in_ready_o(ahead_room),
      .in_data_i({sel, ent_i.slot[15:0], s.base + s.got, f.slots, f.stride}),
      .out_valid_o(ahead_o.valid), .out_ready_i(ahead_ready_i),
      .out_data_o({ahead_srqn, ahead_o.slot, ahead_o.seq, ahead_o.base, ahead_o.stride}));

  // ---- those who are owed a slot ----
  logic late_bad, late_got, wait_idle;
  assign late_bad = !late_in || !f.valid || s.err;
  assign late_got = !late_bad && s.got != s.pop;
  srq_wait #(.SRQS_LOG2(SRQS_LOG2), .SLOTS(SLOTS)) u_wait (
      .clk_i, .rst_ni, .srqn_i(sel), .add_i(late_go && !late_bad && !late_got),
      .del_i(late_go && (late_bad || late_got)), .slot_i(late_i.slot[AW-1:0]),
      .more_i((ent_go && !n.err) || (set_go && set_in)),
      .all_i(err_new || (op_go && op_in && (op_drop || op_init))),
      .wake_o, .wake_ready_i, .idle_o(wait_idle));

  // ---- next state ----
  logic [15:0] left;
  logic        limit_hit, err_new, here_q;
  always_comb begin
    n     = s;
    st_we = init_q;
    if (look_i.take && !here_q) begin
      st_we  = 1'b1;
      n.owed = s.owed + 1'b1;
    end else if (look_i.take || (late_go && late_got)) begin
      st_we   = 1'b1;
      n.pop   = s.pop + 16'h1;
      n.takes = s.takes + 16'h1;
      if (!look_i.take && s.owed != '0) n.owed = s.owed - 1'b1;
    end else if (op_go) begin
      st_we = op_in && (op_init || (op_modify && f.valid));
      if (op_init) begin
        {n.pop, n.req, n.got} = '0;
        n.base  = s.base + s.got;
        n.owed  = '0;
        n.err   = 1'b0;
        n.limit = in.index_limit;
        n.armed = in.flags_limit_armed;
      end else begin
        n.limit = (s.limit & ~op_i.mask[cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB +: 16])
                  | (in.index_limit & op_i.mask[cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB +: 16]);
        if (op_i.mask[cairn_hw_pkg::SRQ_CTX_FLAGS_LIMIT_ARMED_LSB]) n.armed = in.flags_limit_armed;
      end
    end else if (late_go) begin
      st_we = late_in && late_bad;
      if (s.owed != '0) n.owed = s.owed - 1'b1;
    end else if (set_go) begin
      st_we  = set_in;
      n.pop  = front;
      // base + pop never falls: what was read ahead for an earlier taking is not found again
      n.base = s.base + 16'h1;
    end else if (ent_go) begin
      st_we = 1'b1;
      n.got = s.got + 16'h1;
      n.err = s.err || bad_slot;
    end else if (go_start) begin
      st_we = f.valid;
      if (start) n.req = s.req + 16'(n_fit);
      n.err = s.err || beyond;
    end
    left      = pi - n.pop - 16'(n.owed);
    limit_hit = (look_i.take || (op_go && op_in && op_modify && f.valid)) && n.armed && left < n.limit;
    if (limit_hit) n.armed = 1'b0;
    err_new   = st_we && !init_q && f.valid && n.err && !s.err;
  end

  // ---- SRQs that may want a read; the next one in turn ----
  logic [N-1:0]  want_q, after;
  logic          after_any, all_any;
  logic [SW-1:0] after_idx, all_idx, turn_q;
  assign after    = want_q & ~((N'(1) << turn_q) - N'(1));
  prio_enc #(.N(N)) u_after (.in_i(after), .valid_o(after_any), .idx_o(after_idx));
  prio_enc #(.N(N)) u_all (.in_i(want_q), .valid_o(all_any), .idx_o(all_idx));
  assign want_any = all_any;
  assign want_idx = after_any ? after_idx : all_idx;

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

  // ---- firmware's answer ----
  cairn_hw_pkg::srq_ctx_t rec;
  always_comb begin
    rec                   = '0;
    rec.tag_srqn          = 24'(sel);
    rec.tag_gen           = f.gen;
    rec.flags_valid       = f.valid;
    rec.flags_err         = s.err;
    rec.flags_limit_armed = s.armed;
    rec.flags_log2        = f.log2;
    rec.flags_stride      = f.stride;
    rec.flags_db_page     = f.page;
    rec.slots             = f.slots;
    rec.ring              = f.ring;
    rec.index_pop         = s.pop;
    rec.index_limit       = s.limit;
    rec.pd                = {8'h0, f.pd};
  end
  assign op_ok = op_in && (f.valid || op_init || op_drop);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_idx_q <= '0;
      want_q     <= '0;
      limit_q    <= '0;
      err_q      <= '0;
      turn_q     <= '0;
      op_o.done  <= 1'b0;
    end else begin
      if (init_q) begin
        init_idx_q <= init_idx_q + 1'b1;
        init_q     <= init_idx_q != SW'(N - 1);
      end
      op_o.done <= op_go;
      if (go_start && (start || !start_o.valid)) turn_q <= want_idx + 1'b1;
      if (go_start && !start_o.valid) want_q[want_idx] <= 1'b0;
      if (look_i.take || (late_go && late_got) || (set_go && set_in) || (op_go && op_in && op_init))
        want_q[sel] <= 1'b1;
      if (set_i.valid && set_ready_o && set_in) want_q[set_i.srqn[SW-1:0]] <= 1'b1;
      if (db_i.valid) want_q[db_i.srqn[SRQS_LOG2-1:0]] <= 1'b1;
      if (ev_any && ev_ready) begin
        if (err_q[ev_idx]) err_q[ev_idx] <= 1'b0;
        else limit_q[ev_idx] <= 1'b0;
      end
      if (limit_hit) limit_q[sel] <= 1'b1;
      if (err_new) err_q[sel] <= 1'b1;
      if (op_go && op_in && (op_init || op_drop)) begin
        limit_q[sel] <= 1'b0;
        err_q[sel]   <= 1'b0;
      end
    end
    op_o.status <= op_ok ? cairn_hw_pkg::CTX_RESULT_OK : cairn_hw_pkg::CTX_RESULT_FREE;
    op_o.data   <= rec;
    late_o.got  <= late_go && late_got;
    late_o.bad  <= late_go && late_bad;
    if (look_i.valid || late_go) seq_q <= s.base + s.pop;
    if (look_i.valid) begin
      taken_q      <= sel;
      ok_q     <= look_i.srqn[15:SW] == '0 && f.valid && !s.err && !beyond;
      none_q   <= pi - s.pop == 16'(s.owed);
      here_q       <= s.got - s.pop > 16'(s.owed);
      slots_q  <= f.slots;
      log2_q   <= f.log2;
      stride_q <= f.stride;
    end
  end
  assign next_o     = {ok_q, none_q, here_q, win_slot, seq_q, slots_q, log2_q, stride_q};
  assign events_o.srq_error  = err_new;
  assign events_o.rx_srq_wait = look_i.take && !here_q;
  assign idle_o     = !init_q && want_q == '0 && !ev_any && !eqe_o.valid && !set_i.valid && !ent_i.valid && !db_i.valid
                      && !ahead_o.valid && wait_idle;
endmodule
