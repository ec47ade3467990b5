// SPDX-License-Identifier: Apache-2.0
/* rsp_ack_one: the same, and those of rsp_tx, which leave elsewhere, are let go in their turn. */
#define ONE
#include "test_rsp_ack_port.c"
