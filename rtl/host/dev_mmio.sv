// SPDX-License-Identifier: Apache-2.0
// The management core's view of the device (MMIO_DEV, registers DEV_* of hw.def).
//
// Data path enable, fence, table bases, GID table, doorbell entries, kicks, link state, and the queue of events that
// the data path reports.
// Order: accesses answer in the next cycle, except DEV_DB and DEV_KICK writes, which are offered from registers and
//   answer two cycles after the doorbell module or the kicked part has taken them; both always do, within a few cycles.
//   Events come from sources in the order CQ error, wrong doorbell, EQ overflow, QP error. A source waits while the
//   queue is full, and a cycle for its turn; what sources merge is up to them.
module dev_mmio #(
    parameter int unsigned NTABLES = 8
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  cairn_int_pkg::mmio_access_t     mmio_i,
    output cairn_int_pkg::mmio_answer_t     mmio_o,
    // facts
    input  cairn_int_pkg::device_facts_t    facts_i,
    // interrupts
    output logic                            irq_fence_o,
    output logic                            irq_link_o,
    output logic                            irq_evt_o,
    // data path
    output logic                            enable_o,
    output logic                            loop_o,         // frames to ourselves are looped
    output logic                            fence_start_o,  // strobe
    input  logic                            fence_done_i,   // strobe
    // tables: base and number of entries (0 = closed), by enum table
    output cairn_int_pkg::record_tables_t   table_o,
    // GID table write (rx_gid_table and tx_headers)
    output cairn_int_pkg::gid_write_t       gid_o,          // the GID tables' write port
    // doorbell entries
    output cairn_int_pkg::db_op_t           db_op_o,
    input  logic                            db_op_ready_i,
    input  logic [15:0]                     db_op_index_i,  // with db_op_ready_i, for READ
    // kicks, ready by enum kick
    output cairn_int_pkg::fw_kicks_t        kick_o,
    input  cairn_int_pkg::fw_kicks_ready_t  kick_ready_i,
    // events
    input  cairn_int_pkg::fw_events_t       fw_event_i,
    output cairn_int_pkg::fw_events_ready_t fw_event_ready_o
);
  logic [3:0]      ev_valid;
  logic [4*24-1:0] ev_number;
  assign ev_valid  = {fw_event_i.qp_error.valid, fw_event_i.eq_overflow.valid, fw_event_i.bad_doorbell.valid,
                      fw_event_i.cq_error.valid};
  assign ev_number = {fw_event_i.qp_error.number, fw_event_i.eq_overflow.number, fw_event_i.bad_doorbell.number,
                      fw_event_i.cq_error.number};
  logic         ack_q;
  logic         take;
  logic         wr;
  logic         is_gid;
  logic [127:0] gid_q;          // byte 0 in bits 7:0, as written
  logic [127:0] gid_addr;
  logic         gid_we_q, gid_valid_q, gid_ipv6_q, gid_vlan_q;
  logic [7:0]   gid_index_q;
  logic [11:0]  gid_vid_q;
  logic [63:0]  base_q;
  logic [23:0]  number_q;
  logic [15:0]  db_index_q;
  logic         fence_busy_q, fence_irq_q;
  logic         link_q, link_irq_q;
  logic         slow, offer;    // this write answers when it has been taken; it is not yet on offer or is
  logic [2:0]   taken;

  logic       at_db, at_kick, db_q, done_q;
  logic [2:0] kick_q;      // one-hot by enum kick
  assign at_db   = mmio_i.addr == cairn_hw_pkg::REG_DEV_DB;
  assign at_kick = mmio_i.addr == cairn_hw_pkg::REG_DEV_KICK;
  assign slow    = mmio_i.we && (at_db || at_kick);
  assign offer   = mmio_i.valid && !ack_q && !done_q && mmio_i.we;
  assign db_op_o.valid   = db_q;
  assign db_op_o.kind    = mmio_i.wdata[cairn_hw_pkg::REG_DEV_DB_KIND_LSB +: 3];
  assign db_op_o.op      = mmio_i.wdata[cairn_hw_pkg::REG_DEV_DB_OP_LSB +: 2];
  assign db_op_o.page    = mmio_i.wdata[cairn_hw_pkg::REG_DEV_DB_PAGE_LSB +: 8];
  assign db_op_o.gen     = mmio_i.wdata[cairn_hw_pkg::REG_DEV_DB_GEN_LSB +: 8];
  assign db_op_o.number  = number_q;
  assign kick_o          = {kick_q[0], kick_q[1], kick_q[2], number_q};
  assign taken           = {kick_ready_i.flush, kick_ready_i.walk, kick_ready_i.sched} & kick_q;
  always_ff @(posedge clk_i) begin
    db_q   <= rst_ni && (db_q ? !db_op_ready_i : offer && at_db);
    done_q <= rst_ni && ((db_q && db_op_ready_i) || taken != '0 || (offer && at_kick && mmio_i.wdata[1:0] == 2'd3));
    for (int unsigned g = 0; g < 3; g++) begin
      kick_q[g] <= rst_ni && (kick_q[g] ? !taken[g] : offer && at_kick && mmio_i.wdata[1:0] == 2'(g));
    end
  end
  assign take         = mmio_i.valid && !ack_q && (!slow || done_q);
  assign wr           = take && mmio_i.we;
  logic [31:0] rdata_q;
  assign mmio_o.rdata = rdata_q;
  assign mmio_o.ready = ack_q;
  assign is_gid       = mmio_i.addr[15:4] == 12'(cairn_hw_pkg::DEV_GID_DATA >> 4);

  assign gid_o        = {gid_we_q, gid_index_q, gid_valid_q, gid_ipv6_q, gid_vlan_q, gid_vid_q, gid_addr};

  for (genvar g = 0; g < 16; g++) begin : g_gid
    assign gid_addr[127 - 8*g -: 8] = gid_q[8*g +: 8];
  end

  // ---- events ----
  logic        ef_in_ready, ef_valid, ef_pop;
  logic [27:0] ef_in, ef_out;
  logic        eg_valid;
  logic [3:0]  eg;
  logic [1:0]  eg_idx;
  // No source's ready depends on what another, or itself, asks for in the same cycle.
  rr_chosen #(.N(4)) u_ev (
      .clk_i, .rst_ni, .req_i(ev_valid), .ready_i(ef_in_ready), .gnt_valid_o(eg_valid), .gnt_o(), .ready_o(eg),
      .gnt_idx_o(eg_idx)
  );
  assign fw_event_ready_o.cq_error     = eg[0];
  assign fw_event_ready_o.bad_doorbell = eg[1];
  assign fw_event_ready_o.eq_overflow  = eg[2];
  assign fw_event_ready_o.qp_error     = eg[3];
  assign ef_in            = {4'(eg_idx) + 4'd1, ev_number[24*eg_idx +: 24]};
  sync_fifo #(.WIDTH(28), .DEPTH(8)) u_evq (
      .clk_i, .rst_ni, .in_valid_i(eg_valid), .in_ready_o(ef_in_ready), .in_data_i(ef_in),
      .out_valid_o(ef_valid), .out_ready_i(ef_pop), .out_data_o(ef_out)
  );
  assign ef_pop    = wr && mmio_i.addr == cairn_hw_pkg::REG_DEV_EVENT_POP;
  assign irq_evt_o = ef_valid;
  if (cairn_hw_pkg::DEV_EVENT_CQ_ERROR != 4'd1 || cairn_hw_pkg::DEV_EVENT_QP_ERROR != 4'd4) begin : g_chk
    $error("dev_mmio: event sources are numbered from 1 in the order of enum dev_event");
  end

  assign irq_fence_o = fence_irq_q;
  assign irq_link_o  = link_irq_q;

  // ---- control, fence, link ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_o      <= 1'b0;
      loop_o        <= 1'b1;
      fence_start_o <= 1'b0;
      fence_busy_q  <= 1'b0;
      fence_irq_q   <= 1'b0;
      link_q        <= 1'b0;
      link_irq_q    <= 1'b0;
    end else begin
      fence_start_o <= 1'b0;
      link_q        <= facts_i.link;
      if (wr) begin
        case (mmio_i.addr)
          cairn_hw_pkg::REG_DEV_CTRL: begin
            enable_o <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_CTRL_ENABLE_LSB];
            loop_o   <= !mmio_i.wdata[cairn_hw_pkg::REG_DEV_CTRL_NO_LOOP_LSB];
          end
          cairn_hw_pkg::REG_DEV_FENCE: if (mmio_i.wdata[0] && !fence_busy_q) begin
            fence_start_o <= 1'b1;
            fence_busy_q  <= 1'b1;
          end
          cairn_hw_pkg::REG_DEV_FENCE_STATUS:
            if (mmio_i.wdata[cairn_hw_pkg::REG_DEV_FENCE_STATUS_DONE_LSB]) fence_irq_q <= 1'b0;
          cairn_hw_pkg::REG_DEV_LINK:
            if (mmio_i.wdata[cairn_hw_pkg::REG_DEV_LINK_CHANGED_LSB]) link_irq_q <= 1'b0;
          default: ;
        endcase
      end
      // What happens in the cycle of a clearing write is not lost.
      if (facts_i.link != link_q) link_irq_q <= 1'b1;
      if (fence_busy_q && fence_done_i) begin
        fence_busy_q <= 1'b0;
        fence_irq_q  <= 1'b1;
      end
    end
  end

  // ---- where the tables are; an operation on a doorbell table ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      table_o.entries <= '0;
      number_q        <= '0;
    end else begin
      if (db_op_o.valid && db_op_ready_i && db_op_o.op == cairn_hw_pkg::DB_OP_READ) db_index_q <= db_op_index_i;
      if (wr) begin
        case (mmio_i.addr)
          cairn_hw_pkg::REG_DEV_TABLE_BASE:         base_q[31:0] <= mmio_i.wdata;
          cairn_hw_pkg::REG_DEV_TABLE_BASE + 16'd4: base_q[63:32] <= mmio_i.wdata;
          cairn_hw_pkg::REG_DEV_DB_NUMBER:          number_q <= mmio_i.wdata[23:0];
          default: ;
        endcase
        if (mmio_i.addr == cairn_hw_pkg::REG_DEV_TABLE) begin
          for (int unsigned t = 0; t < NTABLES; t++) begin
            if (mmio_i.wdata[cairn_hw_pkg::REG_DEV_TABLE_TABLE_LSB +: 4] == 4'(t)) begin
              table_o.base[64*t +: 64]    <= base_q;
              table_o.entries[33*t +: 33] <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_TABLE_VALID_LSB]
                  ? 33'h1 << mmio_i.wdata[cairn_hw_pkg::REG_DEV_TABLE_LOG2_LSB +: 5] : '0;
            end
          end
        end
      end
    end
  end

  // ---- GID tables ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gid_we_q <= 1'b0;
    end else begin
      gid_we_q <= 1'b0;
      if (wr) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (is_gid && mmio_i.addr[3:2] == 2'(i)) gid_q[32*i +: 32] <= mmio_i.wdata;
        end
        if (mmio_i.addr == cairn_hw_pkg::REG_DEV_GROUP) begin
          gid_we_q    <= 1'b1;
          gid_index_q <= {4'h1, mmio_i.wdata[cairn_hw_pkg::REG_DEV_GROUP_INDEX_LSB +: 4]};
          gid_valid_q <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_GROUP_VALID_LSB];
        end
        if (mmio_i.addr == cairn_hw_pkg::REG_DEV_MEMBER) begin
          gid_we_q     <= 1'b1;
          gid_index_q  <= {1'b1, mmio_i.wdata[cairn_hw_pkg::REG_DEV_MEMBER_INDEX_LSB +: 7]};
          gid_valid_q  <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_MEMBER_VALID_LSB];
          gid_q[23:0]  <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_MEMBER_QPN_LSB +: 24];
        end
        if (mmio_i.addr == cairn_hw_pkg::REG_DEV_GID) begin
          gid_we_q    <= 1'b1;
          gid_index_q <= {4'h0, mmio_i.wdata[cairn_hw_pkg::REG_DEV_GID_INDEX_LSB +: 4]};
          gid_valid_q <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_GID_VALID_LSB];
          gid_ipv6_q  <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_GID_IPV6_LSB];
          gid_vlan_q  <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_GID_VLAN_LSB];
          gid_vid_q   <= mmio_i.wdata[cairn_hw_pkg::REG_DEV_GID_VID_LSB +: 12];
        end
      end
    end
  end

  // ---- answers: all registers side by side, by address; the addresses between and behind them read zero ----
  localparam int unsigned BASE = 32'(cairn_hw_pkg::REG_DEV_CTRL);
  localparam int unsigned BYTES = 128;
  logic [8*BYTES-1:0] file;
  if (BASE % BYTES != 0 || 32'(cairn_hw_pkg::REG_DEV_SIZES) - BASE >= BYTES) begin : g_chk_file
    $error("dev_mmio: the registers do not fit in the file that is read");
  end
  always_comb begin
    file = '0;
    file[8*(32'(cairn_hw_pkg::REG_DEV_CTRL)-BASE) +: 2]         = {!loop_o, enable_o};
    file[8*(32'(cairn_hw_pkg::REG_DEV_FENCE_STATUS)-BASE) +: 2] = {fence_irq_q, fence_busy_q};
    file[8*(32'(cairn_hw_pkg::REG_DEV_FEATURES)-BASE) +: 32]    = facts_i.features;
    file[8*(32'(cairn_hw_pkg::REG_DEV_BUILD)-BASE) +: 32]       = facts_i.build;
    file[8*(32'(cairn_hw_pkg::REG_DEV_SIZES)-BASE) +: 32]       = facts_i.sizes;
    file[8*(32'(cairn_hw_pkg::REG_DEV_PORT)-BASE) +: 32]        = facts_i.port;
    file[8*(32'(cairn_hw_pkg::REG_DEV_MAC)-BASE) +: 48]         = facts_i.mac;
    file[8*(32'(cairn_hw_pkg::REG_DEV_LINK)-BASE) +: 2]         = {link_irq_q, link_q};
    file[8*(32'(cairn_hw_pkg::REG_DEV_TABLE_BASE)-BASE) +: 64]  = base_q;
    file[8*(32'(cairn_hw_pkg::REG_DEV_DB_NUMBER)-BASE) +: 24]   = number_q;
    file[8*(32'(cairn_hw_pkg::REG_DEV_DB_INDEX)-BASE) +: 16]    = db_index_q;
    file[8*(32'(cairn_hw_pkg::REG_DEV_EVENT)-BASE) +: 32]       = {ef_valid, 3'h0, ef_out};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ack_q <= 1'b0;
    else ack_q <= take;
    if (take) rdata_q <= (mmio_i.addr[15:7] == BASE[15:7]) ? file[{mmio_i.addr[6:2], 5'd0} +: 32] : '0;
  end
endmodule
