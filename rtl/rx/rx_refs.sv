// SPDX-License-Identifier: Apache-2.0
// Cells that several records share: a multicast packet goes to each member of its group as a record of its own.
//
// Each of these gives the same cells back; all but the last end here. In rx_buffer, before rx_cell_free.
// Order: rx_mcast announces a packet with its number of records, before the first of them leaves; without room for one
//   more it must not. Cells given back by the pool's read side and by droppers come here; those of packets that were
//   not announced pass. When both give back the same packet, the dropper's goes first.
// Errors: none.
module rx_refs #(
    parameter int unsigned ENTRIES = 16,
    parameter int unsigned CELL_W  = 10,
    parameter int unsigned REF_W   = 4
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              al_valid_i,
    output logic              al_ready_o,
    input  logic [CELL_W-1:0] al_cell_i,
    input  logic [REF_W-1:0]  al_count_i,    // 2 or more
    input  logic              rel_valid_i,
    output logic              rel_ready_o,
    input  logic [CELL_W-1:0] rel_cell_i,
    output logic              rel_valid_o,
    input  logic              rel_ready_i,
    input  logic              free_valid_i,
    output logic              free_ready_o,
    input  logic [CELL_W-1:0] free_cell_i,
    output logic              free_valid_o,
    input  logic              free_ready_i
);
  logic [ENTRIES-1:0] used_q, more, rel_hit, free_hit, take;
  logic               rel_keep, free_keep, same, rel_go, free_go;

  assign al_ready_o   = used_q != '1;
  assign take         = ~used_q & (used_q + ENTRIES'(1));   // the lowest that is free
  assign rel_keep     = (rel_hit & more) != '0;
  assign free_keep    = (free_hit & more) != '0;
  assign same         = free_valid_i && (rel_hit & free_hit) != '0;
  assign rel_valid_o  = rel_valid_i && !rel_keep && !same;
  assign rel_ready_o  = !same && (rel_keep || rel_ready_i);
  assign free_valid_o = free_valid_i && !free_keep;
  assign free_ready_o = free_keep || free_ready_i;
  assign rel_go       = rel_valid_i && rel_ready_o;
  assign free_go      = free_valid_i && free_ready_o;

  for (genvar e = 0; e < ENTRIES; e++) begin : g_entry
    logic [CELL_W-1:0] cell_q;
    logic [REF_W-1:0]  left_q;
    logic              load, step;
    assign load        = al_valid_i && al_ready_o && take[e];
    assign step        = (rel_go && rel_hit[e]) || (free_go && free_hit[e]);
    assign rel_hit[e]  = used_q[e] && cell_q == rel_cell_i;
    assign free_hit[e] = used_q[e] && cell_q == free_cell_i;
    assign more[e]     = left_q > REF_W'(1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) used_q[e] <= 1'b0;
      else if (load) used_q[e] <= 1'b1;
      else if (step && !more[e]) used_q[e] <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (load) begin
        cell_q <= al_cell_i;
        left_q <= al_count_i;
      end else if (step) begin
        left_q <= left_q - 1'b1;
      end
    end
  end
endmodule
