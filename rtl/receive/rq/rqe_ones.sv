// SPDX-License-Identifier: Apache-2.0
// Receive WQEs of shared queues, one in each buffer: what is on chip and on its way.
//
// A buffer is found by the entry's number, which is consecutive within a queue, and the queue; so those that a queue
// reads ahead do not meet one another. Steps, `turn` and clear_i: as in rqe_runs; early_i: read ahead for no packet.
// Victims: what is in the buffer makes room unless it is on its way, held_i, asked for and not looked at yet (for 256
//   to 512 cycles) or, for one that is read ahead itself, read ahead and not looked at.
// Errors: an entry that could not be read is dropped when it has been found.
module rqe_ones #(
    parameter int unsigned ONES = 128,
    parameter int unsigned AT   = 0,       // of the first buffer, / 16
    localparam int unsigned OW  = $clog2(ONES)
) (
    input  logic                       clk_i,
    input  logic [5:0]                 age_i,
    input  logic                       look_i,    // which of the two it is comes late
    input  logic [OW-1:0]              look_one_i,
    input  logic [OW-1:0]              else_one_i,
    input  cairn_int_pkg::rqe_ask_t    ask_i,
    input  logic [1:0]                 held_i,    // elements of these two are being read, each at
    input  logic [19:0]                held_at_i,
    output cairn_int_pkg::rqe_judged_t judged_o,
    input  logic                       use_i,
    input  logic                       join_i,
    input  logic                       read_i,
    input  logic                       early_i,
    input  logic                       clear_i,
    input  logic                       init_i,
    input  cairn_int_pkg::rqe_done_t   done_i
);
  localparam int unsigned RW = cairn_int_pkg::RQE_ONE_W, CW = cairn_int_pkg::RQE_CAME_W;

  logic [OW-1:0]            one, one_q, came_at;
  logic                     came, came_we, we, key, pend, free, held;
  cairn_int_pkg::rqe_one_t  r, w;
  cairn_int_pkg::rqe_came_t c;
  logic [5:0]               age;
  logic [9:0]               at;
  assign one = look_i ? look_one_i : else_one_i;
  always_ff @(posedge clk_i) one_q <= one;
  assign came    = done_i.valid && done_i.at[9:OW] == (10-OW)'(AT >> OW);
  assign came_we = came || (clear_i && init_i);
  assign came_at = came ? done_i.at[OW-1:0] : one_q;
  assign we      = clear_i || read_i || use_i || join_i;
  // What is written in the cycle of the read is found; each of the two addresses is compared, and which one it was is
  // known a cycle later.
  cairn_int_pkg::rqe_one_t  r_ram, r_fwd_q;
  cairn_int_pkg::rqe_came_t c_new, c_ram, c_fwd_q;
  logic                     r_hit, c_hit, look_q, r_look_q, r_else_q, c_look_q, c_else_q;
  assign c_new = came ? {done_i.turn, done_i.failed, age_i} : '0;
  ram_1r1w #(.WIDTH(RW), .DEPTH(ONES), .BYPASS(2)) u_one (
      .clk_i, .we_i(we), .waddr_i(one_q), .wdata_i(w), .re_i(1'b1), .raddr_i(one), .rdata_o(r_ram));
  ram_1r1w #(.WIDTH(CW), .DEPTH(ONES), .BYPASS(2)) u_came (
      .clk_i, .we_i(came_we), .waddr_i(came_at), .wdata_i(c_new), .re_i(1'b1), .raddr_i(one), .rdata_o(c_ram));
  always_ff @(posedge clk_i) begin
    look_q <= look_i;
    {r_look_q, r_else_q} <= {we && one_q == look_one_i, we && one_q == else_one_i};
    {c_look_q, c_else_q} <= {came_we && came_at == look_one_i, came_we && came_at == else_one_i};
    {r_fwd_q, c_fwd_q} <= {w, c_new};
  end
  assign r_hit = look_q ? r_look_q : r_else_q;
  assign c_hit = look_q ? c_look_q : c_else_q;
  assign r = r_hit ? r_fwd_q : r_ram;
  assign c = c_hit ? c_fwd_q : c_ram;
  assign age  = age_i - c.age;
  assign at   = 10'(AT) | 10'(one_q);
  assign held = (held_i[0] && held_at_i[9:0] == at) || (held_i[1] && held_at_i[19:10] == at);
  assign pend = r.turn != c.turn;
  assign key  = r.live && {r.srqn, r.slot} == ask_i.qpn && r.seq == ask_i.first;
  assign free = !pend && (!r.asked || age[5:1] != '0) && !(early_i && r.early) && !held;
  always_comb begin
    w = r;
    if (clear_i) begin
      w.live  = r.live && pend && !init_i;
      w.turn  = r.turn && !init_i;
      w.asked = r.asked && !init_i;
      w.early = r.early && pend && !init_i;
    end else if (!key) begin                 // read_i, if it is written at all
      w = {1'b1, !c.turn, !early_i, early_i, ask_i.qpn, ask_i.first};
    end else begin                           // join_i if it is on its way, use_i if not
      w.asked = pend;
      w.early = 1'b0;
      w.live  = pend || !c.failed;
    end
  end
  assign judged_o = {key && !pend, key && !pend && !c.failed, key && pend, !key, free, !c.turn, at, at};
endmodule
