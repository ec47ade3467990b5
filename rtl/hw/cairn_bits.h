/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to the layouts of cairn_hw.h and cairn_pkt.h.
 *
 * Structures in host memory are little-endian, and so is every machine this runs on: members are
 * read and written as they are, fields inside a word through the masks: ctrl =
 * CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, op) | CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, 1); op =
 * CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_OPCODE); Headers on the wire are bit strings, first bit of
 * the first byte first; a field macro gives offset and width: psn = cairn_pkt_get(bth,
 * CAIRN_BTH_PSN);
 */
#ifndef CAIRN_BITS_H
#define CAIRN_BITS_H

#include <assert.h>
#include <stdint.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "layouts are used in place: little-endian machines only");

/* Distance of a mask's lowest bit from bit 0; a constant when the mask is one. */
#define CAIRN_SHIFT(mask) ((unsigned int)__builtin_ctzll(mask))

#define CAIRN_GET(word, mask) (((word) & (mask)) >> CAIRN_SHIFT(mask))

/* Bits of `value` beyond the field are dropped. */
#define CAIRN_PUT(mask, value) (((__typeof__(mask))(value) << CAIRN_SHIFT(mask)) & (mask))

/* Replace one field of a word in place. */
#define CAIRN_SET(word, mask, value) ((word) = ((word) & ~(mask)) | CAIRN_PUT(mask, value))

/* Largest value that a field holds. */
#define CAIRN_MAX(mask) ((mask) >> CAIRN_SHIFT(mask))

/* CAIRN_WQE_CHECK_OWNER of the send WQEs of a QP in one of its lives. */
static inline uint32_t cairn_wqe_owner(uint32_t qpn, uint32_t gen)
{
	uint32_t turned = 0;

	for (unsigned int i = 0; i < 8; i++)
		turned |= (gen >> i & 1) << (15 - i);
	return (qpn & 0xffff) ^ (qpn >> 16 & 0xff) ^ turned;
}

/* `width` (1 to 64) bits at `offset` from the first bit of a header on the wire. */
static inline uint64_t cairn_pkt_get(const void *header, unsigned int offset, unsigned int width)
{
	const uint8_t *p = (const uint8_t *)header + offset / 8;
	unsigned int skip = offset % 8, got = 8 - skip;
	uint64_t value = *p++ & (0xffu >> skip);

	while (got + 8 <= width) {
		value = value << 8 | *p++;
		got += 8;
	}
	if (got < width)
		return value << (width - got) | *p >> (8 - (width - got));
	return value >> (got - width);
}

/* Bits of `value` beyond the field are dropped. */
static inline void cairn_pkt_set(void *header, unsigned int offset, unsigned int width,
				 uint64_t value)
{
	uint8_t *p = (uint8_t *)header;

	while (width) {
		unsigned int end = offset + width; /* one past the last bit still to write */
		unsigned int room = end % 8 ? end % 8 : 8, n = room < width ? room : width;
		unsigned int shift = 8 - room;
		uint8_t mask = (uint8_t)(((1u << n) - 1) << shift);
		uint8_t *byte = &p[(end - 1) / 8];

		*byte = (uint8_t)((*byte & ~mask) | ((uint8_t)(value << shift) & mask));
		value >>= n;
		width -= n;
	}
}

#endif
