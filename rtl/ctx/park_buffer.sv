// SPDX-License-Identifier: Apache-2.0
// Work that waits for something of its slot: per-slot lists in arrival order over one RAM of ENTRIES records.
// push_*: append to the slot's list (ready is low only while no entry is free or a list is being changed; users bound
// their work so that it is never full). q_slot_i -> q_waiting_o, combinational: the slot has a list; later work of it
// must be appended too. drain_*: the cause of waiting is over for this slot: its records come out in order, each with
// out_valid_o until the user answers with
// res_valid_i: res_pop_i = 1 done with it, 0 it waits again (it stays first; the rest stays behind it until the next
// drain of the slot).
// drain_all_i: the same for every slot that has a list. Clears itself after reset.
module park_buffer #(
    parameter int unsigned WIDTH   = 64,
    parameter int unsigned ENTRIES = 256,
    parameter int unsigned SLOTS   = 128
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       push_valid_i,
    output logic                       push_ready_o,
    input  logic [$clog2(SLOTS)-1:0]   push_slot_i,
    input  logic [WIDTH-1:0]           push_data_i,
    input  logic [$clog2(SLOTS)-1:0]   q_slot_i,
    output logic                       q_waiting_o,
    input  logic                       drain_valid_i,
    output logic                       drain_ready_o,
    input  logic [$clog2(SLOTS)-1:0]   drain_slot_i,
    input  logic                       drain_all_i,
    output logic                       out_valid_o,
    output logic [$clog2(SLOTS)-1:0]   out_slot_o,
    output logic [WIDTH-1:0]           out_data_o,
    input  logic                       res_valid_i,
    input  logic                       res_pop_i,
    output logic [$clog2(ENTRIES+1)-1:0] level_o,
    output logic                       idle_o
);
  localparam int unsigned AW = $clog2(SLOTS);
  localparam int unsigned EW = $clog2(ENTRIES);

  logic             init_q;
  logic [(AW > EW ? AW : EW)-1:0] init_q_idx;
  logic [EW-1:0]    head [0:SLOTS-1];
  logic [EW-1:0]    tail [0:SLOTS-1];
  logic             wait_in  [0:SLOTS-1];   // list exists while these two differ
  logic             wait_out [0:SLOTS-1];
  logic [EW-1:0]    next [0:ENTRIES-1];

  // ---- free entries ----
  logic             free_valid;
  logic [EW-1:0]    free_idx;
  logic             free_push_ready_unused;
  logic             free_af_unused;
  logic [$clog2(ENTRIES+1)-1:0] free_level;
  logic             give_back;
  logic [EW-1:0]    give_idx;
  logic             push;

  sync_fifo_ram #(.WIDTH(EW), .DEPTH(ENTRIES)) u_free (
      .clk_i, .rst_ni,
      .in_valid_i (init_q ? 32'(init_q_idx) < ENTRIES : give_back),
      .in_ready_o (free_push_ready_unused),
      .in_data_i  (init_q ? init_q_idx[EW-1:0] : give_idx),
      .out_valid_o(free_valid), .out_ready_i(push), .out_data_o(free_idx),
      .level_o(free_level), .almost_full_o(free_af_unused)
  );

  // ---- which slot is drained ----
  localparam logic [1:0] D_IDLE = 2'd0, D_READ = 2'd1, D_SHOW = 2'd2;
  logic [1:0]       d_state_q;
  logic [AW-1:0]    d_slot_q;
  logic [EW-1:0]    d_entry_q;
  logic             dq_valid;
  logic             dq_ready;
  logic [AW-1:0]    dq_slot;
  logic             dq_idle;
  logic             sweep_q;
  logic [AW-1:0]    sweep_slot_q;
  logic [AW-1:0]    sweep_left_q;   // slots after this one
  logic             sweep_ready;
  logic             pop;

  pend_queue #(.ID_W(AW), .NSRC(2)) u_drain (
      .clk_i, .rst_ni,
      .kick_valid_i({sweep_q && (wait_in[sweep_slot_q] != wait_out[sweep_slot_q]), drain_valid_i}),
      .kick_ready_o({sweep_ready, drain_ready_o}),
      .kick_id_i({sweep_slot_q, drain_slot_i}),
      .out_valid_o(dq_valid), .out_ready_i(dq_ready), .out_id_o(dq_slot), .idle_o(dq_idle)
  );

  logic sweep_next;
  assign sweep_next  = sweep_q && (sweep_ready || wait_in[sweep_slot_q] == wait_out[sweep_slot_q]);
  logic d_waiting;
  assign d_waiting   = wait_in[dq_slot] != wait_out[dq_slot];
  assign dq_ready    = d_state_q == D_IDLE && !init_q;
  assign q_waiting_o = wait_in[q_slot_i] != wait_out[q_slot_i];
  assign pop         = d_state_q == D_SHOW && res_valid_i && res_pop_i;
  assign give_back   = pop;
  assign give_idx    = d_entry_q;
  // A push and a pop of one list in one cycle would race for its ends.
  assign push_ready_o = free_valid && !init_q && !pop;
  assign push         = push_valid_i && push_ready_o;

  logic push_first;
  assign push_first = wait_in[push_slot_i] == wait_out[push_slot_i];

  always_ff @(posedge clk_i) begin
    if (push) tail[push_slot_i] <= free_idx;
  end
  always_ff @(posedge clk_i) begin
    if (push && !push_first) next[tail[push_slot_i]] <= free_idx;
  end
  always_ff @(posedge clk_i) begin
    if (push && push_first) head[push_slot_i] <= free_idx;
    else if (pop) head[d_slot_q] <= next[d_entry_q];
  end
  logic last_of_list;
  assign last_of_list = d_entry_q == tail[d_slot_q];
  always_ff @(posedge clk_i) begin
    if (init_q) wait_in[init_q_idx[AW-1:0]] <= 1'b0;
    else if (push && push_first) wait_in[push_slot_i] <= !wait_in[push_slot_i];
  end
  always_ff @(posedge clk_i) begin
    if (init_q) wait_out[init_q_idx[AW-1:0]] <= 1'b0;
    else if (pop && last_of_list) wait_out[d_slot_q] <= !wait_out[d_slot_q];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_q_idx <= '0;
      d_state_q  <= D_IDLE;
      sweep_q    <= 1'b0;
      sweep_slot_q <= '0;
    end else begin
      if (init_q) begin
        init_q_idx <= init_q_idx + 1'b1;
        init_q     <= !(&init_q_idx);
      end
      case (d_state_q)
        D_IDLE: if (dq_valid && !init_q && d_waiting) d_state_q <= D_READ;
        D_READ: d_state_q <= D_SHOW;
        D_SHOW: if (res_valid_i) d_state_q <= (res_pop_i && !last_of_list) ? D_READ : D_IDLE;
        default: d_state_q <= D_IDLE;
      endcase
      // A strobe during a sweep adds a whole round from the slot reached: the new cause may concern any slot, and none
      // waits for more than a round however often strobes come.
      if (sweep_next) begin
        sweep_slot_q <= sweep_slot_q + 1'b1;
        sweep_left_q <= sweep_left_q - 1'b1;
        if (sweep_left_q == '0) sweep_q <= 1'b0;
      end
      if (drain_all_i) begin
        sweep_q      <= 1'b1;
        sweep_left_q <= '1;
      end
    end
    if (d_state_q == D_IDLE) begin
      d_slot_q  <= dq_slot;
      d_entry_q <= head[dq_slot];
    end else if (pop) begin
      d_entry_q <= next[d_entry_q];
    end
  end

  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(ENTRIES), .BYPASS(2)) u_data (
      .clk_i, .we_i(push), .waddr_i(free_idx), .wdata_i(push_data_i),
      .re_i(d_state_q == D_READ), .raddr_i(d_entry_q), .rdata_o(out_data_o)
  );
  assign out_valid_o = d_state_q == D_SHOW;
  assign out_slot_o  = d_slot_q;
  assign level_o     = ($clog2(ENTRIES+1))'(ENTRIES) - free_level;
  assign idle_o      = !init_q && level_o == '0 && d_state_q == D_IDLE && dq_idle && !sweep_q && !push_valid_i;
endmodule
