// SPDX-License-Identifier: Apache-2.0
// What several parts work out in the same way. Functions of vectors only: Debian 12's Yosys takes no others.
package cairn_fn_pkg;

  // OWNER of a send WQE's check word. Two QPs, or lives of one, that differ in one of QPN bits 15:0, QPN bits 23:16 and
  // the generation never have the same.
  function automatic logic [15:0] wqe_owner(input logic [23:0] qpn, input logic [7:0] gen);
    wqe_owner = qpn[15:0] ^ {gen[0], gen[1], gen[2], gen[3], gen[4], gen[5], gen[6], gen[7], qpn[23:16]};
  endfunction

  // The later of two PSNs. `a` is up to 2^23 ahead of the anchor, a message of 2^31 bytes, or up to a window behind.
  function automatic logic [23:0] psn_later(input logic [23:0] a, input logic [23:0] anchor);
    psn_later = ((a - anchor) >> 16 == 24'hff) ? anchor : a;
  endfunction

  // The path MTU in bytes, of its code 1 to 5.
  function automatic logic [31:0] pmtu_bytes(input logic [2:0] pmtu);
    pmtu_bytes = 32'h80 << pmtu;
  endfunction

  // Whole packets in front of byte `offset` of a message.
  function automatic logic [23:0] packets_before(input logic [31:0] offset, input logic [2:0] pmtu);
    packets_before = 24'(offset >> (4'd7 + {1'b0, pmtu}));
  endfunction

  // Packets of a message, the last of them perhaps not full; an empty message is one.
  // Each MTU has its own wires: that is less than a shift, and no sum but the last.
  function automatic logic [23:0] packets(input logic [31:0] len, input logic [2:0] pmtu);
    logic [23:0] full;
    logic        more;
    begin
      full = 24'(len >> 8);
      more = len[7:0] != '0;
      for (int unsigned i = 2; i < 6; i++) begin
        if (pmtu == 3'(i)) begin
          full = 24'(len >> (7 + i));
          more = (len << (25 - i)) != '0;
        end
      end
      packets = full + 24'(more || len == '0);
    end
  endfunction

  // Bytes of so many full packets.
  function automatic logic [31:0] packet_bytes(input logic [23:0] count, input logic [2:0] pmtu);
    begin
      packet_bytes = {count, 8'h0};
      for (int unsigned i = 2; i < 6; i++) begin
        if (pmtu == 3'(i)) packet_bytes = {8'h0, count} << (7 + i);
      end
    end
  endfunction

  // More than 2^log2.
  function automatic logic above(input logic [31:0] v, input logic [4:0] log2);
    above = (v >> log2) != '0 && v != (32'h1 << log2);
  endfunction

  // It goes in one packet.
  function automatic logic pmtu_fits(input logic [31:0] len, input logic [2:0] pmtu);
    begin
      pmtu_fits = (len >> 8) == '0 || ((len >> 9) == '0 && len[7:0] == '0);
      for (int unsigned i = 2; i < 6; i++) begin
        if (pmtu == 3'(i)) pmtu_fits = (len >> (7 + i)) == '0 || ((len >> (8 + i)) == '0 && (len << (25 - i)) == '0);
      end
    end
  endfunction

  // States of a QP (cfg.state) in which it takes requests, and responses.
  function automatic logic qp_takes_responses(input logic [2:0] state);
    qp_takes_responses = state == cairn_hw_pkg::QP_STATE_RTS || state == cairn_hw_pkg::QP_STATE_SQD;
  endfunction

  function automatic logic qp_takes_requests(input logic [2:0] state);
    qp_takes_requests = qp_takes_responses(state) || state == cairn_hw_pkg::QP_STATE_RTR
                        || state == cairn_hw_pkg::QP_STATE_SQE;
  endfunction

  // Syndrome of the AETH of a NAK, by its code.
  function automatic logic [7:0] aeth_nak(input logic [4:0] code);
    aeth_nak = {1'b0, cairn_pkt_pkg::AETH_CLASS_NAK, code};
  endfunction

  // A GID of host memory, whose byte 0 is in bits 7:0, as the records of the data path have it: byte 0 in 127:120.
  function automatic logic [127:0] wire_gid(input logic [127:0] gid);
    for (int unsigned i = 0; i < 16; i++) wire_gid[127 - 8*i -: 8] = gid[8*i +: 8];
  endfunction

  // Cells of the receive pool (256 bytes) that a payload takes, `off` bytes into the first.
  function automatic logic [4:0] rx_cells(input logic [cairn_int_pkg::LEN_W-1:0] len, input logic [7:0] off);
    rx_cells = 5'((14'(len) + 14'(off) + 14'd255) >> 8);
  endfunction

  // rx_qp_t.check. Words of the address are turned against each other, so that equal ones, or two that change places,
  // do not cancel.
  function automatic logic [15:0] rx_check_gid(input logic [127:0] gid, input logic [7:0] own);
    rx_check_gid = gid[15:0] ^ {gid[18:16], gid[31:19]} ^ {gid[37:32], gid[47:38]} ^ {gid[56:48], gid[63:57]}
                   ^ {gid[75:64], gid[79:76]} ^ {gid[80], gid[95:81]} ^ {gid[99:96], gid[111:100]}
                   ^ {gid[118:112], gid[127:119]} ^ {own, 8'h0};
  endfunction

  function automatic logic [15:0] rx_check_qkey(input logic [31:0] qkey);
    rx_check_qkey = qkey[15:0] ^ qkey[31:16];
  endfunction

  // IPv6 next headers that are extensions or fragments (RFC 8200 4, 4302, 4303, 6275, 7401, 5533): none is taken.
  function automatic logic ipv6_extension(input logic [7:0] next);
    ipv6_extension = next == 8'd0 || next == 8'd43 || next == 8'd44 || next == 8'd50 || next == 8'd51 || next == 8'd60
                     || next == 8'd135 || next == 8'd139 || next == 8'd140;
  endfunction
endpackage
