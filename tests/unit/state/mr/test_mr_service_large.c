// SPDX-License-Identifier: Apache-2.0
/* As test_mr_service.c, with the caches of the build of 512 bits. */
#include "test_mr_service.c"
