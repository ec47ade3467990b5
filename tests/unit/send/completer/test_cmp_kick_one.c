// SPDX-License-Identifier: Apache-2.0
/* cmp_kick that keeps one fired timer at a time, and gives it up if its record is damaged. */
#define ONE_FIRE 1
#include "test_cmp_kick.c"
