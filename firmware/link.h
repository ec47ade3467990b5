/* SPDX-License-Identifier: Apache-2.0 */
/* The link (link.c). */
#ifndef CAIRN_FW_LINK_H
#define CAIRN_FW_LINK_H

#include "fw.h"

void link_poll(void); /* has it come or gone? */

#endif
