// SPDX-License-Identifier: Apache-2.0
// First stage of the requester: turns a scheduled QPN into a visit, the snapshot of everything that req_build needs.
//
// Configuration, requester and completer parts, producer index. The scheduler has each QP in at most one visit, so the
// snapshot's requester part is current; the completer's may be a few cycles old.
// Given back: at once, if the QP cannot be served now: not cached (a fill is under way, its kick brings the QP back),
// no way free (more = 1: asked again), wrong state, in error, waiting for RNR, or nothing to do. The pin taken by the
// lookup goes with the visit, or back.
// Cycles: fully pipelined (a QP a cycle while contexts hit); at most DEPTH visits are between here and req_build's
//   take. With one there is no look ahead at its WQE (miss_o).
// Errors: a damaged or free record gives the QP back and counts.
module req_visit #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned DEPTH      = 4,
    parameter int unsigned READ_CHUNK = 1024,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             halt_i,      // fence: start no visit, from the next cycle on
    input  cairn_int_pkg::kick_t             sched_i,
    output logic                             sched_ready_o,
    // context lookup (source REQ), always with pin
    output cairn_int_pkg::ctx_req_t          ctx_o,
    input  logic                             ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t          ctx_i,
    // part reads and producer index, one cycle
    output logic [cairn_int_pkg::SLOT_W-1:0] part_slot_o,
    input  cairn_int_pkg::sender_parts_t     part_i,
    output logic [23:0]                      sq_rd_qpn_o,
    input  logic [15:0]                      sq_rd_pi_i,
    // payload reads that failed: req_txerr
    output logic                             txe_valid_o,
    output logic [23:0]                      txe_qpn_o,
    input  logic                             txe_live_i,  // a cycle later
    input  logic [7:0]                       txe_gen_i,
    input  logic [23:0]                      txe_psn_i,
    // visits
    output logic                             visit_valid_o,
    input  logic                             visit_ready_i,
    output cairn_int_pkg::req_visit_t        visit_o,
    output logic                             miss_o,      // its first WQE is not on chip (req_look)
    // wqe_fetch: is a WQE here
    output cairn_int_pkg::wqe_lookup_t       ask_o,
    input  logic                             here_i,
    // QPs given back
    output cairn_int_pkg::released_t         released_o,
    input  logic                             released_ready_i,
    output cairn_hw_pkg::req_visit_events_t  events_o,
    output logic                             alone_o,     // nobody wants a visit, but the one whose visit is out
    output logic                             idle_o
);
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_WAIT = cairn_hw_pkg::CTX_RESULT_WAITING,
                         ST_RETRY = cairn_hw_pkg::CTX_RESULT_RETRY;

  // Credits: a visit in any stage has its place in both FIFOs below.
  logic [$clog2(DEPTH+1)-1:0] out_q;
  logic                       take, leave, r_leave;
  assign sched_ready_o = ctx_o.valid && ctx_ready_i;
  // Told to come again: not at once, the next would be told the same. Whether one may go is a flip-flop: who goes comes
  // late in the cycle.
  logic [2:0] pause_q;
  logic       closed_q, full, retry;
  assign retry       = ctx_i.valid && ctx_i.status == ST_RETRY;
  assign full        = (out_q == ($clog2(DEPTH+1))'(DEPTH) || (take && out_q == ($clog2(DEPTH+1))'(DEPTH - 1)))
                       && !leave && !r_leave;
  assign ctx_o.valid = sched_i.valid && !closed_q;
  assign ctx_o.key   = sched_i.qpn;
  assign take        = sched_ready_o;

  // Lookup answered: read.
  logic          s1_hit, s1_back;
  assign s1_hit      = ctx_i.valid && ctx_i.status == ST_HIT;
  assign s1_back     = ctx_i.valid && !s1_hit;
  assign part_slot_o = ctx_i.slot;
  assign sq_rd_qpn_o = ctx_i.key;
  assign txe_valid_o = s1_hit;
  assign txe_qpn_o   = ctx_i.key;

  // Parts are here: decide.
  logic          s2_valid_q, s2_back_q, s2_wait_q, s2_retry_q;
  logic [AW-1:0] s2_slot_q;
  logic [23:0]   s2_qpn_q;
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t cmp;
  logic [15:0]   d_err;
  logic          state_ok, blocked, work, serve, resend, goback, txe_hit;
  assign cfg      = part_i.cfg;
  assign req      = part_i.req;
  assign cmp      = part_i.cmp;
  assign txe_hit  = txe_live_i && txe_gen_i == req.tag_gen;
  // SQD: what was begun is finished, and what was lost is sent again.
  assign goback   = cfg.state_type == cairn_hw_pkg::QP_TYPE_RC && cmp.una_gb_epoch != req.psn_send_epoch;
  assign resend   = req.psn_next_psn != req.hi_psn || goback;
  assign state_ok = cfg.state == cairn_hw_pkg::QP_STATE_RTS
                    || (cfg.state == cairn_hw_pkg::QP_STATE_SQD && (req.flags_in_msg || resend || txe_hit))
                    || (cfg.state == cairn_hw_pkg::QP_STATE_SQE && txe_hit);
  // What was lost before a WQE with a local error is sent again; the walk comes to the error once more. A payload read
  // that failed before it is the first error then. One that was met when its WQE was sent again is none any more once
  // the first sending is acknowledged and the WQE retired.
  assign d_err    = req.index_next_index - cmp.oldest_old_index;
  assign blocked  = (req.flags_err && !d_err[15] && !goback && !txe_hit) || cmp.flags_err || cmp.rflags_flushing
                    || cmp.flags_rnr_wait;
  // A go-back is work even when everything has been sent.
  assign work     = req.index_next_index != sq_rd_pi_i || goback;
  assign serve    = s2_valid_q && state_ok && !blocked && (work || txe_hit);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s2_valid_q            <= 1'b0;
      s2_back_q             <= 1'b0;
      out_q                 <= '0;
      pause_q               <= '0;
      closed_q              <= 1'b0;
      events_o.rx_ctx_error <= 1'b0;
    end else begin
      if (retry) pause_q <= '1;
      else if (pause_q != '0) pause_q <= pause_q - 3'd1;
      closed_q   <= full || retry || pause_q > 3'd1 || halt_i;
      s2_valid_q <= s1_hit;
      s2_back_q  <= s1_back;
      out_q      <= out_q + ($clog2(DEPTH+1))'(take) - ($clog2(DEPTH+1))'(leave) - ($clog2(DEPTH+1))'(r_leave);
      events_o.rx_ctx_error <= s1_back && ctx_i.status != ST_WAIT && ctx_i.status != ST_RETRY;
    end
    s2_slot_q  <= ctx_i.slot[AW-1:0];
    s2_qpn_q   <= ctx_i.key;
    s2_wait_q  <= ctx_i.status == ST_WAIT;
    s2_retry_q <= ctx_i.status == ST_RETRY;
  end

  // Where its walk begins.
  cairn_int_pkg::req_visit_t v;
  logic [23:0] una, target;
  logic [7:0]  rd_part;
  logic        to_old, beyond;
  req_start #(.READ_CHUNK(READ_CHUNK)) u_start (
      .req_i(req), .cmp_i(cmp), .rc_i(cfg.state_type == cairn_hw_pkg::QP_TYPE_RC), .pmtu_i(cfg.state_pmtu),
      .pi_i(sq_rd_pi_i), .failed_i(txe_hit), .failed_psn_i(txe_psn_i), .goback_o(to_old), .beyond_o(beyond),
      .una_o(una), .target_o(target), .rd_part_o(rd_part));
  assign v = {txe_hit, txe_psn_i, to_old, beyond, to_old && !beyond, target, una, cmp.old_psn, cmp.oldest_old_index,
              rd_part, cmp.rflags_rd_done, cmp.una_gb_epoch, cmp.wait_lsn, cmp.flags_credits_off, sq_rd_pi_i,
              cairn_int_pkg::SLOT_W'(s2_slot_q), s2_qpn_q, req, cfg};

  logic v_room;                  // always, for what is served
  assign leave = visit_valid_o && visit_ready_i;
  if (DEPTH > 1) begin : g_queue
    sync_fifo #(.WIDTH(cairn_int_pkg::REQ_VISIT_W), .DEPTH(DEPTH)) u_visits (
        .clk_i, .rst_ni, .in_valid_i(serve), .in_ready_o(v_room), .in_data_i(v),
        .out_valid_o(visit_valid_o), .out_ready_i(visit_ready_i), .out_data_o(visit_o));
    req_look #(.DEPTH(DEPTH)) u_look (
        .clk_i, .rst_ni, .put_i(serve), .visit_i(v), .pop_i(leave), .ask_o, .here_i, .miss_o);
  end else begin : g_one
    logic unused;
    assign {ask_o, miss_o} = '0;
    assign unused          = here_i;
    stream_half #(.WIDTH(cairn_int_pkg::REQ_VISIT_W)) u_visit (
        .clk_i, .rst_ni, .in_valid_i(serve), .in_ready_o(v_room), .in_data_i(v),
        .out_valid_o(visit_valid_o), .out_ready_i(visit_ready_i), .out_data_o(visit_o));
  end

  // Given back: waiting ones with their pin, found-idle ones with theirs; nothing was pinned on RETRY and errors.
  typedef struct packed {
    logic [23:0]   qpn;
    logic          more, unpin;
    logic [AW-1:0] slot;
  } back_t;
  back_t         r_in, r_out;
  logic          r_put, r_room;
  assign r_put = s2_back_q || (s2_valid_q && !serve);
  assign r_in = {s2_qpn_q, s2_back_q && s2_retry_q, s2_valid_q || s2_wait_q, s2_slot_q};
  if (DEPTH > 1) begin : g_backs
    sync_fifo #(.WIDTH($bits(r_in)), .DEPTH(DEPTH)) u_back (
        .clk_i, .rst_ni, .in_valid_i(r_put), .in_ready_o(r_room), .in_data_i(r_in),
        .out_valid_o(released_o.valid), .out_ready_i(released_ready_i), .out_data_o(r_out));
  end else begin : g_back
    stream_half #(.WIDTH($bits(r_in))) u_back (
        .clk_i, .rst_ni, .in_valid_i(r_put), .in_ready_o(r_room), .in_data_i(r_in),
        .out_valid_o(released_o.valid), .out_ready_i(released_ready_i), .out_data_o(r_out));
  end
  assign r_leave          = released_o.valid && released_ready_i;
  assign released_o.qpn   = r_out.qpn;
  assign released_o.more  = r_out.more;
  assign released_o.unpin = r_out.unpin;
  assign released_o.slot  = cairn_int_pkg::SLOT_W'(r_out.slot);
  assign idle_o           = out_q == '0 && !(sched_i.valid && !halt_i);
  assign alone_o          = (out_q == '0 || (DEPTH == 1 && visit_valid_o)) && !sched_i.valid && !halt_i;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && serve && !v_room) $error("req_visit: visit lost");
    if (rst_ni && r_put && !r_room) $error("req_visit: QP lost");
  end
`endif
endmodule
