// SPDX-License-Identifier: Apache-2.0
// Changes of keys by the data path (mr_upd): invalidate, fast registration, bind.
//
// Clients MUC_*, one operation of each at a time, answered with an enum vendor_err. The rules are mr_inv_rule,
// mr_reg_rule, mr_bind_rule. IBTA 10.6.5, 10.6.7.2; docs/rtl/mr.md.
// Order: looks up its records in the MPT cache with pins (A: the key's own; B: the region of a bind; C: the region that
//   loses a window), reads and checks them under a lock against firmware, writes A, then the window counts of B and C.
//   When a record must be read from the host, the lock is given back, the operation begins again after a fill or 64
//   cycles, and the other client's goes first. Until then its records keep their pins, so with more keys in demand than
//   ways it comes to an end; not when it was turned away, for that may be firmware waiting for the pins. A registration
//   drops the page list's lines from the MTT cache before it becomes valid, also aside. An operation that has ended
//   goes to mr_drain.
// A region is read twice for a bind, since the sums about it take more than a cycle.
// Cycles: about 12, 28 for a bind.
// Errors: an operation that fails changes nothing; enum vendor_err, counted by mr_service.
module mr_update #(
    parameter int unsigned SLOTS = 64,
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned N  = cairn_int_pkg::MUC_N
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  cairn_int_pkg::key_changes_t       changes_i,
    output cairn_int_pkg::key_changes_ready_t changes_ready_o,
    input  logic [N-1:0]                      room_i,         // mr_drain: for the answer of one more
    // MPT cache
    output cairn_int_pkg::ctx_req_t           ctx_o,
    input  logic                              ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t           ctx_i,
    output cairn_int_pkg::unpin_t             unpin_o,
    input  logic                              fill_valid_i,
    // its records: lock against firmware, read (data one cycle after the grant), write
    output logic                              lock_o,
    input  logic                              lock_go_i,
    output logic                              rd_valid_o,
    input  logic                              rd_ready_i,
    output logic [AW-1:0]                     rd_slot_o,
    input  logic [511:0]                      rd_data_i,
    output cairn_int_pkg::part_write_t        write_o,
    // page list lines to be dropped
    output logic                              drop_valid_o,
    output logic [23:0]                       drop_line_o,
    output logic [31:0]                       drop_lines_o,
    input  logic                              drop_done_i,
    output logic                              done_o,         // an operation has ended, with this:
    output logic [N-1:0]                      done_client_o,  // one-hot
    output logic [7:0]                        done_vendor_o,
    output logic                              done_drain_o,
    output logic                              idle_o
);
  typedef enum logic [3:0] {
    U_IDLE, U_LOCK, U_LOOK, U_ANSWER, U_READ, U_GOT, U_CHECK, U_WRITE, U_READ2, U_COUNT, U_UNPIN
  } state_e;
  typedef enum logic [1:0] {S_A, S_B, S_C} step_e;
  localparam int unsigned PAUSE_W = 6;

  // ---- clients ----
  localparam int unsigned UW = cairn_int_pkg::MR_UPD_W;
  logic [N-1:0]    in_valid, in_ready;
  logic [N*UW-1:0] in_req;
  assign in_valid[cairn_int_pkg::MUC_REQ] = changes_i.requester.valid;
  assign in_valid[cairn_int_pkg::MUC_RSP] = changes_i.responder.valid;
  assign in_req[cairn_int_pkg::MUC_REQ*UW +: UW] = changes_i.requester.req;
  assign in_req[cairn_int_pkg::MUC_RSP*UW +: UW] = changes_i.responder.req;
  assign changes_ready_o.requester = in_ready[cairn_int_pkg::MUC_REQ];
  assign changes_ready_o.responder = in_ready[cairn_int_pkg::MUC_RSP];
  logic [N-1:0]    busy_q, wait_q, dwait_q, dropped_q;
  logic [N*UW-1:0] req_q;
  logic [N-1:0]    ripe, gnt;
  logic            gnt_valid;
  logic [(N > 1 ? $clog2(N) : 1)-1:0] gnt_idx, cur_q, drop_cur_q;
  logic [PAUSE_W-1:0] pause_q;
  logic            drop_q, start_drop, again_q, end_now, good_end;
  assign in_ready   = ~busy_q & room_i;
  assign ripe       = busy_q & ~wait_q & ~dwait_q;
  rr_arbiter #(.N(N)) u_arb (
      .clk_i, .rst_ni, .req_i(ripe), .ack_i(u_q == U_IDLE), .lock_i(1'b0), .gnt_valid_o(gnt_valid), .gnt_o(gnt),
      .gnt_idx_o(gnt_idx));

  // ---- the operation under way ----
  state_e        u_q;
  step_e         step_q;
  cairn_int_pkg::mr_upd_t u, upd_q;
  cairn_hw_pkg::mpt_t a, a_q;        // record A as read, then as it will be
  cairn_hw_pkg::mpt_t r;
  logic [31:0]   parent_q;
  logic [2:0]    pinned_q;
  logic [3*AW-1:0] slot_q;
  logic [N*3-1:0]    kept_q;         // pins of an operation that waits for the host
  logic [N*3*AW-1:0] kept_slot_q;
  logic              keep_q;         // this one does
  logic [2:0]        kept, give;
  logic              give_kept;
  logic [3*AW-1:0]   give_slot, kept_slot;
  logic          add_q, sub_q;       // windows: one more on B, one less on C
  logic          took_q;             // the key matches no more
  logic          summed_q;           // the region of a bind was read once
  logic [7:0]    verdict_q;
  logic [AW-1:0] slot;
  assign u    = upd_q;
  assign a    = a_q;
  assign r    = rd_data_i;
  assign slot = (step_q == S_A) ? slot_q[AW-1:0] : (step_q == S_B) ? slot_q[AW +: AW] : slot_q[2*AW +: AW];

  logic [7:0]   inv_err, reg_err, win_err, region_err, a_err;
  cairn_hw_pkg::mpt_t reg_new, win_unbound, win_bound;
  logic [31:0]  reg_lines;
  logic         inv, is_reg, bind_op, was_bound, same_region;
  assign inv     = u.op == cairn_int_pkg::MUO_INV || u.op == cairn_int_pkg::MUO_RINV;
  assign is_reg  = u.op == cairn_int_pkg::MUO_REG;
  assign bind_op = u.op == cairn_int_pkg::MUO_BIND;
  mr_inv_rule u_inv (.mpt_i(a_q), .key_i(u.key), .pd_i(u.pd), .qpn_i(u.qpn),
      .remote_i(u.op == cairn_int_pkg::MUO_RINV), .vendor_o(inv_err));
  mr_reg_rule u_reg (.clk_i, .mpt_i(a_q), .upd_i(upd_q), .vendor_o(reg_err), .mpt_o(reg_new), .lines_o(reg_lines));
  mr_bind_rule u_bind (.clk_i, .got_i(u_q == U_GOT), .window_i(a_q), .region_i(r), .upd_i(upd_q),
      .window_err_o(win_err), .region_err_o(region_err), .unbound_o(win_unbound), .bound_o(win_bound));
  assign a_err       = inv ? inv_err : is_reg ? reg_err : win_err;
  assign was_bound   = a.flags_window && !a.flags_freed;
  assign same_region = parent_q[31:8] == u.mr_key[31:8];

  // An invalidated region keeps its place in the page list table and its key, which matches nothing while FREED.
  cairn_hw_pkg::mpt_t inv_new;
  always_comb begin
    inv_new              = a;
    inv_new.flags_freed  = 1'b1;
    inv_new.flags_mode   = cairn_hw_pkg::MR_MODE_FREE;
    inv_new.flags_access = '0;
    inv_new.length       = '0;
    inv_new.qpn          = '0;
    inv_new.parent       = '0;
  end
  cairn_hw_pkg::mpt_t counted;
  always_comb begin
    counted         = r;
    counted.windows = (step_q == S_B) ? r.windows + 32'h1 : r.windows - 32'h1;
  end

  assign ctx_o.valid   = u_q == U_LOOK;
  assign ctx_o.key     = (step_q == S_A) ? u.key[31:8] : (step_q == S_B) ? u.mr_key[31:8] : parent_q[31:8];
  assign lock_o        = u_q != U_IDLE && !(u_q == U_UNPIN);
  assign rd_valid_o    = u_q == U_READ || u_q == U_READ2;
  assign rd_slot_o     = slot;
  assign write_o.valid = u_q == U_WRITE || u_q == U_COUNT;
  assign write_o.slot  = cairn_int_pkg::SLOT_W'({(u_q == U_WRITE) ? slot_q[AW-1:0] : slot});
  assign write_o.data  = (u_q == U_WRITE) ? a_q : counted;
  always_comb begin
    kept      = '0;
    kept_slot = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (32'(cur_q) == i) {kept, kept_slot} = {kept_q[3*i +: 3], kept_slot_q[3*AW*i +: 3*AW]};
    end
  end
  assign give_kept     = kept != '0;
  assign give          = give_kept ? kept : keep_q ? 3'h0 : pinned_q;
  assign give_slot     = give_kept ? kept_slot : slot_q;
  assign unpin_o.valid = u_q == U_UNPIN && give != '0;
  assign unpin_o.slot  = cairn_int_pkg::SLOT_W'({give[0] ? give_slot[AW-1:0] : give[1] ? give_slot[AW +: AW]
                                               : give_slot[2*AW +: AW]});
  assign start_drop    = u_q == U_CHECK && is_reg && a_err == cairn_hw_pkg::VENDOR_ERR_NONE && !dropped_q[cur_q]
                         && !drop_q;
  assign drop_valid_o  = drop_q;
  assign end_now       = u_q == U_UNPIN && give == '0;
  assign good_end      = end_now && !again_q;
  assign done_o        = good_end;
  assign done_client_o = N'(1) << cur_q;
  assign done_vendor_o = verdict_q;
  assign done_drain_o  = took_q && verdict_q == cairn_hw_pkg::VENDOR_ERR_NONE;
  assign idle_o        = busy_q == '0 && in_valid == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      wait_q    <= '0;
      dwait_q   <= '0;
      dropped_q <= '0;
      drop_q    <= 1'b0;
    end else begin
      for (int unsigned i = 0; i < N; i++) begin
        if (in_valid[i] && in_ready[i]) busy_q[i] <= 1'b1;
      end
      if (fill_valid_i || pause_q == '0) wait_q <= '0;
      if (drop_done_i) begin
        drop_q                <= 1'b0;
        dropped_q[drop_cur_q] <= 1'b1;
        dwait_q[drop_cur_q]   <= 1'b0;
      end
      if (start_drop) begin
        drop_q         <= 1'b1;
        dwait_q[cur_q] <= 1'b1;
      end
      if (end_now && again_q) wait_q[cur_q] <= 1'b1;
      if (good_end) begin
        busy_q[cur_q]    <= 1'b0;
        dropped_q[cur_q] <= 1'b0;
      end
    end
    for (int unsigned i = 0; i < N; i++) begin
      if (in_valid[i] && in_ready[i]) req_q[i*UW +: UW] <= in_req[i*UW +: UW];
    end
    pause_q <= (end_now && again_q) ? '1 : pause_q - PAUSE_W'(pause_q != '0);
    if (start_drop) begin
      drop_cur_q   <= cur_q;
      drop_line_o  <= a.map[26:3];
      drop_lines_o <= reg_lines;
    end
  end

  // What comes next, and the pins
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      u_q      <= U_IDLE;
      pinned_q <= '0;
      kept_q   <= '0;
    end else begin
      case (u_q)
        U_IDLE: if (gnt_valid) u_q <= U_LOCK;
        U_LOCK: if (lock_go_i) u_q <= U_LOOK;
        U_LOOK: if (ctx_ready_i) u_q <= U_ANSWER;
        U_ANSWER: if (ctx_i.valid) begin
          pinned_q[step_q] <= ctx_i.status == cairn_hw_pkg::CTX_RESULT_OK
                              || ctx_i.status == cairn_hw_pkg::CTX_RESULT_WAITING;
          u_q <= (ctx_i.status != cairn_hw_pkg::CTX_RESULT_OK) ? U_UNPIN : (step_q == S_C) ? U_WRITE : U_READ;
        end
        U_READ:  if (rd_ready_i) u_q <= U_GOT;
        U_GOT: begin
          u_q <= U_CHECK;
          if (step_q == S_B && !summed_q) begin
            u_q <= U_READ;
          end else if (step_q == S_B) begin
            u_q <= (region_err != cairn_hw_pkg::VENDOR_ERR_NONE) ? U_UNPIN
                   : (sub_q && !same_region) ? U_LOOK : U_WRITE;
          end
        end
        U_CHECK: begin               // of A
          u_q <= U_WRITE;
          if (a_err != cairn_hw_pkg::VENDOR_ERR_NONE || (is_reg && !dropped_q[cur_q])) u_q <= U_UNPIN;
          else if (bind_op ? (u.length != '0 || was_bound) : (inv && was_bound)) u_q <= U_LOOK;
        end
        U_WRITE: u_q <= (add_q || sub_q) ? U_READ2 : U_UNPIN;
        U_READ2: if (rd_ready_i) u_q <= U_COUNT;
        U_COUNT: u_q <= (step_q == S_B && sub_q) ? U_READ2 : U_UNPIN;
        default: begin               // U_UNPIN
          for (int unsigned i = 0; i < N; i++) begin
            if (32'(cur_q) == i && give_kept) kept_q[3*i +: 3] <= kept & (kept - 3'h1);
            else if (32'(cur_q) == i && end_now && keep_q) kept_q[3*i +: 3] <= pinned_q;
          end
          if (!give_kept && !keep_q) pinned_q <= pinned_q & (pinned_q - 3'h1);
          if (end_now) begin
            u_q      <= U_IDLE;
            pinned_q <= '0;
          end
        end
      endcase
    end
  end

  // The operation, its records and its verdict
  always_ff @(posedge clk_i) begin
    case (u_q)
      U_IDLE: begin
        step_q    <= S_A;
        cur_q     <= gnt_idx;
        again_q   <= 1'b0;
        keep_q    <= 1'b0;
        add_q     <= 1'b0;
        sub_q     <= 1'b0;
        took_q    <= 1'b0;
        summed_q  <= 1'b0;
        verdict_q <= cairn_hw_pkg::VENDOR_ERR_NONE;
        for (int unsigned i = 0; i < N; i++) begin
          if (gnt[i]) upd_q <= req_q[i*UW +: UW];
        end
      end
      U_ANSWER: if (ctx_i.valid) begin
        for (int unsigned k = 0; k < 3; k++) begin
          if (32'(step_q) == k) slot_q[AW*k +: AW] <= ctx_i.slot[AW-1:0];
        end
        again_q   <= ctx_i.status == cairn_hw_pkg::CTX_RESULT_WAITING || ctx_i.status == cairn_hw_pkg::CTX_RESULT_RETRY;
        keep_q    <= ctx_i.status == cairn_hw_pkg::CTX_RESULT_WAITING;
        verdict_q <= (ctx_i.status == cairn_hw_pkg::CTX_RESULT_OK) ? cairn_hw_pkg::VENDOR_ERR_NONE
                     : (ctx_i.status == cairn_hw_pkg::CTX_RESULT_FREE) ? cairn_hw_pkg::VENDOR_ERR_KEY_INDEX
                     : cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
        if (step_q == S_C && add_q) step_q <= S_B;             // the counts: B first
      end
      U_GOT: begin
        if (step_q == S_A) begin
          a_q      <= rd_data_i;
          parent_q <= r.parent;
        end else begin
          summed_q <= 1'b1;
        end
        if (step_q != S_A && summed_q) begin
          a_q       <= win_bound;
          verdict_q <= region_err;
          add_q     <= !(sub_q && same_region);
          if (sub_q && same_region) sub_q <= 1'b0;
          else if (sub_q) step_q <= S_C;
        end
      end
      U_CHECK: begin
        verdict_q <= a_err;
        took_q    <= inv || (bind_op && was_bound);
        sub_q     <= was_bound;
        step_q    <= (bind_op && u.length != '0) ? S_B : S_C;
        a_q       <= inv ? inv_new : is_reg ? reg_new : (u.length == '0) ? win_unbound : a_q;
        if (is_reg && !dropped_q[cur_q] && a_err == cairn_hw_pkg::VENDOR_ERR_NONE) again_q <= 1'b1;
      end
      U_COUNT: if (step_q == S_B) step_q <= S_C;
      U_UNPIN: for (int unsigned i = 0; i < N; i++) begin
        if (32'(cur_q) == i && end_now) kept_slot_q[3*AW*i +: 3*AW] <= slot_q;
      end
      default: ;
    endcase
  end
endmodule
