// SPDX-License-Identifier: Apache-2.0
// Test top: cdc_sync of two bits through three stages, and reset_sync.
module cdc_tb (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic [1:0] d_i,
    output logic [1:0] q_o,
    input  logic       rst_async_ni,
    output logic       rst_no
);
  cdc_sync #(.WIDTH(2), .STAGES(3), .RESET_VAL(2'b10)) u_cdc (.clk_i, .rst_ni, .d_i, .q_o);
  reset_sync #(.STAGES(3)) u_reset (.clk_i, .rst_async_ni, .rst_no);
endmodule
