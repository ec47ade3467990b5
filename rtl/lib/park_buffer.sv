// SPDX-License-Identifier: Apache-2.0
// Work that waits for something of its slot: lists by slot, in order of arrival, over one RAM of ENTRIES records.
//
// Push: appends to the slot's list. It waits only while no entry is free or a record leaves; users bound their work so
//   that it is never full.
// Query: tells whether a slot has a list (combinational, QUERIES of them). Later work of such a slot must be appended,
//   too. Going: all of the list has been taken, and no verdict was 0: whoever comes behind it by the same way finds the
//   list gone if it stays so.
// Drain: the cause of waiting is over for a slot, or for all slots that have a list. One slot at a time: its records
//   come out in order and stay in the list until their verdicts, which come in the same order. Verdict 1: done. Verdict
//   0: it waits again, and so do all that were taken after it; void_o stands until their verdicts have come (they count
//   as 0). Then the slot waits for its next drain.
// Pace: a user that does one record at a time ties the take to the verdict and needs no void_o. One that takes the next
//   before the verdict of the last replays a list at one record in 2 cycles.
// The entry's number goes out with push and record, for what the user keeps beside it; out_first_o: nothing of this
// drain was taken yet.
// Reset: clears itself. Errors: none.
module park_buffer #(
    parameter int unsigned WIDTH   = 64,
    parameter int unsigned ENTRIES = 256,
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned QUERIES = 1,
    parameter int unsigned DRAINS  = 1,
    parameter bit          APART   = 1'b0,       // the user never pushes in the cycle of a verdict
    parameter bit          ASKED   = 1'b0,       // query 0 is of push_slot_i: of a push that is decided late
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned EW = $clog2(ENTRIES),
    localparam int unsigned LW = $clog2(ENTRIES+1)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  push_valid_i,
    output logic                  push_ready_o,
    output logic [EW-1:0]         push_entry_o,
    input  logic [AW-1:0]         push_slot_i,
    input  logic [WIDTH-1:0]      push_data_i,
    input  logic [QUERIES*AW-1:0] q_slot_i,
    output logic [QUERIES-1:0]    q_waiting_o,
    output logic [QUERIES-1:0]    q_going_o,
    input  logic [DRAINS-1:0]     drain_valid_i,
    output logic [DRAINS-1:0]     drain_ready_o,
    input  logic [DRAINS*AW-1:0]  drain_slot_i,
    input  logic                  drain_all_i,
    output logic                  out_valid_o,
    output logic [AW-1:0]         out_slot_o,
    output logic [WIDTH-1:0]      out_data_o,
    output logic [EW-1:0]         out_entry_o,
    output logic                  out_first_o,
    input  logic                  out_take_i,
    input  logic                  res_valid_i,
    input  logic                  res_pop_i,
    output logic                  void_o,
    output logic [LW-1:0]         level_o,
    output logic                  idle_o
);
  localparam int unsigned IW = (AW > EW) ? AW : EW;
  typedef enum logic [1:0] {D_IDLE, D_READ, D_SHOW, D_WAIT} state_e;
  logic          init_q;
  logic [IW-1:0] init_idx_q;
  logic [EW-1:0] head [0:SLOTS-1];
  logic [EW-1:0] tail [0:SLOTS-1];
  logic [EW-1:0] next [0:ENTRIES-1];
  // There is a list: a bit a slot. LUT RAM that is 16 words deep is 4 bits wide: of few slots there are 16 words, of
  // many 64, since one that is deeper has a multiplexer behind each bit.
  localparam int unsigned WORD_LOG2 = (SLOTS <= 16) ? 0 : (SLOTS <= 128) ? AW - 4 : (SLOTS > 512) ? AW - 6 : 0;
  localparam int unsigned WORD_W    = 1 << WORD_LOG2;
  logic [WORD_W-1:0] waits [0:(SLOTS>>WORD_LOG2)-1];

  // The bit of a slot in its word.
  function automatic logic [AW-1:0] place_of(input logic [AW-1:0] slot);
    place_of = slot & AW'(WORD_W - 1);
  endfunction

  // ---- free entries ----
  logic          free_valid, full_q, push, pop;
  logic [EW-1:0] free_idx, pop_entry;
  logic [LW-1:0] used_q;
  // They are a list, too: what leaves is its first.
  assign free_valid = !full_q;      // in a register: much depends on it
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q   <= '0;
      full_q   <= 1'b0;
      free_idx <= '0;
    end else begin
      if (push || pop) used_q <= used_q + (push ? LW'(1) : '1);
      if (push || pop) full_q <= push && used_q == LW'(ENTRIES - 1);
      if (push || pop) free_idx <= push ? head_next : pop_entry;
    end
  end

  // ---- which slot is drained ----
  state_e        state_q;
  logic [AW-1:0] slot_q, dq_slot, sweep_slot_q, sweep_left_q;
  logic          swept_q;                // one that the sweep has found
  logic [AW-1:0] swept_slot_q;
  logic [EW-1:0] at_q, head_q, tail_q;   // shown, first and last of its list
  logic [EW:0]   out_q;                  // taken, without a verdict
  logic          dq_valid, dq_ready, dq_idle, sweep_q, sweep_ready, sweep_next, sweep_hit, d_waiting, at_tail, fail_q,
      first_q;
  logic          take, verdict, over;
  assign d_waiting  = 1'(waits[dq_slot[AW-1:WORD_LOG2]] >> place_of(dq_slot));
  assign sweep_hit  = 1'(waits[sweep_slot_q[AW-1:WORD_LOG2]] >> place_of(sweep_slot_q));
  always_ff @(posedge clk_i) begin
    swept_q <= rst_ni && (swept_q ? !sweep_ready : sweep_q && sweep_hit);
    if (!swept_q) swept_slot_q <= sweep_slot_q;
  end
  assign sweep_next = sweep_q && (!swept_q || !sweep_hit);
  // (of 256 slots the choice of pend_scan would take too long for the look that follows)
  pend_queue #(.ID_W(AW), .NSRC(DRAINS + 1), .SCAN_LOG2(7)) u_drain (
      .clk_i, .rst_ni, .kick_valid_i({swept_q, drain_valid_i}),
      .kick_ready_o({sweep_ready, drain_ready_o}), .kick_id_i({swept_slot_q, drain_slot_i}),
      .out_valid_o(dq_valid), .out_ready_i(dq_ready), .out_id_o(dq_slot), .idle_o(dq_idle));
  assign dq_ready  = state_q == D_IDLE && !init_q;
  logic [QUERIES*WORD_W-1:0] q_words;
  for (genvar g = 0; g < QUERIES; g++) begin : g_query
    logic [AW-1:0] slot;
    assign slot                         = q_slot_i[AW*g +: AW];
    assign q_words[WORD_W*g +: WORD_W] = waits[slot[AW-1:WORD_LOG2]];
    assign q_waiting_o[g]               = 1'(q_words[WORD_W*g +: WORD_W] >> place_of(slot));
    assign q_going_o[g]                 = state_q == D_WAIT && at_tail && !fail_q && slot_q == slot;
  end
  assign at_tail   = at_q == tail_q;
  assign take      = out_valid_o && out_take_i;
  assign verdict   = res_valid_i && (out_q != '0 || take);
  assign pop       = verdict && res_pop_i && !fail_q;
  assign pop_entry = head_q;
  assign over      = out_q == (EW+1)'(verdict);        // no verdict is outstanding after this cycle
  assign void_o    = fail_q;
  // A push and a pop of one list in one cycle would race for its ends.
  assign push_ready_o = free_valid && !init_q && (APART || !pop);
  assign push         = push_valid_i && push_ready_o;

  // A push and a pop never come in one cycle, so each table has one writer.
  logic          push_first, pop_last, list_we;
  logic [AW-1:0] list_slot;
  logic [EW-1:0] head_next, push_tail;
  logic [WORD_W-1:0] list_word, list_bit;
  assign push_tail  = tail[push_slot_i];
  assign pop_last   = pop_entry == tail_q;
  assign list_slot  = push ? push_slot_i : slot_q;
  assign list_we    = (push && push_first) || pop;
  if (ASKED) begin : g_asked
    assign head_next  = push ? next[free_idx] : next[pop_entry];
    assign list_word  = push ? q_words[WORD_W-1:0] : waits[slot_q[AW-1:WORD_LOG2]];
    assign push_first = !q_waiting_o[0];
`ifdef VERILATOR
    always_ff @(posedge clk_i) if (rst_ni && push_valid_i) assert (q_slot_i[AW-1:0] == push_slot_i);
`endif
  end else begin : g_looks
    if (SLOTS > 512) begin : g_apart
      // (that something is pushed is known late)
      logic [WORD_W-1:0] push_word;
      assign head_next  = push ? next[free_idx] : next[pop_entry];
      assign push_word  = waits[push_slot_i[AW-1:WORD_LOG2]];
      assign list_word  = push ? push_word : waits[slot_q[AW-1:WORD_LOG2]];
      assign push_first = !(1'(push_word >> place_of(push_slot_i)));
    end else begin : g_both
      assign head_next  = next[push ? free_idx : pop_entry];
      assign list_word  = waits[list_slot[AW-1:WORD_LOG2]];
      assign push_first = !(1'(list_word >> place_of(list_slot)));
    end
  end
  assign list_bit   = WORD_W'(1) << place_of(list_slot);
  always_ff @(posedge clk_i) if (push) tail[push_slot_i] <= free_idx;
  logic          next_we;
  logic [EW-1:0] next_at;
  assign next_we = init_q ? 32'(init_idx_q) < ENTRIES : (push && !push_first) || pop;
  assign next_at = init_q ? init_idx_q[EW-1:0] : push ? push_tail : pop_entry;
  always_ff @(posedge clk_i) if (next_we) next[next_at] <= init_q ? init_idx_q[EW-1:0] + 1'b1 : free_idx;
  always_ff @(posedge clk_i) if (list_we) head[list_slot] <= push ? free_idx : head_next;
  always_ff @(posedge clk_i) begin
    if (init_q || (list_we && (push || pop_last)))
      waits[init_q ? init_idx_q[AW-1:WORD_LOG2] : list_slot[AW-1:WORD_LOG2]]
        <= init_q ? '0 : push ? list_word | list_bit : list_word & ~list_bit;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q       <= 1'b1;
      init_idx_q   <= '0;
      state_q      <= D_IDLE;
      out_q        <= '0;
      fail_q       <= 1'b0;
      sweep_q      <= 1'b0;
      sweep_slot_q <= '0;
    end else begin
      if (init_q) begin
        init_idx_q <= init_idx_q + 1'b1;
        init_q     <= !(&init_idx_q);
      end
      out_q <= out_q + (EW+1)'(take) - (EW+1)'(verdict);
      if (verdict && !res_pop_i) fail_q <= 1'b1;
      case (state_q)
        D_IDLE: if (dq_valid && !init_q && d_waiting) state_q <= D_READ;
        D_READ: state_q <= D_SHOW;
        D_SHOW: if (take) state_q <= (at_tail || fail_q) ? D_WAIT : D_READ;
                else if (fail_q) state_q <= D_WAIT;
        // All were shown: until their verdicts have come, or more is appended.
        default: if (fail_q || (verdict && !res_pop_i)) begin
          if (over) begin
            fail_q  <= 1'b0;
            state_q <= D_IDLE;
          end
        end else if (!at_tail) state_q <= D_READ;
        else if (over) state_q <= D_IDLE;
      endcase
      // A strobe during a sweep adds a whole round from the slot reached: the new cause may concern any slot, and none
      // waits for more than a round however often strobes come.
      if (sweep_next) begin
        sweep_slot_q <= sweep_slot_q + 1'b1;
        sweep_left_q <= sweep_left_q - 1'b1;
        if (sweep_left_q == '0) sweep_q <= 1'b0;
      end
      if (drain_all_i) begin
        sweep_q      <= 1'b1;
        sweep_left_q <= '1;
      end
    end
    if (state_q == D_IDLE) first_q <= 1'b1;
    else if (take) first_q <= 1'b0;
    // Both ends of the list that is drained
    if (state_q == D_IDLE) begin
      head_q <= head[dq_slot];
      tail_q <= (push && push_slot_i == dq_slot) ? free_idx : tail[dq_slot];
    end else begin
      if (pop) head_q <= head_next;
      if (push && push_slot_i == slot_q) tail_q <= free_idx;
    end
    if (state_q == D_IDLE) begin
      slot_q <= dq_slot;
      at_q   <= head[dq_slot];
    end else if ((take && !at_tail) || (state_q == D_WAIT && !fail_q && !at_tail)) begin
      at_q <= next[at_q];
    end
  end
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(ENTRIES), .BYPASS(2)) u_data (
      .clk_i, .we_i(push), .waddr_i(free_idx), .wdata_i(push_data_i), .re_i(state_q == D_READ), .raddr_i(at_q),
      .rdata_o(out_data_o));
  assign out_valid_o = state_q == D_SHOW && !fail_q;
  assign out_slot_o  = slot_q;
  assign out_entry_o = at_q;
  assign out_first_o = first_q;
  assign push_entry_o = free_idx;
  assign level_o     = used_q;
  assign idle_o      = !init_q && level_o == '0 && state_q == D_IDLE && dq_idle && !sweep_q && !swept_q
                       && !push_valid_i;

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni) assert (!(push && pop));
`endif
endmodule
