// SPDX-License-Identifier: Apache-2.0
// Numbers whose record has just come go before those that stand in a queue.
//
// A record that was filled keeps its place in the cache until the part that asked has found it. Behind a long queue it
// would keep others out, or be lost unseen.
// Order: up to DEPTH woken numbers are shown before the queue's, but of four taken one is the queue's, so neither side
//   keeps the other out. A number for which there is no room is handed back in the same cycle (late_o) and belongs into
//   the queue, so none is lost. A number that is shown stays until it is taken.
// Errors: none.
module wake_first #(
    parameter int unsigned ID_W  = 10,
    parameter int unsigned DEPTH = 8
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            wake_i,
    input  logic [ID_W-1:0] wake_id_i,
    output logic            late_o,
    input  logic            in_valid_i,
    output logic            in_ready_o,
    input  logic [ID_W-1:0] in_id_i,
    output logic            out_valid_o,
    input  logic            out_ready_i,
    output logic [ID_W-1:0] out_id_o,
    output logic            out_first_o,    // it is a woken one
    output logic            idle_o          // none of the woken is here
);
  logic            room, valid, first, shown_q, first_q;
  logic [1:0]      row_q;                 // woken ones taken in a row while in_* waited
  logic [ID_W-1:0] id;
  logic [$clog2(DEPTH+1)-1:0] level;
  sync_fifo_level #(.WIDTH(ID_W), .DEPTH(DEPTH)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(wake_i), .in_ready_o(room), .in_data_i(wake_id_i), .out_valid_o(valid),
      .out_ready_i(out_ready_i && first), .out_data_o(id), .level_o(level));
  assign late_o      = wake_i && !room;
  assign first       = shown_q ? first_q : valid && !(&row_q && in_valid_i);
  assign out_valid_o = valid || in_valid_i;
  assign out_first_o = first;
  assign out_id_o    = first ? id : in_id_i;
  assign in_ready_o  = out_ready_i && !first;
  assign idle_o      = level == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shown_q <= 1'b0;
    else shown_q <= out_valid_o && !out_ready_i;
    first_q <= first;
    if (!rst_ni || !in_valid_i) row_q <= '0;
    else if (out_ready_i) row_q <= first ? row_q + 2'd1 : '0;
  end
endmodule
