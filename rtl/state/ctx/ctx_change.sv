// SPDX-License-Identifier: Apache-2.0
// What is to happen with slots of ctx_cache whose tag has changed, one after the other: what is dirty of the old record
// goes to ctx_wb, then the new one is read (ctx_fill), or firmware told that its slot is ready.
//
// Owns: the key of the record that each slot's RAM words are of, or were.
// Order: as the tags changed. A record that is asked for again behind its own eviction is therefore read behind its
//   write-back: not while ctx_wb still has a part of it, and by the ticket of what has been posted.
// Errors: none. room_o is low in time for the lookups that are still to come when it falls.
module ctx_change #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned KEY_W = 24,
    parameter int unsigned PARTS = 4,
    parameter int unsigned DEPTH = 8,
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    input  logic [1:0]       in_op_i,       // 0 read it, 1 firmware writes it, 2 nothing, 3 write back
    input  logic [AW-1:0]    in_slot_i,
    input  logic [KEY_W-1:0] in_key_i,
    output logic             room_o,
    // dirty parts of a slot; they are clean from the next cycle on
    output logic             clean_valid_o,
    output logic [AW-1:0]    clean_slot_o,
    input  logic [PARTS-1:0] dirty_i,
    // ctx_wb
    output logic             wb_valid_o,
    input  logic             wb_ready_i,
    output logic [KEY_W-1:0] wb_key_o,
    input  logic             wb_copying_i,
    input  logic             wb_busy_i,
    input  logic [KEY_W-1:0] wb_busy_key_i,
    // ctx_fill
    output logic             fill_valid_o,
    input  logic             fill_ready_i,
    output logic [KEY_W-1:0] fill_key_o,
    output logic             fw_done_o,     // strobe: firmware's slot is ready
    output logic             idle_o
);
  localparam int unsigned LW = $clog2(DEPTH + 1);

  // ---- the change at hand; one that finds nothing before it does not pass the FIFO ----
  typedef struct packed {
    logic [1:0]       op;
    logic [AW-1:0]    slot;
    logic [KEY_W-1:0] key;
  } change_t;
  logic          valid_q, take, pop, f_valid, skip;
  change_t       now_q, next, in_data, f_data;
  logic [LW-1:0] level;
  assign in_data = {in_op_i, in_slot_i, in_key_i};
  assign take    = !valid_q || pop;
  assign skip    = take && !f_valid;
  assign next    = f_valid ? f_data : in_data;
  sync_fifo_level #(.WIDTH($bits(in_data)), .DEPTH(DEPTH)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && !skip), .in_ready_o(), .in_data_i(in_data),
      .out_valid_o(f_valid), .out_ready_i(take), .out_data_o(f_data), .level_o(level));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      room_o  <= 1'b0;
    end else begin
      if (take) valid_q <= f_valid || in_valid_i;
      // Of this cycle and the next one may each bring a change that the level does not show.
      room_o <= level <= LW'(DEPTH - 3);
    end
    if (take) now_q <= next;
  end

  // ---- first what is dirty goes, then the change is over ----
  logic dirty;
  // Two changes of a slot, one behind the other: the second one sees the key of the first.
  ram_1r1w #(.WIDTH(KEY_W), .DEPTH(SLOTS), .BYPASS(1)) u_keys (
      .clk_i, .we_i(pop), .waddr_i(now_q.slot), .wdata_i(now_q.key), .re_i(take), .raddr_i(next.slot),
      .rdata_o(wb_key_o));
  assign dirty         = dirty_i != '0;
  assign wb_valid_o    = valid_q && dirty && now_q.op != 2'd2;
  assign clean_valid_o = valid_q && dirty && (now_q.op == 2'd2 || wb_ready_i);
  assign clean_slot_o  = now_q.slot;
  assign fill_valid_o  = valid_q && !dirty && now_q.op == 2'd0 && !(wb_busy_i && wb_busy_key_i == now_q.key);
  assign fill_key_o    = now_q.key;
  assign fw_done_o     = valid_q && !dirty && now_q.op != 2'd0 && !wb_copying_i;
  assign pop           = (fill_valid_o && fill_ready_i) || fw_done_o;
  assign idle_o        = !valid_q && !f_valid;
endmodule
