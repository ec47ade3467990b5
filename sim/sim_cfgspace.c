/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCI configuration space as a table: initial value and write mask of each register.  Capability
 * chain: power management 0x40, MSI-X 0x50, PCI Express 0x70.  Register names are those of
 * <linux/pci_regs.h>, layout PCI Express Base 7.5.
 */
#include "sim_cfgspace.h"

#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "cairn_hw.h"

#define CAP_PM		0x40
#define CAP_MSIX	0x50
#define CAP_EXP		0x70
#define DEVCTL		(CAP_EXP + PCI_EXP_DEVCTL)
#define LNKCTL		(CAP_EXP + PCI_EXP_LNKCTL)
#define MSIX_CTRL	(CAP_MSIX + PCI_MSIX_FLAGS)
#define PMCSR		(CAP_PM + PCI_PM_CTRL)

#define BAR2_BYTES	(CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES)
#define MPS_USUAL	2	/* code of 512 bytes: offered unless more is asked for */
#define BAR_MEM64	PCI_BASE_ADDRESS_MEM_TYPE_64
#define BAR_MEM64_PREF	(PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH)

struct reg {
	uint16_t off;
	uint8_t bytes;
	uint32_t value, mask;
};

static const struct reg regs[] = {
	{ PCI_VENDOR_ID, 2, CAIRN_PCI_VENDOR, 0 },
	{ PCI_DEVICE_ID, 2, CAIRN_PCI_DEVICE, 0 },
	{ PCI_COMMAND, 2, 0, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY |
			     PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE },
	{ PCI_STATUS, 2, PCI_STATUS_CAP_LIST, 0 },
	{ PCI_REVISION_ID, 1, CAIRN_CONTRACT_VERSION, 0 },
	{ PCI_CLASS_PROG, 1, CAIRN_PCI_CLASS & 0xff, 0 },
	{ PCI_CLASS_DEVICE, 2, CAIRN_PCI_CLASS >> 8, 0 },
	{ PCI_CACHE_LINE_SIZE, 1, 0, 0xff },
	{ PCI_BASE_ADDRESS_0, 4, BAR_MEM64, ~(CAIRN_BAR0_BYTES - 1u) },
	{ PCI_BASE_ADDRESS_1, 4, 0, 0xffffffff },
	{ PCI_BASE_ADDRESS_2, 4, BAR_MEM64_PREF, ~(BAR2_BYTES - 1u) },
	{ PCI_BASE_ADDRESS_3, 4, 0, 0xffffffff },
	{ PCI_SUBSYSTEM_VENDOR_ID, 2, CAIRN_PCI_VENDOR, 0 },
	{ PCI_SUBSYSTEM_ID, 2, CAIRN_PCI_DEVICE, 0 },
	{ PCI_CAPABILITY_LIST, 1, CAP_PM, 0 },
	{ PCI_INTERRUPT_LINE, 1, 0, 0xff },

	/* Version 3, D0 and D3hot, D3hot to D0 without reset, no PME */
	{ CAP_PM, 1, PCI_CAP_ID_PM, 0 },
	{ CAP_PM + 1, 1, CAP_MSIX, 0 },
	{ CAP_PM + PCI_PM_PMC, 2, 3, 0 },
	{ PMCSR, 2, PCI_PM_CTRL_NO_SOFT_RESET, PCI_PM_CTRL_STATE_MASK },

	{ CAP_MSIX, 1, PCI_CAP_ID_MSIX, 0 },
	{ CAP_MSIX + 1, 1, CAP_EXP, 0 },
	{ MSIX_CTRL, 2, CAIRN_MSIX_VECTORS - 1, PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL },
	{ CAP_MSIX + PCI_MSIX_TABLE, 4, CAIRN_MSIX_TABLE_OFFSET | 0, 0 },
	{ CAP_MSIX + PCI_MSIX_PBA, 4, CAIRN_MSIX_PBA_OFFSET | 0, 0 },

	/* Version 2 endpoint: 8-bit tags, FLR, role-based errors */
	{ CAP_EXP, 1, PCI_CAP_ID_EXP, 0 },
	{ CAP_EXP + 1, 1, 0, 0 },
	{ CAP_EXP + PCI_EXP_FLAGS, 2, 2 | PCI_EXP_TYPE_ENDPOINT << 4, 0 },
	{ CAP_EXP + PCI_EXP_DEVCAP, 4,
	  PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR, 0 },
	{ DEVCTL, 2, PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN,
	  PCI_EXP_DEVCTL_CERE | PCI_EXP_DEVCTL_NFERE | PCI_EXP_DEVCTL_FERE | PCI_EXP_DEVCTL_URRE |
	  PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_PAYLOAD | PCI_EXP_DEVCTL_EXT_TAG |
	  PCI_EXP_DEVCTL_NOSNOOP_EN |
	  PCI_EXP_DEVCTL_READRQ },
	/* 8 GT/s x16, which is the 16 bytes per ns of the default link */
	{ CAP_EXP + PCI_EXP_LNKCAP, 4, PCI_EXP_LNKCAP_SLS_8_0GB | 16 << 4, 0 },
	{ LNKCTL, 2, 0, PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC |
			PCI_EXP_LNKCTL_ES },
	{ CAP_EXP + PCI_EXP_LNKSTA, 2, PCI_EXP_LNKSTA_CLS_8_0GB | 16 << 4, 0 },
	/* Completion timeout ranges A and B may be chosen or switched off; the core has its own */
	{ CAP_EXP + PCI_EXP_DEVCAP2, 4, 0x3 | PCI_EXP_DEVCAP2_COMP_TMOUT_DIS, 0 },
	{ CAP_EXP + PCI_EXP_DEVCTL2, 2, 0, PCI_EXP_DEVCTL2_COMP_TIMEOUT |
					   PCI_EXP_DEVCTL2_COMP_TMOUT_DIS },
	{ CAP_EXP + PCI_EXP_LNKCTL2, 2, PCI_EXP_LNKCTL2_TLS_8_0GT, 0 },
};

