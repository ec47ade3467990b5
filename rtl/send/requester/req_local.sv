// SPDX-License-Identifier: Apache-2.0
// Local operations under way: invalidation, fast registration and bind of a send queue, between req_issue and
// mr_update.
//
// req_issue hands over the change (client MUC_REQ) together with the requester part as it will be once it is done, and
// does not give the QP back. So the QP is in no other visit, its context stays pinned, and the operation is executed
// exactly once. With the answer the part goes back to req_issue to be written: as it came, or with ERR, status and
// vendor code, NEXT_INDEX and LOCAL_INDEX at the failed WQE.
// Order: DEPTH operations at a time, answered in order.
// Errors: (IBTA 11.6.2) a refused bind is MW_BIND_ERR, the others LOC_QP_OP_ERR; the vendor code is mr_update's.
module req_local #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned DEPTH = 4,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    // from req_issue: the record (kind LOC) and the part after it
    input  logic                        in_valid_i,
    output logic                        in_ready_o,
    input  cairn_int_pkg::req_rec_t     in_rec_i,
    input  logic [511:0]                in_part_i,
    // mr_update
    output cairn_int_pkg::key_change_t  key_change_o,
    input  logic                        key_change_ready_i,
    input  cairn_int_pkg::key_changed_t key_change_i,
    output logic                        key_change_ready_o,
    // the part to write, and the QP to give back
    output logic                        out_valid_o,
    input  logic                        out_ready_i,
    output logic [23:0]                 out_qpn_o,
    output logic [AW-1:0]               out_slot_o,
    output logic [511:0]                out_part_o,
    output logic                        out_failed_o,
    output logic                        idle_o
);
  cairn_int_pkg::req_rec_t rec;
  cairn_int_pkg::mr_upd_t  upd;
  cairn_int_pkg::local_op_t lop;
  assign lop = rec.job.args;
  assign rec = in_rec_i;
  always_comb begin
    upd           = '0;
    upd.op        = (rec.desc.op == cairn_hw_pkg::WQE_OP_LOCAL_INV) ? cairn_int_pkg::MUO_INV
                    : (rec.desc.op == cairn_hw_pkg::WQE_OP_REG_MR) ? cairn_int_pkg::MUO_REG : cairn_int_pkg::MUO_BIND;
    upd.key       = lop.key;
    upd.pd        = lop.pd;
    upd.qpn       = rec.job.qpn;
    upd.addr      = lop.addr;
    upd.length    = lop.length;
    upd.page_list = lop.page_list;
    upd.mr_key    = lop.mr_key;
    upd.access    = lop.access;
    upd.page_log2 = lop.page_log2;
  end

  // ---- the change, and what waits for its answer ----
  logic         u_ready, p_ready, p_valid;
  logic [1:0]   u_level;
  logic [$clog2(DEPTH+1)-1:0] p_level;
  typedef struct packed {
    logic [23:0]   qpn;
    logic [AW-1:0] slot;
    logic          is_bind;
    logic [15:0]   index;
    logic [511:0]  part;
  } wait_t;
  wait_t        w_in, w;
  assign w_in = {rec.job.qpn, rec.job.slot[AW-1:0], rec.desc.op == cairn_hw_pkg::WQE_OP_BIND_MW, rec.desc.index,
                 in_part_i};
  assign in_ready_o = u_ready && p_ready;
  sync_fifo_level #(.WIDTH(cairn_int_pkg::MR_UPD_W), .DEPTH(2)) u_changes (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && p_ready), .in_ready_o(u_ready), .in_data_i(upd),
      .out_valid_o(key_change_o.valid), .out_ready_i(key_change_ready_i), .out_data_o(key_change_o.req),
      .level_o(u_level));
  sync_fifo_level #(.WIDTH($bits(w_in)), .DEPTH(DEPTH)) u_parts (
      .clk_i, .rst_ni, .in_valid_i(in_valid_i && u_ready), .in_ready_o(p_ready),
      .in_data_i(w_in), .out_valid_o(p_valid), .out_ready_i(key_change_i.valid && out_ready_i), .out_data_o(w),
      .level_o(p_level));
  assign out_qpn_o          = w.qpn;
  assign out_slot_o         = w.slot;
  assign out_valid_o        = p_valid && key_change_i.valid;
  assign key_change_ready_o = p_valid && out_ready_i;
  assign idle_o             = p_level == '0 && u_level == '0;

  // ---- the part ----
  cairn_hw_pkg::qp_req_t req;
  assign out_failed_o = key_change_i.vendor != cairn_hw_pkg::VENDOR_ERR_NONE;
  always_comb begin
    req = w.part;
    if (out_failed_o) begin
      req.flags_err         = 1'b1;
      req.flags_err_status  = w.is_bind ? cairn_hw_pkg::WC_STATUS_MW_BIND_ERR : cairn_hw_pkg::WC_STATUS_LOC_QP_OP_ERR;
      req.flags_err_vendor  = key_change_i.vendor;
      req.index_next_index  = w.index;
      req.index_local_index = w.index;
    end
  end
  assign out_part_o = req;
endmodule
