// SPDX-License-Identifier: Apache-2.0
// DMA reads: takes the clients' requests, issues memory read TLPs, and broadcasts the data that comes back.
//
//   clients -> dma_arbiter -+-> dma_split (control) -+-> tag -> MRd -> pcie_tlp
//                           +-> dma_split (payload) -+
//   pcie_tlp -> completions -> dma_rd_cpl -> data stream        dma_rd_tags: tags, numbers, timeout, reset
//
// Order: control goes before payload, TLP by TLP, but payload has every fourth turn and leaves CTRL_TAGS tags to
//   control. Nothing is buffered behind the completions, so no completion space is reserved: clients ask only for what
//   they have room for.
// Cycles: one request and one MRd a cycle, of one client a request in two; below 512 bits an MRd in two.
// Errors: UR, CA, poison, timeout, a wrong length or bus mastering off give err with the request's last beat, and are
//   counted. An MRd that pcie_tlp drops ends its request with err.
// Idle: nothing moves here until a completion, a ticket, a request or deadline_o comes; reads may be outstanding.
//   Function reset: dma_rd_tags; the clients are reset with it. docs/rtl/dma.md.
module dma_read #(
    parameter int unsigned DATA_W       = 512,
    parameter int unsigned TAGS_LOG2    = 8,     // 3 to 8
    parameter int unsigned CTRL_TAGS    = 32,    // tags that payload leaves to the control clients
    parameter int unsigned TIMEOUT_LOG2 = 24,    // completion timeout: 1 to 2 times 2^n ns
    parameter logic [cairn_int_pkg::RD_N-1:0] CLIENTS = '1   // those that this build has, by RD_*
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        time_now_i,
    input  logic [2:0]                         mrrs_i,        // 128 << n bytes
    input  logic [15:0]                        reqid_i,
    input  logic                               ext_tag_i,     // 8-bit tags are enabled, else 5-bit ones
    // clients
    input  cairn_int_pkg::dma_reads_t          rd_i,
    output cairn_int_pkg::dma_read_ready_t     rd_ready_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    // data stream to all clients, never stopped
    output cairn_int_pkg::dma_beat_t           beat_o,
    output logic [DATA_W-1:0]                  beat_data_o,
    // memory read requests, one beat each
    output cairn_int_pkg::tlp_ask_t            mrd_o,
    input  logic                               mrd_ready_i,
    input  logic                               mrd_drop_i,    // with ready: not sent (bus master off, reset)
    // completions with data or status
    input  cairn_int_pkg::tlp_back_t           cpl_i,
    output logic                               cpl_ready_o,  // low for single cycles, and for 2^TAGS_LOG2 after a reset
    input  logic [DATA_W-1:0]                  cpl_data_i,
    // function reset
    input  logic                               flr_i,
    output logic                               flr_done_o,
    // state
    output logic                               idle_o,
    output logic                               busy_o,        // reads outstanding
    output logic                               stuck_o,       // no tags are left: see dma_rd_tags
    output logic [1:0]                         epoch_busy_o,  // requests of epoch 0 / 1 not finished
    output logic                               deadline_valid_o,
    output logic [63:0]                        deadline_o,
    // counter events
    output cairn_hw_pkg::dma_read_events_t     events_o
);
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  localparam int unsigned TAG_W  = TAGS_LOG2;
  localparam int unsigned ID_W   = cairn_int_pkg::PCIE_TAG_W;

  if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) begin : g_chk_data
    $error("dma_read: DATA_W must be 64, 128, 256 or 512");
  end

  logic flush, sweep;
  logic [TAG_W-1:0] sweep_idx;

  // Requests ----------------------------------------------------------------------------------------------
  logic ctl_valid, ctl_ready, pay_valid, pay_ready;
  logic [cairn_int_pkg::DMA_RD_W-1:0] ctl_req, pay_req;
  logic [3:0] ctl_client;
  logic [cairn_int_pkg::RD_N-1:0] taken, taken_epoch;

  dma_arbiter #(.CLIENTS(CLIENTS)) u_arb (
      .clk_i, .rst_ni, .flush_i(flush), .sent_ticket_i, .rd_i, .rd_ready_o, .taken_o(taken), .epoch_o(taken_epoch),
      .ctl_valid_o(ctl_valid), .ctl_ready_i(ctl_ready), .ctl_req_o(ctl_req), .ctl_client_o(ctl_client),
      .pay_valid_o(pay_valid), .pay_ready_i(pay_ready), .pay_req_o(pay_req));

  // A request begins with a request number. Payload takes it first: its splitter asks for one only as often as the
  // choice below lets it send, so control is not held up.
  logic             id_valid, id_take, ctl_may;
  logic [TAG_W-1:0] id;
  logic             c_in_ready, p_in_ready, ctl_load, pay_load;
  assign pay_load  = pay_valid && id_valid;
  assign pay_ready = p_in_ready && id_valid;
  assign ctl_may   = id_valid && !(pay_valid && p_in_ready);
  assign ctl_load  = ctl_valid && ctl_may;
  assign ctl_ready = c_in_ready && ctl_may;
  assign id_take   = (ctl_load && c_in_ready) || (pay_load && p_in_ready);

  cairn_int_pkg::dma_rd_t c_req, p_req;
  logic              split_rst_n, c_valid, c_ready, p_valid, p_ready;
  logic [63:0]       c_addr, p_addr;
  logic [LEN_W-1:0]  c_len, c_ends, c_off, p_len, p_ends, p_off;
  logic [5:0]        c_pieces, p_pieces;
  cairn_int_pkg::rd_request_t c_meta, p_meta, i_meta;
  assign c_req       = ctl_req;
  assign p_req       = pay_req;
  assign split_rst_n = rst_ni && !flush;

  dma_split #(.META_W(cairn_int_pkg::RD_REQUEST_W), .FULL(DATA_W >= 512)) u_split_ctl (
      .clk_i, .rst_ni(split_rst_n), .block_i(mrrs_i),
      .in_valid_i(ctl_load), .in_ready_o(c_in_ready), .in_addr_i(c_req.iova), .in_len_i(c_req.len),
      .in_meta_i({ctl_client, c_req.tag, c_req.func, c_req.epoch, ID_W'(id)}),
      .out_valid_o(c_valid), .out_ready_i(c_ready), .out_addr_o(c_addr), .out_len_o(c_len), .out_ends_o(c_ends),
      .out_off_o(c_off), .out_pieces_o(c_pieces), .out_first_o(),
      .out_last_o(), .out_meta_o(c_meta));

  dma_split #(.META_W(cairn_int_pkg::RD_REQUEST_W), .FULL(DATA_W >= 512)) u_split_pay (
      .clk_i, .rst_ni(split_rst_n), .block_i(mrrs_i),
      .in_valid_i(pay_load), .in_ready_o(p_in_ready), .in_addr_i(p_req.iova), .in_len_i(p_req.len),
      .in_meta_i({4'(cairn_int_pkg::RD_TXP), p_req.tag, p_req.func, p_req.epoch, ID_W'(id)}),
      .out_valid_o(p_valid), .out_ready_i(p_ready), .out_addr_o(p_addr), .out_len_o(p_len), .out_ends_o(p_ends),
      .out_off_o(p_off), .out_pieces_o(p_pieces), .out_first_o(),
      .out_last_o(), .out_meta_o(p_meta));

  // Issue -------------------------------------------------------------------------------------------------
  logic             tag_valid, pay_ok, issue, pick_pay, slot_free;
  logic [TAG_W-1:0] tag;
  logic [1:0]       period;
  logic             turn;
  logic [1:0]       turns_q;       // control TLPs in a row while payload could have gone
  logic             p_can;

  assign p_can     = p_valid && pay_ok;
  assign pick_pay  = p_can && (!c_valid || turns_q == 2'd3);
  assign issue     = slot_free && tag_valid && (c_valid || p_can);
  assign c_ready   = issue && !pick_pay;
  assign p_ready   = issue && pick_pay;

  logic [63:0]       i_addr;
  logic [LEN_W-1:0]  i_len, i_off;
  assign i_addr = pick_pay ? p_addr : c_addr;
  assign i_len  = pick_pay ? p_len  : c_len;
  assign i_off  = pick_pay ? p_off  : c_off;

  logic [127:0]      i_hdr;
  assign i_meta = pick_pay ? p_meta : c_meta;

  dma_tlp_hdr u_hdr (
      .write_i(1'b0), .addr_i(i_addr), .ends_i(pick_pay ? p_ends : c_ends), .relaxed_i(1'b0),
      .reqid_i(reqid_i + {8'd0, i_meta.func}), .tag_i(8'(tag)), .hdr_o(i_hdr));

  // The MRd on offer; a dropped one becomes an end of its tag before the next is issued.
  logic             mrd_q, drop_q, drop_ready;
  logic [127:0]     mrd_hdr_q;
  logic [TAG_W-1:0] mrd_tag_q;
  logic [LEN_W-1:0] mrd_len_q;
  // Below 512 bits not in the cycle in which one is taken: that comes late, from what else wants the link.
  assign slot_free   = !drop_q && (!mrd_q || (DATA_W >= 512 && mrd_ready_i && !mrd_drop_i));
  assign mrd_o.valid = mrd_q;
  assign mrd_o.hdr   = mrd_hdr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mrd_q   <= 1'b0;
      drop_q  <= 1'b0;
      turns_q <= 2'd0;
    end else begin
      if (issue) mrd_q <= 1'b1;
      else if (mrd_ready_i) mrd_q <= 1'b0;
      if (mrd_q && mrd_ready_i && mrd_drop_i) drop_q <= 1'b1;
      else if (drop_ready) drop_q <= 1'b0;
      if (issue) turns_q <= (pick_pay || !p_can) ? 2'd0 : turns_q + 2'd1;
    end
    if (issue) begin
      mrd_hdr_q <= i_hdr;
      mrd_tag_q <= tag;
      mrd_len_q <= i_len;
    end
  end

  // Completions -------------------------------------------------------------------------------------------
  logic [TAG_W-1:0] id_free_id, late_tag;
  cairn_int_pkg::tag_end_t  tag_end;
  cairn_int_pkg::rd_piece_t piece;
  assign piece = {i_addr[6:0], i_len, i_off, pick_pay ? p_pieces : c_pieces, i_meta.client, i_meta.tag, i_meta.epoch,
                  i_meta.id, period, turn};
  logic             id_free;
  logic             late_valid, late_ready, req_end, req_end_epoch, cpl_active, tags_active;

  dma_rd_tags #(.TAG_W(TAG_W), .CTRL_TAGS(CTRL_TAGS), .TIMEOUT_LOG2(TIMEOUT_LOG2)) u_tags (
      .clk_i, .rst_ni, .time_now_i, .ext_i(ext_tag_i), .flr_i, .hold_i(mrd_q || drop_q || cpl_active), .flr_done_o,
      .flush_o(flush), .sweep_o(sweep), .sweep_idx_o(sweep_idx),
      .tag_valid_o(tag_valid), .pay_ok_o(pay_ok), .tag_o(tag), .turn_o(turn), .period_o(period),
      .take_i(issue), .take_pay_i(pick_pay),
      .id_valid_o(id_valid), .id_o(id), .id_take_i(id_take), .id_free_i(id_free),
      .id_free_id_i(id_free_id),
      .end_i(tag_end),
      .late_valid_o(late_valid), .late_ready_i(late_ready), .late_tag_o(late_tag),
      .active_o(tags_active), .busy_o, .stuck_o, .deadline_valid_o, .deadline_o);

  dma_rd_cpl #(.DATA_W(DATA_W), .TAG_W(TAG_W)) u_cpl (
      .clk_i, .rst_ni, .mute_i(flush), .sweep_i(sweep), .sweep_idx_i(sweep_idx),
      .cpl_i, .cpl_ready_o, .cpl_data_i,
      .drop_valid_i(drop_q), .drop_ready_o(drop_ready), .drop_tag_i(mrd_tag_q),
      .late_valid_i(late_valid), .late_ready_o(late_ready), .late_tag_i(late_tag), .period_i(period),
      .rec_we_i(issue), .rec_tag_i(tag), .rec_i(piece),
      .end_o(tag_end), .id_free_o(id_free), .id_free_id_o(id_free_id),
      .beat_o, .beat_data_o, .req_end_o(req_end), .req_end_epoch_o(req_end_epoch),
      .active_o(cpl_active), .events_o(events_o.dma_rd_cpl));

  // State -------------------------------------------------------------------------------------------------
  // Requests per epoch from the moment they are taken from the client (two may arrive in one cycle and more), counted a
  // cycle later.
  logic [cairn_int_pkg::RD_N-1:0] new0_q, new1_q;
  logic [TAG_W+1:0] open_q [0:1];
  logic [3:0]       in0, in1;
  always_comb begin
    in0 = 4'd0;
    in1 = 4'd0;
    for (int unsigned i = 0; i < cairn_int_pkg::RD_N; i++) begin
      in0 = in0 + {3'd0, new0_q[i]};
      in1 = in1 + {3'd0, new1_q[i]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || sweep) begin
      new0_q    <= '0;
      new1_q    <= '0;
      open_q[0] <= '0;
      open_q[1] <= '0;
    end else begin
      new0_q    <= taken & ~taken_epoch;
      new1_q    <= taken & taken_epoch;
      open_q[0] <= open_q[0] + (TAG_W+2)'(in0) - (TAG_W+2)'(req_end && !req_end_epoch);
      open_q[1] <= open_q[1] + (TAG_W+2)'(in1) - (TAG_W+2)'(req_end && req_end_epoch);
    end
  end
  assign epoch_busy_o = {open_q[1] != '0 || new1_q != '0, open_q[0] != '0 || new0_q != '0};

  // Quiet for long enough that no free list still has a word on its way.
  logic       moving;
  logic [2:0] quiet_q;
  assign moving = (c_valid && tag_valid) || (p_can && tag_valid) || mrd_q || drop_q
                  || (ctl_valid && c_in_ready) || (pay_valid && p_in_ready)
                  || taken != '0 || cpl_active || tags_active;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || moving) quiet_q <= 3'd0;
    else if (quiet_q != 3'd7) quiet_q <= quiet_q + 3'd1;
  end
  assign idle_o = quiet_q == 3'd7 && !moving;

  // A TLP was handed over, or none could be.
  logic                            sent_q, stall_q;
  logic [cairn_int_pkg::LEN_W-1:0] sent_len_q;
  assign events_o.dma_rd       = sent_q;
  assign events_o.dma_rd_bytes = sent_q ? sent_len_q : '0;
  assign events_o.stall_dma_rd = stall_q;
  always_ff @(posedge clk_i) begin
    sent_q     <= rst_ni && mrd_q && mrd_ready_i && !mrd_drop_i;
    sent_len_q <= mrd_len_q;
    stall_q    <= rst_ni && ((c_valid || p_valid) && !issue);
  end
endmodule
