// SPDX-License-Identifier: Apache-2.0
// How many entries of a shared receive queue's ring are read next (srq_state has the records, and asks for them).
//
// wants_i: strobes of SRQs that may want a read. One at a time, in turn: its record is asked for (want_o, until
// want_go_i), comes (read_i), and after three more cycles start_o tells of a read of n_o entries, until start_go_i;
// then it is done_start_i, or again_i. Meanwhile the record changes only so that fewer are read than could be; stop_i
// (firmware sets one up or drops it) gives up and begins again.
// n_o: to the end of the line at most, and of what is posted; up to AHEAD that are neither taken nor owed; slots asked
//   for, read and taken but not settled are at most WINDOW. Of half a line or more, unless few slots are left.
// beyond_o: with start_o, the producer index is beyond the ring. Errors: none.
module srq_start #(
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned WINDOW    = 128,
    parameter int unsigned AHEAD     = 48,
    localparam int unsigned N        = 1 << SRQS_LOG2
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic [N-1:0]               wants_i,
    input  logic                       stop_i,
    output logic                       want_o,
    input  logic                       want_go_i,
    output logic [SRQS_LOG2-1:0]       idx_o,
    input  logic                       read_i,
    input  cairn_int_pkg::srq_counts_t counts_i,
    input  logic [15:0]                req_i,         // entries asked for ever
    input  logic [15:0]                pi_i,
    input  logic [15:0]                done_i,
    input  logic [3:0]                 log2_i,
    output logic                       start_o,
    input  logic                       start_go_i,
    output logic                       beyond_o,
    output logic [4:0]                 n_o,
    input  logic                       done_start_i,
    input  logic                       again_i,
    output logic                       idle_o
);
  localparam int unsigned SW = SRQS_LOG2;
  typedef enum logic [2:0] {G_IDLE, G_WANT, G_READ, G_ROOM, G_LEAST, G_START, G_DONE} state_e;

  state_e        state_q;
  logic [N-1:0]  want_q, after, after_oh, all_oh, clear;
  logic          after_any, all_any;
  logic [SW-1:0] after_idx, all_idx, turn_q, idx_q;
  logic [15:0]   posted_q, held_q, out_q, size_q, space, room;
  logic [15:0]   most_q;
  logic [4:0]    line_q, posted5_q, space5_q, room5_q, n_fit, n_q;
  logic          few_q, beyond_q, worth;
  assign after = want_q & ({N{1'b1}} << turn_q);
  prio_enc_onehot #(.N(N)) u_after (.in_i(after), .valid_o(after_any), .idx_o(after_idx), .onehot_o(after_oh));
  prio_enc_onehot #(.N(N)) u_all (.in_i(want_q), .valid_o(all_any), .idx_o(all_idx), .onehot_o(all_oh));
  assign clear = (state_q != G_IDLE) ? '0 : after_any ? after_oh : all_oh;

  // At most 16, and never less than there are
  function automatic logic [4:0] up_to_16(input logic [15:0] x);
    up_to_16 = (x[15:4] != '0) ? 5'd16 : x[4:0];
  endfunction
  assign space = (held_q > most_q) ? '0 : most_q - held_q;
  assign room  = 16'(WINDOW) - held_q - out_q;
  always_comb begin
    n_fit = line_q;
    if (posted5_q < n_fit) n_fit = posted5_q;
    if (space5_q < n_fit) n_fit = space5_q;
    if (room5_q < n_fit) n_fit = room5_q;
  end
  assign worth = n_fit != '0 && (n_fit[4:3] != '0 || n_fit == line_q || few_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= G_IDLE;
      want_q  <= '0;
      turn_q  <= '0;
    end else begin
      want_q <= (want_q & ~clear) | wants_i | ((stop_i && state_q != G_IDLE) ? N'(1) << idx_q : '0);
      case (state_q)
        G_IDLE:  if (all_any) state_q <= G_WANT;
        G_WANT:  if (want_go_i) state_q <= G_READ;
        G_READ:  if (read_i) state_q <= G_ROOM;
        G_ROOM:  state_q <= G_LEAST;
        G_LEAST: state_q <= (worth || beyond_q) ? G_START : G_IDLE;
        G_START: if (start_go_i) state_q <= G_DONE;
        default: if (done_start_i) state_q <= G_IDLE;
                 else if (again_i) state_q <= G_START;
      endcase
      if (stop_i) state_q <= G_IDLE;
      if (state_q == G_IDLE && all_any) turn_q <= (after_any ? after_idx : all_idx) + 1'b1;
    end
    if (state_q == G_IDLE) idx_q <= after_any ? after_idx : all_idx;
    // What is posted and not asked for, asked for and not taken, taken and not settled
    posted_q <= pi_i - req_i;
    held_q   <= req_i - counts_i.pop;
    out_q    <= counts_i.takes - done_i;
    most_q   <= 16'(AHEAD) + 16'(counts_i.owed);
    size_q   <= 16'h1 << log2_i;
    if (read_i) line_q <= 5'd16 - {1'b0, req_i[3:0] & ~(4'hf << log2_i)};
    // ... and how much more that allows
    posted5_q <= up_to_16(posted_q);
    space5_q  <= up_to_16(space);
    room5_q   <= up_to_16(room);
    few_q     <= held_q < most_q - 16'(AHEAD / 2);
    if (state_q == G_ROOM) beyond_q <= posted_q + held_q > size_q;
    if (state_q == G_LEAST) n_q <= n_fit;
  end
  assign want_o   = state_q == G_WANT;
  assign start_o  = state_q == G_START;
  assign idx_o    = idx_q;
  assign n_o      = n_q;
  assign beyond_o = beyond_q;
  assign idle_o   = want_q == '0 && state_q == G_IDLE;
endmodule
