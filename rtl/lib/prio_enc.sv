// SPDX-License-Identifier: Apache-2.0
// Index of the lowest set bit. Combinational. With no bit set valid_o and idx_o are 0; given a one-hot input it is a
// plain one-hot to binary converter.
module prio_enc #(
    parameter int unsigned N = 8
) (
    input  logic [N-1:0]                        in_i,
    output logic                                valid_o,
    output logic [(N > 1 ? $clog2(N) : 1)-1:0]  idx_o
);
  prio_enc_onehot #(.N(N)) u_enc (.in_i, .valid_o, .idx_o, .onehot_o());
endmodule
