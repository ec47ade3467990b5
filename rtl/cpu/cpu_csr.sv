// SPDX-License-Identifier: Apache-2.0
// Control and status registers of the management core, machine mode only (RISC-V privileged
// specification 20211203, chapter 3; Smdbltrp for mstatush.MDT), and the choice of the interrupt.
// Interrupts: machine timer (7) and sixteen local level lines (16..31); the lowest number wins.
// mcycle counts clock edges outside WFI: it is for profiling, never for time (time is time_now_i).
// A vectored mtvec is a multiple of 128.
// COUNTERS = 0: mcycle and minstret are read as zero, as nobody profiles.
// MDT (mstatush bit 10) is 1 after reset and from a trap to its MRET: a trap that finds it set is
// fatal. Software clears it once mtvec is set; while it is set, MIE cannot be set.
module cpu_csr #(
  parameter int unsigned COUNTERS = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] time_now_i,
  input  logic [15:0] irq_i,
  input  logic        irq_timer_i,
  // CSR instruction: rdata_o, writes_o and illegal_o follow its fields; the write comes later, with
  // we_i and val_i (rdata_o of then) while the fields are still there
  input  logic [11:0] addr_i,
  input  logic [2:0]  funct3_i,
  input  logic [4:0]  rs1_num_i,   // register number, or the immediate
  input  logic [31:0] rs1_i,
  output logic [31:0] rdata_o,
  output logic        writes_o,
  output logic        illegal_o,   // no such CSR, or a write to a read-only one
  input  logic        we_i,
  input  logic [31:0] val_i,       // value before the write, or mtval of the trap
  // trap entry and return
  input  logic        trap_i,
  input  logic [31:2] trap_pc_i,
  input  logic        trap_irq_i,
  input  logic [4:0]  trap_cause_i,
  input  logic        mret_i,
  output logic [31:2] trap_vector_o,
  output logic [31:0] mepc_o,
  output logic [5:0]  mcause_o,    // {interrupt, code}
  output logic        mdt_o,       // a trap now would be a double trap
  // counters and interrupts
  input  logic        retire_i,
  input  logic        asleep_i,    // in WFI: mcycle stops
  output logic        irq_take_o,
  output logic [4:0]  irq_cause_o,
  output logic        wake_o,      // an enabled interrupt is pending, whatever MIE says
  output logic        wake_now_o,  // the same, one cycle earlier: nothing is on its way either
  output logic        timer_en_o
);
  logic        mie_q, mpie_q, mdt_q, vectored_q, cause_irq_q;
  logic [4:0]  cause_q;
  logic [31:2] mtvec_q, mepc_q;
  logic [31:0] mscratch_q, mtval_q, ie_q, ip, ip_q, pend;
  logic [63:0] mcycle, minstret;
  logic [31:0] operand, wdata;
  logic        known, wake_q;

  assign ip         = {irq_i, 8'b0, irq_timer_i, 7'b0};
  assign pend       = ip_q & ie_q;
  // The same as pend != 0, found a cycle before; after a write of mie it is found anew.
  assign wake_o     = wake_q;
  assign wake_now_o = wake_o || (ip & ie_q) != 32'd0;
  assign irq_take_o = mie_q && wake_o;
  assign timer_en_o = ie_q[cpu_pkg::IRQ_TIMER];

  always_comb begin
    irq_cause_o = cpu_pkg::IRQ_TIMER;
    if (!pend[7]) begin
      for (int i = 31; i >= 16; i--) if (pend[i]) irq_cause_o = i[4:0];
    end
  end

  assign trap_vector_o = mtvec_q | ((vectored_q && trap_irq_i) ? {25'd0, trap_cause_i} : 30'd0);
  assign mepc_o        = {mepc_q, 2'b00};
  assign mcause_o      = {cause_irq_q, cause_q};
  assign mdt_o         = mdt_q;

  // What can be read, side by side, and where a CSR is in there. The identity registers read zero.
  typedef enum logic [3:0] {
    R_MSTATUS, R_MISA, R_MIE, R_MTVEC, R_MSTATUSH, R_MSCRATCH, R_MEPC, R_MCAUSE, R_MTVAL, R_MIP,
    R_CYCLE, R_CYCLEH, R_INSTRET, R_INSTRETH, R_TIME, R_TIMEH
  } read_e;
  read_e        which;
  logic [511:0] file;
  always_comb begin
    file                     = '0;
    file[32*R_MSTATUS +: 32] = {19'd0, 2'b11, 3'd0, mpie_q, 3'd0, mie_q, 3'd0};   // MPP = M
    file[32*R_MISA +: 32]    = 32'h4000_1100;                                     // RV32IM
    file[32*R_MIE +: 32]     = ie_q;
    file[32*R_MTVEC +: 32]   = {mtvec_q, 1'b0, vectored_q};
    file[32*R_MSTATUSH + 10] = mdt_q && !addr_i[11];
    file[32*R_MSCRATCH +: 32] = mscratch_q;
    file[32*R_MEPC +: 32]    = mepc_o;
    file[32*R_MCAUSE +: 32]  = {cause_irq_q, 26'd0, cause_q};
    file[32*R_MTVAL +: 32]   = mtval_q;
    file[32*R_MIP +: 32]     = ip_q;
    file[32*R_CYCLE +: 64]   = mcycle;
    file[32*R_INSTRET +: 64] = minstret;
    file[32*R_TIME +: 64]    = time_now_i;
    known = 1'b1;
    which = R_MSTATUSH;
    case (addr_i)
      12'h300: which = R_MSTATUS;
      12'h301: which = R_MISA;
      12'h304: which = R_MIE;
      12'h305: which = R_MTVEC;
      12'h310: which = R_MSTATUSH;
      12'h340: which = R_MSCRATCH;
      12'h341: which = R_MEPC;
      12'h342: which = R_MCAUSE;
      12'h343: which = R_MTVAL;
      12'h344: which = R_MIP;
      12'hB00, 12'hC00: which = R_CYCLE;          // mcycle, cycle
      12'hB80, 12'hC80: which = R_CYCLEH;
      12'hB02, 12'hC02: which = R_INSTRET;        // minstret, instret
      12'hB82, 12'hC82: which = R_INSTRETH;
      12'hC01: which = R_TIME;
      12'hC81: which = R_TIMEH;
      12'hF11, 12'hF12, 12'hF13, 12'hF14, 12'hF15: which = R_MSTATUSH;   // mvendorid .. mconfigptr
      default: known = 1'b0;
    endcase
  end
  assign rdata_o = file[{which, 5'd0} +: 32];

  assign operand = funct3_i[2] ? {27'd0, rs1_num_i} : rs1_i;
  always_comb begin
    case (funct3_i[1:0])
      2'b10:   wdata = val_i | operand;
      2'b11:   wdata = val_i & ~operand;
      default: wdata = operand;
    endcase
  end
  // CSRRS and CSRRC with x0 (or immediate 0) do not write.
  assign writes_o  = funct3_i[1:0] == 2'b01 || rs1_num_i != 5'd0;
  assign illegal_o = !known || (writes_o && addr_i[11:10] == 2'b11);

  always_ff @(posedge clk_i) begin
    ip_q   <= ip;
    wake_q <= rst_ni && !(we_i && addr_i == 12'h304) && (ip & ie_q) != 32'd0;
    if (we_i) begin
      case (addr_i)
        12'h300: begin mie_q <= wdata[3] && !mdt_q; mpie_q <= wdata[7]; end
        12'h304: ie_q <= wdata & 32'hFFFF_0080;
        12'h305: begin mtvec_q <= wdata[31:2]; vectored_q <= wdata[0]; end
        12'h310: begin mdt_q <= wdata[10]; if (wdata[10]) mie_q <= 1'b0; end
        12'h340: mscratch_q <= wdata;
        12'h341: mepc_q <= wdata[31:2];
        12'h342: begin cause_irq_q <= wdata[31]; cause_q <= wdata[4:0]; end
        12'h343: mtval_q <= wdata;
        default: ;
      endcase
    end
    // A double trap stores its cause too: the core stops, and these are all that is left to read.
    if (trap_i) begin
      mepc_q      <= trap_pc_i;
      cause_irq_q <= trap_irq_i;
      cause_q     <= trap_cause_i;
      mtval_q     <= val_i;
      mpie_q      <= mie_q;
      mie_q       <= 1'b0;
      mdt_q       <= 1'b1;
    end
    if (mret_i) begin
      mie_q  <= mpie_q;
      mpie_q <= 1'b1;
      mdt_q  <= 1'b0;
    end
    if (!rst_ni) begin
      mdt_q <= 1'b1;
      {mie_q, mpie_q, vectored_q, cause_irq_q, cause_q} <= '0;
      {mtvec_q, mepc_q, mtval_q, mscratch_q, ie_q, ip_q} <= '0;
    end
  end

  // Counters
  if (COUNTERS != 0) begin : g_counters
    logic [63:0] mcycle_q, minstret_q;
    assign mcycle   = mcycle_q;
    assign minstret = minstret_q;
    always_ff @(posedge clk_i) begin
      if (!asleep_i) mcycle_q <= mcycle_q + 64'd1;
      if (retire_i) minstret_q <= minstret_q + 64'd1;
      if (we_i) begin
        case (addr_i)
          12'hB00: mcycle_q[31:0] <= wdata;
          12'hB80: mcycle_q[63:32] <= wdata;
          12'hB02: minstret_q[31:0] <= wdata;
          12'hB82: minstret_q[63:32] <= wdata;
          default: ;
        endcase
      end
      if (!rst_ni) {mcycle_q, minstret_q} <= '0;
    end
  end else begin : g_no_counters
    logic unused;
    assign unused   = ^{asleep_i, retire_i};
    assign mcycle   = '0;
    assign minstret = '0;
  end
endmodule
