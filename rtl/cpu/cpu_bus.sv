// SPDX-License-Identifier: Apache-2.0
// Address decoder of the management core: RAM from 0, MMIO at 0x8000_0000 to 0x800F_FFFF.
//
// MMIO has sixteen regions of 64 KiB by addr[19:16]; UART and timer are inside, the others go out. Anything else is a
// fault in the same cycle.
// Order (timer, UART and the external port alike): valid, we, addr, wstrb and wdata hold until the cycle in which ready
// is high; a read's rdata is taken in that cycle. ready may depend on valid, may come after any number of cycles, and
// is not looked at while valid is low. One access at a time, and at least one idle cycle between two. wstrb is zero on
// reads; a read gets its whole word.
// Once begun, an access is finished even if the core is reset (hold) meanwhile; its answer is dropped. A write needs no
// further attention after it has begun.
module cpu_bus #(
  parameter int unsigned RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        hold_i,
  // core
  input  logic        mem_early_i,   // of what comes in the next cycle, early_addr_i
  input  logic        mem_posted_i,  // ... or begins in this one, and does not come
  input  logic [31:2] early_addr_i,  // ... and mem_addr_i when that is here
  input  logic        mem_valid_i,
  input  logic        mem_we_i,
  input  logic [31:2] mem_addr_i,
  input  logic [3:0]  mem_wstrb_i,
  input  logic [31:0] mem_wdata_i,
  output logic        mem_fault_o,
  output logic        mem_wait_o,    // MMIO
  output logic        mem_busy_o,    // another access is under way: this one is not taken
  output logic        mem_done_o,
  output logic [31:0] mem_rdata_o,   // load data: of RAM in the same cycle, of MMIO with mem_done_o
  // RAM: has been read in the cycle before; the rest of the request goes there directly
  output logic        ram_write_o,
  input  logic [31:0] ram_rdata_i,
  // MMIO: one request, one valid for each target
  output logic        mmio_valid_o,
  output logic        timer_valid_o,
  output logic        uart_valid_o,
  output logic        mmio_we_o,
  output logic [19:0] mmio_addr_o,   // multiple of 4
  output logic [3:0]  mmio_wstrb_o,
  output logic [31:0] mmio_wdata_o,
  input  logic        mmio_ready_i,
  input  logic        timer_ready_i,
  input  logic        uart_ready_i,
  input  logic [31:0] mmio_rdata_i,
  input  logic [31:0] timer_rdata_i,
  input  logic [31:0] uart_rdata_i,
  output logic        quiet_o        // no MMIO access in flight
);
  localparam logic [31:0] UART_ADDR  = cairn_hw_pkg::MMIO_UART_TX;
  localparam logic [31:0] TIMER_ADDR = cairn_hw_pkg::MMIO_MTIME;

  logic        in_ram, in_mmio, start, ready;
  logic        busy_q, orphan_q, done_q, we_q, early, begun_q;
  logic [19:2] addr_q;
  logic [3:0]  wstrb_q;
  logic [31:0] wdata_q, rdata, rdata_q;
  logic        is_timer, is_uart;

  assign in_ram  = mem_addr_i[31:$clog2(RAM_BYTES)] == '0;
  assign in_mmio = mem_addr_i[31:20] == TIMER_ADDR[31:20];

  assign ram_write_o = mem_valid_i && mem_we_i && in_ram;
  assign mem_fault_o = !in_ram && !in_mmio;
  assign mem_wait_o  = in_mmio;
  assign mem_busy_o  = busy_q && !begun_q;
  assign mem_done_o  = done_q;
  assign mem_rdata_o = mem_valid_i ? ram_rdata_i : rdata_q;

  // MMIO begins as soon as the address is formed, if nothing is under way.
  assign early    = mem_early_i && early_addr_i[31:20] == TIMER_ADDR[31:20];
  assign start    = (early || (mem_valid_i && in_mmio)) && !busy_q && !hold_i;
  assign is_timer = addr_q[19:16] == TIMER_ADDR[19:16];
  assign is_uart  = addr_q[19:16] == UART_ADDR[19:16];

  assign ready    = is_timer ? timer_ready_i : is_uart ? uart_ready_i : mmio_ready_i;
  assign rdata    = is_timer ? timer_rdata_i : is_uart ? uart_rdata_i : mmio_rdata_i;

  always_ff @(posedge clk_i) begin
    if (start) begin
      we_q    <= mem_we_i;
      addr_q  <= early_addr_i[19:2];
      wstrb_q <= mem_we_i ? mem_wstrb_i : 4'b0000;
      wdata_q <= mem_wdata_i;
    end
    if (busy_q) rdata_q <= rdata;          // the last time when it is ready
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      begun_q  <= 1'b0;
      done_q   <= 1'b0;
      orphan_q <= 1'b0;
    end else begin
      busy_q   <= start || (busy_q && !ready);
      begun_q  <= early && start && !mem_posted_i;
      done_q   <= busy_q && ready && !orphan_q && !hold_i;
      orphan_q <= busy_q && !ready && (orphan_q || hold_i);
    end
  end

  assign mmio_valid_o  = busy_q && !is_timer && !is_uart;
  assign timer_valid_o = busy_q && is_timer;
  assign uart_valid_o  = busy_q && is_uart;
  assign mmio_we_o     = we_q;
  assign mmio_addr_o   = {addr_q, 2'b00};
  assign mmio_wstrb_o  = wstrb_q;
  assign mmio_wdata_o  = wdata_q;
  assign quiet_o       = !busy_q;
endmodule
