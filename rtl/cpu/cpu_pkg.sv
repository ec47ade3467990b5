// SPDX-License-Identifier: Apache-2.0
// Types and constants shared by the modules of the management core: the decoded instruction and the
// exception codes of the RISC-V privileged specification 3.1.15. Addresses are in rtl/hw/hw.def.
package cpu_pkg;
  // What the execute state writes to rd.
  typedef enum logic [1:0] { RES_ALU, RES_ADDR, RES_LINK } res_e;

  // Instruction class: decides the path through the state machine.
  typedef enum logic [3:0] {
    CL_ILLEGAL, CL_ALU, CL_MULDIV, CL_BRANCH, CL_JUMP, CL_LOAD, CL_STORE,
    CL_CSR, CL_ECALL, CL_EBREAK, CL_MRET, CL_WFI, CL_FENCE
  } class_e;

  typedef struct packed {
    class_e      cls;
    res_e        res;
    logic        rd_we;      // writes rd, and rd is not x0
    logic        base_rs1;   // address adder: rs1 + imm, otherwise pc + imm
    logic [2:0]  funct3;     // of the ALU
    logic        no_rs1;     // LUI: the first ALU operand is zero
    logic        b_imm;      // second ALU operand is the immediate
    logic        alt;        // see cpu_alu
    logic        shift;      // of CL_MULDIV
    logic        waits;      // begins when no access is under way
    logic [31:0] imm;
  } ctl_t;

  localparam logic [4:0] EXC_INSTR_MISALIGNED = 5'd0;
  localparam logic [4:0] EXC_INSTR_FAULT      = 5'd1;
  localparam logic [4:0] EXC_ILLEGAL          = 5'd2;
  localparam logic [4:0] EXC_BREAKPOINT       = 5'd3;
  localparam logic [4:0] EXC_LOAD_MISALIGNED  = 5'd4;
  localparam logic [4:0] EXC_LOAD_FAULT       = 5'd5;
  localparam logic [4:0] EXC_STORE_MISALIGNED = 5'd6;
  localparam logic [4:0] EXC_STORE_FAULT      = 5'd7;
  localparam logic [4:0] EXC_ECALL_M          = 5'd11;
  localparam logic [4:0] IRQ_TIMER            = 5'd7;
endpackage
