// SPDX-License-Identifier: Apache-2.0
/* The same with the narrow data path. */
#include "test_requester.c"
