// SPDX-License-Identifier: Apache-2.0
// Timers of the requester side: one timer_wheel with an ack and a wait (RNR) entry for each QP.
//
// Inserts come from req_issue (ack class) and cmp_packet (either); an entry that is no longer wanted simply fires.
// Fires of both classes go to cmp_kick, which brings them to cmp_packet as events: that one looks at the record,
// retries, arms again, or ends an RNR wait and kicks the scheduler. Deadlines are ns of device time. Errors: none.
module retry_timer #(
    parameter int unsigned QPS_LOG2 = 10
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [63:0]               time_now_i,
    input  cairn_int_pkg::timer_set_t req_i,  // req_issue
    output logic                      req_ready_o,
    input  cairn_int_pkg::timer_set_t cmp_i,  // cmp_packet
    output logic                      cmp_ready_o,
    output cairn_int_pkg::kick_t      fire_o,
    input  logic                      fire_ready_i,
    output cairn_int_pkg::deadline_t  next_o,
    output logic                      idle_o
);
  logic        ready;
  logic [QPS_LOG2-1:0] id, fire_id;
  logic [63:0] deadline;
  assign cmp_ready_o = ready;
  assign req_ready_o = ready && !cmp_i.valid;
  assign id          = cmp_i.valid ? cmp_i.qpn[QPS_LOG2-1:0] : req_i.qpn[QPS_LOG2-1:0];
  assign deadline    = cmp_i.valid ? cmp_i.deadline : req_i.deadline;
  assign fire_o.qpn  = 24'(fire_id);
  timer_wheel #(.ID_W(QPS_LOG2)) u_wheel (
      .clk_i, .rst_ni, .time_now_i, .ins_valid_i(cmp_i.valid || req_i.valid), .ins_ready_o(ready), .ins_id_i(id),
      .ins_class_i(cmp_i.valid && cmp_i.rnr),
      .ins_deadline_i(deadline), .fire_valid_o(fire_o.valid), .next_valid_o(next_o.valid),
      .next_deadline_o(next_o.at), .fire_ready_i, .fire_id_o(fire_id), .fire_class_o(),
      .idle_o);
endmodule
