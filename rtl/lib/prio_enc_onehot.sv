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

  // Groups of four bits, and the same for the groups: which of them have a bit, which have one below them. No carry:
  // it would go through all N bits, and the index through all of them again.
  localparam int unsigned G = (N + 3) / 4;
  logic [4*G-1:0] bits, hot;
  logic [G-1:0]   any, below, chosen;
  assign bits = (4*G)'(in_i);
  for (genvar g = 0; g < G; g++) begin : g_group
    assign any[g] = |bits[4*g +: 4];
    for (genvar i = 0; i < 4; i++) begin : g_bit
      assign hot[4*g+i] = bits[4*g+i] && (bits[4*g +: 4] & ((4'd1 << i) - 4'd1)) == '0 && !below[g];
    end
  end
  always_comb begin
    below = any << 1;
    for (int unsigned s = 1; s < G; s = s * 2) below = below | (below << s);
  end
  assign chosen   = any & ~below;
  assign onehot_o = hot[N-1:0];
  assign valid_o  = |any;

  for (genvar b = 0; b < IDX_W; b++) begin : g_idx
    if (b < 2) begin : g_in_group        // of the lowest bit of each group
      logic [G-1:0] idx;
      for (genvar g = 0; g < G; g++) begin : g_lowest
        assign idx[g] = !bits[4*g] && (b == 0 ? bits[4*g+1] || !bits[4*g+2] : !bits[4*g+1]);
      end
      assign idx_o[b] = |(chosen & idx);
    end else begin : g_of_group
      localparam int unsigned RUN = 1 << (b - 2);
      localparam logic [(1<<IDX_W)/4-1:0] MASK = {((1 << IDX_W) / (8 * RUN)){{RUN{1'b1}}, {RUN{1'b0}}}};
      assign idx_o[b] = |(chosen & MASK[G-1:0]);
    end
  end
endmodule
