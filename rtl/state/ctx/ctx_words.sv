// SPDX-License-Identifier: Apache-2.0
// A record between firmware's port, which moves words of 32 bits, and who keeps it whole: a shift register.
//
// step_i for 16 cycles is a pass, first word first: each is merged with what the port shows (ctx_op: bits of mask from
//   data; with keep_i it stays as it is), and put back. Behind it record_o is the merged record.
// WORDS: those that are kept; behind them zero is put. Load, and a pass, at different times.
// Cycles: a word each. Errors: none.
module ctx_words #(
    parameter int unsigned WORDS = 16
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     load_i,
    input  logic [32*WORDS-1:0]      record_i,
    input  logic                     step_i,
    input  logic                     keep_i,
    input  logic [31:0]              data_i,
    input  logic [31:0]              mask_i,
    output logic                     last_o,       // of 16
    output cairn_int_pkg::ctx_done_t done_o,       // word, put and data of it
    output logic [32*WORDS-1:0]      record_o
);
  if (WORDS < 2 || WORDS > 16) begin : g_chk
    $error("ctx_words: WORDS must be 2 to 16");
  end
  logic [3:0]          at_q;
  logic [31:0]         now;
  logic                kept;
  logic [32*WORDS-1:0] record_q;
  assign kept = WORDS == 16 || at_q < 4'(WORDS);
  for (genvar i = 0; i < 32; i++) begin : g_bit
    assign now[i] = (mask_i[i] && !keep_i) ? data_i[i] : record_q[i];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else at_q <= at_q + 4'(step_i);
    if (load_i || (step_i && kept)) record_q <= step_i ? {now, record_q[32*WORDS-1:32]} : record_i;
  end
  always_comb begin
    done_o      = '0;
    done_o.word = at_q + 4'(step_i);             // shown in the next cycle
    done_o.put  = step_i;
    done_o.data = (step_i && kept) ? now : '0;
  end
  assign last_o   = at_q == 4'hf;
  assign record_o = record_q;
endmodule
