/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page that shows device time to programs (driver/devtime.h), one for all NICs: the core stores
 * the time as it moves (sim_show_time()), the loop of `cairn sim` says when it goes on by itself.
 * Nothing of it is ever read back, and no other process can write it.
 */
#ifndef CAIRN_SIM_TIME_H
#define CAIRN_SIM_TIME_H

#include <stdint.h>

struct sim_time;

/* NULL with errno. */
struct sim_time *sim_time_new(void);
void sim_time_free(struct sim_time *time);
/* Write the file at `path` that says where the page is.  0 or -errno. */
int sim_time_announce(const struct sim_time *time, const char *path);
/* Where the core stores it. */
uint64_t *sim_time_word(struct sim_time *time);
/* From now on it is CLOCK_MONOTONIC + ahead, at most `limit`. */
void sim_time_runs(struct sim_time *time, uint64_t ahead, uint64_t limit);
/* It is what the core stores. */
void sim_time_stands(struct sim_time *time);

#endif
