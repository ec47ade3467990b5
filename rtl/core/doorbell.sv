// SPDX-License-Identifier: Apache-2.0
// Doorbells: 64-bit stores to BAR2 land here, one in every cycle, and change nothing but on-chip tables.
//
// So a doorbell never waits for a context or for memory, and cannot be lost (docs/rtl/queues.md).
// Owns: for each send, receive and shared receive queue: valid, error bit, owning page, producer index (16 bits,
//   free-running). For each CQ: owning page and the last arm word. For each EQ: owning page; the consumer word goes on
//   at once.
// Taken: if its page owns the object and, for producer indices, if the index is 1 to 2^15 - 1 ahead of the stored one
//   (0 ahead: a repetition, ignored without blame).
// Kicks: SQ: the scheduler, or sq_early in its place (doorbell_posted), or the walker when the queue is in error.
//   RQ in error: rsp_tx. SRQ: a strobe with the index (srq_state). CQ arm: a pend_queue's output with the word. Kicks
//   are merged in pend_queues here.
// Push: a block in the push window goes with its doorbell to doorbell_push, which hands it to wqe_fetch under the
//   generation that firmware opened the send queue with.
// Firmware: OPEN, CLOSE, ERROR, READ of one entry go through the same pipeline, between doorbells.
// Errors: wrong doorbells change nothing, are counted and reported; of those that come before a report is taken only
//   the first.
module doorbell #(
    parameter int unsigned QPS_LOG2  = 10,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned CQS_LOG2  = 10,
    parameter bit          EARLY     = 1'b1,        // there is an sq_early
    parameter logic [31:0] FEATURES  = '1           // as REG FEATURES: SRQs and the push window may be left out
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           enable_i,    // 0: doorbells are dropped without blame
    input  logic                           halt_i,      // fence: arms wait
    // from pcie_tlp
    input  cairn_int_pkg::doorbell_t       db_i,
    // firmware
    input  cairn_int_pkg::db_op_t          op_i,
    output logic                           op_ready_o,  // done; op_index_o valid for READ
    output logic [15:0]                    op_index_o,
    // producer indices, one cycle after the number
    input  cairn_int_pkg::sq_readers_t     sq_rd_i,
    output cairn_int_pkg::sq_indices_t     sq_rd_o,
    input  logic [23:0]                    rq_rd_qpn_i,
    output logic [15:0]                    rq_rd_pi_o,
    // pushed blocks for wqe_fetch
    output cairn_int_pkg::pushed_t         pushed_o,
    input  logic                           pushed_ready_i,
    input  logic                           pushed_taken_i,
    // strobe: an SRQ doorbell was taken
    output cairn_int_pkg::srq_doorbell_t   srq_o,
    // kicks
    output cairn_int_pkg::kick_t           kick_sq_o,
    input  logic                           kick_sq_ready_i,
    output cairn_int_pkg::sq_posted_t      posted_o,    // in place of a kick
    input  logic                           posted_ready_i,
    output cairn_int_pkg::kick_t           kick_cmp_o,
    input  logic                           kick_cmp_ready_i,
    output cairn_int_pkg::kick_t           kick_rsp_o,
    input  logic                           kick_rsp_ready_i,
    // CQ arms for cqe_write: ci[15:0], seq[17:16], solicited[18]
    output cairn_int_pkg::cq_arm_t         arm_o,
    input  logic                           arm_ready_i,
    // EQ consumer words for eqe_write; a strobe (latest word of an EQ is all that counts)
    output cairn_int_pkg::eq_doorbell_t    eq_o,
    output cairn_int_pkg::bad_doorbell_t   bad_o,       // wrong doorbells; a strobe
    output cairn_hw_pkg::doorbell_events_t events_o,
    // forget: generations begin again: blocks on chip may be of the round before
    output logic                           forget_o,
    output logic                           idle_o
);
  localparam int unsigned EW = 26;      // valid, error, page, index
  localparam logic [2:0] K_SQ = cairn_hw_pkg::DB_TABLE_SQ, K_RQ = cairn_hw_pkg::DB_TABLE_RQ,
                         K_SRQ = cairn_hw_pkg::DB_TABLE_SRQ,
                         K_CQ = cairn_hw_pkg::DB_TABLE_CQ, K_EQ = cairn_hw_pkg::DB_TABLE_EQ, K_NONE = 3'd7;
  localparam int unsigned NUM_LSB = cairn_hw_pkg::DOORBELL_WORD_NUMBER_LSB;

  // Few objects: send queues, receive queues and CQs are one table, one behind the other.
  localparam bit          SHARED = QPS_LOG2 < 9 && CQS_LOG2 < 9;
  localparam int unsigned ALL_W  = $clog2((2 << QPS_LOG2) + (1 << CQS_LOG2));
  localparam int unsigned INIT_Q = SHARED ? ALL_W : (QPS_LOG2 > CQS_LOG2) ? QPS_LOG2 : CQS_LOG2;
  localparam int unsigned INIT_W = (INIT_Q > 5) ? INIT_Q : 5;

  // ---- decode ----
  // The push window's last quadword is the SQ doorbell; other parts, should a write-combining buffer be flushed in
  // pieces, are WQE bytes and not used.
  localparam logic [11:0] PUSH_LAST = 12'(cairn_hw_pkg::DB_PUSH) + 12'd56;
  logic        in_part;
  assign in_part = db_i.offset[11:6] == PUSH_LAST[11:6] && db_i.offset != PUSH_LAST;
  logic [2:0]  in_kind;
  always_comb begin
    case (db_i.offset)
      12'(cairn_hw_pkg::DB_SQ):     in_kind = K_SQ;
      12'(cairn_hw_pkg::DB_RQ):     in_kind = K_RQ;
      12'(cairn_hw_pkg::DB_SRQ):    in_kind = K_SRQ;
      12'(cairn_hw_pkg::DB_CQ_ARM): in_kind = K_CQ;
      12'(cairn_hw_pkg::DB_EQ):     in_kind = K_EQ;
      PUSH_LAST:                    in_kind = K_SQ;
      default:                      in_kind = K_NONE;
    endcase
  end

  // Doorbells come at most one a cycle; the FIFO covers the cycles that firmware takes.
  logic [4:0]    q_level;
  logic          init_q, q_ready, q_valid, q_pop, in_db, in_push, push_room;
  // No queue is open while the tables are cleared, and nothing leaves this FIFO.
  assign in_db   = db_i.valid && enable_i && !in_part && !init_q;
  assign in_push = in_db && db_i.pushed && push_room;
  cairn_int_pkg::db_queued_t in, q;
  assign in = {db_i.offset == PUSH_LAST, in_push, in_kind, db_i.page, db_i.data[NUM_LSB +: 24], db_i.data[19:0]};
  sync_fifo_level #(.WIDTH(cairn_int_pkg::DB_QUEUED_W), .DEPTH(16)) u_q (
      .clk_i, .rst_ni, .in_valid_i(in_db), .in_ready_o(q_ready),
      .in_data_i(in),
      .out_valid_o(q_valid), .out_ready_i(q_pop), .out_data_o(q), .level_o(q_level)
  );

  // ---- stage 0: read the entry ----
  logic [INIT_W-1:0] init_idx_q;   // wide enough for every table
  logic        s0_fw;
  logic        s0_valid;
  logic [2:0]  s0_kind;
  logic [7:0]  s0_page;
  logic [23:0] s0_num;
  logic [19:0] s0_word;
  logic        s0_window, s0_push;   // of the push window; with a block
  logic        fw_in_q;    // firmware's operation is in stage 1
  assign s0_fw    = op_i.valid && !fw_in_q && !op_ready_o && q_level < 5'd12 && !init_q;
  assign q_pop    = !s0_fw && !init_q;
  assign s0_valid = s0_fw || (q_valid && q_pop);
  assign s0_kind  = s0_fw ? op_i.kind : q.kind;
  assign s0_page  = s0_fw ? op_i.page : q.page;
  assign s0_num   = s0_fw ? op_i.number : q.number;
  assign s0_word  = s0_fw ? '0 : q.word;
  assign {s0_window, s0_push} = s0_fw ? 2'b00 : {q.window, q.pushed};

  // ---- tables: {valid, error, page, index}; all written in stage 1 only ----
  logic          s1_we_sq, s1_we_rq, s1_we_srq, s1_we_cq, s1_we_eq;
  logic [23:0]   s1_num;
  logic [EW-1:0] s1_new;
  logic [EW-1:0] sq_cur, rq_cur, srq_cur, cq_cur, eq_cur;
  logic [23:0]   w_num;
  logic [EW-1:0] w_new;
  assign w_num = init_q ? 24'(init_idx_q) : s1_num;
  assign w_new = init_q ? '0 : s1_new;

  if (SHARED) begin : g_shared
    logic [ALL_W-1:0] s0_at, s1_at_q;
    logic [EW-1:0]    all_cur;
    assign s0_at = (s0_kind == K_CQ) ? ALL_W'(2 << QPS_LOG2) + ALL_W'(s0_num[CQS_LOG2-1:0])
                                     : ALL_W'({s0_kind == K_RQ, s0_num[QPS_LOG2-1:0]});
    always_ff @(posedge clk_i) s1_at_q <= s0_at;
    ram_1r1w #(.WIDTH(EW), .DEPTH(1 << ALL_W), .BYPASS(1)) u_all (
        .clk_i, .we_i(init_q || s1_we_sq || s1_we_rq || s1_we_cq), .waddr_i(init_q ? init_idx_q[ALL_W-1:0] : s1_at_q),
        .wdata_i(w_new), .re_i(1'b1), .raddr_i(s0_at), .rdata_o(all_cur));
    assign {sq_cur, rq_cur, cq_cur} = {3{all_cur}};
  end else begin : g_apart
    ram_1r1w #(.WIDTH(EW), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_sq (
        .clk_i, .we_i(init_q || s1_we_sq), .waddr_i(w_num[QPS_LOG2-1:0]), .wdata_i(w_new),
        .re_i(1'b1), .raddr_i(s0_num[QPS_LOG2-1:0]), .rdata_o(sq_cur));
    ram_1r1w #(.WIDTH(EW), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_rq (
        .clk_i, .we_i(init_q || s1_we_rq), .waddr_i(w_num[QPS_LOG2-1:0]), .wdata_i(w_new),
        .re_i(1'b1), .raddr_i(s0_num[QPS_LOG2-1:0]), .rdata_o(rq_cur));
    ram_1r1w #(.WIDTH(EW), .DEPTH(1 << CQS_LOG2), .BYPASS(1)) u_cq (
        .clk_i, .we_i(init_q || s1_we_cq), .waddr_i(w_num[CQS_LOG2-1:0]), .wdata_i(w_new),
        .re_i(1'b1), .raddr_i(s0_num[CQS_LOG2-1:0]), .rdata_o(cq_cur));
  end
  if (FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB]) begin : g_srq
    ram_1r1w #(.WIDTH(EW), .DEPTH(1 << SRQS_LOG2), .BYPASS(1)) u_srq (
        .clk_i, .we_i(init_q || s1_we_srq), .waddr_i(w_num[SRQS_LOG2-1:0]), .wdata_i(w_new),
        .re_i(1'b1), .raddr_i(s0_num[SRQS_LOG2-1:0]), .rdata_o(srq_cur));
  end else begin : g_no_srq
    assign srq_cur = '0;                 // none is open
    logic unused;
    assign unused = s1_we_srq;
  end
  ram_1r1w #(.WIDTH(EW), .DEPTH(32), .BYPASS(1)) u_eq (
      .clk_i, .we_i(init_q || s1_we_eq), .waddr_i(w_num[4:0]), .wdata_i(w_new),
      .re_i(1'b1), .raddr_i(s0_num[4:0]), .rdata_o(eq_cur));

  // Copies of the producer indices for the engines.
  logic [2*24-1:0] sq_rd;
  logic [2*16-1:0] sq_pi;
  assign sq_rd   = {sq_rd_i.walk, sq_rd_i.req};
  assign sq_rd_o = {sq_pi[15:0], sq_pi[31:16]};
  for (genvar g = 0; g < 2; g++) begin : g_sq_rd
    ram_1r1w #(.WIDTH(16), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_pi (
        .clk_i, .we_i(init_q || s1_we_sq), .waddr_i(w_num[QPS_LOG2-1:0]), .wdata_i(w_new[15:0]),
        .re_i(1'b1), .raddr_i(sq_rd[24*g +: QPS_LOG2]), .rdata_o(sq_pi[16*g +: 16]));
  end
  ram_1r1w #(.WIDTH(16), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_rq_pi (
      .clk_i, .we_i(init_q || s1_we_rq), .waddr_i(w_num[QPS_LOG2-1:0]), .wdata_i(w_new[15:0]),
      .re_i(1'b1), .raddr_i(rq_rd_qpn_i[QPS_LOG2-1:0]), .rdata_o(rq_rd_pi_o));

  // ---- stage 1: check, write, kick ----
  logic        s1_valid_q, s1_fw_q;
  logic [2:0]  s1_kind_q;
  logic [7:0]  s1_page_q;
  logic [19:0] s1_word_q;
  logic [23:0] s1_num_q;
  logic [1:0]  s1_op_q;
  logic [7:0]  s1_gen_q;
  logic        s1_window_q, s1_push_q;
  logic [EW-1:0] cur;
  logic        own, is_pi, ahead, same, repeat_pi, taken, host;
  logic [15:0] delta;
  assign s1_num = s1_num_q;
  // Which table it is of was found out before its entries came; a number beyond it has none.
  logic [4:0] s1_of_q;
  logic       in_range_q;
  assign cur = ({EW{s1_of_q[0]}} & sq_cur) | ({EW{s1_of_q[1]}} & rq_cur) | ({EW{s1_of_q[2]}} & srq_cur)
               | ({EW{s1_of_q[3]}} & cq_cur) | ({EW{s1_of_q[4]}} & eq_cur);
  assign host      = s1_valid_q && !s1_fw_q && s1_kind_q != K_NONE;
  assign own       = in_range_q && cur[25] && cur[23:16] == s1_page_q;
  assign is_pi     = s1_of_q[2:0] != '0;
  assign delta     = s1_word_q[15:0] - cur[15:0];
  assign same      = s1_word_q[15:0] == cur[15:0];
  assign repeat_pi = is_pi && same;
  assign ahead     = !is_pi || (!same && !delta[15]);
  assign taken     = host && own && ahead;

  always_comb begin
    s1_new = {cur[25:16], s1_word_q[15:0]};
    if (s1_fw_q) begin
      case (s1_op_q)
        cairn_hw_pkg::DB_OP_OPEN:  s1_new = {2'b10, s1_page_q, 16'h0};
        cairn_hw_pkg::DB_OP_CLOSE: s1_new = '0;
        cairn_hw_pkg::DB_OP_ERROR: s1_new = {cur[25], !s1_page_q[0], cur[23:0]};
        default:                   s1_new = cur;
      endcase
    end
  end
  logic we;
  assign we        = (taken && is_pi) || (s1_valid_q && s1_fw_q && in_range_q);
  assign {s1_we_eq, s1_we_cq, s1_we_srq, s1_we_rq, s1_we_sq} = {5{we}} & s1_of_q;

  // ---- pushed blocks ----
  assign forget_o = s1_we_sq && s1_fw_q && s1_op_q == cairn_hw_pkg::DB_OP_OPEN && s1_gen_q == 8'h1;

  logic       i_push;
  if (FEATURES[cairn_hw_pkg::REG_FEATURES_PUSH_LSB]) begin : g_push
    logic [7:0] sq_gen;
    ram_1r1w #(.WIDTH(8), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_gen (
        .clk_i, .we_i(s1_we_sq && s1_fw_q && s1_op_q == cairn_hw_pkg::DB_OP_OPEN), .waddr_i(s1_num[QPS_LOG2-1:0]),
        .wdata_i(s1_gen_q), .re_i(1'b1), .raddr_i(s0_num[QPS_LOG2-1:0]), .rdata_o(sq_gen));
    doorbell_push u_push (
        .clk_i, .rst_ni, .in_valid_i(in_db && db_i.pushed), .in_ready_o(push_room), .in_data_i(db_i.block[447:0]),
        .v_i({s1_valid_q && s1_push_q, taken && delta == 16'd1 && !cur[24], s1_num_q, sq_gen, cur[15:0]}),
        .none_i(s1_valid_q && s1_window_q && !s1_push_q),
        .out_o(pushed_o), .out_ready_i(pushed_ready_i), .out_taken_i(pushed_taken_i),
        .taken_o(events_o.push_taken),
        .ignored_o(events_o.push_ignored), .idle_o(i_push));
  end else begin : g_no_push
    // A doorbell of the window is one like others.
    logic ignored_q, unused;
    always_ff @(posedge clk_i) ignored_q <= rst_ni && s1_valid_q && s1_window_q;
    assign push_room             = 1'b0;
    assign pushed_o              = '0;
    assign events_o.push_taken   = 1'b0;
    assign events_o.push_ignored = ignored_q;
    assign i_push                = 1'b1;
    assign unused = ^{s1_push_q, pushed_ready_i, pushed_taken_i, db_i.block};
  end

  // ---- kicks ----
  logic i_sq, i_cmp, i_rsp, i_arm;
  logic [QPS_LOG2-1:0] o_sq, o_cmp, o_rsp;
  logic [CQS_LOG2-1:0] o_arm;
  logic [18:0] arm_word;
  logic        arm_v, arm_r;
  logic posted, i_posted;
  cairn_int_pkg::sq_rung_t rung;
  assign rung = {taken && s1_of_q[0] && !cur[24], s1_num_q, s1_push_q, delta[14:2] != '0, cur[5:0]};
  if (EARLY) begin : g_early
    doorbell_posted #(.QPS_LOG2(QPS_LOG2)) u_posted (
        .clk_i, .rst_ni, .init_i(init_q), .qpn0_i(s0_num[QPS_LOG2-1:0]), .rung_i(rung), .write_i(init_q || s1_we_sq),
        .write_qpn_i(w_num[QPS_LOG2-1:0]), .write_pi_i(w_new[15:0]), .retired_i(sq_rd_i.retired), .posted_o(posted),
        .out_o(posted_o), .out_ready_i(posted_ready_i), .idle_o(i_posted));
  end else begin : g_not_early
    logic unused;
    assign posted   = 1'b0;
    assign posted_o = '0;
    assign i_posted = 1'b1;
    assign unused   = ^{posted_ready_i, sq_rd_i.retired, rung};
  end
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_p_sq (
      .clk_i, .rst_ni, .kick_valid_i(rung.valid && !posted), .kick_ready_o(),
      .kick_id_i(s1_num_q[QPS_LOG2-1:0]),
      .out_valid_o(kick_sq_o.valid), .out_ready_i(kick_sq_ready_i), .out_id_o(o_sq), .idle_o(i_sq));
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_p_cmp (
      .clk_i, .rst_ni, .kick_valid_i(taken && s1_of_q[0] && cur[24]), .kick_ready_o(),
      .kick_id_i(s1_num_q[QPS_LOG2-1:0]),
      .out_valid_o(kick_cmp_o.valid), .out_ready_i(kick_cmp_ready_i), .out_id_o(o_cmp), .idle_o(i_cmp));
  pend_queue #(.ID_W(QPS_LOG2), .NSRC(1)) u_p_rsp (
      .clk_i, .rst_ni, .kick_valid_i(taken && s1_of_q[1] && cur[24]), .kick_ready_o(),
      .kick_id_i(s1_num_q[QPS_LOG2-1:0]),
      .out_valid_o(kick_rsp_o.valid), .out_ready_i(kick_rsp_ready_i), .out_id_o(o_rsp), .idle_o(i_rsp));
  pend_queue #(.ID_W(CQS_LOG2), .NSRC(1)) u_p_arm (
      .clk_i, .rst_ni, .kick_valid_i(taken && s1_of_q[3]), .kick_ready_o(),
      .kick_id_i(s1_num_q[CQS_LOG2-1:0]),
      .out_valid_o(arm_v), .out_ready_i(arm_r), .out_id_o(o_arm), .idle_o(i_arm));
  assign kick_sq_o.qpn  = 24'(o_sq);
  assign kick_cmp_o.qpn = 24'(o_cmp);
  assign kick_rsp_o.qpn = 24'(o_rsp);

  // The newest arm word is read when the CQ's turn comes; later ones of the same CQ queue it again.
  logic       arm_rd_q, arm_out_q;
  logic [CQS_LOG2-1:0] arm_id_q;
  ram_1r1w #(.WIDTH(19), .DEPTH(1 << CQS_LOG2), .BYPASS(1)) u_arm (
      .clk_i, .we_i(taken && s1_of_q[3]), .waddr_i(s1_num_q[CQS_LOG2-1:0]), .wdata_i(s1_word_q[18:0]),
      .re_i(!arm_out_q), .raddr_i(o_arm), .rdata_o(arm_word));
  assign arm_r       = arm_v && !arm_rd_q && !arm_out_q && !halt_i;
  assign arm_o.valid = arm_out_q;
  assign arm_o.cqn   = 24'(arm_id_q);
  assign arm_o.word  = arm_word;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arm_rd_q  <= 1'b0;
      arm_out_q <= 1'b0;
    end else begin
      arm_rd_q <= 1'b0;
      if (arm_r) arm_out_q <= 1'b1;
      else if (arm_ready_i) arm_out_q <= 1'b0;
    end
    if (arm_r) arm_id_q <= o_arm;
  end

  // ---- outputs ----
  logic                 srq_valid_q;
  logic [SRQS_LOG2-1:0] srq_srqn_q;
  logic [15:0]          srq_pi_q;
  assign srq_o = {srq_valid_q, 16'(srq_srqn_q), srq_pi_q};
  logic count_sq_q, count_rq_q, count_cq_q, count_bad_page_q, count_bad_index_q, count_bad_form_q;
  assign events_o.db_sq        = count_sq_q;
  assign events_o.db_rq        = count_rq_q;
  assign events_o.db_cq        = count_cq_q;
  assign events_o.db_bad_page  = count_bad_page_q;
  assign events_o.db_bad_index = count_bad_index_q;
  assign events_o.db_bad_form  = count_bad_form_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      fw_in_q     <= 1'b0;
      op_ready_o  <= 1'b0;
      eq_o.valid  <= 1'b0;
      srq_valid_q <= 1'b0;
      bad_o.valid <= 1'b0;
      init_q      <= 1'b1;
      init_idx_q  <= '0;
      {count_sq_q, count_rq_q, count_cq_q} <= '0;
      {count_bad_page_q, count_bad_index_q, count_bad_form_q} <= '0;
    end else begin
      if (init_q) begin
        init_idx_q <= init_idx_q + 1'b1;
        if (&init_idx_q) init_q <= 1'b0;
      end
      s1_valid_q        <= s0_valid;
      fw_in_q           <= s0_fw;
      op_ready_o        <= fw_in_q;
      eq_o.valid        <= taken && s1_of_q[4];
      srq_valid_q       <= taken && s1_of_q[2];
      count_sq_q        <= taken && s1_of_q[0];
      count_rq_q        <= taken && (s1_of_q[1] || s1_of_q[2]);
      count_cq_q        <= taken && s1_of_q[3];
      count_bad_page_q  <= host && !own;
      count_bad_index_q <= host && own && !ahead && !repeat_pi;
      count_bad_form_q  <= s1_valid_q && s1_kind_q == K_NONE;
      bad_o.valid       <= s1_valid_q && !s1_fw_q && !taken && !(host && own && repeat_pi);
    end
    s1_of_q   <= {s0_kind == K_EQ, s0_kind == K_CQ, s0_kind == K_SRQ, s0_kind == K_RQ, s0_kind == K_SQ};
    case (s0_kind)
      K_SQ, K_RQ: in_range_q <= s0_num[23:QPS_LOG2] == '0;
      K_SRQ:      in_range_q <= s0_num[23:SRQS_LOG2] == '0;
      K_CQ:       in_range_q <= s0_num[23:CQS_LOG2] == '0;
      K_EQ:       in_range_q <= s0_num[23:5] == '0;
      default:    in_range_q <= 1'b0;
    endcase
    s1_fw_q   <= s0_fw;
    s1_kind_q <= s0_kind;
    s1_page_q <= s0_page;
    s1_num_q  <= s0_num;
    s1_word_q <= s0_word;
    s1_op_q   <= op_i.op;
    s1_gen_q  <= op_i.gen;
    {s1_window_q, s1_push_q} <= {s0_window, s0_push};
    if (fw_in_q) op_index_o <= cur[15:0];
    srq_srqn_q  <= s1_num_q[SRQS_LOG2-1:0];
    srq_pi_q    <= s1_word_q[15:0];
    eq_o.eqn    <= s1_num_q[7:0];
    eq_o.ci     <= s1_word_q[15:0];
    eq_o.arm    <= s1_word_q[cairn_hw_pkg::DOORBELL_WORD_ARM_LSB];
    bad_o.page  <= s1_page_q;
    bad_o.cause <= s1_kind_q == K_NONE ? 7'(cairn_hw_pkg::COUNTER_DB_BAD_FORM) : !own
        ? 7'(cairn_hw_pkg::COUNTER_DB_BAD_PAGE) : 7'(cairn_hw_pkg::COUNTER_DB_BAD_INDEX);
  end
  assign idle_o = !init_q && !q_valid && !s1_valid_q && !db_i.valid && !op_i.valid && i_sq && i_cmp && i_rsp && i_arm
      && !arm_out_q && i_push && i_posted;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && db_i.valid && enable_i && !q_ready) $error("doorbell: lost, firmware starved the queue");
  end
`endif
endmodule
