// SPDX-License-Identifier: Apache-2.0
// The QP context cache: ctx_cache for records of four parts, their RAMs (qp_parts), and firmware's port.
// With ON_CHIP each QP has its slot: ctx_resident stands in for ctx_cache, and below 512 bit qp_store for qp_parts.
// Wiring, plus a small duty: the two halves of the completer part have one writer each but one dirty bit.
//   part 0 cfg   readers: qp_lookup, req_visit, rsp_tx, cmp_retire; written by firmware only
//   part 1 req   readers: req_visit, cmp_packet, cmp_place, cmp_retire; owner req_issue
//   part 2 cmp   readers: those, and req_issue; owners cmp_packet (bytes 0 to 31) and cmp_retire (32 to 63)
//   part 3 rsp   readers: rsp_check, rsp_commit, rsp_tx; owner rsp_commit
// A reader names a slot and has the part one cycle later, or when it is its turn (qp_store). docs/rtl/contexts.md.
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
  // At 512 bit a message has no time for readers to take turns, and they forward what they write.
  localparam bit SHARED = ON_CHIP && DATA_W < 512;

  // ---- look-ups, pins, fills; sources RX, REQ, CMPK, RTX ----
  localparam int unsigned NSRC = 4, NPIN = 6;
  logic [NSRC-1:0]    found_valid;
  cairn_int_pkg::ctx_found_t  found;
  cairn_int_pkg::ctx_filled_t fill;
  logic [NPIN-1:0]    unpin_valid;
  logic [NPIN*AW-1:0] unpin_slot;
  logic [NSRC-1:0]    fill_ask;
  assign receive_ctx_o.lookup = {found_valid[0], found};
  assign send_ctx_o.req       = SHARED ? {visit_ok, visit_q} : {found_valid[1], found};
  assign send_ctx_o.cmp       = {found_valid[2], found};
  assign receive_ctx_o.rsp    = {found_valid[3], found};
  assign unpin_valid = {receive_part_i.rsp.unpin_visit.valid, send_part_i.cmp.unpin_visit.valid,
                        send_part_i.req.unpin.valid,
                        send_part_i.cmp.unpin_packet.valid, receive_part_i.rsp.unpin_packet.valid,
                        receive_part_i.lookup.unpin.valid};
  assign unpin_slot  = {receive_part_i.rsp.unpin_visit.slot[AW-1:0], send_part_i.cmp.unpin_visit.slot[AW-1:0],
                        send_part_i.req.unpin.slot[AW-1:0], send_part_i.cmp.unpin_packet.slot[AW-1:0],
                        receive_part_i.rsp.unpin_packet.slot[AW-1:0], receive_part_i.lookup.unpin.slot[AW-1:0]};
  // Of shared RAMs the parts of req_visit's are read behind it, and then it is answered; one at a time.
  cairn_int_pkg::ctx_found_t visit_q;
  logic visit_ok, visit_asks, visit_busy_q, req_ready;
  assign send_ctx_ready_o[0] = req_ready && !visit_busy_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {visit_busy_q, visit_asks} <= '0;
    else begin
      visit_busy_q <= SHARED && ((send_ctx_i.req.valid && send_ctx_ready_o[0]) || (visit_busy_q && !visit_ok));
      visit_asks   <= found_valid[1] || (visit_asks && !visit_ok);
    end
    if (found_valid[1]) visit_q <= found;
  end
  // RX holds a pin while it waits, the others ask.
  assign fill_o      = {fill, fill_ask[1], fill_ask[2], fill_ask[3]};

  logic [1:0]            cmp_write;
  logic [2*AW-1:0]       cmp_write_slot;
  assign cmp_write      = {send_part_i.cmp.write_retire.valid, send_part_i.cmp.write_packet.valid};
  assign cmp_write_slot = {send_part_i.cmp.write_retire.slot[AW-1:0], send_part_i.cmp.write_packet.slot[AW-1:0]};

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
  logic          host_write_ready, part_read_ready;
  logic [511:0]  m_data, f_wdata;
  cairn_int_pkg::ctx_read_t    part_read;
  cairn_int_pkg::ctx_write_t   part_write;
  cairn_int_pkg::ctx_claim_t   claim;
  cairn_int_pkg::ctx_claimed_t claimed;
  cairn_int_pkg::ctx_touch_t   touch;
  cairn_int_pkg::ctx_read_t    host_read;
  cairn_int_pkg::ctx_write_t   host_write;
  if (ON_CHIP) begin : g_resident
    ctx_resident #(.SLOTS(SLOTS), .NSRC(NSRC)) u_records (
        .clk_i, .rst_ni, .entries_i,
        .look_valid_i({receive_ctx_i.rsp.valid, send_ctx_i.cmp.valid, send_ctx_i.req.valid && !visit_busy_q,
                       receive_ctx_i.lookup.valid}),
        .look_ready_o({receive_ctx_ready_o[1], send_ctx_ready_o[1], req_ready, receive_ctx_ready_o[0]}),
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
        .look_ready_o({receive_ctx_ready_o[1], send_ctx_ready_o[1], req_ready, receive_ctx_ready_o[0]}),
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
      .rd_valid_o(f_rd), .rd_ready_i(part_read_ready && !host_read.valid), .rd_data_i(m_data), .wr_valid_o(f_wr),
      .wr_ready_i(!host_write.valid && part_write_ready),
      .wr_data_o(f_wdata), .refuse_i(1'b0), .idle_o());

  // ---- the receive side's copy: firmware is the only writer of the cfg part, and every write of it passes here ----
  cairn_int_pkg::rx_qp_t rxq;
  rx_qp_entry u_rxq (.cfg_i(f_wdata), .entry_o(rxq));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rxq_o.valid <= 1'b0;
    else rxq_o.valid <= f_wr && !host_write.valid && part_write_ready && claim.part == 2'd0;
    rxq_o.qpn   <= fw_i.key[23:0];
    rxq_o.entry <= rxq;
  end

  // ---- the parts: fills and write-backs before firmware ----
  cairn_hw_pkg::qp_req_t made;
  logic                  part_write_ready;
  assign host_write_ready = part_write_ready;
  always_comb begin
    part_read.valid  = host_read.valid || f_rd;
    part_read.part   = host_read.valid ? host_read.part : claim.part;
    part_read.slot   = (host_read.valid || !f_rd) ? host_read.slot : claimed.slot;
    part_write.valid = host_write.valid || f_wr;
    part_write.part  = host_write.valid ? host_write.part : claim.part;
    part_write.word  = '0;
    part_write.slot  = host_write.valid ? host_write.slot : claimed.slot;
    part_write.data  = host_write.valid ? host_write.data : f_wdata;
  end
  assign made = part_write.data;
  always_ff @(posedge clk_i) begin
    place_o <= {rst_ni && part_write.valid && part_write.part == 2'd1 && part_write_ready, made.tag_qpn, made.tag_gen,
                made.sq_base[63:6], made.flags_sq_log2};
  end
  if (SHARED) begin : g_store
    qp_store #(.SLOTS(SLOTS)) u_store (
        .clk_i, .rst_ni, .receive_part_i, .receive_part_o, .send_part_i, .send_part_o,
        .visit_asks_i(visit_asks), .visit_slot_i(visit_q.slot[AW-1:0]), .visit_ok_o(visit_ok),
        .read_i(part_read), .read_ready_o(part_read_ready), .read_data_o(m_data),
        .write_i(part_write), .write_ready_o(part_write_ready));
  end else begin : g_parts
    qp_parts #(.SLOTS(SLOTS)) u_parts (
        .clk_i, .receive_part_i, .receive_part_o, .send_part_i, .send_part_o,
        .read_i(part_read), .read_data_o(m_data), .write_i(part_write), .write_ready_o(part_write_ready));
    assign part_read_ready = 1'b1;
    assign visit_ok        = 1'b0;
    logic unused_visit;
    assign unused_visit = visit_asks;
  end
endmodule
