// SPDX-License-Identifier: Apache-2.0
// Where frames that the NIC sends to itself meet those of the wire, in front of rx_path.
//
// Whole frames of one or the other, so behind this point there is no difference (but for out_loop_o, which is counted).
// Wire: (from the MAC) never held. It goes straight through while nothing else does, else waits in a FIFO.
// Loop: (from the transmit side) held by this module only. It waits for frames of the wire, never for what rx_path
//   makes of a frame. A frame that goes to itself only passes without a register and, as tx_builder promises, without a
//   gap. One that goes out on the wire too (multicast) may be as slow as the wire and is kept until it is whole.
// Order: the wire goes first. A looped frame is begun between two frames when none of the wire waits, so a frame of the
//   wire waits for one looped frame at the most, and the loop has all beats that the wire leaves. One that has waited
//   for PATIENCE cycles is begun behind the frame under way, if the FIFO still has room for what may come meanwhile. It
//   has, but for a wire that brings a beat in every cycle (frames of 65 to 75 bytes at 512 bit, more than the receive
//   path takes). Then whole frames of the wire are dropped until it does, and counted (RX_OVERRUN), so that the
//   transmit side, which is in order, always gets on.
// Sizes: LONG beats of the longest looped frame; FIFO of the wire twice that, 1024 beats at most; store of multicast
//   copies once. Area at 512 bit, xcup: 1280 LUTs, 1129 FFs (FIFO outputs), 30 half block RAMs (114,552 bits).
module rx_merge #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned LONGEST  = 4352,   // bytes of a looped frame, as rx_parser's MAX_FRAME
    parameter int unsigned PATIENCE = 2048,   // cycles
    parameter bit          COPIES   = 1'b1,   // 0: no frame goes both ways
    localparam int unsigned BYTES   = DATA_W / 8,
    localparam int unsigned NB_W    = $clog2(BYTES) + 1
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    // from the MAC
    input  cairn_int_pkg::beat_t           wire_i,
    input  logic [DATA_W-1:0]              wire_data_i,
    // from the transmit side
    input  cairn_int_pkg::beat_t           loop_i,
    output logic                           loop_ready_o,
    input  logic                           loop_both_i,  // of the whole frame
    input  logic [DATA_W-1:0]              loop_data_i,
    // to rx_path
    output cairn_int_pkg::beat_t           out_o,
    output logic [DATA_W-1:0]              out_data_o,
    output logic                           out_loop_o,   // a looped frame
    output cairn_hw_pkg::rx_merge_events_t events_o,
    output logic                           idle_o        // nothing in here, and not inside a frame
);
  localparam int unsigned LONG   = (LONGEST + BYTES - 1) / BYTES;
  localparam int unsigned MARGIN = 8;
  localparam int unsigned DEPTH  = (2 * LONG + 2 * MARGIN > 1024) ? 1024 : 2 * LONG + 2 * MARGIN;
  localparam int unsigned ROOM   = DEPTH - LONG - MARGIN;   // a looped frame may begin at this level or below
  localparam int unsigned LVL_W  = $clog2(DEPTH + 1);
  localparam int unsigned CLVL_W = $clog2(LONG + 1);
  localparam int unsigned WAIT_W = $clog2(PATIENCE + 1);

  typedef enum logic [1:0] {NONE, WIRE, LOOP, COPY} from_e;   // bit 1: of this side

  from_e      from_q, from;   // whose frame is under way; who may move now

  // ---- the wire
  logic inside_q, drop_q, drop, given, straight, push, pop, f_valid, f_last, f_err, fifo_ready;
  logic [DATA_W-1:0] f_data;
  logic [NB_W-1:0]   f_nbytes;
  logic [LVL_W-1:0]  level;
  logic urgent, room;

  assign drop     = inside_q ? drop_q : urgent && !room;
  assign given    = wire_i.valid && !drop;
  assign push     = given && !(straight && from == WIRE);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q            <= 1'b0;
      events_o.rx_overrun <= 1'b0;
    end else begin
      if (wire_i.valid) inside_q <= !wire_i.last;
      events_o.rx_overrun <= wire_i.valid && !inside_q && drop;
    end
    if (wire_i.valid) drop_q <= drop;
  end

  // What the level says, in registers: all else begins here. Room a cycle late, which the margin is for.
  always_ff @(posedge clk_i) begin
    room <= level <= LVL_W'(ROOM);
    if (!rst_ni) straight <= 1'b1;
    else if (push != pop) straight <= !push && level == LVL_W'(1);
  end
  assign pop = f_valid && from == WIRE;

  sync_fifo_ram #(.WIDTH(2 + NB_W + DATA_W), .DEPTH(DEPTH)) u_wire (
      .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(fifo_ready),
      .in_data_i({wire_i.last, wire_i.err, wire_i.nbytes[NB_W-1:0], wire_data_i}),
      .out_valid_o(f_valid), .out_ready_i(from == WIRE), .out_data_o({f_last, f_err, f_nbytes, f_data}),
      .level_o(level));

