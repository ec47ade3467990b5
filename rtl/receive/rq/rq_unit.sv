// SPDX-License-Identifier: Apache-2.0
// Receive WQEs of the responder: those of QPs and of shared receive queues on chip, and the shared queues themselves.
//
// Wiring of rqe_fetch, srq_state (records of SRQs, slots on chip, limits, waiters) and srq_ring (ring entries of SRQs
// from host memory). Both fetchers read through client RD_RQE. Slots that wait for a receive WQE and slots that wait
// for a slot of an SRQ are woken on one port.
// Cycles: one look of rsp_check, one settlement of rsp_commit and one ring entry of an SRQ take a cycle each.
// Errors: see srq_state.
module rq_unit #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned SLOTS     = 128,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned RUNS      = 32,
    parameter int unsigned ONES      = 64,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    parameter bit          SRQ       = 1'b1,     // 0: there are none
    parameter int unsigned QPN_W     = 24,       // of a QPN, bits that are not always 0
    localparam int unsigned SLOT_W   = cairn_int_pkg::SLOT_W
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          epoch_i,
    input  logic                          forget_i,
    // firmware (context port, table SRQ), doorbells
    input  cairn_int_pkg::ctx_op_t        op_i,
    output cairn_int_pkg::ctx_done_t      op_o,
    input  cairn_int_pkg::srq_doorbell_t  db_i,
    // rsp_check: next slot of an SRQ
    input  cairn_int_pkg::srq_look_t      srq_i,
    output cairn_int_pkg::srq_next_t      srq_o,
    // rsp_walk: a slot that is owed; elements
    input  cairn_int_pkg::srq_late_t      late_i,
    output logic                          late_ready_o,
    output cairn_int_pkg::srq_owed_t      late_o,
    input  cairn_int_pkg::rqe_walk_t      rqe_i,
    output cairn_int_pkg::rqe_found_t     rqe_o,
    input  cairn_int_pkg::rqe_element_t   el_i,
    output logic [127:0]                  el_o,
    // rsp_join
    output cairn_int_pkg::wake_t          wake_o,
    input  logic                          wake_ready_i,
    output logic                          avail_o,
    // rsp_commit: what became of a slot
    input  cairn_int_pkg::srq_set_t       set_i,
    output logic                          set_ready_o,
    // host memory, events
    output cairn_int_pkg::dma_read_t      rd_o,
    input  logic                          rd_ready_i,
    input  cairn_int_pkg::dma_beat_t      beat_i,
    input  logic [DATA_W-1:0]             beat_data_i,
    output cairn_int_pkg::eq_event_t      eqe_o,
    input  logic                          eqe_ready_i,
    output cairn_hw_pkg::rq_unit_events_t events_o,
    output logic                          idle_o    // a cycle late
);
  logic                       srq_idle, rqe_idle, ahead_ready;
  cairn_int_pkg::rqe_ahead_t ahead;
  cairn_int_pkg::wake_t      srq_wake, rqe_wake;
  cairn_int_pkg::rqe_look_t  look;
  logic [1:0]           rds_ready, wakes_ready;
  cairn_int_pkg::dma_read_t ring_rd, rqe_rd;
  cairn_int_pkg::srq_read_t  start;
  cairn_int_pkg::srq_entry_t ent;
  logic start_ready, ent_ready, ring_idle;
  if (SRQ) begin : g_srq
    srq_state #(.SRQS_LOG2(SRQS_LOG2), .WINDOW(WINDOW), .AHEAD(AHEAD), .SLOTS(SLOTS)) u_srq (
        .clk_i, .rst_ni, .op_i, .op_o,
        .db_i, .look_i(srq_i), .next_o(srq_o), .late_i, .late_ready_o, .late_o,
        .wake_o(srq_wake), .wake_ready_i(wakes_ready[1]),
        .ahead_o(ahead), .ahead_ready_i(ahead_ready),
        .set_i, .set_ready_o,
        .start_o(start), .start_ready_i(start_ready), .ent_i(ent), .ent_ready_o(ent_ready),
        .eqe_ready_i, .eqe_o, .events_o(events_o.srq_state), .idle_o(srq_idle));
    srq_ring #(.DATA_W(DATA_W), .SRQS_LOG2(SRQS_LOG2)) u_ring (
        .clk_i, .rst_ni, .epoch_i, .start_i(start), .start_ready_o(start_ready),
        .rd_o(ring_rd), .rd_ready_i(rds_ready[1]), .beat_i, .beat_data_i,
        .ent_o(ent), .ent_ready_i(ent_ready), .idle_o(ring_idle));
  end else begin : g_no_srq
    // Firmware makes no QP that uses one, and is told that there is none.
    logic op_q, unused;
    always_ff @(posedge clk_i) op_q <= rst_ni && op_i.valid && !op_q;
    always_comb begin
      op_o        = '0;
      op_o.done   = op_q;
      op_o.status = cairn_hw_pkg::CTX_RESULT_FREE;
    end
    assign srq_o           = '0;
    assign late_ready_o    = 1'b1;
    assign late_o          = '0;
    assign srq_wake        = '0;
    assign ahead           = '0;
    assign set_ready_o     = 1'b1;
    assign eqe_o           = '0;
    assign events_o.srq_state = '0;
    assign ring_rd         = '0;
    assign srq_idle        = !op_i.valid;
    assign ring_idle       = 1'b1;
    assign {start, start_ready, ent, ent_ready} = '0;
    assign unused          = ^{op_i, db_i, srq_i, late_i, set_i, wakes_ready[1], ahead_ready, rds_ready[1], eqe_ready_i,
                               start, start_ready, ent, ent_ready};
  end

  cairn_int_pkg::rsp_rec_t rec;
  assign rec         = rqe_i.rec;
  assign look.valid  = rqe_i.valid;
  assign look.slot   = rec.id.slot;
  assign look.srq    = rec.srq.valid;
  assign look.qpn    = rec.srq.valid ? {rec.srq.srqn[7:0], rec.srq.slot} : rec.id.qpn;
  assign look.gen    = rec.srq.valid ? 8'h0 : rec.id.gen;
  assign look.index  = rec.rq.index;
  assign look.pi     = rec.rq.pi;
  assign look.base   = rec.rq.base;
  assign look.log2   = rec.rq.log2;
  assign look.stride = rec.rq.stride;
  rqe_fetch #(.DATA_W(DATA_W), .RUNS(RUNS), .ONES(ONES), .SRQ(SRQ), .QPN_W(QPN_W)) u_rqe (
      .clk_i, .rst_ni, .epoch_i, .forget_i,
      .look_i(look), .found_o(rqe_o),
      .ahead_i(ahead), .ahead_ready_o(ahead_ready),
      .el_i, .el_o,
      .wake_o(rqe_wake), .wake_ready_i(wakes_ready[0]), .avail_o,
      .rd_o(rqe_rd), .rd_ready_i(rds_ready[0]), .beat_i, .beat_data_i,
      .events_o(events_o.rqe_fetch), .idle_o(rqe_idle));

  stream_arb #(.WIDTH(cairn_int_pkg::DMA_RD_W), .N(2)) u_rds (
      .clk_i, .rst_ni, .in_valid_i({ring_rd.valid, rqe_rd.valid}), .in_ready_o(rds_ready),
      .in_data_i({ring_rd.req, rqe_rd.req}),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
  logic              wake_valid, wake_ready;
  logic [SLOT_W-1:0] wake_slot;
  stream_arb #(.WIDTH(SLOT_W), .N(2)) u_wakes (
      .clk_i, .rst_ni, .in_valid_i({srq_wake.valid, rqe_wake.valid}), .in_ready_o(wakes_ready),
      .in_data_i({srq_wake.slot, rqe_wake.slot}),
      .out_valid_o(wake_valid), .out_ready_i(wake_ready), .out_data_o(wake_slot));
  if (DATA_W >= 512) begin : g_wake
    stream_half #(.WIDTH(SLOT_W)) u_wake (
        .clk_i, .rst_ni, .in_valid_i(wake_valid), .in_ready_o(wake_ready), .in_data_i(wake_slot),
        .out_valid_o(wake_o.valid), .out_ready_i(wake_ready_i), .out_data_o(wake_o.slot));
  end else begin : g_wake_now
    assign {wake_o.valid, wake_o.slot} = {wake_valid, wake_slot};
    assign wake_ready                  = wake_ready_i;
  end
  always_ff @(posedge clk_i) idle_o <= rst_ni && srq_idle && ring_idle && rqe_idle;
  logic unused;
  assign unused = ^rec;
endmodule
