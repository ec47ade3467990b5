// SPDX-License-Identifier: Apache-2.0
// The ACK port of tx_arbiter: ACKs straight from rsp_commit, and what rsp_tx sends there.
//
// An ACK of rsp_commit is formed in the cycle after the QP's cfg part was asked for, and leaves when what it stands for
// has happened: completion accepted, the record written, the payload taken by dma_write. A QP that has left traffic
// meanwhile says nothing.
// Order: one queue, for those that are held back and for those that wait for the wire. Packets are over, and their
// writes taken, one after another, so of those held the oldest goes first. rsp_commit has room (room_o) while two
// places are free and rsp_tx is not about to use one, so what is in the queue is older than what comes. rsp_commit
// never waits for the wire: without room it leaves the ACK to rsp_tx, which sends what the QP's packets have come to by
// then. An ACK of rsp_tx comes when none is held.
// Data: what an ACK stands for has left for the link when it goes out. Programs take a completed WRITE for data that
//   the CPU over there sees, whatever way they tell it of it; a large write takes longer from dma_write's queue to the
//   link than a short ACK to the peer. So an ACK behind such a write (posted_i.late) waits for its ticket, that of when
//   it was held back no more. Those of rsp_tx, too.
// Cycles: an ACK every second cycle, as fast as rsp_commit is. Errors: none.
module rsp_ack #(
    parameter int unsigned DEPTH = 8     // power of two
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
  localparam int unsigned LVL_W = $clog2(DEPTH + 1);
  logic             over_q, put, tx_ready, here, in_ready, leaves, go, go_q;
  logic [LVL_W-1:0] level, held_q, held_d;        // in the queue; the youngest of them, that are held back
  logic [4:0] code;
  cairn_int_pkg::tx_job_t direct, job;
  cairn_int_pkg::rsp_ack_job_t put_job, out_job;
  rsp_credit u_credit (.count_i(direct_i.count), .srq_i(cfg_i.state_use_srq), .code_o(code));
  rsp_tx_job u_job (
      .cfg_i, .slot_i(direct_i.slot), .epoch_i, .ack_i(1'b1), .atomic_i(1'b0), .value_i('0), .first_i(1'b0),
      .last_i(1'b0), .psn_i(direct_i.psn), .syn_i({3'b000, code}), .msn_i(direct_i.msn), .len_i('0), .job_o(direct));

  assign put         = direct_i.valid && cairn_fn_pkg::qp_takes_requests(cfg_i.state);
  assign room_o      = tx_i.quiet && level <= LVL_W'(DEPTH - 2);
  assign tx_ready    = in_ready && held_q == '0 && !direct_i.valid;
  assign view_o      = {tx_ready, here};
  assign ack_valid_o = here && level != held_q && (go_q || !posted_i.late);
  assign leaves      = ack_valid_o && ack_ready_i;
  assign job         = direct_i.valid ? direct : tx_i.job;
  assign put_job     = {job.qpn, job.slot, job.gen, job.epoch, job.psn, job.args.aeth, job.av};
  sync_fifo_level #(.WIDTH(cairn_int_pkg::RSP_ACK_JOB_W), .DEPTH(DEPTH)) u_queue (
      .clk_i, .rst_ni, .in_valid_i(put || (tx_i.valid && tx_ready)), .in_ready_o(in_ready),
      .in_data_i(put_job), .out_valid_o(here), .out_ready_i(leaves),
      .out_data_o(out_job), .level_o(level));
  cairn_int_pkg::tx_job_t ack;
  always_comb begin
    ack           = '0;
    ack.kind      = cairn_int_pkg::TXK_ACK;
    ack.opcode    = cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE;
    {ack.qpn, ack.slot, ack.gen, ack.epoch, ack.psn, ack.args.aeth, ack.av} = out_job;
  end
  assign ack_o = ack;
  // The last write of a packet that is over is in the register of dma_write's port, from the next cycle on. When that
  // is taken, only the packet in hand holds its ACK.
  always_comb begin
    held_d = held_q;
    if (!wr_busy_i) held_d = LVL_W'(held_q != '0 && !over_q);
  end

  // Tickets by place, each of the cycle after its ACK is held back no more: its payload counts by then. An old ticket
  // looks like a new one after half their numbers; nothing late lets it go all the same.
  localparam int unsigned PW = $clog2(DEPTH);
  logic [cairn_int_pkg::TICKET_W-1:0] ticket_q [0:DEPTH-1];
  logic [cairn_int_pkg::TICKET_W-1:0] ahead;
  logic [PW-1:0]    free_q, out_q;      // places: the next one to be let go, and to leave
  logic [LVL_W-1:0] freed;
  logic [DEPTH-1:0] fresh_q;            // let go in the cycle before
  assign freed = held_q - held_d + LVL_W'(tx_i.valid && tx_ready);
  assign ahead = posted_i.sent - ticket_q[out_q];
  assign go    = !posted_i.late || (!fresh_q[out_q] && !ahead[cairn_int_pkg::TICKET_W-1]);
  for (genvar g = 0; g < DEPTH; g++) begin : g_place
    logic [PW-1:0] from;                // the first to be let go
    assign from = PW'(g) - free_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fresh_q[g] <= 1'b0;
      else fresh_q[g] <= LVL_W'(from) < freed;
      if (fresh_q[g]) ticket_q[g] <= posted_i.slow;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= '0;
      over_q <= 1'b0;
      free_q <= '0;
      out_q  <= '0;
      go_q   <= 1'b0;
    end else begin
      free_q <= free_q + PW'(freed);
      out_q  <= out_q + PW'(leaves);
      go_q   <= here && level != held_q && !leaves && (go_q || go);
      held_q <= held_d + LVL_W'(put);
      over_q <= direct_i.over || (over_q && !direct_i.valid);
    end
  end
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni) assert (!put || in_ready);   // room_o
`endif
endmodule
