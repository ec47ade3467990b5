// SPDX-License-Identifier: Apache-2.0
/*
 * qp_parts: in each cycle each reader has the parts of the slot that it named in the cycle before,
 * as they were before the writes of that cycle, whatever the others do. Owners' writes always
 * succeed, each of its part or half alone; maintenance's wait for them and for nobody else, and of
 * the completer part both halves come at once.
 */
#include <string.h>

#include "vtb.h"

#ifndef SLOTS
#define SLOTS 16u /* as in tests.mk */
#endif
#define PART 64u
#define HOT 6u /* slots that most accesses are of */

enum { CFG, REQ, CMP, RSP, PARTS };

static const struct reader {
	const char *slot, *data[PARTS];
} readers[] = {
	{ "receive_part_lookup_slot_i", { "receive_part_lookup_o" } },
	{ "receive_part_rsp_check_i", { [RSP] = "receive_part_rsp_check_o" } },
	{ "receive_part_rsp_commit_i", { [RSP] = "receive_part_rsp_commit_o" } },
	{ "receive_part_rsp_answer_i",
	  { "receive_part_rsp_answer_cfg_o", [RSP] = "receive_part_rsp_answer_rsp_o" } },
	{ "send_part_req_visit_i",
	  { "send_part_req_visit_cfg_o", "send_part_req_visit_req_o",
	    "send_part_req_visit_cmp_o" } },
	{ "send_part_req_issue_i", { [CMP] = "send_part_req_issue_o" } },
	{ "send_part_cmp_packet_i",
	  { [REQ] = "send_part_cmp_packet_req_o", "send_part_cmp_packet_cmp_o" } },
	{ "send_part_cmp_place_i",
	  { [REQ] = "send_part_cmp_place_req_o", "send_part_cmp_place_cmp_o" } },
	{ "send_part_cmp_retire_i",
	  { "send_part_cmp_retire_cfg_o", "send_part_cmp_retire_req_o",
	    "send_part_cmp_retire_cmp_o" } },
};
#define READERS (sizeof(readers) / sizeof(readers[0]))

#include "qp_owners.h"

/* What a reader does not wait for here (qp_store), and what says so. */
static const char *const always[] = {
	"receive_part_lookup_ok_o",   "receive_part_rsp_check_ok_o", "receive_part_rsp_commit_ok_o",
	"receive_part_rsp_walk_ok_o", "receive_part_rsp_send_ok_o",  "send_part_cmp_packet_ok_o",
	"send_part_cmp_place_ok_o",   "send_part_cmp_retire_ok_o",
};

static struct world {
	struct vtb *tb;
	uint8_t ref[PARTS][SLOTS][PART]; /* as written in cycles before this one */
	bool here;			 /* everything has been written once */
	unsigned int hot[HOT], slot[READERS], writes;
	uint8_t want[READERS][PARTS][PART], m_want[PART]; /* of the slots of the cycle before */
	bool looked;
	bool wrote[OWNERS];
	unsigned int wslot[OWNERS], n_wrote[OWNERS];
	uint8_t wdata[OWNERS][PART];
	/* maintenance */
	unsigned int r_part, r_slot, w_part, w_slot, w_pause, n_maint, n_waits;
	bool w_valid, hold;
	uint8_t w_data[PART];
} W;

static unsigned int any_slot(void)
{
	if (rng_percent(&W.tb->rng, 80))
		return W.hot[rng_below(&W.tb->rng, HOT)];
	return (unsigned int)rng_below(&W.tb->rng, SLOTS);
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	for (unsigned int n = 0; n < READERS; n++)
		vtb_set(tb, readers[n].slot, W.slot[n] = any_slot());
	for (unsigned int n = 0; n < OWNERS; n++) {
		W.wrote[n] = !W.wrote[n] && rng_percent(&tb->rng, W.writes);
		W.wslot[n] = any_slot();
		rng_bytes(&tb->rng, W.wdata[n], PART);
		vtb_set(tb, owners[n].valid, W.wrote[n]);
		vtb_set(tb, owners[n].slot, W.wslot[n]);
		vtb_put_bytes(vtb_port(tb, owners[n].data), 0, W.wdata[n], owners[n].len);
	}
	vtb_set(tb, "read_valid_i", rng_percent(&tb->rng, 50));
	vtb_set(tb, "read_part_i", W.r_part = (unsigned int)rng_below(&tb->rng, PARTS));
	vtb_set(tb, "read_slot_i", W.r_slot = any_slot());
	if (!W.hold && !W.w_valid && W.here) {
		W.w_valid = !rng_percent(&tb->rng, W.w_pause);
		W.w_part = (unsigned int)rng_below(&tb->rng, PARTS);
		W.w_slot = any_slot();
		rng_bytes(&tb->rng, W.w_data, PART);
	}
	vtb_set(tb, "write_valid_i", W.w_valid);
	vtb_set(tb, "write_part_i", W.w_part);
	vtb_set(tb, "write_slot_i", W.w_slot);
	vtb_put_bytes(vtb_port(tb, "write_data_i"), 0, W.w_data, PART);
}

