// SPDX-License-Identifier: Apache-2.0
// Intake of posted writes: chooses one client's command (dma_wr) a cycle, round robin, and gives it the next ticket.
//
// Owns: the ticket. The order of acceptance here is the one order of all posted writes.
// Small data: up to 64 bytes of QPC, CQC and FW, 32 of the others.
// Order: the grant is a register. It stays with a client until another one asks; then it goes to that one after the
//   command that is accepted now, or at once if there is none. So one client, or several, come to one a cycle, and one
//   that asks alone after another waits a cycle. A client whose packet is unfinished (payload command with free = 0)
//   keeps it until the command with free, so packets never mix in the reader of the RX pool. The command goes to the
//   queue of commands, and to the queue of small data or to the pool reader; it is accepted when all three have room:
//   WR_RSP and WR_CMP; when both queues have: the others, which have no payload.
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
    input  logic                               room_i,         // registers: of both queues
    input  logic                               pool_ready_i,   // ... and of the pool reader
    output logic                               accept_o,
    output cairn_int_pkg::dma_wr_t             cmd_o
);
  localparam int unsigned N = cairn_int_pkg::WR_N;

  logic [N-1:0]         gnt_q, next;
  logic                 next_valid, shown, move, more, locked_q;
  logic [2:0]           client_q, next_idx;   // WR_* of the grant
  cairn_int_pkg::dma_wr_t cmd;
  logic [cairn_int_pkg::TICKET_W-1:0] last_q;

  // Clients by number.
  logic [N-1:0]         in_valid, in_ready;
  assign in_valid[cairn_int_pkg::WR_RSP]       = wr_i.rsp.valid;
  assign in_valid[cairn_int_pkg::WR_CMP]       = wr_i.cmp.valid;
  assign in_valid[cairn_int_pkg::WR_CQE]       = wr_i.cqe.valid;
  assign in_valid[cairn_int_pkg::WR_EQE]       = wr_i.eqe.valid;
  assign in_valid[cairn_int_pkg::WR_QPC]       = wr_i.qpc.valid;
  assign in_valid[cairn_int_pkg::WR_CQC]       = wr_i.cqc.valid;
  assign in_valid[cairn_int_pkg::WR_FW]        = wr_i.fw.valid;
  assign in_valid[cairn_int_pkg::WR_ATOM]      = wr_i.atom.valid;
  assign wr_ready_o.rsp                        = in_ready[cairn_int_pkg::WR_RSP];
  assign wr_ready_o.cmp                        = in_ready[cairn_int_pkg::WR_CMP];
  assign wr_ready_o.cqe                        = in_ready[cairn_int_pkg::WR_CQE];
  assign wr_ready_o.eqe                        = in_ready[cairn_int_pkg::WR_EQE];
  assign wr_ready_o.qpc                        = in_ready[cairn_int_pkg::WR_QPC];
  assign wr_ready_o.cqc                        = in_ready[cairn_int_pkg::WR_CQC];
  assign wr_ready_o.fw                         = in_ready[cairn_int_pkg::WR_FW];
  assign wr_ready_o.atom                       = in_ready[cairn_int_pkg::WR_ATOM];
  assign any_o                                 = in_valid != '0;

  // ---- who is next, of the others: the first one behind this one ----
  logic [N-1:0] others, behind;
  logic         again;
  assign shown      = (in_valid & gnt_q) != '0;
  assign others     = in_valid & ~gnt_q;
  assign again      = behind == '0;
  assign next_valid = others != '0;
  assign move       = next_valid && (accept_o ? !more : !shown && !locked_q);
  for (genvar i = 0; i < N; i++) begin : g_next
    localparam logic [N-1:0] LOWER = (N'(1) << i) - N'(1);
    assign behind[i] = others[i] && (gnt_q & LOWER) != '0;
    assign next[i]   = again ? others[i] && (others & LOWER) == '0 : behind[i] && (behind & LOWER) == '0;
  end
  always_comb begin
    next_idx = '0;
    for (int unsigned i = 0; i < N; i++) if (next[i]) next_idx = next_idx | 3'(i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gnt_q    <= N'(1);
      client_q <= '0;
      locked_q <= 1'b0;
    end else begin
      if (move) begin
        gnt_q    <= next;
        client_q <= next_idx;
      end
      if (flush_i) locked_q <= 1'b0;
      else if (accept_o) locked_q <= more;
    end
  end

  // ---- its command, by the bits of the client's number; of the second half of the data only three have any ----
  logic [2:0]             c;
  cairn_int_pkg::dma_wr_t any;
  logic [511:256]         upper;
  assign c     = client_q;
  assign any   = c[2] ? (c[1] ? (c[0] ? wr_i.atom.cmd : wr_i.fw.cmd) : (c[0] ? wr_i.cqc.cmd : wr_i.qpc.cmd))
                      : (c[1] ? (c[0] ? wr_i.eqe.cmd : wr_i.cqe.cmd) : (c[0] ? wr_i.cmp.cmd : wr_i.rsp.cmd));
  assign upper = c[1] ? wr_i.fw.cmd.data[511:256] : c[0] ? wr_i.cqc.cmd.data[511:256] : wr_i.qpc.cmd.data[511:256];
  always_comb begin
    cmd               = any;
    cmd.data[511:256] = upper;
  end
  assign cmd_o = cmd;
  assign more  = cmd.payload && !cmd.free;

  localparam logic [N-1:0] POOL = (N'(1) << cairn_int_pkg::WR_RSP) | (N'(1) << cairn_int_pkg::WR_CMP);
  assign in_ready      = gnt_q & in_valid & {N{!flush_i && room_i}} & ({N{pool_ready_i}} | ~POOL);
  assign accept_o      = in_ready != '0;
  assign ticket_o      = last_q + 1'b1;
  assign last_ticket_o = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= '0;
    else if (accept_o) last_q <= last_q + 1'b1;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && accept_o) begin
      assert (!cmd.payload || (gnt_q & POOL) != '0);
      assert (cmd.len <= 13'd4096);
      assert (cmd.payload ? (cmd.len != 0 || cmd.free) : (cmd.len != 0 && cmd.len <= 13'd64));
    end
  end
`endif
endmodule
