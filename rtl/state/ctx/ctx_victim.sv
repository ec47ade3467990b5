// SPDX-License-Identifier: Apache-2.0
// Which way of a set of ctx_cache a new key would get: a free one, else one that may go, the next from a random one on.
//
// Combinational from the set's state; one-hot, or none. Errors: none.
module ctx_victim #(
    parameter int unsigned WAYS = 8
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [WAYS-1:0] used_i,
    input  logic [WAYS-1:0] filling_i,
    input  logic [WAYS-1:0] pinned_i,
    input  logic [WAYS-1:0] fresh_i,
    input  logic            force_i,  // fresh ones may go
    input  logic [WAYS-1:0] keep_i,   // these may not
    output logic            valid_o,
    output logic [WAYS-1:0] way_o
);
  localparam int unsigned WW = $clog2(WAYS);

  logic [WAYS-1:0] from_q, free, may, behind, free_1, may_1, behind_1;
  logic [WW-1:0]   rand_way;
  logic            any_free, any_may, any_behind;
  prng #(.WIDTH(WW)) u_rand (.clk_i, .rst_ni, .en_i(1'b1), .rand_o(rand_way));
  always_ff @(posedge clk_i) from_q <= {WAYS{1'b1}} << rand_way;
  assign free   = ~used_i & ~keep_i;
  assign may    = ~pinned_i & ~filling_i & ~keep_i & (~fresh_i | {WAYS{force_i}});
  assign behind = may & from_q;
  prio_enc_onehot #(.N(WAYS)) u_free (.in_i(free), .valid_o(any_free), .idx_o(), .onehot_o(free_1));
  prio_enc_onehot #(.N(WAYS)) u_may (.in_i(may), .valid_o(any_may), .idx_o(), .onehot_o(may_1));
  prio_enc_onehot #(.N(WAYS)) u_behind (.in_i(behind), .valid_o(any_behind), .idx_o(), .onehot_o(behind_1));
  assign way_o   = any_free ? free_1 : any_behind ? behind_1 : may_1;
  assign valid_o = any_free || any_may;
endmodule
