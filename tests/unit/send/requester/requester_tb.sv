// SPDX-License-Identifier: Apache-2.0
// Test bench of the requester with its WQE cache: records taken apart into ports of at most 64 bits for the test in C.
// Part RAMs, doorbells and scheduler are in C.
module requester_tb #(
    parameter int unsigned DATA_W = 512
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [63:0]                     time_now_i,
    input  logic                            sched_valid_i,
    output logic                            sched_ready_o,
    input  logic [23:0]                     sched_qpn_i,
    output logic                            done_valid_o,
    input  logic                            done_ready_i,
    output logic [23:0]                     done_qpn_o,
    output logic                            done_more_o,
    output cairn_int_pkg::requester_use_t   part_o,
    output cairn_int_pkg::ctx_req_t         ctx_o,
    input  logic                            ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t         ctx_i,
    input  cairn_int_pkg::requester_view_t  part_i,
    output logic [23:0]                     sq_rd_qpn_o,
    input  logic [15:0]                     sq_rd_pi_i,
    output logic                            mr_valid_o,
    input  logic                            mr_ready_i,
    output logic [31:0]                     mr_key_o,
    output logic [63:0]                     mr_va_o,
    output logic [12:0]                     mr_len_o,
    output logic                            mr_last_o,
    input  logic                            ans_valid_i,
    output logic                            ans_ready_o,
    input  logic [1:0]                      ans_status_i,
    input  logic [7:0]                      ans_vendor_i,
    input  logic [63:0]                     ans_iova0_i,
    input  logic [63:0]                     ans_iova1_i,
    input  logic [12:0]                     ans_len0_i,
    input  logic [12:0]                     ans_len1_i,
    input  logic                            mr_fill_i,
    input  cairn_int_pkg::gid_write_t       gid_i,
    output logic                            key_change_valid_o,
    input  logic                            key_change_ready_i,
    output logic [1:0]                      change_op_o,
    output logic [31:0]                     change_key_o,
    output logic [23:0]                     change_pd_o,
    output logic [23:0]                     change_qpn_o,
    output logic [63:0]                     change_addr_o,
    output logic [63:0]                     change_length_o,
    output logic [63:0]                     change_list_o,
    output logic [31:0]                     change_region_o,
    output logic [7:0]                      change_access_o,
    output logic [7:0]                      change_page_o,
    input  logic                            key_change_valid_i,
    output logic                            key_change_ready_o,
    input  logic [7:0]                      key_change_vendor_i,
    input  logic                            drain_i,
    output logic                            drained_o,
    input  logic [31:0]                     features_i,
    output logic                            tmr_valid_o,
    input  logic                            tmr_ready_i,
    output logic [23:0]                     tmr_qpn_o,
    output logic [63:0]                     tmr_deadline_o,
    output logic                            job_valid_o,
    input  logic                            job_ready_i,
    output logic [23:0]                     job_qpn_o,
    output logic [23:0]                     job_psn_o,
    output logic [7:0]                      job_opcode_o,
    output logic [7:0]                      job_epoch_o,
    output logic                            job_ackreq_o,
    output logic                            job_se_o,
    output logic                            job_retx_o,
    output logic [12:0]                     job_plen_o,
    output logic [63:0]                     job_va_o,
    output logic [31:0]                     job_key_o,
    output logic [31:0]                     job_len_o,
    output logic [31:0]                     job_imm_o,
    output logic [23:0]                     job_dest_o,
    output logic [63:0]                     job_swap_o,
    output logic [63:0]                     job_compare_o,
    output logic [31:0]                     job_qkey_o,
    output logic [47:0]                     job_dmac_o,
    output logic [63:0]                     job_dgid_hi_o,
    output logic [63:0]                     job_dgid_lo_o,
    output logic                            job_ipv6_o,
    output logic [7:0]                      job_sgid_o,
    output logic [15:0]                     job_sport_o,
    output logic [7:0]                      job_tclass_o,
    output logic [7:0]                      job_hop_o,
    output logic [19:0]                     job_flow_o,
    output logic                            job_vlan_o,
    output logic [15:0]                     job_tci_o,
    output logic [15:0]                     job_pkey_o,
    output logic                            seg_valid_o,
    input  logic                            seg_ready_i,
    output logic                            seg_inline_o,
    output logic [63:0]                     seg_iova_o,
    output logic [12:0]                     seg_len_o,
    output logic                            seg_eoj_o,
    output logic                            inline_valid_o,
    input  logic                            inline_ready_i,
    output logic [DATA_W-1:0]               inline_data_o,
    output logic [7:0]                      inline_nbytes_o,
    output logic                            inline_last_o,
    input  logic                            txe_valid_i,
    output logic                            txe_ready_o,
    input  logic [23:0]                     txe_qpn_i,
    input  logic [23:0]                     txe_psn_i,
    output logic [2:0]                      kick_valid_o,  // 0 failed read, 1 MR waiter, 2 WQE arrival
    input  logic [2:0]                      kick_ready_i,
    output logic [71:0]                     kick_qpn_o,
    output logic                            cmp_kick_valid_o,
    input  logic                            cmp_kick_ready_i,
    output logic [23:0]                     cmp_kick_qpn_o,
    output logic                            rd_valid_o,
    input  logic                            rd_ready_i,
    output logic [63:0]                     rd_iova_o,
    output logic [12:0]                     rd_len_o,
    output logic [11:0]                     rd_tag_o,
    input  logic                            dma_valid_i,
    input  logic [11:0]                     dma_tag_i,
    input  logic [12:0]                     dma_offset_i,
    input  logic [6:0]                      dma_nbytes_i,
    input  logic                            dma_last_i,
    input  logic                            dma_err_i,
    input  logic [DATA_W-1:0]               dma_data_i,
    output cairn_hw_pkg::requester_events_t events_o,
    output logic                            idle_o
);
  // Records are unpacked to look at some of their fields.
  // verilator lint_off UNUSEDSIGNAL
  cairn_int_pkg::mr_req_t  mr;
  cairn_int_pkg::mr_upd_t  upd;
  cairn_int_pkg::mr_rsp_t  ans;
  cairn_int_pkg::tx_job_t  job;
  cairn_int_pkg::tx_seg_t  seg;
  cairn_int_pkg::dma_rd_t  rd;
  cairn_int_pkg::dma_rsp_t rsp;
  cairn_int_pkg::mr_ask_t     mr_all;
  cairn_int_pkg::key_change_t change;
  cairn_int_pkg::tx_requests_t requests;
  cairn_int_pkg::dma_read_t rd_all;
  assign {mr_valid_o, mr} = mr_all;
  assign job = requests.job;
  assign seg = requests.seg;
  assign {rd_valid_o, rd} = rd_all;
  assign mr_key_o     = mr.key;
  assign mr_va_o      = mr.va;
  assign mr_len_o     = mr.len;
  assign mr_last_o    = mr.last;
  assign job_qpn_o    = job.qpn;
  assign job_psn_o    = job.psn;
  assign job_opcode_o = job.opcode;
  assign job_epoch_o  = job.send_epoch;
  assign job_ackreq_o = job.ackreq;
  assign job_se_o     = job.se;
  assign job_retx_o   = job.retx;
  assign job_plen_o   = job.pay_len;
  assign job_va_o     = job.args.va;
  assign job_key_o    = job.args.key;
  assign job_len_o    = job.args.len;
  assign job_imm_o    = job.args.imm;
  assign job_dest_o   = job.av.dest_qp;
  assign job_swap_o    = job.args.swap_add;
  assign job_compare_o = job.args.compare;
  assign job_qkey_o    = job.qkey;
  assign job_dmac_o    = job.av.dmac;
  assign {job_dgid_hi_o, job_dgid_lo_o} = job.av.dgid;
  assign job_ipv6_o    = job.av.ipv6;
  assign job_sgid_o    = job.av.sgid_index;
  assign job_sport_o   = job.av.sport;
  assign job_tclass_o  = job.av.tclass;
  assign job_hop_o     = job.av.hop;
  assign job_flow_o    = job.av.flow;
  assign job_vlan_o    = job.av.vlan;
  assign job_tci_o     = job.av.tci;
  assign job_pkey_o    = job.av.pkey;
  assign {key_change_valid_o, upd} = change;
  assign change_op_o       = upd.op;
  assign change_key_o      = upd.key;
  assign change_pd_o       = upd.pd;
  assign change_qpn_o      = upd.qpn;
  assign change_addr_o     = upd.addr;
  assign change_length_o   = upd.length;
  assign change_list_o     = upd.page_list;
  assign change_region_o   = upd.mr_key;
  assign change_access_o   = upd.access;
  assign change_page_o     = upd.page_log2;
  assign seg_inline_o = seg.inline_data;
  assign seg_iova_o   = seg.iova;
  assign seg_len_o    = seg.len;
  assign seg_eoj_o    = seg.eoj;
  assign rd_iova_o    = rd.iova;
  assign rd_len_o     = rd.len;
  assign rd_tag_o     = rd.tag;
  always_comb begin
    ans        = '0;
    ans.status = ans_status_i;
    ans.vendor = ans_vendor_i;
    ans.iova0  = ans_iova0_i;
    ans.iova1  = ans_iova1_i;
    ans.len0   = ans_len0_i;
    ans.len1   = ans_len1_i;
    rsp        = '0;
    rsp.client = 4'(cairn_int_pkg::RD_WQE);
    rsp.tag    = dma_tag_i;
    rsp.offset = dma_offset_i;
    rsp.nbytes = dma_nbytes_i;
    rsp.last   = dma_last_i;
    rsp.err    = dma_err_i;
  end

  logic wft_ready, wft_retry, wf_idle, rq_idle, fetch_unused;
  cairn_int_pkg::wqe_lookup_t      wqe;
  cairn_int_pkg::wqe_found_t       block;
  cairn_int_pkg::wqe_fetch_t       fetch;
  cairn_int_pkg::sched_done_t      done;
  cairn_int_pkg::timer_set_t       timer;
  cairn_int_pkg::requester_kicks_t kick;
  cairn_int_pkg::kick_t            arrived;
  assign {done_valid_o, done_qpn_o, done_more_o} = done;
  assign {tmr_valid_o, tmr_qpn_o, tmr_deadline_o} = {timer.valid, timer.qpn, timer.deadline};
  assign kick_valid_o = {arrived.valid, kick.mr.valid, kick.failed.valid};
  assign kick_qpn_o   = {arrived.qpn, kick.mr.qpn, kick.failed.qpn};
  assign {cmp_kick_valid_o, cmp_kick_qpn_o} = kick.walk;
  assign job_valid_o     = requests.job_valid;
  assign seg_valid_o     = requests.seg_valid;
  assign inline_valid_o  = requests.inline_valid;
  assign inline_last_o   = requests.inline_last;
  assign inline_nbytes_o = 8'(requests.inline_nbytes);

  requester #(.DATA_W(DATA_W), .QPS_LOG2(6), .SLOTS(16), .DESCRIPTORS(64), .READ_CHUNK(64)) u_req (
      .last_ticket_i('0), .clk_i, .rst_ni, .time_now_i, .features_i, .halt_i(1'b0), .gid_i,
      .sched_i({sched_valid_i, sched_qpn_i}), .sched_ready_o, .done_o(done), .done_ready_i,
      .ctx_o, .ctx_ready_i, .ctx_i,
      .part_o, .part_i,
      .sq_rd_qpn_o, .sq_rd_pi_i,
      .wqe_o(wqe), .wqe_i(block), .fetch_o(fetch), .fetch_ready_i(wft_ready), .fetch_retry_i(wft_retry),
      .mr_o({mr_all, change, drained_o}), .mr_ready_i({mr_ready_i, key_change_ready_i}),
      .mr_i({ans_valid_i, ans, mr_fill_i, drain_i, key_change_valid_i, key_change_vendor_i}),
      .mr_ready_o({ans_ready_o, key_change_ready_o}),
      .desc_i('0), .desc_o(), .timer_o(timer), .timer_ready_i(tmr_ready_i),
      .requests_o(requests), .requests_i({job_ready_i, seg_ready_i, inline_ready_i}),
      .requests_inline_data_o(inline_data_o),
      .tx_err_i({txe_valid_i, txe_qpn_i, 8'd5, txe_psn_i}), .tx_err_ready_o(txe_ready_o),
      .kick_o(kick), .kick_ready_i({cmp_kick_ready_i, kick_ready_i[1:0]}),
      .events_o, .idle_o(rq_idle));
  wqe_fetch #(.DATA_W(DATA_W), .SETS(2)) u_wqe (
      .clk_i, .rst_ni, .forget_i(1'b0), .epoch_i(1'b0), .req_wqe_i(wqe), .req_wqe_o(block), .cmp_wqe_i('0),
      .cmp_wqe_o(), .req_fetch_i(fetch), .req_fetch_ready_o(wft_ready),
      .cmp_fetch_i('0), .cmp_fetch_ready_o(), .fetch_retry_o(wft_retry), .req_kick_o(arrived),
      .req_kick_ready_i(kick_ready_i[2]), .cmp_kick_o(), .cmp_kick_ready_i(1'b1), .pushed_i('0), .pushed_ready_o(),
      .pushed_taken_o(),
      .rd_o(rd_all), .rd_ready_i, .beat_i({dma_valid_i, rsp}), .beat_data_i(dma_data_i),
      .events_o(), .idle_o(wf_idle));
  assign idle_o = rq_idle && wf_idle;
  // verilator lint_on UNUSEDSIGNAL
endmodule
