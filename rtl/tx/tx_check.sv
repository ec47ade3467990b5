// SPDX-License-Identifier: Apache-2.0
// Between a payload ring and tx_arbiter: decides whether a complete job may still be sent.
//
// Order: every job passes through in order. One that must not be sent goes on with drop set, so its ring words are
//   freed in order. One job a cycle.
// - A job whose payload read failed is reported and dropped.
// - The last FAILS failures are remembered: later jobs of the same QP are dropped too, unreported. Of requests (CHECK =
//   1) those of the same send epoch: by the next one the requester has dealt with the failure, and it is forgotten
//   before the epoch has gone all the way round. Of responses (CHECK = 0) all but the NAK that tells of it, so nothing
//   acknowledges what was not sent; until forget_i, which says that no job from before is on its way any more. (After
//   that the QP's generation is another.)
// - CHECK = 1: what may leave of each QP is in a RAM by its number {nothing, generation, epoch}: a copy of what
//   firmware has opened or closed and of the completer's GB_EPOCH, with one writer, rdma_core. A job of an earlier
//   generation or, of RC, of another send epoch is stale and dropped, whichever QP has its context slot meanwhile; so
//   is every job of a QP that firmware has closed. It is looked up again in each cycle that the job waits in here, so a
//   job that becomes stale while it waits for the wire does not leave. Packets of UC and UD are never sent again; their
//   send epoch counts the errors of the QP.
// Counts: TX_STALE and TX_RSP_DROPPED, the jobs dropped without having been reported.
module tx_check #(
    parameter int unsigned CHECK = 1,
    parameter int unsigned DEPTH = 2,   // jobs on their way here, which cuts the path back to the ring
    parameter int unsigned FAILS = 4,
    parameter int unsigned PLACE_W = 18, // where the payload is, passed through
    parameter int unsigned QPS_LOG2 = 12,
    localparam int unsigned JOB_W = cairn_int_pkg::TX_JOB_W
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    // complete jobs from the ring
    input  logic                             in_valid_i,
    output logic                             in_ready_o,
    input  logic                             in_bad_i,
    input  logic [JOB_W-1:0]                 in_job_i,
    input  logic [PLACE_W-1:0]               in_place_i,
    // what may leave of a QP
    input  logic                             ep_valid_i,
    input  logic [23:0]                      ep_qpn_i,
    input  logic [16:0]                      ep_i,
    // payload read failed
    output logic                             err_valid_o,
    input  logic                             err_ready_i,
    output logic [23:0]                      err_qpn_o,
    output logic [cairn_int_pkg::SLOT_W-1:0] err_slot_o,
    output logic [7:0]                       err_gen_o,
    output logic [7:0]                       err_send_epoch_o,
    output logic [23:0]                      err_psn_o,
    // to tx_arbiter
    output logic                             out_valid_o,
    input  logic                             out_ready_i,
    output logic                             out_drop_o,
    output logic [JOB_W-1:0]                 out_job_o,
    output logic [PLACE_W-1:0]               out_place_o,
    output logic [23:0]                      stale_qpn_o,
    output logic                             stale_o,
    input  logic                             forget_i,      // strobe: no failure counts any more
    output logic                             idle_o
);
  localparam int unsigned FAIL_W = 24 + 8 + 8;

  cairn_int_pkg::tx_job_t job_in, job_out, job_next;
  logic                   fifo_ready, move, known_bad, fail_hit, job_valid, job_drop, job_late, job_ready;
  logic [JOB_W-1:0]       job;
  logic [PLACE_W-1:0]     place;
  logic [$clog2(DEPTH+1)-1:0] level;

  assign job_in      = in_job_i;
  assign job_out     = out_job_o;
  assign job_next    = job;
  assign err_valid_o = in_valid_i && in_bad_i && !fail_hit && fifo_ready;
  assign in_ready_o  = fifo_ready && (!in_bad_i || fail_hit || err_ready_i);
  assign move        = in_valid_i && in_ready_o;
  assign known_bad   = in_bad_i || fail_hit;
  assign err_qpn_o        = job_in.qpn;
  assign err_slot_o       = job_in.slot;
  assign err_gen_o        = job_in.gen;
  assign err_send_epoch_o = job_in.send_epoch;
  assign err_psn_o        = job_in.psn;

  sync_fifo_level #(.WIDTH(2 + JOB_W + PLACE_W), .DEPTH(DEPTH)) u_jobs (
      .clk_i, .rst_ni,
      .in_valid_i(move), .in_ready_o(fifo_ready), .in_data_i({fail_hit, known_bad, in_job_i, in_place_i}),
      .out_valid_o(job_valid), .out_ready_i(job_ready), .out_data_o({job_late, job_drop, job, place}),
      .level_o(level));

  // ---- failed QPs
  logic [FAILS-1:0]         hit;
  logic [$clog2(FAILS)-1:0] oldest_q;
  logic [FAIL_W-1:0]        key;
  logic                     tells;   // the NAK of a QP in error
  logic                     note;

  assign key      = {job_in.qpn, job_in.gen, (CHECK != 0) ? job_in.send_epoch : 8'h0};
  assign tells    = CHECK == 0 && job_in.opcode == cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE
                    && job_in.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_NAK
                    && job_in.args.aeth[28:24] != cairn_pkt_pkg::AETH_NAK_SEQ;
  assign fail_hit = hit != '0 && !tells;
  assign note     = move && in_bad_i && !fail_hit;

  for (genvar g = 0; g < FAILS; g++) begin : g_fail
    logic              valid_q;
    logic [FAIL_W-1:0] key_q;
    logic              past;    // a job of a later epoch: the failure has been dealt with
    assign hit[g] = valid_q && key_q == key;
    assign past   = CHECK != 0 && key_q[FAIL_W-1:8] == key[FAIL_W-1:8] && key_q[7:0] != key[7:0];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || forget_i) valid_q <= 1'b0;
      else if (note && oldest_q == ($clog2(FAILS))'(g)) valid_q <= 1'b1;
      else if (move && past) valid_q <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (note && oldest_q == ($clog2(FAILS))'(g)) key_q <= key;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) oldest_q <= '0;
    else if (note) oldest_q <= oldest_q + 1'b1;
  end

  if (CHECK != 0) begin : g_check
    // ---- the job that goes next, and what its QP's entry said a cycle ago ----
    logic       valid_q, drop_q, late_q, stale, closed;
    logic [7:0] gen, epoch;
    logic [23:0] qpn;
    assign job_ready = !valid_q || out_ready_i;
    assign qpn       = job_ready ? job_next.qpn : job_out.qpn;
    ram_1r1w #(.WIDTH(17), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_entries (
        .clk_i, .we_i(ep_valid_i), .waddr_i(ep_qpn_i[QPS_LOG2-1:0]), .wdata_i(ep_i),
        .re_i(1'b1), .raddr_i(qpn[QPS_LOG2-1:0]), .rdata_o({closed, gen, epoch}));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (job_ready) valid_q <= job_valid;
      if (job_ready) {late_q, drop_q, out_job_o, out_place_o} <= {job_late, job_drop, job, place};
    end
    assign stale = closed || gen != job_out.gen
                   || (job_out.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_RC && epoch != job_out.send_epoch);
    assign out_valid_o = valid_q;
    assign out_drop_o  = drop_q || stale;
    assign stale_o     = out_valid_o && out_ready_i && (drop_q ? late_q : stale);
    assign idle_o      = level == '0 && !valid_q;
    logic unused;
    assign unused = ^{ep_qpn_i, qpn};
  end else begin : g_pass
    assign job_ready   = out_ready_i;
    assign out_valid_o = job_valid;
    assign out_drop_o  = job_drop;
    assign out_job_o   = job;
    assign out_place_o = place;
    assign stale_o     = out_valid_o && out_ready_i && job_drop && job_late;
    assign idle_o      = level == '0;
    logic unused;
    assign unused = ep_valid_i ^ (^ep_qpn_i) ^ (^ep_i);
  end

  assign stale_qpn_o = job_out.qpn;

  logic unused_job;
  assign unused_job = ^{job_in, job_out, job_next};
endmodule
