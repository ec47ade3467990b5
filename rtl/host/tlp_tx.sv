// SPDX-License-Identifier: Apache-2.0
// Transmit side of pcie_tlp: one TLP stream from three classes, each with its own credit.
//
//   p: posted writes (dma_write)   n: memory reads (dma_read)   c: completions of BAR reads (bar_cpl)
//
// Order: round robin, TLP by TLP. A class without credit is passed over; a TLP that is on offer stays until it is
//   taken. Credit is looked at in the cycle in which a TLP is first offered, so there is no register behind. A class's
//   source must have a whole TLP ready when it raises valid.
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

  logic       lock_q;       // a TLP of sel_q is on offer or under way
  logic [2:0] sel_q;        // one-hot
  logic       p_dropping_q; // inside a posted TLP that is not sent
  logic       kill, p_drop, n_drop;
  logic [2:0] req, gnt, sel;

  assign kill   = !bme_i || flr_i;
  assign p_drop = p_dropping_q || (kill && p_i.sop && !(lock_q && sel_q[P]));
  assign n_drop = kill && !(lock_q && sel_q[N]);

  assign req[P] = p_i.valid && !p_drop && credit_i[P] && !lock_q;
  assign req[N] = n_i.valid && !n_drop && credit_i[N] && !lock_q;
  assign req[C] = c_i.valid && credit_i[C] && !lock_q;

  // ack_i always: the choice is kept here.
  rr_arbiter #(.N(3)) u_rr (
      .clk_i, .rst_ni, .req_i(req), .ack_i(1'b1), .lock_i(1'b0),
      .gnt_valid_o(), .gnt_o(gnt), .gnt_idx_o());

  assign sel        = lock_q ? sel_q : gnt;
  assign tx_o.valid = (sel[P] && p_i.valid) || (sel[N] && n_i.valid) || (sel[C] && c_i.valid);
  assign tx_o.sop   = sel[N] || (sel[P] && p_i.sop) || (sel[C] && c_i.sop);
  assign tx_o.last  = sel[N] || (sel[P] && p_i.last) || (sel[C] && c_i.last);
  assign tx_o.hdr   = sel[P] ? p_i.hdr : sel[N] ? n_i.hdr : c_i.hdr;
  assign tx_data_o  = sel[P] ? p_data_i : sel[C] ? c_data_i : '0;

  assign p_ready_o  = p_drop || (sel[P] && tx_ready_i);
  assign p_drop_o   = p_drop;
  assign n_ready_o  = n_drop || (sel[N] && tx_ready_i);
  assign n_drop_o   = n_drop;
  assign c_ready_o  = sel[C] && tx_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lock_q       <= 1'b0;
      sel_q        <= '0;
      p_dropping_q <= 1'b0;
    end else begin
      sel_q  <= sel;
      lock_q <= lock_q ? !(tx_o.valid && tx_ready_i && tx_o.last)
                       : tx_o.valid && !(tx_ready_i && tx_o.last);
      if (p_i.valid && p_drop) p_dropping_q <= !p_i.last;
    end
  end
endmodule
