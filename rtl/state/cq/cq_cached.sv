// SPDX-License-Identifier: Apache-2.0
// Completion queues whose records lie in a table in host memory: ctx_cache (one part), ctx_fw, cqe_write, cq_crowd.
// Wiring, inside cq_service.
//
// Order: firmware changes a record between two items of cqe_write, so neither overwrites the other. A change of LOG2
//   (resize) is refused when the entries past ci would not fit.
// Timers: a change of MOD sets one that is due at once, so cqe_write looks at a wait under the new rules; the next
//   operation of firmware waits until it has its place.
module cq_cached #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 8,
    parameter int unsigned PARKED = 64,
    parameter int unsigned CQS_LOG2 = 12,        // CQNs with a timer
    localparam int unsigned AW  = $clog2(SETS * 8),
    localparam int unsigned TKW = cairn_int_pkg::TICKET_W
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    input  logic                            epoch_i,
    input  logic [63:0]                     base_i,
    input  logic [24:0]                     entries_i,
    input  cairn_int_pkg::cq_uses_t         cq_i,
    output cairn_int_pkg::cq_uses_ready_t   cq_ready_o,
    output cairn_int_pkg::cq_views_t        cq_o,
    input  cairn_int_pkg::cq_arm_t          arm_i,
    output logic                            arm_ready_o,
    input  cairn_int_pkg::cq_timer_t        tmr_i,
    output logic                            tmr_ready_o,
    output cairn_int_pkg::cq_timer_set_t    ins_o,
    input  logic                            ins_ready_i,
    input  cairn_int_pkg::ctx_op_t          fw_i,
    output cairn_int_pkg::ctx_done_t        fw_o,
    // reads of consumer records (cq_rd)
    output cairn_int_pkg::ci_read_t         ci_o,
    input  logic                            ci_ready_i,
    input  cairn_int_pkg::ci_answer_t       consumer_index_i,
    output logic                            consumer_index_ready_o,
    // records in host memory
    output cairn_int_pkg::dma_read_t        rd_o,
    input  logic                            rd_ready_i,
    input  cairn_int_pkg::dma_beat_t        beat_i,
    input  logic [DATA_W-1:0]               beat_data_i,
    output cairn_int_pkg::dma_write_t       cqc_o,
    input  logic                            cqc_ready_i,
    input  logic [TKW-1:0]                  ticket_i,
    // posted write, event, error report
    output cairn_int_pkg::dma_write_t       wr_o,
    input  logic                            wr_ready_i,
    output cairn_int_pkg::eq_event_t        eqe_o,
    input  logic                            eqe_ready_i,
    output cairn_int_pkg::fw_event_t        cq_error_o,
    input  logic                            cq_error_ready_i,
    output cairn_hw_pkg::cqe_write_events_t events_o,
    output logic                            idle_o
);
  localparam int unsigned IW = CQS_LOG2 + 64;
  logic                iq_in_ready, ins_ready, again_q;    // again_q: the timer of a change of MOD waits
  logic [CQS_LOG2-1:0] again_cqn_q, iq_cqn;
  cairn_int_pkg::cq_timer_set_t ins;
  logic           filling;
  logic [AW-1:0]  filling_slot, rec_slot;
  localparam int unsigned REC_W = cairn_hw_pkg::CQ_CTX_RSVD0_LSB;      // what is behind it is zero
  logic [511:0]   f_wdata, m_data, rec_data, put_data;
  logic [2*REC_W-1:0] rdata;
  logic           at_work;
  logic           f_ready, f_filled_ready, f_rd, f_wr, f_rd_ready, f_wr_ready, f_idle, fw_want, fw_go;
  logic           ram_ready, cache_idle, cqe_idle;

  cairn_int_pkg::ctx_req_t ask;
  cairn_int_pkg::ctx_rsp_t answer;
  cairn_int_pkg::ctx_found_t found;
  cairn_int_pkg::ctx_op_t    op;
  always_comb begin
    op       = fw_i;
    op.valid = fw_i.valid && !again_q;
  end
  logic                    ask_ready;
  assign {answer.status, answer.slot, answer.key} = found;

  cairn_int_pkg::unpin_t        unpin;
  cairn_int_pkg::ctx_filled_t   fill;
  cairn_int_pkg::part_write_t   write;
  cairn_int_pkg::cq_crowding_t  crowd;
  logic                         room, room_q;
  assign cq_o.rsp.room = room_q;
  assign cq_o.cmp.room = room_q;
  always_ff @(posedge clk_i) room_q <= rst_ni && room;      // comes late, and wakes many
  cairn_int_pkg::ctx_claim_t   claim;
  cairn_int_pkg::ctx_claimed_t claimed;
  cairn_int_pkg::ctx_touch_t   touch;
  cairn_int_pkg::ctx_read_t    host_read;
  cairn_int_pkg::ctx_write_t   host_write;
  logic [AW-1:0]               f_slot, host_read_slot, host_write_slot;
  assign f_slot          = AW'(claimed.slot);
  assign host_read_slot  = AW'(host_read.slot);
  assign host_write_slot = AW'(host_write.slot);
  ctx_cache #(.DATA_W(DATA_W), .PARTS(1), .SETS(SETS), .KEY_LSB(0), .NSRC(1), .NPIN(1), .CLIENT(cairn_int_pkg::RD_CQ),
      .TAG_BASE(0)) u_cache (
      .clk_i, .rst_ni, .base_i, .entries_i, .func_i('0), .epoch_i,
      .look_valid_i(ask.valid), .look_ready_o(ask_ready), .look_key_i(ask.key), .look_pin_i(1'b1),
      .found_valid_o(answer.valid),
      .found_o(found), .unpin_valid_i(unpin.valid),
      .unpin_slot_i(AW'(unpin.slot)),
      .fill_o(fill),
      .fill_ask_o(),
      .filling_slot_i(filling_slot), .filling_o(filling),
      .dirty_valid_i(at_work), .dirty_slot_i(AW'(write.slot)),
      .fw_i(claim), .touch_i(touch), .fw_ready_o(f_ready), .fw_o(claimed),
      .fw_filled_ready_o(f_filled_ready),
      .host_read_o(host_read), .host_read_data_i(m_data),
      .host_write_o(host_write), .host_write_ready_i(ram_ready),
      .rd_o, .rd_ready_i, .beat_i, .beat_data_i,
      .wr_o(cqc_o), .wr_ready_i(cqc_ready_i), .ticket_i,
      .hit_o(), .miss_o(), .written_o(), .idle_o(cache_idle));

  // Firmware's access to the RAM: from the read of a MODIFY to its write nothing else may change the record.
  logic lock_q;
  assign fw_want    = f_rd || f_wr || lock_q;
  assign f_rd_ready = fw_go && !host_read.valid;
  assign f_wr_ready = fw_go && ram_ready && !host_write.valid;
  cairn_hw_pkg::cq_ctx_t f_new;
  logic [31:0]           f_used, f_size;
  logic                  modify, refuse, of_log2_q, of_mod_q;     // LOG2, COUNT are of what is changed
  logic [3:0]            f_word_q;
  assign f_new  = f_wdata;
  always_ff @(posedge clk_i) begin
    f_word_q <= fw_o.word;
    if (fw_o.put && f_word_q == 4'(cairn_hw_pkg::CQ_CTX_FLAGS_LSB / 32))
      of_log2_q <= fw_i.mask[cairn_hw_pkg::CQ_CTX_FLAGS_LOG2_LSB % 32 +: 4] != '0;
    if (fw_o.put && f_word_q == 4'(cairn_hw_pkg::CQ_CTX_MOD_LSB / 32))
      of_mod_q <= fw_i.mask[cairn_hw_pkg::CQ_CTX_MOD_COUNT_LSB % 32 +: 16] != '0;
  end
  assign modify = fw_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign f_used = f_new.pi - f_new.ci;
  assign f_size = 32'h1 << f_new.flags_log2;
  assign refuse = modify && of_log2_q && f_new.flags_valid && f_used > f_size;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lock_q <= 1'b0;
    else lock_q <= (f_rd && f_rd_ready && modify) || (lock_q && !(f_wr && f_wr_ready));
  end
  ctx_fw #(.PARTS(1)) u_fw (
      .clk_i, .rst_ni, .op_i(op),
      .op_o(fw_o),
      .fw_o(claim), .touch_o(touch), .fw_ready_i(f_ready), .fw_i(claimed),
      .fw_filled_ready_i(f_filled_ready),
      .rd_valid_o(f_rd), .rd_ready_i(f_rd_ready), .rd_data_i(m_data), .wr_valid_o(f_wr), .wr_ready_i(f_wr_ready),
      .wr_data_o(f_wdata), .refuse_i(refuse), .idle_o(f_idle));

  // Reader 0: cqe_write. Reader 1: write-back before firmware.
  assign put_data = host_write.valid ? host_write.data : f_wdata;
  assign rec_data = 512'(rdata[REC_W-1:0]);
  assign m_data   = 512'(rdata[2*REC_W-1:REC_W]);
  ctx_ram #(.WIDTH(REC_W), .SLOTS(SETS * 8), .READERS(2)) u_ram (
      .clk_i, .part_write_valid_i(write.valid), .part_write_slot_i(AW'(write.slot)),
      .part_write_data_i(write.data[REC_W-1:0]),
      .host_write_valid_i(host_write.valid || (f_wr && fw_go && !refuse)), .host_write_ready_o(ram_ready),
      .host_write_slot_i(host_write.valid ? host_write_slot : f_slot),
      .host_write_data_i(put_data[REC_W-1:0]),
      .rd_slot_i({(host_read.valid || !f_rd) ? host_read_slot : f_slot, rec_slot}), .rd_data_o(rdata));

  cqe_write #(.SLOTS(SETS * 8), .PARKED(PARKED)) u_cqe (
      .clk_i, .rst_ni, .time_now_i, .epoch_i, .rsp_i(cq_i.rsp.put), .cmp_i(cq_i.cmp.put),
      .cqe_ready_o({cq_ready_o.cmp, cq_ready_o.rsp}),
      .arm_i, .arm_ready_o,
      .tmr_i, .tmr_ready_o,
      .ins_o(ins), .ins_ready_i(ins_ready),
      .ctx_o(ask), .ctx_ready_i(ask_ready), .ctx_i(answer),
      .unpin_o(unpin), .fill_i(fill),
      .filling_slot_o(filling_slot), .filling_i(filling), .rec_slot_o(rec_slot), .rec_data_i(rec_data),
      .write_o(write), .at_work_o(at_work), .fw_want_i(fw_want), .fw_go_o(fw_go),
      .ci_o, .ci_ready_i,
      .consumer_index_i, .consumer_index_ready_o,
      .wr_o, .wr_ready_i, .eqe_ready_i, .eqe_o, .cq_error_o, .cq_error_ready_i,
      .crowd_o(crowd), .room_o(room),
      .events_o, .idle_o(cqe_idle));
  cq_crowd #(.CQS_LOG2(CQS_LOG2)) u_crowd (
      .clk_i, .rst_ni, .set_i(crowd), .q_cqn_i({cq_i.cmp.cqn, cq_i.rsp.cqn}),
      .q_o({cq_o.cmp.crowded, cq_o.rsp.crowded}));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) again_q <= 1'b0;
    else again_q <= (fw_o.done && modify && of_mod_q) || (again_q && !iq_in_ready);
    if (fw_o.done && !again_q) again_cqn_q <= fw_i.key[CQS_LOG2-1:0];
  end
  assign ins_ready = iq_in_ready && !again_q;
  assign ins_o.cqn = 24'(iq_cqn);
  sync_fifo #(.WIDTH(IW), .DEPTH(4)) u_ins (
      .clk_i, .rst_ni, .in_valid_i(ins.valid || again_q), .in_ready_o(iq_in_ready),
      .in_data_i(again_q ? {again_cqn_q, time_now_i} : {ins.cqn[CQS_LOG2-1:0], ins.deadline}),
      .out_valid_o(ins_o.valid), .out_ready_i(ins_ready_i), .out_data_o({iq_cqn, ins_o.deadline}));
  assign idle_o = cache_idle && cqe_idle && f_idle && !again_q && !room_q;
endmodule
