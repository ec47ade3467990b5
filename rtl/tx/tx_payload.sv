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
    parameter int unsigned QPS_LOG2   = 24,
    localparam int unsigned BYTES     = DATA_W / 8,
    localparam int unsigned LANE_W    = $clog2(BYTES),
    localparam int unsigned JSLOT_W   = $clog2(JOBS),
    localparam int unsigned WORD_W    = $clog2(RING_BYTES / BYTES),
    localparam int unsigned CNT_W     = $clog2(4096 / BYTES + 2)
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // ring 0: requests
    input  cairn_int_pkg::tx_requests_t       requests_i,
    output cairn_int_pkg::tx_requests_ready_t requests_ready_o,
    input  logic [DATA_W-1:0]                 requests_inl_data_i,
    // ring 1: responses
    input  logic                              rsp_job_valid_i,
    output logic                              rsp_job_ready_o,
    input  cairn_int_pkg::tx_job_t            rsp_job_i,
    input  logic                              rsp_seg_valid_i,
    output logic                              rsp_seg_ready_o,
    input  cairn_int_pkg::tx_seg_t            rsp_seg_i,
    // tx_form, see tx_ring; 0: requests
    output logic [1:0]                        want_o,
    output logic [JSLOT_W-1:0]                req_slot_o,
    output logic [JSLOT_W-1:0]                rsp_slot_o,
    input  logic [1:0]                        begin_i,
    input  logic [LANE_W-1:0]                 off_i,
    input  logic [1:0]                        done_i,
    // host reads, client RD_TXP
    output cairn_int_pkg::dma_read_t          rd_o,
    input  logic                              rd_ready_i,
    input  cairn_int_pkg::dma_beat_t          beat_i,
    input  logic [DATA_W-1:0]                 beat_data_i,
    // oldest complete job of each ring, and words read by the builder that are free again
    output cairn_int_pkg::tx_head_t           req_head_o,
    output cairn_int_pkg::tx_head_t           rsp_head_o,
    input  logic [1:0]                        head_ready_i,
    input  cairn_int_pkg::tx_release_t        rel_i,
    // the builder's read port, data one cycle later
    input  cairn_int_pkg::tx_ram_read_t       ram_rd_i,
    output logic [DATA_W-1:0]                 ram_rd_data_o,
    // state
    output logic [1:0]                        wait_o,        // per ring: the oldest job waits for payload
    output logic [1:0]                        pend_epoch_o,  // jobs of epoch 0, 1 wait for payload
    input  logic [1:0]                        drain_i,       // per ring, see tx_ring
    output logic [1:0]                        drained_o,
    output logic                              idle_o
);
  localparam int unsigned ADDR_W  = $clog2(RING_BYTES);
  localparam int unsigned TAG_W   = $clog2(TAGS);

  logic [1:0] cmd_ready, ring_idle;
  logic [3:0]              pend;
  cairn_int_pkg::tx_cmd_t  req_cmd, rsp_cmd;
  cairn_int_pkg::tx_done_t done;

  tx_ring #(.DATA_W(DATA_W), .RING_BYTES(RING_BYTES), .JOBS(JOBS), .QPS_LOG2(QPS_LOG2), .PLACE(0)) u_req_ring (
      .clk_i, .rst_ni,
      .want_o(want_o[0]), .want_slot_o(req_slot_o), .begin_i(begin_i[0]), .off_i, .done_i(done_i[0]),
      .job_valid_i(requests_i.job_valid), .job_ready_o(requests_ready_o.job), .job_i(requests_i.job),
      .seg_valid_i(requests_i.seg_valid), .seg_ready_o(requests_ready_o.seg), .seg_i(requests_i.seg),
      .cmd_o(req_cmd), .cmd_ready_i(cmd_ready[0]),
      .done_valid_i(done.req), .done_slot_i(done.slot[JSLOT_W-1:0]), .done_err_i(done.err),
      .head_o(req_head_o), .head_ready_i(head_ready_i[0]),
      .rel_valid_i(rel_i.req), .rel_words_i(rel_i.words[CNT_W-1:0]),
      .wait_o(wait_o[0]), .pend_epoch_o(pend[1:0]), .drain_i(drain_i[0]), .drained_o(drained_o[0]),
      .idle_o(ring_idle[0]));
  // A response has nothing of what only requests carry.
  cairn_int_pkg::tx_job_t rsp_job;
  always_comb begin
    rsp_job              = rsp_job_i;
    rsp_job.retx         = 1'b0;
    rsp_job.send_epoch   = '0;
    rsp_job.qkey         = '0;
    rsp_job.args.va      = '0;
    rsp_job.args.key     = '0;
    rsp_job.args.len     = '0;
    rsp_job.args.imm     = '0;
    rsp_job.args.compare = '0;
  end
  tx_ring #(.DATA_W(DATA_W), .RING_BYTES(RING_BYTES), .JOBS(JOBS), .QPS_LOG2(QPS_LOG2), .PLACE(JOBS)) u_rsp_ring (
      .clk_i, .rst_ni,
      .want_o(want_o[1]), .want_slot_o(rsp_slot_o), .begin_i(begin_i[1]), .off_i, .done_i(done_i[1]),
      .job_valid_i(rsp_job_valid_i), .job_ready_o(rsp_job_ready_o), .job_i(rsp_job),
      .seg_valid_i(rsp_seg_valid_i), .seg_ready_o(rsp_seg_ready_o), .seg_i(rsp_seg_i),
      .cmd_o(rsp_cmd), .cmd_ready_i(cmd_ready[1]),
      .done_valid_i(done.rsp), .done_slot_i(done.slot[JSLOT_W-1:0]), .done_err_i(done.err),
      .head_o(rsp_head_o), .head_ready_i(head_ready_i[1]),
      .rel_valid_i(rel_i.rsp), .rel_words_i(rel_i.words[CNT_W-1:0]),
      .wait_o(wait_o[1]), .pend_epoch_o(pend[3:2]), .drain_i(drain_i[1]), .drained_o(drained_o[1]),
      .idle_o(ring_idle[1]));

  assign pend_epoch_o = pend[1:0] | pend[3:2];

  logic dest_we, inl_valid, inl_ready, tag_valid, fetch_idle, fill_idle;
  logic [TAG_W-1:0] dest_tag, tag;
  cairn_int_pkg::tx_dest_t dest, inl_dest;

  tx_fetch #(.TAGS(TAGS), .ADDR_W(ADDR_W), .JSLOT_W(JSLOT_W)) u_fetch (
      .clk_i, .rst_ni,
      .req_cmd_i(req_cmd), .rsp_cmd_i(rsp_cmd), .cmd_ready_o(cmd_ready),
      .rd_o,
      .rd_ready_i,
      .dest_we_o(dest_we), .dest_tag_o(dest_tag), .dest_o(dest),
      .inl_valid_o(inl_valid), .inl_ready_i(inl_ready), .inl_dest_o(inl_dest),
      .tag_valid_i(tag_valid), .tag_i(tag), .idle_o(fetch_idle));

  cairn_int_pkg::tx_ram_write_t wr;
  cairn_int_pkg::beat_t         inline_beat;
  logic [BYTES-1:0] wr_be, wr_be_next;
  logic [DATA_W-1:0] wr_data;

  assign inline_beat = {requests_i.inl_valid, requests_i.inl_last, 1'b0, requests_i.inl_nbytes};

  tx_fill #(.DATA_W(DATA_W), .TAGS(TAGS), .ADDR_W(ADDR_W), .JSLOT_W(JSLOT_W)) u_fill (
      .clk_i, .rst_ni,
      .dest_we_i(dest_we), .dest_tag_i(dest_tag), .dest_i(dest),
      .inl_valid_i(inl_valid), .inl_ready_o(inl_ready), .inl_dest_i(inl_dest),
      .beat_i, .beat_data_i,
      .inline_i(inline_beat), .inline_ready_o(requests_ready_o.inl), .inline_data_i(requests_inl_data_i),
      .wr_o(wr),
      .wr_be_o(wr_be), .wr_be_next_o(wr_be_next), .wr_data_o(wr_data), .done_o(done),
      .tag_valid_o(tag_valid), .tag_o(tag), .idle_o(fill_idle));

  tx_payload_ram #(.DATA_W(DATA_W), .WORD_W(WORD_W)) u_ram (
      .clk_i,
      .wr_i(wr), .wr_be_i(wr_be), .wr_be_next_i(wr_be_next), .wr_data_i(wr_data),
      .rd_i(ram_rd_i), .rd_data_o(ram_rd_data_o));

  assign idle_o = ring_idle == 2'b11 && fetch_idle && fill_idle;
endmodule
