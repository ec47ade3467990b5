// SPDX-License-Identifier: Apache-2.0
/* Capture files for the simulated wire (see sim_pcap.h). */
#include "sim_pcap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_NS	0xa1b23c4dU
#define MAGIC_US	0xa1b2c3d4U
#define LINK_ETHERNET	1
#define SNAPLEN		65535
#define NS_PER_S	1000000000U

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, sigfigs, snaplen, link;
};

struct record_header {
	uint32_t sec, frac, captured, wire;
};

/* Blocks and options of pcapng. */
#define NG_SECTION	0x0a0d0d0aU
#define NG_ORDER	0x1a2b3c4dU
#define NG_INTERFACE	1
#define NG_STATISTICS	5
#define NG_PACKET	6
#define NG_COMMENT	1
#define NG_IF_NAME	2
#define NG_IF_TSRESOL	9
#define NG_EPB_FLAGS	2
#define NG_INBOUND	1U
#define NG_OUTBOUND	2U
#define NG_CRC_ERROR	(1U << 24)
#define NG_NAME_BYTES	8

struct ng_option {
	uint16_t code, bytes;
};

struct ng_section {
	uint32_t type, length, order;
	uint16_t major, minor;
	uint32_t section_length[2];	/* ones: not known */
	uint32_t length_again;
};

struct ng_interface {
	uint32_t type, length;
	uint16_t link, reserved;
	uint32_t snaplen;
	struct ng_option name;
	char name_text[NG_NAME_BYTES];	/* ends with zeros */
	struct ng_option resolution;
	uint8_t resolution_value[4];	/* 9: nanoseconds */
	struct ng_option end;
	uint32_t length_again;
};

struct ng_packet {
	uint32_t type, length, port, time_high, time_low, captured, wire;
};

struct ng_packet_end {
	struct ng_option flags;
	uint32_t flags_value;
	struct ng_option end;
	uint32_t length;
};

struct ng_statistics {
	uint32_t type, length, port, time_high, time_low;
	struct ng_option comment;
};

struct ng_statistics_end {
	struct ng_option end;
	uint32_t length;
};

struct sim_pcap {
	FILE *file;
	int error;
};

struct sim_pcap_reader {
	FILE *file;
	bool swap, nano;
	uint8_t frame[SNAPLEN];
};

static struct sim_pcap *create(const char *path, const void *head, size_t bytes)
{
	struct sim_pcap *pcap = calloc(1, sizeof(*pcap));

	if (!pcap)
		return NULL;
	pcap->file = fopen(path, "we");
	if (!pcap->file || fwrite(head, bytes, 1, pcap->file) != 1 || fflush(pcap->file)) {
		int error = errno;

		if (pcap->file)
			fclose(pcap->file);
		free(pcap);
		errno = error;
		return NULL;
	}
	return pcap;
}

struct sim_pcap *sim_pcap_create(const char *path)
{
	const struct file_header head = { MAGIC_NS, 2, 4, 0, 0, SNAPLEN, LINK_ETHERNET };

	return create(path, &head, sizeof(head));
}

struct sim_pcap *sim_pcap_create_ports(const char *path, unsigned int nics, bool has_peer)
{
	const struct ng_section head = { NG_SECTION, sizeof(head), NG_ORDER, 1, 0,
					 { UINT32_MAX, UINT32_MAX }, sizeof(head) };
	struct sim_pcap *pcap = create(path, &head, sizeof(head));

	for (unsigned int i = 0; pcap && i < 2 * nics + has_peer; i++) {
		struct ng_interface port = {
			NG_INTERFACE, sizeof(port), LINK_ETHERNET, 0, SNAPLEN,
			{ NG_IF_NAME, NG_NAME_BYTES }, "", { NG_IF_TSRESOL, 1 }, { 9 }, { 0 },
			sizeof(port),
		};

		if (i < nics)
			snprintf(port.name_text, NG_NAME_BYTES, "nic%u", i % 1000);
		else if (i < nics + has_peer)
			snprintf(port.name_text, NG_NAME_BYTES, "peer");
		else
			snprintf(port.name_text, NG_NAME_BYTES, "loop%u", (i - nics - has_peer) % 1000);
		if (fwrite(&port, sizeof(port), 1, pcap->file) != 1)
			pcap->error = -errno;
	}
	return pcap;
}

