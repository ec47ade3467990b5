// SPDX-License-Identifier: Apache-2.0
// Second stage of the requester: walks the WQEs of a visit and cuts messages into packets. Everything here is speculative: each packet record carries the
// state after it, and only req_issue makes it true (docs/architecture.md 3). Per packet: MR requests for its pieces (client MRC_REQ), inline bytes, one
// req_rec_t; per visit one base entry {timeout 5, gen 8, qp_req 512} before its records and one END or ERR record after them.
// A go-back (GB_EPOCH moved) starts at the completer's anchors and skips WQEs by their PSN span up to the first PSN to send.
// Three cycles a message of one piece; further pieces and packets one cycle each. WQE blocks come from wqe_fetch; a block that is not there ends the visit.
// Errors (ERR record, status LOC_QP_OP_ERR or LOC_LEN_ERR): check word, operation, block count, elements, length, doorbell index beyond the ring.
// IBTA 9.7.2 (requester), 9.7.7.2.2 (AckReq); ROCE v2 annex.
module req_build #(
    parameter int unsigned DATA_W      = 512,
    parameter int unsigned READ_CHUNK  = 1024,    // PSNs of one READ request, a power of two
    parameter int unsigned MAX_PACKETS = 16,      // of one visit
    localparam int unsigned VISIT_W = 25 + 16 + cairn_int_pkg::SLOT_W + 24 + 3 * 512,
    localparam int unsigned BASE_W  = 5 + 8 + 512
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [31:0]        features_i,   // REG FEATURES
    input  logic               visit_valid_i,
    output logic               visit_ready_o,
    input  logic [VISIT_W-1:0] visit_i,
    // WQE blocks, port 0 of wqe_fetch
    output logic               lk_valid_o,
    output logic [23:0]        lk_qpn_o,
    output logic [7:0]         lk_gen_o,
    output logic [15:0]        lk_index_o,
    input  logic               lk_hit_i,
    input  logic               lk_err_i,
    input  logic [511:0]       lk_data_i,
    output logic               ft_valid_o,
    input  logic               ft_ready_i,
    input  logic               ft_retry_i,
    output logic [15:0]        ft_index_o,
    output logic [15:0]        ft_limit_o,
    output logic [63:0]        ft_base_o,
    output logic [3:0]         ft_log2_o,
    // MR service
    output logic               mr_valid_o,
    input  logic               mr_ready_i,
    output logic [cairn_int_pkg::MR_REQ_W-1:0] mr_req_o,
    // to req_issue
    output logic               base_valid_o,
    input  logic               base_ready_i,
    output logic [BASE_W-1:0]  base_o,
    output logic               rec_valid_o,
    input  logic               rec_ready_i,
    output logic [cairn_int_pkg::REQ_REC_W-1:0] rec_o,
    output logic               inl_valid_o,
    input  logic               inl_ready_i,
    output logic [DATA_W-1:0]  inl_data_o,
    output logic [$clog2(DATA_W/8):0] inl_nbytes_o,
    output logic               inl_last_o,
    output logic               idle_o
);
  localparam logic [3:0] V_IDLE = 4'd0, V_LOOK = 4'd1, V_GOT = 4'd2, V_FETCH = 4'd3, V_BLOCK = 4'd4, V_DEC = 4'd5,
                         V_SUM = 4'd6, V_SEEK = 4'd7, V_SEG = 4'd8, V_NEXT = 4'd9, V_END = 4'd10;
  localparam logic [7:0] ST_OP  = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR, ST_LEN = cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR;

  if (READ_CHUNK < 2 || (READ_CHUNK & (READ_CHUNK - 1)) != 0) begin : g_chk
    $error("req_build: READ_CHUNK must be a power of two");
  end

  // ---- the visit ----
  cairn_hw_pkg::qp_cfg_t vcfg;
  cairn_hw_pkg::qp_req_t vreq;
  cairn_hw_pkg::qp_cmp_t vcmp;
  logic [15:0]           vpi;
  logic [cairn_int_pkg::SLOT_W-1:0] vslot;
  logic [23:0]           vqpn;
  logic                  v_goback, v_epoch;
  logic [23:0]           v_ahead;
  logic [23:0]           v_una, v_target0, v_target;
  logic                  v_txe;
  logic [23:0]           v_txe_psn;
  assign {v_txe, v_txe_psn, vpi, vslot, vqpn, vcmp, vreq, vcfg} = visit_i;
  // A failed payload read is looked up like a go-back: the walk ends at the WQE that holds its PSN.
  // So is a position that acknowledgements have overtaken after a go-back: its WQEs may be retired and their blocks reused.
  assign v_epoch   = vcmp.una_gb_epoch != vreq.psn_send_epoch;
  assign v_ahead   = vreq.psn_next_psn - v_una;
  assign v_goback  = v_txe || v_epoch || v_ahead[23];
  assign v_una     = psn_max(vcmp.una_una_psn, vcmp.old_psn_old_psn);
  assign v_target0 = psn_max(vcmp.gb_gb_psn, v_una);
  assign v_target  = v_txe ? psn_max(v_txe_psn, vcmp.old_psn_old_psn) : v_epoch ? v_target0 : v_una;

  // Later of two PSNs (24-bit serial comparison, IBTA 9.7.2).
  function automatic logic [23:0] psn_max(input logic [23:0] a, input logic [23:0] b);
    logic [23:0] d;
    begin
      d = a - b;
      psn_max = d[23] ? b : a;
    end
  endfunction

  cairn_hw_pkg::qp_cfg_t cfg_q;
  logic [23:0] qpn_q;
  logic [7:0]  gen_q;
  logic [cairn_int_pkg::SLOT_W-1:0] slot_q;
  logic [15:0] pi_q;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic [23:0] una_q, hi_q, lsn_q;
  logic [7:0]  rd_done_q;
  logic        credits_off_q, sqd_q;
  // walking state, speculative
  logic [15:0] idx_q;
  logic [23:0] psn_q, msg_psn_q, ssn_q, target_q;
  logic [31:0] off_q;
  logic [5:0]  since_q;
  logic [7:0]  rd_iss_q, epoch_q;
  logic        walk_q;
  logic        txe_q;        // the walk ends in an error
  logic [4:0]  npkt_q;
  logic [2:0]  lg;           // log2 of the path MTU, minus 7
  logic [3:0]  state_q;
  logic        more_q;       // of the END record
  logic [7:0]  err_status_q, err_vendor_q;
  logic        err_q;
  // A wrong check word while walking may only mean that the anchors are old: try again with new ones, three times.
  logic [23:0] stale_qpn_q;
  logic [1:0]  stale_q;
  assign lg = cfg_q.state_pmtu;

  // ---- the WQE ----
  logic [511:0] blk [0:7];
  cairn_hw_pkg::wqe_t wqe_q;          // first block
  cairn_hw_pkg::wqe_t got;
  logic [2:0]   nblk_q, kblk_q;
  assign got = lk_data_i;
  // Claims blocks that are not posted: they must not be fetched, and idx would pass the producer.
  logic         beyond;
  logic [3:0]   claim;
  assign claim  = (state_q == V_GOT) ? got.ctrl_blocks : wqe_q.ctrl_blocks;
  assign beyond = 16'(claim) > pi_q - idx_q;

  // Decoded in V_DEC from wqe_q.
  logic        is_read, is_send, is_imm, is_nop, is_rwr, inl, bad;
  logic [7:0]  op, bad_status, bad_vendor;
  logic [4:0]  nsge;
  logic [31:0] len;
  logic [23:0] npsn;
  req_decode u_dec (
      .wqe_i(wqe_q), .pmtu_i(lg), .type_i(cfg_q.state_type), .features_i,
      .op_o(op), .is_send_o(is_send), .is_read_o(is_read), .is_imm_o(is_imm), .is_nop_o(is_nop), .is_rwr_o(is_rwr),
      .inline_o(inl), .nsge_o(nsge), .len_o(len), .npsn_o(npsn), .bad_o(bad), .bad_status_o(bad_status), .bad_vendor_o(bad_vendor)
  );

  // ---- element under the cursor ----
  logic [4:0]  sge_q;
  logic [31:0] sge_off_q;
  logic [31:0] seek_q;                 // bytes still to skip, or summed
  logic [4:0]  sge_at;
  logic [511:0] sge_blk;
  logic [127:0] sge_w;
  logic [63:0] sge_addr;
  logic [31:0] sge_lkey, sge_len, sge_left;
  assign sge_at   = sge_q + 5'd2;
  assign sge_blk  = blk[sge_at[4:2]];
  assign sge_w    = sge_blk[128*sge_at[1:0] +: 128];
  assign sge_addr = sge_w[cairn_hw_pkg::SGE_ADDR_LSB +: 64];
  assign sge_lkey = sge_w[cairn_hw_pkg::SGE_LKEY_LSB +: 32];
  assign sge_len  = sge_w[cairn_hw_pkg::SGE_LENGTH_LSB +: 32];
  assign sge_left = sge_len - sge_off_q;

  // ---- next packet ----
  logic [31:0] left;                   // of the message
  logic [31:0] mtu;
  logic [31:0] chunk_left;
  logic [31:0] dma_len;                // READ: bytes asked for
  logic [12:0] plen;                   // payload
  logic [31:0] rd_psn32;
  logic [23:0] span;                   // PSNs of the packet
  logic        first, last;
  logic [7:0]  rd_out;
  logic        is_new;
  logic [23:0] d_win, d_hi, d_ssn;
  logic        stop_window, stop_read, stop_fence, stop_credit, tight;
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  assign mtu        = 32'h80 << lg;
  assign left       = len - off_q;
  assign chunk_left = (32'h1 << (CHUNK_LG + 7 + 32'(lg))) - (off_q & ((32'h1 << (CHUNK_LG + 7 + 32'(lg))) - 32'h1));
  assign dma_len    = (left < chunk_left) ? left : chunk_left;
  assign plen       = is_read ? '0 : (left < mtu) ? left[12:0] : mtu[12:0];
  assign rd_psn32   = (dma_len + mtu - 32'h1) >> (4'd7 + {1'b0, lg});
  assign span       = (is_read && dma_len != '0) ? rd_psn32[23:0] : 24'h1;
  assign first      = off_q == '0;
  assign last       = is_nop || (is_read ? left == dma_len : left <= mtu);
  assign rd_out     = rd_iss_q - rd_done_q;
  assign d_hi       = psn_q - hi_q;
  assign is_new     = !d_hi[23];
  assign d_win      = psn_q + span - una_q;
  assign d_ssn      = ssn_q - lsn_q - 24'h1;
  assign stop_window = !d_win[23] && d_win >= 24'(cairn_hw_pkg::MAX_OUTSTANDING_PSN);   // negative: acknowledged meanwhile
  assign tight      = d_win + 24'h1 >= 24'(cairn_hw_pkg::MAX_OUTSTANDING_PSN);
  assign stop_read  = is_read && !rd_out[7] && rd_out >= {3'h0, cfg_q.rd_max_rd_atomic};
  assign stop_fence = wqe_q.ctrl_fence && first && !rd_out[7] && rd_out != '0;
  // Credits bind messages that consume a receive WQE; one past the limit may go (ROCE.md 6).
  assign stop_credit = !credits_off_q && first && is_new && is_rwr && !d_ssn[23] && d_ssn != '0;

  logic [7:0] opcode;
  always_comb begin
    if (is_read) opcode = cairn_pkt_pkg::OPCODE_RC_READ_REQUEST;
    else if (is_send) begin
      case ({first, last})
        2'b10:   opcode = cairn_pkt_pkg::OPCODE_RC_SEND_FIRST;
        2'b00:   opcode = cairn_pkt_pkg::OPCODE_RC_SEND_MIDDLE;
        2'b01:   opcode = is_imm ? cairn_pkt_pkg::OPCODE_RC_SEND_LAST_IMM : cairn_pkt_pkg::OPCODE_RC_SEND_LAST;
        default: opcode = is_imm ? cairn_pkt_pkg::OPCODE_RC_SEND_ONLY_IMM : cairn_pkt_pkg::OPCODE_RC_SEND_ONLY;
      endcase
    end else begin
      case ({first, last})
        2'b10:   opcode = cairn_pkt_pkg::OPCODE_RC_WRITE_FIRST;
        2'b00:   opcode = cairn_pkt_pkg::OPCODE_RC_WRITE_MIDDLE;
        2'b01:   opcode = is_imm ? cairn_pkt_pkg::OPCODE_RC_WRITE_LAST_IMM : cairn_pkt_pkg::OPCODE_RC_WRITE_LAST;
        default: opcode = is_imm ? cairn_pkt_pkg::OPCODE_RC_WRITE_ONLY_IMM : cairn_pkt_pkg::OPCODE_RC_WRITE_ONLY;
      endcase
    end
  end

  // ---- moves of the state machine ----
  logic [12:0] need_q;               // payload bytes of the packet still without a piece
  logic [5:0]  nmr_q;
  logic [12:0] piece;
  logic        piece_go;             // a piece is asked for
  logic        piece_skip;           // an empty or exhausted element
  logic        pkt_fire;             // the record goes out
  logic        pkt_last_piece;
  logic        can_pkt;
  logic        stop;                 // end the visit before this packet
  logic        stop_more, stop_sqd;
  logic        at_end;               // the producer index is reached
  logic        inl_idle;
  logic [15:0] idx_next;
  logic        pre_look;             // the next WQE is looked up while the last packet leaves
  assign at_end     = idx_q == pi_q;
  assign idx_next   = idx_q + {12'h0, wqe_q.ctrl_blocks};
  assign piece      = (32'(need_q) < sge_left) ? need_q : sge_left[12:0];
  assign piece_skip = state_q == V_SEG && need_q != '0 && sge_left == '0;
  assign piece_go   = state_q == V_SEG && need_q != '0 && sge_left != '0;
  assign pkt_last_piece = need_q == 13'(piece);
  assign can_pkt    = state_q == V_SEG && (need_q == '0 || (piece_go && mr_ready_i && pkt_last_piece));
  assign stop       = stop_window || stop_read || stop_fence || stop_credit || npkt_q == 5'(MAX_PACKETS) || stop_sqd;
  assign stop_sqd   = sqd_q && first && is_new;   // what was begun or lost goes on
  assign stop_more  = npkt_q == 5'(MAX_PACKETS);
  assign pkt_fire   = can_pkt && rec_ready_i && inl_idle;

  assign mr_valid_o = piece_go && (!pkt_last_piece || (rec_ready_i && inl_idle));
  cairn_int_pkg::mr_req_t mr;
  always_comb begin
    mr         = '0;
    mr.key     = sge_lkey;
    mr.pd      = cfg_q.pd_sgid_pd;
    mr.qpn     = qpn_q;
    mr.va      = sge_addr + {32'h0, sge_off_q};
    mr.len     = piece;
    mr.chk_len = {19'h0, piece};
    mr.last    = pkt_last_piece;
  end
  assign mr_req_o = mr;

  // ---- the record ----
  cairn_int_pkg::req_rec_t rec;
  cairn_int_pkg::tx_job_t  job;
  cairn_int_pkg::av_t      av;
  logic                    ackreq;
  assign ackreq = (last || is_read || since_q == 6'd63 || tight);
  always_comb begin
    av            = '0;
    av.dmac       = cfg_q.dmac_sport_dmac;
    for (int unsigned i = 0; i < 16; i++) av.dgid[127 - 8*i -: 8] = cfg_q.dgid[8*i +: 8];
    av.ipv6       = cfg_q.flow_tclass_ipv6;
    av.sgid_index = cfg_q.pd_sgid_sgid_index;
    av.sport      = cfg_q.dmac_sport_sport;
    av.tclass     = cfg_q.flow_tclass_tclass;
    av.hop        = cfg_q.rqpn_hop_hop_limit;
    av.flow       = cfg_q.flow_tclass_flow;
    av.vlan       = cfg_q.flow_tclass_vlan;
    av.tci        = cfg_q.pkey_vlan_tci;
    av.pkey       = cfg_q.pkey_vlan_pkey;
    av.dest_qp    = cfg_q.rqpn_hop_rqpn;

    job            = '0;
    job.kind       = cairn_int_pkg::TXK_REQ;
    job.qpn        = qpn_q;
    job.slot       = slot_q;
    job.gen        = gen_q;
    job.send_epoch = epoch_q;
    job.opcode     = opcode;
    job.psn        = psn_q;
    job.ackreq     = ackreq;
    job.se         = wqe_q.ctrl_solicited && last && is_rwr;
    job.retx       = !is_new;
    job.pay_len    = plen;
    job.va         = wqe_q.raddr + (is_read ? {32'h0, off_q} : 64'h0);
    job.key        = wqe_q.rkey;
    job.len        = is_read ? dma_len : len;
    // Host bytes 0..3 of the immediate are wire bytes 0..3; the job wants the first wire byte on top.
    job.imm        = {wqe_q.imm[7:0], wqe_q.imm[15:8], wqe_q.imm[23:16], wqe_q.imm[31:24]};
    job.av         = av;

    rec              = '0;
    rec.job          = job;
    rec.nmr          = nmr_q + {5'h0, piece_go};
    rec.ninl         = (!inl || len == '0) ? 2'd0 : (len <= 32'd32) ? 2'd1 : 2'd2;
    rec.inl_len0     = (len <= 32'd32) ? len[7:0] : 8'd32;
    rec.inl_len1     = (len <= 32'd32) ? 8'd0 : len[7:0] - 8'd32;
    rec.fenced       = wqe_q.ctrl_fence;
    rec.next_index   = last ? idx_next : idx_q;
    rec.next_psn     = psn_q + span;
    rec.msg_offset   = last ? '0 : off_q + (is_read ? dma_len : mtu);
    rec.in_msg       = !last;
    rec.ssn          = ssn_q + {23'h0, first && is_new};
    rec.since_ackreq = ackreq ? '0 : since_q + 1'b1;
    rec.rd_issued    = rd_iss_q + {7'h0, is_read};
    rec.msg_psn      = first ? psn_q : msg_psn_q;
    rec.send_epoch   = epoch_q;
    rec.desc_valid   = last;
    rec.desc_index   = idx_q;
    rec.desc_blocks  = wqe_q.ctrl_blocks[2:0];
    rec.desc_op      = op;
    rec.desc_signaled = wqe_q.ctrl_signaled;
    rec.desc_len     = len;
    rec.kind         = cairn_int_pkg::RQK_PKT;
    if (is_nop) begin
      rec.kind         = cairn_int_pkg::RQK_ADV;
      rec.next_psn     = psn_q;
      rec.ssn          = ssn_q;
      rec.since_ackreq = since_q;
      rec.msg_psn      = psn_q;
    end
    if (state_q == V_END) begin
      rec.kind   = err_q ? cairn_int_pkg::RQK_ERR : cairn_int_pkg::RQK_END;
      rec.more   = more_q;
      rec.status = err_status_q;
      rec.vendor = err_vendor_q;
      rec.commit = !walk_q;
      rec.nmr    = nmr_q;
      rec.ninl   = '0;
      rec.msg_offset = off_q;
      rec.in_msg     = off_q != '0;
      rec.ssn        = ssn_q;
      rec.since_ackreq = since_q;
      rec.rd_issued  = rd_iss_q;
      rec.next_index = idx_q;
      rec.next_psn   = psn_q;
      rec.msg_psn    = (off_q == '0) ? psn_q : msg_psn_q;   // of the WQE at next_index
      rec.desc_valid = 1'b0;
    end
  end
  assign rec_o       = rec;
  assign rec_valid_o = state_q == V_END || (can_pkt && inl_idle);

  // ---- lookups ----
  // Further blocks of the WQE are looked up one after another; the next WQE already while the last packet of this one is formed.
  assign pre_look   = state_q == V_SEG && pkt_fire && last && idx_next != pi_q;
  assign lk_valid_o = (state_q == V_LOOK && !at_end) || (state_q == V_BLOCK && kblk_q != nblk_q && inl_idle) || pre_look;
  assign lk_index_o = (state_q == V_BLOCK) ? idx_q + {13'h0, kblk_q} : pre_look ? idx_next : idx_q;
  assign lk_qpn_o   = qpn_q;
  assign lk_gen_o   = gen_q;
  logic [15:0] miss_idx_q;
  assign ft_valid_o = state_q == V_FETCH;
  assign ft_index_o = miss_idx_q;
  assign ft_limit_o = pi_q;
  assign ft_base_o  = base_q;
  assign ft_log2_o  = log2_q;

  // ---- inline bytes ----
  logic [511:0] inl_blk;
  logic [2:0]   inl_blk_no;
  assign inl_blk = blk[inl_blk_no];
  req_inline #(.DATA_W(DATA_W)) u_inline (
      .clk_i, .rst_ni,
      .start_i(pkt_fire && inl && len != '0), .first_i({wqe_q.sge1_length, wqe_q.sge1_lkey, wqe_q.sge1_addr, wqe_q.sge0_length, wqe_q.sge0_lkey, wqe_q.sge0_addr}),
      .len0_i(rec.inl_len0), .len1_i(rec.inl_len1), .idle_o(inl_idle),
      .blk_no_o(inl_blk_no), .blk_i(inl_blk),
      .inl_valid_o, .inl_ready_i, .inl_data_o, .inl_nbytes_o, .inl_last_o
  );

  // ---- base entry of the visit ----
  assign visit_ready_o = state_q == V_IDLE && base_ready_i;
  assign base_valid_o  = state_q == V_IDLE && visit_valid_i;
  assign base_o        = {vcfg.state_timeout, vreq.tag_gen, vreq};
  assign idle_o        = state_q == V_IDLE && !visit_valid_i && inl_idle;

  logic       blk_got_q;      // the answer of a further block is here
  logic [2:0] blk_no_q;
  logic [23:0] d_target;
  assign d_target = target_q - psn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= V_IDLE;
      stale_q <= '0;
      blk_got_q <= 1'b0;
    end else begin
      blk_got_q <= state_q == V_BLOCK && lk_valid_o;
      blk_no_q  <= kblk_q;
      case (state_q)
        V_IDLE: if (visit_valid_i && base_ready_i) begin
          cfg_q   <= vcfg;
          qpn_q   <= vqpn;
          slot_q  <= vslot;
          gen_q   <= vreq.tag_gen;
          pi_q    <= vpi;
          base_q  <= vreq.sq_base;
          log2_q  <= vreq.flags_sq_log2;
          una_q   <= v_una;
          hi_q    <= vreq.hi_psn_hi_psn;
          lsn_q   <= vcmp.wait_lsn;
          rd_done_q     <= vcmp.rflags_rd_done;
          credits_off_q <= vcmp.flags_credits_off;
          sqd_q         <= vcfg.state_state == cairn_hw_pkg::QP_STATE_SQD;
          epoch_q   <= vcmp.una_gb_epoch;
          ssn_q     <= vreq.ssn_ssn;
          target_q  <= v_target;
          walk_q    <= v_goback;
          idx_q     <= v_goback ? vcmp.oldest_old_index : vreq.index_next_index;
          psn_q     <= v_goback ? vcmp.old_psn_old_psn : vreq.psn_next_psn;
          msg_psn_q <= v_goback ? vcmp.old_psn_old_psn : vreq.msg_psn_msg_psn;
          off_q     <= v_goback ? '0 : vreq.msg_offset;
          since_q   <= v_goback ? '0 : vreq.ssn_since_ackreq;
          rd_iss_q  <= v_goback ? vcmp.rflags_rd_done : vreq.hi_psn_rd_issued;
          npkt_q    <= '0;
          nmr_q     <= '0;
          err_q     <= 1'b0;
          txe_q     <= v_txe;
          more_q    <= 1'b0;
          state_q   <= V_LOOK;
          // More posted than the ring holds: the doorbell lied.
          if (vpi - (v_goback ? vcmp.oldest_old_index : vreq.index_next_index) > (16'h1 << vreq.flags_sq_log2)) begin
            err_q        <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
            idx_q        <= vreq.index_next_index;
            psn_q        <= vreq.psn_next_psn;
            msg_psn_q    <= vreq.msg_psn_msg_psn;
            off_q        <= vreq.msg_offset;
            state_q      <= V_END;
          end
        end

        V_LOOK: begin
          // Everything is acknowledged: the go-back is over with nothing to send.
          if (at_end && !txe_q && d_target == '0) walk_q <= 1'b0;
          state_q <= at_end ? V_END : V_GOT;
        end

        V_GOT: begin
          wqe_q   <= got;
          blk[0]  <= lk_data_i;
          nblk_q  <= (got.ctrl_blocks == '0 || got.ctrl_blocks > 4'(cairn_hw_pkg::MAX_WQE_BLOCKS)) ? 3'd1 : got.ctrl_blocks[2:0];
          kblk_q  <= 3'd1;
          miss_idx_q <= idx_q;
          if (!lk_hit_i && lk_err_i) begin
            err_q        <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_DMA_READ;
            state_q      <= V_END;
          end else if (!lk_hit_i) begin
            state_q <= V_FETCH;
          end else if (lk_err_i) begin
            // Bad in the ring, or retired and reused since the anchors were read.
            stale_qpn_q  <= qpn_q;
            stale_q      <= (stale_qpn_q == qpn_q) ? stale_q + 1'b1 : 2'd1;
            err_q        <= (!walk_q && is_new) || (stale_qpn_q == qpn_q && stale_q == 2'd3);
            more_q       <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_CHECK;
            state_q      <= V_END;
          end else begin
            state_q <= beyond ? V_DEC : (got.ctrl_blocks > 4'd1 && got.ctrl_blocks <= 4'(cairn_hw_pkg::MAX_WQE_BLOCKS)) ? V_BLOCK : V_DEC;
          end
        end

        V_BLOCK: begin
          if (blk_got_q) begin
            blk[blk_no_q] <= lk_data_i;
            miss_idx_q    <= idx_q + {13'h0, blk_no_q};
          end
          if (blk_got_q && !lk_hit_i && lk_err_i) begin
            err_q        <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_DMA_READ;
            state_q      <= V_END;
          end else if (blk_got_q && !lk_hit_i) state_q <= V_FETCH;
          else if (blk_got_q && blk_no_q + 3'd1 == nblk_q) state_q <= V_DEC;
          else if (lk_valid_o) kblk_q <= kblk_q + 1'b1;
        end

        // The blocks are on their way (a kick brings the QP back), or no place is free for them now.
        V_FETCH: if (ft_ready_i) begin
          more_q  <= ft_retry_i;
          state_q <= V_END;
        end

        V_DEC: begin
          sge_q     <= '0;
          sge_off_q <= '0;
          nmr_q     <= '0;
          seek_q    <= off_q;
          if (bad) begin
            err_q        <= 1'b1;
            err_status_q <= bad_status;
            err_vendor_q <= bad_vendor;
            state_q      <= V_END;
          end else if (beyond) begin
            err_q        <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
            state_q      <= V_END;
          end else if (walk_q && !d_target[23] && d_target >= npsn && d_target != '0) begin
            idx_q   <= idx_next;       // sent and acknowledged up to its end: skip
            psn_q   <= psn_q + npsn;
            state_q <= V_LOOK;
          end else if (walk_q && txe_q) begin
            msg_psn_q    <= psn_q;
            err_q        <= 1'b1;
            err_status_q <= ST_OP;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_DMA_READ;
            state_q      <= V_END;
          end else if (walk_q) begin
            walk_q    <= 1'b0;
            stale_q   <= '0;
            msg_psn_q <= psn_q;
            psn_q     <= psn_q + d_target;
            off_q     <= {8'h0, d_target} << (4'd7 + {1'b0, lg});
            // Come round once more with the position set.
          end else if (is_nop ? stop_more || stop_sqd : stop) begin
            more_q  <= stop_more;
            state_q <= V_END;
          end else begin
            need_q  <= (is_read || inl || is_nop) ? '0 : plen;
            state_q <= (!inl && nsge > 5'd2) ? V_SUM : (off_q != '0 && !is_read) ? V_SEEK : V_SEG;
            if (!inl && nsge > 5'd2) seek_q <= '0;
          end
        end

        // Elements of a long list must add up to the length.
        V_SUM: begin
          seek_q <= seek_q + sge_len;
          if ((sge_q != nsge && sge_len > cairn_hw_pkg::MAX_MSG_BYTES) || seek_q > cairn_hw_pkg::MAX_MSG_BYTES) begin
            err_q        <= 1'b1;
            err_status_q <= ST_LEN;
            err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
            state_q      <= V_END;
          end else if (sge_q == nsge) begin  // all added
            sge_q  <= '0;
            seek_q <= off_q;
            if (seek_q == len) begin
              state_q <= (off_q != '0 && !is_read) ? V_SEEK : V_SEG;
            end else begin
              err_q        <= 1'b1;
              err_status_q <= ST_LEN;
              err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
              state_q      <= V_END;
            end
          end else begin
            sge_q <= sge_q + 1'b1;
          end
        end

        // Find the element that holds the first byte of a message resumed in its middle.
        V_SEEK: begin
          if (seek_q >= sge_len) begin
            seek_q <= seek_q - sge_len;
            sge_q  <= sge_q + 1'b1;
          end else begin
            sge_off_q <= seek_q;
            state_q   <= V_SEG;
          end
        end

        V_SEG: begin
          if (piece_skip) begin
            sge_q     <= sge_q + 1'b1;
            sge_off_q <= '0;
            // Cannot happen with a WQE that adds up; a host that rewrites it in flight gets here.
            if (sge_q >= nsge) begin
              err_q        <= 1'b1;
              err_status_q <= ST_LEN;
              err_vendor_q <= cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
              state_q      <= V_END;
            end
          end else if (piece_go && mr_valid_o && mr_ready_i) begin
            need_q <= need_q - piece;
            nmr_q  <= nmr_q + 1'b1;
            sge_off_q <= sge_off_q + {19'h0, piece};
          end
          if (pkt_fire) begin
            psn_q     <= rec.next_psn;
            off_q     <= rec.msg_offset;
            ssn_q     <= rec.ssn;
            since_q   <= rec.since_ackreq;
            rd_iss_q  <= rec.rd_issued;
            msg_psn_q <= rec.msg_psn;
            npkt_q    <= npkt_q + 1'b1;
            nmr_q     <= '0;
            idx_q     <= rec.next_index;
            state_q   <= !last ? V_NEXT : (idx_next == pi_q) ? V_END : V_GOT;
          end
        end

        // Next packet of the same message: the cursor stays where it is.
        V_NEXT: begin
          need_q <= is_read ? '0 : plen;
          nmr_q  <= '0;
          if (stop) begin
            more_q  <= stop_more;
            state_q <= V_END;
          end else begin
            state_q <= V_SEG;
          end
        end

        V_END: if (rec_ready_i) state_q <= V_IDLE;
        default: state_q <= V_IDLE;
      endcase
    end
  end
endmodule
