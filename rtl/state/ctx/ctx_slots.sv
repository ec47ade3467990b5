// SPDX-License-Identifier: Apache-2.0
// State of the slots of ctx_cache: being filled, unusable, dirty by part, asked for, fresh; and the strobe of a fill's
// end.
//
// Owns: all of it.
// Asked: a bit for each lookup source of ASK, those that hold no pin while they wait. Set when one is answered WAIT,
//   cleared when it finds the record. The strobe names them: only they look again, since an engine woken for nothing
//   finds the record gone as likely as not, and has it read again. Firmware, source NSRC, asks like them, also for a
//   number without a record; it comes again by itself.
// Fresh: a record just filled is no victim until all of them have found it. With more keys in demand than ways it would
//   be evicted before the source that asked has its turn. Lookups that find no way though one is fresh count until one
//   finds what it asked for; after 256 all may go, since the sources may be halted.
// Order: the strobe comes two cycles after filling has ended, so every WAIT answer has been seen, and is counted,
//   before it.
// Errors: none.
module ctx_slots #(
    parameter int unsigned PARTS = 4,
    parameter int unsigned SLOTS = 128,
    parameter int unsigned KEY_W = 24,
    parameter int unsigned NSRC  = 4,
    parameter bit [NSRC-1:0] ASK = '0,
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned PW   = (PARTS > 1) ? $clog2(PARTS) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // parts written
    input  logic [PARTS-1:0]           dirty_valid_i,
    input  logic [PARTS*AW-1:0]        dirty_slot_i,
    input  logic                       fw_dirty_i,
    input  logic [PW-1:0]              fw_dirty_part_i,
    input  logic [AW-1:0]              fw_slot_i,
    // results: of the fill engine, of firmware (fw_slot_i, fw_key_i; not in a cycle of the other)
    input  logic                       fd_valid_i,
    input  logic [AW-1:0]              fd_slot_i,
    input  logic [KEY_W-1:0]           fd_key_i,
    input  logic [2:0]                 fd_status_i,
    input  logic                       fw_filled_i,
    input  logic [KEY_W-1:0]           fw_key_i,
    // the slot's tag changes: filled from now on, or dropped
    input  logic                       tag_end_i,
    input  logic                       drop_i,
    input  logic [AW-1:0]              slot_i,
    // the answer to a lookup of src_i about end_slot_i, which is slot_i when the tag changes: WAIT, HIT;
    // and whether there was no way for it, though some are fresh
    input  logic [NSRC:0]              src_i,
    input  logic [AW-1:0]              end_slot_i,
    input  logic                       wait_i,
    input  logic                       found_i,
    input  logic                       none_i,
    output logic [SLOTS-1:0]           filling_o,
    output logic [SLOTS-1:0]           bad_o,       // filled, but unusable
    output logic [SLOTS-1:0]           bad_free_o,  // ... because there is no such record
    output logic [PARTS-1:0]           dirty_o,     // of slot_i
    output logic [SLOTS-1:0]           fresh_o,
    output cairn_int_pkg::ctx_filled_t fill_o,
    output logic [NSRC-1:0]            fill_ask_o,
    output logic                       idle_o
);
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_FREE = cairn_hw_pkg::CTX_RESULT_FREE;

  logic [PARTS*SLOTS-1:0] dirty_q;
  for (genvar g = 0; g < PARTS; g++) begin : g_dirty
    assign dirty_o[g] = dirty_q[32'(g*SLOTS) + 32'(slot_i)];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      filling_o  <= '0;
      bad_o      <= '0;
      bad_free_o <= '0;
      dirty_q    <= '0;
    end else begin
      for (int unsigned p = 0; p < PARTS; p++) begin
        if (dirty_valid_i[p]) dirty_q[32'(p*SLOTS) + 32'(dirty_slot_i[p*AW +: AW])] <= 1'b1;
        if (fw_dirty_i && fw_dirty_part_i == PW'(p)) dirty_q[32'(p*SLOTS) + 32'(fw_slot_i)] <= 1'b1;
        if (tag_end_i) dirty_q[32'(p*SLOTS) + 32'(slot_i)] <= 1'b0;
      end
      if (fd_valid_i) begin
        filling_o[fd_slot_i]  <= 1'b0;
        bad_o[fd_slot_i]      <= fd_status_i != ST_HIT;
        bad_free_o[fd_slot_i] <= fd_status_i == ST_FREE;
      end
      if (fw_filled_i) filling_o[fw_slot_i] <= 1'b0;
      if (tag_end_i) begin
        filling_o[slot_i] <= !drop_i;
        bad_o[slot_i]     <= 1'b0;
      end
    end
  end

  // ---- who asked; written by one answer a cycle ----
  localparam logic [NSRC:0] FW = {1'b1, NSRC'(0)};
  logic [NSRC:0] ask [0:SLOTS-1];
  logic [NSRC:0] ask_old, ask_new, ask_fill;
  assign ask_old  = tag_end_i ? '0 : ask[end_slot_i];
  assign ask_new  = found_i ? ask_old & ~src_i : ask_old | (src_i & (FW | {1'b0, ASK}) & {(NSRC+1){wait_i}});
  assign ask_fill = ask[slot_q[AW-1:0]];
  always_ff @(posedge clk_i) if (tag_end_i || wait_i || found_i) ask[end_slot_i] <= ask_new;

  // ---- fresh: from the fill on; a cycle later it is known whether any source asked ----
  logic [7:0] refused_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_o   <= '0;
      refused_q <= '0;
    end else begin
      if (found_i && (ask_old & src_i) != '0) refused_q <= '0;
      else if (none_i) refused_q <= refused_q + 1'b1;
      if (fd_valid_i) fresh_o[fd_slot_i] <= 1'b1;
      if (valid_q[0] && (status_q[2:0] == ST_HIT ? ask_fill : ask_fill & FW) == '0) fresh_o[slot_q[AW-1:0]] <= 1'b0;
      if (found_i && ask_new == '0) fresh_o[end_slot_i] <= 1'b0;
      if (none_i && refused_q == '1) fresh_o <= '0;
    end
  end

  // ---- the strobe ----
  logic [1:0]         valid_q;
  logic [2*AW-1:0]    slot_q;
  logic [2*KEY_W-1:0] key_q;
  logic [5:0]         status_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[0], fd_valid_i || fw_filled_i};
    slot_q   <= {slot_q[AW-1:0], fd_valid_i ? fd_slot_i : fw_slot_i};
    key_q    <= {key_q[KEY_W-1:0], fd_valid_i ? fd_key_i : fw_key_i};
    status_q <= {status_q[2:0], fd_valid_i ? fd_status_i : ST_HIT};
    fill_ask_o <= ask_fill[NSRC-1:0];
  end
  assign fill_o.valid  = valid_q[1];
  assign fill_o.slot   = cairn_int_pkg::SLOT_W'(slot_q[AW +: AW]);
  assign fill_o.key    = key_q[KEY_W +: KEY_W];
  assign fill_o.status = status_q[5:3];
  assign idle_o        = valid_q == '0;
endmodule
