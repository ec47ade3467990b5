/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers, queue entries, context records and commands.  Generated from rtl/hw/hw.def by hwgen (make hw): do not edit.
 *
 * Masks and fields are used through cairn_bits.h.  Members called gapN are unused and must be zero.
 */
#ifndef CAIRN_HW_H
#define CAIRN_HW_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define CAIRN_CONTRACT_MAGIC 0xCA12 /* REG ID.MAGIC of every Cairn device */
#define CAIRN_CONTRACT_VERSION 5 /* REG ID.VERSION; driver and firmware refuse any other value */
#define CAIRN_PCI_VENDOR 0x1234 /* PCI vendor id */
#define CAIRN_PCI_DEVICE 0x4791 /* PCI device id (the RoCE v2 UDP port) */
#define CAIRN_PCI_CLASS 0x020700 /* PCI class code: network controller, InfiniBand */
#define CAIRN_BAR0_BYTES 0x10000 /* BAR0: registers, MSI-X table and PBA */
#define CAIRN_MSIX_VECTORS 32 /* MSI-X vectors */
#define CAIRN_MSIX_TABLE_OFFSET 0x8000 /* MSI-X table in BAR0, 16 bytes a vector */
#define CAIRN_MSIX_PBA_OFFSET 0xA000 /* MSI-X pending bit array in BAR0 */
#define CAIRN_COUNTER_OFFSET 0x4000 /* 64-bit counters in BAR0, 8 bytes each, index from the COUNTER rows */
#define CAIRN_QP_COUNTER_OFFSET 0x4400 /* Counters of the QP that QP_SELECT names, 8 bytes each, index from the QP_COUNTER rows, 32 bits that stay at their end; all others read 0 */
#define CAIRN_QP_COUNTER_TOOLS 0x4800 /* The same of the QP that QP_SELECT_TOOLS names, for tools that watch a device of another program */
#define CAIRN_QP_COUNTER_NEXT 127 /* Index in either window: number of the first QP at or behind the selected one with a counter that is not 0; all ones: there is none */
#define CAIRN_COUNTER_COUNT 128 /* Size of the counter block in entries */
#define CAIRN_DB_PAGE_BYTES 4096 /* One doorbell page in BAR2; each process maps its own */
#define CAIRN_DB_PAGES 256 /* Doorbell pages in BAR2 (1 MiB) */
#define CAIRN_DB_SQ 0x00 /* Offset of the send queue doorbell in a page */
#define CAIRN_DB_RQ 0x08 /* Offset of the receive queue doorbell */
#define CAIRN_DB_SRQ 0x10 /* Offset of the shared receive queue doorbell */
#define CAIRN_DB_CQ_ARM 0x18 /* Offset of the CQ arm doorbell */
#define CAIRN_DB_EQ 0x20 /* Offset of the EQ consumer index doorbell */
#define CAIRN_DB_PUSH 0x800 /* Offset of the 64-byte push window */
#define CAIRN_SQ_BLOCK_BYTES 64 /* Send queue indices count blocks of this size */
#define CAIRN_SGE_BYTES 16 /* Size of a scatter/gather element; the unit of RQ strides */
#define CAIRN_CQE_BYTES 32 /* Size of a completion queue entry */
#define CAIRN_EQE_BYTES 16 /* Size of an event queue entry */
#define CAIRN_CMD_BYTES 64 /* Size of a command */
#define CAIRN_CMD_SLOT_BYTES 256 /* A slot of the command ring: the command, its buffer, and room */
#define CAIRN_CMD_BUFFER_BYTES 128 /* Buffer of a command, right behind it in the slot: input or output */
#define CAIRN_CMD_CPL_BYTES 16 /* Size of a command completion */
#define CAIRN_QP_HOT_BYTES 256 /* QP hot record: cfg, req, cmp, rsp parts of 64 bytes */
#define CAIRN_QP_PART_BYTES 64 /* One part of the QP hot record */
#define CAIRN_RSP_RES_BYTES 32 /* One responder resource */
#define CAIRN_RSP_RES_PER_QP 16 /* Responder resources of a QP, contiguous */
#define CAIRN_MAX_RING_LOG2 15 /* Largest ring: 32 Ki entries */
#define CAIRN_MAX_SGE 16 /* Scatter/gather elements per send or receive WQE */
#define CAIRN_MAX_INLINE 224 /* Inline bytes: 32 in the first block, 64 in each of three more */
#define CAIRN_MAX_WQE_BLOCKS 5 /* Blocks of the longest send WQE (2 + 4 x 4 elements) */
#define CAIRN_MAX_MSG_BYTES 0x80000000 /* Longest message, 2^31 bytes */
#define CAIRN_MAX_OUTSTANDING_PSN 0x8000 /* The requester stops before it has this many PSNs outstanding */
#define CAIRN_MAX_RD_ATOMIC 16 /* Outstanding READ/atomic each way, upper limit of the layouts */
#define CAIRN_ATOMIC_PLACE_LOG2 21 /* Two device addresses of one memory agree in this many low bits, if atomics may come through both */
#define CAIRN_CPU_RAM_BYTES 0x20000 /* RAM of the management core, firmware image included */
#define CAIRN_FW_MAGIC 0x57464143 /* First word of a firmware image header, 'CAFW' */

#define CAIRN_REG_ID 0x0000 /* RO, 32 bit: Device identity */
#define CAIRN_REG_ID_MAGIC 0xffff0000u /* CONTRACT_MAGIC */
#define CAIRN_REG_ID_MAGIC_SHIFT 16
#define CAIRN_REG_ID_VERSION 0xffffu /* CONTRACT_VERSION */
#define CAIRN_REG_ID_VERSION_SHIFT 0

#define CAIRN_REG_BUILD 0x0004 /* RO, 32 bit: What this bitstream or model was built with */
#define CAIRN_REG_BUILD_DATA_W_LOG2 0xfu /* log2 of the data path width in bits (6 to 9) */
#define CAIRN_REG_BUILD_DATA_W_LOG2_SHIFT 0
#define CAIRN_REG_BUILD_QPS_LOG2 0x1f0u /* log2 of the QPNs with on-chip doorbell entries */
#define CAIRN_REG_BUILD_QPS_LOG2_SHIFT 4
#define CAIRN_REG_BUILD_CQS_LOG2 0x3e00u /* log2 of the CQNs with on-chip doorbell entries */
#define CAIRN_REG_BUILD_CQS_LOG2_SHIFT 9
#define CAIRN_REG_BUILD_SRQS_LOG2 0x7c000u /* log2 of the SRQNs with on-chip doorbell entries */
#define CAIRN_REG_BUILD_SRQS_LOG2_SHIFT 14
#define CAIRN_REG_BUILD_QP_CACHE_LOG2 0xf80000u /* log2 of the QP context cache entries */
#define CAIRN_REG_BUILD_QP_CACHE_LOG2_SHIFT 19
#define CAIRN_REG_BUILD_CLK_PERIOD_NS 0x1f000000u /* Nominal clock period in ns */
#define CAIRN_REG_BUILD_CLK_PERIOD_NS_SHIFT 24

#define CAIRN_REG_FEATURES 0x0008 /* RO, 32 bit: Features present in this build; refused by firmware when absent */
#define CAIRN_REG_FEATURES_RC 0x1u /* Reliable connection */
#define CAIRN_REG_FEATURES_RC_SHIFT 0
#define CAIRN_REG_FEATURES_UC 0x2u /* Unreliable connection */
#define CAIRN_REG_FEATURES_UC_SHIFT 1
#define CAIRN_REG_FEATURES_UD 0x4u /* Unreliable datagram */
#define CAIRN_REG_FEATURES_UD_SHIFT 2
#define CAIRN_REG_FEATURES_ATOMIC 0x8u /* Compare-and-swap, fetch-and-add */
#define CAIRN_REG_FEATURES_ATOMIC_SHIFT 3
#define CAIRN_REG_FEATURES_SRQ 0x10u /* Shared receive queues */
#define CAIRN_REG_FEATURES_SRQ_SHIFT 4
#define CAIRN_REG_FEATURES_MW 0x20u /* Memory windows, fast registration, local invalidate */
#define CAIRN_REG_FEATURES_MW_SHIFT 5
#define CAIRN_REG_FEATURES_PUSH 0x40u /* Push window saves the WQE fetch */
#define CAIRN_REG_FEATURES_PUSH_SHIFT 6
#define CAIRN_REG_FEATURES_IPV6 0x80u /* IPv6 GIDs */
#define CAIRN_REG_FEATURES_IPV6_SHIFT 7
#define CAIRN_REG_FEATURES_VLAN 0x100u /* 802.1Q tags */
#define CAIRN_REG_FEATURES_VLAN_SHIFT 8
#define CAIRN_REG_FEATURES_QP_COUNTERS 0x200u /* Counters of each QP */
#define CAIRN_REG_FEATURES_QP_COUNTERS_SHIFT 9
#define CAIRN_REG_FEATURES_LOOP 0x400u /* Frames to the port's own addresses are looped inside */
#define CAIRN_REG_FEATURES_LOOP_SHIFT 10
#define CAIRN_REG_FEATURES_MCAST 0x800u /* Multicast groups; needs UD */
#define CAIRN_REG_FEATURES_MCAST_SHIFT 11

#define CAIRN_REG_STATUS 0x000c /* RO, 32 bit: Device state */
#define CAIRN_REG_STATUS_FW_READY 0x1u /* Firmware has booted and takes commands */
#define CAIRN_REG_STATUS_FW_READY_SHIFT 0
#define CAIRN_REG_STATUS_FW_BAD 0x2u /* The last image had a wrong length or CRC or could not be read, or the core hit a double trap */
#define CAIRN_REG_STATUS_FW_BAD_SHIFT 1
#define CAIRN_REG_STATUS_LINK_UP 0x4u /* MAC link */
#define CAIRN_REG_STATUS_LINK_UP_SHIFT 2
#define CAIRN_REG_STATUS_IDLE 0x8u /* Nothing in any stage */
#define CAIRN_REG_STATUS_IDLE_SHIFT 3
#define CAIRN_REG_STATUS_FATAL 0x10u /* Device fatal; reset the function */
#define CAIRN_REG_STATUS_FATAL_SHIFT 4
#define CAIRN_REG_STATUS_IN_RESET 0x20u /* Function reset in progress */
#define CAIRN_REG_STATUS_IN_RESET_SHIFT 5
#define CAIRN_REG_STATUS_FW_UNREAD 0x40u /* With FW_BAD: host memory did not give the image (UR, CA, poison, no answer, bus mastering off) */
#define CAIRN_REG_STATUS_FW_UNREAD_SHIFT 6

#define CAIRN_REG_CTRL 0x0010 /* RW, 32 bit: Device control */
#define CAIRN_REG_CTRL_CPU_RUN 0x1u /* Write 1: read the image of FW_BASE, FW_LEN and FW_CRC, and run it if it is right; then STATUS.FW_READY, else FW_BAD and 0 here. 0 holds the management core in reset, and gives up an image that is being read */
#define CAIRN_REG_CTRL_CPU_RUN_SHIFT 0
#define CAIRN_REG_CTRL_FN_RESET 0x2u /* Write 1: same as an FLR; reads 1 until done */
#define CAIRN_REG_CTRL_FN_RESET_SHIFT 1

#define CAIRN_REG_TIME 0x0018 /* RO, 64 bit: Device time in ns (time_now) */

#define CAIRN_REG_FW_BASE 0x0020 /* RW, 64 bit: IOVA of the firmware image (what is behind struct fw_header), multiple of 4: it goes to address 0 of the management core's RAM */

#define CAIRN_REG_FW_LEN 0x0028 /* RW, 32 bit: Its length in bytes, multiple of 4 */

#define CAIRN_REG_FW_CRC 0x002c /* RW, 32 bit: Its CRC-32 (IEEE) */

#define CAIRN_REG_FW_SCRATCH 0x0030 /* RO, 32 bit: Firmware status word: version in 31:16, last fatal cause in 15:0 */

#define CAIRN_REG_CMDQ_BASE 0x0040 /* RW, 64 bit: IOVA of the command ring, CMD_SLOT_BYTES an entry and aligned to that */

#define CAIRN_REG_CMDQ_CPL_BASE 0x0048 /* RW, 64 bit: IOVA of the command completion ring, 16-byte entries */

#define CAIRN_REG_CMDQ_SIZE 0x0050 /* RW, 32 bit: Command queue set-up */
#define CAIRN_REG_CMDQ_SIZE_LOG2 0xfu /* log2 of the entries of both rings, 1 to 8 */
#define CAIRN_REG_CMDQ_SIZE_LOG2_SHIFT 0
#define CAIRN_REG_CMDQ_SIZE_VECTOR 0x1f00u /* MSI-X vector of command completions */
#define CAIRN_REG_CMDQ_SIZE_VECTOR_SHIFT 8
#define CAIRN_REG_CMDQ_SIZE_IRQ_EN 0x10000u /* Raise the vector on each completion */
#define CAIRN_REG_CMDQ_SIZE_IRQ_EN_SHIFT 16

#define CAIRN_REG_CMDQ_DB 0x0054 /* RW, 32 bit: Producer index of the command ring, free-running 16 bit; a write rings the firmware */

#define CAIRN_REG_CMDQ_ENABLE 0x0058 /* RW, 32 bit: 1: firmware takes the ring set-up and starts at index 0 and phase 1; 0: stops */

#define CAIRN_REG_LOG_BASE 0x0060 /* RW, 64 bit: IOVA of the log ring (struct log_entry, LOG2 entries); 0 = no log */

#define CAIRN_REG_LOG_SIZE 0x0068 /* RW, 32 bit: log2 of the log ring's entries */

#define CAIRN_REG_MAC_ADDR 0x0070 /* RO, 64 bit: Port MAC address, first wire byte in bits 47:40 */

#define CAIRN_REG_PORT 0x0078 /* RO, 32 bit: Port facts from the MAC */
#define CAIRN_REG_PORT_ETH_MTU 0xffffu /* Largest Ethernet payload (IP packet) the port passes */
#define CAIRN_REG_PORT_ETH_MTU_SHIFT 0
#define CAIRN_REG_PORT_GBPS 0xffff0000u /* Link rate in Gb/s, rounded up */
#define CAIRN_REG_PORT_GBPS_SHIFT 16

#define CAIRN_REG_PCIE 0x007c /* RO, 32 bit: Limits in force, from the root complex or hard block */
#define CAIRN_REG_PCIE_MPS 0x7u /* Max payload size, 128 << n bytes */
#define CAIRN_REG_PCIE_MPS_SHIFT 0
#define CAIRN_REG_PCIE_MRRS 0x70u /* Max read request size, 128 << n bytes */
#define CAIRN_REG_PCIE_MRRS_SHIFT 4
#define CAIRN_REG_PCIE_BME 0x100u /* Bus master enable */
#define CAIRN_REG_PCIE_BME_SHIFT 8

#define CAIRN_REG_QP_SELECT 0x0080 /* RW, 32 bit: QPN whose counters stand at QP_COUNTER_OFFSET */

#define CAIRN_REG_QP_SELECT_TOOLS 0x0084 /* RW, 32 bit: QPN whose counters stand at QP_COUNTER_TOOLS */

#define CAIRN_REG_SIZES 0x0088 /* RO, 32 bit: How much of what can be counted this build has */
#define CAIRN_REG_SIZES_GIDS 0x1fu /* Entries of the GID table, 1 to 16 */
#define CAIRN_REG_SIZES_GIDS_SHIFT 0
#define CAIRN_REG_SIZES_GROUPS 0x1f00u /* Multicast groups; 0 without MCAST */
#define CAIRN_REG_SIZES_GROUPS_SHIFT 8
#define CAIRN_REG_SIZES_EQS 0x3f0000u /* Event queues, 2 to 32 */
#define CAIRN_REG_SIZES_EQS_SHIFT 16
#define CAIRN_REG_SIZES_MRS_LOG2 0x1f000000u /* log2 of the keys that have their place on chip; 0: as many as the table in host memory */
#define CAIRN_REG_SIZES_MRS_LOG2_SHIFT 24

#define CAIRN_MMIO_MBX 0x80000000 /* cmd_mailbox: command ring registers as firmware sees them */
#define CAIRN_MMIO_CTX 0x80010000 /* Context port */
#define CAIRN_MMIO_DMA 0x80020000 /* Firmware DMA port */
#define CAIRN_MMIO_RAW 0x80030000 /* Raw frame receive and transmit buffers */
#define CAIRN_MMIO_DEV 0x80040000 /* Device: GID table, tables' bases, fence, doorbell RAM, counters */
#define CAIRN_MMIO_EQ 0x80050000 /* EQ set-up and event injection */
#define CAIRN_MMIO_UART_TX 0x800E0000 /* Console inside rtl/cpu: write sends a byte; reads 1 when one is accepted at once */
#define CAIRN_MMIO_MTIME 0x800F0000 /* Timer inside rtl/cpu: time_now in ns, 64 bit, read only */
#define CAIRN_MMIO_MTIMECMP 0x800F0008 /* Timer inside rtl/cpu: interrupt while time_now >= this, 64 bit */

#define CAIRN_REG_MBX_IRQ 0x1000 /* W1C, 32 bit: MMIO_MBX: causes of IRQ_CMD; the line is up while any is set */
#define CAIRN_REG_MBX_IRQ_DB 0x1u /* The host wrote CMDQ_DB */
#define CAIRN_REG_MBX_IRQ_DB_SHIFT 0
#define CAIRN_REG_MBX_IRQ_ENABLE 0x2u /* The host wrote CMDQ_ENABLE */
#define CAIRN_REG_MBX_IRQ_ENABLE_SHIFT 1

#define CAIRN_REG_MBX_ENABLE 0x1004 /* RO, 32 bit: CMDQ_ENABLE as the host left it */

#define CAIRN_REG_MBX_CMD_BASE 0x1008 /* RO, 64 bit: CMDQ_BASE */

#define CAIRN_REG_MBX_CPL_BASE 0x1010 /* RO, 64 bit: CMDQ_CPL_BASE */

#define CAIRN_REG_MBX_SIZE 0x1018 /* RO, 32 bit: CMDQ_SIZE, same fields */

#define CAIRN_REG_MBX_DB 0x101c /* RO, 32 bit: CMDQ_DB, bits 15:0 */

#define CAIRN_REG_MBX_LOG_BASE 0x1020 /* RO, 64 bit: LOG_BASE */

#define CAIRN_REG_MBX_LOG_SIZE 0x1028 /* RO, 32 bit: LOG_SIZE */

#define CAIRN_REG_MBX_STATE 0x102c /* RW, 32 bit: What STATUS shows of firmware; cleared while the core is held */
#define CAIRN_REG_MBX_STATE_READY 0x1u /* STATUS.FW_READY */
#define CAIRN_REG_MBX_STATE_READY_SHIFT 0
#define CAIRN_REG_MBX_STATE_FATAL 0x2u /* STATUS.FATAL */
#define CAIRN_REG_MBX_STATE_FATAL_SHIFT 1

#define CAIRN_REG_MBX_SCRATCH 0x1030 /* RW, 32 bit: FW_SCRATCH */

#define CAIRN_REG_MBX_MSIX 0x1034 /* WO, 32 bit: Raise a vector after all DMA operations started before */
#define CAIRN_REG_MBX_MSIX_VECTOR 0x1fu /* MSI-X vector */
#define CAIRN_REG_MBX_MSIX_VECTOR_SHIFT 0

#define CAIRN_FW_DMA_SLOTS 8 /* Firmware DMA operations that may be under way */

#define CAIRN_REG_DMA_IOVA 0x1100 /* RW, 64 bit: MMIO_DMA: host address of the next operation, multiple of 4 */

#define CAIRN_REG_DMA_LEN 0x1108 /* RW, 32 bit: Bytes, 4 to 4096, multiple of 4 */

#define CAIRN_REG_DMA_RAM 0x110c /* RW, 32 bit: Address of the first byte in the core's RAM, multiple of 4; IOVA, LEN and RAM keep their values */

#define CAIRN_REG_DMA_START 0x1110 /* WO, 32 bit: Start an operation. Operations begin in order; writes and vectors leave in order, reads end in order */
#define CAIRN_REG_DMA_START_SLOT 0x7u /* Its slot; not one that is BUSY or DONE */
#define CAIRN_REG_DMA_START_SLOT_SHIFT 0
#define CAIRN_REG_DMA_START_WRITE 0x100u /* 1: RAM to host; 0: host to RAM */
#define CAIRN_REG_DMA_START_WRITE_SHIFT 8
#define CAIRN_REG_DMA_START_QUIET 0x200u /* Not to be DONE: its BUSY tells */
#define CAIRN_REG_DMA_START_QUIET_SHIFT 9
#define CAIRN_REG_DMA_START_MSIX 0x400u /* Write: raise VECTOR behind it */
#define CAIRN_REG_DMA_START_MSIX_SHIFT 10
#define CAIRN_REG_DMA_START_VECTOR 0x1f0000u /* MSI-X vector */
#define CAIRN_REG_DMA_START_VECTOR_SHIFT 16

#define CAIRN_REG_DMA_BUSY 0x1114 /* RO, 32 bit: Bit per slot: started and not finished. A write is finished when the ordered stream has taken it */

#define CAIRN_REG_DMA_DONE 0x1118 /* W1C, 32 bit: Finished; IRQ_DMA is up while any slot is */
#define CAIRN_REG_DMA_DONE_DONE 0xffu /* Bit per slot; writing 1 clears it and its ERR */
#define CAIRN_REG_DMA_DONE_DONE_SHIFT 0
#define CAIRN_REG_DMA_DONE_ERR 0xff00u /* Bit per slot: the read failed (what the RAM holds there is undefined), or LEN or RAM were not valid */
#define CAIRN_REG_DMA_DONE_ERR_SHIFT 8

#define CAIRN_REG_RAW_RX 0x1200 /* RO, 32 bit: MMIO_RAW: oldest frame received; IRQ_RAW is up while VALID */
#define CAIRN_REG_RAW_RX_LEN 0xfffu /* Bytes without FCS */
#define CAIRN_REG_RAW_RX_LEN_SHIFT 0
#define CAIRN_REG_RAW_RX_ANSWER 0x40000000u /* It was awaited, and has one of the places kept for such */
#define CAIRN_REG_RAW_RX_ANSWER_SHIFT 30
#define CAIRN_REG_RAW_RX_VALID 0x80000000u /* A frame is in RAW_RX_BUFFER */
#define CAIRN_REG_RAW_RX_VALID_SHIFT 31

#define CAIRN_REG_RAW_RX_POP 0x1204 /* WO, 32 bit: Any write gives the oldest frame's buffer back, and counts what became of it */
#define CAIRN_REG_RAW_RX_POP_OUTCOME 0x7u /* enum net_outcome: counter NET_USED + OUTCOME */
#define CAIRN_REG_RAW_RX_POP_OUTCOME_SHIFT 0

/* What firmware made of a raw frame, in the order of the NET counters */
enum cairn_net_outcome {
	CAIRN_NET_OUTCOME_USED = 0,
	CAIRN_NET_OUTCOME_IGNORED = 1,
	CAIRN_NET_OUTCOME_INVALID = 2,
	CAIRN_NET_OUTCOME_BAD_SOURCE = 3,
	CAIRN_NET_OUTCOME_UNSOLICITED = 4,
	CAIRN_NET_OUTCOME_CONFLICT = 5,
};

#define CAIRN_REG_RAW_TX 0x1208 /* RW, 32 bit: Send the frame in RAW_TX_BUFFER; write only while not BUSY */
#define CAIRN_REG_RAW_TX_LEN 0xfffu /* Bytes without FCS, 14 to RAW_FRAME_BYTES; shorter than 60 is padded */
#define CAIRN_REG_RAW_TX_LEN_SHIFT 0
#define CAIRN_REG_RAW_TX_BUSY 0x80000000u /* The last frame has not left the buffer yet */
#define CAIRN_REG_RAW_TX_BUSY_SHIFT 31

#define CAIRN_REG_RAW_AWAIT_KEY 0x120c /* RW, 32 bit: IPv4 address, or the last four bytes of an IPv6 address, first wire byte on top, for the next RAW_AWAIT */

#define CAIRN_REG_RAW_AWAIT 0x1210 /* WO, 32 bit: Keep a place for the ARP reply from that address, or the advertisement of it, until one has come: to us, in VLAN VID, at most RAW_ANSWER_BYTES long */
#define CAIRN_REG_RAW_AWAIT_INDEX 0x7u /* Which of RAW_ANSWERS */
#define CAIRN_REG_RAW_AWAIT_INDEX_SHIFT 0
#define CAIRN_REG_RAW_AWAIT_VID 0xfff0u /* 0: no tag, or a priority tag */
#define CAIRN_REG_RAW_AWAIT_VID_SHIFT 4
#define CAIRN_REG_RAW_AWAIT_IPV6 0x40000000u
#define CAIRN_REG_RAW_AWAIT_IPV6_SHIFT 30
#define CAIRN_REG_RAW_AWAIT_VALID 0x80000000u /* 0: no longer awaited */
#define CAIRN_REG_RAW_AWAIT_VALID_SHIFT 31

