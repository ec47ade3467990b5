// SPDX-License-Identifier: Apache-2.0
// Write-back buffer of a context cache: takes the dirty parts of one evicted record out of the part RAMs and posts
// them.
//
// Order: 64-byte writes, one part in two cycles, so lookups go on while the posted-write path is slow. {slot, key,
//   dirty mask} is taken only while ready; while copying_o the RAM words of the slot are read, and must stay. While any
//   part is not yet posted (busy), no fill of this record may be issued.
// Ticket: that of the newest write-back, valid until it has been sent for certain: tickets wrap, and after 2^15 more it
//   would look like one still to come.
// Errors: none; a write that fails on the bus is the bus's fatal error.
module ctx_wb #(
    parameter int unsigned PARTS = 4,
    parameter int unsigned SLOTS = 128,
    parameter int unsigned KEY_W = 24
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [63:0]                        base_i,
    input  logic [7:0]                         func_i,
    input  logic                               epoch_i,
    input  logic                               start_valid_i,
    output logic                               ready_o,
    input  logic [$clog2(SLOTS)-1:0]           start_slot_i,
    input  logic [KEY_W-1:0]                   start_key_i,
    input  logic [PARTS-1:0]                   start_dirty_i,
    output logic                               copying_o,
    output logic                               busy_o,
    output logic [KEY_W-1:0]                   key_o,             // while busy: the record's
    output logic                               ticket_valid_o,
    output logic [cairn_int_pkg::TICKET_W-1:0] ticket_o,
    output logic                               written_o,         // strobe: one part posted
    // part RAM read
    output cairn_int_pkg::ctx_read_t           host_read_o,
    input  logic [511:0]                       host_read_data_i,  // one cycle after host_read_o.valid
    // posted write
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] ticket_i           // of the write that is accepted next, whosever it is
);
  localparam int unsigned PW = (PARTS > 1) ? $clog2(PARTS) : 1;
  localparam int unsigned AW = $clog2(SLOTS);

  logic [PARTS-1:0] todo_q;     // parts still to read from the RAM
  logic [PARTS-1:0] todo_d;
  logic             active_q;
  logic [AW-1:0]    slot_q;
  logic [KEY_W-1:0] key_q;
  // So many writes later it has been sent: dma_write holds far fewer.
  localparam int unsigned SURELY_SENT = 1024;
  logic [cairn_int_pkg::TICKET_W-1:0] since;
  assign since = ticket_i - ticket_o;

  logic             rd_q;       // host_read_data_i is valid now
  logic [PW-1:0]    rd_part_q;
  logic             next_valid;
  logic [PW-1:0]    next_part;
  logic [PARTS-1:0] next_onehot;

  prio_enc_onehot #(.N(PARTS)) u_next (
      .in_i(todo_q), .valid_o(next_valid), .idx_o(next_part), .onehot_o(next_onehot)
  );

  // Copied parts wait in a FIFO that always has room for one whole record, a single one in a register.
  logic          f_in_ready, f_valid, f_empty;
  logic [PW-1:0] f_part;
  logic [511:0]  f_data;
  if (PARTS > 1) begin : g_fifo
    logic [2:0]  level;
    sync_fifo_level #(.WIDTH(PW + 512), .DEPTH(4)) u_fifo (
        .clk_i, .rst_ni, .in_valid_i(rd_q), .in_ready_o(f_in_ready), .in_data_i({rd_part_q, host_read_data_i}),
        .out_valid_o(f_valid), .out_ready_i(wr_ready_i), .out_data_o({f_part, f_data}), .level_o(level));
    assign f_empty = level == '0;
  end else begin : g_one
    always_ff @(posedge clk_i) begin
      if (!rst_ni) f_valid <= 1'b0;
      else f_valid <= rd_q || (f_valid && !wr_ready_i);
      if (rd_q) f_data <= host_read_data_i;
    end
    assign f_part     = rd_part_q;
    assign f_in_ready = !f_valid;
    assign f_empty    = !f_valid;
  end

  if (PARTS > 4) begin : g_chk_parts
    $error("ctx_wb: the FIFO holds a record of at most 4 parts");
  end

  assign ready_o    = !active_q && f_empty && !rd_q;
  assign busy_o     = active_q || f_valid || rd_q;
  assign copying_o  = active_q;
  assign key_o      = key_q;
  assign host_read_o.valid = active_q && next_valid;
  assign host_read_o.part  = 2'(next_part);
  assign host_read_o.slot  = cairn_int_pkg::SLOT_W'(slot_q);

  always_comb begin
    todo_d = todo_q & ~next_onehot;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q       <= 1'b0;
      rd_q           <= 1'b0;
      todo_q         <= '0;
      ticket_valid_o <= 1'b0;
    end else begin
      rd_q <= host_read_o.valid;
      if (start_valid_i && ready_o) begin
        active_q <= 1'b1;
        todo_q   <= start_dirty_i;
      end else if (host_read_o.valid) begin
        todo_q <= todo_d;
      end else if (!rd_q) begin
        active_q <= 1'b0;           // the last part is in the FIFO
      end
      if (wr_o.valid && wr_ready_i) ticket_valid_o <= 1'b1;
      else if (since >= cairn_int_pkg::TICKET_W'(SURELY_SENT)) ticket_valid_o <= 1'b0;
    end
    if (start_valid_i && ready_o) begin
      slot_q <= start_slot_i;
      key_q  <= start_key_i;
    end
    if (host_read_o.valid) rd_part_q <= next_part;
    if (wr_o.valid && wr_ready_i) ticket_o <= ticket_i;
  end

  cairn_int_pkg::dma_wr_t cmd;
  logic [63:0]            offset;
  if (PARTS > 1) begin : g_off
    assign offset = {{(64-KEY_W-PW-6){1'b0}}, key_q, f_part, 6'h0};
  end else begin : g_off1
    assign offset = {{(64-KEY_W-6){1'b0}}, key_q, 6'h0};
    logic unused;
    assign unused = ^f_part;
  end
  always_comb begin
    cmd           = '0;
    cmd.func      = func_i;
    cmd.iova      = base_i + offset;
    cmd.len       = cairn_int_pkg::LEN_W'(64);
    cmd.epoch     = epoch_i;
    cmd.data      = f_data;
  end
  assign wr_o.cmd   = cmd;
  assign wr_o.valid = f_valid;
  assign written_o  = wr_o.valid && wr_ready_i;

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && rd_q && !f_in_ready) $error("ctx_wb: part lost");
`endif
endmodule
