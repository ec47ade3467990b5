// SPDX-License-Identifier: Apache-2.0
// The management core's view of the context port (MMIO_CTX, registers CTX_* of hw.def).
//
// 16 data and 16 mask words, in RAMs, a key, a start register and a status. One operation at a time goes to the cache
// that TABLE names; rdma_core and rdma_state find it by the table in the request. It asks for the words that it needs,
// one a cycle, and puts back what READ and MODIFY bring: 32 wires from here to all who have records, not 512.
// From an INIT on the mask is all ones, until one of its words is written: who has the record needs no case of its own.
// Order: writes are taken at once, reads answer in the next cycle. A start while busy is ignored; accesses to data and
//   mask words wait for the operation's end.
module ctx_mmio (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  cairn_int_pkg::mmio_access_t mmio_i,
    output cairn_int_pkg::mmio_answer_t mmio_o,
    output logic                        irq_o,
    output cairn_int_pkg::ctx_op_t      op_o,
    input  cairn_int_pkg::ctx_done_t    op_i,
    output logic                        idle_o
);
  logic         valid_q;
  logic [2:0]   table_q, op_q;
  logic [1:0]   part_q;
  logic [31:0]  key_q;
  logic         ack_q;
  logic         take, starts;
  logic         is_data;
  logic         is_mask;
  logic [3:0]   word;
  logic         irq_q;
  logic [2:0]   result_q;
  logic [31:0]  words [0:15];
  logic [31:0]  masks [0:15];
  logic [31:0]  data_q, mask_q, word_now;
  logic         ones_q, load, put;
  logic         held;
  logic [3:0]   at_q, look, at;     // word that is shown, is looked up, is written

  assign held         = valid_q && (is_data || is_mask);
  assign take         = mmio_i.valid && !ack_q && !held;
  logic [31:0] rdata_q;
  assign mmio_o.rdata = rdata_q;
  assign mmio_o.ready = (mmio_i.we && !held) || ack_q;
  assign starts       = take && mmio_i.we && mmio_i.addr == cairn_hw_pkg::REG_CTX_START && !valid_q;
  assign word         = mmio_i.addr[5:2];
  assign is_data      = mmio_i.addr[15:6] == 10'(cairn_hw_pkg::CTX_DATA >> 6);
  assign is_mask      = mmio_i.addr[15:6] == 10'(cairn_hw_pkg::CTX_MASK >> 6);
  assign irq_o        = irq_q;
  assign idle_o       = !valid_q;
  assign op_o         = {valid_q, table_q, op_q, part_q, key_q, data_q, mask_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ack_q    <= 1'b0;
      irq_q    <= 1'b0;
      valid_q  <= 1'b0;
      ones_q   <= 1'b0;
      result_q <= '0;
    end else begin
      ack_q <= take && !mmio_i.we;
      if (take && mmio_i.we) begin
        case (mmio_i.addr)
          cairn_hw_pkg::REG_CTX_START: if (starts) begin
            valid_q <= 1'b1;
            op_q    <= mmio_i.wdata[cairn_hw_pkg::REG_CTX_START_OP_LSB +: 3];
            table_q <= mmio_i.wdata[cairn_hw_pkg::REG_CTX_START_TABLE_LSB +: 3];
            part_q  <= mmio_i.wdata[cairn_hw_pkg::REG_CTX_START_PART_LSB +: 2];
          end
          cairn_hw_pkg::REG_CTX_KEY:    key_q <= mmio_i.wdata;
          cairn_hw_pkg::REG_CTX_STATUS: if (mmio_i.wdata[cairn_hw_pkg::REG_CTX_STATUS_DONE_LSB]) irq_q <= 1'b0;
          default: ;
        endcase
      end
      if (starts && mmio_i.wdata[cairn_hw_pkg::REG_CTX_START_OP_LSB +: 3] == 3'(cairn_hw_pkg::CTX_OP_INIT)) begin
        ones_q <= 1'b1;
      end else if (take && mmio_i.we && is_mask) begin
        ones_q <= 1'b0;
      end
      if (valid_q && op_i.done) begin
        valid_q  <= 1'b0;
        irq_q    <= 1'b1;
        result_q <= op_i.status;
      end
      if (take) begin
        rdata_q <= is_data ? word_now : '0;
        if (mmio_i.addr == cairn_hw_pkg::REG_CTX_KEY) rdata_q <= key_q;
        if (mmio_i.addr == cairn_hw_pkg::REG_CTX_STATUS) rdata_q <= {25'h0, result_q, 2'h0, irq_q, valid_q};
      end
    end
  end

  // Words: firmware's, or the operation's
  assign load     = op_q == cairn_hw_pkg::CTX_OP_READ || op_q == cairn_hw_pkg::CTX_OP_MODIFY;
  assign put      = valid_q ? op_i.put && load : take && mmio_i.we && is_data;
  assign at       = valid_q ? at_q : word;
  assign look     = valid_q ? op_i.word : word;
  assign word_now = words[look];
  always_ff @(posedge clk_i) begin
    at_q   <= look;
    data_q <= word_now;
    mask_q <= masks[look] | {32{ones_q}};
    if (put) words[at] <= valid_q ? op_i.data : mmio_i.wdata;
    if (take && mmio_i.we && is_mask) masks[word] <= mmio_i.wdata;
  end
endmodule
