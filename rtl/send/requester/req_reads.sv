// SPDX-License-Identifier: Apache-2.0
// How many READs and atomics all QPs together have asked for and not been answered: full_o while they are ROOM or more,
// until they are HOLD fewer.
//
// While it is full a QP that has one outstanding asks for no other (req_packet), so what comes back finds a place among
// the records of responses (rx_records). A QP that has none is never kept: nobody waits for the QPs of a dead peer, and
// the end of its own READ wakes each that does wait. What can be outstanding is so ROOM and what was built already, or
// one for each QP.
// Counts are the records' own, RD_ISSUED as req_issue and RD_DONE as cmp_retire writes them, so nothing that is lost or
// goes back has to be told; closed_i: of this QP none is outstanding any more, and both begin at 0.
// Cycles: one of the three a cycle, after few. Reset: clears itself in 2^QPS_LOG2 cycles.
// Errors: none. Each source has four places; if one were lost, the next of its QP would make it good.
module req_reads #(
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned ROOM     = 224,
    parameter int unsigned HOLD     = 16
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  cairn_int_pkg::rd_count_t  issued_i,
    input  cairn_int_pkg::rd_count_t  done_i,
    input  cairn_int_pkg::kick_t      closed_i,
    output logic                      full_o
);
  // ---- one event a cycle ----
  logic [2:0]  valid, take;
  logic [23:0] closed_qpn;
  cairn_int_pkg::rd_count_t issued, done;
  sync_fifo #(.WIDTH(cairn_int_pkg::RD_COUNT_W), .DEPTH(4)) u_issued (
      .clk_i, .rst_ni, .in_valid_i(issued_i.valid), .in_ready_o(), .in_data_i(issued_i),
      .out_valid_o(valid[0]), .out_ready_i(take[0]), .out_data_o(issued));
  sync_fifo #(.WIDTH(cairn_int_pkg::RD_COUNT_W), .DEPTH(4)) u_done (
      .clk_i, .rst_ni, .in_valid_i(done_i.valid), .in_ready_o(), .in_data_i(done_i),
      .out_valid_o(valid[1]), .out_ready_i(take[1]), .out_data_o(done));
  sync_fifo #(.WIDTH(24), .DEPTH(4)) u_closed (
      .clk_i, .rst_ni, .in_valid_i(closed_i.valid), .in_ready_o(), .in_data_i(closed_i.qpn),
      .out_valid_o(valid[2]), .out_ready_i(take[2]), .out_data_o(closed_qpn));
  assign take[2] = valid[2] && !init_q;
  assign take[1] = valid[1] && !valid[2] && !init_q;
  assign take[0] = valid[0] && !valid[2] && !valid[1] && !init_q;

  // ---- what the QP had, what it has ----
  logic                init_q, found_q;
  logic [2:0]          what_q;
  logic [QPS_LOG2-1:0] init_at_q, at, at_q;
  logic [7:0]          count_q, was_issued, was_done, now_issued, now_done, more, less;
  assign at = take[2] ? closed_qpn[QPS_LOG2-1:0] : take[1] ? done.qpn[QPS_LOG2-1:0] : issued.qpn[QPS_LOG2-1:0];
  ram_1r1w #(.WIDTH(16), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_counts (
      .clk_i, .we_i(init_q || found_q), .waddr_i(init_q ? init_at_q : at_q),
      .wdata_i(init_q ? 16'h0 : {now_issued, now_done}),
      .re_i(take != '0), .raddr_i(at), .rdata_o({was_issued, was_done}));
  assign now_issued = what_q[2] ? '0 : what_q[0] ? count_q : was_issued;
  assign now_done   = what_q[2] ? '0 : what_q[1] ? count_q : was_done;
  assign more       = now_issued - was_issued;       // negative: gone back
  assign less       = now_done - was_done;

  // ---- all of them ----
  logic        sum_q;
  logic [7:0]  delta_q;
  logic [15:0] total_q, d_room, d_less;    // signed: what is over comes before what was issued, now and then
  assign d_room = total_q - 16'(ROOM);
  assign d_less = total_q - 16'(ROOM - HOLD);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_at_q <= '0;
      {found_q, sum_q, full_o} <= '0;
      total_q   <= '0;
    end else begin
      if (init_q) init_at_q <= init_at_q + 1'b1;
      if (&init_at_q) init_q <= 1'b0;
      found_q <= take != '0;
      sum_q   <= found_q;
      if (sum_q) total_q <= total_q + {{8{delta_q[7]}}, delta_q};
      if (!d_room[15]) full_o <= 1'b1;
      else if (d_less[15]) full_o <= 1'b0;
    end
    what_q  <= take;
    at_q    <= at;
    count_q <= take[1] ? done.count : issued.count;
    delta_q <= more - less;
  end
endmodule
