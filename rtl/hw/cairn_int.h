/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records between modules of the data path.  Generated from rtl/hw/int.def by hwgen (make hw): do not edit.
 *
 * Masks and fields are used through cairn_bits.h.  Members called gapN are unused and must be zero.
 */
#ifndef CAIRN_INT_H
#define CAIRN_INT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define REC_SLOT_W 12 /* QP context cache slot */
#define REC_CELL_W 12 /* RX pool cell */
#define REC_LEN_W 13 /* bytes of one packet's payload or one DMA command, 0..4096 */
#define REC_TICKET_W 16 /* posted-write ticket, wraps; compare as signed difference */
#define REC_RTAG_W 12 /* client's own tag of a DMA read */
#define REC_CELL_BYTES 256
#define REC_SMALL_W 512 /* inline data of a small posted write */
#define REC_RD_TXP 0 /* payload of requests and READ responses (tx_payload) */
#define REC_RD_WQE 1 /* wqe_fetch */
#define REC_RD_RQE 2 /* rqe_fetch */
#define REC_RD_QPC 3 /* QP records and responder resources */
#define REC_RD_MR 4 /* MPT and MTT lines */
#define REC_RD_CQ 5 /* CQ records and consumer records */
#define REC_RD_FW 6 /* management core */
#define REC_RD_ATOM 7 /* atomic_unit */
#define REC_RD_N 8
#define REC_WR_RSP 0 /* payload placed by the responder */
#define REC_WR_CMP 1 /* payload placed by the completer (READ data) */
#define REC_WR_CQE 2 /* cqe_write */
#define REC_WR_EQE 3 /* eqe_write and MSI-X messages */
#define REC_WR_QPC 4 /* QP and responder-resource write-back */
#define REC_WR_CQC 5 /* CQ record write-back */
#define REC_WR_FW 6 /* management core: command completions, log */
#define REC_WR_ATOM 7 /* atomic_unit */
#define REC_WR_N 8

/*
 * DMA read request. len 1..4096. not_before: hold the read until dma_write's sent ticket has reached it.
 */
#define REC_DMA_RD_W 115
struct rec_dma_rd {
	uint8_t func;
	uint64_t iova;
	uint16_t len;
	uint16_t tag;
	uint8_t nb_valid;
	uint16_t not_before;
	uint8_t epoch;
};
#define REC_DMA_RD_FIELDS(F) \
	F(func, func, 107, 8) \
	F(iova, iova, 43, 64) \
	F(len, len, 30, 13) \
	F(tag, tag, 18, 12) \
	F(nb_valid, nb_valid, 17, 1) \
	F(not_before, not_before, 1, 16) \
	F(epoch, epoch, 0, 1)
#define REC_DMA_RD_FUNC 107, 8
#define REC_DMA_RD_IOVA 43, 64
#define REC_DMA_RD_LEN 30, 13
#define REC_DMA_RD_TAG 18, 12
#define REC_DMA_RD_NB_VALID 17, 1
#define REC_DMA_RD_NOT_BEFORE 1, 16
#define REC_DMA_RD_EPOCH 0, 1

/*
 * Sideband of one beat of the DMA read data stream (broadcast to all clients, never back-pressured: a client asks
 * only for what it has room for). The beat's valid bytes are data[8*skip +: 8*nbytes]; they are bytes offset.. of the
 * request. Pieces of one request may come in any order; last is the beat that completes the request, exactly one per
 * request; err (with last) means that bytes are missing or bad, the request is over.
 */
#define REC_DMA_RSP_W 40
struct rec_dma_rsp {
	uint8_t client;
	uint16_t tag;
	uint16_t offset;
	uint8_t skip;
	uint8_t nbytes; /* 0 only on an error beat without data */
	uint8_t last;
	uint8_t err;
};
#define REC_DMA_RSP_FIELDS(F) \
	F(client, client, 36, 4) \
	F(tag, tag, 24, 12) \
	F(offset, offset, 11, 13) \
	F(skip, skip, 9, 2) \
	F(nbytes, nbytes, 2, 7) \
	F(last, last, 1, 1) \
	F(err, err, 0, 1)
#define REC_DMA_RSP_CLIENT 36, 4
#define REC_DMA_RSP_TAG 24, 12
#define REC_DMA_RSP_OFFSET 11, 13
#define REC_DMA_RSP_SKIP 9, 2
#define REC_DMA_RSP_NBYTES 2, 7
#define REC_DMA_RSP_LAST 1, 1
#define REC_DMA_RSP_ERR 0, 1

/*
 * DMA write command. Small (payload = 0): len 1..64 bytes in data, byte 0 in data[7:0]. Payload (payload = 1): bytes
 * come from the RX pool. first: start at cell_head/off of a packet; otherwise continue where the last command of this
 * source ended. free: the packet's cells go back after this command. len 0 with free: discard only.
 */
#define REC_DMA_WR_W 622
struct rec_dma_wr {
	uint8_t func;
	uint64_t iova;
	uint16_t len;
	uint8_t epoch;
	uint8_t relaxed;
	uint8_t payload;
	uint8_t first;
	uint8_t free;
	uint16_t cell_head;
	uint8_t off;
	uint64_t data[8];
};
#define REC_DMA_WR_FIELDS(F) \
	F(func, func, 614, 8) \
	F(iova, iova, 550, 64) \
	F(len, len, 537, 13) \
	F(epoch, epoch, 536, 1) \
	F(relaxed, relaxed, 535, 1) \
	F(payload, payload, 534, 1) \
	F(first, first, 533, 1) \
	F(free, free, 532, 1) \
	F(cell_head, cell_head, 520, 12) \
	F(off, off, 512, 8) \
	F(data_0, data[0], 0, 64) \
	F(data_1, data[1], 64, 64) \
	F(data_2, data[2], 128, 64) \
	F(data_3, data[3], 192, 64) \
	F(data_4, data[4], 256, 64) \
	F(data_5, data[5], 320, 64) \
	F(data_6, data[6], 384, 64) \
	F(data_7, data[7], 448, 64)
#define REC_DMA_WR_FUNC 614, 8
#define REC_DMA_WR_IOVA 550, 64
#define REC_DMA_WR_LEN 537, 13
#define REC_DMA_WR_EPOCH 536, 1
#define REC_DMA_WR_RELAXED 535, 1
#define REC_DMA_WR_PAYLOAD 534, 1
#define REC_DMA_WR_FIRST 533, 1
#define REC_DMA_WR_FREE 532, 1
#define REC_DMA_WR_CELL_HEAD 520, 12
#define REC_DMA_WR_OFF 512, 8
#define REC_DMA_WR_DATA 0, 512

#define REC_PCIE_TAG_W 8 /* tag of a PCIe read; number of a request under way */

/*
 * dma_read: what goes with a request through dma_split
 */
#define REC_RD_REQUEST_W 33
struct rec_rd_request {
	uint8_t client; /* RD_* */
	uint16_t tag; /* of the client */
	uint8_t func;
	uint8_t epoch;
	uint8_t id; /* number of the request */
};
#define REC_RD_REQUEST_FIELDS(F) \
	F(client, client, 29, 4) \
	F(tag, tag, 17, 12) \
	F(func, func, 9, 8) \
	F(epoch, epoch, 8, 1) \
	F(id, id, 0, 8)
#define REC_RD_REQUEST_CLIENT 29, 4
#define REC_RD_REQUEST_TAG 17, 12
#define REC_RD_REQUEST_FUNC 9, 8
#define REC_RD_REQUEST_EPOCH 8, 1
#define REC_RD_REQUEST_ID 0, 8

/*
 * dma_read: a read that has been sent under a tag, kept until its last completion
 */
#define REC_RD_PIECE_W 67
struct rec_rd_piece {
	uint8_t addr; /* its lowest bits */
	uint16_t len;
	uint16_t offset; /* in its request */
	uint8_t pieces; /* of the request */
	uint8_t client; /* RD_* */
	uint16_t tag; /* of the client */
	uint8_t epoch;
	uint8_t id; /* number of the request */
	uint8_t period; /* in which it was sent, see dma_rd_tags */
	uint8_t turn; /* another at each use of the tag */
};
#define REC_RD_PIECE_FIELDS(F) \
	F(addr, addr, 60, 7) \
	F(len, len, 47, 13) \
	F(offset, offset, 34, 13) \
	F(pieces, pieces, 28, 6) \
	F(client, client, 24, 4) \
	F(tag, tag, 12, 12) \
	F(epoch, epoch, 11, 1) \
	F(id, id, 3, 8) \
	F(period, period, 1, 2) \
	F(turn, turn, 0, 1)
#define REC_RD_PIECE_ADDR 60, 7
#define REC_RD_PIECE_LEN 47, 13
#define REC_RD_PIECE_OFFSET 34, 13
#define REC_RD_PIECE_PIECES 28, 6
#define REC_RD_PIECE_CLIENT 24, 4
#define REC_RD_PIECE_TAG 12, 12
#define REC_RD_PIECE_EPOCH 11, 1
#define REC_RD_PIECE_ID 3, 8
#define REC_RD_PIECE_PERIOD 1, 2
#define REC_RD_PIECE_TURN 0, 1

/*
 * dma_write: what goes with a command to its last TLP
 */
#define REC_WR_SOURCE_W 27
struct rec_wr_source {
	uint8_t payload;
	uint8_t relaxed;
	uint8_t func;
	uint16_t ticket;
	uint8_t epoch;
};
#define REC_WR_SOURCE_FIELDS(F) \
	F(payload, payload, 26, 1) \
	F(relaxed, relaxed, 25, 1) \
	F(func, func, 17, 8) \
	F(ticket, ticket, 1, 16) \
	F(epoch, epoch, 0, 1)
#define REC_WR_SOURCE_PAYLOAD 26, 1
#define REC_WR_SOURCE_RELAXED 25, 1
#define REC_WR_SOURCE_FUNC 17, 8
#define REC_WR_SOURCE_TICKET 1, 16
#define REC_WR_SOURCE_EPOCH 0, 1

/*
 * dma_write: a command that waits for its data
 */
#define REC_WR_QUEUED_W 104
struct rec_wr_queued {
	uint64_t iova;
	uint16_t len;
	struct rec_wr_source source;
};
#define REC_WR_QUEUED_FIELDS(F) \
	F(iova, iova, 40, 64) \
	F(len, len, 27, 13) \
	F(source_payload, source.payload, 26, 1) \
	F(source_relaxed, source.relaxed, 25, 1) \
	F(source_func, source.func, 17, 8) \
	F(source_ticket, source.ticket, 1, 16) \
	F(source_epoch, source.epoch, 0, 1)
#define REC_WR_QUEUED_IOVA 40, 64
#define REC_WR_QUEUED_LEN 27, 13
#define REC_WR_QUEUED_SOURCE 0, 27
#define REC_WR_QUEUED_SOURCE_PAYLOAD 26, 1
#define REC_WR_QUEUED_SOURCE_RELAXED 25, 1
#define REC_WR_QUEUED_SOURCE_FUNC 17, 8
#define REC_WR_QUEUED_SOURCE_TICKET 1, 16
#define REC_WR_QUEUED_SOURCE_EPOCH 0, 1

/*
 * dma_write: a TLP to be
 */
#define REC_WR_PIECE_W 105
struct rec_wr_piece {
	uint64_t addr;
	uint16_t len;
	uint8_t last; /* of its command */
	struct rec_wr_source source;
};
#define REC_WR_PIECE_FIELDS(F) \
	F(addr, addr, 41, 64) \
	F(len, len, 28, 13) \
	F(last, last, 27, 1) \
	F(source_payload, source.payload, 26, 1) \
	F(source_relaxed, source.relaxed, 25, 1) \
	F(source_func, source.func, 17, 8) \
	F(source_ticket, source.ticket, 1, 16) \
	F(source_epoch, source.epoch, 0, 1)
#define REC_WR_PIECE_ADDR 41, 64
#define REC_WR_PIECE_LEN 28, 13
#define REC_WR_PIECE_LAST 27, 1
#define REC_WR_PIECE_SOURCE 0, 27
#define REC_WR_PIECE_SOURCE_PAYLOAD 26, 1
#define REC_WR_PIECE_SOURCE_RELAXED 25, 1
#define REC_WR_PIECE_SOURCE_FUNC 17, 8
#define REC_WR_PIECE_SOURCE_TICKET 1, 16
#define REC_WR_PIECE_SOURCE_EPOCH 0, 1

/*
 * dma_write: a TLP that is complete in the buffer, and what of its header is not the same in all
 */
#define REC_WR_TLP_W 130
struct rec_wr_tlp {
	uint8_t wide; /* 4 DW */
	uint8_t relaxed;
	uint16_t length;
	uint16_t reqid;
	uint8_t lbe;
	uint8_t fbe;
	uint64_t addr; /* as it stands in the header */
	uint16_t len;
	uint8_t none; /* no TLP: the command had no bytes */
	uint8_t last; /* of its command */
	uint16_t ticket;
	uint8_t epoch;
};
#define REC_WR_TLP_FIELDS(F) \
	F(wide, wide, 129, 1) \
	F(relaxed, relaxed, 128, 1) \
	F(length, length, 118, 10) \
	F(reqid, reqid, 102, 16) \
	F(lbe, lbe, 98, 4) \
	F(fbe, fbe, 94, 4) \
	F(addr, addr, 32, 62) \
	F(len, len, 19, 13) \
	F(none, none, 18, 1) \
	F(last, last, 17, 1) \
	F(ticket, ticket, 1, 16) \
	F(epoch, epoch, 0, 1)
#define REC_WR_TLP_WIDE 129, 1
#define REC_WR_TLP_RELAXED 128, 1
#define REC_WR_TLP_LENGTH 118, 10
#define REC_WR_TLP_REQID 102, 16
#define REC_WR_TLP_LBE 98, 4
#define REC_WR_TLP_FBE 94, 4
#define REC_WR_TLP_ADDR 32, 62
#define REC_WR_TLP_LEN 19, 13
#define REC_WR_TLP_NONE 18, 1
#define REC_WR_TLP_LAST 17, 1
#define REC_WR_TLP_TICKET 1, 16
#define REC_WR_TLP_EPOCH 0, 1

/*
 * Bytes of a packet that the RX pool's reader is asked for (rx_pool_read)
 */
#define REC_POOL_READ_W 35
struct rec_pool_read {
	uint16_t cell_head;
	uint8_t off;
	uint16_t len; /* 0: only free */
	uint8_t first; /* start at cell_head and off; else go on where the last command ended */
	uint8_t free; /* the packet's cells go back behind this command */
};
#define REC_POOL_READ_FIELDS(F) \
	F(cell_head, cell_head, 23, 12) \
	F(off, off, 15, 8) \
	F(len, len, 2, 13) \
	F(first, first, 1, 1) \
	F(free, free, 0, 1)
#define REC_POOL_READ_CELL_HEAD 23, 12
#define REC_POOL_READ_OFF 15, 8
#define REC_POOL_READ_LEN 2, 13
#define REC_POOL_READ_FIRST 1, 1
#define REC_POOL_READ_FREE 0, 1

/*
 * What the RX front end knows of a packet once its ICRC is right. One record per packet, in arrival order.
 */
#define REC_RX_META_W 740
struct rec_rx_meta {
	uint16_t cell_head;
	uint8_t has_cells; /* payload present in the pool; the consumer of the record must free it */
	uint8_t pay_off; /* payload's first byte in the first cell (cells hold the raw frame) */
	uint16_t pay_len; /* without pad */
	uint8_t pad;
	uint8_t ip_off; /* IP header's first byte in the first cell (GRH area of UD) */
	uint8_t opcode;
	uint32_t opflags; /* cairn_pkt_pkg::OPF_* of the opcode */
	uint8_t se;
	uint8_t ackreq;
	uint8_t ce; /* ECN congestion experienced */
	uint8_t ipv6;
	uint8_t has_tag; /* 802.1Q tag */
	uint8_t prio; /* its priority, 0 without */
	uint8_t sgid_index; /* GID table entry that the destination address matched */
	uint8_t mcast;
	uint16_t pkey;
	uint32_t qpn;
	uint32_t psn;
	uint64_t sip[2]; /* source GID, wire order: byte 0 in bits 127:120 */
	uint64_t va; /* RETH or AtomicETH */
	uint32_t key; /* RETH/AtomicETH R_Key or IETH */
	uint32_t len; /* RETH DMA length */
	uint32_t aeth; /* syndrome 31:24, MSN 23:0 */
	uint32_t imm; /* ImmDt as received: first wire byte in 31:24 */
	uint64_t swap_add; /* AtomicETH; ATOMIC_ACK: original value */
	uint64_t compare;
	uint32_t qkey; /* DETH */
	uint32_t src_qp;
	uint16_t sport;
	uint64_t smac;
	uint8_t epoch;
	uint16_t slot; /* filled in by qp_lookup */
	uint8_t gen; /* filled in by qp_lookup */
};
#define REC_RX_META_FIELDS(F) \
	F(cell_head, cell_head, 728, 12) \
	F(has_cells, has_cells, 727, 1) \
	F(pay_off, pay_off, 719, 8) \
	F(pay_len, pay_len, 706, 13) \
	F(pad, pad, 704, 2) \
	F(ip_off, ip_off, 696, 8) \
	F(opcode, opcode, 688, 8) \
	F(opflags, opflags, 670, 18) \
	F(se, se, 669, 1) \
	F(ackreq, ackreq, 668, 1) \
	F(ce, ce, 667, 1) \
	F(ipv6, ipv6, 666, 1) \
	F(has_tag, has_tag, 665, 1) \
	F(prio, prio, 662, 3) \
	F(sgid_index, sgid_index, 654, 8) \
	F(mcast, mcast, 653, 1) \
	F(pkey, pkey, 637, 16) \
	F(qpn, qpn, 613, 24) \
	F(psn, psn, 589, 24) \
	F(sip_0, sip[0], 461, 64) \
	F(sip_1, sip[1], 525, 64) \
	F(va, va, 397, 64) \
	F(key, key, 365, 32) \
	F(len, len, 333, 32) \
	F(aeth, aeth, 301, 32) \
	F(imm, imm, 269, 32) \
	F(swap_add, swap_add, 205, 64) \
	F(compare, compare, 141, 64) \
	F(qkey, qkey, 109, 32) \
	F(src_qp, src_qp, 85, 24) \
	F(sport, sport, 69, 16) \
	F(smac, smac, 21, 48) \
	F(epoch, epoch, 20, 1) \
	F(slot, slot, 8, 12) \
	F(gen, gen, 0, 8)
#define REC_RX_META_CELL_HEAD 728, 12
#define REC_RX_META_HAS_CELLS 727, 1
#define REC_RX_META_PAY_OFF 719, 8
#define REC_RX_META_PAY_LEN 706, 13
#define REC_RX_META_PAD 704, 2
#define REC_RX_META_IP_OFF 696, 8
#define REC_RX_META_OPCODE 688, 8
#define REC_RX_META_OPFLAGS 670, 18
#define REC_RX_META_SE 669, 1
#define REC_RX_META_ACKREQ 668, 1
#define REC_RX_META_CE 667, 1
#define REC_RX_META_IPV6 666, 1
#define REC_RX_META_HAS_TAG 665, 1
#define REC_RX_META_PRIO 662, 3
#define REC_RX_META_SGID_INDEX 654, 8
#define REC_RX_META_MCAST 653, 1
#define REC_RX_META_PKEY 637, 16
#define REC_RX_META_QPN 613, 24
#define REC_RX_META_PSN 589, 24
#define REC_RX_META_SIP 461, 128
#define REC_RX_META_VA 397, 64
#define REC_RX_META_KEY 365, 32
#define REC_RX_META_LEN 333, 32
#define REC_RX_META_AETH 301, 32
#define REC_RX_META_IMM 269, 32
#define REC_RX_META_SWAP_ADD 205, 64
#define REC_RX_META_COMPARE 141, 64
#define REC_RX_META_QKEY 109, 32
#define REC_RX_META_SRC_QP 85, 24
#define REC_RX_META_SPORT 69, 16
#define REC_RX_META_SMAC 21, 48
#define REC_RX_META_EPOCH 20, 1
#define REC_RX_META_SLOT 8, 12
#define REC_RX_META_GEN 0, 8

/*
 * A packet that its QP takes, for the engine that takes it (rx_dispatch)
 */
#define REC_RX_PKT_W 1252
struct rec_rx_pkt {
	uint64_t cfg[8]; /* the QP's part cfg */
	struct rec_rx_meta meta;
};
#define REC_RX_PKT_FIELDS(F) \
	F(cfg_0, cfg[0], 740, 64) \
	F(cfg_1, cfg[1], 804, 64) \
	F(cfg_2, cfg[2], 868, 64) \
	F(cfg_3, cfg[3], 932, 64) \
	F(cfg_4, cfg[4], 996, 64) \
	F(cfg_5, cfg[5], 1060, 64) \
	F(cfg_6, cfg[6], 1124, 64) \
	F(cfg_7, cfg[7], 1188, 64) \
	F(meta_cell_head, meta.cell_head, 728, 12) \
	F(meta_has_cells, meta.has_cells, 727, 1) \
	F(meta_pay_off, meta.pay_off, 719, 8) \
	F(meta_pay_len, meta.pay_len, 706, 13) \
	F(meta_pad, meta.pad, 704, 2) \
	F(meta_ip_off, meta.ip_off, 696, 8) \
	F(meta_opcode, meta.opcode, 688, 8) \
	F(meta_opflags, meta.opflags, 670, 18) \
	F(meta_se, meta.se, 669, 1) \
	F(meta_ackreq, meta.ackreq, 668, 1) \
	F(meta_ce, meta.ce, 667, 1) \
	F(meta_ipv6, meta.ipv6, 666, 1) \
	F(meta_has_tag, meta.has_tag, 665, 1) \
	F(meta_prio, meta.prio, 662, 3) \
	F(meta_sgid_index, meta.sgid_index, 654, 8) \
	F(meta_mcast, meta.mcast, 653, 1) \
	F(meta_pkey, meta.pkey, 637, 16) \
	F(meta_qpn, meta.qpn, 613, 24) \
	F(meta_psn, meta.psn, 589, 24) \
	F(meta_sip_0, meta.sip[0], 461, 64) \
	F(meta_sip_1, meta.sip[1], 525, 64) \
	F(meta_va, meta.va, 397, 64) \
	F(meta_key, meta.key, 365, 32) \
	F(meta_len, meta.len, 333, 32) \
	F(meta_aeth, meta.aeth, 301, 32) \
	F(meta_imm, meta.imm, 269, 32) \
	F(meta_swap_add, meta.swap_add, 205, 64) \
	F(meta_compare, meta.compare, 141, 64) \
	F(meta_qkey, meta.qkey, 109, 32) \
	F(meta_src_qp, meta.src_qp, 85, 24) \
	F(meta_sport, meta.sport, 69, 16) \
	F(meta_smac, meta.smac, 21, 48) \
	F(meta_epoch, meta.epoch, 20, 1) \
	F(meta_slot, meta.slot, 8, 12) \
	F(meta_gen, meta.gen, 0, 8)
