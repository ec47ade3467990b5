// SPDX-License-Identifier: Apache-2.0
// One payload ring of the transmit side: takes jobs, each followed by its segments, and offers the oldest once all its
// bytes are there.
//
// It gives every job the ring words that its payload will occupy and turns segments into fetch commands with their
// final byte address. Payload byte 0 lies at the byte offset that the header leaves it at in the frame (tx_hdr_len
// modulo the beat), so the builder needs no shifter. A job without payload has no segments and no words.
// Order: jobs leave in the order they came. A job waits at the input while the job FIFO is full or the ring might be:
//   it begins when the largest packet fits. Its words are freed in order.
// Cycles: a job a cycle; its first segment becomes a command in the cycle after the job is taken. Below 512 bits a job
//   in two cycles, since it is looked at where it comes from, and out of here in three. Below 128 bits tx_form makes
//   its header meanwhile, and what goes on of it is what tx_check and tx_arbiter look at; slot: where its header is.
// Errors: a failed fetch marks the job.
module tx_ring #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned RING_BYTES = 32768,  // power of two
    parameter int unsigned JOBS       = 64,     // power of two
    parameter int unsigned QPS_LOG2   = 24,     // bits of a QPN, below 128 bits
    parameter int unsigned PLACE      = 0,      // below 128 bits: of the first header, see tx_form
    localparam int unsigned BYTES     = DATA_W / 8,
    localparam int unsigned ADDR_W    = $clog2(RING_BYTES),
    localparam int unsigned WORD_W    = $clog2(RING_BYTES / BYTES),
    localparam int unsigned CNT_W     = $clog2(4096 / BYTES + 2),  // words of one job
    localparam int unsigned LANE_W    = $clog2(BYTES),
    localparam int unsigned SLOT_W    = $clog2(JOBS)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    // below 128 bits, tx_form: a job is to have its header made, and where; its length modulo 8 is known; it is made
    output logic                    want_o,
    output logic [SLOT_W-1:0]       want_slot_o,
    input  logic                    begin_i,
    input  logic [LANE_W-1:0]       off_i,
    input  logic                    done_i,
    // jobs and their segments
    input  logic                    job_valid_i,
    output logic                    job_ready_o,
    input  cairn_int_pkg::tx_job_t  job_i,
    input  logic                    seg_valid_i,
    output logic                    seg_ready_o,
    input  cairn_int_pkg::tx_seg_t  seg_i,
    // fetch commands: the segment, where its byte 0 goes, and for which job
    output cairn_int_pkg::tx_cmd_t  cmd_o,
    input  logic                    cmd_ready_i,
    // a command is finished: its bytes are in the ring, or it failed
    input  logic                    done_valid_i,
    input  logic [SLOT_W-1:0]       done_slot_i,
    input  logic                    done_err_i,
    // oldest job, complete
    output cairn_int_pkg::tx_head_t head_o,
    input  logic                    head_ready_i,  // only while valid
    // words of the oldest job that still holds some are free
    input  logic                    rel_valid_i,
    input  logic [CNT_W-1:0]        rel_words_i,
    // state
    output logic                    wait_o,        // the oldest job waits for payload
    output logic [1:0]              pend_epoch_o,  // jobs of epoch 0, 1 wait for payload
    input  logic                    drain_i,       // see mr_drain: nothing before the mark comes any more
    output logic                    drained_o,     // ... and no read of what is here is under way
    output logic                    idle_o
);
  localparam int unsigned WORDS  = RING_BYTES / BYTES;
  localparam int unsigned LEN_W  = cairn_int_pkg::LEN_W;
  localparam int unsigned JOB_W  = cairn_int_pkg::TX_JOB_W;
  localparam int unsigned PEND_W = 6;  // commands of one job under way
  localparam int unsigned MOST   = 4096 / BYTES + 1;  // words of one job

  if ((RING_BYTES & (RING_BYTES - 1)) != 0 || (JOBS & (JOBS - 1)) != 0) begin : g_chk_pow2
    $error("tx_ring: RING_BYTES and JOBS must be powers of two");
  end
  if (RING_BYTES < 8192) begin : g_chk_ring
    $error("tx_ring: RING_BYTES must be at least 8192: a packet of 4096 bytes at any offset");
  end

  // ---- accept: header length
  logic j1_valid_q, go, has_payload;
  cairn_int_pkg::tx_job_t  j1;
  logic [6:0]              hdr_len;
  logic [LANE_W-1:0]       j1_off_q;

  localparam bit WIDE   = DATA_W >= 512;
  localparam bit NARROW = DATA_W < 128;

  if (NARROW) begin : g_formed
    assign go          = begin_i;
    assign job_ready_o = done_i;
    assign j1          = job_i;
    assign j1_off_q    = off_i;
    assign j1_valid_q  = 1'b0;
    assign hdr_len     = '0;
    assign has_payload = j1.pay_len != '0;
    assign may         = 1'b0;
    logic unused;
    assign unused = ^{j1_valid_q, hdr_len, fifo_ready};
  end else begin : g_at_once
    logic [6:0] hdr_lanes;
    tx_hdr_len u_len (
        .opcode_i(job_i.opcode), .vlan_i(job_i.av.vlan), .ipv6_i(job_i.av.ipv6), .len_o(hdr_len), .l4_o());
    assign hdr_lanes = hdr_len & 7'(BYTES - 1);
    assign may       = j1_valid_q && fifo_ready && room_q;
    assign go        = may && (!has_payload || !open_q || closing);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) j1_valid_q <= 1'b0;
      else if (!j1_valid_q || go) j1_valid_q <= job_valid_i && (WIDE || !j1_valid_q);
      if (!j1_valid_q || go) j1_off_q <= hdr_lanes[LANE_W-1:0];
    end
    if (WIDE) begin : g_taken
      assign job_ready_o = !j1_valid_q || go;
      logic pay_q;     // has_payload: the other ring waits for it, too
      always_ff @(posedge clk_i) if (job_ready_o) {j1, pay_q} <= {job_i, job_i.pay_len != '0};
      assign has_payload = pay_q;
    end else begin : g_offered
      assign job_ready_o = go;
      assign j1          = job_i;
      assign has_payload = j1.pay_len != '0;
    end
  end

  // ---- allocate
  logic [CNT_W-1:0]  need;
  logic [LEN_W:0]    span;
  logic room_q, fifo_ready, open_q, may, closing;
  logic [WORD_W-1:0] wptr_q;
  logic [WORD_W:0]   used_q, used_d;
  logic [SLOT_W-1:0] wslot_q, rslot_q, open_slot_q;
  logic [ADDR_W-1:0] open_addr_q;
  logic              open_epoch_q;

  assign span        = {1'b0, j1.pay_len} + (LEN_W+1)'(j1_off_q) + (LEN_W+1)'(BYTES - 1);
  assign need        = has_payload ? CNT_W'(span >> LANE_W) : '0;
  assign used_d      = used_q + (go ? (WORD_W+1)'(need) : '0) - (rel_valid_i ? (WORD_W+1)'(rel_words_i) : '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      used_q  <= '0;
      room_q  <= 1'b0;
      wslot_q <= '0;
    end else begin
      if (go) begin
        wptr_q  <= wptr_q + WORD_W'(need);
        wslot_q <= wslot_q + 1'b1;
      end
      used_q <= used_d;
      room_q <= swept && used_d <= (WORD_W+1)'(WORDS - MOST);
    end
  end

  // ---- segments: of the open job, or of one that begins in this cycle
  logic                   step;
  logic [SLOT_W-1:0]      seg_slot;
  logic [ADDR_W-1:0]      seg_addr;

  assign cmd_o.valid = seg_valid_i && (open_q || (may && has_payload));
  assign seg_ready_o = cmd_ready_i && (open_q || (may && has_payload));
  assign step        = cmd_o.valid && cmd_ready_i;
  assign closing     = step && open_q && seg_i.eoj;
  assign seg_slot    = open_q ? open_slot_q : wslot_q;
  assign seg_addr    = open_q ? open_addr_q : {wptr_q, j1_off_q};
  assign cmd_o.seg   = seg_i;
  assign cmd_o.epoch = open_q ? open_epoch_q : j1.epoch;
  assign cmd_o.slot  = 6'(seg_slot);
  assign cmd_o.addr  = 15'(seg_addr);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (go && has_payload) open_q <= open_q || !(step && seg_i.eoj);
    else if (closing) open_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (go && has_payload && closing) begin
      open_addr_q <= {wptr_q, j1_off_q};
    end else begin
      open_addr_q <= seg_addr + (step ? ADDR_W'(seg_i.len) : '0);
    end
    if (go && has_payload) begin
      open_slot_q  <= wslot_q;
      open_epoch_q <= j1.epoch;
    end
  end

  // ---- progress: a job is complete when all its commands are given and as many are done. Both are counted by place,
  // from one job to the next, so each count has one writer; places are swept before the first job.
  logic [SLOT_W:0]   swept_q;
  logic              swept, complete;
  logic [SLOT_W-1:0] done_at, at_q;                   // at_q: the oldest job that was not complete yet
  logic [PEND_W-1:0] count_q, given_before, given, done_now, done;
  logic [SLOT_W:0]   begun0_q, begun1_q, begun0, begun1;   // jobs from at_q on, by epoch
  logic [SLOT_W:0]   ended_q;                              // complete ones that have not left
  logic              epoch_ram [0:JOBS-1];
  logic [JOBS-1:0]   bad_q;
  logic [PEND_W-1:0] given_ram [0:JOBS-1];
  logic [PEND_W-1:0] done_ram [0:JOBS-1];

  assign swept        = swept_q[SLOT_W];
  assign done_at      = swept ? done_slot_i : swept_q[SLOT_W-1:0];
  assign given_before = given_ram[wslot_q];
  assign given        = given_ram[at_q];
  assign done_now     = done_ram[done_at];
  assign done         = done_ram[at_q];
  assign complete     = (begun0_q | begun1_q) != '0 && given == done && !(open_q && open_slot_q == at_q);
  assign begun0       = begun0_q + (SLOT_W+1)'(go && !j1.epoch) - (SLOT_W+1)'(complete && !epoch_ram[at_q]);
  assign begun1       = begun1_q + (SLOT_W+1)'(go && j1.epoch) - (SLOT_W+1)'(complete && epoch_ram[at_q]);

  always_ff @(posedge clk_i) begin
    if (done_valid_i || !swept) done_ram[done_at] <= swept ? done_now + 1'b1 : '0;
    if ((step && seg_i.eoj) || !swept)
      given_ram[swept ? seg_slot : swept_q[SLOT_W-1:0]] <= !swept ? '0 : (open_q ? count_q : given_before) + 1'b1;
    if (go && (closing || !open_q)) count_q <= given_before + PEND_W'(step && !open_q);
    else if (step) count_q <= count_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {swept_q, at_q, begun0_q, begun1_q, ended_q} <= '0;
    end else begin
      if (!swept) swept_q <= swept_q + 1'b1;
      if (complete) at_q <= at_q + 1'b1;
      begun0_q <= begun0;
      begun1_q <= begun1;
      ended_q  <= ended_q + (SLOT_W+1)'(complete) - (SLOT_W+1)'(head_ready_i);
    end
    if (go) epoch_ram[wslot_q] <= j1.epoch;
    pend_epoch_o <= {begun1_q != '0, begun0_q != '0};
    for (int unsigned i = 0; i < JOBS; i++) begin
      if (go && wslot_q == SLOT_W'(i)) bad_q[i] <= 1'b0;
      else if (done_valid_i && done_err_i && done_slot_i == SLOT_W'(i)) bad_q[i] <= 1'b1;
    end
  end

  // ---- jobs in order
  logic            fifo_valid;
  logic [SLOT_W:0] level;

  cairn_int_pkg::tx_job_t rest, head_job, offered;
  logic [WORD_W-1:0]      head_word;
  logic [CNT_W-1:0]       head_words;

  // Only requests have an epoch and are sent again; only responses have a syndrome.
  localparam bit          RSP   = PLACE != 0;
  localparam int unsigned OWN_W = RSP ? 7 : 9;
  typedef struct packed {
    logic [QPS_LOG2-1:0] qpn;
    logic [7:0]          gen, opcode;
    logic [23:0]         psn;
    logic [LEN_W-1:0]    pay_len;
    logic                vlan, ipv6;
    logic [OWN_W-1:0]    own;
  } brief_t;
  brief_t brief, next_brief;
  localparam int unsigned BRIEF_W = $bits(brief);

  if (NARROW) begin : g_brief
    // What tx_check and tx_arbiter look at, once its header is made. A place is taken from there on until the frame has
    // left, so the FIFO is never full.
    logic [BRIEF_W-1:0]      next_brief_bits;
    logic [OWN_W-1:0]        own;
    logic [SLOT_W:0]         places_q;
    logic [WORD_W-1:0]       word_q;
    logic [CNT_W-1:0]        words_q;
    logic                    room_place_q, forming_q, next_valid, next_ready;
    logic [WORD_W+CNT_W-1:0] next_place;
    assign want_o      = job_valid_i && room_q && room_place_q && (!has_payload || !open_q);
    assign want_slot_o = wslot_q;
    if (RSP) begin : g_own
      assign own = job_i.args.aeth[30:24];
    end else begin : g_own
      assign own = {job_i.send_epoch, job_i.retx};
    end
    assign brief       = {job_i.qpn[QPS_LOG2-1:0], job_i.gen, job_i.opcode, job_i.psn, job_i.pay_len, job_i.av.vlan,
                          job_i.av.ipv6, own};
    sync_fifo_level #(.WIDTH(BRIEF_W + WORD_W + CNT_W), .DEPTH(JOBS)) u_jobs (
        .clk_i, .rst_ni,
        .in_valid_i(done_i), .in_ready_o(fifo_ready), .in_data_i({brief, word_q, words_q}),
        .out_valid_o(next_valid), .out_ready_i(next_ready), .out_data_o({next_brief_bits, next_place}),
        .level_o(level));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        places_q     <= '0;
        room_place_q <= 1'b0;
        forming_q    <= 1'b0;
      end else begin
        places_q     <= places_q + (SLOT_W+1)'(go) - (SLOT_W+1)'(rel_valid_i);
        room_place_q <= !places_q[SLOT_W];
        if (go) forming_q <= 1'b1;
        else if (done_i) forming_q <= 1'b0;
      end
      if (go) {word_q, words_q} <= {wptr_q, need};
    end
    assign next_brief = next_brief_bits;
    always_comb begin
      rest = '0;
      rest.qpn     = 24'(next_brief.qpn);
      rest.gen     = next_brief.gen;
      rest.opcode  = next_brief.opcode;
      rest.psn     = next_brief.psn;
      rest.pay_len = next_brief.pay_len;
      rest.av.vlan = next_brief.vlan;
      rest.av.ipv6 = next_brief.ipv6;
      if (RSP) rest.args.aeth[30:24] = next_brief.own[6:0];
      else {rest.send_epoch, rest.retx} = 9'(next_brief.own);
    end
    assign idle_o = swept && !forming_q && level == '0 && !fifo_valid;
    // A register, where tx_check and tx_arbiter look at it.
    assign next_ready = !fifo_valid;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fifo_valid <= 1'b0;
      else if (next_ready) fifo_valid <= next_valid;
      else if (head_ready_i) fifo_valid <= 1'b0;
      if (next_ready) {head_job, head_word, head_words} <= {rest, next_place};
    end
  end else begin : g_whole
    // What it shows comes from its RAM: no register is needed where tx_check and tx_arbiter look at it.
    sync_fifo_ram #(.WIDTH(JOB_W + WORD_W + CNT_W), .DEPTH(JOBS), .OUTPUT(0), .WIDE(1)) u_jobs (
        .clk_i, .rst_ni,
        .in_valid_i(go), .in_ready_o(fifo_ready), .in_data_i({j1, wptr_q, need}),
        .out_valid_o(fifo_valid), .out_ready_i(head_ready_i), .out_data_o({head_job, head_word, head_words}),
        .level_o(level));
    assign rest          = '0;
    assign brief         = '0;
    assign next_brief    = '0;
    assign want_o        = 1'b0;
    assign want_slot_o   = '0;
    assign idle_o        = swept && !j1_valid_q && level == '0;
    logic unused;
    assign unused = ^{begin_i, off_i, done_i, rest, brief, next_brief, 32'(BRIEF_W)};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rslot_q <= '0;
    else if (head_ready_i) rslot_q <= rslot_q + 1'b1;
  end

  always_comb begin
    offered = head_job;
    if (NARROW) offered.slot = cairn_int_pkg::SLOT_W'(PLACE) + cairn_int_pkg::SLOT_W'(rslot_q);
  end
  assign head_o.valid       = fifo_valid && (ended_q != '0 || complete);
  assign head_o.bad         = bad_q[rslot_q];
  assign head_o.job         = offered;
  assign head_o.place.word  = 11'(head_word);
  assign head_o.place.words = 10'(head_words);
  assign wait_o             = fifo_valid && !head_o.valid;

  // ---- jobs before the mark of a drain whose payload is not here yet ----
  logic            marked_q;
  logic [SLOT_W:0] before_q;   // jobs
  always_ff @(posedge clk_i) begin
    marked_q  <= rst_ni && drain_i;
    before_q  <= !marked_q ? begun0 + begun1 : before_q - (SLOT_W+1)'(complete && before_q != '0);
    drained_o <= rst_ni && marked_q && drain_i && before_q == '0;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni && go && wslot_q == rslot_q && (level != '0 || fifo_valid)) $error("tx_ring: no slot is free");
  end
`endif
endmodule
