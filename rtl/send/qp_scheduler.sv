// SPDX-License-Identifier: Apache-2.0
// Which QP sends next (docs/rtl/scheduler.md).
//
// Kicks (doorbell, acknowledgement, fill, timer ...) queue a QP, each at most once. The requester takes the oldest;
// until it gives the QP back, the QP is not handed out again. A kick in between, or a give-back that wants more, queues
// it afresh.
// Owns: the state of each QP: idle, queued, in service, in service and wanted; LUT RAM, room for all QPs, so a kick
//   waits only for its turn.
// Order: a strobe (the end of a fill that the QP waits for) cannot be refused and goes before all else. When the cycle
//   is that of a QP taken by the requester, it comes in the next, in which none is offered. Its QP is handed out before
//   those that only stand in the queue (wake_first), and so is one kicked by source FIRST: the WQE that it was waiting
//   for has come, and holds a place until it is looked at, as its record does.
// Cycles: one event a cycle. Reset: clears itself.
// Errors: QPNs beyond the table are ignored.
module qp_scheduler #(
    parameter int unsigned QPS_LOG2 = 10,
    parameter int unsigned NSRC     = 8,
    parameter int unsigned FIRST    = 2      // source that is told what a QP waited for has come
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic [NSRC-1:0]            kick_valid_i,
    output logic [NSRC-1:0]            kick_ready_o,
    input  logic [NSRC*24-1:0]         kick_qpn_i,
    input  cairn_int_pkg::kick_t       strobe_i,
    output cairn_int_pkg::kick_t       sched_o,
    input  logic                       sched_ready_i,
    input  cairn_int_pkg::sched_done_t done_i,
    output logic                       done_ready_o,
    output logic                       idle_o
);
  localparam int unsigned N = 1 << QPS_LOG2;
  typedef enum logic [1:0] {S_IDLE, S_QUEUED, S_BUSY, S_BUSY_WANTED} state_e;

  if (QPS_LOG2 < 2 || QPS_LOG2 > 16) begin : g_chk
    $error("qp_scheduler: QPS_LOG2 must be 2 to 16");
  end

  logic                init_q;
  logic [QPS_LOG2-1:0] init_id_q;
  state_e              state [0:N-1];
  logic                pop;
  logic                kick_gnt_valid;
  logic [NSRC-1:0]     kick_gnt;
  logic [23:0]         kick_qpn;
  logic                strobe, strobe_q;     // now; of the last cycle
  logic [23:0]         strobe_qpn_q;
  logic                fifo_valid, fifo_ready, next_valid, early, late, first_idle;
  logic [QPS_LOG2-1:0] fifo_id;
  logic                take_done;
  logic                take_kick;
  logic [23:0]         ev_qpn;
  logic [QPS_LOG2-1:0] ev_id;
  logic                ev_ok;
  state_e              ev_state;
  state_e              ev_next;
  logic                push;
  logic                we;
  logic [QPS_LOG2-1:0] waddr;
  state_e              wdata;
  logic [QPS_LOG2-1:0] out_id;
  logic [$clog2(N+1)-1:0] level;

  assign pop          = sched_o.valid && sched_ready_i;
  assign strobe       = (strobe_q || (strobe_i.valid && !pop)) && !init_q;
  assign done_ready_o = !pop && !strobe && !init_q;
  assign take_done    = done_i.valid && done_ready_o;
  assign take_kick    = kick_gnt_valid && !take_done && !pop && !strobe && !init_q;
  // One that was offered stays; none is while a strobe is late, so that there is never a second one late.
  assign sched_o.valid = next_valid && !strobe_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) strobe_q <= 1'b0;
    else strobe_q <= strobe_i.valid && (pop || strobe_q);
    strobe_qpn_q <= strobe_i.qpn;
  end

  rr_arbiter #(.N(NSRC)) u_arb (
      .clk_i, .rst_ni, .req_i(kick_valid_i), .ack_i(take_kick), .lock_i(1'b0),
      .gnt_valid_o(kick_gnt_valid), .gnt_o(kick_gnt), .gnt_idx_o()
  );
  assign kick_ready_o = take_kick ? kick_gnt : '0;
  always_comb begin
    kick_qpn = '0;
    for (int unsigned i = 0; i < NSRC; i++) begin
      if (kick_gnt[i]) kick_qpn = kick_qpn | kick_qpn_i[i*24 +: 24];
    end
  end

  assign ev_qpn   = strobe ? (strobe_q ? strobe_qpn_q : strobe_i.qpn) : take_done ? done_i.qpn : kick_qpn;
  assign ev_id    = ev_qpn[QPS_LOG2-1:0];
  assign ev_ok    = (strobe || take_done || take_kick) && ev_qpn[23:QPS_LOG2] == '0;
  assign ev_state = state[ev_id];
  always_comb begin
    ev_next = ev_state;
    push    = 1'b0;
    if (take_done) begin
      push    = ev_ok && (done_i.more || ev_state == S_BUSY_WANTED);
      ev_next = push ? S_QUEUED : S_IDLE;
    end else if (ev_state == S_IDLE) begin
      push    = ev_ok;
      ev_next = S_QUEUED;
    end else if (ev_state == S_BUSY) begin
      ev_next = S_BUSY_WANTED;
    end
  end

  assign we    = init_q || pop || ev_ok;
  assign waddr = init_q ? init_id_q : pop ? out_id : ev_id;
  assign wdata = init_q ? S_IDLE : pop ? S_BUSY : ev_next;
  always_ff @(posedge clk_i) if (we) state[waddr] <= wdata;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
    end else if (init_q) begin
      init_id_q <= init_id_q + 1'b1;
      init_q    <= init_id_q != QPS_LOG2'(N - 1);
    end
  end

  sync_fifo_ram #(.WIDTH(QPS_LOG2), .DEPTH(N)) u_fifo (
      .clk_i, .rst_ni,
      .in_valid_i(push && (!early || late)), .in_ready_o(), .in_data_i(ev_id),
      .out_valid_o(fifo_valid), .out_ready_i(fifo_ready), .out_data_o(fifo_id),
      .level_o(level)
  );
  assign early = strobe || (take_kick && kick_gnt[FIRST]);
  wake_first #(.ID_W(QPS_LOG2), .DEPTH(32)) u_first (
      .clk_i, .rst_ni, .wake_i(push && early), .wake_id_i(ev_id), .late_o(late), .in_valid_i(fifo_valid),
      .in_ready_o(fifo_ready), .in_id_i(fifo_id), .out_valid_o(next_valid), .out_ready_i(pop), .out_id_o(out_id),
      .idle_o(first_idle));
  assign sched_o.qpn = {{(24-QPS_LOG2){1'b0}}, out_id};
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && init_q) assert (!strobe_i.valid);   // no source has asked yet
`endif
  assign idle_o      = level == '0 && first_idle && kick_valid_i == '0 && !strobe_i.valid && !strobe_q && !done_i.valid
                       && !init_q;
endmodule