#define REC_RX_PKT_CFG 740, 512
#define REC_RX_PKT_META 0, 740
#define REC_RX_PKT_META_CELL_HEAD 728, 12
#define REC_RX_PKT_META_HAS_CELLS 727, 1
#define REC_RX_PKT_META_PAY_OFF 719, 8
#define REC_RX_PKT_META_PAY_LEN 706, 13
#define REC_RX_PKT_META_PAD 704, 2
#define REC_RX_PKT_META_IP_OFF 696, 8
#define REC_RX_PKT_META_OPCODE 688, 8
#define REC_RX_PKT_META_OPFLAGS 670, 18
#define REC_RX_PKT_META_SE 669, 1
#define REC_RX_PKT_META_ACKREQ 668, 1
#define REC_RX_PKT_META_CE 667, 1
#define REC_RX_PKT_META_IPV6 666, 1
#define REC_RX_PKT_META_HAS_TAG 665, 1
#define REC_RX_PKT_META_PRIO 662, 3
#define REC_RX_PKT_META_SGID_INDEX 654, 8
#define REC_RX_PKT_META_MCAST 653, 1
#define REC_RX_PKT_META_PKEY 637, 16
#define REC_RX_PKT_META_QPN 613, 24
#define REC_RX_PKT_META_PSN 589, 24
#define REC_RX_PKT_META_SIP 461, 128
#define REC_RX_PKT_META_VA 397, 64
#define REC_RX_PKT_META_KEY 365, 32
#define REC_RX_PKT_META_LEN 333, 32
#define REC_RX_PKT_META_AETH 301, 32
#define REC_RX_PKT_META_IMM 269, 32
#define REC_RX_PKT_META_SWAP_ADD 205, 64
#define REC_RX_PKT_META_COMPARE 141, 64
#define REC_RX_PKT_META_QKEY 109, 32
#define REC_RX_PKT_META_SRC_QP 85, 24
#define REC_RX_PKT_META_SPORT 69, 16
#define REC_RX_PKT_META_SMAC 21, 48
#define REC_RX_PKT_META_EPOCH 20, 1
#define REC_RX_PKT_META_SLOT 8, 12
#define REC_RX_PKT_META_GEN 0, 8

/*
 * Address vector: all that the headers of one packet need besides the transport fields.
 */
#define REC_AV_W 294
struct rec_av {
	uint64_t dmac;
	uint64_t dgid[2]; /* byte 0 in 127:120; IPv4-mapped for IPv4 */
	uint8_t ipv6;
	uint8_t sgid_index;
	uint16_t sport;
	uint8_t tclass;
	uint8_t hop;
	uint32_t flow;
	uint8_t vlan;
	uint16_t tci;
	uint16_t pkey;
	uint32_t dest_qp;
};
#define REC_AV_FIELDS(F) \
	F(dmac, dmac, 246, 48) \
	F(dgid_0, dgid[0], 118, 64) \
	F(dgid_1, dgid[1], 182, 64) \
	F(ipv6, ipv6, 117, 1) \
	F(sgid_index, sgid_index, 109, 8) \
	F(sport, sport, 93, 16) \
	F(tclass, tclass, 85, 8) \
	F(hop, hop, 77, 8) \
	F(flow, flow, 57, 20) \
	F(vlan, vlan, 56, 1) \
	F(tci, tci, 40, 16) \
	F(pkey, pkey, 24, 16) \
	F(dest_qp, dest_qp, 0, 24)
#define REC_AV_DMAC 246, 48
#define REC_AV_DGID 118, 128
#define REC_AV_IPV6 117, 1
#define REC_AV_SGID_INDEX 109, 8
#define REC_AV_SPORT 93, 16
#define REC_AV_TCLASS 85, 8
#define REC_AV_HOP 77, 8
#define REC_AV_FLOW 57, 20
#define REC_AV_VLAN 56, 1
#define REC_AV_TCI 40, 16
#define REC_AV_PKEY 24, 16
#define REC_AV_DEST_QP 0, 24

/* Kinds of tx_job */
enum rec_txk {
	REC_TXK_REQ = 0, /* request, discarded when its send_epoch is stale */
	REC_TXK_RSP = 1, /* READ response or ATOMIC_ACK */
	REC_TXK_ACK = 2, /* ACK or NAK */
};

/*
 * What the extension headers of a packet carry.
 */
#define REC_TX_ARGS_W 320
struct rec_tx_args {
	uint64_t va; /* RETH / AtomicETH */
	uint32_t key; /* R_Key or IETH */
	uint32_t len; /* RETH length */
	uint32_t imm; /* ImmDt, first wire byte in 31:24 */
	uint32_t aeth;
	uint64_t swap_add; /* or original value */
	uint64_t compare;
};
#define REC_TX_ARGS_FIELDS(F) \
	F(va, va, 256, 64) \
	F(key, key, 224, 32) \
	F(len, len, 192, 32) \
	F(imm, imm, 160, 32) \
	F(aeth, aeth, 128, 32) \
	F(swap_add, swap_add, 64, 64) \
	F(compare, compare, 0, 64)
#define REC_TX_ARGS_VA 256, 64
#define REC_TX_ARGS_KEY 224, 32
#define REC_TX_ARGS_LEN 192, 32
#define REC_TX_ARGS_IMM 160, 32
#define REC_TX_ARGS_AETH 128, 32
#define REC_TX_ARGS_SWAP_ADD 64, 64
#define REC_TX_ARGS_COMPARE 0, 64

/*
 * Transmit job: one packet.
 */
#define REC_TX_JOB_W 750
struct rec_tx_job {
	uint8_t kind; /* enum rec_txk */
	uint32_t qpn; /* local QP */
	uint16_t slot;
	uint8_t gen;
	uint8_t send_epoch;
	uint8_t epoch;
	uint8_t opcode;
	uint32_t psn;
	uint8_t ackreq;
	uint8_t se;
	uint8_t retx; /* sent before (counter) */
	uint16_t pay_len; /* without pad */
	struct rec_tx_args args;
	uint32_t qkey;
	struct rec_av av;
};
#define REC_TX_JOB_FIELDS(F) \
	F(kind, kind, 747, 3) \
	F(qpn, qpn, 723, 24) \
	F(slot, slot, 711, 12) \
	F(gen, gen, 703, 8) \
	F(send_epoch, send_epoch, 695, 8) \
	F(epoch, epoch, 694, 1) \
	F(opcode, opcode, 686, 8) \
	F(psn, psn, 662, 24) \
	F(ackreq, ackreq, 661, 1) \
	F(se, se, 660, 1) \
	F(retx, retx, 659, 1) \
	F(pay_len, pay_len, 646, 13) \
	F(args_va, args.va, 582, 64) \
	F(args_key, args.key, 550, 32) \
	F(args_len, args.len, 518, 32) \
	F(args_imm, args.imm, 486, 32) \
	F(args_aeth, args.aeth, 454, 32) \
	F(args_swap_add, args.swap_add, 390, 64) \
	F(args_compare, args.compare, 326, 64) \
	F(qkey, qkey, 294, 32) \
	F(av_dmac, av.dmac, 246, 48) \
	F(av_dgid_0, av.dgid[0], 118, 64) \
	F(av_dgid_1, av.dgid[1], 182, 64) \
	F(av_ipv6, av.ipv6, 117, 1) \
	F(av_sgid_index, av.sgid_index, 109, 8) \
	F(av_sport, av.sport, 93, 16) \
	F(av_tclass, av.tclass, 85, 8) \
	F(av_hop, av.hop, 77, 8) \
	F(av_flow, av.flow, 57, 20) \
	F(av_vlan, av.vlan, 56, 1) \
	F(av_tci, av.tci, 40, 16) \
	F(av_pkey, av.pkey, 24, 16) \
	F(av_dest_qp, av.dest_qp, 0, 24)
#define REC_TX_JOB_KIND 747, 3
#define REC_TX_JOB_QPN 723, 24
#define REC_TX_JOB_SLOT 711, 12
#define REC_TX_JOB_GEN 703, 8
#define REC_TX_JOB_SEND_EPOCH 695, 8
#define REC_TX_JOB_EPOCH 694, 1
#define REC_TX_JOB_OPCODE 686, 8
#define REC_TX_JOB_PSN 662, 24
#define REC_TX_JOB_ACKREQ 661, 1
#define REC_TX_JOB_SE 660, 1
#define REC_TX_JOB_RETX 659, 1
#define REC_TX_JOB_PAY_LEN 646, 13
#define REC_TX_JOB_ARGS 326, 320
#define REC_TX_JOB_ARGS_VA 582, 64
#define REC_TX_JOB_ARGS_KEY 550, 32
#define REC_TX_JOB_ARGS_LEN 518, 32
#define REC_TX_JOB_ARGS_IMM 486, 32
#define REC_TX_JOB_ARGS_AETH 454, 32
#define REC_TX_JOB_ARGS_SWAP_ADD 390, 64
#define REC_TX_JOB_ARGS_COMPARE 326, 64
#define REC_TX_JOB_QKEY 294, 32
#define REC_TX_JOB_AV 0, 294
#define REC_TX_JOB_AV_DMAC 246, 48
#define REC_TX_JOB_AV_DGID 118, 128
#define REC_TX_JOB_AV_IPV6 117, 1
#define REC_TX_JOB_AV_SGID_INDEX 109, 8
#define REC_TX_JOB_AV_SPORT 93, 16
#define REC_TX_JOB_AV_TCLASS 85, 8
#define REC_TX_JOB_AV_HOP 77, 8
#define REC_TX_JOB_AV_FLOW 57, 20
#define REC_TX_JOB_AV_VLAN 56, 1
#define REC_TX_JOB_AV_TCI 40, 16
#define REC_TX_JOB_AV_PKEY 24, 16
#define REC_TX_JOB_AV_DEST_QP 0, 24

/*
 * Payload segment of a transmit job: where it comes from. A job's segments follow the job, in payload order, eoj on
 * the last.
 */
#define REC_TX_SEG_W 104
struct rec_tx_seg {
	uint8_t inline_data; /* data comes on the inline port instead of host memory */
	uint8_t func;
	uint64_t iova;
	uint16_t len;
	uint8_t nb_valid;
	uint16_t not_before;
	uint8_t eoj;
};
#define REC_TX_SEG_FIELDS(F) \
	F(inline_data, inline_data, 103, 1) \
	F(func, func, 95, 8) \
	F(iova, iova, 31, 64) \
	F(len, len, 18, 13) \
	F(nb_valid, nb_valid, 17, 1) \
	F(not_before, not_before, 1, 16) \
	F(eoj, eoj, 0, 1)
#define REC_TX_SEG_INLINE_DATA 103, 1
#define REC_TX_SEG_FUNC 95, 8
#define REC_TX_SEG_IOVA 31, 64
#define REC_TX_SEG_LEN 18, 13
#define REC_TX_SEG_NB_VALID 17, 1
#define REC_TX_SEG_NOT_BEFORE 1, 16
#define REC_TX_SEG_EOJ 0, 1

/*
 * Where bytes go in the payload rings
 */
#define REC_TX_DEST_W 22
struct rec_tx_dest {
	uint8_t ring; /* 0: requests */
	uint8_t slot; /* job in the ring */
	uint16_t addr; /* byte address in the ring */
};
#define REC_TX_DEST_FIELDS(F) \
	F(ring, ring, 21, 1) \
	F(slot, slot, 15, 6) \
	F(addr, addr, 0, 15)
#define REC_TX_DEST_RING 21, 1
#define REC_TX_DEST_SLOT 15, 6
#define REC_TX_DEST_ADDR 0, 15

/*
 * Payload of a job in its ring, in words
 */
#define REC_TX_PLACE_W 21
struct rec_tx_place {
	uint16_t word; /* the first */
	uint16_t words; /* how many; 0: no payload */
};
#define REC_TX_PLACE_FIELDS(F) \
	F(word, word, 10, 11) \
	F(words, words, 0, 10)
#define REC_TX_PLACE_WORD 10, 11
#define REC_TX_PLACE_WORDS 0, 10

/*
 * A packet whose payload could not be read from host memory
 */
#define REC_TX_LOST_W 56
struct rec_tx_lost {
	uint32_t qpn;
	uint8_t gen;
	uint32_t psn;
};
#define REC_TX_LOST_FIELDS(F) \
	F(qpn, qpn, 32, 24) \
	F(gen, gen, 24, 8) \
	F(psn, psn, 0, 24)
#define REC_TX_LOST_QPN 32, 24
#define REC_TX_LOST_GEN 24, 8
#define REC_TX_LOST_PSN 0, 24

/*
 * How far a QP without acknowledgements has come: a packet of it needs host memory no more (tx_sent)
 */
#define REC_TX_LEFT_W 57
struct rec_tx_left {
	uint32_t qpn;
	uint8_t gen;
	uint32_t psn; /* the one behind it */
	uint8_t last; /* last packet of its message */
};
#define REC_TX_LEFT_FIELDS(F) \
	F(qpn, qpn, 33, 24) \
	F(gen, gen, 25, 8) \
	F(psn, psn, 1, 24) \
	F(last, last, 0, 1)
#define REC_TX_LEFT_QPN 33, 24
#define REC_TX_LEFT_GEN 25, 8
#define REC_TX_LEFT_PSN 1, 24
#define REC_TX_LEFT_LAST 0, 1

/*
 * Bytes in host memory of a packet to be sent (req_send)
 */
#define REC_TX_PIECE_W 85
struct rec_tx_piece {
	uint8_t func;
	uint64_t iova;
	uint16_t len;
};
#define REC_TX_PIECE_FIELDS(F) \
	F(func, func, 77, 8) \
	F(iova, iova, 13, 64) \
	F(len, len, 0, 13)
#define REC_TX_PIECE_FUNC 77, 8
#define REC_TX_PIECE_IOVA 13, 64
#define REC_TX_PIECE_LEN 0, 13

#define REC_MRC_REQ 0 /* requester: local keys of sends */
#define REC_MRC_RSP 1 /* responder: remote keys, local keys of receives */
#define REC_MRC_CMP 2 /* completer: local keys of READ and atomic results */
#define REC_MRC_RD 3 /* responder, rsp_tx: remote keys of READs that are answered */
#define REC_MRC_N 4

/*
 * Request to the MR service
 */
#define REC_MR_REQ_W 200
struct rec_mr_req {
	uint32_t key;
	uint32_t pd;
	uint32_t qpn;
	uint64_t va;
	uint16_t len; /* bytes to translate, 1..4096 */
	uint32_t chk_len; /* bytes to check against the bounds from va on (>= len), e.g. the whole READ */
	uint8_t rights; /* all of these access bits must be set (enum access); 0 = local read */
	uint8_t remote; /* remote key: windows allowed */
	uint8_t inv; /* only check that a peer's SEND may invalidate the key */
	uint8_t last; /* last request of this packet: the answer repeats it */
};
#define REC_MR_REQ_FIELDS(F) \
	F(key, key, 168, 32) \
	F(pd, pd, 144, 24) \
	F(qpn, qpn, 120, 24) \
	F(va, va, 56, 64) \
	F(len, len, 43, 13) \
	F(chk_len, chk_len, 11, 32) \
	F(rights, rights, 3, 8) \
	F(remote, remote, 2, 1) \
	F(inv, inv, 1, 1) \
	F(last, last, 0, 1)
#define REC_MR_REQ_KEY 168, 32
#define REC_MR_REQ_PD 144, 24
#define REC_MR_REQ_QPN 120, 24
#define REC_MR_REQ_VA 56, 64
#define REC_MR_REQ_LEN 43, 13
#define REC_MR_REQ_CHK_LEN 11, 32
#define REC_MR_REQ_RIGHTS 3, 8
#define REC_MR_REQ_REMOTE 2, 1
#define REC_MR_REQ_INV 1, 1
#define REC_MR_REQ_LAST 0, 1

/* Outcomes of an MR request */
enum rec_mrs {
	REC_MRS_OK = 0,
	REC_MRS_MISS = 1, /* a fill is under way; ask again after a fill */
	REC_MRS_ERR = 2, /* vendor says why (enum vendor_err) */
};

/*
 * Answer of the MR service
 */
#define REC_MR_RSP_W 173
struct rec_mr_rsp {
	uint8_t status; /* enum rec_mrs */
	uint8_t vendor;
	uint8_t func;
	uint64_t iova0;
	uint16_t len0;
	uint64_t iova1; /* second page, len1 = 0 when the bytes lie in one piece */
	uint16_t len1;
	uint8_t last;
};
#define REC_MR_RSP_FIELDS(F) \
	F(status, status, 171, 2) \
	F(vendor, vendor, 163, 8) \
	F(func, func, 155, 8) \
	F(iova0, iova0, 91, 64) \
	F(len0, len0, 78, 13) \
	F(iova1, iova1, 14, 64) \
	F(len1, len1, 1, 13) \
	F(last, last, 0, 1)
#define REC_MR_RSP_STATUS 171, 2
#define REC_MR_RSP_VENDOR 163, 8
#define REC_MR_RSP_FUNC 155, 8
#define REC_MR_RSP_IOVA0 91, 64
#define REC_MR_RSP_LEN0 78, 13
#define REC_MR_RSP_IOVA1 14, 64
#define REC_MR_RSP_LEN1 1, 13
#define REC_MR_RSP_LAST 0, 1

/*
 * Where the bytes of an MR request lie, as in mr_rsp
 */
#define REC_MR_PLACE_W 162
struct rec_mr_place {
	uint8_t func;
	uint64_t iova0;
	uint16_t len0;
	uint64_t iova1;
	uint16_t len1; /* 0: no second piece */
};
#define REC_MR_PLACE_FIELDS(F) \
	F(func, func, 154, 8) \
	F(iova0, iova0, 90, 64) \
	F(len0, len0, 77, 13) \
	F(iova1, iova1, 13, 64) \
	F(len1, len1, 0, 13)
#define REC_MR_PLACE_FUNC 154, 8
#define REC_MR_PLACE_IOVA0 90, 64
#define REC_MR_PLACE_LEN0 77, 13
#define REC_MR_PLACE_IOVA1 13, 64
#define REC_MR_PLACE_LEN1 0, 13

/*
 * What the record of a region or window says of a request for it
 */
#define REC_MR_SAYS_W 249
struct rec_mr_says {
	uint8_t below; /* the address is before its first byte */
	uint64_t off; /* from its first byte */
	uint32_t lead; /* its first byte, from the beginning of that one's page */
	uint64_t map;
	uint64_t length;
	uint8_t page; /* size of its pages */
	uint8_t paged;
	uint8_t func;
	uint8_t none; /* it is free or was freed */
	uint8_t bad_key;
	uint8_t bad_pd;
	uint8_t bad_rights;
	uint8_t inv_err; /* why it cannot be invalidated */
	uint8_t result; /* of the look-up: enum ctx_result */
};
#define REC_MR_SAYS_FIELDS(F) \
	F(below, below, 248, 1) \
	F(off, off, 184, 64) \
	F(lead, lead, 154, 30) \
	F(map, map, 90, 64) \
	F(length, length, 26, 64) \
	F(page, page, 24, 2) \
	F(paged, paged, 23, 1) \
	F(func, func, 15, 8) \
	F(none, none, 14, 1) \
	F(bad_key, bad_key, 13, 1) \
	F(bad_pd, bad_pd, 12, 1) \
	F(bad_rights, bad_rights, 11, 1) \
	F(inv_err, inv_err, 3, 8) \
	F(result, result, 0, 3)
#define REC_MR_SAYS_BELOW 248, 1
#define REC_MR_SAYS_OFF 184, 64
#define REC_MR_SAYS_LEAD 154, 30
#define REC_MR_SAYS_MAP 90, 64
#define REC_MR_SAYS_LENGTH 26, 64
#define REC_MR_SAYS_PAGE 24, 2
#define REC_MR_SAYS_PAGED 23, 1
#define REC_MR_SAYS_FUNC 15, 8
#define REC_MR_SAYS_NONE 14, 1
#define REC_MR_SAYS_BAD_KEY 13, 1
#define REC_MR_SAYS_BAD_PD 12, 1
#define REC_MR_SAYS_BAD_RIGHTS 11, 1
#define REC_MR_SAYS_INV_ERR 3, 8
#define REC_MR_SAYS_RESULT 0, 3

/*
 * mr_lookup: a request on its way through the MPT cache
 */
#define REC_MR_ASKED_W 202
struct rec_mr_asked {
	uint8_t client; /* MRC_* */
	struct rec_mr_req req;
};
#define REC_MR_ASKED_FIELDS(F) \
	F(client, client, 200, 2) \
	F(req_key, req.key, 168, 32) \
	F(req_pd, req.pd, 144, 24) \
	F(req_qpn, req.qpn, 120, 24) \
	F(req_va, req.va, 56, 64) \
	F(req_len, req.len, 43, 13) \
	F(req_chk_len, req.chk_len, 11, 32) \
	F(req_rights, req.rights, 3, 8) \
	F(req_remote, req.remote, 2, 1) \
	F(req_inv, req.inv, 1, 1) \
	F(req_last, req.last, 0, 1)
#define REC_MR_ASKED_CLIENT 200, 2
#define REC_MR_ASKED_REQ 0, 200
#define REC_MR_ASKED_REQ_KEY 168, 32
#define REC_MR_ASKED_REQ_PD 144, 24
#define REC_MR_ASKED_REQ_QPN 120, 24
#define REC_MR_ASKED_REQ_VA 56, 64
#define REC_MR_ASKED_REQ_LEN 43, 13
#define REC_MR_ASKED_REQ_CHK_LEN 11, 32
#define REC_MR_ASKED_REQ_RIGHTS 3, 8
#define REC_MR_ASKED_REQ_REMOTE 2, 1
#define REC_MR_ASKED_REQ_INV 1, 1
#define REC_MR_ASKED_REQ_LAST 0, 1

/*
 * mr_lookup to mr_translate: a request that has been checked
 */
#define REC_MR_LOOK_W 144
struct rec_mr_look {
	uint8_t client; /* MRC_* */
	uint8_t paged; /* the pages are still to be found: at, offset */
	uint8_t page; /* their size: 4 K, 64 K, 2 M, 1 G */
	uint64_t at; /* entry of the first page in the page list table; not paged: where the bytes lie */
	uint32_t offset; /* in that page */
	uint8_t status; /* enum rec_mrs */
	uint8_t vendor;
	uint8_t func;
	uint16_t len0; /* bytes in the first page */
	uint16_t len1; /* in the second one */
	uint8_t last;
};
#define REC_MR_LOOK_FIELDS(F) \
	F(client, client, 142, 2) \
	F(paged, paged, 141, 1) \
	F(page, page, 139, 2) \
	F(at, at, 75, 64) \
	F(offset, offset, 45, 30) \
	F(status, status, 43, 2) \
	F(vendor, vendor, 35, 8) \
	F(func, func, 27, 8) \
	F(len0, len0, 14, 13) \
	F(len1, len1, 1, 13) \
	F(last, last, 0, 1)
#define REC_MR_LOOK_CLIENT 142, 2
#define REC_MR_LOOK_PAGED 141, 1
#define REC_MR_LOOK_PAGE 139, 2
#define REC_MR_LOOK_AT 75, 64
#define REC_MR_LOOK_OFFSET 45, 30
#define REC_MR_LOOK_STATUS 43, 2
#define REC_MR_LOOK_VENDOR 35, 8
#define REC_MR_LOOK_FUNC 27, 8
#define REC_MR_LOOK_LEN0 14, 13
#define REC_MR_LOOK_LEN1 1, 13
#define REC_MR_LOOK_LAST 0, 1

/*
 * mpt_resident: what a build without windows needs of a key's record
 */
#define REC_MPT_KEPT_W 273
struct rec_mpt_kept {
	uint32_t key;
	uint8_t func;
	uint8_t page_log2;
	uint8_t access;
	uint8_t freed;
	uint8_t mode;
	uint32_t pd;
	uint64_t base;
	uint64_t length;
	uint64_t map;
};
#define REC_MPT_KEPT_FIELDS(F) \
	F(key, key, 241, 32) \
	F(func, func, 233, 8) \
	F(page_log2, page_log2, 227, 6) \
	F(access, access, 219, 8) \
	F(freed, freed, 218, 1) \
	F(mode, mode, 216, 2) \
	F(pd, pd, 192, 24) \
	F(base, base, 128, 64) \
	F(length, length, 64, 64) \
	F(map, map, 0, 64)
#define REC_MPT_KEPT_KEY 241, 32
#define REC_MPT_KEPT_FUNC 233, 8
#define REC_MPT_KEPT_PAGE_LOG2 227, 6
#define REC_MPT_KEPT_ACCESS 219, 8
#define REC_MPT_KEPT_FREED 218, 1
#define REC_MPT_KEPT_MODE 216, 2
#define REC_MPT_KEPT_PD 192, 24
#define REC_MPT_KEPT_BASE 128, 64
#define REC_MPT_KEPT_LENGTH 64, 64
#define REC_MPT_KEPT_MAP 0, 64