#define CAIRN_NET_OUTCOMES 6 /* Values of enum net_outcome */
#define CAIRN_RAW_ANSWERS 8 /* Answers that may be awaited */
#define CAIRN_RAW_ANSWER_BYTES 128 /* Longest frame that takes one of their places */
#define CAIRN_RAW_RX_BUFFER 0x4000 /* Offset in MMIO_RAW of the oldest frame received, byte 0 first, 32-bit accesses */
#define CAIRN_RAW_TX_BUFFER 0x5000 /* Offset in MMIO_RAW of the frame to send */
#define CAIRN_RAW_FRAME_BYTES 2048 /* Longest raw frame; longer ones are dropped and counted */

/* Operation of the context port */
enum cairn_ctx_op {
	CAIRN_CTX_OP_INIT = 0, /* Make a new record: the parts in order, each with all of CTX_DATA; the record exists after the last. CTX_MASK is all ones from then on, until one of its words is written */
	CAIRN_CTX_OP_MODIFY = 1, /* Write the bits of CTX_MASK of one part; CTX_DATA then holds the whole part. CQ: REFUSED when the entries past ci do not fit in LOG2 */
	CAIRN_CTX_OP_READ = 2, /* Read one part into CTX_DATA */
	CAIRN_CTX_OP_EVICT = 3, /* Write back and drop; waits until nothing uses the record */
	CAIRN_CTX_OP_DROP = 4, /* Drop without writing back; waits until nothing uses the record. MTT: CTX_DATA word 0 lines from CTX_KEY on */
};

/* Result of a context port operation */
enum cairn_ctx_result {
	CAIRN_CTX_RESULT_OK = 0,
	CAIRN_CTX_RESULT_WAITING = 1, /* Not a result: the record is being read */
	CAIRN_CTX_RESULT_RETRY = 2, /* Not a result: tried again inside */
	CAIRN_CTX_RESULT_DAMAGED = 3, /* Record unreadable or wrong */
	CAIRN_CTX_RESULT_FREE = 4, /* No such record */
	CAIRN_CTX_RESULT_REFUSED = 5, /* Nothing was changed: see the operation */
};

#define CAIRN_REG_CTX_START 0x1300 /* WO, 32 bit: MMIO_CTX: start an operation; not while BUSY */
#define CAIRN_REG_CTX_START_OP 0x7u /* enum ctx_op */
#define CAIRN_REG_CTX_START_OP_SHIFT 0
#define CAIRN_REG_CTX_START_TABLE 0x70u /* enum table: QP, RSP_RES, CQ, MPT, MTT */
#define CAIRN_REG_CTX_START_TABLE_SHIFT 4
#define CAIRN_REG_CTX_START_PART 0x300u /* QP: enum qp_part */
#define CAIRN_REG_CTX_START_PART_SHIFT 8

#define CAIRN_REG_CTX_KEY 0x1304 /* RW, 32 bit: Number of the record: QPN, CQN, MPT index, MTT line (entry / 8), RSP_RES: QPN << 3 | line */

#define CAIRN_REG_CTX_STATUS 0x1308 /* W1C, 32 bit: State of the port */
#define CAIRN_REG_CTX_STATUS_BUSY 0x1u /* An operation is under way (read only) */
#define CAIRN_REG_CTX_STATUS_BUSY_SHIFT 0
#define CAIRN_REG_CTX_STATUS_DONE 0x2u /* It has ended; IRQ_CTX is up while set, writing 1 clears it */
#define CAIRN_REG_CTX_STATUS_DONE_SHIFT 1
#define CAIRN_REG_CTX_STATUS_RESULT 0x70u /* enum ctx_result (read only) */
#define CAIRN_REG_CTX_STATUS_RESULT_SHIFT 4

#define CAIRN_CTX_DATA 0x1340 /* Offset in MMIO_CTX of 16 data words, read and write; accesses wait while BUSY */
#define CAIRN_CTX_MASK 0x1380 /* Offset in MMIO_CTX of 16 mask words of MODIFY, write only; as CTX_DATA */

#define CAIRN_REG_DEV_CTRL 0x1400 /* RW, 32 bit: MMIO_DEV: the data path */
#define CAIRN_REG_DEV_CTRL_ENABLE 0x1u /* Doorbells and packets are served */
#define CAIRN_REG_DEV_CTRL_ENABLE_SHIFT 0
#define CAIRN_REG_DEV_CTRL_NO_LOOP 0x2u /* Frames to ourselves go out on the wire like all others */
#define CAIRN_REG_DEV_CTRL_NO_LOOP_SHIFT 1

#define CAIRN_REG_DEV_FENCE 0x1404 /* WO, 32 bit: Write 1: start a fence */

#define CAIRN_REG_DEV_FENCE_STATUS 0x1408 /* W1C, 32 bit: State of the fence */
#define CAIRN_REG_DEV_FENCE_STATUS_BUSY 0x1u /* Under way (read only) */
#define CAIRN_REG_DEV_FENCE_STATUS_BUSY_SHIFT 0
#define CAIRN_REG_DEV_FENCE_STATUS_DONE 0x2u /* Ended; IRQ_FENCE is up while set, writing 1 clears it */
#define CAIRN_REG_DEV_FENCE_STATUS_DONE_SHIFT 1

#define CAIRN_REG_DEV_FEATURES 0x140c /* RO, 32 bit: As FEATURES */

#define CAIRN_REG_DEV_BUILD 0x1410 /* RO, 32 bit: As BUILD */

#define CAIRN_REG_DEV_PORT 0x1414 /* RO, 32 bit: As PORT */

#define CAIRN_REG_DEV_MAC 0x1418 /* RO, 64 bit: As MAC_ADDR */

#define CAIRN_REG_DEV_LINK 0x1420 /* W1C, 32 bit: Link */
#define CAIRN_REG_DEV_LINK_UP 0x1u /* Link is up now (read only) */
#define CAIRN_REG_DEV_LINK_UP_SHIFT 0
#define CAIRN_REG_DEV_LINK_CHANGED 0x2u /* Changed; IRQ_LINK is up while set, writing 1 clears it */
#define CAIRN_REG_DEV_LINK_CHANGED_SHIFT 1

#define CAIRN_REG_DEV_TABLE_BASE 0x1428 /* RW, 64 bit: IOVA for the next DEV_TABLE write */

#define CAIRN_REG_DEV_TABLE 0x1430 /* WO, 32 bit: Set or close a table */
#define CAIRN_REG_DEV_TABLE_TABLE 0xfu /* enum table */
#define CAIRN_REG_DEV_TABLE_TABLE_SHIFT 0
#define CAIRN_REG_DEV_TABLE_LOG2 0x1f00u /* log2 of its entries (MTT: of its 8-byte entries) */
#define CAIRN_REG_DEV_TABLE_LOG2_SHIFT 8
#define CAIRN_REG_DEV_TABLE_VALID 0x80000000u /* 0 closes it */
#define CAIRN_REG_DEV_TABLE_VALID_SHIFT 31

#define CAIRN_REG_DEV_GID 0x1434 /* WO, 32 bit: Write GID table entry INDEX from DEV_GID_DATA */
#define CAIRN_REG_DEV_GID_INDEX 0xfu /* Entry */
#define CAIRN_REG_DEV_GID_INDEX_SHIFT 0
#define CAIRN_REG_DEV_GID_VALID 0x10u
#define CAIRN_REG_DEV_GID_VALID_SHIFT 4
#define CAIRN_REG_DEV_GID_IPV6 0x20u
#define CAIRN_REG_DEV_GID_IPV6_SHIFT 5
#define CAIRN_REG_DEV_GID_VLAN 0x40u /* Packets of this entry carry VID */
#define CAIRN_REG_DEV_GID_VLAN_SHIFT 6
#define CAIRN_REG_DEV_GID_VID 0xfff0000u
#define CAIRN_REG_DEV_GID_VID_SHIFT 16

#define CAIRN_REG_DEV_GROUP 0x1438 /* WO, 32 bit: Write multicast group INDEX from DEV_GID_DATA (IPv4 groups mapped as GIDs are) */
#define CAIRN_REG_DEV_GROUP_INDEX 0xfu /* Group */
#define CAIRN_REG_DEV_GROUP_INDEX_SHIFT 0
#define CAIRN_REG_DEV_GROUP_VALID 0x10u
#define CAIRN_REG_DEV_GROUP_VALID_SHIFT 4

#define CAIRN_REG_DEV_MEMBER 0x143c /* WO, 32 bit: Write a member of a multicast group; spoils DEV_GID_DATA */
#define CAIRN_REG_DEV_MEMBER_INDEX 0x7fu /* Group * MCAST_MEMBERS + place */
#define CAIRN_REG_DEV_MEMBER_INDEX_SHIFT 0
#define CAIRN_REG_DEV_MEMBER_VALID 0x80u
#define CAIRN_REG_DEV_MEMBER_VALID_SHIFT 7
#define CAIRN_REG_DEV_MEMBER_QPN 0xffffff00u /* QP that gets a copy of each packet */
#define CAIRN_REG_DEV_MEMBER_QPN_SHIFT 8

#define CAIRN_MCAST_GROUPS 16 /* Multicast groups */
#define CAIRN_MCAST_MEMBERS 8 /* QPs of a group */
#define CAIRN_DEV_GID_DATA 0x1440 /* Offset in MMIO_DEV of the 16 GID bytes, wire order, byte 0 first; write only */

/* Doorbell tables */
enum cairn_db_table {
	CAIRN_DB_TABLE_SQ = 0,
	CAIRN_DB_TABLE_RQ = 1,
	CAIRN_DB_TABLE_SRQ = 2,
	CAIRN_DB_TABLE_CQ = 3,
	CAIRN_DB_TABLE_EQ = 4,
};

/* Operation on a doorbell entry */
enum cairn_db_op {
	CAIRN_DB_OP_OPEN = 0, /* Valid, owned by PAGE, index 0, not in error */
	CAIRN_DB_OP_CLOSE = 1, /* Not valid */
	CAIRN_DB_OP_ERROR = 2, /* PAGE 0: from now on a doorbell kicks the flush; PAGE 1: no longer; PAGE 2 (SQ): as 0, and nothing of it leaves any more, until OPEN */
	CAIRN_DB_OP_READ = 3, /* Index to DEV_DB_INDEX */
};

#define CAIRN_REG_DEV_DB_NUMBER 0x1450 /* RW, 32 bit: Number for DEV_DB and DEV_KICK */

#define CAIRN_REG_DEV_DB 0x1454 /* WO, 32 bit: Operation on one doorbell entry; done at once */
#define CAIRN_REG_DEV_DB_KIND 0x7u /* enum db_table */
#define CAIRN_REG_DEV_DB_KIND_SHIFT 0
#define CAIRN_REG_DEV_DB_OP 0x30u /* enum db_op */
#define CAIRN_REG_DEV_DB_OP_SHIFT 4
#define CAIRN_REG_DEV_DB_PAGE 0xff00u /* Owning page */
#define CAIRN_REG_DEV_DB_PAGE_SHIFT 8
#define CAIRN_REG_DEV_DB_GEN 0xff0000u /* OPEN of a send queue: generation of its QP, for blocks that are pushed */
#define CAIRN_REG_DEV_DB_GEN_SHIFT 16

#define CAIRN_REG_DEV_DB_INDEX 0x1458 /* RO, 32 bit: Producer index that the last READ found */

/* Who is kicked */
enum cairn_kick {
	CAIRN_KICK_SCHED = 0, /* qp_scheduler */
	CAIRN_KICK_CMP = 1, /* cmp_retire: look at the send queue, flush if in error */
	CAIRN_KICK_RSP = 2, /* rsp_flush: flush the receive queue */
};

#define CAIRN_REG_DEV_KICK 0x145c /* WO, 32 bit: Kick QP DEV_DB_NUMBER */
#define CAIRN_REG_DEV_KICK_WHO 0x3u /* enum kick */
#define CAIRN_REG_DEV_KICK_WHO_SHIFT 0

/* What the data path reports to firmware */
enum cairn_dev_event {
	CAIRN_DEV_EVENT_CQ_ERROR = 1, /* CQ NUMBER overflowed: its QPs must go to error */
	CAIRN_DEV_EVENT_DB_BAD = 2, /* Wrong doorbell: page in NUMBER 23:16, cause in 6:0 as the counter index */
	CAIRN_DEV_EVENT_EQ_OVERFLOW = 3, /* EQ NUMBER */
	CAIRN_DEV_EVENT_QP_ERROR = 4, /* An engine put QP NUMBER in error */
};

#define CAIRN_REG_DEV_EVENT 0x1460 /* RO, 32 bit: Oldest event; IRQ_EVT is up while VALID */
#define CAIRN_REG_DEV_EVENT_NUMBER 0xffffffu
#define CAIRN_REG_DEV_EVENT_NUMBER_SHIFT 0
#define CAIRN_REG_DEV_EVENT_KIND 0xf000000u /* enum dev_event */
#define CAIRN_REG_DEV_EVENT_KIND_SHIFT 24
#define CAIRN_REG_DEV_EVENT_VALID 0x80000000u
#define CAIRN_REG_DEV_EVENT_VALID_SHIFT 31

#define CAIRN_REG_DEV_EVENT_POP 0x1464 /* WO, 32 bit: Any write drops the oldest event; repeated events of a kind and number are merged while the queue is full */

#define CAIRN_REG_DEV_SIZES 0x1468 /* RO, 32 bit: As SIZES */

#define CAIRN_REG_EQ_BASE 0x1600 /* RW, 64 bit: MMIO_EQ: IOVA of the ring for the next EQ_SET */

#define CAIRN_REG_EQ_SET 0x1608 /* WO, 32 bit: Set up or close an EQ; indices start at 0, phase at 1 */
#define CAIRN_REG_EQ_SET_EQN 0x1fu
#define CAIRN_REG_EQ_SET_EQN_SHIFT 0
#define CAIRN_REG_EQ_SET_LOG2 0xf00u /* Entries */
#define CAIRN_REG_EQ_SET_LOG2_SHIFT 8
#define CAIRN_REG_EQ_SET_VECTOR 0x1f0000u /* MSI-X vector */
#define CAIRN_REG_EQ_SET_VECTOR_SHIFT 16
#define CAIRN_REG_EQ_SET_ASYNC 0x40000000u /* Its overflow is DEVICE_FATAL */
#define CAIRN_REG_EQ_SET_ASYNC_SHIFT 30
#define CAIRN_REG_EQ_SET_VALID 0x80000000u /* 0 closes it */
#define CAIRN_REG_EQ_SET_VALID_SHIFT 31

#define CAIRN_REG_EQ_RESERVE 0x160c /* WO, 32 bit: Count of CQs that need a slot in the EQ: add or remove one */
#define CAIRN_REG_EQ_RESERVE_EQN 0x1fu
#define CAIRN_REG_EQ_RESERVE_EQN_SHIFT 0
#define CAIRN_REG_EQ_RESERVE_REMOVE 0x80000000u
#define CAIRN_REG_EQ_RESERVE_REMOVE_SHIFT 31

#define CAIRN_REG_EQ_RESERVE_STATUS 0x1610 /* RO, 32 bit: 1: the last EQ_RESERVE was refused, every slot is promised */

#define CAIRN_REG_EQ_POST_NUMBER 0x1614 /* RW, 32 bit: eqe.number of the next EQ_POST */

#define CAIRN_REG_EQ_POST_DATA 0x1618 /* RW, 32 bit: eqe.data of the next EQ_POST */

#define CAIRN_REG_EQ_POST 0x161c /* WO, 32 bit: Post an event */
#define CAIRN_REG_EQ_POST_EQN 0x1fu
#define CAIRN_REG_EQ_POST_EQN_SHIFT 0
#define CAIRN_REG_EQ_POST_TYPE 0xff00u /* enum eqe_type */
#define CAIRN_REG_EQ_POST_TYPE_SHIFT 8

#define CAIRN_IRQ_CMD 0 /* Management core interrupt line: command doorbell or queue enable changed */
#define CAIRN_IRQ_DMA 1 /* Line: firmware DMA finished */
#define CAIRN_IRQ_CTX 2 /* Line: context port operation finished */
#define CAIRN_IRQ_RAW 3 /* Line: a raw frame waits */
#define CAIRN_IRQ_FENCE 4 /* Line: fence finished */
#define CAIRN_IRQ_LINK 5 /* Line: link state changed */
#define CAIRN_IRQ_EVT 6 /* Line: the data path reports an event to firmware (wrong doorbell page, EQ trouble) */

/* Memory request, 4-DW form; the 3-DW form has addr[31:2] in DW 2: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_TLP_MEM_BYTES 16
#define CAIRN_TLP_MEM_FMT 0, 3 /* 000 3DW no data, 001 4DW no data, 010 3DW data, 011 4DW data */
#define CAIRN_TLP_MEM_TYPE 3, 5 /* 00000 memory */
#define CAIRN_TLP_MEM_T9 8, 1 /* Tag bit 9 */
#define CAIRN_TLP_MEM_TC 9, 3 /* Traffic class */
#define CAIRN_TLP_MEM_T8 12, 1 /* Tag bit 8 */
#define CAIRN_TLP_MEM_ATTR2 13, 1 /* ID ordering */
#define CAIRN_TLP_MEM_LN 14, 1
#define CAIRN_TLP_MEM_TH 15, 1
#define CAIRN_TLP_MEM_TD 16, 1 /* Digest present */
#define CAIRN_TLP_MEM_EP 17, 1 /* Poisoned */
#define CAIRN_TLP_MEM_ATTR 18, 2 /* Relaxed ordering, no snoop */
#define CAIRN_TLP_MEM_AT 20, 2 /* Address type */
#define CAIRN_TLP_MEM_LENGTH 22, 10 /* Length in DW, 0 = 1024 */
#define CAIRN_TLP_MEM_REQID 32, 16 /* Requester id */
#define CAIRN_TLP_MEM_TAG 48, 8 /* Tag */
#define CAIRN_TLP_MEM_LBE 56, 4 /* Last DW byte enables */
#define CAIRN_TLP_MEM_FBE 60, 4 /* First DW byte enables */
#define CAIRN_TLP_MEM_ADDR 64, 64 /* Address, bits 1:0 zero; a 3-DW header has the 32-bit address in the upper half */

/* Completion with or without data: offset and width in bits, for cairn_pkt_get() and cairn_pkt_set() */
#define CAIRN_TLP_CPL_BYTES 12
#define CAIRN_TLP_CPL_FMT 0, 3 /* 000 no data, 010 data */
#define CAIRN_TLP_CPL_TYPE 3, 5 /* 01010 completion */
#define CAIRN_TLP_CPL_T9 8, 1
#define CAIRN_TLP_CPL_TC 9, 3
#define CAIRN_TLP_CPL_T8 12, 1
#define CAIRN_TLP_CPL_ATTR2 13, 1
#define CAIRN_TLP_CPL_LN 14, 1
#define CAIRN_TLP_CPL_TH 15, 1
#define CAIRN_TLP_CPL_TD 16, 1
#define CAIRN_TLP_CPL_EP 17, 1 /* Poisoned */
#define CAIRN_TLP_CPL_ATTR 18, 2
#define CAIRN_TLP_CPL_AT 20, 2
#define CAIRN_TLP_CPL_LENGTH 22, 10 /* Length in DW of this piece */
#define CAIRN_TLP_CPL_CPLID 32, 16 /* Completer id */
#define CAIRN_TLP_CPL_STATUS 48, 3 /* enum cpl_status */
#define CAIRN_TLP_CPL_BCM 51, 1
#define CAIRN_TLP_CPL_BYTE_COUNT 52, 12 /* Bytes left including this piece, 0 = 4096 */
#define CAIRN_TLP_CPL_REQID 64, 16 /* Requester id */
#define CAIRN_TLP_CPL_TAG 80, 8 /* Tag */
#define CAIRN_TLP_CPL_RSVD 88, 1
#define CAIRN_TLP_CPL_LOWER_ADDR 89, 7 /* Address bits 6:0 of the first byte */

/* TLP format */
enum cairn_tlp_fmt {
	CAIRN_TLP_FMT_3DW = 0, /* No data */
	CAIRN_TLP_FMT_4DW = 1, /* No data */
	CAIRN_TLP_FMT_3DW_DATA = 2, /* With data */
	CAIRN_TLP_FMT_4DW_DATA = 3, /* With data */
};

/* TLP type */
enum cairn_tlp_type {
	CAIRN_TLP_TYPE_MEM = 0, /* Memory request */
	CAIRN_TLP_TYPE_CPL = 10, /* Completion */
};

/* Completion status */
enum cairn_cpl_status {
	CAIRN_CPL_STATUS_SC = 0, /* Success */
	CAIRN_CPL_STATUS_UR = 1, /* Unsupported request */
	CAIRN_CPL_STATUS_CRS = 2, /* Retry */
	CAIRN_CPL_STATUS_CA = 4, /* Completer abort */
};

/* Doorbell word, one aligned 64-bit store to a page offset DB_* */
struct cairn_doorbell {
	uint64_t word;
};
static_assert(sizeof(struct cairn_doorbell) == 8, "size");
static_assert(offsetof(struct cairn_doorbell, word) == 0, "offset");
#define CAIRN_DOORBELL_WORD_INDEX 0xffffull /* SQ/RQ/SRQ producer index, or CQ/EQ consumer index; free-running */
#define CAIRN_DOORBELL_WORD_INDEX_SHIFT 0
#define CAIRN_DOORBELL_WORD_ARM_SEQ 0x30000ull /* CQ arm: sequence, advances when an event was consumed */
#define CAIRN_DOORBELL_WORD_ARM_SEQ_SHIFT 16
#define CAIRN_DOORBELL_WORD_SOLICITED 0x40000ull /* CQ arm: only solicited or failed completions */
#define CAIRN_DOORBELL_WORD_SOLICITED_SHIFT 18
#define CAIRN_DOORBELL_WORD_ARM 0x80000ull /* EQ: ask for an interrupt on the next entry */
#define CAIRN_DOORBELL_WORD_ARM_SHIFT 19
#define CAIRN_DOORBELL_WORD_NUMBER 0xffffff00000000ull /* QPN, SRQN, CQN or EQN */
#define CAIRN_DOORBELL_WORD_NUMBER_SHIFT 32

/* What a send queue operation does */
enum cairn_wqe_kind {
	CAIRN_WQE_KIND_SEND = 0, /* Payload for a receive WQE of the peer */
	CAIRN_WQE_KIND_WRITE = 1, /* Payload for an address of the peer */
	CAIRN_WQE_KIND_READ = 2, /* One request a chunk; the peer answers with the bytes */
	CAIRN_WQE_KIND_ATOMIC = 3, /* Operands go out, the old value comes back: STRUCT wqe_atomic */
	CAIRN_WQE_KIND_LOCAL = 4, /* Changes a key of ours, no packet: STRUCT wqe_local */
	CAIRN_WQE_KIND_NOP = 5, /* No packet */
};

/* Properties of a send queue operation, a bit mask */
enum cairn_wqe_mark {
	CAIRN_WQE_MARK_INLINE = 1, /* Its payload may be in the WQE */
	CAIRN_WQE_MARK_PUSH = 2, /* Its block may come with the doorbell */
	CAIRN_WQE_MARK_RES = 4, /* Takes a responder resource of the peer, and the answer carries data: MAX_RD_ATOMIC, FENCE */
	CAIRN_WQE_MARK_RWR = 8, /* Consumes a receive WQE of the peer */
	CAIRN_WQE_MARK_IMM = 16, /* Carries immediate data */
	CAIRN_WQE_MARK_INV = 32, /* Carries a key to invalidate */
	CAIRN_WQE_MARK_COMPARE = 64, /* Has a compare operand */
};

/* Send queue operation */
enum cairn_wqe_op {
	CAIRN_WQE_OP_SEND = 0, /* Send */
	CAIRN_WQE_OP_SEND_IMM = 1, /* Send with immediate */
	CAIRN_WQE_OP_SEND_INV = 2, /* Send with invalidate */
	CAIRN_WQE_OP_WRITE = 3, /* RDMA Write */
	CAIRN_WQE_OP_WRITE_IMM = 4, /* RDMA Write with immediate */
	CAIRN_WQE_OP_READ = 5, /* RDMA Read */
	CAIRN_WQE_OP_ATOMIC_CS = 6, /* Compare and swap */
	CAIRN_WQE_OP_ATOMIC_FA = 7, /* Fetch and add */
	CAIRN_WQE_OP_LOCAL_INV = 8, /* Local invalidate */
	CAIRN_WQE_OP_REG_MR = 9, /* Fast registration */
	CAIRN_WQE_OP_BIND_MW = 10, /* Bind a type 2 window */
	CAIRN_WQE_OP_NOP = 11, /* No operation; completes in order */
};

