// SPDX-License-Identifier: Apache-2.0
// The management core: RV32IM, machine mode, one instruction at a time, precise traps.
//
// FETCH -> DECODE -> EXEC -+-> (DECODE of pc + 4, fetched during EXEC)  ALU, CSR read           2
//                          +-> FETCH of the target                      jump, taken branch, MRET 3
//                          +-> CSR -> DECODE                            CSR write                3
//                          +-> MEM -> DECODE                            store                    3
//                          +-> MEM -> WB -> DECODE                      load                     4
//                          +-> MULDIV .. -> DECODE                      multiply 4, divide       35
//                          +-> WFI .. -> DECODE                         sleeps until wake
// any of DECODE, EXEC, MEM -> TRAP -> FETCH of mtvec, or FATAL on a double trap (until reset)
//
// Memory port: mem_valid_o with its address holds until mem_ready_i or mem_fault_i (same cycle as
// valid at the earliest); the data of a read is on mem_instr_i (fetch) or mem_rdata_i (load) in the
// cycle after ready, and mem_instr_i stays until the next read of the RAM.
// A fault never changes memory and becomes an access fault of the instruction.
// retire_*: one pulse for each completed instruction, in order; an instruction that traps has none.
module cpu_core #(
  parameter logic [31:0] RESET_PC = 32'h0000_0000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] time_now_i,
  input  logic [15:0] irq_i,
  input  logic        irq_timer_i,
  output logic        mem_valid_o,
  output logic        mem_fetch_o,
  output logic        mem_we_o,
  output logic [31:2] mem_addr_o,
  output logic [3:0]  mem_wstrb_o,
  output logic [31:0] mem_wdata_o,
  input  logic        mem_ready_i,
  input  logic        mem_fault_i,
  input  logic [31:0] mem_instr_i,
  input  logic [31:0] mem_rdata_i,
  output logic        wfi_idle_o,     // in WFI, nothing pending, nothing about to be
  output logic        timer_en_o,     // mie.MTIE
  output logic        fatal_o,
  output logic [31:0] fatal_pc_o,
  output logic [5:0]  fatal_cause_o,  // {interrupt, code}
  output logic        retire_valid_o,
  output logic [31:0] retire_pc_o,
  output logic        retire_rd_we_o,
  output logic [4:0]  retire_rd_o,
  output logic [31:0] retire_wdata_o
);
  typedef enum logic [3:0] {
    S_FETCH, S_DECODE, S_EXEC, S_CSR, S_MEM, S_WB, S_MULDIV, S_WFI, S_TRAP, S_FATAL
  } state_e;

  state_e          state_q, state_d, next;
  cpu_pkg::ctl_t   ctl, ctl_q;
  logic [31:0] pc_q, pc_d, pc4_q, next_pc, instr_q;
  logic [31:0] val_q, val_d;             // data address, value for a CSR, or the mtval of a trap
  logic [4:0]  cause_q, cause_d;
  logic        cause_irq_q, cause_irq_d, fetch_fault_q;
  logic [2:0]  f3;

  assign f3 = instr_q[14:12];
  cpu_decode u_decode (.instr_i(mem_instr_i), .ctl_o(ctl));

  // Register file: read in DECODE only, so never in the cycle of a write.
  logic [31:0] rf_rs1, rf_rs2, rs1, rs2, rd_wdata;
  logic        rs1_nz_q, rs2_nz_q, rf_we;
  ram_2r1w #(.WIDTH(32), .DEPTH(32)) u_regs (
    .clk_i, .we_i(rf_we), .waddr_i(instr_q[11:7]), .wdata_i(rd_wdata),
    .re0_i(state_q == S_DECODE), .raddr0_i(mem_instr_i[19:15]), .rdata0_o(rf_rs1),
    .re1_i(state_q == S_DECODE), .raddr1_i(mem_instr_i[24:20]), .rdata1_o(rf_rs2)
  );
  assign rs1 = rs1_nz_q ? rf_rs1 : 32'd0;
  assign rs2 = rs2_nz_q ? rf_rs2 : 32'd0;

  // Execute
  logic [31:0] alu_result, md_result, csr_rdata, csr_wdata, addr, result, load_data;
  logic        taken, md_start, md_done, csr_we, csr_writes, csr_illegal;
  logic        is_store, misaligned, jumps, bad_target;
  logic        trap, mret, retire, irq_take, wake, wake_now, mdt;
  logic [4:0]  irq_cause;
  logic [31:0] trap_vector, mepc;
  logic [5:0]  mcause;

  cpu_alu u_alu (
    .clk_i, .rst_ni, .rs1_i(rs1), .rs2_i(rs2), .imm_i(ctl_q.imm), .funct3_i(f3),
    .b_imm_i(ctl_q.b_imm), .alt_i(ctl_q.alt), .result_o(alu_result), .taken_o(taken),
    .md_start_i(md_start), .md_done_o(md_done), .md_result_o(md_result)
  );

  cpu_csr u_csr (
    .clk_i, .rst_ni, .time_now_i, .irq_i, .irq_timer_i,
    .addr_i(instr_q[31:20]), .funct3_i(f3), .rs1_num_i(instr_q[19:15]), .rs1_i(rs1),
    .rdata_o(csr_rdata), .wdata_o(csr_wdata), .writes_o(csr_writes), .illegal_o(csr_illegal),
    .we_i(csr_we), .val_i(val_q), .trap_i(trap), .trap_pc_i(pc_q[31:2]),
    .trap_irq_i(cause_irq_q), .trap_cause_i(cause_q), .mret_i(mret),
    .trap_vector_o(trap_vector), .mepc_o(mepc), .mcause_o(mcause), .mdt_o(mdt),
    .retire_i(retire), .asleep_i(state_q == S_WFI), .irq_take_o(irq_take),
    .irq_cause_o(irq_cause), .wake_o(wake), .wake_now_o(wake_now), .timer_en_o
  );

  assign addr       = (ctl_q.base_rs1 ? rs1 : pc_q) + ctl_q.imm;
  assign is_store   = ctl_q.cls == cpu_pkg::CL_STORE;
  assign misaligned = (f3[1:0] == 2'b01 && addr[0]) || (f3[1:0] == 2'b10 && addr[1:0] != 2'b00);
  assign jumps      = ctl_q.cls == cpu_pkg::CL_JUMP || (ctl_q.cls == cpu_pkg::CL_BRANCH && taken);
  assign bad_target = jumps && addr[1];  // bit 0 is dropped by JALR and never set elsewhere

  always_comb begin
    case (ctl_q.res)
      cpu_pkg::RES_ADDR: result = addr;
      cpu_pkg::RES_IMM:  result = ctl_q.imm;
      cpu_pkg::RES_LINK: result = pc4_q;
      cpu_pkg::RES_CSR:  result = csr_rdata;
      default:           result = alu_result;
    endcase
    if (state_q == S_MULDIV) rd_wdata = md_result;
    else if (state_q == S_WB) rd_wdata = load_data;
    else rd_wdata = result;
  end

  // Byte lanes. funct3: 0 LB/SB, 1 LH/SH, 2 LW/SW, 4 LBU, 5 LHU.
  logic [31:0] lane;
  assign lane = mem_rdata_i >> {val_q[1:0], 3'b000};
  always_comb begin
    case (f3[1:0])
      2'b00:   load_data = {{24{lane[7] && !f3[2]}}, lane[7:0]};
      2'b01:   load_data = {{16{lane[15] && !f3[2]}}, lane[15:0]};
      default: load_data = lane;
    endcase
    case (f3[1:0])
      2'b00:   begin mem_wdata_o = {4{rs2[7:0]}};  mem_wstrb_o = 4'b0001 << val_q[1:0]; end
      2'b01:   begin mem_wdata_o = {2{rs2[15:0]}}; mem_wstrb_o = 4'b0011 << val_q[1:0]; end
      default: begin mem_wdata_o = rs2;            mem_wstrb_o = 4'b1111; end
    endcase
  end

  // An instruction that completes (retire) writes rd and goes on at next_pc in state next.
  assign rf_we = retire && ctl_q.rd_we;

  always_comb begin
    state_d     = state_q;
    pc_d        = pc_q;
    val_d       = val_q;
    cause_d     = cause_q;
    cause_irq_d = 1'b0;
    mem_valid_o = 1'b0;
    mem_fetch_o = 1'b0;
    mem_we_o    = 1'b0;
    mem_addr_o  = pc4_q[31:2];
    md_start    = 1'b0;
    csr_we      = 1'b0;
    trap        = 1'b0;
    mret        = 1'b0;
    retire      = 1'b0;
    next        = S_DECODE;
    next_pc     = pc4_q;
    case (state_q)
      S_FETCH: begin
        mem_valid_o = 1'b1;
        mem_fetch_o = 1'b1;
        mem_addr_o  = pc_q[31:2];
        state_d     = S_DECODE;
      end
      S_DECODE: begin
        state_d     = (irq_take || fetch_fault_q) ? S_TRAP : S_EXEC;
        cause_irq_d = irq_take;
        cause_d     = irq_take ? irq_cause : cpu_pkg::EXC_INSTR_FAULT;
        val_d       = irq_take ? 32'd0 : pc_q;
      end
      S_EXEC: begin
        mem_valid_o = 1'b1;  // the next instruction, wanted or not
        mem_fetch_o = 1'b1;
        val_d       = addr;
        case (ctl_q.cls)
          cpu_pkg::CL_ALU, cpu_pkg::CL_FENCE: retire = 1'b1;
          cpu_pkg::CL_BRANCH, cpu_pkg::CL_JUMP: begin
            val_d   = {addr[31:1], 1'b0};
            cause_d = cpu_pkg::EXC_INSTR_MISALIGNED;
            retire  = !bad_target;
            state_d = S_TRAP;
            if (jumps) begin
              next    = S_FETCH;
              next_pc = {addr[31:1], 1'b0};
            end
          end
          cpu_pkg::CL_LOAD, cpu_pkg::CL_STORE: begin
            cause_d = is_store ? cpu_pkg::EXC_STORE_MISALIGNED : cpu_pkg::EXC_LOAD_MISALIGNED;
            state_d = misaligned ? S_TRAP : S_MEM;
          end
          cpu_pkg::CL_MULDIV: begin md_start = 1'b1; state_d = S_MULDIV; end
          cpu_pkg::CL_CSR: begin
            cause_d = cpu_pkg::EXC_ILLEGAL;
            val_d   = csr_illegal ? instr_q : csr_wdata;
            state_d = csr_illegal ? S_TRAP : S_CSR;
            retire  = !csr_illegal && !csr_writes;
          end
          cpu_pkg::CL_MRET:   begin mret = 1'b1; retire = 1'b1; next = S_FETCH; next_pc = mepc; end
          cpu_pkg::CL_WFI:    begin retire = 1'b1; next = S_WFI; end
          cpu_pkg::CL_ECALL:  begin
            state_d = S_TRAP; cause_d = cpu_pkg::EXC_ECALL_M; val_d = 32'd0;
          end
          cpu_pkg::CL_EBREAK: begin
            state_d = S_TRAP; cause_d = cpu_pkg::EXC_BREAKPOINT; val_d = pc_q;
          end
          default: begin
            state_d = S_TRAP; cause_d = cpu_pkg::EXC_ILLEGAL; val_d = instr_q;
          end
        endcase
      end
      S_CSR: begin csr_we = 1'b1; retire = 1'b1; end
      S_MEM: begin
        mem_valid_o = 1'b1;
        mem_addr_o  = val_q[31:2];
        mem_we_o    = is_store;
        cause_d     = is_store ? cpu_pkg::EXC_STORE_FAULT : cpu_pkg::EXC_LOAD_FAULT;
        if (mem_fault_i) state_d = S_TRAP;
        else if (mem_ready_i) state_d = S_WB;
        retire = mem_ready_i && is_store;
      end
      S_WB: begin
        mem_valid_o = 1'b1;
        mem_fetch_o = 1'b1;
        retire      = 1'b1;
      end
      S_MULDIV: retire = md_done;
      S_WFI: if (wake) state_d = S_DECODE;
      S_TRAP: begin
        trap    = 1'b1;
        state_d = mdt ? S_FATAL : S_FETCH;
        pc_d    = trap_vector;
      end
      default: state_d = S_FATAL;
    endcase
    if (retire) begin
      state_d = next;
      pc_d    = next_pc;
    end
  end

  always_ff @(posedge clk_i) begin
    pc_q        <= pc_d;
    val_q       <= val_d;
    cause_q     <= cause_d;
    cause_irq_q <= cause_irq_d;
    if (mem_fetch_o) fetch_fault_q <= mem_fault_i;
    if (state_q == S_DECODE) begin
      instr_q  <= mem_instr_i;
      ctl_q    <= ctl;
      pc4_q    <= pc_q + 32'd4;
      rs1_nz_q <= mem_instr_i[19:15] != 5'd0;
      rs2_nz_q <= mem_instr_i[24:20] != 5'd0;
    end
    if (!rst_ni) begin
      state_q <= S_FETCH;
      pc_q    <= RESET_PC;
    end else begin
      state_q <= state_d;
    end
  end

  assign wfi_idle_o     = state_q == S_WFI && !wake_now;
  assign fatal_o        = state_q == S_FATAL;
  assign fatal_pc_o     = mepc;
  assign fatal_cause_o  = mcause;
  assign retire_valid_o = retire;
  assign retire_pc_o    = pc_q;
  assign retire_rd_we_o = rf_we;
  assign retire_rd_o    = instr_q[11:7];
  assign retire_wdata_o = rd_wdata;
endmodule
