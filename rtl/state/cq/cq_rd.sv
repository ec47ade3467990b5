// SPDX-License-Identifier: Apache-2.0
// Reads of CQ consumer records (struct cq_ci; the index word) for cqe_write, up to READS in flight.
//
// cqe_write asks for one a CQ at a time, at an address that is a multiple of 8. Client RD_CQ, tags from TAG_BASE on
// (below are the fills of the CQ cache).
// Order: results come in order of arrival. An entry is free again when its result has been taken, so results always
//   have room.
// Cycles: asked for every second cycle, two from the order to rd_o. Errors: none; a failed read is told (err).
module cq_rd #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned READS    = 8,
    parameter int unsigned TAG_BASE = 64,
    localparam int unsigned RW  = $clog2(READS),
    localparam int unsigned RDW = cairn_int_pkg::DMA_RD_W
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      epoch_i,
    input  cairn_int_pkg::ci_read_t   ci_i,
    output logic                      ci_ready_o,
    output cairn_int_pkg::ci_answer_t consumer_index_o,
    input  logic                      consumer_index_ready_i,
    output cairn_int_pkg::dma_read_t  rd_o,
    input  logic                      rd_ready_i,
    input  cairn_int_pkg::dma_beat_t  beat_i,
    input  logic [DATA_W-1:0]         beat_data_i,
    output logic                      idle_o
);
  localparam int unsigned LENW = cairn_int_pkg::LEN_W;
  localparam int unsigned TW   = cairn_int_pkg::RTAG_W;
  logic [READS-1:0] busy_q, got_q, oh;
  logic [cairn_int_pkg::SLOT_W-1:0] slot [0:READS-1];
  logic             full [0:READS-1];
  logic [31:0]      index [0:READS-1];
  logic             avail, out_ready, take, pop;
  logic [RW-1:0]    idx, done_idx;
  logic             done_err;
  cairn_int_pkg::dma_rd_t  rd;
  cairn_int_pkg::dma_rsp_t rsp;
  logic             mine, word;
  logic [TW-1:0]    rel;
  logic [RW-1:0]    ri;

  prio_enc_onehot #(.N(READS)) u_free (.in_i(~busy_q), .valid_o(avail), .idx_o(idx), .onehot_o(oh));
  cairn_int_pkg::ci_read_t ci;
  stream_half #(.WIDTH(cairn_int_pkg::CI_READ_W - 1)) u_in (
      .clk_i, .rst_ni, .in_valid_i(ci_i.valid), .in_ready_o(ci_ready_o), .in_data_i({ci_i.slot, ci_i.iova, ci_i.full}),
      .out_valid_o(ci.valid), .out_ready_i(avail && out_ready), .out_data_o({ci.slot, ci.iova, ci.full}));
  assign take = ci.valid && avail && out_ready;
  always_comb begin
    rd       = '0;
    rd.iova  = ci.iova;
    rd.len   = LENW'(4);
    rd.tag   = TW'(TAG_BASE) + TW'(idx);
    rd.epoch = epoch_i;
  end
  stream_reg #(.WIDTH(RDW)) u_out (
      .clk_i, .rst_ni, .in_valid_i(ci.valid && avail), .in_ready_o(out_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));

  assign rsp   = beat_i.meta;
  assign rel   = rsp.tag - TW'(TAG_BASE);
  assign mine  = beat_i.valid && rsp.client == 4'(cairn_int_pkg::RD_CQ) && rel < TW'(READS);
  assign ri    = rel[RW-1:0];
  assign word  = mine && rsp.offset == '0 && rsp.nbytes >= 7'd4;

  sync_fifo #(.WIDTH(RW + 1), .DEPTH(READS)) u_done (
      .clk_i, .rst_ni, .in_valid_i(mine && rsp.last), .in_ready_o(),
      .in_data_i({rsp.err || !(word || got_q[ri]), ri}),
      .out_valid_o(consumer_index_o.valid), .out_ready_i(consumer_index_ready_i), .out_data_o({done_err, done_idx}));
  assign pop                    = consumer_index_o.valid && consumer_index_ready_i;
  assign consumer_index_o.slot  = slot[done_idx];
  assign consumer_index_o.full  = full[done_idx];
  assign consumer_index_o.index = index[done_idx];
  assign consumer_index_o.err   = done_err;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= '0;
    end else begin
      for (int unsigned i = 0; i < READS; i++) begin
        if (take && oh[i]) busy_q[i] <= 1'b1;
        else if (pop && done_idx == RW'(i)) busy_q[i] <= 1'b0;
      end
    end
    got_q <= (got_q | (word ? (READS'(1) << ri) : '0)) & ~(take ? oh : '0);
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      slot[idx] <= ci.slot;
      full[idx] <= ci.full;
    end
  end
  // What is read from a multiple of 4 comes at the beginning of a beat, whatever the width.
  always_ff @(posedge clk_i) if (word) index[ri] <= beat_data_i[31:0];
  assign idle_o = busy_q == '0 && !ci.valid;
endmodule
