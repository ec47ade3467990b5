// SPDX-License-Identifier: Apache-2.0
// Between the end of an operation of mr_update and its answer: waits until a key that is gone is no longer used.
//
// IBTA 10.6.5, 10.7.2; docs/rtl/mr.md. An operation that took a key away is answered only when nothing is accessed any
// more with what mr_service answered about it before.
// Drain: a mark that goes behind the answers of each client (MRC_*) on their way: first those inside mr_service, then
//   through the client's own stages and the ring it fills. It has come out where the last access has been accepted (a
//   posted write) or its data has arrived (a read). What comes behind the mark is not waited for, so a drain ends
//   whatever traffic goes on. The client's mark is a level: high from the moment the client has taken all earlier
//   answers until all clients are through; low for a cycle at least.
// Order: one drain at a time; operations that end meanwhile share the next one. One that takes nothing away is answered
//   at once, unless an earlier one of any client still waits: it may build on that. Answers in order for each client,
//   at most DEPTH of a client here. Errors: none.
module mr_drain #(
    parameter int unsigned DEPTH = 4,
    localparam int unsigned N  = cairn_int_pkg::MUC_N,
    localparam int unsigned C  = cairn_int_pkg::MRC_N,
    localparam int unsigned LW = 5                // requests of a client inside mr_service
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    // operations that have ended: strobe, client, verdict, whether it took something away
    input  logic            in_valid_i,
    input  logic [N-1:0]    in_client_i,  // one-hot
    input  logic [7:0]      in_vendor_i,
    input  logic            in_drain_i,
    output logic [N-1:0]    room_o,
    output logic [N-1:0]    rsp_valid_o,
    input  logic [N-1:0]    rsp_ready_i,
    output logic [N*8-1:0]  rsp_vendor_o,
    // clients of lookups
    input  logic [C*LW-1:0] inside_i,
    input  logic [C-1:0]    taken_i,
    output logic [C-1:0]    drain_o,
    input  logic [C-1:0]    drained_i,
    output logic            idle_o
);
  localparam int unsigned CW = $clog2(DEPTH + 1);

  logic         active_q, start, finish;
  logic [N-1:0] waits, fresh, used;
  assign start  = !active_q && fresh != '0;
  assign finish = active_q && (drain_o & drained_i) == '1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= 1'b0;
    else active_q <= start || (active_q && !finish);
  end

  for (genvar g = 0; g < C; g++) begin : g_client
    logic [LW-1:0] left_q;                        // answers before the mark that the client has not taken
    always_ff @(posedge clk_i) begin
      if (start) left_q <= inside_i[g*LW +: LW] - LW'(taken_i[g]);
      else if (taken_i[g] && left_q != '0) left_q <= left_q - 1'b1;
    end
    assign drain_o[g] = active_q && left_q == '0;
  end

  for (genvar g = 0; g < N; g++) begin : g_answer
    logic [CW-1:0] ready_q, drain_q, fresh_q;     // may go; wait for this drain; for the next
    logic [CW-1:0] level;
    logic          come, at_once, pop;
    assign come    = in_valid_i && in_client_i[g];
    assign at_once = come && !in_drain_i && waits == '0;
    assign pop     = rsp_valid_o[g] && rsp_ready_i[g];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        ready_q <= '0;
        drain_q <= '0;
        fresh_q <= '0;
      end else begin
        ready_q <= ready_q + CW'(at_once) - CW'(pop) + (finish ? drain_q : '0);
        if (start) drain_q <= fresh_q;
        else if (finish) drain_q <= '0;
        fresh_q <= (start ? '0 : fresh_q) + CW'(come && !at_once);
      end
    end
    sync_fifo_level #(.WIDTH(8), .DEPTH(DEPTH)) u_vendor (
        .clk_i, .rst_ni, .in_valid_i(come), .in_ready_o(), .in_data_i(in_vendor_i),
        .out_valid_o(), .out_ready_i(pop), .out_data_o(rsp_vendor_o[g*8 +: 8]), .level_o(level));
    assign fresh[g]       = fresh_q != '0;
    assign waits[g]       = fresh_q != '0 || drain_q != '0;
    assign used[g]        = level != '0;
    assign room_o[g]      = level != CW'(DEPTH);
    assign rsp_valid_o[g] = ready_q != '0;
  end
  assign idle_o = used == '0 && !active_q;
endmodule
