// SPDX-License-Identifier: Apache-2.0
// What the package says of a send queue operation, for test_ops.c: members of wqe_info() in the order of
// the bits of the C table's masks, and bth_opcode().
module hw_ops (
    input  logic [7:0]  op_i,
    input  logic [2:0]  transport_i,
    input  logic        first_i,
    input  logic        last_i,
    output logic        valid_o,
    output logic [3:0]  types_o,
    output logic [5:0]  kinds_o,    // bit n: is of kind n
    output logic [7:0]  marks_o,
    output logic [31:0] needs_o,
    output logic [7:0]  cqe_op_o,
    output logic [7:0]  opcode_o
);
  cairn_hw_pkg::wqe_info_t i;
  assign i        = cairn_hw_pkg::wqe_info(op_i);
  assign valid_o  = i.valid;
  assign types_o  = {i.gsi, i.ud, i.uc, i.rc};
  assign kinds_o  = {i.nop, i.local_, i.atomic, i.read, i.write, i.send};
  assign marks_o  = {1'b0, i.compare, i.inv, i.imm, i.rwr, i.res, i.push, i.inline};
  assign needs_o  = i.needs;
  assign cqe_op_o = i.cqe_op;
  assign opcode_o = cairn_hw_pkg::bth_opcode(op_i, transport_i, first_i, last_i);
endmodule
