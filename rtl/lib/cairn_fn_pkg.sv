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
endpackage
