// SPDX-License-Identifier: Apache-2.0
// Where the walk of cmp_retire stands. Combinational. IBTA 9.7.7.2.5, 10.7.3.1.
//
// From the parts of the QP (the walker's working copy), the doorbell index, and the PSN before which all is
// acknowledged or, for UC, UD and GSI, sent. A standing error: cmp.ERR at the WQE that holds UNA_PSN, req.ERR at
// NEXT_INDEX, state ERR at the oldest WQE; after the first one was told (FLUSHING) all flush. stands: WQEs end with it
// from OLD_INDEX on.
// Order: a READ or atomic before the PSN of a remote error whose data is still in cmp_place is waited for (again).
//   One that an error ends is first closed for cmp_place (stop, again), so no data comes after its completion.
// Errors: none.
module cmp_walk #(
    parameter bit POLLS = 1'b0              // busy_i may be of another QP, whose packets tell of themselves only
) (
    input  logic [511:0]               cfg_i,
    input  logic [511:0]               req_i,
    input  logic [511:0]               cmp_i,
    input  logic [15:0]                pi_i,
    input  logic [23:0]                acked_i,
    input  logic                       busy_i,  // cmp_place holds packets of the QP
    output cairn_int_pkg::walk_facts_t facts_o
);
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_req_t req;
  cairn_hw_pkg::qp_cmp_t c;
  logic        rc, issued, executed, at_req_err, cfg_err, stands, firm, st_ok;
  logic [23:0] d_issued, d_old, d_end, d_gb;
  logic [15:0] d_local, d_req;
  logic        rd_open, past, beyond, hold, recovering;
  assign cfg = cfg_i;
  assign req = req_i;
  assign c   = cmp_i;

  assign rc       = cfg.state_type == cairn_hw_pkg::QP_TYPE_RC;
  assign d_issued = req.hi_psn - c.old_psn;
  assign issued   = !(&d_issued[23:16]) && req.hi_psn != c.old_psn;
  assign d_local  = req.index_local_index - c.oldest_old_index;
  assign d_req    = req.index_next_index - c.oldest_old_index;
  // The whole of a ring of 2^15 is ahead: what was executed is never behind. NEXT_INDEX can be, after a go-back.
  assign executed = issued || (d_local != '0 && (!d_local[15] || d_local[14:0] == '0));

  // Acknowledged beyond the end of an incomplete READ. Before OLD_PSN says nothing of it.
  assign rd_open = c.rflags_rd_valid && !c.rflags_rd_full;
  assign d_old   = acked_i - c.old_psn;
  assign d_end   = acked_i - c.old_end;
  assign past    = !(&d_old[23:16]) && !d_end[23];
  assign beyond  = rd_open && past;
  req_acked u_acked (.req_i, .cmp_i, .recovering_o(recovering), .una_o(), .sure_o());
  assign d_gb    = c.old_end - c.gb_gb_psn;

  assign cfg_err    = cfg.state == cairn_hw_pkg::QP_STATE_ERR;
  assign at_req_err = req.flags_err && req.index_next_index == c.oldest_old_index;
  assign firm       = c.rflags_flushing || at_req_err || cfg_err;
  assign stands     = firm || (c.flags_err && !(beyond && busy_i));
  assign st_ok      = cairn_fn_pkg::qp_takes_responses(cfg.state) || cfg.state == cairn_hw_pkg::QP_STATE_SQE || cfg_err;
  assign hold       = stands && rd_open && (!c.rflags_rd_stop || busy_i);

  assign facts_o.past_end   = past;
  assign facts_o.rc         = rc;
  assign facts_o.issued     = issued;
  assign facts_o.executed   = executed;
  assign facts_o.passed     = !d_req[15] && d_req != '0;
  assign facts_o.lost       = beyond && !stands && !busy_i;
  assign facts_o.asked      = recovering && !d_gb[23] && c.old_end != c.gb_gb_psn;
  assign facts_o.at_req_err = at_req_err;
  assign facts_o.cfg_err    = cfg_err;
  assign facts_o.stands     = stands;
  assign facts_o.firm       = firm;
  assign facts_o.st_ok      = st_ok;
  assign facts_o.look       = st_ok && c.oldest_old_index != pi_i && !hold && (stands || (executed && !rd_open));
  assign facts_o.stop       = st_ok && hold && !c.rflags_rd_stop;
  assign facts_o.again      = st_ok && (hold || (beyond && busy_i && (c.flags_err ? !firm : POLLS && !stands)));
endmodule
