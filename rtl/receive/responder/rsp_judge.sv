// SPDX-License-Identifier: Apache-2.0
// Judges a request packet, in the order of IBTA 9.7.4 (docs/rtl/responder.md), for rsp_check. Combinational; FAST = 0:
// the questions are answered in the cycle before, all but those about an SRQ.
//
// PSN, opcode sequence, rights, receive WQE present, resources and lengths. The verdict is the record's kind; state_o
// is what the next packet of the QP is judged by: only a packet that will be executed moves it, and a UC packet, behind
// which the PSNs go on in any case.
// UC and UD: (silent) what is wrong is RSK_DROP, its vendor code the reason. A UC message that is not right is lost,
// and the next FIRST or ONLY goes on with its own PSN. Its receive serves the next message, so on these QPs a receive
// counts as taken when its message completes (IBTA 9.8.2). Packets of such a QP that are still on their way may yet
// fail and give their receive back: rsp_join sets rq.index right, and here a packet that finds no receive behind others
// goes on all the same (rq.index = rq.pi), to be dropped there.
// SRQ: (RC, UD) when all slots read ahead are taken and the doorbell says that there are more, the packet is owed one
// and gets it in rsp_walk; it, and the packets of its message that come before its commit, are `late`.
// Errors: kinds RSK_ERR, RSK_RNR, RSK_OOS. Operations that features_i does not have (atomics; SEND with invalidate: MW)
//   are answered as invalid requests; undefined opcodes, which the receive path does not let through, are dropped.
module rsp_judge #(
    parameter logic [31:0] FEATURES = '1,           // as REG FEATURES: what else is not there
    parameter bit          FAST     = 1'b1          // 0: in two cycles; what does not move the state leaves no state
) (
    input  logic                      clk_i,
    input  logic [31:0]               features_i,  // REG FEATURES
    input  cairn_int_pkg::rx_meta_t   m_i,
    input  cairn_hw_pkg::qp_cfg_t     cfg_i,
    input  cairn_hw_pkg::qp_rsp_t     rsp_i,       // as committed: what no packet on its way changes
    input  cairn_int_pkg::rsp_state_t st_i,
    input  cairn_int_pkg::rsp_asks_t  asks_i,      // of st_i and pos_i
    input  logic [31:0]               pos_i,       // WRITE: bytes still to come; SEND: bytes received before
    input  logic [23:0]               npsn_i,      // expected PSN after this packet
    input  logic                      sync_i,      // st_i is the committed state
    input  logic                      over_i,      // the QP has used up its share
    input  logic [15:0]               pi_i,        // RQ producer index
    input  cairn_int_pkg::srq_next_t  srq_i,
    output cairn_int_pkg::rsp_rec_t   rec_o,
    output logic                      moves_o,     // state_o is another than st_i; FAST = 0: else it is nothing
    output cairn_int_pkg::rsp_state_t state_o
);
  localparam logic [1:0] M_NONE = cairn_hw_pkg::RSP_MSG_NONE, M_SEND = cairn_hw_pkg::RSP_MSG_SEND,
      M_WRITE = cairn_hw_pkg::RSP_MSG_WRITE;
  // What becomes of the packet, in the order in which it is looked at
  typedef enum logic [3:0] {
    V_DROP, V_DUP, V_OOS, V_OPCODE, V_RIGHTS, V_SRQ, V_EMPTY, V_RES, V_LENGTH, V_BEYOND, V_RUN
  } verdict_e;
  verdict_e verdict;

  // ---- what the packet is ----
  logic f_start, f_last, f_send, f_write, f_read, f_atomic, f_inv, f_res, f_comp, rwr, valid, known;
  logic has_atomic, has_inv, is_uc, is_ud, silent, use_srq;
  logic [31:0] features;
  assign features   = features_i & FEATURES;
  assign has_atomic = features[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  assign has_inv    = features[cairn_hw_pkg::REG_FEATURES_MW_LSB];
  assign f_start    = m_i.opflags[cairn_pkt_pkg::OPF_START];
  assign f_last     = m_i.opflags[cairn_pkt_pkg::OPF_END];
  assign f_send     = m_i.opflags[cairn_pkt_pkg::OPF_SEND];
  assign f_write    = m_i.opflags[cairn_pkt_pkg::OPF_WRITE];
  assign f_read     = m_i.opflags[cairn_pkt_pkg::OPF_READ];
  assign f_atomic   = m_i.opflags[cairn_pkt_pkg::OPF_ATOMIC];
  assign f_inv      = m_i.opflags[cairn_pkt_pkg::OPF_INV];
  assign f_comp     = m_i.opflags[cairn_pkt_pkg::OPF_COMP];
  assign f_res      = f_read || f_atomic;
  assign rwr        = m_i.opflags[cairn_pkt_pkg::OPF_RWR];
  assign valid      = m_i.opflags[cairn_pkt_pkg::OPF_VALID];
  assign known      = valid && m_i.opflags[cairn_pkt_pkg::OPF_REQ]
                      && (f_send || f_write || f_read || (f_atomic && has_atomic)) && (!f_inv || has_inv);
  assign is_uc      = FEATURES[cairn_hw_pkg::REG_FEATURES_UC_LSB] && cfg_i.state_type == cairn_hw_pkg::QP_TYPE_UC;
  assign is_ud      = cfg_i.state_type == cairn_hw_pkg::QP_TYPE_UD || cfg_i.state_type == cairn_hw_pkg::QP_TYPE_GSI;
  assign silent     = is_uc || is_ud;
  assign use_srq    = FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB] && cfg_i.state_use_srq && !is_uc;

  // ---- each question by itself ----
  logic        in_seq, seq_ok, right_ok, rq_empty, rq_beyond, res_ok, len_ok, shape_ok, full_ok, pad_ok, srq_bad;
  logic [12:0] pmtu;
  logic [31:0] pay32;
  logic [32:0] rem_on;         // of the message behind this packet; bit 0 has the carry
  logic        fits, ends, more, grows;    // fits: its carry; a WRITE has as much to come
  logic [15:0] rq_used;
  logic [7:0]  res_out;
  logic [1:0]  pad_want, msg_now;
  assign in_seq    = asks_i.in_seq;
  // A new message, or a gap, ends a UC message.
  assign msg_now   = (is_ud || (is_uc && (f_start || !in_seq))) ? M_NONE : st_i.msg;
  assign seq_ok    = (msg_now == M_NONE) ? f_start
                     : (msg_now == M_SEND) ? (f_send && !f_start) : (f_write && !f_start);
  assign right_ok  = f_send || (f_write && cfg_i.state_remote_write) || (f_read && cfg_i.state_remote_read)
                     || (f_atomic && cfg_i.state_remote_atomic);
  assign rq_used   = pi_i - st_i.rq;
  assign rq_empty  = use_srq ? srq_i.none : pi_i == st_i.rq;
  assign srq_bad   = use_srq && !srq_i.ok;
  assign rq_beyond = !use_srq && rq_used > (16'h1 << rsp_i.flags_rq_log2);
  assign res_out   = st_i.tail - rsp_i.ack_psn_res_seen;
  assign res_ok    = res_out < {3'h0, cfg_i.rd_max_dest_rd_atomic};
  assign pmtu      = 13'(cairn_fn_pkg::pmtu_bytes(cfg_i.state_pmtu));
  assign pay32     = 32'(m_i.pay_len);
  assign {fits, rem_on} = {1'b0, pos_i, f_write} + {1'b0, pay32 ^ {32{f_write}}, f_write};
  // FAST = 0: there is time to see it in the sum.
  assign ends      = FAST ? asks_i.ends : rem_on[32:1] == '0;
  assign more      = FAST ? asks_i.more : fits && rem_on[32:1] != '0;
  assign grows     = FAST ? asks_i.grows : fits || rem_on[32:1] > cairn_hw_pkg::MAX_MSG_BYTES;
  assign pad_want  = 2'b00 - m_i.pay_len[1:0];
  assign pad_ok    = m_i.pad == pad_want;
  assign full_ok   = m_i.opflags[cairn_pkt_pkg::OPF_FULL] ? m_i.pay_len == pmtu
                     : m_i.pay_len <= pmtu && (m_i.pay_len != '0 || !m_i.opflags[cairn_pkt_pkg::OPF_NONZERO]);
  assign shape_ok  = pad_ok && (f_res ? m_i.pay_len == '0 : full_ok);
  always_comb begin
    len_ok = shape_ok;
    if ((f_res || f_write) && asks_i.too_long) len_ok = 1'b0;
    else if (f_write && (f_last ? !ends : !ends && !more)) len_ok = 1'b0;
    else if (f_send && grows) len_ok = 1'b0;
  end

  // ---- the first that is not right ----
  localparam int unsigned ASKED_W = 10;
  logic [ASKED_W-1:0] asked, answers;
  logic over, drop, dup, oos, opcode, rights, empty, no_res, length, beyond;
  assign asked = {over_i, over_i || rsp_i.flags_err || !valid, !silent && asks_i.behind, !silent && !in_seq,
                  !known || !seq_ok, !right_ok, rwr && !use_srq && pi_i == st_i.rq && (!silent || sync_i),
                  !silent && f_res && !res_ok, !len_ok, rwr && rq_beyond};
  if (FAST) begin : g_now
    assign answers = asked;
    logic unused;
    assign unused = clk_i;
  end else begin : g_before
    logic [ASKED_W-1:0] asked_q;
    always_ff @(posedge clk_i) asked_q <= asked;
    assign answers = asked_q;
  end
  assign {over, drop, dup, oos, opcode, rights, empty, no_res, length, beyond} = answers;
  always_comb begin
    if (drop) verdict = V_DROP;
    else if (dup) verdict = V_DUP;
    else if (oos) verdict = V_OOS;
    else if (opcode) verdict = V_OPCODE;
    else if (rights) verdict = V_RIGHTS;
    else if (rwr && srq_bad) verdict = V_SRQ;
    else if (empty || (rwr && use_srq && srq_i.none)) verdict = V_EMPTY;
    else if (no_res) verdict = V_RES;
    else if (length) verdict = V_LENGTH;
    else if (beyond) verdict = V_BEYOND;
    else verdict = V_RUN;
  end

  // ---- what that means ----
  cairn_int_pkg::rsk_t         kind, kind_run, kind_dup;
  cairn_int_pkg::rsp_verdict_t said;
  logic                        take, runs;
  assign runs     = verdict == V_RUN;
  assign kind_run = f_send ? cairn_int_pkg::RSK_SEND : f_write ? cairn_int_pkg::RSK_WRITE
                    : f_read ? cairn_int_pkg::RSK_READ : cairn_int_pkg::RSK_ATOMIC;
  // Duplicates are never errors.
  assign kind_dup = !known ? cairn_int_pkg::RSK_DROP : f_read ? cairn_int_pkg::RSK_DUPRD
                    : f_atomic ? cairn_int_pkg::RSK_DUPAT : cairn_int_pkg::RSK_DUP;
  always_comb begin
    case (verdict)
      V_RUN:   kind = kind_run;
      V_DROP:  kind = cairn_int_pkg::RSK_DROP;
      V_DUP:   kind = kind_dup;
      V_OOS:   kind = cairn_int_pkg::RSK_OOS;
      V_SRQ:   kind = cairn_int_pkg::RSK_ERR;
      V_EMPTY: kind = silent ? cairn_int_pkg::RSK_DROP : cairn_int_pkg::RSK_RNR;
      default: kind = silent ? cairn_int_pkg::RSK_DROP : cairn_int_pkg::RSK_ERR;
    endcase
  end
  always_comb begin
    said.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_INV_REQ);
    said.status = cairn_hw_pkg::WC_STATUS_REM_INV_REQ_ERR;
    said.vendor = cairn_hw_pkg::VENDOR_ERR_NONE;
    said.etype  = cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR;
    case (verdict)
      V_DUP:    said.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
      V_OPCODE: begin
        said.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
        said.etype  = cairn_hw_pkg::EQE_TYPE_QP_REQ_ERR;
      end
      V_RIGHTS: said.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_RIGHTS;
      V_SRQ: begin
        said.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
        said.vendor = cairn_hw_pkg::VENDOR_ERR_RQE_CHECK;
        said.etype  = cairn_hw_pkg::EQE_TYPE_QP_FATAL;    // there is no receive that could tell
        if (silent) said.status = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      end
      V_EMPTY: begin
        if (silent) said.vendor = cairn_hw_pkg::VENDOR_ERR_RNR;
        else said.syn = {3'b001, cfg_i.state_min_rnr_timer};
      end
      V_RES:    said.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_RESOURCES;
      V_LENGTH: said.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_LENGTH;
      V_BEYOND: begin
        said.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
        said.status = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
        said.vendor = cairn_hw_pkg::VENDOR_ERR_WQE_INDEX;
        said.etype  = '0;
      end
      default: said.vendor = cairn_hw_pkg::VENDOR_ERR_NONE;
    endcase
  end
  // A SEND that begins uses up its receive also when its length is wrong.
  assign take = runs ? (silent ? f_comp : rwr)
                : !silent && rwr && (verdict == V_BEYOND || (verdict == V_LENGTH && f_send));

  // ---- the record ----
  cairn_int_pkg::rsp_rec_t rec;
  cairn_int_pkg::rsp_rq_t  own_rq, shared_rq;
  logic [15:0]             srq_slot;
  logic [63:0]             va;
  logic [31:0]             key, wlen;
  assign va        = f_start ? m_i.va : st_i.va;
  assign key       = f_start ? m_i.key : st_i.key;
  assign wlen      = f_start ? m_i.len : st_i.wlen;
  assign srq_slot  = !FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB] ? '0 : rwr ? srq_i.slot : st_i.slot;
  assign own_rq    = {st_i.rq - 16'(!(rwr || silent)), pi_i, rsp_i.rq_base, rsp_i.flags_rq_log2,
                      rsp_i.flags_rq_stride};
  assign shared_rq = {rwr ? srq_i.seq : st_i.rq, pi_i, srq_i.slots, srq_i.log2, srq_i.stride};
  assign rec_o     = rec;
  always_comb begin
    rec                = '0;
    rec.kind           = kind;
    rec.id             = {m_i.slot, m_i.gen, m_i.qpn};
    rec.psn            = m_i.psn;
    rec.npsn           = npsn_i;
    rec.start          = f_start;
    rec.last           = f_last;
    rec.se             = m_i.se;
    rec.ackreq         = m_i.ackreq;
    rec.has_imm        = m_i.opflags[cairn_pkt_pkg::OPF_IMM];
    rec.take           = take;
    rec.rtr            = cfg_i.state == cairn_hw_pkg::QP_STATE_RTR;
    rec.data           = {m_i.epoch, m_i.cell_head, m_i.has_cells, m_i.pay_off, m_i.pay_len};
    // (a READ or atomic, which may be a duplicate that is answered, begins a message)
    rec.place          = {va, (f_inv && has_inv) ? m_i.key : key, pos_i, wlen};
    rec.inv.valid      = f_inv && has_inv && kind == cairn_int_pkg::RSK_SEND;   // of no other kind
    rec.silent         = silent;
    rec.sync           = sync_i;
    rec.ud             = {is_ud, m_i.ipv6, m_i.has_tag, m_i.prio, m_i.ip_off, m_i.src_qp};
    rec.imm            = m_i.imm;
    rec.rq             = use_srq ? shared_rq : own_rq;
    if (use_srq) {rec.srq.valid, rec.srq.srqn, rec.srq.slot} = {1'b1, rsp_i.srqn[15:0], srq_slot};
    rec.srq.late       = use_srq && !over && (take ? !srq_i.here : st_i.late && f_send && !rwr);
    if (FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]) begin
      rec.atomic       = {m_i.opcode == cairn_pkt_pkg::OPCODE_RC_COMPARE_SWAP, m_i.swap_add, m_i.compare};
    end
    rec.pd             = cfg_i.pd_sgid_pd;
    rec.eqn            = cfg_i.eqn_async_eqn;
    rec.verdict        = said;
    rec.rq_cqn         = rsp_i.rq_cqn;
    rec.over           = over;
  end

  // ---- what the next packet is judged by ----
  logic        took;
  logic [15:0] rq_after;
  logic [1:0]  msg_after;
  assign took      = silent ? f_comp && !rq_empty : rwr;
  assign rq_after  = use_srq ? rec.rq.index : st_i.rq + 16'(took);
  assign msg_after = f_last ? M_NONE : f_send ? M_SEND : M_WRITE;
  assign moves_o   = runs || (is_uc && !over);
  always_comb begin
    state_o = st_i;
    if (runs || !(FAST || FEATURES[cairn_hw_pkg::REG_FEATURES_UC_LSB])) begin
      state_o = {npsn_i, msg_after, rem_on[32:1], va + 64'(m_i.pay_len), key, wlen,
                 rq_after, st_i.tail + 8'(f_res), srq_slot, rec.srq.late};
    end else if (is_uc && !over) begin
      state_o.psn  = npsn_i;
      state_o.msg  = M_NONE;
      state_o.late = 1'b0;
    end
  end
endmodule
