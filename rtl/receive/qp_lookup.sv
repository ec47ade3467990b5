// SPDX-License-Identifier: Apache-2.0
// Finds the QP of each received packet and decides whether it may go on. rx_buffer -> qp_lookup -> rx_dispatch.
//
// A packet whose record is being read waits in a park_buffer, in order within its QP, and lets all others pass.
// Checks: the first failing one counts (IBTA 9.6.1): record readable, no multicast address (copies for a group's
//   members have none any more, see rx_mcast), record exists, transport of the opcode = type of the QP, state takes
//   such packets (requests RTR to SQE, responses RTS and SQD), addresses (not UD), P_Key, UD Q_Key. rx_qp_table has
//   kept most of what fails here from coming at all. A dropped packet's cells and pin go back; it changes nothing else.
// Bounds: at most INFLIGHT packets between here and the engines' release, so later buffers cannot overflow; without a
//   credit the input waits, and rx_buffer drops whole packets at the wire. A QP whose packets would hold more than a
//   quarter of the pool's cells while waiting loses further ones.
// PARK = 0: where every record is on chip none waits, and all that is about that is not there. Packets are looked up
//   one by one, each while it stands in rx_buffer and the one before it is checked.
// Cycles: one packet a cycle while records are cached; PARK = 0: one in seven, or as cfg_ok_i says. docs/rtl/rx.md.
module qp_lookup #(
    parameter int unsigned SLOTS    = 128,
    parameter int unsigned INFLIGHT = 256,
    parameter int unsigned CELLS    = 1024,
    parameter int unsigned PARK     = 1,     // 0: all records are on chip, and no packet waits for one
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned MW = cairn_int_pkg::RX_META_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            halt_i,
    input  logic                            epoch_i,
    input  logic                            rx_valid_i,
    output logic                            rx_ready_o,
    input  cairn_int_pkg::rx_meta_t         rx_i,
    // context cache, source RX
    output cairn_int_pkg::ctx_req_t         ctx_o,
    input  logic                            ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t         ctx_i,
    output cairn_int_pkg::lookup_use_t      part_o,
    input  cairn_hw_pkg::qp_cfg_t           cfg_i,   // one cycle after its slot; PARK = 0: after cfg_ok_i, and stays
    input  logic                            cfg_ok_i,
    input  cairn_int_pkg::ctx_fill_t        fill_i,
    output logic [AW-1:0]                   filling_slot_o,
    input  logic                            filling_i,
    // to rx_dispatch
    output logic                            out_valid_o,
    input  logic                            out_ready_i,
    output cairn_int_pkg::rx_pkt_t          out_o,
    input  logic [1:0]                      rx_done_i,
    output logic [$clog2(INFLIGHT+1)-1:0]   left_o,  // packets that may still come here
    // cells of dropped packets
    output cairn_int_pkg::rx_free_t         free_o,
    input  logic                            free_ready_i,
    output cairn_hw_pkg::qp_lookup_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned CW = $clog2(INFLIGHT + 1);
  localparam logic [2:0] ST_HIT = cairn_hw_pkg::CTX_RESULT_OK, ST_WAIT = cairn_hw_pkg::CTX_RESULT_WAITING,
                         ST_RETRY = cairn_hw_pkg::CTX_RESULT_RETRY,
                         ST_DAMAGED = cairn_hw_pkg::CTX_RESULT_DAMAGED;
  localparam int unsigned CELLW = $clog2(CELLS + 1);
  // A quarter of the pool, but two packets of maximum size.
  localparam int unsigned SHARE = (CELLS / 4 > 34) ? CELLS / 4 : 34;

  // ---- packets being looked up, which leave in order ----
  logic [CW-1:0] inflight_q;
  logic [MW-1:0] head;            // the oldest one
  cairn_int_pkg::rx_meta_t hm, asked;   // asked: the one that is asked for, of several
  logic [2:0]    h_status, p_status;
  logic [AW-1:0] h_slot, p_slot;
  logic          put, looking;    // one is taken; some are here
  logic          h_waiting;       // the slot of the head has a list already
  logic          h_take;          // the head leaves this stage
  logic          h_park, h_pass;
  logic          pk_idle, push_now;   // none is parked; the head is
  assign hm     = head;
  assign put    = rx_valid_i && rx_ready_o;
  assign left_o = CW'(INFLIGHT) - inflight_q;
  if (PARK != 0) begin : g_ring
    // A ring of eight (an answer takes three cycles). A head that was answered RETRY is asked for again, answers to
    // those behind it stay.
    logic [MW-1:0] ring [0:7];
    logic [3:0]    put_q, ask_q, get_q;     // one more bit than the index
    logic [2:0]    res [0:7];               // status of an answer
    logic [AW-1:0] res_slot [0:7];
    logic [7:0]    answered_q;
    logic          again_q;                 // the head has been asked for again
    logic [2:0]    pause_q;                 // before that: who is told to come again does not come at once
    logic          ask_again, ask_past, told_now, none_parked_q, asked_ok, head_valid, ao_ready;
    logic [2:0]    ask_idx, ans_idx;
    assign looking     = put_q != get_q;
    assign rx_ready_o  = (put_q - get_q) != 4'd8 && inflight_q != CW'(INFLIGHT) && !halt_i;
    assign ask_again   = looking && answered_q[get_q[2:0]] && p_status == ST_RETRY && !again_q && pause_q == '0;
    assign ask_idx     = ask_again ? get_q[2:0] : ask_q[2:0];
    // A packet that finds all others asked for is asked for as it comes. An answer about the head that lets it pass
    // counts as it comes, if no packet of any QP is parked.
    assign ask_past    = !ask_again && ask_q == put_q;
    assign ctx_o.valid = (!ask_past || put) && ao_ready;
    assign asked_ok    = ctx_o.valid && ctx_ready_i;
    assign asked       = ring[ask_idx];
    assign ctx_o.key   = ask_past ? rx_i.qpn : asked.qpn;
    assign head        = ring[get_q[2:0]];
    assign told_now    = ctx_i.valid && ctx_i.status == ST_HIT && ans_idx == get_q[2:0] && none_parked_q;
    assign head_valid  = looking && (answered_q[get_q[2:0]] || told_now);
    sync_fifo #(.WIDTH(3), .DEPTH(5)) u_asked (
        .clk_i, .rst_ni, .in_valid_i(asked_ok), .in_ready_o(ao_ready), .in_data_i(ask_idx),
        .out_valid_o(), .out_ready_i(ctx_i.valid), .out_data_o(ans_idx));
    assign p_slot   = res_slot[get_q[2:0]];
    assign p_status = res[get_q[2:0]];
    assign h_status = told_now ? ST_HIT : p_status;
    assign h_slot   = told_now ? ctx_i.slot[AW-1:0] : p_slot;
    // Of what was told before; while the head has been asked for again that is RETRY.
    assign h_park   = looking && answered_q[get_q[2:0]] && (p_status == ST_WAIT || (p_status == ST_HIT && h_waiting));
    assign h_pass   = head_valid && h_status != ST_RETRY && !h_park;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        put_q         <= '0;
        ask_q         <= '0;
        get_q         <= '0;
        answered_q    <= '0;
        again_q       <= 1'b0;
        pause_q       <= '0;
        none_parked_q <= 1'b0;
      end else begin
        if (put) begin
          put_q                  <= put_q + 1'b1;
          answered_q[put_q[2:0]] <= 1'b0;
        end
        if (asked_ok && ask_again) again_q <= 1'b1;
        else if (asked_ok) ask_q <= ask_q + 1'b1;
        if (ctx_i.valid) begin
          answered_q[ans_idx] <= 1'b1;
          if (again_q && ans_idx == get_q[2:0]) again_q <= 1'b0;
        end
        if (ctx_i.valid && ctx_i.status == ST_RETRY) pause_q <= '1;
        else if (pause_q != '0) pause_q <= pause_q - 3'd1;
        if (h_take) get_q <= get_q + 1'b1;
        none_parked_q <= pk_idle && !push_now;
      end
      if (put) ring[put_q[2:0]] <= rx_i;
      if (ctx_i.valid) begin
        res[ans_idx]      <= ctx_i.status;
        res_slot[ans_idx] <= ctx_i.slot[AW-1:0];
      end
    end
  end else begin : g_first
    // Only the one that rx_buffer shows, and it stays there until it is answered. One that is begun goes on with halt.
    logic          asked_q, told_q;
    logic [2:0]    pause_q, status_q;
    logic [AW-1:0] slot_q;
    assign looking     = asked_q;
    assign asked       = '0;
    assign head        = rx_i;
    assign ctx_o.valid = rx_valid_i && !asked_q && pause_q == '0 && inflight_q != CW'(INFLIGHT) && !halt_i;
    assign ctx_o.key   = rx_i.qpn;
    assign rx_ready_o  = h_take;
    assign {h_status, p_status} = {2{status_q}};
    assign {h_slot, p_slot}     = {2{slot_q}};
    assign {h_park, h_pass}     = {1'b0, told_q};
    logic unused;
    assign unused = ^{p_status, h_waiting, pk_idle, push_now, asked};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {asked_q, told_q} <= 2'b00;
        pause_q           <= '0;
      end else begin
        if (ctx_o.valid && ctx_ready_i) asked_q <= 1'b1;
        else if (h_take || (ctx_i.valid && ctx_i.status == ST_RETRY)) asked_q <= 1'b0;
        told_q <= (told_q && !h_take) || (ctx_i.valid && ctx_i.status != ST_RETRY);
        if (ctx_i.valid && ctx_i.status == ST_RETRY) pause_q <= '1;
        else if (pause_q != '0) pause_q <= pause_q - 3'd1;
      end
      if (ctx_i.valid) {status_q, slot_q} <= {ctx_i.status, ctx_i.slot[AW-1:0]};
    end
  end

  // ---- parking ----
  logic pk_over, pk_out_valid;
  logic [AW-1:0] pk_out_slot;
  logic [MW-1:0]       pk_out;
  logic [2:0]          pk_status;     // how the fill of its record ended
  logic                out_take;      // a parked packet goes on
  logic                pk_early;
  cairn_int_pkg::rx_meta_t om;
  assign om = pk_out;
  if (PARK != 0) begin : g_park
    logic pk_ready, pk_push, pk_drain_ready, pk_late_q, fe_valid, buffer_idle;
    logic [AW-1:0]    pk_late_slot_q, fe_slot;
    logic [CELLW-1:0] held [0:SLOTS-1];  // cells of a slot's waiting packets
    logic [CELLW-1:0] h_cells, o_cells;
    logic             pk_late;           // the record came while this packet was on its way here
    // Drains can be late: one for an earlier fill of the slot may come when the slot has another record under way. Its
    // packets wait on, until the strobe of their own fill.
    // It does if two bits differ: one is written as a packet is parked, and a strobe has the other follow.
    logic want [0:SLOTS-1];
    logic had [0:SLOTS-1];
    logic p_want, p_had, struck;        // of the head's slot; its strobe comes now
    assign pk_early = pk_out_valid && (want[pk_out_slot] != had[pk_out_slot]);
    assign p_want   = want[p_slot];
    assign struck   = fill_i.valid && fill_i.slot[AW-1:0] == p_slot;
    assign p_had    = struck ? p_want : had[p_slot];
    always_ff @(posedge clk_i) begin
      if (push_now) want[p_slot] <= p_had ^ (filling_i || (h_waiting && p_want != p_had));
    end
    always_ff @(posedge clk_i) if (fill_i.valid) had[fill_i.slot[AW-1:0]] <= want[fill_i.slot[AW-1:0]];
    assign h_cells  = hm.has_cells ? CELLW'(cairn_fn_pkg::rx_cells(hm.pay_len, hm.pay_off)) : '0;
    assign pk_over  = (h_waiting ? 32'(held[p_slot]) : 32'd0) + 32'(h_cells) > SHARE;
    assign pk_push  = h_park && !pk_over;
    assign pk_late  = push_now && !filling_i;

    park_buffer #(.WIDTH(MW), .ENTRIES(INFLIGHT), .SLOTS(SLOTS)) u_park (
        .clk_i, .rst_ni, .push_valid_i(pk_push && !pk_late_q), .push_ready_o(pk_ready), .push_slot_i(p_slot),
        .push_data_i(head),
        .q_slot_i(p_slot), .q_waiting_o(h_waiting), .q_going_o(),
        .drain_valid_i(fe_valid || pk_late_q), .drain_ready_o(pk_drain_ready),
        .drain_slot_i(fe_valid ? fe_slot : pk_late_slot_q), .drain_all_i(1'b0),
        .push_entry_o(), .out_entry_o(), .out_first_o(),
        .out_valid_o(pk_out_valid), .out_slot_o(pk_out_slot), .out_data_o(pk_out),
        .out_take_i(out_take || pk_early), .res_valid_i(out_take || pk_early), .res_pop_i(!pk_early),
        .void_o(), .level_o(), .idle_o(buffer_idle)
    );
    sync_fifo #(.WIDTH(AW), .DEPTH(8)) u_fills (
        .clk_i, .rst_ni, .in_valid_i(fill_i.valid), .in_ready_o(), .in_data_i(fill_i.slot[AW-1:0]),
        .out_valid_o(fe_valid), .out_ready_i(pk_drain_ready), .out_data_o(fe_slot));
    logic [2:0] fill_st [0:SLOTS-1];     // how the last fill of a slot ended
    always_ff @(posedge clk_i) if (fill_i.valid) fill_st[fill_i.slot[AW-1:0]] <= fill_i.status;
    assign pk_status = fill_st[pk_out_slot];
    assign push_now  = pk_push && !pk_late_q && pk_ready;
    assign pk_idle   = buffer_idle && !fe_valid && !pk_late_q;
    assign o_cells   = om.has_cells ? CELLW'(cairn_fn_pkg::rx_cells(om.pay_len, om.pay_off)) : '0;
    always_ff @(posedge clk_i) begin
      if (push_now) held[p_slot] <= (h_waiting ? held[p_slot] : '0) + h_cells;
      else if (out_take) held[pk_out_slot] <= held[pk_out_slot] - o_cells;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        pk_late_q <= 1'b0;
      end else begin
        if (pk_late) pk_late_q <= 1'b1;
        else if (!fe_valid && pk_drain_ready) pk_late_q <= 1'b0;
      end
      if (pk_late) pk_late_slot_q <= p_slot;
    end
  end else begin : g_none
    assign {h_waiting, pk_over, pk_out_valid, pk_early, push_now} = '0;
    assign pk_idle     = 1'b1;
    assign pk_out_slot = '0;
    assign pk_out      = '0;
    assign pk_status   = ST_HIT;
    logic unused;
    assign unused = ^{fill_i, filling_i, hm, om};
  end
  assign filling_slot_o = p_slot;

  // ---- cfg read and checks ----
  logic c_valid_q, c_ready, c_load;
  logic [MW-1:0] c_meta_q;
  logic [AW-1:0] c_slot_q;
  logic [2:0]    c_status_q;
  logic          c_over_q;
  logic          sel_park;
  assign sel_park = pk_out_valid && !pk_early;
  assign c_load   = !c_valid_q || (PARK != 0 && c_ready);
  assign out_take = sel_park && c_load;
  // Parked packets first. A head over its share passes on to be dropped.
  assign h_take      = (push_now) || (c_load && !sel_park && (h_pass || (h_park && pk_over)));
  assign part_o.slot = cairn_int_pkg::SLOT_W'({c_load ? (sel_park ? pk_out_slot : h_slot) : c_slot_q});

  cairn_int_pkg::rx_meta_t cm, co;
  logic is_req, is_ud, type_ok, state_ok, addr_ok, pkey_ok, qkey_ok, is_cnp;
  logic [2:0]  want_type;
  logic [127:0] dgid;
  logic        drop;
  assign cm        = c_meta_q;
  assign dgid      = cairn_fn_pkg::wire_gid(cfg_i.dgid);
  assign is_req    = cm.opflags[cairn_pkt_pkg::OPF_REQ];
  assign is_cnp    = cm.opflags[cairn_pkt_pkg::OPF_CNP];
  assign is_ud     = cfg_i.state_type == cairn_hw_pkg::QP_TYPE_UD || cfg_i.state_type == cairn_hw_pkg::QP_TYPE_GSI;
  assign want_type = cm.opcode[7:5];
  assign type_ok   = is_cnp
                     || (want_type == cairn_pkt_pkg::TRANSPORT_RC && cfg_i.state_type == cairn_hw_pkg::QP_TYPE_RC)
                     || (want_type == cairn_pkt_pkg::TRANSPORT_UC && cfg_i.state_type == cairn_hw_pkg::QP_TYPE_UC)
                     || (want_type == cairn_pkt_pkg::TRANSPORT_UD && is_ud);
  assign state_ok  = is_req ? cairn_fn_pkg::qp_takes_requests(cfg_i.state)
                     : cairn_fn_pkg::qp_takes_responses(cfg_i.state);
  assign addr_ok   = is_ud || (cm.sip == dgid && cm.sgid_index == cfg_i.pd_sgid_sgid_index);
  // Low 15 bits equal, and not both limited members.
  assign pkey_ok   = cm.pkey[14:0] == cfg_i.pkey_vlan_pkey[14:0] && (cm.pkey[15] || cfg_i.pkey_vlan_pkey[15]);
  assign qkey_ok   = !is_ud || cm.qkey == cfg_i.qkey;
  assign drop      = c_over_q || c_status_q != ST_HIT || cm.mcast || !type_ok || !state_ok || !addr_ok || !pkey_ok
      || !qkey_ok || is_cnp;

  // PARK = 0: the verdict is looked at a cycle after the record has come.
  logic dropped, c_got_q, c_seen_q, c_drop_q, drops, c_here;
  assign c_here           = c_valid_q && (PARK != 0 || c_seen_q);
  assign drops            = (PARK != 0) ? drop : c_drop_q;
  always_ff @(posedge clk_i) begin
    c_seen_q <= rst_ni && c_valid_q && !c_ready && (c_seen_q || c_got_q);
    c_drop_q <= drop;
  end
  assign part_o.asks      = c_valid_q && !c_got_q;
  always_ff @(posedge clk_i) c_got_q <= rst_ni && c_valid_q && !c_ready && (c_got_q || cfg_ok_i);
  assign out_valid_o      = c_here && !drops;
  assign free_o.valid     = c_here && drops && cm.has_cells;
  assign free_o.cell_head = cm.cell_head;
  assign dropped          = c_here && drops && (!cm.has_cells || free_ready_i);
  assign c_ready          = (out_valid_o && out_ready_i) || dropped;
  always_comb begin
    co       = c_meta_q;
    co.slot  = cairn_int_pkg::SLOT_W'(c_slot_q);
    co.gen   = cfg_i.tag_gen;
    co.epoch = epoch_i;
  end
  assign out_o.meta = co;
  assign out_o.cfg  = cfg_i;

  // Every packet that is dropped after a good lookup, or after waiting, gives its pin back.
  logic c_parked_q;
  assign part_o.unpin.valid = dropped && (c_status_q == ST_HIT || c_over_q || c_parked_q);
  assign part_o.unpin.slot  = cairn_int_pkg::SLOT_W'(c_slot_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inflight_q <= '0;
      c_valid_q  <= 1'b0;
    end else begin
      inflight_q <= inflight_q + CW'(put) - CW'(rx_done_i[0]) - CW'(rx_done_i[1]) - CW'(dropped);
      if (c_load) c_valid_q <= out_take || h_pass || (h_park && pk_over);
      else if (c_ready) c_valid_q <= 1'b0;
    end
    if (c_load) begin
      c_meta_q   <= sel_park ? pk_out : head;
      c_slot_q   <= sel_park ? pk_out_slot : h_slot;
      c_status_q <= sel_park ? pk_status : h_status;
      c_over_q   <= !sel_park && h_park;
      c_parked_q <= sel_park;
    end
  end

  logic checked;
  assign checked               = dropped && !c_over_q && c_status_q == ST_HIT && !cm.mcast;
  assign events_o.qpn          = cm.qpn;
  assign events_o.rx_no_buffer = dropped && c_over_q;
  assign events_o.rx_ctx_error = dropped && !c_over_q && c_status_q == ST_DAMAGED;
  // To a multicast address, and no QP is attached to it.
  assign events_o.rx_multicast = dropped && !c_over_q && c_status_q != ST_DAMAGED && cm.mcast;
  assign events_o.rx_bad_qpn   = dropped && !c_over_q && c_status_q != ST_DAMAGED && !cm.mcast
      && (c_status_q != ST_HIT || !type_ok);
  assign events_o.rx_qp_state = checked && type_ok && !state_ok;
  assign events_o.rx_bad_addr = checked && type_ok && state_ok && !addr_ok;
  assign events_o.rx_bad_pkey = checked && type_ok && state_ok && addr_ok && !pkey_ok;
  assign events_o.rx_bad_qkey = checked && type_ok && state_ok && addr_ok && pkey_ok
      && !qkey_ok;
  // Congestion notification for a QP of ours; ends here until rate control takes it.
  assign events_o.cnp_handled = checked && type_ok && state_ok && addr_ok && pkey_ok
      && qkey_ok;
  assign events_o.rx_parked = push_now;
  assign idle_o             = !looking && !c_valid_q && pk_idle && !(rx_valid_i && !halt_i);
endmodule
