// SPDX-License-Identifier: Apache-2.0
/* test_cq_service.c where every record is on chip (cq_resident). */
#define ON_CHIP 1
#include "test_cq_service.c"
