// SPDX-License-Identifier: Apache-2.0
/* Fields of the connection manager's messages: numbers of any width at any bit, big-endian. */
#include "cm_msg.h"

#include <stddef.h>
#include <string.h>

/* The bytes that a field lies in, 8 at most, are taken as one number; no row crosses more. */
uint64_t cm_get(const uint8_t *from, struct cm_field field)
{
	unsigned int bytes = (field.bit + field.bits + 7u) / 8;
	uint64_t value = 0;

	for (unsigned int i = 0; i < bytes; i++)
		value = value << 8 | from[field.at + i];
	value >>= bytes * 8 - field.bit - field.bits;
	return field.bits == 64 ? value : value & ((1ull << field.bits) - 1);
}

void cm_set(uint8_t *to, struct cm_field field, uint64_t value)
{
	unsigned int bytes = (field.bit + field.bits + 7u) / 8;
	unsigned int shift = bytes * 8 - field.bit - field.bits;
	uint64_t mask = field.bits == 64 ? UINT64_MAX : (1ull << field.bits) - 1;

	value = (value & mask) << shift;
	mask <<= shift;
	for (unsigned int i = bytes; i--; value >>= 8, mask >>= 8)
		to[field.at + i] = (uint8_t)((to[field.at + i] & ~mask) | value);
}

void cm_msg_init(uint8_t mad[MAD_BYTES], enum cm_attribute attribute, uint64_t transaction)
{
	memset(mad, 0, MAD_BYTES);
	MAD_SET(mad, BASE_VERSION, MAD_BASE_VERSION);
	MAD_SET(mad, MGMT_CLASS, MAD_CLASS_CM);
	MAD_SET(mad, CLASS_VERSION, MAD_CLASS_VERSION_CM);
	MAD_SET(mad, METHOD, MAD_METHOD_SEND);
	MAD_SET(mad, TRANSACTION_ID, transaction);
	MAD_SET(mad, ATTRIBUTE_ID, attribute);
}

const char *cm_msg_name(unsigned int attribute)
{
	switch (attribute) {
#define CM_MESSAGE(name, attribute, text) \
	case CM_ATTR_##name:              \
		return text;
#include "cm_msg.def"
	default:
		return NULL;
	}
}
