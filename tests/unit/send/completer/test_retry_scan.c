// SPDX-License-Identifier: Apache-2.0
/* retry_timer of few QPs, whose timers are looked through in turn. */
#include "test_retry_timer.c"
