// SPDX-License-Identifier: Apache-2.0
/* The host side at 512 bit. */
#include "test_host_if.c"
