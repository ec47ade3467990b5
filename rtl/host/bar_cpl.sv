// SPDX-License-Identifier: Apache-2.0
// Answers of BAR reads: queues them and sends each as one completion.
//
// Data: comes by one or two DW before its answer does, to a place of its own in one RAM.
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
    input  cairn_int_pkg::bar_dw_t             dw_i,         // only while there is room for an answer
    input  logic                               ans_valid_i,
    output logic                               ans_ready_o,
    input  cairn_int_pkg::bar_answer_t         ans_i,
    output cairn_int_pkg::tlp_out_t            c_o,
    input  logic                               c_ready_i,
    output logic [DATA_W-1:0]                  c_data_o,
    output logic                               idle_o
);
  localparam int unsigned TW     = cairn_int_pkg::TICKET_W;
  localparam int unsigned WORDS  = DATA_W / 32;
  localparam int unsigned AT_W   = $clog2(WORDS);
  localparam int unsigned SLICES = 512 / DATA_W;
  localparam int unsigned IDX_W  = (SLICES > 1) ? $clog2(SLICES) : 1;
  localparam int unsigned PTR_W  = $clog2(DEPTH);

  if (DEPTH != 1 << PTR_W) begin : g_chk_depth
    $error("bar_cpl: DEPTH must be a power of two");
  end

  logic          valid, take;
  logic [TW-1:0] ahead;
  cairn_int_pkg::bar_answer_t q;
  sync_fifo #(.WIDTH(cairn_int_pkg::BAR_ANSWER_W), .DEPTH(DEPTH)) u_queue (
      .clk_i, .rst_ni, .in_valid_i(ans_valid_i), .in_ready_o(ans_ready_o),
      .in_data_i(ans_i),
      .out_valid_o(valid), .out_ready_i(take), .out_data_o(q));

  cairn_hw_pkg::tlp_cpl_t cpl;
  always_comb begin
    cpl            = '0;
    cpl.fmt        = (q.dw == 5'd0) ? cairn_hw_pkg::TLP_FMT_3DW : cairn_hw_pkg::TLP_FMT_3DW_DATA;
    cpl.type_      = cairn_hw_pkg::TLP_TYPE_CPL;
    cpl.t9         = q.id.t9;
    cpl.tc         = q.id.tc;
    cpl.t8         = q.id.t8;
    cpl.attr2      = q.id.attr2;
    cpl.attr       = q.id.attr;
    cpl.length     = {5'd0, q.dw};
    cpl.cplid      = cplid_i;
    cpl.status     = (q.dw == 5'd0) ? cairn_hw_pkg::CPL_STATUS_UR : cairn_hw_pkg::CPL_STATUS_SC;
    cpl.byte_count = q.count;
    cpl.reqid      = q.id.reqid;
    cpl.tag        = q.id.tag;
    cpl.lower_addr = q.lower;
  end

  // The RAM is read a cycle ahead, also while an answer's data still comes.
  logic [IDX_W-1:0] idx_q, idx_d;
  logic [PTR_W-1:0] head_q, head_d, tail_q;
  logic             moves;
  // In a register, as the TLP's turn and all that are ready for it follow.
  logic             may_q;
  assign ahead     = sent_ticket_i - q.ticket;
  assign c_o.valid = valid && may_q;
  always_ff @(posedge clk_i) may_q <= rst_ni && valid && !take && !ahead[TW-1];
  assign c_o.sop   = idx_q == '0;
  assign c_o.hdr   = {cpl, 32'd0};
  assign moves     = c_o.valid && c_ready_i;
  assign take      = moves && c_o.last;
  assign idx_d     = !moves ? idx_q : c_o.last ? '0 : idx_q + 1'b1;
  assign head_d    = head_q + PTR_W'(take);
  assign idle_o    = !valid;

  logic [WORDS-1:0]  we;
  logic [DATA_W-1:0] data;
  for (genvar g = 0; g < WORDS; g++) begin : g_dw
    assign we[g] = dw_i.valid && (dw_i.index[AT_W-1:0] == AT_W'(g)
                                  || (g % 2 == 1 && dw_i.both && dw_i.index[AT_W-1:0] == AT_W'(g - 1)));
    assign data[32*g +: 32] = (g % 2 == 1 && dw_i.both) ? dw_i.upper : dw_i.data;
  end
  if (SLICES == 1) begin : g_whole
    ram_1r1w #(.WIDTH(DATA_W), .DEPTH(DEPTH), .COL_W(32), .BYPASS(2)) u_data (
        .clk_i, .we_i(we), .waddr_i(tail_q), .wdata_i(data),
        .re_i(1'b1), .raddr_i(head_d), .rdata_o(c_data_o));
    assign c_o.last = 1'b1;
  end else begin : g_slice
    ram_1r1w #(.WIDTH(DATA_W), .DEPTH(DEPTH * SLICES), .COL_W(32), .BYPASS(2)) u_data (
        .clk_i, .we_i(we), .waddr_i({tail_q, dw_i.index[3:AT_W]}), .wdata_i(data),
        .re_i(1'b1), .raddr_i({head_d, idx_d}), .rdata_o(c_data_o));
    assign c_o.last = (6'(idx_q) + 6'd1) * 6'(WORDS) >= {1'b0, q.dw};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      idx_q  <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else begin
      idx_q  <= idx_d;
      head_q <= head_d;
      if (ans_valid_i && ans_ready_o) tail_q <= tail_q + 1'b1;
    end
  end
endmodule
