// SPDX-License-Identifier: Apache-2.0
// Which group of blocks gives way in wqe_fetch: of the set that is asked for, round robin among those that may go.
//
// A group may go that is used up, or old: AGE_LIMIT fetches after its own. Requests that find no group age them too,
// else groups that are not taken up would hold their sets; slowly: they come every few cycles, and what has just been
// fetched must live until its QP has its turn. Blocks that were read along with wanted ones, of a QP that must not
// send, may stand for long: they give way when others have been refused for a while.
// Owns: of each group its age and who has asked for it, of each set its turn and its hunger. wqe_fetch has the rest.
// Order: the way behind the last victim of the set goes first. The read-ahead makes no group give way that is not
//   free, and needs a spare one. An ask of a group outweighs look-ups of it in the same cycle.
// Cycles: the answer is combinational; strobes count from the next cycle on. Reset: all ages and turns begin again; a
//   group's age means nothing before its first fetch. Errors: none; with no group free the way means nothing.
module wqe_victim #(
    parameter int unsigned SETS = 16,
    localparam int unsigned WAYS   = 4,
    localparam int unsigned GROUPS = SETS * WAYS,
    localparam int unsigned SW     = (SETS > 1) ? $clog2(SETS) : 1,
    localparam int unsigned GW     = $clog2(GROUPS)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    // all groups: in use; blocks of each that are here, used, on their way
    input  logic [GROUPS-1:0]   live_i,
    input  logic [GROUPS*8-1:0] have_i,
    input  logic [GROUPS*8-1:0] used_i,
    input  logic [GROUPS*8-1:0] coming_i,
    // the set that is asked for, by the read-ahead or a port
    input  logic [SW-1:0]       set_i,
    input  logic                ahead_i,
    output logic                free_o,     // one of it may go
    output logic                spare_o,    // three of it may go
    output logic [1:0]          victim_o,   // the way
    // what becomes of the request; the group, and whether it was in use before
    input  logic [GW-1:0]       group_i,
    input  logic                found_i,
    input  logic                turn_i,     // strobe: it has had its turn
    input  logic                issue_i,    // strobe: it is fetched
    input  logic                new_i,      // strobe: it begins with a pushed block
    input  logic                ask_i,      // strobe: these ports want it
    input  logic [1:0]          ports_i,
    // look-ups that have found a block
    input  logic [1:0]          hit_i,
    input  logic [2*GW-1:0]     hit_group_i
);
  localparam int unsigned AGE_LIMIT = 4 * GROUPS;    // fetches after which an unused group may go

  logic [GROUPS*16-1:0] born_q;       // fetch counter at the last fetch
  logic [15:0]          count_q;
  logic [5:0]           refused_q;    // requests that found no group; each 64th counts as a fetch
  logic [GROUPS*2-1:0]  asked_q;      // a port has asked for it, and not looked at it since
  logic [SETS*4-1:0]    hunger_q;     // of each set: requests in a row that found no group
  logic [SETS*2-1:0]    rr_q;         // next victim way of each set
  logic [WAYS-1:0]      can, stale, pick;
  logic [1:0]           rr;

  for (genvar i = 0; i < WAYS; i++) begin : g_way
    logic [GW-1:0] gi;
    logic [7:0]    fresh;
    logic [15:0]   age;
    assign gi      = {set_i, 2'(i)};
    assign fresh   = have_i[8*gi +: 8] & ~used_i[8*gi +: 8];
    assign age     = count_q - born_q[16*gi +: 16];
    assign can[i]  = !live_i[gi] || (coming_i[8*gi +: 8] == '0 && (fresh == '0 || age > 16'(AGE_LIMIT)));
    assign stale[i] = coming_i[8*gi +: 8] == '0 && asked_q[2*gi +: 2] == '0;
  end
  assign pick    = (can == '0 && !ahead_i && &hunger_q[4*set_i +: 4]) ? stale : can;
  assign rr      = rr_q[2*set_i +: 2];
  assign free_o  = pick != '0;
  assign spare_o = (can[0] && can[1] && (can[2] || can[3])) || (can[2] && can[3] && (can[0] || can[1]));
  always_comb begin
    victim_o = rr;
    for (int unsigned k = 4; k > 0; k--) begin
      if (pick[(rr + 2'(k - 1)) & 2'b11]) victim_o = rr + 2'(k - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      refused_q <= '0;
      asked_q   <= '0;
      hunger_q  <= '0;
      rr_q      <= '0;
    end else begin
      for (int unsigned g = 0; g < 2; g++) begin
        if (hit_i[g]) asked_q[2*hit_group_i[GW*g +: GW] + g] <= 1'b0;
      end
      if (turn_i) begin
        if (!issue_i) refused_q <= refused_q + 1'b1;
        if (issue_i) hunger_q[4*set_i +: 4] <= '0;
        else if (!(&hunger_q[4*set_i +: 4])) hunger_q[4*set_i +: 4] <= hunger_q[4*set_i +: 4] + 4'd1;
        if (issue_i || refused_q == '1) count_q <= count_q + 1'b1;
      end
      if (ask_i) asked_q[2*group_i +: 2] <= ((found_i ? asked_q[2*group_i +: 2] : 2'b00) | ports_i);
      else if (issue_i) asked_q[2*group_i +: 2] <= 2'b00;
      if (issue_i) begin
        born_q[16*group_i +: 16] <= count_q;
        if (!found_i) rr_q[2*set_i +: 2] <= victim_o + 1'b1;
      end
      // A new group counts as a fetch, so that it ages where nothing is fetched.
      if (new_i) begin
        asked_q[2*group_i +: 2]  <= 2'b00;
        born_q[16*group_i +: 16] <= count_q;
        count_q                  <= count_q + 1'b1;
        rr_q[2*set_i +: 2]       <= victim_o + 1'b1;
      end
    end
  end
endmodule
