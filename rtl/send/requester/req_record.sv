// SPDX-License-Identifier: Apache-2.0
// Forms the record (req_rec) that req_build hands to req_issue for each packet, and for the end of a visit.
// Combinational.
//
// Kind PKT; ADV for a WQE without packets; LOC for a local operation not executed yet; END, or ERR with status and
// vendor code. It holds the transmit job with its address vector, the walk's state after the packet, and the message's
// descriptor. The address vector is the QP's; a datagram has its own: path from the WQE, VLAN from the GID table, P_Key
// and, if the WQE asks for it, Q_Key from the QP. At the end of a visit the state is the walk's position itself, valid
// if the walk of a go-back is over.
// Errors: none of its own.
module req_record (
    input  logic [511:0]                     cfg_i,         // qp_cfg_t
    input  logic [23:0]                      qpn_i,
    input  logic [7:0]                       gen_i,
    input  logic [cairn_int_pkg::SLOT_W-1:0] slot_i,
    input  logic [7:0]                       epoch_i,       // go-back epoch of the visit
    // the WQE, and as decoded
    input  logic [511:0]                     wqe_i,         // wqe_t
    input  cairn_int_pkg::req_op_t           op_i,          // req_op_t
    input  logic                             execute_i,     // a local operation is to be executed
    input  logic                             gid_vlan_i,    // entry sgid_index of the GID table: tagged, with VLAN
    input  logic [11:0]                      gid_vid_i,
    // the position
    input  logic [15:0]                      index_i,
    input  logic [15:0]                      next_index_i,  // of the WQE after this one
    input  logic [23:0]                      psn_i,
    input  logic [23:0]                      msg_psn_i,
    input  logic [31:0]                      offset_i,
    input  logic [23:0]                      ssn_i,
    input  logic [23:0]                      free_i,
    input  logic [5:0]                       since_i,
    input  logic [7:0]                       rd_issued_i,
    // the packet, of req_packet
    input  logic [7:0]                       opcode_i,
    input  logic                             first_i,
    input  logic                             last_i,
    input  logic                             is_new_i,
    input  logic                             ackreq_i,
    input  logic [12:0]                      pay_len_i,
    input  logic [31:0]                      dma_len_i,
    input  logic [23:0]                      span_i,
    input  logic [31:0]                      next_offset_i,
    input  logic [5:0]                       nmr_i,         // pieces before this cycle's
    input  logic                             piece_i,
    // end of the visit: with this packet, or by a record of its own
    input  logic                             over_i,
    input  logic                             more_i,
    input  logic                             end_i,
    input  logic                             err_i,
    input  logic                             walk_i,
    input  logic [23:0]                      err_psn_i,     // of an error: once this is acknowledged, it is none
    input  logic [7:0]                       status_i,
    input  logic [7:0]                       vendor_i,
    output cairn_int_pkg::req_rec_t          rec_o
);
  localparam int unsigned FIRST_INLINE = 32;   // inline bytes in the WQE's first block

  cairn_hw_pkg::qp_cfg_t   cfg;
  cairn_hw_pkg::wqe_t      wqe;
  cairn_hw_pkg::wqe_ud_t   ud;
  cairn_hw_pkg::wqe_atomic_t at;
  cairn_hw_pkg::wqe_local_t  loc;
  cairn_int_pkg::req_op_t  op;
  cairn_int_pkg::req_rec_t rec;
  cairn_int_pkg::tx_job_t  job;
  cairn_int_pkg::local_op_t lop;
  cairn_int_pkg::av_t      own_av, av;
  logic                    one_inline, sends, counts;   // sends: it is a packet
  assign cfg        = cfg_i;
  assign wqe        = wqe_i;
  assign ud         = wqe_i;
  assign at         = wqe_i;
  assign loc        = wqe_i;
  assign op         = op_i;
  assign sends      = !end_i && !op.nop && !op.local_op;
  // each READ request is a message for the peer (IBTA 9.7.7.2: it counts in the MSN)
  assign counts     = sends && is_new_i && (first_i || op.read);
  assign one_inline = op.ud || op.len <= FIRST_INLINE;

  av_of_cfg u_av (.cfg_i(cfg), .av_o(own_av));
  always_comb begin
    av = own_av;
    if (op.ud) begin
      av.dmac       = ud.dmac_sport_dmac;
      av.dgid       = cairn_fn_pkg::wire_gid(ud.dgid);
      av.ipv6       = ud.dgid[95:0] != {16'hffff, 80'h0};
      av.sgid_index = ud.dqpn_sgid_sgid_index;
      av.sport      = ud.dmac_sport_sport;
      av.tclass     = ud.flow_tclass_tclass;
      av.hop        = ud.hop_sl_hop_limit;
      av.flow       = ud.flow_tclass_flow;
      av.vlan       = gid_vlan_i;
      av.tci        = {ud.hop_sl_sl[2:0], 1'b0, gid_vid_i};
      av.dest_qp    = ud.dqpn_sgid_dqpn;
    end
  end

  always_comb begin
    lop           = '0;
    lop.addr      = loc.addr;
    lop.key       = loc.key;
    lop.page_log2 = loc.access[31:24];
    lop.access    = loc.access[7:0];
    lop.mr_key    = loc.mr_key;
    lop.pd        = cfg.pd_sgid_pd;
    lop.length    = loc.length;
    lop.page_list = loc.page_list;
  end

  always_comb begin
    job               = '0;
    job.kind          = cairn_int_pkg::TXK_REQ;
    job.qpn           = qpn_i;
    job.slot          = slot_i;
    job.gen           = gen_i;
    job.send_epoch    = epoch_i;
    job.opcode        = opcode_i;
    job.psn           = psn_i;
    job.ackreq        = ackreq_i;
    job.se            = wqe.ctrl_solicited && last_i && op.rwr;
    job.retx          = !is_new_i;
    job.pay_len       = pay_len_i;
    job.args.va       = wqe.raddr + (op.read ? {32'h0, offset_i} : 64'h0);
    job.args.key      = op.inv ? wqe.imm : wqe.rkey;
    job.args.len      = op.read ? dma_len_i : op.len;
    job.args.swap_add = op.atomic ? at.swap_add : '0;
    job.args.compare  = op.compare ? at.compare : '0;
    job.qkey          = ud.qkey[31] ? cfg.qkey : ud.qkey;
    // Host bytes 0..3 of the immediate are wire bytes 0..3; the job wants the first wire byte on top.
    job.args.imm = {wqe.imm[7:0], wqe.imm[15:8], wqe.imm[23:16], wqe.imm[31:24]};
    job.av       = av;
    if (op.local_op) job.args = lop;
  end

  always_comb begin
    rec                   = '0;
    rec.job               = job;
    rec.kind              = cairn_int_pkg::RQK_PKT;
    rec.ending.over       = over_i;
    rec.ending.more       = more_i;
    rec.data.nmr          = nmr_i + {5'h0, piece_i};
    rec.data.ninl         = (!op.inl || op.len == '0) ? 2'd0 : one_inline ? 2'd1 : 2'd2;
    rec.data.inl_len0     = one_inline ? op.len[7:0] : 8'(FIRST_INLINE);
    rec.data.inl_len1     = one_inline ? 8'd0 : op.len[7:0] - 8'(FIRST_INLINE);
    rec.data.fenced       = wqe.ctrl_fence;
    rec.next.index        = last_i ? next_index_i : index_i;
    rec.next.psn          = ((end_i && err_i) ? err_psn_i : psn_i) + (sends ? span_i : 24'h0);
    rec.next.msg_offset   = next_offset_i;
    rec.next.in_msg       = !last_i;
    rec.next.ssn          = ssn_i + {23'h0, counts};
    rec.next.free_msg     = free_i + {23'h0, counts && !op.rwr};
    rec.next.since_ackreq = (sends && ackreq_i) ? '0 : since_i + {5'h0, sends};
    rec.next.rd_issued    = rd_issued_i + {7'h0, sends && op.res};
    rec.next.msg_psn      = (first_i || op.nop || op.local_op) ? psn_i : msg_psn_i;
    rec.next.send_epoch   = epoch_i;
    rec.desc.valid        = last_i;
    rec.desc.index        = index_i;
    rec.desc.blocks       = wqe.ctrl_blocks[2:0];
    rec.desc.op           = op.op;
    rec.desc.signaled     = wqe.ctrl_signaled;
    rec.desc.len          = op.len;
    rec.desc.one          = op.res && !op.inl && (op.atomic || op.nsge == 5'd1);
    rec.desc.sge          = op.atomic ? wqe_i[511:384] : wqe_i[383:256];
    if (op.nop || op.local_op) begin
      rec.kind              = execute_i ? cairn_int_pkg::RQK_LOC : cairn_int_pkg::RQK_ADV;
      rec.data.ninl         = '0;
    end
    if (end_i) begin
      rec.kind              = err_i ? cairn_int_pkg::RQK_ERR : cairn_int_pkg::RQK_END;
      rec.ending.status     = status_i;
      rec.ending.vendor     = vendor_i;
      rec.ending.commit     = !walk_i;
      rec.data.nmr          = nmr_i;
      rec.data.ninl         = '0;
      rec.next.index        = index_i;
      rec.next.msg_offset   = offset_i;
      rec.next.in_msg       = offset_i != '0;
      rec.next.msg_psn      = (offset_i == '0) ? psn_i : msg_psn_i;   // of the WQE at next.index
      rec.desc.valid        = 1'b0;
    end
  end
  assign rec_o = rec;
endmodule
