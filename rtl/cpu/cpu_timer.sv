// SPDX-License-Identifier: Apache-2.0
// Machine timer of the management core. mtime is time_now_i (nanoseconds, an input that may jump),
// never a cycle counter; the interrupt is the comparison mtime >= mtimecmp itself, so a jump of any
// size raises it in the same cycle. mtimecmp is all ones (never) after reset.
// Registers (hw.def MMIO_MTIME, MMIO_MTIMECMP) take 32-bit accesses, low half first.
// To move mtimecmp: high = ~0, low, high (RISC-V privileged specification 3.2.1).
module cpu_timer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] time_now_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        we_i,
  input  logic [15:2] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        irq_o,
  output logic [63:0] mtimecmp_o
);
  localparam logic [31:0] MTIMECMP_ADDR = cairn_hw_pkg::MMIO_MTIMECMP;
  logic [63:0] mtimecmp_q, rdata;
  logic        is_cmp;

  assign ready_o    = valid_i;
  assign irq_o      = time_now_i >= mtimecmp_q;
  assign mtimecmp_o = mtimecmp_q;

  assign is_cmp  = addr_i[15:3] == MTIMECMP_ADDR[15:3];
  assign rdata   = is_cmp ? mtimecmp_q : time_now_i;
  assign rdata_o = addr_i[2] ? rdata[63:32] : rdata[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mtimecmp_q <= '1;
    end else if (valid_i && we_i && is_cmp) begin
      if (addr_i[2]) mtimecmp_q[63:32] <= wdata_i;
      else mtimecmp_q[31:0] <= wdata_i;
    end
  end
endmodule
