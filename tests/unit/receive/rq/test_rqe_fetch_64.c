// SPDX-License-Identifier: Apache-2.0
/* The same at 64 bit. */
#include "test_rqe_fetch.c"
