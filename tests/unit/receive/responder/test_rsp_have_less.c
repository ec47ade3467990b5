// SPDX-License-Identifier: Apache-2.0
/* The same of a build without atomics, SRQs and windows. */
#define LESS
#include "test_rsp_have.c"
