// SPDX-License-Identifier: Apache-2.0
// The only list of RTL sources, one path a line from the top folder: packages first, then by folder in the
// order of the data flow.  Every file under rtl/ is listed, except rtl/board/.  `make lint` checks it.

// packages
rtl/hw/cairn_hw_pkg.sv
rtl/hw/cairn_pkt_pkg.sv
rtl/hw/cairn_int_pkg.sv
rtl/lib/cairn_fn_pkg.sv
rtl/cpu/cpu_pkg.sv

// rtl/lib
rtl/lib/av_of_cfg.sv
rtl/lib/clk_gate.sv
rtl/lib/cdc_sync.sv
rtl/lib/reset_sync.sv
rtl/lib/prio_enc_onehot.sv
rtl/lib/prio_enc.sv
rtl/lib/prng.sv
rtl/lib/rr_arbiter.sv
rtl/lib/rr_chosen.sv
rtl/lib/rr_kept.sv
rtl/lib/rr_pick.sv
rtl/lib/ram_1r1w.sv
rtl/lib/ram_2r1w.sv
rtl/lib/skid_buffer.sv
rtl/lib/stream_reg.sv
rtl/lib/stream_half.sv
rtl/lib/stream_fork.sv
rtl/lib/stream_arb.sv
rtl/lib/sync_fifo_level.sv
rtl/lib/sync_fifo.sv
rtl/lib/sync_fifo_ram.sv
rtl/lib/async_fifo.sv
rtl/lib/crc32_mul.sv
rtl/lib/crc32.sv
rtl/lib/timer_wheel_slots.sv
rtl/lib/timer_wheel.sv
rtl/lib/turn_bytes.sv
rtl/lib/timer_scan.sv
rtl/lib/pend_order.sv
rtl/lib/pend_scan.sv
rtl/lib/pend_queue.sv
rtl/lib/park_buffer.sv
rtl/lib/wake_first.sv

// rtl/cpu
rtl/cpu/cpu_decode.sv
rtl/cpu/cpu_alu.sv
rtl/cpu/cpu_csr.sv
rtl/cpu/cpu_core.sv
rtl/cpu/cpu_ram.sv
rtl/cpu/cpu_bus.sv
rtl/cpu/cpu_timer.sv
rtl/cpu/cpu_uart.sv
rtl/cpu/cpu_top.sv

// rtl/rx
rtl/rx/icrc_mask.sv
rtl/rx/rx_gid_table.sv
rtl/rx/rx_gid_ring.sv
rtl/rx/rx_qp_entry.sv
rtl/rx/rx_qp_table.sv
rtl/rx/rx_qp_rules.sv
rtl/rx/rx_headers.sv
rtl/rx/rx_ext.sv
rtl/rx/rx_fields.sv
rtl/rx/rx_parser.sv
rtl/rx/rx_icrc.sv
rtl/rx/rx_cell_alloc.sv
rtl/rx/rx_pool_read.sv
rtl/rx/rx_cell_free.sv
rtl/rx/rx_links.sv
rtl/rx/rx_refs.sv
rtl/rx/rx_records.sv
rtl/rx/rx_record_words.sv
rtl/rx/rx_record_meta.sv
rtl/rx/rx_buffer.sv
rtl/rx/rx_mcast.sv
rtl/rx/rx_merge.sv
rtl/rx/rx_answer.sv
rtl/rx/rx_raw.sv
rtl/rx/rx_path.sv

// rtl/tx
rtl/tx/tx_hdr_len.sv
rtl/tx/tx_piece.sv
rtl/tx/tx_form.sv
rtl/tx/tx_plain.sv
rtl/tx/tx_ring.sv
rtl/tx/tx_sent.sv
rtl/tx/tx_way.sv
rtl/tx/tx_fetch.sv
rtl/tx/tx_fill.sv
rtl/tx/tx_payload_ram.sv
rtl/tx/tx_payload.sv
rtl/tx/tx_check.sv
rtl/tx/tx_arbiter.sv
rtl/tx/tx_headers.sv
rtl/tx/tx_places.sv
rtl/tx/tx_icrc.sv
rtl/tx/tx_builder.sv
rtl/tx/tx_path.sv
rtl/tx/mac_cut.sv

// rtl/dma
rtl/dma/dma_rd_port.sv
rtl/dma/dma_arbiter.sv
rtl/dma/dma_split.sv
rtl/dma/dma_cut.sv
rtl/dma/dma_tlp_hdr.sv
rtl/dma/dma_rd_tags.sv
rtl/dma/dma_rd_cpl.sv
rtl/dma/dma_read.sv
rtl/dma/dma_wr_arbiter.sv
rtl/dma/dma_wr_beat.sv
rtl/dma/dma_write.sv

