// SPDX-License-Identifier: Apache-2.0
// The record of a shared receive queue as firmware reads it, of what srq_state keeps. Combinational. Errors: none.
module srq_answer (
    input  logic [23:0]                srqn_i,
    input  cairn_int_pkg::srq_setup_t  setup_i,
    input  cairn_int_pkg::srq_counts_t counts_i,
    input  logic                       failed_i,
    output logic [511:0]               rec_o
);
  cairn_hw_pkg::srq_ctx_t     rec;
  cairn_int_pkg::srq_setup_t  f;
  cairn_int_pkg::srq_counts_t s;
  logic                       unused;
  assign f      = setup_i;
  assign s      = counts_i;
  assign rec_o  = rec;
  assign unused = ^{s.base, s.takes, s.owed};
  always_comb begin
    rec                   = '0;
    rec.tag_srqn          = srqn_i;
    rec.tag_gen           = f.gen;
    rec.flags_valid       = f.valid;
    rec.flags_err         = failed_i;
    rec.flags_limit_armed = s.armed;
    rec.flags_log2        = f.log2;
    rec.flags_stride      = f.stride;
    rec.flags_db_page     = f.page;
    rec.slots             = f.slots;
    rec.ring              = f.ring;
    rec.index_pop         = s.pop;
    rec.index_limit       = s.limit;
    rec.pd                = {8'h0, f.pd};
  end
endmodule
