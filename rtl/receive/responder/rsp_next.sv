// SPDX-License-Identifier: Apache-2.0
// What a packet or an event of rsp_tx does to the qp_rsp part. Combinational; rsp_commit writes it.
//
// The only place where that part's next value is formed. EPSN, MSN, ACK state and NAKs as IBTA 9.7.3, 9.7.4.1 and
// 9.7.5.1:
// - The ACK state is one {PSN, syndrome}: an ACK coalesces into a later one; a NAK that has not left yet is replaced
//   when its PSN arrives after all.
// - One sequence NAK for each gap, none while an RNR NAK stands (NAK_SENT, RNR_SENT). A duplicate of any kind ends the
//   sequence NAK's silence, since the peer has gone back.
// - A READ or atomic moves a pending ACK into its resource (ack_before_o).
// - An atomic that failed takes its resource back and those behind it, so what is older is answered before the NAK.
// dead_o: the responder is in error (or the flush puts it there); the packet is discarded.
module rsp_next (
    input  logic [511:0]            cur_i,         // qp_rsp
    input  cairn_int_pkg::rsp_rec_t rec_i,
    input  logic                    is_ev_i,       // ev_i, not rec_i
    input  cairn_int_pkg::rsp_ev_t  ev_i,
    output logic [511:0]            next_o,
    output logic                    write_o,       // next_o differs
    output logic                    dead_o,
    output logic                    run_o,         // SEND, WRITE, READ or atomic executed
    output logic                    fatal_o,       // the responder goes into error now
    output logic                    kick_o,        // rsp_tx has something to do
    output logic                    cqe_o,
    output logic [15:0]             cqe_index_o,
    output logic [7:0]              cqe_status_o,  // SUCCESS: of a packet
    output logic                    cqe_srq_o,     // the index is a slot of the SRQ
    output logic                    ack_before_o,
    output logic                    comm_est_o,
    output logic                    coalesced_o
);
  cairn_hw_pkg::qp_rsp_t      c, n;
  cairn_int_pkg::rsp_rec_t    r;
  cairn_int_pkg::rsp_ev_t     e;
  logic                       runs, mine, nak_class, flush_one;
  logic [7:0]                 ack_syn, kept, seen_dist;
  logic                       new_res, is_res;
  logic [15:0]                held;        // receive of the message in progress
  logic [23:0]                d_nak;       // of a failure, from the PSN that is acknowledged or NAKed

  assign c = cur_i;
  assign r = rec_i;
  assign e = ev_i;
  assign next_o = n;
  assign runs = r.kind == cairn_int_pkg::RSK_SEND || r.kind == cairn_int_pkg::RSK_WRITE
      || is_res;
  assign is_res = r.kind == cairn_int_pkg::RSK_READ || r.kind == cairn_int_pkg::RSK_ATOMIC;
  // A record of another QP or generation cannot be here: the slot is pinned. Checked all the same.
  assign mine = is_ev_i ? (c.tag_qpn == e.qpn && c.tag_gen == e.gen) : (c.tag_qpn == r.id.qpn && c.tag_gen == r.id.gen);
  assign nak_class = c.flags_syndrome[6:5] != cairn_pkt_pkg::AETH_CLASS_ACK;
  // The credits are put in when it goes out (rsp_tx_credit).
  assign ack_syn = 8'(cairn_pkt_pkg::AETH_NO_CREDIT);
  assign kept = c.epsn_res_tail - c.msn_res_old;
  assign seen_dist = e.res - c.ack_psn_res_seen;
  assign new_res = !seen_dist[7] && seen_dist != '0;
  assign held = c.flags_srq_held ? c.rq_srq_slot : c.rq_rq_index - 16'h1;
  // Of an SRQ only the slot held flushes: what rsp_tx saw of the index may be older than the last take.
  assign flush_one = c.flags_rqe_taken || (!c.flags_srq_held && c.rq_rq_index != e.pi);
  assign d_nak = e.psn - c.ack_psn;

  always_comb begin
    n            = c;
    write_o      = 1'b0;
    dead_o       = !mine || (!is_ev_i && c.flags_err);
    run_o        = 1'b0;
    fatal_o      = 1'b0;
    kick_o       = 1'b0;
    cqe_o        = 1'b0;
    cqe_index_o  = r.rq.index;
    cqe_status_o = cairn_hw_pkg::WC_STATUS_SUCCESS;
    cqe_srq_o    = r.srq.valid;
    if (r.srq.valid) cqe_index_o = r.srq.slot;
    ack_before_o = 1'b0;
    comm_est_o   = 1'b0;
    coalesced_o  = 1'b0;
    if (!mine) begin
      write_o = 1'b0;
    end else if (is_ev_i) begin
      write_o = 1'b1;
      case (e.kind)
        cairn_int_pkg::RSE_ACKED:
          if (c.ack_psn == e.psn && c.flags_syndrome == e.syn) n.flags_ack_pending = 1'b0;
          else kick_o = c.flags_ack_pending;
        cairn_int_pkg::RSE_RES:
          // Only from where rsp_tx saw it: a new READ may have pushed it on meanwhile.
          if (c.msn_res_old == e.pi[7:0]) begin
            n.msn_res_old = e.res;
            if (new_res) n.ack_psn_res_seen = e.res;
          end else begin
            kick_o = 1'b1;
          end
        cairn_int_pkg::RSE_FAIL, cairn_int_pkg::RSE_ATOM: begin
          // In error already: only in place of the NAK of a later packet. Else the resources are over, and what waits
          // behind them, the NAK or the flush, is next.
          if (c.flags_err && !(c.flags_ack_pending && nak_class && d_nak[23])) begin
            n.msn_res_old      = c.epsn_res_tail;
            n.ack_psn_res_seen = c.epsn_res_tail;
            kick_o             = 1'b1;
          end else begin
            fatal_o             = !c.flags_err;
            kick_o              = 1'b1;
            n.flags_err         = 1'b1;
            n.flags_ack_pending = 1'b1;
            n.flags_syndrome    = e.syn;
            n.ack_psn           = e.psn;
            if (e.kind == cairn_int_pkg::RSE_ATOM) begin
              n.msn           = e.msn - 24'h1;
              n.epsn_res_tail = e.res;
            end else begin
              n.msn_res_old      = c.epsn_res_tail;
              n.ack_psn_res_seen = c.epsn_res_tail;
            end
            cqe_o               = c.flags_rqe_taken;
            cqe_index_o         = held;
            cqe_srq_o           = c.flags_srq_held;
            cqe_status_o        = cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
            n.flags_rqe_taken   = 1'b0;
          end
        end
        default: begin
          // Flush: the responder is in error from now on, whatever packets are still on their way.
          n.flags_err       = 1'b1;
          n.flags_rqe_taken = 1'b0;
          n.flags_msg       = cairn_hw_pkg::RSP_MSG_NONE;
          cqe_o             = flush_one;
          cqe_status_o      = cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
          cqe_index_o       = c.flags_rqe_taken ? held : c.rq_rq_index;
          cqe_srq_o         = c.flags_rqe_taken && c.flags_srq_held;
          if (!c.flags_rqe_taken && flush_one) n.rq_rq_index = c.rq_rq_index + 16'h1;
          kick_o            = !n.flags_srq_held && n.rq_rq_index != e.pi;
        end
      endcase
    end else if (r.over) begin
      write_o = 1'b0;
    end else if (c.flags_err) begin
      // What the packet has taken of an SRQ comes back.
      cqe_o        = r.srq.valid && r.take;
      cqe_status_o = cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
    end else if (runs) begin
      write_o          = 1'b1;
      run_o            = 1'b1;
      n.epsn           = r.npsn;
      n.flags_nak_sent = 1'b0;
      n.flags_rnr_sent = 1'b0;
      n.msn            = c.msn + 24'(r.last);
      comm_est_o       = r.rtr && !c.flags_comm_est;
      n.flags_comm_est = c.flags_comm_est || r.rtr;
      n.flags_msg      = r.last ? cairn_hw_pkg::RSP_MSG_NONE
                         : (r.kind == cairn_int_pkg::RSK_SEND)
                             ? cairn_hw_pkg::RSP_MSG_SEND : cairn_hw_pkg::RSP_MSG_WRITE;
      n.rq_rq_index    = !r.srq.valid ? c.rq_rq_index + 16'(r.take) : r.take ? r.rq.index : c.rq_rq_index;
      if (r.take) {n.flags_srq_held, n.rq_srq_slot} = {r.srq.valid, r.srq.slot};
      // UC: a receive is taken when its message completes
      n.flags_rqe_taken = r.kind == cairn_int_pkg::RSK_SEND && !r.last && !r.silent;
      n.va              = r.place.va + 64'(r.data.pay_len);
      n.rkey            = r.place.key;
      n.remaining      = (r.kind == cairn_int_pkg::RSK_WRITE) ? r.place.mlen - 32'(r.data.pay_len)
                                                              : r.place.mlen + 32'(r.data.pay_len);
      n.write_len      = r.place.wlen;
      cqe_o            = r.last && (r.kind == cairn_int_pkg::RSK_SEND || r.take);
      if (is_res) begin
        ack_before_o        = c.flags_ack_pending;
        n.flags_ack_pending = 1'b0;
        n.epsn_res_tail     = c.epsn_res_tail + 8'h1;
        // the oldest is recycled
        if (kept == 8'(cairn_hw_pkg::RSP_RES_PER_QP)) n.msn_res_old = c.msn_res_old + 8'h1;
        kick_o              = 1'b1;
      end else if (!r.silent && (r.ackreq || c.flags_ack_pending)) begin
        n.flags_ack_pending = 1'b1;
        n.flags_syndrome    = ack_syn;
        n.ack_psn           = r.psn;
        kick_o              = 1'b1;
        coalesced_o         = c.flags_ack_pending && !nak_class;
      end
    end else begin
      case (r.kind)
        cairn_int_pkg::RSK_DUP: begin
          write_o = 1'b1;
          kick_o  = 1'b1;
          // A NAK on its way acknowledges as much.
          if (!(c.flags_ack_pending && nak_class)) begin
            n.flags_ack_pending = 1'b1;
            n.flags_syndrome    = ack_syn;
            n.ack_psn           = c.epsn - 24'h1;
            n.flags_nak_sent    = c.flags_rnr_sent;
          end
        end
        cairn_int_pkg::RSK_DUPRD, cairn_int_pkg::RSK_DUPAT: begin
          kick_o = 1'b1;
          if (!(c.flags_ack_pending && nak_class)) begin
            write_o             = c.flags_nak_sent && !c.flags_rnr_sent;
            n.flags_nak_sent    = c.flags_rnr_sent;
          end
        end
        cairn_int_pkg::RSK_OOS: begin
          if (!c.flags_nak_sent) begin
            write_o             = 1'b1;
            kick_o              = 1'b1;
            n.flags_nak_sent    = 1'b1;
            n.flags_rnr_sent    = 1'b0;
            n.flags_ack_pending = 1'b1;
            n.flags_syndrome    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_SEQ);
            n.ack_psn           = c.epsn;
          end
        end
        cairn_int_pkg::RSK_RNR: begin
          write_o             = 1'b1;
          kick_o              = 1'b1;
          n.flags_nak_sent    = 1'b1;
          n.flags_rnr_sent    = 1'b1;
          n.flags_ack_pending = 1'b1;
          n.flags_syndrome    = r.verdict.syn;
          n.ack_psn           = r.psn;
        end
        cairn_int_pkg::RSK_ERR: begin
          write_o             = 1'b1;
          kick_o              = 1'b1;
          fatal_o             = 1'b1;
          n.flags_err         = 1'b1;
          n.flags_ack_pending = !r.silent;
          n.flags_syndrome    = r.verdict.syn;
          n.ack_psn           = r.psn;
          n.flags_rqe_taken   = 1'b0;
          n.flags_msg         = cairn_hw_pkg::RSP_MSG_NONE;
          n.rq_rq_index       = c.rq_rq_index + 16'(r.take && !r.srq.valid);
          cqe_o               = c.flags_rqe_taken || r.take;
          if (c.flags_rqe_taken) cqe_index_o = held;
          else if (!r.srq.valid) cqe_index_o = c.rq_rq_index;
          cqe_status_o        = r.verdict.status;
        end
        default: begin
          // UC: the message is lost, the PSNs go on from here.
          write_o     = r.silent && !r.ud.valid;
          n.epsn      = r.npsn;
          n.flags_msg = cairn_hw_pkg::RSP_MSG_NONE;
        end
      endcase
    end
  end
endmodule
