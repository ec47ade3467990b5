// SPDX-License-Identifier: Apache-2.0
// Synchroniser: brings bits from another clock domain into clk_i through STAGES flip-flops.
//
// Each bit is independent. Use it for single bits or Gray code, never for a binary word. The source must come straight
// from a flip-flop. Boards constrain the path (set_false_path or set_max_delay to meta_q).
module cdc_sync #(
    parameter int unsigned      WIDTH     = 1,
    parameter int unsigned      STAGES    = 2,
    parameter logic [WIDTH-1:0] RESET_VAL = '0
) (
    input  logic             clk_i,   // destination clock
    input  logic             rst_ni,  // destination reset
    input  logic [WIDTH-1:0] d_i,
    output logic [WIDTH-1:0] q_o
);
  if (WIDTH == 0) begin : g_chk_width
    $error("cdc_sync: WIDTH must not be zero");
  end
  if (STAGES < 2) begin : g_chk_stages
    $error("cdc_sync: STAGES must be at least 2");
  end

  (* ASYNC_REG = "TRUE", keep = 1 *) logic [STAGES*WIDTH-1:0] meta_q;

  assign q_o = meta_q[(STAGES-1)*WIDTH +: WIDTH];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) meta_q <= {STAGES{RESET_VAL}};
    else meta_q <= {meta_q[(STAGES-1)*WIDTH-1:0], d_i};
  end
endmodule
