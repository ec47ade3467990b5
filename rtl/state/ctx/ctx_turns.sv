// SPDX-License-Identifier: Apache-2.0
// Turns of N readers at RAMs that they share.
//
// A reader holds its slot with `asks` until its `ok`, a strobe. In that cycle and in the next one the data is there,
// read with nothing written to the slot in the cycles of the read. A word is read in two halves (half_o); the user
// keeps the first one. One of TWO has two words; the user keeps the first of them too (kept_o). A reader whose request
// goes away has an `ok` that nobody looks at.
// Order: in turn. Cycles: a turn each 3 cycles, 5 of TWO; ok comes 3 (5) cycles after a request that finds nobody.
// A read that meets a write of its slot (clash_i, of first_o and main_o) begins again.
// Errors: none.
module ctx_turns #(
    parameter int unsigned N  = 4,
    parameter int unsigned TWO = 0,      // which have two words, by bit
    parameter int unsigned AW = 7
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [N-1:0]    asks_i,
    input  logic [N*AW-1:0] slots_i,
    output logic [N-1:0]    who_o,       // whose turn it is, from first_o or main_o to ok_o; stays
    output logic [AW-1:0]   slot_o,
    output logic            first_o,     // the first word of two is read
    output logic            kept_o,      // it is there, for the last time
    output logic            main_o,      // the word of one is read, or the second
    output logic            half_o,      // its second half
    input  logic            clash_i,
    output logic [N-1:0]    ok_o
);
  typedef enum logic [1:0] {T_IDLE, T_FIRST, T_MAIN, T_OK} state_e;
  state_e        state_q;
  logic [N-1:0]  may, gnt;
  logic          any, free, two;
  logic [AW-1:0] slot;
  assign free = state_q == T_IDLE || state_q == T_OK;
  assign may  = asks_i & ~ok_o;
  assign two  = (who_o & N'(TWO)) != '0;
  assign any  = may != '0;
  rr_pick #(.N(N)) u_pick (.req_i(may), .last_i(who_o), .gnt_o(gnt), .gnt_idx_o());
  always_comb begin
    slot = '0;
    for (int unsigned i = 0; i < N; i++) slot = slot | (slots_i[i*AW +: AW] & {AW{gnt[i]}});
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= T_IDLE;
      half_o  <= 1'b0;
    end else begin
      half_o <= !free && !clash_i && !half_o;
      case (state_q)
        T_FIRST: if (!clash_i && half_o) state_q <= T_MAIN;
        T_MAIN:  state_q <= (clash_i && two) ? T_FIRST : (!clash_i && half_o) ? T_OK : T_MAIN;
        default: state_q <= !any ? T_IDLE : (gnt & N'(TWO)) != '0 ? T_FIRST : T_MAIN;
      endcase
    end
    if (!rst_ni) who_o <= '0;
    else if (free && any) who_o <= gnt;
    if (free) slot_o <= slot;
  end
  assign first_o = state_q == T_FIRST;
  assign main_o  = state_q == T_MAIN;
  assign kept_o  = main_o && two && !half_o;
  assign ok_o    = {N{state_q == T_OK}} & who_o;
endmodule
