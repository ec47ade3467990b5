// SPDX-License-Identifier: Apache-2.0
// The 64-bit counters of BAR0 (COUNTER rows of hw.def) in one RAM.
//
// A sweep adds to one counter of the RAM in each cycle. Counters stand in groups of eight: each has a small accumulator
// that takes its events in every cycle, and every eighth cycle goes into the sums of its group, a word for each. Of the
// group that the sweep is in the sum goes to the RAM. A read waits for the sweep to come to its counter, so it is exact
// and never torn, and takes COUNT cycles at most.
// Limits: events of many counters may come in the same cycle, up to 3 each. Byte counters (BYTE_COUNTER rows) have
//   amounts of up to 8191 a cycle instead, 0 in cycles without.
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
  localparam int unsigned EACH   = 8;                        // counters of a group
  localparam int unsigned GROUPS = COUNT / EACH;
  localparam int unsigned ACC_W  = $clog2(3 * EACH + 1);     // of the events between two visits
  localparam int unsigned SUM_W  = $clog2(3 * COUNT + 1);
  localparam int unsigned BYTE_W = BW + $clog2(2 * COUNT);
  localparam logic [COUNT-1:0] OF_BYTES = COUNT'(cairn_hw_pkg::COUNTER_OF_BYTES);

  // Byte counters before counter `index`
  function automatic int unsigned bytes_before(input int unsigned index);
    bytes_before = 0;
    for (int unsigned i = 0; i < index; i++) bytes_before = bytes_before + 32'(OF_BYTES[i]);
  endfunction

  if ((1 << IDX_W) != COUNT || COUNT < 2 * EACH) begin : g_chk_count
    $error("counters: COUNT must be a power of two, 16 or more");
  end

  logic [IDX_W:0]    sweep_q;     // top bit: clearing is over
  logic              clearing;
  logic [IDX_W-1:0]  visit, idx1_q;
  logic [2:0]        place;       // in its group
  logic              v1_q, hit1_q, ready_q;
  logic [BYTE_W-1:0] acc, acc1_q;
  logic [63:0]       ram, sum, value_q;

  assign clearing = !sweep_q[IDX_W];
  assign visit    = sweep_q[IDX_W-1:0];
  assign place    = visit[2:0];

  // Accumulators: the visit takes what has gathered, this cycle's events stay for the next.
  logic [GROUPS*SUM_W-1:0] sums;
  for (genvar g = 0; g < GROUPS; g++) begin : g_group
    logic [EACH*ACC_W-1:0] accs;
    logic [SUM_W-1:0]      mem [0:EACH-1];
    logic [SUM_W-1:0]      now;
    logic                  here;
    for (genvar i = 0; i < EACH; i++) begin : g_acc
      logic [1:0] event_now;
      assign event_now = OF_BYTES[EACH*g + i] ? 2'd0 : events_i[2*(EACH*g + i) +: 2];
      logic [ACC_W-1:0] acc_q;
      assign accs[i*ACC_W +: ACC_W] = acc_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((place == 3'(i)) ? '0 : acc_q) + ACC_W'(event_now);
      end
    end
    assign now  = mem[place] + SUM_W'(accs[place*ACC_W +: ACC_W]);
    assign here = visit[IDX_W-1:3] == (IDX_W-3)'(g);
    assign sums[g*SUM_W +: SUM_W] = here ? now : '0;
    always_ff @(posedge clk_i) mem[place] <= (clearing || here) ? '0 : now;
  end

  logic [BN*BYTE_W-1:0] acc_bytes;
  for (genvar g = 0; g < COUNT; g++) begin : g_of
    if (OF_BYTES[g]) begin : g_bytes
      localparam int unsigned PLACE = bytes_before(g);
      logic [BYTE_W-1:0] acc_q;
      assign acc_bytes[PLACE*BYTE_W +: BYTE_W] = (visit == IDX_W'(g)) ? acc_q : '0;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((visit == IDX_W'(g)) ? '0 : acc_q) + BYTE_W'(bytes_i[PLACE*BW +: BW]);
      end
      logic unused_ev;
      assign unused_ev = ^events_i[2*g +: 2];
    end
  end
  always_comb begin
    acc = '0;
    for (int unsigned i = 0; i < GROUPS; i++) acc = acc | BYTE_W'(sums[i*SUM_W +: SUM_W]);
    for (int unsigned i = 0; i < BN; i++) acc = acc | acc_bytes[i*BYTE_W +: BYTE_W];
  end

  ram_1r1w #(.WIDTH(64), .DEPTH(COUNT), .BYPASS(2)) u_ram (
      .clk_i, .we_i(clearing || v1_q), .waddr_i(clearing ? sweep_q[IDX_W-1:0] : idx1_q),
      .wdata_i(clearing ? 64'd0 : sum), .re_i(1'b1), .raddr_i(visit), .rdata_o(ram));
  assign sum = ram + 64'(acc1_q);

  assign rd_ready_o = ready_q;
  assign rd_value_o = value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sweep_q <= '0;
      v1_q    <= 1'b0;
      hit1_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      v1_q    <= !clearing;
      sweep_q <= clearing ? sweep_q + 1'b1 : {1'b1, visit + 1'b1};
      hit1_q  <= !clearing && rd_valid_i && !ready_q && !hit1_q && visit == rd_index_i;
      ready_q <= hit1_q;
    end
    idx1_q <= visit;
    acc1_q <= acc;
    if (hit1_q) value_q <= sum;
  end
endmodule
