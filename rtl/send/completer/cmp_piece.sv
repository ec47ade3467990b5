// SPDX-License-Identifier: Apache-2.0
// The next piece of a data answer, for cmp_check: how much of it the element in hand takes. Combinational, or STAGED.
//
// at_i: where the answer begins, in bytes from the beginning of the element: within it, or behind it (passed_o). Then
// it begins behind_o bytes behind its end, which is never late.
// Errors: none.
module cmp_piece #(
    parameter bit STAGED = 1'b0                         // what is out is of the inputs a cycle before
) (
    input  logic                            clk_i,
    input  logic [127:0]                    element_i,
    input  logic [31:0]                     at_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] need_i,    // bytes of the answer that are left
    input  cairn_int_pkg::cmp_qp_t          qp_i,
    output logic                            passed_o,  // there are none of its bytes
    output logic [31:0]                     behind_o,
    output logic [31:0]                     end_o,     // where the answer ends, as at_i; it is never late
    output logic                            last_o,    // it takes the rest of the answer
    output cairn_int_pkg::mr_req_t          mr_o
);
  cairn_hw_pkg::sge_t             el;
  logic [32:0]                    behind, last_end;
  logic [cairn_int_pkg::LEN_W-1:0] piece;
  cairn_int_pkg::mr_req_t         mr;
  logic                           passed, last;
  assign el       = element_i;
  assign behind   = {1'b0, at_i} - {1'b0, el.length};
  assign last_end = {1'b0, at_i} + 33'(need_i);
  assign passed   = !behind[32];
  assign last     = last_end <= {1'b0, el.length};
  assign behind_o = behind[31:0];
  assign end_o    = last_end[31:0];
  assign piece    = last ? need_i : el.length[cairn_int_pkg::LEN_W-1:0] - at_i[cairn_int_pkg::LEN_W-1:0];
  always_comb begin
    mr         = '0;
    mr.key     = el.lkey;
    mr.pd      = qp_i.pd;
    mr.qpn     = qp_i.qpn;
    mr.va      = el.addr + {32'h0, at_i};
    mr.len     = piece;
    mr.chk_len = 32'(piece);
    mr.rights  = cairn_hw_pkg::ACCESS_LOCAL_WRITE;
    mr.last    = last;
  end
  if (STAGED) begin : g_staged
    always_ff @(posedge clk_i) begin
      passed_o <= passed;
      last_o   <= last;
      mr_o     <= mr;
    end
  end else begin : g_now
    logic unused;
    assign unused   = clk_i;
    assign passed_o = passed;
    assign last_o   = last;
    assign mr_o     = mr;
  end
endmodule
