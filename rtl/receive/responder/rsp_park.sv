// SPDX-License-Identifier: Apache-2.0
// Parked packets of rsp_join, and when each is replayed: park_buffer with rsp_wait, or rsp_parked (FAST = 0).
//
// push_i: push_data_i, or other_data_i, goes behind the list of push_slot_i; FAST = 0: of slot_i, or of push_slot_i if
//   aside_i, and the record is that at place_i of rsp_store.
// Wake: kick_i is for one slot, fill_i for those that wait for a fill (add_i: slot_i does from now on).
// Replay: again_i, with its place, and verdicts (done_i), as in park_buffer. UC and UD without an SRQ, whose walk
//   depends on what passed, go alone; FAST = 0: others two by two.
// Errors: none.
module rsp_park #(
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned ENTRIES  = 256,
    parameter int unsigned DEPTH    = 16,      // replays under way
    parameter logic [31:0] FEATURES = '1,      // as REG FEATURES
    parameter bit          FAST     = 1'b1,
    localparam int unsigned AW      = $clog2(SLOTS),
    localparam int unsigned EW      = $clog2(ENTRIES)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    push_i,
    input  logic                    aside_i,       // FAST = 0: see rsp_parked
    output logic                    aside_waiting_o,
    output logic                    push_ready_o,
    input  logic [AW-1:0]           push_slot_i,
    input  cairn_int_pkg::rsp_rec_t push_data_i,
    input  logic                    other_i,       // FAST: not that, but
    input  cairn_int_pkg::rsp_rec_t other_data_i,
    input  logic [EW-1:0]           place_i,
    output logic [EW-1:0]           entry_o,       // of what is pushed
    input  logic [AW-1:0]           slot_i,
    output logic                    waiting_o,     // it has a list
    input  logic [AW-1:0]           new_slot_i,
    output logic                    new_waiting_o,   // ... that is not all on its way to its verdicts
    input  logic [AW-1:0]           next_slot_i,   // FAST: the same for this one, a cycle later, as of now
    output logic                    next_waiting_o,
    input  logic                    kick_i,
    output logic                    kick_ready_o,
    input  logic [AW-1:0]           kick_slot_i,
    input  logic                    add_i,
    input  logic                    fill_i,
    output logic                    again_valid_o,
    input  logic                    again_ready_i,
    output logic [EW-1:0]           again_entry_o,
    output logic                    again_first_o,
    input  cairn_int_pkg::rsp_rec_t loaded_i,      // FAST = 0
    input  logic                    known_i,       // FAST = 0: strobe, the one taken last is loaded_i
    output cairn_int_pkg::rsp_rec_t again_o,
    input  logic                    done_i,
    input  logic                    done_pop_i,
    output logic                    void_o,
    output logic                    idle_o
);
  cairn_int_pkg::rsp_rec_t parked, again;
  rsp_have #(.FEATURES(FEATURES)) u_have (.rec_i(parked), .rec_o(again));
  assign again_o = again;
  if (FAST) begin : g_buffer
    localparam int unsigned FW = $clog2(DEPTH + 4);
    logic          valid, w_valid, drain_ready;
    logic [AW-1:0] w_slot;
    logic [FW-1:0] flight_q;            // replays without a verdict
    logic          next_waits, new_waits;
    logic [2:0]    going;
    // Behind replays that are all on their way it goes the same way: else a list that new ones are always behind lasts.
    assign new_waiting_o = new_waits && !going[1];
    always_ff @(posedge clk_i) next_waiting_o <= next_waits && !going[2];
    logic          alone_q;             // it was here in the last cycle, alone: what passed before has been looked up
    // Slots that wait for a fill, in order; each fill wakes those that are here when it comes.
    rsp_wait #(.SLOTS(SLOTS)) u_wait (
        .clk_i, .rst_ni, .add_i, .slot_i, .fill_i, .valid_o(w_valid), .ready_i(drain_ready && !kick_i),
        .slot_o(w_slot));
    assign kick_ready_o = drain_ready;
    // Records come from two places: a RAM for each, since a multiplexer before one costs more than the second.
    logic                    other, written;
    cairn_int_pkg::rsp_rec_t own_rec, other_rec;
    assign written = push_i && push_ready_o;
    ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_REC_W), .DEPTH(ENTRIES), .BYPASS(2)) u_own (
        .clk_i, .we_i(written && !other_i), .waddr_i(entry_o), .wdata_i(push_data_i), .re_i(1'b1),
        .raddr_i(again_entry_o), .rdata_o(own_rec));
    ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_REC_W), .DEPTH(ENTRIES), .BYPASS(2)) u_other (
        .clk_i, .we_i(written && other_i), .waddr_i(entry_o), .wdata_i(other_data_i), .re_i(1'b1),
        .raddr_i(again_entry_o), .rdata_o(other_rec));
    assign parked = other ? other_rec : own_rec;
    park_buffer #(.WIDTH(1), .ENTRIES(ENTRIES), .SLOTS(SLOTS), .QUERIES(3),
                  .APART(1'b1)) u_park (
        .clk_i, .rst_ni, .push_valid_i(push_i), .push_ready_o, .push_slot_i, .push_data_i(other_i),
        .push_entry_o(entry_o),
        .q_slot_i({next_slot_i, new_slot_i, slot_i}),
        .q_waiting_o({next_waits, new_waits, waiting_o}),
        .q_going_o(going),
        .drain_valid_i(kick_i || w_valid), .drain_ready_o(drain_ready), .drain_slot_i(kick_i ? kick_slot_i : w_slot),
        .drain_all_i(1'b0), .out_valid_o(valid), .out_slot_o(), .out_data_o(other), .out_entry_o(again_entry_o),
        .out_first_o(again_first_o), .out_take_i(again_valid_o && again_ready_i), .res_valid_i(done_i),
        .res_pop_i(done_pop_i), .void_o, .level_o(), .idle_o);
    assign again_valid_o = valid && (alone_q || !(again.silent && !again.srq.valid)) && flight_q < FW'(DEPTH);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) flight_q <= '0;
      else flight_q <= flight_q + FW'(again_valid_o && again_ready_i) - FW'(done_i);
      alone_q <= rst_ni && valid && flight_q == '0 && !(again_valid_o && again_ready_i);
    end
    logic unused;
    assign unused = ^{loaded_i, place_i, aside_i, known_i, going[0]};
    assign aside_waiting_o = new_waiting_o;
  end else begin : g_lists
    // The record stays where rsp_store has it, as it was judged.
    rsp_parked #(.SLOTS(SLOTS), .ENTRIES(ENTRIES)) u_park (
        .clk_i, .rst_ni, .push_i, .push_ready_o, .place_i, .slot_i, .waiting_o, .new_slot_i, .new_waiting_o,
        .aside_i, .aside_place_i(place_i), .aside_slot_i(push_slot_i), .aside_waiting_o,
        .kick_i, .kick_ready_o, .kick_slot_i, .add_i, .fill_i, .out_valid_o(again_valid_o),
        .out_place_o(again_entry_o), .out_first_o(again_first_o), .out_take_i(again_valid_o && again_ready_i), .done_i,
        .known_i, .alone_i(again.silent && !again.srq.valid), .done_pop_i, .void_o, .idle_o);
    assign parked  = loaded_i;
    assign entry_o = place_i;
    logic unused;
    assign next_waiting_o = 1'b0;
    assign unused = ^{push_data_i, other_i, other_data_i, next_slot_i};
  end
endmodule
