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
// ring. It takes them before it begins another visit, so there are never more than the ring's jobs and those of the
// visits under way.
module tx_path #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned GIDS       = 16,
    parameter int unsigned GROUPS     = 16,      // of multicast; 0: left out
    parameter int unsigned QPS_LOG2   = 12,
    parameter int unsigned RING_BYTES = (DATA_W >= 512) ? 32768 : 16384,
    parameter int unsigned JOBS       = (DATA_W >= 512) ? 64 : 16,
    parameter int unsigned TAGS       = (DATA_W >= 512) ? 128 : 32,
    parameter bit          ATOMIC     = 1'b1,
    parameter bit          CNPS       = 1'b1,    // the port is used
    localparam int unsigned BYTES     = DATA_W / 8
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               stop_i,
    input  logic [47:0]                        mac_addr_i,        // first wire byte in 47:40
    // GID table write port, the same strobes as rx_parser's
    input  cairn_int_pkg::gid_write_t          gid_i,
    input  logic                               loop_i,            // frames to ourselves: see tx_way
    // a job, then its segments
    input  cairn_int_pkg::tx_requests_t        requests_i,
    output cairn_int_pkg::tx_requests_ready_t  requests_ready_o,
    input  logic [DATA_W-1:0]                  requests_inl_data_i,
    input  cairn_int_pkg::tx_responses_t       responses_i,
    output cairn_int_pkg::tx_responses_ready_t responses_ready_o,
    output logic                               responses_left_o,
    // congestion notifications: jobs without payload (pay_len 0)
    input  logic                               cnp_valid_i,
    output logic                               cnp_ready_o,
    input  cairn_int_pkg::tx_job_t             cnp_i,
    // raw frames, from rx_raw
    input  cairn_int_pkg::raw_frame_t          raw_i,
    output logic                               raw_ready_o,
    output cairn_int_pkg::raw_read_t           raw_rd_o,
    input  logic [DATA_W-1:0]                  raw_rd_data_i,
    // host reads, client RD_TXP
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    input  cairn_int_pkg::tx_allow_t           allow_i,
    output cairn_int_pkg::tx_reports_t         reports_o,
    input  cairn_int_pkg::tx_reports_ready_t   reports_ready_i,
    // to the MAC
    output cairn_int_pkg::beat_t               mac_tx_o,
    input  logic                               mac_tx_ready_i,
    output logic [DATA_W-1:0]                  mac_tx_data_o,
    output logic [1:0]                         mac_tx_way_o,      // {loop, wire} of the frame
    // state and counters
    output logic [1:0]                         pend_epoch_o,      // jobs of epoch 0, 1 whose payload is outstanding
    input  logic [1:0]                         drain_i,           // per ring, see tx_ring
    output logic [1:0]                         drained_o,
    output logic                               idle_o,            // no job, read or frame in here
    output logic                               sending_o,         // a granted packet has not left yet
    output cairn_hw_pkg::tx_path_events_t      events_o
);
  localparam int unsigned WORD_W  = $clog2(RING_BYTES / BYTES);
  localparam int unsigned CNT_W   = $clog2(4096 / BYTES + 2);
  localparam int unsigned BADS    = JOBS + 24;
  localparam bit          NARROW  = DATA_W < 128;
  localparam int unsigned PLAINS  = 4;                              // headers of ACKs and CNPs
  localparam int unsigned PLACE_W = $clog2(2 * JOBS + PLAINS);      // places of headers: requests, responses, these

  // ---- payload
  cairn_int_pkg::tx_head_t     req_head, rsp_head;
  cairn_int_pkg::tx_release_t  rel;
  cairn_int_pkg::tx_ram_read_t ram_rd;
  logic [DATA_W-1:0]           ram_rd_data;
  logic [1:0] head_ready, waits;
  logic                        payload_idle;

  logic [1:0]              want_rings;
  logic [3:0]              form_begin, form_done;
  logic [2:0]              form_off;
  logic [$clog2(JOBS)-1:0] req_slot, rsp_slot;
  tx_payload #(.DATA_W(DATA_W), .RING_BYTES(RING_BYTES), .JOBS(JOBS), .TAGS(TAGS), .QPS_LOG2(QPS_LOG2)) u_payload (
      .clk_i, .rst_ni,
      .want_o(want_rings), .req_slot_o(req_slot), .rsp_slot_o(rsp_slot),
      .begin_i(form_begin[1:0]), .off_i(($clog2(BYTES))'(form_off)), .done_i(form_done[1:0]),
      .requests_i, .requests_ready_o, .requests_inl_data_i,
      .rsp_job_valid_i(responses_i.job_valid), .rsp_job_ready_o(responses_ready_o.job), .rsp_job_i(responses_i.job),
      .rsp_seg_valid_i(responses_i.seg_valid), .rsp_seg_ready_o(responses_ready_o.seg), .rsp_seg_i(responses_i.seg),
      .rd_o,
      .rd_ready_i,
      .beat_i, .beat_data_i,
      .req_head_o(req_head), .rsp_head_o(rsp_head),
      .head_ready_i(head_ready), .rel_i(rel),
      .ram_rd_i(ram_rd), .ram_rd_data_o(ram_rd_data),
      .wait_o(waits), .pend_epoch_o, .drain_i, .drained_o, .idle_o(payload_idle));

  // ---- checks
  cairn_int_pkg::tx_checked_t req_chk, rsp_chk, req_arb;
  logic [1:0] chk_ready, chk_idle;

  tx_check #(.CHECK(1), .AHEAD(DATA_W >= 256), .QPS_LOG2(QPS_LOG2)) u_check_req (
      .clk_i, .rst_ni,
      .in_i(req_head), .in_ready_o(head_ready[0]), .allow_i,
      .err_valid_o(reports_o.req.valid), .err_ready_i(reports_ready_i.req), .err_o(reports_o.req.lost),
      .out_o(req_chk), .out_ready_i(chk_ready[0]),
      .stale_qpn_o(events_o.tx_req_check.qpn), .stale_o(events_o.tx_req_check.tx_stale),
      .forget_i(1'b0),
      .idle_o(chk_idle[0]));

  // With nothing in the rings and no failure left to tell of, rsp_tx has seen them all and has nothing of their QPs
  // under way.
  logic bad_valid, bad_ready, forget;
  cairn_int_pkg::tx_lost_t   bad_in;
  logic [$clog2(BADS+1)-1:0] bad_level;
  assign forget = payload_idle && chk_idle[1] && !responses_i.job_valid && bad_level == '0;
  cairn_int_pkg::tx_lost_t bad_out;
  logic [QPS_LOG2-1:0]     bad_qpn;
  assign bad_out.qpn        = 24'(bad_qpn);
  assign reports_o.rsp.lost = bad_out;
  sync_fifo_ram #(.WIDTH(QPS_LOG2 + 32), .DEPTH(BADS)) u_bad (
      .clk_i, .rst_ni, .in_valid_i(bad_valid), .in_ready_o(bad_ready),
      .in_data_i({bad_in.qpn[QPS_LOG2-1:0], bad_in.gen, bad_in.psn}),
      .out_valid_o(reports_o.rsp.valid), .out_ready_i(reports_ready_i.rsp),
      .out_data_o({bad_qpn, bad_out.gen, bad_out.psn}), .level_o(bad_level));
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && bad_valid && !bad_ready) $error("tx_path: no place for a failed response");
`endif

  tx_check #(.CHECK(0), .AHEAD(DATA_W >= 256), .FAILS(8), .QPS_LOG2(QPS_LOG2)) u_check_rsp (
      .clk_i, .rst_ni,
      .in_i(rsp_head), .in_ready_o(head_ready[1]), .allow_i('0),
      .err_valid_o(bad_valid), .err_ready_i(bad_ready), .err_o(bad_in),
      .out_o(rsp_chk), .out_ready_i(chk_ready[1]),
      .stale_qpn_o(events_o.tx_rsp_check.qpn), .stale_o(events_o.tx_rsp_check.tx_rsp_dropped),
      .forget_i(forget),
      .idle_o(chk_idle[1]));

  logic [1:0] arb_ready;
  logic req_arb_valid, sent_idle;

  tx_sent u_sent (
      .clk_i, .rst_ni,
      .in_i(req_chk), .in_ready_o(chk_ready[0]), .out_valid_o(req_arb_valid), .out_ready_i(arb_ready[0]),
      .sent_valid_o(reports_o.sent.valid), .sent_ready_i(reports_ready_i.sent), .sent_o(reports_o.sent.left),
      .idle_o(sent_idle));

  assign req_arb      = {req_arb_valid, req_chk.drop, req_chk.job, req_chk.place};
  assign chk_ready[1] = arb_ready[1];

  logic rsp_left_q;
  always_ff @(posedge clk_i) rsp_left_q <= rst_ni && rsp_chk.valid && chk_ready[1];
  assign responses_left_o = rsp_left_q;

  // ---- headers, below 128 bits; ACKs and CNPs wait behind that
  cairn_int_pkg::tx_job_t ack_job, cnp_job, cnp_in;
  logic ack_valid, ack_ready, cnp_valid, cnp_ready, plain_idle, hdr_rd;
  logic [10:0]            hdr_rd_addr;
  logic [DATA_W-1:0]      hdr_rd_data;
  assign cnp_in = CNPS ? cnp_i : '0;
  if (NARROW) begin : g_form
    logic                      form_idle, plain_want, fifo_idle;
    logic [$clog2(PLAINS)-1:0] plain_slot;
    tx_form #(.GIDS(GIDS), .SLOT_W(PLACE_W), .ATOMIC(ATOMIC)) u_form (
        .clk_i, .rst_ni, .mac_addr_i, .gid_i,
        .want_i({CNPS && cnp_valid_i && plain_want, responses_i.ack_valid && plain_want, want_rings}),
        .req_i(requests_i.job), .rsp_i(responses_i.job), .ack_i(responses_i.ack), .cnp_i(cnp_in),
        .req_slot_i(PLACE_W'(req_slot)), .rsp_slot_i(PLACE_W'(JOBS) + PLACE_W'(rsp_slot)),
        .plain_slot_i(PLACE_W'(2 * JOBS) + PLACE_W'(plain_slot)),
        .begin_o(form_begin), .off_o(form_off), .done_o(form_done),
        .rd_valid_i(hdr_rd), .rd_addr_i(hdr_rd_addr[PLACE_W+3:0]), .rd_data_o(hdr_rd_data), .idle_o(form_idle));
    tx_plain #(.PLACES(PLAINS), .FIRST(2 * JOBS)) u_plain (
        .clk_i, .rst_ni,
        .want_o(plain_want), .slot_o(plain_slot), .done_i(form_done[3:2]), .ack_i(responses_i.ack), .cnp_i(cnp_in),
        .rel_i(rel.plain),
        .ack_valid_o(ack_valid), .ack_ready_i(ack_ready), .ack_o(ack_job),
        .cnp_valid_o(cnp_valid), .cnp_ready_i(cnp_ready), .cnp_o(cnp_job), .idle_o(fifo_idle));
    assign {cnp_ready_o, responses_ready_o.ack} = form_done[3:2];
    assign plain_idle = form_idle && fifo_idle;
  end else begin : g_at_once
    assign {form_begin, form_done, form_off} = '0;
    assign {ack_valid, ack_job}              = {responses_i.ack_valid, responses_i.ack};
    assign {cnp_valid, cnp_job}              = {cnp_valid_i, cnp_in};
    assign {cnp_ready_o, responses_ready_o.ack} = {cnp_ready, ack_ready};
    assign hdr_rd_data = '0;
    assign plain_idle  = 1'b1;
    logic unused;
    assign unused = ^{want_rings, req_slot, rsp_slot, hdr_rd, hdr_rd_addr, rel.plain};
  end

  // ---- choice
  cairn_int_pkg::tx_grant_t        grant;
  logic                            gnt_ready;
  logic [cairn_int_pkg::LEN_W-1:0] done_bytes;

  tx_arbiter #(.WORD_W(WORD_W), .CNT_W(CNT_W), .QUEUE_BYTES(16 * BYTES)) u_arbiter (
      .clk_i, .rst_ni, .stop_i,
      .ack_valid_i(ack_valid), .ack_ready_o(ack_ready), .ack_i(ack_job),
      .cnp_valid_i(cnp_valid), .cnp_ready_o(cnp_ready), .cnp_i(cnp_job),
      .req_i(req_arb), .rsp_i(rsp_chk), .ring_ready_o(arb_ready), .raw_i, .raw_ready_o,
      .out_o(grant), .out_ready_i(gnt_ready),
      .done_bytes_i(done_bytes), .events_o(events_o.tx_arbiter));

  // ---- frames
  logic builder_idle;

  tx_builder #(.DATA_W(DATA_W), .GIDS(GIDS), .GROUPS(GROUPS), .WORD_W(WORD_W), .CNT_W(CNT_W),
               .PLAIN(2 * JOBS)) u_builder (
      .clk_i, .rst_ni, .mac_addr_i, .gid_i, .loop_i,
      .in_i(grant), .in_ready_o(gnt_ready), .ram_rd_o(ram_rd), .ram_rd_data_i(ram_rd_data), .rel_o(rel),
      .hdr_rd_o(hdr_rd), .hdr_rd_addr_o(hdr_rd_addr), .hdr_rd_data_i(hdr_rd_data),
      .raw_rd_o, .raw_rd_data_i, .done_bytes_o(done_bytes),
      .mac_tx_o, .mac_tx_ready_i, .mac_tx_data_o,
      .mac_tx_way_o, .events_o(events_o.tx_builder), .idle_o(builder_idle));

  assign events_o.stall_tx = waits != 2'b00;
  assign sending_o         = grant.valid || !builder_idle;
  assign idle_o      = payload_idle && chk_idle == 2'b11 && bad_level == '0 && sent_idle && !sending_o && plain_idle
                       && !responses_i.ack_valid && !cnp_valid_i && !raw_i.valid;
endmodule
