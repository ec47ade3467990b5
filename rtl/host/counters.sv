// SPDX-License-Identifier: Apache-2.0
// The 64-bit counters of BAR0 (COUNTER rows of hw.def) in one RAM.
//
// Each counter has a small accumulator that takes its events in every cycle; a sweep adds one accumulator a cycle to
// the RAM. A read is a visit of the sweep to that counter, so it is exact and never torn. Events of many counters may
// come in the same cycle, up to 3 each. Byte counters have amounts of up to 8191 a cycle instead; those of looped
// frames take the bytes of cycles with their event.
// clear_i (reset of the function) sets all to zero, in COUNT cycles; events meanwhile are lost.
module counters #(
    parameter int unsigned COUNT = cairn_hw_pkg::COUNTER_COUNT
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     clear_i,
    input  logic [2*COUNT-1:0]       ev_i,         // counter i: ev_i[2*i +: 2]; not used for byte counters
    input  logic [12:0]              rx_bytes_i,   // 0 in cycles without event
    input  logic [12:0]              tx_bytes_i,
    input  logic [12:0]              rd_bytes_i,
    input  logic [12:0]              wr_bytes_i,
    // read: valid and index hold until ready; the value comes with ready
    input  logic                     rd_valid_i,
    output logic                     rd_ready_o,
    input  logic [$clog2(COUNT)-1:0] rd_index_i,
    output logic [63:0]              rd_value_o
);
  localparam int unsigned IDX_W = $clog2(COUNT);
  // Between two visits: COUNT cycles, a stall for each read (at most every fourth cycle), the pipeline.
  localparam int unsigned ACC_W  = $clog2(3 * 2 * COUNT);
  localparam int unsigned BYTE_W = 13 + $clog2(2 * COUNT);
  localparam int unsigned RXB = cairn_hw_pkg::COUNTER_RX_BYTES, TXB = cairn_hw_pkg::COUNTER_TX_BYTES;
  localparam int unsigned RDB = cairn_hw_pkg::COUNTER_DMA_RD_BYTES, WRB = cairn_hw_pkg::COUNTER_DMA_WR_BYTES;
  localparam int unsigned RLB = cairn_hw_pkg::COUNTER_RX_LOOP_BYTES, TLB = cairn_hw_pkg::COUNTER_TX_LOOP_BYTES;

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
  logic [6*BYTE_W-1:0]    acc_bytes;
  for (genvar g = 0; g < COUNT; g++) begin : g_acc
    if (g == RXB || g == TXB || g == RDB || g == WRB || g == RLB || g == TLB) begin : g_bytes
      logic [12:0]       amount;
      logic [BYTE_W-1:0] acc_q;
      localparam int unsigned PLACE = (g == RXB) ? 0 : (g == TXB) ? 1 : (g == RDB) ? 2 : (g == WRB) ? 3 : (g == TLB) ? 4
                                      : 5;
      assign amount = (PLACE > 3 && !ev_i[2*g]) ? '0 : (g == RXB || g == RLB) ? rx_bytes_i
                      : (g == TXB || g == TLB) ? tx_bytes_i : (g == RDB) ? rd_bytes_i : wr_bytes_i;
      assign acc_all[g*ACC_W +: ACC_W] = '0;
      assign acc_bytes[PLACE*BYTE_W +: BYTE_W] = (visit == IDX_W'(g)) ? acc_q : '0;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((visit == IDX_W'(g)) ? '0 : acc_q) + BYTE_W'(amount);
      end
      logic unused_ev;
      assign unused_ev = ^ev_i[2*g +: 2];
    end else begin : g_events
      logic [ACC_W-1:0] acc_q;
      assign acc_all[g*ACC_W +: ACC_W] = acc_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clearing) acc_q <= '0;
        else acc_q <= ((visit == IDX_W'(g)) ? '0 : acc_q) + ACC_W'(ev_i[2*g +: 2]);
      end
    end
  end
  assign acc = BYTE_W'(acc_all[visit*ACC_W +: ACC_W]) | acc_bytes[0 +: BYTE_W] | acc_bytes[BYTE_W +: BYTE_W] |
               acc_bytes[2*BYTE_W +: BYTE_W] | acc_bytes[3*BYTE_W +: BYTE_W] | acc_bytes[4*BYTE_W +: BYTE_W] |
               acc_bytes[5*BYTE_W +: BYTE_W];

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
