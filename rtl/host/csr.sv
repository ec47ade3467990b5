// SPDX-License-Identifier: Apache-2.0
// BAR0 registers (REG rows of hw.def, 0x0000 to 0x0fff) and the windows of counters and MSI-X table.
//
// Behind bar_access's 64-bit register port. A whole 64-bit register is read in one access. When TIME or a counter is
// read as two 32-bit halves, low half first, the high half is the one of that moment.
// Image: CTRL.CPU_RUN has fw_dma read FW_LEN bytes from FW_BASE into the core's RAM. The words come by here in order
//   for the CRC-32 (IEEE 802.3). If it is FW_CRC the core runs, else STATUS.FW_BAD; at once for a length that no image
//   has. CPU_RUN = 0, like a reset, gives up an image that is being read.
// Reset: CTRL.FN_RESET asks for a function reset until it is done. During a function reset everything here is at its
//   reset value and the windows read zero.
// Errors: unused addresses read zero; writes there do nothing.
module csr #(
    parameter int unsigned  DATA_W        = 512,
    parameter int unsigned  QPS_LOG2      = 10,
    parameter int unsigned  CQS_LOG2      = 10,
    parameter int unsigned  SRQS_LOG2     = 6,
    parameter int unsigned  QP_CACHE_LOG2 = 8,
    parameter int unsigned  CLK_PERIOD_NS = 4,
    parameter logic [31:0]  FEATURES      = 32'h0,
    parameter logic [31:0]  SIZES         = 32'h0,
    parameter int unsigned  RAM_BYTES     = cairn_hw_pkg::CPU_RAM_BYTES,
    parameter int unsigned  BOOT_RUN      = 0,    // 1: the image is in the bitstream, the core runs from reset
    localparam int unsigned RAMW          = $clog2(RAM_BYTES)
) (
    input  logic                                           clk_i,
    input  logic                                           rst_ni,
    input  logic                                           flr_i,        // function reset: everything is cleared
    // stop: function reset asked for, not ended yet: from either source
    input  logic                                           stop_i,
    input  logic [63:0]                                    time_now_i,
    // register port (bar_access)
    input  cairn_int_pkg::csr_access_t                     csr_i,
    output logic                                           csr_ready_o,
    output logic [63:0]                                    csr_rdata_o,
    // windows
    output logic                                           cnt_valid_o,
    input  logic                                           cnt_ready_i,
    output logic [$clog2(cairn_hw_pkg::COUNTER_COUNT)-1:0] cnt_index_o,
    input  logic [63:0]                                    cnt_value_i,
    output logic                                           qc_valid_o,   // counters of a QP, the same way
    input  logic                                           qc_ready_i,
    output logic [23:0]                                    qc_qpn_o,
    output logic [$clog2(cairn_hw_pkg::COUNTER_COUNT)-1:0] qc_index_o,
    input  logic [63:0]                                    qc_value_i,
    output cairn_int_pkg::msix_access_t                    msix_o,
    input  logic                                           msix_ready_i,
    input  logic [63:0]                                    msix_rdata_i,
    // state shown
    input  cairn_int_pkg::fw_state_t                       fw_i,         // cmd_mailbox
    input  logic                                           cpu_fatal_i,  // the core stopped on a double trap
    input  logic                                           dev_fatal_i,
    input  cairn_int_pkg::mac_facts_t                      mac_i,
    input  logic                                           idle_i,
    input  cairn_int_pkg::pcie_cfg_t                       cfg_i,
    // function reset
    output logic                                           fn_reset_o,
    input  logic                                           fn_done_i,
    // management core
    output logic                                           cpu_hold_o,
    output cairn_int_pkg::fw_load_t                        load_o,
    input  cairn_int_pkg::fw_image_t                       load_i,
    // command queue set-up (cmd_mailbox)
    output cairn_int_pkg::cmdq_setup_t                     cmdq_o
);
  localparam logic [31:0] SIZE_MASK =
      ((32'd1 << cairn_hw_pkg::REG_CMDQ_SIZE_LOG2_W) - 32'd1) << cairn_hw_pkg::REG_CMDQ_SIZE_LOG2_LSB
      | ((32'd1 << cairn_hw_pkg::REG_CMDQ_SIZE_VECTOR_W) - 32'd1) << cairn_hw_pkg::REG_CMDQ_SIZE_VECTOR_LSB
      | 32'd1 << cairn_hw_pkg::REG_CMDQ_SIZE_IRQ_EN_LSB;
  localparam logic [31:0] BUILD =
      32'($clog2(DATA_W)) << cairn_hw_pkg::REG_BUILD_DATA_W_LOG2_LSB
      | QPS_LOG2 << cairn_hw_pkg::REG_BUILD_QPS_LOG2_LSB
      | CQS_LOG2 << cairn_hw_pkg::REG_BUILD_CQS_LOG2_LSB
      | SRQS_LOG2 << cairn_hw_pkg::REG_BUILD_SRQS_LOG2_LSB
      | QP_CACHE_LOG2 << cairn_hw_pkg::REG_BUILD_QP_CACHE_LOG2_LSB
      | CLK_PERIOD_NS << cairn_hw_pkg::REG_BUILD_CLK_PERIOD_NS_LSB;

  // Addresses ---------------------------------------------------------------------------------------------
  logic sel_reg, sel_cnt, sel_qc, sel_tools, sel_table, sel_pba, wait_win;
  logic [23:0] qpn_q, qpn_tools_q;
  assign sel_reg   = csr_i.addr[15:12] == 4'h0;
  // Windows begin at multiples of their size, a power of two, so that which one it is is known at once.
  localparam int unsigned CNT_LOG2  = $clog2(8 * cairn_hw_pkg::COUNTER_COUNT);
  localparam int unsigned MSIX_LOG2 = $clog2(16 * cairn_hw_pkg::MSIX_VECTORS);
  localparam int unsigned CNT_ALL   = cairn_hw_pkg::COUNTER_OFFSET | cairn_hw_pkg::QP_COUNTER_OFFSET
                                      | cairn_hw_pkg::QP_COUNTER_TOOLS;
  if (8 * cairn_hw_pkg::COUNTER_COUNT != 1 << CNT_LOG2 || CNT_ALL % (1 << CNT_LOG2) != 0
      || 16 * cairn_hw_pkg::MSIX_VECTORS != 1 << MSIX_LOG2
      || cairn_hw_pkg::MSIX_TABLE_OFFSET % (1 << MSIX_LOG2) != 0) begin : g_chk_windows
    $error("csr: a window must be a power of two in size and begin at a multiple of it");
  end
  logic [15:CNT_LOG2] cnt_at;
  assign cnt_at    = csr_i.addr[15:CNT_LOG2];
  assign sel_cnt   = cnt_at == (16-CNT_LOG2)'(cairn_hw_pkg::COUNTER_OFFSET >> CNT_LOG2);
  assign sel_qc    = cnt_at == (16-CNT_LOG2)'(cairn_hw_pkg::QP_COUNTER_OFFSET >> CNT_LOG2);
  assign sel_tools = cnt_at == (16-CNT_LOG2)'(cairn_hw_pkg::QP_COUNTER_TOOLS >> CNT_LOG2);
  assign sel_table = csr_i.addr[15:MSIX_LOG2] == (16-MSIX_LOG2)'(cairn_hw_pkg::MSIX_TABLE_OFFSET >> MSIX_LOG2);
  assign sel_pba   = csr_i.addr == 16'(cairn_hw_pkg::MSIX_PBA_OFFSET);

  assign cnt_valid_o  = csr_i.valid && sel_cnt && !csr_i.we && !flr_i;
  assign cnt_index_o  = csr_i.addr[3 +: $clog2(cairn_hw_pkg::COUNTER_COUNT)];
  assign qc_valid_o   = csr_i.valid && (sel_qc || sel_tools) && !csr_i.we && !flr_i;
  assign qc_qpn_o     = sel_tools ? qpn_tools_q : qpn_q;
  assign qc_index_o   = cnt_index_o;
  assign msix_o.valid = csr_i.valid && (sel_table || sel_pba) && !flr_i;
  assign msix_o.pba   = sel_pba;
  assign msix_o.word  = csr_i.addr[3 +: $clog2(2*cairn_hw_pkg::MSIX_VECTORS)];
  assign msix_o.we    = csr_i.we;
  assign msix_o.be    = csr_i.be;
  assign msix_o.wdata = csr_i.wdata;
  assign wait_win     = (cnt_valid_o && !cnt_ready_i) || (qc_valid_o && !qc_ready_i) || (msix_o.valid && !msix_ready_i);
  assign csr_ready_o  = csr_i.valid && !wait_win;

  // Registers ---------------------------------------------------------------------------------------------
  logic        run_q, load_q, bad_q, unread_q, fn_reset_q;
  logic [63:0] fw_base_q;
  logic [31:0] fw_len_q, fw_crc_q, crc_q, word_q;
  logic        len_ok, word_valid_q, end_q, end_err_q, done_q, done_err_q;

  // Both come from far away.
  logic idle_q, dev_fatal_q;
  always_ff @(posedge clk_i) begin
    idle_q      <= rst_ni && idle_i;
    dev_fatal_q <= rst_ni && dev_fatal_i;
  end

  logic [31:0] status;
  always_comb begin
    status                                         = '0;
    status[cairn_hw_pkg::REG_STATUS_FW_READY_LSB]  = fw_i.ready;
    status[cairn_hw_pkg::REG_STATUS_FW_BAD_LSB]    = bad_q || cpu_fatal_i;
    status[cairn_hw_pkg::REG_STATUS_LINK_UP_LSB]   = mac_i.link;
    status[cairn_hw_pkg::REG_STATUS_IDLE_LSB]      = idle_q;
    status[cairn_hw_pkg::REG_STATUS_FATAL_LSB]     = fw_i.fatal || dev_fatal_q;
    status[cairn_hw_pkg::REG_STATUS_IN_RESET_LSB]  = flr_i || stop_i || fn_reset_q;
    status[cairn_hw_pkg::REG_STATUS_FW_UNREAD_LSB] = unread_q;
  end

  // All of them side by side, by address; the addresses behind them read zero.
  localparam int unsigned BYTES = 256;
  logic [8*BYTES-1:0] file;
  logic [63:0]        regs;
  if (cairn_hw_pkg::REG_QP_SELECT_TOOLS >= 16'(BYTES)) begin : g_chk_file
    $error("csr: the registers do not fit in the file that is read");
  end
  always_comb begin
    file = '0;
    file[8*cairn_hw_pkg::REG_ID +: 32]              = {16'(cairn_hw_pkg::CONTRACT_MAGIC),
                                                       16'(cairn_hw_pkg::CONTRACT_VERSION)};
    file[8*cairn_hw_pkg::REG_BUILD +: 32]           = BUILD;
    file[8*cairn_hw_pkg::REG_FEATURES +: 32]        = FEATURES;
    file[8*cairn_hw_pkg::REG_SIZES +: 32]           = SIZES;
    file[8*cairn_hw_pkg::REG_STATUS +: 32]          = status;
    file[8*cairn_hw_pkg::REG_CTRL + cairn_hw_pkg::REG_CTRL_CPU_RUN_LSB]  = run_q || load_q;
    file[8*cairn_hw_pkg::REG_CTRL + cairn_hw_pkg::REG_CTRL_FN_RESET_LSB] = fn_reset_q;
    file[8*cairn_hw_pkg::REG_FW_LEN +: 32]          = fw_len_q;
    file[8*cairn_hw_pkg::REG_FW_CRC +: 32]          = fw_crc_q;
    file[8*cairn_hw_pkg::REG_FW_SCRATCH +: 32]      = fw_i.scratch;
    file[8*cairn_hw_pkg::REG_CMDQ_SIZE +: 32]       = cmdq_o.size;
    file[8*cairn_hw_pkg::REG_QP_SELECT +: 32]       = {8'd0, qpn_q};
    file[8*cairn_hw_pkg::REG_QP_SELECT_TOOLS +: 32] = {8'd0, qpn_tools_q};
    file[8*cairn_hw_pkg::REG_CMDQ_DB +: 32]         = {16'd0, cmdq_o.db};
    file[8*cairn_hw_pkg::REG_CMDQ_ENABLE +: 32]     = {31'd0, cmdq_o.enable};
    file[8*cairn_hw_pkg::REG_LOG_SIZE +: 32]        = cmdq_o.log_size;
    file[8*cairn_hw_pkg::REG_PORT + cairn_hw_pkg::REG_PORT_ETH_MTU_LSB +: 16] = mac_i.eth_mtu;
    file[8*cairn_hw_pkg::REG_PORT + cairn_hw_pkg::REG_PORT_GBPS_LSB +: 16]    = mac_i.gbps;
    file[8*cairn_hw_pkg::REG_PCIE + cairn_hw_pkg::REG_PCIE_MPS_LSB +: 3]      = cfg_i.mps;
    file[8*cairn_hw_pkg::REG_PCIE + cairn_hw_pkg::REG_PCIE_MRRS_LSB +: 3]     = cfg_i.mrrs;
    file[8*cairn_hw_pkg::REG_PCIE + cairn_hw_pkg::REG_PCIE_BME_LSB]           = cfg_i.bme;
    file[8*cairn_hw_pkg::REG_TIME +: 64]            = time_now_i;
    file[8*cairn_hw_pkg::REG_FW_BASE +: 64]         = fw_base_q;
    file[8*cairn_hw_pkg::REG_CMDQ_BASE +: 64]       = cmdq_o.base;
    file[8*cairn_hw_pkg::REG_CMDQ_CPL_BASE +: 64]   = cmdq_o.cpl_base;
    file[8*cairn_hw_pkg::REG_LOG_BASE +: 64]        = cmdq_o.log_base;
    file[8*cairn_hw_pkg::REG_MAC_ADDR +: 64]        = {16'd0, mac_i.addr};
  end
  assign regs = file[{csr_i.addr[7:3], 6'd0} +: 64];

  // Reads; the high half of a running register is kept for the access that follows.
  logic        running, half_lo, half_hi, kept_q;
  logic [63:0] now;
  logic [31:0] high_q;
  logic [15:3] high_addr_q;
  assign running = sel_cnt || csr_i.addr == cairn_hw_pkg::REG_TIME;
  assign half_lo = csr_i.be[3:0] != 4'h0 && csr_i.be[7:4] == 4'h0;
  assign half_hi = csr_i.be[3:0] == 4'h0 && csr_i.be[7:4] != 4'h0;
  always_comb begin
    now = '0;
    if (cnt_valid_o) now = cnt_value_i;
    else if (qc_valid_o) now = qc_value_i;
    else if (msix_o.valid) now = msix_rdata_i;
    else if (csr_i.addr[15:8] == 8'd0) now = regs;
    csr_rdata_o = now;
    if (half_hi && running && kept_q && high_addr_q == csr_i.addr[15:3]) csr_rdata_o[63:32] = high_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kept_q <= 1'b0;
    end else if (csr_i.valid && csr_ready_o && !csr_i.we) begin
      kept_q      <= half_lo && running;
      high_q      <= now[63:32];
      high_addr_q <= csr_i.addr[15:3];
    end
  end

  // Writes ------------------------------------------------------------------------------------------------
  // Bytes of a 32-bit register that is written in part keep their value.
  function automatic logic [31:0] merge(input logic [31:0] old, input logic [31:0] value, input logic [3:0] be);
    for (int i = 0; i < 4; i++) merge[8*i +: 8] = be[i] ? value[8*i +: 8] : old[8*i +: 8];
  endfunction
  function automatic logic [31:0] crc_word(input logic [31:0] crc, input logic [31:0] word);
    crc_word = crc ^ word;
    for (int i = 0; i < 32; i++) crc_word = {1'b0, crc_word[31:1]} ^ (crc_word[0] ? 32'hEDB8_8320 : 32'd0);
  endfunction

  logic        we;
  logic [1:0]  hit;              // halves written
  logic [31:0] lo, hi;
  logic        at_len, at_run;
  assign we     = csr_i.valid && csr_i.we && sel_reg && !flr_i;     // registers never wait
  assign hit    = {csr_i.be[7:4] != 4'h0, csr_i.be[3:0] != 4'h0};
  assign lo     = csr_i.wdata[31:0];
  assign hi     = csr_i.wdata[63:32];
  assign at_len = we && csr_i.addr == cairn_hw_pkg::REG_FW_LEN;
  assign at_run = we && csr_i.addr == cairn_hw_pkg::REG_CTRL && csr_i.be[0];

  if (cairn_hw_pkg::REG_FW_CRC != cairn_hw_pkg::REG_FW_LEN + 4
      || cairn_hw_pkg::REG_CMDQ_DB != cairn_hw_pkg::REG_CMDQ_SIZE + 4
      || cairn_hw_pkg::REG_QP_SELECT_TOOLS != cairn_hw_pkg::REG_QP_SELECT + 4) begin : g_chk_pairs
    $error("csr: the contract has moved a register out of the pair in which it is decoded");
  end

  assign len_ok       = fw_len_q != 32'd0 && fw_len_q[1:0] == 2'b00 && fw_len_q <= 32'(RAM_BYTES);
  assign load_o.go    = load_q;
  assign load_o.iova  = fw_base_q[63:2];
  assign load_o.words = 16'(fw_len_q[RAMW:2]);

  assign cpu_hold_o = !run_q || flr_i;
  assign fn_reset_o = fn_reset_q;

  // ---- firmware: read, checked, started ----
  always_ff @(posedge clk_i) begin
    word_valid_q <= load_i.word;
    word_q       <= load_i.data;
    end_q        <= load_i.over && rst_ni && !flr_i;
    end_err_q    <= load_i.err;
    if (!load_q) crc_q <= '1;
    else if (word_valid_q) crc_q <= crc_word(crc_q, word_q);
    done_q       <= end_q && load_q;   // the last word is in crc_q
    done_err_q   <= end_err_q;
    if (load_q && done_q) begin
      load_q   <= 1'b0;
      run_q    <= !done_err_q && ~crc_q == fw_crc_q;
      bad_q    <= done_err_q || ~crc_q != fw_crc_q;
      unread_q <= done_err_q;
    end
    if (at_run) begin
      if (!lo[cairn_hw_pkg::REG_CTRL_CPU_RUN_LSB]) begin
        run_q  <= 1'b0;
        load_q <= 1'b0;
      end else if (!run_q && !load_q) begin
        load_q   <= len_ok;
        bad_q    <= !len_ok;
        unread_q <= 1'b0;
      end
    end
    if (!rst_ni || flr_i) begin
      run_q    <= BOOT_RUN != 0;
      bad_q    <= 1'b0;
      load_q   <= 1'b0;
      unread_q <= 1'b0;
    end
  end

  // ---- registers that a write sets ----
  always_ff @(posedge clk_i) begin
    cmdq_o.db_we     <= we && csr_i.addr == cairn_hw_pkg::REG_CMDQ_SIZE && hit[1];
    cmdq_o.enable_we <= we && csr_i.addr == cairn_hw_pkg::REG_CMDQ_ENABLE && hit[0];
    if (at_len && hit[0]) fw_len_q <= merge(fw_len_q, lo, csr_i.be[3:0]);
    if (at_len && hit[1]) fw_crc_q <= merge(fw_crc_q, hi, csr_i.be[7:4]);
    if (we) begin
      case (csr_i.addr)
        cairn_hw_pkg::REG_FW_BASE: fw_base_q <= {merge(fw_base_q[63:32], hi, csr_i.be[7:4]),
                                                 merge(fw_base_q[31:0], lo, csr_i.be[3:0]) & ~32'd3};
        cairn_hw_pkg::REG_CMDQ_BASE: cmdq_o.base <= {merge(cmdq_o.base[63:32], hi, csr_i.be[7:4]),
                                                     merge(cmdq_o.base[31:0], lo, csr_i.be[3:0])};
        cairn_hw_pkg::REG_CMDQ_CPL_BASE: cmdq_o.cpl_base <= {merge(cmdq_o.cpl_base[63:32], hi, csr_i.be[7:4]),
                                                             merge(cmdq_o.cpl_base[31:0], lo, csr_i.be[3:0])};
        cairn_hw_pkg::REG_LOG_BASE: cmdq_o.log_base <= {merge(cmdq_o.log_base[63:32], hi, csr_i.be[7:4]),
                                                   merge(cmdq_o.log_base[31:0], lo, csr_i.be[3:0])};
        cairn_hw_pkg::REG_CMDQ_SIZE: begin
          cmdq_o.size <= merge(cmdq_o.size, lo, csr_i.be[3:0]) & SIZE_MASK;
          cmdq_o.db   <= 16'(merge({16'd0, cmdq_o.db}, hi, csr_i.be[7:4]));
        end
        cairn_hw_pkg::REG_QP_SELECT: begin
          qpn_q       <= 24'(merge({8'd0, qpn_q}, lo, csr_i.be[3:0]));
          qpn_tools_q <= 24'(merge({8'd0, qpn_tools_q}, hi, csr_i.be[7:4]));
        end
        cairn_hw_pkg::REG_CMDQ_ENABLE: if (csr_i.be[0]) cmdq_o.enable <= lo[0];
        cairn_hw_pkg::REG_LOG_SIZE: cmdq_o.log_size <= merge(cmdq_o.log_size, lo, csr_i.be[3:0]);
        default: ;
      endcase
    end
    if (!rst_ni || flr_i) begin
      fw_base_q       <= '0;
      fw_len_q        <= '0;
      fw_crc_q        <= '0;
      cmdq_o.base     <= '0;
      cmdq_o.cpl_base <= '0;
      cmdq_o.size     <= '0;
      cmdq_o.db       <= '0;
      cmdq_o.enable   <= 1'b0;
      cmdq_o.log_base <= '0;
      cmdq_o.log_size <= '0;
      qpn_q           <= '0;
      qpn_tools_q     <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fn_reset_q <= 1'b0;
    else if (fn_reset_q && fn_done_i) fn_reset_q <= 1'b0;
    else if (at_run && lo[cairn_hw_pkg::REG_CTRL_FN_RESET_LSB]) fn_reset_q <= 1'b1;
  end
endmodule
