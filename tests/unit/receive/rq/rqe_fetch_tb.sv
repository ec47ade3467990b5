// SPDX-License-Identifier: Apache-2.0
// rqe_fetch with the fields of its read request and of the data stream as ports.
module rqe_fetch_tb #(
    parameter int unsigned DATA_W = 512
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              lk_valid_i,
    input  logic [11:0]       lk_slot_i,
    input  logic              lk_srq_i,
    input  logic [15:0]       lk_entry_i,
    input  logic [23:0]       lk_qpn_i,
    input  logic [7:0]        lk_gen_i,
    input  logic [15:0]       lk_index_i,
    input  logic [15:0]       lk_pi_i,
    input  logic [63:0]       lk_base_i,
    input  logic [3:0]        lk_log2_i,
    input  logic [4:0]        lk_stride_i,
    output logic              lkr_hit_o,
    output logic              lkr_err_o,
    output logic              lkr_wait_o,
    output logic [8:0]        lkr_base_o,
    input  logic              pf_valid_i,
    output logic              pf_ready_o,
    input  logic [23:0]       pf_qpn_i,
    input  logic [15:0]       pf_slot_i,
    input  logic [15:0]       pf_index_i,
    input  logic [63:0]       pf_base_i,
    input  logic [4:0]        pf_stride_i,
    input  logic              el_busy_i,
    input  logic [8:0]        el_addr_i,
    output logic [127:0]      el_data_o,
    output logic              wake_valid_o,
    input  logic              wake_ready_i,
    output logic [11:0]       wake_slot_o,
    output logic              avail_o,
    output logic              rd_valid_o,
    input  logic              rd_ready_i,
    output logic [63:0]       rd_iova_o,
    output logic [12:0]       rd_len_o,
    output logic [11:0]       rd_tag_o,
    input  logic              dma_valid_i,
    input  logic [11:0]       dma_tag_i,
    input  logic [12:0]       dma_offset_i,
    input  logic [6:0]        dma_nbytes_i,
    input  logic              dma_last_i,
    input  logic              dma_err_i,
    input  logic [DATA_W-1:0] dma_data_i,
    output logic              cnt_rqe_fetch_o,
    output logic              idle_o
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
      .clk_i, .rst_ni, .forget_i(1'b0), .epoch_i(1'b0), .lk_valid_i, .lk_slot_i, .lk_srq_i, .lk_entry_i, .lk_qpn_i,
      .lk_gen_i,
      .lk_index_i, .lk_pi_i, .lk_base_i,
      .lk_log2_i, .lk_stride_i, .lkr_hit_o, .lkr_err_o, .lkr_wait_o, .lkr_base_o, .el_busy_i, .el_addr_i, .el_data_o,
      .pf_valid_i, .pf_ready_o, .pf_qpn_i, .pf_slot_i, .pf_index_i, .pf_base_i, .pf_stride_i,
      .wake_valid_o, .wake_ready_i, .wake_slot_o, .avail_o, .rd_o(rd_all), .rd_ready_i,
      .beat_i({dma_valid_i, d}), .beat_data_i(dma_data_i), .cnt_rqe_fetch_o, .idle_o);
  logic unused;
  assign unused = ^rd;
endmodule
