// SPDX-License-Identifier: Apache-2.0
// First stage of the responder: judges a request packet (rsp_judge), without waiting for memory and without changing
// any record. Nothing is dropped here, so cells and pins have one place to go (rsp_commit).
//
// A receive WQE is counted from the doorbell's producer index: RNR never means "not fetched yet".
// Pipeline: the packet is taken and its state read; the state is chosen; the packet is judged; its record is offered.
//   A packet is taken while the one before it is judged.
// FAST = 0: the state that a packet leaves is in the RAM, in words, before that of the next one is read there. One that
//   moves no state leaves none there: until one does, the committed state is the one to judge by.
// State: a packet is judged by the state after all packets of its QP before it: the private state here while some are
//   between this stage and rsp_commit (counters up here, down there), otherwise the committed qp_rsp part. Both are
//   sampled in the same cycle, and again while the packet has to wait for the one before it. What the packet before
//   leaves behind is not in the private state yet: it is forwarded.
// SRQ: the slot is taken in the cycle of the judgement, which follows the look.
// Share: (over) of the packets and cells that are past qp_lookup and this stage, a QP holds no more than are left to
//   all others, and MIN_PACKETS and MIN_CELLS in any case; one QP alone so has half. What comes beyond is dropped as if
//   the wire had lost it, passes those of its QP that wait, and is counted there (rsp_commit).
// Cycles: one packet in 2 (FAST = 0: 8); one of an SRQ waits 2 more now and then while srq_state changes a record
//   otherwise.
// Errors: see rsp_judge.
module rsp_check #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned INFLIGHT = 256,      // packets past qp_lookup
    parameter int unsigned CELLS = 1024,
    parameter logic [31:0] FEATURES = '1,       // as REG FEATURES
    parameter bit          FAST = 1'b1,         // 0: a packet in 8 cycles at least
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned LEFT_W = $clog2(INFLIGHT + 1),
    localparam int unsigned CELL_N = $clog2(CELLS + 1)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [31:0]                      features_i,  // REG FEATURES
    // packets from rx_dispatch
    input  logic                             pkt_valid_i,
    output logic                             pkt_ready_o,
    input  cairn_int_pkg::rx_pkt_t           pkt_i,
    // RQ producer index and qp_rsp part, one cycle; or the part when it is there (rd_ok_i)
    output logic [cairn_int_pkg::SLOT_W-1:0] rd_slot_o,
    output logic                             rd_asks_o,
    input  logic                             rd_ok_i,
    input  cairn_hw_pkg::qp_rsp_t            rsp_i,
    output logic                             rq_rd_o,     // the index is read in this cycle
    output logic [23:0]                      rq_rd_qpn_o,
    input  logic [15:0]                      rq_rd_pi_i,
    // shared receive queues (srq_state)
    output cairn_int_pkg::srq_look_t         srq_o,
    input  cairn_int_pkg::srq_next_t         srq_i,
    // rsp_commit has finished a packet of this slot
    input  logic                             down_valid_i,
    input  logic [AW-1:0]                    down_slot_i,
    input  logic [4:0]                       down_cells_i,
    input  logic [LEFT_W-1:0]                left_i,      // packets that may still pass qp_lookup
    // records
    output logic                             rec_valid_o,
    input  logic                             rec_ready_i,
    output cairn_int_pkg::rsp_rec_t          rec_o,
    output logic [AW-1:0]                    next_slot_o,  // rec_o's in the next cycle
    output logic                             idle_o
);
  localparam int unsigned CNT_W = LEFT_W;

  // ---- a packet is taken; its state comes one cycle later, then it is judged ----
  logic                    init_q;
  logic [AW-1:0]           init_slot_q;
  logic                    sampled, take, look, look_q, first_q, judge_q, judged_q, rec_q_valid, go, use_srq, room;
  logic                    ruling_q, ruled, moves, moves_q;    // FAST = 0: the questions are answered
  logic [AW-1:0]           slot, look_slot;
  cairn_int_pkg::rx_meta_t meta, m_q;
  cairn_hw_pkg::qp_cfg_t   cfg_q;
  cairn_int_pkg::rsp_rec_t rec_d, rec_q;
  assign meta        = pkt_i.meta;
  assign slot        = m_q.slot[AW-1:0];
  assign pkt_ready_o = !init_q && !look_q && (FAST || !(ruling_q || judge_q || judged_q));
  assign take        = pkt_valid_i && pkt_ready_o;
  // The record before it has left, or leaves: the judgement itself never waits.
  assign use_srq     = FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB] && cfg_q.state_use_srq;
  assign room        = FAST ? !rec_q_valid || rec_ready_i : !rec_q_valid && !judge_q && !judged_q;
  assign go          = look_q && rd_ok_i && room && sampled && loaded && !(FAST && use_srq && srq_i.hold);
  assign ruled       = FAST ? go : ruling_q && !(use_srq && srq_i.hold);
  assign look        = take || (look_q && !go);
  assign look_slot   = look_q ? slot : meta.slot[AW-1:0];
  assign rd_slot_o   = look_q ? m_q.slot : meta.slot;
  assign rd_asks_o   = look_q && (FAST || !first_q);     // (what is asked for in turn comes no sooner than the words)
  assign rq_rd_o     = take;
  assign rq_rd_qpn_o = meta.qpn;

  // ---- packets between here and the commit ----
  logic              flying;
  logic [CELL_N-1:0] cells_all_q, cells_held, cells_left;
  logic [CNT_W-1:0]  held;
  logic [4:0]        m_cells, gone_cells;
  logic              gone;           // a packet that is over has been counted
  assign m_cells = m_q.has_cells ? cairn_fn_pkg::rx_cells(m_q.pay_len, m_q.pay_off) : '0;
  if (FAST) begin : g_counts
    assign sampled = 1'b1;
    rsp_shares #(.SLOTS(SLOTS), .CNT_W(CNT_W), .CELL_N(CELL_N)) u_shares (
        .clk_i, .rst_ni, .init_i(init_q), .init_slot_i(init_slot_q), .look_i(look), .look_slot_i(look_slot),
        .flying_o(flying), .held_o(held), .cells_o(cells_held), .judge_i(judge_q), .judge_slot_i(slot),
        .cells_i(m_cells), .down_valid_i, .down_slot_i, .down_cells_i, .gone_o(gone), .gone_cells_o(gone_cells));
  end else begin : g_held
    logic init_unused;         // over with init_q
    rsp_held #(.SLOTS(SLOTS), .CNT_W(CNT_W), .CELL_N(CELL_N)) u_held (
        .clk_i, .rst_ni, .init_o(init_unused), .look_i(look), .look_slot_i(look_slot), .sampled_o(sampled),
        .moved_o(flying), .held_o(held), .cells_o(cells_held), .go_i(go || ruling_q), .judge_i(judge_q),
        .judge_slot_i(slot), .moves_i(moves), .cells_i(m_cells), .down_valid_i, .down_slot_i, .down_cells_i);
    assign {gone, gone_cells} = {down_valid_i, down_cells_i};
  end

  // ---- what the QP holds ----
  // More than the stages behind hold of one that does not wait; two packets of the longest.
  localparam int unsigned MIN_PACKETS = 8, MIN_CELLS = 34;
  logic              over_q;
  assign cells_left = (cells_all_q < CELL_N'(CELLS)) ? CELL_N'(CELLS) - cells_all_q : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cells_all_q <= '0;
    else cells_all_q <= cells_all_q + (judge_q ? CELL_N'(m_cells) : '0) - (gone ? CELL_N'(gone_cells) : '0);
    over_q <= (held >= CNT_W'(MIN_PACKETS) && held > CNT_W'(left_i))
              || (m_cells != '0 && cells_held >= CELL_N'(MIN_CELLS) && cells_held > cells_left);
  end

  // ---- state: of the packet before it, which is not in the RAM yet; private; committed ----
  cairn_int_pkg::rsp_state_t priv_rd, committed, st, st_q, priv_d, priv_q;
  logic                      before_q, loaded;
  if (FAST) begin : g_priv
    ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_STATE_W), .DEPTH(SLOTS), .BYPASS(2)) u_priv (
        .clk_i, .we_i(judged_q), .waddr_i(rec_q.id.slot[AW-1:0]), .wdata_i(priv_q),
        .re_i(look), .raddr_i(look_slot), .rdata_o(priv_rd));
    assign loaded = 1'b1;
    logic unused;
    assign unused = moves_q;
  end else begin : g_words
    // Read from the cycle on in which the packet is taken, written from the one behind its judgement on.
    localparam int unsigned WORDS = 4, WORD_W = (cairn_int_pkg::RSP_STATE_W + WORDS - 1) / WORDS;
    logic [1:0]              get_q, put_q;
    logic                    read, more_q, loaded_q, we;
    logic [WORD_W-1:0]       word_in, word;
    logic [3*WORD_W-1:0]     words_q;           // those before the last
    logic [WORDS*WORD_W-1:0] priv;
    assign read    = take || more_q;
    assign we      = (judged_q && moves_q) || put_q != '0;
    assign priv    = (WORDS*WORD_W)'(priv_q);
    assign priv_rd = {word[cairn_int_pkg::RSP_STATE_W-3*WORD_W-1:0], words_q};
    assign loaded  = loaded_q;
    always_comb begin
      word_in = '0;
      for (int unsigned i = 0; i < WORDS; i++) if (put_q == 2'(i)) word_in = priv[WORD_W*i +: WORD_W];
    end
    ram_1r1w #(.WIDTH(WORD_W), .DEPTH(SLOTS * WORDS), .BYPASS(2)) u_priv (
        .clk_i, .we_i(we), .waddr_i({rec_q.id.slot[AW-1:0], put_q}), .wdata_i(word_in),
        .re_i(read), .raddr_i({look_slot, get_q}), .rdata_o(word));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        get_q    <= '0;
        put_q    <= '0;
        more_q   <= 1'b0;
        loaded_q <= 1'b0;
      end else begin
        if (read) get_q <= get_q + 1'b1;
        if (we) put_q <= put_q + 1'b1;
        more_q   <= take || (more_q && get_q != 2'(WORDS - 1));
        loaded_q <= (more_q && get_q == 2'(WORDS - 1)) || (loaded_q && !go);
      end
      if (more_q) words_q <= {word, words_q[3*WORD_W-1:WORD_W]};
    end
  end
  assign committed = {rsp_i.epsn, rsp_i.flags_msg, rsp_i.remaining, rsp_i.va, rsp_i.rkey, rsp_i.write_len,
                      rsp_i.rq_rq_index, rsp_i.epsn_res_tail, rsp_i.rq_srq_slot, 1'b0};
  assign st        = (FAST && before_q) ? priv_q : flying ? priv_rd : committed;

  // What of the message comes before this packet, or is still to come
  logic        f_start, f_write, f_read, f_atomic, sync_q;
  logic [31:0] pos, pos_q;
  logic [23:0] npsn_q, ahead;
  logic [32:0] sum;
  cairn_int_pkg::rsp_asks_t asks, asks_q;
  logic [15:0] pi_q;
  cairn_hw_pkg::qp_rsp_t rsp_q;
  assign f_start  = m_q.opflags[cairn_pkt_pkg::OPF_START];
  assign f_write  = m_q.opflags[cairn_pkt_pkg::OPF_WRITE];
  assign f_read   = m_q.opflags[cairn_pkt_pkg::OPF_READ];
  assign f_atomic = m_q.opflags[cairn_pkt_pkg::OPF_ATOMIC];
  assign pos      = f_read ? m_q.len : f_atomic ? 32'd8 : !f_start ? st.rem : f_write ? m_q.len : '0;
  assign ahead    = m_q.psn - st.psn;
  assign sum      = {1'b0, pos} + 33'(m_q.pay_len);
  assign asks     = {m_q.psn == st.psn, ahead[23], pos > cairn_hw_pkg::MAX_MSG_BYTES, pos == 32'(m_q.pay_len),
                     pos > 32'(m_q.pay_len), sum > 33'(cairn_hw_pkg::MAX_MSG_BYTES)};

  rsp_judge #(.FEATURES(FEATURES), .FAST(FAST)) u_judge (
      .clk_i, .features_i, .m_i(m_q), .cfg_i(cfg_q), .rsp_i(rsp_q), .st_i(st_q), .asks_i(asks_q), .pos_i(pos_q),
      .npsn_i(npsn_q), .sync_i(sync_q), .over_i(over_q), .pi_i(pi_q), .srq_i, .rec_o(rec_d),
      .moves_o(moves), .state_o(priv_d));

  // A look right behind the state, once; the answer is there for the judgement.
  assign srq_o.valid = ruled && use_srq;
  assign srq_o.srqn  = FAST ? rsp_i.srqn[15:0] : rsp_q.srqn[15:0];
  assign srq_o.take  = judge_q && rec_d.take && rec_d.srq.valid;

  assign next_slot_o = judge_q ? slot : rec_q.id.slot[AW-1:0];
  assign rec_valid_o = rec_q_valid;
  assign rec_o       = rec_q;
  assign idle_o      = !init_q && !pkt_valid_i && !look_q && !ruling_q && !judge_q && !rec_q_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      look_q      <= 1'b0;
      ruling_q    <= 1'b0;
      judge_q     <= 1'b0;
      judged_q    <= 1'b0;
      rec_q_valid <= 1'b0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
      look_q      <= look;
      ruling_q    <= !FAST && (go || (ruling_q && !ruled));
      judge_q     <= ruled;
      judged_q    <= judge_q;
      rec_q_valid <= judge_q || (rec_q_valid && !rec_ready_i);
    end
    first_q <= take;
    if (take) begin
      m_q   <= pkt_i.meta;
      cfg_q <= pkt_i.cfg;
    end
    if (look) begin
      before_q <= (judge_q && slot == look_slot) || (judged_q && rec_q.id.slot[AW-1:0] == look_slot);
    end
    if (first_q) pi_q <= rq_rd_pi_i;
    if (go) begin
      st_q   <= st;
      sync_q <= !(FAST && before_q) && !flying;
      rsp_q  <= rsp_i;
      pos_q  <= pos;
      asks_q <= asks;
      npsn_q <= m_q.psn + (f_read ? cairn_fn_pkg::packets(m_q.len, cfg_q.state_pmtu) : 24'h1);
    end
    if (judge_q) begin
      rec_q   <= rec_d;
      priv_q  <= priv_d;
      moves_q <= moves;
    end
  end
endmodule
