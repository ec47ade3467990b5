// SPDX-License-Identifier: Apache-2.0
/* The core without mcycle and minstret: they are there, read zero and take any value. */
#include "cpu_tb.h"
#include "rv.h"

static void read_zero(void **state)
{
	static const uint16_t csrs[] = { CSR_MCYCLE,	CSR_MCYCLEH, CSR_CYCLE,	  CSR_MINSTRET,
					 CSR_MINSTRETH, CSR_INSTRET, CSR_MSCRATCH };
	struct cpu *c = cpu_create();

	(void)state;
	for (unsigned int i = 0; i < sizeof(csrs) / sizeof(csrs[0]); i++) {
		const bool writes = csrs[i] >> 10 != 3, keeps = csrs[i] == CSR_MSCRATCH;
		const uint32_t prog[] = {
			LI(5, 0x12345),	   writes ? CSRRW(6, csrs[i], 5) : NOP,
			CSRR(10, csrs[i]), NOP,
			CSRR(11, csrs[i]), WFI,
		};

		CPU_RUN(c, prog, 200);
		vtb_check_eq(c->tb, cpu_reg(c, 10), keeps ? 0x12345 : 0);
		vtb_check_eq(c->tb, cpu_reg(c, 11), keeps ? 0x12345 : 0);
	}
	cpu_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(read_zero) };

	return cmocka_run_group_tests_name("cpu without counters", tests, NULL, NULL);
}
