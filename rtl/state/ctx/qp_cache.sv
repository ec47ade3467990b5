// SPDX-License-Identifier: Apache-2.0
// The QP context cache: ctx_cache for records of four parts, the part RAMs with a copy per reader, and firmware's port.
// Wiring, plus a small duty: the two halves of the completer part have one writer each but one dirty bit.
//   part 0 cfg   readers: CFG_RD users; written by firmware only
//   part 1 req   readers: REQ_RD users; owner req_issue
//   part 2 cmp   readers: CMP_RD users; owners cmp_packet (bytes 0 to 31) and cmp_retire (32 to 63)
//   part 3 rsp   readers: RSP_RD users; owner rsp_commit
// Reader ports are flat: slot in, 512 bits out one cycle later. docs/rtl/contexts.md.
module qp_cache #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter int unsigned NSRC   = 4,     // lookups: RX, REQ, CMPK, RTX
    parameter int unsigned NPIN   = 6,
    parameter int unsigned CFG_RD = 4,
    parameter int unsigned REQ_RD = 3,
    parameter int unsigned CMP_RD = 4,
    parameter int unsigned RSP_RD = 3,
    localparam int unsigned SLOTS = SETS * 8,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                epoch_i,
    input  logic [63:0]                         base_i,
    input  logic [24:0]                         entries_i,
    input  logic [NSRC-1:0]                     lk_valid_i,
    output logic [NSRC-1:0]                     lk_ready_o,
    input  logic [NSRC*24-1:0]                  lk_key_i,
    output logic [NSRC-1:0]                     lkr_valid_o,
    output logic [2:0]                          lkr_status_o,
    output logic [AW-1:0]                       lkr_slot_o,
    output logic [23:0]                         lkr_key_o,
    input  logic [NPIN-1:0]                     unpin_valid_i,
    input  logic [NPIN*AW-1:0]                  unpin_slot_i,
    output logic                                fill_valid_o,
    output logic [AW-1:0]                       fill_slot_o,
    output logic [23:0]                         fill_key_o,
    output logic [2:0]                          fill_status_o,
    output logic [NSRC-2:0]                     fill_ask_o,  // of REQ, CMPK, RTX those answered WAIT; RX holds a pin
    input  logic [AW-1:0]                       fq_slot_i,
    output logic                                fq_filling_o,
    // parts
    input  logic [CFG_RD*AW-1:0]                cfg_slot_i,
    output logic [CFG_RD*512-1:0]               cfg_data_o,
    input  logic [REQ_RD*AW-1:0]                req_slot_i,
    output logic [REQ_RD*512-1:0]               req_data_o,
    input  logic [CMP_RD*AW-1:0]                cmp_slot_i,
    output logic [CMP_RD*512-1:0]               cmp_data_o,
    input  logic [RSP_RD*AW-1:0]                rsp_slot_i,
    output logic [RSP_RD*512-1:0]               rsp_data_o,
    input  logic                                req_ow_valid_i,
    input  logic [AW-1:0]                       req_ow_slot_i,
    input  logic [511:0]                        req_ow_data_i,
    input  logic [1:0]                          cmp_ow_valid_i,  // halves
    input  logic [2*AW-1:0]                     cmp_ow_slot_i,
    input  logic [511:0]                        cmp_ow_data_i,
    input  logic                                rsp_ow_valid_i,
    input  logic [AW-1:0]                       rsp_ow_slot_i,
    input  logic [511:0]                        rsp_ow_data_i,
    // firmware
    input  cairn_int_pkg::ctx_op_t              fw_i,
    output cairn_int_pkg::ctx_done_t            fw_o,
    // the cfg part of a QP has changed: what rx_qp_table keeps of it
    output logic                                rxq_valid_o,
    output logic [23:0]                         rxq_qpn_o,
    output logic [cairn_int_pkg::RX_QP_W-1:0]   rxq_o,
    // host memory
    output logic                                rd_valid_o,
    input  logic                                rd_ready_i,
    output logic [cairn_int_pkg::DMA_RD_W-1:0]  rd_req_o,
    input  logic                                rsp_valid_i,
    input  logic [cairn_int_pkg::DMA_RSP_W-1:0] rsp_meta_i,
    input  logic [DATA_W-1:0]                   dma_data_i,
    output logic                                wr_valid_o,
    input  logic                                wr_ready_i,
    output logic [cairn_int_pkg::DMA_WR_W-1:0]  wr_cmd_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0]  wr_ticket_i,
    output logic                                cnt_hit_o,
    output logic                                cnt_miss_o,
    output logic                                cnt_writeback_o,
    output logic                                idle_o
);
  // ---- dirty strobes: completer half B waits a cycle when half A writes; each writes at most every second cycle ----
  logic          b_wait_q;
  logic [AW-1:0] b_slot_q;
  logic [3:0]    dirty_valid;
  logic [4*AW-1:0] dirty_slot;
  assign dirty_valid = {rsp_ow_valid_i, cmp_ow_valid_i != '0 || b_wait_q, req_ow_valid_i, 1'b0};
  assign dirty_slot  = {rsp_ow_slot_i,
                        cmp_ow_valid_i[0] ? cmp_ow_slot_i[AW-1:0] : b_wait_q ? b_slot_q : cmp_ow_slot_i[2*AW-1:AW],
                        req_ow_slot_i, {AW{1'b0}}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_wait_q <= 1'b0;
    else b_wait_q <= (cmp_ow_valid_i == 2'b11) || (b_wait_q && cmp_ow_valid_i[0]) || (b_wait_q && cmp_ow_valid_i[1]);
    if (cmp_ow_valid_i[1]) b_slot_q <= cmp_ow_slot_i[2*AW-1:AW];
  end

  // ---- tags ----
  logic          f_valid, f_ready, f_done, f_filled, f_filled_ready, f_unpin, f_dirty, f_rd, f_wr;
  logic [1:0]    f_op, f_part;
  logic [23:0]   f_key;
  logic [2:0]    f_status;
  logic [AW-1:0] f_slot, mr_slot, mw_slot;
  logic          mr_valid, mw_valid, mw_ready, fa_unused;
  logic [1:0]    mr_part, mw_part, mr_part_q;
  logic [511:0]  m_data, f_wdata, mw_data;
  ctx_cache #(.DATA_W(DATA_W), .PARTS(4), .SETS(SETS), .KEY_LSB(0), .LATER(0), .NSRC(NSRC),
              .ASK({{(NSRC-1){1'b1}}, 1'b0}), .NPIN(NPIN), .FILLS(8), .CLIENT(cairn_int_pkg::RD_QPC),
              .TAG_BASE(0)) u_cache (
      .clk_i, .rst_ni, .base_i, .entries_i, .func_i('0), .epoch_i,
      .lk_valid_i, .lk_ready_o, .lk_key_i, .lk_pin_i({NSRC{1'b1}}), .lkr_valid_o, .lkr_status_o, .lkr_slot_o,
      .lkr_key_o,
      .unpin_valid_i, .unpin_slot_i, .fill_valid_o, .fill_slot_o, .fill_key_o, .fill_status_o,
      .fill_ask_o({fill_ask_o, fa_unused}), .fq_slot_i, .fq_filling_o,
      .dirty_valid_i(dirty_valid), .dirty_slot_i(dirty_slot),
      .fw_valid_i(f_valid), .fw_op_i(f_op), .fw_key_i(f_key), .fw_ready_o(f_ready), .fw_done_o(f_done),
      .fw_status_o(f_status), .fw_slot_o(f_slot), .fw_filled_i(f_filled), .fw_filled_ready_o(f_filled_ready),
      .fw_unpin_i(f_unpin), .fw_dirty_i(f_dirty), .fw_dirty_part_i(f_part),
      .mr_valid_o(mr_valid), .mr_part_o(mr_part), .mr_slot_o(mr_slot), .mr_data_i(m_data),
      .mw_valid_o(mw_valid), .mw_ready_i(mw_ready), .mw_part_o(mw_part), .mw_slot_o(mw_slot), .mw_data_o(mw_data),
      .rd_valid_o, .rd_ready_i, .rd_req_o, .rsp_valid_i, .rsp_meta_i, .rsp_data_i(dma_data_i),
      .wr_valid_o, .wr_ready_i, .wr_cmd_o, .wr_ticket_i, .hit_o(cnt_hit_o), .miss_o(cnt_miss_o),
      .written_o(cnt_writeback_o), .idle_o);
  ctx_fw #(.PARTS(4), .KEY_W(24)) u_fw (
      .clk_i, .rst_ni, .op_valid_i(fw_i.valid), .op_i(fw_i.op), .op_key_i(fw_i.key[23:0]), .op_part_i(fw_i.part),
      .op_data_i(fw_i.data), .op_mask_i(fw_i.mask), .done_valid_o(fw_o.done), .done_status_o(fw_o.status),
      .done_data_o(fw_o.data),
      .fw_valid_o(f_valid), .fw_ready_i(f_ready), .fw_op_o(f_op), .fw_key_o(f_key), .fw_done_i(f_done),
      .fw_status_i(f_status),
      .fw_filled_o(f_filled), .fw_filled_ready_i(f_filled_ready), .fw_unpin_o(f_unpin), .fw_dirty_o(f_dirty),
      .fw_part_o(f_part),
      .rd_valid_o(f_rd), .rd_ready_i(!mr_valid), .rd_data_i(m_data), .wr_valid_o(f_wr),
      .wr_ready_i(!mw_valid && w_ready[f_part]),
      .wr_data_o(f_wdata), .refuse_i(1'b0), .idle_o());

  // ---- the receive side's copy: firmware is the only writer of the cfg part, and every write of it passes here ----
  logic [cairn_int_pkg::RX_QP_W-1:0] rxq;
  rx_qp_entry u_rxq (.cfg_i(f_wdata), .entry_o(rxq));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rxq_valid_o <= 1'b0;
    else rxq_valid_o <= f_wr && !mw_valid && w_ready[0] && f_part == 2'd0;
    rxq_qpn_o <= fw_i.key[23:0];
    rxq_o     <= rxq;
  end

  // ---- part RAMs: reader 0 is maintenance (write-back before firmware) ----
  logic [3:0]    w_ready, w_valid;
  logic [1:0]    w_part;
  logic [AW-1:0] w_slot, m_slot;
  logic [511:0]  w_data;
  logic [2047:0] m_all;
  logic [1:0]    h_ready;      // halves of the completer part
  assign w_part  = mw_valid ? mw_part : f_part;
  assign w_slot  = mw_valid ? mw_slot : f_slot;
  assign w_data  = mw_valid ? mw_data : f_wdata;
  assign m_slot  = (mr_valid || !f_rd) ? mr_slot : f_slot;
  for (genvar g = 0; g < 4; g++) begin : g_w
    assign w_valid[g] = (mw_valid || f_wr) && w_part == 2'(g);
  end
  assign mw_ready = w_ready[mw_part];
  always_ff @(posedge clk_i) mr_part_q <= mr_valid ? mr_part : f_part;
  assign m_data = m_all[512*mr_part_q +: 512];

  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(CFG_RD + 1)) u_cfg (
      .clk_i, .ow_valid_i(1'b0), .ow_slot_i('0), .ow_data_i('0), .mw_valid_i(w_valid[0]), .mw_ready_o(w_ready[0]),
      .mw_slot_i(w_slot), .mw_data_i(w_data), .rd_slot_i({cfg_slot_i, m_slot}), .rd_data_o({cfg_data_o, m_all[511:0]}));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(REQ_RD + 1)) u_req (
      .clk_i, .ow_valid_i(req_ow_valid_i), .ow_slot_i(req_ow_slot_i), .ow_data_i(req_ow_data_i),
      .mw_valid_i(w_valid[1]),
      .mw_ready_o(w_ready[1]), .mw_slot_i(w_slot), .mw_data_i(w_data), .rd_slot_i({req_slot_i, m_slot}),
      .rd_data_o({req_data_o, m_all[1023:512]}));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(RSP_RD + 1)) u_rsp (
      .clk_i, .ow_valid_i(rsp_ow_valid_i), .ow_slot_i(rsp_ow_slot_i), .ow_data_i(rsp_ow_data_i),
      .mw_valid_i(w_valid[3]),
      .mw_ready_o(w_ready[3]), .mw_slot_i(w_slot), .mw_data_i(w_data), .rd_slot_i({rsp_slot_i, m_slot}),
      .rd_data_o({rsp_data_o, m_all[2047:1536]}));

  // The completer part: maintenance writes both halves in one cycle, so it waits until neither owner writes.
  localparam int unsigned CR = CMP_RD + 1;       // and maintenance
  logic [CR*AW-1:0]  c_slot;
  localparam int unsigned HW = CR * 256;
  logic [2*HW-1:0]   c_half;      // all readers of half 0, then of half 1
  assign c_slot     = {cmp_slot_i, m_slot};
  assign w_ready[2] = h_ready == 2'b11;
  for (genvar h = 0; h < 2; h++) begin : g_half
    ctx_ram #(.WIDTH(256), .SLOTS(SLOTS), .READERS(CR)) u_cmp (
        .clk_i, .ow_valid_i(cmp_ow_valid_i[h]), .ow_slot_i(cmp_ow_slot_i[h*AW +: AW]),
        .ow_data_i(cmp_ow_data_i[h*256 +: 256]),
        .mw_valid_i(w_valid[2] && w_ready[2]), .mw_ready_o(h_ready[h]), .mw_slot_i(w_slot),
        .mw_data_i(w_data[h*256 +: 256]),
        .rd_slot_i(c_slot), .rd_data_o(c_half[h*HW +: HW]));
  end
  assign m_all[1535:1024] = {c_half[HW +: 256], c_half[255:0]};
  for (genvar g = 0; g < CMP_RD; g++) begin : g_cmp_rd
    assign cmp_data_o[512*g +: 512] = {c_half[HW + 256*(g+1) +: 256], c_half[256*(g+1) +: 256]};
  end
endmodule
