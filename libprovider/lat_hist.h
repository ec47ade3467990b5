/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram of times in ns, log-linear: 16 buckets to each power of two.  Up to 31 ns each bucket
 * is a single value; from there a bucket is at most 1/16 of its lowest value wide, so that its
 * middle, which stands for all in it, is off by at most 1/32 (3.2 %) of any of them.  The last
 * bucket has all from 2^36 ns (68 s) on, and its lowest value stands for them.
 *
 * Headers only: the provider counts, the tools read.
 */
#ifndef LAT_HIST_H
#define LAT_HIST_H

#include <stdint.h>

#define LAT_SUB_LOG2 4u /* buckets of a power of two */
#define LAT_TOP_LOG2 36u
#define LAT_BUCKETS (((LAT_TOP_LOG2 - LAT_SUB_LOG2 + 1) << LAT_SUB_LOG2) + 1)

static inline unsigned int lat_bucket(uint64_t ns)
{
	unsigned int shift;

	if (ns >> LAT_TOP_LOG2)
		return LAT_BUCKETS - 1;
	if (!(ns >> LAT_SUB_LOG2))
		return (unsigned int)ns;
	shift = 63 - LAT_SUB_LOG2 - (unsigned int)__builtin_clzll(ns);
	return (shift << LAT_SUB_LOG2) + (unsigned int)(ns >> shift);
}

/* Its lowest value; that of bucket i + 1 is one more than the highest of bucket i. */
static inline uint64_t lat_lowest(unsigned int bucket)
{
	unsigned int octave = bucket >> LAT_SUB_LOG2;

	if (octave < 2)
		return bucket;
	return (uint64_t)(bucket - ((octave - 1) << LAT_SUB_LOG2)) << (octave - 1);
}

static inline uint64_t lat_middle(unsigned int bucket)
{
	uint64_t low = lat_lowest(bucket);

	return bucket + 1 >= LAT_BUCKETS ? low : low + (lat_lowest(bucket + 1) - 1 - low) / 2;
}

#endif
