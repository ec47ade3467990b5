// SPDX-License-Identifier: Apache-2.0
// rx_mcast with the rx_refs that counts its copies, and their streams of cells given back, as rx_buffer has them.
module rx_mcast_tb #(
    localparam int unsigned CW = cairn_int_pkg::CELL_W
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    mb_we_i,
    input  logic [6:0]              mb_index_i,
    input  logic                    mb_valid_i,
    input  logic [23:0]             mb_qpn_i,
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  cairn_int_pkg::rx_meta_t in_i,
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output cairn_int_pkg::rx_meta_t out_o,
    input  logic                    rel_valid_i,
    output logic                    rel_ready_o,
    input  logic [CW-1:0]           rel_cell_i,
    output logic                    rel_valid_o,
    input  logic                    rel_ready_i,
    input  logic                    free_valid_i,
    output logic                    free_ready_o,
    input  logic [CW-1:0]           free_cell_i,
    output logic                    free_valid_o,
    input  logic                    free_ready_i,
    output logic                    idle_o
);
  cairn_int_pkg::rx_ref_t shared;
  logic                   shared_ready;
  rx_mcast u_mcast (
      .clk_i, .rst_ni, .mb_we_i, .mb_index_i, .mb_valid_i, .mb_qpn_i, .in_valid_i, .in_ready_o, .in_i,
      .out_valid_o, .out_ready_i, .out_o, .ref_o(shared), .ref_ready_i(shared_ready), .idle_o);
  rx_refs #(.CELL_W(CW)) u_refs (
      .clk_i, .rst_ni, .al_valid_i(shared.valid), .al_ready_o(shared_ready), .al_cell_i(shared.cell_head),
      .al_count_i(shared.count),
      .rel_valid_i, .rel_ready_o, .rel_cell_i, .rel_valid_o, .rel_ready_i,
      .free_valid_i, .free_ready_o, .free_cell_i, .free_valid_o, .free_ready_i);
endmodule
