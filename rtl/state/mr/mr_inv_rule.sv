// SPDX-License-Identifier: Apache-2.0
// May this key be invalidated? For LOCAL_INV and for a peer's SEND with invalidate. Combinational. IBTA 10.6.5, 10.7.2.
//
// Used by mr_lookup before a peer's message is accepted, and by mr_update when it is committed.
// - a region made for fast registration, valid, of the same PD, without windows; for a peer: with a remote right, since
//   a region without one has no R_Key
// - a type 2 window, bound, of the same PD; for a peer: of the QP that the request came to
// Errors: enum vendor_err, NONE when it may.
module mr_inv_rule (
    input  cairn_hw_pkg::mpt_t mpt_i,
    input  logic [31:0]        key_i,
    input  logic [23:0]        pd_i,
    input  logic [23:0]        qpn_i,
    input  logic               remote_i,
    output logic [7:0]         vendor_o
);
  cairn_hw_pkg::mpt_t m;
  logic               no_remote;
  assign m         = mpt_i;
  assign no_remote = (m.flags_access & (cairn_hw_pkg::ACCESS_REMOTE_WRITE | cairn_hw_pkg::ACCESS_REMOTE_READ
                                        | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC)) == '0;
  always_comb begin
    vendor_o = cairn_hw_pkg::VENDOR_ERR_NONE;
    if (m.flags_mode == cairn_hw_pkg::MR_MODE_FREE || m.flags_freed) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_INDEX;
    end else if (m.key != key_i) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
    end else if (m.pd != pd_i || (m.flags_window && m.flags_type2 && remote_i && m.qpn != {8'h0, qpn_i})) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (m.flags_window ? !m.flags_type2 : m.pages == '0) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_STATE;
    end else if (!m.flags_window && remote_i && no_remote) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (!m.flags_window && m.windows != m.unbound) begin
      vendor_o = cairn_hw_pkg::VENDOR_ERR_KEY_BUSY;
    end
  end
endmodule
