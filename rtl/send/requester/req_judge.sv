// SPDX-License-Identifier: Apache-2.0
// Whether a send WQE can be executed, from its first block and what it asks for (req_decode). Combinational; used by
// req_build in the cycle in which its first packet is formed.
//
// The sum of the elements is checked here for up to two in the first block; list_o: req_build must add them up.
// Errors: bad_o with status and vendor code: it cannot. Operation, transport and build; elements; length; blocks;
//   READs where none may be outstanding; a datagram's source GID.
module req_judge (
    input  logic [511:0]           wqe_i,
    input  cairn_int_pkg::req_op_t op_i,
    input  logic [2:0]             type_i,      // enum qp_type
    input  logic [31:0]            features_i,  // REG FEATURES
    input  logic                   rd_none_i,   // may have no READ or atomic outstanding: it would wait without end
    input  logic                   gid_ok_i,    // UD: entry sgid_index exists ...
    input  logic                   gid_ipv6_i,  // ... and is of this family
    output logic                   list_o,
    output logic                   bad_o,
    output logic [7:0]             bad_status_o,
    output logic [7:0]             bad_vendor_o
);
  localparam logic [4:0] MSG_LG = 5'($clog2(cairn_hw_pkg::MAX_MSG_BYTES));
  cairn_hw_pkg::wqe_t      w;
  cairn_hw_pkg::wqe_ud_t   u;
  cairn_hw_pkg::wqe_info_t info;
  cairn_int_pkg::req_op_t  op;
  logic        allowed, is_rc, is_uc, is_ud, is_gsi, f_ud;
  logic        dgid_v4, bad_sum, bad_len;
  logic [32:0] sum2;        // of two elements that may each claim 2^32 - 1
  logic [2:0]  want_blocks;
  assign w       = wqe_i;
  assign u       = wqe_i;
  assign op      = op_i;
  assign info    = cairn_hw_pkg::wqe_info(op.op);
  assign is_rc   = type_i == cairn_hw_pkg::QP_TYPE_RC && features_i[cairn_hw_pkg::REG_FEATURES_RC_LSB];
  assign is_uc   = type_i == cairn_hw_pkg::QP_TYPE_UC && features_i[cairn_hw_pkg::REG_FEATURES_UC_LSB];
  assign f_ud    = features_i[cairn_hw_pkg::REG_FEATURES_UD_LSB];
  assign is_ud   = type_i == cairn_hw_pkg::QP_TYPE_UD && f_ud;
  assign is_gsi  = type_i == cairn_hw_pkg::QP_TYPE_GSI && f_ud;
  assign allowed = ((info.rc && is_rc) || (info.uc && is_uc) || (info.ud && is_ud) || (info.gsi && is_gsi))
                   && (info.needs & ~features_i) == '0;

  // ---- blocks and lengths ----
  always_comb begin
    want_blocks = 3'd1;
    if (op.local_op) want_blocks = 3'd1;
    else if (op.inl && op.ud) want_blocks = 3'd1 + 3'((op.len[8:0] + 9'd63) >> 6);
    else if (op.inl && cairn_fn_pkg::above(op.len, 5'd5)) want_blocks = 3'd1 + 3'((op.len[7:0] + 8'd31) >> 6);
    else if (!op.inl && op.ud) want_blocks = 3'd1 + 3'((op.nsge + 5'd3) >> 2);
    else if (!op.inl && op.nsge > 5'd2) want_blocks = 3'd1 + 3'((op.nsge + 5'd1) >> 2);
  end
  assign list_o  = !op.inl && !op.local_op && (op.ud ? op.nsge != '0 : op.nsge > 5'd2);
  assign sum2    = {1'b0, w.sge0_length & {32{op.sum0}}} + {1'b0, w.sge1_length & {32{op.sum1}}};
  assign bad_sum = !op.inl && !list_o && !info.nop && !op.local_op && sum2 != {1'b0, op.len};
  // A READ's responses may not fill half the PSN space: a PSN so far away could be old or new (IBTA 9.7.2).
  assign bad_len = cairn_fn_pkg::above(op.len, MSG_LG)
                   || (op.inl && (op.len[31:8] != '0 || op.len[7:0] > 8'(cairn_hw_pkg::MAX_INLINE)))
                   || (op.read && op.npsn[23]) || (op.atomic && op.len != 32'd8) || bad_sum;
  assign dgid_v4 = u.dgid[95:0] == {16'hffff, 80'h0};

  always_comb begin
    bad_o        = 1'b0;
    bad_status_o = cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
    bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_OPCODE;
    if (!allowed || (!info.inline && w.ctrl_inline)) begin
      bad_o = 1'b1;
    end else if (!op.inl && (op.nsge > 5'(cairn_hw_pkg::MAX_SGE) || (op.atomic && op.nsge != 5'd1))) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_SGE;
    end else if (bad_len) begin
      bad_o        = 1'b1;
      bad_status_o = cairn_hw_pkg::WC_STATUS_LOC_LEN_ERR;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_LENGTH;
    end else if (w.ctrl_blocks != {1'b0, want_blocks}) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_SGE;
    end else if (op.res && rd_none_i) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_RD_ATOMIC;
    end else if (op.ud && op.send && (!gid_ok_i || gid_ipv6_i == dgid_v4)) begin
      bad_o        = 1'b1;
      bad_vendor_o = cairn_hw_pkg::VENDOR_ERR_WQE_AV;
    end
  end
endmodule
