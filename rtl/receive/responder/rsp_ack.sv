// SPDX-License-Identifier: Apache-2.0
// The ACK port of tx_arbiter: ACKs straight from rsp_commit, and what rsp_tx sends there.
//
// An ACK of rsp_commit is formed in the cycle after the QP's cfg part was asked for, and leaves when what it stands for
// has happened: completion accepted, the record written, the payload taken by dma_write. A QP that has left traffic
// meanwhile says nothing.
// Order: one place. It is given to rsp_commit only when it is empty and rsp_tx is not about to use it (room_o), so what
//   is in it is older than what comes. rsp_commit never waits for the wire: without room it leaves the ACK to rsp_tx.
// Errors: none.
module rsp_ack (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  cairn_int_pkg::ack_direct_t      direct_i,
    input  cairn_hw_pkg::qp_cfg_t           cfg_i,
    input  logic                            wr_busy_i,    // the last payload write waits for dma_write
    output logic                            room_o,       // for an ACK of rsp_commit
    input  cairn_int_pkg::rsp_tx_ack_t      tx_i,
    output cairn_int_pkg::rsp_tx_ack_view_t view_o,
    output logic                            ack_valid_o,
    input  logic                            ack_ready_i,
    output cairn_int_pkg::tx_job_t          ack_o
);
  logic full_q, held_q, over_q, over, put, tx_ready;
  logic [4:0] code;
  cairn_int_pkg::tx_job_t direct;
  rsp_credit u_credit (.count_i(direct_i.count), .srq_i(cfg_i.state_use_srq), .code_o(code));
  rsp_tx_job u_job (
      .cfg_i, .slot_i(direct_i.slot), .epoch_i, .ack_i(1'b1), .atomic_i(1'b0), .value_i('0), .first_i(1'b0),
      .last_i(1'b0), .psn_i(direct_i.psn), .syn_i({3'b000, code}), .msn_i(direct_i.msn), .len_i('0), .job_o(direct));

  assign put         = direct_i.valid && cairn_fn_pkg::qp_takes_requests(cfg_i.state);
  assign room_o      = tx_i.quiet && !full_q;
  assign tx_ready    = !full_q && !direct_i.valid;
  assign view_o      = {tx_ready, full_q};
  assign ack_valid_o = full_q && !held_q;
  assign over        = over_q || direct_i.over;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      held_q <= 1'b0;
      over_q <= 1'b0;
    end else begin
      full_q <= put || (tx_i.valid && tx_ready) || (full_q && !(ack_valid_o && ack_ready_i));
      // The write is in the register of dma_write's port, at the latest when the packet is over, from the next cycle
      // on.
      held_q <= put || (held_q && !(over_q && !wr_busy_i));
      over_q <= direct_i.valid ? direct_i.over : over;
    end
    if (direct_i.valid) ack_o <= direct;
    else if (!full_q) ack_o <= tx_i.job;
  end
endmodule
