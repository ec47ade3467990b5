// SPDX-License-Identifier: Apache-2.0
/* `cairn bind`, `cairn unbind`: give a PCI function to vfio-pci, and back. */
#include <stdio.h>

#include "cairn.h"
#include "tool.h"
#include "vfio_bind.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **address = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (*address)
			argp_error(state, "one BDF at a time");
		*address = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which BDF?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int act(const struct argp *argp, int argc, char **argv,
	       int (*fn)(const char *addr, char *text, size_t size))
{
	const char *address = NULL;
	char text[1024];

	argp_parse(argp, argc, argv, 0, NULL, &address);
	cairn_set_log(NULL, NULL);
	if (fn(address, text, sizeof(text)))
		return tool_fail("%s", cairn_last_error());
	fputs(text, stdout);
	return 0;
}

int tool_bind(int argc, char **argv)
{
	static const struct argp argp = {
		NULL,
		parse,
		"BDF",
		"Bind the NIC at PCI address BDF (dddd:bb:dd.f or bb:dd.f) to vfio-pci, so that programs "
		"can use it.  Needs root.",
		NULL,
		NULL,
		NULL,
	};

	return act(&argp, argc, argv, cairn_vfio_bind);
}

int tool_unbind(int argc, char **argv)
{
	static const struct argp argp = {
		NULL,
		parse,
		"BDF",
		"Take the NIC at PCI address BDF from vfio-pci; the kernel picks its driver, if it has "
		"one.  Needs root.",
		NULL,
		NULL,
		NULL,
	};

	return act(&argp, argc, argv, cairn_vfio_unbind);
}
