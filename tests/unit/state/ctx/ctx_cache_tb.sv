// SPDX-License-Identifier: Apache-2.0
// Test bench of ctx_cache: a cache of four-part records with its data RAMs and firmware port.
module ctx_cache_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 2,
    parameter int unsigned LATER  = 0,
    parameter int unsigned PINS_RAM = 0,
    localparam int unsigned AW    = $clog2(SETS * 8)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic [2:0]                 look_valid_i,
    output logic [2:0]                 look_ready_o,
    input  logic [23:0]                key0_i,
    input  logic [23:0]                key1_i,
    input  logic [23:0]                key2_i,
    output logic [2:0]                 found_valid_o,
    output cairn_int_pkg::ctx_found_t  found_o,
    input  logic [2:0]                 unpin_valid_i,
    input  logic [3*AW-1:0]            unpin_slot_i,
    output cairn_int_pkg::ctx_filled_t fill_o,
    output logic [2:0]                 fill_ask_o,
    input  logic [3:0]                 part_write_valid_i,
    input  logic [4*AW-1:0]            part_write_slot_i,
    input  logic [2047:0]              part_write_data_i,
    input  logic [AW-1:0]              rd_slot_i,
    output logic [2047:0]              rd_data_o,
    input  cairn_int_pkg::ctx_op_t     op_i,
    output cairn_int_pkg::ctx_done_t   done_o,
    output cairn_int_pkg::dma_read_t   rd_o,
    input  logic                       rd_ready_i,
    input  cairn_int_pkg::dma_beat_t   beat_i,
    input  logic [DATA_W-1:0]          beat_data_i,
    output cairn_int_pkg::dma_write_t  wr_o,
    input  logic                       wr_ready_i,
    input  logic [15:0]                ticket_i,
    output logic                       idle_o
);
  logic          f_ready, f_filled_ready, f_rd, f_wr;
  logic          host_write_ready, fqf_unused, hit_unused, miss_unused, wrt_unused, c_idle, f_idle;
  logic [511:0]  m_data, f_wdata;
  logic [3:0]    ram_ready;
  logic [2047:0] maint;
  logic [1:0]    m_part_q;

  cairn_int_pkg::ctx_claim_t   claim;
  cairn_int_pkg::ctx_claimed_t claimed;
  cairn_int_pkg::ctx_touch_t   touch;
  cairn_int_pkg::ctx_read_t    host_read;
  cairn_int_pkg::ctx_write_t   host_write;
  logic [AW-1:0]               f_slot, host_read_slot, host_write_slot;
  assign f_slot  = AW'(claimed.slot);
  assign host_read_slot = AW'(host_read.slot);
  assign host_write_slot = AW'(host_write.slot);
  ctx_cache #(.DATA_W(DATA_W), .PARTS(4), .SETS(SETS), .LATER(LATER), .NSRC(3), .NPIN(3), .FILLS(4), .ASK(3'b110),
      .PINS_RAM(PINS_RAM != 0), .CLIENT(3), .TAG_BASE(16)) u_cache (
      .clk_i, .rst_ni, .base_i(64'h10000), .entries_i(25'd60), .func_i('0), .epoch_i(1'b0),
      .look_valid_i, .look_ready_o, .look_key_i({key2_i, key1_i, key0_i}), .look_pin_i(3'b111), .found_valid_o,
      .found_o,
      .unpin_valid_i, .unpin_slot_i, .fill_o, .fill_ask_o,
      .filling_slot_i('0), .filling_o(fqf_unused),
      .dirty_valid_i(part_write_valid_i), .dirty_slot_i(part_write_slot_i),
      .fw_i(claim), .touch_i(touch), .fw_ready_o(f_ready), .fw_o(claimed),
      .fw_filled_ready_o(f_filled_ready),
      .host_read_o(host_read), .host_read_data_i(m_data),
      .host_write_o(host_write), .host_write_ready_i(host_write_ready),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .wr_o, .wr_ready_i, .ticket_i,
      .hit_o(hit_unused), .miss_o(miss_unused), .written_o(wrt_unused), .idle_o(c_idle));
  ctx_fw #(.PARTS(4)) u_fw (
      .clk_i, .rst_ni, .op_i, .op_o(done_o),
      .fw_o(claim), .touch_o(touch), .fw_ready_i(f_ready), .fw_i(claimed),
      .fw_filled_ready_i(f_filled_ready),
      .rd_valid_o(f_rd), .rd_ready_i(!host_read.valid), .rd_data_i(m_data), .wr_valid_o(f_wr),
      .wr_ready_i(ram_ready[claim.part] && !host_write.valid), .wr_data_o(f_wdata), .refuse_i(1'b0),
      .idle_o(f_idle));
  assign host_write_ready = ram_ready[host_write.part];
  for (genvar g = 0; g < 4; g++) begin : g_part
    logic [1023:0] rdata;
    ctx_ram #(.WIDTH(512), .SLOTS(SETS * 8), .READERS(2)) u_ram (
        .clk_i, .part_write_valid_i(part_write_valid_i[g]), .part_write_slot_i(part_write_slot_i[AW*g +: AW]),
        .part_write_data_i(part_write_data_i[512*g +: 512]),
        .host_write_valid_i(host_write.valid ? host_write.part == 2'(g) : f_wr && claim.part == 2'(g)),
        .host_write_ready_o(ram_ready[g]),
        .host_write_slot_i(host_write.valid ? host_write_slot : f_slot),
        .host_write_data_i(host_write.valid ? host_write.data : f_wdata),
        .rd_slot_i({(host_read.valid || !f_rd) ? host_read_slot : f_slot, rd_slot_i}), .rd_data_o(rdata));
    assign rd_data_o[512*g +: 512] = rdata[511:0];
    assign maint[512*g +: 512]     = rdata[1023:512];
  end
  always_ff @(posedge clk_i) m_part_q <= host_read.valid ? host_read.part : claim.part;
  assign m_data = maint[512*m_part_q +: 512];
  assign idle_o = c_idle && f_idle;
endmodule
