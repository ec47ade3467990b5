// SPDX-License-Identifier: Apache-2.0
// Queue of object numbers in which each number stands at most once: the landing place of kicks and doorbells.
//
// It has room for every number, so a kick is never refused for want of space, and its sender needs no storage. A number
// that is kicked while it waits is not queued again; one kicked in the cycle in which it leaves is.
// STROBE: source 0 goes before all others and is never refused. It is the strobe of a fill's end, and must leave the
// others their turn.
// Cycles: one kick in (round robin over NSRC sources), one number out. A kick is looked up in the next cycle; if
//   nothing waits, its number is shown in that cycle.
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
  logic [ID_W-1:0] id, look_id_q, fifo_id;
  logic            look_q;                // the kick of look_id_q was taken in the last cycle
  logic            none_q;                // nothing waits in the FIFO; a cycle late after the last one left
  logic            in_bit, out_bit, fifo_bit, fresh, direct, push, fifo_valid, pop;
  logic [$clog2(N+1)-1:0] level;

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

  // A number waits while its two bits differ: one is turned on entry, the other follows when it leaves, so each has one
  // writer. What enters carries its bit along, so that the exit need not read. A number that leaves in the cycle of its
  // kick counts as gone, one that leaves while the kick is looked up as waiting: either way it leaves after the kick.
  assign fresh  = in_bit == out_bit;
  assign direct = look_q && none_q;       // then none waits, whatever the bits are read as
  assign push   = look_q && fresh && !(direct && out_ready_i);
  assign pop    = fifo_valid && out_ready_i;
  ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_in (
      .clk_i, .we_i(init_q || push), .waddr_i(init_q ? init_id_q : look_id_q), .wdata_i(!init_q && !out_bit),
      .re_i(1'b1), .raddr_i(id), .rdata_o(in_bit));
  ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_out (
      .clk_i, .we_i(init_q || pop), .waddr_i(init_q ? init_id_q : fifo_id), .wdata_i(!init_q && fifo_bit),
      .re_i(1'b1), .raddr_i(id), .rdata_o(out_bit));
  sync_fifo_ram #(.WIDTH(ID_W + 1), .DEPTH(N), .FAST(1)) u_fifo (
      .clk_i, .rst_ni,
      .in_valid_i(push), .in_ready_o(), .in_data_i({!out_bit, look_id_q}),
      .out_valid_o(fifo_valid), .out_ready_i, .out_data_o({fifo_bit, fifo_id}),
      .level_o(level)
  );
  assign out_valid_o = fifo_valid || direct;
  assign out_id_o    = fifo_valid ? fifo_id : look_id_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
      look_q    <= 1'b0;
      none_q    <= 1'b1;
    end else begin
      if (init_q) begin
        init_id_q <= init_id_q + 1'b1;
        init_q    <= init_id_q != ID_W'(N - 1);
      end
      look_q <= gnt_valid;
      none_q <= level == '0 && !push;
    end
    look_id_q <= id;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && init_q && STROBE != 0) assert (!kick_valid_i[0]);   // would be lost
    if (rst_ni && direct) assert (fresh);
  end
`endif
  assign idle_o = level == '0 && !look_q && kick_valid_i == '0 && !init_q;
endmodule
