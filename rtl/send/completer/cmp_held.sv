// SPDX-License-Identifier: Apache-2.0
// QPs whose next send completion would go to a crowded CQ (cqe_write): their visit has ended there.
//
// They are kicked again, one in PAUSE cycles, in the order in which they came; the next at once when a CQ is crowded no
// more, whichever it is. So no wake-up can be lost, and visits in vain are few however many wait. Each QPN has a place.
// A fence does not wait for these. Errors: none.
module cmp_held #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned PAUSE    = 64
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [23:0] in_qpn_i,
    input  logic        room_i,
    output logic        kick_valid_o,
    input  logic        kick_ready_i,
    output logic [23:0] kick_qpn_o
);
  localparam int unsigned PW = $clog2(PAUSE);
  logic                valid, pop;
  logic [QPS_LOG2-1:0] qpn;
  logic [PW-1:0]       pause_q;
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_wait (
      .clk_i, .rst_ni, .kick_valid_i(in_valid_i), .kick_ready_o(in_ready_o), .kick_id_i(in_qpn_i[QPS_LOG2-1:0]),
      .out_valid_o(valid), .out_ready_i(pop), .out_id_o(qpn), .idle_o());
  // Once up it stays.
  assign kick_valid_o = valid && pause_q == '0;
  assign kick_qpn_o   = 24'(qpn);
  assign pop          = kick_valid_o && kick_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pause_q <= '0;
    else if (room_i) pause_q <= '0;
    else if (pop) pause_q <= PW'(PAUSE - 1);
    else if (pause_q != '0) pause_q <= pause_q - 1'b1;
  end
  logic unused;
  assign unused = ^in_qpn_i;
endmodule
