// SPDX-License-Identifier: Apache-2.0
// Timers of all QPs: 2^ID_W ids in two classes (ack and wait), at most one entry for each id and class.
//
// Time: an input in nanoseconds, from a register, and may jump; nothing here counts cycles. While idle_o, skipping
//   cycles up to next_deadline_o changes nothing: the same fires come at the same times. Time going backwards is not
//   supported.
// Insert: {id, class, deadline}. Replaces an earlier entry of that id and class. 3 cycles when the entry is there and
//   the new deadline is not earlier, else 10 at most.
// Fire: {id, class}, never before its deadline, and as soon as the slot (2^GRAN_LOG2 ns) of the deadline has passed. A
//   jump over many deadlines fires them one after the other, 4 to 10 cycles each. The entry is gone then. An entry that
//   is no longer wanted simply fires: the user looks into its record, and inserts again if it is early. A waiting fire
//   does not stop inserts. A deadline farther than 2^(SLOT_LOG2*LEVELS) slots (17 s) fires early, after that time.
// Deadline: next_deadline_o is the time at which the wheel next has something to do (move or fire), never late; valid
//   while idle_o.
//
// How: LEVELS wheels of 2^SLOT_LOG2 slots; a slot of level l is 2^(SLOT_LOG2*l) ticks long. An entry is kept at the
//   highest level at which its tick differs from the cursor's. So each level holds only the rest of the cursor's slot
//   of the next level, and the first entry is in the lowest busy slot of the lowest busy level. When time reaches a
//   slot, its list is drained: moved to lower levels, or fired at level 0. Beyond the top level there are two lists,
//   for the top period of the cursor and the next. So an entry moves at most LEVELS times, and nothing ever scans.
//   Lists are doubly linked, in RAMs indexed by {class, id}; SLOT_LOG2*LEVELS + 2*(ID_W+1) + 3 bits for each entry (61
//   with the defaults).
// Reset: the armed bits are cleared in 2^ID_W / 16 cycles; no insert is taken meanwhile. Errors: none.
module timer_wheel #(
    parameter int unsigned ID_W      = 16,
    parameter int unsigned GRAN_LOG2 = 10,  // 1024 ns
    parameter int unsigned SLOT_LOG2 = 4,   // slots per level
    parameter int unsigned LEVELS    = 6
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [63:0]     time_now_i,
    input  logic            ins_valid_i,
    output logic            ins_ready_o,
    input  logic [ID_W-1:0] ins_id_i,
    input  logic            ins_class_i,
    input  logic [63:0]     ins_deadline_i,
    output logic            fire_valid_o,
    input  logic            fire_ready_i,
    output logic [ID_W-1:0] fire_id_o,
    output logic            fire_class_o,
    output logic            next_valid_o,
    output logic [63:0]     next_deadline_o,
    output logic            idle_o
);
  localparam int unsigned TICK_W = 64 - GRAN_LOG2;
  localparam int unsigned SPAN_W = SLOT_LOG2 * LEVELS;
  localparam int unsigned ENTRIES = 2 << ID_W;                 // of each class one a number
  localparam int unsigned LISTS  = (LEVELS + 1) << SLOT_LOG2;
  localparam int unsigned ENT_W  = $clog2(ENTRIES);
  localparam int unsigned LVL_W  = $clog2(LEVELS + 1);
  localparam int unsigned LIST_W = $clog2(LISTS);
  localparam int unsigned PREV_W = (ENT_W > LIST_W) ? ENT_W : LIST_W;
  localparam int unsigned ARM_LOG2 = (ENT_W > 5) ? 5 : ENT_W - 1;  // armed bits per RAM word
  localparam int unsigned ARM_W    = 1 << ARM_LOG2;
  localparam int unsigned ARM_A_W  = ENT_W - ARM_LOG2;
  // An insert can cause this many steps later (per level: open a list, take the entry out). Under overload
  // the wheel does as many for each insert, so that what is due never falls behind without end.
  localparam logic [3:0]  SHARE    = (LEVELS > 6) ? 4'd15 : 4'(2 * (LEVELS + 1));

  if (ID_W < 1 || LEVELS < 1 || SLOT_LOG2 < 1) begin : g_chk_zero
    $error("timer_wheel: ID_W, LEVELS and SLOT_LOG2 must not be zero");
  end
  if (GRAN_LOG2 < 1 || GRAN_LOG2 + SPAN_W > 62) begin : g_chk_span
    $error("timer_wheel: GRAN_LOG2 must not be zero, GRAN_LOG2 + SLOT_LOG2*LEVELS at most 62");
  end

  typedef enum logic [3:0] {
    ST_SWEEP,      // after reset: clear the armed bits
    ST_IDLE,       // choose: an insert, the next entry of the list being drained, or a new list
    ST_INS_READ,   // entry's records at the RAM outputs
    ST_INS_DECIDE,
    ST_UNLINK,     // take the entry out of its list
    ST_LINK_LIST,  // which list is it to go to
    ST_LINK_HEAD,  // read that list's head
    ST_LINK_WRITE, // put the entry in front
    ST_LINK_BACK,  // tell the former head
    ST_POP_HEAD,   // first entry of the list being drained
    ST_POP_READ,
    ST_POP_DECIDE  // take it out; fire or move it
  } state_t;

  state_t state_q;

  // Time and cursor, in ticks. cursor_q <= now, and no busy slot begins before cursor_q. Decisions use
  // time_now_i itself, so that a jump and the cycles it replaces lead to the same state.
  logic [TICK_W-1:0] now, cursor_q;
  logic              due;          // first_tick <= now
  logic [1:0]        settled_q;    // the search follows the bitmap, 2 cycles behind
  logic              settled;

  // The entry at work
  logic [ENT_W-1:0]  entry_q;
  logic [TICK_W:0]   tick_q;       // deadline of an insert, rounded up
  logic [TICK_W+1:0] ahead;        // tick_q - cursor_q, signed
  logic [SPAN_W-1:0] dist_new_q;   // ticks from the cursor, clipped
  logic [SPAN_W-1:0] dist_old_q;
  logic              armed_q;
  logic [ARM_W-1:0]  arm_word_q;
  logic [SPAN_W:0]   target_q;     // tick, with the parity of the top period
  logic [LIST_W-1:0] list_q, list_sel;
  logic [3:0]        share_q;      // steps of its own work that the wheel may do before the next insert

  // The list being drained
  logic              drain_q;
  logic [LIST_W-1:0] drain_list_q;
  logic              drain_fires;  // its entries are due

  logic              fire_valid_q;
  logic [ENT_W-1:0]  fire_q;

  // RAMs
  logic               rec_re, next_we, prev_we, tick_we, head_we, arm_we;
  logic [ENT_W-1:0]   rec_raddr, next_waddr, prev_waddr, head_wdata, head_rdata, next_ptr, prev_ptr;
  logic [ENT_W:0]     next_wdata, next_rdata;  // {there is one, entry}
  logic [PREV_W:0]    prev_wdata, prev_rdata;  // {first of its list, list number or entry}
  logic [SPAN_W-1:0]  tick_wdata, tick_rdata;
  logic [LIST_W-1:0]  head_raddr, head_waddr, prev_list;
  logic [ARM_A_W-1:0] arm_waddr, sweep_q;
  logic [ARM_W-1:0]   arm_wdata, arm_rdata, arm_bit;
  logic               has_next, is_first;

  // Slots
  logic              slot_set, slot_clr, occupied, any;
  logic [LIST_W-1:0] slot_list, first_list;
  logic [TICK_W-1:0] first_tick;

  // Choice in ST_IDLE
  logic take_ins, take_pop, take_list, may_pop;
  logic unused_time;  // below a tick

  assign {now, unused_time} = {time_now_i[63:GRAN_LOG2], ^time_now_i[GRAN_LOG2-1:0]};
  assign settled     = &settled_q;
  assign due         = any && first_tick <= now;
  assign drain_fires = drain_list_q[LIST_W-1 -: LVL_W] == '0;
  assign may_pop     = drain_q && !(drain_fires && fire_valid_q && !fire_ready_i);
  assign take_ins    = state_q == ST_IDLE && ins_valid_i && (drain_q || settled) &&
                       !(share_q != '0 && (may_pop || (!drain_q && due)));
  assign take_pop    = state_q == ST_IDLE && may_pop && !take_ins;
  assign take_list   = state_q == ST_IDLE && !drain_q && settled && due && !take_ins;

  assign ins_ready_o     = take_ins;
  assign fire_valid_o    = fire_valid_q;
  assign {fire_class_o, fire_id_o} = fire_q;
  assign next_valid_o    = any;
  assign next_deadline_o = {first_tick, {GRAN_LOG2{1'b0}}};
  assign idle_o          = state_q == ST_IDLE && !ins_valid_i && !drain_q && settled && !due &&
                           !fire_valid_q;

  assign {has_next, next_ptr} = next_rdata;
  assign is_first             = prev_rdata[PREV_W];
  assign prev_ptr             = prev_rdata[ENT_W-1:0];
  assign prev_list            = prev_rdata[LIST_W-1:0];
  assign ahead                = {1'b0, tick_q} - {2'b00, cursor_q};
  assign arm_bit              = ARM_W'(1) << entry_q[ARM_LOG2-1:0];

  // List of target_q: the highest group of bits in which it differs from the cursor.
  always_comb begin
    list_sel = {LVL_W'(0), target_q[SLOT_LOG2-1:0]};
    for (int unsigned i = 1; i < LEVELS; i++) begin
      if (target_q[i*SLOT_LOG2 +: SLOT_LOG2] != cursor_q[i*SLOT_LOG2 +: SLOT_LOG2]) begin
        list_sel = {LVL_W'(i), target_q[i*SLOT_LOG2 +: SLOT_LOG2]};
      end
    end
    if (target_q[SPAN_W] != cursor_q[SPAN_W]) begin
      list_sel = {LVL_W'(LEVELS), SLOT_LOG2'(target_q[SPAN_W])};
    end
  end

  // RAM ports. Reads and writes of one RAM are never in the same cycle.
  assign rec_re     = take_ins || state_q == ST_POP_HEAD;
  assign rec_raddr  = (state_q == ST_POP_HEAD) ? head_rdata : {ins_class_i, ins_id_i};
  assign head_raddr = (state_q == ST_LINK_HEAD) ? list_q : drain_list_q;

  // The records of the entries: next, previous, tick
  always_comb begin
    next_we    = 1'b0;
    next_waddr = entry_q;
    next_wdata = {occupied, head_rdata};
    prev_we    = 1'b0;
    prev_waddr = next_ptr;
    prev_wdata = {1'b1, PREV_W'(drain_list_q)};
    tick_we    = 1'b0;
    tick_wdata = target_q[SPAN_W-1:0];
    case (state_q)
      ST_INS_DECIDE: begin
        tick_we    = armed_q && dist_new_q >= dist_old_q;
        tick_wdata = cursor_q[SPAN_W-1:0] + dist_new_q;
      end
      ST_UNLINK: begin
        next_we    = !is_first;
        next_waddr = prev_ptr;
        next_wdata = next_rdata;
        prev_we    = has_next;
        prev_wdata = prev_rdata;
      end
      ST_LINK_WRITE: begin
        next_we    = 1'b1;
        prev_we    = 1'b1;
        prev_waddr = entry_q;
        prev_wdata = {1'b1, PREV_W'(list_q)};
        tick_we    = 1'b1;
      end
      ST_LINK_BACK: begin
        prev_we    = 1'b1;
        prev_waddr = head_rdata;
        prev_wdata = {1'b0, PREV_W'(entry_q)};
      end
      ST_POP_DECIDE: prev_we = has_next;
      default: ;
    endcase
  end

  // The lists' heads and slots, and which entries are armed
  always_comb begin
    head_we    = 1'b0;
    head_waddr = drain_list_q;
    head_wdata = next_ptr;
    arm_we     = 1'b0;
    arm_waddr  = entry_q[ENT_W-1:ARM_LOG2];
    arm_wdata  = arm_word_q | arm_bit;
    slot_set   = 1'b0;
    slot_clr   = 1'b0;
    slot_list  = list_q;
    case (state_q)
      ST_SWEEP: begin
        arm_we    = 1'b1;
        arm_waddr = sweep_q;
        arm_wdata = '0;
      end
      ST_UNLINK: begin
        head_we    = is_first && has_next;
        head_waddr = prev_list;
        slot_clr   = is_first && !has_next;
        slot_list  = prev_list;
      end
      ST_LINK_WRITE: begin
        head_we    = 1'b1;
        head_waddr = list_q;
        head_wdata = entry_q;
        arm_we     = 1'b1;
        slot_set   = 1'b1;
      end
      ST_POP_DECIDE: begin
        head_we   = has_next;
        slot_clr  = !has_next;
        slot_list = drain_list_q;
        arm_we    = drain_fires && dist_old_q == '0;
        arm_wdata = arm_word_q & ~arm_bit;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_SWEEP;
      sweep_q <= '0;
    end else begin
      case (state_q)
        ST_SWEEP: begin
          sweep_q <= sweep_q + 1'b1;
          if (&sweep_q) state_q <= ST_IDLE;
        end
        ST_IDLE: begin
          if (take_ins) state_q <= ST_INS_READ;
          else if (take_pop) state_q <= ST_POP_HEAD;
        end
        ST_INS_READ:   state_q <= ST_INS_DECIDE;
        ST_INS_DECIDE: state_q <= !armed_q ? ST_LINK_LIST
                                           : (dist_new_q >= dist_old_q) ? ST_IDLE : ST_UNLINK;
        ST_UNLINK:     state_q <= ST_LINK_LIST;
        ST_LINK_LIST:  state_q <= ST_LINK_HEAD;
        ST_LINK_HEAD:  state_q <= ST_LINK_WRITE;
        ST_LINK_WRITE: state_q <= occupied ? ST_LINK_BACK : ST_IDLE;
        ST_LINK_BACK:  state_q <= ST_IDLE;
        ST_POP_HEAD:   state_q <= ST_POP_READ;
        ST_POP_READ:   state_q <= ST_POP_DECIDE;
        ST_POP_DECIDE: state_q <= (drain_fires && dist_old_q == '0) ? ST_IDLE : ST_LINK_LIST;
        default:       state_q <= ST_IDLE;
      endcase
    end
  end

  // The entry at work
  always_ff @(posedge clk_i) begin
    if (take_ins) begin
      entry_q <= {ins_class_i, ins_id_i};
      tick_q  <= {1'b0, ins_deadline_i[63:GRAN_LOG2]} +
                 (TICK_W+1)'(ins_deadline_i[GRAN_LOG2-1:0] != '0);
    end
    if (state_q == ST_POP_HEAD) entry_q <= head_rdata;
    if (state_q == ST_INS_READ || state_q == ST_POP_READ) begin
      dist_new_q <= ahead[TICK_W+1] ? '0
                  : (ahead[TICK_W:SPAN_W] != '0) ? '1 : ahead[SPAN_W-1:0];
      dist_old_q <= tick_rdata - cursor_q[SPAN_W-1:0];
      arm_word_q <= arm_rdata;
      armed_q    <= (arm_rdata & arm_bit) != '0;
    end
    if (state_q == ST_INS_DECIDE) target_q <= cursor_q[SPAN_W:0] + {1'b0, dist_new_q};
    if (state_q == ST_POP_DECIDE) target_q <= cursor_q[SPAN_W:0] + {1'b0, dist_old_q};
    if (state_q == ST_LINK_LIST) list_q <= list_sel;
  end

  // Time, cursor and the list being drained
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      settled_q    <= '0;
      cursor_q     <= '0;
      drain_q      <= 1'b0;
      drain_list_q <= '0;
      share_q      <= '0;
      fire_valid_q <= 1'b0;
    end else begin
      settled_q <= (slot_set || slot_clr || take_list) ? '0 : {settled_q[0], 1'b1};
      if (take_list) begin
        cursor_q     <= first_tick;
        drain_q      <= 1'b1;
        drain_list_q <= first_list;
      end else if (take_ins && !drain_q && !due) begin
        cursor_q <= now;  // nothing begins before it
      end
      if (slot_clr && slot_list == drain_list_q) drain_q <= 1'b0;
      if (take_ins) share_q <= SHARE;
      else if ((take_pop || take_list) && share_q != '0) share_q <= share_q - 1'b1;
      if (state_q == ST_POP_DECIDE && arm_we) fire_valid_q <= 1'b1;
      else if (fire_ready_i) fire_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) if (state_q == ST_POP_DECIDE && arm_we) fire_q <= entry_q;

  timer_wheel_slots #(.SLOT_LOG2(SLOT_LOG2), .LEVELS(LEVELS), .TICK_W(TICK_W)) u_slots (
      .clk_i, .rst_ni, .set_i(slot_set), .clr_i(slot_clr), .list_i(slot_list), .occupied_o(occupied),
      .cursor_i(cursor_q), .any_o(any), .first_list_o(first_list), .first_tick_o(first_tick));

  ram_1r1w #(.WIDTH(ENT_W + 1), .DEPTH(ENTRIES), .BYPASS(2)) u_next (
      .clk_i, .we_i(next_we), .waddr_i(next_waddr), .wdata_i(next_wdata),
      .re_i(rec_re), .raddr_i(rec_raddr), .rdata_o(next_rdata));
  ram_1r1w #(.WIDTH(PREV_W + 1), .DEPTH(ENTRIES), .BYPASS(2)) u_prev (
      .clk_i, .we_i(prev_we), .waddr_i(prev_waddr), .wdata_i(prev_wdata),
      .re_i(rec_re), .raddr_i(rec_raddr), .rdata_o(prev_rdata));
  ram_1r1w #(.WIDTH(SPAN_W), .DEPTH(ENTRIES), .BYPASS(2)) u_tick (
      .clk_i, .we_i(tick_we), .waddr_i(entry_q), .wdata_i(tick_wdata),
      .re_i(rec_re), .raddr_i(rec_raddr), .rdata_o(tick_rdata));
  ram_1r1w #(.WIDTH(ARM_W), .DEPTH(1 << ARM_A_W), .BYPASS(2)) u_armed (
      .clk_i, .we_i(arm_we), .waddr_i(arm_waddr), .wdata_i(arm_wdata),
      .re_i(rec_re), .raddr_i(rec_raddr[ENT_W-1:ARM_LOG2]), .rdata_o(arm_rdata));
  ram_1r1w #(.WIDTH(ENT_W), .DEPTH(1 << LIST_W), .BYPASS(2)) u_head (
      .clk_i, .we_i(head_we), .waddr_i(head_waddr), .wdata_i(head_wdata),
      .re_i(state_q == ST_IDLE || state_q == ST_LINK_HEAD), .raddr_i(head_raddr),
      .rdata_o(head_rdata));

`ifdef FORMAL
  timer_wheel_props #(.ID_W(ID_W), .GRAN_LOG2(GRAN_LOG2), .SPAN_W(SPAN_W)) u_props (.*);
`endif
endmodule
