// SPDX-License-Identifier: Apache-2.0
// Function reset: the FLR of config space, and CTRL.FN_RESET of BAR0.
//
// Order: the DMA engines stop at TLP boundaries, and reads that are out end by completion or timeout; the transmitter
//   ends the frame on the wire; everything behind the host boundary is held in reset for RESET_CYCLES; then done, until
//   the request falls.
// Bounds: the completion timeout of dma_read, and for a wire that stands still 2^QUIET_LOG2 cycles (17 ms at 250 MHz,
//   34 ms at 125 MHz; a pause frame of 10 Gb/s stops it for 3.4 ms at the most); then the frame is cut. PCIe base
//   specification 6.6.2: 100 ms.
// stop_o: no new TLP, packet or visit is begun. core_rst_no: reset of all but the TLP boundary, the books of the DMA
// engines and this. cut_o: the frame on the wire is not waited for, from the cycle before the reset to its end
// (mac_cut).
module flr_ctl #(
    parameter int unsigned RESET_CYCLES = 16,
    parameter int unsigned QUIET_LOG2   = 22
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic cfg_flr_i,          // level, until cfg_flr_done_o
    output logic cfg_flr_done_o,
    input  logic fn_reset_i,         // level, until fn_done_o
    output logic fn_done_o,
    output logic stop_o,
    output logic core_rst_no,
    input  logic rd_done_i,          // dma_read
    input  logic wr_done_i,          // dma_write
    input  logic tx_quiet_i,         // no frame under way
    output logic cut_o
);
  typedef enum logic [1:0] {RUN, STOP, CLEAR, DONE} state_e;
  state_e     state_q;
  logic [$clog2(RESET_CYCLES+1)-1:0] count_q;
  logic       req, late, leave, cut_q;
  logic [QUIET_LOG2:0] wait_q;       // cycles in STOP, up to 2^QUIET_LOG2

  assign req            = cfg_flr_i || fn_reset_i;
  assign core_rst_no    = rst_ni && state_q != CLEAR;
  assign late           = wait_q[QUIET_LOG2];
  assign leave          = state_q == STOP && rd_done_i && wr_done_i && (tx_quiet_i || late);
  assign cut_o          = (leave && !tx_quiet_i) || (state_q == CLEAR && cut_q);
  assign cfg_flr_done_o = state_q == DONE && cfg_flr_i;
  assign fn_done_o      = state_q == DONE && fn_reset_i;

  always_ff @(posedge clk_i) begin
    cut_q <= cut_o && rst_ni;
    if (!rst_ni || state_q != STOP) wait_q <= '0;
    else if (!late) wait_q <= wait_q + 1'b1;
    if (!rst_ni) begin
      state_q <= RUN;
      stop_o  <= 1'b0;
      count_q <= '0;
    end else begin
      case (state_q)
        RUN:  if (req) begin
          state_q <= STOP;
          stop_o  <= 1'b1;
        end
        STOP: if (leave) begin
          state_q <= CLEAR;
          count_q <= ($clog2(RESET_CYCLES+1))'(RESET_CYCLES);
        end
        CLEAR: begin
          count_q <= count_q - 1'b1;
          if (count_q == '0) state_q <= DONE;
        end
        default: if (!req) begin
          state_q <= RUN;
          stop_o  <= 1'b0;
        end
      endcase
    end
  end
endmodule
