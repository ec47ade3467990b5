// SPDX-License-Identifier: Apache-2.0
// The records of what is counted, and all that the package makes of them: events of each counter, amounts of bytes, and
// of each strobe in a bank of the QPs' counters the number of its counter.
module hw_events #(
    localparam int unsigned CW = cairn_hw_pkg::COUNTER_W,
    localparam int unsigned BW = cairn_hw_pkg::COUNTER_BYTES_W,
    localparam int unsigned BN = cairn_hw_pkg::COUNTER_BYTES,
    localparam int unsigned RN = cairn_hw_pkg::QP_RCV_SOURCES * cairn_hw_pkg::QP_RCV_STROBES,
    localparam int unsigned SN = cairn_hw_pkg::QP_SND_SOURCES * cairn_hw_pkg::QP_SND_STROBES,
    localparam int unsigned ON = cairn_hw_pkg::QP_OUT_SOURCES * cairn_hw_pkg::QP_OUT_STROBES
) (
    input  cairn_hw_pkg::device_events_t                events_i,
    output logic [2*cairn_hw_pkg::COUNTERS-1:0]         counts_o,
    output logic [BN*BW-1:0]                            bytes_o,
    output logic [BN*CW-1:0]                            bytes_of_o,    // which counters these are
    output logic [RN-1:0]                               strobes_0_o,
    output logic [RN*CW-1:0]                            counters_0_o,
    output logic [24*cairn_hw_pkg::QP_RCV_SOURCES-1:0]  qpns_0_o,
    output logic [7:0]                                  each_0_o,      // strobes of a source
    output logic [SN-1:0]                               strobes_1_o,
    output logic [SN*CW-1:0]                            counters_1_o,
    output logic [24*cairn_hw_pkg::QP_SND_SOURCES-1:0]  qpns_1_o,
    output logic [7:0]                                  each_1_o,
    output logic [ON-1:0]                               strobes_2_o,
    output logic [ON*CW-1:0]                            counters_2_o,
    output logic [24*cairn_hw_pkg::QP_OUT_SOURCES-1:0]  qpns_2_o,
    output logic [7:0]                                  each_2_o
);
  assign counts_o    = cairn_hw_pkg::counter_events(events_i);
  assign bytes_o     = cairn_hw_pkg::counter_bytes(events_i);
  assign strobes_0_o = cairn_hw_pkg::qp_rcv_strobes(events_i);
  assign strobes_1_o = cairn_hw_pkg::qp_snd_strobes(events_i);
  assign strobes_2_o = cairn_hw_pkg::qp_out_strobes(events_i);
  assign qpns_0_o    = cairn_hw_pkg::qp_rcv_qpns(events_i);
  assign qpns_1_o    = cairn_hw_pkg::qp_snd_qpns(events_i);
  assign qpns_2_o    = cairn_hw_pkg::qp_out_qpns(events_i);
  assign each_0_o    = 8'(cairn_hw_pkg::QP_RCV_STROBES);
  assign each_1_o    = 8'(cairn_hw_pkg::QP_SND_STROBES);
  assign each_2_o    = 8'(cairn_hw_pkg::QP_OUT_STROBES);

  always_comb begin
    int unsigned place;
    place      = 0;
    bytes_of_o = '0;
    for (int unsigned i = 0; i < cairn_hw_pkg::COUNTERS; i++)
      if (cairn_hw_pkg::COUNTER_OF_BYTES[i]) begin
        bytes_of_o[place*CW +: CW] = CW'(i);
        place = place + 1;
      end
  end
  for (genvar g = 0; g < RN; g++) begin : g_rcv
    localparam int unsigned W = cairn_hw_pkg::QP_RCV_CNT_W;
    assign counters_0_o[g*CW +: CW] = cairn_hw_pkg::QP_RCV_LIST[cairn_hw_pkg::QP_RCV_WHICH[g*W +: W]*CW +: CW];
  end
  for (genvar g = 0; g < SN; g++) begin : g_snd
    localparam int unsigned W = cairn_hw_pkg::QP_SND_CNT_W;
    assign counters_1_o[g*CW +: CW] = cairn_hw_pkg::QP_SND_LIST[cairn_hw_pkg::QP_SND_WHICH[g*W +: W]*CW +: CW];
  end
  for (genvar g = 0; g < ON; g++) begin : g_out
    localparam int unsigned W = cairn_hw_pkg::QP_OUT_CNT_W;
    assign counters_2_o[g*CW +: CW] = cairn_hw_pkg::QP_OUT_LIST[cairn_hw_pkg::QP_OUT_WHICH[g*W +: W]*CW +: CW];
  end
endmodule
