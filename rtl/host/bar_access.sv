// SPDX-License-Identifier: Apache-2.0
// BAR0 engine of pcie_tlp: carries out the host's register writes and reads, one after the other.
//
// 1 to 64 bytes, any byte enables, on a 64-bit register port. An access takes one cycle more than the register does, in
//   which its data is fetched or kept; two, if its DWs are of two quadwords of the TLP. Answers go to bar_cpl.
// Order: an access holds valid, we, addr (multiple of 8), be and wdata until ready; a read's rdata is taken in that
//   cycle. be of a read says which bytes are wanted. A whole 64-bit register is one access. Answers are queued for as
//   many reads as the host may have outstanding (8), so a blocked answer never blocks a write. An answer remembers the
//   newest posted write accepted before its data was read.
module bar_access #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // from tlp_rx, in order
    input  logic                               op_valid_i,
    output logic                               op_ready_o,
    input  cairn_int_pkg::bar_op_t             op_i,
    input  logic                               word_last_i,  // of a write: all of it is here
    input  logic [DATA_W-1:0]                  word_i,
    output logic                               word_ready_o,
    // registers
    output cairn_int_pkg::csr_access_t         csr_o,
    input  logic                               csr_ready_i,
    input  logic [63:0]                        csr_rdata_i,
    // answers
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    output cairn_int_pkg::bar_dw_t             dw_o,
    output logic                               ans_valid_o,
    input  logic                               ans_ready_i,
    output cairn_int_pkg::bar_answer_t         ans_o,
    output logic                               idle_o
);
  localparam int unsigned WORDS = DATA_W / 32;
  localparam int unsigned AT_W  = $clog2(WORDS);

  typedef enum logic [2:0] {S_IDLE, S_FETCH, S_WALK, S_KEEP, S_DRAIN, S_ANSWER} state_e;
  state_e        state_q;
  cairn_int_pkg::bar_op_t op_q;
  logic [15:2]   addr_q;    // of the access
  logic [4:0]    left_q;    // DW, those of the access included
  logic [3:0]    idx_q;     // DW of the TLP
  logic          first_q, high_q, write;   // high: it is the upper half that is fetched or kept
  logic [63:0]   data_q, rdata_q;
  logic [cairn_int_pkg::TICKET_W-1:0] ticket_q;

  // ---- the access ----
  logic two, both, done, moved;
  logic [3:0] be0, be1;
  assign write = op_q.kind == cairn_int_pkg::BAR_WRITE;
  assign two   = !addr_q[2] && left_q >= 5'd2;
  assign be0   = first_q ? op_q.fbe : (left_q == 5'd1) ? op_q.lbe : 4'hf;
  assign be1   = !two ? 4'h0 : (left_q == 5'd2) ? op_q.lbe : 4'hf;
  assign done  = left_q == (two ? 5'd2 : 5'd1);
  assign both  = two && !idx_q[0] && !high_q;
  assign moved = high_q || !two || both;      // the last DW of the access is fetched or kept

  // A read of nothing is one of registers that read zero.
  logic nothing, reads, walked;
  assign nothing = op_q.kind == cairn_int_pkg::BAR_NOTHING;
  assign reads   = op_i.kind == cairn_int_pkg::BAR_READ || op_i.kind == cairn_int_pkg::BAR_NOTHING;
  assign walked  = state_q == S_WALK && (csr_ready_i || nothing);

  assign op_ready_o  = state_q == S_IDLE && (!reads || ans_ready_i);
  assign csr_o.valid = state_q == S_WALK && !nothing;
  assign csr_o.we    = write;
  assign csr_o.addr  = {addr_q[15:3], 3'b000};
  assign csr_o.be    = addr_q[2] ? {be0, 4'h0} : {be1, be0};
  assign csr_o.wdata = data_q;

  // ---- data of a write: a beat goes with its last DW, what is left of the TLP at the end ----
  logic [63:0]     quad;
  logic [31:0]     dw;
  logic            last_dw;      // of the beat
  if (WORDS > 2) begin : g_quad
    logic [AT_W-2:0] at;
    assign at      = idx_q[AT_W-1:1];
    assign quad    = word_i[64*at +: 64];
    assign last_dw = at == '1 && (idx_q[0] || both);
  end else begin : g_one
    assign quad    = word_i;
    assign last_dw = idx_q[0] || both;
  end
  assign dw           = idx_q[0] ? quad[63:32] : quad[31:0];
  assign word_ready_o = (state_q == S_FETCH && last_dw && !word_last_i) || state_q == S_DRAIN;

  // ---- data of a read ----
  assign dw_o = {state_q == S_KEEP, both, idx_q, rdata_q[63:32], high_q ? rdata_q[63:32] : rdata_q[31:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_IDLE;
    end else begin
      case (state_q)
        S_IDLE: if (op_valid_i && op_ready_o) begin
          state_q <= (op_i.kind == cairn_int_pkg::BAR_WRITE) ? S_FETCH : reads ? S_WALK : S_ANSWER;
        end
        S_FETCH: if (moved) state_q <= S_WALK;
        S_WALK: if (walked) state_q <= !write ? S_KEEP : done ? S_DRAIN : S_FETCH;
        S_KEEP: if (moved) state_q <= done ? S_ANSWER : S_WALK;
        S_DRAIN: if (word_last_i) state_q <= S_IDLE;
        default: if (ans_ready_i) state_q <= S_IDLE;
      endcase
    end

    if (state_q == S_IDLE) begin
      op_q     <= op_i;
      addr_q   <= op_i.addr;
      left_q   <= op_i.length[4:0];
      idx_q    <= 4'd0;
      first_q  <= 1'b1;
      high_q   <= op_i.addr[0];
      ticket_q <= last_ticket_i;
    end else begin
      if (state_q == S_FETCH || state_q == S_KEEP) begin
        idx_q  <= idx_q + (both ? 4'd2 : 4'd1);
        high_q <= !moved;
      end
      if (walked) ticket_q <= last_ticket_i;
      if (write ? walked : state_q == S_KEEP && moved) begin
        addr_q  <= addr_q + (two ? 14'd2 : 14'd1);
        left_q  <= left_q - (two ? 5'd2 : 5'd1);
        first_q <= 1'b0;
      end
    end
    if (state_q == S_FETCH && !high_q) data_q[31:0] <= dw;
    if (state_q == S_FETCH && (high_q || both)) data_q[63:32] <= both ? quad[63:32] : dw;
    if (walked) rdata_q <= nothing ? '0 : csr_rdata_i;
  end

  // Byte count and lower address: PCIe base specification 2.2.9, tables of first and last byte enables.
  logic [2:0]  head, tail;     // bytes before the first and behind the last enabled one
  logic [11:0] bytes;
  always_comb begin
    casez (op_q.fbe)
      4'b???1: head = 3'd0;
      4'b??10: head = 3'd1;
      4'b?100: head = 3'd2;
      4'b1000: head = 3'd3;
      default: head = 3'd0;
    endcase
    casez (op_q.length == 10'd1 ? op_q.fbe : op_q.lbe)
      4'b1???: tail = 3'd0;
      4'b01??: tail = 3'd1;
      4'b001?: tail = 3'd2;
      4'b0001: tail = 3'd3;
      default: tail = 3'd3;    // a read of no byte counts one
    endcase
  end
  assign bytes        = {op_q.length, 2'b00} - {9'd0, head} - {9'd0, tail};
  assign ans_valid_o  = state_q == S_ANSWER;
  assign ans_o.ticket = ticket_q;
  assign ans_o.dw     = (op_q.kind == cairn_int_pkg::BAR_UR) ? 5'd0 : op_q.length[4:0];
  assign ans_o.count  = op_q.mem ? bytes : 12'd4;
  assign ans_o.lower  = op_q.mem ? {op_q.addr[4:0], head[1:0]} : 7'd0;
  assign ans_o.id     = op_q.id;
  assign idle_o       = state_q == S_IDLE;
endmodule
