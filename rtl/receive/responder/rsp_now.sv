// SPDX-License-Identifier: Apache-2.0
// The receive in use or next of each slot of UC and UD, for rsp_join, and whether what is left of a message is dropped.
//
// Packets wait for rsp_join in a queue of DEPTH: in_i, one enters it; leave_i, its first one, of slot_i, leaves. put_i:
//   with that, what its slot has from now on. FAST: shown_i, the first one shows: two cycles after it came at the
//   earliest, and in the cycle after another has left if it had come before that.
// here_o: of the first packet's slot, in the first cycle in which it shows, and only then. FAST: read in the cycle
//   before, so from block RAM.
// now_o: of now_slot_i; FAST: as it was a cycle ago, with what was put then.
// Errors: none.
module rsp_now #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned DEPTH = 16,          // power of two
    parameter bit          FAST  = 1'b1,
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned PW   = $clog2(DEPTH)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          in_i,
    input  logic [AW-1:0] in_slot_i,
    input  logic          shown_i,
    input  logic          leave_i,
    input  logic [AW-1:0] slot_i,
    input  logic          put_i,
    input  logic [16:0]   put_data_i,           // {dropped, index}
    output logic [16:0]   here_o,
    input  logic [AW-1:0] now_slot_i,
    output logic [15:0]   now_o
);
  if (FAST) begin : g_ram
    // The slots of those in the queue: what comes behind the first is read, in case that leaves.
    logic [AW-1:0] slots [0:DEPTH-1];
    logic [PW-1:0] wr_q, first_q, at;
    logic [16:0]   now;
    assign at = first_q + PW'(shown_i);
    always_ff @(posedge clk_i) if (in_i) slots[wr_q] <= in_slot_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {wr_q, first_q} <= '0;
      end else begin
        if (in_i) wr_q <= wr_q + 1'b1;
        if (leave_i) first_q <= first_q + 1'b1;
      end
    end
    ram_2r1w #(.WIDTH(17), .DEPTH(SLOTS), .BYPASS(1)) u_now (
        .clk_i, .we_i(put_i), .waddr_i(slot_i), .wdata_i(put_data_i), .re0_i(1'b1), .raddr0_i(slots[at]),
        .rdata0_o(here_o), .re1_i(1'b1), .raddr1_i(now_slot_i), .rdata1_o(now));
    assign now_o = now[15:0];
    logic unused;
    assign unused = now[16];
  end else begin : g_luts
    logic [16:0] kept [0:SLOTS-1];
    assign here_o = kept[slot_i];
    assign now_o  = kept[now_slot_i][15:0];
    always_ff @(posedge clk_i) if (put_i) kept[slot_i] <= put_data_i;
    logic unused;
    assign unused = ^{rst_ni, in_i, in_slot_i, shown_i, leave_i};
  end
endmodule
