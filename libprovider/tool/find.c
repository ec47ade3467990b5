// SPDX-License-Identifier: Apache-2.0
/* Where the parts of cairn are that the tool needs: beside it, in the build tree and installed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

bool tool_find(char *path, const char *const *beside, size_t n, const char *installed)
{
	char self[TOOL_PATH];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len > 0 ? len : 0] = '\0';
	if (strrchr(self, '/'))
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < n; i++) {
		snprintf(path, TOOL_PATH, "%.*s/%s", TOOL_PATH - 64, self, beside[i]);
		if (!access(path, R_OK))
			return true;
	}
	snprintf(path, TOOL_PATH, "%s", installed);
	return !access(path, R_OK);
}
