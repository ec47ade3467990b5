// SPDX-License-Identifier: Apache-2.0
// Properties of stream_mux, given sources and choices that keep the stream rules; bound by name at its end.
module stream_mux_props #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input logic                                clk_i,
    input logic                                rst_ni,
    input logic                                sel_valid_i,
    input logic                                sel_ready_o,
    input logic [(N > 1 ? $clog2(N) : 1)-1:0]  sel_i,
    input logic [N-1:0]                        in_valid_i,
    input logic [N-1:0]                        in_ready_o,
    input logic [N*WIDTH-1:0]                  in_data_i,
    input logic [N-1:0]                        in_last_i,
    input logic                                out_valid_o,
    input logic                                out_ready_i,
    input logic [WIDTH-1:0]                    out_data_o,
    input logic                                out_last_o
);
  localparam int unsigned SEL_W = (N > 1) ? $clog2(N) : 1;

  logic             started = 1'b0;
  logic             inside_q;  // a packet has begun and not ended
  logic [SEL_W-1:0] src_q;     // from this source
  logic [N-1:0]     hot;

  assign hot = N'(1) << sel_i;

  always_ff @(posedge clk_i) started <= 1'b1;
  always_comb begin
    if (!started) assume (!rst_ni);
    if (sel_valid_i) assume (32'(sel_i) < N);
  end

  // Sources and choices: what is shown stays until it is taken.
  for (genvar g = 0; g < N; g++) begin : g_source
    stream_rules #(.WIDTH(WIDTH + 1)) u_rules (
        .clk_i, .rst_ni, .valid_i(in_valid_i[g]), .ready_i(in_ready_o[g]),
        .data_i({in_last_i[g], in_data_i[g*WIDTH +: WIDTH]}));
  end
  stream_rules #(.WIDTH(SEL_W)) u_choice (
      .clk_i, .rst_ni, .valid_i(sel_valid_i), .ready_i(sel_ready_o), .data_i(sel_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (out_valid_o && out_ready_i) inside_q <= !out_last_o;
    if (out_valid_o) src_q <= sel_i;
  end

  always_comb begin
    if (started) begin
      // 1. The output is the chosen source's beat, and only that source advances.
      a_valid: assert (out_valid_o == (sel_valid_i && (hot & in_valid_i) != '0));
      if (out_valid_o) begin
        a_last: assert (out_last_o == ((hot & in_last_i) != '0));
        for (int i = 0; i < N; i++) begin
          if (hot[i]) assert (out_data_o == in_data_i[i*WIDTH +: WIDTH]);
        end
        a_ready: assert (in_ready_o == (out_ready_i ? hot : '0));
      end
      a_advance: assert ((in_ready_o & ~hot) == '0 && (sel_valid_i || in_ready_o == '0));
      // 2. A choice lasts for a packet: it is taken with the last beat, and only then.
      a_choice: assert (sel_ready_o == (out_valid_o && out_ready_i && out_last_o));
      if (inside_q && out_valid_o) a_packet: assert (sel_i == src_q);
      i_inside: assert (!inside_q || !rst_ni || (sel_valid_i && sel_i == src_q));
    end
  end

  always_ff @(posedge clk_i) begin
    // 3. A beat shown stays until it is taken.
    if (started && $past(started) && $past(rst_ni) && rst_ni && $past(out_valid_o) &&
        !$past(out_ready_i)) begin
      a_hold: assert (out_valid_o && out_data_o == $past(out_data_o) &&
                      out_last_o == $past(out_last_o));
    end
    c_packet: cover (started && inside_q && out_valid_o && out_ready_i && out_last_o);
    c_blocked: cover (started && inside_q && !out_valid_o && in_valid_i != '0);
  end
endmodule