/*
 * mr_translate: entries of the page list table, as the cache answers
 */
#define REC_MTT_PAIR_W 131
struct rec_mtt_pair {
	uint8_t status; /* enum ctx_result */
	uint64_t entry; /* the one that is wanted */
	uint64_t behind; /* the next one, if it is in the same line */
};
#define REC_MTT_PAIR_FIELDS(F) \
	F(status, status, 128, 3) \
	F(entry, entry, 64, 64) \
	F(behind, behind, 0, 64)
#define REC_MTT_PAIR_STATUS 128, 3
#define REC_MTT_PAIR_ENTRY 64, 64
#define REC_MTT_PAIR_BEHIND 0, 64

#define REC_MUC_REQ 0 /* requester: local operations */
#define REC_MUC_RSP 1 /* responder: SEND with invalidate */
#define REC_MUC_N 2

/* Changes of a key */
enum rec_muo {
	REC_MUO_INV = 0, /* local invalidate: region or type 2 window of the PD */
	REC_MUO_RINV = 1, /* the same for a peer */
	REC_MUO_REG = 2, /* fast registration */
	REC_MUO_BIND = 3, /* bind a type 2 window */
};

/*
 * Change of a key, for mr_update
 */
#define REC_MR_UPD_W 322
struct rec_mr_upd {
	uint8_t op; /* enum rec_muo */
	uint32_t key;
	uint32_t pd;
	uint32_t qpn;
	uint64_t addr;
	uint64_t length;
	uint64_t page_list; /* REG: index of the first MTT entry */
	uint32_t mr_key; /* BIND: the region */
	uint8_t access;
	uint8_t page_log2; /* REG */
};
#define REC_MR_UPD_FIELDS(F) \
	F(op, op, 320, 2) \
	F(key, key, 288, 32) \
	F(pd, pd, 264, 24) \
	F(qpn, qpn, 240, 24) \
	F(addr, addr, 176, 64) \
	F(length, length, 112, 64) \
	F(page_list, page_list, 48, 64) \
	F(mr_key, mr_key, 16, 32) \
	F(access, access, 8, 8) \
	F(page_log2, page_log2, 0, 8)
#define REC_MR_UPD_OP 320, 2
#define REC_MR_UPD_KEY 288, 32
#define REC_MR_UPD_PD 264, 24
#define REC_MR_UPD_QPN 240, 24
#define REC_MR_UPD_ADDR 176, 64
#define REC_MR_UPD_LENGTH 112, 64
#define REC_MR_UPD_PAGE_LIST 48, 64
#define REC_MR_UPD_MR_KEY 16, 32
#define REC_MR_UPD_ACCESS 8, 8
#define REC_MR_UPD_PAGE_LOG2 0, 8

/*
 * Flags of a completion: bits 23:16 of cqe.wqe
 */
#define REC_CQE_FLAGS_W 8
struct rec_cqe_flags {
	uint8_t rsvd; /* 0 */
	uint8_t srq;
	uint8_t inv;
	uint8_t imm;
	uint8_t is_sq;
	uint8_t solicited;
	uint8_t grh;
};
#define REC_CQE_FLAGS_FIELDS(F) \
	F(rsvd, rsvd, 6, 2) \
	F(srq, srq, 5, 1) \
	F(inv, inv, 4, 1) \
	F(imm, imm, 3, 1) \
	F(is_sq, is_sq, 2, 1) \
	F(solicited, solicited, 1, 1) \
	F(grh, grh, 0, 1)
#define REC_CQE_FLAGS_RSVD 6, 2
#define REC_CQE_FLAGS_SRQ 5, 1
#define REC_CQE_FLAGS_INV 4, 1
#define REC_CQE_FLAGS_IMM 3, 1
#define REC_CQE_FLAGS_IS_SQ 2, 1
#define REC_CQE_FLAGS_SOLICITED 1, 1
#define REC_CQE_FLAGS_GRH 0, 1

/*
 * Completion to cqe_write. note: no completion but an event of the QP that must not be in memory before its last one:
 * opcode is its enum eqe_type, flags its EQ, imm its data.
 */
#define REC_CQE_REQ_W 191
struct rec_cqe_req {
	uint8_t note;
	uint32_t cqn;
	uint32_t qpn;
	uint8_t opcode; /* enum cqe_op */
	uint32_t byte_len;
	uint32_t imm;
	uint16_t wqe_index;
	struct rec_cqe_flags flags;
	uint32_t src_qp;
	uint8_t net; /* UD: cqe.status bits 12:8 */
	uint8_t vendor;
	uint8_t status;
	uint8_t event_sol; /* counts as solicited or failed for a solicited-only arm */
};
#define REC_CQE_REQ_FIELDS(F) \
	F(note, note, 190, 1) \
	F(cqn, cqn, 166, 24) \
	F(qpn, qpn, 142, 24) \
	F(opcode, opcode, 134, 8) \
	F(byte_len, byte_len, 102, 32) \
	F(imm, imm, 70, 32) \
	F(wqe_index, wqe_index, 54, 16) \
	F(flags_rsvd, flags.rsvd, 52, 2) \
	F(flags_srq, flags.srq, 51, 1) \
	F(flags_inv, flags.inv, 50, 1) \
	F(flags_imm, flags.imm, 49, 1) \
	F(flags_is_sq, flags.is_sq, 48, 1) \
	F(flags_solicited, flags.solicited, 47, 1) \
	F(flags_grh, flags.grh, 46, 1) \
	F(src_qp, src_qp, 22, 24) \
	F(net, net, 17, 5) \
	F(vendor, vendor, 9, 8) \
	F(status, status, 1, 8) \
	F(event_sol, event_sol, 0, 1)
#define REC_CQE_REQ_NOTE 190, 1
#define REC_CQE_REQ_CQN 166, 24
#define REC_CQE_REQ_QPN 142, 24
#define REC_CQE_REQ_OPCODE 134, 8
#define REC_CQE_REQ_BYTE_LEN 102, 32
#define REC_CQE_REQ_IMM 70, 32
#define REC_CQE_REQ_WQE_INDEX 54, 16
#define REC_CQE_REQ_FLAGS 46, 8
#define REC_CQE_REQ_FLAGS_RSVD 52, 2
#define REC_CQE_REQ_FLAGS_SRQ 51, 1
#define REC_CQE_REQ_FLAGS_INV 50, 1
#define REC_CQE_REQ_FLAGS_IMM 49, 1
#define REC_CQE_REQ_FLAGS_IS_SQ 48, 1
#define REC_CQE_REQ_FLAGS_SOLICITED 47, 1
#define REC_CQE_REQ_FLAGS_GRH 46, 1
#define REC_CQE_REQ_SRC_QP 22, 24
#define REC_CQE_REQ_NET 17, 5
#define REC_CQE_REQ_VENDOR 9, 8
#define REC_CQE_REQ_STATUS 1, 8
#define REC_CQE_REQ_EVENT_SOL 0, 1

/*
 * cqe_write: a completion on its way to memory
 */
#define REC_CQE_PUT_W 321
struct rec_cqe_put {
	uint64_t iova;
	uint8_t epoch;
	uint64_t cqe[4]; /* struct cairn_cqe */
};
#define REC_CQE_PUT_FIELDS(F) \
	F(iova, iova, 257, 64) \
	F(epoch, epoch, 256, 1) \
	F(cqe_0, cqe[0], 0, 64) \
	F(cqe_1, cqe[1], 64, 64) \
	F(cqe_2, cqe[2], 128, 64) \
	F(cqe_3, cqe[3], 192, 64)
#define REC_CQE_PUT_IOVA 257, 64
#define REC_CQE_PUT_EPOCH 256, 1
#define REC_CQE_PUT_CQE 0, 256

/*
 * Event to eqe_write.
 */
#define REC_EQE_REQ_W 74
struct rec_eqe_req {
	uint8_t eqn;
	uint8_t etype; /* enum eqe_type */
	uint8_t arm_seq;
	uint32_t number;
	uint32_t data;
};
#define REC_EQE_REQ_FIELDS(F) \
	F(eqn, eqn, 66, 8) \
	F(etype, etype, 58, 8) \
	F(arm_seq, arm_seq, 56, 2) \
	F(number, number, 32, 24) \
	F(data, data, 0, 32)
#define REC_EQE_REQ_EQN 66, 8
#define REC_EQE_REQ_ETYPE 58, 8
#define REC_EQE_REQ_ARM_SEQ 56, 2
#define REC_EQE_REQ_NUMBER 32, 24
#define REC_EQE_REQ_DATA 0, 32

/*
 * What a send WQE asks for, of req_decode for the other stages of the requester.
 */
#define REC_REQ_OP_W 86
struct rec_req_op {
	uint8_t op; /* enum wqe_op */
	uint8_t rc; /* the QP is acknowledged; else UC or UD */
	uint8_t ud; /* UD or GSI: address vector in the WQE, payload from its second block on */
	uint8_t send;
	uint8_t read;
	uint8_t atomic;
	uint8_t local_op; /* LOCAL_INV, REG_MR, BIND_MW */
	uint8_t nop; /* no packet: NOP, or a datagram longer than the MTU */
	uint8_t inv;
	uint8_t res; /* READ or atomic: one of those outstanding */
	uint8_t rwr; /* consumes a receive WQE at the peer */
	uint8_t compare; /* has a compare operand */
	uint8_t inl; /* payload is inline */
	uint8_t nsge;
	uint8_t first; /* its first element, in elements from the start of the WQE */
	uint32_t len;
	uint32_t npsn; /* PSNs of the whole message */
	uint8_t sum0; /* without a list the message has the bytes of the first element */
	uint8_t sum1; /* ... and those of the second element */
};
#define REC_REQ_OP_FIELDS(F) \
	F(op, op, 78, 8) \
	F(rc, rc, 77, 1) \
	F(ud, ud, 76, 1) \
	F(send, send, 75, 1) \
	F(read, read, 74, 1) \
	F(atomic, atomic, 73, 1) \
	F(local_op, local_op, 72, 1) \
	F(nop, nop, 71, 1) \
	F(inv, inv, 70, 1) \
	F(res, res, 69, 1) \
	F(rwr, rwr, 68, 1) \
	F(compare, compare, 67, 1) \
	F(inl, inl, 66, 1) \
	F(nsge, nsge, 61, 5) \
	F(first, first, 58, 3) \
	F(len, len, 26, 32) \
	F(npsn, npsn, 2, 24) \
	F(sum0, sum0, 1, 1) \
	F(sum1, sum1, 0, 1)
#define REC_REQ_OP_OP 78, 8
#define REC_REQ_OP_RC 77, 1
#define REC_REQ_OP_UD 76, 1
#define REC_REQ_OP_SEND 75, 1
#define REC_REQ_OP_READ 74, 1
#define REC_REQ_OP_ATOMIC 73, 1
#define REC_REQ_OP_LOCAL_OP 72, 1
#define REC_REQ_OP_NOP 71, 1
#define REC_REQ_OP_INV 70, 1
#define REC_REQ_OP_RES 69, 1
#define REC_REQ_OP_RWR 68, 1
#define REC_REQ_OP_COMPARE 67, 1
#define REC_REQ_OP_INL 66, 1
#define REC_REQ_OP_NSGE 61, 5
#define REC_REQ_OP_FIRST 58, 3
#define REC_REQ_OP_LEN 26, 32
#define REC_REQ_OP_NPSN 2, 24
#define REC_REQ_OP_SUM0 1, 1
#define REC_REQ_OP_SUM1 0, 1

/* Kinds of req_rec */
enum rec_rqk {
	REC_RQK_PKT = 0, /* a packet; nmr answers of the MR service belong to it */
	REC_RQK_END = 1, /* nothing but the end of the visit */
	REC_RQK_ERR = 2, /* end of the visit: the WQE at next.index is bad (status, vendor) */
	REC_RQK_ADV = 3, /* a WQE without packets: state and descriptor only */
	REC_RQK_LOC = 4, /* A local operation to execute, with which the visit ends: job.args is a local_op */
};

/*
 * Operands of a local operation. As wide as tx_args, in whose place they are.
 */
#define REC_LOCAL_OP_W 320
struct rec_local_op {
	uint64_t addr;
	uint32_t key; /* to invalidate, register or bind */
	uint8_t page_log2; /* REG_MR */
	uint16_t rsvd0; /* 0 */
	uint8_t access;
	uint32_t mr_key; /* BIND_MW: the region */
	uint8_t rsvd1; /* 0 */
	uint32_t pd;
	uint64_t length;
	uint64_t page_list; /* REG_MR: index of the first MTT entry */
};
#define REC_LOCAL_OP_FIELDS(F) \
	F(addr, addr, 256, 64) \
	F(key, key, 224, 32) \
	F(page_log2, page_log2, 216, 8) \
	F(rsvd0, rsvd0, 200, 16) \
	F(access, access, 192, 8) \
	F(mr_key, mr_key, 160, 32) \
	F(rsvd1, rsvd1, 152, 8) \
	F(pd, pd, 128, 24) \
	F(length, length, 64, 64) \
	F(page_list, page_list, 0, 64)
#define REC_LOCAL_OP_ADDR 256, 64
#define REC_LOCAL_OP_KEY 224, 32
#define REC_LOCAL_OP_PAGE_LOG2 216, 8
#define REC_LOCAL_OP_RSVD0 200, 16
#define REC_LOCAL_OP_ACCESS 192, 8
#define REC_LOCAL_OP_MR_KEY 160, 32
#define REC_LOCAL_OP_RSVD1 152, 8
#define REC_LOCAL_OP_PD 128, 24
#define REC_LOCAL_OP_LENGTH 64, 64
#define REC_LOCAL_OP_PAGE_LIST 0, 64

/*
 * Of the record that ends a visit.
 */
#define REC_REQ_ENDING_W 19
struct rec_req_ending {
	uint8_t over; /* the visit ends behind this record */
	uint8_t more; /* with over: give the QP back as still wanting */
	uint8_t commit; /* END: the state in `next` is valid (the walk of a go-back is over) */
	uint8_t status; /* ERR */
	uint8_t vendor; /* ERR */
};
#define REC_REQ_ENDING_FIELDS(F) \
	F(over, over, 18, 1) \
	F(more, more, 17, 1) \
	F(commit, commit, 16, 1) \
	F(status, status, 8, 8) \
	F(vendor, vendor, 0, 8)
#define REC_REQ_ENDING_OVER 18, 1
#define REC_REQ_ENDING_MORE 17, 1
#define REC_REQ_ENDING_COMMIT 16, 1
#define REC_REQ_ENDING_STATUS 8, 8
#define REC_REQ_ENDING_VENDOR 0, 8

/*
 * Payload of a packet.
 */
#define REC_REQ_DATA_W 25
struct rec_req_data {
	uint8_t nmr; /* answers of the MR service that belong to it */
	uint8_t ninl; /* inline segments: the first inl_len0 bytes, then inl_len1 */
	uint8_t inl_len0;
	uint8_t inl_len1;
	uint8_t fenced; /* may be what an earlier READ brought: read it behind every write accepted so far */
};
#define REC_REQ_DATA_FIELDS(F) \
	F(nmr, nmr, 19, 6) \
	F(ninl, ninl, 17, 2) \
	F(inl_len0, inl_len0, 9, 8) \
	F(inl_len1, inl_len1, 1, 8) \
	F(fenced, fenced, 0, 1)
#define REC_REQ_DATA_NMR 19, 6
#define REC_REQ_DATA_NINL 17, 2
#define REC_REQ_DATA_INL_LEN0 9, 8
#define REC_REQ_DATA_INL_LEN1 1, 8
#define REC_REQ_DATA_FENCED 0, 1

/*
 * State of the requester after a packet.
 */
#define REC_REQ_NEXT_W 167
struct rec_req_next {
	uint16_t index;
	uint32_t psn;
	uint32_t msg_offset;
	uint8_t in_msg;
	uint32_t ssn;
	uint32_t free_msg;
	uint8_t since_ackreq;
	uint8_t rd_issued;
	uint32_t msg_psn;
	uint8_t send_epoch;
};
#define REC_REQ_NEXT_FIELDS(F) \
	F(index, index, 151, 16) \
	F(psn, psn, 127, 24) \
	F(msg_offset, msg_offset, 95, 32) \
	F(in_msg, in_msg, 94, 1) \
	F(ssn, ssn, 70, 24) \
	F(free_msg, free_msg, 46, 24) \
	F(since_ackreq, since_ackreq, 40, 6) \
	F(rd_issued, rd_issued, 32, 8) \
	F(msg_psn, msg_psn, 8, 24) \
	F(send_epoch, send_epoch, 0, 8)
#define REC_REQ_NEXT_INDEX 151, 16
#define REC_REQ_NEXT_PSN 127, 24
#define REC_REQ_NEXT_MSG_OFFSET 95, 32
#define REC_REQ_NEXT_IN_MSG 94, 1
#define REC_REQ_NEXT_SSN 70, 24
#define REC_REQ_NEXT_FREE_MSG 46, 24
#define REC_REQ_NEXT_SINCE_ACKREQ 40, 6
#define REC_REQ_NEXT_RD_ISSUED 32, 8
#define REC_REQ_NEXT_MSG_PSN 8, 24
#define REC_REQ_NEXT_SEND_EPOCH 0, 8

/*
 * What is remembered of a message.
 */
#define REC_REQ_DESC_W 190
struct rec_req_desc {
	uint8_t valid; /* the message ends here */
	uint16_t index;
	uint8_t blocks;
	uint8_t op; /* enum wqe_op */
	uint8_t signaled;
	uint32_t len;
	uint8_t one; /* READ or atomic: its data goes to one element */
	uint64_t sge[2]; /* ... this one */
};
#define REC_REQ_DESC_FIELDS(F) \
	F(valid, valid, 189, 1) \
	F(index, index, 173, 16) \
	F(blocks, blocks, 170, 3) \
	F(op, op, 162, 8) \
	F(signaled, signaled, 161, 1) \
	F(len, len, 129, 32) \
	F(one, one, 128, 1) \
	F(sge_0, sge[0], 0, 64) \
	F(sge_1, sge[1], 64, 64)
#define REC_REQ_DESC_VALID 189, 1
#define REC_REQ_DESC_INDEX 173, 16
#define REC_REQ_DESC_BLOCKS 170, 3
#define REC_REQ_DESC_OP 162, 8
#define REC_REQ_DESC_SIGNALED 161, 1
#define REC_REQ_DESC_LEN 129, 32
#define REC_REQ_DESC_ONE 128, 1
#define REC_REQ_DESC_SGE 0, 128

/*
 * req_build to req_issue: one record per packet; the last of a visit says that it is over.
 */
#define REC_REQ_REC_W 1154
struct rec_req_rec {
	uint8_t kind; /* enum rec_rqk */
	struct rec_req_ending ending;
	struct rec_req_data data;
	struct rec_req_next next;
	struct rec_req_desc desc;
	struct rec_tx_job job;
};
#define REC_REQ_REC_FIELDS(F) \
	F(kind, kind, 1151, 3) \
	F(ending_over, ending.over, 1150, 1) \
	F(ending_more, ending.more, 1149, 1) \
	F(ending_commit, ending.commit, 1148, 1) \
	F(ending_status, ending.status, 1140, 8) \
	F(ending_vendor, ending.vendor, 1132, 8) \
	F(data_nmr, data.nmr, 1126, 6) \
	F(data_ninl, data.ninl, 1124, 2) \
	F(data_inl_len0, data.inl_len0, 1116, 8) \
	F(data_inl_len1, data.inl_len1, 1108, 8) \
	F(data_fenced, data.fenced, 1107, 1) \
	F(next_index, next.index, 1091, 16) \
	F(next_psn, next.psn, 1067, 24) \
	F(next_msg_offset, next.msg_offset, 1035, 32) \
	F(next_in_msg, next.in_msg, 1034, 1) \
	F(next_ssn, next.ssn, 1010, 24) \
	F(next_free_msg, next.free_msg, 986, 24) \
	F(next_since_ackreq, next.since_ackreq, 980, 6) \
	F(next_rd_issued, next.rd_issued, 972, 8) \
	F(next_msg_psn, next.msg_psn, 948, 24) \
	F(next_send_epoch, next.send_epoch, 940, 8) \
	F(desc_valid, desc.valid, 939, 1) \
	F(desc_index, desc.index, 923, 16) \
	F(desc_blocks, desc.blocks, 920, 3) \
	F(desc_op, desc.op, 912, 8) \
	F(desc_signaled, desc.signaled, 911, 1) \
	F(desc_len, desc.len, 879, 32) \
	F(desc_one, desc.one, 878, 1) \
	F(desc_sge_0, desc.sge[0], 750, 64) \
	F(desc_sge_1, desc.sge[1], 814, 64) \
	F(job_kind, job.kind, 747, 3) \
	F(job_qpn, job.qpn, 723, 24) \
	F(job_slot, job.slot, 711, 12) \
	F(job_gen, job.gen, 703, 8) \
	F(job_send_epoch, job.send_epoch, 695, 8) \
	F(job_epoch, job.epoch, 694, 1) \
	F(job_opcode, job.opcode, 686, 8) \
	F(job_psn, job.psn, 662, 24) \
	F(job_ackreq, job.ackreq, 661, 1) \
	F(job_se, job.se, 660, 1) \
	F(job_retx, job.retx, 659, 1) \
	F(job_pay_len, job.pay_len, 646, 13) \
	F(job_args_va, job.args.va, 582, 64) \
	F(job_args_key, job.args.key, 550, 32) \
	F(job_args_len, job.args.len, 518, 32) \
	F(job_args_imm, job.args.imm, 486, 32) \
	F(job_args_aeth, job.args.aeth, 454, 32) \
	F(job_args_swap_add, job.args.swap_add, 390, 64) \
	F(job_args_compare, job.args.compare, 326, 64) \
	F(job_qkey, job.qkey, 294, 32) \
	F(job_av_dmac, job.av.dmac, 246, 48) \
	F(job_av_dgid_0, job.av.dgid[0], 118, 64) \
	F(job_av_dgid_1, job.av.dgid[1], 182, 64) \
	F(job_av_ipv6, job.av.ipv6, 117, 1) \
	F(job_av_sgid_index, job.av.sgid_index, 109, 8) \
	F(job_av_sport, job.av.sport, 93, 16) \
	F(job_av_tclass, job.av.tclass, 85, 8) \
	F(job_av_hop, job.av.hop, 77, 8) \
	F(job_av_flow, job.av.flow, 57, 20) \
	F(job_av_vlan, job.av.vlan, 56, 1) \
	F(job_av_tci, job.av.tci, 40, 16) \
	F(job_av_pkey, job.av.pkey, 24, 16) \
	F(job_av_dest_qp, job.av.dest_qp, 0, 24)
