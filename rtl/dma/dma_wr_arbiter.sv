// SPDX-License-Identifier: Apache-2.0
// Intake of posted writes: chooses one client's command (dma_wr) a cycle, round robin, and gives it the next ticket.
//
// Owns: the ticket. The order of acceptance here is the one order of all posted writes.
// Small data: up to 64 bytes of QPC, CQC and FW, 32 of RSP, CQE and ATOM, 16 of EQE, 8 of CMP. It leaves in words of
//   DATA_W, one a cycle; the command is accepted with its last one. FW shows only the word fw_word_o of it, in the low
//   bits: it has a RAM that is read so.
// Cycles: a command a cycle. Below 512 bits a command is kept in a register first, so that who is ready follows from
//   registers: one cycle, and one more for each word of its data; two with payload.
// CLIENTS: those that this build has, by WR_*; others are never ready.
// Order: in turn (rr_kept). A client whose packet is unfinished (payload command with free = 0) keeps its turn until
//   the command with free, so packets never mix in the reader of the RX pool. The command goes to the queue of
//   commands, and to the queue of small data or to the pool reader; it is accepted when all three have room: WR_RSP
//   and WR_CMP; when both queues have: the others, which have no payload.
// flush_i: nothing is accepted, the lock is forgotten. Errors: none.
module dma_wr_arbiter #(
    parameter int unsigned DATA_W = 512,
    parameter logic [cairn_int_pkg::WR_N-1:0] CLIENTS = '1
) (
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
    output cairn_int_pkg::dma_wr_t             cmd_o,          // its data: in words
    output logic                               word_valid_o,
    output logic [DATA_W-1:0]                  word_o,
    output logic [2:0]                         fw_word_o
);
  localparam int unsigned N       = cairn_int_pkg::WR_N;
  localparam int unsigned SMALL_W = cairn_int_pkg::SMALL_W;
  localparam int unsigned SLICES  = SMALL_W / DATA_W;
  localparam int unsigned IDX_W   = (SLICES > 1) ? $clog2(SLICES) : 1;
  localparam int unsigned BYTE_W  = $clog2(DATA_W / 8);

  // Bits of small data
  function automatic int unsigned data_of(input int unsigned client);
    case (client)
      cairn_int_pkg::WR_QPC, cairn_int_pkg::WR_CQC, cairn_int_pkg::WR_FW: data_of = 512;
      cairn_int_pkg::WR_EQE:                                              data_of = 128;
      cairn_int_pkg::WR_CMP:                                              data_of = 64;
      default:                                                            data_of = 256;
    endcase
  endfunction

  logic [N-1:0]         gnt_q;
  logic                 shown, more, locked_q;
  logic [2:0]           client_q;             // WR_* of the grant
  cairn_int_pkg::dma_wr_t cmd;
  logic                   go, last_word;
  logic [cairn_int_pkg::TICKET_W-1:0] last_q;

  // Clients by number.
  logic [N-1:0]         offered, in_valid, in_ready;
  assign in_valid = offered & CLIENTS;
  assign offered[cairn_int_pkg::WR_RSP]        = wr_i.rsp.valid;
  assign offered[cairn_int_pkg::WR_CMP]        = wr_i.cmp.valid;
  assign offered[cairn_int_pkg::WR_CQE]        = wr_i.cqe.valid;
  assign offered[cairn_int_pkg::WR_EQE]        = wr_i.eqe.valid;
  assign offered[cairn_int_pkg::WR_QPC]        = wr_i.qpc.valid;
  assign offered[cairn_int_pkg::WR_CQC]        = wr_i.cqc.valid;
  assign offered[cairn_int_pkg::WR_FW]         = wr_i.fw.valid;
  assign offered[cairn_int_pkg::WR_ATOM]       = wr_i.atom.valid;
  assign wr_ready_o.rsp                        = in_ready[cairn_int_pkg::WR_RSP];
  assign wr_ready_o.cmp                        = in_ready[cairn_int_pkg::WR_CMP];
  assign wr_ready_o.cqe                        = in_ready[cairn_int_pkg::WR_CQE];
  assign wr_ready_o.eqe                        = in_ready[cairn_int_pkg::WR_EQE];
  assign wr_ready_o.qpc                        = in_ready[cairn_int_pkg::WR_QPC];
  assign wr_ready_o.cqc                        = in_ready[cairn_int_pkg::WR_CQC];
  assign wr_ready_o.fw                         = in_ready[cairn_int_pkg::WR_FW];
  assign wr_ready_o.atom                       = in_ready[cairn_int_pkg::WR_ATOM];
  assign any_o                                 = in_valid != '0;

  // ---- whose turn it is ----
  rr_kept #(.N(N)) u_turn (
      .clk_i, .rst_ni, .req_i(in_valid), .used_i(accept_o), .hold_i(accept_o ? more : locked_q), .gnt_o(gnt_q),
      .gnt_idx_o(client_q), .shown_o(shown));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) locked_q <= 1'b0;
    else if (accept_o) locked_q <= more;
  end

  // ---- its command, by the bits of the client's number; only the first two have payload ----
  logic [2:0]             c;
  cairn_int_pkg::dma_wr_t qpc, cqc, atom, any, shows;
  assign c    = client_q;
  assign qpc  = CLIENTS[cairn_int_pkg::WR_QPC] ? wr_i.qpc.cmd : '0;
  assign cqc  = CLIENTS[cairn_int_pkg::WR_CQC] ? wr_i.cqc.cmd : '0;
  assign atom = CLIENTS[cairn_int_pkg::WR_ATOM] ? wr_i.atom.cmd : '0;
  assign any  = c[2] ? (c[1] ? (c[0] ? atom : wr_i.fw.cmd) : (c[0] ? cqc : qpc))
                     : (c[1] ? (c[0] ? wr_i.eqe.cmd : wr_i.cqe.cmd) : (c[0] ? wr_i.cmp.cmd : wr_i.rsp.cmd));
  always_comb begin
    shows           = any;
    shows.payload   = (gnt_q & POOL) != '0 && any.payload;
    shows.first     = c[0] ? wr_i.cmp.cmd.first : wr_i.rsp.cmd.first;
    shows.free      = c[0] ? wr_i.cmp.cmd.free : wr_i.rsp.cmd.free;
    shows.cell_head = c[0] ? wr_i.cmp.cmd.cell_head : wr_i.rsp.cmd.cell_head;
    shows.off       = c[0] ? wr_i.cmp.cmd.off : wr_i.rsp.cmd.off;
    shows.data      = '0;
  end
  assign cmd_o = cmd;
  assign more  = cmd.payload && !cmd.free;

  // ---- a word of its data ----
  logic [N*SMALL_W-1:0] data;
  logic [N*DATA_W-1:0]  words;
  assign data = {wr_i.atom.cmd.data, wr_i.fw.cmd.data, wr_i.cqc.cmd.data, wr_i.qpc.cmd.data,
                 wr_i.eqe.cmd.data, wr_i.cqe.cmd.data, wr_i.cmp.cmd.data, wr_i.rsp.cmd.data};
  if (SLICES == 1) begin : g_whole
    for (genvar g = 0; g < N; g++) begin : g_client
      assign words[g*DATA_W +: DATA_W] = CLIENTS[g] ? DATA_W'(data[g*SMALL_W +: data_of(g)]) : '0;
    end
    // Who is ready follows from registers: only that a command is accepted waits for its client.
    logic may;
    assign may       = !flush_i && room_i && (pool_ready_i || (gnt_q & POOL) == '0);
    assign in_ready  = gnt_q & {N{may}};
    assign cmd       = shows;
    assign go        = shown && may;
    assign last_word = 1'b1;
    assign fw_word_o = '0;
  end else begin : g_words
    logic [IDX_W-1:0] word_q;
    for (genvar g = 0; g < N; g++) begin : g_client
      if (!CLIENTS[g]) begin : g_none
        assign words[g*DATA_W +: DATA_W] = '0;
      end else if (data_of(g) <= DATA_W || g == cairn_int_pkg::WR_FW) begin : g_one
        localparam int unsigned BITS = (data_of(g) < DATA_W) ? data_of(g) : DATA_W;
        assign words[g*DATA_W +: DATA_W] = DATA_W'(data[g*SMALL_W +: BITS]);
      end else begin : g_some
        localparam int unsigned W = $clog2(data_of(g) / DATA_W);
        assign words[g*DATA_W +: DATA_W] = data[g*SMALL_W + word_q[W-1:0]*DATA_W +: DATA_W];
      end
    end
    // The command that is under way, the word of its last byte, whether that is the next one.
    cairn_int_pkg::dma_wr_t cmd_q;
    logic             busy_q, end_q;
    logic [IDX_W-1:0] top, top_q;
    assign top       = IDX_W'((shows.len[6:0] - 7'd1) >> BYTE_W);
    assign cmd       = cmd_q;
    assign go        = busy_q && !flush_i && room_i && (pool_ready_i || (gnt_q & POOL) == '0);
    assign in_ready  = gnt_q & {N{accept_o}};
    assign last_word = end_q;
    assign fw_word_o = 3'(word_q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) busy_q <= 1'b0;
      else busy_q <= busy_q ? !accept_o : shown;
      if (!busy_q) begin
        cmd_q  <= shows;
        top_q  <= top;
        word_q <= '0;
        end_q  <= shows.payload || top == '0;
      end else if (go) begin
        word_q <= word_q + 1'b1;
        end_q  <= word_q + 1'b1 == top_q;
      end
    end
  end
  assign word_o       = words[client_q*DATA_W +: DATA_W];
  assign word_valid_o = go && !cmd.payload;

  localparam logic [N-1:0] POOL = (N'(1) << cairn_int_pkg::WR_RSP) | (N'(1) << cairn_int_pkg::WR_CMP);
  assign accept_o      = go && last_word;
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
