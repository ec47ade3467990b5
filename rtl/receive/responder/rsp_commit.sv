// SPDX-License-Identifier: Apache-2.0
// Last stage of the responder and the only writer of the qp_rsp part. rsp_next says what happens; here is the order of
// it.
//
// Pipeline: the part is read; rsp_next forms the next one; the effects go out, in as many cycles as that takes. The
//   next packet or event goes through the first two meanwhile. When it is of the slot in hand, the value formed for
//   that is forwarded. The part is written at most every second cycle (ctx_ram).
// ACK: straight from here where rsp_next says so (rsp_ack); the QP's cfg part is read while the packet is taken in
//   hand. rsp_tx asks for the ACK state by an event and gets it as it is then (ack_grant), when the writes before it
//   are accepted.
// Order: payload writes accepted by dma_write, completion accepted, qp_rsp written and the responder resource with it,
//   rsp_tx kicked. Nothing has changed before. A completion must not overtake its payload. Without one the last write
//   is only handed on: whatever tells of it later goes behind it (a READ or atomic of any QP by its own resource). A
//   packet that is not executed only gives its cells back (a write command of length 0). A READ's resource carries the
//   newest write ticket: every payload of its QP before it has been accepted by then.
// Events: of rsp_tx and atomic_unit, taken when their effect is written.
// Atomic: committed like a READ, its piece being the address, and goes on to atomic_unit, also when it is not executed:
//   rsp_join counts them, and its pin is released there.
// UD: the header area comes from the raw frame (the pool has all of it): 20 zeros before an IPv4 header.
// Invalidate: of a SEND with invalidate a record of kind INV comes first and asks whether the packet would be executed;
//   the packet comes when rsp_inv has had the key invalidated.
// Drain: the answers before the mark (mr_drain) are all in here; it has come out when their writes are accepted.
// Cycles: 2 for a packet of one piece, with a completion too, and for an event; 3 for an atomic. One more for each
//   further piece.
// Errors: fatal ones set ERR, report through an event (unless a completion does) and to firmware, which moves the QP to
//   ERR.
module rsp_commit #(
    parameter logic [31:0] FEATURES = '1,                   // as REG FEATURES
    parameter bit          FAST     = 1'b1                  // 0: a packet at a time, 9 cycles each
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  cairn_int_pkg::receive_control_t    control_i,   // table of responder resources
    // packets and their pieces
    input  logic                               rec_valid_i,
    output logic                               rec_ready_o,
    input  cairn_int_pkg::rsp_joined_t         rec_i,
    output logic                               piece_pop_o,
    input  cairn_int_pkg::rsp_piece_t          piece_i,
    // events of rsp_tx
    input  logic                               ev_valid_i,
    output logic                               ev_ready_o,
    input  cairn_int_pkg::rsp_ev_t             ev_i,
    // ACKs from here
    input  logic                               ack_room_i,
    output cairn_int_pkg::rsp_acks_t           acks_o,       // and rsp_tx's
    // qp_rsp part
    output cairn_int_pkg::part_ask_t           rd_o,
    input  cairn_int_pkg::commit_part_t        part_i,       // always there if FAST
    output cairn_int_pkg::part_write_t         write_o,
    // posted writes (WR_RSP)
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    // responder resources on chip: entry `index` of its QP
    output cairn_int_pkg::res_write_t          res_o,
    input  logic                               res_ready_i,
    // completions, events, firmware
    output cairn_int_pkg::completion_t         cqe_o,
    input  logic                               cqe_ready_i,
    output cairn_int_pkg::eq_event_t           eqe_o,
    input  logic                               eqe_ready_i,
    output cairn_int_pkg::kick_t               qp_err_o,
    input  logic                               qp_err_ready_i,
    // srq_state: what became of a slot that was taken
    output cairn_int_pkg::srq_set_t            set_o,
    input  logic                               set_ready_i,
    // SEND with invalidate
    output cairn_int_pkg::inv_told_t           told_o,
    input  logic                               drain_i,
    output logic                               drained_o,
    // rsp_tx
    output cairn_int_pkg::kick_t               kick_o,
    input  cairn_int_pkg::rsp_kick_ready_t     kick_ready_i,  // ... and dup_o's
    output cairn_int_pkg::packet_again_t       dup_o,
    // atomic_unit
    output cairn_int_pkg::atomic_start_t       at_o,
    input  logic                               at_ready_i,
    output cairn_int_pkg::packet_over_t        done_o,
    output cairn_hw_pkg::rsp_commit_events_t   events_o,
    output logic                               idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  localparam bit HAS_ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  localparam bit HAS_INV    = FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB];

  // ---- head: read again until it goes on; an event before a packet, once ----
  logic       write_q, wrote_q;                  // the part is written in the end; has just been
  logic       got, got_q, is_ev_q, ahead_q;      // looked at; an event; its slot's next value is in n_q
  logic       busy_q, end_q, w_ev_q, load, fin;  // in hand; its writes are handed on; it is an event
  logic       sel_ev, at_room, only_inv, only;   // a record that only begins with the key; not a packet
  logic       is_atomic, w_only_q;               // in hand
  cairn_int_pkg::rsp_rec_t rec_in, rec_n, r;  // at the head, r: in hand
  cairn_int_pkg::rsp_ev_t  e;
  logic [cairn_int_pkg::SLOT_W-1:0] w_slot, rd_slot;
  assign rec_in   = rec_i.rec;
  // FAST = 0: the record stays where it comes from until all is done.
  if (FAST) begin : g_copy
    cairn_int_pkg::rsp_rec_t r_q;
    always_ff @(posedge clk_i) if (load && !is_ev_q) r_q <= rec_i.rec;
    assign r           = r_q;
    assign rec_ready_o = load && !is_ev_q;
  end else begin : g_stays
    assign r           = rec_in;
    assign rec_ready_o = fin && !w_ev_q;
  end
  assign e        = ev_i;
  assign only_inv = HAS_INV && !is_ev_q && rec_in.kind == cairn_int_pkg::RSK_INV;
  assign only     = only_inv || (!is_ev_q && rec_in.kind == cairn_int_pkg::RSK_ACK);
  always_comb begin
    rec_n = rec_i.rec;
    // would it be executed?
    if (HAS_INV && rec_in.kind == cairn_int_pkg::RSK_INV) rec_n.kind = cairn_int_pkg::RSK_SEND;
  end
  // An atomic is begun only when atomic_unit has room, which nothing else takes: it may be full of operations that wait
  // to report a failure here.
  assign at_room   = !HAS_ATOMIC || rec_in.kind != cairn_int_pkg::RSK_ATOMIC || (at_ready_i && !(busy_q && is_atomic));
  // What is being read stays chosen.
  assign got       = got_q && part_i.ok;
  assign sel_ev    = (got_q && !part_i.ok) ? is_ev_q : ev_valid_i && !(busy_q && w_ev_q) && !ev_ready_o;
  assign rd_slot   = sel_ev ? e.slot : rec_in.id.slot;
  // FAST = 0: nothing is asked for while something is in hand, and nothing waits for dma_write's ready in the cycle in
  // which that comes. So what is asked for depends on registers, and on whether it is there.
  assign rd_o      = {(sel_ev || rec_valid_i) && (FAST ? !load : !busy_q), rd_slot};
  assign load      = got && (!busy_q || (FAST && fin)) && (is_ev_q || at_room);
  assign w_slot    = w_ev_q ? e.slot : r.id.slot;

  // ---- what happens ----
  logic [511:0] cur, nx, n_q;
  logic         nx_write, nx_dead, nx_run, nx_fatal, nx_kick, nx_cqe, nx_ackb, nx_est, nx_coal, nx_srq;
  logic         nx_direct, nx_grant, nx_owed;
  logic [15:0]  nx_index;
  logic [7:0]   nx_status;
  assign cur = (FAST && ahead_q) ? n_q : part_i.rsp;
  rsp_next u_next (
      .cur_i(cur), .rec_i(rec_n), .is_ev_i(is_ev_q), .ev_i, .ack_room_i,
      .direct_o(nx_direct), .grant_o(nx_grant), .owed_o(nx_owed),
      .next_o(nx), .write_o(nx_write), .dead_o(nx_dead), .run_o(nx_run), .fatal_o(nx_fatal), .kick_o(nx_kick),
      .cqe_o(nx_cqe), .cqe_index_o(nx_index), .cqe_status_o(nx_status), .cqe_srq_o(nx_srq),
      .ack_before_o(nx_ackb), .comm_est_o(nx_est), .coalesced_o(nx_coal));
  cairn_hw_pkg::qp_rsp_t n;
  logic         dead_q, run_q, fatal_q, kick_q, cqe_q, ackb_q, est_q, coal_q, srq_q, direct_q, grant_q;
  logic [15:0]  index_q;
  logic [7:0]   status_q;
  logic         atomic_q, cells_q, quick_q;  // a packet of that kind; one that has cells; nothing waits for its write
  logic         dup_q, err_pkt;  // it is a duplicate that rsp_tx has not taken yet; cqe_q is about an error of it
  assign n = n_q;
  assign err_pkt = !w_ev_q && fatal_q;

  assign told_o = {load && only_inv, !nx_run};

  // ---- writes: pieces, then the cells go back; or the resource of a READ ----
  cairn_int_pkg::dma_wr_t  w;
  cairn_hw_pkg::rsp_res_t  res;
  logic        place, discard, is_res, has_write;
  logic [4:0]  left_q;
  logic        second_q, first_q;
  logic        w_offer, w_load, w_done, two, w_free, drop_piece, place_q, is_res_q;
  logic        one_q, some_q, res_put_q;            // of left_q: the last piece, any; the entry is in the table
  logic [LEN_W-1:0] p_len;
  logic [5:0]  pos_q, pos_next;       // UD: bytes of the header area that have been placed
  logic        in_hdr, in_zero, hdr_ends;
  logic [7:0]  res_tail;
  assign is_atomic = atomic_q;
  assign place     = place_q;
  assign discard   = cells_q && !place_q;
  assign is_res    = is_res_q;
  assign two       = piece_i.place.len1 != '0;
  assign p_len     = second_q ? piece_i.place.len1 : piece_i.place.len0;
  assign in_hdr    = r.ud.valid && pos_q != 6'd40;
  assign in_zero   = in_hdr && !r.ud.ipv6 && pos_q < 6'd20;
  assign pos_next  = pos_q + p_len[5:0];
  assign hdr_ends  = in_hdr && (pos_next == 6'd40 || (!r.ud.ipv6 && pos_next == 6'd20));
  assign w_free    = place ? r.data.has_cells && one_q && (second_q || !two) : 1'b1;
  assign res_tail  = n.epsn_res_tail - 8'h1;
  always_comb begin
    res                = '0;
    res.psn_first_psn  = r.psn;
    res.psn_kind       = is_atomic ? cairn_hw_pkg::RES_KIND_ATOMIC : cairn_hw_pkg::RES_KIND_READ;
    res.psn_ack_before = ackb_q;
    res.psn_cas        = is_atomic && r.atomic.cas;
    res.msn            = n.msn;
    res.msn_gen        = r.id.gen;
    if (!is_atomic) begin
      res.va            = r.place.va;
      res.rkey          = r.place.key;
      res.length        = r.place.mlen;
    end
    res.ticket            = last_ticket_i;
    res.ticket_ack_msn_lo = n.msn[15:0] - 16'h1;
    res.qpn               = r.id.qpn;
  end
  always_comb begin
    w           = '0;
    w.epoch     = r.data.epoch;
    w.first     = first_q;
    w.cell_head = r.data.cell_head;
    w.off       = (place && in_hdr) ? r.ud.ip_off : r.data.pay_off;
    if (place || discard) begin
      // (what is only discarded has no address)
      w.payload = !(place && in_zero);
      w.free    = w_free;
      w.func    = piece_i.place.func;
      w.iova    = second_q ? piece_i.place.iova1 : piece_i.place.iova0;
      w.len     = !place ? '0 : p_len;
    end else begin
      w.func = control_i.res_func;
      w.iova = control_i.res_base + {31'h0, r.id.qpn, res_tail[3:0], 5'h0};
      w.len  = LEN_W'(cairn_hw_pkg::RSP_RES_BYTES);
      w.data = {256'h0, res};
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      left_q <= rec_i.pieces;
      one_q  <= rec_i.pieces == 5'd1;
      some_q <= rec_i.pieces != '0;
    end else if (piece_pop_o) begin
      left_q <= left_q - 5'd1;
      one_q  <= left_q == 5'd2;
      some_q <= !one_q;
    end
  end
  logic wr_in_ready, wr_reg_ready, wr_over, writing;
  // Pieces of a packet that is not executed after all are thrown away first.
  assign writing     = busy_q && !end_q;
  assign drop_piece  = writing && !w_ev_q && !run_q && some_q;
  assign w_offer     = writing && has_write && !drop_piece && (!is_res || (FAST ? res_ready_i : res_put_q))
                       && (!place || piece_i.here);
  assign has_write   = place_q || cells_q || is_res_q;
  assign w_load      = w_offer && wr_in_ready;
  assign w_done      = w_load && (!place || (one_q && (second_q || !two)));
  assign piece_pop_o = drop_piece || (w_load && place && (second_q || !two)) || (fin && is_atomic && run_q);
  assign wr_in_ready = FAST ? wr_reg_ready : !wr_o.valid;
  assign wr_over     = !wr_o.valid || (FAST && wr_ready_i);      // the last one has been accepted
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_WR_W)) u_wr (
      .clk_i, .rst_ni, .in_valid_i(w_offer && wr_in_ready), .in_ready_o(wr_reg_ready), .in_data_i(w),
      .out_valid_o(wr_o.valid), .out_ready_i(wr_ready_i), .out_data_o(wr_o.cmd));
  // The entry on chip becomes valid with the qp_rsp write that makes it count; a little earlier does no harm.
  // FAST = 0: it is put there first, and that the write goes on does not wait for the table's ready.
  assign res_o.valid = writing && is_res && (FAST ? wr_in_ready : !res_put_q);
  assign res_o.index = res_tail[3:0];
  assign res_o.entry = res;

  // ---- the rest, all in one cycle ----
  logic done, has_set, set_ready;
  logic at_here, w_last, told_ready, rest_ready, cqe_ready, eqe_ready, err_ready, kick_ready, has_eqe, has_kick;
  logic [7:0] etype, vendor;
  logic [23:0] qpn;
  logic [cairn_int_pkg::CQE_REQ_W-1:0] q;
  cairn_int_pkg::eqe_req_t v;
  assign qpn      = w_ev_q ? e.qpn : r.id.qpn;
  // Memory of this side that fails is no fault of the request.
  assign etype    = !w_ev_q ? r.verdict.etype : e.syn == cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP)
                    ? cairn_hw_pkg::EQE_TYPE_QP_FATAL : cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR;
  assign vendor   = w_ev_q ? e.vendor : r.verdict.vendor;
  assign has_eqe  = (fatal_q && etype != '0) || est_q;
  assign has_kick = kick_q;
  assign has_set  = !w_ev_q && !w_only_q && r.srq.valid && r.take;
  // Each tells one in two cycles, and whether it has room depends on nobody's ready.
  assign {cqe_ready, eqe_ready, err_ready, kick_ready} = ~{cqe_o.valid, eqe_o.valid, qp_err_o.valid, kick_o.valid};
  // (an event may be told, whatever is)
  assign told_ready = (!(fatal_q || est_q) || eqe_ready) && (!fatal_q || err_ready) && (!has_kick || kick_ready)
                      && (!has_set || set_ready) && !(write_q && wrote_q) && !dup_q;
  assign rest_ready = told_ready && wr_over && (!cqe_q || cqe_ready);
  assign w_last     = writing && (w_done || (!has_write && !drop_piece));
  assign at_here  = piece_i.here || !run_q;
  // FAST = 0: what waits for no write, and was not over with it, does not look at dma_write's ready.
  assign fin      = (busy_q && end_q && (FAST ? rest_ready : told_ready && (quick_q || rest_ready))
                     && (!is_atomic || (at_ready_i && at_here)))
                    || (w_last && told_ready && quick_q);
  rsp_cqe u_form (
      .rec_i(r), .flush_i(w_ev_q || dead_q), .bad_i(err_pkt), .cqn_i(n.rq_cqn), .qpn_i(qpn), .index_i(index_q),
      .status_i(status_q), .len_i(n.remaining), .srq_i(srq_q), .cqe_o(q));
  always_comb begin
    v        = '0;
    v.eqn    = w_ev_q ? e.eqn : r.eqn;
    v.etype  = fatal_q ? etype : cairn_hw_pkg::EQE_TYPE_COMM_EST;
    v.number = qpn;
    v.data   = fatal_q ? 32'(vendor) : '0;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::CQE_REQ_W)) u_cqe (
      .clk_i, .rst_ni, .in_valid_i(fin && cqe_q), .in_ready_o(), .in_data_i(q),
      .out_valid_o(cqe_o.valid), .out_ready_i(cqe_ready_i), .out_data_o(cqe_o.req));
  stream_reg #(.WIDTH(cairn_int_pkg::EQE_REQ_W)) u_eqe (
      .clk_i, .rst_ni, .in_valid_i(fin && has_eqe), .in_ready_o(), .in_data_i(v),
      .out_valid_o(eqe_o.valid), .out_ready_i(eqe_ready_i), .out_data_o(eqe_o.req));
  skid_buffer #(.WIDTH(33)) u_set (
      .clk_i, .rst_ni, .in_valid_i(fin && has_set), .in_ready_o(set_ready),
      .in_data_i({r.srq.srqn, !dead_q && r.kind == cairn_int_pkg::RSK_DROP, r.srq.slot}),
      .out_valid_o(set_o.valid), .out_ready_i(set_ready_i), .out_data_o({set_o.srqn, set_o.back, set_o.slot}));
  stream_reg #(.WIDTH(24)) u_err (
      .clk_i, .rst_ni, .in_valid_i(fin && fatal_q), .in_ready_o(), .in_data_i(qpn),
      .out_valid_o(qp_err_o.valid), .out_ready_i(qp_err_ready_i), .out_data_o(qp_err_o.qpn));
  stream_reg #(.WIDTH(24)) u_kick (
      .clk_i, .rst_ni, .in_valid_i(fin && has_kick), .in_ready_o(), .in_data_i(qpn),
      .out_valid_o(kick_o.valid), .out_ready_i(kick_ready_i.kick), .out_data_o(kick_o.qpn));

  // ---- ACKs ----
  logic acks, reads;             // the packet at the head may be one that acknowledges
  logic fresh_q;                 // first cycle in hand
  assign acks    = !is_ev_q && !rec_in.silent && (rec_in.kind == cairn_int_pkg::RSK_SEND
                                                  || rec_in.kind == cairn_int_pkg::RSK_WRITE);
  // An event is taken a cycle after its effect.
  cairn_int_pkg::ack_grant_t said_q;
  assign acks_o.grant = said_q;
  always_ff @(posedge clk_i) begin
    ev_ready_o   <= rst_ni && fin && w_ev_q;
    said_q     <= {grant_q, n.ack_psn, n.flags_syndrome};
  end
  assign reads = got && acks;
  assign acks_o.direct = {reads, fresh_q && direct_q, fin && direct_q, reads ? rec_in.id.slot : r.id.slot,
                          n.ack_psn, n.msn, r.rq.pi - n.rq_rq_index};
  always_ff @(posedge clk_i) fresh_q <= load;

  cairn_int_pkg::at_op_t at;
  always_comb begin
    at            = '0;
    at.skip       = !run_q;
    at.cas        = r.atomic.cas;
    at.ack_before = ackb_q;
    at.func       = piece_i.place.func;
    at.iova       = piece_i.place.iova0;
    at.swap_add   = r.atomic.swap_add;
    at.compare    = r.atomic.compare;
    at.slot       = r.id.slot;
    at.qpn        = r.id.qpn;
    at.gen        = r.id.gen;
    at.psn        = r.psn;
    at.msn        = n.msn;
    at.res        = res_tail;
    at.eqn        = r.eqn;
  end
  assign at_o = {busy_q && end_q && rest_ready && is_atomic && at_here, at};

  assign write_o.valid = fin && write_q;
  assign write_o.slot  = w_slot;
  assign write_o.data  = n_q;
  assign done          = fin && !w_ev_q && !w_only_q;
  // A cycle later: whoever counts packets or lets go of the slot has no hurry.
  cairn_int_pkg::packet_over_t done_q;
  always_ff @(posedge clk_i) begin
    done_q <= {rst_ni && done, done && !is_atomic, r.id.slot,
               r.data.has_cells ? cairn_fn_pkg::rx_cells(r.data.pay_len, r.data.pay_off) : 5'h0};
  end
  assign done_o      = done_q;
  assign dup_o       = {busy_q && dup_q, r};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      got_q     <= 1'b0;
      busy_q    <= 1'b0;
      end_q     <= 1'b0;
      wrote_q   <= 1'b0;
      drained_o <= 1'b0;
    end else begin
      drained_o <= drain_i && (drained_o || !wr_o.valid || wr_ready_i);
      got_q     <= rd_o.asks && !load;
      busy_q    <= load || (busy_q && !fin);
      end_q     <= !load && !fin && (end_q || w_last);
      res_put_q <= !load && (res_put_q || (res_o.valid && res_ready_i));
      wrote_q   <= write_o.valid;
    end
    is_ev_q <= sel_ev;
    ahead_q <= busy_q && write_q && w_slot == rd_slot;
    if (load) begin
      w_ev_q   <= is_ev_q;
      atomic_q <= HAS_ATOMIC && !is_ev_q && rec_in.kind == cairn_int_pkg::RSK_ATOMIC;
      cells_q  <= !is_ev_q && !only && rec_in.data.has_cells;
      n_q      <= nx;
      w_only_q <= only;
      write_q  <= nx_write && !only;
      dead_q   <= nx_dead;
      run_q    <= nx_run && !only;
      fatal_q  <= nx_fatal && !only;
      kick_q   <= only ? nx_owed : nx_kick;
      cqe_q    <= nx_cqe && !only;
      direct_q <= nx_direct && !only;
      grant_q  <= nx_grant;
      index_q  <= nx_index;
      status_q <= nx_status;
      ackb_q   <= nx_ackb;
      est_q    <= nx_est && !only;
      coal_q   <= nx_coal;
      srq_q    <= nx_srq;
      place_q  <= !is_ev_q && nx_run && !only && rec_i.pieces != '0
                  && !(HAS_ATOMIC && rec_in.kind == cairn_int_pkg::RSK_ATOMIC);
      is_res_q <= !is_ev_q && nx_run && !only && (rec_in.kind == cairn_int_pkg::RSK_READ
                  || (HAS_ATOMIC && rec_in.kind == cairn_int_pkg::RSK_ATOMIC));
      dup_q    <= !is_ev_q && !only && !nx_dead && (rec_in.kind == cairn_int_pkg::RSK_DUPRD
                  || rec_in.kind == cairn_int_pkg::RSK_DUPAT);
      quick_q  <= !(nx_cqe && !only) && !nx_grant
                  && !(HAS_ATOMIC && !is_ev_q && rec_in.kind == cairn_int_pkg::RSK_ATOMIC);
      second_q <= 1'b0;
      first_q  <= 1'b1;
      pos_q    <= '0;
    end else begin
      if (kick_ready_i.dup) dup_q <= 1'b0;
      if (w_load) begin
        first_q  <= hdr_ends;
        if (in_hdr) pos_q <= pos_next;
        second_q <= place && two && !second_q;
      end
    end
  end

  rsp_counts u_counts (
      .qpn_i(qpn), .rec_i(r), .done_i(done), .run_i(run_q), .dead_i(dead_q), .read_i(is_res && !is_atomic),
      .cqe_i(fin && cqe_q), .status_i(status_q), .coalesced_i(coal_q),
      .stall_i((writing && has_write && !w_load) || (busy_q && end_q && !fin)), .events_o);
  assign idle_o = !busy_q && !done_q.valid && !rec_valid_i && !ev_valid_i && !wr_o.valid && !cqe_o.valid && !eqe_o.valid
                  && !qp_err_o.valid && !kick_o.valid && !set_o.valid;
endmodule
