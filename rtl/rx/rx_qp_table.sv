// SPDX-License-Identifier: Apache-2.0
// What the receive side must know of each QP to drop a packet early: a RAM of rx_qp by QPN, asked by rx_headers for
// every frame.
//
// Packets for QPs that do not exist, that take none in their state, or that come from another peer take no cell, no
// place in a queue, no lookup and no read of a record. The exact rules stay with qp_lookup, which has the record. An
// entry never speaks against a packet that they take.
// Owns: its entries. One writer: the context port, in the cycles behind each write of a QP's cfg part (qp_cache). So an
//   entry is never older than what firmware has been told is done.
// Reset: the table is swept, one entry a cycle: no QP exists. Until then (ready_o low) the context port must wait.
// Cycles: one question a cycle, answer two cycles later. Errors: none; QPNs beyond the table do not exist.
module rx_qp_table #(
    parameter int unsigned QPS_LOG2 = 12
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  cairn_int_pkg::rx_qp_write_t write_i,
    input  logic [23:0]                 ask_qpn_i,
    output cairn_int_pkg::rx_qp_t       entry_o,
    output logic                        ready_o
);
  if (QPS_LOG2 < 2 || QPS_LOG2 > 23) begin : g_chk
    $error("rx_qp_table: QPS_LOG2 must be 2 to 23");
  end

  logic [QPS_LOG2:0] sweep_q;
  logic              write, beyond_q;
  cairn_int_pkg::rx_qp_t entry;
  assign ready_o = sweep_q[QPS_LOG2];
  assign write   = !ready_o || (write_i.valid && write_i.qpn[23:QPS_LOG2] == '0);
  ram_1r1w #(.WIDTH(cairn_int_pkg::RX_QP_W), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_ram (
      .clk_i, .we_i(write), .waddr_i(ready_o ? write_i.qpn[QPS_LOG2-1:0] : sweep_q[QPS_LOG2-1:0]),
      .wdata_i(ready_o ? write_i.entry : '0), .re_i(1'b1), .raddr_i(ask_qpn_i[QPS_LOG2-1:0]), .rdata_o(entry));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= '0;
    else if (!ready_o) sweep_q <= sweep_q + 1'b1;
    beyond_q <= ask_qpn_i[23:QPS_LOG2] != '0 || !ready_o;
    entry_o  <= beyond_q ? '0 : entry;
  end
endmodule
