// SPDX-License-Identifier: Apache-2.0
// What a send WQE asks for, from its first block. Combinational; req_build keeps the answer with the block.
//
// The rules are those of docs/rtl/requester.md and of hw.def's STRUCTs wqe, wqe_atomic, wqe_ud, wqe_local. op_o.npsn:
// PSNs that the whole message takes (a READ its responses'; without a packet none). A datagram longer than the MTU is
// no error: it completes and nothing is sent (IBTA C10-93.1.1). one_o: the message is one packet, or none.
// Errors: none here; req_judge says whether the WQE can be executed.
module req_decode #(
    parameter logic [31:0] FEATURES = '1        // as REG FEATURES; what is left out is refused by its opcode
) (
    input  logic [511:0]           wqe_i,
    input  logic [2:0]             pmtu_i,      // 1 to 5: 256 to 4096
    input  logic [2:0]             type_i,      // enum qp_type
    input  logic                   datagrams_i, // the build has UD
    output cairn_int_pkg::req_op_t op_o,
    output logic                   one_o
);
  cairn_hw_pkg::wqe_t      w;
  cairn_hw_pkg::wqe_info_t info;
  cairn_int_pkg::req_op_t  op;
  logic                    is_ud, too_long;
  localparam bit           ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  localparam logic [4:0]   MSG_LG = 5'($clog2(cairn_hw_pkg::MAX_MSG_BYTES));
  localparam bit           KEYS   = FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB];
  logic [23:0]             npsn;
  assign w        = wqe_i;
  assign info     = cairn_hw_pkg::wqe_info(w.ctrl_opcode);
  assign is_ud    = type_i == cairn_hw_pkg::QP_TYPE_UD || type_i == cairn_hw_pkg::QP_TYPE_GSI;
  assign one_o    = cairn_fn_pkg::pmtu_fits(w.length, pmtu_i);
  assign too_long = is_ud && datagrams_i && info.send && !one_o && !cairn_fn_pkg::above(w.length, MSG_LG);
  assign npsn     = cairn_fn_pkg::packets(w.length, pmtu_i);
  always_comb begin
    op          = '0;
    op.op       = w.ctrl_opcode;
    op.rc       = type_i == cairn_hw_pkg::QP_TYPE_RC;
    op.ud       = is_ud;
    op.inv      = info.inv && KEYS;
    op.send     = info.send;
    op.read     = info.read;
    op.atomic   = info.atomic && ATOMIC;
    op.local_op = info.local_ && KEYS;
    op.res      = info.res && (info.read || ATOMIC);
    op.rwr      = info.rwr;
    op.compare  = info.compare && ATOMIC;
    op.nop      = info.nop || too_long;
    op.inl      = w.ctrl_inline && !op.local_op;
    op.nsge     = w.ctrl_num_sge;
    op.first    = op.ud ? 3'd4 : op.atomic ? 3'd3 : 3'd2;
    op.sum0     = !op.atomic && !op.ud && op.nsge != '0;
    op.sum1     = op.atomic || (!op.ud && op.nsge > 5'd1);
    op.len      = op.local_op ? '0 : w.length;
    op.npsn     = (op.nop || op.local_op) ? 24'h0 : (op.ud || op.atomic) ? 24'h1 : npsn;
  end
  assign op_o = op;
endmodule
