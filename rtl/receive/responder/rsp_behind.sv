// SPDX-License-Identifier: Apache-2.0
// Does a packet of the QP follow the one that leaves rsp_join? For ACKs that may wait for it.
//
// more_o: one of its slot is between rsp_walk and here, and not too many in front of it have waited for others: of
//   LIMIT + 1 packets behind the first that wants an ACK, one has no more_o. So an ACK comes under endless load too.
// due_o: the packet is not passed on (parked, void), none follows it, and one in front of it waits: the ACK is due now.
// Order: packets leave in the order in which they were taken. Errors: none.
module rsp_behind #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned LIMIT = 7,           // 1, 3, 7 ..
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
  localparam int unsigned CW    = $clog2(LIMIT + 1);

  // The number of the packet that was taken last, by slot; wait: packets in a row that wait, by slot.
  logic [SEQ_W-1:0] last [0:SLOTS-1];
  logic [CW-1:0]    wait_n [0:SLOTS-1];
  logic [SEQ_W-1:0] in_q, out_q;
  logic [CW-1:0]    n_q;
  logic             follows_q, init_q;
  logic [AW-1:0]    init_slot_q;
  assign more_o  = follows_q && n_q != CW'(LIMIT);
  assign due_o   = !follows_q && n_q != '0;
  always_ff @(posedge clk_i) begin
    n_q       <= wait_n[slot_i];
    follows_q <= last[slot_i] != out_q;
  end
  always_ff @(posedge clk_i) if (took_i) last[took_slot_i] <= in_q;
  always_ff @(posedge clk_i) begin
    if (init_q) wait_n[init_slot_q] <= '0;
    else if (leave_i && pass_i) wait_n[slot_i] <= more_o ? n_q + CW'(wants_i || n_q != '0) : '0;
    else if (leave_i && due_o) wait_n[slot_i] <= '0;
  end
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
endmodule
