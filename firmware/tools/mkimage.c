// SPDX-License-Identifier: Apache-2.0
/*
 * Puts struct cairn_fw_header (rtl/hw/hw.def) in front of the RAM contents of a management core
 * program, so that the driver can check what it loads.  Runs on the build machine.
 *
 *     mkimage CONTENTS IMAGE VERSION
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_hw.h"

static uint32_t crc32(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static int fail(const char *path, const char *what)
{
	fprintf(stderr, "mkimage: %s: %s\n", path, what);
	return 1;
}

int main(int argc, char **argv)
{
	static uint8_t ram[CAIRN_CPU_RAM_BYTES + 1];
	struct cairn_fw_header head = { .magic = CAIRN_FW_MAGIC,
					.contract = CAIRN_CONTRACT_VERSION };
	FILE *f;
	size_t n;

	if (argc != 4)
		return fail("usage", "mkimage CONTENTS IMAGE VERSION");
	f = fopen(argv[1], "rb");
	if (!f)
		return fail(argv[1], "cannot be opened");
	n = fread(ram, 1, sizeof(ram), f);
	if (ferror(f) || n == 0)
		return fail(argv[1], "cannot be read, or is empty");
	fclose(f);
	if (n > CAIRN_CPU_RAM_BYTES)
		return fail(argv[1], "does not fit the RAM of the management core");
	n = (n + 3) & ~(size_t)3;
	head.length = (uint32_t)n;
	head.crc = crc32(ram, n);
	head.fw_version = (uint32_t)strtoul(argv[3], NULL, 0);

	f = fopen(argv[2], "wb");
	if (!f)
		return fail(argv[2], "cannot be made");
	if (fwrite(&head, sizeof(head), 1, f) != 1 || fwrite(ram, 1, n, f) != n || fclose(f)) {
		remove(argv[2]);
		return fail(argv[2], "cannot be written");
	}
	return 0;
}
