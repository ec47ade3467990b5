// SPDX-License-Identifier: Apache-2.0
// The CQE of a completion. Combinational, inside cqe_write and cq_resident. Errors: none.
module cqe_form (
    input  cairn_int_pkg::cqe_req_t r_i,
    input  logic [63:0]             time_i,
    input  logic [14:0]             index_i,    // of its entry, low bits
    input  logic                    phase_i,
    output cairn_hw_pkg::cqe_t      cqe_o
);
  cairn_hw_pkg::cqe_t e;
  always_comb begin
    e                    = '0;
    e.qpn_op_qpn         = r_i.qpn;
    e.qpn_op_opcode      = r_i.opcode;
    e.byte_len           = r_i.byte_len;
    e.imm                = r_i.imm;
    e.wqe_index          = r_i.wqe_index;
    {e.wqe_srq, e.wqe_inv, e.wqe_imm}         = {r_i.flags.srq, r_i.flags.inv, r_i.flags.imm};
    {e.wqe_is_sq, e.wqe_solicited, e.wqe_grh} = {r_i.flags.is_sq, r_i.flags.solicited, r_i.flags.grh};
    e.timestamp          = time_i;
    e.src_src_qp         = r_i.src_qp;
    e.src_vendor_err     = r_i.vendor;
    e.status             = r_i.status;
    {e.status_ipv6, e.status_tagged, e.status_prio} = r_i.net;
    e.status_cq_index_lo = index_i;
    e.status_phase       = phase_i;
  end
  assign cqe_o = e;
endmodule
