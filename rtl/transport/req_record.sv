// SPDX-License-Identifier: Apache-2.0
// Forms the record that req_build hands to req_issue for each packet (kind PKT; ADV for a NOP) and for the end of a
// visit (end_i: END, or ERR with status and vendor code): req_rec_t of cairn_int_pkg. Combinational.
// It holds the transmit job with its address vector, the walk's state after the packet, and the message's descriptor.
// At the end of a visit the state is the walk's position itself, valid if the walk of a go-back is over (walk_i low).
// Errors: none of its own.
module req_record (
    input  logic [511:0] cfg_i,         // qp_cfg_t
    input  logic [23:0]  qpn_i,
    input  logic [7:0]   gen_i,
    input  logic [cairn_int_pkg::SLOT_W-1:0] slot_i,
    input  logic [7:0]   epoch_i,       // go-back epoch of the visit
    // the WQE, and as decoded
    input  logic [511:0] wqe_i,         // wqe_t
    input  logic [7:0]   op_i,
    input  logic         is_read_i,
    input  logic         is_nop_i,
    input  logic         is_rwr_i,
    input  logic         inline_i,
    input  logic [31:0]  len_i,
    // the position
    input  logic [15:0]  index_i,
    input  logic [15:0]  next_index_i,  // of the WQE after this one
    input  logic [23:0]  psn_i,
    input  logic [23:0]  msg_psn_i,
    input  logic [31:0]  offset_i,
    input  logic [23:0]  ssn_i,
    input  logic [5:0]   since_i,
    input  logic [7:0]   rd_issued_i,
    // the packet, of req_packet
    input  logic [7:0]   opcode_i,
    input  logic         first_i,
    input  logic         last_i,
    input  logic         is_new_i,
    input  logic         ackreq_i,
    input  logic [12:0]  pay_len_i,
    input  logic [31:0]  dma_len_i,
    input  logic [23:0]  span_i,
    input  logic [31:0]  next_offset_i,
    input  logic [5:0]   nmr_i,         // pieces before this cycle's
    input  logic         piece_i,
    // end of the visit
    input  logic         end_i,
    input  logic         err_i,
    input  logic         more_i,
    input  logic         walk_i,
    input  logic [7:0]   status_i,
    input  logic [7:0]   vendor_i,
    output logic [cairn_int_pkg::REQ_REC_W-1:0] rec_o
);
  localparam int unsigned FIRST_INLINE = 32;   // inline bytes in the WQE's first block

  cairn_hw_pkg::qp_cfg_t   cfg;
  cairn_hw_pkg::wqe_t      wqe;
  cairn_int_pkg::req_rec_t rec;
  cairn_int_pkg::tx_job_t  job;
  cairn_int_pkg::av_t      av;
  logic                    one_inline;
  assign cfg        = cfg_i;
  assign wqe        = wqe_i;
  assign one_inline = len_i <= FIRST_INLINE;

  always_comb begin
    av            = '0;
    av.dmac       = cfg.dmac_sport_dmac;
    for (int unsigned i = 0; i < 16; i++) av.dgid[127 - 8*i -: 8] = cfg.dgid[8*i +: 8];
    av.ipv6       = cfg.flow_tclass_ipv6;
    av.sgid_index = cfg.pd_sgid_sgid_index;
    av.sport      = cfg.dmac_sport_sport;
    av.tclass     = cfg.flow_tclass_tclass;
    av.hop        = cfg.rqpn_hop_hop_limit;
    av.flow       = cfg.flow_tclass_flow;
    av.vlan       = cfg.flow_tclass_vlan;
    av.tci        = cfg.pkey_vlan_tci;
    av.pkey       = cfg.pkey_vlan_pkey;
    av.dest_qp    = cfg.rqpn_hop_rqpn;
  end

  always_comb begin
    job            = '0;
    job.kind       = cairn_int_pkg::TXK_REQ;
    job.qpn        = qpn_i;
    job.slot       = slot_i;
    job.gen        = gen_i;
    job.send_epoch = epoch_i;
    job.opcode     = opcode_i;
    job.psn        = psn_i;
    job.ackreq     = ackreq_i;
    job.se         = wqe.ctrl_solicited && last_i && is_rwr_i;
    job.retx       = !is_new_i;
    job.pay_len    = pay_len_i;
    job.va         = wqe.raddr + (is_read_i ? {32'h0, offset_i} : 64'h0);
    job.key        = wqe.rkey;
    job.len        = is_read_i ? dma_len_i : len_i;
    // Host bytes 0..3 of the immediate are wire bytes 0..3; the job wants the first wire byte on top.
    job.imm        = {wqe.imm[7:0], wqe.imm[15:8], wqe.imm[23:16], wqe.imm[31:24]};
    job.av         = av;
  end

  always_comb begin
    rec               = '0;
    rec.job           = job;
    rec.kind          = cairn_int_pkg::RQK_PKT;
    rec.nmr           = nmr_i + {5'h0, piece_i};
    rec.ninl          = (!inline_i || len_i == '0) ? 2'd0 : one_inline ? 2'd1 : 2'd2;
    rec.inl_len0      = one_inline ? len_i[7:0] : 8'(FIRST_INLINE);
    rec.inl_len1      = one_inline ? 8'd0 : len_i[7:0] - 8'(FIRST_INLINE);
    rec.fenced        = wqe.ctrl_fence;
    rec.next_index    = last_i ? next_index_i : index_i;
    rec.next_psn      = psn_i + span_i;
    rec.msg_offset    = next_offset_i;
    rec.in_msg        = !last_i;
    rec.ssn           = ssn_i + {23'h0, first_i && is_new_i};
    rec.since_ackreq  = ackreq_i ? '0 : since_i + 1'b1;
    rec.rd_issued     = rd_issued_i + {7'h0, is_read_i};
    rec.msg_psn       = first_i ? psn_i : msg_psn_i;
    rec.send_epoch    = epoch_i;
    rec.desc_valid    = last_i;
    rec.desc_index    = index_i;
    rec.desc_blocks   = wqe.ctrl_blocks[2:0];
    rec.desc_op       = op_i;
    rec.desc_signaled = wqe.ctrl_signaled;
    rec.desc_len      = len_i;
    if (is_nop_i) begin
      rec.kind         = cairn_int_pkg::RQK_ADV;
      rec.next_psn     = psn_i;
      rec.ssn          = ssn_i;
      rec.since_ackreq = since_i;
      rec.msg_psn      = psn_i;
    end
    if (end_i) begin
      rec.kind         = err_i ? cairn_int_pkg::RQK_ERR : cairn_int_pkg::RQK_END;
      rec.more         = more_i;
      rec.status       = status_i;
      rec.vendor       = vendor_i;
      rec.commit       = !walk_i;
      rec.nmr          = nmr_i;
      rec.ninl         = '0;
      rec.next_index   = index_i;
      rec.next_psn     = psn_i;
      rec.msg_offset   = offset_i;
      rec.in_msg       = offset_i != '0;
      rec.ssn          = ssn_i;
      rec.since_ackreq = since_i;
      rec.rd_issued    = rd_issued_i;
      rec.msg_psn      = (offset_i == '0) ? psn_i : msg_psn_i;   // of the WQE at next_index
      rec.desc_valid   = 1'b0;
    end
  end
  assign rec_o = rec;
endmodule