`ifdef VERILATOR
  // Cannot be: see ROOM, and a looped frame is as long as LONG says and has no gap.
  always_ff @(posedge clk_i) if (rst_ni && push && !fifo_ready) $error("rx_merge: a beat of the wire finds no room");
`else
`endif

  // ---- copies of what also goes out: to be given when whole
  logic c_ready, c_valid, c_last, c_push, c_begin;
  logic [DATA_W-1:0] c_data;
  logic [NB_W-1:0]   c_nbytes;
  logic [CLVL_W-1:0] c_level, whole_q;   // frames that are

  // What the two levels say, in registers too: what has just changed them is looked at besides.
  logic both, c_end, c_end_q, c_push_q, c_some_q, c_none_q;
  assign both   = COPIES && loop_both_i;
  assign c_end  = from == COPY && c_valid && c_last;
  assign c_push = loop_i.valid && both && c_ready;

  if (COPIES) begin : g_copies
    sync_fifo_ram #(.WIDTH(1 + NB_W + DATA_W), .DEPTH(LONG)) u_copy (
        .clk_i, .rst_ni, .in_valid_i(loop_i.valid && both), .in_ready_o(c_ready),
        .in_data_i({loop_i.last, loop_i.nbytes[NB_W-1:0], loop_data_i}),
        .out_valid_o(c_valid), .out_ready_i(from == COPY), .out_data_o({c_last, c_nbytes, c_data}),
        .level_o(c_level));
  end else begin : g_no_copies
    assign {c_ready, c_valid, c_last, c_nbytes, c_data, c_level} = '0;
    logic unused;
    assign unused = loop_both_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) whole_q <= '0;
    else whole_q <= whole_q + CLVL_W'(c_push && loop_i.last) - CLVL_W'(c_end);
    c_some_q  <= whole_q != '0;
    c_end_q   <= c_end;
    c_none_q  <= c_level == '0;
    c_push_q  <= c_push;
  end

  // ---- who goes
  logic direct, want, go, waited;
  logic [WAIT_W-1:0] wait_q;

  assign c_begin = c_valid && c_some_q && !c_end_q;
  assign direct  = loop_i.valid && !both && c_none_q && !c_push_q;   // in the order in which they were sent
  assign want    = c_begin || direct;
  assign waited  = wait_q == WAIT_W'(PATIENCE);
  assign go      = from_q == NONE && want && (straight || (urgent && room));

  always_comb begin
    from = from_q;
    if (go) from = c_begin ? COPY : LOOP;
    else if (from_q == NONE && (straight ? given : f_valid)) from = WIRE;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      from_q <= NONE;
      wait_q <= '0;
      urgent <= 1'b0;
    end else begin
      if (out_o.valid) from_q <= out_o.last ? NONE : from;
      if (go) wait_q <= '0;
      else if (want && !from_q[1] && !waited) wait_q <= wait_q + 1'b1;
      urgent <= waited && !go;
    end
  end

  assign loop_ready_o = both ? c_ready : from == LOOP;
  assign out_loop_o   = from[1];

  always_comb begin
    out_o.valid  = 1'b0;
    out_o.last   = straight ? wire_i.last : f_last;
    out_o.err    = straight ? wire_i.err : f_err;
    out_o.nbytes = straight ? wire_i.nbytes : 7'(f_nbytes);
    out_data_o   = straight ? wire_data_i : f_data;
    case (from)
      WIRE: out_o.valid = straight ? given : f_valid;
      LOOP: begin
        out_o.valid  = loop_i.valid && !both;
        out_o.last   = loop_i.last;
        out_o.err    = 1'b0;
        out_o.nbytes = loop_i.nbytes;
        out_data_o   = loop_data_i;
      end
      COPY: begin
        out_o.valid  = c_valid;
        out_o.last   = c_last;
        out_o.err    = 1'b0;
        out_o.nbytes = 7'(c_nbytes);
        out_data_o   = c_data;
      end
      default: ;
    endcase
  end

  assign idle_o = from_q == NONE && straight && c_level == '0 && !inside_q;
endmodule
