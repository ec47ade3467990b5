// SPDX-License-Identifier: Apache-2.0
// The lowest set bit, alone (onehot_o) and by its index. Combinational. With no bit set valid_o, onehot_o and idx_o
// are 0.
module prio_enc_onehot #(
    parameter int unsigned N = 8
) (
    input  logic [N-1:0]                        in_i,
    output logic                                valid_o,
    output logic [(N > 1 ? $clog2(N) : 1)-1:0]  idx_o,
    output logic [N-1:0]                        onehot_o
);
  localparam int unsigned IDX_W = (N > 1) ? $clog2(N) : 1;

  if (N == 0) begin : g_chk_n
    $error("prio_enc_onehot: N must not be zero");
  end

  assign onehot_o = in_i & (~in_i + 1'b1);
  assign valid_o  = |in_i;

  // One OR per index bit over the one-hot vector: shorter than a chain of comparisons.
  for (genvar b = 0; b < IDX_W; b++) begin : g_idx
    localparam int unsigned RUN = 1 << b;
    localparam logic [(1<<IDX_W)-1:0] MASK = {((1 << IDX_W) / (2 * RUN)){{RUN{1'b1}}, {RUN{1'b0}}}};
    assign idx_o[b] = |(onehot_o & MASK[N-1:0]);
  end
endmodule
