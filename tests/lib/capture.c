// SPDX-License-Identifier: Apache-2.0
/* Reading captures (capture.h). */
#include "capture.h"

#include "sim_pcap.h"

static void addresses(const uint8_t *ip, bool v6, struct model_packet *packet)
{
	if (v6) {
		memcpy(packet->src, ip + 8, 16);
		memcpy(packet->dst, ip + 24, 16);
		return;
	}
	memset(packet->src + 10, 0xff, 2);
	memset(packet->dst + 10, 0xff, 2);
	memcpy(packet->src + 12, ip + 12, 4);
	memcpy(packet->dst + 12, ip + 16, 4);
}

/* False: not RoCE v2. */
static bool take_frame(struct capture_frame *f, const uint8_t *bytes, uint32_t len)
{
	const uint8_t *ip, *bth;
	uint32_t bth_len, icrc;

	memset(f, 0, sizeof(*f));
	sim_pkt_parse(bytes, len, &f->pkt);
	if (f->pkt.kind != SIM_PKT_ROCE)
		return false;
	ip = bytes + f->pkt.l3;
	bth = bytes + f->pkt.bth;
	bth_len = (uint32_t)cairn_pkt_get(bth - CAIRN_UDP_BYTES, CAIRN_UDP_LENGTH) -
		  CAIRN_UDP_BYTES - CAIRN_ICRC_BYTES;
	assert_true(bth_len <= MODEL_MAX_PACKET && bth + bth_len + CAIRN_ICRC_BYTES <= bytes + len);
	f->packet.len = bth_len;
	memcpy(f->packet.bytes, bth, bth_len);
	addresses(ip, f->pkt.ipv6, &f->packet);
	icrc = model_icrc(ip, (uint32_t)(bth - ip) + bth_len);
	f->good = !memcmp(bth + bth_len, &icrc, CAIRN_ICRC_BYTES);
	return true;
}

unsigned int capture_read(const char *path, struct capture_frame *frames)
{
	struct sim_pcap_reader *reader = sim_pcap_open(path);
	const uint8_t *bytes;
	uint32_t len, wire_len;
	unsigned int n = 0;
	uint64_t ns;
	int got;

	assert_non_null(reader);
	while ((got = sim_pcap_next(reader, &ns, &bytes, &len, &wire_len)) > 0) {
		assert_true(n < CAPTURE_MAX);
		if (!take_frame(&frames[n], bytes, len))
			continue;
		assert_true(len <= CAPTURE_RAW);
		memcpy(frames[n].raw, bytes, len);
		frames[n].len = len;
		frames[n++].ns = ns;
	}
	assert_int_equal(got, 0);
	sim_pcap_reader_close(reader);
	return n;
}

bool capture_is_rc(const struct capture_frame *f, uint32_t flag)
{
	return f->good && f->pkt.flags & flag &&
	       cairn_opcode_table[f->pkt.opcode].transport == CAIRN_TRANSPORT_RC;
}

uint32_t capture_payload(const struct model_packet *packet)
{
	return packet->len - CAIRN_BTH_BYTES - cairn_opcode_table[packet->bytes[0]].ext_bytes -
	       (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_PAD);
}
