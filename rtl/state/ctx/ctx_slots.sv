// SPDX-License-Identifier: Apache-2.0
// State of the slots of ctx_cache: being filled, pinned, unusable, dirty by part, asked for, fresh; and the strobe of a
// fill's end.
//
// Owns: all of it but the counts of pins (ctx_pins). All in LUT RAMs, each written from one place: by the answers to
//   lookups (ctl_i), by the ends of fills, by those who write a part. A set's state is read at once (set_i).
// Asked: a bit for each lookup source of ASK, those that hold no pin while they wait. Set when one is answered WAIT,
//   cleared when it finds the record. The strobe names them: only they look again, since an engine woken for nothing
//   finds the record gone as likely as not, and has it read again. Firmware, source NSRC, asks like them, also for a
//   number without a record; it comes again by itself.
// Fresh: a record that is there is no victim until all of them have found it. With more keys in demand than ways it
//   would be evicted before the source that asked has its turn. Lookups that find no way though one is fresh count
//   until one finds what it asked for; after 256 all are let go, slot by slot, since the sources may be halted.
// Order: the strobe comes three cycles after filling has ended, so every WAIT answer has been seen, and is counted,
//   before it. query_o falls a cycle before it.
// Errors: none.
module ctx_slots #(
    parameter int unsigned PARTS = 4,
    parameter int unsigned SLOTS = 128,
    parameter int unsigned WAYS  = 8,
    parameter int unsigned KEY_W = 24,
    parameter int unsigned NSRC  = 4,
    parameter bit [NSRC-1:0] ASK = '0,
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned RW   = (SLOTS > WAYS) ? $clog2(SLOTS / WAYS) : 1,
    localparam int unsigned PW   = (PARTS > 1) ? $clog2(PARTS) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       init_i,
    input  logic [RW-1:0]              init_set_i,
    // parts written; firmware's may wait for a cycle
    input  logic [PARTS-1:0]           dirty_valid_i,
    input  logic [PARTS*AW-1:0]        dirty_slot_i,
    input  logic                       fw_dirty_i,
    input  logic [PW-1:0]              fw_dirty_part_i,
    input  logic [AW-1:0]              fw_slot_i,
    // a slot that is given to another key: what is dirty of it, and is no more
    input  logic                       clean_valid_i,
    input  logic [AW-1:0]              clean_slot_i,
    output logic [PARTS-1:0]           dirty_o,
    // results: of the fill engine, of firmware (fw_slot_i, fw_key_i; not in a cycle of the other)
    input  logic                       fd_valid_i,
    input  logic [AW-1:0]              fd_slot_i,
    input  logic [KEY_W-1:0]           fd_key_i,
    input  logic [2:0]                 fd_status_i,
    input  logic                       fw_filled_i,
    input  logic [KEY_W-1:0]           fw_key_i,
    // the answer to a lookup of src_i about slot_i: its tag has changed, and it is filled from now on; WAIT; found;
    // pinned; and whether there was no way for it, though some are fresh
    input  logic [NSRC:0]              src_i,
    input  logic [AW-1:0]              slot_i,
    input  logic                       tag_i,
    input  logic                       fill_i,
    input  logic                       wait_i,
    input  logic                       found_i,
    input  logic                       pin_i,
    input  logic                       none_i,
    input  logic                       free_valid_i,   // has no pin any more
    input  logic [AW-1:0]              free_slot_i,
    // state of a set
    input  logic [RW-1:0]              set_i,
    output logic [WAYS-1:0]            filling_o,
    output logic [WAYS-1:0]            pinned_o,
    output logic [WAYS-1:0]            bad_o,          // filled, but unusable
    output logic [WAYS-1:0]            bad_free_o,     // ... because there is no such record
    output logic [WAYS-1:0]            fresh_o,
    // a slot's fill is under way, combinational
    input  logic [AW-1:0]              query_slot_i,
    output logic                       query_o,
    output cairn_int_pkg::ctx_filled_t fill_o,
    output logic [NSRC-1:0]            fill_ask_o,
    output logic                       idle_o
);
  localparam int unsigned WW = $clog2(WAYS);
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_FREE = cairn_hw_pkg::CTX_RESULT_FREE;

  // ---- dirty: the owner writes at most every second cycle, firmware's waits for the other one ----
  logic          fw_dirty_q;
  logic [PW-1:0] fw_part_q;
  logic [AW-1:0] fw_dirty_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fw_dirty_q <= 1'b0;
    else fw_dirty_q <= fw_dirty_i || (fw_dirty_q && dirty_valid_i[fw_part_q]);
    if (fw_dirty_i) begin
      fw_part_q       <= fw_dirty_part_i;
      fw_dirty_slot_q <= fw_slot_i;
    end
  end
  for (genvar g = 0; g < PARTS; g++) begin : g_dirty
    logic          fw_now;
    logic [AW-1:0] slot;
    assign fw_now = fw_dirty_q && fw_part_q == PW'(g) && !dirty_valid_i[g];
    assign slot   = dirty_valid_i[g] ? dirty_slot_i[g*AW +: AW] : fw_dirty_slot_q;
    ctx_flag #(.SLOTS(SLOTS), .WAYS(WAYS)) u_flag (
        .clk_i, .init_i, .init_set_i, .set_valid_i(dirty_valid_i[g] || fw_now), .set_slot_i(slot),
        .clear_valid_i(clean_valid_i), .clear_slot_i(clean_slot_i), .was_o(dirty_o[g]), .read_set_i('0), .read_o());
  end

  // ---- filling, and how it ended ----
  logic              end_valid;
  logic [AW-1:0]     end_slot;
  logic [2:0]        end_status;
  logic [WAYS-1:0]   query_set;
  logic [RW-1:0]     query_row, row, end_row;
  assign end_valid  = fd_valid_i || fw_filled_i;
  assign end_slot   = fd_valid_i ? fd_slot_i : fw_slot_i;
  assign end_status = fd_valid_i ? fd_status_i : ST_HIT;
  if (SLOTS > WAYS) begin : g_rows
    assign query_row = query_slot_i[AW-1:WW];
    assign row       = slot_i[AW-1:WW];
    assign end_row   = end_slot[AW-1:WW];
  end else begin : g_row
    assign query_row = '0;
    assign row       = '0;
    assign end_row   = '0;
  end
  ctx_flag #(.SLOTS(SLOTS), .WAYS(WAYS), .READS(2)) u_filling (
      .clk_i, .init_i, .init_set_i, .set_valid_i(fill_i), .set_slot_i(slot_i),
      .clear_valid_i(end_valid), .clear_slot_i(end_slot), .was_o(), .read_set_i({query_row, set_i}),
      .read_o({query_set, filling_o}));
  assign query_o = query_set[query_slot_i[WW-1:0]] || (valid_q[0] && slot_q[AW-1:0] == query_slot_i);
  ctx_flag #(.SLOTS(SLOTS), .WAYS(WAYS)) u_pinned (
      .clk_i, .init_i, .init_set_i, .set_valid_i(pin_i), .set_slot_i(slot_i),
      .clear_valid_i(free_valid_i), .clear_slot_i(free_slot_i), .was_o(), .read_set_i(set_i), .read_o(pinned_o));

  // ---- who asked; written by one answer a cycle, a cycle later, so that the RAM has two ports ----
  localparam logic [NSRC:0] FW = {1'b1, NSRC'(0)};
  localparam logic [NSRC:0] KEPT = FW | (NSRC+1)'(ASK);    // the others have no bit
  function automatic int unsigned bits_below(input int unsigned n);
    bits_below = 0;
    for (int unsigned i = 0; i < n; i++) bits_below = bits_below + 32'(KEPT[i]);
  endfunction
  logic [NSRC:0] ask_now, ask_then;                        // of slot_i, of ask_end
  logic [NSRC:0] ask_old, ask_new, ask_fill, ask_new_q;
  logic          ask_we, ask_we_q;
  logic [AW-1:0] ask_slot_q, ask_end, ask_end_d;   // d: of the next cycle
  assign ask_we   = tag_i || wait_i || found_i;
  assign ask_old  = tag_i ? '0 : (ask_we_q && ask_slot_q == slot_i) ? ask_new_q : ask_now;
  assign ask_new  = found_i ? ask_old & ~src_i : ask_old | (src_i & KEPT & {(NSRC+1){wait_i}});
  assign ask_end   = slot_q[2*AW-1:AW];
  assign ask_end_d = slot_q[AW-1:0];
  assign ask_fill = (ask_we && slot_i == ask_end)         ? ask_new
                    : (ask_we_q && ask_slot_q == ask_end) ? ask_new_q : ask_then;
  // Their bits in one word, and a copy for each reader: LUT RAM with two read ports takes four times as much. ask_end
  // is known a cycle before.
  localparam int unsigned ASK_W = bits_below(NSRC + 1);
  logic [ASK_W-1:0] ask [0:SLOTS-1];
  logic [ASK_W-1:0] kept_now, kept_then, kept_new;
  assign kept_now = ask[slot_i];
  always_ff @(posedge clk_i) if (ask_we_q) ask[ask_slot_q] <= kept_new;
  ram_1r1w #(.WIDTH(ASK_W), .DEPTH(SLOTS), .BYPASS(1)) u_then (
      .clk_i, .we_i(ask_we_q), .waddr_i(ask_slot_q), .wdata_i(kept_new), .re_i(1'b1), .raddr_i(ask_end_d),
      .rdata_o(kept_then));
  for (genvar g = 0; g <= NSRC; g++) begin : g_ask
    if (KEPT[g]) begin : g_kept
      assign {ask_now[g], ask_then[g]} = {kept_now[bits_below(g)], kept_then[bits_below(g)]};
      assign kept_new[bits_below(g)]   = ask_new_q[g];
    end else begin : g_none
      assign {ask_now[g], ask_then[g]} = 2'b00;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ask_we_q <= 1'b0;
    else ask_we_q <= ask_we;
    ask_slot_q <= slot_i;
    ask_new_q  <= ask_new;
  end

  // ---- by set: unusable, and whether any source asked, or firmware ----
  logic [7:0]    refused_q;
  logic          wipe_q, wipe_now;
  logic [AW-1:0] wipe_slot_q;
  logic [RW-1:0] wipe_row;
  if (SLOTS > WAYS) begin : g_wipe
    assign wipe_row = wipe_slot_q[AW-1:WW];
  end else begin : g_wipe1
    assign wipe_row = '0;
  end
  assign wipe_now = wipe_q && !ask_we;
  for (genvar g = 0; g < WAYS; g++) begin : g_way
    logic [1:0] bad [0:(1<<RW)-1];
    logic [1:0] asked [0:(1<<RW)-1];
    logic       any, any_fw;
    assign {bad_free_o[g], bad_o[g]} = bad[set_i];
    assign {any_fw, any}             = asked[set_i];
    // Those that asked are told by the strobe that a record is none; firmware looks once more.
    assign fresh_o[g] = bad_o[g] ? any_fw : any;
    always_ff @(posedge clk_i) begin
      if (end_valid && end_slot[WW-1:0] == WW'(g)) bad[end_row] <= {end_status == ST_FREE, end_status != ST_HIT};
    end
    always_ff @(posedge clk_i) begin
      if (init_i) asked[init_set_i] <= '0;
      else if (ask_we) begin
        if (slot_i[WW-1:0] == WW'(g)) asked[row] <= {ask_new[NSRC], ask_new != '0};
      end else if (wipe_now && wipe_slot_q[WW-1:0] == WW'(g)) asked[wipe_row] <= '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      refused_q   <= '0;
      wipe_q      <= 1'b0;
      wipe_slot_q <= '0;
    end else begin
      if (found_i && (ask_old & src_i) != '0) refused_q <= '0;
      else if (none_i) refused_q <= refused_q + 1'b1;
      if (none_i && refused_q == '1) wipe_q <= 1'b1;
      else if (wipe_now && wipe_slot_q == '1) wipe_q <= 1'b0;
      if (wipe_now) wipe_slot_q <= wipe_slot_q + 1'b1;
    end
  end

  // ---- the strobe ----
  logic [2:0]         valid_q;
  logic [3*AW-1:0]    slot_q;
  logic [3*KEY_W-1:0] key_q;
  logic [8:0]         status_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], end_valid};
    slot_q     <= {slot_q[2*AW-1:0], end_slot};
    key_q      <= {key_q[2*KEY_W-1:0], fd_valid_i ? fd_key_i : fw_key_i};
    status_q   <= {status_q[5:0], end_status};
    fill_ask_o <= ask_fill[NSRC-1:0];
  end
  assign fill_o.valid  = valid_q[2];
  assign fill_o.slot   = cairn_int_pkg::SLOT_W'(slot_q[2*AW +: AW]);
  assign fill_o.key    = key_q[2*KEY_W +: KEY_W];
  assign fill_o.status = status_q[8:6];
  assign idle_o        = valid_q == '0;
endmodule
