// SPDX-License-Identifier: Apache-2.0
/* test_rsp_model where QPs share the lists of what waits: 4 for all. */
#include "test_rsp_model.c"
