// SPDX-License-Identifier: Apache-2.0
// Send WQE blocks on chip: a cache of 64-byte blocks by {QPN, generation, block index}, in groups of 8 consecutive
// blocks.
//
// Never authoritative: any block may be gone and is read again. Two lookup ports, for the requester and the completer
// (docs/rtl/queues.md).
// Lookup: hit, data and error one cycle later. err: the read failed, or its check word does not name {index, QPN and
//   generation} (all-ones, stale). A failed read is err without hit, so it is told from a block without a check word
//   (blocks after the first of a WQE). A hit marks the block used.
// Fetch: blocks from `index` on, up to the group's end, the ring's end and the producer index; the host may change none
//   of them before completion. Answer in the cycle in which it is taken: retry = no group can be had now, ask again;
//   else the blocks come (or are coming already), and a kick {QPN} for this port follows when they are there. One fetch
//   of a group at a time, as many groups at once as there are.
// Stale: indices are free-running 16 bit and the generation changes at each create and RESET, so a key means other
//   contents only after 65536 further blocks of the same QP, that is 8192 further groups. Victims are taken round robin
//   among the groups that are used up or old, so the group has left long before. Generations come round: forget_i, when
//   they begin again, drops every block that is here (docs/rtl/contexts.md).
// Ahead: for a QP that is alone, behind a fetch of the requester, whole groups below the producer index are fetched
//   unasked, AHEAD of them at most beyond the one that was looked up last. They bring no kick. They leave two ways of
//   each set to fetches with a waiter, so those cannot wait for one another.
// Pushed: a block that need not be fetched. It is put in as if it had been, unless it is here or coming, or only those
//   two ways are left; it brings no kick. It waits only while data of a fetch is written or something is looked up.
module wqe_fetch #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter int unsigned AHEAD  = (DATA_W >= 512) ? 6 : 2,   // groups
    parameter int unsigned CLIENT = cairn_int_pkg::RD_WQE
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  logic                            forget_i,
    // lookups
    input  cairn_int_pkg::wqe_lookup_t      req_wqe_i,
    output cairn_int_pkg::wqe_found_t       req_wqe_o,
    input  cairn_int_pkg::wqe_lookup_t      cmp_wqe_i,
    output cairn_int_pkg::wqe_found_t       cmp_wqe_o,
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
  localparam int unsigned TW     = cairn_int_pkg::WQE_GROUP_W;
  localparam int unsigned BEATB  = DATA_W / 8;
  localparam int unsigned BPB    = 512 / DATA_W;     // beats per block

  if (SETS < 2 || (1 << SW) != SETS) begin : g_chk
    $error("wqe_fetch: SETS must be a power of two, 2 or more");
  end

  // ---- ports: 0 the requester's, 1 the completer's ----
  logic [1:0]      look_valid, found_hit, found_err, fetch_valid, fetch_ready, kick_valid, kick_ready;
  logic [2*24-1:0] look_qpn, fetch_qpn, kick_qpn;
  logic [2*8-1:0]  look_gen, fetch_gen;
  logic [2*4-1:0]  fetch_log2;
  logic [2*16-1:0] look_index, fetch_index, fetch_limit;
  logic [2*64-1:0] fetch_base;
  logic [1023:0]   found_data;
  assign look_valid  = {cmp_wqe_i.valid, req_wqe_i.valid};
  assign look_qpn    = {cmp_wqe_i.qpn, req_wqe_i.qpn};
  assign look_gen    = {cmp_wqe_i.gen, req_wqe_i.gen};
  assign look_index  = {cmp_wqe_i.index, req_wqe_i.index};
  assign req_wqe_o = {found_hit[0], found_err[0], found_data[511:0]};
  assign cmp_wqe_o = {found_hit[1], found_err[1], found_data[1023:512]};
  assign fetch_valid  = {cmp_fetch_i.valid, req_fetch_i.valid};
  assign fetch_qpn    = {cmp_fetch_i.qpn, req_fetch_i.qpn};
  assign fetch_gen    = {cmp_fetch_i.gen, req_fetch_i.gen};
  assign fetch_index  = {cmp_fetch_i.index, req_fetch_i.index};
  assign fetch_limit  = {cmp_fetch_i.limit, req_fetch_i.limit};
  assign fetch_base   = {cmp_fetch_i.base, req_fetch_i.base};
  assign fetch_log2   = {cmp_fetch_i.log2, req_fetch_i.log2};
  assign {cmp_fetch_ready_o, req_fetch_ready_o} = fetch_ready;
  assign req_kick_o = {kick_valid[0], kick_qpn[23:0]};
  assign cmp_kick_o = {kick_valid[1], kick_qpn[47:24]};
  assign kick_ready = {cmp_kick_ready_i, req_kick_ready_i};

  // ---- groups ----
  logic [GROUPS-1:0]    live_q;                 // tag is valid
  logic [GROUPS*TW-1:0] tag_q;
  logic [GROUPS*8-1:0]  have_q;                 // block is here (or failed)
  logic [GROUPS*8-1:0]  fail_q;
  logic [GROUPS*8-1:0]  used_q;
  logic [GROUPS*8-1:0]  coming_q;
  logic [GROUPS*2-1:0]  waiter_q;               // who wants a kick
  logic [GROUPS*3-1:0]  start_q;                // first block of the fetch under way

  // Set of a group number: consecutive groups of a QP and equal groups of neighbouring QPs go to different sets.
  logic [2*TW-1:0] look_tag;
  logic [2*SW-1:0] look_set;
  for (genvar g = 0; g < 2; g++) begin : g_tag
    logic [12:0] lgrp;
    logic [23:0] lqpn;
    assign lgrp = look_index[16*g+3 +: 13];
    assign lqpn = look_qpn[24*g +: 24];
    assign look_tag[TW*g +: TW] = {lqpn, look_gen[8*g +: 8], lgrp};
    assign look_set[SW*g +: SW] = lgrp[SW-1:0] ^ lqpn[SW-1:0] ^ lqpn[2*SW-1:SW];
  end

  // ---- lookups: tags compared in the cycle of the request, data in the next ----
  logic [2*GW-1:0] look_group;
  logic [1:0]      look_found;
  logic [1:0]      look_hit;
  logic [1:0]      look_fail;
  for (genvar g = 0; g < 2; g++) begin : g_look
    logic [WAYS-1:0] way;
    logic [1:0]      w;
    logic [2:0]      blk;
    logic [511:0]    data;
    logic [15:0]     want_idx_q;
    logic [15:0]     want_own_q;
    logic            hit_q, fail_r;
    for (genvar i = 0; i < WAYS; i++) begin : g_way
      logic [GW-1:0] gi;
      assign gi     = {look_set[SW*g +: SW], 2'(i)};
      assign way[i] = live_q[gi] && tag_q[TW*gi +: TW] == look_tag[TW*g +: TW];
    end
    prio_enc #(.N(WAYS)) u_way (.in_i(way), .valid_o(look_found[g]), .idx_o(w));
    assign blk                   = look_index[16*g +: 3];
    assign look_group[GW*g +: GW]  = {look_set[SW*g +: SW], w};
    assign look_hit[g]  = look_valid[g] && look_found[g] && have_q[8*look_group[GW*g +: GW] + 32'(blk)];
    assign look_fail[g] = fail_q[8*look_group[GW*g +: GW] + 32'(blk)];
    ram_1r1w #(.WIDTH(512), .DEPTH(GROUPS * 8), .COL_W(DATA_W), .BYPASS(2)) u_data (
        .clk_i, .we_i(ram_we), .waddr_i(ram_waddr), .wdata_i(p_go ? pushed_i.block : {BPB{beat_data_i}}),
        .re_i(look_valid[g]), .raddr_i({look_group[GW*g +: GW], blk}), .rdata_o(data));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) hit_q <= 1'b0;
      else hit_q <= look_hit[g];
      fail_r     <= look_fail[g];
      want_idx_q <= look_index[16*g +: 16];
      want_own_q <= cairn_fn_pkg::wqe_owner(look_qpn[24*g +: 24], look_gen[8*g +: 8]);
    end
    assign found_hit[g] = hit_q && !fail_r;
    assign found_err[g] = hit_q && (fail_r || data[cairn_hw_pkg::WQE_CHECK_LSB +: 32] != {want_own_q, want_idx_q});
    assign found_data[512*g +: 512] = data;
  end

  // ---- read-ahead: where the last fetch for port 0 goes on ----
  cairn_int_pkg::wqe_fetch_t  ahead, begins;
  cairn_int_pkg::wqe_lookup_t look;
  assign begins = {f_issue && !f_ra && !f_sel, f_qpn, f_gen, f_index, f_limit, f_base, f_log2};
  assign look   = {look_hit[0], req_wqe_i.qpn, req_wqe_i.gen, req_wqe_i.index};
  wqe_ahead #(.AHEAD(AHEAD)) u_ahead (
      .clk_i, .rst_ni, .begin_i(begins), .look_i(look), .pass_i(f_valid && f_ra && (f_found || f_issue)),
      .stop_i(f_valid && f_ra && !f_found && !f_spare), .fetch_o(ahead));

  // ---- fetches: port 0 first, then port 1, then the read-ahead, one per cycle ----
  logic          f_sel;
  logic          f_valid;
  logic          f_ra;
  logic [7:0]    f_gen;
  logic [23:0]   f_qpn;
  logic [15:0]   f_index, f_limit, f_left;
  logic [63:0]   f_base;
  logic [3:0]    f_log2;
  logic [TW-1:0] f_tag;
  logic [SW-1:0] f_set;
  logic [15:0]   f_mask, f_pos, f_ring_left;
  logic [2:0]    f_blk;
  logic [3:0]    f_n;
  logic [7:0]    f_bits;
  logic [WAYS-1:0] f_way;
  logic          f_found, f_free, f_spare;
  logic [1:0]    f_way_idx, f_vict;
  logic [GW-1:0] f_group;
  logic          f_join;        // the wanted block is here or coming already
  logic          f_issue;
  logic          f_busy;        // the group has a fetch under way that does not bring it
  assign f_sel   = !fetch_valid[0];
  assign f_ra    = fetch_valid == '0;
  // an arrival may concern the same group: one thing at a time
  assign f_valid = (!f_ra || ahead.valid) && !done && kick_room == '1 && !p_go;
  assign f_qpn   = p_go ? pushed_i.qpn : f_ra ? ahead.qpn : fetch_qpn[24*f_sel +: 24];
  assign f_gen   = p_go ? pushed_i.gen : f_ra ? ahead.gen : fetch_gen[8*f_sel +: 8];
  assign f_index = p_go ? pushed_i.index : f_ra ? ahead.index : fetch_index[16*f_sel +: 16];
  assign f_limit = f_ra ? ahead.limit : fetch_limit[16*f_sel +: 16];
  assign f_base  = f_ra ? ahead.base : fetch_base[64*f_sel +: 64];
  assign f_log2  = f_ra ? ahead.log2 : fetch_log2[4*f_sel +: 4];
  assign f_tag   = {f_qpn, f_gen, f_index[15:3]};
  assign f_set   = f_index[3 +: SW] ^ f_qpn[SW-1:0] ^ f_qpn[2*SW-1:SW];
  assign f_blk   = f_index[2:0];

  // Blocks: to the group's end, the ring's end, the producer.
  assign f_mask      = (16'h1 << f_log2) - 16'h1;
  assign f_pos       = f_index & f_mask;
  assign f_ring_left = f_mask + 16'h1 - f_pos;
  assign f_left      = f_limit - f_index;
  always_comb begin
    f_n = 4'd8 - {1'b0, f_blk};
    if (f_ring_left < 16'(f_n)) f_n = f_ring_left[3:0];
    if (f_left == '0) f_n = 4'd1;
    else if (f_left < 16'(f_n)) f_n = f_left[3:0];
  end
  always_comb begin
    f_bits = '0;
    for (int unsigned i = 0; i < 8; i++) f_bits[i] = 4'(i) >= {1'b0, f_blk} && 4'(i) < {1'b0, f_blk} + f_n;
  end

  for (genvar i = 0; i < WAYS; i++) begin : g_fway
    logic [GW-1:0] gi;
    assign gi       = {f_set, 2'(i)};
    assign f_way[i] = live_q[gi] && tag_q[TW*gi +: TW] == f_tag;
  end
  prio_enc #(.N(WAYS)) u_fway (.in_i(f_way), .valid_o(f_found), .idx_o(f_way_idx));
  wqe_victim #(.SETS(SETS)) u_victim (
      .clk_i, .rst_ni, .live_i(live_q), .have_i(have_q), .used_i(used_q), .coming_i(coming_q),
      .set_i(f_set), .ahead_i(f_ra), .free_o(f_free), .spare_o(f_spare), .victim_o(f_vict),
      .group_i(f_group), .found_i(f_found),
      .turn_i(f_valid && !f_join && !f_busy && rq_ready && (!f_ra || f_issue)), .issue_i(f_issue), .new_i(p_new),
      .ask_i(f_valid && !f_ra && (f_join || f_issue)), .ports_i(fetch_ready),
      .hit_i(look_hit), .hit_group_i(look_group));
  assign f_group = {f_set, f_found ? f_way_idx : f_vict};
  assign f_join  = f_found && (coming_q[8*f_group + 32'(f_blk)] || have_q[8*f_group + 32'(f_blk)]);
  assign f_busy  = f_found && !f_join && coming_q[8*f_group +: 8] != '0;

  // A pushed block goes the way of a fetch, and before them, in a cycle in which no data is written, and no lookup can
  // meet the group that gives way.
  logic p_go, p_new;
  assign p_go       = pushed_i.valid && !mine && look_valid == '0;
  assign p_new      = p_go && !f_found && f_spare;
  assign pushed_ready_o = p_go;
  assign pushed_taken_o = !f_join && (f_found || f_spare);

  logic rq_ready;
  assign f_issue    = f_valid && rq_ready && (f_ra ? !f_found && f_spare : !f_join && !f_busy && (f_found || f_free));
  assign fetch_retry_o = !f_join && !f_issue;
  assign fetch_ready = (f_valid && !f_ra) ? (f_sel ? 2'b10 : 2'b01) : 2'b00;

  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd       = '0;
    rd.iova  = f_base + {42'h0, f_pos, 6'h0};
    rd.len   = {3'h0, f_n, 6'h0};
    rd.tag   = cairn_int_pkg::RTAG_W'(f_group);
    rd.epoch = epoch_i;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(f_issue), .in_ready_o(rq_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));

  // ---- data from the host ----
  cairn_int_pkg::dma_rsp_t rsp;
  logic              mine;
  logic [GW-1:0]     r_group;
  logic [2:0]        r_blk;
  logic [BPB-1:0]    ram_we;
  logic [GW+2:0]     ram_waddr;
  logic [7:0]        r_fail;
  logic              done;
  assign rsp       = beat_i.meta;
  assign mine      = beat_i.valid && rsp.client == 4'(CLIENT);
  assign r_group   = rsp.tag[GW-1:0];
  assign r_blk     = start_q[3*r_group +: 3] + rsp.offset[8:6];
  assign ram_waddr = p_go ? {f_group, f_blk} : {r_group, r_blk};
  for (genvar i = 0; i < BPB; i++) begin : g_we
    assign ram_we[i] = (p_go && pushed_taken_o)
                       || (mine && rsp.nbytes != '0 && (BPB == 1 || 32'(rsp.offset[5:0]) / BEATB == i));
  end
  assign done   = mine && rsp.last;
  assign r_fail = {8{rsp.err}};

  // ---- kicks: as many as groups can be under way ----
  logic [1:0]    kq_ready_unused, kick_room;
  logic [1:0]    kick_idle;
  logic [1:0]    kick_push;
  logic [23:0]   kick_push_qpn;
  assign kick_push     = done ? waiter_q[2*r_group +: 2] : (f_valid && f_join && have_q[8*f_group + 32'(f_blk)])
      ? fetch_ready : 2'b00;
  assign kick_push_qpn = done ? tag_q[TW*r_group + 21 +: 24] : f_qpn;
  for (genvar g = 0; g < 2; g++) begin : g_kick
    localparam int unsigned LVL_W = $clog2(GROUPS + 6);
    logic [LVL_W-1:0] lvl;
    sync_fifo_level #(.WIDTH(24), .DEPTH(GROUPS + 5)) u_k (
        .clk_i, .rst_ni, .in_valid_i(kick_push[g]), .in_ready_o(kq_ready_unused[g]), .in_data_i(kick_push_qpn),
        .out_valid_o(kick_valid[g]), .out_ready_i(kick_ready[g]), .out_data_o(kick_qpn[24*g +: 24]),
        .level_o(lvl));
    assign kick_idle[g] = lvl == '0;
    assign kick_room[g] = lvl < LVL_W'(4);
  end

  // Groups: whose they are, what is under way for them, and who waits for it
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q   <= '0;
      coming_q <= '0;
      waiter_q <= '0;
    end else begin
      // What is under way belongs to QPs that are alive.
      if (forget_i) for (int unsigned g = 0; g < GROUPS; g++) if (coming_q[8*g +: 8] == '0) live_q[g] <= 1'b0;
      if (done) begin
        coming_q[8*r_group +: 8] <= '0;
        waiter_q[2*r_group +: 2] <= '0;
      end
      if (f_valid && !f_ra && f_join) begin
        waiter_q[2*f_group +: 2] <= waiter_q[2*f_group +: 2] | (have_q[8*f_group + 32'(f_blk)] ? 2'b00 : fetch_ready);
      end
      if (f_issue) begin
        live_q[f_group]          <= 1'b1;
        tag_q[TW*f_group +: TW]  <= f_tag;
        coming_q[8*f_group +: 8] <= f_bits;
        start_q[3*f_group +: 3]  <= f_blk;
        waiter_q[2*f_group +: 2] <= fetch_ready;
      end
      if (p_new) begin
        live_q[f_group]          <= 1'b1;
        tag_q[TW*f_group +: TW]  <= f_tag;
        waiter_q[2*f_group +: 2] <= 2'b00;
      end
    end
  end

  // Their blocks: on chip, taken up, unreadable
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_q <= '0;
    end else begin
      for (int unsigned g = 0; g < 2; g++) begin
        if (look_hit[g]) used_q[8*look_group[GW*g +: GW] + 32'(look_index[16*g +: 3])] <= 1'b1;
      end
      if (done) begin
        have_q[8*r_group +: 8] <= have_q[8*r_group +: 8] | coming_q[8*r_group +: 8];
        fail_q[8*r_group +: 8] <= (fail_q[8*r_group +: 8] & ~coming_q[8*r_group +: 8])
            | (coming_q[8*r_group +: 8] & r_fail);
      end
      if (f_issue) begin
        have_q[8*f_group +: 8] <= f_found ? have_q[8*f_group +: 8] & ~f_bits : '0;
        used_q[8*f_group +: 8] <= f_found ? used_q[8*f_group +: 8] & ~f_bits : '0;
      end
      if (p_new) begin
        have_q[8*f_group +: 8] <= 8'h1 << f_blk;
        used_q[8*f_group +: 8] <= '0;
        fail_q[8*f_group +: 8] <= '0;
      end else if (p_go && pushed_taken_o) begin
        have_q[8*f_group + 32'(f_blk)] <= 1'b1;
        used_q[8*f_group + 32'(f_blk)] <= 1'b0;
        fail_q[8*f_group + 32'(f_blk)] <= 1'b0;
      end
    end
  end

  assign events_o.wqe_fetch = f_issue;
  assign idle_o = coming_q == '0 && !rd_o.valid && (&kick_idle)
                  && {fetch_valid, look_valid, ahead.valid, pushed_i.valid} == '0;
endmodule
