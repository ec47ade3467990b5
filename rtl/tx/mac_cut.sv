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
    input  logic                 clk_i,
    input  logic                 rst_ni,  // power-up reset
    input  logic                 cut_i,
    input  cairn_int_pkg::beat_t in_i,
    output logic                 in_ready_o,
    input  logic [DATA_W-1:0]    in_data_i,
    output cairn_int_pkg::beat_t out_o,
    input  logic                 out_ready_i,
    output logic [DATA_W-1:0]    out_data_o,
    output logic                 idle_o
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
  assign out_o.valid  = shut ? !idle_o : in_i.valid;
  assign out_o.last   = !shut ? in_i.last : hold_q ? last_q : 1'b1;
  assign out_o.err    = !shut ? in_i.err : hold_q ? err_q : 1'b1;
  assign out_data_o   = shut ? data_q : in_data_i;
  assign out_o.nbytes = !shut ? in_i.nbytes : hold_q ? 7'(nbytes_q) : 7'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cut_q  <= 1'b0;
      open_q <= 1'b0;
      hold_q <= 1'b0;
      end_q  <= 1'b0;
    end else begin
      cut_q <= cut_i;
      if (out_o.valid && out_ready_i) open_q <= !out_o.last;
      if (cut_i && !shut) begin
        hold_q <= in_i.valid && !out_ready_i;
        end_q  <= in_i.valid ? !in_i.last : open_q;
      end else if (out_ready_i) begin
        hold_q <= 1'b0;
        if (!hold_q) end_q <= 1'b0;
      end
    end
    if (cut_i && !shut) begin
      last_q   <= in_i.last;
      err_q    <= in_i.err;
      data_q   <= in_data_i;
      nbytes_q <= in_i.nbytes[NB_W-1:0];
    end
  end
endmodule
