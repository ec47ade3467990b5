// SPDX-License-Identifier: Apache-2.0
// A record of rx_record_words, word by word into the registers of its rx_meta.
//
// Words of 64 bits: 0 to 5 are fields as they are, the lower half of 5, 6 and 7 the extension headers as they came
// (IBTA 9.3). A field of an extension header is cleared with word 0, which says which headers there are, and loaded
// with the word that has it; so each has one source and no multiplexer. ATOMIC: the last eight bytes of AtomicETH come
// as a ninth byte of each word.
// Cycles: the record stands behind its last word, until the next one's first. Errors: none.
module rx_record_meta #(
    parameter int unsigned ATOMIC = 1,                       // 0: fields of atomics are zero
    localparam int unsigned PART  = (ATOMIC != 0) ? 72 : 64
) (
    input  logic                    clk_i,
    input  logic                    valid_i,
    input  logic [2:0]              at_i,
    input  logic [PART-1:0]         word_i,
    output cairn_int_pkg::rx_meta_t meta_o
);
  logic [63:0]                     w, w0_q, w3_q, w4_q;
  logic [127:0]                    sip_q;
  logic [29:0]                     w5_q;
  logic [7:0]                      load;
  logic [cairn_pkt_pkg::EXT_W-1:0] has;
  logic                            reth, atomic, deth, imm, va;
  assign w      = word_i[63:0];
  assign has    = w0_q[37:31];
  assign reth   = has[cairn_pkt_pkg::EXT_RETH];
  assign atomic = has[cairn_pkt_pkg::EXT_ATOMICETH];
  assign deth   = has[cairn_pkt_pkg::EXT_DETH];
  assign imm    = has[cairn_pkt_pkg::EXT_IMMDT];
  assign va     = reth || atomic;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) load[i] = valid_i && at_i == 3'(i);
  end

  always_ff @(posedge clk_i) begin
    if (load[0]) w0_q <= w;
    if (load[1]) sip_q[127:64] <= w;
    if (load[2]) sip_q[63:0] <= w;
    if (load[3]) w3_q <= w;
    if (load[4]) w4_q <= w;
    if (load[5]) w5_q <= w[63:34];
  end

  // ---- extension headers
  logic [63:0] va_q, swap_q, compare_q;
  logic [31:0] key_q, len_q, aeth_q, qkey_q, imm_q;
  logic [23:0] src_qp_q;
  always_ff @(posedge clk_i) begin
    if (load[0]) va_q[63:32] <= '0;
    else if (load[5] && va) va_q[63:32] <= w[31:0];
    if (load[0]) va_q[31:0] <= '0;
    else if (load[6] && va) va_q[31:0] <= w[63:32];
    if (load[0]) key_q <= '0;
    else if ((load[5] && has[cairn_pkt_pkg::EXT_IETH]) || (load[6] && va)) key_q <= w[31:0];
    if (load[0]) len_q <= '0;
    else if (load[7] && reth) len_q <= w[63:32];
    if (load[0]) aeth_q <= '0;
    else if (load[5] && has[cairn_pkt_pkg::EXT_AETH]) aeth_q <= w[31:0];
    if (load[0]) qkey_q <= '0;
    else if (load[5] && deth) qkey_q <= w[31:0];
    if (load[0]) src_qp_q <= '0;
    else if (load[6] && deth) src_qp_q <= w[55:32];
    if (load[0]) imm_q <= '0;
    else if (imm && ((load[5] && !reth && !deth) || (load[6] && deth) || (load[7] && reth))) imm_q <= w[31:0];
  end

  if (ATOMIC != 0) begin : g_atomic
    always_ff @(posedge clk_i) begin
      if (load[0]) swap_q <= '0;
      else if ((load[6] && has[cairn_pkt_pkg::EXT_ATOMICACKETH]) || (load[7] && atomic)) swap_q <= w;
      for (int unsigned i = 0; i < 8; i++) if (load[i]) compare_q[8*i +: 8] <= word_i[PART-1 -: 8];
    end
  end else begin : g_none
    assign {swap_q, compare_q} = '0;
  end

  cairn_int_pkg::rx_meta_t m;
  always_comb begin
    m = '0;
    {m.opcode, m.opflags} = w0_q[63:38];
    {m.pay_off, m.pay_len, m.pad, m.ip_off} = w0_q[30:0];
    m.sip = sip_q;
    {m.smac, m.sport} = w3_q;
    {m.qpn, m.cell_head, m.sgid_index, m.pkey, m.prio, m.has_cells} = w4_q;
    {m.psn, m.se, m.ackreq, m.ce, m.ipv6, m.has_tag, m.mcast} = w5_q;
    m.va       = va_q;
    m.key      = key_q;
    m.len      = len_q;
    m.aeth     = aeth_q;
    m.imm      = imm_q;
    m.qkey     = qkey_q;
    m.src_qp   = src_qp_q;
    m.swap_add = swap_q;
    m.compare  = atomic ? compare_q : '0;
  end
  assign meta_o = m;
endmodule
