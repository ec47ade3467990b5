// SPDX-License-Identifier: Apache-2.0
// GID table of the receive side: which of our addresses a packet was sent to.
//
// Firmware writes entries; all are compared at once. An entry with a VLAN takes frames tagged with its VID only; one
// without takes untagged and priority-tagged (VID 0) frames. A multicast address belongs to the first entry of its
// family and VLAN. Entries 16 and up are multicast groups that QPs are attached to: group_o says which one the address
// is, whatever the VLAN. The lowest matching entry wins.
// Cycles: one question a cycle, answer two cycles later. Errors: none; without a match hit_o is 0.
module rx_gid_table #(
    parameter int unsigned GIDS   = 16,
    parameter int unsigned GROUPS = 16,     // 0: there are none
    localparam int unsigned GW = (GROUPS > 1) ? $clog2(GROUPS) : 1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    // firmware's write port; GIDs in wire order, byte 0 in [127:120], IPv4 as ::ffff:a.b.c.d
    input  cairn_int_pkg::gid_write_t gid_i,
    // question
    input  logic [127:0]              dgid_i,
    input  logic                      ipv6_i,
    input  logic                      mcast_i,
    input  logic                      tagged_i,
    input  logic [11:0]               vid_i,
    // answer, two cycles later
    output logic                      hit_o,
    output logic [7:0]                index_o,
    output logic                      group_hit_o,
    output logic [GW-1:0]             group_o
);
  if (GIDS == 0 || GIDS > 16) begin : g_chk_gids
    $error("rx_gid_table: GIDS must be 1 to 16");
  end

  // Addresses are compared in threes of bits, which is what a LUT of six inputs takes; the next cycle puts these
  // together.
  localparam int unsigned PARTS = 43;
  logic [GIDS-1:0]  match;
  logic             mcast_q;
  logic [128:0]     asked;
  assign asked = {1'b0, dgid_i};
  always_ff @(posedge clk_i) mcast_q <= mcast_i;

  for (genvar g = 0; g < GIDS; g++) begin : g_entry
    logic         valid_q, ipv6_q, vlan_q;
    logic [11:0]  vid_q;
    logic [127:0] addr_q;
    logic         write, vlan_ok;

    assign write   = gid_i.we && gid_i.index == 8'(g);
    assign vlan_ok = vlan_q ? (tagged_i && vid_i == vid_q) : (!tagged_i || vid_i == '0);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (write) valid_q <= gid_i.valid;
    end

    always_ff @(posedge clk_i) begin
      if (write) begin
        ipv6_q <= gid_i.ipv6;
        vlan_q <= gid_i.vlan;
        vid_q  <= gid_i.vid;
        addr_q <= gid_i.addr;
      end
    end

    logic             fits_q;
    logic [PARTS-1:0] same_q;
    logic [128:0]     kept;
    assign kept = {1'b0, addr_q};
    always_ff @(posedge clk_i) begin
      fits_q <= valid_q && ipv6_q == ipv6_i && vlan_ok;
      for (int unsigned i = 0; i < PARTS; i++) same_q[i] <= kept[3*i +: 3] == asked[3*i +: 3];
    end
    assign match[g] = fits_q && (mcast_q || same_q == '1);
  end

  localparam int unsigned N = (GROUPS > 0) ? GROUPS : 1;
  logic [N-1:0] group_match;
  if (GROUPS == 0) begin : g_no_group
    assign group_match = '0;
  end

  for (genvar g = 0; g < GROUPS; g++) begin : g_group
    logic         valid_q, write;
    logic [127:0] addr_q;
    assign write = gid_i.we && gid_i.index == 8'(16 + g);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (write) valid_q <= gid_i.valid;
    end
    logic             fits_q;
    logic [PARTS-1:0] same_q;
    logic [128:0]     kept;
    assign kept = {1'b0, addr_q};
    always_ff @(posedge clk_i) begin
      if (write) addr_q <= gid_i.addr;
      fits_q <= valid_q && mcast_i;
      for (int unsigned i = 0; i < PARTS; i++) same_q[i] <= kept[3*i +: 3] == asked[3*i +: 3];
    end
    assign group_match[g] = fits_q && same_q == '1;
  end

  logic [7:0]    index;
  logic [GW-1:0] group;

  always_comb begin
    index = '0;
    for (int unsigned i = GIDS; i > 0; i--) begin
      if (match[i-1]) index = 8'(i - 1);
    end
  end

  always_comb begin
    group = '0;
    for (int unsigned i = N; i > 0; i--) begin
      if (group_match[i-1]) group = GW'(i - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    group_hit_o <= group_match != '0;
    group_o     <= group;
    hit_o       <= match != '0;
    index_o     <= index;
  end
endmodule
