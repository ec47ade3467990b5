// SPDX-License-Identifier: Apache-2.0
// The parts of QP records that are all on chip (QP_ON_CHIP), in RAMs that their readers share: what qp_parts is to a
// cache, whose readers have a copy each.
//
// One RAM has a word for each slot's cfg part and one for its req part, one has the halves of its cmp part. req_visit,
// cmp_packet, cmp_place, cmp_retire and firmware take turns at them. Another RAM has cfg, once more, and rsp for
// qp_lookup, rsp_check, rsp_commit, rsp_tx and firmware. What req_issue looks at all the time is a RAM of its own.
// Each word lies there in two halves, since a block of RAM has depth for four times as many and no more than 36 bits of
// width. They are read and written one behind the other.
// Readers: see ctx_turns, and docs/rtl/contexts.md. cfg stays for qp_lookup until its next one.
// Writes: the owner's always succeed, at most every second cycle. Firmware's wait for cycles without one in the RAMs
//   that it concerns.
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
  logic          s_first, s_kept, s_main, s_half, s_clash, r_first, r_kept, r_main, r_half, r_clash,
      f_rsp;
  assign f_rsp  = read_i.part == 2'd3;
  assign f_slot = read_i.slot[AW-1:0];
  ctx_turns #(.N(5), .TWO('b01001), .AW(AW)) u_send (
      .clk_i, .rst_ni, .asks_i({read_i.valid && !f_rsp, send_part_i.cmp.retire_asks, send_part_i.cmp.place_asks,
                                send_part_i.cmp.packet_asks, visit_asks_i}),
      .slots_i({f_slot, send_part_i.cmp.retire[AW-1:0], send_part_i.cmp.place[AW-1:0],
                send_part_i.cmp.packet[AW-1:0], visit_slot_i}),
      .who_o(s_who), .slot_o(s_slot), .first_o(s_first), .kept_o(s_kept), .main_o(s_main), .half_o(s_half),
      .clash_i(s_clash), .ok_o(s_ok));
  ctx_turns #(.N(6), .TWO('b011100), .AW(AW)) u_receive (
      .clk_i, .rst_ni, .asks_i({read_i.valid && f_rsp, receive_part_i.rsp.send_asks, receive_part_i.rsp.walk_asks,
                                receive_part_i.rsp.commit_asks, receive_part_i.rsp.check_asks,
                                receive_part_i.lookup.asks}),
      .slots_i({f_slot, receive_part_i.rsp.send[AW-1:0], receive_part_i.rsp.walk[AW-1:0],
                receive_part_i.rsp.commit[AW-1:0], receive_part_i.rsp.check[AW-1:0],
                receive_part_i.lookup.slot[AW-1:0]}),
      .who_o(r_who), .slot_o(r_slot), .first_o(r_first), .kept_o(r_kept), .main_o(r_main), .half_o(r_half),
      .clash_i(r_clash), .ok_o(r_ok));
  assign visit_ok_o   = s_ok[0];
  assign read_ready_o = s_ok[4] || r_ok[5];

  // ---- writes ----
  // The second half of req and rsp goes a cycle behind the first; that of rsp a cycle after it came, since whether the
  // responder writes is known late. cmp has two owners, of a half each: cmp_retire's
  // waits here for a cycle without the other's. Firmware's two each need a cycle without any other,
  // and nobody reads the slot between them.
  localparam int unsigned SENT_W = cairn_hw_pkg::QP_REQ_RECOVER_REC_END_LSB + cairn_hw_pkg::QP_REQ_RECOVER_REC_END_W;
  localparam int unsigned SENT_H = SENT_W / 2, GAP = 256 - SENT_H;
  logic          req_we, rsp_we, f_half_q, f_go, sent_we, cmp_we, received_we;
  logic          sent_late_q, retire_late_q, received_q, received_late_q;
  logic [1:0]    half_we;
  logic [3:0]    f_we, f_free;
  logic [AW-1:0] sent_slot_q, retire_slot_q, received_slot_q, sent_slot, cmp_slot, received_slot, req_slot, packet_slot,
                 retire_slot, rsp_slot;
  assign w_slot      = write_i.slot[AW-1:0];
  assign req_we      = send_part_i.req.write.valid;
  assign rsp_we      = receive_part_i.rsp.write.valid;
  assign half_we     = {send_part_i.cmp.write_retire.valid, send_part_i.cmp.write_packet.valid};
  assign req_slot    = send_part_i.req.write.slot[AW-1:0];
  assign rsp_slot    = receive_part_i.rsp.write.slot[AW-1:0];
  assign packet_slot = send_part_i.cmp.write_packet.slot[AW-1:0];
  assign retire_slot = send_part_i.cmp.write_retire.slot[AW-1:0];
  assign f_free      = {!received_q && !received_late_q, half_we == '0 && !retire_late_q, !req_we && !sent_late_q,
                        !received_q && !received_late_q && !req_we && !sent_late_q};
  for (genvar g = 0; g < 4; g++) begin : g_f
    assign f_we[g] = write_i.valid && write_i.part == 2'(g) && f_free[g];
  end
  assign f_go        = f_we != '0;
  assign write_ready_o = f_free[write_i.part] && f_half_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {f_half_q, sent_late_q, received_q, received_late_q, retire_late_q} <= '0;
    end else begin
      f_half_q        <= f_half_q ^ f_go;
      sent_late_q     <= req_we;
      received_q      <= rsp_we;
      received_late_q <= received_q;
      retire_late_q   <= half_we[1] || (retire_late_q && half_we[0]);
    end
    sent_slot_q     <= req_slot;
    if (rsp_we) received_slot_q <= rsp_slot;
    if (half_we[1]) retire_slot_q <= retire_slot;
  end
  assign sent_we       = req_we || sent_late_q || f_we[1] || f_we[0];
  assign sent_slot     = sent_late_q ? sent_slot_q : req_we ? req_slot : w_slot;
  assign cmp_we        = half_we[0] || retire_late_q || f_we[2];
  assign cmp_slot      = half_we[0] ? packet_slot : retire_late_q ? retire_slot_q : w_slot;
  assign received_we   = received_q || received_late_q || f_we[3] || f_we[0];
  assign received_slot = (received_q || received_late_q) ? received_slot_q : w_slot;

  // ---- RAMs of the send side. A block has 36 bits: the words of cfg and req end with what req has, and what is too
  // much for the first half lies above the second one ----
  logic              s_req;              // the word is req
  logic [511:0]      s_data, s_cmp, s_cfg_q;
  logic [SENT_H-1:0] sent, sent_low_q, sent_late_data_q;
  logic [255:0]      cmp, cmp_low_q, retire_late_data_q;
  assign s_req   = s_main && !(s_who[4] && read_i.part == 2'd0);
  // (firmware's whether it goes now or not: that comes late)
  assign s_clash = (req_we && req_slot == s_slot) || (sent_late_q && sent_slot_q == s_slot)
                   || (half_we[0] && packet_slot == s_slot) || (retire_late_q && retire_slot_q == s_slot)
                   || (half_we[1] && retire_slot == s_slot) || ((f_half_q || write_i.valid) && w_slot == s_slot);
  function automatic logic [SENT_H-1:0] above(input logic [511:0] data);
    above = {data[255:SENT_H], data[SENT_W-1:256]};
  endfunction
  ram_1r1w #(.WIDTH(SENT_H), .DEPTH(4 * SLOTS), .BYPASS(2)) u_sent (
      .clk_i, .we_i(sent_we),
      .waddr_i({sent_late_q || (!req_we && f_half_q), req_we || sent_late_q || f_we[1], sent_slot}),
      .wdata_i(sent_late_q ? sent_late_data_q : req_we ? send_part_i.req.write.data[SENT_H-1:0]
               : f_half_q ? above(write_i.data) : write_i.data[SENT_H-1:0]),
      .re_i(s_first || s_main), .raddr_i({s_half, s_req, s_slot}), .rdata_o(sent));
  ram_1r1w #(.WIDTH(256), .DEPTH(2 * SLOTS), .BYPASS(2)) u_cmp (
      .clk_i, .we_i(cmp_we), .waddr_i({!half_we[0] && (retire_late_q || f_half_q), cmp_slot}),
      .wdata_i(half_we[0] ? send_part_i.cmp.write_packet.data : retire_late_q ? retire_late_data_q
               : f_half_q ? write_i.data[511:256] : write_i.data[255:0]),
      .re_i(s_main), .raddr_i({s_half, s_slot}), .rdata_o(cmp));
  always_ff @(posedge clk_i) begin
    if (req_we) sent_late_data_q <= above(send_part_i.req.write.data);
    if (half_we[1]) retire_late_data_q <= send_part_i.cmp.write_retire.data;
    // the first half is there while the second is read
    if (s_half) {sent_low_q, cmp_low_q} <= {sent, cmp};
    if (s_kept) s_cfg_q <= s_data;
  end
  assign s_data = 512'({sent[SENT_H-GAP-1:0], sent[SENT_H-1 -: GAP], sent_low_q});
  assign s_cmp  = {cmp, cmp_low_q};
  assign send_part_o.req.visit  = {s_cfg_q, s_data, s_cmp};
  assign send_part_o.cmp.retire = {s_cfg_q, s_data, s_cmp};
  assign send_part_o.cmp.packet = {s_data, s_cmp};
  assign send_part_o.cmp.place  = {s_data, s_cmp};
  assign send_part_o.cmp.shared    = 1'b1;
  assign send_part_o.cmp.packet_ok = s_ok[1];
  assign send_part_o.cmp.place_ok  = s_ok[2];
  assign send_part_o.cmp.retire_ok = s_ok[3];

  // req_issue: of the halves of cmp what req_check asks for
  localparam int unsigned LOW_W = 34, HIGH_W = 25;
  logic [LOW_W-1:0]  low;
  logic [HIGH_W-1:0] high;
  cairn_hw_pkg::qp_cmp_t w_cmp, issue;
  assign w_cmp = {half_we[1] ? send_part_i.cmp.write_retire.data : write_i.data[511:256],
                  half_we[0] ? send_part_i.cmp.write_packet.data : write_i.data[255:0]};
  ram_1r1w #(.WIDTH(LOW_W), .DEPTH(SLOTS), .BYPASS(1)) u_low (
      .clk_i, .we_i(half_we[0] || f_we[2]), .waddr_i(half_we[0] ? packet_slot : w_slot),
      .wdata_i({w_cmp.una_gb_epoch, w_cmp.una_una_psn, w_cmp.flags_doubt, w_cmp.flags_err}),
      .re_i(1'b1), .raddr_i(send_part_i.req.issue[AW-1:0]), .rdata_o(low));
  ram_1r1w #(.WIDTH(HIGH_W), .DEPTH(SLOTS), .BYPASS(1)) u_high (
      .clk_i, .we_i(half_we[1] || f_we[2]), .waddr_i(half_we[1] ? retire_slot : w_slot),
      .wdata_i({w_cmp.old_psn, w_cmp.rflags_flushing}),
      .re_i(1'b1), .raddr_i(send_part_i.req.issue[AW-1:0]), .rdata_o(high));
  always_comb begin
    issue = '0;
    {issue.una_gb_epoch, issue.una_una_psn, issue.flags_doubt, issue.flags_err} = low;
    {issue.old_psn, issue.rflags_flushing} = high;
  end
  assign send_part_o.req.issue = issue;

  // ---- RAM of the receive side ----
  logic          r_rsp;
  logic [255:0]  received, received_low_q;
  logic [511:0]  r_data, r_cfg_q, look_q, received_data_q;
  assign r_rsp   = r_main && !r_who[0];
  assign r_clash = (rsp_we && rsp_slot == r_slot) || ((received_q || received_late_q) && received_slot_q == r_slot)
                   || ((f_half_q || write_i.valid) && w_slot == r_slot);
  ram_1r1w #(.WIDTH(256), .DEPTH(4 * SLOTS), .BYPASS(2)) u_received (
      .clk_i, .we_i(received_we), .waddr_i({received_late_q || (!received_q && f_half_q),
                                                received_q || received_late_q || f_we[3], received_slot}),
      .wdata_i(received_late_q ? received_data_q[511:256] : received_q ? received_data_q[255:0]
               : f_half_q ? write_i.data[511:256] : write_i.data[255:0]),
      .re_i(r_first || r_main), .raddr_i({r_half, r_rsp, r_slot}), .rdata_o(received));
  assign r_data = {received, received_low_q};
  always_ff @(posedge clk_i) begin
    if (rsp_we) received_data_q <= receive_part_i.rsp.write.data;
    if (r_half) received_low_q <= received;
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

  // Firmware's, half by half, as they come out
  logic [255:0] f_out, f_low_q;
  logic         f_sent;              // cfg, req
  assign f_sent = !f_rsp && read_i.part != 2'd2;
  assign f_out  = f_rsp ? received : f_sent ? 256'(sent) : cmp;
  always_ff @(posedge clk_i) if ((s_half && s_who[4]) || (r_half && r_who[5])) f_low_q <= f_out;
  assign read_data_o[255:0]   = {f_sent ? sent[SENT_H-1 -: GAP] : f_low_q[255 -: GAP], f_low_q[SENT_H-1:0]};
  assign read_data_o[511:256] = {f_sent ? '0 : f_out[255:SENT_H-GAP], f_out[SENT_H-GAP-1:0]};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(req_we && sent_late_q));
    if (rst_ni) assert (!(rsp_we && received_q));
    if (rst_ni) assert (!(half_we == 2'b11 && retire_late_q));
  end
`endif
endmodule
