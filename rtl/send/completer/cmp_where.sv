// SPDX-License-Identifier: Apache-2.0
// First step of cmp_packet: where a response packet or an event stands in what the parts of its QP say.
//
// All that cmp_judge wants to know of PSNs and times, from the parts as they come out of their RAM.
// Cycles: one; what is out stays until the next load_i. Errors: none.
module cmp_where #(
    parameter bit FULL = 1'b1      // 0: as small as can be
) (
    input  logic                       clk_i,
    input  logic                       load_i,     // the parts are those of in_i
    input  cairn_int_pkg::cmp_input_t  in_i,
    input  cairn_int_pkg::sent_parts_t part_i,
    input  logic [63:0]                time_now_i,
    output cairn_int_pkg::cmp_where_t  where_o
);
  // What the codes stand for is written down for each: sums and shifts would be worked out.
  // Credits: 0 1 2 3 4 6 8 12 16 ... 32768.
  function automatic logic [16:0] steps(input logic [4:0] code);
    begin
      steps = '0;
      for (int unsigned i = 1; i < 32; i++) begin
        if (code == 5'(i)) steps = (i == 1) ? 17'd1 : (i % 2 == 1) ? 17'd3 << ((i - 3) / 2) : 17'd1 << (i / 2);
      end
    end
  endfunction

  // RNR timers, in ns, and one unit of WAIT_UNTIL: the same steps of 10 us, but code 0 is 65536 of them.
  function automatic logic [31:0] rnr_wait(input logic [4:0] code);
    begin
      rnr_wait = 32'd655360064;
      for (int unsigned i = 1; i < 32; i++) begin
        if (code == 5'(i))
          rnr_wait = 32'd64 + ((i % 2 == 1 && i != 1) ? 32'd15000 << (i / 2) : 32'd10000 << (i / 2));
      end
    end
  endfunction

  // Half of the PSNs are behind one, half before.
  function automatic cairn_int_pkg::psn_side_t side(input logic [23:0] psn_, input logic [23:0] of);
    logic [23:0] d;
    begin
      d    = psn_ - of;
      side = {d[23], d == '0};
    end
  endfunction

  cairn_hw_pkg::qp_cmp_t  c;
  cairn_hw_pkg::qp_req_t  r;
  logic                   rd_open, ahead, none_out;
  cairn_int_pkg::psn_side_t by_una, una_gb, by_old;
  logic [4:0]             code;
  logic [23:0]            psn, una, done, d_anchor, d_out;
  assign c        = part_i.cmp;
  assign r        = part_i.req;
  assign psn      = in_i.psn;
  assign code     = in_i.aeth[28:24];
  assign rd_open  = c.rflags_rd_valid && !c.rflags_rd_full;
  // The later of UNA_PSN and OLD_PSN, each difference worked out for both.
  assign d_anchor = c.una_una_psn - c.old_psn;
  assign ahead    = !(&d_anchor[23:16]);
  assign una      = ahead ? c.una_una_psn : c.old_psn;
  assign d_out    = r.hi_psn - una;
  // Is it the same as that one? FULL: compared with both, and chosen then.
  assign none_out = !FULL ? d_out == '0 : ahead ? r.hi_psn == c.una_una_psn : r.hi_psn == c.old_psn;
  assign by_old   = side(psn, c.old_psn);
  always_comb begin
    by_una = side(psn, una);
    una_gb = side(una, c.gb_gb_psn);
    if (FULL) begin
      by_una.at = ahead ? psn == c.una_una_psn : by_old.at;
      una_gb.at = ahead ? c.gb_gb_psn == c.una_una_psn : c.gb_gb_psn == c.old_psn;
    end
  end
  assign done     = c.old_psn + (rd_open ? c.rd_ahead : '0);
  always_ff @(posedge clk_i) if (load_i) begin
    where_o.rd_open   <= rd_open;
    where_o.pending   <= c.una_gb_epoch != r.psn_send_epoch;
    where_o.una       <= una;
    where_o.done      <= done;
    where_o.hi        <= side(psn, r.hi_psn);
    where_o.by_una    <= by_una;
    where_o.by_old    <= by_old;
    where_o.by_done   <= side(psn, done);
    where_o.by_gb     <= side(psn, c.gb_gb_psn);
    where_o.done_gb   <= side(done, c.gb_gb_psn);
    where_o.una_gb    <= una_gb;
    where_o.out       <= {d_out[23], none_out};
    where_o.wide      <= |d_out[23:13];
    where_o.lsn       <= in_i.aeth[23:0] - r.free_msg;
    where_o.credits   <= steps(code);
    where_o.spent     <= r.ssn - r.free_msg;
    where_o.start     <= (r.t_start > c.t_progress) ? r.t_start : c.t_progress;
    where_o.wait_left <= c.wait_wait_until - time_now_i[45:6];
    where_o.rnr_ns    <= rnr_wait(code);
  end
endmodule
