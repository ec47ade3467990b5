// SPDX-License-Identifier: Apache-2.0
/* PCI addresses: "0000:01:00.0", "01:00.0" (domain 0), either with "vfio:" before it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "priv.h"

/* One to `most` hexadecimal digits up to `end`; the text behind it, or NULL. */
static const char *hex(const char *text, unsigned int most, char end, unsigned int *value)
{
	unsigned int n = 0;

	*value = 0;
	for (; isxdigit((unsigned char)text[n]) && n < most; n++) {
		unsigned int c = (unsigned int)tolower((unsigned char)text[n]);

		*value = *value << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return n && text[n] == end ? text + n + 1 : NULL;
}

bool cairn_bdf(const char *addr, char *bdf)
{
	unsigned int domain = 0, bus, device, function;
	const char *p = strncmp(addr, "vfio:", 5) ? addr : addr + 5;
	const char *first = strchr(p, ':');

	if (first && strchr(first + 1, ':'))
		p = hex(p, 8, ':', &domain);
	p = p ? hex(p, 2, ':', &bus) : NULL;
	p = p ? hex(p, 2, '.', &device) : NULL;
	p = p ? hex(p, 1, 0, &function) : NULL;
	if (!p || device > 31 || function > 7)
		return false;
	if (bdf)
		snprintf(bdf, CAIRN_BDF_BYTES, "%04x:%02x:%02x.%u", domain, bus, device, function);
	return true;
}
