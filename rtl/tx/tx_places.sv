// SPDX-License-Identifier: Apache-2.0
// Positions in the frame of a granted job whose header is made already (tx_form): what tx_headers tells besides it.
//
// Counted from byte 0 of the frame, as there. The job is looked at where it is offered, until its positions stand.
// Cycles: three; one job in three cycles. Errors: none.
module tx_places #(
    localparam int unsigned RAW_LEN_W = cairn_hw_pkg::REG_RAW_TX_LEN_W,
    localparam int unsigned POS_W     = 13
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    // from tx_arbiter
    input  cairn_int_pkg::tx_grant_t  in_i,
    output logic                      in_ready_o,
    // frame
    output cairn_int_pkg::tx_frame_t  out_o,
    input  logic                      out_ready_i,
    output logic                      idle_o
);
  logic h1_valid_q, h2_valid_q, h3_valid_q, take;
  assign take       = !h3_valid_q || out_ready_i;
  assign in_ready_o = h2_valid_q && take;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {h1_valid_q, h2_valid_q, h3_valid_q} <= 3'b000;
    end else begin
      h1_valid_q <= !h1_valid_q && !h2_valid_q && in_i.valid;
      h2_valid_q <= h1_valid_q || (h2_valid_q && !take);
      if (take) h3_valid_q <= h2_valid_q;
    end
  end

  cairn_int_pkg::tx_frame_t q;
  logic             data_q;
  logic [6:0]       hdr_len, hdr_len_q;
  logic [POS_W-1:0] pay, padded, pay_q, padded_q, hi_q, icrc_q, ends;
  tx_hdr_len u_len (.opcode_i(in_i.job.opcode), .vlan_i(in_i.job.av.vlan), .ipv6_i(in_i.job.av.ipv6), .len_o(hdr_len),
                    .l4_o());
  assign pay    = in_i.raw ? POS_W'(in_i.raw_len[RAW_LEN_W-1:0]) : POS_W'(in_i.job.pay_len);
  assign padded = {(POS_W-2)'((pay + POS_W'(3)) >> 2), 2'b00};
  assign ends   = in_i.raw ? hi_q : icrc_q + POS_W'(cairn_pkt_pkg::ICRC_BYTES);
  always_ff @(posedge clk_i) begin
    hdr_len_q <= in_i.raw ? '0 : hdr_len;
    pay_q     <= pay;
    padded_q  <= padded;
    data_q    <= pay_q != '0;
    hi_q      <= POS_W'(hdr_len_q) + pay_q;
    icrc_q    <= POS_W'(hdr_len_q) + padded_q;
    if (take) begin
      q <= {1'b0, in_i.ring, in_i.drop, in_i.raw, in_i.job.av.vlan, in_i.job.av.ipv6, in_i.place,
            POS_W'(hdr_len_q), hi_q, icrc_q,
            (ends < POS_W'(cairn_pkt_pkg::MIN_FRAME)) ? POS_W'(cairn_pkt_pkg::MIN_FRAME) : ends,
            data_q, in_i.job.slot[6:0]};
    end
  end
  always_comb begin
    out_o       = q;
    out_o.valid = h3_valid_q;
  end
  assign idle_o = !(h1_valid_q || h2_valid_q || h3_valid_q);
endmodule
