// SPDX-License-Identifier: Apache-2.0
// Eight bytes of the header of a job, as far as they come from the job itself. Combinational.
//
// Which eight: a bit of which_i for each piece of tx_form, at most one; none: 0. First byte of the wire on top. What
// all jobs share (lengths, our own addresses, checksum) is zero here, and so is the second half of a piece that has
// four bytes only. Errors: none.
module tx_piece #(
    parameter bit ATOMIC = 1'b1   // 0: there are no atomics
) (
    input  cairn_int_pkg::tx_job_t          job_i,
    input  logic [cairn_pkt_pkg::EXT_W-1:0] has_i,    // extension headers of the opcode
    input  logic [1:0]                      pad_i,
    input  logic                            cnp_i,
    input  cairn_int_pkg::tx_pieces_t       which_i,
    output logic [63:0]                     piece_o
);
  cairn_pkt_pkg::bth_t bth;
  logic [31:0]         ext0;     // the first four bytes of the extension headers
  logic [63:0]         ext1, ext2, ext3;
  logic                va, deth, aeth, imm;
  assign va   = has_i[cairn_pkt_pkg::EXT_RETH] || (ATOMIC && has_i[cairn_pkt_pkg::EXT_ATOMICETH]);
  assign deth = has_i[cairn_pkt_pkg::EXT_DETH];
  assign aeth = has_i[cairn_pkt_pkg::EXT_AETH];
  assign imm  = has_i[cairn_pkt_pkg::EXT_IMMDT];

  always_comb begin
    bth         = '0;
    bth.opcode  = job_i.opcode;
    bth.se      = job_i.se;
    bth.migreq  = !cnp_i;  // migrated, as every adapter sends; captured CNPs carry 0
    bth.pad     = pad_i;
    bth.pkey    = job_i.av.pkey;
    bth.becn    = cnp_i;
    bth.dest_qp = job_i.av.dest_qp;
    bth.ackreq  = job_i.ackreq;
    bth.psn     = job_i.psn;

    ext0 = (va ? job_i.args.va[63:32] : '0) | (aeth ? job_i.args.aeth : '0) | (deth ? job_i.qkey : '0)
           | ((imm && !va && !deth) ? job_i.args.imm : '0) | (has_i[cairn_pkt_pkg::EXT_IETH] ? job_i.args.key : '0);
    ext1 = va ? {job_i.args.va[31:0], job_i.args.key} : deth ? {8'h0, job_i.qpn, imm ? job_i.args.imm : 32'h0} : '0;
    ext2 = (va && !has_i[cairn_pkt_pkg::EXT_ATOMICETH]) ? {job_i.args.len, imm ? job_i.args.imm : 32'h0} : '0;
    ext3 = '0;
    if (ATOMIC) begin
      if (has_i[cairn_pkt_pkg::EXT_ATOMICACKETH]) ext1 = job_i.args.swap_add;
      if (has_i[cairn_pkt_pkg::EXT_ATOMICETH]) ext2 = job_i.args.swap_add;
      if (has_i[cairn_pkt_pkg::EXT_ATOMICETH]) ext3 = job_i.args.compare;
    end
  end

  assign piece_o = ({64{which_i.dmac}} & {16'h0, job_i.av.dmac})
                   | ({64{which_i.tag}} & {job_i.av.tci, 48'h0})
                   | ({64{which_i.v4_first}} & {8'h0, job_i.av.tclass, 48'h0})
                   | ({64{which_i.v4_src}} & {job_i.av.hop, 56'h0})
                   | ({64{which_i.v4_dst}} & {job_i.av.dgid[31:0], 32'h0})
                   | ({64{which_i.v6_first}} & {4'h0, job_i.av.tclass, job_i.av.flow, 24'h0, job_i.av.hop})
                   | ({64{which_i.v6_dst0}} & job_i.av.dgid[127:64])
                   | ({64{which_i.v6_dst1}} & job_i.av.dgid[63:0])
                   | ({64{which_i.udp}} & {job_i.av.sport, 48'h0})
                   | ({64{which_i.bth}} & bth[95:32])
                   | ({64{which_i.psn}} & {bth[31:0], ext0})
                   | ({64{which_i.ext1}} & ext1)
                   | ({64{which_i.ext2}} & ext2)
                   | ({64{which_i.ext3}} & ext3);
endmodule
