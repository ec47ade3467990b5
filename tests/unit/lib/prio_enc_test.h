/* SPDX-License-Identifier: Apache-2.0 */
/* prio_enc, and prio_enc_onehot (ONEHOT): every input of 11 bits. */
#include "vtb.h"

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
