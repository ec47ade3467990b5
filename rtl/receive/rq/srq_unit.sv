// SPDX-License-Identifier: Apache-2.0
// Shared receive queues: srq_state (records, slots on chip, limits, waiters) with srq_ring (ring entries from host
// memory).
//
// Wiring. One look of rsp_check, one settlement of rsp_commit and one ring entry each take a cycle. Errors: SRQ_ERR
// events.
module srq_unit #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    parameter int unsigned SLOTS     = 128
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  cairn_int_pkg::ctx_op_t          op_i,
    output cairn_int_pkg::ctx_done_t        op_o,
    input  cairn_int_pkg::srq_doorbell_t    db_i,
    input  cairn_int_pkg::srq_look_t        look_i,
    output cairn_int_pkg::srq_next_t        next_o,
    input  cairn_int_pkg::srq_late_t        late_i,
    output logic                            late_ready_o,
    output cairn_int_pkg::srq_owed_t        late_o,
    output cairn_int_pkg::wake_t            wake_o,
    input  logic                            wake_ready_i,
    input  cairn_int_pkg::srq_set_t         set_i,
    output logic                            set_ready_o,
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_int_pkg::rqe_ahead_t       ahead_o,
    input  logic                            ahead_ready_i,
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_hw_pkg::srq_state_events_t events_o,
    output logic                            idle_o
);
  cairn_int_pkg::srq_read_t  start;
  cairn_int_pkg::srq_entry_t ent;
  logic                 start_ready, ent_ready, state_idle, ring_idle;
  srq_state #(.SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD), .SLOTS(SLOTS)) u_state (
      .clk_i, .rst_ni, .op_i, .op_o,
      .db_i, .look_i, .next_o, .late_i, .late_ready_o, .late_o, .wake_o, .wake_ready_i, .ahead_o, .ahead_ready_i,
      .set_i, .set_ready_o,
      .start_o(start), .start_ready_i(start_ready), .ent_i(ent), .ent_ready_o(ent_ready),
      .eqe_ready_i, .eqe_o, .events_o, .idle_o(state_idle));
  srq_ring #(.DATA_W(DATA_W), .SRQS_LOG2(SRQS_LOG2)) u_ring (
      .clk_i, .rst_ni, .epoch_i, .start_i(start), .start_ready_o(start_ready),
      .rd_o, .rd_ready_i,
      .beat_i, .beat_data_i,
      .ent_o(ent), .ent_ready_i(ent_ready),
      .idle_o(ring_idle));
  assign idle_o = state_idle && ring_idle;
endmodule
