// SPDX-License-Identifier: Apache-2.0
// Payload reads that failed, on their way from tx_path to the requester.
//
// Owns: by QPN the generation and PSN of the oldest one not looked at; each report kicks the QP. Its next visit finds
//   the record, walks to the WQE that holds the PSN and ends it with an error. A visit that does not come to it, since
//   the WQE has to be read again, puts the record back. There is a record for each QPN, so no report waits for a visit:
//   visits wait for the ring whose head the report is.
// Order: a report takes two cycles, the first without a query: read, then write unless one of the QP and its generation
//   stands. Of several failures the first counts: its WQE ends in error, all later ones flush. A query takes the
//   record; the answer comes a cycle later, and the asker compares the generation.
// Reset: the first 2^QPS_LOG2 cycles clear the table; reports wait. Errors: none.
module req_txerr #(
    parameter int unsigned QPS_LOG2 = 12
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 in_valid_i,
    output logic                 in_ready_o,
    input  logic [23:0]          in_qpn_i,
    input  logic [7:0]           in_gen_i,
    input  logic [23:0]          in_psn_i,
    output cairn_int_pkg::kick_t kick_o,
    input  logic                 kick_ready_i,
    // a visit looks
    input  logic                 q_valid_i,
    input  logic [23:0]          q_qpn_i,
    output logic                 q_live_o,
    output logic [7:0]           q_gen_o,
    output logic [23:0]          q_psn_o,
    output logic                 idle_o
);
  logic                init_q, asked_q, read, read_q, keep, put, live;
  logic [QPS_LOG2-1:0] at_q;        // number of the record that is cleared, or was asked for
  logic [QPS_LOG2-1:0] in_qpn;
  assign in_qpn     = in_qpn_i[QPS_LOG2-1:0];
  assign read       = in_valid_i && !init_q && !q_valid_i && !read_q && (!kick_o.valid || kick_ready_i);
  assign keep       = live && q_gen_o == in_gen_i;
  assign put        = read_q && !keep;
  assign q_live_o   = asked_q && live;
  assign in_ready_o = read_q;
  assign idle_o     = !init_q && !in_valid_i && !kick_o.valid;

  // One write a cycle: a record is put in the cycle after one without a query, and a query takes it in the next.
  ram_1r1w #(.WIDTH(33), .DEPTH(1 << QPS_LOG2), .BYPASS(1)) u_ram (
      .clk_i, .we_i(init_q || put || q_live_o), .waddr_i(read_q ? in_qpn : at_q),
      .wdata_i(put ? {1'b1, in_gen_i, in_psn_i} : 33'h0),
      .re_i(q_valid_i || read), .raddr_i(q_valid_i ? q_qpn_i[QPS_LOG2-1:0] : in_qpn),
      .rdata_o({live, q_gen_o, q_psn_o}));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q       <= 1'b1;
      at_q         <= '0;
      asked_q      <= 1'b0;
      read_q       <= 1'b0;
      kick_o.valid <= 1'b0;
    end else begin
      if (&at_q) init_q <= 1'b0;
      if (init_q) at_q <= at_q + 1'b1;
      else if (q_valid_i) at_q <= q_qpn_i[QPS_LOG2-1:0];
      asked_q <= q_valid_i && !init_q;
      read_q  <= read;
      if (read_q) kick_o.valid <= 1'b1;
      else if (kick_ready_i) kick_o.valid <= 1'b0;
    end
    if (read_q) kick_o.qpn <= in_qpn_i;
  end
endmodule
