// SPDX-License-Identifier: Apache-2.0
// Registers, queue entries, context records and commands.  Generated from rtl/hw/hw.def by hwgen (make hw): do not edit.
//
// Names, always used as cairn_hw_pkg::<name>:
//   CONST      <NAME>                       int unsigned (logic [63:0] when it needs more)
//   REG        REG_<NAME>                   offset in BAR0; fields REG_<NAME>_<FIELD>_LSB and _W
//   ENUM       <name>_t                     plain vector; values <NAME>_<VALUE> of that width
//   STRUCT     <name>_t, <NAME>_W           packed struct, byte 0 in bits 7:0; members <word> or, where the word has
//                                           fields, <word>_<field> (or <field>, if the word is called so); gapN are unused and zero
//              <NAME>_<WORD>_LSB, _W, <NAME>_<WORD>_<FIELD>_LSB, _W    places in the struct as a vector
//   RECORD, BUNDLE  <name>_t, <NAME>_W      packed struct, first member in the top bits
//   HDR        <name>_t, <NAME>_W, _BYTES   packed struct, first byte on the wire in the top bits; members <field>
//              <NAME>_<FIELD>_LSB, _W       places in the struct as a vector
//   OPFLAG     OPF_<NAME>                   bit number in opcode_flags(); OPF_W wide
//   OPCODE     OPCODE_<NAME>                logic [7:0]; opcode_flags(), opcode_ext(), opcode_ext_bytes()
//   WQE_OP     WQE_OP_<NAME>                a value of wqe_op_t; wqe_info() of type wqe_info_t, bth_opcode()
//   COUNTER    COUNTER_<NAME>               index; COUNTERS is their number
//   SOURCE     <name>_events_t, <NAME>_EVENTS_W   packed struct, first member in the top bits; counter_events(),
//                                           counter_bytes(), qp_<bank>_strobes() and _qpns() of the outermost one
// A member whose name is a keyword of the language ends in an underscore (type_).
package cairn_hw_pkg;

  localparam int unsigned CONTRACT_MAGIC = 32'hca12;  // REG ID.MAGIC of every Cairn device
  localparam int unsigned CONTRACT_VERSION = 32'h5;  // REG ID.VERSION; driver and firmware refuse any other value
  localparam int unsigned PCI_VENDOR = 32'h1234;  // PCI vendor id
  localparam int unsigned PCI_DEVICE = 32'h4791;  // PCI device id (the RoCE v2 UDP port)
  localparam int unsigned PCI_CLASS = 32'h20700;  // PCI class code: network controller, InfiniBand
  localparam int unsigned BAR0_BYTES = 32'h10000;  // BAR0: registers, MSI-X table and PBA
  localparam int unsigned MSIX_VECTORS = 32'h20;  // MSI-X vectors
  localparam int unsigned MSIX_TABLE_OFFSET = 32'h8000;  // MSI-X table in BAR0, 16 bytes a vector
  localparam int unsigned MSIX_PBA_OFFSET = 32'ha000;  // MSI-X pending bit array in BAR0
  localparam int unsigned COUNTER_OFFSET = 32'h4000;  // 64-bit counters in BAR0, 8 bytes each, index from the COUNTER rows
  localparam int unsigned QP_COUNTER_OFFSET = 32'h4400;  // Counters of the QP that QP_SELECT names, 8 bytes each, index from the QP_COUNTER rows, 32 bits that stay at their end; all others read 0
  localparam int unsigned QP_COUNTER_TOOLS = 32'h4800;  // The same of the QP that QP_SELECT_TOOLS names, for tools that watch a device of another program
  localparam int unsigned QP_COUNTER_NEXT = 32'h7f;  // Index in either window: number of the first QP at or behind the selected one with a counter that is not 0; all ones: there is none
  localparam int unsigned COUNTER_COUNT = 32'h80;  // Size of the counter block in entries
  localparam int unsigned DB_PAGE_BYTES = 32'h1000;  // One doorbell page in BAR2; each process maps its own
  localparam int unsigned DB_PAGES = 32'h100;  // Doorbell pages in BAR2 (1 MiB)
  localparam int unsigned DB_SQ = 32'h0;  // Offset of the send queue doorbell in a page
  localparam int unsigned DB_RQ = 32'h8;  // Offset of the receive queue doorbell
  localparam int unsigned DB_SRQ = 32'h10;  // Offset of the shared receive queue doorbell
  localparam int unsigned DB_CQ_ARM = 32'h18;  // Offset of the CQ arm doorbell
  localparam int unsigned DB_EQ = 32'h20;  // Offset of the EQ consumer index doorbell
  localparam int unsigned DB_PUSH = 32'h800;  // Offset of the 64-byte push window
  localparam int unsigned SQ_BLOCK_BYTES = 32'h40;  // Send queue indices count blocks of this size
  localparam int unsigned SGE_BYTES = 32'h10;  // Size of a scatter/gather element; the unit of RQ strides
  localparam int unsigned CQE_BYTES = 32'h20;  // Size of a completion queue entry
  localparam int unsigned EQE_BYTES = 32'h10;  // Size of an event queue entry
  localparam int unsigned CMD_BYTES = 32'h40;  // Size of a command
  localparam int unsigned CMD_SLOT_BYTES = 32'h100;  // A slot of the command ring: the command, its buffer, and room
  localparam int unsigned CMD_BUFFER_BYTES = 32'h80;  // Buffer of a command, right behind it in the slot: input or output
  localparam int unsigned CMD_CPL_BYTES = 32'h10;  // Size of a command completion
  localparam int unsigned QP_HOT_BYTES = 32'h100;  // QP hot record: cfg, req, cmp, rsp parts of 64 bytes
  localparam int unsigned QP_PART_BYTES = 32'h40;  // One part of the QP hot record
  localparam int unsigned RSP_RES_BYTES = 32'h20;  // One responder resource
  localparam int unsigned RSP_RES_PER_QP = 32'h10;  // Responder resources of a QP, contiguous
  localparam int unsigned MAX_RING_LOG2 = 32'hf;  // Largest ring: 32 Ki entries
  localparam int unsigned MAX_SGE = 32'h10;  // Scatter/gather elements per send or receive WQE
  localparam int unsigned MAX_INLINE = 32'he0;  // Inline bytes: 32 in the first block, 64 in each of three more
  localparam int unsigned MAX_WQE_BLOCKS = 32'h5;  // Blocks of the longest send WQE (2 + 4 x 4 elements)
  localparam int unsigned MAX_MSG_BYTES = 32'h80000000;  // Longest message, 2^31 bytes
  localparam int unsigned MAX_OUTSTANDING_PSN = 32'h8000;  // The requester stops before it has this many PSNs outstanding
  localparam int unsigned MAX_RD_ATOMIC = 32'h10;  // Outstanding READ/atomic each way, upper limit of the layouts
  localparam int unsigned ATOMIC_PLACE_LOG2 = 32'h15;  // Two device addresses of one memory agree in this many low bits, if atomics may come through both
  localparam int unsigned CPU_RAM_BYTES = 32'h20000;  // RAM of the management core, firmware image included
  localparam int unsigned FW_MAGIC = 32'h57464143;  // First word of a firmware image header, 'CAFW'

  localparam logic [15:0] REG_ID = 16'h0000;  // RO, 32 bit: Device identity
  localparam int unsigned REG_ID_MAGIC_LSB = 16;
  localparam int unsigned REG_ID_MAGIC_W = 16;
  localparam int unsigned REG_ID_VERSION_LSB = 0;
  localparam int unsigned REG_ID_VERSION_W = 16;

  localparam logic [15:0] REG_BUILD = 16'h0004;  // RO, 32 bit: What this bitstream or model was built with
  localparam int unsigned REG_BUILD_DATA_W_LOG2_LSB = 0;
  localparam int unsigned REG_BUILD_DATA_W_LOG2_W = 4;
  localparam int unsigned REG_BUILD_QPS_LOG2_LSB = 4;
  localparam int unsigned REG_BUILD_QPS_LOG2_W = 5;
  localparam int unsigned REG_BUILD_CQS_LOG2_LSB = 9;
  localparam int unsigned REG_BUILD_CQS_LOG2_W = 5;
  localparam int unsigned REG_BUILD_SRQS_LOG2_LSB = 14;
  localparam int unsigned REG_BUILD_SRQS_LOG2_W = 5;
  localparam int unsigned REG_BUILD_QP_CACHE_LOG2_LSB = 19;
  localparam int unsigned REG_BUILD_QP_CACHE_LOG2_W = 5;
  localparam int unsigned REG_BUILD_CLK_PERIOD_NS_LSB = 24;
  localparam int unsigned REG_BUILD_CLK_PERIOD_NS_W = 5;

  localparam logic [15:0] REG_FEATURES = 16'h0008;  // RO, 32 bit: Features present in this build; refused by firmware when absent
  localparam int unsigned REG_FEATURES_RC_LSB = 0;
  localparam int unsigned REG_FEATURES_RC_W = 1;
  localparam int unsigned REG_FEATURES_UC_LSB = 1;
  localparam int unsigned REG_FEATURES_UC_W = 1;
  localparam int unsigned REG_FEATURES_UD_LSB = 2;
  localparam int unsigned REG_FEATURES_UD_W = 1;
  localparam int unsigned REG_FEATURES_ATOMIC_LSB = 3;
  localparam int unsigned REG_FEATURES_ATOMIC_W = 1;
  localparam int unsigned REG_FEATURES_SRQ_LSB = 4;
  localparam int unsigned REG_FEATURES_SRQ_W = 1;
  localparam int unsigned REG_FEATURES_MW_LSB = 5;
  localparam int unsigned REG_FEATURES_MW_W = 1;
  localparam int unsigned REG_FEATURES_PUSH_LSB = 6;
  localparam int unsigned REG_FEATURES_PUSH_W = 1;
  localparam int unsigned REG_FEATURES_IPV6_LSB = 7;
  localparam int unsigned REG_FEATURES_IPV6_W = 1;
  localparam int unsigned REG_FEATURES_VLAN_LSB = 8;
  localparam int unsigned REG_FEATURES_VLAN_W = 1;
  localparam int unsigned REG_FEATURES_QP_COUNTERS_LSB = 9;
  localparam int unsigned REG_FEATURES_QP_COUNTERS_W = 1;
  localparam int unsigned REG_FEATURES_LOOP_LSB = 10;
  localparam int unsigned REG_FEATURES_LOOP_W = 1;
  localparam int unsigned REG_FEATURES_MCAST_LSB = 11;
  localparam int unsigned REG_FEATURES_MCAST_W = 1;

  localparam logic [15:0] REG_STATUS = 16'h000c;  // RO, 32 bit: Device state
  localparam int unsigned REG_STATUS_FW_READY_LSB = 0;
  localparam int unsigned REG_STATUS_FW_READY_W = 1;
  localparam int unsigned REG_STATUS_FW_BAD_LSB = 1;
  localparam int unsigned REG_STATUS_FW_BAD_W = 1;
  localparam int unsigned REG_STATUS_LINK_UP_LSB = 2;
  localparam int unsigned REG_STATUS_LINK_UP_W = 1;
  localparam int unsigned REG_STATUS_IDLE_LSB = 3;
  localparam int unsigned REG_STATUS_IDLE_W = 1;
  localparam int unsigned REG_STATUS_FATAL_LSB = 4;
  localparam int unsigned REG_STATUS_FATAL_W = 1;
  localparam int unsigned REG_STATUS_IN_RESET_LSB = 5;
  localparam int unsigned REG_STATUS_IN_RESET_W = 1;
  localparam int unsigned REG_STATUS_FW_UNREAD_LSB = 6;
  localparam int unsigned REG_STATUS_FW_UNREAD_W = 1;

  localparam logic [15:0] REG_CTRL = 16'h0010;  // RW, 32 bit: Device control
  localparam int unsigned REG_CTRL_CPU_RUN_LSB = 0;
  localparam int unsigned REG_CTRL_CPU_RUN_W = 1;
  localparam int unsigned REG_CTRL_FN_RESET_LSB = 1;
  localparam int unsigned REG_CTRL_FN_RESET_W = 1;

  localparam logic [15:0] REG_TIME = 16'h0018;  // RO, 64 bit: Device time in ns (time_now)

  localparam logic [15:0] REG_FW_BASE = 16'h0020;  // RW, 64 bit: IOVA of the firmware image (what is behind struct fw_header), multiple of 4: it goes to address 0 of the management core's RAM

  localparam logic [15:0] REG_FW_LEN = 16'h0028;  // RW, 32 bit: Its length in bytes, multiple of 4

  localparam logic [15:0] REG_FW_CRC = 16'h002c;  // RW, 32 bit: Its CRC-32 (IEEE)

  localparam logic [15:0] REG_FW_SCRATCH = 16'h0030;  // RO, 32 bit: Firmware status word: version in 31:16, last fatal cause in 15:0

  localparam logic [15:0] REG_CMDQ_BASE = 16'h0040;  // RW, 64 bit: IOVA of the command ring, CMD_SLOT_BYTES an entry and aligned to that

  localparam logic [15:0] REG_CMDQ_CPL_BASE = 16'h0048;  // RW, 64 bit: IOVA of the command completion ring, 16-byte entries

  localparam logic [15:0] REG_CMDQ_SIZE = 16'h0050;  // RW, 32 bit: Command queue set-up
  localparam int unsigned REG_CMDQ_SIZE_LOG2_LSB = 0;
  localparam int unsigned REG_CMDQ_SIZE_LOG2_W = 4;
  localparam int unsigned REG_CMDQ_SIZE_VECTOR_LSB = 8;
  localparam int unsigned REG_CMDQ_SIZE_VECTOR_W = 5;
  localparam int unsigned REG_CMDQ_SIZE_IRQ_EN_LSB = 16;
  localparam int unsigned REG_CMDQ_SIZE_IRQ_EN_W = 1;

  localparam logic [15:0] REG_CMDQ_DB = 16'h0054;  // RW, 32 bit: Producer index of the command ring, free-running 16 bit; a write rings the firmware

  localparam logic [15:0] REG_CMDQ_ENABLE = 16'h0058;  // RW, 32 bit: 1: firmware takes the ring set-up and starts at index 0 and phase 1; 0: stops

  localparam logic [15:0] REG_LOG_BASE = 16'h0060;  // RW, 64 bit: IOVA of the log ring (struct log_entry, LOG2 entries); 0 = no log

  localparam logic [15:0] REG_LOG_SIZE = 16'h0068;  // RW, 32 bit: log2 of the log ring's entries

  localparam logic [15:0] REG_MAC_ADDR = 16'h0070;  // RO, 64 bit: Port MAC address, first wire byte in bits 47:40

  localparam logic [15:0] REG_PORT = 16'h0078;  // RO, 32 bit: Port facts from the MAC
  localparam int unsigned REG_PORT_ETH_MTU_LSB = 0;
  localparam int unsigned REG_PORT_ETH_MTU_W = 16;
  localparam int unsigned REG_PORT_GBPS_LSB = 16;
  localparam int unsigned REG_PORT_GBPS_W = 16;

  localparam logic [15:0] REG_PCIE = 16'h007c;  // RO, 32 bit: Limits in force, from the root complex or hard block
  localparam int unsigned REG_PCIE_MPS_LSB = 0;
  localparam int unsigned REG_PCIE_MPS_W = 3;
  localparam int unsigned REG_PCIE_MRRS_LSB = 4;
  localparam int unsigned REG_PCIE_MRRS_W = 3;
  localparam int unsigned REG_PCIE_BME_LSB = 8;
  localparam int unsigned REG_PCIE_BME_W = 1;

  localparam logic [15:0] REG_QP_SELECT = 16'h0080;  // RW, 32 bit: QPN whose counters stand at QP_COUNTER_OFFSET

  localparam logic [15:0] REG_QP_SELECT_TOOLS = 16'h0084;  // RW, 32 bit: QPN whose counters stand at QP_COUNTER_TOOLS

  localparam logic [15:0] REG_SIZES = 16'h0088;  // RO, 32 bit: How much of what can be counted this build has
  localparam int unsigned REG_SIZES_GIDS_LSB = 0;
  localparam int unsigned REG_SIZES_GIDS_W = 5;
  localparam int unsigned REG_SIZES_GROUPS_LSB = 8;
  localparam int unsigned REG_SIZES_GROUPS_W = 5;
  localparam int unsigned REG_SIZES_EQS_LSB = 16;
  localparam int unsigned REG_SIZES_EQS_W = 6;
  localparam int unsigned REG_SIZES_MRS_LOG2_LSB = 24;
  localparam int unsigned REG_SIZES_MRS_LOG2_W = 5;

  localparam int unsigned MMIO_MBX = 32'h80000000;  // cmd_mailbox: command ring registers as firmware sees them
  localparam int unsigned MMIO_CTX = 32'h80010000;  // Context port
  localparam int unsigned MMIO_DMA = 32'h80020000;  // Firmware DMA port
  localparam int unsigned MMIO_RAW = 32'h80030000;  // Raw frame receive and transmit buffers
  localparam int unsigned MMIO_DEV = 32'h80040000;  // Device: GID table, tables' bases, fence, doorbell RAM, counters
  localparam int unsigned MMIO_EQ = 32'h80050000;  // EQ set-up and event injection
  localparam int unsigned MMIO_UART_TX = 32'h800e0000;  // Console inside rtl/cpu: write sends a byte; reads 1 when one is accepted at once
  localparam int unsigned MMIO_MTIME = 32'h800f0000;  // Timer inside rtl/cpu: time_now in ns, 64 bit, read only
  localparam int unsigned MMIO_MTIMECMP = 32'h800f0008;  // Timer inside rtl/cpu: interrupt while time_now >= this, 64 bit

  localparam logic [15:0] REG_MBX_IRQ = 16'h1000;  // W1C, 32 bit: MMIO_MBX: causes of IRQ_CMD; the line is up while any is set
  localparam int unsigned REG_MBX_IRQ_DB_LSB = 0;
  localparam int unsigned REG_MBX_IRQ_DB_W = 1;
  localparam int unsigned REG_MBX_IRQ_ENABLE_LSB = 1;
  localparam int unsigned REG_MBX_IRQ_ENABLE_W = 1;

  localparam logic [15:0] REG_MBX_ENABLE = 16'h1004;  // RO, 32 bit: CMDQ_ENABLE as the host left it

  localparam logic [15:0] REG_MBX_CMD_BASE = 16'h1008;  // RO, 64 bit: CMDQ_BASE

  localparam logic [15:0] REG_MBX_CPL_BASE = 16'h1010;  // RO, 64 bit: CMDQ_CPL_BASE

  localparam logic [15:0] REG_MBX_SIZE = 16'h1018;  // RO, 32 bit: CMDQ_SIZE, same fields

  localparam logic [15:0] REG_MBX_DB = 16'h101c;  // RO, 32 bit: CMDQ_DB, bits 15:0

  localparam logic [15:0] REG_MBX_LOG_BASE = 16'h1020;  // RO, 64 bit: LOG_BASE

  localparam logic [15:0] REG_MBX_LOG_SIZE = 16'h1028;  // RO, 32 bit: LOG_SIZE

  localparam logic [15:0] REG_MBX_STATE = 16'h102c;  // RW, 32 bit: What STATUS shows of firmware; cleared while the core is held
  localparam int unsigned REG_MBX_STATE_READY_LSB = 0;
  localparam int unsigned REG_MBX_STATE_READY_W = 1;
  localparam int unsigned REG_MBX_STATE_FATAL_LSB = 1;
  localparam int unsigned REG_MBX_STATE_FATAL_W = 1;

  localparam logic [15:0] REG_MBX_SCRATCH = 16'h1030;  // RW, 32 bit: FW_SCRATCH

  localparam logic [15:0] REG_MBX_MSIX = 16'h1034;  // WO, 32 bit: Raise a vector after all DMA operations started before
  localparam int unsigned REG_MBX_MSIX_VECTOR_LSB = 0;
  localparam int unsigned REG_MBX_MSIX_VECTOR_W = 5;

  localparam int unsigned FW_DMA_SLOTS = 32'h8;  // Firmware DMA operations that may be under way

  localparam logic [15:0] REG_DMA_IOVA = 16'h1100;  // RW, 64 bit: MMIO_DMA: host address of the next operation, multiple of 4

  localparam logic [15:0] REG_DMA_LEN = 16'h1108;  // RW, 32 bit: Bytes, 4 to 4096, multiple of 4

  localparam logic [15:0] REG_DMA_RAM = 16'h110c;  // RW, 32 bit: Address of the first byte in the core's RAM, multiple of 4; IOVA, LEN and RAM keep their values

  localparam logic [15:0] REG_DMA_START = 16'h1110;  // WO, 32 bit: Start an operation. Operations begin in order; writes and vectors leave in order, reads end in order
  localparam int unsigned REG_DMA_START_SLOT_LSB = 0;
  localparam int unsigned REG_DMA_START_SLOT_W = 3;
  localparam int unsigned REG_DMA_START_WRITE_LSB = 8;
  localparam int unsigned REG_DMA_START_WRITE_W = 1;
  localparam int unsigned REG_DMA_START_QUIET_LSB = 9;
  localparam int unsigned REG_DMA_START_QUIET_W = 1;
  localparam int unsigned REG_DMA_START_MSIX_LSB = 10;
  localparam int unsigned REG_DMA_START_MSIX_W = 1;
  localparam int unsigned REG_DMA_START_VECTOR_LSB = 16;
  localparam int unsigned REG_DMA_START_VECTOR_W = 5;

  localparam logic [15:0] REG_DMA_BUSY = 16'h1114;  // RO, 32 bit: Bit per slot: started and not finished. A write is finished when the ordered stream has taken it

  localparam logic [15:0] REG_DMA_DONE = 16'h1118;  // W1C, 32 bit: Finished; IRQ_DMA is up while any slot is
  localparam int unsigned REG_DMA_DONE_DONE_LSB = 0;
  localparam int unsigned REG_DMA_DONE_DONE_W = 8;
  localparam int unsigned REG_DMA_DONE_ERR_LSB = 8;
  localparam int unsigned REG_DMA_DONE_ERR_W = 8;

  localparam logic [15:0] REG_RAW_RX = 16'h1200;  // RO, 32 bit: MMIO_RAW: oldest frame received; IRQ_RAW is up while VALID
  localparam int unsigned REG_RAW_RX_LEN_LSB = 0;
  localparam int unsigned REG_RAW_RX_LEN_W = 12;
  localparam int unsigned REG_RAW_RX_ANSWER_LSB = 30;
  localparam int unsigned REG_RAW_RX_ANSWER_W = 1;
  localparam int unsigned REG_RAW_RX_VALID_LSB = 31;
  localparam int unsigned REG_RAW_RX_VALID_W = 1;

  localparam logic [15:0] REG_RAW_RX_POP = 16'h1204;  // WO, 32 bit: Any write gives the oldest frame's buffer back, and counts what became of it
  localparam int unsigned REG_RAW_RX_POP_OUTCOME_LSB = 0;
  localparam int unsigned REG_RAW_RX_POP_OUTCOME_W = 3;

  // What firmware made of a raw frame, in the order of the NET counters
  typedef logic [2:0] net_outcome_t;
  localparam logic [2:0] NET_OUTCOME_USED = 3'd0;
  localparam logic [2:0] NET_OUTCOME_IGNORED = 3'd1;
  localparam logic [2:0] NET_OUTCOME_INVALID = 3'd2;
  localparam logic [2:0] NET_OUTCOME_BAD_SOURCE = 3'd3;
  localparam logic [2:0] NET_OUTCOME_UNSOLICITED = 3'd4;
  localparam logic [2:0] NET_OUTCOME_CONFLICT = 3'd5;

  localparam logic [15:0] REG_RAW_TX = 16'h1208;  // RW, 32 bit: Send the frame in RAW_TX_BUFFER; write only while not BUSY
  localparam int unsigned REG_RAW_TX_LEN_LSB = 0;
  localparam int unsigned REG_RAW_TX_LEN_W = 12;
  localparam int unsigned REG_RAW_TX_BUSY_LSB = 31;
  localparam int unsigned REG_RAW_TX_BUSY_W = 1;

  localparam logic [15:0] REG_RAW_AWAIT_KEY = 16'h120c;  // RW, 32 bit: IPv4 address, or the last four bytes of an IPv6 address, first wire byte on top, for the next RAW_AWAIT

  localparam logic [15:0] REG_RAW_AWAIT = 16'h1210;  // WO, 32 bit: Keep a place for the ARP reply from that address, or the advertisement of it, until one has come: to us, in VLAN VID, at most RAW_ANSWER_BYTES long
  localparam int unsigned REG_RAW_AWAIT_INDEX_LSB = 0;
  localparam int unsigned REG_RAW_AWAIT_INDEX_W = 3;
  localparam int unsigned REG_RAW_AWAIT_VID_LSB = 4;
  localparam int unsigned REG_RAW_AWAIT_VID_W = 12;
  localparam int unsigned REG_RAW_AWAIT_IPV6_LSB = 30;
  localparam int unsigned REG_RAW_AWAIT_IPV6_W = 1;
  localparam int unsigned REG_RAW_AWAIT_VALID_LSB = 31;
  localparam int unsigned REG_RAW_AWAIT_VALID_W = 1;

  localparam int unsigned NET_OUTCOMES = 32'h6;  // Values of enum net_outcome
  localparam int unsigned RAW_ANSWERS = 32'h8;  // Answers that may be awaited
  localparam int unsigned RAW_ANSWER_BYTES = 32'h80;  // Longest frame that takes one of their places
  localparam int unsigned RAW_RX_BUFFER = 32'h4000;  // Offset in MMIO_RAW of the oldest frame received, byte 0 first, 32-bit accesses
  localparam int unsigned RAW_TX_BUFFER = 32'h5000;  // Offset in MMIO_RAW of the frame to send
  localparam int unsigned RAW_FRAME_BYTES = 32'h800;  // Longest raw frame; longer ones are dropped and counted

  // Operation of the context port
  typedef logic [2:0] ctx_op_t;
  localparam logic [2:0] CTX_OP_INIT = 3'd0;  // Make a new record: the parts in order, each with all of CTX_DATA; the record exists after the last. CTX_MASK is all ones from then on, until one of its words is written
  localparam logic [2:0] CTX_OP_MODIFY = 3'd1;  // Write the bits of CTX_MASK of one part; CTX_DATA then holds the whole part. CQ: REFUSED when the entries past ci do not fit in LOG2
  localparam logic [2:0] CTX_OP_READ = 3'd2;  // Read one part into CTX_DATA
  localparam logic [2:0] CTX_OP_EVICT = 3'd3;  // Write back and drop; waits until nothing uses the record
  localparam logic [2:0] CTX_OP_DROP = 3'd4;  // Drop without writing back; waits until nothing uses the record. MTT: CTX_DATA word 0 lines from CTX_KEY on

  // Result of a context port operation
  typedef logic [2:0] ctx_result_t;
  localparam logic [2:0] CTX_RESULT_OK = 3'd0;
  localparam logic [2:0] CTX_RESULT_WAITING = 3'd1;  // Not a result: the record is being read
  localparam logic [2:0] CTX_RESULT_RETRY = 3'd2;  // Not a result: tried again inside
  localparam logic [2:0] CTX_RESULT_DAMAGED = 3'd3;  // Record unreadable or wrong
  localparam logic [2:0] CTX_RESULT_FREE = 3'd4;  // No such record
  localparam logic [2:0] CTX_RESULT_REFUSED = 3'd5;  // Nothing was changed: see the operation

  localparam logic [15:0] REG_CTX_START = 16'h1300;  // WO, 32 bit: MMIO_CTX: start an operation; not while BUSY
  localparam int unsigned REG_CTX_START_OP_LSB = 0;
  localparam int unsigned REG_CTX_START_OP_W = 3;
  localparam int unsigned REG_CTX_START_TABLE_LSB = 4;
  localparam int unsigned REG_CTX_START_TABLE_W = 3;
  localparam int unsigned REG_CTX_START_PART_LSB = 8;
  localparam int unsigned REG_CTX_START_PART_W = 2;

  localparam logic [15:0] REG_CTX_KEY = 16'h1304;  // RW, 32 bit: Number of the record: QPN, CQN, MPT index, MTT line (entry / 8), RSP_RES: QPN << 3 | line

  localparam logic [15:0] REG_CTX_STATUS = 16'h1308;  // W1C, 32 bit: State of the port
  localparam int unsigned REG_CTX_STATUS_BUSY_LSB = 0;
  localparam int unsigned REG_CTX_STATUS_BUSY_W = 1;
  localparam int unsigned REG_CTX_STATUS_DONE_LSB = 1;
  localparam int unsigned REG_CTX_STATUS_DONE_W = 1;
  localparam int unsigned REG_CTX_STATUS_RESULT_LSB = 4;
  localparam int unsigned REG_CTX_STATUS_RESULT_W = 3;

  localparam int unsigned CTX_DATA = 32'h1340;  // Offset in MMIO_CTX of 16 data words, read and write; accesses wait while BUSY
  localparam int unsigned CTX_MASK = 32'h1380;  // Offset in MMIO_CTX of 16 mask words of MODIFY, write only; as CTX_DATA

  localparam logic [15:0] REG_DEV_CTRL = 16'h1400;  // RW, 32 bit: MMIO_DEV: the data path
  localparam int unsigned REG_DEV_CTRL_ENABLE_LSB = 0;
  localparam int unsigned REG_DEV_CTRL_ENABLE_W = 1;
  localparam int unsigned REG_DEV_CTRL_NO_LOOP_LSB = 1;
  localparam int unsigned REG_DEV_CTRL_NO_LOOP_W = 1;

  localparam logic [15:0] REG_DEV_FENCE = 16'h1404;  // WO, 32 bit: Write 1: start a fence

  localparam logic [15:0] REG_DEV_FENCE_STATUS = 16'h1408;  // W1C, 32 bit: State of the fence
  localparam int unsigned REG_DEV_FENCE_STATUS_BUSY_LSB = 0;
  localparam int unsigned REG_DEV_FENCE_STATUS_BUSY_W = 1;
  localparam int unsigned REG_DEV_FENCE_STATUS_DONE_LSB = 1;
  localparam int unsigned REG_DEV_FENCE_STATUS_DONE_W = 1;

  localparam logic [15:0] REG_DEV_FEATURES = 16'h140c;  // RO, 32 bit: As FEATURES

  localparam logic [15:0] REG_DEV_BUILD = 16'h1410;  // RO, 32 bit: As BUILD

  localparam logic [15:0] REG_DEV_PORT = 16'h1414;  // RO, 32 bit: As PORT

  localparam logic [15:0] REG_DEV_MAC = 16'h1418;  // RO, 64 bit: As MAC_ADDR

  localparam logic [15:0] REG_DEV_LINK = 16'h1420;  // W1C, 32 bit: Link
  localparam int unsigned REG_DEV_LINK_UP_LSB = 0;
  localparam int unsigned REG_DEV_LINK_UP_W = 1;
  localparam int unsigned REG_DEV_LINK_CHANGED_LSB = 1;
  localparam int unsigned REG_DEV_LINK_CHANGED_W = 1;

  localparam logic [15:0] REG_DEV_TABLE_BASE = 16'h1428;  // RW, 64 bit: IOVA for the next DEV_TABLE write

  localparam logic [15:0] REG_DEV_TABLE = 16'h1430;  // WO, 32 bit: Set or close a table
  localparam int unsigned REG_DEV_TABLE_TABLE_LSB = 0;
  localparam int unsigned REG_DEV_TABLE_TABLE_W = 4;
  localparam int unsigned REG_DEV_TABLE_LOG2_LSB = 8;
  localparam int unsigned REG_DEV_TABLE_LOG2_W = 5;
  localparam int unsigned REG_DEV_TABLE_VALID_LSB = 31;
  localparam int unsigned REG_DEV_TABLE_VALID_W = 1;

  localparam logic [15:0] REG_DEV_GID = 16'h1434;  // WO, 32 bit: Write GID table entry INDEX from DEV_GID_DATA
  localparam int unsigned REG_DEV_GID_INDEX_LSB = 0;
  localparam int unsigned REG_DEV_GID_INDEX_W = 4;
  localparam int unsigned REG_DEV_GID_VALID_LSB = 4;
  localparam int unsigned REG_DEV_GID_VALID_W = 1;
  localparam int unsigned REG_DEV_GID_IPV6_LSB = 5;
  localparam int unsigned REG_DEV_GID_IPV6_W = 1;
  localparam int unsigned REG_DEV_GID_VLAN_LSB = 6;
  localparam int unsigned REG_DEV_GID_VLAN_W = 1;
  localparam int unsigned REG_DEV_GID_VID_LSB = 16;
  localparam int unsigned REG_DEV_GID_VID_W = 12;

  localparam logic [15:0] REG_DEV_GROUP = 16'h1438;  // WO, 32 bit: Write multicast group INDEX from DEV_GID_DATA (IPv4 groups mapped as GIDs are)
  localparam int unsigned REG_DEV_GROUP_INDEX_LSB = 0;
  localparam int unsigned REG_DEV_GROUP_INDEX_W = 4;
  localparam int unsigned REG_DEV_GROUP_VALID_LSB = 4;
  localparam int unsigned REG_DEV_GROUP_VALID_W = 1;

  localparam logic [15:0] REG_DEV_MEMBER = 16'h143c;  // WO, 32 bit: Write a member of a multicast group; spoils DEV_GID_DATA
  localparam int unsigned REG_DEV_MEMBER_INDEX_LSB = 0;
  localparam int unsigned REG_DEV_MEMBER_INDEX_W = 7;
  localparam int unsigned REG_DEV_MEMBER_VALID_LSB = 7;
  localparam int unsigned REG_DEV_MEMBER_VALID_W = 1;
  localparam int unsigned REG_DEV_MEMBER_QPN_LSB = 8;
  localparam int unsigned REG_DEV_MEMBER_QPN_W = 24;

  localparam int unsigned MCAST_GROUPS = 32'h10;  // Multicast groups
  localparam int unsigned MCAST_MEMBERS = 32'h8;  // QPs of a group
  localparam int unsigned DEV_GID_DATA = 32'h1440;  // Offset in MMIO_DEV of the 16 GID bytes, wire order, byte 0 first; write only

  // Doorbell tables
  typedef logic [2:0] db_table_t;
  localparam logic [2:0] DB_TABLE_SQ = 3'd0;
  localparam logic [2:0] DB_TABLE_RQ = 3'd1;
  localparam logic [2:0] DB_TABLE_SRQ = 3'd2;
  localparam logic [2:0] DB_TABLE_CQ = 3'd3;
  localparam logic [2:0] DB_TABLE_EQ = 3'd4;

  // Operation on a doorbell entry
  typedef logic [1:0] db_op_t;
  localparam logic [1:0] DB_OP_OPEN = 2'd0;  // Valid, owned by PAGE, index 0, not in error
  localparam logic [1:0] DB_OP_CLOSE = 2'd1;  // Not valid
  localparam logic [1:0] DB_OP_ERROR = 2'd2;  // PAGE 0: from now on a doorbell kicks the flush; PAGE 1: no longer; PAGE 2 (SQ): as 0, and nothing of it leaves any more, until OPEN
  localparam logic [1:0] DB_OP_READ = 2'd3;  // Index to DEV_DB_INDEX

  localparam logic [15:0] REG_DEV_DB_NUMBER = 16'h1450;  // RW, 32 bit: Number for DEV_DB and DEV_KICK

  localparam logic [15:0] REG_DEV_DB = 16'h1454;  // WO, 32 bit: Operation on one doorbell entry; done at once
  localparam int unsigned REG_DEV_DB_KIND_LSB = 0;
  localparam int unsigned REG_DEV_DB_KIND_W = 3;
  localparam int unsigned REG_DEV_DB_OP_LSB = 4;
  localparam int unsigned REG_DEV_DB_OP_W = 2;
  localparam int unsigned REG_DEV_DB_PAGE_LSB = 8;
  localparam int unsigned REG_DEV_DB_PAGE_W = 8;
  localparam int unsigned REG_DEV_DB_GEN_LSB = 16;
  localparam int unsigned REG_DEV_DB_GEN_W = 8;

  localparam logic [15:0] REG_DEV_DB_INDEX = 16'h1458;  // RO, 32 bit: Producer index that the last READ found

  // Who is kicked
  typedef logic [1:0] kick_t;
  localparam logic [1:0] KICK_SCHED = 2'd0;  // qp_scheduler
  localparam logic [1:0] KICK_CMP = 2'd1;  // cmp_retire: look at the send queue, flush if in error
  localparam logic [1:0] KICK_RSP = 2'd2;  // rsp_flush: flush the receive queue

  localparam logic [15:0] REG_DEV_KICK = 16'h145c;  // WO, 32 bit: Kick QP DEV_DB_NUMBER
  localparam int unsigned REG_DEV_KICK_WHO_LSB = 0;
  localparam int unsigned REG_DEV_KICK_WHO_W = 2;

  // What the data path reports to firmware
  typedef logic [3:0] dev_event_t;
  localparam logic [3:0] DEV_EVENT_CQ_ERROR = 4'd1;  // CQ NUMBER overflowed: its QPs must go to error
  localparam logic [3:0] DEV_EVENT_DB_BAD = 4'd2;  // Wrong doorbell: page in NUMBER 23:16, cause in 6:0 as the counter index
  localparam logic [3:0] DEV_EVENT_EQ_OVERFLOW = 4'd3;  // EQ NUMBER
  localparam logic [3:0] DEV_EVENT_QP_ERROR = 4'd4;  // An engine put QP NUMBER in error

  localparam logic [15:0] REG_DEV_EVENT = 16'h1460;  // RO, 32 bit: Oldest event; IRQ_EVT is up while VALID
  localparam int unsigned REG_DEV_EVENT_NUMBER_LSB = 0;
  localparam int unsigned REG_DEV_EVENT_NUMBER_W = 24;
  localparam int unsigned REG_DEV_EVENT_KIND_LSB = 24;
  localparam int unsigned REG_DEV_EVENT_KIND_W = 4;
  localparam int unsigned REG_DEV_EVENT_VALID_LSB = 31;
  localparam int unsigned REG_DEV_EVENT_VALID_W = 1;

  localparam logic [15:0] REG_DEV_EVENT_POP = 16'h1464;  // WO, 32 bit: Any write drops the oldest event; repeated events of a kind and number are merged while the queue is full

  localparam logic [15:0] REG_DEV_SIZES = 16'h1468;  // RO, 32 bit: As SIZES

  localparam logic [15:0] REG_EQ_BASE = 16'h1600;  // RW, 64 bit: MMIO_EQ: IOVA of the ring for the next EQ_SET

  localparam logic [15:0] REG_EQ_SET = 16'h1608;  // WO, 32 bit: Set up or close an EQ; indices start at 0, phase at 1
  localparam int unsigned REG_EQ_SET_EQN_LSB = 0;
  localparam int unsigned REG_EQ_SET_EQN_W = 5;
  localparam int unsigned REG_EQ_SET_LOG2_LSB = 8;
  localparam int unsigned REG_EQ_SET_LOG2_W = 4;
  localparam int unsigned REG_EQ_SET_VECTOR_LSB = 16;
  localparam int unsigned REG_EQ_SET_VECTOR_W = 5;
  localparam int unsigned REG_EQ_SET_ASYNC_LSB = 30;
  localparam int unsigned REG_EQ_SET_ASYNC_W = 1;
  localparam int unsigned REG_EQ_SET_VALID_LSB = 31;
  localparam int unsigned REG_EQ_SET_VALID_W = 1;

  localparam logic [15:0] REG_EQ_RESERVE = 16'h160c;  // WO, 32 bit: Count of CQs that need a slot in the EQ: add or remove one
  localparam int unsigned REG_EQ_RESERVE_EQN_LSB = 0;
  localparam int unsigned REG_EQ_RESERVE_EQN_W = 5;
  localparam int unsigned REG_EQ_RESERVE_REMOVE_LSB = 31;
  localparam int unsigned REG_EQ_RESERVE_REMOVE_W = 1;

  localparam logic [15:0] REG_EQ_RESERVE_STATUS = 16'h1610;  // RO, 32 bit: 1: the last EQ_RESERVE was refused, every slot is promised

  localparam logic [15:0] REG_EQ_POST_NUMBER = 16'h1614;  // RW, 32 bit: eqe.number of the next EQ_POST

  localparam logic [15:0] REG_EQ_POST_DATA = 16'h1618;  // RW, 32 bit: eqe.data of the next EQ_POST

  localparam logic [15:0] REG_EQ_POST = 16'h161c;  // WO, 32 bit: Post an event
  localparam int unsigned REG_EQ_POST_EQN_LSB = 0;
  localparam int unsigned REG_EQ_POST_EQN_W = 5;
  localparam int unsigned REG_EQ_POST_TYPE_LSB = 8;
  localparam int unsigned REG_EQ_POST_TYPE_W = 8;

  localparam int unsigned IRQ_CMD = 32'h0;  // Management core interrupt line: command doorbell or queue enable changed
  localparam int unsigned IRQ_DMA = 32'h1;  // Line: firmware DMA finished
  localparam int unsigned IRQ_CTX = 32'h2;  // Line: context port operation finished
  localparam int unsigned IRQ_RAW = 32'h3;  // Line: a raw frame waits
  localparam int unsigned IRQ_FENCE = 32'h4;  // Line: fence finished
  localparam int unsigned IRQ_LINK = 32'h5;  // Line: link state changed
  localparam int unsigned IRQ_EVT = 32'h6;  // Line: the data path reports an event to firmware (wrong doorbell page, EQ trouble)

  // Memory request, 4-DW form; the 3-DW form has addr[31:2] in DW 2
  localparam int unsigned TLP_MEM_BYTES = 16;
  localparam int unsigned TLP_MEM_W = 128;
  typedef struct packed {
    logic [2:0] fmt;
    logic [4:0] type_;
    logic t9;
    logic [2:0] tc;
    logic t8;
    logic attr2;
    logic ln;
    logic th;
    logic td;
    logic ep;
    logic [1:0] attr;
    logic [1:0] at;
    logic [9:0] length;
    logic [15:0] reqid;
    logic [7:0] tag;
    logic [3:0] lbe;
    logic [3:0] fbe;
    logic [63:0] addr;
  } tlp_mem_t;
  localparam int unsigned TLP_MEM_FMT_LSB = 125;
  localparam int unsigned TLP_MEM_FMT_W = 3;
  localparam int unsigned TLP_MEM_TYPE_LSB = 120;
  localparam int unsigned TLP_MEM_TYPE_W = 5;
  localparam int unsigned TLP_MEM_T9_LSB = 119;
  localparam int unsigned TLP_MEM_T9_W = 1;
  localparam int unsigned TLP_MEM_TC_LSB = 116;
  localparam int unsigned TLP_MEM_TC_W = 3;
  localparam int unsigned TLP_MEM_T8_LSB = 115;
  localparam int unsigned TLP_MEM_T8_W = 1;
  localparam int unsigned TLP_MEM_ATTR2_LSB = 114;
  localparam int unsigned TLP_MEM_ATTR2_W = 1;
  localparam int unsigned TLP_MEM_LN_LSB = 113;
  localparam int unsigned TLP_MEM_LN_W = 1;
  localparam int unsigned TLP_MEM_TH_LSB = 112;
  localparam int unsigned TLP_MEM_TH_W = 1;
  localparam int unsigned TLP_MEM_TD_LSB = 111;
  localparam int unsigned TLP_MEM_TD_W = 1;
  localparam int unsigned TLP_MEM_EP_LSB = 110;
  localparam int unsigned TLP_MEM_EP_W = 1;
  localparam int unsigned TLP_MEM_ATTR_LSB = 108;
  localparam int unsigned TLP_MEM_ATTR_W = 2;
  localparam int unsigned TLP_MEM_AT_LSB = 106;
  localparam int unsigned TLP_MEM_AT_W = 2;
  localparam int unsigned TLP_MEM_LENGTH_LSB = 96;
  localparam int unsigned TLP_MEM_LENGTH_W = 10;
  localparam int unsigned TLP_MEM_REQID_LSB = 80;
  localparam int unsigned TLP_MEM_REQID_W = 16;
  localparam int unsigned TLP_MEM_TAG_LSB = 72;
  localparam int unsigned TLP_MEM_TAG_W = 8;
  localparam int unsigned TLP_MEM_LBE_LSB = 68;
  localparam int unsigned TLP_MEM_LBE_W = 4;
  localparam int unsigned TLP_MEM_FBE_LSB = 64;
  localparam int unsigned TLP_MEM_FBE_W = 4;
  localparam int unsigned TLP_MEM_ADDR_LSB = 0;
  localparam int unsigned TLP_MEM_ADDR_W = 64;

  // Completion with or without data
  localparam int unsigned TLP_CPL_BYTES = 12;
  localparam int unsigned TLP_CPL_W = 96;
  typedef struct packed {
    logic [2:0] fmt;
    logic [4:0] type_;
    logic t9;
    logic [2:0] tc;
    logic t8;
    logic attr2;
    logic ln;
    logic th;
    logic td;
    logic ep;
    logic [1:0] attr;
    logic [1:0] at;
    logic [9:0] length;
    logic [15:0] cplid;
    logic [2:0] status;
    logic bcm;
    logic [11:0] byte_count;
    logic [15:0] reqid;
    logic [7:0] tag;
    logic rsvd;
    logic [6:0] lower_addr;
  } tlp_cpl_t;
  localparam int unsigned TLP_CPL_FMT_LSB = 93;
  localparam int unsigned TLP_CPL_FMT_W = 3;
  localparam int unsigned TLP_CPL_TYPE_LSB = 88;
  localparam int unsigned TLP_CPL_TYPE_W = 5;
  localparam int unsigned TLP_CPL_T9_LSB = 87;
  localparam int unsigned TLP_CPL_T9_W = 1;
  localparam int unsigned TLP_CPL_TC_LSB = 84;
  localparam int unsigned TLP_CPL_TC_W = 3;
  localparam int unsigned TLP_CPL_T8_LSB = 83;
  localparam int unsigned TLP_CPL_T8_W = 1;
  localparam int unsigned TLP_CPL_ATTR2_LSB = 82;
  localparam int unsigned TLP_CPL_ATTR2_W = 1;
  localparam int unsigned TLP_CPL_LN_LSB = 81;
  localparam int unsigned TLP_CPL_LN_W = 1;
  localparam int unsigned TLP_CPL_TH_LSB = 80;
  localparam int unsigned TLP_CPL_TH_W = 1;
  localparam int unsigned TLP_CPL_TD_LSB = 79;
  localparam int unsigned TLP_CPL_TD_W = 1;
  localparam int unsigned TLP_CPL_EP_LSB = 78;
  localparam int unsigned TLP_CPL_EP_W = 1;
  localparam int unsigned TLP_CPL_ATTR_LSB = 76;
  localparam int unsigned TLP_CPL_ATTR_W = 2;
  localparam int unsigned TLP_CPL_AT_LSB = 74;
  localparam int unsigned TLP_CPL_AT_W = 2;
  localparam int unsigned TLP_CPL_LENGTH_LSB = 64;
  localparam int unsigned TLP_CPL_LENGTH_W = 10;
  localparam int unsigned TLP_CPL_CPLID_LSB = 48;
  localparam int unsigned TLP_CPL_CPLID_W = 16;
  localparam int unsigned TLP_CPL_STATUS_LSB = 45;
  localparam int unsigned TLP_CPL_STATUS_W = 3;
  localparam int unsigned TLP_CPL_BCM_LSB = 44;
  localparam int unsigned TLP_CPL_BCM_W = 1;
  localparam int unsigned TLP_CPL_BYTE_COUNT_LSB = 32;
  localparam int unsigned TLP_CPL_BYTE_COUNT_W = 12;
  localparam int unsigned TLP_CPL_REQID_LSB = 16;
  localparam int unsigned TLP_CPL_REQID_W = 16;
  localparam int unsigned TLP_CPL_TAG_LSB = 8;
  localparam int unsigned TLP_CPL_TAG_W = 8;
  localparam int unsigned TLP_CPL_RSVD_LSB = 7;
  localparam int unsigned TLP_CPL_RSVD_W = 1;
  localparam int unsigned TLP_CPL_LOWER_ADDR_LSB = 0;
  localparam int unsigned TLP_CPL_LOWER_ADDR_W = 7;

  // TLP format
  typedef logic [2:0] tlp_fmt_t;
  localparam logic [2:0] TLP_FMT_3DW = 3'd0;  // No data
  localparam logic [2:0] TLP_FMT_4DW = 3'd1;  // No data
  localparam logic [2:0] TLP_FMT_3DW_DATA = 3'd2;  // With data
  localparam logic [2:0] TLP_FMT_4DW_DATA = 3'd3;  // With data

  // TLP type
  typedef logic [4:0] tlp_type_t;
  localparam logic [4:0] TLP_TYPE_MEM = 5'd0;  // Memory request
  localparam logic [4:0] TLP_TYPE_CPL = 5'd10;  // Completion

  // Completion status
  typedef logic [2:0] cpl_status_t;
  localparam logic [2:0] CPL_STATUS_SC = 3'd0;  // Success
  localparam logic [2:0] CPL_STATUS_UR = 3'd1;  // Unsupported request
  localparam logic [2:0] CPL_STATUS_CRS = 3'd2;  // Retry
  localparam logic [2:0] CPL_STATUS_CA = 3'd4;  // Completer abort

  // Doorbell word, one aligned 64-bit store to a page offset DB_*
  localparam int unsigned DOORBELL_W = 64;
  typedef struct packed {
    logic [7:0] gap0;
    logic [23:0] word_number;
    logic [11:0] gap1;
    logic word_arm;
    logic word_solicited;
    logic [1:0] word_arm_seq;
    logic [15:0] word_index;
  } doorbell_t;
  localparam int unsigned DOORBELL_WORD_LSB = 0;
  localparam int unsigned DOORBELL_WORD_W = 64;
  localparam int unsigned DOORBELL_WORD_INDEX_LSB = 0;
  localparam int unsigned DOORBELL_WORD_INDEX_W = 16;
  localparam int unsigned DOORBELL_WORD_ARM_SEQ_LSB = 16;
  localparam int unsigned DOORBELL_WORD_ARM_SEQ_W = 2;
  localparam int unsigned DOORBELL_WORD_SOLICITED_LSB = 18;
  localparam int unsigned DOORBELL_WORD_SOLICITED_W = 1;
  localparam int unsigned DOORBELL_WORD_ARM_LSB = 19;
  localparam int unsigned DOORBELL_WORD_ARM_W = 1;
  localparam int unsigned DOORBELL_WORD_NUMBER_LSB = 32;
  localparam int unsigned DOORBELL_WORD_NUMBER_W = 24;

  // What a send queue operation does
  typedef logic [2:0] wqe_kind_t;
  localparam logic [2:0] WQE_KIND_SEND = 3'd0;  // Payload for a receive WQE of the peer
  localparam logic [2:0] WQE_KIND_WRITE = 3'd1;  // Payload for an address of the peer
  localparam logic [2:0] WQE_KIND_READ = 3'd2;  // One request a chunk; the peer answers with the bytes
  localparam logic [2:0] WQE_KIND_ATOMIC = 3'd3;  // Operands go out, the old value comes back: STRUCT wqe_atomic
  localparam logic [2:0] WQE_KIND_LOCAL = 3'd4;  // Changes a key of ours, no packet: STRUCT wqe_local
  localparam logic [2:0] WQE_KIND_NOP = 3'd5;  // No packet

  // Properties of a send queue operation, a bit mask
  typedef logic [7:0] wqe_mark_t;
  localparam logic [7:0] WQE_MARK_INLINE = 8'd1;  // Its payload may be in the WQE
  localparam logic [7:0] WQE_MARK_PUSH = 8'd2;  // Its block may come with the doorbell
  localparam logic [7:0] WQE_MARK_RES = 8'd4;  // Takes a responder resource of the peer, and the answer carries data: MAX_RD_ATOMIC, FENCE
  localparam logic [7:0] WQE_MARK_RWR = 8'd8;  // Consumes a receive WQE of the peer
  localparam logic [7:0] WQE_MARK_IMM = 8'd16;  // Carries immediate data
  localparam logic [7:0] WQE_MARK_INV = 8'd32;  // Carries a key to invalidate
  localparam logic [7:0] WQE_MARK_COMPARE = 8'd64;  // Has a compare operand

  // Send queue operation
  typedef logic [7:0] wqe_op_t;
  localparam logic [7:0] WQE_OP_SEND = 8'd0;  // Send
  localparam logic [7:0] WQE_OP_SEND_IMM = 8'd1;  // Send with immediate
  localparam logic [7:0] WQE_OP_SEND_INV = 8'd2;  // Send with invalidate
  localparam logic [7:0] WQE_OP_WRITE = 8'd3;  // RDMA Write
  localparam logic [7:0] WQE_OP_WRITE_IMM = 8'd4;  // RDMA Write with immediate
  localparam logic [7:0] WQE_OP_READ = 8'd5;  // RDMA Read
  localparam logic [7:0] WQE_OP_ATOMIC_CS = 8'd6;  // Compare and swap
  localparam logic [7:0] WQE_OP_ATOMIC_FA = 8'd7;  // Fetch and add
  localparam logic [7:0] WQE_OP_LOCAL_INV = 8'd8;  // Local invalidate
  localparam logic [7:0] WQE_OP_REG_MR = 8'd9;  // Fast registration
  localparam logic [7:0] WQE_OP_BIND_MW = 8'd10;  // Bind a type 2 window
  localparam logic [7:0] WQE_OP_NOP = 8'd11;  // No operation; completes in order

  // Scatter/gather element; a zero length skips it and its key is not looked at
  localparam int unsigned SGE_W = 128;
  typedef struct packed {
    logic [31:0] length;
    logic [31:0] lkey;
    logic [63:0] addr;
  } sge_t;
  localparam int unsigned SGE_ADDR_LSB = 0;
  localparam int unsigned SGE_ADDR_W = 64;
  localparam int unsigned SGE_LKEY_LSB = 64;
  localparam int unsigned SGE_LKEY_W = 32;
  localparam int unsigned SGE_LENGTH_LSB = 96;
  localparam int unsigned SGE_LENGTH_W = 32;

  // First block of a send WQE; elements or inline bytes follow at byte 32 and fill further blocks
  localparam int unsigned WQE_W = 512;
  typedef struct packed {
    logic [31:0] sge1_length;
    logic [31:0] sge1_lkey;
    logic [63:0] sge1_addr;
    logic [31:0] sge0_length;
    logic [31:0] sge0_lkey;
    logic [63:0] sge0_addr;
    logic [31:0] rsvd;
    logic [31:0] rkey;
    logic [63:0] raddr;
    logic [15:0] check_owner;
    logic [15:0] check_index;
    logic [31:0] length;
    logic [31:0] imm;
    logic [3:0] gap0;
    logic [3:0] ctrl_blocks;
    logic [2:0] gap1;
    logic [4:0] ctrl_num_sge;
    logic [3:0] gap2;
    logic ctrl_inline;
    logic ctrl_fence;
    logic ctrl_solicited;
    logic ctrl_signaled;
    logic [7:0] ctrl_opcode;
  } wqe_t;
  localparam int unsigned WQE_CTRL_LSB = 0;
  localparam int unsigned WQE_CTRL_W = 32;
  localparam int unsigned WQE_CTRL_OPCODE_LSB = 0;
  localparam int unsigned WQE_CTRL_OPCODE_W = 8;
  localparam int unsigned WQE_CTRL_SIGNALED_LSB = 8;
  localparam int unsigned WQE_CTRL_SIGNALED_W = 1;
  localparam int unsigned WQE_CTRL_SOLICITED_LSB = 9;
  localparam int unsigned WQE_CTRL_SOLICITED_W = 1;
  localparam int unsigned WQE_CTRL_FENCE_LSB = 10;
  localparam int unsigned WQE_CTRL_FENCE_W = 1;
  localparam int unsigned WQE_CTRL_INLINE_LSB = 11;
  localparam int unsigned WQE_CTRL_INLINE_W = 1;
  localparam int unsigned WQE_CTRL_NUM_SGE_LSB = 16;
  localparam int unsigned WQE_CTRL_NUM_SGE_W = 5;
  localparam int unsigned WQE_CTRL_BLOCKS_LSB = 24;
  localparam int unsigned WQE_CTRL_BLOCKS_W = 4;
  localparam int unsigned WQE_IMM_LSB = 32;
  localparam int unsigned WQE_IMM_W = 32;
  localparam int unsigned WQE_LENGTH_LSB = 64;
  localparam int unsigned WQE_LENGTH_W = 32;
  localparam int unsigned WQE_CHECK_LSB = 96;
  localparam int unsigned WQE_CHECK_W = 32;
  localparam int unsigned WQE_CHECK_INDEX_LSB = 96;
  localparam int unsigned WQE_CHECK_INDEX_W = 16;
  localparam int unsigned WQE_CHECK_OWNER_LSB = 112;
  localparam int unsigned WQE_CHECK_OWNER_W = 16;
  localparam int unsigned WQE_RADDR_LSB = 128;
  localparam int unsigned WQE_RADDR_W = 64;
  localparam int unsigned WQE_RKEY_LSB = 192;
  localparam int unsigned WQE_RKEY_W = 32;
  localparam int unsigned WQE_RSVD_LSB = 224;
  localparam int unsigned WQE_RSVD_W = 32;
  localparam int unsigned WQE_SGE0_ADDR_LSB = 256;
  localparam int unsigned WQE_SGE0_ADDR_W = 64;
  localparam int unsigned WQE_SGE0_LKEY_LSB = 320;
  localparam int unsigned WQE_SGE0_LKEY_W = 32;
  localparam int unsigned WQE_SGE0_LENGTH_LSB = 352;
  localparam int unsigned WQE_SGE0_LENGTH_W = 32;
  localparam int unsigned WQE_SGE1_ADDR_LSB = 384;
  localparam int unsigned WQE_SGE1_ADDR_W = 64;
  localparam int unsigned WQE_SGE1_LKEY_LSB = 448;
  localparam int unsigned WQE_SGE1_LKEY_W = 32;
  localparam int unsigned WQE_SGE1_LENGTH_LSB = 480;
  localparam int unsigned WQE_SGE1_LENGTH_W = 32;

  // First block of an atomic WQE: operands follow the remote address, the one element is at byte 48
  localparam int unsigned WQE_ATOMIC_W = 512;
  typedef struct packed {
    logic [31:0] sge0_length;
    logic [31:0] sge0_lkey;
    logic [63:0] sge0_addr;
    logic [63:0] compare;
    logic [63:0] swap_add;
    logic [31:0] rsvd;
    logic [31:0] rkey;
    logic [63:0] raddr;
    logic [31:0] check;
    logic [31:0] length;
    logic [31:0] imm;
    logic [31:0] ctrl;
  } wqe_atomic_t;
  localparam int unsigned WQE_ATOMIC_CTRL_LSB = 0;
  localparam int unsigned WQE_ATOMIC_CTRL_W = 32;
  localparam int unsigned WQE_ATOMIC_IMM_LSB = 32;
  localparam int unsigned WQE_ATOMIC_IMM_W = 32;
  localparam int unsigned WQE_ATOMIC_LENGTH_LSB = 64;
  localparam int unsigned WQE_ATOMIC_LENGTH_W = 32;
  localparam int unsigned WQE_ATOMIC_CHECK_LSB = 96;
  localparam int unsigned WQE_ATOMIC_CHECK_W = 32;
  localparam int unsigned WQE_ATOMIC_RADDR_LSB = 128;
  localparam int unsigned WQE_ATOMIC_RADDR_W = 64;
  localparam int unsigned WQE_ATOMIC_RKEY_LSB = 192;
  localparam int unsigned WQE_ATOMIC_RKEY_W = 32;
  localparam int unsigned WQE_ATOMIC_RSVD_LSB = 224;
  localparam int unsigned WQE_ATOMIC_RSVD_W = 32;
  localparam int unsigned WQE_ATOMIC_SWAP_ADD_LSB = 256;
  localparam int unsigned WQE_ATOMIC_SWAP_ADD_W = 64;
  localparam int unsigned WQE_ATOMIC_COMPARE_LSB = 320;
  localparam int unsigned WQE_ATOMIC_COMPARE_W = 64;
  localparam int unsigned WQE_ATOMIC_SGE0_ADDR_LSB = 384;
  localparam int unsigned WQE_ATOMIC_SGE0_ADDR_W = 64;
  localparam int unsigned WQE_ATOMIC_SGE0_LKEY_LSB = 448;
  localparam int unsigned WQE_ATOMIC_SGE0_LKEY_W = 32;
  localparam int unsigned WQE_ATOMIC_SGE0_LENGTH_LSB = 480;
  localparam int unsigned WQE_ATOMIC_SGE0_LENGTH_W = 32;

  // First block of a UD WQE: address vector; elements or inline bytes start in the next block
  localparam int unsigned WQE_UD_W = 512;
  typedef struct packed {
    logic [63:0] gap0;
    logic [19:0] gap1;
    logic [3:0] hop_sl_sl;
    logic [7:0] hop_sl_hop_limit;
    logic [3:0] gap2;
    logic [7:0] flow_tclass_tclass;
    logic [19:0] flow_tclass_flow;
    logic [127:0] dgid;
    logic [31:0] qkey;
    logic [7:0] dqpn_sgid_sgid_index;
    logic [23:0] dqpn_sgid_dqpn;
    logic [15:0] dmac_sport_sport;
    logic [47:0] dmac_sport_dmac;
    logic [31:0] check;
    logic [31:0] length;
    logic [31:0] imm;
    logic [31:0] ctrl;
  } wqe_ud_t;
  localparam int unsigned WQE_UD_CTRL_LSB = 0;
  localparam int unsigned WQE_UD_CTRL_W = 32;
  localparam int unsigned WQE_UD_IMM_LSB = 32;
  localparam int unsigned WQE_UD_IMM_W = 32;
  localparam int unsigned WQE_UD_LENGTH_LSB = 64;
  localparam int unsigned WQE_UD_LENGTH_W = 32;
  localparam int unsigned WQE_UD_CHECK_LSB = 96;
  localparam int unsigned WQE_UD_CHECK_W = 32;
  localparam int unsigned WQE_UD_DMAC_SPORT_LSB = 128;
  localparam int unsigned WQE_UD_DMAC_SPORT_W = 64;
  localparam int unsigned WQE_UD_DMAC_SPORT_DMAC_LSB = 128;
  localparam int unsigned WQE_UD_DMAC_SPORT_DMAC_W = 48;
  localparam int unsigned WQE_UD_DMAC_SPORT_SPORT_LSB = 176;
  localparam int unsigned WQE_UD_DMAC_SPORT_SPORT_W = 16;
  localparam int unsigned WQE_UD_DQPN_SGID_LSB = 192;
  localparam int unsigned WQE_UD_DQPN_SGID_W = 32;
  localparam int unsigned WQE_UD_DQPN_SGID_DQPN_LSB = 192;
  localparam int unsigned WQE_UD_DQPN_SGID_DQPN_W = 24;
  localparam int unsigned WQE_UD_DQPN_SGID_SGID_INDEX_LSB = 216;
  localparam int unsigned WQE_UD_DQPN_SGID_SGID_INDEX_W = 8;
  localparam int unsigned WQE_UD_QKEY_LSB = 224;
  localparam int unsigned WQE_UD_QKEY_W = 32;
  localparam int unsigned WQE_UD_DGID_LSB = 256;
  localparam int unsigned WQE_UD_DGID_W = 128;
  localparam int unsigned WQE_UD_FLOW_TCLASS_LSB = 384;
  localparam int unsigned WQE_UD_FLOW_TCLASS_W = 32;
  localparam int unsigned WQE_UD_FLOW_TCLASS_FLOW_LSB = 384;
  localparam int unsigned WQE_UD_FLOW_TCLASS_FLOW_W = 20;
  localparam int unsigned WQE_UD_FLOW_TCLASS_TCLASS_LSB = 404;
  localparam int unsigned WQE_UD_FLOW_TCLASS_TCLASS_W = 8;
  localparam int unsigned WQE_UD_HOP_SL_LSB = 416;
  localparam int unsigned WQE_UD_HOP_SL_W = 32;
  localparam int unsigned WQE_UD_HOP_SL_HOP_LIMIT_LSB = 416;
  localparam int unsigned WQE_UD_HOP_SL_HOP_LIMIT_W = 8;
  localparam int unsigned WQE_UD_HOP_SL_SL_LSB = 424;
  localparam int unsigned WQE_UD_HOP_SL_SL_W = 4;

  // First block of LOCAL_INV, REG_MR and BIND_MW
  localparam int unsigned WQE_LOCAL_W = 512;
  typedef struct packed {
    logic [63:0] rsvd1;
    logic [63:0] rsvd0;
    logic [31:0] access;
    logic [31:0] mr_key;
    logic [63:0] page_list;
    logic [63:0] length;
    logic [63:0] addr;
    logic [31:0] check;
    logic [31:0] length_lo;
    logic [31:0] key;
    logic [31:0] ctrl;
  } wqe_local_t;
  localparam int unsigned WQE_LOCAL_CTRL_LSB = 0;
  localparam int unsigned WQE_LOCAL_CTRL_W = 32;
  localparam int unsigned WQE_LOCAL_KEY_LSB = 32;
  localparam int unsigned WQE_LOCAL_KEY_W = 32;
  localparam int unsigned WQE_LOCAL_LENGTH_LO_LSB = 64;
  localparam int unsigned WQE_LOCAL_LENGTH_LO_W = 32;
  localparam int unsigned WQE_LOCAL_CHECK_LSB = 96;
  localparam int unsigned WQE_LOCAL_CHECK_W = 32;
  localparam int unsigned WQE_LOCAL_ADDR_LSB = 128;
  localparam int unsigned WQE_LOCAL_ADDR_W = 64;
  localparam int unsigned WQE_LOCAL_LENGTH_LSB = 192;
  localparam int unsigned WQE_LOCAL_LENGTH_W = 64;
  localparam int unsigned WQE_LOCAL_PAGE_LIST_LSB = 256;
  localparam int unsigned WQE_LOCAL_PAGE_LIST_W = 64;
  localparam int unsigned WQE_LOCAL_MR_KEY_LSB = 320;
  localparam int unsigned WQE_LOCAL_MR_KEY_W = 32;
  localparam int unsigned WQE_LOCAL_ACCESS_LSB = 352;
  localparam int unsigned WQE_LOCAL_ACCESS_W = 32;
  localparam int unsigned WQE_LOCAL_RSVD0_LSB = 384;
  localparam int unsigned WQE_LOCAL_RSVD0_W = 64;
  localparam int unsigned WQE_LOCAL_RSVD1_LSB = 448;
  localparam int unsigned WQE_LOCAL_RSVD1_W = 64;

  // Completion status, the enum order of verbs.h
  typedef logic [7:0] wc_status_t;
  localparam logic [7:0] WC_STATUS_SUCCESS = 8'd0;
  localparam logic [7:0] WC_STATUS_LOC_LEN_ERR = 8'd1;
  localparam logic [7:0] WC_STATUS_LOC_QP_OP_ERR = 8'd2;
  localparam logic [7:0] WC_STATUS_LOC_EEC_OP_ERR = 8'd3;
  localparam logic [7:0] WC_STATUS_LOC_PROT_ERR = 8'd4;
  localparam logic [7:0] WC_STATUS_WR_FLUSH_ERR = 8'd5;
  localparam logic [7:0] WC_STATUS_MW_BIND_ERR = 8'd6;
  localparam logic [7:0] WC_STATUS_BAD_RESP_ERR = 8'd7;
  localparam logic [7:0] WC_STATUS_LOC_ACCESS_ERR = 8'd8;
  localparam logic [7:0] WC_STATUS_REM_INV_REQ_ERR = 8'd9;
  localparam logic [7:0] WC_STATUS_REM_ACCESS_ERR = 8'd10;
  localparam logic [7:0] WC_STATUS_REM_OP_ERR = 8'd11;
  localparam logic [7:0] WC_STATUS_RETRY_EXC_ERR = 8'd12;
  localparam logic [7:0] WC_STATUS_RNR_RETRY_EXC_ERR = 8'd13;
  localparam logic [7:0] WC_STATUS_FATAL_ERR = 8'd19;
  localparam logic [7:0] WC_STATUS_RESP_TIMEOUT_ERR = 8'd20;
  localparam logic [7:0] WC_STATUS_GENERAL_ERR = 8'd21;

  // What completed
  typedef logic [7:0] cqe_op_t;
  localparam logic [7:0] CQE_OP_SEND = 8'd0;  // Send queue operation; enum wqe_op is in the WQE that wqe_index names
  localparam logic [7:0] CQE_OP_READ = 8'd5;  // RDMA Read
  localparam logic [7:0] CQE_OP_ATOMIC = 8'd6;  // Atomic
  localparam logic [7:0] CQE_OP_WRITE = 8'd3;  // RDMA Write
  localparam logic [7:0] CQE_OP_LOCAL = 8'd8;  // Local operation
  localparam logic [7:0] CQE_OP_RECV = 8'd128;  // Receive
  localparam logic [7:0] CQE_OP_RECV_IMM = 8'd129;  // Receive with immediate
  localparam logic [7:0] CQE_OP_RECV_INV = 8'd130;  // Receive with invalidate
  localparam logic [7:0] CQE_OP_RECV_WRITE_IMM = 8'd131;  // RDMA Write with immediate consumed a receive

  // Completion; the phase bit is in the last word, which is written with the rest in one TLP
  localparam int unsigned CQE_W = 256;
  typedef struct packed {
    logic status_phase;
    logic [14:0] status_cq_index_lo;
    logic [2:0] status_rsvd;
    logic status_ipv6;
    logic status_tagged;
    logic [2:0] status_prio;
    logic [7:0] status;
    logic [7:0] src_vendor_err;
    logic [23:0] src_src_qp;
    logic [63:0] timestamp;
    logic [9:0] gap0;
    logic wqe_srq;
    logic wqe_inv;
    logic wqe_imm;
    logic wqe_is_sq;
    logic wqe_solicited;
    logic wqe_grh;
    logic [15:0] wqe_index;
    logic [31:0] imm;
    logic [31:0] byte_len;
    logic [7:0] qpn_op_opcode;
    logic [23:0] qpn_op_qpn;
  } cqe_t;
  localparam int unsigned CQE_QPN_OP_LSB = 0;
  localparam int unsigned CQE_QPN_OP_W = 32;
  localparam int unsigned CQE_QPN_OP_QPN_LSB = 0;
  localparam int unsigned CQE_QPN_OP_QPN_W = 24;
  localparam int unsigned CQE_QPN_OP_OPCODE_LSB = 24;
  localparam int unsigned CQE_QPN_OP_OPCODE_W = 8;
  localparam int unsigned CQE_BYTE_LEN_LSB = 32;
  localparam int unsigned CQE_BYTE_LEN_W = 32;
  localparam int unsigned CQE_IMM_LSB = 64;
  localparam int unsigned CQE_IMM_W = 32;
  localparam int unsigned CQE_WQE_LSB = 96;
  localparam int unsigned CQE_WQE_W = 32;
  localparam int unsigned CQE_WQE_INDEX_LSB = 96;
  localparam int unsigned CQE_WQE_INDEX_W = 16;
  localparam int unsigned CQE_WQE_GRH_LSB = 112;
  localparam int unsigned CQE_WQE_GRH_W = 1;
  localparam int unsigned CQE_WQE_SOLICITED_LSB = 113;
  localparam int unsigned CQE_WQE_SOLICITED_W = 1;
  localparam int unsigned CQE_WQE_IS_SQ_LSB = 114;
  localparam int unsigned CQE_WQE_IS_SQ_W = 1;
  localparam int unsigned CQE_WQE_IMM_LSB = 115;
  localparam int unsigned CQE_WQE_IMM_W = 1;
  localparam int unsigned CQE_WQE_INV_LSB = 116;
  localparam int unsigned CQE_WQE_INV_W = 1;
  localparam int unsigned CQE_WQE_SRQ_LSB = 117;
  localparam int unsigned CQE_WQE_SRQ_W = 1;
  localparam int unsigned CQE_TIMESTAMP_LSB = 128;
  localparam int unsigned CQE_TIMESTAMP_W = 64;
  localparam int unsigned CQE_SRC_LSB = 192;
  localparam int unsigned CQE_SRC_W = 32;
  localparam int unsigned CQE_SRC_SRC_QP_LSB = 192;
  localparam int unsigned CQE_SRC_SRC_QP_W = 24;
  localparam int unsigned CQE_SRC_VENDOR_ERR_LSB = 216;
  localparam int unsigned CQE_SRC_VENDOR_ERR_W = 8;
  localparam int unsigned CQE_STATUS_LSB = 224;
  localparam int unsigned CQE_STATUS_W = 8;
  localparam int unsigned CQE_STATUS_PRIO_LSB = 232;
  localparam int unsigned CQE_STATUS_PRIO_W = 3;
  localparam int unsigned CQE_STATUS_TAGGED_LSB = 235;
  localparam int unsigned CQE_STATUS_TAGGED_W = 1;
  localparam int unsigned CQE_STATUS_IPV6_LSB = 236;
  localparam int unsigned CQE_STATUS_IPV6_W = 1;
  localparam int unsigned CQE_STATUS_RSVD_LSB = 237;
  localparam int unsigned CQE_STATUS_RSVD_W = 3;
  localparam int unsigned CQE_STATUS_CQ_INDEX_LO_LSB = 240;
  localparam int unsigned CQE_STATUS_CQ_INDEX_LO_W = 15;
  localparam int unsigned CQE_STATUS_PHASE_LSB = 255;
  localparam int unsigned CQE_STATUS_PHASE_W = 1;

  // Why, in more detail than wc_status; also the cause in error records
  typedef logic [7:0] vendor_err_t;
  localparam logic [7:0] VENDOR_ERR_NONE = 8'd0;
  localparam logic [7:0] VENDOR_ERR_WQE_CHECK = 8'd1;  // WQE read back with a wrong index or QPN
  localparam logic [7:0] VENDOR_ERR_WQE_OPCODE = 8'd2;  // Operation not valid for the QP or this build
  localparam logic [7:0] VENDOR_ERR_WQE_LENGTH = 8'd3;  // Length over the limit or not the sum of the elements
  localparam logic [7:0] VENDOR_ERR_WQE_SGE = 8'd4;  // Too many elements
  localparam logic [7:0] VENDOR_ERR_WQE_INDEX = 8'd5;  // Doorbell index beyond the ring
  localparam logic [7:0] VENDOR_ERR_WQE_AV = 8'd6;  // UD: source GID not valid, or not of the destination's family
  localparam logic [7:0] VENDOR_ERR_WQE_RD_ATOMIC = 8'd7;  // READ or atomic on a QP whose max_rd_atomic is 0
  localparam logic [7:0] VENDOR_ERR_KEY_INDEX = 8'd16;  // Key index outside the table or entry free
  localparam logic [7:0] VENDOR_ERR_KEY_TAG = 8'd17;  // Key tag differs
  localparam logic [7:0] VENDOR_ERR_KEY_PD = 8'd18;  // Protection domain differs
  localparam logic [7:0] VENDOR_ERR_KEY_RIGHTS = 8'd19;  // Right missing on the region
  localparam logic [7:0] VENDOR_ERR_KEY_BOUNDS = 8'd20;  // Outside the region
  localparam logic [7:0] VENDOR_ERR_KEY_PTE = 8'd21;  // Page list entry invalid
  localparam logic [7:0] VENDOR_ERR_KEY_STATE = 8'd22;  // Key of a kind or in a state that the operation does not take
  localparam logic [7:0] VENDOR_ERR_KEY_BUSY = 8'd23;  // Windows are bound to the region
  localparam logic [7:0] VENDOR_ERR_DMA_READ = 8'd32;  // PCIe read failed (UR, CA, timeout or poison)
  localparam logic [7:0] VENDOR_ERR_CTX_CHECK = 8'd33;  // Context record read back damaged
  localparam logic [7:0] VENDOR_ERR_NAK_SEQ = 8'd48;  // NAK PSN sequence error
  localparam logic [7:0] VENDOR_ERR_NAK_INV = 8'd49;  // NAK invalid request
  localparam logic [7:0] VENDOR_ERR_NAK_ACCESS = 8'd50;  // NAK remote access error
  localparam logic [7:0] VENDOR_ERR_NAK_OP = 8'd51;  // NAK remote operational error
  localparam logic [7:0] VENDOR_ERR_TIMEOUT = 8'd52;  // Ack timer expired too often
  localparam logic [7:0] VENDOR_ERR_RNR = 8'd53;  // RNR NAK too often
  localparam logic [7:0] VENDOR_ERR_RSP_LENGTH = 8'd54;  // READ response length wrong
  localparam logic [7:0] VENDOR_ERR_RSP_OPCODE = 8'd55;  // Unexpected response
  localparam logic [7:0] VENDOR_ERR_REQ_OPCODE = 8'd64;  // Responder: opcode out of sequence
  localparam logic [7:0] VENDOR_ERR_REQ_LENGTH = 8'd65;  // Responder: length wrong
  localparam logic [7:0] VENDOR_ERR_REQ_RIGHTS = 8'd66;  // Responder: right missing on the QP
  localparam logic [7:0] VENDOR_ERR_REQ_RESOURCES = 8'd67;  // Responder: too many READs or atomics
  localparam logic [7:0] VENDOR_ERR_RQE_CHECK = 8'd68;  // Receive WQE malformed
  localparam logic [7:0] VENDOR_ERR_RQ_LENGTH = 8'd69;  // Receive buffer too small
  localparam logic [7:0] VENDOR_ERR_REQ_ALIGN = 8'd70;  // Responder: address of an atomic is not a multiple of 8
  localparam logic [7:0] VENDOR_ERR_CQ_OVERFLOW = 8'd80;  // The CQ is full
  localparam logic [7:0] VENDOR_ERR_FLUSH = 8'd81;  // Flushed because the QP is in error

  // Event
  typedef logic [7:0] eqe_type_t;
  localparam logic [7:0] EQE_TYPE_CQ = 8'd1;  // Completion: number = CQN
  localparam logic [7:0] EQE_TYPE_CMD = 8'd2;  // Command completion
  localparam logic [7:0] EQE_TYPE_QP_FATAL = 8'd16;  // number = QPN
  localparam logic [7:0] EQE_TYPE_QP_REQ_ERR = 8'd17;
  localparam logic [7:0] EQE_TYPE_QP_ACCESS_ERR = 8'd18;
  localparam logic [7:0] EQE_TYPE_COMM_EST = 8'd19;
  localparam logic [7:0] EQE_TYPE_SQ_DRAINED = 8'd20;
  localparam logic [7:0] EQE_TYPE_LAST_WQE_REACHED = 8'd21;
  localparam logic [7:0] EQE_TYPE_CQ_ERR = 8'd22;  // number = CQN
  localparam logic [7:0] EQE_TYPE_SRQ_LIMIT = 8'd23;  // number = SRQN
  localparam logic [7:0] EQE_TYPE_SRQ_ERR = 8'd24;
  localparam logic [7:0] EQE_TYPE_PORT_ACTIVE = 8'd25;
  localparam logic [7:0] EQE_TYPE_PORT_ERR = 8'd26;
  localparam logic [7:0] EQE_TYPE_GID_CHANGE = 8'd27;
  localparam logic [7:0] EQE_TYPE_DEVICE_FATAL = 8'd28;  // data = cause
  localparam logic [7:0] EQE_TYPE_ADDR_CONFLICT = 8'd29;  // Another host uses one of our addresses: number = GID index, data = the last four bytes of its MAC

  // Event queue entry
  localparam int unsigned EQE_W = 128;
  typedef struct packed {
    logic owner_phase;
    logic [14:0] gap0;
    logic [15:0] owner_index;
    logic [31:0] data;
    logic [31:0] number;
    logic [13:0] gap1;
    logic [1:0] type_arm_seq;
    logic [7:0] gap2;
    logic [7:0] type_;
  } eqe_t;
  localparam int unsigned EQE_TYPE_LSB = 0;
  localparam int unsigned EQE_TYPE_W = 8;
  localparam int unsigned EQE_TYPE_ARM_SEQ_LSB = 16;
  localparam int unsigned EQE_TYPE_ARM_SEQ_W = 2;
  localparam int unsigned EQE_NUMBER_LSB = 32;
  localparam int unsigned EQE_NUMBER_W = 32;
  localparam int unsigned EQE_DATA_LSB = 64;
  localparam int unsigned EQE_DATA_W = 32;
  localparam int unsigned EQE_OWNER_LSB = 96;
  localparam int unsigned EQE_OWNER_W = 32;
  localparam int unsigned EQE_OWNER_INDEX_LSB = 96;
  localparam int unsigned EQE_OWNER_INDEX_W = 16;
  localparam int unsigned EQE_OWNER_PHASE_LSB = 127;
  localparam int unsigned EQE_OWNER_PHASE_W = 1;

  // CQ consumer record in host memory; written by software, read by the device when its copy says half full
  localparam int unsigned CQ_CI_W = 64;
  typedef struct packed {
    logic [31:0] rsvd;
    logic [31:0] index;
  } cq_ci_t;
  localparam int unsigned CQ_CI_INDEX_LSB = 0;
  localparam int unsigned CQ_CI_INDEX_W = 32;
  localparam int unsigned CQ_CI_RSVD_LSB = 32;
  localparam int unsigned CQ_CI_RSVD_W = 32;

  // Firmware log record
  localparam int unsigned LOG_ENTRY_W = 512;
  typedef struct packed {
    logic [383:0] text;
    logic [31:0] code;
    logic [31:0] seq;
    logic [63:0] time_;
  } log_entry_t;
  localparam int unsigned LOG_ENTRY_TIME_LSB = 0;
  localparam int unsigned LOG_ENTRY_TIME_W = 64;
  localparam int unsigned LOG_ENTRY_SEQ_LSB = 64;
  localparam int unsigned LOG_ENTRY_SEQ_W = 32;
  localparam int unsigned LOG_ENTRY_CODE_LSB = 96;
  localparam int unsigned LOG_ENTRY_CODE_W = 32;
  localparam int unsigned LOG_ENTRY_TEXT_LSB = 128;
  localparam int unsigned LOG_ENTRY_TEXT_W = 384;

  // cfg.state, the request of firmware; the effective state is the worst of this and the engines' error bits
  typedef logic [2:0] qp_state_t;
  localparam logic [2:0] QP_STATE_RESET = 3'd0;
  localparam logic [2:0] QP_STATE_INIT = 3'd1;
  localparam logic [2:0] QP_STATE_RTR = 3'd2;
  localparam logic [2:0] QP_STATE_RTS = 3'd3;
  localparam logic [2:0] QP_STATE_SQD = 3'd4;
  localparam logic [2:0] QP_STATE_SQE = 3'd5;
  localparam logic [2:0] QP_STATE_ERR = 3'd6;

  // Transport
  typedef logic [2:0] qp_type_t;
  localparam logic [2:0] QP_TYPE_RC = 3'd0;
  localparam logic [2:0] QP_TYPE_UC = 3'd1;
  localparam logic [2:0] QP_TYPE_UD = 3'd2;
  localparam logic [2:0] QP_TYPE_GSI = 3'd3;  // QP 1

  // Part of the QP hot record
  typedef logic [1:0] qp_part_t;
  localparam logic [1:0] QP_PART_CFG = 2'd0;  // firmware
  localparam logic [1:0] QP_PART_REQ = 2'd1;  // requester
  localparam logic [1:0] QP_PART_CMP = 2'd2;  // completer
  localparam logic [1:0] QP_PART_RSP = 2'd3;  // responder

  // QP configuration; written by firmware only
  localparam int unsigned QP_CFG_W = 512;
  typedef struct packed {
    logic [31:0] rsvd0;
    logic [23:0] gap0;
    logic [7:0] eqn_async_eqn;
    logic [7:0] rd_db_page;
    logic [7:0] rd_func;
    logic [2:0] gap1;
    logic [4:0] rd_max_dest_rd_atomic;
    logic [2:0] gap2;
    logic [4:0] rd_max_rd_atomic;
    logic [31:0] qkey;
    logic [15:0] pkey_vlan_tci;
    logic [15:0] pkey_vlan_pkey;
    logic gap3;
    logic flow_tclass_ipv6;
    logic flow_tclass_sqd_notify;
    logic flow_tclass_vlan;
    logic [7:0] flow_tclass_tclass;
    logic [19:0] flow_tclass_flow;
    logic [15:0] dmac_sport_sport;
    logic [47:0] dmac_sport_dmac;
    logic [127:0] dgid;
    logic [7:0] rqpn_hop_hop_limit;
    logic [23:0] rqpn_hop_rqpn;
    logic [7:0] pd_sgid_sgid_index;
    logic [23:0] pd_sgid_pd;
    logic state_use_srq;
    logic [2:0] state_lane;
    logic [4:0] state_min_rnr_timer;
    logic [4:0] state_timeout;
    logic [2:0] state_rnr_retry;
    logic [2:0] state_retry_cnt;
    logic state_remote_atomic;
    logic state_remote_read;
    logic state_remote_write;
    logic [2:0] state_pmtu;
    logic [2:0] state_type;
    logic [2:0] state;
    logic [7:0] tag_gen;
    logic [23:0] tag_qpn;
  } qp_cfg_t;
  localparam int unsigned QP_CFG_TAG_LSB = 0;
  localparam int unsigned QP_CFG_TAG_W = 32;
  localparam int unsigned QP_CFG_TAG_QPN_LSB = 0;
  localparam int unsigned QP_CFG_TAG_QPN_W = 24;
  localparam int unsigned QP_CFG_TAG_GEN_LSB = 24;
  localparam int unsigned QP_CFG_TAG_GEN_W = 8;
  localparam int unsigned QP_CFG_STATE_LSB = 32;
  localparam int unsigned QP_CFG_STATE_W = 3;
  localparam int unsigned QP_CFG_STATE_TYPE_LSB = 35;
  localparam int unsigned QP_CFG_STATE_TYPE_W = 3;
  localparam int unsigned QP_CFG_STATE_PMTU_LSB = 38;
  localparam int unsigned QP_CFG_STATE_PMTU_W = 3;
  localparam int unsigned QP_CFG_STATE_REMOTE_WRITE_LSB = 41;
  localparam int unsigned QP_CFG_STATE_REMOTE_WRITE_W = 1;
  localparam int unsigned QP_CFG_STATE_REMOTE_READ_LSB = 42;
  localparam int unsigned QP_CFG_STATE_REMOTE_READ_W = 1;
  localparam int unsigned QP_CFG_STATE_REMOTE_ATOMIC_LSB = 43;
  localparam int unsigned QP_CFG_STATE_REMOTE_ATOMIC_W = 1;
  localparam int unsigned QP_CFG_STATE_RETRY_CNT_LSB = 44;
  localparam int unsigned QP_CFG_STATE_RETRY_CNT_W = 3;
  localparam int unsigned QP_CFG_STATE_RNR_RETRY_LSB = 47;
  localparam int unsigned QP_CFG_STATE_RNR_RETRY_W = 3;
  localparam int unsigned QP_CFG_STATE_TIMEOUT_LSB = 50;
  localparam int unsigned QP_CFG_STATE_TIMEOUT_W = 5;
  localparam int unsigned QP_CFG_STATE_MIN_RNR_TIMER_LSB = 55;
  localparam int unsigned QP_CFG_STATE_MIN_RNR_TIMER_W = 5;
  localparam int unsigned QP_CFG_STATE_LANE_LSB = 60;
  localparam int unsigned QP_CFG_STATE_LANE_W = 3;
  localparam int unsigned QP_CFG_STATE_USE_SRQ_LSB = 63;
  localparam int unsigned QP_CFG_STATE_USE_SRQ_W = 1;
  localparam int unsigned QP_CFG_PD_SGID_LSB = 64;
  localparam int unsigned QP_CFG_PD_SGID_W = 32;
  localparam int unsigned QP_CFG_PD_SGID_PD_LSB = 64;
  localparam int unsigned QP_CFG_PD_SGID_PD_W = 24;
  localparam int unsigned QP_CFG_PD_SGID_SGID_INDEX_LSB = 88;
  localparam int unsigned QP_CFG_PD_SGID_SGID_INDEX_W = 8;
  localparam int unsigned QP_CFG_RQPN_HOP_LSB = 96;
  localparam int unsigned QP_CFG_RQPN_HOP_W = 32;
  localparam int unsigned QP_CFG_RQPN_HOP_RQPN_LSB = 96;
  localparam int unsigned QP_CFG_RQPN_HOP_RQPN_W = 24;
  localparam int unsigned QP_CFG_RQPN_HOP_HOP_LIMIT_LSB = 120;
  localparam int unsigned QP_CFG_RQPN_HOP_HOP_LIMIT_W = 8;
  localparam int unsigned QP_CFG_DGID_LSB = 128;
  localparam int unsigned QP_CFG_DGID_W = 128;
  localparam int unsigned QP_CFG_DMAC_SPORT_LSB = 256;
  localparam int unsigned QP_CFG_DMAC_SPORT_W = 64;
  localparam int unsigned QP_CFG_DMAC_SPORT_DMAC_LSB = 256;
  localparam int unsigned QP_CFG_DMAC_SPORT_DMAC_W = 48;
  localparam int unsigned QP_CFG_DMAC_SPORT_SPORT_LSB = 304;
  localparam int unsigned QP_CFG_DMAC_SPORT_SPORT_W = 16;
  localparam int unsigned QP_CFG_FLOW_TCLASS_LSB = 320;
  localparam int unsigned QP_CFG_FLOW_TCLASS_W = 32;
  localparam int unsigned QP_CFG_FLOW_TCLASS_FLOW_LSB = 320;
  localparam int unsigned QP_CFG_FLOW_TCLASS_FLOW_W = 20;
  localparam int unsigned QP_CFG_FLOW_TCLASS_TCLASS_LSB = 340;
  localparam int unsigned QP_CFG_FLOW_TCLASS_TCLASS_W = 8;
  localparam int unsigned QP_CFG_FLOW_TCLASS_VLAN_LSB = 348;
  localparam int unsigned QP_CFG_FLOW_TCLASS_VLAN_W = 1;
  localparam int unsigned QP_CFG_FLOW_TCLASS_SQD_NOTIFY_LSB = 349;
  localparam int unsigned QP_CFG_FLOW_TCLASS_SQD_NOTIFY_W = 1;
  localparam int unsigned QP_CFG_FLOW_TCLASS_IPV6_LSB = 350;
  localparam int unsigned QP_CFG_FLOW_TCLASS_IPV6_W = 1;
  localparam int unsigned QP_CFG_PKEY_VLAN_LSB = 352;
  localparam int unsigned QP_CFG_PKEY_VLAN_W = 32;
  localparam int unsigned QP_CFG_PKEY_VLAN_PKEY_LSB = 352;
  localparam int unsigned QP_CFG_PKEY_VLAN_PKEY_W = 16;
  localparam int unsigned QP_CFG_PKEY_VLAN_TCI_LSB = 368;
  localparam int unsigned QP_CFG_PKEY_VLAN_TCI_W = 16;
  localparam int unsigned QP_CFG_QKEY_LSB = 384;
  localparam int unsigned QP_CFG_QKEY_W = 32;
  localparam int unsigned QP_CFG_RD_LSB = 416;
  localparam int unsigned QP_CFG_RD_W = 32;
  localparam int unsigned QP_CFG_RD_MAX_RD_ATOMIC_LSB = 416;
  localparam int unsigned QP_CFG_RD_MAX_RD_ATOMIC_W = 5;
  localparam int unsigned QP_CFG_RD_MAX_DEST_RD_ATOMIC_LSB = 424;
  localparam int unsigned QP_CFG_RD_MAX_DEST_RD_ATOMIC_W = 5;
  localparam int unsigned QP_CFG_RD_FUNC_LSB = 432;
  localparam int unsigned QP_CFG_RD_FUNC_W = 8;
  localparam int unsigned QP_CFG_RD_DB_PAGE_LSB = 440;
  localparam int unsigned QP_CFG_RD_DB_PAGE_W = 8;
  localparam int unsigned QP_CFG_EQN_LSB = 448;
  localparam int unsigned QP_CFG_EQN_W = 32;
  localparam int unsigned QP_CFG_EQN_ASYNC_EQN_LSB = 448;
  localparam int unsigned QP_CFG_EQN_ASYNC_EQN_W = 8;
  localparam int unsigned QP_CFG_RSVD0_LSB = 480;
  localparam int unsigned QP_CFG_RSVD0_W = 32;

  // Requester part; firmware writes it only at create/RESET
  localparam int unsigned QP_REQ_W = 512;
  typedef struct packed {
    logic [7:0] gap0;
    logic [23:0] recover_rec_end;
    logic [7:0] gap1;
    logic [23:0] free_msg;
    logic [63:0] pace_time;
    logic [7:0] gap2;
    logic [23:0] msg_psn;
    logic [7:0] hi_psn_rd_issued;
    logic [23:0] hi_psn;
    logic [63:0] t_start;
    logic [1:0] gap3;
    logic [5:0] ssn_since_ackreq;
    logic [23:0] ssn;
    logic [31:0] msg_offset;
    logic [7:0] psn_send_epoch;
    logic [23:0] psn_next_psn;
    logic [15:0] index_local_index;
    logic [15:0] index_next_index;
    logic [63:0] sq_base;
    logic [2:0] gap4;
    logic flags_in_msg;
    logic [3:0] flags_sq_log2;
    logic [7:0] flags_err_vendor;
    logic [7:0] flags_err_status;
    logic [6:0] gap5;
    logic flags_err;
    logic [7:0] tag_gen;
    logic [23:0] tag_qpn;
  } qp_req_t;
  localparam int unsigned QP_REQ_TAG_LSB = 0;
  localparam int unsigned QP_REQ_TAG_W = 32;
  localparam int unsigned QP_REQ_TAG_QPN_LSB = 0;
  localparam int unsigned QP_REQ_TAG_QPN_W = 24;
  localparam int unsigned QP_REQ_TAG_GEN_LSB = 24;
  localparam int unsigned QP_REQ_TAG_GEN_W = 8;
  localparam int unsigned QP_REQ_FLAGS_LSB = 32;
  localparam int unsigned QP_REQ_FLAGS_W = 32;
  localparam int unsigned QP_REQ_FLAGS_ERR_LSB = 32;
  localparam int unsigned QP_REQ_FLAGS_ERR_W = 1;
  localparam int unsigned QP_REQ_FLAGS_ERR_STATUS_LSB = 40;
  localparam int unsigned QP_REQ_FLAGS_ERR_STATUS_W = 8;
  localparam int unsigned QP_REQ_FLAGS_ERR_VENDOR_LSB = 48;
  localparam int unsigned QP_REQ_FLAGS_ERR_VENDOR_W = 8;
  localparam int unsigned QP_REQ_FLAGS_SQ_LOG2_LSB = 56;
  localparam int unsigned QP_REQ_FLAGS_SQ_LOG2_W = 4;
  localparam int unsigned QP_REQ_FLAGS_IN_MSG_LSB = 60;
  localparam int unsigned QP_REQ_FLAGS_IN_MSG_W = 1;
  localparam int unsigned QP_REQ_SQ_BASE_LSB = 64;
  localparam int unsigned QP_REQ_SQ_BASE_W = 64;
  localparam int unsigned QP_REQ_INDEX_LSB = 128;
  localparam int unsigned QP_REQ_INDEX_W = 32;
  localparam int unsigned QP_REQ_INDEX_NEXT_INDEX_LSB = 128;
  localparam int unsigned QP_REQ_INDEX_NEXT_INDEX_W = 16;
  localparam int unsigned QP_REQ_INDEX_LOCAL_INDEX_LSB = 144;
  localparam int unsigned QP_REQ_INDEX_LOCAL_INDEX_W = 16;
  localparam int unsigned QP_REQ_PSN_LSB = 160;
  localparam int unsigned QP_REQ_PSN_W = 32;
  localparam int unsigned QP_REQ_PSN_NEXT_PSN_LSB = 160;
  localparam int unsigned QP_REQ_PSN_NEXT_PSN_W = 24;
  localparam int unsigned QP_REQ_PSN_SEND_EPOCH_LSB = 184;
  localparam int unsigned QP_REQ_PSN_SEND_EPOCH_W = 8;
  localparam int unsigned QP_REQ_MSG_OFFSET_LSB = 192;
  localparam int unsigned QP_REQ_MSG_OFFSET_W = 32;
  localparam int unsigned QP_REQ_SSN_LSB = 224;
  localparam int unsigned QP_REQ_SSN_W = 24;
  localparam int unsigned QP_REQ_SSN_SINCE_ACKREQ_LSB = 248;
  localparam int unsigned QP_REQ_SSN_SINCE_ACKREQ_W = 6;
  localparam int unsigned QP_REQ_T_START_LSB = 256;
  localparam int unsigned QP_REQ_T_START_W = 64;
  localparam int unsigned QP_REQ_HI_PSN_LSB = 320;
  localparam int unsigned QP_REQ_HI_PSN_W = 24;
  localparam int unsigned QP_REQ_HI_PSN_RD_ISSUED_LSB = 344;
  localparam int unsigned QP_REQ_HI_PSN_RD_ISSUED_W = 8;
  localparam int unsigned QP_REQ_MSG_PSN_LSB = 352;
  localparam int unsigned QP_REQ_MSG_PSN_W = 24;
  localparam int unsigned QP_REQ_PACE_TIME_LSB = 384;
  localparam int unsigned QP_REQ_PACE_TIME_W = 64;
  localparam int unsigned QP_REQ_FREE_MSG_LSB = 448;
  localparam int unsigned QP_REQ_FREE_MSG_W = 24;
  localparam int unsigned QP_REQ_RECOVER_LSB = 480;
  localparam int unsigned QP_REQ_RECOVER_W = 32;
  localparam int unsigned QP_REQ_RECOVER_REC_END_LSB = 480;
  localparam int unsigned QP_REQ_RECOVER_REC_END_W = 24;

  // Completer part, two halves with one writer each: bytes 0 to 31 cmp_packet (acknowledged state, retries), 32 to 63 cmp_retire (walker, READ data)
  localparam int unsigned QP_CMP_W = 512;
  typedef struct packed {
    logic [7:0] gap0;
    logic [23:0] rd_ahead;
    logic [7:0] gap1;
    logic [23:0] old_end;
    logic [7:0] gap2;
    logic [23:0] sq_cqn;
    logic [31:0] rd_len;
    logic [31:0] rd_placed;
    logic [7:0] gap3;
    logic [23:0] old_psn;
    logic [15:0] gap4;
    logic [15:0] oldest_old_index;
    logic [7:0] rflags_rd_done;
    logic [16:0] gap5;
    logic rflags_rd_full;
    logic rflags_rd_stop;
    logic rflags_plain;
    logic rflags_rd_atomic;
    logic rflags_drained;
    logic rflags_rd_valid;
    logic rflags_flushing;
    logic [23:0] wait_lsn;
    logic [39:0] wait_wait_until;
    logic [63:0] t_progress;
    logic [7:0] gb_gb_done;
    logic [23:0] gb_gb_psn;
    logic [7:0] una_gb_epoch;
    logic [23:0] una_una_psn;
    logic [1:0] gap6;
    logic [2:0] flags_rnr_left;
    logic [2:0] flags_retry_left;
    logic [7:0] flags_err_vendor;
    logic [7:0] flags_err_status;
    logic [2:0] gap7;
    logic flags_doubt;
    logic flags_credits_off;
    logic flags_implied;
    logic flags_rnr_wait;
    logic flags_err;
    logic [7:0] tag_gen;
    logic [23:0] tag_qpn;
  } qp_cmp_t;
  localparam int unsigned QP_CMP_TAG_LSB = 0;
  localparam int unsigned QP_CMP_TAG_W = 32;
  localparam int unsigned QP_CMP_TAG_QPN_LSB = 0;
  localparam int unsigned QP_CMP_TAG_QPN_W = 24;
  localparam int unsigned QP_CMP_TAG_GEN_LSB = 24;
  localparam int unsigned QP_CMP_TAG_GEN_W = 8;
  localparam int unsigned QP_CMP_FLAGS_LSB = 32;
  localparam int unsigned QP_CMP_FLAGS_W = 32;
  localparam int unsigned QP_CMP_FLAGS_ERR_LSB = 32;
  localparam int unsigned QP_CMP_FLAGS_ERR_W = 1;
  localparam int unsigned QP_CMP_FLAGS_RNR_WAIT_LSB = 33;
  localparam int unsigned QP_CMP_FLAGS_RNR_WAIT_W = 1;
  localparam int unsigned QP_CMP_FLAGS_IMPLIED_LSB = 34;
  localparam int unsigned QP_CMP_FLAGS_IMPLIED_W = 1;
  localparam int unsigned QP_CMP_FLAGS_CREDITS_OFF_LSB = 35;
  localparam int unsigned QP_CMP_FLAGS_CREDITS_OFF_W = 1;
  localparam int unsigned QP_CMP_FLAGS_DOUBT_LSB = 36;
  localparam int unsigned QP_CMP_FLAGS_DOUBT_W = 1;
  localparam int unsigned QP_CMP_FLAGS_ERR_STATUS_LSB = 40;
  localparam int unsigned QP_CMP_FLAGS_ERR_STATUS_W = 8;
  localparam int unsigned QP_CMP_FLAGS_ERR_VENDOR_LSB = 48;
  localparam int unsigned QP_CMP_FLAGS_ERR_VENDOR_W = 8;
  localparam int unsigned QP_CMP_FLAGS_RETRY_LEFT_LSB = 56;
  localparam int unsigned QP_CMP_FLAGS_RETRY_LEFT_W = 3;
  localparam int unsigned QP_CMP_FLAGS_RNR_LEFT_LSB = 59;
  localparam int unsigned QP_CMP_FLAGS_RNR_LEFT_W = 3;
  localparam int unsigned QP_CMP_UNA_LSB = 64;
  localparam int unsigned QP_CMP_UNA_W = 32;
  localparam int unsigned QP_CMP_UNA_UNA_PSN_LSB = 64;
  localparam int unsigned QP_CMP_UNA_UNA_PSN_W = 24;
  localparam int unsigned QP_CMP_UNA_GB_EPOCH_LSB = 88;
  localparam int unsigned QP_CMP_UNA_GB_EPOCH_W = 8;
  localparam int unsigned QP_CMP_GB_LSB = 96;
  localparam int unsigned QP_CMP_GB_W = 32;
  localparam int unsigned QP_CMP_GB_GB_PSN_LSB = 96;
  localparam int unsigned QP_CMP_GB_GB_PSN_W = 24;
  localparam int unsigned QP_CMP_GB_GB_DONE_LSB = 120;
  localparam int unsigned QP_CMP_GB_GB_DONE_W = 8;
  localparam int unsigned QP_CMP_T_PROGRESS_LSB = 128;
  localparam int unsigned QP_CMP_T_PROGRESS_W = 64;
  localparam int unsigned QP_CMP_WAIT_LSB = 192;
  localparam int unsigned QP_CMP_WAIT_W = 64;
  localparam int unsigned QP_CMP_WAIT_WAIT_UNTIL_LSB = 192;
  localparam int unsigned QP_CMP_WAIT_WAIT_UNTIL_W = 40;
  localparam int unsigned QP_CMP_WAIT_LSN_LSB = 232;
  localparam int unsigned QP_CMP_WAIT_LSN_W = 24;
  localparam int unsigned QP_CMP_RFLAGS_LSB = 256;
  localparam int unsigned QP_CMP_RFLAGS_W = 32;
  localparam int unsigned QP_CMP_RFLAGS_FLUSHING_LSB = 256;
  localparam int unsigned QP_CMP_RFLAGS_FLUSHING_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_RD_VALID_LSB = 257;
  localparam int unsigned QP_CMP_RFLAGS_RD_VALID_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_DRAINED_LSB = 258;
  localparam int unsigned QP_CMP_RFLAGS_DRAINED_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_RD_ATOMIC_LSB = 259;
  localparam int unsigned QP_CMP_RFLAGS_RD_ATOMIC_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_PLAIN_LSB = 260;
  localparam int unsigned QP_CMP_RFLAGS_PLAIN_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_RD_STOP_LSB = 261;
  localparam int unsigned QP_CMP_RFLAGS_RD_STOP_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_RD_FULL_LSB = 262;
  localparam int unsigned QP_CMP_RFLAGS_RD_FULL_W = 1;
  localparam int unsigned QP_CMP_RFLAGS_RD_DONE_LSB = 280;
  localparam int unsigned QP_CMP_RFLAGS_RD_DONE_W = 8;
  localparam int unsigned QP_CMP_OLDEST_LSB = 288;
  localparam int unsigned QP_CMP_OLDEST_W = 32;
  localparam int unsigned QP_CMP_OLDEST_OLD_INDEX_LSB = 288;
  localparam int unsigned QP_CMP_OLDEST_OLD_INDEX_W = 16;
  localparam int unsigned QP_CMP_OLD_PSN_LSB = 320;
  localparam int unsigned QP_CMP_OLD_PSN_W = 24;
  localparam int unsigned QP_CMP_RD_PLACED_LSB = 352;
  localparam int unsigned QP_CMP_RD_PLACED_W = 32;
  localparam int unsigned QP_CMP_RD_LEN_LSB = 384;
  localparam int unsigned QP_CMP_RD_LEN_W = 32;
  localparam int unsigned QP_CMP_SQ_CQN_LSB = 416;
  localparam int unsigned QP_CMP_SQ_CQN_W = 24;
  localparam int unsigned QP_CMP_OLD_END_LSB = 448;
  localparam int unsigned QP_CMP_OLD_END_W = 24;
  localparam int unsigned QP_CMP_RD_AHEAD_LSB = 480;
  localparam int unsigned QP_CMP_RD_AHEAD_W = 24;

  // Responder part; written by rsp_commit
  localparam int unsigned QP_RSP_W = 512;
  typedef struct packed {
    logic [31:0] write_len;
    logic [31:0] srqn;
    logic [31:0] sge_offset;
    logic [2:0] gap0;
    logic [4:0] rq_cqn_sge_index;
    logic [23:0] rq_cqn;
    logic [31:0] remaining;
    logic [31:0] rkey;
    logic [63:0] va;
    logic [15:0] rq_srq_slot;
    logic [15:0] rq_rq_index;
    logic [7:0] ack_psn_res_seen;
    logic [23:0] ack_psn;
    logic [7:0] msn_res_old;
    logic [23:0] msn;
    logic [7:0] epsn_res_tail;
    logic [23:0] epsn;
    logic [63:0] rq_base;
    logic [4:0] flags_rsvd;
    logic flags_srq_held;
    logic flags_rnr_sent;
    logic [4:0] flags_rq_stride;
    logic [3:0] flags_rq_log2;
    logic [7:0] flags_syndrome;
    logic gap1;
    logic flags_rqe_taken;
    logic flags_comm_est;
    logic flags_ack_pending;
    logic flags_nak_sent;
    logic [1:0] flags_msg;
    logic flags_err;
    logic [7:0] tag_gen;
    logic [23:0] tag_qpn;
  } qp_rsp_t;
  localparam int unsigned QP_RSP_TAG_LSB = 0;
  localparam int unsigned QP_RSP_TAG_W = 32;
  localparam int unsigned QP_RSP_TAG_QPN_LSB = 0;
  localparam int unsigned QP_RSP_TAG_QPN_W = 24;
  localparam int unsigned QP_RSP_TAG_GEN_LSB = 24;
  localparam int unsigned QP_RSP_TAG_GEN_W = 8;
  localparam int unsigned QP_RSP_FLAGS_LSB = 32;
  localparam int unsigned QP_RSP_FLAGS_W = 32;
  localparam int unsigned QP_RSP_FLAGS_ERR_LSB = 32;
  localparam int unsigned QP_RSP_FLAGS_ERR_W = 1;
  localparam int unsigned QP_RSP_FLAGS_MSG_LSB = 33;
  localparam int unsigned QP_RSP_FLAGS_MSG_W = 2;
  localparam int unsigned QP_RSP_FLAGS_NAK_SENT_LSB = 35;
  localparam int unsigned QP_RSP_FLAGS_NAK_SENT_W = 1;
  localparam int unsigned QP_RSP_FLAGS_ACK_PENDING_LSB = 36;
  localparam int unsigned QP_RSP_FLAGS_ACK_PENDING_W = 1;
  localparam int unsigned QP_RSP_FLAGS_COMM_EST_LSB = 37;
  localparam int unsigned QP_RSP_FLAGS_COMM_EST_W = 1;
  localparam int unsigned QP_RSP_FLAGS_RQE_TAKEN_LSB = 38;
  localparam int unsigned QP_RSP_FLAGS_RQE_TAKEN_W = 1;
  localparam int unsigned QP_RSP_FLAGS_SYNDROME_LSB = 40;
  localparam int unsigned QP_RSP_FLAGS_SYNDROME_W = 8;
  localparam int unsigned QP_RSP_FLAGS_RQ_LOG2_LSB = 48;
  localparam int unsigned QP_RSP_FLAGS_RQ_LOG2_W = 4;
  localparam int unsigned QP_RSP_FLAGS_RQ_STRIDE_LSB = 52;
  localparam int unsigned QP_RSP_FLAGS_RQ_STRIDE_W = 5;
  localparam int unsigned QP_RSP_FLAGS_RNR_SENT_LSB = 57;
  localparam int unsigned QP_RSP_FLAGS_RNR_SENT_W = 1;
  localparam int unsigned QP_RSP_FLAGS_SRQ_HELD_LSB = 58;
  localparam int unsigned QP_RSP_FLAGS_SRQ_HELD_W = 1;
  localparam int unsigned QP_RSP_FLAGS_RSVD_LSB = 59;
  localparam int unsigned QP_RSP_FLAGS_RSVD_W = 5;
  localparam int unsigned QP_RSP_RQ_BASE_LSB = 64;
  localparam int unsigned QP_RSP_RQ_BASE_W = 64;
  localparam int unsigned QP_RSP_EPSN_LSB = 128;
  localparam int unsigned QP_RSP_EPSN_W = 24;
  localparam int unsigned QP_RSP_EPSN_RES_TAIL_LSB = 152;
  localparam int unsigned QP_RSP_EPSN_RES_TAIL_W = 8;
  localparam int unsigned QP_RSP_MSN_LSB = 160;
  localparam int unsigned QP_RSP_MSN_W = 24;
  localparam int unsigned QP_RSP_MSN_RES_OLD_LSB = 184;
  localparam int unsigned QP_RSP_MSN_RES_OLD_W = 8;
  localparam int unsigned QP_RSP_ACK_PSN_LSB = 192;
  localparam int unsigned QP_RSP_ACK_PSN_W = 24;
  localparam int unsigned QP_RSP_ACK_PSN_RES_SEEN_LSB = 216;
  localparam int unsigned QP_RSP_ACK_PSN_RES_SEEN_W = 8;
  localparam int unsigned QP_RSP_RQ_LSB = 224;
  localparam int unsigned QP_RSP_RQ_W = 32;
  localparam int unsigned QP_RSP_RQ_RQ_INDEX_LSB = 224;
  localparam int unsigned QP_RSP_RQ_RQ_INDEX_W = 16;
  localparam int unsigned QP_RSP_RQ_SRQ_SLOT_LSB = 240;
  localparam int unsigned QP_RSP_RQ_SRQ_SLOT_W = 16;
  localparam int unsigned QP_RSP_VA_LSB = 256;
  localparam int unsigned QP_RSP_VA_W = 64;
  localparam int unsigned QP_RSP_RKEY_LSB = 320;
  localparam int unsigned QP_RSP_RKEY_W = 32;
  localparam int unsigned QP_RSP_REMAINING_LSB = 352;
  localparam int unsigned QP_RSP_REMAINING_W = 32;
  localparam int unsigned QP_RSP_RQ_CQN_LSB = 384;
  localparam int unsigned QP_RSP_RQ_CQN_W = 24;
  localparam int unsigned QP_RSP_RQ_CQN_SGE_INDEX_LSB = 408;
  localparam int unsigned QP_RSP_RQ_CQN_SGE_INDEX_W = 5;
  localparam int unsigned QP_RSP_SGE_OFFSET_LSB = 416;
  localparam int unsigned QP_RSP_SGE_OFFSET_W = 32;
  localparam int unsigned QP_RSP_SRQN_LSB = 448;
  localparam int unsigned QP_RSP_SRQN_W = 32;
  localparam int unsigned QP_RSP_WRITE_LEN_LSB = 480;
  localparam int unsigned QP_RSP_WRITE_LEN_W = 32;

  // Message in progress at the responder
  typedef logic [1:0] rsp_msg_t;
  localparam logic [1:0] RSP_MSG_NONE = 2'd0;
  localparam logic [1:0] RSP_MSG_SEND = 2'd1;
  localparam logic [1:0] RSP_MSG_WRITE = 2'd2;

  // Rarely used configuration; written by firmware
  localparam int unsigned QP_COLD_W = 512;
  typedef struct packed {
    logic [63:0] rsvd3;
    logic [63:0] rsvd2;
    logic [63:0] rsvd1;
    logic [63:0] rsvd0;
    logic [63:0] create_time;
    logic [63:0] user;
    logic [31:0] max_sge;
    logic [31:0] qp_num_rq_wr;
    logic [31:0] qp_num_sq_wr;
    logic [7:0] tag_gen;
    logic [23:0] tag_qpn;
  } qp_cold_t;
  localparam int unsigned QP_COLD_TAG_LSB = 0;
  localparam int unsigned QP_COLD_TAG_W = 32;
  localparam int unsigned QP_COLD_TAG_QPN_LSB = 0;
  localparam int unsigned QP_COLD_TAG_QPN_W = 24;
  localparam int unsigned QP_COLD_TAG_GEN_LSB = 24;
  localparam int unsigned QP_COLD_TAG_GEN_W = 8;
  localparam int unsigned QP_COLD_QP_NUM_SQ_WR_LSB = 32;
  localparam int unsigned QP_COLD_QP_NUM_SQ_WR_W = 32;
  localparam int unsigned QP_COLD_QP_NUM_RQ_WR_LSB = 64;
  localparam int unsigned QP_COLD_QP_NUM_RQ_WR_W = 32;
  localparam int unsigned QP_COLD_MAX_SGE_LSB = 96;
  localparam int unsigned QP_COLD_MAX_SGE_W = 32;
  localparam int unsigned QP_COLD_USER_LSB = 128;
  localparam int unsigned QP_COLD_USER_W = 64;
  localparam int unsigned QP_COLD_CREATE_TIME_LSB = 192;
  localparam int unsigned QP_COLD_CREATE_TIME_W = 64;
  localparam int unsigned QP_COLD_RSVD0_LSB = 256;
  localparam int unsigned QP_COLD_RSVD0_W = 64;
  localparam int unsigned QP_COLD_RSVD1_LSB = 320;
  localparam int unsigned QP_COLD_RSVD1_W = 64;
  localparam int unsigned QP_COLD_RSVD2_LSB = 384;
  localparam int unsigned QP_COLD_RSVD2_W = 64;
  localparam int unsigned QP_COLD_RSVD3_LSB = 448;
  localparam int unsigned QP_COLD_RSVD3_W = 64;

  // Kind of responder resource
  typedef logic [1:0] res_kind_t;
  localparam logic [1:0] RES_KIND_NONE = 2'd0;
  localparam logic [1:0] RES_KIND_READ = 2'd1;
  localparam logic [1:0] RES_KIND_ATOMIC = 2'd2;

  // Responder resource: a READ or atomic that was accepted and may be asked for again; written by rsp_commit, with DONE by atomic_unit
  localparam int unsigned RSP_RES_W = 256;
  typedef struct packed {
    logic [7:0] gap0;
    logic [23:0] qpn;
    logic [15:0] ticket_ack_msn_lo;
    logic [15:0] ticket;
    logic [31:0] length;
    logic [31:0] rkey;
    logic [63:0] va;
    logic [7:0] msn_gen;
    logic [23:0] msn;
    logic [2:0] psn_rsvd;
    logic psn_cas;
    logic psn_done;
    logic psn_ack_before;
    logic [1:0] psn_kind;
    logic [23:0] psn_first_psn;
  } rsp_res_t;
  localparam int unsigned RSP_RES_PSN_LSB = 0;
  localparam int unsigned RSP_RES_PSN_W = 32;
  localparam int unsigned RSP_RES_PSN_FIRST_PSN_LSB = 0;
  localparam int unsigned RSP_RES_PSN_FIRST_PSN_W = 24;
  localparam int unsigned RSP_RES_PSN_KIND_LSB = 24;
  localparam int unsigned RSP_RES_PSN_KIND_W = 2;
  localparam int unsigned RSP_RES_PSN_ACK_BEFORE_LSB = 26;
  localparam int unsigned RSP_RES_PSN_ACK_BEFORE_W = 1;
  localparam int unsigned RSP_RES_PSN_DONE_LSB = 27;
  localparam int unsigned RSP_RES_PSN_DONE_W = 1;
  localparam int unsigned RSP_RES_PSN_CAS_LSB = 28;
  localparam int unsigned RSP_RES_PSN_CAS_W = 1;
  localparam int unsigned RSP_RES_PSN_RSVD_LSB = 29;
  localparam int unsigned RSP_RES_PSN_RSVD_W = 3;
  localparam int unsigned RSP_RES_MSN_LSB = 32;
  localparam int unsigned RSP_RES_MSN_W = 24;
  localparam int unsigned RSP_RES_MSN_GEN_LSB = 56;
  localparam int unsigned RSP_RES_MSN_GEN_W = 8;
  localparam int unsigned RSP_RES_VA_LSB = 64;
  localparam int unsigned RSP_RES_VA_W = 64;
  localparam int unsigned RSP_RES_RKEY_LSB = 128;
  localparam int unsigned RSP_RES_RKEY_W = 32;
  localparam int unsigned RSP_RES_LENGTH_LSB = 160;
  localparam int unsigned RSP_RES_LENGTH_W = 32;
  localparam int unsigned RSP_RES_TICKET_LSB = 192;
  localparam int unsigned RSP_RES_TICKET_W = 16;
  localparam int unsigned RSP_RES_TICKET_ACK_MSN_LO_LSB = 208;
  localparam int unsigned RSP_RES_TICKET_ACK_MSN_LO_W = 16;
  localparam int unsigned RSP_RES_QPN_LSB = 224;
  localparam int unsigned RSP_RES_QPN_W = 24;

  // Completion queue; written by cqe_write
  localparam int unsigned CQ_CTX_W = 512;
  typedef struct packed {
    logic [63:0] rsvd1;
    logic [31:0] rsvd0;
    logic [31:0] mod_pi;
    logic [63:0] mod_since;
    logic [15:0] mod_period;
    logic [15:0] mod_count;
    logic [31:0] sol_pi;
    logic [31:0] ci;
    logic [31:0] pi;
    logic [63:0] ci_iova;
    logic [63:0] base;
    logic [7:0] flags_db_page;
    logic [7:0] flags_eqn;
    logic [3:0] gap0;
    logic [3:0] flags_log2;
    logic flags_mod_wait;
    logic flags_event_out;
    logic [1:0] flags_arm_seq;
    logic flags_arm_solicited;
    logic flags_armed;
    logic flags_err;
    logic flags_valid;
    logic [7:0] tag_gen;
    logic [23:0] tag_cqn;
  } cq_ctx_t;
  localparam int unsigned CQ_CTX_TAG_LSB = 0;
  localparam int unsigned CQ_CTX_TAG_W = 32;
  localparam int unsigned CQ_CTX_TAG_CQN_LSB = 0;
  localparam int unsigned CQ_CTX_TAG_CQN_W = 24;
  localparam int unsigned CQ_CTX_TAG_GEN_LSB = 24;
  localparam int unsigned CQ_CTX_TAG_GEN_W = 8;
  localparam int unsigned CQ_CTX_FLAGS_LSB = 32;
  localparam int unsigned CQ_CTX_FLAGS_W = 32;
  localparam int unsigned CQ_CTX_FLAGS_VALID_LSB = 32;
  localparam int unsigned CQ_CTX_FLAGS_VALID_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_ERR_LSB = 33;
  localparam int unsigned CQ_CTX_FLAGS_ERR_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_ARMED_LSB = 34;
  localparam int unsigned CQ_CTX_FLAGS_ARMED_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_ARM_SOLICITED_LSB = 35;
  localparam int unsigned CQ_CTX_FLAGS_ARM_SOLICITED_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_ARM_SEQ_LSB = 36;
  localparam int unsigned CQ_CTX_FLAGS_ARM_SEQ_W = 2;
  localparam int unsigned CQ_CTX_FLAGS_EVENT_OUT_LSB = 38;
  localparam int unsigned CQ_CTX_FLAGS_EVENT_OUT_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_MOD_WAIT_LSB = 39;
  localparam int unsigned CQ_CTX_FLAGS_MOD_WAIT_W = 1;
  localparam int unsigned CQ_CTX_FLAGS_LOG2_LSB = 40;
  localparam int unsigned CQ_CTX_FLAGS_LOG2_W = 4;
  localparam int unsigned CQ_CTX_FLAGS_EQN_LSB = 48;
  localparam int unsigned CQ_CTX_FLAGS_EQN_W = 8;
  localparam int unsigned CQ_CTX_FLAGS_DB_PAGE_LSB = 56;
  localparam int unsigned CQ_CTX_FLAGS_DB_PAGE_W = 8;
  localparam int unsigned CQ_CTX_BASE_LSB = 64;
  localparam int unsigned CQ_CTX_BASE_W = 64;
  localparam int unsigned CQ_CTX_CI_IOVA_LSB = 128;
  localparam int unsigned CQ_CTX_CI_IOVA_W = 64;
  localparam int unsigned CQ_CTX_PI_LSB = 192;
  localparam int unsigned CQ_CTX_PI_W = 32;
  localparam int unsigned CQ_CTX_CI_LSB = 224;
  localparam int unsigned CQ_CTX_CI_W = 32;
  localparam int unsigned CQ_CTX_SOL_PI_LSB = 256;
  localparam int unsigned CQ_CTX_SOL_PI_W = 32;
  localparam int unsigned CQ_CTX_MOD_LSB = 288;
  localparam int unsigned CQ_CTX_MOD_W = 32;
  localparam int unsigned CQ_CTX_MOD_COUNT_LSB = 288;
  localparam int unsigned CQ_CTX_MOD_COUNT_W = 16;
  localparam int unsigned CQ_CTX_MOD_PERIOD_LSB = 304;
  localparam int unsigned CQ_CTX_MOD_PERIOD_W = 16;
  localparam int unsigned CQ_CTX_MOD_SINCE_LSB = 320;
  localparam int unsigned CQ_CTX_MOD_SINCE_W = 64;
  localparam int unsigned CQ_CTX_MOD_PI_LSB = 384;
  localparam int unsigned CQ_CTX_MOD_PI_W = 32;
  localparam int unsigned CQ_CTX_RSVD0_LSB = 416;
  localparam int unsigned CQ_CTX_RSVD0_W = 32;
  localparam int unsigned CQ_CTX_RSVD1_LSB = 448;
  localparam int unsigned CQ_CTX_RSVD1_W = 64;

  // Shared receive queue
  localparam int unsigned SRQ_CTX_W = 512;
  typedef struct packed {
    logic [63:0] rsvd3;
    logic [63:0] rsvd2;
    logic [63:0] rsvd1;
    logic [63:0] rsvd0;
    logic [31:0] pd;
    logic [15:0] index_limit;
    logic [15:0] index_pop;
    logic [63:0] ring;
    logic [63:0] slots;
    logic [7:0] flags_db_page;
    logic [6:0] gap0;
    logic [4:0] flags_stride;
    logic [3:0] flags_log2;
    logic [4:0] gap1;
    logic flags_limit_armed;
    logic flags_err;
    logic flags_valid;
    logic [7:0] tag_gen;
    logic [23:0] tag_srqn;
  } srq_ctx_t;
  localparam int unsigned SRQ_CTX_TAG_LSB = 0;
  localparam int unsigned SRQ_CTX_TAG_W = 32;
  localparam int unsigned SRQ_CTX_TAG_SRQN_LSB = 0;
  localparam int unsigned SRQ_CTX_TAG_SRQN_W = 24;
  localparam int unsigned SRQ_CTX_TAG_GEN_LSB = 24;
  localparam int unsigned SRQ_CTX_TAG_GEN_W = 8;
  localparam int unsigned SRQ_CTX_FLAGS_LSB = 32;
  localparam int unsigned SRQ_CTX_FLAGS_W = 32;
  localparam int unsigned SRQ_CTX_FLAGS_VALID_LSB = 32;
  localparam int unsigned SRQ_CTX_FLAGS_VALID_W = 1;
  localparam int unsigned SRQ_CTX_FLAGS_ERR_LSB = 33;
  localparam int unsigned SRQ_CTX_FLAGS_ERR_W = 1;
  localparam int unsigned SRQ_CTX_FLAGS_LIMIT_ARMED_LSB = 34;
  localparam int unsigned SRQ_CTX_FLAGS_LIMIT_ARMED_W = 1;
  localparam int unsigned SRQ_CTX_FLAGS_LOG2_LSB = 40;
  localparam int unsigned SRQ_CTX_FLAGS_LOG2_W = 4;
  localparam int unsigned SRQ_CTX_FLAGS_STRIDE_LSB = 44;
  localparam int unsigned SRQ_CTX_FLAGS_STRIDE_W = 5;
  localparam int unsigned SRQ_CTX_FLAGS_DB_PAGE_LSB = 56;
  localparam int unsigned SRQ_CTX_FLAGS_DB_PAGE_W = 8;
  localparam int unsigned SRQ_CTX_SLOTS_LSB = 64;
  localparam int unsigned SRQ_CTX_SLOTS_W = 64;
  localparam int unsigned SRQ_CTX_RING_LSB = 128;
  localparam int unsigned SRQ_CTX_RING_W = 64;
  localparam int unsigned SRQ_CTX_INDEX_LSB = 192;
  localparam int unsigned SRQ_CTX_INDEX_W = 32;
  localparam int unsigned SRQ_CTX_INDEX_POP_LSB = 192;
  localparam int unsigned SRQ_CTX_INDEX_POP_W = 16;
  localparam int unsigned SRQ_CTX_INDEX_LIMIT_LSB = 208;
  localparam int unsigned SRQ_CTX_INDEX_LIMIT_W = 16;
  localparam int unsigned SRQ_CTX_PD_LSB = 224;
  localparam int unsigned SRQ_CTX_PD_W = 32;
  localparam int unsigned SRQ_CTX_RSVD0_LSB = 256;
  localparam int unsigned SRQ_CTX_RSVD0_W = 64;
  localparam int unsigned SRQ_CTX_RSVD1_LSB = 320;
  localparam int unsigned SRQ_CTX_RSVD1_W = 64;
  localparam int unsigned SRQ_CTX_RSVD2_LSB = 384;
  localparam int unsigned SRQ_CTX_RSVD2_W = 64;
  localparam int unsigned SRQ_CTX_RSVD3_LSB = 448;
  localparam int unsigned SRQ_CTX_RSVD3_W = 64;

  // Event queue; held on chip
  localparam int unsigned EQ_CTX_W = 512;
  typedef struct packed {
    logic [63:0] rsvd4;
    logic [63:0] rsvd3;
    logic [63:0] rsvd2;
    logic [63:0] rsvd1;
    logic [63:0] rsvd0;
    logic [31:0] reserved;
    logic [31:0] ci;
    logic [63:0] base;
    logic [31:0] pi;
    logic [7:0] flags_db_page;
    logic [2:0] gap0;
    logic [4:0] flags_vector;
    logic [3:0] gap1;
    logic [3:0] flags_log2;
    logic [4:0] gap2;
    logic flags_armed;
    logic flags_err;
    logic flags_valid;
  } eq_ctx_t;
  localparam int unsigned EQ_CTX_FLAGS_LSB = 0;
  localparam int unsigned EQ_CTX_FLAGS_W = 32;
  localparam int unsigned EQ_CTX_FLAGS_VALID_LSB = 0;
  localparam int unsigned EQ_CTX_FLAGS_VALID_W = 1;
  localparam int unsigned EQ_CTX_FLAGS_ERR_LSB = 1;
  localparam int unsigned EQ_CTX_FLAGS_ERR_W = 1;
  localparam int unsigned EQ_CTX_FLAGS_ARMED_LSB = 2;
  localparam int unsigned EQ_CTX_FLAGS_ARMED_W = 1;
  localparam int unsigned EQ_CTX_FLAGS_LOG2_LSB = 8;
  localparam int unsigned EQ_CTX_FLAGS_LOG2_W = 4;
  localparam int unsigned EQ_CTX_FLAGS_VECTOR_LSB = 16;
  localparam int unsigned EQ_CTX_FLAGS_VECTOR_W = 5;
  localparam int unsigned EQ_CTX_FLAGS_DB_PAGE_LSB = 24;
  localparam int unsigned EQ_CTX_FLAGS_DB_PAGE_W = 8;
  localparam int unsigned EQ_CTX_PI_LSB = 32;
  localparam int unsigned EQ_CTX_PI_W = 32;
  localparam int unsigned EQ_CTX_BASE_LSB = 64;
  localparam int unsigned EQ_CTX_BASE_W = 64;
  localparam int unsigned EQ_CTX_CI_LSB = 128;
  localparam int unsigned EQ_CTX_CI_W = 32;
  localparam int unsigned EQ_CTX_RESERVED_LSB = 160;
  localparam int unsigned EQ_CTX_RESERVED_W = 32;
  localparam int unsigned EQ_CTX_RSVD0_LSB = 192;
  localparam int unsigned EQ_CTX_RSVD0_W = 64;
  localparam int unsigned EQ_CTX_RSVD1_LSB = 256;
  localparam int unsigned EQ_CTX_RSVD1_W = 64;
  localparam int unsigned EQ_CTX_RSVD2_LSB = 320;
  localparam int unsigned EQ_CTX_RSVD2_W = 64;
  localparam int unsigned EQ_CTX_RSVD3_LSB = 384;
  localparam int unsigned EQ_CTX_RSVD3_W = 64;
  localparam int unsigned EQ_CTX_RSVD4_LSB = 448;
  localparam int unsigned EQ_CTX_RSVD4_W = 64;

  // MR rights, a bit mask with the values of verbs.h
  typedef logic [7:0] access_t;
  localparam logic [7:0] ACCESS_LOCAL_WRITE = 8'd1;
  localparam logic [7:0] ACCESS_REMOTE_WRITE = 8'd2;
  localparam logic [7:0] ACCESS_REMOTE_READ = 8'd4;
  localparam logic [7:0] ACCESS_REMOTE_ATOMIC = 8'd8;
  localparam logic [7:0] ACCESS_MW_BIND = 8'd16;
  localparam logic [7:0] ACCESS_ZERO_BASED = 8'd32;

  // How addresses become IOVAs
  typedef logic [1:0] mr_mode_t;
  localparam logic [1:0] MR_MODE_FREE = 2'd0;  // Not valid
  localparam logic [1:0] MR_MODE_DIRECT = 2'd1;  // iova = va - base + direct
  localparam logic [1:0] MR_MODE_PAGED = 2'd2;  // Page list

  // Memory region or window; written by firmware and mr_update. Key = index << 8 | tag
  localparam int unsigned MPT_W = 512;
  typedef struct packed {
    logic [63:0] rsvd1;
    logic [31:0] pages;
    logic [31:0] unbound;
    logic [31:0] parent;
    logic [31:0] qpn;
    logic [63:0] map;
    logic [63:0] length;
    logic [63:0] base;
    logic [31:0] windows;
    logic [7:0] gap0;
    logic [23:0] pd;
    logic [7:0] flags_func;
    logic [1:0] gap1;
    logic [5:0] flags_page_log2;
    logic [7:0] flags_access;
    logic [2:0] gap2;
    logic flags_type2;
    logic flags_window;
    logic flags_freed;
    logic [1:0] flags_mode;
    logic [31:0] key;
  } mpt_t;
  localparam int unsigned MPT_KEY_LSB = 0;
  localparam int unsigned MPT_KEY_W = 32;
  localparam int unsigned MPT_FLAGS_LSB = 32;
  localparam int unsigned MPT_FLAGS_W = 32;
  localparam int unsigned MPT_FLAGS_MODE_LSB = 32;
  localparam int unsigned MPT_FLAGS_MODE_W = 2;
  localparam int unsigned MPT_FLAGS_FREED_LSB = 34;
  localparam int unsigned MPT_FLAGS_FREED_W = 1;
  localparam int unsigned MPT_FLAGS_WINDOW_LSB = 35;
  localparam int unsigned MPT_FLAGS_WINDOW_W = 1;
  localparam int unsigned MPT_FLAGS_TYPE2_LSB = 36;
  localparam int unsigned MPT_FLAGS_TYPE2_W = 1;
  localparam int unsigned MPT_FLAGS_ACCESS_LSB = 40;
  localparam int unsigned MPT_FLAGS_ACCESS_W = 8;
  localparam int unsigned MPT_FLAGS_PAGE_LOG2_LSB = 48;
  localparam int unsigned MPT_FLAGS_PAGE_LOG2_W = 6;
  localparam int unsigned MPT_FLAGS_FUNC_LSB = 56;
  localparam int unsigned MPT_FLAGS_FUNC_W = 8;
  localparam int unsigned MPT_PD_LSB = 64;
  localparam int unsigned MPT_PD_W = 24;
  localparam int unsigned MPT_WINDOWS_LSB = 96;
  localparam int unsigned MPT_WINDOWS_W = 32;
  localparam int unsigned MPT_BASE_LSB = 128;
  localparam int unsigned MPT_BASE_W = 64;
  localparam int unsigned MPT_LENGTH_LSB = 192;
  localparam int unsigned MPT_LENGTH_W = 64;
  localparam int unsigned MPT_MAP_LSB = 256;
  localparam int unsigned MPT_MAP_W = 64;
  localparam int unsigned MPT_QPN_LSB = 320;
  localparam int unsigned MPT_QPN_W = 32;
  localparam int unsigned MPT_PARENT_LSB = 352;
  localparam int unsigned MPT_PARENT_W = 32;
  localparam int unsigned MPT_UNBOUND_LSB = 384;
  localparam int unsigned MPT_UNBOUND_W = 32;
  localparam int unsigned MPT_PAGES_LSB = 416;
  localparam int unsigned MPT_PAGES_W = 32;
  localparam int unsigned MPT_RSVD1_LSB = 448;
  localparam int unsigned MPT_RSVD1_W = 64;

  // Page list entry, written by the driver before the region becomes valid
  localparam int unsigned MTT_W = 64;
  typedef struct packed {
    logic [51:0] pte_page;
    logic [10:0] gap0;
    logic pte_valid;
  } mtt_t;
  localparam int unsigned MTT_PTE_LSB = 0;
  localparam int unsigned MTT_PTE_W = 64;
  localparam int unsigned MTT_PTE_VALID_LSB = 0;
  localparam int unsigned MTT_PTE_VALID_W = 1;
  localparam int unsigned MTT_PTE_PAGE_LSB = 12;
  localparam int unsigned MTT_PTE_PAGE_W = 52;

  // Tables in host memory, handed over by SETUP_TABLE; also the table field of the context port
  typedef logic [7:0] table_t;
  localparam logic [7:0] TABLE_QP = 8'd0;  // QP hot records
  localparam logic [7:0] TABLE_QP_COLD = 8'd1;
  localparam logic [7:0] TABLE_RSP_RES = 8'd2;
  localparam logic [7:0] TABLE_CQ = 8'd3;
  localparam logic [7:0] TABLE_SRQ = 8'd4;
  localparam logic [7:0] TABLE_MPT = 8'd5;
  localparam logic [7:0] TABLE_MTT = 8'd6;

  // Command
  typedef logic [7:0] cmd_op_t;
  localparam logic [7:0] CMD_OP_NOP = 8'd0;  // Nothing
  localparam logic [7:0] CMD_OP_QUERY_DEVICE = 8'd1;  // What works, nothing else
  localparam logic [7:0] CMD_OP_SETUP_TABLE = 8'd2;  // Memory for the records of one kind
  localparam logic [7:0] CMD_OP_ENABLE = 8'd3;  // All tables are set: open the data path
  localparam logic [7:0] CMD_OP_DISABLE = 8'd4;  // Close it
  localparam logic [7:0] CMD_OP_QUERY_PORT = 8'd5;  // State of the port
  localparam logic [7:0] CMD_OP_SET_PORT = 8'd9;  // Settings of the port
  localparam logic [7:0] CMD_OP_SET_GID = 8'd6;  // Set or clear one of our addresses
  localparam logic [7:0] CMD_OP_SET_DB_PAGES = 8'd7;  // Give a range of QPs, CQs a page, for benches that write records directly
  localparam logic [7:0] CMD_OP_RESOLVE = 8'd8;  // GID to MAC
  localparam logic [7:0] CMD_OP_CREATE_EQ = 8'd16;
  localparam logic [7:0] CMD_OP_DESTROY_EQ = 8'd17;
  localparam logic [7:0] CMD_OP_ALLOC_PD = 8'd20;
  localparam logic [7:0] CMD_OP_DEALLOC_PD = 8'd21;
  localparam logic [7:0] CMD_OP_CREATE_CQ = 8'd24;
  localparam logic [7:0] CMD_OP_DESTROY_CQ = 8'd25;
  localparam logic [7:0] CMD_OP_RESIZE_CQ = 8'd26;  // Another ring for a live CQ
  localparam logic [7:0] CMD_OP_MODIFY_CQ = 8'd27;  // Moderation of its events
  localparam logic [7:0] CMD_OP_QUERY_CQ = 8'd28;
  localparam logic [7:0] CMD_OP_CREATE_SRQ = 8'd32;
  localparam logic [7:0] CMD_OP_MODIFY_SRQ = 8'd33;  // Arm its limit
  localparam logic [7:0] CMD_OP_QUERY_SRQ = 8'd34;
  localparam logic [7:0] CMD_OP_DESTROY_SRQ = 8'd35;
  localparam logic [7:0] CMD_OP_REG_MR = 8'd40;
  localparam logic [7:0] CMD_OP_DEREG_MR = 8'd41;
  localparam logic [7:0] CMD_OP_QUERY_MR = 8'd42;
  localparam logic [7:0] CMD_OP_ALLOC_MW = 8'd43;
  localparam logic [7:0] CMD_OP_DEALLOC_MW = 8'd44;
  localparam logic [7:0] CMD_OP_CREATE_QP = 8'd48;
  localparam logic [7:0] CMD_OP_MODIFY_QP = 8'd49;
  localparam logic [7:0] CMD_OP_QUERY_QP = 8'd50;
  localparam logic [7:0] CMD_OP_DESTROY_QP = 8'd51;
  localparam logic [7:0] CMD_OP_ATTACH_MCAST = 8'd56;
  localparam logic [7:0] CMD_OP_DETACH_MCAST = 8'd57;
  localparam logic [7:0] CMD_OP_CREATE_AH = 8'd58;  // Not supported: address handles are the driver's
  localparam logic [7:0] CMD_OP_SET_CONG = 8'd64;  // Not supported yet
  localparam logic [7:0] CMD_OP_QUERY_CONG = 8'd65;  // Not supported yet

  // Result of a command
  typedef logic [7:0] cmd_status_t;
  localparam logic [7:0] CMD_STATUS_OK = 8'd0;
  localparam logic [7:0] CMD_STATUS_BAD_OP = 8'd1;  // Unknown command
  localparam logic [7:0] CMD_STATUS_BAD_PARAM = 8'd2;  // A field is out of range
  localparam logic [7:0] CMD_STATUS_BAD_INDEX = 8'd3;  // Number outside its table
  localparam logic [7:0] CMD_STATUS_BAD_STATE = 8'd4;  // Object or device is in the wrong state
  localparam logic [7:0] CMD_STATUS_BUSY = 8'd5;  // Object is in use
  localparam logic [7:0] CMD_STATUS_EXISTS = 8'd6;  // Record is not free
  localparam logic [7:0] CMD_STATUS_NOT_SUPPORTED = 8'd7;  // Not in this build
  localparam logic [7:0] CMD_STATUS_NO_RESOURCE = 8'd8;
  localparam logic [7:0] CMD_STATUS_DMA_ERROR = 8'd9;  // Command memory could not be read or written
  localparam logic [7:0] CMD_STATUS_TIMEOUT = 8'd10;  // No answer from the network (RESOLVE, MODIFY_QP)
  localparam logic [7:0] CMD_STATUS_BAD_MASK = 8'd11;  // Attribute mask wrong for the transition
  localparam logic [7:0] CMD_STATUS_INTERNAL = 8'd12;

  // Settings of the port, a bit mask: SET_PORT arg0, port_attr.flags
  typedef logic [31:0] port_flag_t;
  localparam logic [31:0] PORT_FLAG_LOOP = 32'd1;  // Frames to the port's own addresses are looped inside, and multicast to its own members; on after reset

  // SET_DB_PAGES FLAGS: which doorbell entries
  typedef logic [7:0] db_kind_t;
  localparam logic [7:0] DB_KIND_QP = 8'd0;  // SQ and RQ of QPs
  localparam logic [7:0] DB_KIND_CQ = 8'd1;
  localparam logic [7:0] DB_KIND_SRQ = 8'd2;

  // MODIFY_QP arg0: attributes given; the values of verbs.h enum ibv_qp_attr_mask
  typedef logic [31:0] qp_mask_t;
  localparam logic [31:0] QP_MASK_STATE = 32'd1;
  localparam logic [31:0] QP_MASK_CUR_STATE = 32'd2;
  localparam logic [31:0] QP_MASK_EN_SQD_NOTIFY = 32'd4;
  localparam logic [31:0] QP_MASK_ACCESS = 32'd8;
  localparam logic [31:0] QP_MASK_PKEY_INDEX = 32'd16;
  localparam logic [31:0] QP_MASK_PORT = 32'd32;
  localparam logic [31:0] QP_MASK_QKEY = 32'd64;
  localparam logic [31:0] QP_MASK_AV = 32'd128;  // dgid to dmac
  localparam logic [31:0] QP_MASK_PATH_MTU = 32'd256;
  localparam logic [31:0] QP_MASK_TIMEOUT = 32'd512;
  localparam logic [31:0] QP_MASK_RETRY_CNT = 32'd1024;
  localparam logic [31:0] QP_MASK_RNR_RETRY = 32'd2048;
  localparam logic [31:0] QP_MASK_RQ_PSN = 32'd4096;
  localparam logic [31:0] QP_MASK_MAX_RD_ATOMIC = 32'd8192;
  localparam logic [31:0] QP_MASK_ALT_PATH = 32'd16384;  // Refused
  localparam logic [31:0] QP_MASK_MIN_RNR_TIMER = 32'd32768;
  localparam logic [31:0] QP_MASK_SQ_PSN = 32'd65536;
  localparam logic [31:0] QP_MASK_MAX_DEST_RD_ATOMIC = 32'd131072;
  localparam logic [31:0] QP_MASK_PATH_MIG_STATE = 32'd262144;  // Refused
  localparam logic [31:0] QP_MASK_CAP = 32'd524288;  // Refused
  localparam logic [31:0] QP_MASK_DEST_QPN = 32'd1048576;
  localparam logic [31:0] QP_MASK_RATE_LIMIT = 32'd33554432;  // Refused
  localparam logic [31:0] QP_MASK_LANE = 32'd1073741824;  // Ours: traffic-class lane

  localparam int unsigned NO_NUMBER = 32'hffffffff;  // In a field that names an object: none
  localparam int unsigned EQN_ASYNC = 32'h0;  // EQ of device, port, CQ and SRQ errors; exists before ENABLE
  localparam int unsigned GID_VLAN = 32'h10000;  // SET_GID arg2: bits 15:0 are the TCI of a VLAN tag
  localparam int unsigned GID_FLAG_VALID = 32'h1;  // SET_GID FLAGS: set the entry; without it the entry is cleared
  localparam int unsigned MR_FLAG_ALLOC = 32'h1;  // REG_MR FLAGS: only reserve the key, for a later REG_MR work request
  localparam int unsigned CMD_DETAIL_BUFFER = 32'h80;  // cmd_cpl DETAIL: this plus the index of the 32-bit word in the command's buffer
  localparam int unsigned CMD_DETAIL_NONE = 32'hff;  // cmd_cpl DETAIL: no field is to blame

  // Command; fields a command does not name must be zero
  localparam int unsigned CMD_W = 512;
  typedef struct packed {
    logic [15:0] check_magic;
    logic [15:0] check_index;
    logic [31:0] arg5;
    logic [63:0] arg4;
    logic [63:0] arg3;
    logic [63:0] arg2;
    logic [63:0] arg1;
    logic [63:0] arg0;
    logic [63:0] ptr;
    logic [31:0] number;
    logic [15:0] head_id;
    logic [7:0] head_flags;
    logic [7:0] head_op;
  } cmd_t;
  localparam int unsigned CMD_HEAD_LSB = 0;
  localparam int unsigned CMD_HEAD_W = 32;
  localparam int unsigned CMD_HEAD_OP_LSB = 0;
  localparam int unsigned CMD_HEAD_OP_W = 8;
  localparam int unsigned CMD_HEAD_FLAGS_LSB = 8;
  localparam int unsigned CMD_HEAD_FLAGS_W = 8;
  localparam int unsigned CMD_HEAD_ID_LSB = 16;
  localparam int unsigned CMD_HEAD_ID_W = 16;
  localparam int unsigned CMD_NUMBER_LSB = 32;
  localparam int unsigned CMD_NUMBER_W = 32;
  localparam int unsigned CMD_PTR_LSB = 64;
  localparam int unsigned CMD_PTR_W = 64;
  localparam int unsigned CMD_ARG0_LSB = 128;
  localparam int unsigned CMD_ARG0_W = 64;
  localparam int unsigned CMD_ARG1_LSB = 192;
  localparam int unsigned CMD_ARG1_W = 64;
  localparam int unsigned CMD_ARG2_LSB = 256;
  localparam int unsigned CMD_ARG2_W = 64;
  localparam int unsigned CMD_ARG3_LSB = 320;
  localparam int unsigned CMD_ARG3_W = 64;
  localparam int unsigned CMD_ARG4_LSB = 384;
  localparam int unsigned CMD_ARG4_W = 64;
  localparam int unsigned CMD_ARG5_LSB = 448;
  localparam int unsigned CMD_ARG5_W = 32;
  localparam int unsigned CMD_CHECK_LSB = 480;
  localparam int unsigned CMD_CHECK_W = 32;
  localparam int unsigned CMD_CHECK_INDEX_LSB = 480;
  localparam int unsigned CMD_CHECK_INDEX_W = 16;
  localparam int unsigned CMD_CHECK_MAGIC_LSB = 496;
  localparam int unsigned CMD_CHECK_MAGIC_W = 16;

  localparam int unsigned CMD_MAGIC = 32'hc0de;  // cmd.check.MAGIC

  // Command completion
  localparam int unsigned CMD_CPL_W = 128;
  typedef struct packed {
    logic owner_phase;
    logic [14:0] gap0;
    logic [15:0] owner_index;
    logic [31:0] value1;
    logic [31:0] value0;
    logic [7:0] head_detail;
    logic [7:0] head_status;
    logic [15:0] head_id;
  } cmd_cpl_t;
  localparam int unsigned CMD_CPL_HEAD_LSB = 0;
  localparam int unsigned CMD_CPL_HEAD_W = 32;
  localparam int unsigned CMD_CPL_HEAD_ID_LSB = 0;
  localparam int unsigned CMD_CPL_HEAD_ID_W = 16;
  localparam int unsigned CMD_CPL_HEAD_STATUS_LSB = 16;
  localparam int unsigned CMD_CPL_HEAD_STATUS_W = 8;
  localparam int unsigned CMD_CPL_HEAD_DETAIL_LSB = 24;
  localparam int unsigned CMD_CPL_HEAD_DETAIL_W = 8;
  localparam int unsigned CMD_CPL_VALUE0_LSB = 32;
  localparam int unsigned CMD_CPL_VALUE0_W = 32;
  localparam int unsigned CMD_CPL_VALUE1_LSB = 64;
  localparam int unsigned CMD_CPL_VALUE1_W = 32;
  localparam int unsigned CMD_CPL_OWNER_LSB = 96;
  localparam int unsigned CMD_CPL_OWNER_W = 32;
  localparam int unsigned CMD_CPL_OWNER_INDEX_LSB = 96;
  localparam int unsigned CMD_CPL_OWNER_INDEX_W = 16;
  localparam int unsigned CMD_CPL_OWNER_PHASE_LSB = 127;
  localparam int unsigned CMD_CPL_OWNER_PHASE_W = 1;

  // Answer of QUERY_DEVICE: what works, nothing else
  localparam int unsigned DEV_CAPS_W = 1024;
  typedef struct packed {
    logic [31:0] rsvd;
    logic [15:0] cq_moderation_period;
    logic [15:0] cq_moderation_count;
    logic [31:0] max_mcast_grp;
    logic [31:0] max_ah;
    logic [63:0] hca_clock_khz;
    logic [31:0] max_mtt;
    logic [31:0] qpn_first;
    logic [31:0] max_mw;
    logic [31:0] max_pkey;
    logic [31:0] max_gid;
    logic [31:0] db_pages;
    logic [63:0] max_mr_size;
    logic [63:0] page_sizes;
    logic [31:0] max_msg;
    logic [31:0] max_dest_rd_atomic;
    logic [31:0] max_rd_atomic;
    logic [31:0] max_inline;
    logic [31:0] max_sge;
    logic [31:0] max_eq;
    logic [31:0] max_srq_wr;
    logic [31:0] max_srq;
    logic [31:0] max_pd;
    logic [31:0] max_mr;
    logic [31:0] max_cqe;
    logic [31:0] max_cq;
    logic [31:0] max_qp_wr;
    logic [31:0] max_qp;
    logic [31:0] features;
    logic [31:0] fw_version;
  } dev_caps_t;
  localparam int unsigned DEV_CAPS_FW_VERSION_LSB = 0;
  localparam int unsigned DEV_CAPS_FW_VERSION_W = 32;
  localparam int unsigned DEV_CAPS_FEATURES_LSB = 32;
  localparam int unsigned DEV_CAPS_FEATURES_W = 32;
  localparam int unsigned DEV_CAPS_MAX_QP_LSB = 64;
  localparam int unsigned DEV_CAPS_MAX_QP_W = 32;
  localparam int unsigned DEV_CAPS_MAX_QP_WR_LSB = 96;
  localparam int unsigned DEV_CAPS_MAX_QP_WR_W = 32;
  localparam int unsigned DEV_CAPS_MAX_CQ_LSB = 128;
  localparam int unsigned DEV_CAPS_MAX_CQ_W = 32;
  localparam int unsigned DEV_CAPS_MAX_CQE_LSB = 160;
  localparam int unsigned DEV_CAPS_MAX_CQE_W = 32;
  localparam int unsigned DEV_CAPS_MAX_MR_LSB = 192;
  localparam int unsigned DEV_CAPS_MAX_MR_W = 32;
  localparam int unsigned DEV_CAPS_MAX_PD_LSB = 224;
  localparam int unsigned DEV_CAPS_MAX_PD_W = 32;
  localparam int unsigned DEV_CAPS_MAX_SRQ_LSB = 256;
  localparam int unsigned DEV_CAPS_MAX_SRQ_W = 32;
  localparam int unsigned DEV_CAPS_MAX_SRQ_WR_LSB = 288;
  localparam int unsigned DEV_CAPS_MAX_SRQ_WR_W = 32;
  localparam int unsigned DEV_CAPS_MAX_EQ_LSB = 320;
  localparam int unsigned DEV_CAPS_MAX_EQ_W = 32;
  localparam int unsigned DEV_CAPS_MAX_SGE_LSB = 352;
  localparam int unsigned DEV_CAPS_MAX_SGE_W = 32;
  localparam int unsigned DEV_CAPS_MAX_INLINE_LSB = 384;
  localparam int unsigned DEV_CAPS_MAX_INLINE_W = 32;
  localparam int unsigned DEV_CAPS_MAX_RD_ATOMIC_LSB = 416;
  localparam int unsigned DEV_CAPS_MAX_RD_ATOMIC_W = 32;
  localparam int unsigned DEV_CAPS_MAX_DEST_RD_ATOMIC_LSB = 448;
  localparam int unsigned DEV_CAPS_MAX_DEST_RD_ATOMIC_W = 32;
  localparam int unsigned DEV_CAPS_MAX_MSG_LSB = 480;
  localparam int unsigned DEV_CAPS_MAX_MSG_W = 32;
  localparam int unsigned DEV_CAPS_PAGE_SIZES_LSB = 512;
  localparam int unsigned DEV_CAPS_PAGE_SIZES_W = 64;
  localparam int unsigned DEV_CAPS_MAX_MR_SIZE_LSB = 576;
  localparam int unsigned DEV_CAPS_MAX_MR_SIZE_W = 64;
  localparam int unsigned DEV_CAPS_DB_PAGES_LSB = 640;
  localparam int unsigned DEV_CAPS_DB_PAGES_W = 32;
  localparam int unsigned DEV_CAPS_MAX_GID_LSB = 672;
  localparam int unsigned DEV_CAPS_MAX_GID_W = 32;
  localparam int unsigned DEV_CAPS_MAX_PKEY_LSB = 704;
  localparam int unsigned DEV_CAPS_MAX_PKEY_W = 32;
  localparam int unsigned DEV_CAPS_MAX_MW_LSB = 736;
  localparam int unsigned DEV_CAPS_MAX_MW_W = 32;
  localparam int unsigned DEV_CAPS_QPN_FIRST_LSB = 768;
  localparam int unsigned DEV_CAPS_QPN_FIRST_W = 32;
  localparam int unsigned DEV_CAPS_MAX_MTT_LSB = 800;
  localparam int unsigned DEV_CAPS_MAX_MTT_W = 32;
  localparam int unsigned DEV_CAPS_HCA_CLOCK_KHZ_LSB = 832;
  localparam int unsigned DEV_CAPS_HCA_CLOCK_KHZ_W = 64;
  localparam int unsigned DEV_CAPS_MAX_AH_LSB = 896;
  localparam int unsigned DEV_CAPS_MAX_AH_W = 32;
  localparam int unsigned DEV_CAPS_MAX_MCAST_GRP_LSB = 928;
  localparam int unsigned DEV_CAPS_MAX_MCAST_GRP_W = 32;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_LSB = 960;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_W = 32;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_COUNT_LSB = 960;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_COUNT_W = 16;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_PERIOD_LSB = 976;
  localparam int unsigned DEV_CAPS_CQ_MODERATION_PERIOD_W = 16;
  localparam int unsigned DEV_CAPS_RSVD_LSB = 992;
  localparam int unsigned DEV_CAPS_RSVD_W = 32;

  // Answer of QUERY_PORT
  localparam int unsigned PORT_ATTR_W = 512;
  typedef struct packed {
    logic [63:0] rsvd3;
    logic [63:0] rsvd2;
    logic [63:0] rsvd1;
    logic [31:0] rsvd0;
    logic [31:0] flags;
    logic [31:0] gid_count;
    logic [31:0] eth_mtu;
    logic [63:0] mac;
    logic [31:0] gbps;
    logic [31:0] active_mtu;
    logic [31:0] max_mtu;
    logic [31:0] state;
  } port_attr_t;
  localparam int unsigned PORT_ATTR_STATE_LSB = 0;
  localparam int unsigned PORT_ATTR_STATE_W = 32;
  localparam int unsigned PORT_ATTR_MAX_MTU_LSB = 32;
  localparam int unsigned PORT_ATTR_MAX_MTU_W = 32;
  localparam int unsigned PORT_ATTR_ACTIVE_MTU_LSB = 64;
  localparam int unsigned PORT_ATTR_ACTIVE_MTU_W = 32;
  localparam int unsigned PORT_ATTR_GBPS_LSB = 96;
  localparam int unsigned PORT_ATTR_GBPS_W = 32;
  localparam int unsigned PORT_ATTR_MAC_LSB = 128;
  localparam int unsigned PORT_ATTR_MAC_W = 64;
  localparam int unsigned PORT_ATTR_ETH_MTU_LSB = 192;
  localparam int unsigned PORT_ATTR_ETH_MTU_W = 32;
  localparam int unsigned PORT_ATTR_GID_COUNT_LSB = 224;
  localparam int unsigned PORT_ATTR_GID_COUNT_W = 32;
  localparam int unsigned PORT_ATTR_FLAGS_LSB = 256;
  localparam int unsigned PORT_ATTR_FLAGS_W = 32;
  localparam int unsigned PORT_ATTR_RSVD0_LSB = 288;
  localparam int unsigned PORT_ATTR_RSVD0_W = 32;
  localparam int unsigned PORT_ATTR_RSVD1_LSB = 320;
  localparam int unsigned PORT_ATTR_RSVD1_W = 64;
  localparam int unsigned PORT_ATTR_RSVD2_LSB = 384;
  localparam int unsigned PORT_ATTR_RSVD2_W = 64;
  localparam int unsigned PORT_ATTR_RSVD3_LSB = 448;
  localparam int unsigned PORT_ATTR_RSVD3_W = 64;

  // QP attributes, input of MODIFY_QP (cmd.arg0 = verbs attr_mask) and output of QUERY_QP
  localparam int unsigned QP_ATTR_W = 1024;
  typedef struct packed {
    logic [31:0] rsvd;
    logic [31:0] sq_draining;
    logic [31:0] lane;
    logic [31:0] en_sqd_notify;
    logic [63:0] dmac;
    logic [31:0] sport;
    logic [31:0] sl;
    logic [31:0] hop_limit;
    logic [31:0] tclass;
    logic [31:0] flow_label;
    logic [31:0] sgid_index;
    logic [127:0] dgid;
    logic [31:0] rnr_retry;
    logic [31:0] retry_cnt;
    logic [31:0] timeout;
    logic [31:0] min_rnr_timer;
    logic [31:0] max_dest_rd_atomic;
    logic [31:0] max_rd_atomic;
    logic [31:0] port;
    logic [31:0] pkey_index;
    logic [31:0] access;
    logic [31:0] dest_qpn;
    logic [31:0] sq_psn;
    logic [31:0] rq_psn;
    logic [31:0] qkey;
    logic [31:0] path_mtu;
    logic [31:0] cur_state;
    logic [31:0] state;
  } qp_attr_t;
  localparam int unsigned QP_ATTR_STATE_LSB = 0;
  localparam int unsigned QP_ATTR_STATE_W = 32;
  localparam int unsigned QP_ATTR_CUR_STATE_LSB = 32;
  localparam int unsigned QP_ATTR_CUR_STATE_W = 32;
  localparam int unsigned QP_ATTR_PATH_MTU_LSB = 64;
  localparam int unsigned QP_ATTR_PATH_MTU_W = 32;
  localparam int unsigned QP_ATTR_QKEY_LSB = 96;
  localparam int unsigned QP_ATTR_QKEY_W = 32;
  localparam int unsigned QP_ATTR_RQ_PSN_LSB = 128;
  localparam int unsigned QP_ATTR_RQ_PSN_W = 32;
  localparam int unsigned QP_ATTR_SQ_PSN_LSB = 160;
  localparam int unsigned QP_ATTR_SQ_PSN_W = 32;
  localparam int unsigned QP_ATTR_DEST_QPN_LSB = 192;
  localparam int unsigned QP_ATTR_DEST_QPN_W = 32;
  localparam int unsigned QP_ATTR_ACCESS_LSB = 224;
  localparam int unsigned QP_ATTR_ACCESS_W = 32;
  localparam int unsigned QP_ATTR_PKEY_INDEX_LSB = 256;
  localparam int unsigned QP_ATTR_PKEY_INDEX_W = 32;
  localparam int unsigned QP_ATTR_PORT_LSB = 288;
  localparam int unsigned QP_ATTR_PORT_W = 32;
  localparam int unsigned QP_ATTR_MAX_RD_ATOMIC_LSB = 320;
  localparam int unsigned QP_ATTR_MAX_RD_ATOMIC_W = 32;
  localparam int unsigned QP_ATTR_MAX_DEST_RD_ATOMIC_LSB = 352;
  localparam int unsigned QP_ATTR_MAX_DEST_RD_ATOMIC_W = 32;
  localparam int unsigned QP_ATTR_MIN_RNR_TIMER_LSB = 384;
  localparam int unsigned QP_ATTR_MIN_RNR_TIMER_W = 32;
  localparam int unsigned QP_ATTR_TIMEOUT_LSB = 416;
  localparam int unsigned QP_ATTR_TIMEOUT_W = 32;
  localparam int unsigned QP_ATTR_RETRY_CNT_LSB = 448;
  localparam int unsigned QP_ATTR_RETRY_CNT_W = 32;
  localparam int unsigned QP_ATTR_RNR_RETRY_LSB = 480;
  localparam int unsigned QP_ATTR_RNR_RETRY_W = 32;
  localparam int unsigned QP_ATTR_DGID_LSB = 512;
  localparam int unsigned QP_ATTR_DGID_W = 128;
  localparam int unsigned QP_ATTR_SGID_INDEX_LSB = 640;
  localparam int unsigned QP_ATTR_SGID_INDEX_W = 32;
  localparam int unsigned QP_ATTR_FLOW_LABEL_LSB = 672;
  localparam int unsigned QP_ATTR_FLOW_LABEL_W = 32;
  localparam int unsigned QP_ATTR_TCLASS_LSB = 704;
  localparam int unsigned QP_ATTR_TCLASS_W = 32;
  localparam int unsigned QP_ATTR_HOP_LIMIT_LSB = 736;
  localparam int unsigned QP_ATTR_HOP_LIMIT_W = 32;
  localparam int unsigned QP_ATTR_SL_LSB = 768;
  localparam int unsigned QP_ATTR_SL_W = 32;
  localparam int unsigned QP_ATTR_SPORT_LSB = 800;
  localparam int unsigned QP_ATTR_SPORT_W = 32;
  localparam int unsigned QP_ATTR_DMAC_LSB = 832;
  localparam int unsigned QP_ATTR_DMAC_W = 64;
  localparam int unsigned QP_ATTR_EN_SQD_NOTIFY_LSB = 896;
  localparam int unsigned QP_ATTR_EN_SQD_NOTIFY_W = 32;
  localparam int unsigned QP_ATTR_LANE_LSB = 928;
  localparam int unsigned QP_ATTR_LANE_W = 32;
  localparam int unsigned QP_ATTR_SQ_DRAINING_LSB = 960;
  localparam int unsigned QP_ATTR_SQ_DRAINING_W = 32;
  localparam int unsigned QP_ATTR_RSVD_LSB = 992;
  localparam int unsigned QP_ATTR_RSVD_W = 32;

  // Input buffer of CREATE_QP; the driver has cleared the ring memory
  localparam int unsigned QP_CREATE_W = 512;
  typedef struct packed {
    logic [63:0] user;
    logic [31:0] async_eqn;
    logic [31:0] db_page;
    logic [63:0] rq_base;
    logic [63:0] sq_base;
    logic [31:0] rq_stride;
    logic [31:0] rq_log2;
    logic [31:0] sq_log2;
    logic [31:0] srqn;
    logic [31:0] rq_cqn;
    logic [31:0] sq_cqn;
    logic [31:0] pd;
    logic [31:0] type_;
  } qp_create_t;
  localparam int unsigned QP_CREATE_TYPE_LSB = 0;
  localparam int unsigned QP_CREATE_TYPE_W = 32;
  localparam int unsigned QP_CREATE_PD_LSB = 32;
  localparam int unsigned QP_CREATE_PD_W = 32;
  localparam int unsigned QP_CREATE_SQ_CQN_LSB = 64;
  localparam int unsigned QP_CREATE_SQ_CQN_W = 32;
  localparam int unsigned QP_CREATE_RQ_CQN_LSB = 96;
  localparam int unsigned QP_CREATE_RQ_CQN_W = 32;
  localparam int unsigned QP_CREATE_SRQN_LSB = 128;
  localparam int unsigned QP_CREATE_SRQN_W = 32;
  localparam int unsigned QP_CREATE_SQ_LOG2_LSB = 160;
  localparam int unsigned QP_CREATE_SQ_LOG2_W = 32;
  localparam int unsigned QP_CREATE_RQ_LOG2_LSB = 192;
  localparam int unsigned QP_CREATE_RQ_LOG2_W = 32;
  localparam int unsigned QP_CREATE_RQ_STRIDE_LSB = 224;
  localparam int unsigned QP_CREATE_RQ_STRIDE_W = 32;
  localparam int unsigned QP_CREATE_SQ_BASE_LSB = 256;
  localparam int unsigned QP_CREATE_SQ_BASE_W = 64;
  localparam int unsigned QP_CREATE_RQ_BASE_LSB = 320;
  localparam int unsigned QP_CREATE_RQ_BASE_W = 64;
  localparam int unsigned QP_CREATE_DB_PAGE_LSB = 384;
  localparam int unsigned QP_CREATE_DB_PAGE_W = 32;
  localparam int unsigned QP_CREATE_ASYNC_EQN_LSB = 416;
  localparam int unsigned QP_CREATE_ASYNC_EQN_W = 32;
  localparam int unsigned QP_CREATE_USER_LSB = 448;
  localparam int unsigned QP_CREATE_USER_W = 64;

  // Input buffer of CREATE_CQ
  localparam int unsigned CQ_CREATE_W = 512;
  typedef struct packed {
    logic [63:0] rsvd4;
    logic [63:0] rsvd3;
    logic [63:0] rsvd2;
    logic [63:0] rsvd1;
    logic [31:0] rsvd0;
    logic [31:0] db_page;
    logic [31:0] eqn;
    logic [31:0] log2;
    logic [63:0] ci_iova;
    logic [63:0] base;
  } cq_create_t;
  localparam int unsigned CQ_CREATE_BASE_LSB = 0;
  localparam int unsigned CQ_CREATE_BASE_W = 64;
  localparam int unsigned CQ_CREATE_CI_IOVA_LSB = 64;
  localparam int unsigned CQ_CREATE_CI_IOVA_W = 64;
  localparam int unsigned CQ_CREATE_LOG2_LSB = 128;
  localparam int unsigned CQ_CREATE_LOG2_W = 32;
  localparam int unsigned CQ_CREATE_EQN_LSB = 160;
  localparam int unsigned CQ_CREATE_EQN_W = 32;
  localparam int unsigned CQ_CREATE_DB_PAGE_LSB = 192;
  localparam int unsigned CQ_CREATE_DB_PAGE_W = 32;
  localparam int unsigned CQ_CREATE_RSVD0_LSB = 224;
  localparam int unsigned CQ_CREATE_RSVD0_W = 32;
  localparam int unsigned CQ_CREATE_RSVD1_LSB = 256;
  localparam int unsigned CQ_CREATE_RSVD1_W = 64;
  localparam int unsigned CQ_CREATE_RSVD2_LSB = 320;
  localparam int unsigned CQ_CREATE_RSVD2_W = 64;
  localparam int unsigned CQ_CREATE_RSVD3_LSB = 384;
  localparam int unsigned CQ_CREATE_RSVD3_W = 64;
  localparam int unsigned CQ_CREATE_RSVD4_LSB = 448;
  localparam int unsigned CQ_CREATE_RSVD4_W = 64;

  // Head of a firmware image, followed by the RAM contents
  localparam int unsigned FW_HEADER_W = 256;
  typedef struct packed {
    logic [63:0] rsvd;
    logic [31:0] entry;
    logic [31:0] fw_version;
    logic [31:0] crc;
    logic [31:0] length;
    logic [31:0] contract;
    logic [31:0] magic;
  } fw_header_t;
  localparam int unsigned FW_HEADER_MAGIC_LSB = 0;
  localparam int unsigned FW_HEADER_MAGIC_W = 32;
  localparam int unsigned FW_HEADER_CONTRACT_LSB = 32;
  localparam int unsigned FW_HEADER_CONTRACT_W = 32;
  localparam int unsigned FW_HEADER_LENGTH_LSB = 64;
  localparam int unsigned FW_HEADER_LENGTH_W = 32;
  localparam int unsigned FW_HEADER_CRC_LSB = 96;
  localparam int unsigned FW_HEADER_CRC_W = 32;
  localparam int unsigned FW_HEADER_FW_VERSION_LSB = 128;
  localparam int unsigned FW_HEADER_FW_VERSION_W = 32;
  localparam int unsigned FW_HEADER_ENTRY_LSB = 160;
  localparam int unsigned FW_HEADER_ENTRY_W = 32;
  localparam int unsigned FW_HEADER_RSVD_LSB = 192;
  localparam int unsigned FW_HEADER_RSVD_W = 64;

  // What a send queue operation is: the QP types that have it, its kind, its marks; valid is 0 for a number that is none
  typedef struct packed {
    logic valid;
    cqe_op_t cqe_op;
    logic [31:0] needs;  // bits of REG FEATURES, all of them
    logic rc;
    logic uc;
    logic ud;
    logic gsi;  // QP 1
    logic send;  // Payload for a receive WQE of the peer
    logic write;  // Payload for an address of the peer
    logic read;  // One request a chunk; the peer answers with the bytes
    logic atomic;  // Operands go out, the old value comes back: STRUCT wqe_atomic
    logic local_;  // Changes a key of ours, no packet: STRUCT wqe_local
    logic nop;  // No packet
    logic inline;  // Its payload may be in the WQE
    logic push;  // Its block may come with the doorbell
    logic res;  // Takes a responder resource of the peer, and the answer carries data: MAX_RD_ATOMIC, FENCE
    logic rwr;  // Consumes a receive WQE of the peer
    logic imm;  // Carries immediate data
    logic inv;  // Carries a key to invalidate
    logic compare;  // Has a compare operand
  } wqe_info_t;

  function automatic wqe_info_t wqe_info(input logic [7:0] op);
    wqe_info = '0
               | (op == WQE_OP_SEND ? {1'b1, CQE_OP_SEND, 32'h0, 4'b1111, 6'b100000, 7'b1101000} : '0)
               | (op == WQE_OP_SEND_IMM ? {1'b1, CQE_OP_SEND, 32'h0, 4'b1111, 6'b100000, 7'b1101100} : '0)
               | (op == WQE_OP_SEND_INV ? {1'b1, CQE_OP_SEND, 32'h20, 4'b1000, 6'b100000, 7'b1101010} : '0)
               | (op == WQE_OP_WRITE ? {1'b1, CQE_OP_WRITE, 32'h0, 4'b1100, 6'b010000, 7'b1100000} : '0)
               | (op == WQE_OP_WRITE_IMM ? {1'b1, CQE_OP_WRITE, 32'h0, 4'b1100, 6'b010000, 7'b1101100} : '0)
               | (op == WQE_OP_READ ? {1'b1, CQE_OP_READ, 32'h0, 4'b1000, 6'b001000, 7'b0110000} : '0)
               | (op == WQE_OP_ATOMIC_CS ? {1'b1, CQE_OP_ATOMIC, 32'h8, 4'b1000, 6'b000100, 7'b0010001} : '0)
               | (op == WQE_OP_ATOMIC_FA ? {1'b1, CQE_OP_ATOMIC, 32'h8, 4'b1000, 6'b000100, 7'b0010000} : '0)
               | (op == WQE_OP_LOCAL_INV ? {1'b1, CQE_OP_LOCAL, 32'h20, 4'b1000, 6'b000010, 7'b0000000} : '0)
               | (op == WQE_OP_REG_MR ? {1'b1, CQE_OP_LOCAL, 32'h20, 4'b1000, 6'b000010, 7'b0000000} : '0)
               | (op == WQE_OP_BIND_MW ? {1'b1, CQE_OP_LOCAL, 32'h20, 4'b1000, 6'b000010, 7'b0000000} : '0)
               | (op == WQE_OP_NOP ? {1'b1, CQE_OP_LOCAL, 32'h0, 4'b1111, 6'b000001, 7'b1000000} : '0);
  endfunction

  // BTH opcode of a packet of an operation, if it is the first, the last of its message
  function automatic logic [7:0] bth_opcode(input logic [7:0] op, input logic [2:0] transport,
                                            input logic first, input logic last);
    bth_opcode = {transport, 5'h0
                 | (op != WQE_OP_SEND ? 5'h0 : first ? (last ? 5'h04 : 5'h00) : last ? 5'h02 : 5'h01)
                 | (op != WQE_OP_SEND_IMM ? 5'h0 : first ? (last ? 5'h05 : 5'h00) : last ? 5'h03 : 5'h01)
                 | (op != WQE_OP_SEND_INV ? 5'h0 : first ? (last ? 5'h17 : 5'h00) : last ? 5'h16 : 5'h01)
                 | (op != WQE_OP_WRITE ? 5'h0 : first ? (last ? 5'h0a : 5'h06) : last ? 5'h08 : 5'h07)
                 | (op != WQE_OP_WRITE_IMM ? 5'h0 : first ? (last ? 5'h0b : 5'h06) : last ? 5'h09 : 5'h07)
                 | (op != WQE_OP_READ ? 5'h0 : first ? (last ? 5'h0c : 5'h0c) : last ? 5'h0c : 5'h0c)
                 | (op != WQE_OP_ATOMIC_CS ? 5'h0 : first ? (last ? 5'h13 : 5'h13) : last ? 5'h13 : 5'h13)
                 | (op != WQE_OP_ATOMIC_FA ? 5'h0 : first ? (last ? 5'h14 : 5'h14) : last ? 5'h14 : 5'h14)};
  endfunction

  // Counters: index into the counter block
  localparam int unsigned COUNTERS = 128;
  localparam int unsigned COUNTER_RX_PACKETS = 0;  // Frames received from the MAC
  localparam int unsigned COUNTER_RX_BYTES = 1;  // Bytes of these frames, without FCS
  localparam int unsigned COUNTER_TX_PACKETS = 2;  // Frames sent
  localparam int unsigned COUNTER_TX_BYTES = 3;  // Bytes of these frames, without FCS
  localparam int unsigned COUNTER_RX_ROCE_PACKETS = 4;  // RoCE v2 packets that passed all header checks and the ICRC
  localparam int unsigned COUNTER_RX_RAW_PACKETS = 5;  // Frames handed to firmware
  localparam int unsigned COUNTER_RX_MAC_ERROR = 6;  // Dropped: MAC error (bad FCS, truncated)
  localparam int unsigned COUNTER_RX_LENGTH_ERROR = 7;  // Dropped: lengths of frame, IP, UDP and headers disagree
  localparam int unsigned COUNTER_RX_IP_ERROR = 8;  // Dropped: IPv4 version, IHL, checksum, fragment; IPv6 extension header
  localparam int unsigned COUNTER_RX_OPCODE_ERROR = 9;  // Dropped: undefined BTH opcode or TVer
  localparam int unsigned COUNTER_RX_ICRC_ERROR = 10;  // Dropped: ICRC wrong
  localparam int unsigned COUNTER_RX_NO_BUFFER = 11;  // Dropped: RX pool empty or QP over its share
  localparam int unsigned COUNTER_RX_RAW_DROP = 12;  // Dropped: raw frame with no room at firmware
  localparam int unsigned COUNTER_RX_NOT_OURS = 13;  // Dropped: destination address or VLAN not in the GID table
  localparam int unsigned COUNTER_RX_BAD_QPN = 14;  // Dropped: QP does not exist or transport differs
  localparam int unsigned COUNTER_RX_QP_STATE = 15;  // Dropped: QP state takes no packets
  localparam int unsigned COUNTER_RX_BAD_ADDR = 16;  // Dropped: source or destination IP is not the QP's
  localparam int unsigned COUNTER_RX_BAD_PKEY = 17;  // Dropped: P_Key
  localparam int unsigned COUNTER_RX_BAD_QKEY = 18;  // Dropped: Q_Key
  localparam int unsigned COUNTER_RX_CTX_ERROR = 19;  // Dropped: context record could not be read or is damaged
  localparam int unsigned COUNTER_DUPLICATE_REQUEST = 20;  // Responder: duplicate requests
  localparam int unsigned COUNTER_OUT_OF_SEQUENCE = 21;  // Responder: packets ahead of the expected PSN
  localparam int unsigned COUNTER_RNR_NAK_SENT = 22;  // Responder: RNR NAKs sent
  localparam int unsigned COUNTER_SEQ_NAK_SENT = 23;  // Responder: sequence NAKs sent
  localparam int unsigned COUNTER_RESP_INV_REQ = 24;  // Responder: NAK invalid request sent
  localparam int unsigned COUNTER_RESP_ACCESS_ERR = 25;  // Responder: NAK remote access error sent
  localparam int unsigned COUNTER_RESP_OP_ERR = 26;  // Responder: NAK remote operational error sent
  localparam int unsigned COUNTER_RX_SEND = 27;  // Responder: SEND messages executed
  localparam int unsigned COUNTER_RX_WRITE = 28;  // Responder: WRITE messages executed
  localparam int unsigned COUNTER_RX_READ = 29;  // Responder: READ requests accepted
  localparam int unsigned COUNTER_RX_ATOMIC = 30;  // Responder: atomics executed
  localparam int unsigned COUNTER_ACK_SENT = 31;  // ACKs sent (not NAKs)
  localparam int unsigned COUNTER_READ_RSP_SENT = 32;  // READ response packets sent
  localparam int unsigned COUNTER_RX_ACK = 33;  // Requester: ACKs received
  localparam int unsigned COUNTER_RX_READ_RSP = 34;  // Requester: READ response packets accepted
  localparam int unsigned COUNTER_PACKET_SEQ_ERR = 35;  // Requester: sequence NAKs received
  localparam int unsigned COUNTER_RNR_NAK_RCVD = 36;  // Requester: RNR NAKs received
  localparam int unsigned COUNTER_IMPLIED_NAK = 37;  // Requester: implied NAKs acted upon
  localparam int unsigned COUNTER_ACK_TIMEOUT = 38;  // Requester: ack timer expired
  localparam int unsigned COUNTER_REQ_REM_INV = 39;  // Requester: NAK invalid request received
  localparam int unsigned COUNTER_REQ_REM_ACCESS = 40;  // Requester: NAK remote access error received
  localparam int unsigned COUNTER_REQ_REM_OP = 41;  // Requester: NAK remote operational error received
  localparam int unsigned COUNTER_RETRY_EXC = 42;  // Requester: QPs ended by retry_cnt
  localparam int unsigned COUNTER_RNR_EXC = 43;  // Requester: QPs ended by rnr_retry
  localparam int unsigned COUNTER_RX_GHOST_ACK = 44;  // Requester: responses ignored (old, not yet sent, reserved)
  localparam int unsigned COUNTER_RETX_PACKETS = 45;  // Request packets sent again
  localparam int unsigned COUNTER_GO_BACKS = 46;  // Go-backs begun
  localparam int unsigned COUNTER_TX_STALE = 47;  // Request jobs discarded by a later go-back or reset
  localparam int unsigned COUNTER_LOC_PROT_ERR = 48;  // Requester: error completions for local protection
  localparam int unsigned COUNTER_LOC_OP_ERR = 49;  // Requester: error completions for malformed WQEs and refused local operations
  localparam int unsigned COUNTER_CQE_ERR = 50;  // Error completions written, send side
  localparam int unsigned COUNTER_CQE_FLUSH = 51;  // Flush completions written
  localparam int unsigned COUNTER_CQE_WRITTEN = 52;  // All completions written
  localparam int unsigned COUNTER_CQ_OVERFLOW = 53;  // CQs that overflowed
  localparam int unsigned COUNTER_EQE_WRITTEN = 54;  // Events written
  localparam int unsigned COUNTER_EQ_OVERFLOW = 55;  // Events lost because an EQ was full
  localparam int unsigned COUNTER_MSIX_SENT = 56;  // Interrupt messages sent
  localparam int unsigned COUNTER_DB_SQ = 57;  // Send doorbells taken
  localparam int unsigned COUNTER_DB_RQ = 58;  // Receive doorbells taken
  localparam int unsigned COUNTER_DB_CQ = 59;  // CQ arms taken
  localparam int unsigned COUNTER_DB_BAD_PAGE = 60;  // Doorbells from a page that does not own the object
  localparam int unsigned COUNTER_DB_BAD_INDEX = 61;  // Doorbells with an index behind or too far ahead
  localparam int unsigned COUNTER_DB_BAD_FORM = 62;  // BAR2 writes that are no aligned 64-bit store or name no doorbell
  localparam int unsigned COUNTER_DMA_RD = 63;  // Memory read requests (TLPs)
  localparam int unsigned COUNTER_DMA_RD_BYTES = 64;  // Bytes read
  localparam int unsigned COUNTER_DMA_WR = 65;  // Memory write requests (TLPs)
  localparam int unsigned COUNTER_DMA_WR_BYTES = 66;  // Bytes written
  localparam int unsigned COUNTER_DMA_RD_ERR = 67;  // Reads that ended with UR, CA or poison
  localparam int unsigned COUNTER_DMA_RD_TIMEOUT = 68;  // Reads whose completion never came
  localparam int unsigned COUNTER_CPL_UNEXPECTED = 69;  // Completions with no read outstanding
  localparam int unsigned COUNTER_BAR_BAD = 70;  // BAR accesses answered UR or ignored
  localparam int unsigned COUNTER_QPC_HIT = 71;  // QP context cache hits
  localparam int unsigned COUNTER_QPC_MISS = 72;  // QP context cache misses
  localparam int unsigned COUNTER_QPC_WRITEBACK = 73;  // QP context parts written back
  localparam int unsigned COUNTER_MPT_HIT = 74;  // MR cache hits
  localparam int unsigned COUNTER_MPT_MISS = 75;  // MR cache misses
  localparam int unsigned COUNTER_MTT_HIT = 76;  // Page list cache hits
  localparam int unsigned COUNTER_MTT_MISS = 77;  // Page list cache misses
  localparam int unsigned COUNTER_WQE_FETCH = 78;  // WQE reads issued
  localparam int unsigned COUNTER_RQE_FETCH = 79;  // Receive WQE reads issued
  localparam int unsigned COUNTER_STALL_RX = 80;  // Cycles in which the RX front end could not pass a packet on
  localparam int unsigned COUNTER_STALL_RSP = 81;  // Cycles in which the responder waited for a following stage
  localparam int unsigned COUNTER_STALL_CMP = 82;  // Cycles in which the completer waited for a following stage
  localparam int unsigned COUNTER_STALL_REQ = 83;  // Cycles in which the requester waited for a following stage
  localparam int unsigned COUNTER_STALL_TX = 84;  // Cycles in which a packet waited for its payload
  localparam int unsigned COUNTER_STALL_DMA_WR = 85;  // Cycles in which a posted write waited for credits
  localparam int unsigned COUNTER_STALL_DMA_RD = 86;  // Cycles in which a read waited for a tag or credits
  localparam int unsigned COUNTER_RX_PARKED = 87;  // Packets parked for a context, RQE or MR fill
  localparam int unsigned COUNTER_CNP_SENT = 88;  // CNPs sent
  localparam int unsigned COUNTER_CNP_HANDLED = 89;  // CNPs handled
  localparam int unsigned COUNTER_ECN_MARKED = 90;  // RoCE packets received with CE
  localparam int unsigned COUNTER_CQE_COALESCED_ACK = 91;  // Acknowledge requests answered by a later ACK
  localparam int unsigned COUNTER_RX_DUP_ACK = 92;  // READ responses or atomic answers already taken
  localparam int unsigned COUNTER_CPU_TRAP = 93;  // Traps taken by the management core besides interrupts
  localparam int unsigned COUNTER_DMA_WR_DROPPED = 94;  // Memory writes not sent: bus mastering is off, or a reset came
  localparam int unsigned COUNTER_RX_UC_DROP = 95;  // UC packets dropped: gap, opcode sequence, rights, length, key, receive buffer
  localparam int unsigned COUNTER_RX_UD_DROP = 96;  // UD packets dropped: length, or longer than the receive buffer
  localparam int unsigned COUNTER_RX_NO_RECV = 97;  // UC and UD packets dropped for want of a receive
  localparam int unsigned COUNTER_RX_MULTICAST = 98;  // Dropped: multicast packet whose group no QP is attached to, or too many of them wait already
  localparam int unsigned COUNTER_SRQ_ERROR = 99;  // SRQs that failed: bad slot number, unreadable ring, producer index beyond the ring
  localparam int unsigned COUNTER_LOCAL_OPS = 100;  // Requester: invalidations, registrations and binds done
  localparam int unsigned COUNTER_UD_TOO_LONG = 101;  // Requester: datagrams longer than the MTU, completed without a packet
  localparam int unsigned COUNTER_PUSH_TAKEN = 102;  // Doorbells whose WQE came with them and needed no fetch
  localparam int unsigned COUNTER_PUSH_IGNORED = 103;  // Doorbells in the push window whose WQE was, or is, to be fetched all the same
  localparam int unsigned COUNTER_ATOMIC_RSP_SENT = 104;  // ATOMIC ACKNOWLEDGE packets sent
  localparam int unsigned COUNTER_RX_SRQ_WAIT = 105;  // Responder: packets that found no slot of their SRQ on chip
  localparam int unsigned COUNTER_RESP_LOC_LEN = 106;  // Responder: messages longer than their receive
  localparam int unsigned COUNTER_RESP_CQE_ERR = 107;  // Error completions written, receive side, flushed ones not counted
  localparam int unsigned COUNTER_RX_ATOMIC_RSP = 108;  // Requester: atomic answers accepted
  localparam int unsigned COUNTER_BAD_RESP = 109;  // Requester: QPs ended by a response of the wrong kind or length
  localparam int unsigned COUNTER_TX_RSP_DROPPED = 110;  // Responder: responses and ACKs not sent: those behind one whose payload could not be read
  localparam int unsigned COUNTER_RX_SHARE = 111;  // Requests dropped because their QP holds its share of the receive path (counted in out_of_buffer too)
  localparam int unsigned COUNTER_MR_BAD_KEY = 112;  // Key refused: no such region or window, wrong tag, not valid now
  localparam int unsigned COUNTER_MR_BAD_PD = 113;  // Key refused: protection domain, or QP of a type 2 window
  localparam int unsigned COUNTER_MR_BAD_RIGHTS = 114;  // Key refused: right missing; invalidate, bind or registration not allowed
  localparam int unsigned COUNTER_MR_BAD_BOUNDS = 115;  // Key refused: outside the region, page list entry not valid
  localparam int unsigned COUNTER_TX_LOOP_PACKETS = 116;  // Frames sent to ourselves, which did not go out on the wire; part of tx_packets
  localparam int unsigned COUNTER_TX_LOOP_BYTES = 117;  // Bytes of these frames, without FCS; part of tx_bytes
  localparam int unsigned COUNTER_RX_LOOP_PACKETS = 118;  // Frames received from ourselves, copies of multicast included; part of rx_packets
  localparam int unsigned COUNTER_RX_LOOP_BYTES = 119;  // Bytes of these frames, without FCS; part of rx_bytes
  localparam int unsigned COUNTER_RX_OVERRUN = 120;  // Frames of the wire dropped in front of the receive path, not part of rx_packets: the wire brought more than it takes, and a looped frame had its turn
  localparam int unsigned COUNTER_CQ_CROWDED = 121;  // Times a full CQ held its share of waiting completions, and its QPs began to wait
  localparam int unsigned COUNTER_NET_USED = 122;  // Frames that firmware answered or learned from
  localparam int unsigned COUNTER_NET_IGNORED = 123;  // Firmware had no use for: other protocols and types, not to or about an address of ours or a neighbour
  localparam int unsigned COUNTER_NET_INVALID = 124;  // Dropped by firmware: checksum, length, code, hop limit, option or address that the protocol forbids
  localparam int unsigned COUNTER_NET_BAD_SOURCE = 125;  // Dropped by firmware: from an address, or a MAC, that no host can have
  localparam int unsigned COUNTER_NET_UNSOLICITED = 126;  // Not believed: from a host that was not asked, or nothing that may change what is known
  localparam int unsigned COUNTER_NET_CONFLICT = 127;  // Frames of another host that uses an address of ours
  // Those that each QP has too
  localparam logic [127:0] COUNTER_OF_QP = 128'h00006423900000000003fff807f78800;
  localparam int unsigned COUNTER_W = 7;

  // What the parts of the device count: strobes, with the QPN of what QPs count too

  // Interrupts
  localparam int unsigned MSIX_EVENTS_W = 1;
  typedef struct packed {
    logic msix_sent;
  } msix_events_t;

  // Writes to host memory
  localparam int unsigned DMA_WRITE_EVENTS_W = 16;
  typedef struct packed {
    logic dma_wr;
    logic [12:0] dma_wr_bytes;
    logic stall_dma_wr;
    logic dma_wr_dropped;
  } dma_write_events_t;

  // Their completions
  localparam int unsigned DMA_RD_CPL_EVENTS_W = 3;
  typedef struct packed {
    logic dma_rd_err;
    logic dma_rd_timeout;
    logic cpl_unexpected;
  } dma_rd_cpl_events_t;

  // Reads of host memory
  localparam int unsigned DMA_READ_EVENTS_W = 18;
  typedef struct packed {
    logic dma_rd;
    logic [12:0] dma_rd_bytes;
    logic stall_dma_rd;
    dma_rd_cpl_events_t dma_rd_cpl;
  } dma_read_events_t;

  // Accesses of the host
  localparam int unsigned TLP_RX_EVENTS_W = 2;
  typedef struct packed {
    logic db_bad_form;
    logic bar_bad;
  } tlp_rx_events_t;

  // The host interface
  localparam int unsigned HOST_IF_EVENTS_W = 37;
  typedef struct packed {
    tlp_rx_events_t tlp_rx;
    dma_read_events_t dma_read;
    dma_write_events_t dma_write;
    msix_events_t msix;
  } host_if_events_t;

  // Management core
  localparam int unsigned MGMT_EVENTS_W = 1;
  typedef struct packed {
    logic cpu_trap;
  } mgmt_events_t;

  // Frames
  localparam int unsigned TX_BUILDER_EVENTS_W = 28;
  typedef struct packed {
    logic tx_packets;
    logic [12:0] tx_bytes;
    logic tx_loop_packets;
    logic [12:0] tx_loop_bytes;
  } tx_builder_events_t;

  // The same of responses
  localparam int unsigned TX_RSP_CHECK_EVENTS_W = 25;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic tx_rsp_dropped;
  } tx_rsp_check_events_t;

  // Are requests still wanted?
  localparam int unsigned TX_REQ_CHECK_EVENTS_W = 25;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic tx_stale;
  } tx_req_check_events_t;

  // Which packet is next
  localparam int unsigned TX_ARBITER_EVENTS_W = 29;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic ack_sent;
    logic read_rsp_sent;
    logic retx_packets;
    logic cnp_sent;
    logic atomic_rsp_sent;
  } tx_arbiter_events_t;

  // Frames sent
  localparam int unsigned TX_PATH_EVENTS_W = 108;
  typedef struct packed {
    logic stall_tx;
    tx_arbiter_events_t tx_arbiter;
    tx_req_check_events_t tx_req_check;
    tx_rsp_check_events_t tx_rsp_check;
    tx_builder_events_t tx_builder;
  } tx_path_events_t;

  // Frames of the wire and looped ones
  localparam int unsigned RX_MERGE_EVENTS_W = 1;
  typedef struct packed {
    logic rx_overrun;
  } rx_merge_events_t;

  // Frames for firmware
  localparam int unsigned RX_RAW_EVENTS_W = 8;
  typedef struct packed {
    logic rx_raw_packets;
    logic rx_raw_drop;
    logic net_used;
    logic net_ignored;
    logic net_invalid;
    logic net_bad_source;
    logic net_unsolicited;
    logic net_conflict;
  } rx_raw_events_t;

  // Pool of payloads
  localparam int unsigned RX_BUFFER_EVENTS_W = 2;
  typedef struct packed {
    logic rx_no_buffer;
    logic stall_rx;
  } rx_buffer_events_t;

  // Headers
  localparam int unsigned RX_PARSER_EVENTS_W = 63;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_packets;
    logic [12:0] rx_bytes;
    logic rx_mac_error;
    logic rx_length_error;
    logic rx_ip_error;
    logic rx_opcode_error;
    logic rx_icrc_error;
    logic rx_not_ours;
    logic rx_bad_qpn;
    logic rx_qp_state;
    logic rx_bad_addr;
    logic rx_bad_pkey;
    logic rx_bad_qkey;
    logic rx_loop_packets;
    logic [12:0] rx_loop_bytes;
  } rx_parser_events_t;

  // Frames received
  localparam int unsigned RX_PATH_EVENTS_W = 74;
  typedef struct packed {
    logic rx_roce_packets;
    rx_parser_events_t rx_parser;
    rx_buffer_events_t rx_buffer;
    rx_raw_events_t rx_raw;
  } rx_path_events_t;

  // Its packets
  localparam int unsigned REQ_ISSUE_EVENTS_W = 27;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic stall_req;
    logic local_ops;
    logic ud_too_long;
  } req_issue_events_t;

  // A QP's turn
  localparam int unsigned REQ_VISIT_EVENTS_W = 1;
  typedef struct packed {
    logic rx_ctx_error;
  } req_visit_events_t;

  // Requests
  localparam int unsigned REQUESTER_EVENTS_W = 28;
  typedef struct packed {
    req_visit_events_t req_visit;
    req_issue_events_t req_issue;
  } requester_events_t;

  // Completions of requests
  localparam int unsigned CMP_RETIRE_EVENTS_W = 26;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic loc_prot_err;
    logic loc_op_err;
  } cmp_retire_events_t;

  // Their place in memory
  localparam int unsigned CMP_JOIN_EVENTS_W = 28;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_read_rsp;
    logic loc_prot_err;
    logic rx_parked;
    logic rx_atomic_rsp;
  } cmp_join_events_t;

  // Are they what was asked for?
  localparam int unsigned CMP_CHECK_EVENTS_W = 26;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_dup_ack;
    logic bad_resp;
  } cmp_check_events_t;

  // Data of answers
  localparam int unsigned CMP_PLACE_EVENTS_W = 54;
  typedef struct packed {
    cmp_check_events_t cmp_check;
    cmp_join_events_t cmp_join;
  } cmp_place_events_t;

  // State of the requester, by packets and timers
  localparam int unsigned CMP_PACKET_EVENTS_W = 37;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_ack;
    logic packet_seq_err;
    logic rnr_nak_rcvd;
    logic implied_nak;
    logic ack_timeout;
    logic req_rem_inv;
    logic req_rem_access;
    logic req_rem_op;
    logic retry_exc;
    logic rnr_exc;
    logic rx_ghost_ack;
    logic go_backs;
    logic stall_cmp;
  } cmp_packet_events_t;

  // Answers to our requests
  localparam int unsigned COMPLETER_EVENTS_W = 117;
  typedef struct packed {
    cmp_packet_events_t cmp_packet;
    cmp_place_events_t cmp_place;
    cmp_retire_events_t cmp_retire;
  } completer_events_t;

  // Send queues
  localparam int unsigned WQE_FETCH_EVENTS_W = 1;
  typedef struct packed {
    logic wqe_fetch;
  } wqe_fetch_events_t;

  // The side of requests sent
  localparam int unsigned RDMA_SEND_EVENTS_W = 146;
  typedef struct packed {
    wqe_fetch_events_t wqe_fetch;
    completer_events_t completer;
    requester_events_t requester;
  } rdma_send_events_t;

  // Shared receive queues
  localparam int unsigned SRQ_STATE_EVENTS_W = 2;
  typedef struct packed {
    logic srq_error;
    logic rx_srq_wait;
  } srq_state_events_t;

  // Receives that a QP reads
  localparam int unsigned RQE_FETCH_EVENTS_W = 1;
  typedef struct packed {
    logic rqe_fetch;
  } rqe_fetch_events_t;

  // Receive queues
  localparam int unsigned RQ_UNIT_EVENTS_W = 3;
  typedef struct packed {
    rqe_fetch_events_t rqe_fetch;
    srq_state_events_t srq_state;
  } rq_unit_events_t;

  // Atomics
  localparam int unsigned ATOMIC_EXEC_EVENTS_W = 1;
  typedef struct packed {
    logic rx_atomic;
  } atomic_exec_events_t;

  // Packets and what they wait for
  localparam int unsigned RSP_JOIN_EVENTS_W = 1;
  typedef struct packed {
    logic rx_parked;
  } rsp_join_events_t;

  // Its answers
  localparam int unsigned RSP_TX_EVENTS_W = 29;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rnr_nak_sent;
    logic seq_nak_sent;
    logic resp_inv_req;
    logic resp_access_err;
    logic resp_op_err;
  } rsp_tx_events_t;

  // State of the responder
  localparam int unsigned RSP_COMMIT_EVENTS_W = 39;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_no_buffer;
    logic rx_qp_state;
    logic duplicate_request;
    logic out_of_sequence;
    logic rx_send;
    logic rx_write;
    logic rx_read;
    logic stall_rsp;
    logic cqe_coalesced_ack;
    logic rx_uc_drop;
    logic rx_ud_drop;
    logic rx_no_recv;
    logic resp_loc_len;
    logic resp_cqe_err;
    logic rx_share;
  } rsp_commit_events_t;

  // Requests
  localparam int unsigned RESPONDER_EVENTS_W = 73;
  typedef struct packed {
    rsp_commit_events_t rsp_commit;
    rsp_tx_events_t rsp_tx;
    rsp_join_events_t rsp_join;
    atomic_exec_events_t atomic_exec;
    rq_unit_events_t rq_unit;
  } responder_events_t;

  // A packet's QP
  localparam int unsigned QP_LOOKUP_EVENTS_W = 34;
  typedef struct packed {
    logic [23:0] qpn;  // of the counters that QPs have
    logic rx_no_buffer;
    logic rx_bad_qpn;
    logic rx_qp_state;
    logic rx_bad_addr;
    logic rx_bad_pkey;
    logic rx_bad_qkey;
    logic rx_ctx_error;
    logic rx_parked;
    logic cnp_handled;
    logic rx_multicast;
  } qp_lookup_events_t;

  // The side of requests received
  localparam int unsigned RDMA_RECEIVE_EVENTS_W = 107;
  typedef struct packed {
    qp_lookup_events_t qp_lookup;
    responder_events_t responder;
  } rdma_receive_events_t;

  // Events
  localparam int unsigned EQE_WRITE_EVENTS_W = 2;
  typedef struct packed {
    logic eqe_written;
    logic eq_overflow;
  } eqe_write_events_t;

  // Completions
  localparam int unsigned CQE_WRITE_EVENTS_W = 5;
  typedef struct packed {
    logic cqe_err;
    logic cqe_flush;
    logic cqe_written;
    logic cq_overflow;
    logic cq_crowded;
  } cqe_write_events_t;

  // Keys and page lists; of lookups and of changes of keys one event each a cycle
  localparam int unsigned MR_SERVICE_EVENTS_W = 12;
  typedef struct packed {
    logic mpt_hit;
    logic mpt_miss;
    logic mtt_hit;
    logic mtt_miss;
    logic [1:0] mr_bad_key;
    logic [1:0] mr_bad_pd;
    logic [1:0] mr_bad_rights;
    logic [1:0] mr_bad_bounds;
  } mr_service_events_t;

  // QP contexts
  localparam int unsigned QP_CACHE_EVENTS_W = 3;
  typedef struct packed {
    logic qpc_hit;
    logic qpc_miss;
    logic qpc_writeback;
  } qp_cache_events_t;

  // Contexts, memory, completions, events
  localparam int unsigned RDMA_STATE_EVENTS_W = 22;
  typedef struct packed {
    qp_cache_events_t qp_cache;
    mr_service_events_t mr_service;
    cqe_write_events_t cqe_write;
    eqe_write_events_t eqe_write;
  } rdma_state_events_t;

  // Doorbells of host and push window
  localparam int unsigned DOORBELL_EVENTS_W = 8;
  typedef struct packed {
    logic db_sq;
    logic db_rq;
    logic db_cq;
    logic db_bad_page;
    logic db_bad_index;
    logic db_bad_form;
    logic push_taken;
    logic push_ignored;
  } doorbell_events_t;

  // Queues, both sides of the transport, state
  localparam int unsigned RDMA_CORE_EVENTS_W = 283;
  typedef struct packed {
    doorbell_events_t doorbell;
    rdma_state_events_t rdma_state;
    rdma_receive_events_t rdma_receive;
    rdma_send_events_t rdma_send;
  } rdma_core_events_t;

  // All but the host interface
  localparam int unsigned NIC_EVENTS_W = 467;
  typedef struct packed {
    rdma_core_events_t rdma_core;
    rx_path_events_t rx_path;
    rx_merge_events_t rx_merge;
    tx_path_events_t tx_path;
    mgmt_events_t mgmt;
  } nic_events_t;

  // Who counts, all of them: what counters and qp_counters take
  localparam int unsigned DEVICE_EVENTS_W = 504;
  typedef struct packed {
    nic_events_t nic;
    host_if_events_t host_if;
  } device_events_t;

  // Events of each counter in a cycle, 2 bits each; none of those of bytes
  function automatic logic [2*COUNTERS-1:0] counter_events(input logic [DEVICE_EVENTS_W-1:0] e);
    counter_events = '0;
    counter_events[2*COUNTER_RX_PACKETS +: 2] = {1'b0, e[195]};  // rx_parser
    counter_events[2*COUNTER_TX_PACKETS +: 2] = {1'b0, e[65]};  // tx_builder
    counter_events[2*COUNTER_RX_ROCE_PACKETS +: 2] = {1'b0, e[220]};  // rx_path
    counter_events[2*COUNTER_RX_RAW_PACKETS +: 2] = {1'b0, e[154]};  // rx_raw
    counter_events[2*COUNTER_RX_MAC_ERROR +: 2] = {1'b0, e[181]};  // rx_parser
    counter_events[2*COUNTER_RX_LENGTH_ERROR +: 2] = {1'b0, e[180]};  // rx_parser
    counter_events[2*COUNTER_RX_IP_ERROR +: 2] = {1'b0, e[179]};  // rx_parser
    counter_events[2*COUNTER_RX_OPCODE_ERROR +: 2] = {1'b0, e[178]};  // rx_parser
    counter_events[2*COUNTER_RX_ICRC_ERROR +: 2] = {1'b0, e[177]};  // rx_parser
    counter_events[2*COUNTER_RX_NO_BUFFER +: 2] = {1'b0, e[449]} + {1'b0, e[415]} + {1'b0, e[156]};  // qp_lookup|rsp_commit|rx_buffer
    counter_events[2*COUNTER_RX_RAW_DROP +: 2] = {1'b0, e[153]};  // rx_raw
    counter_events[2*COUNTER_RX_NOT_OURS +: 2] = {1'b0, e[176]};  // rx_parser
    counter_events[2*COUNTER_RX_BAD_QPN +: 2] = {1'b0, e[448]} + {1'b0, e[175]};  // qp_lookup|rx_parser
    counter_events[2*COUNTER_RX_QP_STATE +: 2] = {1'b0, e[447]} + {1'b0, e[414]} + {1'b0, e[174]};  // qp_lookup|rsp_commit|rx_parser
    counter_events[2*COUNTER_RX_BAD_ADDR +: 2] = {1'b0, e[446]} + {1'b0, e[173]};  // qp_lookup|rx_parser
    counter_events[2*COUNTER_RX_BAD_PKEY +: 2] = {1'b0, e[445]} + {1'b0, e[172]};  // qp_lookup|rx_parser
    counter_events[2*COUNTER_RX_BAD_QKEY +: 2] = {1'b0, e[444]} + {1'b0, e[171]};  // qp_lookup|rx_parser
    counter_events[2*COUNTER_RX_CTX_ERROR +: 2] = {1'b0, e[443]} + {1'b0, e[248]};  // qp_lookup|req_visit
    counter_events[2*COUNTER_DUPLICATE_REQUEST +: 2] = {1'b0, e[413]};  // rsp_commit
    counter_events[2*COUNTER_OUT_OF_SEQUENCE +: 2] = {1'b0, e[412]};  // rsp_commit
    counter_events[2*COUNTER_RNR_NAK_SENT +: 2] = {1'b0, e[376]};  // rsp_tx
    counter_events[2*COUNTER_SEQ_NAK_SENT +: 2] = {1'b0, e[375]};  // rsp_tx
    counter_events[2*COUNTER_RESP_INV_REQ +: 2] = {1'b0, e[374]};  // rsp_tx
    counter_events[2*COUNTER_RESP_ACCESS_ERR +: 2] = {1'b0, e[373]};  // rsp_tx
    counter_events[2*COUNTER_RESP_OP_ERR +: 2] = {1'b0, e[372]};  // rsp_tx
    counter_events[2*COUNTER_RX_SEND +: 2] = {1'b0, e[411]};  // rsp_commit
    counter_events[2*COUNTER_RX_WRITE +: 2] = {1'b0, e[410]};  // rsp_commit
    counter_events[2*COUNTER_RX_READ +: 2] = {1'b0, e[409]};  // rsp_commit
    counter_events[2*COUNTER_RX_ATOMIC +: 2] = {1'b0, e[370]};  // atomic_exec
    counter_events[2*COUNTER_ACK_SENT +: 2] = {1'b0, e[120]};  // tx_arbiter
    counter_events[2*COUNTER_READ_RSP_SENT +: 2] = {1'b0, e[119]};  // tx_arbiter
    counter_events[2*COUNTER_RX_ACK +: 2] = {1'b0, e[341]};  // cmp_packet
    counter_events[2*COUNTER_RX_READ_RSP +: 2] = {1'b0, e[278]};  // cmp_join
    counter_events[2*COUNTER_PACKET_SEQ_ERR +: 2] = {1'b0, e[340]};  // cmp_packet
    counter_events[2*COUNTER_RNR_NAK_RCVD +: 2] = {1'b0, e[339]};  // cmp_packet
    counter_events[2*COUNTER_IMPLIED_NAK +: 2] = {1'b0, e[338]};  // cmp_packet
    counter_events[2*COUNTER_ACK_TIMEOUT +: 2] = {1'b0, e[337]};  // cmp_packet
    counter_events[2*COUNTER_REQ_REM_INV +: 2] = {1'b0, e[336]};  // cmp_packet
    counter_events[2*COUNTER_REQ_REM_ACCESS +: 2] = {1'b0, e[335]};  // cmp_packet
    counter_events[2*COUNTER_REQ_REM_OP +: 2] = {1'b0, e[334]};  // cmp_packet
    counter_events[2*COUNTER_RETRY_EXC +: 2] = {1'b0, e[333]};  // cmp_packet
    counter_events[2*COUNTER_RNR_EXC +: 2] = {1'b0, e[332]};  // cmp_packet
    counter_events[2*COUNTER_RX_GHOST_ACK +: 2] = {1'b0, e[331]};  // cmp_packet
    counter_events[2*COUNTER_RETX_PACKETS +: 2] = {1'b0, e[118]};  // tx_arbiter
    counter_events[2*COUNTER_GO_BACKS +: 2] = {1'b0, e[330]};  // cmp_packet
    counter_events[2*COUNTER_TX_STALE +: 2] = {1'b0, e[91]};  // tx_req_check
    counter_events[2*COUNTER_LOC_PROT_ERR +: 2] = {1'b0, e[250]} + {1'b0, e[277]};  // cmp_retire|cmp_join
    counter_events[2*COUNTER_LOC_OP_ERR +: 2] = {1'b0, e[249]};  // cmp_retire
    counter_events[2*COUNTER_CQE_ERR +: 2] = {1'b0, e[480]};  // cqe_write
    counter_events[2*COUNTER_CQE_FLUSH +: 2] = {1'b0, e[479]};  // cqe_write
    counter_events[2*COUNTER_CQE_WRITTEN +: 2] = {1'b0, e[478]};  // cqe_write
    counter_events[2*COUNTER_CQ_OVERFLOW +: 2] = {1'b0, e[477]};  // cqe_write
    counter_events[2*COUNTER_EQE_WRITTEN +: 2] = {1'b0, e[475]};  // eqe_write
    counter_events[2*COUNTER_EQ_OVERFLOW +: 2] = {1'b0, e[474]};  // eqe_write
    counter_events[2*COUNTER_MSIX_SENT +: 2] = {1'b0, e[0]};  // msix
    counter_events[2*COUNTER_DB_SQ +: 2] = {1'b0, e[503]};  // doorbell
    counter_events[2*COUNTER_DB_RQ +: 2] = {1'b0, e[502]};  // doorbell
    counter_events[2*COUNTER_DB_CQ +: 2] = {1'b0, e[501]};  // doorbell
    counter_events[2*COUNTER_DB_BAD_PAGE +: 2] = {1'b0, e[500]};  // doorbell
    counter_events[2*COUNTER_DB_BAD_INDEX +: 2] = {1'b0, e[499]};  // doorbell
    counter_events[2*COUNTER_DB_BAD_FORM +: 2] = {1'b0, e[498]} + {1'b0, e[36]};  // doorbell|tlp_rx
    counter_events[2*COUNTER_DMA_RD +: 2] = {1'b0, e[34]};  // dma_read
    counter_events[2*COUNTER_DMA_WR +: 2] = {1'b0, e[16]};  // dma_write
    counter_events[2*COUNTER_DMA_RD_ERR +: 2] = {1'b0, e[19]};  // dma_rd_cpl
    counter_events[2*COUNTER_DMA_RD_TIMEOUT +: 2] = {1'b0, e[18]};  // dma_rd_cpl
    counter_events[2*COUNTER_CPL_UNEXPECTED +: 2] = {1'b0, e[17]};  // dma_rd_cpl
    counter_events[2*COUNTER_BAR_BAD +: 2] = {1'b0, e[35]};  // tlp_rx
    counter_events[2*COUNTER_QPC_HIT +: 2] = {1'b0, e[495]};  // qp_cache
    counter_events[2*COUNTER_QPC_MISS +: 2] = {1'b0, e[494]};  // qp_cache
    counter_events[2*COUNTER_QPC_WRITEBACK +: 2] = {1'b0, e[493]};  // qp_cache
    counter_events[2*COUNTER_MPT_HIT +: 2] = {1'b0, e[492]};  // mr_service
    counter_events[2*COUNTER_MPT_MISS +: 2] = {1'b0, e[491]};  // mr_service
    counter_events[2*COUNTER_MTT_HIT +: 2] = {1'b0, e[490]};  // mr_service
    counter_events[2*COUNTER_MTT_MISS +: 2] = {1'b0, e[489]};  // mr_service
    counter_events[2*COUNTER_WQE_FETCH +: 2] = {1'b0, e[366]};  // wqe_fetch
    counter_events[2*COUNTER_RQE_FETCH +: 2] = {1'b0, e[369]};  // rqe_fetch
    counter_events[2*COUNTER_STALL_RX +: 2] = {1'b0, e[155]};  // rx_buffer
    counter_events[2*COUNTER_STALL_RSP +: 2] = {1'b0, e[408]};  // rsp_commit
    counter_events[2*COUNTER_STALL_CMP +: 2] = {1'b0, e[329]};  // cmp_packet
    counter_events[2*COUNTER_STALL_REQ +: 2] = {1'b0, e[223]};  // req_issue
    counter_events[2*COUNTER_STALL_TX +: 2] = {1'b0, e[145]};  // tx_path
    counter_events[2*COUNTER_STALL_DMA_WR +: 2] = {1'b0, e[2]};  // dma_write
    counter_events[2*COUNTER_STALL_DMA_RD +: 2] = {1'b0, e[20]};  // dma_read
    counter_events[2*COUNTER_RX_PARKED +: 2] = {1'b0, e[442]} + {1'b0, e[371]} + {1'b0, e[276]};  // qp_lookup|rsp_join|cmp_join
    counter_events[2*COUNTER_CNP_SENT +: 2] = {1'b0, e[117]};  // tx_arbiter
    counter_events[2*COUNTER_CNP_HANDLED +: 2] = {1'b0, e[441]};  // qp_lookup
    counter_events[2*COUNTER_CQE_COALESCED_ACK +: 2] = {1'b0, e[407]};  // rsp_commit
    counter_events[2*COUNTER_RX_DUP_ACK +: 2] = {1'b0, e[304]};  // cmp_check
    counter_events[2*COUNTER_CPU_TRAP +: 2] = {1'b0, e[37]};  // mgmt
    counter_events[2*COUNTER_DMA_WR_DROPPED +: 2] = {1'b0, e[1]};  // dma_write
    counter_events[2*COUNTER_RX_UC_DROP +: 2] = {1'b0, e[406]};  // rsp_commit
    counter_events[2*COUNTER_RX_UD_DROP +: 2] = {1'b0, e[405]};  // rsp_commit
    counter_events[2*COUNTER_RX_NO_RECV +: 2] = {1'b0, e[404]};  // rsp_commit
    counter_events[2*COUNTER_RX_MULTICAST +: 2] = {1'b0, e[440]};  // qp_lookup
    counter_events[2*COUNTER_SRQ_ERROR +: 2] = {1'b0, e[368]};  // srq_state
    counter_events[2*COUNTER_LOCAL_OPS +: 2] = {1'b0, e[222]};  // req_issue
    counter_events[2*COUNTER_UD_TOO_LONG +: 2] = {1'b0, e[221]};  // req_issue
    counter_events[2*COUNTER_PUSH_TAKEN +: 2] = {1'b0, e[497]};  // doorbell
    counter_events[2*COUNTER_PUSH_IGNORED +: 2] = {1'b0, e[496]};  // doorbell
    counter_events[2*COUNTER_ATOMIC_RSP_SENT +: 2] = {1'b0, e[116]};  // tx_arbiter
    counter_events[2*COUNTER_RX_SRQ_WAIT +: 2] = {1'b0, e[367]};  // srq_state
    counter_events[2*COUNTER_RESP_LOC_LEN +: 2] = {1'b0, e[403]};  // rsp_commit
    counter_events[2*COUNTER_RESP_CQE_ERR +: 2] = {1'b0, e[402]};  // rsp_commit
    counter_events[2*COUNTER_RX_ATOMIC_RSP +: 2] = {1'b0, e[275]};  // cmp_join
    counter_events[2*COUNTER_BAD_RESP +: 2] = {1'b0, e[303]};  // cmp_check
    counter_events[2*COUNTER_TX_RSP_DROPPED +: 2] = {1'b0, e[66]};  // tx_rsp_check
    counter_events[2*COUNTER_RX_SHARE +: 2] = {1'b0, e[401]};  // rsp_commit
    counter_events[2*COUNTER_MR_BAD_KEY +: 2] = e[487 +: 2];  // mr_service*2
    counter_events[2*COUNTER_MR_BAD_PD +: 2] = e[485 +: 2];  // mr_service*2
    counter_events[2*COUNTER_MR_BAD_RIGHTS +: 2] = e[483 +: 2];  // mr_service*2
    counter_events[2*COUNTER_MR_BAD_BOUNDS +: 2] = e[481 +: 2];  // mr_service*2
    counter_events[2*COUNTER_TX_LOOP_PACKETS +: 2] = {1'b0, e[51]};  // tx_builder
    counter_events[2*COUNTER_RX_LOOP_PACKETS +: 2] = {1'b0, e[170]};  // rx_parser
    counter_events[2*COUNTER_RX_OVERRUN +: 2] = {1'b0, e[146]};  // rx_merge
    counter_events[2*COUNTER_CQ_CROWDED +: 2] = {1'b0, e[476]};  // cqe_write
    counter_events[2*COUNTER_NET_USED +: 2] = {1'b0, e[152]};  // rx_raw
    counter_events[2*COUNTER_NET_IGNORED +: 2] = {1'b0, e[151]};  // rx_raw
    counter_events[2*COUNTER_NET_INVALID +: 2] = {1'b0, e[150]};  // rx_raw
    counter_events[2*COUNTER_NET_BAD_SOURCE +: 2] = {1'b0, e[149]};  // rx_raw
    counter_events[2*COUNTER_NET_UNSOLICITED +: 2] = {1'b0, e[148]};  // rx_raw
    counter_events[2*COUNTER_NET_CONFLICT +: 2] = {1'b0, e[147]};  // rx_raw
  endfunction

  // Those that may have several events in a cycle, and those of bytes
  localparam logic [127:0] COUNTER_OF_MORE = 128'h000f00000080000040010000000fc800;
  localparam logic [127:0] COUNTER_OF_BYTES = 128'h00a0000000000005000000000000000a;
  localparam int unsigned COUNTER_BYTES = 6;    // so many of them
  localparam int unsigned COUNTER_BYTES_W = 13;  // what each adds in a cycle
  function automatic logic [77:0] counter_bytes(input logic [DEVICE_EVENTS_W-1:0] e);
    counter_bytes[0 +: 13] = e[182 +: 13];  // RX_BYTES of rx_parser
    counter_bytes[13 +: 13] = e[52 +: 13];  // TX_BYTES of tx_builder
    counter_bytes[26 +: 13] = e[21 +: 13];  // DMA_RD_BYTES of dma_read
    counter_bytes[39 +: 13] = e[3 +: 13];  // DMA_WR_BYTES of dma_write
    counter_bytes[52 +: 13] = e[38 +: 13];  // TX_LOOP_BYTES of tx_builder
    counter_bytes[65 +: 13] = e[157 +: 13];  // RX_LOOP_BYTES of rx_parser
  endfunction

  // Bank RCV: its counters in order, and the place in that order of each strobe of each source
  localparam int unsigned QP_RCV_COUNTERS = 16;
  localparam int unsigned QP_RCV_CNT_W = 4;
  localparam int unsigned QP_RCV_SOURCES = 4;
  localparam int unsigned QP_RCV_STROBES = 8;
  localparam logic [QP_RCV_COUNTERS*COUNTER_W-1:0] QP_RCV_LIST = {
      7'(COUNTER_RESP_LOC_LEN), 7'(COUNTER_RX_NO_RECV), 7'(COUNTER_RX_UD_DROP),
      7'(COUNTER_RX_UC_DROP), 7'(COUNTER_RESP_OP_ERR), 7'(COUNTER_RESP_ACCESS_ERR),
      7'(COUNTER_RESP_INV_REQ), 7'(COUNTER_SEQ_NAK_SENT), 7'(COUNTER_RNR_NAK_SENT),
      7'(COUNTER_OUT_OF_SEQUENCE), 7'(COUNTER_DUPLICATE_REQUEST), 7'(COUNTER_RX_BAD_QKEY),
      7'(COUNTER_RX_BAD_PKEY), 7'(COUNTER_RX_BAD_ADDR), 7'(COUNTER_RX_QP_STATE),
      7'(COUNTER_RX_NO_BUFFER)};
  localparam logic [QP_RCV_SOURCES*QP_RCV_STROBES*QP_RCV_CNT_W-1:0] QP_RCV_WHICH = {
      16'd0, 4'd4, 4'd3, 4'd2, 4'd1,  // rx_parser
      12'd0, 4'd11, 4'd10, 4'd9, 4'd8, 4'd7,  // rsp_tx
      4'd15, 4'd14, 4'd13, 4'd12, 4'd6, 4'd5, 4'd1, 4'd0,  // rsp_commit
      12'd0, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0};  // qp_lookup
  function automatic logic [QP_RCV_SOURCES*QP_RCV_STROBES-1:0] qp_rcv_strobes(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_rcv_strobes = '0;
    qp_rcv_strobes[0*QP_RCV_STROBES+0] = e[449];  // RX_NO_BUFFER of qp_lookup
    qp_rcv_strobes[0*QP_RCV_STROBES+1] = e[447];  // RX_QP_STATE of qp_lookup
    qp_rcv_strobes[0*QP_RCV_STROBES+2] = e[446];  // RX_BAD_ADDR of qp_lookup
    qp_rcv_strobes[0*QP_RCV_STROBES+3] = e[445];  // RX_BAD_PKEY of qp_lookup
    qp_rcv_strobes[0*QP_RCV_STROBES+4] = e[444];  // RX_BAD_QKEY of qp_lookup
    qp_rcv_strobes[1*QP_RCV_STROBES+0] = e[415];  // RX_NO_BUFFER of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+1] = e[414];  // RX_QP_STATE of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+2] = e[413];  // DUPLICATE_REQUEST of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+3] = e[412];  // OUT_OF_SEQUENCE of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+4] = e[406];  // RX_UC_DROP of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+5] = e[405];  // RX_UD_DROP of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+6] = e[404];  // RX_NO_RECV of rsp_commit
    qp_rcv_strobes[1*QP_RCV_STROBES+7] = e[403];  // RESP_LOC_LEN of rsp_commit
    qp_rcv_strobes[2*QP_RCV_STROBES+0] = e[376];  // RNR_NAK_SENT of rsp_tx
    qp_rcv_strobes[2*QP_RCV_STROBES+1] = e[375];  // SEQ_NAK_SENT of rsp_tx
    qp_rcv_strobes[2*QP_RCV_STROBES+2] = e[374];  // RESP_INV_REQ of rsp_tx
    qp_rcv_strobes[2*QP_RCV_STROBES+3] = e[373];  // RESP_ACCESS_ERR of rsp_tx
    qp_rcv_strobes[2*QP_RCV_STROBES+4] = e[372];  // RESP_OP_ERR of rsp_tx
    qp_rcv_strobes[3*QP_RCV_STROBES+0] = e[174];  // RX_QP_STATE of rx_parser
    qp_rcv_strobes[3*QP_RCV_STROBES+1] = e[173];  // RX_BAD_ADDR of rx_parser
    qp_rcv_strobes[3*QP_RCV_STROBES+2] = e[172];  // RX_BAD_PKEY of rx_parser
    qp_rcv_strobes[3*QP_RCV_STROBES+3] = e[171];  // RX_BAD_QKEY of rx_parser
  endfunction
  function automatic logic [QP_RCV_SOURCES*24-1:0] qp_rcv_qpns(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_rcv_qpns[0 +: 24] = e[450 +: 24];  // qp_lookup
    qp_rcv_qpns[24 +: 24] = e[416 +: 24];  // rsp_commit
    qp_rcv_qpns[48 +: 24] = e[377 +: 24];  // rsp_tx
    qp_rcv_qpns[72 +: 24] = e[196 +: 24];  // rx_parser
  endfunction

  // Bank SND: its counters in order, and the place in that order of each strobe of each source
  localparam int unsigned QP_SND_COUNTERS = 16;
  localparam int unsigned QP_SND_CNT_W = 4;
  localparam int unsigned QP_SND_SOURCES = 5;
  localparam int unsigned QP_SND_STROBES = 11;
  localparam logic [QP_SND_COUNTERS*COUNTER_W-1:0] QP_SND_LIST = {
      7'(COUNTER_BAD_RESP), 7'(COUNTER_UD_TOO_LONG), 7'(COUNTER_RX_DUP_ACK),
      7'(COUNTER_LOC_OP_ERR), 7'(COUNTER_LOC_PROT_ERR), 7'(COUNTER_GO_BACKS),
      7'(COUNTER_RX_GHOST_ACK), 7'(COUNTER_RNR_EXC), 7'(COUNTER_RETRY_EXC),
      7'(COUNTER_REQ_REM_OP), 7'(COUNTER_REQ_REM_ACCESS), 7'(COUNTER_REQ_REM_INV),
      7'(COUNTER_ACK_TIMEOUT), 7'(COUNTER_IMPLIED_NAK), 7'(COUNTER_RNR_NAK_RCVD),
      7'(COUNTER_PACKET_SEQ_ERR)};
  localparam logic [QP_SND_SOURCES*QP_SND_STROBES*QP_SND_CNT_W-1:0] QP_SND_WHICH = {
      40'd0, 4'd14,  // req_issue
      36'd0, 4'd12, 4'd11,  // cmp_retire
      40'd0, 4'd11,  // cmp_join
      36'd0, 4'd15, 4'd13,  // cmp_check
      4'd10, 4'd9, 4'd8, 4'd7, 4'd6, 4'd5, 4'd4, 4'd3, 4'd2, 4'd1, 4'd0};  // cmp_packet
  function automatic logic [QP_SND_SOURCES*QP_SND_STROBES-1:0] qp_snd_strobes(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_snd_strobes = '0;
    qp_snd_strobes[0*QP_SND_STROBES+0] = e[340];  // PACKET_SEQ_ERR of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+1] = e[339];  // RNR_NAK_RCVD of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+2] = e[338];  // IMPLIED_NAK of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+3] = e[337];  // ACK_TIMEOUT of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+4] = e[336];  // REQ_REM_INV of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+5] = e[335];  // REQ_REM_ACCESS of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+6] = e[334];  // REQ_REM_OP of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+7] = e[333];  // RETRY_EXC of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+8] = e[332];  // RNR_EXC of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+9] = e[331];  // RX_GHOST_ACK of cmp_packet
    qp_snd_strobes[0*QP_SND_STROBES+10] = e[330];  // GO_BACKS of cmp_packet
    qp_snd_strobes[1*QP_SND_STROBES+0] = e[304];  // RX_DUP_ACK of cmp_check
    qp_snd_strobes[1*QP_SND_STROBES+1] = e[303];  // BAD_RESP of cmp_check
    qp_snd_strobes[2*QP_SND_STROBES+0] = e[277];  // LOC_PROT_ERR of cmp_join
    qp_snd_strobes[3*QP_SND_STROBES+0] = e[250];  // LOC_PROT_ERR of cmp_retire
    qp_snd_strobes[3*QP_SND_STROBES+1] = e[249];  // LOC_OP_ERR of cmp_retire
    qp_snd_strobes[4*QP_SND_STROBES+0] = e[221];  // UD_TOO_LONG of req_issue
  endfunction
  function automatic logic [QP_SND_SOURCES*24-1:0] qp_snd_qpns(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_snd_qpns[0 +: 24] = e[342 +: 24];  // cmp_packet
    qp_snd_qpns[24 +: 24] = e[305 +: 24];  // cmp_check
    qp_snd_qpns[48 +: 24] = e[279 +: 24];  // cmp_join
    qp_snd_qpns[72 +: 24] = e[251 +: 24];  // cmp_retire
    qp_snd_qpns[96 +: 24] = e[224 +: 24];  // req_issue
  endfunction

  // Bank OUT: its counters in order, and the place in that order of each strobe of each source
  localparam int unsigned QP_OUT_COUNTERS = 3;
  localparam int unsigned QP_OUT_CNT_W = 2;
  localparam int unsigned QP_OUT_SOURCES = 3;
  localparam int unsigned QP_OUT_STROBES = 1;
  localparam logic [QP_OUT_COUNTERS*COUNTER_W-1:0] QP_OUT_LIST = {
      7'(COUNTER_TX_RSP_DROPPED), 7'(COUNTER_TX_STALE), 7'(COUNTER_RETX_PACKETS)};
  localparam logic [QP_OUT_SOURCES*QP_OUT_STROBES*QP_OUT_CNT_W-1:0] QP_OUT_WHICH = {
      2'd2,  // tx_rsp_check
      2'd1,  // tx_req_check
      2'd0};  // tx_arbiter
  function automatic logic [QP_OUT_SOURCES*QP_OUT_STROBES-1:0] qp_out_strobes(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_out_strobes = '0;
    qp_out_strobes[0*QP_OUT_STROBES+0] = e[118];  // RETX_PACKETS of tx_arbiter
    qp_out_strobes[1*QP_OUT_STROBES+0] = e[91];  // TX_STALE of tx_req_check
    qp_out_strobes[2*QP_OUT_STROBES+0] = e[66];  // TX_RSP_DROPPED of tx_rsp_check
  endfunction
  function automatic logic [QP_OUT_SOURCES*24-1:0] qp_out_qpns(
      input logic [DEVICE_EVENTS_W-1:0] e);
    qp_out_qpns[0 +: 24] = e[121 +: 24];  // tx_arbiter
    qp_out_qpns[24 +: 24] = e[92 +: 24];  // tx_req_check
    qp_out_qpns[48 +: 24] = e[67 +: 24];  // tx_rsp_check
  endfunction
endpackage