/* Scatter/gather element; a zero length skips it and its key is not looked at */
struct cairn_sge {
	uint64_t addr; /* Virtual address */
	uint32_t lkey; /* Local key */
	uint32_t length; /* Bytes, at most 2^31 */
};
static_assert(sizeof(struct cairn_sge) == 16, "size");
static_assert(offsetof(struct cairn_sge, addr) == 0, "offset");
static_assert(offsetof(struct cairn_sge, lkey) == 8, "offset");
static_assert(offsetof(struct cairn_sge, length) == 12, "offset");

/* First block of a send WQE; elements or inline bytes follow at byte 32 and fill further blocks */
struct cairn_wqe {
	uint32_t ctrl;
	uint32_t imm; /* Immediate (wire order), or key to invalidate */
	uint32_t length; /* Total bytes; must equal the sum of the elements */
	uint32_t check; /* Ownership: makes stale and all-ones reads visible */
	uint64_t raddr; /* Remote virtual address */
	uint32_t rkey; /* Remote key */
	uint32_t rsvd; /* Zero */
	uint64_t sge0_addr; /* First element, or operand: atomic swap/add */
	uint32_t sge0_lkey;
	uint32_t sge0_length;
	uint64_t sge1_addr; /* Second element */
	uint32_t sge1_lkey;
	uint32_t sge1_length;
};
static_assert(sizeof(struct cairn_wqe) == 64, "size");
static_assert(offsetof(struct cairn_wqe, ctrl) == 0, "offset");
static_assert(offsetof(struct cairn_wqe, imm) == 4, "offset");
static_assert(offsetof(struct cairn_wqe, length) == 8, "offset");
static_assert(offsetof(struct cairn_wqe, check) == 12, "offset");
static_assert(offsetof(struct cairn_wqe, raddr) == 16, "offset");
static_assert(offsetof(struct cairn_wqe, rkey) == 24, "offset");
static_assert(offsetof(struct cairn_wqe, rsvd) == 28, "offset");
static_assert(offsetof(struct cairn_wqe, sge0_addr) == 32, "offset");
static_assert(offsetof(struct cairn_wqe, sge0_lkey) == 40, "offset");
static_assert(offsetof(struct cairn_wqe, sge0_length) == 44, "offset");
static_assert(offsetof(struct cairn_wqe, sge1_addr) == 48, "offset");
static_assert(offsetof(struct cairn_wqe, sge1_lkey) == 56, "offset");
static_assert(offsetof(struct cairn_wqe, sge1_length) == 60, "offset");
#define CAIRN_WQE_CTRL_OPCODE 0xffu /* enum wqe_op */
#define CAIRN_WQE_CTRL_OPCODE_SHIFT 0
#define CAIRN_WQE_CTRL_SIGNALED 0x100u /* Write a CQE on success; errors always make one */
#define CAIRN_WQE_CTRL_SIGNALED_SHIFT 8
#define CAIRN_WQE_CTRL_SOLICITED 0x200u /* Set SE in the last packet */
#define CAIRN_WQE_CTRL_SOLICITED_SHIFT 9
#define CAIRN_WQE_CTRL_FENCE 0x400u /* Wait until earlier READs and atomics are complete */
#define CAIRN_WQE_CTRL_FENCE_SHIFT 10
#define CAIRN_WQE_CTRL_INLINE 0x800u /* Payload is in the WQE, num_sge is ignored */
#define CAIRN_WQE_CTRL_INLINE_SHIFT 11
#define CAIRN_WQE_CTRL_NUM_SGE 0x1f0000u /* Elements, 0 to 16 */
#define CAIRN_WQE_CTRL_NUM_SGE_SHIFT 16
#define CAIRN_WQE_CTRL_BLOCKS 0xf000000u /* Blocks of this WQE, 1 to 5 */
#define CAIRN_WQE_CTRL_BLOCKS_SHIFT 24
#define CAIRN_WQE_CHECK_INDEX 0xffffu /* Free-running index of this block */
#define CAIRN_WQE_CHECK_INDEX_SHIFT 0
#define CAIRN_WQE_CHECK_OWNER 0xffff0000u /* Of QPN and generation: QPN bits 15:0, exclusive-or QPN bits 23:16 in 7:0, exclusive-or the generation with its bit 0 in 15, its bit 7 in 8 */
#define CAIRN_WQE_CHECK_OWNER_SHIFT 16

/* First block of an atomic WQE: operands follow the remote address, the one element is at byte 48 */
struct cairn_wqe_atomic {
	uint32_t ctrl; /* as wqe */
	uint32_t imm;
	uint32_t length; /* 8 */
	uint32_t check; /* as wqe */
	uint64_t raddr;
	uint32_t rkey;
	uint32_t rsvd; /* Zero */
	uint64_t swap_add; /* Swap value or addend */
	uint64_t compare; /* Compare value */
	uint64_t sge0_addr; /* Where the old value goes */
	uint32_t sge0_lkey;
	uint32_t sge0_length; /* 8 */
};
static_assert(sizeof(struct cairn_wqe_atomic) == 64, "size");
static_assert(offsetof(struct cairn_wqe_atomic, ctrl) == 0, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, imm) == 4, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, length) == 8, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, check) == 12, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, raddr) == 16, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, rkey) == 24, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, rsvd) == 28, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, swap_add) == 32, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, compare) == 40, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, sge0_addr) == 48, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, sge0_lkey) == 56, "offset");
static_assert(offsetof(struct cairn_wqe_atomic, sge0_length) == 60, "offset");

/* First block of a UD WQE: address vector; elements or inline bytes start in the next block */
struct cairn_wqe_ud {
	uint32_t ctrl; /* as wqe */
	uint32_t imm;
	uint32_t length;
	uint32_t check; /* as wqe */
	uint64_t dmac_sport;
	uint32_t dqpn_sgid;
	uint32_t qkey; /* Q_Key; with bit 31 set that of the QP is sent instead (10.2.5) */
	uint8_t dgid[16]; /* Destination GID */
	uint32_t flow_tclass;
	uint32_t hop_sl;
	uint8_t gap0[8];
};
static_assert(sizeof(struct cairn_wqe_ud) == 64, "size");
static_assert(offsetof(struct cairn_wqe_ud, ctrl) == 0, "offset");
static_assert(offsetof(struct cairn_wqe_ud, imm) == 4, "offset");
static_assert(offsetof(struct cairn_wqe_ud, length) == 8, "offset");
static_assert(offsetof(struct cairn_wqe_ud, check) == 12, "offset");
static_assert(offsetof(struct cairn_wqe_ud, dmac_sport) == 16, "offset");
static_assert(offsetof(struct cairn_wqe_ud, dqpn_sgid) == 24, "offset");
static_assert(offsetof(struct cairn_wqe_ud, qkey) == 28, "offset");
static_assert(offsetof(struct cairn_wqe_ud, dgid) == 32, "offset");
static_assert(offsetof(struct cairn_wqe_ud, flow_tclass) == 48, "offset");
static_assert(offsetof(struct cairn_wqe_ud, hop_sl) == 52, "offset");
#define CAIRN_WQE_UD_DMAC_SPORT_DMAC 0xffffffffffffull /* Destination MAC, first wire byte in bits 47:40 */
#define CAIRN_WQE_UD_DMAC_SPORT_DMAC_SHIFT 0
#define CAIRN_WQE_UD_DMAC_SPORT_SPORT 0xffff000000000000ull /* UDP source port */
#define CAIRN_WQE_UD_DMAC_SPORT_SPORT_SHIFT 48
#define CAIRN_WQE_UD_DQPN_SGID_DQPN 0xffffffu /* Destination QP */
#define CAIRN_WQE_UD_DQPN_SGID_DQPN_SHIFT 0
#define CAIRN_WQE_UD_DQPN_SGID_SGID_INDEX 0xff000000u /* Source GID */
#define CAIRN_WQE_UD_DQPN_SGID_SGID_INDEX_SHIFT 24
#define CAIRN_WQE_UD_FLOW_TCLASS_FLOW 0xfffffu /* Flow label */
#define CAIRN_WQE_UD_FLOW_TCLASS_FLOW_SHIFT 0
#define CAIRN_WQE_UD_FLOW_TCLASS_TCLASS 0xff00000u /* Traffic class */
#define CAIRN_WQE_UD_FLOW_TCLASS_TCLASS_SHIFT 20
#define CAIRN_WQE_UD_HOP_SL_HOP_LIMIT 0xffu /* Hop limit */
#define CAIRN_WQE_UD_HOP_SL_HOP_LIMIT_SHIFT 0
#define CAIRN_WQE_UD_HOP_SL_SL 0xf00u /* Service level, VLAN priority */
#define CAIRN_WQE_UD_HOP_SL_SL_SHIFT 8

/* First block of LOCAL_INV, REG_MR and BIND_MW */
struct cairn_wqe_local {
	uint32_t ctrl; /* as wqe */
	uint32_t key; /* Key to invalidate, register or bind */
	uint32_t length_lo;
	uint32_t check; /* as wqe */
	uint64_t addr; /* First byte of the region or window */
	uint64_t length; /* Bytes */
	uint64_t page_list; /* REG_MR: index of the first MTT entry, the one that REG_MR with MR_FLAG_ALLOC gave; the entries are written before */
	uint32_t mr_key; /* BIND_MW: lkey of the MR */
	uint32_t access; /* enum access in 7:0; REG_MR: PAGE_LOG2 in 31:24 */
	uint64_t rsvd0;
	uint64_t rsvd1;
};
static_assert(sizeof(struct cairn_wqe_local) == 64, "size");
static_assert(offsetof(struct cairn_wqe_local, ctrl) == 0, "offset");
static_assert(offsetof(struct cairn_wqe_local, key) == 4, "offset");
static_assert(offsetof(struct cairn_wqe_local, length_lo) == 8, "offset");
static_assert(offsetof(struct cairn_wqe_local, check) == 12, "offset");
static_assert(offsetof(struct cairn_wqe_local, addr) == 16, "offset");
static_assert(offsetof(struct cairn_wqe_local, length) == 24, "offset");
static_assert(offsetof(struct cairn_wqe_local, page_list) == 32, "offset");
static_assert(offsetof(struct cairn_wqe_local, mr_key) == 40, "offset");
static_assert(offsetof(struct cairn_wqe_local, access) == 44, "offset");
static_assert(offsetof(struct cairn_wqe_local, rsvd0) == 48, "offset");
static_assert(offsetof(struct cairn_wqe_local, rsvd1) == 56, "offset");

/* Completion status, the enum order of verbs.h */
enum cairn_wc_status {
	CAIRN_WC_STATUS_SUCCESS = 0,
	CAIRN_WC_STATUS_LOC_LEN_ERR = 1,
	CAIRN_WC_STATUS_LOC_QP_OP_ERR = 2,
	CAIRN_WC_STATUS_LOC_EEC_OP_ERR = 3,
	CAIRN_WC_STATUS_LOC_PROT_ERR = 4,
	CAIRN_WC_STATUS_WR_FLUSH_ERR = 5,
	CAIRN_WC_STATUS_MW_BIND_ERR = 6,
	CAIRN_WC_STATUS_BAD_RESP_ERR = 7,
	CAIRN_WC_STATUS_LOC_ACCESS_ERR = 8,
	CAIRN_WC_STATUS_REM_INV_REQ_ERR = 9,
	CAIRN_WC_STATUS_REM_ACCESS_ERR = 10,
	CAIRN_WC_STATUS_REM_OP_ERR = 11,
	CAIRN_WC_STATUS_RETRY_EXC_ERR = 12,
	CAIRN_WC_STATUS_RNR_RETRY_EXC_ERR = 13,
	CAIRN_WC_STATUS_FATAL_ERR = 19,
	CAIRN_WC_STATUS_RESP_TIMEOUT_ERR = 20,
	CAIRN_WC_STATUS_GENERAL_ERR = 21,
};

/* What completed */
enum cairn_cqe_op {
	CAIRN_CQE_OP_SEND = 0, /* Send queue operation; enum wqe_op is in the WQE that wqe_index names */
	CAIRN_CQE_OP_READ = 5, /* RDMA Read */
	CAIRN_CQE_OP_ATOMIC = 6, /* Atomic */
	CAIRN_CQE_OP_WRITE = 3, /* RDMA Write */
	CAIRN_CQE_OP_LOCAL = 8, /* Local operation */
	CAIRN_CQE_OP_RECV = 128, /* Receive */
	CAIRN_CQE_OP_RECV_IMM = 129, /* Receive with immediate */
	CAIRN_CQE_OP_RECV_INV = 130, /* Receive with invalidate */
	CAIRN_CQE_OP_RECV_WRITE_IMM = 131, /* RDMA Write with immediate consumed a receive */
};

/* Completion; the phase bit is in the last word, which is written with the rest in one TLP */
struct cairn_cqe {
	uint32_t qpn_op;
	uint32_t byte_len; /* Bytes received or read */
	uint32_t imm; /* Immediate (wire order) or invalidated key */
	uint32_t wqe;
	uint64_t timestamp; /* Device time in ns */
	uint32_t src;
	uint32_t status;
};
static_assert(sizeof(struct cairn_cqe) == 32, "size");
static_assert(offsetof(struct cairn_cqe, qpn_op) == 0, "offset");
static_assert(offsetof(struct cairn_cqe, byte_len) == 4, "offset");
static_assert(offsetof(struct cairn_cqe, imm) == 8, "offset");
static_assert(offsetof(struct cairn_cqe, wqe) == 12, "offset");
static_assert(offsetof(struct cairn_cqe, timestamp) == 16, "offset");
static_assert(offsetof(struct cairn_cqe, src) == 24, "offset");
static_assert(offsetof(struct cairn_cqe, status) == 28, "offset");
#define CAIRN_CQE_QPN_OP_QPN 0xffffffu /* Local QP */
#define CAIRN_CQE_QPN_OP_QPN_SHIFT 0
#define CAIRN_CQE_QPN_OP_OPCODE 0xff000000u /* enum cqe_op */
#define CAIRN_CQE_QPN_OP_OPCODE_SHIFT 24
#define CAIRN_CQE_WQE_INDEX 0xffffu /* SQ block index of the WQE, RQ index, or SRQ slot */
#define CAIRN_CQE_WQE_INDEX_SHIFT 0
#define CAIRN_CQE_WQE_GRH 0x10000u /* UD: 40 bytes of GRH area */
#define CAIRN_CQE_WQE_GRH_SHIFT 16
#define CAIRN_CQE_WQE_SOLICITED 0x20000u /* SE was set */
#define CAIRN_CQE_WQE_SOLICITED_SHIFT 17
#define CAIRN_CQE_WQE_IS_SQ 0x40000u /* Send side */
#define CAIRN_CQE_WQE_IS_SQ_SHIFT 18
#define CAIRN_CQE_WQE_IMM 0x80000u /* imm is valid */
#define CAIRN_CQE_WQE_IMM_SHIFT 19
#define CAIRN_CQE_WQE_INV 0x100000u /* imm is an invalidated key */
#define CAIRN_CQE_WQE_INV_SHIFT 20
#define CAIRN_CQE_WQE_SRQ 0x200000u /* index is an SRQ slot */
#define CAIRN_CQE_WQE_SRQ_SHIFT 21
#define CAIRN_CQE_SRC_SRC_QP 0xffffffu /* UD: source QP */
#define CAIRN_CQE_SRC_SRC_QP_SHIFT 0
#define CAIRN_CQE_SRC_VENDOR_ERR 0xff000000u /* enum vendor_err */
#define CAIRN_CQE_SRC_VENDOR_ERR_SHIFT 24
#define CAIRN_CQE_STATUS 0xffu /* enum wc_status */
#define CAIRN_CQE_STATUS_SHIFT 0
#define CAIRN_CQE_STATUS_PRIO 0x700u /* UD: priority in the frame's VLAN tag, 0 without */
#define CAIRN_CQE_STATUS_PRIO_SHIFT 8
#define CAIRN_CQE_STATUS_TAGGED 0x800u /* UD: the frame had a VLAN tag */
#define CAIRN_CQE_STATUS_TAGGED_SHIFT 11
#define CAIRN_CQE_STATUS_IPV6 0x1000u /* UD: IP version 6, else 4 */
#define CAIRN_CQE_STATUS_IPV6_SHIFT 12
#define CAIRN_CQE_STATUS_RSVD 0xe000u /* Zero */
#define CAIRN_CQE_STATUS_RSVD_SHIFT 13
#define CAIRN_CQE_STATUS_CQ_INDEX_LO 0x7fff0000u /* CQ index bits 14:0, for debugging */
#define CAIRN_CQE_STATUS_CQ_INDEX_LO_SHIFT 16
#define CAIRN_CQE_STATUS_PHASE 0x80000000u /* Toggles on every lap; 1 on the first */
#define CAIRN_CQE_STATUS_PHASE_SHIFT 31

/* Why, in more detail than wc_status; also the cause in error records */
enum cairn_vendor_err {
	CAIRN_VENDOR_ERR_NONE = 0,
	CAIRN_VENDOR_ERR_WQE_CHECK = 1, /* WQE read back with a wrong index or QPN */
	CAIRN_VENDOR_ERR_WQE_OPCODE = 2, /* Operation not valid for the QP or this build */
	CAIRN_VENDOR_ERR_WQE_LENGTH = 3, /* Length over the limit or not the sum of the elements */
	CAIRN_VENDOR_ERR_WQE_SGE = 4, /* Too many elements */
	CAIRN_VENDOR_ERR_WQE_INDEX = 5, /* Doorbell index beyond the ring */
	CAIRN_VENDOR_ERR_WQE_AV = 6, /* UD: source GID not valid, or not of the destination's family */
	CAIRN_VENDOR_ERR_WQE_RD_ATOMIC = 7, /* READ or atomic on a QP whose max_rd_atomic is 0 */
	CAIRN_VENDOR_ERR_KEY_INDEX = 16, /* Key index outside the table or entry free */
	CAIRN_VENDOR_ERR_KEY_TAG = 17, /* Key tag differs */
	CAIRN_VENDOR_ERR_KEY_PD = 18, /* Protection domain differs */
	CAIRN_VENDOR_ERR_KEY_RIGHTS = 19, /* Right missing on the region */
	CAIRN_VENDOR_ERR_KEY_BOUNDS = 20, /* Outside the region */
	CAIRN_VENDOR_ERR_KEY_PTE = 21, /* Page list entry invalid */
	CAIRN_VENDOR_ERR_KEY_STATE = 22, /* Key of a kind or in a state that the operation does not take */
	CAIRN_VENDOR_ERR_KEY_BUSY = 23, /* Windows are bound to the region */
	CAIRN_VENDOR_ERR_DMA_READ = 32, /* PCIe read failed (UR, CA, timeout or poison) */
	CAIRN_VENDOR_ERR_CTX_CHECK = 33, /* Context record read back damaged */
	CAIRN_VENDOR_ERR_NAK_SEQ = 48, /* NAK PSN sequence error */
	CAIRN_VENDOR_ERR_NAK_INV = 49, /* NAK invalid request */
	CAIRN_VENDOR_ERR_NAK_ACCESS = 50, /* NAK remote access error */
	CAIRN_VENDOR_ERR_NAK_OP = 51, /* NAK remote operational error */
	CAIRN_VENDOR_ERR_TIMEOUT = 52, /* Ack timer expired too often */
	CAIRN_VENDOR_ERR_RNR = 53, /* RNR NAK too often */
	CAIRN_VENDOR_ERR_RSP_LENGTH = 54, /* READ response length wrong */
	CAIRN_VENDOR_ERR_RSP_OPCODE = 55, /* Unexpected response */
	CAIRN_VENDOR_ERR_REQ_OPCODE = 64, /* Responder: opcode out of sequence */
	CAIRN_VENDOR_ERR_REQ_LENGTH = 65, /* Responder: length wrong */
	CAIRN_VENDOR_ERR_REQ_RIGHTS = 66, /* Responder: right missing on the QP */
	CAIRN_VENDOR_ERR_REQ_RESOURCES = 67, /* Responder: too many READs or atomics */
	CAIRN_VENDOR_ERR_RQE_CHECK = 68, /* Receive WQE malformed */
	CAIRN_VENDOR_ERR_RQ_LENGTH = 69, /* Receive buffer too small */
	CAIRN_VENDOR_ERR_REQ_ALIGN = 70, /* Responder: address of an atomic is not a multiple of 8 */
	CAIRN_VENDOR_ERR_CQ_OVERFLOW = 80, /* The CQ is full */
	CAIRN_VENDOR_ERR_FLUSH = 81, /* Flushed because the QP is in error */
};

/* Event */
enum cairn_eqe_type {
	CAIRN_EQE_TYPE_CQ = 1, /* Completion: number = CQN */
	CAIRN_EQE_TYPE_CMD = 2, /* Command completion */
	CAIRN_EQE_TYPE_QP_FATAL = 16, /* number = QPN */
	CAIRN_EQE_TYPE_QP_REQ_ERR = 17,
	CAIRN_EQE_TYPE_QP_ACCESS_ERR = 18,
	CAIRN_EQE_TYPE_COMM_EST = 19,
	CAIRN_EQE_TYPE_SQ_DRAINED = 20,
	CAIRN_EQE_TYPE_LAST_WQE_REACHED = 21,
	CAIRN_EQE_TYPE_CQ_ERR = 22, /* number = CQN */
	CAIRN_EQE_TYPE_SRQ_LIMIT = 23, /* number = SRQN */
	CAIRN_EQE_TYPE_SRQ_ERR = 24,
	CAIRN_EQE_TYPE_PORT_ACTIVE = 25,
	CAIRN_EQE_TYPE_PORT_ERR = 26,
	CAIRN_EQE_TYPE_GID_CHANGE = 27,
	CAIRN_EQE_TYPE_DEVICE_FATAL = 28, /* data = cause */
	CAIRN_EQE_TYPE_ADDR_CONFLICT = 29, /* Another host uses one of our addresses: number = GID index, data = the last four bytes of its MAC */
};

/* Event queue entry */
struct cairn_eqe {
	uint32_t type;
	uint32_t number; /* Object number */
	uint32_t data; /* Cause, enum vendor_err for errors */
	uint32_t owner;
};
static_assert(sizeof(struct cairn_eqe) == 16, "size");
static_assert(offsetof(struct cairn_eqe, type) == 0, "offset");
static_assert(offsetof(struct cairn_eqe, number) == 4, "offset");
static_assert(offsetof(struct cairn_eqe, data) == 8, "offset");
static_assert(offsetof(struct cairn_eqe, owner) == 12, "offset");
#define CAIRN_EQE_TYPE 0xffu /* enum eqe_type */
#define CAIRN_EQE_TYPE_SHIFT 0
#define CAIRN_EQE_TYPE_ARM_SEQ 0x30000u /* CQ events: the arm sequence that fired */
#define CAIRN_EQE_TYPE_ARM_SEQ_SHIFT 16
#define CAIRN_EQE_OWNER_INDEX 0xffffu /* Free-running entry index */
#define CAIRN_EQE_OWNER_INDEX_SHIFT 0
#define CAIRN_EQE_OWNER_PHASE 0x80000000u /* Toggles on every lap; 1 on the first */
#define CAIRN_EQE_OWNER_PHASE_SHIFT 31

/* CQ consumer record in host memory; written by software, read by the device when its copy says half full */
struct cairn_cq_ci {
	uint32_t index; /* Free-running consumer index */
	uint32_t rsvd; /* Zero */
};
static_assert(sizeof(struct cairn_cq_ci) == 8, "size");
static_assert(offsetof(struct cairn_cq_ci, index) == 0, "offset");
static_assert(offsetof(struct cairn_cq_ci, rsvd) == 4, "offset");

/* Firmware log record */
struct cairn_log_entry {
	uint64_t time; /* Device time in ns */
	uint32_t seq; /* Free-running, starts at 1 */
	uint32_t code; /* Firmware log code */
	uint8_t text[48]; /* NUL-terminated text */
};
static_assert(sizeof(struct cairn_log_entry) == 64, "size");
static_assert(offsetof(struct cairn_log_entry, time) == 0, "offset");
static_assert(offsetof(struct cairn_log_entry, seq) == 8, "offset");
static_assert(offsetof(struct cairn_log_entry, code) == 12, "offset");
static_assert(offsetof(struct cairn_log_entry, text) == 16, "offset");

