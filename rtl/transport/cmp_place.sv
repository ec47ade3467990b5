// SPDX-License-Identifier: Apache-2.0
// Second stage of the completer: puts the data of READ responses and the values of atomic answers where the WQE says.
// Packets from cmp_packet in order per QP, one at a time: expected PSN = OLD_PSN + RD_PLACED in packets (parts read
// fresh, so there is no private state), opcode and length, elements of the WQE from RD_PLACED on, one MR request each
// (client MRC_CMP, LOCAL_WRITE), writes (WR_CMP, cells freed with the last), then progress to cmp_retire; the pin goes
// back after that write.
// A packet waits in the park buffer, and later ones of its QP behind it, while the walker has not reached the READ, a
// WQE block is missing (both woken by the end of a visit, wake_*), or an MR line is missing (mr_fill_i). A response
// that no READ takes is thrown away after three visits in a row that had nothing to do but wait for acknowledgements
// (wake_stuck_i): the first of them may have begun before the response moved UNA_PSN.
// Dropped: PSN placed before (duplicate), ahead (implied NAK event), QP in error. Fatal events: wrong opcode, or data
// for a SEND or WRITE, BAD_RESP_ERR; wrong length LOC_LEN_ERR, protection LOC_PROT_ERR, unreadable WQE LOC_QP_OP_ERR.
// FIRST/ONLY is required at each multiple of READ_CHUNK packets, LAST/ONLY before it and at the end; elsewhere a
// go-back may have cut the request, so FIRST and ONLY are taken too. 9 cycles a packet plus the MR service's answer.
// IBTA 9.7.5.1.
module cmp_place #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned ENTRIES    = 256,    // RX_INFLIGHT
    parameter int unsigned READ_CHUNK = 1024,
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned REC_W = cairn_int_pkg::CMP_REC_W
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               in_valid_i,     // only while in_room_o
    output logic               in_room_o,
    input  logic [REC_W-1:0]   in_i,
    output logic [AW-1:0]      rd_slot_o,
    input  logic [511:0]       req_data_i,
    input  logic [511:0]       cmp_data_i,
    // does this stage hold packets of the slot
    input  logic [AW-1:0]      busy_slot_i,
    output logic               busy_o,
    // WQE blocks
    output logic               lk_valid_o,
    input  logic               lk_ready_i,
    output logic [23:0]        lk_qpn_o,
    output logic [7:0]         lk_gen_o,
    output logic [15:0]        lk_index_o,
    input  logic               lk_hit_i, lk_err_i,
    input  logic [511:0]       lk_data_i,
    output logic               ft_valid_o,
    input  logic               ft_ready_i, ft_retry_i,
    output logic [15:0]        ft_limit_o,
    output logic [63:0]        ft_base_o,
    output logic [3:0]         ft_log2_o,
    // MR service
    output logic               mr_req_valid_o,
    input  logic               mr_req_ready_i,
    output logic [cairn_int_pkg::MR_REQ_W-1:0] mr_req_o,
    input  logic               mr_rsp_valid_i,
    output logic               mr_rsp_ready_o,
    input  logic [cairn_int_pkg::MR_RSP_W-1:0] mr_rsp_i,
    input  logic               mr_fill_i,
    // posted writes
    output logic               wr_valid_o,
    input  logic               wr_ready_i,
    output logic [cairn_int_pkg::DMA_WR_W-1:0] wr_cmd_o,
    // cmp_retire
    output logic               prog_valid_o,
    input  logic               prog_ready_i,
    output logic [AW-1:0]      prog_slot_o,
    output logic [23:0]        prog_qpn_o,
    output logic [cairn_int_pkg::LEN_W-1:0] prog_len_o,
    output logic               prog_chunk_o,
    output logic               kick_valid_o,
    input  logic               kick_ready_i,
    output logic [23:0]        kick_qpn_o,
    input  logic               wake_valid_i,
    output logic               wake_ready_o,
    input  logic [AW-1:0]      wake_slot_i,
    input  logic               wake_stuck_i,
    // cmp_packet
    output logic               ev_valid_o,
    input  logic               ev_ready_i,
    output logic [cairn_int_pkg::CMP_EV_W-1:0] ev_o,
    // finished packets
    output logic               rel_valid_o,
    input  logic               rel_ready_i,
    output logic [AW-1:0]      rel_slot_o,
    output logic               cnt_rx_read_rsp_o, cnt_rx_atomic_o, cnt_bad_resp_o,
    output logic               cnt_rx_dup_ack_o, cnt_loc_prot_err_o, cnt_rx_parked_o,
    output logic               idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W, CHUNK_LG = $clog2(READ_CHUNK);
  localparam logic [3:0] P_IDLE = 4'd0, P_READ = 4'd1, P_CHECK = 4'd2, P_EV = 4'd3, P_LK = 4'd4, P_GOT = 4'd5,
                         P_FT = 4'd6, P_ELEM = 4'd7, P_MR = 4'd8, P_WRITE = 4'd9, P_PROG = 4'd10, P_PARK = 4'd11,
                         P_DISC = 4'd12, P_REL = 4'd13;
  logic [3:0] state_q;

  // ---- packets: new ones, parked ones ----
  cairn_int_pkg::cmp_rec_t f, k, r_q;
  logic             f_valid, f_ready, f_af_unused, k_valid, again_q, waiting, push, push_ready, res_valid, res_pop;
  logic             drain_ready, park_idle, f_park;
  logic [3:0]       f_level;
  logic [REC_W-1:0] f_bits, k_bits;
  logic [AW-1:0]    k_slot_unused, slot;
  logic [LEN_W-1:0] bytes;
  logic [$clog2(ENTRIES+1)-1:0] k_level_unused;
  logic             f_room_unused, take_k, take_f, init_q;
  logic [AW-1:0]    init_slot_q;
  sync_fifo #(.WIDTH(REC_W), .DEPTH(8)) u_in (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o(f_room_unused), .in_data_i(in_i),
      .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f_bits), .level_o(f_level),
      .almost_full_o(f_af_unused));
  assign in_room_o = f_level < 4'd7 && !init_q;
  assign f      = f_bits;
  assign k      = k_bits;
  assign slot   = r_q.qp.slot[AW-1:0];
  assign bytes  = r_q.atomic ? LEN_W'(8) : r_q.pay_len;
  assign take_k = state_q == P_IDLE && k_valid;
  assign f_park = state_q == P_IDLE && !k_valid && f_valid && waiting && !f.drop;
  assign take_f = state_q == P_IDLE && !k_valid && f_valid && !(waiting && !f.drop);
  assign f_ready = take_f || (f_park && push_ready);
  assign rd_slot_o = (state_q != P_IDLE) ? slot : k_valid ? k.qp.slot[AW-1:0] : f.qp.slot[AW-1:0];
  park_buffer #(.WIDTH(REC_W), .ENTRIES(ENTRIES), .SLOTS(SLOTS)) u_park (
      .clk_i, .rst_ni, .push_valid_i(push), .push_ready_o(push_ready),
      .push_slot_i((state_q == P_IDLE) ? f.qp.slot[AW-1:0] : slot), .push_data_i((state_q == P_IDLE) ? f_bits : r_q),
      .q_slot_i((state_q == P_IDLE) ? f.qp.slot[AW-1:0] : slot), .q_waiting_o(waiting),
      .drain_valid_i(wake_valid_i), .drain_ready_o(drain_ready), .drain_slot_i(wake_slot_i), .drain_all_i(mr_fill_i),
      .out_valid_o(k_valid), .out_slot_o(k_slot_unused), .out_data_o(k_bits), .res_valid_i(res_valid),
      .res_pop_i(res_pop), .level_o(k_level_unused), .idle_o(park_idle));
  assign wake_ready_o = drain_ready;

  // ---- packets of each slot that are in this stage: came minus left ----
  logic [8:0] came [0:SLOTS-1];
  logic [8:0] left [0:SLOTS-1];
  cairn_int_pkg::cmp_rec_t in_rec;
  logic [AW-1:0] in_slot;
  logic          rel;
  assign in_rec  = in_i;
  assign in_slot = in_rec.qp.slot[AW-1:0];
  assign busy_o  = came[busy_slot_i] != left[busy_slot_i];
  always_ff @(posedge clk_i) begin
    if (init_q) came[init_slot_q] <= '0;
    else if (in_valid_i) came[in_slot] <= came[in_slot] + 9'd1;
  end
  always_ff @(posedge clk_i) begin
    if (init_q) left[init_slot_q] <= '0;
    else if (rel) left[slot] <= left[slot] + 9'd1;
  end

  // ---- what the parts say ----
  cairn_hw_pkg::qp_cmp_t c, c_q;
  cairn_hw_pkg::qp_req_t req;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic        rd_open, dead, at_start, at_end, bad_op, bad_len, bad_data, no_read, not_read, stale;
  logic [31:0] placed_psn, mtu, rest, want, chunk_mask, after;
  logic [23:0] expect_psn, d_exp, d_old, d_una, d_end;
  logic [1:0]  tries;
  logic [2*SLOTS-1:0] tries_q;
  assign c          = cmp_data_i;
  assign req        = req_data_i;
  assign rd_open    = c_q.rflags_rd_valid && !(c_q.rd_placed != '0 && c_q.rd_placed >= c_q.rd_len);
  // Data before the PSN of an error is still wanted.
  assign d_una      = r_q.psn - c_q.una_una_psn;
  assign dead       = (c_q.flags_err && !d_una[23]) || c_q.rflags_flushing || c_q.rflags_rd_stop;
  assign placed_psn = c_q.rd_placed >> (4'd7 + {1'b0, r_q.qp.pmtu});
  assign expect_psn = c_q.old_psn_old_psn + placed_psn[23:0];
  assign d_exp      = r_q.psn - expect_psn;
  assign d_old      = r_q.psn - c_q.old_psn_old_psn;
  assign mtu        = 32'h80 << r_q.qp.pmtu;
  assign rest       = c_q.rd_len - c_q.rd_placed;
  assign want       = (rest < mtu) ? rest : mtu;
  assign chunk_mask = (32'h1 << (CHUNK_LG + 7 + 32'(r_q.qp.pmtu))) - 32'h1;
  assign after      = c_q.rd_placed + mtu;
  assign at_start   = (c_q.rd_placed & chunk_mask) == '0;
  assign at_end     = rest <= mtu || (after & chunk_mask) == '0;
  assign bad_op     = r_q.atomic != c_q.rflags_rd_atomic
                      || (!r_q.atomic && ((at_start && !r_q.start) || at_end != r_q.last));
  assign bad_len    = !r_q.atomic && 32'(r_q.pay_len) != want;
  assign d_end      = r_q.psn - c_q.old_end_old_end;
  assign bad_data   = state_q == P_CHECK && !r_q.drop && !dead && rd_open && d_exp == '0 && (bad_op || bad_len);
  assign not_read   = no_read && c_q.rflags_plain && d_end[23];     // it answers a SEND or WRITE
  assign tries      = tries_q[2*slot +: 2];
  assign stale      = no_read && tries == 2'd3 && again_q && !c_q.rflags_rd_valid;
  assign no_read    = state_q == P_CHECK && !r_q.drop && !dead && !d_old[23] && !rd_open;

  // ---- walk over the elements ----
  logic [511:0] blk_q;
  logic [2:0]   blkno_q, nblk_q;
  logic [4:0]   sge_q, nsge_q, sge_at, sge_next;
  logic [31:0]  skip_q, off_q, avail;
  logic [LEN_W-1:0] need_q, piece;
  logic [4:0]   asked_q, got_q;
  logic         miss_q, err_q, passed, emit, last_piece, step;
  logic [7:0]   vendor_q;
  cairn_hw_pkg::sge_t el;
  cairn_hw_pkg::wqe_t wqe;
  cairn_int_pkg::mr_req_t mr;
  cairn_int_pkg::mr_rsp_t a;
  assign wqe        = lk_data_i;
  assign sge_at     = sge_q + 5'd2;
  assign sge_next   = sge_q + 5'd3;
  assign el         = blk_q[128*sge_at[1:0] +: 128];
  assign passed     = skip_q >= el.length;
  assign avail      = el.length - off_q;
  assign last_piece = avail >= 32'(need_q);
  assign piece      = last_piece ? need_q : avail[LEN_W-1:0];
  assign mr_req_valid_o = state_q == P_ELEM && sge_q != nsge_q && skip_q == '0 && avail != '0;
  assign emit       = mr_req_valid_o && mr_req_ready_i;
  assign step       = state_q == P_ELEM && sge_q != nsge_q
                      && ((skip_q != '0) ? passed : (avail == '0 || (emit && !last_piece)));
  always_comb begin
    mr         = '0;
    mr.key     = el.lkey;
    mr.pd      = r_q.qp.pd;
    mr.qpn     = r_q.qp.qpn;
    mr.va      = el.addr + {32'h0, off_q};
    mr.len     = piece;
    mr.chk_len = 32'(piece);
    mr.rights  = cairn_hw_pkg::ACCESS_LOCAL_WRITE;
    mr.last    = last_piece;
  end
  assign mr_req_o   = mr;
  // The packet may have to wait for the block: no MR answers may be on their way then.
  assign lk_valid_o = state_q == P_LK && got_q == asked_q;
  assign lk_qpn_o   = r_q.qp.qpn;
  assign lk_gen_o   = r_q.qp.gen;
  assign lk_index_o = c_q.oldest_old_index + 16'(blkno_q);
  assign ft_valid_o = state_q == P_FT;
  assign ft_limit_o = c_q.oldest_old_index + 16'(nblk_q);
  assign ft_base_o  = base_q;
  assign ft_log2_o  = log2_q;

  // ---- answers become writes ----
  logic w_load, w_last;
  assign a = mr_rsp_i;
  assign mr_rsp_ready_o = 1'b1;
  cmp_place_write u_write (
      .clk_i, .rst_ni, .rec_i(r_q), .piece_valid_i(mr_rsp_valid_i), .piece_at_i(got_q[3:0]), .piece_i(mr_rsp_i),
      .start_i(state_q == P_MR), .pieces_i(asked_q), .write_i(state_q == P_WRITE),
      .discard_i(state_q == P_DISC && r_q.has_cells), .load_o(w_load), .last_o(w_last),
      .wr_valid_o, .wr_ready_i, .wr_cmd_o);

  // ---- telling others ----
  cairn_int_pkg::cmp_ev_t ev_q;
  logic        kick_need_q, kick_room, park_go, park_ok, woke_q, woke, after_q;
  assign ev_valid_o   = state_q == P_EV;
  assign ev_o         = ev_q;
  assign prog_valid_o = state_q == P_PROG && !wr_valid_o;
  assign prog_slot_o  = slot;
  assign prog_qpn_o   = r_q.qp.qpn;
  assign prog_len_o   = bytes;
  assign prog_chunk_o = at_end;
  assign rel_valid_o  = state_q == P_REL;
  assign rel_slot_o   = slot;
  assign rel          = rel_valid_o && rel_ready_i;
  assign woke         = woke_q || mr_fill_i || (wake_valid_i && wake_slot_i == slot);
  assign park_ok      = state_q == P_PARK && (!kick_need_q || kick_room);
  assign park_go      = park_ok && (woke || again_q || push_ready);
  assign push         = f_park || (park_ok && !woke && !again_q);
  assign res_valid    = again_q && ((park_ok && !woke) || rel);
  assign res_pop      = rel;
  stream_reg #(.WIDTH(24)) u_kick (
      .clk_i, .rst_ni, .in_valid_i(park_go && kick_need_q), .in_ready_o(kick_room), .in_data_i(r_q.qp.qpn),
      .out_valid_o(kick_valid_o), .out_ready_i(kick_ready_i), .out_data_o(kick_qpn_o));
  assign cnt_rx_read_rsp_o  = prog_valid_o && prog_ready_i && !r_q.atomic;
  assign cnt_rx_atomic_o    = prog_valid_o && prog_ready_i && r_q.atomic;
  assign cnt_bad_resp_o     = state_q == P_CHECK && (not_read || bad_data);
  assign cnt_rx_dup_ack_o   = state_q == P_CHECK && !r_q.drop && !dead
                              && (d_old[23] || (rd_open && d_exp[23]) || stale);
  assign cnt_loc_prot_err_o = state_q == P_MR && got_q == asked_q && !miss_q && err_q;
  assign cnt_rx_parked_o    = push && push_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= P_IDLE;
      init_q      <= 1'b1;
      init_slot_q <= '0;
      tries_q     <= '0;
      again_q     <= 1'b0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= !(&init_slot_q);
      end
      if (wake_valid_i && wake_ready_o) begin
        if (!wake_stuck_i) tries_q[2*wake_slot_i +: 2] <= 2'd0;
        else if (tries_q[2*wake_slot_i +: 2] != 2'd3)
          tries_q[2*wake_slot_i +: 2] <= tries_q[2*wake_slot_i +: 2] + 2'd1;
      end
      case (state_q)
        P_IDLE: begin
          again_q <= take_k;
          if (take_k || take_f) state_q <= P_READ;
        end
        P_READ: state_q <= P_CHECK;
        P_CHECK: begin
          if (r_q.drop || dead || d_old[23]) state_q <= P_DISC;
          else if (no_read) state_q <= not_read ? P_EV : stale ? P_DISC : P_PARK;
          else if (d_exp[23]) state_q <= P_DISC;
          else if (d_exp != '0 || bad_data) state_q <= P_EV;
          else if (r_q.pay_len == '0 && !r_q.atomic) state_q <= P_PROG;
          else state_q <= P_LK;
          if (rd_open || (no_read && !again_q)) tries_q[2*slot +: 2] <= 2'd0;
        end
        P_EV:    if (ev_ready_i) state_q <= P_DISC;
        P_LK:    if (lk_ready_i && lk_valid_o) state_q <= P_GOT;
        // A block after the first has no check word; err without hit is a failed read.
        P_GOT:   state_q <= (lk_err_i && (blkno_q == '0 || !lk_hit_i)) ? P_EV : !lk_hit_i ? P_FT : P_ELEM;
        P_FT:    if (ft_ready_i) state_q <= P_PARK;
        P_ELEM: begin
          if (sge_q == nsge_q) state_q <= P_MR;
          else if (emit && last_piece) state_q <= P_MR;
          else if (step && sge_next[1:0] == 2'd0 && sge_q + 5'd1 != nsge_q) state_q <= P_LK;
        end
        P_MR: if (got_q == asked_q) state_q <= miss_q ? P_PARK : err_q ? P_EV : P_WRITE;
        P_WRITE: if (w_load && w_last) state_q <= P_PROG;
        P_PROG: if (prog_valid_o && prog_ready_i) state_q <= after_q ? P_DISC : P_REL;
        P_PARK: if (park_go) state_q <= woke ? P_READ : P_IDLE;
        P_DISC: if (w_load || !r_q.has_cells) state_q <= P_REL;
        default: if (rel) state_q <= P_IDLE;
      endcase
    end

    // The packet and its facts
    if (state_q == P_IDLE) r_q <= k_valid ? k : f;
    if (state_q == P_READ) begin
      c_q     <= c;
      base_q  <= req.sq_base;
      log2_q  <= req.flags_sq_log2;
      blkno_q <= '0;
      nblk_q  <= 3'd1;
      asked_q <= '0;
      miss_q  <= 1'b0;
      err_q   <= 1'b0;
      woke_q  <= mr_fill_i;
      kick_need_q <= 1'b0;
    end else if (mr_fill_i || (wake_valid_i && wake_slot_i == slot)) begin
      woke_q <= 1'b1;
    end
    if (state_q == P_CHECK) begin
      sge_q   <= {4'h0, r_q.atomic};      // behind the operands of an atomic
      off_q   <= '0;
      skip_q  <= c_q.rd_placed;
      need_q  <= bytes;
      after_q <= r_q.pay_len == '0 && !r_q.atomic;
      kick_need_q <= no_read;
      ev_q.qp     <= r_q.qp;
      ev_q.psn    <= expect_psn;
      ev_q.kind   <= (d_exp != '0 && !not_read) ? cairn_int_pkg::CEV_IMPLIED : cairn_int_pkg::CEV_FATAL;
      {ev_q.status, ev_q.vendor} <= (bad_op || not_read)
          ? {cairn_hw_pkg::WC_STATUS_BAD_RESP_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_OPCODE}
          : {cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR, cairn_hw_pkg::VENDOR_ERR_RSP_LENGTH};
    end
    if (state_q == P_GOT) begin
      blk_q <= lk_data_i;
      if (blkno_q == '0 && lk_hit_i) begin   // a miss says nothing of the WQE
        nsge_q <= r_q.atomic ? 5'd2
                  : (wqe.ctrl_num_sge > 5'(cairn_hw_pkg::MAX_SGE)) ? 5'(cairn_hw_pkg::MAX_SGE) : wqe.ctrl_num_sge;
        nblk_q <= wqe.ctrl_blocks[2:0];
      end
      ev_q.status <= cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      ev_q.vendor <= cairn_hw_pkg::VENDOR_ERR_WQE_CHECK;
    end
    if (state_q == P_FT && ft_ready_i && ft_retry_i) kick_need_q <= 1'b1;
    if (state_q == P_ELEM) begin
      if (skip_q != '0) begin
        if (passed) begin
          skip_q <= skip_q - el.length;
        end else begin
          off_q  <= skip_q;
          skip_q <= '0;
        end
      end
      if (emit) begin
        asked_q <= asked_q + 5'd1;
        need_q  <= need_q - piece;
      end
      if (step) begin
        sge_q <= sge_q + 5'd1;
        if (skip_q == '0) off_q <= '0;
        if (sge_next[1:0] == 2'd0) blkno_q <= blkno_q + 3'd1;
      end
      // The elements end before the data does.
      if (sge_q == nsge_q) begin
        err_q    <= 1'b1;
        vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
      end
    end
    if (state_q == P_READ) got_q <= '0;
    else if (mr_rsp_valid_i) begin
      got_q <= got_q + 5'd1;
      if (a.status == cairn_int_pkg::MRS_MISS) miss_q <= 1'b1;
      if (a.status == cairn_int_pkg::MRS_ERR && !err_q) begin
        err_q    <= 1'b1;
        vendor_q <= a.vendor;
      end
    end
    if (state_q == P_MR) begin
      ev_q.kind   <= cairn_int_pkg::CEV_FATAL;
      ev_q.status <= (vendor_q == cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH) ? cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR
                     : cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR;
      ev_q.vendor <= vendor_q;
    end
  end
  assign idle_o = state_q == P_IDLE && !f_valid && park_idle && !kick_valid_o && !wr_valid_o && !init_q;
endmodule
