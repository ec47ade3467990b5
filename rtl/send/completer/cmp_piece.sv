// SPDX-License-Identifier: Apache-2.0
// The next piece of a data answer, for cmp_check: how much of it the element in hand takes. Combinational, or STAGED.
//
// skip_i: bytes of the WQE that are to be passed over first, from the beginning of this element on; then off_i bytes of
// it are used. done_o: the element is passed, by those or by this piece.
// Errors: none.
module cmp_piece #(
    parameter bit STAGED = 1'b0                         // what is out is of the inputs a cycle before
) (
    input  logic                            clk_i,
    input  logic [127:0]                    element_i,
    input  logic [31:0]                     skip_i,
    input  logic [31:0]                     off_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] need_i,    // bytes of the answer that are left
    input  cairn_int_pkg::cmp_qp_t          qp_i,
    output logic [31:0]                     length_o,  // of the element
    output logic                            passed_o,  // what is to be skipped goes beyond it
    output logic                            none_o,    // it has no bytes left
    output logic                            last_o,    // it takes the rest of the answer
    output cairn_int_pkg::mr_req_t          mr_o
);
  cairn_hw_pkg::sge_t             el;
  logic [31:0]                    avail;
  logic [cairn_int_pkg::LEN_W-1:0] piece;
  cairn_int_pkg::mr_req_t         mr;
  logic                           passed, none, last;
  assign el       = element_i;
  assign length_o = el.length;
  assign passed   = skip_i >= el.length;
  assign avail    = el.length - off_i;
  assign none     = avail == '0;
  assign last     = avail >= 32'(need_i);
  assign piece    = last ? need_i : avail[cairn_int_pkg::LEN_W-1:0];
  always_comb begin
    mr         = '0;
    mr.key     = el.lkey;
    mr.pd      = qp_i.pd;
    mr.qpn     = qp_i.qpn;
    mr.va      = el.addr + {32'h0, off_i};
    mr.len     = piece;
    mr.chk_len = 32'(piece);
    mr.rights  = cairn_hw_pkg::ACCESS_LOCAL_WRITE;
    mr.last    = last;
  end
  if (STAGED) begin : g_staged
    always_ff @(posedge clk_i) begin
      passed_o <= passed;
      none_o   <= none;
      last_o   <= last;
      mr_o     <= mr;
    end
  end else begin : g_now
    logic unused;
    assign unused   = clk_i;
    assign passed_o = passed;
    assign none_o   = none;
    assign last_o   = last;
    assign mr_o     = mr;
  end
endmodule