/* cfg.state, the request of firmware; the effective state is the worst of this and the engines' error bits */
enum cairn_qp_state {
	CAIRN_QP_STATE_RESET = 0,
	CAIRN_QP_STATE_INIT = 1,
	CAIRN_QP_STATE_RTR = 2,
	CAIRN_QP_STATE_RTS = 3,
	CAIRN_QP_STATE_SQD = 4,
	CAIRN_QP_STATE_SQE = 5,
	CAIRN_QP_STATE_ERR = 6,
};

/* Transport */
enum cairn_qp_type {
	CAIRN_QP_TYPE_RC = 0,
	CAIRN_QP_TYPE_UC = 1,
	CAIRN_QP_TYPE_UD = 2,
	CAIRN_QP_TYPE_GSI = 3, /* QP 1 */
};

/* Part of the QP hot record */
enum cairn_qp_part {
	CAIRN_QP_PART_CFG = 0, /* firmware */
	CAIRN_QP_PART_REQ = 1, /* requester */
	CAIRN_QP_PART_CMP = 2, /* completer */
	CAIRN_QP_PART_RSP = 3, /* responder */
};

/* QP configuration; written by firmware only */
struct cairn_qp_cfg {
	uint32_t tag; /* Same in all four parts; a fill with any other value is CTX_CHECK */
	uint32_t state;
	uint32_t pd_sgid;
	uint32_t rqpn_hop;
	uint8_t dgid[16]; /* Remote GID; IPv4-mapped for IPv4 */
	uint64_t dmac_sport;
	uint32_t flow_tclass;
	uint32_t pkey_vlan;
	uint32_t qkey; /* UD */
	uint32_t rd;
	uint32_t eqn;
	uint32_t rsvd0; /* Zero */
};
static_assert(sizeof(struct cairn_qp_cfg) == 64, "size");
static_assert(offsetof(struct cairn_qp_cfg, tag) == 0, "offset");
static_assert(offsetof(struct cairn_qp_cfg, state) == 4, "offset");
static_assert(offsetof(struct cairn_qp_cfg, pd_sgid) == 8, "offset");
static_assert(offsetof(struct cairn_qp_cfg, rqpn_hop) == 12, "offset");
static_assert(offsetof(struct cairn_qp_cfg, dgid) == 16, "offset");
static_assert(offsetof(struct cairn_qp_cfg, dmac_sport) == 32, "offset");
static_assert(offsetof(struct cairn_qp_cfg, flow_tclass) == 40, "offset");
static_assert(offsetof(struct cairn_qp_cfg, pkey_vlan) == 44, "offset");
static_assert(offsetof(struct cairn_qp_cfg, qkey) == 48, "offset");
static_assert(offsetof(struct cairn_qp_cfg, rd) == 52, "offset");
static_assert(offsetof(struct cairn_qp_cfg, eqn) == 56, "offset");
static_assert(offsetof(struct cairn_qp_cfg, rsvd0) == 60, "offset");
#define CAIRN_QP_CFG_TAG_QPN 0xffffffu /* This QP */
#define CAIRN_QP_CFG_TAG_QPN_SHIFT 0
#define CAIRN_QP_CFG_TAG_GEN 0xff000000u /* Generation, changes at each create */
#define CAIRN_QP_CFG_TAG_GEN_SHIFT 24
#define CAIRN_QP_CFG_STATE 0x7u /* enum qp_state */
#define CAIRN_QP_CFG_STATE_SHIFT 0
#define CAIRN_QP_CFG_STATE_TYPE 0x38u /* enum qp_type */
#define CAIRN_QP_CFG_STATE_TYPE_SHIFT 3
#define CAIRN_QP_CFG_STATE_PMTU 0x1c0u /* 1 to 5: 256 to 4096 */
#define CAIRN_QP_CFG_STATE_PMTU_SHIFT 6
#define CAIRN_QP_CFG_STATE_REMOTE_WRITE 0x200u /* Access flag */
#define CAIRN_QP_CFG_STATE_REMOTE_WRITE_SHIFT 9
#define CAIRN_QP_CFG_STATE_REMOTE_READ 0x400u /* Access flag */
#define CAIRN_QP_CFG_STATE_REMOTE_READ_SHIFT 10
#define CAIRN_QP_CFG_STATE_REMOTE_ATOMIC 0x800u /* Access flag */
#define CAIRN_QP_CFG_STATE_REMOTE_ATOMIC_SHIFT 11
#define CAIRN_QP_CFG_STATE_RETRY_CNT 0x7000u
#define CAIRN_QP_CFG_STATE_RETRY_CNT_SHIFT 12
#define CAIRN_QP_CFG_STATE_RNR_RETRY 0x38000u /* 7 = infinite */
#define CAIRN_QP_CFG_STATE_RNR_RETRY_SHIFT 15
#define CAIRN_QP_CFG_STATE_TIMEOUT 0x7c0000u /* 4.096 us << n, 0 = none */
#define CAIRN_QP_CFG_STATE_TIMEOUT_SHIFT 18
#define CAIRN_QP_CFG_STATE_MIN_RNR_TIMER 0xf800000u /* Code sent in RNR NAKs */
#define CAIRN_QP_CFG_STATE_MIN_RNR_TIMER_SHIFT 23
#define CAIRN_QP_CFG_STATE_LANE 0x70000000u /* Traffic-class lane */
#define CAIRN_QP_CFG_STATE_LANE_SHIFT 28
#define CAIRN_QP_CFG_STATE_USE_SRQ 0x80000000u /* Receives come from srqn in rsp */
#define CAIRN_QP_CFG_STATE_USE_SRQ_SHIFT 31
#define CAIRN_QP_CFG_PD_SGID_PD 0xffffffu /* Protection domain */
#define CAIRN_QP_CFG_PD_SGID_PD_SHIFT 0
#define CAIRN_QP_CFG_PD_SGID_SGID_INDEX 0xff000000u /* Source GID */
#define CAIRN_QP_CFG_PD_SGID_SGID_INDEX_SHIFT 24
#define CAIRN_QP_CFG_RQPN_HOP_RQPN 0xffffffu /* Remote QP */
#define CAIRN_QP_CFG_RQPN_HOP_RQPN_SHIFT 0
#define CAIRN_QP_CFG_RQPN_HOP_HOP_LIMIT 0xff000000u /* TTL / hop limit */
#define CAIRN_QP_CFG_RQPN_HOP_HOP_LIMIT_SHIFT 24
#define CAIRN_QP_CFG_DMAC_SPORT_DMAC 0xffffffffffffull /* Remote MAC, first wire byte in bits 47:40 */
#define CAIRN_QP_CFG_DMAC_SPORT_DMAC_SHIFT 0
#define CAIRN_QP_CFG_DMAC_SPORT_SPORT 0xffff000000000000ull /* UDP source port */
#define CAIRN_QP_CFG_DMAC_SPORT_SPORT_SHIFT 48
#define CAIRN_QP_CFG_FLOW_TCLASS_FLOW 0xfffffu /* Flow label */
#define CAIRN_QP_CFG_FLOW_TCLASS_FLOW_SHIFT 0
#define CAIRN_QP_CFG_FLOW_TCLASS_TCLASS 0xff00000u /* Traffic class */
#define CAIRN_QP_CFG_FLOW_TCLASS_TCLASS_SHIFT 20
#define CAIRN_QP_CFG_FLOW_TCLASS_VLAN 0x10000000u /* Send a VLAN tag */
#define CAIRN_QP_CFG_FLOW_TCLASS_VLAN_SHIFT 28
#define CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY 0x20000000u /* Raise SQ_DRAINED */
#define CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY_SHIFT 29
#define CAIRN_QP_CFG_FLOW_TCLASS_IPV6 0x40000000u /* dgid is IPv6 */
#define CAIRN_QP_CFG_FLOW_TCLASS_IPV6_SHIFT 30
#define CAIRN_QP_CFG_PKEY_VLAN_PKEY 0xffffu
#define CAIRN_QP_CFG_PKEY_VLAN_PKEY_SHIFT 0
#define CAIRN_QP_CFG_PKEY_VLAN_TCI 0xffff0000u /* VLAN tag: priority, DEI, VID */
#define CAIRN_QP_CFG_PKEY_VLAN_TCI_SHIFT 16
#define CAIRN_QP_CFG_RD_MAX_RD_ATOMIC 0x1fu /* Outstanding READ/atomic as requester, 0 to 16 */
#define CAIRN_QP_CFG_RD_MAX_RD_ATOMIC_SHIFT 0
#define CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC 0x1f00u /* As responder, 0 to 16 */
#define CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC_SHIFT 8
#define CAIRN_QP_CFG_RD_FUNC 0xff0000u /* Function */
#define CAIRN_QP_CFG_RD_FUNC_SHIFT 16
#define CAIRN_QP_CFG_RD_DB_PAGE 0xff000000u /* Owning doorbell page */
#define CAIRN_QP_CFG_RD_DB_PAGE_SHIFT 24
#define CAIRN_QP_CFG_EQN_ASYNC_EQN 0xffu /* EQ of async events */
#define CAIRN_QP_CFG_EQN_ASYNC_EQN_SHIFT 0

/* Requester part; firmware writes it only at create/RESET */
struct cairn_qp_req {
	uint32_t tag;
	uint32_t flags;
	uint64_t sq_base; /* IOVA of the ring, 64-byte aligned */
	uint32_t index;
	uint32_t psn;
	uint32_t msg_offset; /* Bytes of the current message already sent */
	uint32_t ssn;
	uint64_t t_start; /* ns: set when outstanding goes from none to some, and at each restart */
	uint32_t hi_psn;
	uint32_t msg_psn;
	uint64_t pace_time; /* ns: not before, for rate control */
	uint32_t free_msg;
	uint32_t recover;
};
static_assert(sizeof(struct cairn_qp_req) == 64, "size");
static_assert(offsetof(struct cairn_qp_req, tag) == 0, "offset");
static_assert(offsetof(struct cairn_qp_req, flags) == 4, "offset");
static_assert(offsetof(struct cairn_qp_req, sq_base) == 8, "offset");
static_assert(offsetof(struct cairn_qp_req, index) == 16, "offset");
static_assert(offsetof(struct cairn_qp_req, psn) == 20, "offset");
static_assert(offsetof(struct cairn_qp_req, msg_offset) == 24, "offset");
static_assert(offsetof(struct cairn_qp_req, ssn) == 28, "offset");
static_assert(offsetof(struct cairn_qp_req, t_start) == 32, "offset");
static_assert(offsetof(struct cairn_qp_req, hi_psn) == 40, "offset");
static_assert(offsetof(struct cairn_qp_req, msg_psn) == 44, "offset");
static_assert(offsetof(struct cairn_qp_req, pace_time) == 48, "offset");
static_assert(offsetof(struct cairn_qp_req, free_msg) == 56, "offset");
static_assert(offsetof(struct cairn_qp_req, recover) == 60, "offset");
#define CAIRN_QP_REQ_TAG_QPN 0xffffffu
#define CAIRN_QP_REQ_TAG_QPN_SHIFT 0
#define CAIRN_QP_REQ_TAG_GEN 0xff000000u
#define CAIRN_QP_REQ_TAG_GEN_SHIFT 24
#define CAIRN_QP_REQ_FLAGS_ERR 0x1u /* A WQE failed locally; NEXT_INDEX names it */
#define CAIRN_QP_REQ_FLAGS_ERR_SHIFT 0
#define CAIRN_QP_REQ_FLAGS_ERR_STATUS 0xff00u /* enum wc_status */
#define CAIRN_QP_REQ_FLAGS_ERR_STATUS_SHIFT 8
#define CAIRN_QP_REQ_FLAGS_ERR_VENDOR 0xff0000u /* enum vendor_err */
#define CAIRN_QP_REQ_FLAGS_ERR_VENDOR_SHIFT 16
#define CAIRN_QP_REQ_FLAGS_SQ_LOG2 0xf000000u /* Ring size in blocks */
#define CAIRN_QP_REQ_FLAGS_SQ_LOG2_SHIFT 24
#define CAIRN_QP_REQ_FLAGS_IN_MSG 0x10000000u /* MSG_OFFSET > 0: a message is partly sent */
#define CAIRN_QP_REQ_FLAGS_IN_MSG_SHIFT 28
#define CAIRN_QP_REQ_INDEX_NEXT_INDEX 0xffffu /* Block index of the next (or current) WQE */
#define CAIRN_QP_REQ_INDEX_NEXT_INDEX_SHIFT 0
#define CAIRN_QP_REQ_INDEX_LOCAL_INDEX 0xffff0000u /* Local operations executed up to this index */
#define CAIRN_QP_REQ_INDEX_LOCAL_INDEX_SHIFT 16
#define CAIRN_QP_REQ_PSN_NEXT_PSN 0xffffffu /* PSN of the next packet */
#define CAIRN_QP_REQ_PSN_NEXT_PSN_SHIFT 0
#define CAIRN_QP_REQ_PSN_SEND_EPOCH 0xff000000u /* RC: the completer's GB_EPOCH that this part has acted upon; others: errors of the send queue */
#define CAIRN_QP_REQ_PSN_SEND_EPOCH_SHIFT 24
#define CAIRN_QP_REQ_SSN 0xffffffu /* Messages started, each READ request one */
#define CAIRN_QP_REQ_SSN_SHIFT 0
#define CAIRN_QP_REQ_SSN_SINCE_ACKREQ 0x3f000000u /* Packets since the last AckReq */
#define CAIRN_QP_REQ_SSN_SINCE_ACKREQ_SHIFT 24
#define CAIRN_QP_REQ_HI_PSN 0xffffffu /* One past the highest PSN ever issued: ACKs at or past it are ignored */
#define CAIRN_QP_REQ_HI_PSN_SHIFT 0
#define CAIRN_QP_REQ_HI_PSN_RD_ISSUED 0xff000000u /* READ/atomics started, mod 256 */
#define CAIRN_QP_REQ_HI_PSN_RD_ISSUED_SHIFT 24
#define CAIRN_QP_REQ_MSG_PSN 0xffffffu /* First PSN of the current WQE */
#define CAIRN_QP_REQ_MSG_PSN_SHIFT 0
#define CAIRN_QP_REQ_FREE_MSG 0xffffffu /* Messages of SSN that take no receive WQE of the peer */
#define CAIRN_QP_REQ_FREE_MSG_SHIFT 0
#define CAIRN_QP_REQ_RECOVER_REC_END 0xffffffu /* RC: HI_PSN when the last go-back began; until something newer is acknowledged, ACKs say nothing of READs. Else UNA_PSN - 1 */
#define CAIRN_QP_REQ_RECOVER_REC_END_SHIFT 0

/* Completer part, two halves with one writer each: bytes 0 to 31 cmp_packet (acknowledged state, retries), 32 to 63 cmp_retire (walker, READ data) */
struct cairn_qp_cmp {
	uint32_t tag;
	uint32_t flags;
	uint32_t una;
	uint32_t gb;
	uint64_t t_progress; /* ns of the last progress */
	uint64_t wait;
	uint32_t rflags;
	uint32_t oldest;
	uint32_t old_psn;
	uint32_t rd_placed; /* READ bytes of OLD_INDEX already placed */
	uint32_t rd_len; /* Length of the READ at OLD_INDEX */
	uint32_t sq_cqn;
	uint32_t old_end;
	uint32_t rd_ahead;
};
static_assert(sizeof(struct cairn_qp_cmp) == 64, "size");
static_assert(offsetof(struct cairn_qp_cmp, tag) == 0, "offset");
static_assert(offsetof(struct cairn_qp_cmp, flags) == 4, "offset");
static_assert(offsetof(struct cairn_qp_cmp, una) == 8, "offset");
static_assert(offsetof(struct cairn_qp_cmp, gb) == 12, "offset");
static_assert(offsetof(struct cairn_qp_cmp, t_progress) == 16, "offset");
static_assert(offsetof(struct cairn_qp_cmp, wait) == 24, "offset");
static_assert(offsetof(struct cairn_qp_cmp, rflags) == 32, "offset");
static_assert(offsetof(struct cairn_qp_cmp, oldest) == 36, "offset");
static_assert(offsetof(struct cairn_qp_cmp, old_psn) == 40, "offset");
static_assert(offsetof(struct cairn_qp_cmp, rd_placed) == 44, "offset");
static_assert(offsetof(struct cairn_qp_cmp, rd_len) == 48, "offset");
static_assert(offsetof(struct cairn_qp_cmp, sq_cqn) == 52, "offset");
static_assert(offsetof(struct cairn_qp_cmp, old_end) == 56, "offset");
static_assert(offsetof(struct cairn_qp_cmp, rd_ahead) == 60, "offset");
#define CAIRN_QP_CMP_TAG_QPN 0xffffffu
#define CAIRN_QP_CMP_TAG_QPN_SHIFT 0
#define CAIRN_QP_CMP_TAG_GEN 0xff000000u
#define CAIRN_QP_CMP_TAG_GEN_SHIFT 24
#define CAIRN_QP_CMP_FLAGS_ERR 0x1u /* A remote or timeout error stands at the WQE that holds UNA_PSN */
#define CAIRN_QP_CMP_FLAGS_ERR_SHIFT 0
#define CAIRN_QP_CMP_FLAGS_RNR_WAIT 0x2u /* WAIT_UNTIL is an RNR deadline */
#define CAIRN_QP_CMP_FLAGS_RNR_WAIT_SHIFT 1
#define CAIRN_QP_CMP_FLAGS_IMPLIED 0x4u /* An implied NAK was acted upon; one until progress */
#define CAIRN_QP_CMP_FLAGS_IMPLIED_SHIFT 2
#define CAIRN_QP_CMP_FLAGS_CREDITS_OFF 0x8u /* The peer sends no credits */
#define CAIRN_QP_CMP_FLAGS_CREDITS_OFF_SHIFT 3
#define CAIRN_QP_CMP_FLAGS_DOUBT 0x10u /* The last go-back was by timer or implied NAK: the peer may have executed what follows */
#define CAIRN_QP_CMP_FLAGS_DOUBT_SHIFT 4
#define CAIRN_QP_CMP_FLAGS_ERR_STATUS 0xff00u /* enum wc_status */
#define CAIRN_QP_CMP_FLAGS_ERR_STATUS_SHIFT 8
#define CAIRN_QP_CMP_FLAGS_ERR_VENDOR 0xff0000u /* enum vendor_err */
#define CAIRN_QP_CMP_FLAGS_ERR_VENDOR_SHIFT 16
#define CAIRN_QP_CMP_FLAGS_RETRY_LEFT 0x7000000u
#define CAIRN_QP_CMP_FLAGS_RETRY_LEFT_SHIFT 24
#define CAIRN_QP_CMP_FLAGS_RNR_LEFT 0x38000000u
#define CAIRN_QP_CMP_FLAGS_RNR_LEFT_SHIFT 27
#define CAIRN_QP_CMP_UNA_UNA_PSN 0xffffffu /* All before it is acknowledged, READ data aside */
#define CAIRN_QP_CMP_UNA_UNA_PSN_SHIFT 0
#define CAIRN_QP_CMP_UNA_GB_EPOCH 0xff000000u /* Raised at each go-back */
#define CAIRN_QP_CMP_UNA_GB_EPOCH_SHIFT 24
#define CAIRN_QP_CMP_GB_GB_PSN 0xffffffu /* Where the last go-back restarts */
#define CAIRN_QP_CMP_GB_GB_PSN_SHIFT 0
#define CAIRN_QP_CMP_GB_GB_DONE 0xff000000u /* Low bits of the PSN that the READ or atomic at OLD_INDEX waited for when a go-back was last counted as a retry */
#define CAIRN_QP_CMP_GB_GB_DONE_SHIFT 24
#define CAIRN_QP_CMP_WAIT_WAIT_UNTIL 0xffffffffffull /* RNR deadline in units of 64 ns (time_now 45:6), compared as a signed difference */
#define CAIRN_QP_CMP_WAIT_WAIT_UNTIL_SHIFT 0
#define CAIRN_QP_CMP_WAIT_LSN 0xffffff0000000000ull /* Credit limit: MSN + credits - FREE_MSG of the requester */
#define CAIRN_QP_CMP_WAIT_LSN_SHIFT 40
#define CAIRN_QP_CMP_RFLAGS_FLUSHING 0x1u /* The failed WQE is reported; all later ones flush */
#define CAIRN_QP_CMP_RFLAGS_FLUSHING_SHIFT 0
#define CAIRN_QP_CMP_RFLAGS_RD_VALID 0x2u /* OLD_INDEX is a READ/atomic the walker stopped at; RD_LEN and RD_PLACED are its own */
#define CAIRN_QP_CMP_RFLAGS_RD_VALID_SHIFT 1
#define CAIRN_QP_CMP_RFLAGS_DRAINED 0x4u /* SQ_DRAINED was raised */
#define CAIRN_QP_CMP_RFLAGS_DRAINED_SHIFT 2
#define CAIRN_QP_CMP_RFLAGS_RD_ATOMIC 0x8u /* What RD_VALID speaks of is an atomic */
#define CAIRN_QP_CMP_RFLAGS_RD_ATOMIC_SHIFT 3
#define CAIRN_QP_CMP_RFLAGS_PLAIN 0x10u /* OLD_INDEX is known to be a SEND or WRITE whose PSNs end before OLD_END: no data answers it */
#define CAIRN_QP_CMP_RFLAGS_PLAIN_SHIFT 4
#define CAIRN_QP_CMP_RFLAGS_RD_STOP 0x20u /* The QP is in error: place nothing more for READs and atomics from OLD_INDEX on */
#define CAIRN_QP_CMP_RFLAGS_RD_STOP_SHIFT 5
#define CAIRN_QP_CMP_RFLAGS_RD_FULL 0x40u /* With RD_VALID: all of its data is placed */
#define CAIRN_QP_CMP_RFLAGS_RD_FULL_SHIFT 6
#define CAIRN_QP_CMP_RFLAGS_RD_DONE 0xff000000u /* READ chunks and atomics completed, mod 256, of those before OLD_INDEX and at it */
#define CAIRN_QP_CMP_RFLAGS_RD_DONE_SHIFT 24
#define CAIRN_QP_CMP_OLDEST_OLD_INDEX 0xffffu /* Oldest WQE not retired */
#define CAIRN_QP_CMP_OLDEST_OLD_INDEX_SHIFT 0
#define CAIRN_QP_CMP_OLD_PSN 0xffffffu /* Its first PSN */
#define CAIRN_QP_CMP_OLD_PSN_SHIFT 0
#define CAIRN_QP_CMP_SQ_CQN 0xffffffu /* CQ of send completions */
#define CAIRN_QP_CMP_SQ_CQN_SHIFT 0
#define CAIRN_QP_CMP_OLD_END 0xffffffu /* With PLAIN or RD_VALID: first PSN after the WQE at OLD_INDEX */
#define CAIRN_QP_CMP_OLD_END_SHIFT 0
#define CAIRN_QP_CMP_RD_AHEAD 0xffffffu /* PSNs from OLD_PSN on before which all data of READs and atomics is placed, also of later WQEs */
#define CAIRN_QP_CMP_RD_AHEAD_SHIFT 0

