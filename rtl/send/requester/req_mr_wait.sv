// SPDX-License-Identifier: Apache-2.0
// The QPs of req_issue that wait for an MR line: given in at the end of a visit that met a miss, kicked when a fill has
// ended.
//
// Order: a fill that ended since the visit's first answer may be the one it misses: then waits_o is low and the QP is
//   given back as wanting more instead. Answers of the next visit are taken (from gather_i on) before it begins
//   (base_i), so fills are noted for both. A fill that ended while the answer stood behind those of earlier visits is
//   missed here, so waiting QPs are also kicked every 1024 cycles.
// What is given in stands in the queue a cycle later, and counts for a fill that ends then.
// Full: with DEPTH that wait, the next one is given back as wanting more, too. So nobody waits for a place here, and
//   QPs whose keys are on chip go on. Errors: none.
module req_mr_wait #(
    parameter int unsigned DEPTH    = 16,
    parameter int unsigned QPS_LOG2 = 24         // of a QPN
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 mr_fill_i,  // pulse: a fill has ended
    input  logic                 gather_i,   // what is gathered next begins anew: a visit, or none is here
    input  logic                 base_i,     // a visit begins, or there is none
    output logic                 waits_o,    // a miss of this visit has still to be waited for
    input  cairn_int_pkg::kick_t in_i,       // while waits_o
    output cairn_int_pkg::kick_t kick_o,
    input  logic                 kick_ready_i,
    output logic                 idle_o
);
  localparam int unsigned LW = $clog2(DEPTH + 1);
  logic          wq_valid, room, in_q;
  logic [QPS_LOG2-1:0] in_qpn_q, qpn;
  logic [LW-1:0] wq_lvl;
  logic [LW-1:0] fill_left_q;  // QPs that waited when a fill ended and are not kicked yet
  logic          fill_seen_q, fill_next_q;
  logic [9:0]    again_q;

  assign waits_o = room && !(in_q && wq_lvl == LW'(DEPTH - 1)) && !fill_seen_q && !mr_fill_i;
  sync_fifo_level #(.WIDTH(QPS_LOG2), .DEPTH(DEPTH)) u_wq (
      .clk_i, .rst_ni, .in_valid_i(in_q), .in_ready_o(room), .in_data_i(in_qpn_q), .out_valid_o(wq_valid),
      .out_ready_i(kick_ready_i && fill_left_q != '0), .out_data_o(qpn), .level_o(wq_lvl)
  );
  assign kick_o.valid = wq_valid && fill_left_q != '0;
  assign kick_o.qpn   = 24'(qpn);
  assign idle_o       = wq_lvl == '0 && !in_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_left_q <= '0;
      again_q     <= '0;
      fill_seen_q <= 1'b0;
      fill_next_q <= 1'b0;
      in_q        <= 1'b0;
    end else begin
      in_q    <= in_i.valid;
      again_q <= idle_o ? '0 : again_q + 1'b1;
      if (mr_fill_i || (&again_q)) fill_left_q <= wq_lvl + LW'(in_q) - LW'(kick_o.valid && kick_ready_i);
      else if (kick_o.valid && kick_ready_i) fill_left_q <= fill_left_q - 1'b1;
      fill_next_q <= !gather_i && (fill_next_q || mr_fill_i);
      fill_seen_q <= mr_fill_i || (base_i ? fill_next_q : fill_seen_q);
    end
    in_qpn_q <= in_i.qpn[QPS_LOG2-1:0];
  end
endmodule
