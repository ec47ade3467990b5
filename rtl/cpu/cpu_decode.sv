// SPDX-License-Identifier: Apache-2.0
// Instruction decoder of the management core: combinational; RV32IM, Zicsr, Zifencei, machine mode.
// Everything that is not a defined instruction of that set is CL_ILLEGAL. CSR numbers are checked
// by cpu_csr, misalignment by cpu_core. Source: RISC-V unprivileged ISA 20191213, chapter 24.
module cpu_decode #(
  parameter int unsigned BARREL = 0   // a shift takes a cycle
) (
  input  logic [31:0]   instr_i,
  output cpu_pkg::ctl_t ctl_o
);
  // Opcodes (table 24.1)
  localparam logic [6:0] LUI = 7'b0110111, AUIPC = 7'b0010111, JAL = 7'b1101111, JALR = 7'b1100111,
      BRANCH = 7'b1100011, LOAD = 7'b0000011, STORE = 7'b0100011, OP_IMM = 7'b0010011, OP = 7'b0110011,
      MISC_MEM = 7'b0001111, SYSTEM = 7'b1110011;

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

  localparam cpu_pkg::class_e SHIFT = (BARREL != 0) ? cpu_pkg::CL_ALU : cpu_pkg::CL_MULDIV;

  // Which instruction it is
  cpu_pkg::class_e cls;
  always_comb begin
    cls = cpu_pkg::CL_ILLEGAL;
    case (instr_i[6:0])
      LUI:    cls = cpu_pkg::CL_ALU;
      AUIPC:  cls = cpu_pkg::CL_ALU;
      JAL:    cls = cpu_pkg::CL_JUMP;
      JALR:   if (f3 == 3'b000) cls = cpu_pkg::CL_JUMP;
      BRANCH: if (f3[2:1] != 2'b01) cls = cpu_pkg::CL_BRANCH;
      LOAD:   if (f3[1:0] != 2'b11 && f3 != 3'b110) cls = cpu_pkg::CL_LOAD;
      STORE:  if (!f3[2] && f3[1:0] != 2'b11) cls = cpu_pkg::CL_STORE;
      OP_IMM: begin
        case (f3)
          3'b001:  if (f7 == 7'b0000000) cls = SHIFT;
          3'b101:  if ((f7 & 7'b1011111) == 7'b0000000) cls = SHIFT;
          default: cls = cpu_pkg::CL_ALU;
        endcase
      end
      OP: begin
        if (f7 == 7'b0000000) cls = (f3[1:0] == 2'b01) ? SHIFT : cpu_pkg::CL_ALU;
        else if (f7 == 7'b0000001) cls = cpu_pkg::CL_MULDIV;
        else if (f7 == 7'b0100000 && f3 == 3'b000) cls = cpu_pkg::CL_ALU;
        else if (f7 == 7'b0100000 && f3 == 3'b101) cls = SHIFT;
      end
      MISC_MEM: if (f3[2:1] == 2'b00) cls = cpu_pkg::CL_FENCE;
      SYSTEM: begin
        if (f3[1:0] != 2'b00) begin
          cls = cpu_pkg::CL_CSR;
        end else begin
          case (instr_i)
            32'h0000_0073: cls = cpu_pkg::CL_ECALL;
            32'h0010_0073: cls = cpu_pkg::CL_EBREAK;
            32'h3020_0073: cls = cpu_pkg::CL_MRET;
            32'h1050_0073: cls = cpu_pkg::CL_WFI;
            default:       cls = cpu_pkg::CL_ILLEGAL;
          endcase
        end
      end
      default: cls = cpu_pkg::CL_ILLEGAL;
    endcase
  end

  // Its operands and where its result comes from
  always_comb begin
    ctl_o.cls      = cls;
    ctl_o.res      = cpu_pkg::RES_ALU;
    ctl_o.rd_we    = 1'b0;
    ctl_o.base_rs1 = 1'b0;
    ctl_o.funct3   = f3;
    ctl_o.no_rs1   = 1'b0;
    ctl_o.b_imm    = 1'b0;
    ctl_o.alt      = 1'b0;
    ctl_o.shift    = 1'b0;
    ctl_o.waits    = 1'b0;
    ctl_o.imm      = imm_i;
    case (instr_i[6:0])
      LUI: begin
        ctl_o.funct3 = 3'b000; ctl_o.no_rs1 = 1'b1; ctl_o.b_imm = 1'b1; ctl_o.imm = imm_u; ctl_o.rd_we = 1'b1;
      end
      AUIPC: begin ctl_o.res = cpu_pkg::RES_ADDR; ctl_o.imm = imm_u; ctl_o.rd_we = 1'b1; end
      JAL:   begin ctl_o.res = cpu_pkg::RES_LINK; ctl_o.imm = imm_j; ctl_o.rd_we = 1'b1; end
      JALR: if (f3 == 3'b000) begin
        ctl_o.res = cpu_pkg::RES_LINK; ctl_o.base_rs1 = 1'b1; ctl_o.rd_we = 1'b1;
      end
      BRANCH: begin ctl_o.imm = imm_b; ctl_o.alt = 1'b1; end
      LOAD:   begin ctl_o.base_rs1 = 1'b1; ctl_o.rd_we = 1'b1; end
      STORE:  begin ctl_o.base_rs1 = 1'b1; ctl_o.imm = imm_s; end
      OP_IMM: begin
        ctl_o.b_imm = 1'b1;
        ctl_o.rd_we = 1'b1;
        ctl_o.alt   = f3[2:1] == 2'b01 || (f3 == 3'b101 && instr_i[30]);
        ctl_o.shift = BARREL == 0 && f3[1:0] == 2'b01;
      end
      OP: begin
        ctl_o.rd_we = 1'b1;
        ctl_o.alt   = f3[2:1] == 2'b01 || instr_i[30];
        ctl_o.shift = BARREL == 0 && f3[1:0] == 2'b01 && !instr_i[25];
      end
      MISC_MEM: ctl_o.waits = 1'b1;   // one hart, no cache: a fence has nothing to do
      SYSTEM: begin
        ctl_o.waits = 1'b1;
        if (f3[1:0] != 2'b00) ctl_o.rd_we = 1'b1;
      end
      default: ;
    endcase
    if (instr_i[11:7] == 5'd0) ctl_o.rd_we = 1'b0;
  end
endmodule
