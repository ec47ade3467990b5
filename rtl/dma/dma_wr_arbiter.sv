// SPDX-License-Identifier: Apache-2.0
// Intake of posted writes: chooses one client's command (dma_wr) a cycle, round robin, and gives it the next ticket.
//
// Owns: the ticket. The order of acceptance here is the one order of all posted writes.
// Order: a client whose packet is unfinished (payload command with free = 0) keeps the grant until the command with
//   free, so packets never mix in the reader of the RX pool. The command goes to the queue of commands, and to the
//   queue of small data or to the pool reader; it is accepted when both have room.
// flush_i: nothing is accepted, the lock is forgotten. Errors: none.
module dma_wr_arbiter (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               flush_i,
    input  cairn_int_pkg::dma_writes_t         wr_i,
    output cairn_int_pkg::dma_write_ready_t    wr_ready_o,
    output logic                               any_o,          // a client offers one
    output logic [cairn_int_pkg::TICKET_W-1:0] ticket_o,       // of the command accepted now
    output logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_o,  // newest accepted
    input  logic                               cmd_ready_i,
    input  logic                               small_ready_i,
    input  logic                               pool_ready_i,
    output logic                               accept_o,
    output cairn_int_pkg::dma_wr_t             cmd_o
);
  localparam int unsigned N = cairn_int_pkg::WR_N;
  localparam int unsigned W = cairn_int_pkg::DMA_WR_W;

  logic [N-1:0]         gnt;
  logic                 gnt_valid;
  logic [W-1:0]         cmd_vec;
  cairn_int_pkg::dma_wr_t cmd;
  logic [cairn_int_pkg::TICKET_W-1:0] last_q;

  // Clients by number.
  logic [N-1:0]         in_valid, in_ready;
  logic [N*W-1:0]       in_cmd;
  assign in_valid[cairn_int_pkg::WR_RSP]       = wr_i.rsp.valid;
  assign in_valid[cairn_int_pkg::WR_CMP]       = wr_i.cmp.valid;
  assign in_valid[cairn_int_pkg::WR_CQE]       = wr_i.cqe.valid;
  assign in_valid[cairn_int_pkg::WR_EQE]       = wr_i.eqe.valid;
  assign in_valid[cairn_int_pkg::WR_QPC]       = wr_i.qpc.valid;
  assign in_valid[cairn_int_pkg::WR_CQC]       = wr_i.cqc.valid;
  assign in_valid[cairn_int_pkg::WR_FW]        = wr_i.fw.valid;
  assign in_valid[cairn_int_pkg::WR_ATOM]      = wr_i.atom.valid;
  assign in_cmd[cairn_int_pkg::WR_RSP*W +: W]  = wr_i.rsp.cmd;
  assign in_cmd[cairn_int_pkg::WR_CMP*W +: W]  = wr_i.cmp.cmd;
  assign in_cmd[cairn_int_pkg::WR_CQE*W +: W]  = wr_i.cqe.cmd;
  assign in_cmd[cairn_int_pkg::WR_EQE*W +: W]  = wr_i.eqe.cmd;
  assign in_cmd[cairn_int_pkg::WR_QPC*W +: W]  = wr_i.qpc.cmd;
  assign in_cmd[cairn_int_pkg::WR_CQC*W +: W]  = wr_i.cqc.cmd;
  assign in_cmd[cairn_int_pkg::WR_FW*W +: W]   = wr_i.fw.cmd;
  assign in_cmd[cairn_int_pkg::WR_ATOM*W +: W] = wr_i.atom.cmd;
  assign wr_ready_o.rsp                        = in_ready[cairn_int_pkg::WR_RSP];
  assign wr_ready_o.cmp                        = in_ready[cairn_int_pkg::WR_CMP];
  assign wr_ready_o.cqe                        = in_ready[cairn_int_pkg::WR_CQE];
  assign wr_ready_o.eqe                        = in_ready[cairn_int_pkg::WR_EQE];
  assign wr_ready_o.qpc                        = in_ready[cairn_int_pkg::WR_QPC];
  assign wr_ready_o.cqc                        = in_ready[cairn_int_pkg::WR_CQC];
  assign wr_ready_o.fw                         = in_ready[cairn_int_pkg::WR_FW];
  assign wr_ready_o.atom                       = in_ready[cairn_int_pkg::WR_ATOM];
  assign any_o                                 = in_valid != '0;

  rr_arbiter #(.N(N)) u_rr (
      .clk_i, .rst_ni(rst_ni && !flush_i), .req_i(in_valid), .ack_i(accept_o),
      .lock_i(cmd.payload && !cmd.free),
      .gnt_valid_o(gnt_valid), .gnt_o(gnt), .gnt_idx_o());

  always_comb begin
    cmd_vec = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt[i]) cmd_vec = cmd_vec | in_cmd[i*W +: W];
    end
  end
  assign cmd   = cmd_vec;
  assign cmd_o = cmd_vec;

  assign accept_o      = gnt_valid && !flush_i && cmd_ready_i && (cmd.payload ? pool_ready_i : small_ready_i);
  assign in_ready      = gnt & {N{accept_o}};
  assign ticket_o      = last_q + 1'b1;
  assign last_ticket_o = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= '0;
    else if (accept_o) last_q <= last_q + 1'b1;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && accept_o) begin
      assert (cmd.len <= 13'd4096);
      assert (cmd.payload ? (cmd.len != 0 || cmd.free) : (cmd.len != 0 && cmd.len <= 13'd64));
    end
  end
`endif
endmodule
