// SPDX-License-Identifier: Apache-2.0
// Last step of req_issue: hands a committed packet to tx_payload, first the job, then its pieces.
//
// Or the inline segments, each followed by its bytes. The pieces come from the MR answers of req_issue in two banks:
// one is gathered while the other is sent. start_i (only while busy_o is low) takes a record with its pieces and
// changes the banks; that may be the cycle in which the last of the packet before goes.
// Order: pieces of a fenced packet are read behind every posted write accepted so far. drain_i: inline bytes of a
//   dropped packet are thrown away, while nothing is sent. Errors: none.
module req_send #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned NB_W  = $clog2(DATA_W / 8) + 1
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // a piece of the packet that is gathered
    input  logic                               piece_we_i,
    input  logic [5:0]                         piece_no_i,
    input  cairn_int_pkg::tx_piece_t           piece_i,
    // the packet
    input  logic                               start_i,
    input  cairn_int_pkg::req_rec_t            rec_i,
    input  logic [5:0]                         count_i,  // its pieces
    output logic                               busy_o,
    output logic                               empty_o,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    input  logic                               drain_i,
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
  typedef enum logic [1:0] {S_JOB, S_SEG, S_INL} state_e;

  // ---- pieces, two banks ----
  logic gbank_q, sbank_q;       // gathered, sent
  logic [5:0]    s_next_q;
  logic [6:0]    p_raddr;
  logic [cairn_int_pkg::TX_PIECE_W-1:0] pieces [0:127];
  cairn_int_pkg::tx_piece_t p_rdata;
  always_ff @(posedge clk_i)
    if (piece_we_i) pieces[{gbank_q, piece_no_i}] <= piece_i;
  assign p_raddr = {sbank_q, s_next_q};
  assign p_rdata = pieces[p_raddr];

  // ---- job, pieces, inline segments ----
  logic                    s_busy_q;
  state_e                  s_q;
  cairn_int_pkg::req_rec_t srec_q;
  logic [5:0]              s_count_q;
  logic [1:0]              s_inl_q;       // inline segments named so far
  cairn_int_pkg::tx_seg_t  seg;
  logic                    ends;          // the packet's last handshake
  assign busy_o               = s_busy_q && !ends;
  assign empty_o              = !s_busy_q;
  assign requests_o.job_valid = s_busy_q && s_q == S_JOB;
  assign requests_o.job       = srec_q.job;
  assign requests_o.seg_valid = s_busy_q && s_q == S_SEG;
  always_comb begin
    seg            = '0;
    seg.func       = p_rdata.func;
    seg.iova       = p_rdata.iova;
    seg.len        = p_rdata.len;
    seg.eoj        = s_next_q + 6'd1 == s_count_q;
    seg.nb_valid   = srec_q.data.fenced;
    seg.not_before = last_ticket_i;
    if (srec_q.data.ninl != '0) begin
      seg             = '0;
      seg.inline_data = 1'b1;
      seg.len         = {5'h0, s_inl_q == '0 ? srec_q.data.inl_len0 : srec_q.data.inl_len1};
      seg.eoj         = s_inl_q + 2'd1 == srec_q.data.ninl;
    end
  end
  assign requests_o.seg       = seg;

  // Inline bytes follow their segments: they pass while the sender has the packet, or are dropped with it.
  logic inl_pass;
  assign inl_pass                 = s_busy_q && s_q == S_INL;
  assign requests_o.inl_valid  = inl_valid_i && inl_pass;
  assign requests_inl_data_o   = inl_data_i;
  assign requests_o.inl_nbytes = 7'(inl_nbytes_i);
  assign requests_o.inl_last   = inl_last_i;
  assign inl_ready_o              = (inl_pass && requests_ready_i.inl) || (drain_i && !s_busy_q);

  always_comb begin
    case (s_q)
      S_JOB:   ends = requests_ready_i.job && srec_q.job.pay_len == '0;
      S_SEG:   ends = requests_ready_i.seg && seg.eoj && srec_q.data.ninl == '0;
      default: ends = inl_valid_i && requests_ready_i.inl && inl_last_i && s_inl_q == srec_q.data.ninl;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_busy_q <= 1'b0;
      gbank_q  <= 1'b0;
    end else if (start_i) begin
      s_busy_q  <= 1'b1;
      s_q       <= S_JOB;
      srec_q    <= rec_i;
      gbank_q   <= !gbank_q;
      sbank_q   <= gbank_q;
      s_count_q <= count_i;
      s_next_q  <= '0;
      s_inl_q   <= '0;
    end else if (s_busy_q) begin
      if (ends) s_busy_q <= 1'b0;
      case (s_q)
        S_JOB: if (requests_ready_i.job) s_q <= S_SEG;
        S_SEG: if (requests_ready_i.seg) begin
          s_next_q <= s_next_q + 1'b1;
          s_inl_q  <= s_inl_q + 1'b1;
          if (srec_q.data.ninl != '0) s_q <= S_INL;
        end
        default: if (inl_valid_i && requests_ready_i.inl && inl_last_i) s_q <= S_SEG;
      endcase
    end
  end
endmodule
