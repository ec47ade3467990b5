// SPDX-License-Identifier: Apache-2.0
// Blocks that come with a doorbell through the push window, on their way from doorbell to wqe_fetch.
//
// They wait here while their doorbell is judged (in the order of arrival) and go on if they are what the ring holds for
// sure:
// - judgement: the doorbell was taken and moved the index by one;
// - check: the check word names that index, the QPN and its generation;
// - form: one block that leaves the place of the doorbell, its last 8 bytes, unused: SEND, WRITE or READ with one
//   element at most, or 24 inline bytes (hw.def, STRUCT wqe).
// Everything else is ignored, as is a block that finds no place here or in wqe_fetch: the WQE is in the ring anyway, a
// push only saves the fetch. The last 8 bytes are handed on as zero.
// Cycles: a block is offered two cycles after its judgement, one in every second cycle.
// Counts: each doorbell of the window is taken or ignored. Errors: none.
module doorbell_push (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         in_valid_i,
    output logic                         in_ready_o,
    input  logic [447:0]                 in_data_i,
    // judgement of the oldest one without
    input  cairn_int_pkg::push_verdict_t v_i,
    input  logic                         none_i,  // strobe: a doorbell of the window had no block, or no place here
    // to wqe_fetch
    output cairn_int_pkg::pushed_t       out_o,
    input  logic                         out_ready_i,
    input  logic                         out_taken_i,  // with ready: it has a place
    output logic                         taken_o,
    output logic                         ignored_o,
    output logic                         idle_o
);
  logic         out_valid;
  logic [23:0]  out_qpn;
  logic [7:0]   out_gen;
  logic [15:0]  out_index;
  localparam int unsigned DEPTH = 4;
  logic         d_valid, v_valid, v_ready_unused, pop, ok, fits;
  logic [447:0] d;
  logic [48:0]  v;
  sync_fifo #(.WIDTH(448), .DEPTH(DEPTH)) u_data (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .out_valid_o(d_valid), .out_ready_i(pop), .out_data_o(d));
  // As many as there are blocks: never full.
  sync_fifo #(.WIDTH(49), .DEPTH(DEPTH)) u_verdicts (
      .clk_i, .rst_ni, .in_valid_i(v_i.valid), .in_ready_o(v_ready_unused),
      .in_data_i({v_i.ok, v_i.qpn, v_i.gen, v_i.index}), .out_valid_o(v_valid), .out_ready_i(pop), .out_data_o(v));

  cairn_hw_pkg::wqe_t wqe;
  cairn_hw_pkg::wqe_info_t info;
  assign wqe  = {64'h0, d};
  assign info = cairn_hw_pkg::wqe_info(wqe.ctrl_opcode);
  assign fits = wqe.ctrl_blocks == 4'd1 && info.push
                && (wqe.ctrl_inline ? wqe.length <= 32'd24 : wqe.ctrl_num_sge <= 5'd1);
  assign {out_qpn, out_gen, out_index} = v[47:0];
  assign out_o       = {out_valid, out_qpn, out_gen, out_index, 64'h0, d};
  assign ok          = v[48] && fits && wqe.check_index == out_index
                       && wqe.check_owner == cairn_fn_pkg::wqe_owner(out_qpn, out_gen);
  // Judged in one cycle, from what the queues hold, and offered from the next on.
  logic judged_q, ok_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) judged_q <= 1'b0;
    else judged_q <= judged_q ? !pop : v_valid;
    if (!judged_q) ok_q <= ok;
  end
  assign out_valid   = judged_q && ok_q;
  assign pop         = judged_q && (!ok_q || out_ready_i);

  // Two may be ignored in one cycle; no more of them wait than blocks have waited.
  logic       ignored;
  logic [2:0] more_q;
  assign ignored = pop && !(ok_q && out_taken_i);
  always_ff @(posedge clk_i) begin
    taken_o   <= rst_ni && pop && ok_q && out_taken_i;
    ignored_o <= rst_ni && (ignored || none_i || more_q != '0);
    if (!rst_ni) more_q <= '0;
    else if (ignored && none_i) more_q <= more_q + 1'b1;
    else if (!ignored && !none_i && more_q != '0) more_q <= more_q - 1'b1;
  end
  assign idle_o = !d_valid && !v_valid && more_q == '0;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && v_i.valid && !v_ready_unused) $error("doorbell_push: judgement lost");
    if (rst_ni && v_valid && !d_valid) $error("doorbell_push: judgement without a block");
  end
`endif
endmodule
