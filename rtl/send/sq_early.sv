// SPDX-License-Identifier: Apache-2.0
// Posted work is read at its doorbell, before its QP is visited: where the send queue of each QP lies stands here, by
// QPN, so that no record is needed for it.
//
// A visit that finds its WQE missing costs two look-ups of the record, and the QP comes twice. So what doorbell_posted
// hands over is not a kick: its first blocks are asked for at wqe_fetch (the requester's port), whose kick follows when
// they are here, at once if they were.
// Crowd: what has been read holds a place of wqe_fetch until its QP is visited. While many QPs wait for that, one
//   doorbell in PACE cycles goes on: fewer than are visited, and none waits for ever.
// Kicks: with halt, where no queue is known, where nothing is left to be sent, and where nothing can be had now.
// Owns: base, size and generation of each send queue, of the newest req part that firmware wrote (INIT, before it opens
//   the queue) or that was read from host memory. Without one, and without a queue (base 0), a doorbell is a kick.
// Order: as they are posted. Cycles: two from posted_i to the fetch, then one in two: whether the fetch port takes one
//   is known late, and no doorbell waits for that.
// Reset: forgets all, in 2^QPS_LOG2 cycles in which nothing is taken. Errors: none; what cannot be read is found by the
//   visit.
module sq_early #(
    parameter int unsigned QPS_LOG2 = 12,
    parameter int unsigned PACE     = 16    // a power of two
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         halt_i,        // nothing new is read
    input  logic                         crowd_i,
    input  cairn_int_pkg::sq_place_t     place_i,
    input  cairn_int_pkg::sq_posted_t    posted_i,
    output logic                         posted_ready_o,
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i,
    output cairn_int_pkg::kick_t         kick_o,
    input  logic                         kick_ready_i,
    output logic                         busy_o,        // a fetch may still be asked for, of what came before halt_i
    output logic                         idle_o
);
  localparam int unsigned PW = cairn_int_pkg::SQ_PLACE_W - 25;      // without valid and QPN
  localparam int unsigned TW = $clog2(PACE);

  if ((1 << TW) != PACE) begin : g_chk
    $error("sq_early: PACE must be a power of two");
  end

  // ---- where its queue lies, read as it is taken ----
  logic [QPS_LOG2:0] sweep_q;     // top bit: nothing is left of what was here before the reset
  logic              swept;
  assign swept = sweep_q[QPS_LOG2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= '0;
    else if (!swept && !place_i.valid) sweep_q <= sweep_q + 1'b1;
  end
  cairn_int_pkg::sq_place_t  place;
  cairn_int_pkg::sq_posted_t read_q;
  cairn_int_pkg::wqe_fetch_t ask_q;
  logic                      kick_q, over, move, known;
  ram_1r1w #(.WIDTH(PW), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_place (
      .clk_i, .we_i(place_i.valid || !swept),
      .waddr_i(place_i.valid ? place_i.qpn[QPS_LOG2-1:0] : sweep_q[QPS_LOG2-1:0]),
      .wdata_i(place_i.valid ? place_i[PW-1:0] : '0),
      .re_i(posted_ready_o), .raddr_i(posted_i.qpn[QPS_LOG2-1:0]), .rdata_o(place[PW-1:0]));
  assign {place.valid, place.qpn} = '0;

  // ---- the one that is read, and the one that is asked for or kicked ----
  logic [TW-1:0] pace_q;          // cycles until the next in a crowd
  assign over           = (!ask_q.valid && !kick_q) || (ask_q.valid && fetch_i.ready && !fetch_i.retry)
                          || (kick_q && kick_ready_i);
  assign move           = read_q.valid && over;
  assign known          = place.base != '0 && !halt_i && read_q.from != read_q.upto;
  assign posted_ready_o = posted_i.valid && swept && !(crowd_i && pace_q != '0) && !read_q.valid;
  always_ff @(posedge clk_i) begin
    if (posted_ready_o) read_q <= posted_i;
    else if (move) read_q.valid <= 1'b0;
    if (move) begin
      ask_q  <= {known, read_q.qpn, place.gen, read_q.from, read_q.upto, place.base, 6'h0, place.log2};
      kick_q <= !known;
    end else if (ask_q.valid && fetch_i.ready) begin
      ask_q.valid <= 1'b0;
      kick_q      <= fetch_i.retry;
    end else if (kick_ready_i) kick_q <= 1'b0;
    if (posted_ready_o) pace_q <= '1;
    else if (pace_q != '0) pace_q <= pace_q - 1'b1;
    if (!rst_ni) begin
      read_q.valid <= 1'b0;
      ask_q.valid  <= 1'b0;
      kick_q       <= 1'b0;
      pace_q       <= '0;
    end
  end
  assign fetch_o = ask_q;
  assign kick_o  = {kick_q, ask_q.qpn};
  assign busy_o  = read_q.valid || ask_q.valid;
  assign idle_o  = !posted_i.valid && !read_q.valid && !ask_q.valid && !kick_q;

  logic unused;
  assign unused = ^{place.valid, place.qpn, place_i.qpn};
endmodule
