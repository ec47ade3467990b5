// SPDX-License-Identifier: Apache-2.0
// The scatter list of the WQE in hand: keeps its blocks, and a cursor (element, byte in it) over its elements.
//
// Cuts a packet's payload into pieces, each an MR request (client MRC_REQ, at most one element each). Used by
// req_build, whose states say what to do:
// - begin_i: the WQE is complete: cursor to the first element. A packet of need_i bytes may follow, after adding up the
//   elements (list_i), from byte offset_i of the message on (resume_i).
// - sum_i: add one element a cycle until sum_done_o or sum_bad_o.
// - seek_i: pass one element a cycle until found_o, the element that holds the first byte.
// - pack_i: ask for one piece a cycle, passing empty elements; done_o: the packet's last piece goes, or none is needed.
// - next_i: another packet of the same message, of need_i bytes; the cursor stays where it is.
//   One count of bytes serves them all: what the elements have to make up, what has to be passed, what the packet
//   needs; need_i is that of the packet wherever it may begin.
// - clear_i: counts the pieces anew: a visit begins, or the packet's record went out.
// The last piece waits for room_i (its record goes in the same cycle); with AHEAD it goes at once, its record later.
// Where the blocks are kept in parts of themselves (WORD < 512) there is one port to read them: rd_i says whose turn it
// is, and nothing here may be done meanwhile.
// The element in hand stands in registers, what is left of it; the one behind it is read meanwhile.
// Cycles: a piece a cycle, an empty element one.
// Errors: sum_bad_o, the elements do not add up to len_i; over_o, the list ended within a packet.
module req_cursor #(
    parameter int unsigned WORD  = 512,      // of the WQE's blocks
    parameter bit          AHEAD = 1'b0,
    localparam int unsigned EW  = $clog2(WORD / 128),
    localparam int unsigned NW  = 5 - EW
) (
    input  logic                   clk_i,
    // the WQE's blocks in words: write, and read of any of them
    input  logic                   we_i,
    input  logic [2:0]             wr_no_i,
    input  logic [1:0]             wr_part_i,  // word of the block
    input  logic [WORD-1:0]        wr_data_i,
    input  logic                   rd_i,
    input  logic [NW-1:0]          rd_no_i,
    output logic [WORD-1:0]        rd_data_o,
    input  logic [4:0]             nsge_i,
    input  logic [2:0]             first_i,  // where the first element stands, in elements from the start of the WQE
    input  logic [31:0]            len_i,
    input  logic [31:0]            offset_i,
    input  logic [23:0]            pd_i,
    input  logic [23:0]            qpn_i,
    input  logic                   begin_i,
    input  logic                   resume_i,
    input  logic                   list_i,
    input  logic                   sum_i,
    input  logic                   seek_i,
    input  logic                   pack_i,
    input  logic                   next_i,
    input  logic                   clear_i,
    input  logic [12:0]            need_i,
    input  logic                   room_i,
    output logic                   sum_done_o,
    output logic                   sum_bad_o,
    output logic                   found_o,
    output logic                   over_o,
    output logic                   done_o,
    output logic [5:0]             nmr_o,    // pieces of the packet asked for
    output logic                   piece_o,  // there is one more in this cycle
    output cairn_int_pkg::mr_ask_t mr_o,
    input  logic                   mr_ready_i
);
  // ---- the element in hand, and the number of the one behind it ----
  logic [WORD-1:0] blk [0:(1 << NW)-1];
  logic [4:0]   next_q, at_q, at;    // and where it stands
  logic [WORD-1:0] sge_word;
  logic [NW-1:0] sge_at;
  logic [127:0] sge;
  logic [63:0]  va_q;
  logic [31:0]  lkey_q, left_q;      // left_q: bytes of it, from va_q on
  logic         in_list;             // there is one
  logic         again, step;         // the first one is taken; the one behind it
  assign at        = again ? {2'b00, first_i} : at_q;
  assign sge_word  = blk[sge_at];
  if (WORD == 128) begin : g_one
    assign sge = sge_word;
  end else begin : g_some
    assign sge = sge_word[128*at[EW-1:0] +: 128];
  end
  assign in_list   = next_q <= nsge_i;
  logic [NW-1:0] wr_at;
  if (WORD < 512) begin : g_parts
    assign wr_at     = {wr_no_i, wr_part_i[NW-4:0]};
    assign sge_at    = rd_i ? rd_no_i : at[4:EW];
    assign rd_data_o = sge_word;
  end else begin : g_block
    logic unused;
    assign unused    = ^{wr_part_i, rd_i};
    assign wr_at     = wr_no_i;
    assign sge_at    = at[4:EW];
    assign rd_data_o = blk[rd_no_i];
  end
  always_ff @(posedge clk_i) if (we_i) blk[wr_at] <= wr_data_i;

  // ---- bytes that are wanted: of the element in hand, or of that and what follows ----
  logic [31:0] need_q;
  logic [32:0] behind, beyond;       // of the element behind them; of them behind the element
  logic        last, too_long;       // the element has them all; more than them
  assign behind     = {1'b0, left_q} - {1'b0, need_q};
  assign beyond     = {1'b0, need_q} - {1'b0, left_q};
  assign last       = !behind[32];
  assign too_long   = in_list && beyond[32];
  assign sum_done_o = !in_list;
  assign sum_bad_o  = too_long || (sum_done_o && need_q != '0);
  assign found_o    = last;

  // ---- pieces ----
  logic [12:0] piece;
  logic [5:0]  nmr_q;
  logic        some, none, goes;     // the packet lacks bytes; an empty or exhausted element; a piece is asked for
  assign some       = need_q[12:0] != '0;
  assign piece      = last ? need_q[12:0] : left_q[12:0];
  assign none       = left_q == '0;
  assign piece_o    = pack_i && some && !none && in_list;
  assign done_o     = pack_i && (!some || (!AHEAD && !none && in_list && mr_ready_i && last));
  assign over_o     = pack_i && some && !in_list;
  assign nmr_o      = nmr_q;
  assign mr_o.valid = piece_o && (AHEAD || !last || room_i);
  assign goes       = mr_o.valid && mr_ready_i;
  cairn_int_pkg::mr_req_t mr;
  always_comb begin
    mr         = '0;
    mr.key     = lkey_q;
    mr.pd      = pd_i;
    mr.qpn     = qpn_i;
    mr.va      = va_q;
    mr.len     = piece;
    mr.chk_len = {19'h0, piece};
    mr.last    = last;
  end
  assign mr_o.req = mr;

  logic        fresh;                // another count begins
  assign again = begin_i || (sum_i && sum_done_o);
  assign fresh = again || next_i || (seek_i && last);
  assign step  = again || (sum_i && !too_long) || (seek_i && !last) || (pack_i && some && (none || (goes && !last)));
  always_ff @(posedge clk_i) begin
    if (step) begin
      next_q <= (again ? 5'd0 : next_q) + 1'b1;
      at_q   <= at + 1'b1;
      va_q   <= sge[cairn_hw_pkg::SGE_ADDR_LSB +: 64];
      lkey_q <= sge[cairn_hw_pkg::SGE_LKEY_LSB +: 32];
      left_q <= sge[cairn_hw_pkg::SGE_LENGTH_LSB +: 32];
    end else if (seek_i || goes) begin
      va_q   <= va_q + {32'h0, need_q};
      left_q <= behind[31:0];
    end
    if (fresh) need_q <= (begin_i && list_i) ? len_i : (again && resume_i) ? offset_i : {19'h0, need_i};
    else if (sum_i || seek_i || goes) need_q <= (goes && last) ? '0 : beyond[31:0];
    if (begin_i || next_i || clear_i) nmr_q <= '0;
    else if (goes) nmr_q <= nmr_q + 1'b1;
  end
endmodule
