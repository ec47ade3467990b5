// SPDX-License-Identifier: Apache-2.0
// Reset synchroniser for a board's top: an asynchronous low reset in, a reset out that falls at once
// (even without a clock) and rises synchronously to clk_i, STAGES edges after the input rose.
// The only place where Cairn uses an asynchronous reset.
module reset_sync #(
    parameter int unsigned STAGES = 3
) (
    input  logic clk_i,
    input  logic rst_async_ni,
    output logic rst_no
);
  if (STAGES < 2) begin : g_chk_stages
    $error("reset_sync: STAGES must be at least 2");
  end

  (* ASYNC_REG = "TRUE", keep = 1 *) logic [STAGES-1:0] sync_q;

  assign rst_no = sync_q[STAGES-1];

  always_ff @(posedge clk_i or negedge rst_async_ni) begin
    if (!rst_async_ni) sync_q <= '0;
    else sync_q <= {sync_q[STAGES-2:0], 1'b1};
  end
endmodule
