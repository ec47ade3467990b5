// SPDX-License-Identifier: Apache-2.0
// Length of everything before the payload of a RoCE v2 frame. Combinational.
//
// Ethernet, VLAN tag, IP, UDP, BTH, extension headers; a CNP's 16 reserved bytes (annex A17.9.3) count as header. The
// place of payload byte 0 in the transmit ring is this length modulo the beat, so tx_ring and tx_headers must agree on
// it: both ask here. l4_o: what of it lies behind the IP header.
module tx_hdr_len (
    input  logic [7:0] opcode_i,
    input  logic       vlan_i,
    input  logic       ipv6_i,
    output logic [6:0] len_o,
    output logic [5:0] l4_o
);
  localparam int unsigned BASE = cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES;
  localparam int unsigned ETH  = cairn_pkt_pkg::ETH_BYTES;
  localparam int unsigned TAG  = cairn_pkt_pkg::VLAN_BYTES;
  localparam int unsigned CNP_BYTES = 16;

  logic [cairn_pkt_pkg::OPF_W-1:0] flags;

  assign flags = cairn_pkt_pkg::opcode_flags(opcode_i);

  always_comb begin
    l4_o = 6'(BASE) + 6'(cairn_pkt_pkg::opcode_ext_bytes(opcode_i));
    if (flags[cairn_pkt_pkg::OPF_CNP]) l4_o = 6'(BASE + CNP_BYTES);
    case ({vlan_i, ipv6_i})
      2'b00:   len_o = 7'(l4_o) + 7'(ETH + cairn_pkt_pkg::IPV4_BYTES);
      2'b01:   len_o = 7'(l4_o) + 7'(ETH + cairn_pkt_pkg::IPV6_BYTES);
      2'b10:   len_o = 7'(l4_o) + 7'(ETH + TAG + cairn_pkt_pkg::IPV4_BYTES);
      default: len_o = 7'(l4_o) + 7'(ETH + TAG + cairn_pkt_pkg::IPV6_BYTES);
    endcase
  end
endmodule
