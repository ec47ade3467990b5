// SPDX-License-Identifier: Apache-2.0
// MSI-X: table and pending bits of MSIX_VECTORS vectors, and the messages (PCI local bus specification 3.0, 6.8.2).
//
// Order: sits between eqe_write and dma_write. EQE writes pass through here, and a message leaves on the same port
//   after them, so an interrupt never passes the EQE or CQE that it announces.
// Requests: {vector} sets the vector's pending bit, which stays while MSI-X or bus mastering is off, or the vector or
//   function is masked. Requests of a pending vector are one message; a request while its message is being made is
//   another.
// Message: a 4-byte posted write of the table entry's data. The mask is looked at when it is made. When it is masked
//   after that, reads of table and pending bits wait until dma_write has taken it: the read that follows the masking
//   finds no message left in here.
// Registers: 64-bit accesses, byte enables; answer in one to three cycles, if nothing waits as above. After a reset all
//   vectors are masked and the table is zero (cleared in 2 x VECTORS cycles).
// Errors: a vector number above the table is ignored.
module msix #(
    parameter int unsigned VECTORS = cairn_hw_pkg::MSIX_VECTORS
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         clear_i,  // function reset
    input  cairn_int_pkg::pcie_cfg_t     cfg_i,
    // requests: eqe_write after its EQE was taken on eq_*, firmware (fw_dma)
    input  cairn_int_pkg::msix_request_t req_i,
    output logic                         req_ready_o,
    input  cairn_int_pkg::msix_request_t fw_i,
    output logic                         fw_ready_o,
    // EQE writes in, merged stream out (dma_write port WR_EQE)
    input  cairn_int_pkg::dma_write_t    eq_i,
    output logic                         eq_ready_o,
    output cairn_int_pkg::dma_write_t    wr_o,
    input  logic                         wr_ready_i,
    // register port: table at 0, pending bits at PBA
    input  cairn_int_pkg::msix_access_t  csr_i,
    output logic                         csr_ready_o,
    output logic [63:0]                  csr_rdata_o,
    output logic                         idle_o,
    output cairn_hw_pkg::msix_events_t   events_o
);
  localparam int unsigned VW = $clog2(VECTORS);

  if (VECTORS < 2 || VECTORS > 32) begin : g_chk_vectors
    $error("msix: VECTORS must be 2 to 32");
  end

  typedef enum logic [2:0] {S_CLEAR, S_IDLE, S_ADDR, S_DATA, S_SEND} state_e;
  state_e             state_q;
  logic [VECTORS-1:0] pending_q, masked_q, ready_v, pick;
  logic               pick_valid, enabled, may_send, settled, msg_valid, msg_ready;
  logic [VW-1:0]      pick_idx, vec_q;
  logic [VW:0]        word_q;
  logic [63:0]        addr_q, ram_data;
  logic [31:0]        data_q;
  logic               csr_read, csr_read_q, csr_write, ram_re, open;
  logic [VW:0]        ram_raddr;

  // Table -------------------------------------------------------------------------------------------------
  // The message maker reads in S_IDLE and S_ADDR; a register read takes the port in the other states.
  assign open        = state_q != S_CLEAR;
  assign csr_write   = csr_i.valid && csr_i.we && open;
  assign settled     = state_q != S_SEND || may_send;
  assign csr_read    = csr_i.valid && !csr_i.we && !csr_i.pba && !csr_read_q && settled
                       && ((state_q == S_IDLE && !pick_valid) || state_q == S_SEND || state_q == S_DATA);
  assign csr_ready_o = csr_write || (csr_i.valid && !csr_i.we && (csr_i.pba ? open && settled : csr_read_q));
  assign csr_rdata_o = csr_i.pba ? 64'(pending_q) : ram_data;

  assign ram_re    = csr_read || (state_q == S_IDLE && pick_valid) || state_q == S_ADDR;
  assign ram_raddr = csr_read ? csr_i.word : (state_q == S_ADDR) ? {vec_q, 1'b1} : {pick_idx, 1'b0};

  logic [7:0] ram_we;
  assign ram_we = (state_q == S_CLEAR) ? 8'hff : (csr_write && !csr_i.pba) ? csr_i.be : 8'h00;
  ram_1r1w #(.WIDTH(64), .DEPTH(2 * VECTORS), .COL_W(8), .BYPASS(1)) u_table (
      .clk_i, .we_i(ram_we), .waddr_i((state_q == S_CLEAR) ? word_q : csr_i.word),
      .wdata_i((state_q == S_CLEAR) ? {31'd0, word_q[0], 32'd0} : csr_i.wdata),
      .re_i(ram_re), .raddr_i(ram_raddr), .rdata_o(ram_data));

  // Pending bits ------------------------------------------------------------------------------------------
  assign req_ready_o = open;
  assign fw_ready_o  = open;
  assign enabled     = cfg_i.msix_en && !cfg_i.msix_fmask && cfg_i.bme;
  assign ready_v     = enabled ? pending_q & ~masked_q : '0;
  prio_enc_onehot #(.N(VECTORS)) u_pick (
      .in_i(ready_v), .valid_o(pick_valid), .idx_o(pick_idx), .onehot_o(pick));

  always_ff @(posedge clk_i) begin
    for (int unsigned v = 0; v < VECTORS; v++) begin
      if (req_i.valid && open && req_i.vector == 5'(v)) pending_q[v] <= 1'b1;
      else if (fw_i.valid && open && fw_i.vector == 5'(v)) pending_q[v] <= 1'b1;
      else if (state_q == S_IDLE && pick[v]) pending_q[v] <= 1'b0;
      // It was masked after all: back to pending.
      else if (state_q == S_DATA && !may_send && vec_q == VW'(v)) pending_q[v] <= 1'b1;
      if (csr_write && !csr_i.pba && csr_i.word == {VW'(v), 1'b1} && csr_i.be[4]) masked_q[v] <= csr_i.wdata[32];
    end
    if (!rst_ni || clear_i) begin
      pending_q <= '0;
      masked_q  <= '1;
    end
  end

  // Message -----------------------------------------------------------------------------------------------
  assign may_send = enabled && !masked_q[vec_q];
  always_ff @(posedge clk_i) begin
    csr_read_q <= rst_ni && csr_read;
    if (!rst_ni || clear_i) begin
      state_q <= S_CLEAR;
      word_q  <= '0;
    end else begin
      case (state_q)
        S_CLEAR: begin
          word_q <= word_q + 1'b1;
          if (word_q == '1) state_q <= S_IDLE;
        end
        S_IDLE: if (pick_valid) state_q <= S_ADDR;
        S_ADDR: state_q <= S_DATA;
        S_DATA: state_q <= may_send ? S_SEND : S_IDLE;
        default: if (msg_ready) state_q <= S_IDLE;
      endcase
    end
    if (state_q == S_IDLE) vec_q <= pick_idx;
    if (state_q == S_ADDR) addr_q <= ram_data;
    if (state_q == S_DATA) data_q <= ram_data[31:0];
    events_o.msix_sent <= rst_ni && msg_valid && msg_ready;
  end

  // EQEs and messages in one stream: a message has it from a cycle on in which no EQE is held up, until it is taken. A
  // request comes only after its EQE was taken here, so any fair choice is right. An EQE has 16 bytes, and no payload.
  logic turn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) turn_q <= 1'b0;
    else turn_q <= msg_valid && (turn_q || !eq_i.valid || wr_ready_i) && !msg_ready;
  end
  cairn_int_pkg::dma_wr_t cmd;
  always_comb begin
    cmd              = '0;
    cmd.func         = turn_q ? '0 : eq_i.cmd.func;
    cmd.iova         = turn_q ? {addr_q[63:2], 2'b00} : eq_i.cmd.iova;
    cmd.len          = turn_q ? 13'd4 : eq_i.cmd.len;
    cmd.epoch        = !turn_q && eq_i.cmd.epoch;
    cmd.relaxed      = !turn_q && eq_i.cmd.relaxed;
    cmd.data[127:32] = turn_q ? '0 : eq_i.cmd.data[127:32];
    cmd.data[31:0]   = turn_q ? data_q : eq_i.cmd.data[31:0];
  end
  assign msg_valid  = state_q == S_SEND;
  assign wr_o.valid = turn_q || eq_i.valid;
  assign wr_o.cmd   = cmd;
  assign eq_ready_o = !turn_q && wr_ready_i;
  assign msg_ready  = turn_q && wr_ready_i;

  assign idle_o = state_q == S_IDLE && !pick_valid && !csr_i.valid && !eq_i.valid && !req_i.valid && !fw_i.valid;
endmodule
