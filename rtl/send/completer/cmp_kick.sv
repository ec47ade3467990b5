// SPDX-License-Identifier: Apache-2.0
// Which QP cmp_retire visits next.
//
// Kicks, fills of the QP cache that a lookup of ours waits for (strobes, never refused) and fired timers gather in one
// pend_queue by QPN. Each QPN that leaves it is looked up in the QP cache (source CMPK, with pin), and a hit becomes a
// visit {fired, slot, QPN}. A QP that is not cached is left alone: its fill kicks it. No way free now: kicked again. A
// fired timer is a bit for each QPN, set before the QPN is kicked, that goes with the visit of the next hit; of few QPs
// one is kept at a time, and the next is taken then. Lookups: 4 under way at most, with what became of them.
// Cycles: a visit is shown in the cycle after its hit. A timer takes 3 cycles and more.
// Errors: a damaged or free record ends the kick.
module cmp_kick #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned NKICK    = 7,
    parameter bit          ONE_FIRE = QPS_LOG2 <= 7,   // one fired timer at a time
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
  typedef enum logic [2:0] {F_NONE, F_READ, F_WRITE, F_KICK, F_WAIT} fire_e;
  fire_e       f_q;
  logic [QPS_LOG2-1:0] f_qpn_q;
  logic        fk_ready_unused, rk_valid, rk_ready;
  logic [23:0] rk_qpn;
  logic        p_valid, p_idle, q_valid, q_ready, late, first_idle, init_q;
  logic [QPS_LOG2-1:0] p_qpn, q_qpn;
  logic [(NKICK+3)*QPS_LOG2-1:0] id;
  logic        fire_room;

  for (genvar g = 0; g < NKICK; g++) begin : g_kick
    assign id[(g+1)*QPS_LOG2 +: QPS_LOG2] = kick_qpn_i[24*g +: QPS_LOG2];
  end
  assign id[QPS_LOG2-1:0] = fill_i.key[QPS_LOG2-1:0];
  assign id[(NKICK+1)*QPS_LOG2 +: 2*QPS_LOG2] = {f_qpn_q, rk_qpn[QPS_LOG2-1:0]};
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(NKICK + 3), .STROBE(1), .CHOSEN(ONE_FIRE ? 1 : 2)) u_pend (
      .clk_i, .rst_ni, .kick_valid_i({f_q == F_KICK, rk_valid, kick_valid_i, late}),
      .kick_ready_o({fire_room, rk_ready, kick_ready_o, fk_ready_unused}),
      .kick_id_i(id), .out_valid_o(q_valid), .out_ready_i(q_ready), .out_id_o(q_qpn), .idle_o(p_idle));
  wake_first #(.ID_W(QPS_LOG2)) u_first (
      .clk_i, .rst_ni, .wake_i(fill_i.valid && fill_i.cmp), .wake_id_i(fill_i.key[QPS_LOG2-1:0]), .late_o(late),
      .in_valid_i(q_valid),
      .in_ready_o(q_ready), .in_id_i(q_qpn), .out_valid_o(p_valid), .out_ready_i(ctx_o.valid && ctx_ready_i),
      .out_id_o(p_qpn), .out_first_o(), .idle_o(first_idle));
  assign fire_ready_o = f_q == F_NONE && !init_q;

  // ---- fired timers ----
  logic          is_hit, is_wait, is_retry, is_end, h_q, fired;
  logic [23:0]   h_qpn_q;
  logic [AW-1:0] h_slot_q;
  if (ONE_FIRE) begin : g_one_fire
    // It waits until its QP is met; meanwhile no other is taken. One that is not there any more needs none.
    logic mine, fired_q;
    assign mine   = ctx_i.key[QPS_LOG2-1:0] == f_qpn_q;
    assign fired  = fired_q;
    assign init_q = 1'b0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_q <= F_NONE;
      end else begin
        case (f_q)
          F_NONE:  if (fire_i.valid) f_q <= F_KICK;
          F_KICK:  f_q <= (is_hit && mine) ? F_NONE : fire_room ? F_WAIT : F_KICK;
          default: if ((is_hit || is_end) && mine) f_q <= F_NONE;
        endcase
      end
      fired_q <= mine && f_q != F_NONE;
    end
  end else begin : g_fires
    // The bit is the difference of two, one turned at the fire, the other follows at a hit. A hit reads both; a fire
    // reads one of them in a cycle without a hit.
    logic                in_bit, out_bit;
    logic [QPS_LOG2-1:0] b_qpn, init_qpn_q;
    assign fired = in_bit != out_bit;
    assign b_qpn = is_hit ? ctx_i.key[QPS_LOG2-1:0] : f_qpn_q;
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_fired_in (
        .clk_i, .we_i(init_q || f_q == F_WRITE), .waddr_i(init_q ? init_qpn_q : f_qpn_q),
        .wdata_i(!init_q && !out_bit), .re_i(1'b1), .raddr_i(b_qpn), .rdata_o(in_bit));
    ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_fired_out (
        .clk_i, .we_i(init_q || (h_q && fired)), .waddr_i(init_q ? init_qpn_q : h_qpn_q[QPS_LOG2-1:0]),
        .wdata_i(!init_q && in_bit), .re_i(1'b1), .raddr_i(b_qpn), .rdata_o(out_bit));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_q        <= F_NONE;
        init_q     <= 1'b1;
        init_qpn_q <= '0;
      end else begin
        case (f_q)
          F_NONE:  if (fire_i.valid && !init_q) f_q <= F_READ;
          F_READ:  if (!is_hit) f_q <= F_WRITE;
          F_WRITE: f_q <= F_KICK;
          default: if (fire_room) f_q <= F_NONE;
        endcase
        if (init_q) begin
          init_qpn_q <= init_qpn_q + 1'b1;
          init_q     <= !(&init_qpn_q);
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    h_q <= rst_ni && is_hit;
    if (f_q == F_NONE) f_qpn_q <= fire_i.qpn[QPS_LOG2-1:0];
    h_qpn_q  <= ctx_i.key;
    h_slot_q <= ctx_i.slot[AW-1:0];
  end

  // ---- lookups: each has its place in all three queues, and is counted until it has left ----
  logic [2:0] used_q, left;
  logic       go, h_valid, h_fired;
  logic [AW-1:0] h_slot, unpin_slot;
  logic [23:0] h_qpn;
  assign ctx_o.valid = p_valid && !halt_i && !init_q && used_q != 3'(DEPTH);
  assign ctx_o.key = 24'(p_qpn);
  assign go        = ctx_o.valid && ctx_ready_i;
  assign is_hit    = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_OK;
  assign is_wait   = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_WAITING;
  assign is_retry  = ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign is_end    = ctx_i.valid && !is_hit && !is_wait && !is_retry;
  // A hit that finds the queue empty is shown at once.
  sync_fifo #(.WIDTH(25 + AW), .DEPTH(DEPTH)) u_hits (
      .clk_i, .rst_ni, .in_valid_i(h_q && (h_valid || !visit_ready_i)), .in_ready_o(),
      .in_data_i({fired, h_qpn_q, h_slot_q}), .out_valid_o(h_valid), .out_ready_i(visit_ready_i),
      .out_data_o({h_fired, h_qpn, h_slot}));
  assign visit_valid = h_valid || h_q;
  assign {visit_fired, visit_qpn, visit_slot} = h_valid ? {h_fired, h_qpn, h_slot} : {fired, h_qpn_q, h_slot_q};
  assign unpin_o.slot = cairn_int_pkg::SLOT_W'(unpin_slot);
  sync_fifo #(.WIDTH(AW), .DEPTH(DEPTH)) u_unpin (
      .clk_i, .rst_ni, .in_valid_i(is_wait), .in_ready_o(), .in_data_i(ctx_i.slot[AW-1:0]),
      .out_valid_o(unpin_o.valid), .out_ready_i(unpin_ready_i), .out_data_o(unpin_slot));
  sync_fifo #(.WIDTH(24), .DEPTH(DEPTH)) u_again (
      .clk_i, .rst_ni, .in_valid_i(is_retry), .in_ready_o(), .in_data_i(ctx_i.key),
      .out_valid_o(rk_valid), .out_ready_i(rk_ready), .out_data_o(rk_qpn));
  assign left = 3'(visit_valid && visit_ready_i) + 3'(unpin_o.valid && unpin_ready_i) + 3'(rk_valid && rk_ready)
                + 3'(is_end);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= used_q + 3'(go) - left;
  end
  assign idle_o = p_idle && first_idle && used_q == '0 && f_q == F_NONE && !fire_i.valid && !init_q;
endmodule
