// SPDX-License-Identifier: Apache-2.0
/* The tests of test_completer.c where QPs share lists of parked packets, 512 bit. */
#include "test_completer.c"
