// SPDX-License-Identifier: Apache-2.0
// One way of rqe_runs: its runs, what is found in set_q_i's, and how that changes in the same cycle.
//
// old_o: the run may make room, as far as it says itself; over_o: for one that is read ahead, too.
// Errors: see rqe_runs.
module rqe_way #(
    parameter int unsigned SETS = 8,
    parameter int unsigned QPN_W = 24,     // of a QPN, bits that are not always 0
    localparam int unsigned SW  = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  logic                    clk_i,
    input  logic [5:0]              age_i,
    input  logic [SW-1:0]           set_q_i,
    input  cairn_int_pkg::rqe_ask_t ask_i,
    input  logic [6:0]              to_i,
    output logic                    key_o,         // it is of the group that is asked for
    output logic                    has_o,         // it has the entry's place
    output logic                    pend_o,
    output logic                    failed_o,
    output logic                    old_o,
    output logic                    over_o,
    output logic                    turn_o,        // of the next read into it
    output logic                    late_o,
    output logic [6:0]              to_o,
    input  logic                    use_i,
    input  logic                    join_i,
    input  logic                    read_i,
    input  logic                    asked_i,
    input  logic                    clear_i,
    input  logic                    init_i,
    input  logic                    came_i,        // a read has ended
    input  logic [SW-1:0]           came_set_i,
    input  logic                    came_turn_i,
    input  logic                    came_failed_i
);
  cairn_int_pkg::rqe_run_t  r, w;
  cairn_int_pkg::rqe_came_t c;
  logic [5:0]               age;
  logic [7:0]               twice;
  logic [cairn_int_pkg::RQE_RUN_W-1:0]  run  [0:SETS-1];
  logic [cairn_int_pkg::RQE_CAME_W-1:0] came [0:SETS-1];
  cairn_int_pkg::rqe_run_t r_all;
  assign r_all = run[set_q_i];
  always_comb begin
    r     = r_all;
    r.qpn = 24'(r_all.qpn[QPN_W-1:0]);
  end
  assign c = came[set_q_i];
  always_ff @(posedge clk_i) if (clear_i || read_i || use_i || join_i) run[set_q_i] <= w;
  always_ff @(posedge clk_i) begin
    if (came_i || (clear_i && init_i)) begin
      came[came_i ? came_set_i : set_q_i] <= came_i ? {came_turn_i, came_failed_i, age_i} : '0;
    end
  end
  assign age      = age_i - c.age;
  assign pend_o   = r.turn != c.turn;
  assign failed_o = c.failed;
  assign key_o    = r.live && r.qpn == ask_i.qpn && r.gen == ask_i.gen && r.first == ask_i.first;
  assign has_o    = ask_i.pos >= r.from && {1'b0, ask_i.pos} < r.to;
  // What was read for a parked packet stays for 16 ticks of 256 cycles: so many others may come again before that one
  // (each takes some 20 cycles with FAST = 0), and if they took its place nobody would get anything.
  assign old_o    = !pend_o && (!r.asked || age[5:4] != '0);
  assign over_o   = !r.open || age[5:3] != '0;
  assign turn_o   = !c.turn;
  assign twice    = {1'b0, r.to} + {2'b00, r.from};
  assign late_o   = {1'b0, ask_i.pos, 1'b0} >= twice;
  assign to_o     = r.to;
  always_comb begin
    w = r;
    if (clear_i) begin
      w.live  = r.live && pend_o && !init_i;
      w.turn  = r.turn && !init_i;
      w.asked = r.asked && !init_i;
      w.open  = r.open && pend_o && !init_i;
    end else begin
      // What is found is of the group that is asked for, and so is what is read.
      {w.qpn, w.gen, w.first} = {ask_i.qpn, ask_i.gen, ask_i.first};
      if (key_o && has_o) begin              // join_i if it is on its way, use_i if not
        w.asked = pend_o;
        w.live  = pend_o || !c.failed;
        w.open  = pend_o || ({1'b0, ask_i.pos} + 7'h1 != r.to && !c.failed && r.open);
      end else begin                         // read_i, if it is written at all
        {w.live, w.turn, w.asked, w.open} = {1'b1, !c.turn, asked_i, 1'b1};
        {w.from, w.to} = {ask_i.pos, to_i};
      end
    end
  end
endmodule
