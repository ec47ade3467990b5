// SPDX-License-Identifier: Apache-2.0
// Last step of req_issue: hands committed packets to tx_payload: the job, its pieces or inline segments, and inline
// bytes. Each of the three goes its own way, in order, so the pieces of a packet leave while the next job does.
//
// The pieces come from the MR answers of req_issue in a ring: behind those of packets here are those of the packet that
// is being committed, then those that are gathered. A packet of 16 elements has 32 pieces at most, since none crosses
// two pages.
// Order: pieces of a fenced packet are read behind every posted write accepted so far. skip_i: inline bytes of a
//   dropped packet are thrown away in their turn.
// Cycles: a packet of one piece in two (start_i while room_o is high). Errors: none.
module req_send #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned PIECES = 128,       // of the ring: a power of two, 32 and more
    parameter bit          HELD   = 1'b0,      // job_i stays while job_held_o
    localparam int unsigned NB_W  = $clog2(DATA_W / 8) + 1,
    localparam int unsigned PW    = $clog2(PIECES)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // a piece of the packet that is gathered
    input  logic                               piece_we_i,
    input  logic [PW-1:0]                      piece_at_i,
    input  cairn_int_pkg::tx_piece_t           piece_i,
    // the packet
    input  logic                               start_i,
    output logic                               room_o,
    input  cairn_int_pkg::tx_job_t             job_i,
    input  cairn_int_pkg::req_data_t           data_i,
    input  logic [PW:0]                        first_i,      // its first piece, counted on
    input  logic [5:0]                         count_i,      // its pieces
    input  logic                               skip_i,       // its inline bytes are not sent
    output logic                               skip_ready_o,
    output logic [1:0]                         left_o,       // packets whose segments are not all handed over
    output logic [PW:0]                        first_o,      // first piece of the oldest of these
    output logic                               pop_o,        // those of one are
    output logic                               job_held_o,   // the job waits to be taken
    output logic                               empty_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    input  logic                               inl_valid_i,
    output logic                               inl_ready_o,
    input  logic [DATA_W-1:0]                  inl_data_i,
    input  logic [NB_W-1:0]                    inl_nbytes_i,
    input  logic                               inl_last_i,
    // to tx_payload
    output cairn_int_pkg::tx_requests_t        requests_o,
    input  cairn_int_pkg::tx_requests_ready_t  requests_ready_i,
    output logic [DATA_W-1:0]                  requests_inl_data_o
);
  // ---- the job ----
  logic                   job_valid_q, segs_ready, inls_ready;
  cairn_int_pkg::tx_job_t job_q;
  assign room_o               = !job_valid_q && segs_ready && inls_ready;
  assign requests_o.job_valid = job_valid_q;
  assign requests_o.job       = HELD ? job_i : job_q;
  assign job_held_o           = job_valid_q && !requests_ready_i.job;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) job_valid_q <= 1'b0;
    else if (start_i) job_valid_q <= 1'b1;
    else if (requests_ready_i.job) job_valid_q <= 1'b0;
    if (start_i) job_q <= job_i;
  end

  // ---- its segments ----
  typedef struct packed {
    logic [PW:0] first;
    logic [5:0]  count;
    logic        fenced;
    logic [1:0]  ninl;
    logic [7:0]  len0, len1;
  } segs_t;
  segs_t      s_in, s;
  logic       s_valid, s_take, s_last;
  logic [5:0] s_next_q;        // segments handed over
  assign s_in = {first_i, count_i, data_i.fenced, data_i.ninl, data_i.inl_len0, data_i.inl_len1};
  sync_fifo_level #(.WIDTH($bits(s_in)), .DEPTH(2)) u_segs (
      .clk_i, .rst_ni, .in_valid_i(start_i && job_i.pay_len != '0), .in_ready_o(segs_ready), .in_data_i(s_in),
      .out_valid_o(s_valid), .out_ready_i(pop_o), .out_data_o(s), .level_o(left_o));

  logic [cairn_int_pkg::TX_PIECE_W-1:0] pieces [0:PIECES-1];
  logic [PW-1:0]            s_at;
  cairn_int_pkg::tx_piece_t piece;
  cairn_int_pkg::tx_seg_t   seg;
  always_ff @(posedge clk_i) if (piece_we_i) pieces[piece_at_i] <= piece_i;
  assign s_at   = s.first[PW-1:0] + PW'(s_next_q);
  assign piece  = pieces[s_at];
  assign s_last = s_next_q + 6'd1 == ((s.ninl != '0) ? {4'h0, s.ninl} : s.count);
  assign s_take = s_valid && requests_ready_i.seg;
  assign pop_o  = s_take && s_last;
  assign first_o = s.first;
  always_comb begin
    seg            = '0;
    seg.func       = piece.func;
    seg.iova       = piece.iova;
    seg.len        = piece.len;
    seg.nb_valid   = s.fenced;
    seg.not_before = last_ticket_i;
    // Of inline bytes only the length counts.
    if (s.ninl != '0) begin
      seg.inline_data = 1'b1;
      seg.len         = {5'h0, s_next_q[0] ? s.len1 : s.len0};
    end
    seg.eoj = s_last;
  end
  assign requests_o.seg_valid = s_valid;
  assign requests_o.seg       = seg;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s_next_q <= '0;
    else if (s_take) s_next_q <= s_last ? '0 : s_next_q + 1'b1;
  end

  // ---- inline bytes: of packets that go, and of packets that were dropped ----
  logic       i_valid, i_skip, i_take, i_last;
  logic [1:0] i_count, i_done_q, i_level;
  assign skip_ready_o = inls_ready;
  sync_fifo_level #(.WIDTH(3), .DEPTH(2)) u_inls (
      .clk_i, .rst_ni, .in_valid_i((start_i && data_i.ninl != '0) || skip_i), .in_ready_o(inls_ready),
      .in_data_i({skip_i, data_i.ninl}), .out_valid_o(i_valid), .out_ready_i(i_last), .out_data_o({i_skip, i_count}),
      .level_o(i_level));
  assign requests_o.inl_valid  = inl_valid_i && i_valid && !i_skip;
  assign requests_inl_data_o   = inl_data_i;
  assign requests_o.inl_nbytes = 7'(inl_nbytes_i);
  assign requests_o.inl_last   = inl_last_i;
  assign inl_ready_o           = i_valid && (i_skip || requests_ready_i.inl);
  assign i_take                = inl_valid_i && inl_ready_o && inl_last_i;
  assign i_last                = i_take && i_done_q + 2'd1 == i_count;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) i_done_q <= '0;
    else if (i_take) i_done_q <= i_last ? '0 : i_done_q + 1'b1;
  end

  assign empty_o = !job_valid_q && !s_valid && i_level == '0;
endmodule
