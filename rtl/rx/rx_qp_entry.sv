// SPDX-License-Identifier: Apache-2.0
// What rx_qp_table keeps of a QP (rx_qp), made from its cfg part whenever firmware writes that. Combinational.
//
// Whether it exists (a record's first word is not zero), its transport, whether its state takes requests and responses,
// its P_Key, and a word that tells packets of its peer from others. Errors: none.
module rx_qp_entry (
    input  logic [511:0]          cfg_i,
    output cairn_int_pkg::rx_qp_t entry_o
);
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_int_pkg::rx_qp_t e;
  logic [127:0]          dgid;
  logic                  exists;
  assign cfg    = cfg_i;
  assign exists = cfg_i[31:0] != '0;
  always_comb begin
    dgid = cairn_fn_pkg::wire_gid(cfg.dgid);
    e = '0;
    if (exists) begin
      case (cfg.state_type)
        cairn_hw_pkg::QP_TYPE_RC: e.kind = cairn_int_pkg::RXQ_RC;
        cairn_hw_pkg::QP_TYPE_UC: e.kind = cairn_int_pkg::RXQ_UC;
        cairn_hw_pkg::QP_TYPE_UD, cairn_hw_pkg::QP_TYPE_GSI: e.kind = cairn_int_pkg::RXQ_UD;
        default:                  e.kind = cairn_int_pkg::RXQ_NONE;
      endcase
    end
    e.rsp   = cairn_fn_pkg::qp_takes_responses(cfg.state);
    e.req   = cairn_fn_pkg::qp_takes_requests(cfg.state);
    e.pkey  = cfg.pkey_vlan_pkey;
    e.check = (e.kind == cairn_int_pkg::RXQ_UD) ? cairn_fn_pkg::rx_check_qkey(cfg.qkey)
              : cairn_fn_pkg::rx_check_gid(dgid, cfg.pd_sgid_sgid_index);
  end
  assign entry_o = e;
endmodule