/* Responder part; written by rsp_commit */
struct cairn_qp_rsp {
	uint32_t tag;
	uint32_t flags;
	uint64_t rq_base; /* IOVA of the RQ ring */
	uint32_t epsn;
	uint32_t msn;
	uint32_t ack_psn;
	uint32_t rq;
	uint64_t va; /* Inside a WRITE: next address */
	uint32_t rkey; /* Inside a WRITE: its key */
	uint32_t remaining; /* Inside a WRITE: bytes still to come; inside a SEND: bytes received */
	uint32_t rq_cqn;
	uint32_t sge_offset; /* Inside a SEND: bytes used of the current element */
	uint32_t srqn; /* SRQ number when cfg.USE_SRQ */
	uint32_t write_len; /* Inside a WRITE: its RETH length, for the CQE of an immediate */
};
static_assert(sizeof(struct cairn_qp_rsp) == 64, "size");
static_assert(offsetof(struct cairn_qp_rsp, tag) == 0, "offset");
static_assert(offsetof(struct cairn_qp_rsp, flags) == 4, "offset");
static_assert(offsetof(struct cairn_qp_rsp, rq_base) == 8, "offset");
static_assert(offsetof(struct cairn_qp_rsp, epsn) == 16, "offset");
static_assert(offsetof(struct cairn_qp_rsp, msn) == 20, "offset");
static_assert(offsetof(struct cairn_qp_rsp, ack_psn) == 24, "offset");
static_assert(offsetof(struct cairn_qp_rsp, rq) == 28, "offset");
static_assert(offsetof(struct cairn_qp_rsp, va) == 32, "offset");
static_assert(offsetof(struct cairn_qp_rsp, rkey) == 40, "offset");
static_assert(offsetof(struct cairn_qp_rsp, remaining) == 44, "offset");
static_assert(offsetof(struct cairn_qp_rsp, rq_cqn) == 48, "offset");
static_assert(offsetof(struct cairn_qp_rsp, sge_offset) == 52, "offset");
static_assert(offsetof(struct cairn_qp_rsp, srqn) == 56, "offset");
static_assert(offsetof(struct cairn_qp_rsp, write_len) == 60, "offset");
#define CAIRN_QP_RSP_TAG_QPN 0xffffffu
#define CAIRN_QP_RSP_TAG_QPN_SHIFT 0
#define CAIRN_QP_RSP_TAG_GEN 0xff000000u
#define CAIRN_QP_RSP_TAG_GEN_SHIFT 24
#define CAIRN_QP_RSP_FLAGS_ERR 0x1u /* Responder in error */
#define CAIRN_QP_RSP_FLAGS_ERR_SHIFT 0
#define CAIRN_QP_RSP_FLAGS_MSG 0x6u /* enum rsp_msg: inside which message */
#define CAIRN_QP_RSP_FLAGS_MSG_SHIFT 1
#define CAIRN_QP_RSP_FLAGS_NAK_SENT 0x8u /* A sequence or RNR NAK is outstanding */
#define CAIRN_QP_RSP_FLAGS_NAK_SENT_SHIFT 3
#define CAIRN_QP_RSP_FLAGS_ACK_PENDING 0x10u
#define CAIRN_QP_RSP_FLAGS_ACK_PENDING_SHIFT 4
#define CAIRN_QP_RSP_FLAGS_COMM_EST 0x20u /* COMM_EST was raised */
#define CAIRN_QP_RSP_FLAGS_COMM_EST_SHIFT 5
#define CAIRN_QP_RSP_FLAGS_RQE_TAKEN 0x40u /* A receive WQE is held by the current message */
#define CAIRN_QP_RSP_FLAGS_RQE_TAKEN_SHIFT 6
#define CAIRN_QP_RSP_FLAGS_SYNDROME 0xff00u /* AETH syndrome to send */
#define CAIRN_QP_RSP_FLAGS_SYNDROME_SHIFT 8
#define CAIRN_QP_RSP_FLAGS_RQ_LOG2 0xf0000u /* Ring size in entries */
#define CAIRN_QP_RSP_FLAGS_RQ_LOG2_SHIFT 16
#define CAIRN_QP_RSP_FLAGS_RQ_STRIDE 0x1f00000u /* Elements per RQ entry, 1 to 16 */
#define CAIRN_QP_RSP_FLAGS_RQ_STRIDE_SHIFT 20
#define CAIRN_QP_RSP_FLAGS_RNR_SENT 0x2000000u /* NAK_SENT is about an RNR NAK */
#define CAIRN_QP_RSP_FLAGS_RNR_SENT_SHIFT 25
#define CAIRN_QP_RSP_FLAGS_SRQ_HELD 0x4000000u /* With RQE_TAKEN: it is slot SRQ_SLOT of the SRQ */
#define CAIRN_QP_RSP_FLAGS_SRQ_HELD_SHIFT 26
#define CAIRN_QP_RSP_FLAGS_RSVD 0xf8000000u /* Zero */
#define CAIRN_QP_RSP_FLAGS_RSVD_SHIFT 27
#define CAIRN_QP_RSP_EPSN 0xffffffu /* Expected PSN, committed */
#define CAIRN_QP_RSP_EPSN_SHIFT 0
#define CAIRN_QP_RSP_EPSN_RES_TAIL 0xff000000u /* Responder resources taken, mod 256 */
#define CAIRN_QP_RSP_EPSN_RES_TAIL_SHIFT 24
#define CAIRN_QP_RSP_MSN 0xffffffu /* Completed request messages */
#define CAIRN_QP_RSP_MSN_SHIFT 0
#define CAIRN_QP_RSP_MSN_RES_OLD 0xff000000u /* Responder resource to answer next, mod 256; a duplicate READ moves it back */
#define CAIRN_QP_RSP_MSN_RES_OLD_SHIFT 24
#define CAIRN_QP_RSP_ACK_PSN 0xffffffu /* PSN of the ACK or NAK to send */
#define CAIRN_QP_RSP_ACK_PSN_SHIFT 0
#define CAIRN_QP_RSP_ACK_PSN_RES_SEEN 0xff000000u /* Resources before this one have been answered at least once, mod 256 */
#define CAIRN_QP_RSP_ACK_PSN_RES_SEEN_SHIFT 24
#define CAIRN_QP_RSP_RQ_RQ_INDEX 0xffffu /* Next RQ entry to take (UC, UD: in use or next); with USE_SRQ: sequence number of the slot taken last */
#define CAIRN_QP_RSP_RQ_RQ_INDEX_SHIFT 0
#define CAIRN_QP_RSP_RQ_SRQ_SLOT 0xffff0000u /* Slot held by the current message */
#define CAIRN_QP_RSP_RQ_SRQ_SLOT_SHIFT 16
#define CAIRN_QP_RSP_RQ_CQN 0xffffffu /* CQ of receive completions */
#define CAIRN_QP_RSP_RQ_CQN_SHIFT 0
#define CAIRN_QP_RSP_RQ_CQN_SGE_INDEX 0x1f000000u /* Inside a SEND: current element */
#define CAIRN_QP_RSP_RQ_CQN_SGE_INDEX_SHIFT 24

/* Message in progress at the responder */
enum cairn_rsp_msg {
	CAIRN_RSP_MSG_NONE = 0,
	CAIRN_RSP_MSG_SEND = 1,
	CAIRN_RSP_MSG_WRITE = 2,
};

/* Rarely used configuration; written by firmware */
struct cairn_qp_cold {
	uint32_t tag;
	uint32_t qp_num_sq_wr; /* As created, for query */
	uint32_t qp_num_rq_wr;
	uint32_t max_sge; /* send 7:0, recv 15:8, inline 31:16 */
	uint64_t user; /* Driver's cookie, returned by query */
	uint64_t create_time; /* ns */
	uint64_t rsvd0;
	uint64_t rsvd1;
	uint64_t rsvd2;
	uint64_t rsvd3;
};
static_assert(sizeof(struct cairn_qp_cold) == 64, "size");
static_assert(offsetof(struct cairn_qp_cold, tag) == 0, "offset");
static_assert(offsetof(struct cairn_qp_cold, qp_num_sq_wr) == 4, "offset");
static_assert(offsetof(struct cairn_qp_cold, qp_num_rq_wr) == 8, "offset");
static_assert(offsetof(struct cairn_qp_cold, max_sge) == 12, "offset");
static_assert(offsetof(struct cairn_qp_cold, user) == 16, "offset");
static_assert(offsetof(struct cairn_qp_cold, create_time) == 24, "offset");
static_assert(offsetof(struct cairn_qp_cold, rsvd0) == 32, "offset");
static_assert(offsetof(struct cairn_qp_cold, rsvd1) == 40, "offset");
static_assert(offsetof(struct cairn_qp_cold, rsvd2) == 48, "offset");
static_assert(offsetof(struct cairn_qp_cold, rsvd3) == 56, "offset");
#define CAIRN_QP_COLD_TAG_QPN 0xffffffu
#define CAIRN_QP_COLD_TAG_QPN_SHIFT 0
#define CAIRN_QP_COLD_TAG_GEN 0xff000000u
#define CAIRN_QP_COLD_TAG_GEN_SHIFT 24

/* Kind of responder resource */
enum cairn_res_kind {
	CAIRN_RES_KIND_NONE = 0,
	CAIRN_RES_KIND_READ = 1,
	CAIRN_RES_KIND_ATOMIC = 2,
};

/* Responder resource: a READ or atomic that was accepted and may be asked for again; written by rsp_commit, with DONE by atomic_unit */
struct cairn_rsp_res {
	uint32_t psn;
	uint32_t msn;
	uint64_t va; /* READ: address; atomic: saved original value */
	uint32_t rkey;
	uint32_t length; /* READ: bytes */
	uint32_t ticket;
	uint32_t qpn;
};
static_assert(sizeof(struct cairn_rsp_res) == 32, "size");
static_assert(offsetof(struct cairn_rsp_res, psn) == 0, "offset");
static_assert(offsetof(struct cairn_rsp_res, msn) == 4, "offset");
static_assert(offsetof(struct cairn_rsp_res, va) == 8, "offset");
static_assert(offsetof(struct cairn_rsp_res, rkey) == 16, "offset");
static_assert(offsetof(struct cairn_rsp_res, length) == 20, "offset");
static_assert(offsetof(struct cairn_rsp_res, ticket) == 24, "offset");
static_assert(offsetof(struct cairn_rsp_res, qpn) == 28, "offset");
#define CAIRN_RSP_RES_PSN_FIRST_PSN 0xffffffu
#define CAIRN_RSP_RES_PSN_FIRST_PSN_SHIFT 0
#define CAIRN_RSP_RES_PSN_KIND 0x3000000u /* enum res_kind */
#define CAIRN_RSP_RES_PSN_KIND_SHIFT 24
#define CAIRN_RSP_RES_PSN_ACK_BEFORE 0x4000000u /* An ACK for FIRST_PSN - 1 goes out first */
#define CAIRN_RSP_RES_PSN_ACK_BEFORE_SHIFT 26
#define CAIRN_RSP_RES_PSN_DONE 0x8000000u /* Atomic: executed, VA is its result */
#define CAIRN_RSP_RES_PSN_DONE_SHIFT 27
#define CAIRN_RSP_RES_PSN_CAS 0x10000000u /* Atomic: compare and swap, else fetch and add */
#define CAIRN_RSP_RES_PSN_CAS_SHIFT 28
#define CAIRN_RSP_RES_PSN_RSVD 0xe0000000u /* Zero */
#define CAIRN_RSP_RES_PSN_RSVD_SHIFT 29
#define CAIRN_RSP_RES_MSN 0xffffffu /* MSN that its responses carry */
#define CAIRN_RSP_RES_MSN_SHIFT 0
#define CAIRN_RSP_RES_MSN_GEN 0xff000000u /* QP generation */
#define CAIRN_RSP_RES_MSN_GEN_SHIFT 24
#define CAIRN_RSP_RES_TICKET 0xffffu /* dma_write ticket that the read must not pass */
#define CAIRN_RSP_RES_TICKET_SHIFT 0
#define CAIRN_RSP_RES_TICKET_ACK_MSN_LO 0xffff0000u /* MSN of ACK_BEFORE, low 16 bits */
#define CAIRN_RSP_RES_TICKET_ACK_MSN_LO_SHIFT 16
#define CAIRN_RSP_RES_QPN 0xffffffu /* For the check at fill */
#define CAIRN_RSP_RES_QPN_SHIFT 0

/* Completion queue; written by cqe_write */
struct cairn_cq_ctx {
	uint32_t tag;
	uint32_t flags;
	uint64_t base; /* IOVA of the ring */
	uint64_t ci_iova; /* IOVA of the consumer record */
	uint32_t pi; /* Producer index, free-running 32 bit */
	uint32_t ci; /* Device's copy of the consumer index */
	uint32_t sol_pi; /* Producer index after the last solicited or failed CQE */
	uint32_t mod;
	uint64_t mod_since; /* ns: when the first completion of the next event came */
	uint32_t mod_pi; /* Its index */
	uint32_t rsvd0; /* Zero */
	uint64_t rsvd1; /* Zero */
};
static_assert(sizeof(struct cairn_cq_ctx) == 64, "size");
static_assert(offsetof(struct cairn_cq_ctx, tag) == 0, "offset");
static_assert(offsetof(struct cairn_cq_ctx, flags) == 4, "offset");
static_assert(offsetof(struct cairn_cq_ctx, base) == 8, "offset");
static_assert(offsetof(struct cairn_cq_ctx, ci_iova) == 16, "offset");
static_assert(offsetof(struct cairn_cq_ctx, pi) == 24, "offset");
static_assert(offsetof(struct cairn_cq_ctx, ci) == 28, "offset");
static_assert(offsetof(struct cairn_cq_ctx, sol_pi) == 32, "offset");
static_assert(offsetof(struct cairn_cq_ctx, mod) == 36, "offset");
static_assert(offsetof(struct cairn_cq_ctx, mod_since) == 40, "offset");
static_assert(offsetof(struct cairn_cq_ctx, mod_pi) == 48, "offset");
static_assert(offsetof(struct cairn_cq_ctx, rsvd0) == 52, "offset");
static_assert(offsetof(struct cairn_cq_ctx, rsvd1) == 56, "offset");
#define CAIRN_CQ_CTX_TAG_CQN 0xffffffu
#define CAIRN_CQ_CTX_TAG_CQN_SHIFT 0
#define CAIRN_CQ_CTX_TAG_GEN 0xff000000u
#define CAIRN_CQ_CTX_TAG_GEN_SHIFT 24
#define CAIRN_CQ_CTX_FLAGS_VALID 0x1u
#define CAIRN_CQ_CTX_FLAGS_VALID_SHIFT 0
#define CAIRN_CQ_CTX_FLAGS_ERR 0x2u /* Overflowed */
#define CAIRN_CQ_CTX_FLAGS_ERR_SHIFT 1
#define CAIRN_CQ_CTX_FLAGS_ARMED 0x4u
#define CAIRN_CQ_CTX_FLAGS_ARMED_SHIFT 2
#define CAIRN_CQ_CTX_FLAGS_ARM_SOLICITED 0x8u
#define CAIRN_CQ_CTX_FLAGS_ARM_SOLICITED_SHIFT 3
#define CAIRN_CQ_CTX_FLAGS_ARM_SEQ 0x30u /* Of the arm in force */
#define CAIRN_CQ_CTX_FLAGS_ARM_SEQ_SHIFT 4
#define CAIRN_CQ_CTX_FLAGS_EVENT_OUT 0x40u /* An EQE of this CQ is not consumed yet */
#define CAIRN_CQ_CTX_FLAGS_EVENT_OUT_SHIFT 6
#define CAIRN_CQ_CTX_FLAGS_MOD_WAIT 0x80u /* Armed and not at rest: MOD_PI and MOD_SINCE tell when it fires */
#define CAIRN_CQ_CTX_FLAGS_MOD_WAIT_SHIFT 7
#define CAIRN_CQ_CTX_FLAGS_LOG2 0xf00u /* Entries */
#define CAIRN_CQ_CTX_FLAGS_LOG2_SHIFT 8
#define CAIRN_CQ_CTX_FLAGS_EQN 0xff0000u /* EQ of completion events */
#define CAIRN_CQ_CTX_FLAGS_EQN_SHIFT 16
#define CAIRN_CQ_CTX_FLAGS_DB_PAGE 0xff000000u /* Owning page */
#define CAIRN_CQ_CTX_FLAGS_DB_PAGE_SHIFT 24
#define CAIRN_CQ_CTX_MOD_COUNT 0xffffu /* Moderation: completions */
#define CAIRN_CQ_CTX_MOD_COUNT_SHIFT 0
#define CAIRN_CQ_CTX_MOD_PERIOD 0xffff0000u /* Moderation: us */
#define CAIRN_CQ_CTX_MOD_PERIOD_SHIFT 16

/* Shared receive queue */
struct cairn_srq_ctx {
	uint32_t tag;
	uint32_t flags;
	uint64_t slots; /* IOVA of the slot array */
	uint64_t ring; /* IOVA of the ring of 32-bit slot numbers */
	uint32_t index;
	uint32_t pd;
	uint64_t rsvd0;
	uint64_t rsvd1;
	uint64_t rsvd2;
	uint64_t rsvd3;
};
static_assert(sizeof(struct cairn_srq_ctx) == 64, "size");
static_assert(offsetof(struct cairn_srq_ctx, tag) == 0, "offset");
static_assert(offsetof(struct cairn_srq_ctx, flags) == 4, "offset");
static_assert(offsetof(struct cairn_srq_ctx, slots) == 8, "offset");
static_assert(offsetof(struct cairn_srq_ctx, ring) == 16, "offset");
static_assert(offsetof(struct cairn_srq_ctx, index) == 24, "offset");
static_assert(offsetof(struct cairn_srq_ctx, pd) == 28, "offset");
static_assert(offsetof(struct cairn_srq_ctx, rsvd0) == 32, "offset");
static_assert(offsetof(struct cairn_srq_ctx, rsvd1) == 40, "offset");
static_assert(offsetof(struct cairn_srq_ctx, rsvd2) == 48, "offset");
static_assert(offsetof(struct cairn_srq_ctx, rsvd3) == 56, "offset");
#define CAIRN_SRQ_CTX_TAG_SRQN 0xffffffu
#define CAIRN_SRQ_CTX_TAG_SRQN_SHIFT 0
#define CAIRN_SRQ_CTX_TAG_GEN 0xff000000u
#define CAIRN_SRQ_CTX_TAG_GEN_SHIFT 24
#define CAIRN_SRQ_CTX_FLAGS_VALID 0x1u
#define CAIRN_SRQ_CTX_FLAGS_VALID_SHIFT 0
#define CAIRN_SRQ_CTX_FLAGS_ERR 0x2u
#define CAIRN_SRQ_CTX_FLAGS_ERR_SHIFT 1
#define CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED 0x4u
#define CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED_SHIFT 2
#define CAIRN_SRQ_CTX_FLAGS_LOG2 0xf00u /* Slots */
#define CAIRN_SRQ_CTX_FLAGS_LOG2_SHIFT 8
#define CAIRN_SRQ_CTX_FLAGS_STRIDE 0x1f000u /* Elements per slot */
#define CAIRN_SRQ_CTX_FLAGS_STRIDE_SHIFT 12
#define CAIRN_SRQ_CTX_FLAGS_DB_PAGE 0xff000000u
#define CAIRN_SRQ_CTX_FLAGS_DB_PAGE_SHIFT 24
#define CAIRN_SRQ_CTX_INDEX_POP 0xffffu /* Ring entries taken */
#define CAIRN_SRQ_CTX_INDEX_POP_SHIFT 0
#define CAIRN_SRQ_CTX_INDEX_LIMIT 0xffff0000u /* Limit event below this many */
#define CAIRN_SRQ_CTX_INDEX_LIMIT_SHIFT 16

/* Event queue; held on chip */
struct cairn_eq_ctx {
	uint32_t flags;
	uint32_t pi;
	uint64_t base; /* IOVA of the ring */
	uint32_t ci;
	uint32_t reserved; /* CQs that count on a slot here */
	uint64_t rsvd0;
	uint64_t rsvd1;
	uint64_t rsvd2;
	uint64_t rsvd3;
	uint64_t rsvd4;
};
static_assert(sizeof(struct cairn_eq_ctx) == 64, "size");
static_assert(offsetof(struct cairn_eq_ctx, flags) == 0, "offset");
static_assert(offsetof(struct cairn_eq_ctx, pi) == 4, "offset");
static_assert(offsetof(struct cairn_eq_ctx, base) == 8, "offset");
static_assert(offsetof(struct cairn_eq_ctx, ci) == 16, "offset");
static_assert(offsetof(struct cairn_eq_ctx, reserved) == 20, "offset");
static_assert(offsetof(struct cairn_eq_ctx, rsvd0) == 24, "offset");
static_assert(offsetof(struct cairn_eq_ctx, rsvd1) == 32, "offset");
static_assert(offsetof(struct cairn_eq_ctx, rsvd2) == 40, "offset");
static_assert(offsetof(struct cairn_eq_ctx, rsvd3) == 48, "offset");
static_assert(offsetof(struct cairn_eq_ctx, rsvd4) == 56, "offset");
#define CAIRN_EQ_CTX_FLAGS_VALID 0x1u
#define CAIRN_EQ_CTX_FLAGS_VALID_SHIFT 0
#define CAIRN_EQ_CTX_FLAGS_ERR 0x2u
#define CAIRN_EQ_CTX_FLAGS_ERR_SHIFT 1
#define CAIRN_EQ_CTX_FLAGS_ARMED 0x4u
#define CAIRN_EQ_CTX_FLAGS_ARMED_SHIFT 2
#define CAIRN_EQ_CTX_FLAGS_LOG2 0xf00u /* Entries */
#define CAIRN_EQ_CTX_FLAGS_LOG2_SHIFT 8
#define CAIRN_EQ_CTX_FLAGS_VECTOR 0x1f0000u /* MSI-X vector */
#define CAIRN_EQ_CTX_FLAGS_VECTOR_SHIFT 16
#define CAIRN_EQ_CTX_FLAGS_DB_PAGE 0xff000000u
#define CAIRN_EQ_CTX_FLAGS_DB_PAGE_SHIFT 24

/* MR rights, a bit mask with the values of verbs.h */
enum cairn_access {
	CAIRN_ACCESS_LOCAL_WRITE = 1,
	CAIRN_ACCESS_REMOTE_WRITE = 2,
	CAIRN_ACCESS_REMOTE_READ = 4,
	CAIRN_ACCESS_REMOTE_ATOMIC = 8,
	CAIRN_ACCESS_MW_BIND = 16,
	CAIRN_ACCESS_ZERO_BASED = 32,
};

/* How addresses become IOVAs */
enum cairn_mr_mode {
	CAIRN_MR_MODE_FREE = 0, /* Not valid */
	CAIRN_MR_MODE_DIRECT = 1, /* iova = va - base + direct */
	CAIRN_MR_MODE_PAGED = 2, /* Page list */
};

/* Memory region or window; written by firmware and mr_update. Key = index << 8 | tag */
struct cairn_mpt {
	uint32_t key; /* The full 32-bit key; checked as a whole */
	uint32_t flags;
	uint32_t pd;
	uint32_t windows; /* Windows bound by work requests, less those they unbound (mr_update); bound now: windows - unbound */
	uint64_t base; /* First virtual address */
	uint64_t length; /* Bytes */
	uint64_t map; /* DIRECT: IOVA of base; PAGED: index of the first MTT entry */
	uint32_t qpn; /* Type 2 window: its QP */
	uint32_t parent; /* Window: key of its region; 0 not bound */
	uint32_t unbound; /* Windows that DEALLOC_MW took away while bound (firmware) */
	uint32_t pages; /* Region made by MR_FLAG_ALLOC: entries of its page list; else 0 */
	uint64_t rsvd1; /* Zero */
};
static_assert(sizeof(struct cairn_mpt) == 64, "size");
static_assert(offsetof(struct cairn_mpt, key) == 0, "offset");
static_assert(offsetof(struct cairn_mpt, flags) == 4, "offset");
static_assert(offsetof(struct cairn_mpt, pd) == 8, "offset");
static_assert(offsetof(struct cairn_mpt, windows) == 12, "offset");
static_assert(offsetof(struct cairn_mpt, base) == 16, "offset");
static_assert(offsetof(struct cairn_mpt, length) == 24, "offset");
static_assert(offsetof(struct cairn_mpt, map) == 32, "offset");
static_assert(offsetof(struct cairn_mpt, qpn) == 40, "offset");
static_assert(offsetof(struct cairn_mpt, parent) == 44, "offset");
static_assert(offsetof(struct cairn_mpt, unbound) == 48, "offset");
static_assert(offsetof(struct cairn_mpt, pages) == 52, "offset");
static_assert(offsetof(struct cairn_mpt, rsvd1) == 56, "offset");
#define CAIRN_MPT_FLAGS_MODE 0x3u /* enum mr_mode */
#define CAIRN_MPT_FLAGS_MODE_SHIFT 0
#define CAIRN_MPT_FLAGS_FREED 0x4u /* Not valid now: invalidated, not registered yet, window not bound */
#define CAIRN_MPT_FLAGS_FREED_SHIFT 2
#define CAIRN_MPT_FLAGS_WINDOW 0x8u /* Memory window */
#define CAIRN_MPT_FLAGS_WINDOW_SHIFT 3
#define CAIRN_MPT_FLAGS_TYPE2 0x10u /* Window of one QP, which qpn names while it is bound */
#define CAIRN_MPT_FLAGS_TYPE2_SHIFT 4
#define CAIRN_MPT_FLAGS_ACCESS 0xff00u /* enum access */
#define CAIRN_MPT_FLAGS_ACCESS_SHIFT 8
#define CAIRN_MPT_FLAGS_PAGE_LOG2 0x3f0000u /* 12, 16, 21 or 30 */
#define CAIRN_MPT_FLAGS_PAGE_LOG2_SHIFT 16
#define CAIRN_MPT_FLAGS_FUNC 0xff000000u
#define CAIRN_MPT_FLAGS_FUNC_SHIFT 24
#define CAIRN_MPT_PD 0xffffffu /* Protection domain */
#define CAIRN_MPT_PD_SHIFT 0

