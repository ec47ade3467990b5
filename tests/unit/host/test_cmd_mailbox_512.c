// SPDX-License-Identifier: Apache-2.0
/* cmd_mailbox at 512 bit. */
#include "test_cmd_mailbox.c"
