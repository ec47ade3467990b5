// SPDX-License-Identifier: Apache-2.0
// Queue of object numbers in which each number stands at most once: the landing place of kicks and doorbells.
//
// It has room for every number, so a kick is never refused for want of space, and its sender needs no storage. A number
// that is kicked while it waits is not queued again; one kicked in the cycle in which it leaves is.
// Order: of up to 2^SCAN_LOG2 numbers in turn, and each once before another comes twice (pend_scan); of more, as they
//   came (pend_order).
// STROBE: source 0 goes before all others and is never refused. It is the strobe of a fill's end, and must leave the
// others their turn.
// Cycles: one kick in (round robin over NSRC sources), one number out. A kick is looked up in the next cycle; if
//   nothing waits, its number is shown in that cycle. CHOSEN = 2: one that kicks alone after another waits a cycle.
// Reset: clears itself in 2^ID_W cycles at most; nothing is ready meanwhile. Errors: none.
module pend_queue #(
    parameter int unsigned ID_W = 10,
    parameter int unsigned NSRC = 2,
    parameter int unsigned STROBE = 0,
    parameter int unsigned SCAN_LOG2 = 8,
    parameter int unsigned CHOSEN = 0      // kicks by 0 rr_arbiter, 1 rr_chosen (one every second cycle), 2 rr_kept
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [NSRC-1:0]       kick_valid_i,
    output logic [NSRC-1:0]       kick_ready_o,
    input  logic [NSRC*ID_W-1:0]  kick_id_i,
    output logic                  out_valid_o,
    input  logic                  out_ready_i,
    output logic [ID_W-1:0]       out_id_o,
    output logic                  idle_o
);
  logic            gnt_valid, ready, empty;
  logic [NSRC-1:0] gnt;
  logic [ID_W-1:0] id, look_id_q;
  logic            look_q;                // the kick of look_id_q was taken in the last cycle

  if (NSRC == 1) begin : g_one
    assign gnt       = kick_valid_i && ready;
    assign gnt_valid = gnt != '0;
    assign id        = kick_id_i;
  end else begin : g_many
    logic            first, turn_valid;
    logic [NSRC-1:0] turn;
    assign first = STROBE != 0 && kick_valid_i[0];
    if (CHOSEN == 1) begin : g_chosen
      rr_chosen #(.N(NSRC)) u_arb (
          .clk_i, .rst_ni, .req_i({kick_valid_i[NSRC-1:1], kick_valid_i[0] && STROBE == 0}),
          .ready_i(ready && !first), .gnt_valid_o(turn_valid), .gnt_o(turn), .ready_o(), .gnt_idx_o());
    end else if (CHOSEN == 2) begin : g_kept
      rr_kept #(.N(NSRC)) u_arb (
          .clk_i, .rst_ni, .req_i({kick_valid_i[NSRC-1:1], kick_valid_i[0] && STROBE == 0}),
          .used_i(ready && !first), .hold_i(1'b0), .gnt_o(turn), .gnt_idx_o(), .shown_o(turn_valid));
    end else begin : g_choose
      rr_arbiter #(.N(NSRC)) u_arb (
          .clk_i, .rst_ni, .req_i({kick_valid_i[NSRC-1:1], kick_valid_i[0] && STROBE == 0}),
          .ack_i(ready && !first), .lock_i(1'b0), .gnt_valid_o(turn_valid), .gnt_o(turn), .gnt_idx_o());
    end
    assign gnt       = !ready ? '0 : first ? NSRC'(1) : turn;
    assign gnt_valid = ready && (first || turn_valid);
    always_comb begin
      id = '0;
      for (int unsigned i = 0; i < NSRC; i++) begin
        if (gnt[i]) id = id | kick_id_i[i*ID_W +: ID_W];
      end
    end
  end
  assign kick_ready_o = gnt;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) look_q <= 1'b0;
    else look_q <= gnt_valid;
    look_id_q <= id;
  end

  if (ID_W <= SCAN_LOG2) begin : g_scan
    pend_scan #(.ID_W(ID_W)) u_wait (
        .clk_i, .rst_ni, .look_i(look_q), .look_id_i(look_id_q), .ready_o(ready),
        .out_valid_o, .out_ready_i, .out_id_o, .empty_o(empty));
  end else begin : g_order
    pend_order #(.ID_W(ID_W)) u_wait (
        .clk_i, .rst_ni, .id_i(id), .look_i(look_q), .look_id_i(look_id_q), .ready_o(ready),
        .out_valid_o, .out_ready_i, .out_id_o, .empty_o(empty));
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && !ready && STROBE != 0) assert (!kick_valid_i[0]);   // would be lost
  end
`endif
  assign idle_o = empty && !look_q && kick_valid_i == '0 && ready;
endmodule
