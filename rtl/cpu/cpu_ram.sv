// SPDX-License-Identifier: Apache-2.0
// Program and data memory of the management core: one port, 32 bit, byte enables, data one cycle
// after the request; a write and an idle cycle leave rdata_o as it was (cpu_core relies on that).
// The load port writes whole words while load_en_i holds the core in reset; it shares the only
// write port, so the array stays one block RAM in every tool. The array is never reset.
module cpu_ram #(
  parameter int unsigned RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,  // a power of two
  localparam int unsigned ADDR_W = $clog2(RAM_BYTES) - 2
) (
  input  logic              clk_i,
  input  logic              req_i,
  input  logic              we_i,
  input  logic [ADDR_W-1:0] addr_i,    // word address
  input  logic [3:0]        wstrb_i,
  input  logic [31:0]       wdata_i,
  output logic [31:0]       rdata_o,
  input  logic              load_en_i,
  input  logic              load_we_i,
  input  logic [ADDR_W-1:0] load_addr_i,
  input  logic [31:0]       load_data_i
);
  if (RAM_BYTES < 1024 || (RAM_BYTES & (RAM_BYTES - 1)) != 0) begin : g_chk
    $error("cpu_ram: RAM_BYTES must be a power of two, 1024 or more");
  end

  (* ram_style = "block" *) logic [31:0] mem [0:RAM_BYTES/4-1];
  logic [ADDR_W-1:0] addr;
  logic [31:0]       wdata, rdata_q;
  logic [3:0]        wen;
  logic              ren;

  assign addr  = load_en_i ? load_addr_i : addr_i;
  assign wdata = load_en_i ? load_data_i : wdata_i;
  assign wen   = load_en_i ? {4{load_we_i}} : (req_i && we_i) ? wstrb_i : 4'b0000;
  assign ren   = req_i && !we_i && !load_en_i;

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (wen[i]) mem[addr][8*i +: 8] <= wdata[8*i +: 8];
    end
    if (ren) rdata_q <= mem[addr];
  end
  assign rdata_o = rdata_q;
endmodule
