// SPDX-License-Identifier: Apache-2.0
// Block RAM with one write and one synchronous read port on one clock.
// rdata_o follows raddr_i by one cycle and holds while re_i is low.
// Reading the address written in the same cycle returns, column by column,
//   BYPASS = 0: the OLD data (read-first; costs logic where the RAM blocks cannot do it, as on ECP5),
//   BYPASS = 1: the new data, so that a read never misses a write of its own cycle,
//   BYPASS = 2: anything; the cheapest, for users in which it cannot happen (random in simulation).
// we_i has one bit per column of COL_W bits (COL_W = 8: byte enables; default: the whole word).
// WIDE = 1: a block however few the words are: for words of hundreds of bits, where LUT RAM costs as many LUTs.
// The array is not reset and holds anything until written. Errors: none.
// CAIRN_BLOCK_RAM (a macro of the synthesis, words): RAMs of that depth or more are blocks, whatever a tool finds best.
//   Where LUT RAM is 16 words deep, as on ECP5, tools take it for what costs hundreds of LUTs and fits into one block.
// CAIRN_ULTRA_RAM (words, with the other one): RAMs of that depth or more, and of more than 32 Kbit, are UltraRAMs
//   (4096 x 72): for devices that have hundreds of them. Such have blocks for all of 512 words or more, too.
module ram_1r1w #(
    parameter int unsigned WIDTH  = 32,
    parameter int unsigned DEPTH  = 512,
    parameter int unsigned COL_W  = WIDTH,
    parameter int unsigned BYPASS = 0,
    parameter int unsigned WIDE   = 0
) (
    input  logic                                        clk_i,
    input  logic [WIDTH/COL_W-1:0]                      we_i,
    input  logic [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0]  waddr_i,
    input  logic [WIDTH-1:0]                            wdata_i,
    input  logic                                        re_i,
    input  logic [(DEPTH > 1 ? $clog2(DEPTH) : 1)-1:0]  raddr_i,
    output logic [WIDTH-1:0]                            rdata_o
);
  localparam int unsigned COLS = WIDTH / COL_W;

  if (WIDTH == 0 || DEPTH == 0 || COL_W == 0) begin : g_chk_zero
    $error("ram_1r1w: WIDTH, DEPTH and COL_W must not be zero");
  end
  if (BYPASS > 2 || WIDE > 1) begin : g_chk_bypass
    $error("ram_1r1w: BYPASS must be 0, 1 or 2, WIDE 0 or 1");
  end
  if (COL_W * COLS != WIDTH) begin : g_chk_col
    $error("ram_1r1w: WIDTH must be a multiple of COL_W");
  end

  // With BYPASS no logic is needed that orders a read and a write of one address.
`ifdef CAIRN_BLOCK_RAM
`ifdef CAIRN_ULTRA_RAM
  localparam bit BLOCK = WIDE != 0 || (DEPTH >= `CAIRN_BLOCK_RAM && (WIDTH * DEPTH >= 2048 || DEPTH >= 512));
  localparam bit ULTRA = DEPTH >= `CAIRN_ULTRA_RAM && WIDTH * DEPTH > 32768;   // more than one block
`else
  localparam bit BLOCK = WIDE != 0 || (DEPTH >= `CAIRN_BLOCK_RAM && WIDTH * DEPTH >= 2048);   // a tenth of a block
  localparam bit ULTRA = 1'b0;
`endif
  (* no_rw_check = (BYPASS != 0), ram_style = ULTRA ? "ultra" : BLOCK ? "block" : "auto" *)
`else
  (* no_rw_check = (BYPASS != 0), ram_style = (WIDE != 0) ? "block" : "auto" *)
`endif
  logic [WIDTH-1:0] mem [0:DEPTH-1];
  logic [WIDTH-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < COLS; c++) begin
      if (we_i[c]) mem[waddr_i][c*COL_W +: COL_W] <= wdata_i[c*COL_W +: COL_W];
    end
  end

`ifdef SYNTHESIS
  always_ff @(posedge clk_i) if (re_i) rdata_q <= mem[raddr_i];
`else
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < COLS; c++) begin
      if (re_i) begin
        rdata_q[c*COL_W +: COL_W] <= (BYPASS != 0 && we_i[c] && waddr_i == raddr_i) ? {COL_W{1'bx}}
                                                                       : mem[raddr_i][c*COL_W +: COL_W];
      end
    end
  end
`endif

  if (BYPASS != 1) begin : g_plain
    assign rdata_o = rdata_q;
  end else begin : g_bypass
    logic [COLS-1:0]  hit_q;   // column of rdata_q replaced by fwd_q
    logic [WIDTH-1:0] fwd_q;
    always_ff @(posedge clk_i) begin
      if (re_i) begin
        hit_q <= (waddr_i == raddr_i) ? we_i : '0;
        fwd_q <= wdata_i;
      end
    end
    for (genvar g = 0; g < COLS; g++) begin : g_col
      assign rdata_o[g*COL_W +: COL_W] = hit_q[g] ? fwd_q[g*COL_W +: COL_W]
                                                  : rdata_q[g*COL_W +: COL_W];
    end
  end
endmodule
