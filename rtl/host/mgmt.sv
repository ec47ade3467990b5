// SPDX-License-Identifier: Apache-2.0
// The management core and its peripherals: cpu_top, and behind its MMIO port by region (MMIO_* of hw.def) the rest.
//
// 0 cmd_mailbox, 1 ctx_mmio, 2 cmd_mailbox (firmware DMA), 3 raw frames (rx_raw, outside), 4 dev_mmio, 5 EQ set-up
// (eqe_write, outside). Regions that do not exist read zero. Wiring; an access to 4 or 5, which goes far, comes from a
// register, a cycle later.
module mgmt #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    // from csr
    input  cairn_int_pkg::fw_control_t      fw_i,
    output cairn_int_pkg::fw_status_t       fw_o,
    // firmware DMA and vectors
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::msix_request_t    msix_o,
    input  logic                            msix_ready_i,
    // region 3 and 5
    output cairn_int_pkg::mmio_access_t     mmio_raw_o,
    input  cairn_int_pkg::mmio_answer_t     mmio_raw_i,
    output cairn_int_pkg::mmio_access_t     mmio_eq_o,
    input  cairn_int_pkg::mmio_answer_t     mmio_eq_i,
    input  logic                            irq_raw_i,
    // device facts, data path control: see dev_mmio
    input  cairn_int_pkg::device_facts_t    facts_i,
    output logic                            enable_o,
    output logic                            loop_o,
    output logic                            fence_start_o,
    input  logic                            fence_done_i,
    output cairn_int_pkg::record_tables_t   table_o,
    output cairn_int_pkg::gid_write_t       gid_o,  // the GID tables' write port
    output cairn_int_pkg::db_op_t           db_op_o,
    input  cairn_int_pkg::db_op_done_t      db_op_i,
    output cairn_int_pkg::fw_kicks_t        kick_o,
    input  cairn_int_pkg::fw_kicks_ready_t  kick_ready_i,
    input  cairn_int_pkg::fw_events_t       fw_event_i,
    output cairn_int_pkg::fw_events_ready_t fw_event_ready_o,
    // context port
    output cairn_int_pkg::ctx_op_t          op_o,
    input  cairn_int_pkg::ctx_done_t        op_i,
    // console, time
    output logic                            uart_valid_o,
    output logic [7:0]                      uart_data_o,
    output cairn_hw_pkg::mgmt_events_t      events_o,
    output logic                            idle_o,
    output cairn_int_pkg::deadline_t        deadline_o
);
  cairn_int_pkg::mmio_answer_t mbx_answer, ctx_answer, dev_answer;
  logic        valid, ready, we;
  logic [19:0] addr;
  logic [31:0] wdata, rdata;
  logic [3:0]  wstrb;
  logic [15:0] irq;
  logic        none_q;
  logic        sel_mbx, sel_ctx, sel_raw, sel_dev, sel_eq;
  logic        cpu_idle, mbx_idle, ctx_idle;

  assign sel_mbx    = addr[19:16] == 4'd0 || addr[19:16] == 4'd2;
  assign sel_ctx    = addr[19:16] == 4'd1;
  assign sel_raw    = addr[19:16] == 4'd3;
  assign sel_dev    = addr[19:16] == 4'd4;
  assign sel_eq     = addr[19:16] == 4'd5;
  assign mmio_raw_o = {valid && sel_raw, we, addr[15:0], wdata};
  logic dev_q, eq_q, we_q;
  logic [15:0] addr_q;
  logic [31:0] wdata_q;
  assign mmio_eq_o  = {eq_q, we_q, addr_q, wdata_q};
  always_ff @(posedge clk_i) begin
    dev_q   <= rst_ni && valid && sel_dev && !dev_answer.ready;
    eq_q    <= rst_ni && valid && sel_eq && !(eq_q && mmio_eq_i.ready);
    we_q    <= we;
    addr_q  <= addr[15:0];
    wdata_q <= wdata;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) none_q <= 1'b0;
    else none_q <= valid && !none_q && !(sel_mbx || sel_ctx || sel_raw || sel_dev || sel_eq);
  end
  // By region; those that do not exist read zero.
  logic [8*33-1:0] answers;
  logic            region_ready;
  logic [31:0]     region_rdata;
  assign answers = {66'd0, eq_q && mmio_eq_i.ready, mmio_eq_i.rdata, dev_answer.ready, dev_answer.rdata,
                    mmio_raw_i.ready, mmio_raw_i.rdata, mbx_answer.ready, mbx_answer.rdata,
                    ctx_answer.ready, ctx_answer.rdata, mbx_answer.ready, mbx_answer.rdata};
  assign {region_ready, region_rdata} = answers[33*addr[18:16] +: 33];
  assign ready = (region_ready && !addr[19]) || none_q;
  assign rdata = addr[19] ? '0 : region_rdata;

  always_comb begin
    irq                          = '0;
    irq[cairn_hw_pkg::IRQ_CMD]   = irq_cmd;
    irq[cairn_hw_pkg::IRQ_DMA]   = irq_dma;
    irq[cairn_hw_pkg::IRQ_CTX]   = irq_ctx;
    irq[cairn_hw_pkg::IRQ_RAW]   = irq_raw_i;
    irq[cairn_hw_pkg::IRQ_FENCE] = irq_fence;
    irq[cairn_hw_pkg::IRQ_LINK]  = irq_link;
    irq[cairn_hw_pkg::IRQ_EVT]   = irq_evt;
  end
  logic irq_cmd, irq_dma, irq_ctx, irq_fence, irq_link, irq_evt;

  logic                       ram_ready;
  cairn_int_pkg::ram_access_t ram;
  logic [31:0]                ram_rdata;

  // Firmware does not profile itself.
  cpu_top #(.RAM_BYTES(RAM_BYTES), .BARREL((DATA_W >= 512 || RAM_BYTES > 65536) ? 1 : 0), .COUNTERS(0)) u_cpu (
      .clk_i, .rst_ni, .hold_i(fw_i.hold), .time_now_i,
      .dma_valid_i(ram.valid), .dma_we_i(ram.we), .dma_addr_i(ram.addr[$clog2(RAM_BYTES)-3:0]), .dma_wdata_i(ram.wdata),
      .dma_ready_o(ram_ready),
      .dma_rdata_o(ram_rdata),
      .mmio_valid_o(valid), .mmio_ready_i(ready), .mmio_we_o(we), .mmio_addr_o(addr), .mmio_wdata_o(wdata),
      .mmio_wstrb_o(wstrb), .mmio_rdata_i(rdata),
      .irq_i(irq), .uart_valid_o, .uart_ready_i(1'b1), .uart_data_o,
      .wfi_idle_o(cpu_idle), .deadline_valid_o(deadline_o.valid), .deadline_o(deadline_o.at), .fatal_o(fw_o.fatal),
      .fatal_pc_o(),
      .fatal_cause_o(),
      .retire_valid_o(), .retire_pc_o(), .retire_rd_we_o(),
      .retire_rd_o(), .retire_wdata_o()
  );
  // A double trap is the only trap that firmware does not handle and count itself.
  logic fatal_q;
  always_ff @(posedge clk_i) fatal_q <= rst_ni && fw_o.fatal;
  assign events_o.cpu_trap = fw_o.fatal && !fatal_q;

  cmd_mailbox #(.DATA_W(DATA_W), .RAM_BYTES(RAM_BYTES)) u_mbx (
      .clk_i, .rst_ni, .hold_i(fw_i.hold),
      .load_i(fw_i.load), .load_o(fw_o.image), .cmdq_i(fw_i.cmdq), .fw_o(fw_o.state),
      .mmio_i({valid && sel_mbx, we, addr, wdata, wstrb}), .mmio_o(mbx_answer),
      .irq_cmd_o(irq_cmd), .irq_dma_o(irq_dma),
      .ram_o(ram), .ram_ready_i(ram_ready),
      .ram_rdata_i(ram_rdata),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i, .wr_o, .wr_ready_i, .word_i(fw_i.word),
      .msix_o, .msix_ready_i, .idle_o(mbx_idle)
  );
  ctx_mmio u_ctx (
      .clk_i, .rst_ni, .mmio_i({valid && sel_ctx, we, addr[15:0], wdata}), .mmio_o(ctx_answer),
      .irq_o(irq_ctx), .op_o, .op_i, .idle_o(ctx_idle)
  );
  dev_mmio u_dev (
      .clk_i, .rst_ni, .mmio_i({dev_q, we_q, addr_q, wdata_q}), .mmio_o(dev_answer),
      .facts_i, .irq_fence_o(irq_fence), .irq_link_o(irq_link),
      .irq_evt_o(irq_evt),
      .enable_o, .loop_o, .fence_start_o, .fence_done_i, .table_o,
      .gid_o,
      .db_op_o, .db_op_ready_i(db_op_i.ready), .db_op_index_i(db_op_i.index),
      .kick_o, .kick_ready_i, .fw_event_i, .fw_event_ready_o);

  assign idle_o = cpu_idle && mbx_idle && ctx_idle;
endmodule
