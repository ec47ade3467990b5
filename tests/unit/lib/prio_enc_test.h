/* SPDX-License-Identifier: Apache-2.0 */
/* prio_enc, and prio_enc_onehot (ONEHOT): every input of 11 bits, or many of WIDE bits. */
#include "vtb.h"

#ifdef WIDE
/* Each pair of bits, lowest and next, and random ones above. */
static void many_inputs(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int low = 0; low < WIDE; low++) {
		for (unsigned int next = low; next < WIDE; next++) {
			uint64_t in = 1ull << low | 1ull << next, above = ~0ull << next << 1;

			in |= next < 63 ? rng_u64(&tb->rng) & rng_u64(&tb->rng) & above : 0;
			in &= (1ull << WIDE) - 1;
			vtb_set(tb, "in_i", in);
			vtb_eval(tb);
			vtb_check_eq(tb, vtb_get(tb, "valid_o"), 1);
			vtb_check_eq(tb, vtb_get(tb, "idx_o"), low);
			vtb_check_eq(tb, vtb_get(tb, "onehot_o"), 1ull << low);
		}
	}
	vtb_destroy(tb);
}
#else
static void all_inputs(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int in = 0; in < 1 << 11; in++) {
		vtb_set(tb, "in_i", in);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "valid_o"), in != 0);
		vtb_check_eq(tb, vtb_get(tb, "idx_o"), in ? __builtin_ctz(in) : 0);
#ifdef ONEHOT
		vtb_check_eq(tb, vtb_get(tb, "onehot_o"), in & -in);
#endif
	}
	vtb_destroy(tb);
}
#endif
