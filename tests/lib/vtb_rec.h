/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of rtl/hw/int.def in a port or in the meta of a stream: nothing of their layout is typed
 * in a test.  For each record NAME:
 *
 *   vtb_put_NAME(port, lsb, &rec), vtb_get_NAME(port, lsb)     from bit lsb of the port on
 *   vtb_meta_put_NAME(meta, lsb, &rec), vtb_meta_get_NAME(meta, lsb)
 *
 * with struct rec_NAME.  A member alone, of a record at bit 0 or at bit lsb:
 *
 *   vtb_put_bits(port, REC_NAME_MEMBER, value), vtb_get_bits(port, VTB_AT(lsb, REC_NAME_MEMBER))
 *
 * A value that does not fit its member fails the test.
 */
#ifndef CAIRN_VTB_REC_H
#define CAIRN_VTB_REC_H

#include "cairn_int.h"
#include "vtb.h"

#define VTB_REC_PUT(name, path, at, width) vtb_put_bits(port, lsb + (at), width, rec->path);
#define VTB_REC_GET(name, path, at, width) \
	rec.path = (__typeof__(rec.path))vtb_get_bits(port, lsb + (at), width);
#define VTB_REC_META_PUT(name, path, at, width) vtb_meta_put(meta, lsb + (at), width, rec->path);
#define VTB_REC_META_GET(name, path, at, width) \
	rec.path = (__typeof__(rec.path))vtb_meta_bits(meta, lsb + (at), width);

#define VTB_REC(name, NAME)                                                                     \
	__attribute__((unused)) static void vtb_put_##name(const struct sim_port *port,         \
							   unsigned int lsb,                    \
							   const struct rec_##name *rec)        \
	{                                                                                       \
		REC_##NAME##_FIELDS(VTB_REC_PUT)                                                \
	}                                                                                       \
	__attribute__((unused)) static struct rec_##name vtb_get_##name(                        \
		const struct sim_port *port, unsigned int lsb)                                  \
	{                                                                                       \
		struct rec_##name rec;                                                          \
\
		REC_##NAME##_FIELDS(VTB_REC_GET) return rec;                                    \
	}                                                                                       \
	__attribute__((unused)) static void vtb_meta_put_##name(                                \
		uint8_t *meta, unsigned int lsb, const struct rec_##name *rec)                  \
	{                                                                                       \
		REC_##NAME##_FIELDS(VTB_REC_META_PUT)                                           \
	}                                                                                       \
	__attribute__((unused)) static struct rec_##name vtb_meta_get_##name(                   \
		const uint8_t *meta, unsigned int lsb)                                          \
	{                                                                                       \
		struct rec_##name rec;                                                          \
\
		REC_##NAME##_FIELDS(VTB_REC_META_GET) return rec;                               \
	}
REC_ALL(VTB_REC)

/* A place of cairn_int.h, "lsb, width", of a record that begins at bit `base`. */
#define VTB_AT_(base, lsb, width) (base) + (lsb), width
#define VTB_AT(base, ...)	  VTB_AT_(base, __VA_ARGS__)
/* Its first bit, for what is wider than 64: vtb_put_bytes(port, VTB_LSB(REC_NAME_MEMBER), ...). */
#define VTB_LSB_(lsb, width) (lsb)
#define VTB_LSB(...)	     VTB_LSB_(__VA_ARGS__)

#endif
