// SPDX-License-Identifier: Apache-2.0
/* qp_parts with as many slots as the largest build has: no bit of an address is lost. */
#include "test_qp_parts.c"
