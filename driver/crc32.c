// SPDX-License-Identifier: Apache-2.0
/* The check sum of what is written here to be read elsewhere: firmware's image, what
 * a lease says. */
#include "priv.h"

uint32_t cairn_crc32(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}
