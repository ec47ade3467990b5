// SPDX-License-Identifier: Apache-2.0
/* Fuzzers of the whole NIC; ONLY chooses one.  See fuzz_packets.c and fuzz_wqes.c. */
#include "victim.h"

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(fuzz_packets), RDMA_TEST(fuzz_wqes) };

	return RDMA_RUN("fuzz", tests);
}
