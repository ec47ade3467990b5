// SPDX-License-Identifier: Apache-2.0
// rx_records for narrow builds: a record goes through the RAM in eight words, one a cycle.
//
// The same queues, for requests and responses, and the same rules for a place. A record that comes is kept while its
// words are written; RoCE frames of eight beats or more come no faster. One that comes sooner finds no place.
// Cycles: ten from in to out; one record in eight or, out, nine. Errors: none; without room ready_o is low for that
// class.
module rx_record_words #(
    parameter int unsigned WIDTH = 72,    // a multiple of eight
    parameter int unsigned DEPTH = 32,    // of requests, power of two
    parameter int unsigned RSPS  = 96,    // of responses, as many or more; a multiple of four
    localparam int unsigned PART = WIDTH / 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    input  logic             in_rsp_i,
    input  logic             in_plain_i,
    output logic             in_ready_o,   // for such a one
    input  logic [WIDTH-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    // its words as they come, the last one in the cycle before it is valid
    output logic             word_valid_o,
    output logic [2:0]       word_at_o,
    output logic [PART-1:0]  word_o,
    output logic             idle_o
);
  localparam int unsigned LG = $clog2(DEPTH), AW = $clog2(DEPTH + RSPS);
  if (DEPTH < 4 || (1 << LG) != DEPTH || RSPS < DEPTH || RSPS % 4 != 0 || PART * 8 != WIDTH) begin : g_chk
    $error("rx_record_words: DEPTH must be a power of two, RSPS DEPTH or more and a multiple of four, WIDTH of eight");
  end

  // ---- places: responses behind the requests
  logic [LG-1:0] req_put_q, req_get_q;
  logic [AW-1:0] rsp_put_q, rsp_get_q;
  logic [LG:0]   reqs_q, req_used_q;     // whole ones in the RAM; places taken
  logic [AW:0]   rsps_q, rsp_used_q;
  logic          req_room_q, rsp_room_q, plain_room_q;
  function automatic logic [AW-1:0] behind(input logic [AW-1:0] at);
    behind = (at == AW'(DEPTH + RSPS - 1)) ? AW'(DEPTH) : at + 1'b1;
  endfunction

  // ---- in
  logic             busy_q, rsp_q, push, stored, room;
  logic [2:0]       in_at_q;
  logic [WIDTH-1:0] in_q;
  logic [PART-1:0]  in_part;
  assign room       = !in_rsp_i ? req_room_q : in_plain_i ? plain_room_q : rsp_room_q;
  assign stored     = busy_q && in_at_q == 3'd7;
  assign in_ready_o = room && (!busy_q || stored);
  assign push       = in_valid_i && in_ready_o;
  always_comb begin
    in_part = '0;
    for (int unsigned w = 0; w < 8; w++) if (in_at_q == 3'(w)) in_part = in_q[PART*w +: PART];
  end

  // ---- out: words of one record after the other
  logic             going_q, pick_q, pick, turn_q, fetch, ends, got_q;
  logic [2:0]       out_at_q, got_at_q;
  logic [AW-1:0]    get;
  logic [PART-1:0]  part;
  logic             fetch_req, fetch_rsp;
  assign pick      = rsps_q != '0 && (turn_q || reqs_q == '0);      // a response
  assign fetch     = going_q && (!out_valid_o || out_ready_i || out_at_q != 3'd0);
  assign ends      = fetch && out_at_q == 3'd7;
  assign get       = pick_q ? rsp_get_q : AW'(req_get_q);
  assign fetch_req = ends && !pick_q;
  assign fetch_rsp = ends && pick_q;
  ram_1r1w #(.WIDTH(PART), .DEPTH(8 * (DEPTH + RSPS)), .BYPASS(2)) u_ram (
      .clk_i, .we_i(busy_q), .waddr_i({rsp_q ? rsp_put_q : AW'(req_put_q), in_at_q}), .wdata_i(in_part),
      .re_i(fetch), .raddr_i({get, out_at_q}), .rdata_o(part));

  logic [LG:0] req_used;
  logic [AW:0] rsp_used;
  // A record is counted with its first word: no other comes before its last.
  logic taken;
  assign taken    = busy_q && in_at_q == 3'd0;
  assign req_used = req_used_q + (LG+1)'(taken && !rsp_q) - (LG+1)'(fetch_req);
  assign rsp_used = rsp_used_q + (AW+1)'(taken && rsp_q) - (AW+1)'(fetch_rsp);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {req_put_q, req_get_q, reqs_q, rsps_q, req_used_q, rsp_used_q} <= '0;
      {rsp_put_q, rsp_get_q}                                         <= {2{AW'(DEPTH)}};
      {busy_q, in_at_q, going_q, turn_q, out_at_q, got_q}            <= '0;
      {req_room_q, rsp_room_q, plain_room_q, out_valid_o}            <= '0;
    end else begin
      busy_q       <= push || (busy_q && !stored);
      in_at_q      <= busy_q ? in_at_q + 1'b1 : '0;
      reqs_q       <= reqs_q + (LG+1)'(stored && !rsp_q) - (LG+1)'(fetch_req);
      rsps_q       <= rsps_q + (AW+1)'(stored && rsp_q) - (AW+1)'(fetch_rsp);
      req_used_q   <= req_used;
      rsp_used_q   <= rsp_used;
      req_room_q   <= !req_used[LG];
      rsp_room_q   <= rsp_used != (AW+1)'(RSPS);
      plain_room_q <= rsp_used < (AW+1)'(RSPS / 4);
      if (stored && !rsp_q) req_put_q <= req_put_q + 1'b1;
      if (stored && rsp_q) rsp_put_q <= behind(rsp_put_q);
      if (fetch_req) req_get_q <= req_get_q + 1'b1;
      if (fetch_rsp) rsp_get_q <= behind(rsp_get_q);
      going_q <= going_q ? !ends : reqs_q != '0 || rsps_q != '0;
      if (!going_q && (reqs_q != '0 || rsps_q != '0)) turn_q <= !pick;
      if (fetch) out_at_q <= out_at_q + 1'b1;
      got_q <= fetch;
      if (got_q && got_at_q == 3'd7) out_valid_o <= 1'b1;
      else if (out_ready_i) out_valid_o <= 1'b0;
    end
    if (!going_q) pick_q <= pick;
    got_at_q <= out_at_q;
    if (push) begin
      in_q  <= in_data_i;
      rsp_q <= in_rsp_i;
    end
  end
  assign word_valid_o = got_q;
  assign word_at_o    = got_at_q;
  assign word_o       = part;
  assign idle_o = reqs_q == '0 && rsps_q == '0 && !busy_q && !got_q && !going_q && !out_valid_o;
endmodule
