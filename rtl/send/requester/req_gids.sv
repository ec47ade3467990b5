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

  localparam int unsigned IW = (GIDS > 1) ? $clog2(GIDS) : 1;
  logic [GIDS-1:0] valid_q;
  logic [13:0]     entry [0:GIDS-1];
  logic            known;               // rd_index_i is of the table
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < GIDS; i++) begin
      if (!rst_ni) valid_q[i] <= 1'b0;
      else if (gid_i.we && gid_i.index == 8'(i)) valid_q[i] <= gid_i.valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (gid_i.we && 32'(gid_i.index) < GIDS) entry[gid_i.index[IW-1:0]] <= {gid_i.ipv6, gid_i.vlan, gid_i.vid};
  end
  assign known    = 32'(rd_index_i) < GIDS;
  assign rd_gid_o = {known && valid_q[rd_index_i[IW-1:0]], entry[rd_index_i[IW-1:0]]};
endmodule
