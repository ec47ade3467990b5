// SPDX-License-Identifier: Apache-2.0
// The only list of RTL sources, one path a line from the top folder: packages first, then by folder in the
// order of the data flow.  Every file under rtl/ is listed, except rtl/board/.  `make lint` checks it.

// packages
rtl/hw/cairn_hw_pkg.sv
rtl/hw/cairn_pkt_pkg.sv
rtl/lib/cairn_int_pkg.sv
rtl/cpu/cpu_pkg.sv

// rtl/lib
rtl/lib/clk_gate.sv
rtl/lib/cdc_sync.sv
rtl/lib/reset_sync.sv
rtl/lib/prio_enc.sv
rtl/lib/prng.sv
rtl/lib/rr_arbiter.sv
rtl/lib/ram_1r1w.sv
rtl/lib/ram_2r1w.sv
rtl/lib/skid_buffer.sv
rtl/lib/stream_reg.sv
rtl/lib/stream_pipe.sv
rtl/lib/stream_fork.sv
rtl/lib/stream_join.sv
rtl/lib/stream_arb.sv
rtl/lib/stream_mux.sv
rtl/lib/stream_demux.sv
rtl/lib/sync_fifo.sv
rtl/lib/sync_fifo_ram.sv
rtl/lib/async_fifo.sv
rtl/lib/crc32_mul.sv
rtl/lib/crc32.sv
rtl/lib/timer_wheel_slots.sv
rtl/lib/timer_wheel.sv

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
rtl/rx/rx_headers.sv
rtl/rx/rx_parser.sv
rtl/rx/rx_icrc.sv
rtl/rx/rx_cell_alloc.sv
rtl/rx/rx_pool_read.sv
rtl/rx/rx_cell_free.sv
rtl/rx/rx_refs.sv
rtl/rx/rx_buffer.sv
rtl/rx/rx_mcast.sv
rtl/rx/rx_raw.sv
rtl/rx/rx_path.sv

// rtl/tx
rtl/tx/tx_hdr_len.sv
rtl/tx/tx_ring.sv
rtl/tx/tx_sent.sv
rtl/tx/tx_fetch.sv
rtl/tx/tx_fill.sv
rtl/tx/tx_payload_ram.sv
rtl/tx/tx_payload.sv
rtl/tx/tx_check.sv
rtl/tx/tx_arbiter.sv
rtl/tx/tx_headers.sv
rtl/tx/tx_icrc.sv
rtl/tx/tx_builder.sv
rtl/tx/tx_path.sv

// rtl/dma
rtl/dma/dma_rd_port.sv
rtl/dma/dma_arbiter.sv
rtl/dma/dma_split.sv
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

// core
rtl/ctx/pend_queue.sv
rtl/ctx/park_buffer.sv
rtl/ctx/ctx_ram.sv
rtl/ctx/ctx_drain.sv
rtl/ctx/ctx_slots.sv
rtl/ctx/ctx_source.sv
rtl/ctx/ctx_pins.sv
rtl/ctx/ctx_wb.sv
rtl/ctx/ctx_fill.sv
rtl/ctx/ctx_cache.sv
rtl/ctx/rsp_res_cache.sv
rtl/qp/qp_scheduler.sv
rtl/queue/doorbell_push.sv
rtl/queue/doorbell.sv
rtl/queue/wqe_fetch.sv
rtl/queue/rq_unit.sv
rtl/queue/rqe_fetch.sv
rtl/queue/srq_ring.sv
rtl/queue/srq_state.sv
rtl/queue/srq_unit.sv
rtl/queue/srq_wait.sv
rtl/transport/req_decode.sv
rtl/transport/req_gids.sv
rtl/transport/req_inline.sv
rtl/transport/req_visit.sv
rtl/transport/req_passed.sv
rtl/transport/req_start.sv
rtl/transport/req_packet.sv
rtl/transport/req_cursor.sv
rtl/transport/req_record.sv
rtl/transport/req_build.sv
rtl/transport/atomic_exec.sv
rtl/transport/atomic_unit.sv
rtl/transport/rsp_check.sv
rtl/transport/rsp_walk.sv
rtl/transport/rsp_join.sv
rtl/transport/rsp_next.sv
rtl/transport/rsp_cqe.sv
rtl/transport/rsp_commit.sv
rtl/transport/rsp_dup.sv
rtl/transport/rsp_tx_dup.sv
rtl/transport/rsp_tx_job.sv
rtl/transport/rsp_tx_req.sv
rtl/transport/rsp_tx_out.sv
rtl/transport/rsp_tx_credit.sv
rtl/transport/rsp_tx_ev.sv
rtl/transport/rsp_tx_kick.sv
rtl/transport/rsp_tx.sv
rtl/transport/responder.sv
rtl/host/ctx_mmio.sv
rtl/host/dev_mmio.sv
rtl/host/flr_ctl.sv
rtl/host/host_if.sv
rtl/host/mgmt.sv
rtl/ctx/ctx_fw.sv
rtl/qp/qp_lookup.sv
rtl/rx/rx_dispatch.sv
rtl/transport/sq_desc.sv
rtl/transport/req_txerr.sv
rtl/transport/req_local.sv
rtl/transport/req_mr_wait.sv
rtl/transport/req_send.sv
rtl/transport/req_sent.sv
rtl/transport/req_issue.sv
rtl/transport/requester.sv
rtl/transport/cmp_next.sv
rtl/transport/cmp_packet.sv
rtl/transport/cmp_check.sv
rtl/transport/cmp_join.sv
rtl/transport/cmp_place.sv
rtl/transport/cmp_kick.sv
rtl/transport/cmp_retire_cqe.sv
rtl/transport/cmp_walk.sv
rtl/transport/cmp_retire.sv
rtl/transport/retry_timer.sv
rtl/transport/completer.sv
rtl/ctx/ctx_table.sv
rtl/mr/mr_bind_rule.sv
rtl/mr/mr_inv_rule.sv
rtl/mr/mr_lookup.sv
rtl/mr/mr_translate.sv
rtl/mr/mr_update.sv
rtl/mr/mr_reg_rule.sv
rtl/mr/mr_service.sv
rtl/queue/cq_rd.sv
rtl/queue/cqe_lookup.sv
rtl/queue/cq_event.sv
rtl/queue/cqe_write.sv
rtl/queue/cq_service.sv
rtl/queue/eqe_write.sv
rtl/ctx/qp_cache.sv
rtl/host/fence.sv
rtl/rdma_state.sv
rtl/rdma_send.sv
rtl/rdma_receive.sv
rtl/rdma_core.sv
rtl/cairn_nic.sv
