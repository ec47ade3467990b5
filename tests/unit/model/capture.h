/* SPDX-License-Identifier: Apache-2.0 */
/* RoCE v2 packets of a capture file, as the golden model takes them. */
#ifndef CAIRN_TEST_MODEL_CAPTURE_H
#define CAIRN_TEST_MODEL_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "sim_pkt.h"

#define CAPTURE_MAX 400

struct capture_frame {
	struct model_packet packet;
	bool good; /* ICRC */
	struct sim_pkt pkt;
};

/* Fills `frames` (CAPTURE_MAX of them) with what is RoCE v2; returns how many. */
unsigned int capture_read(const char *path, struct capture_frame *frames);
/* RC, not damaged, and of a kind (CAIRN_OPF_*). */
bool capture_is_rc(const struct capture_frame *f, uint32_t flag);
uint32_t capture_payload(const struct model_packet *packet);

#endif
