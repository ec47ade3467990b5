// SPDX-License-Identifier: Apache-2.0
// First stage of the responder: judges a request packet, in the order of IBTA 9.7.4 (docs/rtl/responder.md).
//
// PSN, opcode sequence, rights, receive WQE present, resources and lengths, without waiting for memory and without
// changing any record. The verdict is the record's kind; nothing is dropped here, so cells and pins have one place to
// go (rsp_commit). A receive WQE is counted from the doorbell's producer index: RNR never means "not fetched yet".
// State: a packet is judged by the state after all packets of its QP before it: the private state here while some are
//   between this stage and rsp_commit (counters up here, down there), otherwise the committed qp_rsp part. Both are
//   sampled in the cycle that takes the packet.
// UC and UD: (silent) what is wrong is RSK_DROP, its vendor code the reason. A UC message that is not right is lost,
// and the next FIRST or ONLY goes on with its own PSN. Its receive serves the next message, so on these QPs a receive
// counts as taken when its message completes (IBTA 9.8.2). Packets of such a QP that are still on their way may yet
// fail and give their receive back: rsp_join sets rq.index right, and here a packet that finds no receive behind others
// goes on all the same (rq.index = rq.pi), to be dropped there.
// SRQ: (RC, UD) the slot is taken here. When all slots read ahead are taken and the doorbell says that there are more,
// the packet is owed one and gets it in rsp_walk; it, and the packets of its message that come before its commit, are
// `late`.
// Share: (over) of the packets and cells that are past qp_lookup and this stage, a QP holds no more than are left to
//   all others, and MIN_PACKETS and MIN_CELLS in any case; one QP alone so has half. What comes beyond is dropped as if
//   the wire had lost it, passes those of its QP that wait, and is counted there (rsp_commit).
// Cycles: one packet in 4.
// Errors: kinds RSK_ERR, RSK_RNR, RSK_OOS. Operations that features_i does not have (atomics; SEND with invalidate: MW)
//   are answered as invalid requests; undefined opcodes, which the receive path does not let through, are dropped.
module rsp_check #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned INFLIGHT = 256,      // packets past qp_lookup
    parameter int unsigned CELLS = 1024,
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned LEFT_W = $clog2(INFLIGHT + 1),
    localparam int unsigned CELL_N = $clog2(CELLS + 1) + 1
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [31:0]                      features_i,  // REG FEATURES
    // packets from rx_dispatch
    input  logic                             pkt_valid_i,
    output logic                             pkt_ready_o,
    input  cairn_int_pkg::rx_pkt_t           pkt_i,
    // qp_rsp part and RQ producer index, one cycle
    output logic [cairn_int_pkg::SLOT_W-1:0] rd_slot_o,
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
    output logic                             idle_o
);
  localparam int unsigned CNT_W = 10;
  localparam logic [1:0] M_NONE = cairn_hw_pkg::RSP_MSG_NONE, M_SEND = cairn_hw_pkg::RSP_MSG_SEND,
      M_WRITE = cairn_hw_pkg::RSP_MSG_WRITE;
  typedef enum logic [1:0] {S_TAKE, S_STATE, S_JUDGE, S_PUSH} state_e;

  state_e                state_q;
  logic                  init_q;
  logic [AW-1:0]         init_slot_q;
  logic                  take;
  logic                  push;

  cairn_int_pkg::rx_meta_t meta;
  cairn_int_pkg::rx_meta_t m_q;
  cairn_hw_pkg::qp_cfg_t   cfg_q;
  assign meta = pkt_i.meta;

  assign pkt_ready_o = state_q == S_TAKE && !init_q;
  assign take        = pkt_valid_i && pkt_ready_o;
  assign rd_slot_o   = meta.slot;
  assign rq_rd_o     = take;
  assign rq_rd_qpn_o = meta.qpn;

  // ---- packets between here and the commit ----
  logic [CNT_W-1:0] up   [0:SLOTS-1];
  logic [CNT_W-1:0] down [0:SLOTS-1];
  logic             flying_q;
  logic [AW-1:0]    slot;
  assign slot = m_q.slot[AW-1:0];
  always_ff @(posedge clk_i) begin
    if (init_q) up[init_slot_q] <= '0;
    else if (push) up[slot] <= up[slot] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (init_q) down[init_slot_q] <= '0;
    else if (down_valid_i) down[down_slot_i] <= down[down_slot_i] + 1'b1;
  end

  // ---- what the QP holds ----
  // More than the stages behind hold of one that does not wait; two packets of the longest.
  localparam int unsigned MIN_PACKETS = 8, MIN_CELLS = 34;
  logic [CELL_N-1:0] cells_up   [0:SLOTS-1];
  logic [CELL_N-1:0] cells_down [0:SLOTS-1];
  logic [CELL_N-1:0] cells_all_q, cells_held, cells_left;
  logic [CNT_W-1:0]  held;
  logic [4:0]        m_cells;
  logic              over_q;
  assign m_cells    = m_q.has_cells ? cairn_fn_pkg::rx_cells(m_q.pay_len, m_q.pay_off) : '0;
  assign held       = up[slot] - down[slot];
  assign cells_held = cells_up[slot] - cells_down[slot];
  assign cells_left = (cells_all_q < CELL_N'(CELLS)) ? CELL_N'(CELLS) - cells_all_q : '0;
  always_ff @(posedge clk_i) begin
    if (init_q) cells_up[init_slot_q] <= '0;
    else if (push) cells_up[slot] <= cells_up[slot] + CELL_N'(m_cells);
  end
  always_ff @(posedge clk_i) begin
    if (init_q) cells_down[init_slot_q] <= '0;
    else if (down_valid_i) cells_down[down_slot_i] <= cells_down[down_slot_i] + CELL_N'(down_cells_i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cells_all_q <= '0;
    else cells_all_q <= cells_all_q + (push ? CELL_N'(m_cells) : '0) - (down_valid_i ? CELL_N'(down_cells_i) : '0);
    over_q <= (held >= CNT_W'(MIN_PACKETS) && held > CNT_W'(left_i))
              || (m_cells != '0 && cells_held >= CELL_N'(MIN_CELLS) && cells_held > cells_left);
  end

  // ---- private state ----
  cairn_int_pkg::rsp_state_t priv_rd, st_q, priv_d, priv_new_q;
  ram_1r1w #(.WIDTH(cairn_int_pkg::RSP_STATE_W), .DEPTH(SLOTS), .BYPASS(2)) u_priv (
      .clk_i, .we_i(push), .waddr_i(slot), .wdata_i(priv_new_q),
      .re_i(take), .raddr_i(meta.slot[AW-1:0]), .rdata_o(priv_rd));

  logic [15:0]  pi_q;
  logic [7:0]   res_seen_q;
  logic         dead_q;       // responder in error
  logic [23:0]  rq_cqn_q;
  logic [63:0]  rq_base_q;
  logic [3:0]   rq_log2_q;
  logic [4:0]   rq_stride_q;

  // ---- judgement (S_JUDGE) ----
  cairn_int_pkg::rsp_rec_t rec_d;
  cairn_int_pkg::rsp_rec_t rec_q;
  logic f_start, f_last, f_send, f_write, f_read, f_atomic, f_inv;
  logic valid, known, in_seq, seq_ok, right_ok, rwr, rq_empty, rq_beyond, res_ok, len_ok, full_ok, pad_ok;
  logic [23:0]       diff;
  logic [12:0]       pmtu;
  logic [31:0]       msg_pos;      // WRITE: bytes still to come; SEND: bytes received before
  logic [31:0]       wlen;
  logic [31:0]       pay32;
  logic [63:0]       va;
  logic [31:0]       key;
  logic [32:0]       sum;
  logic [15:0]       rq_used;
  logic [7:0]        res_out;
  logic [1:0]        pad_want;
  logic has_atomic, has_inv, f_res, f_comp, is_uc, is_ud, silent;
  logic [1:0]        msg_now;
  logic use_srq, srq_bad;
  logic [15:0]       srqn_q;
  assign has_atomic = features_i[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  assign has_inv    = features_i[cairn_hw_pkg::REG_FEATURES_MW_LSB];
  assign f_res      = f_read || f_atomic;
  assign f_comp     = m_q.opflags[cairn_pkt_pkg::OPF_COMP];
  assign is_uc      = cfg_q.state_type == cairn_hw_pkg::QP_TYPE_UC;
  assign is_ud      = cfg_q.state_type == cairn_hw_pkg::QP_TYPE_UD || cfg_q.state_type == cairn_hw_pkg::QP_TYPE_GSI;
  assign silent     = is_uc || is_ud;
  // A new message, or a gap, ends a UC message.
  assign msg_now    = (is_ud || (is_uc && (f_start || !in_seq))) ? M_NONE : st_q.msg;

  assign f_start  = m_q.opflags[cairn_pkt_pkg::OPF_START];
  assign f_last   = m_q.opflags[cairn_pkt_pkg::OPF_END];
  assign f_send   = m_q.opflags[cairn_pkt_pkg::OPF_SEND];
  assign f_write  = m_q.opflags[cairn_pkt_pkg::OPF_WRITE];
  assign f_read   = m_q.opflags[cairn_pkt_pkg::OPF_READ];
  assign f_atomic = m_q.opflags[cairn_pkt_pkg::OPF_ATOMIC];
  assign f_inv    = m_q.opflags[cairn_pkt_pkg::OPF_INV];
  assign rwr      = m_q.opflags[cairn_pkt_pkg::OPF_RWR];
  assign valid    = m_q.opflags[cairn_pkt_pkg::OPF_VALID];
  assign known    = valid && m_q.opflags[cairn_pkt_pkg::OPF_REQ]
                    && (f_send || f_write || f_read || (f_atomic && has_atomic)) && (!f_inv || has_inv);
  assign diff     = m_q.psn - st_q.psn;
  assign in_seq   = diff == '0;
  assign seq_ok   = (msg_now == M_NONE) ? f_start
                    : (msg_now == M_SEND) ? (f_send && !f_start) : (f_write && !f_start);
  assign right_ok = f_send || (f_write && cfg_q.state_remote_write) || (f_read && cfg_q.state_remote_read)
                    || (f_atomic && cfg_q.state_remote_atomic);
  assign rq_used   = pi_q - st_q.rq;
  assign rq_empty  = use_srq ? srq_i.none : rq_used == '0;
  assign use_srq   = cfg_q.state_use_srq && !is_uc;
  assign srq_bad   = use_srq && !srq_i.ok;
  assign rq_beyond = !use_srq && rq_used > (16'h1 << rq_log2_q);
  assign res_out   = st_q.tail - res_seen_q;
  assign res_ok    = res_out < {3'h0, cfg_q.rd_max_dest_rd_atomic};
  assign pmtu      = 13'(cairn_fn_pkg::pmtu_bytes(cfg_q.state_pmtu));
  assign pay32     = 32'(m_q.pay_len);
  assign msg_pos   = f_write ? (f_start ? m_q.len : st_q.rem) : f_read ? m_q.len : f_atomic ? 32'd8
                    : (f_start ? '0 : st_q.rem);
  assign wlen     = f_start ? m_q.len : st_q.wlen;
  assign va       = f_start ? m_q.va : st_q.va;
  assign key      = f_start ? m_q.key : st_q.key;
  assign sum      = {1'b0, msg_pos} + {1'b0, pay32};
  assign pad_want = 2'b00 - m_q.pay_len[1:0];
  assign pad_ok   = m_q.pad == pad_want;
  assign full_ok  = m_q.opflags[cairn_pkt_pkg::OPF_FULL] ? m_q.pay_len == pmtu
                    : m_q.pay_len <= pmtu && (m_q.pay_len != '0 || !m_q.opflags[cairn_pkt_pkg::OPF_NONZERO]);
  always_comb begin
    len_ok = full_ok && pad_ok;
    if (f_res) len_ok = msg_pos <= cairn_hw_pkg::MAX_MSG_BYTES && m_q.pay_len == '0 && pad_ok;
    else if (f_write && msg_pos > cairn_hw_pkg::MAX_MSG_BYTES) len_ok = 1'b0;
    else if (f_write && (f_last ? msg_pos != pay32 : msg_pos < pay32)) len_ok = 1'b0;
    else if (f_send && sum > 33'(cairn_hw_pkg::MAX_MSG_BYTES)) len_ok = 1'b0;
  end

  always_comb begin
    rec_d                = '0;
    rec_d.id.slot        = m_q.slot;
    rec_d.id.gen         = m_q.gen;
    rec_d.id.qpn         = m_q.qpn;
    rec_d.psn            = m_q.psn;
    rec_d.npsn           = m_q.psn + (f_read ? cairn_fn_pkg::packets(m_q.len, cfg_q.state_pmtu) : 24'h1);
    rec_d.start          = f_start;
    rec_d.last           = f_last;
    rec_d.se             = m_q.se;
    rec_d.ackreq         = m_q.ackreq;
    rec_d.has_imm        = m_q.opflags[cairn_pkt_pkg::OPF_IMM];
    rec_d.take           = 1'b0;
    rec_d.rtr            = cfg_q.state == cairn_hw_pkg::QP_STATE_RTR;
    rec_d.data.epoch     = m_q.epoch;
    rec_d.data.cell_head = m_q.cell_head;
    rec_d.data.has_cells = m_q.has_cells;
    rec_d.data.pay_off   = m_q.pay_off;
    rec_d.data.pay_len   = m_q.pay_len;
    rec_d.place.va       = va;
    rec_d.place.key      = f_inv ? m_q.key : key;
    rec_d.inv.valid      = f_inv;
    rec_d.silent         = silent;
    rec_d.sync           = !flying_q;
    rec_d.ud.valid       = is_ud;
    rec_d.ud.ipv6        = m_q.ipv6;
    rec_d.ud.has_tag     = m_q.has_tag;
    rec_d.ud.prio        = m_q.prio;
    rec_d.ud.ip_off      = m_q.ip_off;
    rec_d.ud.src_qp      = m_q.src_qp;
    rec_d.place.mlen     = msg_pos;
    rec_d.place.wlen     = wlen;
    rec_d.imm            = m_q.imm;
    rec_d.rq.index       = (rwr || silent) ? st_q.rq : st_q.rq - 16'h1;
    rec_d.rq.pi          = pi_q;
    rec_d.rq.base        = rq_base_q;
    rec_d.rq.log2        = rq_log2_q;
    rec_d.rq.stride      = rq_stride_q;
    if (use_srq) begin
      rec_d.srq.valid = 1'b1;
      rec_d.srq.srqn  = srqn_q;
      rec_d.srq.slot  = rwr ? srq_i.slot : st_q.slot;
      rec_d.rq.index  = rwr ? srq_i.seq : st_q.rq;
      rec_d.rq.base   = srq_i.slots;
      rec_d.rq.log2   = srq_i.log2;
      rec_d.rq.stride = srq_i.stride;
    end
    rec_d.atomic.cas      = m_q.opcode == cairn_pkt_pkg::OPCODE_RC_COMPARE_SWAP;
    rec_d.atomic.swap_add = m_q.swap_add;
    rec_d.atomic.compare  = m_q.compare;
    rec_d.pd              = cfg_q.pd_sgid_pd;
    rec_d.eqn             = cfg_q.eqn_async_eqn;
    rec_d.kind            = cairn_int_pkg::RSK_ERR;
    rec_d.verdict.syn     = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_INV_REQ);
    rec_d.verdict.status  = cairn_hw_pkg::WC_STATUS_REM_INV_REQ_ERR;
    rec_d.verdict.etype   = cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR;
    rec_d.rq_cqn          = rq_cqn_q;
    rec_d.over            = over_q;
    if (over_q || dead_q || !valid) begin
      rec_d.kind = cairn_int_pkg::RSK_DROP;
    end else if (silent) begin
      rec_d.kind = cairn_int_pkg::RSK_DROP;
      if (!known || !seq_ok) rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
      else if (!right_ok) rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_RIGHTS;
      else if (rwr && srq_bad) begin
        rec_d.kind           = cairn_int_pkg::RSK_ERR;
        rec_d.verdict.status = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
        rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_RQE_CHECK;
        rec_d.verdict.etype  = cairn_hw_pkg::EQE_TYPE_QP_FATAL;
      end else if (rwr && rq_empty && (use_srq || !flying_q)) rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_RNR;
      else if (!len_ok) rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_LENGTH;
      else if (rwr && rq_beyond) rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
      else begin
        rec_d.kind = f_send ? cairn_int_pkg::RSK_SEND : cairn_int_pkg::RSK_WRITE;
        rec_d.take = f_comp;
      end
    end else if (diff[23]) begin
      // Duplicates are never errors.
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
      rec_d.kind = !known ? cairn_int_pkg::RSK_DROP : f_read ? cairn_int_pkg::RSK_DUPRD
                   : f_atomic ? cairn_int_pkg::RSK_DUPAT : cairn_int_pkg::RSK_DUP;
      rec_d.place.va   = m_q.va;
      rec_d.place.key  = m_q.key;
      rec_d.place.mlen = m_q.len;
    end else if (!in_seq) begin
      rec_d.kind = cairn_int_pkg::RSK_OOS;
    end else if (!known || !seq_ok) begin
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
      rec_d.verdict.etype  = cairn_hw_pkg::EQE_TYPE_QP_REQ_ERR;
    end else if (!right_ok) begin
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_RIGHTS;
    end else if (rwr && srq_bad) begin
      rec_d.verdict.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_RQE_CHECK;
      rec_d.verdict.etype  = cairn_hw_pkg::EQE_TYPE_QP_FATAL;    // there is no receive that could tell
    end else if (rwr && rq_empty) begin
      rec_d.kind        = cairn_int_pkg::RSK_RNR;
      rec_d.verdict.syn = {3'b001, cfg_q.state_min_rnr_timer};
    end else if (f_res && !res_ok) begin
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_RESOURCES;
    end else if (!len_ok) begin
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_LENGTH;
      rec_d.take           = rwr && f_send;    // a SEND that begins uses up its receive all the same
    end else if (rwr && rq_beyond) begin
      rec_d.verdict.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
      rec_d.verdict.status = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      rec_d.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
      rec_d.verdict.etype  = '0;
      rec_d.take           = 1'b1;
    end else begin
      rec_d.kind = f_send ? cairn_int_pkg::RSK_SEND : f_write ? cairn_int_pkg::RSK_WRITE
                   : f_read ? cairn_int_pkg::RSK_READ : cairn_int_pkg::RSK_ATOMIC;
      rec_d.take = rwr;
    end
  end

  // The record, with what becomes of the take.
  cairn_int_pkg::rsp_rec_t rec_out;
  always_comb begin
    rec_out           = rec_d;
    rec_out.inv.valid = f_inv && rec_d.kind == cairn_int_pkg::RSK_SEND;   // of no other kind
    rec_out.srq.late  = use_srq && !over_q && (rec_d.take ? !srq_i.here : st_q.late && f_send && !rwr);
  end

  // State after a packet that will be executed; every other kind leaves it alone.
  logic runs, took;
  logic [15:0] rq_after;
  assign took      = silent ? f_comp && !rq_empty : rwr;
  assign rq_after  = use_srq ? rec_d.rq.index : st_q.rq + 16'(took);
  logic [1:0] msg_after;
  assign runs      = rec_d.kind == cairn_int_pkg::RSK_SEND || rec_d.kind == cairn_int_pkg::RSK_WRITE
      || rec_d.kind == cairn_int_pkg::RSK_READ || rec_d.kind == cairn_int_pkg::RSK_ATOMIC;
  assign msg_after = f_last ? M_NONE : f_send ? M_SEND : M_WRITE;
  always_comb begin
    priv_d = st_q;
    if (runs) begin
      priv_d = {rec_d.npsn, msg_after, f_write ? msg_pos - pay32 : sum[31:0], va + 64'(m_q.pay_len), key, wlen,
                rq_after, st_q.tail + 8'(f_res), rec_d.srq.slot, rec_out.srq.late};
    end else if (is_uc && !over_q) begin
      priv_d = {rec_d.npsn, M_NONE, st_q.rem, st_q.va, st_q.key, st_q.wlen, st_q.rq, st_q.tail, st_q.slot, 1'b0};
    end
  end

  // A look right behind the state.
  assign srq_o.valid = state_q == S_STATE && cfg_q.state_use_srq;
  assign srq_o.srqn  = rsp_i.srqn[15:0];
  assign srq_o.take  = state_q == S_JUDGE && rec_d.take && use_srq;

  assign rec_valid_o = state_q == S_PUSH;
  assign rec_o       = rec_q;
  assign push        = rec_valid_o && rec_ready_i;
  assign idle_o      = state_q == S_TAKE && !pkt_valid_i && !init_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= S_TAKE;
      init_q      <= 1'b1;
      init_slot_q <= '0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
      case (state_q)
        S_TAKE:  if (take) state_q <= S_STATE;
        S_STATE: state_q <= S_JUDGE;
        S_JUDGE: state_q <= S_PUSH;
        default: if (rec_ready_i) state_q <= S_TAKE;
      endcase
    end
    if (take) begin
      m_q      <= pkt_i.meta;
      cfg_q    <= pkt_i.cfg;
      flying_q <= up[meta.slot[AW-1:0]] != down[meta.slot[AW-1:0]];
    end
    if (state_q == S_STATE) begin
      st_q      <= flying_q ? priv_rd
                     : {rsp_i.epsn, rsp_i.flags_msg, rsp_i.remaining, rsp_i.va, rsp_i.rkey, rsp_i.write_len,
                         rsp_i.rq_rq_index, rsp_i.epsn_res_tail, rsp_i.rq_srq_slot, 1'b0};
      srqn_q      <= rsp_i.srqn[15:0];
      dead_q      <= rsp_i.flags_err;
      rq_cqn_q    <= rsp_i.rq_cqn;
      res_seen_q  <= rsp_i.ack_psn_res_seen;
      rq_base_q   <= rsp_i.rq_base;
      rq_log2_q   <= rsp_i.flags_rq_log2;
      rq_stride_q <= rsp_i.flags_rq_stride;
      pi_q        <= rq_rd_pi_i;
    end
    if (state_q == S_JUDGE) begin
      rec_q      <= rec_out;
      priv_new_q <= priv_d;
    end
  end
endmodule
