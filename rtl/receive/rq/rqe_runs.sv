// SPDX-License-Identifier: Apache-2.0
// Runs of receive WQEs of queues: what is on chip, on its way, and which way of a set is read into next.
//
// SETS sets, WAYS ways each; groups that follow one another are in other sets. A run is entries from..to of a group:
// as many as 64 elements hold, a power of two, aligned. So an entry's place in it needs no run's first index, and
// neighbours of a queue that grows slowly are runs of one group.
// Steps: set_i is read; in the next cycle judged_o is about ask_i, and one of use_i (a packet has found it), join_i (a
//   packet waits for what is on its way), read_i (it is read into judged_o.into) or clear_i changes what was read. The
//   set may be read in each cycle: what is written is what a read of that cycle finds.
// `turn` is written with each order, and comes back with its end: a run is on its way while the two differ.
// Victims: in turn, runs not on their way, not held_i, and not asked for and not looked at yet, which ends 3840 to
//   4096 cycles after they came.
// Clear: drops a set, but for what is on its way; with init_i all, as after reset.
// Errors: a run that could not be read is dropped when it has been found.
module rqe_runs #(
    parameter int unsigned RUNS = 32,
    parameter int unsigned WAYS = 2,
    parameter int unsigned AT   = 0,       // of the first run, / 16
    parameter int unsigned QPN_W = 24,     // of a QPN, bits that are not always 0
    localparam int unsigned SETS = RUNS / WAYS,
    localparam int unsigned SW  = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  logic                       clk_i,
    input  logic [5:0]                 age_i,
    input  logic [SW-1:0]              set_i,
    input  cairn_int_pkg::rqe_ask_t    ask_i,
    input  logic [6:0]                 to_i,      // read_i: behind the last entry
    input  logic [1:0]                 held_i,    // elements of these two are being read, each at
    input  logic [19:0]                held_at_i,
    output cairn_int_pkg::rqe_judged_t judged_o,
    output logic                       late_o,    // hit: the entry is past the middle of its run
    output logic [6:0]                 to_o,      // ... which ends here
    input  logic                       use_i,
    input  logic                       join_i,
    input  logic                       read_i,
    input  logic                       asked_i,   // read_i: for a packet
    input  logic                       clear_i,
    input  logic                       init_i,
    input  cairn_int_pkg::rqe_done_t   done_i
);
  localparam int unsigned WW = (WAYS > 1) ? $clog2(WAYS) : 1;
  localparam int unsigned NW = (RUNS > 1) ? $clog2(RUNS) : 1;

  if (WAYS < 2 || (1 << WW) != WAYS || SETS * WAYS != RUNS || (SETS > 1 && (1 << SW) != SETS)) begin : g_chk
    $error("rqe_runs: RUNS and WAYS must be powers of two, and WAYS 2 to RUNS");
  end

  logic [SW-1:0]      set_q, d_set;
  logic [WW-1:0]      d_way;
  logic               d_mine;
  logic [NW-1:0]      d_run;
  logic [WAYS-1:0]    key, has, pend, fail, old, over, ok, late, match, turns;
  logic [WAYS-1:0]    hit, wait1, pick, first;
  logic [7*WAYS-1:0]  tos;
  logic [9:0]         set_at;
  assign set_at = 10'(AT) | (10'(set_q) << (WW + 2));
  always_ff @(posedge clk_i) set_q <= set_i;

  // ---- the ways ----
  assign d_run  = done_i.at[2 +: NW];
  assign d_way  = d_run[WW-1:0];
  assign d_set  = SW'(d_run >> WW);
  assign d_mine = done_i.valid && done_i.at[9:NW+2] == (8-NW)'(AT >> (NW + 2));
  for (genvar g = 0; g < WAYS; g++) begin : g_way
    logic came, sure;
    assign came = d_mine && d_way == WW'(g);
    assign sure = !(held_i[0] && held_at_i[9:0] == (set_at | 10'(4 * g)))
                  && !(held_i[1] && held_at_i[19:10] == (set_at | 10'(4 * g)));
    rqe_way #(.SETS(SETS), .QPN_W(QPN_W)) u_way (
        .clk_i, .age_i, .set_q_i(set_q), .ask_i, .to_i,
        .key_o(key[g]), .has_o(has[g]), .pend_o(pend[g]), .failed_o(fail[g]), .old_o(old[g]), .over_o(over[g]),
        .turn_o(turns[g]), .late_o(late[g]), .to_o(tos[7*g +: 7]),
        .use_i(use_i && match[g]), .join_i(join_i && match[g]), .read_i(read_i && pick[g]), .asked_i, .clear_i, .init_i,
        .came_i(came), .came_set_i(d_set), .came_turn_i(done_i.turn), .came_failed_i(done_i.failed));
    assign ok[g] = old[g] && sure && (asked_i || over[g]);
  end

  // ---- found: at most one, though two runs may have an entry that was read again ----
  assign hit   = key & has & ~pend;
  assign wait1 = key & has & pend;
  assign match = (hit != '0) ? hit & (~hit + 1'b1) : wait1 & (~wait1 + 1'b1);

  // ---- the victim: the next one in turn ----
  logic [WW-1:0]   turn [0:SETS-1];
  logic [WW-1:0]   next;
  logic [WAYS-1:0] best, behind;
  logic [WW-1:0]   way, pick_way;
  assign next   = turn[set_q];
  assign best   = ((ok & over) != '0) ? ok & over : ok;
  assign behind = best & ({WAYS{1'b1}} << next);
  assign first  = (behind != '0) ? behind : best;
  assign pick   = first & (~first + 1'b1);
  always_ff @(posedge clk_i) if (read_i) turn[set_q] <= pick_way + 1'b1;
  always_comb begin
    way      = '0;
    pick_way = '0;
    to_o     = '0;
    for (int unsigned i = 0; i < WAYS; i++) begin
      if (match[i]) way = way | WW'(i);
      if (pick[i]) pick_way = pick_way | WW'(i);
      if (match[i]) to_o = to_o | tos[7*i +: 7];
    end
  end

  assign late_o   = (match & late) != '0;
  assign judged_o = {hit != '0, (hit & (~hit + 1'b1) & ~fail) != '0, wait1 != '0, (key & has) == '0, ok != '0,
                     (pick & turns) != '0,
                     set_at | (10'(way) << 2), set_at | (10'(pick_way) << 2)};
endmodule
