// SPDX-License-Identifier: Apache-2.0
// Read side of the RX pool: executes commands {cell, offset, length, first, free} and delivers each one's bytes as one
// packet.
//
// Packed from byte 0. The cells are stored in two banks of alternating words, so any window of DATA_W / 8 bytes comes
// in one read. The next cell of a list is looked up one cell ahead.
// - first: begin at byte off of the packet whose first cell is cell; otherwise go on where the last command ended
//   (dma_wr_arbiter never mixes the commands of two packets).
// - free: the packet's cells go back once this command's bytes are read.
// Cycles: n bytes take ceil(n / (DATA_W / 8)) cycles whatever the offset, and the next command follows without a gap. A
//   command with length 0 only frees, in one cycle.
// Errors: none; commands beyond the packet's end read rubbish.
module rx_pool_read #(
    parameter int unsigned DATA_W  = 512,
    parameter int unsigned CELLS   = 1024,
    localparam int unsigned IDX_W  = $clog2(CELLS),
    localparam int unsigned CNT_W  = 5,
    localparam int unsigned BYTES  = DATA_W / 8,
    localparam int unsigned NB_W   = $clog2(BYTES) + 1,
    localparam int unsigned WORD_W = $clog2(cairn_int_pkg::CELL_BYTES / BYTES)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // what the writer stores: words, links, number of cells by first cell
    input  cairn_int_pkg::pool_write_t   write_i,
    input  logic [DATA_W-1:0]            data_word_i,
    // commands
    input  cairn_int_pkg::pool_cmd_t     cmd_i,
    output logic                         cmd_ready_o,
    // data
    output cairn_int_pkg::beat_t         out_o,
    input  logic                         out_ready_i,
    output logic [DATA_W-1:0]            out_data_o,
    // packets to free
    output cairn_int_pkg::pool_release_t rel_o,
    input  logic                         rel_ready_i,
    output logic                         idle_o
);
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  localparam int unsigned LANE_W = $clog2(BYTES);
  localparam int unsigned ADDR_W = $clog2(CELLS * cairn_int_pkg::CELL_BYTES / BYTES);
  localparam int unsigned FINE_W = 3;                        // last 8-byte shift by this many bits of the offset

  // The link after next is looked up while the words of a cell are read.
  if (cairn_int_pkg::CELL_BYTES < 4 * BYTES) begin : g_chk_cell
    $error("rx_pool_read: a cell must hold at least four words");
  end

  // ---- s0: command register; the links of its packet are read along with it
  logic             s0_valid_q, s0_begin_q, s0_first_q, s0_free_q, accept, issue, done;
  logic [IDX_W-1:0] s0_cell_q, head_next;
  logic [7:0]       s0_off_q;
  logic [LEN_W-1:0] s0_left_q;
  logic [CNT_W-1:0] head_count;

  assign cmd_ready_o = !s0_valid_q || done;
  assign accept      = cmd_i.valid && cmd_ready_o;

  ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_head_next (
      .clk_i, .we_i(write_i.next_we), .waddr_i(write_i.next_addr[IDX_W-1:0]), .wdata_i(write_i.next_data[IDX_W-1:0]),
      .re_i(accept), .raddr_i(cmd_i.cmd.cell_head[IDX_W-1:0]), .rdata_o(head_next));
  ram_1r1w #(.WIDTH(CNT_W), .DEPTH(CELLS), .BYPASS(1)) u_head_count (
      .clk_i, .we_i(write_i.count_we), .waddr_i(write_i.count_addr[IDX_W-1:0]), .wdata_i(write_i.count_data),
      .re_i(accept), .raddr_i(cmd_i.cmd.cell_head[IDX_W-1:0]), .rdata_o(head_count));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) s0_valid_q <= 1'b0;
    else if (cmd_ready_o) s0_valid_q <= cmd_i.valid;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      s0_begin_q <= 1'b1;
      s0_cell_q  <= cmd_i.cmd.cell_head[IDX_W-1:0];
      s0_off_q   <= cmd_i.cmd.off;
      s0_left_q  <= cmd_i.cmd.len;
      s0_first_q <= cmd_i.cmd.first;
      s0_free_q  <= cmd_i.cmd.free;
    end else if (issue) begin
      s0_begin_q <= 1'b0;
      s0_left_q  <= s0_left_q - LEN_W'(take);
    end
  end

  // ---- s1: one beat a cycle. Position: cell, byte in it, the cell after it, the packet.
  logic             en, init, crosses, last_beat, has_data;
  logic [NB_W-1:0]  take;
  logic [IDX_W-1:0] cell_now, after, head_now, cell_q, after_q, head_q;
  logic [CNT_W-1:0] count_now, count_q;
  logic [7:0]       pos, pos_q;
  logic [8:0]       pos_end;
  logic [IDX_W-1:0] fetched;   // link that was asked for in the cycle before, if fetch_q
  logic             fetch_q;

  assign init      = s0_begin_q && s0_first_q;
  assign has_data  = s0_left_q != '0;
  assign last_beat = s0_left_q <= LEN_W'(BYTES);
  assign take      = last_beat ? s0_left_q[NB_W-1:0] : NB_W'(BYTES);
  assign issue     = s0_valid_q && en && (!s0_free_q || rel_ready_i);
  assign done      = issue && last_beat;

  assign cell_now  = init ? s0_cell_q  : cell_q;
  assign pos       = init ? s0_off_q   : pos_q;
  assign head_now  = init ? s0_cell_q  : head_q;
  assign count_now = init ? head_count : count_q;
  assign after     = init ? head_next  : after_q;
  assign pos_end   = {1'b0, pos} + 9'(take);
  assign crosses   = pos_end[8];

  assign rel_o.valid     = s0_valid_q && en && last_beat && s0_free_q;
  assign rel_o.cell_head = cairn_int_pkg::CELL_W'(head_now);
  assign rel_o.count     = count_now;

  ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_after (
      .clk_i, .we_i(write_i.next_we), .waddr_i(write_i.next_addr[IDX_W-1:0]), .wdata_i(write_i.next_data[IDX_W-1:0]),
      .re_i(issue && crosses), .raddr_i(after), .rdata_o(fetched));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fetch_q <= 1'b0;
    else fetch_q <= issue && crosses;
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      cell_q  <= crosses ? after : cell_now;
      pos_q   <= pos_end[7:0];
      head_q  <= head_now;
      count_q <= count_now;
    end
    if (issue && init) after_q <= head_next;
    else if (fetch_q) after_q <= fetched;
  end

  // Word that holds the first byte, and the one after it; one of them is even.
  logic [WORD_W-1:0] word;
  logic [ADDR_W-1:0] addr0, addr1, even_addr, odd_addr;

  assign word      = pos[7 -: WORD_W];
  assign addr0     = {cell_now, word};
  assign addr1     = (word == '1) ? {after, {WORD_W{1'b0}}} : addr0 + 1'b1;
  assign even_addr = word[0] ? addr1 : addr0;
  assign odd_addr  = word[0] ? addr0 : addr1;

  logic [DATA_W-1:0] even_data, odd_data;

  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(CELLS << (WORD_W - 1)), .BYPASS(2)) u_even (
      .clk_i, .we_i(write_i.data_we && !write_i.data_addr[0]), .waddr_i(write_i.data_addr[ADDR_W-1:1]),
      .wdata_i(data_word_i),
      .re_i(issue && has_data), .raddr_i(even_addr[ADDR_W-1:1]), .rdata_o(even_data));
  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(CELLS << (WORD_W - 1)), .BYPASS(2)) u_odd (
      .clk_i, .we_i(write_i.data_we && write_i.data_addr[0]), .waddr_i(write_i.data_addr[ADDR_W-1:1]),
      .wdata_i(data_word_i),
      .re_i(issue && has_data), .raddr_i(odd_addr[ADDR_W-1:1]), .rdata_o(odd_data));

  // ---- s2: RAM output; s3: shifted by whole 8 bytes; s4: shifted by the rest
  localparam int unsigned PART_W = 8 * (BYTES + 7);

  logic              s2_valid_q, s2_odd_q, s2_last_q, s3_valid_q, s3_last_q, s4_valid_q, s4_last_q;
  logic [LANE_W-1:0] s2_lane_q;
  logic [FINE_W-1:0] s3_fine_q;
  logic [NB_W-1:0]   s2_nb_q, s3_nb_q, s4_nb_q, nbytes;
  logic [2*DATA_W-1:0] pair, coarse;
  logic [PART_W-1:0] s3_data_q, fine;
  logic [DATA_W-1:0] s4_data_q;

  assign pair = s2_odd_q ? {even_data, odd_data} : {odd_data, even_data};
  assign fine = s3_data_q >> (8 * s3_fine_q);

  if (LANE_W > FINE_W) begin : g_coarse
    assign coarse = pair >> (64 * s2_lane_q[LANE_W-1:FINE_W]);
  end else begin : g_no_coarse
    assign coarse = pair;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
      s4_valid_q <= 1'b0;
    end else if (en) begin
      s2_valid_q <= issue && has_data;
      s3_valid_q <= s2_valid_q;
      s4_valid_q <= s3_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en) begin
      s2_odd_q  <= word[0];
      s2_lane_q <= pos[LANE_W-1:0];
      s2_last_q <= last_beat;
      s2_nb_q   <= take;
      s3_data_q <= coarse[PART_W-1:0];
      s3_fine_q <= s2_lane_q[FINE_W-1:0];
      s3_last_q <= s2_last_q;
      s3_nb_q   <= s2_nb_q;
      s4_data_q <= fine[DATA_W-1:0];
      s4_last_q <= s3_last_q;
      s4_nb_q   <= s3_nb_q;
    end
  end

  // The skid buffer's ready is a flip-flop and stops the pipeline as a whole.
  skid_buffer #(.WIDTH(DATA_W + NB_W + 1)) u_out (
      .clk_i, .rst_ni,
      .in_valid_i(s4_valid_q), .in_ready_o(en), .in_data_i({s4_last_q, s4_nb_q, s4_data_q}),
      .out_valid_o(out_o.valid), .out_ready_i, .out_data_o({out_o.last, nbytes, out_data_o}));
  assign out_o.err    = 1'b0;
  assign out_o.nbytes = 7'(nbytes);


  assign idle_o = !s0_valid_q && !s2_valid_q && !s3_valid_q && !s4_valid_q && !out_o.valid;
endmodule
