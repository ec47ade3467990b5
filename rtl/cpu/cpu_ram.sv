// SPDX-License-Identifier: Apache-2.0
// Program and data memory of the management core: a port for instructions, which reads, and one for
// data, 32 bit, byte enables; what is read is there one cycle after the request and stays until the
// port's next read. The core has the data port but in cycles with free_i; in those DMA may read and
// write whole words (dma_ready_o). A fetch of a word that is being written gives anything.
// The array is never reset.
module cpu_ram #(
  parameter int unsigned RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,  // a power of two
  localparam int unsigned ADDR_W = $clog2(RAM_BYTES) - 2
) (
  input  logic              clk_i,
  input  logic              fetch_i,
  input  logic [ADDR_W-1:0] fetch_addr_i,  // word address, as all
  output logic [31:0]       fetch_instr_o,
  input  logic              free_i,        // the core does not ask for data
  input  logic              req_i,
  input  logic              we_i,
  input  logic [ADDR_W-1:0] addr_i,
  input  logic [3:0]        wstrb_i,
  input  logic [31:0]       wdata_i,
  output logic [31:0]       rdata_o,
  input  logic              dma_valid_i,
  output logic              dma_ready_o,
  input  logic              dma_we_i,
  input  logic [ADDR_W-1:0] dma_addr_i,
  input  logic [31:0]       dma_wdata_i
);
  if (RAM_BYTES < 1024 || (RAM_BYTES & (RAM_BYTES - 1)) != 0) begin : g_chk
    $error("cpu_ram: RAM_BYTES must be a power of two, 1024 or more");
  end

  (* ram_style = "block" *) logic [31:0] mem [0:RAM_BYTES/4-1];
  logic [ADDR_W-1:0] addr;
  logic [31:0]       wdata, rdata_q, instr_q;
  logic [3:0]        wen;
  logic              ren;

  assign dma_ready_o = free_i;
  assign addr        = free_i ? dma_addr_i : addr_i;
  assign wdata       = free_i ? dma_wdata_i : wdata_i;
  assign wen         = free_i ? {4{dma_valid_i && dma_we_i}} : (req_i && we_i) ? wstrb_i : 4'b0000;
  assign ren         = free_i ? dma_valid_i && !dma_we_i : req_i && !we_i;

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (wen[i]) mem[addr][8*i +: 8] <= wdata[8*i +: 8];
    end
    if (ren) rdata_q <= mem[addr];
  end
  // The x tells synthesis that no logic is needed to order a fetch and a write of one address.
  always_ff @(posedge clk_i) begin
    if (fetch_i) begin
      for (int i = 0; i < 4; i++) begin
        instr_q[8*i +: 8] <= (wen[i] && addr == fetch_addr_i) ? 8'bx : mem[fetch_addr_i][8*i +: 8];
      end
    end
  end
  assign rdata_o       = rdata_q;
  assign fetch_instr_o = instr_q;
endmodule
