// SPDX-License-Identifier: Apache-2.0
// Timers of the requester side: one timer_wheel with an ack and a wait (RNR) entry for each QP.
//
// Inserts come from req_issue (ack class) and cmp_packet (either); an entry that is no longer wanted simply fires.
// Fires of both classes go to cmp_kick, which brings them to cmp_packet as events: that one looks at the record,
// retries, arms again, or ends an RNR wait and kicks the scheduler. Deadlines are ns of device time. Errors: none.
module retry_timer #(
    parameter int unsigned QPS_LOG2 = 10
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [63:0] time_now_i,
    input  logic        req_valid_i,       // req_issue
    output logic        req_ready_o,
    input  logic [23:0] req_qpn_i,
    input  logic [63:0] req_deadline_i,
    input  logic        cmp_valid_i,       // cmp_packet
    output logic        cmp_ready_o,
    input  logic [88:0] cmp_i,             // {class, QPN, deadline}
    output logic        fire_valid_o,
    input  logic        fire_ready_i,
    output logic [23:0] fire_qpn_o,
    output logic        next_valid_o,
    output logic [63:0] next_deadline_o,
    output logic        idle_o
);
  logic        ready;
  logic [QPS_LOG2-1:0] id, fire_id;
  logic [63:0] deadline;
  assign cmp_ready_o = ready;
  assign req_ready_o = ready && !cmp_valid_i;
  assign id          = cmp_valid_i ? cmp_i[64 +: QPS_LOG2] : req_qpn_i[QPS_LOG2-1:0];
  assign deadline    = cmp_valid_i ? cmp_i[63:0] : req_deadline_i;
  assign fire_qpn_o  = 24'(fire_id);
  timer_wheel #(.ID_W(QPS_LOG2)) u_wheel (
      .clk_i, .rst_ni, .time_now_i, .ins_valid_i(cmp_valid_i || req_valid_i), .ins_ready_o(ready), .ins_id_i(id),
      .ins_class_i(cmp_valid_i && cmp_i[88]),
      .ins_deadline_i(deadline), .fire_valid_o, .fire_ready_i, .fire_id_o(fire_id), .fire_class_o(),
      .next_valid_o, .next_deadline_o, .idle_o);
endmodule
