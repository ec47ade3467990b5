/* SPDX-License-Identifier: Apache-2.0 */
/* vfio-user server: what it says, and its clock, which is the wall's. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "sim_vfu_priv.h"

void vfu_log(struct sim_vfu *v, const char *format, ...)
{
	char text[512];
	va_list ap;
	int n = snprintf(text, sizeof(text), "%s: ", v->name);

	va_start(ap, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, ap);
	va_end(ap);
	if (v->cfg.log)
		v->cfg.log(v->cfg.arg, text);
	else
		fprintf(stderr, "%s\n", text);
}

uint64_t vfu_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