void sim_pcap_write_port(struct sim_pcap *pcap, uint64_t ns, unsigned int port, bool inbound,
			 bool bad_fcs, const void *frame, uint32_t len)
{
	static const uint8_t zero[4];
	uint32_t captured = len < SNAPLEN ? len : SNAPLEN, pad = -captured & 3;
	uint32_t bytes = (uint32_t)(sizeof(struct ng_packet) + sizeof(struct ng_packet_end)) +
			 captured + pad;
	const struct ng_packet head = { NG_PACKET, bytes, port, (uint32_t)(ns >> 32), (uint32_t)ns,
					captured, len };
	const struct ng_packet_end end = {
		{ NG_EPB_FLAGS, 4 },
		(inbound ? NG_INBOUND : NG_OUTBOUND) | (bad_fcs ? NG_CRC_ERROR : 0), { 0 }, bytes,
	};

	if (pcap->error)
		return;
	if (fwrite(&head, sizeof(head), 1, pcap->file) != 1 ||
	    fwrite(frame, 1, captured, pcap->file) != captured ||
	    fwrite(zero, 1, pad, pcap->file) != pad ||
	    fwrite(&end, sizeof(end), 1, pcap->file) != 1)
		pcap->error = -errno;
}

void sim_pcap_note(struct sim_pcap *pcap, uint64_t ns, const char *text)
{
	static const uint8_t zero[4];
	uint32_t chars = (uint32_t)strnlen(text, SNAPLEN), pad = -chars & 3;
	uint32_t bytes = (uint32_t)(sizeof(struct ng_statistics) +
				    sizeof(struct ng_statistics_end)) + chars + pad;
	const struct ng_statistics head = {
		NG_STATISTICS, bytes, 0, (uint32_t)(ns >> 32), (uint32_t)ns,
		{ NG_COMMENT, (uint16_t)chars },
	};
	const struct ng_statistics_end end = { { 0 }, bytes };

	if (pcap->error)
		return;
	if (fwrite(&head, sizeof(head), 1, pcap->file) != 1 ||
	    fwrite(text, 1, chars, pcap->file) != chars ||
	    fwrite(zero, 1, pad, pcap->file) != pad ||
	    fwrite(&end, sizeof(end), 1, pcap->file) != 1)
		pcap->error = -errno;
}

void sim_pcap_write(struct sim_pcap *pcap, uint64_t ns, const void *frame, uint32_t len)
{
	uint32_t captured = len < SNAPLEN ? len : SNAPLEN;
	struct record_header head = { (uint32_t)(ns / NS_PER_S), (uint32_t)(ns % NS_PER_S),
				      captured, len };

	if (pcap->error)
		return;
	if (fwrite(&head, sizeof(head), 1, pcap->file) != 1 ||
	    fwrite(frame, 1, captured, pcap->file) != captured)
		pcap->error = -errno;
}

int sim_pcap_error(const struct sim_pcap *pcap)
{
	return pcap->error;
}

int sim_pcap_flush(struct sim_pcap *pcap)
{
	if (fflush(pcap->file) && !pcap->error)
		pcap->error = -errno;
	return pcap->error;
}

int sim_pcap_close(struct sim_pcap *pcap)
{
	int error = sim_pcap_flush(pcap);

	if (fclose(pcap->file) && !error)
		error = -errno;
	free(pcap);
	return error;
}

/* ---- reading ---- */

static uint32_t u32(const struct sim_pcap_reader *reader, uint32_t value)
{
	return reader->swap ? __builtin_bswap32(value) : value;
}

struct sim_pcap_reader *sim_pcap_open(const char *path)
{
	struct sim_pcap_reader *reader = calloc(1, sizeof(*reader));
	struct file_header head;
	int error = EPROTO;

	if (!reader)
		return NULL;
	reader->file = fopen(path, "re");
	if (!reader->file) {
		error = errno;
		goto err_free;
	}
	if (fread(&head, sizeof(head), 1, reader->file) != 1)
		goto err_close;
	reader->swap = head.magic == __builtin_bswap32(MAGIC_NS) ||
		       head.magic == __builtin_bswap32(MAGIC_US);
	reader->nano = u32(reader, head.magic) == MAGIC_NS;
	if (!reader->nano && u32(reader, head.magic) != MAGIC_US)
		goto err_close;
	if (u32(reader, head.link) != LINK_ETHERNET)
		goto err_close;
	return reader;

err_close:
	fclose(reader->file);
err_free:
	free(reader);
	errno = error;
	return NULL;
}

int sim_pcap_next(struct sim_pcap_reader *reader, uint64_t *ns, const uint8_t **frame,
		  uint32_t *len, uint32_t *wire_len)
{
	struct record_header head;
	size_t got = fread(&head, 1, sizeof(head), reader->file);

	if (!got)
		return 0;
	if (got != sizeof(head))
		return -EPROTO;
	*len = u32(reader, head.captured);
	*wire_len = u32(reader, head.wire);
	*ns = (uint64_t)u32(reader, head.sec) * NS_PER_S +
	      u32(reader, head.frac) * (reader->nano ? 1ULL : 1000ULL);
	*frame = reader->frame;
	if (*len > sizeof(reader->frame) || fread(reader->frame, 1, *len, reader->file) != *len)
		return -EPROTO;
	return 1;
}

void sim_pcap_reader_close(struct sim_pcap_reader *reader)
{
	fclose(reader->file);
	free(reader);
}
