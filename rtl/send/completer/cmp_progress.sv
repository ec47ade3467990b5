// SPDX-License-Identifier: Apache-2.0
// What placed READ data does to the second half of the qp_cmp part, for cmp_retire. Combinational; if the part is
// shared, in registers: a cycle later.
//
// Data comes in the order of PSNs, so one position (RD_AHEAD, from OLD_PSN on) says what is there, also of WQEs that
// the walker has not come to. Of the READ or atomic that it has (RD_VALID) bytes and requests are counted as they come;
// of others when it does.
// The walker looks when a READ is whole, when it has not been at this one, or when acknowledgements are beyond its end:
//   the rest may be lost, and nothing else may come that has it look. The scheduler when a request is over.
// Errors: none.
module cmp_progress #(
    parameter bit SHARED = 1'b0                     // past_i is there, and there are registers
) (
    input  logic                          clk_i,
    input  logic [511:0]                  cmp_i,   // qp_cmp_t
    input  cairn_int_pkg::read_progress_t prog_i,
    input  logic                          past_i,  // acknowledgements are beyond the end of it
    output logic [255:0]                  half_o,
    output logic                          walk_o,  // kicks
    output logic                          sched_o
);
  cairn_hw_pkg::qp_cmp_t c, p;
  logic [511:0] bits;
  logic         mine;             // of the READ or atomic at OLD_INDEX
  logic [23:0]  d_end;
  logic         past, walks, scheds;
  assign c      = cmp_i;
  assign d_end  = prog_i.next_psn - c.old_end;
  assign mine   = c.rflags_rd_valid && (d_end[23] || prog_i.next_psn == c.old_end);
  if (SHARED) begin : g_told
    assign past = past_i;
    always_ff @(posedge clk_i) {half_o, walk_o, sched_o} <= {bits[511:256], walks, scheds};
  end else begin : g_own
    logic [23:0] d_from, d_past;
    logic        unused;
    assign d_from = c.una_una_psn - c.old_psn;
    assign d_past = c.una_una_psn - c.old_end;
    assign past   = !(&d_from[23:16]) && !d_past[23];
    assign unused = ^{past_i, clk_i};
    assign {half_o, walk_o, sched_o} = {bits[511:256], walks, scheds};
  end
  always_comb begin
    p          = c;
    p.rd_ahead = prog_i.next_psn - c.old_psn;
    if (mine) begin
      p.rd_placed = (c.rd_len == '0) ? 32'h1 : c.rd_placed + 32'(prog_i.len);
      if (prog_i.chunk) p.rflags_rd_done = c.rflags_rd_done + 8'h1;
      if (prog_i.whole) p.rflags_rd_full = 1'b1;
    end
  end
  assign bits    = p;
  assign walks   = !mine || prog_i.whole || past;
  assign scheds  = mine && prog_i.chunk;
endmodule
