// SPDX-License-Identifier: Apache-2.0
/* The tests of test_completer.c where a look-up brings a part of a WQE. */
#include "test_completer.c"
