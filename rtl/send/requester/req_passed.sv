// SPDX-License-Identifier: Apache-2.0
// READ and atomic requests of a WQE that a walk of req_build passes without sending them. IBTA 9.7.7.1, 10.8.3.3.
//
// Also those whose first part it passes on its way to the packet to begin with. Acknowledgements name what comes behind
// them, but only their answers complete them (the completer goes back for those that are missing). Until then they are
// outstanding, for the limit on READs and atomics and for the fence. What is answered already is in RD_DONE and is not
// counted again, be it passed or, answered since the go-back, sent once more; that can only be the oldest WQE, at the
// completer's anchor.
module req_passed #(
    parameter int unsigned READ_CHUNK = 1024    // PSNs of one READ request
) (
    input  logic         clk_i,
    input  logic         begin_i,       // a walk begins at the anchor, where
    input  logic [7:0]   rd_part_i,     // so many requests are answered
    input  logic         pass_i,        // a WQE is passed
    input  logic         counts_i,      // it is a READ or atomic
    input  logic [23:0]  npsn_i,        // PSNs of it
    input  logic [23:0]  before_i,      // of these, before the packet to begin with
    output logic [7:0]   passed_o,      // modulo 256: when it is passed
    output logic [7:0]   begun_o        // when it is begun there
);
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  logic        at_old_q;
  logic [7:0]  done_q, done;
  assign done     = at_old_q ? done_q : 8'h0;
  assign passed_o = counts_i ? 8'((npsn_i + 24'(READ_CHUNK - 1)) >> CHUNK_LG) - done : 8'h0;
  assign begun_o  = counts_i ? 8'(before_i >> CHUNK_LG) - done : 8'h0;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      at_old_q <= 1'b1;
      done_q   <= rd_part_i;
    end else if (pass_i) begin
      at_old_q <= 1'b0;
    end
  end
endmodule
