// SPDX-License-Identifier: Apache-2.0
// The 64-bit counters of BAR0 (COUNTER rows of hw.def) in one RAM.
//
// Three levels, none of which is ever set back: a few bits for each counter that take its events in every cycle (where
//   one event a cycle is the most they go round all their states as a shift register does, which needs no adder); words
//   of MID_W bits in small RAMs, one for each LANES counters, that catch up with these, all RAMs in the same cycle; and
//   the 64-bit RAM, which catches up with one word a cycle. Each level differs from the one before it by less than that
//   has bits for, since a sweep comes by in time. Byte counters have only the last level behind their own bits.
// A read is a visit of the sweep to that counter, so it is exact and never torn. The value comes 5 cycles later, the
//   next read begins a cycle after that at the earliest.
// Limits: events of many counters may come in the same cycle, one each, up to 3 of those of which hw.def says so
//   (COUNTER_OF_MORE). Byte counters (BYTE_COUNTER rows) have amounts of up to 8191 a cycle instead, 0 in cycles
//   without.
// Reset: clear_i (reset of the function) sets all to zero in COUNT cycles; events meanwhile are lost.
module counters #(
    parameter int unsigned COUNT = cairn_hw_pkg::COUNTER_COUNT,
    localparam int unsigned BN = cairn_hw_pkg::COUNTER_BYTES,
    localparam int unsigned BW = cairn_hw_pkg::COUNTER_BYTES_W
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     clear_i,
    input  logic [2*COUNT-1:0]       events_i,  // counter i: events_i[2*i +: 2]; not used for byte counters
    input  logic [BN*BW-1:0]         bytes_i,   // of the byte counters, in order
    // read: valid and index hold until ready; the value comes with ready
    input  logic                     rd_valid_i,
    output logic                     rd_ready_o,
    input  logic [$clog2(COUNT)-1:0] rd_index_i,
    output logic [63:0]              rd_value_o
);
  localparam int unsigned IDX_W  = $clog2(COUNT);
  localparam int unsigned LANES  = 16;               // index / BANKS
  localparam int unsigned LANE_W = $clog2(LANES);
  localparam int unsigned BANKS  = COUNT / LANES;
  localparam int unsigned BANK_W = $clog2(BANKS);
  // Between two visits: LANES or COUNT cycles and a stall for each read, at most every sixth cycle.
  localparam int unsigned SHORT  = LANES * 5 / 4 + 2;
  localparam int unsigned LONG   = COUNT * 5 / 4 + 2;
  localparam int unsigned ONE_W  = $clog2(SHORT);
  localparam int unsigned MORE_W = $clog2(3 * SHORT);
  localparam int unsigned MID_W  = $clog2(3 * LONG);
  localparam int unsigned BYTE_W = $clog2(LONG << BW);
  localparam logic [COUNT-1:0] OF_BYTES = COUNT'(cairn_hw_pkg::COUNTER_OF_BYTES);
  localparam logic [COUNT-1:0] OF_MORE  = COUNT'(cairn_hw_pkg::COUNTER_OF_MORE);

  if (COUNT != LANES << BANK_W || BANKS < 2) begin : g_chk_count
    $error("counters: COUNT must be a power of two, 32 at least");
  end

  // Byte counters before counter `index`
  function automatic int unsigned bytes_before(input int unsigned index);
    bytes_before = 0;
    for (int unsigned i = 0; i < index; i++) bytes_before = bytes_before + 32'(OF_BYTES[i]);
  endfunction

  // The states of a counter of one event a cycle, each after the other, from zero back to zero; and which one it is.
  function automatic logic [ONE_W-1:0] after(input logic [ONE_W-1:0] q);
    after = {q[ONE_W-2:0], q[4] ^ q[2] ^ (q[ONE_W-2:0] == '0)};
  endfunction
  function automatic logic [ONE_W-1:0] steps(input logic [ONE_W-1:0] state);
    logic [ONE_W-1:0] q;
    q     = '0;
    steps = '0;
    for (int unsigned i = 0; i < (1 << ONE_W); i++) begin
      if (q == state) steps = ONE_W'(i);
      q = after(q);
    end
  endfunction
  if (ONE_W != 5) begin : g_chk_states
    $error("counters: after() goes round 32 states");
  end
  logic [(ONE_W << ONE_W)-1:0] steps_of;
  for (genvar g = 0; g < (1 << ONE_W); g++) begin : g_steps
    localparam logic [ONE_W-1:0] STEPS = steps(ONE_W'(g));
    assign steps_of[g*ONE_W +: ONE_W] = STEPS;
  end

  // ---- the sweep, and reads in between: lane by lane, so that each RAM is visited as often ----
  logic [IDX_W:0]    sweep_q;     // {bank, lane}; top bit: clearing is over
  logic              clearing, read_now;
  logic [2:0]        rd_state_q;  // 0 none, 1 seen, 2 taken, 3 caught up, 4 chosen, 5 there
  logic [BANK_W-1:0] bank, bank1_q, bank2_q, bank3_q;
  logic [LANE_W-1:0] lane, lane1_q, lane2_q, lane3_q;
  assign clearing = !sweep_q[IDX_W];
  assign read_now = rd_state_q == 3'd1;
  assign bank     = read_now ? rd_index_i[BANK_W-1:0] : sweep_q[IDX_W-1:LANE_W];
  assign lane     = read_now ? rd_index_i[IDX_W-1:BANK_W] : sweep_q[LANE_W-1:0];

  logic stop, clear1_q, clear2_q, clear3_q;
  assign stop = !rst_ni || clearing;

  // ---- first level; events come late in the cycle, from all over the chip ----
  logic [2*COUNT-1:0]      events_q;
  logic [BN*BW-1:0]        bytes_in_q;
  logic [COUNT*MORE_W-1:0] few;
  logic [BN*BYTE_W-1:0]    amounts;
  always_ff @(posedge clk_i) begin
    events_q   <= stop ? '0 : events_i;
    bytes_in_q <= stop ? '0 : bytes_i;
  end
  for (genvar g = 0; g < COUNT; g++) begin : g_few
    if (OF_BYTES[g]) begin : g_bytes
      localparam int unsigned PLACE = bytes_before(g);
      logic [BYTE_W-1:0] n_q;
      assign few[g*MORE_W +: MORE_W]         = '0;
      assign amounts[PLACE*BYTE_W +: BYTE_W] = n_q;
      always_ff @(posedge clk_i) begin
        if (stop) n_q <= '0;
        else n_q <= n_q + BYTE_W'(bytes_in_q[PLACE*BW +: BW]);
      end
      logic unused_ev;
      assign unused_ev = ^events_q[2*g +: 2];
    end else if (OF_MORE[g]) begin : g_more
      logic [MORE_W-1:0] n_q;
      assign few[g*MORE_W +: MORE_W] = n_q;
      always_ff @(posedge clk_i) begin
        if (stop) n_q <= '0;
        else n_q <= n_q + MORE_W'(events_q[2*g +: 2]);
      end
    end else begin : g_one
      logic [ONE_W-1:0] n_q;
      assign few[g*MORE_W +: MORE_W] = MORE_W'(n_q);
      always_ff @(posedge clk_i) begin
        if (stop) n_q <= '0;
        else if (events_q[2*g]) n_q <= after(n_q);
      end
      logic unused_ev;
      assign unused_ev = events_q[2*g+1];
    end
  end

  // ---- second level: all banks at once ----
  localparam logic [MORE_W-1:0] ONES = MORE_W'((1 << ONE_W) - 1);
  logic [BANKS*MID_W-1:0] mids_q;
  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    logic [LANES*MORE_W-1:0] mine;
    logic [LANES-1:0]        more;
    logic [MORE_W-1:0]       few_q, count, behind;
    logic                    more_q;
    logic [MID_W-1:0]        mid [0:LANES-1];
    logic [MID_W-1:0]        old, now;
    for (genvar l = 0; l < LANES; l++) begin : g_lane
      assign mine[l*MORE_W +: MORE_W] = few[(l*BANKS+b)*MORE_W +: MORE_W];
      assign more[l]                  = OF_MORE[l*BANKS+b];
    end
    assign old    = mid[lane1_q];
    assign count  = more_q ? few_q : MORE_W'(steps_of[few_q[ONE_W-1:0]*ONE_W +: ONE_W]);
    assign behind = (count - old[MORE_W-1:0]) & (more_q ? '1 : ONES);
    assign now    = old + MID_W'(behind);
    always_ff @(posedge clk_i) begin
      few_q  <= mine[lane*MORE_W +: MORE_W];
      more_q <= more[lane];
      mids_q[b*MID_W +: MID_W] <= now;
    end
    always_ff @(posedge clk_i) mid[lane1_q] <= clear1_q ? '0 : now;
  end
  // ---- third level: one of them, or a byte counter ----
  logic [BYTE_W-1:0] sel_q, amount, gap;
  logic              bytes, bytes_q;
  logic [63:0]       ram, sum, value_q;
  always_comb begin
    amount = '0;
    for (int unsigned i = 0; i < COUNT; i++) begin
      if (OF_BYTES[i] && {lane2_q, bank2_q} == IDX_W'(i)) begin
        amount = amount | amounts[bytes_before(i)*BYTE_W +: BYTE_W];
      end
    end
  end
  assign bytes = OF_BYTES[{lane2_q, bank2_q}];
  ram_1r1w #(.WIDTH(64), .DEPTH(COUNT), .BYPASS(1)) u_ram (
      .clk_i, .we_i(1'b1), .waddr_i({lane3_q, bank3_q}),
      .wdata_i(sum), .re_i(1'b1), .raddr_i({lane2_q, bank2_q}), .rdata_o(ram));
  assign gap = (sel_q - ram[BYTE_W-1:0]) & {{(BYTE_W-MID_W){bytes_q}}, {MID_W{1'b1}}};
  assign sum = clear3_q ? 64'd0 : ram + 64'(gap);

  assign rd_ready_o = rd_state_q == 3'd5;
  assign rd_value_o = value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sweep_q    <= '0;
      rd_state_q <= 3'd0;
    end else begin
      if (!read_now) sweep_q <= {sweep_q[IDX_W] || sweep_q[IDX_W-1:0] == '1, sweep_q[IDX_W-1:0] + 1'b1};
      if (rd_state_q == 3'd0) rd_state_q <= {2'b00, rd_valid_i && !clearing};
      else rd_state_q <= (rd_state_q == 3'd5) ? 3'd0 : rd_state_q + 3'd1;
    end
    clear1_q <= stop || clear_i;
    bank1_q  <= bank;
    lane1_q  <= lane;
    clear2_q <= clear1_q;
    bank2_q  <= bank1_q;
    lane2_q  <= lane1_q;
    clear3_q <= clear2_q;
    bank3_q  <= bank2_q;
    lane3_q  <= lane2_q;
    bytes_q  <= bytes;
    sel_q    <= bytes ? amount : BYTE_W'(mids_q[bank2_q*MID_W +: MID_W]);
    value_q  <= sum;
  end
endmodule
