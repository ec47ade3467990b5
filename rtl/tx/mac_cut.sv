// SPDX-License-Identifier: Apache-2.0
// Last stage before the MAC, outside the function reset: ends the frame that a reset cuts.
//
// A reset cuts a frame when the wire has stood still so long (a pause without end, a MAC without a clock) that it did
// not wait any longer. cut_i: the core is reset, from the cycle before its reset until the last cycle of it (flr_ctl).
// From then on nothing comes from the core; the beat on offer stays as it is until the MAC takes it. If it is not the
// frame's last, one byte with last and err follows: the MAC sends the frame with a bad FCS, and what comes after the
// reset is a frame of its own. Otherwise the stage is a wire: no register, no cycle.
// idle_o: nothing of a cut frame is left in here.
module mac_cut #(
    parameter  int unsigned DATA_W = 512,
    localparam int unsigned NB_W   = $clog2(DATA_W / 8) + 1
) (
    input  logic              clk_i,
    input  logic              rst_ni,       // power-up reset
    input  logic              cut_i,
    input  logic              in_valid_i,
    output logic              in_ready_o,
    input  logic              in_last_i,
    input  logic              in_err_i,
    input  logic [DATA_W-1:0] in_data_i,
    input  logic [NB_W-1:0]   in_nbytes_i,
    output logic              out_valid_o,
    input  logic              out_ready_i,
    output logic              out_last_o,
    output logic              out_err_o,
    output logic [DATA_W-1:0] out_data_o,
    output logic [NB_W-1:0]   out_nbytes_o,
    output logic              idle_o
);
  logic              cut_q, open_q;     // open_q: a frame is begun and not ended
  logic              hold_q, end_q;     // to be sent: the beat that was on offer; the end
  logic              last_q, err_q;
  logic [DATA_W-1:0] data_q;
  logic [NB_W-1:0]   nbytes_q;
  logic              shut;

  assign shut         = cut_q || !idle_o;
  assign idle_o       = !hold_q && !end_q;
  assign in_ready_o   = !shut && out_ready_i;
  assign out_valid_o  = shut ? !idle_o : in_valid_i;
  assign out_last_o   = !shut ? in_last_i : hold_q ? last_q : 1'b1;
  assign out_err_o    = !shut ? in_err_i : hold_q ? err_q : 1'b1;
  assign out_data_o   = shut ? data_q : in_data_i;
  assign out_nbytes_o = !shut ? in_nbytes_i : hold_q ? nbytes_q : NB_W'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cut_q  <= 1'b0;
      open_q <= 1'b0;
      hold_q <= 1'b0;
      end_q  <= 1'b0;
    end else begin
      cut_q <= cut_i;
      if (out_valid_o && out_ready_i) open_q <= !out_last_o;
      if (cut_i && !shut) begin
        hold_q <= in_valid_i && !out_ready_i;
        end_q  <= in_valid_i ? !in_last_i : open_q;
      end else if (out_ready_i) begin
        hold_q <= 1'b0;
        if (!hold_q) end_q <= 1'b0;
      end
    end
    if (cut_i && !shut) begin
      last_q   <= in_last_i;
      err_q    <= in_err_i;
      data_q   <= in_data_i;
      nbytes_q <= in_nbytes_i;
    end
  end
endmodule