#define REC_REQ_REC_KIND 1151, 3
#define REC_REQ_REC_ENDING 1132, 19
#define REC_REQ_REC_ENDING_OVER 1150, 1
#define REC_REQ_REC_ENDING_MORE 1149, 1
#define REC_REQ_REC_ENDING_COMMIT 1148, 1
#define REC_REQ_REC_ENDING_STATUS 1140, 8
#define REC_REQ_REC_ENDING_VENDOR 1132, 8
#define REC_REQ_REC_DATA 1107, 25
#define REC_REQ_REC_DATA_NMR 1126, 6
#define REC_REQ_REC_DATA_NINL 1124, 2
#define REC_REQ_REC_DATA_INL_LEN0 1116, 8
#define REC_REQ_REC_DATA_INL_LEN1 1108, 8
#define REC_REQ_REC_DATA_FENCED 1107, 1
#define REC_REQ_REC_NEXT 940, 167
#define REC_REQ_REC_NEXT_INDEX 1091, 16
#define REC_REQ_REC_NEXT_PSN 1067, 24
#define REC_REQ_REC_NEXT_MSG_OFFSET 1035, 32
#define REC_REQ_REC_NEXT_IN_MSG 1034, 1
#define REC_REQ_REC_NEXT_SSN 1010, 24
#define REC_REQ_REC_NEXT_FREE_MSG 986, 24
#define REC_REQ_REC_NEXT_SINCE_ACKREQ 980, 6
#define REC_REQ_REC_NEXT_RD_ISSUED 972, 8
#define REC_REQ_REC_NEXT_MSG_PSN 948, 24
#define REC_REQ_REC_NEXT_SEND_EPOCH 940, 8
#define REC_REQ_REC_DESC 750, 190
#define REC_REQ_REC_DESC_VALID 939, 1
#define REC_REQ_REC_DESC_INDEX 923, 16
#define REC_REQ_REC_DESC_BLOCKS 920, 3
#define REC_REQ_REC_DESC_OP 912, 8
#define REC_REQ_REC_DESC_SIGNALED 911, 1
#define REC_REQ_REC_DESC_LEN 879, 32
#define REC_REQ_REC_DESC_ONE 878, 1
#define REC_REQ_REC_DESC_SGE 750, 128
#define REC_REQ_REC_JOB 0, 750
#define REC_REQ_REC_JOB_KIND 747, 3
#define REC_REQ_REC_JOB_QPN 723, 24
#define REC_REQ_REC_JOB_SLOT 711, 12
#define REC_REQ_REC_JOB_GEN 703, 8
#define REC_REQ_REC_JOB_SEND_EPOCH 695, 8
#define REC_REQ_REC_JOB_EPOCH 694, 1
#define REC_REQ_REC_JOB_OPCODE 686, 8
#define REC_REQ_REC_JOB_PSN 662, 24
#define REC_REQ_REC_JOB_ACKREQ 661, 1
#define REC_REQ_REC_JOB_SE 660, 1
#define REC_REQ_REC_JOB_RETX 659, 1
#define REC_REQ_REC_JOB_PAY_LEN 646, 13
#define REC_REQ_REC_JOB_ARGS 326, 320
#define REC_REQ_REC_JOB_ARGS_VA 582, 64
#define REC_REQ_REC_JOB_ARGS_KEY 550, 32
#define REC_REQ_REC_JOB_ARGS_LEN 518, 32
#define REC_REQ_REC_JOB_ARGS_IMM 486, 32
#define REC_REQ_REC_JOB_ARGS_AETH 454, 32
#define REC_REQ_REC_JOB_ARGS_SWAP_ADD 390, 64
#define REC_REQ_REC_JOB_ARGS_COMPARE 326, 64
#define REC_REQ_REC_JOB_QKEY 294, 32
#define REC_REQ_REC_JOB_AV 0, 294
#define REC_REQ_REC_JOB_AV_DMAC 246, 48
#define REC_REQ_REC_JOB_AV_DGID 118, 128
#define REC_REQ_REC_JOB_AV_IPV6 117, 1
#define REC_REQ_REC_JOB_AV_SGID_INDEX 109, 8
#define REC_REQ_REC_JOB_AV_SPORT 93, 16
#define REC_REQ_REC_JOB_AV_TCLASS 85, 8
#define REC_REQ_REC_JOB_AV_HOP 77, 8
#define REC_REQ_REC_JOB_AV_FLOW 57, 20
#define REC_REQ_REC_JOB_AV_VLAN 56, 1
#define REC_REQ_REC_JOB_AV_TCI 40, 16
#define REC_REQ_REC_JOB_AV_PKEY 24, 16
#define REC_REQ_REC_JOB_AV_DEST_QP 0, 24

/*
 * req_visit to req_build: a QP to be served, its record, and where the walk begins (req_start).
 */
#define REC_REQ_VISIT_W 1241
struct rec_req_visit {
	uint8_t failed; /* a payload read of it has failed */
	uint32_t failed_psn;
	uint8_t goback; /* the walk begins at the completer's anchors */
	uint8_t beyond; /* the producer index claims more blocks than the ring holds */
	uint8_t old; /* its first WQE is the anchors': goback, and not beyond */
	uint32_t target; /* PSN to which the walk goes */
	uint32_t una; /* oldest PSN not acknowledged */
	uint32_t old_psn; /* the anchors: first PSN of the oldest WQE */
	uint16_t old_index; /* its index */
	uint8_t rd_part; /* READ requests of it that are answered */
	uint8_t rd_done; /* READs and atomics completed */
	uint8_t gb_epoch; /* of the completer */
	uint32_t lsn; /* credit limit */
	uint8_t credits_off;
	uint16_t pi; /* producer index */
	uint16_t slot;
	uint32_t qpn;
	uint64_t req[8]; /* struct cairn_qp_req */
	uint64_t cfg[8]; /* struct cairn_qp_cfg */
};
#define REC_REQ_VISIT_FIELDS(F) \
	F(failed, failed, 1240, 1) \
	F(failed_psn, failed_psn, 1216, 24) \
	F(goback, goback, 1215, 1) \
	F(beyond, beyond, 1214, 1) \
	F(old, old, 1213, 1) \
	F(target, target, 1189, 24) \
	F(una, una, 1165, 24) \
	F(old_psn, old_psn, 1141, 24) \
	F(old_index, old_index, 1125, 16) \
	F(rd_part, rd_part, 1117, 8) \
	F(rd_done, rd_done, 1109, 8) \
	F(gb_epoch, gb_epoch, 1101, 8) \
	F(lsn, lsn, 1077, 24) \
	F(credits_off, credits_off, 1076, 1) \
	F(pi, pi, 1060, 16) \
	F(slot, slot, 1048, 12) \
	F(qpn, qpn, 1024, 24) \
	F(req_0, req[0], 512, 64) \
	F(req_1, req[1], 576, 64) \
	F(req_2, req[2], 640, 64) \
	F(req_3, req[3], 704, 64) \
	F(req_4, req[4], 768, 64) \
	F(req_5, req[5], 832, 64) \
	F(req_6, req[6], 896, 64) \
	F(req_7, req[7], 960, 64) \
	F(cfg_0, cfg[0], 0, 64) \
	F(cfg_1, cfg[1], 64, 64) \
	F(cfg_2, cfg[2], 128, 64) \
	F(cfg_3, cfg[3], 192, 64) \
	F(cfg_4, cfg[4], 256, 64) \
	F(cfg_5, cfg[5], 320, 64) \
	F(cfg_6, cfg[6], 384, 64) \
	F(cfg_7, cfg[7], 448, 64)
#define REC_REQ_VISIT_FAILED 1240, 1
#define REC_REQ_VISIT_FAILED_PSN 1216, 24
#define REC_REQ_VISIT_GOBACK 1215, 1
#define REC_REQ_VISIT_BEYOND 1214, 1
#define REC_REQ_VISIT_OLD 1213, 1
#define REC_REQ_VISIT_TARGET 1189, 24
#define REC_REQ_VISIT_UNA 1165, 24
#define REC_REQ_VISIT_OLD_PSN 1141, 24
#define REC_REQ_VISIT_OLD_INDEX 1125, 16
#define REC_REQ_VISIT_RD_PART 1117, 8
#define REC_REQ_VISIT_RD_DONE 1109, 8
#define REC_REQ_VISIT_GB_EPOCH 1101, 8
#define REC_REQ_VISIT_LSN 1077, 24
#define REC_REQ_VISIT_CREDITS_OFF 1076, 1
#define REC_REQ_VISIT_PI 1060, 16
#define REC_REQ_VISIT_SLOT 1048, 12
#define REC_REQ_VISIT_QPN 1024, 24
#define REC_REQ_VISIT_REQ 512, 512
#define REC_REQ_VISIT_CFG 0, 512

/*
 * req_build to req_issue: what the records of a visit start from.
 */
#define REC_REQ_BASE_W 526
struct rec_req_base {
	uint8_t rc; /* the QP is acknowledged */
	uint8_t timeout;
	uint8_t gen;
	uint64_t req[8]; /* struct cairn_qp_req */
};
#define REC_REQ_BASE_FIELDS(F) \
	F(rc, rc, 525, 1) \
	F(timeout, timeout, 520, 5) \
	F(gen, gen, 512, 8) \
	F(req_0, req[0], 0, 64) \
	F(req_1, req[1], 64, 64) \
	F(req_2, req[2], 128, 64) \
	F(req_3, req[3], 192, 64) \
	F(req_4, req[4], 256, 64) \
	F(req_5, req[5], 320, 64) \
	F(req_6, req[6], 384, 64) \
	F(req_7, req[7], 448, 64)
#define REC_REQ_BASE_RC 525, 1
#define REC_REQ_BASE_TIMEOUT 520, 5
#define REC_REQ_BASE_GEN 512, 8
#define REC_REQ_BASE_REQ 0, 512

/*
 * Descriptor of a sent message: what its end needs without reading the WQE.
 */
#define REC_SQ_DESC_W 270
struct rec_sq_desc {
	uint8_t valid;
	uint32_t qpn;
	uint8_t gen;
	uint16_t index;
	uint8_t blocks;
	uint32_t first_psn;
	uint32_t next_psn; /* last PSN + 1 */
	uint8_t op;
	uint8_t signaled;
	uint32_t len;
	uint8_t one; /* READ or atomic: its data goes to one element */
	uint64_t sge[2]; /* ... this one */
};
#define REC_SQ_DESC_FIELDS(F) \
	F(valid, valid, 269, 1) \
	F(qpn, qpn, 245, 24) \
	F(gen, gen, 237, 8) \
	F(index, index, 221, 16) \
	F(blocks, blocks, 218, 3) \
	F(first_psn, first_psn, 194, 24) \
	F(next_psn, next_psn, 170, 24) \
	F(op, op, 162, 8) \
	F(signaled, signaled, 161, 1) \
	F(len, len, 129, 32) \
	F(one, one, 128, 1) \
	F(sge_0, sge[0], 0, 64) \
	F(sge_1, sge[1], 64, 64)
#define REC_SQ_DESC_VALID 269, 1
#define REC_SQ_DESC_QPN 245, 24
#define REC_SQ_DESC_GEN 237, 8
#define REC_SQ_DESC_INDEX 221, 16
#define REC_SQ_DESC_BLOCKS 218, 3
#define REC_SQ_DESC_FIRST_PSN 194, 24
#define REC_SQ_DESC_NEXT_PSN 170, 24
#define REC_SQ_DESC_OP 162, 8
#define REC_SQ_DESC_SIGNALED 161, 1
#define REC_SQ_DESC_LEN 129, 32
#define REC_SQ_DESC_ONE 128, 1
#define REC_SQ_DESC_SGE 0, 128

/* Kinds of rsp_rec */
enum rec_rsk {
	REC_RSK_DROP = 0, /* discard, nothing else */
	REC_RSK_SEND = 1,
	REC_RSK_WRITE = 2,
	REC_RSK_READ = 3,
	REC_RSK_DUP = 4, /* duplicate SEND or WRITE: acknowledge again */
	REC_RSK_DUPRD = 5, /* duplicate READ: answer again from va on */
	REC_RSK_OOS = 6, /* ahead of the expected PSN */
	REC_RSK_RNR = 7, /* no receive WQE */
	REC_RSK_ERR = 8, /* NAK at this PSN, as `verdict` says */
	REC_RSK_ATOMIC = 9,
	REC_RSK_DUPAT = 10, /* duplicate atomic: answer again what was saved */
	REC_RSK_INV = 11, /* rsp_join to rsp_commit: begin with the key of a SEND with invalidate; the packet follows when that is over */
	REC_RSK_ACK = 12, /* rsp_join to rsp_commit: no packet of the QP follows any more, an ACK held back for that is due */
};

/*
 * The QP of a request.
 */
#define REC_RSP_ID_W 44
struct rec_rsp_id {
	uint16_t slot;
	uint8_t gen;
	uint32_t qpn;
};
#define REC_RSP_ID_FIELDS(F) \
	F(slot, slot, 32, 12) \
	F(gen, gen, 24, 8) \
	F(qpn, qpn, 0, 24)
#define REC_RSP_ID_SLOT 32, 12
#define REC_RSP_ID_GEN 24, 8
#define REC_RSP_ID_QPN 0, 24

/*
 * Payload of a request, in the RX pool.
 */
#define REC_RSP_DATA_W 35
struct rec_rsp_data {
	uint8_t epoch;
	uint16_t cell_head;
	uint8_t has_cells;
	uint8_t pay_off;
	uint16_t pay_len;
};
#define REC_RSP_DATA_FIELDS(F) \
	F(epoch, epoch, 34, 1) \
	F(cell_head, cell_head, 22, 12) \
	F(has_cells, has_cells, 21, 1) \
	F(pay_off, pay_off, 13, 8) \
	F(pay_len, pay_len, 0, 13)
#define REC_RSP_DATA_EPOCH 34, 1
#define REC_RSP_DATA_CELL_HEAD 22, 12
#define REC_RSP_DATA_HAS_CELLS 21, 1
#define REC_RSP_DATA_PAY_OFF 13, 8
#define REC_RSP_DATA_PAY_LEN 0, 13

/*
 * Where a request goes in memory.
 */
#define REC_RSP_PLACE_W 160
struct rec_rsp_place {
	uint64_t va; /* WRITE: where this payload goes; READ: first byte */
	uint32_t key; /* R_Key, or of a SEND with invalidate the one to invalidate */
	uint32_t mlen; /* SEND: bytes received before; WRITE: bytes still to come, these included; READ: length */
	uint32_t wlen; /* WRITE: length of the message */
};
#define REC_RSP_PLACE_FIELDS(F) \
	F(va, va, 96, 64) \
	F(key, key, 64, 32) \
	F(mlen, mlen, 32, 32) \
	F(wlen, wlen, 0, 32)
#define REC_RSP_PLACE_VA 96, 64
#define REC_RSP_PLACE_KEY 64, 32
#define REC_RSP_PLACE_MLEN 32, 32
#define REC_RSP_PLACE_WLEN 0, 32

/*
 * What rsp_walk needs to find the receive WQE.
 */
#define REC_RSP_RQ_W 105
struct rec_rsp_rq {
	uint16_t index; /* receive WQE of the message */
	uint16_t pi;
	uint64_t base;
	uint8_t log2;
	uint8_t stride;
};
#define REC_RSP_RQ_FIELDS(F) \
	F(index, index, 89, 16) \
	F(pi, pi, 73, 16) \
	F(base, base, 9, 64) \
	F(log2, log2, 5, 4) \
	F(stride, stride, 0, 5)
#define REC_RSP_RQ_INDEX 89, 16
#define REC_RSP_RQ_PI 73, 16
#define REC_RSP_RQ_BASE 9, 64
#define REC_RSP_RQ_LOG2 5, 4
#define REC_RSP_RQ_STRIDE 0, 5

/*
 * What a refused request ends with.
 */
#define REC_RSP_VERDICT_W 32
struct rec_rsp_verdict {
	uint8_t syn; /* NAK */
	uint8_t status;
	uint8_t vendor;
	uint8_t etype; /* event, 0: none */
};
#define REC_RSP_VERDICT_FIELDS(F) \
	F(syn, syn, 24, 8) \
	F(status, status, 16, 8) \
	F(vendor, vendor, 8, 8) \
	F(etype, etype, 0, 8)
#define REC_RSP_VERDICT_SYN 24, 8
#define REC_RSP_VERDICT_STATUS 16, 8
#define REC_RSP_VERDICT_VENDOR 8, 8
#define REC_RSP_VERDICT_ETYPE 0, 8

/*
 * Of a datagram.
 */
#define REC_RSP_UD_W 38
struct rec_rsp_ud {
	uint8_t valid; /* it is one: the header area goes before the payload */
	uint8_t ipv6;
	uint8_t has_tag;
	uint8_t prio;
	uint8_t ip_off; /* IP header in the first cell */
	uint32_t src_qp;
};
#define REC_RSP_UD_FIELDS(F) \
	F(valid, valid, 37, 1) \
	F(ipv6, ipv6, 36, 1) \
	F(has_tag, has_tag, 35, 1) \
	F(prio, prio, 32, 3) \
	F(ip_off, ip_off, 24, 8) \
	F(src_qp, src_qp, 0, 24)
#define REC_RSP_UD_VALID 37, 1
#define REC_RSP_UD_IPV6 36, 1
#define REC_RSP_UD_HAS_TAG 35, 1
#define REC_RSP_UD_PRIO 32, 3
#define REC_RSP_UD_IP_OFF 24, 8
#define REC_RSP_UD_SRC_QP 0, 24

/*
 * Of a SEND with invalidate.
 */
#define REC_RSP_INV_W 4
struct rec_rsp_inv {
	uint8_t valid; /* it is one: place.key is the key */
	uint8_t taken; /* ... and that is entry `at` of rsp_inv */
	uint8_t at;
};
#define REC_RSP_INV_FIELDS(F) \
	F(valid, valid, 3, 1) \
	F(taken, taken, 2, 1) \
	F(at, at, 0, 2)
#define REC_RSP_INV_VALID 3, 1
#define REC_RSP_INV_TAKEN 2, 1
#define REC_RSP_INV_AT 0, 2

/*
 * Operands of an atomic.
 */
#define REC_RSP_ATOMIC_W 129
struct rec_rsp_atomic {
	uint8_t cas; /* compare and swap, else fetch and add */
	uint64_t swap_add;
	uint64_t compare;
};
#define REC_RSP_ATOMIC_FIELDS(F) \
	F(cas, cas, 128, 1) \
	F(swap_add, swap_add, 64, 64) \
	F(compare, compare, 0, 64)
#define REC_RSP_ATOMIC_CAS 128, 1
#define REC_RSP_ATOMIC_SWAP_ADD 64, 64
#define REC_RSP_ATOMIC_COMPARE 0, 64

/*
 * Receive WQE of a shared queue.
 */
#define REC_RSP_SRQ_W 34
struct rec_rsp_srq {
	uint8_t valid; /* rq.index tells it from others */
	uint16_t srqn;
	uint16_t slot;
	uint8_t late; /* slot and rq.index are not known yet */
};
#define REC_RSP_SRQ_FIELDS(F) \
	F(valid, valid, 33, 1) \
	F(srqn, srqn, 17, 16) \
	F(slot, slot, 1, 16) \
	F(late, late, 0, 1)
#define REC_RSP_SRQ_VALID 33, 1
#define REC_RSP_SRQ_SRQN 17, 16
#define REC_RSP_SRQ_SLOT 1, 16
#define REC_RSP_SRQ_LATE 0, 1

/*
 * Responder: one request packet on its way from rsp_check to rsp_commit.
 */
#define REC_RSP_REC_W 732
struct rec_rsp_rec {
	uint8_t kind; /* enum rec_rsk */
	struct rec_rsp_id id;
	uint32_t psn;
	uint32_t npsn; /* expected PSN after this packet */
	uint8_t start;
	uint8_t last;
	uint8_t se;
	uint8_t ackreq;
	uint8_t has_imm;
	uint8_t take; /* takes receive WQE rq.index */
	uint8_t rtr; /* cfg.state is RTR */
	struct rec_rsp_data data;
	struct rec_rsp_place place;
	uint32_t imm;
	struct rec_rsp_rq rq;
	uint32_t pd;
	uint8_t eqn;
	struct rec_rsp_verdict verdict; /* kind ERR */
	uint8_t silent; /* UC, UD: nothing is ever answered */
	uint8_t sync; /* judged by the committed state, not by that of packets on their way */
	struct rec_rsp_ud ud;
	struct rec_rsp_inv inv;
	struct rec_rsp_atomic atomic; /* kind ATOMIC */
	struct rec_rsp_srq srq;
	uint8_t over; /* DROP, and passes those that wait: the QP holds its share of the receive path */
	uint32_t rq_cqn;
	uint8_t more; /* a packet of the QP follows: an ACK may wait for it */
};
#define REC_RSP_REC_FIELDS(F) \
	F(kind, kind, 728, 4) \
	F(id_slot, id.slot, 716, 12) \
	F(id_gen, id.gen, 708, 8) \
	F(id_qpn, id.qpn, 684, 24) \
	F(psn, psn, 660, 24) \
	F(npsn, npsn, 636, 24) \
	F(start, start, 635, 1) \
	F(last, last, 634, 1) \
	F(se, se, 633, 1) \
	F(ackreq, ackreq, 632, 1) \
	F(has_imm, has_imm, 631, 1) \
	F(take, take, 630, 1) \
	F(rtr, rtr, 629, 1) \
	F(data_epoch, data.epoch, 628, 1) \
	F(data_cell_head, data.cell_head, 616, 12) \
	F(data_has_cells, data.has_cells, 615, 1) \
	F(data_pay_off, data.pay_off, 607, 8) \
	F(data_pay_len, data.pay_len, 594, 13) \
	F(place_va, place.va, 530, 64) \
	F(place_key, place.key, 498, 32) \
	F(place_mlen, place.mlen, 466, 32) \
	F(place_wlen, place.wlen, 434, 32) \
	F(imm, imm, 402, 32) \
	F(rq_index, rq.index, 386, 16) \
	F(rq_pi, rq.pi, 370, 16) \
	F(rq_base, rq.base, 306, 64) \
	F(rq_log2, rq.log2, 302, 4) \
	F(rq_stride, rq.stride, 297, 5) \
	F(pd, pd, 273, 24) \
	F(eqn, eqn, 265, 8) \
	F(verdict_syn, verdict.syn, 257, 8) \
	F(verdict_status, verdict.status, 249, 8) \
	F(verdict_vendor, verdict.vendor, 241, 8) \
	F(verdict_etype, verdict.etype, 233, 8) \
	F(silent, silent, 232, 1) \
	F(sync, sync, 231, 1) \
	F(ud_valid, ud.valid, 230, 1) \
	F(ud_ipv6, ud.ipv6, 229, 1) \
	F(ud_has_tag, ud.has_tag, 228, 1) \
	F(ud_prio, ud.prio, 225, 3) \
	F(ud_ip_off, ud.ip_off, 217, 8) \
	F(ud_src_qp, ud.src_qp, 193, 24) \
	F(inv_valid, inv.valid, 192, 1) \
	F(inv_taken, inv.taken, 191, 1) \
	F(inv_at, inv.at, 189, 2) \
	F(atomic_cas, atomic.cas, 188, 1) \
	F(atomic_swap_add, atomic.swap_add, 124, 64) \
	F(atomic_compare, atomic.compare, 60, 64) \
	F(srq_valid, srq.valid, 59, 1) \
	F(srq_srqn, srq.srqn, 43, 16) \
	F(srq_slot, srq.slot, 27, 16) \
	F(srq_late, srq.late, 26, 1) \
	F(over, over, 25, 1) \
	F(rq_cqn, rq_cqn, 1, 24) \
	F(more, more, 0, 1)
