// SPDX-License-Identifier: Apache-2.0
// Receive WQEs of the responder: those of QPs and of shared receive queues on chip (rqe_fetch), and the shared queues
// themselves (srq_unit). Wiring; the ports are described there. Both read through client RD_RQE; those who wait for a
// receive WQE and those who wait for a slot of an SRQ are woken on one port. Errors: see srq_state.
module rq_unit #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned SLOTS     = 128,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned RUNS      = 32,
    parameter int unsigned ONES      = 64,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    localparam int unsigned AW       = $clog2(SLOTS),
    localparam int unsigned EAW      = $clog2(64 * RUNS + 16 * ONES),
    localparam int unsigned SLOT_W   = cairn_int_pkg::SLOT_W
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                epoch_i,
    input  logic                                forget_i,
    // firmware (context port, table SRQ), doorbells
    input  cairn_int_pkg::ctx_op_t              op_i,
    output cairn_int_pkg::ctx_done_t            op_o,
    input  logic                                db_valid_i,
    input  logic [SRQS_LOG2-1:0]                db_srqn_i,
    input  logic [15:0]                         db_pi_i,
    // rsp_check: next slot of an SRQ
    input  logic                                srq_lk_i,
    input  logic [15:0]                         srq_srqn_i,
    output logic                                srq_ok_o,
    output logic                                srq_none_o,
    output logic                                srq_here_o,
    output logic [15:0]                         srq_slot_o,
    output logic [15:0]                         srq_seq_o,
    output logic [63:0]                         srq_slots_o,
    output logic [3:0]                          srq_log2_o,
    output logic [4:0]                          srq_stride_o,
    input  logic                                srq_take_i,
    // rsp_walk: a slot that is owed; elements
    input  logic                                late_valid_i,
    output logic                                late_ready_o,
    input  logic [15:0]                         late_srqn_i,
    input  logic [AW-1:0]                       late_slot_i,
    output logic                                lter_got_o,
    output logic                                lter_bad_o,
    input  logic                                lk_valid_i,
    input  logic [cairn_int_pkg::RSP_REC_W-1:0] lk_rec_i,
    output logic                                lkr_hit_o,
    output logic                                lkr_err_o,
    output logic                                lkr_wait_o,
    output logic [EAW-1:0]                      lkr_base_o,
    input  logic                                el_busy_i,
    input  logic [EAW-1:0]                      el_addr_i,
    output logic [127:0]                        el_data_o,
    // rsp_join
    output logic                                wake_valid_o,
    input  logic                                wake_ready_i,
    output logic [SLOT_W-1:0]                   wake_slot_o,
    output logic                                avail_o,
    // rsp_commit: what became of a slot
    input  logic                                set_valid_i,
    output logic                                set_ready_o,
    input  logic [15:0]                         set_srqn_i,
    input  logic                                set_back_i,
    input  logic [15:0]                         set_slot_i,
    // host memory, events
    output cairn_int_pkg::dma_read_t            rd_o,
    input  logic                                rd_ready_i,
    input  cairn_int_pkg::dma_beat_t            beat_i,
    input  logic [DATA_W-1:0]                   beat_data_i,
    output logic                                eqe_valid_o,
    input  logic                                eqe_ready_i,
    output logic [cairn_int_pkg::EQE_REQ_W-1:0] eqe_o,
    output logic                                cnt_srq_err_o,
    output logic                                cnt_srq_wait_o,
    output logic                                cnt_rqe_fetch_o,
    output logic                                idle_o
);
  logic                 pf_valid, pf_ready, srq_idle, rqe_idle;
  logic [SRQS_LOG2-1:0] pf_srqn;
  logic [15:0]          pf_slot, pf_seq;
  logic [63:0]          pf_base;
  logic [4:0]           pf_stride;
  logic [1:0]           rds_ready, wakes_valid, wakes_ready;
  cairn_int_pkg::dma_read_t ring_rd, rqe_rd;
  logic [2*SLOT_W-1:0]  wakes;
  logic [AW-1:0]        srq_wake;
  srq_unit #(.DATA_W(DATA_W), .SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD), .SLOTS(SLOTS)) u_srq (
      .clk_i, .rst_ni, .epoch_i, .op_i, .op_o,
      .db_valid_i, .db_srqn_i, .db_pi_i,
      .lk_valid_i(srq_lk_i), .lk_srqn_i(srq_srqn_i), .lkr_ok_o(srq_ok_o), .lkr_none_o(srq_none_o),
      .lkr_here_o(srq_here_o), .lkr_slot_o(srq_slot_o), .lkr_seq_o(srq_seq_o), .lkr_slots_o(srq_slots_o),
      .lkr_log2_o(srq_log2_o), .lkr_stride_o(srq_stride_o), .take_i(srq_take_i),
      .late_valid_i, .late_ready_o, .late_srqn_i, .late_slot_i, .lter_got_o, .lter_bad_o,
      .wake_valid_o(wakes_valid[1]), .wake_ready_i(wakes_ready[1]), .wake_slot_o(srq_wake),
      .set_valid_i, .set_ready_o, .set_srqn_i, .set_back_i, .set_slot_i,
      .pf_valid_o(pf_valid), .pf_ready_i(pf_ready), .pf_srqn_o(pf_srqn), .pf_slot_o(pf_slot), .pf_seq_o(pf_seq),
      .pf_base_o(pf_base), .pf_stride_o(pf_stride),
      .rd_o(ring_rd), .rd_ready_i(rds_ready[1]), .beat_i, .beat_data_i,
      .eqe_valid_o, .eqe_ready_i, .eqe_o,
      .cnt_err_o(cnt_srq_err_o),
      .cnt_wait_o(cnt_srq_wait_o), .idle_o(srq_idle));

  cairn_int_pkg::rsp_rec_t lk;
  logic [23:0]             lk_qpn;
  assign lk     = lk_rec_i;
  assign lk_qpn = lk.srq ? {lk.srqn[7:0], lk.rq_slot} : lk.qpn;
  rqe_fetch #(.DATA_W(DATA_W), .RUNS(RUNS), .ONES(ONES)) u_rqe (
      .clk_i, .rst_ni, .epoch_i, .forget_i,
      .lk_valid_i, .lk_slot_i(lk.slot), .lk_srq_i(lk.srq), .lk_entry_i(lk.rq_slot), .lk_qpn_i(lk_qpn),
      .lk_gen_i(lk.srq ? 8'h0 : lk.gen), .lk_index_i(lk.rq_index), .lk_pi_i(lk.rq_pi),
      .lk_base_i(lk.rq_base), .lk_log2_i(lk.rq_log2), .lk_stride_i(lk.rq_stride),
      .lkr_hit_o, .lkr_err_o, .lkr_wait_o, .lkr_base_o,
      .pf_valid_i(pf_valid), .pf_ready_o(pf_ready), .pf_qpn_i({8'(pf_srqn), pf_slot}), .pf_slot_i(pf_slot),
      .pf_index_i(pf_seq), .pf_base_i(pf_base), .pf_stride_i(pf_stride),
      .el_busy_i, .el_addr_i, .el_data_o,
      .wake_valid_o(wakes_valid[0]), .wake_ready_i(wakes_ready[0]), .wake_slot_o(wakes[0 +: SLOT_W]), .avail_o,
      .rd_o(rqe_rd), .rd_ready_i(rds_ready[0]), .beat_i, .beat_data_i,
      .cnt_rqe_fetch_o, .idle_o(rqe_idle));

  stream_arb #(.WIDTH(cairn_int_pkg::DMA_RD_W), .N(2)) u_rds (
      .clk_i, .rst_ni, .in_valid_i({ring_rd.valid, rqe_rd.valid}), .in_ready_o(rds_ready),
      .in_data_i({ring_rd.req, rqe_rd.req}), .in_last_i(2'b11),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req),
      .out_last_o(), .out_src_o());
  assign wakes[SLOT_W +: SLOT_W] = SLOT_W'(srq_wake);
  stream_arb #(.WIDTH(SLOT_W), .N(2)) u_wakes (
      .clk_i, .rst_ni, .in_valid_i(wakes_valid), .in_ready_o(wakes_ready), .in_data_i(wakes), .in_last_i(2'b11),
      .out_valid_o(wake_valid_o), .out_ready_i(wake_ready_i), .out_data_o(wake_slot_o),
      .out_last_o(), .out_src_o());
  assign idle_o = srq_idle && rqe_idle;
  logic unused;
  assign unused = ^lk;
endmodule
