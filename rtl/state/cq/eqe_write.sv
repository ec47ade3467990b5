// SPDX-License-Identifier: Apache-2.0
// Event queues, up to EQS, all state on chip. Takes events, writes the EQE, then asks msix for the EQ's vector when it
// is armed.
//
// Owns: the EQs (docs/rtl/queues.md).
// Order: the sources, round robin. EQE and message go on the same ordered stream, so an interrupt never passes its
//   event, nor the event the CQE before it.
// Doorbell: consumer index, and ARM, which fires at once if entries are past that index, else with the next one; one
//   interrupt for each arm.
// Room: completion events never overflow, since a CQ holds a reserved slot (EQ_RESERVE) and has at most one unconsumed
//   event. Of others, a full EQ loses the event, counted and reported; for an EQ marked ASYNC that is fatal_o. Events
//   for an EQ that is not open are dropped: its owner has gone.
// Firmware: region MMIO_EQ (registers EQ_* of hw.def). EQ_POST is taken when the event is in the queue of sources.
module eqe_write #(
    parameter int unsigned EQS = 32,  // a power of two, 2 to 32
    localparam int unsigned EW = $clog2(EQS)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            epoch_i,
    input  cairn_int_pkg::eq_event_t        cq_i,         // of completion queues
    input  cairn_int_pkg::eq_event_t        async_i,      // of QPs and shared receive queues
    output logic [1:0]                      eqe_ready_o,  // in this order from bit 0 on
    input  cairn_int_pkg::eq_doorbell_t     db_i,
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::msix_request_t    msix_o,
    input  logic                            msix_ready_i,
    // firmware
    input  cairn_int_pkg::mmio_access_t     mmio_i,
    output cairn_int_pkg::mmio_answer_t     mmio_o,
    output cairn_int_pkg::fw_event_t        ovf_o,
    input  logic                            ovf_ready_i,
    output logic                            fatal_o,
    output cairn_hw_pkg::eqe_write_events_t events_o,
    output logic                            idle_o
);
  if (EQS < 2 || EQS > 32 || (1 << EW) != EQS) begin : g_chk
    $error("eqe_write: EQS must be a power of two, 2 to 32");
  end
  typedef enum logic [2:0] {E_IDLE, E_LOOK, E_WRITE, E_MSIX, E_DB} state_e;

  // ---- state of the queues ----
  logic [EQS-1:0] valid_q, armed_q, async_q, db_pend_q, db_arm_q;
  logic [63:0] base    [0:EQS-1];
  logic [8:0]  setup   [0:EQS-1];    // log2, vector
  logic [15:0] pi      [0:EQS-1];
  logic [15:0] ci      [0:EQS-1];
  logic [15:0] db_ci   [0:EQS-1];
  logic [15:0] users   [0:EQS-1];    // reserved slots

  // ---- firmware ----
  logic        ack_q, take, post_q, refused_q;
  logic [63:0] fbase_q;
  logic [31:0] fnum_q, fdata_q;
  logic [7:0]  ftype_q;
  logic [4:0]  feqn_q;
  logic        set_now, reserve_now;
  logic [EW-1:0] w_eqn;
  assign take         = mmio_i.valid && !ack_q && !(mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_EQ_POST && post_q)
                        && !(mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_EQ_SET && e_q != E_IDLE);
  logic [31:0] rdata_q;
  assign mmio_o.rdata = rdata_q;
  assign mmio_o.ready = ack_q;
  assign w_eqn        = mmio_i.wdata[cairn_hw_pkg::REG_EQ_SET_EQN_LSB +: EW];
  assign set_now      = take && mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_EQ_SET;
  assign reserve_now  = take && mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_EQ_RESERVE;
  logic remove, full_now;
  assign remove   = mmio_i.wdata[cairn_hw_pkg::REG_EQ_RESERVE_REMOVE_LSB];
  assign full_now = users[w_eqn] + 16'h1 >= (16'h1 << setup[w_eqn][8:5]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ack_q     <= 1'b0;
      refused_q <= 1'b0;
    end else begin
      ack_q <= take;
      if (reserve_now) refused_q <= !remove && full_now;
    end
    if (take && mmio_i.we) begin
      case (mmio_i.addr)
        cairn_hw_pkg::REG_EQ_BASE:          fbase_q[31:0]  <= mmio_i.wdata;
        cairn_hw_pkg::REG_EQ_BASE + 16'd4:  fbase_q[63:32] <= mmio_i.wdata;
        cairn_hw_pkg::REG_EQ_POST_NUMBER:   fnum_q         <= mmio_i.wdata;
        cairn_hw_pkg::REG_EQ_POST_DATA:     fdata_q        <= mmio_i.wdata;
        cairn_hw_pkg::REG_EQ_POST: begin
          feqn_q  <= mmio_i.wdata[cairn_hw_pkg::REG_EQ_POST_EQN_LSB +: 5];
          ftype_q <= mmio_i.wdata[cairn_hw_pkg::REG_EQ_POST_TYPE_LSB +: 8];
        end
        default: ;
      endcase
    end
    if (take) rdata_q <= (mmio_i.addr == cairn_hw_pkg::REG_EQ_RESERVE_STATUS) ? {31'h0, refused_q} : '0;
    if (set_now) begin
      base[w_eqn]  <= fbase_q;
      setup[w_eqn] <= {mmio_i.wdata[cairn_hw_pkg::REG_EQ_SET_LOG2_LSB +: 4],
          mmio_i.wdata[cairn_hw_pkg::REG_EQ_SET_VECTOR_LSB +: 5]};
    end
    if (set_now) users[w_eqn] <= '0;
    else if (reserve_now && (remove || !full_now)) users[w_eqn] <= remove ? users[w_eqn] - 1'b1 : users[w_eqn] + 1'b1;
  end

  // ---- choose an event ----
  logic [2:0]           req, gnt;
  logic                 gnt_valid;
  cairn_int_pkg::eqe_req_t sel;
  cairn_int_pkg::eqe_req_t fw_ev, ev_q;
  logic                 start;
  state_e               e_q;
  logic [EW-1:0]        eqn;
  logic                 db_any;
  logic [EW-1:0]        db_idx, db_eqn_q;
  assign req   = {async_i.valid, cq_i.valid, post_q};
  rr_arbiter #(.N(3)) u_arb (
      .clk_i, .rst_ni, .req_i(req), .ack_i(start), .lock_i(1'b0), .gnt_valid_o(gnt_valid), .gnt_o(gnt),
      .gnt_idx_o());
  prio_enc #(.N(EQS)) u_db (.in_i(db_pend_q), .valid_o(db_any), .idx_o(db_idx));
  always_comb begin
    fw_ev         = '0;
    fw_ev.eqn     = {3'h0, feqn_q};
    fw_ev.etype   = ftype_q;
    fw_ev.number  = fnum_q[23:0];
    fw_ev.data    = fdata_q;
    sel           = gnt[0] ? fw_ev : '0;
    if (gnt[1]) sel = sel | cq_i.req;
    if (gnt[2]) sel = sel | async_i.req;
  end
  // Doorbells first: they are short and make room.
  assign start       = e_q == E_IDLE && !db_any && gnt_valid && !set_now;
  assign eqe_ready_o = start ? gnt[2:1] : '0;
  assign eqn         = ev_q.eqn[EW-1:0];

  // ---- one event at a time ----
  logic [15:0] pi_q, ci_q;
  logic [63:0] base_q;
  logic [3:0]  log2_q;
  logic [4:0]  vec_q;
  logic        full, open;
  logic [15:0] mask_q;       // of an index in the ring
  assign full = (pi_q - ci_q) > mask_q;
  assign open = valid_q[eqn] && ev_q.eqn[7:EW] == '0;
  cairn_int_pkg::dma_wr_t w;
  cairn_hw_pkg::eqe_t     e;
  always_comb begin
    e              = '0;
    e.type_        = ev_q.etype;
    e.type_arm_seq = ev_q.arm_seq;
    e.number       = {8'h0, ev_q.number};
    e.data         = ev_q.data;
    e.owner_index  = pi_q;
    e.owner_phase  = !pi_q[log2_q];
    w              = '0;
    w.iova         = base_q + {44'h0, pi_q & mask_q, 4'h0};
    w.len          = cairn_int_pkg::LEN_W'(cairn_hw_pkg::EQE_BYTES);
    w.epoch        = epoch_i;
    w.data         = {384'h0, e};
  end
  assign wr_o.valid           = e_q == E_WRITE;
  assign wr_o.cmd             = w;
  assign msix_o.valid         = e_q == E_MSIX;
  assign msix_o.vector        = vec_q;
  assign events_o.eqe_written = wr_o.valid && wr_ready_i;
  assign events_o.eq_overflow = e_q == E_LOOK && open && full_look;
  logic full_look;             // in E_LOOK the record is just being read
  logic [3:0] l_log2;
  assign l_log2    = setup[eqn][8:5];
  assign full_look = (pi[eqn] - ci[eqn]) >= (16'h1 << l_log2);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      e_q         <= E_IDLE;
      valid_q     <= '0;
      armed_q     <= '0;
      db_pend_q   <= '0;
      db_arm_q    <= '0;
      post_q      <= 1'b0;
      ovf_o.valid <= 1'b0;
      fatal_o     <= 1'b0;
    end else begin
      if (take && mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_EQ_POST) post_q <= 1'b1;
      else if (start && gnt[0]) post_q <= 1'b0;
      if (ovf_ready_i) ovf_o.valid <= 1'b0;
      case (e_q)
        E_IDLE: begin
          if (db_any && !set_now) e_q <= E_DB;
          else if (start) e_q <= E_LOOK;
        end
        E_LOOK: begin
          e_q <= (open && !full_look) ? E_WRITE : E_IDLE;
          if (open && full_look) begin
            ovf_o.valid <= 1'b1;
            fatal_o     <= fatal_o || async_q[eqn];
          end
        end
        E_WRITE: if (wr_ready_i) begin
          e_q          <= armed_q[eqn] ? E_MSIX : E_IDLE;
          armed_q[eqn] <= 1'b0;
        end
        E_MSIX: if (msix_ready_i) e_q <= E_IDLE;
        default: begin                            // E_DB
          db_pend_q[db_eqn_q] <= 1'b0;
          db_arm_q[db_eqn_q]  <= 1'b0;
          e_q                 <= E_IDLE;
          if (db_arm_q[db_eqn_q] && valid_q[db_eqn_q]) begin
            if (pi[db_eqn_q] != db_ci[db_eqn_q]) e_q <= E_MSIX;
            else armed_q[db_eqn_q] <= 1'b1;
          end
        end
      endcase
      if (set_now) begin
        valid_q[w_eqn]   <= mmio_i.wdata[cairn_hw_pkg::REG_EQ_SET_VALID_LSB];
        armed_q[w_eqn]   <= 1'b0;
        db_pend_q[w_eqn] <= 1'b0;
      end
      // The latest word counts; one that comes while the last is being taken waits for the next turn.
      if (db_i.valid && db_i.eqn[7:EW] == '0) begin
        db_pend_q[db_i.eqn[EW-1:0]] <= 1'b1;
        db_arm_q[db_i.eqn[EW-1:0]]  <= db_i.arm || (db_arm_q[db_i.eqn[EW-1:0]]
            && !(e_q == E_DB && db_eqn_q == db_i.eqn[EW-1:0]));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (set_now) async_q[w_eqn] <= mmio_i.wdata[cairn_hw_pkg::REG_EQ_SET_ASYNC_LSB];
    if (start) ev_q <= sel;
    if (e_q == E_IDLE) db_eqn_q <= db_idx;
    if (e_q == E_LOOK) begin
      pi_q      <= pi[eqn];
      ci_q      <= ci[eqn];
      base_q    <= base[eqn];
      log2_q    <= l_log2;
      mask_q    <= (16'h1 << l_log2) - 16'h1;
      vec_q     <= setup[eqn][4:0];
      if (!ovf_o.valid || ovf_ready_i) ovf_o.number <= 24'(eqn);
    end
    if (e_q == E_DB) vec_q <= setup[db_eqn_q][4:0];
  end
  always_ff @(posedge clk_i) begin
    if (set_now) pi[w_eqn] <= '0;
    else if (e_q == E_WRITE && wr_ready_i) pi[eqn] <= pi_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (set_now) ci[w_eqn] <= '0;
    else if (e_q == E_DB) ci[db_eqn_q] <= db_ci[db_eqn_q];
  end
  always_ff @(posedge clk_i) if (db_i.valid) db_ci[db_i.eqn[EW-1:0]] <= db_i.ci;

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && wr_o.valid && full) $error("eqe_write: entry overwritten");
`endif
  assign idle_o = e_q == E_IDLE && !db_any && req == '0 && !db_i.valid && !ovf_o.valid;
endmodule