#define REC_RSP_REC_KIND 728, 4
#define REC_RSP_REC_ID 684, 44
#define REC_RSP_REC_ID_SLOT 716, 12
#define REC_RSP_REC_ID_GEN 708, 8
#define REC_RSP_REC_ID_QPN 684, 24
#define REC_RSP_REC_PSN 660, 24
#define REC_RSP_REC_NPSN 636, 24
#define REC_RSP_REC_START 635, 1
#define REC_RSP_REC_LAST 634, 1
#define REC_RSP_REC_SE 633, 1
#define REC_RSP_REC_ACKREQ 632, 1
#define REC_RSP_REC_HAS_IMM 631, 1
#define REC_RSP_REC_TAKE 630, 1
#define REC_RSP_REC_RTR 629, 1
#define REC_RSP_REC_DATA 594, 35
#define REC_RSP_REC_DATA_EPOCH 628, 1
#define REC_RSP_REC_DATA_CELL_HEAD 616, 12
#define REC_RSP_REC_DATA_HAS_CELLS 615, 1
#define REC_RSP_REC_DATA_PAY_OFF 607, 8
#define REC_RSP_REC_DATA_PAY_LEN 594, 13
#define REC_RSP_REC_PLACE 434, 160
#define REC_RSP_REC_PLACE_VA 530, 64
#define REC_RSP_REC_PLACE_KEY 498, 32
#define REC_RSP_REC_PLACE_MLEN 466, 32
#define REC_RSP_REC_PLACE_WLEN 434, 32
#define REC_RSP_REC_IMM 402, 32
#define REC_RSP_REC_RQ 297, 105
#define REC_RSP_REC_RQ_INDEX 386, 16
#define REC_RSP_REC_RQ_PI 370, 16
#define REC_RSP_REC_RQ_BASE 306, 64
#define REC_RSP_REC_RQ_LOG2 302, 4
#define REC_RSP_REC_RQ_STRIDE 297, 5
#define REC_RSP_REC_PD 273, 24
#define REC_RSP_REC_EQN 265, 8
#define REC_RSP_REC_VERDICT 233, 32
#define REC_RSP_REC_VERDICT_SYN 257, 8
#define REC_RSP_REC_VERDICT_STATUS 249, 8
#define REC_RSP_REC_VERDICT_VENDOR 241, 8
#define REC_RSP_REC_VERDICT_ETYPE 233, 8
#define REC_RSP_REC_SILENT 232, 1
#define REC_RSP_REC_SYNC 231, 1
#define REC_RSP_REC_UD 193, 38
#define REC_RSP_REC_UD_VALID 230, 1
#define REC_RSP_REC_UD_IPV6 229, 1
#define REC_RSP_REC_UD_HAS_TAG 228, 1
#define REC_RSP_REC_UD_PRIO 225, 3
#define REC_RSP_REC_UD_IP_OFF 217, 8
#define REC_RSP_REC_UD_SRC_QP 193, 24
#define REC_RSP_REC_INV 189, 4
#define REC_RSP_REC_INV_VALID 192, 1
#define REC_RSP_REC_INV_TAKEN 191, 1
#define REC_RSP_REC_INV_AT 189, 2
#define REC_RSP_REC_ATOMIC 60, 129
#define REC_RSP_REC_ATOMIC_CAS 188, 1
#define REC_RSP_REC_ATOMIC_SWAP_ADD 124, 64
#define REC_RSP_REC_ATOMIC_COMPARE 60, 64
#define REC_RSP_REC_SRQ 26, 34
#define REC_RSP_REC_SRQ_VALID 59, 1
#define REC_RSP_REC_SRQ_SRQN 43, 16
#define REC_RSP_REC_SRQ_SLOT 27, 16
#define REC_RSP_REC_SRQ_LATE 26, 1
#define REC_RSP_REC_OVER 25, 1
#define REC_RSP_REC_RQ_CQN 1, 24
#define REC_RSP_REC_MORE 0, 1

/*
 * rsp_walk to rsp_join: a packet that has been looked at.
 */
#define REC_RSP_WALKED_W 749
struct rec_rsp_walked {
	uint8_t skip; /* it waits for no fill: a slot of its SRQ was not to be had */
	uint8_t missed; /* something it needs is not here */
	uint8_t waits; /* ... and its context is woken */
	uint8_t nreq; /* answers of the MR service that belong to it */
	uint8_t again; /* it is replayed */
	uint8_t place; /* of its record in rsp_store, at less than 512 bit */
	struct rec_rsp_rec rec;
};
#define REC_RSP_WALKED_FIELDS(F) \
	F(skip, skip, 748, 1) \
	F(missed, missed, 747, 1) \
	F(waits, waits, 746, 1) \
	F(nreq, nreq, 741, 5) \
	F(again, again, 740, 1) \
	F(place, place, 732, 8) \
	F(rec_kind, rec.kind, 728, 4) \
	F(rec_id_slot, rec.id.slot, 716, 12) \
	F(rec_id_gen, rec.id.gen, 708, 8) \
	F(rec_id_qpn, rec.id.qpn, 684, 24) \
	F(rec_psn, rec.psn, 660, 24) \
	F(rec_npsn, rec.npsn, 636, 24) \
	F(rec_start, rec.start, 635, 1) \
	F(rec_last, rec.last, 634, 1) \
	F(rec_se, rec.se, 633, 1) \
	F(rec_ackreq, rec.ackreq, 632, 1) \
	F(rec_has_imm, rec.has_imm, 631, 1) \
	F(rec_take, rec.take, 630, 1) \
	F(rec_rtr, rec.rtr, 629, 1) \
	F(rec_data_epoch, rec.data.epoch, 628, 1) \
	F(rec_data_cell_head, rec.data.cell_head, 616, 12) \
	F(rec_data_has_cells, rec.data.has_cells, 615, 1) \
	F(rec_data_pay_off, rec.data.pay_off, 607, 8) \
	F(rec_data_pay_len, rec.data.pay_len, 594, 13) \
	F(rec_place_va, rec.place.va, 530, 64) \
	F(rec_place_key, rec.place.key, 498, 32) \
	F(rec_place_mlen, rec.place.mlen, 466, 32) \
	F(rec_place_wlen, rec.place.wlen, 434, 32) \
	F(rec_imm, rec.imm, 402, 32) \
	F(rec_rq_index, rec.rq.index, 386, 16) \
	F(rec_rq_pi, rec.rq.pi, 370, 16) \
	F(rec_rq_base, rec.rq.base, 306, 64) \
	F(rec_rq_log2, rec.rq.log2, 302, 4) \
	F(rec_rq_stride, rec.rq.stride, 297, 5) \
	F(rec_pd, rec.pd, 273, 24) \
	F(rec_eqn, rec.eqn, 265, 8) \
	F(rec_verdict_syn, rec.verdict.syn, 257, 8) \
	F(rec_verdict_status, rec.verdict.status, 249, 8) \
	F(rec_verdict_vendor, rec.verdict.vendor, 241, 8) \
	F(rec_verdict_etype, rec.verdict.etype, 233, 8) \
	F(rec_silent, rec.silent, 232, 1) \
	F(rec_sync, rec.sync, 231, 1) \
	F(rec_ud_valid, rec.ud.valid, 230, 1) \
	F(rec_ud_ipv6, rec.ud.ipv6, 229, 1) \
	F(rec_ud_has_tag, rec.ud.has_tag, 228, 1) \
	F(rec_ud_prio, rec.ud.prio, 225, 3) \
	F(rec_ud_ip_off, rec.ud.ip_off, 217, 8) \
	F(rec_ud_src_qp, rec.ud.src_qp, 193, 24) \
	F(rec_inv_valid, rec.inv.valid, 192, 1) \
	F(rec_inv_taken, rec.inv.taken, 191, 1) \
	F(rec_inv_at, rec.inv.at, 189, 2) \
	F(rec_atomic_cas, rec.atomic.cas, 188, 1) \
	F(rec_atomic_swap_add, rec.atomic.swap_add, 124, 64) \
	F(rec_atomic_compare, rec.atomic.compare, 60, 64) \
	F(rec_srq_valid, rec.srq.valid, 59, 1) \
	F(rec_srq_srqn, rec.srq.srqn, 43, 16) \
	F(rec_srq_slot, rec.srq.slot, 27, 16) \
	F(rec_srq_late, rec.srq.late, 26, 1) \
	F(rec_over, rec.over, 25, 1) \
	F(rec_rq_cqn, rec.rq_cqn, 1, 24) \
	F(rec_more, rec.more, 0, 1)
#define REC_RSP_WALKED_SKIP 748, 1
#define REC_RSP_WALKED_MISSED 747, 1
#define REC_RSP_WALKED_WAITS 746, 1
#define REC_RSP_WALKED_NREQ 741, 5
#define REC_RSP_WALKED_AGAIN 740, 1
#define REC_RSP_WALKED_PLACE 732, 8
#define REC_RSP_WALKED_REC 0, 732
#define REC_RSP_WALKED_REC_KIND 728, 4
#define REC_RSP_WALKED_REC_ID 684, 44
#define REC_RSP_WALKED_REC_ID_SLOT 716, 12
#define REC_RSP_WALKED_REC_ID_GEN 708, 8
#define REC_RSP_WALKED_REC_ID_QPN 684, 24
#define REC_RSP_WALKED_REC_PSN 660, 24
#define REC_RSP_WALKED_REC_NPSN 636, 24
#define REC_RSP_WALKED_REC_START 635, 1
#define REC_RSP_WALKED_REC_LAST 634, 1
#define REC_RSP_WALKED_REC_SE 633, 1
#define REC_RSP_WALKED_REC_ACKREQ 632, 1
#define REC_RSP_WALKED_REC_HAS_IMM 631, 1
#define REC_RSP_WALKED_REC_TAKE 630, 1
#define REC_RSP_WALKED_REC_RTR 629, 1
#define REC_RSP_WALKED_REC_DATA 594, 35
#define REC_RSP_WALKED_REC_DATA_EPOCH 628, 1
#define REC_RSP_WALKED_REC_DATA_CELL_HEAD 616, 12
#define REC_RSP_WALKED_REC_DATA_HAS_CELLS 615, 1
#define REC_RSP_WALKED_REC_DATA_PAY_OFF 607, 8
#define REC_RSP_WALKED_REC_DATA_PAY_LEN 594, 13
#define REC_RSP_WALKED_REC_PLACE 434, 160
#define REC_RSP_WALKED_REC_PLACE_VA 530, 64
#define REC_RSP_WALKED_REC_PLACE_KEY 498, 32
#define REC_RSP_WALKED_REC_PLACE_MLEN 466, 32
#define REC_RSP_WALKED_REC_PLACE_WLEN 434, 32
#define REC_RSP_WALKED_REC_IMM 402, 32
#define REC_RSP_WALKED_REC_RQ 297, 105
#define REC_RSP_WALKED_REC_RQ_INDEX 386, 16
#define REC_RSP_WALKED_REC_RQ_PI 370, 16
#define REC_RSP_WALKED_REC_RQ_BASE 306, 64
#define REC_RSP_WALKED_REC_RQ_LOG2 302, 4
#define REC_RSP_WALKED_REC_RQ_STRIDE 297, 5
#define REC_RSP_WALKED_REC_PD 273, 24
#define REC_RSP_WALKED_REC_EQN 265, 8
#define REC_RSP_WALKED_REC_VERDICT 233, 32
#define REC_RSP_WALKED_REC_VERDICT_SYN 257, 8
#define REC_RSP_WALKED_REC_VERDICT_STATUS 249, 8
#define REC_RSP_WALKED_REC_VERDICT_VENDOR 241, 8
#define REC_RSP_WALKED_REC_VERDICT_ETYPE 233, 8
#define REC_RSP_WALKED_REC_SILENT 232, 1
#define REC_RSP_WALKED_REC_SYNC 231, 1
#define REC_RSP_WALKED_REC_UD 193, 38
#define REC_RSP_WALKED_REC_UD_VALID 230, 1
#define REC_RSP_WALKED_REC_UD_IPV6 229, 1
#define REC_RSP_WALKED_REC_UD_HAS_TAG 228, 1
#define REC_RSP_WALKED_REC_UD_PRIO 225, 3
#define REC_RSP_WALKED_REC_UD_IP_OFF 217, 8
#define REC_RSP_WALKED_REC_UD_SRC_QP 193, 24
#define REC_RSP_WALKED_REC_INV 189, 4
#define REC_RSP_WALKED_REC_INV_VALID 192, 1
#define REC_RSP_WALKED_REC_INV_TAKEN 191, 1
#define REC_RSP_WALKED_REC_INV_AT 189, 2
#define REC_RSP_WALKED_REC_ATOMIC 60, 129
#define REC_RSP_WALKED_REC_ATOMIC_CAS 188, 1
#define REC_RSP_WALKED_REC_ATOMIC_SWAP_ADD 124, 64
#define REC_RSP_WALKED_REC_ATOMIC_COMPARE 60, 64
#define REC_RSP_WALKED_REC_SRQ 26, 34
#define REC_RSP_WALKED_REC_SRQ_VALID 59, 1
#define REC_RSP_WALKED_REC_SRQ_SRQN 43, 16
#define REC_RSP_WALKED_REC_SRQ_SLOT 27, 16
#define REC_RSP_WALKED_REC_SRQ_LATE 26, 1
#define REC_RSP_WALKED_REC_OVER 25, 1
#define REC_RSP_WALKED_REC_RQ_CQN 1, 24
#define REC_RSP_WALKED_REC_MORE 0, 1

/*
 * rsp_join to rsp_commit: a packet with its answers.
 */
#define REC_RSP_JOINED_W 737
struct rec_rsp_joined {
	uint8_t pieces; /* places in memory */
	struct rec_rsp_rec rec;
};
#define REC_RSP_JOINED_FIELDS(F) \
	F(pieces, pieces, 732, 5) \
	F(rec_kind, rec.kind, 728, 4) \
	F(rec_id_slot, rec.id.slot, 716, 12) \
	F(rec_id_gen, rec.id.gen, 708, 8) \
	F(rec_id_qpn, rec.id.qpn, 684, 24) \
	F(rec_psn, rec.psn, 660, 24) \
	F(rec_npsn, rec.npsn, 636, 24) \
	F(rec_start, rec.start, 635, 1) \
	F(rec_last, rec.last, 634, 1) \
	F(rec_se, rec.se, 633, 1) \
	F(rec_ackreq, rec.ackreq, 632, 1) \
	F(rec_has_imm, rec.has_imm, 631, 1) \
	F(rec_take, rec.take, 630, 1) \
	F(rec_rtr, rec.rtr, 629, 1) \
	F(rec_data_epoch, rec.data.epoch, 628, 1) \
	F(rec_data_cell_head, rec.data.cell_head, 616, 12) \
	F(rec_data_has_cells, rec.data.has_cells, 615, 1) \
	F(rec_data_pay_off, rec.data.pay_off, 607, 8) \
	F(rec_data_pay_len, rec.data.pay_len, 594, 13) \
	F(rec_place_va, rec.place.va, 530, 64) \
	F(rec_place_key, rec.place.key, 498, 32) \
	F(rec_place_mlen, rec.place.mlen, 466, 32) \
	F(rec_place_wlen, rec.place.wlen, 434, 32) \
	F(rec_imm, rec.imm, 402, 32) \
	F(rec_rq_index, rec.rq.index, 386, 16) \
	F(rec_rq_pi, rec.rq.pi, 370, 16) \
	F(rec_rq_base, rec.rq.base, 306, 64) \
	F(rec_rq_log2, rec.rq.log2, 302, 4) \
	F(rec_rq_stride, rec.rq.stride, 297, 5) \
	F(rec_pd, rec.pd, 273, 24) \
	F(rec_eqn, rec.eqn, 265, 8) \
	F(rec_verdict_syn, rec.verdict.syn, 257, 8) \
	F(rec_verdict_status, rec.verdict.status, 249, 8) \
	F(rec_verdict_vendor, rec.verdict.vendor, 241, 8) \
	F(rec_verdict_etype, rec.verdict.etype, 233, 8) \
	F(rec_silent, rec.silent, 232, 1) \
	F(rec_sync, rec.sync, 231, 1) \
	F(rec_ud_valid, rec.ud.valid, 230, 1) \
	F(rec_ud_ipv6, rec.ud.ipv6, 229, 1) \
	F(rec_ud_has_tag, rec.ud.has_tag, 228, 1) \
	F(rec_ud_prio, rec.ud.prio, 225, 3) \
	F(rec_ud_ip_off, rec.ud.ip_off, 217, 8) \
	F(rec_ud_src_qp, rec.ud.src_qp, 193, 24) \
	F(rec_inv_valid, rec.inv.valid, 192, 1) \
	F(rec_inv_taken, rec.inv.taken, 191, 1) \
	F(rec_inv_at, rec.inv.at, 189, 2) \
	F(rec_atomic_cas, rec.atomic.cas, 188, 1) \
	F(rec_atomic_swap_add, rec.atomic.swap_add, 124, 64) \
	F(rec_atomic_compare, rec.atomic.compare, 60, 64) \
	F(rec_srq_valid, rec.srq.valid, 59, 1) \
	F(rec_srq_srqn, rec.srq.srqn, 43, 16) \
	F(rec_srq_slot, rec.srq.slot, 27, 16) \
	F(rec_srq_late, rec.srq.late, 26, 1) \
	F(rec_over, rec.over, 25, 1) \
	F(rec_rq_cqn, rec.rq_cqn, 1, 24) \
	F(rec_more, rec.more, 0, 1)
#define REC_RSP_JOINED_PIECES 732, 5
#define REC_RSP_JOINED_REC 0, 732
#define REC_RSP_JOINED_REC_KIND 728, 4
#define REC_RSP_JOINED_REC_ID 684, 44
#define REC_RSP_JOINED_REC_ID_SLOT 716, 12
#define REC_RSP_JOINED_REC_ID_GEN 708, 8
#define REC_RSP_JOINED_REC_ID_QPN 684, 24
#define REC_RSP_JOINED_REC_PSN 660, 24
#define REC_RSP_JOINED_REC_NPSN 636, 24
#define REC_RSP_JOINED_REC_START 635, 1
#define REC_RSP_JOINED_REC_LAST 634, 1
#define REC_RSP_JOINED_REC_SE 633, 1
#define REC_RSP_JOINED_REC_ACKREQ 632, 1
#define REC_RSP_JOINED_REC_HAS_IMM 631, 1
#define REC_RSP_JOINED_REC_TAKE 630, 1
#define REC_RSP_JOINED_REC_RTR 629, 1
#define REC_RSP_JOINED_REC_DATA 594, 35
#define REC_RSP_JOINED_REC_DATA_EPOCH 628, 1
#define REC_RSP_JOINED_REC_DATA_CELL_HEAD 616, 12
#define REC_RSP_JOINED_REC_DATA_HAS_CELLS 615, 1
#define REC_RSP_JOINED_REC_DATA_PAY_OFF 607, 8
#define REC_RSP_JOINED_REC_DATA_PAY_LEN 594, 13
#define REC_RSP_JOINED_REC_PLACE 434, 160
#define REC_RSP_JOINED_REC_PLACE_VA 530, 64
#define REC_RSP_JOINED_REC_PLACE_KEY 498, 32
#define REC_RSP_JOINED_REC_PLACE_MLEN 466, 32
#define REC_RSP_JOINED_REC_PLACE_WLEN 434, 32
#define REC_RSP_JOINED_REC_IMM 402, 32
#define REC_RSP_JOINED_REC_RQ 297, 105
#define REC_RSP_JOINED_REC_RQ_INDEX 386, 16
#define REC_RSP_JOINED_REC_RQ_PI 370, 16
#define REC_RSP_JOINED_REC_RQ_BASE 306, 64
#define REC_RSP_JOINED_REC_RQ_LOG2 302, 4
#define REC_RSP_JOINED_REC_RQ_STRIDE 297, 5
#define REC_RSP_JOINED_REC_PD 273, 24
#define REC_RSP_JOINED_REC_EQN 265, 8
#define REC_RSP_JOINED_REC_VERDICT 233, 32
#define REC_RSP_JOINED_REC_VERDICT_SYN 257, 8
#define REC_RSP_JOINED_REC_VERDICT_STATUS 249, 8
#define REC_RSP_JOINED_REC_VERDICT_VENDOR 241, 8
#define REC_RSP_JOINED_REC_VERDICT_ETYPE 233, 8
#define REC_RSP_JOINED_REC_SILENT 232, 1
#define REC_RSP_JOINED_REC_SYNC 231, 1
#define REC_RSP_JOINED_REC_UD 193, 38
#define REC_RSP_JOINED_REC_UD_VALID 230, 1
#define REC_RSP_JOINED_REC_UD_IPV6 229, 1
#define REC_RSP_JOINED_REC_UD_HAS_TAG 228, 1
#define REC_RSP_JOINED_REC_UD_PRIO 225, 3
#define REC_RSP_JOINED_REC_UD_IP_OFF 217, 8
#define REC_RSP_JOINED_REC_UD_SRC_QP 193, 24
#define REC_RSP_JOINED_REC_INV 189, 4
#define REC_RSP_JOINED_REC_INV_VALID 192, 1
#define REC_RSP_JOINED_REC_INV_TAKEN 191, 1
#define REC_RSP_JOINED_REC_INV_AT 189, 2
#define REC_RSP_JOINED_REC_ATOMIC 60, 129
#define REC_RSP_JOINED_REC_ATOMIC_CAS 188, 1
#define REC_RSP_JOINED_REC_ATOMIC_SWAP_ADD 124, 64
#define REC_RSP_JOINED_REC_ATOMIC_COMPARE 60, 64
#define REC_RSP_JOINED_REC_SRQ 26, 34
#define REC_RSP_JOINED_REC_SRQ_VALID 59, 1
#define REC_RSP_JOINED_REC_SRQ_SRQN 43, 16
#define REC_RSP_JOINED_REC_SRQ_SLOT 27, 16
#define REC_RSP_JOINED_REC_SRQ_LATE 26, 1
#define REC_RSP_JOINED_REC_OVER 25, 1
#define REC_RSP_JOINED_REC_RQ_CQN 1, 24
#define REC_RSP_JOINED_REC_MORE 0, 1

/*
 * rsp_walk: where the next packet of a message starts.
 */
#define REC_RSP_HINT_W 109
struct rec_rsp_hint {
	uint32_t psn; /* of the packet */
	uint32_t qpn;
	uint8_t gen;
	uint16_t rq; /* receive WQE */
	uint8_t idx; /* its element */
	uint32_t off; /* bytes of that already used */
};
#define REC_RSP_HINT_FIELDS(F) \
	F(psn, psn, 85, 24) \
	F(qpn, qpn, 61, 24) \
	F(gen, gen, 53, 8) \
	F(rq, rq, 37, 16) \
	F(idx, idx, 32, 5) \
	F(off, off, 0, 32)
#define REC_RSP_HINT_PSN 85, 24
#define REC_RSP_HINT_QPN 61, 24
#define REC_RSP_HINT_GEN 53, 8
#define REC_RSP_HINT_RQ 37, 16
#define REC_RSP_HINT_IDX 32, 5
#define REC_RSP_HINT_OFF 0, 32

/*
 * rsp_check: a QP behind the packets that are on their way.
 */
#define REC_RSP_STATE_W 227
struct rec_rsp_state {
	uint32_t psn; /* expected */
	uint8_t msg; /* enum rsp_msg */
	uint32_t rem; /* WRITE: bytes to come; SEND: bytes received */
	uint64_t va;
	uint32_t key;
	uint32_t wlen;
	uint16_t rq; /* receive WQE in use or next */
	uint8_t tail; /* of the responder resources */
	uint16_t slot; /* of an SRQ */
	uint8_t late; /* the slot is not known yet */
};
#define REC_RSP_STATE_FIELDS(F) \
	F(psn, psn, 203, 24) \
	F(msg, msg, 201, 2) \
	F(rem, rem, 169, 32) \
	F(va, va, 105, 64) \
	F(key, key, 73, 32) \
	F(wlen, wlen, 41, 32) \
	F(rq, rq, 25, 16) \
	F(tail, tail, 17, 8) \
	F(slot, slot, 1, 16) \
	F(late, late, 0, 1)
#define REC_RSP_STATE_PSN 203, 24
#define REC_RSP_STATE_MSG 201, 2
#define REC_RSP_STATE_REM 169, 32
#define REC_RSP_STATE_VA 105, 64
#define REC_RSP_STATE_KEY 73, 32
#define REC_RSP_STATE_WLEN 41, 32
#define REC_RSP_STATE_RQ 25, 16
#define REC_RSP_STATE_TAIL 17, 8
#define REC_RSP_STATE_SLOT 1, 16
#define REC_RSP_STATE_LATE 0, 1

/*
 * rsp_tx: how far the answers of a QP have come.
 */