// rtl/host
rtl/host/tlp_rx.sv
rtl/host/tlp_tx.sv
rtl/host/bar_access.sv
rtl/host/bar_cpl.sv
rtl/host/pcie_tlp.sv
rtl/host/counters.sv
rtl/host/msix.sv
rtl/host/fw_dma.sv
rtl/host/cmd_mailbox.sv
rtl/host/csr.sv
rtl/host/qp_counter_bank.sv
rtl/host/qp_counters.sv
rtl/host/ctx_mmio.sv
rtl/host/dev_mmio.sv
rtl/host/flr_ctl.sv
rtl/host/host_if.sv
rtl/host/mgmt.sv

// rtl/send/requester
rtl/send/requester/req_decode.sv
rtl/send/requester/req_judge.sv
rtl/send/requester/req_gids.sv
rtl/send/requester/req_inline.sv
rtl/send/requester/req_visit.sv
rtl/send/requester/req_look.sv
rtl/send/requester/req_missed.sv
rtl/send/requester/req_passed.sv
rtl/send/requester/req_start.sv
rtl/send/requester/req_packet.sv
rtl/send/requester/req_cursor.sv
rtl/send/requester/req_record.sv
rtl/send/requester/req_acked.sv
rtl/send/requester/req_check.sv
rtl/send/requester/req_mark.sv
rtl/send/requester/req_after.sv
rtl/send/requester/req_block.sv
rtl/send/requester/req_hand.sv
rtl/send/requester/req_build.sv
rtl/send/requester/sq_desc.sv
rtl/send/requester/req_txerr.sv
rtl/send/requester/req_reads.sv
rtl/send/requester/req_local.sv
rtl/send/requester/req_mr_wait.sv
rtl/send/requester/req_send.sv
rtl/send/requester/req_sent.sv
rtl/send/requester/req_issue.sv
rtl/send/requester/requester.sv

// rtl/send/completer
rtl/send/completer/cmp_where.sv
rtl/send/completer/cmp_judge.sv
rtl/send/completer/cmp_next.sv
rtl/send/completer/cmp_packet.sv
rtl/send/completer/cmp_piece.sv
rtl/send/completer/cmp_tries.sv
rtl/send/completer/cmp_expect.sv
rtl/send/completer/cmp_block.sv
rtl/send/completer/cmp_check.sv
rtl/send/completer/cmp_woken.sv
rtl/send/completer/cmp_held.sv
rtl/send/completer/cmp_chain.sv
rtl/send/completer/cmp_join.sv
rtl/send/completer/cmp_place.sv
rtl/send/completer/cmp_kick.sv
rtl/send/completer/cmp_retire_cqe.sv
rtl/send/completer/cmp_walk.sv
rtl/send/completer/cmp_oldest.sv
rtl/send/completer/cmp_progress.sv
rtl/send/completer/cmp_tell.sv
rtl/send/completer/cmp_retire.sv
rtl/send/completer/retry_timer.sv
rtl/send/completer/completer.sv

// rtl/send
rtl/send/qp_scheduler.sv
rtl/send/sq_early.sv
rtl/send/wqe_ahead.sv
rtl/send/wqe_asks.sv
rtl/send/wqe_victim.sv
rtl/send/wqe_taken.sv
rtl/send/wqe_tags.sv
rtl/send/wqe_look.sv
rtl/send/wqe_looks.sv
rtl/send/wqe_kick.sv
rtl/send/wqe_words.sv
rtl/send/wqe_fetch.sv
rtl/send/rdma_send.sv

// rtl/receive/atomic
rtl/receive/atomic/atomic_exec.sv
rtl/receive/atomic/atomic_unit.sv

// rtl/receive/rq
rtl/receive/rq/rq_unit.sv
rtl/receive/rq/rqe_fetch.sv
rtl/receive/rq/rqe_issue.sv
rtl/receive/rq/rqe_ones.sv
rtl/receive/rq/rqe_runs.sv
rtl/receive/rq/rqe_store.sv
rtl/receive/rq/rqe_way.sv
rtl/receive/rq/srq_answer.sv
rtl/receive/rq/srq_events.sv
rtl/receive/rq/srq_port.sv
rtl/receive/rq/srq_ring.sv
rtl/receive/rq/srq_start.sv
rtl/receive/rq/srq_state.sv
rtl/receive/rq/srq_wait.sv

