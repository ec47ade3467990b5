// SPDX-License-Identifier: Apache-2.0
// One beat of a RoCE v2 frame as the ICRC sees it (annex A17.3; IBTA 7.8.1). Combinational.
//
// Bytes before the IP header become zero. Fields that routers and switches may change become ones: IPv4 TOS, TTL and
// checksum; IPv6 traffic class, flow label and hop limit; the UDP checksum; the BTH byte with FECN and BECN.
// beat_i counts the beats of the frame and stays at HDR_BEATS for all beats that hold no such field. Used by rx_icrc
// and tx_icrc, which clear what lies behind the coverage. Errors: none.
module icrc_mask #(
    parameter int unsigned DATA_W = 512,
    // the last masked byte is the fifth of the BTH behind VLAN tag and IPv6
    localparam int unsigned LAST_POS  = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES + cairn_pkt_pkg::IPV6_BYTES
                                        + cairn_pkt_pkg::UDP_BYTES + 4,
    localparam int unsigned HDR_BEATS = LAST_POS / (DATA_W / 8) + 1,
    localparam int unsigned BEAT_W    = $clog2(HDR_BEATS + 1)
) (
    input  logic [BEAT_W-1:0] beat_i,
    input  logic              vlan_i,
    input  logic              ipv6_i,
    input  logic [DATA_W-1:0] data_i,
    output logic [DATA_W-1:0] data_o
);
  localparam int unsigned HDR_W = HDR_BEATS * DATA_W;
  localparam int unsigned L4_V4 = cairn_pkt_pkg::IPV4_BYTES;
  localparam int unsigned L4_V6 = cairn_pkt_pkg::IPV6_BYTES;

  if (DATA_W < 64 || DATA_W % 64 != 0) begin : g_chk_data
    $error("icrc_mask: DATA_W must be a multiple of 64");
  end

  // Ones in the bytes that are kept.
  function automatic logic [HDR_W-1:0] keep(input int unsigned l3);
    keep = {HDR_W{1'b1}};  // not '1: Yosys 0.23 takes it for 0 in a constant function
    for (int unsigned i = 0; i < l3; i++) keep[8*i +: 8] = 8'h00;
  endfunction

  // Ones where the ICRC sees ones.
  function automatic logic [HDR_W-1:0] ones(input int unsigned l3, input int unsigned v6);
    int unsigned l4;
    ones = '0;
    l4   = l3 + ((v6 != 0) ? L4_V6 : L4_V4);
    if (v6 != 0) begin
      ones[8*l3 +: 32]       = 32'hFFFF_FF0F;  // traffic class and flow label, not the version
      ones[8*(l3 + 7) +: 8]  = 8'hFF;          // hop limit
    end else begin
      ones[8*(l3 + 1) +: 8]   = 8'hFF;         // TOS
      ones[8*(l3 + 8) +: 8]   = 8'hFF;         // TTL
      ones[8*(l3 + 10) +: 16] = 16'hFFFF;      // header checksum
    end
    ones[8*(l4 + 6) +: 16] = 16'hFFFF;         // UDP checksum
    ones[8*(l4 + cairn_pkt_pkg::UDP_BYTES + 4) +: 8] = 8'hFF;  // FECN, BECN, resv6
  endfunction

  localparam int unsigned L3_PLAIN = cairn_pkt_pkg::ETH_BYTES;
  localparam int unsigned L3_VLAN  = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES;
  localparam logic [HDR_W-1:0] KEEP_PLAIN = keep(L3_PLAIN);
  localparam logic [HDR_W-1:0] KEEP_VLAN  = keep(L3_VLAN);
  localparam logic [HDR_W-1:0] ONES_V4    = ones(L3_PLAIN, 0);
  localparam logic [HDR_W-1:0] ONES_V6    = ones(L3_PLAIN, 1);
  localparam logic [HDR_W-1:0] ONES_V4_T  = ones(L3_VLAN, 0);
  localparam logic [HDR_W-1:0] ONES_V6_T  = ones(L3_VLAN, 1);

  always_comb begin
    data_o = data_i;
    for (int unsigned b = 0; b < HDR_BEATS; b++) begin
      if (beat_i == BEAT_W'(b)) begin
        data_o = (data_i & (vlan_i ? KEEP_VLAN[b*DATA_W +: DATA_W] : KEEP_PLAIN[b*DATA_W +: DATA_W]))
                 | (ipv6_i ? (vlan_i ? ONES_V6_T[b*DATA_W +: DATA_W] : ONES_V6[b*DATA_W +: DATA_W])
                           : (vlan_i ? ONES_V4_T[b*DATA_W +: DATA_W] : ONES_V4[b*DATA_W +: DATA_W]));
      end
    end
  end
endmodule
