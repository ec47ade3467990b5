/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by vtb.c and vtb_stream.c only: bit strings in little-endian byte arrays, life of the
 * streams. */
#ifndef CAIRN_VTB_PRIV_H
#define CAIRN_VTB_PRIV_H

#include "vtb.h"

static inline void vtb_bits_put(uint8_t *bits, unsigned int lsb, unsigned int width, uint64_t value)
{
	while (width) {
		unsigned int shift = lsb % 8, n = 8 - shift < width ? 8 - shift : width;
		uint8_t mask = (uint8_t)(((1u << n) - 1) << shift);
		uint8_t *byte = &bits[lsb / 8];

		*byte = (uint8_t)((*byte & ~mask) | ((value << shift) & mask));
		value >>= n;
		lsb += n;
		width -= n;
	}
}

static inline uint64_t vtb_bits_get(const uint8_t *bits, unsigned int lsb, unsigned int width)
{
	uint64_t value = 0;
	unsigned int done = 0;

	while (done < width) {
		unsigned int shift = (lsb + done) % 8;
		unsigned int n = 8 - shift < width - done ? 8 - shift : width - done;
		uint64_t part = (bits[(lsb + done) / 8] >> shift) & ((1u << n) - 1);

		value |= part << done;
		done += n;
	}
	return value;
}

void vtb_streams_reset(struct vtb *tb);
void vtb_streams_free(struct vtb *tb);

#endif
