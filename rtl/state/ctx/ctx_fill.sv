// SPDX-License-Identifier: Apache-2.0
// Fill engine of a context cache: reads records from the table in host memory, several at a time, checks them and
// writes the part RAMs.
//
// Order: a fill is asked for only when no write-back of its record is in the buffer, and is behind the newest one that
//   was posted (its ticket), so it cannot read a record that is still on its way out (ctx_change).
// Check: (KEY_LSB < 32) word 0 of each part has the key at [KEY_LSB +: 24], and all parts have the same word 0. A word
//   0 of zero in part 0 is a free record.
// WORDS: a record without a check is written as it was read, a beat of 64 bits at a time (host_write_o.word).
// Errors: the end of a fill tells good, damaged or unreadable, or free.
// Cycles: one fill in BEATS; the first part of one is written in the third cycle after its read has ended.
module ctx_fill #(
    parameter int unsigned DATA_W  = 512,
    parameter int unsigned PARTS   = 4,
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned KEY_W   = 24,
    parameter int unsigned KEY_LSB = 0,     // 32: records carry no key, no check
    parameter int unsigned CHECK_W = 24,    // bits of the key that word 0 repeats
    parameter bit          WORDS   = 1'b0,
    parameter int unsigned FILLS   = 4,
    parameter int unsigned CLIENT  = 3,
    parameter int unsigned TAG_BASE = 0     // first rtag used, when several caches share a client
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        base_i,
    input  logic [7:0]                         func_i,
    input  logic                               epoch_i,
    // from the lookup: a slot has been given to a key
    input  logic                               req_valid_i,
    output logic                               req_ready_o,
    input  logic [$clog2(SLOTS)-1:0]           req_slot_i,
    input  logic [KEY_W-1:0]                   req_key_i,
    input  logic                               copying_i,  // a slot's parts are being read, to be written back
    input  logic                               wb_ticket_valid_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] wb_ticket_i,
    // host read
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    // part RAM write
    output cairn_int_pkg::ctx_write_t          host_write_o,
    input  logic                               host_write_ready_i,
    // result
    output logic                               done_o,
    output logic [$clog2(SLOTS)-1:0]           done_slot_o,
    output logic [KEY_W-1:0]                   done_key_o,
    output logic [2:0]                         done_status_o,
    output logic                               idle_o
);
  localparam int unsigned AW    = $clog2(SLOTS);
  localparam int unsigned PW    = (PARTS > 1) ? $clog2(PARTS) : 1;
  localparam int unsigned NW    = WORDS ? 3 : PW;
  localparam int unsigned FW    = (FILLS > 1) ? $clog2(FILLS) : 1;
  localparam int unsigned BEATB = DATA_W / 8;
  localparam int unsigned BPP   = WORDS ? 1 : 64 / BEATB; // beats per part, or word
  localparam int unsigned BEATS = 64 / BEATB * PARTS;
  localparam int unsigned BW    = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam int unsigned OFFL  = $clog2(BEATB);
  localparam int unsigned LB    = (BPP > 1) ? $clog2(BPP) : 1;
  localparam int unsigned WB    = WORDS ? 64 : 512;       // bits written at once

  if (DATA_W > 512 || DATA_W < 64) begin : g_chk_w
    $error("ctx_fill: DATA_W must be 64 to 512");
  end
  if (WORDS && (DATA_W != 64 || PARTS != 1 || KEY_LSB < 32)) begin : g_chk_words
    $error("ctx_fill: words are beats of 64 bits, of records of one part and without a check");
  end
  if (FILLS < 2) begin : g_chk_fills
    $error("ctx_fill: FILLS must be 2 or more");
  end

  // ---- free entries: first those never used, then those that came back ----
  logic [FW:0]            used_q;
  logic                   back_valid, free_valid, issue, rd_room;
  logic [FW-1:0]          back_idx, free_idx;
  logic [FW:0]            count_q;
  cairn_int_pkg::dma_rd_t rd;
  assign free_valid = !used_q[FW] || back_valid;
  assign free_idx   = used_q[FW] ? back_idx : used_q[FW-1:0];
  sync_fifo #(.WIDTH(FW), .DEPTH(FILLS)) u_back (
      .clk_i, .rst_ni, .in_valid_i(finish), .in_ready_o(), .in_data_i(idx_q), .out_valid_o(back_valid),
      .out_ready_i(issue && used_q[FW]), .out_data_o(back_idx));

  // ---- issue. Once issued a read stays: a write-back that starts later cannot be of this record. ----
  assign req_ready_o = free_valid && rd_room;
  assign issue       = req_valid_i && req_ready_o;
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(req_valid_i && free_valid), .in_ready_o(rd_room), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
  always_comb begin
    rd            = '0;
    rd.func       = func_i;
    rd.iova       = base_i + {{(64-KEY_W-6-(PARTS > 1 ? PW : 0)){1'b0}}, req_key_i, {(6+(PARTS > 1 ? PW : 0)){1'b0}}};
    rd.len        = cairn_int_pkg::LEN_W'(PARTS * 64);
    rd.tag        = cairn_int_pkg::RTAG_W'(TAG_BASE) + cairn_int_pkg::RTAG_W'(free_idx);
    rd.nb_valid   = wb_ticket_valid_i;
    rd.not_before = wb_ticket_i;
    rd.epoch      = epoch_i;
  end
  // Whose each entry is.
  logic [AW+KEY_W-1:0] owner [0:(1<<FW)-1];
  always_ff @(posedge clk_i) if (issue) owner[free_idx] <= {req_slot_i, req_key_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q  <= '0;
      count_q <= '0;
    end else begin
      if (issue && !used_q[FW]) used_q <= (used_q == (FW+1)'(FILLS - 1)) ? (FW+1)'(1 << FW) : used_q + 1'b1;
      count_q <= count_q + (FW+1)'(issue) - (FW+1)'(finish);
    end
  end

  // ---- collect ----
  cairn_int_pkg::dma_rsp_t rsp;
  logic                    mine;
  logic [cairn_int_pkg::RTAG_W-1:0] rel;
  logic [FW-1:0]           rsp_idx;
  assign rsp     = beat_i.meta;
  assign rel     = rsp.tag - cairn_int_pkg::RTAG_W'(TAG_BASE);
  assign mine    = beat_i.valid && rsp.client == 4'(CLIENT) && rel < cairn_int_pkg::RTAG_W'(FILLS);
  assign rsp_idx = rel[FW-1:0];

  logic              asm_we;
  logic [FW+BW-1:0]  asm_waddr;
  logic [FW+BW-1:0]  asm_raddr;
  logic [DATA_W-1:0] asm_rdata;
  logic [BW-1:0]     rsp_beat;
  if (BEATS > 1) begin : g_beat
    assign rsp_beat = rsp.offset[OFFL +: BW];
  end else begin : g_beat1
    assign rsp_beat = '0;
  end
  assign asm_we    = mine && rsp.nbytes != '0;
  assign asm_waddr = {rsp_idx, rsp_beat};

  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(FILLS * (1 << BW)), .BYPASS(2)) u_asm (
      .clk_i, .we_i(asm_we), .waddr_i(asm_waddr[$clog2(FILLS * (1 << BW))-1:0]), .wdata_i(beat_data_i),
      .re_i(!stall), .raddr_i(asm_raddr[$clog2(FILLS * (1 << BW))-1:0]), .rdata_o(asm_rdata)
  );

  // ---- drain the ended fills: read their beats one after the other, assemble a part, check, write ----
  // read: beat_q of entry cur_q, whose read may have failed
  logic             pick_valid, pick_fail, pick, act_q, fail_q, last_beat, stall;
  logic [FW-1:0]    pick_idx, cur_q;
  logic [BW-1:0]    beat_q;
  // assemble: asm_rdata is a beat
  logic             rdv_q, rd_fail_q, rd_last_q, rd_full_q;
  logic [NW-1:0]    rd_no_q;
  logic [FW-1:0]    rd_idx_q;
  logic [AW-1:0]    rd_slot_q;
  logic [KEY_W-1:0] rd_key_q;
  // write: part_q is whole, or the entry's read has failed
  logic             full_q, bad_read_q, last_q;
  logic [NW-1:0]    part_no_q;
  logic [FW-1:0]    idx_q;
  logic [AW-1:0]    slot_q;
  logic [KEY_W-1:0] key_q;
  logic [WB-1:0]    part_q;
  logic             bad_q;            // of the parts before it
  logic             free_q;           // part 0 says free
  logic [31:0]      word0_q, w0;
  logic             wrote, finish, tag_bad, first, is_free, is_bad;

  sync_fifo #(.WIDTH(FW + 1), .DEPTH(FILLS)) u_ended (
      .clk_i, .rst_ni, .in_valid_i(mine && rsp.last), .in_ready_o(), .in_data_i({rsp.err, rsp_idx}),
      .out_valid_o(pick_valid), .out_ready_i(pick), .out_data_o({pick_fail, pick_idx}));
  // What the slot held is read before it is overwritten.
  assign last_beat = fail_q || beat_q == BW'(BEATS - 1);
  assign pick      = pick_valid && !copying_i && (!act_q || (last_beat && !stall));
  assign stall     = full_q && !bad_read_q && !host_write_ready_i;
  assign asm_raddr = {cur_q, beat_q};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) act_q <= 1'b0;
    else if (pick) act_q <= 1'b1;
    else if (last_beat && !stall) act_q <= 1'b0;
    if (pick) begin
      cur_q  <= pick_idx;
      fail_q <= pick_fail;
      beat_q <= '0;
    end else if (!stall) begin
      beat_q <= beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rdv_q  <= 1'b0;
      full_q <= 1'b0;
      done_o <= 1'b0;
    end else begin
      done_o <= finish;
      if (!stall) begin
        rdv_q  <= act_q;
        full_q <= rdv_q && rd_full_q;
      end
    end
    if (!stall) begin
      rd_fail_q  <= fail_q;
      rd_last_q  <= last_beat;
      rd_full_q  <= fail_q || BPP == 1 || (&beat_q[LB-1:0]);
      rd_no_q    <= (WORDS || PARTS > 1) ? NW'(beat_q >> $clog2(BPP)) : '0;
      rd_idx_q   <= cur_q;
      {rd_slot_q, rd_key_q} <= owner[cur_q];
      bad_read_q <= rd_fail_q;
      last_q     <= rd_last_q;
      part_no_q  <= rd_no_q;
      idx_q      <= rd_idx_q;
      slot_q     <= rd_slot_q;
      key_q      <= rd_key_q;
    end
    if (wrote) begin
      bad_q <= is_bad;
      if (first) begin
        word0_q <= w0;
        free_q  <= is_free;
      end
    end
    done_slot_o <= slot_q;
    done_key_o  <= key_q;
    if (bad_read_q) done_status_o <= cairn_hw_pkg::CTX_RESULT_DAMAGED;
    else if (is_free) done_status_o <= cairn_hw_pkg::CTX_RESULT_FREE;
    else done_status_o <= is_bad ? cairn_hw_pkg::CTX_RESULT_DAMAGED : cairn_hw_pkg::CTX_RESULT_OK;
  end
  assign w0 = part_q[31:0];
  if (KEY_LSB < 32) begin : g_check
    assign tag_bad = w0[KEY_LSB +: CHECK_W] != key_q[CHECK_W-1:0] || (!first && w0 != word0_q);
  end else begin : g_nocheck
    assign tag_bad = 1'b0;
  end
  assign first   = part_no_q == '0;
  assign is_bad  = tag_bad || (!first && bad_q);
  assign is_free = first ? KEY_LSB < 32 && w0 == 32'h0 : free_q;
  assign host_write_o.valid  = full_q && !bad_read_q;
  assign host_write_o.part   = WORDS ? '0 : 2'(part_no_q);
  assign host_write_o.word   = WORDS ? 3'(part_no_q) : '0;
  assign host_write_o.slot   = cairn_int_pkg::SLOT_W'(slot_q);
  assign host_write_o.data   = 512'(part_q);
  assign wrote  = host_write_o.valid && host_write_ready_i;
  assign finish = full_q && last_q && !stall;
  assign idle_o = count_q == '0 && !req_valid_i && !done_o;

  // Beats of a part move in from the top, so that after BPP of them beat 0 is at the bottom.
  if (BPP == 1) begin : g_whole
    always_ff @(posedge clk_i) if (rdv_q && !stall) part_q <= asm_rdata;
  end else begin : g_shift
    always_ff @(posedge clk_i) if (rdv_q && !stall) part_q <= {asm_rdata, part_q[WB-1:DATA_W]};
  end
endmodule
