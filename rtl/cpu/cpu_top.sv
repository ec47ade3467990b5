// SPDX-License-Identifier: Apache-2.0
// The management core with its memory, timer and console: what the NIC instantiates (docs/rtl/cpu.md). Off the packet
// path.
//
// Start: hold_i keeps the core in reset while the image is written; the program starts at RESET_PC when hold_i falls.
// DMA: valid holds until ready, and a word that is read comes in the cycle after. It reaches the RAM in cycles in which
// the core is held or asleep, or neither loads nor stores, so it costs the core nothing.
// Lines: interrupts are levels, cause 16 + n. A line must fall within two cycles of the access that clears its source.
// Idle: wfi_idle_o says that nothing will happen here until an input changes or deadline_o passes: the core sleeps in
//   WFI without an enabled interrupt pending, or is held, or has stopped on a double trap, and MMIO and console are
//   quiet. deadline_o (ns, the clock of time_now_i) counts while deadline_valid_o.
// Errors: fatal_o after a double trap, until reset or hold_i; fatal_pc_o and fatal_cause_o name the second trap.
module cpu_top #(
  parameter int unsigned RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,
  parameter logic [31:0] RESET_PC = 32'h0000_0000,
  parameter int unsigned BARREL = 0,   // shifts take one cycle
  parameter int unsigned COUNTERS = 1, // mcycle and minstret count
  localparam int unsigned RAM_ADDR_W = $clog2(RAM_BYTES) - 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  hold_i,
  input  logic [63:0]           time_now_i,
  // words of the RAM, for DMA
  input  logic                  dma_valid_i,
  output logic                  dma_ready_o,
  input  logic                  dma_we_i,
  input  logic [RAM_ADDR_W-1:0] dma_addr_i,  // word address
  input  logic [31:0]           dma_wdata_i,
  output logic [31:0]           dma_rdata_o,
  // peripherals of the NIC
  output logic                  mmio_valid_o,
  input  logic                  mmio_ready_i,
  output logic                  mmio_we_o,
  output logic [19:0]           mmio_addr_o,
  output logic [31:0]           mmio_wdata_o,
  output logic [3:0]            mmio_wstrb_o,
  input  logic [31:0]           mmio_rdata_i,
  input  logic [15:0]           irq_i,
  // console byte stream
  output logic                  uart_valid_o,
  input  logic                  uart_ready_i,
  output logic [7:0]            uart_data_o,
  // state
  output logic                  wfi_idle_o,
  output logic                  deadline_valid_o,
  output logic [63:0]           deadline_o,
  output logic                  fatal_o,
  output logic [31:0]           fatal_pc_o,
  output logic [5:0]            fatal_cause_o,
  // trace: one pulse for each completed instruction
  output logic                  retire_valid_o,
  output logic [31:0]           retire_pc_o,
  output logic                  retire_rd_we_o,
  output logic [4:0]            retire_rd_o,
  output logic [31:0]           retire_wdata_o
);
  logic        core_rst_n, core_idle, timer_en, irq_timer, mmio_quiet;
  logic        fetch, fetch_fault, mem_valid, mem_we, mem_fault, mem_busy, mem_wait, mem_done;
  logic [31:2] fetch_addr, ram_addr, mem_addr;
  logic [31:0] fetch_instr;
  logic [31:0] mem_wdata, mem_rdata;
  logic [3:0]  mem_wstrb;
  logic        ram_read, ram_write, ram_store, ram_free, mem_early, mem_posted;
  logic [31:0] ram_rdata;
  logic        timer_valid, timer_ready, uart_req, uart_ack;
  logic [31:0] timer_rdata, uart_rdata;

  assign core_rst_n  = rst_ni && !hold_i;
  assign fetch_fault = fetch_addr[31:$clog2(RAM_BYTES)] != '0;

  cpu_core #(.RESET_PC(RESET_PC), .BARREL(BARREL), .COUNTERS(COUNTERS),
    .RAM_LOG2($clog2(RAM_BYTES))) u_core (
    .clk_i, .rst_ni(core_rst_n), .time_now_i, .irq_i, .irq_timer_i(irq_timer),
    .fetch_o(fetch), .fetch_addr_o(fetch_addr), .fetch_fault_i(fetch_fault),
    .fetch_instr_i(fetch_instr), .ram_read_o(ram_read), .ram_write_o(ram_store),
    .ram_addr_o(ram_addr), .mem_early_o(mem_early), .mem_posted_o(mem_posted),
    .mem_valid_o(mem_valid), .mem_we_o(mem_we), .mem_addr_o(mem_addr), .mem_wstrb_o(mem_wstrb), .mem_wdata_o(mem_wdata),
    .mem_busy_i(mem_busy), .mem_wait_i(mem_wait), .mem_fault_i(mem_fault),
    .mem_done_i(mem_done), .mem_rdata_i(mem_rdata),
    .ram_free_o(ram_free), .wfi_idle_o(core_idle), .timer_en_o(timer_en), .fatal_o, .fatal_pc_o, .fatal_cause_o,
    .retire_valid_o, .retire_pc_o, .retire_rd_we_o, .retire_rd_o, .retire_wdata_o
  );

  cpu_bus #(.RAM_BYTES(RAM_BYTES)) u_bus (
    .clk_i, .rst_ni, .hold_i,
    .mem_early_i(mem_early), .mem_posted_i(mem_posted), .early_addr_i(ram_addr),
    .mem_valid_i(mem_valid), .mem_we_i(mem_we), .mem_addr_i(mem_addr), .mem_wstrb_i(mem_wstrb), .mem_wdata_i(mem_wdata),
    .mem_fault_o(mem_fault), .mem_busy_o(mem_busy), .mem_wait_o(mem_wait),
    .mem_done_o(mem_done), .mem_rdata_o(mem_rdata),
    .ram_write_o(ram_write), .ram_rdata_i(ram_rdata),
    .mmio_valid_o, .timer_valid_o(timer_valid), .uart_valid_o(uart_req), .mmio_we_o, .mmio_addr_o,
    .mmio_wstrb_o, .mmio_wdata_o, .mmio_ready_i, .timer_ready_i(timer_ready),
    .uart_ready_i(uart_ack), .mmio_rdata_i, .timer_rdata_i(timer_rdata), .uart_rdata_i(uart_rdata),
    .quiet_o(mmio_quiet)
  );

  cpu_ram #(.RAM_BYTES(RAM_BYTES)) u_ram (
    .clk_i, .fetch_i(fetch), .fetch_addr_i(fetch_addr[RAM_ADDR_W+1:2]),
    .fetch_instr_o(fetch_instr), .free_i(ram_free || hold_i), .req_i(ram_read || ram_write || ram_store),
    .we_i(ram_write || ram_store),
    .addr_i(ram_addr[RAM_ADDR_W+1:2]), .wstrb_i(mem_wstrb), .wdata_i(mem_wdata),
    .rdata_o(ram_rdata), .dma_valid_i, .dma_ready_o, .dma_we_i, .dma_addr_i, .dma_wdata_i
  );

  cpu_timer u_timer (
    .clk_i, .rst_ni(core_rst_n), .time_now_i, .valid_i(timer_valid), .ready_o(timer_ready),
    .we_i(mmio_we_o), .addr_i(mmio_addr_o[15:2]), .wdata_i(mmio_wdata_o), .rdata_o(timer_rdata),
    .irq_o(irq_timer), .mtimecmp_o(deadline_o)
  );

  cpu_uart u_uart (
    .clk_i, .rst_ni, .valid_i(uart_req), .ready_o(uart_ack), .we_i(mmio_we_o),
    .wdata_i(mmio_wdata_o[7:0]), .rdata_o(uart_rdata),
    .tx_valid_o(uart_valid_o), .tx_ready_i(uart_ready_i), .tx_data_o(uart_data_o)
  );

  assign dma_rdata_o      = ram_rdata;
  assign wfi_idle_o       = (hold_i || core_idle || fatal_o) && mmio_quiet && !uart_valid_o;
  assign deadline_valid_o = timer_en && !hold_i && !fatal_o;
endmodule
