// SPDX-License-Identifier: Apache-2.0
// Between a payload ring and tx_arbiter: decides whether a complete job may still be sent.
//
// Order: every job passes through in order. One that must not be sent goes on with drop set, so its ring words are
//   freed in order. A job stays in the ring's register until it leaves: here are only the verdicts on it, found in its
//   first cycle there. One job in two cycles. AHEAD: it is taken from there into a queue, and CHECK = 1 into a register
//   behind that. One job a cycle.
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
    parameter bit          AHEAD = 1'b0,
    parameter int unsigned FAILS = 4,
    parameter int unsigned QPS_LOG2 = 12
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // complete jobs from the ring
    input  cairn_int_pkg::tx_head_t    in_i,
    output logic                       in_ready_o,
    // what may leave of a QP
    input  cairn_int_pkg::tx_allow_t   allow_i,
    // payload read failed
    output logic                       err_valid_o,
    input  logic                       err_ready_i,
    output cairn_int_pkg::tx_lost_t    err_o,
    // to tx_arbiter
    output cairn_int_pkg::tx_checked_t out_o,
    input  logic                       out_ready_i,
    output logic [23:0]                stale_qpn_o,
    output logic                       stale_o,
    input  logic                       forget_i,  // strobe: no failure counts any more
    output logic                       idle_o
);
  logic fail_hit, passes;      // passes: this job is beyond the failures

  // ---- failed QPs
  logic [FAILS-1:0]         hit;
  logic [$clog2(FAILS)-1:0] oldest_q;
  logic [31:0]              who;
  logic [7:0]               epoch_now;
  logic                     tells;   // the NAK of a QP in error
  logic                     note;

  assign who       = {in_i.job.qpn, in_i.job.gen};
  assign epoch_now = (CHECK != 0) ? in_i.job.send_epoch : 8'h0;
  assign tells    = CHECK == 0 && in_i.job.opcode == cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE
                    && in_i.job.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_NAK
                    && in_i.job.args.aeth[28:24] != cairn_pkt_pkg::AETH_NAK_SEQ;
  assign fail_hit = hit != '0 && !tells;
  assign note     = in_i.valid && err_valid_o && err_ready_i;

  for (genvar g = 0; g < FAILS; g++) begin : g_fail
    logic        valid_q;
    logic [31:0] who_q;
    logic [7:0]  epoch_q;
    logic        past;    // a job of a later epoch: the failure has been dealt with
    assign hit[g] = valid_q && {who_q, epoch_q} == {who, epoch_now};
    assign past   = CHECK != 0 && who_q == who && epoch_q != epoch_now;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || forget_i) valid_q <= 1'b0;
      else if (note && oldest_q == ($clog2(FAILS))'(g)) valid_q <= 1'b1;
      else if (passes && past) valid_q <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (note && oldest_q == ($clog2(FAILS))'(g)) {who_q, epoch_q} <= {who, epoch_now};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) oldest_q <= '0;
    else if (note) oldest_q <= oldest_q + 1'b1;
  end

  assign err_o = {in_i.job.qpn, in_i.job.gen, in_i.job.psn};

  // ---- where the job stands that goes next ----
  cairn_int_pkg::tx_job_t   job;
  cairn_int_pkg::tx_place_t place;
  cairn_int_pkg::tx_job_t   ahead;
  logic [23:0] qpn;            // of the one to be looked up for the next cycle
  logic        valid, drop, late, leave, stale;
  assign leave       = valid && out_ready_i;
  assign out_o       = {valid, drop || stale, job, place};
  assign stale_o     = leave && (drop ? late : stale);
  assign stale_qpn_o = job.qpn;

  if (!AHEAD) begin : g_stays
    assign ahead = in_i.job;
    logic seen_q, bad_q, late_q, told_q;   // late: behind a failure of its QP; told: this one is reported
    assign err_valid_o = seen_q && bad_q && !late_q && !told_q;
    assign {job, place} = {in_i.job, in_i.place};
    assign qpn          = ahead.qpn;
    assign valid        = seen_q && (!bad_q || late_q || told_q);
    assign drop         = bad_q || late_q;
    assign late         = late_q;
    assign passes       = leave;
    assign in_ready_o   = leave;
    assign idle_o       = !seen_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) seen_q <= 1'b0;
      else seen_q <= seen_q ? !leave : in_i.valid;
      if (!seen_q) {bad_q, late_q} <= {in_i.bad, fail_hit};
      told_q <= seen_q && !leave && (told_q || note);
    end
  end else begin : g_ahead
    logic room, q_valid, q_ready, q_late, q_drop;
    logic [1:0] level;
    logic [23:0] q_qpn;
    logic [cairn_int_pkg::TX_JOB_W-1:0]   q_job;
    logic [cairn_int_pkg::TX_PLACE_W-1:0] q_place;
    assign err_valid_o = in_i.valid && in_i.bad && !fail_hit && room;
    assign passes      = in_i.valid && room && (!in_i.bad || fail_hit || err_ready_i);
    assign in_ready_o  = passes;
    sync_fifo_level #(.WIDTH(2 + cairn_int_pkg::TX_JOB_W + cairn_int_pkg::TX_PLACE_W), .DEPTH(2)) u_jobs (
        .clk_i, .rst_ni,
        .in_valid_i(passes), .in_ready_o(room), .in_data_i({fail_hit, in_i.bad || fail_hit, in_i.job, in_i.place}),
        .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o({q_late, q_drop, q_job, q_place}),
        .level_o(level));
    assign ahead = q_job;
    assign q_qpn = ahead.qpn;
    if (CHECK != 0) begin : g_register
      logic valid_q, drop_q, late_q;
      logic [cairn_int_pkg::TX_JOB_W-1:0]   job_q;
      logic [cairn_int_pkg::TX_PLACE_W-1:0] place_q;
      assign q_ready = !valid_q || out_ready_i;
      assign qpn     = q_ready ? q_qpn : job.qpn;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) valid_q <= 1'b0;
        else if (q_ready) valid_q <= q_valid;
        if (q_ready) {late_q, drop_q, job_q, place_q} <= {q_late, q_drop, q_job, q_place};
      end
      assign {valid, late, drop, job, place} = {valid_q, late_q, drop_q, job_q, place_q};
      assign idle_o = level == '0 && !valid_q;
    end else begin : g_queue
      assign q_ready = out_ready_i;
      assign qpn     = q_qpn;
      assign {valid, late, drop, job, place} = {q_valid, q_late, q_drop, q_job, q_place};
      assign idle_o = level == '0;
    end
  end

  if (CHECK != 0) begin : g_check
    // ---- what its QP's entry said a cycle ago ----
    logic closed;
    logic [7:0] gen, epoch;
    ram_1r1w #(.WIDTH(17), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_entries (
        .clk_i, .we_i(allow_i.valid), .waddr_i(allow_i.qpn[QPS_LOG2-1:0]),
        .wdata_i({allow_i.closed, allow_i.gen, allow_i.send_epoch}),
        .re_i(1'b1), .raddr_i(qpn[QPS_LOG2-1:0]), .rdata_o({closed, gen, epoch}));
    assign stale = closed || gen != job.gen
                   || (job.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_RC && epoch != job.send_epoch);
    logic unused;
    assign unused = ^qpn[23:QPS_LOG2];
  end else begin : g_pass
    assign stale = 1'b0;
    logic unused;
    assign unused = ^{allow_i, qpn};
  end
endmodule
