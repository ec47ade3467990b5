// SPDX-License-Identifier: Apache-2.0
// Is a data answer what is expected? Combinational; used by cmp_check. IBTA 9.7.5.1.
//
// The READ or atomic that is next is at x_i, if one is known (open_i). dead_i: the QP takes no data; old_i: the PSN is
// before the oldest request. Of an answer that none is open for: stale, not_read, or no_read, see cmp_check.
// Errors: see cmp_expected.
module cmp_expect #(
    parameter int unsigned READ_CHUNK = 1024
) (
    input  cairn_int_pkg::cmp_rec_t       rec_i,
    input  cairn_int_pkg::cmp_cursor_t    x_i,
    input  logic [23:0]                   old_end_i,
    input  logic                          plain_i,    // the oldest is a SEND or WRITE
    input  logic                          dead_i,
    input  logic                          old_i,
    input  logic                          open_i,
    input  logic                          atomic_i,   // ... and is one
    input  logic                          again_i,
    input  logic                          tired_i,
    output cairn_int_pkg::cmp_expected_t  said_o
);
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  logic        at_start, bad_len, bad_op, end_, whole, dup, no_read, not_read;
  logic [12:0] mtu;
  logic [23:0] d_exp, d_end;
  assign d_exp    = rec_i.psn - x_i.psn;
  assign d_end    = rec_i.psn - old_end_i;
  assign mtu      = 13'(cairn_fn_pkg::pmtu_bytes(rec_i.qp.pmtu));
  assign whole    = cairn_fn_pkg::pmtu_fits(x_i.rest, rec_i.qp.pmtu);
  assign at_start = x_i.packets[CHUNK_LG-1:0] == '0;
  assign end_     = whole || (&x_i.packets[CHUNK_LG-1:0]);
  assign bad_op   = rec_i.atomic != atomic_i || (!rec_i.atomic && ((at_start && !rec_i.start) || end_ != rec_i.last));
  assign bad_len  = !rec_i.atomic && rec_i.pay_len != (whole ? x_i.rest[12:0] : mtu);
  assign dup      = !dead_i && (old_i || d_exp[23]);
  assign no_read  = !dead_i && !dup && !open_i;
  assign not_read = no_read && plain_i && d_end[23];
  assign said_o.at_end   = end_;
  assign said_o.whole    = whole;
  assign said_o.bad_op   = bad_op;
  assign said_o.bad      = open_i && !dead_i && d_exp == '0 && !old_i && (bad_op || bad_len);
  assign said_o.no_read  = no_read;
  assign said_o.not_read = not_read;
  assign said_o.stale    = no_read && !not_read && tired_i && again_i;
  assign said_o.dup      = dup;
  assign said_o.ahead    = open_i && !dead_i && !dup && d_exp != '0;
endmodule
