// SPDX-License-Identifier: Apache-2.0
// The 64-bit counters of BAR0 (COUNTER rows of hw.def) in one RAM.
//
// Each counter has a small accumulator that takes its events in every cycle; a sweep adds one accumulator a cycle to
// the RAM. A read is a visit of the sweep to that counter, so it is exact and never torn.
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
  localparam int unsigned IDX_W = $clog2(COUNT);
  // Between two visits: COUNT cycles, a stall for each read (at most every fourth cycle), the pipeline.
  localparam int unsigned ACC_W  = $clog2(3 * 2 * COUNT);
  localparam int unsigned BYTE_W = BW + $clog2(2 * COUNT);
  localparam logic [COUNT-1:0] OF_BYTES = COUNT'(cairn_hw_pkg::COUNTER_OF_BYTES);

  // Byte counters before counter `index`
  function automatic int unsigned bytes_before(input int unsigned index);
    bytes_before = 0;
    for (int unsigned i = 0; i < index; i++) bytes_before = bytes_before + 32'(OF_BYTES[i]);
  endfunction

  logic [IDX_W:0]   sweep_q;     // top bit: clearing is over
  logic             clearing;
  logic [IDX_W-1:0] visit, idx1_q;
  logic             v1_q, read_now, read1_q;
  logic [1:0]       rd_state_q;  // 0 none, 1 visited, 2 summed
  logic [BYTE_W-1:0] acc, acc1_q;
  logic [63:0]      ram, sum, value_q;

  assign clearing = !sweep_q[IDX_W];
  assign read_now = rd_valid_i && rd_state_q == 2'd0 && !clearing;
  assign visit    = read_now ? rd_index_i : sweep_q[IDX_W-1:0];

  // Accumulators: the visit takes what has gathered, this cycle's events stay for the next.
  logic [COUNT*ACC_W-1:0] acc_all;
  logic [BN*BYTE_W-1:0]   acc_bytes;
  for (genvar g = 0; g < COUNT; g++) begin : g_acc
    if (OF_BYTES[g]) begin : g_bytes
      localparam int unsigned PLACE = bytes_before(g);
      logic [BYTE_W-1:0] acc_q;
      assign acc_all[g*ACC_W +: ACC_W] = '0;
      assign acc_bytes[PLACE*BYTE_W +: BYTE_W] = (visit == IDX_W'(g)) ? acc_q : '0;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((visit == IDX_W'(g)) ? '0 : acc_q) + BYTE_W'(bytes_i[PLACE*BW +: BW]);
      end
      logic unused_ev;
      assign unused_ev = ^events_i[2*g +: 2];
    end else begin : g_events
      logic [ACC_W-1:0] acc_q;
      assign acc_all[g*ACC_W +: ACC_W] = acc_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((visit == IDX_W'(g)) ? '0 : acc_q) + ACC_W'(events_i[2*g +: 2]);
      end
    end
  end
  always_comb begin
    acc = BYTE_W'(acc_all[visit*ACC_W +: ACC_W]);
    for (int unsigned i = 0; i < BN; i++) acc = acc | acc_bytes[i*BYTE_W +: BYTE_W];
  end

  ram_1r1w #(.WIDTH(64), .DEPTH(COUNT), .BYPASS(1)) u_ram (
      .clk_i, .we_i(clearing || v1_q), .waddr_i(clearing ? sweep_q[IDX_W-1:0] : idx1_q),
      .wdata_i(clearing ? 64'd0 : sum), .re_i(1'b1), .raddr_i(visit), .rdata_o(ram));
  assign sum = ram + 64'(acc1_q);

  assign rd_ready_o = rd_state_q == 2'd2;
  assign rd_value_o = value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sweep_q    <= '0;
      v1_q       <= 1'b0;
      rd_state_q <= 2'd0;
    end else begin
      v1_q <= !clearing;
      if (clearing) sweep_q <= sweep_q + 1'b1;
      else if (!read_now) sweep_q <= {1'b1, sweep_q[IDX_W-1:0] + 1'b1};
      if (read_now) rd_state_q <= 2'd1;
      else if (rd_state_q != 2'd0) rd_state_q <= (rd_state_q == 2'd1) ? 2'd2 : 2'd0;
    end
    idx1_q  <= visit;
    acc1_q  <= acc;
    read1_q <= read_now;
    if (read1_q) value_q <= sum;
  end
endmodule
