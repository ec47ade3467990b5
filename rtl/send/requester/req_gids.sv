// SPDX-License-Identifier: Apache-2.0
// What the requester must know of the GID table, for the source GID that a datagram's WQE names.
//
// Whether it exists, its family, and the VLAN that its packets carry. Written with the same strobes as the tables of
// tx_headers and rx_gid_table. Combinational read. Errors: none; an index outside the table is not valid.
module req_gids #(
    parameter int unsigned GIDS = 16
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  cairn_int_pkg::gid_write_t gid_i,
    input  logic [7:0]                rd_index_i,
    output logic [14:0]               rd_gid_o  // {valid, IPv6, tagged, VLAN}
);
  if (GIDS == 0 || GIDS > 256) begin : g_chk
    $error("req_gids: GIDS must be 1 to 256");
  end

  logic [GIDS-1:0]    valid_q;
  logic [GIDS*14-1:0] entry_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < GIDS; i++) begin
      if (!rst_ni) valid_q[i] <= 1'b0;
      else if (gid_i.we && gid_i.index == 8'(i)) valid_q[i] <= gid_i.valid;
      if (gid_i.we && gid_i.index == 8'(i)) entry_q[14*i +: 14] <= {gid_i.ipv6, gid_i.vlan, gid_i.vid};
    end
  end
  always_comb begin
    rd_gid_o = '0;
    for (int unsigned i = 0; i < GIDS; i++) begin
      if (rd_index_i == 8'(i)) rd_gid_o = {valid_q[i], entry_q[14*i +: 14]};
    end
  end
endmodule
