// SPDX-License-Identifier: Apache-2.0
// Completion queues: takes completions (0 responder, 1 completer), writes CQEs, moves the producer index, fires events to eqe_write when the CQ is armed. Owner of the CQ
// record. docs/architecture.md 5, DATAPATH 9, IBTA 11.4.2.
// The record of the CQ served last stays open in registers (pinned, written back when another CQ's turn comes or firmware wants the cache), so completions of one CQ take two
// cycles; a change of CQ costs five more. A completion whose record is being read, or whose CQ is full, waits in a park_buffer, in order within its CQ.
// Consumer index: read from host memory (one read per CQ at a time, cq_rd) when the device's copy says half full; a full CQ waits for one read that began after
// it was found full; still full: the CQ is in error (CQ_ERR event on EQN_ASYNC, cq_error_* to firmware, further completions are dropped and counted).
// Arms come with {ci, seq, solicited}: a repeated sequence number does nothing; else it fires at once when entries (solicited: a solicited or failed one) are past ci.
module cqe_write #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned PARKED = 64,
    localparam int unsigned AW  = $clog2(SLOTS),
    localparam int unsigned CW  = cairn_int_pkg::CQE_REQ_W,
    localparam int unsigned EW  = cairn_int_pkg::EQE_REQ_W,
    localparam int unsigned WRW = cairn_int_pkg::DMA_WR_W
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic [63:0]      time_now_i,
    input  logic             epoch_i,
    input  logic [1:0]       cqe_valid_i,
    output logic [1:0]       cqe_ready_o,
    input  logic [2*CW-1:0]  cqe_i,
    // arms from doorbell
    input  logic             arm_valid_i,
    output logic             arm_ready_o,
    input  logic [23:0]      arm_cqn_i,
    input  logic [18:0]      arm_word_i,
    // CQ cache: lookups with pin, the record's RAM
    output logic             lk_valid_o,
    input  logic             lk_ready_i,
    output logic [23:0]      lk_key_o,
    input  logic             lkr_valid_i,
    input  logic [2:0]       lkr_status_i,
    input  logic [AW-1:0]    lkr_slot_i,
    output logic             unpin_valid_o,
    output logic [AW-1:0]    unpin_slot_o,
    input  logic             fill_valid_i,
    input  logic [AW-1:0]    fill_slot_i,
    output logic [AW-1:0]    fq_slot_o,
    input  logic             fq_filling_i,
    output logic [AW-1:0]    rec_slot_o,
    input  logic [511:0]     rec_data_i,      // one cycle later
    output logic             ow_valid_o,
    output logic [AW-1:0]    ow_slot_o,
    output logic [511:0]     ow_data_o,
    // firmware wants the cache for itself: granted while no record is open
    input  logic             fw_want_i,
    output logic             fw_go_o,
    // reads of consumer records (cq_rd)
    output logic             ci_valid_o,
    input  logic             ci_ready_i,      // low also while one of this CQ is out
    output logic [23:0]      ci_cqn_o,
    output logic [63:0]      ci_iova_o,
    input  logic             cir_valid_i,     // an index has come
    output logic             cir_ready_o,
    input  logic [23:0]      cir_cqn_i,
    input  logic [31:0]      cir_index_i,
    input  logic             cir_err_i,
    // posted write, event, error report
    output logic             wr_valid_o,
    input  logic             wr_ready_i,
    output logic [WRW-1:0]   wr_cmd_o,
    output logic             eqe_valid_o,
    input  logic             eqe_ready_i,
    output logic [EW-1:0]    eqe_o,
    output logic             cq_error_valid_o,
    input  logic             cq_error_ready_i,
    output logic [23:0]      cq_error_cqn_o,
    output logic             cnt_cqe_written_o,
    output logic             cnt_cqe_flush_o,
    output logic             cnt_cqe_err_o,
    output logic             cnt_cq_overflow_o,
    output logic             idle_o
);
  localparam logic [3:0] Q_IDLE = 4'd0, Q_CLOSE = 4'd1, Q_LOOK = 4'd2, Q_ANSWER = 4'd3, Q_REC = 4'd4, Q_OPEN = 4'd5, Q_CQE = 4'd6, Q_EVENT = 4'd7,
                         Q_PARK = 4'd8, Q_ERROR = 4'd9, Q_FIRE = 4'd10;
  localparam logic [1:0] W_CQE = 2'd0, W_PARKED = 2'd1, W_ARM = 2'd2, W_CI = 2'd3;

  // ---- work waiting ----
  logic [3:0]  q_q;
  logic [1:0]  kind_q;
  logic [23:0] cqn_q;
  logic        src_q;                 // which source of W_CQE
  cairn_int_pkg::cqe_req_t r_q, r0, r1, rp;
  logic        tried_q;               // this completion has waited for a consumer index already
  logic        pk_out_valid, pk_push_ready, pk_idle, pk_waiting;
  logic [AW-1:0] pk_slot;
  logic [CW:0] pk_out;
  logic        turn_q;
  logic        any_cqe, pick1;
  assign r0 = cqe_i[CW-1:0];
  assign r1 = cqe_i[2*CW-1:CW];
  assign rp = pk_out[CW-1:0];
  assign any_cqe = cqe_valid_i != '0;
  assign pick1   = cqe_valid_i[1] && (!cqe_valid_i[0] || turn_q);

  // ---- the open record ----
  logic          open_q, dirty_q;
  logic [AW-1:0] slot_q;
  cairn_hw_pkg::cq_ctx_t c_q;
  logic [31:0]   used, size;
  logic          full, half, in_error;
  assign size     = 32'h1 << c_q.flags_log2;
  assign used     = c_q.pi - c_q.ci;
  assign full     = used >= size;
  assign half     = used >= {1'b0, size[31:1]};
  assign in_error = !c_q.flags_valid || c_q.flags_err;

  // ---- an arm against the record ----
  logic [1:0]  arm_seq;
  logic        arm_sol, arm_dup, arm_fire;
  logic [15:0] past_any, past_sol;
  assign arm_seq  = arm_word_i[17:16];
  assign arm_sol  = arm_word_i[18];
  assign arm_dup  = arm_seq == c_q.flags_arm_seq && (c_q.flags_armed || c_q.flags_event_out);
  assign past_any = c_q.pi[15:0] - arm_word_i[15:0];
  assign past_sol = c_q.sol_pi[15:0] - arm_word_i[15:0];
  assign arm_fire = arm_sol ? (past_sol != '0 && !past_sol[15]) : past_any != '0;

  // ---- CQE ----
  cairn_hw_pkg::cqe_t     e;
  cairn_int_pkg::dma_wr_t w;
  logic [31:0] lap;
  assign lap = c_q.pi >> c_q.flags_log2;
  always_comb begin
    e                  = '0;
    e.qpn_op_qpn       = r_q.qpn;
    e.qpn_op_opcode    = r_q.opcode;
    e.byte_len         = r_q.byte_len;
    e.imm              = r_q.imm;
    e.wqe_index        = r_q.wqe_index;
    e.timestamp        = time_now_i;
    e.src_src_qp       = r_q.src_qp;
    e.src_vendor_err   = r_q.vendor;
    e.status_status    = r_q.status;
    e.status_cq_index_lo = c_q.pi[14:0];
    e.status_phase     = !lap[0];
    w       = '0;
    w.iova  = c_q.base + {27'h0, c_q.pi & (size - 32'h1), 5'h0};
    w.len   = cairn_int_pkg::LEN_W'(cairn_hw_pkg::CQE_BYTES);
    w.epoch = epoch_i;
    w.data  = {256'h0, e} | {408'h0, r_q.flags, 96'h0} << 16;     // flags are bits 23:16 of cqe.wqe
  end
  logic fires;                        // this completion fires the event
  assign fires = c_q.flags_armed && (!c_q.flags_arm_solicited || r_q.event_sol);
  assign wr_valid_o = q_q == Q_CQE;
  assign wr_cmd_o   = w;

  cairn_int_pkg::eqe_req_t ev;
  always_comb begin
    ev         = '0;
    ev.eqn     = c_q.flags_eqn;
    ev.etype   = cairn_hw_pkg::EQE_TYPE_CQ;
    ev.arm_seq = c_q.flags_arm_seq;
    ev.number  = cqn_q;
    if (q_q == Q_ERROR) begin
      ev.eqn   = 8'(cairn_hw_pkg::EQN_ASYNC);
      ev.etype = cairn_hw_pkg::EQE_TYPE_CQ_ERR;
      ev.data  = {24'h0, cairn_hw_pkg::VENDOR_ERR_CQ_OVERFLOW};
    end
  end
  assign eqe_valid_o      = q_q == Q_EVENT || q_q == Q_FIRE || (q_q == Q_ERROR && !cq_error_done_q);
  assign eqe_o            = ev;
  logic cq_error_done_q;              // the event is out, firmware's report is next
  assign cq_error_valid_o = q_q == Q_ERROR && cq_error_done_q;
  assign cq_error_cqn_o   = cqn_q;

  // ---- consumer index reads ----
  logic want_ci;
  assign want_ci    = (q_q == Q_CQE && wr_ready_i && half) || (q_q == Q_PARK && full);
  assign ci_valid_o = want_ci;
  assign ci_cqn_o   = cqn_q;
  assign ci_iova_o  = c_q.ci_iova;

  // ---- parking ----
  logic          park_push, park_wait_ci;
  logic [AW-1:0] p_slot_q;            // slot of a record that is not open (WAIT)
  logic          late_q, fe_valid, fe_ready_unused, fe_af_unused, drain_ready;
  logic [AW-1:0] late_slot_q, fe_slot;
  logic [2:0]    fe_lvl_unused;
  logic [$clog2(PARKED+1)-1:0] pk_lvl_unused;
  assign park_push = q_q == Q_PARK && !late_q && kind_q == W_CQE;
  assign fq_slot_o = p_slot_q;
  park_buffer #(.WIDTH(CW + 1), .ENTRIES(PARKED), .SLOTS(SLOTS)) u_park (
      .clk_i, .rst_ni, .push_valid_i(park_push), .push_ready_o(pk_push_ready), .push_slot_i(p_slot_q), .push_data_i({park_wait_ci, r_q}),
      .q_slot_i(p_slot_q), .q_waiting_o(pk_waiting),
      .drain_valid_i(fe_valid || late_q), .drain_ready_o(drain_ready), .drain_slot_i(fe_valid ? fe_slot : late_slot_q), .drain_all_i(1'b0),
      .out_valid_o(pk_out_valid), .out_slot_o(pk_slot), .out_data_o(pk_out), .res_valid_i(pk_res), .res_pop_i(pk_pop), .level_o(pk_lvl_unused), .idle_o(pk_idle));
  logic pk_res, pk_pop;
  assign park_wait_ci = open_q && full;       // parked because of a full CQ, not of a missing record
  sync_fifo #(.WIDTH(AW), .DEPTH(4)) u_fe (
      .clk_i, .rst_ni, .in_valid_i(fill_valid_i || ci_drain_q), .in_ready_o(fe_ready_unused), .in_data_i(fill_valid_i ? fill_slot_i : slot_q),
      .out_valid_o(fe_valid), .out_ready_i(drain_ready), .out_data_o(fe_slot), .level_o(fe_lvl_unused), .almost_full_o(fe_af_unused));
  logic ci_drain_q;

  // ---- what to do next ----
  logic [1:0]  n_kind;
  logic [23:0] n_cqn;
  logic        n_valid, n_same;
  always_comb begin
    n_valid = 1'b1;
    n_kind  = W_CQE;
    n_cqn   = pick1 ? r1.cqn : r0.cqn;
    if (cir_valid_i) begin
      n_kind = W_CI;
      n_cqn  = cir_cqn_i;
    end else if (pk_out_valid) begin
      n_kind = W_PARKED;
      n_cqn  = rp.cqn;
    end else if (arm_valid_i && (turn_q || !any_cqe)) begin
      n_kind = W_ARM;
      n_cqn  = arm_cqn_i;
    end else if (!any_cqe) begin
      n_valid = 1'b0;
    end
  end
  assign n_same  = open_q && n_cqn == cqn_q;
  assign fw_go_o = fw_want_i && q_q == Q_IDLE && !open_q;

  // In Q_OPEN the record is there: the item is done, or goes to one more state.
  logic o_drop, o_cqe, o_park, o_over;
  logic behind;                        // others of this CQ wait already
  assign behind = kind_q == W_CQE && pk_waiting;
  assign o_drop = (kind_q == W_CQE || kind_q == W_PARKED) && in_error;
  assign o_cqe  = (kind_q == W_CQE || kind_q == W_PARKED) && !in_error && !full && !behind;
  assign o_over = kind_q == W_PARKED && !in_error && full && tried_q;
  assign o_park = (kind_q == W_CQE || kind_q == W_PARKED) && !in_error && !o_cqe && !o_over;

  logic item_done;                     // the item leaves its source
  assign item_done = (q_q == Q_OPEN && (o_drop || kind_q == W_ARM || kind_q == W_CI)) || (q_q == Q_CQE && wr_ready_i)
                     || (q_q == Q_PARK && kind_q == W_CQE && park_push && pk_push_ready) || (q_q == Q_ANSWER && lkr_valid_i && gone);
  logic gone;                          // the record does not exist any more
  assign gone = lkr_status_i != cairn_hw_pkg::CTX_RESULT_OK && lkr_status_i != cairn_hw_pkg::CTX_RESULT_WAITING && lkr_status_i != cairn_hw_pkg::CTX_RESULT_RETRY;
  assign cqe_ready_o = (item_done && kind_q == W_CQE) ? (src_q ? 2'b10 : 2'b01) : 2'b00;
  assign arm_ready_o = item_done && kind_q == W_ARM;
  assign cir_ready_o = item_done && kind_q == W_CI;
  // A parked one is answered: gone, or it stays first in its list until the next drain.
  assign pk_res = pk_out_valid && kind_q == W_PARKED && (item_done || (q_q == Q_PARK) || (q_q == Q_OPEN && o_over)
                  || (q_q == Q_ANSWER && lkr_valid_i && !gone && lkr_status_i != cairn_hw_pkg::CTX_RESULT_OK));
  assign pk_pop = item_done || (q_q == Q_OPEN && o_over);

  assign lk_valid_o = q_q == Q_LOOK;
  assign lk_key_o   = cqn_q;
  assign rec_slot_o = slot_q;
  assign ow_valid_o = q_q == Q_CLOSE && dirty_q;
  assign ow_slot_o  = slot_q;
  assign ow_data_o  = c_q;
  assign unpin_valid_o = q_q == Q_CLOSE || (q_q == Q_ANSWER && lkr_valid_i && lkr_status_i == cairn_hw_pkg::CTX_RESULT_WAITING);
  assign unpin_slot_o  = q_q == Q_CLOSE ? slot_q : lkr_slot_i;

  logic [4:0] pause_q;                 // between tries of a lookup that must wait
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      q_q        <= Q_IDLE;
      open_q     <= 1'b0;
      dirty_q    <= 1'b0;
      turn_q     <= 1'b0;
      late_q     <= 1'b0;
      ci_drain_q <= 1'b0;
      cq_error_done_q <= 1'b0;
      pause_q    <= '0;
    end else begin
      ci_drain_q <= 1'b0;
      if (pause_q != '0) pause_q <= pause_q - 1'b1;
      if (late_q && !fe_valid && drain_ready) late_q <= 1'b0;
      case (q_q)
        Q_IDLE: begin
          cq_error_done_q <= 1'b0;
          if (fw_want_i) begin
            if (open_q) q_q <= Q_CLOSE;
          end else if (n_valid && (n_same || pause_q == '0)) begin
            kind_q  <= n_kind;
            src_q   <= pick1;
            r_q     <= n_kind == W_PARKED ? rp : pick1 ? r1 : r0;
            tried_q <= pk_out[CW] && n_kind == W_PARKED;
            turn_q  <= !turn_q;
            if (n_same) begin
              q_q      <= Q_OPEN;
              p_slot_q <= slot_q;
            end else begin
              next_q <= n_cqn;
              q_q    <= open_q ? Q_CLOSE : Q_LOOK;
              if (!open_q) cqn_q <= n_cqn;
            end
          end
        end
        Q_CLOSE: begin
          open_q  <= 1'b0;
          dirty_q <= 1'b0;
          cqn_q   <= next_q;
          q_q     <= fw_want_i ? Q_IDLE : Q_LOOK;
        end
        Q_LOOK:   if (lk_ready_i) q_q <= Q_ANSWER;
        Q_ANSWER: if (lkr_valid_i) begin
          p_slot_q <= lkr_slot_i;
          slot_q   <= lkr_slot_i;
          if (lkr_status_i == cairn_hw_pkg::CTX_RESULT_OK) begin
            q_q <= Q_REC;
          end else if (lkr_status_i == cairn_hw_pkg::CTX_RESULT_WAITING && kind_q == W_CQE) begin
            q_q <= Q_PARK;
          end else begin
            q_q     <= Q_IDLE;
            pause_q <= 5'd16;
          end
        end
        Q_REC: q_q <= Q_REC2;
        Q_REC2: begin
          c_q    <= rec_data_i;
          open_q <= 1'b1;
          q_q    <= Q_OPEN;
        end
        Q_OPEN: begin
          q_q <= Q_IDLE;
          if (o_cqe) q_q <= Q_CQE;
          else if (o_park) q_q <= Q_PARK;
          else if (o_over) begin
            q_q             <= Q_ERROR;
            c_q.flags_err   <= 1'b1;
            dirty_q         <= 1'b1;
          end else if (kind_q == W_ARM && !in_error && !arm_dup) begin
            c_q.flags_arm_seq       <= arm_seq;
            c_q.flags_arm_solicited <= arm_sol;
            c_q.flags_armed         <= !arm_fire;
            c_q.flags_event_out     <= arm_fire;
            dirty_q                 <= 1'b1;
            if (arm_fire) q_q <= Q_FIRE;
          end else if (kind_q == W_CI) begin
            // An index behind our copy or past what was written is the consumer's mistake: ignored.
            if (!cir_err_i && (cir_index_i - c_q.ci) <= used) begin
              c_q.ci  <= cir_index_i;
              dirty_q <= 1'b1;
            end
            ci_drain_q <= 1'b1;
          end
        end
        Q_CQE: if (wr_ready_i) begin
          c_q.pi  <= c_q.pi + 1'b1;
          dirty_q <= 1'b1;
          if (r_q.event_sol) c_q.sol_pi <= c_q.pi + 1'b1;
          if (fires) begin
            c_q.flags_armed     <= 1'b0;
            c_q.flags_event_out <= 1'b1;
            q_q <= Q_EVENT;
          end else begin
            q_q <= Q_IDLE;
          end
        end
        Q_EVENT, Q_FIRE: if (eqe_ready_i) q_q <= Q_IDLE;
        Q_PARK: begin
          // A new one joins the list; one that came from it stays where it is. A full CQ is looked at again when its consumer index has come.
          if (kind_q == W_PARKED) q_q <= Q_IDLE;
          else if (park_push && pk_push_ready) begin
            q_q <= Q_IDLE;
            if (!open_q && !fq_filling_i) begin
              late_q      <= 1'b1;       // the record came meanwhile
              late_slot_q <= p_slot_q;
            end
          end
        end
        Q_ERROR: begin
          if (eqe_ready_i && !cq_error_done_q) cq_error_done_q <= 1'b1;
          if (cq_error_done_q && cq_error_ready_i) q_q <= Q_IDLE;
        end
        default: q_q <= Q_IDLE;
      endcase
    end
  end
  localparam logic [3:0] Q_REC2 = 4'd11;
  logic [23:0] next_q;

  assign cnt_cqe_written_o = wr_valid_o && wr_ready_i;
  assign cnt_cqe_flush_o   = cnt_cqe_written_o && r_q.status == cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
  assign cnt_cqe_err_o     = cnt_cqe_written_o && r_q.status != cairn_hw_pkg::WC_STATUS_SUCCESS && r_q.status != cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR
                             && r_q.flags[2];
  assign cnt_cq_overflow_o = q_q == Q_OPEN && o_over;
  assign idle_o = q_q == Q_IDLE && !n_valid && !fw_want_i && !fe_valid && !late_q && !ci_drain_q && pk_idle;
endmodule
