// SPDX-License-Identifier: Apache-2.0
// Hands rsp_tx's jobs on: responses with their segments to ring 1, ACKs and NAKs to the ACK port (rsp_ack).
//
// Order: ACKs and NAKs go through ring 1 while responses of their QP may still be in there. That is so unless as many
//   jobs have left ring 1 as had been put into it with the QP's last one: seq_i is the QP's memory of it, seq_o the new
//   value. Counters wrap; a doubt means ring 1.
// RING = 1: all of them do, when rsp_ack_one lets them (view.ready).
// job_i, ack_i: offer a response, an ACK. seg_i: offer the segment (second_i: of the second page). ok_o, seg_ok_o:
// taken.
module rsp_tx_out #(
    parameter bit RING = 1'b0
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    input  logic [511:0]                       cfg_i,
    input  logic [cairn_int_pkg::SLOT_W-1:0]   slot_i,
    input  logic                               job_i,
    input  logic                               ack_i,
    input  logic                               atomic_i,
    input  logic [63:0]                        value_i,
    input  logic                               first_i,
    input  logic                               last_i,
    input  logic [23:0]                        psn_i,
    input  logic [7:0]                         syn_i,
    input  logic [23:0]                        msn_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]    len_i,
    output logic                               ok_o,
    input  logic [15:0]                        seq_i,
    output logic                               push_o,
    output logic [15:0]                        seq_o,
    output logic [15:0]                        seq_now_o,  // everything pushed so far
    output logic                               empty_o,    // ... has left ring 1
    output logic                               ack_valid_o,
    input  cairn_int_pkg::rsp_tx_ack_view_t    ack_view_i,
    output cairn_int_pkg::tx_job_t             ack_o,
    input  logic                               seg_i,
    input  logic                               second_i,
    input  cairn_int_pkg::mr_place_t           place_i,
    output logic                               seg_ok_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    input  cairn_int_pkg::tx_responses_ready_t responses_ready_i,
    input  logic                               responses_left_i,
    output cairn_int_pkg::tx_responses_t       responses_o // without ACKs
);
  localparam int unsigned JOB_W = cairn_int_pkg::TX_JOB_W;
  localparam int unsigned SEG_W = cairn_int_pkg::TX_SEG_W;
  logic [15:0] pushed_q, left_q, behind;
  logic to_ring, may, push_job, push_ack, job_in_ready;
  logic [JOB_W-1:0] job;
  logic [SEG_W-1:0] seg_vec;

  rsp_tx_job u_job (
      .cfg_i, .slot_i, .epoch_i, .ack_i, .atomic_i, .value_i, .first_i, .last_i, .psn_i, .syn_i, .msn_i, .len_i,
      .job_o(job));

  assign behind    = left_q - seq_i;
  assign to_ring   = RING || behind[15];
  assign may       = !ack_view_i.busy && (!RING || job_i || ack_view_i.ready);
  assign push_job  = (job_i || (ack_i && to_ring)) && may;
  assign push_ack  = ack_i && (RING || !to_ring);
  assign ok_o      = (job_i || to_ring) ? job_in_ready && may : ack_view_i.ready;
  assign push_o    = push_job && job_in_ready;
  assign seq_o     = pushed_q + 16'h1;
  assign seq_now_o = pushed_q;
  assign ack_valid_o = push_ack;
  assign ack_o       = job;
  assign empty_o     = left_q == pushed_q;
  assign responses_o.ack_valid = 1'b0;
  assign responses_o.ack       = '0;

  cairn_int_pkg::tx_seg_t seg, seg_out;
  always_comb begin
    seg            = '0;
    seg.func       = place_i.func;
    seg.iova       = second_i ? place_i.iova1 : place_i.iova0;
    seg.len        = second_i ? place_i.len1 : place_i.len0;
    seg.nb_valid   = 1'b1;
    seg.eoj        = second_i || place_i.len1 == '0;
  end
  if (RING) begin : g_half
    stream_half #(.WIDTH(JOB_W)) u_job_out (
        .clk_i, .rst_ni, .in_valid_i(push_job), .in_ready_o(job_in_ready), .in_data_i(job),
        .out_valid_o(responses_o.job_valid), .out_ready_i(responses_ready_i.job), .out_data_o(responses_o.job));
    stream_half #(.WIDTH(SEG_W)) u_seg_out (
        .clk_i, .rst_ni, .in_valid_i(seg_i), .in_ready_o(seg_ok_o), .in_data_i(seg),
        .out_valid_o(responses_o.seg_valid), .out_ready_i(responses_ready_i.seg), .out_data_o(seg_vec));
  end else begin : g_full
    stream_reg #(.WIDTH(JOB_W)) u_job_out (
        .clk_i, .rst_ni, .in_valid_i(push_job), .in_ready_o(job_in_ready), .in_data_i(job),
        .out_valid_o(responses_o.job_valid), .out_ready_i(responses_ready_i.job), .out_data_o(responses_o.job));
    stream_reg #(.WIDTH(SEG_W)) u_seg_out (
        .clk_i, .rst_ni, .in_valid_i(seg_i), .in_ready_o(seg_ok_o), .in_data_i(seg),
        .out_valid_o(responses_o.seg_valid), .out_ready_i(responses_ready_i.seg), .out_data_o(seg_vec));
  end
  // Behind the newest write of the moment in which it is taken: newer than the resource's, and than that of the moment
  // in which it came here, which are too old to compare when the wire has stood still meanwhile.
  always_comb begin
    seg_out            = seg_vec;
    seg_out.not_before = last_ticket_i;
  end
  assign responses_o.seg = seg_out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pushed_q <= '0;
      left_q   <= '0;
    end else begin
      left_q <= left_q + 16'(responses_left_i);
      if (push_o) pushed_q <= pushed_q + 16'h1;
    end
  end
endmodule
