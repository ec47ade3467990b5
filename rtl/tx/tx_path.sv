// SPDX-License-Identifier: Apache-2.0
// The transmit side: jobs in, frames out. Wiring only (docs/rtl/tx.md).
//
//   requests  -> tx_payload ring 0 -> tx_check (failed reads, stale epochs) -> tx_sent -+
//   responses -> tx_payload ring 1 -> tx_check (failed reads) --------------------------+-> tx_arbiter -> tx_builder
//                                        -> u_bad (a place for each)
//   ACK, CNP jobs, raw frames -----------------------------------------------------------+   -> MAC
//
// stop_i (function reset): no new packet is begun; the one under way ends whole, and idle_o says when it is gone. Jobs
// left inside are forgotten by the reset that follows.
// Failed reads of responses wait in u_bad and never hold ring 1 up, since rsp_tx, which takes them, waits for that
// ring. It takes them before it begins another visit, so there are never more than the ring's jobs and those of a
// visit.
module tx_path #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned GIDS       = 16,
    parameter int unsigned QPS_LOG2   = 12,
    parameter int unsigned RING_BYTES = (DATA_W >= 512) ? 32768 : 16384,
    parameter int unsigned JOBS       = (DATA_W >= 512) ? 64 : 16,
    parameter int unsigned TAGS       = (DATA_W >= 512) ? 128 : 32,
    localparam int unsigned BYTES     = DATA_W / 8,
    localparam int unsigned NB_W      = $clog2(BYTES) + 1,
    localparam int unsigned JOB_W     = cairn_int_pkg::TX_JOB_W,
    localparam int unsigned SEG_W     = cairn_int_pkg::TX_SEG_W,
    localparam int unsigned SLOT_W    = cairn_int_pkg::SLOT_W,
    localparam int unsigned RAW_LEN_W = cairn_hw_pkg::REG_RAW_TX_LEN_W,
    localparam int unsigned RAW_ADDR_W = $clog2(cairn_hw_pkg::RAW_FRAME_BYTES / BYTES)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      stop_i,
    input  logic [47:0]               mac_addr_i,         // first wire byte in 47:40
    // GID table write port, the same strobes as rx_parser's
    input  cairn_int_pkg::gid_write_t gid_i,
    input  logic                      loop_i,             // frames to ourselves: see tx_way
    // requests: job, then its segments; inline data
    input  logic                      req_job_valid_i,
    output logic                      req_job_ready_o,
    input  logic [JOB_W-1:0]          req_job_meta_i,
    input  logic                      req_seg_valid_i,
    output logic                      req_seg_ready_o,
    input  logic [SEG_W-1:0]          req_seg_meta_i,
    input  logic                      inline_valid_i,
    output logic                      inline_ready_o,
    input  logic [DATA_W-1:0]         inline_data_i,
    input  logic [NB_W-1:0]           inline_nbytes_i,
    input  logic                      inline_last_i,
    // responses
    input  logic                      rsp_job_valid_i,
    output logic                      rsp_job_ready_o,
    input  logic [JOB_W-1:0]          rsp_job_meta_i,
    input  logic                      rsp_seg_valid_i,
    output logic                      rsp_seg_ready_o,
    input  logic [SEG_W-1:0]          rsp_seg_meta_i,
    // jobs without payload (pay_len 0)
    input  logic                      ack_valid_i,
    output logic                      ack_ready_o,
    input  logic [JOB_W-1:0]          ack_meta_i,
    input  logic                      cnp_valid_i,
    output logic                      cnp_ready_o,
    input  logic [JOB_W-1:0]          cnp_meta_i,
    // raw frames, from rx_raw
    input  logic                      raw_valid_i,
    output logic                      raw_ready_o,
    input  logic [RAW_LEN_W-1:0]      raw_len_i,
    output logic                      raw_done_o,
    output logic                      raw_rd_o,
    output logic [RAW_ADDR_W-1:0]     raw_rd_addr_o,
    input  logic [DATA_W-1:0]         raw_rd_data_i,
    // host reads, client RD_TXP
    output cairn_int_pkg::dma_read_t  rd_o,
    input  logic                      rd_ready_i,
    input  cairn_int_pkg::dma_beat_t  beat_i,
    input  logic [DATA_W-1:0]         beat_data_i,
    // what may leave of the requests of a QP, see tx_check
    input  logic                      ep_valid_i,
    input  logic [23:0]               ep_qpn_i,
    input  logic [16:0]               ep_i,
    // payload read failed: of a request, of a response
    output logic                      req_err_valid_o,
    input  logic                      req_err_ready_i,
    output logic [23:0]               req_err_qpn_o,
    output logic [SLOT_W-1:0]         req_err_slot_o,
    output logic [7:0]                req_err_gen_o,
    output logic [7:0]                req_err_send_epoch_o,
    output logic [23:0]               req_err_psn_o,
    output logic                      rsp_err_valid_o,
    input  logic                      rsp_err_ready_i,
    output logic [23:0]               rsp_err_qpn_o,
    output logic [7:0]                rsp_err_gen_o,
    output logic [23:0]               rsp_err_psn_o,
    // a packet of an unreliable QP has left ring 0: see tx_sent
    output logic                      sent_valid_o,
    input  logic                      sent_ready_i,
    output logic [23:0]               sent_qpn_o,
    output logic [7:0]                sent_gen_o,
    output logic [23:0]               sent_psn_o,
    output logic                      sent_end_o,
    // to the MAC
    output logic                      mac_tx_valid_o,
    input  logic                      mac_tx_ready_i,
    output logic                      mac_tx_last_o,
    output logic                      mac_tx_err_o,
    output logic [DATA_W-1:0]         mac_tx_data_o,
    output logic [NB_W-1:0]           mac_tx_nbytes_o,
    output logic [1:0]                mac_tx_way_o,       // {loop, wire} of the frame
    // state and counters
    output logic [1:0]                pend_epoch_o,       // jobs of epoch 0, 1 whose payload is outstanding
    input  logic [1:0]                drain_i,            // per ring, see tx_ring
    output logic [1:0]                drained_o,
    output logic                      idle_o,             // no job, read or frame in here
    output logic                      sending_o,          // a granted packet has not left yet
    output cairn_hw_pkg::tx_path_events_t events_o,
    // strobe: a job of the responses' ring is behind the choice, sent or dropped
    output logic                      rsp_left_o
);
  localparam int unsigned WORD_W  = $clog2(RING_BYTES / BYTES);
  localparam int unsigned CNT_W   = $clog2(4096 / BYTES + 2);
  localparam int unsigned PLACE_W = WORD_W + CNT_W;
  localparam int unsigned BADS    = JOBS + 8;

  // ---- payload
  logic [1:0]          head_valid, head_ready, head_bad, rel_valid, waits;
  logic [2*JOB_W-1:0]  head_job;
  logic [2*WORD_W-1:0] head_word;
  logic [2*CNT_W-1:0]  head_words;
  logic [CNT_W-1:0]    rel_words;
  logic                ram_rd, ram_rd_ring, payload_idle;
  logic [WORD_W-1:0]   ram_rd_word;
  logic [DATA_W-1:0]   ram_rd_data;

  tx_payload #(.DATA_W(DATA_W), .RING_BYTES(RING_BYTES), .JOBS(JOBS), .TAGS(TAGS)) u_payload (
      .clk_i, .rst_ni,
      .req_job_valid_i, .req_job_ready_o, .req_job_i(req_job_meta_i),
      .req_seg_valid_i, .req_seg_ready_o, .req_seg_i(req_seg_meta_i),
      .inline_valid_i, .inline_ready_o, .inline_data_i, .inline_nbytes_i, .inline_last_i,
      .rsp_job_valid_i, .rsp_job_ready_o, .rsp_job_i(rsp_job_meta_i),
      .rsp_seg_valid_i, .rsp_seg_ready_o, .rsp_seg_i(rsp_seg_meta_i),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .head_valid_o(head_valid), .head_ready_i(head_ready), .head_bad_o(head_bad), .head_job_o(head_job),
      .head_word_o(head_word), .head_words_o(head_words), .rel_valid_i(rel_valid), .rel_words_i(rel_words),
      .ram_rd_i(ram_rd), .ram_rd_ring_i(ram_rd_ring), .ram_rd_word_i(ram_rd_word), .ram_rd_data_o(ram_rd_data),
      .wait_o(waits), .pend_epoch_o, .drain_i, .drained_o, .idle_o(payload_idle));

  // ---- checks
  logic [1:0]           chk_valid, chk_ready, chk_drop, chk_idle;
  logic [2*JOB_W-1:0]   chk_job;
  logic [2*PLACE_W-1:0] chk_place;

  // As many failures as jobs: behind each, what stands in the ring is dropped, whatever else has failed.
  tx_check #(.CHECK(1), .FAILS(JOBS), .PLACE_W(PLACE_W), .QPS_LOG2(QPS_LOG2)) u_check_req (
      .clk_i, .rst_ni,
      .in_valid_i(head_valid[0]), .in_ready_o(head_ready[0]), .in_bad_i(head_bad[0]),
      .in_job_i(head_job[JOB_W-1:0]), .in_place_i({head_word[WORD_W-1:0], head_words[CNT_W-1:0]}),
      .ep_valid_i, .ep_qpn_i, .ep_i,
      .err_valid_o(req_err_valid_o), .err_ready_i(req_err_ready_i), .err_qpn_o(req_err_qpn_o),
      .err_slot_o(req_err_slot_o), .err_gen_o(req_err_gen_o), .err_send_epoch_o(req_err_send_epoch_o),
      .err_psn_o(req_err_psn_o),
      .out_valid_o(chk_valid[0]), .out_ready_i(chk_ready[0]), .out_drop_o(chk_drop[0]),
      .out_job_o(chk_job[JOB_W-1:0]), .out_place_o(chk_place[PLACE_W-1:0]),
      .stale_qpn_o(events_o.tx_req_check.qpn), .stale_o(events_o.tx_req_check.tx_stale), .forget_i(1'b0),
      .idle_o(chk_idle[0]));

  // With nothing in the rings and no failure left to tell of, rsp_tx has seen them all and has nothing under way.
  logic                      bad_valid, bad_ready, forget;
  logic [55:0]               bad_in;
  logic [$clog2(BADS+1)-1:0] bad_level;
  assign forget = payload_idle && chk_idle[1] && !rsp_job_valid_i && bad_level == '0;
  sync_fifo_ram #(.WIDTH(56), .DEPTH(BADS)) u_bad (
      .clk_i, .rst_ni, .in_valid_i(bad_valid), .in_ready_o(bad_ready), .in_data_i(bad_in),
      .out_valid_o(rsp_err_valid_o), .out_ready_i(rsp_err_ready_i),
      .out_data_o({rsp_err_qpn_o, rsp_err_gen_o, rsp_err_psn_o}), .level_o(bad_level));
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && bad_valid && !bad_ready) $error("tx_path: no place for a failed response");
`endif

  tx_check #(.CHECK(0), .FAILS(8), .PLACE_W(PLACE_W), .QPS_LOG2(QPS_LOG2)) u_check_rsp (
      .clk_i, .rst_ni,
      .in_valid_i(head_valid[1]), .in_ready_o(head_ready[1]), .in_bad_i(head_bad[1]),
      .in_job_i(head_job[2*JOB_W-1:JOB_W]), .in_place_i({head_word[2*WORD_W-1:WORD_W], head_words[2*CNT_W-1:CNT_W]}),
      .ep_valid_i(1'b0), .ep_qpn_i('0), .ep_i('0),
      .err_valid_o(bad_valid), .err_ready_i(bad_ready), .err_qpn_o(bad_in[55:32]),
      .err_slot_o(), .err_gen_o(bad_in[31:24]), .err_send_epoch_o(),
      .err_psn_o(bad_in[23:0]),
      .out_valid_o(chk_valid[1]), .out_ready_i(chk_ready[1]), .out_drop_o(chk_drop[1]),
      .out_job_o(chk_job[2*JOB_W-1:JOB_W]), .out_place_o(chk_place[2*PLACE_W-1:PLACE_W]),
      .stale_qpn_o(events_o.tx_rsp_check.qpn), .stale_o(events_o.tx_rsp_check.tx_rsp_dropped), .forget_i(forget),
      .idle_o(chk_idle[1]));

  logic [1:0] arb_valid, arb_ready;
  logic       sent_idle;

  tx_sent u_sent (
      .clk_i, .rst_ni,
      .in_valid_i(chk_valid[0]), .in_ready_o(chk_ready[0]), .in_drop_i(chk_drop[0]), .in_job_i(chk_job[JOB_W-1:0]),
      .out_valid_o(arb_valid[0]), .out_ready_i(arb_ready[0]),
      .sent_valid_o, .sent_ready_i, .sent_qpn_o, .sent_gen_o, .sent_psn_o, .sent_end_o, .idle_o(sent_idle));

  assign arb_valid[1] = chk_valid[1];
  assign chk_ready[1] = arb_ready[1];

  always_ff @(posedge clk_i) rsp_left_o <= rst_ni && chk_valid[1] && chk_ready[1];

  // ---- choice
  logic                 gnt_valid, gnt_ready, gnt_ring, gnt_drop, gnt_raw;
  logic [RAW_LEN_W-1:0] gnt_raw_len;
  logic [JOB_W-1:0]     gnt_job;
  logic [PLACE_W-1:0]   gnt_place;
  logic [cairn_int_pkg::LEN_W-1:0] done_bytes;

  tx_arbiter #(.PLACE_W(PLACE_W), .QUEUE_BYTES(16 * BYTES)) u_arbiter (
      .clk_i, .rst_ni, .stop_i,
      .ack_valid_i, .ack_ready_o, .ack_job_i(ack_meta_i), .cnp_valid_i, .cnp_ready_o, .cnp_job_i(cnp_meta_i),
      .ring_valid_i(arb_valid), .ring_ready_o(arb_ready), .ring_drop_i(chk_drop), .ring_job_i(chk_job),
      .ring_place_i(chk_place), .raw_valid_i, .raw_ready_o, .raw_len_i,
      .out_valid_o(gnt_valid), .out_ready_i(gnt_ready), .out_ring_o(gnt_ring), .out_drop_o(gnt_drop),
      .out_raw_o(gnt_raw), .out_raw_len_o(gnt_raw_len), .out_job_o(gnt_job), .out_place_o(gnt_place),
      .done_bytes_i(done_bytes), .events_o(events_o.tx_arbiter));

  // ---- frames
  logic builder_idle;

  tx_builder #(.DATA_W(DATA_W), .GIDS(GIDS), .WORD_W(WORD_W), .CNT_W(CNT_W)) u_builder (
      .clk_i, .rst_ni, .mac_addr_i, .gid_i, .loop_i,
      .in_valid_i(gnt_valid), .in_ready_o(gnt_ready), .in_ring_i(gnt_ring), .in_drop_i(gnt_drop),
      .in_raw_i(gnt_raw), .in_raw_len_i(gnt_raw_len), .in_job_i(gnt_job), .in_place_i(gnt_place),
      .ram_rd_o(ram_rd), .ram_rd_ring_o(ram_rd_ring), .ram_rd_word_o(ram_rd_word), .ram_rd_data_i(ram_rd_data),
      .rel_valid_o(rel_valid), .rel_words_o(rel_words),
      .raw_rd_o, .raw_rd_addr_o, .raw_rd_data_i, .raw_done_o, .done_bytes_o(done_bytes),
      .mac_tx_valid_o, .mac_tx_ready_i, .mac_tx_last_o, .mac_tx_err_o, .mac_tx_data_o, .mac_tx_nbytes_o,
      .mac_tx_way_o, .events_o(events_o.tx_builder), .idle_o(builder_idle));

  assign events_o.stall_tx = waits != 2'b00;
  assign sending_o   = gnt_valid || !builder_idle;
  assign idle_o      = payload_idle && chk_idle == 2'b11 && bad_level == '0 && sent_idle && !sending_o && !ack_valid_i
                       && !cnp_valid_i && !raw_valid_i;
endmodule
