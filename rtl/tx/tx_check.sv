// SPDX-License-Identifier: Apache-2.0
// Between a payload ring and tx_arbiter: decides whether a complete job may still be sent.
//
// Order: every job passes through in order. One that must not be sent goes on with drop set, so its ring words are
//   freed in order. A job stays in the ring's register until it leaves: here are only the verdicts on it, found in its
//   first cycle there. One job in two cycles, of CHECK = 1 in three: what the entry says of it is in registers, a cycle
//   later. AHEAD: it is taken from there into a queue, and CHECK = 1 into a register
//   behind that. One job a cycle.
// - A job whose payload read failed is reported and dropped. Later jobs of the same QP are dropped too, unreported.
// - CHECK = 1, requests: what may leave of each QP is in a RAM by its number {nothing, generation, epoch}: a copy of
//   what firmware has opened or closed and of the completer's GB_EPOCH, with one writer, rdma_core. A job of an earlier
//   generation or, of RC, of another send epoch is stale and dropped, whichever QP has its context slot meanwhile; so
//   is every job of a QP that firmware has closed. It is looked up again in each cycle that the job waits in here, so a
//   job that becomes stale while it waits for the wire does not leave. Packets of UC and UD are never sent again; their
//   send epoch counts the errors of the QP.
//   Beside it is the QP's last failure {generation, epoch}, written here. It counts for jobs of that send epoch: by the
//   next one the requester has dealt with it, and with the first job of that it is forgotten. Failures are swept after
//   reset, an entry a cycle; the first one waits for that.
// - CHECK = 0, responses: the last FAILS failures count for all jobs of their QPs but the NAK that tells of it, so
//   nothing acknowledges what was not sent; until forget_i, which says that no job from before is on its way any more.
//   (After that the QP's generation is another.)
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
  // ---- where the job stands that goes next ----
  cairn_int_pkg::tx_job_t   job, ahead;   // ahead: of AHEAD, the one behind it
  cairn_int_pkg::tx_place_t place;
  logic                     valid, drop, late, leave, stale, note;   // late: behind a failure of its QP
  assign leave       = valid && out_ready_i;
  assign out_o       = {valid, drop || stale, job, place};
  assign stale_o     = leave && (drop ? late : stale);
  assign stale_qpn_o = job.qpn;
  assign note        = err_valid_o && err_ready_i;

  if (CHECK != 0) begin : g_requests
    logic        here, bad, swept, is_stale, is_same, is_lost, lost, same;
    logic [23:0] qpn;          // of the one to be looked up for the next cycle
    if (!AHEAD) begin : g_stays
      logic seen_q, told_of_q;
      assign {job, place} = {in_i.job, in_i.place};
      assign bad          = in_i.bad;
      assign here         = told_of_q;
      assign ahead        = in_i.job;
      assign qpn          = ahead.qpn;
      assign in_ready_o   = leave;
      assign idle_o       = swept && !seen_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) seen_q <= 1'b0;
        else seen_q <= seen_q ? !leave : in_i.valid;
        told_of_q <= rst_ni && seen_q && !leave;
        {stale, same, lost} <= {is_stale, is_same, is_lost};
      end
    end else begin : g_ahead
      logic room, q_valid, q_ready, q_bad, valid_q, bad_q;
      logic [1:0]                           level;
      logic [cairn_int_pkg::TX_JOB_W-1:0]   q_job, job_q;
      logic [cairn_int_pkg::TX_PLACE_W-1:0] q_place, place_q;
      sync_fifo_level #(.WIDTH(1 + cairn_int_pkg::TX_JOB_W + cairn_int_pkg::TX_PLACE_W), .DEPTH(2)) u_jobs (
          .clk_i, .rst_ni,
          .in_valid_i(in_i.valid), .in_ready_o(room), .in_data_i({in_i.bad, in_i.job, in_i.place}),
          .out_valid_o(q_valid), .out_ready_i(q_ready), .out_data_o({q_bad, q_job, q_place}), .level_o(level));
      assign in_ready_o = in_i.valid && room;
      assign ahead      = q_job;
      assign q_ready    = !valid_q || leave;
      assign qpn        = q_ready ? ahead.qpn : job.qpn;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) valid_q <= 1'b0;
        else if (q_ready) valid_q <= q_valid;
        if (q_ready) {bad_q, job_q, place_q} <= {q_bad, q_job, q_place};
      end
      assign {here, bad, job, place} = {valid_q, bad_q, job_q, place_q};
      assign idle_o                  = swept && level == '0 && !valid_q;
      assign {stale, same, lost}     = {is_stale, is_same, is_lost};
    end

    // ---- what its QP's entry said a cycle ago, and its last failure ----
    logic              closed, lost_hit, past, mark, clear, told_q, marked_q, any_q;
    logic [7:0]        gen, epoch, lost_gen, lost_epoch;
    logic [QPS_LOG2:0] swept_q;
    logic [1:0]        we;
    ram_1r1w #(.WIDTH(34), .DEPTH(1 << QPS_LOG2), .COL_W(17), .BYPASS(1)) u_entries (
        .clk_i, .we_i(we),
        .waddr_i(allow_i.valid ? allow_i.qpn[QPS_LOG2-1:0]
                 : swept ? job.qpn[QPS_LOG2-1:0] : swept_q[QPS_LOG2-1:0]),
        .wdata_i({mark, job.gen, job.send_epoch, allow_i.closed, allow_i.gen, allow_i.send_epoch}),
        .re_i(1'b1), .raddr_i(qpn[QPS_LOG2-1:0]), .rdata_o({is_lost, lost_gen, lost_epoch, closed, gen, epoch}));
    assign is_stale = closed || gen != job.gen
                   || (job.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_RC && epoch != job.send_epoch);

    assign swept    = swept_q[QPS_LOG2];
    assign is_same  = {lost_gen, lost_epoch} == {job.gen, job.send_epoch};
    assign lost_hit = any_q && lost && same;
    assign late     = lost_hit && !told_q;
    assign drop     = bad || late;
    assign valid    = here && (!bad || late || marked_q);
    assign past     = any_q && lost && !same && !drop && !stale;
    assign mark     = told_q && !marked_q && !allow_i.valid;
    assign clear    = leave && past && !allow_i.valid;
    assign we       = {(mark || clear || !swept) && !allow_i.valid, allow_i.valid};
    assign err_o       = {job.qpn, job.gen, job.psn};
    assign err_valid_o = here && bad && !lost_hit && !told_q && swept;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {any_q, told_q, marked_q, swept_q} <= '0;
      end else begin
        if (mark) any_q <= 1'b1;
        told_q   <= here && !leave && (told_q || note);
        marked_q <= here && !leave && (marked_q || mark);
        if (!swept && !allow_i.valid) swept_q <= swept_q + 1'b1;
      end
    end
    logic unused;
    assign unused = ^{qpn[23:QPS_LOG2], forget_i, 32'(FAILS)};
  end else begin : g_responses
    // ---- failed QPs
    localparam int unsigned WHO_W = QPS_LOG2 + 8;
    logic                     fail_hit;
    logic [FAILS-1:0]         hit;
    logic [$clog2(FAILS)-1:0] oldest_q;
    logic [WHO_W-1:0]         who;
    logic                     tells;   // the NAK of a QP in error
    assign ahead    = in_i.job;
    assign who      = {ahead.qpn[QPS_LOG2-1:0], ahead.gen};
    assign tells    = in_i.job.opcode == cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE
                      && in_i.job.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_NAK
                      && in_i.job.args.aeth[28:24] != cairn_pkt_pkg::AETH_NAK_SEQ;
    assign fail_hit = hit != '0 && !tells;
    for (genvar g = 0; g < FAILS; g++) begin : g_fail
      logic             valid_q;
      logic [WHO_W-1:0] who_q;
      assign hit[g] = valid_q && who_q == who;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || forget_i) valid_q <= 1'b0;
        else if (note && oldest_q == ($clog2(FAILS))'(g)) valid_q <= 1'b1;
        if (note && oldest_q == ($clog2(FAILS))'(g)) who_q <= who;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) oldest_q <= '0;
      else if (note) oldest_q <= oldest_q + 1'b1;
    end
    assign err_o = {in_i.job.qpn, in_i.job.gen, in_i.job.psn};
    assign stale = 1'b0;

    if (!AHEAD) begin : g_stays
      logic seen_q, bad_q, late_q, told_q;   // told: this one is reported
      assign err_valid_o  = seen_q && bad_q && !late_q && !told_q;
      assign {job, place} = {in_i.job, in_i.place};
      assign valid        = seen_q && (!bad_q || late_q || told_q);
      assign drop         = bad_q || late_q;
      assign late         = late_q;
      assign in_ready_o   = leave;
      assign idle_o       = !seen_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) seen_q <= 1'b0;
        else seen_q <= seen_q ? !leave : in_i.valid;
        if (!seen_q) {bad_q, late_q} <= {in_i.bad, fail_hit};
        told_q <= seen_q && !leave && (told_q || note);
      end
    end else begin : g_ahead
      logic room;
      logic [1:0]                           level;
      logic [cairn_int_pkg::TX_JOB_W-1:0]   q_job;
      logic [cairn_int_pkg::TX_PLACE_W-1:0] q_place;
      assign err_valid_o = in_i.valid && in_i.bad && !fail_hit && room;
      assign in_ready_o  = in_i.valid && room && (!in_i.bad || fail_hit || err_ready_i);
      sync_fifo_level #(.WIDTH(2 + cairn_int_pkg::TX_JOB_W + cairn_int_pkg::TX_PLACE_W), .DEPTH(2)) u_jobs (
          .clk_i, .rst_ni,
          .in_valid_i(in_ready_o), .in_ready_o(room),
          .in_data_i({fail_hit, in_i.bad || fail_hit, in_i.job, in_i.place}),
          .out_valid_o(valid), .out_ready_i, .out_data_o({late, drop, q_job, q_place}),
          .level_o(level));
      assign {job, place} = {q_job, q_place};
      assign idle_o       = level == '0;
    end
    logic unused;
    assign unused = ^{allow_i, 32'(QPS_LOG2)};
  end
endmodule
