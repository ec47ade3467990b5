/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be known of a NIC: from the device where this process has it open, else from what lies
 * beside its socket (nicN.json, and nicN.stat for its counters) or what `cairn bind` left.  Nothing
 * here opens a NIC.
 */
#ifndef FACTS_H
#define FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct nic;

struct facts_port {
	bool active;
	unsigned int gbps; /* 0: not known */
};

/* A file of a directory that was looked at.  NULL with errno; EINVAL: no JSON. */
json_t *facts_load(int dir, const char *name);

/* It is on a PCI bus of this machine, and not simulated. */
bool facts_is_function(const struct nic *nic);
/* What is not known is down. */
void facts_port(struct nic *nic, struct facts_port *port);
/* Entries of the table, as far as known. */
unsigned int facts_gids(struct nic *nic);
/* 0; ENODATA: empty entry. */
int facts_gid(struct nic *nic, unsigned int index, uint8_t gid[16]);
bool facts_counters(struct nic *nic);
/* Of hw.def.  0 or an errno; ENOENT: not known. */
int facts_counter(struct nic *nic, unsigned int index, uint64_t *value);
/* 0 or ENOENT: of firmware that runs. */
int facts_firmware(struct nic *nic, uint32_t *version);

#endif
