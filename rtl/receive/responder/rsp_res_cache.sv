// SPDX-License-Identifier: Apache-2.0
// Responder resources on chip at 512 bit: the 16 entries (rsp_res, 32 bytes) of a QP in a line, indexed by its number.
//
// rsp_commit writes an entry here and, itself, to the host table (write-through), so a line may be dropped at any time;
// nothing is written back. A line is {QPN, generation, valid bit for each entry}. Writing for another QP takes the line
// over.
// Fill: reads the whole line of a QP from the host, one at a time, behind all posted writes accepted so far. Entries
//   written meanwhile are newer and stay. A line that has just been filled is not filled for another QP until its own
//   has read it (or 1023 cycles are over): two QPs that share a line would otherwise take it from each other before
//   either is served. After a fill has ended, the QP is woken.
// Read: entry and its state one cycle later: hit (err: the host read failed).
// Errors: a failed read marks the line; its QP reads err until the line is taken over or written.
module rsp_res_cache #(
    parameter int unsigned LINES    = 128,       // power of two
    parameter int unsigned CLIENT   = cairn_int_pkg::RD_QPC,
    parameter int unsigned TAG      = 0,         // of its reads among those of the client
    localparam int unsigned LW      = $clog2(LINES)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    input  logic [63:0]                        base_i,
    input  logic [7:0]                         func_i,
    // rsp_commit
    input  cairn_int_pkg::res_write_t          wr_i,
    output logic                               wr_ready_o,
    // rsp_tx
    input  logic                               rd_valid_i,
    input  logic [23:0]                        rd_qpn_i,
    input  logic [7:0]                         rd_gen_i,
    input  logic [3:0]                         rd_index_i,
    output logic                               rd_hit_o,
    output logic                               rd_err_o,
    output logic [255:0]                       rd_entry_o,
    input  logic                               fill_valid_i,  // of the QP last read
    output logic                               fill_ready_o,
    output cairn_int_pkg::kick_t               wake_o,
    input  logic                               wake_ready_i,
    // host memory
    output cairn_int_pkg::dma_read_t           host_rd_o,
    input  logic                               host_rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [511:0]                       beat_data_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    output logic                               idle_o
);
  localparam int unsigned COLS = 2;                              // two entries a row
  localparam int unsigned RW   = 3;                              // of a row within the line
  typedef enum logic [1:0] {F_IDLE, F_ASK, F_WAIT, F_WAKE} state_e;

  if (LINES < 2 || (1 << LW) != LINES || LINES > 4096) begin : g_chk
    $error("rsp_res_cache: LINES must be a power of two, 2 to 4096");
  end

  logic            init_q;
  logic [LW-1:0]   init_line_q;
  state_e          state_q;
  logic [LW-1:0]   f_line_q, rd_line_q;
  logic            broken_q;      // another QP has had the line since the fill began
  logic [31:0]     f_id_q, rd_id_q;   // generation, QPN: of the fill, of the last read
  logic [15:0]     f_ticket_q;

  // ---- state of the lines ----
  logic [cairn_int_pkg::RES_LINE_W-1:0] info [0:LINES-1];
  cairn_int_pkg::res_line_t w_info, r_info, new_info;
  logic [LW-1:0]   w_line, w_at, r_line, new_line;
  logic            info_we, w_same, r_same;
  logic [15:0]     f_valid_q;     // of the line that is filled, since F_ASK
  logic            beat, f_done, wr_go;
  logic [31:0]     w_id;
  cairn_hw_pkg::rsp_res_t went;
  assign went   = wr_i.entry;
  assign w_id   = {went.msn_gen, went.qpn};
  // One line only for a QP, wherever its context is cached: a second copy would go stale.
  assign w_line = went.qpn[LW-1:0] ^ went.qpn[LW +: LW];
  assign w_at   = (state_q == F_ASK) ? f_line_q : w_line;      // nothing is written in F_ASK
  assign r_line = rd_qpn_i[LW-1:0] ^ rd_qpn_i[LW +: LW];
  assign w_info = info[w_at];
  assign r_info = info[r_line];
  assign w_same = w_info.id == ((state_q == F_ASK) ? f_id_q : w_id);
  assign r_same = r_info.id == {rd_gen_i, rd_qpn_i};

  cairn_int_pkg::dma_rsp_t rsp;
  assign rsp        = beat_i.meta;
  assign beat       = beat_i.valid && rsp.client == 4'(CLIENT) && rsp.tag == cairn_int_pkg::RTAG_W'(TAG);
  assign f_done     = beat && rsp.last;
  assign wr_ready_o = !beat && !init_q && state_q != F_ASK;   // F_ASK writes the line's state
  assign wr_go      = wr_i.valid && wr_ready_o;

  always_comb begin
    new_line = w_line;
    new_info = {w_id, 1'b0, (w_same ? w_info.valid : 16'h0) | (16'h1 << wr_i.index)};
    info_we  = wr_go;
    if (init_q) begin
      new_line = init_line_q;
      new_info = '0;
      info_we  = 1'b1;
    end else if (f_done) begin
      new_line = f_line_q;
      new_info = {f_id_q, rsp.err, rsp.err ? f_valid_q : 16'hffff};
      info_we  = !broken_q;
    end else if (state_q == F_ASK) begin
      new_line = f_line_q;
      new_info = {f_id_q, 1'b0, w_same ? w_info.valid : 16'h0};
      info_we  = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (info_we) info[new_line] <= new_info;
    if (state_q == F_ASK || (wr_go && w_line == f_line_q)) f_valid_q <= new_info.valid;
  end

  // ---- entries ----
  logic [COLS-1:0] we;
  logic [RW-1:0]   b_row, w_row, r_row;
  logic            half_q, clash, clash_q;
  logic [511:0]    row;
  logic [255:0]    written_q;
  assign b_row = rsp.offset[8:6];
  assign w_row = wr_i.index[3:1];
  assign r_row = rd_index_i[3:1];
  for (genvar c = 0; c < COLS; c++) begin : g_col
    assign we[c] = beat ? rsp.nbytes != '0 && !broken_q && !f_valid_q[{b_row, 1'(c)}] : wr_go && wr_i.index[0] == 1'(c);
  end
  ram_1r1w #(.WIDTH(512), .DEPTH(LINES * 8), .COL_W(256), .BYPASS(2)) u_ent (
      .clk_i, .we_i(we), .waddr_i(beat ? {f_line_q, b_row} : {w_line, w_row}),
      .wdata_i(beat ? beat_data_i : {2{wr_i.entry}}),
      .re_i(rd_valid_i), .raddr_i({r_line, r_row}), .rdata_o(row));
  // What is read while it is written is what is written. A beat only writes what is not valid yet.
  assign clash = wr_go && w_line == r_line && wr_i.index == rd_index_i;
  always_ff @(posedge clk_i) begin
    if (rd_valid_i) clash_q <= clash;
    if (rd_valid_i) written_q <= wr_i.entry;
  end
  assign rd_entry_o = clash_q ? written_q : half_q ? row[511:256] : row[255:0];

  // ---- fills ----
  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd            = '0;
    rd.func       = func_i;
    rd.iova       = base_i + {31'h0, f_id_q[23:0], 9'h0};
    rd.len        = cairn_int_pkg::LEN_W'(512);
    rd.tag        = cairn_int_pkg::RTAG_W'(TAG);
    rd.nb_valid   = 1'b1;
    rd.not_before = f_ticket_q;
    rd.epoch      = epoch_i;
  end
  logic asked_q;
  assign host_rd_o.req    = rd;
  assign host_rd_o.valid  = state_q == F_WAIT && !asked_q;
  logic [9:0]    fresh_q;         // cycles for which the line last filled is its QP's
  logic [LW-1:0] fresh_line_q;
  logic [31:0]   fresh_id_q;
  assign fill_ready_o = state_q == F_IDLE && !init_q
      && (fresh_q == '0 || rd_line_q != fresh_line_q || rd_id_q == fresh_id_q);
  assign wake_o.valid = state_q == F_WAKE;
  assign wake_o.qpn   = f_id_q[23:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_line_q <= '0;
      state_q     <= F_IDLE;
      rd_hit_o    <= 1'b0;
    end else begin
      if (init_q) begin
        init_line_q <= init_line_q + 1'b1;
        init_q      <= init_line_q != LW'(LINES - 1);
      end
      case (state_q)
        F_IDLE: if (fill_valid_i && fill_ready_o) state_q <= F_ASK;
        F_ASK:  state_q <= F_WAIT;
        F_WAIT: if (f_done) state_q <= F_WAKE;
        default: if (wake_ready_i) state_q <= F_IDLE;
      endcase
      // A line that is taken over in this very cycle reads as the new owner's.
      rd_hit_o <= rd_valid_i && r_same && !(wr_go && w_line == r_line && !w_same) && (r_info.failed
          || r_info.valid[4'(rd_index_i)]);
    end
    rd_err_o <= r_info.failed;
    if (!rst_ni) fresh_q <= '0;
    else if (f_done) fresh_q <= '1;
    else if (rd_valid_i && {rd_gen_i, rd_qpn_i} == fresh_id_q) fresh_q <= '0;
    else if (fresh_q != '0) fresh_q <= fresh_q - 1'b1;
    if (f_done) {fresh_line_q, fresh_id_q} <= {f_line_q, f_id_q};
    if (rd_valid_i) half_q <= rd_index_i[0];
    if (rd_valid_i) begin
      rd_line_q <= r_line;
      rd_id_q   <= {rd_gen_i, rd_qpn_i};
    end
    if (state_q == F_IDLE) begin
      f_line_q <= rd_line_q;
      f_id_q   <= rd_id_q;
      broken_q <= 1'b0;
    end else if (wr_go && w_line == f_line_q && w_id != f_id_q) begin
      broken_q <= 1'b1;
    end
    if (state_q == F_ASK) begin
      f_ticket_q <= last_ticket_i;
      asked_q    <= 1'b0;
    end else if (host_rd_o.valid && host_rd_ready_i) begin
      asked_q    <= 1'b1;
    end
  end
  assign idle_o = state_q == F_IDLE && !init_q && !wr_i.valid && fresh_q == '0;
endmodule
