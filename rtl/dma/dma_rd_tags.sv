// SPDX-License-Identifier: Apache-2.0
// Books of the DMA reads: free PCIe tags and request numbers, outstanding tags, completion timeout, function reset.
//
// Tags: which of them is in which state stands in the RAMs of dma_rd_cpl: a read has the turn of its tag, which is
//   another at each use; it is live until that turn is noted as ended. Free tags lie here with the turn of their last
//   use.
// States: free, live (its completion is awaited) or in quarantine (its read has failed by timeout or by a malformed
//   completion, and a late completion may still name it). A quarantined tag comes back when that completion has come,
//   or after a function reset. Payload holds at most TAGS - CTRL_TAGS tags. ext_i low: the host has not enabled
//   extended tags, so only numbers below 32 are given out (PCIe base specification 2.2.6.2), 24 of them to payload. It
//   may change at any time: reads that are out end as they were begun.
// Stuck: stuck_o says that all that payload may hold, or all tags, are in quarantine. Nothing more is read before a
//   reset.
// Timeout: time is cut into periods of 2^TIMEOUT_LOG2 ns; each tag remembers its period modulo 4, and what is older
//   than the last whole period has timed out, one to two periods after the issue. deadline_o is the moment at which the
//   oldest non-empty period times out: exact, and the same with time jumps.
// Reset: from the cycle after flr_i on nothing is issued any more, live tags end by completion or timeout (dma_read
//   keeps the results to itself), then everything is as after reset, and flr_done_o stays up until flr_i falls.
module dma_rd_tags #(
    parameter int unsigned TAG_W        = 8,
    parameter int unsigned CTRL_TAGS    = 32,
    parameter int unsigned TIMEOUT_LOG2 = 24
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic [63:0]             time_now_i,
    input  logic                    ext_i,
    input  logic                    flr_i,
    input  logic                    hold_i,    // an MRd is on its way out: no reset now
    output logic                    flr_done_o,
    output logic                    flush_o,   // take and issue nothing
    // sweep after reset: clears the RAMs of the users, one address a cycle
    output logic                    sweep_o,
    output logic [TAG_W-1:0]        sweep_idx_o,
    // tags for the issue side
    output logic                    tag_valid_o,
    output logic                    pay_ok_o,  // payload may take one as well
    output logic [TAG_W-1:0]        tag_o,
    output logic                    turn_o,    // of this use of the tag, kept with the read
    output logic [1:0]              period_o,  // number of the current period
    input  logic                    take_i,
    input  logic                    take_pay_i,
    // request numbers
    output logic                    id_valid_o,
    output logic [TAG_W-1:0]        id_o,
    input  logic                    id_take_i,
    input  logic                    id_free_i,
    input  logic [TAG_W-1:0]        id_free_id_i,
    // end of a read
    input  cairn_int_pkg::tag_end_t end_i,
    // a tag that may have timed out: dma_rd_cpl knows whether it is live, and since when
    output logic                    late_valid_o,
    input  logic                    late_ready_i,
    output logic [TAG_W-1:0]        late_tag_o,
    // time
    output logic                    active_o,  // sweep or scan
    output logic                    busy_o,    // reads outstanding
    output logic                    stuck_o,
    output logic                    deadline_valid_o,
    output logic [63:0]             deadline_o
);
  localparam int unsigned TAGS = 1 << TAG_W;
  localparam int unsigned T    = TIMEOUT_LOG2;
  // Numbers that every host takes.
  localparam int unsigned LOW_W    = (TAG_W > 5) ? 5 : TAG_W;
  localparam int unsigned LOW      = 1 << LOW_W;
  localparam int unsigned LOW_CTRL = LOW / 4;

  if (TAG_W < 3 || TAG_W > 8) begin : g_chk_tag
    $error("dma_rd_tags: TAG_W must be 3 to 8");
  end
  if (CTRL_TAGS == 0 || CTRL_TAGS >= TAGS) begin : g_chk_ctrl
    $error("dma_rd_tags: CTRL_TAGS must leave tags for payload");
  end
  if (T < 6 || T > 40) begin : g_chk_timeout
    $error("dma_rd_tags: TIMEOUT_LOG2 must be 6 to 40");
  end

  typedef enum logic [1:0] {S_SWEEP, S_RUN, S_DRAIN, S_DONE} state_e;
  state_e           state_q;
  logic [TAG_W:0]   sweep_q;
  logic             sweep;

  logic [TAG_W:0]   pay_q;          // tags payload holds, quarantined ones included
  logic [TAG_W:0]   lost_q, pay_lost_q, low_lost_q;   // tags in quarantine: all, those of payload, low numbers
  logic             lose, find;
  logic [TAG_W:0]   cnt_q [0:3];    // live tags of each period
  logic [1:0]       cur;
  logic             any_live, expired;

  assign sweep       = state_q == S_SWEEP;
  assign sweep_o     = sweep;
  assign sweep_idx_o = sweep_q[TAG_W-1:0];
  assign flush_o     = state_q != S_RUN;
  assign flr_done_o  = state_q == S_DONE;

  assign cur      = time_now_i[T+1:T];
  assign period_o = cur;
  assign any_live = cnt_q[0] != '0 || cnt_q[1] != '0 || cnt_q[2] != '0 || cnt_q[3] != '0;
  assign busy_o   = any_live;

  // The two periods that are neither the current nor the one before it.
  logic [1:0] old1, old2;
  assign old1    = cur + 2'd1;
  assign old2    = cur + 2'd2;
  assign expired = cnt_q[old1] != '0 || cnt_q[old2] != '0;

  // States ------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_SWEEP;
      sweep_q <= '0;
    end else begin
      case (state_q)
        S_SWEEP: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == (TAG_W+1)'(TAGS - 1)) state_q <= flr_i ? S_DONE : S_RUN;
        end
        S_RUN: begin
          sweep_q <= '0;
          if (flr_i) state_q <= S_DRAIN;
        end
        S_DRAIN: if (!any_live && !hold_i && !end_i.valid) state_q <= S_SWEEP;
        default: if (!flr_i) state_q <= S_RUN;
      endcase
    end
  end

  // Free lists --------------------------------------------------------------------------------------------
  // Both are emptied when a sweep begins and filled by it.
  logic fifo_rst_n, tag_out_valid, id_out_valid;
  assign fifo_rst_n = rst_ni && state_q != S_DRAIN;

  logic [TAG_W-1:0] back;
  logic [LOW_W-1:0] low;
  logic             back_turn, low_turn;
  logic             back_valid, back_low, narrow, low_valid;
  assign back       = sweep ? sweep_q[TAG_W-1:0] : end_i.tag[TAG_W-1:0];
  assign back_valid = sweep || (end_i.valid && end_i.free);
  assign back_turn  = !sweep && end_i.turn;
  sync_fifo_ram #(.WIDTH(1 + LOW_W), .DEPTH(LOW)) u_low (
      .clk_i, .rst_ni(fifo_rst_n),
      .in_valid_i(back_valid && back_low), .in_ready_o(), .in_data_i({back_turn, back[LOW_W-1:0]}),
      .out_valid_o(low_valid), .out_ready_i(take_i && (narrow || !tag_out_valid)), .out_data_o({low_turn, low}),
      .level_o());
  if (TAG_W > LOW_W) begin : g_high
    logic [TAG_W-1:0] high;
    logic             high_turn;
    assign back_low = back[TAG_W-1:LOW_W] == '0;
    assign narrow   = !ext_i;
    sync_fifo_ram #(.WIDTH(1 + TAG_W), .DEPTH(TAGS - LOW)) u_high (
        .clk_i, .rst_ni(fifo_rst_n),
        .in_valid_i(back_valid && !back_low), .in_ready_o(), .in_data_i({back_turn, back}),
        .out_valid_o(tag_out_valid), .out_ready_i(take_i && !narrow), .out_data_o({high_turn, high}),
        .level_o());
    assign tag_o  = (tag_out_valid && !narrow) ? high : TAG_W'(low);
    assign turn_o = (tag_out_valid && !narrow) ? !high_turn : !low_turn;
  end else begin : g_no_high
    logic unused_ext;
    assign unused_ext    = ext_i;
    assign back_low      = 1'b1;
    assign narrow        = 1'b0;
    assign tag_out_valid = 1'b0;
    assign tag_o         = low;
    assign turn_o        = !low_turn;
  end

  sync_fifo_ram #(.WIDTH(TAG_W), .DEPTH(TAGS)) u_ids (
      .clk_i, .rst_ni(fifo_rst_n),
      .in_valid_i(sweep || id_free_i), .in_ready_o(),
      .in_data_i(sweep ? sweep_q[TAG_W-1:0] : id_free_id_i),
      .out_valid_o(id_out_valid), .out_ready_i(id_take_i), .out_data_o(id_o),
      .level_o());

  assign tag_valid_o = (low_valid || (tag_out_valid && !narrow)) && !flush_o;
  assign id_valid_o  = id_out_valid && !flush_o;
  logic [TAG_W:0] pay_most;
  assign pay_most    = narrow ? (TAG_W+1)'(LOW - LOW_CTRL) : (TAG_W+1)'(TAGS - CTRL_TAGS);
  logic ok_q;     // one that comes back in the cycle before does not count yet
  assign pay_ok_o    = ok_q;
  always_ff @(posedge clk_i) ok_q <= (take_i && take_pay_i) ? pay_q + (TAG_W+1)'(1) < pay_most : pay_q < pay_most;

  // One more, one less: one adder.
  function automatic logic [TAG_W:0] step(input logic more, input logic less);
    step = {{TAG_W{less && !more}}, less ^ more};
  endfunction

  // Tags in use -------------------------------------------------------------------------------------------
  assign lose = end_i.valid && end_i.live && !end_i.free;
  assign find = end_i.valid && !end_i.live && end_i.free;
  always_ff @(posedge clk_i) begin
    stuck_o <= rst_ni && !sweep && (pay_lost_q >= pay_most || lost_q == (TAG_W+1)'(TAGS)
                                    || (narrow && low_lost_q == (TAG_W+1)'(LOW)));
    if (!rst_ni || sweep) begin
      pay_q      <= '0;
      lost_q     <= '0;
      pay_lost_q <= '0;
      low_lost_q <= '0;
    end else begin
      low_lost_q <= low_lost_q + step(lose && back_low, find && back_low);
      lost_q     <= lost_q + step(lose, find);
      pay_lost_q <= pay_lost_q + step(lose && end_i.pay, find && end_i.pay);
      pay_q      <= pay_q + step(take_i && take_pay_i, end_i.valid && end_i.free && end_i.pay);
    end
  end

  for (genvar g = 0; g < 4; g++) begin : g_period
    always_ff @(posedge clk_i) begin
      if (!rst_ni || sweep) cnt_q[g] <= '0;
      else cnt_q[g] <= cnt_q[g] + step(take_i && cur == 2'(g), end_i.valid && end_i.live && end_i.period == 2'(g));
    end
  end

  // Scan for timed-out tags -------------------------------------------------------------------------------
  // One tag in two cycles, so that completions go on.
  logic [TAG_W-1:0] scan_q;
  logic             offer_q;
  assign late_valid_o = offer_q;
  assign late_tag_o   = scan_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || sweep || !expired) begin
      scan_q  <= '0;
      offer_q <= 1'b0;
    end else begin
      offer_q <= !offer_q || !late_ready_i;
      if (offer_q && late_ready_i) scan_q <= scan_q + 1'b1;
    end
  end

  // Time --------------------------------------------------------------------------------------------------
  logic [63-T:0] now_period;
  logic [1:0]    prev;
  assign now_period = time_now_i[63:T];
  assign prev       = cur - 2'd1;
  assign active_o   = expired || sweep;

  always_ff @(posedge clk_i) begin
    deadline_valid_o <= rst_ni && any_live;
    if (expired) deadline_o <= time_now_i;
    else deadline_o <= {now_period + ((cnt_q[prev] != '0) ? (64-T)'(1) : (64-T)'(2)), T'(0)};
  end
endmodule
