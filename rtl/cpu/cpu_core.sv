// SPDX-License-Identifier: Apache-2.0
// The management core: RV32IM, machine mode, precise traps, three stages.
//
//   F  its address goes to the RAM's fetch port    D  the word is there: decode, read registers
//   X  execute; the next instruction moves up when this one is done:
//
//      ALU, branch not taken                      1      load                        2
//      store in the page of its base              1      other stores                2
//      jump, MRET, FENCE                          2      multiply, shift 3, divide   37
//      taken branch, CSR                          3      MMIO load 3 and what the target waits
//      BARREL: shift 1, taken branch, CSR 2
//
// Order: an MMIO store goes its way while the program goes on; another access, a CSR instruction, FENCE, MRET and WFI
//   wait until it has been done. X writes rd in its last cycle, in which the next one reads its registers: the register
//   file passes the value on. What was fetched behind a jump, or a trap, is forgotten. Interrupts are taken in place of
//   the instruction that would begin in X. A double trap is FATAL until reset.
// Branches: without BARREL the next instruction moves up, whether one is taken is seen a cycle later, and what has
//   moved up is forgotten then. One whose target is no instruction's place waits for that.
// Fetch: the word at fetch_addr_o is on fetch_instr_i from the cycle after fetch_o on, until the next fetch_o.
// Data: the RAM is read at ram_addr_o as the address is formed (ram_read_o), whatever is there, and written
//   (ram_write_o) if the base says that it is RAM; and so MMIO (mem_posted_o). Then that was all. Otherwise a request
//   follows with the address in a register (mem_valid_o), of which mem_fault_i and mem_wait_i say what it meets: RAM,
//   whose data is on mem_rdata_i in that cycle, or which is written in it; nothing (mem_fault_i); or MMIO (mem_wait_i):
//   taken in that cycle, if not mem_busy_i, and read data comes with mem_done_i. mem_early_o tells of it in the cycle
//   before, with its address at ram_addr_o, so that an MMIO access can begin then. In cycles with ram_free_o the RAM's
//   data port is not used.
// Errors: a fault never changes memory and becomes an access fault of the instruction.
// retire_*: one pulse for each completed instruction, in order; an instruction that traps has none.
module cpu_core #(
  parameter logic [31:0] RESET_PC = 32'h0000_0000,
  parameter int unsigned BARREL   = 0,   // a shift takes 1 cycle, taken branches and CSRs 2: more area, longer paths
  parameter int unsigned COUNTERS = 1,   // see cpu_csr
  parameter int unsigned RAM_LOG2 = 16   // bytes of RAM, from 0: whole pages of 4096
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] time_now_i,
  input  logic [15:0] irq_i,
  input  logic        irq_timer_i,
  output logic        fetch_o,
  output logic [31:2] fetch_addr_o,
  input  logic        fetch_fault_i,
  input  logic [31:0] fetch_instr_i,
  output logic        ram_read_o,
  output logic        ram_write_o,
  output logic [31:2] ram_addr_o,     // of a read or a write
  output logic        mem_early_o,
  output logic        mem_posted_o,   // ... which does not come: an MMIO store that begins now
  output logic        mem_valid_o,
  output logic        mem_we_o,
  output logic [31:2] mem_addr_o,
  output logic [3:0]  mem_wstrb_o,
  output logic [31:0] mem_wdata_o,
  input  logic        mem_busy_i,
  input  logic        mem_wait_i,
  input  logic        mem_fault_i,
  input  logic        mem_done_i,
  input  logic [31:0] mem_rdata_i,
  output logic        ram_free_o,
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
  if (RAM_LOG2 < 12) begin : g_chk
    $error("cpu_core: RAM_LOG2 must be 12 or more: a store is judged by its base's page");
  end

  localparam logic [31:0] MTIME = cairn_hw_pkg::MMIO_MTIME;
  localparam logic [11:0] MMIO  = MTIME[31:20];
  typedef enum logic [3:0] {
    S_RUN, S_READ, S_CSR, S_MEM, S_MMIO, S_MULDIV, S_ODD, S_WFI, S_TRAP, S_FATAL
  } state_e;

  state_e          state_q, state_d;
  cpu_pkg::ctl_t   ctl, ctl_q;
  logic [31:2]     d_pc_q, x_pc_q;          // d_pc_q follows x_pc_q when X has an instruction
  logic            x_valid_q, x_fault_q, d_valid_q, d_fault_q;
  logic [31:0]     instr_q;
  logic [31:0]     val_q, val_d;            // data address, value of a CSR, or the mtval of a trap
  logic [4:0]      cause_q, cause_d;
  logic            cause_irq_q, cause_irq_d;
  logic [2:0]      f3;
  logic            advance, redirect;       // X takes the next instruction; F goes elsewhere
  logic [31:2]     target;

  assign f3 = instr_q[14:12];
  cpu_decode #(.BARREL(BARREL)) u_decode (.instr_i(fetch_instr_i), .ctl_o(ctl));

  logic [31:0] rf_rs1, rf_rs2, rs1, rs2, rd_wdata;
  logic        rs1_nz_q, rs2_nz_q, rf_we;
  ram_2r1w #(.WIDTH(32), .DEPTH(32), .BYPASS(1)) u_regs (
    .clk_i, .we_i(rf_we), .waddr_i(instr_q[11:7]), .wdata_i(rd_wdata),
    .re0_i(advance), .raddr0_i(fetch_instr_i[19:15]), .rdata0_o(rf_rs1),
    .re1_i(advance), .raddr1_i(fetch_instr_i[24:20]), .rdata1_o(rf_rs2)
  );
  assign rs1 = rs1_nz_q ? rf_rs1 : 32'd0;
  assign rs2 = rs2_nz_q ? rf_rs2 : 32'd0;

  // Execute
  logic [31:0] pc, alu_result, md_result, csr_rdata, addr, result, load_data;
  logic        taken, md_start, md_done, csr_we, csr_writes, csr_illegal;
  logic        is_load, is_store, is_branch, misaligned, bad_target;
  logic        trap, mret, retire, irq_take, wake, wake_now, mdt, told_instr;
  logic [4:0]  irq_cause;
  logic [31:2] trap_vector;
  logic [31:0] mepc;
  logic [5:0]  mcause;

  cpu_alu #(.BARREL(BARREL)) u_alu (
    .clk_i, .rst_ni, .rs1_i(rs1), .rs2_i(rs2), .imm_i(ctl_q.imm), .funct3_i(ctl_q.funct3),
    .b_imm_i(ctl_q.b_imm), .alt_i(ctl_q.alt), .result_o(alu_result), .taken_o(taken),
    .md_start_i(md_start), .md_shift_i(ctl_q.shift), .md_done_o(md_done), .md_result_o(md_result)
  );

  cpu_csr #(.COUNTERS(COUNTERS)) u_csr (
    .clk_i, .rst_ni, .time_now_i, .irq_i, .irq_timer_i,
    .addr_i(instr_q[31:20]), .funct3_i(f3), .rs1_num_i(instr_q[19:15]), .rs1_i(rs1),
    .rdata_o(csr_rdata), .writes_o(csr_writes), .illegal_o(csr_illegal),
    .we_i(csr_we), .val_i(told_instr ? instr_q : val_q), .trap_i(trap), .trap_pc_i(x_pc_q),
    .trap_irq_i(cause_irq_q), .trap_cause_i(cause_q), .mret_i(mret),
    .trap_vector_o(trap_vector), .mepc_o(mepc), .mcause_o(mcause), .mdt_o(mdt),
    .retire_i(retire), .asleep_i(state_q == S_WFI), .irq_take_o(irq_take),
    .irq_cause_o(irq_cause), .wake_o(wake), .wake_now_o(wake_now), .timer_en_o
  );

  // An illegal instruction is told as it is. That it is illegal comes late.
  assign told_instr = state_q == S_TRAP && !cause_irq_q && cause_q == cpu_pkg::EXC_ILLEGAL;

  assign pc         = {x_pc_q, 2'b00};
  assign addr       = (ctl_q.base_rs1 ? rs1 : pc) + ctl_q.imm;
  assign is_load    = ctl_q.cls == cpu_pkg::CL_LOAD;
  assign is_store   = ctl_q.cls == cpu_pkg::CL_STORE;
  assign misaligned = (f3[1:0] == 2'b01 && addr[0]) || (f3[1:0] == 2'b10 && addr[1:0] != 2'b00);
  assign is_branch  = ctl_q.cls == cpu_pkg::CL_BRANCH;
  assign bad_target = addr[1];  // of a jump; bit 0 is dropped by JALR and never set elsewhere

  always_comb begin
    case (ctl_q.res)
      cpu_pkg::RES_ADDR: result = addr;
      cpu_pkg::RES_LINK: result = {d_pc_q, 2'b00};
      default:           result = alu_result;
    endcase
    case (state_q)
      S_CSR:          rd_wdata = val_q;
      S_MULDIV:       rd_wdata = md_result;
      S_MEM, S_MMIO:  rd_wdata = load_data;
      default:        rd_wdata = result;
    endcase
  end

  // Byte lanes. funct3: 0 LB/SB, 1 LH/SH, 2 LW/SW, 4 LBU, 5 LHU.
  logic [31:0] lane;
  logic [1:0]  at;
  assign at   = mem_valid_o ? val_q[1:0] : addr[1:0];
  assign lane = mem_rdata_i >> {val_q[1:0], 3'b000};
  always_comb begin
    case (f3[1:0])
      2'b00:   load_data = {{24{lane[7] && !f3[2]}}, lane[7:0]};
      2'b01:   load_data = {{16{lane[15] && !f3[2]}}, lane[15:0]};
      default: load_data = lane;
    endcase
    case (f3[1:0])
      2'b00:   begin mem_wdata_o = {4{rs2[7:0]}};  mem_wstrb_o = 4'b0001 << at; end
      2'b01:   begin mem_wdata_o = {2{rs2[15:0]}}; mem_wstrb_o = 4'b0011 << at; end
      default: begin mem_wdata_o = rs2;            mem_wstrb_o = 4'b1111; end
    endcase
  end
  assign mem_addr_o  = val_q[31:2];
  assign mem_valid_o = state_q == S_MEM;
  assign mem_we_o    = is_store;
  assign ram_read_o  = state_q == S_RUN && x_valid_q && is_load;
  assign ram_addr_o  = mem_valid_o ? val_q[31:2] : addr[31:2];
  assign ram_free_o  = !(state_q == S_RUN && x_valid_q && (is_load || is_store)) && !(mem_valid_o && is_store);
  logic        in_page, ram_store, mmio_store;
  // The page of an address is its base's, or one of that one's neighbours: the last bit tells.
  assign in_page    = is_store && !misaligned && addr[12] == rs1[12];
  assign ram_store  = in_page && rs1[31:RAM_LOG2] == '0;
  assign mmio_store = in_page && rs1[31:20] == MMIO && !mem_busy_i;

  // An instruction completes; so does a store that is done at once, which writes no rd: that comes late.
  logic done, posts, moves, goes, branches;
  logic branch_q, taken_q, fails;   // there was a branch; its condition; what has moved up behind it is forgotten
  logic turns;                      // a branch is taken at once
  always_ff @(posedge clk_i) {branch_q, taken_q} <= {rst_ni && branches, taken};
  assign fails    = BARREL == 0 && branch_q && taken_q;
  assign turns    = BARREL != 0 && branches && taken;
  assign rf_we    = done && ctl_q.rd_we;
  assign retire   = done || posts;
  assign advance  = moves || posts || (branches && !turns);
  assign redirect = goes || turns;

  // What the instruction in X does in its first cycle
  state_e      x_state;
  logic [31:0] x_val;
  logic [4:0]  x_cause;
  logic [31:2] x_target;
  logic        x_md, x_mret, x_retire, x_advance, x_redirect;
  always_comb begin
    x_state    = state_q;
    x_val      = addr;
    x_cause    = cause_q;
    x_md       = 1'b0;
    x_mret     = 1'b0;
    x_retire   = 1'b0;
    x_advance  = 1'b0;
    x_redirect = 1'b0;
    x_target   = addr[31:2];
    case (ctl_q.cls)
      cpu_pkg::CL_ALU: begin x_retire = 1'b1; x_advance = 1'b1; end
      cpu_pkg::CL_FENCE: begin x_retire = 1'b1; x_redirect = 1'b1; x_target = d_pc_q; end
      cpu_pkg::CL_BRANCH: begin
        x_val     = {addr[31:1], 1'b0};
        x_cause   = cpu_pkg::EXC_INSTR_MISALIGNED;
        x_retire  = !ctl_q.imm[1];
        if (ctl_q.imm[1]) x_state = S_ODD;
      end
      cpu_pkg::CL_JUMP: begin
        x_val      = {addr[31:1], 1'b0};
        x_cause    = cpu_pkg::EXC_INSTR_MISALIGNED;
        x_retire   = !bad_target;
        x_redirect = !bad_target;
        if (bad_target) x_state = S_TRAP;
      end
      cpu_pkg::CL_LOAD, cpu_pkg::CL_STORE: begin
        if (misaligned) x_cause = is_store ? cpu_pkg::EXC_STORE_MISALIGNED : cpu_pkg::EXC_LOAD_MISALIGNED;
        else x_cause = is_store ? cpu_pkg::EXC_STORE_FAULT : cpu_pkg::EXC_LOAD_FAULT;
        if (!(ram_store || mmio_store)) x_state = misaligned ? S_TRAP : S_MEM;
      end
      cpu_pkg::CL_MULDIV: begin x_md = 1'b1; x_state = S_MULDIV; end
      cpu_pkg::CL_CSR: begin
        x_cause = cpu_pkg::EXC_ILLEGAL;
        if (BARREL != 0) x_val = csr_rdata;
        x_state = csr_illegal ? S_TRAP : (BARREL != 0) ? S_CSR : S_READ;
      end
      cpu_pkg::CL_MRET: begin x_mret = 1'b1; x_retire = 1'b1; x_redirect = 1'b1; x_target = mepc[31:2]; end
      cpu_pkg::CL_WFI:  begin x_retire = 1'b1; x_state = S_WFI; end
      cpu_pkg::CL_ECALL:  begin x_state = S_TRAP; x_cause = cpu_pkg::EXC_ECALL_M;    x_val = 32'd0; end
      cpu_pkg::CL_EBREAK: begin x_state = S_TRAP; x_cause = cpu_pkg::EXC_BREAKPOINT; x_val = pc; end
      default:            begin x_state = S_TRAP; x_cause = cpu_pkg::EXC_ILLEGAL; end
    endcase
  end

  always_comb begin
    state_d     = state_q;
    val_d       = val_q;
    cause_d     = cause_q;
    {cause_irq_d, md_start, csr_we, trap, mret} = '0;
    {ram_write_o, mem_early_o, mem_posted_o} = '0;
    {done, posts, moves, goes, branches} = '0;
    target      = addr[31:2];
    case (state_q)
      S_RUN: if (fails) begin
        goes   = 1'b1;
        target = val_q[31:2];
      end else if (!x_valid_q) begin
        moves = 1'b1;
      end else if (irq_take || x_fault_q) begin
        state_d     = S_TRAP;
        cause_irq_d = irq_take;
        cause_d     = irq_take ? irq_cause : cpu_pkg::EXC_INSTR_FAULT;
        val_d       = irq_take ? 32'd0 : pc;
      end else if (!(ctl_q.waits && mem_busy_i)) begin
        state_d     = x_state;
        val_d       = x_val;
        cause_d     = x_cause;
        md_start    = x_md;
        ram_write_o = ram_store;
        mem_early_o = (is_load || is_store) && !misaligned;
        mem_posted_o = mmio_store;
        mret        = x_mret;
        done        = x_retire;
        posts       = ram_store || mmio_store;
        moves       = x_advance;
        goes        = x_redirect;
        branches    = is_branch && x_retire;
        target      = x_target;
      end
      S_READ: begin val_d = csr_rdata; state_d = S_CSR; end
      S_CSR: begin csr_we = csr_writes; done = 1'b1; end
      S_MEM: begin
        if (mem_fault_i) state_d = S_TRAP;
        else if (mem_wait_i && is_load) state_d = mem_busy_i ? S_MEM : S_MMIO;
        else done = !(mem_wait_i && mem_busy_i);
      end
      S_MMIO: done = mem_done_i;
      S_MULDIV: done = md_done;
      S_ODD: begin done = !taken_q; if (taken_q) state_d = S_TRAP; end
      S_WFI: if (wake) state_d = S_RUN;
      S_TRAP: begin
        trap     = 1'b1;
        goes     = 1'b1;
        target   = trap_vector;
        state_d  = mdt ? S_FATAL : S_RUN;
      end
      default: state_d = S_FATAL;
    endcase
    // The last cycle of those that take several.
    if (state_q == S_CSR || state_q == S_MEM || state_q == S_MMIO || state_q == S_MULDIV || state_q == S_ODD) begin
      moves = done;
      if (done) state_d = S_RUN;
    end
  end

  assign fetch_o      = advance || redirect;
  assign fetch_addr_o = redirect ? target : d_pc_q + 30'd1;

  always_ff @(posedge clk_i) begin
    val_q       <= val_d;
    cause_q     <= cause_d;
    cause_irq_q <= cause_irq_d;
    if (fetch_o) begin
      d_pc_q    <= fetch_addr_o;
      d_fault_q <= fetch_fault_i;
    end
    if (advance) begin
      x_pc_q    <= d_pc_q;
      x_fault_q <= d_fault_q;
      instr_q   <= fetch_instr_i;
      ctl_q     <= ctl;
      rs1_nz_q  <= fetch_instr_i[19:15] != 5'd0 && !ctl.no_rs1;
      rs2_nz_q  <= fetch_instr_i[24:20] != 5'd0;
    end
    if (!rst_ni) begin
      state_q   <= S_RUN;
      d_pc_q    <= RESET_PC[31:2] - 30'd1;
      d_valid_q <= 1'b0;
      x_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (fetch_o) d_valid_q <= 1'b1;
      if (redirect || state_d == S_WFI) x_valid_q <= 1'b0;
      else if (advance) x_valid_q <= d_valid_q;
    end
  end

  assign wfi_idle_o     = state_q == S_WFI && !wake_now;
  assign fatal_o        = state_q == S_FATAL;
  assign fatal_pc_o     = mepc;
  assign fatal_cause_o  = mcause;
  assign retire_valid_o = retire;
  assign retire_pc_o    = pc;
  assign retire_rd_we_o = rf_we;
  assign retire_rd_o    = instr_q[11:7];
  assign retire_wdata_o = rd_wdata;
endmodule
