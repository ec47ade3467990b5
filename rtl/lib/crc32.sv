// SPDX-License-Identifier: Apache-2.0
// CRC-32 of the ICRC over packets on a wide stream, one beat a cycle.
//
// IBTA 7.8.1; IEEE 802.3 polynomial, reflected. One packet a beat at best, results in order, no back-pressure.
// The CRC is linear, so only whole beats are processed:
// - Bytes outside the coverage (before it in the first beats, behind it in the last) arrive as zeros.
// - LEADS lists the possible numbers of zero bytes before the coverage, from byte 0 of the beat marked first; in_lead_i
//   (with first) picks one. The initial state is a constant moved back over them.
// - TAIL_BASE + in_tail_i * TAIL_UNIT (with last) zero bytes follow the coverage up to the end of the last beat. A
//   ladder of constant matrices, two bits a step, moves the state back over them. A RoCE v2 packet at the start of a
//   beat ends its coverage two bytes past a multiple of four: TAIL_UNIT = 4 and TAIL_BASE = 2 save a step.
// - INIT is the state before the coverage: 0xDEBB20E3 follows the eight 0xFF bytes that stand for the LRH in RoCE v2.
//   out_crc_o has the final inversion; its byte 0 goes on the wire first.
// Checking: leave the packet's ICRC inside the coverage; out_ok_o is the verdict. CHECK = 1 compares with a table
//   instead of the ladder: far smaller, out_crc_o is 0.
// Cycles: from the beat with last to out_valid_o, with en_i high: 3 and one for each two bits of the tail, or 4 with
//   CHECK.
// Errors: none. A packet that last does not end is forgotten at the next first.
module crc32 #(
    parameter int unsigned           DATA_W    = 512,
    parameter int unsigned           N_LEAD    = 2,
    parameter logic [8*N_LEAD-1:0]   LEADS     = {8'd18, 8'd14},      // bytes, entry 0 lowest
    parameter int unsigned           TAIL_UNIT = 1,
    parameter int unsigned           TAIL_BASE = 0,
    parameter int unsigned           TAIL_W    = $clog2(DATA_W / 8),
    parameter logic [31:0]           INIT      = 32'hDEBB_20E3,
    parameter int unsigned           CHECK     = 0
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    input  logic                                         en_i,       // clock enable of everything
    input  logic                                         in_valid_i,
    input  logic                                         in_first_i,
    input  logic                                         in_last_i,
    input  logic [DATA_W-1:0]                            in_data_i,  // byte 0 in [7:0]
    input  logic [(N_LEAD > 1 ? $clog2(N_LEAD) : 1)-1:0] in_lead_i,
    input  logic [TAIL_W-1:0]                            in_tail_i,
    output logic                                         out_valid_o,
    output logic [31:0]                                  out_crc_o,
    output logic                                         out_ok_o
);
  localparam int unsigned BYTES   = DATA_W / 8;
  localparam int unsigned CHUNK_W = 64;  // data bits per first XOR stage: about 32 terms per output bit
  localparam int unsigned CHUNKS  = DATA_W / CHUNK_W;
  localparam int unsigned LEAD_W  = (N_LEAD > 1) ? $clog2(N_LEAD) : 1;
  // State after data that ends with its own CRC, before the final inversion (IEEE 802.3 residue).
  localparam logic [31:0] RESIDUE = 32'hDEBB_20E3;

  if (DATA_W == 0 || DATA_W % CHUNK_W != 0) begin : g_chk_data
    $error("crc32: DATA_W must be a multiple of 64");
  end
  if (N_LEAD == 0 || TAIL_W == 0 || TAIL_UNIT == 0) begin : g_chk_zero
    $error("crc32: N_LEAD, TAIL_W and TAIL_UNIT must not be zero");
  end

  function automatic logic [31:0] move(input logic [31:0] state, input int bits);
    move = state;
    for (int i = 0; i < bits; i++) move = {1'b0, move[31:1]} ^ (move[0] ? 32'hEDB8_8320 : 32'h0);
    for (int i = 0; i > bits; i--) begin
      move = move[31] ? ({move[30:0], 1'b0} ^ 32'hDB71_0641) : {move[30:0], 1'b0};
    end
  endfunction

  // What the first beat adds to its state: INIT moved back over the lead and on over the beat. (Everything
  // that is ever added is moved back over TAIL_BASE bytes, so that the ladder need not do it.)
  function automatic logic [32*N_LEAD-1:0] lead_table();
    for (int i = 0; i < N_LEAD; i++) begin
      lead_table[32*i +: 32] = move(INIT, 8 * (BYTES - 32'(LEADS[8*i +: 8]) - TAIL_BASE));
    end
  endfunction

  localparam logic [32*N_LEAD-1:0] LEAD_ADD = lead_table();

  // The residue moved over every possible tail.
  function automatic logic [32*(1<<TAIL_W)-1:0] residues();
    logic [31:0] state;
    state = RESIDUE;
    for (int t = 0; t < (1 << TAIL_W); t++) begin
      residues[32*t +: 32] = state;
      state = move(state, 8 * TAIL_UNIT);
    end
  endfunction

  // Stage 1: each chunk's share of the beat's contribution. Stage 2: their sum, and the start value.
  logic [32*CHUNKS-1:0] share;
  logic [32*CHUNKS-1:0] share1_q;
  logic [31:0]          lead_add1_q, sum1, sum2_q;
  logic                 valid1_q, first1_q, last1_q, valid2_q, first2_q, last2_q;
  logic [TAIL_W-1:0]    tail1_q, tail2_q, tail3_q;

  for (genvar g = 0; g < CHUNKS; g++) begin : g_chunk
    crc32_mul #(.IN_W(CHUNK_W), .POW(32 + CHUNK_W * (CHUNKS - 1 - g) - 8 * TAIL_BASE)) u_mul (
        .x_i(in_data_i[g*CHUNK_W +: CHUNK_W]), .y_o(share[32*g +: 32]));
  end

  always_comb begin
    sum1 = lead_add1_q;
    for (int unsigned i = 0; i < CHUNKS; i++) sum1 = sum1 ^ share1_q[32*i +: 32];
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      share1_q    <= share;
      lead_add1_q <= '0;
      for (int unsigned i = 0; i < N_LEAD; i++) begin
        if (in_first_i && in_lead_i == LEAD_W'(i)) lead_add1_q <= LEAD_ADD[32*i +: 32];
      end
      first1_q <= in_first_i;
      last1_q  <= in_last_i;
      tail1_q  <= in_tail_i;
      sum2_q   <= sum1;
      first2_q <= first1_q;
      last2_q  <= last1_q;
      tail2_q  <= tail1_q;
      tail3_q  <= tail2_q;
    end
  end

  // Stage 3: the only loop: one constant 32 x 32 matrix.
  logic [31:0] state3_q, moved;
  logic        done3_q;

  crc32_mul #(.IN_W(32), .POW(DATA_W)) u_loop (.x_i(state3_q), .y_o(moved));

  always_ff @(posedge clk_i) begin
    if (en_i && valid2_q) state3_q <= sum2_q ^ (first2_q ? 32'h0 : moved);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      done3_q  <= 1'b0;
    end else if (en_i) begin
      valid1_q <= in_valid_i;
      valid2_q <= valid1_q;
      done3_q  <= valid2_q && last2_q;
    end
  end

  if (CHECK == 0) begin : g_ladder
    // Stage 4 + k: bits 2k and 2k + 1 of the tail move the state back over TAIL_UNIT * 4^k bytes, so many times.
    localparam int unsigned STEPS = (TAIL_W + 1) / 2;
    logic [32*(STEPS+1)-1:0]     state;
    logic [TAIL_W*(STEPS+1)-1:0] tail;
    logic [STEPS:0]              done;

    assign state[31:0]      = state3_q;
    assign tail[TAIL_W-1:0] = tail3_q;
    assign done[0]          = done3_q;

    for (genvar g = 0; g < STEPS; g++) begin : g_step
      localparam int unsigned BITS = (TAIL_W - 2 * g > 1) ? 2 : 1;
      logic [32*(1<<BITS)-1:0] backs;  // moved 0, 1, 2 and 3 times
      logic [31:0]             back, state_q;
      logic [BITS-1:0]         times;
      logic [TAIL_W-1:0]       tail_q;
      logic                    done_q;
      assign times       = tail[TAIL_W*g + 2*g +: BITS];
      assign backs[31:0] = state[32*g +: 32];
      for (genvar k = 1; k < (1 << BITS); k++) begin : g_times
        crc32_mul #(.IN_W(32), .POW(-8 * TAIL_UNIT * k * (1 << (2 * g)))) u_back (
            .x_i(state[32*g +: 32]), .y_o(backs[32*k +: 32]));
      end
      always_comb begin
        back = backs[31:0];
        for (int unsigned k = 1; k < (1 << BITS); k++) begin
          if (times == BITS'(k)) back = backs[32*k +: 32];
        end
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) done_q <= 1'b0;
        else if (en_i) done_q <= done[g];
      end
      always_ff @(posedge clk_i) begin
        if (en_i) begin
          state_q <= back;
          tail_q  <= tail[TAIL_W*g +: TAIL_W];
        end
      end
      assign state[32*(g+1) +: 32]        = state_q;
      assign tail[TAIL_W*(g+1) +: TAIL_W] = tail_q;
      assign done[g+1]                    = done_q;
    end

    logic unused;
    assign unused      = ^tail[TAIL_W*STEPS +: TAIL_W];
    assign out_valid_o = done[STEPS];
    assign out_crc_o   = ~state[32*STEPS +: 32];
    assign out_ok_o    = state[32*STEPS +: 32] == RESIDUE;
  end else begin : g_check
    // Beside stage 3: the residue moved over the tail. Stage 4: verdict.
    localparam logic [32*(1<<TAIL_W)-1:0] WANT = residues();

    logic [31:0] want3_q;
    logic        done4_q, ok4_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) done4_q <= 1'b0;
      else if (en_i) done4_q <= done3_q;
    end
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        want3_q <= WANT[32*tail2_q +: 32];
        ok4_q   <= state3_q == want3_q;
      end
    end
    logic unused;
    assign unused      = ^tail3_q;
    assign out_valid_o = done4_q;
    assign out_crc_o   = '0;
    assign out_ok_o    = ok4_q;
  end
endmodule
