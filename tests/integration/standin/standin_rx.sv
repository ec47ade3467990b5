// SPDX-License-Identifier: Apache-2.0
// Receive side of the stand-in (cairn_nic_standin.sv): four frames are kept, more are dropped and counted, as are those
// with an error.  Test only.
module standin_rx #(
    parameter int unsigned DATA_W = 64,
    localparam int unsigned DWS = DATA_W / 32,
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic              clk_i, rst_ni,
    input  logic [63:0]       time_now_i,
    input  logic              mac_rx_valid_i, mac_rx_last_i, mac_rx_err_i,
    input  logic [DATA_W-1:0] mac_rx_data_i,
    input  logic [NB_W-1:0]   mac_rx_nbytes_i,
    output logic              frame_o,      // one waits
    output logic              busy_o,       // one is coming in
    output logic [13:0]       len_o,        // of the one that waits
    output logic [63:0]       time_o,       // when its last beat came
    input  logic [10:0]       addr_i,       // DW of it to look at
    output logic [DATA_W-1:0] data_o,
    input  logic              pop_i,
    output logic [63:0]       packets_o, bytes_o, dropped_o
);
  localparam int unsigned SLOT_DW = 2048;

  logic [31:0] buf_q [0:4*SLOT_DW-1];
  logic [13:0] len_q [0:3];
  logic [63:0] time_q [0:3];
  logic [1:0]  wp_q, rp_q;
  logic [2:0]  n_q;
  logic [13:0] fill_q;  // bytes of the frame coming in
  logic        drop_q, in_q, drop_start, good_end;

  assign drop_start = !in_q && mac_rx_valid_i && n_q == 3'd4;
  assign good_end   = mac_rx_valid_i && mac_rx_last_i && !drop_q && !drop_start && !mac_rx_err_i;
  assign frame_o    = n_q != 0;
  assign busy_o     = in_q || mac_rx_valid_i;
  assign len_o      = len_q[rp_q];
  assign time_o     = time_q[rp_q];
  for (genvar i = 0; i < DWS; i++) begin : g_data
    assign data_o[32*i +: 32] = buf_q[{rp_q, addr_i + 11'(i)}];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {wp_q, rp_q, n_q, fill_q, drop_q, in_q, packets_o, bytes_o, dropped_o} <= '0;
    else begin
      n_q <= n_q + 3'(good_end) - 3'(pop_i);
      if (pop_i) rp_q <= rp_q + 2'd1;
      if (mac_rx_valid_i) begin
        in_q   <= !mac_rx_last_i;
        drop_q <= !mac_rx_last_i && (drop_q || drop_start);
        fill_q <= mac_rx_last_i ? '0 : fill_q + 14'(DATA_W / 8);
        for (int i = 0; i < DWS; i++)
          if (!drop_q && !drop_start) buf_q[{wp_q, fill_q[12:2] + 11'(i)}] <= mac_rx_data_i[32*i +: 32];
        if (mac_rx_last_i && !good_end) dropped_o <= dropped_o + 64'd1;
      end
      if (good_end) begin
        len_q[wp_q]  <= fill_q + 14'(mac_rx_nbytes_i);
        time_q[wp_q] <= time_now_i;
        wp_q         <= wp_q + 2'd1;
        packets_o    <= packets_o + 64'd1;
        bytes_o      <= bytes_o + 64'(fill_q) + 64'(mac_rx_nbytes_i);
      end
    end
  end
endmodule
