// SPDX-License-Identifier: Apache-2.0
// A record as it comes out of a RAM, without what the build does not have. Combinational.
//
// It is zero in the RAM, but only who wrote it knows that. So what would be made of atomics, SRQs and keys that a SEND
// takes away is left out behind the RAM too, and of numbers what is above the QPs and slots there are.
// Errors: none.
module rsp_have #(
    parameter logic [31:0] FEATURES = '1,   // as REG FEATURES
    parameter int unsigned QPN_W    = 24,   // bits of a QPN
    parameter int unsigned SLOTS    = 4096
) (
    input  cairn_int_pkg::rsp_rec_t rec_i,
    output cairn_int_pkg::rsp_rec_t rec_o
);
  cairn_int_pkg::rsp_rec_t r;
  assign rec_o = r;
  always_comb begin
    r         = rec_i;
    r.id.qpn  = 24'(rec_i.id.qpn[QPN_W-1:0]);
    r.id.slot = cairn_int_pkg::SLOT_W'(rec_i.id.slot[$clog2(SLOTS)-1:0]);
    if (!FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB]) r.atomic = '0;
    if (!FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB]) r.srq = '0;
    if (!FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB]) r.inv = '0;
  end
endmodule
