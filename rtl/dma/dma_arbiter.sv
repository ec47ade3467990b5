// SPDX-License-Identifier: Apache-2.0
// Intake of DMA read requests: a holding register for each client (dma_rd_port), and the choice among control clients.
//
// Order: a request that waits for a ticket stays in its client's register; only later requests of the same client wait
//   behind it. Control clients (all but RD_TXP) share one output, round robin. Payload has an output for itself, so
//   neither class waits for the other's tags; dma_read chooses between the two.
// Cycles: a request in two cycles for each client; one a cycle for each output.
// flush_i forgets everything and takes nothing from its second cycle on (dma_rd_port). Errors: none.
module dma_arbiter #(
    parameter logic [cairn_int_pkg::RD_N-1:0] CLIENTS = '1   // those that this build has, by RD_*; RD_TXP is
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               flush_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] sent_ticket_i,
    input  cairn_int_pkg::dma_reads_t          rd_i,
    output cairn_int_pkg::dma_read_ready_t     rd_ready_o,
    output logic [cairn_int_pkg::RD_N-1:0]     taken_o,  // which requests are taken now, by RD_*
    output logic [cairn_int_pkg::RD_N-1:0]     epoch_o,  // ... and their epochs
    // control clients, merged
    output logic                               ctl_valid_o,
    input  logic                               ctl_ready_i,
    output cairn_int_pkg::dma_rd_t             ctl_req_o,
    output logic [3:0]                         ctl_client_o,
    // payload
    output logic                               pay_valid_o,
    input  logic                               pay_ready_i,
    output cairn_int_pkg::dma_rd_t             pay_req_o
);
  localparam int unsigned N = cairn_int_pkg::RD_N;
  localparam int unsigned W = cairn_int_pkg::DMA_RD_W;

  if (cairn_int_pkg::RD_TXP != 0) begin : g_chk_txp
    $error("dma_arbiter: the payload client must be port 0");
  end

  logic [N-1:0]           go;      // may be issued now
  logic [N-1:0]           take;
  logic [N*W-1:0]         req;
  logic [N-2:0]           gnt;
  logic                   gnt_valid;
  logic [$clog2(N-1)-1:0] gnt_idx;

  // Clients by number.
  logic [N-1:0]           in_valid, in_ready;
  logic [N*W-1:0]         in_req;
  assign in_valid[cairn_int_pkg::RD_TXP]       = rd_i.txp.valid;
  assign in_valid[cairn_int_pkg::RD_WQE]       = rd_i.wqe.valid;
  assign in_valid[cairn_int_pkg::RD_RQE]       = rd_i.rqe.valid;
  assign in_valid[cairn_int_pkg::RD_QPC]       = rd_i.qpc.valid;
  assign in_valid[cairn_int_pkg::RD_MR]        = rd_i.mr.valid;
  assign in_valid[cairn_int_pkg::RD_CQ]        = rd_i.cq.valid;
  assign in_valid[cairn_int_pkg::RD_FW]        = rd_i.fw.valid;
  assign in_valid[cairn_int_pkg::RD_ATOM]      = rd_i.atom.valid;
  assign in_req[cairn_int_pkg::RD_TXP*W +: W]  = rd_i.txp.req;
  assign in_req[cairn_int_pkg::RD_WQE*W +: W]  = rd_i.wqe.req;
  assign in_req[cairn_int_pkg::RD_RQE*W +: W]  = rd_i.rqe.req;
  assign in_req[cairn_int_pkg::RD_QPC*W +: W]  = rd_i.qpc.req;
  assign in_req[cairn_int_pkg::RD_MR*W +: W]   = rd_i.mr.req;
  assign in_req[cairn_int_pkg::RD_CQ*W +: W]   = rd_i.cq.req;
  assign in_req[cairn_int_pkg::RD_FW*W +: W]   = rd_i.fw.req;
  assign in_req[cairn_int_pkg::RD_ATOM*W +: W] = rd_i.atom.req;
  assign epoch_o[cairn_int_pkg::RD_TXP]        = rd_i.txp.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_WQE]        = rd_i.wqe.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_RQE]        = rd_i.rqe.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_QPC]        = rd_i.qpc.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_MR]         = rd_i.mr.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_CQ]         = rd_i.cq.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_FW]         = rd_i.fw.req.epoch;
  assign epoch_o[cairn_int_pkg::RD_ATOM]       = rd_i.atom.req.epoch;
  assign rd_ready_o.txp                        = in_ready[cairn_int_pkg::RD_TXP];
  assign rd_ready_o.wqe                        = in_ready[cairn_int_pkg::RD_WQE];
  assign rd_ready_o.rqe                        = in_ready[cairn_int_pkg::RD_RQE];
  assign rd_ready_o.qpc                        = in_ready[cairn_int_pkg::RD_QPC];
  assign rd_ready_o.mr                         = in_ready[cairn_int_pkg::RD_MR];
  assign rd_ready_o.cq                         = in_ready[cairn_int_pkg::RD_CQ];
  assign rd_ready_o.fw                         = in_ready[cairn_int_pkg::RD_FW];
  assign rd_ready_o.atom                       = in_ready[cairn_int_pkg::RD_ATOM];
  assign taken_o                               = in_valid & in_ready;

  for (genvar g = 0; g < N; g++) begin : g_port
    if (CLIENTS[g]) begin : g_here
      dma_rd_port u_port (
          .clk_i, .rst_ni, .flush_i, .sent_ticket_i,
          .in_valid_i(in_valid[g]), .in_ready_o(in_ready[g]), .in_req_i(in_req[g*W +: W]),
          .out_valid_o(go[g]), .out_ready_i(take[g]), .out_req_o(req[g*W +: W]));
    end else begin : g_not
      assign in_ready[g]   = 1'b0;
      assign go[g]         = 1'b0;
      assign req[g*W +: W] = '0;
    end
  end

  rr_arbiter #(.N(N - 1)) u_rr (
      .clk_i, .rst_ni, .req_i(go[N-1:1]), .ack_i(ctl_ready_i), .lock_i(1'b0),
      .gnt_valid_o(gnt_valid), .gnt_o(gnt), .gnt_idx_o(gnt_idx));

  assign take         = {gnt & {(N-1){ctl_ready_i}}, pay_ready_i};
  assign ctl_valid_o  = gnt_valid;
  assign ctl_client_o = 4'(gnt_idx) + 4'd1;
  assign pay_valid_o  = go[0];
  assign pay_req_o    = req[W-1:0];


  always_comb begin
    ctl_req_o = '0;
    for (int unsigned i = 1; i < N; i++) begin
      if (gnt[i-1]) ctl_req_o = ctl_req_o | req[i*W +: W];
    end
  end
endmodule
