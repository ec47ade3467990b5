// SPDX-License-Identifier: Apache-2.0
// What becomes of a packet with what is known of its memory, for rsp_join, if it is passed on. Combinational.
//
// UC and UD: an error is RSK_DROP, the receive buffer of a UD QP aside.
// Errors: an MR error turns the record into RSK_ERR: NAK 0x62 for a remote key, 0x63 and LOC_PROT_ERR for the receive
//   buffer; that of a key to invalidate comes before the receive buffer's.
module rsp_fate #(
    parameter logic [31:0] FEATURES = '1           // as REG FEATURES
) (
    input  cairn_int_pkg::rsp_rec_t rec_i,
    input  logic                    more_i,
    input  logic [15:0]             rq_here_i,     // UC, UD: receive in use or next
    input  logic                    lost_i,        // UC, UD: no receive (empty_i), or the rest of a message
    input  logic                    empty_i,
    input  logic                    err_i,         // an answer of the MR service, the first that is one
    input  logic [7:0]              vendor_i,
    input  logic                    odd_i,         // the place in memory is not aligned to 8 bytes
    input  logic                    inv_err_i,     // the key may not be invalidated (bad: was not), for a reason
    input  logic                    inv_bad_i,
    input  logic [7:0]              inv_vendor_i,
    output cairn_int_pkg::rsp_rec_t rec_o
);
  localparam bit HAS_ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  cairn_int_pkg::rsp_rec_t r, o;
  logic                    local_fault;
  assign r           = rec_i;
  assign rec_o       = o;
  assign local_fault = vendor_i == cairn_hw_pkg::VENDOR_ERR_DMA_READ || vendor_i == cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
  always_comb begin
    o = r;
    o.more = more_i;
    if (r.silent) o.rq.index = rq_here_i;
    if (lost_i) begin
      o.kind           = cairn_int_pkg::RSK_DROP;
      o.verdict.vendor = empty_i ? cairn_hw_pkg::VENDOR_ERR_RNR : cairn_hw_pkg::VENDOR_ERR_REQ_OPCODE;
    end else if (err_i && r.silent && !r.ud.valid) begin
      o.kind           = cairn_int_pkg::RSK_DROP;
      o.verdict.vendor = vendor_i;
    end else if ((err_i || inv_bad_i) && r.kind != cairn_int_pkg::RSK_ERR) begin
      o.kind           = cairn_int_pkg::RSK_ERR;
      o.verdict.vendor = vendor_i;
      if (inv_err_i) begin
        // This comes before the receive buffer.
        o.verdict.vendor = inv_vendor_i;
        o.verdict.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_ACCESS);
        o.verdict.status = cairn_hw_pkg::WC_STATUS_REM_INV_REQ_ERR;
        o.verdict.etype  = cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR;
      end else if (r.kind == cairn_int_pkg::RSK_SEND) begin
        o.verdict.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
        o.verdict.status = cairn_hw_pkg::WC_STATUS_LOC_PROT_ERR;
        o.verdict.etype  = '0;
      end else begin
        o.verdict.syn    = cairn_fn_pkg::aeth_nak(local_fault ? cairn_pkt_pkg::AETH_NAK_OP
                                                                 : cairn_pkt_pkg::AETH_NAK_ACCESS);
        o.verdict.status = cairn_hw_pkg::WC_STATUS_LOC_ACCESS_ERR;
        o.verdict.etype  = local_fault ? cairn_hw_pkg::EQE_TYPE_QP_FATAL : cairn_hw_pkg::EQE_TYPE_QP_ACCESS_ERR;
        o.take           = r.srq.valid && r.take;   // a slot of an SRQ has been taken and must come back
        if (r.srq.valid) o.verdict.status = cairn_hw_pkg::WC_STATUS_WR_FLUSH_ERR;
      end
    end else if (HAS_ATOMIC && r.kind == cairn_int_pkg::RSK_ATOMIC && (r.place.va[2:0] != '0 || odd_i)) begin
      // An unknown key is the worse fault, so only now. A zero-based key, or one with an address of its own, may begin
      // anywhere: what counts is where the bytes are.
      o.kind           = cairn_int_pkg::RSK_ERR;
      o.verdict.vendor = cairn_hw_pkg::VENDOR_ERR_REQ_ALIGN;
    end else if (r.silent && r.kind == cairn_int_pkg::RSK_ERR
                 && (!r.ud.valid || r.verdict.vendor == cairn_hw_pkg::VENDOR_ERR_RQ_LENGTH)) begin
      o.kind   = cairn_int_pkg::RSK_DROP;
    end
  end
endmodule
