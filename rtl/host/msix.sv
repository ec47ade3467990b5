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
// Cycles: a message 3 after its request, or up to VECTORS more if others have been asked for or unmasked just before.
// Registers: 64-bit accesses, byte enables; answer in two to five cycles, if nothing waits as above. After a reset all
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
  logic [VECTORS-1:0] pending_q;
  logic               enabled, due, may_send, settled, msg_valid, msg_ready;
  logic [VW-1:0]      vec_q;
  logic [VW:0]        word_q;
  logic [63:0]        addr_q, ram_data;
  logic [31:0]        data_q;
  logic               csr_read, csr_read_q, csr_write, csr_go_q, ram_re, makes, open;
  logic               start, again;       // a message is begun; its vector was masked after all: back to pending
  logic [VW:0]        ram_raddr;

  // Table -------------------------------------------------------------------------------------------------
  // The message maker reads when a message is due and in S_ADDR; a register read takes the port in the other states,
  // and so does a write: nothing is read in its cycle. An access begins in the cycle before (csr_go_q), in which no
  // message is: then none is until it is over.
  assign open        = state_q != S_CLEAR;
  assign makes       = start || state_q == S_ADDR;
  assign csr_write   = csr_go_q && csr_i.we;
  assign settled     = state_q != S_SEND || may_send;
  assign csr_read    = csr_go_q && !csr_i.we && !csr_i.pba && !csr_read_q && settled;
  assign csr_ready_o = csr_write || (csr_go_q && !csr_i.we && (csr_i.pba ? settled : csr_read_q));
  assign csr_rdata_o = csr_i.pba ? 64'(pending_q) : ram_data;

  assign ram_re    = csr_read || makes;
  assign ram_raddr = makes ? {vec_q, state_q == S_ADDR} : csr_i.word;

  logic [7:0] ram_we;
  assign ram_we = (state_q == S_CLEAR) ? 8'hff : (csr_write && !csr_i.pba) ? csr_i.be : 8'h00;
  ram_1r1w #(.WIDTH(64), .DEPTH(2 * VECTORS), .COL_W(8), .BYPASS(2)) u_table (
      .clk_i, .we_i(ram_we), .waddr_i((state_q == S_CLEAR) ? word_q : csr_i.word),
      .wdata_i((state_q == S_CLEAR) ? {31'd0, word_q[0], 32'd0} : csr_i.wdata),
      .re_i(ram_re), .raddr_i(ram_raddr), .rdata_o(ram_data));

  // The mask bits once more: of the vector that is looked at.
  logic          masked [0:VECTORS-1];
  logic          mask_we, mask;
  logic [VW-1:0] mask_at;
  assign mask_we = state_q == S_CLEAR || (csr_write && !csr_i.pba && csr_i.word[0] && csr_i.be[4]);
  assign mask_at = (state_q == S_CLEAR) ? word_q[VW:1] : csr_i.word[VW:1];
  always_ff @(posedge clk_i) if (mask_we) masked[mask_at] <= state_q == S_CLEAR || csr_i.wdata[32];
  assign mask = masked[vec_q];

  // Pending bits ------------------------------------------------------------------------------------------
  // One is set in a cycle: of eqe_write before firmware's.
  logic               set;
  logic [4:0]         set_vector;
  logic [VW-1:0]      set_at;
  logic [VECTORS-1:0] at_hand;
  assign req_ready_o = open;
  assign fw_ready_o  = open && !req_i.valid;
  assign set_vector  = req_i.valid ? req_i.vector : fw_i.vector;
  assign set_at      = set_vector[VW-1:0];
  assign start       = state_q == S_IDLE && due && !csr_go_q;
  assign again       = state_q == S_DATA && !may_send;
  assign at_hand     = VECTORS'(1) << vec_q;
  assign set         = (req_i.valid || fw_i.valid) && open && 32'(set_vector) < VECTORS;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) pending_q <= '0;
    else pending_q <= (pending_q & ~(start ? at_hand : '0)) | (again ? at_hand : '0)
                      | (set ? VECTORS'(1) << set_at : '0);
  end

  // One vector after the other is looked at, until all were since anything has changed. Then one that is asked for is
  // looked at at once.
  logic [VW:0] looked_q;
  logic        enabled_q, all;
  assign enabled  = cfg_i.msix_en && !cfg_i.msix_fmask && cfg_i.bme;
  assign may_send = enabled && !mask;
  assign due      = may_send && pending_q[vec_q];
  assign all      = looked_q[VW];

  // Message -----------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    csr_read_q <= rst_ni && csr_read;
    csr_go_q   <= rst_ni && !clear_i && open && csr_i.valid && !csr_ready_o
                  && (csr_go_q || !(state_q == S_IDLE && due));
    enabled_q  <= enabled;
    if (!rst_ni || clear_i) begin
      state_q  <= S_CLEAR;
      word_q   <= '0;
      vec_q    <= '0;
      looked_q <= '0;
    end else begin
      case (state_q)
        S_CLEAR: begin
          word_q <= word_q + 1'b1;
          if (word_q == '1) state_q <= S_IDLE;
        end
        S_IDLE: begin
          if (start) state_q <= S_ADDR;
          else if (!due && all && set) vec_q <= set_at;
          else if (!due && !all) vec_q <= vec_q + 1'b1;
        end
        S_ADDR: state_q <= S_DATA;
        S_DATA: state_q <= may_send ? S_SEND : S_IDLE;
        default: if (msg_ready) state_q <= S_IDLE;
      endcase
      if ((set && !(all && state_q == S_IDLE && !due)) || csr_write || enabled != enabled_q) looked_q <= '0;
      else if (!all && state_q == S_IDLE && !due) looked_q <= looked_q + 1'b1;
    end
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

  assign idle_o = state_q == S_IDLE && all && enabled == enabled_q && !csr_i.valid && !eq_i.valid && !req_i.valid
                  && !fw_i.valid;
endmodule
