// SPDX-License-Identifier: Apache-2.0
// The address vector of a connected QP, out of its part cfg.
//
// Combinational. Errors: none.
module av_of_cfg (
    input  cairn_hw_pkg::qp_cfg_t cfg_i,
    output cairn_int_pkg::av_t    av_o
);
  assign av_o.dmac       = cfg_i.dmac_sport_dmac;
  assign av_o.dgid       = cairn_fn_pkg::wire_gid(cfg_i.dgid);
  assign av_o.ipv6       = cfg_i.flow_tclass_ipv6;
  assign av_o.sgid_index = cfg_i.pd_sgid_sgid_index;
  assign av_o.sport      = cfg_i.dmac_sport_sport;
  assign av_o.tclass     = cfg_i.flow_tclass_tclass;
  assign av_o.hop        = cfg_i.rqpn_hop_hop_limit;
  assign av_o.flow       = cfg_i.flow_tclass_flow;
  assign av_o.vlan       = cfg_i.flow_tclass_vlan;
  assign av_o.tci        = cfg_i.pkey_vlan_tci;
  assign av_o.pkey       = cfg_i.pkey_vlan_pkey;
  assign av_o.dest_qp    = cfg_i.rqpn_hop_rqpn;
endmodule
