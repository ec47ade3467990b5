// SPDX-License-Identifier: Apache-2.0
// Chooses the next packet to build, one a cycle.
//
// Order: ACK and NAK jobs, then CNPs, then READ responses and requests by deficit round robin in bytes, then raw frames
//   of firmware. A raw frame that has been passed over RAW_PATIENCE times goes first. Deficit: bytes that responses are
//   ahead of requests; when both wait, the one that is behind goes next. It never grows beyond one packet of maximum
//   size, so a side that was silent gets no more than that at once. Jobs with drop set cost nothing: the builder only
//   frees their words.
// stop_i: no new packet (function reset).
module tx_arbiter #(
    parameter int unsigned WORD_W       = 11,
    parameter int unsigned CNT_W        = 10,
    parameter int unsigned RAW_PATIENCE = 16,
    parameter int unsigned QUEUE_BYTES  = 1024
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             stop_i,
    // jobs without payload
    input  logic                             ack_valid_i,
    output logic                             ack_ready_o,
    input  cairn_int_pkg::tx_job_t           ack_i,
    input  logic                             cnp_valid_i,
    output logic                             cnp_ready_o,
    input  cairn_int_pkg::tx_job_t           cnp_i,
    // checked jobs of the payload rings; ready: bit 0 requests, bit 1 responses
    input  cairn_int_pkg::tx_checked_t       req_i,
    input  cairn_int_pkg::tx_checked_t       rsp_i,
    output logic [1:0]                       ring_ready_o,
    // raw frame
    input  cairn_int_pkg::raw_frame_t        raw_i,
    output logic                             raw_ready_o,
    // to the builder
    output cairn_int_pkg::tx_grant_t         out_o,
    input  logic                             out_ready_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]  done_bytes_i,  // payload that the sequencer has passed in this cycle
    output cairn_hw_pkg::tx_arbiter_events_t events_o
);
  localparam int unsigned LEN_W    = cairn_int_pkg::LEN_W;
  localparam int unsigned OVERHEAD = 82;  // bytes on the wire besides payload: headers, ICRC, FCS, preamble, gap
  localparam int unsigned PACKET   = 4096;
  localparam int unsigned DEF_W    = $clog2(16 * PACKET);   // with a sign
  localparam int unsigned QUEUE_W  = $clog2(8 * PACKET);
  localparam logic signed [DEF_W-1:0] LIMIT = DEF_W'(PACKET + OVERHEAD);

  cairn_int_pkg::tx_job_t     j;
  logic [1:0] ring_valid, ring_drop;
  logic take, room, some_drop, raw_urgent, pick1;
  logic gnt_ack, gnt_cnp, gnt_rsp, gnt_req, gnt_raw, gnt_any;
  logic signed [DEF_W-1:0]    ahead_q;
  logic [$clog2(RAW_PATIENCE+1)-1:0] passed_q;
  logic valid_q, ring_q, drop_q, raw_q;
  logic [11:0]                raw_len_q;
  logic [WORD_W-1:0]          word_q;
  logic [CNT_W-1:0]           words_q;
  cairn_int_pkg::tx_job_t     job_q;
  logic [QUEUE_W-1:0] queued_q, granted;

  assign take       = (!valid_q || out_ready_i) && room;
  assign room       = queued_q < QUEUE_W'(QUEUE_BYTES);
  assign raw_urgent = raw_i.valid && passed_q == ($clog2(RAW_PATIENCE+1))'(RAW_PATIENCE);
  assign ring_valid = {rsp_i.valid, req_i.valid};
  assign ring_drop  = {rsp_i.drop, req_i.drop};
  assign some_drop  = (ring_valid & ring_drop) != 2'b00;
  assign pick1      = some_drop ? (ring_valid[1] && ring_drop[1])
                                : ring_valid[1] && (!ring_valid[0] || ahead_q[DEF_W-1] || ahead_q == '0);

  always_comb begin
    gnt_ack = 1'b0;
    gnt_cnp = 1'b0;
    gnt_rsp = 1'b0;
    gnt_req = 1'b0;
    gnt_raw = 1'b0;
    if (stop_i) gnt_raw = 1'b0;
    else if (raw_urgent) gnt_raw = 1'b1;
    else if (ack_valid_i) gnt_ack = 1'b1;
    else if (cnp_valid_i) gnt_cnp = 1'b1;
    else if (ring_valid != 2'b00) begin
      gnt_rsp = pick1;
      gnt_req = !pick1;
    end else gnt_raw = raw_i.valid;
  end

  assign gnt_any      = gnt_ack || gnt_cnp || gnt_rsp || gnt_req || gnt_raw;
  assign ack_ready_o  = take && gnt_ack;
  assign cnp_ready_o  = take && gnt_cnp;
  assign ring_ready_o = {take && gnt_rsp, take && gnt_req};
  assign raw_ready_o  = take && gnt_raw;

  // The deficit follows a grant one cycle later.
  logic ran_rsp_q, ran_req_q;
  logic [LEN_W:0]             ran_cost_q;
  logic signed [DEF_W-1:0]    cost, moved;

  assign cost  = $signed(DEF_W'(ran_cost_q));
  assign moved = ran_rsp_q ? ahead_q + cost : ran_req_q ? ahead_q - cost : ahead_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ran_rsp_q <= 1'b0;
      ran_req_q <= 1'b0;
      ahead_q   <= '0;
    end else begin
      ran_rsp_q <= take && gnt_rsp && !rsp_i.drop;
      ran_req_q <= take && gnt_req && !req_i.drop;
      ahead_q   <= (moved > LIMIT) ? LIMIT : (moved < -LIMIT) ? -LIMIT : moved;
    end
  end

  always_ff @(posedge clk_i) ran_cost_q <= {1'b0, pick1 ? rsp_i.job.pay_len : req_i.job.pay_len} + (LEN_W+1)'(OVERHEAD);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      passed_q <= '0;
      valid_q  <= 1'b0;
    end else if (!take) begin
      if (out_ready_i) valid_q <= 1'b0;
    end else begin
      valid_q <= gnt_any;
      if (gnt_raw || !raw_i.valid) passed_q <= '0;
      else if (gnt_any && !raw_urgent) passed_q <= passed_q + 1'b1;
    end
  end

  always_comb begin
    case (1'b1)
      gnt_ack:  j = ack_i;
      gnt_cnp:  j = cnp_i;
      gnt_rsp:  j = rsp_i.job;
      default:  j = req_i.job;
    endcase
    // What only requests carry, and only answers; no extension header of another packet shows it.
    j.retx          = req_i.job.retx;
    j.qkey          = req_i.job.qkey;
    j.args          = req_i.job.args;
    j.args.aeth     = gnt_ack ? ack_i.args.aeth : rsp_i.job.args.aeth;
    j.args.swap_add = gnt_rsp ? rsp_i.job.args.swap_add : req_i.job.args.swap_add;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      ring_q    <= gnt_rsp;
      drop_q    <= (gnt_rsp && rsp_i.drop) || (gnt_req && req_i.drop);
      raw_q     <= gnt_raw;
      raw_len_q <= raw_i.len;
      job_q     <= j;
      word_q    <= gnt_rsp ? rsp_i.place.word[WORD_W-1:0] : gnt_req ? req_i.place.word[WORD_W-1:0] : '0;
      words_q   <= gnt_rsp ? rsp_i.place.words[CNT_W-1:0] : gnt_req ? req_i.place.words[CNT_W-1:0] : '0;
    end
  end

  assign out_o = {valid_q, ring_q, drop_q, raw_q, raw_len_q, job_q, 11'(word_q), 10'(words_q)};

  // ---- payload granted and not yet passed by the sequencer, a cycle late: one packet more than there is room for
  logic took_q, pays_q;
  assign granted = !took_q ? '0 : raw_q ? QUEUE_W'(raw_len_q) : pays_q ? QUEUE_W'(job_q.pay_len) : '0;

  always_ff @(posedge clk_i) begin
    pays_q <= gnt_rsp || gnt_req;
    if (!rst_ni) begin
      took_q   <= 1'b0;
      queued_q <= '0;
    end else begin
      took_q   <= take;
      queued_q <= queued_q + granted - QUEUE_W'(done_bytes_i);
    end
  end

  // ---- counters: of what was taken a cycle ago
  logic [cairn_pkt_pkg::OPF_W-1:0] flags;
  logic ack_q, cnp_q, sent_rsp, sent_req, acks;

  assign flags    = cairn_pkt_pkg::opcode_flags(job_q.opcode);
  assign sent_rsp = pays_q && ring_q && !drop_q;
  assign sent_req = pays_q && !ring_q && !drop_q;
  assign acks     = ack_q || (sent_rsp && job_q.opcode == cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE);

  always_ff @(posedge clk_i) begin
    {ack_q, cnp_q} <= {gnt_ack, gnt_cnp};
    if (!rst_ni) begin
      events_o.ack_sent        <= 1'b0;
      events_o.cnp_sent        <= 1'b0;
      events_o.read_rsp_sent   <= 1'b0;
      events_o.atomic_rsp_sent <= 1'b0;
      events_o.retx_packets    <= 1'b0;
    end else begin
      events_o.ack_sent        <= took_q && acks && job_q.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_ACK;
      events_o.cnp_sent        <= took_q && cnp_q;
      events_o.read_rsp_sent   <= took_q && sent_rsp && flags[cairn_pkt_pkg::OPF_READ];
      events_o.atomic_rsp_sent <= took_q && sent_rsp && flags[cairn_pkt_pkg::OPF_ATOMIC];
      events_o.retx_packets    <= took_q && sent_req && job_q.retx;
    end
    events_o.qpn <= job_q.qpn;
  end
endmodule
