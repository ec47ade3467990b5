// SPDX-License-Identifier: Apache-2.0
// Data mover of dma_write: packs the bytes of each command into beats of its TLPs.
//
//   pieces + source --> select --> rotate 0..7 --> rotate 8s --> out (3 cycles)
//
// Lane 0 of a TLP's first beat is the start of the DW at its address, so bytes are displaced against the source beats.
// An output beat takes its lanes from two source beats, prev (already taken) and head (next to take): source lane j
// comes from prev if j >= r, from head if j < r; then all lanes rotate right by r (1 to BYTES). With n lanes used, the
// next beat has r + n, and head is taken if r + n > BYTES. A command starts with r = BYTES - addr[1:0] and needs no
// prev; later TLPs of a command start at aligned addresses, so r just goes on. Lanes that no byte enable covers hold
// anything. A piece of length 0 gives an out beat with out_none_o only.
// Cycles: one beat a cycle at every alignment, no pause between TLPs or commands. room_i: out takes 4 more beats.
module dma_wr_beat #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned META_W = 8
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              room_i,
    // pieces (dma_split)
    input  logic                              in_valid_i,
    output logic                              in_ready_o,
    input  logic [1:0]                        in_addr_i,   // bits 1:0
    input  logic [cairn_int_pkg::LEN_W-1:0]   in_len_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]   in_ends_i,   // lanes from the first one on
    input  logic                              in_first_i,  // of its command
    input  logic                              in_payload_i,
    input  logic [META_W-1:0]                 in_meta_i,
    // small data of the commands, packed from byte 0 like payload
    input  logic                              small_valid_i,
    output logic                              small_ready_o,
    input  logic [DATA_W-1:0]                 small_data_i,
    // payload
    input  logic                              pool_valid_i,
    output logic                              pool_ready_o,
    input  logic [DATA_W-1:0]                 pool_data_i,
    // beats
    output logic                              out_valid_o,
    output logic                              out_last_o,  // of the TLP
    output logic                              out_none_o,  // no TLP at all
    output logic [META_W-1:0]                 out_meta_o,  // of the TLP's piece, valid with last
    output logic [DATA_W-1:0]                 out_data_o,
    output logic                              active_o
);
  localparam int unsigned BYTES = DATA_W / 8;
  localparam int unsigned R_W   = $clog2(BYTES) + 1;
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  if (BYTES < 8) begin : g_chk_data
    $error("dma_wr_beat: DATA_W must be at least 64");
  end

  // Control -----------------------------------------------------------------------------------------------
  // r as its lowest bits: BYTES is 0 there, and the next r just the sum.
  logic              busy_q;     // inside a TLP
  logic [R_W-2:0]    low_q, low;
  logic [R_W-1:0]    r;
  logic [R_W:0]      sum;
  logic [LEN_W-1:0]  lanes_q, lanes;   // left in the TLP, this beat included
  logic              none, tlp_last, beyond, need_head, fire, pop;
  logic [DATA_W-1:0] prev_q, head;

  assign none      = in_len_i == '0;
  assign lanes     = busy_q ? lanes_q : in_ends_i;
  assign tlp_last  = lanes <= LEN_W'(BYTES);
  assign low       = (!busy_q && in_first_i) ? (R_W-1)'(0) - (R_W-1)'(in_addr_i) : low_q;
  assign r         = {low == '0, low};
  assign sum       = {1'b0, r} + {1'b0, lanes[R_W-1:0]};
  assign beyond    = sum > (R_W+1)'(BYTES);
  assign need_head = !tlp_last || beyond;     // r is 1 at least

  assign fire = in_valid_i && room_i
                && (none || !need_head || (in_payload_i ? pool_valid_i : small_valid_i));
  assign pop  = fire && need_head && !none;

  assign in_ready_o    = fire && (tlp_last || none);
  assign pool_ready_o  = pop && in_payload_i;
  assign small_ready_o = pop && !in_payload_i;
  assign head          = in_payload_i ? pool_data_i : small_data_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (fire) busy_q <= !in_ready_o;
    if (fire) begin
      lanes_q <= lanes - LEN_W'(BYTES);
      low_q   <= tlp_last ? sum[R_W-2:0] : low;
    end
    if (pop) prev_q <= head;
  end

  // Data --------------------------------------------------------------------------------------------------
  logic              s1_valid_q, s1_last_q, s1_none_q, s2_valid_q, s2_last_q, s2_none_q;
  logic              s3_valid_q, s3_last_q, s3_none_q;
  logic [R_W-1:0]    s1_r_q, s2_r_q;
  logic [META_W-1:0] s1_meta_q, s2_meta_q, s3_meta_q;
  logic [DATA_W-1:0] s1_data_q, s2_data_q, s3_data_q, turned;

  always_ff @(posedge clk_i) begin
    s1_valid_q <= rst_ni && fire;
    s2_valid_q <= rst_ni && s1_valid_q;
    s3_valid_q <= rst_ni && s2_valid_q;
    s1_last_q  <= tlp_last || none;
    s1_none_q  <= none;
    s1_meta_q  <= in_meta_i;
    s1_r_q     <= r;
    for (int unsigned j = 0; j < BYTES; j++) begin
      s1_data_q[8*j +: 8] <= (R_W'(j) >= r) ? prev_q[8*j +: 8] : head[8*j +: 8];
    end
    s2_last_q  <= s1_last_q;
    s2_none_q  <= s1_none_q;
    s2_meta_q  <= s1_meta_q;
    s2_r_q     <= s1_r_q;
    s2_data_q  <= turned;
    s3_last_q  <= s2_last_q;
    s3_none_q  <= s2_none_q;
    s3_meta_q  <= s2_meta_q;
  end

  if (BYTES == 8) begin : g_narrow
    assign turned = DATA_W'({s1_data_q, s1_data_q} >> {s1_r_q[2:0], 3'b000});
    always_ff @(posedge clk_i) s3_data_q <= s2_data_q;
    logic unused_r;
    assign unused_r = ^s2_r_q;
  end else begin : g_wide
    // Four ways a step: two steps, then one.
    localparam logic [R_W-2:0] COARSE = (R_W-1)'(32'hfffffff0);
    logic [DATA_W-1:0] moved;
    turn_bytes #(.BYTES(BYTES)) u_fine (.data_i(s1_data_q), .turn_i((R_W-1)'(s1_r_q[3:0])), .data_o(turned));
    turn_bytes #(.BYTES(BYTES)) u_coarse (
        .data_i(s2_data_q), .turn_i(s2_r_q[R_W-2:0] & COARSE), .data_o(moved));
    always_ff @(posedge clk_i) s3_data_q <= moved;
    logic unused_r;
    assign unused_r = ^{s2_r_q[R_W-1], s2_r_q[3:0]};
  end

  assign out_valid_o = s3_valid_q;
  assign out_last_o  = s3_last_q;
  assign out_none_o  = s3_none_q;
  assign out_meta_o  = s3_meta_q;
  assign out_data_o  = s3_data_q;
  assign active_o    = s1_valid_q || s2_valid_q || s3_valid_q;
endmodule
