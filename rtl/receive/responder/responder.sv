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
    parameter int unsigned QPS_LOG2    = 10,
    parameter int unsigned SRQS_LOG2   = 4,
    parameter int unsigned RX_INFLIGHT = 256,
    parameter int unsigned CELLS       = (DATA_W >= 512) ? 1024 : 128,   // of the RX pool
    parameter int unsigned RQE_RUNS    = (DATA_W >= 512) ? 32 : 8,   // 1 KiB of receive WQEs each
    parameter int unsigned RQE_ONES    = (DATA_W >= 512) ? 128 : 32,  // receive WQEs of SRQs, 256 bytes each
    parameter int unsigned SRQ_WINDOW  = (DATA_W >= 512) ? 128 : 64, // slots of each SRQ on chip; not taken:
    parameter int unsigned SRQ_AHEAD   = (DATA_W >= 512) ? 48 : 24,
    parameter int unsigned RES_LINES   = (DATA_W >= 512) ? SLOTS : 16,
    parameter int unsigned ATOMICS     = 32,        // under way
    parameter int unsigned RES_TAG     = 'h800,     // of rsp_res_cache among the tags of client RD_QPC
    localparam int unsigned AW         = $clog2(SLOTS)
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                halt_i,      // fence: start no visit of rsp_tx
    input  logic                                epoch_i,
    input  logic                                forget_i,
    input  logic [$clog2(RX_INFLIGHT+1)-1:0]    rx_left_i,   // packets that may still pass qp_lookup
    // crowded CQs: of rsp_walk's packet, one cycle later; one is so no more
    output cairn_int_pkg::cq_use_t              cq_o,
    input  logic                                cq_ready_i,
    input  cairn_int_pkg::cq_view_t             cq_i,
    input  logic [31:0]                         features_i,  // REG FEATURES
    input  logic [63:0]                         res_base_i,
    input  logic [7:0]                          res_func_i,
    // request packets, pinned
    input  logic                                rsp_pkt_valid_i,
    output logic                                rsp_pkt_ready_o,
    input  cairn_int_pkg::rx_pkt_t              rsp_pkt_i,
    output logic                                rx_done_o,
    output cairn_int_pkg::responder_use_t       part_o,
    input  cairn_int_pkg::responder_view_t      part_i,
    // RQ producer index
    output logic [23:0]                         rq_rd_qpn_o,
    input  logic [15:0]                         rq_rd_pi_i,
    // shared receive queues: firmware's context port (table SRQ), doorbells (strobe)
    input  cairn_int_pkg::ctx_op_t              srq_op_i,
    output cairn_int_pkg::ctx_done_t            srq_op_o,
    input  cairn_int_pkg::srq_doorbell_t        srq_db_i,
    input  cairn_int_pkg::flush_kicks_t         kick_i,
    output logic [1:0]                          kick_ready_o,
    // QP cache, source RTX (pins), fill strobe
    output cairn_int_pkg::ctx_req_t             ctx_o,
    input  logic                                ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t             ctx_i,
    input  cairn_int_pkg::ctx_fill_t            fill_i,
    // memory regions, changes of keys
    output cairn_int_pkg::receive_mr_t          mr_o,
    input  cairn_int_pkg::receive_mr_ready_t    mr_ready_i,
    input  cairn_int_pkg::receive_mr_answer_t   mr_i,
    output cairn_int_pkg::receive_mr_ready_t    mr_ready_o,
    // host memory
    output cairn_int_pkg::receive_reads_t       rd_o,
    input  cairn_int_pkg::receive_read_ready_t  rd_ready_i,
    output cairn_int_pkg::receive_writes_t      wr_o,
    input  cairn_int_pkg::receive_write_ready_t wr_ready_i,
    input  cairn_int_pkg::dma_return_t          dma_i,
    input  logic [DATA_W-1:0]                   dma_data_i,
    // completions, async events, QPs that went into error (DEV_EVENT QP_ERROR)
    output cairn_int_pkg::eq_event_t            eqe_o,
    input  logic                                eqe_ready_i,
    output cairn_int_pkg::kick_t                qp_err_o,
    input  logic                                qp_err_ready_i,
    // transmit side: ring 1 of tx_payload, ACK port of tx_arbiter; strobe per job that left ring 1; failed payload
    // reads of ring 1
    output cairn_int_pkg::tx_responses_t        responses_o,
    input  cairn_int_pkg::tx_responses_ready_t  responses_i,
    input  logic                                tx_err_valid_i,
    output logic                                tx_err_ready_o,
    input  cairn_int_pkg::tx_lost_t             tx_err_i,
    // counters (strobes), idle
    output cairn_hw_pkg::responder_events_t     events_o,
    output logic                                idle_o
);
  localparam int unsigned REC_W   = cairn_int_pkg::RSP_REC_W;
  localparam int unsigned EAW     = $clog2(64 * RQE_RUNS + 16 * RQE_ONES);
  localparam int unsigned OUT_W   = 1 + 1 + 1 + 5 + REC_W;
  localparam int unsigned PIECE_W = 8 + 2 * (64 + cairn_int_pkg::LEN_W);

  logic [AW-1:0]    done_slot;
  logic [4:0]       done_cells;
  logic chk_valid, chk_ready, chk_idle, rq_busy;
  logic [REC_W-1:0] chk_rec;
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
  rsp_check #(.SLOTS(SLOTS), .INFLIGHT(RX_INFLIGHT), .CELLS(CELLS)) u_check (
      .clk_i, .rst_ni, .features_i,
      .pkt_valid_i(rsp_pkt_valid_i), .pkt_ready_o(rsp_pkt_ready_o),
      .pkt_i(rsp_pkt_i),
      .rd_slot_o(part_o.check), .rsp_i(part_i.check),
      .rq_rd_o(rq_busy), .rq_rd_qpn_o(chk_rq_qpn), .rq_rd_pi_i,
      .srq_o(srq_look), .srq_i(srq_next),
      .down_valid_i(rx_done_o), .down_slot_i(done_slot), .down_cells_i(done_cells), .left_i(rx_left_i),
      .rec_valid_o(chk_valid), .rec_ready_i(chk_ready), .rec_o(chk_rec), .idle_o(chk_idle));

  logic new_valid, new_ready;
  logic [REC_W-1:0] new_rec;
  skid_buffer #(.WIDTH(REC_W)) u_new (
      .clk_i, .rst_ni, .in_valid_i(chk_valid), .in_ready_o(chk_ready), .in_data_i(chk_rec),
      .out_valid_o(new_valid), .out_ready_i(new_ready), .out_data_o(new_rec));

  logic again_valid, again_ready, walk_valid, walk_ready, walk_again, walk_idle;
  logic [REC_W-1:0] again_rec;
  logic [127:0]     el_data;
  logic [OUT_W-1:0] walk_out;
  logic [15:0]      now_rq;
  logic [$clog2(RX_INFLIGHT)-1:0] again_entry, entry;
  logic [AW-1:0] now_slot, new_slot;
  logic told, told_skip, joined, at_drained, wr_drained;
  logic walk_took, new_behind, again_first, entry_valid, late_ready;
  rsp_walk #(.SLOTS(SLOTS), .EAW(EAW), .ENTRIES(RX_INFLIGHT)) u_walk (
      .clk_i, .rst_ni, .took_o(walk_took),
      .new_valid_i(new_valid), .new_ready_o(new_ready), .new_rec_i(new_rec),
      .new_slot_o(new_slot), .new_behind_i(new_behind),
      .again_valid_i(again_valid), .again_ready_o(again_ready), .again_rec_i(again_rec),
      .now_slot_o(now_slot), .now_rq_i(now_rq),
      .again_entry_i(again_entry), .again_first_i(again_first), .entry_valid_i(entry_valid), .entry_i(entry),
      .late_o(late), .late_ready_i(late_ready), .late_i(owed), .srq_i(srq_next),
      .rqe_o(rqe), .rqe_i(rqe_found),
      .el_o(el), .el_i(el_data),
      .cq_cqn_o(cq_o.cqn), .cq_crowded_i(cq_i.crowded),
      .mr_o(mr_o.responder), .mr_ready_i(mr_ready_i.responder),
      .out_valid_o(walk_valid), .out_ready_i(walk_ready), .out_again_o(walk_again), .out_o(walk_out),
      .idle_o(walk_idle));

  logic set_ready, rq_idle;
  logic wake_ready, avail;
  logic [1:0]       f_eqe_ready;
  cairn_int_pkg::eq_event_t rq_eqe, commit_eqe;
  rq_unit #(.DATA_W(DATA_W), .SLOTS(SLOTS), .SRQS_LOG2(SRQS_LOG2), .RUNS(RQE_RUNS), .ONES(RQE_ONES),
            .WINDOW(SRQ_WINDOW), .AHEAD(SRQ_AHEAD)) u_rq (
      .clk_i, .rst_ni, .epoch_i, .forget_i, .op_i(srq_op_i),
      .op_o(srq_op_o),
      .db_i(srq_db_i), .srq_i(srq_look), .srq_o(srq_next), .late_i(late), .late_ready_o(late_ready), .late_o(owed),
      .rqe_i(rqe), .rqe_o(rqe_found), .el_i(el), .el_o(el_data),
      .wake_o(wake), .wake_ready_i(wake_ready), .avail_o(avail),
      .set_i(set), .set_ready_o(set_ready),
      .rd_o(rd_o.rqe), .rd_ready_i(rd_ready_i.rqe),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .eqe_o(rq_eqe), .eqe_ready_i(f_eqe_ready[1]),
      .events_o(events_o.rq_unit), .idle_o(rq_idle));
  stream_arb #(.WIDTH(cairn_int_pkg::EQE_REQ_W), .N(2)) u_eqe (
      .clk_i, .rst_ni, .in_valid_i({rq_eqe.valid, commit_eqe.valid}), .in_ready_o(f_eqe_ready),
      .in_data_i({rq_eqe.req, commit_eqe.req}),
      .out_valid_o(eqe_o.valid), .out_ready_i(eqe_ready_i), .out_data_o(eqe_o.req));

  logic rec_valid, rec_ready, piece_pop, join_idle;
  logic [4:0]         rec_pieces;
  logic [REC_W-1:0]   rec;
  logic [PIECE_W-1:0] piece;
  logic at_done_ready, join_at_ready;
  cairn_int_pkg::slot_over_t at_done;
  rsp_join #(.SLOTS(SLOTS), .ENTRIES(RX_INFLIGHT)) u_join (
      .clk_i, .rst_ni, .took_i(walk_took),
      .in_valid_i(walk_valid), .in_ready_o(walk_ready), .in_again_i(walk_again), .in_i(walk_out),
      .mr_i(mr_i.responder), .mr_ready_o(mr_ready_o.responder), .key_change_o(mr_o.key_change),
      .key_change_ready_i(mr_ready_i.key_change), .key_change_i(mr_i.key_change),
      .key_change_ready_o(mr_ready_o.key_change),
      .avail_i(avail), .room_i(cq_i.room),
      .wake_i(wake), .wake_ready_o(wake_ready),
      .told_i(told), .told_skip_i(told_skip),
      .joined_o(joined),
      .at_done_i({at_done.valid && !rx_done_o, at_done.slot}), .at_done_ready_o(join_at_ready),
      .again_valid_o(again_valid), .again_ready_i(again_ready), .again_rec_o(again_rec),
      .new_slot_i(new_slot), .new_behind_o(new_behind), .now_slot_i(now_slot), .now_rq_o(now_rq),
      .again_entry_o(again_entry), .again_first_o(again_first), .entry_valid_o(entry_valid), .entry_o(entry),
      .out_valid_o(rec_valid), .out_ready_i(rec_ready), .out_pieces_o(rec_pieces), .out_rec_o(rec),
      .piece_pop_i(piece_pop), .piece_o(piece), .events_o(events_o.rsp_join), .idle_o(join_idle));

  logic               commit_unpin, at_valid, at_ready, ev_valid, ev_ready, res_ready, kick_ready, dup_valid,
      commit_idle;
  logic [cairn_int_pkg::RSP_EV_W-1:0] ev;
  logic [cairn_int_pkg::AT_OP_W-1:0] at_op;
  logic [REC_W-1:0]   dup_rec;
  cairn_int_pkg::kick_t commit_kick, at_kick, res_wake;
  cairn_int_pkg::res_write_t res, at_res, res_now;
  rsp_commit #(.SLOTS(SLOTS)) u_commit (
      .clk_i, .rst_ni, .res_base_i, .res_func_i,
      .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_pieces_i(rec_pieces), .rec_i(rec),
      .piece_pop_o(piece_pop), .piece_i(piece),
      .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .ev_i(ev),
      .at_valid_o(at_valid), .at_ready_i(at_ready), .at_op_o(at_op),
      .rd_slot_o(part_o.commit), .part_i(part_i.commit), .write_o(part_o.write),
      .wr_o(wr_o.rsp), .wr_ready_i(wr_ready_i.rsp), .last_ticket_i(dma_i.last_ticket),
      .res_o(res), .res_ready_i(res_ready),
      .cqe_o(cq_o.put), .cqe_ready_i(cq_ready_i), .eqe_o(commit_eqe), .eqe_ready_i(f_eqe_ready[0]),
      .qp_err_o, .qp_err_ready_i,
      .set_o(set), .set_ready_i(set_ready),
      .told_o(told), .told_skip_o(told_skip), .drain_i(joined), .drained_o(wr_drained),
      .kick_o(commit_kick), .kick_ready_i(kick_ready), .dup_valid_o(dup_valid),
      .dup_rec_o(dup_rec),
      .done_o(rx_done_o), .unpin_o(commit_unpin), .done_slot_o(done_slot), .done_cells_o(done_cells),
      .events_o(events_o.rsp_commit), .idle_o(commit_idle));
  assign mr_o.responder_drained = joined && wr_drained && at_drained;
  // One pin release a cycle: a packet's, or that of an atomic that is over.
  assign at_done_ready     = join_at_ready && !rx_done_o;
  assign part_o.unpin_packet.valid = commit_unpin || (at_done.valid && at_done_ready);
  assign part_o.unpin_packet.slot  = cairn_int_pkg::SLOT_W'({rx_done_o ? done_slot : at_done.slot[AW-1:0]});

  logic at_idle, at_res_ready, at_kick_ready;
  logic [1:0] evs_valid, evs_ready;
  logic [2*cairn_int_pkg::RSP_EV_W-1:0] evs;
  atomic_unit #(.DATA_W(DATA_W), .SLOTS(SLOTS), .DEPTH(ATOMICS)) u_atomic (
      .clk_i, .rst_ni, .epoch_i, .res_base_i, .res_func_i,
      .op_valid_i(at_valid), .op_ready_o(at_ready), .op_i(at_op), .drain_i(joined), .drained_o(at_drained),
      .ev_valid_o(evs_valid[1]), .ev_ready_i(evs_ready[1]),
      .ev_o(evs[cairn_int_pkg::RSP_EV_W +: cairn_int_pkg::RSP_EV_W]),
      .rd_o(rd_o.atom), .rd_ready_i(rd_ready_i.atom),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i),
      .wr_o(wr_o.atom), .wr_ready_i(wr_ready_i.atom), .last_ticket_i(dma_i.last_ticket),
      .res_o(at_res), .res_ready_i(at_res_ready),
      .done_o(at_done), .done_ready_i(at_done_ready),
      .kick_o(at_kick), .kick_ready_i(at_kick_ready),
      .events_o(events_o.atomic_exec), .idle_o(at_idle));
  stream_arb #(.WIDTH(cairn_int_pkg::RSP_EV_W), .N(2)) u_evs (
      .clk_i, .rst_ni, .in_valid_i(evs_valid), .in_ready_o(evs_ready), .in_data_i(evs),
      .out_valid_o(ev_valid), .out_ready_i(ev_ready), .out_data_o(ev));

  logic ent_rd, ent_hit, ent_err, fill_go, fill_ready, fill_room, wake_res_ready, res_idle;
  logic [23:0]   ent_qpn;
  logic [7:0]    ent_gen;
  logic [3:0]    ent_index;
  logic [255:0]  ent;
  // An entry on its way to memory has no ticket before dma_write has taken it: a fill now would not wait for it.
  logic res_pending;
  assign res_pending = wr_o.rsp.valid && !wr_o.rsp.cmd.payload;
  assign fill_ready  = fill_room && !res_pending;
  // An atomic's result comes here when the table has it.
  logic c_ready;
  assign res_ready    = c_ready;
  assign at_res_ready = c_ready && !res.valid;
  assign res_now      = {res.valid || at_res.valid, res.valid ? res.index : at_res.index,
                        res.valid ? res.entry : at_res.entry};
  rsp_res_cache #(.DATA_W(DATA_W), .LINES(RES_LINES), .TAG(RES_TAG)) u_res (
      .clk_i, .rst_ni, .epoch_i, .base_i(res_base_i), .func_i(res_func_i),
      .wr_i(res_now), .wr_ready_o(c_ready),
      .rd_valid_i(ent_rd), .rd_qpn_i(ent_qpn), .rd_gen_i(ent_gen), .rd_index_i(ent_index),
      .rd_hit_o(ent_hit), .rd_err_o(ent_err), .rd_entry_o(ent), .fill_valid_i(fill_go && !res_pending),
      .fill_ready_o(fill_room),
      .wake_o(res_wake), .wake_ready_i(wake_res_ready),
      .host_rd_o(rd_o.res), .host_rd_ready_i(rd_ready_i.res),
      .beat_i(dma_i.beat), .beat_data_i(dma_data_i), .last_ticket_i(dma_i.last_ticket),
      .idle_o(res_idle));

  logic tx_idle;
  rsp_tx #(.SLOTS(SLOTS), .QPS_LOG2(QPS_LOG2), .NKICK(4)) u_tx (
      .clk_i, .rst_ni, .halt_i, .epoch_i, .mr_o(mr_o.rsp_tx), .mr_ready_i(mr_ready_i.rsp_tx), .mr_i(mr_i.rsp_tx),
      .mr_ready_o(mr_ready_o.rsp_tx), .drained_o(mr_o.rsp_tx_drained),
      .kick_valid_i({kick_i.firmware.valid, kick_i.doorbell.valid, at_kick.valid, commit_kick.valid}),
      .kick_ready_o({kick_ready_o, at_kick_ready, kick_ready}),
      .kick_qpn_i({kick_i.firmware.qpn, kick_i.doorbell.qpn, at_kick.qpn, commit_kick.qpn}),
      .fill_i, .ctx_o, .ctx_ready_i, .ctx_i,
      .unpin_o(part_o.unpin_visit),
      .part_slot_o(part_o.answer), .part_i(part_i.answer),
      .rq_busy_i(rq_busy), .rq_rd_qpn_o(tx_rq_qpn), .rq_rd_pi_i, .dup_valid_i(dup_valid), .dup_rec_i(dup_rec),
      .res_rd_valid_o(ent_rd), .res_rd_qpn_o(ent_qpn), .res_rd_gen_o(ent_gen),
      .res_rd_index_o(ent_index),
      .res_hit_i(ent_hit), .res_err_i(ent_err), .res_entry_i(ent), .res_fill_valid_o(fill_go),
      .res_fill_ready_i(fill_ready),
      .res_wake_i(res_wake), .res_wake_ready_o(wake_res_ready),
      .last_ticket_i(dma_i.last_ticket),
      .ev_valid_o(evs_valid[0]), .ev_ready_i(evs_ready[0]), .ev_o(evs[0 +: cairn_int_pkg::RSP_EV_W]),
      .responses_o, .responses_i,
      .tx_err_valid_i, .tx_err_ready_o, .tx_err_i,
      .events_o(events_o.rsp_tx), .idle_o(tx_idle));
  assign idle_o = chk_idle && !chk_valid && !new_valid && walk_idle && join_idle && commit_idle
      && res_idle && tx_idle && at_idle && rq_idle;
endmodule
