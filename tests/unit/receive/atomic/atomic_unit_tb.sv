// SPDX-License-Identifier: Apache-2.0
// Test bench of atomic_unit: its records taken apart into ports of at most 64 bits for the test in C.
module atomic_unit_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned DEPTH  = 32
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              epoch_i,
    input  logic [63:0]                       res_base_i,
    input  logic [7:0]                        res_func_i,
    input  logic                              op_valid_i,
    output logic                              op_ready_o,
    input  logic                              op_skip_i,
    input  logic                              op_cas_i,
    input  logic                              op_ack_before_i,
    input  logic [7:0]                        op_func_i,
    input  logic [63:0]                       op_iova_i,
    input  logic [63:0]                       op_swap_add_i,
    input  logic [63:0]                       op_compare_i,
    input  logic [3:0]                        op_slot_i,
    input  logic [23:0]                       op_qpn_i,
    input  logic [7:0]                        op_gen_i,
    input  logic [23:0]                       op_psn_i,
    input  logic [23:0]                       op_msn_i,
    input  logic [7:0]                        op_res_i,
    input  logic [7:0]                        op_eqn_i,
    output logic                              ev_valid_o,
    input  logic                              ev_ready_i,
    output logic [2:0]                        ev_kind_o,
    output logic [3:0]                        ev_slot_o,
    output logic [23:0]                       ev_qpn_o,
    output logic [7:0]                        ev_gen_o,
    output logic [23:0]                       ev_psn_o,
    output logic [23:0]                       ev_msn_o,
    output logic [7:0]                        ev_syn_o,
    output logic [7:0]                        ev_vendor_o,
    output logic [7:0]                        ev_eqn_o,
    output logic [7:0]                        ev_res_o,
    output logic                              rd_valid_o,
    input  logic                              rd_ready_i,
    output logic [7:0]                        rd_func_o,
    output logic [63:0]                       rd_iova_o,
    output logic [12:0]                       rd_len_o,
    output logic [11:0]                       rd_tag_o,
    output logic                              rd_nb_o,
    output logic [15:0]                       rd_not_before_o,
    input  logic                              dma_valid_i,
    input  logic [3:0]                        dma_client_i,
    input  logic [11:0]                       dma_tag_i,
    input  logic [12:0]                       dma_offset_i,
    input  logic [1:0]                        dma_skip_i,
    input  logic [6:0]                        dma_nbytes_i,
    input  logic                              dma_last_i,
    input  logic                              dma_err_i,
    input  logic [DATA_W-1:0]                 dma_data_i,
    output logic                              wr_valid_o,
    input  logic                              wr_ready_i,
    output logic [7:0]                        wr_func_o,
    output logic [63:0]                       wr_iova_o,
    output logic [12:0]                       wr_len_o,
    output logic                              wr_payload_o,
    output logic [511:0]                      wr_data_o,
    input  logic [15:0]                       last_ticket_i,
    output cairn_int_pkg::res_write_t         res_o,
    input  logic                              res_ready_i,
    output cairn_int_pkg::slot_over_t         done_o,
    input  logic                              done_ready_i,
    output cairn_int_pkg::kick_t              kick_o,
    input  logic                              kick_ready_i,
    output cairn_hw_pkg::atomic_exec_events_t events_o,
    input  logic                              drain_i,
    output logic                              drained_o,
    output logic                              idle_o
);
  cairn_int_pkg::at_op_t op;
  always_comb begin
    op            = '0;
    op.skip       = op_skip_i;
    op.cas        = op_cas_i;
    op.ack_before = op_ack_before_i;
    op.func       = op_func_i;
    op.iova       = op_iova_i;
    op.swap_add   = op_swap_add_i;
    op.compare    = op_compare_i;
    op.slot       = 12'(op_slot_i);
    op.qpn        = op_qpn_i;
    op.gen        = op_gen_i;
    op.psn        = op_psn_i;
    op.msn        = op_msn_i;
    op.res        = op_res_i;
    op.eqn        = op_eqn_i;
  end
  cairn_int_pkg::rsp_ev_t  e;
  cairn_int_pkg::dma_read_t  rd;
  cairn_int_pkg::dma_write_t wr;
  cairn_int_pkg::dma_rd_t  r;
  cairn_int_pkg::dma_rsp_t d;
  cairn_int_pkg::dma_wr_t  w;
  assign {ev_kind_o, ev_slot_o, ev_qpn_o, ev_gen_o, ev_psn_o} = {e.kind, e.slot[3:0], e.qpn, e.gen, e.psn};
  assign {ev_msn_o, ev_syn_o, ev_vendor_o, ev_eqn_o, ev_res_o} = {e.msn, e.syn, e.vendor, e.eqn, e.res};
  assign {rd_valid_o, r} = rd;
  assign {wr_valid_o, w} = wr;
  assign {rd_func_o, rd_iova_o, rd_len_o, rd_tag_o, rd_nb_o, rd_not_before_o} = {r.func, r.iova, r.len, r.tag,
      r.nb_valid, r.not_before};
  assign d = {dma_client_i, dma_tag_i, dma_offset_i, dma_skip_i, dma_nbytes_i, dma_last_i, dma_err_i};
  assign {wr_func_o, wr_iova_o, wr_len_o, wr_payload_o, wr_data_o} = {w.func, w.iova, w.len, w.payload, w.data};

  atomic_unit #(.DATA_W(DATA_W), .SLOTS(16), .DEPTH(DEPTH)) u_dut (
      .clk_i, .rst_ni, .epoch_i, .res_base_i, .res_func_i,
      .op_valid_i, .op_ready_o, .op_i(op), .ev_valid_o, .ev_ready_i, .ev_o(e),
      .rd_o(rd), .rd_ready_i, .beat_i({dma_valid_i, d}), .beat_data_i(dma_data_i),
      .wr_o(wr), .wr_ready_i, .last_ticket_i, .res_o, .res_ready_i,
      .done_o, .done_ready_i, .kick_o, .kick_ready_i, .events_o, .drain_i,
      .drained_o, .idle_o);

  logic unused;
  assign unused = ^{e, r, w};
endmodule
