// SPDX-License-Identifier: Apache-2.0
// ACKs and CNPs whose header is made (tx_form), on their way to tx_arbiter: what that looks at, and where it is.
//
// Order: as they came. A place for a header is taken from its end on until the frame has left (rel_i).
// Errors: none; without a place want_o is low.
module tx_plain #(
    parameter int unsigned PLACES = 4,    // power of two
    parameter int unsigned FIRST  = 32,   // place of the first
    localparam int unsigned PW    = $clog2(PLACES)
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    // tx_form
    output logic                   want_o,       // there is a place
    output logic [PW-1:0]          slot_o,
    input  logic [1:0]             done_i,       // strobe: of this one, {CNP, ACK}
    input  cairn_int_pkg::tx_job_t ack_i,
    input  cairn_int_pkg::tx_job_t cnp_i,
    input  logic                   rel_i,        // strobe: the oldest place is free again
    // to tx_arbiter
    output logic                   ack_valid_o,
    input  logic                   ack_ready_i,
    output cairn_int_pkg::tx_job_t ack_o,
    output logic                   cnp_valid_o,
    input  logic                   cnp_ready_i,
    output cairn_int_pkg::tx_job_t cnp_o,
    output logic                   idle_o
);
  logic [PW:0]   used_q;
  logic [PW-1:0] slot_q, get_q;
  logic          put, get, valid, cnp;
  logic [7:0]    opcode;
  logic [1:0]    kind;
  logic          vlan, ipv6;
  assign put    = done_i != '0;
  assign get    = (ack_valid_o && ack_ready_i) || (cnp_valid_o && cnp_ready_i);
  assign want_o = !used_q[PW];
  assign slot_o = slot_q;
  assign idle_o = !valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      slot_q <= '0;
      get_q  <= '0;
    end else begin
      used_q <= used_q + (PW+1)'(put) - (PW+1)'(rel_i);
      if (put) slot_q <= slot_q + 1'b1;
      if (get) get_q <= get_q + 1'b1;
    end
  end
  // Never full: as many as places.
  sync_fifo #(.WIDTH(13), .DEPTH(PLACES)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(put), .in_ready_o(),
      .in_data_i({done_i[1], done_i[1] ? {cnp_i.opcode, cnp_i.av.vlan, cnp_i.av.ipv6, 2'b00}
                                       : {ack_i.opcode, ack_i.av.vlan, ack_i.av.ipv6, ack_i.args.aeth[30:29]}}),
      .out_valid_o(valid), .out_ready_i(get), .out_data_o({cnp, opcode, vlan, ipv6, kind}));
  assign ack_valid_o = valid && !cnp;
  assign cnp_valid_o = valid && cnp;
  always_comb begin
    ack_o                   = '0;
    ack_o.slot              = cairn_int_pkg::SLOT_W'(FIRST) + cairn_int_pkg::SLOT_W'(get_q);
    ack_o.opcode            = opcode;
    ack_o.av.vlan           = vlan;
    ack_o.av.ipv6           = ipv6;
    ack_o.args.aeth[30:29]  = kind;
  end
  assign cnp_o = ack_o;
endmodule
