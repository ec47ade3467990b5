// SPDX-License-Identifier: Apache-2.0
// Pin counts of cache slots.
//
// One counter that only the lookup raises and one for each releasing module, each a LUT RAM with one writer, so any
// number of modules may release in the same cycle. A slot is pinned while up differs from the sum of downs (modulo
// 2^CNT_W; at most 2^CNT_W - 1 pins of a slot may be out). The count is combinational from the slot asked for. Before
// use the owner clears every slot.
module ctx_pins #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned NPIN  = 6,
    parameter int unsigned CNT_W = 10
) (
    input  logic                            clk_i,
    input  logic                            init_i,
    input  logic [$clog2(SLOTS)-1:0]        init_slot_i,
    input  logic                            inc_valid_i,
    input  logic [$clog2(SLOTS)-1:0]        inc_slot_i,
    input  logic [NPIN-1:0]                 dec_valid_i,
    input  logic [NPIN*$clog2(SLOTS)-1:0]   dec_slot_i,
    input  logic [$clog2(SLOTS)-1:0]        q_slot_i,
    output logic [CNT_W-1:0]                q_count_o
);
  localparam int unsigned AW = $clog2(SLOTS);

  logic [CNT_W-1:0]      up [0:SLOTS-1];
  logic [NPIN*CNT_W-1:0] down;   // counts at q_slot_i
  logic [CNT_W-1:0]      sum;

  always_ff @(posedge clk_i) begin
    if (init_i) up[init_slot_i] <= '0;
    else if (inc_valid_i) up[inc_slot_i] <= up[inc_slot_i] + 1'b1;
  end

  for (genvar g = 0; g < NPIN; g++) begin : g_down
    logic [CNT_W-1:0] dn [0:SLOTS-1];
    logic [AW-1:0]    slot;
    assign slot = dec_slot_i[g*AW +: AW];
    always_ff @(posedge clk_i) begin
      if (init_i) dn[init_slot_i] <= '0;
      else if (dec_valid_i[g]) dn[slot] <= dn[slot] + 1'b1;
    end
    assign down[g*CNT_W +: CNT_W] = dn[q_slot_i];
  end

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < NPIN; i++) sum = sum + down[i*CNT_W +: CNT_W];
  end
  assign q_count_o = up[q_slot_i] - sum;
endmodule