#define REC_RSP_ANSWERING_W 59
struct rec_rsp_answering {
	uint8_t valid;
	uint8_t gen;
	uint8_t res; /* resource */
	uint8_t placed; /* it goes on at psn, else it has not begun */
	uint8_t begun; /* a packet of this answer has left */
	uint32_t psn;
	uint16_t seq; /* ring position of the last job */
};
#define REC_RSP_ANSWERING_FIELDS(F) \
	F(valid, valid, 58, 1) \
	F(gen, gen, 50, 8) \
	F(res, res, 42, 8) \
	F(placed, placed, 41, 1) \
	F(begun, begun, 40, 1) \
	F(psn, psn, 16, 24) \
	F(seq, seq, 0, 16)
#define REC_RSP_ANSWERING_VALID 58, 1
#define REC_RSP_ANSWERING_GEN 50, 8
#define REC_RSP_ANSWERING_RES 42, 8
#define REC_RSP_ANSWERING_PLACED 41, 1
#define REC_RSP_ANSWERING_BEGUN 40, 1
#define REC_RSP_ANSWERING_PSN 16, 24
#define REC_RSP_ANSWERING_SEQ 0, 16

/*
 * rsp_tx: a look-up under way.
 */
#define REC_RSP_LOOK_W 25
struct rec_rsp_look {
	uint8_t fault; /* for a failed payload read, else for a kick */
	uint32_t qpn;
};
#define REC_RSP_LOOK_FIELDS(F) \
	F(fault, fault, 24, 1) \
	F(qpn, qpn, 0, 24)
#define REC_RSP_LOOK_FAULT 24, 1
#define REC_RSP_LOOK_QPN 0, 24

/*
 * rsp_tx: the QP of a visit.
 */
#define REC_RSP_VISIT_W 68
struct rec_rsp_visit {
	uint16_t slot;
	uint32_t qpn;
	uint8_t gen;
	uint8_t eqn;
	uint16_t seq; /* ring position of its last job */
};
#define REC_RSP_VISIT_FIELDS(F) \
	F(slot, slot, 56, 12) \
	F(qpn, qpn, 32, 24) \
	F(gen, gen, 24, 8) \
	F(eqn, eqn, 16, 8) \
	F(seq, seq, 0, 16)
#define REC_RSP_VISIT_SLOT 56, 12
#define REC_RSP_VISIT_QPN 32, 24
#define REC_RSP_VISIT_GEN 24, 8
#define REC_RSP_VISIT_EQN 16, 8
#define REC_RSP_VISIT_SEQ 0, 16

/* Kinds of rsp_step */
enum rec_rvs {
	REC_RVS_READ = 0, /* a packet of a READ, whose key is being checked */
	REC_RVS_PLAIN = 1, /* a packet without memory: an atomic's answer, a READ of no bytes */
	REC_RVS_ACK = 2, /* the ACK state, if it is owed */
	REC_RVS_MOVE = 3, /* answers go on with resource res, PSN psn, for a duplicate; so far with resource arg */
	REC_RVS_LOST = 4, /* the resource is not to be had, for reason arg: NAK at psn */
	REC_RVS_FAULT = 5, /* the payload of packet psn could not be read: NAK there */
	REC_RVS_FLUSH = 6, /* one receive WQE; psn: producer index */
	REC_RVS_END = 7, /* of the visit; last: the QP is to be visited again */
};

/*
 * rsp_tx: one step of a visit.
 */
#define REC_RSP_STEP_W 60
struct rec_rsp_step {
	uint8_t kind; /* enum rec_rvs */
	uint8_t res;
	uint32_t psn;
	uint8_t arg;
	uint16_t len;
	uint8_t first; /* of its answer */
	uint8_t last; /* of its resource */
	uint8_t ack_before; /* an ACK of what comes before it goes first */
	uint8_t atomic;
};
#define REC_RSP_STEP_FIELDS(F) \
	F(kind, kind, 57, 3) \
	F(res, res, 49, 8) \
	F(psn, psn, 25, 24) \
	F(arg, arg, 17, 8) \
	F(len, len, 4, 13) \
	F(first, first, 3, 1) \
	F(last, last, 2, 1) \
	F(ack_before, ack_before, 1, 1) \
	F(atomic, atomic, 0, 1)
#define REC_RSP_STEP_KIND 57, 3
#define REC_RSP_STEP_RES 49, 8
#define REC_RSP_STEP_PSN 25, 24
#define REC_RSP_STEP_ARG 17, 8
#define REC_RSP_STEP_LEN 4, 13
#define REC_RSP_STEP_FIRST 3, 1
#define REC_RSP_STEP_LAST 2, 1
#define REC_RSP_STEP_ACK_BEFORE 1, 1
#define REC_RSP_STEP_ATOMIC 0, 1

/*
 * rsp_tx: what has become of a step.
 */
#define REC_RSP_OUTCOME_W 163
struct rec_rsp_outcome {
	uint8_t ok; /* packet: it may be sent; ACK: it is owed; END: visit again */
	struct rec_mr_place place; /* of its payload */
};
#define REC_RSP_OUTCOME_FIELDS(F) \
	F(ok, ok, 162, 1) \
	F(place_func, place.func, 154, 8) \
	F(place_iova0, place.iova0, 90, 64) \
	F(place_len0, place.len0, 77, 13) \
	F(place_iova1, place.iova1, 13, 64) \
	F(place_len1, place.len1, 0, 13)
#define REC_RSP_OUTCOME_OK 162, 1
#define REC_RSP_OUTCOME_PLACE 0, 162
#define REC_RSP_OUTCOME_PLACE_FUNC 154, 8
#define REC_RSP_OUTCOME_PLACE_IOVA0 90, 64
#define REC_RSP_OUTCOME_PLACE_LEN0 77, 13
#define REC_RSP_OUTCOME_PLACE_IOVA1 13, 64
#define REC_RSP_OUTCOME_PLACE_LEN1 0, 13

/*
 * rsp_ack: what an ACK or NAK has of a tx_job.
 */
#define REC_RSP_ACK_JOB_W 395
struct rec_rsp_ack_job {
	uint32_t qpn;
	uint16_t slot;
	uint8_t gen;
	uint8_t epoch;
	uint32_t psn;
	uint32_t aeth;
	struct rec_av av;
};
#define REC_RSP_ACK_JOB_FIELDS(F) \
	F(qpn, qpn, 371, 24) \
	F(slot, slot, 359, 12) \
	F(gen, gen, 351, 8) \
	F(epoch, epoch, 350, 1) \
	F(psn, psn, 326, 24) \
	F(aeth, aeth, 294, 32) \
	F(av_dmac, av.dmac, 246, 48) \
	F(av_dgid_0, av.dgid[0], 118, 64) \
	F(av_dgid_1, av.dgid[1], 182, 64) \
	F(av_ipv6, av.ipv6, 117, 1) \
	F(av_sgid_index, av.sgid_index, 109, 8) \
	F(av_sport, av.sport, 93, 16) \
	F(av_tclass, av.tclass, 85, 8) \
	F(av_hop, av.hop, 77, 8) \
	F(av_flow, av.flow, 57, 20) \
	F(av_vlan, av.vlan, 56, 1) \
	F(av_tci, av.tci, 40, 16) \
	F(av_pkey, av.pkey, 24, 16) \
	F(av_dest_qp, av.dest_qp, 0, 24)
#define REC_RSP_ACK_JOB_QPN 371, 24
#define REC_RSP_ACK_JOB_SLOT 359, 12
#define REC_RSP_ACK_JOB_GEN 351, 8
#define REC_RSP_ACK_JOB_EPOCH 350, 1
#define REC_RSP_ACK_JOB_PSN 326, 24
#define REC_RSP_ACK_JOB_AETH 294, 32
#define REC_RSP_ACK_JOB_AV 0, 294
#define REC_RSP_ACK_JOB_AV_DMAC 246, 48
#define REC_RSP_ACK_JOB_AV_DGID 118, 128
#define REC_RSP_ACK_JOB_AV_IPV6 117, 1
#define REC_RSP_ACK_JOB_AV_SGID_INDEX 109, 8
#define REC_RSP_ACK_JOB_AV_SPORT 93, 16
#define REC_RSP_ACK_JOB_AV_TCLASS 85, 8
#define REC_RSP_ACK_JOB_AV_HOP 77, 8
#define REC_RSP_ACK_JOB_AV_FLOW 57, 20
#define REC_RSP_ACK_JOB_AV_VLAN 56, 1
#define REC_RSP_ACK_JOB_AV_TCI 40, 16
#define REC_RSP_ACK_JOB_AV_PKEY 24, 16
#define REC_RSP_ACK_JOB_AV_DEST_QP 0, 24

/*
 * rsp_dup: a duplicate READ or atomic, to be answered again.
 */
#define REC_RSP_DUP_W 186
struct rec_rsp_dup {
	uint8_t atomic;
	uint8_t cas; /* compare and swap, else fetch and add */
	uint8_t gen;
	uint32_t qpn;
	uint32_t psn;
	uint64_t va;
	uint32_t key;
	uint32_t len;
};
#define REC_RSP_DUP_FIELDS(F) \
	F(atomic, atomic, 185, 1) \
	F(cas, cas, 184, 1) \
	F(gen, gen, 176, 8) \
	F(qpn, qpn, 152, 24) \
	F(psn, psn, 128, 24) \
	F(va, va, 64, 64) \
	F(key, key, 32, 32) \
	F(len, len, 0, 32)
#define REC_RSP_DUP_ATOMIC 185, 1
#define REC_RSP_DUP_CAS 184, 1
#define REC_RSP_DUP_GEN 176, 8
#define REC_RSP_DUP_QPN 152, 24
#define REC_RSP_DUP_PSN 128, 24
#define REC_RSP_DUP_VA 64, 64
#define REC_RSP_DUP_KEY 32, 32
#define REC_RSP_DUP_LEN 0, 32

/*
 * rsp_res_cache: a line.
 */
#define REC_RES_LINE_W 49
struct rec_res_line {
	uint32_t id; /* generation, QPN */
	uint8_t failed; /* it could not be read */
	uint16_t valid; /* by index */
};
#define REC_RES_LINE_FIELDS(F) \
	F(id, id, 17, 32) \
	F(failed, failed, 16, 1) \
	F(valid, valid, 0, 16)
#define REC_RES_LINE_ID 17, 32
#define REC_RES_LINE_FAILED 16, 1
#define REC_RES_LINE_VALID 0, 16

/*
 * srq_state: what changes of a queue as its slots are taken.
 */
#define REC_SRQ_COUNTS_W 75
struct rec_srq_counts {
	uint16_t pop;
	uint16_t base;
	uint16_t takes; /* slots taken ever */
	uint16_t owed; /* packets that are to get a slot yet, of RX_INFLIGHT */
	uint16_t limit;
	uint8_t armed;
};
#define REC_SRQ_COUNTS_FIELDS(F) \
	F(pop, pop, 59, 16) \
	F(base, base, 43, 16) \
	F(takes, takes, 27, 16) \
	F(owed, owed, 17, 10) \
	F(limit, limit, 1, 16) \
	F(armed, armed, 0, 1)
#define REC_SRQ_COUNTS_POP 59, 16
#define REC_SRQ_COUNTS_BASE 43, 16
#define REC_SRQ_COUNTS_TAKES 27, 16
#define REC_SRQ_COUNTS_OWED 17, 10
#define REC_SRQ_COUNTS_LIMIT 1, 16
#define REC_SRQ_COUNTS_ARMED 0, 1

/*
 * srq_state: what firmware has set up of a queue.
 */
#define REC_SRQ_SETUP_W 178
struct rec_srq_setup {
	uint8_t valid;
	uint8_t gen;
	uint8_t page; /* of its doorbell */
	uint32_t pd;
	uint8_t log2;
	uint8_t stride;
	uint64_t slots;
	uint64_t ring;
};
#define REC_SRQ_SETUP_FIELDS(F) \
	F(valid, valid, 177, 1) \
	F(gen, gen, 169, 8) \
	F(page, page, 161, 8) \
	F(pd, pd, 137, 24) \
	F(log2, log2, 133, 4) \
	F(stride, stride, 128, 5) \
	F(slots, slots, 64, 64) \
	F(ring, ring, 0, 64)
#define REC_SRQ_SETUP_VALID 177, 1
#define REC_SRQ_SETUP_GEN 169, 8
#define REC_SRQ_SETUP_PAGE 161, 8
#define REC_SRQ_SETUP_PD 137, 24
#define REC_SRQ_SETUP_LOG2 133, 4
#define REC_SRQ_SETUP_STRIDE 128, 5
#define REC_SRQ_SETUP_SLOTS 64, 64
#define REC_SRQ_SETUP_RING 0, 64

/*
 * rqe_fetch: what is looked up.
 */
#define REC_RQE_ASK_W 168
struct rec_rqe_ask {
	uint16_t slot; /* context */
	uint8_t srq;
	uint32_t qpn; /* of an SRQ: its number's low byte, entry */
	uint8_t gen;
	uint16_t first; /* index of the group of entries; of an SRQ: what tells the entry from earlier ones */
	uint8_t pos; /* entry in the group */
	uint8_t off; /* its elements in the group's */
	uint8_t mask; /* entries of the group, - 1 */
	uint16_t pi;
	uint64_t base;
	uint8_t log2;
	uint8_t stride;
};
#define REC_RQE_ASK_FIELDS(F) \
	F(slot, slot, 156, 12) \
	F(srq, srq, 155, 1) \
	F(qpn, qpn, 131, 24) \
	F(gen, gen, 123, 8) \
	F(first, first, 107, 16) \
	F(pos, pos, 101, 6) \
	F(off, off, 95, 6) \
	F(mask, mask, 89, 6) \
	F(pi, pi, 73, 16) \
	F(base, base, 9, 64) \
	F(log2, log2, 5, 4) \
	F(stride, stride, 0, 5)
#define REC_RQE_ASK_SLOT 156, 12
#define REC_RQE_ASK_SRQ 155, 1
#define REC_RQE_ASK_QPN 131, 24
#define REC_RQE_ASK_GEN 123, 8
#define REC_RQE_ASK_FIRST 107, 16
#define REC_RQE_ASK_POS 101, 6
#define REC_RQE_ASK_OFF 95, 6
#define REC_RQE_ASK_MASK 89, 6
#define REC_RQE_ASK_PI 73, 16
#define REC_RQE_ASK_BASE 9, 64
#define REC_RQE_ASK_LOG2 5, 4
#define REC_RQE_ASK_STRIDE 0, 5

/*
 * rqe_runs: a run of receive WQEs, in a way of a set.
 */
#define REC_RQE_RUN_W 65
struct rec_rqe_run {
	uint8_t live;
	uint8_t turn; /* another with each read of the run */
	uint8_t asked; /* a packet waits for it, or has not looked since it came */
	uint8_t open; /* its last entry has not been looked at */
	uint32_t qpn;
	uint8_t gen;
	uint16_t first; /* index of the group that it is part of */
	uint8_t from; /* its first entry in the group */
	uint8_t to; /* behind its last */
};
#define REC_RQE_RUN_FIELDS(F) \
	F(live, live, 64, 1) \
	F(turn, turn, 63, 1) \
	F(asked, asked, 62, 1) \
	F(open, open, 61, 1) \
	F(qpn, qpn, 37, 24) \
	F(gen, gen, 29, 8) \
	F(first, first, 13, 16) \
	F(from, from, 7, 6) \
	F(to, to, 0, 7)
#define REC_RQE_RUN_LIVE 64, 1
#define REC_RQE_RUN_TURN 63, 1
#define REC_RQE_RUN_ASKED 62, 1
#define REC_RQE_RUN_OPEN 61, 1
#define REC_RQE_RUN_QPN 37, 24
#define REC_RQE_RUN_GEN 29, 8
#define REC_RQE_RUN_FIRST 13, 16
#define REC_RQE_RUN_FROM 7, 6
#define REC_RQE_RUN_TO 0, 7

/*
 * rqe_ones: a receive WQE of an SRQ.
 */
#define REC_RQE_ONE_W 44
struct rec_rqe_one {
	uint8_t live;
	uint8_t turn; /* another with each read */
	uint8_t asked; /* a packet waits for it, or has not looked since it came */
	uint8_t early; /* read ahead and not looked at */
	uint8_t srqn;
	uint16_t slot;
	uint16_t seq;
};
#define REC_RQE_ONE_FIELDS(F) \
	F(live, live, 43, 1) \
	F(turn, turn, 42, 1) \
	F(asked, asked, 41, 1) \
	F(early, early, 40, 1) \
	F(srqn, srqn, 32, 8) \
	F(slot, slot, 16, 16) \
	F(seq, seq, 0, 16)
#define REC_RQE_ONE_LIVE 43, 1
#define REC_RQE_ONE_TURN 42, 1
#define REC_RQE_ONE_ASKED 41, 1
#define REC_RQE_ONE_EARLY 40, 1
#define REC_RQE_ONE_SRQN 32, 8
#define REC_RQE_ONE_SLOT 16, 16
#define REC_RQE_ONE_SEQ 0, 16

/*
 * rqe_runs, rqe_ones: of the last read that has ended.
 */
#define REC_RQE_CAME_W 8
struct rec_rqe_came {
	uint8_t turn;
	uint8_t failed;
	uint8_t age; /* when, in 256 cycles */
};
#define REC_RQE_CAME_FIELDS(F) \
	F(turn, turn, 7, 1) \
	F(failed, failed, 6, 1) \
	F(age, age, 0, 6)
#define REC_RQE_CAME_TURN 7, 1
#define REC_RQE_CAME_FAILED 6, 1
#define REC_RQE_CAME_AGE 0, 6

/*
 * rqe_fetch: who is woken when the read ends.
 */
#define REC_RQE_WAITS_W 13
struct rec_rqe_waits {
	uint8_t valid;
	uint16_t slot;
};
#define REC_RQE_WAITS_FIELDS(F) \
	F(valid, valid, 12, 1) \
	F(slot, slot, 0, 12)
#define REC_RQE_WAITS_VALID 12, 1
#define REC_RQE_WAITS_SLOT 0, 12

/*
 * rqe_runs, rqe_ones: what is here of what was looked up.
 */
#define REC_RQE_JUDGED_W 26
struct rec_rqe_judged {
	uint8_t hit;
	uint8_t good; /* hit, and it could be read */
	uint8_t pend; /* it is on its way */
	uint8_t none; /* neither */
	uint8_t room; /* it can be read */
	uint8_t turn; /* of that read */
	uint16_t at; /* where its elements are, or will be, / 16 */
	uint16_t into; /* where they are read into, if it is not here */
};
#define REC_RQE_JUDGED_FIELDS(F) \
	F(hit, hit, 25, 1) \
	F(good, good, 24, 1) \
	F(pend, pend, 23, 1) \
	F(none, none, 22, 1) \
	F(room, room, 21, 1) \
	F(turn, turn, 20, 1) \
	F(at, at, 10, 10) \
	F(into, into, 0, 10)
#define REC_RQE_JUDGED_HIT 25, 1
#define REC_RQE_JUDGED_GOOD 24, 1
#define REC_RQE_JUDGED_PEND 23, 1
#define REC_RQE_JUDGED_NONE 22, 1
#define REC_RQE_JUDGED_ROOM 21, 1
#define REC_RQE_JUDGED_TURN 20, 1
#define REC_RQE_JUDGED_AT 10, 10
#define REC_RQE_JUDGED_INTO 0, 10

/*
 * rqe_fetch: a read on its way to rd_o.
 */
#define REC_RQE_ORDER_W 104
struct rec_rqe_order {
	uint64_t base;
	uint16_t at; /* entry */
	uint8_t n; /* entries */
	uint8_t stride;
	uint16_t tag;
};
#define REC_RQE_ORDER_FIELDS(F) \
	F(base, base, 40, 64) \
	F(at, at, 24, 16) \
	F(n, n, 17, 7) \
	F(stride, stride, 12, 5) \
	F(tag, tag, 0, 12)
#define REC_RQE_ORDER_BASE 40, 64
#define REC_RQE_ORDER_AT 24, 16
#define REC_RQE_ORDER_N 17, 7
#define REC_RQE_ORDER_STRIDE 12, 5
#define REC_RQE_ORDER_TAG 0, 12

/*
 * rsp_commit to atomic_unit: an atomic that has been committed as responder resource `res`; its QP stays pinned until
 * it is done. skip: only say that it is done (the responder is in error).
 */
#define REC_AT_OP_W 311
struct rec_at_op {
	uint8_t skip;
	uint8_t cas; /* compare and swap, else fetch and add */
	uint8_t ack_before; /* of the resource */
	uint8_t func;
	uint64_t iova;
	uint64_t swap_add;
	uint64_t compare;
	uint16_t slot;
	uint32_t qpn;
	uint8_t gen;
	uint32_t psn;
	uint32_t msn; /* with this one */
	uint8_t res;
	uint8_t eqn;
};
#define REC_AT_OP_FIELDS(F) \
	F(skip, skip, 310, 1) \
	F(cas, cas, 309, 1) \
	F(ack_before, ack_before, 308, 1) \
	F(func, func, 300, 8) \
	F(iova, iova, 236, 64) \
	F(swap_add, swap_add, 172, 64) \
	F(compare, compare, 108, 64) \
	F(slot, slot, 96, 12) \
	F(qpn, qpn, 72, 24) \
	F(gen, gen, 64, 8) \
	F(psn, psn, 40, 24) \
	F(msn, msn, 16, 24) \
	F(res, res, 8, 8) \
	F(eqn, eqn, 0, 8)
#define REC_AT_OP_SKIP 310, 1
#define REC_AT_OP_CAS 309, 1
#define REC_AT_OP_ACK_BEFORE 308, 1
#define REC_AT_OP_FUNC 300, 8
#define REC_AT_OP_IOVA 236, 64
#define REC_AT_OP_SWAP_ADD 172, 64
#define REC_AT_OP_COMPARE 108, 64
#define REC_AT_OP_SLOT 96, 12
#define REC_AT_OP_QPN 72, 24
#define REC_AT_OP_GEN 64, 8
#define REC_AT_OP_PSN 40, 24
#define REC_AT_OP_MSN 16, 24
#define REC_AT_OP_RES 8, 8
#define REC_AT_OP_EQN 0, 8

/*
 * atomic_unit: the 8 bytes of an operation
 */
#define REC_AT_PLACE_W 69
struct rec_at_place {
	uint8_t func;
	uint64_t word; /* iova / 8 */
};
#define REC_AT_PLACE_FIELDS(F) \
	F(func, func, 61, 8) \
	F(word, word, 0, 61)
#define REC_AT_PLACE_FUNC 61, 8
#define REC_AT_PLACE_WORD 0, 61

/* Kinds of rsp_ev */
enum rec_rse {
	REC_RSE_ACK = 0, /* the ACK state is to go out (ack_grant) */
	REC_RSE_RES = 1, /* the next responder resource to answer is res */
	REC_RSE_FAIL = 2, /* response psn cannot be delivered: NAK syn */
	REC_RSE_FLUSH = 3, /* flush the oldest receive WQE (producer index pi) */
	REC_RSE_ATOM = 4, /* the atomic of resource res (MSN msn) failed: NAK syn behind older answers */
};

/*
 * Event of rsp_tx or atomic_unit for rsp_commit, about a pinned QP.
 */
#define REC_RSP_EV_W 143
struct rec_rsp_ev {
	uint8_t kind; /* enum rec_rse */
	uint16_t slot;
	uint32_t qpn;
	uint8_t gen;
	uint32_t psn;
	uint8_t syn;
	uint8_t vendor;
	uint8_t eqn;
	uint8_t res;
	uint16_t pi;
	uint32_t msn;
};
#define REC_RSP_EV_FIELDS(F) \
	F(kind, kind, 140, 3) \
	F(slot, slot, 128, 12) \
	F(qpn, qpn, 104, 24) \
	F(gen, gen, 96, 8) \
	F(psn, psn, 72, 24) \
	F(syn, syn, 64, 8) \
	F(vendor, vendor, 56, 8) \
	F(eqn, eqn, 48, 8) \
	F(res, res, 40, 8) \
	F(pi, pi, 24, 16) \
	F(msn, msn, 0, 24)
