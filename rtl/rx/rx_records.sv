// SPDX-License-Identifier: Apache-2.0
// Records of received packets: a queue for requests and one for responses, in one RAM.
//
// Neither class takes the room of the other. An ACK or NAK (plain) has a place only while the responses leave three
// quarters of theirs free: what it says, a later one says too, but READ data and atomics come once, and the requester
// asks for no more of them than the rest holds (req_reads).
// Order: within each class that of arrival. Of the classes the one whose turn it is leaves; turns change with each
//   record, so neither waits for more than one of the other.
// Cycles: one word a cycle in and out. FAST: out in the cycle after, if nothing is on its way; else 3.
// Errors: none; without room ready_o is low for that class.
module rx_records #(
    parameter int unsigned WIDTH = 64,
    parameter int unsigned DEPTH = 256,   // of requests, power of two
    parameter int unsigned RSPS  = 256,   // of responses, as many or more; a multiple of four
    parameter int unsigned FAST  = 1
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
    output logic [WIDTH-1:0] out_data_o,
    output logic             idle_o
);
  localparam int unsigned LG = $clog2(DEPTH), AW = $clog2(DEPTH + RSPS);
  if (DEPTH < 4 || (1 << LG) != DEPTH || RSPS < DEPTH || RSPS % 4 != 0) begin : g_chk
    $error("rx_records: DEPTH must be a power of two, RSPS DEPTH or more and a multiple of four");
  end

  // ---- places: responses behind the requests ----
  logic [LG-1:0] req_put_q, req_get_q;
  logic [AW-1:0] rsp_put_q, rsp_get_q;
  logic [LG:0]   reqs_q;                 // in the RAM
  logic [AW:0]   rsps_q;
  logic          req_room_q, rsp_room_q, plain_room_q;
  function automatic logic [AW-1:0] behind(input logic [AW-1:0] at);
    behind = (at == AW'(DEPTH + RSPS - 1)) ? AW'(DEPTH) : at + 1'b1;
  endfunction

  // ---- out: the RAM's word, then a register ----
  logic push, past, store, move, fetch, pick, turn_q, ram_valid_q;
  logic store_req, store_rsp, fetch_req, fetch_rsp;
  logic [WIDTH-1:0] ram_data;
  assign in_ready_o = !in_rsp_i ? req_room_q : in_plain_i ? plain_room_q : rsp_room_q;
  assign push       = in_valid_i && in_ready_o;
  assign move       = !out_valid_o || out_ready_i;
  assign past       = FAST != 0 && push && move && reqs_q == '0 && rsps_q == '0 && !ram_valid_q;
  assign store      = push && !past;
  assign fetch      = (reqs_q != '0 || rsps_q != '0) && (!ram_valid_q || move);
  assign pick       = rsps_q != '0 && (turn_q || reqs_q == '0);      // a response
  assign store_req  = store && !in_rsp_i;
  assign store_rsp  = store && in_rsp_i;
  assign fetch_req  = fetch && !pick;
  assign fetch_rsp  = fetch && pick;
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH + RSPS), .BYPASS(2)) u_ram (
      .clk_i, .we_i(store), .waddr_i(in_rsp_i ? rsp_put_q : AW'(req_put_q)), .wdata_i(in_data_i),
      .re_i(fetch), .raddr_i(pick ? rsp_get_q : AW'(req_get_q)), .rdata_o(ram_data));

  logic [LG:0]   reqs;
  logic [AW:0]   rsps;
  assign reqs = reqs_q + (LG+1)'(store_req) - (LG+1)'(fetch_req);
  assign rsps = rsps_q + (AW+1)'(store_rsp) - (AW+1)'(fetch_rsp);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {req_put_q, req_get_q, reqs_q, rsps_q} <= '0;
      {rsp_put_q, rsp_get_q}                 <= {2{AW'(DEPTH)}};
      {turn_q, ram_valid_q, out_valid_o}     <= '0;
      {req_room_q, rsp_room_q, plain_room_q} <= '0;
    end else begin
      reqs_q       <= reqs;
      rsps_q       <= rsps;
      req_room_q   <= !reqs[LG];
      // (that one comes is known late: each number that there were is compared before)
      rsp_room_q   <= (store_rsp == fetch_rsp) ? rsps_q != (AW+1)'(RSPS) : !store_rsp || rsps_q != (AW+1)'(RSPS - 1);
      plain_room_q <= (store_rsp == fetch_rsp) ? rsps_q < (AW+1)'(RSPS / 4)
                      : store_rsp ? rsps_q < (AW+1)'(RSPS / 4 - 1) : rsps_q <= (AW+1)'(RSPS / 4);
      if (store_req) req_put_q <= req_put_q + 1'b1;
      if (store_rsp) rsp_put_q <= behind(rsp_put_q);
      if (fetch_req) req_get_q <= req_get_q + 1'b1;
      if (fetch_rsp) rsp_get_q <= behind(rsp_get_q);
      if (fetch) turn_q <= !pick;
      if (fetch) ram_valid_q <= 1'b1;
      else if (move) ram_valid_q <= 1'b0;
      if (move) out_valid_o <= ram_valid_q || past;
    end
  end
  always_ff @(posedge clk_i) if (move) out_data_o <= (FAST != 0 && !ram_valid_q) ? in_data_i : ram_data;
  assign idle_o = reqs_q == '0 && rsps_q == '0 && !ram_valid_q && !out_valid_o;
endmodule
