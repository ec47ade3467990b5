// SPDX-License-Identifier: Apache-2.0
// Where the walk of cmp_retire stands. Combinational. IBTA 9.7.7.2.5, 10.7.3.1.
//
// From the parts of the QP (the walker's working copy), the doorbell index and, for UC, UD and GSI, what tx has sent:
// nothing is acknowledged there. A standing error: cmp.ERR at the WQE that holds UNA_PSN, req.ERR at NEXT_INDEX, state
// ERR at the oldest WQE; after the first one was told (FLUSHING) all flush. stands_o: WQEs end with it from OLD_INDEX
// on.
// Order: a READ or atomic before the PSN of a remote error whose data is still in cmp_place is waited for (again_o).
//   One that an error ends is first closed for cmp_place (stop_o, again_o), so no data comes after its completion.
// Errors: none.
module cmp_walk (
    input  logic [511:0] cfg_i,
    input  logic [511:0] req_i,
    input  logic [511:0] cmp_i,
    input  logic [15:0]  pi_i,
    input  logic [7:0]   sent_gen_i,
    input  logic [23:0]  sent_psn_i,
    input  logic         busy_i,         // cmp_place holds packets of the QP
    output logic         rc_o,
    output logic [23:0]  una_o,          // all before it is acknowledged, or sent
    output logic         quiet_o,        // nothing issued is left
    output logic         issued_o,       // the WQE at OLD_INDEX has packets out
    output logic         executed_o,     // ... or is done with, if it has none
    output logic         passed_o,       // the requester has gone on from it: all its packets are out
    output logic         rd_full_o,
    output logic         rd_open_o,
    output logic         lost_o,         // acknowledged beyond an incomplete READ, no data of it inside, nor was it
                                         // asked for again since (req_acked)
    output logic         at_req_err_o,
    output logic         cfg_err_o,
    output logic         stands_o,
    output logic         firm_o,         // ... whatever is acknowledged
    output logic         st_ok_o,        // the QP's state lets the walker work
    output logic         look_o,         // there is a WQE to look at
    output logic         stop_o,
    output logic         again_o
);
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t c;
  logic [23:0] acked, d_issued, d_rd, d_gb, rd_end;
  logic [15:0] d_local, d_req;
  logic        beyond, hold, recovering;
  assign cfg = cfg_i;
  assign req = req_i;
  assign c   = cmp_i;

  assign rc_o     = cfg.state_type == cairn_hw_pkg::QP_TYPE_RC;
  assign acked    = rc_o ? c.una_una_psn : (sent_gen_i == c.tag_gen) ? sent_psn_i : c.old_psn;
  assign una_o    = cairn_fn_pkg::psn_later(acked, c.old_psn);
  assign d_issued = req.hi_psn - c.old_psn;
  assign quiet_o  = d_issued == '0;
  assign issued_o = !(&d_issued[23:16]) && d_issued != '0;
  assign d_local  = req.index_local_index - c.oldest_old_index;
  assign d_req    = req.index_next_index - c.oldest_old_index;
  // The whole of a ring of 2^15 is ahead: what was executed is never behind. NEXT_INDEX can be, after a go-back.
  assign executed_o = issued_o || (d_local != '0 && (!d_local[15] || d_local[14:0] == '0));
  assign passed_o   = !d_req[15] && d_req != '0;

  assign rd_full_o = c.rflags_rd_valid && c.rd_placed != '0 && c.rd_placed >= c.rd_len;
  assign rd_open_o = c.rflags_rd_valid && !rd_full_o;
  assign rd_end    = c.old_psn + cairn_fn_pkg::packets(c.rd_len, cfg.state_pmtu);
  assign d_rd      = una_o - rd_end;
  req_acked u_acked (.req_i, .cmp_i, .recovering_o(recovering), .una_o(), .sure_o());
  assign beyond    = rd_open_o && !d_rd[23];
  assign d_gb      = rd_end - c.gb_gb_psn;
  assign lost_o    = beyond && !stands_o && !busy_i && (!recovering || d_gb[23] || d_gb == '0);

  assign cfg_err_o    = cfg.state == cairn_hw_pkg::QP_STATE_ERR;
  assign at_req_err_o = req.flags_err && d_req == '0;
  assign firm_o       = c.rflags_flushing || at_req_err_o || cfg_err_o;
  assign stands_o     = firm_o || (c.flags_err && !(beyond && busy_i));
  assign st_ok_o      = cairn_fn_pkg::qp_takes_responses(cfg.state) || cfg.state == cairn_hw_pkg::QP_STATE_SQE
                        || cfg_err_o;
  assign hold         = stands_o && rd_open_o && (!c.rflags_rd_stop || busy_i);
  assign look_o       = st_ok_o && c.oldest_old_index != pi_i && !hold && (stands_o || (executed_o && !rd_open_o));
  assign stop_o       = st_ok_o && hold && !c.rflags_rd_stop;
  assign again_o      = st_ok_o && (hold || (c.flags_err && !firm_o && beyond && busy_i));
endmodule
