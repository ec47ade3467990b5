// SPDX-License-Identifier: Apache-2.0
// Header of a memory request TLP for 1 to 4096 bytes at addr: length in DW, byte enables, 3-DW form below
// 4 GiB and 4-DW form above (PCIe base specification 2.2.4.1, 2.2.5). Combinational.
module dma_tlp_hdr (
    input  logic                            write_i,
    input  logic [63:0]                     addr_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] ends_i,   // bytes from the start of the first DW to the last byte
    input  logic                            relaxed_i,
    input  logic [15:0]                     reqid_i,
    input  logic [7:0]                      tag_i,
    output logic [127:0]                    hdr_o
);
  logic [3:0] fbe, lbe;
  logic       one, high;
  cairn_hw_pkg::tlp_mem_t hdr;

  assign one  = ends_i <= 13'd4;
  assign high = addr_i[63:32] != 32'd0;

  always_comb begin
    case (ends_i[1:0])
      2'd1:    lbe = 4'b0001;
      2'd2:    lbe = 4'b0011;
      2'd3:    lbe = 4'b0111;
      default: lbe = 4'b1111;
    endcase
    fbe = 4'b1111 << addr_i[1:0];
    if (one) begin
      fbe = fbe & lbe;
      lbe = 4'b0000;
    end
  end

  always_comb begin
    hdr        = '0;
    hdr.fmt    = write_i ? (high ? cairn_hw_pkg::TLP_FMT_4DW_DATA : cairn_hw_pkg::TLP_FMT_3DW_DATA)
                         : (high ? cairn_hw_pkg::TLP_FMT_4DW : cairn_hw_pkg::TLP_FMT_3DW);
    hdr.type_  = cairn_hw_pkg::TLP_TYPE_MEM;
    hdr.attr   = {relaxed_i, 1'b0};
    hdr.length = 10'((ends_i + 13'd3) >> 2);
    hdr.reqid  = reqid_i;
    hdr.tag    = tag_i;
    hdr.lbe    = lbe;
    hdr.fbe    = fbe;
    hdr.addr   = high ? {addr_i[63:2], 2'b00} : {addr_i[31:2], 34'd0};
  end
  assign hdr_o = hdr;
endmodule
