// SPDX-License-Identifier: Apache-2.0
// Holding register of one DMA read client: keeps its oldest request until the request may go.
//
// Order: a request that names a ticket waits until dma_write has sent that posted write (signed 16-bit difference). It
//   is looked at until then: waiting for a tag afterwards may take more than 2^15 writes.
// Cycles: a request in two cycles: that there is room follows from registers, whoever else wants the link. One that
//   names a ticket goes a cycle later.
// flush_i forgets it and takes nothing from the next cycle on; what comes in its first one is forgotten, too.
module dma_rd_port (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               flush_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    input  logic                               in_valid_i,
    output logic                               in_ready_o,
    input  cairn_int_pkg::dma_rd_t             in_req_i,
    output logic                               out_valid_o,  // present and allowed to go
    input  logic                               out_ready_i,
    output cairn_int_pkg::dma_rd_t             out_req_o
);
  logic                                valid_q, next, load;
  cairn_int_pkg::dma_rd_t              req_q;
  logic [cairn_int_pkg::TICKET_W-1:0]  ahead;

  // Registers: that one may be taken, that the one here may go.
  assign ahead     = sent_ticket_i - req_q.not_before;
  assign out_req_o = req_q;
  assign load      = in_ready_o && in_valid_i;
  assign next      = load || (valid_q && !(out_valid_o && out_ready_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      valid_q     <= 1'b0;
      in_ready_o  <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      valid_q     <= next;
      in_ready_o  <= !next;
      out_valid_o <= load ? !in_req_i.nb_valid
                     : out_valid_o ? !out_ready_i : valid_q && !ahead[cairn_int_pkg::TICKET_W-1];
    end
    if (in_ready_o) req_q <= in_req_i;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_q) assert (req_q.len != 0 && req_q.len <= 13'd4096);
  end
`endif
endmodule
