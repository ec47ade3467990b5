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

struct sim_pcap {
	FILE *file;
	uint64_t frames;
	int error;
};

struct sim_pcap_reader {
	FILE *file;
	bool swap, nano;
	uint8_t frame[SNAPLEN];
};

struct sim_pcap *sim_pcap_create(const char *path)
{
	struct file_header head = { MAGIC_NS, 2, 4, 0, 0, SNAPLEN, LINK_ETHERNET };
	struct sim_pcap *pcap = calloc(1, sizeof(*pcap));

	if (!pcap)
		return NULL;
	pcap->file = fopen(path, "we");
	if (!pcap->file || fwrite(&head, sizeof(head), 1, pcap->file) != 1 || fflush(pcap->file)) {
		int error = errno;

		if (pcap->file)
			fclose(pcap->file);
		free(pcap);
		errno = error;
		return NULL;
	}
	return pcap;
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
	else
		pcap->frames++;
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

uint64_t sim_pcap_frames(const struct sim_pcap *pcap)
{
	return pcap->frames;
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
