// SPDX-License-Identifier: Apache-2.0
// Read-ahead of wqe_fetch: asks for whole groups of blocks, like a third port of it.
//
// It begins behind a fetch of the requester and goes on below the producer index, AHEAD groups at most beyond the one
// that was looked up last. A look-up of that QP also tells where its producer index is by now, so what is posted while
// the QP sends is read before it is wanted. A group that is on chip already is passed by; one for which there is no
// place ends it.
// Owns: where it goes on, for one QP: that of the last fetch of the requester.
// Order: groups of rising index. A new fetch takes the place of what was going on, in the cycle of a strobe too.
// Cycles: one group a cycle while pass_i is high. Reset: nothing is asked until the next fetch.
// Errors: none. A ring of less than a group is not read ahead, whatever its producer index says.
module wqe_ahead #(
    parameter int unsigned AHEAD    = 6,
    parameter int unsigned QPS_LOG2 = 24         // of a QPN
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  cairn_int_pkg::wqe_fetch_t  begin_i,  // strobe: a fetch of the requester is issued
    input  cairn_int_pkg::wqe_lookup_t look_i,   // strobe: its look-up has found a block
    input  logic                       pass_i,   // strobe: the group asked for is here, or comes
    input  logic                       stop_i,   // strobe: there is no place for it
    output cairn_int_pkg::wqe_fetch_t  fetch_o
);
  if (AHEAD > 15) begin : g_chk
    $error("wqe_ahead: AHEAD must be 15 at most");
  end
  logic        on_q;
  logic [QPS_LOG2-1:0] qpn_q;
  logic [7:0]  gen_q;
  logic [12:0] group_q, from_q, past, left, next;   // index / 8: the next one, the one that was looked up
  logic [15:0] limit_q;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic        want;
  assign left    = limit_q[15:3] - group_q;
  assign past    = group_q - from_q;
  assign next    = (begin_i.valid ? begin_i.index[15:3] : group_q) + 13'd1;
  assign want    = on_q && !left[12] && left != '0 && (past[12] || (past[11:4] == '0 && past[3:0] <= 4'(AHEAD)));
  assign fetch_o = {want, 24'(qpn_q), gen_q, group_q, 3'h0, limit_q, base_q, log2_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q <= 1'b0;
    end else if (begin_i.valid) begin
      on_q    <= begin_i.log2 >= 4'd3;
      qpn_q   <= begin_i.qpn[QPS_LOG2-1:0];
      gen_q   <= begin_i.gen;
      group_q <= next;
      from_q  <= begin_i.index[15:3];
      limit_q <= begin_i.limit;
      base_q  <= begin_i.base;
      log2_q  <= begin_i.log2;
    end else begin
      if (pass_i) group_q <= next;
      if (stop_i) on_q <= 1'b0;
      if (look_i.valid && {look_i.qpn[QPS_LOG2-1:0], look_i.gen} == {qpn_q, gen_q}) begin
        from_q  <= look_i.index[15:3];
        limit_q <= look_i.limit;
      end
    end
  end
endmodule
