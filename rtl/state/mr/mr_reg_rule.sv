// SPDX-License-Identifier: Apache-2.0
// Fast registration (REG_MR work request): may this record become this region, and what does it look like then?
// Combinational, but for what only the request is needed for: that is as of a cycle ago.
//
// IBTA 10.6.3.5, 11.3.2.4; docs/commands.md 8. The record was made by REG_MR with MR_FLAG_ALLOC and is not valid now;
// PD as the QP's; only the low 8 bits of the key change; the page list begins where it was allocated and is not longer;
// access as for REG_MR. A zero-based region (ACCESS.ZERO_BASED) is addressed from 0 on; base is the address whose page
// is the first of the list.
// lines_o: 64-byte lines of page list entries in use. Errors: enum vendor_err.
module mr_reg_rule (
    input  logic                   clk_i,
    input  cairn_hw_pkg::mpt_t     mpt_i,
    input  cairn_int_pkg::mr_upd_t upd_i,
    output logic [7:0]             vendor_o,
    output cairn_hw_pkg::mpt_t     mpt_o,
    output logic [31:0]            lines_o
);
  localparam logic [7:0] KNOWN = cairn_hw_pkg::ACCESS_LOCAL_WRITE | cairn_hw_pkg::ACCESS_REMOTE_WRITE
      | cairn_hw_pkg::ACCESS_REMOTE_READ | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC | cairn_hw_pkg::ACCESS_MW_BIND
      | cairn_hw_pkg::ACCESS_ZERO_BASED;
  localparam logic [7:0] WRITES = cairn_hw_pkg::ACCESS_REMOTE_WRITE | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC;

  cairn_hw_pkg::mpt_t     m, n;
  cairn_int_pkg::mr_upd_t u;
  logic [63:0]            walk, span;   // the last byte, from the beginning of the first page; pages before its
  logic [64:0]            ends;
  logic [29:0]            lead;
  logic [51:0]            span_q;
  logic                   good_size, bad_access, bad_q, long_q;
  assign m         = mpt_i;
  assign u         = upd_i;
  assign ends      = {1'b0, u.addr} + {1'b0, u.length};
  assign walk      = {34'h0, lead} + (u.length - 64'h1);
  assign good_size = u.page_log2 == 8'd12 || u.page_log2 == 8'd16 || u.page_log2 == 8'd21 || u.page_log2 == 8'd30;
  always_comb begin
    case (u.page_log2[4:0])
      5'd12:   lead = {18'h0, u.addr[11:0]};
      5'd16:   lead = {14'h0, u.addr[15:0]};
      5'd21:   lead = {9'h0, u.addr[20:0]};
      default: lead = u.addr[29:0];
    endcase
  end
  always_comb begin
    case (u.page_log2[4:0])
      5'd12:   span = {12'h0, walk[63:12]};
      5'd16:   span = {16'h0, walk[63:16]};
      5'd21:   span = {21'h0, walk[63:21]};
      default: span = {30'h0, walk[63:30]};
    endcase
  end
  assign bad_access = (u.access & ~KNOWN) != '0
                      || ((u.access & WRITES) != '0 && (u.access & cairn_hw_pkg::ACCESS_LOCAL_WRITE) == '0);
  always_ff @(posedge clk_i) begin
    span_q <= span[51:0];                // (pages are of 4 KiB or more)
    bad_q  <= bad_access;
    long_q <= !good_size || u.length == '0 || ends > 65'h1_0000_0000_0000_0000;
  end
  always_comb begin
    vendor_o = cairn_hw_pkg::VENDOR_ERR_NONE;
    if (m.flags_window || m.pages == '0 || !m.flags_freed) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_STATE;
    end else if (m.pd != u.pd) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (bad_q) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (long_q || u.page_list != m.map || span_q >= {20'h0, m.pages}) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS;
    end
  end
  always_comb begin
    n                 = m;
    n.key             = u.key;
    n.flags_mode      = cairn_hw_pkg::MR_MODE_PAGED;
    n.flags_freed     = 1'b0;
    n.flags_access    = u.access;
    n.flags_page_log2 = u.page_log2[5:0];
    n.base            = u.addr;
    n.length          = u.length;
  end
  assign mpt_o   = n;
  assign lines_o = 32'(span_q >> 3) + 32'h1;
endmodule
