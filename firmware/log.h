/* SPDX-License-Identifier: Apache-2.0 */
/* The log (log.c): to the host's ring when there is one, always to the console. */
#ifndef CAIRN_FW_LOG_H
#define CAIRN_FW_LOG_H

#include "fw.h"

bool log_poll(void); /* false: it waits for DMA, or has nothing to do any more */
void fw_log(uint32_t code, const char *text, uint32_t a, uint32_t b);

#endif
