// SPDX-License-Identifier: Apache-2.0
// Binding a window (BIND_MW): may this window become a view of this region, and what does it look like then?
// Combinational, but for where the window begins in the region: got_i, the region is there; its verdict and bound_o are
// right when it is there again.
//
// IBTA 10.6.7.2, C10-72 to C10-75, o10-36, o10-37. The region comes later than the window; its verdict is looked at
// then.
// - window: type 2: not bound, length not 0. Type 1: may be bound, and length 0 only unbinds; never zero based. PD as
//   the QP's. Only remote rights. The low 8 bits of its key change.
// - region: full key, valid, no window, PD, right MW_BIND, LOCAL_WRITE when the window lets write, not zero based; the
//   window lies inside.
// A type 2 window belongs to the QP. A zero-based window is addressed from 0 on; base is its first byte in the region.
// Errors: enum vendor_err, for window and region. unbound_o: the window not bound, under the new key.
module mr_bind_rule (
    input  logic                   clk_i,
    input  logic                   got_i,
    input  cairn_hw_pkg::mpt_t     window_i,
    input  cairn_hw_pkg::mpt_t     region_i,
    input  cairn_int_pkg::mr_upd_t upd_i,
    output logic [7:0]             window_err_o,
    output logic [7:0]             region_err_o,
    output cairn_hw_pkg::mpt_t     unbound_o,
    output cairn_hw_pkg::mpt_t     bound_o
);
  localparam logic [7:0] WRITES = cairn_hw_pkg::ACCESS_REMOTE_WRITE | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC;
  localparam logic [7:0] REMOTE = WRITES | cairn_hw_pkg::ACCESS_REMOTE_READ;

  cairn_hw_pkg::mpt_t     w, m, un, b;
  cairn_int_pkg::mr_upd_t u;
  logic                   zero_based, bad_access;
  assign w = window_i;
  assign m = region_i;
  assign u = upd_i;
  assign zero_based = (u.access & cairn_hw_pkg::ACCESS_ZERO_BASED) != '0;
  assign bad_access = (u.access & ~(REMOTE | cairn_hw_pkg::ACCESS_ZERO_BASED)) != '0
                      || (zero_based && !w.flags_type2);
  always_comb begin
    window_err_o = cairn_hw_pkg::VENDOR_ERR_NONE;
    if (!w.flags_window || (w.flags_type2 && !w.flags_freed)) begin
      window_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_STATE;
    end else if (w.pd != u.pd) begin
      window_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (bad_access) begin
      window_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (w.flags_type2 && u.length == '0) begin
      window_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS;
    end
  end

  // Where it begins in the region, and in the region's first page.
  logic [63:0] off, walk, pages;
  logic [64:0] ends;
  logic        below;
  logic [29:0] lead, begins;
  always_ff @(posedge clk_i) if (got_i) {below, off, lead} <= {{1'b0, u.addr} - {1'b0, m.base}, begins};
  assign ends  = {1'b0, off} + {1'b0, u.length};
  assign walk  = off + {34'h0, lead};
  always_comb begin
    case (m.flags_page_log2[4:0])
      5'd12:   begins = {18'h0, m.base[11:0]};
      5'd16:   begins = {14'h0, m.base[15:0]};
      5'd21:   begins = {9'h0, m.base[20:0]};
      default: begins = m.base[29:0];
    endcase
  end
  always_comb begin
    case (m.flags_page_log2[4:0])
      5'd12:   pages = {12'h0, walk[63:12]};
      5'd16:   pages = {16'h0, walk[63:16]};
      5'd21:   pages = {21'h0, walk[63:21]};
      default: pages = {30'h0, walk[63:30]};
    endcase
  end
  always_comb begin
    region_err_o = cairn_hw_pkg::VENDOR_ERR_NONE;
    if (m.flags_mode == cairn_hw_pkg::MR_MODE_FREE || m.flags_freed) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_INDEX;
    end else if (m.key != u.mr_key) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
    end else if (m.pd != u.pd) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (m.flags_window) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_STATE;
    end else if ((m.flags_access & cairn_hw_pkg::ACCESS_MW_BIND) == '0
                 || (m.flags_access & cairn_hw_pkg::ACCESS_ZERO_BASED) != '0
                 || ((u.access & WRITES) != '0 && (m.flags_access & cairn_hw_pkg::ACCESS_LOCAL_WRITE) == '0)) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (below || ends > {1'b0, m.length}) begin
      region_err_o = cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS;
    end
  end

  always_comb begin
    un                = w;
    un.key            = u.key;
    un.flags_mode     = cairn_hw_pkg::MR_MODE_FREE;
    un.flags_freed    = 1'b1;
    un.flags_access   = '0;
    un.length         = '0;
    un.qpn            = '0;
    un.parent         = '0;
    b                 = un;
    b.flags_mode      = m.flags_mode;
    b.flags_freed     = 1'b0;
    b.flags_access    = u.access;
    b.flags_page_log2 = m.flags_page_log2;
    b.flags_func      = m.flags_func;
    b.base            = u.addr;
    b.length          = u.length;
    b.map             = m.map + (m.flags_mode == cairn_hw_pkg::MR_MODE_PAGED ? pages : off);
    b.qpn             = w.flags_type2 ? {8'h0, u.qpn} : 32'h0;
    b.parent          = u.mr_key;
  end
  assign unbound_o = un;
  assign bound_o   = b;
endmodule