#define REC_RSP_EV_KIND 140, 3
#define REC_RSP_EV_SLOT 128, 12
#define REC_RSP_EV_QPN 104, 24
#define REC_RSP_EV_GEN 96, 8
#define REC_RSP_EV_PSN 72, 24
#define REC_RSP_EV_SYN 64, 8
#define REC_RSP_EV_VENDOR 56, 8
#define REC_RSP_EV_EQN 48, 8
#define REC_RSP_EV_RES 40, 8
#define REC_RSP_EV_PI 24, 16
#define REC_RSP_EV_MSN 0, 24

/*
 * Completer: facts of the QP that travel with a response packet or an event.
 */
#define REC_CMP_QP_W 82
struct rec_cmp_qp {
	uint32_t qpn;
	uint8_t gen;
	uint16_t slot;
	uint32_t pd;
	uint8_t pmtu;
	uint8_t timeout;
	uint8_t retry_cnt;
	uint8_t rnr_retry;
};
#define REC_CMP_QP_FIELDS(F) \
	F(qpn, qpn, 58, 24) \
	F(gen, gen, 50, 8) \
	F(slot, slot, 38, 12) \
	F(pd, pd, 14, 24) \
	F(pmtu, pmtu, 11, 3) \
	F(timeout, timeout, 6, 5) \
	F(retry_cnt, retry_cnt, 3, 3) \
	F(rnr_retry, rnr_retry, 0, 3)
#define REC_CMP_QP_QPN 58, 24
#define REC_CMP_QP_GEN 50, 8
#define REC_CMP_QP_SLOT 38, 12
#define REC_CMP_QP_PD 14, 24
#define REC_CMP_QP_PMTU 11, 3
#define REC_CMP_QP_TIMEOUT 6, 5
#define REC_CMP_QP_RETRY_CNT 3, 3
#define REC_CMP_QP_RNR_RETRY 0, 3

/* Kinds of cmp_ev */
enum rec_cev {
	REC_CEV_TIMER = 0, /* a timer of the QP has fired */
	REC_CEV_IMPLIED = 1, /* READ data from psn on is missing */
	REC_CEV_FATAL = 2, /* READ data cannot be placed: status, vendor */
};

/*
 * Event for cmp_packet, about a pinned QP.
 */
#define REC_CMP_EV_W 124
struct rec_cmp_ev {
	uint8_t kind; /* enum rec_cev */
	uint32_t psn;
	uint8_t status;
	uint8_t vendor;
	struct rec_cmp_qp qp;
};
#define REC_CMP_EV_FIELDS(F) \
	F(kind, kind, 122, 2) \
	F(psn, psn, 98, 24) \
	F(status, status, 90, 8) \
	F(vendor, vendor, 82, 8) \
	F(qp_qpn, qp.qpn, 58, 24) \
	F(qp_gen, qp.gen, 50, 8) \
	F(qp_slot, qp.slot, 38, 12) \
	F(qp_pd, qp.pd, 14, 24) \
	F(qp_pmtu, qp.pmtu, 11, 3) \
	F(qp_timeout, qp.timeout, 6, 5) \
	F(qp_retry_cnt, qp.retry_cnt, 3, 3) \
	F(qp_rnr_retry, qp.rnr_retry, 0, 3)
#define REC_CMP_EV_KIND 122, 2
#define REC_CMP_EV_PSN 98, 24
#define REC_CMP_EV_STATUS 90, 8
#define REC_CMP_EV_VENDOR 82, 8
#define REC_CMP_EV_QP 0, 82
#define REC_CMP_EV_QP_QPN 58, 24
#define REC_CMP_EV_QP_GEN 50, 8
#define REC_CMP_EV_QP_SLOT 38, 12
#define REC_CMP_EV_QP_PD 14, 24
#define REC_CMP_EV_QP_PMTU 11, 3
#define REC_CMP_EV_QP_TIMEOUT 6, 5
#define REC_CMP_EV_QP_RETRY_CNT 3, 3
#define REC_CMP_EV_QP_RNR_RETRY 0, 3

/* Verdict of cmp_judge about a response packet or an event */
enum rec_cmv {
	REC_CMV_NOTHING = 0, /* event without a consequence */
	REC_CMV_GHOST = 1, /* packet that is not listened to */
	REC_CMV_DATA = 2, /* READ response, ATOMIC_ACK */
	REC_CMV_ACK = 3,
	REC_CMV_RNR = 4, /* RNR NAK */
	REC_CMV_SEQ = 5, /* sequence NAK */
	REC_CMV_NAK_INV = 6, /* fatal NAK: invalid request */
	REC_CMV_NAK_ACCESS = 7, /* fatal NAK: remote access */
	REC_CMV_NAK_OP = 8, /* fatal NAK: remote operation */
	REC_CMV_RESUME = 9, /* timer: an RNR wait is over */
	REC_CMV_STAY = 10, /* timer: it is not */
	REC_CMV_TIMER = 11, /* ack timer */
	REC_CMV_IMPLIED = 12, /* READ data is missing */
	REC_CMV_KNOWN = 13, /* ... which is known */
	REC_CMV_FATAL = 14, /* READ data cannot be placed */
};

/*
 * cmp_packet: the response packet or event in hand
 */
#define REC_CMP_INPUT_W 282
struct rec_cmp_input {
	uint8_t is_ev; /* an event */
	uint8_t state_ok; /* the QP's state takes responses */
	uint32_t psn; /* of the event, or the packet */
	uint32_t opflags;
	uint32_t aeth;
	struct rec_cmp_ev ev;
	struct rec_cmp_qp qp;
};
#define REC_CMP_INPUT_FIELDS(F) \
	F(is_ev, is_ev, 281, 1) \
	F(state_ok, state_ok, 280, 1) \
	F(psn, psn, 256, 24) \
	F(opflags, opflags, 238, 18) \
	F(aeth, aeth, 206, 32) \
	F(ev_kind, ev.kind, 204, 2) \
	F(ev_psn, ev.psn, 180, 24) \
	F(ev_status, ev.status, 172, 8) \
	F(ev_vendor, ev.vendor, 164, 8) \
	F(ev_qp_qpn, ev.qp.qpn, 140, 24) \
	F(ev_qp_gen, ev.qp.gen, 132, 8) \
	F(ev_qp_slot, ev.qp.slot, 120, 12) \
	F(ev_qp_pd, ev.qp.pd, 96, 24) \
	F(ev_qp_pmtu, ev.qp.pmtu, 93, 3) \
	F(ev_qp_timeout, ev.qp.timeout, 88, 5) \
	F(ev_qp_retry_cnt, ev.qp.retry_cnt, 85, 3) \
	F(ev_qp_rnr_retry, ev.qp.rnr_retry, 82, 3) \
	F(qp_qpn, qp.qpn, 58, 24) \
	F(qp_gen, qp.gen, 50, 8) \
	F(qp_slot, qp.slot, 38, 12) \
	F(qp_pd, qp.pd, 14, 24) \
	F(qp_pmtu, qp.pmtu, 11, 3) \
	F(qp_timeout, qp.timeout, 6, 5) \
	F(qp_retry_cnt, qp.retry_cnt, 3, 3) \
	F(qp_rnr_retry, qp.rnr_retry, 0, 3)
#define REC_CMP_INPUT_IS_EV 281, 1
#define REC_CMP_INPUT_STATE_OK 280, 1
#define REC_CMP_INPUT_PSN 256, 24
#define REC_CMP_INPUT_OPFLAGS 238, 18
#define REC_CMP_INPUT_AETH 206, 32
#define REC_CMP_INPUT_EV 82, 124
#define REC_CMP_INPUT_EV_KIND 204, 2
#define REC_CMP_INPUT_EV_PSN 180, 24
#define REC_CMP_INPUT_EV_STATUS 172, 8
#define REC_CMP_INPUT_EV_VENDOR 164, 8
#define REC_CMP_INPUT_EV_QP 82, 82
#define REC_CMP_INPUT_EV_QP_QPN 140, 24
#define REC_CMP_INPUT_EV_QP_GEN 132, 8
#define REC_CMP_INPUT_EV_QP_SLOT 120, 12
#define REC_CMP_INPUT_EV_QP_PD 96, 24
#define REC_CMP_INPUT_EV_QP_PMTU 93, 3
#define REC_CMP_INPUT_EV_QP_TIMEOUT 88, 5
#define REC_CMP_INPUT_EV_QP_RETRY_CNT 85, 3
#define REC_CMP_INPUT_EV_QP_RNR_RETRY 82, 3
#define REC_CMP_INPUT_QP 0, 82
#define REC_CMP_INPUT_QP_QPN 58, 24
#define REC_CMP_INPUT_QP_GEN 50, 8
#define REC_CMP_INPUT_QP_SLOT 38, 12
#define REC_CMP_INPUT_QP_PD 14, 24
#define REC_CMP_INPUT_QP_PMTU 11, 3
#define REC_CMP_INPUT_QP_TIMEOUT 6, 5
#define REC_CMP_INPUT_QP_RETRY_CNT 3, 3
#define REC_CMP_INPUT_QP_RNR_RETRY 0, 3

/*
 * On which side of a PSN another one is
 */
#define REC_PSN_SIDE_W 2
struct rec_psn_side {
	uint8_t less; /* before it */
	uint8_t at; /* it is the same */
};
#define REC_PSN_SIDE_FIELDS(F) \
	F(less, less, 1, 1) \
	F(at, at, 0, 1)
#define REC_PSN_SIDE_LESS 1, 1
#define REC_PSN_SIDE_AT 0, 1

/*
 * cmp_where: where a packet or an event stands in what the parts say
 */
#define REC_CMP_WHERE_W 268
struct rec_cmp_where {
	uint8_t rd_open; /* an incomplete READ stands at OLD_PSN */
	uint8_t pending; /* a go-back that the requester has not begun */
	uint32_t una; /* oldest PSN not acknowledged */
	uint32_t done; /* PSN that the READ at OLD_PSN waits for */
	struct rec_psn_side hi; /* the packet, of HI_PSN */
	struct rec_psn_side by_una; /* ... of the oldest one */
	struct rec_psn_side by_old; /* ... of OLD_PSN */
	struct rec_psn_side by_done; /* ... of what the READ waits for */
	struct rec_psn_side by_gb; /* ... of GB_PSN */
	struct rec_psn_side done_gb; /* what the READ waits for, of GB_PSN */
	struct rec_psn_side una_gb; /* the oldest one, of GB_PSN */
	struct rec_psn_side out; /* HI_PSN, of the oldest one */
	uint8_t wide; /* 8192 PSNs or more are outstanding, a quarter of the window */
	uint32_t lsn; /* credit limit that the packet brings, without */
	uint32_t credits; /* ... what its code stands for */
	uint32_t spent; /* SSN - FREE_MSG */
	uint64_t start; /* when the ack timer's time begins */
	uint64_t wait_left; /* of an RNR wait */
	uint32_t rnr_ns; /* RNR wait that the packet asks for */
};
#define REC_CMP_WHERE_FIELDS(F) \
	F(rd_open, rd_open, 267, 1) \
	F(pending, pending, 266, 1) \
	F(una, una, 242, 24) \
	F(done, done, 218, 24) \
	F(hi_less, hi.less, 217, 1) \
	F(hi_at, hi.at, 216, 1) \
	F(by_una_less, by_una.less, 215, 1) \
	F(by_una_at, by_una.at, 214, 1) \
	F(by_old_less, by_old.less, 213, 1) \
	F(by_old_at, by_old.at, 212, 1) \
	F(by_done_less, by_done.less, 211, 1) \
	F(by_done_at, by_done.at, 210, 1) \
	F(by_gb_less, by_gb.less, 209, 1) \
	F(by_gb_at, by_gb.at, 208, 1) \
	F(done_gb_less, done_gb.less, 207, 1) \
	F(done_gb_at, done_gb.at, 206, 1) \
	F(una_gb_less, una_gb.less, 205, 1) \
	F(una_gb_at, una_gb.at, 204, 1) \
	F(out_less, out.less, 203, 1) \
	F(out_at, out.at, 202, 1) \
	F(wide, wide, 201, 1) \
	F(lsn, lsn, 177, 24) \
	F(credits, credits, 160, 17) \
	F(spent, spent, 136, 24) \
	F(start, start, 72, 64) \
	F(wait_left, wait_left, 32, 40) \
	F(rnr_ns, rnr_ns, 0, 32)
#define REC_CMP_WHERE_RD_OPEN 267, 1
#define REC_CMP_WHERE_PENDING 266, 1
#define REC_CMP_WHERE_UNA 242, 24
#define REC_CMP_WHERE_DONE 218, 24
#define REC_CMP_WHERE_HI 216, 2
#define REC_CMP_WHERE_HI_LESS 217, 1
#define REC_CMP_WHERE_HI_AT 216, 1
#define REC_CMP_WHERE_BY_UNA 214, 2
#define REC_CMP_WHERE_BY_UNA_LESS 215, 1
#define REC_CMP_WHERE_BY_UNA_AT 214, 1
#define REC_CMP_WHERE_BY_OLD 212, 2
#define REC_CMP_WHERE_BY_OLD_LESS 213, 1
#define REC_CMP_WHERE_BY_OLD_AT 212, 1
#define REC_CMP_WHERE_BY_DONE 210, 2
#define REC_CMP_WHERE_BY_DONE_LESS 211, 1
#define REC_CMP_WHERE_BY_DONE_AT 210, 1
#define REC_CMP_WHERE_BY_GB 208, 2
#define REC_CMP_WHERE_BY_GB_LESS 209, 1
#define REC_CMP_WHERE_BY_GB_AT 208, 1
#define REC_CMP_WHERE_DONE_GB 206, 2
#define REC_CMP_WHERE_DONE_GB_LESS 207, 1
#define REC_CMP_WHERE_DONE_GB_AT 206, 1
#define REC_CMP_WHERE_UNA_GB 204, 2
#define REC_CMP_WHERE_UNA_GB_LESS 205, 1
#define REC_CMP_WHERE_UNA_GB_AT 204, 1
#define REC_CMP_WHERE_OUT 202, 2
#define REC_CMP_WHERE_OUT_LESS 203, 1
#define REC_CMP_WHERE_OUT_AT 202, 1
#define REC_CMP_WHERE_WIDE 201, 1
#define REC_CMP_WHERE_LSN 177, 24
#define REC_CMP_WHERE_CREDITS 160, 17
#define REC_CMP_WHERE_SPENT 136, 24
#define REC_CMP_WHERE_START 72, 64
#define REC_CMP_WHERE_WAIT_LEFT 32, 40
#define REC_CMP_WHERE_RNR_NS 0, 32

/*
 * cmp_judge: what a packet or an event is, and what hangs on it
 */
#define REC_CMP_FOUND_W 253
struct rec_cmp_found {
	uint8_t verdict; /* enum rec_cmv */
	uint8_t rd_open;
	uint8_t spared; /* it is about what is behind missing data of a READ: no retry of that */
	uint8_t safe; /* READ data beyond the last go-back is there */
	uint8_t ignores; /* acknowledgements of before an implied NAK are not believed */
	uint8_t on_una; /* its PSN is the oldest not acknowledged, or behind it */
	uint8_t on_done; /* its PSN is what the READ waits for, or behind it */
	uint8_t out; /* something is outstanding */
	uint8_t wide; /* so much that the requester may wait for room */
	uint8_t due; /* the ack timer's time is over */
	uint8_t credits; /* it may bring credits */
	uint8_t no_credits; /* its code says that there are none */
	uint8_t left; /* retries before this one */
	uint8_t rnr_left;
	uint32_t back; /* oldest PSN that is missing: where the ack timer goes back to */
	uint8_t done; /* low bits of what the READ waits for */
	uint32_t lsn;
	uint32_t d_lsn; /* from the limit so far */
	uint32_t room; /* from what is spent to the limit so far */
	uint64_t deadline; /* of the ack timer */
	uint64_t from_now; /* end of the RNR wait that there is, or that it asks for; else of the ack timer that begins now */
};
#define REC_CMP_FOUND_FIELDS(F) \
	F(verdict, verdict, 249, 4) \
	F(rd_open, rd_open, 248, 1) \
	F(spared, spared, 247, 1) \
	F(safe, safe, 246, 1) \
	F(ignores, ignores, 245, 1) \
	F(on_una, on_una, 244, 1) \
	F(on_done, on_done, 243, 1) \
	F(out, out, 242, 1) \
	F(wide, wide, 241, 1) \
	F(due, due, 240, 1) \
	F(credits, credits, 239, 1) \
	F(no_credits, no_credits, 238, 1) \
	F(left, left, 235, 3) \
	F(rnr_left, rnr_left, 232, 3) \
	F(back, back, 208, 24) \
	F(done, done, 200, 8) \
	F(lsn, lsn, 176, 24) \
	F(d_lsn, d_lsn, 152, 24) \
	F(room, room, 128, 24) \
	F(deadline, deadline, 64, 64) \
	F(from_now, from_now, 0, 64)
#define REC_CMP_FOUND_VERDICT 249, 4
#define REC_CMP_FOUND_RD_OPEN 248, 1
#define REC_CMP_FOUND_SPARED 247, 1
#define REC_CMP_FOUND_SAFE 246, 1
#define REC_CMP_FOUND_IGNORES 245, 1
#define REC_CMP_FOUND_ON_UNA 244, 1
#define REC_CMP_FOUND_ON_DONE 243, 1
#define REC_CMP_FOUND_OUT 242, 1
#define REC_CMP_FOUND_WIDE 241, 1
#define REC_CMP_FOUND_DUE 240, 1
#define REC_CMP_FOUND_CREDITS 239, 1
#define REC_CMP_FOUND_NO_CREDITS 238, 1
#define REC_CMP_FOUND_LEFT 235, 3
#define REC_CMP_FOUND_RNR_LEFT 232, 3
#define REC_CMP_FOUND_BACK 208, 24
#define REC_CMP_FOUND_DONE 200, 8
#define REC_CMP_FOUND_LSN 176, 24
#define REC_CMP_FOUND_D_LSN 152, 24
#define REC_CMP_FOUND_ROOM 128, 24
#define REC_CMP_FOUND_DEADLINE 64, 64
#define REC_CMP_FOUND_FROM_NOW 0, 64

/*
 * cmp_next: what a packet or an event is counted as, each a counter of cmp_packet
 */
#define REC_CMP_SAID_W 11
struct rec_cmp_said {
	uint8_t rx_ack;
	uint8_t packet_seq_err;
	uint8_t rnr_nak_rcvd;
	uint8_t implied_nak;
	uint8_t ack_timeout;
	uint8_t req_rem_inv;
	uint8_t req_rem_access;
	uint8_t req_rem_op;
	uint8_t retry_exc;
	uint8_t rnr_exc;
	uint8_t rx_ghost_ack;
};
#define REC_CMP_SAID_FIELDS(F) \
	F(rx_ack, rx_ack, 10, 1) \
	F(packet_seq_err, packet_seq_err, 9, 1) \
	F(rnr_nak_rcvd, rnr_nak_rcvd, 8, 1) \
	F(implied_nak, implied_nak, 7, 1) \
	F(ack_timeout, ack_timeout, 6, 1) \
	F(req_rem_inv, req_rem_inv, 5, 1) \
	F(req_rem_access, req_rem_access, 4, 1) \
	F(req_rem_op, req_rem_op, 3, 1) \
	F(retry_exc, retry_exc, 2, 1) \
	F(rnr_exc, rnr_exc, 1, 1) \
	F(rx_ghost_ack, rx_ghost_ack, 0, 1)
#define REC_CMP_SAID_RX_ACK 10, 1
#define REC_CMP_SAID_PACKET_SEQ_ERR 9, 1
#define REC_CMP_SAID_RNR_NAK_RCVD 8, 1
#define REC_CMP_SAID_IMPLIED_NAK 7, 1
#define REC_CMP_SAID_ACK_TIMEOUT 6, 1
#define REC_CMP_SAID_REQ_REM_INV 5, 1
#define REC_CMP_SAID_REQ_REM_ACCESS 4, 1
#define REC_CMP_SAID_REQ_REM_OP 3, 1
#define REC_CMP_SAID_RETRY_EXC 2, 1
#define REC_CMP_SAID_RNR_EXC 1, 1
#define REC_CMP_SAID_RX_GHOST_ACK 0, 1

/*
 * Data answer (READ response, ATOMIC_ACK) from cmp_packet to cmp_place. drop: only give its cells back.
 */
#define REC_CMP_REC_W 209
struct rec_cmp_rec {
	uint64_t orig; /* atomic: original value. It and drop are in front, to be left out: cmp_place */
	uint8_t drop;
	uint8_t atomic;
	uint32_t psn;
	uint8_t start;
	uint8_t last;
	uint16_t pay_len;
	uint8_t has_cells;
	uint16_t cell_head;
	uint8_t pay_off;
	uint8_t epoch;
	struct rec_cmp_qp qp;
};
#define REC_CMP_REC_FIELDS(F) \
	F(orig, orig, 145, 64) \
	F(drop, drop, 144, 1) \
	F(atomic, atomic, 143, 1) \
	F(psn, psn, 119, 24) \
	F(start, start, 118, 1) \
	F(last, last, 117, 1) \
	F(pay_len, pay_len, 104, 13) \
	F(has_cells, has_cells, 103, 1) \
	F(cell_head, cell_head, 91, 12) \
	F(pay_off, pay_off, 83, 8) \
	F(epoch, epoch, 82, 1) \
	F(qp_qpn, qp.qpn, 58, 24) \
	F(qp_gen, qp.gen, 50, 8) \
	F(qp_slot, qp.slot, 38, 12) \
	F(qp_pd, qp.pd, 14, 24) \
	F(qp_pmtu, qp.pmtu, 11, 3) \
	F(qp_timeout, qp.timeout, 6, 5) \
	F(qp_retry_cnt, qp.retry_cnt, 3, 3) \
	F(qp_rnr_retry, qp.rnr_retry, 0, 3)
#define REC_CMP_REC_ORIG 145, 64
#define REC_CMP_REC_DROP 144, 1
#define REC_CMP_REC_ATOMIC 143, 1
#define REC_CMP_REC_PSN 119, 24
#define REC_CMP_REC_START 118, 1
#define REC_CMP_REC_LAST 117, 1
#define REC_CMP_REC_PAY_LEN 104, 13
#define REC_CMP_REC_HAS_CELLS 103, 1
#define REC_CMP_REC_CELL_HEAD 91, 12
#define REC_CMP_REC_PAY_OFF 83, 8
#define REC_CMP_REC_EPOCH 82, 1
#define REC_CMP_REC_QP 0, 82
#define REC_CMP_REC_QP_QPN 58, 24
#define REC_CMP_REC_QP_GEN 50, 8
#define REC_CMP_REC_QP_SLOT 38, 12
#define REC_CMP_REC_QP_PD 14, 24
#define REC_CMP_REC_QP_PMTU 11, 3
#define REC_CMP_REC_QP_TIMEOUT 6, 5
#define REC_CMP_REC_QP_RETRY_CNT 3, 3
#define REC_CMP_REC_QP_RNR_RETRY 0, 3

/* Kinds of cmp_verdict */
enum rec_ctk {
	REC_CTK_DATA = 0, /* to be placed */
	REC_CTK_DROP = 1, /* only give its cells back */
	REC_CTK_EVENT = 2, /* tell cmp_packet, then as DROP */
	REC_CTK_PARK = 3, /* waits for a visit of the walker; kick: ask for one */
	REC_CTK_BEHIND = 4, /* waits behind others of its slot */
};

/*
 * Verdict of cmp_check about a data answer, for cmp_join; nmr answers of the MR service belong to it.
 */
