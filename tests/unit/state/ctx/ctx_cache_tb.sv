// SPDX-License-Identifier: Apache-2.0
// Test bench of ctx_cache: a cache of four-part records with its data RAMs and firmware port, records of host memory
// taken apart into ports of at most 64 bits for the test in C.
module ctx_cache_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 2,
    parameter int unsigned LATER  = 0,
    localparam int unsigned AW    = $clog2(SETS * 8)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [2:0]        look_valid_i,
    output logic [2:0]        look_ready_o,
    input  logic [23:0]       key0_i,
    input  logic [23:0]       key1_i,
    input  logic [23:0]       key2_i,
    output logic [2:0]        found_valid_o,
    output logic [2:0]        found_status_o,
    output logic [AW-1:0]     found_slot_o,
    output logic [23:0]       found_key_o,
    input  logic [2:0]        unpin_valid_i,
    input  logic [3*AW-1:0]   unpin_slot_i,
    output logic              fill_valid_o,
    output logic [AW-1:0]     fill_slot_o,
    output logic [23:0]       fill_key_o,
    output logic [2:0]        fill_status_o,
    output logic [2:0]        fill_ask_o,
    input  logic [3:0]        part_write_valid_i,
    input  logic [4*AW-1:0]   part_write_slot_i,
    input  logic [2047:0]     part_write_data_i,
    input  logic [AW-1:0]     rd_slot_i,
    output logic [2047:0]     rd_data_o,
    input  logic              op_valid_i,
    input  logic [2:0]        op_i,
    input  logic [23:0]       op_key_i,
    input  logic [1:0]        op_part_i,
    input  logic [511:0]      op_data_i,
    input  logic [511:0]      op_mask_i,
    output logic              done_valid_o,
    output logic [2:0]        done_status_o,
    output logic [511:0]      done_data_o,
    output logic              rd_valid_o,
    input  logic              rd_ready_i,
    output logic [63:0]       rd_iova_o,
    output logic [12:0]       rd_len_o,
    output logic [11:0]       rd_tag_o,
    output logic              rd_nb_valid_o,
    output logic [15:0]       rd_nb_o,
    input  logic              dma_valid_i,
    input  logic [11:0]       dma_tag_i,
    input  logic [12:0]       dma_offset_i,
    input  logic [6:0]        dma_nbytes_i,
    input  logic              dma_last_i,
    input  logic              dma_err_i,
    input  logic [DATA_W-1:0] dma_data_i,
    output logic              wr_valid_o,
    input  logic              wr_ready_i,
    output logic [63:0]       wr_iova_o,
    output logic [511:0]      wr_data_o,
    input  logic [15:0]       ticket_i,
    output logic              idle_o
);
  // Records are unpacked to look at some of their fields.
  // verilator lint_off UNUSEDSIGNAL
  cairn_int_pkg::dma_rd_t  rd;
  cairn_int_pkg::dma_wr_t  wr;
  cairn_int_pkg::dma_rsp_t rsp;
  cairn_int_pkg::dma_read_t  rd_all;
  cairn_int_pkg::dma_write_t wr_all;
  assign {rd_valid_o, rd} = rd_all;
  assign {wr_valid_o, wr} = wr_all;
  assign rd_iova_o     = rd.iova;
  assign rd_len_o      = rd.len;
  assign rd_tag_o      = rd.tag;
  assign rd_nb_valid_o = rd.nb_valid;
  assign rd_nb_o       = rd.not_before;
  assign wr_iova_o     = wr.iova;
  assign wr_data_o     = wr.data;
  always_comb begin
    rsp        = '0;
    rsp.client = 4'd3;
    rsp.tag    = dma_tag_i;
    rsp.offset = dma_offset_i;
    rsp.nbytes = dma_nbytes_i;
    rsp.last   = dma_last_i;
    rsp.err    = dma_err_i;
  end

  logic          f_ready, f_filled_ready, f_rd, f_wr;
  logic          host_write_ready, fqf_unused, hit_unused, miss_unused, wrt_unused, c_idle, f_idle;
  logic [511:0]  m_data, f_wdata;
  logic [3:0]    ram_ready;
  logic [2047:0] maint;
  logic [1:0]    m_part_q;

  cairn_int_pkg::ctx_found_t  found;
  cairn_int_pkg::ctx_filled_t fill;
  cairn_int_pkg::ctx_op_t     op;
  cairn_int_pkg::ctx_done_t   op_done;
  assign {found_status_o, found_key_o}                 = {found.status, found.key};
  assign found_slot_o                                = AW'(found.slot);
  assign {fill_valid_o, fill_key_o, fill_status_o} = {fill.valid, fill.key, fill.status};
  assign fill_slot_o                               = AW'(fill.slot);
  assign op = {op_valid_i, 3'd0, op_i, op_part_i, 32'(op_key_i), op_data_i, op_mask_i};
  assign {done_valid_o, done_status_o, done_data_o} = op_done;
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
      .CLIENT(3), .TAG_BASE(16)) u_cache (
      .clk_i, .rst_ni, .base_i(64'h10000), .entries_i(25'd60), .func_i('0), .epoch_i(1'b0),
      .look_valid_i, .look_ready_o, .look_key_i({key2_i, key1_i, key0_i}), .look_pin_i(3'b111), .found_valid_o,
      .found_o(found),
      .unpin_valid_i, .unpin_slot_i, .fill_o(fill), .fill_ask_o,
      .filling_slot_i('0), .filling_o(fqf_unused),
      .dirty_valid_i(part_write_valid_i), .dirty_slot_i(part_write_slot_i),
      .fw_i(claim), .touch_i(touch), .fw_ready_o(f_ready), .fw_o(claimed),
      .fw_filled_ready_o(f_filled_ready),
      .host_read_o(host_read), .host_read_data_i(m_data),
      .host_write_o(host_write), .host_write_ready_i(host_write_ready),
      .rd_o(rd_all), .rd_ready_i, .beat_i({dma_valid_i, rsp}), .beat_data_i(dma_data_i),
      .wr_o(wr_all), .wr_ready_i, .ticket_i,
      .hit_o(hit_unused), .miss_o(miss_unused), .written_o(wrt_unused), .idle_o(c_idle));
  ctx_fw #(.PARTS(4)) u_fw (
      .clk_i, .rst_ni, .op_i(op),
      .op_o(op_done),
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
  // verilator lint_on UNUSEDSIGNAL
endmodule
