// SPDX-License-Identifier: Apache-2.0
// DMA engine of the management core: moves 32-bit words between host memory and a 4 KiB buffer RAM. Operations
// are queued and begin in order; host addresses, lengths and buffer offsets are multiples of 4.
// - Read: cut at 128-byte lines, up to four lines in flight (client RD_FW), so several operations overlap. Data beats
//   come unasked for on the broadcast stream; a queue that holds four whole lines in their worst shape takes them,
//   and is written to the RAM a word a cycle.
// - Write: cut at 64-byte lines, each a small posted write (client WR_FW), one after the other: what firmware writes
//   leaves in its order. Finished when dma_write has accepted the last one; then, if asked for, the MSI-X vector is
//   raised, so it follows the data.
// Errors: a failed read ends with err; a length of 0, not a multiple of 4, or past the end of the buffer likewise.
// flush_i (core held): operations are forgotten, reads under way are waited for and thrown away.
module fw_dma #(
    parameter int unsigned DATA_W = 512
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          flush_i,
    // operations
    input  logic          op_valid_i,
    output logic          op_ready_o,
    input  logic [2:0]    op_slot_i,
    input  logic          op_write_i,
    input  logic          op_only_msix_i,   // no transfer, no slot: just the vector
    input  logic          op_ordered_i,     // read: after every write accepted so far
    input  logic          op_msix_i,
    input  logic [4:0]    op_vector_i,
    input  logic [63:2]   op_iova_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] op_len_i,
    input  logic [11:0]   op_buf_i,
    output logic [7:0]    done_o,           // pulses, bit per slot
    output logic [7:0]    done_err_o,
    // core's window on the buffer: valid holds until ready
    input  logic          ram_valid_i,
    output logic          ram_ready_o,
    input  logic          ram_we_i,
    input  logic [11:2]   ram_addr_i,
    input  logic [3:0]    ram_wstrb_i,
    input  logic [31:0]   ram_wdata_i,
    output logic [31:0]   ram_rdata_o,
    // DMA
    input  logic [cairn_int_pkg::TICKET_W-1:0]  last_ticket_i,
    output logic          rd_valid_o,
    input  logic          rd_ready_i,
    output logic [cairn_int_pkg::DMA_RD_W-1:0]  rd_req_o,
    input  logic          rsp_valid_i,
    input  logic [cairn_int_pkg::DMA_RSP_W-1:0] rsp_meta_i,
    input  logic [DATA_W-1:0] rsp_data_i,
    output logic          wr_valid_o,
    input  logic          wr_ready_i,
    output logic [cairn_int_pkg::DMA_WR_W-1:0]  wr_cmd_o,
    output logic          msix_valid_o,
    input  logic          msix_ready_i,
    output logic [4:0]    msix_vector_o,
    output logic          idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  localparam int unsigned TW    = cairn_int_pkg::TICKET_W;
  localparam int unsigned LINES = 4;
  localparam int unsigned WORDS = DATA_W / 32;
  localparam int unsigned WORDS_W = $clog2(WORDS);
  // A 128-byte line comes as at most 1024 / DATA_W beats, rounded up in each 64-byte half, and one for an error.
  localparam int unsigned BEATS = LINES * ((1024 / DATA_W < 2 ? 2 : 1024 / DATA_W) + 1);

  // Queue of operations -------------------------------------------------------------------------------------
  localparam int unsigned OP_W = 3 + 1 + 1 + 1 + 1 + 5 + 62 + LEN_W + 12;
  logic             q_valid, q_take, unused_q_af;
  logic [2:0]       q_slot;
  logic             q_write, q_only, q_ordered, q_msix;
  logic [4:0]       q_vector;
  logic [63:2]      q_iova;
  logic [LEN_W-1:0] q_len;
  logic [11:0]      q_buf;
  logic [4:0]       unused_q_lvl;
  sync_fifo #(.WIDTH(OP_W), .DEPTH(16)) u_ops (
      .clk_i, .rst_ni(rst_ni && !flush_i), .in_valid_i(op_valid_i), .in_ready_o(op_ready_o),
      .in_data_i({op_slot_i, op_write_i, op_only_msix_i, op_ordered_i, op_msix_i, op_vector_i, op_iova_i,
                  op_len_i, op_buf_i}),
      .out_valid_o(q_valid), .out_ready_i(q_take),
      .out_data_o({q_slot, q_write, q_only, q_ordered, q_msix, q_vector, q_iova, q_len, q_buf}),
      .level_o(unused_q_lvl), .almost_full_o(unused_q_af));

  // Engine ------------------------------------------------------------------------------------------------
  typedef enum logic [2:0] {S_IDLE, S_LINE, S_ASK, S_GATHER, S_PUT, S_MSIX} state_e;
  state_e           state_q;
  logic             abort_q, write_q, ordered_q, msix_q, bad, put_done;
  logic [2:0]       slot_q;
  logic [4:0]       vector_q;
  logic [63:2]      iova_q;
  logic [10:0]      left_q;          // words
  logic [11:2]      buf_q;
  logic [5:0]       n, n_q;          // words of this line
  logic [1:0]       line_q;
  logic [TW-1:0]    ticket_q;
  logic [LINES-1:0] busy_q, dead_q;  // line buffers asked for; those of forgotten operations
  logic [1:0]       free_line;
  logic             have_line;
  logic [LINES-1:0] unused_free;

  assign bad    = q_len == '0 || q_len[1:0] != 2'b00 || {2'b00, q_buf} + {1'b0, q_len} > 14'd4096;
  assign q_take = state_q == S_IDLE;
  prio_enc #(.N(LINES)) u_free (
      .in_i(~busy_q), .valid_o(have_line), .idx_o(free_line), .onehot_o(unused_free));

  // Words up to the end of the line, or what is left.
  logic [5:0] room;
  assign room = write_q ? 6'd16 - {2'd0, iova_q[5:2]} : 6'd32 - {1'b0, iova_q[6:2]};
  assign n    = (left_q > {5'd0, room}) ? room : left_q[5:0];

  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd            = '0;
    rd.iova       = {iova_q, 2'b00};
    rd.len        = {5'd0, n_q, 2'b00};
    rd.tag        = 12'(line_q);
    rd.nb_valid   = ordered_q;
    rd.not_before = ticket_q;
  end
  logic [511:0] put_q;
  cairn_int_pkg::dma_wr_t wr;
  always_comb begin
    wr      = '0;
    wr.iova = {iova_q, 2'b00};
    wr.len  = {5'd0, n_q, 2'b00};
    wr.data = put_q;
  end
  assign rd_valid_o    = state_q == S_ASK;
  assign rd_req_o      = rd;
  assign wr_valid_o    = state_q == S_PUT;
  assign wr_cmd_o      = wr;
  assign msix_valid_o  = state_q == S_MSIX;
  assign msix_vector_o = vector_q;

  // Reading the buffer for a write: word get_q is asked for, word got_q arrives.
  logic        get_re, got_valid_q, ram_read;
  logic [4:0]  get_q;
  logic [3:0]  got_q;
  logic [31:0] ram_rdata;
  assign get_re = state_q == S_GATHER && {1'b0, get_q} != n_q && !ram_read;

  always_ff @(posedge clk_i) begin
    got_valid_q <= get_re;
    got_q       <= get_q[3:0];
    if (state_q == S_LINE) get_q <= '0;
    else if (get_re) get_q <= get_q + 5'd1;
    for (int unsigned i = 0; i < 16; i++) begin
      if (got_valid_q && got_q == 4'(i)) put_q[32*i +: 32] <= ram_rdata;
    end

    if (!rst_ni) begin
      state_q <= S_IDLE;
      abort_q <= 1'b0;
    end else begin
      // What is on offer must be taken before an operation can be dropped.
      abort_q <= (abort_q || flush_i) && state_q != S_IDLE;
      case (state_q)
        S_IDLE: if (q_valid && !flush_i) state_q <= q_only ? S_MSIX : bad ? S_IDLE : S_LINE;
        S_LINE: if (abort_q) state_q <= S_IDLE;
                else if (write_q) state_q <= S_GATHER;
                else if (have_line) state_q <= S_ASK;
        S_ASK: if (rd_ready_i) state_q <= (left_q == {5'd0, n_q}) ? S_IDLE : S_LINE;
        S_GATHER: if ({1'b0, get_q} == n_q && !got_valid_q) state_q <= abort_q ? S_IDLE : S_PUT;
        S_PUT: if (wr_ready_i) state_q <= (left_q != {5'd0, n_q}) ? S_LINE : (msix_q && !abort_q) ? S_MSIX : S_IDLE;
        default: if (msix_ready_i) state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) begin
      slot_q    <= q_slot;
      write_q   <= q_write && !q_only;
      ordered_q <= q_ordered;
      msix_q    <= q_msix;
      vector_q  <= q_vector;
      iova_q    <= q_iova;
      left_q    <= q_len[12:2];
      buf_q     <= q_buf[11:2];
    end
    if (state_q == S_LINE) begin
      n_q      <= n;
      line_q   <= free_line;
      ticket_q <= last_ticket_i;
    end
    if ((rd_valid_o && rd_ready_i) || (wr_valid_o && wr_ready_i)) begin
      iova_q <= iova_q + 62'(n_q);
      left_q <= left_q - {5'd0, n_q};
      buf_q  <= buf_q + {4'd0, n_q};
    end
  end
  assign put_done = (state_q == S_PUT && wr_ready_i && left_q == {5'd0, n_q} && !msix_q)
                    || (state_q == S_MSIX && msix_ready_i && write_q);

  // Answers -----------------------------------------------------------------------------------------------
  cairn_int_pkg::dma_rsp_t rsp;
  assign rsp = rsp_meta_i;

  localparam int unsigned B_W = DATA_W + 2 + 5 + 5 + 1 + 1;
  logic              b_valid, b_take, b_last, b_err, unused_b_in, unused_b_af;
  logic [1:0]        b_line;
  logic [4:0]        b_off, b_words;     // first word in its line, number of words
  logic [DATA_W-1:0] b_data;
  logic [$clog2(BEATS+1)-1:0] unused_b_lvl;
  sync_fifo #(.WIDTH(B_W), .DEPTH(BEATS)) u_beats (
      .clk_i, .rst_ni,
      .in_valid_i(rsp_valid_i && rsp.client == 4'(cairn_int_pkg::RD_FW)), .in_ready_o(unused_b_in),
      .in_data_i({rsp_data_i, rsp.tag[1:0], rsp.offset[6:2], rsp.nbytes[6:2], rsp.last, rsp.err}),
      .out_valid_o(b_valid), .out_ready_i(b_take),
      .out_data_o({b_data, b_line, b_off, b_words, b_last, b_err}),
      .level_o(unused_b_lvl), .almost_full_o(unused_b_af));

  // Of each line: where it goes, whose it is. Of each slot: all its lines asked for, an error so far.
  logic [11:2]       base_q [0:LINES-1];
  logic [2:0]        owner_q [0:LINES-1];
  logic [7:0]        asked_q, err_q;
  logic [WORDS_W-1:0] word_q;
  logic              put_word, line_end, last_line;
  logic [2:0]        owner;
  logic [31:0]       b_word;
  logic              others;

  assign owner    = owner_q[b_line];
  assign b_word   = b_data[word_q*32 +: 32];
  assign put_word = b_valid && b_words != 5'd0 && !(ram_valid_i && ram_we_i);
  assign b_take   = b_valid && (b_words == 5'd0 || (put_word && 5'(word_q) + 5'd1 == b_words));
  assign line_end = b_take && b_last;
  always_comb begin
    others = 1'b0;
    for (int unsigned i = 0; i < LINES; i++) begin
      if (busy_q[i] && !dead_q[i] && owner_q[i] == owner && b_line != 2'(i)) others = 1'b1;
    end
  end
  assign last_line = line_end && !dead_q[b_line] && asked_q[owner] && !others;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || b_take) word_q <= '0;
    else if (put_word) word_q <= word_q + 1'b1;

    if (state_q == S_IDLE && q_valid && !q_only) begin
      asked_q[q_slot] <= 1'b0;
      err_q[q_slot]   <= 1'b0;
    end
    if (state_q == S_LINE && !write_q && have_line && !abort_q) begin
      base_q[free_line]  <= buf_q;
      owner_q[free_line] <= slot_q;
      if (left_q == {5'd0, n}) asked_q[slot_q] <= 1'b1;
    end
    if (line_end && b_err) err_q[owner] <= 1'b1;

    for (int unsigned i = 0; i < LINES; i++) begin
      if (!rst_ni) busy_q[i] <= 1'b0;
      else if (state_q == S_LINE && !write_q && have_line && !abort_q && free_line == 2'(i)) busy_q[i] <= 1'b1;
      else if (line_end && b_line == 2'(i)) busy_q[i] <= 1'b0;
      dead_q[i] <= busy_q[i] && (dead_q[i] || flush_i);
    end
  end

  always_comb begin
    done_o     = '0;
    done_err_o = '0;
    if (last_line && !flush_i) begin
      done_o[owner]     = 1'b1;
      done_err_o[owner] = err_q[owner] || b_err;
    end
    if (put_done && !abort_q && !flush_i) done_o[slot_q] = 1'b1;
    if (state_q == S_IDLE && q_valid && !q_only && bad && !flush_i) begin
      done_o[q_slot]     = 1'b1;
      done_err_o[q_slot] = 1'b1;
    end
  end

  // Buffer: the core goes first on both ports ------------------------------------------------------------------
  logic       cpu_read_q;
  logic [3:0] ram_we;
  assign ram_read    = ram_valid_i && !ram_we_i && !cpu_read_q;
  assign ram_ready_o = ram_valid_i && (ram_we_i || cpu_read_q);
  assign ram_rdata_o = ram_rdata;
  assign ram_we      = (ram_valid_i && ram_we_i) ? ram_wstrb_i : {4{put_word && !dead_q[b_line]}};
  ram_1r1w #(.WIDTH(32), .DEPTH(cairn_hw_pkg::FW_DMA_BUFFER_BYTES / 4), .COL_W(8), .BYPASS(1)) u_ram (
      .clk_i, .we_i(ram_we),
      .waddr_i((ram_valid_i && ram_we_i) ? ram_addr_i : base_q[b_line] + {5'd0, b_off} + 10'(word_q)),
      .wdata_i((ram_valid_i && ram_we_i) ? ram_wdata_i : b_word),
      .re_i(ram_read || get_re), .raddr_i(ram_read ? ram_addr_i : buf_q + {5'd0, get_q}),
      .rdata_o(ram_rdata));
  always_ff @(posedge clk_i) cpu_read_q <= rst_ni && ram_read;

  assign idle_o = state_q == S_IDLE && !q_valid && !b_valid;
endmodule
