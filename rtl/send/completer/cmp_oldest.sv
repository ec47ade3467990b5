// SPDX-License-Identifier: Apache-2.0
// The WQE at OLD_INDEX, for cmp_retire: what it is, and how far it is done with.
//
// From the descriptor of req_issue, or from the WQE itself. get_i: judge; desc_i is of OLD_INDEX. If that is not it
// (have = 0), the WQE is handed in (found_i) and its span worked out (span_i), and the next get_i judges that. again_i:
// the next get_i is of another WQE.
// A READ or atomic is done when RD_AHEAD covers it, another RC message when its last PSN is acknowledged, others when
// they were sent or executed.
// Errors: none; a WQE that cannot be read is known (have) and not ok.
module cmp_oldest (
    input  logic                       clk_i,
    input  logic                       get_i,
    input  logic                       found_i,
    input  logic                       span_i,
    input  logic                       again_i,
    input  logic [23:0]                qpn_i,
    input  logic [2:0]                 pmtu_i,
    input  logic                       ud_i,     // UD or GSI
    input  logic [511:0]               cmp_i,    // qp_cmp_t
    input  logic [23:0]                hi_psn_i,
    input  logic [23:0]                acked_i,
    input  cairn_int_pkg::walk_facts_t facts_i,
    input  cairn_int_pkg::sq_desc_t    desc_i,
    input  cairn_int_pkg::wqe_found_t  wqe_i,
    output cairn_int_pkg::walk_wqe_t   wqe_o
);
  cairn_hw_pkg::qp_cmp_t c;
  logic [15:0]           idx;
  logic [23:0]           psn;
  assign c   = cmp_i;
  assign idx = c.oldest_old_index;
  assign psn = c.old_psn;

  // ---- the WQE itself ----
  cairn_hw_pkg::wqe_t      wqe;
  cairn_hw_pkg::wqe_info_t info, own_info, desc_info;
  logic        own_q, own_bad_q, own_sig_q, own_none_q, none;
  logic [2:0]  own_blocks_q;
  logic [7:0]  own_op_q;
  logic [31:0] own_len_q;
  logic [23:0] own_next_q;
  assign wqe  = wqe_i.wqe;
  assign info = cairn_hw_pkg::wqe_info(wqe.ctrl_opcode);
  // What has no packet has no PSN, nor has a datagram that is longer than any packet.
  assign none = !info.valid || info.local_ || info.nop || (ud_i && !cairn_fn_pkg::pmtu_fits(wqe.length, pmtu_i));
  always_ff @(posedge clk_i) begin
    if (again_i) own_q <= 1'b0;
    else if (span_i) own_q <= 1'b1;
    if (found_i) begin
      own_bad_q    <= !wqe_i.hit || wqe_i.err || wqe.ctrl_blocks == '0
                      || wqe.ctrl_blocks > 4'(cairn_hw_pkg::MAX_WQE_BLOCKS);
      own_blocks_q <= wqe.ctrl_blocks[2:0];
      own_op_q     <= wqe.ctrl_opcode;
      own_sig_q    <= wqe.ctrl_signaled;
      own_len_q    <= wqe.length;
      own_none_q   <= none;
    end
    if (span_i) own_next_q <= own_none_q ? psn : psn + (ud_i ? 24'h1 : cairn_fn_pkg::packets(own_len_q, pmtu_i));
  end

  // ---- judge ----
  logic        hit, ok, res, is_none, full, acked;
  logic [23:0] next_psn, d_from, d_end, d_hi, left;
  assign own_info  = cairn_hw_pkg::wqe_info(own_op_q);
  assign desc_info = cairn_hw_pkg::wqe_info(desc_i.op);
  assign hit       = desc_i.valid && desc_i.qpn == qpn_i && desc_i.gen == c.tag_gen && desc_i.index == idx
                     && desc_i.first_psn == psn && facts_i.executed;
  assign ok        = !own_q || !own_bad_q;
  assign res       = own_q ? own_info.res : desc_info.res;
  assign is_none   = own_q ? own_none_q : desc_i.next_psn == desc_i.first_psn;
  assign next_psn  = own_q ? own_next_q : desc_i.next_psn;
  // What is acknowledged before OLD_PSN says nothing of it.
  assign d_from    = acked_i - psn;
  assign d_end     = acked_i - next_psn;
  assign d_hi      = hi_psn_i - next_psn;
  assign left      = psn + c.rd_ahead - next_psn;
  assign acked     = !(&d_from[23:16]) && !d_end[23];
  assign full      = c.rd_ahead != '0 && !left[23];
  always_ff @(posedge clk_i) begin
    if (get_i) begin
      wqe_o.have       <= own_q || hit;
      wqe_o.ok         <= ok;
      wqe_o.can        <= ok && (res ? full : is_none ? facts_i.executed : acked && facts_i.issued);
      // Unreadable, or of more packets than were sent.
      wqe_o.gone       <= (own_q && own_bad_q) ? facts_i.executed : ok && facts_i.passed && d_hi[23];
      wqe_o.acked      <= acked;
      wqe_o.res        <= res;
      wqe_o.none       <= is_none;
      wqe_o.signaled   <= own_q ? own_sig_q : desc_i.signaled;
      wqe_o.op         <= own_q ? own_op_q : desc_i.op;
      wqe_o.len        <= own_q ? own_len_q : desc_i.len;
      wqe_o.next_psn   <= next_psn;
      wqe_o.psns       <= next_psn - psn;
      wqe_o.ahead      <= full ? left : '0;
      wqe_o.next_index <= idx + {13'h0, own_q ? own_blocks_q : desc_i.blocks};
    end
  end
endmodule
