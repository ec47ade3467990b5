// SPDX-License-Identifier: Apache-2.0
// The next packet of a message and whether it may go now. Combinational, used by req_build with the operation as
// req_decode sees it and the walk's position.
// A READ takes up to READ_CHUNK response PSNs a request, cut at multiples of that, so that a repeated request covers
// the same bytes. stop_o: nothing more of this QP can go until the completer has moved (window, READs outstanding,
// fence, credits); a NOP is never stopped by these. sqd_o: the QP is draining and the packet would begin something new.
// Errors: none. IBTA 9.7.2 (requester), 9.7.7.2 (credits), 9.7.7.2.2 (AckReq).
module req_packet #(
    parameter int unsigned READ_CHUNK = 1024   // PSNs of one READ request, a power of two
) (
    // the operation
    input  logic        is_send_i,
    input  logic        is_read_i,
    input  logic        is_imm_i,
    input  logic        is_nop_i,
    input  logic        is_rwr_i,        // consumes a receive WQE at the peer
    input  logic        fence_i,
    input  logic [31:0] len_i,
    // the QP
    input  logic [2:0]  pmtu_i,          // 1 to 5: 256 to 4096
    input  logic [4:0]  rd_limit_i,      // READs outstanding at most
    input  logic        sqd_i,           // state SQD
    input  logic        credits_off_i,
    input  logic [23:0] lsn_i,           // credits: last SSN allowed
    input  logic [23:0] una_i,           // oldest PSN not acknowledged
    input  logic [23:0] hi_i,            // one past the highest PSN sent
    input  logic [7:0]  rd_done_i,
    // the position
    input  logic [23:0] psn_i,
    input  logic [31:0] offset_i,        // byte in the message
    input  logic [23:0] ssn_i,
    input  logic [5:0]  since_i,         // packets since one with AckReq
    input  logic [7:0]  rd_issued_i,
    // the packet
    output logic [7:0]  opcode_o,
    output logic        first_o,
    output logic        last_o,
    output logic        is_new_o,        // not sent before
    output logic        ackreq_o,
    output logic [12:0] pay_len_o,
    output logic [31:0] dma_len_o,       // READ: bytes asked for
    output logic [23:0] span_o,          // PSNs
    output logic [31:0] next_offset_o,
    output logic        stop_o,
    output logic        sqd_o
);
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);

  if (READ_CHUNK < 2 || (READ_CHUNK & (READ_CHUNK - 1)) != 0) begin : g_chk
    $error("req_packet: READ_CHUNK must be a power of two");
  end

  // ---- sizes ----
  logic [31:0] left, mtu, chunk, chunk_left;
  assign mtu        = 32'h80 << pmtu_i;
  assign left       = len_i - offset_i;
  assign chunk      = 32'h1 << (CHUNK_LG + 7 + 32'(pmtu_i));
  assign chunk_left = chunk - (offset_i & (chunk - 32'h1));
  assign dma_len_o  = (left < chunk_left) ? left : chunk_left;
  assign pay_len_o  = is_read_i ? '0 : (left < mtu) ? left[12:0] : mtu[12:0];
  assign span_o     = (!is_read_i || dma_len_o == '0) ? 24'h1
                      : 24'((dma_len_o + mtu - 32'h1) >> (4'd7 + {1'b0, pmtu_i}));
  assign first_o    = offset_i == '0;
  assign last_o     = is_nop_i || (is_read_i ? left == dma_len_o : left <= mtu);
  assign next_offset_o = last_o ? '0 : offset_i + (is_read_i ? dma_len_o : mtu);

  // ---- may it go ----
  logic [7:0]  rd_out;
  logic [23:0] d_win, d_hi, d_ssn;
  logic        stop_window, stop_read, stop_fence, stop_credit, tight;
  assign rd_out      = rd_issued_i - rd_done_i;
  assign d_hi        = psn_i - hi_i;
  assign is_new_o    = !d_hi[23];
  assign d_win       = psn_i + span_o - una_i;
  assign d_ssn       = ssn_i - lsn_i - 24'h1;
  // negative: acknowledged meanwhile
  assign stop_window = !d_win[23] && d_win >= 24'(cairn_hw_pkg::MAX_OUTSTANDING_PSN);
  assign tight       = d_win + 24'h1 >= 24'(cairn_hw_pkg::MAX_OUTSTANDING_PSN);
  assign stop_read   = is_read_i && !rd_out[7] && rd_out >= {3'h0, rd_limit_i};
  assign stop_fence  = fence_i && first_o && !rd_out[7] && rd_out != '0;
  // Credits bind messages that consume a receive WQE; one past the limit may go (IBTA 9.7.7.2).
  assign stop_credit = !credits_off_i && first_o && is_new_o && is_rwr_i && !d_ssn[23] && d_ssn != '0;
  assign stop_o      = !is_nop_i && (stop_window || stop_read || stop_fence || stop_credit);
  assign sqd_o       = sqd_i && first_o && is_new_o;   // what was begun or lost goes on
  assign ackreq_o    = last_o || is_read_i || since_i == 6'd63 || tight;

  // ---- its name ----
  always_comb begin
    if (is_read_i) opcode_o = cairn_pkt_pkg::OPCODE_RC_READ_REQUEST;
    else if (is_send_i) begin
      case ({first_o, last_o})
        2'b10:   opcode_o = cairn_pkt_pkg::OPCODE_RC_SEND_FIRST;
        2'b00:   opcode_o = cairn_pkt_pkg::OPCODE_RC_SEND_MIDDLE;
        2'b01:   opcode_o = is_imm_i ? cairn_pkt_pkg::OPCODE_RC_SEND_LAST_IMM : cairn_pkt_pkg::OPCODE_RC_SEND_LAST;
        default: opcode_o = is_imm_i ? cairn_pkt_pkg::OPCODE_RC_SEND_ONLY_IMM : cairn_pkt_pkg::OPCODE_RC_SEND_ONLY;
      endcase
    end else begin
      case ({first_o, last_o})
        2'b10:   opcode_o = cairn_pkt_pkg::OPCODE_RC_WRITE_FIRST;
        2'b00:   opcode_o = cairn_pkt_pkg::OPCODE_RC_WRITE_MIDDLE;
        2'b01:   opcode_o = is_imm_i ? cairn_pkt_pkg::OPCODE_RC_WRITE_LAST_IMM : cairn_pkt_pkg::OPCODE_RC_WRITE_LAST;
        default: opcode_o = is_imm_i ? cairn_pkt_pkg::OPCODE_RC_WRITE_ONLY_IMM : cairn_pkt_pkg::OPCODE_RC_WRITE_ONLY;
      endcase
    end
  end
endmodule