static void same(const char *port, const uint8_t *want)
{
	uint8_t got[PART];

	vtb_get_bytes(vtb_port(W.tb, port), 0, got, PART);
	if (memcmp(got, want, PART))
		vtb_fail(W.tb, "%s is not what its slot had", port);
}

static void look(void)
{
	for (unsigned int n = 0; n < READERS; n++)
		for (unsigned int p = 0; p < PARTS; p++) {
			if (W.looked && readers[n].data[p])
				same(readers[n].data[p], W.want[n][p]);
			memcpy(W.want[n][p], W.ref[p][W.slot[n]], PART);
		}
	if (W.looked)
		same("read_data_o", W.m_want);
	memcpy(W.m_want, W.ref[W.r_part][W.r_slot], PART);
	W.looked = W.here;
}

static void sample(struct vtb *tb, void *arg)
{
	bool free_part[PARTS] = { true, true, true, true };

	(void)arg;
	look();
	for (unsigned int n = 0; n < OWNERS; n++)
		free_part[owners[n].part] &= !W.wrote[n];
	vtb_check_eq(tb, vtb_get(tb, "write_ready_o"), free_part[W.w_part]);
	for (unsigned int n = 0; n < OWNERS; n++) {
		if (!W.wrote[n])
			continue;
		memcpy(&W.ref[owners[n].part][W.wslot[n]][owners[n].from], W.wdata[n],
		       owners[n].len);
		W.n_wrote[n]++;
	}
	if (W.w_valid && free_part[W.w_part]) {
		memcpy(W.ref[W.w_part][W.w_slot], W.w_data, PART);
		W.w_valid = false;
		W.n_maint++;
	} else if (W.w_valid) {
		W.n_waits++;
	}
	for (unsigned int i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		vtb_check_eq(tb, vtb_get(tb, always[i]), 1);
	vtb_check_eq(tb, vtb_get(tb, "send_part_cmp_shared_o"), 0);
	vtb_check_eq(tb, vtb_get(tb, "receive_part_rsp_shared_o"), 0);
}

static void begin(void)
{
	memset(&W, 0, sizeof(W));
	W.tb = vtb_create();
	W.hold = true;
	for (unsigned int i = 0; i < HOT; i++)
		W.hot[i] = i == 1 ? SLOTS - 1 : i ? (unsigned int)rng_below(&W.tb->rng, SLOTS) : 0;
	vtb_on_drive(W.tb, drive, NULL);
	vtb_on_sample(W.tb, sample, NULL);
	for (unsigned int i = 0; i < PARTS * SLOTS; i++) {
		W.w_valid = true;
		W.w_part = i / SLOTS;
		W.w_slot = i % SLOTS;
		rng_bytes(&W.tb->rng, W.w_data, PART);
		vtb_run_until(W.tb, !W.w_valid, 10);
	}
	W.here = true;
	W.hold = false;
}

static void random_use(void **state)
{
	/* percent: owners that write, cycles in which maintenance does not */
	static const struct {
		unsigned int writes, pause;
	} phases[] = { { 0, 0 }, { 100, 0 }, { 30, 30 }, { 60, 90 }, { 5, 0 }, { 100, 95 } };

	(void)state;
	begin();
	for (unsigned int i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		W.writes = phases[i].writes;
		W.w_pause = phases[i].pause;
		vtb_run(W.tb, 2000);
	}
	for (unsigned int n = 0; n < OWNERS; n++)
		vtb_check(W.tb, W.n_wrote[n] > 2000);
	vtb_check(W.tb, W.n_maint > 3000 && W.n_waits > 1000);
	vtb_destroy(W.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_use) };

	return cmocka_run_group_tests_name("qp_parts", tests, NULL, NULL);
}
