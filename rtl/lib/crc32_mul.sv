// SPDX-License-Identifier: Apache-2.0
// Constant matrix of CRC-32 (IEEE 802.3, reflected, polynomial 0xEDB88320) over GF(2); combinational.
// x_i is a polynomial whose first transmitted bit is bit 0; the result is x_i * x^POW reduced to 32 bits.
//   IN_W = 32, POW = 8n:  a CRC state moved over n zero bytes; POW = -8n: moved back over n zero bytes;
//   IN_W = data bits, POW = 32 + data bits that follow: what that data adds to a state behind it.
// Each output bit is one XOR reduction, so that synthesis may shape the tree.
module crc32_mul #(
    parameter int unsigned IN_W = 32,
    parameter int          POW  = 8
) (
    input  logic [IN_W-1:0] x_i,
    output logic [31:0]     y_o
);
  // x^k in reflected form has bit 31-k set for k < 32. One step up is a shift right with feedback.
  function automatic logic [31:0] step_up(input logic [31:0] v);
    step_up = {1'b0, v[31:1]} ^ (v[0] ? 32'hEDB8_8320 : 32'h0);
  endfunction

  function automatic logic [31:0] step_down(input logic [31:0] v);
    step_down = v[31] ? ({v[30:0], 1'b0} ^ 32'hDB71_0641) : {v[30:0], 1'b0};
  endfunction

  // Row r is the mask of the input bits that are XORed into output bit r. Input bit p stands for
  // x^(IN_W-1-p), so its column is x^(POW+IN_W-1-p): the columns are consecutive powers of x.
  function automatic logic [32*IN_W-1:0] rows(input int pow);
    logic [31:0] v;
    v = 32'h8000_0000;
    for (int i = 0; i < pow; i++) v = step_up(v);
    for (int i = 0; i > pow; i--) v = step_down(v);
    for (int p = IN_W - 1; p >= 0; p--) begin
      for (int r = 0; r < 32; r++) rows[r*IN_W + p] = v[r];
      v = step_up(v);
    end
  endfunction

  localparam logic [32*IN_W-1:0] ROWS = rows(POW);

  for (genvar g = 0; g < 32; g++) begin : g_row
    assign y_o[g] = ^(x_i & ROWS[g*IN_W +: IN_W]);
  end
endmodule
