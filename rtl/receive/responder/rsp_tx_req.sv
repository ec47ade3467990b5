// SPDX-License-Identifier: Apache-2.0
// Cuts a READ into response packets for rsp_tx and asks the MR service for them (client MRC_RD), up to 4 ahead of the
// answers.
//
// Each packet is checked on its own (IBTA: the R_Key must still be valid). start_i: take the resource, begin at packet
// pk_i; ask_i: issue; answers are counted by take_i. npk_o packets in all; len_o: payload of packet pk_i; more_o: not
// everything asked that may be; left_o: an answer is still to come.
module rsp_tx_req (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [2:0]                      pmtu_i,
    input  logic [23:0]                     pd_i,
    input  logic [23:0]                     qpn_i,
    input  logic [63:0]                     va_i,
    input  logic [31:0]                     key_i,
    input  logic [31:0]                     length_i,
    input  logic                            start_i,
    input  logic [23:0]                     pk_i,
    input  logic                            ask_i,
    input  logic                            take_i,
    output logic [23:0]                     npk_o,
    output logic [cairn_int_pkg::LEN_W-1:0] len_o,
    output logic                            more_o,
    output logic                            left_o,
    output cairn_int_pkg::mr_ask_t          mr_o,
    input  logic                            mr_ready_i
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  logic [23:0] next_q;
  logic [2:0]  asked_q, got_q;
  logic        ready;
  logic [3:0]  shift;
  logic [31:0] pmtu, npk, off, left, pk_left;
  logic [LEN_W-1:0] len;
  cairn_int_pkg::mr_req_t mr;

  assign shift   = {1'b0, pmtu_i} + 4'd7;
  assign pmtu    = 32'h1 << shift;
  assign npk     = (length_i == '0) ? 32'h1 : (length_i + pmtu - 32'h1) >> shift;
  assign off     = {8'h0, next_q} << shift;
  assign left    = length_i - off;
  assign len     = (left > pmtu) ? pmtu[LEN_W-1:0] : left[LEN_W-1:0];
  assign pk_left = length_i - ({8'h0, pk_i} << shift);
  assign len_o   = (pk_left > pmtu) ? pmtu[LEN_W-1:0] : pk_left[LEN_W-1:0];
  assign more_o  = asked_q != 3'd4 && next_q != npk_o;
  assign left_o  = got_q != asked_q;
  always_comb begin
    mr         = '0;
    mr.key     = key_i;
    mr.pd      = pd_i;
    mr.qpn     = qpn_i;
    mr.va      = va_i + {32'h0, off};
    mr.len     = len;
    mr.chk_len = 32'(len);
    mr.rights  = cairn_hw_pkg::ACCESS_REMOTE_READ;
    mr.remote  = 1'b1;
    mr.last    = 1'b1;
  end
  skid_buffer #(.WIDTH(cairn_int_pkg::MR_REQ_W)) u_mr (
      .clk_i, .rst_ni, .in_valid_i(ask_i && more_o), .in_ready_o(ready), .in_data_i(mr),
      .out_valid_o(mr_o.valid), .out_ready_i(mr_ready_i), .out_data_o(mr_o.req));

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      npk_o   <= npk[23:0];
      next_q  <= pk_i;
      asked_q <= '0;
      got_q   <= '0;
    end else begin
      if (ask_i && more_o && ready) begin
        next_q  <= next_q + 24'h1;
        asked_q <= asked_q + 3'h1;
      end
      if (take_i) got_q <= got_q + 3'h1;
    end
  end
endmodule
