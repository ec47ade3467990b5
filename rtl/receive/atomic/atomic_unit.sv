// SPDX-License-Identifier: Apache-2.0
// Executes atomics (IBTA 9.4.5; docs/rtl/responder.md): reads 8 bytes of host memory, forms the new value, writes it.
//
// It also saves the original in the responder resource and lets rsp_tx answer.
//   rsp_commit -> ring of DEPTH operations -> atomic_exec -> WR_ATOM, rsp_res_cache, rsp_commit (failure)
//                   | reads (RD_ATOM)   ^ data                    \-> done: rsp_join, pin release; kick of rsp_tx
//
// Order: operations of all QPs are executed in the order in which rsp_commit gave them, which is request order; the
//   reads of those in the ring are under way together, each behind all posted writes accepted before.
// Address: one at a time: an operation that finds an older one of its address in the ring does not read, it takes the
//   value that one has formed. Addresses are found by their place in 2 MiB (ATOMIC_PLACE_LOG2): memory registered twice
//   has two, and the driver sees to it that they agree in that. When only the place is the same, or the older one has
//   failed, the operation reads when it is the oldest.
// Memory holds the value in host (little-endian) order; CAS without a match and adding 0 write nothing.
// Errors: a failed read fails the operation (RSE_ATOM: NAK 0x63, the responder goes into error) and skips those of its
//   QP behind it. Skipped ones touch nothing.
module atomic_unit #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SLOTS  = 128,
    parameter int unsigned DEPTH  = 32,          // power of two
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned PW    = $clog2(DEPTH)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               epoch_i,
    input  logic [63:0]                        res_base_i,  // table of responder resources
    input  logic [7:0]                         res_func_i,
    // rsp_commit
    input  logic                               op_valid_i,
    output logic                               op_ready_o,
    input  cairn_int_pkg::at_op_t              op_i,
    output logic                               ev_valid_o,  // failure
    input  logic                               ev_ready_i,
    output cairn_int_pkg::rsp_ev_t             ev_o,
    // host memory: client RD_ATOM, tag = place in the ring; WR_ATOM
    output cairn_int_pkg::dma_read_t           rd_o,
    input  logic                               rd_ready_i,
    input  cairn_int_pkg::dma_beat_t           beat_i,
    input  logic [DATA_W-1:0]                  beat_data_i,
    output cairn_int_pkg::dma_write_t          wr_o,
    input  logic                               wr_ready_i,
    input  logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_i,
    // rsp_res_cache
    output cairn_int_pkg::res_write_t          res_o,
    input  logic                               res_ready_i,
    // one operation of this slot is over
    output cairn_int_pkg::slot_over_t          done_o,
    input  logic                               done_ready_i,
    output cairn_int_pkg::kick_t               kick_o,
    input  logic                               kick_ready_i,
    output cairn_hw_pkg::atomic_exec_events_t  events_o,
    input  logic                               drain_i,     // see mr_drain: no operation before the mark comes any more
    output logic                               drained_o,   // ... and those taken are over
    output logic                               idle_o
);
  localparam int unsigned HW = cairn_hw_pkg::ATOMIC_PLACE_LOG2 - 3;  // place of 8 bytes

  if (DEPTH < 4 || (1 << PW) != DEPTH || PW > cairn_int_pkg::RTAG_W) begin : g_chk
    $error("atomic_unit: DEPTH must be a power of two, 4 to 4096");
  end

  // ---- arrival ----
  cairn_int_pkg::at_op_t a_q;
  logic            a_valid_q, a_old_q, a_dead_q, a_go;
  logic [PW:0]     tail_q, chk_q, iss_q, head_q, old_q;   // taken, compared, read, begun, over; one bit more than PW
  logic [HW-1:0]   a_hash;
  cairn_int_pkg::at_place_t a_addr;
  logic            full_q, fail_valid;     // fail_*: operations of this slot are not executed any more
  logic [AW-1:0]   fail_slot;
  assign a_addr     = {a_q.func, a_q.iova[63:3]};
  // Compared with all of the ring in its first cycle here, it goes into it in the second. So whether it is full may be
  // said a cycle late.
  always_ff @(posedge clk_i) full_q <= rst_ni && tail_q == {~old_q[PW], old_q[PW-1:0]};
  assign a_go       = a_old_q && !full_q;
  assign op_ready_o = !a_valid_q || a_go;
  assign a_hash     = a_q.iova[3 +: HW];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) a_valid_q <= 1'b0;
    else if (op_ready_o) a_valid_q <= op_valid_i;
    a_old_q <= rst_ni && a_valid_q && !op_ready_o;
    if (op_ready_o) begin
      a_q      <= op_i;
      a_dead_q <= op_i.skip || (fail_valid && op_i.slot[AW-1:0] == fail_slot);
    end else if (fail_valid && a_q.slot[AW-1:0] == fail_slot) begin
      a_dead_q <= 1'b1;
    end
  end

  // ---- the ring ----
  logic [cairn_int_pkg::AT_PLACE_W-1:0] addr [0:DEPTH-1];
  logic [cairn_int_pkg::AT_OP_W-1:0]    op   [0:DEPTH-1];
  logic [PW-1:0]   dep  [0:DEPTH-1];
  logic [DEPTH-1:0] live_q;        // address taken: newest value not in memory yet
  logic [DEPTH-1:0] skip_q, fwd_q, late_q, got_q, bad_q;
  logic [DEPTH-1:0] match, match_q, fails;   // of its hash; of fail_slot
  logic            m_any, m_low;
  logic [PW-1:0]   m_high_idx, m_low_idx, m_idx, tail;
  logic            a_skip;
  assign tail   = tail_q[PW-1:0];
  assign a_skip = a_dead_q || (fail_valid && a_q.slot[AW-1:0] == fail_slot);
  // The youngest older one: the last before the end, else the last of all.
  always_comb begin
    m_low      = 1'b0;
    m_low_idx  = '0;
    m_high_idx = '0;
    for (int unsigned k = 0; k < DEPTH; k++) begin
      match[k] = live_q[k] && match_q[k];
      if (match[k]) m_high_idx = PW'(k);
      if (match[k] && PW'(k) < tail) begin
        m_low     = 1'b1;
        m_low_idx = PW'(k);
      end
    end
  end
  for (genvar g = 0; g < DEPTH; g++) begin : g_place
    logic [HW-1:0] hash_q;
    logic [AW-1:0] slot_q;
    assign fails[g] = slot_q == fail_slot;
    always_ff @(posedge clk_i) begin
      match_q[g] <= hash_q == a_hash;
      if (a_go && tail == PW'(g)) {hash_q, slot_q} <= {a_hash, a_q.slot[AW-1:0]};
    end
  end
  assign m_any = match != '0;
  assign m_idx = m_low ? m_low_idx : m_high_idx;

  logic            c_valid_q, c_dep_q, exact;
  logic [PW-1:0]   c_idx_q, c_dep_idx_q;
  cairn_int_pkg::at_place_t c_addr_q;
  assign exact = addr[c_dep_idx_q] == c_addr_q;
  always_ff @(posedge clk_i) begin
    if (a_go) addr[tail] <= a_addr;
  end
  always_ff @(posedge clk_i) begin
    if (a_go) op[tail] <= a_q;
  end
  always_ff @(posedge clk_i) begin
    if (a_go) dep[tail] <= m_idx;
  end

  logic            over;           // operation old_q is over: its writes are accepted
  logic            r_last;
  logic [PW-1:0]   r_idx;
  cairn_int_pkg::dma_rsp_t rsp;
  assign rsp    = beat_i.meta;
  assign r_idx  = rsp.tag[PW-1:0];
  assign r_last = beat_i.valid && rsp.client == 4'(cairn_int_pkg::RD_ATOM) && rsp.last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tail_q    <= '0;
      chk_q     <= '0;
      old_q     <= '0;
      live_q    <= '0;
      c_valid_q <= 1'b0;
    end else begin
      if (a_go) tail_q <= tail_q + 1'b1;
      if (c_valid_q) chk_q <= chk_q + 1'b1;
      if (over) old_q <= old_q + 1'b1;
      c_valid_q <= a_go;
      if (over) live_q[old_q[PW-1:0]] <= 1'b0;
      if (a_go) live_q[tail] <= !a_skip;
    end
    c_idx_q     <= tail;
    c_dep_idx_q <= m_idx;
    c_dep_q     <= m_any;
    c_addr_q    <= a_addr;
    if (fail_valid) begin
      for (int unsigned k = 0; k < DEPTH; k++) begin
        if (fails[k]) skip_q[k] <= 1'b1;
      end
    end
    if (r_last) begin
      got_q[r_idx] <= 1'b1;
      bad_q[r_idx] <= rsp.err || rsp.nbytes != 7'd8;
    end
    if (a_go) begin
      skip_q[tail]          <= a_skip;
      got_q[tail]           <= 1'b0;
    end
    if (c_valid_q) begin
      fwd_q[c_idx_q]  <= c_dep_q && exact;
      late_q[c_idx_q] <= c_dep_q && !exact;
    end
  end

  // ---- reads ----
  logic            i_any, i_need, late_valid, late_ready, q_ready;
  logic [PW-1:0]   iss, q_idx, late_idx;
  cairn_int_pkg::dma_rd_t q;
  assign iss        = iss_q[PW-1:0];
  assign i_any      = iss_q != chk_q;
  assign i_need     = i_any && !skip_q[iss] && !fwd_q[iss] && !late_q[iss];
  assign late_ready = q_ready;
  assign q_idx      = late_valid ? late_idx : iss;
  always_comb begin
    q            = '0;
    {q.func, q.iova[63:3]} = addr[q_idx];
    q.len        = cairn_int_pkg::LEN_W'(8);
    q.tag        = cairn_int_pkg::RTAG_W'(q_idx);
    q.nb_valid   = 1'b1;
    q.not_before = last_ticket_i;
    q.epoch      = epoch_i;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(late_valid || i_need), .in_ready_o(q_ready), .in_data_i(q),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
  // Whether an operation has been read: a skip that comes later does not take the read back.
  logic [DEPTH-1:0] asked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) iss_q <= '0;
    else if (i_any && !(i_need && (late_valid || !q_ready))) iss_q <= iss_q + 1'b1;
    if (i_any) asked_q[iss] <= i_need;
  end

  // ---- execution ----
  logic [63:0]     orig [0:DEPTH-1];
  logic [PW-1:0]   head, x_idx;
  logic            h_valid, h_ready;
  always_ff @(posedge clk_i) begin
    if (r_last) orig[r_idx] <= beat_data_i[63:0];
  end
  assign head    = head_q[PW-1:0];
  // One that was read is only over when its data has come, so that its place can be used again.
  assign h_valid = head_q != iss_q && (!asked_q[head] || got_q[head]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) head_q <= '0;
    else if (h_valid && h_ready) head_q <= head_q + 1'b1;
  end

  logic exec_idle;
  atomic_exec #(.SLOTS(SLOTS), .DEPTH(DEPTH)) u_exec (
      .clk_i, .rst_ni, .epoch_i, .res_base_i, .res_func_i,
      .op_valid_i(h_valid), .op_ready_o(h_ready), .op_i(op[head]), .op_idx_i(head), .op_dep_i(dep[head]),
      .op_fwd_i(fwd_q[head]), .op_late_i(late_q[head]),
      .idx_o(x_idx), .skip_i(skip_q[x_idx]), .got_i(got_q[x_idx]), .bad_i(bad_q[x_idx]), .orig_i(orig[x_idx]),
      .late_valid_o(late_valid), .late_ready_i(late_ready), .over_o(over), .fail_valid_o(fail_valid),
      .fail_slot_o(fail_slot),
      .ev_valid_o, .ev_ready_i, .ev_o, .wr_o, .wr_ready_i,
      .res_o, .res_ready_i, .done_o, .done_ready_i,
      .kick_o, .kick_ready_i, .events_o, .idle_o(exec_idle));
  assign late_idx = x_idx;

  // ---- operations before the mark of a drain ----
  logic        marked_q;
  logic [PW:0] before_q;
  assign drained_o = marked_q && before_q == '0;
  always_ff @(posedge clk_i) begin
    marked_q <= rst_ni && drain_i;
    before_q <= (marked_q ? before_q : tail_q - old_q + (PW+1)'(a_valid_q))
                - (PW+1)'(over && (!marked_q || before_q != '0));
  end

  assign idle_o = !a_valid_q && tail_q == old_q && !rd_o.valid && exec_idle;
endmodule