#define REC_CMP_VERDICT_W 264
struct rec_cmp_verdict {
	uint8_t kind; /* enum rec_ctk */
	uint8_t again; /* replayed: it is in the list already */
	uint8_t kick;
	uint8_t chunk; /* DATA: last packet of a READ request */
	uint8_t whole; /* DATA: ... and of the READ, or an atomic */
	uint8_t torn; /* DATA: one before it was parked since the look, so it may not be placed */
	uint8_t nmr;
	uint8_t ev_kind; /* enum rec_cev */
	uint32_t ev_psn;
	uint8_t ev_status;
	uint8_t ev_vendor;
	struct rec_cmp_rec rec;
};
#define REC_CMP_VERDICT_FIELDS(F) \
	F(kind, kind, 261, 3) \
	F(again, again, 260, 1) \
	F(kick, kick, 259, 1) \
	F(chunk, chunk, 258, 1) \
	F(whole, whole, 257, 1) \
	F(torn, torn, 256, 1) \
	F(nmr, nmr, 251, 5) \
	F(ev_kind, ev_kind, 249, 2) \
	F(ev_psn, ev_psn, 225, 24) \
	F(ev_status, ev_status, 217, 8) \
	F(ev_vendor, ev_vendor, 209, 8) \
	F(rec_orig, rec.orig, 145, 64) \
	F(rec_drop, rec.drop, 144, 1) \
	F(rec_atomic, rec.atomic, 143, 1) \
	F(rec_psn, rec.psn, 119, 24) \
	F(rec_start, rec.start, 118, 1) \
	F(rec_last, rec.last, 117, 1) \
	F(rec_pay_len, rec.pay_len, 104, 13) \
	F(rec_has_cells, rec.has_cells, 103, 1) \
	F(rec_cell_head, rec.cell_head, 91, 12) \
	F(rec_pay_off, rec.pay_off, 83, 8) \
	F(rec_epoch, rec.epoch, 82, 1) \
	F(rec_qp_qpn, rec.qp.qpn, 58, 24) \
	F(rec_qp_gen, rec.qp.gen, 50, 8) \
	F(rec_qp_slot, rec.qp.slot, 38, 12) \
	F(rec_qp_pd, rec.qp.pd, 14, 24) \
	F(rec_qp_pmtu, rec.qp.pmtu, 11, 3) \
	F(rec_qp_timeout, rec.qp.timeout, 6, 5) \
	F(rec_qp_retry_cnt, rec.qp.retry_cnt, 3, 3) \
	F(rec_qp_rnr_retry, rec.qp.rnr_retry, 0, 3)
#define REC_CMP_VERDICT_KIND 261, 3
#define REC_CMP_VERDICT_AGAIN 260, 1
#define REC_CMP_VERDICT_KICK 259, 1
#define REC_CMP_VERDICT_CHUNK 258, 1
#define REC_CMP_VERDICT_WHOLE 257, 1
#define REC_CMP_VERDICT_TORN 256, 1
#define REC_CMP_VERDICT_NMR 251, 5
#define REC_CMP_VERDICT_EV_KIND 249, 2
#define REC_CMP_VERDICT_EV_PSN 225, 24
#define REC_CMP_VERDICT_EV_STATUS 217, 8
#define REC_CMP_VERDICT_EV_VENDOR 209, 8
#define REC_CMP_VERDICT_REC 0, 209
#define REC_CMP_VERDICT_REC_ORIG 145, 64
#define REC_CMP_VERDICT_REC_DROP 144, 1
#define REC_CMP_VERDICT_REC_ATOMIC 143, 1
#define REC_CMP_VERDICT_REC_PSN 119, 24
#define REC_CMP_VERDICT_REC_START 118, 1
#define REC_CMP_VERDICT_REC_LAST 117, 1
#define REC_CMP_VERDICT_REC_PAY_LEN 104, 13
#define REC_CMP_VERDICT_REC_HAS_CELLS 103, 1
#define REC_CMP_VERDICT_REC_CELL_HEAD 91, 12
#define REC_CMP_VERDICT_REC_PAY_OFF 83, 8
#define REC_CMP_VERDICT_REC_EPOCH 82, 1
#define REC_CMP_VERDICT_REC_QP 0, 82
#define REC_CMP_VERDICT_REC_QP_QPN 58, 24
#define REC_CMP_VERDICT_REC_QP_GEN 50, 8
#define REC_CMP_VERDICT_REC_QP_SLOT 38, 12
#define REC_CMP_VERDICT_REC_QP_PD 14, 24
#define REC_CMP_VERDICT_REC_QP_PMTU 11, 3
#define REC_CMP_VERDICT_REC_QP_TIMEOUT 6, 5
#define REC_CMP_VERDICT_REC_QP_RETRY_CNT 3, 3
#define REC_CMP_VERDICT_REC_QP_RNR_RETRY 0, 3

/*
 * cmp_join: an answer of the MR service
 */
#define REC_CMP_ANSWER_W 172
struct rec_cmp_answer {
	uint8_t status; /* enum rec_mrs */
	uint8_t vendor;
	struct rec_mr_place place;
};
#define REC_CMP_ANSWER_FIELDS(F) \
	F(status, status, 170, 2) \
	F(vendor, vendor, 162, 8) \
	F(place_func, place.func, 154, 8) \
	F(place_iova0, place.iova0, 90, 64) \
	F(place_len0, place.len0, 77, 13) \
	F(place_iova1, place.iova1, 13, 64) \
	F(place_len1, place.len1, 0, 13)
#define REC_CMP_ANSWER_STATUS 170, 2
#define REC_CMP_ANSWER_VENDOR 162, 8
#define REC_CMP_ANSWER_PLACE 0, 162
#define REC_CMP_ANSWER_PLACE_FUNC 154, 8
#define REC_CMP_ANSWER_PLACE_IOVA0 90, 64
#define REC_CMP_ANSWER_PLACE_LEN0 77, 13
#define REC_CMP_ANSWER_PLACE_IOVA1 13, 64
#define REC_CMP_ANSWER_PLACE_LEN1 0, 13

/*
 * cmp_check: where the packets of a slot that were let through end.
 */
#define REC_CMP_CURSOR_W 167
struct rec_cmp_cursor {
	uint32_t qpn;
	uint8_t gen;
	uint32_t psn; /* of the next one */
	uint8_t known; /* the WQE is known */
	uint8_t open; /* it is a READ of which some was let through, and not all */
	uint16_t index; /* the WQE; behind the last READ or atomic if not open */
	uint16_t packets; /* of it that were let through, mod 65536 */
	uint32_t rest; /* bytes of it that were not */
	uint8_t sge; /* element */
	uint32_t off; /* bytes used of it */
	uint8_t nsge; /* elements of the WQE */
	uint8_t nblk; /* its blocks */
};
#define REC_CMP_CURSOR_FIELDS(F) \
	F(qpn, qpn, 143, 24) \
	F(gen, gen, 135, 8) \
	F(psn, psn, 111, 24) \
	F(known, known, 110, 1) \
	F(open, open, 109, 1) \
	F(index, index, 93, 16) \
	F(packets, packets, 77, 16) \
	F(rest, rest, 45, 32) \
	F(sge, sge, 40, 5) \
	F(off, off, 8, 32) \
	F(nsge, nsge, 3, 5) \
	F(nblk, nblk, 0, 3)
#define REC_CMP_CURSOR_QPN 143, 24
#define REC_CMP_CURSOR_GEN 135, 8
#define REC_CMP_CURSOR_PSN 111, 24
#define REC_CMP_CURSOR_KNOWN 110, 1
#define REC_CMP_CURSOR_OPEN 109, 1
#define REC_CMP_CURSOR_INDEX 93, 16
#define REC_CMP_CURSOR_PACKETS 77, 16
#define REC_CMP_CURSOR_REST 45, 32
#define REC_CMP_CURSOR_SGE 40, 5
#define REC_CMP_CURSOR_OFF 8, 32
#define REC_CMP_CURSOR_NSGE 3, 5
#define REC_CMP_CURSOR_NBLK 0, 3

/*
 * wqe_fetch: eight blocks of a send queue.
 */
#define REC_WQE_GROUP_W 45
struct rec_wqe_group {
	uint32_t qpn;
	uint8_t gen;
	uint16_t no; /* index / 8 */
};
#define REC_WQE_GROUP_FIELDS(F) \
	F(qpn, qpn, 21, 24) \
	F(gen, gen, 13, 8) \
	F(no, no, 0, 13)
#define REC_WQE_GROUP_QPN 21, 24
#define REC_WQE_GROUP_GEN 13, 8
#define REC_WQE_GROUP_NO 0, 13

/* What a TLP asks of BAR0 */
enum rec_bar {
	REC_BAR_WRITE = 0,
	REC_BAR_READ = 1,
	REC_BAR_NOTHING = 2, /* a read of BAR2, where nothing is to be read */
	REC_BAR_UR = 3, /* unsupported */
};

/*
 * What the completion of a request has of it.
 */
#define REC_BAR_ID_W 32
struct rec_bar_id {
	uint8_t t9;
	uint8_t tc;
	uint8_t t8;
	uint8_t attr2;
	uint8_t attr;
	uint16_t reqid;
	uint8_t tag;
};
#define REC_BAR_ID_FIELDS(F) \
	F(t9, t9, 31, 1) \
	F(tc, tc, 28, 3) \
	F(t8, t8, 27, 1) \
	F(attr2, attr2, 26, 1) \
	F(attr, attr, 24, 2) \
	F(reqid, reqid, 8, 16) \
	F(tag, tag, 0, 8)
#define REC_BAR_ID_T9 31, 1
#define REC_BAR_ID_TC 28, 3
#define REC_BAR_ID_T8 27, 1
#define REC_BAR_ID_ATTR2 26, 1
#define REC_BAR_ID_ATTR 24, 2
#define REC_BAR_ID_REQID 8, 16
#define REC_BAR_ID_TAG 0, 8

/*
 * Access of the host, for bar_access; the data of a write comes in words.
 */
#define REC_BAR_OP_W 67
struct rec_bar_op {
	uint8_t kind; /* enum rec_bar */
	uint8_t mem; /* of memory, not another request */
	uint16_t addr; /* in DW */
	uint16_t length; /* DW */
	uint8_t lbe;
	uint8_t fbe;
	struct rec_bar_id id;
};
#define REC_BAR_OP_FIELDS(F) \
	F(kind, kind, 65, 2) \
	F(mem, mem, 64, 1) \
	F(addr, addr, 50, 14) \
	F(length, length, 40, 10) \
	F(lbe, lbe, 36, 4) \
	F(fbe, fbe, 32, 4) \
	F(id_t9, id.t9, 31, 1) \
	F(id_tc, id.tc, 28, 3) \
	F(id_t8, id.t8, 27, 1) \
	F(id_attr2, id.attr2, 26, 1) \
	F(id_attr, id.attr, 24, 2) \
	F(id_reqid, id.reqid, 8, 16) \
	F(id_tag, id.tag, 0, 8)
#define REC_BAR_OP_KIND 65, 2
#define REC_BAR_OP_MEM 64, 1
#define REC_BAR_OP_ADDR 50, 14
#define REC_BAR_OP_LENGTH 40, 10
#define REC_BAR_OP_LBE 36, 4
#define REC_BAR_OP_FBE 32, 4
#define REC_BAR_OP_ID 0, 32
#define REC_BAR_OP_ID_T9 31, 1
#define REC_BAR_OP_ID_TC 28, 3
#define REC_BAR_OP_ID_T8 27, 1
#define REC_BAR_OP_ID_ATTR2 26, 1
#define REC_BAR_OP_ID_ATTR 24, 2
#define REC_BAR_OP_ID_REQID 8, 16
#define REC_BAR_OP_ID_TAG 0, 8

/*
 * What bar_access answers, for bar_cpl: not before dma_write's sent ticket has reached this one. Its data has come
 * before (bar_dw).
 */
#define REC_BAR_ANSWER_W 72
struct rec_bar_answer {
	uint16_t ticket;
	uint8_t dw; /* payload, 0 for unsupported */
	uint16_t count; /* byte count */
	uint8_t lower; /* lower address */
	struct rec_bar_id id;
};
#define REC_BAR_ANSWER_FIELDS(F) \
	F(ticket, ticket, 56, 16) \
	F(dw, dw, 51, 5) \
	F(count, count, 39, 12) \
	F(lower, lower, 32, 7) \
	F(id_t9, id.t9, 31, 1) \
	F(id_tc, id.tc, 28, 3) \
	F(id_t8, id.t8, 27, 1) \
	F(id_attr2, id.attr2, 26, 1) \
	F(id_attr, id.attr, 24, 2) \
	F(id_reqid, id.reqid, 8, 16) \
	F(id_tag, id.tag, 0, 8)
#define REC_BAR_ANSWER_TICKET 56, 16
#define REC_BAR_ANSWER_DW 51, 5
#define REC_BAR_ANSWER_COUNT 39, 12
#define REC_BAR_ANSWER_LOWER 32, 7
#define REC_BAR_ANSWER_ID 0, 32
#define REC_BAR_ANSWER_ID_T9 31, 1
#define REC_BAR_ANSWER_ID_TC 28, 3
#define REC_BAR_ANSWER_ID_T8 27, 1
#define REC_BAR_ANSWER_ID_ATTR2 26, 1
#define REC_BAR_ANSWER_ID_ATTR 24, 2
#define REC_BAR_ANSWER_ID_REQID 8, 16
#define REC_BAR_ANSWER_ID_TAG 0, 8

/*
 * fw_dma: a transfer that waits, as in fw_copy
 */
#define REC_FW_JOB_W 101
struct rec_fw_job {
	uint8_t slot;
	uint8_t write;
	uint8_t only_msix;
	uint8_t msix;
	uint8_t vector;
	uint64_t iova;
	uint16_t len;
	uint16_t ram;
};
#define REC_FW_JOB_FIELDS(F) \
	F(slot, slot, 98, 3) \
	F(write, write, 97, 1) \
	F(only_msix, only_msix, 96, 1) \
	F(msix, msix, 95, 1) \
	F(vector, vector, 90, 5) \
	F(iova, iova, 28, 62) \
	F(len, len, 15, 13) \
	F(ram, ram, 0, 15)
#define REC_FW_JOB_SLOT 98, 3
#define REC_FW_JOB_WRITE 97, 1
#define REC_FW_JOB_ONLY_MSIX 96, 1
#define REC_FW_JOB_MSIX 95, 1
#define REC_FW_JOB_VECTOR 90, 5
#define REC_FW_JOB_IOVA 28, 62
#define REC_FW_JOB_LEN 15, 13
#define REC_FW_JOB_RAM 0, 15

/*
 * doorbell: one that waits for the tables
 */
#define REC_DB_QUEUED_W 57
struct rec_db_queued {
	uint8_t window; /* of the push window */
	uint8_t pushed; /* with a block */
	uint8_t kind;
	uint8_t page;
	uint32_t number;
	uint32_t word;
};
#define REC_DB_QUEUED_FIELDS(F) \
	F(window, window, 56, 1) \
	F(pushed, pushed, 55, 1) \
	F(kind, kind, 52, 3) \
	F(page, page, 44, 8) \
	F(number, number, 20, 24) \
	F(word, word, 0, 20)
#define REC_DB_QUEUED_WINDOW 56, 1
#define REC_DB_QUEUED_PUSHED 55, 1
#define REC_DB_QUEUED_KIND 52, 3
#define REC_DB_QUEUED_PAGE 44, 8
#define REC_DB_QUEUED_NUMBER 20, 24
#define REC_DB_QUEUED_WORD 0, 20

/* What kind of packets a QP takes */
enum rec_rxq {
	REC_RXQ_NONE = 0,
	REC_RXQ_RC = 1,
	REC_RXQ_UC = 2,
	REC_RXQ_UD = 3,
};

/*
 * What the receive side knows of a QP before its record is looked up (rx_qp_table): what kind of packets it takes,
 * its P_Key, and a word that the packets of its peer share: of source address and own address (rx_check_gid), of the
 * Q_Key for datagrams (rx_check_qkey). Equal words prove nothing, unequal ones do.
 */
#define REC_RX_QP_W 36
struct rec_rx_qp {
	uint8_t kind; /* enum rec_rxq */
	uint8_t req; /* requests are taken */
	uint8_t rsp; /* responses are taken */
	uint16_t pkey;
	uint16_t check;
};
#define REC_RX_QP_FIELDS(F) \
	F(kind, kind, 34, 2) \
	F(req, req, 33, 1) \
	F(rsp, rsp, 32, 1) \
	F(pkey, pkey, 16, 16) \
	F(check, check, 0, 16)
#define REC_RX_QP_KIND 34, 2
#define REC_RX_QP_REQ 33, 1
#define REC_RX_QP_RSP 32, 1
#define REC_RX_QP_PKEY 16, 16
#define REC_RX_QP_CHECK 0, 16

/*
 * Eight bytes of a header, those whose bit is set (tx_piece)
 */
#define REC_TX_PIECES_W 14
struct rec_tx_pieces {
	uint8_t dmac; /* two bytes of nothing, then it */
	uint8_t tag; /* the second half of the 802.1Q tag, and nothing */
	uint8_t v4_first; /* IPv4: version to fragment */
	uint8_t v4_src; /* hop limit to source address */
	uint8_t v4_dst; /* destination address, and nothing */
	uint8_t v6_first; /* IPv6: version to hop limit */
	uint8_t v6_dst0; /* destination address */
	uint8_t v6_dst1;
	uint8_t udp;
	uint8_t bth; /* the first two thirds of the BTH */
	uint8_t psn; /* the last third, and the first four bytes of the extension headers */
	uint8_t ext1; /* the next ones of them */
	uint8_t ext2;
	uint8_t ext3;
};
#define REC_TX_PIECES_FIELDS(F) \
	F(dmac, dmac, 13, 1) \
	F(tag, tag, 12, 1) \
	F(v4_first, v4_first, 11, 1) \
	F(v4_src, v4_src, 10, 1) \
	F(v4_dst, v4_dst, 9, 1) \
	F(v6_first, v6_first, 8, 1) \
	F(v6_dst0, v6_dst0, 7, 1) \
	F(v6_dst1, v6_dst1, 6, 1) \
	F(udp, udp, 5, 1) \
	F(bth, bth, 4, 1) \
	F(psn, psn, 3, 1) \
	F(ext1, ext1, 2, 1) \
	F(ext2, ext2, 1, 1) \
	F(ext3, ext3, 0, 1)
#define REC_TX_PIECES_DMAC 13, 1
#define REC_TX_PIECES_TAG 12, 1
#define REC_TX_PIECES_V4_FIRST 11, 1
#define REC_TX_PIECES_V4_SRC 10, 1
#define REC_TX_PIECES_V4_DST 9, 1
#define REC_TX_PIECES_V6_FIRST 8, 1
#define REC_TX_PIECES_V6_DST0 7, 1
#define REC_TX_PIECES_V6_DST1 6, 1
#define REC_TX_PIECES_UDP 5, 1
#define REC_TX_PIECES_BTH 4, 1
#define REC_TX_PIECES_PSN 3, 1
#define REC_TX_PIECES_EXT1 2, 1
#define REC_TX_PIECES_EXT2 1, 1
#define REC_TX_PIECES_EXT3 0, 1

/* Each of them: its name, and that in capitals */
#define REC_ALL(R) \
	R(dma_rd, DMA_RD) \
	R(dma_rsp, DMA_RSP) \
	R(dma_wr, DMA_WR) \
	R(rd_request, RD_REQUEST) \
	R(rd_piece, RD_PIECE) \
	R(wr_source, WR_SOURCE) \
	R(wr_queued, WR_QUEUED) \
	R(wr_piece, WR_PIECE) \
	R(wr_tlp, WR_TLP) \
	R(pool_read, POOL_READ) \
	R(rx_meta, RX_META) \
	R(rx_pkt, RX_PKT) \
	R(av, AV) \
	R(tx_args, TX_ARGS) \
	R(tx_job, TX_JOB) \
	R(tx_seg, TX_SEG) \
	R(tx_dest, TX_DEST) \
	R(tx_place, TX_PLACE) \
	R(tx_lost, TX_LOST) \
	R(tx_left, TX_LEFT) \
	R(tx_piece, TX_PIECE) \
	R(mr_req, MR_REQ) \
	R(mr_rsp, MR_RSP) \
	R(mr_place, MR_PLACE) \
	R(mr_says, MR_SAYS) \
	R(mr_asked, MR_ASKED) \
	R(mr_look, MR_LOOK) \
	R(mpt_kept, MPT_KEPT) \
	R(mtt_pair, MTT_PAIR) \
	R(mr_upd, MR_UPD) \
	R(cqe_flags, CQE_FLAGS) \
	R(cqe_req, CQE_REQ) \
	R(cqe_put, CQE_PUT) \
	R(eqe_req, EQE_REQ) \
	R(req_op, REQ_OP) \
	R(local_op, LOCAL_OP) \
	R(req_ending, REQ_ENDING) \
	R(req_data, REQ_DATA) \
	R(req_next, REQ_NEXT) \
	R(req_desc, REQ_DESC) \
	R(req_rec, REQ_REC) \
	R(req_visit, REQ_VISIT) \
	R(req_base, REQ_BASE) \
	R(sq_desc, SQ_DESC) \
	R(rsp_id, RSP_ID) \
	R(rsp_data, RSP_DATA) \
	R(rsp_place, RSP_PLACE) \
	R(rsp_rq, RSP_RQ) \
	R(rsp_verdict, RSP_VERDICT) \
	R(rsp_ud, RSP_UD) \
	R(rsp_inv, RSP_INV) \
	R(rsp_atomic, RSP_ATOMIC) \
	R(rsp_srq, RSP_SRQ) \
	R(rsp_rec, RSP_REC) \
	R(rsp_walked, RSP_WALKED) \
	R(rsp_joined, RSP_JOINED) \
	R(rsp_hint, RSP_HINT) \
	R(rsp_state, RSP_STATE) \
	R(rsp_answering, RSP_ANSWERING) \
	R(rsp_look, RSP_LOOK) \
	R(rsp_visit, RSP_VISIT) \
	R(rsp_step, RSP_STEP) \
	R(rsp_outcome, RSP_OUTCOME) \
	R(rsp_ack_job, RSP_ACK_JOB) \
	R(rsp_dup, RSP_DUP) \
	R(res_line, RES_LINE) \
	R(srq_counts, SRQ_COUNTS) \
	R(srq_setup, SRQ_SETUP) \
	R(rqe_ask, RQE_ASK) \
	R(rqe_run, RQE_RUN) \
	R(rqe_one, RQE_ONE) \
	R(rqe_came, RQE_CAME) \
	R(rqe_waits, RQE_WAITS) \
	R(rqe_judged, RQE_JUDGED) \
	R(rqe_order, RQE_ORDER) \
	R(at_op, AT_OP) \
	R(at_place, AT_PLACE) \
	R(rsp_ev, RSP_EV) \
	R(cmp_qp, CMP_QP) \
	R(cmp_ev, CMP_EV) \
	R(cmp_input, CMP_INPUT) \
	R(psn_side, PSN_SIDE) \
	R(cmp_where, CMP_WHERE) \
	R(cmp_found, CMP_FOUND) \
	R(cmp_said, CMP_SAID) \
	R(cmp_rec, CMP_REC) \
	R(cmp_verdict, CMP_VERDICT) \
	R(cmp_answer, CMP_ANSWER) \
	R(cmp_cursor, CMP_CURSOR) \
	R(wqe_group, WQE_GROUP) \
	R(bar_id, BAR_ID) \
	R(bar_op, BAR_OP) \
	R(bar_answer, BAR_ANSWER) \
	R(fw_job, FW_JOB) \
	R(db_queued, DB_QUEUED) \
	R(rx_qp, RX_QP) \
	R(tx_pieces, TX_PIECES)

#endif
