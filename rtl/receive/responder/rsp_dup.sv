// SPDX-License-Identifier: Apache-2.0
// The oldest duplicate READ or atomic of each slot that rsp_tx has not answered yet.
//
// A later one of the same QP is forgotten: answering the oldest resends everything after it. rsp_commit puts them in; a
// read has pending and record one cycle later. A take removes the record of the last read, unless an older one has come
// since: then it stays, and rsp_commit's kick brings rsp_tx back. Reset: clears itself. Errors: none.
module rsp_dup #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    put_valid_i,
    input  cairn_int_pkg::rsp_rec_t put_rec_i,
    input  logic                    rd_valid_i,
    input  logic [AW-1:0]           rd_slot_i,
    output logic                    rd_pending_o,
    output cairn_int_pkg::rsp_dup_t rd_dup_o,
    input  logic                    take_i
);
  // A slot has one while its two bits differ: one is written with it, the other when it is taken.
  logic [cairn_int_pkg::RSP_KEPT_W-1:0]     kept  [0:SLOTS-1];   // of put_rec_i's slot: bit, who, PSN
  logic                      taken [0:SLOTS-1];
  cairn_int_pkg::rsp_rec_t   r;
  cairn_int_pkg::rsp_kept_t  k;
  logic [AW-1:0]             slot, rd_slot_q, init_slot_q;
  logic [23:0]               older;
  logic                      we, have, touched_q, takes, init_q, rd_bit, rd_out_q, clash_q;

  assign r     = put_rec_i;
  assign slot  = r.id.slot[AW-1:0];
  assign k     = kept[slot];
  assign older = r.psn - k.psn;
  assign have  = k.turn != taken[slot];
  assign takes = take_i && !touched_q && !(we && slot == rd_slot_q);
  assign we    = put_valid_i && (!have || {k.gen, k.qpn} != {r.id.gen, r.id.qpn} || older[23]);

  ram_1r1w #(.WIDTH(1 + cairn_int_pkg::RSP_DUP_W), .DEPTH(SLOTS), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we || init_q), .waddr_i(init_q ? init_slot_q : slot),
      .wdata_i({!init_q && !taken[slot], r.kind == cairn_int_pkg::RSK_DUPAT, r.atomic.cas, r.id.gen, r.id.qpn, r.psn,
                r.place.va, r.place.key, r.place.mlen}),
      .re_i(rd_valid_i), .raddr_i(rd_slot_i), .rdata_o({rd_bit, rd_dup_o}));
  // One that comes in the cycle of the read kicks again.
  assign rd_pending_o = rd_bit != rd_out_q && !clash_q;

  always_ff @(posedge clk_i) begin
    if (we || init_q) kept[init_q ? init_slot_q : slot] <= {!init_q && !taken[slot], r.id.gen, r.id.qpn, r.psn};
  end
  always_ff @(posedge clk_i) begin
    if (takes || init_q) taken[init_q ? init_slot_q : rd_slot_q] <= !init_q && rd_bit;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
    end else if (init_q) begin
      init_slot_q <= init_slot_q + 1'b1;
      init_q      <= init_slot_q != AW'(SLOTS - 1);
    end
    if (rd_valid_i) begin
      rd_slot_q <= rd_slot_i;
      rd_out_q  <= taken[rd_slot_i];
      clash_q   <= we && slot == rd_slot_i;
      touched_q <= 1'b0;
    end else if (we && slot == rd_slot_q) begin
      touched_q <= 1'b1;
    end
  end
endmodule
