// SPDX-License-Identifier: Apache-2.0
/* ram_1r1w, new data when a read meets a write. */
#define DEPTH 16
#define BYPASS 1
#define PORTS 1
#include "ram_test.h"
