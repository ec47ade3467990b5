// SPDX-License-Identifier: Apache-2.0
/*
 * qp_store: each reader, when it is its turn, has the parts of its slot as they were last written,
 * whole, in that cycle and in the next one; whatever owners and firmware write meanwhile. Owners
 * write the lower half of the slots, at most every second cycle, firmware the upper half, and the
 * cfg part of all.
 */
#include <string.h>

#include "vtb.h"

#define SLOTS 16u
#define PART 64u

enum { CFG, REQ, CMP, RSP, PARTS };

static const struct reader {
	const char *asks, *slot, *ok, *data[PARTS];
	bool kept; /* the data is there from the next cycle on, until the next one */
} readers[] = {
	{ "visit_asks_i",
	  "visit_slot_i",
	  "visit_ok_o",
	  { "send_part_req_visit_cfg_o", "send_part_req_visit_req_o", "send_part_req_visit_cmp_o" },
	  false },
	{ "send_part_cmp_packet_asks_i",
	  "send_part_cmp_packet_i",
	  "send_part_cmp_packet_ok_o",
	  { NULL, "send_part_cmp_packet_req_o", "send_part_cmp_packet_cmp_o" },
	  false },
	{ "send_part_cmp_place_asks_i",
	  "send_part_cmp_place_i",
	  "send_part_cmp_place_ok_o",
	  { NULL, "send_part_cmp_place_req_o", "send_part_cmp_place_cmp_o" },
	  false },
	{ "send_part_cmp_retire_asks_i",
	  "send_part_cmp_retire_i",
	  "send_part_cmp_retire_ok_o",
	  { "send_part_cmp_retire_cfg_o", "send_part_cmp_retire_req_o",
	    "send_part_cmp_retire_cmp_o" },
	  false },
	{ "receive_part_lookup_asks_i",
	  "receive_part_lookup_slot_i",
	  "receive_part_lookup_ok_o",
	  { "receive_part_lookup_o" },
	  true },
	{ "receive_part_rsp_check_asks_i",
	  "receive_part_rsp_check_i",
	  "receive_part_rsp_check_ok_o",
	  { NULL, NULL, NULL, "receive_part_rsp_check_o" },
	  false },
	{ "receive_part_rsp_commit_asks_i",
	  "receive_part_rsp_commit_i",
	  "receive_part_rsp_commit_ok_o",
	  { "receive_part_rsp_answer_cfg_o", NULL, NULL, "receive_part_rsp_commit_o" },
	  false },
	{ "receive_part_rsp_walk_asks_i",
	  "receive_part_rsp_walk_i",
	  "receive_part_rsp_walk_ok_o",
	  { "receive_part_rsp_answer_cfg_o", NULL, NULL, "receive_part_rsp_answer_rsp_o" },
	  false },
	{ "receive_part_rsp_send_asks_i",
	  "receive_part_rsp_send_i",
	  "receive_part_rsp_send_ok_o",
	  { "receive_part_rsp_answer_cfg_o", NULL, NULL, "receive_part_rsp_answer_rsp_o" },
	  false },
};
#define READERS (sizeof(readers) / sizeof(readers[0]))

#include "qp_owners.h"

static struct world {
	struct vtb *tb;
	uint8_t ref[PARTS][SLOTS][PART]; /* as written in cycles before this one */
	unsigned int slot[READERS], waited[READERS], served[READERS], load, writes;
	bool asks[READERS], again[READERS]; /* again: looked at once more */
	uint8_t want[READERS][PARTS][PART];
	bool wrote[OWNERS];
	unsigned int wslot[OWNERS];
	uint8_t wdata[OWNERS][PART];
	/* firmware */
	enum { F_IDLE, F_READ, F_GOT, F_WRITE } f;
	unsigned int f_part, f_slot, f_done;
	uint8_t f_data[PART];
} W;

static void fill(uint8_t *data)
{
	for (unsigned int i = 0; i < PART; i++)
		data[i] = (uint8_t)rng_below(&W.tb->rng, 256);
}

/* What a RAM has no room for reads as zero: the last byte of cfg and req on the send side. */
static void same(const char *port, unsigned int part, const uint8_t *want, bool sends)
{
	uint8_t got[PART], have[PART];

	memcpy(have, want, PART);
	if (sends && (part == CFG || part == REQ))
		have[PART - 1] = 0;
	vtb_get_bytes(vtb_port(W.tb, port), 0, got, PART);
	if (memcmp(got, have, PART))
		print_error("%s\n", port);
	vtb_check(W.tb, !memcmp(got, have, PART));
}

