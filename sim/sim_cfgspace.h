/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PCI configuration space of one simulated NIC: type 0 header, BAR sizing, power management, MSI-X
 * and PCI Express capabilities, with the write masks a real function has.  On a board the vendor's
 * hard block holds it.  Pure state: sim_pcie_host.c acts on the events that a write returns and
 * drives the core's cfg_* inputs.
 */
#ifndef CAIRN_SIM_CFGSPACE_H
#define CAIRN_SIM_CFGSPACE_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_CFGSPACE_BYTES 4096

/* Returned by sim_cfgspace_write(): what changed. */
enum {
	SIM_CFGSPACE_FLR = 1,	/* Initiate Function Level Reset was written */
	SIM_CFGSPACE_STATE = 2,	/* something that the queries below report may have changed */
};

struct sim_cfgspace {
	uint8_t data[SIM_CFGSPACE_BYTES];
	uint8_t wmask[SIM_CFGSPACE_BYTES];	/* bits that a write changes */
	uint8_t w1c[SIM_CFGSPACE_BYTES];	/* bits that writing 1 clears */
	unsigned int mps;	/* bytes, as the host's firmware programs it */
	unsigned int mps_max;	/* code in DEVCAP */
	bool no_ext_tag, no_relaxed;	/* sim_cfgspace_forbid() */
};

/* mps and mrrs in bytes: what the host's firmware has programmed before any driver runs. */
void sim_cfgspace_init(struct sim_cfgspace *c, unsigned int mps, unsigned int mrrs);
/*
 * A host whose root complex takes tags of 5 bits only, or that lets nothing overtake: it clears
 * these bits of Device Control before any driver runs, and again after a function reset.  A driver
 * may still write them.
 */
void sim_cfgspace_forbid(struct sim_cfgspace *c, bool ext_tag, bool relaxed);
/* A root complex whose read completion boundary is 128 bytes says so in Link Control; else 64. */
void sim_cfgspace_rcb_128(struct sim_cfgspace *c);
/* Function level reset: all but MPS and what hardware initialises returns to its reset value. */
void sim_cfgspace_flr(struct sim_cfgspace *c);

/* 0 or -EINVAL (outside the 4096 bytes). */
int sim_cfgspace_read(const struct sim_cfgspace *c, uint32_t off, void *buf, uint32_t len);
/* SIM_CFGSPACE_* events, or -EINVAL. */
int sim_cfgspace_write(struct sim_cfgspace *c, uint32_t off, const void *buf, uint32_t len);

bool sim_cfgspace_bus_master(const struct sim_cfgspace *c);	/* enabled and in D0 */
bool sim_cfgspace_memory(const struct sim_cfgspace *c);		/* BARs decode: enabled and in D0 */
bool sim_cfgspace_msix_enable(const struct sim_cfgspace *c);
bool sim_cfgspace_msix_mask(const struct sim_cfgspace *c);
bool sim_cfgspace_relaxed(const struct sim_cfgspace *c);	/* DEVCTL allows it */
bool sim_cfgspace_ext_tag(const struct sim_cfgspace *c);	/* and tags of 8 bits */
bool sim_cfgspace_no_snoop(const struct sim_cfgspace *c);
unsigned int sim_cfgspace_mps(const struct sim_cfgspace *c);	/* code: 128 << n bytes */
unsigned int sim_cfgspace_mrrs(const struct sim_cfgspace *c);

/* Bytes of a memory BAR (0 or 2), 0 for one that is not there. */
uint64_t sim_cfgspace_bar_size(unsigned int bar);

#endif
