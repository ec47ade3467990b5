// SPDX-License-Identifier: Apache-2.0
// Send WQE blocks on chip: a cache of 64-byte blocks by {QPN, generation, block index}, in groups of 8 consecutive
// blocks.
//
// Never authoritative: any block may be gone and is read again. Two lookup ports, for the requester and the completer
// (docs/rtl/queues.md).
// Lookup: hit, data and error one cycle later; where DATA_W is below 512 a part of the block at a time. err: the read
//   failed, or its check word does not name {index, QPN and generation} (all-ones, stale). A failed read is err without
//   hit, so it is told from a block without a check word (blocks after the first of a WQE). A hit marks the block used.
// Asked: whether a block is here, at once and without its data; nothing is marked.
// Fetch: blocks from `index` on, up to the group's end, the ring's end and the producer index; the host may change none
//   of them before completion. Answer in the cycle in which it is taken: retry = no group can be had now, ask again;
//   else the blocks come (or are coming already), and a kick {QPN} for this port follows when they are there. One fetch
//   of a group at a time, as many groups at once as there are. A port may ask for something else while it waits.
// Stale: indices are free-running 16 bit and the generation changes at each create and RESET, so a key means other
//   contents only after 65536 further blocks of the same QP, that is 8192 further groups. Victims are taken round robin
//   among the groups that are used up or old, so the group has left long before. Generations come round: forget_i, when
//   they begin again, drops every block that is here (docs/rtl/contexts.md).
// Ahead: for a QP that is alone, behind a fetch of the requester, whole groups below the producer index are fetched
//   unasked, AHEAD of them at most beyond the one that was looked up last. They bring no kick. They leave two ways of
//   each set to fetches with a waiter, so those cannot wait for one another.
// Pushed: a block that need not be fetched. It is put in as if it had been, unless it is here or coming, or only those
//   two ways are left; it brings no kick. It waits while data of a fetch is written. Where it begins a group, the group
//   becomes its own first and the block is written later, so look-ups of what was there see that or nothing.
// Cycles: a fetch is looked up in one cycle and decided in the next; a port's next one follows two cycles later, that
//   of another in the next cycle, unless it is of the same set. All waits in a cycle in which a fetch ends.
// Where DATA_W is below 512 there is one copy of tags and blocks: a look-up of the requester waits for one of the
//   completer (req_wqe_ready_o), and a fetch for both; fetches go one by one, one in three cycles.
// Reset: for twice SETS cycles nothing is here and nothing is taken; the same when all is forgotten.
module wqe_fetch #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter int unsigned QPS_LOG2 = 24,       // of a QPN: those above it are not asked for
    parameter bit          PUSH   = 1'b1,       // blocks come with doorbells, too
    parameter int unsigned AHEAD  = (DATA_W < 512) ? 2 : (SETS < 32) ? 6 : 12,  // groups
    parameter int unsigned CLIENT = cairn_int_pkg::RD_WQE
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  logic                            forget_i,
    input  logic                            halt_i,      // fence: port 0 does not come back for what it asked for
    // lookups
    input  cairn_int_pkg::wqe_lookup_t      req_wqe_i,
    output logic                            req_wqe_ready_o,
    output cairn_int_pkg::wqe_found_t       req_wqe_o,
    input  cairn_int_pkg::wqe_lookup_t      cmp_wqe_i,
    output cairn_int_pkg::wqe_found_t       cmp_wqe_o,
    // is a block here, combinational
    input  cairn_int_pkg::wqe_lookup_t      ask_i,
    output logic                            here_o,
    // fetches
    input  cairn_int_pkg::wqe_fetch_t       req_fetch_i,
    output logic                            req_fetch_ready_o,
    input  cairn_int_pkg::wqe_fetch_t       cmp_fetch_i,
    output logic                            cmp_fetch_ready_o,
    output logic                            fetch_retry_o,   // with either ready
    // a block that came with its doorbell (doorbell_push)
    input  cairn_int_pkg::pushed_t          pushed_i,
    output logic                            pushed_ready_o,
    output logic                            pushed_taken_o,  // with ready: it has a place
    // arrivals
    output cairn_int_pkg::kick_t            req_kick_o,
    input  logic                            req_kick_ready_i,
    output cairn_int_pkg::kick_t            cmp_kick_o,
    input  logic                            cmp_kick_ready_i,
    // host memory
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_hw_pkg::wqe_fetch_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned WAYS   = 4;
  localparam int unsigned GROUPS = SETS * WAYS;
  localparam int unsigned SW     = (SETS > 1) ? $clog2(SETS) : 1;
  localparam int unsigned GW     = $clog2(GROUPS);
  localparam int unsigned WORD   = (DATA_W < 128) ? 128 : DATA_W;    // of the RAM of blocks
  localparam int unsigned PTW    = $clog2(512 / WORD);
  localparam int unsigned BPW    = WORD / DATA_W;    // beats in it
  localparam bit          ONE    = DATA_W < 512;     // one look at the tags in a cycle
  localparam int unsigned KICKS  = (GROUPS < 128) ? GROUPS : 128;
  typedef enum logic [1:0] {K_REQ, K_CMP, K_AHEAD, K_PUSH} kind_e;   // who asks for a block
  localparam int unsigned CHECK_LSB = cairn_hw_pkg::WQE_CHECK_LSB % DATA_W;

  if (SETS < 2 || (1 << SW) != SETS) begin : g_chk
    $error("wqe_fetch: SETS must be a power of two, 2 or more");
  end

  // ---- ports: 0 the requester's, 1 the completer's ----
  logic [1:0] fetch_valid, fetch_ready;
  assign fetch_valid = {cmp_fetch_i.valid, req_fetch_i.valid};
  assign {cmp_fetch_ready_o, req_fetch_ready_o} = fetch_ready;

  // ---- what changes a group: one thing in a cycle, the end of its fetch first ----
  logic            done, g_we;    // a fetch ends; something changes
  logic [GW-1:0]   g_at;
  logic [7:0]      g_have, g_fail, g_coming;         // blocks that are here, unreadable, on their way
  logic [1:0]      g_waiter;                         // who wants a kick
  logic [WAYS-1:0] t_way;
  logic [SW-1:0]   t_set;
  logic            t_live;
  cairn_int_pkg::wqe_group_t t_tag;

  logic            sweep;         // nothing is here for now
  logic [1:0]      look_hit;
  logic [2*GW-1:0] look_group;
  logic [WAYS-1:0] s_match, s_live, s_taken, s_busy;
  logic [WAYS*8-1:0] s_have, s_coming;
  logic [SW-1:0]   s_set;
  logic            s_none;        // nothing can be looked at in this cycle
  logic [5:0]      look_block;
  wqe_looks #(.DATA_W(DATA_W), .SETS(SETS), .QPS_LOG2(QPS_LOG2), .ONE(ONE)) u_looks (
      .clk_i, .rst_ni, .off_i(sweep), .sweep_i(sweep_q), .sweep_set_i(sweep_at_q), .req_wqe_i, .req_wqe_ready_o,
      .req_wqe_o, .cmp_wqe_i, .cmp_wqe_o, .ask_i, .here_o, .hit_o(look_hit), .group_o(look_group), .block_o(look_block),
      .step_i({s_qpn, s_gen, s_index[15:3]}), .none_o(s_none), .set_o(s_set), .match_o(s_match), .live_o(s_live),
      .have_o(s_have), .coming_o(s_coming), .tag_we_i(t_way), .tag_set_i(t_set), .tag_live_i(t_live), .tag_i(t_tag),
      .state_we_i(g_we), .state_group_i(g_at), .have_i(g_have), .fail_i(g_fail), .coming_i(g_coming),
      .ram_we_i(ram_we), .ram_at_i(ram_waddr), .ram_i(ram_wdata));

  // ---- read-ahead: where the last fetch for port 0 goes on ----
  cairn_int_pkg::wqe_fetch_t  ahead, begins;
  cairn_int_pkg::wqe_lookup_t look_q;
  always_ff @(posedge clk_i) begin
    look_q <= {look_hit[0] && rst_ni, req_wqe_i.qpn, req_wqe_i.gen, req_wqe_i.index, req_wqe_i.limit, 2'd0};
  end
  assign begins = {f_issue && f_kind_q == K_REQ, req_fetch_i.qpn, req_fetch_i.gen, req_fetch_i.index,
                   req_fetch_i.limit, req_fetch_i.base, req_fetch_i.log2};
  wqe_ahead #(.AHEAD(AHEAD), .QPS_LOG2(QPS_LOG2)) u_ahead (
      .clk_i, .rst_ni, .begin_i(begins), .look_i(look_q), .pass_i(f_go && f_kind_q == K_AHEAD && (f_found || f_issue)),
      .stop_i(f_go && f_kind_q == K_AHEAD && !f_found && !f_spare), .fetch_o(ahead));

  // ---- step 1: pushed blocks, port 0, port 1, read-ahead; its set is looked at ----
  logic            s_any, s_take;
  logic [3:0]      p_want;
  kind_e           p_kind, s_kind;
  logic [23:0]     p_qpn, s_qpn;
  logic [7:0]      p_gen, s_gen;
  logic [15:0]     p_index, p_limit, s_index, s_limit, s_left;
  logic [1:0]      p_log2, s_log2;        // 3: the ring ends where a group does
  logic [3:0]      s_room;
  // What is being decided is not looked at again. A fetch of port 0 may tell the read-ahead to begin elsewhere.
  assign p_want[K_REQ]   = fetch_valid[0] && !((ONE ? fetch_valid[1] : f_valid_q) && f_kind_q == K_REQ);
  assign p_want[K_CMP]   = fetch_valid[1] && !(f_valid_q && f_kind_q == K_CMP);
  assign p_want[K_AHEAD] = ahead.valid && !(f_valid_q && (f_kind_q == K_REQ || f_kind_q == K_AHEAD));
  assign p_want[K_PUSH]  = PUSH && pushed_i.valid && !(f_valid_q && f_kind_q == K_PUSH);
  assign p_kind = p_want[K_PUSH] ? K_PUSH : p_want[K_REQ] ? K_REQ : p_want[K_CMP] ? K_CMP : K_AHEAD;
  always_comb begin
    case (p_kind)
      K_REQ:   {p_qpn, p_gen, p_index, p_limit} = {req_fetch_i.qpn, req_fetch_i.gen, req_fetch_i.index,
                                                   req_fetch_i.limit};
      K_CMP:   {p_qpn, p_gen, p_index, p_limit} = {cmp_fetch_i.qpn, cmp_fetch_i.gen, cmp_fetch_i.index,
                                                   cmp_fetch_i.limit};
      K_AHEAD: {p_qpn, p_gen, p_index, p_limit} = {ahead.qpn, ahead.gen, ahead.index, ahead.limit};
      default: {p_qpn, p_gen, p_index, p_limit} = {pushed_i.qpn, pushed_i.gen, pushed_i.index, 16'h0};
    endcase
    p_qpn = p_qpn & 24'((1 << QPS_LOG2) - 1);
  end
  assign p_log2 = (p_kind == K_CMP) ? ((cmp_fetch_i.log2 >= 4'd3) ? 2'd3 : cmp_fetch_i.log2[1:0])
                                    : ((req_fetch_i.log2 >= 4'd3 || p_kind == K_AHEAD) ? 2'd3 : req_fetch_i.log2[1:0]);
  if (ONE) begin : g_step
    // One after another: it is chosen, then looked at while nobody looks a block up, then decided.
    logic s_valid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) s_valid_q <= 1'b0;
      else s_valid_q <= s_valid_q ? !s_take : p_want != '0 && !f_valid_q;
      if (!s_valid_q) {s_kind, s_qpn, s_gen} <= {p_kind, p_qpn, p_gen};
      if (!s_valid_q) {s_index, s_limit, s_log2} <= {p_index, p_limit, p_log2};
    end
    assign s_any  = s_valid_q;
    assign s_take = s_any && !sweep && !s_none;
  end else begin : g_at_once
    assign s_any  = p_want != '0;
    assign {s_kind, s_qpn, s_gen, s_index, s_limit, s_log2} = {p_kind, p_qpn, p_gen, p_index, p_limit, p_log2};
    // The next one is not looked at in a set that this one may change.
    assign s_take = s_any && !sweep && !s_none && (!f_valid_q || (f_go && s_set != f_set_q));
  end
  assign s_left = s_limit - s_index;
  always_comb begin
    case (s_log2)
      2'd0:    s_room = 4'd1;
      2'd1:    s_room = 4'd2 - {3'h0, s_index[0]};
      2'd2:    s_room = 4'd4 - {2'h0, s_index[1:0]};
      default: s_room = 4'd8 - {1'b0, s_index[2:0]};
    endcase
  end
  for (genvar i = 0; i < WAYS; i++) begin : g_of
    assign s_taken[i] = s_have[8*i + 32'(s_index[2:0])] || s_coming[8*i + 32'(s_index[2:0])];
    assign s_busy[i]  = s_coming[8*i +: 8] != '0;
  end

  // ---- step 2: it is decided ----
  logic            f_valid_q, f_big_q;
  kind_e           f_kind_q;
  logic [23:0]     f_qpn_q;
  logic [7:0]      f_gen_q;
  logic [15:0]     f_index_q;
  logic [2:0]      f_left_q;      // blocks up to the producer, if fewer than 8
  logic [3:0]      f_room_q, f_n;
  logic [SW-1:0]   f_set_q;
  logic [WAYS-1:0] f_match_q, f_taken_q, f_busy_q, busy_q;
  logic [7:0]      f_bits, f_blk;
  logic            f_port, f_same, f_found, f_join, f_busy, f_free, f_spare;
  logic            f_go;          // it is decided in this cycle
  logic            f_issue, f_put, f_new;            // a fetch, a pushed block that is put in, a group for it
  logic            f_here;        // the wanted block is here
  logic [1:0]      f_way, f_vict, same;
  logic [GW-1:0]   f_group;
  logic [63:0]     f_base;
  logic [3:0]      f_log2;
  logic [15:0]     f_pos;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_valid_q <= 1'b0;
    else if (s_take) f_valid_q <= 1'b1;
    else if (f_go) f_valid_q <= 1'b0;
    if (!rst_ni || s_take) f_kind_q <= rst_ni ? s_kind : K_CMP;    // after a reset the requester's goes first
    if (s_take) begin
      f_qpn_q   <= s_qpn;
      f_gen_q   <= s_gen;
      f_index_q <= s_index;
      f_big_q   <= s_left[15:3] != '0;
      f_left_q  <= s_left[2:0];
      f_room_q  <= s_room;
      f_set_q   <= s_set;
      f_match_q <= s_match;
      f_taken_q <= s_taken;
      f_busy_q  <= s_busy;
    end
  end
  assign f_port  = !f_kind_q[1];
  assign f_found = f_match_q != '0;
  assign f_way   = {f_match_q[3] || f_match_q[2], f_match_q[3] || f_match_q[1]};
  assign f_join  = (f_match_q & f_taken_q) != '0;
  assign f_busy  = (f_match_q & f_busy_q) != '0;
  assign f_blk   = 8'h1 << f_index_q[2:0];

  // A port keeps its request until it is answered (wqe_asks). Where DATA_W is below 512 it need not: one that has begun
  // to ask for another QP is looked at again.
  assign same[0] = fetch_valid[0] && (!ONE || req_fetch_i.qpn == f_qpn_q);
  assign same[1] = fetch_valid[1] && (!ONE || cmp_fetch_i.qpn == f_qpn_q);
  assign f_same  = !f_port || same[f_kind_q[0]];

  // An arrival may concern the same group: one thing at a time
  assign f_go    = f_valid_q && !done && !(f_port && kick_room != '1) && !(f_kind_q == K_PUSH && mine) && !f_more;
  assign f_issue = f_go && f_same && rq_ready
                   && (f_port ? !f_join && !f_busy && (f_found || f_free) : f_kind_q == K_AHEAD && !f_found && f_spare);
  assign f_put   = f_go && f_kind_q == K_PUSH && f_found && !f_join;
  assign f_new   = f_go && f_kind_q == K_PUSH && !f_found && f_spare;
  assign fetch_retry_o  = !f_join && !f_issue;
  assign fetch_ready[0] = f_go && f_kind_q == K_REQ && same[0];
  assign fetch_ready[1] = f_go && f_kind_q == K_CMP && same[1];
  assign pushed_ready_o = f_go && f_kind_q == K_PUSH && !f_new;
  assign pushed_taken_o = f_put;

  // Blocks: to the group's end, the ring's end, the producer.
  always_comb begin
    f_n = f_room_q;
    if (!f_big_q && f_left_q == '0) f_n = 4'd1;
    else if (!f_big_q && {1'b0, f_left_q} < f_room_q) f_n = {1'b0, f_left_q};
    for (int unsigned i = 0; i < 8; i++) begin
      f_bits[i] = 4'(i) >= {1'b0, f_index_q[2:0]} && 4'(i) < {1'b0, f_index_q[2:0]} + f_n;
    end
  end

  wqe_victim #(.SETS(SETS)) u_victim (
      .clk_i, .rst_ni, .clear_i(sweep_q), .clear_set_i(sweep_at_q),
      .take_i(s_take), .set_i(s_set), .live_i(s_live), .have_i(s_have), .used_i(s_used), .coming_i(s_coming),
      .asked_i(s_asked), .ahead_i(!f_port), .halt_i, .free_o(f_free), .spare_o(f_spare), .victim_o(f_vict),
      .found_i(f_found), .way_i(f_way),
      .turn_i(f_go && f_same && !f_join && !f_busy && rq_ready && (f_port || f_issue)),
      .issue_i(f_issue), .new_i(f_new));
  logic [WAYS*8-1:0] s_used;
  logic [WAYS*2-1:0] s_asked;
  wqe_taken #(.SETS(SETS), .LOOKS(ONE ? 1 : 2)) u_taken (
      .clk_i, .rst_ni, .begin_i(f_issue || f_put || f_new || (fetch_ready != '0 && f_join)), .group_i(f_group),
      .new_i(!f_found), .blocks_i(f_issue ? f_bits : f_put ? f_blk : 8'h0), .ports_i(fetch_ready),
      .hit_i(look_hit), .hit_group_i(look_group), .hit_block_i(look_block),
      .set_i(s_set), .used_o(s_used), .asked_o(s_asked));
  assign f_group = {f_set_q, f_found ? f_way : f_vict};

  logic rq_ready;
  cairn_int_pkg::dma_rd_t rd;
  assign f_base = (f_kind_q == K_AHEAD) ? ahead.base : f_kind_q[0] ? cmp_fetch_i.base : req_fetch_i.base;
  assign f_log2 = (f_kind_q == K_AHEAD) ? ahead.log2 : f_kind_q[0] ? cmp_fetch_i.log2 : req_fetch_i.log2;
  assign f_pos  = f_index_q & ~(16'hffff << f_log2);
  always_comb begin
    rd       = '0;
    rd.iova  = {f_base[63:6] + 58'(f_pos), f_base[5:0]};
    rd.len   = {3'h0, f_n, 6'h0};
    rd.tag   = cairn_int_pkg::RTAG_W'(f_group);
    rd.epoch = epoch_i;
  end
  stream_half #(.WIDTH(cairn_int_pkg::DMA_RD_W), .FULL(!ONE)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(f_issue), .in_ready_o(rq_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));

  // ---- data from the host ----
  cairn_int_pkg::dma_rsp_t rsp;
  logic               mine, puts, f_more;            // a pushed block may be written; not its last word
  logic [GW-1:0]      r_group;
  logic [2:0]         r_blk, r_start;
  logic [BPW-1:0]     ram_we;
  logic [GW+PTW+2:0]  ram_waddr;
  logic [BPW*(DATA_W+1)-1:0] ram_wdata;
  logic [QPS_LOG2+31:0] names [0:GROUPS-1];         // what the blocks of a group say they are, and the first to come
  logic [23:0]        r_qpn;
  logic [15:0]        r_owner;
  logic [12:0]        r_no;
  logic               r_bad;
  cairn_int_pkg::dma_beat_t beat;
  logic [DATA_W-1:0]        beat_data;
  if (ONE) begin : g_beat_late       // a register: where a group changes much depends on what comes
    always_ff @(posedge clk_i) {beat.valid, beat.meta, beat_data} <= {rst_ni && beat_i.valid, beat_i.meta, beat_data_i};
  end else begin : g_beat_now
    assign {beat, beat_data} = {beat_i, beat_data_i};
  end
  assign rsp       = beat.meta;
  assign mine      = beat.valid && rsp.client == 4'(CLIENT);
  assign done      = mine && rsp.last;
  assign r_group   = rsp.tag[GW-1:0];
  assign r_blk     = r_start + rsp.offset[8:6];
  assign {r_qpn, r_owner, r_no, r_start} = 56'(names[r_group]);
  assign r_bad     = beat_data[CHECK_LSB +: 32] != {r_owner, r_no, r_blk};
  assign puts      = f_valid_q && !done && f_kind_q == K_PUSH && f_found && !f_join;
  wqe_words #(.DATA_W(DATA_W), .GW(GW), .PUSH(PUSH)) u_words (
      .clk_i, .rst_ni, .mine_i(mine), .some_i(rsp.nbytes != '0), .offset_i(rsp.offset[5:0]), .at_i({r_group, r_blk}),
      .bad_i(r_bad), .data_i(beat_data), .push_i(puts), .push_at_i({f_group, f_index_q[2:0]}),
      .block_i(pushed_i.block), .more_o(f_more), .we_o(ram_we), .at_o(ram_waddr), .word_o(ram_wdata));
  always_ff @(posedge clk_i) if (f_issue || f_new)
    names[f_group] <= {f_qpn_q[QPS_LOG2-1:0], cairn_fn_pkg::wqe_owner(f_qpn_q, f_gen_q), f_index_q};

  // ---- groups: what is here, comes, could not be read, who waits for it ----
  logic [25:0] flat [0:GROUPS-1];
  logic [7:0]  o_have, o_fail, o_coming;
  logic [1:0]  o_waiter;
  logic        f_note;            // a port joins those that wait
  assign {o_have, o_fail, o_coming, o_waiter} = flat[done ? r_group : {f_set_q, f_way}];
  assign f_here = (o_have & f_blk) != '0;
  assign f_note = fetch_ready != '0 && f_join && !f_here;
  assign g_we   = done || f_issue || f_put || f_new || f_note;
  assign g_at   = done ? r_group : f_group;
  always_comb begin
    {g_have, g_fail, g_coming, g_waiter} = f_found ? {o_have, o_fail, o_coming, o_waiter} : 26'h0;
    if (done) begin
      g_have   = o_have | o_coming;
      g_fail   = (o_fail & ~o_coming) | (o_coming & {8{rsp.err}});
      g_coming = '0;
      g_waiter = '0;
    end else if (f_kind_q == K_PUSH) begin
      if (f_found) g_have = o_have | f_blk;
      if (f_found) g_fail = o_fail & ~f_blk;
    end else if (f_join) begin
      g_waiter = o_waiter | fetch_ready;
    end else begin
      if (f_found) g_have = o_have & ~f_bits;
      g_coming = f_bits;
      g_waiter = fetch_ready;
    end
  end
  always_ff @(posedge clk_i) if (g_we) flat[g_at] <= {g_have, g_fail, g_coming, g_waiter};

  // Whose they are. What is under way belongs to QPs that are alive, when all is forgotten; after reset nothing is.
  // A set is looked at, then swept.
  logic            sweep_q, looked_q, forget_q, fresh_q;
  logic [SW-1:0]   sweep_at_q;
  always_ff @(posedge clk_i) {looked_q, busy_q} <= {rst_ni && sweep_q && !looked_q, s_busy};
  assign sweep  = sweep_q || forget_q;
  assign t_set  = sweep_q ? sweep_at_q : f_set_q;
  assign t_live = !sweep_q;
  assign t_tag  = {f_qpn_q, f_gen_q, f_index_q[15:3]};
  for (genvar i = 0; i < WAYS; i++) begin : g_give
    assign t_way[i] = looked_q ? fresh_q || !busy_q[i] : (f_issue || f_new) && f_group[1:0] == 2'(i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q    <= 1'b1;
      fresh_q    <= 1'b1;
      forget_q   <= 1'b0;
      sweep_at_q <= '0;
    end else begin
      if (forget_i) forget_q <= 1'b1;
      else if (!sweep_q && !f_valid_q) forget_q <= 1'b0;
      if (sweep_q) begin
        if (looked_q) sweep_at_q <= sweep_at_q + 1'b1;
        if (looked_q && sweep_at_q == '1) {sweep_q, fresh_q} <= 2'b00;
      end else if (forget_q && !f_valid_q) begin
        sweep_q <= 1'b1;
      end
    end
  end

  // ---- kicks ----
  logic [1:0]  kick_room, kick_push, kick_idle, promise;
  logic [23:0] kick_qpn;
  assign kick_push = done ? o_waiter : (f_join && f_here) ? fetch_ready : 2'b00;
  assign kick_qpn  = done ? r_qpn : f_qpn_q;
  assign promise   = fetch_ready & {2{f_issue || f_join}} & ~(f_note ? o_waiter : 2'b00);
  wqe_kick #(.DEPTH(KICKS), .QPS_LOG2(QPS_LOG2), .LATE(ONE)) u_kick_req (
      .clk_i, .rst_ni, .promise_i(promise[0]), .room_o(kick_room[0]), .give_i(kick_push[0]), .qpn_i(kick_qpn),
      .kick_o(req_kick_o), .kick_ready_i(req_kick_ready_i), .idle_o(kick_idle[0]));
  wqe_kick #(.DEPTH(KICKS), .QPS_LOG2(QPS_LOG2), .LATE(ONE)) u_kick_cmp (
      .clk_i, .rst_ni, .promise_i(promise[1]), .room_o(kick_room[1]), .give_i(kick_push[1]), .qpn_i(kick_qpn),
      .kick_o(cmp_kick_o), .kick_ready_i(cmp_kick_ready_i), .idle_o(kick_idle[1]));

  // ---- rest ----
  logic [GW:0] under_q;           // groups that are under way
  always_ff @(posedge clk_i) begin
    if (!rst_ni) under_q <= '0;
    else if (f_issue || done) under_q <= under_q + (f_issue ? (GW+1)'(1) : '1);
  end
  assign events_o.wqe_fetch = f_issue;
  assign idle_o = under_q == '0 && !rd_o.valid && (&kick_idle) && !sweep && !f_valid_q && !s_any
                  && {fetch_valid, ahead.valid, pushed_i.valid} == '0;   // (who looks a block up is not idle)
endmodule