// rtl/receive/responder
rtl/receive/responder/rsp_park.sv
rtl/receive/responder/rsp_parked.sv
rtl/receive/responder/rsp_pieces.sv
rtl/receive/responder/rsp_res.sv
rtl/receive/responder/rsp_res_cache.sv
rtl/receive/responder/rsp_res_words.sv
rtl/receive/responder/rsp_store.sv
rtl/receive/responder/rsp_have.sv
rtl/receive/responder/rsp_narrow.sv
rtl/receive/responder/rsp_judge.sv
rtl/receive/responder/rsp_check.sv
rtl/receive/responder/rsp_elements.sv
rtl/receive/responder/rsp_walk.sv
rtl/receive/responder/rsp_atomics.sv
rtl/receive/responder/rsp_wait.sv
rtl/receive/responder/rsp_inv.sv
rtl/receive/responder/rsp_behind.sv
rtl/receive/responder/rsp_fresh.sv
rtl/receive/responder/rsp_fate.sv
rtl/receive/responder/rsp_join.sv
rtl/receive/responder/rsp_next.sv
rtl/receive/responder/rsp_cqe.sv
rtl/receive/responder/rsp_counts.sv
rtl/receive/responder/rsp_commit.sv
rtl/receive/responder/rsp_dup.sv
rtl/receive/responder/rsp_tx_dup.sv
rtl/receive/responder/rsp_tx_job.sv
rtl/receive/responder/rsp_tx_out.sv
rtl/receive/responder/rsp_credit.sv
rtl/receive/responder/rsp_ack.sv
rtl/receive/responder/rsp_ack_one.sv
rtl/receive/responder/rsp_held.sv
rtl/receive/responder/rsp_shares.sv
rtl/receive/responder/rsp_now.sv
rtl/receive/responder/rsp_tx_find.sv
rtl/receive/responder/rsp_tx_visits.sv
rtl/receive/responder/rsp_tx_walk.sv
rtl/receive/responder/rsp_tx_settle.sv
rtl/receive/responder/rsp_tx_send.sv
rtl/receive/responder/rsp_tx_kick.sv
rtl/receive/responder/rsp_tx_counts.sv
rtl/receive/responder/rsp_tx.sv
rtl/receive/responder/responder.sv

// rtl/receive
rtl/receive/qp_lookup.sv
rtl/receive/rx_dispatch.sv
rtl/receive/rdma_receive.sv

// rtl/state/ctx
rtl/state/ctx/ctx_ram.sv
rtl/state/ctx/ctx_turns.sv
rtl/state/ctx/ctx_flag.sv
rtl/state/ctx/ctx_slots.sv
rtl/state/ctx/ctx_source.sv
rtl/state/ctx/ctx_pins.sv
rtl/state/ctx/ctx_wb.sv
rtl/state/ctx/ctx_change.sv
rtl/state/ctx/ctx_fill.sv
rtl/state/ctx/ctx_victim.sv
rtl/state/ctx/ctx_drain.sv
rtl/state/ctx/ctx_cache.sv
rtl/state/ctx/ctx_words.sv
rtl/state/ctx/ctx_fw.sv
rtl/state/ctx/ctx_resident.sv
rtl/state/ctx/ctx_table.sv
rtl/state/ctx/qp_parts.sv
rtl/state/ctx/qp_store.sv
rtl/state/ctx/qp_cache.sv

// rtl/state/mr
rtl/state/mr/mr_bind_rule.sv
rtl/state/mr/mr_inv_rule.sv
rtl/state/mr/mr_lookup.sv
rtl/state/mr/mr_translate.sv
rtl/state/mr/mr_update.sv
rtl/state/mr/mr_drain.sv
rtl/state/mr/mr_reg_rule.sv
rtl/state/mr/mpt_resident.sv
rtl/state/mr/mtt_lines.sv
rtl/state/mr/mr_service.sv

// rtl/state/cq
rtl/state/cq/cq_rd.sv
rtl/state/cq/cqe_lookup.sv
rtl/state/cq/cq_sums.sv
rtl/state/cq/cq_event.sv
rtl/state/cq/cqe_form.sv
rtl/state/cq/cq_items.sv
rtl/state/cq/cq_resident.sv
rtl/state/cq/cq_crowd.sv
rtl/state/cq/cqe_write.sv
rtl/state/cq/cq_cached.sv
rtl/state/cq/cq_service.sv
rtl/state/cq/eqe_write.sv

// rtl/state
rtl/state/rdma_state.sv

// rtl/core
rtl/core/doorbell_push.sv
rtl/core/doorbell_posted.sv
rtl/core/doorbell.sv
rtl/core/fence.sv
rtl/core/rdma_core.sv

rtl/cairn_nic.sv
