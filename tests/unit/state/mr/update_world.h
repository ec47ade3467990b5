/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two clients of mr_update beside lookups and firmware, and the reference that judges them: what
 * each key was when, and that no client uses what it was answered once an operation that took the
 * key away has been answered.
 */
#ifndef UPDATE_WORLD_H
#define UPDATE_WORLD_H

#include "mr_ref.h"

#define VERSIONS 32

struct version {
	struct cairn_mpt m;
	uint64_t ptes[PTES];
	uint64_t from, to;
};

struct upd_env {
	struct cairn_mpt now[KEYS];
	struct version v[KEYS][VERSIONS];
	unsigned int n_v[KEYS];
	struct {
		struct upd u;
		bool offering, busy, shown;
		uint64_t since;
	} change[2];
	struct {
		struct req q;
		struct answer a;
		uint64_t at;
	} late[4096];
	uint64_t gone[KEYS]; /* invalidated then, and not valid since */
	unsigned int n_late, upd_pc, rsp_busy, upds, outcome[4][256], cnt[4], skipped;
	bool fw_mod, fw_was;
	unsigned int fw_key;
	uint64_t fw_value;
	unsigned int only; /* key of lookups, 0: any */
};

extern struct upd_env E;

/* A bench with LAST_KEY random records, all of them on the host's side. */
struct bench *upd_start(void);
/* Nothing new; when all has been answered the table is what the reference says. */
void upd_finish(struct bench *b);
/* The record of a key has changed at `from`. */
void upd_version(struct bench *b, unsigned int i, uint64_t from);
/* One operation by itself; cycles until its answer. */
unsigned int upd_cycles(struct bench *b, const struct upd *u);

#endif
