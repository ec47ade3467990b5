// SPDX-License-Identifier: Apache-2.0
/* ram_1r1w, old data when a read meets a write. */
#define DEPTH 13
#define BYPASS 0
#define PORTS 1
#include "ram_test.h"
