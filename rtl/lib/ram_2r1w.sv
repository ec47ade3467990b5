// SPDX-License-Identifier: Apache-2.0
// RAM with one write and two independent synchronous read ports: two copies of ram_1r1w that are
// written alike. Same timing, same read-old-data rule and same parameters as ram_1r1w.
module ram_2r1w #(
    parameter int unsigned WIDTH  = 32,
    parameter int unsigned DEPTH  = 512,
    parameter int unsigned COL_W  = WIDTH,
    parameter int unsigned BYPASS = 0
) (
    input  logic                                        clk_i,
    input  logic [WIDTH/COL_W-1:0]                      we_i,
    input  logic [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0]  waddr_i,
    input  logic [WIDTH-1:0]                            wdata_i,
    input  logic                                        re0_i,
    input  logic [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0]  raddr0_i,
    output logic [WIDTH-1:0]                            rdata0_o,
    input  logic                                        re1_i,
    input  logic [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0]  raddr1_i,
    output logic [WIDTH-1:0]                            rdata1_o
);
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .COL_W(COL_W), .BYPASS(BYPASS)) u_copy0 (
      .clk_i, .we_i, .waddr_i, .wdata_i, .re_i(re0_i), .raddr_i(raddr0_i), .rdata_o(rdata0_o));
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .COL_W(COL_W), .BYPASS(BYPASS)) u_copy1 (
      .clk_i, .we_i, .waddr_i, .wdata_i, .re_i(re1_i), .raddr_i(raddr1_i), .rdata_o(rdata1_o));
endmodule
