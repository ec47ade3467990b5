// SPDX-License-Identifier: Apache-2.0
// The credit code of an AETH. Combinational.
//
// The largest entry of the table 0 1 2 3 4 6 8 12 16 ... 32768 that is not above the receive WQEs posted and not taken
// (IBTA 9.7.7.2, table 45). A shared receive queue, whose WQEs belong to no QP, gives "not used".
// Errors: a producer index behind the record's, which is newer, counts as none.
module rsp_credit (
    input  logic [15:0] count_i,
    input  logic        srq_i,
    output logic [4:0]  code_o
);
  always_comb begin
    code_o = 5'(count_i[0]);
    for (int unsigned i = 1; i < 15; i++) begin
      if (count_i[i]) code_o = {4'(i), count_i[i-1]};
    end
    if (count_i[15]) code_o = (count_i[14:0] == '0) ? 5'd30 : '0;   // a full ring of 32768
    if (srq_i) code_o = 5'(cairn_pkt_pkg::AETH_NO_CREDIT);
  end
endmodule
