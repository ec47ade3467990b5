// SPDX-License-Identifier: Apache-2.0
// The QP context cache: ctx_cache for records of four parts, the part RAMs with a copy per reader, and firmware's port.
// With ON_CHIP each QP has its slot, and ctx_resident stands in for ctx_cache.
// Wiring, plus a small duty: the two halves of the completer part have one writer each but one dirty bit.
//   part 0 cfg   readers: qp_lookup, req_visit, rsp_tx, cmp_retire; written by firmware only
//   part 1 req   readers: req_visit, cmp_packet, cmp_place, cmp_retire; owner req_issue
//   part 2 cmp   readers: those, and req_issue; owners cmp_packet (bytes 0 to 31) and cmp_retire (32 to 63)
//   part 3 rsp   readers: rsp_check, rsp_commit, rsp_tx; owner rsp_commit
// A reader names a slot and has the part one cycle later. docs/rtl/contexts.md.
module qp_cache #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter bit          ON_CHIP = 1'b0,  // slot k has QP k, of SETS * 8; host memory has none
    localparam int unsigned SLOTS = SETS * 8,
    // Reads under way: 32 of 600 ns are a record in 5 cycles. Half of a small cache stays for what is there.
    parameter int unsigned FILLS  = (DATA_W < 512) ? 8 : (SLOTS < 64) ? SLOTS / 2 : 32,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    input  logic [63:0]                        base_i,
    input  logic [24:0]                        entries_i,
    input  cairn_int_pkg::receive_ctx_req_t    receive_ctx_i,
    output logic [1:0]                         receive_ctx_ready_o,
    output cairn_int_pkg::receive_ctx_rsp_t    receive_ctx_o,
    input  cairn_int_pkg::receive_use_t        receive_part_i,
    output cairn_int_pkg::receive_view_t       receive_part_o,
    input  cairn_int_pkg::send_ctx_req_t       send_ctx_i,
    output logic [1:0]                         send_ctx_ready_o,
    output cairn_int_pkg::send_ctx_rsp_t       send_ctx_o,
    input  cairn_int_pkg::send_use_t           send_part_i,
    output cairn_int_pkg::send_view_t          send_part_o,
    output cairn_int_pkg::ctx_fill_t           fill_o,
    input  logic [AW-1:0]                      filling_slot_i,
    output logic                               filling_o,
    // firmware
    input  cairn_int_pkg::ctx_op_t             fw_i,
    output cairn_int_pkg::ctx_done_t           fw_o,
    // the cfg part of a QP has changed: what rx_qp_table keeps of it
    output cairn_int_pkg::rx_qp_write_t        rxq_o,
    // the req part of a QP was made or came: where its send queue lies
    output cairn_int_pkg::sq_place_t           place_o,
    // host memory
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] ticket_i,
    output cairn_hw_pkg::qp_cache_events_t     events_o,
    output logic                               idle_o
);
  // ---- look-ups, pins, fills; sources RX, REQ, CMPK, RTX ----
  localparam int unsigned NSRC = 4, NPIN = 6;
  logic [NSRC-1:0]    found_valid;
  cairn_int_pkg::ctx_found_t  found;
  cairn_int_pkg::ctx_filled_t fill;
  logic [NPIN-1:0]    unpin_valid;
  logic [NPIN*AW-1:0] unpin_slot;
  logic [NSRC-1:0]    fill_ask;
  assign receive_ctx_o.lookup = {found_valid[0], found};
  assign send_ctx_o.req       = {found_valid[1], found};
  assign send_ctx_o.cmp       = {found_valid[2], found};
  assign receive_ctx_o.rsp    = {found_valid[3], found};
  assign unpin_valid = {receive_part_i.rsp.unpin_visit.valid, send_part_i.cmp.unpin_visit.valid,
                        send_part_i.req.unpin.valid,
                        send_part_i.cmp.unpin_packet.valid, receive_part_i.rsp.unpin_packet.valid,
                        receive_part_i.lookup.unpin.valid};
  assign unpin_slot  = {receive_part_i.rsp.unpin_visit.slot[AW-1:0], send_part_i.cmp.unpin_visit.slot[AW-1:0],
                        send_part_i.req.unpin.slot[AW-1:0], send_part_i.cmp.unpin_packet.slot[AW-1:0],
                        receive_part_i.rsp.unpin_packet.slot[AW-1:0], receive_part_i.lookup.unpin.slot[AW-1:0]};
  // RX holds a pin while it waits, the others ask.
  assign fill_o      = {fill, fill_ask[1], fill_ask[2], fill_ask[3]};

  // ---- parts: slots of the readers, words of them ----
  localparam int unsigned CFG_RD = 4, REQ_RD = 4, CMP_RD = 5, RSP_RD = 3;
  logic [CFG_RD*AW-1:0]  cfg_slot;
  logic [REQ_RD*AW-1:0]  req_slot;
  logic [CMP_RD*AW-1:0]  cmp_slot;
  logic [RSP_RD*AW-1:0]  rsp_slot;
  logic [CMP_RD*512-1:0] cmp_data;
  assign cfg_slot = {send_part_i.cmp.retire[AW-1:0], receive_part_i.rsp.answer[AW-1:0], send_part_i.req.visit[AW-1:0],
                     receive_part_i.lookup.slot[AW-1:0]};
  assign req_slot = {send_part_i.cmp.retire[AW-1:0], send_part_i.cmp.place[AW-1:0], send_part_i.cmp.packet[AW-1:0],
                     send_part_i.req.visit[AW-1:0]};
  assign cmp_slot = {send_part_i.cmp.retire[AW-1:0], send_part_i.cmp.place[AW-1:0], send_part_i.cmp.packet[AW-1:0],
                     send_part_i.req.issue[AW-1:0],
                     send_part_i.req.visit[AW-1:0]};
  assign rsp_slot = {receive_part_i.rsp.answer[AW-1:0], receive_part_i.rsp.commit[AW-1:0],
                     receive_part_i.rsp.check[AW-1:0]};
  assign {send_part_o.cmp.retire.cmp, send_part_o.cmp.place.cmp, send_part_o.cmp.packet.cmp, send_part_o.req.issue,
          send_part_o.req.visit.cmp} = cmp_data;
  logic [1:0]            cmp_write;
  logic [2*AW-1:0]       cmp_write_slot;
  logic [511:0]          cmp_write_data;
  assign cmp_write      = {send_part_i.cmp.write_retire.valid, send_part_i.cmp.write_packet.valid};
  assign cmp_write_slot = {send_part_i.cmp.write_retire.slot[AW-1:0], send_part_i.cmp.write_packet.slot[AW-1:0]};
  assign cmp_write_data = {send_part_i.cmp.write_retire.data, send_part_i.cmp.write_packet.data};

  // ---- dirty strobes: completer half B waits a cycle when half A writes; each writes at most every second cycle ----
  logic          b_wait_q;
  logic [AW-1:0] b_slot_q;
  logic [3:0]    dirty_valid;
  logic [4*AW-1:0] dirty_slot;
  assign dirty_valid = {receive_part_i.rsp.write.valid, cmp_write != '0 || b_wait_q, send_part_i.req.write.valid, 1'b0};
  assign dirty_slot  = {receive_part_i.rsp.write.slot[AW-1:0],
                        cmp_write[0] ? cmp_write_slot[AW-1:0] : b_wait_q ? b_slot_q : cmp_write_slot[2*AW-1:AW],
                        send_part_i.req.write.slot[AW-1:0], {AW{1'b0}}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_wait_q <= 1'b0;
    else b_wait_q <= (cmp_write == 2'b11) || (b_wait_q && cmp_write[0]) || (b_wait_q && cmp_write[1]);
    if (cmp_write[1]) b_slot_q <= cmp_write_slot[2*AW-1:AW];
  end

  // ---- tags ----
  logic f_ready, f_filled_ready, f_rd, f_wr;
  logic          host_write_ready;
  logic [1:0]    host_read_part_q;
  logic [511:0] m_data, f_wdata;
  cairn_int_pkg::ctx_claim_t   claim;
  cairn_int_pkg::ctx_claimed_t claimed;
  cairn_int_pkg::ctx_touch_t   touch;
  cairn_int_pkg::ctx_read_t    host_read;
  cairn_int_pkg::ctx_write_t   host_write;
  logic [AW-1:0] f_slot, host_read_slot, host_write_slot;
  assign f_slot  = AW'(claimed.slot);
  assign host_read_slot = AW'(host_read.slot);
  assign host_write_slot = AW'(host_write.slot);
  logic f_rd_ready;
  if (ON_CHIP) begin : g_resident
    ctx_resident #(.SLOTS(SLOTS), .NSRC(NSRC)) u_records (
        .clk_i, .rst_ni, .entries_i,
        .look_valid_i({receive_ctx_i.rsp.valid, send_ctx_i.cmp.valid, send_ctx_i.req.valid,
                       receive_ctx_i.lookup.valid}),
        .look_ready_o({receive_ctx_ready_o[1], send_ctx_ready_o, receive_ctx_ready_o[0]}),
        .look_key_i({receive_ctx_i.rsp.key, send_ctx_i.cmp.key, send_ctx_i.req.key, receive_ctx_i.lookup.key}),
        .found_valid_o(found_valid), .found_o(found),
        .fw_i(claim), .fw_ready_o(f_ready), .fw_filled_ready_o(f_filled_ready), .fw_o(claimed),
        .hit_o(events_o.qpc_hit), .idle_o);
    assign fill       = '0;
    assign fill_ask   = '0;
    assign filling_o  = 1'b0;
    assign host_read  = '0;
    assign host_write = '0;
    assign rd_o       = '0;
    assign wr_o       = '0;
    assign events_o.qpc_miss      = 1'b0;
    assign events_o.qpc_writeback = 1'b0;
    logic unused;
    assign unused = ^{epoch_i, base_i, filling_slot_i, rd_ready_i, beat_i, beat_data_i, wr_ready_i, ticket_i,
                      unpin_valid, unpin_slot, dirty_valid, dirty_slot, host_write_ready, touch};
  end else begin : g_cache
    ctx_cache #(.DATA_W(DATA_W), .PARTS(4), .SETS(SETS), .KEY_LSB(0), .LATER(0), .NSRC(NSRC),
                .ASK({{(NSRC-1){1'b1}}, 1'b0}), .NPIN(NPIN), .FILLS(FILLS), .CLIENT(cairn_int_pkg::RD_QPC),
                .TAG_BASE(0)) u_cache (
        .clk_i, .rst_ni, .base_i, .entries_i, .func_i('0), .epoch_i,
        .look_valid_i({receive_ctx_i.rsp.valid, send_ctx_i.cmp.valid, send_ctx_i.req.valid,
                       receive_ctx_i.lookup.valid}),
        .look_ready_o({receive_ctx_ready_o[1], send_ctx_ready_o, receive_ctx_ready_o[0]}),
        .look_key_i({receive_ctx_i.rsp.key, send_ctx_i.cmp.key, send_ctx_i.req.key, receive_ctx_i.lookup.key}),
        .look_pin_i({NSRC{1'b1}}), .found_valid_o(found_valid), .found_o(found),
        .unpin_valid_i(unpin_valid), .unpin_slot_i(unpin_slot), .fill_o(fill),
        .fill_ask_o(fill_ask),
        .filling_slot_i, .filling_o,
        .dirty_valid_i(dirty_valid), .dirty_slot_i(dirty_slot),
        .fw_i(claim), .touch_i(touch), .fw_ready_o(f_ready), .fw_o(claimed),
        .fw_filled_ready_o(f_filled_ready),
        .host_read_o(host_read), .host_read_data_i(m_data),
        .host_write_o(host_write), .host_write_ready_i(host_write_ready),
        .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
        .wr_o, .wr_ready_i, .ticket_i, .hit_o(events_o.qpc_hit), .miss_o(events_o.qpc_miss),
        .written_o(events_o.qpc_writeback), .idle_o);
  end
  ctx_fw #(.PARTS(4)) u_fw (
      .clk_i, .rst_ni, .op_i(fw_i),
      .op_o(fw_o),
      .fw_o(claim), .touch_o(touch), .fw_ready_i(f_ready), .fw_i(claimed),
      .fw_filled_ready_i(f_filled_ready),
      .rd_valid_o(f_rd), .rd_ready_i(f_rd_ready), .rd_data_i(m_data), .wr_valid_o(f_wr),
      .wr_ready_i(!host_write.valid && w_ready[claim.part]),
      .wr_data_o(f_wdata), .refuse_i(1'b0), .idle_o());

  // ---- the receive side's copy: firmware is the only writer of the cfg part, and every write of it passes here ----
  cairn_int_pkg::rx_qp_t rxq;
  rx_qp_entry u_rxq (.cfg_i(f_wdata), .entry_o(rxq));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rxq_o.valid <= 1'b0;
    else rxq_o.valid <= f_wr && !host_write.valid && w_ready[0] && claim.part == 2'd0;
    rxq_o.qpn   <= fw_i.key[23:0];
    rxq_o.entry <= rxq;
  end

  // ---- writes of part RAMs: fills before firmware ----
  logic [3:0] w_ready, w_valid;
  logic [1:0]    w_part;
  logic [AW-1:0] w_slot;
  logic [511:0]  w_data;
  logic [1:0]    h_ready;      // halves of the completer part
  assign w_part  = host_write.valid ? host_write.part : claim.part;
  assign w_slot  = host_write.valid ? host_write_slot : f_slot;
  assign w_data  = host_write.valid ? host_write.data : f_wdata;
  for (genvar g = 0; g < 4; g++) begin : g_w
    assign w_valid[g] = (host_write.valid || f_wr) && w_part == 2'(g);
  end
  assign host_write_ready = w_ready[host_write.part];
  cairn_hw_pkg::qp_req_t made;
  assign made = w_data;
  always_ff @(posedge clk_i) begin
    place_o <= {rst_ni && w_valid[1] && w_ready[1], made.tag_qpn, made.tag_gen, made.sq_base[63:6], made.flags_sq_log2};
  end

  // ---- part RAMs: reader 0 is maintenance (write-back before firmware) ----
  // On chip it has no copy of its own, nor have cmp_packet and cmp_retire: one for all three and for the visits, in the
  // order visits (in the cycle of their answer), cmp_packet, cmp_retire, firmware; firmware before both when it has
  // waited for 15 cycles.
  localparam logic [CFG_RD:0] CFG_SHARE = ON_CHIP ? (CFG_RD+1)'('b10100) : '0;
  localparam logic [REQ_RD:0] REQ_SHARE = ON_CHIP ? (REQ_RD+1)'('b10110) : '0;
  localparam logic [CMP_RD:0] CMP_SHARE = ON_CHIP ? (CMP_RD+1)'('b101010) : '0;
  logic [AW-1:0] m_slot, f_read_slot;
  logic [2047:0] m_all;
  logic          turn;
  logic [3:0]    f_age_q;
  assign turn       = f_rd && f_age_q == '1;
  assign f_rd_ready = !host_read.valid && !(ON_CHIP && found_valid[1])
                       && (!ON_CHIP || turn || !(send_part_i.cmp.packet_asks || send_part_i.cmp.retire_asks));
  always_ff @(posedge clk_i) f_age_q <= f_rd ? f_age_q + {3'h0, f_age_q != '1} : '0;
  assign f_read_slot = (host_read.valid || !f_rd) ? host_read_slot : f_slot;
  assign m_slot      = !ON_CHIP                      ? f_read_slot
                       : found_valid[1]              ? send_part_i.req.visit[AW-1:0]
                       : turn                        ? f_slot
                       : send_part_i.cmp.packet_asks ? send_part_i.cmp.packet[AW-1:0]
                       : send_part_i.cmp.retire_asks ? send_part_i.cmp.retire[AW-1:0] : f_slot;
  assign send_part_o.cmp.shared = ON_CHIP;
  assign send_part_o.cmp.busy   = ON_CHIP && (found_valid[1] || turn);
  always_ff @(posedge clk_i) host_read_part_q <= host_read.valid ? host_read.part : claim.part;
  assign m_data = m_all[512*host_read_part_q +: 512];

  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(CFG_RD + 1), .SHARE(CFG_SHARE)) u_cfg (
      .clk_i, .part_write_valid_i(1'b0), .part_write_slot_i('0), .part_write_data_i('0),
      .host_write_valid_i(w_valid[0]), .host_write_ready_o(w_ready[0]),
      .host_write_slot_i(w_slot), .host_write_data_i(w_data), .rd_slot_i({cfg_slot, m_slot}),
      .rd_data_o({send_part_o.cmp.retire.cfg, receive_part_o.rsp.answer.cfg, send_part_o.req.visit.cfg,
                  receive_part_o.lookup, m_all[511:0]}));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(REQ_RD + 1), .SHARE(REQ_SHARE)) u_req (
      .clk_i, .part_write_valid_i(send_part_i.req.write.valid), .part_write_slot_i(send_part_i.req.write.slot[AW-1:0]),
      .part_write_data_i(send_part_i.req.write.data),
      .host_write_valid_i(w_valid[1]),
      .host_write_ready_o(w_ready[1]), .host_write_slot_i(w_slot), .host_write_data_i(w_data),
      .rd_slot_i({req_slot, m_slot}),
      .rd_data_o({send_part_o.cmp.retire.req, send_part_o.cmp.place.req, send_part_o.cmp.packet.req,
                  send_part_o.req.visit.req,
                  m_all[1023:512]}));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(RSP_RD + 1)) u_rsp (
      .clk_i, .part_write_valid_i(receive_part_i.rsp.write.valid),
      .part_write_slot_i(receive_part_i.rsp.write.slot[AW-1:0]),
      .part_write_data_i(receive_part_i.rsp.write.data),
      .host_write_valid_i(w_valid[3]),
      .host_write_ready_o(w_ready[3]), .host_write_slot_i(w_slot), .host_write_data_i(w_data),
      .rd_slot_i({rsp_slot, m_slot}),
      .rd_data_o({receive_part_o.rsp.answer.rsp, receive_part_o.rsp.commit, receive_part_o.rsp.check,
                  m_all[2047:1536]}));

  // The completer part: maintenance writes both halves in one cycle, so it waits until neither owner writes.
  localparam int unsigned CR = CMP_RD + 1;       // and maintenance
  logic [CR*AW-1:0]  c_slot;
  localparam int unsigned HW = CR * 256;
  logic [2*HW-1:0]   c_half;      // all readers of half 0, then of half 1
  assign c_slot     = {cmp_slot, m_slot};
  assign w_ready[2] = h_ready == 2'b11;
  for (genvar h = 0; h < 2; h++) begin : g_half
    ctx_ram #(.WIDTH(256), .SLOTS(SLOTS), .READERS(CR), .SHARE(CMP_SHARE)) u_cmp (
        .clk_i, .part_write_valid_i(cmp_write[h]), .part_write_slot_i(cmp_write_slot[h*AW +: AW]),
        .part_write_data_i(cmp_write_data[h*256 +: 256]),
        .host_write_valid_i(w_valid[2] && w_ready[2]), .host_write_ready_o(h_ready[h]), .host_write_slot_i(w_slot),
        .host_write_data_i(w_data[h*256 +: 256]),
        .rd_slot_i(c_slot), .rd_data_o(c_half[h*HW +: HW]));
  end
  assign m_all[1535:1024] = {c_half[HW +: 256], c_half[255:0]};
  for (genvar g = 0; g < CMP_RD; g++) begin : g_cmp_rd
    assign cmp_data[512*g +: 512] = {c_half[HW + 256*(g+1) +: 256], c_half[256*(g+1) +: 256]};
  end
endmodule
