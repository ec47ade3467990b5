// SPDX-License-Identifier: Apache-2.0
// Answers of BAR reads: queues them and sends each as one completion.
//
// Order: an answer leaves once every posted write that was accepted before its data was read has been sent (PCIe: a
//   completion does not pass posted requests).
// Errors: unsupported requests get a completion without data and status UR.
module bar_cpl #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned DEPTH  = 8      // reads the host may have outstanding
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [15:0]                        cplid_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    input  logic                               ans_valid_i,
    output logic                               ans_ready_o,
    input  cairn_int_pkg::bar_answer_t         ans_i,
    output cairn_int_pkg::tlp_out_t            c_o,
    input  logic                               c_ready_i,
    output logic [DATA_W-1:0]                  c_data_o,
    output logic                               idle_o
);
  localparam int unsigned TW    = cairn_int_pkg::TICKET_W;
  localparam int unsigned WORDS = DATA_W / 32;
  localparam int unsigned SLICES = 512 / DATA_W;
  localparam int unsigned IDX_W = (SLICES > 1) ? $clog2(SLICES) : 1;

  // The header is complete before the queue.
  cairn_hw_pkg::tlp_mem_t req;
  cairn_hw_pkg::tlp_cpl_t cpl;
  assign req = ans_i.hdr;
  always_comb begin
    cpl            = '0;
    cpl.fmt        = (ans_i.dw == 5'd0) ? cairn_hw_pkg::TLP_FMT_3DW : cairn_hw_pkg::TLP_FMT_3DW_DATA;
    cpl.type_      = cairn_hw_pkg::TLP_TYPE_CPL;
    cpl.t9         = req.t9;
    cpl.tc         = req.tc;
    cpl.t8         = req.t8;
    cpl.attr2      = req.attr2;
    cpl.attr       = req.attr;
    cpl.length     = {5'd0, ans_i.dw};
    cpl.cplid      = cplid_i;
    cpl.status     = (ans_i.dw == 5'd0) ? cairn_hw_pkg::CPL_STATUS_UR : cairn_hw_pkg::CPL_STATUS_SC;
    cpl.byte_count = ans_i.count;
    cpl.reqid      = req.reqid;
    cpl.tag        = req.tag;
    cpl.lower_addr = ans_i.lower;
  end

  logic          valid, take;
  logic [TW-1:0] ahead;
  cairn_int_pkg::bar_queued_t in, q;
  logic [511:0]  data;
  assign data = q.data;
  assign in = {ans_i.ticket, cpl, ans_i.dw, ans_i.data};
  sync_fifo #(.WIDTH(cairn_int_pkg::BAR_QUEUED_W), .DEPTH(DEPTH)) u_queue (
      .clk_i, .rst_ni, .in_valid_i(ans_valid_i), .in_ready_o(ans_ready_o),
      .in_data_i(in),
      .out_valid_o(valid), .out_ready_i(take), .out_data_o(q));

  logic [IDX_W-1:0] idx_q;
  assign ahead     = sent_ticket_i - q.ticket;
  assign c_o.valid = valid && !ahead[TW-1];
  assign c_o.sop   = idx_q == '0;
  assign c_o.hdr   = {q.hdr, 32'd0};
  assign take      = c_o.valid && c_ready_i && c_o.last;
  assign idle_o    = !valid;

  if (SLICES == 1) begin : g_whole
    assign c_data_o = data;
    assign c_o.last = 1'b1;
    logic unused_dw;
    assign unused_dw = ^q.dw;
  end else begin : g_slice
    assign c_data_o = data[idx_q*DATA_W +: DATA_W];
    assign c_o.last = (6'(idx_q) + 6'd1) * 6'(WORDS) >= {1'b0, q.dw};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) idx_q <= '0;
    else if (c_o.valid && c_ready_i) idx_q <= c_o.last ? '0 : idx_q + 1'b1;
  end
endmodule
