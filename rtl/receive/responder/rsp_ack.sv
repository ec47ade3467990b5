// SPDX-License-Identifier: Apache-2.0
// The ACK port of tx_arbiter: ACKs straight from rsp_commit, and what rsp_tx sends there.
//
// An ACK of rsp_commit is formed in the cycle after the QP's cfg part was asked for, and leaves when what it stands for
// has happened: completion accepted, the record written, the payload taken by dma_write. A QP that has left traffic
// meanwhile says nothing.
// Order: one place where an ACK is held back, then DEPTH for those that wait for the wire, as when each message of many
//   QPs has its own. The first is given to rsp_commit only when it is empty and rsp_tx is not about to use it (room_o),
//   so what is in it is older than what comes. rsp_commit never waits for the wire: without room it leaves the ACK to
//   rsp_tx. An ACK that nothing holds passes the others' places at once if they are empty.
// Data: what an ACK stands for has left for the link when it goes out. Programs take a completed WRITE for data that
//   the CPU over there sees, whatever way they tell it of it; a large write takes longer from dma_write's queue to the
//   link than a short ACK to the peer. So an ACK behind such a write (posted_i.late) waits among the others for its
//   ticket. Those of rsp_tx, too.
// Errors: none.
module rsp_ack #(
    parameter int unsigned DEPTH = 4
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  cairn_int_pkg::ack_direct_t      direct_i,
    input  cairn_hw_pkg::qp_cfg_t           cfg_i,
    input  logic                            wr_busy_i,    // the last payload write waits for dma_write
    input  cairn_int_pkg::dma_posted_t      posted_i,
    output logic                            room_o,       // for an ACK of rsp_commit
    input  cairn_int_pkg::rsp_tx_ack_t      tx_i,
    output cairn_int_pkg::rsp_tx_ack_view_t view_o,
    output logic                            ack_valid_o,
    input  logic                            ack_ready_i,
    output cairn_int_pkg::tx_job_t          ack_o
);
  logic full_q, held_q, over_q, over, put, tx_ready, free, pass, wait_ready, wait_valid, go, go_q, leaves;
  logic [4:0] code;
  cairn_int_pkg::tx_job_t direct, place_q, waits;
  rsp_credit u_credit (.count_i(direct_i.count), .srq_i(cfg_i.state_use_srq), .code_o(code));
  rsp_tx_job u_job (
      .cfg_i, .slot_i(direct_i.slot), .epoch_i, .ack_i(1'b1), .atomic_i(1'b0), .value_i('0), .first_i(1'b0),
      .last_i(1'b0), .psn_i(direct_i.psn), .syn_i({3'b000, code}), .msn_i(direct_i.msn), .len_i('0), .job_o(direct));

  assign put         = direct_i.valid && cairn_fn_pkg::qp_takes_requests(cfg_i.state);
  assign room_o      = tx_i.quiet && !full_q;
  assign tx_ready    = !full_q && !direct_i.valid;
  assign view_o      = {tx_ready, full_q || wait_valid};
  assign free        = full_q && !held_q;
  assign pass        = free && !wait_valid && !posted_i.late && ack_ready_i;
  assign ack_valid_o = wait_valid ? go_q || !posted_i.late : free && !posted_i.late;
  assign leaves      = wait_valid && ack_valid_o && ack_ready_i;
  assign ack_o       = wait_valid ? waits : place_q;
  logic [cairn_int_pkg::TICKET_W-1:0] ticket, ahead;
  sync_fifo #(.WIDTH(cairn_int_pkg::TICKET_W + cairn_int_pkg::TX_JOB_W), .DEPTH(DEPTH)) u_wait (
      .clk_i, .rst_ni, .in_valid_i(free && !pass), .in_ready_o(wait_ready), .in_data_i({posted_i.slow, place_q}),
      .out_valid_o(wait_valid), .out_ready_i(leaves), .out_data_o({ticket, waits}));
  // An old ticket looks like a new one after half their numbers; nothing late lets it go all the same.
  assign ahead = posted_i.sent - ticket;
  assign go    = !posted_i.late || !ahead[cairn_int_pkg::TICKET_W-1];
  assign over        = over_q || direct_i.over;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      held_q <= 1'b0;
      over_q <= 1'b0;
      go_q   <= 1'b0;
    end else begin
      go_q   <= wait_valid && !leaves && (go_q || go);
      full_q <= put || (tx_i.valid && tx_ready) || (full_q && !(pass || (free && wait_ready)));
      // The write is in the register of dma_write's port, at the latest when the packet is over, from the next cycle
      // on.
      held_q <= put || (held_q && !(over_q && !wr_busy_i));
      over_q <= direct_i.valid ? direct_i.over : over;
    end
    if (direct_i.valid) place_q <= direct;
    else if (!full_q) place_q <= tx_i.job;
  end
endmodule
