// SPDX-License-Identifier: Apache-2.0
// A context cache of one-part records with its data RAM and firmware port, for one user that only reads (MPT, MTT
// lines).
//
// Wiring of ctx_cache, ctx_ram and ctx_fw. The user looks up without pins, and reads the record in the cycle after the
// answer, before anything can replace it.
// WORDS: the RAM has words of 64 bits, of which the user names one (rd_word_i, data in rd_data_o[63:0]) in the cycle
//   of the answer or the one behind it. For records that only the host changes (RANGE), at 64 bit.
// Ahead: a key that will be looked up soon; its record is fetched if it is not here. Nothing answers.
// Changes: a second user may change records (mr_update): lookups with pins, reads (data in the cycle after the grant),
//   writes (at most every second cycle). While it has the lock that it asked for, firmware changes no record; between
//   the read and the write of a MODIFY the lock is not given.
module ctx_table #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned SETS     = 8,
    parameter int unsigned KEY_LSB  = 8,
    parameter int unsigned CLIENT   = cairn_int_pkg::RD_MR,
    parameter int unsigned TAG_BASE = 0,
    parameter int unsigned RANGE    = 0,    // firmware drops records in ranges, and writes none
    parameter int unsigned FILLS    = 4,    // at most 128: fills_q
    parameter bit          WORDS    = 1'b0,
    localparam int unsigned AW = $clog2(SETS * 8)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    input  logic [63:0]                        base_i,
    input  logic [24:0]                        entries_i,
    input  cairn_int_pkg::ctx_req_t            ctx_i,
    output logic                               ctx_ready_o,
    output cairn_int_pkg::ctx_rsp_t            ctx_o,
    input  cairn_int_pkg::ctx_req_t            ahead_i,
    output logic                               ahead_ready_o,
    input  logic [AW-1:0]                      rd_slot_i,
    input  logic [2:0]                         rd_word_i,
    output logic [511:0]                       rd_data_o,
    output logic                               fill_valid_o,
    input  cairn_int_pkg::ctx_req_t            up_ctx_i,
    output logic                               up_ctx_ready_o,
    output cairn_int_pkg::ctx_rsp_t            up_ctx_o,
    input  cairn_int_pkg::unpin_t              up_unpin_i,
    input  logic                               up_lock_i,
    output logic                               up_go_o,
    input  logic                               up_rd_valid_i,
    output logic                               up_rd_ready_o,
    input  logic [AW-1:0]                      up_rd_slot_i,
    output logic [511:0]                       up_rd_data_o,
    input  cairn_int_pkg::part_write_t         up_write_i,
    input  cairn_int_pkg::ctx_op_t             op_i,
    output cairn_int_pkg::ctx_done_t           op_o,
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] ticket_i,
    output logic                               hit_o,
    output logic                               miss_o,
    output logic                               busy_o,
    output logic                               idle_o
);
  if (FILLS > 128) begin : g_chk_fills
    $error("ctx_table: FILLS must be 128 or less (fills_q)");
  end
  // Pins: mr_update has three for each of its clients and three at hand, firmware one.
  localparam int unsigned PIN_W = $clog2(3 * cairn_int_pkg::MUC_N + 5);
  logic          f_ready, f_filled_ready, f_rd, f_wr;
  logic          host_write_ready;
  logic [511:0]  m_data, f_wdata;
  logic [1023:0] rdata;
  logic          ram_ready;
  logic [7:0]    fills_q;     // misses whose fill has not ended

  logic [2:0]    found_valid, look_ready;
  cairn_int_pkg::ctx_found_t  found;
  cairn_int_pkg::ctx_filled_t fill;
  assign {ahead_ready_o, ctx_ready_o, up_ctx_ready_o} = look_ready;
  assign fill_valid_o = fill.valid;
  assign ctx_o    = {found_valid[1], found};
  assign up_ctx_o = {found_valid[0], found};

  cairn_int_pkg::ctx_claim_t   claim;
  cairn_int_pkg::ctx_claimed_t claimed;
  cairn_int_pkg::ctx_touch_t   touch;
  cairn_int_pkg::ctx_read_t    host_read;
  cairn_int_pkg::ctx_write_t   host_write;
  logic [AW-1:0]               f_slot, host_read_slot, host_write_slot;
  assign f_slot  = AW'(claimed.slot);
  assign host_read_slot = AW'(host_read.slot);
  assign host_write_slot = AW'(host_write.slot);
  ctx_cache #(.DATA_W(DATA_W), .PARTS(1), .SETS(SETS), .KEY_LSB(KEY_LSB), .NSRC(3), .ASK(3'b010), .HINT(3'b100),
      .NPIN(1), .PIN_W(PIN_W), .WRITES(RANGE == 0), .WORDS(WORDS), .FILLS(FILLS), .CLIENT(CLIENT),
      .TAG_BASE(TAG_BASE)) u_cache (
      .clk_i, .rst_ni, .base_i, .entries_i, .func_i('0), .epoch_i,
      .look_valid_i({ahead_i.valid, ctx_i.valid, up_ctx_i.valid}), .look_ready_o(look_ready),
      .look_key_i({ahead_i.key, ctx_i.key, up_ctx_i.key}), .look_pin_i(3'b001), .found_valid_o(found_valid),
      .found_o(found),
      .unpin_valid_i(up_unpin_i.valid), .unpin_slot_i(AW'(up_unpin_i.slot)),
      .fill_o(fill),
      .fill_ask_o(),
      .filling_slot_i('0), .filling_o(),
      .dirty_valid_i(up_write_i.valid), .dirty_slot_i(AW'(up_write_i.slot)),
      .fw_i(claim), .touch_i(touch), .fw_ready_o(f_ready), .fw_o(claimed),
      .fw_filled_ready_o(f_filled_ready),
      .host_read_o(host_read), .host_read_data_i(m_data),
      .host_write_o(host_write), .host_write_ready_i(host_write_ready),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i, .wr_o, .wr_ready_i,
      .ticket_i,
      .hit_o, .miss_o, .written_o(), .idle_o);
  ctx_fw #(.PARTS(1), .RANGE(RANGE)) u_fw (
      .clk_i, .rst_ni, .op_i(op_i),
      .op_o(op_o),
      .fw_o(claim), .touch_o(touch), .fw_ready_i(f_ready), .fw_i(claimed),
      .fw_filled_ready_i(f_filled_ready),
      .rd_valid_o(f_rd), .rd_ready_i(f_rd_ready), .rd_data_i(m_data), .wr_valid_o(f_wr),
      .wr_ready_i(ram_ready && !host_write.valid), .wr_data_o(f_wdata), .refuse_i(1'b0), .idle_o());

  // Firmware or up_*, one at a time.
  logic lock_q, modify, f_rd_ready;
  assign modify        = op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign f_rd_ready    = !host_read.valid && !(modify && up_locked_q);
  assign up_go_o       = up_lock_i && (up_locked_q || !(lock_q || (f_rd && modify)));
  assign up_rd_ready_o = up_rd_valid_i && !host_read.valid && !(f_rd && f_rd_ready);
  assign up_rd_data_o  = m_data;
  logic up_locked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lock_q      <= 1'b0;
      up_locked_q <= 1'b0;
    end else begin
      lock_q      <= (f_rd && f_rd_ready && modify) || (lock_q && !(f_wr && ram_ready && !host_write.valid));
      up_locked_q <= up_go_o;
    end
  end

  // Reader 0: the user. Reader 1: write-back before firmware before up_*; lines of RANGE are only filled and looked up,
  // and a fill ends long after the last look-up that found what the slot had before.
  localparam int unsigned READERS = RANGE != 0 ? 1 : 2;
  logic [2*AW-1:0] rd_slots;
  assign rd_slots = {host_read.valid ? host_read_slot : (f_rd && f_rd_ready) ? f_slot : up_rd_slot_i, rd_slot_i};
  if (WORDS) begin : g_words
    logic [63:0] word;
    ram_1r1w #(.WIDTH(64), .DEPTH(8 * SETS * 8), .BYPASS(2)) u_ram (
        .clk_i, .we_i(host_write.valid), .waddr_i({host_write_slot, host_write.word}), .wdata_i(host_write.data[63:0]),
        .re_i(1'b1), .raddr_i({rd_slot_i, rd_word_i}), .rdata_o(word));
    assign rdata[511:0] = 512'(word);
    assign ram_ready    = 1'b1;
    logic unused;
    assign unused = ^{f_wr, f_slot, up_write_i};
  end else begin : g_ram
    ctx_ram #(.WIDTH(512), .SLOTS(SETS * 8), .READERS(READERS), .BYPASS(RANGE != 0 ? 2 : 0)) u_ram (
        .clk_i, .part_write_valid_i(up_write_i.valid), .part_write_slot_i(AW'(up_write_i.slot)),
        .part_write_data_i(up_write_i.data),
        .host_write_valid_i(host_write.valid || f_wr), .host_write_ready_o(ram_ready),
        .host_write_slot_i((RANGE != 0 || host_write.valid) ? host_write_slot : f_slot),
        .host_write_data_i((RANGE != 0 || host_write.valid) ? host_write.data : f_wdata),
        .rd_slot_i(rd_slots[READERS*AW-1:0]), .rd_data_o(rdata[READERS*512-1:0]));
    logic unused;
    assign unused = ^{rd_word_i, host_write.word};
  end
  if (RANGE != 0) begin : g_read_only
    assign rdata[1023:512] = '0;
    logic unused;
    assign unused = ^{rd_slots, f_wdata};
  end
  assign rd_data_o = rdata[511:0];
  assign m_data    = rdata[1023:512];
  assign host_write_ready  = ram_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fills_q <= '0;
    else fills_q <= fills_q + 8'(miss_o) - 8'(fill_valid_o && fills_q != '0);
  end
  assign busy_o = fills_q != '0;
endmodule
