// SPDX-License-Identifier: Apache-2.0
// The visit's look at the receive queue, for rsp_tx: the producer index, and the credit code that an AETH carries.
//
// The code (rsp_credit) goes with the MSN of the same record: SSN up to MSN + credits have a receive WQE. A count that
// grows later is told by the next answer; until then the peer may send one more.
// Order: the index is read while rsp_check does not; the answer comes one cycle later, and ok_o says that it is there.
// Errors: see rsp_credit.
module rsp_tx_credit (
    input  logic        clk_i,
    input  logic        start_i,      // the QPN holds from the next cycle on
    input  logic        hold_i,       // the record has been read
    input  logic        rq_busy_i,
    input  logic [15:0] rq_rd_pi_i,
    input  logic        srq_i,
    input  logic [15:0] rq_index_i,   // next to take
    output logic        ok_o,
    output logic [15:0] pi_o,
    output logic [4:0]  code_o
);
  logic        asked_q;
  logic [15:0] count;
  always_ff @(posedge clk_i) begin
    asked_q <= !start_i && !rq_busy_i;
    if (start_i) ok_o <= 1'b0;
    else if (asked_q) ok_o <= 1'b1;
    if (asked_q && !hold_i) pi_o <= rq_rd_pi_i;
  end
  assign count = pi_o - rq_index_i;
  rsp_credit u_code (.count_i(count), .srq_i, .code_o);
endmodule
