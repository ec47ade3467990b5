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
    localparam int unsigned RAMW   = $clog2(cairn_hw_pkg::CPU_RAM_BYTES)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      hold_i,
    // firmware image (csr)
    input  logic                      load_i,
    input  logic [63:2]               load_iova_i,
    input  logic [RAMW:2]             load_words_i,
    output logic                      load_word_o,
    output logic [31:0]               load_data_o,
    output logic                      load_end_o,
    output logic                      load_err_o,
    // command queue set-up (csr)
    input  logic [63:0]               cmdq_base_i,
    input  logic [63:0]               cmdq_cpl_base_i,
    input  logic [31:0]               cmdq_size_i,
    input  logic [15:0]               cmdq_db_i,
    input  logic                      cmdq_db_we_i,
    input  logic                      cmdq_enable_i,
    input  logic                      cmdq_enable_we_i,
    input  logic [63:0]               log_base_i,
    input  logic [31:0]               log_size_i,
    output logic                      fw_ready_o,
    output logic                      fw_fatal_o,
    output logic [31:0]               fw_scratch_o,
    // management core
    input  logic                      mmio_valid_i,
    output logic                      mmio_ready_o,
    input  logic                      mmio_we_i,
    input  logic [19:0]               mmio_addr_i,
    input  logic [31:0]               mmio_wdata_i,
    input  logic [3:0]                mmio_wstrb_i,
    output logic [31:0]               mmio_rdata_o,
    output logic                      irq_cmd_o,
    output logic                      irq_dma_o,
    // the core's RAM
    output logic                      ram_valid_o,
    input  logic                      ram_ready_i,
    output logic                      ram_we_o,
    output logic [RAMW-1:2]           ram_addr_o,
    output logic [31:0]               ram_wdata_o,
    input  logic [31:0]               ram_rdata_i,
    // DMA and interrupts
    output cairn_int_pkg::dma_read_t  rd_o,
    input  logic                      rd_ready_i,
    input  cairn_int_pkg::dma_beat_t  beat_i,
    input  logic [DATA_W-1:0]         beat_data_i,
    output cairn_int_pkg::dma_write_t wr_o,
    input  logic                      wr_ready_i,
    output logic                      msix_valid_o,
    input  logic                      msix_ready_i,
    output logic [4:0]                msix_vector_o,
    output logic                      idle_o
);
  localparam int unsigned SLOTS = cairn_hw_pkg::FW_DMA_SLOTS;

  if (SLOTS != 8) begin : g_chk_slots
    $error("cmd_mailbox: eight slots are wired");
  end

  // Access ------------------------------------------------------------------------------------------------
  logic        in_dma, we, op_valid, op_ready, start, ring;
  logic [15:0] off;
  logic [31:0] wdata, rdata;
  assign in_dma = mmio_addr_i[19:16] == cairn_hw_pkg::MMIO_DMA[19:16];
  assign off    = mmio_addr_i[15:0];
  assign wdata  = mmio_wdata_i;
  // Registers are written as whole words.
  assign we     = mmio_valid_i && mmio_we_i && mmio_ready_o && mmio_wstrb_i == 4'hf;

  assign start        = in_dma && off == cairn_hw_pkg::REG_DMA_START;
  assign ring         = !in_dma && off == cairn_hw_pkg::REG_MBX_MSIX;
  assign mmio_ready_o = mmio_valid_i && (!(mmio_we_i && (start || ring)) || op_ready);
  assign mmio_rdata_o = rdata;

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
  assign op_valid = we && ((start && !busy_q[slot]) || ring);
  assign begins   = op_valid && start;

  always_comb begin
    rdata = '0;
    if (in_dma) begin
      case (off)
        cairn_hw_pkg::REG_DMA_IOVA:           rdata = iova_q[31:0];
        cairn_hw_pkg::REG_DMA_IOVA + 16'd4:   rdata = iova_q[63:32];
        cairn_hw_pkg::REG_DMA_LEN:            rdata = {19'd0, len_q};
        cairn_hw_pkg::REG_DMA_RAM:            rdata = 32'({ram_q, 2'b00});
        cairn_hw_pkg::REG_DMA_BUSY:           rdata = {24'd0, busy_q};
        cairn_hw_pkg::REG_DMA_DONE: begin
          rdata[cairn_hw_pkg::REG_DMA_DONE_DONE_LSB +: 8] = done_q;
          rdata[cairn_hw_pkg::REG_DMA_DONE_ERR_LSB +: 8]  = err_q;
        end
        default: ;
      endcase
    end else begin
      case (off)
        cairn_hw_pkg::REG_MBX_IRQ:            rdata = {30'd0, irq_q};
        cairn_hw_pkg::REG_MBX_ENABLE:         rdata = {31'd0, cmdq_enable_i};
        cairn_hw_pkg::REG_MBX_CMD_BASE:       rdata = cmdq_base_i[31:0];
        cairn_hw_pkg::REG_MBX_CMD_BASE + 16'd4: rdata = cmdq_base_i[63:32];
        cairn_hw_pkg::REG_MBX_CPL_BASE:       rdata = cmdq_cpl_base_i[31:0];
        cairn_hw_pkg::REG_MBX_CPL_BASE + 16'd4: rdata = cmdq_cpl_base_i[63:32];
        cairn_hw_pkg::REG_MBX_SIZE:           rdata = cmdq_size_i;
        cairn_hw_pkg::REG_MBX_DB:             rdata = {16'd0, cmdq_db_i};
        cairn_hw_pkg::REG_MBX_LOG_BASE:       rdata = log_base_i[31:0];
        cairn_hw_pkg::REG_MBX_LOG_BASE + 16'd4: rdata = log_base_i[63:32];
        cairn_hw_pkg::REG_MBX_LOG_SIZE:       rdata = log_size_i;
        cairn_hw_pkg::REG_MBX_STATE: begin
          rdata[cairn_hw_pkg::REG_MBX_STATE_READY_LSB] = ready_q;
          rdata[cairn_hw_pkg::REG_MBX_STATE_FATAL_LSB] = fatal_q;
        end
        cairn_hw_pkg::REG_MBX_SCRATCH:        rdata = scratch_q;
        default: ;
      endcase
    end
  end

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
               | (2'(cmdq_db_we_i) << cairn_hw_pkg::REG_MBX_IRQ_DB_LSB)
               | (2'(cmdq_enable_we_i) << cairn_hw_pkg::REG_MBX_IRQ_ENABLE_LSB);
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

  assign fw_ready_o   = ready_q;
  assign fw_fatal_o   = fatal_q;
  assign fw_scratch_o = scratch_q;
  assign irq_cmd_o    = irq_q != '0;
  assign irq_dma_o    = done_q != '0;

  logic dma_idle;
  fw_dma #(.DATA_W(DATA_W)) u_dma (
      .clk_i, .rst_ni, .flush_i(hold_i && !load_i),
      .op_valid_i(op_valid), .op_ready_o(op_ready), .op_slot_i(slot),
      .op_write_i(wdata[cairn_hw_pkg::REG_DMA_START_WRITE_LSB]), .op_only_msix_i(ring),
      .op_msix_i(wdata[cairn_hw_pkg::REG_DMA_START_MSIX_LSB]),
      .op_vector_i(ring ? wdata[cairn_hw_pkg::REG_MBX_MSIX_VECTOR_LSB +: 5]
                        : wdata[cairn_hw_pkg::REG_DMA_START_VECTOR_LSB +: 5]),
      .op_iova_i(iova_q[63:2]), .op_len_i(len_q), .op_ram_i(ram_q), .done_o(done_set), .done_err_o(err_set),
      .load_i, .load_iova_i, .load_words_i, .load_word_o, .load_data_o, .load_end_o, .load_err_o,
      .ram_valid_o, .ram_ready_i, .ram_we_o, .ram_addr_o, .ram_wdata_o, .ram_rdata_i,
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .wr_o, .wr_ready_i, .msix_valid_o, .msix_ready_i, .msix_vector_o, .idle_o(dma_idle));
  assign idle_o = dma_idle && !mmio_valid_i;
endmodule
