// SPDX-License-Identifier: Apache-2.0
// The responder: request packets in; payload writes, completions, responses and acknowledges out. Wiring only.
//
//   requests -> rsp_check -> rsp_walk -> rsp_join -> rsp_commit -> rsp_tx -> ACK port, ring 1 of tx_payload
//                             ^ rq_unit    | ^ parked packets   |      \-> rsp_res_cache
//                                                               \-> atomic_unit -^
//
// RC: SEND, WRITE, READ, atomics; UC: SEND, WRITE; UD: SEND. Packets past rx_dispatch are at most RX_INFLIGHT.
// docs/rtl/responder.md.
// Errors: see rsp_check, rsp_walk, rsp_join (what), rsp_next (what it does).
module responder #(
    parameter int unsigned DATA_W      = 512,
    parameter int unsigned SLOTS       = 128,
    parameter int unsigned LANES       = (SLOTS > 1024) ? 1024 : SLOTS,    // of rsp_join
    parameter int unsigned QPS_LOG2    = 10,
    parameter int unsigned QPN_W       = 24,        // of a QPN, bits that are not always 0
    parameter int unsigned SRQS_LOG2   = 4,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter int unsigned CELLS       = (DATA_W >= 512) ? 1024 : 256,   // of the RX pool
    parameter int unsigned RQE_RUNS    = (DATA_W >= 512) ? 64 : 8,   // 1 KiB of receive WQEs each
    parameter logic [31:0] FEATURES    = '1,        // as REG FEATURES: SRQs and atomics may be left out
    parameter int unsigned RQE_ONES    = !FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB] ? 4
                                         : (DATA_W >= 512) ? 256 : 32,  // receive WQEs of SRQs, 256 bytes each
    parameter int unsigned SRQ_WINDOW  = (DATA_W >= 512) ? 256 : 64, // slots of each SRQ on chip; not taken:
    parameter int unsigned SRQ_AHEAD   = (DATA_W >= 512) ? 192 : 24,
    parameter int unsigned RES_LINES   = (DATA_W < 512) ? 16 : (SLOTS < 128) ? SLOTS : 128,
    parameter int unsigned ATOMICS     = 32,        // under way
    parameter int unsigned RES_TAG     = 'h800,     // of rsp_res_cache among the tags of client RD_QPC
    localparam int unsigned AW         = $clog2(SLOTS)
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    input  cairn_int_pkg::receive_control_t      control_i,
    input  logic [$clog2(RX_INFLIGHT+1)-1:0]     rx_left_i,  // packets that may still pass qp_lookup
    // completions, async events, QPs that went into error (DEV_EVENT QP_ERROR); crowded CQs: of rsp_walk's packet
    output cairn_int_pkg::receive_news_t         news_o,
    input  cairn_int_pkg::receive_news_ready_t   news_ready_i,
    input  cairn_int_pkg::cq_view_t              cq_i,
    // request packets, pinned
    input  cairn_int_pkg::rx_offer_t             pkt_i,
    output cairn_int_pkg::rx_taken_t             pkt_o,
    output cairn_int_pkg::responder_use_t        part_o,
    input  cairn_int_pkg::responder_view_t       part_i,
    // RQ producer index
    output logic [23:0]                          rq_rd_qpn_o,
    input  logic [15:0]                          rq_rd_pi_i,
    // shared receive queues: firmware's context port (table SRQ), doorbells (strobe)
    input  cairn_int_pkg::ctx_op_t               srq_op_i,
    output cairn_int_pkg::ctx_done_t             srq_op_o,
    input  cairn_int_pkg::srq_doorbell_t         srq_db_i,
    input  cairn_int_pkg::flush_kicks_t          kick_i,
    output cairn_int_pkg::flush_kicks_ready_t    kick_ready_o,
    // QP cache, source RTX (pins), fill strobe
    output cairn_int_pkg::ctx_req_t              ctx_o,
    input  logic                                 ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t              ctx_i,
    input  cairn_int_pkg::ctx_fill_t             fill_i,
    // memory regions, changes of keys
    output cairn_int_pkg::receive_mr_t           mr_o,
    input  cairn_int_pkg::receive_mr_ready_t     mr_ready_i,
    input  cairn_int_pkg::receive_mr_answer_t    mr_i,
    output cairn_int_pkg::receive_mr_ready_t     mr_ready_o,
    // host memory
    output cairn_int_pkg::receive_memory_t       memory_o,
    input  cairn_int_pkg::receive_memory_ready_t memory_ready_i,
    input  cairn_int_pkg::dma_return_t           dma_i,
    input  logic [DATA_W-1:0]                    dma_data_i,
    // transmit side: ring 1 of tx_payload, ACK port of tx_arbiter; strobe per job that left ring 1; failed payload
    // reads of ring 1
    output cairn_int_pkg::tx_responses_t         responses_o,
    input  cairn_int_pkg::tx_responses_ready_t   responses_ready_i,
    input  logic                                 responses_left_i,
    input  cairn_int_pkg::tx_failed_t            tx_err_i,
    output logic                                 tx_err_ready_o,
    // counters (strobes), idle
    output cairn_hw_pkg::responder_events_t      events_o,
    output logic                                 idle_o
);
  localparam bit FAST = DATA_W >= 512;   // less has no room for a message in every other cycle
  localparam bit SRQ = FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB];
  localparam int unsigned EAW = $clog2(64 * RQE_RUNS + (SRQ ? 16 * RQE_ONES : 0));

  // Of QPNs and slots only the bits that a build has come in, so no register or comparison has more.
  cairn_int_pkg::rx_offer_t   pkt;
  cairn_int_pkg::responder_view_t part;
  cairn_int_pkg::ctx_rsp_t        ctx;
  cairn_int_pkg::tx_failed_t      tx_err;
  rsp_narrow #(.SLOTS(SLOTS), .QPN_W(QPN_W)) u_narrow (
      .pkt_i, .pkt_o(pkt), .part_i, .part_o(part), .ctx_i, .ctx_o(ctx), .tx_err_i, .tx_err_o(tx_err));

  // What others see of this part comes out of registers.
  logic                            idle;
  cairn_hw_pkg::responder_events_t events;
  cairn_int_pkg::unpin_t           unpin_visit, unpin_visit_q;
  always_ff @(posedge clk_i) begin
    events_o      <= rst_ni ? events : '0;
    if (!FEATURES[cairn_hw_pkg::REG_FEATURES_QP_COUNTERS_LSB]) {events_o.rsp_commit.qpn, events_o.rsp_tx.qpn} <= '0;
    idle_o        <= rst_ni && idle;
    unpin_visit_q <= rst_ni ? unpin_visit : '0;
  end
  assign part_o.unpin_visit = unpin_visit_q;

  cairn_int_pkg::packet_over_t over;
  logic chk_valid, chk_ready, chk_idle, rq_busy;
  logic [AW-1:0] now_slot, new_slot, next_slot;
  cairn_int_pkg::rsp_rec_t chk_rec;
  logic [23:0] chk_rq_qpn, tx_rq_qpn;
  assign rq_rd_qpn_o = rq_busy ? chk_rq_qpn : tx_rq_qpn;
  cairn_int_pkg::srq_look_t    srq_look;
  cairn_int_pkg::srq_next_t    srq_next;
  cairn_int_pkg::srq_late_t    late;
  cairn_int_pkg::srq_owed_t    owed;
  cairn_int_pkg::srq_set_t     set;
  cairn_int_pkg::rqe_walk_t    rqe;
  cairn_int_pkg::rqe_found_t   rqe_found;
  cairn_int_pkg::rqe_element_t el;
  cairn_int_pkg::wake_t        wake;
  rsp_check #(.SLOTS(SLOTS), .INFLIGHT(RX_INFLIGHT), .CELLS(CELLS), .FEATURES(FEATURES), .FAST(FAST)) u_check (
      .clk_i, .rst_ni, .features_i(control_i.engine.features),
      .pkt_valid_i(pkt.valid), .pkt_ready_o(pkt_o.ready), .pkt_i(pkt.pkt),
      .rd_slot_o(part_o.check), .rd_asks_o(part_o.check_asks), .rd_ok_i(part.check_ok), .rsp_i(part.check),
      .rq_rd_o(rq_busy), .rq_rd_qpn_o(chk_rq_qpn), .rq_rd_pi_i,
      .srq_o(srq_look), .srq_i(srq_next),
      .down_valid_i(over.valid), .down_slot_i(over.slot[AW-1:0]), .down_cells_i(over.cells), .left_i(rx_left_i),
      .rec_valid_o(chk_valid), .rec_ready_i(chk_ready), .rec_o(chk_rec), .next_slot_o(next_slot), .idle_o(chk_idle));

  logic again_valid, again_ready, walk_valid, walk_ready, walk_idle, walk_done, place_free;
  cairn_int_pkg::rsp_rec_t again_rec, loaded, new_rec;
  logic [127:0]     el_data;
  cairn_int_pkg::rsp_walked_t walk_out;
  logic [15:0]      now_rq;
  logic [$clog2(RX_INFLIGHT)-1:0] again_entry, entry;
  logic joined, at_drained, wr_drained;
  cairn_int_pkg::inv_told_t told;
  cairn_int_pkg::rsp_took_t walk_took;
  logic again_first, late_ready, store_idle;
  // What rsp_walk works on, and what rsp_join replays.
  logic now_valid, now_ready, now_first, new_valid, new_ready;
  logic [$clog2(RX_INFLIGHT)-1:0] now_entry;
  cairn_int_pkg::rsp_aside_t walk_aside, aside;
  cairn_int_pkg::rsp_new_t   new_is;
  rsp_walk #(.SLOTS(SLOTS), .EAW(EAW), .ENTRIES(RX_INFLIGHT), .FEATURES(FEATURES), .FAST(FAST)) u_walk (
      .clk_i, .rst_ni, .took_o(walk_took),
      .new_valid_i(new_valid), .new_ready_o(new_ready), .new_rec_i(new_rec),
      .new_slot_o(new_slot), .new_i(new_is), .aside_o(walk_aside),
      .again_valid_i(now_valid), .again_ready_o(now_ready), .again_rec_i(again_rec),
      .now_slot_o(now_slot), .now_rq_i(now_rq),
      .again_entry_i(now_entry), .again_first_i(now_first), .entry_valid_i(events.rsp_join.rx_parked),
      .entry_i(entry),
      .late_o(late), .late_ready_i(late_ready), .late_i(owed), .srq_i(srq_next),
      .rqe_o(rqe), .rqe_i(rqe_found),
      .el_o(el), .el_i(el_data),
      .cq_cqn_o(news_o.cq.cqn), .cq_crowded_i(cq_i.crowded),
      .mr_o(mr_o.responder), .mr_ready_i(mr_ready_i.responder),
      .out_valid_o(walk_valid), .out_ready_i(walk_ready), .out_o(walk_out), .done_o(walk_done),
      .idle_o(walk_idle));

  if (FAST) begin : g_now
    assign {now_valid, again_ready, now_entry, now_first} = {again_valid, now_ready, again_entry, again_first};
    assign {new_valid, chk_ready, new_rec}                = {chk_valid, new_ready, chk_rec};
    assign aside       = walk_aside;
    assign loaded     = '0;
    assign store_idle = 1'b1;
    logic unused;
    assign unused = ^{walk_done, place_free, new_is.left, new_is.held};
  end else begin : g_store
    logic is_here, is_again;
    rsp_store #(.ENTRIES(RX_INFLIGHT), .FEATURES(FEATURES), .QPN_W(QPN_W), .SLOTS(SLOTS)) u_store (
        .clk_i, .rst_ni, .in_valid_i(chk_valid), .in_ready_o(chk_ready), .in_i(chk_rec),
        .again_valid_i(again_valid), .again_ready_o(again_ready), .again_place_i(again_entry),
        .again_first_i(again_first), .aside_o(aside), .behind_i(new_is.held),
        .aside_i(new_is.aside), .left_i(new_is.left), .free_i(place_free), .free_place_i(entry),
        .out_valid_o(is_here), .out_again_o(is_again), .out_first_o(now_first), .out_place_o(now_entry),
        .out_o(loaded), .done_i(walk_done), .idle_o(store_idle));
    assign now_valid = is_here && is_again;
    assign new_valid = is_here && !is_again;
    assign new_rec   = loaded;
    logic unused;
    assign unused = ^{now_ready, new_ready, walk_aside};
  end

  logic set_ready, rq_idle;
  logic wake_ready, avail;
  logic [1:0]       f_eqe_ready;
  cairn_int_pkg::eq_event_t rq_eqe, commit_eqe;
  rq_unit #(.DATA_W(DATA_W), .SLOTS(SLOTS), .SRQS_LOG2(SRQS_LOG2), .RUNS(RQE_RUNS), .ONES(RQE_ONES),
            .WINDOW(SRQ_WINDOW), .AHEAD(SRQ_AHEAD), .QPN_W(QPN_W), .SRQ(SRQ)) u_rq (
      .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .forget_i(control_i.engine.forget), .op_i(srq_op_i),
      .op_o(srq_op_o),
      .db_i(srq_db_i), .srq_i(srq_look), .srq_o(srq_next), .late_i(late), .late_ready_o(late_ready), .late_o(owed),
      .rqe_i(rqe), .rqe_o(rqe_found), .el_i(el), .el_o(el_data),
      .wake_o(wake), .wake_ready_i(wake_ready), .avail_o(avail),
      .set_i(set), .set_ready_o(set_ready),
      .rd_o(memory_o.rd.rqe), .rd_ready_i(memory_ready_i.rd.rqe),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .eqe_o(rq_eqe), .eqe_ready_i(f_eqe_ready[1]),
      .events_o(events.rq_unit), .idle_o(rq_idle));
  if (SRQ) begin : g_eqe
    stream_arb #(.WIDTH(cairn_int_pkg::EQE_REQ_W), .N(2)) u_eqe (
        .clk_i, .rst_ni, .in_valid_i({rq_eqe.valid, commit_eqe.valid}), .in_ready_o(f_eqe_ready),
        .in_data_i({rq_eqe.req, commit_eqe.req}),
        .out_valid_o(news_o.eqe.valid), .out_ready_i(news_ready_i.eqe), .out_data_o(news_o.eqe.req));
  end else begin : g_one_eqe
    assign news_o.eqe  = commit_eqe;
    assign f_eqe_ready = {rq_eqe.valid, news_ready_i.eqe};    // (none comes)
  end

  logic rec_valid, rec_ready, piece_pop, join_idle;
  cairn_int_pkg::rsp_joined_t rec;
  cairn_int_pkg::rsp_piece_t piece;
  logic at_done_ready, join_at_ready;
  cairn_int_pkg::slot_over_t at_done;
  rsp_join #(.SLOTS(SLOTS), .LANES(LANES), .ENTRIES(RX_INFLIGHT), .DEPTH(FAST ? 16 : 2), .FEATURES(FEATURES),
             .FAST(FAST)) u_join (
      .clk_i, .rst_ni, .took_i(walk_took),
      .in_valid_i(walk_valid), .in_ready_o(walk_ready), .in_i(walk_out),
      .mr_i(mr_i.responder), .mr_ready_o(mr_ready_o.responder), .key_change_o(mr_o.key_change),
      .key_change_ready_i(mr_ready_i.key_change), .key_change_i(mr_i.key_change),
      .key_change_ready_o(mr_ready_o.key_change),
      .avail_i(avail), .room_i(cq_i.room),
      .wake_i(wake), .wake_ready_o(wake_ready),
      .told_i(told),
      .joined_o(joined),
      .at_done_i({at_done.valid && !over.valid, at_done.slot}), .at_done_ready_o(join_at_ready),
      .again_valid_o(again_valid), .again_ready_i(again_ready), .again_rec_o(again_rec),
      .new_slot_i({next_slot, new_slot}), .aside_i(aside), .new_o(new_is), .now_slot_i(now_slot), .now_rq_o(now_rq),
      .again_entry_o(again_entry), .again_first_o(again_first), .entry_o(entry), .loaded_i(loaded),
      .free_o(place_free),
      .out_valid_o(rec_valid), .out_ready_i(rec_ready), .out_o(rec),
      .piece_pop_i(piece_pop), .piece_o(piece), .events_o(events.rsp_join), .idle_o(join_idle));

  logic               at_ready, ev_valid, ev_ready, res_ready, kick_ready, dup_ready, commit_idle;
  cairn_int_pkg::rsp_ev_t ev;
  cairn_int_pkg::atomic_start_t at;
  cairn_int_pkg::packet_again_t dup;
  cairn_int_pkg::kick_t commit_kick, at_kick, res_wake;
  cairn_int_pkg::res_write_t res, at_res, res_now;
  cairn_int_pkg::rsp_acks_t acks;
  logic                     ack_room;
  rsp_commit #(.FEATURES(FEATURES), .FAST(FAST)) u_commit (
      .clk_i, .rst_ni, .control_i, .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_i(rec),
      .piece_pop_o(piece_pop), .piece_i(piece),
      .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .ev_i(ev),
      .ack_room_i(ack_room), .acks_o(acks),
      .at_o(at), .at_ready_i(at_ready),
      .rd_o({part_o.commit_asks, part_o.commit}), .part_i({part.commit, part.commit_ok}),
      .write_o(part_o.write),
      .wr_o(memory_o.wr.rsp), .wr_ready_i(memory_ready_i.wr.rsp), .last_ticket_i(dma_i.last_ticket),
      .res_o(res), .res_ready_i(res_ready),
      .cqe_o(news_o.cq.put), .cqe_ready_i(news_ready_i.cq), .eqe_o(commit_eqe), .eqe_ready_i(f_eqe_ready[0]),
      .qp_err_o(news_o.qp_err), .qp_err_ready_i(news_ready_i.qp_err),
      .set_o(set), .set_ready_i(set_ready),
      .told_o(told), .drain_i(joined), .drained_o(wr_drained),
      .kick_o(commit_kick), .kick_ready_i({kick_ready, dup_ready}), .dup_o(dup),
      .done_o(over),
      .events_o(events.rsp_commit), .idle_o(commit_idle));
  assign pkt_o.done = over.valid;
  // The key of a request that has been taken; its look-up comes some stages later, or when those before it are done.
  cairn_int_pkg::rx_meta_t took;
  logic                    names_key, ahead_q;
  logic [23:0]             ahead_key_q;
  assign took      = pkt.pkt.meta;
  assign names_key = took.opflags[cairn_pkt_pkg::OPF_START]
                     && (took.opflags[cairn_pkt_pkg::OPF_WRITE] || took.opflags[cairn_pkt_pkg::OPF_READ]
                     || took.opflags[cairn_pkt_pkg::OPF_ATOMIC]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ahead_q <= 1'b0;
    else ahead_q <= pkt.valid && pkt_o.ready && names_key;
    ahead_key_q <= took.key[31:8];
  end
  assign mr_o.ahead = {ahead_q, ahead_key_q};
  assign mr_o.responder_drained = joined && wr_drained && at_drained;
  // One pin release a cycle: a packet's, or that of an atomic that is over.
  assign at_done_ready             = join_at_ready && !over.valid;
  assign part_o.unpin_packet.valid = over.unpin || (at_done.valid && at_done_ready);
  assign part_o.unpin_packet.slot  = cairn_int_pkg::SLOT_W'({over.valid ? over.slot[AW-1:0] : at_done.slot[AW-1:0]});

  logic at_idle, at_res_ready, at_kick_ready;
  logic [1:0] evs_valid, evs_ready;
  logic [2*cairn_int_pkg::RSP_EV_W-1:0] evs;
  if (FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]) begin : g_atomic
    atomic_unit #(.DATA_W(DATA_W), .SLOTS(SLOTS), .DEPTH(ATOMICS)) u_atomic (
        .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .res_base_i(control_i.res_base),
        .res_func_i(control_i.res_func), .op_valid_i(at.valid), .op_ready_o(at_ready), .op_i(at.op),
        .drain_i(joined), .drained_o(at_drained),
        .ev_valid_o(evs_valid[1]), .ev_ready_i(evs_ready[1]),
        .ev_o(evs[cairn_int_pkg::RSP_EV_W +: cairn_int_pkg::RSP_EV_W]),
        .rd_o(memory_o.rd.atom), .rd_ready_i(memory_ready_i.rd.atom),
        .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
        .wr_o(memory_o.wr.atom), .wr_ready_i(memory_ready_i.wr.atom), .last_ticket_i(dma_i.last_ticket),
        .res_o(at_res), .res_ready_i(at_res_ready),
        .done_o(at_done), .done_ready_i(at_done_ready),
        .kick_o(at_kick), .kick_ready_i(at_kick_ready),
        .events_o(events.atomic_exec), .idle_o(at_idle));
  end else begin : g_no_atomic
    // rsp_check takes no atomic: nothing comes here.
    assign {at_ready, at_drained, at_idle} = 3'b111;
    assign evs_valid[1]                    = 1'b0;
    assign evs[cairn_int_pkg::RSP_EV_W +: cairn_int_pkg::RSP_EV_W] = '0;
    assign memory_o.rd.atom                = '0;
    assign memory_o.wr.atom                = '0;
    assign at_res                          = '0;
    assign at_done                         = '0;
    assign at_kick                         = '0;
    assign events.atomic_exec              = '0;
    logic unused;
    assign unused = ^{at, evs_ready[1], at_res_ready, at_kick_ready, memory_ready_i.rd.atom, memory_ready_i.wr.atom};
  end
  if (FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]) begin : g_evs
    // Whose turn it is follows from registers. There is no register behind: whoever tells an event goes on when it has
    // had its effect.
    logic [1:0] turn;
    rr_kept #(.N(2)) u_evs (
        .clk_i, .rst_ni, .req_i(evs_valid), .used_i(ev_valid && ev_ready), .hold_i(1'b0), .gnt_o(turn), .gnt_idx_o(),
        .shown_o(ev_valid));
    assign ev        = evs[turn[1]*cairn_int_pkg::RSP_EV_W +: cairn_int_pkg::RSP_EV_W];
    assign evs_ready = turn & {2{ev_ready}};
  end else begin : g_ev
    assign ev_valid  = evs_valid[0];
    assign ev        = evs[0 +: cairn_int_pkg::RSP_EV_W];
    assign evs_ready = {evs_valid[1], ev_ready};              // (none comes)
  end

  logic fill_ready, fill_room, wake_res_ready, res_idle, res_pending, c_ready, at_now, at_turn_q;
  cairn_int_pkg::res_look_t  ent_look;
  cairn_int_pkg::res_found_t ent;
  // An entry on its way to memory has no ticket before dma_write has taken it: a fill now would not wait for it.
  assign res_pending = memory_o.wr.rsp.valid && !memory_o.wr.rsp.cmd.payload;
  assign fill_ready  = fill_room && !res_pending;
  // An atomic's result comes here when the table has it. What has begun to be written is not changed, and that an entry
  // of rsp_commit comes is known too late to choose by it.
  assign at_now       = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB] && at_turn_q;
  assign res_ready    = c_ready && !at_now;
  assign at_res_ready = c_ready && at_now;
  always_ff @(posedge clk_i) at_turn_q <= rst_ni && at_res.valid && (at_turn_q ? !c_ready : c_ready || !res.valid);
  assign res_now      = at_now ? at_res : res;
  rsp_res #(.DATA_W(DATA_W), .LINES(RES_LINES), .TAG(RES_TAG), .QPN_W(QPN_W)) u_res (
      .clk_i, .rst_ni, .control_i, .wr_i(res_now), .wr_ready_o(c_ready), .look_i(ent_look), .found_o(ent),
      .fill_valid_i(ent_look.fill && !res_pending), .fill_ready_o(fill_room),
      .wake_o(res_wake), .wake_ready_i(wake_res_ready),
      .host_rd_o(memory_o.rd.res), .host_rd_ready_i(memory_ready_i.rd.res), .dma_i, .beat_data_i(dma_data_i),
      .idle_o(res_idle));

  // ACKs; rsp_commit reads the cfg part for them before rsp_tx.
  logic tx_idle, ack_valid;
  cairn_int_pkg::tx_job_t          ack_job;
  cairn_int_pkg::rsp_tx_ack_t      tx_ack;
  cairn_int_pkg::rsp_tx_ack_view_t ack_view;
  cairn_int_pkg::tx_responses_t    answers;
  cairn_int_pkg::rsp_ask_t         ask;
  cairn_int_pkg::rsp_tx_looks_t     tx_look;
  assign part_o.answer = acks.direct.read ? acks.direct.slot
                         : tx_look.send.asks ? tx_look.send.slot : tx_look.walk.slot;
  assign {part_o.walk_asks, part_o.walk, part_o.send_asks, part_o.send} = tx_look;
  if (FAST) begin : g_acks
    rsp_ack u_ack (
        .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .direct_i(acks.direct), .cfg_i(part.answer.cfg),
        .wr_busy_i(memory_o.wr.rsp.valid && !memory_ready_i.wr.rsp), .posted_i(dma_i.posted), .room_o(ack_room),
        .tx_i(tx_ack), .view_o(ack_view),
        .ack_valid_o(ack_valid), .ack_ready_i(responses_ready_i.ack), .ack_o(ack_job));
  end else begin : g_ack
    rsp_ack_one u_ack (
        .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .direct_i(acks.direct), .cfg_i(part.answer.cfg),
        .wr_busy_i(memory_o.wr.rsp.valid && !memory_ready_i.wr.rsp), .posted_i(dma_i.posted), .room_o(ack_room),
        .tx_i(tx_ack), .view_o(ack_view),
        .ack_valid_o(ack_valid), .ack_ready_i(responses_ready_i.ack), .ack_o(ack_job));
  end
  assign responses_o = {answers.job_valid, answers.job, answers.seg_valid, answers.seg, ack_valid, ack_job};
  // Kicks of others wait here for rsp_tx, each source's by itself.
  cairn_int_pkg::kick_t fw_kick, db_kick;
  logic                 fw_taken, db_taken;
  assign kick_ready_o = {!db_kick.valid, !fw_kick.valid};
  stream_reg #(.WIDTH(24)) u_fw_kick (
      .clk_i, .rst_ni, .in_valid_i(kick_i.firmware.valid && !fw_kick.valid), .in_ready_o(),
      .in_data_i(kick_i.firmware.qpn), .out_valid_o(fw_kick.valid), .out_ready_i(fw_taken), .out_data_o(fw_kick.qpn));
  stream_reg #(.WIDTH(24)) u_db_kick (
      .clk_i, .rst_ni, .in_valid_i(kick_i.doorbell.valid && !db_kick.valid), .in_ready_o(),
      .in_data_i(kick_i.doorbell.qpn), .out_valid_o(db_kick.valid), .out_ready_i(db_taken), .out_data_o(db_kick.qpn));
  rsp_tx #(.SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2), .QPN_W(QPN_W), .NKICK(4), .VISITS(8), .FEATURES(FEATURES),
           .FAST(FAST)) u_tx (
      .clk_i, .rst_ni, .engine_i(control_i.engine),
      .mr_o(mr_o.rsp_tx), .mr_ready_i(mr_ready_i.rsp_tx), .mr_i(mr_i.rsp_tx),
      .mr_ready_o(mr_ready_o.rsp_tx), .drained_o(mr_o.rsp_tx_drained),
      .kick_valid_i({fw_kick.valid, db_kick.valid, at_kick.valid, commit_kick.valid}),
      .kick_ready_o({fw_taken, db_taken, at_kick_ready, kick_ready}),
      .kick_qpn_i({fw_kick.qpn, db_kick.qpn, at_kick.qpn, commit_kick.qpn}),
      .fill_i, .ctx_o, .ctx_ready_i, .ctx_i(ctx),
      .unpin_o(unpin_visit),
      .look_o(tx_look), .part_i(part.answer),
      .turn_i({acks.direct.read, rq_busy, part.shared, part.walk_ok, part.send_ok}),
      .rq_rd_qpn_o(tx_rq_qpn), .rq_rd_pi_i, .dup_i(dup), .dup_ready_o(dup_ready),
      .res_o(ent_look), .res_i(ent), .res_fill_ready_i(fill_ready),
      .res_wake_i(res_wake), .res_wake_ready_o(wake_res_ready),
      .last_ticket_i(dma_i.last_ticket),
      .ask_o(ask), .asked_i({evs_ready[0], acks.grant}), .ack_o(tx_ack), .ack_view_i(ack_view),
      .responses_o(answers), .responses_ready_i, .responses_left_i,
      .tx_err_i(tx_err), .tx_err_ready_o,
      .events_o(events.rsp_tx), .idle_o(tx_idle));
  assign {evs_valid[0], evs[0 +: cairn_int_pkg::RSP_EV_W]} = ask;
  assign idle = chk_idle && store_idle && walk_idle && join_idle && commit_idle && res_idle && tx_idle
                && !ack_view.busy && at_idle && rq_idle
                && (control_i.engine.halt || !(kick_i.firmware.valid || kick_i.doorbell.valid));
endmodule
