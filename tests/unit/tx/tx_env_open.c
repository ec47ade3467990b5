// SPDX-License-Identifier: Apache-2.0
/* What tests of the whole tx_path look at: its MAC side and its two reports of failed reads. */
#include "tx_env.h"

void env_open(unsigned int mac_pause)
{
	unsigned int lsb;
	static const char *const names[2] = { "reports_req", "reports_rsp" };

	env_begin();
	env.mac = vtb_sink(env.tb, "mac_tx");
	vtb_stream_pause(env.mac, mac_pause);
	/* rarely taken: packets wait for their reports */
	env_reports(mac_pause == 40 ? 95 : 0);
	for (int r = 0; r < 2; r++) {
		env.err[r] = vtb_sink(env.tb, names[r]);
		vtb_stream_add(env.err[r], "lost", &lsb);
	}
}
