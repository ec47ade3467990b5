// SPDX-License-Identifier: Apache-2.0
// Counters of QPs, up to 2^CNTS_LOG2 each, in one RAM: a bank of qp_counters, for a part of the device that can count
// in every cycle.
//
// Each of SOURCES gives K strobes and the QPN they all belong to; WHICH names the counter of each. They wait in a queue
// for each source. One counter a cycle is counted up; it stays at its end.
// Bounds: the sources of a bank count less than one a cycle together on average, and no source is more than DEPTH
//   cycles with strobes ahead of that (rtl/never.def).
// Zero: all counters of a QP begin at 0 (create, RESET); events go first, and another within SPAN cycles is lost.
// Read: holds until taken; the answer stays from then on. Events counted before the request are in the answer.
//   rd_next_i asks for the number of the first QP at or behind the given one that has counted anything, or NONE.
// Order: reads and zeros wait until the queues are empty. Where they never are (a flood of packets that QPs do not
//   take), they wait for what was queued before, which takes less than LATE cycles.
// Reset: only one bit for each QP is swept, so a counter means something only with that bit.
module qp_counter_bank #(
    parameter int unsigned QPS_LOG2  = 12,
    parameter int unsigned CNTS_LOG2 = 4,
    parameter int unsigned SOURCES   = 3,
    parameter int unsigned K         = 8,
    parameter int unsigned DEPTH     = 16,
    parameter int unsigned CNT_W     = 32,
    parameter logic [SOURCES*K*CNTS_LOG2-1:0] WHICH = '0,
    localparam int unsigned LATE = 512,
    localparam logic [31:0] NONE = '1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic [SOURCES*K-1:0]    ev_i,
    input  logic [SOURCES*24-1:0]   qpn_i,
    input  logic                    zero_valid_i,
    input  logic [QPS_LOG2-1:0]     zero_qpn_i,
    input  logic                    rd_valid_i,
    input  logic                    rd_next_i,
    input  logic [QPS_LOG2-1:0]     rd_qpn_i,
    input  logic [CNTS_LOG2-1:0]    rd_cnt_i,
    input  logic                    rd_take_i,
    output logic                    done_o,
    output logic [31:0]             value_o,
    output logic                    idle_o
);
  localparam int unsigned ADDR_W = QPS_LOG2 + CNTS_LOG2;
  localparam int unsigned WORD_W = QPS_LOG2 - 6;          // of the map of QPs that have counted
  localparam int unsigned W      = QPS_LOG2 + K;
  if (QPS_LOG2 < 7 || QPS_LOG2 > 24 || CNTS_LOG2 == 0 || SOURCES == 0 || K == 0 || CNT_W > 32) begin : g_chk
    $error("qp_counter_bank: 7 to 24 bits of QPN, counters up to 32 bits, at least one source and strobe");
  end

  // ---- queues, and the entry whose strobes are counted one by one ----
  logic [SOURCES-1:0]   q_valid, q_take, gnt;
  logic [SOURCES*W-1:0] q_data;
  for (genvar s = 0; s < SOURCES; s++) begin : g_source
    logic in, room;
    assign in = ev_i[s*K +: K] != '0 && (qpn_i[24*s +: 24] >> QPS_LOG2) == '0;
    sync_fifo #(.WIDTH(W), .DEPTH(DEPTH)) u_q (
        .clk_i, .rst_ni, .in_valid_i(in), .in_ready_o(room),
        .in_data_i({qpn_i[24*s +: QPS_LOG2], ev_i[s*K +: K]}), .out_valid_o(q_valid[s]), .out_ready_i(q_take[s]),
        .out_data_o(q_data[s*W +: W]));
