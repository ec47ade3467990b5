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
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  cairn_int_pkg::kick_t in_i,
    output logic                 in_ready_o,
    input  logic                 room_i,
    output cairn_int_pkg::kick_t kick_o,
    input  logic                 kick_ready_i
);
  localparam int unsigned PW = $clog2(PAUSE);
  logic                valid, pop, may_q;    // the pause is over
  logic [QPS_LOG2-1:0] qpn;
  logic [PW-1:0]       pause_q;
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_wait (
      .clk_i, .rst_ni, .kick_valid_i(in_i.valid), .kick_ready_o(in_ready_o), .kick_id_i(in_i.qpn[QPS_LOG2-1:0]),
      .out_valid_o(valid), .out_ready_i(pop), .out_id_o(qpn), .idle_o());
  // Once up it stays.
  assign kick_o.valid = valid && may_q;
  assign kick_o.qpn   = 24'(qpn);
  assign pop          = kick_o.valid && kick_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || room_i) begin
      pause_q <= '0;
      may_q   <= 1'b1;
    end else if (pop) begin
      pause_q <= PW'(PAUSE - 1);
      may_q   <= 1'b0;
    end else if (!may_q) begin
      pause_q <= pause_q - 1'b1;
      may_q   <= pause_q == PW'(1);
    end
  end
endmodule
