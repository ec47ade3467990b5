// SPDX-License-Identifier: Apache-2.0
// Timers of the requester side: a timer_wheel (of few QPs: timer_scan) with an ack and a wait (RNR) entry for each QP.
//
// Inserts come from req_issue (ack class) and cmp_packet (either); an entry that is no longer wanted simply fires.
// Fires of both classes go to cmp_kick, which brings them to cmp_packet as events: that one looks at the record,
// retries, arms again, or ends an RNR wait and kicks the scheduler. Deadlines are ns of device time.
// Idle: a fire of the ack class goes no further when all that the QP has sent is retired. So timers of idle QPs cost no
//   look-up, and bring no record back that has left the cache. What is sent (req_issue) and retired (cmp_retire) is
//   kept here by QPN, with the generation. It must be the same in two looks, APART cycles apart: req_issue may just
//   commit a packet and have seen something outstanding, so that it arms nothing; it looks two cycles before.
// Forget: generations begin again: nothing counts as retired until it is told anew.
// Cycles: a fire waits for the looks, APART + 3 if nothing is outstanding, else 2. Errors: none.
module retry_timer #(
    parameter int unsigned QPS_LOG2  = 10,
    parameter int unsigned APART     = 8,
    parameter int unsigned SCAN_LOG2 = 8         // up to as many timers are looked through in turn
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      forget_i,
    input  logic [63:0]               time_now_i,
    input  cairn_int_pkg::psn_now_t   sent_i,     // req_issue: HI_PSN
    input  cairn_int_pkg::psn_now_t   retired_i,  // cmp_retire: OLD_PSN
    input  cairn_int_pkg::timer_set_t req_i,  // req_issue
    output logic                      req_ready_o,
    input  cairn_int_pkg::timer_set_t cmp_i,  // cmp_packet
    output logic                      cmp_ready_o,
    output cairn_int_pkg::kick_t      fire_o,
    input  logic                      fire_ready_i,
    output cairn_int_pkg::deadline_t  next_o,
    output logic                      idle_o
);
  typedef enum logic [2:0] {F_IDLE, F_LOOK, F_WAIT, F_PASS, F_DROP} fire_e;
  localparam int unsigned WAIT_W = $clog2(APART + 1);
  fire_e       state_q;
  logic        ready, ins_valid, ins_rnr, fire_valid, fire_rnr, fire_taken, done, init_q;
  logic [WAIT_W-1:0]   wait_q;
  logic [QPS_LOG2-1:0] id, fire_id, init_id_q;
  logic [63:0] deadline;
  assign cmp_ready_o = ready;
  assign req_ready_o = ready && !cmp_i.valid;
  assign id          = cmp_i.valid ? cmp_i.qpn[QPS_LOG2-1:0] : req_i.qpn[QPS_LOG2-1:0];
  assign deadline    = cmp_i.valid ? cmp_i.deadline : req_i.deadline;
  assign fire_o.qpn  = 24'(fire_id);
  assign ins_valid  = cmp_i.valid || req_i.valid;
  assign ins_rnr    = cmp_i.valid && cmp_i.rnr;
  assign fire_taken = state_q == F_DROP || (state_q == F_PASS && fire_ready_i);
  if (QPS_LOG2 < SCAN_LOG2) begin : g_scan
    timer_scan #(.ID_W(QPS_LOG2)) u_timers (
        .clk_i, .rst_ni, .time_now_i, .ins_valid_i(ins_valid), .ins_ready_o(ready), .ins_id_i(id),
        .ins_class_i(ins_rnr), .ins_deadline_i(deadline), .fire_valid_o(fire_valid), .fire_ready_i(fire_taken),
        .fire_id_o(fire_id), .fire_class_o(fire_rnr), .next_valid_o(next_o.valid), .next_deadline_o(next_o.at),
        .idle_o);
  end else begin : g_wheel
    timer_wheel #(.ID_W(QPS_LOG2)) u_timers (
        .clk_i, .rst_ni, .time_now_i, .ins_valid_i(ins_valid), .ins_ready_o(ready), .ins_id_i(id),
        .ins_class_i(ins_rnr), .ins_deadline_i(deadline), .fire_valid_o(fire_valid), .fire_ready_i(fire_taken),
        .fire_id_o(fire_id), .fire_class_o(fire_rnr), .next_valid_o(next_o.valid), .next_deadline_o(next_o.at),
        .idle_o);
  end

  // ---- what is sent and what is retired, one writer each ----
  logic [23:0] sent;
  logic [24:0] retired;          // and whether it is known
  ram_1r1w #(.WIDTH(24), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_sent (
      .clk_i, .we_i(sent_i.valid), .waddr_i(sent_i.qpn[QPS_LOG2-1:0]), .wdata_i({sent_i.gen, sent_i.psn}),
      .re_i(1'b1), .raddr_i(fire_id), .rdata_o(sent));
  ram_1r1w #(.WIDTH(25), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_retired (
      .clk_i, .we_i(init_q || retired_i.valid), .waddr_i(init_q ? init_id_q : retired_i.qpn[QPS_LOG2-1:0]),
      .wdata_i({!init_q, retired_i.gen, retired_i.psn}), .re_i(1'b1), .raddr_i(fire_id), .rdata_o(retired));
  assign done         = !init_q && retired == {1'b1, sent};
  assign fire_o.valid = state_q == F_PASS;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= F_IDLE;
      wait_q  <= '0;
    end else begin
      case (state_q)
        F_IDLE:  if (fire_valid) state_q <= fire_rnr ? F_PASS : F_LOOK;
        F_LOOK:  state_q <= done ? F_WAIT : F_PASS;
        F_WAIT:  if (!done) state_q <= F_PASS;
                 else if (wait_q == WAIT_W'(APART)) state_q <= F_DROP;
        F_PASS:  if (fire_ready_i) state_q <= F_IDLE;
        default: state_q <= F_IDLE;
      endcase
      wait_q <= (state_q == F_WAIT) ? wait_q + 1'b1 : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
    end else if (init_q) begin
      init_q    <= !(&init_id_q);
      init_id_q <= init_id_q + 1'b1;
    end
  end
  logic unused;
  assign unused = ^{sent_i.qpn, retired_i.qpn};
endmodule
