// SPDX-License-Identifier: Apache-2.0
/* pend_queue of few numbers: pend_scan, in words of four. */
#include "test_pend_queue.c"
