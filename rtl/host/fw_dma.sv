// SPDX-License-Identifier: Apache-2.0
// DMA engine of the management core: moves 32-bit words between host memory and the core's RAM.
//
// In the cycles in which the core leaves the RAM alone (cpu_ram). Operations are queued and begin in order; host
// addresses, lengths and RAM addresses are multiples of 4. It also loads the firmware image (load_i), while the core is
// held.
// Read: (client RD_FW) cut at 64-byte lines, so that a completion is never cut again; LINES of them in flight cover a
//   round trip of 1500 ns at a word a cycle. Answers come in any order; each line has its place, and they go to the RAM
//   in the order of the requests.
// Write: (client WR_FW) cut at 64-byte lines, each a small posted write, one after the other, so what firmware writes
//   leaves in its order. Finished when dma_write has accepted the last one; then, if asked for, the MSI-X vector is
//   raised, so it follows the data.
// Errors: a failed read ends with err, and nothing is written of a line that failed; so does a length of 0, not a
//   multiple of 4, above 4096 or past the end of the RAM. flush_i (core held, nothing loaded): operations are
//   forgotten, reads under way are waited for and thrown away.
module fw_dma #(
    parameter int unsigned  DATA_W = 512,
    parameter int unsigned  RAM_BYTES = cairn_hw_pkg::CPU_RAM_BYTES,  // at most that
    localparam int unsigned RAMW   = $clog2(cairn_hw_pkg::CPU_RAM_BYTES)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         flush_i,
    // operations
    input  cairn_int_pkg::fw_copy_t      op_i,
    output logic                         op_ready_o,
    output logic [7:0]                   done_o,  // pulses, bit per slot
    output logic [7:0]                   done_err_o,
    // firmware image: load_i until the end, or until it is given up
    input  cairn_int_pkg::fw_load_t      load_i,
    output cairn_int_pkg::fw_image_t     load_o,  // a word of it goes to the RAM, in order
    // the core's RAM: valid holds until ready; a word that is read comes in the cycle after
    output cairn_int_pkg::ram_access_t   ram_o,
    input  logic                         ram_ready_i,
    input  logic [31:0]                  ram_rdata_i,
    // DMA
    output cairn_int_pkg::dma_read_t     rd_o,
    input  logic                         rd_ready_i,
    input  cairn_int_pkg::dma_beat_t     beat_i,
    input  logic [DATA_W-1:0]            beat_data_i,
    output cairn_int_pkg::dma_write_t    wr_o,
    input  logic                         wr_ready_i,
    input  logic [2:0]                   word_i,  // of DATA_W: which one of the data wr_o shows, in the low bits
    output cairn_int_pkg::msix_request_t msix_o,
    input  logic                         msix_ready_i,
    output logic                         idle_o
);
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  localparam int unsigned LINES  = (DATA_W >= 256) ? 32 : 16;   // at 4 ns a cycle, at 8 ns
  localparam int unsigned LINE_W = $clog2(LINES);
  localparam int unsigned BEATS  = 512 / DATA_W;                // of a line
  localparam int unsigned BYTE_W = $clog2(DATA_W / 8);
  localparam int unsigned WORD_W = BYTE_W - 2;                  // which word of a beat

  // Queue of operations -------------------------------------------------------------------------------------
  // Judged before they wait: length and address are registers there, and what leaves the queue has a long way to go.
  logic             q_valid, q_take, op_bad, bad;
  cairn_int_pkg::fw_job_t op, q;
  assign op     = {op_i.slot, op_i.write, op_i.only_msix, op_i.msix, op_i.vector, op_i.iova, op_i.len, op_i.ram};
  assign op_bad = op.len == '0 || op.len[1:0] != 2'b00 || op.len > LEN_W'(4096)
                  || {1'b0, op.ram} + {{(RAMW+1-LEN_W){1'b0}}, op.len[LEN_W-1:2]} > (RAMW-1)'(RAM_BYTES / 4);
  sync_fifo #(.WIDTH(1 + cairn_int_pkg::FW_JOB_W), .DEPTH(16)) u_ops (
      .clk_i, .rst_ni(rst_ni && !flush_i), .in_valid_i(op_i.valid), .in_ready_o(op_ready_o),
      .in_data_i({op_bad && !op.only_msix, op}),
      .out_valid_o(q_valid), .out_ready_i(q_take), .out_data_o({bad, q}));

  // Engine ------------------------------------------------------------------------------------------------
  typedef enum logic [2:0] {S_IDLE, S_LINE, S_ASK, S_GATHER, S_PUT, S_MSIX} state_e;
  state_e           state_q;
  logic             abort_q, write_q, msix_q, put_done, last;
  logic             load_q, begin_load;   // the image's operation has begun
  logic [2:0]       slot_q;
  logic [4:0]       vector_q;
  logic [63:2]      iova_q;
  logic [RAMW:2]    left_q;              // words
  logic [RAMW-1:2]  ram_q;
  logic [4:0]       room, n, n_q;        // words of this line
  logic             push, have_line;
  logic [LINE_W-1:0] tail_q, line_q;

  assign begin_load = load_i.go && !load_q;
  assign q_take     = state_q == S_IDLE && !begin_load;

  // Words up to the end of the line, or what is left.
  assign room = 5'd16 - {1'b0, iova_q[5:2]};
  assign last = left_q <= (RAMW-1)'(room);
  assign n    = last ? left_q[6:2] : room;
  assign push = state_q == S_LINE && !write_q && have_line && !abort_q;

  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd      = '0;
    rd.iova = {iova_q, 2'b00};
    rd.len  = {6'd0, n_q, 2'b00};
    rd.tag  = 12'(line_q);
  end
  logic [DATA_W-1:0] shown;      // of the data gathered
  cairn_int_pkg::dma_wr_t wr;
  always_comb begin
    wr      = '0;
    wr.iova = {iova_q, 2'b00};
    wr.len  = {6'd0, n_q, 2'b00};
    wr.data[DATA_W-1:0] = shown;
  end
  assign rd_o.valid    = state_q == S_ASK;
  assign rd_o.req      = rd;
  assign wr_o.valid    = state_q == S_PUT;
  assign wr_o.cmd      = wr;
  assign msix_o.valid  = state_q == S_MSIX;
  assign msix_o.vector = vector_q;

  // Reading the RAM for a write: word get_q is asked for, word got_q arrives. Goes before what is to be written there.
  logic        get_want, get_re, got_valid_q;
  logic [4:0]  get_q;
  logic [3:0]  got_q;
  assign get_want = state_q == S_GATHER && get_q != n_q;
  assign get_re   = get_want && ram_ready_i;

  // Gathered: words of 32 bits, side by side in BEATS rows of DATA_W.
  for (genvar g = 0; g < DATA_W / 32; g++) begin : g_row
    if (BEATS == 1) begin : g_one
      logic [31:0] kept_q;
      always_ff @(posedge clk_i) if (got_valid_q && got_q == 4'(g)) kept_q <= ram_rdata_i;
      assign shown[32*g +: 32] = kept_q;
    end else begin : g_more
      logic [31:0] mem [0:BEATS-1];
      always_ff @(posedge clk_i) begin
        if (got_valid_q && got_q[WORD_W-1:0] == WORD_W'(g)) mem[got_q[3:WORD_W]] <= ram_rdata_i;
      end
      assign shown[32*g +: 32] = mem[word_i[3-WORD_W:0]];
    end
  end
  if (BEATS != 8) begin : g_word
    logic unused_word;
    assign unused_word = ^word_i;
  end

  always_ff @(posedge clk_i) begin
    got_valid_q <= get_re;
    got_q       <= get_q[3:0];
    if (state_q == S_LINE) get_q <= '0;
    else if (get_re) get_q <= get_q + 5'd1;
    load_q <= rst_ni && load_i.go && (load_q || state_q == S_IDLE);
    if (!rst_ni) begin
      state_q <= S_IDLE;
      abort_q <= 1'b0;
      tail_q  <= '0;
    end else begin
      // What is on offer must be taken before an operation can be dropped.
      abort_q <= (abort_q || flush_i) && state_q != S_IDLE;
      if (push) tail_q <= tail_q + 1'b1;
      case (state_q)
        S_IDLE: if (begin_load) state_q <= S_LINE;
                else if (q_valid && !flush_i) state_q <= q.only_msix ? S_MSIX : bad ? S_IDLE : S_LINE;
        S_LINE: if (abort_q) state_q <= S_IDLE;
                else if (write_q) state_q <= S_GATHER;
                else if (have_line) state_q <= S_ASK;
        S_ASK: if (rd_ready_i) state_q <= (left_q == (RAMW-1)'(n_q)) ? S_IDLE : S_LINE;
        S_GATHER: if (get_q == n_q && !got_valid_q) state_q <= abort_q ? S_IDLE : S_PUT;
        S_PUT: if (wr_ready_i) state_q <= (left_q != (RAMW-1)'(n_q)) ? S_LINE : (msix_q && !abort_q) ? S_MSIX : S_IDLE;
        default: if (msix_ready_i) state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) begin
      slot_q   <= q.slot;
      write_q  <= q.write && !q.only_msix && !begin_load;
      msix_q   <= q.msix;
      vector_q <= q.vector;
      iova_q   <= begin_load ? load_i.iova : q.iova;
      left_q   <= begin_load ? load_i.words[RAMW-2:0] : (RAMW-1)'(q.len[LEN_W-1:2]);
      ram_q    <= begin_load ? '0 : q.ram;
    end
    if (state_q == S_LINE) begin
      n_q    <= n;
      line_q <= tail_q;
    end
    if ((rd_o.valid && rd_ready_i) || (wr_o.valid && wr_ready_i)) begin
      iova_q <= iova_q + 62'(n_q);
      left_q <= left_q - (RAMW-1)'(n_q);
      ram_q  <= ram_q + (RAMW-2)'(n_q);
    end
  end
  assign put_done = (state_q == S_PUT && wr_ready_i && left_q == (RAMW-1)'(n_q) && !msix_q)
                    || (state_q == S_MSIX && msix_ready_i && write_q);

  // Lines under way, the oldest first; those of forgotten operations are dead ---------------------------------
  logic              l_valid, l_pop, l_last;
  logic [RAMW-1:2]   l_ram;
  logic [4:0]        l_n;
  logic [2:0]        l_slot;
  logic [LINE_W:0]   level, dead_q;
  logic [LINE_W-1:0] head_q;
  logic [LINES-1:0]  here_q, err_q;      // all of it has come; it could not be read
  sync_fifo_level #(.WIDTH(RAMW - 2 + 5 + 3 + 1), .DEPTH(LINES)) u_lines (
      .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(have_line), .in_data_i({ram_q, n, slot_q, last}),
      .out_valid_o(l_valid), .out_ready_i(l_pop), .out_data_o({l_ram, l_n, l_slot, l_last}),
      .level_o(level));

  // Answers: each beat to its place. A host that cuts a line where it must not is an error, not a wrong word.
  cairn_int_pkg::dma_rsp_t rsp;
  logic              mine, cut;
  logic [LINE_W-1:0] at;
  localparam int unsigned PLACE_W = $clog2(LINES * BEATS);
  logic [PLACE_W-1:0] place, from;
  logic [DATA_W-1:0] beat;
  logic              beat_re;
  logic [3:0]        word_q;             // next word of the head's line
  assign rsp  = beat_i.meta;
  assign mine = beat_i.valid && rsp.client == 4'(cairn_int_pkg::RD_FW);
  assign at   = rsp.tag[LINE_W-1:0];
  assign cut  = rsp.nbytes != '0 && rsp.offset[BYTE_W-1:0] != '0;
  if (BEATS == 1) begin : g_one
    assign place = at;
    assign from  = head_q;
  end else begin : g_more
    assign place = {at, rsp.offset[5:BYTE_W]};
    assign from  = {head_q, word_q[3:WORD_W]};
  end
  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(LINES * BEATS), .BYPASS(2)) u_beats (
      .clk_i, .we_i(mine && rsp.nbytes != '0), .waddr_i(place), .wdata_i(beat_data_i),
      .re_i(beat_re), .raddr_i(from), .rdata_o(beat));

  // Into the RAM: stage a reads a word of the oldest line, stage b writes it ----------------------------------
  logic              fresh, void_line, go, b_take, b_free;
  logic              b_word_q, b_end_q, b_err_q, op_err_q, put;
  logic [2:0]        b_slot_q;
  logic [RAMW-1:2]   b_ram_q;
  logic [WORD_W-1:0] b_sel_q;
  assign fresh     = l_valid && here_q[head_q];
  assign void_line = fresh && (dead_q != '0 || err_q[head_q]);
  assign put       = b_word_q && !get_want && ram_ready_i;
  assign b_take    = put || (!b_word_q && b_end_q);
  assign b_free    = (!b_word_q && !b_end_q) || b_take;
  assign go        = fresh && !void_line && b_free;
  assign beat_re   = go;
  assign l_pop     = (go && {1'b0, word_q} + 5'd1 == l_n) || (void_line && b_free);

  always_ff @(posedge clk_i) begin
    if (mine && rsp.last) begin
      err_q[at] <= rsp.err || cut || err_q[at];
    end else if (mine && cut) err_q[at] <= 1'b1;
    if (l_pop) err_q[head_q] <= 1'b0;
    if (b_free) begin
      b_slot_q <= l_slot;
      b_ram_q  <= l_ram + (RAMW-2)'(word_q);
      b_sel_q  <= word_q[WORD_W-1:0];
      b_err_q  <= op_err_q || void_line;
    end
    if (!rst_ni) begin
      here_q   <= '0;
      err_q    <= '0;
      head_q   <= '0;
      dead_q   <= '0;
      word_q   <= '0;
      b_word_q <= 1'b0;
      b_end_q  <= 1'b0;
      op_err_q <= 1'b0;
    end else begin
      if (mine && rsp.last) here_q[at] <= 1'b1;
      if (l_pop) begin
        here_q[head_q] <= 1'b0;
        head_q         <= head_q + 1'b1;
      end
      if (l_pop || flush_i) word_q <= '0;
      else if (go) word_q <= word_q + 4'd1;

      if (flush_i) dead_q <= level + (LINE_W+1)'(push) - (LINE_W+1)'(l_pop);
      else if (l_pop && dead_q != '0) dead_q <= dead_q - 1'b1;

      if (flush_i) begin
        b_word_q <= 1'b0;
        b_end_q  <= 1'b0;
        op_err_q <= 1'b0;
      end else if (b_free) begin
        // The first line of an image that fails ends it.
        b_word_q <= go;
        b_end_q  <= l_pop && dead_q == '0 && (l_last || (void_line && load_q));
        if (l_pop && dead_q == '0) op_err_q <= !l_last && (op_err_q || void_line);
      end
    end
  end

  assign load_o.word = put && load_q && load_i.go;
  assign load_o.data = ram_o.wdata;
  assign load_o.over = b_end_q && b_take && load_q && !flush_i;
  assign load_o.err  = b_err_q;

  always_comb begin
    done_o     = '0;
    done_err_o = '0;
    if (b_end_q && b_take && !load_q && !flush_i) begin
      done_o[b_slot_q]     = 1'b1;
      done_err_o[b_slot_q] = b_err_q;
    end
    if (put_done && !abort_q && !flush_i) done_o[slot_q] = 1'b1;
    if (q_take && q_valid && bad && !flush_i) begin
      done_o[q.slot]     = 1'b1;
      done_err_o[q.slot] = 1'b1;
    end
  end

  assign ram_o.valid = get_want || b_word_q;
  assign ram_o.we    = !get_want;
  assign ram_o.addr  = get_want ? ram_q + (RAMW-2)'(get_q) : b_ram_q;
  assign ram_o.wdata = beat[32*b_sel_q +: 32];

  assign idle_o = state_q == S_IDLE && !q_valid && !begin_load && !fresh && !b_word_q && !b_end_q;
endmodule
