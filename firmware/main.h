/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop (main.c). */
#ifndef CAIRN_FW_MAIN_H
#define CAIRN_FW_MAIN_H

#include "fw.h"

void fw_start(void);
void fw_pass(void); /* look at what has something to do, then sleep if nothing has */

#endif
