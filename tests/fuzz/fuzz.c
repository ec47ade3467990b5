// SPDX-License-Identifier: Apache-2.0
/*
 * Fuzzers of the whole NIC; ONLY chooses one.  See fuzz_packets.c, fuzz_wqes.c and fuzz_net.c. Most
 * frames are wrong on purpose: no rule holds for such a conversation, so no capture is judged.
 */
#include "victim.h"

#include <stdlib.h>

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(fuzz_packets), RDMA_TEST(fuzz_wqes),
					    RDMA_TEST(fuzz_net) };

	setenv("PCAP", "", 0);
	return RDMA_RUN("fuzz", tests);
}
