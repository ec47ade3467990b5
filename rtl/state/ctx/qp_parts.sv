// SPDX-License-Identifier: Apache-2.0
// The part RAMs of the QP cache, with a copy for each reader (ctx_ram). Where each QP has its place on chip qp_store
// stands in for it.
//
// Readers name a slot and have the part one cycle later; the owners' writes always succeed.
// Maintenance (read_i, write_i: write-backs, fills, firmware) is a reader, and writes in free cycles. Errors: none.
module qp_parts #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                         clk_i,
    input  cairn_int_pkg::receive_use_t  receive_part_i,
    output cairn_int_pkg::receive_view_t receive_part_o,
    input  cairn_int_pkg::send_use_t     send_part_i,
    output cairn_int_pkg::send_view_t    send_part_o,
    input  cairn_int_pkg::ctx_read_t     read_i,
    output logic [511:0]                 read_data_o,    // a cycle later
    input  cairn_int_pkg::ctx_write_t    write_i,
    output logic                         write_ready_o
);
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
  assign send_part_o.cmp.shared    = 1'b0;
  assign send_part_o.cmp.packet_ok = 1'b1;
  assign send_part_o.cmp.place_ok  = 1'b1;
  assign send_part_o.cmp.retire_ok = 1'b1;
  assign receive_part_o.lookup_ok     = 1'b1;
  assign receive_part_o.rsp.shared    = 1'b0;
  assign receive_part_o.rsp.check_ok  = 1'b1;
  assign receive_part_o.rsp.commit_ok = 1'b1;
  assign receive_part_o.rsp.walk_ok   = 1'b1;
  assign receive_part_o.rsp.send_ok   = 1'b1;

  // ---- writes: the owner before maintenance ----
  logic [3:0]    w_ready, w_valid;
  logic [AW-1:0] w_slot;
  logic [511:0]  w_data;
  logic [1:0]    h_ready;      // halves of the completer part
  assign w_slot = write_i.slot[AW-1:0];
  assign w_data = write_i.data;
  for (genvar g = 0; g < 4; g++) begin : g_w
    assign w_valid[g] = write_i.valid && write_i.part == 2'(g);
  end
  assign write_ready_o = w_ready[write_i.part];

  // ---- RAMs: reader 0 is maintenance ----
  logic [AW-1:0] m_slot;
  logic [2047:0] m_all;
  logic [1:0]    part_q;
  assign m_slot = read_i.slot[AW-1:0];
  always_ff @(posedge clk_i) part_q <= read_i.part;
  assign read_data_o = m_all[512*part_q +: 512];

  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(CFG_RD + 1)) u_cfg (
      .clk_i, .part_write_valid_i(1'b0), .part_write_slot_i('0), .part_write_data_i('0),
      .host_write_valid_i(w_valid[0]), .host_write_ready_o(w_ready[0]),
      .host_write_slot_i(w_slot), .host_write_data_i(w_data), .rd_slot_i({cfg_slot, m_slot}),
      .rd_data_o({send_part_o.cmp.retire.cfg, receive_part_o.rsp.answer.cfg, send_part_o.req.visit.cfg,
                  receive_part_o.lookup, m_all[511:0]}));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(REQ_RD + 1)) u_req (
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
    ctx_ram #(.WIDTH(256), .SLOTS(SLOTS), .READERS(CR)) u_cmp (
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
