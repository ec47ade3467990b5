// SPDX-License-Identifier: Apache-2.0
// Test bench of the completer: part RAMs, descriptors, a WQE store that misses, an MR service (iova = va, pages of 4
// KiB) that misses and refuses, QP cache that always hits (slot = low bits of the QPN). The test in C plays requester
// and peer. rnd_i: random bits each cycle. SHARED: the parts are read in turn, with others (ctx_turns).
module completer_tb #(
    parameter int unsigned DATA_W = 512,     // below it WQEs come in parts
    parameter int unsigned SLOTS = 16,
    parameter int unsigned DESCS = 32,
    parameter int unsigned LANES = SLOTS,    // of parked packets
    parameter int unsigned SHARED = 0
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            halt_i,
    input  logic [63:0]                     time_i,
    input  logic [31:0]                     rnd_i,
    input  logic [7:0]                      miss_i,           // of 256: MR misses, WQE blocks forgotten
    input  logic                            absent_i,         // MR requests miss, and are not filled while it stands
    input  logic                            hold_i,           // MR answers wait
    input  logic                            fill_i,           // an MR line of somebody else arrives
    input  logic                            crowded_i,        // too many completions wait
    // records: part 0 cfg, 1 req (both at once), 2 cmp
    input  logic                            host_write_valid_i,
    output logic                            host_write_ready_o,
    input  logic [1:0]                      host_write_part_i,
    input  logic [3:0]                      host_write_slot_i,
    input  logic [511:0]                    host_write_data_i,
    input  logic [3:0]                      peek_slot_i,
    output logic [511:0]                    peek_o,
    output logic [15:0]                     looks_o,          // of cmp_kick, for records
    // WQE store: 64 blocks a QP; descriptors
    input  logic                            wq_valid_i,
    input  logic                            wq_here_i,        // and is in the cache
    input  logic [9:0]                      wq_addr_i,
    input  logic [511:0]                    wq_data_i,
    input  logic                            desc_valid_i,
    input  logic [23:0]                     desc_qpn_i,
    input  logic [15:0]                     desc_index_i,
    input  logic [23:0]                     desc_first_i,
    input  logic [23:0]                     desc_next_i,
    input  logic [7:0]                      desc_op_i,
    input  logic [2:0]                      desc_blocks_i,
    input  logic                            desc_signaled_i,
    input  logic [31:0]                     desc_len_i,
    input  logic                            desc_one_i,
    input  logic [127:0]                    desc_sge_i,
    output logic [23:0]                     pi_qpn_o,
    input  logic [15:0]                     pi_i,             // one cycle later
    // packets
    input  logic                            pkt_valid_i,
    output logic                            pkt_ready_o,
    input  logic [23:0]                     pkt_qpn_i,
    input  logic [7:0]                      pkt_opcode_i,
    input  logic [23:0]                     pkt_psn_i,
    input  logic [31:0]                     pkt_aeth_i,
    input  logic [12:0]                     pkt_len_i,
    input  logic [63:0]                     pkt_orig_i,       // ATOMIC_ACK
    input  logic [11:0]                     pkt_cell_i,
    input  logic [511:0]                    pkt_cfg_i,
    output logic                            done_o,
    input  logic                            kick_valid_i,
    output logic                            kick_ready_o,
    input  logic [23:0]                     kick_qpn_i,
    input  logic                            kicked_valid_i,   // the scheduler was told of a QP
    input  logic [23:0]                     kicked_qpn_i,
    input  logic                            tmr_valid_i,
    output logic                            tmr_ready_o,
    input  logic [23:0]                     tmr_qpn_i,
    input  logic [63:0]                     tmr_deadline_i,
    // what was sent of the QP that pi_qpn_o names, one cycle later
    input  logic [7:0]                      sent_gen_i,
    input  logic [7:0]                      pkt_later_gen_i,  // how many generations later than the first
    input  logic [23:0]                     sent_psn_i,
    output logic                            next_valid_o,
    output logic [63:0]                     next_deadline_o,
    output logic                            sched_o,
    output logic                            sched_walk_o,     // of the walker
    output logic                            wr_valid_o,
    input  logic                            wr_ready_i,
    output logic [63:0]                     wr_iova_o,
    output logic [12:0]                     wr_len_o,
    output logic                            wr_free_o,
    output logic                            wr_first_o,
    output logic [11:0]                     wr_cell_o,
    output logic                            wr_payload_o,
    output logic [63:0]                     wr_data_o,
    output logic                            cqe_valid_o,
    input  logic                            cqe_ready_i,
    output logic [23:0]                     cqe_qpn_o,
    output logic [7:0]                      cqe_opcode_o,
    output logic [31:0]                     cqe_len_o,
    output logic [15:0]                     cqe_index_o,
    output logic [7:0]                      cqe_status_o,
    output logic [7:0]                      cqe_vendor_o,
    output logic                            fetch_valid_o,       // blocks asked for, up to fetch_limit_o
    output logic [23:0]                     fetch_qpn_o,
    output logic [15:0]                     fetch_limit_o,
    output logic                            eqe_valid_o,
    output logic [7:0]                      eqe_type_o,
    output logic                            qp_err_valid_o,
    output cairn_hw_pkg::completer_events_t events_o,
    input  logic                            drain_i,
    output logic                            drained_o,
    output cairn_int_pkg::tx_allow_t        allow_o,
    output logic [15:0]                     pins_o,           // packets and visits not given back
    output logic                            idle_o
);
  localparam int unsigned AW = 4;
  cairn_int_pkg::rx_meta_t m;
  always_comb begin
    m           = '0;
    m.cell_head = pkt_cell_i;
    m.has_cells = pkt_len_i != '0;
    m.pay_len   = pkt_len_i;
    m.opcode    = pkt_opcode_i;
    m.opflags   = cairn_pkt_pkg::opcode_flags(pkt_opcode_i);
    m.qpn       = pkt_qpn_i;
    m.psn       = pkt_psn_i;
    m.aeth      = pkt_aeth_i;
    m.swap_add  = pkt_orig_i;
    m.slot      = 12'(pkt_qpn_i[3:0]);
    m.gen       = 8'h5 + pkt_later_gen_i;
  end

  cairn_int_pkg::completer_use_t  use_;
  cairn_int_pkg::completer_view_t view;
  logic [3*AW-1:0]   rd_slot;
  logic [3*512-1:0]  cmp_data;
  logic [1:0]        ow_valid;
  logic [2*AW-1:0]   ow_slot;
  logic [511:0]      ow_data;
  logic [3:0]        oks;
  logic [AW-1:0]     turn_slot;
  ctx_turns #(.N(4), .TWO('b0101), .AW(AW)) u_turns (
      .clk_i, .rst_ni, .asks_i({rnd_i[31], use_.retire_asks, use_.place_asks, use_.packet_asks}),
      .slots_i({rnd_i[AW-1:0], use_.retire[AW-1:0], use_.place[AW-1:0], use_.packet[AW-1:0]}),
      .who_o(), .slot_o(turn_slot), .first_o(), .kept_o(), .main_o(), .half_o(),
      .clash_i(rnd_i[30:29] == 2'd0), .ok_o(oks));
  assign view.shared = SHARED != 0;
  assign {view.retire_ok, view.place_ok, view.packet_ok} = oks[2:0] | {3{SHARED == 0}};
  assign rd_slot = SHARED != 0 ? {3{turn_slot}} : {use_.retire[AW-1:0], use_.place[AW-1:0], use_.packet[AW-1:0]};
  assign ow_valid = {use_.write_retire.valid, use_.write_packet.valid};
  assign ow_slot  = {use_.write_retire.slot[AW-1:0], use_.write_packet.slot[AW-1:0]};
  assign ow_data  = {use_.write_retire.data, use_.write_packet.data};
  assign {view.retire.cmp, view.place.cmp, view.packet.cmp} = cmp_data;
  logic [3:0]        host_write_ready;
  assign host_write_ready_o = (host_write_part_i == 2'd0) ? host_write_ready[0] : (host_write_part_i == 2'd1)
      ? host_write_ready[1]
      : (host_write_ready[2] && host_write_ready[3]);
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(1)) u_cfg (
      .clk_i, .part_write_valid_i(1'b0), .part_write_slot_i('0), .part_write_data_i('0),
      .host_write_valid_i(host_write_valid_i && host_write_part_i == 2'd0),
      .host_write_ready_o(host_write_ready[0]), .host_write_slot_i,
      .host_write_data_i, .rd_slot_i(rd_slot[2*AW +: AW]), .rd_data_o(view.retire.cfg));
  ctx_ram #(.WIDTH(512), .SLOTS(SLOTS), .READERS(3)) u_req (
      .clk_i, .part_write_valid_i(1'b0), .part_write_slot_i('0), .part_write_data_i('0),
      .host_write_valid_i(host_write_valid_i && host_write_part_i == 2'd1),
      .host_write_ready_o(host_write_ready[1]), .host_write_slot_i,
      .host_write_data_i, .rd_slot_i(rd_slot), .rd_data_o({view.retire.req, view.place.req, view.packet.req}));
  for (genvar g = 0; g < 2; g++) begin : g_half
    logic [4*256-1:0] d;
    ctx_ram #(.WIDTH(256), .SLOTS(SLOTS), .READERS(4)) u_cmp (
        .clk_i, .part_write_valid_i(ow_valid[g]), .part_write_slot_i(ow_slot[AW*g +: AW]),
        .part_write_data_i(ow_data[256*g +: 256]),
        .host_write_valid_i(host_write_valid_i && host_write_part_i == 2'd2),
        .host_write_ready_o(host_write_ready[2+g]), .host_write_slot_i,
        .host_write_data_i(host_write_data_i[256*g +: 256]),
        .rd_slot_i({peek_slot_i, rd_slot}), .rd_data_o(d));
    for (genvar i = 0; i < 3; i++) begin : g_r
      assign cmp_data[512*i + 256*g +: 256] = d[256*i +: 256];
    end
    assign peek_o[256*g +: 256] = d[3*256 +: 256];
  end

  // ---- descriptors ----
  cairn_int_pkg::sq_desc_t dw;
  cairn_int_pkg::desc_look_t d_look;
  cairn_int_pkg::sq_desc_t   d_out;
  always_comb begin
    dw = '0;
    dw.valid = 1'b1;
    dw.qpn = desc_qpn_i;
    dw.gen = 8'h5;
    dw.index = desc_index_i;
    dw.blocks = desc_blocks_i;
    dw.first_psn = desc_first_i;
    dw.next_psn = desc_next_i;
    dw.op = desc_op_i;
    dw.signaled = desc_signaled_i;
    dw.len = desc_len_i;
    dw.one = desc_one_i;
    dw.sge = desc_sge_i;
  end
  sq_desc #(.ENTRIES(DESCS)) u_desc (
      .clk_i, .rst_ni, .put_i({desc_valid_i, 12'(desc_qpn_i[3:0]), dw}), .look_i(d_look), .desc_o(d_out));

  // ---- WQE store ----
  cairn_int_pkg::wqe_lookup_t wqe;
  cairn_int_pkg::wqe_fetch_t  fetch;
  logic [511:0] store [0:1023];
  logic [1023:0] have_q;
  logic hit_q, wk_ready, fetch_busy_q;
  logic [23:0]  fetch_qpn_q;
  logic [15:0]  wk_index_q;
  logic [511:0] w_data_q;
  logic [15:0]  w_qpn_q;
  logic [6:0]   fetch_left_q;
  logic [1:0]   part_q;
  logic [511:0] w_data;
  logic         w_err;
  assign w_err  = part_q == '0 && w_data_q[127:96] != {w_qpn_q, wk_index_q};
  assign w_data = (DATA_W == 512) ? w_data_q : {4{w_data_q[128*part_q +: 128]}};
  logic [9:0] fetch_at_q, wlk_at;
  assign fetch_valid_o = fetch.valid && !fetch_busy_q;
  assign fetch_qpn_o   = fetch.qpn;
  assign wlk_at = {wqe.qpn[3:0], wqe.index[5:0]};
  always_ff @(posedge clk_i) begin
    if (wq_valid_i) store[wq_addr_i] <= wq_data_i;
    // a block that is not here is anything
    w_data_q   <= have_q[wlk_at] ? store[wlk_at] : {16{rnd_i}};
    hit_q      <= wqe.valid && have_q[wlk_at];
    wk_index_q <= wqe.index;
    part_q     <= wqe.part;
    w_qpn_q    <= wqe.qpn[15:0];
    if (!rst_ni) begin
      have_q    <= '0;
      fetch_busy_q <= 1'b0;
    end else begin
      if (rnd_i[7:0] < miss_i) have_q[rnd_i[17:8]] <= 1'b0;
      if (wq_valid_i && wq_here_i) have_q[wq_addr_i] <= 1'b1;
      if (fetch.valid && !fetch_busy_q) begin
        fetch_busy_q <= 1'b1;
        fetch_left_q <= {2'b00, rnd_i[22:18]} + 7'd10;
        fetch_qpn_q  <= fetch.qpn;
        fetch_at_q   <= {fetch.qpn[3:0], fetch.index[5:0]};
      end else if (fetch_left_q != '0) begin
        fetch_left_q <= fetch_left_q - 1'b1;
        if (fetch_left_q == 7'd1) begin
          have_q[fetch_at_q] <= 1'b1;
        end
      end else if (fetch_busy_q && wk_ready) begin
        fetch_busy_q <= 1'b0;
      end
    end
  end

  // ---- MR service ----
  logic mrq_valid, mrq_ready, m_full, m_room, mo_valid, mo_ready, fill_q, waits_q;
  cairn_int_pkg::mr_ask_t mr_ask;
  cairn_int_pkg::mr_req_t mq;
  cairn_int_pkg::mr_rsp_t ma, mo;
  logic [63:0] page_end;
  logic       mr_go;
  assign {mrq_valid, mq} = mr_ask;
  assign mrq_ready = (rnd_i[24] || miss_i == '0) && !m_full;
  assign m_full    = !m_room;
  assign mr_go     = mo_valid && !hold_i && (rnd_i[25] || miss_i == '0);
  assign page_end  = {mq.va[63:12] + 52'h1, 12'h0};
  always_comb begin
    ma        = '0;
    ma.status = (mq.key != 32'h1234) ? cairn_int_pkg::MRS_ERR
        : (absent_i || rnd_i[7:0] < miss_i) ? cairn_int_pkg::MRS_MISS : cairn_int_pkg::MRS_OK;
    ma.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
    ma.iova0  = mq.va;
    ma.len0   = (mq.va + 64'(mq.len) > page_end) ? 13'(page_end - mq.va) : mq.len;
    ma.iova1  = page_end;
    ma.len1   = mq.len - ma.len0;
    ma.last   = mq.last;
  end
  sync_fifo #(.WIDTH(cairn_int_pkg::MR_RSP_W), .DEPTH(16)) u_mr (
      .clk_i, .rst_ni, .in_valid_i(mrq_valid && mrq_ready), .in_ready_o(m_room), .in_data_i(ma),
      .out_valid_o(mo_valid),
      .out_ready_i(mr_go && mo_ready), .out_data_o(mo));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q  <= 1'b0;
      waits_q <= 1'b0;
    end else begin
      fill_q <= 1'b0;
      if (mr_go && mo_ready && mo.status == cairn_int_pkg::MRS_MISS) waits_q <= 1'b1;
      else if (waits_q && !absent_i && rnd_i[31:29] == '0) begin
        fill_q  <= 1'b1;
        waits_q <= 1'b0;
      end
    end
  end

  // ---- QP cache: hits after two cycles ----
  cairn_int_pkg::ctx_req_t ctx_ask;
  logic l1_q, l2_q;
  logic [23:0] k1_q, k2_q;
  always_ff @(posedge clk_i) begin
    l1_q <= ctx_ask.valid && rst_ni;
    l2_q <= l1_q && rst_ni;
    k1_q <= ctx_ask.key;
    k2_q <= k1_q;
  end

  cairn_int_pkg::dma_write_t wr;
  cairn_int_pkg::dma_wr_t w;
  assign {wr_valid_o, w} = wr;
  assign {wr_iova_o, wr_len_o, wr_free_o, wr_first_o, wr_cell_o} = {w.iova, w.len, w.free, w.first, w.cell_head};
  assign {wr_payload_o, wr_data_o} = {w.payload, w.data[63:0]};
  cairn_int_pkg::cq_use_t cq;
  cairn_int_pkg::cqe_req_t c;
  assign c = cq.put.req;
  assign {cqe_qpn_o, cqe_opcode_o, cqe_len_o, cqe_index_o, cqe_status_o, cqe_vendor_o} =
      {c.qpn, c.opcode, c.byte_len, c.wqe_index, c.status, c.vendor};
  // Events come between the completions.
  assign cqe_valid_o = cq.put.valid && !c.note;
  assign eqe_valid_o = cq.put.valid && c.note && cqe_ready_i;
  assign eqe_type_o  = c.opcode;

  cairn_int_pkg::walk_kicks_ready_t kick_ready;
  cairn_int_pkg::completer_kicks_t sched;
  cairn_int_pkg::walk_kicks_t      kicks;
  cairn_int_pkg::kick_t            qp_err;
  assign qp_err_valid_o = qp_err.valid;
  assign fetch_limit_o     = fetch.limit;
  assign sched_walk_o   = sched.retire.valid;
  assign sched_o        = {sched.retire.valid, sched.packet.valid} != '0;
  always_comb begin
    kicks       = '0;
    kicks.issue = {kick_valid_i, kick_qpn_i};
    kicks.wqe   = {fetch_busy_q && fetch_left_q == '0, fetch_qpn_q};
  end
  assign kick_ready_o = kick_ready.issue;
  assign wk_ready     = kick_ready.wqe;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pins_o <= '0;
    else pins_o <= pins_o + 16'(pkt_valid_i && pkt_ready_o) + 16'(l2_q) - 16'(use_.unpin_packet.valid)
        - 16'(use_.unpin_visit.valid);
  end
  // What the requester has sent is told as its part is written.
  cairn_hw_pkg::qp_req_t   hi_req;
  cairn_int_pkg::psn_now_t hi_q;
  assign hi_req = host_write_data_i;
  always_ff @(posedge clk_i) begin
    hi_q <= {rst_ni && host_write_valid_i && host_write_part_i == 2'd1 && host_write_ready[1], hi_req.tag_qpn,
             hi_req.tag_gen, hi_req.hi_psn[15:0]};
  end
  always_ff @(posedge clk_i) looks_o <= rst_ni ? looks_o + 16'(l2_q) : '0;
  cairn_int_pkg::sq_walked_t walked;
  assign pi_qpn_o = walked.qpn;
  logic unused_retired;
  assign unused_retired = ^walked.retired;
  completer #(.DATA_W(DATA_W), .SLOTS(SLOTS), .QPS_LOG2(4), .RX_INFLIGHT(64), .READ_CHUNK(4), .LANES(LANES)) u_dut (
      .clk_i, .rst_ni, .halt_i, .time_now_i(time_i), .pkt_i({pkt_valid_i, pkt_cfg_i, m}),
      .pkt_o({pkt_ready_o, done_o}), .part_o(use_), .part_i(view),
      .sq_rd_o(walked),
      .sq_rd_i({pi_i, sent_gen_i, sent_psn_i}),
      .ctx_o(ctx_ask), .ctx_ready_i(1'b1),
      .ctx_i({l2_q, cairn_hw_pkg::CTX_RESULT_OK, cairn_int_pkg::SLOT_W'(k2_q[3:0]), k2_q}), .fill_i('0),
      .kick_i(kicks), .kick_ready_o(kick_ready), .sender_i({kicked_valid_i, kicked_qpn_i, hi_q, 1'b0}),
      .sched_o(sched), .sched_ready_i(2'b11),
      .timer_i({tmr_valid_i, 1'b0, tmr_qpn_i, tmr_deadline_i}), .timer_ready_o(tmr_ready_o),
      .rest_o({idle_o, next_valid_o, next_deadline_o}), .desc_o(d_look), .desc_i(d_out),
      .wqe_o(wqe), .wqe_i({hit_q, hit_q && w_err, w_data}),
      .fetch_o(fetch), .fetch_i({1'b1, fetch_busy_q}),
      .mr_o(mr_ask), .mr_ready_i(mrq_ready), .mr_i({mr_go, mo, fill_q || fill_i, drain_i}), .mr_ready_o(mo_ready),
      .drained_o,
      .wr_o(wr), .wr_ready_i, .news_o({cq, qp_err}), .news_ready_i({cqe_ready_i, 1'b1}), .cq_i({crowded_i, 1'b0}),
      .events_o, .allow_o, .rd_done_o());
endmodule
