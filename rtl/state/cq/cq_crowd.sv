// SPDX-License-Identifier: Apache-2.0
// Which CQs are crowded: full, and holding their share of the completions that wait in cqe_write. A bit for each CQN.
//
// Owns: the bits; written by cqe_write, read by the parts that would send it more (answer one cycle later).
// Reset: clears itself in 2^CQS_LOG2 cycles, before any CQ can be made. Errors: none.
module cq_crowd #(
    parameter int unsigned CQS_LOG2 = 12,
    parameter int unsigned READERS  = 2
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  cairn_int_pkg::cq_crowding_t set_i,
    input  logic [READERS*24-1:0]       q_cqn_i,
    output logic [READERS-1:0]          q_o
);
  logic                init_q;
  logic [CQS_LOG2-1:0] init_cqn_q, at;
  assign at = init_q ? init_cqn_q : set_i.cqn[CQS_LOG2-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_cqn_q <= '0;
    end else if (init_q) begin
      init_cqn_q <= init_cqn_q + 1'b1;
      init_q     <= !(&init_cqn_q);
    end
  end
  for (genvar g = 0; g < READERS; g++) begin : g_reader
    ram_1r1w #(.WIDTH(1), .DEPTH(1 << CQS_LOG2), .BYPASS(1)) u_bits (
        .clk_i, .we_i(init_q || set_i.valid), .waddr_i(at), .wdata_i(set_i.crowded && !init_q), .re_i(1'b1),
        .raddr_i(q_cqn_i[24*g +: CQS_LOG2]), .rdata_o(q_o[g]));
  end
endmodule
