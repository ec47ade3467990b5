// SPDX-License-Identifier: Apache-2.0
// Does a packet of the QP follow the one that leaves rsp_join? For ACKs that may wait for it.
//
// more_o: one of its slot is between rsp_walk and here, and not too many in front of it have waited for others: of
//   LIMIT + 1 packets behind the first that wants an ACK, one has no more_o. So an ACK comes under endless load too.
// due_o: the packet is not passed on (parked, void), none follows it, and one in front of it waits: the ACK is due now.
// MOST: packets on their way. Of few the slots are kept, and beside the next one of a slot the count of that; there is
//   none when there is no such packet. Else both are kept by slot.
// Order: packets leave in the order in which they were taken. Errors: none.
module rsp_behind #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned LIMIT = 7,           // 1, 3, 7 ..
    parameter int unsigned MOST  = 32,          // 4, or up to 63
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          took_i,               // strobe: rsp_walk has taken one
    input  logic [AW-1:0] took_slot_i,
    input  logic [AW-1:0] slot_i,               // of the one that leaves next, a cycle before more_o and due_o count
    input  logic          wants_i,              // it wants an ACK
    input  logic          leave_i,
    input  logic          pass_i,               // with leave: to rsp_commit
    output logic          more_o,
    output logic          due_o
);
  localparam int unsigned SEQ_W = 6;            // more than there are on the way
  localparam int unsigned FEW   = 4;
  localparam int unsigned CW    = $clog2(LIMIT + 1);

  logic [CW-1:0] n, n_now;        // packets in a row that wait: before this one leaves, and then
  logic          follows;
  assign more_o = follows && n != CW'(LIMIT);
  assign due_o  = !follows && n != '0;
  assign n_now  = !pass_i ? (due_o ? '0 : n) : more_o ? n + CW'(wants_i || n != '0) : '0;
  if (MOST <= FEW) begin : g_few
    logic [2:0]        level_q, end_now;
    logic              follows_q;
    logic [AW*FEW-1:0] slots;
    logic [CW*FEW-1:0] counts;
    logic [FEW-1:0]    same, next;
    assign n       = counts[CW-1:0];
    assign follows = follows_q;
    assign end_now = level_q - 3'(leave_i);
    assign same[0] = 1'b0;
    assign next    = same & (~same + 1'b1);
    for (genvar g = 0; g < FEW; g++) begin : g_packet
      logic [AW-1:0] slot_q;
      logic [CW-1:0] n_q;
      assign slots[AW*g +: AW]  = slot_q;
      assign counts[CW*g +: CW] = n_q;
      if (g > 0) begin : g_same
        assign same[g] = 3'(g) < level_q && slot_q == slots[AW-1:0];
      end
      // it is the first free one, with what leaves
      logic ends;
      assign ends = leave_i ? level_q == 3'(g + 1) : level_q == 3'(g);
      if (g < FEW - 1) begin : g_moves
        always_ff @(posedge clk_i) begin
          if (took_i && ends) {slot_q, n_q} <= {took_slot_i, CW'(0)};
          else if (leave_i) {slot_q, n_q} <= {slots[AW*(g+1) +: AW], next[g+1] ? n_now : counts[CW*(g+1) +: CW]};
        end
      end else begin : g_last
        always_ff @(posedge clk_i) if (took_i && ends) {slot_q, n_q} <= {took_slot_i, CW'(0)};
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) level_q <= '0;
      else level_q <= end_now + 3'(took_i);
      follows_q <= same != '0;
    end
    logic unused;
    assign unused = ^slot_i;
`ifdef VERILATOR
    always_ff @(posedge clk_i) if (rst_ni) assert (!took_i || end_now != 3'(FEW));
`endif
  end else begin : g_by_slot
    // The number of the packet that was taken last, by slot.
    // The same one leaves next in the cycle of the look and in the one behind it, in which out_q is its number.
    logic [SEQ_W-1:0] last, in_q, out_q;
    logic             init_q;
    logic [AW-1:0]    init_slot_q;
    assign follows = last != out_q;
    ram_1r1w #(.WIDTH(SEQ_W), .DEPTH(SLOTS), .BYPASS(0)) u_last (
        .clk_i, .we_i(took_i), .waddr_i(took_slot_i), .wdata_i(in_q), .re_i(1'b1), .raddr_i(slot_i), .rdata_o(last));
    ram_1r1w #(.WIDTH(CW), .DEPTH(SLOTS), .BYPASS(2)) u_wait_n (
        .clk_i, .we_i(init_q || leave_i), .waddr_i(init_q ? init_slot_q : slot_i), .wdata_i(init_q ? CW'(0) : n_now),
        .re_i(1'b1), .raddr_i(slot_i), .rdata_o(n));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        in_q        <= '0;
        out_q       <= '0;
        init_q      <= 1'b1;
        init_slot_q <= '0;
      end else begin
        if (took_i) in_q <= in_q + 1'b1;
        if (leave_i) out_q <= out_q + 1'b1;
        if (init_q) init_slot_q <= init_slot_q + 1'b1;
        if (init_slot_q == AW'(SLOTS - 1)) init_q <= 1'b0;
      end
    end
  end
endmodule
