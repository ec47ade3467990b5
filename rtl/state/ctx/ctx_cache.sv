// SPDX-License-Identifier: Apache-2.0
// Write-back cache of records of PARTS x 64 bytes in host memory: tags, victims, pins, fills, write-backs.
//
// Hashed sets of WAYS ways, random replacement. Non-blocking: a miss gives the key a slot and a WAIT answer, and
// nothing is held for it. The data RAMs (ctx_ram) are outside, so every part has its owner's ports.
// docs/rtl/contexts.md.
// Answers: three cycles after the lookup was taken, in order: HIT, WAIT (fill under way; a strobe for the slot
//   follows), RETRY (all ways in use, or too many changes under way), DAMAGED (record unreadable or wrong), FREE (no
//   such record, or key beyond the table). HIT and WAIT take a pin if asked to.
// Wake: the strobe of a fill's end names the sources of ASK that were answered WAIT on this fill. Only they look again
//   (ctx_slots).
// Firmware: ctx_fw has a lookup of its own kind that can allocate without reading, also over what is there, drop, or
//   write back and drop; its answer comes when the slot may be written (ctx_change). It repeats what was answered RETRY
//   (one of these while the slot is pinned or filling; no way free). From the first RETRY on, other lookups are turned
//   away, so repeating it succeeds: a miss in the set with RETRY, lookups of the key with FREE, since there is no such
//   record any more, or not yet. LATER: what lookups of a key are answered while firmware's write-back of it waits. 0,
//   FREE: for callers that keep pins behind a lookup that is to come again, and whose records are written back only
//   when they end. 1, RETRY.
// Cycles: one lookup a cycle, whatever the others find.
module ctx_cache #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned PARTS     = 4,
    parameter int unsigned SETS      = 16,
    parameter int unsigned WAYS      = 8,
    parameter int unsigned KEY_W     = 24,
    parameter int unsigned KEY_LSB   = 0,
    parameter int unsigned CHECK_W   = 24,
    parameter int unsigned FILLS     = 4,   // reads under way
    parameter int unsigned LATER     = 1,   // answer while firmware's write-back waits: 1 RETRY, 0 FREE
    parameter int unsigned NSRC      = 4,
    parameter bit [NSRC-1:0] ASK     = '0,  // sources that wait for a fill without a pin (ctx_slots)
    parameter bit [NSRC-1:0] HINT    = '0,  // sources that only have a record fetched; their hits are not counted
    parameter int unsigned NPIN      = 5,
    parameter int unsigned PIN_W     = 10,  // pins of a slot, less than 2^PIN_W
    parameter bit          PINS_RAM  = SETS * WAYS >= 1024,   // their counts in block RAM
    parameter bit          WRITES    = 1'b1,  // 0: records are never changed or pinned here, and nothing written back
    parameter bit          WORDS     = 1'b0,  // a fill is written word by word (ctx_fill)
    parameter int unsigned CLIENT    = 3,
    parameter int unsigned TAG_BASE  = 0,
    localparam int unsigned SLOTS    = SETS * WAYS,
    localparam int unsigned AW       = $clog2(SLOTS),
    localparam int unsigned PW       = (PARTS > 1) ? $clog2(PARTS) : 1
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // table in host memory
    input  logic [63:0]                        base_i,
    input  logic [KEY_W:0]                     entries_i,  // keys below this exist; 0 closes the cache
    input  logic [7:0]                         func_i,
    input  logic                               epoch_i,
    // lookups (order: ctx_source)
    input  logic [NSRC-1:0]                    look_valid_i,
    output logic [NSRC-1:0]                    look_ready_o,
    input  logic [NSRC*KEY_W-1:0]              look_key_i,
    input  logic [NSRC-1:0]                    look_pin_i,
    output logic [NSRC-1:0]                    found_valid_o,
    output cairn_int_pkg::ctx_found_t          found_o,
    input  logic [NPIN-1:0]                    unpin_valid_i,
    input  logic [NPIN*AW-1:0]                 unpin_slot_i,
    output cairn_int_pkg::ctx_filled_t         fill_o,
    output logic [NSRC-1:0]                    fill_ask_o,
    // a slot's fill is under way, combinational
    input  logic [AW-1:0]                      filling_slot_i,
    output logic                               filling_o,
    input  logic [PARTS-1:0]                   dirty_valid_i,
    input  logic [PARTS*AW-1:0]                dirty_slot_i,
    // firmware operations (ctx_fw)
    input  cairn_int_pkg::ctx_claim_t          fw_i,
    output logic                               fw_ready_o,
    output cairn_int_pkg::ctx_claimed_t        fw_o,
    // the slot allocated without reading is complete; until fw_filled_ready_o
    output logic                               fw_filled_ready_o,
    input  cairn_int_pkg::ctx_touch_t          touch_i,
    // part RAMs
    output cairn_int_pkg::ctx_read_t           host_read_o,
    input  logic [511:0]                       host_read_data_i,
    output cairn_int_pkg::ctx_write_t          host_write_o,
    input  logic                               host_write_ready_i,
    // host memory
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] ticket_i,
    // counters and idle
    output logic                               hit_o,
    output logic                               miss_o,
    output logic                               written_o,
    output logic                               idle_o
);
  localparam int unsigned SW  = (SETS > 1) ? $clog2(SETS) : 1;
  localparam int unsigned WW  = $clog2(WAYS);
  localparam int unsigned NS  = NSRC + 1;        // firmware is the last source
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_WAIT = cairn_hw_pkg::CTX_RESULT_WAITING,
                         ST_RETRY = cairn_hw_pkg::CTX_RESULT_RETRY, ST_DAMAGED = cairn_hw_pkg::CTX_RESULT_DAMAGED,
                         ST_FREE = cairn_hw_pkg::CTX_RESULT_FREE;

  if (WAYS < 2 || (1 << WW) != WAYS || (SETS != 1 && (1 << SW) != SETS)) begin : g_chk
    $error("ctx_cache: WAYS (2 or more) and SETS must be powers of two");
  end

  logic          init_q;            // clearing after reset
  logic [AW-1:0] init_slot_q;

  // ---- stage 0: whose lookup, of which set ----
  logic [NS-1:0]    gnt;
  logic             gnt_valid;
  logic [KEY_W-1:0] key_s0;
  logic [SW-1:0]    set_s0;
  ctx_source #(.NSRC(NSRC), .HINT(HINT), .SETS(SETS), .KEY_W(KEY_W)) u_source (
      .clk_i, .rst_ni, .hold_i(init_q), .look_valid_i, .look_ready_o, .look_key_i, .fw_valid_i(fw_i.valid),
      .fw_key_i(fw_i.key[KEY_W-1:0]), .fw_ready_o,
      .gnt_valid_o(gnt_valid), .gnt_o(gnt), .key_o(key_s0), .set_o(set_s0));

  // ---- tags ----
  typedef struct packed {
    logic             used;
    logic [KEY_W-1:0] key;
  } tag_t;
  tag_t               new_tag;
  localparam int unsigned TW = $bits(new_tag);
  logic [WAYS-1:0]    tag_we;
  logic [SW-1:0]      tag_waddr;
  logic [WAYS*TW-1:0] tags;                 // of the set in stage 1
  assign new_tag = {s3_used_q && !init_q, s3_key_q};
  ram_1r1w #(.WIDTH(WAYS*TW), .DEPTH(1 << SW), .COL_W(TW), .BYPASS(2)) u_tags (
      .clk_i, .we_i(tag_we), .waddr_i(tag_waddr), .wdata_i({WAYS{new_tag}}),
      .re_i(1'b1), .raddr_i(set_s0), .rdata_o(tags));

  // ---- stage 1: compare; which way goes if none has the key ----
  logic             s1_valid_q, s1_pin_q;
  logic [NS-1:0]    s1_src_q;
  logic [KEY_W-1:0] s1_key_q;
  logic [SW-1:0]    s1_set_q;
  logic [1:0]       s1_op_q;
  // What lookups before it did is not in the RAMs yet. That in stage 3 writes now, that in stage 4 wrote in the cycle
  // in which the tags were read; that in stage 2 may give its way, or one that is free, to its key.
  // They are of the same set, compared a cycle before; that in stage 2 is one, that in stage 4 has changed a tag, and
  // what is done in stage 3 is done by one.
  logic             near2_q, near3_q, near4_q;
  logic             twin2, twin3, twin4;    // ... of the same key
  logic [WAYS-1:0]  hit_d, used_d, filling, pinned, bad, bad_free, fresh, filling_d, pinned_d;
  assign twin2 = s2_key_q == s1_key_q;
  assign twin3 = s3_key_q == s1_key_q;
  assign twin4 = s4_key_q == s1_key_q;
  for (genvar g = 0; g < WAYS; g++) begin : g_cmp
    logic [TW-1:0] tag;
    logic          new3, new4;
    assign tag       = tags[g*TW +: TW];
    assign new3      = near3_q && s3_tag_q && s3_way_q[g];
    assign new4      = near4_q && s4_way_q[g];
    assign used_d[g] = new3 ? s3_used_q : new4 ? s4_used_q : tag[KEY_W];
    assign hit_d[g]  = new3 ? s3_used_q && twin3 : new4 ? s4_used_q && twin4 : tag == {1'b1, s1_key_q};
  end
  assign filling_d = filling | ({WAYS{near3_q && s3_fill_q}} & s3_way_q);
  assign pinned_d  = pinned | ({WAYS{near3_q && s3_pin_q}} & s3_way_q);

  logic [WAYS-1:0] keep, vict_d;
  logic            can_d, drain_key, drain_later, drain_set;
  assign keep = ({WAYS{near2_q}} & (s2_hit_q | ({WAYS{s2_gives_q}} & s2_vict_q)))
                | ({WAYS{near3_q && s3_keep_q}} & s3_way_q);
  ctx_victim #(.WAYS(WAYS)) u_victim (
      .clk_i, .rst_ni, .used_i(used_d), .filling_i(filling), .pinned_i(pinned), .fresh_i(fresh),
      .force_i(s1_src_q[NSRC]), .keep_i(keep), .valid_o(can_d), .way_o(vict_d));
  ctx_drain #(.KEY_W(KEY_W), .SW(SW), .LATER(LATER)) u_drain (
      .clk_i, .rst_ni, .end_i(fw_now), .status_i(s3_status_q), .of_key_i(s3_of_key_q),
      .evict_i(s3_op_q == 2'd3), .end_key_i(s3_key_q), .end_set_i(s3_set_q),
      .key_i(s1_key_q), .set_i(s1_set_q), .of_key_o(drain_key), .later_o(drain_later), .of_set_o(drain_set));

  // ---- stage 2: the verdict ----
  logic             s2_valid_q, s2_pin_q, s2_any_q, s2_near_q, s2_twin_q, s2_none_q, s2_beyond_q, s2_drain_key_q,
      s2_drain_set_q, s2_gives_q;       // it may have given its way
  logic [NS-1:0]    s2_src_q;
  logic [KEY_W-1:0] s2_key_q;
  logic [SW-1:0]    s2_set_q;
  logic [1:0]       s2_op_q;
  logic [WAYS-1:0]  s2_hit_q, s2_vict_q, s2_filling_q, s2_pinned_q, s2_bad_q, s2_bad_free_q;
  logic             s2_can_q;       // there is a way to give
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
    end else begin
      s1_valid_q <= gnt_valid;
      s2_valid_q <= s1_valid_q;
    end
    s1_src_q       <= gnt;
    s1_key_q       <= key_s0;
    s1_pin_q       <= |(gnt & {!fw_i.op[1], look_pin_i});
    s1_set_q       <= set_s0;
    near2_q        <= set_s0 == s1_set_q && s1_valid_q;
    near3_q        <= set_s0 == s2_set_q;
    near4_q        <= set_s0 == s3_set_q && s3_tag_q;
    s1_op_q        <= fw_i.op;
    s2_src_q       <= s1_src_q;
    s2_key_q       <= s1_key_q;
    s2_pin_q       <= s1_pin_q;
    s2_set_q       <= s1_set_q;
    s2_op_q        <= s1_op_q;
    s2_hit_q       <= hit_d;
    s2_any_q       <= hit_d != '0;
    s2_gives_q     <= hit_d == '0 || near2_q;
    s2_near_q      <= near2_q;
    s2_twin_q      <= twin2 && s2_valid_q;
    s2_vict_q      <= vict_d;
    s2_can_q       <= can_d;
    s2_none_q      <= (fresh & ~filling) != '0;
    s2_filling_q   <= filling_d;
    s2_pinned_q    <= pinned_d;
    s2_bad_q       <= bad;
    s2_bad_free_q  <= bad_free;
    s2_beyond_q    <= {1'b0, s1_key_q} >= entries_i;
    s2_drain_key_q <= drain_key;
    s2_drain_set_q <= drain_set;
  end

  // The lookup just before it may have taken the way that was found, or given one to this key.
  logic             is_fw, op_new, op_drop, taken, given, here, hit, hit_filling, hit_pinned, hit_bad, hit_none;
  logic             room;           // for one more change
  assign is_fw       = s2_src_q[NSRC];
  assign op_new      = is_fw && s2_op_q == 2'd1;
  assign op_drop     = is_fw && s2_op_q[1];
  assign taken       = s3_tag_q && s2_near_q && (s2_hit_q & s3_way_q) != '0;     // (one way hits at most)
  assign given       = s3_tag_q && s3_used_q && s2_twin_q;
  assign here        = s2_any_q && !taken;
  assign hit         = given || here;
  assign hit_filling = given || ((s2_hit_q & s2_filling_q) != '0 && !taken);
  assign hit_pinned  = (s2_hit_q & s2_pinned_q) != '0 && !taken;    // for firmware, which has none just before it
  assign hit_bad     = (s2_hit_q & s2_bad_q) != '0 && !taken;
  assign hit_none    = (s2_hit_q & s2_bad_free_q) != '0;

  logic             go;             // its tag changes
  logic [2:0]       status;
  always_comb begin
    go     = 1'b0;
    status = ST_HIT;
    if (s2_beyond_q) begin
      status = ST_FREE;
    end else if (op_drop || op_new) begin
      // Dropped, or made anew over whatever is there, once it is not in use.
      go     = room && (hit ? !hit_filling && !hit_pinned : op_new && s2_can_q);
      status = go ? ST_HIT : (op_drop && !hit) ? ST_FREE : ST_RETRY;
    end else if (s2_drain_key_q && !is_fw) begin
      status = drain_later ? ST_RETRY : ST_FREE;
    end else if (!hit) begin
      go     = room && s2_can_q && (is_fw || !s2_drain_set_q);
      status = go ? ST_WAIT : ST_RETRY;
    end else if (hit_filling) begin
      status = ST_WAIT;
    end else if (hit_bad) begin
      status = hit_none ? ST_FREE : ST_DAMAGED;
    end
  end

  // ---- stage 3: the answer; what it changes ----
  logic             s3_valid_q, s3_tag_q, s3_used_q, s3_fill_q, s3_wait_q, s3_found_q, s3_pin_q, s3_keep_q, s3_none_q,
      s3_of_key_q;
  logic [NS-1:0]    s3_src_q;
  logic [KEY_W-1:0] s3_key_q;
  logic [SW-1:0]    s3_set_q;
  logic [WAYS-1:0]  s3_way_q, way;
  logic [1:0]       s3_op_q;
  logic [2:0]       s3_status_q;
  logic [WW-1:0]    s3_way, hit_way, vict_way;
  logic [AW-1:0]    s3_slot;
  logic             pins, fw_slow, fw_done;     // the answer to firmware comes later
  logic [KEY_W-1:0] fw_key_q;                   // of fw_o.slot
  logic [AW-1:0]    fw_slot_q;
  assign way     = given ? s3_way_q : here ? s2_hit_q : s2_vict_q;
  assign pins    = WRITES && s2_valid_q && s2_pin_q && (status == ST_HIT || status == ST_WAIT);
  assign fw_slow = op_new || op_drop;
  assign s3_slot = AW'({s3_set_q, s3_way});     // one set: its bit, 0, falls off
  prio_enc #(.N(WAYS)) u_hit_way (.in_i(s2_hit_q), .valid_o(), .idx_o(hit_way));
  prio_enc #(.N(WAYS)) u_vict_way (.in_i(s2_vict_q), .valid_o(), .idx_o(vict_way));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s3_valid_q <= 1'b0;
      s3_tag_q   <= 1'b0;
      s3_fill_q  <= 1'b0;
      s3_wait_q  <= 1'b0;
      s3_found_q <= 1'b0;
      s3_pin_q   <= 1'b0;
      s3_keep_q  <= 1'b0;
      s3_none_q  <= 1'b0;
    end else begin
      s3_valid_q <= s2_valid_q;
      s3_tag_q   <= s2_valid_q && go;
      s3_fill_q  <= s2_valid_q && go && !op_drop;
      s3_wait_q  <= s2_valid_q && status == ST_WAIT;
      s3_found_q <= s2_valid_q && !go && !fw_slow && hit && !hit_filling && !s2_beyond_q
                    && (is_fw || (!hit_bad && !s2_drain_key_q));
      s3_pin_q   <= pins;
      s3_keep_q  <= pins || (s2_valid_q && (go || status == ST_WAIT));
      s3_none_q  <= s2_valid_q && status == ST_RETRY && !hit && !is_fw && !s2_can_q && s2_none_q && !s2_drain_key_q;
    end
    s3_src_q    <= s2_valid_q ? s2_src_q : '0;
    s3_key_q    <= s2_key_q;
    s3_set_q    <= s2_set_q;
    s3_way_q    <= way;
    s3_way      <= given ? s3_way : here ? hit_way : vict_way;
    s3_used_q   <= !op_drop;
    s3_op_q     <= is_fw ? s2_op_q : 2'd0;
    s3_status_q <= status;
    s3_of_key_q <= op_drop || (op_new && hit);    // firmware's is about its key's slot
    if (s2_valid_q && is_fw) fw_key_q <= s2_key_q;
  end
  assign found_valid_o  = s3_src_q[NSRC-1:0];
  assign found_o.status = s3_status_q;
  assign found_o.slot   = cairn_int_pkg::SLOT_W'(s3_slot);
  assign found_o.key    = s3_key_q;
  // Firmware's is held.
  logic       fw_now;
  logic [2:0] fw_status_q;
  assign fw_now      = s3_valid_q && s3_src_q[NSRC];
  assign fw_o.done   = (fw_now && !(s3_tag_q && s3_op_q != 2'd0)) || fw_done;
  assign fw_o.status = fw_now ? s3_status_q : fw_status_q;
  assign fw_o.slot   = cairn_int_pkg::SLOT_W'({fw_now ? s3_slot : fw_slot_q});
  always_ff @(posedge clk_i) begin
    if (fw_now) begin
      fw_slot_q   <= s3_slot;
      fw_status_q <= s3_status_q;
    end
  end

  // ---- stage 4: the tags have changed ----
  logic             s4_used_q;
  logic [KEY_W-1:0] s4_key_q;
  logic [WAYS-1:0]  s4_way_q;
  always_ff @(posedge clk_i) begin
    {s4_used_q, s4_key_q, s4_way_q} <= {s3_used_q, s3_key_q, s3_way_q};
  end

  // ---- clearing after reset: tags and the state of a set once for each of its slots ----
  logic [SW-1:0] init_set;
  if (SETS > 1) begin : g_init
    assign init_set = init_slot_q[AW-1:WW];
  end else begin : g_init1
    assign init_set = '0;
  end
  assign tag_we    = {WAYS{init_q}} | ({WAYS{s3_tag_q}} & s3_way_q);
  assign tag_waddr = init_q ? init_set : s3_set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
    end else if (init_q) begin
      init_slot_q <= init_slot_q + 1'b1;
      init_q      <= init_slot_q != AW'(SLOTS - 1);
    end
  end

  // ---- slot state ----
  logic             fd_valid;       // fill engine's result
  logic [AW-1:0]    fd_slot;
  logic [KEY_W-1:0] fd_key;
  logic [2:0]       fd_status;
  logic             fw_filled, slots_idle, unpinned, clean;
  logic [AW-1:0]    unpinned_slot, change_slot;
  logic [PARTS-1:0] was_dirty, dirty;
  assign fw_filled_ready_o = !fd_valid;
  assign fw_filled         = fw_i.filled && !fd_valid;
  ctx_slots #(.PARTS(PARTS), .SLOTS(SLOTS), .WAYS(WAYS), .KEY_W(KEY_W), .NSRC(NSRC), .ASK(ASK)) u_slots (
      .clk_i, .rst_ni, .init_i(init_q), .init_set_i(init_set),
      .dirty_valid_i, .dirty_slot_i, .fw_dirty_i(touch_i.dirty), .fw_dirty_part_i(PW'(fw_i.part)),
      .fw_slot_i(fw_slot_q), .clean_valid_i(clean), .clean_slot_i(change_slot), .dirty_o(was_dirty),
      .fd_valid_i(fd_valid), .fd_slot_i(fd_slot), .fd_key_i(fd_key), .fd_status_i(fd_status), .fw_filled_i(fw_filled),
      .fw_key_i(fw_key_q),
      .src_i(s3_src_q), .slot_i(s3_slot), .tag_i(s3_tag_q), .fill_i(s3_fill_q), .wait_i(s3_wait_q),
      .found_i(s3_found_q), .pin_i(s3_pin_q), .none_i(s3_none_q), .free_valid_i(unpinned), .free_slot_i(unpinned_slot),
      .set_i(s1_set_q), .filling_o(filling), .pinned_o(pinned), .bad_o(bad), .bad_free_o(bad_free), .fresh_o(fresh),
      .query_slot_i(filling_slot_i), .query_o(filling_o),
      .fill_o, .fill_ask_o, .idle_o(slots_idle));
  if (WRITES) begin : g_pins
    ctx_pins #(.SLOTS(SLOTS), .NPIN(NPIN + 1), .CNT_W(PIN_W), .BLOCK(PINS_RAM)) u_pins (
        .clk_i, .rst_ni, .init_i(init_q), .init_slot_i(init_slot_q),
        .inc_valid_i(s3_pin_q), .inc_slot_i(s3_slot),
        .dec_valid_i({touch_i.unpin, unpin_valid_i}), .dec_slot_i({fw_o.slot[AW-1:0], unpin_slot_i}),
        .free_valid_o(unpinned), .free_slot_o(unpinned_slot));
  end else begin : g_no_pins
    assign {unpinned, unpinned_slot} = '0;
    logic unused;
    assign unused = ^{touch_i.unpin, unpin_valid_i, unpin_slot_i};
  end

  // ---- changes of slots: write-back, fill ----
  logic             change_idle, wb_valid, wb_ready, wb_copying, wb_busy, wb_tv, fill_valid, fill_ready, fill_idle;
  logic [KEY_W-1:0] wb_key, wb_busy_key, fill_key;
  logic [cairn_int_pkg::TICKET_W-1:0] wb_t;
  ctx_change #(.SLOTS(SLOTS), .KEY_W(KEY_W), .PARTS(PARTS)) u_change (
      .clk_i, .rst_ni, .in_valid_i(s3_tag_q), .in_op_i(s3_op_q), .in_slot_i(s3_slot), .in_key_i(s3_key_q),
      .room_o(room), .clean_valid_o(clean), .clean_slot_o(change_slot), .dirty_i(dirty),
      .wb_valid_o(wb_valid), .wb_ready_i(wb_ready), .wb_key_o(wb_key), .wb_copying_i(wb_copying),
      .wb_busy_i(wb_busy), .wb_busy_key_i(wb_busy_key),
      .fill_valid_o(fill_valid), .fill_ready_i(fill_ready), .fill_key_o(fill_key), .fw_done_o(fw_done),
      .idle_o(change_idle));
  if (WRITES) begin : g_wb
    assign dirty = was_dirty;
    ctx_wb #(.PARTS(PARTS), .SLOTS(SLOTS), .KEY_W(KEY_W)) u_wb (
        .clk_i, .rst_ni, .base_i, .func_i, .epoch_i,
        .start_valid_i(wb_valid), .ready_o(wb_ready), .start_slot_i(change_slot), .start_key_i(wb_key),
        .start_dirty_i(dirty), .copying_o(wb_copying), .busy_o(wb_busy), .key_o(wb_busy_key),
        .ticket_valid_o(wb_tv), .ticket_o(wb_t), .written_o, .host_read_o, .host_read_data_i,
        .wr_o, .wr_ready_i, .ticket_i);
  end else begin : g_no_wb
    assign dirty = '0;
    assign {wb_ready, wb_copying, wb_busy, wb_busy_key, wb_tv, wb_t, written_o, host_read_o, wr_o} = '0;
    logic unused;
    assign unused = ^{was_dirty, wb_valid, wb_key, host_read_data_i, wr_ready_i, ticket_i};
  end
  ctx_fill #(.DATA_W(DATA_W), .PARTS(PARTS), .SLOTS(SLOTS), .KEY_W(KEY_W), .KEY_LSB(KEY_LSB), .CHECK_W(CHECK_W),
             .FILLS(FILLS), .CLIENT(CLIENT), .TAG_BASE(TAG_BASE), .WORDS(WORDS)) u_fill (
      .clk_i, .rst_ni, .base_i, .func_i, .epoch_i,
      .req_valid_i(fill_valid), .req_ready_o(fill_ready), .req_slot_i(change_slot), .req_key_i(fill_key),
      .copying_i(wb_copying), .wb_ticket_valid_i(wb_tv), .wb_ticket_i(wb_t),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i, .host_write_o, .host_write_ready_i,
      .done_o(fd_valid), .done_slot_o(fd_slot), .done_key_o(fd_key), .done_status_o(fd_status), .idle_o(fill_idle));

  assign hit_o  = (s3_src_q & {1'b0, ~HINT}) != '0 && s3_status_q == ST_HIT;
  assign miss_o = s3_fill_q && !s3_src_q[NSRC];
  assign idle_o = !init_q && !s1_valid_q && !s2_valid_q && !s3_valid_q && change_idle && !wb_busy && fill_idle
                  && slots_idle && !fw_i.valid;      // (who looks up is not idle)
endmodule
