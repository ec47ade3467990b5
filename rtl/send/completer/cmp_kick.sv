// SPDX-License-Identifier: Apache-2.0
// Which QP cmp_retire visits next.
//
// Kicks, fills of the QP cache that a lookup of ours waits for (strobes, never refused) and fired timers gather in one
// pend_queue by QPN. Each QPN that leaves it is looked up in the QP cache (source CMPK, with pin), and a hit becomes a
// visit {fired, slot, QPN}. A QP that is not cached is left alone: its fill kicks it. No way free now: kicked again. A
// fired timer is a bit for each QPN that stands until its visit is taken. Lookups: 4 under way at most.
// Errors: a damaged or free record ends the kick.
module cmp_kick #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned NKICK    = 7,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       halt_i,
    input  logic [NKICK-1:0]           kick_valid_i,
    output logic [NKICK-1:0]           kick_ready_o,
    input  logic [NKICK*24-1:0]        kick_qpn_i,
    input  cairn_int_pkg::ctx_fill_t   fill_i,
    input  cairn_int_pkg::kick_t       fire_i,
    output logic                       fire_ready_o,
    output cairn_int_pkg::ctx_req_t    ctx_o,
    input  logic                       ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t    ctx_i,
    output cairn_int_pkg::unpin_t      unpin_o,  // pins of QPs being read
    input  logic                       unpin_ready_i,
    output cairn_int_pkg::walk_visit_t visit_o,
    input  logic                       visit_ready_i,
    output logic                       idle_o
);
  logic          visit_valid, visit_fired;
  logic [AW-1:0] visit_slot;
  logic [23:0]   visit_qpn;
  assign visit_o = {visit_valid, visit_fired, cairn_int_pkg::SLOT_W'(visit_slot), visit_qpn};
  localparam int unsigned N = 1 << QPS_LOG2;
  localparam int unsigned DEPTH = 4;
  logic        fk_ready_unused, rk_valid, rk_ready;
  logic [23:0] rk_qpn;
  logic [2:0]  rk_level, h_level, u_level;
  logic        p_valid, p_idle, q_valid, q_ready, late, first_idle, init_q;
  logic [QPS_LOG2-1:0] p_qpn, q_qpn, init_qpn_q;
  logic [(NKICK+3)*QPS_LOG2-1:0] id;
  logic        fire_room;

  for (genvar g = 0; g < NKICK; g++) begin : g_kick
    assign id[(g+1)*QPS_LOG2 +: QPS_LOG2] = kick_qpn_i[24*g +: QPS_LOG2];
  end
  assign id[QPS_LOG2-1:0] = fill_i.key[QPS_LOG2-1:0];
  assign id[(NKICK+1)*QPS_LOG2 +: 2*QPS_LOG2] = {fire_i.qpn[QPS_LOG2-1:0], rk_qpn[QPS_LOG2-1:0]};
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(NKICK + 3), .STROBE(1)) u_pend (
      .clk_i, .rst_ni, .kick_valid_i({fire_i.valid && !init_q, rk_valid, kick_valid_i, late}),
      .kick_ready_o({fire_room, rk_ready, kick_ready_o, fk_ready_unused}),
      .kick_id_i(id), .out_valid_o(q_valid), .out_ready_i(q_ready), .out_id_o(q_qpn), .idle_o(p_idle));
  wake_first #(.ID_W(QPS_LOG2)) u_first (
      .clk_i, .rst_ni, .wake_i(fill_i.valid && fill_i.cmp), .wake_id_i(fill_i.key[QPS_LOG2-1:0]), .late_o(late),
      .in_valid_i(q_valid),
      .in_ready_o(q_ready), .in_id_i(q_qpn), .out_valid_o(p_valid), .out_ready_i(ctx_o.valid && ctx_ready_i),
      .out_id_o(p_qpn), .idle_o(first_idle));
  assign fire_ready_o = fire_room;

  // ---- fired timers: the bit is the difference of two, one written at the fire, one at the visit ----
  logic fired_in  [0:N-1];
  logic fired_out [0:N-1];
  logic [QPS_LOG2-1:0] f_qpn, v_qpn;
  assign f_qpn = fire_i.qpn[QPS_LOG2-1:0];
  assign v_qpn = visit_qpn[QPS_LOG2-1:0];
  assign visit_fired = fired_in[v_qpn] != fired_out[v_qpn];
  always_ff @(posedge clk_i) begin
    if (init_q) fired_in[init_qpn_q] <= 1'b0;
    else if (fire_i.valid && fire_ready_o) fired_in[f_qpn] <=
        !fired_out[f_qpn] ^ (visit_valid && visit_ready_i && visit_fired && v_qpn == f_qpn);
  end
  always_ff @(posedge clk_i) begin
    if (init_q) fired_out[init_qpn_q] <= 1'b0;
    else if (visit_valid && visit_ready_i && visit_fired) fired_out[v_qpn] <= !fired_out[v_qpn];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_qpn_q <= '0;
    end else if (init_q) begin
      init_qpn_q <= init_qpn_q + 1'b1;
      init_q     <= !(&init_qpn_q);
    end
  end

  // ---- lookups: each has its place in all three queues ----
  logic [2:0] out_q;
  logic       go, is_hit, is_wait, is_retry;
  assign ctx_o.valid = p_valid && !halt_i && !init_q
                       && 4'(out_q) + 4'(rk_level) + 4'(h_level) + 4'(u_level) < 4'(DEPTH);
  assign ctx_o.key = 24'(p_qpn);
  assign go        = ctx_o.valid && ctx_ready_i;
  assign is_hit    = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_OK;
  assign is_wait   = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_WAITING;
  assign is_retry  = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_RETRY;
  sync_fifo_level #(.WIDTH(24 + AW), .DEPTH(DEPTH)) u_hits (
      .clk_i, .rst_ni, .in_valid_i(is_hit), .in_ready_o(), .in_data_i({ctx_i.key, ctx_i.slot[AW-1:0]}),
      .out_valid_o(visit_valid), .out_ready_i(visit_ready_i), .out_data_o({visit_qpn, visit_slot}),
      .level_o(h_level));
  logic [AW-1:0] unpin_slot;
  assign unpin_o.slot = cairn_int_pkg::SLOT_W'(unpin_slot);
  sync_fifo_level #(.WIDTH(AW), .DEPTH(DEPTH)) u_unpin (
      .clk_i, .rst_ni, .in_valid_i(is_wait), .in_ready_o(), .in_data_i(ctx_i.slot[AW-1:0]),
      .out_valid_o(unpin_o.valid), .out_ready_i(unpin_ready_i), .out_data_o(unpin_slot), .level_o(u_level));
  sync_fifo_level #(.WIDTH(24), .DEPTH(DEPTH)) u_again (
      .clk_i, .rst_ni, .in_valid_i(is_retry), .in_ready_o(), .in_data_i(ctx_i.key),
      .out_valid_o(rk_valid), .out_ready_i(rk_ready), .out_data_o(rk_qpn), .level_o(rk_level));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_q <= '0;
    else out_q <= out_q + 3'(go) - 3'(ctx_i.valid);
  end
  assign idle_o = p_idle && first_idle && out_q == '0 && rk_level == '0 && h_level == '0 && u_level == '0
      && !init_q;
endmodule
