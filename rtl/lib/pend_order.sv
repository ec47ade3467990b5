// SPDX-License-Identifier: Apache-2.0
// What waits in a pend_queue of many numbers: a FIFO, and two bits a number.
//
// look_i: the number look_id_i, which was id_i in the cycle before, was kicked; it is queued if it does not wait yet.
// Cycles: one in, one out; if nothing waits, a number is shown in the cycle of look_i.
// Reset: clears itself in 2^ID_W cycles; not ready meanwhile. Errors: none.
module pend_order #(
    parameter int unsigned ID_W = 10
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [ID_W-1:0] id_i,
    input  logic            look_i,
    input  logic [ID_W-1:0] look_id_i,
    output logic            ready_o,
    output logic            out_valid_o,
    input  logic            out_ready_i,
    output logic [ID_W-1:0] out_id_o,
    output logic            empty_o
);
  localparam int unsigned N = 1 << ID_W;

  logic            init_q;
  logic [ID_W-1:0] init_id_q, fifo_id;
  logic            none_q;                // nothing waits in the FIFO; a cycle late after the last one left
  logic            in_bit, out_bit, fifo_bit, fresh, direct, push, fifo_valid, pop;
  logic [$clog2(N+1)-1:0] level;

  // A number waits while its two bits differ: one is turned on entry, the other follows when it leaves, so each has one
  // writer. What enters carries its bit along, so that the exit need not read. A number that leaves in the cycle of its
  // kick counts as gone, one that leaves while the kick is looked up as waiting: either way it leaves after the kick.
  assign fresh  = in_bit == out_bit;
  assign direct = look_i && none_q;       // then none waits, whatever the bits are read as
  assign push   = look_i && fresh && !(direct && out_ready_i);
  assign pop    = fifo_valid && out_ready_i;
  ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_in (
      .clk_i, .we_i(init_q || push), .waddr_i(init_q ? init_id_q : look_id_i), .wdata_i(!init_q && !out_bit),
      .re_i(1'b1), .raddr_i(id_i), .rdata_o(in_bit));
  ram_1r1w #(.WIDTH(1), .DEPTH(N), .BYPASS(1)) u_out (
      .clk_i, .we_i(init_q || pop), .waddr_i(init_q ? init_id_q : fifo_id), .wdata_i(!init_q && fifo_bit),
      .re_i(1'b1), .raddr_i(id_i), .rdata_o(out_bit));
  sync_fifo_ram #(.WIDTH(ID_W + 1), .DEPTH(N), .FAST(1)) u_fifo (
      .clk_i, .rst_ni,
      .in_valid_i(push), .in_ready_o(), .in_data_i({!out_bit, look_id_i}),
      .out_valid_o(fifo_valid), .out_ready_i, .out_data_o({fifo_bit, fifo_id}),
      .level_o(level)
  );
  assign out_valid_o = fifo_valid || direct;
  assign out_id_o    = fifo_valid ? fifo_id : look_id_i;
  assign ready_o     = !init_q;
  assign empty_o     = level == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_id_q <= '0;
      none_q    <= 1'b1;
    end else begin
      if (init_q) begin
        init_id_q <= init_id_q + 1'b1;
        init_q    <= init_id_q != ID_W'(N - 1);
      end
      none_q <= level == '0 && !push;
    end
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && direct) assert (fresh);
`endif
endmodule
