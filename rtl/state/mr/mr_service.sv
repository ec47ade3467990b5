// SPDX-License-Identifier: Apache-2.0
// The MR service: keys and page lists for the engines (docs/rtl/mr.md).
//
// mr_lookup (MPT cache) -> mr_translate (MTT line cache), one request a cycle; at 64 bit one in 3 to 5, paged ones 10.
// mr_update: changes of keys (clients MUC_*); mr_drain answers them, through the clients' stages. Both caches read the
// host on client RD_MR; MPT records that were made or changed here are written back.
// Order: answers in order for each client, in a FIFO whose room the client's request reserves.
// Fill: a strobe after which a client repeats what was answered MRS_MISS. It comes after each ended fill, and once more
//   when a miss was taken by its client after the fill had ended, so waiting for the next strobe is always right.
// Ahead: keys of requests that have just come are looked for before their turn (receive_mr.ahead), so that as many
//   records as there are fills are on their way, not one for each QP that waits. Not where fills or ways are few: it
//   would take them from keys that are waited for.
// MRS_LOG2: each key has its place on chip, and mpt_resident stands in for the MPT cache; at 64 bit mtt_lines for the
//   other one.
// Firmware: table 0 = MPT (key = index), 1 = MTT (DROP of lines).
// Errors: keys refused count in MR_BAD_*: no such key, PD, rights, bounds.
module mr_service #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned MPT_SETS = 8,
    parameter int unsigned MTT_SETS = 16,
    parameter int unsigned MRS_LOG2 = 0,      // keys that each have their place on chip; 0: a table in host memory
    parameter bit          CHANGES  = 1'b1,   // 0: no changes of keys (windows, fast registration, invalidation)
    parameter int unsigned MPT_FILLS = (DATA_W < 512) ? 16 : 64,
    parameter int unsigned MTT_FILLS = (DATA_W < 512) ? 4 : 16,
    parameter bit          AHEAD     = MPT_FILLS >= 16 && MRS_LOG2 == 0,   // keys told ahead are looked for
    localparam int unsigned N   = cairn_int_pkg::MRC_N,
    localparam int unsigned RSW = cairn_int_pkg::MR_RSP_W,
    localparam int unsigned NU  = cairn_int_pkg::MUC_N,
    localparam int unsigned TKW = cairn_int_pkg::TICKET_W
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              epoch_i,
    input  logic [63:0]                       mpt_base_i,
    input  logic [32:0]                       mpt_entries_i,
    input  logic [63:0]                       mtt_base_i,
    input  logic [32:0]                       mtt_entries_i,  // 8-byte entries
    // clients of the send and of the receive side: requests, changes of keys; answers
    input  cairn_int_pkg::send_mr_t           send_mr_i,
    output cairn_int_pkg::send_mr_ready_t     send_mr_ready_o,
    output cairn_int_pkg::send_mr_answer_t    send_mr_o,
    input  cairn_int_pkg::send_mr_ready_t     send_mr_ready_i,
    input  cairn_int_pkg::receive_mr_t        receive_mr_i,
    output cairn_int_pkg::receive_mr_ready_t  receive_mr_ready_o,
    output cairn_int_pkg::receive_mr_answer_t receive_mr_o,
    input  cairn_int_pkg::receive_mr_ready_t  receive_mr_ready_i,
    // firmware
    input  cairn_int_pkg::ctx_op_t            fw_i,           // MPT, MTT
    output cairn_int_pkg::ctx_done_t          fw_o,
    // host memory
    output cairn_int_pkg::dma_read_t          rd_o,
    input  logic                              rd_ready_i,
    input  cairn_int_pkg::dma_beat_t          beat_i,
    input  logic [DATA_W-1:0]                 beat_data_i,
    output cairn_int_pkg::dma_write_t         wr_o,
    input  logic                              wr_ready_i,
    input  logic [TKW-1:0]                    ticket_i,
    output cairn_hw_pkg::mr_service_events_t  events_o,
    output logic                              idle_o
);
  if (MRS_LOG2 != 0 && (CHANGES || AHEAD)) begin : g_chk
    $error("mr_service: what is on chip is changed by firmware alone, and not looked for ahead");
  end
  localparam bit          FAST  = DATA_W != 64;       // a lookup a cycle
  localparam bit          LINES = MRS_LOG2 != 0 && !FAST;   // of page lists: looked for one at a time
  // Answers waiting for a client. The requester asks for all pieces of a packet before it takes an answer. FAST = 0:
  // the others have one, which they take whatever else they wait for.
  localparam int unsigned DEPTH = 16;
  if (DEPTH < cairn_hw_pkg::MAX_SGE) begin : g_chk_depth
    $error("mr_service: the answers of a packet's pieces must have room");
  end

  // ---- clients by number: MRC_*; of changes of keys MUC_* ----
  localparam int unsigned REQ = cairn_int_pkg::MRC_REQ, RSP = cairn_int_pkg::MRC_RSP;
  localparam int unsigned CMP = cairn_int_pkg::MRC_CMP, RD = cairn_int_pkg::MRC_RD;
  localparam int unsigned UREQ = cairn_int_pkg::MUC_REQ, URSP = cairn_int_pkg::MUC_RSP;
  cairn_int_pkg::mr_asks_t           asks;
  cairn_int_pkg::mr_asks_ready_t     asks_ready;
  cairn_int_pkg::key_changes_t       changes;
  cairn_int_pkg::key_changes_ready_t changes_ready;
  logic [N-1:0]     ask_valid, ask_ready, gated, answer_valid, answer_ready, missed, drain, drained, credit;
  logic [N*RSW-1:0] answer;
  logic [NU-1:0]    changed_valid, changed_ready;
  logic [NU*8-1:0]  changed_vendor;
  logic             fill_q;
  assign ask_valid[REQ]                = send_mr_i.requester.ask.valid;
  assign ask_valid[RSP]                = receive_mr_i.responder.valid;
  assign ask_valid[CMP]                = send_mr_i.completer.valid;
  assign ask_valid[RD]                 = receive_mr_i.rsp_tx.valid;
  assign asks.requester                = {gated[REQ], send_mr_i.requester.ask.req};
  assign asks.responder                = {gated[RSP], receive_mr_i.responder.req};
  assign asks.completer                = {gated[CMP], send_mr_i.completer.req};
  assign asks.rsp_tx                   = {gated[RD], receive_mr_i.rsp_tx.req};
  // (mr_lookup is ready for a client whether it asks or not: that it may is said here)
  assign ask_ready[REQ]                = asks_ready.requester && credit[REQ];
  assign ask_ready[RSP]                = asks_ready.responder && credit[RSP];
  assign ask_ready[CMP]                = asks_ready.completer && credit[CMP];
  assign ask_ready[RD]                 = asks_ready.rsp_tx && credit[RD];
  assign send_mr_ready_o.requester.ask = ask_ready[REQ];
  assign receive_mr_ready_o.responder  = ask_ready[RSP];
  assign send_mr_ready_o.completer     = ask_ready[CMP];
  assign receive_mr_ready_o.rsp_tx     = ask_ready[RD];
  assign send_mr_o.requester.ask           = {answer_valid[REQ], answer[REQ*RSW +: RSW], fill_q, drain[REQ]};
  assign receive_mr_o.responder        = {answer_valid[RSP], answer[RSP*RSW +: RSW], fill_q, drain[RSP]};
  assign send_mr_o.completer           = {answer_valid[CMP], answer[CMP*RSW +: RSW], fill_q, drain[CMP]};
  assign receive_mr_o.rsp_tx           = {answer_valid[RD], answer[RD*RSW +: RSW], fill_q, drain[RD]};
  assign answer_ready[REQ]             = send_mr_ready_i.requester.ask;
  assign answer_ready[RSP]             = receive_mr_ready_i.responder;
  assign answer_ready[CMP]             = send_mr_ready_i.completer;
  assign answer_ready[RD]              = receive_mr_ready_i.rsp_tx;
  assign missed[REQ]                   = send_mr_o.requester.ask.rsp.status == cairn_int_pkg::MRS_MISS;
  assign missed[RSP]                   = receive_mr_o.responder.rsp.status == cairn_int_pkg::MRS_MISS;
  assign missed[CMP]                   = send_mr_o.completer.rsp.status == cairn_int_pkg::MRS_MISS;
  assign missed[RD]                    = receive_mr_o.rsp_tx.rsp.status == cairn_int_pkg::MRS_MISS;
  assign drained[REQ]                  = send_mr_i.requester.drained;
  assign drained[RSP]                  = receive_mr_i.responder_drained;
  assign drained[CMP]                  = send_mr_i.completer_drained;
  assign drained[RD]                   = receive_mr_i.rsp_tx_drained;
  assign changes.requester             = send_mr_i.requester.key_change;
  assign changes.responder             = receive_mr_i.key_change;
  assign send_mr_ready_o.requester.key_change    = changes_ready.requester;
  assign receive_mr_ready_o.key_change = changes_ready.responder;
  assign send_mr_o.requester.key_change          = {changed_valid[UREQ], changed_vendor[UREQ*8 +: 8]};
  assign receive_mr_o.key_change       = {changed_valid[URSP], changed_vendor[URSP*8 +: 8]};
  assign changed_ready[UREQ]           = send_mr_ready_i.requester.key_change;
  assign changed_ready[URSP]           = receive_mr_ready_i.key_change;

  // ---- credits ----
  logic [N-1:0] taken;
  logic [N*5-1:0] waiting;
  logic         t_valid;
  logic [1:0]   t_client;
  cairn_int_pkg::mr_rsp_t t_rsp;
  assign gated = ask_valid & credit;
  for (genvar g = 0; g < N; g++) begin : g_client
    localparam int unsigned MOST = (FAST || g == REQ) ? DEPTH : 1;
    logic [$clog2(MOST+1)-1:0] out_q;
    assign credit[g] = out_q != ($clog2(MOST+1))'(MOST);
    assign waiting[g*5 +: 5] = 5'(out_q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) out_q <= '0;
      else out_q <= out_q + ($clog2(MOST+1))'(ask_valid[g] && ask_ready[g]) - ($clog2(MOST+1))'(taken[g]);
    end
    assign taken[g] = answer_valid[g] && answer_ready[g];
    if (MOST > 1) begin : g_queue
      sync_fifo #(.WIDTH(RSW), .DEPTH(MOST)) u_rsp (
          .clk_i, .rst_ni, .in_valid_i(t_valid && t_client == 2'(g)), .in_ready_o(), .in_data_i(t_rsp),
          .out_valid_o(answer_valid[g]), .out_ready_i(answer_ready[g]), .out_data_o(answer[g*RSW +: RSW]));
    end else begin : g_one
      stream_reg #(.WIDTH(RSW)) u_rsp (
          .clk_i, .rst_ni, .in_valid_i(t_valid && t_client == 2'(g)), .in_ready_o(), .in_data_i(t_rsp),
          .out_valid_o(answer_valid[g]), .out_ready_i(answer_ready[g]), .out_data_o(answer[g*RSW +: RSW]));
    end
  end

  // ---- the two halves ----
  logic [1:0]   fill_valid;
  logic         m_valid, m_ready, idle_l, idle_t;
  cairn_int_pkg::mr_look_t m_out;
  logic [1:0]   cache_idle, fwu_idle;
  logic [1:0]   hit, miss;
  cairn_int_pkg::dma_read_t  mpt_rd, mtt_rd;
  cairn_int_pkg::dma_write_t mpt_wr, mtt_wr;
  logic [1:0]   rds_ready, wrs_ready;
  localparam int unsigned AW0 = $clog2(MPT_SETS * 8);
  localparam int unsigned AW1 = $clog2(MTT_SETS * 8);
  logic [AW0-1:0] mpt_slot;
  logic [AW1-1:0] mtt_slot;
  logic [2:0]     mtt_word;
  logic [511:0]   mpt_data, mtt_data;

  cairn_int_pkg::ctx_req_t mpt_ask, mtt_ask, up_ask;
  cairn_int_pkg::ctx_rsp_t mpt_answer, mtt_answer, up_answer;
  logic                    mpt_ready, mtt_ready, up_ready;

  // ---- firmware; drops of mr_update are operations on the page lists like its own ----
  cairn_int_pkg::ctx_op_t     mpt_op, mtt_op;
  cairn_int_pkg::ctx_done_t   mpt_done, mtt_done;
  cairn_int_pkg::unpin_t      up_unpin;
  cairn_int_pkg::part_write_t up_write;
  logic                       of_mpt, of_mtt;
  // (registers: who is asked is on the way of all that comes back)
  always_ff @(posedge clk_i) {of_mpt, of_mtt} <= {2{rst_ni && fw_i.valid && !fw_o.done}}
      & {fw_i.table_ == 3'(cairn_hw_pkg::TABLE_MPT), fw_i.table_ == 3'(cairn_hw_pkg::TABLE_MTT)};
  always_comb begin
    fw_o = of_mpt ? mpt_done : mtt_done;
    if (!of_mpt) fw_o.done = of_mtt && mtt_done.done && !drop_turn_q;
    mpt_op       = fw_i;
    mpt_op.valid = of_mpt;
    mtt_op       = fw_i;
    mtt_op.valid = drop_turn_q ? drop_valid : fw_mtt_turn_q && of_mtt;
    if (drop_turn_q) begin
      mtt_op.op   = cairn_hw_pkg::CTX_OP_DROP;
      mtt_op.key  = 32'(drop_line);
      mtt_op.data = drop_lines;
    end
  end

  // A key that finds no place here is looked up in its turn all the same.
  cairn_int_pkg::ctx_req_t ahead;
  logic                    ahead_ready, ahead_room;
  if (AHEAD) begin : g_ahead
    sync_fifo #(.WIDTH(24), .DEPTH(4)) u_ahead (
        .clk_i, .rst_ni, .in_valid_i(receive_mr_i.ahead.valid && ahead_room), .in_ready_o(ahead_room),
        .in_data_i(receive_mr_i.ahead.key),
        .out_valid_o(ahead.valid), .out_ready_i(ahead_ready), .out_data_o(ahead.key));
  end else begin : g_no_ahead
    assign ahead      = '0;
    assign ahead_room = 1'b0;
    logic unused;
    assign unused = ^{receive_mr_i.ahead, ahead_ready, ahead_room};
  end
  mr_lookup #(.SLOTS(MPT_SETS * 8), .FAST(FAST), .LATE(!FAST && MRS_LOG2 != 0)) u_lookup (
      .clk_i, .rst_ni, .asks_i(asks), .asks_ready_o(asks_ready),
      .ctx_o(mpt_ask), .ctx_ready_i(mpt_ready), .ctx_i(mpt_answer),
      .mpt_slot_o(mpt_slot), .mpt_data_i(mpt_data), .out_valid_o(m_valid), .out_ready_i(m_ready), .out_o(m_out),
      .idle_o(idle_l));
  mr_translate #(.SLOTS(MTT_SETS * 8), .FAST(FAST)) u_translate (
      .clk_i, .rst_ni, .in_valid_i(m_valid), .in_ready_o(m_ready), .in_i(m_out),
      .ctx_o(mtt_ask), .ctx_ready_i(mtt_ready), .ctx_i(mtt_answer),
      .mtt_slot_o(mtt_slot), .mtt_word_o(mtt_word), .mtt_data_i(mtt_data),
      .out_valid_o(t_valid), .out_client_o(t_client), .out_rsp_o(t_rsp),
      .idle_o(idle_t));

  if (MRS_LOG2 != 0) begin : g_resident
    mpt_resident #(.MRS_LOG2(MRS_LOG2)) u_mpt (
        .clk_i, .rst_ni, .entries_i(mpt_entries_i[24:0]), .ctx_i(mpt_ask), .ctx_ready_o(mpt_ready), .ctx_o(mpt_answer),
        .rd_data_o(mpt_data), .op_i(mpt_op), .op_o(mpt_done), .hit_o(hit[0]), .idle_o(cache_idle[0]));
    assign {fill_valid[0], miss[0], fwu_idle[0], up_ready, up_go, up_rd_ready, ahead_ready} = '0;
    assign {mpt_rd, mpt_wr, up_answer, up_rd_data} = '0;
    logic unused;
    assign unused = ^{mpt_base_i, mpt_slot, ahead, up_ask, up_unpin, up_lock, up_rd_valid, up_rd_slot, up_write,
                      rds_ready[0], wrs_ready[0]};
  end else begin : g_table
    ctx_table #(.DATA_W(DATA_W), .SETS(MPT_SETS), .KEY_LSB(8), .CLIENT(cairn_int_pkg::RD_MR), .TAG_BASE(0),
        .FILLS(MPT_FILLS)) u_mpt (
        .clk_i, .rst_ni, .epoch_i, .base_i(mpt_base_i), .entries_i(mpt_entries_i[24:0]),
        .ctx_i(mpt_ask), .ctx_ready_o(mpt_ready), .ctx_o(mpt_answer), .ahead_i(ahead), .ahead_ready_o(ahead_ready),
        .rd_slot_i(mpt_slot), .rd_word_i('0), .rd_data_o(mpt_data), .fill_valid_o(fill_valid[0]),
        .up_ctx_i(up_ask), .up_ctx_ready_o(up_ready), .up_ctx_o(up_answer),
        .up_unpin_i(up_unpin), .up_lock_i(up_lock), .up_go_o(up_go),
        .up_rd_valid_i(up_rd_valid), .up_rd_ready_o(up_rd_ready), .up_rd_slot_i(up_rd_slot), .up_rd_data_o(up_rd_data),
        .up_write_i(up_write), .op_i(mpt_op), .op_o(mpt_done), .rd_o(mpt_rd), .rd_ready_i(rds_ready[0]), .beat_i,
        .beat_data_i, .wr_o(mpt_wr), .wr_ready_i(wrs_ready[0]), .ticket_i, .hit_o(hit[0]),
        .miss_o(miss[0]), .busy_o(fwu_idle[0]), .idle_o(cache_idle[0]));
  end
  if (LINES) begin : g_lines
    mtt_lines #(.SETS(MTT_SETS), .TAG_BASE(MPT_FILLS), .FILLS(MTT_FILLS)) u_mtt (
        .clk_i, .rst_ni, .epoch_i, .base_i(mtt_base_i), .entries_i(25'(mtt_entries_i >> 3)),
        .ctx_i(mtt_ask), .ctx_ready_o(mtt_ready), .ctx_o(mtt_answer), .rd_slot_i(mtt_slot), .rd_word_i(mtt_word),
        .rd_data_o(mtt_data[63:0]), .fill_valid_o(fill_valid[1]), .op_i(mtt_op), .op_o(mtt_done),
        .rd_o(mtt_rd), .rd_ready_i(rd_ready_i), .beat_i, .beat_data_i(beat_data_i[63:0]), .hit_o(hit[1]),
        .miss_o(miss[1]), .busy_o(fwu_idle[1]), .idle_o(cache_idle[1]));
    assign mtt_data[511:64] = '0;
    assign rd_o             = mtt_rd;
    assign {wr_o, mtt_wr, rds_ready, wrs_ready} = '0;
    logic unused_lines;
    assign unused_lines = ^{wr_ready_i, ticket_i, mpt_rd, mpt_wr, mtt_wr};
  end else begin : g_cached
    ctx_table #(.DATA_W(DATA_W), .SETS(MTT_SETS), .KEY_LSB(32), .CLIENT(cairn_int_pkg::RD_MR), .TAG_BASE(MPT_FILLS),
        .RANGE(1), .WORDS(!FAST), .FILLS(MTT_FILLS)) u_mtt (
        .clk_i, .rst_ni, .epoch_i, .base_i(mtt_base_i), .entries_i(25'(mtt_entries_i >> 3)),
        .ctx_i(mtt_ask), .ctx_ready_o(mtt_ready), .ctx_o(mtt_answer), .ahead_i('0), .ahead_ready_o(),
        .rd_slot_i(mtt_slot), .rd_word_i(mtt_word), .rd_data_o(mtt_data), .fill_valid_o(fill_valid[1]),
        .up_ctx_i('0), .up_ctx_ready_o(), .up_ctx_o(), .up_unpin_i('0), .up_lock_i(1'b0), .up_go_o(),
        .up_rd_valid_i(1'b0), .up_rd_ready_o(), .up_rd_slot_i('0), .up_rd_data_o(), .up_write_i('0),
        .op_i(mtt_op), .op_o(mtt_done), .rd_o(mtt_rd), .rd_ready_i(rds_ready[1]), .beat_i, .beat_data_i,
        .wr_o(mtt_wr), .wr_ready_i(wrs_ready[1]), .ticket_i, .hit_o(hit[1]), .miss_o(miss[1]), .busy_o(fwu_idle[1]),
        .idle_o(cache_idle[1]));
    stream_arb #(.WIDTH(cairn_int_pkg::DMA_RD_W), .N(2)) u_rd (
        .clk_i, .rst_ni, .in_valid_i({mtt_rd.valid, mpt_rd.valid}), .in_ready_o(rds_ready),
        .in_data_i({mtt_rd.req, mpt_rd.req}),
        .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
    stream_arb #(.WIDTH(cairn_int_pkg::DMA_WR_W), .N(2)) u_wr (
        .clk_i, .rst_ni, .in_valid_i({mtt_wr.valid, mpt_wr.valid}), .in_ready_o(wrs_ready),
        .in_data_i({mtt_wr.cmd, mpt_wr.cmd}),
        .out_valid_o(wr_o.valid), .out_ready_i(wr_ready_i), .out_data_o(wr_o.cmd));
  end

  // ---- changes of keys; their page list lines are dropped between firmware's operations ----
  logic           up_lock, up_go, up_rd_valid, up_rd_ready, drop_valid, drop_turn_q, fw_mtt_turn_q,
                  u_done, u_took, idle_u, idle_d;
  logic [NU-1:0]  u_room, u_client;
  logic [511:0]   up_rd_data;
  logic [23:0]    drop_line;
  logic [31:0]    drop_lines;
  logic [7:0]     u_vendor;
  logic [AW0-1:0] up_rd_slot;
  if (CHANGES) begin : g_changes
    mr_update #(.SLOTS(MPT_SETS * 8)) u_update (
        .clk_i, .rst_ni, .changes_i(changes), .changes_ready_o(changes_ready), .room_i(u_room),
        .ctx_o(up_ask), .ctx_ready_i(up_ready), .ctx_i(up_answer), .unpin_o(up_unpin),
        .fill_valid_i(fill_valid[0]), .lock_o(up_lock), .lock_go_i(up_go),
        .rd_valid_o(up_rd_valid), .rd_ready_i(up_rd_ready), .rd_slot_o(up_rd_slot), .rd_data_i(up_rd_data),
        .write_o(up_write),
        .drop_valid_o(drop_valid), .drop_line_o(drop_line), .drop_lines_o(drop_lines),
        .drop_done_i(mtt_done.done && drop_turn_q), .done_o(u_done), .done_client_o(u_client), .done_vendor_o(u_vendor),
        .done_drain_o(u_took), .idle_o(idle_u));
    mr_drain u_drain (
        .clk_i, .rst_ni, .in_valid_i(u_done), .in_client_i(u_client), .in_vendor_i(u_vendor), .in_drain_i(u_took),
        .room_o(u_room), .rsp_valid_o(changed_valid), .rsp_ready_i(changed_ready), .rsp_vendor_o(changed_vendor),
        .inside_i(waiting), .taken_i(taken), .drain_o(drain), .drained_i(drained), .idle_o(idle_d));
  end else begin : g_no_changes
    // Requester and responder refuse what would change a key: nothing is asked for.
    assign changes_ready                  = '0;
    assign {changed_valid, changed_vendor} = '0;
    assign {up_ask, up_unpin, up_write}   = '0;
    assign {up_lock, up_rd_valid, up_rd_slot, drop_valid, drop_line, drop_lines} = '0;
    assign {u_done, u_took, u_client, u_vendor, u_room} = '0;
    assign drain                          = '0;
    assign {idle_u, idle_d}               = 2'b11;
    logic unused;
    assign unused = ^{changes, changed_ready, up_ready, up_answer, up_go, up_rd_ready, up_rd_data, u_took, u_client,
                      u_room, waiting, drained};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drop_turn_q   <= 1'b0;
      fw_mtt_turn_q <= 1'b0;
    end else if (drop_turn_q || fw_mtt_turn_q) begin
      if (mtt_done.done) {drop_turn_q, fw_mtt_turn_q} <= 2'b00;
    end else begin
      fw_mtt_turn_q <= of_mtt;
      drop_turn_q   <= drop_valid && !of_mtt;
    end
  end

  // ---- the strobe ----
  logic want_q, got_miss, got_miss_q, fills_busy;
  logic [4:0] quiet_q;         // a RETRY leaves no fill behind: the strobe waits a little, then comes all the same
  always_comb begin
    got_miss = 1'b0;
    for (int unsigned i = 0; i < N; i++) begin
      if (taken[i] && missed[i]) got_miss = 1'b1;
    end
  end
  assign fills_busy = fwu_idle != '0;
  always_ff @(posedge clk_i) begin
    got_miss_q <= rst_ni && got_miss;
    if (!rst_ni) begin
      want_q     <= 1'b0;
      quiet_q    <= '0;
      fill_q     <= 1'b0;
    end else begin
      fill_q     <= fill_valid != '0 || (want_q && !fills_busy && quiet_q == '1);
      quiet_q    <= (want_q && !fills_busy) ? quiet_q + 1'b1 : '0;
      if (got_miss_q) want_q <= 1'b1;
      else if (want_q && !fills_busy && quiet_q == '1) want_q <= 1'b0;
    end
  end
  // ---- counters: why a key was refused, by a lookup and by a change ----
  logic [7:0]             look_vendor, up_vendor;
  assign look_vendor = (t_valid && t_rsp.status == cairn_int_pkg::MRS_ERR) ? t_rsp.vendor : '0;
  assign up_vendor = u_done ? u_vendor : '0;
  logic [1:0] bad_key_q, bad_pd_q, bad_rights_q, bad_bounds_q;
  always_ff @(posedge clk_i) begin
    bad_key_q <= 2'(is_key(look_vendor)) + 2'(is_key(up_vendor));
    bad_pd_q  <= 2'(look_vendor == cairn_hw_pkg::VENDOR_ERR_KEY_PD)
                      + 2'(up_vendor == cairn_hw_pkg::VENDOR_ERR_KEY_PD);
    bad_rights_q <= 2'(is_right(look_vendor)) + 2'(is_right(up_vendor));
    bad_bounds_q <= 2'(is_bound(look_vendor)) + 2'(is_bound(up_vendor));
  end
  function automatic logic is_key(input logic [7:0] v);
    is_key = v == cairn_hw_pkg::VENDOR_ERR_KEY_INDEX || v == cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
  endfunction
  function automatic logic is_right(input logic [7:0] v);
    is_right = v == cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS || v == cairn_hw_pkg::VENDOR_ERR_KEY_STATE
               || v == cairn_hw_pkg::VENDOR_ERR_KEY_BUSY;
  endfunction
  function automatic logic is_bound(input logic [7:0] v);
    is_bound = v == cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS || v == cairn_hw_pkg::VENDOR_ERR_KEY_PTE;
  endfunction

  assign events_o.mr_bad_key    = bad_key_q;
  assign events_o.mr_bad_pd     = bad_pd_q;
  assign events_o.mr_bad_rights = bad_rights_q;
  assign events_o.mr_bad_bounds = bad_bounds_q;
  assign events_o.mpt_hit       = hit[0];
  assign events_o.mpt_miss      = miss[0];
  assign events_o.mtt_hit       = hit[1];
  assign events_o.mtt_miss      = miss[1];
  assign idle_o = idle_l && idle_t && cache_idle == '1 && idle_u && idle_d && answer_valid == '0 && !want_q
                  && !got_miss_q && !fill_q && !ahead.valid;
endmodule
