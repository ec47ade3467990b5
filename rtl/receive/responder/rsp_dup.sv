// SPDX-License-Identifier: Apache-2.0
// The oldest duplicate READ or atomic of each slot that rsp_tx has not answered yet.
//
// A later one of the same QP is forgotten: answering the oldest resends everything after it. rsp_commit puts them in; a
// read has pending and record one cycle later. A take removes the record of the last read, unless an older one has come
// since: then it stays, and rsp_commit's kick brings rsp_tx back. Errors: none.
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
  logic [SLOTS-1:0]  have_q;
  logic [23:0]       psn [0:SLOTS-1];
  logic [31:0]       who [0:SLOTS-1];
  cairn_int_pkg::rsp_rec_t r;
  logic [AW-1:0]     slot, rd_slot_q;
  logic [23:0]       older;
  logic              we, touched_q, taken;

  assign r     = put_rec_i;
  assign slot  = r.id.slot[AW-1:0];
  assign older = r.psn - psn[slot];
  assign taken = take_i && !touched_q && !(we && slot == rd_slot_q);
  assign we    = put_valid_i && (!have_q[slot] || who[slot] != {r.id.gen, r.id.qpn} || older[23]);

  ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_DUP_W), .DEPTH(SLOTS), .BYPASS(1)) u_ram (
      .clk_i, .we_i(we), .waddr_i(slot),
      .wdata_i({r.kind == cairn_int_pkg::RSK_DUPAT, r.atomic.cas, r.id.gen, r.id.qpn, r.psn, r.place.va, r.place.key,
                r.place.mlen}),
      .re_i(rd_valid_i), .raddr_i(rd_slot_i), .rdata_o(rd_dup_o));

  always_ff @(posedge clk_i) begin
    if (we) psn[slot] <= r.psn;
  end
  always_ff @(posedge clk_i) begin
    if (we) who[slot] <= {r.id.gen, r.id.qpn};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_q <= '0;
    end else begin
      if (taken) have_q[rd_slot_q] <= 1'b0;
      if (we) have_q[slot] <= 1'b1;
    end
    if (rd_valid_i) begin
      rd_slot_q    <= rd_slot_i;
      rd_pending_o <= have_q[rd_slot_i] || (we && slot == rd_slot_i);
      touched_q    <= 1'b0;
    end else if (we && slot == rd_slot_q) begin
      touched_q    <= 1'b1;
    end
  end
endmodule
