// SPDX-License-Identifier: Apache-2.0
// Transmit side of pcie_tlp: one TLP stream from three classes, each with its own credit.
//
//   p: posted writes (dma_write)   n: memory reads (dma_read)   c: completions of BAR reads (bar_cpl)
//
// Order: in turn (rr_kept), TLP by TLP: whose turn it is follows from registers, so that reads are ready whatever
//   writes do, and a class that comes alone after another waits a cycle. A class without credit is passed over; a TLP
//   that is on offer stays until it is taken. Credit is looked at in the cycle in which a TLP is first offered, so
//   there is no register behind. A class's source must have a whole TLP ready when it raises valid.
// With bus master off or in a function reset, posted writes and reads are taken and not sent; their source is told so
// with ready. What is on offer already is finished.
module tlp_tx #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    bme_i,
    input  logic                    flr_i,
    input  logic [2:0]              credit_i,  // {completion, non-posted, posted}
    input  cairn_int_pkg::tlp_out_t p_i,
    output logic                    p_ready_o,
    output logic                    p_drop_o,
    input  logic [DATA_W-1:0]       p_data_i,
    input  cairn_int_pkg::tlp_ask_t n_i,
    output logic                    n_ready_o,
    output logic                    n_drop_o,
    input  cairn_int_pkg::tlp_out_t c_i,
    output logic                    c_ready_o,
    input  logic [DATA_W-1:0]       c_data_i,
    // to the link
    output cairn_int_pkg::tlp_out_t tx_o,
    input  logic                    tx_ready_i,
    output logic [DATA_W-1:0]       tx_data_o
);
  localparam int unsigned P = 0, N = 1, C = 2;

  logic       lock_q;       // the TLP of the one whose turn it is is on offer or under way
  logic       p_dropping_q; // inside a posted TLP that is not sent
  logic       kill, p_drop, n_drop, ends;
  logic [2:0] valid, may, turn, sel;

  assign kill   = !bme_i || flr_i;
  assign p_drop = p_dropping_q || (kill && p_i.sop && !(lock_q && turn[P]));
  assign n_drop = kill && !(lock_q && turn[N]);
  assign valid  = {c_i.valid, n_i.valid, p_i.valid};
  assign may    = credit_i & {1'b1, !n_drop, !p_drop};

  rr_kept #(.N(3)) u_turn (
      .clk_i, .rst_ni, .req_i(valid & may), .used_i(ends), .hold_i(lock_q && !ends), .gnt_o(turn), .gnt_idx_o(),
      .shown_o());

  assign sel        = lock_q ? turn : turn & may;
  assign tx_o.valid = (sel & valid) != '0;
  assign tx_o.sop   = turn[N] || (turn[P] && p_i.sop) || (turn[C] && c_i.sop);
  assign tx_o.last  = turn[N] || (turn[P] && p_i.last) || (turn[C] && c_i.last);
  assign tx_o.hdr   = turn[P] ? p_i.hdr : turn[N] ? n_i.hdr : c_i.hdr;
  assign tx_data_o  = turn[P] ? p_data_i : turn[C] ? c_data_i : '0;
  assign ends       = tx_o.valid && tx_ready_i && tx_o.last;

  assign p_ready_o  = p_drop || (sel[P] && tx_ready_i);
  assign p_drop_o   = p_drop;
  assign n_ready_o  = n_drop || (sel[N] && tx_ready_i);
  assign n_drop_o   = n_drop;
  assign c_ready_o  = sel[C] && tx_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lock_q       <= 1'b0;
      p_dropping_q <= 1'b0;
    end else begin
      lock_q <= (lock_q || tx_o.valid) && !ends;
      if (p_i.valid && p_drop) p_dropping_q <= !p_i.last;
    end
  end
endmodule
