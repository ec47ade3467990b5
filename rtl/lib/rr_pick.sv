// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: of the requests the first one above that of last_i (one-hot; zero: from the lowest), round and
// round. Combinational: who uses it keeps last_i in a register, so that a request is two or three LUTs from the choice.
// Errors: none.
module rr_pick #(
    parameter int unsigned N = 4
) (
    input  logic [N-1:0]                       req_i,
    input  logic [N-1:0]                       last_i,
    output logic [N-1:0]                       gnt_o,      // one-hot, or zero without a request
    output logic [(N > 1 ? $clog2(N) : 1)-1:0] gnt_idx_o
);
  logic [N-1:0] behind, above;     // places above the last one; requests there
  assign above = req_i & behind;
  for (genvar i = 0; i < N; i++) begin : g_pick
    localparam logic [N-1:0] LOWER = (N'(1) << i) - N'(1);
    assign behind[i] = (last_i & LOWER) != '0;
    assign gnt_o[i]  = req_i[i] && ((above == '0) ? (req_i & LOWER) == '0 : behind[i] && (above & LOWER) == '0);
  end
  always_comb begin
    gnt_idx_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt_o[i]) gnt_idx_o = gnt_idx_o | (N > 1 ? $clog2(N) : 1)'(i);
    end
  end
endmodule
