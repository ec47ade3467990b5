// SPDX-License-Identifier: Apache-2.0
// Finds the responder resource that a duplicate READ or atomic asks for again. IBTA 9.7.5.1.
//
// Newest first among the kept ones, one in 4 cycles. An atomic must have the same PSN and opcode. A READ must lie
// inside the original range and be its tail: same R_Key, address and PSN advanced alike, same end.
// Range: rsp_tx_walk has the entry in hand (ent_i, from two cycles after rd_o on) and works out what its range is from
//   the duplicate's PSN on, as it does for its own place in a resource; a cycle later begins_i and tail_i tell.
// Outcome: found, with the resource; miss: an entry is not on chip, read the line and start again; neither: drop
//   it silently.
module rsp_tx_dup #(
    parameter bit ATOMIC = 1'b1      // 0: there are no atomics
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  logic                    here_i,  // dup_i is
    input  cairn_int_pkg::rsp_dup_t dup_i,
    input  logic [7:0]              newest_i,  // behind it: resources taken
    input  logic [4:0]              kept_i,  // how many may be asked for
    output logic                    rd_o,
    output logic [3:0]              index_o,
    input  logic                    done_i,  // the answer is here: the next two, and the entry
    input  logic                    hit_i,
    input  logic                    bad_i,
    output logic                    got_o,   // the entry is to be taken in hand
    input  cairn_hw_pkg::rsp_res_t  ent_i,
    input  logic                    begins_i,  // the PSN is the entry's first one
    input  logic                    tail_i,  // from its PSN on the entry's range is the duplicate's
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
  logic         who_q, atom_q;
  cairn_hw_pkg::rsp_res_t ent;
  logic         same, mine;

  assign ent    = ent_i;
  assign mine   = ent.qpn == dup_i.qpn && ent.msn_gen == dup_i.gen;
  assign same   = (ATOMIC && dup_i.atomic) ? atom_q && begins_i : who_q && tail_i;

  assign rd_o    = state_q == S_READ && here_i;
  assign index_o = res_q[3:0];
  assign got_o   = state_q == S_GOT;
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
        S_READ: if (here_i) state_q <= S_GOT;
        S_GOT:  if (done_i) state_q <= hit_i ? S_SIZE : S_DONE;
        S_SIZE: state_q <= S_CMP;
        S_CMP:  state_q <= (same || tried_q == kept_i) ? S_DONE : S_READ;
        default: state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) begin
      res_q   <= newest_i - 8'h1;
      tried_q <= 5'h1;
      found_q <= 1'b0;
      miss_q  <= 1'b0;
    end
    if (state_q == S_GOT) miss_q <= !hit_i && !bad_i;
    if (state_q == S_SIZE) begin
      atom_q <= ent.psn_kind == cairn_hw_pkg::RES_KIND_ATOMIC && ent.psn_cas == dup_i.cas && mine;
      who_q  <= ent.psn_kind == cairn_hw_pkg::RES_KIND_READ && ent.rkey == dup_i.key && mine;
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
