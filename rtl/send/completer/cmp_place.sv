// SPDX-License-Identifier: Apache-2.0
// Second stage of the completer: puts the data of READ responses and the values of atomic answers where the WQE says.
//
// Packets come from cmp_packet in order for each QP. cmp_check looks at each and asks the MR service; cmp_join writes,
// parks or drops it, then tells cmp_retire and gives the pin back. Several packets are between the two, of any QPs.
// Parked: a packet waits in a park_buffer, and later ones of its QP behind it, while neither the walker nor a
//   descriptor names its READ, a WQE block is missing (both woken by the end of a visit), or an MR line is missing.
// Lanes: where there are fewer of them than slots a list is of the slots that have the low bits of their number in
//   common. Safe: it keeps the order of each, and a packet waits behind more than it would have to, never before what
//   it must wait for. Live: what the first of a list waits for (a fill, a few visits of its own QP, see cmp_check)
//   comes without any other's help, then the next is looked at; and the walker, to which a slot is busy while its lane
//   has packets, looks again meanwhile (cmp_walk), as no one would tell it that those of another are gone.
// Errors: see cmp_check, cmp_join.
module cmp_place #(
    parameter int unsigned SLOTS      = 128,
    parameter int unsigned ENTRIES    = 256,    // RX_INFLIGHT
    parameter int unsigned READ_CHUNK = 1024,
    parameter int unsigned PARTS      = 1,      // of a WQE block, see wqe_look
    parameter bit          FEW        = 1'b0,   // one packet at a time between cmp_check's look and its release
    parameter int unsigned ANSWERS    = 32,     // of the MR service that have room: 16 and more
    parameter bit          ATOMIC     = 1'b1,   // there are atomics
    parameter int unsigned QPS_LOG2   = 24,     // of a QPN
    parameter int unsigned LANES      = SLOTS,  // lists of parked packets, see above: a power of two
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned LNW   = $clog2(LANES),
    localparam int unsigned HW    = $clog2(ENTRIES + 1)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             in_valid_i,  // only while in_room_o
    output logic                             in_room_o,
    input  cairn_int_pkg::cmp_rec_t          in_i,
    output logic [cairn_int_pkg::SLOT_W-1:0] rd_slot_o,
    output logic                             rd_asks_o,
    input  logic                             rd_ok_i,
    input  cairn_int_pkg::sent_parts_t       part_i,
    // does this stage hold packets of the slot
    input  logic [AW-1:0]                    busy_slot_i,
    output logic                             busy_o,
    // descriptors, one cycle
    output cairn_int_pkg::desc_look_t        desc_o,
    input  logic                             desc_ready_i,
    input  cairn_int_pkg::sq_desc_t          desc_i,
    // WQE blocks
    output cairn_int_pkg::wqe_lookup_t       wqe_o,
    input  logic                             wqe_ready_i,
    input  cairn_int_pkg::wqe_found_t        wqe_i,
    output cairn_int_pkg::wqe_fetch_t        fetch_o,
    input  logic                             fetch_ready_i,
    input  logic                             fetch_retry_i,
    // MR service
    output cairn_int_pkg::mr_ask_t           mr_o,
    input  logic                             mr_ready_i,
    input  cairn_int_pkg::mr_answer_t        mr_i,
    output logic                             mr_ready_o,
    output logic                             drained_o,
    // posted writes
    output cairn_int_pkg::dma_write_t        wr_o,
    input  logic                             wr_ready_i,
    // cmp_retire
    output cairn_int_pkg::read_progress_t    prog_o,
    input  logic                             prog_ready_i,
    output cairn_int_pkg::kick_t             kick_o,
    input  logic                             kick_ready_i,
    input  cairn_int_pkg::walk_end_t         wake_i,
    output logic                             wake_ready_o,
    // cmp_packet
    output logic                             ev_valid_o,
    input  logic                             ev_ready_i,
    output cairn_int_pkg::cmp_ev_t           ev_o,
    // finished packets
    output cairn_int_pkg::unpin_t            rel_o,
    input  logic                             rel_ready_i,
    output cairn_hw_pkg::cmp_place_events_t  events_o,
    output logic                             idle_o
);

  // ---- new packets ----
  logic             f_valid, f_ready, init_q;
  logic [AW-1:0]    in_slot, f_slot;
  cairn_int_pkg::cmp_rec_t f;
  if (FEW) begin : g_one
    logic room;
    stream_half #(.WIDTH(cairn_int_pkg::CMP_REC_W)) u_in (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o(room), .in_data_i(in_i),
        .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f));
    assign in_room_o = room && !in_valid_i;
  end else begin : g_queue
    logic [3:0] f_level;
    sync_fifo_level #(.WIDTH(cairn_int_pkg::CMP_REC_W), .DEPTH(8)) u_in (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o(), .in_data_i(in_i),
        .out_valid_o(f_valid), .out_ready_i(f_ready), .out_data_o(f), .level_o(f_level));
    assign in_room_o = f_level < 4'd6 && !init_q;   // one is on its way when another is taken
  end
  assign f_slot    = f.qp.slot[AW-1:0];

  // ---- packets of each slot, or lane, that are in this stage ----
  logic          took, out, occupied, f_new, f_waits, j_waits;
  logic [1:0]    waiting;                // parked ones: of a slot that is new; of cmp_join's, or of busy_slot_i (FEW)
  logic [AW-1:0] c_slot;
  assign in_slot = in_i.qp.slot[AW-1:0];
  if (FEW) begin : g_inside
    logic          inside_q, waits_q, was_q, seen_q;
    logic [AW-1:0] at_q;
    assign init_q   = 1'b0;
    assign occupied = inside_q || was_q;
    assign f_new    = f_valid && seen_q;
    assign j_waits  = waits_q;           // nothing changes that meanwhile
    assign f_waits  = waits_q;
    assign busy_o   = (in_valid_i && in_slot == busy_slot_i) || (f_valid && f_slot == busy_slot_i)
                      || (inside_q && at_q == busy_slot_i) || waiting[1];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) inside_q <= 1'b0;
      else inside_q <= took || (inside_q && !out);
      if (took) at_q <= c_slot;
      // Are there parked ones, as of the cycle before: its look begins a cycle after it, and the last one, are here.
      if (!inside_q) waits_q <= waiting[0];
      was_q  <= inside_q;
      seen_q <= rst_ni && f_valid && !f_ready;
    end
  end else begin : g_counts
    // came minus left
    logic [LNW-1:0] init_slot_q, in_at, out_at, busy_at;
    logic [HW-1:0]  came [0:LANES-1];
    logic [HW-1:0]  left [0:LANES-1];
    logic           unused;
    assign in_at    = in_slot[LNW-1:0];
    assign out_at   = rel_o.slot[LNW-1:0];
    assign busy_at  = busy_slot_i[LNW-1:0];
    assign unused   = out;
    assign occupied = 1'b0;
    assign j_waits  = waiting[1];
    assign f_waits  = waiting[0];
    assign f_new    = f_valid;
    assign busy_o   = came[busy_at] != left[busy_at];
    always_ff @(posedge clk_i) begin
      if (init_q) came[init_slot_q] <= '0;
      else if (in_valid_i) came[in_at] <= came[in_at] + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (init_q) left[init_slot_q] <= '0;
      else if (rel_o.valid) left[out_at] <= left[out_at] + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        init_q      <= 1'b1;
        init_slot_q <= '0;
      end else if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= !(&init_slot_q);
      end
    end
  end

  // ---- what came since the look at each packet: wake-ups of its slot, fills ----
  logic          wake, gone, woken, filled;
  logic [AW-1:0] j_slot, ch_slot;
  assign wake = wake_i.valid && wake_ready_o;
  cmp_woken #(.SLOTS(SLOTS), .TICKETS(FEW ? 2 : 8)) u_woken (
      .clk_i, .rst_ni, .took_i(took), .took_slot_i(c_slot), .gone_i(gone), .wake_i(wake),
      .wake_slot_i(wake_i.slot[AW-1:0]),
      .fill_i(mr_i.fill), .woken_o(woken), .filled_o(filled));

  // ---- parked ones ----
  logic             push, push_ready, k_valid, k_take, res_valid, res_pop, voided, sd_valid, sd_ready, park_idle;
  logic [AW-1:0]    sd_slot;
  cairn_int_pkg::cmp_rec_t pushed, again;
  localparam int unsigned PARK_W = cairn_int_pkg::CMP_REC_W - (ATOMIC ? 0 : 65);    // without orig and drop
  logic [PARK_W-1:0] parked;
  always_comb begin
    again        = cairn_int_pkg::CMP_REC_W'(parked);
    again.qp.qpn = again.qp.qpn & 24'((1 << QPS_LOG2) - 1);
  end
  logic [AW-1:0] q_slot;
  assign q_slot = FEW ? busy_slot_i : j_slot;
  park_buffer #(.WIDTH(PARK_W), .ENTRIES(ENTRIES), .SLOTS(LANES), .QUERIES(2), .DRAINS(2), .APART(1'b1)) u_park (
      .clk_i, .rst_ni, .push_valid_i(push), .push_ready_o(push_ready), .push_slot_i(j_slot[LNW-1:0]),
      .push_data_i(PARK_W'(pushed)), .q_slot_i({q_slot[LNW-1:0], f_slot[LNW-1:0]}), .q_waiting_o(waiting), .q_going_o(),
      .drain_valid_i({sd_valid, wake_i.valid}),
      .drain_ready_o({sd_ready, wake_ready_o}), .drain_slot_i({sd_slot[LNW-1:0], wake_i.slot[LNW-1:0]}),
      .drain_all_i(mr_i.fill),
      .push_entry_o(), .out_entry_o(), .out_first_o(),
      .out_valid_o(k_valid), .out_slot_o(), .out_data_o(parked), .out_take_i(k_take),
      .res_valid_i(res_valid), .res_pop_i(res_pop), .void_o(voided), .level_o(),
      .idle_o(park_idle));

  // ---- look, then do ----
  logic          t_valid, t_room, chain, torn, tear, idle_c, idle_j;
  cairn_int_pkg::cmp_verdict_t t;
  assign c_slot = rd_slot_o[AW-1:0];
  cmp_check #(.SLOTS(SLOTS), .READ_CHUNK(READ_CHUNK), .PARTS(PARTS), .ATOMIC(ATOMIC)) u_check (
      .clk_i, .rst_ni, .new_valid_i(f_new), .new_ready_o(f_ready), .new_i(f), .waiting_i(f_waits),
      .again_valid_i(k_valid), .again_take_o(k_take), .again_i(again), .slot_o(rd_slot_o),
      .asks_o(rd_asks_o), .ok_i(rd_ok_i), .part_i,
      .chain_slot_o(ch_slot), .chain_i(chain), .torn_i(torn), .tear_i(tear), .took_o(took),
      .wake_i({wake, wake_i.slot, wake_i.stuck}),
      .desc_o, .desc_ready_i, .desc_i, .wqe_o, .wqe_ready_i, .wqe_i, .fetch_o, .fetch_ready_i, .fetch_retry_i,
      .mr_o, .mr_ready_i,
      .verdict_valid_o(t_valid), .verdict_room_i(t_room && !occupied), .verdict_o(t), .events_o(events_o.cmp_check),
      .idle_o(idle_c));
  cmp_join #(.SLOTS(SLOTS), .LANES(LANES), .RING(ANSWERS), .FEW(FEW)) u_join (
      .clk_i, .rst_ni, .verdict_valid_i(t_valid), .verdict_room_o(t_room), .verdict_i(t), .chain_slot_i(ch_slot),
      .chain_o(chain),
      .torn_o(torn), .tear_o(tear), .left_o(gone), .out_o(out),
      .mr_i, .mr_ready_o, .drained_o,
      .slot_o(j_slot), .waiting_i(j_waits), .void_i(voided),
      .woken_i(woken), .filled_i(filled), .push_valid_o(push), .push_ready_i(push_ready), .push_o(pushed),
      .res_valid_o(res_valid), .res_pop_o(res_pop), .drain_valid_o(sd_valid), .drain_ready_i(sd_ready),
      .drain_slot_o(sd_slot), .wr_o, .wr_ready_i, .prog_o, .prog_ready_i, .kick_o, .kick_ready_i,
      .ev_valid_o, .ev_ready_i,
      .ev_o, .rel_o, .events_o(events_o.cmp_join), .idle_o(idle_j));
  assign idle_o = !f_valid && park_idle && idle_c && idle_j && !init_q;

`ifdef VERILATOR
  always_ff @(posedge clk_i) if (rst_ni && !init_q) assert (rel_ready_i);
`endif
endmodule