/* Page list entry, written by the driver before the region becomes valid */
struct cairn_mtt {
	uint64_t pte;
};
static_assert(sizeof(struct cairn_mtt) == 8, "size");
static_assert(offsetof(struct cairn_mtt, pte) == 0, "offset");
#define CAIRN_MTT_PTE_VALID 0x1ull
#define CAIRN_MTT_PTE_VALID_SHIFT 0
#define CAIRN_MTT_PTE_PAGE 0xfffffffffffff000ull /* IOVA >> 12 of the page; low bits zero for large pages */
#define CAIRN_MTT_PTE_PAGE_SHIFT 12

/* Tables in host memory, handed over by SETUP_TABLE; also the table field of the context port */
enum cairn_table {
	CAIRN_TABLE_QP = 0, /* QP hot records */
	CAIRN_TABLE_QP_COLD = 1,
	CAIRN_TABLE_RSP_RES = 2,
	CAIRN_TABLE_CQ = 3,
	CAIRN_TABLE_SRQ = 4,
	CAIRN_TABLE_MPT = 5,
	CAIRN_TABLE_MTT = 6,
};

/* Command */
enum cairn_cmd_op {
	CAIRN_CMD_OP_NOP = 0, /* Nothing */
	CAIRN_CMD_OP_QUERY_DEVICE = 1, /* What works, nothing else */
	CAIRN_CMD_OP_SETUP_TABLE = 2, /* Memory for the records of one kind */
	CAIRN_CMD_OP_ENABLE = 3, /* All tables are set: open the data path */
	CAIRN_CMD_OP_DISABLE = 4, /* Close it */
	CAIRN_CMD_OP_QUERY_PORT = 5, /* State of the port */
	CAIRN_CMD_OP_SET_PORT = 9, /* Settings of the port */
	CAIRN_CMD_OP_SET_GID = 6, /* Set or clear one of our addresses */
	CAIRN_CMD_OP_SET_DB_PAGES = 7, /* Give a range of QPs, CQs a page, for benches that write records directly */
	CAIRN_CMD_OP_RESOLVE = 8, /* GID to MAC */
	CAIRN_CMD_OP_CREATE_EQ = 16,
	CAIRN_CMD_OP_DESTROY_EQ = 17,
	CAIRN_CMD_OP_ALLOC_PD = 20,
	CAIRN_CMD_OP_DEALLOC_PD = 21,
	CAIRN_CMD_OP_CREATE_CQ = 24,
	CAIRN_CMD_OP_DESTROY_CQ = 25,
	CAIRN_CMD_OP_RESIZE_CQ = 26, /* Another ring for a live CQ */
	CAIRN_CMD_OP_MODIFY_CQ = 27, /* Moderation of its events */
	CAIRN_CMD_OP_QUERY_CQ = 28,
	CAIRN_CMD_OP_CREATE_SRQ = 32,
	CAIRN_CMD_OP_MODIFY_SRQ = 33, /* Arm its limit */
	CAIRN_CMD_OP_QUERY_SRQ = 34,
	CAIRN_CMD_OP_DESTROY_SRQ = 35,
	CAIRN_CMD_OP_REG_MR = 40,
	CAIRN_CMD_OP_DEREG_MR = 41,
	CAIRN_CMD_OP_QUERY_MR = 42,
	CAIRN_CMD_OP_ALLOC_MW = 43,
	CAIRN_CMD_OP_DEALLOC_MW = 44,
	CAIRN_CMD_OP_CREATE_QP = 48,
	CAIRN_CMD_OP_MODIFY_QP = 49,
	CAIRN_CMD_OP_QUERY_QP = 50,
	CAIRN_CMD_OP_DESTROY_QP = 51,
	CAIRN_CMD_OP_ATTACH_MCAST = 56,
	CAIRN_CMD_OP_DETACH_MCAST = 57,
	CAIRN_CMD_OP_CREATE_AH = 58, /* Not supported: address handles are the driver's */
	CAIRN_CMD_OP_SET_CONG = 64, /* Not supported yet */
	CAIRN_CMD_OP_QUERY_CONG = 65, /* Not supported yet */
};

/* Result of a command */
enum cairn_cmd_status {
	CAIRN_CMD_STATUS_OK = 0,
	CAIRN_CMD_STATUS_BAD_OP = 1, /* Unknown command */
	CAIRN_CMD_STATUS_BAD_PARAM = 2, /* A field is out of range */
	CAIRN_CMD_STATUS_BAD_INDEX = 3, /* Number outside its table */
	CAIRN_CMD_STATUS_BAD_STATE = 4, /* Object or device is in the wrong state */
	CAIRN_CMD_STATUS_BUSY = 5, /* Object is in use */
	CAIRN_CMD_STATUS_EXISTS = 6, /* Record is not free */
	CAIRN_CMD_STATUS_NOT_SUPPORTED = 7, /* Not in this build */
	CAIRN_CMD_STATUS_NO_RESOURCE = 8,
	CAIRN_CMD_STATUS_DMA_ERROR = 9, /* Command memory could not be read or written */
	CAIRN_CMD_STATUS_TIMEOUT = 10, /* No answer from the network (RESOLVE, MODIFY_QP) */
	CAIRN_CMD_STATUS_BAD_MASK = 11, /* Attribute mask wrong for the transition */
	CAIRN_CMD_STATUS_INTERNAL = 12,
};

/* Settings of the port, a bit mask: SET_PORT arg0, port_attr.flags */
enum cairn_port_flag {
	CAIRN_PORT_FLAG_LOOP = 1, /* Frames to the port's own addresses are looped inside, and multicast to its own members; on after reset */
};

/* SET_DB_PAGES FLAGS: which doorbell entries */
enum cairn_db_kind {
	CAIRN_DB_KIND_QP = 0, /* SQ and RQ of QPs */
	CAIRN_DB_KIND_CQ = 1,
	CAIRN_DB_KIND_SRQ = 2,
};

/* MODIFY_QP arg0: attributes given; the values of verbs.h enum ibv_qp_attr_mask */
enum cairn_qp_mask {
	CAIRN_QP_MASK_STATE = 1,
	CAIRN_QP_MASK_CUR_STATE = 2,
	CAIRN_QP_MASK_EN_SQD_NOTIFY = 4,
	CAIRN_QP_MASK_ACCESS = 8,
	CAIRN_QP_MASK_PKEY_INDEX = 16,
	CAIRN_QP_MASK_PORT = 32,
	CAIRN_QP_MASK_QKEY = 64,
	CAIRN_QP_MASK_AV = 128, /* dgid to dmac */
	CAIRN_QP_MASK_PATH_MTU = 256,
	CAIRN_QP_MASK_TIMEOUT = 512,
	CAIRN_QP_MASK_RETRY_CNT = 1024,
	CAIRN_QP_MASK_RNR_RETRY = 2048,
	CAIRN_QP_MASK_RQ_PSN = 4096,
	CAIRN_QP_MASK_MAX_RD_ATOMIC = 8192,
	CAIRN_QP_MASK_ALT_PATH = 16384, /* Refused */
	CAIRN_QP_MASK_MIN_RNR_TIMER = 32768,
	CAIRN_QP_MASK_SQ_PSN = 65536,
	CAIRN_QP_MASK_MAX_DEST_RD_ATOMIC = 131072,
	CAIRN_QP_MASK_PATH_MIG_STATE = 262144, /* Refused */
	CAIRN_QP_MASK_CAP = 524288, /* Refused */
	CAIRN_QP_MASK_DEST_QPN = 1048576,
	CAIRN_QP_MASK_RATE_LIMIT = 33554432, /* Refused */
	CAIRN_QP_MASK_LANE = 1073741824, /* Ours: traffic-class lane */
};

#define CAIRN_NO_NUMBER 0xffffffff /* In a field that names an object: none */
#define CAIRN_EQN_ASYNC 0 /* EQ of device, port, CQ and SRQ errors; exists before ENABLE */
#define CAIRN_GID_VLAN 0x10000 /* SET_GID arg2: bits 15:0 are the TCI of a VLAN tag */
#define CAIRN_GID_FLAG_VALID 1 /* SET_GID FLAGS: set the entry; without it the entry is cleared */
#define CAIRN_MR_FLAG_ALLOC 1 /* REG_MR FLAGS: only reserve the key, for a later REG_MR work request */
#define CAIRN_CMD_DETAIL_BUFFER 0x80 /* cmd_cpl DETAIL: this plus the index of the 32-bit word in the command's buffer */
#define CAIRN_CMD_DETAIL_NONE 0xff /* cmd_cpl DETAIL: no field is to blame */

/* Command; fields a command does not name must be zero */
struct cairn_cmd {
	uint32_t head;
	uint32_t number; /* QPN, CQN, SRQN, EQN, PD or MR key */
	uint64_t ptr; /* IOVA of a ring or a table */
	uint64_t arg0; /* See docs/commands.md */
	uint64_t arg1;
	uint64_t arg2;
	uint64_t arg3;
	uint64_t arg4;
	uint32_t arg5;
	uint32_t check;
};
static_assert(sizeof(struct cairn_cmd) == 64, "size");
static_assert(offsetof(struct cairn_cmd, head) == 0, "offset");
static_assert(offsetof(struct cairn_cmd, number) == 4, "offset");
static_assert(offsetof(struct cairn_cmd, ptr) == 8, "offset");
static_assert(offsetof(struct cairn_cmd, arg0) == 16, "offset");
static_assert(offsetof(struct cairn_cmd, arg1) == 24, "offset");
static_assert(offsetof(struct cairn_cmd, arg2) == 32, "offset");
static_assert(offsetof(struct cairn_cmd, arg3) == 40, "offset");
static_assert(offsetof(struct cairn_cmd, arg4) == 48, "offset");
static_assert(offsetof(struct cairn_cmd, arg5) == 56, "offset");
static_assert(offsetof(struct cairn_cmd, check) == 60, "offset");
#define CAIRN_CMD_HEAD_OP 0xffu /* enum cmd_op */
#define CAIRN_CMD_HEAD_OP_SHIFT 0
#define CAIRN_CMD_HEAD_FLAGS 0xff00u /* Command-specific */
#define CAIRN_CMD_HEAD_FLAGS_SHIFT 8
#define CAIRN_CMD_HEAD_ID 0xffff0000u /* Returned in the completion */
#define CAIRN_CMD_HEAD_ID_SHIFT 16
#define CAIRN_CMD_CHECK_INDEX 0xffffu /* Free-running ring index of this command */
#define CAIRN_CMD_CHECK_INDEX_SHIFT 0
#define CAIRN_CMD_CHECK_MAGIC 0xffff0000u /* 0xC0DE */
#define CAIRN_CMD_CHECK_MAGIC_SHIFT 16

#define CAIRN_CMD_MAGIC 0xC0DE /* cmd.check.MAGIC */

/* Command completion */
struct cairn_cmd_cpl {
	uint32_t head;
	uint32_t value0;
	uint32_t value1;
	uint32_t owner;
};
static_assert(sizeof(struct cairn_cmd_cpl) == 16, "size");
static_assert(offsetof(struct cairn_cmd_cpl, head) == 0, "offset");
static_assert(offsetof(struct cairn_cmd_cpl, value0) == 4, "offset");
static_assert(offsetof(struct cairn_cmd_cpl, value1) == 8, "offset");
static_assert(offsetof(struct cairn_cmd_cpl, owner) == 12, "offset");
#define CAIRN_CMD_CPL_HEAD_ID 0xffffu
#define CAIRN_CMD_CPL_HEAD_ID_SHIFT 0
#define CAIRN_CMD_CPL_HEAD_STATUS 0xff0000u /* enum cmd_status */
#define CAIRN_CMD_CPL_HEAD_STATUS_SHIFT 16
#define CAIRN_CMD_CPL_HEAD_DETAIL 0xff000000u /* Which field: index of the 32-bit word in the command, CMD_DETAIL_BUFFER + index in its buffer, or CMD_DETAIL_NONE */
#define CAIRN_CMD_CPL_HEAD_DETAIL_SHIFT 24
#define CAIRN_CMD_CPL_OWNER_INDEX 0xffffu /* Free-running ring index */
#define CAIRN_CMD_CPL_OWNER_INDEX_SHIFT 0
#define CAIRN_CMD_CPL_OWNER_PHASE 0x80000000u /* 1 on the first lap */
#define CAIRN_CMD_CPL_OWNER_PHASE_SHIFT 31

/* Answer of QUERY_DEVICE: what works, nothing else */
struct cairn_dev_caps {
	uint32_t fw_version; /* major 31:16, minor 15:0 */
	uint32_t features; /* As REG FEATURES */
	uint32_t max_qp;
	uint32_t max_qp_wr;
	uint32_t max_cq;
	uint32_t max_cqe;
	uint32_t max_mr;
	uint32_t max_pd;
	uint32_t max_srq;
	uint32_t max_srq_wr;
	uint32_t max_eq;
	uint32_t max_sge;
	uint32_t max_inline;
	uint32_t max_rd_atomic; /* as requester */
	uint32_t max_dest_rd_atomic; /* as responder */
	uint32_t max_msg; /* bytes */
	uint64_t page_sizes; /* Bit n: pages of 2^n bytes */
	uint64_t max_mr_size;
	uint32_t db_pages;
	uint32_t max_gid;
	uint32_t max_pkey;
	uint32_t max_mw;
	uint32_t qpn_first; /* Smallest QPN software may choose */
	uint32_t max_mtt; /* Page list entries of the largest table */
	uint64_t hca_clock_khz;
	uint32_t max_ah;
	uint32_t max_mcast_grp;
	uint32_t cq_moderation; /* Largest values of MODIFY_CQ; 0 = not in this build */
	uint32_t rsvd; /* Zero */
};
static_assert(sizeof(struct cairn_dev_caps) == 128, "size");
static_assert(offsetof(struct cairn_dev_caps, fw_version) == 0, "offset");
static_assert(offsetof(struct cairn_dev_caps, features) == 4, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_qp) == 8, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_qp_wr) == 12, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_cq) == 16, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_cqe) == 20, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_mr) == 24, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_pd) == 28, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_srq) == 32, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_srq_wr) == 36, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_eq) == 40, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_sge) == 44, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_inline) == 48, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_rd_atomic) == 52, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_dest_rd_atomic) == 56, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_msg) == 60, "offset");
static_assert(offsetof(struct cairn_dev_caps, page_sizes) == 64, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_mr_size) == 72, "offset");
static_assert(offsetof(struct cairn_dev_caps, db_pages) == 80, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_gid) == 84, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_pkey) == 88, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_mw) == 92, "offset");
static_assert(offsetof(struct cairn_dev_caps, qpn_first) == 96, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_mtt) == 100, "offset");
static_assert(offsetof(struct cairn_dev_caps, hca_clock_khz) == 104, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_ah) == 112, "offset");
static_assert(offsetof(struct cairn_dev_caps, max_mcast_grp) == 116, "offset");
static_assert(offsetof(struct cairn_dev_caps, cq_moderation) == 120, "offset");
static_assert(offsetof(struct cairn_dev_caps, rsvd) == 124, "offset");
#define CAIRN_DEV_CAPS_CQ_MODERATION_COUNT 0xffffu /* Completions */
#define CAIRN_DEV_CAPS_CQ_MODERATION_COUNT_SHIFT 0
#define CAIRN_DEV_CAPS_CQ_MODERATION_PERIOD 0xffff0000u /* us */
#define CAIRN_DEV_CAPS_CQ_MODERATION_PERIOD_SHIFT 16

/* Answer of QUERY_PORT */
struct cairn_port_attr {
	uint32_t state; /* verbs enum ibv_port_state: 1 down, 4 active */
	uint32_t max_mtu; /* 1 to 5 */
	uint32_t active_mtu; /* 1 to 5 */
	uint32_t gbps;
	uint64_t mac; /* As REG MAC_ADDR */
	uint32_t eth_mtu;
	uint32_t gid_count;
	uint32_t flags; /* enum port_flag */
	uint32_t rsvd0;
	uint64_t rsvd1;
	uint64_t rsvd2;
	uint64_t rsvd3;
};
static_assert(sizeof(struct cairn_port_attr) == 64, "size");
static_assert(offsetof(struct cairn_port_attr, state) == 0, "offset");
static_assert(offsetof(struct cairn_port_attr, max_mtu) == 4, "offset");
static_assert(offsetof(struct cairn_port_attr, active_mtu) == 8, "offset");
static_assert(offsetof(struct cairn_port_attr, gbps) == 12, "offset");
static_assert(offsetof(struct cairn_port_attr, mac) == 16, "offset");
static_assert(offsetof(struct cairn_port_attr, eth_mtu) == 24, "offset");
static_assert(offsetof(struct cairn_port_attr, gid_count) == 28, "offset");
static_assert(offsetof(struct cairn_port_attr, flags) == 32, "offset");
static_assert(offsetof(struct cairn_port_attr, rsvd0) == 36, "offset");
static_assert(offsetof(struct cairn_port_attr, rsvd1) == 40, "offset");
static_assert(offsetof(struct cairn_port_attr, rsvd2) == 48, "offset");
static_assert(offsetof(struct cairn_port_attr, rsvd3) == 56, "offset");

/* QP attributes, input of MODIFY_QP (cmd.arg0 = verbs attr_mask) and output of QUERY_QP */
struct cairn_qp_attr {
	uint32_t state; /* enum qp_state to move to, or current */
	uint32_t cur_state;
	uint32_t path_mtu; /* 1 to 5 */
	uint32_t qkey;
	uint32_t rq_psn;
	uint32_t sq_psn;
	uint32_t dest_qpn;
	uint32_t access; /* enum access */
	uint32_t pkey_index;
	uint32_t port;
	uint32_t max_rd_atomic;
	uint32_t max_dest_rd_atomic;
	uint32_t min_rnr_timer;
	uint32_t timeout;
	uint32_t retry_cnt;
	uint32_t rnr_retry;
	uint8_t dgid[16]; /* AV: destination GID */
	uint32_t sgid_index; /* AV */
	uint32_t flow_label; /* AV */
	uint32_t tclass; /* AV */
	uint32_t hop_limit; /* AV */
	uint32_t sl; /* AV */
	uint32_t sport; /* UDP source port, 0 = derive from flow label or QPNs */
	uint64_t dmac; /* AV: destination MAC, 0 = firmware resolves it */
	uint32_t en_sqd_notify;
	uint32_t lane; /* Traffic-class lane */
	uint32_t sq_draining; /* Query only */
	uint32_t rsvd; /* Zero */
};
static_assert(sizeof(struct cairn_qp_attr) == 128, "size");
static_assert(offsetof(struct cairn_qp_attr, state) == 0, "offset");
static_assert(offsetof(struct cairn_qp_attr, cur_state) == 4, "offset");
static_assert(offsetof(struct cairn_qp_attr, path_mtu) == 8, "offset");
static_assert(offsetof(struct cairn_qp_attr, qkey) == 12, "offset");
static_assert(offsetof(struct cairn_qp_attr, rq_psn) == 16, "offset");
static_assert(offsetof(struct cairn_qp_attr, sq_psn) == 20, "offset");
static_assert(offsetof(struct cairn_qp_attr, dest_qpn) == 24, "offset");
static_assert(offsetof(struct cairn_qp_attr, access) == 28, "offset");
static_assert(offsetof(struct cairn_qp_attr, pkey_index) == 32, "offset");
static_assert(offsetof(struct cairn_qp_attr, port) == 36, "offset");
static_assert(offsetof(struct cairn_qp_attr, max_rd_atomic) == 40, "offset");
static_assert(offsetof(struct cairn_qp_attr, max_dest_rd_atomic) == 44, "offset");
static_assert(offsetof(struct cairn_qp_attr, min_rnr_timer) == 48, "offset");
static_assert(offsetof(struct cairn_qp_attr, timeout) == 52, "offset");
static_assert(offsetof(struct cairn_qp_attr, retry_cnt) == 56, "offset");
static_assert(offsetof(struct cairn_qp_attr, rnr_retry) == 60, "offset");
static_assert(offsetof(struct cairn_qp_attr, dgid) == 64, "offset");
static_assert(offsetof(struct cairn_qp_attr, sgid_index) == 80, "offset");
static_assert(offsetof(struct cairn_qp_attr, flow_label) == 84, "offset");
static_assert(offsetof(struct cairn_qp_attr, tclass) == 88, "offset");
static_assert(offsetof(struct cairn_qp_attr, hop_limit) == 92, "offset");
static_assert(offsetof(struct cairn_qp_attr, sl) == 96, "offset");
static_assert(offsetof(struct cairn_qp_attr, sport) == 100, "offset");
static_assert(offsetof(struct cairn_qp_attr, dmac) == 104, "offset");
static_assert(offsetof(struct cairn_qp_attr, en_sqd_notify) == 112, "offset");
static_assert(offsetof(struct cairn_qp_attr, lane) == 116, "offset");
static_assert(offsetof(struct cairn_qp_attr, sq_draining) == 120, "offset");
static_assert(offsetof(struct cairn_qp_attr, rsvd) == 124, "offset");

/* Input buffer of CREATE_QP; the driver has cleared the ring memory */
struct cairn_qp_create {
	uint32_t type; /* enum qp_type */
	uint32_t pd;
	uint32_t sq_cqn;
	uint32_t rq_cqn;
	uint32_t srqn; /* 0xffffffff = none */
	uint32_t sq_log2; /* Blocks */
	uint32_t rq_log2; /* Entries */
	uint32_t rq_stride; /* Elements */
	uint64_t sq_base; /* IOVA */
	uint64_t rq_base; /* IOVA */
	uint32_t db_page; /* Owning doorbell page */
	uint32_t async_eqn;
	uint64_t user; /* Cookie for query */
};
static_assert(sizeof(struct cairn_qp_create) == 64, "size");
static_assert(offsetof(struct cairn_qp_create, type) == 0, "offset");
static_assert(offsetof(struct cairn_qp_create, pd) == 4, "offset");
static_assert(offsetof(struct cairn_qp_create, sq_cqn) == 8, "offset");
static_assert(offsetof(struct cairn_qp_create, rq_cqn) == 12, "offset");
static_assert(offsetof(struct cairn_qp_create, srqn) == 16, "offset");
static_assert(offsetof(struct cairn_qp_create, sq_log2) == 20, "offset");
static_assert(offsetof(struct cairn_qp_create, rq_log2) == 24, "offset");
static_assert(offsetof(struct cairn_qp_create, rq_stride) == 28, "offset");
static_assert(offsetof(struct cairn_qp_create, sq_base) == 32, "offset");
static_assert(offsetof(struct cairn_qp_create, rq_base) == 40, "offset");
static_assert(offsetof(struct cairn_qp_create, db_page) == 48, "offset");
static_assert(offsetof(struct cairn_qp_create, async_eqn) == 52, "offset");
static_assert(offsetof(struct cairn_qp_create, user) == 56, "offset");

/* Input buffer of CREATE_CQ */
struct cairn_cq_create {
	uint64_t base; /* IOVA */
	uint64_t ci_iova; /* IOVA */
	uint32_t log2; /* Entries */
	uint32_t eqn; /* EQ, 0xffffffff = no events */
	uint32_t db_page;
	uint32_t rsvd0;
	uint64_t rsvd1;
	uint64_t rsvd2;
	uint64_t rsvd3;
	uint64_t rsvd4;
};
static_assert(sizeof(struct cairn_cq_create) == 64, "size");
static_assert(offsetof(struct cairn_cq_create, base) == 0, "offset");
static_assert(offsetof(struct cairn_cq_create, ci_iova) == 8, "offset");
static_assert(offsetof(struct cairn_cq_create, log2) == 16, "offset");
static_assert(offsetof(struct cairn_cq_create, eqn) == 20, "offset");
static_assert(offsetof(struct cairn_cq_create, db_page) == 24, "offset");
static_assert(offsetof(struct cairn_cq_create, rsvd0) == 28, "offset");
static_assert(offsetof(struct cairn_cq_create, rsvd1) == 32, "offset");
static_assert(offsetof(struct cairn_cq_create, rsvd2) == 40, "offset");
static_assert(offsetof(struct cairn_cq_create, rsvd3) == 48, "offset");
static_assert(offsetof(struct cairn_cq_create, rsvd4) == 56, "offset");