`ifdef VERILATOR
    always_ff @(posedge clk_i) if (rst_ni && in && !room) $error("qp_counter_bank: source %0d is too fast", s);
`endif
  end

  logic                w_valid_q, w_load, gnt_valid;
  logic [(SOURCES > 1 ? $clog2(SOURCES) : 1)-1:0] gnt_idx, w_src_q;
  logic [QPS_LOG2-1:0] w_qpn_q;
  logic [K-1:0]        w_ev_q, w_one, w_rest;
  logic [CNTS_LOG2-1:0] w_cnt;
  rr_arbiter #(.N(SOURCES)) u_rr (
      .clk_i, .rst_ni, .req_i(q_valid), .ack_i(w_load), .lock_i(1'b0), .gnt_valid_o(gnt_valid), .gnt_o(gnt),
      .gnt_idx_o(gnt_idx));
  assign w_one  = w_ev_q & (~w_ev_q + 1'b1);
  assign w_rest = w_ev_q & ~w_one;
  assign w_load = gnt_valid && (!w_valid_q || w_rest == '0) && ready_q;
  assign q_take = w_load ? gnt : '0;
  always_comb begin
    w_cnt = '0;
    for (int unsigned s = 0; s < SOURCES; s++) begin
      for (int unsigned k = 0; k < K; k++) begin
        if (32'(w_src_q) == s && w_one[k]) w_cnt = w_cnt | WHICH[(s*K+k)*CNTS_LOG2 +: CNTS_LOG2];
      end
    end
  end

  // ---- what the RAMs do next: map swept after reset, an event, a read, a counter to zero ----
  typedef enum logic [2:0] {R_IDLE, R_WAIT, R_SCAN, R_LOOK, R_DONE} rd_state_t;
  rd_state_t            rd_q;
  logic                 ready_q, zero_q, do_ev, do_rd, do_scan, do_zero, s_ev_q, s_rd_q, s_zero_q;
  logic [WORD_W-1:0]    sweep_q, word_q;
  logic [QPS_LOG2-1:0]  zero_qpn_q, a_qpn, s_qpn_q;
  logic [CNTS_LOG2-1:0] zero_cnt_q, a_cnt, s_cnt_q;
  assign do_ev   = w_valid_q;
  logic [$clog2(LATE):0] rd_wait_q, zero_wait_q;
  logic                 rd_due, zero_due;
  assign rd_due   = rd_valid_i && rd_q == R_IDLE && ready_q && (q_valid == '0 || rd_wait_q[$clog2(LATE)]);
  assign zero_due = zero_q && (q_valid == '0 || zero_wait_q[$clog2(LATE)]);
  always_ff @(posedge clk_i) begin
    if (!rd_valid_i || rd_q != R_IDLE) rd_wait_q <= '0;
    else if (!rd_wait_q[$clog2(LATE)]) rd_wait_q <= rd_wait_q + 1'b1;
    if (!zero_q || zero_valid_i) zero_wait_q <= '0;
    else if (!zero_wait_q[$clog2(LATE)]) zero_wait_q <= zero_wait_q + 1'b1;
  end
  assign do_rd   = !do_ev && rd_due && !rd_next_i;
  assign do_scan = !do_ev && rd_q == R_SCAN;
  assign do_zero = !do_ev && !do_rd && !do_scan && zero_due;
  assign a_qpn   = do_ev ? w_qpn_q : do_scan ? {word_q, 6'd0} : do_rd ? rd_qpn_i : zero_qpn_q;
  assign a_cnt   = do_ev ? w_cnt : do_rd ? rd_cnt_i : zero_cnt_q;

  // One stage later the words are there; they are written back in the same cycle, and a read meanwhile sees them.
  logic [CNT_W-1:0]    count;
  logic [63:0]         map, map_new, bit_of;
  assign bit_of  = 64'd1 << s_qpn_q[5:0];
  assign map_new = !ready_q ? '0 : s_ev_q ? map | bit_of : (s_cnt_q == '0) ? map & ~bit_of : map;
  ram_1r1w #(.WIDTH(CNT_W), .DEPTH(1 << ADDR_W), .BYPASS(1)) u_counts (
      .clk_i, .we_i(s_ev_q || s_zero_q), .waddr_i({s_qpn_q, s_cnt_q}),
      .wdata_i(s_zero_q ? '0 : count == '1 ? count : count + 1'b1), .re_i(1'b1), .raddr_i({a_qpn, a_cnt}),
      .rdata_o(count));
  ram_1r1w #(.WIDTH(64), .DEPTH(1 << WORD_W), .BYPASS(1)) u_map (
      .clk_i, .we_i(!ready_q || s_ev_q || s_zero_q), .waddr_i(ready_q ? s_qpn_q[QPS_LOG2-1:6] : sweep_q),
      .wdata_i(map_new), .re_i(1'b1), .raddr_i(a_qpn[QPS_LOG2-1:6]), .rdata_o(map));

  // ---- the first QP of the map: word by word, in the first one from rd_qpn_i on ----
  logic [63:0] seen;
  logic        any, first_q;
  logic [5:0]  at;
  assign seen = first_q ? map & (64'hFFFF_FFFF_FFFF_FFFF << rd_qpn_i[5:0]) : map;
  prio_enc #(.N(64)) u_first (.in_i(seen), .valid_o(any), .idx_o(at));

  assign done_o = rd_q == R_DONE;
  assign idle_o = q_valid == '0 && !w_valid_q && !zero_q && rd_q == R_IDLE && !rd_valid_i && ready_q && !s_ev_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q   <= 1'b0;
      sweep_q   <= '0;
      w_valid_q <= 1'b0;
      zero_q    <= 1'b0;
      rd_q      <= R_IDLE;
      {s_ev_q, s_rd_q, s_zero_q} <= '0;
    end else begin
      if (!ready_q) {ready_q, sweep_q} <= {1'b0, sweep_q} + 1'b1;
      if (w_load) w_valid_q <= 1'b1;
      else if (w_rest == '0) w_valid_q <= 1'b0;
      if (zero_valid_i) zero_q <= 1'b1;
      else if (do_zero && zero_cnt_q == '1) zero_q <= 1'b0;
      {s_ev_q, s_rd_q, s_zero_q} <= {do_ev, do_rd, do_zero};
      case (rd_q)
        R_IDLE: if (do_rd) rd_q <= R_WAIT;
                else if (rd_due && rd_next_i && !do_ev) rd_q <= R_SCAN;
        R_WAIT: if (s_rd_q) rd_q <= R_DONE;
        R_SCAN: if (do_scan) rd_q <= R_LOOK;
        R_LOOK: rd_q <= (any || word_q == '1) ? R_DONE : R_SCAN;
        default: if (rd_take_i) rd_q <= R_IDLE;
      endcase
    end
    if (w_load) begin
      w_src_q <= gnt_idx;
      w_qpn_q <= q_data[gnt_idx*W + K +: QPS_LOG2];
      w_ev_q  <= q_data[gnt_idx*W +: K];
    end else if (w_valid_q) begin
      w_ev_q <= w_rest;
    end
    if (zero_valid_i) begin
      zero_qpn_q <= zero_qpn_i;
      zero_cnt_q <= '0;
    end else if (do_zero) begin
      zero_cnt_q <= zero_cnt_q + 1'b1;
    end
    s_qpn_q <= a_qpn;
    s_cnt_q <= a_cnt;
    if (rd_q == R_IDLE) begin
      word_q  <= rd_qpn_i[QPS_LOG2-1:6];
      first_q <= 1'b1;
    end
    if (rd_q == R_LOOK) begin
      word_q  <= word_q + 1'b1;
      first_q <= 1'b0;
      value_o <= any ? 32'({word_q, at}) : NONE;
    end
    if (rd_q == R_WAIT && s_rd_q) value_o <= ((map & bit_of) != '0) ? 32'(count) : 32'd0;
  end
endmodule
