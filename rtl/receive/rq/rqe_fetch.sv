// SPDX-License-Identifier: Apache-2.0
// Receive WQEs on chip: a cache of runs of consecutive receive queue entries (elements of 16 bytes).
//
// Keyed {QPN, generation, first index}; one DMA read (client RD_RQE) of up to 1 KiB a run, never past the producer
// index or the ring's end. Never authoritative: any run may be gone and is read again.
// Lookup: in the next cycle hit, err (the read failed) and base, where the entry's elements start in the element RAM;
//   an element comes one cycle after its address. While elements are read, from the cycle after the lookup on, the runs
//   of the last two lookups keep their place: rsp_walk looks the next entry up while it reads elements. A miss starts
//   the read by itself: a wake {slot} follows when it has arrived; without wait no run could be had, and avail follows.
//   A hit past the middle of a run reads the next run ahead. Lookups in every second cycle.
// SRQ: the key's QPN is {SRQ, slot}, the index tells the slot from what it was before, the entry is the slot. A run is
//   one entry in one of ONES small buffers of 16 elements, since neighbours do not belong together. A slot that will be
//   looked up later is read ahead when a buffer is to be had, else forgotten. Reads of srq_ring have the top bit of the
//   tag.
// Victims: round robin, runs not under way, not in use, and not fetched for a miss, or ahead for an SRQ, that have not
//   been looked at since. For 256 to 512 cycles: the packet that asked may be stuck behind one that cannot get a run. A
//   miss also gets one that was read ahead.
// Stale: the host may not change an entry between its doorbell and its completion. An index comes again only after
//   65536 entries of that QP, by when round robin has reused the run (it holds at most 64 of them and its QP has
//   fetched a thousand others). A new QP of that number has a new generation (8 bits: docs/rtl/contexts.md).
// Errors: a run that could not be read is told once (err), then read again.
module rqe_fetch #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned RUNS   = 16,
    parameter int unsigned ONES   = 16,                // single entries of SRQs
    parameter int unsigned CLIENT = cairn_int_pkg::RD_RQE,
    localparam int unsigned ALL   = RUNS + ONES,
    localparam int unsigned RW    = $clog2(ALL),
    localparam int unsigned EAW   = $clog2(64 * RUNS + 16 * ONES),   // element address
    localparam int unsigned SLOT_W = cairn_int_pkg::SLOT_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    // forget: drop what is here: generations begin again (docs/rtl/contexts.md)
    input  logic                            forget_i,
    input  cairn_int_pkg::rqe_look_t        look_i,
    output cairn_int_pkg::rqe_found_t       found_o,
    input  cairn_int_pkg::rqe_ahead_t       ahead_i,
    output logic                            ahead_ready_o,
    input  cairn_int_pkg::rqe_element_t     el_i,  // elements of the entry looked up last are being read
    output logic [127:0]                    el_o,
    output cairn_int_pkg::wake_t            wake_o,
    input  logic                            wake_ready_i,
    output logic                            avail_o,
    // host memory
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_hw_pkg::rqe_fetch_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned TW   = cairn_int_pkg::RQE_TAG_W;
  localparam int unsigned RUN_ELEMS = 64;
  localparam int unsigned LANES = (DATA_W < 128) ? 1 : DATA_W / 128;   // elements per beat
  localparam int unsigned LW   = (LANES > 1) ? $clog2(LANES) : 1;
  localparam int unsigned HALF = (DATA_W < 128) ? 64 : 128;            // write granule

  localparam int unsigned LRW  = $clog2(RUNS);
  localparam int unsigned ORW  = $clog2(ONES);
  localparam int unsigned ELEMS = RUNS * RUN_ELEMS + 16 * ONES;

  if (RUNS < 4 || (1 << LRW) != RUNS || ONES < 4 || (1 << ORW) != ONES) begin : g_chk
    $error("rqe_fetch: RUNS and ONES must be powers of two, 4 or more");
  end

  logic           found_hit_q, found_err_q, found_wait_q;
  logic [EAW-1:0] found_base_q;

  // ---- runs: the long ones, then the single ones ----
  logic [ALL-1:0]    live_q, pend_q, fresh_q, fail_q;
  logic [ALL*TW-1:0] tag_q;      // rqe_tag of each
  logic [ALL*7-1:0]  count_q;    // entries
  logic [ALL*SLOT_W-1:0] waiter_q;
  logic [ALL-1:0]    waits_q;
  logic [LRW-1:0]     rr_q;
  logic [ORW-1:0]     rr1_q;
  logic [1:0]         refused_q;  // a miss had no long run, no single one
  logic [ONES-1:0]    early_q;    // single runs: fresh because they were read ahead
  logic [ALL-1:0]    old_q;      // fresh, and one tick has passed
  logic [7:0]         tick_q;

  // ---- cycle 0: compare; the result is registered ----
  logic [ALL-1:0]    match, next_match;
  logic               found, next_found;
  logic [RW-1:0]      run;
  logic [ALL*16-1:0] delta;
  logic [15:0]        pos;
  logic [6:0]         cnt;
  for (genvar g = 0; g < ALL; g++) begin : g_cmp
    logic same;
    logic [TW-1:0] of;
    assign of   = tag_q[TW*g +: TW];
    assign same = live_q[g] && of[TW-1:16] == {look_i.srq, look_i.qpn, look_i.gen};
    assign delta[16*g +: 16] = look_i.index - of[15:0];
    assign match[g]      = same && delta[16*g +: 16] < 16'(count_q[7*g +: 7]);
    assign next_match[g] = live_q[g] && of == {1'b0, p_qpn_q, p_gen_q, p_index_q};
  end
  prio_enc #(.N(ALL)) u_match (.in_i(match), .valid_o(found), .idx_o(run));
  assign next_found = next_match != '0;
  assign pos = delta[16*run +: 16];
  assign cnt = count_q[7*run +: 7];

  // ---- wanted fetch: the miss of this cycle, or a run ahead remembered from an earlier hit ----
  logic        p_valid_q;       // read ahead
  logic [23:0] p_qpn_q;
  logic [7:0]  p_gen_q;
  logic [15:0] p_index_q, p_pi_q;
  logic [63:0] p_base_q;
  logic [3:0]  p_log2_q;
  logic [4:0]  p_stride_q;
  logic        miss, ahead;
  logic [15:0] p_left;
  logic        rq_ready;
  logic [15:0] f_index, f_pi, f_left, f_mask, f_at, f_ring;
  logic [63:0] f_base;
  logic [4:0]  f_stride;
  logic [6:0]  f_fit, f_n;
  logic [10:0] f_bytes;
  logic [19:0] f_off;
  logic [RUNS-1:0] can, can_rot;
  logic [ONES-1:0] can1, soft1, pick1, pick1_rot;
  logic        vl_found, v1_found, v_found;
  logic [ALL-1:0] held;            // the runs of the last two lookups, while elements are read
  logic [RW-1:0]  cur_q, prev_q;
  logic           cur_ok_q, prev_ok_q;
  logic [LRW-1:0] vl_rot, victim_l;
  logic [ORW-1:0] v1_rot, victim_1;
  logic [RW-1:0] victim;
  logic        issue, f_one, ahead_go;
  assign miss    = look_i.valid && !found;
  assign p_left  = p_pi_q - p_index_q;
  // the index may be older than the run
  assign ahead   = p_valid_q && !next_found && p_left != '0 && !p_left[15] && !look_i.valid;
  assign ahead_go      = ahead_i.valid && !look_i.valid && !ahead;
  assign ahead_ready_o = !look_i.valid && !ahead && rq_ready;
  assign f_index = miss ? look_i.index : p_index_q;
  assign f_pi    = miss ? look_i.pi : p_pi_q;
  assign f_base  = miss ? look_i.base : ahead_go ? ahead_i.base : p_base_q;
  assign f_stride = miss ? look_i.stride : ahead_go ? ahead_i.stride : p_stride_q;
  assign f_mask  = (16'h1 << (miss ? look_i.log2 : p_log2_q)) - 16'h1;
  assign f_one   = ahead_go || (miss && look_i.srq);
  assign f_at    = ahead_go ? ahead_i.slot : f_one ? look_i.entry : f_index & f_mask;
  assign f_ring  = f_mask + 16'h1 - f_at;
  assign f_left  = f_pi - f_index;
  always_comb begin
    case (f_stride)
      5'd1:    f_fit = 7'd64;
      5'd2:    f_fit = 7'd32;
      5'd3:    f_fit = 7'd21;
      5'd4:    f_fit = 7'd16;
      5'd5:    f_fit = 7'd12;
      5'd6:    f_fit = 7'd10;
      5'd7:    f_fit = 7'd9;
      5'd8:    f_fit = 7'd8;
      5'd9:    f_fit = 7'd7;
      5'd10:   f_fit = 7'd6;
      5'd11, 5'd12: f_fit = 7'd5;
      default: f_fit = 7'd4;
    endcase
    f_n = f_fit;
    if (f_ring < 16'(f_n)) f_n = f_ring[6:0];
    if (f_left < 16'(f_n)) f_n = f_left[6:0];
    if (f_one) f_n = 7'd1;
  end
  assign f_bytes = 11'(f_n) * 11'({f_stride, 4'h0});
  assign f_off   = 20'(f_at) * 20'(f_stride);

  assign held    = ((el_i.busy && cur_ok_q) ? ALL'(1) << cur_q : '0)
                   | ((el_i.busy && prev_ok_q) ? ALL'(1) << prev_q : '0);
  assign can     = ~pend_q[RUNS-1:0] & ~fresh_q[RUNS-1:0] & ~held[RUNS-1:0];
  assign can1    = ~pend_q[RUNS +: ONES] & ~fresh_q[RUNS +: ONES] & ~held[RUNS +: ONES];
  assign soft1   = ~pend_q[RUNS +: ONES] & early_q & ~held[RUNS +: ONES];
  assign pick1   = (can1 == '0 && !ahead_go) ? soft1 : can1;
  for (genvar g = 0; g < RUNS; g++) begin : g_rot
    assign can_rot[g] = can[LRW'(g) + rr_q];
  end
  for (genvar g = 0; g < ONES; g++) begin : g_rot1
    assign pick1_rot[g] = pick1[ORW'(g) + rr1_q];
  end
  prio_enc #(.N(RUNS)) u_vict (.in_i(can_rot), .valid_o(vl_found), .idx_o(vl_rot));
  prio_enc #(.N(ONES)) u_vict1 (.in_i(pick1_rot), .valid_o(v1_found), .idx_o(v1_rot));
  assign victim_l = vl_rot + rr_q;
  assign victim_1 = v1_rot + rr1_q;
  assign victim   = f_one ? RW'(RUNS) + RW'(victim_1) : RW'(victim_l);
  assign v_found  = f_one ? v1_found : vl_found;
  assign issue    = (miss || ahead || ahead_go) && v_found && rq_ready && f_n != '0;

  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd       = '0;
    rd.iova  = f_base + {40'h0, f_off, 4'h0};
    rd.len   = {2'h0, f_bytes};
    rd.tag   = cairn_int_pkg::RTAG_W'(victim);
    rd.epoch = epoch_i;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(issue), .in_ready_o(rq_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));

  // ---- data: elements in LANES banks; queues are 16-byte aligned, so a beat starts at any element and skip is 0
  // ----
  cairn_int_pkg::dma_rsp_t rsp;
  logic            mine, done, r_bad;
  logic [RW-1:0]   r_run;
  logic [5:0]      r_elem;
  assign rsp    = beat_i.meta;
  assign mine   = beat_i.valid && rsp.client == 4'(CLIENT) && !rsp.tag[11];
  assign r_run  = rsp.tag[RW-1:0];
  assign r_elem = rsp.offset[9:4];
  assign done   = mine && rsp.last;
  assign r_bad  = rsp.err;

  // Where a run's elements start.
  logic [EAW-1:0]  r_base, look_at;
  assign r_base = (r_run < RW'(RUNS)) ? EAW'({r_run, 6'h0}) : EAW'(RUNS * RUN_ELEMS) + EAW'({r_run - RW'(RUNS), 4'h0});
  assign look_at  = (run < RW'(RUNS)) ? EAW'({run, 6'h0}) : EAW'(RUNS * RUN_ELEMS) + EAW'({run - RW'(RUNS), 4'h0});

  logic [EAW-1:0]  el_q;
  always_ff @(posedge clk_i) el_q <= el_i.addr[EAW-1:0];
  if (DATA_W < 128) begin : g_narrow
    logic half;
    assign half = rsp.offset[3];
    ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS), .COL_W(HALF), .BYPASS(2)) u_el (
        .clk_i, .we_i({mine && half && rsp.nbytes != '0, mine && !half && rsp.nbytes != '0}),
        .waddr_i(r_base + EAW'(r_elem)), .wdata_i({2{beat_data_i}}),
        .re_i(1'b1), .raddr_i(el_i.addr[EAW-1:0]), .rdata_o(el_o));
    logic unused;
    assign unused = ^el_q;
  end else if (LANES == 1) begin : g_one
    ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS), .BYPASS(2)) u_el (
        .clk_i, .we_i(mine && rsp.nbytes != '0), .waddr_i(r_base + EAW'(r_elem)), .wdata_i(beat_data_i),
        .re_i(1'b1), .raddr_i(el_i.addr[EAW-1:0]), .rdata_o(el_o));
    logic unused;
    assign unused = ^el_q;
  end else begin : g_wide
    logic [LANES*128-1:0] bank_rd;
    for (genvar b = 0; b < LANES; b++) begin : g_bank
      logic [LW-1:0]      lane;     // which element of the beat is this bank's
      logic [5:0]         elem;
      logic               we;
      assign lane = LW'(b) - r_elem[LW-1:0];
      assign elem = r_elem + 6'(lane);
      assign we   = mine && 32'({lane, 4'h0}) < 32'(rsp.nbytes);
      ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS / LANES), .BYPASS(2)) u_el (
          .clk_i, .we_i(we), .waddr_i(r_base[EAW-1:LW] + (EAW-LW)'(elem[5:LW])), .wdata_i(beat_data_i[128*lane +: 128]),
          .re_i(1'b1), .raddr_i(el_i.addr[EAW-1:LW]), .rdata_o(bank_rd[128*b +: 128]));
    end
    assign el_o = bank_rd[128*el_q[LW-1:0] +: 128];
    logic unused;
    assign unused = ^el_q[EAW-1:LW];
  end

  logic use_fresh, join_run, late_join;
  // ---- wakes: at most one run a waiter ----
  logic wq_ready_unused;
  logic [$clog2(ALL+3)-1:0] wq_level;
  sync_fifo_level #(.WIDTH(SLOT_W), .DEPTH(ALL + 2)) u_wake (
      .clk_i, .rst_ni, .in_valid_i(done && (waits_q[r_run] || late_join)), .in_ready_o(wq_ready_unused),
      .in_data_i(late_join ? look_i.slot : waiter_q[SLOT_W*r_run +: SLOT_W]),
      .out_valid_o(wake_o.valid), .out_ready_i(wake_ready_i), .out_data_o(wake_o.slot), .level_o(wq_level));

  assign use_fresh = look_i.valid && found && !pend_q[run] && fresh_q[run];
  assign join_run  = look_i.valid && found && pend_q[run];
  assign late_join = join_run && done && r_run == run;   // it arrives while it is asked for

  // The answer of the next cycle; what was refused is told once there is room again
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      refused_q  <= '0;
      avail_o    <= 1'b0;
      found_hit_q  <= 1'b0;
      found_wait_q <= 1'b0;
    end else begin
      found_hit_q  <= look_i.valid && found && !pend_q[run];
      found_wait_q <= join_run || (miss && issue);
      if (miss && !issue) refused_q[f_one] <= 1'b1;
      else if (avail_o) refused_q <= '0;
      avail_o <= !avail_o && rq_ready && ((refused_q[0] && can != '0) || (refused_q[1] && (can1 | soft1) != '0));
    end
    found_err_q  <= fail_q[run];
    found_base_q <= look_at + EAW'(12'(pos[6:0]) * 12'(look_i.stride));
  end

  // The runs
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q  <= '0;
      pend_q  <= '0;
      fresh_q <= '0;
      waits_q <= '0;
      rr_q    <= '0;
      rr1_q   <= '0;
      early_q <= '0;
      old_q   <= '0;
      tick_q  <= '0;
    end else begin
      tick_q <= tick_q + 8'h1;
      if (tick_q == '1) begin
        fresh_q <= fresh_q & ~(old_q & ~pend_q);
        early_q <= early_q & ~(old_q[RUNS +: ONES] & ~pend_q[RUNS +: ONES]);
        old_q   <= fresh_q & ~pend_q;
      end
      if (done) begin
        pend_q[r_run]  <= 1'b0;
        waits_q[r_run] <= 1'b0;
        old_q[r_run]   <= 1'b0;
        fail_q[r_run]  <= r_bad;
      end
      if (use_fresh) fresh_q[run] <= 1'b0;
      if (forget_i) live_q <= live_q & pend_q;
      // What could not be read is told once: the next look reads it again.
      if (look_i.valid && found && !pend_q[run] && fail_q[run]) live_q[run] <= 1'b0;
      if ((use_fresh || join_run) && look_i.srq) early_q[ORW'(run - RW'(RUNS))] <= 1'b0;
      if (join_run) begin
        waits_q[run] <= !late_join;
        fresh_q[run] <= 1'b1;
      end
      if (issue) begin
        live_q[victim]  <= 1'b1;
        pend_q[victim]  <= 1'b1;
        fresh_q[victim] <= !ahead;
        old_q[victim]   <= 1'b0;
        waits_q[victim] <= miss;
        if (f_one) rr1_q <= victim_1 + 1'b1;
        else rr_q <= victim_l + 1'b1;
        if (f_one) early_q[victim_1] <= ahead_go;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (issue) begin
      tag_q[TW*victim +: TW]            <= miss ? {look_i.srq, look_i.qpn, look_i.gen, look_i.index}
                                           : ahead_go ? {1'b1, ahead_i.srqn, ahead_i.slot, 8'h0, ahead_i.seq}
                                           : {1'b0, p_qpn_q, p_gen_q, p_index_q};
      count_q[7*victim +: 7] <= f_n;
      if (miss) waiter_q[SLOT_W*victim +: SLOT_W] <= look_i.slot;
    end
    if (join_run) waiter_q[SLOT_W*run +: SLOT_W] <= look_i.slot;
  end

  // The runs in use, and what is to be read behind the last
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      p_valid_q <= 1'b0;
      cur_ok_q  <= 1'b0;
      prev_ok_q <= 1'b0;
    end else begin
      if (look_i.valid) cur_ok_q <= found && !pend_q[run];
      if (look_i.valid) prev_ok_q <= cur_ok_q && el_i.busy;
      if (look_i.valid && !look_i.srq && found && !pend_q[run] && {pos[6:0], 1'b0} >= {1'b0, cnt}) p_valid_q <= 1'b1;
      else if (ahead ? issue : !look_i.valid) p_valid_q <= 1'b0;
    end
    if (look_i.valid) {prev_q, cur_q} <= {cur_q, run};
    if (look_i.valid && found && !look_i.srq) begin
      p_qpn_q    <= look_i.qpn;
      p_gen_q    <= look_i.gen;
      p_index_q  <= look_i.index - pos + 16'(cnt);
      p_pi_q     <= look_i.pi;
      p_base_q   <= look_i.base;
      p_log2_q   <= look_i.log2;
      p_stride_q <= look_i.stride;
    end
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && done && (waits_q[r_run] || late_join)) assert (wq_ready_unused);
  end
`endif
  assign found_o         = {found_hit_q, found_err_q, found_wait_q, 16'(found_base_q)};
  assign events_o.rqe_fetch = issue;
  assign idle_o = pend_q == '0 && !rd_o.valid && wq_level == '0 && !look_i.valid && !p_valid_q && !ahead_i.valid;
endmodule
