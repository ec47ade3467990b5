// SPDX-License-Identifier: Apache-2.0
// Length of everything before the payload of a RoCE v2 frame. Combinational.
//
// Ethernet, VLAN tag, IP, UDP, BTH, extension headers; a CNP's 16 reserved bytes (annex A17.9.3) count as header. The
// place of payload byte 0 in the transmit ring is this length modulo the beat, so tx_ring and tx_headers must agree on
// it: both ask here.
module tx_hdr_len (
    input  logic [7:0] opcode_i,
    input  logic       vlan_i,
    input  logic       ipv6_i,
    output logic [6:0] len_o
);
  localparam int unsigned BASE = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::UDP_BYTES + cairn_pkt_pkg::BTH_BYTES;
  localparam int unsigned CNP_BYTES = 16;

  logic [cairn_pkt_pkg::OPF_W-1:0] flags;

  assign flags = cairn_pkt_pkg::opcode_flags(opcode_i);

  always_comb begin
    len_o = 7'(BASE) + {1'b0, cairn_pkt_pkg::opcode_ext_bytes(opcode_i)}
            + (ipv6_i ? 7'(cairn_pkt_pkg::IPV6_BYTES) : 7'(cairn_pkt_pkg::IPV4_BYTES));
    if (vlan_i) len_o = len_o + 7'(cairn_pkt_pkg::VLAN_BYTES);
    if (flags[cairn_pkt_pkg::OPF_CNP]) len_o = len_o + 7'(CNP_BYTES);
  end
endmodule