/* Head of a firmware image, followed by the RAM contents */
struct cairn_fw_header {
	uint32_t magic; /* FW_MAGIC */
	uint32_t contract; /* CONTRACT_VERSION it was built for */
	uint32_t length; /* Bytes of the RAM contents, multiple of 4 */
	uint32_t crc; /* CRC-32 of the RAM contents */
	uint32_t fw_version;
	uint32_t entry; /* 0 */
	uint64_t rsvd; /* Zero */
};
static_assert(sizeof(struct cairn_fw_header) == 32, "size");
static_assert(offsetof(struct cairn_fw_header, magic) == 0, "offset");
static_assert(offsetof(struct cairn_fw_header, contract) == 4, "offset");
static_assert(offsetof(struct cairn_fw_header, length) == 8, "offset");
static_assert(offsetof(struct cairn_fw_header, crc) == 12, "offset");
static_assert(offsetof(struct cairn_fw_header, fw_version) == 16, "offset");
static_assert(offsetof(struct cairn_fw_header, entry) == 20, "offset");
static_assert(offsetof(struct cairn_fw_header, rsvd) == 24, "offset");

/* What each send queue operation is; numbers that are none have name NULL */
#define CAIRN_WQE_OPS 12
struct cairn_wqe_info {
	const char *name;
	uint8_t types;		/* bit n: QPs of enum cairn_qp_type n have it */
	uint8_t kind;		/* enum cairn_wqe_kind */
	uint8_t marks;		/* of enum cairn_wqe_mark */
	uint8_t cqe_op;		/* enum cairn_cqe_op */
	uint8_t bth[4];		/* [2 * first + last]: BTH opcode without its transport bits */
	uint32_t needs;		/* CAIRN_REG_FEATURES_*, all of them */
};

static const struct cairn_wqe_info cairn_wqe_info[CAIRN_WQE_OPS] __attribute__((unused)) = {
	[CAIRN_WQE_OP_SEND] = { .name = "SEND", .types = 1 << CAIRN_QP_TYPE_RC | 1 << CAIRN_QP_TYPE_UC | 1 << CAIRN_QP_TYPE_UD | 1 << CAIRN_QP_TYPE_GSI, .kind = CAIRN_WQE_KIND_SEND,
		.marks = CAIRN_WQE_MARK_INLINE | CAIRN_WQE_MARK_PUSH | CAIRN_WQE_MARK_RWR, .cqe_op = CAIRN_CQE_OP_SEND,
		.bth = { 0x01, 0x02, 0x00, 0x04 }, .needs = 0 },
	[CAIRN_WQE_OP_SEND_IMM] = { .name = "SEND_IMM", .types = 1 << CAIRN_QP_TYPE_RC | 1 << CAIRN_QP_TYPE_UC | 1 << CAIRN_QP_TYPE_UD | 1 << CAIRN_QP_TYPE_GSI, .kind = CAIRN_WQE_KIND_SEND,
		.marks = CAIRN_WQE_MARK_INLINE | CAIRN_WQE_MARK_PUSH | CAIRN_WQE_MARK_RWR | CAIRN_WQE_MARK_IMM, .cqe_op = CAIRN_CQE_OP_SEND,
		.bth = { 0x01, 0x03, 0x00, 0x05 }, .needs = 0 },
	[CAIRN_WQE_OP_SEND_INV] = { .name = "SEND_INV", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_SEND,
		.marks = CAIRN_WQE_MARK_INLINE | CAIRN_WQE_MARK_PUSH | CAIRN_WQE_MARK_RWR | CAIRN_WQE_MARK_INV, .cqe_op = CAIRN_CQE_OP_SEND,
		.bth = { 0x01, 0x16, 0x00, 0x17 }, .needs = CAIRN_REG_FEATURES_MW },
	[CAIRN_WQE_OP_WRITE] = { .name = "WRITE", .types = 1 << CAIRN_QP_TYPE_RC | 1 << CAIRN_QP_TYPE_UC, .kind = CAIRN_WQE_KIND_WRITE,
		.marks = CAIRN_WQE_MARK_INLINE | CAIRN_WQE_MARK_PUSH, .cqe_op = CAIRN_CQE_OP_WRITE,
		.bth = { 0x07, 0x08, 0x06, 0x0a }, .needs = 0 },
	[CAIRN_WQE_OP_WRITE_IMM] = { .name = "WRITE_IMM", .types = 1 << CAIRN_QP_TYPE_RC | 1 << CAIRN_QP_TYPE_UC, .kind = CAIRN_WQE_KIND_WRITE,
		.marks = CAIRN_WQE_MARK_INLINE | CAIRN_WQE_MARK_PUSH | CAIRN_WQE_MARK_RWR | CAIRN_WQE_MARK_IMM, .cqe_op = CAIRN_CQE_OP_WRITE,
		.bth = { 0x07, 0x09, 0x06, 0x0b }, .needs = 0 },
	[CAIRN_WQE_OP_READ] = { .name = "READ", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_READ,
		.marks = CAIRN_WQE_MARK_PUSH | CAIRN_WQE_MARK_RES, .cqe_op = CAIRN_CQE_OP_READ,
		.bth = { 0x0c, 0x0c, 0x0c, 0x0c }, .needs = 0 },
	[CAIRN_WQE_OP_ATOMIC_CS] = { .name = "ATOMIC_CS", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_ATOMIC,
		.marks = CAIRN_WQE_MARK_RES | CAIRN_WQE_MARK_COMPARE, .cqe_op = CAIRN_CQE_OP_ATOMIC,
		.bth = { 0x13, 0x13, 0x13, 0x13 }, .needs = CAIRN_REG_FEATURES_ATOMIC },
	[CAIRN_WQE_OP_ATOMIC_FA] = { .name = "ATOMIC_FA", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_ATOMIC,
		.marks = CAIRN_WQE_MARK_RES, .cqe_op = CAIRN_CQE_OP_ATOMIC,
		.bth = { 0x14, 0x14, 0x14, 0x14 }, .needs = CAIRN_REG_FEATURES_ATOMIC },
	[CAIRN_WQE_OP_LOCAL_INV] = { .name = "LOCAL_INV", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_LOCAL,
		.marks = 0, .cqe_op = CAIRN_CQE_OP_LOCAL,
		.bth = { 0x00, 0x00, 0x00, 0x00 }, .needs = CAIRN_REG_FEATURES_MW },
	[CAIRN_WQE_OP_REG_MR] = { .name = "REG_MR", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_LOCAL,
		.marks = 0, .cqe_op = CAIRN_CQE_OP_LOCAL,
		.bth = { 0x00, 0x00, 0x00, 0x00 }, .needs = CAIRN_REG_FEATURES_MW },
	[CAIRN_WQE_OP_BIND_MW] = { .name = "BIND_MW", .types = 1 << CAIRN_QP_TYPE_RC, .kind = CAIRN_WQE_KIND_LOCAL,
		.marks = 0, .cqe_op = CAIRN_CQE_OP_LOCAL,
		.bth = { 0x00, 0x00, 0x00, 0x00 }, .needs = CAIRN_REG_FEATURES_MW },
	[CAIRN_WQE_OP_NOP] = { .name = "NOP", .types = 1 << CAIRN_QP_TYPE_RC | 1 << CAIRN_QP_TYPE_UC | 1 << CAIRN_QP_TYPE_UD | 1 << CAIRN_QP_TYPE_GSI, .kind = CAIRN_WQE_KIND_NOP,
		.marks = CAIRN_WQE_MARK_INLINE, .cqe_op = CAIRN_CQE_OP_LOCAL,
		.bth = { 0x00, 0x00, 0x00, 0x00 }, .needs = 0 },
};

/* Counters: index into the counter block */
#define CAIRN_COUNTERS 128
enum cairn_counter {
	CAIRN_COUNTER_RX_PACKETS = 0, /* Frames received from the MAC */
	CAIRN_COUNTER_RX_BYTES = 1, /* Bytes of these frames, without FCS */
	CAIRN_COUNTER_TX_PACKETS = 2, /* Frames sent */
	CAIRN_COUNTER_TX_BYTES = 3, /* Bytes of these frames, without FCS */
	CAIRN_COUNTER_RX_ROCE_PACKETS = 4, /* RoCE v2 packets that passed all header checks and the ICRC */
	CAIRN_COUNTER_RX_RAW_PACKETS = 5, /* Frames handed to firmware */
	CAIRN_COUNTER_RX_MAC_ERROR = 6, /* Dropped: MAC error (bad FCS, truncated) */
	CAIRN_COUNTER_RX_LENGTH_ERROR = 7, /* Dropped: lengths of frame, IP, UDP and headers disagree */
	CAIRN_COUNTER_RX_IP_ERROR = 8, /* Dropped: IPv4 version, IHL, checksum, fragment; IPv6 extension header */
	CAIRN_COUNTER_RX_OPCODE_ERROR = 9, /* Dropped: undefined BTH opcode or TVer */
	CAIRN_COUNTER_RX_ICRC_ERROR = 10, /* Dropped: ICRC wrong */
	CAIRN_COUNTER_RX_NO_BUFFER = 11, /* Dropped: RX pool empty or QP over its share */
	CAIRN_COUNTER_RX_RAW_DROP = 12, /* Dropped: raw frame with no room at firmware */
	CAIRN_COUNTER_RX_NOT_OURS = 13, /* Dropped: destination address or VLAN not in the GID table */
	CAIRN_COUNTER_RX_BAD_QPN = 14, /* Dropped: QP does not exist or transport differs */
	CAIRN_COUNTER_RX_QP_STATE = 15, /* Dropped: QP state takes no packets */
	CAIRN_COUNTER_RX_BAD_ADDR = 16, /* Dropped: source or destination IP is not the QP's */
	CAIRN_COUNTER_RX_BAD_PKEY = 17, /* Dropped: P_Key */
	CAIRN_COUNTER_RX_BAD_QKEY = 18, /* Dropped: Q_Key */
	CAIRN_COUNTER_RX_CTX_ERROR = 19, /* Dropped: context record could not be read or is damaged */
	CAIRN_COUNTER_DUPLICATE_REQUEST = 20, /* Responder: duplicate requests */
	CAIRN_COUNTER_OUT_OF_SEQUENCE = 21, /* Responder: packets ahead of the expected PSN */
	CAIRN_COUNTER_RNR_NAK_SENT = 22, /* Responder: RNR NAKs sent */
	CAIRN_COUNTER_SEQ_NAK_SENT = 23, /* Responder: sequence NAKs sent */
	CAIRN_COUNTER_RESP_INV_REQ = 24, /* Responder: NAK invalid request sent */
	CAIRN_COUNTER_RESP_ACCESS_ERR = 25, /* Responder: NAK remote access error sent */
	CAIRN_COUNTER_RESP_OP_ERR = 26, /* Responder: NAK remote operational error sent */
	CAIRN_COUNTER_RX_SEND = 27, /* Responder: SEND messages executed */
	CAIRN_COUNTER_RX_WRITE = 28, /* Responder: WRITE messages executed */
	CAIRN_COUNTER_RX_READ = 29, /* Responder: READ requests accepted */
	CAIRN_COUNTER_RX_ATOMIC = 30, /* Responder: atomics executed */
	CAIRN_COUNTER_ACK_SENT = 31, /* ACKs sent (not NAKs) */
	CAIRN_COUNTER_READ_RSP_SENT = 32, /* READ response packets sent */
	CAIRN_COUNTER_RX_ACK = 33, /* Requester: ACKs received */
	CAIRN_COUNTER_RX_READ_RSP = 34, /* Requester: READ response packets accepted */
	CAIRN_COUNTER_PACKET_SEQ_ERR = 35, /* Requester: sequence NAKs received */
	CAIRN_COUNTER_RNR_NAK_RCVD = 36, /* Requester: RNR NAKs received */
	CAIRN_COUNTER_IMPLIED_NAK = 37, /* Requester: implied NAKs acted upon */
	CAIRN_COUNTER_ACK_TIMEOUT = 38, /* Requester: ack timer expired */
	CAIRN_COUNTER_REQ_REM_INV = 39, /* Requester: NAK invalid request received */
	CAIRN_COUNTER_REQ_REM_ACCESS = 40, /* Requester: NAK remote access error received */
	CAIRN_COUNTER_REQ_REM_OP = 41, /* Requester: NAK remote operational error received */
	CAIRN_COUNTER_RETRY_EXC = 42, /* Requester: QPs ended by retry_cnt */
	CAIRN_COUNTER_RNR_EXC = 43, /* Requester: QPs ended by rnr_retry */
	CAIRN_COUNTER_RX_GHOST_ACK = 44, /* Requester: responses ignored (old, not yet sent, reserved) */
	CAIRN_COUNTER_RETX_PACKETS = 45, /* Request packets sent again */
	CAIRN_COUNTER_GO_BACKS = 46, /* Go-backs begun */
	CAIRN_COUNTER_TX_STALE = 47, /* Request jobs discarded by a later go-back or reset */
	CAIRN_COUNTER_LOC_PROT_ERR = 48, /* Requester: error completions for local protection */
	CAIRN_COUNTER_LOC_OP_ERR = 49, /* Requester: error completions for malformed WQEs and refused local operations */
	CAIRN_COUNTER_CQE_ERR = 50, /* Error completions written, send side */
	CAIRN_COUNTER_CQE_FLUSH = 51, /* Flush completions written */
	CAIRN_COUNTER_CQE_WRITTEN = 52, /* All completions written */
	CAIRN_COUNTER_CQ_OVERFLOW = 53, /* CQs that overflowed */
	CAIRN_COUNTER_EQE_WRITTEN = 54, /* Events written */
	CAIRN_COUNTER_EQ_OVERFLOW = 55, /* Events lost because an EQ was full */
	CAIRN_COUNTER_MSIX_SENT = 56, /* Interrupt messages sent */
	CAIRN_COUNTER_DB_SQ = 57, /* Send doorbells taken */
	CAIRN_COUNTER_DB_RQ = 58, /* Receive doorbells taken */
	CAIRN_COUNTER_DB_CQ = 59, /* CQ arms taken */
	CAIRN_COUNTER_DB_BAD_PAGE = 60, /* Doorbells from a page that does not own the object */
	CAIRN_COUNTER_DB_BAD_INDEX = 61, /* Doorbells with an index behind or too far ahead */
	CAIRN_COUNTER_DB_BAD_FORM = 62, /* BAR2 writes that are no aligned 64-bit store or name no doorbell */
	CAIRN_COUNTER_DMA_RD = 63, /* Memory read requests (TLPs) */
	CAIRN_COUNTER_DMA_RD_BYTES = 64, /* Bytes read */
	CAIRN_COUNTER_DMA_WR = 65, /* Memory write requests (TLPs) */
	CAIRN_COUNTER_DMA_WR_BYTES = 66, /* Bytes written */
	CAIRN_COUNTER_DMA_RD_ERR = 67, /* Reads that ended with UR, CA or poison */
	CAIRN_COUNTER_DMA_RD_TIMEOUT = 68, /* Reads whose completion never came */
	CAIRN_COUNTER_CPL_UNEXPECTED = 69, /* Completions with no read outstanding */
	CAIRN_COUNTER_BAR_BAD = 70, /* BAR accesses answered UR or ignored */
	CAIRN_COUNTER_QPC_HIT = 71, /* QP context cache hits */
	CAIRN_COUNTER_QPC_MISS = 72, /* QP context cache misses */
	CAIRN_COUNTER_QPC_WRITEBACK = 73, /* QP context parts written back */
	CAIRN_COUNTER_MPT_HIT = 74, /* MR cache hits */
	CAIRN_COUNTER_MPT_MISS = 75, /* MR cache misses */
	CAIRN_COUNTER_MTT_HIT = 76, /* Page list cache hits */
	CAIRN_COUNTER_MTT_MISS = 77, /* Page list cache misses */
	CAIRN_COUNTER_WQE_FETCH = 78, /* WQE reads issued */
	CAIRN_COUNTER_RQE_FETCH = 79, /* Receive WQE reads issued */
	CAIRN_COUNTER_STALL_RX = 80, /* Cycles in which the RX front end could not pass a packet on */
	CAIRN_COUNTER_STALL_RSP = 81, /* Cycles in which the responder waited for a following stage */
	CAIRN_COUNTER_STALL_CMP = 82, /* Cycles in which the completer waited for a following stage */
	CAIRN_COUNTER_STALL_REQ = 83, /* Cycles in which the requester waited for a following stage */
	CAIRN_COUNTER_STALL_TX = 84, /* Cycles in which a packet waited for its payload */
	CAIRN_COUNTER_STALL_DMA_WR = 85, /* Cycles in which a posted write waited for credits */
	CAIRN_COUNTER_STALL_DMA_RD = 86, /* Cycles in which a read waited for a tag or credits */
	CAIRN_COUNTER_RX_PARKED = 87, /* Packets parked for a context, RQE or MR fill */
	CAIRN_COUNTER_CNP_SENT = 88, /* CNPs sent */
	CAIRN_COUNTER_CNP_HANDLED = 89, /* CNPs handled */
	CAIRN_COUNTER_ECN_MARKED = 90, /* RoCE packets received with CE */
	CAIRN_COUNTER_CQE_COALESCED_ACK = 91, /* Acknowledge requests answered by a later ACK */
	CAIRN_COUNTER_RX_DUP_ACK = 92, /* READ responses or atomic answers already taken */
	CAIRN_COUNTER_CPU_TRAP = 93, /* Traps taken by the management core besides interrupts */
	CAIRN_COUNTER_DMA_WR_DROPPED = 94, /* Memory writes not sent: bus mastering is off, or a reset came */
	CAIRN_COUNTER_RX_UC_DROP = 95, /* UC packets dropped: gap, opcode sequence, rights, length, key, receive buffer */
	CAIRN_COUNTER_RX_UD_DROP = 96, /* UD packets dropped: length, or longer than the receive buffer */
	CAIRN_COUNTER_RX_NO_RECV = 97, /* UC and UD packets dropped for want of a receive */
	CAIRN_COUNTER_RX_MULTICAST = 98, /* Dropped: multicast packet whose group no QP is attached to, or too many of them wait already */
	CAIRN_COUNTER_SRQ_ERROR = 99, /* SRQs that failed: bad slot number, unreadable ring, producer index beyond the ring */
	CAIRN_COUNTER_LOCAL_OPS = 100, /* Requester: invalidations, registrations and binds done */
	CAIRN_COUNTER_UD_TOO_LONG = 101, /* Requester: datagrams longer than the MTU, completed without a packet */
	CAIRN_COUNTER_PUSH_TAKEN = 102, /* Doorbells whose WQE came with them and needed no fetch */
	CAIRN_COUNTER_PUSH_IGNORED = 103, /* Doorbells in the push window whose WQE was, or is, to be fetched all the same */
	CAIRN_COUNTER_ATOMIC_RSP_SENT = 104, /* ATOMIC ACKNOWLEDGE packets sent */
	CAIRN_COUNTER_RX_SRQ_WAIT = 105, /* Responder: packets that found no slot of their SRQ on chip */
	CAIRN_COUNTER_RESP_LOC_LEN = 106, /* Responder: messages longer than their receive */
	CAIRN_COUNTER_RESP_CQE_ERR = 107, /* Error completions written, receive side, flushed ones not counted */
	CAIRN_COUNTER_RX_ATOMIC_RSP = 108, /* Requester: atomic answers accepted */
	CAIRN_COUNTER_BAD_RESP = 109, /* Requester: QPs ended by a response of the wrong kind or length */
	CAIRN_COUNTER_TX_RSP_DROPPED = 110, /* Responder: responses and ACKs not sent: those behind one whose payload could not be read */
	CAIRN_COUNTER_RX_SHARE = 111, /* Requests dropped because their QP holds its share of the receive path (counted in out_of_buffer too) */
	CAIRN_COUNTER_MR_BAD_KEY = 112, /* Key refused: no such region or window, wrong tag, not valid now */
	CAIRN_COUNTER_MR_BAD_PD = 113, /* Key refused: protection domain, or QP of a type 2 window */
	CAIRN_COUNTER_MR_BAD_RIGHTS = 114, /* Key refused: right missing; invalidate, bind or registration not allowed */
	CAIRN_COUNTER_MR_BAD_BOUNDS = 115, /* Key refused: outside the region, page list entry not valid */
	CAIRN_COUNTER_TX_LOOP_PACKETS = 116, /* Frames sent to ourselves, which did not go out on the wire; part of tx_packets */
	CAIRN_COUNTER_TX_LOOP_BYTES = 117, /* Bytes of these frames, without FCS; part of tx_bytes */
	CAIRN_COUNTER_RX_LOOP_PACKETS = 118, /* Frames received from ourselves, copies of multicast included; part of rx_packets */
	CAIRN_COUNTER_RX_LOOP_BYTES = 119, /* Bytes of these frames, without FCS; part of rx_bytes */
	CAIRN_COUNTER_RX_OVERRUN = 120, /* Frames of the wire dropped in front of the receive path, not part of rx_packets: the wire brought more than it takes, and a looped frame had its turn */
	CAIRN_COUNTER_CQ_CROWDED = 121, /* Times a full CQ held its share of waiting completions, and its QPs began to wait */
	CAIRN_COUNTER_NET_USED = 122, /* Frames that firmware answered or learned from */
	CAIRN_COUNTER_NET_IGNORED = 123, /* Firmware had no use for: other protocols and types, not to or about an address of ours or a neighbour */
	CAIRN_COUNTER_NET_INVALID = 124, /* Dropped by firmware: checksum, length, code, hop limit, option or address that the protocol forbids */
	CAIRN_COUNTER_NET_BAD_SOURCE = 125, /* Dropped by firmware: from an address, or a MAC, that no host can have */
	CAIRN_COUNTER_NET_UNSOLICITED = 126, /* Not believed: from a host that was not asked, or nothing that may change what is known */
	CAIRN_COUNTER_NET_CONFLICT = 127, /* Frames of another host that uses an address of ours */
};

