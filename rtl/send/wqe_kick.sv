// SPDX-License-Identifier: Apache-2.0
// Kicks of wqe_fetch for one of its ports. Each is promised first and given later; a promise has a place in the queue.
//
// Owns: how many are promised and not taken yet. Order: as they are given.
// Cycles: a kick can be taken in the cycle after it was given; LATE: one later. room_o is late by a cycle, LATE: by
//   two: one more may be promised when it goes low, LATE: two. Reset: none is promised, no room in the first cycle.
// Errors: none.
module wqe_kick #(
    parameter int unsigned DEPTH = 64,  // 4 and more
    parameter int unsigned QPS_LOG2 = 24,   // of a QPN: those above it are not told
    parameter bit          LATE  = 1'b0     // what is promised and given comes late: into a register first
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 promise_i,  // strobe
    output logic                 room_o,     // for another promise
    input  logic                 give_i,     // strobe, in the cycle of the promise or later
    input  logic [23:0]          qpn_i,
    output cairn_int_pkg::kick_t kick_o,
    input  logic                 kick_ready_i,
    output logic                 idle_o      // none is promised
);
  localparam int unsigned LVL_W = $clog2(DEPTH + 1);
  logic [LVL_W-1:0] owed_q;
  logic             ready_unused, taken, give, promise;
  logic [QPS_LOG2-1:0] qpn, give_qpn;
  assign taken  = kick_o.valid && kick_ready_i;
  assign idle_o = owed_q == '0 && !promise;
  sync_fifo #(.WIDTH(QPS_LOG2), .DEPTH(DEPTH)) u_k (
      .clk_i, .rst_ni, .in_valid_i(give), .in_ready_o(ready_unused), .in_data_i(give_qpn),
      .out_valid_o(kick_o.valid), .out_ready_i(kick_ready_i), .out_data_o(qpn));
  assign kick_o.qpn = 24'(qpn);
  if (LATE) begin : g_late
    always_ff @(posedge clk_i) begin
      {promise, give} <= {2{rst_ni}} & {promise_i, give_i};
      give_qpn        <= qpn_i[QPS_LOG2-1:0];
    end
  end else begin : g_now
    assign {promise, give, give_qpn} = {promise_i, give_i, qpn_i[QPS_LOG2-1:0]};
  end
  logic unused;
  assign unused = ^qpn_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q <= '0;
      room_o <= 1'b0;
    end else begin
      if (promise != taken) owed_q <= owed_q + (promise ? LVL_W'(1) : '1);
      room_o <= owed_q < LVL_W'(DEPTH - (LATE ? 3 : 2));
    end
  end
endmodule
