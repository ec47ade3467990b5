// SPDX-License-Identifier: Apache-2.0
// Keys that SENDs with invalidate take away, for rsp_join: one entry for each such packet.
//
//   take -> rsp_commit says, in order, whether the packet would be executed (skip: its QP is in error)
//        -> mr_update (client MUC_RSP), whose answer comes when no earlier access with the key is under way any more
//        -> the slot is woken -> the packet, replayed, is known by slot and PSN
//
// An entry lives from the moment in which all else about the packet is right until it goes to rsp_commit with the
// verdict; meanwhile the packet is parked. The answer may take as long as any packet in the responder, so only the
// packet waits for it, and what is behind it in its QP. ENTRIES packets of as many QPs; further ones wait for room.
// Errors: vendor_o, mr_update's verdict.
module rsp_inv #(
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned ENTRIES = 4,       // power of two, at most what mr_drain has room for
    localparam int unsigned AW     = $clog2(SLOTS),
    localparam int unsigned PW     = $clog2(ENTRIES)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    output logic                        room_o,
    input  logic                        take_i,
    input  cairn_int_pkg::rsp_rec_t     take_rec_i,
    input  logic                        told_i,
    input  logic                        skip_i,
    output cairn_int_pkg::key_change_t  key_change_o,
    input  logic                        key_change_ready_i,
    input  cairn_int_pkg::key_changed_t key_change_i,
    output logic                        key_change_ready_o,
    output logic                        wake_valid_o,
    input  logic                        wake_ready_i,
    output logic [AW-1:0]               wake_slot_o,
    // the packet replayed: has it an entry
    input  logic [AW-1:0]               again_slot_i,
    input  logic [23:0]                 again_psn_i,
    output logic                        again_hit_o,
    output logic [PW-1:0]               again_at_o,
    // the packet in hand, of entry at_i
    input  logic [PW-1:0]               at_i,
    output logic                        over_o,
    output logic [7:0]                  vendor_o,
    input  logic                        end_i,
    output logic                        idle_o
);
  if ((1 << PW) != ENTRIES) begin : g_chk
    $error("rsp_inv: ENTRIES must be a power of two");
  end

  // ---- entries, in order: taken, told, asked, answered ----
  logic [PW:0]         in_q, told_q, ask_q, ans_q;
  logic [ENTRIES-1:0]  live_q, skip_q, over_q;
  logic                answered_q, ask_next, skipped, answer;
  logic [PW-1:0]       in, told, ask, ans;
  logic [AW+24-1:0]    who    [0:ENTRIES-1];   // slot, PSN
  logic [79:0]         key    [0:ENTRIES-1];   // key, PD, QPN
  logic [7:0]          vendor [0:ENTRIES-1];
  cairn_int_pkg::rsp_rec_t r;
  assign r      = take_rec_i;
  assign in     = in_q[PW-1:0];
  assign told   = told_q[PW-1:0];
  assign ask    = ask_q[PW-1:0];
  assign ans    = ans_q[PW-1:0];
  assign room_o = !live_q[in];
  always_ff @(posedge clk_i) if (take_i) who[in] <= {r.id.slot[AW-1:0], r.psn};
  always_ff @(posedge clk_i) if (take_i) key[in] <= {r.place.key, r.pd, r.id.qpn};
  always_ff @(posedge clk_i) begin
    if (answer) vendor[ans] <= skip_q[ans] ? cairn_hw_pkg::VENDOR_ERR_NONE : key_change_i.vendor;
  end

  cairn_int_pkg::mr_upd_t mu;
  always_comb begin
    mu    = '0;
    mu.op = cairn_int_pkg::MUO_RINV;
    {mu.key, mu.pd, mu.qpn} = key[ask];
  end
  assign key_change_o.req   = mu;
  assign key_change_o.valid = ask_q != told_q && !skip_q[ask];
  assign ask_next           = ask_q != told_q && (skip_q[ask] || key_change_ready_i);
  assign skipped            = ans_q != ask_q && skip_q[ans];
  assign key_change_ready_o = ans_q != ask_q && !skip_q[ans] && !answered_q;
  assign answer             = !answered_q && (skipped || (key_change_i.valid && key_change_ready_o));
  assign wake_valid_o       = answered_q;
  assign wake_slot_o        = AW'(who[ans] >> 24);

  logic [ENTRIES-1:0] match;
  for (genvar g = 0; g < ENTRIES; g++) begin : g_match
    assign match[g] = live_q[g] && who[g] == {again_slot_i, again_psn_i};
  end
  assign again_hit_o = match != '0;
  always_comb begin
    again_at_o = '0;
    for (int unsigned k = 0; k < ENTRIES; k++) begin
      if (match[k]) again_at_o = again_at_o | PW'(k);
    end
  end
  assign over_o   = over_q[at_i];
  assign vendor_o = vendor[at_i];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q       <= '0;
      told_q     <= '0;
      ask_q      <= '0;
      ans_q      <= '0;
      live_q     <= '0;
      answered_q <= 1'b0;
    end else begin
      if (take_i) in_q <= in_q + 1'b1;
      if (told_i) told_q <= told_q + 1'b1;
      if (ask_next) ask_q <= ask_q + 1'b1;
      if (answer) answered_q <= 1'b1;
      else if (wake_ready_i) answered_q <= 1'b0;
      if (answered_q && wake_ready_i) ans_q <= ans_q + 1'b1;
      if (end_i) live_q[at_i] <= 1'b0;
      if (take_i) live_q[in] <= 1'b1;
    end
    if (answered_q && wake_ready_i) over_q[ans] <= 1'b1;
    if (take_i) over_q[in] <= 1'b0;            // never the same one
    if (told_i) skip_q[told] <= skip_i;
  end
  assign idle_o = live_q == '0;
endmodule
