// SPDX-License-Identifier: Apache-2.0
/* test_completer where cmp_packet and cmp_retire read the same RAM. */
#include "test_completer.c" // NOLINT(bugprone-suspicious-include): the same test, another build
