// SPDX-License-Identifier: Apache-2.0
// What a response packet or an event does to the first half of the qp_cmp part. Combinational, used by cmp_packet.
//
// IBTA 9.7.5.1.2 (ACK, NAK), 9.7.5.2.8 (RNR), 9.7.6 (timer), 9.7.7.2 (credits).
// - ACK: moves UNA_PSN, refreshes credits.
// - Sequence NAK: acknowledges what is before it and goes back to it. RNR NAK: the same, but the requester stands still
//   until WAIT_UNTIL. Fatal NAKs: ERR with status.
// - READ response and ATOMIC_ACK: acknowledge what is before them and go on to cmp_place.
// - Timer: retry when the deadline max(T_START, T_PROGRESS) + T has passed with something outstanding, else armed
//   again, also while READ data of the QP is still on its way through cmp_place (status bit 0 of the event). Nothing
//   outstanding past the deadline: off.
// - Ghosts are ignored: PSN not sent yet or before the oldest, reserved classes and codes.
// Going back: sets UNA_PSN = GB_PSN and raises GB_EPOCH. After an implied NAK the acknowledgements of what was sent
// before it are not believed until the requester has begun again, since they would hide the missing READ. IMPLIED
// stands until data beyond GB_PSN is there.
// Retries: counted anew once the oldest message got on since the last go-back: its READ data is beyond GB_PSN, or, if
//   it is no READ, what is acknowledged. An acknowledgement beyond an incomplete READ, or data beyond a gap, is no
//   progress: they may come in each round, and a READ that is never answered whole would be tried without end. A NAK
//   of what is behind the data that one lacks is not counted, whether or not it acknowledges anything: either the data
//   is on its way through cmp_place, or the walker finds it lost, and that is the one retry of this loss.
// Credits: only grow. LSN is the largest MSN + credits - FREE_MSG seen (messages of ours that take no receive raise the
//   limit as they start: req_packet adds FREE_MSG). "No credits" in any answer ends it for good.
module cmp_next (
    input  logic [511:0]             cmp_i,
    input  logic [511:0]             req_i,
    input  logic                     is_ev_i,
    input  cairn_int_pkg::cmp_ev_t   ev_i,
    input  cairn_int_pkg::cmp_qp_t   qp_i,
    input  logic                     state_ok_i,  // the QP's state takes responses
    input  logic [23:0]              psn_i,
    input  logic [17:0]              opflags_i,
    input  logic [31:0]              aeth_i,
    input  logic [63:0]              time_now_i,
    output logic [255:0]             half_o,
    output logic                     write_o,
    output logic                     pass_o,      // READ response or ATOMIC_ACK for cmp_place
    output logic                     kick_sched_o,
    output logic                     kick_ret_o,
    output logic                     tmr_o,
    output logic                     tmr_wait_o,  // class
    output logic [63:0]              tmr_deadline_o,
    output cairn_int_pkg::cmp_said_t said_o
);
  // The table of AETH credits and RNR timers: 0 1 2 3 4 6 8 12 16 ... 32768; code 0 of the timer is 65536.
  function automatic logic [16:0] steps(input logic [4:0] code);
    begin
      if (code == 5'd1) steps = 17'd1;
      else if (code[0]) steps = 17'd3 << ((code - 5'd3) >> 1);
      else steps = 17'd1 << (code >> 1);
    end
  endfunction

  cairn_hw_pkg::qp_cmp_t  c, n;
  cairn_hw_pkg::qp_req_t  r;
  cairn_int_pkg::cmp_ev_t e;
  cairn_int_pkg::cmp_qp_t q;
  logic [511:0]           nv;
  assign c      = cmp_i;
  assign r      = req_i;
  assign e      = ev_i;
  assign q      = qp_i;
  assign nv     = n;
  assign half_o = nv[255:0];

  // ---- positions ----
  logic        rd_open;        // an incomplete READ stands at OLD_PSN
  logic [23:0] una, done, d_hi, d_una, d_old, d_done, d_gb, d_done_gb, d_hi_una, d_ev_gb, d_una_gb, d_x_gb;
  logic        ahead, pending, ign, dead, safe, fresh;
  assign rd_open    = c.rflags_rd_valid && !(c.rd_placed != '0 && c.rd_placed >= c.rd_len);
  assign una        = cairn_fn_pkg::psn_later(c.una_una_psn, c.old_psn);
  assign done       = c.old_psn + (rd_open ? cairn_fn_pkg::packets_before(c.rd_placed, q.pmtu) : 24'h0);
  assign d_hi       = psn_i - r.hi_psn;
  assign d_una      = psn_i - una;
  assign d_old      = psn_i - c.old_psn;
  assign d_done     = psn_i - done;
  assign d_gb       = psn_i - c.gb_gb_psn;
  assign d_done_gb  = done - c.gb_gb_psn;
  assign d_ev_gb    = e.psn - c.gb_gb_psn;
  assign d_hi_una   = r.hi_psn - una;
  assign ahead      = !d_hi[23];
  assign pending    = c.una_gb_epoch != r.psn_send_epoch;          // a go-back that the requester has not begun
  assign ign        = c.flags_implied && pending && !d_gb[23];
  // READ data beyond the last go-back is there. That may lie further back than differences of PSNs tell: then all that
  // is not acknowledged is beyond it.
  assign safe       = (!d_done_gb[23] && d_done_gb != '0) || d_una_gb[23];
  assign dead       = c.flags_err || c.rflags_flushing || !state_ok_i;

  // ---- AETH ----
  logic        is_data, is_ack, has_aeth, nak_known, credits;
  logic [1:0]  cls;
  logic [4:0]  code;
  logic [23:0] lsn, d_lsn;
  assign is_data   = opflags_i[cairn_pkt_pkg::OPF_READ] || opflags_i[cairn_pkt_pkg::OPF_ATOMIC];
  assign is_ack    = opflags_i[cairn_pkt_pkg::OPF_ACK];
  assign has_aeth  = is_ack || opflags_i[cairn_pkt_pkg::OPF_START] || opflags_i[cairn_pkt_pkg::OPF_END];
  assign cls       = aeth_i[30:29];
  assign code      = aeth_i[28:24];
  assign nak_known = code <= cairn_pkt_pkg::AETH_NAK_OP;
  assign lsn       = aeth_i[23:0] + ((code == '0) ? 24'h0 : 24'(steps(code))) - r.free_msg;
  assign d_lsn     = lsn - c.wait_lsn;

  // ---- progress since the last go-back; of a READ since the last one that was counted: a NAK for what is behind it is
  // not, and moves GB_PSN beyond it. UNA_PSN is never before GB_PSN, which a go-back makes equal: any difference is
  // progress, however long ago that was ----
  logic        front, spared;
  assign d_una_gb  = una - c.gb_gb_psn;
  assign d_x_gb    = psn_i - c.gb_gb_psn + {23'h0, is_ack && cls == cairn_pkt_pkg::AETH_CLASS_ACK};
  assign front     = d_una_gb != '0 || (!is_ev_i && !d_x_gb[23] && d_x_gb != '0);
  assign fresh     = rd_open ? safe || done[7:0] != c.gb_gb_done : front;
  assign spared    = !is_ev_i && rd_open && !d_done[23] && d_done != '0;

  assign credits   = !is_ev_i && !dead && !ahead && (is_data || is_ack) && has_aeth && !aeth_i[31]
                     && cls == cairn_pkt_pkg::AETH_CLASS_ACK && !c.flags_credits_off
                     && (code == 5'(cairn_pkt_pkg::AETH_NO_CREDIT) || (!d_lsn[23] && d_lsn != '0));

  // ---- time ----
  logic [63:0] period, start, deadline, rnr_ns;
  logic [39:0] now40, wait_left;
  assign period    = 64'd4096 << q.timeout;
  assign start     = (r.t_start > c.t_progress) ? r.t_start : c.t_progress;
  assign deadline  = start + period;
  assign rnr_ns    = 64'(steps(code)) * 64'd10000 + ((code == '0) ? 64'd655350000 : 64'h0);
  assign now40     = time_now_i[45:6];
  assign wait_left = c.wait_wait_until - now40;

  logic        goback, use_retry, fatal, arm;
  logic [23:0] gb;
  logic [2:0]  left, rnr_left;   // before this retry
  logic [63:0] rnr_end;
  assign rnr_end = time_now_i + rnr_ns + 64'd64;
  always_comb begin
    n                  = c;
    write_o            = 1'b0;
    pass_o             = 1'b0;
    kick_ret_o         = 1'b0;
    kick_sched_o       = 1'b0;
    tmr_wait_o         = 1'b0;
    tmr_o              = 1'b0;
    tmr_deadline_o     = time_now_i + period;
    said_o           = '0;
    goback             = 1'b0;
    use_retry          = 1'b0;
    fatal              = 1'b0;
    arm                = 1'b0;
    gb                 = rd_open ? done : una;
    left               = fresh ? q.retry_cnt : c.flags_retry_left;
    rnr_left           = fresh ? q.rnr_retry : c.flags_rnr_left;
    n.flags_retry_left = left;
    n.flags_rnr_left   = rnr_left;
    if (is_ev_i) begin
      if (!dead && e.kind == cairn_int_pkg::CEV_TIMER) begin
        if (c.flags_rnr_wait) begin
          if (wait_left[39] || wait_left == '0) begin
            n.flags_rnr_wait = 1'b0;
            write_o          = 1'b1;
            kick_sched_o     = 1'b1;
            // The walker's report of a lost READ was not listened to during the wait. An entry of the ack timer that
            // is as old as the wait is no timeout.
            kick_ret_o       = 1'b1;
            n.t_progress     = time_now_i;
            arm              = 1'b1;
          end else begin
            tmr_o          = 1'b1;
            tmr_wait_o     = 1'b1;
            tmr_deadline_o = time_now_i + {18'h0, wait_left, 6'h0};
          end
        end else if (q.timeout != '0) begin
          if (time_now_i < deadline || e.status[0]) begin
            tmr_o          = 1'b1;
            tmr_deadline_o = e.status[0] ? time_now_i + period : deadline;
          end else if (rd_open || (!d_hi_una[23] && d_hi_una != '0)) begin
            said_o.ack_timeout = 1'b1;
            use_retry            = 1'b1;
            n.flags_implied      = 1'b0;
          end
        end
      end
      if (!dead && e.kind == cairn_int_pkg::CEV_IMPLIED && !c.flags_rnr_wait) begin
        // Known already: the timer runs from the last progress, repeated events must not put it off.
        arm            = 1'b1;
        tmr_deadline_o = deadline;
        if (!(pending && !d_ev_gb[23]) && !(c.flags_implied && (d_ev_gb[23] || d_ev_gb == '0))) begin
          use_retry            = 1'b1;
          gb                   = e.psn;
          n.flags_implied      = 1'b1;
          tmr_deadline_o       = time_now_i + period;
          said_o.implied_nak = 1'b1;
        end
      end
      if (!dead && e.kind == cairn_int_pkg::CEV_FATAL) begin
        fatal              = 1'b1;
        n.flags_err_status = e.status;
        n.flags_err_vendor = e.vendor;
      end
    end else if (dead || ahead || (ign && !is_data) || (has_aeth && aeth_i[31]) || !(is_data || is_ack)) begin
      said_o.rx_ghost_ack = 1'b1;
    end else if (is_data) begin
      if (d_old[23] || (has_aeth && cls != cairn_pkt_pkg::AETH_CLASS_ACK)) begin
        said_o.rx_ghost_ack = 1'b1;
      end else begin
        pass_o     = 1'b1;
        write_o    = 1'b1;
        kick_ret_o = !c.rflags_rd_valid || (!d_una[23] && d_una != '0);
        if (!ign && !d_una[23]) n.una_una_psn = psn_i;
        if (!d_done[23] && (!c.flags_implied || safe)) begin
          n.t_progress    = time_now_i;
          n.flags_implied = 1'b0;
        end
      end
    end else begin
      case (cls)
        cairn_pkt_pkg::AETH_CLASS_ACK: begin
          if (d_una[23]) begin
            said_o.rx_ghost_ack = 1'b1;
          end else begin
            said_o.rx_ack = 1'b1;
            write_o         = 1'b1;
            kick_ret_o      = 1'b1;
            kick_sched_o    = 1'b1;
            n.una_una_psn   = psn_i + 24'h1;
            n.t_progress    = time_now_i;
            n.flags_implied = c.flags_implied && !safe;
          end
        end
        cairn_pkt_pkg::AETH_CLASS_RNR: begin
          if (d_una[23] || ((pending || c.flags_rnr_wait) && d_gb == '0)) begin
            said_o.rx_ghost_ack = 1'b1;
          end else begin
            said_o.rnr_nak_rcvd = 1'b1;
            n.una_una_psn         = psn_i;
            if (rnr_left == '0 && q.rnr_retry != 3'd7 && !spared) begin
              said_o.rnr_exc   = 1'b1;
              fatal              = 1'b1;
              n.flags_err_status = cairn_hw_pkg::WC_STATUS_RNR_RETRY_EXC_ERR;
              n.flags_err_vendor = cairn_hw_pkg::VENDOR_ERR_RNR;
            end else begin
              n.flags_rnr_left   = (q.rnr_retry == 3'd7) ? 3'd7 : rnr_left - {2'h0, !spared};
              if (!spared) n.gb_gb_done = done[7:0];
              n.flags_rnr_wait   = 1'b1;
              n.wait_wait_until  = rnr_end[45:6];
              goback             = 1'b1;
              n.flags_implied    = 1'b0;
              gb                 = psn_i;
              tmr_o              = 1'b1;
              tmr_wait_o         = 1'b1;
              tmr_deadline_o     = rnr_end;
              kick_ret_o         = 1'b1;
            end
          end
        end
        cairn_pkt_pkg::AETH_CLASS_NAK: begin
          if (d_una[23] || !nak_known || (code == cairn_pkt_pkg::AETH_NAK_SEQ && pending && d_gb == '0)) begin
            said_o.rx_ghost_ack = 1'b1;
          end else begin
            n.una_una_psn = psn_i;
            kick_ret_o    = 1'b1;
            case (code)
              cairn_pkt_pkg::AETH_NAK_SEQ: begin
                said_o.packet_seq_err = 1'b1;
                n.flags_implied         = 1'b0;
                use_retry               = 1'b1;
                gb                      = psn_i;
              end
              cairn_pkt_pkg::AETH_NAK_INV_REQ: begin
                said_o.req_rem_inv = 1'b1;
                n.flags_err_status   = cairn_hw_pkg::WC_STATUS_REM_INV_REQ_ERR;
                n.flags_err_vendor   = cairn_hw_pkg::VENDOR_ERR_NAK_INV;
                fatal                = 1'b1;
              end
              cairn_pkt_pkg::AETH_NAK_ACCESS: begin
                said_o.req_rem_access = 1'b1;
                n.flags_err_status      = cairn_hw_pkg::WC_STATUS_REM_ACCESS_ERR;
                n.flags_err_vendor      = cairn_hw_pkg::VENDOR_ERR_NAK_ACCESS;
                fatal                   = 1'b1;
              end
              default: begin
                said_o.req_rem_op = 1'b1;
                n.flags_err_status  = cairn_hw_pkg::WC_STATUS_REM_OP_ERR;
                n.flags_err_vendor  = cairn_hw_pkg::VENDOR_ERR_NAK_OP;
                fatal               = 1'b1;
              end
            endcase
          end
        end
        default: said_o.rx_ghost_ack = 1'b1;
      endcase
    end

    // Credits: any answer to what was sent may bring some, also an old one.
    if (credits) begin
      write_o      = 1'b1;
      kick_sched_o = 1'b1;
      if (code == 5'(cairn_pkt_pkg::AETH_NO_CREDIT)) n.flags_credits_off = 1'b1;
      else n.wait_lsn = lsn;
    end

    if (use_retry) begin
      if (left == '0 && !spared) begin
        said_o.retry_exc = 1'b1;
        fatal              = 1'b1;
        n.flags_err_status = cairn_hw_pkg::WC_STATUS_RETRY_EXC_ERR;
        n.flags_err_vendor = (is_ev_i && e.kind == cairn_int_pkg::CEV_TIMER) ? cairn_hw_pkg::VENDOR_ERR_TIMEOUT
            : cairn_hw_pkg::VENDOR_ERR_NAK_SEQ;
      end else begin
        n.flags_retry_left = left - {2'h0, !spared};
        if (!spared) n.gb_gb_done = done[7:0];
        goback             = 1'b1;
        arm                = 1'b1;
      end
    end
    if (goback) begin
      n.una_una_psn  = gb;
      n.gb_gb_psn    = gb;
      n.flags_doubt  = is_ev_i;      // a NAK says that nothing behind it was executed
      n.una_gb_epoch = c.una_gb_epoch + 8'h1;
      kick_sched_o   = 1'b1;
      write_o        = 1'b1;
    end
    if (fatal) begin
      n.flags_err    = 1'b1;
      n.una_gb_epoch = c.una_gb_epoch + 8'h1;   // what is in the ring must not go out: its memory is given back
      kick_ret_o     = 1'b1;
      write_o        = 1'b1;
    end
    if (arm && q.timeout != '0 && !fatal) tmr_o = 1'b1;
  end
endmodule
