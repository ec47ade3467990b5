// SPDX-License-Identifier: Apache-2.0
// Which blocks of wqe_fetch have been taken up: of each group the blocks that were looked up since they came, and the
// ports that have asked for the group and not looked at it since.
//
// Owns: both. They only help wqe_victim to choose, so a look-up may be lost: while those of another group wait, which
//   takes look-ups of two groups by a port in successive cycles, and something else to note meanwhile.
// Order: what begins, then a look-up of the completer, then one of the requester. A group that begins anew forgets the
//   look-ups of what it was before.
// Cycles: one thing is noted in each cycle. It is seen two cycles after it was told, if it needed not wait.
// Reset: nothing waits to be noted; a group has no meaning before it has begun. Errors: none.
module wqe_taken #(
    parameter int unsigned SETS = 16,
    parameter int unsigned LOOKS = 2,        // a cycle, one of each port, or 1, of either: as port 0's
    localparam int unsigned WAYS   = 4,
    localparam int unsigned GROUPS = SETS * WAYS,
    localparam int unsigned SW     = (SETS > 1) ? $clog2(SETS) : 1,
    localparam int unsigned GW     = $clog2(GROUPS)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    // strobe: blocks of a group begin, all of it if it is new; ports that ask for it
    input  logic              begin_i,
    input  logic [GW-1:0]     group_i,
    input  logic              new_i,
    input  logic [7:0]        blocks_i,
    input  logic [1:0]        ports_i,
    // strobes: a look-up of each port has found a block
    input  logic [1:0]        hit_i,
    input  logic [2*GW-1:0]   hit_group_i,
    input  logic [5:0]        hit_block_i,
    // the groups of a set
    input  logic [SW-1:0]     set_i,
    output logic [WAYS*8-1:0] used_o,
    output logic [WAYS*2-1:0] asked_o
);
  logic          begin_q, new_q;
  logic [GW-1:0] group_q;
  logic [7:0]    blocks_q;
  logic [1:0]    ports_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin_q <= 1'b0;
    else begin_q <= begin_i;
    group_q  <= group_i;
    new_q    <= new_i;
    blocks_q <= blocks_i;
    ports_q  <= ports_i;
  end

  // ---- look-ups: the last one of each port, and those that wait, of one group ----
  logic [1:0]      mark, first;        // there is one; its turn
  logic [2*GW-1:0] mark_group;
  logic [15:0]     mark_blocks;
  logic [3:0]      mark_ports;
  if (LOOKS == 1) begin : g_one
    logic unused;
    assign mark[1]                    = 1'b0;
    assign mark_group[2*GW-1:GW]      = '0;
    assign {mark_blocks[15:8], mark_ports[3:2]} = '0;
    assign unused                     = ^{hit_group_i[2*GW-1:GW], hit_block_i[5:3], first[1]};
  end
  for (genvar p = 0; p < LOOKS; p++) begin : g_port
    logic          hit_q, wait_q, hit, waits, same, found;
    logic [1:0]    hit_ports_q, wait_ports_q, ports;
    assign found   = (LOOKS == 1) ? hit_i != '0 : hit_i[p];
    assign ports   = (wait_q ? wait_ports_q : 2'b00) | ((hit_q && (!wait_q || same)) ? hit_ports_q : 2'b00);
    assign mark_ports[2*p +: 2] = ports;
    logic [GW-1:0] hit_group_q, wait_group_q;
    logic [7:0]    hit_blocks_q, wait_blocks_q, both;
    assign same    = hit_group_q == wait_group_q;
    assign hit     = hit_q && !(begin_q && new_q && group_q == hit_group_q);
    assign waits   = wait_q && !(begin_q && new_q && group_q == wait_group_q);
    assign both    = (wait_q ? wait_blocks_q : 8'h0) | ((hit_q && (!wait_q || same)) ? hit_blocks_q : 8'h0);
    assign mark[p] = wait_q || hit_q;
    assign mark_group[GW*p +: GW] = wait_q ? wait_group_q : hit_group_q;
    assign mark_blocks[8*p +: 8]  = both;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        hit_q  <= 1'b0;
        wait_q <= 1'b0;
      end else begin
        hit_q  <= found;
        wait_q <= first[p] ? wait_q && hit && !same : waits || hit;
      end
      hit_group_q  <= hit_group_i[GW*p +: GW];
      hit_blocks_q <= 8'h1 << hit_block_i[3*p +: 3];
      hit_ports_q  <= (LOOKS == 1) ? hit_i : 2'b01 << p;
      if (first[p] || !waits) begin
        wait_group_q  <= hit_group_q;
        wait_blocks_q <= hit_blocks_q;
        wait_ports_q  <= hit_ports_q;
      end else begin
        wait_blocks_q <= both;
        wait_ports_q  <= ports;
      end
    end
  end
  assign first = begin_q ? 2'b00 : mark[1] ? 2'b10 : mark;

  // ---- one of them is noted ----
  logic [9:0]    flat [0:GROUPS-1];
  logic [9:0]    was, next;
  logic [GW-1:0] at;
  assign at  = begin_q ? group_q : mark_group[GW*mark[1] +: GW];
  assign was = flat[at];
  always_comb begin
    next = was;
    if (begin_q) begin
      next = new_q ? {ports_q, 8'h0} : {was[9:8] | ports_q, was[7:0] & ~blocks_q};
    end else begin
      next = {was[9:8] & ~mark_ports[2*mark[1] +: 2], was[7:0] | mark_blocks[8*mark[1] +: 8]};
    end
  end
  always_ff @(posedge clk_i) if (begin_q || mark != '0) flat[at] <= next;
  for (genvar i = 0; i < WAYS; i++) begin : g_way
    logic [9:0] way [0:SETS-1];
    always_ff @(posedge clk_i) if ((begin_q || mark != '0) && at[1:0] == 2'(i)) way[at[GW-1:2]] <= next;
    assign {asked_o[2*i +: 2], used_o[8*i +: 8]} = way[set_i];
  end
endmodule
