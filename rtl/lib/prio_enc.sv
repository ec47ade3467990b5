// SPDX-License-Identifier: Apache-2.0
// Priority encoder: index and one-hot form of the lowest (or highest) set bit. Combinational.
// With no bit set valid_o is 0, onehot_o is 0 and idx_o is 0. Given a one-hot input it is a plain
// one-hot to binary converter.
module prio_enc #(
    parameter int unsigned N         = 8,
    parameter int unsigned MSB_FIRST = 0  // 1: the highest set bit wins
) (
    input  logic [N-1:0]                        in_i,
    output logic                                valid_o,
    output logic [(N > 1 ? $clog2(N) : 1)-1:0]  idx_o,
    output logic [N-1:0]                        onehot_o
);
  localparam int unsigned IDX_W = (N > 1) ? $clog2(N) : 1;

  if (N == 0) begin : g_chk_n
    $error("prio_enc: N must not be zero");
  end

  if (MSB_FIRST == 0) begin : g_low
    assign onehot_o = in_i & (~in_i + 1'b1);
  end else begin : g_high
    logic [N-1:0] rev;
    logic [N-1:0] rev_onehot;
    assign rev_onehot = rev & (~rev + 1'b1);
    for (genvar g = 0; g < N; g++) begin : g_rev
      assign rev[g]      = in_i[N-1-g];
      assign onehot_o[g] = rev_onehot[N-1-g];
    end
  end

  assign valid_o = |in_i;

  // One OR per index bit over the one-hot vector: shorter than a chain of comparisons.
  for (genvar b = 0; b < IDX_W; b++) begin : g_idx
    localparam int unsigned RUN = 1 << b;
    localparam logic [(1<<IDX_W)-1:0] MASK = {((1 << IDX_W) / (2 * RUN)){{RUN{1'b1}}, {RUN{1'b0}}}};
    assign idx_o[b] = |(onehot_o & MASK[N-1:0]);
  end
endmodule
