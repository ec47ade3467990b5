// SPDX-License-Identifier: Apache-2.0
// Payload of everything that is sent: two rings (0: requests, 1: READ responses) in front of tx_arbiter.
//
// A job comes in with its segments; the bytes are read from host memory (many reads in flight, any order back) or taken
// from the inline stream; the job is offered when all of it is on chip. So nothing behind here ever waits for host
// memory. Wiring: tx_ring (jobs, space) x 2, tx_fetch (reads, tags), tx_fill (placement), tx_payload_ram. Ring 1 takes
// no inline segments.
// Errors: a failed read shows with its job; tx_check reports it.
module tx_payload #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned RING_BYTES = (DATA_W >= 512) ? 32768 : 16384,  // each ring
    parameter int unsigned JOBS       = (DATA_W >= 512) ? 64 : 16,       // each ring
    parameter int unsigned TAGS       = (DATA_W >= 512) ? 128 : 32,      // reads under way
    localparam int unsigned BYTES     = DATA_W / 8,
    localparam int unsigned NB_W      = $clog2(BYTES) + 1,
    localparam int unsigned WORD_W    = $clog2(RING_BYTES / BYTES),
    localparam int unsigned CNT_W     = $clog2(4096 / BYTES + 2),
    localparam int unsigned JOB_W     = cairn_int_pkg::TX_JOB_W,
    localparam int unsigned SEG_W     = cairn_int_pkg::TX_SEG_W
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    // ring 0: requests
    input  logic                     req_job_valid_i,
    output logic                     req_job_ready_o,
    input  logic [JOB_W-1:0]         req_job_i,
    input  logic                     req_seg_valid_i,
    output logic                     req_seg_ready_o,
    input  logic [SEG_W-1:0]         req_seg_i,
    input  logic                     inline_valid_i,
    output logic                     inline_ready_o,
    input  logic [DATA_W-1:0]        inline_data_i,
    input  logic [NB_W-1:0]          inline_nbytes_i,
    input  logic                     inline_last_i,
    // ring 1: responses
    input  logic                     rsp_job_valid_i,
    output logic                     rsp_job_ready_o,
    input  logic [JOB_W-1:0]         rsp_job_i,
    input  logic                     rsp_seg_valid_i,
    output logic                     rsp_seg_ready_o,
    input  logic [SEG_W-1:0]         rsp_seg_i,
    // host reads, client RD_TXP
    output cairn_int_pkg::dma_read_t rd_o,
    input  logic                     rd_ready_i,
    input  cairn_int_pkg::dma_beat_t beat_i,
    input  logic [DATA_W-1:0]        beat_data_i,
    // oldest complete job of each ring; bit and field 0 is ring 0
    output logic [1:0]               head_valid_o,
    input  logic [1:0]               head_ready_i,
    output logic [1:0]               head_bad_o,
    output logic [2*JOB_W-1:0]       head_job_o,
    output logic [2*WORD_W-1:0]      head_word_o,
    output logic [2*CNT_W-1:0]       head_words_o,
    // words read by the builder are free again
    input  logic [1:0]               rel_valid_i,
    input  logic [CNT_W-1:0]         rel_words_i,
    // the builder's read port, data one cycle later
    input  logic                     ram_rd_i,
    input  logic                     ram_rd_ring_i,
    input  logic [WORD_W-1:0]        ram_rd_word_i,
    output logic [DATA_W-1:0]        ram_rd_data_o,
    // state
    output logic [1:0]               wait_o,        // per ring: the oldest job waits for payload
    output logic [1:0]               pend_epoch_o,  // jobs of epoch 0, 1 wait for payload
    input  logic [1:0]               drain_i,       // per ring, see tx_ring
    output logic [1:0]               drained_o,
    output logic                     idle_o
);
  localparam int unsigned ADDR_W  = $clog2(RING_BYTES);
  localparam int unsigned JSLOT_W = $clog2(JOBS);
  localparam int unsigned TAG_W   = $clog2(TAGS);
  localparam int unsigned DEST_W  = 1 + JSLOT_W + ADDR_W;

  logic [1:0]           job_valid, job_ready, seg_valid, seg_ready, cmd_valid, cmd_ready, cmd_epoch, done_valid;
  logic [1:0]           ring_idle;
  logic [2*JOB_W-1:0]   job;
  logic [2*SEG_W-1:0]   seg, cmd_seg;
  logic [2*JSLOT_W-1:0] cmd_slot;
  logic [2*ADDR_W-1:0]  cmd_addr;
  logic [JSLOT_W-1:0]   done_slot;
  logic                 done_err;
  logic [3:0]           pend;

  assign job_valid       = {rsp_job_valid_i, req_job_valid_i};
  assign job             = {rsp_job_i, req_job_i};
  assign seg_valid       = {rsp_seg_valid_i, req_seg_valid_i};
  assign seg             = {rsp_seg_i, req_seg_i};
  assign {rsp_job_ready_o, req_job_ready_o} = job_ready;
  assign {rsp_seg_ready_o, req_seg_ready_o} = seg_ready;

  for (genvar g = 0; g < 2; g++) begin : g_ring
    tx_ring #(.DATA_W(DATA_W), .RING_BYTES(RING_BYTES), .JOBS(JOBS)) u_ring (
        .clk_i, .rst_ni,
        .job_valid_i(job_valid[g]), .job_ready_o(job_ready[g]), .job_i(job[g*JOB_W +: JOB_W]),
        .seg_valid_i(seg_valid[g]), .seg_ready_o(seg_ready[g]), .seg_i(seg[g*SEG_W +: SEG_W]),
        .cmd_valid_o(cmd_valid[g]), .cmd_ready_i(cmd_ready[g]), .cmd_seg_o(cmd_seg[g*SEG_W +: SEG_W]),
        .cmd_epoch_o(cmd_epoch[g]), .cmd_slot_o(cmd_slot[g*JSLOT_W +: JSLOT_W]),
        .cmd_addr_o(cmd_addr[g*ADDR_W +: ADDR_W]),
        .done_valid_i(done_valid[g]), .done_slot_i(done_slot), .done_err_i(done_err),
        .head_valid_o(head_valid_o[g]), .head_ready_i(head_ready_i[g]), .head_bad_o(head_bad_o[g]),
        .head_job_o(head_job_o[g*JOB_W +: JOB_W]), .head_word_o(head_word_o[g*WORD_W +: WORD_W]),
        .head_words_o(head_words_o[g*CNT_W +: CNT_W]),
        .rel_valid_i(rel_valid_i[g]), .rel_words_i,
        .wait_o(wait_o[g]), .pend_epoch_o(pend[2*g +: 2]), .drain_i(drain_i[g]), .drained_o(drained_o[g]),
        .idle_o(ring_idle[g]));
  end

  assign pend_epoch_o = pend[1:0] | pend[3:2];

  logic              dest_we, inl_valid, inl_ready, tag_valid, fetch_idle, fill_idle;
  logic [TAG_W-1:0]  dest_tag, tag;
  logic [DEST_W-1:0] dest, inl_dest;

  tx_fetch #(.TAGS(TAGS), .ADDR_W(ADDR_W), .JSLOT_W(JSLOT_W)) u_fetch (
      .clk_i, .rst_ni,
      .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_seg_i(cmd_seg), .cmd_epoch_i(cmd_epoch),
      .cmd_slot_i(cmd_slot), .cmd_addr_i(cmd_addr),
      .rd_o, .rd_ready_i,
      .dest_we_o(dest_we), .dest_tag_o(dest_tag), .dest_o(dest),
      .inl_valid_o(inl_valid), .inl_ready_i(inl_ready), .inl_dest_o(inl_dest),
      .tag_valid_i(tag_valid), .tag_i(tag), .idle_o(fetch_idle));

  logic              wr_valid, wr_ring;
  logic [WORD_W-1:0] wr_word;
  logic [BYTES-1:0]  wr_be, wr_be_next;
  logic [DATA_W-1:0] wr_data;

  tx_fill #(.DATA_W(DATA_W), .TAGS(TAGS), .ADDR_W(ADDR_W), .JSLOT_W(JSLOT_W)) u_fill (
      .clk_i, .rst_ni,
      .dest_we_i(dest_we), .dest_tag_i(dest_tag), .dest_i(dest),
      .inl_valid_i(inl_valid), .inl_ready_o(inl_ready), .inl_dest_i(inl_dest),
      .beat_i, .beat_data_i,
      .inline_valid_i, .inline_ready_o, .inline_data_i, .inline_nbytes_i, .inline_last_i,
      .wr_valid_o(wr_valid), .wr_ring_o(wr_ring), .wr_word_o(wr_word), .wr_be_o(wr_be),
      .wr_be_next_o(wr_be_next), .wr_data_o(wr_data),
      .done_valid_o(done_valid), .done_slot_o(done_slot), .done_err_o(done_err),
      .tag_valid_o(tag_valid), .tag_o(tag), .idle_o(fill_idle));

  tx_payload_ram #(.DATA_W(DATA_W), .WORD_W(WORD_W)) u_ram (
      .clk_i,
      .wr_valid_i(wr_valid), .wr_ring_i(wr_ring), .wr_word_i(wr_word), .wr_be_i(wr_be),
      .wr_be_next_i(wr_be_next), .wr_data_i(wr_data),
      .rd_i(ram_rd_i), .rd_ring_i(ram_rd_ring_i), .rd_word_i(ram_rd_word_i), .rd_data_o(ram_rd_data_o));

  assign idle_o = ring_idle == 2'b11 && fetch_idle && fill_idle;
endmodule
