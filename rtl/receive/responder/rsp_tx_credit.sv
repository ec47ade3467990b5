// SPDX-License-Identifier: Apache-2.0
// The visit's look at the receive queue, for rsp_tx: the producer index, and the credit code that an AETH carries.
//
// The code is the largest entry of the table 0 1 2 3 4 6 8 12 16 ... 32768 that is not above the receive WQEs posted
// and not taken (IBTA 9.7.7.2, table 45). It goes with the MSN of the same record: SSN up to MSN + credits have a
// receive WQE. A count that grows later is told by the next answer; until then the peer may send one more. A shared
// receive queue, whose WQEs belong to no QP, gives "not used".
// Order: the index is read while rsp_check does not; the answer comes one cycle later, and ok_o says that it is there.
// Errors: an index behind the record's, which is newer, counts as none.
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
  always_comb begin
    code_o = 5'(count[0]);
    for (int unsigned i = 1; i < 15; i++) begin
      if (count[i]) code_o = {4'(i), count[i-1]};
    end
    if (count[15]) code_o = (count[14:0] == '0) ? 5'd30 : '0;   // a full ring of 32768
    if (srq_i) code_o = 5'(cairn_pkt_pkg::AETH_NO_CREDIT);
  end
endmodule
