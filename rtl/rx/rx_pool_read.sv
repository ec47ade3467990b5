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
    // what the writer stores: words
    input  cairn_int_pkg::pool_write_t   write_i,
    input  logic [DATA_W-1:0]            data_word_i,
    // links and number of cells, see rx_links
    output logic                         head_re_o,
    output logic [IDX_W-1:0]             head_cell_o,
    input  logic [IDX_W-1:0]             head_next_i,
    input  logic [CNT_W-1:0]             head_count_i,
    output logic                         after_re_o,
    output logic [IDX_W-1:0]             after_cell_o,
    input  logic [IDX_W-1:0]             after_next_i,
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

  // The link after next is looked up while the words of a cell are read.
  if (cairn_int_pkg::CELL_BYTES < 4 * BYTES) begin : g_chk_cell
    $error("rx_pool_read: a cell must hold at least four words");
  end

  // ---- s0: command register; the links of its packet are read along with it
  logic             s0_valid_q, s0_begin_q, s0_first_q, s0_free_q, accept, issue, done;
  logic [IDX_W-1:0] s0_cell_q;
  logic [7:0]       s0_off_q;
  logic [LEN_W-1:0] s0_left_q;

  assign cmd_ready_o = !s0_valid_q || done;
  assign accept      = cmd_i.valid && cmd_ready_o;

  assign head_re_o   = accept && cmd_i.cmd.first;
  assign head_cell_o = cmd_i.cmd.cell_head[IDX_W-1:0];

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
  logic             fetch_q;   // a link was asked for in the cycle before

  assign init      = s0_begin_q && s0_first_q;
  assign has_data  = s0_left_q != '0;
  assign last_beat = s0_left_q <= LEN_W'(BYTES);
  assign take      = last_beat ? s0_left_q[NB_W-1:0] : NB_W'(BYTES);
  assign issue     = s0_valid_q && en && (!s0_free_q || rel_ready_i);
  assign done      = issue && last_beat;

  assign cell_now  = init ? s0_cell_q  : cell_q;
  assign pos       = init ? s0_off_q   : pos_q;
  assign head_now  = init ? s0_cell_q  : head_q;
  assign count_now = init ? head_count_i : count_q;
  assign after     = init ? head_next_i : after_q;
  assign pos_end   = {1'b0, pos} + 9'(take);
  assign crosses   = pos_end[8];

  assign rel_o.valid     = s0_valid_q && en && last_beat && s0_free_q;
  assign rel_o.cell_head = cairn_int_pkg::CELL_W'(head_now);
  assign rel_o.count     = count_now;

  assign after_re_o   = issue && crosses;
  assign after_cell_o = after;

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
    if (issue && init) after_q <= head_next_i;
    else if (fetch_q) after_q <= after_next_i;
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

  // ---- s2: RAM output; s3: the bytes of both words that are wanted, in one, and turned by whole groups of 16 bytes;
  // s4: turned by the rest
  localparam int unsigned FINE_W = (LANE_W < 4) ? LANE_W : 4;

  logic              s2_valid_q, s2_last_q, s3_valid_q, s3_last_q, s4_valid_q, s4_last_q;
  logic [LANE_W-1:0] s2_lane_q, s3_lane_q, coarse_turn, fine_turn;
  logic [BYTES-1:0]  s2_odd_lanes_q;     // bytes that come from the odd word
  logic [NB_W-1:0]   s2_nb_q, s3_nb_q, s4_nb_q, nbytes;
  logic [DATA_W-1:0] joined, coarse, fine, s3_data_q, s4_data_q;

  for (genvar g = 0; g < BYTES; g++) begin : g_lane
    assign joined[8*g +: 8] = s2_odd_lanes_q[g] ? odd_data[8*g +: 8] : even_data[8*g +: 8];
    // The word that holds the first byte has the lanes from there on.
    always_ff @(posedge clk_i) if (en) s2_odd_lanes_q[g] <= word[0] ^ ((LANE_W+1)'(pos[LANE_W-1:0]) > (LANE_W+1)'(g));
  end
  if (LANE_W > FINE_W) begin : g_coarse
    assign coarse_turn = {s2_lane_q[LANE_W-1:FINE_W], FINE_W'(0)};
  end else begin : g_no_coarse
    assign coarse_turn = '0;
  end
  assign fine_turn = LANE_W'(s3_lane_q[FINE_W-1:0]);
  turn_bytes #(.BYTES(BYTES)) u_coarse (.data_i(joined), .turn_i(coarse_turn), .data_o(coarse));
  turn_bytes #(.BYTES(BYTES)) u_fine (.data_i(s3_data_q), .turn_i(fine_turn), .data_o(fine));

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
      s2_lane_q <= pos[LANE_W-1:0];
      s2_last_q <= last_beat;
      s2_nb_q   <= take;
      s3_data_q <= coarse;
      s3_lane_q <= s2_lane_q;
      s3_last_q <= s2_last_q;
      s3_nb_q   <= s2_nb_q;
      s4_data_q <= fine;
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
