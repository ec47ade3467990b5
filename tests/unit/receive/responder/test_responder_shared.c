// SPDX-License-Identifier: Apache-2.0
/* The same at 64 bit, with records in RAMs that are shared. */
#include "test_responder.c"
