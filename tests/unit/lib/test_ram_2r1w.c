// SPDX-License-Identifier: Apache-2.0
/* ram_2r1w, new data when a read meets a write. */
#define DEPTH 16
#define BYPASS 1
#define PORTS 2
#include "ram_test.h"
