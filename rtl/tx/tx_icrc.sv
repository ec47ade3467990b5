// SPDX-License-Identifier: Apache-2.0
// Computes the ICRC of every RoCE v2 frame and puts it in its place (IBTA 7.8.1, annex A17.3).
//
// A fixed pipeline at one beat a cycle, one packet a beat, without back-pressure. The place is zero when the frame
// comes in. It begins at lane icrc_lane of the beat with end and is two bytes past a multiple of four, so its
// second half may fall into the next beat. Frames without crc (raw) pass unchanged. Bytes from the place on must
// be zero in a frame with ICRC.
// Cycles: latency 4 and one for each two bits of log2(DATA_W / 32); one more below 512 bits, where the mask and the
//   CRC's first XORs are too deep for the LUTs of the small FPGAs that have such widths. Errors: none.
module tx_icrc #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned BYTES  = DATA_W / 8,
    localparam int unsigned NB_W   = $clog2(BYTES) + 1,
    localparam int unsigned LANE_W = $clog2(BYTES),
    localparam int unsigned IN_BEAT_W = 5
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  cairn_int_pkg::tx_beat_t in_i,
    input  logic [DATA_W-1:0]       in_data_i,
    input  logic [1:0]              in_way_i,   // passed on (tx_way), a cycle behind its beat
    output cairn_int_pkg::beat_t    out_o,
    output logic [1:0]              out_way_o,
    output logic [DATA_W-1:0]       out_data_o,
    output logic                    idle_o
);
  localparam int unsigned TAIL_W    = $clog2(BYTES / 4);
  localparam int unsigned MASKED    = (DATA_W < 512) ? 1 : 0;         // a register behind the mask
  localparam int unsigned LATENCY   = MASKED + 3 + (TAIL_W + 1) / 2;  // with that of crc32
  localparam int unsigned LAST_POS  = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES + cairn_pkt_pkg::IPV6_BYTES
                                      + cairn_pkt_pkg::UDP_BYTES + 4;
  localparam int unsigned HDR_BEATS = LAST_POS / BYTES + 1;  // as icrc_mask
  localparam int unsigned BEAT_W    = $clog2(HDR_BEATS + 1);

  // ---- masked beat into the CRC
  logic [BEAT_W-1:0] beat;
  logic [DATA_W-1:0] masked;
  logic [TAIL_W-1:0] tail;
  logic [31:0]       crc;
  logic              crc_valid;

  assign beat = (in_i.beat >= IN_BEAT_W'(HDR_BEATS)) ? BEAT_W'(HDR_BEATS) : in_i.beat[BEAT_W-1:0];
  assign tail = TAIL_W'((BYTES - 2 - 32'(in_i.icrc_lane[LANE_W-1:0])) >> 2);

  icrc_mask #(.DATA_W(DATA_W)) u_mask (
      .beat_i(beat), .vlan_i(in_i.vlan), .ipv6_i(in_i.ipv6), .data_i(in_data_i), .data_o(masked));

  logic              c_valid, c_first, c_end, c_vlan;
  logic [DATA_W-1:0] c_data;
  logic [TAIL_W-1:0] c_tail;
  if (MASKED != 0) begin : g_masked
    always_ff @(posedge clk_i) begin
      if (!rst_ni) c_valid <= 1'b0;
      else c_valid <= in_i.valid && in_i.crc;
    end
    always_ff @(posedge clk_i) begin
      {c_first, c_end, c_vlan} <= {in_i.first, in_i.end_, in_i.vlan};
      {c_data, c_tail}         <= {masked, tail};
    end
  end else begin : g_at_once
    assign {c_valid, c_first, c_end, c_vlan} = {in_i.valid && in_i.crc, in_i.first, in_i.end_, in_i.vlan};
    assign {c_data, c_tail}                  = {masked, tail};
  end

  crc32 #(
      .DATA_W(DATA_W), .N_LEAD(2),
      .LEADS({8'(cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES), 8'(cairn_pkt_pkg::ETH_BYTES)}),
      .TAIL_UNIT(4), .TAIL_BASE(2), .TAIL_W(TAIL_W), .INIT(cairn_pkt_pkg::ICRC_SEED), .CHECK(0)
  ) u_crc (
      .clk_i, .rst_ni, .en_i(1'b1),
      .in_valid_i(c_valid), .in_first_i(c_first), .in_last_i(c_end), .in_data_i(c_data), .in_lead_i(c_vlan),
      .in_tail_i(c_tail),
      .out_valid_o(crc_valid), .out_crc_o(crc), .out_ok_o());

  // ---- the frame waits in a shift register; crc_valid comes with the beat in which the coverage ends
  localparam int unsigned BEAT_BITS = LANE_W + NB_W + DATA_W;

  logic [LATENCY-1:0]      valid_line_q;
  logic [BEAT_BITS-1:0] line_q [0:LATENCY-1];
  logic [BEAT_BITS-1:0] beat_out;
  logic [2*LATENCY-3:0]    way_line_q;
  logic first_out, last_out;
  logic [1:0]           way_out;
  logic [LANE_W-1:2]    lane_out;
  logic [NB_W-1:0]      nb_out;
  logic [DATA_W-1:0]    data_out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_line_q <= '0;
    else valid_line_q <= {valid_line_q[LATENCY-2:0], in_i.valid};
  end

  always_ff @(posedge clk_i) begin
    line_q[0] <= {in_i.first, in_i.last, in_i.icrc_lane[LANE_W-1:2], in_i.nbytes[NB_W-1:0], in_data_i};
    for (int unsigned i = 1; i < LATENCY; i++) line_q[i] <= line_q[i-1];
    way_line_q <= (2*LATENCY-2)'({way_line_q, in_way_i});
  end

  assign beat_out = line_q[LATENCY-1];
  assign way_out  = way_line_q[2*LATENCY-3 -: 2];
  assign {first_out, last_out, lane_out, nb_out, data_out} = beat_out;

  // ---- insertion; the half that does not fit waits for the next beat of the frame
  logic [DATA_W+15:0] placed;
  logic [15:0]        rest_q;
  logic out_valid_q, out_last_q;
  logic [NB_W-1:0]    out_nbytes_q;

  assign placed = crc_valid ? (DATA_W+16)'({crc, 16'h0}) << (32 * lane_out)
                            : {{DATA_W{1'b0}}, first_out ? 16'h0 : rest_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_valid_q <= 1'b0;
    else out_valid_q <= valid_line_q[LATENCY-1];
  end

  always_ff @(posedge clk_i) begin
    out_last_q   <= last_out;
    out_way_o    <= way_out;
    out_nbytes_q <= nb_out;
    out_data_o   <= data_out | placed[DATA_W-1:0];
    if (valid_line_q[LATENCY-1]) rest_q <= placed[DATA_W +: 16];
  end

  assign out_o  = {out_valid_q, out_last_q, 1'b0, 7'(out_nbytes_q)};
  assign idle_o = !(valid_line_q != '0 || out_valid_q);
endmodule