static uint32_t get(const struct sim_cfgspace *c, uint32_t off, unsigned int bytes)
{
	uint32_t v = 0;

	memcpy(&v, c->data + off, bytes);
	return v;
}

static void put(struct sim_cfgspace *c, uint32_t off, unsigned int bytes, uint32_t v)
{
	memcpy(c->data + off, &v, bytes);
}

/* 128 << n bytes to n, as wide as the field. */
static unsigned int size_code(unsigned int bytes)
{
	unsigned int n = 0;

	while (n < 5 && 128u << n < bytes)
		n++;
	return n;
}

static void set_field(struct sim_cfgspace *c, uint32_t mask, unsigned int code)
{
	put(c, DEVCTL, 2, (get(c, DEVCTL, 2) & ~mask) | code << __builtin_ctz(mask));
}

void sim_cfgspace_init(struct sim_cfgspace *c, unsigned int mps, unsigned int mrrs)
{
	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		put(c, regs[i].off, regs[i].bytes, regs[i].value);
		memcpy(c->wmask + regs[i].off, &regs[i].mask, regs[i].bytes);
	}
	/* error bits of Status and Device Status */
	c->w1c[PCI_STATUS + 1] = 0xf9;
	c->w1c[CAP_EXP + PCI_EXP_DEVSTA] = 0x0f;
	c->mps = mps;
	c->mps_max = size_code(mps) > MPS_USUAL ? size_code(mps) : MPS_USUAL;
	c->data[CAP_EXP + PCI_EXP_DEVCAP] |= (uint8_t)c->mps_max;
	set_field(c, PCI_EXP_DEVCTL_PAYLOAD, size_code(mps));
	set_field(c, PCI_EXP_DEVCTL_READRQ, size_code(mrrs));
}

void sim_cfgspace_forbid(struct sim_cfgspace *c, bool ext_tag, bool relaxed)
{
	c->no_ext_tag = ext_tag;
	c->no_relaxed = relaxed;
	if (ext_tag)
		set_field(c, PCI_EXP_DEVCTL_EXT_TAG, 0);
	if (relaxed)
		set_field(c, PCI_EXP_DEVCTL_RELAX_EN, 0);
}

void sim_cfgspace_rcb_128(struct sim_cfgspace *c)
{
	put(c, LNKCTL, 2, get(c, LNKCTL, 2) | PCI_EXP_LNKCTL_RCB);
}

