// SPDX-License-Identifier: Apache-2.0
// Multicast: a datagram to a group becomes one record for each QP that is attached to it.
//
// rx_buffer -> rx_mcast -> qp_lookup, in rx_path. A record with mcast set names its group in qpn (rx_headers; all ones:
// we are in none, or it was not sent to QP 0xFFFFFF). The copies have the member's number there and mcast clear, so
// each is looked up, checked (state, P_Key, Q_Key) and received as any datagram. All share the packet's cells: rx_refs
// counts.
// Order: records of other packets pass in the same cycle; one of a group of n takes n + 1. A packet sees the members of
//   one moment. Unicast behind it is not made to wait: a record leaves as it came, and qp_lookup drops and counts it,
//   when its group has no members (any more), or when too many multicast packets wait for their receivers already.
// Owns: the member table, GROUPS * MEMBERS entries {QPN}, written by firmware.
module rx_mcast #(
    parameter int unsigned GROUPS  = 16,
    parameter int unsigned MEMBERS = 8,
    localparam int unsigned GW = $clog2(GROUPS),
    localparam int unsigned NW = $clog2(MEMBERS)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    mb_we_i,
    input  logic [GW+NW-1:0]        mb_index_i,  // {group, member}
    input  logic                    mb_valid_i,
    input  logic [23:0]             mb_qpn_i,
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  cairn_int_pkg::rx_meta_t in_i,
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output cairn_int_pkg::rx_meta_t out_o,
    output cairn_int_pkg::rx_ref_t  ref_o,
    input  logic                    ref_ready_i,
    output logic                    idle_o
);
  logic [GROUPS*MEMBERS-1:0] valid_q;
  logic                      send_q, is_group, start, last, pop, several, refuse;
  logic [MEMBERS-1:0]        members, left_q, rest, pick;
  logic [GW-1:0]             group;
  logic [NW:0]               count;
  logic [NW-1:0]             next, at_q;
  logic [23:0]               qpn;

  assign is_group = in_i.mcast && !in_i.qpn[GW];     // (one bit: it is all ones without a group)
  assign group    = in_i.qpn[GW-1:0];
  assign members  = valid_q[group*MEMBERS +: MEMBERS];
  always_comb begin
    count = '0;
    for (int unsigned i = 0; i < MEMBERS; i++) count = count + (NW+1)'(members[i]);
  end
  assign several = in_i.has_cells && count > (NW+1)'(1);
  assign refuse  = several && !ref_ready_i;
  assign start   = in_valid_i && is_group && !send_q;
  assign rest    = left_q & (left_q - MEMBERS'(1));
  assign last    = rest == '0;
  assign pop     = send_q && out_ready_i;
  assign pick    = send_q ? rest : members;
  always_comb begin
    next = '0;
    for (int unsigned i = MEMBERS; i > 0; i--) begin
      if (pick[i-1]) next = NW'(i - 1);
    end
  end
  ram_1r1w #(.WIDTH(24), .DEPTH(GROUPS * MEMBERS), .BYPASS(1)) u_qpns (
      .clk_i, .we_i(mb_we_i), .waddr_i(mb_index_i), .wdata_i(mb_qpn_i),
      .re_i(start || pop), .raddr_i({group, next}), .rdata_o(qpn));

  assign ref_o.valid     = start && several;
  assign ref_o.cell_head = in_i.cell_head;
  assign ref_o.count     = 4'(count);

  assign out_valid_o = in_valid_i && (send_q || !is_group);
  assign in_ready_o  = out_ready_i && (send_q ? last : !is_group);
  always_comb begin
    out_o = in_i;
    // One that has left meanwhile gets none: its copy goes like that of a group without members.
    if (send_q && left_q != '0 && valid_q[{group, at_q}]) begin
      out_o.mcast = 1'b0;
      out_o.qpn   = qpn;
    end
  end
  assign idle_o     = !send_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      send_q  <= 1'b0;
      valid_q <= '0;
    end else begin
      if (start) send_q <= 1'b1;
      else if (pop && last) send_q <= 1'b0;
      if (mb_we_i) valid_q[mb_index_i] <= mb_valid_i;
    end
    if (start || pop) at_q <= next;
    if (start) left_q <= refuse ? '0 : members;
    else if (pop) left_q <= rest;
  end
endmodule
