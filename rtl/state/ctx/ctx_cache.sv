// SPDX-License-Identifier: Apache-2.0
// Write-back cache of records of PARTS x 64 bytes in host memory: tags, victims, pins, fills, write-backs.
//
// Hashed sets of WAYS ways, random replacement. Non-blocking: a miss gives the key a slot and a WAIT answer, and later
// lookups go on. The data RAMs (ctx_ram) are outside, so every part has its owner's ports. docs/rtl/contexts.md.
// Answers: two cycles after the lookup was taken, in order: HIT, WAIT (fill under way; a strobe for the slot follows),
//   RETRY (all ways pinned, or the fill queue full), DAMAGED (record unreadable or wrong), FREE (no such record, or key
//   beyond the table). HIT and WAIT take a pin if asked to.
// Wake: the strobe of a fill's end names the sources of ASK that were answered WAIT on this fill. Only they look again
//   (ctx_slots).
// Firmware: ctx_fw has a lookup of its own kind that can allocate without reading, also over what is there, drop, or
//   write back and drop. It repeats what was answered RETRY (one of these while the slot is pinned or filling; no way
//   free). From the first RETRY on, other lookups are turned away, so repeating it succeeds: a miss in the
//   set with RETRY, lookups of the key with FREE, since there is no such record any more, or not yet. LATER: what
//   lookups of a key are answered while firmware's write-back of it waits. 0, FREE: for callers that keep pins behind a
//   lookup that is to come again, and whose records are written back only when they end. 1, RETRY.
// Cycles: one lookup a cycle. A miss holds the lookups for 4 to 12 cycles, one that finds all ways filling or fresh for
//   2.
module ctx_cache #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned PARTS     = 4,
    parameter int unsigned SETS      = 16,
    parameter int unsigned WAYS      = 8,
    parameter int unsigned KEY_W     = 24,
    parameter int unsigned KEY_LSB   = 0,
    parameter int unsigned CHECK_W   = 24,
    parameter int unsigned FILLS     = 4,
    parameter int unsigned LATER     = 1,   // answer while firmware's write-back waits: 1 RETRY, 0 FREE
    parameter int unsigned NSRC      = 4,
    parameter bit [NSRC-1:0] ASK     = '0,  // sources that wait for a fill without a pin (ctx_slots)
    parameter int unsigned NPIN      = 5,
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
    // lookups; source 0 goes first, then the others in turn
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

  // ---- clearing after reset ----
  logic          init_q;
  logic [AW-1:0] init_slot_q;

  // ---- stage 0 ----
  logic [NS-1:0]    gnt;
  logic             gnt_valid;
  logic [KEY_W-1:0] key_s0;
  logic             hold;        // a miss is being handled
  logic [SW-1:0]    set_s0;
  ctx_source #(.NSRC(NSRC), .SETS(SETS), .KEY_W(KEY_W)) u_source (
      .clk_i, .rst_ni, .hold_i(hold || init_q), .look_valid_i, .look_ready_o, .look_key_i, .fw_valid_i(fw_i.valid),
      .fw_key_i(fw_i.key[KEY_W-1:0]), .fw_ready_o,
      .gnt_valid_o(gnt_valid), .gnt_o(gnt), .key_o(key_s0), .set_o(set_s0));

  // ---- tags ----
  typedef struct packed {
    logic             used;
    logic [KEY_W-1:0] key;
  } tag_t;
  tag_t               new_tag;
  localparam int unsigned TW = $bits(new_tag);
  logic               tag_we;
  logic [SW-1:0]      tag_waddr;
  logic [WAYS*TW-1:0] tag_wdata;
  logic [WAYS*TW-1:0] tags;       // of the set in stage 1
  ram_1r1w #(.WIDTH(WAYS*TW), .DEPTH(1 << SW), .BYPASS(2)) u_tags (
      .clk_i, .we_i(tag_we), .waddr_i(tag_waddr), .wdata_i(tag_wdata),
      .re_i(gnt_valid), .raddr_i(set_s0), .rdata_o(tags)
  );
  assign filling_o = filling[filling_slot_i];

  // ---- stage 1: compare ----
  logic             s1_valid_q;
  logic [NS-1:0]    s1_src_q;
  logic [KEY_W-1:0] s1_key_q;
  logic             s1_pin_q;
  logic [SW-1:0]    s1_set_q;
  logic [1:0]       s1_op_q;
  logic [WAYS-1:0]  way_hit;
  logic [WAYS-1:0]  way_used;
  logic             hit;
  logic [WW-1:0]    hit_way;
  logic [AW-1:0]    hit_slot;
  logic             free_way_valid;
  logic [WW-1:0]    free_way;

  for (genvar g = 0; g < WAYS; g++) begin : g_cmp
    assign way_used[g] = tags[g*TW + KEY_W];
    assign way_hit[g]  = way_used[g] && tags[g*TW +: KEY_W] == s1_key_q;
  end
  prio_enc #(.N(WAYS)) u_hit (.in_i(way_hit), .valid_o(hit), .idx_o(hit_way));
  prio_enc #(.N(WAYS)) u_free (.in_i(~way_used), .valid_o(free_way_valid), .idx_o(free_way));

  // ---- state of the slots: ctx_slots ----
  logic [SLOTS-1:0] filling, bad, bad_free, fresh;
  logic             slots_idle;

  // ---- miss handling: pick a way, write back, change the tag ----
  typedef enum logic [2:0] {A_IDLE, A_PICK, A_WB, A_COPY, A_TAG, A_NONE} state_e;
  state_e           a_state_q;
  logic [WW-1:0]    a_way_q;
  logic [WAYS-1:0]  a_left_q;   // ways not looked at yet
  logic [AW-1:0]    a_slot;
  logic [WW-1:0]    rand_way;
  logic [9:0]       pins;       // of hit_slot while idle, else of a_slot
  logic [PARTS-1:0] a_dirty;
  logic             tag_end;    // the tag changes now
  logic             wb_ready, wb_parts_out, wb_busy, wb_tv;
  logic [cairn_int_pkg::TICKET_W-1:0] wb_t;
  logic             fills_in_ready, fills_valid, fills_ready, fill_idle;
  logic [AW+KEY_W-1:0] fills_data;

  prng #(.WIDTH(WW)) u_rand (.clk_i, .rst_ni, .en_i(s1_valid_q), .rand_o(rand_way));
  assign hit_slot = AW'({s1_set_q, hit_way});   // one set: its bit, 0, falls off
  assign a_slot   = AW'({s1_set_q, a_way_q});

  // ---- stage 1 verdict ----
  logic          is_fw, op_new, op_drop, op_evict;
  logic          drain_key, drain_later, drain_set;  // firmware waits for the key, for a way: others are turned away
  logic          usable;        // hit on a good record
  logic          is_none;       // on one that is none
  logic          go;            // miss handling takes the lookup
  logic          answer;
  logic [2:0]    status;

  assign is_fw    = s1_src_q[NSRC];
  assign op_new   = is_fw && s1_op_q == 2'd1;
  assign op_drop  = is_fw && s1_op_q[1];
  assign op_evict = is_fw && s1_op_q == 2'd3;
  assign usable   = hit && !filling[hit_slot] && !bad[hit_slot];
  assign is_none  = hit && !filling[hit_slot] && bad[hit_slot];

  // Ways that may go if they are not pinned; pins are looked at one way a cycle.
  logic [WAYS-1:0] way_fill, way_fresh, way_may, way_next;
  logic [WW-1:0]   next_way;
  logic            next_valid, a_may, a_none;
  for (genvar g = 0; g < WAYS; g++) begin : g_may
    assign way_fill[g]  = filling[AW'({s1_set_q, WW'(g)})];
    assign way_fresh[g] = fresh[AW'({s1_set_q, WW'(g)})];
  end
  assign way_may  = ~way_fill & (~way_fresh | {WAYS{is_fw}});
  assign way_next = way_may & a_left_q & ~(WAYS'(1) << a_way_q);
  assign a_may    = way_may[a_way_q] && pins == '0;
  prio_enc #(.N(WAYS)) u_next (.in_i(way_next), .valid_o(next_valid), .idx_o(next_way));
  assign a_none   = a_state_q == A_PICK && !a_may && !next_valid;

  always_comb begin
    go     = 1'b0;
    status = ST_HIT;
    if ({1'b0, s1_key_q} >= entries_i) begin
      status = ST_FREE;
    end else if (hit && (op_drop || op_new)) begin
      // Dropped, or made anew over whatever is there, once it is not in use.
      status = ST_RETRY;
      go     = !filling[hit_slot] && pins == '0;
    end else if (op_drop) begin
      status = ST_FREE;
    end else if (drain_key && !is_fw) begin
      status = drain_later ? ST_RETRY : ST_FREE;
    end else if (hit && filling[hit_slot]) begin
      status = ST_WAIT;
    end else if (hit && bad[hit_slot]) begin
      status = bad_free[hit_slot] ? ST_FREE : ST_DAMAGED;
    end else if (!hit) begin
      status = ST_RETRY;
      go     = fills_in_ready && (is_fw || !drain_set);
    end
  end

  assign hold    = a_state_q != A_IDLE || (s1_valid_q && go);
  assign tag_end = a_state_q == A_TAG;

  logic          end_valid;     // the lookup in stage 1 is answered now
  logic [2:0]    end_status;
  logic [AW-1:0] end_slot;
  logic          pin_inc;
  logic [KEY_W-1:0] fw_key_q;   // of fw_o.slot
  assign answer     = s1_valid_q && a_state_q == A_IDLE && !go;
  assign end_valid  = answer || tag_end || a_state_q == A_NONE;
  assign end_status = answer ? status : !tag_end ? ST_RETRY : (op_new || op_drop) ? ST_HIT : ST_WAIT;
  assign end_slot   = answer ? hit_slot : a_slot;
  assign pin_inc    = end_valid && s1_pin_q && (end_status == ST_HIT || end_status == ST_WAIT);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      found_valid_o <= '0;
      fw_o.done   <= 1'b0;
    end else begin
      s1_valid_q  <= gnt_valid || (s1_valid_q && !end_valid);
      found_valid_o <= end_valid ? s1_src_q[NSRC-1:0] : '0;
      fw_o.done   <= end_valid && is_fw;
    end
    if (gnt_valid) begin
      s1_src_q <= gnt;
      s1_key_q <= key_s0;
      s1_pin_q <= |(gnt & {!fw_i.op[1], look_pin_i});
      s1_set_q <= set_s0;
      s1_op_q  <= fw_i.op;
    end
    if (end_valid) begin
      found_o.status <= end_status;
      found_o.slot   <= cairn_int_pkg::SLOT_W'(end_slot);
      found_o.key    <= s1_key_q;
    end
    if (end_valid && is_fw) begin
      fw_o.status <= end_status;
      fw_o.slot   <= cairn_int_pkg::SLOT_W'(end_slot);
      fw_key_q    <= s1_key_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_state_q <= A_IDLE;
    end else begin
      case (a_state_q)
        A_IDLE: begin
          a_left_q <= '1;
          if (s1_valid_q && go) begin
            a_way_q   <= hit ? hit_way : free_way_valid ? free_way : rand_way;
            a_state_q <= op_evict ? A_WB : (hit || free_way_valid) ? A_TAG : A_PICK;
          end
        end
        A_PICK: begin
          a_left_q[a_way_q] <= 1'b0;
          if (a_may) a_state_q <= A_WB;
          else if (a_none) a_state_q <= A_NONE;
          else a_way_q <= next_way;
        end
        // A busy buffer means the posted path is slow: do not hold other lookups for it.
        A_WB:    a_state_q <= (a_dirty == '0) ? A_TAG : wb_ready ? A_COPY : A_NONE;
        A_COPY:  if (wb_parts_out) a_state_q <= A_TAG;
        default: a_state_q <= A_IDLE;
      endcase
    end
  end

  // ---- what keeps lookups from starving firmware, whose own is repeated until it succeeds (ctx_fw) ----
  // key: its drop, write-back or new record was told to come again because the key's slot is in use; other lookups of
  // the key are turned away. set: it found no way free; no other miss takes a way there. One operation at a time, so
  // all is over when one succeeds.
  logic             d_key_valid_q, d_set_valid_q;
  logic [KEY_W-1:0] d_key_q;
  logic [SW-1:0]    d_set_q;
  logic             of_key, fw_end, fw_again, fw_waits;
  assign of_key    = op_drop || (op_new && hit);
  assign fw_end    = end_valid && is_fw;
  assign fw_again  = end_status == ST_RETRY;
  assign fw_waits  = fw_again || end_status == ST_WAIT;
  assign drain_key = d_key_valid_q && s1_key_q == d_key_q;
  assign drain_set = d_set_valid_q && s1_set_q == d_set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_key_valid_q <= 1'b0;
      d_set_valid_q <= 1'b0;
    end else if (fw_end) begin
      d_key_valid_q <= fw_waits && (d_key_valid_q || (fw_again && of_key));
      d_set_valid_q <= fw_waits && (d_set_valid_q || (fw_again && !of_key));
    end
    if (fw_end && of_key) begin
      d_key_q     <= s1_key_q;
      drain_later <= op_evict && LATER != 0;
    end
    if (fw_end && !of_key) d_set_q <= s1_set_q;
  end

  logic [KEY_W-1:0] wb_key;     // the victim's
  assign new_tag = {!op_drop, s1_key_q};
  always_comb begin
    tag_wdata = tags;
    wb_key    = '0;
    for (int unsigned i = 0; i < WAYS; i++) begin
      if (a_way_q == WW'(i)) tag_wdata[i*TW +: TW] = new_tag;
      if (a_way_q == WW'(i)) wb_key = tags[i*TW +: KEY_W];
    end
    if (init_q) tag_wdata = '0;
  end
  assign tag_we = init_q || tag_end;
  if (SETS > 1) begin : g_twaddr
    assign tag_waddr = init_q ? init_slot_q[AW-1:WW] : s1_set_q;
  end else begin : g_twaddr1
    assign tag_waddr = '0;
  end

  // ---- slot state ----
  logic             fd_valid;       // fill engine's result
  logic [AW-1:0]    fd_slot;
  logic [KEY_W-1:0] fd_key;
  logic [2:0]       fd_status;
  logic             fw_filled;
  assign fw_filled_ready_o = !fd_valid;
  assign fw_filled         = fw_i.filled && !fd_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
    end else if (init_q) begin
      init_slot_q <= init_slot_q + 1'b1;
      init_q      <= init_slot_q != AW'(SLOTS - 1);
    end
  end

  ctx_slots #(.PARTS(PARTS), .SLOTS(SLOTS), .KEY_W(KEY_W), .NSRC(NSRC), .ASK(ASK)) u_slots (
      .clk_i, .rst_ni, .dirty_valid_i, .dirty_slot_i, .fw_dirty_i(touch_i.dirty), .fw_dirty_part_i(PW'(fw_i.part)),
      .fw_slot_i(fw_o.slot[AW-1:0]),
      .fd_valid_i(fd_valid), .fd_slot_i(fd_slot), .fd_key_i(fd_key), .fd_status_i(fd_status), .fw_filled_i(fw_filled),
      .fw_key_i(fw_key_q),
      .tag_end_i(tag_end), .drop_i(op_drop), .slot_i(a_slot),
      .src_i(s1_src_q), .end_slot_i(end_slot), .wait_i(end_valid && end_status == ST_WAIT),
      .found_i(answer && (status == ST_HIT || (is_fw && is_none))), .none_i(a_none && !is_fw && way_fresh != '0),
      .filling_o(filling), .bad_o(bad), .bad_free_o(bad_free), .dirty_o(a_dirty), .fresh_o(fresh),
      .fill_o, .fill_ask_o, .idle_o(slots_idle));

  // ---- pins, write-back, fill ----
  ctx_pins #(.SLOTS(SLOTS), .NPIN(NPIN + 1)) u_pins (
      .clk_i, .init_i(init_q), .init_slot_i(init_slot_q),
      .inc_valid_i(pin_inc), .inc_slot_i(end_slot),
      .dec_valid_i({touch_i.unpin, unpin_valid_i}), .dec_slot_i({fw_o.slot[AW-1:0], unpin_slot_i}),
      .q_slot_i(a_state_q == A_IDLE ? hit_slot : a_slot), .q_count_o(pins)
  );

  ctx_wb #(.PARTS(PARTS), .SLOTS(SLOTS), .KEY_W(KEY_W)) u_wb (
      .clk_i, .rst_ni, .base_i, .func_i, .epoch_i,
      .start_valid_i(a_state_q == A_WB && a_dirty != '0), .ready_o(wb_ready),
      .start_slot_i(a_slot), .start_key_i(wb_key), .start_dirty_i(a_dirty),
      .parts_out_o(wb_parts_out), .busy_o(wb_busy), .ticket_valid_o(wb_tv), .ticket_o(wb_t), .written_o,
      .host_read_o, .host_read_data_i,
      .wr_o, .wr_ready_i, .ticket_i
  );
  sync_fifo #(.WIDTH(AW + KEY_W), .DEPTH(FILLS + 2)) u_fills (
      .clk_i, .rst_ni,
      .in_valid_i(tag_end && !op_new && !op_drop), .in_ready_o(fills_in_ready), .in_data_i({a_slot, s1_key_q}),
      .out_valid_o(fills_valid), .out_ready_i(fills_ready), .out_data_o(fills_data)
  );
  ctx_fill #(.DATA_W(DATA_W), .PARTS(PARTS), .SLOTS(SLOTS), .KEY_W(KEY_W), .KEY_LSB(KEY_LSB), .CHECK_W(CHECK_W),
             .FILLS(FILLS), .CLIENT(CLIENT), .TAG_BASE(TAG_BASE)) u_fill (
      .clk_i, .rst_ni, .base_i, .func_i, .epoch_i,
      .req_valid_i(fills_valid), .req_ready_o(fills_ready), .req_slot_i(fills_data[KEY_W +: AW]),
      .req_key_i(fills_data[KEY_W-1:0]),
      .wb_busy_i(wb_busy), .wb_ticket_valid_i(wb_tv), .wb_ticket_i(wb_t),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .host_write_o, .host_write_ready_i,
      .done_o(fd_valid), .done_slot_o(fd_slot), .done_key_o(fd_key), .done_status_o(fd_status), .idle_o(fill_idle)
  );

  assign hit_o  = answer && usable && !is_fw;
  assign miss_o = tag_end && !is_fw;
  assign idle_o = !init_q && !s1_valid_q && a_state_q == A_IDLE && !wb_busy && fill_idle && !fills_valid && slots_idle
                  && look_valid_i == '0 && !fw_i.valid;
endmodule
