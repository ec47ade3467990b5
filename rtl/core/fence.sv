// SPDX-License-Identifier: Apache-2.0
// The fence: when firmware asks, no engine takes new work until everything that was under way is gone
// (docs/rtl/cpu.md).
//
// Under way: packets past qp_lookup, visits, jobs whose payload is being read, posted writes not sent. Work that only
// waits in queues (scheduled QPs, RNR waits, doorbells) does not count; it is looked at afresh afterwards. Then all go
// on, and done_o pulses.
// What is busy is looked at a cycle later: it comes from everywhere.
// Bounds: host reads and the PCIe link. The wire goes on during a fence: rx_buffer keeps what it has room for.
module fence #(
    parameter int unsigned NBUSY = 8,
    parameter int unsigned QUIET = 8     // cycles in which nothing may be busy: longer than any hop between two stages
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             start_i,
    output logic             halt_o,
    output logic             done_o,
    input  logic [NBUSY-1:0] busy_i
);
  logic [$clog2(QUIET+1)-1:0] quiet_q;
  logic [NBUSY-1:0]           each_q;     // some come late
  logic                       busy_q;
  always_ff @(posedge clk_i) begin
    each_q <= busy_i;
    busy_q <= each_q != '0;
    if (!rst_ni) begin
      halt_o  <= 1'b0;
      done_o  <= 1'b0;
      quiet_q <= '0;
    end else begin
      done_o <= 1'b0;
      if (start_i) begin
        halt_o  <= 1'b1;
        quiet_q <= '0;
      end else if (halt_o) begin
        quiet_q <= busy_q ? '0 : quiet_q + 1'b1;
        if (!busy_q && quiet_q == ($clog2(QUIET+1))'(QUIET)) begin
          halt_o <= 1'b0;
          done_o <= 1'b1;
        end
      end
    end
  end
endmodule
