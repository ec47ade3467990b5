// SPDX-License-Identifier: Apache-2.0
// The scatter list of the WQE in hand: keeps its blocks, and a cursor (element, byte in it) over its elements.
//
// Cuts a packet's payload into pieces, each an MR request (client MRC_REQ, at most one element each). Used by
// req_build, whose states say what to do:
// - begin_i: the WQE is complete: cursor to the first element. With go_i a packet follows, of need_i bytes, after
//   adding up the elements (list_i) or from byte offset_i of the message on.
// - sum_i: add one element a cycle until sum_done_o or sum_bad_o.
// - seek_i: pass one element a cycle until found_o, the element that holds the first byte.
// - pack_i: ask for one piece a cycle, passing empty elements; done_o: the packet's last piece goes, or none is needed.
// - next_i: another packet of the same message, of need_i bytes; the cursor stays where it is.
// - clear_i: counts the pieces anew: a visit begins, or the packet's record went out.
// The last piece waits for room_i (its record must go in the same cycle).
// Errors: sum_bad_o, the elements do not add up to len_i; over_o, the list ended within a packet.
module req_cursor (
    input  logic                   clk_i,
    // the WQE's blocks: write, and read of any of them
    input  logic                   we_i,
    input  logic [2:0]             wr_no_i,
    input  logic [511:0]           wr_data_i,
    input  logic [2:0]             rd_no_i,
    output logic [511:0]           rd_data_o,
    input  logic [4:0]             nsge_i,
    input  logic [2:0]             first_i,  // where the first element stands, in elements from the start of the WQE
    input  logic [31:0]            len_i,
    input  logic [31:0]            offset_i,
    input  logic [23:0]            pd_i,
    input  logic [23:0]            qpn_i,
    input  logic                   begin_i,
    input  logic                   go_i,
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
  // ---- element under the cursor ----
  logic [511:0] blk [0:7];
  logic [4:0]   sge_q, at;
  logic [31:0]  sge_off_q;
  logic [511:0] sge_blk;
  logic [127:0] sge;
  logic [63:0]  addr;
  logic [31:0]  lkey, sge_len, sge_left;
  assign at        = sge_q + {2'b00, first_i};
  assign sge_blk   = blk[at[4:2]];
  assign sge       = sge_blk[128*at[1:0] +: 128];
  assign addr      = sge[cairn_hw_pkg::SGE_ADDR_LSB +: 64];
  assign lkey      = sge[cairn_hw_pkg::SGE_LKEY_LSB +: 32];
  assign sge_len   = sge[cairn_hw_pkg::SGE_LENGTH_LSB +: 32];
  assign sge_left  = sge_len - sge_off_q;
  assign rd_data_o = blk[rd_no_i];
  always_ff @(posedge clk_i) if (we_i) blk[wr_no_i] <= wr_data_i;

  // ---- adding up and seeking ----
  logic [31:0] seek_q;               // bytes summed, or still to skip
  logic        too_long;
  assign sum_done_o = sge_q == nsge_i;
  assign too_long   = !sum_done_o && {1'b0, seek_q} + {1'b0, sge_len} > 33'(cairn_hw_pkg::MAX_MSG_BYTES);
  assign sum_bad_o  = too_long || (sum_done_o && seek_q != len_i);
  assign found_o    = seek_q < sge_len;

  // ---- pieces ----
  logic [12:0] need_q, piece;        // payload bytes of the packet still without a piece
  logic [5:0]  nmr_q;
  logic        skip, last;           // an empty or exhausted element; the packet's last piece
  assign piece      = (32'(need_q) < sge_left) ? need_q : sge_left[12:0];
  assign skip       = pack_i && need_q != '0 && sge_left == '0;
  assign piece_o    = pack_i && need_q != '0 && sge_left != '0;
  assign last       = need_q == piece;
  assign done_o     = pack_i && (need_q == '0 || (piece_o && mr_ready_i && last));
  assign over_o     = skip && sge_q >= nsge_i;
  assign nmr_o      = nmr_q;
  assign mr_o.valid = piece_o && (!last || room_i);
  cairn_int_pkg::mr_req_t mr;
  always_comb begin
    mr         = '0;
    mr.key     = lkey;
    mr.pd      = pd_i;
    mr.qpn     = qpn_i;
    mr.va      = addr + {32'h0, sge_off_q};
    mr.len     = piece;
    mr.chk_len = {19'h0, piece};
    mr.last    = last;
  end
  assign mr_o.req = mr;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      sge_q     <= '0;
      sge_off_q <= '0;
      seek_q    <= (go_i && list_i) ? '0 : offset_i;
    end
    if (sum_i) begin
      seek_q <= seek_q + sge_len;
      if (!too_long && sum_done_o) begin
        sge_q  <= '0;
        seek_q <= offset_i;
      end else if (!too_long) begin
        sge_q <= sge_q + 1'b1;
      end
    end
    if (seek_i && found_o) begin
      sge_off_q <= seek_q;
    end else if (seek_i) begin
      seek_q <= seek_q - sge_len;
      sge_q  <= sge_q + 1'b1;
    end
    if (skip) begin
      sge_q     <= sge_q + 1'b1;
      sge_off_q <= '0;
    end
    if (go_i || next_i) need_q <= need_i;
    if (begin_i || next_i || clear_i) nmr_q <= '0;
    if (mr_o.valid && mr_ready_i) begin
      need_q    <= need_q - piece;
      sge_off_q <= sge_off_q + {19'h0, piece};
      if (!clear_i) nmr_q <= nmr_q + 1'b1;
    end
  end
endmodule
