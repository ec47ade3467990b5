// SPDX-License-Identifier: Apache-2.0
// Which group of blocks gives way in wqe_fetch: of the set that is asked for, round robin among those that may go.
//
// A group may go that is used up, or old: AGE_LIMIT fetches after its own. Requests that find no group age them too,
// else groups that are not taken up would hold their sets; slowly: they come every few cycles, and what has just been
// fetched must live until its QP has its turn. Blocks that were read along with wanted ones, of a QP that must not
// send, may stand for long: they give way when others have been refused for a while. So do those that the requester
// has asked for, while a fence keeps it from its visits: the fence may wait for a fetch of the completer.
// Owns: of each group its age, of each set its turn and its hunger. wqe_fetch and wqe_taken have the rest.
// Order: the way behind the last victim of the set goes first. The read-ahead makes no group give way that is not
//   free, and needs a spare one.
// Age: counted in eighths of GROUPS fetches, in 8 bits. What nobody has taken up for 32 x GROUPS fetches seems young
//   again for a while: it stands longer, no more.
// Cycles: a set is shown in one cycle, with take, and answered for in those that follow, until the next one is taken.
//   Strobes are of the set that is answered for, and count from the next cycle on. What happens to a group between its
//   set's being shown and the strobe makes none give way that must stay: only those strobes begin anything.
// Reset: ages begin again, and turns and hunger of the sets that clear names; a group's age means nothing before its
//   first fetch. Errors: none; with no group free the way means nothing.
module wqe_victim #(
    parameter int unsigned SETS = 16,
    localparam int unsigned WAYS   = 4,
    localparam int unsigned GROUPS = SETS * WAYS,
    localparam int unsigned SW     = (SETS > 1) ? $clog2(SETS) : 1
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    // strobe: the set begins anew
    input  logic              clear_i,
    input  logic [SW-1:0]     clear_set_i,
    // a set, and its groups: in use; blocks of each that are here, used, on their way; ports that wait for it
    input  logic              take_i,
    input  logic [SW-1:0]     set_i,
    input  logic [WAYS-1:0]   live_i,
    input  logic [WAYS*8-1:0] have_i,
    input  logic [WAYS*8-1:0] used_i,
    input  logic [WAYS*8-1:0] coming_i,
    input  logic [WAYS*2-1:0] asked_i,
    // the answer, for the read-ahead or a port
    input  logic              ahead_i,
    input  logic              halt_i,     // the requester does not come to look
    output logic              free_o,     // one of it may go
    output logic              spare_o,    // three of it may go
    output logic [1:0]        victim_o,   // the way
    // what becomes of the request
    input  logic              found_i,    // it is in use already, in this way
    input  logic [1:0]        way_i,
    input  logic              turn_i,     // strobe: it has had its turn
    input  logic              issue_i,    // strobe: it is fetched
    input  logic              new_i       // strobe: it begins with a pushed block
);
  localparam int unsigned UNIT = $clog2(GROUPS) - 3;  // so many bits of the count are less than an age

  logic [UNIT+7:0] count_q;
  logic [5:0]      refused_q;         // requests that found no group; each 64th counts as a fetch
  logic [5:0]      sets [0:SETS-1];   // the way whose turn it is, requests in a row that found no group
  logic [SW-1:0]   set_q;
  logic [WAYS-1:0] can_q, stale_q, can, stale, pick;
  logic [1:0]      rr_q, at;
  logic [3:0]      hunger_q;
  logic [7:0]      now;
  assign now = count_q[UNIT +: 8];
  assign at  = found_i ? way_i : victim_o;

  for (genvar i = 0; i < WAYS; i++) begin : g_way
    logic [7:0] born [0:SETS-1];      // when its last fetch was
    logic [7:0] age, fresh;
    logic       still;
    assign age      = now - born[set_i];
    assign fresh    = have_i[8*i +: 8] & ~used_i[8*i +: 8];
    assign still    = coming_i[8*i +: 8] == '0;
    assign can[i]   = !live_i[i] || (still && (fresh == '0 || age[7:5] != '0));
    assign stale[i] = still && !asked_i[2*i + 1] && (!asked_i[2*i] || halt_i);
    always_ff @(posedge clk_i) if ((issue_i || new_i) && at == 2'(i)) born[set_q] <= now;
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      set_q   <= set_i;
      can_q   <= can;
      stale_q <= stale;
    end
  end

  logic          set_we;
  logic [SW-1:0] set_at;
  logic [5:0]    set_next;
  // Of the set that is answered for; another is taken while that one changes
  always_ff @(posedge clk_i) begin
    if (take_i) {rr_q, hunger_q} <= sets[set_i];
    else if (set_we && set_at == set_q) {rr_q, hunger_q} <= set_next;
  end
  assign pick    = (can_q == '0 && !ahead_i && (&hunger_q)) ? stale_q : can_q;
  assign free_o  = can_q != '0 || (!ahead_i && (&hunger_q) && stale_q != '0);
  assign spare_o = (can_q[0] && can_q[1] && (can_q[2] || can_q[3])) || (can_q[2] && can_q[3] && (can_q[0] || can_q[1]));
  always_comb begin
    victim_o = rr_q;
    for (int unsigned k = 4; k > 0; k--) begin
      if (pick[(rr_q + 2'(k - 1)) & 2'b11]) victim_o = rr_q + 2'(k - 1);
    end
  end

  // A set: who is next, and how hungry it is
  always_comb begin
    set_we   = clear_i || new_i || turn_i;
    set_at   = clear_i ? clear_set_i : set_q;
    set_next = {rr_q, hunger_q};
    if (clear_i) set_next = '0;
    else if (new_i) set_next[5:4] = victim_o + 1'b1;
    else if (issue_i) set_next = {found_i ? rr_q : victim_o + 2'b1, 4'h0};
    else if (!(&hunger_q)) set_next[3:0] = hunger_q + 1'b1;
  end
  always_ff @(posedge clk_i) if (set_we) sets[set_at] <= set_next;

  // A new group counts as a fetch, so that it ages where nothing is fetched.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      refused_q <= '0;
    end else begin
      if (turn_i && !issue_i) refused_q <= refused_q + 1'b1;
      if (new_i || issue_i || (turn_i && (&refused_q))) count_q <= count_q + 1'b1;
    end
  end
endmodule
