/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of the connection manager's messages by name: cm_msg.def has the rows.
 *
 *   CM_GET(mad, REQ, LOCAL_QPN)          a number
 *   CM_SET(mad, REQ, LOCAL_QPN, value)   masks what is too wide
 *   CM_AT(mad, REQ, PRIVATE_DATA)        where a string of bytes begins
 *   CM_LEN(REQ, PRIVATE_DATA)            how long it is
 *
 * `mad` is a whole MAD of MAD_BYTES.  Fields of IP are read of the 36 bytes at the head of private
 * data with cm_get() and their row itself.
 */
#ifndef CAIRN_CM_MSG_H
#define CAIRN_CM_MSG_H

#include <stdint.h>

#define MAD_BYTES 256u
#define MAD_HEADER_BYTES 24u
#define CM_IP_BYTES 36u

/* Values of the header (13.4.3, 16.7.1). */
#define MAD_BASE_VERSION 1u
#define MAD_CLASS_CM 7u
#define MAD_CLASS_VERSION_CM 2u
#define MAD_METHOD_SEND 3u

struct cm_field {
	uint8_t at, bit, bits; /* byte from the start of what it is in */
};

enum cm_attribute {
#define CM_MESSAGE(name, attribute, text) CM_ATTR_##name = attribute,
#include "cm_msg.def"
};

enum cm_reason {
#define CM_REASON(name, number) CM_REJ_##name = number,
#include "cm_msg.def"
};

/* What an MRA or a REJ answers to. */
enum cm_answered { CM_ANSWERED_REQ, CM_ANSWERED_REP, CM_ANSWERED_OTHER };

/* 12.11.1.1 and 12.6.11; table 121 */
enum cm_sidr_status { CM_SIDR_OK, CM_SIDR_UNSUPPORTED, CM_SIDR_REJECT, CM_SIDR_NO_QP };
#define CM_APR_UNSUPPORTED 2u

/* 12.6.5: of a connection's kind */
enum cm_transport { CM_TRANSPORT_RC, CM_TRANSPORT_UC };

/* clang-format off */
#define CM_FIELD(name, field, byte, bit, bits) \
	static const struct cm_field cm_##name##_##field __attribute__((unused)) = \
		{ byte, bit, bits };
#define CM_BYTES(name, field, byte, bytes) \
	enum { cm_at_##name##_##field = byte, cm_len_##name##_##field = bytes };
#include "cm_msg.def"
/* clang-format on */

uint64_t cm_get(const uint8_t *from, struct cm_field field);
void cm_set(uint8_t *to, struct cm_field field, uint64_t value);

#define CM_GET(mad, name, field) cm_get((mad) + MAD_HEADER_BYTES, cm_##name##_##field)
#define CM_SET(mad, name, field, value) cm_set((mad) + MAD_HEADER_BYTES, cm_##name##_##field, value)
#define CM_AT(mad, name, field) ((mad) + MAD_HEADER_BYTES + cm_at_##name##_##field)
#define CM_LEN(name, field) ((unsigned int)cm_len_##name##_##field)
#define MAD_GET(mad, field) cm_get(mad, cm_MAD_##field)
#define MAD_SET(mad, field, value) cm_set(mad, cm_MAD_##field, value)

/* An empty message with its header. */
void cm_msg_init(uint8_t mad[MAD_BYTES], enum cm_attribute attribute, uint64_t transaction);
/* "REQ", ... for people; NULL: no message of ours. */
const char *cm_msg_name(unsigned int attribute);
/* Why a REJ, for people. */

#endif
