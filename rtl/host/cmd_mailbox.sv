// SPDX-License-Identifier: Apache-2.0
// The host's command queue as firmware sees it: MMIO regions MMIO_MBX and MMIO_DMA of the management core.
//
// Registers: rows MBX_ and DMA_ of hw.def. It keeps no ring: firmware reads commands and writes completions through
//   fw_dma, whose registers are here as well. Accesses as in cpu_bus; only these two regions come here. Other offsets
//   read zero.
// Lines: irq_cmd_o: the host wrote CMDQ_DB or CMDQ_ENABLE. irq_dma_o: a slot of DMA_DONE is set.
// hold_i (core held): MBX_STATE is cleared and DMA operations are forgotten; with load_i the firmware image is read.
module cmd_mailbox #(
    parameter int unsigned  DATA_W = 512,
    parameter int unsigned  RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,
    localparam int unsigned RAMW   = $clog2(cairn_hw_pkg::CPU_RAM_BYTES)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         hold_i,
    // firmware image (csr)
    input  cairn_int_pkg::fw_load_t      load_i,
    output cairn_int_pkg::fw_image_t     load_o,
    // command queue set-up (csr)
    input  cairn_int_pkg::cmdq_setup_t   cmdq_i,
    output cairn_int_pkg::fw_state_t     fw_o,
    // management core
    input  cairn_int_pkg::cpu_access_t   mmio_i,
    output cairn_int_pkg::mmio_answer_t  mmio_o,
    output logic                         irq_cmd_o,
    output logic                         irq_dma_o,
    // the core's RAM
    output cairn_int_pkg::ram_access_t   ram_o,
    input  logic                         ram_ready_i,
    input  logic [31:0]                  ram_rdata_i,
    // DMA and interrupts
    output cairn_int_pkg::dma_read_t     rd_o,
    input  logic                         rd_ready_i,
    input  cairn_int_pkg::dma_beat_t     beat_i,
    input  logic [DATA_W-1:0]            beat_data_i,
    output cairn_int_pkg::dma_write_t    wr_o,
    input  logic                         wr_ready_i,
    input  logic [2:0]                   word_i,         // see fw_dma
    output cairn_int_pkg::msix_request_t msix_o,
    input  logic                         msix_ready_i,
    output logic                         idle_o
);
  localparam int unsigned SLOTS = cairn_hw_pkg::FW_DMA_SLOTS;

  if (SLOTS != 8) begin : g_chk_slots
    $error("cmd_mailbox: eight slots are wired");
  end

  // Access ------------------------------------------------------------------------------------------------
  logic        in_dma, we, op_valid, op_ready, start, ring;
  logic [15:0] off;
  logic [31:0] wdata, rdata;
  assign in_dma = mmio_i.addr[19:16] == cairn_hw_pkg::MMIO_DMA[19:16];
  assign off    = mmio_i.addr[15:0];
  assign wdata  = mmio_i.wdata;
  // Registers are written as whole words. Only those that begin something ever wait.
  assign we     = mmio_i.valid && mmio_i.we && mmio_i.wstrb == 4'hf;

  assign start        = in_dma && off == cairn_hw_pkg::REG_DMA_START;
  assign ring         = !in_dma && off == cairn_hw_pkg::REG_MBX_MSIX;
  assign mmio_o.ready = mmio_i.valid && (!(mmio_i.we && (start || ring)) || op_ready);
  assign mmio_o.rdata = rdata;

  // Registers ---------------------------------------------------------------------------------------------
  logic [1:0]  irq_q;
  logic        ready_q, fatal_q;
  logic [31:0] scratch_q;
  logic [63:0] iova_q;
  logic [12:0] len_q;
  logic [RAMW-1:2] ram_q;
  logic [7:0]  busy_q, quiet_q, done_q, err_q, done_set, err_set;
  logic [2:0]  slot;
  logic        begins;

  assign slot     = wdata[cairn_hw_pkg::REG_DMA_START_SLOT_LSB +: 3];
  assign op_valid = we && op_ready && ((start && !busy_q[slot]) || ring);
  assign begins   = op_valid && start;

  // All of them side by side, those of the DMA behind the others; the addresses between and behind them read zero.
  localparam int unsigned MBX = 32'(cairn_hw_pkg::REG_MBX_IRQ), DMA = 32'(cairn_hw_pkg::REG_DMA_IOVA);
  localparam int unsigned OF_DMA = 64;     // bytes
  logic [16*OF_DMA-1:0] file;
  logic                 known;
  if (MBX % OF_DMA != 0 || DMA % OF_DMA != 0 || 32'(cairn_hw_pkg::REG_MBX_SCRATCH) - MBX >= OF_DMA
      || 32'(cairn_hw_pkg::REG_DMA_DONE) - DMA >= OF_DMA) begin : g_chk_file
    $error("cmd_mailbox: the registers do not fit in the file that is read");
  end
  always_comb begin
    file = '0;
    file[8*(32'(cairn_hw_pkg::REG_MBX_IRQ)-MBX) +: 2]       = irq_q;
    file[8*(32'(cairn_hw_pkg::REG_MBX_ENABLE)-MBX)]         = cmdq_i.enable;
    file[8*(32'(cairn_hw_pkg::REG_MBX_CMD_BASE)-MBX) +: 64] = cmdq_i.base;
    file[8*(32'(cairn_hw_pkg::REG_MBX_CPL_BASE)-MBX) +: 64] = cmdq_i.cpl_base;
    file[8*(32'(cairn_hw_pkg::REG_MBX_SIZE)-MBX) +: 32]     = cmdq_i.size;
    file[8*(32'(cairn_hw_pkg::REG_MBX_DB)-MBX) +: 16]       = cmdq_i.db;
    file[8*(32'(cairn_hw_pkg::REG_MBX_LOG_BASE)-MBX) +: 64] = cmdq_i.log_base;
    file[8*(32'(cairn_hw_pkg::REG_MBX_LOG_SIZE)-MBX) +: 32] = cmdq_i.log_size;
    file[8*(32'(cairn_hw_pkg::REG_MBX_STATE)-MBX) + cairn_hw_pkg::REG_MBX_STATE_READY_LSB] = ready_q;
    file[8*(32'(cairn_hw_pkg::REG_MBX_STATE)-MBX) + cairn_hw_pkg::REG_MBX_STATE_FATAL_LSB] = fatal_q;
    file[8*(32'(cairn_hw_pkg::REG_MBX_SCRATCH)-MBX) +: 32]  = scratch_q;
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_IOVA)-DMA) +: 64] = iova_q;
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_LEN)-DMA) +: 13]  = len_q;
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_RAM)-DMA) +: RAMW] = {ram_q, 2'b00};
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_BUSY)-DMA) +: 8]  = busy_q;
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_DONE)-DMA) + cairn_hw_pkg::REG_DMA_DONE_DONE_LSB +: 8] = done_q;
    file[8*(OF_DMA+32'(cairn_hw_pkg::REG_DMA_DONE)-DMA) + cairn_hw_pkg::REG_DMA_DONE_ERR_LSB +: 8]  = err_q;
  end
  assign known = off[15:6] == (in_dma ? DMA[15:6] : MBX[15:6]);
  assign rdata = known ? file[{in_dma, off[5:2], 5'd0} +: 32] : '0;

  always_ff @(posedge clk_i) begin
    if (we && in_dma) begin
      case (off)
        cairn_hw_pkg::REG_DMA_IOVA:         iova_q[31:0]  <= {wdata[31:2], 2'b00};
        cairn_hw_pkg::REG_DMA_IOVA + 16'd4: iova_q[63:32] <= wdata;
        cairn_hw_pkg::REG_DMA_LEN:          len_q         <= (wdata > 32'd8191) ? 13'd8191 : wdata[12:0];
        cairn_hw_pkg::REG_DMA_RAM:          ram_q         <= wdata[RAMW-1:2];
        default: ;
      endcase
    end
    if (!rst_ni) begin
      irq_q     <= '0;
      scratch_q <= '0;
    end else begin
      irq_q <= (irq_q & ~((we && !in_dma && off == cairn_hw_pkg::REG_MBX_IRQ) ? wdata[1:0] : 2'b00))
               | (2'(cmdq_i.db_we) << cairn_hw_pkg::REG_MBX_IRQ_DB_LSB)
               | (2'(cmdq_i.enable_we) << cairn_hw_pkg::REG_MBX_IRQ_ENABLE_LSB);
      if (we && !in_dma && off == cairn_hw_pkg::REG_MBX_SCRATCH) scratch_q <= wdata;
    end
    if (!rst_ni || hold_i) begin
      ready_q <= 1'b0;
      fatal_q <= 1'b0;
      busy_q  <= '0;
      done_q  <= '0;
      err_q   <= '0;
    end else begin
      if (we && !in_dma && off == cairn_hw_pkg::REG_MBX_STATE) begin
        ready_q <= wdata[cairn_hw_pkg::REG_MBX_STATE_READY_LSB];
        fatal_q <= wdata[cairn_hw_pkg::REG_MBX_STATE_FATAL_LSB];
      end
      for (int unsigned i = 0; i < SLOTS; i++) begin
        if (done_set[i]) begin
          busy_q[i] <= 1'b0;
          done_q[i] <= !quiet_q[i];
          err_q[i]  <= err_set[i] && !quiet_q[i];
        end else if (begins && slot == 3'(i)) begin
          busy_q[i]  <= 1'b1;
          quiet_q[i] <= wdata[cairn_hw_pkg::REG_DMA_START_QUIET_LSB];
          done_q[i]  <= 1'b0;
          err_q[i]   <= 1'b0;
        end else if (we && in_dma && off == cairn_hw_pkg::REG_DMA_DONE
                     && wdata[cairn_hw_pkg::REG_DMA_DONE_DONE_LSB + i]) begin
          done_q[i] <= 1'b0;
          err_q[i]  <= 1'b0;
        end
      end
    end
  end

  assign fw_o.ready   = ready_q;
  assign fw_o.fatal   = fatal_q;
  assign fw_o.scratch = scratch_q;
  assign irq_cmd_o    = irq_q != '0;
  assign irq_dma_o    = done_q != '0;

  logic dma_idle;
  cairn_int_pkg::fw_copy_t copy;
  assign copy.valid     = op_valid;
  assign copy.slot      = slot;
  assign copy.write     = wdata[cairn_hw_pkg::REG_DMA_START_WRITE_LSB];
  assign copy.only_msix = ring;
  assign copy.msix      = wdata[cairn_hw_pkg::REG_DMA_START_MSIX_LSB];
  assign copy.vector    = ring ? wdata[cairn_hw_pkg::REG_MBX_MSIX_VECTOR_LSB +: 5]
                        : wdata[cairn_hw_pkg::REG_DMA_START_VECTOR_LSB +: 5];
  assign copy.iova      = iova_q[63:2];
  assign copy.len       = len_q;
  assign copy.ram       = ram_q;
  fw_dma #(.DATA_W(DATA_W), .RAM_BYTES(RAM_BYTES)) u_dma (
      .clk_i, .rst_ni, .flush_i(hold_i && !load_i.go),
      .op_i(copy), .op_ready_o(op_ready),
      .done_o(done_set), .done_err_o(err_set),
      .load_i, .load_o,
      .ram_o, .ram_ready_i, .ram_rdata_i,
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .wr_o, .wr_ready_i, .word_i, .msix_o, .msix_ready_i, .idle_o(dma_idle));
  assign idle_o = dma_idle && !mmio_i.valid;
endmodule