static const char *const cairn_counter_names[CAIRN_COUNTERS] __attribute__((unused)) = {
	[CAIRN_COUNTER_RX_PACKETS] = "rx_packets",
	[CAIRN_COUNTER_RX_BYTES] = "rx_bytes",
	[CAIRN_COUNTER_TX_PACKETS] = "tx_packets",
	[CAIRN_COUNTER_TX_BYTES] = "tx_bytes",
	[CAIRN_COUNTER_RX_ROCE_PACKETS] = "rx_roce_packets",
	[CAIRN_COUNTER_RX_RAW_PACKETS] = "rx_raw_packets",
	[CAIRN_COUNTER_RX_MAC_ERROR] = "rx_mac_error",
	[CAIRN_COUNTER_RX_LENGTH_ERROR] = "rx_length_error",
	[CAIRN_COUNTER_RX_IP_ERROR] = "rx_ip_error",
	[CAIRN_COUNTER_RX_OPCODE_ERROR] = "rx_opcode_error",
	[CAIRN_COUNTER_RX_ICRC_ERROR] = "rx_icrc_encapsulated",
	[CAIRN_COUNTER_RX_NO_BUFFER] = "out_of_buffer",
	[CAIRN_COUNTER_RX_RAW_DROP] = "rx_raw_dropped",
	[CAIRN_COUNTER_RX_NOT_OURS] = "rx_not_ours",
	[CAIRN_COUNTER_RX_BAD_QPN] = "rx_bad_qpn",
	[CAIRN_COUNTER_RX_QP_STATE] = "rx_qp_state",
	[CAIRN_COUNTER_RX_BAD_ADDR] = "rx_bad_address",
	[CAIRN_COUNTER_RX_BAD_PKEY] = "rx_bad_pkey",
	[CAIRN_COUNTER_RX_BAD_QKEY] = "rx_bad_qkey",
	[CAIRN_COUNTER_RX_CTX_ERROR] = "rx_ctx_error",
	[CAIRN_COUNTER_DUPLICATE_REQUEST] = "duplicate_request",
	[CAIRN_COUNTER_OUT_OF_SEQUENCE] = "out_of_sequence",
	[CAIRN_COUNTER_RNR_NAK_SENT] = "rnr_nak_sent",
	[CAIRN_COUNTER_SEQ_NAK_SENT] = "packet_seq_nak_sent",
	[CAIRN_COUNTER_RESP_INV_REQ] = "resp_invalid_request",
	[CAIRN_COUNTER_RESP_ACCESS_ERR] = "resp_remote_access_errors",
	[CAIRN_COUNTER_RESP_OP_ERR] = "resp_operational_errors",
	[CAIRN_COUNTER_RX_SEND] = "rx_send_requests",
	[CAIRN_COUNTER_RX_WRITE] = "rx_write_requests",
	[CAIRN_COUNTER_RX_READ] = "rx_read_requests",
	[CAIRN_COUNTER_RX_ATOMIC] = "rx_atomic_requests",
	[CAIRN_COUNTER_ACK_SENT] = "ack_sent",
	[CAIRN_COUNTER_READ_RSP_SENT] = "read_resp_sent",
	[CAIRN_COUNTER_RX_ACK] = "rx_acks",
	[CAIRN_COUNTER_RX_READ_RSP] = "rx_read_responses",
	[CAIRN_COUNTER_PACKET_SEQ_ERR] = "packet_seq_err",
	[CAIRN_COUNTER_RNR_NAK_RCVD] = "rnr_nak_retry_err",
	[CAIRN_COUNTER_IMPLIED_NAK] = "implied_nak_seq_err",
	[CAIRN_COUNTER_ACK_TIMEOUT] = "local_ack_timeout_err",
	[CAIRN_COUNTER_REQ_REM_INV] = "req_remote_invalid_request",
	[CAIRN_COUNTER_REQ_REM_ACCESS] = "req_remote_access_errors",
	[CAIRN_COUNTER_REQ_REM_OP] = "req_remote_op_errors",
	[CAIRN_COUNTER_RETRY_EXC] = "req_retry_exceeded",
	[CAIRN_COUNTER_RNR_EXC] = "req_rnr_retries_exceeded",
	[CAIRN_COUNTER_RX_GHOST_ACK] = "rx_ghost_acks",
	[CAIRN_COUNTER_RETX_PACKETS] = "tx_retransmitted_packets",
	[CAIRN_COUNTER_GO_BACKS] = "tx_go_backs",
	[CAIRN_COUNTER_TX_STALE] = "tx_stale_dropped",
	[CAIRN_COUNTER_LOC_PROT_ERR] = "req_local_prot_errors",
	[CAIRN_COUNTER_LOC_OP_ERR] = "req_local_op_errors",
	[CAIRN_COUNTER_CQE_ERR] = "req_cqe_error",
	[CAIRN_COUNTER_CQE_FLUSH] = "cqe_flush_error",
	[CAIRN_COUNTER_CQE_WRITTEN] = "cqe_written",
	[CAIRN_COUNTER_CQ_OVERFLOW] = "cq_overflow",
	[CAIRN_COUNTER_EQE_WRITTEN] = "eqe_written",
	[CAIRN_COUNTER_EQ_OVERFLOW] = "eq_overflow",
	[CAIRN_COUNTER_MSIX_SENT] = "msix_sent",
	[CAIRN_COUNTER_DB_SQ] = "doorbell_sq",
	[CAIRN_COUNTER_DB_RQ] = "doorbell_rq",
	[CAIRN_COUNTER_DB_CQ] = "doorbell_cq",
	[CAIRN_COUNTER_DB_BAD_PAGE] = "doorbell_bad_page",
	[CAIRN_COUNTER_DB_BAD_INDEX] = "doorbell_bad_index",
	[CAIRN_COUNTER_DB_BAD_FORM] = "doorbell_bad_form",
	[CAIRN_COUNTER_DMA_RD] = "dma_reads",
	[CAIRN_COUNTER_DMA_RD_BYTES] = "dma_read_bytes",
	[CAIRN_COUNTER_DMA_WR] = "dma_writes",
	[CAIRN_COUNTER_DMA_WR_BYTES] = "dma_write_bytes",
	[CAIRN_COUNTER_DMA_RD_ERR] = "dma_read_errors",
	[CAIRN_COUNTER_DMA_RD_TIMEOUT] = "dma_read_timeouts",
	[CAIRN_COUNTER_CPL_UNEXPECTED] = "pcie_unexpected_completions",
	[CAIRN_COUNTER_BAR_BAD] = "bar_unsupported",
	[CAIRN_COUNTER_QPC_HIT] = "qpc_hits",
	[CAIRN_COUNTER_QPC_MISS] = "qpc_misses",
	[CAIRN_COUNTER_QPC_WRITEBACK] = "qpc_writebacks",
	[CAIRN_COUNTER_MPT_HIT] = "mpt_hits",
	[CAIRN_COUNTER_MPT_MISS] = "mpt_misses",
	[CAIRN_COUNTER_MTT_HIT] = "mtt_hits",
	[CAIRN_COUNTER_MTT_MISS] = "mtt_misses",
	[CAIRN_COUNTER_WQE_FETCH] = "wqe_fetches",
	[CAIRN_COUNTER_RQE_FETCH] = "rqe_fetches",
	[CAIRN_COUNTER_STALL_RX] = "stall_rx",
	[CAIRN_COUNTER_STALL_RSP] = "stall_responder",
	[CAIRN_COUNTER_STALL_CMP] = "stall_completer",
	[CAIRN_COUNTER_STALL_REQ] = "stall_requester",
	[CAIRN_COUNTER_STALL_TX] = "stall_tx",
	[CAIRN_COUNTER_STALL_DMA_WR] = "stall_dma_write",
	[CAIRN_COUNTER_STALL_DMA_RD] = "stall_dma_read",
	[CAIRN_COUNTER_RX_PARKED] = "rx_parked",
	[CAIRN_COUNTER_CNP_SENT] = "np_cnp_sent",
	[CAIRN_COUNTER_CNP_HANDLED] = "rp_cnp_handled",
	[CAIRN_COUNTER_ECN_MARKED] = "np_ecn_marked_roce_packets",
	[CAIRN_COUNTER_CQE_COALESCED_ACK] = "acks_coalesced",
	[CAIRN_COUNTER_RX_DUP_ACK] = "rx_duplicate_responses",
	[CAIRN_COUNTER_CPU_TRAP] = "fw_traps",
	[CAIRN_COUNTER_DMA_WR_DROPPED] = "dma_writes_dropped",
	[CAIRN_COUNTER_RX_UC_DROP] = "rx_uc_dropped",
	[CAIRN_COUNTER_RX_UD_DROP] = "rx_ud_dropped",
	[CAIRN_COUNTER_RX_NO_RECV] = "rx_no_receive",
	[CAIRN_COUNTER_RX_MULTICAST] = "rx_multicast_dropped",
	[CAIRN_COUNTER_SRQ_ERROR] = "srq_errors",
	[CAIRN_COUNTER_LOCAL_OPS] = "req_local_operations",
	[CAIRN_COUNTER_UD_TOO_LONG] = "req_ud_too_long",
	[CAIRN_COUNTER_PUSH_TAKEN] = "push_taken",
	[CAIRN_COUNTER_PUSH_IGNORED] = "push_ignored",
	[CAIRN_COUNTER_ATOMIC_RSP_SENT] = "atomic_resp_sent",
	[CAIRN_COUNTER_RX_SRQ_WAIT] = "rx_srq_waits",
	[CAIRN_COUNTER_RESP_LOC_LEN] = "resp_local_length_error",
	[CAIRN_COUNTER_RESP_CQE_ERR] = "resp_cqe_error",
	[CAIRN_COUNTER_RX_ATOMIC_RSP] = "rx_atomic_responses",
	[CAIRN_COUNTER_BAD_RESP] = "req_bad_responses",
	[CAIRN_COUNTER_TX_RSP_DROPPED] = "tx_responses_dropped",
	[CAIRN_COUNTER_RX_SHARE] = "rx_share_dropped",
	[CAIRN_COUNTER_MR_BAD_KEY] = "mr_bad_key",
	[CAIRN_COUNTER_MR_BAD_PD] = "mr_bad_pd",
	[CAIRN_COUNTER_MR_BAD_RIGHTS] = "mr_bad_rights",
	[CAIRN_COUNTER_MR_BAD_BOUNDS] = "mr_bad_bounds",
	[CAIRN_COUNTER_TX_LOOP_PACKETS] = "tx_loop_packets",
	[CAIRN_COUNTER_TX_LOOP_BYTES] = "tx_loop_bytes",
	[CAIRN_COUNTER_RX_LOOP_PACKETS] = "rx_loop_packets",
	[CAIRN_COUNTER_RX_LOOP_BYTES] = "rx_loop_bytes",
	[CAIRN_COUNTER_RX_OVERRUN] = "rx_overrun",
	[CAIRN_COUNTER_CQ_CROWDED] = "cq_crowded",
	[CAIRN_COUNTER_NET_USED] = "net_used",
	[CAIRN_COUNTER_NET_IGNORED] = "net_ignored",
	[CAIRN_COUNTER_NET_INVALID] = "net_invalid",
	[CAIRN_COUNTER_NET_BAD_SOURCE] = "net_bad_source",
	[CAIRN_COUNTER_NET_UNSOLICITED] = "net_unsolicited",
	[CAIRN_COUNTER_NET_CONFLICT] = "net_address_conflicts",
};

/* What they count, for people */
static const char *const cairn_counter_docs[CAIRN_COUNTERS] __attribute__((unused)) = {
	[CAIRN_COUNTER_RX_PACKETS] = "Frames received from the MAC",
	[CAIRN_COUNTER_RX_BYTES] = "Bytes of these frames, without FCS",
	[CAIRN_COUNTER_TX_PACKETS] = "Frames sent",
	[CAIRN_COUNTER_TX_BYTES] = "Bytes of these frames, without FCS",
	[CAIRN_COUNTER_RX_ROCE_PACKETS] = "RoCE v2 packets that passed all header checks and the ICRC",
	[CAIRN_COUNTER_RX_RAW_PACKETS] = "Frames handed to firmware",
	[CAIRN_COUNTER_RX_MAC_ERROR] = "Dropped: MAC error (bad FCS, truncated)",
	[CAIRN_COUNTER_RX_LENGTH_ERROR] = "Dropped: lengths of frame, IP, UDP and headers disagree",
	[CAIRN_COUNTER_RX_IP_ERROR] = "Dropped: IPv4 version, IHL, checksum, fragment; IPv6 extension header",
	[CAIRN_COUNTER_RX_OPCODE_ERROR] = "Dropped: undefined BTH opcode or TVer",
	[CAIRN_COUNTER_RX_ICRC_ERROR] = "Dropped: ICRC wrong",
	[CAIRN_COUNTER_RX_NO_BUFFER] = "Dropped: RX pool empty or QP over its share",
	[CAIRN_COUNTER_RX_RAW_DROP] = "Dropped: raw frame with no room at firmware",
	[CAIRN_COUNTER_RX_NOT_OURS] = "Dropped: destination address or VLAN not in the GID table",
	[CAIRN_COUNTER_RX_BAD_QPN] = "Dropped: QP does not exist or transport differs",
	[CAIRN_COUNTER_RX_QP_STATE] = "Dropped: QP state takes no packets",
	[CAIRN_COUNTER_RX_BAD_ADDR] = "Dropped: source or destination IP is not the QP's",
	[CAIRN_COUNTER_RX_BAD_PKEY] = "Dropped: P_Key",
	[CAIRN_COUNTER_RX_BAD_QKEY] = "Dropped: Q_Key",
	[CAIRN_COUNTER_RX_CTX_ERROR] = "Dropped: context record could not be read or is damaged",
	[CAIRN_COUNTER_DUPLICATE_REQUEST] = "Responder: duplicate requests",
	[CAIRN_COUNTER_OUT_OF_SEQUENCE] = "Responder: packets ahead of the expected PSN",
	[CAIRN_COUNTER_RNR_NAK_SENT] = "Responder: RNR NAKs sent",
	[CAIRN_COUNTER_SEQ_NAK_SENT] = "Responder: sequence NAKs sent",
	[CAIRN_COUNTER_RESP_INV_REQ] = "Responder: NAK invalid request sent",
	[CAIRN_COUNTER_RESP_ACCESS_ERR] = "Responder: NAK remote access error sent",
	[CAIRN_COUNTER_RESP_OP_ERR] = "Responder: NAK remote operational error sent",
	[CAIRN_COUNTER_RX_SEND] = "Responder: SEND messages executed",
	[CAIRN_COUNTER_RX_WRITE] = "Responder: WRITE messages executed",
	[CAIRN_COUNTER_RX_READ] = "Responder: READ requests accepted",
	[CAIRN_COUNTER_RX_ATOMIC] = "Responder: atomics executed",
	[CAIRN_COUNTER_ACK_SENT] = "ACKs sent (not NAKs)",
	[CAIRN_COUNTER_READ_RSP_SENT] = "READ response packets sent",
	[CAIRN_COUNTER_RX_ACK] = "Requester: ACKs received",
	[CAIRN_COUNTER_RX_READ_RSP] = "Requester: READ response packets accepted",
	[CAIRN_COUNTER_PACKET_SEQ_ERR] = "Requester: sequence NAKs received",
	[CAIRN_COUNTER_RNR_NAK_RCVD] = "Requester: RNR NAKs received",
	[CAIRN_COUNTER_IMPLIED_NAK] = "Requester: implied NAKs acted upon",
	[CAIRN_COUNTER_ACK_TIMEOUT] = "Requester: ack timer expired",
	[CAIRN_COUNTER_REQ_REM_INV] = "Requester: NAK invalid request received",
	[CAIRN_COUNTER_REQ_REM_ACCESS] = "Requester: NAK remote access error received",
	[CAIRN_COUNTER_REQ_REM_OP] = "Requester: NAK remote operational error received",
	[CAIRN_COUNTER_RETRY_EXC] = "Requester: QPs ended by retry_cnt",
	[CAIRN_COUNTER_RNR_EXC] = "Requester: QPs ended by rnr_retry",
	[CAIRN_COUNTER_RX_GHOST_ACK] = "Requester: responses ignored (old, not yet sent, reserved)",
	[CAIRN_COUNTER_RETX_PACKETS] = "Request packets sent again",
	[CAIRN_COUNTER_GO_BACKS] = "Go-backs begun",
	[CAIRN_COUNTER_TX_STALE] = "Request jobs discarded by a later go-back or reset",
	[CAIRN_COUNTER_LOC_PROT_ERR] = "Requester: error completions for local protection",
	[CAIRN_COUNTER_LOC_OP_ERR] = "Requester: error completions for malformed WQEs and refused local operations",
	[CAIRN_COUNTER_CQE_ERR] = "Error completions written, send side",
	[CAIRN_COUNTER_CQE_FLUSH] = "Flush completions written",
	[CAIRN_COUNTER_CQE_WRITTEN] = "All completions written",
	[CAIRN_COUNTER_CQ_OVERFLOW] = "CQs that overflowed",
	[CAIRN_COUNTER_EQE_WRITTEN] = "Events written",
	[CAIRN_COUNTER_EQ_OVERFLOW] = "Events lost because an EQ was full",
	[CAIRN_COUNTER_MSIX_SENT] = "Interrupt messages sent",
	[CAIRN_COUNTER_DB_SQ] = "Send doorbells taken",
	[CAIRN_COUNTER_DB_RQ] = "Receive doorbells taken",
	[CAIRN_COUNTER_DB_CQ] = "CQ arms taken",
	[CAIRN_COUNTER_DB_BAD_PAGE] = "Doorbells from a page that does not own the object",
	[CAIRN_COUNTER_DB_BAD_INDEX] = "Doorbells with an index behind or too far ahead",
	[CAIRN_COUNTER_DB_BAD_FORM] = "BAR2 writes that are no aligned 64-bit store or name no doorbell",
	[CAIRN_COUNTER_DMA_RD] = "Memory read requests (TLPs)",
	[CAIRN_COUNTER_DMA_RD_BYTES] = "Bytes read",
	[CAIRN_COUNTER_DMA_WR] = "Memory write requests (TLPs)",
	[CAIRN_COUNTER_DMA_WR_BYTES] = "Bytes written",
	[CAIRN_COUNTER_DMA_RD_ERR] = "Reads that ended with UR, CA or poison",
	[CAIRN_COUNTER_DMA_RD_TIMEOUT] = "Reads whose completion never came",
	[CAIRN_COUNTER_CPL_UNEXPECTED] = "Completions with no read outstanding",
	[CAIRN_COUNTER_BAR_BAD] = "BAR accesses answered UR or ignored",
	[CAIRN_COUNTER_QPC_HIT] = "QP context cache hits",
	[CAIRN_COUNTER_QPC_MISS] = "QP context cache misses",
	[CAIRN_COUNTER_QPC_WRITEBACK] = "QP context parts written back",
	[CAIRN_COUNTER_MPT_HIT] = "MR cache hits",
	[CAIRN_COUNTER_MPT_MISS] = "MR cache misses",
	[CAIRN_COUNTER_MTT_HIT] = "Page list cache hits",
	[CAIRN_COUNTER_MTT_MISS] = "Page list cache misses",
	[CAIRN_COUNTER_WQE_FETCH] = "WQE reads issued",
	[CAIRN_COUNTER_RQE_FETCH] = "Receive WQE reads issued",
	[CAIRN_COUNTER_STALL_RX] = "Cycles in which the RX front end could not pass a packet on",
	[CAIRN_COUNTER_STALL_RSP] = "Cycles in which the responder waited for a following stage",
	[CAIRN_COUNTER_STALL_CMP] = "Cycles in which the completer waited for a following stage",
	[CAIRN_COUNTER_STALL_REQ] = "Cycles in which the requester waited for a following stage",
	[CAIRN_COUNTER_STALL_TX] = "Cycles in which a packet waited for its payload",
	[CAIRN_COUNTER_STALL_DMA_WR] = "Cycles in which a posted write waited for credits",
	[CAIRN_COUNTER_STALL_DMA_RD] = "Cycles in which a read waited for a tag or credits",
	[CAIRN_COUNTER_RX_PARKED] = "Packets parked for a context, RQE or MR fill",
	[CAIRN_COUNTER_CNP_SENT] = "CNPs sent",
	[CAIRN_COUNTER_CNP_HANDLED] = "CNPs handled",
	[CAIRN_COUNTER_ECN_MARKED] = "RoCE packets received with CE",
	[CAIRN_COUNTER_CQE_COALESCED_ACK] = "Acknowledge requests answered by a later ACK",
	[CAIRN_COUNTER_RX_DUP_ACK] = "READ responses or atomic answers already taken",
	[CAIRN_COUNTER_CPU_TRAP] = "Traps taken by the management core besides interrupts",
	[CAIRN_COUNTER_DMA_WR_DROPPED] = "Memory writes not sent: bus mastering is off, or a reset came",
	[CAIRN_COUNTER_RX_UC_DROP] = "UC packets dropped: gap, opcode sequence, rights, length, key, receive buffer",
	[CAIRN_COUNTER_RX_UD_DROP] = "UD packets dropped: length, or longer than the receive buffer",
	[CAIRN_COUNTER_RX_NO_RECV] = "UC and UD packets dropped for want of a receive",
	[CAIRN_COUNTER_RX_MULTICAST] = "Dropped: multicast packet whose group no QP is attached to, or too many of them wait already",
	[CAIRN_COUNTER_SRQ_ERROR] = "SRQs that failed: bad slot number, unreadable ring, producer index beyond the ring",
	[CAIRN_COUNTER_LOCAL_OPS] = "Requester: invalidations, registrations and binds done",
	[CAIRN_COUNTER_UD_TOO_LONG] = "Requester: datagrams longer than the MTU, completed without a packet",
	[CAIRN_COUNTER_PUSH_TAKEN] = "Doorbells whose WQE came with them and needed no fetch",
	[CAIRN_COUNTER_PUSH_IGNORED] = "Doorbells in the push window whose WQE was, or is, to be fetched all the same",
	[CAIRN_COUNTER_ATOMIC_RSP_SENT] = "ATOMIC ACKNOWLEDGE packets sent",
	[CAIRN_COUNTER_RX_SRQ_WAIT] = "Responder: packets that found no slot of their SRQ on chip",
	[CAIRN_COUNTER_RESP_LOC_LEN] = "Responder: messages longer than their receive",
	[CAIRN_COUNTER_RESP_CQE_ERR] = "Error completions written, receive side, flushed ones not counted",
	[CAIRN_COUNTER_RX_ATOMIC_RSP] = "Requester: atomic answers accepted",
	[CAIRN_COUNTER_BAD_RESP] = "Requester: QPs ended by a response of the wrong kind or length",
	[CAIRN_COUNTER_TX_RSP_DROPPED] = "Responder: responses and ACKs not sent: those behind one whose payload could not be read",
	[CAIRN_COUNTER_RX_SHARE] = "Requests dropped because their QP holds its share of the receive path (counted in out_of_buffer too)",
	[CAIRN_COUNTER_MR_BAD_KEY] = "Key refused: no such region or window, wrong tag, not valid now",
	[CAIRN_COUNTER_MR_BAD_PD] = "Key refused: protection domain, or QP of a type 2 window",
	[CAIRN_COUNTER_MR_BAD_RIGHTS] = "Key refused: right missing; invalidate, bind or registration not allowed",
	[CAIRN_COUNTER_MR_BAD_BOUNDS] = "Key refused: outside the region, page list entry not valid",
	[CAIRN_COUNTER_TX_LOOP_PACKETS] = "Frames sent to ourselves, which did not go out on the wire; part of tx_packets",
	[CAIRN_COUNTER_TX_LOOP_BYTES] = "Bytes of these frames, without FCS; part of tx_bytes",
	[CAIRN_COUNTER_RX_LOOP_PACKETS] = "Frames received from ourselves, copies of multicast included; part of rx_packets",
	[CAIRN_COUNTER_RX_LOOP_BYTES] = "Bytes of these frames, without FCS; part of rx_bytes",
	[CAIRN_COUNTER_RX_OVERRUN] = "Frames of the wire dropped in front of the receive path, not part of rx_packets: the wire brought more than it takes, and a looped frame had its turn",
	[CAIRN_COUNTER_CQ_CROWDED] = "Times a full CQ held its share of waiting completions, and its QPs began to wait",
	[CAIRN_COUNTER_NET_USED] = "Frames that firmware answered or learned from",
	[CAIRN_COUNTER_NET_IGNORED] = "Firmware had no use for: other protocols and types, not to or about an address of ours or a neighbour",
	[CAIRN_COUNTER_NET_INVALID] = "Dropped by firmware: checksum, length, code, hop limit, option or address that the protocol forbids",
	[CAIRN_COUNTER_NET_BAD_SOURCE] = "Dropped by firmware: from an address, or a MAC, that no host can have",
	[CAIRN_COUNTER_NET_UNSOLICITED] = "Not believed: from a host that was not asked, or nothing that may change what is known",
	[CAIRN_COUNTER_NET_CONFLICT] = "Frames of another host that uses an address of ours",
};

/* Those that each QP has too */
static const _Bool cairn_counter_of_qp[CAIRN_COUNTERS] __attribute__((unused)) = {
	[CAIRN_COUNTER_RX_NO_BUFFER] = 1,
	[CAIRN_COUNTER_RX_QP_STATE] = 1,
	[CAIRN_COUNTER_RX_BAD_ADDR] = 1,
	[CAIRN_COUNTER_RX_BAD_PKEY] = 1,
	[CAIRN_COUNTER_RX_BAD_QKEY] = 1,
	[CAIRN_COUNTER_DUPLICATE_REQUEST] = 1,
	[CAIRN_COUNTER_OUT_OF_SEQUENCE] = 1,
	[CAIRN_COUNTER_RNR_NAK_SENT] = 1,
	[CAIRN_COUNTER_SEQ_NAK_SENT] = 1,
	[CAIRN_COUNTER_RESP_INV_REQ] = 1,
	[CAIRN_COUNTER_RESP_ACCESS_ERR] = 1,
	[CAIRN_COUNTER_RESP_OP_ERR] = 1,
	[CAIRN_COUNTER_PACKET_SEQ_ERR] = 1,
	[CAIRN_COUNTER_RNR_NAK_RCVD] = 1,
	[CAIRN_COUNTER_IMPLIED_NAK] = 1,
	[CAIRN_COUNTER_ACK_TIMEOUT] = 1,
	[CAIRN_COUNTER_REQ_REM_INV] = 1,
	[CAIRN_COUNTER_REQ_REM_ACCESS] = 1,
	[CAIRN_COUNTER_REQ_REM_OP] = 1,
	[CAIRN_COUNTER_RETRY_EXC] = 1,
	[CAIRN_COUNTER_RNR_EXC] = 1,
	[CAIRN_COUNTER_RX_GHOST_ACK] = 1,
	[CAIRN_COUNTER_RETX_PACKETS] = 1,
	[CAIRN_COUNTER_GO_BACKS] = 1,
	[CAIRN_COUNTER_TX_STALE] = 1,
	[CAIRN_COUNTER_LOC_PROT_ERR] = 1,
	[CAIRN_COUNTER_LOC_OP_ERR] = 1,
	[CAIRN_COUNTER_RX_DUP_ACK] = 1,
	[CAIRN_COUNTER_RX_UC_DROP] = 1,
	[CAIRN_COUNTER_RX_UD_DROP] = 1,
	[CAIRN_COUNTER_RX_NO_RECV] = 1,
	[CAIRN_COUNTER_UD_TOO_LONG] = 1,
	[CAIRN_COUNTER_RESP_LOC_LEN] = 1,
	[CAIRN_COUNTER_BAD_RESP] = 1,
	[CAIRN_COUNTER_TX_RSP_DROPPED] = 1,
};

#endif
