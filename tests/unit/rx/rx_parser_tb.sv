// SPDX-License-Identifier: Apache-2.0
// rx_parser with the rx_icrc and the table of QPs it works with; drop counters (bit n is counter n of hw.def) and the
// ICRC verdict as fields of the frame stream. qp_table_i low: whatever the frame, its QP takes it.
module rx_parser_tb #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned QPS_LOG2 = 6
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [47:0]               mac_addr_i,
    input  cairn_int_pkg::gid_write_t gid_i,
    input  logic                      qp_table_i,
    input  logic                      qp_we_i,
    input  logic [23:0]               qp_qpn_i,
    input  logic [511:0]              qp_cfg_i,
    output logic                      qp_ready_o,
    input  cairn_int_pkg::beat_t      mac_rx_i,
    input  logic [DATA_W-1:0]         mac_rx_data_i,
    input  logic                      mac_rx_loop_i,
    output cairn_int_pkg::rx_frame_t  frame_o,
    output logic [DATA_W-1:0]         frame_data_o,
    output logic [18:0]               frame_cnt_o,
    output logic                      frame_icrc_o,
    output logic [12:0]               frame_bytes_o,
    output logic                      frame_loop_o,
    output logic                      idle_o
);
  logic icrc_ok;

  always_ff @(posedge clk_i) frame_icrc_o <= icrc_ok;

  rx_icrc #(.DATA_W(DATA_W)) u_icrc (
      .clk_i, .rst_ni, .mac_i(mac_rx_i), .mac_data_i(mac_rx_data_i),
      .ok_o(icrc_ok));

  logic [23:0]               ask_qpn;
  cairn_int_pkg::rx_qp_t     entry, table_qp, any_qp;
  cairn_int_pkg::rx_meta_t   f;
  rx_qp_entry u_entry (.cfg_i(qp_cfg_i), .entry_o(entry));
  rx_qp_table #(.QPS_LOG2(QPS_LOG2)) u_qps (
      .clk_i, .rst_ni, .write_i({qp_we_i, qp_qpn_i, entry}), .ask_qpn_i(ask_qpn), .entry_o(table_qp),
      .ready_o(qp_ready_o));
  assign f = u_parser.g_headers.u_headers.e_meta;
  logic unused;
  assign unused = ^f;
  always_comb begin
    any_qp.kind  = f.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_UD ? cairn_int_pkg::RXQ_UD
                   : f.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_UC ? cairn_int_pkg::RXQ_UC : cairn_int_pkg::RXQ_RC;
    {any_qp.req, any_qp.rsp} = 2'b11;
    any_qp.pkey  = f.pkey | 16'h8000;
    any_qp.check = f.opcode[7:5] == cairn_pkt_pkg::TRANSPORT_UD ? cairn_fn_pkg::rx_check_qkey(f.qkey)
                   : cairn_fn_pkg::rx_check_gid(f.sip, f.sgid_index);
  end

  rx_parser #(.DATA_W(DATA_W)) u_parser (
      .clk_i, .rst_ni, .mac_addr_i,
      .gid_i,
      .mac_rx_i, .mac_rx_data_i, .mac_rx_loop_i,
      .icrc_ok_i(icrc_ok), .ask_qpn_o(ask_qpn), .ask_qp_i(qp_table_i ? table_qp : any_qp),
      .frame_o, .frame_data_o, .refused_o(refused), .events_o(events), .idle_o);

  cairn_hw_pkg::rx_parser_events_t     events;
  cairn_hw_pkg::device_events_t        all;
  logic                                refused;
  logic [2*cairn_hw_pkg::COUNTERS-1:0] counts;
  assign counts        = cairn_hw_pkg::counter_events(all);
  assign frame_bytes_o = events.rx_bytes;
  assign frame_loop_o  = events.rx_loop_packets;
  always_comb begin
    all = '0;
    all.nic.rx_path.rx_parser = events;
  end
  always_comb begin
    for (int unsigned i = 0; i < 19; i++) frame_cnt_o[i] = counts[2*i];
    frame_cnt_o[cairn_hw_pkg::COUNTER_RX_ROCE_PACKETS] = refused;
  end
endmodule
