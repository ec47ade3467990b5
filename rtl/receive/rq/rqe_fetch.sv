// SPDX-License-Identifier: Apache-2.0
// Receive WQEs on chip: runs of consecutive receive queue entries (rqe_runs), entries of SRQs (rqe_ones), their
// elements of 16 bytes (rqe_store).
//
// Keyed {QPN, generation, index}; one DMA read (client RD_RQE) of up to 1 KiB a run, never past the producer index or
// the group's end, and so not past the ring's. Never authoritative: any run may be gone and is read again.
// Lookup: in the next cycle hit, err (the read failed) and base, where the entry's elements start; an element comes one
//   cycle after its address. While elements are read, from the cycle after the lookup on, the runs of the last two
//   lookups keep their place: rsp_walk looks the next entry up while it reads elements. A miss starts the read by
//   itself: a wake {slot} follows when it has arrived; without wait no run could be had, and avail follows. A hit past
//   the middle of a run reads the next run ahead. Lookups in every second cycle.
// SRQ: the key's QPN is {SRQ, slot}, the index tells the slot from what it was before, the entry is the slot. A slot
//   that will be looked up later is read ahead when its buffer is to be had, else forgotten. Reads of srq_ring have the
//   top bit of the tag.
// Victims: runs and buffers that were fetched for a miss and not looked at since keep their places for a time, runs for
//   3840 to 4096 cycles, buffers of SRQs for 256 to 512: many others may come again before the packet that asked, or it
//   is stuck behind one that cannot get a run. A miss also gets one that was read ahead.
// Stale: the host may not change an entry between its doorbell and its completion. An index comes again only after
//   65536 entries of that QP, by when the run has been reused: its set's ways are, in turn, and the QP alone has
//   fetched several others into each. A new QP of that number has a new generation (8 bits: docs/rtl/contexts.md).
// Steps: a lookup, a read ahead or one step of clearing is begun in a cycle, and judged and written back in the next.
// Errors: a run that could not be read is told once (err), then read again.
module rqe_fetch #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned RUNS   = 16,
    parameter int unsigned ONES   = 16,                // single entries of SRQs
    parameter int unsigned WAYS   = 2,
    parameter bit          SRQ    = 1'b1,              // 0: there are none, nor single entries
    parameter int unsigned QPN_W  = 24,                // of a QPN, bits that are not always 0
    parameter int unsigned CLIENT = cairn_int_pkg::RD_RQE
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    // forget: drop what is here: generations begin again (docs/rtl/contexts.md)
    input  logic                            forget_i,
    input  cairn_int_pkg::rqe_look_t        look_i,
    output cairn_int_pkg::rqe_found_t       found_o,
    input  cairn_int_pkg::rqe_ahead_t       ahead_i,
    output logic                            ahead_ready_o,
    input  cairn_int_pkg::rqe_element_t     el_i,  // elements of the entry looked up last are being read
    output logic [127:0]                    el_o,
    output cairn_int_pkg::wake_t            wake_o,
    input  logic                            wake_ready_i,
    output logic                            avail_o,
    // host memory
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_hw_pkg::rqe_fetch_events_t events_o,
    output logic                            idle_o
);
  localparam bit          LATE = DATA_W < 512;   // a read is begun a cycle after it was judged
  localparam int unsigned ALL  = RUNS + (SRQ ? ONES : 0);
  localparam int unsigned SETS = RUNS / WAYS;
  localparam int unsigned SW   = (SETS > 1) ? $clog2(SETS) : 1;
  localparam int unsigned OW   = $clog2(ONES);
  localparam int unsigned EAW  = $clog2(64 * RUNS + (SRQ ? 16 * ONES : 0));
  localparam int unsigned CLW  = (SW > OW) ? SW : OW;
  // The larger part is in front, so that no address needs an adder.
  localparam int unsigned RUNS_AT = (4 * RUNS >= ONES) ? 0 : ONES, ONES_AT = (4 * RUNS >= ONES) ? 4 * RUNS : 0;
  typedef enum logic [2:0] {K_NONE, K_LOOK, K_BEHIND, K_AHEAD, K_CLEAR} kind_e;

  if (RUNS < 4 || (ONES & (ONES - 1)) != 0 || ONES < 4 || 64 * RUNS + 16 * ONES > 16384) begin : g_chk
    $error("rqe_fetch: RUNS and ONES must be powers of two, 4 or more, of 16384 elements together");
  end

  // ---- first step: who, and where it may be ----
  kind_e                   kind_q;
  logic                    clear_q, init_q, blocked_q, behind_q, room, order_ready;
  logic [CLW-1:0]          clear_idx_q;
  cairn_int_pkg::rqe_ask_t ask_look, ask_ahead, ask_q;
  logic [2:0]              group, most;  // log2 of the entries; of as many as a run has room for
  logic                    few;          // it is all of the queue's
  logic [SW-1:0]           set, set_q, hash, hash_q, number;
  logic [SW-1:0]           numbers [0:7];    // of the group, if groups have 2^i entries
  logic [OW-1:0]           one_look, one_else;
  logic                    may_clear, may_ahead;
  assign may_clear     = clear_q && !look_i.valid;
  assign may_ahead     = SRQ && !clear_q && !(kind_q == K_LOOK && !ask_q.srq) && !behind_q && room;
  assign ahead_ready_o = may_ahead && !look_i.valid;      // (that comes late in its cycle)
  always_comb begin
    case (look_i.stride)
      5'd0, 5'd1: most = 3'd6;
      5'd2:       most = 3'd5;
      5'd3, 5'd4: most = 3'd4;
      default:    most = (look_i.stride > 5'd8) ? 3'd2 : 3'd3;
    endcase
    few   = look_i.log2 < {1'b0, most};
    group = few ? look_i.log2[2:0] : most;
  end
  logic [5:0] mask, pos;
  assign mask = ~(6'h3f << group);
  assign pos  = look_i.index[5:0] & mask;
  always_comb begin
    ask_look = {look_i.slot, SRQ && look_i.srq, look_i.qpn, look_i.gen, look_i.index[15:6], look_i.index[5:0] & ~mask,
                pos, 6'(pos * look_i.stride), mask, look_i.pi, look_i.base, look_i.log2, look_i.stride};
    if (SRQ && look_i.srq) begin
      ask_look.first = look_i.index;
      ask_look.pos   = '0;
      ask_look.off   = '0;
      ask_look.mask  = '0;
    end
    ask_ahead        = '0;
    ask_ahead.srq    = 1'b1;
    ask_ahead.qpn    = {ahead_i.srqn, ahead_i.slot};
    ask_ahead.first  = ahead_i.seq;
    ask_ahead.base   = ahead_i.base;
    ask_ahead.stride = ahead_i.stride;
  end
  always_comb begin
    hash = '0;
    for (int unsigned i = 0; i < 24; i++) hash[i % SW] = hash[i % SW] ^ look_i.qpn[i];
    // (without a carry: which QP it is, and the size of its groups, come late)
    for (int unsigned i = 0; i < 8; i++) numbers[i] = SW'(look_i.index >> i);
    number = set_q ^ hash_q;
    if (look_i.valid) set = hash ^ (few ? numbers[look_i.log2[2:0]] : numbers[most]);
    else if (clear_q) set = SW'(clear_idx_q);
    else set = hash_q ^ (number + SW'(behind_q && to_q > {1'b0, ask_q.mask}));
    if (SETS == 1) set = '0;
  end
  // Queues begin at places of their own.
  function automatic logic [OW-1:0] place(input logic [7:0] srqn);
    logic [OW+3:0] at;
    at    = {srqn[0], srqn[1], srqn[2], srqn[3], {OW{1'b0}}};
    place = at[OW+3:4];
  endfunction
  assign one_look = look_i.index[OW-1:0] ^ place(look_i.qpn[23:16]);
  assign one_else = clear_q ? OW'(clear_idx_q) : ahead_i.seq[OW-1:0] ^ place(ahead_i.srqn);

  // ---- second step: judge ----
  cairn_int_pkg::rqe_judged_t runs, ones, j;
  cairn_int_pkg::rqe_done_t   done;
  cairn_int_pkg::rqe_order_t  order;
  logic        look, hit, joins, miss, issue, issue_q, late, busy_q;
  logic [9:0]  at_q;
  logic [5:0]  off_q;
  logic [1:0]  found_q, held;          // what the last two lookups found: {the one before, the last}
  logic [19:0] found_at_q;
  logic [6:0]  run_to, to_q, to, n;
  logic [5:0]  more, age_q;
  logic [15:0] index, left, next;
  assign j     = (SRQ && ask_q.srq) ? ones : runs;
  assign look  = kind_q == K_LOOK && !blocked_q;
  assign hit   = look && j.hit;
  assign joins  = look && !j.hit && j.pend;
  assign miss  = look && j.none;
  assign index = ask_q.first | {10'h0, ask_q.pos};
  assign left  = ask_q.pi - index;
  assign more  = ask_q.mask & ~ask_q.pos;       // entries of the group behind this one
  always_comb begin
    n  = {1'b0, more} + 7'h1;
    to = {1'b0, ask_q.mask} + 7'h1;
    if (!ask_q.srq && left <= {10'h0, more}) begin
      n  = left[6:0];
      to = {1'b0, ask_q.pos} + left[6:0];
    end
  end
  // An index may be older than the run; a distance whose top bit is set is the longest ring's, or of such a one.
  assign issue = j.room && order_ready && (ask_q.srq || left != '0)
                 && (look || kind_q == K_AHEAD || (kind_q == K_BEHIND && !left[15])) && j.none;
  assign order = {ask_q.base, ask_q.srq ? ask_q.qpn[15:0] : index & ((16'h1 << ask_q.log2) - 16'h1), n, ask_q.stride,
                  1'b0, j.turn, j.into};
  // What is behind the run is asked for from where that ends, if no lookup comes between.
  assign next   = ask_q.first + {9'h0, to_q};
  assign held   = busy_q ? found_q : '0;

  rqe_runs #(.RUNS(RUNS), .WAYS(WAYS), .AT(SRQ ? RUNS_AT : 0), .QPN_W(QPN_W)) u_runs (
      .clk_i, .age_i(age_q), .set_i(set), .ask_i(ask_q), .to_i(to), .held_i(held), .held_at_i(found_at_q),
      .judged_o(runs), .late_o(late), .to_o(run_to), .use_i(hit && !ask_q.srq), .join_i(joins && !ask_q.srq),
      .read_i(issue && !ask_q.srq), .asked_i(look), .clear_i(kind_q == K_CLEAR), .init_i(init_q), .done_i(done));
  if (SRQ) begin : g_ones
    rqe_ones #(.ONES(ONES), .AT(ONES_AT)) u_ones (
        .clk_i, .age_i(age_q), .look_i(look_i.valid), .look_one_i(one_look), .else_one_i(one_else),
        .ask_i(ask_q), .held_i(held), .held_at_i(found_at_q), .judged_o(ones),
        .use_i(hit && ask_q.srq), .join_i(joins && ask_q.srq), .read_i(issue && ask_q.srq),
        .early_i(kind_q == K_AHEAD), .clear_i(kind_q == K_CLEAR), .init_i(init_q), .done_i(done));
  end else begin : g_no_ones
    logic unused;
    assign ones   = '0;
    assign unused = ^{one_look, one_else};
  end
  rqe_issue #(.ONE(!SRQ && DATA_W < 512)) u_issue (
      .clk_i, .rst_ni, .epoch_i, .order_valid_i(issue), .order_ready_o(order_ready), .order_i(order), .room_o(room),
      .rd_o, .rd_ready_i);
  rqe_store #(.DATA_W(DATA_W), .RUNS(RUNS), .ONES(SRQ ? ONES : 0), .RUNS_AT(SRQ ? RUNS_AT : 0),
              .CLIENT(CLIENT)) u_store (
      .clk_i, .order_i(issue_q), .order_at_i(at_q), .order_off_i(off_q),
      .beat_i, .beat_data_i, .done_o(done), .addr_i(el_i.addr[EAW-1:0]), .el_o);

  // What is judged is written at once, or a cycle later; and then what has come is looked at a cycle later, too.
  logic                      joins_q, came;    // ... and that a read has ended
  logic [9:0]                at;
  logic [5:0]                off;
  logic [EAW-5:0]            came_at;
  cairn_int_pkg::rqe_waits_t waits_q;
  assign at  = joins ? j.at : j.into;
  assign off = 6'(ask_q.pos * ask_q.stride);
  if (LATE) begin : g_later
    always_ff @(posedge clk_i) begin
      {issue_q, joins_q, came} <= {3{rst_ni}} & {issue, joins, done.valid};
      {at_q, off_q, waits_q}   <= {at, off, look, ask_q.slot};
      came_at                  <= done.at[EAW-5:0];
    end
  end else begin : g_now
    assign {issue_q, joins_q, came}  = {issue, joins, done.valid};
    assign {at_q, off_q, waits_q}    = {at, off, look, ask_q.slot};
    assign came_at                   = done.at[EAW-5:0];
  end

  assign found_o = {hit, look && j.good, joins || (miss && issue), {2'b00, j.at, 4'h0} | {10'h0, ask_q.off}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kind_q   <= K_NONE;
      found_q  <= '0;
      behind_q <= 1'b0;
    end else begin
      behind_q <= hit && !ask_q.srq && late && !look_i.valid && !clear_q;
      if (look_i.valid) kind_q <= K_LOOK;
      else if (clear_q) kind_q <= K_CLEAR;
      else if (behind_q) kind_q <= K_BEHIND;
      else if (may_ahead && ahead_i.valid) kind_q <= K_AHEAD;
      else kind_q <= K_NONE;
      if (look) found_q <= {held[0], hit};
    end
    if (look) found_at_q <= {found_at_q[9:0], j.at};
    busy_q    <= el_i.busy;     // early enough: none but a lookup is judged in the cycle after one
    blocked_q <= clear_q;
    set_q     <= set;
    if (look_i.valid) hash_q <= hash;
    to_q      <= run_to;
    if (look_i.valid) begin
      ask_q <= ask_look;
    end else if (may_ahead && ahead_i.valid) begin
      ask_q <= ask_ahead;
    end else if (behind_q) begin
      ask_q.first <= {next[15:6], next[5:0] & ~ask_q.mask};
      ask_q.pos   <= next[5:0] & ask_q.mask;
    end
  end

  // ---- clearing: after reset, and when all is to be forgotten ----
  logic [7:0] tick_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q     <= 1'b1;
      init_q      <= 1'b1;
      clear_idx_q <= '0;
      tick_q      <= '0;
      age_q       <= '0;
    end else begin
      if (forget_i) clear_q <= 1'b1;
      else if (may_clear && clear_idx_q == '1) clear_q <= 1'b0;
      if (forget_i) clear_idx_q <= '0;
      else if (may_clear) clear_idx_q <= clear_idx_q + 1'b1;
      if (!clear_q) init_q <= 1'b0;
      tick_q <= tick_q + 8'h1;
      if (tick_q == '1) age_q <= age_q + 6'h1;
    end
  end

  // ---- wakes: at most one for each read ----
  cairn_int_pkg::rqe_waits_t waits;
  logic wq_ready_unused, came_q;
  logic [$clog2(ALL+4)-1:0]  wq_level;
  ram_1r1w #(.WIDTH(cairn_int_pkg::RQE_WAITS_W), .DEPTH(1 << (EAW - 4)), .BYPASS(1)) u_waits (
      .clk_i, .we_i(issue_q || joins_q), .waddr_i(at_q[EAW-5:0]), .wdata_i(waits_q),
      .re_i(1'b1), .raddr_i(came_at), .rdata_o(waits));
  sync_fifo_ram #(.WIDTH(cairn_int_pkg::SLOT_W), .DEPTH(ALL + 3)) u_wake (
      .clk_i, .rst_ni, .in_valid_i(came_q && waits.valid), .in_ready_o(wq_ready_unused), .in_data_i(waits.slot),
      .out_valid_o(wake_o.valid), .out_ready_i(wake_ready_i), .out_data_o(wake_o.slot), .level_o(wq_level));

  // ---- what was refused is told once there may be room: something came, was looked at, was read or grew old ----
  logic refused_q, full_q, event_q, event2_q, reading_q;
  logic [$clog2(ALL+1)-1:0] reads_q;     // under way
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      refused_q <= 1'b0;
      full_q    <= 1'b0;
      avail_o   <= 1'b0;
      came_q    <= 1'b0;
      reads_q   <= '0;
    end else begin
      came_q <= came;
      if (issue_q && !came) reads_q <= reads_q + 1'b1;
      else if (came && !issue_q) reads_q <= reads_q - 1'b1;
      if (kind_q == K_LOOK && (blocked_q || (miss && !issue))) refused_q <= 1'b1;
      else if (avail_o) refused_q <= 1'b0;
      full_q  <= !order_ready || clear_q;
      avail_o <= !avail_o && refused_q && event2_q && !clear_q;
    end
    reading_q <= busy_q;
    event_q  <= done.valid || hit || tick_q == '1 || (full_q && order_ready && !clear_q) || (reading_q && !busy_q);
    event2_q <= event_q;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && came_q && waits.valid) assert (wq_ready_unused);
`endif
  assign events_o.rqe_fetch = issue_q;
  // (What is judged and written in the same cycle has its kind_q: that is known early.)
  assign idle_o = reads_q == '0 && wq_level == '0 && !(LATE && issue_q) && !came && !came_q && kind_q == K_NONE
                  && !behind_q && !clear_q && !ahead_i.valid;
endmodule
