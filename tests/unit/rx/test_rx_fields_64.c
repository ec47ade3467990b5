// SPDX-License-Identifier: Apache-2.0
/* rx_parser field by field, 64 bits. */
#include "test_rx_fields_512.c"
