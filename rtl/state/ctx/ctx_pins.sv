// SPDX-License-Identifier: Apache-2.0
// Pins of cache slots: counts them, and tells when a slot has none left.
//
// One counter that only the lookup raises and one for each releasing module, each a RAM with one writer, so any
// number of modules may release in the same cycle. A slot is pinned while up differs from the sum of downs (modulo
// 2^CNT_W; at most 2^CNT_W - 1 pins of a slot may be out). Nobody waits for that sum: the owner keeps a flag for each
// slot, raised with the pin, and is told here, some cycles after the last release, that it may go.
// A check takes one slot a cycle: one that was released just now, else the next of all slots in turn. So a release that
// others of the same cycle overtake is seen a round later at most.
// Cycles: four from a release to free_o; a pin of these cycles keeps it back. Before use the owner clears every slot.
module ctx_pins #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned NPIN  = 6,
    parameter int unsigned CNT_W = 10,
    parameter bit          BLOCK = 1'b0,  // block RAMs, of which each read needs one, instead of LUT RAMs
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               init_i,
    input  logic [AW-1:0]      init_slot_i,
    input  logic               inc_valid_i,
    input  logic [AW-1:0]      inc_slot_i,
    input  logic [NPIN-1:0]    dec_valid_i,
    input  logic [NPIN*AW-1:0] dec_slot_i,
    // the slot has no pin, a strobe; combinational from inc_*: a pin of this cycle stands
    output logic               free_valid_o,
    output logic [AW-1:0]      free_slot_o
);
  // ---- counters; releases are a cycle late ----
  logic [NPIN-1:0]       dec_q;
  logic [NPIN*AW-1:0]    dec_slot_q;
  logic [CNT_W-1:0]      up_q;
  logic [NPIN*CNT_W-1:0] down_q;   // counts of the slot that was check_q
  logic [AW-1:0]         check_q;
  if (BLOCK) begin : g_block
    // What a strobe changes is read with it, and written in the next cycle; a read of that cycle finds it.
    logic             inc_q;
    logic [AW-1:0]    inc_slot_q;
    logic [CNT_W-1:0] up_was;
    always_ff @(posedge clk_i) begin
      inc_q      <= rst_ni && inc_valid_i;
      inc_slot_q <= inc_slot_i;
    end
    ram_2r1w #(.WIDTH(CNT_W), .DEPTH(SLOTS), .BYPASS(1)) u_up (
        .clk_i, .we_i(init_i || inc_q), .waddr_i(init_i ? init_slot_i : inc_slot_q),
        .wdata_i(init_i ? CNT_W'(0) : up_was + 1'b1), .re0_i(1'b1), .raddr0_i(check_q), .rdata0_o(up_q),
        .re1_i(inc_valid_i), .raddr1_i(inc_slot_i), .rdata1_o(up_was));
    for (genvar g = 0; g < NPIN; g++) begin : g_down
      logic [CNT_W-1:0] dn_was;
      ram_2r1w #(.WIDTH(CNT_W), .DEPTH(SLOTS), .BYPASS(1)) u_dn (
          .clk_i, .we_i(init_i || dec_q[g]), .waddr_i(init_i ? init_slot_i : dec_slot_q[g*AW +: AW]),
          .wdata_i(init_i ? CNT_W'(0) : dn_was + 1'b1), .re0_i(1'b1), .raddr0_i(check_q),
          .rdata0_o(down_q[g*CNT_W +: CNT_W]), .re1_i(dec_valid_i[g]), .raddr1_i(dec_slot_i[g*AW +: AW]),
          .rdata1_o(dn_was));
    end
  end else begin : g_luts
    logic [CNT_W-1:0] up [0:SLOTS-1];
    always_ff @(posedge clk_i) begin
      if (init_i) up[init_slot_i] <= '0;
      else if (inc_valid_i) up[inc_slot_i] <= up[inc_slot_i] + 1'b1;
    end
    always_ff @(posedge clk_i) up_q <= up[check_q];
    for (genvar g = 0; g < NPIN; g++) begin : g_down
      logic [CNT_W-1:0] dn [0:SLOTS-1];
      logic [AW-1:0]    slot;
      assign slot = dec_slot_q[g*AW +: AW];
      always_ff @(posedge clk_i) begin
        if (init_i) dn[init_slot_i] <= '0;
        else if (dec_q[g]) dn[slot] <= dn[slot] + 1'b1;
      end
      always_ff @(posedge clk_i) down_q[g*CNT_W +: CNT_W] <= dn[check_q];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dec_q <= '0;
    else dec_q <= dec_valid_i;
  end
  for (genvar g = 0; g < NPIN; g++) begin : g_slot
    always_ff @(posedge clk_i) if (dec_valid_i[g]) dec_slot_q[g*AW +: AW] <= dec_slot_i[g*AW +: AW];
  end

  // ---- which slot is looked at: the newest release of each module is remembered until then ----
  logic [NPIN-1:0] hint_q, hint, pick;
  logic            hint_valid;
  logic [AW-1:0]   turn_q, next;
  assign hint = hint_q | dec_q;
  prio_enc_onehot #(.N(NPIN)) u_hint (.in_i(hint), .valid_o(hint_valid), .idx_o(), .onehot_o(pick));
  always_comb begin
    next = hint_valid ? '0 : turn_q;
    for (int unsigned i = 0; i < NPIN; i++) if (pick[i]) next = next | dec_slot_q[i*AW +: AW];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hint_q <= '0;
      turn_q <= '0;
    end else begin
      hint_q <= hint & ~pick;
      if (!hint_valid) turn_q <= turn_q + 1'b1;
    end
    check_q <= next;
  end

  // ---- its counters, their difference, the verdict ----
  logic [CNT_W-1:0]      sum, left_q;
  logic [AW-1:0]         read_q, sum_q;
  logic                  read_off_q, sum_off_q;    // it has been pinned since
  always_comb begin
    sum = up_q;
    for (int unsigned i = 0; i < NPIN; i++) sum = sum - down_q[i*CNT_W +: CNT_W];
  end
  always_ff @(posedge clk_i) begin
    read_q     <= check_q;
    read_off_q <= inc_valid_i && inc_slot_i == check_q;
    sum_q      <= read_q;
    sum_off_q  <= read_off_q || (inc_valid_i && inc_slot_i == read_q);
    left_q     <= sum;
  end
  assign free_slot_o  = sum_q;
  assign free_valid_o = left_q == '0 && !sum_off_q && !(inc_valid_i && inc_slot_i == sum_q) && !init_i;
endmodule
