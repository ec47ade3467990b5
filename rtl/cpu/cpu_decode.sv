// SPDX-License-Identifier: Apache-2.0
// Instruction decoder of the management core: combinational; RV32IM, Zicsr, Zifencei, machine mode.
// Everything that is not a defined instruction of that set is CL_ILLEGAL. CSR numbers are checked
// by cpu_csr, misalignment by cpu_core. Source: RISC-V unprivileged ISA 20191213, chapter 24.
module cpu_decode (
  input  logic [31:0]   instr_i,
  output cpu_pkg::ctl_t ctl_o
);
  logic [6:0] f7;
  logic [2:0] f3;
  logic [31:0] imm_i, imm_s, imm_b, imm_u, imm_j;

  assign f7 = instr_i[31:25];
  assign f3 = instr_i[14:12];
  assign imm_i = {{20{instr_i[31]}}, instr_i[31:20]};
  assign imm_s = {{20{instr_i[31]}}, instr_i[31:25], instr_i[11:7]};
  assign imm_b = {{20{instr_i[31]}}, instr_i[7], instr_i[30:25], instr_i[11:8], 1'b0};
  assign imm_u = {instr_i[31:12], 12'b0};
  assign imm_j = {{12{instr_i[31]}}, instr_i[19:12], instr_i[20], instr_i[30:21], 1'b0};

  always_comb begin
    ctl_o.cls      = cpu_pkg::CL_ILLEGAL;
    ctl_o.res      = cpu_pkg::RES_ALU;
    ctl_o.rd_we    = 1'b0;
    ctl_o.base_rs1 = 1'b0;
    ctl_o.b_imm    = 1'b0;
    ctl_o.alt      = 1'b0;
    ctl_o.waits    = 1'b0;
    ctl_o.imm      = imm_i;
    case (instr_i[6:0])
      7'b0110111: begin  // LUI
        ctl_o.cls = cpu_pkg::CL_ALU; ctl_o.res = cpu_pkg::RES_IMM;
        ctl_o.imm = imm_u; ctl_o.rd_we = 1'b1;
      end
      7'b0010111: begin  // AUIPC
        ctl_o.cls = cpu_pkg::CL_ALU; ctl_o.res = cpu_pkg::RES_ADDR;
        ctl_o.imm = imm_u; ctl_o.rd_we = 1'b1;
      end
      7'b1101111: begin  // JAL
        ctl_o.cls = cpu_pkg::CL_JUMP; ctl_o.res = cpu_pkg::RES_LINK;
        ctl_o.imm = imm_j; ctl_o.rd_we = 1'b1;
      end
      7'b1100111: if (f3 == 3'b000) begin  // JALR
        ctl_o.cls = cpu_pkg::CL_JUMP; ctl_o.res = cpu_pkg::RES_LINK;
        ctl_o.base_rs1 = 1'b1; ctl_o.rd_we = 1'b1;
      end
      7'b1100011: begin
        ctl_o.imm = imm_b;
        if (f3[2:1] != 2'b01) ctl_o.cls = cpu_pkg::CL_BRANCH;
      end
      7'b0000011: begin
        ctl_o.base_rs1 = 1'b1; ctl_o.rd_we = 1'b1;
        if (f3[1:0] != 2'b11 && f3 != 3'b110) ctl_o.cls = cpu_pkg::CL_LOAD;
      end
      7'b0100011: begin
        ctl_o.base_rs1 = 1'b1; ctl_o.imm = imm_s;
        if (!f3[2] && f3[1:0] != 2'b11) ctl_o.cls = cpu_pkg::CL_STORE;
      end
      7'b0010011: begin
        ctl_o.b_imm = 1'b1; ctl_o.rd_we = 1'b1;
        ctl_o.alt = f3 == 3'b101 && instr_i[30];
        case (f3)
          3'b001:  if (f7 == 7'b0000000) ctl_o.cls = cpu_pkg::CL_ALU;
          3'b101:  if ((f7 & 7'b1011111) == 7'b0000000) ctl_o.cls = cpu_pkg::CL_ALU;
          default: ctl_o.cls = cpu_pkg::CL_ALU;
        endcase
      end
      7'b0110011: begin
        ctl_o.rd_we = 1'b1;
        ctl_o.alt = instr_i[30];
        if (f7 == 7'b0000000) ctl_o.cls = cpu_pkg::CL_ALU;
        else if (f7 == 7'b0000001) ctl_o.cls = cpu_pkg::CL_MULDIV;
        else if (f7 == 7'b0100000 && (f3 == 3'b000 || f3 == 3'b101)) ctl_o.cls = cpu_pkg::CL_ALU;
      end
      // FENCE, FENCE.I: one hart, no cache, nothing to do
      7'b0001111: begin
        ctl_o.waits = 1'b1;
        if (f3[2:1] == 2'b00) ctl_o.cls = cpu_pkg::CL_FENCE;
      end
      7'b1110011: begin
        ctl_o.waits = 1'b1;
        if (f3[1:0] != 2'b00) begin
          ctl_o.cls = cpu_pkg::CL_CSR; ctl_o.res = cpu_pkg::RES_CSR; ctl_o.rd_we = 1'b1;
        end else begin
          case (instr_i)
            32'h0000_0073: ctl_o.cls = cpu_pkg::CL_ECALL;
            32'h0010_0073: ctl_o.cls = cpu_pkg::CL_EBREAK;
            32'h3020_0073: ctl_o.cls = cpu_pkg::CL_MRET;
            32'h1050_0073: ctl_o.cls = cpu_pkg::CL_WFI;
            default:       ctl_o.cls = cpu_pkg::CL_ILLEGAL;
          endcase
        end
      end
      default: ctl_o.cls = cpu_pkg::CL_ILLEGAL;
    endcase
    if (instr_i[11:7] == 5'd0) ctl_o.rd_we = 1'b0;
  end
endmodule
