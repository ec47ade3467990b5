// SPDX-License-Identifier: Apache-2.0
// Which doorbells of send queues are not kicks at once, but sq_early's: that reads their WQEs before a visit.
//
// Those of four blocks or more, and those of a queue of which all was retired, at the doorbell before too: that program
// posts one at a time, so waiting would not gather more. Other work is read with what is posted until the visit.
// Order: each QP waits once, however often it is posted to; what it then has to send is read as its turn comes.
// Owns: how far each queue is retired (low bits: what is a multiple of 64 blocks behind looks retired, which costs a
//   kick that finds nothing read). Cycles: three from the doorbell to the output, one QP in two cycles.
// Reset: clears itself while init_i stands, one entry a cycle. Errors: none.
module doorbell_posted #(
    parameter int unsigned QPS_LOG2 = 12
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       init_i,
    input  logic [QPS_LOG2-1:0]        qpn0_i,     // of the doorbell that is looked up
    input  cairn_int_pkg::sq_rung_t    rung_i,     // what became of it, a cycle later
    input  logic                       write_i,    // its producer index changes, by firmware too, or init_i
    input  logic [QPS_LOG2-1:0]        write_qpn_i,
    input  logic [15:0]                write_pi_i,
    input  cairn_int_pkg::sq_retired_t retired_i,
    output logic                       posted_o,   // that one is no kick
    output cairn_int_pkg::sq_posted_t  out_o,
    input  logic                       out_ready_i,
    output logic                       idle_o
);
  logic [QPS_LOG2-1:0] oldest_at, next_qpn, qpn_q;
  logic [5:0]          oldest_new, oldest, from;
  logic                oldest_we, rests, rested;
  assign oldest_we  = init_i || retired_i.valid;
  assign oldest_at  = init_i ? write_qpn_i : retired_i.qpn[QPS_LOG2-1:0];
  assign oldest_new = init_i ? '0 : retired_i.index;
  ram_1r1w #(.WIDTH(6), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_oldest (
      .clk_i, .we_i(oldest_we), .waddr_i(oldest_at), .wdata_i(oldest_new), .re_i(1'b1), .raddr_i(qpn0_i),
      .rdata_o(oldest));
  ram_1r1w #(.WIDTH(1), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_rested (
      .clk_i, .we_i(init_i || rung_i.valid), .waddr_i(write_qpn_i), .wdata_i(init_i || rests), .re_i(1'b1),
      .raddr_i(qpn0_i), .rdata_o(rested));
  assign rests    = rung_i.index == oldest;
  assign posted_o = rung_i.valid && !rung_i.block && (rung_i.many || (rests && rested));

  // ---- those that wait; what the oldest one has to send ----
  logic        next_valid, next_ready, queue_idle, read_q, out_q;
  logic [15:0] pi, from_q, upto_q;
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_queue (
      .clk_i, .rst_ni, .kick_valid_i(posted_o), .kick_ready_o(), .kick_id_i(rung_i.qpn[QPS_LOG2-1:0]),
      .out_valid_o(next_valid), .out_ready_i(next_ready), .out_id_o(next_qpn), .idle_o(queue_idle));
  ram_1r1w #(.WIDTH(16), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_pi (
      .clk_i, .we_i(write_i), .waddr_i(write_qpn_i), .wdata_i(write_pi_i), .re_i(next_ready), .raddr_i(next_qpn),
      .rdata_o(pi));
  ram_1r1w #(.WIDTH(6), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_from (
      .clk_i, .we_i(oldest_we), .waddr_i(oldest_at), .wdata_i(oldest_new), .re_i(next_ready), .raddr_i(next_qpn),
      .rdata_o(from));
  assign next_ready = next_valid && !read_q && (!out_q || out_ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {read_q, out_q} <= 2'b00;
    else {read_q, out_q} <= {next_ready, read_q || (out_q && !out_ready_i)};
    if (next_ready) qpn_q <= next_qpn;
    if (read_q) {from_q, upto_q} <= {pi - 16'(6'(pi[5:0] - from)), pi};
  end
  assign out_o  = {out_q, 24'(qpn_q), from_q, upto_q};
  assign idle_o      = queue_idle && !read_q && !out_q;

  logic unused;
  assign unused = ^{rung_i.qpn, retired_i.qpn};
endmodule
