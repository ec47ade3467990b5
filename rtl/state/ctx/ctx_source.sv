// SPDX-License-Identifier: Apache-2.0
// First stage of ctx_cache: hashes the keys to sets, and chooses whose lookup enters.
//
// Order: source 0 when nobody else wants to enter, or in the cycle after it had to wait, so that no other one's ready
//   depends on it: it comes late in the cycle. The others in turn: a source that is told to come again does so often,
//   and by rank it would keep those below from what was read for them. Firmware is last, but after 16 cycles of waiting
//   it goes first once. No lookup enters in the cycle before firmware's: what it looks at shows all that was pinned.
// HINT: one source that is in no hurry. It, source 0 and firmware always wait a cycle: who enters follows from
//   registers, but for source 1 itself.
// Combinational but for the turns. hold_i: no lookup enters. Errors: none.
module ctx_source #(
    parameter int unsigned NSRC  = 4,        // lookup sources, without firmware
    parameter bit [NSRC-1:0] HINT = '0,      // none, or the last of three
    parameter int unsigned SETS  = 16,
    parameter int unsigned KEY_W = 24,
    localparam int unsigned SW   = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  hold_i,
    input  logic [NSRC-1:0]       look_valid_i,
    output logic [NSRC-1:0]       look_ready_o,
    input  logic [NSRC*KEY_W-1:0] look_key_i,
    input  logic                  fw_valid_i,
    output logic                  fw_ready_o,
    input  logic [KEY_W-1:0]      fw_key_i,
    output logic                  gnt_valid_o,
    output logic [NSRC:0]         gnt_o,
    output logic [KEY_W-1:0]      key_o,
    output logic [SW-1:0]         set_o
);
  localparam int unsigned NS = NSRC + 1;

  if (HINT != '0 && (NSRC != 3 || HINT != NSRC'(4))) begin : g_chk
    $error("ctx_source: the hint must be the last of three sources");
  end

  // ---- sources but 0 in turn: the first behind the one that entered last, else the first ----
  logic [NSRC-1:0] pick;
  localparam logic [NSRC-1:0] FIRST = 1;   // Yosys takes ~ before a cast for a part of its width
  if (HINT != '0) begin : g_hint
    logic waited_q;
    assign pick = {waited_q, !waited_q, 1'b0};
    always_ff @(posedge clk_i) waited_q <= rst_ni && look_valid_i[2] && !look_ready_o[2];
  end else begin : g_turns
    logic [NSRC-1:0] behind_q, behind, others, pick_behind, pick_any;
    assign others = look_valid_i & ~FIRST;
    assign behind = others & behind_q;
    assign pick   = behind != '0 ? pick_behind : pick_any;
    for (genvar g = 0; g < NSRC; g++) begin : g_pick
      localparam logic [NSRC-1:0] BELOW = NSRC'((1 << g) - 1);
      assign pick_behind[g] = behind[g] && (behind & BELOW) == '0;
      assign pick_any[g]    = others[g] && (others & BELOW) == '0;
    end
    for (genvar g = 0; g < NSRC; g++) begin : g_behind
      localparam logic [NSRC-1:0] BEFORE = NSRC'((1 << g) - 1), FROM = ~BEFORE;    // this one and those behind it
      always_ff @(posedge clk_i) begin
        if (!rst_ni) behind_q[g] <= 1'b0;
        else if ((look_ready_o & ~FIRST) != '0) behind_q[g] <= (look_ready_o & FROM) == '0;
      end
    end
  end

  // ---- source 0, the others, firmware ----
  logic       first_q, turn_q, last_q;   // source 0 had to wait; firmware's turn; a lookup has entered
  logic [3:0] age_q;
  assign look_ready_o = {NSRC{!hold_i && !turn_q}}
                        & (first_q ? FIRST : (HINT == '0 && (look_valid_i & ~FIRST) == '0) ? pick | FIRST : pick);
  assign fw_ready_o   = fw_valid_i && !last_q && !hold_i && (turn_q || (HINT == '0 && look_valid_i == '0));
  assign gnt_o        = {fw_ready_o, look_ready_o & look_valid_i};
  assign gnt_valid_o  = gnt_o != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      age_q   <= '0;
      first_q <= 1'b0;
      turn_q  <= 1'b0;
      last_q  <= 1'b0;
    end else begin
      first_q <= look_valid_i[0] && !look_ready_o[0];
      age_q   <= (fw_valid_i && !fw_ready_o) ? age_q + {3'h0, age_q != 4'hf} : '0;
      turn_q  <= !fw_ready_o && (age_q == 4'hf || (HINT != '0 && fw_valid_i && look_valid_i == '0));
      last_q  <= gnt_valid_o;
    end
  end

  // Each key is hashed while the choice is made. All its bits take part, so that strided keys spread.
  logic [NS*KEY_W-1:0] keys;
  logic [NS*SW-1:0]    sets;
  assign keys = {fw_key_i, look_key_i};
  if (SETS > 1) begin : g_hash
    always_comb begin
      sets = '0;
      for (int unsigned i = 0; i < NS; i++) begin
        for (int unsigned b = 0; b < KEY_W; b++) sets[i*SW + b % SW] = sets[i*SW + b % SW] ^ keys[i*KEY_W + b];
      end
    end
  end else begin : g_hash1
    assign sets = '0;
  end
  always_comb begin
    key_o = '0;
    set_o = '0;
    for (int unsigned i = 0; i < NS; i++) begin
      if (gnt_o[i]) key_o = key_o | keys[i*KEY_W +: KEY_W];
      if (gnt_o[i]) set_o = set_o | sets[i*SW +: SW];
    end
  end
endmodule
