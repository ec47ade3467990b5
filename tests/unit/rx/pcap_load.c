// SPDX-License-Identifier: Apache-2.0
/* Reads the captures of tests/fixtures (classic pcap, little-endian, Ethernet). */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "roce_frame.h"

static uint32_t le32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static void load(struct pcap *cap, const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size, at;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = (size_t)ftell(file);
	rewind(file);
	cap->bytes = malloc(size);
	cap->frame = calloc(size / 16, sizeof(*cap->frame));
	assert_true(cap->bytes && cap->frame);
	assert_int_equal(fread(cap->bytes, 1, size, file), size);
	fclose(file);
	snprintf(cap->name, sizeof(cap->name), "%s", path);
	assert_true(size >= 24 && le32(cap->bytes) == 0xa1b2c3d4u && le32(cap->bytes + 20) == 1);
	for (at = 24; at + 16 <= size;) {
		uint32_t len = le32(cap->bytes + at + 8);

		assert_int_equal(len, le32(cap->bytes + at + 12));
		assert_true(at + 16 + len <= size);
		cap->frame[cap->n++] = (struct pcap_frame){ cap->bytes + at + 16, len };
		at += 16 + len;
	}
}

size_t pcap_load_all(struct pcap **caps)
{
	glob_t g;
	size_t n;

	if (glob("tests/fixtures/*.pcap", 0, NULL, &g) != 0)
		fail_msg("no captures in tests/fixtures (run from the top folder)");
	n = g.gl_pathc;
	*caps = calloc(n, sizeof(**caps));
	assert_non_null(*caps);
	for (size_t i = 0; i < n; i++)
		load(&(*caps)[i], g.gl_pathv[i]);
	globfree(&g);
	return n;
}

void pcap_free_all(struct pcap *caps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(caps[i].bytes);
		free(caps[i].frame);
	}
	free(caps);
}
