// SPDX-License-Identifier: Apache-2.0
// Which QP rsp_tx visits next.
//
// Kicks: external ones, fills of the QP cache it waits for (strobes), arrivals of responder resources, rsp_tx itself,
//   and QPs that waited for an MR line. The latter stand in a small FIFO (park_i: put park_qpn_i there); each MR fill
//   kicks those that are in it when it comes. park_ok_o low: not taken, since a fill has come after the line was asked
//   for (late_i) or the FIFO is full; rsp_tx then kicks itself.
module rsp_tx_kick #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned NKICK    = 2,
    parameter bit          FAST     = 1'b1     // 0: a kick every second cycle
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [NKICK-1:0]         kick_valid_i,
    output logic [NKICK-1:0]         kick_ready_o,
    input  logic [NKICK*24-1:0]      kick_qpn_i,
    input  cairn_int_pkg::ctx_fill_t fill_i,
    input  cairn_int_pkg::kick_t     res_wake_i,
    output logic                     res_wake_ready_o,
    input  logic                     mr_fill_i,
    input  logic                     park_i,
    input  logic [23:0]              park_qpn_i,
    input  logic                     late_i,
    output logic                     park_ok_o,
    input  cairn_int_pkg::kick_t     self_i,
    output logic                     self_ready_o,
    output cairn_int_pkg::kick_t     out_o,
    input  logic                     out_ready_i,
    output logic                     idle_o
);
  logic        fk_ready_unused;
  logic [23:0] w_qpn;
  logic        p_idle, q_valid, q_ready, late, first_idle;
  logic [QPS_LOG2-1:0] p_qpn, q_qpn;
  logic [(NKICK+4)*QPS_LOG2-1:0] k_id;
  logic        w_room, w_valid, w_kick, w_kick_ready;
  logic [5:0]  w_level, w_left_q;

  for (genvar g = 0; g < NKICK; g++) begin : g_kick
    assign k_id[(g+1)*QPS_LOG2 +: QPS_LOG2] = kick_qpn_i[24*g +: QPS_LOG2];
  end
  assign k_id[QPS_LOG2-1:0] = fill_i.key[QPS_LOG2-1:0];
  assign k_id[(NKICK+1)*QPS_LOG2 +: 3*QPS_LOG2] = {self_i.qpn[QPS_LOG2-1:0], w_qpn[QPS_LOG2-1:0],
      res_wake_i.qpn[QPS_LOG2-1:0]};
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(NKICK + 4), .STROBE(1), .CHOSEN(FAST ? 0 : 1)) u_pend (
      .clk_i, .rst_ni, .kick_valid_i({self_i.valid, w_kick, res_wake_i.valid, kick_valid_i, late}),
      .kick_ready_o({self_ready_o, w_kick_ready, res_wake_ready_o, kick_ready_o, fk_ready_unused}), .kick_id_i(k_id),
      .out_valid_o(q_valid), .out_ready_i(q_ready), .out_id_o(q_qpn), .idle_o(p_idle));
  wake_first #(.ID_W(QPS_LOG2)) u_first (
      .clk_i, .rst_ni, .wake_i(fill_i.valid && fill_i.rsp), .wake_id_i(fill_i.key[QPS_LOG2-1:0]), .late_o(late),
      .in_valid_i(q_valid),
      .in_ready_o(q_ready), .in_id_i(q_qpn), .out_valid_o(out_o.valid), .out_ready_i, .out_id_o(p_qpn),
      .out_first_o(), .idle_o(first_idle));
  assign out_o.qpn = 24'(p_qpn);

  sync_fifo_level #(.WIDTH(24), .DEPTH(32)) u_wait (
      .clk_i, .rst_ni, .in_valid_i(park_ok_o), .in_ready_o(w_room), .in_data_i(park_qpn_i),
      .out_valid_o(w_valid), .out_ready_i(w_kick && w_kick_ready), .out_data_o(w_qpn), .level_o(w_level));
  assign w_kick    = w_valid && w_left_q != '0;
  assign park_ok_o = park_i && w_room && !late_i;
  assign idle_o    = p_idle && first_idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_left_q <= '0;
    end else begin
      if (mr_fill_i) w_left_q <= w_level - 6'(w_kick && w_kick_ready);
      else if (w_kick && w_kick_ready) w_left_q <= w_left_q - 6'h1;
    end
  end
endmodule
