// SPDX-License-Identifier: Apache-2.0
// Lookups of records that all have their place on chip: record k is in slot k. What ctx_cache is to a table of which
// host memory has the rest, without tags, victims, pins, fills and write-backs.
//
// Owns: which records exist. One that firmware has not made, or has dropped, is FREE; no other answer than that and HIT
//   is given. An allocation is answered at once, and the record exists when firmware says that it is whole.
// Pins: none. Firmware makes or drops a record behind a fence, when nothing is left of what looked at it before
//   (docs/rtl/contexts.md).
// Order: sources and firmware as in ctx_source. Cycles: two from a lookup to its answer.
// Errors: none. Reset: nothing exists; lookups wait until that is written down, a cycle a record.
module ctx_resident #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned NSRC  = 4,        // lookup sources, without firmware
    parameter int unsigned KEY_W = 24,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic [24:0]                 entries_i,
    input  logic [NSRC-1:0]             look_valid_i,
    output logic [NSRC-1:0]             look_ready_o,
    input  logic [NSRC*KEY_W-1:0]       look_key_i,
    output logic [NSRC-1:0]             found_valid_o,
    output cairn_int_pkg::ctx_found_t   found_o,
    // ctx_fw
    input  cairn_int_pkg::ctx_claim_t   fw_i,
    output logic                        fw_ready_o,
    output logic                        fw_filled_ready_o,
    output cairn_int_pkg::ctx_claimed_t fw_o,
    output logic                        hit_o,
    output logic                        idle_o
);
  localparam int unsigned NS = NSRC + 1;
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_FREE = cairn_hw_pkg::CTX_RESULT_FREE;
  if (SLOTS < 2 || (1 << AW) != SLOTS || AW > KEY_W) begin : g_chk
    $error("ctx_resident: SLOTS must be a power of two, and no more than there are keys");
  end

  // ---- whose lookup ----
  logic             init_q, gnt_valid;
  logic [AW-1:0]    init_slot_q;
  logic [NS-1:0]    gnt;
  logic [KEY_W-1:0] key;
  ctx_source #(.NSRC(NSRC), .SETS(1), .KEY_W(KEY_W)) u_source (
      .clk_i, .rst_ni, .hold_i(init_q), .look_valid_i, .look_ready_o, .look_key_i, .fw_valid_i(fw_i.valid),
      .fw_key_i(fw_i.key[KEY_W-1:0]), .fw_ready_o, .gnt_valid_o(gnt_valid), .gnt_o(gnt), .key_o(key), .set_o());

  // ---- does it exist ----
  logic             s1_valid_q, live, we, drop, in_table, hit;
  logic [NS-1:0]    s1_src_q;
  logic [KEY_W-1:0] s1_key_q;
  logic [1:0]       s1_op_q;
  logic [AW-1:0]    slot;
  assign slot = init_q ? init_slot_q : fw_i.key[AW-1:0];
  assign drop = s1_valid_q && s1_src_q[NSRC] && s1_op_q[1] && in_table;
  assign we   = init_q || drop || fw_i.filled;
  // A lookup in the cycle of a change may be answered either way.
  ram_1r1w #(.WIDTH(1), .DEPTH(SLOTS), .BYPASS(2)) u_live (
      .clk_i, .we_i(we), .waddr_i(slot), .wdata_i(!init_q && fw_i.filled), .re_i(1'b1), .raddr_i(key[AW-1:0]),
      .rdata_o(live));
  assign fw_filled_ready_o = 1'b1;

  assign in_table = {1'b0, s1_key_q} < entries_i && (s1_key_q >> AW) == '0;
  assign hit    = in_table && (live || (s1_src_q[NSRC] && s1_op_q == 2'd1));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q        <= 1'b1;
      init_slot_q   <= '0;
      s1_valid_q    <= 1'b0;
      found_valid_o <= '0;
      fw_o.done     <= 1'b0;
      hit_o         <= 1'b0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= !(&init_slot_q);
      end
      s1_valid_q    <= gnt_valid;
      found_valid_o <= s1_valid_q ? s1_src_q[NSRC-1:0] : '0;
      fw_o.done     <= s1_valid_q && s1_src_q[NSRC];
      hit_o         <= s1_valid_q && !s1_src_q[NSRC] && hit;
    end
    s1_src_q       <= gnt;
    s1_key_q       <= key;
    s1_op_q        <= fw_i.op;
    found_o.status <= hit ? ST_HIT : ST_FREE;
    found_o.slot   <= cairn_int_pkg::SLOT_W'(s1_key_q[AW-1:0]);
    found_o.key    <= s1_key_q;
    // Firmware's is held.
    if (s1_valid_q && s1_src_q[NSRC]) begin
      fw_o.status <= hit ? ST_HIT : ST_FREE;
      fw_o.slot   <= cairn_int_pkg::SLOT_W'(s1_key_q[AW-1:0]);
    end
  end
  assign idle_o = !init_q && !s1_valid_q && look_valid_i == '0 && !fw_i.valid && found_valid_o == '0 && !fw_o.done;
endmodule
