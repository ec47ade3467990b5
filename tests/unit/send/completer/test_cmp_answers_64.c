// SPDX-License-Identifier: Apache-2.0
/*
 * The tests of test_cmp_answers.c where a look-up brings a part of a WQE, and data is
 * placed packet by packet: nothing stands behind writes that find no room.
 */
#define ONE_AT_A_TIME
#include "test_cmp_answers.c"