static void look(unsigned int n)
{
	for (unsigned int p = 0; p < PARTS; p++)
		if (readers[n].data[p])
			same(readers[n].data[p], p, W.want[n][p], n < 4);
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	for (unsigned int n = 0; n < READERS; n++) {
		if (!W.asks[n] && rng_percent(&tb->rng, W.load)) {
			W.asks[n] = true;
			W.slot[n] = (unsigned int)rng_below(&tb->rng, SLOTS);
		}
		vtb_set(tb, readers[n].asks, W.asks[n]);
		vtb_set(tb, readers[n].slot, W.slot[n]);
	}
	for (unsigned int n = 0; n < OWNERS; n++) {
		W.wrote[n] = !W.wrote[n] && rng_percent(&tb->rng, W.writes);
		vtb_set(tb, owners[n].valid, W.wrote[n]);
		if (!W.wrote[n])
			continue;
		W.wslot[n] = (unsigned int)rng_below(&tb->rng, SLOTS / 2);
		fill(W.wdata[n]);
		vtb_set(tb, owners[n].slot, W.wslot[n]);
		vtb_put_bytes(vtb_port(tb, owners[n].data), 0, W.wdata[n], owners[n].len);
	}
	vtb_set(tb, "read_valid_i", W.f == F_READ);
	vtb_set(tb, "write_valid_i", W.f == F_WRITE);
	for (unsigned int i = 0; i < 2; i++) {
		vtb_set(tb, i ? "write_part_i" : "read_part_i", W.f_part);
		vtb_set(tb, i ? "write_slot_i" : "read_slot_i", W.f_slot);
	}
	vtb_put_bytes(vtb_port(tb, "write_data_i"), 0, W.f_data, PART);
}

static void firmware(struct vtb *tb)
{
	if (W.f == F_GOT) {
		same("read_data_o", W.f_part, W.f_data, true);
		W.f = F_IDLE;
		W.f_done++;
	} else if (W.f == F_READ && vtb_get(tb, "read_ready_o")) {
		memcpy(W.f_data, W.ref[W.f_part][W.f_slot], PART);
		W.f = F_GOT;
	} else if (W.f == F_WRITE && vtb_get(tb, "write_ready_o")) {
		memcpy(W.ref[W.f_part][W.f_slot], W.f_data, PART);
		W.f = F_IDLE;
		W.f_done++;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	for (unsigned int n = 0; n < READERS; n++) {
		bool ok = W.asks[n] && vtb_get(tb, readers[n].ok);

		if (W.again[n])
			look(n);
		W.again[n] = ok;
		vtb_check(tb, !W.asks[n] || W.waited[n]++ < 400);
		if (!ok)
			continue;
		for (unsigned int p = 0; p < PARTS; p++)
			memcpy(W.want[n][p], W.ref[p][W.slot[n]], PART);
		if (!readers[n].kept)
			look(n);
		W.asks[n] = false;
		W.waited[n] = 0;
		W.served[n]++;
	}
	firmware(tb);
	for (unsigned int n = 0; n < OWNERS; n++)
		if (W.wrote[n])
			memcpy(&W.ref[owners[n].part][W.wslot[n]][owners[n].from], W.wdata[n],
			       owners[n].len);
}

static void operate(bool write, unsigned int part, unsigned int slot)
{
	W.f_part = part;
	W.f_slot = slot;
	fill(W.f_data);
	W.f = write ? F_WRITE : F_READ;
	vtb_run_until(W.tb, W.f == F_IDLE, 400);
}

static void random_use(void **state)
{
	static const struct {
		unsigned int load, writes;
	} phases[] = {
		{ 0, 0 }, { 5, 2 }, { 30, 10 }, { 100, 0 }, { 100, 5 }, { 20, 20 }, { 0, 50 }
	};

	(void)state;
	memset(&W, 0, sizeof(W));
	W.tb = vtb_create();
	vtb_on_drive(W.tb, drive, NULL);
	vtb_on_sample(W.tb, sample, NULL);
	for (unsigned int i = 0; i < PARTS * SLOTS; i++)
		operate(true, i / SLOTS, i % SLOTS);
	for (unsigned int i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		W.load = phases[i].load;
		W.writes = phases[i].writes;
		for (unsigned int k = 0; k < 300; k++) {
			unsigned int part = (unsigned int)rng_below(&W.tb->rng, PARTS);
			bool write = rng_percent(&W.tb->rng, 50);
			unsigned int slot = (unsigned int)rng_below(&W.tb->rng, SLOTS / 2);

			if (!write || part == CFG)
				slot = (unsigned int)rng_below(&W.tb->rng, SLOTS);
			else
				slot += SLOTS / 2;
			operate(write, part, slot);
			vtb_run(W.tb, rng_below(&W.tb->rng, 20));
		}
	}
	for (unsigned int n = 0; n < READERS; n++)
		vtb_check(W.tb, W.served[n] > 500);
	vtb_destroy(W.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_use) };

	return cmocka_run_group_tests_name("qp_store", tests, NULL, NULL);
}
