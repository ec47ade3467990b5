// SPDX-License-Identifier: Apache-2.0
// Slow path between wire and firmware (ARP, ND, ICMP): whole Ethernet frames without FCS.
//
// Sits beside rx_buffer behind rx_parser, and in front of tx_arbiter; firmware reaches it through region MMIO_RAW
// (RAW_* of hw.def).
// Receive: frames are written to a ring as they come and kept if they turn out to be raw. A frame longer than
//   RAW_FRAME_BYTES, or without room, is dropped and counted. A frame that rx_answer knows for an awaited answer
//   (RAW_AWAIT) has room whatever else comes: RAW_ANSWERS places of RAW_ANSWER_BYTES that no other frame takes. Each
//   time an address is awaited, one frame takes a place; the next from there are frames like all others.
// Transmit: one buffer, BUSY from the write to RAW_TX until the transmitter has read the last word; writes to buffer
//   and RAW_TX have no effect meanwhile.
// MMIO: whole words of 32 bits, two cycles each. Errors: unknown offsets read 0.
module rx_raw #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned RING_BYTES = 8192,  // receive ring, power of two
    parameter int unsigned FRAMES     = 16,    // frames in the ring at most, besides the answers
    localparam int unsigned NB_W      = $clog2(DATA_W / 8) + 1,
    localparam int unsigned TX_WORDS  = cairn_hw_pkg::RAW_FRAME_BYTES / (DATA_W / 8),
    localparam int unsigned TX_ADDR_W = $clog2(TX_WORDS),
    localparam int unsigned LEN_W     = cairn_hw_pkg::REG_RAW_RX_LEN_W,
    localparam int unsigned ANSWERS   = cairn_hw_pkg::RAW_ANSWERS,
    localparam int unsigned ANS_W     = $clog2(ANSWERS)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // frames from rx_parser; raw, len and what rx_answer says count with last
    input  cairn_int_pkg::rx_frame_t     frame_i,
    input  logic [DATA_W-1:0]            frame_data_i,
    input  logic                         frame_answer_i,
    input  logic [ANS_W-1:0]             frame_answer_index_i,
    // to rx_answer: what is awaited at that index
    output cairn_int_pkg::raw_await_t    await_o,
    output cairn_hw_pkg::rx_raw_events_t events_o,
    // region MMIO_RAW of the management core
    input  cairn_int_pkg::mmio_access_t  mmio_i,
    output cairn_int_pkg::mmio_answer_t  mmio_o,
    output logic                         irq_o,    // IRQ_RAW: a frame waits
    // frame to send, and the transmitter's read port (data one cycle after rd)
    output cairn_int_pkg::raw_frame_t    tx_o,
    input  logic                         tx_ready_i,
    input  cairn_int_pkg::raw_read_t     tx_rd_i,  // the last word has been read
    output logic [DATA_W-1:0]            tx_rd_data_o,
    output logic                         idle_o
);
  localparam int unsigned BYTES     = DATA_W / 8;
  localparam int unsigned LANE_W    = NB_W - 1;
  localparam int unsigned WORDS     = RING_BYTES / BYTES;
  localparam int unsigned ADDR_W    = $clog2(WORDS);
  localparam int unsigned MAX_WORDS = cairn_hw_pkg::RAW_FRAME_BYTES / BYTES;
  localparam int unsigned COLS      = DATA_W / 32;
  localparam int unsigned COL_SEL_W = $clog2(COLS);

  localparam int unsigned ANS_WORDS = cairn_hw_pkg::RAW_ANSWER_BYTES / BYTES;
  localparam int unsigned OTHERS    = WORDS - ANSWERS * ANS_WORDS;  // words of the ring that other frames may fill
  localparam int unsigned LVL_W     = $clog2(FRAMES + ANSWERS + 1);

  if ((RING_BYTES & (RING_BYTES - 1)) != 0 || RING_BYTES < 2 * cairn_hw_pkg::RAW_FRAME_BYTES) begin : g_chk_ring
    $error("rx_raw: RING_BYTES must be a power of two, at least two frames");
  end
  if (ANS_WORDS * BYTES != cairn_hw_pkg::RAW_ANSWER_BYTES || OTHERS < MAX_WORDS) begin : g_chk_answer
    $error("rx_raw: an answer's place is whole words, and beside all of them there is room for the longest frame");
  end

  // ---- receive: pointers have one bit more than an address
  logic [ADDR_W:0] base_q, next_q, next, tail_q, frame_words;
  logic start_q, over_q, over, room, keep, ends, awaited, answer, answers, other_fits, await_valid;
  logic info_in_ready, info_valid, info_answer, pop;
  logic [LEN_W-1:0]  info_len;
  logic [ANSWERS-1:0] armed_q;
  logic [ANS_W:0]    answers_q;  // in the ring
  logic [ADDR_W:0]   used;       // words; one more if this frame ends now and is kept
  logic [LVL_W-1:0]  level;
  logic              we_q;
  logic [ADDR_W-1:0] waddr_q;
  logic [DATA_W-1:0] wdata_q;
  logic [DATA_W-1:0] ring_data;

  assign next = start_q ? base_q : next_q;
  assign used = next - tail_q;
  assign room = used != (ADDR_W+1)'(WORDS) && next - base_q != (ADDR_W+1)'(MAX_WORDS);
  assign over = (!start_q && over_q) || !room;
  assign ends = frame_i.valid && frame_i.last;

  // Other frames are kept up to OTHERS words and FRAMES frames; behind the last of them come at most ANSWERS answers.
  assign awaited    = frame_answer_i && armed_q[frame_answer_index_i];
  assign other_fits = used < (ADDR_W+1)'(OTHERS) && level < LVL_W'(FRAMES);
  assign answer     = awaited && frame_i.len <= 14'(cairn_hw_pkg::RAW_ANSWER_BYTES) && answers_q != (ANS_W+1)'(ANSWERS);
  assign keep       = frame_i.raw && !over && frame_i.len <= 14'(cairn_hw_pkg::RAW_FRAME_BYTES) && info_in_ready
                      && (answer || other_fits);
  assign answers    = ends && frame_i.raw && !over && info_in_ready && answer;   // kept as one

  cairn_hw_pkg::net_outcome_t outcome;
  assign outcome = mmio_i.wdata[cairn_hw_pkg::REG_RAW_RX_POP_OUTCOME_LSB +: cairn_hw_pkg::REG_RAW_RX_POP_OUTCOME_W];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      start_q        <= 1'b1;
      base_q         <= '0;
      tail_q         <= '0;
      we_q           <= 1'b0;
      events_o       <= '0;
      armed_q        <= '0;
      answers_q      <= '0;
    end else begin
      we_q                    <= frame_i.valid && !over;
      events_o.rx_raw_packets <= ends && keep;
      events_o.rx_raw_drop    <= ends && frame_i.raw && !keep;
      if (ends && keep) base_q <= next + 1'b1;
      if (answers) armed_q[frame_answer_index_i] <= 1'b0;
      if (await_o.we) armed_q[await_o.index[ANS_W-1:0]] <= await_valid;
      answers_q <= answers_q + (ANS_W+1)'(answers)
                   - (ANS_W+1)'(pop && info_answer);
      if (frame_i.valid) start_q <= frame_i.last;
      if (pop) tail_q <= tail_q + frame_words;
      events_o.net_used        <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_USED;
      events_o.net_ignored     <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_IGNORED;
      events_o.net_invalid     <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_INVALID;
      events_o.net_bad_source  <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_BAD_SOURCE;
      events_o.net_unsolicited <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_UNSOLICITED;
      events_o.net_conflict    <= pop && outcome == cairn_hw_pkg::NET_OUTCOME_CONFLICT;
    end
  end

  always_ff @(posedge clk_i) begin
    if (frame_i.valid) begin
      next_q <= next + 1'b1;
      over_q <= over;
    end
    waddr_q <= next[ADDR_W-1:0];
    wdata_q <= frame_data_i;
  end

  sync_fifo_level #(.WIDTH(LEN_W + 1), .DEPTH(FRAMES + ANSWERS)) u_info (
      .clk_i, .rst_ni,
      .in_valid_i(ends && keep), .in_ready_o(info_in_ready), .in_data_i({answer, frame_i.len[LEN_W-1:0]}),
      .out_valid_o(info_valid), .out_ready_i(pop), .out_data_o({info_answer, info_len}),
      .level_o(level));

  assign frame_words = (ADDR_W+1)'((32'(info_len) + BYTES - 1) >> LANE_W);

  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(WORDS), .BYPASS(2)) u_ring (
      .clk_i, .we_i(we_q), .waddr_i(waddr_q), .wdata_i(wdata_q),
      .re_i(mmio_i.valid), .raddr_i(tail_q[ADDR_W-1:0] + ADDR_W'(mmio_i.addr[11:LANE_W])), .rdata_o(ring_data));

  // ---- transmit buffer
  logic tx_busy_q, tx_valid_q, tx_start, tx_buf_we;
  logic [LEN_W-1:0]  tx_len_q;
  logic [COLS-1:0]   tx_cols;

  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(TX_WORDS), .COL_W(32), .BYPASS(2)) u_tx (
      .clk_i, .we_i(tx_cols),
      .waddr_i(mmio_i.addr[LANE_W +: TX_ADDR_W]), .wdata_i({COLS{mmio_i.wdata}}),
      .re_i(tx_rd_i.valid), .raddr_i(tx_rd_i.addr[TX_ADDR_W-1:0]),
      .rdata_o(tx_rd_data_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_busy_q  <= 1'b0;
      tx_valid_q <= 1'b0;
    end else begin
      if (tx_start) tx_busy_q <= 1'b1;
      else if (tx_rd_i.done) tx_busy_q <= 1'b0;
      if (tx_start) tx_valid_q <= 1'b1;
      else if (tx_ready_i) tx_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) if (tx_start) tx_len_q <= mmio_i.wdata[cairn_hw_pkg::REG_RAW_TX_LEN_LSB +: LEN_W];

  assign tx_o.valid = tx_valid_q;
  assign tx_o.len   = tx_len_q;

  // ---- registers
  logic ready_q, write, len_ok;
  logic [31:0]          await_key_q;
  logic [COL_SEL_W-1:0] col;
  logic [LEN_W-1:0]     new_len;
  logic in_rx_buf, in_tx_buf;

  assign in_rx_buf = mmio_i.addr[15:12] == 4'(cairn_hw_pkg::RAW_RX_BUFFER >> 12) && !mmio_i.addr[11];
  assign in_tx_buf = mmio_i.addr[15:12] == 4'(cairn_hw_pkg::RAW_TX_BUFFER >> 12) && !mmio_i.addr[11];
  assign col       = mmio_i.addr[2 +: COL_SEL_W];
  assign write     = mmio_i.valid && ready_q && mmio_i.we;
  assign new_len   = mmio_i.wdata[cairn_hw_pkg::REG_RAW_TX_LEN_LSB +: LEN_W];
  assign len_ok    = new_len >= LEN_W'(cairn_pkt_pkg::ETH_BYTES) && new_len <= LEN_W'(cairn_hw_pkg::RAW_FRAME_BYTES);
  assign pop       = write && mmio_i.addr == cairn_hw_pkg::REG_RAW_RX_POP && info_valid;
  assign tx_start  = write && mmio_i.addr == cairn_hw_pkg::REG_RAW_TX && !tx_busy_q && len_ok;
  assign tx_buf_we = write && in_tx_buf && !tx_busy_q;

  assign await_o.we    = write && mmio_i.addr == cairn_hw_pkg::REG_RAW_AWAIT;
  assign await_o.index = 3'(mmio_i.wdata[cairn_hw_pkg::REG_RAW_AWAIT_INDEX_LSB +: ANS_W]);
  assign await_o.vid   = mmio_i.wdata[cairn_hw_pkg::REG_RAW_AWAIT_VID_LSB +: 12];
  assign await_o.ipv6  = mmio_i.wdata[cairn_hw_pkg::REG_RAW_AWAIT_IPV6_LSB];
  assign await_valid   = mmio_i.wdata[cairn_hw_pkg::REG_RAW_AWAIT_VALID_LSB];
  assign await_o.key   = await_key_q;

  always_ff @(posedge clk_i) if (write && mmio_i.addr == cairn_hw_pkg::REG_RAW_AWAIT_KEY) await_key_q <= mmio_i.wdata;

  for (genvar g = 0; g < COLS; g++) begin : g_col
    assign tx_cols[g] = tx_buf_we && col == COL_SEL_W'(g);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ready_q <= 1'b0;
    else ready_q <= mmio_i.valid && !ready_q;
  end

  always_comb begin
    mmio_o.rdata = '0;
    if (in_rx_buf) begin
      mmio_o.rdata = ring_data[32*col +: 32];
    end else if (mmio_i.addr == cairn_hw_pkg::REG_RAW_RX) begin
      mmio_o.rdata[cairn_hw_pkg::REG_RAW_RX_LEN_LSB +: LEN_W] = info_valid ? info_len : '0;
      mmio_o.rdata[cairn_hw_pkg::REG_RAW_RX_ANSWER_LSB]       = info_valid && info_answer;
      mmio_o.rdata[cairn_hw_pkg::REG_RAW_RX_VALID_LSB]        = info_valid;
    end else if (mmio_i.addr == cairn_hw_pkg::REG_RAW_AWAIT_KEY) begin
      mmio_o.rdata = await_key_q;
    end else if (mmio_i.addr == cairn_hw_pkg::REG_RAW_TX) begin
      mmio_o.rdata[cairn_hw_pkg::REG_RAW_TX_LEN_LSB +: LEN_W] = tx_len_q;
      mmio_o.rdata[cairn_hw_pkg::REG_RAW_TX_BUSY_LSB]         = tx_busy_q;
    end
  end

  assign mmio_o.ready = ready_q;
  assign irq_o        = info_valid;
  // a frame that waits for firmware is an interrupt, not work in progress here
  assign idle_o       = !tx_busy_q && !we_q;
endmodule
