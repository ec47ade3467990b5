// SPDX-License-Identifier: Apache-2.0
// The completion of a receive, for rsp_commit. Combinational.
//
// Of a message that ended well, of one that failed (bad_i: the packet's own status), or of a receive that is flushed.
// Fields as in struct cqe; statuses and opcodes as IBTA 11.4.2.1. Errors: none.
module rsp_cqe (
    input  cairn_int_pkg::rsp_rec_t rec_i,
    input  logic                    flush_i,  // not about rec_i
    input  logic                    bad_i,
    input  logic [23:0]             cqn_i,
    input  logic [23:0]             qpn_i,
    input  logic [15:0]             index_i,
    input  logic [7:0]              status_i,
    input  logic [31:0]             len_i,    // of a SEND, as far as its last packet
    input  logic                    srq_i,    // the index is a slot of the SRQ
    output cairn_int_pkg::cqe_req_t cqe_o
);
  cairn_int_pkg::rsp_rec_t r;
  cairn_int_pkg::cqe_req_t q;
  logic is_write;
  assign r        = rec_i;
  assign cqe_o    = q;
  assign is_write = r.kind == cairn_int_pkg::RSK_WRITE;
  always_comb begin
    q           = '0;
    q.cqn       = cqn_i;
    q.qpn       = qpn_i;
    q.wqe_index = index_i;
    q.status    = status_i;
    q.flags.srq = srq_i;
    if (flush_i || bad_i) begin
      q.opcode    = cairn_hw_pkg::CQE_OP_RECV;
      q.vendor    = bad_i ? r.verdict.vendor : cairn_hw_pkg::VENDOR_ERR_FLUSH;
      q.event_sol = 1'b1;
    end else begin
      q.opcode    = is_write ? cairn_hw_pkg::CQE_OP_RECV_WRITE_IMM : r.has_imm ? cairn_hw_pkg::CQE_OP_RECV_IMM
                    : r.inv.valid ? cairn_hw_pkg::CQE_OP_RECV_INV : cairn_hw_pkg::CQE_OP_RECV;
      q.byte_len  = is_write ? r.place.wlen : len_i + (r.ud.valid ? 32'd40 : '0);
      q.src_qp    = r.ud.src_qp;
      q.net       = r.ud.valid ? {r.ud.ipv6, r.ud.has_tag, r.ud.prio} : '0;
      // In memory as on the wire: byte 0 of the CQE word is the first wire byte, which the parser has on top.
      q.imm       = r.has_imm ? {r.imm[7:0], r.imm[15:8], r.imm[23:16], r.imm[31:24]} : r.inv.valid ? r.place.key : '0;
      q.flags.inv = r.inv.valid;
      q.flags.imm = r.has_imm;
      q.flags.grh = r.ud.valid;
      q.flags.solicited = r.se;
      q.event_sol = r.se;
    end
  end
endmodule
