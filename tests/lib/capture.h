/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RoCE v2 packets of a capture file (tests/fixtures), as the golden model takes them, and what a
 * capture does not show of the hosts in it.
 */
#ifndef CAIRN_TEST_CAPTURE_H
#define CAIRN_TEST_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "sim_pkt.h"

#define CAPTURE_MAX 400
#define CAPTURE_RAW (CAIRN_MAX_HEADER + 4096 + CAIRN_ICRC_BYTES)

struct capture_frame {
	struct model_packet packet;
	bool good; /* ICRC */
	struct sim_pkt pkt;
	uint64_t ns;
	uint32_t len;
	uint8_t raw[CAPTURE_RAW]; /* the whole frame */
};

struct capture_scene {
	const char *file;
	uint32_t qp_rights, mr_rights; /* of the responder; 0: all */
	uint32_t mr_bytes;	       /* 0: as much as is used */
	unsigned int bad_key;	       /* the n-th key used is none; 0: all are good */
	uint32_t recv_bytes;	       /* 0: plenty */
	unsigned int rnr;	       /* so many times there is no receive */
	uint8_t rnr_timer;
	bool lost_answers; /* the capture lacks some */
	bool resumes; /* the rest of a READ is answered as if it had never stopped: MIDDLE, LAST */
	bool no_qp;   /* there is no such QP */
	bool app;     /* the programs write to the memory that is read */
	bool window;  /* the key is one of a memory window of type 2 */
	uint32_t first_psn; /* of the client, whose first packet is not there; 0: it is */
	uint32_t qkey;	    /* of the server; 0: the one that is sent to it */
	/* The client's request `fail` (counted from 0) ends with this status. */
	unsigned int fail;
	uint32_t status;
	uint8_t retry_cnt, rnr_retry; /* 0: enough of them */
	uint32_t unfinished;	      /* bytes of the last message that never left */
};

/* By the name of the file without ".pcap". */
const struct capture_scene *capture_scene(const char *name);

/* Fills `frames` (CAPTURE_MAX of them) with what is RoCE v2; returns how many. */
unsigned int capture_read(const char *path, struct capture_frame *frames);
/* RC, not damaged, and of a kind (CAIRN_OPF_*). */
bool capture_is_rc(const struct capture_frame *f, uint32_t flag);
uint32_t capture_payload(const struct model_packet *packet);

#endif
