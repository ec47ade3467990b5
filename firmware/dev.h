/* SPDX-License-Identifier: Apache-2.0 */
/* State of the whole device (dev.c). */
#ifndef CAIRN_FW_DEV_H
#define CAIRN_FW_DEV_H

#include "fw.h"
#include "gid.h"

#define EQS 32u /* at most */
#define PDS 65536u
#define MAX_AH 65536u /* they are the driver's */
#define MAX_MR_BYTES (1ull << 40)
#define PAGE_SIZES (1ull << 12 | 1ull << 16 | 1ull << 21 | 1ull << 30)

struct dev {
	bool enabled;
	uint32_t features, build;
	uint8_t n_gids, n_eqs, n_groups; /* that this build has (REG SIZES) */
	uint8_t mrs_log2; /* keys on chip; 0: in host memory */
	uint64_t table_base[8];
	uint8_t table_log2[8];
	uint8_t table_set;	/* bit per enum cairn_table */
	uint32_t eq_valid;	/* bit per EQN */
	uint16_t eq_users[EQS]; /* CQs that count on it */
	uint8_t eq_log2[EQS];
	struct gid gids[GIDS];
	uint32_t gids_valid;  /* bit per entry */
	bool open;	      /* the data path is, until a DISABLE begins */
	bool no_loop;	      /* frames to ourselves go out on the wire */
	uint32_t gid_leaving; /* bit per entry: about to change, no path may begin there */
	uint8_t mac[6];
};
extern struct dev dev;

void dev_init(void);
uint32_t dev_numbers(void); /* QPNs or CQNs, whatever is more */

static inline bool in_table(uint32_t number, enum cairn_table table)
{
	return number < 1ull << dev.table_log2[table];
}

#endif
