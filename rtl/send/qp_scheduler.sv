// SPDX-License-Identifier: Apache-2.0
// Which QP sends next (docs/rtl/scheduler.md).
//
// Kicks (doorbell, acknowledgement, fill, timer ...) queue a QP, each at most once. The requester takes the oldest;
// until it gives the QP back, the QP is not handed out again. A kick in between, or a give-back that wants more, queues
// it afresh.
// Owns: the state of each QP: idle, queued, in service, in service and wanted; block RAM, room for all QPs, so a kick
//   waits only for its turn.
// Order: a strobe (the end of a fill that the QP waits for) cannot be refused and goes before all else. Its QP is
//   handed out before those that only stand in the queue (wake_first), and so is one kicked by source FIRST: the WQE
//   that it was waiting for has come, and holds a place until it is looked at, as its record does. It goes before them
//   again when it is given back because there was no way for its record (done_i.again): at the queue's end it would
//   keep its place from others for many rounds, and they would have their records read and lost for nothing.
// Cycles: a QP handed out, one given back and a kick (or strobe) in each. What is given back and wants more takes the
//   turn of a kick, every second one at most. If all QPs rest, a kick is shown in the next cycle. LOOKS = 1: a strobe,
//   a give-back or a kick in each, in this order; a QP handed out every second cycle, a kick chosen in the one before.
// Reset: clears itself. Errors: QPNs beyond the table are ignored.
module qp_scheduler #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned NSRC     = 8,
    parameter int unsigned MANY     = 24,
    parameter int unsigned LOOKS    = 2,     // of a cycle: a kick and a give-back, or 1, of either
    parameter int unsigned FIRST    = 2      // source that is told what a QP waited for has come
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic [NSRC-1:0]            kick_valid_i,
    output logic [NSRC-1:0]            kick_ready_o,
    input  logic [NSRC*24-1:0]         kick_qpn_i,
    input  cairn_int_pkg::kick_t       strobe_i,
    output cairn_int_pkg::kick_t       kicked_o,      // a QP was kicked, or queued again, in the cycle before
    output cairn_int_pkg::kick_t       sched_o,
    input  logic                       sched_ready_i,
    input  cairn_int_pkg::sched_done_t done_i,
    output logic                       done_ready_o,
    output logic                       crowd_o,       // MANY QPs are not idle, or more; a cycle late
    output logic                       idle_o
);
  localparam int unsigned N = 1 << QPS_LOG2;

  if (QPS_LOG2 < 2 || QPS_LOG2 > 16) begin : g_chk
    $error("qp_scheduler: QPS_LOG2 must be 2 to 16");
  end

  logic                init_q;
  logic [QPS_LOG2-1:0] init_id_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
    end else if (init_q) begin
      init_id_q <= init_id_q + 1'b1;
      init_q    <= init_id_q != QPS_LOG2'(N - 1);
    end
  end

  // ---- the state of a QP: three bits, each turned by one kind of event ----
  //   idle     kicked == taken,  taken == given
  //   queued   kicked != taken,  taken == given
  //   busy     kicked == taken,  taken != given
  //   wanted   kicked != taken,  taken != given
  // A kick turns its bit if it equals the taken one, a QP that leaves has it follow, a give-back the third. So the
  // events of one cycle never write one place, and a give-back of a wanted QP makes it a queued one.
  logic [QPS_LOG2-1:0] k_id, d_id;                // looked up in this cycle
  logic                k_kicked, k_taken, k_given, d_kicked, d_taken, d_first;   // d_first: it left before the queue
  logic                k_turn, d_turn, pop;
  logic [QPS_LOG2-1:0] k_id_q, d_id_q, own_d_id_q, look_id, out_id;
  logic                look_d;                    // LOOKS = 1: a give-back is looked up, no kick
  logic                out_bit, out_first;
  if (LOOKS > 1) begin : g_both
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_k_kicked (
        .clk_i, .we_i(init_q || k_turn), .waddr_i(init_q ? init_id_q : k_id_q), .wdata_i(!init_q && !k_kicked),
        .re_i(1'b1), .raddr_i(k_id), .rdata_o(k_kicked));
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_d_kicked (
        .clk_i, .we_i(init_q || k_turn), .waddr_i(init_q ? init_id_q : k_id_q), .wdata_i(!init_q && !k_kicked),
        .re_i(1'b1), .raddr_i(d_id), .rdata_o(d_kicked));
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_k_taken (
        .clk_i, .we_i(init_q || pop), .waddr_i(init_q ? init_id_q : out_id), .wdata_i(!init_q && out_bit),
        .re_i(1'b1), .raddr_i(k_id), .rdata_o(k_taken));
    // (None is given back in the cycle in which it is taken.)
    ram_1r1w #(.WIDTH(2), .DEPTH(N), .BYPASS(2)) u_d_taken (
        .clk_i, .we_i(init_q || pop), .waddr_i(init_q ? init_id_q : out_id), .wdata_i({out_first, !init_q && out_bit}),
        .re_i(1'b1), .raddr_i(d_id), .rdata_o({d_first, d_taken}));
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_k_given (
        .clk_i, .we_i(init_q || d_turn), .waddr_i(init_q ? init_id_q : d_id_q), .wdata_i(!init_q && d_taken),
        .re_i(1'b1), .raddr_i(k_id), .rdata_o(k_given));
    assign d_id_q = own_d_id_q;
    assign {look_d, look_id} = '0;
  end else begin : g_one
    // A kick or a give-back a cycle: one copy, of two bits in a word, and of the third that another writes.
    logic unused;
    assign look_d  = done_i.valid && done_ready_o;
    assign look_id = look_d ? d_id : k_id;
    assign d_id_q  = k_id_q;
    assign {d_kicked, d_taken} = {k_kicked, k_taken};
    ram_1r1w #(.WIDTH(2), .DEPTH(N), .BYPASS(1)) u_turned (
        .clk_i, .we_i(init_q || k_turn || d_turn), .waddr_i(init_q ? init_id_q : k_id_q),
        .wdata_i(init_q ? 2'b00 : {k_kicked ^ k_turn, d_turn ? k_taken : k_given}), .re_i(1'b1), .raddr_i(look_id),
        .rdata_o({k_kicked, k_given}));
    ram_1r1w #(.WIDTH(2), .DEPTH(N), .BYPASS(1)) u_taken (
        .clk_i, .we_i(init_q || pop), .waddr_i(init_q ? init_id_q : out_id), .wdata_i({out_first, !init_q && out_bit}),
        .re_i(1'b1), .raddr_i(look_id), .rdata_o({d_first, k_taken}));
    assign unused = ^own_d_id_q;
  end

  // ---- give-backs: looked up, then on to the kicks if there is more to do ----
  logic       d_q, d_more_q, d_again_q, again_valid, again_ready, again_queued, again_first;
  logic [2:0] again_level;
  logic [QPS_LOG2-1:0] again_id;
  // With room for one that is being looked up.
  assign done_ready_o = again_level < 3'd3 && !init_q && (LOOKS > 1 || !strobe_i.valid);
  assign d_id         = done_i.qpn[QPS_LOG2-1:0];
  assign d_turn       = d_q;
  sync_fifo_level #(.WIDTH(2 + QPS_LOG2), .DEPTH(4)) u_again (
      .clk_i, .rst_ni, .in_valid_i(d_q && (d_more_q || d_kicked != d_taken)), .in_ready_o(),
      .in_data_i({d_again_q && d_first, d_kicked != d_taken, d_id_q}), .out_valid_o(again_valid),
      .out_ready_i(again_ready), .out_data_o({again_first, again_queued, again_id}), .level_o(again_level));

  // ---- kicks: strobes, then what was given back and kicks in turn ----
  logic            gnt_valid, take_kick, may_kick, was_again_q;
  logic [NSRC-1:0] gnt;
  logic [23:0]     kick_qpn, k_qpn;
  logic            k_q, k_early_q, k_queued_q;
  assign again_ready = !strobe_i.valid && !(gnt_valid && was_again_q) && !look_d;
  assign may_kick    = !strobe_i.valid && !look_d && !(again_valid && !was_again_q) && !init_q;
  assign take_kick   = gnt_valid && may_kick;
  if (LOOKS > 1) begin : g_choose
    // No source's ready waits for another's kick; source 0, a doorbell, never waits while nobody else kicks.
    rr_kept #(.N(NSRC), .HOME(0)) u_arb (
        .clk_i, .rst_ni, .req_i(kick_valid_i), .used_i(take_kick), .hold_i(1'b0), .gnt_o(gnt), .gnt_idx_o(),
        .shown_o(gnt_valid));
    assign kick_ready_o = gnt & {NSRC{may_kick}};
  end else begin : g_chosen
    // A source's kick comes late in the cycle, and so would each source's ready.
    rr_chosen #(.N(NSRC)) u_arb (
        .clk_i, .rst_ni, .req_i(kick_valid_i), .ready_i(may_kick), .gnt_valid_o(gnt_valid), .gnt_o(gnt),
        .ready_o(kick_ready_o), .gnt_idx_o());
  end
  always_comb begin
    kick_qpn = '0;
    for (int unsigned i = 0; i < NSRC; i++) begin
      if (gnt[i]) kick_qpn = kick_qpn | kick_qpn_i[i*24 +: 24];
    end
  end
  assign k_qpn = strobe_i.valid ? strobe_i.qpn : (again_valid && !was_again_q) || !gnt_valid ? 24'(again_id) : kick_qpn;
  assign k_id  = k_qpn[QPS_LOG2-1:0];

  // One that is given back in the cycle in which a kick looks at it counts as given back.
  logic given, fresh, early, late, direct, push, rest_q, fifo_valid, fifo_ready, fifo_bit, next_valid, next_bit;
  logic first_idle, next_first, shown, out_ready, out_idle;
  logic [QPS_LOG2-1:0] fifo_id, next_id;
  logic [$clog2(N+1)-1:0] level, used_q;
  assign given  = (LOOKS > 1 && d_q && d_id_q == k_id_q) ? k_taken : k_given;
  assign k_turn = k_q && !k_queued_q && k_kicked == k_taken;
  assign fresh  = k_q && (k_queued_q || (k_kicked == k_taken && k_taken == given));
  assign direct = k_q && rest_q;
  assign push   = fresh && !(direct && out_ready);
  assign early  = k_early_q && !late;

  // ---- the queue; an entry carries its kicked bit, so that none is read when it leaves ----
  logic in_bit;
  assign in_bit = k_queued_q ? k_kicked : !k_kicked;
  sync_fifo_ram #(.WIDTH(1 + QPS_LOG2), .DEPTH(N), .FAST(1)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(push && !early), .in_ready_o(), .in_data_i({in_bit, k_id_q}),
      .out_valid_o(fifo_valid), .out_ready_i(fifo_ready), .out_data_o({fifo_bit, fifo_id}), .level_o(level)
  );
  wake_first #(.ID_W(1 + QPS_LOG2), .DEPTH(32)) u_first (
      .clk_i, .rst_ni, .wake_i(push && k_early_q), .wake_id_i({in_bit, k_id_q}), .late_o(late), .in_valid_i(fifo_valid),
      .in_ready_o(fifo_ready), .in_id_i({fifo_bit, fifo_id}), .out_valid_o(next_valid), .out_ready_i(out_ready),
      .out_id_o({next_bit, next_id}), .out_first_o(next_first), .idle_o(first_idle));
  assign shown = next_valid || direct;
  if (LOOKS > 1) begin : g_straight
    assign out_ready         = sched_ready_i;
    assign sched_o.valid     = shown;
    assign {out_first, out_bit, out_id} = next_valid ? {next_first, next_bit, next_id} : {k_early_q, in_bit, k_id_q};
    assign out_idle          = 1'b1;
  end else begin : g_out
    // The next one in a register, where it is still a queued one: the requester's ready ends there.
    logic valid_q;
    always_ff @(posedge clk_i) begin
      valid_q <= rst_ni && (valid_q ? !sched_ready_i : shown);
      if (!valid_q) {out_first, out_bit, out_id} <= next_valid ? {next_first, next_bit, next_id}
                                                               : {k_early_q, in_bit, k_id_q};
    end
    assign out_ready     = !valid_q;
    assign sched_o.valid = valid_q;
    assign out_idle      = !valid_q;
  end
  assign pop         = sched_o.valid && sched_ready_i;
  assign sched_o.qpn = 24'(out_id);

  // used_q: QPs that are not idle. While there are none the one that is kicked now is idle, too, and goes out at once.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_q         <= 1'b0;
      k_q         <= 1'b0;
      was_again_q <= 1'b0;
      used_q      <= '0;
      rest_q      <= 1'b0;
    end else begin
      d_q         <= done_i.valid && done_ready_o && done_i.qpn[23:QPS_LOG2] == '0;
      k_q         <= !look_d && (strobe_i.valid || again_valid || take_kick) && k_qpn[23:QPS_LOG2] == '0 && !init_q;
      was_again_q <= again_valid && again_ready && gnt_valid;
      used_q      <= used_q + ($clog2(N+1))'(fresh && !k_queued_q) - ($clog2(N+1))'(d_q && d_kicked == d_taken);
      rest_q      <= used_q == '0 && !fresh;
    end
    crowd_o    <= rst_ni && 32'(used_q) >= MANY;
    d_more_q   <= done_i.more;
    d_again_q  <= done_i.again;
    own_d_id_q <= d_id;
    k_id_q     <= (LOOKS > 1) ? k_id : look_id;
    k_early_q  <= strobe_i.valid || (take_kick && gnt[FIRST]) || (again_valid && again_ready && again_first);
    k_queued_q <= !strobe_i.valid && again_valid && again_ready && again_queued;
  end
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && init_q) assert (!strobe_i.valid);   // no source has asked yet
`endif
  assign kicked_o = {k_q, 24'(k_id_q)};
  assign idle_o = level == '0 && first_idle && out_idle && kick_valid_i == '0 && !strobe_i.valid && !done_i.valid
                  && !k_q && !d_q && !again_valid && !init_q;
endmodule
