// SPDX-License-Identifier: Apache-2.0
// The ACK port of tx_arbiter where a message takes many cycles anyway: as rsp_ack, with room for one ACK.
//
// An ACK of rsp_commit is formed in the cycle after the QP's cfg part was asked for, and leaves when what it stands for
// has happened; rsp_commit has room (room_o) while none is here. What rsp_tx sends itself goes through ring 1
// (rsp_tx_out): here it only waits (tx_i) until it may (view_o.ready), and that is not while an ACK is here. Between
// two of them tx_i.valid is low for a cycle.
// Data: as in rsp_ack, an ACK waits for the large writes that dma_write took before it was over.
// Cycles: an ACK in the cycle after its packet is over; one of rsp_tx a cycle after it is offered. Errors: none.
module rsp_ack_one (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  cairn_int_pkg::ack_direct_t      direct_i,
    input  cairn_hw_pkg::qp_cfg_t           cfg_i,
    input  logic                            wr_busy_i,    // the last payload write waits for dma_write
    input  cairn_int_pkg::dma_posted_t      posted_i,
    output logic                            room_o,       // for an ACK of rsp_commit
    input  cairn_int_pkg::rsp_tx_ack_t      tx_i,         // not its job
    output cairn_int_pkg::rsp_tx_ack_view_t view_o,
    output logic                            ack_valid_o,
    input  logic                            ack_ready_i,
    output cairn_int_pkg::tx_job_t          ack_o
);
  logic [4:0]             code;
  cairn_int_pkg::tx_job_t direct;
  rsp_credit u_credit (.count_i(direct_i.count), .srq_i(cfg_i.state_use_srq), .code_o(code));
  rsp_tx_job u_job (
      .cfg_i, .slot_i(direct_i.slot), .epoch_i, .ack_i(1'b1), .atomic_i(1'b0), .value_i('0), .first_i(1'b0),
      .last_i(1'b0), .psn_i(direct_i.psn), .syn_i({3'b000, code}), .msn_i(direct_i.msn), .len_i('0), .job_o(direct));

  // ---- the ACK that is here, and what it waits for ----
  logic                        put, leaves, here_q, held_q, held_d, over_q, go, go_q;
  cairn_int_pkg::rsp_ack_job_t job_q;
  cairn_int_pkg::tx_job_t      ack;
  assign put         = direct_i.valid && cairn_fn_pkg::qp_takes_requests(cfg_i.state);
  assign room_o      = tx_i.quiet && !here_q;
  assign ack_valid_o = here_q && !held_q && (go_q || !posted_i.late);
  assign leaves      = ack_valid_o && ack_ready_i;
  assign held_d      = held_q && (wr_busy_i || !over_q);
  always_comb begin
    ack        = '0;
    ack.kind   = cairn_int_pkg::TXK_ACK;
    ack.opcode = cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE;
    {ack.qpn, ack.slot, ack.gen, ack.epoch, ack.psn, ack.args.aeth, ack.av} = job_q;
  end
  assign ack_o = ack;

  // ---- the ticket of the newest large write when it was held back no more, or when rsp_tx came ----
  logic [cairn_int_pkg::TICKET_W-1:0] ticket_q, ahead;
  logic                               fresh_q, seen_q;
  assign ahead  = posted_i.sent - ticket_q;
  assign go     = !posted_i.late || (!fresh_q && !ahead[cairn_int_pkg::TICKET_W-1]);
  assign view_o = {seen_q && !here_q && !direct_i.valid && go, here_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_q <= 1'b0;
      held_q <= 1'b0;
      over_q <= 1'b0;
      go_q   <= 1'b0;
      seen_q <= 1'b0;
    end else begin
      here_q <= put || (here_q && !leaves);
      held_q <= put || held_d;
      over_q <= direct_i.over || (over_q && !direct_i.valid);
      go_q   <= here_q && !held_q && !leaves && (go_q || go);
      seen_q <= tx_i.valid && !here_q && !direct_i.valid;
    end
    fresh_q <= (held_q && !held_d) || (tx_i.valid && !here_q && !seen_q);
    if (fresh_q) ticket_q <= posted_i.slow;
    if (put) job_q <= {direct.qpn, direct.slot, direct.gen, direct.epoch, direct.psn, direct.args.aeth, direct.av};
  end
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni) assert (!put || !here_q);   // room_o
`endif
endmodule
