// SPDX-License-Identifier: Apache-2.0
// Console of the management core: a write to register 0 sends wdata[7:0] on the byte stream; it
// waits (ready low) while the byte before it has not been taken, so nothing is lost and nothing
// needs polling. Register 0 reads 1 when a byte would be accepted at once, else 0.
module cpu_uart (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        we_i,
  input  logic [7:0]  wdata_i,
  output logic [31:0] rdata_o,
  output logic        tx_valid_o,
  input  logic        tx_ready_i,
  output logic [7:0]  tx_data_o
);
  logic       full_q;
  logic [7:0] data_q;

  assign ready_o    = valid_i && (!we_i || !full_q);
  assign rdata_o    = {31'd0, !full_q};
  assign tx_valid_o = full_q;
  assign tx_data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (valid_i && we_i && !full_q) data_q <= wdata_i;
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_q ? !tx_ready_i : (valid_i && we_i);
  end
endmodule
