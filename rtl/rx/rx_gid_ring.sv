// SPDX-License-Identifier: Apache-2.0
// rx_gid_table for narrow builds, by the same rules: the entries go round in a ring and a few are compared at a time.
//
// The ring has a place for each entry, in flip-flops that only shift, and a comparator for each four of them, so four
// steps have shown every entry to one. It stands still while nobody asks and nothing is written. An entry is replaced
// when its place comes round.
// Cycles: the answer stands in the fourth cycle behind start_i and until the next one, which comes no sooner; the
//   question stands in start_i's cycle and the three behind it. A write takes ten cycles at most; firmware, which
//   writes five words for each, brings no second one sooner.
// Errors: none; without a match hit_o is 0.
module rx_gid_ring #(
    parameter int unsigned GIDS   = 16,
    parameter int unsigned GROUPS = 16,     // 0: there are none
    localparam int unsigned GW = (GROUPS > 1) ? $clog2(GROUPS) : 1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  cairn_int_pkg::gid_write_t gid_i,      // see rx_gid_table
    // question
    input  logic                      start_i,    // strobe
    input  logic [127:0]              dgid_i,
    input  logic                      ipv6_i,
    input  logic                      mcast_i,
    input  logic                      tagged_i,
    input  logic [11:0]               vid_i,
    // answer
    output logic                      hit_o,
    output logic [7:0]                index_o,
    output logic                      group_hit_o,
    output logic [GW-1:0]             group_o
);
  localparam int unsigned N     = (GROUPS > 0) ? 32 : (GIDS > 8) ? 16 : 8;   // places; groups from 16 on
  localparam int unsigned TAPS  = N / 4;
  localparam int unsigned AT_W  = $clog2(N);
  localparam int unsigned TAP_W = AT_W - 2;
  if (GIDS == 0 || GIDS > 16 || GROUPS > 16) begin : g_chk
    $error("rx_gid_ring: GIDS must be 1 to 16, GROUPS 0 to 16");
  end

  localparam int unsigned ENTRY_W = 142;   // family, whether it has a VLAN, which, address

  // ---- a write waits for its place
  logic                 ours, put_q, new_valid_q;
  logic [N/8-1:0]       put;          // each eighth place takes one
  logic [AT_W-1:0]      put_at_q;
  logic [ENTRY_W-1:0]   new_q;
  assign ours = gid_i.index < 8'(GIDS) || (gid_i.index >= 8'd16 && gid_i.index < 8'(16 + GROUPS));

  // ---- the ring: the place of number at_q is at its end, the others behind it
  logic [N*ENTRY_W-1:0] ring_q;
  logic [N-1:0]         valid_q;
  logic [AT_W-1:0]      at_q;
  logic [1:0]           left_q;       // steps to come
  logic                 step, turn;
  assign step = start_i || left_q != 2'd0;
  assign turn = step || put_q;
  for (genvar g = 0; g < N / 8; g++) begin : g_put
    assign put[g] = put_q && put_at_q == AT_W'(at_q + AT_W'(8 * (g + 1)));
  end

  logic [N*ENTRY_W-1:0] turned;
  logic [N-1:0]         turned_valid;
  always_comb begin
    turned       = {ring_q[ENTRY_W-1:0], ring_q[N*ENTRY_W-1:ENTRY_W]};
    turned_valid = {valid_q[0], valid_q[N-1:1]};
    for (int unsigned i = 0; i < N / 8; i++) begin
      if (put[i]) begin
        turned[(8*i+7)*ENTRY_W +: ENTRY_W] = new_q;
        turned_valid[8*i+7]                = new_valid_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {put_q, left_q, at_q, valid_q} <= '0;
    end else begin
      if (gid_i.we && ours) put_q <= 1'b1;
      else if (put != '0) put_q <= 1'b0;
      left_q <= start_i ? 2'd3 : left_q - 2'(step);
      if (turn) begin
        at_q    <= at_q + 1'b1;
        valid_q <= turned_valid;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (gid_i.we && ours) begin
      put_at_q    <= gid_i.index[AT_W-1:0];
      new_valid_q <= gid_i.valid;
      new_q       <= {gid_i.ipv6, gid_i.vlan, gid_i.vid, gid_i.addr};
    end
    if (turn) ring_q <= turned;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && gid_i.we && ours && put_q && put == '0) $error("rx_gid_ring: a write is lost");
  end
`endif

  // ---- one of four entries of each comparator
  logic [TAPS-1:0]  gid_q, group_q;
  logic [AT_W-1:0]  seen_q;           // the number of the first comparator's
  logic             step_q, first_q;
  for (genvar g = 0; g < TAPS; g++) begin : g_tap
    logic         valid, ipv6, vlan, vlan_ok, same;
    logic [11:0]  vid;
    logic [127:0] addr;
    assign {ipv6, vlan, vid, addr} = ring_q[4*g*ENTRY_W +: ENTRY_W];
    assign valid   = valid_q[4*g];
    assign vlan_ok = vlan ? (tagged_i && vid_i == vid) : (!tagged_i || vid_i == '0);
    assign same    = addr == dgid_i;
    always_ff @(posedge clk_i) begin
      gid_q[g]   <= valid && ipv6 == ipv6_i && vlan_ok && (mcast_i || same);
      group_q[g] <= valid && mcast_i && same;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= 1'b0;
    else step_q <= step;
    first_q <= start_i;
    seen_q  <= at_q;
  end

  // ---- the lowest so far
  logic [TAPS-1:0]  gid, group;       // by number: entries 4 * i and the three behind it
  logic [AT_W-1:0]  best, best_group, best_q, best_group_q;
  logic             hit_q, group_hit_q, had, had_group;
  always_comb begin
    gid   = '0;
    group = '0;
    for (int unsigned i = 0; i < TAPS; i++) begin
      for (int unsigned k = 0; k < TAPS; k++) begin
        if (TAP_W'(seen_q[AT_W-1:2] + TAP_W'(k)) == TAP_W'(i)) begin
          if (i < 4) gid[i] = step_q && gid_q[k];
          else group[i] = step_q && group_q[k];
        end
      end
    end
    best       = best_q;
    best_group = best_group_q;
    for (int unsigned i = TAPS; i > 0; i--) begin
      if (gid[i-1]) best = {TAP_W'(i - 1), seen_q[1:0]};
      if (group[i-1]) best_group = {TAP_W'(i - 1), seen_q[1:0]};
    end
    if (had && best_q < best) best = best_q;
    if (had_group && best_group_q < best_group) best_group = best_group_q;
  end
  assign had       = hit_q && !first_q;
  assign had_group = group_hit_q && !first_q;
  assign hit_o        = had || gid != '0;
  assign index_o      = 8'(best);
  assign group_hit_o  = had_group || group != '0;
  assign group_o      = best_group[GW-1:0];
  always_ff @(posedge clk_i) begin
    hit_q        <= hit_o;
    group_hit_q  <= group_hit_o;
    best_q       <= best;
    best_group_q <= best_group;
  end
endmodule
