// SPDX-License-Identifier: Apache-2.0
// What is acknowledged of an RC QP, and how much of it can be believed. Combinational. IBTA 9.7.5.1.2, 9.7.7.1.
//
// una_o: oldest PSN not acknowledged, the later of UNA_PSN and the walker's OLD_PSN. It says nothing of READ and atomic
// answers: a responder that sees a duplicate acknowledges the newest PSN it has executed, so after a go-back una_o may
// lie beyond READs whose answers were lost and that are only being asked for again.
// recovering_o: such PSNs are out, from the go-back (by timer or implied NAK; behind the PSN of a NAK nothing was
// executed) until a packet is acknowledged that was new after it (REC_END), or all before that is retired.
// sure_o: what a walk may pass over: una_o, but while recovering the oldest PSN whose message is not completed.
// Both candidates are compared at once, before it is known which of the two counts.
// Errors: none.
module req_acked (
    input  logic [511:0] req_i,         // qp_req_t
    input  logic [511:0] cmp_i,         // qp_cmp_t
    output logic         recovering_o,
    output logic [23:0]  una_o,
    output logic [23:0]  sure_o
);
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t cmp;
  logic [23:0] ahead, d_una, d_old;
  logic        una_old;                // una_o is OLD_PSN, as psn_later() has it
  logic        una_seen;               // not beyond REC_END
  assign req       = req_i;
  assign cmp       = cmp_i;
  assign ahead     = cmp.una_una_psn - cmp.old_psn;
  assign una_old   = &ahead[23:16];
  assign una_o     = una_old ? cmp.old_psn : cmp.una_una_psn;
  assign d_una     = cmp.una_una_psn - req.recover_rec_end;
  assign d_old     = cmp.old_psn - req.recover_rec_end;
  assign una_seen  = d_una[23] || d_una == '0;
  assign recovering_o = cmp.flags_doubt && (cmp.una_gb_epoch != req.psn_send_epoch
                                            || ((una_old || una_seen) && d_old[23]));
  assign sure_o       = (recovering_o || una_old) ? cmp.old_psn : cmp.una_una_psn;
endmodule
