// SPDX-License-Identifier: Apache-2.0
// Memory of both payload rings: even words in one bank, odd words in the other, byte enables, so that a beat that
// crosses a word boundary is written in one cycle. One word a cycle is read; data follows in the next cycle and stays.
// Ring addresses wrap. Errors: none.
module tx_payload_ram #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned WORD_W = 9,  // word address in one ring
    localparam int unsigned BYTES = DATA_W / 8
) (
    input  logic                         clk_i,
    // write
    input  cairn_int_pkg::tx_ram_write_t wr_i,
    input  logic [BYTES-1:0]             wr_be_i,
    input  logic [BYTES-1:0]             wr_be_next_i,
    input  logic [DATA_W-1:0]            wr_data_i,
    // read
    input  cairn_int_pkg::tx_ram_read_t  rd_i,
    output logic [DATA_W-1:0]            rd_data_o
);
  localparam int unsigned BANK_W = WORD_W;  // ring and word without its lowest bit

  logic [WORD_W-1:0] wr_word, wr_next;
  logic [BANK_W-1:0] even_waddr, odd_waddr, raddr;
  logic [BYTES-1:0]  even_we, odd_we;
  logic [DATA_W-1:0] even_data, odd_data;
  logic              odd_q;

  assign wr_word    = wr_i.word[WORD_W-1:0];
  assign wr_next    = wr_word + 1'b1;
  assign even_waddr = {wr_i.ring, wr_i.word[0] ? wr_next[WORD_W-1:1] : wr_word[WORD_W-1:1]};
  assign odd_waddr  = {wr_i.ring, wr_word[WORD_W-1:1]};
  assign even_we    = {BYTES{wr_i.valid}} & (wr_i.word[0] ? wr_be_next_i : wr_be_i);
  assign odd_we     = {BYTES{wr_i.valid}} & (wr_i.word[0] ? wr_be_i : wr_be_next_i);
  assign raddr      = {rd_i.ring, rd_i.word[WORD_W-1:1]};

  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(1 << BANK_W), .COL_W(8), .BYPASS(2)) u_even (
      .clk_i, .we_i(even_we), .waddr_i(even_waddr), .wdata_i(wr_data_i),
      .re_i(rd_i.valid && !rd_i.word[0]), .raddr_i(raddr), .rdata_o(even_data));
  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(1 << BANK_W), .COL_W(8), .BYPASS(2)) u_odd (
      .clk_i, .we_i(odd_we), .waddr_i(odd_waddr), .wdata_i(wr_data_i),
      .re_i(rd_i.valid && rd_i.word[0]), .raddr_i(raddr), .rdata_o(odd_data));

  always_ff @(posedge clk_i) if (rd_i.valid) odd_q <= rd_i.word[0];

  assign rd_data_o = odd_q ? odd_data : even_data;
endmodule
