// SPDX-License-Identifier: Apache-2.0
// Second half of cmp_place: carries out the verdicts of cmp_check, in order, together with the answers of the MR
// service.
//
// Order: DATA whose pieces are all translated is written (port WR_CMP, cells freed with the last, an atomic's value
//   from its record) and told to cmp_retire when the writes are accepted; then the pin goes back.
// Parked: what misses an MR line, what cmp_check says, and every later packet of a slot that has parked ones. Replayed
//   packets stay in the list until their verdict here; after one that waits again the rest of those taken is void. A
//   wake-up that came while a packet was on its way here is not lost: its slot is drained at once.
// Chain: DATA of a slot that is in here. After a failed one the rest of the chain is thrown away. torn_o: some of the
//   chain will not be placed now, so cmp_check must not go on where it believed the chain to end.
// FEW: there is no chain, since nothing of it is here when a packet is looked at; and no queue.
// Cycles: 3 for a packet of one piece, one more for each further piece or page.
// Errors: protection, LOC_PROT_ERR, as an event for cmp_packet.
module cmp_join #(
    parameter int unsigned SLOTS = 128,
    parameter bit          FEW   = 1'b0,    // one packet at a time: the next verdict comes when out_o has said so
    parameter int unsigned LANES = SLOTS,   // of chains
    parameter int unsigned RING  = 32,      // answers that have room, 16 and more: a power of two
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned LEN_W = cairn_int_pkg::LEN_W
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           verdict_valid_i,
    output logic                           verdict_room_o,
    input  cairn_int_pkg::cmp_verdict_t    verdict_i,
    input  logic [AW-1:0]                  chain_slot_i,
    output logic                           chain_o,
    output logic                           torn_o,
    output logic                           tear_o,     // one of them is parked now
    input  cairn_int_pkg::mr_answer_t      mr_i,
    output logic                           mr_ready_o,
    output logic                           left_o,     // strobe: the oldest verdict is over
    output logic                           out_o,      // strobe: of a packet nothing is here any more
    // the list of parked packets; has the slot of the oldest verdict been woken, was anything filled, since its look
    output logic [AW-1:0]                  slot_o,
    input  logic                           waiting_i,
    input  logic                           void_i,
    input  logic                           woken_i,
    input  logic                           filled_i,
    output logic                           push_valid_o,
    input  logic                           push_ready_i,
    output cairn_int_pkg::cmp_rec_t        push_o,
    output logic                           res_valid_o,
    output logic                           res_pop_o,
    output logic                           drain_valid_o,
    input  logic                           drain_ready_i,
    output logic [AW-1:0]                  drain_slot_o,
    output cairn_int_pkg::dma_write_t      wr_o,
    input  logic                           wr_ready_i,
    output cairn_int_pkg::read_progress_t  prog_o,
    input  logic                           prog_ready_i,
    output cairn_int_pkg::kick_t           kick_o,
    input  logic                           kick_ready_i,
    output logic                           ev_valid_o,
    input  logic                           ev_ready_i,
    output cairn_int_pkg::cmp_ev_t         ev_o,
    output cairn_int_pkg::unpin_t          rel_o,
    output cairn_hw_pkg::cmp_join_events_t events_o,
    output logic                           drained_o,  // ... and what was made of them is accepted
    output logic                           idle_o
);
  logic [AW-1:0] prog_slot;
  localparam int unsigned PW = $clog2(RING);
  if (RING < 16 || (1 << PW) != RING) begin : g_chk
    $error("cmp_join: RING must be a power of two, 16 and more");
  end
  typedef enum logic [2:0] {J_HEAD, J_EVENT, J_DROP, J_WRITE, J_PARK, J_LATE} state_e;
  state_e                  state_q;
  cairn_int_pkg::cmp_verdict_t t, t_in;
  logic                    t_valid, done, init_q;
  logic [AW-1:0]           slot;
  logic [LEN_W-1:0]        bytes;
  if (FEW) begin : g_one
    logic room;
    stream_half #(.WIDTH(cairn_int_pkg::CMP_VERDICT_W)) u_verdict (
        .clk_i, .rst_ni, .in_valid_i(verdict_valid_i), .in_ready_o(room), .in_data_i(verdict_i),
        .out_valid_o(t_valid), .out_ready_i(done), .out_data_o(t));
    assign verdict_room_o = room;
  end else begin : g_queue
    logic [3:0] t_level;
    sync_fifo_level #(.WIDTH(cairn_int_pkg::CMP_VERDICT_W), .DEPTH(8)) u_verdicts (
        .clk_i, .rst_ni, .in_valid_i(verdict_valid_i), .in_ready_o(), .in_data_i(verdict_i), .out_valid_o(t_valid),
        .out_ready_i(done), .out_data_o(t), .level_o(t_level));
    assign verdict_room_o = t_level < 4'd7 && !init_q;
  end
  assign t_in           = verdict_i;
  assign slot           = t.rec.qp.slot[AW-1:0];
  assign slot_o         = slot;
  assign bytes          = t.rec.atomic ? LEN_W'(8) : t.rec.pay_len;

  // ---- answers: a ring; those of the packet in hand are looked at one by one, then used or passed over ----
  // (with a bit that it has a second piece)
  logic [cairn_int_pkg::CMP_ANSWER_W:0] ring [0:RING-1];
  logic [PW-1:0] in_q, at_q;               // next to come, first of the packet in hand
  logic [PW:0]   used_q;
  logic [4:0]    seen_q, use_q;            // of the packet in hand: looked at, written
  logic          miss_q, err_q, look, complete;
  logic [7:0]    vendor_q;
  cairn_int_pkg::cmp_answer_t l, u;        // looked at, in use
  logic [PW-1:0] l_at, u_at;
  cairn_int_pkg::mr_rsp_t a;
  assign a          = mr_i.rsp;
  assign mr_ready_o = used_q != (PW+1)'(RING);
  assign l_at       = at_q + PW'(seen_q);
  assign l          = ring[l_at][cairn_int_pkg::CMP_ANSWER_W-1:0];
  if (FEW) begin : g_complete
    always_ff @(posedge clk_i) complete <= rst_ni && t_valid && !done && seen_q == t.nmr;
  end else begin : g_completes
    assign complete = seen_q == t.nmr;
  end
  assign look       = state_q == J_HEAD && t_valid && seen_q != t.nmr && used_q > (PW+1)'(seen_q);
  always_ff @(posedge clk_i) begin
    if (mr_i.valid && mr_ready_o)
      ring[in_q] <= {a.len1 != '0, a.status, a.vendor, a.func, a.iova0, a.len0, a.iova1, a.len1};
  end

  assign used_d   = used_q + (PW+1)'(mr_i.valid && mr_ready_o) - (done ? (PW+1)'(t.nmr) : '0);

  // ---- the mark of a drain: behind the answers that are here, then behind their last write ----
  logic        marked_q, known_q, done_q;
  logic [PW:0] used_d, before_q;
  logic [4:0]  done_nmr_q;
  always_ff @(posedge clk_i) begin
    marked_q  <= rst_ni && mr_i.drain;
    known_q   <= rst_ni && mr_i.drain && marked_q;
    drained_o <= rst_ni && known_q && mr_i.drain
                 && (drained_o || (before_q == '0 && !done_q && (!wr_o.valid || wr_ready_i)));
    if (!known_q) before_q <= used_q;                  // until a cycle after the mark: with what came before it
    else if (done_q) before_q <= (before_q > (PW+1)'(done_nmr_q)) ? before_q - (PW+1)'(done_nmr_q) : '0;
    done_q     <= rst_ni && done;
    done_nmr_q <= t.nmr;
  end

  // ---- chains: DATA verdicts of a slot that are in here ----
  logic          leave, fail, fall, poisoned, came_data, dead, torn;
  logic [AW-1:0] leave_slot, came_slot;
  assign came_data = verdict_valid_i && t_in.kind == cairn_int_pkg::CTK_DATA;
  assign came_slot = t_in.rec.qp.slot[AW-1:0];
  if (FEW) begin : g_no_chain
    logic unused;
    assign {chain_o, torn_o, dead, torn, init_q} = '0;
    assign unused = ^{came_data, came_slot, leave, leave_slot, fail, fall};
  end else begin : g_chain
    cmp_chain #(.SLOTS(SLOTS), .LANES(LANES)) u_chain (
        .clk_i, .rst_ni, .init_o(init_q), .came_i(came_data), .came_slot_i(came_slot), .came_torn_i(t_in.torn),
        .leave_i(leave), .leave_slot_i(leave_slot), .slot_i(slot), .fail_i(fail), .fall_i(fall),
        .done_torn_i(done && is_data && t.torn), .dead_o(dead), .torn_o(torn),
        .chain_slot_i, .chain_o, .chain_torn_o(torn_o));
  end

  // ---- what becomes of it ----
  logic is_data, broken, hold, void_now, go, take_park, take_event, take_drop, take_write;
  assign is_data  = t.kind == cairn_int_pkg::CTK_DATA;
  assign poisoned = is_data && dead;
  assign broken   = is_data && !poisoned && (t.torn || torn);   // not placed before the one that was parked
  logic holds, voids;
  assign voids    = t.again && void_i;
  assign holds    = t.kind != cairn_int_pkg::CTK_DROP
                    && (t.kind == cairn_int_pkg::CTK_PARK || t.kind == cairn_int_pkg::CTK_BEHIND
                        || (!t.again && waiting_i) || broken || (is_data && !poisoned && miss_q));
  if (FEW) begin : g_held
    // As `complete`, in registers: nothing of it changes while one packet is here.
    always_ff @(posedge clk_i) {hold, void_now} <= {holds, voids};
  end else begin : g_holds
    assign {hold, void_now} = {holds, voids};
  end
  assign go         = state_q == J_HEAD && t_valid && complete;
  assign take_park  = go && !void_now && hold;
  assign take_event = go && !void_now && !hold && !pr_q
                      && (t.kind == cairn_int_pkg::CTK_EVENT || (is_data && !poisoned && err_q));
  assign take_write = go && !void_now && !hold && is_data && !poisoned && !err_q;
  assign take_drop  = go && !void_now && !hold && (t.kind == cairn_int_pkg::CTK_DROP || poisoned);

  // Parked again, or for the first time; what comes from then on finds it in its list. late: what it waits for has come
  // before, or nothing was before it.
  logic late, alone_q, park_ok, kick_room, d_ready;
  assign push_valid_o = state_q == J_PARK && !t.again;
  assign push_o       = t.rec;
  assign late         = woken_i || (t.kind != cairn_int_pkg::CTK_PARK && filled_i)
                        || (t.kind == cairn_int_pkg::CTK_BEHIND && alone_q) || broken;
  assign park_ok      = state_q == J_LATE && !pr_q && (!t.kick || kick_room) && (!late || d_ready);
  always_ff @(posedge clk_i) if (state_q == J_PARK) alone_q <= !waiting_i;
  stream_half #(.WIDTH(24)) u_kick (
      .clk_i, .rst_ni, .in_valid_i((park_ok && t.kick) || drop_done), .in_ready_o(kick_room), .in_data_i(t.rec.qp.qpn),
      .out_valid_o(kick_o.valid), .out_ready_i(kick_ready_i), .out_data_o(kick_o.qpn));
  stream_half #(.WIDTH(AW)) u_drain (
      .clk_i, .rst_ni, .in_valid_i(park_ok && late), .in_ready_o(d_ready), .in_data_i(slot),
      .out_valid_o(drain_valid_o), .out_ready_i(drain_ready_i), .out_data_o(drain_slot_o));

  cairn_int_pkg::cmp_ev_t ev;
  logic prot;
  assign prot = is_data;
  always_comb begin
    ev        = '0;
    ev.kind   = prot ? cairn_int_pkg::CEV_FATAL : t.ev_kind;
    ev.psn    = t.ev_psn;
    ev.status = prot ? cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR : t.ev_status;
    ev.vendor = prot ? vendor_q : t.ev_vendor;
    ev.qp     = t.rec.qp;
  end
  assign ev_o                  = ev;
  assign ev_valid_o            = state_q == J_EVENT;
  assign fail                  = take_event && is_data;
  assign events_o.qpn          = t.rec.qp.qpn;
  assign events_o.loc_prot_err = fail;

  // ---- writes ----
  logic             w_two, w_last, w_load, w_ready, second_q, no_piece, p_room, w_done;
  cairn_int_pkg::dma_wr_t w;
  assign u_at     = at_q + PW'(use_q);
  assign {w_two, u} = ring[u_at];
  assign no_piece = t.nmr == '0;                       // a READ of no bytes
  assign w_last   = no_piece || (use_q + 5'd1 == t.nmr && (second_q || !w_two));
  always_comb begin
    w           = '0;
    w.epoch     = t.rec.epoch;
    w.payload   = 1'b1;
    w.cell_head = t.rec.cell_head;
    w.off       = t.rec.pay_off;
    w.first     = 1'b1;
    w.free      = 1'b1;
    if (state_q == J_WRITE && !no_piece) begin
      w.func    = u.place.func;
      w.iova    = second_q ? u.place.iova1 : u.place.iova0;
      w.len     = second_q ? u.place.len1 : u.place.len0;
      w.first   = use_q == '0 && !second_q;
      w.free    = w_last && t.rec.has_cells;
      w.payload = !t.rec.atomic;
      // The old value, little-endian like all numbers in host memory; the second page has what is left.
      w.data[63:0] = second_q ? t.rec.orig >> {u.place.len0[2:0], 3'h0} : t.rec.orig;
    end
  end
  logic w_want;
  assign w_want = (state_q == J_WRITE && (!no_piece || t.rec.has_cells) && p_room)
                  || (state_q == J_DROP && t.rec.has_cells && !pr_q && kick_room);
  assign w_load = w_want && w_ready;
  if (FEW) begin : g_wr
    // Nothing here depends on the other side's ready.
    stream_half #(.WIDTH(cairn_int_pkg::DMA_WR_W)) u_wr (
        .clk_i, .rst_ni, .in_valid_i(w_want), .in_ready_o(w_ready), .in_data_i(w),
        .out_valid_o(wr_o.valid), .out_ready_i(wr_ready_i), .out_data_o(wr_o.cmd));
  end else begin : g_wrs
    stream_reg #(.WIDTH(cairn_int_pkg::DMA_WR_W)) u_wr (
        .clk_i, .rst_ni, .in_valid_i(w_want), .in_ready_o(w_ready), .in_data_i(w),
        .out_valid_o(wr_o.valid), .out_ready_i(wr_ready_i), .out_data_o(wr_o.cmd));
  end
  assign w_done = state_q == J_WRITE && p_room && w_last && (w_load || (no_piece && !t.rec.has_cells && !wr_o.valid));

  // ---- progress, after the writes it speaks of were accepted; then the packet is over ----
  logic p_valid, p_take, p_atomic, p_free, p_ok_q, drop_done, pr_q;
  logic [AW-1:0] pr_slot_q;
  typedef struct packed {
    logic [AW-1:0]    slot;
    logic [23:0]      qpn, next_psn;
    logic [LEN_W-1:0] len;
    logic             chunk, whole, atomic;
  } progress_t;
  progress_t p_in, p_out;
  logic      p_more;                      // a later one is there
  assign p_in = {slot, t.rec.qp.qpn, t.rec.psn + 24'h1, bytes, t.chunk, t.whole, t.rec.atomic};
  assign {prog_slot, prog_o.qpn, prog_o.next_psn, prog_o.len, prog_o.chunk, prog_o.whole, p_atomic} = p_out;
  if (FEW) begin : g_prog
    assign p_more = 1'b0;
    stream_half #(.WIDTH($bits(p_in))) u_prog (
        .clk_i, .rst_ni, .in_valid_i(w_done), .in_ready_o(p_room), .in_data_i(p_in), .out_valid_o(p_valid),
        .out_ready_i(p_take), .out_data_o(p_out));
  end else begin : g_progs
    logic [2:0] p_level;
    sync_fifo_level #(.WIDTH($bits(p_in)), .DEPTH(4)) u_prog (
        .clk_i, .rst_ni, .in_valid_i(w_done), .in_ready_o(p_room), .in_data_i(p_in), .out_valid_o(p_valid),
        .out_ready_i(p_take), .out_data_o(p_out), .level_o(p_level));
    assign p_more = p_level > 3'd1;
  end
  // A later entry is only there when the writes of the first were taken.
  assign p_free                 = p_valid && (p_more || !wr_o.valid);
  assign prog_o.slot            = cairn_int_pkg::SLOT_W'(prog_slot);
  assign prog_o.valid           = p_free || p_ok_q;
  assign p_take                 = prog_o.valid && prog_ready_i;
  assign events_o.rx_read_rsp   = p_take && !p_atomic;
  assign events_o.rx_atomic_rsp = p_take && p_atomic;
  // The walker does not take a READ for lost while there is a packet of its QP here: now it may.
  assign drop_done   = state_q == J_DROP && (w_load || !t.rec.has_cells) && !pr_q && kick_room;
  assign rel_o.valid = pr_q || drop_done;
  assign rel_o.slot  = cairn_int_pkg::SLOT_W'({pr_q ? pr_slot_q : slot});

  // ---- leaving ----
  logic void_done, took_q;
  assign void_done   = go && void_now && !pr_q;
  assign done        = w_done || drop_done || park_ok || void_done;
  assign left_o      = done;
  // One that leaves its list takes longer here than a cycle: its place may be told late.
  always_ff @(posedge clk_i) took_q <= rst_ni && t.again && (take_write || take_event || take_drop);
  assign res_valid_o = took_q || (t.again && (void_done || park_ok));
  assign res_pop_o   = took_q;
  // A chain is shorter by one when its packet is over, or will not be placed now.
  assign fall               = is_data && (drop_done || park_ok || void_done);
  assign tear_o             = !FEW && fall && slot == chain_slot_i;
  assign leave              = pr_q || fall;
  assign leave_slot         = pr_q ? pr_slot_q : slot;
  assign out_o              = rel_o.valid || park_ok || void_done;
  assign events_o.rx_parked = push_valid_o && push_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= J_HEAD;
      in_q        <= '0;
      at_q        <= '0;
      used_q      <= '0;
      seen_q      <= '0;
      pr_q        <= 1'b0;
      p_ok_q      <= 1'b0;
    end else begin
      in_q   <= in_q + PW'(mr_i.valid && mr_ready_o);
      used_q <= used_d;
      if (done) begin
        at_q   <= at_q + PW'(t.nmr);
        seen_q <= '0;
      end else if (look) begin
        seen_q <= seen_q + 5'd1;
      end
      pr_q   <= p_take;
      p_ok_q <= prog_o.valid && !p_take;
      case (state_q)
        J_HEAD:  state_q <= take_park ? J_PARK : take_event ? J_EVENT : take_write ? J_WRITE
                            : take_drop ? J_DROP : J_HEAD;
        J_EVENT: if (ev_ready_i) state_q <= J_DROP;
        J_PARK:  if (t.again || push_ready_i) state_q <= J_LATE;
        default: if (done) state_q <= J_HEAD;
      endcase
    end
    pr_slot_q <= prog_slot;
    if (done || !t_valid) begin
      miss_q <= 1'b0;
      err_q  <= 1'b0;
    end else if (look) begin
      if (l.status == cairn_int_pkg::MRS_MISS) miss_q <= 1'b1;
      if (l.status == cairn_int_pkg::MRS_ERR && !err_q) begin
        err_q    <= 1'b1;
        vendor_q <= l.vendor;
      end
    end
    if (state_q == J_HEAD) begin
      use_q    <= '0;
      second_q <= 1'b0;
    end else if (state_q == J_WRITE && w_load && !no_piece) begin
      second_q <= w_two && !second_q;
      if (second_q || !w_two) use_q <= use_q + 5'd1;
    end
  end
  assign idle_o = !t_valid && used_q == '0 && !wr_o.valid && !p_valid && !pr_q && !kick_o.valid && !drain_valid_o
                  && !init_q;
endmodule
