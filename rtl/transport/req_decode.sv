// SPDX-License-Identifier: Apache-2.0
// What a send WQE asks for, from its first block. Combinational. Used by req_build; the rules are those of
// docs/architecture.md 5 and hw.def's STRUCT(wqe).
// npsn_o: PSNs the whole message takes (a READ its responses', a NOP none). bad_o with status and vendor code: the WQE
// cannot be executed. The sum of the elements is checked here for up to two of them; req_build adds up longer lists.
module req_decode (
    input  logic [511:0] wqe_i,
    input  logic [2:0]   pmtu_i,       // 1 to 5: 256 to 4096
    input  logic [2:0]   type_i,       // enum qp_type
    input  logic [31:0]  features_i,   // REG FEATURES
    output logic [7:0]   op_o,
    output logic         is_send_o,
    output logic         is_read_o,
    output logic         is_imm_o,
    output logic         is_nop_o,
    output logic         is_rwr_o,     // consumes a receive WQE at the peer
    output logic         inline_o,
    output logic [4:0]   nsge_o,
    output logic [31:0]  len_o,
    output logic [23:0]  npsn_o,
    output logic         bad_o,
    output logic [7:0]   bad_status_o,
    output logic [7:0]   bad_vendor_o
);
  cairn_hw_pkg::wqe_t w;
  logic        is_write, known, type_ok;
  logic [31:0] npsn32, sum2;
  logic [2:0]  want_blocks;
  logic [32:0] round_up;

  assign w         = wqe_i;
  assign op_o      = w.ctrl_opcode;
  assign is_send_o = op_o == cairn_hw_pkg::WQE_OP_SEND || op_o == cairn_hw_pkg::WQE_OP_SEND_IMM;
  assign is_write  = op_o == cairn_hw_pkg::WQE_OP_WRITE || op_o == cairn_hw_pkg::WQE_OP_WRITE_IMM;
  assign is_imm_o  = op_o == cairn_hw_pkg::WQE_OP_SEND_IMM || op_o == cairn_hw_pkg::WQE_OP_WRITE_IMM;
  assign is_read_o = op_o == cairn_hw_pkg::WQE_OP_READ;
  assign is_nop_o  = op_o == cairn_hw_pkg::WQE_OP_NOP;
  assign is_rwr_o  = is_send_o || op_o == cairn_hw_pkg::WQE_OP_WRITE_IMM;
  assign known     = is_send_o || is_write || is_read_o || is_nop_o;
  assign type_ok   = type_i == cairn_hw_pkg::QP_TYPE_RC && features_i[cairn_hw_pkg::REG_FEATURES_RC_LSB];
  assign inline_o  = w.ctrl_inline;
  assign nsge_o    = w.ctrl_num_sge;
  assign len_o     = w.length;
  assign round_up  = {1'b0, len_o} + {1'b0, (32'h80 << pmtu_i) - 32'h1};
  assign npsn32    = 32'(round_up >> (4'd7 + {1'b0, pmtu_i}));
  assign npsn_o    = is_nop_o ? 24'h0 : (len_o == '0) ? 24'h1 : npsn32[23:0];
  assign sum2      = (nsge_o != '0 ? w.sge0_length : '0) + (nsge_o > 5'd1 ? w.sge1_length : '0);
  always_comb begin
    want_blocks = 3'd1;
    if (inline_o) begin
      if (len_o > 32'd32) want_blocks = 3'd1 + 3'((len_o[7:0] + 8'd31) >> 6);
    end else if (nsge_o > 5'd2) begin
      want_blocks = 3'd1 + 3'((nsge_o + 5'd1) >> 2);
    end
  end

  always_comb begin
    bad_o        = 1'b0;
    bad_status_o = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
    bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_OPCODE;
    if (!known || !type_ok || (is_read_o && inline_o)) begin
      bad_o = 1'b1;
    end else if (!inline_o && nsge_o > 5'(cairn_hw_pkg::MAX_SGE)) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_SGE;
    end else if (len_o > cairn_hw_pkg::MAX_MSG_BYTES || (inline_o && len_o > cairn_hw_pkg::MAX_INLINE)
                 || (!inline_o && nsge_o <= 5'd2 && !is_nop_o && sum2 != len_o)) begin
      bad_o        = 1'b1;
      bad_status_o = cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
    end else if (w.ctrl_blocks != {1'b0, want_blocks}) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_SGE;
    end
  end
endmodule
