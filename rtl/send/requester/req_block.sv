// SPDX-License-Identifier: Apache-2.0
// The first block of the WQE in hand, as it comes from wqe_fetch: whole, or in parts (wqe_look).
//
// look_i: req_build looks a block up, part_o of it; of its parts one after another, each in a cycle of its own in which
// it is taken (take_i), up to last_o. first_i: it is a first block. What came in a cycle is told by came_o, came_last_o
// and first_o. hit_o, err_o: of a first block, what was said of all its parts, with the last of them. got_o: the block
// with that one; it is kept (wqe_o) from load_i on, or, in parts, as they come.
// Errors: none; a block of which a part is gone is not here.
module req_block #(
    parameter int unsigned WORD = 512,
    localparam int unsigned PARTS = 512 / WORD
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      look_i,
    input  logic                      take_i,    // with look_i
    input  logic                      first_i,
    input  logic                      load_i,
    input  cairn_int_pkg::wqe_found_t found_i,
    output logic [1:0]                part_o,
    output logic                      last_o,
    output logic [1:0]                came_o,
    output logic                      came_last_o,
    output logic                      first_o,
    output logic                      hit_o,
    output logic                      err_o,
    output cairn_hw_pkg::wqe_t        got_o,
    output cairn_hw_pkg::wqe_t        wqe_o
);
  localparam logic [1:0] LAST = 2'(PARTS - 1);
  logic [511:0] bits, wqe_q;
  assign bits  = found_i.wqe;
  assign wqe_o = wqe_q;
  if (PARTS == 1) begin : g_whole
    logic unused;
    assign unused = ^{rst_ni, look_i, take_i, first_i};
    assign {part_o, last_o, came_o, came_last_o, first_o} = {2'd0, 1'b1, 2'd0, 1'b1, 1'b0};
    assign {hit_o, err_o} = {found_i.hit, found_i.err};
    assign got_o = found_i.wqe;
    always_ff @(posedge clk_i) if (load_i) wqe_q <= bits;
  end else begin : g_parts
    logic [1:0] part_q, came_q;
    logic       first_q, missed_q, bad_q, more, unused;
    assign unused      = load_i;
    assign more        = first_q && came_q != LAST;
    assign part_o      = part_q;
    assign last_o      = part_q == LAST;
    assign came_o      = came_q;
    assign came_last_o = came_q == LAST;
    assign first_o     = first_q;
    assign hit_o       = found_i.hit && !missed_q;
    assign err_o       = found_i.err || bad_q;
    assign got_o       = {bits[511 -: WORD], wqe_q[511-WORD:0]};
    always_ff @(posedge clk_i) begin
      part_q   <= (!rst_ni || !look_i || (take_i && last_o)) ? '0 : part_q + {1'b0, take_i};
      came_q   <= part_q;
      first_q  <= rst_ni && take_i && first_i;
      if (!rst_ni) {missed_q, bad_q} <= 2'b00;
      else if (first_q) {missed_q, bad_q} <= {2{more}} & {missed_q || !found_i.hit, bad_q || found_i.err};
    end
    for (genvar i = 0; i < PARTS; i++) begin : g_part
      always_ff @(posedge clk_i) if (first_q && came_q == 2'(i)) wqe_q[WORD*i +: WORD] <= bits[WORD*i +: WORD];
    end
  end
endmodule
