// SPDX-License-Identifier: Apache-2.0
// Last half of atomic_unit: the operations one after the other, in three stages.
//
// - load: the oldest operation of the ring, when its data is there or may be had from an older one.
// - calc: original and new value; a failure is reported and holds the following ones meanwhile.
// - out: write of the value, write of the resource, then the resource on chip, then done and kick.
// Order: the resource on chip follows the accepted write to its table, so a fill of the cache never brings an older one
//   back. late_*: the operation at idx_o must be read now, after all older ones have been written.
// Cycles: 3 at least for one operation, whatever addresses follow each other.
module atomic_exec #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned DEPTH = 32,
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned PW   = $clog2(DEPTH)
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              epoch_i,
    input  logic [63:0]                       res_base_i,
    input  logic [7:0]                        res_func_i,
    // the oldest operation: place in the ring, that of the older one of its hash, how to get the original value
    input  logic                              op_valid_i,
    output logic                              op_ready_o,
    input  cairn_int_pkg::at_op_t             op_i,
    input  logic [PW-1:0]                     op_idx_i,
    input  logic [PW-1:0]                     op_dep_i,
    input  logic                              op_fwd_i,
    input  logic                              op_late_i,
    // state and data of the loaded one
    output logic [PW-1:0]                     idx_o,
    input  logic                              skip_i,
    input  logic                              got_i,
    input  logic                              bad_i,
    input  logic [63:0]                       orig_i,
    output logic                              late_valid_o,
    input  logic                              late_ready_i,
    output logic                              over_o,
    output logic                              fail_valid_o,
    output logic [AW-1:0]                     fail_slot_o,
    output logic                              ev_valid_o,
    input  logic                              ev_ready_i,
    output cairn_int_pkg::rsp_ev_t            ev_o,
    output cairn_int_pkg::dma_write_t         wr_o,
    input  logic                              wr_ready_i,
    output cairn_int_pkg::res_write_t         res_o,
    input  logic                              res_ready_i,
    output cairn_int_pkg::slot_over_t         done_o,
    input  logic                              done_ready_i,
    output cairn_int_pkg::kick_t              kick_o,
    input  logic                              kick_ready_i,
    output cairn_hw_pkg::atomic_exec_events_t events_o,
    output logic                              idle_o
);
  typedef enum logic [2:0] {W_IDLE, W_VALUE, W_ENTRY, W_FAIL, W_SKIP} write_state_e;
  typedef enum logic [1:0] {B_IDLE, B_ENTRY, B_DONE} back_state_e;

  // ---- loaded ----
  cairn_int_pkg::at_op_t p_q;
  logic            p_valid_q, p_fwd_q, p_late_q, asked_q;
  logic [PW-1:0]   p_idx_q, p_dep_q;
  logic            calc;
  assign idx_o      = p_idx_q;
  assign op_ready_o = !p_valid_q || calc;

  // ---- values formed, by place; whether there is one ----
  logic [63:0]      value [0:DEPTH-1];
  logic [DEPTH-1:0] formed_q;
  logic             use_fwd, use_late, ready, good, failed;
  logic [63:0]      original, sum, new_value;
  logic             hit, changes;
  assign use_fwd   = p_fwd_q && formed_q[p_dep_q];
  assign use_late  = p_late_q || (p_fwd_q && !use_fwd);
  assign ready     = skip_i || use_fwd || got_i;
  assign failed    = !skip_i && !use_fwd && bad_i;
  assign good      = !skip_i && !failed;
  assign original  = use_fwd ? value[p_dep_q] : orig_i;
  assign sum       = original + p_q.swap_add;
  assign hit       = original == p_q.compare;
  assign new_value = !p_q.cas ? sum : hit ? p_q.swap_add : original;
  // (new_value != original, seen without the sum)
  assign changes   = !p_q.cas ? p_q.swap_add != '0 : hit && p_q.swap_add != p_q.compare;

  // ---- out ----
  write_state_e    w_q;
  cairn_int_pkg::at_op_t w_op_q;
  logic [63:0]     w_orig_q, w_new_q;
  logic            w_go, w_free, b_free, post;
  assign post   = (w_q == W_ENTRY && wr_ready_i && b_free) || (w_q == W_SKIP && b_free);
  assign w_free = w_q == W_IDLE || post;
  assign w_go   = p_valid_q && ready && w_free;
  assign calc   = w_go;
  assign over_o = post;
  // A late read must see what the older ones have written.
  assign late_valid_o = p_valid_q && use_late && !skip_i && !asked_q && w_q == W_IDLE;
  always_ff @(posedge clk_i) begin
    if (calc) value[p_idx_q] <= new_value;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      p_valid_q <= 1'b0;
      w_q       <= W_IDLE;
    end else begin
      if (op_ready_o) p_valid_q <= op_valid_i;
      if (w_go) w_q <= skip_i ? W_SKIP : failed ? W_FAIL : changes ? W_VALUE : W_ENTRY;
      else if (post) w_q <= W_IDLE;
      else if (w_q == W_VALUE && wr_ready_i) w_q <= W_ENTRY;
      else if (w_q == W_FAIL && ev_ready_i) w_q <= W_SKIP;
    end
    if (op_ready_o) begin
      p_q      <= op_i;
      p_idx_q  <= op_idx_i;
      p_dep_q  <= op_dep_i;
      p_fwd_q  <= op_fwd_i;
      p_late_q <= op_late_i;
      asked_q  <= 1'b0;
    end else if (late_valid_o && late_ready_i) begin
      asked_q  <= 1'b1;
    end
    if (calc) formed_q[p_idx_q] <= good;
    if (w_go) begin
      w_op_q   <= p_q;
      w_orig_q <= original;
      w_new_q  <= new_value;
    end
  end

  cairn_hw_pkg::rsp_res_t res;
  cairn_int_pkg::dma_wr_t cmd;
  cairn_int_pkg::rsp_ev_t ev;
  always_comb begin
    res                   = '0;
    res.psn_first_psn     = w_op_q.psn;
    res.psn_kind          = cairn_hw_pkg::RES_KIND_ATOMIC;
    res.psn_ack_before    = w_op_q.ack_before;
    res.psn_done          = 1'b1;
    res.psn_cas           = w_op_q.cas;
    res.msn               = w_op_q.msn;
    res.msn_gen           = w_op_q.gen;
    res.va                = w_orig_q;
    res.ticket_ack_msn_lo = w_op_q.msn[15:0] - 16'h1;
    res.qpn               = w_op_q.qpn;
    cmd                   = '0;
    cmd.epoch             = epoch_i;
    if (w_q == W_VALUE) begin
      cmd.func = w_op_q.func;
      cmd.iova = w_op_q.iova;
      cmd.len  = cairn_int_pkg::LEN_W'(8);
      cmd.data = {448'h0, w_new_q};
    end else begin
      cmd.func = res_func_i;
      cmd.iova = res_base_i + {31'h0, w_op_q.qpn, w_op_q.res[3:0], 5'h0};
      cmd.len  = cairn_int_pkg::LEN_W'(cairn_hw_pkg::RSP_RES_BYTES);
      cmd.data = {256'h0, res};
    end
    ev        = '0;
    ev.kind   = cairn_int_pkg::RSE_ATOM;
    ev.slot   = w_op_q.slot;
    ev.qpn    = w_op_q.qpn;
    ev.gen    = w_op_q.gen;
    ev.psn    = w_op_q.psn;
    ev.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
    ev.vendor = cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    ev.eqn    = w_op_q.eqn;
    ev.res    = w_op_q.res;
    ev.msn    = w_op_q.msn;
  end
  assign wr_o.valid   = w_q == W_VALUE || (w_q == W_ENTRY && b_free);
  assign wr_o.cmd     = cmd;
  assign ev_valid_o   = w_q == W_FAIL;
  assign ev_o         = ev;
  assign fail_valid_o = w_q == W_FAIL;
  assign fail_slot_o  = w_op_q.slot[AW-1:0];

  // ---- on chip, then done ----
  back_state_e   b_q;
  logic [255:0]  b_entry_q;
  logic [3:0]    b_index_q;
  logic [AW-1:0] b_slot_q;
  logic [23:0]   b_qpn_q;
  logic          b_done_q, b_kick_q;    // still to be said
  logic          b_end;
  assign b_end        = b_q == B_DONE && (!b_done_q || done_ready_i) && (!b_kick_q || kick_ready_i);
  assign b_free       = b_q == B_IDLE;     // not in its last cycle: the write would depend on who is told
  assign res_o.valid  = b_q == B_ENTRY;
  assign res_o.index  = b_index_q;
  assign res_o.entry  = b_entry_q;
  assign done_o.valid = b_q == B_DONE && b_done_q;
  assign done_o.slot  = cairn_int_pkg::SLOT_W'(b_slot_q);
  assign kick_o.valid = b_q == B_DONE && b_kick_q;
  assign kick_o.qpn   = b_qpn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_q <= B_IDLE;
    end else if (post) begin
      b_q <= (w_q == W_ENTRY) ? B_ENTRY : B_DONE;
    end else if (b_end) begin
      b_q <= B_IDLE;
    end else if (b_q == B_ENTRY && res_ready_i) begin
      b_q <= B_DONE;
    end
    if (post) begin
      b_entry_q <= res;
      b_index_q <= w_op_q.res[3:0];
      b_slot_q  <= w_op_q.slot[AW-1:0];
      b_qpn_q   <= w_op_q.qpn;
      b_done_q  <= 1'b1;
      b_kick_q  <= w_q == W_ENTRY;
    end else begin
      if (done_o.valid && done_ready_i) b_done_q <= 1'b0;
      if (kick_o.valid && kick_ready_i) b_kick_q <= 1'b0;
    end
  end

  assign events_o.rx_atomic = post && w_q == W_ENTRY;
  assign idle_o             = !p_valid_q && w_q == W_IDLE && b_q == B_IDLE;
endmodule
