// SPDX-License-Identifier: Apache-2.0
// Atomics of each slot that are under way, for rsp_join: begun less over, as many as atomic_unit and the way to it have
// room for.
//
// busy_o: slot_i has some, as of the cycle before. One that is over is looked up, then counted; with the last one its
//   slot is woken. over_o: that was in the cycle before, so busy_o is of before it: no packet may be parked by it now.
// Cycles: 3 for one that is over. Reset: clears itself. Errors: none.
module rsp_atomics #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [AW-1:0]             slot_i,
    input  logic                      go_i,          // strobe: one of slot_i begins
    output logic                      busy_o,
    output logic                      over_o,
    input  cairn_int_pkg::slot_over_t done_i,
    output logic                      done_ready_o,
    output logic                      wake_valid_o,
    input  logic                      wake_ready_i,
    output logic [AW-1:0]             wake_slot_o,
    output logic                      idle_o         // none is being counted
);
  localparam int unsigned ATW = 7;
  logic [ATW-1:0] up   [0:SLOTS-1];
  logic [ATW-1:0] down [0:SLOTS-1];
  logic [AW-1:0]  init_slot_q, done_slot_q;
  logic           init_q, look_q, act_q, last_q, ends;
  assign done_ready_o = !init_q && !look_q && !act_q;
  assign wake_valid_o = act_q && last_q;
  assign wake_slot_o  = done_slot_q;
  assign ends         = act_q && (!last_q || wake_ready_i);
  assign idle_o       = !look_q && !act_q;
  always_ff @(posedge clk_i) begin
    if (init_q) up[init_slot_q] <= '0;
    else if (go_i) up[slot_i] <= up[slot_i] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (init_q) down[init_slot_q] <= '0;
    else if (ends) down[done_slot_q] <= down[done_slot_q] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    busy_o <= up[slot_i] != down[slot_i];
    last_q <= up[done_slot_q] == down[done_slot_q] + ATW'(1);
    if (done_ready_o) done_slot_q <= done_i.slot[AW-1:0];
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      look_q      <= 1'b0;
      act_q       <= 1'b0;
      over_o      <= 1'b0;
    end else begin
      look_q <= done_i.valid && done_ready_o;
      act_q  <= look_q || (act_q && !ends);
      over_o <= ends;
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
    end
  end
endmodule