/* 6.6.2: Max_Payload_Size and link control survive; Max_Read_Request_Size returns to 512. */
void sim_cfgspace_flr(struct sim_cfgspace *c)
{
	uint32_t mps = get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_PAYLOAD;
	uint32_t lnkctl = get(c, LNKCTL, 2);

	bool no_ext_tag = c->no_ext_tag, no_relaxed = c->no_relaxed;

	sim_cfgspace_init(c, c->mps, 512);
	sim_cfgspace_forbid(c, no_ext_tag, no_relaxed);
	set_field(c, PCI_EXP_DEVCTL_PAYLOAD, mps >> __builtin_ctz(PCI_EXP_DEVCTL_PAYLOAD));
	put(c, LNKCTL, 2, lnkctl);
}

int sim_cfgspace_read(const struct sim_cfgspace *c, uint32_t off, void *buf, uint32_t len)
{
	if (off > SIM_CFGSPACE_BYTES || len > SIM_CFGSPACE_BYTES - off)
		return -EINVAL;
	memcpy(buf, c->data + off, len);
	return 0;
}

int sim_cfgspace_write(struct sim_cfgspace *c, uint32_t off, const void *buf, uint32_t len)
{
	const uint8_t *p = buf;
	int events = 0;

	if (off > SIM_CFGSPACE_BYTES || len > SIM_CFGSPACE_BYTES - off)
		return -EINVAL;
	for (uint32_t i = off; i < off + len; i++, p++) {
		uint8_t v = (uint8_t)((c->data[i] & ~c->wmask[i]) | (*p & c->wmask[i]));

		v &= (uint8_t)~(*p & c->w1c[i]);
		if (v != c->data[i])
			events |= SIM_CFGSPACE_STATE;
		c->data[i] = v;
		/* the bit itself always reads 0 */
		if (i == DEVCTL + 1 && *p & PCI_EXP_DEVCTL_BCR_FLR >> 8)
			events |= SIM_CFGSPACE_FLR;
	}
	return events;
}

static bool in_d0(const struct sim_cfgspace *c)
{
	return !(get(c, PMCSR, 2) & PCI_PM_CTRL_STATE_MASK);
}

bool sim_cfgspace_bus_master(const struct sim_cfgspace *c)
{
	return get(c, PCI_COMMAND, 2) & PCI_COMMAND_MASTER && in_d0(c);
}

bool sim_cfgspace_memory(const struct sim_cfgspace *c)
{
	return get(c, PCI_COMMAND, 2) & PCI_COMMAND_MEMORY && in_d0(c);
}

bool sim_cfgspace_msix_enable(const struct sim_cfgspace *c)
{
	return get(c, MSIX_CTRL, 2) & PCI_MSIX_FLAGS_ENABLE;
}

bool sim_cfgspace_msix_mask(const struct sim_cfgspace *c)
{
	return get(c, MSIX_CTRL, 2) & PCI_MSIX_FLAGS_MASKALL;
}

bool sim_cfgspace_relaxed(const struct sim_cfgspace *c)
{
	return get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_RELAX_EN;
}

bool sim_cfgspace_ext_tag(const struct sim_cfgspace *c)
{
	return get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_EXT_TAG;
}

bool sim_cfgspace_no_snoop(const struct sim_cfgspace *c)
{
	return get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_NOSNOOP_EN;
}

/* Software that writes more than DEVCAP offers gets what the function can do. */
unsigned int sim_cfgspace_mps(const struct sim_cfgspace *c)
{
	unsigned int code = (get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_PAYLOAD) >>
			    __builtin_ctz(PCI_EXP_DEVCTL_PAYLOAD);

	return code > c->mps_max ? c->mps_max : code;
}

unsigned int sim_cfgspace_mrrs(const struct sim_cfgspace *c)
{
	unsigned int code = (get(c, DEVCTL, 2) & PCI_EXP_DEVCTL_READRQ) >>
			    __builtin_ctz(PCI_EXP_DEVCTL_READRQ);

	return code > 5 ? 5 : code;	/* 6 and 7 are reserved */
}

uint64_t sim_cfgspace_bar_size(unsigned int bar)
{
	return bar == 0 ? CAIRN_BAR0_BYTES : bar == 2 ? BAR2_BYTES : 0;
}
