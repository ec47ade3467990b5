// SPDX-License-Identifier: Apache-2.0
// The parts of QP records that are all on chip (QP_ON_CHIP), in RAMs that their readers share: what qp_parts is to a
// cache, whose readers have a copy each.
//
// One RAM has a word for each slot's cfg part and one for its req part, one has the halves of its cmp part. req_visit,
// cmp_packet, cmp_place, cmp_retire and firmware take turns at them. Another RAM has cfg, once more, and rsp for
// qp_lookup, rsp_check, rsp_commit, rsp_tx and firmware. What req_issue looks at all the time is a RAM of its own.
// Readers: see ctx_turns, and docs/rtl/contexts.md. cfg stays for qp_lookup until its next one.
// Writes: the owner's always succeed. Firmware's wait for a cycle without one in the RAMs that it concerns.
// A gap of a part reads as zero where its RAM has no room for it. Errors: none.
module qp_store #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  cairn_int_pkg::receive_use_t  receive_part_i,
    output cairn_int_pkg::receive_view_t receive_part_o,
    input  cairn_int_pkg::send_use_t     send_part_i,
    output cairn_int_pkg::send_view_t    send_part_o,
    // req_visit: its look-up is answered when the parts are here
    input  logic                         visit_asks_i,
    input  logic [AW-1:0]                visit_slot_i,
    output logic                         visit_ok_o,
    // firmware: read_data_o a cycle after ready
    input  cairn_int_pkg::ctx_read_t     read_i,
    output logic                         read_ready_o,
    output logic [511:0]                 read_data_o,
    input  cairn_int_pkg::ctx_write_t    write_i,
    output logic                         write_ready_o
);
  // ---- turns ----
  logic [4:0]    s_who, s_ok;        // visit, packet, place, retire, firmware
  logic [5:0]    r_who, r_ok;        // lookup, check, commit, walk, send, firmware
  logic [AW-1:0] s_slot, r_slot, f_slot, w_slot;
  logic          s_first, s_kept, s_main, s_clash, r_first, r_kept, r_main, r_clash, f_rsp;
  assign f_rsp  = read_i.part == 2'd3;
  assign f_slot = read_i.slot[AW-1:0];
  ctx_turns #(.N(5), .TWO('b01001), .AW(AW)) u_send (
      .clk_i, .rst_ni, .asks_i({read_i.valid && !f_rsp, send_part_i.cmp.retire_asks, send_part_i.cmp.place_asks,
                                send_part_i.cmp.packet_asks, visit_asks_i}),
      .slots_i({f_slot, send_part_i.cmp.retire[AW-1:0], send_part_i.cmp.place[AW-1:0],
                send_part_i.cmp.packet[AW-1:0], visit_slot_i}),
      .who_o(s_who), .slot_o(s_slot), .first_o(s_first), .kept_o(s_kept), .main_o(s_main), .clash_i(s_clash),
      .ok_o(s_ok));
  ctx_turns #(.N(6), .TWO('b011100), .AW(AW)) u_receive (
      .clk_i, .rst_ni, .asks_i({read_i.valid && f_rsp, receive_part_i.rsp.send_asks, receive_part_i.rsp.walk_asks,
                                receive_part_i.rsp.commit_asks, receive_part_i.rsp.check_asks,
                                receive_part_i.lookup.asks}),
      .slots_i({f_slot, receive_part_i.rsp.send[AW-1:0], receive_part_i.rsp.walk[AW-1:0],
                receive_part_i.rsp.commit[AW-1:0], receive_part_i.rsp.check[AW-1:0],
                receive_part_i.lookup.slot[AW-1:0]}),
      .who_o(r_who), .slot_o(r_slot), .first_o(r_first), .kept_o(r_kept), .main_o(r_main), .clash_i(r_clash),
      .ok_o(r_ok));
  assign visit_ok_o   = s_ok[0];
  assign read_ready_o = s_ok[4] || r_ok[5];

  // ---- writes ----
  logic          req_we, rsp_we, f_cfg;
  logic [3:0]    f_we, f_ready;
  logic [1:0]    cmp_we, half_we;
  logic [AW-1:0] req_slot, rsp_slot;
  logic [511:0]  cmp_data;
  logic [2*AW-1:0] cmp_slot, half_slot;
  cairn_hw_pkg::qp_cmp_t w_cmp;
  logic [511:0]  w_rsp, half_data;
  assign w_slot   = write_i.slot[AW-1:0];
  assign req_we   = send_part_i.req.write.valid;
  assign rsp_we   = receive_part_i.rsp.write.valid;
  assign cmp_we   = {send_part_i.cmp.write_retire.valid, send_part_i.cmp.write_packet.valid};
  assign f_ready  = {!rsp_we, cmp_we == '0, !req_we, !req_we && !rsp_we};
  assign f_we     = (write_i.valid && write_ready_o) ? 4'd1 << write_i.part : '0;
  assign f_cfg    = f_we[0];
  assign req_slot = req_we ? send_part_i.req.write.slot[AW-1:0] : w_slot;
  assign rsp_slot = rsp_we ? receive_part_i.rsp.write.slot[AW-1:0] : w_slot;
  assign write_ready_o = f_ready[write_i.part];
  assign w_rsp     = rsp_we ? receive_part_i.rsp.write.data : write_i.data;
  assign cmp_slot  = {send_part_i.cmp.write_retire.slot[AW-1:0], send_part_i.cmp.write_packet.slot[AW-1:0]};
  assign cmp_data  = {send_part_i.cmp.write_retire.data, send_part_i.cmp.write_packet.data};
  for (genvar h = 0; h < 2; h++) begin : g_w
    assign half_we[h]               = cmp_we[h] || f_we[2];
    assign half_slot[h*AW +: AW]    = cmp_we[h] ? cmp_slot[h*AW +: AW] : w_slot;
    assign half_data[h*256 +: 256]  = cmp_we[h] ? cmp_data[h*256 +: 256] : write_i.data[h*256 +: 256];
  end
  assign w_cmp = half_data;

  // ---- RAMs of the send side; a block has 36 bits, so what nobody has costs ----
  localparam int unsigned SENT_W = cairn_hw_pkg::QP_REQ_RECOVER_REC_END_LSB + cairn_hw_pkg::QP_REQ_RECOVER_REC_END_W;
  logic          s_req;              // the word is req
  logic [511:0]  s_data, s_cmp, s_cfg_q, w_sent;
  logic [SENT_W-1:0] sent;
  assign s_req   = s_main && !(s_who[4] && read_i.part == 2'd0);
  assign s_clash = ((req_we || f_we[1]) && s_req && req_slot == s_slot) || (f_cfg && w_slot == s_slot)
                   || (half_we[0] && half_slot[AW-1:0] == s_slot) || (half_we[1] && half_slot[2*AW-1:AW] == s_slot);
  assign w_sent = req_we ? send_part_i.req.write.data : write_i.data;
  assign s_data = 512'(sent);
  ram_1r1w #(.WIDTH(SENT_W), .DEPTH(2 * SLOTS), .BYPASS(2)) u_sent (
      .clk_i, .we_i(req_we || f_we[1] || f_cfg), .waddr_i({req_we || f_we[1], req_slot}), .wdata_i(w_sent[SENT_W-1:0]),
      .re_i(s_first || s_main), .raddr_i({s_req, s_slot}), .rdata_o(sent));
  // Of the halves the fields.
  cairn_hw_pkg::qp_cmp_t cmp;
  localparam int unsigned PACKET_W = 251, RETIRE_W = 191;
  logic [PACKET_W-1:0] packet_w, packet;
  logic [RETIRE_W-1:0] retire_w, retire;
  assign packet_w = {w_cmp.wait_lsn, w_cmp.wait_wait_until, w_cmp.t_progress, w_cmp.gb_gb_done, w_cmp.gb_gb_psn,
                     w_cmp.una_gb_epoch, w_cmp.una_una_psn, w_cmp.flags_rnr_left, w_cmp.flags_retry_left,
                     w_cmp.flags_err_vendor, w_cmp.flags_err_status, w_cmp.flags_doubt, w_cmp.flags_credits_off,
                     w_cmp.flags_implied, w_cmp.flags_rnr_wait, w_cmp.flags_err, w_cmp.tag_gen, w_cmp.tag_qpn};
  assign retire_w = {w_cmp.rd_ahead, w_cmp.old_end, w_cmp.sq_cqn, w_cmp.rd_len, w_cmp.rd_placed, w_cmp.old_psn,
                     w_cmp.oldest_old_index, w_cmp.rflags_rd_done, w_cmp.rflags_rd_full, w_cmp.rflags_rd_stop,
                     w_cmp.rflags_plain, w_cmp.rflags_rd_atomic, w_cmp.rflags_drained, w_cmp.rflags_rd_valid,
                     w_cmp.rflags_flushing};
  ram_1r1w #(.WIDTH(PACKET_W), .DEPTH(SLOTS), .BYPASS(2)) u_packet (
      .clk_i, .we_i(half_we[0]), .waddr_i(half_slot[AW-1:0]), .wdata_i(packet_w),
      .re_i(s_main), .raddr_i(s_slot), .rdata_o(packet));
  ram_1r1w #(.WIDTH(RETIRE_W), .DEPTH(SLOTS), .BYPASS(2)) u_retire (
      .clk_i, .we_i(half_we[1]), .waddr_i(half_slot[2*AW-1:AW]), .wdata_i(retire_w),
      .re_i(s_main), .raddr_i(s_slot), .rdata_o(retire));
  always_comb begin
    cmp = '0;
    {cmp.wait_lsn, cmp.wait_wait_until, cmp.t_progress, cmp.gb_gb_done, cmp.gb_gb_psn, cmp.una_gb_epoch,
     cmp.una_una_psn, cmp.flags_rnr_left, cmp.flags_retry_left, cmp.flags_err_vendor, cmp.flags_err_status,
     cmp.flags_doubt, cmp.flags_credits_off, cmp.flags_implied, cmp.flags_rnr_wait, cmp.flags_err, cmp.tag_gen,
     cmp.tag_qpn} = packet;
    {cmp.rd_ahead, cmp.old_end, cmp.sq_cqn, cmp.rd_len, cmp.rd_placed, cmp.old_psn, cmp.oldest_old_index,
     cmp.rflags_rd_done, cmp.rflags_rd_full, cmp.rflags_rd_stop, cmp.rflags_plain, cmp.rflags_rd_atomic,
     cmp.rflags_drained, cmp.rflags_rd_valid, cmp.rflags_flushing} = retire;
  end
  assign s_cmp = cmp;
  always_ff @(posedge clk_i) if (s_kept) s_cfg_q <= s_data;
  assign send_part_o.req.visit  = {s_cfg_q, s_data, s_cmp};
  assign send_part_o.cmp.retire = {s_cfg_q, s_data, s_cmp};
  assign send_part_o.cmp.packet = {s_data, s_cmp};
  assign send_part_o.cmp.place  = {s_data, s_cmp};
  assign send_part_o.cmp.shared    = 1'b1;
  assign send_part_o.cmp.packet_ok = s_ok[1];
  assign send_part_o.cmp.place_ok  = s_ok[2];
  assign send_part_o.cmp.retire_ok = s_ok[3];

  // req_issue: of the halves what req_check asks for
  localparam int unsigned LOW_W = 34, HIGH_W = 25;
  logic [LOW_W-1:0]  low;
  logic [HIGH_W-1:0] high;
  ram_1r1w #(.WIDTH(LOW_W), .DEPTH(SLOTS), .BYPASS(1)) u_low (
      .clk_i, .we_i(half_we[0]), .waddr_i(half_slot[AW-1:0]),
      .wdata_i({w_cmp.una_gb_epoch, w_cmp.una_una_psn, w_cmp.flags_doubt, w_cmp.flags_err}),
      .re_i(1'b1), .raddr_i(send_part_i.req.issue[AW-1:0]), .rdata_o(low));
  ram_1r1w #(.WIDTH(HIGH_W), .DEPTH(SLOTS), .BYPASS(1)) u_high (
      .clk_i, .we_i(half_we[1]), .waddr_i(half_slot[2*AW-1:AW]), .wdata_i({w_cmp.old_psn, w_cmp.rflags_flushing}),
      .re_i(1'b1), .raddr_i(send_part_i.req.issue[AW-1:0]), .rdata_o(high));
  cairn_hw_pkg::qp_cmp_t issue;
  always_comb begin
    issue = '0;
    {issue.una_gb_epoch, issue.una_una_psn, issue.flags_doubt, issue.flags_err} = low;
    {issue.old_psn, issue.rflags_flushing} = high;
  end
  assign send_part_o.req.issue = issue;

  // ---- RAM of the receive side ----
  logic          r_rsp;
  logic [511:0]  r_data, r_cfg_q, look_q;
  assign r_rsp   = r_main && !r_who[0];
  assign r_clash = ((rsp_we || f_we[3]) && r_rsp && rsp_slot == r_slot) || (f_cfg && w_slot == r_slot);
  ram_1r1w #(.WIDTH(512), .DEPTH(2 * SLOTS), .BYPASS(2)) u_received (
      .clk_i, .we_i(rsp_we || f_we[3] || f_cfg), .waddr_i({rsp_we || f_we[3], rsp_slot}), .wdata_i(w_rsp),
      .re_i(r_first || r_main), .raddr_i({r_rsp, r_slot}), .rdata_o(r_data));
  always_ff @(posedge clk_i) begin
    if (r_kept) r_cfg_q <= r_data;
    if (r_ok[0]) look_q <= r_data;
  end
  assign receive_part_o.lookup        = look_q;
  assign receive_part_o.lookup_ok     = r_ok[0];
  assign receive_part_o.rsp.check     = r_data;
  assign receive_part_o.rsp.commit    = r_data;
  assign receive_part_o.rsp.answer    = {r_cfg_q, r_data};
  assign receive_part_o.rsp.shared    = 1'b1;
  assign receive_part_o.rsp.check_ok  = r_ok[1];
  assign receive_part_o.rsp.commit_ok = r_ok[2];
  assign receive_part_o.rsp.walk_ok   = r_ok[3];
  assign receive_part_o.rsp.send_ok   = r_ok[4];

  assign read_data_o = f_rsp ? r_data : read_i.part == 2'd2 ? s_cmp : s_data;
endmodule
