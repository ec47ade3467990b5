// SPDX-License-Identifier: Apache-2.0
// Shared receive queues: srq_state (records, slots on chip, limits, who waits) with srq_ring (ring entries from
// host memory). Wiring; the ports are described there. One look of rsp_check, one settlement of rsp_commit and one ring
// entry each take a cycle. Errors: SRQ_ERR events.
module srq_unit #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    parameter int unsigned SLOTS     = 128,
    localparam int unsigned AW       = $clog2(SLOTS)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                epoch_i,
    input  cairn_int_pkg::ctx_op_t              op_i,
    output cairn_int_pkg::ctx_done_t            op_o,
    input  logic                                db_valid_i,
    input  logic [SRQS_LOG2-1:0]                db_srqn_i,
    input  logic [15:0]                         db_pi_i,
    input  logic                                lk_valid_i,
    input  logic [15:0]                         lk_srqn_i,
    output logic                                lkr_ok_o,
    output logic                                lkr_none_o,
    output logic                                lkr_here_o,
    output logic [15:0]                         lkr_slot_o,
    output logic [15:0]                         lkr_seq_o,
    output logic [63:0]                         lkr_slots_o,
    output logic [3:0]                          lkr_log2_o,
    output logic [4:0]                          lkr_stride_o,
    input  logic                                take_i,
    input  logic                                late_valid_i,
    output logic                                late_ready_o,
    input  logic [15:0]                         late_srqn_i,
    input  logic [AW-1:0]                       late_slot_i,
    output logic                                lter_got_o,
    output logic                                lter_bad_o,
    output logic                                wake_valid_o,
    input  logic                                wake_ready_i,
    output logic [AW-1:0]                       wake_slot_o,
    input  logic                                set_valid_i,
    output logic                                set_ready_o,
    input  logic [15:0]                         set_srqn_i,
    input  logic                                set_back_i,
    input  logic [15:0]                         set_slot_i,
    output cairn_int_pkg::dma_read_t            rd_o,
    input  logic                                rd_ready_i,
    input  cairn_int_pkg::dma_beat_t            beat_i,
    input  logic [DATA_W-1:0]                   beat_data_i,
    output logic                                pf_valid_o,
    input  logic                                pf_ready_i,
    output logic [SRQS_LOG2-1:0]                pf_srqn_o,
    output logic [15:0]                         pf_slot_o,
    output logic [15:0]                         pf_seq_o,
    output logic [63:0]                         pf_base_o,
    output logic [4:0]                          pf_stride_o,
    output logic                                eqe_valid_o,
    input  logic                                eqe_ready_i,
    output logic [cairn_int_pkg::EQE_REQ_W-1:0] eqe_o,
    output logic                                cnt_err_o,
    output logic                                cnt_wait_o,
    output logic                                idle_o
);
  logic                 start_valid, start_ready, ent_valid, ent_ready, ent_err, state_idle, ring_idle;
  logic [SRQS_LOG2-1:0] start_srqn, ent_srqn;
  logic [63:0]          start_iova;
  logic [4:0]           start_n;
  logic [31:0]          ent_slot;
  srq_state #(.SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD), .SLOTS(SLOTS)) u_state (
      .clk_i, .rst_ni, .op_i, .op_o,
      .db_valid_i, .db_srqn_i, .db_pi_i,
      .lk_valid_i, .lk_srqn_i, .lkr_ok_o, .lkr_none_o, .lkr_here_o, .lkr_slot_o, .lkr_seq_o, .lkr_slots_o, .lkr_log2_o,
      .lkr_stride_o, .take_i, .late_valid_i, .late_ready_o, .late_srqn_i, .late_slot_i, .lter_got_o, .lter_bad_o,
      .wake_valid_o, .wake_ready_i, .wake_slot_o,
      .pf_valid_o, .pf_ready_i, .pf_srqn_o, .pf_slot_o, .pf_seq_o, .pf_base_o, .pf_stride_o,
      .set_valid_i, .set_ready_o, .set_srqn_i, .set_back_i, .set_slot_i,
      .start_valid_o(start_valid), .start_ready_i(start_ready), .start_srqn_o(start_srqn), .start_iova_o(start_iova),
      .start_n_o(start_n), .ent_valid_i(ent_valid), .ent_ready_o(ent_ready), .ent_srqn_i(ent_srqn),
      .ent_slot_i(ent_slot), .ent_err_i(ent_err),
      .eqe_valid_o, .eqe_ready_i, .eqe_o, .cnt_err_o, .cnt_wait_o, .idle_o(state_idle));
  srq_ring #(.DATA_W(DATA_W), .SRQS_LOG2(SRQS_LOG2)) u_ring (
      .clk_i, .rst_ni, .epoch_i, .start_valid_i(start_valid), .start_ready_o(start_ready), .start_srqn_i(start_srqn),
      .start_iova_i(start_iova), .start_n_i(start_n), .rd_o, .rd_ready_i,
      .beat_i, .beat_data_i,
      .ent_valid_o(ent_valid), .ent_ready_i(ent_ready), .ent_srqn_o(ent_srqn), .ent_slot_o(ent_slot),
      .ent_err_o(ent_err), .idle_o(ring_idle));
  assign idle_o = state_idle && ring_idle;
endmodule
