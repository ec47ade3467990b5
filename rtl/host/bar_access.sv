// SPDX-License-Identifier: Apache-2.0
// BAR0 engine of pcie_tlp: carries out the host's register writes and reads, one after the other.
//
// 1 to 64 bytes, any byte enables, on a 64-bit register port; answers go to bar_cpl.
// Order: an access holds valid, we, addr (multiple of 8), be and wdata until ready; a read's rdata is taken in that
//   cycle. be of a read says which bytes are wanted. A whole 64-bit register is one access. Answers are queued for as
//   many reads as the host may have outstanding (8), so a blocked answer never blocks a write. An answer remembers the
//   newest posted write accepted before its data was read.
module bar_access (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // from tlp_rx, in order
    input  logic                               op_valid_i,
    output logic                               op_ready_o,
    input  cairn_int_pkg::bar_op_t             op_i,
    // registers
    output cairn_int_pkg::csr_access_t         csr_o,
    input  logic                               csr_ready_i,
    input  logic [63:0]                        csr_rdata_i,
    // answers
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    output logic                               ans_valid_o,
    input  logic                               ans_ready_i,
    output cairn_int_pkg::bar_answer_t         ans_o,
    output logic                               idle_o
);
  typedef enum logic [1:0] {S_IDLE, S_WALK, S_ANSWER} state_e;
  state_e        state_q;
  cairn_int_pkg::bar_t kind_q;
  logic [127:0]  hdr_q;
  logic [15:2]   addr_q;
  logic [4:0]    left_q;    // DW
  logic [3:0]    idx_q;     // DW of the answer
  logic          first_q;
  logic [511:0]  data_q;    // writes: what is left, lowest first; reads: the answer
  logic [cairn_int_pkg::TICKET_W-1:0] ticket_q;

  cairn_hw_pkg::tlp_mem_t op, hdr;
  assign op  = op_i.hdr;
  assign hdr = hdr_q;

  logic two, done;
  logic [3:0] be0, be1;
  assign two  = !addr_q[2] && left_q >= 5'd2;
  assign be0  = first_q ? hdr.fbe : (left_q == 5'd1) ? hdr.lbe : 4'hf;
  assign be1  = !two ? 4'h0 : (left_q == 5'd2) ? hdr.lbe : 4'hf;
  assign done = left_q == (two ? 5'd2 : 5'd1);

  assign op_ready_o  = state_q == S_IDLE;
  assign csr_o.valid = state_q == S_WALK;
  assign csr_o.we    = kind_q == cairn_int_pkg::BAR_WRITE;
  assign csr_o.addr  = {addr_q[15:3], 3'b000};
  assign csr_o.be    = addr_q[2] ? {be0, 4'h0} : {be1, be0};
  assign csr_o.wdata = addr_q[2] ? {data_q[31:0], 32'd0} : data_q[63:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_IDLE;
    end else begin
      case (state_q)
        S_IDLE: if (op_valid_i) begin
          state_q <= (op_i.kind == cairn_int_pkg::BAR_WRITE || op_i.kind == cairn_int_pkg::BAR_READ)
                     ? S_WALK : S_ANSWER;
        end
        S_WALK: if (csr_ready_i && done) state_q <= (kind_q == cairn_int_pkg::BAR_WRITE) ? S_IDLE : S_ANSWER;
        default: if (ans_ready_i) state_q <= S_IDLE;
      endcase
    end

    if (state_q == S_IDLE) begin
      kind_q   <= op_i.kind;
      hdr_q    <= op_i.hdr;
      addr_q   <= op.fmt[0] ? op.addr[15:2] : op.addr[47:34];
      left_q   <= op.length[4:0];
      idx_q    <= 4'd0;
      first_q  <= 1'b1;
      data_q   <= (op_i.kind == cairn_int_pkg::BAR_WRITE) ? op_i.data : '0;
      ticket_q <= last_ticket_i;
    end else if (state_q == S_WALK && csr_ready_i) begin
      addr_q   <= addr_q + (two ? 14'd2 : 14'd1);
      left_q   <= left_q - (two ? 5'd2 : 5'd1);
      idx_q    <= idx_q + (two ? 4'd2 : 4'd1);
      first_q  <= 1'b0;
      ticket_q <= last_ticket_i;
      if (kind_q == cairn_int_pkg::BAR_WRITE) begin
        data_q <= two ? {64'd0, data_q[511:64]} : {32'd0, data_q[511:32]};
      end else begin
        for (int unsigned i = 0; i < 16; i++) begin
          if (idx_q == 4'(i)) data_q[32*i +: 32] <= addr_q[2] ? csr_rdata_i[63:32] : csr_rdata_i[31:0];
          if (two && idx_q + 4'd1 == 4'(i)) data_q[32*i +: 32] <= csr_rdata_i[63:32];
        end
      end
    end
  end

  // Byte count and lower address: PCIe base specification 2.2.9, tables of first and last byte enables.
  logic [2:0]  head, tail;     // bytes before the first and behind the last enabled one
  logic [11:0] bytes;
  always_comb begin
    casez (hdr.fbe)
      4'b???1: head = 3'd0;
      4'b??10: head = 3'd1;
      4'b?100: head = 3'd2;
      4'b1000: head = 3'd3;
      default: head = 3'd0;
    endcase
    casez (hdr.length == 10'd1 ? hdr.fbe : hdr.lbe)
      4'b1???: tail = 3'd0;
      4'b01??: tail = 3'd1;
      4'b001?: tail = 3'd2;
      4'b0001: tail = 3'd3;
      default: tail = 3'd3;    // a read of no byte counts one
    endcase
  end
  logic is_mem;
  assign is_mem       = hdr.type_ == cairn_hw_pkg::TLP_TYPE_MEM;
  assign bytes        = {hdr.length, 2'b00} - {9'd0, head} - {9'd0, tail};
  assign ans_valid_o  = state_q == S_ANSWER;
  assign ans_o.ticket = ticket_q;
  assign ans_o.dw     = (kind_q == cairn_int_pkg::BAR_UR) ? 5'd0 : hdr.length[4:0];
  assign ans_o.count  = is_mem ? bytes : 12'd4;
  assign ans_o.lower  = is_mem ? {hdr.fmt[0] ? hdr.addr[6:2] : hdr.addr[38:34], head[1:0]} : 7'd0;
  assign ans_o.hdr    = hdr_q;
  assign ans_o.data   = data_q;
  assign idle_o       = state_q == S_IDLE;
endmodule
