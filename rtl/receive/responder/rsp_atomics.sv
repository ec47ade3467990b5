// SPDX-License-Identifier: Apache-2.0
// Atomics of each slot that are under way, for rsp_join: begun less over, as many as atomic_unit and the way to it have
// room for.
//
// busy_o: slot_i has some, as of the cycle before. One that is over is looked up, then counted; with the last one its
//   slot is woken. over_o: that was in the cycle before, so busy_o is of before it: no packet may be parked by it now.
// Owns: the counts, of SLOTS slots; each in copies, since LUT RAM with two readers of so many is a thousand LUTs.
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
  logic [AW-1:0]  init_slot_q, done_slot_q, slot_q, ended_slot_q, up_slot, down_slot;
  logic           init_q, look_q, act_q, go_q, ended_q, last, ends, up_we;
  logic [ATW-1:0] up, down, up_done, down_done, up_new, down_new, ended_new_q;
  assign done_ready_o = !init_q && !look_q && !act_q;
  assign wake_valid_o = act_q && last;
  assign wake_slot_o  = done_slot_q;
  assign ends         = act_q && (!last || wake_ready_i);
  assign idle_o       = !look_q && !act_q;

  // Counts in block RAM, a copy for each reader: of slot_i, of the one that is over. One that begins is counted a cycle
  // later, and so is one that is over for slot_i: both see each other's as if they were registers.
  assign up_we     = init_q || go_q;
  assign up_slot   = init_q ? init_slot_q : slot_q;
  assign up_new    = init_q ? '0 : up + 1'b1;
  assign down_slot = init_q ? init_slot_q : done_slot_q;
  assign down_new  = init_q ? '0 : down_done + 1'b1;
  ram_1r1w #(.WIDTH(ATW), .DEPTH(SLOTS), .BYPASS(1)) u_up (
      .clk_i, .we_i(up_we), .waddr_i(up_slot), .wdata_i(up_new), .re_i(1'b1), .raddr_i(slot_i), .rdata_o(up));
  ram_1r1w #(.WIDTH(ATW), .DEPTH(SLOTS), .BYPASS(1)) u_up_done (
      .clk_i, .we_i(up_we), .waddr_i(up_slot), .wdata_i(up_new), .re_i(1'b1), .raddr_i(done_slot_q),
      .rdata_o(up_done));
  ram_1r1w #(.WIDTH(ATW), .DEPTH(SLOTS), .BYPASS(1)) u_down (
      .clk_i, .we_i(init_q || ended_q), .waddr_i(init_q ? init_slot_q : ended_slot_q),
      .wdata_i(init_q ? '0 : ended_new_q), .re_i(1'b1), .raddr_i(slot_i), .rdata_o(down));
  ram_1r1w #(.WIDTH(ATW), .DEPTH(SLOTS), .BYPASS(1)) u_down_done (
      .clk_i, .we_i(init_q || ends), .waddr_i(down_slot), .wdata_i(down_new), .re_i(1'b1), .raddr_i(done_slot_q),
      .rdata_o(down_done));
  assign busy_o = up != down;
  assign last   = up_done == down_done + ATW'(1);
  always_ff @(posedge clk_i) begin
    slot_q       <= slot_i;
    ended_slot_q <= done_slot_q;
    ended_new_q  <= down_done + 1'b1;
    if (done_ready_o) done_slot_q <= done_i.slot[AW-1:0];
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      look_q      <= 1'b0;
      act_q       <= 1'b0;
      go_q        <= 1'b0;
      ended_q     <= 1'b0;
      over_o      <= 1'b0;
    end else begin
      look_q  <= done_i.valid && done_ready_o;
      act_q   <= look_q || (act_q && !ends);
      go_q    <= go_i && !init_q;
      ended_q <= ends;
      over_o  <= ends;
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
    end
  end
endmodule
