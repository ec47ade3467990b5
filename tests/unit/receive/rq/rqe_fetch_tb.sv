// SPDX-License-Identifier: Apache-2.0
// rqe_fetch with the fields of its read request and of the data stream as ports.
module rqe_fetch_tb #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  cairn_int_pkg::rqe_look_t    look_i,
    output cairn_int_pkg::rqe_found_t   found_o,
    input  cairn_int_pkg::rqe_ahead_t   ahead_i,
    output logic                        ahead_ready_o,
    input  cairn_int_pkg::rqe_element_t el_i,
    output logic [127:0]                el_o,
    output cairn_int_pkg::wake_t        wake_o,
    input  logic                        wake_ready_i,
    output logic                        avail_o,
    output logic                        rd_valid_o,
    input  logic                        rd_ready_i,
    output logic [63:0]                 rd_iova_o,
    output logic [12:0]                 rd_len_o,
    output logic [11:0]                 rd_tag_o,
    input  logic                        dma_valid_i,
    input  logic [11:0]                 dma_tag_i,
    input  logic [12:0]                 dma_offset_i,
    input  logic [6:0]                  dma_nbytes_i,
    input  logic                        dma_last_i,
    input  logic                        dma_err_i,
    input  logic [DATA_W-1:0]           dma_data_i,
    output cairn_hw_pkg::rqe_fetch_events_t events_o,
    output logic                        idle_o
);
  cairn_int_pkg::dma_read_t rd_all;
  cairn_int_pkg::dma_rd_t  rd;
  cairn_int_pkg::dma_rsp_t d;
  assign {rd_valid_o, rd} = rd_all;
  assign rd_iova_o = rd.iova;
  assign rd_len_o  = rd.len;
  assign rd_tag_o  = rd.tag;
  assign d = {4'(cairn_int_pkg::RD_RQE), dma_tag_i, dma_offset_i, 2'b00, dma_nbytes_i, dma_last_i, dma_err_i};
  rqe_fetch #(.DATA_W(DATA_W), .RUNS(4), .ONES(4)) u_dut (
      .clk_i, .rst_ni, .forget_i(1'b0), .epoch_i(1'b0), .look_i,
      .found_o, .el_i, .el_o,
      .ahead_i, .ahead_ready_o,
      .wake_o, .wake_ready_i, .avail_o, .rd_o(rd_all), .rd_ready_i,
      .beat_i({dma_valid_i, d}), .beat_data_i(dma_data_i), .events_o, .idle_o);
  logic unused;
  assign unused = ^rd;
endmodule
