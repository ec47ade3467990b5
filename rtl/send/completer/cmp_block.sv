// SPDX-License-Identifier: Apache-2.0
// The block of a WQE in which cmp_check stands, and the element in it; where look-ups bring parts of blocks (wqe_look),
// no more than the element.
//
// one_i: a descriptor may have the only element; given_i: that is what is wanted. load_i: found_i has what is wanted.
// Of which it is, is kept (tag_i, at_i), so that packets that go on there need no look (have_o).
// Cycles: what is loaded stands in the next cycle. Errors: none.
module cmp_block #(
    parameter int unsigned PARTS = 1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      one_i,
    input  logic [127:0]              sge_i,
    input  logic                      given_i,
    input  logic                      load_i,
    input  cairn_int_pkg::wqe_found_t found_i,
    input  logic [47:0]               tag_i,      // QPN, generation, index of the block
    input  logic [1:0]                at_i,       // element in it
    output logic                      have_o,
    output logic [127:0]              element_o
);
  logic         have_q;
  logic [47:0]  tag_q;
  logic [511:0] bits;
  assign bits = found_i.wqe;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) have_q <= 1'b0;
    else if (given_i || load_i) have_q <= given_i || found_i.hit;
    if (given_i || load_i) tag_q <= tag_i;
  end
  logic [127:0] sge_q;
  always_ff @(posedge clk_i) if (one_i) sge_q <= sge_i;
  if (PARTS == 1) begin : g_whole
    logic [511:0] blk_q;
    assign have_o    = have_q && tag_q == tag_i;
    assign element_o = blk_q[128*at_i +: 128];
    always_ff @(posedge clk_i) begin
      // That of a READ stands in the third place, of an atomic in the last.
      if (given_i || load_i) blk_q <= given_i ? {2{sge_q, sge_q}} : bits;
    end
  end else begin : g_part
    logic [1:0]   at_q, at;
    logic [127:0] el_q;
    // A part stands in the place of each.
    assign at        = at_i & 2'(4 / PARTS - 1);
    assign have_o    = have_q && tag_q == tag_i && at_q == at_i;
    assign element_o = el_q;
    always_ff @(posedge clk_i) begin
      if (given_i || load_i) at_q <= at_i;
      if (given_i || load_i) el_q <= given_i ? sge_q : bits[128*at +: 128];
    end
  end
endmodule
