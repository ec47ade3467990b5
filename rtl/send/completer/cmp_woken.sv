// SPDX-License-Identifier: Apache-2.0
// What has happened since cmp_check looked at each packet that is between it and the end of cmp_join.
//
// A visit of the walker to its slot has ended, or an MR line or page has come. A packet is looked at from the cycle of
// took_i on; gone_i: the oldest one is over. woken_o, filled_o: of the oldest one; what comes in this cycle is seen in
// the next. One flag a packet, so a ticket may wait for as long as it likes and for any number of events. TICKETS is
// what cmp_check and the queue of cmp_join hold. Errors: none.
module cmp_woken #(
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned TICKETS = 8,
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned TW = $clog2(TICKETS)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          took_i,
    input  logic [AW-1:0] took_slot_i,
    input  logic          gone_i,
    input  logic          wake_i,
    input  logic [AW-1:0] wake_slot_i,
    input  logic          fill_i,
    output logic          woken_o,
    output logic          filled_o
);
  if ((1 << TW) != TICKETS) begin : g_chk
    $error("cmp_woken: TICKETS must be a power of two");
  end

  logic [TICKETS-1:0] woken_q, filled_q;
  logic [AW-1:0]      slot_q [0:TICKETS-1];
  logic [TW-1:0]      in_q, out_q;
  assign woken_o  = woken_q[out_q];
  assign filled_o = filled_q[out_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + TW'(took_i);
      out_q <= out_q + TW'(gone_i);
    end
    for (int unsigned i = 0; i < TICKETS; i++) begin
      if (took_i && in_q == TW'(i)) begin
        slot_q[i]   <= took_slot_i;
        woken_q[i]  <= wake_i && wake_slot_i == took_slot_i;
        filled_q[i] <= fill_i;
      end else begin
        if (wake_i && wake_slot_i == slot_q[i]) woken_q[i] <= 1'b1;
        if (fill_i) filled_q[i] <= 1'b1;
      end
    end
  end

`ifdef VERILATOR
  logic [TW:0] level_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) level_q <= '0;
    else level_q <= level_q + (TW+1)'(took_i) - (TW+1)'(gone_i);
    if (rst_ni) assert (!took_i || gone_i || level_q != (TW+1)'(TICKETS));
    if (rst_ni) assert (!gone_i || level_q != '0 || took_i);
  end
`endif
endmodule
