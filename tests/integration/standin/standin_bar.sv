// SPDX-License-Identifier: Apache-2.0
// Register side of the stand-in (cairn_nic_standin.sv): BAR writes, BAR reads with their completions, MSI-X table.
// Test only.  Registers besides those of the contract: standin.h.
module standin_bar #(
    parameter int unsigned DATA_W = 64
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [63:0]       time_now_i,
    // requests from the host: MWr and MRd, one at a time, first beat only
    input  logic              req_valid_i,
    input  cairn_hw_pkg::tlp_mem_t req_hdr_i,
    input  logic [2:0]        req_bar_i,
    input  logic [63:0]       req_data_i,
    // completions, a single beat
    output logic              cpl_valid_o,
    input  logic              cpl_ready_i,
    output cairn_hw_pkg::tlp_cpl_t cpl_hdr_o,
    output logic [63:0]       cpl_data_o,
    input  logic [15:0]       cfg_reqid_i,
    // what software set
    output logic              doorbell_valid_o,
    output logic [63:0]       doorbell_o,
    output logic              timer_set_o,
    output logic [63:0]       timer_o,
    output logic [31:0]       timer_period_o,
    output logic [63:0]       rx_base_o,
    output logic              uart_valid_o,
    output logic [7:0]        uart_data_o,
    // MSI-X table entry of vector irq_index_i
    input  logic [4:0]        irq_index_i,
    output logic [63:0]       irq_addr_o,
    output logic [31:0]       irq_data_o,
    output logic [31:0]       irq_mask_o,
    input  logic [31:0]       irq_pending_i,
    input  logic [63:0]       rx_packets_i, rx_bytes_i, tx_packets_i, tx_bytes_i, rx_dropped_i, doorbells_i, irqs_i
);
  localparam logic [15:0] REG_TIMER = 16'h0100, REG_TIMER_PERIOD = 16'h0108, REG_RX_BASE = 16'h0110;
  localparam logic [15:0] REG_SCRATCH = 16'h0118, REG_UART = 16'h0200;
  localparam logic [15:0] TABLE = cairn_hw_pkg::MSIX_TABLE_OFFSET[15:0], PBA = cairn_hw_pkg::MSIX_PBA_OFFSET[15:0];
  localparam logic [15:0] COUNTERS = cairn_hw_pkg::COUNTER_OFFSET[15:0];
  localparam logic [63:0] ID = {32'd0, cairn_hw_pkg::CONTRACT_MAGIC[15:0], cairn_hw_pkg::CONTRACT_VERSION[15:0]};

  if (DATA_W < 64) begin : g_chk $error("standin_bar: DATA_W"); end

  logic [31:0] table_q [0:127];
  logic [31:0] mask_q, scratch_q;
  logic [63:0] reads_hdr_addr;
  logic        is_mem, is_write, is_read;
  logic [15:0] offset;

  assign is_mem   = req_valid_i && req_hdr_i.type_ == cairn_hw_pkg::TLP_TYPE_MEM;
  assign is_write = is_mem && req_hdr_i.fmt[1];
  assign is_read  = is_mem && !req_hdr_i.fmt[1];
  // A 3-DW header has its address in the upper half.
  assign reads_hdr_addr = req_hdr_i.fmt[0] ? req_hdr_i.addr : {32'd0, req_hdr_i.addr[63:32]};
  assign offset = {reads_hdr_addr[15:2], 2'b00};

  // ---- writes
  logic [31:0] byte_mask;
  for (genvar i = 0; i < 4; i++) begin : g_mask
    assign byte_mask[8*i +: 8] = {8{req_hdr_i.fbe[i]}};
  end

  assign doorbell_valid_o = is_write && req_bar_i == 3'd2 && reads_hdr_addr[11:0] == 12'(cairn_hw_pkg::DB_SQ) &&
                            req_hdr_i.length == 10'd2;
  assign doorbell_o   = req_data_i;
  assign timer_set_o  = is_write && req_bar_i == 3'd0 && offset == REG_TIMER;
  assign timer_o      = req_data_i;
  assign uart_valid_o = is_write && req_bar_i == 3'd0 && offset == REG_UART;
  assign uart_data_o  = req_data_i[7:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      timer_period_o <= '0;
      rx_base_o      <= '0;
      scratch_q      <= '0;
      mask_q         <= '1;
    end else if (is_write && req_bar_i == 3'd0) begin
      if (offset == REG_TIMER_PERIOD) timer_period_o <= req_data_i[31:0];
      if (offset == REG_RX_BASE) rx_base_o <= req_data_i;
      if (offset == REG_SCRATCH) scratch_q <= (scratch_q & ~byte_mask) | (req_data_i[31:0] & byte_mask);
      if (offset[15:9] == TABLE[15:9]) begin
        table_q[offset[8:2]] <= req_data_i[31:0];
        if (offset[3:2] == 2'd3) mask_q[offset[8:4]] <= req_data_i[0];
        if (req_hdr_i.length == 10'd2) begin
          table_q[{offset[8:3], 1'b1}] <= req_data_i[63:32];
          if (offset[3]) mask_q[offset[8:4]] <= req_data_i[32];
        end
      end
    end
  end

  assign irq_addr_o = {table_q[{irq_index_i, 2'd1}], table_q[{irq_index_i, 2'd0}]};
  assign irq_data_o = table_q[{irq_index_i, 2'd2}];
  assign irq_mask_o = mask_q;

  // ---- reads: at most 8 outstanding, answered in order
  localparam int unsigned RW = 128 + 3;
  logic [RW-1:0] reads_q [0:7];
  logic [2:0]    rd_wp_q, rd_rp_q;
  logic [3:0]    rd_n_q;
  logic [RW-1:0] head;
  logic [63:0]   head_addr, quad;
  logic [15:0]   head_off;
  logic          unsupported;
  cairn_hw_pkg::tlp_mem_t head_hdr;

  assign head       = reads_q[rd_rp_q];
  assign head_hdr   = head[127:0];
  assign head_addr  = head_hdr.fmt[0] ? head_hdr.addr : {32'd0, head_hdr.addr[63:32]};
  assign head_off   = {head_addr[15:3], 3'd0};
  assign unsupported = head[130:128] != 3'd0 || head_hdr.length > 10'd2 || head_addr[15:8] == 8'hff;

  always_comb begin
    quad = '0;
    if (head_off == cairn_hw_pkg::REG_ID) quad = ID;
    if (head_off == cairn_hw_pkg::REG_TIME) quad = time_now_i;
    if (head_off == REG_TIMER_PERIOD) quad = {32'd0, timer_period_o};
    if (head_off == REG_RX_BASE) quad = rx_base_o;
    if (head_off == REG_SCRATCH) quad = {32'd0, scratch_q};
    if (head_off[15:9] == TABLE[15:9]) quad = {table_q[{head_off[8:3], 1'b1}], table_q[{head_off[8:3], 1'b0}]};
    if (head_off == PBA) quad = {32'd0, irq_pending_i};
    if (head_off[15:10] == COUNTERS[15:10]) begin
      case (int'(head_off[9:3]))
        cairn_hw_pkg::COUNTER_RX_PACKETS: quad = rx_packets_i;
        cairn_hw_pkg::COUNTER_RX_BYTES: quad = rx_bytes_i;
        cairn_hw_pkg::COUNTER_TX_PACKETS: quad = tx_packets_i;
        cairn_hw_pkg::COUNTER_TX_BYTES: quad = tx_bytes_i;
        cairn_hw_pkg::COUNTER_RX_RAW_DROP: quad = rx_dropped_i;
        cairn_hw_pkg::COUNTER_DB_SQ: quad = doorbells_i;
        cairn_hw_pkg::COUNTER_MSIX_SENT: quad = irqs_i;
        default: quad = '0;
      endcase
    end
  end

  // Leading and trailing bytes that are not asked for (PCIe base specification 2.3.1.1).
  logic [1:0] lead, trail;
  logic [3:0] last_be;
  assign last_be = head_hdr.length == 10'd1 ? head_hdr.fbe : head_hdr.lbe;
  assign lead  = head_hdr.fbe[0] ? 2'd0 : head_hdr.fbe[1] ? 2'd1 : head_hdr.fbe[2] ? 2'd2 : 2'd3;
  assign trail = last_be[3] ? 2'd0 : last_be[2] ? 2'd1 : last_be[1] ? 2'd2 : 2'd3;

  always_comb begin
    cpl_hdr_o            = '0;
    cpl_hdr_o.fmt        = unsupported ? cairn_hw_pkg::TLP_FMT_3DW : cairn_hw_pkg::TLP_FMT_3DW_DATA;
    cpl_hdr_o.type_      = cairn_hw_pkg::TLP_TYPE_CPL;
    cpl_hdr_o.tc         = head_hdr.tc;
    cpl_hdr_o.attr       = head_hdr.attr;
    cpl_hdr_o.t9         = head_hdr.t9;
    cpl_hdr_o.t8         = head_hdr.t8;
    cpl_hdr_o.length     = unsupported ? 10'd0 : head_hdr.length;
    cpl_hdr_o.cplid      = cfg_reqid_i;
    cpl_hdr_o.status     = unsupported ? cairn_hw_pkg::CPL_STATUS_UR : cairn_hw_pkg::CPL_STATUS_SC;
    cpl_hdr_o.byte_count = {head_hdr.length, 2'd0} - 12'(lead) - 12'(trail);
    cpl_hdr_o.reqid      = head_hdr.reqid;
    cpl_hdr_o.tag        = head_hdr.tag;
    cpl_hdr_o.lower_addr = {head_addr[6:2], lead};
  end
  assign cpl_data_o  = head_addr[2] ? {32'd0, quad[63:32]} : quad;
  assign cpl_valid_o = rd_n_q != 4'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_wp_q <= '0;
      rd_rp_q <= '0;
      rd_n_q  <= '0;
    end else begin
      if (is_read) begin
        reads_q[rd_wp_q] <= {req_bar_i, req_hdr_i};
        rd_wp_q <= rd_wp_q + 3'd1;
      end
      if (cpl_valid_o && cpl_ready_i) rd_rp_q <= rd_rp_q + 3'd1;
      rd_n_q <= rd_n_q + 4'(is_read) - 4'(cpl_valid_o && cpl_ready_i);
    end
  end
endmodule
