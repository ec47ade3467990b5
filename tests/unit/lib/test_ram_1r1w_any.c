// SPDX-License-Identifier: Apache-2.0
/* ram_1r1w, anything when a read meets a write. */
#define DEPTH 13
#define BYPASS 2
#define PORTS 1
#include "ram_test.h"
