// SPDX-License-Identifier: Apache-2.0
// Finds the responder resource that a duplicate READ or atomic asks for again. IBTA 9.7.5.1.
//
// Newest first among the kept ones, one in 4 cycles. An atomic must have the same PSN and opcode. A READ must lie
// inside the original range and be its tail: same R_Key, address and PSN advanced alike, same end.
// Outcome: found, with the resource; miss: an entry is not on chip, read the line and start again; neither: drop
//   it silently.
module rsp_tx_dup #(
    parameter bit ATOMIC = 1'b1      // 0: there are no atomics
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  cairn_int_pkg::rsp_dup_t dup_i,
    input  logic [2:0]              pmtu_i,
    input  logic [7:0]              tail_i,  // resources taken
    input  logic [4:0]              kept_i,  // how many may be asked for
    output logic                    rd_o,
    output logic [3:0]              index_o,
    input  logic                    hit_i,
    input  logic                    bad_i,
    input  logic [255:0]            entry_i,
    output logic                    busy_o,
    output logic                    done_o,
    output logic                    found_o,
    output logic                    miss_o,
    output logic [7:0]              res_o
);
  typedef enum logic [2:0] {S_IDLE, S_READ, S_GOT, S_SIZE, S_CMP, S_DONE} state_e;
  state_e       state_q;
  logic [7:0]   res_q;
  logic [4:0]   tried_q;
  logic         found_q, miss_q;
  logic [23:0]  npk_q, off_q;
  logic [31:0]  bytes_q;
  logic         who_q, atom_q;
  cairn_hw_pkg::rsp_res_t ent;
  logic [23:0]  off;
  logic [31:0]  npk;
  logic [3:0]   pshift;
  logic         same;

  assign ent    = entry_i;       // as read last
  assign pshift = {1'b0, pmtu_i} + 4'd7;
  assign npk    = (ent.length == '0) ? 32'h1 : (ent.length + (32'h1 << pshift) - 32'h1) >> pshift;
  assign off    = dup_i.psn - ent.psn_first_psn;
  assign same   = (ATOMIC && dup_i.atomic) ? atom_q && off_q == '0
                  : who_q && off_q < npk_q && ent.rkey == dup_i.key && ent.va + {32'h0, bytes_q} == dup_i.va
                    && bytes_q + dup_i.len == ent.length;

  assign rd_o    = state_q == S_READ;
  assign index_o = res_q[3:0];
  assign busy_o  = state_q != S_IDLE;
  assign done_o  = state_q == S_DONE;
  assign found_o = found_q;
  assign miss_o  = miss_q;
  assign res_o   = res_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_IDLE;
    end else begin
      case (state_q)
        S_IDLE: if (start_i) state_q <= (kept_i == '0) ? S_DONE : S_READ;
        S_READ: state_q <= S_GOT;
        S_GOT:  state_q <= hit_i ? S_SIZE : S_DONE;
        S_SIZE: state_q <= S_CMP;
        S_CMP:  state_q <= (same || tried_q == kept_i) ? S_DONE : S_READ;
        default: state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) begin
      res_q   <= tail_i - 8'h1;
      tried_q <= 5'h1;
      found_q <= 1'b0;
      miss_q  <= 1'b0;
    end
    if (state_q == S_GOT) miss_q <= !hit_i && !bad_i;
    if (state_q == S_SIZE) begin
      npk_q   <= npk[23:0];
      off_q   <= off;
      bytes_q <= {8'h0, off} << pshift;
      atom_q  <= ent.psn_kind == cairn_hw_pkg::RES_KIND_ATOMIC && ent.psn_cas == dup_i.cas && ent.qpn == dup_i.qpn
          && ent.msn_gen == dup_i.gen;
      who_q   <= ent.psn_kind == cairn_hw_pkg::RES_KIND_READ && ent.qpn == dup_i.qpn && ent.msn_gen == dup_i.gen;
    end
    if (state_q == S_CMP) begin
      found_q <= same;
      if (!same && tried_q != kept_i) begin
        res_q   <= res_q - 8'h1;
        tried_q <= tried_q + 5'h1;
      end
    end
  end
endmodule
