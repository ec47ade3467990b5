// SPDX-License-Identifier: Apache-2.0
// Responder resources on chip below 512 bit: as rsp_res_cache, but that an entry is some words of the RAM, one of which
// is written or read in a cycle.
//
// Write: wr_i stays until its ready; the line's state is changed with the first word. Reads begin when no write is
//   under way, and writes wait for one that has begun. Fills are not begun while one waits. One of them at a time asks
//   for the state of its line.
// Read: rd_valid_i is a strobe; QPN, generation and index stay until rd_done_o. Words of the entry come before and with
//   that (rd_comes_o, rd_at_o, rd_word_o); rd_done_o tells its state.
// Fill, errors: as rsp_res_cache.
// Cycles: a write 4 at 64 bit, a read 6.
module rsp_res_words #(
    parameter int unsigned WORD_W   = 64,        // to 256; of a beat, too
    parameter int unsigned LINES    = 16,        // power of two
    parameter int unsigned CLIENT   = cairn_int_pkg::RD_QPC,
    parameter int unsigned TAG      = 0,         // of its reads among those of the client
    parameter int unsigned QPN_W    = 24,        // of a QPN, bits that are not always 0
    localparam int unsigned LW      = $clog2(LINES),
    localparam int unsigned WORDS   = 256 / WORD_W,
    localparam int unsigned WW      = (WORDS > 1) ? $clog2(WORDS) : 1
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
    output logic                               rd_done_o,
    output logic                               rd_comes_o,
    output logic [WW-1:0]                      rd_at_o,
    output logic [WORD_W-1:0]                  rd_word_o,
    input  logic                               fill_valid_i,  // of the QP last read
    output logic                               fill_ready_o,
    output cairn_int_pkg::kick_t               wake_o,
    input  logic                               wake_ready_i,
    // host memory
    output cairn_int_pkg::dma_read_t           host_rd_o,
    input  logic                               host_rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [WORD_W-1:0]                  beat_data_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    output logic                               idle_o
);
  localparam int unsigned EA = $clog2(LINES * 16 * WORDS);
  localparam int unsigned NO_WORD = (WORDS > 1) ? 0 : 1;     // low bits of {line, entry, word} that count nothing
  typedef enum logic [1:0] {F_IDLE, F_ASK, F_WAIT, F_WAKE} state_e;

  if (LINES < 2 || (1 << LW) != LINES || LINES > 4096
      || WORDS * WORD_W != 256) begin : g_chk
    $error("rsp_res_words: LINES must be a power of two, 2 to 4096; WORD_W 64, 128 or 256");
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
  cairn_int_pkg::res_line_t is, new_info;      // of the line of a fill that begins, of a write, of a read
  logic [LW-1:0]   w_line, at, r_line, new_line;
  logic            info_we, same;
  logic [15:0]     f_valid_q;     // of the line that is filled, since F_ASK
  logic            beat, f_done, wr_go, wr_first, start, want_q, reading_q;
  logic [WW-1:0]   put_q, get_q;        // words
  logic [31:0]     w_id, id;
  cairn_hw_pkg::rsp_res_t went;
  assign went   = wr_i.entry;
  assign w_id   = {went.msn_gen, went.qpn};
  // One line only for a QP, wherever its context is cached: a second copy would go stale.
  assign w_line = went.qpn[LW-1:0] ^ went.qpn[LW +: LW];
  assign r_line = rd_qpn_i[LW-1:0] ^ rd_qpn_i[LW +: LW];
  localparam logic [31:0] ID = {8'hff, 24'((32'h1 << QPN_W) - 32'h1)};
  assign at     = (state_q == F_ASK) ? f_line_q : wr_i.valid ? w_line : r_line;
  assign id     = (state_q == F_ASK) ? f_id_q : wr_i.valid ? w_id : {rd_gen_i, rd_qpn_i};
  assign is     = info[at];
  assign same   = (is.id & ID) == id;

  cairn_int_pkg::dma_rsp_t rsp;
  assign rsp        = beat_i.meta;
  assign beat       = beat_i.valid && rsp.client == 4'(CLIENT) && rsp.tag == cairn_int_pkg::RTAG_W'(TAG);
  assign f_done     = beat && rsp.last;
  assign wr_go      = wr_i.valid && !beat && !init_q && state_q != F_ASK && !reading_q;   // F_ASK writes the state
  assign wr_first   = wr_go && put_q == '0;
  assign wr_ready_o = wr_go && put_q == WW'(WORDS - 1);
  assign start      = want_q && !wr_i.valid && !reading_q && !init_q && state_q != F_ASK;

  always_comb begin
    new_line = w_line;
    new_info = {w_id, 1'b0, (same ? is.valid : 16'h0) | (16'h1 << wr_i.index)};
    info_we  = wr_first;
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
      new_info = {f_id_q, 1'b0, same ? is.valid : 16'h0};
      info_we  = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (info_we) info[new_line] <= new_info;
    if (state_q == F_ASK || (wr_first && w_line == f_line_q)) f_valid_q <= new_info.valid;
  end

  // ---- entries ----
  logic              we;
  logic [3:0]        b_entry;
  logic [WORD_W-1:0] word_in;
  logic [WW-1:0]     b_word, got_q;
  assign b_entry = rsp.offset[8:5];
  assign b_word  = WW'(rsp.offset[4:0] >> $clog2(WORD_W / 8));
  assign we      = beat ? rsp.nbytes != '0 && !broken_q && !f_valid_q[b_entry] : wr_go;
  always_comb begin
    word_in = beat_data_i;
    for (int unsigned i = 0; i < WORDS; i++) if (!beat && put_q == WW'(i)) word_in = wr_i.entry[WORD_W*i +: WORD_W];
  end
  logic [LW+4+WW-1:0] waddr, raddr;
  assign waddr = beat ? {f_line_q, b_entry, b_word} : {w_line, wr_i.index, put_q};
  assign raddr = {r_line, rd_index_i, get_q};
  ram_1r1w #(.WIDTH(WORD_W), .DEPTH(LINES * 16 * WORDS), .BYPASS(2)) u_ent (
      .clk_i, .we_i(we), .waddr_i(waddr[NO_WORD +: EA]), .wdata_i(word_in),
      .re_i(start || reading_q), .raddr_i(raddr[NO_WORD +: EA]),
      .rdata_o(rd_word_o));
  assign rd_at_o = got_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      want_q     <= 1'b0;
      reading_q  <= 1'b0;
      rd_comes_o <= 1'b0;
      rd_done_o  <= 1'b0;
      put_q      <= '0;
      get_q      <= '0;
    end else begin
      want_q     <= rd_valid_i || (want_q && !start);
      reading_q  <= (start || reading_q) && get_q != WW'(WORDS - 1);
      rd_comes_o <= start || reading_q;
      rd_done_o  <= (start || reading_q) && get_q == WW'(WORDS - 1);
      if (wr_go) put_q <= wr_ready_o ? '0 : put_q + 1'b1;
      if (start || reading_q) get_q <= (get_q == WW'(WORDS - 1)) ? '0 : get_q + 1'b1;
    end
    got_q <= get_q;
  end

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
  assign fill_ready_o = state_q == F_IDLE && !init_q && !wr_i.valid && !want_q && !reading_q
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
      if (start) rd_hit_o <= same && (is.failed || is.valid[rd_index_i]);
    end
    if (start) rd_err_o <= is.failed;
    if (!rst_ni) fresh_q <= '0;
    else if (f_done) fresh_q <= '1;
    else if (start && {rd_gen_i, rd_qpn_i} == fresh_id_q) fresh_q <= '0;
    else if (fresh_q != '0) fresh_q <= fresh_q - 1'b1;
    if (f_done) {fresh_line_q, fresh_id_q} <= {f_line_q, f_id_q};
    if (start) begin
      rd_line_q <= r_line;
      rd_id_q   <= {rd_gen_i, rd_qpn_i};
    end
    if (state_q == F_IDLE) begin
      f_line_q <= rd_line_q;
      f_id_q   <= rd_id_q;
      broken_q <= 1'b0;
    end else if (wr_first && w_line == f_line_q && w_id != f_id_q) begin
      broken_q <= 1'b1;
    end
    if (state_q == F_ASK) begin
      f_ticket_q <= last_ticket_i;
      asked_q    <= 1'b0;
    end else if (host_rd_o.valid && host_rd_ready_i) begin
      asked_q    <= 1'b1;
    end
  end
  assign idle_o = state_q == F_IDLE && !init_q && !wr_i.valid && !want_q && !reading_q && fresh_q == '0;
endmodule
