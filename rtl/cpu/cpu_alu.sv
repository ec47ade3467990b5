// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the management core. ALU and branch condition are combinational. Multiply (three
// cycles, a pipelined 33 x 33 product that maps to DSP blocks), shift (a product with a power of two)
// and divide (37 cycles, one quotient bit a cycle) start with md_start_i and raise md_done_o for one
// cycle with md_result_o.
// Division by zero and overflow give what RISC-V unprivileged ISA 7.2 demands; nothing traps.
// BARREL: shifts are combinational as well.
module cpu_alu #(
  parameter int unsigned BARREL = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [31:0] imm_i,
  input  logic [2:0]  funct3_i,
  input  logic        b_imm_i,     // second operand is imm_i
  input  logic        alt_i,       // SUB, SLT, branches: rs1 minus the operand; SRA
  output logic [31:0] result_o,    // of shifts with BARREL only
  output logic        taken_o,     // condition of the branch funct3_i on rs1, rs2
  input  logic        md_start_i,
  input  logic        md_shift_i,  // it is a shift
  output logic        md_done_o,
  output logic [31:0] md_result_o
);
  logic [4:0] amount;      // of a shift
  assign amount = b_imm_i ? imm_i[4:0] : rs2_i[4:0];

  // One adder: b is the operand, or its complement with a carry in.
  logic [31:0] b, sum;
  logic        carry, lt, ltu, unused_low;
  assign b = (b_imm_i ? imm_i : rs2_i) ^ {32{alt_i}};
  assign {carry, sum, unused_low} = {1'b0, rs1_i, 1'b1} + {1'b0, b, alt_i};
  assign ltu = !carry;
  assign lt  = (rs1_i[31] == b[31]) ? rs1_i[31] : ltu;

  // Without BARREL nobody looks at what a shift gives here.
  logic [31:0] left, right;
  if (BARREL != 0) begin : g_barrel
    assign left  = rs1_i << amount;
    assign right = 32'($signed({alt_i & rs1_i[31], rs1_i}) >>> amount);
  end else begin : g_no_barrel
    assign left  = sum;
    assign right = sum;
  end

  always_comb begin
    case (funct3_i)
      3'b001:  result_o = left;
      3'b101:  result_o = right;
      3'b010:  result_o = {31'b0, lt};
      3'b011:  result_o = {31'b0, ltu};
      3'b100:  result_o = rs1_i ^ b;
      3'b110:  result_o = rs1_i | b;
      3'b111:  result_o = rs1_i & b;
      default: result_o = sum;
    endcase
    case (funct3_i[2:1])
      2'b00:   taken_o = funct3_i[0] ^ ((rs1_i ^ b) == '1);
      2'b10:   taken_o = funct3_i[0] ^ lt;
      default: taken_o = funct3_i[0] ^ ltu;
    endcase
  end

  // Multiply and divide. opa_q holds the multiplicand; or the dividend, the quotient that is shifted in behind it, and
  // in the end the result. One negator, for the dividend, before, and for the result, behind; what is taken from the
  // remainder is the divisor as it is, with its sign turned if it is positive.
  logic signed [32:0] opa_q, opb_q;
  logic signed [63:0] prod_q;
  logic [31:0] rem_q, negated;
  logic [32:0] rem_sh, rem_diff;
  logic [5:0]  cnt_q;      // of a division: FIRST, one for each bit, REST, SIGN
  logic [2:0]  op_q;
  logic        busy_q, neg_quo_q;
  logic        a_neg, b_neg, neg, unused_bit;
  localparam logic [5:0] FIRST = 6'd35, REST = 6'd2, SIGN = 6'd1;

  // To the left by n: times 2^n. To the right: times 2^(32-n), the upper half, or all of it if n is 0.
  logic [4:0] power;
  logic       low;
  assign low    = !funct3_i[2] || amount == 5'd0;
  assign power  = low ? amount : -amount;

  // MULH 1: both signed, MULHSU 2: rs1 signed, DIV 4 and REM 6: both signed.
  assign a_neg = rs1_i[31] && (funct3_i[2] ? !funct3_i[0] : funct3_i[1:0] != 2'b11);
  assign b_neg = rs2_i[31] && (funct3_i[2] ? !funct3_i[0] : !funct3_i[1]);

  assign rem_sh  = {rem_q, opa_q[31]};
  assign {rem_diff, unused_bit} = {rem_sh, 1'b1} + {opb_q ^ {33{!opb_q[32]}}, !opb_q[32]};
  assign negated = -opa_q[31:0];
  // The remainder has the sign of the dividend.
  assign neg     = (op_q[1] || cnt_q == FIRST) ? opa_q[32] : neg_quo_q;

  always_ff @(posedge clk_i) begin
    prod_q <= opa_q * opb_q;
    if (md_start_i) begin
      op_q      <= md_shift_i ? {2'b00, !low} : funct3_i;
      rem_q     <= 32'd0;
      neg_quo_q <= (a_neg != b_neg) && rs2_i != 32'd0;
      opa_q     <= {md_shift_i ? alt_i && rs1_i[31] : a_neg, rs1_i};
      opb_q     <= md_shift_i ? 33'd1 << power : {b_neg, rs2_i};
    end else if (busy_q && op_q[2]) begin
      if (cnt_q == FIRST || cnt_q == SIGN) begin
        if (neg) opa_q[31:0] <= negated;
      end else if (cnt_q == REST) begin
        if (op_q[1]) opa_q[31:0] <= rem_q;
      end else if (cnt_q != 6'd0) begin
        rem_q       <= rem_diff[32] ? rem_sh[31:0] : rem_diff[31:0];
        opa_q[31:0] <= {opa_q[30:0], !rem_diff[32]};
      end
    end
    if (!rst_ni) begin
      busy_q <= 1'b0;
      cnt_q  <= 6'd0;
    end else if (md_start_i) begin
      busy_q <= 1'b1;
      cnt_q  <= (funct3_i[2] && !md_shift_i) ? FIRST : 6'd1;
    end else if (busy_q) begin
      if (cnt_q == 6'd0) busy_q <= 1'b0;
      else cnt_q <= cnt_q - 6'd1;
    end
  end

  assign md_done_o = busy_q && cnt_q == 6'd0;
  always_comb begin
    if (op_q[2]) md_result_o = opa_q[31:0];
    else md_result_o = (op_q[1:0] == 2'b00) ? prod_q[31:0] : prod_q[63:32];
  end
endmodule
