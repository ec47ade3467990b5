// SPDX-License-Identifier: Apache-2.0
// The next packet of a message and whether it may go now. Combinational; used by req_build. IBTA 9.7.2, 9.7.7.2,
// 9.7.7.2.2.
//
// A READ takes up to READ_CHUNK response PSNs a request, cut at multiples of that, so a repeated request covers the
// same bytes. Where the packet stands in its message is counted in PSNs, since each is as long as the MTU; the window
// is looked at for what is left of a READ and for what is left of its chunk at once.
// stop_o: nothing more of this QP can go until the completer has moved (window, READs and atomics outstanding, fence,
// credits). A NOP is never stopped by these, a local operation only by its fence, packets of UC and UD by none. sqd_o:
// the QP is draining and the packet would begin something new.
// Errors: none.
module req_packet #(
    parameter int unsigned READ_CHUNK = 1024   // PSNs of one READ request, a power of two
) (
    // the operation
    input  cairn_int_pkg::req_op_t op_i,        // req_op_t
    input  logic                   fence_i,
    // the QP
    input  logic [2:0]             pmtu_i,      // 1 to 5: 256 to 4096
    input  logic [4:0]             rd_limit_i,  // READs and atomics outstanding at most
    input  logic                   rd_full_i,   // one at most, see req_reads
    input  logic                   sqd_i,       // state SQD
    input  logic                   credits_off_i,
    input  logic [23:0]            lsn_i,       // credits: messages allowed, less those that need none (free_i)
    input  logic [23:0]            una_i,       // oldest PSN not acknowledged
    input  logic                   settled_i,   // all that is acknowledged is retired
    input  logic [23:0]            hi_i,        // one past the highest PSN sent
    input  logic [7:0]             rd_done_i,
    // the position
    input  logic [23:0]            psn_i,
    input  logic                   mid_i,       // the message has begun
    input  logic [23:0]            done_i,      // PSNs of it before this one, 0 if it has not
    input  logic [31:0]            offset_i,    // byte in the message, 0 if it has not
    input  logic [23:0]            ssn_i,       // messages started
    input  logic [23:0]            free_i,      // of these, those that take no receive WQE of the peer
    input  logic [5:0]             since_i,     // packets since one with AckReq
    input  logic [7:0]             rd_issued_i,
    // the packet
    output logic [7:0]             opcode_o,
    output logic                   first_o,
    output logic                   last_o,
    output logic                   is_new_o,    // not sent before
    output logic                   ackreq_o,
    output logic [12:0]            pay_len_o,
    output logic [31:0]            dma_len_o,   // READ: bytes asked for
    output logic [23:0]            span_o,      // PSNs
    output logic [31:0]            next_offset_o,
    output logic                   stop_o,
    output logic                   sqd_o
);
  localparam int unsigned CHUNK_LG = $clog2(READ_CHUNK);
  localparam int unsigned OUT_LG   = $clog2(cairn_hw_pkg::MAX_OUTSTANDING_PSN);

  if (cairn_hw_pkg::MAX_OUTSTANDING_PSN != 1 << OUT_LG) begin : g_chk_window
    $error("req_packet: MAX_OUTSTANDING_PSN must be a power of two");
  end
  if (READ_CHUNK < 2 || (READ_CHUNK & (READ_CHUNK - 1)) != 0) begin : g_chk
    $error("req_packet: READ_CHUNK must be a power of two");
  end

  cairn_int_pkg::req_op_t op;
  logic                   is_read;
  assign op      = op_i;
  assign is_read = op.read;

  // ---- sizes: in bytes, and of a READ in PSNs ----
  logic [31:0] left, mtu, chunk_bytes;
  logic [23:0] psns_left;
  logic [CHUNK_LG:0] chunk_left;
  logic        whole;                // a READ is asked for up to its end
  logic        fits;                 // the rest goes in this packet
  assign mtu           = cairn_fn_pkg::pmtu_bytes(pmtu_i);
  assign left          = op.len - offset_i;
  assign psns_left     = op.npsn - done_i;
  assign chunk_left    = (CHUNK_LG+1)'(READ_CHUNK) - {1'b0, done_i[CHUNK_LG-1:0]};
  assign chunk_bytes   = 32'(chunk_left) << (4'd7 + {1'b0, pmtu_i});
  assign whole         = psns_left <= 24'(chunk_left);
  assign dma_len_o     = whole ? left : chunk_bytes;
  assign fits          = cairn_fn_pkg::pmtu_fits(left, pmtu_i);
  assign pay_len_o     = op.res ? '0 : fits ? left[12:0] : mtu[12:0];
  assign span_o        = !is_read ? 24'h1 : whole ? psns_left : 24'(chunk_left);
  assign first_o       = !mid_i;
  assign last_o        = op.nop || (is_read ? whole : fits);
  assign next_offset_o = last_o ? '0 : offset_i + (is_read ? chunk_bytes : mtu);

  // ---- may it go ----
  logic [7:0]  rd_out;
  logic [23:0] out, d_hi, d_ssn, d_whole, d_chunk;
  logic        past_one, past_whole, past_chunk;
  logic        stop_window, stop_read, stop_fence, stop_credit, tight, bound;
  assign rd_out      = rd_issued_i - rd_done_i;
  assign d_hi        = psn_i - hi_i;
  assign is_new_o    = !d_hi[23];
  assign out         = psn_i - una_i;
  assign d_whole     = out + psns_left;
  assign d_chunk     = out + 24'(chunk_left);
  assign d_ssn       = ssn_i - free_i - lsn_i;
  // negative: acknowledged meanwhile
  assign bound       = op.rc && !op.nop && !op.local_op;
  // The window is a power of two: one less than it, two less, or as much is told by bits.
  assign past_one    = !out[23] && (out[22:OUT_LG] != '0 || (&out[OUT_LG-1:0]));
  assign past_whole  = !d_whole[23] && d_whole[22:OUT_LG] != '0;
  assign past_chunk  = !d_chunk[23] && d_chunk[22:OUT_LG] != '0;
  assign stop_window = (!is_read ? past_one : whole ? past_whole : past_chunk);
  assign tight       = out[23:OUT_LG] != '0 || (&out[OUT_LG-1:1]);
  assign stop_read   = op.res && !rd_out[7] && (rd_out >= {3'h0, rd_limit_i} || (rd_full_i && rd_out != '0));
  // A go-back forgets READs before its start that are acknowledged but not all there yet: these keep the walker, so
  // what is acknowledged is not all retired.
  assign stop_fence  = fence_i && first_o && ((!rd_out[7] && rd_out != '0) || !settled_i);
  // Credits bind messages that consume a receive WQE; one past the limit may go (IBTA 9.7.7.2). All others raise the
  // limit by one as they start, so it is kept as LSN - FREE_MSG, which only acknowledgements change.
  assign stop_credit = !credits_off_i && first_o && is_new_o && op.rwr && !d_ssn[23] && d_ssn != '0;
  assign stop_o      = (bound && (stop_window || stop_read || stop_credit)) || (op.rc && !op.nop && stop_fence);
  assign sqd_o       = sqd_i && first_o && is_new_o;   // what was begun or lost goes on
  assign ackreq_o    = op.rc && (last_o || is_read || since_i == 6'd63 || tight);

  assign opcode_o = cairn_hw_pkg::bth_opcode(op.op, op.rc ? cairn_pkt_pkg::TRANSPORT_RC
                                                    : op.ud ? cairn_pkt_pkg::TRANSPORT_UD : cairn_pkt_pkg::TRANSPORT_UC,
                                             first_o, last_o);
endmodule
