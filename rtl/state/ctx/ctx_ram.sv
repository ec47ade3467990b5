// SPDX-License-Identifier: Apache-2.0
// Data RAM of one part of a cached record: one word of WIDTH bits for each cache slot, one copy for each reader.
//
// Read: data follows the slot by one cycle; a word written in the same cycle reads as before.
// Write: the part's owner always succeeds and writes at most every second cycle. Maintenance (fill, firmware) takes the
//   free cycles; its ready is low only in an owner's cycle.
// Errors: none.
module ctx_ram #(
    parameter int unsigned WIDTH   = 512,
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned READERS = 2,
    parameter int unsigned BYPASS  = 0      // 2: nobody needs what he reads of a word that is being written
) (
    input  logic                             clk_i,
    input  logic                             part_write_valid_i,
    input  logic [$clog2(SLOTS)-1:0]         part_write_slot_i,
    input  logic [WIDTH-1:0]                 part_write_data_i,
    input  logic                             host_write_valid_i,
    output logic                             host_write_ready_o,
    input  logic [$clog2(SLOTS)-1:0]         host_write_slot_i,
    input  logic [WIDTH-1:0]                 host_write_data_i,
    input  logic [READERS*$clog2(SLOTS)-1:0] rd_slot_i,
    output logic [READERS*WIDTH-1:0]         rd_data_o
);
  localparam int unsigned AW = $clog2(SLOTS);

  if (SLOTS < 2) begin : g_chk_slots
    $error("ctx_ram: SLOTS must be at least 2");
  end

  logic             we;
  logic [AW-1:0]    waddr;
  logic [WIDTH-1:0] wdata;

  assign host_write_ready_o = !part_write_valid_i;
  assign we         = part_write_valid_i || host_write_valid_i;
  assign waddr      = part_write_valid_i ? part_write_slot_i : host_write_slot_i;
  assign wdata      = part_write_valid_i ? part_write_data_i : host_write_data_i;

  for (genvar g = 0; g < READERS; g++) begin : g_copy
    ram_1r1w #(.WIDTH(WIDTH), .DEPTH(SLOTS), .BYPASS(BYPASS)) u_ram (
        .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(1'b1), .raddr_i(rd_slot_i[g*AW +: AW]),
        .rdata_o(rd_data_o[g*WIDTH +: WIDTH]));
  end
endmodule
