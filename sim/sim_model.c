// SPDX-License-Identifier: Apache-2.0
/*
 * Finding the Verilated NIC: one shared object per data path width, so that a change of the RTL
 * rebuilds only what is used, and programs need not be linked again.  Looked for in
 * $CAIRN_MODEL_DIR if set, else beside the program (../lib, ../lib/cairn), in the build tree's
 * build/lib, and where the installation put it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim_priv.h"

#ifndef CAIRN_LIBDIR
#define CAIRN_LIBDIR "/usr/local/lib"
#endif

#define PATH_LEN 4096

typedef const struct sim_dut_ops *(*model_fn)(void);

/* Folder i of the search, or false past the last. */
static bool folder(unsigned int i, char *out)
{
	const char *env = getenv("CAIRN_MODEL_DIR");
	static const char *const beside[] = { "../lib", "../lib/cairn" };
	char self[PATH_LEN];
	ssize_t n;

	if (env && *env)
		return !i && snprintf(out, PATH_LEN, "%s", env) > 0;
	if (i < 2) {
		n = readlink("/proc/self/exe", self, sizeof(self) - 1);
		self[n > 0 ? n : 0] = '\0';
		if (strrchr(self, '/'))
			*strrchr(self, '/') = '\0';
		snprintf(out, PATH_LEN, "%.*s/%s", PATH_LEN - 32, self, beside[i]);
		return true;
	}
	snprintf(out, PATH_LEN, "%s", i == 2 ? "build/lib" : CAIRN_LIBDIR "/cairn");
	return i < 4;
}

const struct sim_dut_ops *sim_model_load(unsigned int data_w, bool trace, void **handle, char *err)
{
	char name[64], dir[PATH_LEN], path[PATH_LEN + 64];
	const struct sim_dut_ops *ops;
	model_fn fn;

	snprintf(name, sizeof(name), "cairn-model-%u%s.so", data_w, trace ? "-trace" : "");
	for (unsigned int i = 0; folder(i, dir); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (!access(path, R_OK))
			break;
		*path = '\0';
	}
	if (!*path) {
		snprintf(err, SIM_ERR_MAX, "no %s found (%s); build it with: make %s", name,
			 getenv("CAIRN_MODEL_DIR") ? "in $CAIRN_MODEL_DIR" :
			 "beside the program, in build/lib, in " CAIRN_LIBDIR "/cairn",
			 trace ? "models TRACE=1" : "models");
		return NULL;
	}
	*handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!*handle) {
		snprintf(err, SIM_ERR_MAX, "%.400s", dlerror());
		return NULL;
	}
	*(void **)&fn = dlsym(*handle, "cairn_dut_nic");
	ops = fn ? fn() : NULL;
	if (!ops)
		snprintf(err, SIM_ERR_MAX, "%.300s is not a model of the NIC (no cairn_dut_nic)", path);
	return ops;
}

void sim_model_unload(void *handle)
{
	if (handle)
		dlclose(handle);
}
