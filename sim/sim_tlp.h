/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of TLP headers (rtl/hw/hw.def, tlp_mem and tlp_cpl) as four host words, dw[0] first as in
 * the PCIe figures.  No field but the address crosses a word.
 */
#ifndef CAIRN_SIM_TLP_H
#define CAIRN_SIM_TLP_H

#include <stdint.h>
#include <string.h>

#include "cairn_hw.h"

static inline uint32_t sim_tlp_get(const uint32_t dw[4], unsigned int offset, unsigned int width)
{
	return dw[offset / 32] << offset % 32 >> (32 - width);
}

static inline void sim_tlp_set(uint32_t dw[4], unsigned int offset, unsigned int width, uint32_t v)
{
	dw[offset / 32] |= (v & (uint32_t)((1ull << width) - 1)) << (32 - offset % 32 - width);
}

/* A core's 128-bit header port: first word in bits 127:96, storage little-endian. */
static inline void sim_tlp_from_port(uint32_t dw[4], const uint8_t *port)
{
	for (unsigned int i = 0; i < 4; i++)
		memcpy(&dw[i], port + 12 - 4 * i, 4);
}

static inline void sim_tlp_to_port(uint8_t *port, const uint32_t dw[4])
{
	for (unsigned int i = 0; i < 4; i++)
		memcpy(port + 12 - 4 * i, &dw[i], 4);
}

/* A memory request header; 3-DW form below 4 GiB.  addr is DW-aligned. */
static inline void sim_tlp_mem(uint32_t dw[4], int write, uint64_t addr, unsigned int len_dw,
			       unsigned int fbe, unsigned int lbe, unsigned int tag, uint16_t reqid)
{
	int wide = addr >> 32 != 0;

	memset(dw, 0, 16);
	sim_tlp_set(dw, CAIRN_TLP_MEM_FMT,
		    (write ? CAIRN_TLP_FMT_3DW_DATA : CAIRN_TLP_FMT_3DW) | wide);
	sim_tlp_set(dw, CAIRN_TLP_MEM_TYPE, CAIRN_TLP_TYPE_MEM);
	sim_tlp_set(dw, CAIRN_TLP_MEM_T9, tag >> 9);
	sim_tlp_set(dw, CAIRN_TLP_MEM_T8, tag >> 8);
	sim_tlp_set(dw, CAIRN_TLP_MEM_LENGTH, len_dw);
	sim_tlp_set(dw, CAIRN_TLP_MEM_REQID, reqid);
	sim_tlp_set(dw, CAIRN_TLP_MEM_TAG, tag);
	sim_tlp_set(dw, CAIRN_TLP_MEM_LBE, lbe);
	sim_tlp_set(dw, CAIRN_TLP_MEM_FBE, fbe);
	dw[2] = wide ? (uint32_t)(addr >> 32) : (uint32_t)addr;
	dw[3] = wide ? (uint32_t)addr : 0;
}

/* A completion header; len_dw 0: without data. */
static inline void sim_tlp_cpl(uint32_t dw[4], unsigned int status, unsigned int len_dw,
			       unsigned int byte_count, unsigned int lower_addr, unsigned int tag,
			       uint16_t reqid, uint16_t cplid)
{
	memset(dw, 0, 16);
	sim_tlp_set(dw, CAIRN_TLP_CPL_FMT, len_dw ? CAIRN_TLP_FMT_3DW_DATA : CAIRN_TLP_FMT_3DW);
	sim_tlp_set(dw, CAIRN_TLP_CPL_TYPE, CAIRN_TLP_TYPE_CPL);
	sim_tlp_set(dw, CAIRN_TLP_CPL_T9, tag >> 9);
	sim_tlp_set(dw, CAIRN_TLP_CPL_T8, tag >> 8);
	sim_tlp_set(dw, CAIRN_TLP_CPL_LENGTH, len_dw);
	sim_tlp_set(dw, CAIRN_TLP_CPL_CPLID, cplid);
	sim_tlp_set(dw, CAIRN_TLP_CPL_STATUS, status);
	sim_tlp_set(dw, CAIRN_TLP_CPL_BYTE_COUNT, byte_count);
	sim_tlp_set(dw, CAIRN_TLP_CPL_REQID, reqid);
	sim_tlp_set(dw, CAIRN_TLP_CPL_TAG, tag);
	sim_tlp_set(dw, CAIRN_TLP_CPL_LOWER_ADDR, lower_addr);
}

#endif
