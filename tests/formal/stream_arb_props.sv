// SPDX-License-Identifier: Apache-2.0
// Properties of stream_arb, given sources that keep the stream rules; bound to it by name at its end.
// Packet lock is checked to a bound here (rr_arbiter's lock is proved by itself), the rest by induction
// with FORMAL_CONTROL defined.
module stream_arb_props #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input logic                                clk_i,
    input logic                                rst_ni,
    input logic [N-1:0]                        in_valid_i,
    input logic [N-1:0]                        in_ready_o,
    input logic [N*WIDTH-1:0]                  in_data_i,
    input logic [N-1:0]                        in_last_i,
    input logic                                out_valid_o,
    input logic                                out_ready_i,
    input logic [WIDTH-1:0]                    out_data_o,
    input logic                                out_last_o,
    input logic [(N > 1 ? $clog2(N) : 1)-1:0]  out_src_o
);
  localparam int unsigned SRC_W = (N > 1) ? $clog2(N) : 1;

  logic             started = 1'b0;
  logic             inside_q;  // a packet has begun and not ended
  logic [SRC_W-1:0] src_q;
  logic [N-1:0]     hot;

  assign hot = N'(1) << out_src_o;

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb if (!started) assume (!rst_ni);

  // Sources: a beat stays until it is taken.
  for (genvar g = 0; g < N; g++) begin : g_source
    stream_rules #(.WIDTH(WIDTH + 1)) u_rules (
        .clk_i, .rst_ni, .valid_i(in_valid_i[g]), .ready_i(in_ready_o[g]),
        .data_i({in_last_i[g], in_data_i[g*WIDTH +: WIDTH]}));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (out_valid_o && out_ready_i) inside_q <= !out_last_o;
    if (out_valid_o) src_q <= out_src_o;
  end

  always_comb begin
    if (started) begin
      // 1. A beat shown is the first beat of the source named, and only that source advances.
      if (out_valid_o) begin
        a_source: assert ((hot & in_valid_i) != '0);
        a_last: assert (out_last_o == ((hot & in_last_i) != '0));
        for (int i = 0; i < N; i++) begin
          if (hot[i]) assert (out_data_o == in_data_i[i*WIDTH +: WIDTH]);
        end
        a_ready: assert (in_ready_o == (out_ready_i ? hot : '0));
      end else begin
        a_none: assert (in_ready_o == '0);
      end
      // 2. No other source until the packet has ended.
`ifndef FORMAL_CONTROL
      if (inside_q && out_valid_o) a_packet: assert (out_src_o == src_q);
      // 3. Between packets a waiting source means a beat at the output: no bubble.
      if (!inside_q && in_valid_i != '0) a_busy: assert (out_valid_o);
`endif
    end
  end

  always_ff @(posedge clk_i) begin
    // 4. A beat shown stays until it is taken.
    if (started && $past(started) && $past(rst_ni) && rst_ni && $past(out_valid_o) &&
        !$past(out_ready_i)) begin
      a_hold: assert (out_valid_o && out_src_o == $past(out_src_o) &&
                      out_data_o == $past(out_data_o) && out_last_o == $past(out_last_o));
    end
    c_switch: cover (started && out_valid_o && out_ready_i && out_last_o && $past(inside_q) &&
                     (in_valid_i & ~hot) != '0);
    c_pause: cover (started && inside_q && !out_valid_o && in_valid_i != '0);
  end
endmodule
