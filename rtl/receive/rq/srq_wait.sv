// SPDX-License-Identifier: Apache-2.0
// Context slots whose next packet waits for a slot of a shared receive queue to come on chip (srq_state).
//
// Add: this context slot waits for an SRQ. More: an SRQ has one slot more, and one waiter of it is woken. All: whoever
//   waits is woken (an SRQ failed or is gone). Strobes. One that was woken and finds nothing asks
//   again; one that was served without a wake is woken all the same.
// Those that wait go round in a queue, each at most once. The one in front is woken if its SRQ has wakes to give, else
//   it goes to the back: its turn comes again after two cycles for each of the others. An SRQ without waiters keeps no
//   wakes: they end when one begins to wait, since it does only when no slot is on chip.
// Errors: none.
module srq_wait #(
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned SLOTS     = 128,
    localparam int unsigned AW       = $clog2(SLOTS)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [SRQS_LOG2-1:0] srqn_i,  // of add_i
    input  logic                 add_i,
    input  logic [AW-1:0]        slot_i,  // of add_i
    input  logic [SRQS_LOG2-1:0] more_srqn_i,
    input  logic                 more_i,
    input  logic                 all_i,
    output cairn_int_pkg::wake_t wake_o,
    input  logic                 wake_ready_i,
    output logic                 idle_o
);
  localparam int unsigned SW = SRQS_LOG2;
  localparam int unsigned CW = 12;         // more wakes than an SRQ has slots on chip

  // ---- the queue: source 0 are those that begin to wait, source 1 the one that goes to the back ----
  logic          front_valid, take, back_q, back_ready, add_ready_unused, queue_idle;
  logic [AW-1:0] front, back_slot_q;
  pend_queue #(.ID_W(AW), .NSRC(2), .STROBE(1)) u_queue (
      .clk_i, .rst_ni, .kick_valid_i({back_q, add_i}), .kick_ready_o({back_ready, add_ready_unused}),
      .kick_id_i({back_slot_q, slot_i}),
      .out_valid_o(front_valid), .out_ready_i(take), .out_id_o(front), .idle_o(queue_idle));

  ram_1r1w #(.WIDTH(SW), .DEPTH(SLOTS), .BYPASS(1)) u_who (
      .clk_i, .we_i(add_i), .waddr_i(slot_i), .wdata_i(srqn_i), .re_i(take), .raddr_i(front), .rdata_o(look_srqn_q));

  // ---- wakes to give: those that came less those given; each has a writer of its own ----
  logic [CW-1:0] came  [0:(1<<SW)-1];
  logic [CW-1:0] given [0:(1<<SW)-1];
  logic          look_q, has_q, wake, init_q, given_we;
  logic [AW-1:0] look_slot_q;
  logic [SW-1:0] look_srqn_q, init_idx_q, given_idx;
  logic [CW-1:0] now;
  logic [AW:0]   all_q;              // so many in front are woken, whatever they wait for
  assign now       = came[srqn_i];
  assign wake      = look_q && (all_q != '0 || has_q);
  // One that begins to wait ends the wakes of before, not one that comes in that cycle; a wake given in that cycle is
  // given twice at most.
  assign given_we  = init_q || add_i || (wake && all_q == '0);
  assign given_idx = init_q ? init_idx_q : add_i ? srqn_i : look_srqn_q;
  always_ff @(posedge clk_i) begin
    if (init_q || more_i) came[init_q ? init_idx_q : more_srqn_i] <= init_q ? '0 : came[more_srqn_i] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (given_we) given[given_idx] <= init_q ? '0 : add_i ? now : given[look_srqn_q] + 1'b1;
  end

  // ---- the one in front: looked at, then woken or sent to the back ----
  logic          wake_valid_q;
  logic [AW-1:0] wake_slot_q;
  assign take = front_valid && !look_q && !back_q && !wake_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q       <= 1'b0;
      back_q       <= 1'b0;
      wake_valid_q <= 1'b0;
      init_q       <= 1'b1;
      init_idx_q   <= '0;
      all_q        <= '0;
    end else begin
      init_idx_q <= init_idx_q + 1'b1;
      if (init_idx_q == '1) init_q <= 1'b0;
      look_q <= take;
      if (look_q && !wake) back_q <= 1'b1;
      else if (back_ready) back_q <= 1'b0;
      if (wake) wake_valid_q <= 1'b1;
      else if (wake_ready_i) wake_valid_q <= 1'b0;
      if (all_i) all_q <= (AW+1)'(SLOTS);
      else if (queue_idle && !look_q && !back_q) all_q <= '0;
      else if (wake && all_q != '0) all_q <= all_q - 1'b1;
    end
    if (take) look_slot_q <= front;
    if (look_q) back_slot_q <= look_slot_q;
    if (wake) wake_slot_q <= look_slot_q;
  end
  assign has_q        = came[look_srqn_q] != given[look_srqn_q];
  assign wake_o.valid = wake_valid_q;
  assign wake_o.slot  = cairn_int_pkg::SLOT_W'(wake_slot_q);
  assign idle_o       = !wake_valid_q && !init_q;
endmodule
