// SPDX-License-Identifier: Apache-2.0
// Looks up the records of the QPs that rsp_tx is to visit: up to LOOKS at a time, answers in the order of the kicks.
//
// A failed payload read goes before kicks, also during a halt, which waits for it; one at a time, until fault_over_i.
// After an answer RETRY, no way was free, the lookups get some rest from here.
// Errors: none; what the answer is, is the visit's business.
module rsp_tx_find #(
    parameter int unsigned LOOKS = 4,           // power of two
    parameter int unsigned QPN_W = 24,          // of QPNs and slots only that many bits come back out of a RAM
    parameter int unsigned SLOTS = 4096,
    localparam int unsigned PW   = $clog2(LOOKS)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      halt_i,         // begin no visit for a kick
    input  logic                      wait_i,         // ... nor any other
    input  cairn_int_pkg::kick_t      kick_i,
    output logic                      kick_ready_o,
    input  cairn_int_pkg::tx_failed_t fault_i,
    input  logic                      fault_over_i,   // its visit is over
    output cairn_int_pkg::ctx_req_t   ctx_o,
    input  logic                      ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t   ctx_i,
    output cairn_int_pkg::rsp_found_t found_o,
    input  logic                      found_ready_i,
    output logic                      idle_o          // no lookup is under way
);
  localparam int unsigned LOOK_W = cairn_int_pkg::RSP_LOOK_W;

  if (LOOKS < 2 || (1 << PW) != LOOKS) begin : g_chk
    $error("rsp_tx_find: LOOKS must be a power of two, 2 or more");
  end

  // ---- taken, answered, handed on; one bit more than PW ----
  logic [PW:0] take_q, ans_q, out_q;
  logic        room, take, fault, fault_q, ask_ready, next;
  logic [3:0]  rest_q;
  cairn_int_pkg::rsp_look_t look;
  logic [LOOK_W-1:0]                look_of [0:LOOKS-1];
  logic [2:0]                       status  [0:LOOKS-1];
  logic [cairn_int_pkg::SLOT_W-1:0] slot    [0:LOOKS-1];
  assign fault        = fault_i.valid && !fault_q;
  assign room         = take_q != {~out_q[PW], out_q[PW-1:0]};
  assign take         = (fault || (kick_i.valid && !halt_i)) && room && ask_ready && rest_q == '0 && !wait_i;
  assign kick_ready_o = take && !fault;
  assign ask_ready    = !ctx_o.valid;
  assign look         = {fault, fault ? fault_i.lost.qpn : kick_i.qpn};
  stream_reg #(.WIDTH(24)) u_ask (
      .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(), .in_data_i(look.qpn),
      .out_valid_o(ctx_o.valid), .out_ready_i(ctx_ready_i), .out_data_o(ctx_o.key));
  always_ff @(posedge clk_i) if (take) look_of[take_q[PW-1:0]] <= look;
  always_ff @(posedge clk_i) if (ctx_i.valid) status[ans_q[PW-1:0]] <= ctx_i.status;
  always_ff @(posedge clk_i) if (ctx_i.valid) slot[ans_q[PW-1:0]] <= ctx_i.slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      take_q  <= '0;
      ans_q   <= '0;
      out_q   <= '0;
      fault_q <= 1'b0;
      rest_q  <= '0;
    end else begin
      if (take) take_q <= take_q + 1'b1;
      if (ctx_i.valid) ans_q <= ans_q + 1'b1;
      if (next) out_q <= out_q + 1'b1;
      fault_q <= (fault_q || (take && fault)) && !fault_over_i;
      if (ctx_i.valid && ctx_i.status == cairn_hw_pkg::CTX_RESULT_RETRY) rest_q <= '1;
      else if (rest_q != '0) rest_q <= rest_q - 4'd1;
    end
  end
  // A register of what is found, for one that is taken in two cycles.
  cairn_int_pkg::rsp_found_t found_q;
  cairn_int_pkg::rsp_look_t  now;
  logic [cairn_int_pkg::SLOT_W-1:0] slot_now;
  assign now      = look_of[out_q[PW-1:0]];
  assign slot_now = slot[out_q[PW-1:0]];
  assign next    = ans_q != out_q && !found_q.valid;
  assign found_o = found_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) found_q <= '0;
    else if (next) found_q <= {1'b1, now.fault, 24'(now.qpn[QPN_W-1:0]), status[out_q[PW-1:0]],
                               cairn_int_pkg::SLOT_W'(slot_now[$clog2(SLOTS)-1:0])};
    else if (found_ready_i) found_q.valid <= 1'b0;
  end
  assign idle_o  = take_q == out_q && !found_q.valid;
endmodule
