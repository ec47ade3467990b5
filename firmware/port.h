/* SPDX-License-Identifier: Apache-2.0 */
/* The port (port.c). */
#ifndef CAIRN_FW_PORT_H
#define CAIRN_FW_PORT_H

#include "fw.h"

bool port_up(void);
unsigned int port_active_mtu(void);

#endif
