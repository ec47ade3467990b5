/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLP monitor: checks every TLP the device sends against the PCI Express rules and against what the
 * device may touch.  Always on.  A violation is reported with the TLP and counted by rule.
 */
#ifndef CAIRN_SIM_TLPMON_H
#define CAIRN_SIM_TLPMON_H

#include <stdbool.h>
#include <stdint.h>

/* X(name, text) */
#define SIM_TLP_RULES(X)                                                                     \
	X(FMT, "format and type must be a memory request or a completion")                   \
	X(FIELDS, "TC, TH, LN, TD, AT and reserved bits must be zero")                        \
	X(ATTR, "relaxed ordering or no snoop set while disabled in Device Control")         \
	X(REQID, "requester or completer id is not the function's")                           \
	X(ADDR_FORM, "3-DW header below 4 GiB, 4-DW header above; bits 1:0 zero")            \
	X(CROSS_4K, "request crosses a 4 KiB boundary")                                      \
	X(MPS, "payload larger than Max_Payload_Size")                                       \
	X(MRRS, "read larger than Max_Read_Request_Size")                                    \
	X(BYTE_ENABLE, "first/last byte enables illegal for this length")                    \
	X(LENGTH, "beats of the stream disagree with the header's length")                   \
	X(FRAMING, "sop missing, repeated, or header changed inside a TLP")                  \
	X(HOLD, "valid dropped or values changed while waiting for ready")                   \
	X(CREDIT, "TLP started without credit of its class")                                 \
	X(TAG_RANGE, "tag above the number of tags")                                         \
	X(EXT_TAG, "tag above 31 while extended tags are off in Device Control")             \
	X(TAG_REUSE, "tag of a read that is still outstanding")                              \
	X(UNMAPPED, "address not mapped for DMA")                                            \
	X(RIGHTS, "address mapped without the right to read or write")                       \
	X(BUS_MASTER, "memory request while bus master enable is off")                       \
	X(FLR, "TLP started after the function reset was reported done")                     \
	X(IRQ, "write to the interrupt window that no unmasked MSI-X table entry describes") \
	X(POISON, "poisoned write or completion")                                            \
	X(CPL_UNEXPECTED, "completion that answers no outstanding BAR read")                 \
	X(CPL_FORM, "completion's length, byte count, address or status is wrong")           \
	X(CPL_TIMEOUT, "BAR read not answered in time")                                      \
	X(FLR_TIMEOUT, "function reset not done in time")

enum sim_tlp_rule {
#define SIM_TLP_RULE_ENUM(name, text) SIM_TLP_##name,
	SIM_TLP_RULES(SIM_TLP_RULE_ENUM)
#undef SIM_TLP_RULE_ENUM
	SIM_TLP_N_RULES
};

struct sim_tlpmon {
	const char *name;				/* of the NIC, for messages */
	void (*report)(void *arg, const char *text);	/* NULL: stderr */
	void *arg;
	uint64_t count[SIM_TLP_N_RULES];		/* unexpected violations */
	uint64_t expected[SIM_TLP_N_RULES];		/* those a test said would come */
	bool expect[SIM_TLP_N_RULES];
	uint64_t total;					/* sum of count[] */
	unsigned int printed; /* reports so far; quiet after SIM_TLP_MAX_REPORTS */
};

#define SIM_TLP_MAX_REPORTS 50

/* A decoded header; `dw` as in the PCIe figures, dw[0] first. */
struct sim_tlp_hdr {
	uint32_t dw[4];
	uint8_t fmt, type, fbe, lbe, status, attr;
	bool ep, has_data;
	uint16_t len_dw;	/* 1 .. 1024; payload or requested */
	uint16_t tag, reqid;	/* completions: reqid is the answered requester, cplid the device */
	uint16_t cplid, byte_count, lower_addr;
	uint64_t addr;		/* DW-aligned */
};

/* What the function may do at present. */
struct sim_tlp_limits {
	uint16_t reqid;
	unsigned int mps, mrrs;		/* bytes */
	unsigned int n_tags;
	bool relaxed, no_snoop, ext_tag;	/* enabled in DEVCTL */
};

const char *sim_tlp_rule_name(enum sim_tlp_rule rule);
const char *sim_tlp_rule_text(enum sim_tlp_rule rule);

void sim_tlp_decode(struct sim_tlp_hdr *h, const uint32_t dw[4]);
/*
 * First enabled byte relative to addr, and bytes from the first to the last enabled one (0: none).
 */
void sim_tlp_span(const struct sim_tlp_hdr *h, unsigned int *first, unsigned int *bytes);
/* "MWr 3DW addr 0x... 64 DW fbe f lbe f tag 0x12 req 0100" */
void sim_tlp_text(const struct sim_tlp_hdr *h, char *buf, unsigned int size);

/*
 * All rules that the header alone decides.  Returns false if the TLP is too broken to be executed.
 */
bool sim_tlpmon_header(struct sim_tlpmon *m, uint64_t now, const struct sim_tlp_hdr *h,
		       const struct sim_tlp_limits *lim);
/* Report one violation; h may be NULL.  `detail` is appended. */
void sim_tlpmon_violation(struct sim_tlpmon *m, enum sim_tlp_rule rule, uint64_t now,
			  const struct sim_tlp_hdr *h, const char *detail);

#endif
