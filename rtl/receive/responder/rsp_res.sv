// SPDX-License-Identifier: Apache-2.0
// Responder resources on chip: rsp_res_cache, or rsp_res_words below 512 bit. Wiring only.
//
// Errors: see there.
module rsp_res #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned LINES  = 128,       // power of two
    parameter int unsigned TAG    = 0,         // of its reads among those of client RD_QPC
    parameter int unsigned QPN_W  = 24         // of a QPN, bits that are not always 0
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  cairn_int_pkg::receive_control_t    control_i,
    // rsp_commit, atomic_unit
    input  cairn_int_pkg::res_write_t          wr_i,
    output logic                               wr_ready_o,
    // rsp_tx
    input  cairn_int_pkg::res_look_t           look_i,
    output cairn_int_pkg::res_found_t          found_o,
    input  logic                               fill_valid_i,  // of the QP last read
    output logic                               fill_ready_o,
    output cairn_int_pkg::kick_t               wake_o,
    input  logic                               wake_ready_i,
    // host memory
    output cairn_int_pkg::dma_read_t           host_rd_o,
    input  logic                               host_rd_ready_i,
    input  cairn_int_pkg::dma_return_t         dma_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    output logic                               idle_o
);
  if (DATA_W >= 512) begin : g_cache
    rsp_res_cache #(.LINES(LINES), .TAG(TAG)) u_cache (
        .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .base_i(control_i.res_base), .func_i(control_i.res_func),
        .wr_i, .wr_ready_o,
        .rd_valid_i(look_i.valid), .rd_qpn_i(look_i.qpn), .rd_gen_i(look_i.gen), .rd_index_i(look_i.index),
        .rd_hit_o(found_o.hit), .rd_err_o(found_o.err), .rd_entry_o(found_o.entry), .fill_valid_i, .fill_ready_o,
        .wake_o, .wake_ready_i, .host_rd_o, .host_rd_ready_i, .beat_i(dma_i.beat), .beat_data_i,
        .last_ticket_i(dma_i.last_ticket), .idle_o);
    assign {found_o.done, found_o.comes} = 5'b1_0000;
  end else begin : g_words
    localparam int unsigned WORDS = 256 / DATA_W, WW = (WORDS > 1) ? $clog2(WORDS) : 1;
    logic [DATA_W-1:0] word;
    logic [WW-1:0]     at;
    logic              comes;
    rsp_res_words #(.WORD_W(DATA_W), .LINES(LINES), .TAG(TAG), .QPN_W(QPN_W)) u_words (
        .clk_i, .rst_ni, .epoch_i(control_i.engine.epoch), .base_i(control_i.res_base), .func_i(control_i.res_func),
        .wr_i, .wr_ready_o,
        .rd_valid_i(look_i.valid), .rd_qpn_i(look_i.qpn), .rd_gen_i(look_i.gen), .rd_index_i(look_i.index),
        .rd_hit_o(found_o.hit), .rd_err_o(found_o.err), .rd_done_o(found_o.done), .rd_comes_o(comes), .rd_at_o(at),
        .rd_word_o(word), .fill_valid_i, .fill_ready_o,
        .wake_o, .wake_ready_i, .host_rd_o, .host_rd_ready_i, .beat_i(dma_i.beat), .beat_data_i,
        .last_ticket_i(dma_i.last_ticket), .idle_o);
    assign found_o.entry = {WORDS{word}};
    for (genvar g = 0; g < 4; g++) begin : g_comes
      assign found_o.comes[g] = comes && at == WW'(64 * g / DATA_W);
    end
  end
  logic unused;
  assign unused = ^{look_i.fill, control_i, dma_i};
endmodule
