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
    parameter int unsigned PLACE_W      = 18,
    parameter int unsigned RAW_PATIENCE = 16,
    parameter int unsigned QUEUE_BYTES  = 1024,
    localparam int unsigned JOB_W = cairn_int_pkg::TX_JOB_W,
    localparam int unsigned RAW_LEN_W = cairn_hw_pkg::REG_RAW_TX_LEN_W
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 stop_i,
    // jobs without payload
    input  logic                 ack_valid_i,
    output logic                 ack_ready_o,
    input  logic [JOB_W-1:0]     ack_job_i,
    input  logic                 cnp_valid_i,
    output logic                 cnp_ready_o,
    input  logic [JOB_W-1:0]     cnp_job_i,
    // checked jobs of the payload rings: 0 requests, 1 responses
    input  logic [1:0]           ring_valid_i,
    output logic [1:0]           ring_ready_o,
    input  logic [1:0]           ring_drop_i,
    input  logic [2*JOB_W-1:0]   ring_job_i,
    input  logic [2*PLACE_W-1:0] ring_place_i,
    // raw frame
    input  logic                 raw_valid_i,
    output logic                 raw_ready_o,
    input  logic [RAW_LEN_W-1:0] raw_len_i,
    // to the builder
    output logic                 out_valid_o,
    input  logic                 out_ready_i,
    output logic                 out_ring_o,    // payload in ring 1
    output logic                 out_drop_o,
    output logic                 out_raw_o,
    output logic [RAW_LEN_W-1:0] out_raw_len_o,
    output logic [JOB_W-1:0]     out_job_o,
    output logic [PLACE_W-1:0]   out_place_o,   // all zero: no payload words
    input  logic [cairn_int_pkg::LEN_W-1:0] done_bytes_i,  // payload that the sequencer has passed in this cycle
    output cairn_hw_pkg::tx_arbiter_events_t events_o
);
  localparam int unsigned LEN_W    = cairn_int_pkg::LEN_W;
  localparam int unsigned OVERHEAD = 82;  // bytes on the wire besides payload: headers, ICRC, FCS, preamble, gap
  localparam int unsigned DEF_W    = LEN_W + 3;
  localparam int unsigned QUEUE_W  = LEN_W + 2;
  localparam logic signed [DEF_W-1:0] LIMIT = DEF_W'(4096 + OVERHEAD);

  logic [JOB_W-1:0]           job0, job1, job;
  cairn_int_pkg::tx_job_t     j0, j1, j, ack_job;
  logic                       take, room, some_drop, raw_urgent, pick1;
  logic                       gnt_ack, gnt_cnp, gnt_rsp, gnt_req, gnt_raw, gnt_any;
  logic signed [DEF_W-1:0]    ahead_q;
  logic [$clog2(RAW_PATIENCE+1)-1:0] passed_q;
  logic                       valid_q;
  logic [QUEUE_W-1:0]         queued_q, granted;

  assign job0    = ring_job_i[JOB_W-1:0];
  assign job1    = ring_job_i[2*JOB_W-1:JOB_W];
  assign j0      = job0;
  assign j1      = job1;
  assign ack_job = ack_job_i;

  assign take       = (!valid_q || out_ready_i) && room;
  assign room       = queued_q < QUEUE_W'(QUEUE_BYTES);
  assign raw_urgent = raw_valid_i && passed_q == ($clog2(RAW_PATIENCE+1))'(RAW_PATIENCE);
  assign some_drop  = (ring_valid_i & ring_drop_i) != 2'b00;
  assign pick1      = some_drop ? (ring_valid_i[1] && ring_drop_i[1])
                                : ring_valid_i[1] && (!ring_valid_i[0] || ahead_q[DEF_W-1] || ahead_q == '0);

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
    else if (ring_valid_i != 2'b00) begin
      gnt_rsp = pick1;
      gnt_req = !pick1;
    end else gnt_raw = raw_valid_i;
  end

  assign gnt_any      = gnt_ack || gnt_cnp || gnt_rsp || gnt_req || gnt_raw;
  assign ack_ready_o  = take && gnt_ack;
  assign cnp_ready_o  = take && gnt_cnp;
  assign ring_ready_o = {take && gnt_rsp, take && gnt_req};
  assign raw_ready_o  = take && gnt_raw;

  // The deficit follows a grant one cycle later.
  logic                       ran_rsp_q, ran_req_q;
  logic [LEN_W-1:0]           ran_len_q;
  logic signed [DEF_W-1:0]    cost, moved;

  assign cost  = $signed(DEF_W'(ran_len_q)) + $signed(DEF_W'(OVERHEAD));
  assign moved = ahead_q + (ran_rsp_q ? cost : ran_req_q ? -cost : $signed(DEF_W'(0)));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ran_rsp_q <= 1'b0;
      ran_req_q <= 1'b0;
      ahead_q   <= '0;
    end else begin
      ran_rsp_q <= take && gnt_rsp && !ring_drop_i[1];
      ran_req_q <= take && gnt_req && !ring_drop_i[0];
      ahead_q   <= (moved > LIMIT) ? LIMIT : (moved < -LIMIT) ? -LIMIT : moved;
    end
  end

  always_ff @(posedge clk_i) ran_len_q <= gnt_rsp ? j1.pay_len : j0.pay_len;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      passed_q <= '0;
      valid_q  <= 1'b0;
    end else if (!take) begin
      if (out_ready_i) valid_q <= 1'b0;
    end else begin
      valid_q <= gnt_any;
      if (gnt_raw || !raw_valid_i) passed_q <= '0;
      else if (gnt_any && !raw_urgent) passed_q <= passed_q + 1'b1;
    end
  end

  always_comb begin
    case (1'b1)
      gnt_ack:  job = ack_job_i;
      gnt_cnp:  job = cnp_job_i;
      gnt_rsp:  job = job1;
      default: job = job0;
    endcase
  end

  assign j = job;

  always_ff @(posedge clk_i) begin
    if (take) begin
      out_ring_o    <= gnt_rsp;
      out_drop_o    <= (gnt_rsp && ring_drop_i[1]) || (gnt_req && ring_drop_i[0]);
      out_raw_o     <= gnt_raw;
      out_raw_len_o <= raw_len_i;
      out_job_o     <= job;
      out_place_o   <= gnt_rsp ? ring_place_i[2*PLACE_W-1:PLACE_W] : gnt_req ? ring_place_i[PLACE_W-1:0] : '0;
    end
  end

  assign out_valid_o = valid_q;

  // ---- payload granted and not yet passed by the sequencer
  assign granted = !take ? '0
                   : gnt_raw ? QUEUE_W'(raw_len_i)
                   : (gnt_rsp || gnt_req) ? QUEUE_W'(j.pay_len) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) queued_q <= '0;
    else queued_q <= queued_q + granted - QUEUE_W'(done_bytes_i);
  end

  // ---- counters
  logic [cairn_pkt_pkg::OPF_W-1:0] flags;
  logic                            sent_rsp, sent_req;

  assign flags    = cairn_pkt_pkg::opcode_flags(j.opcode);
  assign sent_rsp = take && gnt_rsp && !ring_drop_i[1];
  assign sent_req = take && gnt_req && !ring_drop_i[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      events_o.ack_sent        <= 1'b0;
      events_o.cnp_sent        <= 1'b0;
      events_o.read_rsp_sent   <= 1'b0;
      events_o.atomic_rsp_sent <= 1'b0;
      events_o.retx_packets    <= 1'b0;
    end else begin
      events_o.ack_sent <= (take && gnt_ack && ack_job.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_ACK)
                        || (sent_rsp && j1.opcode == cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE
                            && j1.args.aeth[30:29] == cairn_pkt_pkg::AETH_CLASS_ACK);
      events_o.cnp_sent        <= take && gnt_cnp;
      events_o.read_rsp_sent   <= sent_rsp && flags[cairn_pkt_pkg::OPF_READ];
      events_o.atomic_rsp_sent <= sent_rsp && flags[cairn_pkt_pkg::OPF_ATOMIC];
      events_o.retx_packets    <= sent_req && j0.retx;
    end
    events_o.qpn <= j0.qpn;
  end

  logic unused;
  assign unused = ^{j, j0, j1, ack_job, flags};
endmodule
