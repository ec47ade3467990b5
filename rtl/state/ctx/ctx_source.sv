// SPDX-License-Identifier: Apache-2.0
// First stage of ctx_cache: chooses whose lookup enters, and hashes its key to a set.
//
// Order: source 0 first, then the others in turn: a source that is told to come again does so often, and by rank it
//   would keep those below from what was read for them. Firmware is last, but after 16 cycles of waiting it goes first
//   once.
// Combinational but for the turns. hold_i: no lookup enters. Errors: none.
module ctx_source #(
    parameter int unsigned NSRC  = 4,        // lookup sources, without firmware
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

  logic [NS-1:0]         req;
  logic                  turn_q;
  logic [3:0]            age_q;
  logic [NSRC-1:0]       pick;
  if (NSRC > 2) begin : g_turns
    logic [NSRC-2:0]         gnt;
    rr_arbiter #(.N(NSRC - 1)) u_rr (
        .clk_i, .rst_ni, .req_i(look_valid_i[NSRC-1:1]), .ack_i(look_ready_o[NSRC-1:1] != '0), .lock_i(1'b0),
        .gnt_valid_o(), .gnt_o(gnt), .gnt_idx_o());
    assign pick = {gnt, look_valid_i[0]};
  end else begin : g_rank
    assign pick = look_valid_i;
  end
  assign req = {fw_valid_i, pick & {NSRC{!(turn_q && fw_valid_i)}}} & {NS{!hold_i}};
  prio_enc_onehot #(.N(NS)) u_arb (.in_i(req), .valid_o(gnt_valid_o), .idx_o(), .onehot_o(gnt_o));
  assign look_ready_o = gnt_o[NSRC-1:0];
  assign fw_ready_o = gnt_o[NSRC];
  always_comb begin
    key_o = fw_key_i;
    for (int unsigned i = 0; i < NSRC; i++) begin
      if (gnt_o[i]) key_o = look_key_i[i*KEY_W +: KEY_W];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      age_q  <= '0;
      turn_q <= 1'b0;
    end else begin
      age_q  <= (fw_valid_i && !fw_ready_o) ? age_q + {3'h0, age_q != 4'hf} : '0;
      turn_q <= age_q == 4'hf;
    end
  end

  // All bits of the key take part, so that strided keys spread.
  if (SETS > 1) begin : g_hash
    always_comb begin
      set_o = '0;
      for (int unsigned b = 0; b < KEY_W; b++) set_o[b % SW] = set_o[b % SW] ^ key_o[b];
    end
  end else begin : g_hash1
    assign set_o = '0;
  end
endmodule
