// SPDX-License-Identifier: Apache-2.0
// How far QPs without acknowledgements (UC, UD, GSI) have come.
//
// Owns: by QPN the generation and the PSN after the newest packet that has left the payload ring (reports of tx_sent,
//   in order for each QP). cmp_retire takes that PSN for the oldest unacknowledged one if the generation is the QP's;
//   the answer comes one cycle after its question.
// Order: the last packet of a message also kicks the walker, after its entry is written.
// Reset: the first 2^QPS_LOG2 cycles clear the table; reports wait. Generations are never 0, so an entry that was never
//   written matches none. Errors: none.
module req_sent #(
    parameter int unsigned QPS_LOG2 = 12
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    // reports of tx_path
    input  logic                      sent_valid_i,
    output logic                      sent_ready_o,
    input  cairn_int_pkg::tx_left_t   sent_i,
    // to cmp_kick
    output cairn_int_pkg::kick_t      kick_o,
    input  logic                      kick_ready_i,
    // cmp_retire
    input  logic [23:0]               sent_rd_qpn_i,
    output cairn_int_pkg::sent_upto_t sent_o,
    output logic                      idle_o
);
  logic init_q, take;
  logic [QPS_LOG2-1:0] init_qpn_q, waddr;
  assign sent_ready_o = !init_q && (!sent_i.last || !kick_o.valid || kick_ready_i);
  assign take         = sent_valid_i && sent_ready_o;
  assign waddr        = init_q ? init_qpn_q : sent_i.qpn[QPS_LOG2-1:0];
  assign idle_o       = !kick_o.valid && !sent_valid_i && !init_q;

  ram_1r1w #(.WIDTH(32), .DEPTH(1 << QPS_LOG2)) u_ram (
      .clk_i, .we_i(take || init_q), .waddr_i(waddr), .wdata_i(init_q ? '0 : {sent_i.gen, sent_i.psn}),
      .re_i(1'b1), .raddr_i(sent_rd_qpn_i[QPS_LOG2-1:0]), .rdata_o({sent_o.gen, sent_o.psn}));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q       <= 1'b1;
      init_qpn_q   <= '0;
      kick_o.valid <= 1'b0;
    end else begin
      if (init_q) begin
        init_qpn_q <= init_qpn_q + 1'b1;
        init_q     <= !(&init_qpn_q);
      end
      if (take && sent_i.last) kick_o.valid <= 1'b1;
      else if (kick_ready_i) kick_o.valid <= 1'b0;
    end
    if (take && sent_i.last) kick_o.qpn <= sent_i.qpn;
  end
endmodule
