// SPDX-License-Identifier: Apache-2.0
// Queue of object numbers in which each number stands at most once: the landing place of kicks and doorbells.
//
// It has room for every number, so a kick is never refused for want of space, and its sender needs no storage. A number
// that is kicked while it waits is not queued again; one kicked in the cycle in which it leaves is.
// STROBE: source 0 goes before all others and is never refused. It is the strobe of a fill's end, and must leave the
// others their turn.
// Cycles: one kick in (round robin over NSRC sources), one number out.
// Reset: clears itself in 2^ID_W cycles; nothing is ready meanwhile. Errors: none.
module pend_queue #(
    parameter int unsigned ID_W = 10,
    parameter int unsigned NSRC = 2,
    parameter int unsigned STROBE = 0
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [NSRC-1:0]       kick_valid_i,
    output logic [NSRC-1:0]       kick_ready_o,
    input  logic [NSRC*ID_W-1:0]  kick_id_i,
    output logic                  out_valid_o,
    input  logic                  out_ready_i,
    output logic [ID_W-1:0]       out_id_o,
    output logic                  idle_o
);
  localparam int unsigned N = 1 << ID_W;

  logic            init_q;
  logic [ID_W-1:0] init_id_q;
  logic            first, gnt_valid;
  logic [NSRC-1:0] gnt;
  logic [ID_W-1:0] id;
  logic            waiting;
  logic            pop;
  logic            keep;
  logic            push;
  logic [$clog2(N+1)-1:0] level;

  // The waiting bit is the difference of two, one written on entry, one on exit.
  logic            in_bit  [0:N-1];
  logic            out_bit [0:N-1];

  assign first = STROBE != 0 && kick_valid_i[0];
  rr_arbiter #(.N(NSRC)) u_arb (
      .clk_i, .rst_ni, .req_i(kick_valid_i & {NSRC{!init_q}} & (first ? NSRC'(1) : {NSRC{1'b1}})),
      .ack_i(1'b1), .lock_i(1'b0),
      .gnt_valid_o(gnt_valid), .gnt_o(gnt), .gnt_idx_o()
  );
  assign kick_ready_o = gnt;
  always_comb begin
    id = '0;
    for (int unsigned i = 0; i < NSRC; i++) begin
      if (gnt[i]) id = id | kick_id_i[i*ID_W +: ID_W];
    end
  end
  assign waiting = in_bit[id] != out_bit[id];
  assign pop     = out_valid_o && out_ready_i && !keep;
  // With every number queued there is no room for the leaving one: it stays where it is and leaves once more.
  assign keep    = gnt_valid && out_id_o == id && level == ($clog2(N+1))'(N);
  assign push    = gnt_valid && (!waiting || (pop && out_id_o == id));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
    end else if (init_q) begin
      init_id_q <= init_id_q + 1'b1;
      init_q    <= init_id_q != ID_W'(N - 1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (init_q) in_bit[init_id_q] <= 1'b0;
    else if (push) in_bit[id] <= !in_bit[id];
  end
  always_ff @(posedge clk_i) begin
    if (init_q) out_bit[init_id_q] <= 1'b0;
    else if (pop) out_bit[out_id_o] <= !out_bit[out_id_o];
  end

  sync_fifo_ram #(.WIDTH(ID_W), .DEPTH(N)) u_fifo (
      .clk_i, .rst_ni,
      .in_valid_i(push), .in_ready_o(), .in_data_i(id),
      .out_valid_o, .out_ready_i(pop), .out_data_o(out_id_o),
      .level_o(level)
  );
`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && init_q && STROBE != 0) assert (!kick_valid_i[0]);   // would be lost
`endif
  assign idle_o = level == '0 && kick_valid_i == '0 && !init_q;
endmodule
