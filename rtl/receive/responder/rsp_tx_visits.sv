// SPDX-License-Identifier: Apache-2.0
// The visits of rsp_tx that are under way, of one QP at most one. They end in the order in which they begin.
//
// A QP that is kicked during its visit is marked (mark_i), and is visited again; not in the cycle in which a visit
// ends: it may be that one, which is met no more in the next. look_slot_i: is that slot being visited? Errors: none.
module rsp_tx_visits #(
    parameter int unsigned SLOTS  = 128,
    parameter int unsigned VISITS = 8,          // power of two
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned PW    = $clog2(VISITS)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic [AW-1:0] look_slot_i,
    output logic          met_o,
    input  logic          mark_i,       // the one that is met
    output logic          room_o,
    input  logic          begin_i,      // of look_slot_i
    output logic [PW-1:0] at_o,         // the one that begins next
    input  logic          end_i,
    output logic [PW-1:0] oldest_o,     // the one that ends next
    output logic          again_o,      // it is marked
    input  logic          drain_i,      // see mr_drain
    output logic          drained_o,    // the visits before the mark are over
    output logic          idle_o
);
  if (VISITS < 2 || (1 << PW) != VISITS) begin : g_chk
    $error("rsp_tx_visits: VISITS must be a power of two, 2 or more");
  end

  logic [PW:0]       begin_q, end_q;    // one bit more than PW
  logic [VISITS-1:0] match, again;
  for (genvar g = 0; g < VISITS; g++) begin : g_visit
    logic          live_q, again_q, begins;
    logic [AW-1:0] slot_q;
    assign begins   = begin_i && at_o == PW'(g);
    assign match[g] = live_q && slot_q == look_slot_i;
    assign again[g] = oldest_o == PW'(g) && again_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) live_q <= 1'b0;
      else if (begins) live_q <= 1'b1;
      else if (end_i && oldest_o == PW'(g)) live_q <= 1'b0;
      if (begins) again_q <= 1'b0;
      else if (mark_i && match[g]) again_q <= 1'b1;
      if (begins) slot_q <= look_slot_i;
    end
  end
  assign met_o    = match != '0;
  assign again_o  = again != '0;
  assign room_o   = begin_q != {~end_q[PW], end_q[PW-1:0]};
  assign at_o     = begin_q[PW-1:0];
  assign oldest_o = end_q[PW-1:0];
  assign idle_o   = begin_q == end_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begin_q <= '0;
      end_q   <= '0;
    end else begin
      if (begin_i) begin_q <= begin_q + 1'b1;
      if (end_i) end_q <= end_q + 1'b1;
    end
  end

  // ---- visits before the mark of a drain ----
  logic        marked_q;
  logic [PW:0] before_q;
  assign drained_o = marked_q && before_q == '0;
  always_ff @(posedge clk_i) begin
    marked_q <= rst_ni && drain_i;
    before_q <= (marked_q ? before_q : begin_q - end_q + (PW+1)'(begin_i))
                - (PW+1)'(end_i && (!marked_q || before_q != '0));
  end
endmodule
