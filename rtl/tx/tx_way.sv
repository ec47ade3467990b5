// SPDX-License-Identifier: Apache-2.0
// Which way a frame leaves: out on the wire, back to the NIC's own receive side, or both.
//
// Told by the first bytes of its first beat, and kept for the rest of it, whatever happens to the switch meanwhile. Own
// MAC address: looped. Multicast, while a QP of ours is in any group: both. Raw frames (firmware's) and all else: wire.
// loop_i = 0: all to the wire.
// Cycles: one. Errors: none. Area, xcup: 142 LUTs, 18 FFs; depth 9.
module tx_way #(
    parameter int unsigned GROUPS = 16   // 0: there are no multicast groups
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      loop_i,      // frames to ourselves are looped
    input  logic [47:0]               mac_addr_i,  // first wire byte in 47:40
    // GID table write port, see rx_gid_table: 16 to 31 are the multicast groups
    input  cairn_int_pkg::gid_write_t gid_i,
    input  logic                      in_valid_i,
    input  logic                      in_first_i,
    input  logic                      in_raw_i,
    input  logic [47:0]               in_dmac_i,   // of the first beat, first wire byte in 7:0
    output logic                      out_loop_o,  // of the beat that was at the input
    output logic                      out_wire_o
);
  logic [cairn_hw_pkg::MCAST_GROUPS-1:0] groups_q;
  logic [47:0] own;
  logic        to_us, to_group;

  if (cairn_hw_pkg::MCAST_GROUPS != 16) begin : g_chk_groups
    $error("tx_way: the index of a group has 4 bits");
  end

  for (genvar g = 0; g < 6; g++) begin : g_own
    assign own[8*g +: 8] = mac_addr_i[8*(5-g) +: 8];
  end

  assign to_us    = loop_i && !in_raw_i && (in_dmac_i ^ own) == '0;
  assign to_group = GROUPS != 0 && loop_i && !in_raw_i && in_dmac_i[0] && groups_q != '0;

  always_ff @(posedge clk_i) begin
    for (int unsigned g = 0; g < cairn_hw_pkg::MCAST_GROUPS; g++) begin
      if (!rst_ni) groups_q[g] <= 1'b0;
      else if (GROUPS != 0 && gid_i.we && gid_i.index == 8'h10 + 8'(g)) groups_q[g] <= gid_i.valid;
    end
    if (in_valid_i && in_first_i) begin
      out_loop_o <= to_us || to_group;
      out_wire_o <= !to_us;
    end
  end
endmodule
