// SPDX-License-Identifier: Apache-2.0
// Extension headers of a packet as they came, into the fields of its record. Combinational.
//
// What the packet has not is zero. IBTA 9.3. Errors: none.
module rx_ext (
    input  cairn_int_pkg::rx_meta_t               meta_i,   // without them
    input  logic [cairn_pkt_pkg::ATOMICETH_W-1:0] ext_i,    // first byte on top
    input  logic [cairn_pkt_pkg::EXT_W-1:0]       has_i,    // which there are
    output cairn_int_pkg::rx_meta_t               meta_o
);
  logic reth, atomic, deth, imm;
  assign reth   = has_i[cairn_pkt_pkg::EXT_RETH];
  assign atomic = has_i[cairn_pkt_pkg::EXT_ATOMICETH];
  assign deth   = has_i[cairn_pkt_pkg::EXT_DETH];
  assign imm    = has_i[cairn_pkt_pkg::EXT_IMMDT];
  always_comb begin
    meta_o          = meta_i;
    // RETH and AtomicETH begin alike
    meta_o.va       = (reth || atomic) ? ext_i[223:160] : '0;
    meta_o.key      = has_i[cairn_pkt_pkg::EXT_IETH] ? ext_i[223:192] : (reth || atomic) ? ext_i[159:128] : '0;
    meta_o.len      = reth ? ext_i[127:96] : '0;
    meta_o.swap_add = atomic ? ext_i[127:64] : has_i[cairn_pkt_pkg::EXT_ATOMICACKETH] ? ext_i[191:128] : '0;
    meta_o.compare  = atomic ? ext_i[63:0] : '0;
    meta_o.aeth     = has_i[cairn_pkt_pkg::EXT_AETH] ? ext_i[223:192] : '0;
    meta_o.qkey     = deth ? ext_i[223:192] : '0;
    meta_o.src_qp   = deth ? ext_i[183:160] : '0;
    meta_o.imm      = !imm ? '0 : reth ? ext_i[95:64] : deth ? ext_i[159:128] : ext_i[223:192];
  end
endmodule
