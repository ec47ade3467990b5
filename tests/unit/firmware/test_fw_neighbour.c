// SPDX-License-Identifier: Apache-2.0
/*
 * Neighbours and echo by meaning: a table of frames, each with the clause that decides, what
 * firmware must make of it, whether it is answered, and what is known of the peer afterwards.
 */
#include "dev.h"
#include "fw_kase.h"
#include "fw_objects.h"

#undef M
#undef S

static const struct kase kases[] = {
	/* RFC 4861 7.2.5, the table, and appendix C */
	{ "first answer", NA, ASKED, .flags = 0x60, .outcome = USED, .after = PEER },
	{ "answer without override", NA, ASKED, .flags = 0x40, .outcome = USED, .after = PEER },
	{ "told to all while asked", NA, ASKED, .dst = all_nodes, .flags = 0x20, .outcome = USED,
	  .after = PEER },
	{ "answer without option", NA, ASKED, .mac = nobody, .flags = 0x60, .outcome = UNSOLICITED,
	  .after = ASKS },
	{ "never asked for", NA, NOBODY, .flags = 0x60, .outcome = UNSOLICITED, .after = ASKS },
	{ "another's answer", NA, ASKED, .target = stranger6, .flags = 0x60, .outcome = UNSOLICITED,
	  .after = ASKS },
	{ "no override, same MAC", NA, KNOWN, .flags = 0, .outcome = UNSOLICITED, .after = PEER },
	{ "no override, other MAC", NA, KNOWN, .mac = other_mac, .flags = 0, .outcome = UNSOLICITED,
	  .after = ASKS },
	{ "no override, solicited, other MAC", NA, KNOWN, .mac = other_mac, .flags = 0x40,
	  .outcome = UNSOLICITED, .after = ASKS },
	{ "override, unsolicited, other MAC", NA, KNOWN, .mac = other_mac, .dst = all_nodes,
	  .flags = 0x20, .outcome = USED, .after = ASKS },
	{ "override, unsolicited, same MAC", NA, KNOWN, .flags = 0x20, .outcome = UNSOLICITED,
	  .after = PEER },
	{ "override, solicited, other MAC", NA, KNOWN, .mac = other_mac, .flags = 0x60,
	  .outcome = USED, .after = OTHER },
	{ "solicited, without option", NA, KNOWN, .mac = nobody, .flags = 0x40, .outcome = USED,
	  .after = PEER },
	{ "stale: confirmed", NA, TURNED, .mac = other_mac, .flags = 0x40, .outcome = USED,
	  .after = OTHER },
	{ "stale: no override", NA, TURNED, .flags = 0x40, .outcome = UNSOLICITED, .after = ASKS },
	{ "stale: override", NA, TURNED, .flags = 0x60, .outcome = USED, .after = PEER },
	/* RFC 4861 7.1.2: advertisements that are not valid */
	{ "solicited, to a group", NA, ASKED, .dst = all_nodes, .flags = 0x60, .outcome = INVALID,
	  .after = ASKS },
	{ "target a group", NA, ASKED, .target = all_nodes, .flags = 0x60, .outcome = INVALID,
	  .after = ASKS },
	{ "over a router", NA, ASKED, .flags = 0x60, .patch = { 7, 254 }, .outcome = INVALID,
	  .after = ASKS },
	{ "code", NA, ASKED, .flags = 0x60, .patch = { 41, 1 }, .outcome = INVALID, .after = ASKS },
	{ "checksum", NA, ASKED, .flags = 0x60, .bad_sum = true, .outcome = INVALID,
	  .after = ASKS },
	{ "too short", NA, ASKED, .flags = 0x60, .patch = { 5, 23 }, .outcome = INVALID,
	  .after = ASKS },
	{ "longer than the frame", NA, ASKED, .flags = 0x60, .patch = { 5, 200 }, .bad_sum = true,
	  .outcome = INVALID, .after = ASKS },
	{ "option of no length", NA, ASKED, .flags = 0x60, .patch = { 65, 0 }, .outcome = INVALID,
	  .after = ASKS },
	{ "option beyond the end", NA, ASKED, .flags = 0x60, .patch = { 65, 2 }, .outcome = INVALID,
	  .after = ASKS },
	{ "option of another kind", NA, ASKED, .flags = 0x60, .patch = { 64, 1 },
	  .outcome = UNSOLICITED, .after = ASKS },
	/* RFC 4861 4.4, RFC 826: MACs that nobody has */
	{ "MAC zero", NA, ASKED, .mac = zero_mac, .flags = 0x60, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "MAC of a group", NA, ASKED, .mac = group_mac, .flags = 0x60, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "MAC of all", NA, KNOWN, .mac = all_ones, .flags = 0x60, .outcome = BAD_SOURCE,
	  .after = PEER },
	{ "MAC ours", NA, KNOWN, .mac = mine, .flags = 0x60, .outcome = BAD_SOURCE, .after = PEER },
	{ "frame's MAC a group's", NA, ASKED, .smac = group_mac, .flags = 0x60,
	  .outcome = BAD_SOURCE, .after = ASKS },
	{ "frame's MAC ours", NA, ASKED, .smac = mine, .flags = 0x60, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "from nowhere", NA, ASKED, .src = nobody, .target = peer6, .flags = 0x60,
	  .outcome = BAD_SOURCE, .after = ASKS },
	{ "from a group", NA, ASKED, .src = all_nodes, .target = peer6, .flags = 0x60,
	  .outcome = BAD_SOURCE, .after = ASKS },
	{ "target an IPv4 address", NA, NOBODY, .target = own4, .flags = 0x60,
	  .outcome = UNSOLICITED, .after = ASKS },
	{ "to another one", NA, ASKED, .dst = stranger6, .flags = 0x60, .outcome = IGNORED,
	  .after = ASKS },
	/* RFC 4861 7.1.1, 7.2.3, 7.2.4: solicitations */
	{ "asked for us", NS, NOBODY, .outcome = USED, .answer = true, .after = ASKS },
	{ "asked by the group", NS, NOBODY, .dst = solicited_node, .outcome = USED, .answer = true,
	  .after = ASKS },
	{ "asked by all nodes", NS, NOBODY, .dst = all_nodes, .outcome = USED, .answer = true,
	  .after = ASKS },
	{ "asked by another group", NS, NOBODY, .dst = other_node, .outcome = IGNORED,
	  .after = ASKS },
	{ "asked without option", NS, KNOWN, .mac = nobody, .smac = other_mac, .outcome = USED,
	  .answer = true, .after = PEER },
	{ "asks while asked", NS, ASKED, .outcome = USED, .answer = true, .after = PEER },
	{ "asks from another MAC", NS, KNOWN, .mac = other_mac, .outcome = USED, .answer = true,
	  .after = ASKS },
	{ "asks from the same MAC", NS, KNOWN, .outcome = USED, .answer = true, .after = PEER },
	{ "asked for somebody else", NS, KNOWN, .target = stranger6, .mac = other_mac,
	  .outcome = IGNORED, .after = PEER },
	{ "asked for a group", NS, NOBODY, .target = all_nodes, .outcome = INVALID, .after = ASKS },
	{ "asked for an IPv4 address", NS, NOBODY, .target = own4, .dst = solicited_node,
	  .outcome = IGNORED, .after = ASKS },
	{ "asked over a router", NS, NOBODY, .patch = { 7, 64 }, .outcome = INVALID,
	  .after = ASKS },
	{ "asked with a code", NS, NOBODY, .patch = { 41, 3 }, .outcome = INVALID, .after = ASKS },
	{ "asked with a bad sum", NS, NOBODY, .bad_sum = true, .outcome = INVALID, .after = ASKS },
	{ "asked, option of no length", NS, NOBODY, .patch = { 65, 0 }, .outcome = INVALID,
	  .after = ASKS },
	{ "asked, option's MAC zero", NS, KNOWN, .mac = zero_mac, .outcome = BAD_SOURCE,
	  .after = PEER },
	{ "asked, option's MAC a group's", NS, KNOWN, .mac = group_mac, .outcome = BAD_SOURCE,
	  .after = PEER },
	{ "asked, option's MAC ours", NS, KNOWN, .mac = mine, .outcome = BAD_SOURCE,
	  .after = PEER },
	{ "asked by a loopback address", NS, NOBODY, .src = loop6, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "asked by an IPv4 address", NS, NOBODY, .src = peer4, .outcome = BAD_SOURCE,
	  .after = ASKS },
	/* RFC 4862 5.4.3, RFC 4861 7.1.1: probes for duplicates */
	{ "probe", NS, NOBODY, .src = nobody, .dst = solicited_node, .mac = nobody, .outcome = USED,
	  .answer = true, .after = ASKS },
	{ "probe to us alone", NS, NOBODY, .src = nobody, .mac = nobody, .outcome = INVALID,
	  .after = ASKS },
	{ "probe to all nodes", NS, NOBODY, .src = nobody, .dst = all_nodes, .mac = nobody,
	  .outcome = INVALID, .after = ASKS },
	{ "probe with an option", NS, NOBODY, .src = nobody, .dst = solicited_node,
	  .outcome = INVALID, .after = ASKS },
	{ "probe by a group", NS, NOBODY, .src = nobody, .dst = solicited_node, .mac = nobody,
	  .smac = group_mac, .outcome = BAD_SOURCE, .after = ASKS },
	/* RFC 826, in the same terms */
	{ "reply", REPLY, ASKED, .outcome = USED, .after = PEER },
	{ "reply to all", REPLY, ASKED, .dmac = all_ones, .outcome = USED, .after = PEER },
	{ "reply never asked for", REPLY, NOBODY, .outcome = UNSOLICITED, .after = ASKS },
	{ "reply of another", REPLY, ASKED, .src = stranger4, .outcome = UNSOLICITED,
	  .after = ASKS },
	{ "reply later, other MAC", REPLY, KNOWN, .mac = other_mac, .outcome = USED,
	  .after = ASKS },
	{ "reply later, same MAC", REPLY, KNOWN, .outcome = UNSOLICITED, .after = PEER },
	{ "gratuitous, never asked for", REQUEST, NOBODY, .dst = peer4, .dmac = all_ones,
	  .outcome = IGNORED, .after = ASKS },
	{ "gratuitous, other MAC", REQUEST, KNOWN, .dst = peer4, .dmac = all_ones, .mac = other_mac,
	  .outcome = USED, .after = ASKS },
	{ "gratuitous, same MAC", REQUEST, KNOWN, .dst = peer4, .dmac = all_ones,
	  .outcome = UNSOLICITED, .after = PEER },
	{ "request", REQUEST, NOBODY, .dmac = all_ones, .outcome = USED, .answer = true,
	  .after = ASKS },
	{ "request to us alone", REQUEST, NOBODY, .outcome = USED, .answer = true, .after = ASKS },
	{ "request while asked", REQUEST, ASKED, .outcome = USED, .answer = true, .after = PEER },
	{ "request from another MAC", REQUEST, KNOWN, .mac = other_mac, .outcome = USED,
	  .answer = true, .after = ASKS },
	{ "request for another", REQUEST, NOBODY, .dst = stranger4, .dmac = all_ones,
	  .outcome = IGNORED, .after = ASKS },
	{ "reverse request", REQUEST, NOBODY, .patch = { 7, 3 }, .outcome = IGNORED,
	  .after = ASKS },
	{ "hardware type", REQUEST, NOBODY, .patch = { 1, 6 }, .outcome = INVALID, .after = ASKS },
	{ "protocol type", REQUEST, NOBODY, .patch = { 3, 6 }, .outcome = INVALID, .after = ASKS },
	{ "hardware length", REQUEST, NOBODY, .patch = { 4, 8 }, .outcome = INVALID,
	  .after = ASKS },
	{ "protocol length", REQUEST, NOBODY, .patch = { 5, 16 }, .outcome = INVALID,
	  .after = ASKS },
	{ "sender's MAC zero", REPLY, ASKED, .mac = zero_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "sender's MAC a group's", REPLY, ASKED, .mac = group_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "sender's MAC ours", REPLY, KNOWN, .mac = mine, .outcome = BAD_SOURCE, .after = PEER },
	{ "sender's MAC all ones", REQUEST, KNOWN, .mac = all_ones, .outcome = BAD_SOURCE,
	  .after = PEER },
	{ "frame's MAC a group's", REQUEST, NOBODY, .smac = group_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "sender a group", REQUEST, NOBODY, .src = group4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "sender loopback", REQUEST, NOBODY, .src = loop4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "sender broadcast", REPLY, NOBODY, .src = broadcast4, .outcome = BAD_SOURCE,
	  .after = ASKS },
	/* RFC 5227 2.1.1: probes are answered, nothing is learned */
	{ "ARP probe", REQUEST, KNOWN, .src = zero4, .mac = other_mac, .dmac = all_ones,
	  .outcome = USED, .answer = true, .after = PEER },
	{ "ARP probe for another", REQUEST, NOBODY, .src = zero4, .dst = stranger4,
	  .dmac = all_ones, .outcome = IGNORED, .after = ASKS },
	{ "reply from 0.0.0.0", REPLY, NOBODY, .src = zero4, .outcome = BAD_SOURCE, .after = ASKS },
	/* RFC 1122 3.2.1.3, 3.2.2.6, 3.3.6; RFC 4291 2.5, 2.7; RFC 4443 4.2 */
	{ "ping", PING4, NOBODY, .outcome = USED, .answer = true, .after = ASKS },
	{ "ping from 0.0.0.0", PING4, NOBODY, .src = zero4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping from this net", PING4, NOBODY, .src = this4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping from loopback", PING4, NOBODY, .src = loop4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping from a group", PING4, NOBODY, .src = group4, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping from the last group", PING4, NOBODY, .src = group4b, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from class E", PING4, NOBODY, .src = class_e, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from broadcast", PING4, NOBODY, .src = broadcast4, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from our address", PING4, NOBODY, .src = own4, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from a group's MAC", PING4, NOBODY, .smac = group_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from MAC zero", PING4, NOBODY, .smac = zero_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping from our MAC", PING4, NOBODY, .smac = mine, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping by broadcast", PING4, NOBODY, .dmac = all_ones, .outcome = INVALID, .after = ASKS },
	{ "ping to broadcast", PING4, NOBODY, .dst = broadcast4, .dmac = all_ones,
	  .outcome = IGNORED, .after = ASKS },
	{ "ping to a group", PING4, NOBODY, .dst = group4, .outcome = IGNORED, .after = ASKS },
	{ "ping to another", PING4, NOBODY, .dst = stranger4, .outcome = IGNORED, .after = ASKS },
	{ "ping with a code", PING4, NOBODY, .patch = { 21, 1 }, .outcome = INVALID,
	  .after = ASKS },
	{ "ping with a bad sum", PING4, NOBODY, .bad_sum = true, .outcome = INVALID,
	  .after = ASKS },
	{ "echo reply", PING4, NOBODY, .patch = { 20, 0 }, .outcome = IGNORED, .after = ASKS },
	{ "IGMP", PING4, NOBODY, .patch = { 9, 2 }, .outcome = IGNORED, .after = ASKS },
	{ "ping6", PING6, NOBODY, .outcome = USED, .answer = true, .after = ASKS },
	{ "ping6 from ::", PING6, NOBODY, .src = nobody, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping6 from ::1", PING6, NOBODY, .src = loop6, .outcome = BAD_SOURCE, .after = ASKS },
	{ "ping6 from a group", PING6, NOBODY, .src = all_nodes, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping6 from an IPv4 address", PING6, NOBODY, .src = peer4, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping6 from our address", PING6, NOBODY, .src = own6, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping6 from a group's MAC", PING6, NOBODY, .smac = group_mac, .outcome = BAD_SOURCE,
	  .after = ASKS },
	{ "ping6 to all nodes", PING6, NOBODY, .dst = all_nodes, .outcome = IGNORED,
	  .after = ASKS },
	{ "ping6 to an IPv4 address", PING6, NOBODY, .dst = own4, .outcome = IGNORED,
	  .after = ASKS },
	{ "ping6 by a group's MAC", PING6, NOBODY, .dmac = group_mac, .outcome = INVALID,
	  .after = ASKS },
	{ "ping6 with a code", PING6, NOBODY, .patch = { 41, 1 }, .outcome = INVALID,
	  .after = ASKS },
	{ "MLD query", PING6, NOBODY, .patch = { 40, 130 }, .outcome = IGNORED, .after = ASKS },
};

static bool run(const struct kase *k)
{
	unsigned int sent, was[CAIRN_NET_OUTCOMES];
	bool ok = true, v4 = is4(k->kind);
	struct hw_cmd c;
	uint8_t f[256];
	uint64_t after;

	prepare(k, &c);
	memcpy(was, hw.outcomes, sizeof(was));
	sent = hw.n_tx;
	hw_receive(f, build(k, f, 0));
	hw_run(20000);
	assert_int_equal(hw.n_rx, 0);
	for (unsigned int i = 0; i < CAIRN_NET_OUTCOMES; i++)
		if (hw.outcomes[i] - was[i] != (i == k->outcome)) {
			ok = false;
			print_message("# %s: outcome %u%s\n", k->name, i,
				      i == k->outcome ? " expected" : "");
		}
	if (hw.n_tx - sent != k->answer) {
		ok = false;
		print_message("# %s: %u frames sent\n", k->name, hw.n_tx - sent);
	}
	if (k->before == ASKED && (k->after != ASKS) != c.done) {
		ok = false;
		print_message("# %s: %s\n", k->name, c.done ? "believed" : "still asked");
	}
	hw_wait();
	if (k->before == ASKED && k->after == ASKS)
		hw_run(2000000000);
	after = believed(v4);
	if (after != k->after) {
		ok = false;
		print_message("# %s: afterwards 0x%llx\n", k->name, (unsigned long long)after);
	}
	return ok;
}

static void table(void **state)
{
	unsigned int failed = 0;

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(kases); i++)
		failed += !run(&kases[i]);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { FW_TEST(table) };

	return cmocka_run_group_tests_name("fw_neighbour", tests, NULL, NULL);
}
