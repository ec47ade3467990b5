// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn replay`: repeat to the cycle what the NICs of a bundle did.  A bundle with recordings
 * (nicN.rec: `cairn sim --record`, $CAIRN_RECORD) is fed into fresh models; one of a deterministic
 * test program has the command that repeats it, which is run first, if the user agrees,
 * recorded, and compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_record.h"
#include "sim_wire.h"
#include "tool.h"

#define AGAIN "again"	/* folder in a bundle for the recording of the repeated command */

struct input {
	const char *bundle, *waves;
	uint64_t from, to;
	int nic;
	bool yes;
};

static const struct argp_option options[] = {
	{ "nic", 'i', "NIC", 0, "Only this NIC", 1 },
	{ "waves", 'w', "FILE", 0,
	  "FST waves (needs make models TRACE=1); of several NICs: FILE.nicN", 1 },
	{ "waves-window", 'W', "FROM:TO", 0, "Only between these device times, in ns", 1 },
	{ "yes", 'y', NULL, 0, "Run the command of a bundle without asking", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;
	unsigned long long from, to;
	char rest;

	switch (key) {
	case 'i':
		in->nic = (int)tool_number(state, "--nic", arg, 0, SIM_MAX_NICS - 1);
		return 0;
	case 'y':
		in->yes = true;
		return 0;
	case 'w':
		in->waves = arg;
		return 0;
	case 'W':
		if (sscanf(arg, "%llu:%llu%c", &from, &to, &rest) != 2 || from >= to)
			argp_error(state, "--waves-window: \"%s\" is not FROM:TO in ns", arg);
		in->from = from;
		in->to = to;
		return 0;
	case ARGP_KEY_ARG:
		if (in->bundle)
			argp_error(state, "one BUNDLE at a time");
		in->bundle = arg;
		return 0;
	case ARGP_KEY_END:
		if (!in->bundle)
			argp_error(state, "which BUNDLE?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- bundles ---- */

/* NULL with a message in why. */
static json_t *config_of(const char *dir, json_error_t *why)
{
	char path[TOOL_PATH];

	snprintf(path, sizeof(path), "%.4000s/config.json", dir);
	return json_load_file(path, 0, why);
}

static int no_bundle(const char *dir, const json_error_t *why)
{
	struct stat st;

	if (stat(dir, &st))
		return tool_fail("%s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return tool_fail("%s is no directory: name the one of cairn sim --record, or of a failed "
				 "test", dir);
	if (json_error_code(why) == json_error_cannot_open_file)
		return tool_fail("%s is no bundle: no nicN.rec, no config.json", dir);
	return tool_fail("%s/config.json, line %d: %s", dir, why->line, why->text);
}

static bool rec_path(const char *dir, unsigned int nic, char *path)
{
	snprintf(path, TOOL_PATH, "%.4000s/nic%u.rec", dir, nic);
	return !access(path, R_OK);
}

static bool recorded(const char *dir)
{
	char path[TOOL_PATH];

	for (unsigned int i = 0; i < SIM_MAX_NICS; i++)
		if (rec_path(dir, i, path))
			return true;
	return false;
}

static bool same_file(const char *a, const char *b)
{
	FILE *fa = fopen(a, "re"), *fb = fopen(b, "re");
	bool same = fa && fb;
	int ca = 0;

	while (same && ca != EOF) {
		ca = fgetc(fa);
		same = ca == fgetc(fb);
	}
	if (fa)
		fclose(fa);
	if (fb)
		fclose(fb);
	return same;
}

/* ---- a program's bundle: run the command again ---- */

/* A bundle may come from anywhere: what it says reaches the terminal as text, nothing else. */
static void print_command(const char *command)
{
	for (; *command; command++)
		if (*command >= ' ' && *command != 0x7f)
			putchar(*command);
		else
			printf("\\x%02x", (unsigned char)*command);
	putchar('\n');
}

/* The command is the bundle's, from anywhere: replaying alone does not run it. */
static bool agreed(const struct input *in, const char *command)
{
	char answer[16] = "";

	printf("this bundle is repeated by its command: ");
	print_command(command);
	if (in->yes)
		return true;
	if (!isatty(STDIN_FILENO))
		return !tool_fail("the command is not run unless asked for: --yes, if you trust the "
				  "bundle");
	printf("Run it? [y/N] ");
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (!strcmp(answer, "y\n") ||
							!strcmp(answer, "yes\n"));
}

/* In the child: what the program prints is on its log; only its device counts here. */
static void start_command(const char *command, const char *dir, const char *number)
{
	char path[TOOL_PATH + 16];
	int log;

	snprintf(path, sizeof(path), "%s/output.log", dir);
	log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(127);
	setenv("CAIRN_RECORD", dir, 1);
	setenv("CAIRN_RECORD_NUMBER", number, 1);
	setenv("BUNDLE", dir, 1);
	signal(SIGXFSZ, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

static int run_again(const struct input *in, const json_t *config, const char *dir)
{
	const char *command = json_string_value(json_object_get(config, "command"));
	char number[24];
	int status = 0;
	pid_t child;

	snprintf(number, sizeof(number), "%lld",
		 (long long)json_integer_value(json_object_get(config, "number")));
	if (!agreed(in, command))
		return 1;
	if (mkdir(dir, 0755) && errno != EEXIST)
		return tool_fail("cannot make %s: %s", dir, strerror(errno));
	fflush(stdout);
	child = fork();
	if (!child)
		start_command(command, dir, number);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || !recorded(dir))
		return tool_fail("the command left no recording in %s: is the tree built?", dir);
	return 0;
}

static int compare(const json_t *config, const char *bundle, const char *dir)
{
	static const char *const fields[] = { "time_ns", "cycles", "errors" };
	json_error_t why;
	json_t *now = config_of(dir, &why);
	json_int_t nics = json_integer_value(json_object_get(config, "nics"));
	int failed = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		json_int_t was = json_integer_value(json_object_get(config, fields[i]));
		json_int_t is = json_integer_value(json_object_get(now, fields[i]));

		if (was != is)
			failed = tool_fail("not the same: %s was %lld, is %lld", fields[i],
					   (long long)was, (long long)is);
	}
	for (json_int_t i = 0; i < nics; i++) {
		char a[TOOL_PATH], b[TOOL_PATH];

		snprintf(a, sizeof(a), "%.4000s/nic%d.tlp", bundle, (int)i);
		snprintf(b, sizeof(b), "%.4000s/nic%d.tlp", dir, (int)i);
		if (!same_file(a, b))
			failed = tool_fail("not the same: %s and %s", a, b);
	}
	if (!failed)
		printf("repeated to the cycle: %lld ns, same TLPs\n",
		       (long long)json_integer_value(json_object_get(now, "time_ns")));
	json_decref(now);
	return failed;
}

static int repeat(const struct input *in, const json_t *config, char *dir)
{
	int ret;

	snprintf(dir, TOOL_PATH, "%.4000s/" AGAIN, in->bundle);
	ret = run_again(in, config, dir);
	return ret ? ret : compare(config, in->bundle, dir);
}

/* ---- recordings ---- */

static int replay_one(const struct input *in, const char *path, unsigned int nic, bool alone)
{
	char err[SIM_ERR_MAX], waves[TOOL_PATH];
	struct sim_replay_cfg cfg = { .path = path, .waves_from = in->from, .waves_to = in->to };
	struct sim_replay_result res;

	if (in->waves) {
		snprintf(waves, sizeof(waves), alone ? "%.4000s" : "%.4000s.nic%u", in->waves, nic);
		cfg.waves = waves;
	}
	if (sim_replay(&cfg, &res, err))
		return tool_fail("%s", err);
	printf("nic%u: %llu cycles to %llu ns, %u errors in the device, outputs ", nic,
	       (unsigned long long)res.cycles, (unsigned long long)res.now, res.errors);
	if (res.differs_ns == SIM_NEVER && res.cut) {
		puts("the same up to there");
		return tool_fail("%s has no end: it was cut off, or its simulator did not end by itself",
				 path);
	}
	if (res.differs_ns == SIM_NEVER) {
		puts("as recorded");
		return 0;
	}
	printf("not as recorded from %llu ns on\n", (unsigned long long)res.differs_ns);
	return tool_fail("%s: recorded with another model? Rebuild the tree it comes from", path);
}

static int replay_all(const struct input *in, const char *dir)
{
	unsigned int n = 0;
	char path[TOOL_PATH];
	int failed = 0;

	for (unsigned int i = 0; i < SIM_MAX_NICS; i++)
		n += rec_path(dir, i, path);
	if (in->nic != TOOL_ALL_NICS && !rec_path(dir, (unsigned int)in->nic, path))
		return tool_fail("%s has no recording of NIC %d", dir, in->nic);
	for (unsigned int i = 0; i < SIM_MAX_NICS; i++)
		if (rec_path(dir, i, path) && (in->nic == TOOL_ALL_NICS || in->nic == (int)i))
			failed |= replay_one(in, path, i, n == 1 || in->nic != TOOL_ALL_NICS);
	return failed;
}

int tool_replay(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, "BUNDLE",
		"Repeat what NICs did, to the cycle: BUNDLE is the directory of cairn sim --record, or the "
		"one that a failed test names.\vEach NIC's core is computed again from all that entered it, "
		"and what it puts out is compared with the recording.", NULL, NULL, NULL,
	};
	struct input in = { .nic = TOOL_ALL_NICS };
	char again[TOOL_PATH];
	json_error_t why;
	json_t *config;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &in);
	signal(SIGXFSZ, SIG_IGN);	/* an error of write(), as a full disk is */
	if (recorded(in.bundle))
		return replay_all(&in, in.bundle);
	config = config_of(in.bundle, &why);
	if (!config)
		return no_bundle(in.bundle, &why);
	if (!json_is_string(json_object_get(config, "command")))
		ret = tool_fail("%s has neither recordings nor a command: record with cairn sim "
				"--record DIR", in.bundle);
	else
		ret = repeat(&in, config, again);
	json_decref(config);
	return ret ? ret : replay_all(&in, again);
}
